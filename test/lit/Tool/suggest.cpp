// causal suggest finds what is done once for each unit of work, and how to count it.
// SERIAL: it counts visits in a time
// RUN: %causal_clangxx -fcausal-profile -O1 %s -o %t
// RUN: %causal suggest --run-time=2s -- %t 2>&1 | FileCheck %s
// CHECK: one run under the sampler
// CHECK: a run that counts {{.*}}unit
// CHECK: reached/s {{.*}}share%  use
// CHECK: {{[0-9]+ .*}}--progress=unit{{$}}
// CHECK: causal run --progress={{.*}} -- {{.*}}suggest.cpp.tmp
// RUN: not %causal suggest --run-time=never -- %t 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: --run-time takes a time, as 10s or 1m, not 'never'
static volatile unsigned long Sink;
__attribute__((noinline)) void unit() {
  for (int I = 0; I < 3000000; ++I)
    Sink = Sink + I;
}
int main() {
  for (int I = 0; I < 300; ++I)
    unit();
}
