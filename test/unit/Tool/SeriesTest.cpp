//===- SeriesTest.cpp --------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Series.h"
#include "ProfileText.h"

#include "SimulatedProfile.h"

#include "llvm/Support/FormatVariadic.h"

#include <random>

using namespace causal;

namespace {

TEST(Series, ComparesWithinARun) {
  ProfileText A, B;
  B.Id = "r2";
  for (ProfileText *T : {&A, &B}) {
    int Visits = T == &A ? 1000 : 500;
    T->run().experiment(1, 0, 1000, Visits).experiment(1, 50, 1000, Visits);
    T->experiment(1, 0, 1000, Visits);
  }
  ReadResult R({A.Text, B.Text});
  Series S = makeSeries(R.P, 0);
  ASSERT_EQ(S.Strata.size(), 2u);
  for (const TimedObservation &T : S.All)
    EXPECT_DOUBLE_EQ(S.expected(T), T.O.Visits);
}

TEST(Series, JoinsRunsThatHaveNoBaselinesOfTheirOwn) {
  ProfileText A, B;
  B.Id = "r2";
  A.run().experiment(1, 0, 1000, 1000).experiment(1, 0, 1000, 1000);
  B.run().experiment(1, 50, 1000, 1000);
  ReadResult R({A.Text, B.Text});
  Series S = makeSeries(R.P, 0);
  EXPECT_EQ(S.Strata.size(), 1u);
  EXPECT_DOUBLE_EQ(S.expected(S.All.back()), 1000);
}

TEST(Series, RunsThatAreOneExperimentEachAreOneStratum) {
  ProfileText T;
  for (int I = 0; I < 30; ++I) {
    T.Id = "r" + std::to_string(10 + I);
    T.run().experiment(1, I % 3 ? 50 : 0, 1000 + I % 2,
                       R"({"name":"run","kind":"run","visits":1})");
  }
  Series S = makeSeries(read(T), 0);
  EXPECT_EQ(S.Strata.size(), 1u);
  EXPECT_EQ(S.Blocks, 30u);
}

TEST(Series, DoesNotDependOnTheOrderOfFiles) {
  ProfileText A, B;
  B.Id = "r2";
  for (ProfileText *T : {&A, &B})
    for (int I = 0; I < 3; ++I)
      T->experiment(1, 0, 1000, 1000 + I).experiment(1, 50, 1000, 1500);
  EXPECT_EQ(makeSeries(ReadResult({A.Text, B.Text}).P, 0).Seed,
            makeSeries(ReadResult({B.Text, A.Text}).P, 0).Seed);
}

SimulatedProgram regular(double Drift) {
  SimulatedProgram P{"", {{[](double S) { return 0.5 * S; }}}};
  P.Dispersion = 0.05;
  P.Drift = Drift;
  return P;
}

TEST(Series, CutsARunAsFineAsTheMachineDrifts) {
  EXPECT_EQ(makeSeries(simulate(regular(0), 1), 0).Strata.size(), 1u);
  EXPECT_GE(makeSeries(simulate(regular(0.2), 1), 0).Strata.size(), 10u);
}

// Experiments of equal length in a phase of dear units of work and one of cheap ones.
TEST(Series, CountsDearAndCheapUnitsByTheirTime) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 240; ++I)
    T.experiment(1, I % 3 ? 50 : 0, 100, (I < 120 ? 200 : 2000) + I % 7, /*Samples=*/0);
  Profile P = read(T); // The series has pointers to its experiments.
  Series S = makeSeries(P, 0);
  ASSERT_GE(S.Strata.size(), 10u);
  double Dear = 0, Cheap = 0;
  for (const TimedObservation &O : S.All)
    if (O.Of->Speedup)
      (O.Of->Index < 120 ? Dear : Cheap) += S.expected(O);
  EXPECT_NEAR(Dear / Cheap, 1, 0.05);
}

std::string point(int EarlyVisits, int LateVisits, int Milliseconds, int LeadInVisits) {
  return llvm::formatv(R"({{"name":"p","kind":"throughput","visits":{0},)"
                       R"("span":{3}00000,"span_visits":{1},)"
                       R"("late_span":{4}00000,"late_visits":{2}})",
                       LeadInVisits + EarlyVisits + LateVisits, EarlyVisits + LateVisits,
                       LateVisits, 8 * Milliseconds, 4 * Milliseconds)
      .str();
}
std::string point(int EarlyVisits, int LateVisits, int Milliseconds) {
  return point(EarlyVisits, LateVisits, Milliseconds, Milliseconds / 5);
}

// Where a queue runs empty a point is visited faster at first than it can be for long.
struct Queue {
  double Early, Late; ///< Visits per baseline visit, with a speedup.

