//===- RoundTripTest.cpp - The tool reads what the runtime writes ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records are made by the runtime's own functions, checked against ProfileFormat.def
// and read by ProfileReader.
//
//===----------------------------------------------------------------------===//
#include "ProfileText.h"
#include "causal/causal_contention.h"
#include "causal/causal_records.h"
#include "profile/causal_run_record.h"

#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <set>

using namespace __causal;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;
namespace json = llvm::json;

namespace {

struct FieldInfo {
  std::string Kind, Of, Choices;
  bool Required;
};
using RecordInfo = std::map<std::string, FieldInfo>;

/// ProfileFormat.def, by the type of a record or the name of an object in one.
std::map<std::string, RecordInfo> format() {
  std::map<std::string, RecordInfo> All;
  RecordInfo *Last = nullptr;
  FieldInfo *LastField = nullptr;
  auto Add = [&](const char *Name, const char *Kind, const char *Of, llvm::StringRef Need) {
    LastField = &((*Last)[Name] = {Kind, Of, "", Need == "Required"});
  };
#define CAUSAL_RECORD(Record, Type, Modes, Doc) Last = &All[Type];
#define CAUSAL_OBJECT(Record, Doc) Last = &All[#Record];
#define CAUSAL_NESTED(Record, Name, Kind, Of, Need, Doc) Add(#Name, #Kind, #Of, #Need);
#define CAUSAL_FIELD(Record, Name, Kind, Need, Doc) Add(#Name, #Kind, "", #Need);
#define CAUSAL_CHOICES(Record, Name, Values) LastField->Choices = Values;
#include "causal/ProfileFormat.def"
  return All;
}

bool isOfKind(const json::Value &V, const FieldInfo &F) {
  if (F.Kind == "Count" || F.Kind == "Time")
    return V.getAsUINT64().has_value();
  if (F.Kind == "Percent")
    return V.getAsUINT64().value_or(101) <= 100;
  if (F.Kind == "Real")
    return V.getAsNumber().has_value();
  if (F.Kind == "Flag")
    return V.getAsBoolean().has_value();
  if (F.Kind == "Object")
    return V.getAsObject();
  if (F.Kind == "Objects")
    return V.getAsArray();
  llvm::SmallVector<llvm::StringRef> Choices;
  llvm::StringRef(F.Choices).split(Choices, '|');
  return F.Kind == "Text" && V.getAsString() &&
         (F.Choices.empty() || llvm::is_contained(Choices, *V.getAsString()));
}

/// Notes in Seen what fields there are.
void check(const json::Object &O, const std::string &Record,
           std::map<std::string, std::set<std::string>> &Seen) {
  static const std::map<std::string, RecordInfo> Format = format();
  const RecordInfo &Info = Format.at(Record);
  for (const auto &[Key, Value] : O) {
    std::string Name = Key.str();
    if (Name == record::TypeField)
      continue;
    Seen[Record].insert(Name);
    auto Known = Info.find(Name);
    ASSERT_NE(Known, Info.end()) << Record << " has no field " << Name;
    EXPECT_TRUE(isOfKind(Value, Known->second)) << Record << "::" << Name;
    if (const json::Object *Inner = Value.getAsObject())
      check(*Inner, Known->second.Of, Seen);
    if (const json::Array *Elements = Value.getAsArray())
      for (const json::Value &E : *Elements)
        check(*E.getAsObject(), Known->second.Of, Seen);
  }
  for (const auto &[Name, Field] : Info)
    EXPECT_TRUE(!Field.Required || O.get(Name)) << Record << " lacks " << Name;
}

PointVisits throughput() {
  return {"item", false, 12, 0, 0, {/*Visits=*/9, 8, 7}, {/*Visits=*/6, 5, 4}, 0};
}
PointVisits latency() {
  return {"request", true, 21, 22, 1.25, {/*Visits=*/19, 18, 17}, {/*Visits=*/16, 15, 14}, 2.5};
}

struct RoundTrip : testing::Test {
  char Buffer[8192];
  std::string Text;
  std::map<std::string, std::set<std::string>> Seen;
  std::unique_ptr<void, decltype(&free)> Memory{calloc(1, sizeof(SourceLines)), free};
  SourceLines &Lines = *static_cast<SourceLines *>(Memory.get());
  ExperimentResult Result = {};
  ExperimentFacts Facts;
  SnapshotFacts Snapshot = {};
  SnapshotSums Sums = {};

