//===- Diagnosis.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Diagnosis.h"
#include "lib/causal/Disturbance.h"
#include "lib/causal/Settling.h"
#include "lib/causal/SpeedupModel.h"
#include "lib/container/SourceText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace llvm;

namespace causal {

namespace {

constexpr double ManyYields = 100; // A second.
constexpr int64_t FewVisits = 5;
/// With fewer visits in an experiment much of its noise is that they are whole ones.
constexpr int64_t EnoughVisits = 10;
constexpr size_t ManyExperiments = 20;

double share(double Part, double Rest) { return Part + Rest > 0 ? Part / (Part + Rest) : 0; }

/// What part of the cores' time the host of a virtual machine gave to others.
double stolenByHost(const Profile &P) {
  double Stolen = 0, Time = 0;
  for (const Run &R : P.runs())
    for (auto [Index, Id] : R.Experiments) {
      const Experiment &E = P.experiments()[Id];
      Stolen += double(E.Stolen);
      Time += double(R.Cores) * double(E.Wall);
    }
  return Time > 0 ? Stolen / Time : 0;
}

/// What part of CPU time threads spun while others waited for their cores.
double spunOnSharedCores(const Profile &P) {
  double Sum = 0;
  for (const Experiment &E : P.experiments())
    Sum += double(E.Spun);
  return P.experiments().empty() ? 0 : Sum / double(P.experiments().size());
}

/// Waits for locks in which threads sleep for little more than it takes to wake them up, in
/// baselines: how many in a second, and for how many ns each. Nothing where these are few, or
/// longer.
std::optional<std::pair<double, double>> briefSleeps(const Profile &P, const Discards &Discarded) {
  constexpr double Much = 0.15, Brief = 1e5; // Of the time, ns.
  double Waits = 0, Slept = 0, Time = 0;
  for (const Experiment &E : P.experiments())
    if (!E.Speedup && !Discarded.contain(E)) {
      Waits += double(E.LockWaits);
      Slept += double(E.LockWaitTime);
      Time += double(E.Wall);
    }
  if (Slept <= Much * Time || Slept >= Brief * Waits)
    return std::nullopt;
  return std::make_pair(Waits / Time * 1e9, Slept / Waits);
}

/// By what part the program's work takes less CPU time in the experiments with the longest
/// pauses; 0 if that is not sure. Of threads that have nothing but their data in common it
/// takes the same whoever pauses.
double workSparedByPauses(const Profile &P) {
  constexpr double Surely = 4, LongPauses = 0.9;
  // ln(CPU time per visit) over the share of time that is pause, of each line by itself.
  struct Sums {
    double N = 0, X = 0, Y = 0, XX = 0, XY = 0, YY = 0;
  };
  std::map<std::pair<unsigned, unsigned>, Sums> Lines;
  std::vector<double> Pauses;
  for (const Experiment &E : P.experiments()) {
    auto Most = std::max_element(
        E.Points.begin(), E.Points.end(),
        [](const Measurement &A, const Measurement &B) { return A.Visits < B.Visits; });
    if (E.Dilated || !E.Work || Most == E.Points.end() || Most->Visits < FewVisits)
      continue;
    double X = double(E.Pause) / double(E.Wall);
    double Y = std::log(double(E.Work) / double(Most->Visits));
    Sums &S = Lines[{E.Line, Most->Point}];
    S.N += 1, S.X += X, S.Y += Y, S.XX += X * X, S.XY += X * Y, S.YY += Y * Y;
    if (E.Speedup)
      Pauses.push_back(X);
  }
  double XX = 0, XY = 0, YY = 0, Freedom = -1;
  for (const auto &[Line, S] : Lines) {
    XX += S.XX - S.X * S.X / S.N;
    XY += S.XY - S.X * S.Y / S.N;
    YY += S.YY - S.Y * S.Y / S.N;
    Freedom += S.N - 1;
  }
  if (Freedom < 10 || XX <= 0 || Pauses.empty())
    return 0;
  double Slope = XY / XX;
  double Error = std::sqrt(std::max(0.0, YY - Slope * XY) / Freedom / XX);
  auto Long = Pauses.begin() + ptrdiff_t(LongPauses * double(Pauses.size()));
  std::nth_element(Pauses.begin(), Long, Pauses.end());
  return Slope < -Surely * Error ? 1 - std::exp(Slope * *Long) : 0;
}

/// Wall time of an experiment, in ns.
double medianLength(const Profile &P) {
  std::vector<int64_t> Lengths;
  for (const Experiment &E : P.experiments())
    Lengths.push_back(E.Wall);
  auto Middle = Lengths.begin() + ptrdiff_t(Lengths.size() / 2);
  std::nth_element(Lengths.begin(), Middle, Lengths.end());
  return double(*Middle);
}

/// Of the point that has most: visits in the median experiment; its name. Nothing where
/// runs are points.
std::optional<std::pair<int64_t, std::string>> visitsOfExperiment(const Profile &P) {
  std::vector<std::vector<int64_t>> Visits(P.points().size());
  for (const Experiment &E : P.experiments())
    for (const Measurement &M : E.Points)
      Visits[M.Point].push_back(M.Visits);
  std::optional<std::pair<int64_t, std::string>> Most;
  for (size_t I = 0; I < Visits.size(); ++I) {
    if (P.points()[I].Kind == PointKind::Run)
      return std::nullopt;
    if (Visits[I].size() < ManyExperiments)
      continue;
    auto Middle = Visits[I].begin() + ptrdiff_t(Visits[I].size() / 2);
    std::nth_element(Visits[I].begin(), Middle, Visits[I].end());
    if (*Middle && (!Most || *Middle > Most->first))
      Most = {*Middle, printable(P.points()[I].Name)};
  }
  return Most;
}

/// Names of throughput points without a visit in any experiment. Those of macros exist from
/// their first visit on, those of -fcausal-progress from the start.
std::string unvisitedPoints(const Profile &P) {
  BitVector Visited(unsigned(P.points().size()));
  for (const Experiment &E : P.experiments())
    for (const Measurement &M : E.Points)
      if (M.Visits)
        Visited.set(M.Point);
  std::string Names;
  for (unsigned I = 0; I < P.points().size(); ++I)
    if (P.points()[I].Kind == PointKind::Throughput && !Visited[I])
      Names += (Names.empty() ? "" : ", ") + printable(P.points()[I].Name);
  return Names;
}

/// Text for a share of 0..1.
std::string percent(double Share) {
  return Share < 0.1 ? formatv("{0:f1} %", 100 * Share).str()
                     : formatv("{0:f0} %", 100 * Share).str();
}

double longestPeriod(const Profile &P) {
  int64_t Period = 0;
  for (const Run &R : P.runs())
    Period = std::max(Period, R.Period);
  return double(Period);
}

/// Where much of the CPU time has no sample: what is done in it is not sped up either. Empty
/// if it has.
std::string whyUnsampled(const Profile &P, const Losses &L) {
  constexpr double Much = 0.25, Enough = 3e8; // ns
  double CPUTime = double(L.CPUTime), Part = 1 - double(L.SampledTime) / CPUTime;
  if (CPUTime < Enough || Part < Much)
    return "";
  std::string Text = formatv("{0} of the CPU time has no sample, so that too little is sped "
                             "up and gains are too small: ",
                             percent(Part));
  if (any_of(P.runs(), [](const Run &R) { return R.Sampler == "timer"; }))
    return Text + "perf is refused, and of a busy machine timers see little (they look at "
                  "what runs at a tick of the kernel). Stop what runs beside the program, "
                  "or allow perf: as root, with CAP_PERFMON, or by "
                  "kernel.perf_event_paranoid=2.";
  if (any_of(P.runs(), [](const Run &R) { return !R.SamplesKernel; }))
    return Text + "it is spent in the kernel, which this user may not sample. Run it as root, "
                  "with CAP_PERFMON, or with kernel.perf_event_paranoid=1.";
  // Of long threads that are all sampled the first sample is a small part.
  if (L.Threads && !L.UnsampledThreads && CPUTime > 100 * double(L.Threads) * longestPeriod(P))
    return Text + "it is spent in switching between threads, which no sample sees: they wait "
                  "for each other, or for cores, very often.";
  return Text + "it is spent in threads that have ended before a sample came, or that were "
                "not begun by a call that the profiler sees.";
}

} // namespace

Totals totalsOf(const Profile &P) {
  Totals T;
  for (const Run &R : P.runs()) {
    double Effective = effectiveTime(P, R);
    T.Effective += Effective;
    T.Headless += !R.HasHeader;
    T.Unfinished += !R.Last || !R.Last->Final;
    if (!R.Last) {
      double Delay = 0;
      for (auto [Index, Id] : R.Experiments)
        Delay += double(P.experiments()[Id].Delay);
      T.Wall += Effective + Delay;
      T.Delay += Delay;
      continue;
    }
    T.Wall += double(R.Last->Wall);
    T.Delay += double(R.Last->Delay);
    T.Idle += double(R.Last->Idle);
    for (const auto &[Line, C] : R.Last->Lines)
      T.Samples += double(C.Samples);
    T.Unlocked += double(R.Last->Unlocked);
    T.Rewritten |= R.Last->Rewritten;
    T.AllSamples += allSamples(R, *R.Last);
    const Losses &L = R.Last->Lost;
    T.Lost.Dropped += L.Dropped;
    T.Lost.Late += L.Late;
    T.Lost.Unmapped += L.Unmapped;
    T.Lost.OutOfScope += L.OutOfScope;
    T.Lost.Oversleep += L.Oversleep;
    T.Lost.Forgiven += L.Forgiven;
    T.Lost.Threads += L.Threads;
    T.Lost.UnsampledThreads += L.UnsampledThreads;
    T.Lost.TimedThreads += L.TimedThreads;
    T.Lost.Yields += L.Yields;
    T.Lost.CPUTime += L.CPUTime;
    T.Lost.SampledTime += L.SampledTime;
  }
  return T;
}

/// A profile is added to as long as it lies there; who forgot that sees old runs.
static std::string agesOfRuns(const Profile &P) {
  constexpr int64_t LongAgo = int64_t(3600) * 1000000000; // ns
  int64_t First = 0, Last = 0;
  for (const Run &R : P.runs())
    if (R.Time) {
      First = First ? std::min(First, R.Time) : R.Time;
      Last = std::max(Last, R.Time);
    }
  unsigned Old =
      count_if(P.runs(), [&](const Run &R) { return R.Time && R.Time < Last - LongAgo; });
  if (!Old)
    return "";
  auto Show = [](int64_t Time) {
    sys::TimePoint<> When{std::chrono::nanoseconds(Time)};
    return formatv("{0:%Y-%m-%d %H:%M}", When).str();
  };
  return formatv("{0} of {1} runs are more than an hour older than the last one (from {2} to {3}) "
                 "and are added up with it. To report on new runs alone, delete the profile "
                 "before them, or give them another one (output=).",
                 Old, P.runs().size(), Show(First), Show(Last))
      .str();
}

std::vector<std::string> warningsOn(const Profile &P, unsigned EndedByUs) {
  std::vector<std::string> W;
  Totals T = totalsOf(P);
  const Losses &L = T.Lost;
  auto Warn = [&](auto &&...Args) { W.push_back(formatv(Args...).str()); };

  auto ofSamples = [&](int64_t Part) { return share(double(Part), T.AllSamples - double(Part)); };

  if (T.Headless)
    Warn("{0} of {1} runs have no run record: the file is damaged or cut at "
         "its beginning.",
         T.Headless, P.runs().size());
  if (T.Unfinished > EndedByUs)
    Warn("{0} of {1} runs did not end normally (killed, or still running): "
         "their last samples are missing.",
         T.Unfinished - EndedByUs, P.runs().size());
  std::set<StringRef> Builds, Programs;
  for (const Run &R : P.runs())
    if (R.HasHeader) {
      Builds.insert(R.BuildId.empty() ? R.Exe : R.BuildId);
      Programs.insert(sys::path::filename(R.Exe));
    }
  if (Builds.size() > 1 && Programs.size() > 1)
    Warn("The runs are of {0} programs ({1}), and what is said is of all of them together: "
         "--by=build reports on each.",
         Programs.size(), printable(join(Programs, ", ")));
  else if (Builds.size() > 1)
    Warn("The runs are of {0} different builds of the program: the same line "
         "number may mean different code. --by=build reports on each.",
         Builds.size());

  if (std::string Ages = agesOfRuns(P); !Ages.empty())
    W.push_back(std::move(Ages));

  if (double S = ofSamples(L.Dropped); S > 0.02)
    Warn("{0} of the samples were dropped: the table of lines is full (name the sources "
         "of interest with scope= in CAUSAL_OPTIONS), or with target=section a lock was "
         "held that no call has been seen to give back.",
         percent(S));
  if (double S = ofSamples(L.Late); S > 0.05)
    Warn("{0} of the samples hit the profiler itself and count for nothing: threads wait "
         "so often that keeping account of it takes part of their time. Gains look smaller "
         "than they are.",
         percent(S));
  if (double S = ofSamples(L.Unmapped); S > 0.1)
    Warn("{0} of the samples belong to no line: {1}.", percent(S),
         T.Rewritten ? "the program was rewritten after it was linked (llvm-bolt), which its line "
                       "table does not follow. Profile the program that llvm-bolt was given"
                     : "threads run code that was built without -fcausal-profile");
  if (double Seconds = T.Wall / 1e9; Seconds > 0 && double(L.Yields) > ManyYields * Seconds)
    Warn("Threads wait by spinning in a library that was built without -fcausal-profile "
         "(they yield {0:f0} times a second; oneTBB does). What ends these waits is not seen, so "
         "gains may look smaller than they are. Build the library with the flag, too.",
         double(L.Yields) / Seconds);
  if (double S = ofSamples(L.OutOfScope); S > 0.5)
    Warn("{0} of the samples are in lines out of scope: widen scope= in "
         "CAUSAL_OPTIONS to see them.",
         percent(S));
  if (L.UnsampledThreads)
    Warn("{0} of {1} threads were not sampled, so nothing in them was sped up; "
         "see CAUSAL_OPTIONS=verbosity=1.",
         L.UnsampledThreads, L.Threads);
  if (L.TimedThreads)
    Warn("{0} of {1} threads are sampled by timers, since perf gave them no event (the "
         "program had given up its privileges, say, or had no descriptors left). Timers look "
         "at the kernel's ticks only, so answers on what these threads do take longer.",
         L.TimedThreads, L.Threads);
  if (std::string Why = whyUnsampled(P, L); !Why.empty())
    W.push_back(Why);
  if (double S = share(L.Oversleep, T.Effective); S > 0.2)
    Warn("Threads overslept their pauses by {0} of the time: the machine is "
         "overloaded, and predictions are coarse. Stop what runs beside the program.",
         percent(S));
  size_t Void = 0;
  for (const Run &R : P.runs())
    Void += R.VoidExperiments.size();
  if (Void)
    Warn("{0} of {1} experiments are left out, since delays took all of their "
         "time: on a line that has nearly all of it, as its speedup nears 100 %, or because "
         "the machine is overloaded (fewer threads, or nothing beside it).",
         Void, Void + P.experiments().size());
  Discards Discarded(P);
  Disturbance Disturbed(P, Discarded);
  if (Disturbed.ForeignWait > 0.1)
    Warn("Other programs had the cores: threads waited {0:f1} s for one per second on one, "
         "beyond what the program's own threads explain. {1}: run it with nothing beside.",
         Disturbed.ForeignWait,
         Disturbed.isOverloaded() ? "Predictions may be far too small there, and none is sure"
                                  : "What is predicted holds on such a machine, and is coarse");
  if (Disturbed.sleepsMostly())
    Warn("For {0} of the time ({1} of {2}) no thread had a core: they slept, or waited for "
         "something outside. Samples are of the rest, so that of a line that sleeps nothing is "
         "known, and none is said to have no effect. mode=cpu in CAUSAL_OPTIONS shows where "
         "threads wait.",
         percent(Disturbed.OffCores), formatTime(Disturbed.OffCores * Disturbed.WallTime),
         formatTime(Disturbed.WallTime));
  if (double Stolen = stolenByHost(P); Stolen > 0.05)
    Warn("The host of this virtual machine gave {0} of its cores' time to others. A "
         "thread that pauses may lend its core to another one, so predictions may be far off. "
         "Profile again when the host has less to do.",
         percent(Stolen));
  if (double Spun = spunOnSharedCores(P); Spun > 0.1)
    Warn("Threads spun for {0} of the time that they had cores which others waited for. "
         "Time slices decide there as much as lines do, so predictions are coarse. Use no more "
         "threads than cores, or waits that block.",
         percent(Spun));
  if (auto Sleeps = briefSleeps(P, Discarded))
    Warn("Threads sleep for locks {0:f0} times a second, for {1} each, mostly to be "
         "woken. Such programs are unstable: a small change can make them much faster or "
         "slower, and predictions are unreliable. Use an adaptive mutex "
         "(PTHREAD_MUTEX_ADAPTIVE_NP) or lock less often, then profile again.",
         Sleeps->first, formatTime(Sleeps->second));
  if (double Spared = workSparedByPauses(P); Spared > 0.05)
    Warn("A visit takes up to {0} less CPU time while other threads pause. Threads probably "
         "compete for cache lines or memory, which predictions do not model: expect larger "
         "errors, and look for shared data. Ignore this if the paused threads do unrelated work.",
         percent(Spared));
  size_t All = P.experiments().size(), Lost = Discarded.countDisturbed();
  if (share(double(Lost), double(All - Lost)) > 0.05)
    Warn("{0} of {1} experiments are left out, since other programs had the cores "
         "meanwhile, or the machine's host: with nothing beside answers come sooner.",
         Lost, All);
  if (Discarded.leaveOutIdleTime() && share(T.Idle, T.Wall - T.Idle) > 0.05)
    Warn("Nobody was at work for {0} of {1} (for 20 ms or more at a time). What "
         "is predicted is of the rest{2}.",
         formatTime(T.Idle), formatTime(T.Wall),
         Discarded.countIdle()
             ? formatv("; {0} of {1} experiments are left out", Discarded.countIdle(), All).str()
             : "");
  std::string Late;
  for (unsigned Point = 0; Point < P.points().size(); ++Point)
    if (Settling(P, Point, Discarded).isAlwaysLate())
      Late += (Late.empty() ? "" : ", ") + printable(P.points()[Point].Name);
  if (!Late.empty())
    Warn("Experiments were too short for {0} to settle (queues were still filling or draining), "
         "so only their last 40 % counts. Set experiment_ms={1:f0} in CAUSAL_OPTIONS.",
         Late, 10 * std::round(2 * medianLength(P) / 1e7));
  if (auto Visits = visitsOfExperiment(P); Visits && Visits->first < EnoughVisits)
    Warn("An experiment has {0} visits of {1}: answers take long. Put a progress point "
         "in a smaller unit of work, of which each of these has many.",
         Visits->first, Visits->second);
  if (std::string Names = unvisitedPoints(P); !Names.empty())
    Warn("Never visited: {0}. If -fcausal-progress names it, it was not called, or not found: "
         "-Rpass=causal shows the functions that were.",
         Names);
  double Delay = 0, Unsettled = 0;
  for (const Experiment &E : P.experiments()) {
    Delay += double(E.Delay);
    Unsettled += double(E.Unsettled);
  }
  if (double S = share(Unsettled, Delay); S > 0.05)
    Warn("{0} of the delays were not paid when their experiment ended: threads "
         "were blocked or starved; "
         "predictions are uncertain by about as much.",
         percent(S));
  return W;
}

} // namespace causal
