//===- Culprits.cpp - Why an instruction takes so long --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/Culprits.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace causal::cpi {
namespace {

/// Fewer addresses of an instruction say nothing about how many there are.
constexpr uint64_t LeastAccesses = 20;
/// A branch that goes one way more often than this is foreseen.
constexpr double OneWay = 0.97;
/// Cycles with which each way behind a branch begins, on average, if it is foreseen badly.
constexpr double LeastWrongPath = 1.5;
/// What a page fault costs at least, where the kernel's time cannot be seen.
constexpr double LeastFaultCycles = 500;
/// A stall of the front end or of a wrong path is longer than this, in cycles.
constexpr double LeastDynamic = 1.0;

template <typename... Ts> std::string text(const char *Format, Ts... Values) {
  std::string S;
  raw_string_ostream OS(S);
  OS << format(Format, Values...);
  return OS.str();
}

class Tests {
public:
  explicit Tests(const StallContext &C)
      : C(C), Block(C.P.Blocks[C.At.Block]), I(C.P.at(C.At)), Access(accessor()) {}

  std::vector<Culprit> run() {
    testStatic();
    for (Culprit &K : All)
      K.Foreseen = true;
    testDivision();
    testDataCache();
    testDataTLB();
    testBranch();
    testCodeCache();
    testStoreBuffer();
    testAtomic();
    testSharing();
    testPageFaults();
    return std::move(All);
  }

private:
  void add(Cause What, Verdict Is, std::string Test) {
    All.push_back({What, Is, std::move(Test), 0, 0, false});
  }

  /// The instruction whose data are waited for. A compare is one with the branch behind it.
  const Instruction *accessor() const {
    if (I.Load || I.Store)
      return &I;
    if (I.Branch && I.Conditional && C.At.Index) {
      const Instruction &Before = Block.Instructions[C.At.Index - 1];
      if (Before.Load)
        return &Before;
    }
    return nullptr;
  }
  const AccessFacts *facts() const {
    if (!Access)
      return nullptr;
    auto Known = C.Seen.Accesses.find(Access->Address);
    return Known == C.Seen.Accesses.end() || Known->second.Samples < LeastAccesses ? nullptr
                                                                                   : &Known->second;
  }

  void testStatic() {
    const InstructionCost &Cost = C.Cost.Instructions[C.At.Index];
    switch (Cost.Cause) {
    case StaticCause::None:
      break;
    case StaticCause::Dependence: {
      const Instruction &Feeder = Block.Instructions[Cost.Feeder];
      add(Cause::Dependence, Verdict::Found,
          text("the model waits %.1f cycles for the result of 0x%llx", Cost.Cycles,
               (unsigned long long)Feeder.Address));
      break;
    }
    case StaticCause::Port:
      add(Cause::Port, Verdict::Found,
          text("the model waits %.1f cycles for %s", Cost.Cycles, Cost.Resource.c_str()));
      break;
    case StaticCause::Unit:
      add(Cause::Unit, Verdict::Found,
          text("the model holds %s for %.1f cycles", Cost.Resource.c_str(), Cost.Cycles));
      break;
    }
  }

  /// Models differ in what they know of the unit that divides: one that does not foresee its
  /// occupation is no proof that there is none.
  void testDivision() {
    if (!I.Divides || C.Cost.Instructions[C.At.Index].Cause == StaticCause::Unit)
      return;
    const InstructionCost &Cost = C.Cost.Instructions[C.At.Index];
    unsigned Divisions =
        count_if(Block.Instructions, [](const Instruction &Other) { return Other.Divides; });
    double Stalled = C.Cycles - C.Kernel;
    if (Stalled > 2.0 * std::max(1u, Cost.Latency))
      return add(Cause::Unit, Verdict::RuledOut,
                 text("%.1f cycles are more than the unit is held by it", Stalled));
    add(Cause::Unit, Verdict::Found,
        text("no CPU pipelines division and roots fully, and %u of them are in this block",
             Divisions));
  }

