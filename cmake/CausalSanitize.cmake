# causal_sanitize(target): compiles and links a host target (wrapper, tool, unit
# test) with the sanitizers of CAUSAL_SANITIZE, as in -fsanitize=. Never for the
# runtime, which lives beside the sanitizers of its users, nor for the plugins, which
# live in an uninstrumented clang.
set(CAUSAL_SANITIZE "" CACHE STRING "Sanitizers for host code, e.g. address,undefined")

function(causal_sanitize target)
  if(CAUSAL_SANITIZE)
    target_compile_options(${target} PRIVATE
      "-fsanitize=${CAUSAL_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE "-fsanitize=${CAUSAL_SANITIZE}")
  endif()
endfunction()
