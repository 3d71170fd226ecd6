// The tables of a template live in its group: two objects, one copy.
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clangxx_plugin -O0 -c %s -o %t.1.o && %clangxx_plugin -O0 -DSECOND -c %s -o %t.2.o
// RUN: llvm-readelf -gW %t.1.o | FileCheck %s --check-prefix=GROUP
// RUN: %clangxx %t.1.o %t.2.o %t.stub.o -o %t.bfd && %linemap_dump %t.bfd | FileCheck %s
// RUN: %clangxx -fuse-ld=lld %t.1.o %t.2.o %t.stub.o -o %t.lld && %linemap_dump %t.lld | FileCheck %s
// GROUP: [_Z5twiceIiET_S0_]
// GROUP-NEXT: Index
// GROUP-NEXT: .text._Z5twiceIiET_S0_
// GROUP: causal_ln
// GROUP: causal_fn
// CHECK: 3 records, sorted
// CHECK: _Z5twiceIiET_S0_
// CHECK-NEXT: comdat.cpp:[[#@LINE+2]] twice<int>
// CHECK-NOT: _Z5twiceIiET_S0_
template <class T> T twice(T X) { return X + X; }
#ifdef SECOND
int second() { return twice(2); }
#else
int main() { return twice(1) - 2; }
#endif
