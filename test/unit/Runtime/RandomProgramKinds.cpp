//===- RandomProgramKinds.cpp - The kinds of random programs --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kind is a small program around one way in which threads wait for each other.
// A thread's costs vary by a generator of its own, so that the program does the same
// work however fast it runs.
//
//===----------------------------------------------------------------------===//
#include "RandomProgramKinds.h"

#include <deque>

using namespace __causal;
using Program = RandomProgram;

// Runs Worker(Thread, Random) on so many threads, and waits for them.
template <typename Function>
static void onThreads(Simulator &S, const Program &P, unsigned Count, Function Worker) {
  std::vector<int> Workers;
  for (unsigned I = 0; I < Count; ++I)
    Workers.push_back(S.spawn([&P, &Worker, I] {
      Random R = P.random(I);
      Worker(I, R);
    }));
  for (int W : Workers)
    S.join(W);
}

// No thread waits for another one. By Shape, each does all of the lines or one.
static void compute(Simulator &S, const Program &P) {
  bool All = P.Shape[0] & 1;
  onThreads(S, P, P.Threads, [&](unsigned I, Random &R) {
    while (S.running()) {
      for (uint32_t L = 1; L <= P.Cost.size(); ++L)
        if (All || L == 1 + I % P.Cost.size())
          P.work(S, L, R);
      S.progress();
    }
  });
}

// What varies does so from round to round.
static void forkJoin(Simulator &S, const Program &P) {
  Random Own = P.random(1000);
  std::vector<Random> Of;
  for (unsigned I = 0; I < P.Threads; ++I)
    Of.push_back(P.random(I));
  while (S.running()) {
    onThreads(S, P, P.Threads, [&](unsigned I, Random &) { P.work(S, 1 + I % 2, Of[I]); });
    if (P.Shape[0] & 1)
      P.work(S, 3, Own);
    S.progress();
  }
}

static void mutex(Simulator &S, const Program &P) {
  Simulator::Mutex M[3];
  unsigned Locks = 1 + P.Shape[0] % 3;
  onThreads(S, P, P.Threads, [&](unsigned, Random &R) {
    while (S.running()) {
      Simulator::Mutex &Mine = M[R.below(Locks)];
      S.lock(Mine);
      P.work(S, 1, R);
      S.unlock(Mine);
      P.work(S, 2, R);
      S.progress();
    }
  });
}

namespace {
/// A bounded queue of items without content.
struct Queue {
  Simulator::Mutex M;
  Simulator::Condition NotFull, NotEmpty;
  unsigned Size = 0, Capacity = 1, Producers = 0;

  void push(Simulator &S) {
    S.lock(M);
    while (Size == Capacity)
      S.wait(NotFull, M);
    ++Size;
    S.signal(NotEmpty);
    S.unlock(M);
  }
  bool pop(Simulator &S) {
    S.lock(M);
    while (!Size && Producers)
      S.wait(NotEmpty, M);
    bool Got = Size;
    if (Got) {
      --Size;
      S.signal(NotFull);
    }
    S.unlock(M);
    return Got;
  }
  void close(Simulator &S) {
    S.lock(M);
    --Producers;
    S.broadcast(NotEmpty);
    S.unlock(M);
  }
};
} // namespace

// As many stages as lines, with one or more threads each.
static void pipeline(Simulator &S, const Program &P) {
  unsigned Stages = static_cast<unsigned>(P.Cost.size());
  std::vector<Queue> Queues(Stages);
  for (unsigned I = 0; I < P.Threads; ++I)
    ++Queues[I % Stages].Producers;
  for (Queue &Q : Queues)
    Q.Capacity = 1u << P.Shape[0] % 6;
  onThreads(S, P, P.Threads, [&](unsigned I, Random &R) {
    unsigned Stage = I % Stages;
    while (Stage ? Queues[Stage - 1].pop(S) : S.running()) {
      P.work(S, Stage + 1, R);
      if (Stage + 1 < Stages)
        Queues[Stage].push(S);
      else
        S.progress();
    }
    Queues[Stage].close(S);
  });
}

static void barrier(Simulator &S, const Program &P) {
  Simulator::Barrier B{P.Threads, {}};
  uint64_t LastRound = ~0ull;
  onThreads(S, P, P.Threads, [&](unsigned I, Random &R) {
    for (uint64_t Round = 0; Round < LastRound; ++Round) {
      P.work(S, 1 + I % 3, R);
      if (!I) {
        S.progress();
        if (!S.running())
          LastRound = Round + 1;
      }
      S.wait(B);
    }
  });
}

// Producers and consumers with semaphores.
static void pool(Simulator &S, const Program &P) {
  unsigned Producers = 1 + P.Shape[0] % (P.Threads - 1);
  Simulator::Semaphore Free{1 + P.Shape[1] % 64, {}}, Full{0, {}};
  Simulator::Mutex M;
  unsigned Left = Producers;
  uint64_t Items = 0;
  onThreads(S, P, P.Threads, [&](unsigned I, Random &R) {
    if (I < Producers) {
      while (S.running()) {
        P.work(S, 1, R);
        S.wait(Free);
        S.lock(M);
        ++Items;
        S.unlock(M);
        S.post(Full);
      }
      if (!--Left) // Wake every consumer for the last time.
        for (unsigned C = Producers; C < P.Threads; ++C)
          S.post(Full);
      return;
    }
    for (;;) {
      S.wait(Full);
      S.lock(M);
      bool Got = Items;
      Items -= Got;
      S.unlock(M);
      if (!Got)
        return;
      S.post(Free);
      P.work(S, 2, R);
      S.progress();
    }
  });
}

