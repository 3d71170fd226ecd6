; A second run, as in a link-time pipeline, changes nothing.
; RUN: %opt_causal -passes=causal-sync,causal-module -S < %s -o %t.1.ll
; RUN: %opt_causal -passes=causal-sync,causal-module -S < %t.1.ll -o %t.2.ll
; RUN: FileCheck %s < %t.1.ll
; RUN: diff %t.1.ll %t.2.ll
target triple = "x86_64-pc-linux-gnu"

declare i32 @pthread_mutex_lock(ptr)

; CHECK: call i32 @__causal_pthread_mutex_lock(ptr %m)
define void @f(ptr %m) {
  %1 = call i32 @pthread_mutex_lock(ptr %m)
  ret void
}
