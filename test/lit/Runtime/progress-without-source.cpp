// Breakpoints count every execution of a place, in all threads; with :sampled samples in it
// count instead. Nothing in the source is a progress point.
// RUN: %causal_clangxx -fcausal-profile -O2 %s -o %t -pthread
// RUN: rm -f %t.*.causal
// RUN: %env_causal_opts=end_to_end=1:output=%t.1.causal:progress=unit %t
// RUN: FileCheck %s --check-prefix=UNIT --input-file=%t.1.causal
// UNIT: {"name":"unit","kind":"throughput","visits":4000,

// A line whose code is all inlined from elsewhere; and what is inlined there.
// RUN: %env_causal_opts=end_to_end=1:output=%t.2.causal:progress=source.cpp:50 %t 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: causal: no code was found for progress=source.cpp:50, and nothing is counted there. Give a line
// RUN: %env_causal_opts=end_to_end=1:output=%t.3.causal:progress=progress-without-source.cpp:43,tiny,finish %t
// RUN: FileCheck %s --check-prefix=LIST --input-file=%t.3.causal
// LIST: "points":[{"name":"progress-without-source.cpp:43","kind":"throughput","visits":4000,
// LIST-SAME: {"name":"tiny","kind":"throughput","visits":4000,
// LIST-SAME: {"name":"finish","kind":"throughput","visits":4000,

// RUN: %env_causal_opts=end_to_end=1:output=%t.4.causal:progress_begin=unit:progress_end=finish %t
// RUN: FileCheck %s --check-prefix=LATENCY --input-file=%t.4.causal
// LATENCY: {"name":"unit","kind":"latency","begins":4000,"ends":4000,
// RUN: %env_causal_opts=output=%t.5.causal:progress_begin=unit %t 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: causal: progress_begin= and progress_end= make one latency point together: give both

// RUN: %env_causal_opts=end_to_end=1:output=%t.6.causal:progress=unit:sampled %t
// RUN: FileCheck %s --check-prefix=SAMPLED --input-file=%t.6.causal
// SAMPLED: {"name":"unit","kind":"throughput","visits":{{[1-9][0-9]+}},
// A breakpoint where the program is all the time would stop it: it is given up.
// RUN: %env_causal_opts=end_to_end=1:output=%t.7.causal:progress=progress-without-source.cpp:35 %t 2>&1 | FileCheck %s --check-prefix=HOT
// HOT: causal: progress=progress-without-source.cpp:35 is reached so often that its breakpoint, {{.*}} it is counted no more. Use progress=progress-without-source.cpp:35:sampled
#include <thread>

static volatile unsigned long Sink;
__attribute__((noinline)) void unit() {
  for (int I = 0; I < 20000; ++I)
    Sink = Sink + I;
}
__attribute__((noinline)) void finish() { Sink = Sink + 1; }
static inline void tiny() { Sink = Sink - 1; }

static void work() {
  for (int I = 0; I < 2000; ++I) {
    unit();
    tiny(); // The line that is named above.
    finish();
  }
}

int main() {
  std::thread A(work), B(work);
  A.join();
  B.join();
}
