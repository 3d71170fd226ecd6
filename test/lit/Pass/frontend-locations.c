// Without -g there are locations in the IR, in a unit that asks for no DWARF, and no
// loop carries any.
// RUN: %clang_plugin -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_plugin -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_plugin -O2 -flto -S -emit-llvm %s -o - | FileCheck %s
// CHECK: !dbg
// CHECK: emissionKind: NoDebug
// CHECK: !DILocation(line: [[#@LINE+5]]
// CHECK-NOT: distinct !{![[#]], ![[#]], ![[#]]
void g(int);
void f(int N) {
  for (;;)
    g(N);
}
