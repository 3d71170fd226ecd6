//===- CountRunner.cpp - Runs a counting build and reads it ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/probe/CountRunner.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <set>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace causal::probe {
namespace {

/// What a program file says about its counters.
struct CountedImage {
  std::unique_ptr<cpi::Image> Code;
  std::vector<cpi::CounterRecord> Records;
};

/// Counters of one process, by path and address in the file.
using Snapshot = std::map<std::pair<std::string, uint64_t>, uint64_t>;

class Counting {
public:
  /// The counters of the process of thread \p Pid as they stand. A leader that has ended
  /// has no memory any more, its last thread has.
  Snapshot read(int Pid) {
    Snapshot Found;
    // Of a file the mapping of its beginning tells where the rest is.
    auto Maps = MemoryBuffer::getFileAsStream("/proc/" + std::to_string(Pid) + "/maps");
    if (!Maps)
      return Found;
    int Memory = open(("/proc/" + std::to_string(Pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
    if (Memory < 0)
      return Found;
    std::set<std::string> Done;
    for (StringRef Line : split((*Maps)->getBuffer(), '\n')) {
      SmallVector<StringRef, 6> Fields;
      Line.split(Fields, ' ', 5, /*KeepEmpty=*/false);
      if (Fields.size() < 6)
        continue;
      std::string Path = Fields[5].trim().str();
      uint64_t Begin = 0, Offset = 0;
      if (Path.empty() || Path[0] != '/' || Fields[0].split('-').first.getAsInteger(16, Begin) ||
          Fields[2].getAsInteger(16, Offset) || Offset || !Done.insert(Path).second)
        continue;
      const CountedImage &I = image(Path);
      if (I.Records.empty())
        continue;
      std::optional<uint64_t> First = I.Code->addressOfOffset(0);
      if (!First)
        continue;
      uint64_t Bias = Begin - *First;
      for (const cpi::CounterRecord &R : I.Records) {
        std::vector<uint64_t> Values(R.Blocks.size());
        size_t Size = Values.size() * sizeof(uint64_t);
        if (pread(Memory, Values.data(), Size, R.Counters + Bias) != ssize_t(Size))
          continue;
        for (size_t K = 0; K < Values.size(); ++K)
          if (Values[K])
            Found[{Path, R.Counters + 8 * K}] = Values[K];
      }
    }
    close(Memory);
    return Found;
  }

  /// Adds what \p Now has more than \p Before.
  void add(const Snapshot &Now, const Snapshot &Before) {
    for (const auto &[Key, N] : Now) {
      auto Old = Before.find(Key);
      Sums[Key] += N - (Old == Before.end() ? 0 : Old->second);
    }
  }

  Expected<cpi::ExactCounts> counts(StringRef Command) {
    cpi::ExactCounts Counts;
    Counts.Path = Command.str();
    // Any CPU will do to cut procedures into blocks.
    Expected<std::unique_ptr<cpi::Decoder>> D = cpi::Decoder::create("x86-64");
    if (!D)
      return D.takeError();
    for (auto &[Path, Image] : Images)
      for (const cpi::CounterRecord &R : Image.Records) {
        const cpi::Symbol *S = Image.Code->symbolAt(R.Function);
        if (!S || S->Address != R.Function)
          continue;
        Expected<cpi::Procedure> P = Image.Code->procedure(*S, **D);
        if (!P)
          return P.takeError();
        cpi::ProcedureCounts C;
        C.Name = S->Name;
        C.Hash = P->Hash;
        for (size_t K = 0; K < R.Blocks.size(); ++K) {
          auto Sum = Sums.find({Path, R.Counters + 8 * K});
          C.Blocks[R.Blocks[K]] = Sum == Sums.end() ? 0 : Sum->second;
        }
        Counts.Procedures.push_back(std::move(C));
      }
    return Counts;
  }
  bool empty() const {
    return none_of(Images, [](const auto &I) { return !I.second.Records.empty(); });
  }

private:
  const CountedImage &image(const std::string &Path) {
    auto [Known, New] = Images.try_emplace(Path);
    if (!New)
      return Known->second;
    Expected<std::unique_ptr<cpi::Image>> Code = cpi::Image::open(Path);
    if (!Code) {
      consumeError(Code.takeError());
      return Known->second;
    }
    Expected<std::vector<cpi::CounterRecord>> Records = cpi::counterRecords(**Code);
    if (!Records)
      consumeError(Records.takeError());
    else
      Known->second = {std::move(*Code), std::move(*Records)};
    // By address, as others number functions of one name.
    sort(Known->second.Records, [](const cpi::CounterRecord &A, const cpi::CounterRecord &B) {
      return A.Function < B.Function;
    });
    return Known->second;
  }

  std::map<std::string, CountedImage> Images;
  Snapshot Sums;
};

int threadGroupOf(int Tid) {
  auto Status = MemoryBuffer::getFileAsStream("/proc/" + std::to_string(Tid) + "/status");
  int Group = Tid;
  if (Status)
    for (StringRef Line : split((*Status)->getBuffer(), '\n'))
      if (Line.consume_front("Tgid:"))
        Line.trim().getAsInteger(10, Group);
  return Group;
}

/// Follows the processes of a program to their ends.
class Tracer {
public:
  Tracer(int Main, Counting &Into) : Main(Main), Into(Into) {}

  int run() {
    int Status = 0, MainStatus = 0;
    for (int Tid; (Tid = waitpid(-1, &Status, __WALL)) > 0;) {
      if (WIFEXITED(Status) || WIFSIGNALED(Status)) {
        if (Tid == Main)
          MainStatus = WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
        Threads.erase(Tid);
        continue;
      }
      if (WIFSTOPPED(Status))
        stopped(Tid, Status);
    }
    return MainStatus;
  }
  unsigned Execs = 0;

private:
  void stopped(int Tid, int Status) {
    int Signal = WSTOPSIG(Status), Event = Status >> 16;
    int Group = Threads.try_emplace(Tid, 0).first->second;
    if (!Group)
      Group = Threads[Tid] = threadGroupOf(Tid);
    switch (Event) {
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE: {
      unsigned long Child = 0;
      ptrace(PTRACE_GETEVENTMSG, Tid, nullptr, &Child);
      if (Event == PTRACE_EVENT_FORK) // It begins with the counts of its parent.
        Inherited[Child] = Into.read(Tid);
      else if (Event == PTRACE_EVENT_VFORK)
        SharesMemory.insert(Child);
      break;
    }
    case PTRACE_EVENT_EXEC:
      Execs += Group != Main || Started;
      if (SharesMemory.erase(Group))
        --Execs; // Nothing of it is lost: its parent has the counts.
      Started = true;
      Inherited.erase(Group);
      break;
    case PTRACE_EVENT_EXIT:
      if (isLast(Tid, Group) && !SharesMemory.count(Group)) {
        Into.add(Into.read(Tid), Inherited[Group]);
        Inherited.erase(Group);
      }
      Threads.erase(Tid);
      break;
    }
    bool New = Signal == SIGSTOP && Seen.insert(Tid).second && Tid != Main;
    bool Ours = Event || New;
    if (Signal == SIGTRAP && !Event && !AfterExec) { // The stop after the first exec.
      ptrace(PTRACE_SETOPTIONS, Tid, nullptr,
             PTRACE_O_TRACEEXIT | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                 PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
      AfterExec = Started = Ours = true;
    }
    ptrace(PTRACE_CONT, Tid, nullptr, Ours ? 0 : Signal);
  }

  bool isLast(int Tid, int Group) const {
    return none_of(Threads, [&](const auto &T) { return T.second == Group && T.first != Tid; });
  }

  int Main;
  Counting &Into;
  bool AfterExec = false, Started = false;
  std::map<int, int> Threads; ///< Their processes.
  std::map<int, Snapshot> Inherited;
  std::set<int> SharesMemory, Seen;
};

} // namespace

Expected<CountResult> countBlocks(ArrayRef<std::string> Command) {
  std::vector<char *> Words;
  for (const std::string &Word : Command)
    Words.push_back(const_cast<char *>(Word.c_str()));
  Words.push_back(nullptr);
  int Pid = fork();
  if (Pid < 0)
    return createStringError(std::error_code(errno, std::generic_category()),
                             "cannot start a process");
  if (!Pid) {
    // The runtime's own sampling would only disturb.
    setenv("CAUSAL_OPTIONS", "enabled=0", 1);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) < 0)
      fprintf(stderr, "causal: this system allows no ptrace, which counting needs: %s\n",
              strerror(errno));
    else
      execvp(Words[0], Words.data());
    fprintf(stderr, "causal: cannot run %s: %s\n", Words[0], strerror(errno));
    _exit(127);
  }
  struct sigaction Ignore = {}, Before;
  Ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &Ignore, &Before);
  Counting Into;
  Tracer Trace(Pid, Into);
  CountResult Result;
  Result.Status = Trace.run();
  Result.Execs = Trace.Execs;
  sigaction(SIGINT, &Before, nullptr);
  if (Into.empty())
    return createStringError(inconvertibleErrorCode(),
                             "'" + Command.front() +
                                 "' counts nothing: build it with -fcausal-profile=count");
  Expected<cpi::ExactCounts> Counts = Into.counts(Command.front());
  if (!Counts)
    return Counts.takeError();
  Result.Counts = std::move(*Counts);
  return Result;
}

} // namespace causal::probe
