// Tasks that GCC compiled get their data as they should, whoever runs them and however, in
// more task functions than the runtime has stand-ins for.
// REQUIRES: gcc-openmp
// RUN: %gcc -O1 -fopenmp -I%S/Inputs -I%include -c %s -o %t.o
// RUN: %causal_clang -fcausal-profile -g0 -O1 -pthread -I%S/Inputs %s %t.o -lgomp -o %t
// RUN: %clang -O1 -pthread -I%S/Inputs -I%include %s %t.o -lgomp -o %t.native
// RUN: env OMP_CANCELLATION=true %same --experiments %t.native %t
#include "busy.h"
#include <stdint.h>

#ifndef _OPENMP
void runTasks(void);
int main(void) {
  busyBegin();
  for (int I = 0; I < 20; ++I)
    runTasks();
  busyEnd();
  return 0;
}
#else
#include <omp.h>

static int add(int *To, int Value) {
  return __atomic_add_fetch(To, Value, __ATOMIC_RELAXED);
}

#define IN_TEAM _Pragma("omp parallel num_threads(3)") _Pragma("omp single")

struct Large {
  int Values[1000];
};
struct Aligned {
  char Byte;
} __attribute__((aligned(256)));

static void copies(int Defers) {
  struct Large L;
  struct Aligned A = {7};
  char Byte = 1;
  double Number = 0.5;
  int Done = 0;
  for (int I = 0; I < 1000; ++I)
    L.Values[I] = I;
  IN_TEAM {
    for (int I = 0; I < 50; ++I) {
      L.Values[I] = A.Byte = I;
      Number += 1;
#pragma omp task firstprivate(I, L, A, Byte, Number) if (Defers)
      {
        work(20);
        EXPECT(L.Values[I] == I && L.Values[I + 1] == I + 1 &&
               L.Values[999] == 999);
        EXPECT((uintptr_t)&A % 256 == 0 && A.Byte == I);
        EXPECT(Byte == 1 && Number == I + 1.5);
        L.Values[I + 1] = -1; // Its own.
        add(&Done, 1);
      }
    }
#pragma omp taskwait
    EXPECT(Done == 50 && L.Values[50] == 50);
  }
}

// These are copied by a function of GCC's.
static void arraysOfSize(int Size, int Defers) {
  int Values[Size], Done = 0;
  for (int I = 0; I < Size; ++I)
    Values[I] = I;
  IN_TEAM {
    for (int I = 0; I < 50; ++I) {
      Values[0] = I;
#pragma omp task firstprivate(I, Values) if (Defers)
      {
        work(20);
        EXPECT(Values[0] == I && Values[Size - 1] == Size - 1);
        Values[0] = -1;
        add(&Done, 1);
      }
    }
#pragma omp taskwait
    EXPECT(Done == 50 && Values[0] == 49);
  }
}

static int fibonacci(int N) {
  if (N < 2)
    return N;
  int A, B;
#pragma omp task shared(A) untied mergeable final(N < 4)
  A = fibonacci(N - 1);
#pragma omp task shared(B) if (N > 5) priority(N)
  B = fibonacci(N - 2);
#pragma omp taskwait
  return A + B;
}

static void dependences(void) {
  unsigned Chain = 1, Expected = 1;
  IN_TEAM {
    for (unsigned I = 0; I < 30; ++I) {
      Expected = Expected * 3 + I;
#pragma omp task depend(inout : Chain)
      {
        work(20);
        Chain = Chain * 3 + I;
      }
    }
    unsigned Seen = 0;
#pragma omp task if (0) depend(in : Chain) shared(Seen)
    Seen = Chain;
    EXPECT(Seen == Expected);
#pragma omp task depend(out : Chain)
    Chain = 5;
#pragma omp taskwait depend(in : Chain)
    EXPECT(Chain == 5);
  }
}

static void groups(void) {
  int Sum = 0, Done = 0;
  IN_TEAM {
#pragma omp taskgroup task_reduction(+ : Sum)
    for (int I = 1; I <= 30; ++I)
#pragma omp task in_reduction(+ : Sum)
    {
      Sum += I;
#pragma omp task // Of the group, too.
      {
        work(20);
        add(&Done, 1);
      }
    }
    EXPECT(Sum == 30 * 31 / 2 && Done == 30);
#pragma omp taskgroup
    for (int I = 0; I < 30; ++I)
#pragma omp task
    {
#pragma omp cancel taskgroup if (I == 3)
      work(20);
      add(&Done, 1);
    }
    EXPECT(Done < 60);
  }
}

static void loops(int Size) {
  int Sum = 0, Last = -1, Values[Size];
  unsigned long long Large = 0;
  for (int I = 0; I < Size; ++I)
    Values[I] = I;
  IN_TEAM {
#pragma omp taskloop grainsize(7) lastprivate(Last) firstprivate(Values)
    for (int I = 0; I < 100; ++I) {
      EXPECT(Values[Size - 1] == Size - 1);
      add(&Sum, I);
      Last = I;
    }
    EXPECT(Sum == 4950 && Last == 99);
#pragma omp taskloop num_tasks(5) reduction(+ : Large)
    for (unsigned long long I = 1ULL << 63; I < (1ULL << 63) + 100; ++I)
      Large += I - (1ULL << 63);
    EXPECT(Large == 4950);
#pragma omp taskloop nogroup if (0)
    for (int I = 100; I > 0; --I)
      add(&Sum, 1);
#pragma omp taskloop nogroup
    for (int I = 100; I > 0; --I)
      add(&Sum, 1);
#pragma omp taskwait
    EXPECT(Sum == 4950 + 200);
  }
}

static void events(void) {
  int Done = 0;
  IN_TEAM for (int I = 0; I < 20; ++I) {
    omp_event_handle_t Event;
#pragma omp task detach(Event) firstprivate(I)
    add(&Done, 1);
#pragma omp task firstprivate(Event)
    {
      work(20);
      add(&Done, 1);
      omp_fulfill_event(Event);
    }
#pragma omp taskwait
    EXPECT(Done == 2 * I + 2);
  }
}

#define TEN(Text) Text Text Text Text Text Text Text Text Text Text
#define TASK                                                                   \
  _Pragma("omp task firstprivate(I)") add(&Sum, I);                            \
  ++I;
static void manyFunctions(void) {
  int Sum = 0;
  IN_TEAM {
    int I = 1;
    TEN(TEN(TASK TASK TASK TASK))
#pragma omp taskwait
    EXPECT(Sum == 400 * 401 / 2);
  }
}

void runTasks(void) {
  for (int Defers = 0; Defers < 2; ++Defers) {
    copies(Defers);
    arraysOfSize(3, Defers);
    arraysOfSize(1000, Defers);
  }
  EXPECT(fibonacci(10) == 55); // Alone.
  IN_TEAM EXPECT(fibonacci(12) == 144);
  dependences();
  groups();
  loops(100);
  events();
  manyFunctions();
}
#endif
