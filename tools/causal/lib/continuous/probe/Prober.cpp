//===- Prober.cpp - Samples a program with the data it touches ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/probe/Prober.h"

#include "lib/continuous/probe/PerfRing.h"

#include <algorithm>
#include <asm/perf_regs.h>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace causal::probe {
namespace {

/// Faults come in numbers; one in so many is enough.
constexpr uint64_t FaultPeriod = 7;

/// The kernel's numbers of registers in the order of DWARF's.
constexpr unsigned KernelRegister[16] = {
    PERF_REG_X86_AX,  PERF_REG_X86_DX,  PERF_REG_X86_CX,  PERF_REG_X86_BX,
    PERF_REG_X86_SI,  PERF_REG_X86_DI,  PERF_REG_X86_BP,  PERF_REG_X86_SP,
    PERF_REG_X86_R8,  PERF_REG_X86_R9,  PERF_REG_X86_R10, PERF_REG_X86_R11,
    PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14, PERF_REG_X86_R15};

uint64_t registerMask() {
  uint64_t Mask = uint64_t(1) << PERF_REG_X86_IP;
  for (unsigned R : KernelRegister)
    Mask |= uint64_t(1) << R;
  return Mask;
}

struct Sample {
  uint32_t Pid, Tid;
  uint64_t PC;
  enum { User, Kernel, Fault } Kind;
  Registers At;
};

struct Mapping {
  uint32_t Pid;
  uint64_t Begin, End, Offset;
  std::string Path;
};

/// Takes the kernel's records apart.
class Recorder {
public:
  void setFaultEvents(std::vector<uint64_t> IDs) { FaultIDs = std::move(IDs); }

  void take(uint32_t Type, StringRef Record) {
    RecordCursor At(Record);
    if (Type == PERF_RECORD_SAMPLE) {
      takeSample(At);
    } else if (Type == PERF_RECORD_MMAP2) {
      Mapping M;
      M.Pid = At.u32();
      At.u32();
      M.Begin = At.u64();
      M.End = M.Begin + At.u64();
      M.Offset = At.u64();
      At.skip(24 + 8);
      M.Path = At.rest().take_until([](char C) { return !C; }).str();
      Mappings.push_back(std::move(M));
    } else if (Type == PERF_RECORD_FORK) {
      uint32_t Pid = At.u32(), Parent = At.u32();
      if (Pid != Parent)
        ParentOf[Pid] = Parent;
    } else if (Type == PERF_RECORD_LOST) {
      At.u64();
      Lost += At.u64();
    }
  }

  /// The last mapping of the process, or of those that it was forked from.
  const Mapping *find(uint32_t Pid, uint64_t PC) const {
    for (unsigned Depth = 0; Depth < 64; ++Depth) {
      for (const Mapping &M : reverse(Mappings))
        if (M.Pid == Pid && PC >= M.Begin && PC < M.End)
          return &M;
      auto Parent = ParentOf.find(Pid);
      if (Parent == ParentOf.end())
        return nullptr;
      Pid = Parent->second;
    }
    return nullptr;
  }

  std::vector<Sample> Samples;
  uint64_t Lost = 0;

private:
  void takeSample(RecordCursor &At) {
    Sample S;
    uint64_t ID = At.u64();
    S.PC = At.u64();
    S.Pid = At.u32();
    S.Tid = At.u32();
    bool HasRegisters = At.u64() != PERF_SAMPLE_REGS_ABI_NONE;
    uint64_t Values[64] = {};
    uint64_t Mask = registerMask();
    for (unsigned R = 0; R < 64; ++R)
      if (HasRegisters && (Mask >> R & 1))
        Values[R] = At.u64();
    for (unsigned R = 0; R < 16; ++R)
      S.At.Value[R] = Values[KernelRegister[R]];
    bool InKernel = int64_t(S.PC) < 0;
    if (HasRegisters && InKernel)
      S.PC = Values[PERF_REG_X86_IP];
    S.Kind = is_contained(FaultIDs, ID) ? Sample::Fault : InKernel ? Sample::Kernel : Sample::User;
    if (HasRegisters || !InKernel)
      Samples.push_back(S);
  }

  std::vector<Mapping> Mappings;
  std::map<uint32_t, uint32_t> ParentOf;
  std::vector<uint64_t> FaultIDs;
};

/// An image that samples fell into.
struct SampledImage {
  std::unique_ptr<cpi::Image> Code;
  cpi::Observations Seen;
  std::map<uint64_t, std::optional<cpi::Procedure>> Procedures; ///< By address.
  std::map<std::pair<uint64_t, uint64_t>, std::optional<uint64_t>> BiasOf;

