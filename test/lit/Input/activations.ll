; Where activations begin and end, and what of them is no access.
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -S %s | FileCheck %s
; RUN: %opt_causal -passes='causal-memory,causal-memory' -causal-input=4 -S %s | FileCheck %s
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -causal-input-blocks -S %s | FileCheck %s --check-prefix=BLOCKS
target triple = "x86_64-pc-linux-gnu"

declare void @other()
declare void @leave() noreturn
declare i32 @setjmp(ptr) returns_twice
declare i32 @__gxx_personality_v0(...)
%struct.big = type { [6 x i64] }

; CHECK: @causal.input.check = private constant ptr @__causal_input_cell_size_mismatch_check_v1_4
; CHECK: @llvm.used = {{.*}}@causal.input.check

; CHECK-LABEL: define i32 @branches(
; CHECK-COUNT-1: call { ptr, i64 } @__causal_input_enter(
; CHECK: %[[COST:.*]] = phi i64
; CHECK: call void @__causal_input_exit(i64 %{{.*}}, i64 %[[COST2:.*]])
; CHECK-NEXT: ret i32
; BLOCKS-LABEL: define i32 @branches(
; BLOCKS: phi i64 [ %{{.*}}, %yes ], [ 1, %0 ]
define i32 @branches(i1 %c) {
  br i1 %c, label %yes, label %end
yes:
  call void @other()
  br label %end
end:
  ret i32 1
}

; Straight-line code that touches no memory is its caller's.
; CHECK-LABEL: define i32 @leaf(
; CHECK-NOT: __causal_input
; CHECK: ret i32
define i32 @leaf(i32 %a) {
  %b = mul i32 %a, 3
  ret i32 %b
}

; CHECK-LABEL: define i32 @tail(
; CHECK: call void @__causal_input_exit(
; CHECK-NEXT: musttail call i32 @tail(
; CHECK-NEXT: ret i32
define i32 @tail(ptr %p) {
  store i32 1, ptr %p
  %r = musttail call i32 @tail(ptr %p)
  ret i32 %r
}

; What is left for good tells its cost before; a landing pad ends what was left above it.
; CHECK-LABEL: define void @throws(
; CHECK: call void @__causal_input_add_cost(
; CHECK-NEXT: invoke void @leave()
; CHECK: landingpad
; CHECK: call void @__causal_input_unwind(
; CHECK: call void @__causal_input_exit(
; CHECK-NEXT: resume
define void @throws() personality ptr @__gxx_personality_v0 {
  invoke void @leave() to label %never unwind label %pad
never:
  unreachable
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; CHECK-LABEL: define void @returnsTwice(
; CHECK: call i32 @setjmp(
; CHECK-NEXT: call void @__causal_input_unwind(
define void @returnsTwice(ptr %b) {
  %r = call i32 @setjmp(ptr %b) returns_twice
  call void @other()
  ret void
}

; The caller has made the copy: it wrote it.
; CHECK-LABEL: define i64 @byValue(
; CHECK: call void @__causal_input_write_range(ptr %b, i64 48)
; CHECK-NEXT: call { ptr, i64 } @__causal_input_enter(
define i64 @byValue(ptr byval(%struct.big) align 8 %b) {
  %v = load i64, ptr %b
  ret i64 %v
}

; CHECK-LABEL: define i1 @atomics(
; CHECK: call void @__causal_input_atomic_begin(ptr %p, i64 4)
; CHECK-NEXT: %old = atomicrmw
; CHECK-NEXT: call void @__causal_input_atomic_end(ptr %p, i64 4, i32 3)
; CHECK: call void @__causal_input_atomic_begin(ptr %p, i64 4)
; CHECK-NEXT: %x = cmpxchg
; CHECK-NEXT: %[[OK:.*]] = extractvalue { i32, i1 } %x, 1
; CHECK-NEXT: %[[KIND:.*]] = select i1 %[[OK]], i32 3, i32 1
; CHECK-NEXT: call void @__causal_input_atomic_end(ptr %p, i64 4, i32 %[[KIND]])
; CHECK: store atomic
; CHECK-NEXT: call void @__causal_input_atomic_end(ptr %p, i64 4, i32 2)
define i1 @atomics(ptr %p) {
  %old = atomicrmw add ptr %p, i32 1 seq_cst
  %x = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst
  %ok = extractvalue { i32, i1 } %x, 1
  store atomic i32 3, ptr %p release, align 4
  ret i1 %ok
}

; Lanes that the mask leaves out touch nothing.
; CHECK-LABEL: define <2 x i32> @masked(
; CHECK: %[[BIT:.*]] = extractelement <2 x i1> %m, i64 0
; CHECK: %[[SIZE:.*]] = select i1 %[[BIT]], i64 4, i64 0
; CHECK: call void @__causal_input_read_range(ptr %{{.*}}, i64 %[[SIZE]])
; CHECK: call void @__causal_input_read_range(
; CHECK: call <2 x i32> @llvm.masked.load
define <2 x i32> @masked(ptr %p, <2 x i1> %m) {
  %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr %p, i32 4, <2 x i1> %m, <2 x i32> zeroinitializer)
  ret <2 x i32> %v
}
declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, i32, <2 x i1>, <2 x i32>)

; An unaligned access may reach into one more cell.
; CHECK-LABEL: define i32 @unaligned(
; CHECK-COUNT-4: load atomic i32, ptr {{.*}} unordered
; CHECK: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
define i32 @unaligned(ptr %p) {
  %v = load i32, ptr %p, align 1
  ret i32 %v
}
