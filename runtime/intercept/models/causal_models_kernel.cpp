//===- causal_models_kernel.cpp - Models of system calls ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_models.h. What the kernel writes into memory is new to every thread; what it
// takes from memory the caller reads. These are interposed, since libraries that are not
// instrumented call them, too: a stream of libstdc++ reads straight into large buffers.
//
//===----------------------------------------------------------------------===//
#include "intercept/causal_interceptors.h"
#include "intercept/models/causal_models.h"

#include <mqueue.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

using namespace __causal;

static ssize_t filled(void *To, ssize_t Got) {
  if (Got > 0)
    fillRange(To, static_cast<size_t>(Got));
  return Got;
}

static ssize_t taken(const void *From, ssize_t Put) {
  if (Put > 0)
    readRange(From, static_cast<size_t>(Put));
  return Put;
}

/// Calls F for each piece of Bytes that the vectors hold.
template <class Function>
static void forEachPiece(const iovec *Vectors, size_t Count, ssize_t Bytes, Function F) {
  for (size_t I = 0, Left = Bytes > 0 ? static_cast<size_t>(Bytes) : 0; I < Count && Left; ++I) {
    size_t N = Vectors[I].iov_len < Left ? Vectors[I].iov_len : Left;
    F(Vectors[I].iov_base, N);
    Left -= N;
  }
}

static ssize_t filledVectors(const iovec *Vectors, int Count, ssize_t Got) {
  forEachPiece(Vectors, static_cast<size_t>(Count), Got, fillRange);
  return Got;
}
static ssize_t takenVectors(const iovec *Vectors, int Count, ssize_t Put) {
  forEachPiece(Vectors, static_cast<size_t>(Count), Put, readRange);
  return Put;
}

static void filledMessage(const msghdr &M, ssize_t Got) {
  forEachPiece(M.msg_iov, M.msg_iovlen, Got, fillRange);
  if (Got >= 0 && M.msg_name)
    fillRange(M.msg_name, M.msg_namelen);
  if (Got >= 0 && M.msg_control)
    fillRange(M.msg_control, M.msg_controllen);
}

#define MODEL CAUSAL_WEAK_INTERPOSER

MODEL(ssize_t, read, (int Fd, void *To, size_t N), (Fd, To, N)) {
  return filled(To, real_read(Fd, To, N));
}
MODEL(ssize_t, pread, (int Fd, void *To, size_t N, off_t Offset), (Fd, To, N, Offset)) {
  return filled(To, real_pread(Fd, To, N, Offset));
}
MODEL(ssize_t, pread64, (int Fd, void *To, size_t N, off64_t Offset), (Fd, To, N, Offset)) {
  return filled(To, real_pread64(Fd, To, N, Offset));
}
MODEL(ssize_t, readv, (int Fd, const iovec *V, int Count), (Fd, V, Count)) {
  return filledVectors(V, Count, real_readv(Fd, V, Count));
}
MODEL(ssize_t, preadv, (int Fd, const iovec *V, int Count, off_t Offset), (Fd, V, Count, Offset)) {
  return filledVectors(V, Count, real_preadv(Fd, V, Count, Offset));
}
MODEL(ssize_t, preadv64, (int Fd, const iovec *V, int Count, off64_t Offset),
      (Fd, V, Count, Offset)) {
  return filledVectors(V, Count, real_preadv64(Fd, V, Count, Offset));
}
MODEL(ssize_t, recv, (int Fd, void *To, size_t N, int Flags), (Fd, To, N, Flags)) {
  ssize_t Got = real_recv(Fd, To, N, Flags);
  filled(To, Got > static_cast<ssize_t>(N) ? static_cast<ssize_t>(N) : Got); // MSG_TRUNC
  return Got;
}
MODEL(ssize_t, recvfrom,
      (int Fd, void *To, size_t N, int Flags, struct sockaddr *Address, socklen_t *Size),
      (Fd, To, N, Flags, Address, Size)) {
  ssize_t Got = real_recvfrom(Fd, To, N, Flags, Address, Size);
  filled(To, Got > static_cast<ssize_t>(N) ? static_cast<ssize_t>(N) : Got);
  if (Got >= 0 && Address && Size) {
    fillRange(Address, *Size);
    fillRange(Size, sizeof(*Size));
  }
  return Got;
}
MODEL(ssize_t, recvmsg, (int Fd, struct msghdr *M, int Flags), (Fd, M, Flags)) {
  ssize_t Got = real_recvmsg(Fd, M, Flags);
  filledMessage(*M, Got);
  return Got;
}
MODEL(int, recvmmsg,
      (int Fd, struct mmsghdr *M, unsigned Count, int Flags, struct timespec *Timeout),
      (Fd, M, Count, Flags, Timeout)) {
  int Got = real_recvmmsg(Fd, M, Count, Flags, Timeout);
  for (int I = 0; I < Got; ++I) {
    filledMessage(M[I].msg_hdr, static_cast<ssize_t>(M[I].msg_len));
    fillRange(&M[I].msg_len, sizeof(M[I].msg_len));
  }
  return Got;
}
MODEL(ssize_t, mq_receive, (mqd_t Queue, char *To, size_t N, unsigned *Priority),
      (Queue, To, N, Priority)) {
  ssize_t Got = filled(To, real_mq_receive(Queue, To, N, Priority));
  if (Got >= 0 && Priority)
    fillRange(Priority, sizeof(*Priority));
  return Got;
}
MODEL(ssize_t, msgrcv, (int Queue, void *To, size_t N, long Type, int Flags),
      (Queue, To, N, Type, Flags)) {
  ssize_t Got = real_msgrcv(Queue, To, N, Type, Flags);
  if (Got >= 0)
    fillRange(To, static_cast<size_t>(Got) + sizeof(long));
  return Got;
}
MODEL(ssize_t, getrandom, (void *To, size_t N, unsigned Flags), (To, N, Flags)) {
  return filled(To, real_getrandom(To, N, Flags));
}

