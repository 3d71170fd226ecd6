//===- DiagnosisTest.cpp
//-----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Diagnosis.h"
#include "ProfileText.h"
#include "lib/causal/EmptyProfile.h"

#include <gmock/gmock.h>

using namespace causal;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::string reason(const ProfileText &T) {
  std::optional<Emptiness> E = whyEmpty(read(T));
  return E ? E->Keyword : "";
}

TEST(WhyEmpty, TellsTheCasesApart) {
  EXPECT_EQ(reason(ProfileText().run().snapshot(10000, 10000, 0, 0, R"("out_of_scope":900)")),
            "no-sample");
  EXPECT_EQ(reason(ProfileText().run().snapshot(900, 900, 0, 0, R"("unmapped":900)")), "no-sample");
  EXPECT_EQ(reason(ProfileText().run().line(1, 10, 10).snapshot(300, 300, 1)), "too-short");
  EXPECT_EQ(reason(ProfileText().run()), "too-short");
  EXPECT_EQ(reason(ProfileText().run().line(1, 10, 10).snapshot(10000, 10000, 1)),
            "no-progress-point");
  EXPECT_EQ(reason(ProfileText().run().experiment(1, 0, 500, 0).experiment(1, 50, 500, 0)),
            "no-progress-point");
  EXPECT_EQ(reason(ProfileText().run().experiment(1, 0, 500, "")), "no-progress-point");
  EXPECT_EQ(reason(ProfileText().run().experiment(1, 0, 500, 50)), "too-short");
  ProfileText Baselines = ProfileText().run();
  for (int I = 0; I < 20; ++I)
    Baselines.experiment(1, 0, 500, 50);
  EXPECT_EQ(reason(Baselines), "only-baselines");
  EXPECT_EQ(reason(ProfileText().run().experiment(1, 0, 500, 50).experiment(1, 50, 500, 50)), "");
}

TEST(WhyEmpty, AShortRunTellsOfItsOptions) {
  auto Short = [](int64_t Samples) {
    ProfileText T;
    T.run().line(1, Samples, 0).snapshot(900, 0, 1);
    T.Text.replace(T.Text.find(R"("options":"")"), 12, R"("options":"fixed_line=no.c:7")");
    return T;
  };
  EXPECT_EQ(reason(Short(900)), "fixed-line");
  EXPECT_EQ(reason(Short(10)), "too-short");
}

TEST(WhyEmpty, NamesAMissingSampler) {
  ProfileText T;
  T.run();
  T.Text.replace(T.Text.find("perf-sigtrap"), 12, "none");
  EXPECT_EQ(reason(T), "no-sampler");
}

std::vector<std::string> warnings(const std::string &Losses) {
  return warningsOn(
      read(ProfileText().run().line(1, 1000, 1000).snapshot(10000, 10000, 1, 0, Losses)));
}

TEST(Warnings, AreSilentOnACleanProfile) {
  EXPECT_THAT(
      warnings(
          R"("dropped":1,"late":9,"unmapped":50,"out_of_scope":500,"oversleep":1000,"threads":4,"yields":900)"),
      IsEmpty());
}

TEST(Warnings, NameTheLossAndTheRemedy) {
  EXPECT_THAT(warnings(R"("dropped":250)"),
              ElementsAre(HasSubstr("20 % of the samples were dropped: the table")));
  EXPECT_THAT(warnings(R"("late":250)"), ElementsAre(HasSubstr("hit the profiler itself")));
  EXPECT_THAT(warnings(R"("unmapped":250)"),
              ElementsAre(HasSubstr("built without -fcausal-profile")));
  EXPECT_THAT(warnings(R"("yields":3000)"),
              ElementsAre(HasSubstr("(they yield 300 times a second; oneTBB")));
  EXPECT_THAT(
      warningsOn(read(ProfileText().run().snapshot(0, 0, 0, 0, R"("yields":9007199254740992)"))),
      testing::Not(testing::Contains(HasSubstr("yield"))))
      << "nothing ran";
  EXPECT_THAT(
      warnings(R"("out_of_scope":4000)"),
      ElementsAre(HasSubstr("80 % of the samples are in lines out of scope: widen scope=")));
  EXPECT_THAT(warnings(R"("oversleep":900000000)"), IsEmpty());
  EXPECT_THAT(warnings(R"("oversleep":2700000000)"),
              ElementsAre(HasSubstr("overslept their pauses by 21 %")));
  EXPECT_THAT(warnings(R"("threads":4,"unsampled_threads":1)"),
              ElementsAre(HasSubstr("1 of 4 threads were not sampled")));
  EXPECT_THAT(warnings(R"("threads":4,"timed_threads":3)"),
              ElementsAre(HasSubstr("3 of 4 threads are sampled by timers")));
}