  void testDataCache() {
    // A store leaves the core without waiting for its line; what it fills is the store buffer.
    if (!Access || !Access->Load)
      return;
    if (Access->Memory && Access->Memory->isFixed())
      return add(Cause::DataCache, Verdict::RuledOut, "its address is fixed");
    const AccessFacts *F = facts();
    if (!F || !C.Seen.On.DataLines)
      return add(Cause::DataCache, Verdict::Possible, "too few of its addresses are known");
    double Lines = F->Lines.estimate();
    bool Fits = Lines <= C.Seen.On.DataLines;
    add(Cause::DataCache, Fits ? Verdict::RuledOut : Verdict::Found,
        text("touches about %.0f lines, and the cache has %u", Lines, C.Seen.On.DataLines));
  }

  void testDataTLB() {
    if (!Access || !Access->Load)
      return;
    if (Access->Memory && Access->Memory->isFixed())
      return add(Cause::DataTLB, Verdict::RuledOut, "its address is fixed");
    const AccessFacts *F = facts();
    if (!F || !C.Seen.On.DataPages)
      return add(Cause::DataTLB, Verdict::Possible, "too few of its addresses are known");
    double Pages = F->Pages.estimate();
    bool Fits = Pages <= C.Seen.On.DataPages;
    add(Cause::DataTLB, Fits ? Verdict::RuledOut : Verdict::Found,
        text("touches about %.0f pages, and the TLB has %u", Pages, C.Seen.On.DataPages));
  }

  void testBranch() {
    if (!I.Branch || (!I.Conditional && !I.Indirect))
      return;
    const auto &Edges = C.How.Edge[C.At.Block];
    const auto &Grades = C.How.EdgeGrade[C.At.Block];
    double Sum = 0, Largest = 0;
    bool Known = !Edges.empty();
    for (unsigned E = 0; E < Edges.size(); ++E) {
      Sum += Edges[E];
      Largest = std::max(Largest, Edges[E]);
      Known &= Grades[E] != Grade::Low;
    }
    if (!Known || Sum <= 0)
      return add(Cause::Branch, Verdict::Possible, "how often it goes which way was not counted");
    double Bias = Largest / Sum;
    if (Bias >= OneWay)
      return add(Cause::Branch, Verdict::RuledOut,
                 text("it goes the same way %.1f %% of the time", 100 * Bias));
    // Behind a wrong guess both ways begin with a wait.
    double Shifted = C.Samples.Shifted[C.At.Block][C.At.Index];
    double CyclesPerSample = Shifted > 0 ? C.Cycles * C.How.Block[C.At.Block] / Shifted : 0;
    unsigned Ways = 0, Waits = 0;
    for (unsigned S = 0; S < Block.Successors.size(); ++S) {
      if (Edges[S] < (1 - OneWay) * Sum)
        continue;
      ++Ways;
      unsigned To = Block.Successors[S];
      const std::vector<double> &Raw = C.Samples.Raw[To];
      double Executions = C.How.Block[To];
      Waits +=
          !Raw.empty() && Executions > 0 && Raw[0] * CyclesPerSample / Executions >= LeastWrongPath;
    }
    bool Signature = Ways > 1 && Waits == Ways;
    const AccessFacts *F = facts();
    bool WaitsForData = Access && (!F || F->Lines.estimate() > C.Seen.On.DataLines);
    if (Signature && !WaitsForData)
      add(Cause::Branch, Verdict::Found,
          text("it goes either way (%.0f %% one), and both ways begin with a wait", 100 * Bias));
    else if (Signature)
      add(Cause::Branch, Verdict::Possible,
          text("it goes either way (%.0f %% one), and it also waits for data", 100 * Bias));
    else
      add(Cause::Branch, Verdict::RuledOut, "not every way that it goes begins with a wait");
  }

