; The same functions under an asm label and under glibc's second names.
; RUN: %opt_causal -passes=causal-sync -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare i32 @"\01pthread_cond_signal"(ptr)
declare i32 @__pthread_mutex_lock(ptr)
declare i32 @__sigsuspend(ptr)
declare i32 @__pthread_rwlock_rdlock(ptr)
declare i32 @__pthread_mutex_destroy(ptr)

define void @f(ptr %p) {
; CHECK: call i32 @__causal_pthread_cond_signal(ptr %p)
  %1 = call i32 @"\01pthread_cond_signal"(ptr %p)
; CHECK: call i32 @__causal_pthread_mutex_lock(ptr %p)
  %2 = call i32 @__pthread_mutex_lock(ptr %p)
; CHECK: call i32 @__causal_sigsuspend(ptr %p)
  %3 = call i32 @__sigsuspend(ptr %p)
; CHECK: call i32 @__causal_pthread_rwlock_rdlock(ptr %p)
  %4 = call i32 @__pthread_rwlock_rdlock(ptr %p)
; CHECK: call i32 @__pthread_mutex_destroy(ptr %p)
  %5 = call i32 @__pthread_mutex_destroy(ptr %p)
  ret void
}
