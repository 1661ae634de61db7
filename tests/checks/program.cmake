# Runs a program: it ends with `status`, and `words` (a regular expression) is in what it prints.
separate_arguments(arguments NATIVE_COMMAND "${arguments}")
execute_process(COMMAND ${program} ${arguments}
    OUTPUT_VARIABLE printed ERROR_VARIABLE complaint RESULT_VARIABLE ended)
string(APPEND printed "${complaint}")
if(NOT ended STREQUAL status)
    message(FATAL_ERROR "It ends with ${ended} instead of ${status}:\n${printed}")
elseif(NOT printed MATCHES "${words}")
    message(FATAL_ERROR "It does not say \"${words}\":\n${printed}")
endif()
