; Several declarations of one function become one, strong if any of them is.
; RUN: %opt_causal -passes=causal-sync -S %s | FileCheck %s --implicit-check-not=declare
target triple = "x86_64-pc-linux-gnu"

; CHECK: declare i32 @__causal_pthread_mutex_lock(ptr)
; CHECK: declare extern_weak i32 @__causal_pthread_mutex_unlock(ptr)
declare extern_weak i32 @__causal_pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_lock(ptr)
declare extern_weak i32 @pthread_mutex_unlock(ptr)
declare extern_weak i32 @"\01pthread_mutex_unlock"(ptr)

; CHECK: call i32 @__causal_pthread_mutex_lock(ptr %m)
; CHECK: call i32 @__causal_pthread_mutex_lock(ptr %m)
; CHECK: call i32 @__causal_pthread_mutex_unlock(ptr %m)
; CHECK: call i32 @__causal_pthread_mutex_unlock(ptr %m)
define void @f(ptr %m) {
  %1 = call i32 @pthread_mutex_lock(ptr %m)
  %2 = call i32 @__causal_pthread_mutex_lock(ptr %m)
  %3 = call i32 @pthread_mutex_unlock(ptr %m)
  %4 = call i32 @"\01pthread_mutex_unlock"(ptr %m)
  ret void
}
