# The version is said in project() and nowhere else.
cmake_minimum_required(VERSION 3.23)

string(REPLACE "." "\\." pattern ${version})
set(pattern "(^|[^0-9.])${pattern}([^0-9.]|$)")

file(GLOB_RECURSE files RELATIVE ${root}
    ${root}/include/* ${root}/tests/* ${root}/examples/* ${root}/.github/* ${root}/.ci/*)
list(FILTER files INCLUDE REGEX "\\.(hpp|cpp|cmake|txt|md|yml)$|^\\.ci/")
set(places "")
foreach(file IN LISTS files ITEMS CMakeLists.txt README.md)
    file(STRINGS ${root}/${file} lines REGEX "${pattern}")
    foreach(line IN LISTS lines)
        list(APPEND places ${file})
    endforeach()
endforeach()

if(NOT places STREQUAL "CMakeLists.txt")
    list(JOIN places "\n  " places)
    message(FATAL_ERROR "The version ${version} belongs in CMakeLists.txt once, and is said in\n  ${places}")
endif()
