//===- UnwindTest.cpp - The stepper against libgcc's unwinder ----------- ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample is taken at every single instruction of a call (the processor's trap
// flag), and the stepper's whole chain of callers compared with that of
// _Unwind_Backtrace. So nothing here depends on time.
//
//===----------------------------------------------------------------------===//
#include "SteppedCalls.h"
#include "code/causal_unwind.h"

#include "gtest/gtest.h"

#include <csignal>
#include <cstddef>
#include <dlfcn.h>
#include <pthread.h>
#include <ucontext.h>
#include <unwind.h>

using namespace __causal;

namespace {

constexpr int MaxFrames = 100;
constexpr greg_t TrapFlag = 0x100;

struct Chain {
  uintptr_t PCs[MaxFrames];
  int Count = 0;

  void add(uintptr_t PC) {
    if (Count != MaxFrames)
      PCs[Count++] = PC;
  }
};

/// What is known about the run; the handler reads and writes it.
struct {
  UnwindCache *Cache;
  uintptr_t StackLow, StackHigh;
  bool Stepping;
  long Samples, Wrong, CutShort, Shallow;
  Chain Expected, Actual;
} State;

UnwindCache TheCache;

Chain stepAll(UnwindRegisters R) {
  Chain C;
  do
    C.add(R.PC);
  while (unwindStep(R, State.StackLow, State.StackHigh, *State.Cache));
  return C;
}

/// libgcc's chain, from the frame that the signal interrupted.
Chain oracle(uintptr_t Interrupted) {
  struct Walk {
    Chain C;
    uintptr_t Interrupted;
  } W = {{}, Interrupted};
  _Unwind_Backtrace(
      [](_Unwind_Context *Context, void *Argument) {
        Walk &W = *static_cast<Walk *>(Argument);
        uintptr_t PC = _Unwind_GetIP(Context);
        if (W.C.Count || PC == W.Interrupted)
          if (PC)
            W.C.add(PC);
        return _URC_NO_REASON;
      },
      &W);
  return W.C;
}

void onTrap(int, siginfo_t *Info, void *Context) {
  auto &U = *static_cast<ucontext_t *>(Context);
  if (Info->si_code == SI_KERNEL) { // int3: stepping begins or ends.
    State.Stepping = !State.Stepping;
    greg_t &Flags = U.uc_mcontext.gregs[REG_EFL];
    Flags = State.Stepping ? Flags | TrapFlag : Flags & ~TrapFlag;
  }
  Chain Actual = stepAll(UnwindRegisters(U));
  Chain Expected = oracle(Actual.PCs[0]);
  ++State.Samples;
  // Down to main and what started it, or the oracle itself is lost.
  State.Shallow += Expected.Count < 5;
  bool Same = Actual.Count <= Expected.Count;
  for (int I = 0; Same && I != Actual.Count; ++I)
    Same = Actual.PCs[I] == Expected.PCs[I];
  if (Same && Actual.Count == Expected.Count)
    return;
  if (!(Same ? State.CutShort : State.Wrong)++) {
    State.Actual = Actual;
    State.Expected = Expected;
  }
}

std::string describe(const Chain &C) {
  std::string Text;
  for (int I = 0; I != C.Count; ++I) {
    Dl_info Info = {};
    dladdr(reinterpret_cast<void *>(C.PCs[I]), &Info);
    char Line[300];
    snprintf(Line, sizeof(Line), "  %#lx %s %s+%#lx\n", C.PCs[I],
             Info.dli_fname ? Info.dli_fname : "?", Info.dli_sname ? Info.dli_sname : "?",
             C.PCs[I] -
                 reinterpret_cast<uintptr_t>(Info.dli_sname ? Info.dli_saddr : Info.dli_fbase));
    Text += Line;
  }
  return Text;
}

struct Call {
  const char *Name;
  void (*Function)();
};
void PrintTo(const Call &C, std::ostream *Out) { *Out << C.Name; }

/// Parameters: what is stepped, and whether images are found by _dl_find_object
/// or in the stepper's own table.
struct UnwindTest : testing::TestWithParam<std::tuple<Call, bool>> {
  struct sigaction OldTrap;

  void SetUp() override {
    pthread_attr_t Attributes;
    ASSERT_EQ(pthread_getattr_np(pthread_self(), &Attributes), 0);
    void *Low;
    size_t Size;
    pthread_attr_getstack(&Attributes, &Low, &Size);
    pthread_attr_destroy(&Attributes);
    State = {};
    State.Cache = &TheCache;
    State.StackLow = reinterpret_cast<uintptr_t>(Low);
    State.StackHigh = State.StackLow + Size;
    void *FindObject = nullptr;
    if (std::get<1>(GetParam())) {
      FindObject = dlsym(RTLD_DEFAULT, "_dl_find_object");
      if (!FindObject)
        GTEST_SKIP() << "this libc has no _dl_find_object";
    }
    unwindSetFindObject(FindObject);
    unwindRefreshModules();
    struct sigaction Action = {};
    Action.sa_sigaction = onTrap;
    Action.sa_flags = SA_SIGINFO;
    ASSERT_EQ(sigaction(SIGTRAP, &Action, &OldTrap), 0);
  }

  void TearDown() override { sigaction(SIGTRAP, &OldTrap, nullptr); }
};

TEST_P(UnwindTest, AgreesAtEveryInstruction) {
  void (*volatile Function)() = std::get<0>(GetParam()).Function;
  asm volatile("int3" ::: "memory");
  Function();
  asm volatile("int3" ::: "memory");
  ASSERT_FALSE(State.Stepping);
  EXPECT_GT(State.Samples, 30);
  EXPECT_EQ(State.Shallow, 0);
  RecordProperty("samples", static_cast<int>(State.Samples));
  EXPECT_EQ(State.Wrong, 0) << "of " << State.Samples << " samples; the first:\nstepper\n"
                            << describe(State.Actual) << "libgcc\n"
                            << describe(State.Expected);
}

#define CALL(Name)                                                                                 \
  Call { #Name, stepped::Name }
INSTANTIATE_TEST_SUITE_P(
    Calls, UnwindTest,
    testing::Combine(testing::Values(CALL(copyAndLength), CALL(sortWithCallback), CALL(format),
                                     CALL(allocate), CALL(parseNumber), CALL(lockAndUnlock),
                                     CALL(readClock), CALL(bindLazily), CALL(signalWithinSort),
                                     CALL(throwAndCatch), CALL(unusualFrames)),
                     testing::Bool()),
    [](const auto &Info) {
      return std::string(std::get<0>(Info.param).Name) +
             (std::get<1>(Info.param) ? "FindObject" : "Table");
    });

} // namespace
