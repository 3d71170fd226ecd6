// The table passes through assembly text, of either assembler.
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clang_plugin -O2 -c %S/Inputs/loops.c -o %t.1.o
// RUN: %clang_plugin -O2 -S %S/Inputs/loops.c -o %t.s && %clang -c %t.s -o %t.2.o
// RUN: %clang_plugin -O2 -fno-addrsig -fno-integrated-as -c %S/Inputs/loops.c -o %t.3.o
// RUN: %clang %t.1.o %t.stub.o -o %t.1 && %linemap_dump %t.1 > %t.1.txt
// RUN: %clang %t.2.o %t.stub.o -o %t.2 && %linemap_dump %t.2 | diff %t.1.txt -
// RUN: %clang %t.3.o %t.stub.o -o %t.3 && %linemap_dump %t.3 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.1.txt
// CHECK: 5 records, sorted
