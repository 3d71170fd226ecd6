; A program may have a function of its own under one of the names: its type tells.
; RUN: %opt_causal -passes=causal-sync -S %s -pass-remarks-missed='causal' -o %t.ll 2> %t.err
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark < %t.err
target triple = "x86_64-pc-linux-gnu"

declare void @kill(ptr)
declare i32 @sigwait(...)
declare i32 @pthread_sigqueue(i64, i32, i64)

define void @f(ptr %p) {
; REMARK: remark: {{.*}}kill is not wrapped: it is not declared as the C library declares it
; CHECK: call void @kill(ptr %p)
  call void @kill(ptr %p)
; A declaration without parameters in C (before C23) is the function.
; CHECK: call i32 (...) @__causal_sigwait(ptr %p, ptr %p)
  %1 = call i32 (...) @sigwait(ptr %p, ptr %p)
; How a union is passed is left to the ABI.
; CHECK: call i32 @__causal_pthread_sigqueue(i64 1, i32 2, i64 3)
  %2 = call i32 @pthread_sigqueue(i64 1, i32 2, i64 3)
  ret void
}
