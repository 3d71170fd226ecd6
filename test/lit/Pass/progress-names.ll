; Names are as the source has them, without template arguments, ABI tags and modules. What one
; destructor leaves to another is counted once.
; RUN: %opt_causal -passes=causal-progress '-causal-progress=handle,cooperator,Queue::push,serve,~Shape,operator<' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; handle[abi:cxx11](int)
; CHECK-LABEL: define void @_Z6handleB5cxx11i(
; CHECK: atomicrmw
define void @_Z6handleB5cxx11i(i32 %n) {
  ret void
}
; Queue<int>::push(int)
; CHECK-LABEL: define void @_ZN5QueueIiE4pushEi(
; CHECK: atomicrmw
define void @_ZN5QueueIiE4pushEi(i32 %n) {
  ret void
}
; void net::serve<std::pair<int, int> >(int)
; CHECK-LABEL: define void @_ZN3net5serveISt4pairIiiEEEvi(
; CHECK: atomicrmw
define void @_ZN3net5serveISt4pairIiiEEEvi(i32 %n) {
  ret void
}
; serve@m(int)
; CHECK-LABEL: define void @_ZW1m5servei(
; CHECK: atomicrmw
define void @_ZW1m5servei(i32 %n) {
  ret void
}
; void cooperator<int>()
; CHECK-LABEL: define void @_Z10cooperatorIiEvv(
; CHECK: atomicrmw
define void @_Z10cooperatorIiEvv() {
  ret void
}
; operator<(A, A)
; CHECK-LABEL: define void @_Zlt1AS_(
; CHECK: atomicrmw
define void @_Zlt1AS_() {
  ret void
}
; Shape::~Shape(), the one that deletes, and the one that does it.
; CHECK-LABEL: define void @_ZN5ShapeD0Ev(
; CHECK-NOT: atomicrmw
; CHECK-LABEL: define void @_ZN5ShapeD2Ev(
; CHECK: atomicrmw
define void @_ZN5ShapeD0Ev(ptr %this) {
  call void @_ZN5ShapeD2Ev(ptr %this)
  ret void
}
define void @_ZN5ShapeD2Ev(ptr %this) {
  ret void
}
; CHECK-LABEL: define void @_ZN5QueueIiE6pushedEi(
; CHECK-NOT: atomicrmw
define void @_ZN5QueueIiE6pushedEi(i32 %n) {
  ret void
}
