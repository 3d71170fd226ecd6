//===- UnwindRobustnessTest.cpp - Garbage in, no crash --------------- ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "code/causal_dwarf_expression.h"
#include "code/causal_unwind.h"

#include "gtest/gtest.h"

#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <random>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace __causal;

namespace {

UnwindCache Cache;

/// One readable page between two that are not: a read out of bounds ends the
/// test.
struct GuardedStack {
  size_t PageSize = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  char *Map = static_cast<char *>(
      mmap(nullptr, 3 * PageSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  uintptr_t Low = reinterpret_cast<uintptr_t>(Map + PageSize);
  uintptr_t High = Low + PageSize;

  GuardedStack() { mprotect(Map + PageSize, PageSize, PROT_READ | PROT_WRITE); }
  ~GuardedStack() { munmap(Map, 3 * PageSize); }
  uintptr_t *words() const { return reinterpret_cast<uintptr_t *>(Low); }
  size_t count() const { return PageSize / sizeof(uintptr_t); }
};

/// Addresses of code that a garbage PC may look like.
std::vector<uintptr_t> codeAddresses() {
  std::vector<uintptr_t> Result;
  for (const char *Name : {"memcpy", "qsort", "printf", "malloc", "strtod", "pthread_create",
                           "setcontext", "longjmp", "abort"})
    if (void *Address = dlsym(RTLD_DEFAULT, Name))
      Result.push_back(reinterpret_cast<uintptr_t>(Address));
  return Result;
}

TEST(UnwindRobustnessTest, GarbageNeverCrashes) {
  unwindRefreshModules();
  GuardedStack Stack;
  std::vector<uintptr_t> Code = codeAddresses();
  ASSERT_GE(Code.size(), 5u);
  std::mt19937_64 Random(1);
  // A word of each kind that is dangerous, and some that are just wrong.
  auto Garbage = [&]() -> uintptr_t {
    switch (Random() % 6) {
    case 0:
      return Random();
    case 1:
      return Stack.Low + Random() % Stack.PageSize;
    case 2:
      return Stack.High - 8 + Random() % 16;
    case 3:
      return Stack.Low - 8 + Random() % 16;
    case 4:
      return Random() % 64;
    }
    return Code[Random() % Code.size()] + Random() % 3000;
  };
  long Steps = 0;
  for (int Round = 0; Round != 200000; ++Round) {
    if (Round % 100 == 0)
      for (size_t I = 0; I != Stack.count(); ++I)
        Stack.words()[I] = Garbage();
    UnwindRegisters R;
    R.PC = Code[Random() % Code.size()] + Random() % 3000;
    R.SP = Random() % 4 ? Stack.Low + Random() % Stack.PageSize / 8 * 8 : Garbage();
    for (uintptr_t *Register : {&R.BP, &R.BX, &R.R10, &R.R12, &R.R13, &R.R14, &R.R15})
      *Register = Garbage();
    R.IsReturnAddress = Random() % 2;
    uintptr_t SP = R.SP;
    while (unwindStep(R, Stack.Low, Stack.High, Cache)) {
      ++Steps;
      if (R.SP >= Stack.Low && R.SP < Stack.High)
        ASSERT_GT(R.SP, SP) << "the walk would not end";
      SP = R.SP;
    }
  }
  EXPECT_GT(Steps, 1000) << "the garbage was not good enough to step through";
}

TEST(UnwindRobustnessTest, FailureChangesNothing) {
  UnwindRegisters R;
  R.PC = 16;
  R.SP = reinterpret_cast<uintptr_t>(&R) & ~uintptr_t{7};
  R.BP = 3;
  EXPECT_FALSE(unwindStep(R, R.SP, R.SP + 64, Cache));
  EXPECT_EQ(R.PC, 16u);
  EXPECT_EQ(R.BP, 3u);
  R.PC = reinterpret_cast<uintptr_t>(&memcpy);
  EXPECT_FALSE(unwindStep(R, R.SP + 8, R.SP + 64, Cache)) << "SP below bounds";
  EXPECT_FALSE(unwindStep(R, R.SP - 64, R.SP, Cache)) << "SP above bounds";
  UnwindRegisters Zero;
  EXPECT_FALSE(unwindStep(Zero, 0, UINTPTR_MAX, Cache));
}

TEST(UnwindRobustnessTest, StepsGoOnDuringRefreshes) {
  unwindSetFindObject(nullptr);
  unwindRefreshModules();
  auto Function = reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "qsort"));
  ASSERT_NE(Function, 0u);
  std::atomic<long> Refreshes = {0};
  std::atomic<bool> Done = {false};
  std::thread Refresher([&] {
    for (; !Done; ++Refreshes)
      unwindRefreshModules();
  });
  // At a function's entry the caller is on top of the stack. A step may fail
  // while the table changes twice, but never lead elsewhere.
  uintptr_t Words[4] = {Function + 1, 0, 0, 0};
  auto SP = reinterpret_cast<uintptr_t>(Words);
  long Good = 0, Bad = 0;
  // Both have to get on, whoever has the core.
  while (Refreshes < 3000 || Good < 3000) {
    UnwindRegisters R;
    R.PC = Function;
    R.SP = SP;
    if (!unwindStep(R, SP, SP + sizeof(Words), Cache))
      continue;
    Good += R.PC == Function + 1 && R.SP == SP + 8;
    Bad += R.PC != Function + 1 || R.SP != SP + 8;
  }
  Done = true;
  Refresher.join();
  EXPECT_EQ(Bad, 0);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

struct ExpressionTest : testing::Test {
  uintptr_t Words[2] = {111, 222};
  StackMemory Stack = {reinterpret_cast<uintptr_t>(Words), reinterpret_cast<uintptr_t>(Words + 2)};
  UnwindRegisters R;
  uintptr_t Result = 0;

