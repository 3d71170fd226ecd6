//===- causal_progress.cpp - Progress points ------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixed table of points. A latency point is one entry with two counters. The
// lock is for making entries only; readers see whole entries by Used.
//
//===----------------------------------------------------------------------===//
#include "causal/experiment/causal_progress.h"
#include "base/causal_report.h"
#include "base/causal_runtime_lock.h"
#include "causal/experiment/causal_settling.h"
#include "causal/experiment/causal_watch.h"

#include "sanitizer_common/sanitizer_common.h"

using namespace __causal;

extern "C" {
__attribute__((visibility("default"),
               tls_model("initial-exec"))) __thread size_t __causal_own_counter;
}

namespace {
/// Those of as many threads have been in use as threads have begun to count.
unsigned UsedCounters = 1;

/// Cache lines of their own: neither sites of different points nor threads slow each other.
struct alignas(64) Counter {
  causal_counter Of[CAUSAL_COUNTERS_ * CAUSAL_COUNTER_STEP_];
  const Watch *Watched; ///< What else counts; may be null.

  uint64_t count() const {
    uint64_t Sum = Watched ? visitsOf(*Watched) : 0;
    for (unsigned I = 0, E = __atomic_load_n(&UsedCounters, __ATOMIC_RELAXED); I < E; ++I)
      Sum += __atomic_load_n(&Of[I * CAUSAL_COUNTER_STEP_].count, __ATOMIC_RELAXED);
    return Sum;
  }
};

struct Point {
  Counter First;  ///< Throughput: visits. Latency: begins.
  Counter Second; ///< Latency: ends.
  const char *Name;
  bool Latency;
  bool HasFunction; ///< That -fcausal-progress has found.
  // The experiment that runs, or ran last.
  uint64_t StartFirst, StartSecond, EndFirst, EndSecond;
  /// Integral of requests in flight over effective time; of the late part too.
  double InFlightTime, LateInFlightTime;
  VisitSpans Spans; ///< Of visits, or ends.
  SettlingTest Settling;

  uint64_t done() const { return Latency ? Second.count() : First.count(); }
};

constexpr unsigned MaxPoints = 1024;
constexpr unsigned NamesSize = 1 << 16;
} // namespace

static Point Points[MaxPoints];
static unsigned Used;
static char Names[NamesSize];
static unsigned NamesUsed;
static __sanitizer::StaticSpinMutex Mutex;
static unsigned ExperimentPoints;
static uint64_t ExperimentStart, LastPoll, ExperimentLength, LateLength;

static unsigned used() { return __atomic_load_n(&Used, __ATOMIC_ACQUIRE); }

void __causal::lockProgressPoints() { Mutex.Lock(); }
void __causal::unlockProgressPoints() { Mutex.Unlock(); }

static const char *copyName(const char *Name) {
  unsigned Size = static_cast<unsigned>(textLength(Name)) + 1;
  if (NamesSize - NamesUsed < Size)
    return nullptr;
  char *To = Names + NamesUsed;
  for (unsigned I = 0; I < Size; ++I)
    To[I] = Name[I];
  NamesUsed += Size;
  return To;
}

static Point *findOrMake(bool Latency, const char *Name) {
  RuntimeLock Lock(Mutex);
  for (unsigned I = 0; I < Used; ++I)
    if (Points[I].Latency == Latency && textEquals(Points[I].Name, Name))
      return &Points[I];
  if (Used == MaxPoints)
    return nullptr;
  Point &P = Points[Used];
  P.Latency = Latency;
  P.Name = copyName(Name);
  if (!P.Name)
    return nullptr;
  __atomic_store_n(&Used, Used + 1, __ATOMIC_RELEASE);
  return &P;
}

causal_counter *__causal::getCounter(int Kind, const char *Name) {
  if (!Name || Kind < CAUSAL_THROUGHPUT || Kind > CAUSAL_FUNCTION_)
    return nullptr;
  static Counter Nowhere; // A site asks once, and counts where nobody looks.
  if (isSandboxed())
    return Nowhere.Of;
  Point *P = findOrMake(Kind == CAUSAL_LATENCY_BEGIN || Kind == CAUSAL_LATENCY_END, Name);
  if (!P) {
    if (static bool Said; !__atomic_exchange_n(&Said, true, __ATOMIC_RELAXED))
      CAUSAL_REPORT("causal: no room for progress point \"%s\" and further ones: they are not "
                    "counted\n",
                    Name);
    return Nowhere.Of;
  }
  if (Kind == CAUSAL_FUNCTION_)
    P->HasFunction = true;
  return Kind == CAUSAL_LATENCY_END ? P->Second.Of : P->First.Of;
}

void __causal::watchPoint(const char *Name, const Watch *Begins, const Watch *Ends) {
  Point *P = findOrMake(/*Latency=*/Ends != nullptr, Name);
  if (!P)
    return;
  P->First.Watched = Begins;
  P->Second.Watched = Ends;
  P->HasFunction = true;
}

