; Every use is retargeted, not only calls.
; RUN: %opt_causal -passes=causal-sync -S %s | FileCheck %s --implicit-check-not=@pthread
target triple = "x86_64-pc-linux-gnu"

declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)

; CHECK: @table = constant [2 x ptr] [ptr @__causal_pthread_mutex_lock, ptr @__causal_pthread_mutex_unlock]
@table = constant [2 x ptr] [ptr @pthread_mutex_lock, ptr @pthread_mutex_unlock]
; CHECK: @distance = global i64 sub (i64 ptrtoint (ptr @__causal_pthread_mutex_lock to i64), i64 1)
@distance = global i64 sub (i64 ptrtoint (ptr @pthread_mutex_lock to i64), i64 1)
; CHECK: @llvm.used = appending global [1 x ptr] [ptr @__causal_pthread_mutex_lock]
@llvm.used = appending global [1 x ptr] [ptr @pthread_mutex_lock], section "llvm.metadata"

; CHECK-LABEL: define ptr @taken(
; CHECK: store ptr @__causal_pthread_mutex_lock, ptr %p
; CHECK: ret ptr @__causal_pthread_mutex_unlock
define ptr @taken(ptr %p) {
  store ptr @pthread_mutex_lock, ptr %p
  ret ptr @pthread_mutex_unlock
}
