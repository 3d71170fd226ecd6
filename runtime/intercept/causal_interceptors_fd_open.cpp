//===- causal_interceptors_fd_open.cpp - Descriptors come and go ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the table of causal_descriptors.h. Where a new descriptor leads to the
// outside world its entry is cleared: a descriptor of that number may have been
// closed inside libc (fclose). A vfork child changes nothing: it has a descriptor
// table of its own, and our memory.
//
//===----------------------------------------------------------------------===//
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_syscall.h"
#include "intercept/causal_descriptor_sync.h"
#include "intercept/causal_interceptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

using namespace __causal;

//===-- Both ends ---------------------------------------------------------===//

static int knowPipe(int Result, const int *Fds) {
  if (Result == 0 && inOwnProcess()) {
    Channel C = descriptors().newChannel();
    descriptors().set(Fds[0], {C, 0});
    descriptors().set(Fds[1], {0, C});
  }
  return Result;
}

CAUSAL_WEAK_INTERPOSER(int, pipe, (int *Fds), (Fds)) {
  OwnOpening::waitForOthers();
  return knowPipe(real_pipe(Fds), Fds);
}
CAUSAL_WEAK_INTERPOSER(int, pipe2, (int *Fds, int Flags), (Fds, Flags)) {
  OwnOpening::waitForOthers();
  return knowPipe(real_pipe2(Fds, Flags), Fds);
}
CAUSAL_WEAK_INTERPOSER(int, socketpair, (int Domain, int Type, int Protocol, int *Fds),
                       (Domain, Type, Protocol, Fds)) {
  OwnOpening::waitForOthers();
  int Result = real_socketpair(Domain, Type, Protocol, Fds);
  if (Result == 0 && inOwnProcess()) {
    Channel There = descriptors().newChannel();
    Channel Back = descriptors().newChannel();
    descriptors().set(Fds[0], {Back, There});
    descriptors().set(Fds[1], {There, Back});
  }
  return Result;
}
CAUSAL_WEAK_INTERPOSER(int, eventfd, (unsigned Initial, int Flags), (Initial, Flags)) {
  OwnOpening::waitForOthers();
  int Fd = real_eventfd(Initial, Flags);
  if (Fd >= 0 && inOwnProcess()) {
    Channel C = descriptors().newChannel();
    descriptors().set(Fd, {C, C});
  }
  return Fd;
}
CAUSAL_WEAK_INTERPOSER(int, signalfd, (int Old, const sigset_t *Set, int Flags),
                       (Old, Set, Flags)) {
  OwnOpening::waitForOthers();
  int Fd = real_signalfd(Old, Set, Flags);
  if (Fd < 0 || !inOwnProcess())
    return Fd;
  Channel C = Old >= 0 ? descriptors().get(Fd).In : 0;
  if (!C)
    descriptors().set(Fd, {C = descriptors().newChannel(), 0});
  // The kernel's set begins the program's: bit 0 is signal 1.
  uint64_t Mask;
  __builtin_memcpy(&Mask, Set, sizeof(Mask));
  descriptors().setSignals(C, Mask);
  return Fd;
}

//===-- Files by name -----------------------------------------------------===//

static Descriptor accessTo(Channel C, int Flags) {
  int Access = Flags & O_ACCMODE;
  return {Access == O_WRONLY ? 0 : C, Access == O_RDONLY ? 0 : C};
}

// Only a process that makes FIFOs is thought to have both ends of one.
static bool MakesFifos;

static void rememberFifo(int Result) {
  if (Result == 0 && inOwnProcess())
    __atomic_store_n(&MakesFifos, true, __ATOMIC_RELAXED);
}

CAUSAL_WEAK_INTERPOSER(int, mkfifo, (const char *Path, mode_t Mode), (Path, Mode)) {
  int Result = real_mkfifo(Path, Mode);
  rememberFifo(Result);
  return Result;
}
CAUSAL_WEAK_INTERPOSER(int, mkfifoat, (int Directory, const char *Path, mode_t Mode),
                       (Directory, Path, Mode)) {
  int Result = real_mkfifoat(Directory, Path, Mode);
  rememberFifo(Result);
  return Result;
}

// Opening a FIFO waits for the other end to be opened, and ends such a wait.
template <typename Function>
__attribute__((noinline)) static int openPerhapsFifo(int Directory, const char *Path, int Flags,
                                                     Function Open) {
  struct stat Status;
  if (systemCall(SYS_newfstatat, static_cast<uint64_t>(Directory), word(Path), word(&Status), 0) ||
      !S_ISFIFO(Status.st_mode))
    return Open();
  Channel C = Descriptors::fileChannel(Status.st_dev, Status.st_ino);
  Descriptor D = accessTo(C, Flags);
  int Fd = transferInside(D.In, D.Out, Open);
  if (Fd >= 0 && inOwnProcess())
    descriptors().set(Fd, D);
  return Fd;
}

