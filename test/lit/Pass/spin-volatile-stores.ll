; A function that waits for a volatile variable ends others' waits by volatile stores, as
; code of before there were atomic variables does. Stores to its own stack end none.
; RUN: %opt_causal -passes=causal-spin-loops -S %s | FileCheck %s
; RUN: %opt_causal -passes='causal-spin-loops,causal-spin-loops' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @turn(
; CHECK: call void @__causal_before_store()
; CHECK-NEXT: store volatile i32 1, ptr %mine
; CHECK: call void @__causal_spin()
; CHECK: call void @__causal_spun()
; CHECK-NOT: __causal_before_store
; CHECK: ret void
define void @turn(ptr %mine, ptr %yours) {
  %local = alloca i32, align 4
  store volatile i32 1, ptr %mine, align 4
  br label %wait
wait:
  %v = load volatile i32, ptr %yours, align 4
  %over = icmp eq i32 %v, 1
  br i1 %over, label %done, label %wait
done:
  store volatile i32 %v, ptr %local, align 4
  store i32 0, ptr %mine, align 4
  ret void
}

; A loop that waits for an atomic variable says nothing of volatile ones.
; CHECK-LABEL: define void @counts(
; CHECK-NOT: __causal_before_store
; CHECK: ret void
define void @counts(ptr %count, ptr %flag) {
  store volatile i32 7, ptr %count, align 4
  br label %wait
wait:
  %v = load atomic i32, ptr %flag acquire, align 4
  %over = icmp eq i32 %v, 1
  br i1 %over, label %done, label %wait
done:
  ret void
}
