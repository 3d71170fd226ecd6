// Dead code takes its table along, and its table does not keep it alive. (GNU ld
// keeps the first record of the link for a second reference to __start_causal_fn.)
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clang_plugin -ffunction-sections -c %s -o %t.o
// RUN: %clang -fuse-ld=lld -Wl,--gc-sections %t.o %t.stub.o -o %t.lld && %linemap_dump %t.lld | FileCheck %s
// RUN: %clang -fuse-ld=bfd -Wl,--gc-sections -Wl,-z,start-stop-gc %t.o %t.stub.o -o %t.bfd && %linemap_dump %t.bfd | FileCheck %s
// RUN: llvm-nm %t.lld %t.bfd | FileCheck %s --check-prefix=NM --implicit-check-not=dead
// CHECK: 2 records, sorted
// CHECK-DAG: main
// CHECK-DAG: live
// NM-COUNT-2: T live
int live(void) { return 0; }
int dead(void) { return 1; }
int main(void) { return live(); }
