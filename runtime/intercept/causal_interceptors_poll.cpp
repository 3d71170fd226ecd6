//===- causal_interceptors_poll.cpp - Waiting on many descriptors ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait on a set of descriptors is a wait for another thread if one of the set is
// known; its end is credited to those that are ready. epoll does not say which they
// are, so there whoever publishes on a watched object publishes on the epoll
// descriptor, too. Calls that do not wait go straight to libc.
//
// A mask for the time of the wait is changed only where a sample could end the wait.
//
//===----------------------------------------------------------------------===//
#include "base/causal_process.h"
#include "intercept/causal_descriptor_sync.h"
#include "intercept/causal_interceptors.h"
#include "sampler/causal_signal_mask.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

using namespace __causal;

static bool isZero(const timespec *T) { return T && !T->tv_sec && !T->tv_nsec; }
static bool isZero(const timeval *T) { return T && !T->tv_sec && !T->tv_usec; }

static void earn(uint64_t &Earned, uintptr_t Object) {
  uint64_t Local = run().Credits.get(Object);
  if (Earned < Local)
    Earned = Local;
}

static bool isReady(pollfd *Fds, nfds_t Count) {
  return systemCall(SYS_poll, word(Fds), Count, 0) != 0;
}

// Set has any(Test), whether Test(Descriptor, Readable, Writable) holds for one of
// the descriptors in it; after the call, that are ready. And anyReady(), before it.
template <typename Set, typename Function>
static int waitForSet(bool Waits, const Set &Fds, Function Call) {
  CausalThread *T = causalThread();
  if (!T || !Waits)
    return Call();
  if (!descriptors().used() || !Fds.any([](Descriptor D, bool, bool) {
        return descriptors().hasWriters(D.In) || descriptors().hasReaders(D.Out);
      }))
    return waitOutside(Call, BreaksOff::Always, [&] { return !Fds.anyReady(); });
  if (payToWait(*T, BreaksOff::Always) && !Fds.anyReady())
    return brokenOff<int>();
  beforeBlock();
  int Ready = Call();
  uint64_t Earned = 0;
  if (Ready > 0)
    Fds.any([&](Descriptor D, bool Readable, bool Writable) {
      if (Readable && D.In)
        earn(Earned, dataObject(D.In));
      if (Writable && D.Out)
        earn(Earned, roomObject(D.Out));
      return false;
    });
  afterWait(*T, Earned, PollContext);
  return Ready;
}

//===-- poll --------------------------------------------------------------===//

namespace {
struct PollSet {
  pollfd *Fds;
  nfds_t Count;

  bool anyReady() const { return isReady(Fds, Count); }

  template <typename Function> bool any(Function Test) const {
    for (nfds_t I = 0; Fds && I < Count; ++I)
      if (Test(descriptors().get(Fds[I].fd), Fds[I].revents & ~POLLOUT,
               Fds[I].revents & (POLLOUT | POLLERR | POLLHUP)))
        return true;
    return false;
  }
};
} // namespace

CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, poll,
             (pollfd * Fds, nfds_t Count, int Timeout), (Fds, Count, Timeout)) {
  return waitForSet(Timeout, PollSet{Fds, Count},
                    [=] { return blocking_poll(Fds, Count, Timeout); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, __poll_chk,
             (pollfd * Fds, nfds_t Count, int Timeout, size_t Room), (Fds, Count, Timeout, Room)) {
  return waitForSet(Timeout, PollSet{Fds, Count},
                    [=] { return blocking___poll_chk(Fds, Count, Timeout, Room); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, ppoll,
             (pollfd * Fds, nfds_t Count, const timespec *Timeout, const sigset_t *Mask),
             (Fds, Count, Timeout, Mask)) {
  MaskForWait Open(Mask);
  return waitForSet(!isZero(Timeout), PollSet{Fds, Count},
                    [&] { return blocking_ppoll(Fds, Count, Timeout, Open.get()); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, __ppoll_chk,
             (pollfd * Fds, nfds_t Count, const timespec *Timeout, const sigset_t *Mask,
              size_t Room),
             (Fds, Count, Timeout, Mask, Room)) {
  MaskForWait Open(Mask);
  return waitForSet(!isZero(Timeout), PollSet{Fds, Count},
                    [&] { return blocking___ppoll_chk(Fds, Count, Timeout, Open.get(), Room); });
}

//===-- select ------------------------------------------------------------===//

namespace {
struct SelectSet {
  int Count;
  const fd_set *Read, *Write, *Except;

  bool anyReady() const {
    auto Has = [](const fd_set *Set, int Fd) { return word(Set, Fd) >> Fd % 64 & 1; };
    for (int Fd = 0, End = end(FD_SETSIZE); Fd < End; ++Fd) {
      short Events =
          static_cast<short>((Has(Read, Fd) ? POLLIN : 0) | (Has(Write, Fd) ? POLLOUT : 0) |
                             (Has(Except, Fd) ? POLLPRI : 0));
      pollfd One = {Fd, Events, 0};
      if (Events && isReady(&One, 1))
        return true;
    }
    return false;
  }

  template <typename Function> bool any(Function Test) const {
    constexpr int Bits = 64;
    int End = end(descriptors().end());
    for (int First = 0; First < End; First += Bits) {
      uint64_t Readable = word(Read, First) | word(Except, First);
      uint64_t Writable = word(Write, First);
      for (uint64_t Left = Readable | Writable; Left; Left &= Left - 1) {
        int Bit = __builtin_ctzll(Left);
        if (First + Bit < Count &&
            Test(descriptors().get(First + Bit), Readable >> Bit & 1, Writable >> Bit & 1))
          return true;
      }
    }
    return false;
  }

private:
  // Count may be more than the sets have room for, as that of getdtablesize() is.
  int end(int Most) const { return Count < Most ? Count : Most; }
  // Sets may be larger than fd_set, if the program has made them so.
  static uint64_t word(const fd_set *Set, int First) {
    return Set ? reinterpret_cast<const uint64_t *>(Set)[First / 64] : 0;
  }
};
} // namespace

CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, select,
             (int Count, fd_set *Read, fd_set *Write, fd_set *Except, timeval *Timeout),
             (Count, Read, Write, Except, Timeout)) {
  return waitForSet(!isZero(Timeout), SelectSet{Count, Read, Write, Except},
                    [=] { return blocking_select(Count, Read, Write, Except, Timeout); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, pselect,
             (int Count, fd_set *Read, fd_set *Write, fd_set *Except, const timespec *Timeout,
              const sigset_t *Mask),
             (Count, Read, Write, Except, Timeout, Mask)) {
  MaskForWait Open(Mask);
  return waitForSet(!isZero(Timeout), SelectSet{Count, Read, Write, Except}, [&] {
    return blocking_pselect(Count, Read, Write, Except, Timeout, Open.get());
  });
}

//===-- epoll -------------------------------------------------------------===//

// The watch begins before the kernel's: nothing that is published between is lost.
CAUSAL_WEAK_INTERPOSER(int, epoll_ctl, (int Epoll, int Operation, int Fd, epoll_event *Event),
                       (Epoll, Operation, Fd, Event)) {
  Descriptor D = descriptors().get(Fd);
  if (__builtin_expect(D.known(), 0) && inOwnProcess()) {
    if (Operation == EPOLL_CTL_DEL) {
      if (Channel E = descriptors().get(Epoll).In) {
        descriptors().unwatch(dataObject(D.In), E);
        descriptors().unwatch(roomObject(D.Out), E);
      }
    } else if (Channel E = descriptors().epollChannel(Epoll)) {
      if (D.In)
        descriptors().watch(dataObject(D.In), E);
      if (D.Out && Event && Event->events & EPOLLOUT)
        descriptors().watch(roomObject(D.Out), E);
    }
  }
  return real_epoll_ctl(Epoll, Operation, Fd, Event);
}

template <typename Function> static int waitForEpoll(int Epoll, bool Waits, Function Call) {
  Channel E = descriptors().get(Epoll).In;
  if (!Waits)
    return Call();
  auto IsEmpty = [=] {
    pollfd One = {Epoll, POLLIN, 0};
    return !isReady(&One, 1);
  };
  if (!E)
    return waitOutside(Call, BreaksOff::Always, IsEmpty);
  if (CausalThread *T = causalThread(); T && payToWait(*T, BreaksOff::Always) && IsEmpty())
    return brokenOff<int>();
  beforeBlock();
  int Ready = Call();
  afterBlock(dataObject(E), Ready > 0);
  return Ready;
}

CAUSAL_WAITS(IO, dataWaitedFor(Epoll), CAUSAL_WEAK_INTERPOSER, int, epoll_wait,
             (int Epoll, epoll_event *Events, int Count, int Timeout),
             (Epoll, Events, Count, Timeout)) {
  return waitForEpoll(Epoll, Timeout,
                      [=] { return blocking_epoll_wait(Epoll, Events, Count, Timeout); });
}
CAUSAL_WAITS(IO, dataWaitedFor(Epoll), CAUSAL_WEAK_INTERPOSER, int, epoll_pwait,
             (int Epoll, epoll_event *Events, int Count, int Timeout, const sigset_t *Mask),
             (Epoll, Events, Count, Timeout, Mask)) {
  MaskForWait Open(Mask);
  return waitForEpoll(Epoll, Timeout, [&] {
    return blocking_epoll_pwait(Epoll, Events, Count, Timeout, Open.get());
  });
}
CAUSAL_WAITS(IO, dataWaitedFor(Epoll), CAUSAL_WEAK_INTERPOSER, int, epoll_pwait2,
             (int Epoll, epoll_event *Events, int Count, const timespec *Timeout,
              const sigset_t *Mask),
             (Epoll, Events, Count, Timeout, Mask)) {
  MaskForWait Open(Mask);
  return waitForEpoll(Epoll, !isZero(Timeout), [&] {
    return blocking_epoll_pwait2(Epoll, Events, Count, Timeout, Open.get());
  });
}
