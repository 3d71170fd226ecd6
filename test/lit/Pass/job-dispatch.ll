; Where threads meet they are given their jobs: the runtime is told before an indirect call of
; a function that meets others, or that calls one that does, once however often the pass runs.
; RUN: %opt_causal -passes=causal-job-dispatch -S %s | FileCheck %s
; RUN: %opt_causal -passes='causal-job-dispatch,causal-job-dispatch' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare i32 @__causal_pthread_mutex_lock(ptr)
declare void @__causal_before_update()
declare ptr @__causal_get_counter(i32, ptr)
declare void @printed()
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define i32 @take(
; CHECK-SAME: #[[MEETS:[0-9]+]]
; CHECK-NEXT: call i32 @__causal_pthread_mutex_lock(ptr %lock)
; CHECK-NEXT: call void @__causal_before_dispatch(ptr %job)
; CHECK-NEXT: call i32 %job(ptr %lock)
define i32 @take(ptr %lock, ptr %job) {
  %taken = call i32 @__causal_pthread_mutex_lock(ptr %lock)
  %result = call i32 %job(ptr %lock)
  ret i32 %result
}

; CHECK-LABEL: define void @count(
; CHECK-NOT: __causal_before_dispatch
; CHECK: ret void
define void @count(ptr %left) {
  call void @__causal_before_update()
  %old = atomicrmw sub ptr %left, i32 1 seq_cst
  ret void
}

; CHECK-LABEL: define void @callsOneThatMeets(
; CHECK: call void @count(ptr %left)
; CHECK-NEXT: call void @__causal_before_dispatch(ptr %job)
; CHECK-NEXT: invoke void %job()
define void @callsOneThatMeets(ptr %left, ptr %job) personality ptr @__gxx_personality_v0 {
  call void @count(ptr %left)
  invoke void %job() to label %done unwind label %failed
done:
  ret void
failed:
  %e = landingpad { ptr, i32 } cleanup
  ret void
}

; Farther off nearly every function does.
; CHECK-LABEL: define void @callsOneThatCallsOne(
; CHECK-NOT: __causal_before_dispatch
; CHECK: ret void
define void @callsOneThatCallsOne(ptr %left, ptr %job) personality ptr @__gxx_personality_v0 {
  call void @callsOneThatMeets(ptr %left, ptr %job)
  call void %job()
  ret void
}

; A progress point is no meeting, and inline assembly no job.
; CHECK-LABEL: define void @meetsNobody(
; CHECK-NOT: __causal_before_dispatch
; CHECK: ret void
define void @meetsNobody(ptr %job) {
  %counter = call ptr @__causal_get_counter(i32 1, ptr null)
  call void @printed()
  call void %job()
  ret void
}

; CHECK-LABEL: define void @assembly(
; CHECK-NOT: __causal_before_dispatch
; CHECK: ret void
define void @assembly(ptr %lock) {
  %taken = call i32 @__causal_pthread_mutex_lock(ptr %lock)
  call void asm sideeffect "nop", ""()
  ret void
}

; CHECK: attributes #[[MEETS]] = { "causal-meets" }
