; A local that is handed to nobody needs no check. One that a callee gets does: what the callee
; reads is the callee's input. So does one that shares a cell with its neighbour.
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -S %s | FileCheck %s
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -causal-input-eliminate=false -S %s | FileCheck %s --check-prefix=ALL
target triple = "x86_64-pc-linux-gnu"

declare void @look(ptr nocapture readonly)
declare void @other()

; CHECK-LABEL: define i32 @alone(
; CHECK-NOT: call preserve_mostcc
; CHECK: ret i32
; ALL-LABEL: define i32 @alone(
; ALL: call preserve_mostcc void @__causal_input_write(
; ALL: call preserve_mostcc void @__causal_input_read(
; ALL: ret i32
define i32 @alone(i64 %i) {
  %a = alloca [8 x i32]
  %p = getelementptr [8 x i32], ptr %a, i64 0, i64 %i
  store i32 7, ptr %p
  call void @other()
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define i32 @lent(
; CHECK: call preserve_mostcc void @__causal_input_write(ptr %a, i64 4)
; CHECK: call preserve_mostcc void @__causal_input_read(ptr %a, i64 4)
define i32 @lent() {
  %a = alloca i32
  store i32 7, ptr %a
  call void @look(ptr %a)
  %v = load i32, ptr %a
  ret i32 %v
}

; CHECK-LABEL: define ptr @kept(
; CHECK: call preserve_mostcc void @__causal_input_write(ptr %a, i64 4)
define ptr @kept(ptr %where) {
  %a = alloca i32
  store i32 7, ptr %a
  store ptr %a, ptr %where
  ret ptr %a
}

; CHECK-LABEL: define i16 @partOfACell(
; CHECK: call preserve_mostcc void @__causal_input_write(ptr %a, i64 2)
define i16 @partOfACell() {
  %a = alloca i16
  store i16 7, ptr %a
  call void @other()
  %v = load i16, ptr %a
  ret i16 %v
}

; A local of whole cells begins with one.
; CHECK-LABEL: define i32 @aligned(
; CHECK: alloca [4 x i8], align 4
define i32 @aligned() {
  %a = alloca [4 x i8], align 1
  store i32 7, ptr %a, align 1
  call void @other()
  %v = load i32, ptr %a, align 1
  ret i32 %v
}
