//===- causal_interceptors_fd.cpp - Reading and writing -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A descriptor both of whose ends this process made may be what threads wait for
// each other on: a transfer wakes whoever waits at the other end, and may wait for
// it. All other descriptors lead to the outside world.
//
// Every function here is a cancellation point or may be called by a handler of the
// program, in which case it pays as it would elsewhere. Calls that stdio makes inside
// libc do not come by.
//
//===----------------------------------------------------------------------===//
#include "intercept/causal_descriptor_sync.h"
#include "intercept/causal_interceptors.h"

#include <mqueue.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

using namespace __causal;

//===-- Bytes -------------------------------------------------------------===//

CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, read,
             (int Fd, void *Buffer, size_t Size), (Fd, Buffer, Size)) {
  return receiving(Fd, [=] { return blocking_read(Fd, Buffer, Size); });
}
CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, __read_chk,
             (int Fd, void *Buffer, size_t Size, size_t Room), (Fd, Buffer, Size, Room)) {
  return receiving(Fd, [=] { return blocking___read_chk(Fd, Buffer, Size, Room); });
}
CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, readv,
             (int Fd, const iovec *Parts, int Count), (Fd, Parts, Count)) {
  return receiving(Fd, [=] { return blocking_readv(Fd, Parts, Count); });
}
CAUSAL_WAITS(IO, roomWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, write,
             (int Fd, const void *Buffer, size_t Size), (Fd, Buffer, Size)) {
  return sending(Fd, [=] { return blocking_write(Fd, Buffer, Size); });
}
CAUSAL_WAITS(IO, roomWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, writev,
             (int Fd, const iovec *Parts, int Count), (Fd, Parts, Count)) {
  return sending(Fd, [=] { return blocking_writev(Fd, Parts, Count); });
}

//===-- Counters ----------------------------------------------------------===//

CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, int, eventfd_read,
             (int Fd, eventfd_t *Value), (Fd, Value)) {
  return receiving(Fd, [=] { return blocking_eventfd_read(Fd, Value); });
}
CAUSAL_WAITS(IO, roomWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, int, eventfd_write,
             (int Fd, eventfd_t Value), (Fd, Value)) {
  return sending(Fd, [=] { return blocking_eventfd_write(Fd, Value); });
}

//===-- Messages ----------------------------------------------------------===//

CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, recv,
             (int Fd, void *Buffer, size_t Size, int Flags), (Fd, Buffer, Size, Flags)) {
  return receiving(Fd, [=] { return blocking_recv(Fd, Buffer, Size, Flags); }, Flags);
}
CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, __recv_chk,
             (int Fd, void *Buffer, size_t Size, size_t Room, int Flags),
             (Fd, Buffer, Size, Room, Flags)) {
  return receiving(Fd, [=] { return blocking___recv_chk(Fd, Buffer, Size, Room, Flags); }, Flags);
}
CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, recvfrom,
             (int Fd, void *Buffer, size_t Size, int Flags, sockaddr *From, socklen_t *Length),
             (Fd, Buffer, Size, Flags, From, Length)) {
  return receiving(
      Fd, [=] { return blocking_recvfrom(Fd, Buffer, Size, Flags, From, Length); }, Flags);
}
CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, __recvfrom_chk,
             (int Fd, void *Buffer, size_t Size, size_t Room, int Flags, sockaddr *From,
              socklen_t *Length),
             (Fd, Buffer, Size, Room, Flags, From, Length)) {
  return receiving(
      Fd, [=] { return blocking___recvfrom_chk(Fd, Buffer, Size, Room, Flags, From, Length); },
      Flags);
}
CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, recvmsg,
             (int Fd, msghdr *Message, int Flags), (Fd, Message, Flags)) {
  return receiving(Fd, [=] { return blocking_recvmsg(Fd, Message, Flags); }, Flags);
}
CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, int, recvmmsg,
             (int Fd, mmsghdr *Messages, unsigned Count, int Flags, timespec *Timeout),
             (Fd, Messages, Count, Flags, Timeout)) {
  return receiving(
      Fd, [=] { return blocking_recvmmsg(Fd, Messages, Count, Flags, Timeout); }, Flags);
}
CAUSAL_WAITS(IO, roomWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, send,
             (int Fd, const void *Buffer, size_t Size, int Flags), (Fd, Buffer, Size, Flags)) {
  return sending(Fd, [=] { return blocking_send(Fd, Buffer, Size, Flags); }, Flags);
}
CAUSAL_WAITS(IO, roomWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, sendto,
             (int Fd, const void *Buffer, size_t Size, int Flags, const sockaddr *To,
              socklen_t Length),
             (Fd, Buffer, Size, Flags, To, Length)) {
  return sending(Fd, [=] { return blocking_sendto(Fd, Buffer, Size, Flags, To, Length); }, Flags);
}
CAUSAL_WAITS(IO, roomWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, sendmsg,
             (int Fd, const msghdr *Message, int Flags), (Fd, Message, Flags)) {
  return sending(Fd, [=] { return blocking_sendmsg(Fd, Message, Flags); }, Flags);
}
CAUSAL_WAITS(IO, roomWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, int, sendmmsg,
             (int Fd, mmsghdr *Messages, unsigned Count, int Flags), (Fd, Messages, Count, Flags)) {
  return sending(Fd, [=] { return blocking_sendmmsg(Fd, Messages, Count, Flags); }, Flags);
}

