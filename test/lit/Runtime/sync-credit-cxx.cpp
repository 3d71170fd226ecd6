// The same for what C++20 waits by, in headers and in the library.
// RUN: rm -f %t.*.causal
// RUN: %causal_clangxx -fcausal-profile -std=c++20 -Wno-deprecated-volatile -O1 -pthread %s -o %t
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.atomic.causal" %t atomic
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.latch.causal" %t latch
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.barrier.causal" %t barrier
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.semaphore.causal" %t semaphore
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.future.causal" %t future
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.shared.causal" %t shared
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.once.causal" %t once
// RUN: %python %S/Inputs/credited.py %t.atomic.causal %t.latch.causal %t.barrier.causal %t.semaphore.causal %t.future.causal %t.shared.causal %t.once.causal

#include "Inputs/handover.h"
#include <atomic>
#include <barrier>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <string>
#include <thread>

static std::string Kind;
static std::atomic<int> Turn;
static std::barrier<> Both(2);
static std::counting_semaphore<> Done(0), Begin(0), Started(0);
static std::shared_mutex Lock;

// What one round is made of; the waiter comes as late as the work has begun.
struct Round {
  std::latch Worked{1};
  std::promise<void> Promise;
  std::once_flag Once;
};
static Round *Current;

static void worker() {
  for (int I = 0; I < Rounds; ++I) {
    Begin.acquire();
    if (Kind == "shared")
      Lock.lock();
    if (Kind == "once") {
      std::call_once(Current->Once, [] {
        Started.release();
        work();
      });
      continue;
    }
    Started.release();
    work();
    if (Kind == "atomic") {
      Turn = I + 1;
      Turn.notify_one();
    } else if (Kind == "latch")
      Current->Worked.count_down();
    else if (Kind == "barrier")
      Both.arrive_and_wait();
    else if (Kind == "semaphore")
      Done.release();
    else if (Kind == "future")
      Current->Promise.set_value();
    else if (Kind == "shared")
      Lock.unlock();
  }
}

int main(int, char **Arguments) {
  Kind = Arguments[1];
  std::thread Worker(worker);
  for (int I = 0; I < Rounds; ++I) {
    Round R;
    Current = &R;
    Begin.release();
    Started.acquire();
    if (Kind == "atomic")
      Turn.wait(I);
    else if (Kind == "latch")
      R.Worked.wait();
    else if (Kind == "barrier")
      Both.arrive_and_wait();
    else if (Kind == "semaphore")
      Done.acquire();
    else if (Kind == "future")
      R.Promise.get_future().wait();
    else if (Kind == "shared")
      std::shared_lock<std::shared_mutex> Shared(Lock);
    else if (Kind == "once")
      std::call_once(R.Once, [] {});
  }
  Worker.join();
}
// SERIAL: its threads are to run when they want to.
