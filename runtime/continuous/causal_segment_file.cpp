//===- causal_segment_file.cpp - This process's segment -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The database may lie in a directory that others write to. So the way to the file goes by
// open directories and follows no link below the database, and the file is new. Its blocks
// are there before it is mapped: a full disk cannot end the program later.
//
//===----------------------------------------------------------------------===//
#include "continuous/causal_segment_file.h"
#include "base/causal_platform.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"
#include "base/causal_text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>

using namespace __causal;
using segment::Segment;

static constexpr uint64_t MaxSpooled = 1024; // Segments: half a gigabyte.
static constexpr uint64_t NsPerSecond = 1000000000;
static char Path[PATH_MAX + 512];

static uint64_t fdWord(long Fd) { return static_cast<uint64_t>(Fd); }

namespace {
/// A descriptor for a moment.
class Opened {
public:
  explicit Opened(long Fd) : Fd(Fd) {}
  ~Opened() {
    if (Fd >= 0)
      systemCall(SYS_close, fdWord(Fd));
  }
  Opened(const Opened &) = delete;
  bool failed() const { return Fd < 0; }
  uint64_t word() const { return fdWord(Fd); }
  long error() const { return -Fd; }

private:
  long Fd;
};

/// While it lives, a file that would be too large for the user's limit ends nothing.
class NoFileSizeSignal {
public:
  NoFileSizeSignal() {
    systemCall(SYS_rt_sigprocmask, SIG_BLOCK, word(&Set), word(&Old), sizeof(Set));
    systemCall(SYS_rt_sigpending, word(&Before), sizeof(Before));
  }
  ~NoFileSizeSignal() {
    timespec Now = {};
    if (!(Before & Set))
      systemCall(SYS_rt_sigtimedwait, word(&Set), 0, word(&Now), sizeof(Set));
    systemCall(SYS_rt_sigprocmask, SIG_SETMASK, word(&Old), 0, sizeof(Old));
  }

private:
  const uint64_t Set = 1ull << (SIGXFSZ - 1);
  uint64_t Old = 0, Before = 0;
};
} // namespace

static Segment *fail(const char *What, const char *Where, long Error, const char *Remedy) {
  CAUSAL_REPORT("causal: cannot %s %s (errno %d): the program is not profiled. %s\n", What, Where,
                static_cast<int>(Error), Remedy);
  return nullptr;
}

static void makeDirectories(char *Database) {
  for (char *P = Database + 1; *P; ++P) {
    if (*P != '/')
      continue;
    *P = '\0';
    systemCall(SYS_mkdir, word(Database), 0777);
    *P = '/';
  }
  systemCall(SYS_mkdir, word(Database), 0700);
}

// In a directory that others may write to, only the sticky bit keeps them from replacing our
// files.
static bool isSafe(const Opened &Directory) {
  struct stat S;
  return systemCall(SYS_fstat, Directory.word(), word(&S)) == 0 &&
         (!(S.st_mode & (S_IWGRP | S_IWOTH)) || S.st_mode & S_ISVTX);
}

static uint64_t countEntries(const Opened &Directory) {
  struct Entry {
    uint64_t Inode, Offset;
    unsigned short Size;
  };
  alignas(8) char Buffer[4096];
  uint64_t Count = 0;
  for (long N;
       (N = systemCall(SYS_getdents64, Directory.word(), word(Buffer), sizeof(Buffer))) > 0;)
    for (long At = 0; At < N; ++Count)
      At += reinterpret_cast<const Entry *>(Buffer + At)->Size;
  return Count;
}

static long reserve(const Opened &File, uint64_t Size) {
  NoFileSizeSignal Scope;
  long Result;
  do
    Result = systemCall(SYS_fallocate, File.word(), 0, 0, Size);
  while (Result == -EINTR);
  if (Result != -EOPNOTSUPP && Result != -ENOSYS)
    return Result;
  static const char Zeros[4096] = {};
  for (uint64_t At = 0; At < Size;) {
    uint64_t Rest = Size - At < sizeof(Zeros) ? Size - At : sizeof(Zeros);
    long N = systemCall(SYS_pwrite64, File.word(), word(Zeros), Rest, At);
    if (N < 0 && N != -EINTR)
      return N;
    At += N > 0 ? static_cast<uint64_t>(N) : 0;
  }
  return 0;
}

static void putName(TextBuffer &Name, uint64_t Now) {
  utsname System = {};
  systemCall(SYS_uname, word(&System));
  for (char *P = System.nodename; *P; ++P)
    if (*P == '/')
      *P = '-';
  Name.put(System.nodename).put(".").putUnsigned(static_cast<uint64_t>(processId()));
  Name.put(".").putUnsigned(Now);
}

