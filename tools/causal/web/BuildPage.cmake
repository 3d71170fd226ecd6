# Run by the build: packages from npm, as package-lock.json pins them, into the
# build tree; page.html by build.mjs; its bytes into ReportPage.inc. Never fails:
# without a page, ReportPage.inc is empty and a warning says what to do.
#   NPM, PAGE (instead of npm), TESTS (packages for tests too), SOURCE, BINARY

cmake_minimum_required(VERSION 3.25)

function(write_bytes hex)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  file(CONFIGURE OUTPUT "${BINARY}/ReportPage.inc" CONTENT "@bytes@" @ONLY)
endfunction()

function(without_page reason)
  message(NOTICE "warning: causal report --html will not work: ${reason}\n"
    "Install Node.js 18 or later and npm (apt-get install nodejs npm) and build again, "
    "or give -DCAUSAL_WEB_PAGE= the page.html of another build.")
  file(REMOVE "${BINARY}/page.html")
  write_bytes("")
endfunction()

if(PAGE)
  file(COPY_FILE "${PAGE}" "${BINARY}/page.html")
elseif(NOT NPM)
  without_page("there is no npm")
  return()
else()
  file(COPY "${SOURCE}/src" "${SOURCE}/build.mjs" "${SOURCE}/package.json"
    "${SOURCE}/package-lock.json" "${SOURCE}/.npmrc" "${SOURCE}/tsconfig.json"
    DESTINATION "${BINARY}")
  # Once for each state of the lock file.
  file(SHA256 "${BINARY}/package-lock.json" lock)
  set(wanted "${lock} ${TESTS}")
  set(installed "")
  if(EXISTS "${BINARY}/node_modules/.causal-lock")
    file(READ "${BINARY}/node_modules/.causal-lock" installed)
  endif()
  if(NOT installed STREQUAL wanted)
    set(omit --omit=dev)
    if(TESTS)
      set(omit "")
    endif()
    execute_process(
      COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 ${omit}
      WORKING_DIRECTORY "${BINARY}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
      without_page("npm ci failed:\n${output}")
      return()
    endif()
    file(WRITE "${BINARY}/node_modules/.causal-lock" "${wanted}")
  endif()
  execute_process(COMMAND "${NPM}" run --silent build
    WORKING_DIRECTORY "${BINARY}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    # A mistake in the page's sources is an error like any other.
    message(FATAL_ERROR "bundling the HTML report failed:\n${output}")
  endif()
endif()
file(READ "${BINARY}/page.html" hex HEX)
write_bytes("${hex}")