  bool run(std::vector<uint8_t> Bytes, const uintptr_t *Initial = nullptr) {
    return evaluateExpression({Bytes.data(), Bytes.size()}, R, Stack, Initial, Result);
  }
};

TEST_F(ExpressionTest, Arithmetic) {
  EXPECT_TRUE(run({0x08, 200, 0x09, 0xFE, 0x22})); // 200 + -2
  EXPECT_EQ(Result, 198u);
  EXPECT_TRUE(run({0x11, 0x7F, 0x31, 0x1C})); // -1 - 1
  EXPECT_EQ(Result, static_cast<uintptr_t>(-2));
  EXPECT_TRUE(run({0x35, 0x33, 0x16, 0x24})); // 5 3 swap shl
  EXPECT_EQ(Result, 3u << 5);
  EXPECT_TRUE(run({0x35, 0x12, 0x1E, 0x23, 0x80, 0x01})); // 5 * 5 + 128
  EXPECT_EQ(Result, 153u);
  EXPECT_TRUE(run({0x11, 0x7F, 0x30, 0x2D})); // -1 < 0
  EXPECT_EQ(Result, 1u);
}

TEST_F(ExpressionTest, RegistersAndMemory) {
  R.SP = Stack.Low;
  R.R12 = 1000;
  EXPECT_TRUE(run({0x77, 0x08, 0x06})); // *(rsp + 8)
  EXPECT_EQ(Result, 222u);
  EXPECT_TRUE(run({0x92, 0x0C, 0x7F})); // r12 - 1
  EXPECT_EQ(Result, 999u);
  uintptr_t CFA = 77;
  EXPECT_TRUE(run({0x23, 0x01}, &CFA));
  EXPECT_EQ(Result, 78u);
}

TEST_F(ExpressionTest, IsRefused) {
  R.SP = Stack.Low;
  EXPECT_FALSE(run({}));
  EXPECT_FALSE(run({0x22}));                          // nothing to add
  EXPECT_FALSE(run({0x77, 0x10, 0x06}));              // beyond the stack
  EXPECT_FALSE(run({0x77, 0x04, 0x06}));              // unaligned
  EXPECT_FALSE(run({0x70, 0x00}));                    // rax is not known
  EXPECT_FALSE(run({0x30, 0x2F, 0xFD, 0xFF}));        // skip -3: for ever
  EXPECT_FALSE(run({0x0E, 1, 2}));                    // cut short
  EXPECT_FALSE(run({0x10, 0x80, 0x80}));              // cut short
  EXPECT_FALSE(run(std::vector<uint8_t>(100, 0x31))); // too deep
}

} // namespace
