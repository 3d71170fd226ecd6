//===- SteppedCalls.cpp - What the unwinder is tested in ---------------- ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SteppedCalls.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <sys/wait.h>

namespace {

char From[9000], To[9000];
volatile unsigned long Sink;

int compare(const void *A, const void *B) {
  return *static_cast<const int *>(A) - *static_cast<const int *>(B);
}

int compareAndRaise(const void *A, const void *B) {
  raise(SIGUSR1);
  return compare(A, B);
}

void onSignal(int) { Sink = strlen(From); }

void fill(int *Numbers, int Count) {
  for (int I = 0; I != Count; ++I)
    Numbers[I] = I * 7919 % 101;
}

} // namespace

namespace stepped {

void copyAndLength() {
  for (volatile size_t Size : {1, 15, 64, 100, 300, 8192}) {
    memset(From, 'x', Size);
    From[Size] = '\0';
    memcpy(To, From, Size);
    memmove(To + 3, To, Size);
    Sink = strlen(From) + strcmp(From, To);
    Sink = reinterpret_cast<unsigned long>(strchr(From, 'y'));
  }
}

void sortWithCallback() {
  int Numbers[40];
  fill(Numbers, 40);
  qsort(Numbers, 40, sizeof(int), compare);
  int Key = 7;
  Sink = reinterpret_cast<unsigned long>(bsearch(&Key, Numbers, 40, sizeof(int), compare));
}

void format() {
  char Text[200];
  snprintf(Text, sizeof(Text), "%d %s %f %lx %.40g", 42, "hello", 0.1, 123456ul, 1e-9);
  Sink = static_cast<unsigned char>(Text[0]);
}

void allocate() {
  void *volatile Blocks[20]; // Or the optimiser drops allocations and all.
  for (int I = 0; I != 20; ++I)
    Blocks[I] = malloc(16 + I * I * 400);
  Blocks[3] = realloc(Blocks[3], 100000);
  for (void *Block : Blocks)
    free(Block);
}

void parseNumber() {
  double D = strtod("3.14159265358979323846e-3", nullptr);
  Sink = static_cast<unsigned long>(D) + strtoul("123456789", nullptr, 0);
}

void lockAndUnlock() {
  static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t Condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&Mutex);
  pthread_cond_signal(&Condition);
  timespec Past = {1, 0};
  pthread_cond_timedwait(&Condition, &Mutex, &Past);
  pthread_mutex_unlock(&Mutex);
}

void readClock() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  Sink = static_cast<unsigned long>(Now.tv_nsec);
}

void bindLazily() { Sink = strlen(l64a(123456)) + ffsll(8); }

void signalWithinSort() {
  struct sigaction Action = {}, Old;
  Action.sa_handler = onSignal;
  sigaction(SIGUSR1, &Action, &Old);
  int Numbers[4];
  fill(Numbers, 4);
  qsort(Numbers, 4, sizeof(int), compareAndRaise);
  sigaction(SIGUSR1, &Old, nullptr);
}

void throwAndCatch() {
  try {
    throw std::runtime_error("x");
  } catch (const std::exception &E) {
    Sink = strlen(E.what());
  }
}

} // namespace stepped

// The frame's address in one callee-saved register after another, and in r10
// and by expressions, as in functions that realign their stack.
#define FRAME_IN(Register)                                                                         \
  "pushq %" Register "\n .cfi_adjust_cfa_offset 8\n"                                               \
  ".cfi_rel_offset " Register ", 0\n"                                                              \
  "leaq 16(%rsp), %" Register "\n .cfi_def_cfa " Register ", 0\n"                                  \
  "subq $40, %rsp\n nop\n addq $40, %rsp\n"                                                        \
  ".cfi_def_cfa rsp, 16\n"                                                                         \
  "popq %" Register "\n .cfi_adjust_cfa_offset -8\n .cfi_restore " Register "\n"

asm(R"(
  .text
  .globl unusualFrames
  .type unusualFrames, @function
unusualFrames:
  .cfi_startproc
)" FRAME_IN("rbx") FRAME_IN("rbp") FRAME_IN("r12") FRAME_IN("r13") FRAME_IN("r14")
        FRAME_IN("r15") R"(
  # Realigned as by gcc: r10 holds the address first, then the stack does.
  leaq 8(%rsp), %r10
  .cfi_def_cfa r10, 0
  andq $-64, %rsp
  pushq -8(%r10)
  pushq %rbp
  movq %rsp, %rbp
  .cfi_escape 0x10, 0x06, 0x02, 0x76, 0x00 # rbp is in memory at rbp + 0
  pushq %r10
  .cfi_escape 0x0f, 0x03, 0x76, 0x78, 0x06 # the address: *(rbp - 8)
  xorl %r10d, %r10d
  subq $24, %rsp
  nop
  movq -8(%rbp), %r10
  .cfi_def_cfa r10, 0
  leave
  .cfi_restore rbp
  leaq -8(%r10), %rsp
  .cfi_def_cfa rsp, 8
  # A register saved further from the address than a short rule can say.
  subq $4096, %rsp
  .cfi_adjust_cfa_offset 4096
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbx, 0
  xorl %ebx, %ebx
  .cfi_remember_state
  popq %rbx
  .cfi_restore rbx
  .cfi_adjust_cfa_offset -8
  nop
  jmp 1f
  .cfi_restore_state
1:
  .cfi_def_cfa rsp, 4104
  .cfi_restore rbx
  addq $4096, %rsp
  .cfi_adjust_cfa_offset -4096
  ret
  .cfi_endproc
  .size unusualFrames, .-unusualFrames
)");

extern "C" void unusualFrames();
void stepped::unusualFrames() { ::unusualFrames(); }
