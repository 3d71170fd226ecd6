//===- UnwindScanTest.cpp - Callers of code without CFI -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample is taken at every instruction of assembly that has no call frame information (the
// processor's trap flag): its caller is found from each.
//
//===----------------------------------------------------------------------===//
#include "code/causal_unwind_scan.h"

#include "gtest/gtest.h"

#include <csignal>
#include <dlfcn.h>
#include <pthread.h>
#include <ucontext.h>

using namespace __causal;

// Saves registers, uses rbp for something else, and has a frame of which it writes nothing.
extern "C" uintptr_t scannedAssembly();
extern "C" const char scannedBegin[], scannedEnd[];
__asm__(".text\n"
        "scannedBegin:\n"
        "scannedLeaf:\n"
        "  push %rbx\n"
        "  mov $7, %ebx\n"
        "  pop %rbx\n"
        "  ret\n"
        "scannedAssembly:\n"
        "  mov (%rsp), %rax\n"
        "  push %rbp\n"
        "  push %r12\n"
        "  mov $3, %ebp\n"
        "  sub $2048, %rsp\n"
        "1: call scannedLeaf\n"
        "  decl %ebp\n"
        "  jnz 1b\n"
        "  add $2048, %rsp\n"
        "  pop %r12\n"
        "  pop %rbp\n"
        "  ret\n"
        "scannedEnd:\n");

namespace {

UnwindCache Cache;
uintptr_t StackHigh, Expected;
int Samples, Wrong, Unknown;
bool Stepping;

bool isIn(uintptr_t PC, const char *Begin, const char *End) {
  return PC >= reinterpret_cast<uintptr_t>(Begin) && PC < reinterpret_cast<uintptr_t>(End);
}

// The code of this file that a compiler has made: the rest of the image.
bool isOfImage(uintptr_t PC) {
  Dl_info Here = {}, There = {};
  dladdr(reinterpret_cast<void *>(&isOfImage), &Here);
  return dladdr(reinterpret_cast<void *>(PC), &There) && There.dli_fbase == Here.dli_fbase &&
         unwindFindRow(PC, Cache) != UnwindRow::None;
}

void onTrap(int, siginfo_t *Info, void *Context) {
  auto &U = *static_cast<ucontext_t *>(Context);
  if (Info->si_code == SI_KERNEL) {
    Stepping = !Stepping;
    U.uc_mcontext.gregs[REG_EFL] ^= 0x100;
  }
  UnwindRegisters R(U), Before = R;
  if (!isIn(R.PC, scannedBegin, scannedEnd))
    return;
  ++Samples;
  if (!unwindScan(R, StackHigh, Cache, isOfImage))
    ++Unknown;
  else
    Wrong += R.PC != Expected || R.SP <= Before.SP;
}

// Leaves addresses of calls where the assembly's frame will be.
__attribute__((noinline)) int descend(int Depth) {
  volatile char Frame[64] = {static_cast<char>(Depth)};
  return Depth ? descend(Depth - 1) + Frame[Depth % 64] : Frame[0];
}

__attribute__((noinline)) void stepThrough() {
  volatile int Left = descend(12);
  (void)Left;
  Samples = Wrong = Unknown = 0;
  asm volatile("int3");
  Expected = scannedAssembly();
  asm volatile("int3");
}

TEST(UnwindScanTest, EveryInstructionHasItsCaller) {
  unwindRefreshModules();
  pthread_attr_t Attributes;
  void *Low;
  size_t Size;
  ASSERT_EQ(pthread_getattr_np(pthread_self(), &Attributes), 0);
  ASSERT_EQ(pthread_attr_getstack(&Attributes, &Low, &Size), 0);
  pthread_attr_destroy(&Attributes);
  StackHigh = reinterpret_cast<uintptr_t>(Low) + Size;
  struct sigaction Action = {}, Old;
  Action.sa_sigaction = onTrap;
  Action.sa_flags = SA_SIGINFO;
  ASSERT_EQ(sigaction(SIGTRAP, &Action, &Old), 0);
  stepThrough(); // Learns what to expect.
  stepThrough();
  sigaction(SIGTRAP, &Old, nullptr);
  EXPECT_GT(Samples, 25);
  EXPECT_EQ(Wrong, 0);
  EXPECT_EQ(Unknown, 0);
}

TEST(UnwindScanTest, StaysWhereTheWayIsKnown) {
  uintptr_t Words[64] = {};
  UnwindRegisters R;
  R.PC = reinterpret_cast<uintptr_t>(&descend);
  R.SP = reinterpret_cast<uintptr_t>(Words);
  EXPECT_FALSE(unwindScan(R, R.SP + sizeof(Words), Cache, isOfImage));
  EXPECT_EQ(R.PC, reinterpret_cast<uintptr_t>(&descend));
}

// Nothing but addresses of this file's code: nowhere does the stack go on.
TEST(UnwindScanTest, WhatDoesNotFitIsNoCaller) {
  uintptr_t Words[64];
  for (uintptr_t &Word : Words)
    Word = reinterpret_cast<uintptr_t>(&descend) + 1;
  UnwindRegisters R;
  R.PC = reinterpret_cast<uintptr_t>(scannedBegin);
  R.SP = reinterpret_cast<uintptr_t>(Words);
  EXPECT_FALSE(unwindScan(R, R.SP + sizeof(Words), Cache, isOfImage));
  EXPECT_FALSE(unwindScan(R, R.SP, Cache, isOfImage));
}

} // namespace
