// The table costs no relocation at load, wherever the image goes: position
// independent, fixed and static; all read it from memory alike.
// RUN: %clang -fPIC -c %stub_runtime -o %t.stub.o
// RUN: %clang_plugin -fPIC -c %s -o %t.o && %clang -fPIC -c %s -o %t.plain.o
// RUN: %clang -fuse-ld=lld -Wl,-z,text -pie %t.o %t.stub.o -o %t.pie && %t.pie | FileCheck %s
// RUN: %linemap_dump %t.pie | FileCheck %s --check-prefix=DUMP
// RUN: %clang -fuse-ld=lld -no-pie %t.o %t.stub.o -o %t.fixed && %t.fixed | FileCheck %s
// RUN: %linemap_dump %t.fixed | FileCheck %s --check-prefix=DUMP
// RUN: %clang -fuse-ld=bfd -static -Wl,-z,text %t.o %t.stub.o -o %t.static && %t.static | FileCheck %s
// RUN: %linemap_dump %t.static | FileCheck %s --check-prefix=DUMP
// RUN: %clang_plugin %no_module -fPIC -c %s -o %t.bare.o
// RUN: %clang -fuse-ld=lld -shared -Wl,-z,text %t.bare.o -o %t.so && llvm-readelf -rW %t.so > %t.rel
// RUN: %clang -fuse-ld=lld -shared -Wl,-z,text %t.plain.o -o %t.plain.so && llvm-readelf -rW %t.plain.so > %t.plain.rel
// RUN: grep -c R_X86_64 %t.rel > %t.n && grep -c R_X86_64 %t.plain.rel | diff - %t.n
// CHECK: registered 1 records
// DUMP: 1 records, sorted
// DUMP: positions.c:[[#@LINE+1]] main
int main(void) { return 0; }