static void readWrite(Simulator &S, const Program &P) {
  Simulator::SharedMutex M;
  onThreads(S, P, P.Threads, [&](unsigned, Random &R) {
    while (S.running()) {
      if (R.below(100) < 2 + P.Shape[0] % 50) {
        S.lock(M);
        P.work(S, 1, R);
        S.unlock(M);
      } else {
        S.lockShared(M);
        P.work(S, 2, R);
        S.unlockShared(M);
      }
      P.work(S, 3, R);
      S.progress();
    }
  });
}

static void semaphore(Simulator &S, const Program &P) {
  Simulator::Semaphore Permits{1 + P.Shape[0] % P.Threads, {}};
  onThreads(S, P, P.Threads, [&](unsigned, Random &R) {
    while (S.running()) {
      S.wait(Permits);
      P.work(S, 1, R);
      S.post(Permits);
      P.work(S, 2, R);
      S.progress();
    }
  });
}

static void joinTree(Simulator &S, const Program &P) {
  struct Node {
    Simulator &S;
    const Program &P;
    std::vector<Random> Of;
    void run(unsigned Depth, unsigned Number) {
      Random &R = Of[Number];
      if (!Depth)
        return P.work(S, 1 + Number % 2, R);
      int Left = S.spawn([this, Depth, Number] { run(Depth - 1, 2 * Number); });
      run(Depth - 1, 2 * Number + 1);
      S.join(Left);
      P.work(S, 3, R);
    }
  } Tree{S, P, {}};
  unsigned Depth = 0;
  while (2u << Depth <= P.Threads)
    ++Depth;
  for (unsigned Number = 0; Number < 2u << Depth; ++Number)
    Tree.Of.push_back(P.random(Number));
  while (S.running()) {
    Tree.run(Depth, 1);
    S.progress();
  }
}

// Requests of the outside world, with a lock that they share.
static void inputOutput(Simulator &S, const Program &P) {
  Simulator::Mutex M;
  bool Locks = P.Shape[0] & 1;
  onThreads(S, P, P.Threads, [&](unsigned, Random &R) {
    while (S.running()) {
      S.sleep(P.Wait / 2 + R.below(static_cast<uint32_t>(P.Wait)));
      P.work(S, 1, R);
      if (Locks)
        S.lock(M);
      P.work(S, 2, R);
      if (Locks)
        S.unlock(M);
      S.progress();
    }
  });
}

// All compute, then all share a lock, and so on.
static void phases(Simulator &S, const Program &P) {
  Simulator::Barrier B{P.Threads, {}};
  Simulator::Mutex M;
  uint64_t LastRound = ~0ull;
  onThreads(S, P, P.Threads, [&](unsigned I, Random &R) {
    for (uint64_t Round = 0; Round < LastRound; ++Round) {
      for (unsigned J = 0; J < 1 + P.Shape[0] % 10; ++J)
        P.work(S, 1, R);
      S.wait(B);
      for (unsigned J = 0; J < 1 + P.Shape[1] % 10; ++J) {
        S.lock(M);
        P.work(S, 2, R);
        S.unlock(M);
        P.work(S, 3, R);
      }
      if (!I) {
        S.progress();
        if (!S.running())
          LastRound = Round + 1;
      }
      S.wait(B);
    }
  });
}

// A thread for each piece of work, up to Threads at once.
static void shortThreads(Simulator &S, const Program &P) {
  Simulator::Mutex M;
  Random Own = P.random(1000);
  std::deque<int> Running;
  unsigned Number = 0;
  while (S.running()) {
    if (Running.size() == P.Threads) {
      S.join(Running.front());
      Running.pop_front();
    }
    Running.push_back(S.spawn([&S, &P, &M, Number] {
      Random R = P.random(Number);
      P.work(S, 1, R);
      S.lock(M);
      P.work(S, 2, R);
      S.unlock(M);
      S.progress();
    }));
    ++Number;
    if (P.Shape[0] & 1)
      P.work(S, 3, Own);
  }
  for (int T : Running)
    S.join(T);
}

// Rounds by spinning on atomics, which nobody wraps.
static void spin(Simulator &S, const Program &P) {
  Simulator::Flag Go, Done;
  constexpr uint32_t SpinLine = 100;
  unsigned Left = 0;
  bool Stop = false;
  onThreads(S, P, P.Threads, [&](unsigned I, Random &R) {
    for (uint64_t Round = 1; !Stop; ++Round) {
      if (I) {
        S.spinUntil(Go, Round, SpinLine);
        if (Stop)
          return;
        P.work(S, 2, R);
        S.beforeUpdate();
        if (!--Left)
          S.set(Done, Round);
        continue;
      }
      P.work(S, 1, R);
      Left = P.Threads - 1;
      Stop = !S.running();
      S.set(Go, Round);
      P.work(S, 3, R);
      if (!Stop)
        S.spinUntil(Done, Round, SpinLine);
      S.progress();
    }
  });
}

const ProgramKind __causal::ProgramKinds[14] = {
    {"compute", 3, 1, compute},
    {"fork_join", 3, 1, forkJoin},
    {"mutex", 2, 1, mutex},
    {"pipeline", 4, 4, pipeline},
    {"handover", 2, 2, pipeline},
    {"barrier", 3, 3, barrier},
    {"pool", 2, 2, pool},
    {"rwlock", 3, 1, readWrite},
    {"semaphore", 2, 1, semaphore},
    {"join_tree", 3, 2, joinTree},
    {"io", 2, 1, inputOutput},
    {"phases", 3, 1, phases},
    {"short_threads", 3, 1, shortThreads},
    {"spin", 3, 2, spin},
};
