//===- task_graph.cpp - Tasks of all kinds, taken at one place ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two threads run the tasks of a frame, as job systems of games do: chains of two, then one
// task by itself. Whoever ends the last one that a task has to wait for goes on with that.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Task {
  std::function<void()> Run;
  Task *Successor = nullptr;
  std::atomic<unsigned> Left{0}; // Of those that it has to wait for.
};

class Workers {
public:
  explicit Workers(std::vector<Task> &First) : Ready(First) {}
  void runFrame() {
    {
      std::lock_guard<std::mutex> Lock(M);
      Index = 0;
      ++Frame;
      Begun.notify_one();
    }
    takeAll();
    std::unique_lock<std::mutex> Lock(M);
    Ended.wait(Lock, [this] { return Finished == Frame; });
  }
  void stop() {
    {
      std::lock_guard<std::mutex> Lock(M);
      Stopped = true;
      Begun.notify_one();
    }
    Other.join();
  }

private:
  void work() {
    for (unsigned long Seen = 0;;) {
      {
        std::unique_lock<std::mutex> Lock(M);
        Begun.wait(Lock, [&] { return Frame != Seen || Stopped; });
        if (Stopped)
          return;
        Seen = Frame;
      }
      takeAll();
    }
  }
  void takeAll() {
    for (size_t I; (I = Index.fetch_add(1)) < Ready.size();)
      run(&Ready[I]);
  }
  void run(Task *T) {
    for (;;) {
      T->Run();
      if (!T->Successor) {
        std::lock_guard<std::mutex> Lock(M);
        Finished = Frame;
        Ended.notify_one();
        return;
      }
      if (T->Successor->Left.fetch_sub(1) != 1)
        return;
      T = T->Successor;
    }
  }

  std::vector<Task> &Ready;
  std::mutex M;
  std::condition_variable Begun, Ended;
  unsigned long Frame = 0, Finished = 0;
  bool Stopped = false;
  std::atomic<size_t> Index{0};
  std::thread Other{[this] { work(); }};
};

} // namespace

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  constexpr unsigned Chains = 12;
  long Early = accuracy::region("early", 30), Late = accuracy::region("late", 30);
  long Alone = accuracy::region("alone", 200);
  std::vector<Task> Ready(Chains), Second(Chains);
  Task Last;
  Last.Run = [=] {
    WORK(Alone); // REGION alone
  };
  for (unsigned I = 0; I < Chains; ++I) {
    Ready[I].Run = [=] {
      WORK(Early); // REGION early
    };
    Second[I].Run = [=] {
      WORK(Late); // REGION late
    };
    Ready[I].Successor = &Second[I];
    Second[I].Successor = &Last;
  }
  Workers W(Ready);
  while (accuracy::running()) {
    for (Task &T : Second)
      T.Left = 1;
    Last.Left = Chains;
    W.runFrame();
    ITEM_DONE();
  }
  W.stop();
  return accuracy::finish();
}
