# The C++ of a page is true. A ```cpp block with a main function compiles and runs, and if the next
# block of the page is ```text, that is what it prints. All other ```cpp blocks compile, each as the
# body of a function after `#include <broadloom/broadloom.hpp>` and `namespace bl = broadloom;`.
cmake_minimum_required(VERSION 3.23)
include(${settings})

file(REMOVE_RECURSE ${output})
file(MAKE_DIRECTORY ${output})

function(run_program source line expected)
    execute_process(COMMAND ${compiler} ${flags} ${source} ${to_program} ${output}/program
        WORKING_DIRECTORY ${output} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${output}/program
        OUTPUT_VARIABLE printed RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "The program at ${page}:${line} ends with ${status}")
    endif()
    string(REGEX REPLACE "[ \t\r]*\n" "\n" printed "${printed}")
    if(NOT expected STREQUAL "" AND NOT printed STREQUAL expected)
        message(FATAL_ERROR "The program at ${page}:${line} prints\n${printed}\nand the page says\n${expected}")
    endif()
endfunction()

file(READ ${page} rest)
set(rest "${rest}\n")
set(number 0)        # of the line at hand
set(kind "")         # of the block at hand; empty between blocks
set(program "")      # the line of a program that still waits for the words it should print
set(includes "#include <broadloom/broadloom.hpp>\nnamespace bl = broadloom;\n")
set(snippets "")

while(NOT rest STREQUAL "")
    string(FIND "${rest}" "\n" end)
    string(SUBSTRING "${rest}" 0 ${end} line)
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${rest}" ${end} -1 rest)
    math(EXPR number "${number} + 1")

    if(kind STREQUAL "")
        if(line MATCHES "^```([a-z]*)")
            set(kind "block ${CMAKE_MATCH_1}")
            set(first ${number})
            set(block "")
        endif()
    elseif(NOT line MATCHES "^```")
        string(REGEX REPLACE "[ \t\r]+$" "" line "${line}")
        string(APPEND block "${line}\n")
    else()
        if(program)
            set(expected "")
            if(kind STREQUAL "block text")
                set(expected "${block}")
            endif()
            run_program(${output}/line_${program}.cpp ${program} "${expected}")
            set(program "")
        endif()
        if(kind STREQUAL "block cpp")
            if(block MATCHES "int main\\(")
                set(program ${first})
                file(WRITE ${output}/line_${program}.cpp "#line ${program} \"${page}\"\n\n${block}")
            else()
                string(REGEX MATCHALL "#include [^\n]*" own "${block}")
                list(JOIN own "\n" own)
                string(REGEX REPLACE "#include [^\n]*" "" block "${block}")
                string(APPEND includes "${own}\n")
                string(APPEND snippets "void line_${first}() {\n#line ${first} \"${page}\"\n\n${block}}\n")
            endif()
        endif()
        set(kind "")
    endif()
endwhile()
if(program)
    run_program(${output}/line_${program}.cpp ${program} "")
endif()

file(WRITE ${output}/snippets.cpp "${includes}${snippets}")
execute_process(COMMAND ${compiler} ${flags} ${syntax_only} ${output}/snippets.cpp
    COMMAND_ERROR_IS_FATAL ANY)