  const cpi::Procedure *procedureAt(uint64_t Address, const cpi::Decoder &D) {
    const cpi::Symbol *S = Code ? Code->symbolAt(Address) : nullptr;
    if (!S)
      return nullptr;
    auto [Known, New] = Procedures.try_emplace(S->Address);
    if (New) {
      Expected<cpi::Procedure> P = Code->procedure(*S, D);
      if (P)
        Known->second = std::move(*P);
      else
        consumeError(P.takeError());
    }
    return Known->second ? &*Known->second : nullptr;
  }
};

class Analyst {
public:
  Analyst(const Recorder &From, const ProbeOptions &Options) : From(From), Options(Options) {
    Expected<std::unique_ptr<cpi::Decoder>> D = cpi::Decoder::create(Options.On.CPU);
    if (D)
      Decode = std::move(*D);
    else // Addresses of data are not known then, which their tests say.
      consumeError(D.takeError());
  }

  ProbeResult run(bool KernelSeen) {
    ProbeResult Result;
    Result.Lost = From.Lost;
    for (const Sample &S : From.Samples)
      take(S, Result);
    cpi::Distinct Lines;
    Lines.Seen = Code.size();
    for (auto [Line, N] : Code) {
      Lines.Once += N == 1;
      Lines.Twice += N == 2;
    }
    for (auto &[Path, Image] : Images) {
      Image.Seen.Accesses = Accesses.factsOf(numberOf(Path));
      Image.Seen.Code = Lines;
      Image.Seen.KernelSeen = KernelSeen;
      Result.Images.push_back(std::move(Image.Seen));
    }
    return Result;
  }

private:
  SampledImage &image(const std::string &Path) {
    auto [Known, New] = Images.try_emplace(Path);
    SampledImage &I = Known->second;
    if (New) {
      Numbers[Path] = Numbers.size();
      I.Seen.Path = Path;
      I.Seen.On = Options.On;
      I.Seen.PeriodNs = Options.PeriodNs;
      I.Seen.Probed = true;
      Expected<std::unique_ptr<cpi::Image>> Opened = cpi::Image::open(Path);
      if (Opened) {
        I.Code = std::move(*Opened);
        I.Seen.BuildID = I.Code->buildID().str();
      } else { // [vdso] and what was deleted: no addresses.
        consumeError(Opened.takeError());
      }
    }
    return I;
  }
  uint64_t numberOf(const std::string &Path) const { return Numbers.find(Path)->second; }

  void take(const Sample &S, ProbeResult &Result) {
    const Mapping *M = From.find(S.Pid, S.PC);
    if (!M || M->Path.empty() || M->Path[0] != '/') {
      Result.Unmapped += S.Kind == Sample::User;
      return;
    }
    SampledImage &I = image(M->Path);
    auto [Bias, New] = I.BiasOf.try_emplace({M->Begin, M->Offset});
    if (New && I.Code)
      if (std::optional<uint64_t> Address = I.Code->addressOfOffset(M->Offset))
        Bias->second = M->Begin - *Address;
    if (!Bias->second) {
      Result.Unmapped += S.Kind == Sample::User;
      return;
    }
    uint64_t Address = S.PC - *Bias->second;
    if (S.Kind == Sample::Fault) {
      I.Seen.Faults[Address] += FaultPeriod;
      return;
    }
    if (S.Kind == Sample::Kernel) {
      ++I.Seen.Kernel[Address];
      return;
    }
    ++I.Seen.Samples[Address];
    ++Code[{numberOf(M->Path), Address >> 6}];
    if (Decode)
      takeAddresses(I, numberOf(M->Path), Address, *Bias->second, S);
  }

  /// The data of the instruction before the sample, which is what it waited for, and of the
  /// one that it is about to run.
  void takeAddresses(SampledImage &I, uint64_t Number, uint64_t Address, uint64_t Bias,
                     const Sample &S) {
    const cpi::Procedure *P = I.procedureAt(Address, *Decode);
    std::optional<cpi::Place> Here = P ? P->find(Address) : std::nullopt;
    if (!Here)
      return;
    takeAccess(P->at(*Here), Number, Bias, S, /*Behind=*/false);
    const cpi::BasicBlock &B = P->Blocks[Here->Block];
    if (Here->Index) {
      takeAccess(B.Instructions[Here->Index - 1], Number, Bias, S, /*Behind=*/true);
      return;
    }
    // The end of the only block before, and the compare that is one with its branch.
    if (B.Predecessors.size() != 1)
      return;
    const auto &Before = P->Blocks[B.Predecessors[0]].Instructions;
    for (size_t Back = 1; Back <= std::min<size_t>(2, Before.size()); ++Back)
      takeAccess(Before[Before.size() - Back], Number, Bias, S, /*Behind=*/true);
  }

