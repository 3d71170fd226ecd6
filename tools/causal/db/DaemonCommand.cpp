//===- DaemonCommand.cpp - causal daemon ----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounds of collecting, one after the other, until a signal ends it; the last one comes
// after the signal.
//
//===----------------------------------------------------------------------===//
#include "Terminal.h"
#include "db/DatabaseCommands.h"
#include "lib/continuous/system/SystemSampler.h"

#include "llvm/Support/FormatVariadic.h"

#include <csignal>
#include <ctime>

using namespace llvm;
using namespace causal::continuous;

namespace causal {

cl::SubCommand DaemonCommand("daemon", "Collect into a database again and again");

static cl::opt<std::string> Path(cl::Positional, cl::Required, cl::desc("<database>"),
                                 cl::sub(DaemonCommand), cl::cat(Options));
static cl::opt<std::string> Every("every", cl::init("60s"), cl::value_desc("time"),
                                  cl::desc("Time between two rounds (default: 60s)"),
                                  cl::sub(DaemonCommand), cl::cat(Options));
static cl::opt<std::string> For("for", cl::value_desc("time"),
                                cl::desc("End after this time (default: at SIGTERM or SIGINT)"),
                                cl::sub(DaemonCommand), cl::cat(Options));

static cl::opt<bool> System("system",
                            cl::desc("Sample all processes of the machine as well, "
                                     "instrumented or not (root or CAP_PERFMON)"),
                            cl::sub(DaemonCommand), cl::cat(Options));
static cl::opt<unsigned> Period("period-us", cl::init(2000), cl::value_desc("n"),
                                cl::desc("With --system: CPU time between samples (default: 2000)"),
                                cl::sub(DaemonCommand), cl::cat(Options));

static uint64_t now(clockid_t Clock) {
  timespec T;
  clock_gettime(Clock, &T);
  return uint64_t(T.tv_sec) * 1000000000 + uint64_t(T.tv_nsec);
}

/// Whether a signal that ends us came within \p Ns.
static bool isToldToEnd(const sigset_t &Ends, uint64_t Ns) {
  timespec T = {time_t(Ns / 1000000000), long(Ns % 1000000000)};
  return sigtimedwait(&Ends, nullptr, &T) >= 0;
}

static Error collectRound(SystemSampler *Sampler) {
  CollectOptions O = collectOptions(Path);
  Delta More;
  if (Sampler)
    More = Sampler->take(O.Now);
  return collectForAll(Path, O, Sampler ? &More : nullptr).takeError();
}

static void reportCounts(const SystemSampler &S, uint64_t Began) {
  const SystemCounts &C = S.counts();
  double User = double(std::max<uint64_t>(C.User, 1));
  outs() << C.Samples << " samples (" << S.events() << "): " << C.Kernel << " in the kernel, "
         << C.User << " in programs, "
         << formatv("{0:F2} % of these in images with a build-id",
                    100 * double(C.UserWithBuildId) / User)
         << "; " << C.Elsewhere << " of processes that count for themselves, " << C.Lost
         << " lost\nown CPU time: "
         << formatv("{0:F3} % of a core\n", 100 * double(now(CLOCK_PROCESS_CPUTIME_ID)) /
                                                double(now(CLOCK_MONOTONIC) - Began));
}

Error runDaemon() {
  auto Interval = parseTime(Every);
  auto Limit = parseTime(For);
  if (!Interval || *Interval < 1e6 || (!For.empty() && !Limit))
    return createStringError(inconvertibleErrorCode(),
                             "--every= and --for= take a time as 500ms, 60s or 5m");
  if (Period < 100)
    return createStringError(inconvertibleErrorCode(), "--period-us= is 100 at least");
  sigset_t Ends;
  sigemptyset(&Ends);
  sigaddset(&Ends, SIGTERM);
  sigaddset(&Ends, SIGINT);
  sigprocmask(SIG_BLOCK, &Ends, nullptr);
  // Before the first round: a database that cannot be made is told of at once.
  if (Error E = makeDatabase(Path))
    return E;
  uint64_t Began = now(CLOCK_MONOTONIC), LastRound = Began;
  std::unique_ptr<SystemSampler> Sampler;
  if (System) {
    auto Started = SystemSampler::start(Path, uint64_t(Period) * 1000);
    if (!Started)
      return Started.takeError();
    Sampler = std::move(*Started);
    outs() << "sampling " << Sampler->events() << " of all processes\n";
    outs().flush();
  }
  // Buffers of samples hold several seconds.
  const uint64_t Tick = uint64_t(std::min(*Interval, System ? 0.5e9 : 1e9));
  for (bool Goes = true; Goes;) {
    Goes = !isToldToEnd(Ends, Tick);
    uint64_t Now = now(CLOCK_MONOTONIC);
    Goes &= !Limit || double(Now - Began) < *Limit;
    if (Sampler)
      Sampler->drain();
    if (Goes && double(Now - LastRound) < *Interval)
      continue;
    LastRound = Now;
    if (Error E = collectRound(Sampler.get()))
      return E;
  }
  if (Sampler)
    reportCounts(*Sampler, Began);
  return Error::success();
}

} // namespace causal