MODEL(ssize_t, write, (int Fd, const void *From, size_t N), (Fd, From, N)) {
  return taken(From, real_write(Fd, From, N));
}
MODEL(ssize_t, pwrite, (int Fd, const void *From, size_t N, off_t Offset), (Fd, From, N, Offset)) {
  return taken(From, real_pwrite(Fd, From, N, Offset));
}
MODEL(ssize_t, pwrite64, (int Fd, const void *From, size_t N, off64_t Offset),
      (Fd, From, N, Offset)) {
  return taken(From, real_pwrite64(Fd, From, N, Offset));
}
MODEL(ssize_t, writev, (int Fd, const iovec *V, int Count), (Fd, V, Count)) {
  return takenVectors(V, Count, real_writev(Fd, V, Count));
}
MODEL(ssize_t, send, (int Fd, const void *From, size_t N, int Flags), (Fd, From, N, Flags)) {
  return taken(From, real_send(Fd, From, N, Flags));
}
MODEL(ssize_t, sendto,
      (int Fd, const void *From, size_t N, int Flags, const struct sockaddr *Address,
       socklen_t Size),
      (Fd, From, N, Flags, Address, Size)) {
  ssize_t Put = taken(From, real_sendto(Fd, From, N, Flags, Address, Size));
  if (Put >= 0 && Address)
    readRange(Address, Size);
  return Put;
}
MODEL(ssize_t, sendmsg, (int Fd, const struct msghdr *M, int Flags), (Fd, M, Flags)) {
  ssize_t Put = real_sendmsg(Fd, M, Flags);
  forEachPiece(M->msg_iov, M->msg_iovlen, Put, readRange);
  return Put;
}

// Mappings: called from code that is instrumented only.
CAUSAL_INPUT_INTERFACE void *__causal_model_mmap(void *Where, size_t Size, int Access, int Flags,
                                                 int Fd, off_t Offset) {
  void *P = mmap(Where, Size, Access, Flags, Fd, Offset);
  if (P == MAP_FAILED)
    return P;
  if (Flags & MAP_ANONYMOUS)
    forgetRange(P, Size);
  else
    fillRange(P, Size);
  return P;
}
CAUSAL_INPUT_INTERFACE int __causal_model_munmap(void *P, size_t Size) {
  forgetRange(P, Size);
  return munmap(P, Size);
}

void __causal::resolveKernelModels() {
#define RESOLVE(Name) resolve_##Name()
  RESOLVE(read), RESOLVE(pread), RESOLVE(pread64), RESOLVE(readv), RESOLVE(recv);
  RESOLVE(recvfrom), RESOLVE(recvmsg), RESOLVE(getrandom), RESOLVE(write), RESOLVE(pwrite);
  RESOLVE(pwrite64), RESOLVE(writev), RESOLVE(send), RESOLVE(sendto), RESOLVE(sendmsg);
#undef RESOLVE
}