CAUSAL_WAITS(IO, roomWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, int, mq_send,
             (mqd_t Fd, const char *Text, size_t Size, unsigned Priority),
             (Fd, Text, Size, Priority)) {
  return sending(Fd, [=] { return blocking_mq_send(Fd, Text, Size, Priority); });
}
CAUSAL_WAITS(IO, roomWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, int, mq_timedsend,
             (mqd_t Fd, const char *Text, size_t Size, unsigned Priority, const timespec *Until),
             (Fd, Text, Size, Priority, Until)) {
  return sending(Fd, [=] { return blocking_mq_timedsend(Fd, Text, Size, Priority, Until); });
}
CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, mq_receive,
             (mqd_t Fd, char *Text, size_t Size, unsigned *Priority), (Fd, Text, Size, Priority)) {
  return receiving(Fd, [=] { return blocking_mq_receive(Fd, Text, Size, Priority); });
}
CAUSAL_WAITS(IO, dataWaitedFor(Fd), CAUSAL_WEAK_INTERPOSER, ssize_t, mq_timedreceive,
             (mqd_t Fd, char *Text, size_t Size, unsigned *Priority, const timespec *Until),
             (Fd, Text, Size, Priority, Until)) {
  return receiving(Fd, [=] { return blocking_mq_timedreceive(Fd, Text, Size, Priority, Until); });
}

//===-- From one descriptor to another ------------------------------------===//

template <typename Function> static ssize_t move(int From, int To, Function Call) {
  Channel In = descriptors().get(From).In, Out = descriptors().get(To).Out;
  if (__builtin_expect(!(In | Out), 1))
    return waitOutside(Call);
  return transferKnown(In, Out, Call);
}

CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, ssize_t, splice,
             (int From, off64_t *FromOffset, int To, off64_t *ToOffset, size_t Size,
              unsigned Flags),
             (From, FromOffset, To, ToOffset, Size, Flags)) {
  return move(From, To,
              [=] { return blocking_splice(From, FromOffset, To, ToOffset, Size, Flags); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, ssize_t, sendfile,
             (int To, int From, off_t *Offset, size_t Size), (To, From, Offset, Size)) {
  return move(From, To, [=] { return blocking_sendfile(To, From, Offset, Size); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, ssize_t, sendfile64,
             (int To, int From, off64_t *Offset, size_t Size), (To, From, Offset, Size)) {
  return move(From, To, [=] { return blocking_sendfile64(To, From, Offset, Size); });
}
