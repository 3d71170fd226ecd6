//===- Profile.h - What one or several runs recorded ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The profile in memory: a set of records, each known by its identity (a run by
// its id, an experiment by run and index, a snapshot by run). Adding a record
// twice changes nothing, and of two snapshots of a run the later one stays, so
// reading files is a union: the order and repetition of files do not matter.
// Filled by ProfileReader, read by everything else; computes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_PROFILE_H
#define CAUSAL_ANALYSIS_PROFILE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace causal {

/// Run: the whole run, visited once by each (end_to_end=1).
enum class PointKind { Throughput, Latency, Run };

/// What a report calls a point's visits.
struct PointWords {
  const char *Kind;  ///< "throughput", "latency", "run".
  const char *Title; ///< "throughput point", "latency point", "end to end".
  const char *Visit; ///< One of them: "visit", "end", "run".
  const char *Per;   ///< After a period: "per visit", "from begin to end", "per run".
};
const PointWords &wordsFor(PointKind Kind);
/// The order in which points are reported: the whole run, throughput, latency.
inline unsigned rankOf(PointKind Kind) {
  return Kind == PointKind::Run ? 0 : Kind == PointKind::Throughput ? 1 : 2;
}

struct ProgressPoint {
  std::string Name;
  PointKind Kind;
};

/// What a run makes faster: lines, functions, or critical sections.
enum class TargetKind { Line, Function, Section };

/// "line", "function", "section".
const char *toString(TargetKind Kind);

/// What experiments make faster, and samples fall into.
struct SourceLine {
  std::string File;
  unsigned Line; ///< 0: all lines of the function. Of a section: where the lock is taken.
  std::string Function;
  TargetKind Kind = TargetKind::Line;
};

/// What one progress point did during one experiment.
struct Measurement {
  unsigned Point;      ///< Index into Profile::points().
  int64_t Visits = 0;  ///< Throughput: visits. Latency: ends.
  int64_t Begins = 0;  ///< Latency only.
  double InFlight = 0; ///< Latency only: time average of begins - ends.
  /// Effective time from the first visit (or end) seen to the last one, and the
  /// visits after the first; 0 in profiles of earlier make.
  int64_t Span = 0, SpanVisits = 0;
  int64_t SpanWork = 0; ///< CPU time of the program in it.
  /// The same for the last two fifths of the experiment.
  int64_t LateSpan = 0, LateVisits = 0, LateWork = 0;
  double LateInFlight = 0; ///< Latency only.

  /// But for the point.
  auto values() const {
    return std::tie(Visits, Begins, InFlight, Span, SpanVisits, SpanWork, LateSpan, LateVisits,
                    LateWork, LateInFlight);
  }
};

struct Experiment {
  unsigned Run;  ///< Index into Profile::runs().
  unsigned Line; ///< Index into Profile::lines().
  int64_t Index;
  unsigned Speedup; ///< Percent.
  int64_t Start = 0, Wall = 0, Delay = 0, Samples = 0, Unsettled = 0;
  /// What every thread was to pause for, and CPU time that threads worked; 0 in profiles of
  /// earlier make.
  int64_t Pause = 0, Work = 0;
  /// How long threads waited for cores, all together; 0 in profiles of earlier make.
  int64_t Waited = 0;
  /// Wall time in which nobody was at work, for 20 ms or more each time; 0 in profiles of
  /// earlier make.
  int64_t Idle = 0;
  /// That the host of a virtual machine had its cores, by ticks; since the experiment before.
  int64_t Stolen = 0;
  /// Waiting for a core per time on one, and threads at work per core; 0 in profiles of
  /// earlier make.
  float CoreWait = 0, ThreadsPerCore = 0;
  /// All code but the line was slowed down (law 12).
  bool Dilated = false;
  /// Of the CPU time of threads that waited for cores, what they spun through (law 13).
  float Spun = 0;
  /// How often threads waited for mutexes and rwlocks, asleep, and for how long, all together;
  /// 0 in profiles of earlier make.
  int64_t LockWaits = 0, LockWaitTime = 0;
  std::vector<Measurement> Points; ///< By rising Measurement::Point.
  llvm::StringRef Raw;             ///< The record as it was read.

  int64_t effective() const { return Wall - Delay; }
  /// What it says of a point; null if that did not exist yet.
  const Measurement *at(unsigned Point) const;
};

struct LineCounts {
  int64_t Samples = 0;
  int64_t UndelayedSamples = 0; ///< While no delay was being inserted.
  llvm::StringRef Raw;
};

struct Losses {
  int64_t Dropped = 0, Late = 0, Unmapped = 0, OutOfScope = 0, Oversleep = 0;
  int64_t Forgiven = 0, Threads = 0, UnsampledThreads = 0, TimedThreads = 0;
  int64_t Yields = 0; ///< By code without a line table.
  /// Of the process, and what samples stood for of it; 0 in profiles of earlier make.
  int64_t CPUTime = 0, SampledTime = 0;
};

