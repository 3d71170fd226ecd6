; What releases may end a wait by spinning: the runtime is called before atomic stores
; that do, once however often the pass runs.
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

; CHECK-LABEL: define void @others(
; CHECK-NOT: __causal_
; CHECK: ret void
define void @others(ptr %p) {
  store i32 1, ptr %p, align 4
  store volatile i32 1, ptr %p, align 4
  store atomic i32 2, ptr %p monotonic, align 4
  store atomic i32 3, ptr %p syncscope("singlethread") seq_cst, align 4
  %old = atomicrmw sub ptr %p, i32 1 acq_rel
  ret void
}
