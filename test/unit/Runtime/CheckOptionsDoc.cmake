# Fails if EXPECTED is not what GENERATOR writes.
execute_process(COMMAND "${GENERATOR}" "${ACTUAL}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${ACTUAL}" "${EXPECTED}" RESULT_VARIABLE differs)
if(differs)
  message(FATAL_ERROR "${EXPECTED} is not what runtime/base/causal_flags.inc says: build the target "
    "update-options-doc and commit the file")
endif()