  void testCodeCache() {
    bool EndsBlock = C.At.Index + 1 == Block.Instructions.size();
    if (!EndsBlock && !I.Call && !(C.At.Block == 0 && C.At.Index == 0))
      return;
    if (!C.Seen.Probed || !C.Seen.On.CodeLines)
      return add(Cause::CodeCache, Verdict::Possible, "how much code is run is not known");
    double Lines = C.Seen.Code.estimate();
    if (Lines <= C.Seen.On.CodeLines)
      return add(Cause::CodeCache, Verdict::RuledOut,
                 text("about %.0f lines of code are run, and the cache has %u", Lines,
                      C.Seen.On.CodeLines));
    bool Self = is_contained(Block.Successors, C.At.Block);
    if (Self)
      return add(Cause::CodeCache, Verdict::RuledOut, "the loop stays in its lines");
    // Of a branch that can be foreseen nothing but the code can be late.
    double Sum = 0, Largest = 0;
    for (double E : C.How.Edge[C.At.Block]) {
      Sum += E;
      Largest = std::max(Largest, E);
    }
    bool Foreseen = !I.Conditional || (Sum > 0 && Largest / Sum >= OneWay);
    add(Cause::CodeCache, Foreseen ? Verdict::Found : Verdict::Possible,
        text("about %.0f lines of code are run, and the cache has %u", Lines, C.Seen.On.CodeLines));
  }

  void testStoreBuffer() {
    if (!I.Store || I.Locked)
      return;
    if (I.Memory && I.Memory->isFixed())
      return add(Cause::StoreBuffer, Verdict::RuledOut, "its address is fixed");
    const AccessFacts *F = facts();
    if (!F || !C.Seen.On.DataLines)
      return add(Cause::StoreBuffer, Verdict::Possible, "too few of its addresses are known");
    double Lines = F->Lines.estimate();
    bool Fits = Lines <= C.Seen.On.DataLines;
    add(Cause::StoreBuffer, Fits ? Verdict::RuledOut : Verdict::Found,
        text("stores to about %.0f lines, and the cache has %u", Lines, C.Seen.On.DataLines));
  }

  void testAtomic() {
    if (I.Locked)
      add(Cause::Atomic, Verdict::Found, "it is one");
  }

  void testSharing() {
    if (!Access || (Access->Memory && Access->Memory->PCRelative && !C.Seen.Probed))
      return;
    const AccessFacts *F = facts();
    if (!F) {
      if (C.Seen.Probed)
        return;
      if (!(Access->Memory && Access->Memory->isFixed())) {
        add(Cause::TrueSharing, Verdict::Possible, "too few of its addresses are known");
        add(Cause::FalseSharing, Verdict::Possible, "too few of its addresses are known");
      }
      return;
    }
    auto Test = [&](Cause What, uint64_t N, const char *Bytes) {
      bool Shares = N >= LeastAccesses / 2 && N * 10 >= F->Samples;
      add(What, Shares ? Verdict::Found : Verdict::RuledOut,
          text("%.0f %% of its accesses are to lines of which another thread uses %s",
               100.0 * N / F->Samples, Bytes));
    };
    Test(Cause::TrueSharing, F->SharedSame, "the same bytes");
    Test(Cause::FalseSharing, F->SharedOther, "other bytes");
  }

  void testPageFaults() {
    if (!C.Seen.Probed || !Access)
      return;
    auto Known = C.Seen.Faults.find(Access->Address);
    double N = Known == C.Seen.Faults.end() ? 0 : Known->second;
    double Executions = C.How.Block[C.At.Block];
    double Cost = C.Seen.KernelSeen ? C.Kernel : N * LeastFaultCycles / std::max(Executions, 1.0);
    if (N < 10 || Executions <= 0 || Cost < 0.1 * C.Cycles)
      return add(Cause::PageFault, Verdict::RuledOut,
                 text("%.0f page faults, which cost %.1f cycles an execution", N, Cost));
    add(Cause::PageFault, Verdict::Found,
        text("%.0f page faults, one in %.0f executions%s", N, Executions / N,
             C.Seen.KernelSeen ? "" : "; what they cost in the kernel was not allowed to be seen"));
    if (C.Seen.KernelSeen)
      All.back().Low = All.back().High = C.Kernel;
  }

