// -causal-line-table=false holds for an object and, where the linker generates the
// code, for the link.
// RUN: %clang_plugin -Xclang -mllvm -Xclang -causal-line-table=false -c %s -o %t.o
// RUN: llvm-readelf -S %t.o | FileCheck %s --implicit-check-not=causal_fn
// RUN: %clang_plugin -Xclang -mllvm -Xclang -causal-line-table=false -flto -c %s -o %t.bc
// RUN: %clang -flto -fuse-ld=lld -shared -Wl,--load-pass-plugin=%libdir/CausalPass.so %t.bc -o %t.so
// RUN: llvm-readelf -S %t.so | FileCheck %s --implicit-check-not=causal_fn
// CHECK: .init_array
int f(void) { return 0; }
