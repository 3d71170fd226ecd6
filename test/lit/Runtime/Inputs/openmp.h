// For tests of credit: ways to wait for another thread in OpenMP, by name. In each of the
// rounds the thread that is not the main one works in the target line.
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Some of the waits never sleep, so the waiter says that it is about to wait.
static int Begun, Waits;
static int is(int *Flag) { return __atomic_load_n(Flag, __ATOMIC_ACQUIRE); }
static void set(int *Flag, int Value) {
  __atomic_store_n(Flag, Value, __ATOMIC_RELEASE);
}
static void prepare(void) {
  set(&Begun, 0);
  set(&Waits, 0);
}
static void workForWaiter(void) {
  set(&Begun, 1);
  do
    usleep(500);
  while (!is(&Waits));
  workNow();
}
// Returns when the other thread is at it. It takes the task if we do not wait yet.
static void beforeWait(void) {
  while (!is(&Begun))
    sched_yield();
  set(&Waits, 1);
}

// What each of two threads does that are both at work.
static void takePart(void) {
  if (omp_get_thread_num() == 1)
    workForWaiter();
  else
    beforeWait();
}

static void barrier(void) {
#pragma omp parallel num_threads(2)
  for (int I = 0; I < Rounds; ++I) {
#pragma omp master
    prepare();
#pragma omp barrier
    takePart();
#pragma omp barrier
  }
}

static void cancellable(void) {
#pragma omp parallel num_threads(2)
  for (int I = 0; I < Rounds; ++I) {
#pragma omp cancel parallel if (I < 0)
#pragma omp master
    prepare();
#pragma omp barrier
    takePart();
#pragma omp barrier
  }
}

static void parallelFor(void) {
  for (int I = 0; I < Rounds; ++I) {
    prepare();
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int Half = 0; Half < 2; ++Half)
      takePart();
  }
}

// Who comes first gives the other what it has got.
static void copyprivate(void) {
#pragma omp parallel num_threads(2)
  for (int I = 0; I < Rounds; ++I) {
    int Got = -1;
#pragma omp master
    prepare();
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      beforeWait();
#pragma omp single copyprivate(Got)
    {
      workForWaiter();
      Got = I;
    }
    if (Got != I)
      printf("wrong: %d in round %d\n", Got, I);
  }
}

static void critical(void) {
#pragma omp parallel num_threads(2)
  for (int I = 0; I < Rounds; ++I) {
#pragma omp master
    prepare();
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      beforeWait();
#pragma omp critical
    if (omp_get_thread_num() == 1)
      workForWaiter();
#pragma omp barrier
  }
}

static void lock(void) {
  omp_lock_t Lock;
  omp_init_lock(&Lock);
#pragma omp parallel num_threads(2)
  for (int I = 0; I < Rounds; ++I) {
#pragma omp master
    prepare();
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      beforeWait();
    omp_set_lock(&Lock);
    if (omp_get_thread_num() == 1)
      workForWaiter();
    omp_unset_lock(&Lock);
#pragma omp barrier
  }
  omp_destroy_lock(&Lock);
}

static void taskwait(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
  for (int I = 0; I < Rounds; ++I) {
    prepare();
#pragma omp task
    workForWaiter();
    beforeWait();
#pragma omp taskwait
  }
}

static void taskgroup(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
  for (int I = 0; I < Rounds; ++I) {
    prepare();
#pragma omp taskgroup
    {
#pragma omp task
      workForWaiter();
      beforeWait();
    }
  }
}

// The other thread takes the task while it waits in the barrier, too.
static void taskAtBarrier(void) {
#pragma omp parallel num_threads(2)
  for (int I = 0; I < Rounds; ++I) {
#pragma omp master
    {
      prepare();
#pragma omp task
      workForWaiter();
      beforeWait();
    }
#pragma omp barrier
  }
}

// A task that is not deferred waits for those that it depends on.
static void depend(void) {
  int Result = 0;
#pragma omp parallel num_threads(2)
#pragma omp master
  for (int I = 0; I < Rounds; ++I) {
    prepare();
#pragma omp task depend(out : Result)
    {
      workForWaiter();
      ++Result;
    }
    beforeWait();
#pragma omp task if (0) depend(in : Result)
    if (Result != I + 1)
      printf("wrong: %d in round %d\n", Result, I);
  }
}

// Each thread takes one of two tasks, for it does not end its own before.
static void taskloop(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
  for (int I = 0; I < Rounds; ++I) {
    prepare();
#pragma omp taskloop num_tasks(2)
    for (int Half = 0; Half < 2; ++Half)
      takePart();
  }
}

// A task may also end later than its function returns.
static void detach(void) {
  omp_event_handle_t Event;
  int Made = 0, Ran = 0;
#pragma omp parallel num_threads(2)
  for (int I = 0; I < Rounds; ++I) {
    if (omp_get_thread_num() == 0) {
      prepare();
#pragma omp task detach(Event)
      set(&Ran, I + 1);
      set(&Made, I + 1);
      beforeWait();
#pragma omp taskwait
    } else {
      while (is(&Made) != I + 1)
        sched_yield();
      workForWaiter();
      omp_fulfill_event(Event);
    }
#pragma omp barrier
  }
}

int main(int Count, char **Arguments) {
  static const struct {
    const char *Name;
    void (*Wait)(void);
  } Kinds[] = {
      {"barrier", barrier},
      {"cancellable", cancellable},
      {"for", parallelFor},
      {"copyprivate", copyprivate},
      {"critical", critical},
      {"lock", lock},
      {"taskwait", taskwait},
      {"taskgroup", taskgroup},
      {"task-at-barrier", taskAtBarrier},
      {"depend", depend},
      {"taskloop", taskloop},
      {"detach", detach},
  };
  for (unsigned I = 0; I < sizeof(Kinds) / sizeof(*Kinds); ++I)
    if (Count == 2 && !strcmp(Arguments[1], Kinds[I].Name))
      return Kinds[I].Wait(), 0;
  return 1;
}