  void addTo(ProfileText &T, int Milliseconds, int Pairs) const {
    std::mt19937 Random(1);
    std::normal_distribution<double> Noise(1, 0.03);
    for (int I = 0; I < Pairs; ++I)
      for (int Speedup : {0, 50}) {
        auto Part = [&](double PerVisit) {
          return int(0.4 * Milliseconds * (Speedup ? PerVisit : 1) * Noise(Random));
        };
        int EarlyVisits = Part(Early), LateVisits = Part(Late);
        T.experiment(1, Speedup, Milliseconds, point(EarlyVisits, LateVisits, Milliseconds),
                     /*Samples=*/0,
                     /*InsertedDelay=*/0);
      }
  }
  Profile profile() const {
    ProfileText T;
    T.run();
    addTo(T, 1000, 60);
    return read(T);
  }
};

double exposure(const Series &S, int Milliseconds) {
  double Sum = 0;
  for (const TimedObservation &T : S.All)
    Sum += T.Of->Wall == Milliseconds * int64_t(1000000) ? T.O.Exposure : 0;
  return Sum;
}

TEST(Series, OfAProgramThatSettlesLateIsTheLatePart) {
  Profile P = Queue{1.8, 1.6}.profile();
  Series S = makeSeries(P, 0);
  EXPECT_DOUBLE_EQ(exposure(S, 1000), 120 * 0.4e9);
  double Seen = 0, Expected = 0;
  for (const TimedObservation &T : S.All)
    if (T.Of->Speedup) {
      Seen += T.O.Visits;
      Expected += S.expected(T);
    }
  EXPECT_NEAR(Seen / Expected, 1.6, 0.02);
}

// Requests so short that none was in flight when it was looked at say nothing of latency,
// and do not hide what others say.
TEST(Series, ALatePartWithNothingInFlightIsLeftOut) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 60; ++I)
    for (int Speedup : {0, 50}) {
      double Late = I == 7 ? 0 : (Speedup ? 3 : 2) + 0.1 * (I % 3);
      T.experiment(1, Speedup, 1000,
                   llvm::formatv(R"({{"name":"r","kind":"latency","begins":900,"ends":900,)"
                                 R"("in_flight":2.1,"span":800000000,"span_visits":800,)"
                                 R"("late_span":400000000,"late_visits":400,)"
                                 R"("late_in_flight":{0:f1}})",
                                 Late)
                       .str(),
                   /*Samples=*/0, /*InsertedDelay=*/0);
    }
  EXPECT_DOUBLE_EQ(exposure(makeSeries(read(T), 0), 1000), 120 * 0.4e9);
}

TEST(Series, OfOneThatDoesNotIsAllOfIt) {
  Profile P = Queue{1.6, 1.6}.profile();
  Series S = makeSeries(P, 0);
  EXPECT_DOUBLE_EQ(exposure(S, 1000), 120 * 0.8e9);
}

// Each sample of a line delays by more at a large speedup, so what is visited in a part
// of an experiment scatters more.
TEST(Series, ScatterOfLargeSpeedupsIsNoSettling) {
  unsigned TakenForLate = 0;
  constexpr unsigned Programs = 40;
  for (unsigned Program = 0; Program < Programs; ++Program) {
    ProfileText T;
    T.run();
    std::mt19937 Random(Program);
    for (int I = 0; I < 10; ++I)
      for (int Speedup : {0, 0, 0, 0, 0, 0, 0, 0, 20, 100}) {
        std::normal_distribution<double> Noise(1, Speedup > 60 ? 0.1 : 0.005);
        int Early = int(400 * Noise(Random)), Late = int(400 * Noise(Random));
        T.experiment(1, Speedup, 1000, point(Early, Late, 1000), /*Samples=*/0,
                     /*InsertedDelay=*/0);
      }
    TakenForLate += exposure(makeSeries(read(T), 0), 1000) < 100 * 0.7e9;
  }
  EXPECT_LE(TakenForLate, 2u) << "of " << Programs << "; one in a hundred is expected";
}

// Nor is the scatter of many lines of few experiments each.
TEST(Series, ManyLinesAreNoSettling) {
  unsigned TakenForLate = 0;
  constexpr unsigned Programs = 100;
  for (unsigned Program = 0; Program < Programs; ++Program) {
    ProfileText T;
    T.run();
    std::mt19937 Random(Program);
    for (int I = 0; I < 4; ++I)
      for (int Line = 1; Line <= 10; ++Line)
        for (int Speedup : {0, 20, 40, 60, 80, 100}) {
          std::normal_distribution<double> Noise(1, 0.01 + 0.0005 * Speedup);
          int Early = int(400 * Noise(Random)), Late = int(400 * Noise(Random));
          T.experiment(Line, Speedup, 1000, point(Early, Late, 1000), /*Samples=*/0,
                       /*InsertedDelay=*/0);
        }
    TakenForLate += exposure(makeSeries(read(T), 0), 1000) < 240 * 0.7e9;
  }
  EXPECT_LE(TakenForLate, 5u) << "of " << Programs << "; one is expected";
}

