# Sets sqlite_dir to a directory with the SQLite 3.53.2 amalgamation, taken once
# into the build tree from the npm package better-sqlite3, which carries it.
set(package better-sqlite3-12.11.1)
set(sha256 ebf0ed75a7a59dbcb3b24bbd014ef49d9f15bc328e4adcbf516f2a8fadfa2835)
set(sqlite_dir "${CMAKE_CURRENT_BINARY_DIR}/package/deps/sqlite3")

if(NOT EXISTS "${sqlite_dir}/sqlite3.c")
  set(archive "${CMAKE_CURRENT_BINARY_DIR}/${package}.tgz")
  set(remedy "Install npm (Debian: apt-get install npm), or give a copy of sqlite3.c and "
    "sqlite3.h with -DSQLITE_AMALGAMATION=<directory>")
  find_program(NPM npm)
  if(NOT NPM)
    message(FATAL_ERROR "npm was not found. " ${remedy})
  endif()
  # npm pack fetches one archive; nothing in it is run.
  execute_process(COMMAND "${NPM}" pack better-sqlite3@12.11.1
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE messages)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "npm pack better-sqlite3@12.11.1 failed:\n${messages}\n" ${remedy})
  endif()
  file(SHA256 "${archive}" actual)
  if(NOT actual STREQUAL sha256)
    file(REMOVE "${archive}")
    message(FATAL_ERROR "${archive} has SHA-256 ${actual}, expected ${sha256}")
  endif()
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${CMAKE_CURRENT_BINARY_DIR}"
    PATTERNS "package/deps/sqlite3/*")
endif()