TEST(Warnings, CountAllSamplesWhereFewHoldALock) {
  auto Of = [](const char *OfSnapshot) {
    ProfileText T;
    T.run().add(
        R"({"type":"line","run":"r1","snapshot":0,"file":"/a.c","line":1,"section":true,"samples":100,"undelayed_samples":9})");
    T.add(llvm::formatv(R"({{"type":"snapshot","run":"r1","index":0,"final":true,"wall":9,)"
                        R"("delay":0,"undelayed_wall":9,"lines":1,"experiments":1,{0},)"
                        R"("losses":{{"late":70,"dropped":4}})",
                        OfSnapshot));
    return warningsOn(read(T));
  };
  EXPECT_THAT(Of(R"("unlocked":9826)"), IsEmpty());
  EXPECT_THAT(Of(R"("sampled_time":2500000000)"), IsEmpty()) << "10000 periods";
  EXPECT_THAT(Of(R"("unlocked":0)"), testing::SizeIs(2));
}

TEST(Warnings, OnCPUTimeWithoutASample) {
  auto Of = [](double SampledSeconds, const char *OfRun, const char *Losses = "") {
    ProfileText T;
    T.add(llvm::formatv(R"({{"type":"run","version":1,"run":"r1",{0}})", OfRun));
    T.line(1, 1000, 1000);
    T.add(llvm::formatv(R"({{"type":"snapshot","run":"r1","index":0,"final":true,"wall":9,)"
                        R"("delay":0,"undelayed_wall":9,"lines":1,"experiments":1,)"
                        R"("cpu_time":4000000000,"sampled_time":{0:f0},"losses":{{{1}}})",
                        1e9 * SampledSeconds, Losses));
    return warningsOn(read(T));
  };
  EXPECT_THAT(Of(3.8, R"("sampler":"timer")"), IsEmpty());
  EXPECT_THAT(Of(0.4, R"("sampler":"timer")"),
              ElementsAre(AllOf(HasSubstr("90 % of the CPU time has no sample"),
                                HasSubstr("perf is refused"))));
  EXPECT_THAT(Of(2, R"("sampler":"perf-sigtrap","kernel":false)"),
              ElementsAre(AllOf(HasSubstr("50 %"), HasSubstr("spent in the kernel"))));
  EXPECT_THAT(Of(2, R"("sampler":"perf-sigtrap")"), ElementsAre(HasSubstr("before a sample came")));
  const char *Perf = R"("sampler":"perf-sigtrap","period":1000000)";
  EXPECT_THAT(Of(2, Perf, R"("threads":1000)"), ElementsAre(HasSubstr("before a sample came")));
  EXPECT_THAT(Of(2, Perf, R"("threads":8,"unsampled_threads":1)"),
              Contains(HasSubstr("before a sample came")));
  EXPECT_THAT(Of(2, Perf, R"("threads":8)"), ElementsAre(HasSubstr("switching between threads")));
}

// What an overloaded machine makes of an experiment is no damage to the file.
TEST(Warnings, OnExperimentsThatWereAllDelay) {
  ProfileText T;
  T.run()
      .experiment(1, 0, 500, 5)
      .add(
          R"({"type":"experiment","run":"r1","index":9,"speedup":5,"wall":2,"delay":2,"file":"a","line":1})")
      .snapshot(1000, 500, 0);
  ReadResult R({T.Text, T.Text});
  EXPECT_EQ(R.Skipped, 0u);
  EXPECT_EQ(R.P.experiments().size(), 1u);
  EXPECT_THAT(warningsOn(R.P), ElementsAre(HasSubstr("1 of 2 experiments are left out")));
}

