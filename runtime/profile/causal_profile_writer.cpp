//===- causal_profile_writer.cpp - Appends records to the profile ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_profile_writer.h.
//
//===----------------------------------------------------------------------===//
#include "profile/causal_profile_writer.h"
#include "base/causal_build_id.h"
#include "base/causal_flags.h"
#include "base/causal_json.h"
#include "base/causal_output_path.h"
#include "base/causal_platform.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"
#include "causal/causal_run.h"
#include "causal/experiment/causal_progress.h"
#include "init/causal_init.h"
#include "sampler/causal_contention.h"
#include "sampler/causal_sampler.h"

#include "causal/ProfileFormat.h"
#include "sanitizer_common/sanitizer_common.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

using namespace __causal;

static constexpr int Closed = -1, Failed = -2, Lost = -3;
static int Fd = Closed;
static bool Begun; // The run record is written.
static char Path[2 * PATH_MAX];
// What is handed to openat(): Path, or a part of it that is relative to Directory.
static const char *PathInDirectory;
static int Directory = -1;
// What Fd is to lead to. Programs close descriptors behind our back.
static struct stat Opened, Start;
static long StartLength;
static char RunIdText[17];
static utsname System;
// Records are built under the scheduler's lock, one at a time.
// As long as the longest, of an experiment with 1,024 progress points of long names.
static char Buffer[1 << 20];

const char *__causal::profilePath() { return Path; }

static void reportLine(void *, const char *Line) { CAUSAL_REPORT("causal: %s\n", Line); }

static void fail(const char *What, long Error) {
  CAUSAL_REPORT("causal: cannot %s %s (errno %d): no profile is written from here on. "
                "Set output= in "
                "CAUSAL_OPTIONS to a writable file\n",
                What, Path, static_cast<int>(-Error));
  if (Fd >= 0)
    closeOwnDescriptor(Fd);
  Fd = Failed;
}

static bool leadsTo(int Fd, const struct stat &File) {
  struct stat Now;
  return systemCall(SYS_fstat, static_cast<uint64_t>(Fd), word(&Now)) == 0 &&
         Now.st_dev == File.st_dev && Now.st_ino == File.st_ino;
}

// SIGXFSZ and SIGPIPE, which a write may cause, are to reach nobody.
static long writeQuietly(const char *Text, size_t Size) {
  constexpr uint64_t Set = 1ull << (SIGXFSZ - 1) | 1ull << (SIGPIPE - 1);
  uint64_t Old = 0, Before = 0;
  systemCall(SYS_rt_sigprocmask, SIG_BLOCK, word(&Set), word(&Old), sizeof(Set));
  systemCall(SYS_rt_sigpending, word(&Before), sizeof(Before));
  long N = systemCall(SYS_write, static_cast<uint64_t>(Fd), word(Text), Size);
  if (uint64_t Ours = Set & ~Before; N < 0 && Ours) {
    timespec Now = {};
    systemCall(SYS_rt_sigtimedwait, word(&Ours), 0, word(&Now), sizeof(Ours));
  }
  systemCall(SYS_rt_sigprocmask, SIG_SETMASK, word(&Old), 0, sizeof(Old));
  return N;
}

static void writeAll(size_t Size) {
  for (size_t Done = 0; Fd >= 0 && Done < Size;) {
    if (!isOwnDescriptor(Fd)) { // The program has just put a file in its place.
      Fd = Lost;
      return;
    }
    long N = writeQuietly(Buffer + Done, Size - Done);
    if (N == -EINTR)
      continue;
    if (N <= 0)
      return fail("write to", N);
    Done += static_cast<size_t>(N);
  }
}

static JsonRecord beginRecord(const char *Type) {
  JsonRecord R(Buffer, sizeof(Buffer));
  R.begin();
  R.field("type", Type);
  return R;
}

static uint64_t directory() { return static_cast<uint64_t>(Directory < 0 ? AT_FDCWD : Directory); }

