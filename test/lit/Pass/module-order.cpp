// Registered before the first constructor of the program, and taken back after its
// last destructor; once for several objects.
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clangxx_plugin -c %s -o %t.1.o
// RUN: %clangxx_plugin -DSECOND -c %s -o %t.2.o
// RUN: %clangxx %t.1.o %t.2.o %t.stub.o -o %t.exe && %t.exe | FileCheck %s
// RUN: %clangxx -fuse-ld=lld %t.1.o %t.2.o %t.stub.o -o %t.exe && %t.exe | FileCheck %s
#include <stdio.h>

#ifdef SECOND
int second() { return 2; }
#else
// CHECK: registered [[#]] records
// CHECK-NEXT: first constructor
__attribute__((constructor(101))) static void first() {
  puts("first constructor");
  fflush(stdout);
}
// CHECK-NEXT: main
int main() {
  puts("main");
  fflush(stdout);
}
// CHECK-NEXT: last destructor
__attribute__((destructor(101))) static void last() {
  puts("last destructor");
  fflush(stdout);
}
// CHECK-NEXT: unregistered records
// CHECK-NOT: registered
#endif
