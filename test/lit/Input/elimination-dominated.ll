; An access after one of the same bytes, with nothing between that synchronises, needs no check.
; A write after a read does: it takes the cell away from others.
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -S %s | FileCheck %s
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -causal-input-eliminate=false -S %s | FileCheck %s --check-prefix=ALL
target triple = "x86_64-pc-linux-gnu"

declare void @other()
declare i32 @pure(i32) memory(none) nounwind willreturn

; CHECK-LABEL: define i32 @readTwice(
; CHECK: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; CHECK-NOT: __causal_input_read
; CHECK: ret i32
; ALL-LABEL: define i32 @readTwice(
; ALL-COUNT-2: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; ALL: ret i32
define i32 @readTwice(ptr %p) {
  %a = load i32, ptr %p
  %x = call i32 @pure(i32 %a)
  br label %next
next:
  %b = load i32, ptr %p
  %s = add i32 %x, %b
  ret i32 %s
}

; CHECK-LABEL: define i32 @callBetween(
; CHECK-COUNT-2: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; CHECK: ret i32
define i32 @callBetween(ptr %p) {
  %a = load i32, ptr %p
  call void @other()
  %b = load i32, ptr %p
  %s = add i32 %a, %b
  ret i32 %s
}

; CHECK-LABEL: define i32 @fenceBetween(
; CHECK-COUNT-2: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; CHECK: ret i32
define i32 @fenceBetween(ptr %p) {
  %a = load i32, ptr %p
  fence acquire
  %b = load i32, ptr %p
  %s = add i32 %a, %b
  ret i32 %s
}

; Either branch may have been taken.
; CHECK-LABEL: define i32 @notDominated(
; CHECK-COUNT-2: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; CHECK: ret i32
define i32 @notDominated(ptr %p, i1 %c) {
  br i1 %c, label %yes, label %both
yes:
  %a = load i32, ptr %p
  br label %both
both:
  %x = phi i32 [ %a, %yes ], [ 0, %0 ]
  %b = load i32, ptr %p
  %s = add i32 %x, %b
  ret i32 %s
}

; CHECK-LABEL: define i64 @otherSize(
; CHECK: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; CHECK: call preserve_mostcc void @__causal_input_read(ptr %p, i64 8)
define i64 @otherSize(ptr %p) {
  %a = load i32, ptr %p
  %b = load i64, ptr %p
  %w = zext i32 %a to i64
  %s = add i64 %w, %b
  ret i64 %s
}

; CHECK-LABEL: define i32 @writeThenReadAndWrite(
; CHECK: call preserve_mostcc void @__causal_input_write(ptr %p, i64 4)
; CHECK-NOT: call preserve_mostcc
; CHECK: ret i32
define i32 @writeThenReadAndWrite(ptr %p) {
  store i32 1, ptr %p
  br label %next
next:
  %a = load i32, ptr %p
  store i32 2, ptr %p
  ret i32 %a
}

; CHECK-LABEL: define i32 @readThenWrite(
; CHECK: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; CHECK: call preserve_mostcc void @__causal_input_write(ptr %p, i64 4)
define i32 @readThenWrite(ptr %p) {
  %a = load i32, ptr %p
  br label %next
next:
  store i32 2, ptr %p
  ret i32 %a
}
