# Counts the instructions of small calls with valgrind, at -O2: so many at most, a tenth more than g++
# and clang take. Valgrind knows AVX2 and no wider vectors, so machines agree.
cmake_minimum_required(VERSION 3.23)
include(${settings})

set(limits fresh 495 into 500 in-place 615 scalar 365 column 895 number 640 rank-3 955 sum 1760)

execute_process(COMMAND ${compiler} ${flags} -O2 ${to_program} ${program} ${source}
    RESULT_VARIABLE status ERROR_VARIABLE words)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${words}")
endif()

# The instructions of a whole run.
function(count_run call times result)
    execute_process(COMMAND ${valgrind} --tool=callgrind --callgrind-out-file=${program}.callgrind
            ${program} ${call} ${times}
        RESULT_VARIABLE status ERROR_VARIABLE words)
    if(NOT status EQUAL 0 OR NOT words MATCHES "Collected : ([0-9]+)")
        message(FATAL_ERROR "${call}: ${words}")
    endif()
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

set(wrong "")
while(limits)
    list(POP_FRONT limits call limit)
    count_run(${call} 100 some)
    count_run(${call} 200 more)
    math(EXPR each "(${more} - ${some}) / 100")
    message(STATUS "${call}: ${each} instructions, ${limit} at most")
    if(each GREATER limit)
        string(APPEND wrong " ${call}")
    endif()
endwhile()
if(wrong)
    message(FATAL_ERROR "These calls take more than they did:${wrong}")
endif()
