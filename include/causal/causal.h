/*===- causal.h - What a program tells the causal profiler -----------------===*\
|*
|* Part of the causal profiler, under the Apache License v2.0 with LLVM
|* Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Says what the program is for, so that the profiler can tell whether a change
|* would help. C11 and C++17. Without -fcausal-profile every macro is empty.
|*
|*   CAUSAL_PROGRESS            one unit of work is done here; named file:line
|*   CAUSAL_PROGRESS_NAMED(n)   the same with a name; equal names share a counter
|*   CAUSAL_BEGIN(n)            a request enters ...
|*   CAUSAL_END(n)              ... and leaves: its latency is reported
|*
|* Context of all four: any thread, signal handlers included after a first visit.
|* They never block and never fail; a visit costs one atomic addition, to a counter that few
|* threads share.
|*
|* The profiler knows how threads wait for each other through libc and OpenMP. Locks
|* and queues that wait by other means (system calls made by hand, loops on atomics)
|* tell it, or their waits look like work and like waits for the outside world:
|*
|*   CAUSAL_BEFORE_WAKE(object)        before what may end another thread's wait:
|*                                     an unlock, a push, a last arrival
|*   CAUSAL_BEFORE_WAIT()              before what may wait for another thread
|*   CAUSAL_AFTER_WAIT(object, woken)  after it; woken is 0 when a timeout or an
|*                                     error ended the wait, not another thread
|*
|* object is any address that waker and waiter agree on. Context of the three: any
|* thread, not signal handlers. The first two may pause the thread, which is how the
|* profiler works: call them where the thread holds nothing that matters to others,
|* but what it is about to release. They leave errno alone and never fail.
|*
\*===----------------------------------------------------------------------===*/
#ifndef CAUSAL_CAUSAL_H
#define CAUSAL_CAUSAL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A counter of visits. It is never freed or moved. The layout is that of Coz's
   coz_counter_t, so that both headers share one implementation. It is the first of
   several: threads that count in the same cache line hold each other up. */
typedef struct causal_counter {
  size_t count;
  size_t reserved;
} causal_counter;

/* Kinds of counters; the values are those of Coz. The last one is -fcausal-progress's:
   throughput, named in a file that has such a function. */
enum {
  CAUSAL_THROUGHPUT = 1,
  CAUSAL_LATENCY_BEGIN = 2,
  CAUSAL_LATENCY_END = 3,
  CAUSAL_FUNCTION_ = 4
};

/* How many counters a point has, and how far they are apart, each in a cache line of
   its own. */
enum { CAUSAL_COUNTERS_ = 16, CAUSAL_COUNTER_STEP_ = 64 / sizeof(causal_counter) };

#ifdef __CAUSAL_PROFILE__
/* So far behind the first one is the counter of the calling thread. */
extern __thread size_t __causal_own_counter __attribute__((tls_model("initial-exec")));
#endif

/* The counter of a point: the same one for equal kind and name. Any thread.
   Copies Name. Returns NULL only when the runtime has no room for more points. */
causal_counter *__causal_get_counter(int kind, const char *name);

/* CAUSAL_BEFORE_WAKE, CAUSAL_BEFORE_WAIT and CAUSAL_AFTER_WAIT. */
void __causal_before_wake(const void *object);
void __causal_before_wait(void);
void __causal_after_wait(const void *object, int woken);

#ifdef __cplusplus
}
#endif

#ifdef __CAUSAL_PROFILE__
#define CAUSAL_VISIT_(Kind, Name)                                                                  \
  do {                                                                                             \
    static causal_counter *causal_site_;                                                           \
    causal_counter *causal_point_ = __atomic_load_n(&causal_site_, __ATOMIC_RELAXED);              \
    if (__builtin_expect(!causal_point_, 0)) {                                                     \
      causal_point_ = __causal_get_counter(Kind, Name);                                            \
      __atomic_store_n(&causal_site_, causal_point_, __ATOMIC_RELAXED);                            \
    }                                                                                              \
    if (__builtin_expect(!!causal_point_, 1))                                                      \
      (void)__atomic_fetch_add(&causal_point_[__causal_own_counter].count, 1, __ATOMIC_RELAXED);   \
  } while (0)
#define CAUSAL_BEFORE_WAKE(Object) __causal_before_wake(Object)
#define CAUSAL_BEFORE_WAIT() __causal_before_wait()
#define CAUSAL_AFTER_WAIT(Object, Woken) __causal_after_wait(Object, Woken)
#else
#define CAUSAL_BEFORE_WAKE(Object) ((void)(Object))
#define CAUSAL_BEFORE_WAIT() ((void)0)
#define CAUSAL_AFTER_WAIT(Object, Woken) ((void)(Object), (void)(Woken))
#define CAUSAL_VISIT_(Kind, Name)                                                                  \
  do {                                                                                             \
  } while (0)
#endif

#define CAUSAL_STRING2_(X) #X
#define CAUSAL_STRING_(X) CAUSAL_STRING2_(X)

#define CAUSAL_PROGRESS CAUSAL_VISIT_(CAUSAL_THROUGHPUT, __FILE__ ":" CAUSAL_STRING_(__LINE__))
#define CAUSAL_PROGRESS_NAMED(Name) CAUSAL_VISIT_(CAUSAL_THROUGHPUT, Name)
#define CAUSAL_BEGIN(Name) CAUSAL_VISIT_(CAUSAL_LATENCY_BEGIN, Name)
#define CAUSAL_END(Name) CAUSAL_VISIT_(CAUSAL_LATENCY_END, Name)

#endif /* CAUSAL_CAUSAL_H */