static Segment *map(const Opened &Spool, const Opened &File, const char *Name, uint64_t Period,
                    uint64_t Now) {
  long At =
      systemCall(SYS_mmap, 0, sizeof(Segment), PROT_READ | PROT_WRITE, MAP_SHARED, File.word());
  if (At < 0 && At > -4096)
    return nullptr;
  auto *S = reinterpret_cast<Segment *>(At);
  S->Size = sizeof(Segment);
  S->Pid = static_cast<uint64_t>(processId());
  S->Start = Now / NsPerSecond;
  S->Period = Period;
  S->Active = 1;
  S->Halves[1].Began = S->Start;
  __atomic_store_n(&S->Magic, segment::Magic, __ATOMIC_RELEASE);
  // Collectors look at it from its new name on.
  size_t Size = 0;
  char Final[512];
  for (; Name[Size]; ++Size)
    Final[Size] = Name[Size];
  __builtin_memcpy(Final + Size - 3, "seg", 3);
  Final[Size] = '\0';
  if (systemCall(SYS_renameat, Spool.word(), word(Name), Spool.word(), word(Final)) < 0) {
    systemCall(SYS_munmap, word(S), sizeof(Segment));
    return nullptr;
  }
  return S;
}

// Path is the database's, without a slash at its end.
static Segment *makeIn(const char *Database, uint64_t Period) {
  makeDirectories(Path);
  constexpr int Flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  constexpr const char *SetDb = "Set db= in CAUSAL_OPTIONS to a directory that can be written";
  Opened Top(systemCall(SYS_open, word(Path), Flags));
  if (Top.failed())
    return fail("open the database", Database, Top.error(), SetDb);
  systemCall(SYS_mkdirat, Top.word(), word("spool"), 0700);
  Opened Spool(systemCall(SYS_openat, Top.word(), word("spool"), Flags | O_NOFOLLOW));
  if (Spool.failed())
    return fail("open the spool of", Database, Spool.error(), SetDb);
  if (!isSafe(Top) || !isSafe(Spool))
    return fail("trust the database", Database, EPERM,
                "Others could replace its files: let causal db share make it");
  if (countEntries(Spool) >= MaxSpooled)
    return fail("add to the spool of", Database, EDQUOT,
                "It is full: let causal db collect or causal daemon empty it");

  uint64_t Now = realTime();
  char Name[512];
  TextBuffer Text(Name, sizeof(Name));
  putName(Text, Now);
  Text.put(".new");
  Opened File(systemCall(SYS_openat, Spool.word(), word(Name),
                         O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (File.failed())
    return fail("make a file in the spool of", Database, File.error(), SetDb);
  systemCall(SYS_fchmod, File.word(), 0600); // Whatever the program's umask.
  systemCall(SYS_flock, File.word(), LOCK_EX | LOCK_NB);
  long Error = -reserve(File, sizeof(Segment));
  Segment *S = Error ? nullptr : map(Spool, File, Name, Period, Now);
  if (!S) {
    systemCall(SYS_unlinkat, Spool.word(), word(Name), 0);
    return fail("make a segment in", Database, Error ? Error : ENOMEM,
                "Free some space there, or set db= in CAUSAL_OPTIONS to another directory");
  }
  size_t Size = 0;
  while (Path[Size])
    ++Size;
  TextBuffer Whole(Path + Size, sizeof(Path) - Size);
  Whole.put("/spool/");
  putName(Whole, Now);
  Whole.put(".seg");
  return S;
}

Segment *__causal::makeSegment(const char *Database, uint64_t Period) {
  Path[0] = '\0';
  // The program may change its directory.
  if (*Database != '/' && systemCall(SYS_getcwd, word(Path), PATH_MAX - 1) < 0)
    Path[0] = '\0';
  size_t Size = 0;
  while (Path[Size])
    ++Size;
  TextBuffer Whole(Path + Size, PATH_MAX - Size);
  Whole.put(Size ? "/" : "").put(Database);
  if (Whole.overflowed())
    return fail("use the database", Database, ENAMETOOLONG, "Give it a shorter path");
  OwnOpening Here;
  return makeIn(Database, Period);
}

void __causal::dropSegment(Segment *S) { systemCall(SYS_munmap, word(S), sizeof(Segment)); }

void __causal::endSegment(Segment *S) {
  __atomic_store_n(&S->Ended, 1, __ATOMIC_RELEASE);
  bool IsEmpty = true;
  for (const segment::Half &H : S->Halves)
    IsEmpty &= __atomic_load_n(&H.Samples, __ATOMIC_RELAXED) == 0;
  // A collector may have begun generations; then it is its own to remove.
  if (IsEmpty && __atomic_load_n(&S->Active, __ATOMIC_RELAXED) == 1)
    systemCall(SYS_unlink, word(Path));
}
