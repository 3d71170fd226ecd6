; Loops that look at atomics and work are left alone.
; RUN: %opt_causal -passes=causal-spin-loops -S %s | FileCheck %s
; CHECK-NOT: __causal_
target triple = "x86_64-pc-linux-gnu"

; Until somebody stops it.
define i32 @compute(ptr %stop) {
entry:
  br label %round
round:
  %x = phi i32 [ 1, %entry ], [ %y, %round ]
  %m = mul i32 %x, 1664525
  %y = add i32 %m, 1013904223
  %v = load atomic i8, ptr %stop monotonic, align 1
  %stay = icmp eq i8 %v, 0
  br i1 %stay, label %round, label %done
done:
  ret i32 %y
}

define void @store(ptr %stop, ptr %p) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %v = load atomic i8, ptr %stop monotonic, align 1
  %stay = icmp eq i8 %v, 0
  br i1 %stay, label %round, label %done
done:
  ret void
}

; Who sleeps may work as well: what is stored is not how long to sleep.
define i32 @storeAndSleep(ptr %stop) {
entry:
  %kept = alloca i32
  %time = alloca [2 x i64]
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  store i32 %i, ptr %kept
  %next = add i32 %i, 1
  store i64 0, ptr %time
  %slept = call i32 @nanosleep(ptr %time, ptr null)
  %v = load atomic i8, ptr %stop monotonic, align 1
  %stay = icmp eq i8 %v, 0
  br i1 %stay, label %round, label %done
done:
  %last = load i32, ptr %kept
  ret i32 %last
}

; How long is worked out.
define void @workAndSleep(ptr %stop) {
entry:
  %time = alloca [2 x i64]
  store i64 1, ptr %time
  br label %round
round:
  %before = phi i64 [ 1, %entry ], [ %long, %round ]
  %long = mul i64 %before, 1664525
  store i64 %long, ptr %time
  %slept = call i32 @nanosleep(ptr %time, ptr null)
  %v = load atomic i8, ptr %stop monotonic, align 1
  %stay = icmp eq i8 %v, 0
  br i1 %stay, label %round, label %done
done:
  ret void
}

declare i32 @nanosleep(ptr, ptr)

define void @call(ptr %stop) {
entry:
  br label %round
round:
  call void @work()
  %v = load atomic i8, ptr %stop monotonic, align 1
  %stay = icmp eq i8 %v, 0
  br i1 %stay, label %round, label %done
done:
  ret void
}

; A list without locks, and a table.
define ptr @list(ptr %head) {
entry:
  br label %round
round:
  %p = phi ptr [ %head, %entry ], [ %next, %round ]
  %next = load atomic ptr, ptr %p acquire, align 8
  %more = icmp ne ptr %next, null
  br i1 %more, label %round, label %done
done:
  ret ptr %p
}
define i64 @table(ptr %base) {
entry:
  br label %round
round:
  %i = phi i64 [ 0, %entry ], [ %next, %round ]
  %p = getelementptr i32, ptr %base, i64 %i
  %v = load atomic i32, ptr %p acquire, align 4
  %next = add i64 %i, 1
  %more = icmp ne i32 %v, 7
  br i1 %more, label %round, label %done
done:
  ret i64 %i
}

; A table of tables: what is looked at depends on what was seen, or on the round.
define void @tables(ptr %base, i64 %n) {
entry:
  br label %round
round:
  %from = phi i64 [ 0, %entry ], [ %n, %seen ]
  br label %look
look:
  %i = phi i64 [ %from, %round ], [ %next, %look ]
  %p = getelementptr i64, ptr %base, i64 %i
  %v = load atomic i64, ptr %p seq_cst, align 8
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %look, label %seen
seen:
  %none = icmp eq i64 %v, 0
  br i1 %none, label %done, label %round
done:
  ret void
}
define void @lists(ptr %head) {
entry:
  br label %round
round:
  br label %look
look:
  %p = phi ptr [ %head, %round ], [ %next, %look ]
  %next = load atomic ptr, ptr %p acquire, align 8
  %more = icmp ne ptr %next, null
  br i1 %more, label %look, label %seen
seen:
  %v = load atomic i64, ptr %p acquire, align 8
  %none = icmp eq i64 %v, 0
  br i1 %none, label %done, label %round
done:
  ret void
}

; An update, tried again when another thread was quicker.
define void @update(ptr %p) {
entry:
  %first = load atomic i64, ptr %p monotonic, align 8
  br label %round
round:
  %old = phi i64 [ %first, %entry ], [ %seen, %round ]
  %new = add i64 %old, 2
  %pair = cmpxchg ptr %p, i64 %old, i64 %new monotonic monotonic
  %seen = extractvalue { i64, i1 } %pair, 0
  %got = extractvalue { i64, i1 } %pair, 1
  br i1 %got, label %done, label %round
done:
  ret void
}
define void @count(ptr %p) {
entry:
  br label %round
round:
  %old = atomicrmw add ptr %p, i64 1 monotonic
  %more = icmp ult i64 %old, 100
  br i1 %more, label %round, label %done
done:
  ret void
}

; Nobody else can end it.
define void @counted(ptr %p, i32 %n) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %v = load volatile i32, ptr %p, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %done
done:
  ret void
}