  void begin(TargetKind Kind = TargetKind::Line) {
    Lines.setPolicy({"", "", Kind});
    Result.Line = Lines.intern("/src/a \"b\".c", 7, "f");
    ASSERT_NE(Result.Line, 0u);
    Lines.count(Result.Line, true, 40);
    Lines.count(Result.Line, false, 2);
    run("causal");
  }
  void run(const char *Mode, unsigned Cell = 0) {
    JsonRecord R(Buffer, sizeof(Buffer));
    RunFacts F = {Mode,    "/bin/p", "abcd", "host", "target=line", "perf-sigtrap", 17,
                  1234567, 1000,     4,      false,  Cell,          "blocks",       "trms"};
    putRun(R, Cell ? "fedcba9876543210" : "0123456789abcdef", F);
    end(R);
  }
  JsonRecord record(const char *Type) {
    JsonRecord R(Buffer, sizeof(Buffer));
    putRecord(R, Type, "0123456789abcdef");
    return R;
  }
  void experiment() {
    JsonRecord R = record(record::Experiment::Type);
    putExperiment(R, Lines, Result, Facts);
    end(R);
  }
  void line() {
    JsonRecord R = record(record::Line::Type);
    putLine(R, Lines, *Lines.line(Result.Line), Snapshot.Index);
    end(R);
  }
  void snapshot() {
    JsonRecord R = record(record::Snapshot::Type);
    putSnapshot(R, Lines.kind(), Snapshot, Sums);
    end(R);
  }
  void end(JsonRecord &R) {
    size_t Size = R.end();
    ASSERT_GT(Size, 0u) << Buffer;
    llvm::StringRef Record(Buffer, Size);
    llvm::Expected<json::Value> V = json::parse(Record.rtrim());
    ASSERT_TRUE(bool(V)) << Buffer;
    const json::Object &O = *V->getAsObject();
    check(O, O.getString(record::TypeField)->str(), Seen);
    Text += Record;
  }
  causal::Profile read() {
    causal::ReadResult R({Text});
    EXPECT_EQ(R.Error, "");
    EXPECT_THAT(R.Warnings, IsEmpty());
    return std::move(R.P);
  }
};

TEST_F(RoundTrip, EveryFieldOfARunIsRead) {
  begin();
  causal::Profile P = read();
  ASSERT_EQ(P.runs().size(), 1u);
  const causal::Run &R = P.runs()[0];
  EXPECT_EQ(R.Id, "0123456789abcdef");
  EXPECT_EQ(R.Mode, causal::RunMode::Causal);
  EXPECT_EQ(R.Exe, "/bin/p");
  EXPECT_EQ(R.BuildId, "abcd");
  EXPECT_EQ(R.Host, "host");
  EXPECT_EQ(R.Options, "target=line");
  EXPECT_EQ(R.Sampler, "perf-sigtrap");
  EXPECT_EQ(R.Pid, 17);
  EXPECT_EQ(R.Time, 1234567);
  EXPECT_EQ(R.Period, 1000);
  EXPECT_EQ(R.Cores, 4);
  EXPECT_FALSE(R.SamplesKernel);
}

TEST_F(RoundTrip, EveryFieldOfAnExperimentIsRead) {
  begin(TargetKind::Section);
  Result = {/*Index=*/3,      /*Start=*/100,       /*Wall=*/1000,
            /*Delay=*/250,    /*Pause=*/200,
            /*Unsettled=*/5,  /*Samples=*/30,      /*Work=*/900,
            /*Waited=*/60,    /*Idle=*/70,         Result.Line,
            /*Speedup=*/25,   Contention::One / 2, Contention::One * 3 / 2,
            /*Dilated=*/true, Contention::One / 4};
  Facts = {{8, 80}, /*Stolen=*/90, /*WholeRun=*/false, 2, [](unsigned I) {
             return I ? latency() : throughput();
           }};
  experiment();
  causal::Profile P = read();
  ASSERT_EQ(P.experiments().size(), 1u);
  const causal::Experiment &E = P.experiments()[0];
  const causal::SourceLine &L = P.lines()[E.Line];
  EXPECT_EQ(L.File, "/src/a \"b\".c");
  EXPECT_EQ(L.Line, 7u);
  EXPECT_EQ(L.Function, "f");
  EXPECT_EQ(L.Kind, causal::TargetKind::Section);
  EXPECT_EQ(E.Index, 3);
  EXPECT_EQ(E.Speedup, 25u);
  EXPECT_EQ(E.Start, 100);
  EXPECT_EQ(E.Wall, 1000);
  EXPECT_EQ(E.Delay, 250);
  EXPECT_EQ(E.Pause, 200);
  EXPECT_EQ(E.Unsettled, 5);
  EXPECT_EQ(E.Samples, 30);
  EXPECT_EQ(E.Work, 900);
  EXPECT_EQ(E.Waited, 60);
  EXPECT_EQ(E.Idle, 70);
  EXPECT_EQ(E.Stolen, 90);
  EXPECT_EQ(E.LockWaits, 8);
  EXPECT_EQ(E.LockWaitTime, 80);
  EXPECT_FLOAT_EQ(E.CoreWait, 0.5);
  EXPECT_FLOAT_EQ(E.ThreadsPerCore, 1.5);
  EXPECT_FLOAT_EQ(E.Spun, 0.25);
  EXPECT_TRUE(E.Dilated);
  ASSERT_EQ(E.Points.size(), 2u);
  EXPECT_EQ(P.points()[0].Name, "item");
  EXPECT_EQ(P.points()[1].Kind, causal::PointKind::Latency);
  using Values = decltype(E.Points[0].values());
  auto Expect = [&](const causal::Measurement &M, const PointVisits &V) {
    int64_t Visits = V.Visits, Begins = V.Begins;
    int64_t Span[] = {int64_t(V.Span.Time), int64_t(V.Span.Visits), int64_t(V.Span.Work)};
    int64_t Late[] = {int64_t(V.Late.Time), int64_t(V.Late.Visits), int64_t(V.Late.Work)};
    EXPECT_EQ(M.values(), Values(Visits, Begins, V.InFlight, Span[0], Span[1], Span[2], Late[0],
                                 Late[1], Late[2], V.LateInFlight));
  };
  Expect(E.Points[0], throughput());
  Expect(E.Points[1], latency());
}

TEST_F(RoundTrip, EveryFieldOfASnapshotIsRead) {
  begin(TargetKind::Section);
  Snapshot = {/*Index=*/2,     1000, 100, 800, 50, 40, /*SampledTime=*/880, 7,
              /*CPUTime=*/900, true};
  Sums = {/*Lines=*/1, 11, 100, 150, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, true};
  line();
  snapshot();
  causal::Profile P = read();
  const auto &Last = P.runs().at(0).Last;
  ASSERT_TRUE(Last);
  EXPECT_EQ(Last->Index, 2);
  EXPECT_TRUE(Last->Final);
  EXPECT_EQ(Last->Wall, 1000);
  EXPECT_EQ(Last->Delay, 100);
  EXPECT_EQ(Last->UndelayedWall, 800);
  EXPECT_EQ(Last->Idle, 50);
  EXPECT_EQ(Last->UndelayedIdle, 40);
  EXPECT_EQ(Last->Lost.SampledTime, 880);
  EXPECT_EQ(Last->Lost.CPUTime, 900);
  EXPECT_DOUBLE_EQ(Last->SampleWeight, 1.5);
  EXPECT_EQ(Last->Unlocked, 12);
  EXPECT_TRUE(Last->Rewritten);
  EXPECT_EQ(Last->Lost.Dropped, 13);
  EXPECT_EQ(Last->Lost.Late, 14);
  EXPECT_EQ(Last->Lost.Unmapped, 15);
  EXPECT_EQ(Last->Lost.OutOfScope, 16);
  EXPECT_EQ(Last->Lost.Oversleep, 17);
  EXPECT_EQ(Last->Lost.Forgiven, 18);
  EXPECT_EQ(Last->Lost.Threads, 19);
  EXPECT_EQ(Last->Lost.UnsampledThreads, 20);
  EXPECT_EQ(Last->Lost.TimedThreads, 21);
  EXPECT_EQ(Last->Lost.Yields, 22);
  ASSERT_EQ(Last->Lines.size(), 1u);
  EXPECT_EQ(Last->Lines.begin()->second.Samples, 42);
  EXPECT_EQ(Last->Lines.begin()->second.UndelayedSamples, 40);
}

// Else docs would name what no profile has.
TEST_F(RoundTrip, EveryFieldOfTheFormatIsWritten) {
  begin(TargetKind::Section);
  run("input", /*Cell=*/4);
  Result.Wall = 10;
  Result.Waited = Result.Idle = Result.Spun = Result.Dilated = 1;
  Facts = {{1, 1}, 1, false, 2, [](unsigned I) { return I ? latency() : throughput(); }};
  experiment();
  Snapshot = {0, 10, 0, 5, 2, 1, 1, 1, 1, true};
  Sums = {1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, true};
  line();
  snapshot();
  read();
  std::map<std::string, RecordInfo> Format = format();
  for (const char *Record : {"run", "experiment", "Point", "line", "snapshot", "Losses"}) {
    std::set<std::string> Names;
    for (const auto &[Name, Field] : Format.at(Record))
      Names.insert(Name);
    EXPECT_THAT(Seen[Record], UnorderedElementsAreArray(Names)) << Record;
  }
}

TEST_F(RoundTrip, WhatThereIsNothingOfIsLeftOut) {
  begin();
  Result.Wall = 10;
  Facts.WholeRun = true;
  experiment();
  snapshot();
  for (const char *Name : {"waited", "idle", "stolen", "dilated", "spun", "lock_waits", "section"})
    EXPECT_EQ(Seen["experiment"].count(Name), 0u) << Name;
  for (const char *Name : {"idle", "undelayed_idle", "sample_weight", "unlocked", "rewritten"})
    EXPECT_EQ(Seen["snapshot"].count(Name), 0u) << Name;
  for (const char *Name : {"timed_threads", "yields"})
    EXPECT_EQ(Seen["Losses"].count(Name), 0u) << Name;
  causal::ReadResult R({Text});
  ASSERT_EQ(R.P.points().size(), 1u);
  EXPECT_EQ(R.P.points()[0].Kind, causal::PointKind::Run);
}

} // namespace
