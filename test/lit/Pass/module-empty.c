// An image without code registers too, an empty table: its program hears of it.
// RUN: %clang_plugin -c %s -o %t.o
// RUN: llvm-readelf -SW %t.o | FileCheck %s --check-prefix=SECTIONS --implicit-check-not=causal_fn
// SECTIONS: .init_array.1
// RUN: %clang -DMAIN -c %s -o %t.main.o
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clang %t.main.o %t.o %t.stub.o -o %t.exe && %t.exe | FileCheck %s
// RUN: %clang -fuse-ld=lld %t.main.o %t.o %t.stub.o -o %t.exe && %t.exe | FileCheck %s
// RUN: %clang -shared %t.o -o %t.so
// RUN: %clang %t.main.o %t.stub.o -rdynamic -Wl,--no-as-needed %t.so -o %t.exe && %t.exe | FileCheck %s
// RUN: %clang -fuse-ld=lld -shared %t.o -o %t.so && %t.exe | FileCheck %s
// CHECK: registered 0 records
// CHECK-NEXT: unregistered nothing
#ifdef MAIN
int main(void) { return 0; }
#else
int Data = 1;
#endif
