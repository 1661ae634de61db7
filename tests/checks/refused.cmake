# A source in tests/refused/ must not compile, in words that match the regular expression of its line
# `// refused: ...`; with ALLOWED defined the same source must compile, so the reason is the right one.
cmake_minimum_required(VERSION 3.23)
include(${settings})

file(STRINGS ${source} lines REGEX "^// refused: ")
string(REGEX REPLACE "^// refused: " "" expected "${lines}")
if(expected STREQUAL "")
    message(FATAL_ERROR "${source} has no line `// refused: <regular expression>`")
endif()

execute_process(COMMAND ${compiler} ${flags} ${syntax_only} -DALLOWED ${source}
    RESULT_VARIABLE status OUTPUT_VARIABLE words ERROR_VARIABLE words)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "With ALLOWED defined this should compile:\n${words}")
endif()

execute_process(COMMAND ${compiler} ${flags} ${syntax_only} ${source}
    RESULT_VARIABLE status OUTPUT_VARIABLE words ERROR_VARIABLE words)
if(status EQUAL 0)
    message(FATAL_ERROR "This should not compile, and does: ${source}")
endif()
if(NOT words MATCHES "${expected}")
    message(FATAL_ERROR "The compiler should say `${expected}`, and says:\n${words}")
endif()