  const StallContext &C;
  const BasicBlock &Block;
  const Instruction &I;
  const Instruction *Access;
  std::vector<Culprit> All;
};

/// Not a share of what the core waits for.
bool isApart(const StallContext &C, const Culprit &K) {
  return K.What == Cause::PageFault && C.Seen.KernelSeen;
}

} // namespace

char letterOf(Cause C) {
  switch (C) {
#define CAUSAL_CPI_CAUSE(Name, Letter, Text)                                                       \
  case Cause::Name:                                                                                \
    return Letter;
    CAUSAL_CPI_CAUSES(CAUSAL_CPI_CAUSE)
#undef CAUSAL_CPI_CAUSE
  }
  llvm_unreachable("not a cause");
}

StringRef textOf(Cause C) {
  switch (C) {
#define CAUSAL_CPI_CAUSE(Name, Letter, Text)                                                       \
  case Cause::Name:                                                                                \
    return Text;
    CAUSAL_CPI_CAUSES(CAUSAL_CPI_CAUSE)
#undef CAUSAL_CPI_CAUSE
  }
  llvm_unreachable("not a cause");
}

Stall explain(const StallContext &C) {
  const InstructionCost &Cost = C.Cost.Instructions[C.At.Index];
  Stall S;
  // Time in the kernel is no wait of the core's.
  double OfCore = std::max(0.0, C.Cycles - C.Kernel - 1.0 / C.Width);
  S.Cycles = OfCore + C.Kernel;
  S.Error = C.Error;
  S.Static = std::min(OfCore, std::max(0.0, Cost.Cycles - 1.0 / C.Width));
  if (S.isNoise())
    return S;
  double Dynamic = OfCore - S.Static;
  // The model's cycles are not exact either: what is left of them is no stall of its own.
  bool HasDynamic = Dynamic > std::max({LeastDynamic, 3 * S.Error, 0.25 * S.Static});
  S.Culprits = Tests(C).run();
  unsigned Alive = 0, Found = 0;
  bool StaticFound = false, KernelFound = false;
  for (Culprit &K : S.Culprits) {
    if (isApart(C, K)) {
      KernelFound |= K.Is == Verdict::Found;
      continue;
    }
    if (K.Foreseen) {
      StaticFound = true;
      K.High = HasDynamic ? S.Static : OfCore;
      continue;
    }
    // Without a stall beyond the model's there is nothing to have caused.
    if (!HasDynamic && K.Is != Verdict::RuledOut) {
      K.Is = Verdict::RuledOut;
      K.Test = text("the model's %.1f cycles are all there is", Cost.Cycles);
    }
    if (K.Is == Verdict::RuledOut)
      continue;
    ++Alive;
    Found += K.Is == Verdict::Found;
    K.High = Dynamic;
  }
  double DynamicRest = HasDynamic ? Dynamic : 0;
  double KernelRest = KernelFound ? 0 : C.Kernel;
  double StaticRest = StaticFound ? 0 : OfCore - DynamicRest;
  for (Culprit &K : S.Culprits) {
    if (isApart(C, K))
      continue;
    if (K.Foreseen)
      K.Low = HasDynamic ? 0 : std::max(0.0, OfCore - 2 * S.Error);
    else if (K.Is == Verdict::Found && Alive == 1)
      K.Low = std::max(0.0, Dynamic - 2 * S.Error);
  }
  S.UnexplainedLow = KernelRest + StaticRest + (Alive ? 0 : DynamicRest);
  S.UnexplainedHigh = KernelRest + StaticRest + (Found ? 0 : DynamicRest);
  return S;
}

} // namespace causal::cpi
