//===- ChildProcess.h - The program that the tool runs ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts a program with this process's standard streams and waits for it.
// While a SignalGuard lives, ^C does not end the tool: the terminal sends it to
// the program as well, and the tool goes on to say what is known so far.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_CHILDPROCESS_H
#define CAUSAL_TOOL_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace causal {

/// Blocks SIGINT, SIGTERM and SIGHUP, as far as they are not ignored, and SIGCHLD, which
/// wait() then takes one by one; no handler runs. One at a time.
class SignalGuard {
public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

  /// What the user asked for, if it was to end.
  bool interrupted() const { return Signal != 0; }
  int signal() const { return Signal; }

private:
  friend class ChildProcess;
  sigset_t Waited, Old;
  void (*OldChild)(int);
  int Signal = 0;
};

class ChildProcess {
public:
  /// Looks \p Arguments[0] up in PATH and starts it with \p Environment added
  /// to the tool's own.
  static llvm::Expected<ChildProcess>
  start(llvm::ArrayRef<std::string> Arguments,
        llvm::ArrayRef<std::pair<std::string, std::string>> Environment, SignalGuard &Signals);

  /// Waits up to \p Nanoseconds. The exit status, 128 + N for signal N; none if
  /// the program still runs. SIGTERM and SIGHUP are handed on to it.
  std::optional<int> wait(double Nanoseconds);
  void terminate();
  /// After the end of the program: whether one that it has started goes on as the program does
  /// (a server that goes into the background). That one is the program then.
  bool followIntoBackground();
  pid_t id() const { return Pid; }

private:
  ChildProcess(pid_t Pid, std::string File, SignalGuard &Signals)
      : Pid(Pid), File(std::move(File)), Signals(&Signals) {}
  /// False if none came within \p Nanoseconds.
  bool takeSignal(double Nanoseconds);

  pid_t Pid;
  std::string File; ///< What it executes, without links.
  SignalGuard *Signals;
  bool InBackground = false; ///< The terminal's signals do not come to it.
};

/// The file that \p Name would run; an error that says what is wrong with it.
llvm::Expected<std::string> findProgram(llvm::StringRef Name);

/// Whether \p Path is an executable of this machine's format without the
/// runtime of the profiler in it. A script or a stranger is not known to be.
bool isUninstrumented(llvm::StringRef Path);

} // namespace causal

#endif // CAUSAL_TOOL_CHILDPROCESS_H
