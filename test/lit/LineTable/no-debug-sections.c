// No DWARF comes out that the user did not ask for, nor with link-time optimisation;
// a -g of the user's gives what it gives without us.
// RUN: %clang_plugin -O2 -c %s -o %t.o && llvm-readelf -S %t.o | FileCheck %s --implicit-check-not=.debug
// RUN: %clang_plugin -O0 -c %s -o %t.o && llvm-readelf -S %t.o | FileCheck %s --implicit-check-not=.debug
// RUN: %clang_plugin -O2 -g %no_module -c %s -o %t.g.o
// RUN: %clang -O2 -g -c %s -o %t.plain.o
// RUN: llvm-dwarfdump %t.g.o | sed 1d > %t.g.txt && llvm-dwarfdump %t.plain.o | sed 1d > %t.plain.txt
// RUN: FileCheck %s --check-prefix=DWARF --input-file=%t.g.txt && diff %t.g.txt %t.plain.txt
// RUN: llvm-readelf -S %t.g.o | FileCheck %s
// CHECK: causal_fn
// DWARF: DW_AT_name ("Argument")
int f(int Argument) { return Argument + 1; }
