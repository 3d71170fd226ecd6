; Loops that only wait for an atomic or volatile variable call the runtime in every round
; and behind the loop; also those with a pause, a bound or a back-off.
; RUN: %opt_causal -passes=causal-spin-loops -S %s | FileCheck %s
; RUN: %opt_causal -passes='causal-spin-loops,causal-spin-loops' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @load(
; CHECK: entry:
; CHECK-NEXT: call void @__causal_before_spin()
; CHECK-NEXT: br label %wait
; CHECK: wait:
; CHECK-NEXT: load atomic
; CHECK-NEXT: icmp
; CHECK-NEXT: call void @__causal_spin()
; CHECK-NEXT: br i1
; CHECK: {{^}}done
; CHECK-NEXT: call void @__causal_spun()
; CHECK-NEXT: ret void
define void @load(ptr %p) {
entry:
  br label %wait
wait:
  %v = load atomic i32, ptr %p acquire, align 4
  %stay = icmp eq i32 %v, 0
  br i1 %stay, label %wait, label %done
done:
  ret void
}

; Who comes past the loop has not waited.
; CHECK-LABEL: define void @volatile_past(
; CHECK: entry:
; CHECK-NEXT: br i1 %now
; CHECK: {{^}}wait.preheader:
; CHECK-NEXT: call void @__causal_before_spin()
; CHECK: call void @__causal_spin()
; CHECK: {{^}}done.loopexit:
; CHECK-NEXT: call void @__causal_spun()
; CHECK: {{^}}done:
; CHECK-NEXT: ret void
define void @volatile_past(ptr %p, i1 %now) {
entry:
  br i1 %now, label %done, label %wait
wait:
  %v = load volatile i32, ptr %p, align 4
  %stay = icmp eq i32 %v, 0
  br i1 %stay, label %wait, label %done
done:
  ret void
}

; The test of the first round has been rotated out of the loop: who finds the lock free
; comes past it, and has had a look all the same.
; CHECK-LABEL: define void @rotated(
; CHECK: entry:
; CHECK-NEXT: call void @__causal_before_spin()
; CHECK-NEXT: atomicrmw xchg
; CHECK-NEXT: icmp
; CHECK-NEXT: br i1 %free, label %[[PAST:.*]], label %wait.preheader
; CHECK: {{^}}[[PAST]]:
; CHECK-NEXT: call void @__causal_spun()
; CHECK: wait:
; CHECK: call void @__causal_spin()
; CHECK: call void @__causal_spun()
; CHECK-NEXT: br label %locked
; CHECK: {{^}}locked:
; CHECK-NEXT: ret void
define void @rotated(ptr %p) {
entry:
  %old = atomicrmw xchg ptr %p, i32 1 acquire, align 4
  %free = icmp eq i32 %old, 0
  br i1 %free, label %locked, label %wait.preheader
wait.preheader:
  br label %wait
wait:
  %now = atomicrmw xchg ptr %p, i32 1 acquire, align 4
  %had = icmp eq i32 %now, 0
  br i1 %had, label %locked.loopexit, label %wait
locked.loopexit:
  br label %locked
locked:
  ret void
}

; Test, and test and set: both loops.
; CHECK-LABEL: define void @spinlock(
; CHECK: atomicrmw xchg
; CHECK: test:
; CHECK: load atomic
; CHECK: call void @__causal_spin()
; CHECK: again:
; CHECK-NEXT: call void @__causal_spin()
; CHECK: {{^}}locked
; CHECK-NEXT: call void @__causal_spun()
define void @spinlock(ptr %p) {
entry:
  br label %set
set:
  %old = atomicrmw xchg ptr %p, i8 1 acquire, align 1
  %free = icmp eq i8 %old, 0
  br i1 %free, label %locked, label %test
test:
  call void asm sideeffect "pause", "~{memory}"()
  %v = load atomic i8, ptr %p monotonic, align 1
  %held = icmp ne i8 %v, 0
  br i1 %held, label %test, label %again
again:
  br label %set
locked:
  ret void
}

; CHECK-LABEL: define void @backoff(
; CHECK-COUNT-2: call void @__causal_spin()
; CHECK: call void @__causal_spun()
define void @backoff(ptr %p) {
entry:
  br label %wait
wait:
  %n = phi i32 [ 1, %entry ], [ %more, %paused ]
  %v = load atomic i32, ptr %p monotonic, align 4
  %come = icmp ne i32 %v, 0
  br i1 %come, label %done, label %pause
pause:
  %i = phi i32 [ 0, %wait ], [ %next, %pause ]
  call void @llvm.x86.sse2.pause()
  %next = add i32 %i, 1
  %enough = icmp uge i32 %next, %n
  br i1 %enough, label %paused, label %pause
paused:
  %twice = shl i32 %n, 1
  %more = call i32 @llvm.umin.i32(i32 %twice, i32 1024)
  br label %wait
done:
  ret void
}

; CHECK-LABEL: define i1 @bounded(
; CHECK: call void @__causal_spin()
; CHECK-COUNT-2: call void @__causal_spun()
define i1 @bounded(ptr %p) {
entry:
  br label %wait
wait:
  %i = phi i32 [ 0, %entry ], [ %next, %yield ]
  %old = cmpxchg ptr %p, i32 0, i32 1 acquire monotonic
  %got = extractvalue { i32, i1 } %old, 1
  br i1 %got, label %yes, label %yield
yield:
  %r = call i32 @sched_yield()
  %next = add i32 %i, 1
  %stop = icmp eq i32 %next, 1000
  br i1 %stop, label %no, label %wait
yes:
  ret i1 true
no:
  ret i1 false
}

; One flag of each thread, until all are down.
; CHECK-LABEL: define void @flags(
; CHECK-COUNT-2: call void @__causal_spin()
; CHECK: call void @__causal_spun()
define void @flags(ptr %base, i64 %n) {
entry:
  br label %round
round:
  br label %look
look:
  %i = phi i64 [ 1, %round ], [ %next, %look ]
  %sum = phi i64 [ 0, %round ], [ %more, %look ]
  %p = getelementptr [16 x i64], ptr %base, i64 %i
  %v = load atomic i64, ptr %p seq_cst, align 8
  %more = add i64 %sum, %v
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %look, label %seen
seen:
  %none = icmp eq i64 %more, 0
  br i1 %none, label %done, label %round
done:
  ret void
}

declare i32 @sched_yield()
declare i32 @llvm.umin.i32(i32, i32)
declare void @llvm.x86.sse2.pause()

; Who waits may look at a clock, to give up: by a library's function, by an instruction, or
; by a function of its own; and the look at the variable may be one.
; CHECK-LABEL: define void @deadline(
; CHECK: call void @__causal_spin()
; CHECK: call void @__causal_spun()
define void @deadline(ptr %p, i64 %until) {
entry:
  %t = alloca { i64, i64 }, align 8
  br label %wait
wait:
  %v = load atomic i32, ptr %p acquire, align 4
  %set = icmp ne i32 %v, 0
  br i1 %set, label %done, label %look
look:
  %e = call i32 @clock_gettime(i32 1, ptr %t)
  %s = load i64, ptr %t, align 8
  %late = icmp sgt i64 %s, %until
  br i1 %late, label %done, label %wait
done:
  ret void
}

; CHECK-LABEL: define void @cycles(
; CHECK: call void @__causal_spin()
; CHECK: call void @__causal_spun()
define void @cycles(ptr %p, i64 %until) {
entry:
  br label %wait
wait:
  %last = phi i64 [ 0, %entry ], [ %c, %look ]
  %v = load atomic i32, ptr %p acquire, align 4
  %set = icmp ne i32 %v, 0
  br i1 %set, label %done, label %look
look:
  %c = call i64 @llvm.x86.rdtsc()
  %late = icmp ugt i64 %c, %until
  br i1 %late, label %done, label %wait
done:
  ret void
}

define internal i64 @microseconds() noinline {
  %t = alloca { i64, i64 }, align 8
  store i64 0, ptr %t, align 8
  %e = call i32 @gettimeofday(ptr %t, ptr null)
  %s = load i64, ptr %t, align 8
  %n = mul i64 %s, 1000000
  ret i64 %n
}
define internal i1 @isset(ptr %p) noinline {
  %q = load ptr, ptr %p, align 8
  %v = load atomic i32, ptr %q acquire, align 4
  %set = icmp ne i32 %v, 0
  ret i1 %set
}
; CHECK-LABEL: define void @functions(
; CHECK: call void @__causal_spin()
; CHECK: call void @__causal_spun()
define void @functions(ptr %p, i64 %until) {
entry:
  br label %wait
wait:
  %set = call i1 @isset(ptr %p)
  br i1 %set, label %done, label %look
look:
  %now = call i64 @microseconds()
  %late = icmp sgt i64 %now, %until
  br i1 %late, label %done, label %wait
done:
  ret void
}
declare i32 @clock_gettime(i32, ptr)
declare i32 @gettimeofday(ptr, ptr)
declare i64 @llvm.x86.rdtsc()
