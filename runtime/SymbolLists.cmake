# Writes OUTPUT.syms, a --dynamic-list of the runtime's interface, and OUTPUT.wrap,
# the linker options that redirect libc's functions to it in a static link.
execute_process(COMMAND "${NM}" --defined-only --extern-only -P "${OBJECT}"
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
set(dynamic_list "{\n")
set(wrap "")
foreach(line IN LISTS symbols)
  string(REGEX MATCH "^[^ ]+" symbol "${line}")
  string(APPEND dynamic_list "  ${symbol};\n")
  if(symbol MATCHES "^__wrap_(.*)")
    string(APPEND wrap "--wrap=${CMAKE_MATCH_1}\n")
  endif()
endforeach()
file(WRITE "${OUTPUT}.syms" "${dynamic_list}};\n")
file(WRITE "${OUTPUT}.wrap" "${wrap}")
