// With target=section experiments are on what is done with a lock held. The section is
// named by the line that takes the lock, in the function that gives it back as well:
// neither in a function of the program's own that only takes it, inlined or not, nor in a
// header of the system's. What is done without a lock is nobody's.
// RUN: rm -f %t.static.causal %t.O0.causal %t.O2.causal %t.fixed.causal
// RUN: %causal_clangxx -fcausal-profile -O0 -pthread %s -o %t.O0
// RUN: %causal_clangxx -fcausal-profile -O2 -pthread %s -o %t.O2
// RUN: %causal_clangxx -fcausal-profile -O2 -static -pthread %s -o %t.static
// RUN: %env_causal_opts="target=section:experiment_ms=20:output=%t.O0.causal" %t.O0
// RUN: %env_causal_opts="target=section:experiment_ms=20:output=%t.O2.causal" %t.O2
// RUN: %env_causal_opts="target=section:experiment_ms=20:output=%t.static.causal" %t.static
// RUN: grep '"type":"line"' %t.static.causal | FileCheck %s
// RUN: grep '"type":"line"\|"experiment"' %t.O0.causal > %t.O0.lines
// RUN: grep '"type":"line"\|"experiment"' %t.O2.causal > %t.O2.lines
// RUN: FileCheck %s --input-file=%t.O0.lines
// RUN: FileCheck %s --input-file=%t.O2.lines
// RUN: FileCheck %s --check-prefix=NONE --allow-empty --input-file=%t.O0.lines
// RUN: FileCheck %s --check-prefix=NONE --allow-empty --input-file=%t.O2.lines
// NONE-NOT: "function":"{{main|[^"]*(take|Taken)[^"]*}}"
// NONE-NOT: "file":"/usr
// NONE-NOT: "function":"[^"]*",{{"samples"|"speedup"}}
//
// fixed_line is the line that takes the lock.
// RUN: %env_causal_opts="target=section:fixed_line='target-section.cpp:%(line+30)':experiment_ms=20:output=%t.fixed.causal" %t.O2
// RUN: grep '"experiment"' %t.fixed.causal > %t.fixed.lines
// RUN: FileCheck %s --check-prefix=FIXED --input-file=%t.fixed.lines --implicit-check-not='"function":"{{[^d]}}'
// FIXED: "line":{{.*}}"function":"direct","section":true
// Outside of them samples are counted.
// RUN: grep '"type":"snapshot"' %t.O2.causal | FileCheck %s --check-prefix=UNLOCKED
// UNLOCKED: "unlocked":{{[1-9]}}
// RUN: %causal report %t.O2.causal | FileCheck %s --check-prefix=REPORT
// REPORT: critical sections
// REPORT: program faster by % (± 95 % interval) if the critical section is faster by
// REPORT: target-section.cpp:{{[0-9]+}}:lock {{[a-zA-Z]+( \[.*\])*$}}
// REPORT: LINE:lock is all that is done with the lock held
// REPORT: Plot one critical section with: causal report --line=FILE:LINE:lock
// RUN: %causal report --line=target-section.cpp:%(line+17):lock %t.O2.causal | FileCheck %s --check-prefix=PLOT
// PLOT: target-section.cpp:{{[0-9]+}}:lock in direct
#include "Inputs/work.h"
#include <causal/causal.h>
#include <mutex>
#include <pthread.h>

static pthread_mutex_t M = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t L = PTHREAD_RWLOCK_INITIALIZER;
static std::mutex Standard;
static pthread_mutex_t Queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t NotEmpty = PTHREAD_COND_INITIALIZER;
static int Items;

// clang-format off
__attribute__((noinline)) static void direct() {

  pthread_mutex_lock(&M); // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}direct{{.*}}","section":true
  WORK(1000);
  pthread_mutex_unlock(&M);
}
__attribute__((noinline)) static int takeIt() {
  int Result = pthread_mutex_lock(&M);
  asm volatile("" ::: "memory");
  return Result;
}
__attribute__((noinline)) static void giveBack() {
  pthread_mutex_unlock(&M);
  asm volatile("" ::: "memory");
}
__attribute__((noinline)) static void byFunction() {
  takeIt(); // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}byFunction{{.*}}","section":true
  WORK(1000);
  giveBack();
}
__attribute__((noinline)) static void anotherCaller() {
  takeIt(); // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}anotherCaller{{.*}}","section":true
  WORK(1000);
  giveBack();
}
struct Taken {
  Taken() { pthread_mutex_lock(&M); }
  ~Taken() { pthread_mutex_unlock(&M); }
};
__attribute__((noinline)) static void ownGuard() {
  Taken Here; // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}ownGuard{{.*}}","section":true
  WORK(1000);
}
__attribute__((noinline)) static void guarded() {
  std::lock_guard<std::mutex> Here(Standard); // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}guarded{{.*}}","section":true
  WORK(1000);
}
__attribute__((noinline)) static void reads() {
  pthread_rwlock_rdlock(&L); // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}reads{{.*}}","section":true
  WORK(1000);
  pthread_rwlock_unlock(&L);
}
static inline void inlined() {
  if (pthread_mutex_trylock(&M) == 0) { // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}inlined{{.*}}","section":true
    WORK(1000);
    pthread_mutex_unlock(&M);
  }
}
__attribute__((noinline)) static void inner() {
  pthread_mutex_lock(&M); // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}inner{{.*}}","section":true
  WORK(1000);
  pthread_mutex_unlock(&M);
}
__attribute__((noinline)) static void outer() {
  pthread_rwlock_wrlock(&L); // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}outer{{.*}}","section":true
  WORK(1000);
  inner();
  pthread_rwlock_unlock(&L);
}
// Never given back but to wait, and with locks taken meanwhile.
static void *consume(void *) {
  pthread_mutex_lock(&Queue); // CHECK-DAG: "line":[[#@LINE]],"function":"{{.*}}consume{{.*}}","section":true
  for (;;) {
    while (!Items)
      pthread_cond_wait(&NotEmpty, &Queue);
    --Items;
    WORK(1000);
    inner();
  }
}
// clang-format on

static void produce() {
  pthread_mutex_lock(&Queue);
  ++Items;
  pthread_cond_signal(&NotEmpty);
  pthread_mutex_unlock(&Queue);
}

int main() {
  pthread_t Consumer;
  pthread_create(&Consumer, nullptr, consume, nullptr);
  for (int I = 0; I < 100; ++I) {
    CAUSAL_PROGRESS;
    direct();
    byFunction();
    anotherCaller();
    ownGuard();
    guarded();
    reads();
    inlined();
    outer();
    produce();
    WORK(1000);
  }
}
