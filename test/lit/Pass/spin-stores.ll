; What releases may end a wait by spinning: the runtime is called before atomic stores
; and updates that do, once however often the pass runs.
; RUN: %opt_causal -passes=causal-spin-loops -S %s | FileCheck %s
; RUN: %opt_causal -passes='causal-spin-loops,causal-spin-loops' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @stores(
; CHECK-NEXT: call void @__causal_before_store()
; CHECK-NEXT: store atomic i32 1, ptr %p release
; CHECK-NEXT: call void @__causal_before_store()
; CHECK-NEXT: store atomic i32 2, ptr %p seq_cst
; CHECK-NEXT: ret void
define void @stores(ptr %p) {
  store atomic i32 1, ptr %p release, align 4
  store atomic i32 2, ptr %p seq_cst, align 4
  ret void
}

; CHECK-LABEL: define void @updates(
; CHECK-NEXT: call void @__causal_before_update()
; CHECK-NEXT: atomicrmw sub ptr %p, i32 1 acq_rel
; CHECK-NEXT: call void @__causal_before_update()
; CHECK-NEXT: atomicrmw xchg ptr %p, i32 0 release
; CHECK-NEXT: call void @__causal_before_update()
; CHECK-NEXT: cmpxchg ptr %p, i32 0, i32 1 seq_cst monotonic
; CHECK-NEXT: ret void
define void @updates(ptr %p) {
  %a = atomicrmw sub ptr %p, i32 1 acq_rel, align 4
  %b = atomicrmw xchg ptr %p, i32 0 release, align 4
  %c = cmpxchg ptr %p, i32 0, i32 1 seq_cst monotonic, align 4
  ret void
}

; Test and set, of a function that was looked at before it was inlined: a loop that waits.
; CHECK-LABEL: define void @inlined(
; CHECK: call void @__causal_before_update()
; CHECK-NEXT: atomicrmw xchg
; CHECK: call void @__causal_spin()
; CHECK: ret void
define void @inlined(ptr %p) {
entry:
  br label %try
try:
  call void @__causal_before_update()
  %old = atomicrmw xchg ptr %p, i8 1 seq_cst, align 1
  %taken = icmp ne i8 %old, 0
  br i1 %taken, label %try, label %done
done:
  ret void
}
declare void @__causal_before_update()

; CHECK-LABEL: define void @others(
; CHECK-NOT: __causal_
; CHECK: ret void
define void @others(ptr %p) {
  store i32 1, ptr %p, align 4
  store volatile i32 1, ptr %p, align 4
  store atomic i32 2, ptr %p monotonic, align 4
  store atomic i32 3, ptr %p syncscope("singlethread") seq_cst, align 4
  %a = atomicrmw add ptr %p, i32 1 monotonic
  %b = atomicrmw xchg ptr %p, i32 1 acquire
  %c = cmpxchg ptr %p, i32 0, i32 1 acquire monotonic
  ret void
}
