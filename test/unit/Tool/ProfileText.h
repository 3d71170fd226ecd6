//===- ProfileText.h - Writes profiles for tests ------------------- -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the text of a profile record by record, so that a test shows the
// numbers that it is about and nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_PROFILETEXT_H
#define CAUSAL_TEST_PROFILETEXT_H

#include "lib/container/ProfileReader.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

namespace causal {

struct ProfileText {
  std::string Text;
  std::string Id = "r1";
  int NextIndex = 0;

  ProfileText &run(int Version = 1) {
    return add(llvm::formatv(
        R"({{"type":"run","version":{0},"run":"{1}","exe":"/p","build_id":"b","pid":1,)"
        R"("host":"h","time":1000,"options":"","sampler":"perf-sigtrap","period":250000})",
        Version, Id));
  }
  static std::string throughput(int64_t Visits, const char *Name = "item") {
    return llvm::formatv(R"({{"name":"{0}","kind":"throughput","visits":{1}})", Name, Visits);
  }
  static std::string latency(int64_t Ends, double InFlight, const char *Name = "req") {
    return llvm::formatv(
        R"({{"name":"{0}","kind":"latency","begins":{1},"ends":{1},"in_flight":{2:f4}})", Name,
        Ends, InFlight);
  }
  /// Line N is /a.c:N. \p Effective and \p Delay in ms; by default the delay of
  /// a line that runs all the time.
  ProfileText &experiment(unsigned Line, unsigned Speedup, double Effective,
                          const std::string &Points, int64_t Samples = 0,
                          std::optional<double> InsertedDelay = std::nullopt) {
    // As of a line that runs all the time: Speedup percent of the wall time.
    double Delay = InsertedDelay.value_or(Effective * Speedup / std::max(100 - int(Speedup), 5));
    return add(llvm::formatv(
        R"({{"type":"experiment","run":"{0}","index":{1},"file":"/a.c","line":{2},)"
        R"("function":"f","speedup":{3},"start":0,"wall":{4},"delay":{5},"samples":{6},)"
        R"("unsettled":0,"points":[{7}]})",
        Id, NextIndex++, Line, Speedup, int64_t((Effective + Delay) * 1e6), int64_t(Delay * 1e6),
        Samples, Points));
  }
  ProfileText &experiment(unsigned Line, unsigned Speedup, double Effective, int64_t Visits,
                          int64_t Samples = 0) {
    return experiment(Line, Speedup, Effective, throughput(Visits), Samples);
  }
  ProfileText &line(unsigned Line, int64_t Samples, int64_t Undelayed, int Snapshot = 0) {
    return add(
        llvm::formatv(R"({{"type":"line","run":"{0}","snapshot":{1},"file":"/a.c","line":{2},)"
                      R"("function":"f","samples":{3},"undelayed_samples":{4}})",
                      Id, Snapshot, Line, Samples, Undelayed));
  }
  /// Times in ms.
  ProfileText &snapshot(double Wall, double Undelayed, int Lines, int Index = 0,
                        const std::string &Losses = R"("dropped":0)", double Delay = 0,
                        const std::string &MoreFields = "") {
    return add(llvm::formatv(
        R"({{"type":"snapshot","run":"{0}","index":{1},"final":true,"wall":{2},"delay":{3},)"
        R"("undelayed_wall":{4},"lines":{5},"experiments":1,"losses":{{{6}}{7}})",
        Id, Index, int64_t(Wall * 1e6), int64_t(Delay * 1e6), int64_t(Undelayed * 1e6), Lines,
        Losses, MoreFields));
  }
  ProfileText &add(const std::string &Record) {
    Text += Record + "\n";
    return *this;
  }
};

/// Reads texts as files t0, t1, ...; keeps what went wrong.
struct ReadResult {
  Profile P;
  std::vector<std::string> Warnings;
  uint64_t Skipped = 0;
  std::string Error;

  ReadResult() = default;
  explicit ReadResult(std::vector<std::string> Texts) {
    ProfileReader Reader([this](const llvm::Twine &W) { Warnings.push_back(W.str()); });
    for (size_t I = 0; I < Texts.size() && Error.empty(); ++I)
      if (llvm::Error E = Reader.addBuffer(
              llvm::MemoryBuffer::getMemBufferCopy(Texts[I], "t" + std::to_string(I))))
        Error = llvm::toString(std::move(E));
    Skipped = Reader.skipped();
    P = Reader.take();
  }
};

/// The profile of \p T, which must be without fault.
inline Profile read(const ProfileText &T) {
  ReadResult R({T.Text});
  EXPECT_EQ(R.Error, "");
  EXPECT_TRUE(R.Warnings.empty()) << R.Warnings.front();
  return std::move(R.P);
}

} // namespace causal

#endif // CAUSAL_TEST_PROFILETEXT_H
