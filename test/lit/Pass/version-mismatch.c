// An object and a runtime of different versions do not link, and the linker names
// the reason. It does so too when another object's constructor is the one it keeps.
// RUN: %clang -c %stub_runtime -D__causal_version_mismatch_check_v2=__causal_version_mismatch_check_v3 -o %t.stub.o
// RUN: %clang_plugin -c %s -o %t.o
// RUN: not %clang %t.o %t.stub.o -o %t.exe 2>&1 | FileCheck %s
// RUN: not %clang -fuse-ld=lld %t.o %t.stub.o -o %t.exe 2>&1 | FileCheck %s
// RUN: llvm-objcopy --redefine-sym __causal_module_ctor_v2=__causal_module_ctor_v3 --redefine-sym __causal_version_mismatch_check_v2=__causal_version_mismatch_check_v3 %t.o %t.v3.o
// RUN: llvm-objcopy --redefine-sym main=other %t.o %t.other.o
// RUN: not %clang -fuse-ld=lld %t.v3.o %t.other.o %t.stub.o -o %t.exe 2>&1 | FileCheck %s
// CHECK: undefined {{.*}}__causal_version_mismatch_check_v{{[23]}}
int main(void) { return 0; }
