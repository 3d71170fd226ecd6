# Finds LLVM and Clang 19 and the tools of their test suites.
#
# The version is checked here and not in find_package: LLVM's version file accepts
# only the same major.minor, and its message names no remedy.
find_package(LLVM CONFIG PATHS /usr/lib/llvm-19 NO_DEFAULT_PATH)
if(NOT LLVM_FOUND)
  find_package(LLVM CONFIG)
endif()
if(NOT LLVM_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL 19)
  message(FATAL_ERROR "LLVM 19 is needed (found: ${LLVM_PACKAGE_VERSION}). On Debian 12: "
    "./bootstrap.sh deps, or apt-get install llvm-19-dev libclang-19-dev clang-19 lld-19")
endif()
find_package(Clang CONFIG REQUIRED PATHS "${LLVM_INSTALL_PREFIX}" NO_DEFAULT_PATH)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

# causal_llvm_headers(target): LLVM's and Clang's headers, after all others, for
# Debian keeps libc++abi's <cxxabi.h> among them.
function(causal_llvm_headers target)
  list(APPEND directories ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  list(REMOVE_DUPLICATES directories)
  foreach(directory IN LISTS directories)
    target_compile_options(${target} PRIVATE "SHELL:-idirafter ${directory}")
  endforeach()
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(${target} PRIVATE ${definitions})
endfunction()
