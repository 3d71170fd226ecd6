// A stripped binary has the whole table.
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clang_plugin -O1 %s %t.stub.o -o %t.exe
// RUN: llvm-strip %t.exe -o %t.1 && %linemap_dump %t.1 | FileCheck %s && %t.1
// RUN: strip -s %t.exe -o %t.2 && %linemap_dump %t.2 | FileCheck %s && %t.2
// CHECK: 1 records, sorted
// CHECK: strip.c:[[#@LINE+1]] main
int main(void) { return 0; }
