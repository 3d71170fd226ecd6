// Everything that matters is on the command line, so a compiler cache works: the
// second compilation is a hit, and one without the flag is another object.
//
// REQUIRES: ccache
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{ccache} = env CCACHE_DIR=%t/cache CCACHE_TEMPDIR=%t/tmp ccache
// RUN: %{ccache} %causal_clang -fcausal-profile -c %s -o first.o
// RUN: %{ccache} %causal_clang -fcausal-profile -c %s -o second.o && cmp first.o second.o
// RUN: %{ccache} --print-stats | FileCheck %s --check-prefix=HIT
// RUN: %{ccache} %causal_clang -c %s -o plain.o && not cmp first.o plain.o
// RUN: llvm-nm second.o | FileCheck %s
// HIT: direct_cache_hit{{[[:space:]]}}1
// CHECK: U __causal_version_mismatch_check
int main(void) { return 0; }
