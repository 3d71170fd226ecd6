; The declaration keeps its attributes, metadata and linkage.
; RUN: %opt_causal -passes=causal-sync -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: declare !callback !{{[0-9]+}} noundef i32 @__causal_pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) #[[ATTR:[0-9]+]]
declare !callback !0 noundef i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) #0
; CHECK: declare extern_weak i32 @__causal_pthread_mutex_lock(ptr)
declare extern_weak i32 @pthread_mutex_lock(ptr)

define i1 @uses(ptr %p) {
  %r = call i32 @pthread_create(ptr %p, ptr null, ptr @uses, ptr null)
  %is = icmp eq ptr @pthread_mutex_lock, null
  ret i1 %is
}

; CHECK: attributes #[[ATTR]] = { nounwind "some"="thing" }
attributes #0 = { nounwind "some"="thing" }
!0 = !{!1}
!1 = !{i64 2, i64 3, i1 false}
