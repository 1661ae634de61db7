# `cmake --install` brings every header to the prefix, and nothing but headers below include/.
cmake_minimum_required(VERSION 3.23)

file(REMOVE_RECURSE ${prefix})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${build} --config "${config}" --prefix ${prefix}
    COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE expected RELATIVE ${root}/include ${root}/include/*.hpp)
file(GLOB_RECURSE found RELATIVE ${prefix}/include ${prefix}/include/*)
if(NOT found STREQUAL expected)
    message(FATAL_ERROR "The headers are\n  ${expected}\nand installed are\n  ${found}")
endif()
