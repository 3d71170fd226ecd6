; Direct calls of libc's functions go to their models, under all spellings. A function of the
; module, or of another type, is the program's own; a pointer to one stays.
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare i64 @strlen(ptr)
declare i64 @__isoc23_strtol(ptr, ptr, i32)
declare i32 @getline(ptr, i32)
declare i32 @printf(ptr, ...)
define ptr @strdup(ptr %s) {
  ret ptr %s
}

; CHECK-LABEL: define i64 @calls(
; CHECK: call i64 @__causal_model_strlen(ptr %s)
; CHECK: call i64 @__causal_model_strtol(ptr %s, ptr null, i32 10)
; CHECK: call i32 (ptr, ...) @__causal_model_printf(ptr %s, i64 %
; CHECK: call i32 @getline(ptr %s, i32 10)
; CHECK: call ptr @strdup(ptr %s)
; CHECK: call i64 %f(ptr @strlen)
define i64 @calls(ptr %s, ptr %f) {
  %a = call i64 @strlen(ptr %s)
  %b = call i64 @__isoc23_strtol(ptr %s, ptr null, i32 10)
  %c = call i32 (ptr, ...) @printf(ptr %s, i64 %a)
  %d = call i32 @getline(ptr %s, i32 10)
  %e = call ptr @strdup(ptr %s)
  %r = call i64 %f(ptr @strlen)
  ret i64 %r
}
