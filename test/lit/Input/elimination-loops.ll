; In an innermost loop without synchronisation an access of an invariant address is checked once
; before the loop, one of an affine address as a range: unless a read could find a cell that an
; earlier round wrote, or the access may not be reached.
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -S %s | FileCheck %s
; RUN: %opt_causal -passes=causal-memory -causal-input=4 -causal-input-eliminate=false -S %s | FileCheck %s --check-prefix=ALL
; RUN: %opt_causal -passes=causal-memory -causal-input=8 -S %s | FileCheck %s --check-prefix=EIGHT
target triple = "x86_64-pc-linux-gnu"

declare void @other()

; CHECK-LABEL: define i32 @sum(
; CHECK: call void @__causal_input_read_range(ptr %p, i64 %{{.*}})
; CHECK: loop:
; CHECK-NOT: call preserve_mostcc
; CHECK: ret i32
; ALL-LABEL: define i32 @sum(
; ALL-NOT: _range
; ALL: call preserve_mostcc void @__causal_input_read(ptr %a, i64 4)
; ALL: ret i32
define i32 @sum(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %s = phi i32 [ 0, %0 ], [ %t, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %t = add i32 %s, %v
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %t
}

; CHECK-LABEL: define i32 @every(
; CHECK: call void @__causal_input_read_strided(ptr %p, i64 16, i64 %{{.*}}, i64 4)
define i32 @every(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %s = phi i32 [ 0, %0 ], [ %t, %loop ]
  %a = getelementptr [4 x i32], ptr %p, i64 %i
  %v = load i32, ptr %a
  %t = add i32 %s, %v
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %t
}

; What unrolling took apart is one range again.
; CHECK-LABEL: define i32 @unrolled(
; CHECK: call void @__causal_input_read_range(ptr %p,
; CHECK-NOT: call
; CHECK: loop:
; CHECK-NOT: call preserve_mostcc
; CHECK: ret i32
define i32 @unrolled(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %s = phi i32 [ 0, %0 ], [ %t, %loop ]
  %a = getelementptr [2 x i32], ptr %p, i64 %i
  %b = getelementptr [2 x i32], ptr %p, i64 %i, i64 1
  %v = load i32, ptr %a
  %w = load i32, ptr %b
  %u = add i32 %s, %v
  %t = add i32 %u, %w
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %t
}

; Each cell is read before it is written: reads first, then writes.
; CHECK-LABEL: define void @increment(
; CHECK: call void @__causal_input_read_range(ptr %p,
; CHECK: call void @__causal_input_write_range(ptr %p,
; CHECK: loop:
; CHECK-NOT: call preserve_mostcc
; CHECK: ret void
define void @increment(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %w = add i32 %v, 1
  store i32 %w, ptr %a
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A round reads what the one before wrote.
; CHECK-LABEL: define void @carried(
; CHECK-NOT: _range
; CHECK: loop:
; CHECK: call preserve_mostcc void @__causal_input_read(
; CHECK: call preserve_mostcc void @__causal_input_write(
; CHECK: ret void
define void @carried(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add nuw i64 %i, 1
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %p, i64 %next
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %b, align 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Ahead of the writes by a cell of four bytes, but by half a cell of eight.
; CHECK-LABEL: define void @ahead(
; CHECK: call void @__causal_input_read_range(
; CHECK: call void @__causal_input_write_range(
; CHECK: ret void
; EIGHT-LABEL: define void @ahead(
; EIGHT-NOT: _range
; EIGHT: ret void
define void @ahead(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add nuw i64 %i, 1
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %p, i64 %next
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %a, align 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; They may overlap.
; CHECK-LABEL: define void @mayAlias(
; CHECK-NOT: _range
; CHECK: ret void
define void @mayAlias(ptr %p, ptr %q, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  %v = load i32, ptr %a
  store i32 %v, ptr %b
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @noAlias(
; CHECK: call void @__causal_input_read_range(ptr %p,
; CHECK: call void @__causal_input_write_range(ptr %q,
; CHECK: ret void
define void @noAlias(ptr noalias %p, ptr noalias %q, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  %v = load i32, ptr %a
  store i32 %v, ptr %b
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; How many rounds there are is not known: the array may end before.
; CHECK-LABEL: define i64 @endsEarly(
; CHECK-NOT: _range
; CHECK: call preserve_mostcc void @__causal_input_read(
; CHECK: ret i64
define i64 @endsEarly(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %found = icmp eq i32 %v, 7
  br i1 %found, label %end, label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i64 %i
}

; CHECK-LABEL: define i32 @calls(
; CHECK-NOT: _range
; CHECK: call preserve_mostcc void @__causal_input_read(
; CHECK: ret i32
define i32 @calls(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  call void @other()
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %v
}

; CHECK-LABEL: define i32 @invariant(
; CHECK: call preserve_mostcc void @__causal_input_read(ptr %limit, i64 4)
; CHECK: loop:
; CHECK-NOT: __causal_input_read
; CHECK: ret i32
define i32 @invariant(ptr %limit) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 3
  %v = load i32, ptr %limit
  %more = icmp ult i32 %next, %v
  br i1 %more, label %loop, label %end
end:
  ret i32 %i
}

; The first round may not reach it.
; CHECK-LABEL: define i32 @sometimes(
; CHECK: loop:
; CHECK: call preserve_mostcc void @__causal_input_read(ptr %p, i64 4)
; CHECK: ret i32
define i32 @sometimes(ptr %p, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %s = phi i32 [ 0, %0 ], [ %t, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %reads, label %latch
reads:
  %v = load i32, ptr %p
  br label %latch
latch:
  %t = phi i32 [ %s, %loop ], [ %v, %reads ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %t
}

; Two halves of a round, as interleaving leaves them: each is ahead of what the other wrote a
; round before.
; CHECK-LABEL: define void @interleaved(
; CHECK: call void @__causal_input_read_range(ptr %p,
; CHECK-NEXT: call void @__causal_input_write_range(ptr %p,
; CHECK-NEXT: br
; CHECK: loop:
; CHECK-NOT: call preserve_mostcc
; CHECK: ret void
define void @interleaved(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr [2 x i32], ptr %p, i64 %i
  %b = getelementptr [2 x i32], ptr %p, i64 %i, i64 1
  %v = load i32, ptr %a
  %w = load i32, ptr %b
  %x = add i32 %v, 1
  %y = add i32 %w, 1
  store i32 %x, ptr %a
  store i32 %y, ptr %b
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The second half reads what the first has just written.
; CHECK-LABEL: define void @halfCarried(
; CHECK-NOT: _range
; CHECK: ret void
define void @halfCarried(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add nuw i64 %i, 1
  %a = getelementptr [2 x i32], ptr %p, i64 %i
  %b = getelementptr [2 x i32], ptr %p, i64 %i, i64 1
  %c = getelementptr [2 x i32], ptr %p, i64 %next
  %v = load i32, ptr %a
  store i32 %v, ptr %c
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