TEST(Warnings, OnUnitsOfWorkThatAreTooLarge) {
  auto With = [](int Experiments, int64_t Visits, int64_t Others) {
    ProfileText T;
    T.run();
    for (int I = 0; I < Experiments; ++I)
      T.experiment(1, I % 2 ? 50 : 0, 100,
                   ProfileText::throughput(Visits, "frame") + "," +
                       ProfileText::throughput(Others, "block"));
    return warningsOn(read(T.snapshot(1e4, 5e3, 0)));
  };
  EXPECT_THAT(With(30, 6, 2), ElementsAre(HasSubstr("has 6 visits of frame")));
  EXPECT_THAT(With(30, 6, 600), IsEmpty());
  EXPECT_THAT(With(8, 6, 2), IsEmpty()) << "who knows";
}

Profile onBusyMachine(double CoreWait, double ThreadsPerCore) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 4; ++I)
    T.add(llvm::formatv(
        R"({{"type":"experiment","run":"r1","index":{0},"speedup":0,"wall":9,"delay":0,)"
        R"("core_wait":{1},"threads_per_core":{2},"file":"a","line":1})",
        I, CoreWait, ThreadsPerCore));
  return read(T.snapshot(1000, 500, 0));
}

TEST(Warnings, OnCoresThatOtherProgramsHave) {
  EXPECT_THAT(warningsOn(onBusyMachine(0.05, 1)), IsEmpty());
  EXPECT_THAT(warningsOn(onBusyMachine(0.5, 0.5)),
              ElementsAre(HasSubstr("waited 0.5 s for one per second on one")));
  // Eight threads on two cores wait for each other.
  EXPECT_THAT(warningsOn(onBusyMachine(3, 4)), IsEmpty());
  EXPECT_THAT(warningsOn(onBusyMachine(7, 4)), ElementsAre(HasSubstr("waited 1.0 s for one")));
}

TEST(Warnings, OnSpinningOnSharedCores) {
  auto Spinning = [](double Spun) {
    ProfileText T;
    T.run();
    T.add(llvm::formatv(
        R"({{"type":"experiment","run":"r1","index":1,"speedup":0,"wall":9,"delay":0,)"
        R"("core_wait":2,"threads_per_core":3,"spun":{0},"file":"a","line":1})",
        Spun));
    return read(T.snapshot(1000, 500, 0));
  };
  EXPECT_THAT(warningsOn(Spinning(0.05)), IsEmpty());
  EXPECT_THAT(warningsOn(Spinning(0.66)),
              ElementsAre(HasSubstr("Threads spun for 66 % of the time")));
}

TEST(Warnings, OnLocksThatAreSleptForBriefly) {
  auto Sleeping = [](int64_t Waits, int64_t Each, int Speedup = 0) {
    ProfileText T;
    T.run();
    T.add(llvm::formatv(
        R"({{"type":"experiment","run":"r1","index":1,"speedup":{0},"wall":1000000000,"delay":0,)"
        R"("lock_waits":{1},"lock_wait_time":{2},"file":"a","line":1})",
        Speedup, Waits, Waits * Each));
    return read(T.snapshot(1000, 500, 0));
  };
  EXPECT_THAT(warningsOn(Sleeping(8000, 47000)),
              ElementsAre(HasSubstr("sleep for locks 8000 times a second, for 47.0 us each")));
  // Seldom, for long, or while others pause.
  EXPECT_THAT(warningsOn(Sleeping(2000, 47000)), IsEmpty());
  EXPECT_THAT(warningsOn(Sleeping(6000, 117000)), IsEmpty());
  EXPECT_THAT(warningsOn(Sleeping(8000, 47000, 50)), IsEmpty());
  EXPECT_THAT(warningsOn(Sleeping(0, 0)), IsEmpty());
}

