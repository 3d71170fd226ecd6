# Locates the sources of sanitizer_common and interception.
# Result: CAUSAL_SAN_ROOT (holds sanitizer_common/ and interception/) and
# CAUSAL_SAN_INCLUDE (holds sanitizer/common_interface_defs.h).
set(COMPILER_RT_SOURCE_DIR "" CACHE PATH "llvm-project/compiler-rt, instead of gcc-12-source")
file(GLOB _causal_tarballs /usr/src/gcc-12/gcc-12*.tar.xz)
list(POP_FRONT _causal_tarballs _causal_tarball)
set(CAUSAL_SANITIZER_TARBALL "${_causal_tarball}" CACHE FILEPATH "Source archive of gcc 12")

if(COMPILER_RT_SOURCE_DIR)
  set(CAUSAL_SAN_ROOT "${COMPILER_RT_SOURCE_DIR}/lib")
  set(CAUSAL_SAN_INCLUDE "${COMPILER_RT_SOURCE_DIR}/include")
else()
  if(NOT EXISTS "${CAUSAL_SANITIZER_TARBALL}")
    message(FATAL_ERROR "The sources of sanitizer_common are needed: apt-get install gcc-12-source, "
      "or pass -DCOMPILER_RT_SOURCE_DIR=<llvm-project>/compiler-rt")
  endif()
  set(CAUSAL_SAN_ROOT "${CMAKE_BINARY_DIR}/libsanitizer")
  set(CAUSAL_SAN_INCLUDE "${CAUSAL_SAN_ROOT}/include")
  if(NOT EXISTS "${CAUSAL_SAN_ROOT}/.stamp" OR
     "${CAUSAL_SANITIZER_TARBALL}" IS_NEWER_THAN "${CAUSAL_SAN_ROOT}/.stamp")
    message(STATUS "Extracting sanitizer_common from ${CAUSAL_SANITIZER_TARBALL}")
    file(REMOVE_RECURSE "${CAUSAL_SAN_ROOT}")
    file(MAKE_DIRECTORY "${CAUSAL_SAN_ROOT}")
    # gcc's include/system is left out: it would shadow <sys/ptrace.h>.
    execute_process(
      COMMAND tar -xJf "${CAUSAL_SANITIZER_TARBALL}" --strip-components=2 -C "${CAUSAL_SAN_ROOT}"
        --wildcards "gcc-*/libsanitizer/sanitizer_common/*" "gcc-*/libsanitizer/interception/*"
        "gcc-*/libsanitizer/include/sanitizer/*" "gcc-*/libsanitizer/LICENSE.TXT"
      COMMAND_ERROR_IS_FATAL ANY)
    file(TOUCH "${CAUSAL_SAN_ROOT}/.stamp")
  endif()
endif()
