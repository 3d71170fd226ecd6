//===- CozExportTest.cpp
//-----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/export/CozExport.h"
#include "ProfileText.h"

#include <gmock/gmock.h>

using namespace causal;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string exported(const Profile &P, bool Phase = true) {
  ModelOptions Options;
  Options.PhaseCorrection = Phase;
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  if (llvm::Error E = exportCoz(P, Options, OS))
    return llvm::toString(std::move(E));
  return Out;
}

double field(llvm::StringRef Line, llvm::StringRef Key) {
  double Value = 0;
  EXPECT_FALSE(Line.split((Key + "=").str()).second.split('\t').first.getAsDouble(Value))
      << Line.str();
  return Value;
}

/// Equation 8 as readers of the format compute it.
double readersFactor(llvm::StringRef Text, llvm::StringRef Where) {
  double Time = 0, Samples = 0, Count = 0, Runtime = 0;
  llvm::SmallVector<llvm::StringRef> Lines;
  Text.split(Lines, '\n');
  for (llvm::StringRef Line : Lines) {
    if (Line.starts_with(("experiment\tselected=" + Where + "\t").str())) {
      Time += field(Line, "duration");
      Samples += field(Line, "selected-samples");
    } else if (Line.starts_with(("samples\tlocation=" + Where + "\t").str())) {
      Count += field(Line, "count");
    } else if (Line.starts_with("runtime\t")) {
      Runtime += field(Line, "time");
    }
  }
  return (Time / Samples) * (Count / Runtime);
}

TEST(CozExport, WritesTheGrammar) {
  ProfileText T;
  T.run().experiment(7, 0, 500, ProfileText::throughput(12) + "," + ProfileText::latency(4, 1.6),
                     100);
  T.experiment(7, 5, 499, ProfileText::throughput(13), 110, 1)
      .line(7, 200, 200)
      .snapshot(1001, 1000, 1, 0, "", 1);
  EXPECT_EQ(exported(read(T)), "startup\ttime=1000\n"
                               "experiment\tselected=/"
                               "a.c:7\tspeedup=0.00\tduration=500000000\tselected-samples=100\n"
                               "throughput-point\tname=item\tdelta=12\n"
                               "latency-point\tname=req\tarrivals=4\tdepartures=4\tdifference=2\n"
                               "experiment\tselected=/"
                               "a.c:7\tspeedup=0.05\tduration=499000000\tselected-samples=110\n"
                               "throughput-point\tname=item\tdelta=13\n"
                               "runtime\ttime=1000000000\n"
                               "samples\tlocation=/a.c:7\tcount=210\n");
}

TEST(CozExport, GivesReadersOurPhaseCorrection) {
  // Runs a quarter of the time; its samples rise under virtual speedups.
  ProfileText T;
  T.run();
  for (int I = 0; I < 3; ++I)
    T.experiment(1, 0, 500, 500, 2000)
        .experiment(1, 50, 500, 1000, 3900)
        .experiment(2, 0, 500, 500, 1000);
  T.line(1, 20000, 10000).line(2, 9000, 20000).snapshot(40000, 10000, 2);
  Profile P = read(T);
  EXPECT_NEAR(readersFactor(exported(P), "/a.c:1"), 0.25, 1e-3);
  EXPECT_NEAR(readersFactor(exported(P), "/a.c:2"), 1, 1e-4);
  EXPECT_NEAR(readersFactor(exported(P, false), "/a.c:1"), 1, 1e-4);
}

TEST(CozExport, SumsRunsIntoOneStartupAndOneRuntime) {
  ProfileText A, B;
  B.Id = "r2";
  A.run()
      .experiment(1, 0, 500, 500, 2000)
      .line(1, 2000, 2000)
      .line(9, 500, 500)
      .snapshot(1000, 500, 2);
  B.run().experiment(1, 50, 500, 500, 2000).line(1, 2000, 2000).snapshot(3000, 500, 1);
  std::string Out = exported(ReadResult({A.Text, B.Text}).P);
  EXPECT_EQ(llvm::StringRef(Out).count("startup\t"), 1u);
  EXPECT_EQ(llvm::StringRef(Out).count("runtime\t"), 1u);
  EXPECT_THAT(Out, HasSubstr("runtime\ttime=4000000000\n"));
  // No experiment: its density, over the whole.
  EXPECT_THAT(Out, HasSubstr("samples\tlocation=/a.c:9\tcount=2000\n"));
}

TEST(CozExport, LeavesOutWhatReadersWouldDivideBy) {
  ProfileText T;
  T.run().experiment(1, 0, 500, 0).experiment(1, 50, 500, 5).experiment(1, 50, 300, 0);
  std::string Out = exported(read(T));
  EXPECT_THAT(Out, Not(HasSubstr("speedup=0.00")));
  // But an experiment without visits counts beside others of its cell.
  EXPECT_THAT(Out, HasSubstr("duration=300000000\tselected-samples="
                             "0\nthroughput-point\tname=item\tdelta=0\n"));
}

TEST(CozExport, FailsWithoutAnExperiment) {
  EXPECT_EQ(exported(read(ProfileText().run())),
            "there is no experiment with a visited progress point to export; "
            "causal report says why");
}

TEST(CozExport, KeepsNamesOnOneField) {
  ProfileText T;
  T.run().experiment(1, 0, 500, ProfileText::throughput(5, R"(a\tb\nc)"));
  EXPECT_THAT(exported(read(T)), HasSubstr("name=a b?c\tdelta=5\n"));
}

} // namespace
