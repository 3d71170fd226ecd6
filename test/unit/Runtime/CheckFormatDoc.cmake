# Fails if FORMATS or SCHEMA is not what GENERATOR writes.
execute_process(COMMAND "${GENERATOR}" "${FORMATS}" "${ACTUAL}.md" "${ACTUAL}.json" COMMAND_ERROR_IS_FATAL ANY)
foreach(pair IN ITEMS "${ACTUAL}.md;${FORMATS}" "${ACTUAL}.json;${SCHEMA}")
  list(GET pair 0 actual)
  list(GET pair 1 expected)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${actual}" "${expected}" RESULT_VARIABLE differs)
  if(differs)
    message(FATAL_ERROR "${expected} is not what include/causal/ProfileFormat.def says: build the target "
      "update-format-doc and commit the file")
  endif()
endforeach()