void __causal::countApart(unsigned Index) {
  Index %= CAUSAL_COUNTERS_;
  unsigned Seen = __atomic_load_n(&UsedCounters, __ATOMIC_RELAXED);
  while (Seen <= Index &&
         !__atomic_compare_exchange_n(&UsedCounters, &Seen, Index + 1,
                                      /*weak=*/true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  __causal_own_counter = Index * CAUSAL_COUNTER_STEP_;
}

void __causal::beginPointVisits(uint64_t Time, uint64_t Work, bool WholeRun) {
  ExperimentPoints = WholeRun ? 0 : used();
  ExperimentStart = LastPoll = Time;
  LateLength = 0;
  for (unsigned I = 0; I < ExperimentPoints; ++I) {
    Point &P = Points[I];
    P.StartSecond = P.Second.count(); // Ends first: never more ends than begins.
    P.StartFirst = P.First.count();
    P.InFlightTime = P.LateInFlightTime = 0;
    P.Spans.begin(Time, P.Latency ? P.StartSecond : P.StartFirst, Work);
  }
}

void __causal::beginLatePointVisits(uint64_t Time, uint64_t Work) {
  for (unsigned Now = used(); ExperimentPoints < Now; ++ExperimentPoints) {
    Point &P = Points[ExperimentPoints];
    P.StartFirst = P.StartSecond = 0;
    P.InFlightTime = P.LateInFlightTime = 0;
    P.Spans.begin(Time, P.done(), Work);
  }
}

void __causal::pollPointVisits(uint64_t Time, ExperimentPart Part, uint64_t Work) {
  uint64_t Step = Time > LastPoll ? Time - LastPoll : 0;
  LastPoll += Step;
  bool Late = Part == ExperimentPart::Late;
  LateLength += Late ? Step : 0;
  for (unsigned I = 0; I < ExperimentPoints; ++I) {
    Point &P = Points[I];
    P.Spans.poll(Time, P.done(), Part, Work);
    if (!P.Latency)
      continue;
    int64_t InFlight = static_cast<int64_t>(P.First.count() - P.Second.count());
    if (InFlight <= 0)
      continue;
    double Area = static_cast<double>(InFlight) * static_cast<double>(Step);
    P.InFlightTime += Area;
    P.LateInFlightTime += Late ? Area : 0;
  }
}

uint64_t __causal::endPointVisits(uint64_t Time, uint64_t Work) {
  pollPointVisits(Time, ExperimentPart::Late, Work);
  ExperimentLength = LastPoll - ExperimentStart;
  uint64_t Least = 0;
  for (unsigned I = 0; I < ExperimentPoints; ++I) {
    Point &P = Points[I];
    P.EndSecond = P.Second.count();
    P.EndFirst = P.First.count();
    uint64_t Visits = P.Latency ? P.EndSecond - P.StartSecond : P.EndFirst - P.StartFirst;
    if (Visits && (!Least || Visits < Least))
      Least = Visits;
  }
  return Least;
}

bool __causal::settlesLate(uint32_t Line, uint32_t Speedup) {
  bool Late = false;
  for (unsigned I = 0; I < ExperimentPoints; ++I)
    Late |= Points[I].Settling.add(Line, Speedup, Points[I].Spans);
  for (unsigned I = 0; Late && I < ExperimentPoints; ++I)
    Points[I].Settling = {};
  return Late;
}

unsigned __causal::pointVisitsCount() { return ExperimentPoints; }

PointVisits __causal::pointVisits(unsigned Index) {
  const Point &P = Points[Index];
  PointVisits V = {};
  V.Name = P.Name;
  V.Latency = P.Latency;
  V.Visits = P.EndFirst - P.StartFirst;
  V.Span = P.Spans.whole();
  V.Late = P.Spans.late();
  if (P.Latency) {
    V.Begins = V.Visits;
    V.Visits = P.EndSecond - P.StartSecond;
    V.InFlight = ExperimentLength ? P.InFlightTime / static_cast<double>(ExperimentLength) : 0;
    V.LateInFlight = LateLength ? P.LateInFlightTime / static_cast<double>(LateLength) : 0;
  }
  return V;
}

bool __causal::anyPointVisited() {
  for (unsigned I = 0, E = used(); I < E; ++I)
    if (Points[I].First.count() || Points[I].Second.count())
      return true;
  return false;
}

bool __causal::listUnvisitedPoints(TextBuffer &To, bool HaveFunctions) {
  bool Any = false;
  for (unsigned I = 0, E = used(); I < E; ++I)
    if (Points[I].HasFunction == HaveFunctions && !Points[I].First.count() &&
        !Points[I].Second.count()) {
      To.put(Any ? ", " : "").put(Points[I].Name);
      Any = true;
    }
  return Any;
}

void __causal::listVisits(TextBuffer &To) {
  for (unsigned I = 0, E = used(); I < E; ++I)
    if (uint64_t Visits = Points[I].First.count() + Points[I].Second.count())
      To.put(To.size() ? ", " : "").put(Points[I].Name).put(": ").putUnsigned(Visits);
}
