// Link-time optimisation needs our plugin in the linker, which only lld takes.
//
// RUN: mkdir -p %t && cd %t
// DEFINE: %{cc} = %causal_clang -fcausal-profile -Werror -O2
// RUN: %{cc} -flto -fuse-ld=lld %s -o full && ./full
// RUN: llvm-readelf -S full | FileCheck %s
// RUN: %{cc} -flto=thin -c %s -o thin.o && %{cc} -flto=thin -fuse-ld=lld thin.o -o thin && ./thin
// RUN: llvm-readelf -S thin | FileCheck %s
// RUN: not %{cc} -flto %s -o bfd 2>&1 | FileCheck %s --check-prefix=BFD
// CHECK: causal_fn
// BFD: causal: -fcausal-profile with -flto needs lld, {{.*}} add -fuse-ld=lld
int main(void) { return 0; }