// Experiments on two lines whose pauses take up to Longest of the time, and whose work per
// visit falls by Spared where nothing but pauses is left; every other one needs Noise more.
Profile withPauses(double Longest, double Spared, double Noise) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 80; ++I) {
    double Pause = Longest * (I / 2 % 10) / 10;
    double Work = 1e8 * (1 - Spared * Pause) * (I % 4 < 2 ? 1 : 1 + Noise);
    T.add(llvm::formatv(
        R"({{"type":"experiment","run":"r1","index":{0},"speedup":{1},"wall":100000000,"delay":1,)"
        R"("pause":{2},"work":{3},"file":"a","line":{4},"points":[{5}]})",
        I, I / 2 % 10 * 10, int64_t(1e8 * Pause), int64_t(Work), 1 + I % 2,
        ProfileText::throughput(1000)));
  }
  return read(T.snapshot(8000, 8000, 0));
}

TEST(Warnings, OnWorkThatIsQuickerWhileOthersPause) {
  EXPECT_THAT(warningsOn(withPauses(0.6, 0.4, 0)),
              ElementsAre(HasSubstr("A visit takes up to 22 % less CPU time while other")));
  EXPECT_THAT(warningsOn(withPauses(0.6, 0.4, 0.1)), ElementsAre(HasSubstr("A visit takes up to")));
  // Not sure, little, or none of it.
  EXPECT_THAT(warningsOn(withPauses(0.6, 0.4, 2)), IsEmpty());
  EXPECT_THAT(warningsOn(withPauses(0.1, 0.4, 0)), IsEmpty());
  EXPECT_THAT(warningsOn(withPauses(0.6, 0, 0.1)), IsEmpty());
  EXPECT_THAT(warningsOn(withPauses(0.6, -0.4, 0.1)), IsEmpty());
}

TEST(Warnings, OnBaselinesThatSayThatTheyHadPauses) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 40; ++I)
    T.add(llvm::formatv(
        R"({{"type":"experiment","run":"r1","index":{0},"speedup":0,"wall":100,"delay":1,)"
        R"("pause":{0},"work":{1},"file":"a","line":1,"points":[{2}]})",
        I, 100 - I, ProfileText::throughput(1000)));
  EXPECT_THAT(warningsOn(read(T.snapshot(8000, 8000, 0))), IsEmpty());
}

TEST(Warnings, OnRunsThatAreNotWhole) {
  EXPECT_THAT(warningsOn(read(ProfileText().run().experiment(1, 0, 500, 5))),
              ElementsAre(HasSubstr("1 of 1 runs did not end normally")));
  EXPECT_THAT(warningsOn(read(ProfileText().line(1, 1, 1).snapshot(1, 1, 1))),
              ElementsAre(HasSubstr("1 of 1 runs have no run record")));
}

TEST(Warnings, OnRunsOfDifferentBuilds) {
  ProfileText A, B;
  B.Id = "r2";
  A.run().snapshot(1, 1, 0), B.run().snapshot(1, 1, 0);
  EXPECT_THAT(warningsOn(ReadResult({A.Text, B.Text}).P), IsEmpty());
  B.Text.replace(B.Text.find("\"build_id\":\"b\""), 14, "\"build_id\":\"c\"");
  EXPECT_THAT(warningsOn(ReadResult({A.Text, B.Text}).P),
              ElementsAre(HasSubstr("2 different builds")));
}

TEST(Warnings, OnRunsOfDifferentPrograms) {
  ProfileText A, B;
  B.Id = "r2";
  A.run().snapshot(1, 1, 0), B.run().snapshot(1, 1, 0);
  size_t Exe = B.Text.find("\"exe\":\"") + 7;
  B.Text.replace(Exe, B.Text.find('"', Exe) - Exe, "/bin/client");
  EXPECT_THAT(warningsOn(ReadResult({A.Text, B.Text}).P), IsEmpty()) << "one build, two names";
  B.Text.replace(B.Text.find("\"build_id\":\"b\""), 14, "\"build_id\":\"c\"");
  EXPECT_THAT(
      warningsOn(ReadResult({A.Text, B.Text}).P),
      ElementsAre(AllOf(HasSubstr("2 programs"), HasSubstr("client"), HasSubstr("--by=build"))));
}

} // namespace
