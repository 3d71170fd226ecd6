/*===- causal.h - Progress points for the causal profiler ------------------===*\
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
|* They never block and never fail; a visit costs one atomic addition.
|*
\*===----------------------------------------------------------------------===*/
#ifndef CAUSAL_CAUSAL_H
#define CAUSAL_CAUSAL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A counter of visits. It is never freed or moved. The layout is that of Coz's
   coz_counter_t, so that both headers share one implementation. */
typedef struct causal_counter {
  size_t count;
  size_t reserved;
} causal_counter;

/* Kinds of counters; the values are those of Coz. */
enum { CAUSAL_THROUGHPUT = 1, CAUSAL_LATENCY_BEGIN = 2, CAUSAL_LATENCY_END = 3 };

/* The counter of a point: the same one for equal kind and name. Any thread.
   Copies Name. Returns NULL only when the runtime has no room for more points. */
causal_counter *__causal_get_counter(int kind, const char *name);

#ifdef __cplusplus
}
#endif

#ifdef __CAUSAL_PROFILE__
#define CAUSAL_VISIT_(Kind, Name)                                              \
  do {                                                                         \
    static causal_counter *causal_site_;                                       \
    causal_counter *causal_point_ =                                            \
        __atomic_load_n(&causal_site_, __ATOMIC_RELAXED);                      \
    if (__builtin_expect(!causal_point_, 0)) {                                 \
      causal_point_ = __causal_get_counter(Kind, Name);                        \
      __atomic_store_n(&causal_site_, causal_point_, __ATOMIC_RELAXED);        \
    }                                                                          \
    if (__builtin_expect(!!causal_point_, 1))                                  \
      (void)__atomic_fetch_add(&causal_point_->count, 1, __ATOMIC_RELAXED);    \
  } while (0)
#else
#define CAUSAL_VISIT_(Kind, Name)                                              \
  do {                                                                         \
  } while (0)
#endif

#define CAUSAL_STRING2_(X) #X
#define CAUSAL_STRING_(X) CAUSAL_STRING2_(X)

#define CAUSAL_PROGRESS                                                        \
  CAUSAL_VISIT_(CAUSAL_THROUGHPUT, __FILE__ ":" CAUSAL_STRING_(__LINE__))
#define CAUSAL_PROGRESS_NAMED(Name) CAUSAL_VISIT_(CAUSAL_THROUGHPUT, Name)
#define CAUSAL_BEGIN(Name) CAUSAL_VISIT_(CAUSAL_LATENCY_BEGIN, Name)
#define CAUSAL_END(Name) CAUSAL_VISIT_(CAUSAL_LATENCY_END, Name)

#endif /* CAUSAL_CAUSAL_H */
