// With link-time optimisation the linker makes the table, of code from two files.
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clang_plugin -O2 -flto -c %s -o %t.1.o && %clang_plugin -O2 -flto -DSECOND -c %s -o %t.2.o
// RUN: %clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%libdir/CausalPass.so %t.1.o %t.2.o %t.stub.o -o %t.full
// RUN: %clang_plugin -O2 -flto=thin -c %s -o %t.1.o && %clang_plugin -O2 -flto=thin -DSECOND -c %s -o %t.2.o
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%libdir/CausalPass.so %t.1.o %t.2.o %t.stub.o -o %t.thin
// RUN: %linemap_dump %t.full | FileCheck %s && %linemap_dump %t.thin | FileCheck %s
// RUN: %t.full | FileCheck %s --check-prefix=EXEC && %t.thin | FileCheck %s --check-prefix=EXEC
// RUN: llvm-readelf -S %t.full %t.thin | FileCheck %s --check-prefix=SECTIONS --implicit-check-not=.debug
// SECTIONS-COUNT-2: causal_fn
// EXEC: registered [[#]] records
// EXEC-NEXT: unregistered records
// EXEC-NOT: registered
extern volatile int Sink;
#ifdef SECOND
volatile int Sink;
void second(int X) {
  Sink = X;
}
#else
void second(int X);
// CHECK: size 0x{{[0-9a-f]+}} main
// CHECK: lto.c:[[#@LINE-5]] second < {{.*}}lto.c:[[#@LINE+2]] main
int main(int Argc, char **Argv) {
  second(Argc);
  return 0;
}
#endif
