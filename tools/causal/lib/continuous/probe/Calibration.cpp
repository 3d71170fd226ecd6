//===- Calibration.cpp - How this machine samples -------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/probe/Calibration.h"

#include "lib/continuous/probe/PerfRing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <ctime>

using namespace llvm;

namespace causal::probe {
namespace {

constexpr uint64_t PeriodNs = 100000;
constexpr double LoopNs = 1e8; ///< CPU time in each loop.
constexpr double LeastShare = 0.4;

double threadNs() {
  timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return T.tv_sec * 1e9 + T.tv_nsec;
}

/// The first is the slow instruction, the last the end of the loop.
struct Marks {
  uint64_t At[6];
};

// Each loop has quick instructions around one slow one, whose places it tells.
#define CALIBRATION_LOOP(Function, Slow)                                                           \
  __attribute__((noinline)) void Function(uint64_t Rounds, Marks &M) {                             \
    uint64_t A, B, C, D;                                                                           \
    uint64_t Memory[8] = {};                                                                       \
    asm volatile("leaq 1f(%%rip), %[a]\n leaq 2f(%%rip), %[b]\n leaq 3f(%%rip), %[c]\n"            \
                 "leaq 4f(%%rip), %[d]\n"                                                          \
                 "movl $1, %%eax\n movl $3, %%r8d\n movl $3, %%r9d\n xorl %%edx, %%edx\n"          \
                 ".p2align 5\n 0:\n"                                                               \
                 "leaq 1(%%r8), %%r8\n leaq 1(%%r10), %%r10\n leaq 1(%%r11), %%r11\n"              \
                 "1: " Slow "\n"                                                                   \
                 "2: leaq 1(%%r10), %%r10\n 3: leaq 1(%%r11), %%r11\n 4: leaq 1(%%r8), %%r8\n"     \
                 "leaq 1(%%r10), %%r10\n leaq 1(%%r11), %%r11\n leaq 1(%%r8), %%r8\n"              \
                 "leaq 1(%%r10), %%r10\n leaq 1(%%r11), %%r11\n leaq 1(%%r8), %%r8\n"              \
                 "decq %[n]\n jnz 0b\n"                                                            \
                 : [n] "+r"(Rounds), [a] "=&r"(A), [b] "=&r"(B), [c] "=&r"(C), [d] "=&r"(D)        \
                 : [m] "r"(Memory)                                                                 \
                 : "rax", "rdx", "r8", "r9", "r10", "r11", "xmm0", "memory", "cc");                \
    M = {{A, B, C, D}};                                                                            \
  }
CALIBRATION_LOOP(loopOfRoots, "sqrtsd %%xmm0, %%xmm0")
CALIBRATION_LOOP(loopOfAtomics, "lock addq $1, (%[m])")
CALIBRATION_LOOP(loopOfStoreToLoad, "addq %%r9, (%[m])")
#undef CALIBRATION_LOOP

/// Nanoseconds of a chain of multiplications, each of which takes three cycles on every
/// x86-64 CPU of the last fifteen years.
double multiplicationNs() {
  constexpr uint64_t Rounds = 200000, InRound = 8;
  double Best = 1e9;
  for (int Try = 0; Try < 12; ++Try) {
    uint64_t N = Rounds, X = 3;
    double Begin = threadNs();
    asm volatile("0: imulq %1, %1\n imulq %1, %1\n imulq %1, %1\n imulq %1, %1\n"
                 "imulq %1, %1\n imulq %1, %1\n imulq %1, %1\n imulq %1, %1\n"
                 "decq %0\n jnz 0b"
                 : "+r"(N), "+r"(X)::"cc");
    Best = std::min(Best, (threadNs() - Begin) / (Rounds * InRound));
  }
  return Best;
}

unsigned cacheLines(StringRef Index) {
  auto Text = MemoryBuffer::getFileAsStream(
      ("/sys/devices/system/cpu/cpu0/cache/index" + Index + "/size").str());
  if (!Text)
    return 0;
  unsigned Kilobytes = 0;
  StringRef Size = (*Text)->getBuffer().trim();
  if (!Size.consume_back("K") || Size.getAsInteger(10, Kilobytes))
    return 0;
  return Kilobytes * 16;
}

/// Entries of the first data TLB for pages of 4 KB, from the vendors' manuals.
unsigned dataPages(StringRef CPU) {
  return StringSwitch<unsigned>(CPU)
      .Cases("znver1", "znver2", "znver3", 64)
      .Cases("znver4", "znver5", 72)
      .Cases("alderlake", "raptorlake", "sapphirerapids", "emeraldrapids", "graniterapids", 96)
      .Default(64);
}

Expected<SkidLoop> measure(StringRef Name, void (*Loop)(uint64_t, Marks &)) {
  Expected<PerfRing> Ring = PerfRing::open(cpuTimeEvent(PeriodNs), /*Pid=*/0, /*CPU=*/-1);
  if (!Ring)
    return Ring.takeError();
  Marks M;
  Loop(1, M);
  SkidLoop Result;
  Result.Name = Name.str();
  Result.Behind.assign(3, 0);
  Ring->enable();
  for (double Begin = threadNs(); threadNs() - Begin < LoopNs;)
    Loop(50000, M);
  Ring->disable();
  Ring->drain([&](uint32_t Type, StringRef Record) {
    if (Type != PERF_RECORD_SAMPLE)
      return;
    RecordCursor At(Record);
    At.u64();
    uint64_t PC = At.u64();
    ++Result.Samples;
    for (unsigned I = 0; I < 3; ++I)
      Result.Behind[I] += PC == M.At[I];
  });
  return Result;
}

} // namespace

int skidOf(const std::vector<SkidLoop> &Loops) {
  int Skid = -1;
  for (const SkidLoop &L : Loops) {
    auto Most = std::max_element(L.Behind.begin(), L.Behind.end());
    if (Most == L.Behind.end() || L.Samples < 50 || *Most < LeastShare * L.Samples)
      return -1;
    int Here = Most - L.Behind.begin();
    if (Skid >= 0 && Skid != Here)
      return -1;
    Skid = Here;
  }
  return Skid;
}

cpi::Machine describeMachine() {
  cpi::Machine M;
  M.CPU = sys::getHostCPUName().str();
  M.GHz = 3 / multiplicationNs();
  M.DataLines = cacheLines("0");
  M.CodeLines = cacheLines("1");
  M.DataPages = dataPages(M.CPU);
  return M;
}

Expected<Calibration> calibrate() {
  Calibration C;
  C.On = describeMachine();
  for (auto [Name, Loop] :
       {std::make_pair("square root", loopOfRoots), std::make_pair("atomic add", loopOfAtomics),
        std::make_pair("add to memory", loopOfStoreToLoad)}) {
    Expected<SkidLoop> L = measure(Name, Loop);
    if (!L)
      return L.takeError();
    C.Loops.push_back(std::move(*L));
  }
  C.On.Skid = skidOf(C.Loops);
  return C;
}

} // namespace causal::probe
