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
#include "causal_profile_writer.h"
#include "causal_build_id.h"
#include "causal_flags.h"
#include "causal_init.h"
#include "causal_json.h"
#include "causal_output_path.h"
#include "causal_platform.h"
#include "causal_progress.h"
#include "causal_sampler.h"
#include "causal_syscall.h"

#include "causal/ProfileFormat.h"
#include "sanitizer_common/sanitizer_common.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/utsname.h>

using namespace __causal;
using __sanitizer::Report;

static constexpr int Closed = -1, Failed = -2;
static int Fd = Closed;
static char Path[2 * PATH_MAX];
static char RunIdText[17];
static utsname System;
// Records are built under the scheduler's lock, one at a time.
static char Buffer[1 << 16];

const char *__causal::profilePath() { return Path; }

static void reportLine(void *, const char *Line) {
  Report("causal: %s\n", Line);
}

static void fail(const char *What, long Error) {
  Report("causal: cannot %s %s (errno %d): no profile is written from here on. "
         "Set output= in "
         "CAUSAL_OPTIONS to a writable file\n",
         What, Path, static_cast<int>(-Error));
  if (Fd >= 0)
    systemCall(SYS_close, static_cast<uint64_t>(Fd));
  Fd = Failed;
}

static void writeAll(size_t Size) {
  for (size_t Done = 0; Fd >= 0 && Done < Size;) {
    long N = systemCall(SYS_write, static_cast<uint64_t>(Fd),
                        word(Buffer + Done), Size - Done);
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

static void makeDirectories() {
  for (char *P = Path + 1; *P; ++P) {
    if (*P != '/')
      continue;
    *P = 0;
    systemCall(SYS_mkdir, word(Path), 0777);
    *P = '/';
  }
}

static const char *binaryPath() {
  static char Link[PATH_MAX];
  long Size = systemCall(SYS_readlink, word("/proc/self/exe"), word(Link),
                         sizeof(Link) - 1);
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
  R.field("period", samplePeriod());
  writeAll(R.end());
}

static bool openProfile() {
  if (Fd != Closed)
    return Fd >= 0;
  uint64_t Flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  long Opened = systemCall(SYS_open, word(Path), Flags, 0666);
  if (Opened == -ENOENT) {
    makeDirectories();
    Opened = systemCall(SYS_open, word(Path), Flags, 0666);
  }
  if (Opened < 0) {
    fail("open", Opened);
    return false;
  }
  Fd = moveDescriptorUp(static_cast<int>(Opened));
  writeRunRecord();
  return Fd >= 0;
}

// Puts the directory that the program starts in before a relative path: it may have
// gone elsewhere by the time of the first record.
static char *beginPath() {
  if (flags().output[0] == '/')
    return Path;
  long Size = systemCall(SYS_getcwd, word(Path), PATH_MAX - 1);
  if (Size <= 1)
    return Path;
  Path[Size - 1] = '/'; // Size counts the terminator.
  return Path + Size;
}

void __causal::initProfileWriter(uint64_t RunId) {
  if (Fd >= 0)
    systemCall(SYS_close, static_cast<uint64_t>(Fd));
  Fd = Closed;
  __sanitizer::internal_snprintf(RunIdText, sizeof(RunIdText), "%08x%08x",
                                 static_cast<unsigned>(RunId >> 32),
                                 static_cast<unsigned>(RunId));
  systemCall(SYS_uname, word(&System));
  OutputPathFacts Facts;
  Facts.Pid = static_cast<uint64_t>(processId());
  Facts.Host = System.nodename;
  Facts.TmpDir = environmentValue("TMPDIR");
  Facts.Signature = buildId();
  char *To = beginPath();
  size_t Room = static_cast<size_t>(Path + sizeof(Path) - To);
  if (!expandOutputPath(flags().output, Facts, To, Room, {reportLine, nullptr}))
    expandOutputPath(CAUSAL_PROFILE_DEFAULT_NAME, Facts, To, Room,
                     {reportLine, nullptr});
}

static void lineFields(JsonRecord &R, const SourceLines &Lines,
                       const SourceLines::Line &L) {
  R.field("file", Lines.file(L));
  R.field("line", L.Number);
  R.field("function", L.Function);
}

void __causal::writeExperiment(const ExperimentResult &E,
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
  R.field("samples", E.Samples);
  R.field("unsettled", E.Unsettled);
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
    R.endObject();
  }
  R.endArray();
  writeAll(R.end());
}

static void lossFields(JsonRecord &R, const SourceLines &Lines) {
  uint64_t Late = 0, Unmapped = 0, OutOfScope = 0, Oversleep = 0, Forgiven = 0;
  for (unsigned I = 0, N = threadSlots(); I < N; ++I) {
    const Thread &T = *threadSlot(I);
    Late += T.Late;
    Unmapped += T.Unmapped;
    OutOfScope += T.OutOfScope;
    Oversleep += static_cast<uint64_t>(T.Delay.Overshoot);
    Forgiven += T.Delay.Forgiven;
  }
  R.beginObject("losses");
  R.field("dropped", Lines.overflows());
  R.field("late", Late);
  R.field("unmapped", Unmapped);
  R.field("out_of_scope", OutOfScope);
  R.field("oversleep", Oversleep);
  R.field("forgiven", Forgiven);
  R.field("threads", threadsBegun());
  R.field("unsampled_threads", threadsUnsampled());
  R.endObject();
}

void __causal::writeSnapshotRecords(const SnapshotFacts &F,
                                    const SourceLines &Lines) {
  if (!openProfile())
    return;
  uint64_t Count = 0;
  for (uint32_t I = 0, N = Lines.known(); I < N; ++I) {
    const SourceLines::Line *L =
        Lines.line(Lines.id(I)); // Null while it is being made.
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
  R.field("undelayed_wall", F.UndelayedWall);
  R.field("lines", Count);
  R.field("experiments", F.Experiments);
  lossFields(R, Lines);
  writeAll(R.end());
}
