; A read and a later write of the same bytes, in one block without synchronisation between, are
; one event.
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -S %s | FileCheck %s
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -causal-input-eliminate=false -S %s | FileCheck %s --check-prefix=ALL
target triple = "x86_64-pc-linux-gnu"

declare void @other()

; CHECK-LABEL: define void @increment(
; CHECK: load i32, ptr %p
; CHECK-NOT: __causal_input_read
; CHECK: call preserve_mostcc void @__causal_input_modify(ptr %p, i64 4)
; CHECK: store i32
; CHECK-NOT: call preserve_mostcc
; CHECK: ret void
; ALL-LABEL: define void @increment(
; ALL: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; ALL: call preserve_mostcc void @__causal_input_write(ptr %p, i64 4)
; ALL: store i32
define void @increment(ptr %p) {
  %a = load i32, ptr %p
  %b = add i32 %a, 1
  store i32 %b, ptr %p
  ret void
}

; CHECK-LABEL: define void @callBetween(
; CHECK: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; CHECK: call void @other()
; CHECK: call preserve_mostcc void @__causal_input_write(ptr %p, i64 4)
define void @callBetween(ptr %p) {
  %a = load i32, ptr %p
  call void @other()
  store i32 %a, ptr %p
  ret void
}

; One of many cells: both events are there.
; CHECK-LABEL: define void @large(
; CHECK: call void @__causal_input_read_range(ptr %p, i64 64)
; CHECK: call void @__causal_input_write_range(ptr %p, i64 64)
define void @large(ptr %p) {
  %a = load <16 x i32>, ptr %p
  %b = add <16 x i32> %a, %a
  store <16 x i32> %b, ptr %p
  ret void
}
