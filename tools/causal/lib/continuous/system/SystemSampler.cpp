//===- SystemSampler.cpp - Samples of the whole machine -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records of one drain are put in the order of their times, over all cores: a process may be
// sampled on one before another one's buffer tells what it has mapped.
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/system/SystemSampler.h"
#include "lib/continuous/Epoch.h"
#include "lib/continuous/probe/PerfRing.h"
#include "lib/continuous/system/ImageFinder.h"

#include "causal/SegmentFormat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using causal::probe::PerfRing;
using causal::probe::RecordCursor;

namespace causal::continuous {

namespace {

// Samples of hardware events are to cost about what those of time do.
constexpr uint64_t CyclesPeriod = 6000000, MissesPeriod = 100000;
constexpr uint16_t MmapBuildId = 1 << 14, CommExec = 1 << 13; // As the kernel has them.

struct EventKind {
  Event Kind;
  uint32_t Type;
  uint64_t Config, Period;
};

struct Record {
  uint64_t Time;
  perf_event_header Header;
  std::string Bytes;
};

class Sampler : public SystemSampler {
public:
  Sampler(const std::string &Database, uint64_t PeriodNs)
      : Database(Database), PeriodNs(PeriodNs), Random(std::random_device()()) {}

  Error open() {
    long Cores = sysconf(_SC_NPROCESSORS_CONF);
    EventKind First = {Event::Cycles, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, CyclesPeriod};
    if (!isOffered(First))
      First = {Event::CPU, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PeriodNs};
    Kinds.push_back(First);
    for (EventKind More : {EventKind{Event::CacheMisses, PERF_TYPE_HARDWARE,
                                     PERF_COUNT_HW_CACHE_MISSES, MissesPeriod},
                           EventKind{Event::BranchMisses, PERF_TYPE_HARDWARE,
                                     PERF_COUNT_HW_BRANCH_MISSES, MissesPeriod}})
      if (isOffered(More))
        Kinds.push_back(More);
    for (int Core = 0; Core < Cores; ++Core)
      if (Error E = openCore(Core))
        return E;
    if (Rings.empty())
      return createStringError(inconvertibleErrorCode(), "no core can be sampled");
    readProcesses();
    return Error::success();
  }

  void drain() override {
    findOthers();
    std::vector<Record> Batch;
    for (PerfRing &Ring : Rings) {
      Ring.drainAll([&](const perf_event_header &H, StringRef Bytes) {
        Batch.push_back({timeOf(H, Bytes), H, Bytes.str()});
      });
      // A program that does something every period is not to meet every sample.
      uint64_t Half = Kinds[0].Period / 2;
      Ring.setPeriod(Kinds[0].Period - Half / 2 + Random() % (Half + 1));
    }
    llvm::sort(Batch, [](const Record &A, const Record &B) { return A.Time < B.Time; });
    for (const Record &R : Batch)
      takeRecord(R);
    // Whoever is gone is not sampled any more; what is left of a batch may have been.
    for (int Pid : Gone)
      Maps.clear(Pid);
    Gone.clear();
  }

  Delta take(uint64_t Seconds) override {
    Delta D;
    std::string Epoch = hourOf(Seconds);
    for (auto &[Key, Image] : Images)
      D.add(Epoch, Image);
    for (const EventKind &K : Kinds) {
      ImageSamples T;
      T.Kind = Event::Totals;
      T.Period = K.Period;
      for (unsigned I = 0; I < 3; ++I)
        if (uint64_t N = Taken[unsigned(K.Kind)][I])
          T.Counts[totalAddress(K.Kind, Total(I))] = N;
      if (!T.Counts.empty())
        D.add(Epoch, T);
    }
    Images.clear();
    for (auto &Of : Taken)
      std::fill(std::begin(Of), std::end(Of), 0);
    return D;
  }

  const SystemCounts &counts() const override { return Counts; }

