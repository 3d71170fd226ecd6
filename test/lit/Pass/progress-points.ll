; Functions named by -causal-progress count their calls, whatever part of their scopes is given.
; RUN: %opt_causal -passes=causal-progress -causal-progress=f,inner::g,h -causal-progress=_ZN1a1kEv -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: = private unnamed_addr constant [2 x i8] c"f\00"
; CHECK: @__causal_own_counter = external thread_local(initialexec) global i64
; CHECK: = private unnamed_addr constant [9 x i8] c"inner::g\00"
; CHECK: = private unnamed_addr constant [10 x i8] c"_ZN1a1kEv\00"

; Every name, that of no function as well, is told once in an image, before the program's constructors.
; CHECK: @llvm.global_ctors = appending global [4 x { i32, ptr, ptr }] [{{.*}} { i32 1, ptr @__causal_progress_ctor_v2.h, ptr @__causal_progress_ctor_v2.h }

; CHECK-LABEL: define void @f(i32 %n)
; CHECK-NEXT: %a = alloca i32
; CHECK-NEXT: %b = alloca i64
; CHECK-NEXT: [[KNOWN:%.*]] = load atomic ptr, ptr [[SITE:@causal.progress[^ ]*]] monotonic, align 8
; CHECK-NEXT: [[NONE:%.*]] = icmp eq ptr [[KNOWN]], null
; CHECK-NEXT: br i1 [[NONE]], label %[[FIRST:.*]], label %[[REST:[^,]*]]
; CHECK: [[FIRST]]:
; CHECK-NEXT: [[ASKED:%.*]] = call ptr @__causal_get_counter(i32 1, ptr
; CHECK: store atomic ptr [[FOUND:%.*]], ptr [[SITE]] monotonic, align 8
; CHECK: [[REST]]:
; CHECK-NEXT: [[COUNTER:%.*]] = phi ptr [ [[KNOWN]], %0 ], [ [[FOUND]], %[[FIRST]] ]
; CHECK-NEXT: [[PLACE:%.*]] = call {{.*}}ptr @llvm.threadlocal.address.p0(ptr {{.*}}@__causal_own_counter)
; CHECK-NEXT: [[OWN:%.*]] = load i64, ptr [[PLACE]], align 8
; CHECK-NEXT: [[HERE:%.*]] = getelementptr [2 x i64], ptr [[COUNTER]], i64 [[OWN]]
; CHECK-NEXT: atomicrmw add ptr [[HERE]], i64 1 monotonic, align 8
; CHECK-NEXT: store i32 %n, ptr %a
define void @f(i32 %n) {
  %a = alloca i32
  store i32 %n, ptr %a
  %b = alloca i64
  ret void
}

; outer::inner::g(int)
; CHECK-LABEL: define void @_ZN5outer5inner1gEi(
; CHECK: atomicrmw
define void @_ZN5outer5inner1gEi(i32 %n) {
  ret void
}

; a::k()
; CHECK-LABEL: define void @_ZN1a1kEv(
; CHECK: atomicrmw
define void @_ZN1a1kEv() {
  ret void
}

; Neither of these is h, inner::g or f.
; CHECK-LABEL: define void @hh(
; CHECK-NOT: atomicrmw
; CHECK-LABEL: define void @_ZN7dinner1gEi(
; CHECK-NOT: atomicrmw
define void @hh() {
  ret void
}
define void @_ZN7dinner1gEi(i32 %n) {
  ret void
}

; There is a function f, and no h.
; CHECK: define linkonce_odr hidden void @__causal_progress_function_ctor_v2.f() {{.*}}comdat
; CHECK-NEXT: entry:
; CHECK-NEXT: call ptr @__causal_get_counter(i32 4, ptr
; CHECK-NEXT: ret void
; CHECK: define linkonce_odr hidden void @__causal_progress_ctor_v2.h() {{.*}}comdat
; CHECK-NEXT: entry:
; CHECK-NEXT: call ptr @__causal_get_counter(i32 1, ptr
; CHECK-NEXT: ret void
