; Calls and invokes go to the runtime, and nothing else about them changes.
; RUN: %opt_causal -passes=causal-sync -S %s | FileCheck %s --implicit-check-not=@pthread --implicit-check-not=@kill
target triple = "x86_64-pc-linux-gnu"

declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define i32 @call(
; CHECK: %r = tail call i32 @__causal_pthread_mutex_lock(ptr nonnull %m) #[[ATTR:[0-9]+]], !note
define i32 @call(ptr %m) {
  %r = tail call i32 @pthread_mutex_lock(ptr nonnull %m) #0, !note !0
  ret i32 %r
}

; CHECK-LABEL: define void @invoke(
; CHECK: invoke i32 @__causal_pthread_cond_wait(ptr %c, ptr %m)
; CHECK-NEXT: to label %ok unwind label %bad
define void @invoke(ptr %c, ptr %m) personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @pthread_cond_wait(ptr %c, ptr %m)
          to label %ok unwind label %bad
ok:
  ret void
bad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}

; CHECK: attributes #[[ATTR]] = { nounwind }
attributes #0 = { nounwind }
!0 = !{}
