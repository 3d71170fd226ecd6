//===- LawOfDelaysTest.cpp - Known biases of causal profilers, simulated --===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One program for each way in which predictions are known to go wrong: predicted
// with virtual speedups, then really made faster, in simulated time.
//
//===----------------------------------------------------------------------===//
#include "BiasPrograms.h"

using namespace __causal;

namespace {

// Line 1 for tens of rounds, then line 2 by one thread alone.
void inPhases(Simulator &S, const RandomProgram &P) {
  Random Own = P.random(1000);
  while (S.running()) {
    onThreads(S, P, [&](unsigned, Random &R) {
      for (int I = 0; I < 10; ++I)
        P.work(S, 1, R);
    });
    for (int I = 0; I < 10; ++I)
      P.work(S, 2, Own);
    S.progress();
  }
}

// A producer and a consumer with room for 64 between them.
void buffered(Simulator &S, const RandomProgram &P) {
  Simulator::Semaphore Free{64, {}}, Full{0, {}};
  bool Closed = false;
  onThreads(S, P, [&](unsigned I, Random &R) {
    if (!I) {
      while (S.running()) {
        P.work(S, 1, R);
        S.wait(Free);
        S.post(Full);
      }
      Closed = true;
      return S.post(Full);
    }
    for (;;) {
      S.wait(Full);
      if (Closed)
        return;
      S.post(Free);
      P.work(S, 2, R);
      S.progress();
    }
  });
}

// Whatever is asked for shortly before the end is executed before it is counted: the
// shorter the experiments, the more it would matter.
TEST(Bias, UnsettledDelayAtTheEndOfAnExperiment) {
  RandomProgram P = program(meeting, 2, 4, 5000, 8000, 2, 60);
  for (uint64_t Length : {30_ms, 100_ms, 500_ms}) {
    SimulatorOptions O;
    O.Experiments.Length = Length;
    O.Experiments.MinVisits = 1;
    EXPECT_NEAR(error(P, O), 0, 2.5) << Length;
  }
}

TEST(Bias, Oversleep) {
  RandomProgram P = program(meeting, 2, 4, 5000, 8000, 2, 60);
  SimulatorOptions O;
  O.Machine.SleepLatency = 300_us;
  EXPECT_NEAR(error(P, O), 0, 2.5);
}

TEST(Bias, WakeToRunLatency) {
  SimulatorOptions O;
  O.Machine.WakeLatency = 100_us;
  EXPECT_NEAR(error(program(locked, 3, 4, 2000, 3000, 1, 50), O), 0, 2.5);
}

TEST(Bias, CostOfSamples) {
  SimulatorOptions O;
  O.SampleCost = 20_us;
  EXPECT_NEAR(error(program(locked, 3, 4, 2000, 3000, 1, 50), O), 0, 2.5);
}

// Who holds what all others wait for pays in each of its turns, which are short.
TEST(Bias, CostOfPaying) {
  SimulatorOptions O;
  O.PayCost = 2_us;
  O.Machine.WakeLatency = 1_us;
  for (uint32_t Line : {1, 2})
    EXPECT_NEAR(error(program(locked, 8, 8, 40, 100, Line, 50), O), 0, 1.5);
}

// Threads that live for a few samples; charged in batches they would be gone before
// they owe (the paper's Figure 1: 4.5 %, where Coz predicts 50 %).
TEST(Bias, Batching) { EXPECT_NEAR(error(program(forkJoin, 2, 4, 6700, 6400, 1, 100)), 0, 2.5); }

TEST(Bias, CreditOnWake) {
  RandomProgram P = program(forkJoin, 2, 4, 4000, 8000, 2, 50);
  EXPECT_NEAR(error(P), 0, 2.5);
  SimulatorOptions O;
  O.Credit = false;
  EXPECT_GT(std::abs(error(P, O)), 10) << "a thread that waited has to be credited";
}

// Less than a period each: the random first period gives each its share.
TEST(Bias, ShortThreads) { EXPECT_NEAR(error(program(forkJoin, 2, 4, 700, 300, 1, 25)), 0, 6); }

// What the threads of earlier rounds have shown tells what those of this one do.
TEST(Bias, ShortThreadsSideBySide) {
  EXPECT_NEAR(error(program(forkJoin, 2, 4, 200, 300, 2, 50)), 0, 2.5);
  EXPECT_NEAR(error(program(forkJoin, 8, 16, 200, 300, 2, 50)), 0, 4);
  EXPECT_NEAR(error(program(forkJoin, 8, 16, 100, 200, 2, 50)), 0, 12);
}

TEST(Bias, Phases) {
  EXPECT_NEAR(error(program(inPhases, 4, 4, 3000, 2000, 1, 50)), 0, 2.5);
  EXPECT_NEAR(error(program(inPhases, 4, 4, 3000, 2000, 2, 50)), 0, 2.5);
}

// More waiters than the lock can serve: whoever loses the race is credited as well.
TEST(Bias, LostRaceForALock) { EXPECT_NEAR(error(program(locked, 8, 8, 1500, 500, 1, 50)), 0, 3); }

TEST(Bias, OutsideWorld) {
  RandomProgram P = program(served, 3, 4, 3000, 2000, 1, 50);
  P.Wait = 5000_us;
  EXPECT_NEAR(error(P), 0, 2.5);
}

// They are as likely sampled as others, by the time that they live.
TEST(Bias, VeryShortThreads) {
  EXPECT_NEAR(error(program(forkJoin, 2, 8, 38, 24, 1, 35)), 0, 2);
  EXPECT_NEAR(error(program(forkJoin, 2, 8, 45, 20, 1, 50)), 0, 2);
}

// Pieces about as long as a period are hit once, or not at all, or twice.
TEST(Bias, PiecesAsLongAsAPeriod) {
  EXPECT_NEAR(error(program(forkJoin, 8, 8, 1000, 500, 1, 50)), 0, 1);
  EXPECT_NEAR(error(program(meeting, 3, 4, 1500, 1000, 1, 80)), 0, 1);
  EXPECT_NEAR(error(program(meeting, 3, 4, 900, 1200, 2, 50)), 0, 1);
}

// A delay is as long as a sample times the speedup. Threads that meet more often than
// that would wait for each other's delays, did these not accrue (law 11).
TEST(Bias, Lumps) {
  EXPECT_NEAR(error(program(meeting, 2, 4, 300, 500, 2, 50)), 0, 1.5);
  EXPECT_NEAR(error(program(meeting, 2, 4, 60, 100, 2, 50)), 0, 2.5);
  EXPECT_NEAR(error(program(meeting, 8, 8, 200, 200, 2, 50)), 0, 2.5);
}

// What is too little to pay for is forgiven by the next wait.
TEST(Bias, SmallDebts) {
  EXPECT_NEAR(error(program(meeting, 8, 8, 20, 10, 1, 50)), 0, 0.6);
  EXPECT_NEAR(error(program(meeting, 8, 8, 50, 25, 1, 50)), 0, 0.3);
  EXPECT_NEAR(error(program(forkJoin, 8, 8, 20, 10, 1, 50)), 0, 1);
  EXPECT_NEAR(error(program(forkJoin, 8, 8, 50, 25, 1, 50)), 0, 0.6);
}

// Who is woken for a mutex comes late, and pays for it. With the mutex in its hands all
// others would wait meanwhile, come later yet, and so on.
TEST(Bias, LateForAMutex) {
  RandomProgram::Main Handover = kind("handover");
  for (uint32_t Line : {1, 2}) {
    RandomProgram Crowd = program(Handover, 31, 33, 32, 24, Line, 75);
    Crowd.Shape[0] = 1;
    EXPECT_NEAR(error(Crowd), 0, 5);
  }
}

// A thread that spins would pay at its next sample, when the others wait for it again.
TEST(Bias, Spinning) {
  SimulatorOptions Unseen;
  Unseen.SpinLoopsSeen = false;
  RandomProgram::Main Spin = kind("spin");
  RandomProgram InTurn = program(Spin, 2, 4, 200, 300, 1, 50);
  InTurn.Cost.push_back(0);
  EXPECT_NEAR(error(InTurn), 0, 1);
  EXPECT_LT(error(InTurn, Unseen), -10);
  RandomProgram InRounds = program(Spin, 4, 8, 60, 90, 2, 50);
  InRounds.Cost.push_back(0);
  EXPECT_NEAR(error(InRounds), 0, 1);
  EXPECT_LT(error(InRounds, Unseen), -30);
  // What is done before a store lets the others go on, and what is done behind it.
  RandomProgram BehindAStore = program(Spin, 4, 8, 540, 440, 1, 75);
  BehindAStore.Cost.push_back(380_us);
  EXPECT_NEAR(error(BehindAStore), 0, 1);
  RandomProgram Short = program(Spin, 2, 4, 29, 20, 1, 90);
  Short.Cost.push_back(20_us);
  EXPECT_NEAR(error(Short), 0, 3);
  // Half of the time nothing has to be waited for, and it is a meeting all the same.
  RandomProgram OftenThere = program(Spin, 2, 4, 82, 100, 1, 80);
  OftenThere.Cost.push_back(77_us);
  OftenThere.Jitter = 90;
  EXPECT_NEAR(error(OftenThere), 0, 2);
}

// What is done with a lock held is a context of its own.
TEST(Bias, LumpsInLocks) {
  EXPECT_NEAR(error(program(locked, 8, 8, 330, 660, 1, 65)), 0, 1.5);
  for (uint32_t Speedup : {25, 50, 75})
    EXPECT_NEAR(error(program(locked, 3, 8, 200, 300, 1, Speedup)), 0, 1.5);
}

// Where a thread takes many locks they are no meetings, and a hit is due at once. Who pays for
// it with the lock holds up whom it hit; and who comes for the lock while that is being sampled
// waits for the sample, and would have been at work.
TEST(Bias, LocksShorterThanASample) {
  SimulatorOptions O;
  O.LocksMeet = false;
  O.SampleCost = 15_us;
  O.Machine.WakeLatency = 0; // As with a spin lock.
  for (uint32_t Line : {1, 2})
    for (uint32_t Speedup : {25, 50}) {
      EXPECT_NEAR(error(program(locked, 2, 2, 2, 10, Line, Speedup), O), 0, 1.5);
      EXPECT_NEAR(error(program(locked, 2, 2, 6, 30, Line, Speedup), O), 0, 1.5);
    }
}

// Pauses as long as dozens of turns with a lock do not show that it is waited for, once what is
// done without it gets shorter; what accrues does, if it is paid before it is a turn's worth.
TEST(Bias, LocksThatBecomeTheBottleneck) {
  SimulatorOptions O;
  O.SampleCost = 15_us;
  O.PayCost = 200;
  O.Machine.WakeLatency = 0;
  for (uint32_t Speedup : {50, 75}) {
    EXPECT_NEAR(error(program(locked, 2, 2, 3, 4, 2, Speedup), O), 0, 1.5);
    EXPECT_NEAR(error(program(locked, 2, 2, 12, 16, 2, Speedup), O), 0, 1.5);
  }
  O.LocksMeet = false;
  EXPECT_GT(error(program(locked, 2, 2, 3, 4, 2, 75), O), 15);
}

// Whoever comes upon a pause with the lock held would sleep, be woken late, and stay in a convoy.
TEST(Bias, WokenForPauses) {
  SimulatorOptions O;
  O.SampleCost = 15_us;
  O.PayCost = 2_us;
  O.Machine.WakeLatency = 40_us;
  EXPECT_NEAR(error(program(locked, 2, 2, 10, 50, 2, 50), O), 0, 20);
}

// Who is late for a lock would wait for it no more, or again.
TEST(Bias, LocksThatAreOftenWaitedFor) {
  for (uint64_t Period : {100_us, 250_us, 1000_us}) {
    SimulatorOptions O;
    O.Period = Period;
    EXPECT_NEAR(error(program(locked, 3, 8, 2000, 3000, 1, 50), O), 0, 1.5);
    EXPECT_NEAR(error(program(locked, 3, 8, 20, 300, 2, 50), O), 0, 3);
  }
}

// A lock that nobody waits for is held longer by a pause all the same: who comes next
// would have come while it was held.
TEST(Bias, UnlockingWithoutWaiters) {
  EXPECT_NEAR(error(program(locked, 3, 8, 200, 400, 2, 65)), 0, 2.5);
  EXPECT_NEAR(error(program(locked, 3, 8, 33, 66, 2, 65)), 0, 2.5);
}

// A full queue hides the producer until it has run empty: experiments have to last
// longer than what the program remembers.
TEST(Bias, Memory) {
  RandomProgram P = program(buffered, 2, 4, 10000, 10000, 2, 80);
  EXPECT_GT(error(P), 3);
  SimulatorOptions O;
  O.Experiments.Length = 4000_ms;
  EXPECT_NEAR(error(P, O), 0, 3);
}

} // namespace