// A line is selected when it runs. Work that is done more slowly while it does gets faster
// when it is over, at any speedup.
TEST(Series, APhaseThatEndsIsNoSettling) {
  ProfileText T;
  T.run();
  std::mt19937 Random(1);
  std::normal_distribution<double> Noise(1, 0.02);
  for (int I = 0; I < 40; ++I)
    for (int Speedup : {0, 30, 80})
      for (int Line : {1, 2}) {
        int Early = int(400 * Noise(Random)), Late = int((Line == 1 ? 440 : 400) * Noise(Random));
        T.experiment(Line, Speedup, 1000, point(Early, Late, 1000), /*Samples=*/0,
                     /*InsertedDelay=*/0);
      }
  EXPECT_DOUBLE_EQ(exposure(makeSeries(read(T), 0), 1000), 240 * 0.8e9);
}

// The runtime has made them longer, and that was enough.
TEST(Series, OfOneThatSettlesLateInShortExperimentsIsAllOfTheLongOnes) {
  ProfileText T;
  T.run();
  Queue{1.8, 1.6}.addTo(T, 1000, 100);
  Queue{1.6, 1.6}.addTo(T, 4000, 20);
  Profile P = read(T);
  Series S = makeSeries(P, 0);
  EXPECT_DOUBLE_EQ(exposure(S, 1000), 200 * 0.4e9);
  EXPECT_NEAR(exposure(S, 4000), 40 * 3.2e9, 40 * 0.1e9);
}

TEST(Series, LongExperimentsAreAsLateAsShortOnesUntilThereAreEnough) {
  ProfileText T;
  T.run();
  Queue{1.8, 1.6}.addTo(T, 1000, 60);
  Queue{1.6, 1.6}.addTo(T, 4000, 3);
  EXPECT_NEAR(exposure(makeSeries(read(T), 0), 4000), 6 * 1.6e9, 6 * 0.2e9);
}

unsigned speedUps(const Series &S, int Milliseconds) {
  unsigned Number = 0;
  for (const TimedObservation &T : S.All)
    Number += T.Of->Speedup && T.Of->Wall == Milliseconds * int64_t(1000000);
  return Number;
}

// Even the late part of a short one may be too early. Baselines are none the worse for it.
TEST(Series, LongExperimentsReplaceShortOnesOnceTheyAreAsMuch) {
  for (int LongPairs : {19, 20}) {
    ProfileText T;
    T.run();
    Queue{1.8, 1.7}.addTo(T, 1000, 80);
    Queue{1.6, 1.6}.addTo(T, 4000, LongPairs);
    Profile P = read(T);
    Series S = makeSeries(P, 0);
    EXPECT_EQ(speedUps(S, 1000), LongPairs < 20 ? 80u : 0u);
    EXPECT_EQ(speedUps(S, 4000), unsigned(LongPairs));
    EXPECT_DOUBLE_EQ(exposure(S, 1000), (LongPairs < 20 ? 160 : 80) * 0.4e9);
  }
}

// Queues that a large speedup of line 1 empties at once, so that the parts are alike.
void addWithBacklog(ProfileText &T, int Milliseconds, int Pairs, int Backlog) {
  for (int I = 0; I < Pairs; ++I)
    for (unsigned Line : {1, 2})
      for (int Speedup : {0, 75}) {
        bool Faster = Line == 1 && Speedup;
        int Visits = (Faster ? 3 : 2) * Milliseconds / 5 + I % 3;
        T.experiment(
            Line, Speedup, Milliseconds,
            point(Visits, Visits, Milliseconds, Visits / 2 + (Faster ? Backlog + I % 2 : 0)),
            /*Samples=*/0, /*InsertedDelay=*/0);
      }
}

TEST(Series, WhereAQueueRunsEmptyItIsTheLatePart) {
  for (int Backlog : {10, 100}) {
    ProfileText T;
    T.run();
    addWithBacklog(T, 1000, 6, Backlog);
    double Late = Backlog == 100 ? 6 * 0.4e9 : 0;
    EXPECT_NEAR(exposure(makeSeries(read(T), 0), 1000), 24 * 0.8e9 - Late, 1)
        << "of line 1, if the queue is long";
  }
}

TEST(Series, FewLongExperimentsDoNotReplaceShortOnes) {
  ProfileText T;
  T.run();
  Queue{1.6, 1.6}.addTo(T, 1000, 30);
  Queue{1.6, 1.6}.addTo(T, 4000, 15);
  Profile P = read(T);
  EXPECT_EQ(speedUps(makeSeries(P, 0), 1000), 30u);
}

TEST(Series, AnAccidentCountsForLittle) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 20; ++I)
    T.experiment(1, 0, 1000, I == 7 ? 10 : 1000 + I % 3).experiment(1, 50, 1000, 2000);
  Profile P = read(T);
  Series S = makeSeries(P, 0);
  EXPECT_NEAR(S.Baseline.Period, 1e6, 0.01e6);
}

} // namespace