  std::string events() const override {
    std::string Names;
    for (const EventKind &K : Kinds)
      Names += (Names.empty() ? "" : ", ") + eventName(K.Kind).str();
    return Names;
  }

private:
  perf_event_attr attributes(const EventKind &K) const {
    perf_event_attr A;
    memset(&A, 0, sizeof(A));
    A.size = sizeof(A);
    A.type = K.Type;
    A.config = K.Config;
    A.sample_period = K.Period;
    A.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    A.sample_id_all = 1;
    A.exclude_idle = 1;
    A.exclude_hv = 1;
    return A;
  }

  bool isOffered(const EventKind &K) const {
    auto Ring = PerfRing::open(attributes(K), -1, 0);
    if (!Ring)
      consumeError(Ring.takeError());
    return bool(Ring);
  }

  Error openCore(int Core) {
    perf_event_attr A = attributes(Kinds[0]);
    // Who maps, forks and ends is told once, with the first event.
    A.mmap = A.mmap2 = A.task = A.comm = A.comm_exec = 1;
    A.build_id = 1;
    auto Ring = PerfRing::open(A, -1, Core);
    if (!Ring) {
      // A kernel before 5.12 has no build-ids to give.
      consumeError(Ring.takeError());
      A.build_id = 0;
      Ring = PerfRing::open(A, -1, Core);
    }
    if (!Ring && Core > 0) {
      consumeError(Ring.takeError()); // A core that is switched off.
      return Error::success();
    }
    if (!Ring)
      return joinErrors(
          Ring.takeError(),
          createStringError(inconvertibleErrorCode(),
                            "--system needs root, or CAP_PERFMON and CAP_SYS_PTRACE"));
    Ids[Ring->id()] = 0;
    for (unsigned I = 1; I < Kinds.size(); ++I) {
      uint64_t Id = 0;
      if (Error E = PerfRing::openInto(*Ring, attributes(Kinds[I]), -1, Core, Id))
        return E;
      Ids[Id] = I;
    }
    Rings.push_back(std::move(*Ring));
    return Error::success();
  }

  void readProcesses() {
    auto Proc = Directory::open("/proc");
    if (!Proc)
      return consumeError(Proc.takeError());
    for (const std::string &Name : Proc->directories()) {
      int Pid;
      if (StringRef(Name).getAsInteger(10, Pid))
        continue;
      if (auto Text = MemoryBuffer::getFileAsStream("/proc/" + Name + "/maps"))
        Maps.readMaps(Pid, (*Text)->getBuffer());
    }
  }

