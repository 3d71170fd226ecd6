//===- ChildProcess.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <climits>
#include <cstring>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace causal {

static bool isIgnored(int Signal) {
  struct sigaction Action;
  return !sigaction(Signal, nullptr, &Action) && Action.sa_handler == SIG_IGN;
}

SignalGuard::SignalGuard() {
  sigemptyset(&Waited);
  for (int S : {SIGINT, SIGTERM, SIGHUP})
    if (!isIgnored(S)) // By nohup, or of a job in the background.
      sigaddset(&Waited, S);
  sigaddset(&Waited, SIGCHLD);
  sigprocmask(SIG_BLOCK, &Waited, &Old);
  // Where it is ignored nothing is left of a child to wait for.
  OldChild = ::signal(SIGCHLD, SIG_DFL);
}

SignalGuard::~SignalGuard() {
  ::signal(SIGCHLD, OldChild);
  sigprocmask(SIG_SETMASK, &Old, nullptr);
}

Expected<std::string> findProgram(StringRef Name) {
  ErrorOr<std::string> Path =
      Name.contains('/') ? ErrorOr<std::string>(Name.str()) : sys::findProgramByName(Name);
  if (!Path || !sys::fs::exists(*Path))
    return createStringError(
        inconvertibleErrorCode(),
        "cannot run " + Name +
            ": there is no such "
            "program" +
            (Name.contains('/') ? "" : " in PATH; write ./" + Name + " for one in this directory"));
  if (sys::fs::is_directory(*Path) || !sys::fs::can_execute(*Path))
    return createStringError(inconvertibleErrorCode(), "cannot run " + Name +
                                                           ": it is not an "
                                                           "executable file");
  return *Path;
}

bool isUninstrumented(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer || !(*Buffer)->getBuffer().starts_with("\x7f"
                                                     "ELF"))
    return false;
  return !(*Buffer)->getBuffer().contains("CAUSAL_OPTIONS");
}

Expected<ChildProcess>
ChildProcess::start(ArrayRef<std::string> Arguments,
                    ArrayRef<std::pair<std::string, std::string>> Environment,
                    SignalGuard &Signals) {
  Expected<std::string> Path = findProgram(Arguments.front());
  if (!Path)
    return Path.takeError();
  std::vector<std::string> Variables;
  for (char **Each = environ; *Each; ++Each) {
    StringRef Name = StringRef(*Each).split('=').first;
    if (llvm::none_of(Environment, [&](auto &New) { return New.first == Name; }))
      Variables.push_back(*Each);
  }
  for (const auto &[Name, Value] : Environment)
    Variables.push_back(Name + "=" + Value);
  auto Pointers = [](auto &Strings) {
    std::vector<char *> P;
    for (const std::string &S : Strings)
      P.push_back(const_cast<char *>(S.c_str()));
    P.push_back(nullptr);
    return P;
  };

  // Whose parents have ended becomes ours.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  SmallString<256> File;
  if (sys::fs::real_path(*Path, File))
    File = *Path;
  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  posix_spawnattr_setsigmask(&Attributes, &Signals.Old);
  posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t Pid;
  int Failed = posix_spawn(&Pid, Path->c_str(), nullptr, &Attributes, Pointers(Arguments).data(),
                           Pointers(Variables).data());
  posix_spawnattr_destroy(&Attributes);
  if (Failed)
    return createStringError(std::error_code(Failed, std::generic_category()),
                             "cannot run " + Arguments.front() + ": " + std::strerror(Failed));
  return ChildProcess(Pid, File.str().str(), Signals);
}

bool ChildProcess::takeSignal(double Nanoseconds) {
  siginfo_t Info;
  timespec Limit;
  Limit.tv_sec = time_t(Nanoseconds / 1e9);
  Limit.tv_nsec = long(Nanoseconds - double(Limit.tv_sec) * 1e9);
  int Signal = sigtimedwait(&Signals->Waited, &Info, &Limit);
  if (Signal <= 0)
    return false;
  if (Signal != SIGCHLD) {
    Signals->Signal = Signal;
    // What comes from the terminal comes to the program too.
    if (InBackground)
      terminate();
    else if (Signal != SIGINT || Info.si_code != SI_KERNEL)
      kill(Pid, Signal);
  }
  return true;
}

std::optional<int> ChildProcess::wait(double Nanoseconds) {
  // All that came while the caller was busy, before the end that it caused.
  if (!takeSignal(0))
    takeSignal(Nanoseconds);
  while (takeSignal(0)) {
  }
  int Status;
  if (waitpid(Pid, &Status, WNOHANG) != Pid)
    return std::nullopt;
  return WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
}

static std::string executedBy(pid_t Pid) {
  char Text[PATH_MAX];
  ssize_t Size = readlink(("/proc/" + std::to_string(Pid) + "/exe").c_str(), Text, sizeof(Text));
  return Size > 0 ? std::string(Text, size_t(Size)) : "";
}

bool ChildProcess::followIntoBackground() {
  // Those that have ended are no more.
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  auto Buffer = MemoryBuffer::getFileAsStream("/proc/thread-self/children");
  if (!Buffer)
    return false;
  SmallVector<StringRef> Children;
  (*Buffer)->getBuffer().split(Children, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Text : Children) {
    pid_t Child;
    if (Text.trim().getAsInteger(10, Child) || executedBy(Child) != File)
      continue;
    Pid = Child;
    return InBackground = true;
  }
  return false;
}

void ChildProcess::terminate() { kill(Pid, SIGTERM); }

} // namespace causal
