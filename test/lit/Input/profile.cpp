// A program that is built with -fcausal-profile=input leaves the points of its routines: their
// input, and what it cost. Insertion sort is quadratic, a sum is linear.
// RUN: %causal_clangxx -fcausal-profile=input -O2 %s -o %t
// RUN: rm -f %t.causal && %env_causal_opts=output=%t.causal %t
// RUN: FileCheck %s < %t.causal
// RUN: %python %S/Inputs/points.py %t.causal _Z4sortPil _Z3sumPKil | FileCheck %s --check-prefix=POINTS
// RUN: rm -f %t.blocks.causal
// RUN: %causal_clangxx -fcausal-profile=input -fcausal-input-cost=blocks -O2 %s -o %t.blocks
// RUN: %env_causal_opts=output=%t.blocks.causal %t.blocks
// RUN: FileCheck %s --check-prefix=BLOCKS < %t.blocks.causal
#include <vector>

__attribute__((noinline)) long sum(const int *P, long N) {
  long Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += P[I];
  return Sum;
}
__attribute__((noinline)) void sort(int *P, long N) {
  for (long I = 1; I < N; ++I) {
    int X = P[I];
    long J = I;
    for (; J > 0 && P[J - 1] > X; --J)
      P[J] = P[J - 1];
    P[J] = X;
  }
}
int main() {
  long Total = 0;
  for (int N = 100; N <= 400; N *= 2) {
    std::vector<int> V(N);
    for (int I = 0; I < N; ++I)
      V[I] = N - I;
    sort(V.data(), N);
    Total += sum(V.data(), N);
  }
  return Total == 0;
}

// CHECK: "type":"run","version":{{[0-9]+}}
// CHECK-SAME: "mode":"input"
// CHECK-SAME: "cell":4,"cost":"instructions","metric":"trms"
// CHECK: "type":"routine",{{.*}}"name":"_Z4sortPil","file":"{{.*}}profile.cpp","line":19}
// CHECK: "type":"call",
// CHECK: "type":"input_snapshot",
// CHECK-SAME: "final":true,"threads":1,"lost":0
// BLOCKS: "cost":"blocks"

// POINTS: _Z4sortPil 100 calls 1 growth
// POINTS: _Z4sortPil 200 calls 1 growth 3.9
// POINTS: _Z4sortPil 400 calls 1 growth {{4.0|3.9}}
// POINTS: _Z3sumPKil 100 calls 1 growth
// POINTS: _Z3sumPKil 200 calls 1 growth {{1.9|2.0}}
// POINTS: _Z3sumPKil 400 calls 1 growth {{1.9|2.0}}
