# What a user installs: programs, plugins and runtime are installed where they are
# built; here are the links, the header in the build tree and the CMake package.
# Nothing installed names its own prefix, so the tree can be moved.
include(CMakePackageConfigHelpers)

# Names under which the wrapper runs. lib/causal/bin is for the front of PATH,
# where a build finds "clang" and gets ours.
function(causal_link_program dir name target)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/${dir}")
  file(CREATE_LINK "${target}" "${CMAKE_BINARY_DIR}/${dir}/${name}" SYMBOLIC)
  install(FILES "${CMAKE_BINARY_DIR}/${dir}/${name}" DESTINATION "${dir}")
endfunction()
install(TARGETS causal-clang RUNTIME DESTINATION bin)
causal_link_program(bin causal-clang++ causal-clang)
causal_link_program(${CAUSAL_LIBDIR}/bin clang ../../../bin/causal-clang)
causal_link_program(${CAUSAL_LIBDIR}/bin clang++ ../../../bin/causal-clang)
# CMake from 3.28 on scans C++20 for modules if it finds clang-scan-deps by the
# compiler's side, so ours is there if there is one behind it.
if(EXISTS "${LLVM_TOOLS_BINARY_DIR}/clang-scan-deps")
  causal_link_program(bin causal-clang-scan-deps causal-clang)
  causal_link_program(${CAUSAL_LIBDIR}/bin clang-scan-deps ../../../bin/causal-clang)
endif()

# The build tree works like the installed one.
configure_file("${PROJECT_SOURCE_DIR}/include/causal/causal.h"
  "${CMAKE_BINARY_DIR}/include/causal/causal.h" COPYONLY)

set(_package lib/cmake/Causal)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/CausalConfig.cmake.in"
  "${CMAKE_BINARY_DIR}/${_package}/CausalConfig.cmake" INSTALL_DESTINATION ${_package})
write_basic_package_version_file("${CMAKE_BINARY_DIR}/${_package}/CausalConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/${_package}/CausalConfig.cmake"
              "${CMAKE_BINARY_DIR}/${_package}/CausalConfigVersion.cmake"
  DESTINATION ${_package})

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/causal)
