// Which loops are waits, and which look at what others may change and are taken for work.
// RUN: %causal_clang -fcausal-profile -O1 -Rpass='causal' -Rpass-missed='causal' -c %s -o %t.o 2>&1 | FileCheck %s
#include <stdatomic.h>

int waits(atomic_int *Flag) {
  // CHECK: [[@LINE+1]]:3: remark: loop waits for other threads [-Rpass=causal]
  while (!atomic_load(Flag))
    ;
  return 1;
}

// Once each, also where the function is inlined.
// CHECK-NOT: taken for work
static inline void lock(atomic_int *Lock) {
  // CHECK: [[@LINE+1]]:3: remark: loop waits for other threads [-Rpass=causal]
  while (atomic_exchange_explicit(Lock, 1, memory_order_acquire))
    ;
}
void locked(atomic_int *Lock) {
  lock(Lock);
  atomic_store_explicit(Lock, 0, memory_order_release);
}

// CHECK-NOT: taken for work
unsigned works(atomic_int *Stop, unsigned X) {
  // CHECK: [[@LINE+1]]:3: remark: loop looks at what other threads may change, and does more than to wait: it is taken for work [-Rpass-missed=causal]
  while (!atomic_load(Stop))
    X = X * 1664525 + 1013904223;
  return X;
}

// CHECK-NOT: remark
unsigned counts(unsigned *Stop, unsigned X) {
  for (unsigned I = 0; I < *Stop; ++I)
    X ^= X * 1664525;
  return X;
}