template <typename Function>
static int openNamed(int Directory, const char *Path, int Flags, Function Open) {
  OwnOpening::waitForOthers();
  if (__builtin_expect(__atomic_load_n(&MakesFifos, __ATOMIC_RELAXED), 0))
    return openPerhapsFifo(Directory, Path, Flags, [=] { return outside(Open()); });
  return outside(Open());
}

// The mode is passed on as it came, given or not: libc looks at it where it must.
CAUSAL_WEAK_INTERPOSER(int, open, (const char *Path, int Flags, mode_t Mode), (Path, Flags, Mode)) {
  return openNamed(AT_FDCWD, Path, Flags, [=] { return real_open(Path, Flags, Mode); });
}
CAUSAL_WEAK_INTERPOSER(int, open64, (const char *Path, int Flags, mode_t Mode),
                       (Path, Flags, Mode)) {
  return openNamed(AT_FDCWD, Path, Flags, [=] { return real_open64(Path, Flags, Mode); });
}
CAUSAL_WEAK_INTERPOSER(int, openat, (int Directory, const char *Path, int Flags, mode_t Mode),
                       (Directory, Path, Flags, Mode)) {
  return openNamed(Directory, Path, Flags,
                   [=] { return real_openat(Directory, Path, Flags, Mode); });
}
CAUSAL_WEAK_INTERPOSER(int, openat64, (int Directory, const char *Path, int Flags, mode_t Mode),
                       (Directory, Path, Flags, Mode)) {
  return openNamed(Directory, Path, Flags,
                   [=] { return real_openat64(Directory, Path, Flags, Mode); });
}

CAUSAL_WEAK_INTERPOSER(mqd_t, mq_open,
                       (const char *Name, int Flags, mode_t Mode, struct mq_attr *Attributes),
                       (Name, Flags, Mode, Attributes)) {
  OwnOpening::waitForOthers();
  mqd_t Fd = real_mq_open(Name, Flags, Mode, Attributes);
  struct stat Status;
  if (Fd >= 0 && inOwnProcess() &&
      systemCall(SYS_fstat, static_cast<uint64_t>(Fd), word(&Status)) == 0) {
    Channel C = Descriptors::fileChannel(Status.st_dev, Status.st_ino);
    descriptors().set(Fd, accessTo(C, Flags));
  }
  return Fd;
}

//===-- The outside world -------------------------------------------------===//

CAUSAL_WEAK_INTERPOSER(int, socket, (int Domain, int Type, int Protocol),
                       (Domain, Type, Protocol)) {
  OwnOpening::waitForOthers();
  return outside(real_socket(Domain, Type, Protocol));
}
CAUSAL_WEAK_INTERPOSER(int, epoll_create, (int Size), (Size)) {
  OwnOpening::waitForOthers();
  return outside(real_epoll_create(Size));
}
CAUSAL_WEAK_INTERPOSER(int, epoll_create1, (int Flags), (Flags)) {
  OwnOpening::waitForOthers();
  return outside(real_epoll_create1(Flags));
}
CAUSAL_WEAK_INTERPOSER(int, timerfd_create, (int Clock, int Flags), (Clock, Flags)) {
  OwnOpening::waitForOthers();
  return outside(real_timerfd_create(Clock, Flags));
}

//===-- Duplicates --------------------------------------------------------===//

static int knowDuplicate(int Old, int New) {
  if (New < 0)
    return New;
  Descriptor D = descriptors().get(Old);
  if ((D.known() || descriptors().get(New).known()) && inOwnProcess())
    descriptors().set(New, D);
  return New;
}

// What New was before is closed on the way.
template <typename Function> static int duplicateOver(int Old, int New, Function Duplicate) {
  if (__builtin_expect(isOwnDescriptor(New), 0) && Old != New && inOwnProcess())
    disownDescriptor(New);
  Descriptor Before = descriptors().get(New);
  if (__builtin_expect(Before.known(), 0) && Old != New && inOwnProcess())
    beforeClosing(Before);
  return knowDuplicate(Old, Duplicate());
}

CAUSAL_WEAK_INTERPOSER(int, dup, (int Fd), (Fd)) {
  OwnOpening::waitForOthers();
  return knowDuplicate(Fd, real_dup(Fd));
}
CAUSAL_WEAK_INTERPOSER(int, dup2, (int Old, int New), (Old, New)) {
  OwnOpening::waitForOthers();
  return duplicateOver(Old, New, [=] { return real_dup2(Old, New); });
}
CAUSAL_WEAK_INTERPOSER(int, dup3, (int Old, int New, int Flags), (Old, New, Flags)) {
  OwnOpening::waitForOthers();
  return duplicateOver(Old, New, [=] { return real_dup3(Old, New, Flags); });
}

