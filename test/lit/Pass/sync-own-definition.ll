; A module that defines the name keeps it, and a remark says so. A static function
; only happens to have the name: no remark.
; RUN: %opt_causal -passes=causal-sync -S %s -pass-remarks-missed='causal' -o %t.ll 2> %t.err
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark < %t.err
target triple = "x86_64-pc-linux-gnu"

; CHECK: @pthread_cond_signal = alias i32 (ptr), ptr @signal_it
@pthread_cond_signal = alias i32 (ptr), ptr @signal_it

; REMARK: remark: {{.*}}pthread_mutex_lock is not wrapped: this file defines it
; CHECK: define i32 @pthread_mutex_lock(ptr %m)
define i32 @pthread_mutex_lock(ptr %m) {
  ret i32 0
}

; CHECK: define internal i32 @kill(i32 %a, i32 %b)
define internal i32 @kill(i32 %a, i32 %b) {
  ret i32 0
}

define i32 @signal_it(ptr %m) {
; CHECK: call i32 @pthread_mutex_lock(ptr %m)
  %1 = call i32 @pthread_mutex_lock(ptr %m)
; CHECK: call i32 @kill(i32 1, i32 2)
  %2 = call i32 @kill(i32 1, i32 2)
  ret i32 %2
}
