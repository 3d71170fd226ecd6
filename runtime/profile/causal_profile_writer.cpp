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
#include "base/causal_output_path.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"
#include "profile/causal_run_record.h"
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
static const char *Mode; // The run record's.
static utsname System;
static unsigned Cell;
static const char *Cost, *Metric;
// Records are built one at a time, under a lock of the mode's.
// As long as the longest, of an experiment with 1,024 progress points of long names.
static char Buffer[1 << 20];
static size_t Gathered; // Bytes of Buffer that are not written yet.

const char *__causal::profilePath() { return Path; }

void __causal::setRunInput(unsigned Bytes, const char *Unit, const char *Which) {
  Cell = Bytes;
  Cost = Unit;
  Metric = Which;
}

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

JsonRecord __causal::beginRecord(const char *Type) {
  JsonRecord R(Buffer + Gathered, sizeof(Buffer) - Gathered);
  putRecord(R, Type, RunIdText);
  return R;
}

void __causal::endRecord(JsonRecord &R) {
  Gathered += R.end();
  writeGathered();
}

void __causal::gatherRecord(JsonRecord &R) {
  constexpr size_t Many = 1 << 16;
  Gathered += R.end();
  if (Gathered > Many)
    writeGathered();
}

void __causal::writeGathered() {
  writeAll(Gathered);
  Gathered = 0;
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
  RunFacts F;
  F.Mode = Mode;
  F.Exe = binaryPath();
  F.BuildId = buildId();
  F.Host = System.nodename;
  F.Options = optionsText();
  F.Sampler = samplerName(samplerKind());
  F.Pid = static_cast<uint64_t>(processId());
  F.Time = realTime();
  F.Period = samplePeriod();
  F.Cores = coreCount();
  F.SamplesKernel = samplesKernel();
  F.Cell = Cell;
  F.Cost = Cost;
  F.Metric = Metric;
  JsonRecord R(Buffer, sizeof(Buffer));
  putRun(R, RunIdText, F);
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

bool __causal::openProfile() {
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

void __causal::initProfileWriter(uint64_t RunId, const char *ModeName) {
  Mode = ModeName;
  if (Fd >= 0)
    closeOwnDescriptor(Fd);
  Fd = Closed;
  Begun = false;
  Gathered = 0;
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