static bool duplicates(int Command) { return Command == F_DUPFD || Command == F_DUPFD_CLOEXEC; }
CAUSAL_WEAK_INTERPOSER(int, fcntl, (int Fd, int Command, void *Argument), (Fd, Command, Argument)) {
  if (!duplicates(Command))
    return real_fcntl(Fd, Command, Argument);
  OwnOpening::waitForOthers();
  return knowDuplicate(Fd, real_fcntl(Fd, Command, Argument));
}
CAUSAL_WEAK_INTERPOSER(int, fcntl64, (int Fd, int Command, void *Argument),
                       (Fd, Command, Argument)) {
  if (!duplicates(Command))
    return real_fcntl64(Fd, Command, Argument);
  OwnOpening::waitForOthers();
  return knowDuplicate(Fd, real_fcntl64(Fd, Command, Argument));
}

//===-- Ends --------------------------------------------------------------===//

// Before the close: the number may be another thread's at once after it.
__attribute__((noinline)) static void closeKnown(int Fd, Descriptor D) {
  if (!inOwnProcess())
    return;
  beforeClosing(D);
  descriptors().forget(Fd);
}

static void forgetClosed(int Fd) {
  Descriptor D = descriptors().get(Fd);
  if (__builtin_expect(D.known(), 0))
    closeKnown(Fd, D);
}

// Programs close what they do not know, to begin anew. Ours do not exist for them.
CAUSAL_WEAK_INTERPOSER(int, close, (int Fd), (Fd)) {
  OwnOpening::waitForOthers();
  if (__builtin_expect(isOwnDescriptor(Fd), 0)) {
    errno = EBADF;
    return -1;
  }
  forgetClosed(Fd);
  return real_close(Fd);
}
CAUSAL_WEAK_INTERPOSER(int, mq_close, (mqd_t Fd), (Fd)) {
  forgetClosed(Fd);
  return real_mq_close(Fd);
}

static void forgetRange(unsigned First, unsigned Last) {
  if (!descriptors().used() || !inOwnProcess())
    return;
  for (unsigned Fd = First; Fd <= Last && Fd < Descriptors::Limit; ++Fd)
    forgetClosed(static_cast<int>(Fd));
}

// Calls Close(First, Last) for what lies between ours.
template <typename Function>
static int closeBetween(unsigned First, unsigned Last, Function Close) {
  int Result = 0;
  while (First <= Last && !Result) {
    int Ours = First > INT_MAX ? -1 : nextOwnDescriptor(static_cast<int>(First));
    if (Ours < 0 || static_cast<unsigned>(Ours) > Last)
      return Close(First, Last);
    if (static_cast<unsigned>(Ours) > First)
      Result = Close(First, static_cast<unsigned>(Ours) - 1);
    First = static_cast<unsigned>(Ours) + 1;
  }
  return Result;
}

CAUSAL_WEAK_INTERPOSER(int, close_range, (unsigned First, unsigned Last, int Flags),
                       (First, Last, Flags)) {
  OwnOpening::waitForOthers();
  // CLOSE_RANGE_CLOEXEC closes nothing yet.
  if (!(Flags & (1 << 2)))
    forgetRange(First, Last);
  if (First > Last)
    return real_close_range(First, Last, Flags);
  return closeBetween(
      First, Last, [=](unsigned From, unsigned To) { return real_close_range(From, To, Flags); });
}
CAUSAL_WEAK_INTERPOSER(void, closefrom, (int First), (First)) {
  OwnOpening::waitForOthers();
  forgetRange(First < 0 ? 0 : static_cast<unsigned>(First), ~0u);
  int From = First < 0 ? 0 : First;
  for (int Ours; (Ours = nextOwnDescriptor(From)) >= 0; From = Ours + 1)
    if (Ours > From &&
        real_close_range(static_cast<unsigned>(From), static_cast<unsigned>(Ours) - 1, 0))
      for (int Fd = From; Fd < Ours; ++Fd) // A kernel before 5.9, or forbidden.
        systemCall(SYS_close, static_cast<uint64_t>(Fd));
  real_closefrom(From);
}

CAUSAL_WEAK_INTERPOSER(int, shutdown, (int Fd, int How), (Fd, How)) {
  Descriptor D = descriptors().get(Fd);
  if (__builtin_expect(D.known(), 0))
    beforeClosing(D);
  return real_shutdown(Fd, How);
}
