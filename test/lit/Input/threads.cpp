// Ten thousand threads one after another need no more memory than a hundred; a hundred at once
// are more than there are bits for; handlers come at any time.
// RUN: %causal_clangxx -fcausal-profile=input -O2 %s -o %t -lpthread
// RUN: rm -f %t.causal; %env_causal_opts=output=%t.causal %t sequence
// RUN: FileCheck %s --check-prefix=SEQUENCE < %t.causal
// RUN: rm -f %t.causal; %env_causal_opts=output=%t.causal %t once 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s --check-prefix=ONCE < %t.causal
// RUN: rm -f %t.causal; %env_causal_opts=output=%t.causal %t signals
// RUN: FileCheck %s --check-prefix=SIGNALS < %t.causal
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/time.h>
#include <vector>

__attribute__((noinline)) long sum(const long *P, long N) {
  long Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += P[I];
  return Sum;
}
static long Data[1000];
static pthread_barrier_t All;

static void *adds(void *) {
  long Own[100];
  for (long &V : Own)
    V = 1;
  asm volatile("" ::"r"(Own) : "memory");
  return reinterpret_cast<void *>(sum(Own, 100) + sum(Data, 10));
}
static void *meets(void *) {
  pthread_barrier_wait(&All);
  return adds(nullptr);
}

static long residentPages() {
  long Pages = 0;
  FILE *F = fopen("/proc/self/statm", "r");
  if (!F || fscanf(F, "%*d %ld", &Pages) != 1)
    exit(2);
  fclose(F);
  return Pages;
}

static void sequence(int Count) {
  for (int I = 0; I < Count; ++I) {
    pthread_t T;
    if (pthread_create(&T, nullptr, adds, nullptr))
      exit(3);
    pthread_join(T, nullptr);
  }
}

static volatile long Handled;
__attribute__((noinline)) void handler(int) { Handled += sum(Data, 4); }

int main(int, char **Words) {
  Data[3] = 1;
  if (!strcmp(Words[1], "sequence")) {
    sequence(100);
    long Before = residentPages();
    sequence(9900);
    long After = residentPages();
    if (After > Before + 1024) { // 4 MB
      fprintf(stderr, "%ld pages before, %ld after\n", Before, After);
      return 4;
    }
  } else if (!strcmp(Words[1], "once")) {
    constexpr int Count = 100;
    pthread_barrier_init(&All, nullptr, Count);
    std::vector<pthread_t> Threads(Count);
    for (pthread_t &T : Threads)
      if (pthread_create(&T, nullptr, meets, nullptr))
        return 3;
    for (pthread_t T : Threads)
      pthread_join(T, nullptr);
  } else {
    signal(SIGALRM, handler);
    itimerval Every = {{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &Every, nullptr);
    while (Handled < 500)
      sum(Data, 1000);
  }
}

// SEQUENCE: "type":"input_snapshot"
// SEQUENCE-SAME: "threads":10001,"lost":0
// SAID: more than 26 threads at once: the accesses of those above that are recorded as exactly
// ONCE: "type":"input_snapshot"
// ONCE-SAME: "threads":101,"lost":0
// SIGNALS: "name":"_Z7handleri"
// SIGNALS: "type":"input_snapshot"
// SIGNALS-SAME: "lost":0
