# Compiles vectors.cpp at -O2 and reads the assembly: the loops, of every instruction set, are vector
# code, without a gather and without scalar arithmetic.
cmake_minimum_required(VERSION 3.23)
include(${settings})

execute_process(COMMAND ${compiler} ${flags} -O2 -S -o ${output} ${source}
    RESULT_VARIABLE status ERROR_VARIABLE words)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${words}")
endif()

set(arithmetic "(add|sub|mul|div|sqrt|max|min|cvtt)")
file(STRINGS ${output} lines REGEX "^_ZN[^ ]*:|[ \t]v?p?gather|[ \t]v?${arithmetic}[sp][sd](2si)?[ \t]")
set(loops 0)
set(wrong "")
foreach(line IN LISTS lines)
    if(line MATCHES "^_ZN.*strict_(baseline|avx2|avx512).*(11Elementwise|5Brief|4Held)")
        set(loop ${line})
        math(EXPR loops "${loops} + 1")
    elseif(line MATCHES "^_ZN")
        set(loop "")
    elseif(loop AND line MATCHES "gather|${arithmetic}s[sd]")
        string(APPEND wrong "${loop}\n  ${line}\n")
        set(loop "")  # once is enough
    endif()
endforeach()
if(loops EQUAL 0)
    message(FATAL_ERROR "There are no loops in ${output}")
elseif(wrong)
    message(FATAL_ERROR "Of ${loops} loops some are no vector code:\n${wrong}")
endif()
message(STATUS "${loops} loops are vector code")
