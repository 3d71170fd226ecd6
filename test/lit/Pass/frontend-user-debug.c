// The user's own debug information stays what it is, with its loops' locations.
// RUN: %clang_plugin -O1 -g -S -emit-llvm %s -o - | FileCheck %s -DKIND=FullDebug
// RUN: %clang_plugin -O1 -gline-tables-only -S -emit-llvm %s -o - | FileCheck %s -DKIND=LineTablesOnly
// CHECK: emissionKind: [[KIND]]
// CHECK: distinct !{![[#]], ![[#]], ![[#]]
void g(int);
void f(int N) {
  for (;;)
    g(N);
}
