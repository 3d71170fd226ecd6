// A function in several sections has a record for each.
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clang_plugin -O1 -fbasic-block-sections=all -c %s -o %t.o
// RUN: %clang -fuse-ld=lld %t.o %t.stub.o -o %t.exe && %linemap_dump %t.exe | FileCheck %s
// RUN: llvm-readelf -SW %t.o | FileCheck %s --check-prefix=SECTIONS
// SECTIONS: [ [[#HOT:]]] .text.main 
// SECTIONS: [ [[#OTHER:]]] .text.main 
// SECTIONS: causal_fn PROGBITS {{.*}} AL [[#HOT]]
// SECTIONS: causal_fn PROGBITS {{.*}} AL [[#OTHER]]
// CHECK: 6 records, sorted
int f(int);
// CHECK: size 0x{{[0-9a-f]+}} main
// CHECK-NEXT: fragments.c:[[#@LINE+2]] main
int main(int Argc, char **Argv) {
  volatile int X = Argc;
  if (Argc == 1)
    X = 0;
  else if (Argc > 7)
    for (int I = 0; I < Argc; I++)
      // CHECK: size 0x{{[0-9a-f]+}} {{$}}
      // CHECK: fragments.c:[[#@LINE+1]] main
      X += I;
  return X;
}
