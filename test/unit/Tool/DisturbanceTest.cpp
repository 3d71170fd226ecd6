//===- DisturbanceTest.cpp - Where no verdict is sure ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileText.h"
#include "lib/causal/Diagnosis.h"
#include "lib/causal/SpeedupModel.h"

#include <gmock/gmock.h>

using namespace causal;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A line whose speedup by S makes a period of 500 so long; with \p Fields in each experiment.
ProfileText sweep(double (*Period)(double S), const std::string &Fields = "") {
  ProfileText T;
  T.run();
  for (unsigned S = 0; S <= 100; S += 5)
    for (unsigned I = 0; I < (S ? 2 : 8); ++I)
      T.experiment(1, S, 1000, std::llround(1e6 / Period(S / 100.0)));
  const std::string Place = "\"unsettled\":0,";
  for (size_t At = 0; (At = T.Text.find(Place, At)) != std::string::npos;
       At += Place.size() + Fields.size())
    T.Text.insert(At, Fields);
  return T;
}
double faster(double S) { return 500 - 200 * S; }
double slower(double S) { return 500 + 200 * S; }
double same(double) { return 500; }
double turns(double S) { return S < 0.6 ? 500 + 200 * S : 620 - 600 * (S - 0.6); }

Verdict verdictOn(const ProfileText &T) { return rankLines(read(T), 0, ModelOptions())[0].Says; }

const char Threads[] = R"("threads":4)", Quiet[] = R"("core_wait":0.1,"threads_per_core":1,)",
           Overloaded[] = R"("core_wait":2.5,"threads_per_core":1,)";

TEST(Disturbance, OverloadLeavesNothingSure) {
  EXPECT_EQ(verdictOn(sweep(faster, Quiet).snapshot(1e6, 1e6, 0, 0, Threads)), Verdict::SpeedsUp);
  ProfileText T = sweep(faster, Overloaded).snapshot(1e6, 1e6, 0, 0, Threads);
  EXPECT_EQ(verdictOn(T), Verdict::Unclear);
  EXPECT_THAT(warningsOn(read(T)), Contains(HasSubstr("none is sure")));
  // A thread alone is in nobody's way.
  EXPECT_EQ(verdictOn(sweep(faster, Overloaded).snapshot(1e6, 1e6, 0, 0, R"("threads":1)")),
            Verdict::SpeedsUp);
}

TEST(Disturbance, WhatTheProfilerHoldsUpIsNoHarm) {
  auto With = [](int Late) {
    ProfileText T = sweep(slower);
    T.line(1, 4000000, 400000); // It runs all the time.
    return T.snapshot(1e6, 1e5, 1, 0, std::string(Threads) + ",\"late\":" + std::to_string(Late));
  };
  EXPECT_EQ(verdictOn(With(40000)), Verdict::SlowsDown);
  EXPECT_EQ(verdictOn(With(400000)), Verdict::Unclear);
}

TEST(Disturbance, ACurveThatTurnsIsNotSure) {
  EXPECT_EQ(verdictOn(sweep(turns)), Verdict::Unclear);
}

TEST(Disturbance, OfWhatSleepsNothingIsKnown) {
  auto With = [](int64_t CPUTime) {
    return sweep(same).snapshot(1000, 1000, 0, 0, R"("threads":1)", 0,
                                ",\"cpu_time\":" + std::to_string(CPUTime));
  };
  EXPECT_EQ(verdictOn(With(900000000)), Verdict::NoEffect);
  EXPECT_THAT(warningsOn(read(With(900000000))), Not(Contains(HasSubstr("had a core"))));
  EXPECT_EQ(verdictOn(With(80000000)), Verdict::Unclear);
  EXPECT_THAT(warningsOn(read(With(80000000))),
              Contains(HasSubstr("For 92 % of the time (920 ms of 1.00 s) no thread had a core: "
                                 "they slept")));
}

} // namespace