; Work on plain memory, until somebody stops it: a sum, a search, a list, rows of a table.
define i64 @sum(ptr %a, i64 %n, ptr %stop) {
entry:
  br label %round
round:
  %i = phi i64 [ 0, %entry ], [ %next, %rest ]
  %s = phi i64 [ 0, %entry ], [ %t, %rest ]
  %v = load atomic i8, ptr %stop monotonic, align 1
  %stay = icmp eq i8 %v, 0
  br i1 %stay, label %rest, label %done
rest:
  %p = getelementptr i64, ptr %a, i64 %i
  %x = load i64, ptr %p
  %t = add i64 %s, %x
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %round, label %done
done:
  %r = phi i64 [ %s, %round ], [ %t, %rest ]
  ret i64 %r
}
define i64 @search(ptr %keys, ptr %size, i64 %key) {
entry:
  br label %round
round:
  %i = phi i64 [ 0, %entry ], [ %next, %rest ]
  %n = load atomic i64, ptr %size acquire, align 8
  %in = icmp ult i64 %i, %n
  br i1 %in, label %rest, label %done
rest:
  %p = getelementptr i64, ptr %keys, i64 %i
  %k = load i64, ptr %p
  %next = add i64 %i, 1
  %other = icmp ne i64 %k, %key
  br i1 %other, label %round, label %done
done:
  ret i64 %i
}
define i64 @nodes(ptr %head, ptr %stop) {
entry:
  br label %round
round:
  %p = phi ptr [ %head, %entry ], [ %next, %round ]
  %s = phi i64 [ 0, %entry ], [ %t, %round ]
  %x = load i64, ptr %p
  %t = add i64 %s, %x
  %at = getelementptr i64, ptr %p, i64 1
  %next = load ptr, ptr %at
  %v = load atomic i8, ptr %stop monotonic, align 1
  %stay = icmp eq i8 %v, 0
  br i1 %stay, label %round, label %done
done:
  ret i64 %t
}
define i64 @rows(ptr %a, i64 %m, ptr %stop) {
entry:
  br label %round
round:
  %s = phi i64 [ 0, %entry ], [ %t, %rowdone ]
  br label %row
row:
  %j = phi i64 [ 0, %round ], [ %next, %row ]
  %u = phi i64 [ %s, %round ], [ %t, %row ]
  %p = getelementptr i64, ptr %a, i64 %j
  %x = load i64, ptr %p
  %t = add i64 %u, %x
  %next = add i64 %j, 1
  %more = icmp ult i64 %next, %m
  br i1 %more, label %row, label %rowdone
rowdone:
  %v = load atomic i8, ptr %stop monotonic, align 1
  %stay = icmp eq i8 %v, 0
  br i1 %stay, label %round, label %done
done:
  ret i64 %t
}

; The program is not relocated yet.
@chosen = ifunc void (), ptr @resolver
define ptr @resolver() {
entry:
  store atomic i32 1, ptr @seen release, align 4
  br label %round
round:
  %v = load atomic i32, ptr @seen acquire, align 4
  %stay = icmp eq i32 %v, 0
  br i1 %stay, label %round, label %done
done:
  ret ptr @work
}
@seen = global i32 0

define void @work() {
  store i64 1, ptr @rounds, align 8
  ret void
}

; What is called works: it counts for others to see, or goes round itself.
define internal i1 @counts(ptr %p) noinline {
  %n = load i64, ptr @rounds, align 8
  %m = add i64 %n, 1
  store i64 %m, ptr @rounds, align 8
  %v = load atomic i8, ptr %p monotonic, align 1
  %set = icmp ne i8 %v, 0
  ret i1 %set
}
define internal i1 @goesround(ptr %p) noinline {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, 100
  br i1 %more, label %round, label %done
done:
  %v = load atomic i8, ptr %p monotonic, align 1
  %set = icmp ne i8 %v, 0
  ret i1 %set
}
define void @callscounts(ptr %p) {
entry:
  br label %round
round:
  %set = call i1 @counts(ptr %p)
  br i1 %set, label %done, label %round
done:
  ret void
}
define void @callsgoesround(ptr %p) {
entry:
  br label %round
round:
  %set = call i1 @goesround(ptr %p)
  br i1 %set, label %done, label %round
done:
  ret void
}
@rounds = global i64 0

; It is the clock alone that ends this.
define void @delay(i64 %until) {
entry:
  br label %round
round:
  %now = call i64 @time(ptr null)
  %late = icmp sgt i64 %now, %until
  br i1 %late, label %done, label %round
done:
  ret void
}
declare i64 @time(ptr)

; The program's own function of that name works.
define internal i64 @clock() noinline {
  %n = load i64, ptr @rounds, align 8
  %m = add i64 %n, 1
  store i64 %m, ptr @rounds, align 8
  ret i64 %m
}
define void @ownclock(ptr %p) {
entry:
  br label %round
round:
  %c = call i64 @clock()
  %v = load atomic i8, ptr %p monotonic, align 1
  %stay = icmp eq i8 %v, 0
  br i1 %stay, label %round, label %done
done:
  ret void
}
