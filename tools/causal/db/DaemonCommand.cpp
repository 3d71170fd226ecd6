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

#include "llvm/Support/FormatVariadic.h"

#include <cerrno>
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

Error runDaemon() {
  auto Interval = parseTime(Every);
  auto Limit = parseTime(For);
  if (!Interval || *Interval < 1e6 || (!For.empty() && !Limit))
    return createStringError(inconvertibleErrorCode(),
                             "--every= and --for= take a time as 500ms, 60s or 5m");
  sigset_t Ends;
  sigemptyset(&Ends);
  sigaddset(&Ends, SIGTERM);
  sigaddset(&Ends, SIGINT);
  sigprocmask(SIG_BLOCK, &Ends, nullptr);
  double Left = Limit ? *Limit : 0;
  for (bool Goes = true;;) {
    auto C = collectForAll(Path, collectOptions(Path));
    if (!C)
      return C.takeError();
    if (!Goes)
      return Error::success();
    double Pause = Limit ? std::min(*Interval, Left) : *Interval;
    timespec T = {time_t(Pause / 1e9), long(uint64_t(Pause) % 1000000000)};
    int Signal = sigtimedwait(&Ends, nullptr, &T);
    Left -= Pause;
    Goes = Signal < 0 && (!Limit || Left > 0);
  }
}

} // namespace causal
