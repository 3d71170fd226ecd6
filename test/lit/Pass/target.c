// Another target: one warning that says what to do, and an ordinary object.
// RUN: %clang_plugin --target=aarch64-linux-gnu -O1 -emit-llvm -S %s -o %t.ll 2> %t.err
// RUN: FileCheck %s < %t.ll --implicit-check-not=__causal --implicit-check-not=!dbg
// RUN: FileCheck %s --check-prefix=WARN < %t.err
// WARN: warning: causal: nothing is instrumented for aarch64-unknown-linux-gnu, only x86-64 Linux is supported; leave out -fcausal-profile here
// WARN-NOT: warning:
int pthread_mutex_lock(void *);
// CHECK: call i32 @pthread_mutex_lock(
int f(void *M) { return pthread_mutex_lock(M); }
