//===- causal_interceptors_connect.cpp - Connections to ourselves ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A TCP connection over the loopback device may have both ends in this process. Its
// two addresses name it: both sides get their channels by a hash of these, whichever
// comes first, and a side that stays alone has nobody at its other end. Addresses are
// asked for once per connection, and only in a process that connects to loopback
// addresses; sending and receiving make no system call.
//
// Sockets of the Unix domain that are connected by name do not say who is at the
// other end, and stay outside.
//
//===----------------------------------------------------------------------===//
#include "base/causal_platform.h"
#include "base/causal_syscall.h"
#include "intercept/causal_descriptor_sync.h"
#include "intercept/causal_interceptors.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace __causal;

static bool ConnectsToItself;

namespace {
union Address {
  sockaddr Any;
  sockaddr_in V4;
  sockaddr_in6 V6;
};
} // namespace

static bool isLoopback(const sockaddr *A, socklen_t Length) {
  if (!A || Length < sizeof(sockaddr_in))
    return false;
  if (A->sa_family == AF_INET)
    return reinterpret_cast<const sockaddr_in *>(A)->sin_addr.s_addr % 256 == 127;
  if (A->sa_family != AF_INET6 || Length < sizeof(sockaddr_in6))
    return false;
  const in6_addr &I = reinterpret_cast<const sockaddr_in6 *>(A)->sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&I) || (IN6_IS_ADDR_V4MAPPED(&I) && I.s6_addr[12] == 127);
}

// The same for an IPv4 address and for the IPv6 address that it is mapped to.
static uint64_t hash(const Address &A) {
  uint32_t Words[4] = {0, 0, htonl(0xffff), A.V4.sin_addr.s_addr};
  uint64_t Hash = A.V4.sin_port; // Where the port lies in both.
  if (A.Any.sa_family == AF_INET6)
    __builtin_memcpy(Words, &A.V6.sin6_addr, sizeof(Words));
  for (uint32_t Word : Words)
    Hash = (Hash ^ Word) * 0x9E3779B97F4A7C15ull;
  return Hash;
}

static bool ask(long Call, int Fd, Address *A) {
  socklen_t Length = sizeof(*A);
  return systemCall(Call, static_cast<uint64_t>(Fd), word(A), word(&Length)) == 0 &&
         isLoopback(&A->Any, Length);
}

// The channel of what flows from one address to another.
static Channel channel(const Address &From, const Address &To) {
  return Descriptors::hashedChannel((hash(From) + 2 * hash(To)) * 0x9E3779B97F4A7C15ull);
}

static void knowConnection(int Fd, const Address &There) {
  Address Here;
  if (ask(SYS_getsockname, Fd, &Here))
    descriptors().set(Fd, {channel(There, Here), channel(Here, There)});
}

CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, connect,
             (int Fd, const sockaddr *To, socklen_t Length), (Fd, To, Length)) {
  if (!isLoopback(To, Length))
    return waitOutside([=] { return blocking_connect(Fd, To, Length); });
  // Before the connection: another thread may accept it at once.
  __atomic_store_n(&ConnectsToItself, true, __ATOMIC_RELAXED);
  int Result = blocking_connect(Fd, To, Length);
  if ((Result == 0 || errno == EINPROGRESS) && inOwnProcess()) {
    Address There = {};
    __builtin_memcpy(&There, To, Length < sizeof(There) ? Length : sizeof(There));
    knowConnection(Fd, There);
  }
  return Result;
}

static int accepted(int Fd) {
  outside(Fd);
  Address There;
  if (Fd >= 0 && __atomic_load_n(&ConnectsToItself, __ATOMIC_RELAXED) && inOwnProcess() &&
      ask(SYS_getpeername, Fd, &There))
    knowConnection(Fd, There);
  return Fd;
}

CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, accept,
             (int Fd, sockaddr *From, socklen_t *Length), (Fd, From, Length)) {
  OwnOpening::waitForOthers();
  return accepted(waitOutsideFor(Fd, POLLIN, [=] { return blocking_accept(Fd, From, Length); }));
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, accept4,
             (int Fd, sockaddr *From, socklen_t *Length, int Flags), (Fd, From, Length, Flags)) {
  OwnOpening::waitForOthers();
  return accepted(
      waitOutsideFor(Fd, POLLIN, [=] { return blocking_accept4(Fd, From, Length, Flags); }));
}
