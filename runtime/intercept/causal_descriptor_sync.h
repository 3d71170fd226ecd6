//===- causal_descriptor_sync.h - Delays around descriptors ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the wrappers of functions on descriptors have in common: causal_sync.h with
// channels for objects. A call on a descriptor that is not known costs one look into
// the table, and no system call.
//
// Context: any thread, registered or not; not the sample handler. A read that the
// program leaves by a jump or by cancellation leaves nothing behind but the mark
// Blocked, which the thread's next wait takes away.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_DESCRIPTOR_SYNC_H
#define CAUSAL_DESCRIPTOR_SYNC_H

#include "base/causal_process.h"
#include "base/causal_syscall.h"
#include "causal/causal_sync.h"
#include "intercept/causal_descriptors.h"
#include "intercept/causal_wakes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

namespace __causal {

/// The thread has paid and is about to do what may wake waiters on Object, and on
/// the epoll descriptors that watch it.
inline void publish(const CausalThread &T, uintptr_t Object) {
  uint64_t Local = T.Delay.local();
  CreditTable &Credits = run().Credits;
  Credits.publish(Object, Local);
  descriptors().forEachWatcher(Object,
                               [&](Channel Epoll) { Credits.publish(dataObject(Epoll), Local); });
}

/// The same in mode=cpu: who waits at the other ends of In and Out may go on.
__attribute__((noinline)) inline void wakeEnds(Channel In, Channel Out) {
  auto Wake = [](uintptr_t Object) {
    waking(Object);
    descriptors().forEachWatcher(Object, [](Channel Epoll) { waking(dataObject(Epoll)); });
  };
  if (In)
    Wake(roomObject(In));
  if (Out)
    Wake(dataObject(Out));
}

/// What a thread that reads from Fd, or writes to it, waits for; 0: nobody here ends that.
inline uintptr_t dataWaitedFor(int Fd) {
  Channel In = descriptors().get(Fd).In;
  return In ? dataObject(In) : 0;
}
inline uintptr_t roomWaitedFor(int Fd) {
  Channel Out = descriptors().get(Fd).Out;
  return Out ? roomObject(Out) : 0;
}

/// Law 3 for what ends a channel's life: readers see the end, writers an error.
inline void beforeClosing(Descriptor D) {
  if (__builtin_expect(cpuThread() != nullptr, 0))
    wakeEnds(D.In, D.Out);
  CausalThread *T = causalThread();
  if (!T || !D.known())
    return;
  payToMeet(*T);
  if (D.Out)
    publish(*T, dataObject(D.Out));
  if (D.In)
    publish(*T, roomObject(D.In));
}

/// Law 3 for a signal: waiters for the signal itself or for any, and on signalfds.
inline void beforeSignal(int Signal) {
  waking(anySignalObject());
  beforeWake(signalObject(Signal));
  CausalThread *T = causalThread();
  if (!T || Signal <= 0 || Signal > 64)
    return;
  run().Credits.publish(anySignalObject(), T->Delay.local());
  descriptors().forEachSignalChannel(Signal, [&](Channel C) { publish(*T, dataObject(C)); });
}

/// A new descriptor that leads outside. An older one of its number may have been
/// closed where nobody saw it.
inline int outside(int Fd) {
  if (__builtin_expect(descriptors().get(Fd).known(), 0) && inOwnProcess())
    descriptors().forget(Fd);
  return Fd;
}

/// The second half of law 4, for a wait on several objects: Earned is the most that
/// one of those that ended it had paid. Object: that was one of them; 0: not known.
inline void afterWait(CausalThread &T, uint64_t Earned, uintptr_t Context, uintptr_t Object = 0) {
  T.Blocked = 0;
  T.Delay.credit(Earned);
  Object ? goOnWoken(T, Object, Context) : goOn(T, Context);
}

/// Whether a call for Events on Fd has to wait.
inline bool wouldWait(int Fd, short Events) {
  pollfd Now = {Fd, Events, 0};
  return !(systemCall(SYS_fcntl, static_cast<uint64_t>(Fd), F_GETFL) & O_NONBLOCK) &&
         systemCall(SYS_poll, word(&Now), 1, 0) == 0;
}

/// A call that may wait for data from In or room in Out, and wakes who waits at the
/// other ends. It fails by returning less than 0. Fd: that it waits for, if signals break
/// it off.
template <typename Function>
__attribute__((noinline)) auto transferInside(Channel In, Channel Out, Function Call, int Fd = -1) {
  CausalThread *T = causalThread();
  if (!T)
    return Call();
  if (payToWait(*T, Fd < 0 ? BreaksOff::Never : BreaksOff::UnlessRestarted) &&
      wouldWait(Fd, In ? POLLIN : POLLOUT))
    return brokenOff<decltype(Call())>();
  beforePart(*T);
  if (In)
    publish(*T, roomObject(In));
  if (Out) {
    publish(*T, dataObject(Out));
    noteWaking(*T, dataObject(Out));
  }
  T->Blocked = 1;
  waits(*T);
  auto Result = Call();
  const CreditTable &Credits = run().Credits;
  uint64_t Earned = 0;
  if (Result >= 0 && In)
    Earned = Credits.get(dataObject(In));
  if (Result >= 0 && Out && Credits.get(roomObject(Out)) > Earned)
    Earned = Credits.get(roomObject(Out));
  afterWait(*T, Earned, Out ? dataObject(Out) : ~dataObject(In),
            Result >= 0 && !Out ? dataObject(In) : 0);
  return Result;
}

/// A call that may wait for the outside world to do something to Fd (below 0: any).
template <typename Function>
inline auto waitOutsideFor(int Fd, short Events, const Function &Call) {
  return waitOutside(Call, Fd < 0 ? BreaksOff::Never : BreaksOff::UnlessRestarted,
                     [=] { return wouldWait(Fd, Events); });
}

/// The same where In or Out, or both, may be 0 or have no other end here.
template <typename Function>
__attribute__((noinline)) auto transferKnown(Channel In, Channel Out, Function Call, int Fd = -1) {
  if (__builtin_expect(cpuThread() != nullptr, 0))
    wakeEnds(In, Out);
  short Events = In ? POLLIN : POLLOUT;
  if (!descriptors().hasWriters(In))
    In = 0;
  if (!descriptors().hasReaders(Out))
    Out = 0;
  return In | Out ? transferInside(In, Out, Call, Fd) : waitOutsideFor(Fd, Events, Call);
}

/// Flags: of a message. Who asks not to wait is not told of signals.
template <typename Function> inline auto receiving(int Fd, Function Call, int Flags = 0) {
  Descriptor D = descriptors().get(Fd);
  bool Waits = !(Flags & MSG_DONTWAIT);
  if (__builtin_expect(!D.known(), 1))
    return Waits ? waitOutsideFor(Fd, POLLIN, Call) : Call();
  return transferKnown(D.In, 0, Call, Waits ? Fd : -1);
}

template <typename Function> inline auto sending(int Fd, Function Call, int Flags = 0) {
  Descriptor D = descriptors().get(Fd);
  bool Waits = !(Flags & MSG_DONTWAIT);
  if (__builtin_expect(!D.known(), 1))
    return Waits ? waitOutsideFor(Fd, POLLOUT, Call) : Call();
  return transferKnown(0, D.Out, Call, Waits ? Fd : -1);
}

} // namespace __causal

#endif // CAUSAL_DESCRIPTOR_SYNC_H