struct Snapshot {
  int64_t Index = 0;
  bool Final = false;
  int64_t Wall = 0, Delay = 0, UndelayedWall = 0;
  int64_t Idle = 0, UndelayedIdle = 0; ///< As in experiments.
  /// How many samples one that was taken counts for; 1 in profiles of earlier make.
  double SampleWeight = 1;
  int64_t Unlocked = 0;   ///< Samples outside of critical sections, where these are targets.
  bool Rewritten = false; ///< The program was, after it was linked; its lines are lost.
  Losses Lost;
  std::map<unsigned, LineCounts> Lines; ///< By index into Profile::lines().
  llvm::StringRef Raw;
};

/// What a run measured: CAUSAL_OPTIONS=mode=. Other: a mode of later make.
enum class RunMode { Causal, CPU, Input, Other };

struct Run {
  std::string Id;
  RunMode Mode = RunMode::Causal;
  bool SamplesKernel = true;
  bool HasHeader = false; ///< False when its run record is missing or damaged.
  std::string Exe, BuildId, Host, Options, Sampler;
  int64_t Pid = 0, Time = 0, Period = 0;
  int64_t Cores = 0;            ///< That the program may use; 0 in profiles of earlier make.
  unsigned Build = 0;           ///< Index into Profile::builds(); if HasHeader.
  std::optional<Snapshot> Last; ///< The last closed snapshot.
  std::map<int64_t, unsigned> Experiments; ///< Index in the run -> experiments().
  std::set<int64_t> VoidExperiments;       ///< Indices in the run.
  llvm::StringRef Raw;
  /// Records of modes other than causal, each once, as they were read (RunModes.h).
  std::vector<llvm::StringRef> ModeRecords;

  /// By how much more than by chance alone (Poisson) counts of its samples vary.
  double dispersion() const { return Last ? Last->SampleWeight : 1; }
};

/// What one build of a program says of its lines. Another build may have other
/// code under the same number; see BuildMatch.h.
struct Build {
  std::string Id; ///< The build-id, or the path if there is none.
  /// By index into Profile::lines(); may be empty.
  llvm::DenseMap<unsigned, llvm::StringRef> Functions;
};

class Profile {
public:
  const std::vector<Run> &runs() const { return Runs; }
  const std::vector<SourceLine> &lines() const { return Lines; }
  const std::vector<ProgressPoint> &points() const { return Points; }
  const std::vector<Experiment> &experiments() const { return Experiments; }
  const std::vector<Build> &builds() const { return Builds; }

  /// The run of that id, made if it is new.
  unsigned internRun(llvm::StringRef Id);
  unsigned internLine(llvm::StringRef File, unsigned Line, llvm::StringRef Function,
                      TargetKind Kind = TargetKind::Line);
  unsigned internPoint(llvm::StringRef Name, PointKind Kind);

  /// Fills in what the run record says; the first record of a run counts.
  void setHeader(unsigned RunIndex, Run Header);
  void addExperiment(Experiment E);
  /// One in which delays took all of the time: nothing is left to be compared.
  void addVoidExperiment(unsigned RunIndex, int64_t Index) {
    Runs[RunIndex].VoidExperiments.insert(Index);
  }
  /// Keeps \p S if it is later than what the run has.
  void addSnapshot(unsigned RunIndex, Snapshot S);
  /// A record that its mode's own library reads. One of the same text is read already.
  void addModeRecord(unsigned RunIndex, RunMode Mode, llvm::StringRef Text);
  /// That the build of that run has \p Line in \p Function. Nothing if the run's
  /// record has not been read.
  void noteLine(unsigned RunIndex, unsigned Line, llvm::StringRef Function);
  /// Whether samples of that run fall into targets of \p Kind. Not if none fell into any.
  bool counts(const Run &R, TargetKind Kind) const;
  /// Another line of the same number, of another build's code.
  unsigned addTwin(unsigned Line, llvm::StringRef Function);
  /// Everything on lines of that build goes to the lines that \p To names.
  void moveLines(unsigned BuildIndex, const llvm::DenseMap<unsigned, unsigned> &To);
  /// Leaves only runs for which \p Keep is true; lines and points stay.
  Profile select(llvm::function_ref<bool(const Run &)> Keep) const;
  /// Keeps the text that the Raw fields point into.
  void keep(std::unique_ptr<llvm::MemoryBuffer> Buffer) { Buffers.push_back(std::move(Buffer)); }

private:
  std::vector<Run> Runs;
  std::vector<SourceLine> Lines;
  std::vector<ProgressPoint> Points;
  std::vector<Experiment> Experiments;
  std::vector<Build> Builds;
  llvm::StringMap<unsigned> BuildIds;
  llvm::StringSet<> FunctionNames;
  llvm::StringMap<unsigned> RunIds, PointIds, FileIds;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> LineIds;
  llvm::DenseSet<llvm::StringRef> ModeTexts;
  /// Shared with the profiles selected from this one.
  std::vector<std::shared_ptr<llvm::MemoryBuffer>> Buffers;
};

/// Whether two points are of a kind, and all experiments have seen the same of both.
bool areTwins(const Profile &P, unsigned A, unsigned B);

/// Whether every run is known to have had a single thread, so that delays held nobody back.
bool isSingleThreaded(const Profile &P);

/// What a run spent not held back by a virtual speedup, in nanoseconds. Without
/// a closed snapshot it reaches to the end of the last experiment.
double effectiveTime(const Profile &P, const Run &R);

} // namespace causal

#endif // CAUSAL_ANALYSIS_PROFILE_H
