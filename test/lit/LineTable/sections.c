// What an object has: a record and its lines for each function, tied to its code,
// and one set of strings; relocated relative to themselves only.
// RUN: %clang_plugin %no_module -O1 -ffunction-sections -c %s -o %t.o
// RUN: llvm-readelf -SW %t.o | FileCheck %s
// RUN: llvm-readelf -rW %t.o | FileCheck %s --check-prefix=RELOC
int f(int X) { return X + 1; }
int g(int X) { return X + 2; }

// CHECK: [ [[#F:]]] .text.f  PROGBITS
// CHECK: causal_ln PROGBITS {{.*}} 00 AL [[#F]] 0 1
// CHECK: causal_fn PROGBITS {{.*}} 00000c 00 AL [[#F]] 0 4
// CHECK: [ [[#G:]]] .text.g  PROGBITS
// CHECK: causal_ln PROGBITS {{.*}} 00 AL [[#G]] 0 1
// CHECK: causal_fn PROGBITS {{.*}} 00000c 00 AL [[#G]] 0 4
// CHECK: .causal_str PROGBITS {{.*}} 01 AMS 0 0 1

// RELOC-LABEL: section '.relacausal_ln'
// RELOC-COUNT-2: R_X86_64_PC32 {{.*}} .causal_str +
// RELOC-LABEL: section '.relacausal_fn'
// RELOC: R_X86_64_PC32 {{.*}} .text.f + 0
// RELOC: R_X86_64_PC32 {{.*}} causal_ln + 0