  void takeAccess(const cpi::Instruction &I, uint64_t Number, uint64_t Bias, const Sample &S,
                  bool Behind) {
    if (!I.Memory || I.Call || I.Return)
      return;
    // Of a chain of pointers the next address is as good as the last.
    if (Behind && I.Memory->Overwritten && I.Memory->Index >= 0)
      return;
    std::optional<uint64_t> Data = addressOf(*I.Memory, S.At, I.end() + Bias);
    if (Data)
      Accesses.add(Number, I.Address, *Data, S.Tid, I.Store);
  }

  const Recorder &From;
  const ProbeOptions &Options;
  std::unique_ptr<cpi::Decoder> Decode;
  std::map<std::string, SampledImage> Images;
  std::map<std::string, uint64_t> Numbers;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> Code;
  AccessTable Accesses;
};

Error failure(const Twine &What) {
  return createStringError(std::error_code(errno, std::generic_category()),
                           What + ": " + strerror(errno));
}

/// A child that waits for a word before it becomes the program.
struct Child {
  int Pid = -1, Go = -1;
};
Expected<Child> fork(ArrayRef<std::string> Command) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) < 0)
    return failure("cannot make a pipe");
  Child C;
  C.Pid = ::fork();
  if (C.Pid < 0)
    return failure("cannot start a process");
  if (!C.Pid) {
    close(Pipe[1]);
    std::vector<char *> Words;
    for (const std::string &Word : Command)
      Words.push_back(const_cast<char *>(Word.c_str()));
    Words.push_back(nullptr);
    char Go;
    if (read(Pipe[0], &Go, 1) != 1)
      _exit(127);
    execvp(Words[0], Words.data());
    fprintf(stderr, "causal: cannot run %s: %s\n", Words[0], strerror(errno));
    _exit(127);
  }
  close(Pipe[0]);
  C.Go = Pipe[1];
  return C;
}

} // namespace

Expected<ProbeResult> probe(ArrayRef<std::string> Command, const ProbeOptions &Options) {
  Expected<Child> C = fork(Command);
  if (!C)
    return C.takeError();
  auto GiveUp = [&](Error E) {
    close(C->Go);
    waitpid(C->Pid, nullptr, 0);
    return E;
  };

  perf_event_attr Time = cpuTimeEvent(Options.PeriodNs);
  Time.sample_type |= PERF_SAMPLE_REGS_USER;
  Time.sample_regs_user = registerMask();
  Time.inherit = 1;
  Time.enable_on_exec = 1;
  perf_event_attr Faults = Time;
  Faults.config = PERF_COUNT_SW_PAGE_FAULTS;
  Faults.sample_period = FaultPeriod;
  Time.mmap = Time.mmap2 = Time.task = 1;
  Time.exclude_kernel = 0;

  std::vector<PerfRing> Rings;
  std::vector<uint64_t> FaultIDs;
  for (int CPU = 0, N = sysconf(_SC_NPROCESSORS_ONLN); CPU < N; ++CPU) {
    Expected<PerfRing> Ring = PerfRing::open(Time, C->Pid, CPU);
    if (!Ring && !Time.exclude_kernel) {
      consumeError(Ring.takeError());
      Time.exclude_kernel = 1;
      Ring = PerfRing::open(Time, C->Pid, CPU);
    }
    if (!Ring)
      return GiveUp(Ring.takeError());
    Rings.push_back(std::move(*Ring));
    uint64_t ID;
    if (Error E = PerfRing::openInto(Rings.back(), Faults, C->Pid, CPU, ID))
      return GiveUp(std::move(E));
    FaultIDs.push_back(ID);
  }

  // As a shell does: an interrupt is the program's.
  struct sigaction Ignore = {}, Before;
  Ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &Ignore, &Before);
  Recorder Records;
  Records.setFaultEvents(FaultIDs);
  auto Drain = [&] {
    for (PerfRing &Ring : Rings)
      Ring.drain([&](uint32_t Type, StringRef Record) { Records.take(Type, Record); });
  };
  bool Started = write(C->Go, "", 1) == 1;
  close(C->Go);
  int Status = 0;
  std::vector<pollfd> Polls;
  for (PerfRing &Ring : Rings)
    Polls.push_back({Ring.descriptor(), POLLIN, 0});
  while (Started && waitpid(C->Pid, &Status, WNOHANG) == 0) {
    poll(Polls.data(), Polls.size(), /*timeout=*/20);
    Drain();
  }
  Drain();
  sigaction(SIGINT, &Before, nullptr);

  ProbeResult Result = Analyst(Records, Options).run(!Time.exclude_kernel);
  Result.Status = WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
  return Result;
}

} // namespace causal::probe