static void makeDirectories() {
  for (char *P = const_cast<char *>(PathInDirectory) + 1; *P; ++P) {
    if (*P != '/')
      continue;
    *P = 0;
    systemCall(SYS_mkdirat, directory(), word(PathInDirectory), 0777);
    *P = '/';
  }
}

static const char *binaryPath() {
  static char Link[PATH_MAX];
  long Size = systemCall(SYS_readlink, word("/proc/self/exe"), word(Link), sizeof(Link) - 1);
  Link[Size > 0 ? Size : 0] = 0;
  return Link;
}

static void writeRunRecord() {
  JsonRecord R = beginRecord("run");
  R.field("version", CAUSAL_PROFILE_VERSION);
  R.field("run", RunIdText);
  R.field("exe", binaryPath());
  R.field("build_id", buildId());
  R.field("pid", processId());
  R.field("host", System.nodename);
  R.field("time", realTime());
  R.field("options", optionsText());
  R.field("sampler", samplerName(samplerKind()));
  if (!samplesKernel())
    R.field("kernel", false);
  R.field("period", samplePeriod());
  R.field("cores", coreCount());
  writeAll(R.end());
}

// A run that was killed, or a full disk, leaves a record without an end.
static void endTornRecord() {
  char Last = '\n';
  long Reader =
      systemCall(SYS_openat, directory(), word(PathInDirectory), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (Reader < 0)
    return;
  systemCall(SYS_pread64, static_cast<uint64_t>(Reader), word(&Last), 1,
             static_cast<uint64_t>(Opened.st_size - 1));
  systemCall(SYS_close, static_cast<uint64_t>(Reader));
  if (Last != '\n') {
    Buffer[0] = '\n';
    writeAll(1);
  }
}

static long openFile() {
  // Not to wait for the reader of a pipe, nor to gain a terminal.
  return systemCall(SYS_openat, directory(), word(PathInDirectory),
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
}

static bool holdProfile() {
  if (Fd >= 0 && (!isOwnDescriptor(Fd) || !leadsTo(Fd, Opened))) {
    disownDescriptor(Fd);
    Fd = Lost;
  }
  if (Fd >= 0 || Fd == Failed)
    return Fd >= 0;
  int Before = Fd;
  if (Directory >= 0 && !leadsTo(Directory, Start)) {
    disownDescriptor(Directory);
    Directory = -1;
    PathInDirectory = Path;
  }
  OwnOpening Here;
  long New = openFile();
  if (New == -ENOENT) {
    makeDirectories();
    New = openFile();
  }
  // Before it is moved: the program may take the number that it is moved to at once.
  if (New >= 0)
    systemCall(SYS_fstat, static_cast<uint64_t>(New), word(&Opened));
  int Moved = New < 0 ? -1 : moveDescriptorUp(static_cast<int>(New));
  if (Moved < 0) {
    fail("open", New < 0 ? New : -EMFILE);
    return false;
  }
  Fd = Moved;
  if (!leadsTo(Fd, Opened)) {
    disownDescriptor(Fd);
    Fd = Before;
    return false;
  }
  if (Before == Closed && S_ISREG(Opened.st_mode) && Opened.st_size > 0)
    endTornRecord();
  return Fd >= 0;
}

static bool openProfile() {
  if (!holdProfile())
    return false;
  if (!Begun) {
    Begun = true;
    writeRunRecord();
  }
  return Fd >= 0;
}

// The place that the path is relative to is held open: the program may change its
// root, its directory and what is mounted where before the first record.
static char Expanded[PATH_MAX]; // output=, of this process.

static void holdDirectory() {
  if (Directory >= 0)
    return;
  long New = systemCall(SYS_openat, static_cast<uint64_t>(AT_FDCWD),
                        word(Expanded[0] == '/' ? "/" : "."), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (New >= 0)
    Directory = moveDescriptorUp(static_cast<int>(New));
  if (Directory >= 0)
    systemCall(SYS_fstat, static_cast<uint64_t>(Directory), word(&Start));
}

int __causal::profileDirectory() { return Directory; }

// Puts the directory that the program starts in before a relative path, for messages.
static char *beginPath() {
  if (Expanded[0] == '/')
    return Path;
  if (PathInDirectory)
    return Path + StartLength;
  long Size = systemCall(SYS_getcwd, word(Path), PATH_MAX - 1);
  if (Size <= 1)
    return Path;
  Path[Size - 1] = '/'; // Size counts the terminator.
  StartLength = Size;
  return Path + Size;
}

void __causal::initProfileWriter(uint64_t RunId) {
  if (Fd >= 0)
    closeOwnDescriptor(Fd);
  Fd = Closed;
  Begun = false;
  __sanitizer::internal_snprintf(RunIdText, sizeof(RunIdText), "%08x%08x",
                                 static_cast<unsigned>(RunId >> 32), static_cast<unsigned>(RunId));
  systemCall(SYS_uname, word(&System));
  OutputPathFacts Facts;
  Facts.Pid = static_cast<uint64_t>(processId());
  Facts.Host = System.nodename;
  Facts.TmpDir = environmentValue("TMPDIR");
  Facts.Signature = buildId();
  LineReporter Say = {reportLine, nullptr};
  if (!expandOutputPath(flags().output, Facts, Expanded, sizeof(Expanded), Say))
    expandOutputPath(CAUSAL_PROFILE_DEFAULT_NAME, Facts, Expanded, sizeof(Expanded), Say);
  holdDirectory();
  char *To = beginPath();
  __sanitizer::internal_strncpy(To, Expanded, sizeof(Expanded));
  PathInDirectory = Directory < 0 ? Path : To + (*To == '/');
}

void __causal::holdProfileOpen() { holdProfile(); }

static void lineFields(JsonRecord &R, const SourceLines &Lines, const SourceLines::Line &L) {
  R.field("file", Lines.file(L));
  R.field("line", L.Number);
  R.field("function", L.Function);
  if (Lines.kind() == TargetKind::Section)
    R.field("section", true);
}

void __causal::writeExperiment(const ExperimentResult &E, const LockWaits &Waits,
                               const SourceLines &Lines) {
  if (!openProfile())
    return;
  JsonRecord R = beginRecord("experiment");
  R.field("run", RunIdText);
  R.field("index", E.Index);
  lineFields(R, Lines, *Lines.line(E.Line));
  R.field("speedup", E.Speedup);
  R.field("start", E.Start);
  R.field("wall", E.Wall);
  R.field("delay", E.Delay);
  R.field("pause", E.Pause);
  R.field("samples", E.Samples);
  R.field("work", E.Work);
  if (E.Waited)
    R.field("waited", E.Waited);
  if (E.Idle)
    R.field("idle", E.Idle);
  if (uint64_t Stolen = stolenLately())
    R.field("stolen", Stolen);
  R.field("unsettled", E.Unsettled);
  R.fixed("core_wait", E.CoreWait / double(Contention::One), 3);
  R.fixed("threads_per_core", E.ThreadsPerCore / double(Contention::One), 3);
  if (E.Dilated)
    R.field("dilated", true);
  if (Waits.Count) {
    R.field("lock_waits", Waits.Count);
    R.field("lock_wait_time", Waits.Time);
  }
  if (E.Spun)
    R.fixed("spun", E.Spun / double(Contention::One), 3);
  R.beginArray("points");
  for (unsigned I = 0, N = pointVisitsCount(); I < N; ++I) {
    PointVisits P = pointVisits(I);
    R.beginObject();
    R.field("name", P.Name);
    R.field("kind", P.Latency ? "latency" : "throughput");
    if (P.Latency) {
      R.field("begins", P.Begins);
      R.field("ends", P.Visits);
      R.fixed("in_flight", P.InFlight);
    } else {
      R.field("visits", P.Visits);
    }
    R.field("span_visits", P.Span.Visits);
    R.field("span", P.Span.Time);
    R.field("span_work", P.Span.Work);
    R.field("late_visits", P.Late.Visits);
    R.field("late_span", P.Late.Time);
    R.field("late_work", P.Late.Work);
    if (P.Latency)
      R.fixed("late_in_flight", P.LateInFlight);
    R.endObject();
  }
  if (flags().end_to_end) {
    R.beginObject();
    R.field("name", "run");
    R.field("kind", "run");
    R.field("visits", uint64_t(1));
    R.endObject();
  }
  R.endArray();
  writeAll(R.end());
}

static uint64_t sumOf(uint64_t Thread::*Counter) {
  uint64_t Sum = 0;
  for (unsigned I = 0, N = threadSlots(); I < N; ++I)
    Sum += threadSlot(I)->*Counter;
  return Sum;
}

static void lossFields(JsonRecord &R, const SourceLines &Lines) {
  uint64_t Oversleep = 0, Forgiven = 0;
  for (unsigned I = 0, N = threadSlots(); I < N; ++I) {
    const Thread &T = *threadSlot(I);
    Oversleep += T.Delay.Pausing.Overslept;
    Forgiven += T.Delay.Forgiven;
  }
  R.beginObject("losses");
  R.field("dropped", Lines.dropped() + sumOf(&Thread::Dropped));
  R.field("late", sumOf(&Thread::Late));
  R.field("unmapped", sumOf(&Thread::Unmapped));
  R.field("out_of_scope", sumOf(&Thread::OutOfScope));
  R.field("oversleep", Oversleep);
  R.field("forgiven", Forgiven);
  R.field("threads", threadsBegun());
  R.field("unsampled_threads", threadsUnsampled());
  if (uint64_t Threads = threadsTimed(); Threads && samplerKind() != SamplerKind::Timer)
    R.field("timed_threads", Threads);
  if (uint64_t Yields = sumOf(&Thread::UnseenYields))
    R.field("yields", Yields);
  R.endObject();
}

void __causal::writeSnapshotRecords(const SnapshotFacts &F, const SourceLines &Lines) {
  if (!openProfile())
    return;
  uint64_t Count = 0;
  for (uint32_t I = 0, N = Lines.known(); I < N; ++I) {
    const SourceLines::Line *L = Lines.line(Lines.id(I)); // Null while it is being made.
    if (!L || !L->Samples)
      continue;
    ++Count;
    JsonRecord R = beginRecord("line");
    R.field("run", RunIdText);
    R.field("snapshot", F.Index);
    lineFields(R, Lines, *L);
    R.field("samples", L->Samples);
    R.field("undelayed_samples", L->UndelayedSamples);
    writeAll(R.end());
  }
  JsonRecord R = beginRecord("snapshot");
  R.field("run", RunIdText);
  R.field("index", F.Index);
  R.field("final", F.Final);
  R.field("wall", F.Wall);
  R.field("delay", F.Delay);
  R.field("paused", sumOf(&Thread::Paused));
  R.field("undelayed_wall", F.UndelayedWall);
  if (F.Idle)
    R.field("idle", F.Idle);
  if (F.UndelayedIdle)
    R.field("undelayed_idle", F.UndelayedIdle);
  R.field("cpu_time", F.CPUTime);
  R.field("sampled_time", F.SampledTime);
  uint64_t Weights = sumOf(&Thread::Weights), Squares = sumOf(&Thread::SquaredWeights);
  if (Squares > Weights)
    R.fixed("sample_weight", double(Squares) / double(Weights));
  R.field("lines", Count);
  R.field("experiments", F.Experiments);
  if (Lines.kind() == TargetKind::Section)
    R.field("unlocked", sumOf(&Thread::Unlocked));
  lossFields(R, Lines);
  writeAll(R.end());
}