  /// Processes with a segment; a segment's owner cannot speak for others' processes.
  void findOthers() {
    auto Spool = Directory::open(Database + "/spool");
    struct stat Now;
    if (!Spool)
      return consumeError(Spool.takeError());
    if (fstat(Spool->fd(), &Now) ||
        (Now.st_mtim.tv_sec == SpoolChanged.tv_sec && Now.st_mtim.tv_nsec == SpoolChanged.tv_nsec))
      return;
    SpoolChanged = Now.st_mtim;
    Others.clear();
    for (const std::string &Name : Spool->names()) {
      Descriptor File(
          openat(Spool->fd(), Name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
      uint64_t Pid = 0;
      struct stat Segment, Process;
      if (File && !fstat(File.get(), &Segment) && S_ISREG(Segment.st_mode) &&
          pread(File.get(), &Pid, sizeof(Pid), offsetof(segment::Segment, Pid)) == sizeof(Pid) &&
          !stat(("/proc/" + Twine(Pid)).str().c_str(), &Process) &&
          Process.st_uid == Segment.st_uid)
        Others.insert(int(Pid));
    }
  }

  // The last of what sample_id_all puts behind a record: pid, tid, time, id.
  static uint64_t timeOf(const perf_event_header &H, StringRef Bytes) {
    uint64_t Time = 0;
    size_t At = H.type == PERF_RECORD_SAMPLE ? 24 : Bytes.size() - 16;
    if (Bytes.size() >= 32)
      memcpy(&Time, Bytes.data() + At, sizeof(Time));
    return Time;
  }

  void takeRecord(const Record &R) {
    RecordCursor C(R.Bytes);
    switch (R.Header.type) {
    case PERF_RECORD_SAMPLE:
      return takeSample(R.Header, C);
    case PERF_RECORD_MMAP2:
      return takeMapping(R.Header, C);
    case PERF_RECORD_FORK: {
      int Pid = int(C.u32()), Parent = int(C.u32());
      return Maps.fork(Parent, Pid);
    }
    case PERF_RECORD_EXIT: {
      int Pid = int(C.u32());
      C.u32(); // The parent.
      if (int Thread = int(C.u32()); Thread == Pid)
        Gone.insert(Pid);
      return;
    }
    case PERF_RECORD_COMM:
      if (R.Header.misc & CommExec)
        Maps.clear(int(C.u32()));
      return;
    case PERF_RECORD_LOST: {
      C.u64();
      uint64_t Number = C.u64();
      Counts.Lost += Number;
      count(Kinds[0].Kind, Total::Samples, Number);
      count(Kinds[0].Kind, Total::Dropped, Number);
      return;
    }
    default:
      return;
    }
  }

  void count(Event Kind, Total What, uint64_t Number = 1) {
    Taken[unsigned(Kind)][unsigned(What)] += Number;
  }

  void takeSample(const perf_event_header &H, RecordCursor &C) {
    auto Which = Ids.find(C.u64());
    uint64_t PC = C.u64();
    int Pid = int(C.u32());
    if (Which == Ids.end())
      return;
    const EventKind &K = Kinds[Which->second];
    if (Others.count(Pid)) {
      ++Counts.Elsewhere;
      return;
    }
    ++Counts.Samples;
    count(K.Kind, Total::Samples);
    if ((H.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL) {
      ++Counts.Kernel;
      return addTo(Finder.findKernel(PC), K);
    }
    ++Counts.User;
    const Mapping *M = Maps.find(Pid, PC);
    auto Place = M ? Finder.find(*M, PC) : std::nullopt;
    if (!Place) {
      ++Counts.Unmapped;
      return count(K.Kind, Total::Unmapped);
    }
    Counts.UserWithBuildId += !Place->BuildId.empty();
    addTo(*Place, K);
  }

  void addTo(const ImagePlace &P, const EventKind &K) {
    ImageSamples &S = Images[{P.BuildId.empty() ? P.Path : P.BuildId, unsigned(K.Kind)}];
    S.BuildId = P.BuildId;
    S.Path = P.Path;
    S.Kind = K.Kind;
    S.Period = K.Period;
    ++S.Counts[P.Address];
  }

  void takeMapping(const perf_event_header &H, RecordCursor &C) {
    int Pid = int(C.u32());
    C.u32(); // The thread.
    Mapping M;
    M.Low = C.u64();
    M.High = M.Low + C.u64();
    M.Offset = C.u64();
    StringRef Id = C.rest().take_front(24);
    C.skip(24);
    C.skip(8); // Protection and flags: only what can be executed is told.
    if (H.misc & MmapBuildId && Id.size() == 24)
      M.BuildId = toHex(Id.substr(4, std::min<size_t>(20, uint8_t(Id[0]))), /*LowerCase=*/true);
    M.Path = C.rest().split('\0').first.str();
    Maps.map(Pid, std::move(M));
  }

  const std::string Database;
  const uint64_t PeriodNs;
  std::mt19937_64 Random;
  std::vector<EventKind> Kinds;
  std::vector<PerfRing> Rings;
  DenseMap<uint64_t, unsigned> Ids; ///< Of events: which of Kinds.
  ProcessMaps Maps;
  ImageFinder Finder;
  DenseSet<int> Others, Gone;
  timespec SpoolChanged = {};
  std::map<std::pair<std::string, unsigned>, ImageSamples> Images;
  uint64_t Taken[NumEvents][3] = {};
  SystemCounts Counts;
};

} // namespace

Expected<std::unique_ptr<SystemSampler>> SystemSampler::start(const std::string &Database,
                                                              uint64_t PeriodNs) {
  auto S = std::make_unique<Sampler>(Database, PeriodNs);
  if (Error E = S->open())
    return std::move(E);
  return S;
}

} // namespace causal::continuous
