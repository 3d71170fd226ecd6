//===- ProcessorModel.cpp - What a block costs at best --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/ProcessorModel.h"

#include "lib/continuous/cpi/DecoderTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MCA/Context.h"
#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/MCA/HWEventListener.h"
#include "llvm/MCA/InstrBuilder.h"
#include "llvm/MCA/Pipeline.h"
#include "llvm/MCA/SourceMgr.h"
#include "llvm/MCA/Support.h"

using namespace llvm;

namespace causal::cpi {
namespace {

/// Iterations until a block runs as it always will, and how many are looked at then.
constexpr unsigned WarmUp = 12, Looked = 8;
/// A resource held this long by one instruction is a unit that is not pipelined.
constexpr unsigned UnpipelinedCycles = 3;

/// Cycles in which each instruction of the run entered a stage.
struct Stages : mca::HWEventListener {
  struct Times {
    unsigned Dispatched = 0, Ready = 0, Issued = 0, Executed = 0, Retired = 0;
  };
  explicit Stages(size_t Size) : At(Size) {}
  void onCycleEnd() override { ++Cycle; }
  void onEvent(const mca::HWInstructionEvent &E) override {
    unsigned Index = E.IR.getSourceIndex();
    if (Index >= At.size())
      return;
    Times &T = At[Index];
    switch (E.Type) {
    case mca::HWInstructionEvent::Dispatched:
      T.Dispatched = Cycle;
      break;
    case mca::HWInstructionEvent::Ready:
      T.Ready = Cycle;
      break;
    case mca::HWInstructionEvent::Issued:
      T.Issued = Cycle;
      break;
    case mca::HWInstructionEvent::Executed:
      T.Executed = Cycle;
      break;
    case mca::HWInstructionEvent::Retired:
      T.Retired = Cycle;
      break;
    default:
      break;
    }
  }
  std::vector<Times> At;
  unsigned Cycle = 0;
};

class Scheduler {
public:
  Scheduler(const Decoder::Target &T)
      : T(T), Manager(*T.Subtarget, *T.Instructions), Context(*T.Registers, *T.Subtarget),
        Builder(*T.Subtarget, *T.Instructions, *T.Registers, T.Analysis.get(), Manager,
                /*CallLatency=*/1) {}

  /// False for an instruction that the CPU's model does not have.
  bool add(const MCInst &Code) {
    SmallVector<mca::Instrument *> None;
    Expected<std::unique_ptr<mca::Instruction>> I = Builder.createInstruction(Code, None);
    if (!I) {
      handleAllErrors(I.takeError(), [](const ErrorInfoBase &) {});
      return false;
    }
    Lowered.push_back(std::move(*I));
    return true;
  }
  size_t size() const { return Lowered.size(); }
  const mca::Instruction &operator[](size_t I) const { return *Lowered[I]; }

  /// Cycles of so many executions, one behind the other.
  unsigned run(unsigned Iterations, Stages *Listener = nullptr) {
    mca::PipelineOptions Options(0, 0, 0, 0, 0, 0, /*NoAlias=*/true,
                                 /*ShouldEnableBottleneckAnalysis=*/false);
    mca::CircularSourceMgr Source(Lowered, Iterations);
    mca::CustomBehaviour Behaviour(*T.Subtarget, Source, *T.Instructions);
    auto Pipeline = Context.createDefaultPipeline(Options, Source, Behaviour);
    if (Listener)
      Pipeline->addEventListener(Listener);
    Expected<unsigned> Cycles = Pipeline->run();
    if (Cycles)
      return *Cycles;
    consumeError(Cycles.takeError());
    return 0;
  }

  /// What units and width allow, whatever depends on what.
  double unboundThroughput() const {
    const MCSchedModel &SM = T.Subtarget->getSchedModel();
    SmallVector<uint64_t, 32> Masks(SM.getNumProcResourceKinds());
    mca::computeProcResourceMasks(SM, Masks);
    SmallVector<unsigned, 32> Usage(SM.getNumProcResourceKinds());
    unsigned MicroOps = 0;
    for (const auto &I : Lowered) {
      MicroOps += I->getNumMicroOps();
      for (const auto &[Mask, Use] : I->getDesc().Resources)
        for (unsigned R = 1; R < Masks.size(); ++R)
          if (Masks[R] == Mask)
            Usage[R] += Use.size();
    }
    return mca::computeBlockRThroughput(SM, SM.IssueWidth, MicroOps, Usage);
  }

  /// The resource that the instruction holds longest.
  std::pair<StringRef, unsigned> mainResource(size_t Index) const {
    const MCSchedModel &SM = T.Subtarget->getSchedModel();
    SmallVector<uint64_t, 32> Masks(SM.getNumProcResourceKinds());
    mca::computeProcResourceMasks(SM, Masks);
    std::pair<StringRef, unsigned> Longest{"", 0};
    for (const auto &[Mask, Use] : Lowered[Index]->getDesc().Resources)
      for (unsigned R = 1; R < Masks.size(); ++R)
        if (Masks[R] == Mask && Use.size() > Longest.second)
          Longest = {SM.getProcResource(R)->Name, Use.size()};
    return Longest;
  }

private:
  const Decoder::Target &T;
  mca::InstrumentManager Manager;
  mca::Context Context;
  mca::InstrBuilder Builder;
  std::vector<std::unique_ptr<mca::Instruction>> Lowered;
};

/// For each register that \p Index reads, the last instruction before it that wrote it; around
/// the loop if it repeats.
SmallVector<unsigned, 4> feedersOf(const BasicBlock &Block, unsigned Index, bool Repeats,
                                   const Decoder::Target &T) {
  const Instruction &Reader = Block.Instructions[Index];
  const MCInstrDesc &Reads = T.Instructions->get(Reader.Code.getOpcode());
  SmallVector<MCRegister, 8> Used;
  for (MCPhysReg R : Reads.implicit_uses())
    Used.push_back(R);
  for (unsigned O = Reads.getNumDefs(); O < Reader.Code.getNumOperands(); ++O)
    if (Reader.Code.getOperand(O).isReg() && Reader.Code.getOperand(O).getReg())
      Used.push_back(Reader.Code.getOperand(O).getReg());
  unsigned N = Block.Instructions.size();
  auto Writes = [&](unsigned Candidate, MCRegister U) {
    const MCInst &Code = Block.Instructions[Candidate].Code;
    const MCInstrDesc &Description = T.Instructions->get(Code.getOpcode());
    if (any_of(Description.implicit_defs(),
               [&](MCPhysReg D) { return T.Registers->regsOverlap(D, U); }))
      return true;
    for (unsigned O = 0; O < Description.getNumDefs(); ++O)
      if (Code.getOperand(O).isReg() && Code.getOperand(O).getReg() &&
          T.Registers->regsOverlap(Code.getOperand(O).getReg(), U))
        return true;
    return false;
  };
  SmallVector<unsigned, 4> Feeders;
  for (MCRegister U : Used)
    for (unsigned Back = 1; Back <= (Repeats ? N : Index); ++Back)
      if (unsigned Candidate = (Index + N - Back) % N; Writes(Candidate, U)) {
        Feeders.push_back(Candidate);
        break;
      }
  return Feeders;
}

} // namespace

unsigned ProcessorModel::width() const {
  return std::max(1u, D.target().Subtarget->getSchedModel().IssueWidth);
}

BlockCost ProcessorModel::costOf(const BasicBlock &Block, bool Repeats) const {
  BlockCost Cost;
  Cost.Instructions.resize(Block.Instructions.size());
  Scheduler Run(D.target());
  std::vector<unsigned> Place;
  for (unsigned I = 0; I < Block.Instructions.size(); ++I)
    if (Block.Instructions[I].Call || Block.Instructions[I].Return) {
      // What is behind them is another procedure's.
      Cost.Instructions[I].Cycles = 1.0 / width();
    } else if (Run.add(Block.Instructions[I].Code)) {
      Cost.Instructions[I].Modelled = true;
      Place.push_back(I);
    } else {
      ++Cost.Unmodelled;
    }
  unsigned N = Run.size();
  if (!N)
    return Cost;
  Cost.Latency = Run.run(1);
  Stages S((WarmUp + Looked) * size_t(N));
  Run.run(WarmUp + Looked, &S);
  unsigned First = WarmUp * N;
  auto RetiredAt = [&](unsigned Index) { return Index ? S.At[Index - 1].Retired : 0; };
  double Steady = (double(S.At.back().Retired) - RetiredAt(First)) / Looked;
  Cost.BestCase = Repeats ? Steady : std::min(Steady, Run.unboundThroughput());
  // Without repetition only what one pass waits for is the block's own.
  Stages Once(N);
  if (!Repeats)
    Run.run(1, &Once);
  for (unsigned J = 0; J < N; ++J) {
    InstructionCost &I = Cost.Instructions[Place[J]];
    double Waited = 0, Queued = 0;
    if (Repeats) {
      for (unsigned K = 0; K < Looked; ++K) {
        unsigned X = First + K * N + J;
        I.Cycles += double(S.At[X].Retired) - RetiredAt(X);
        Waited += double(S.At[X].Ready) - S.At[X].Dispatched;
        Queued += double(S.At[X].Issued) - S.At[X].Ready;
      }
      I.Cycles /= Looked;
      Waited /= Looked;
      Queued /= Looked;
    } else {
      const Stages::Times &T = Once.At[J];
      I.Cycles = J ? double(T.Retired) - Once.At[J - 1].Retired : 1.0 / width();
      Waited = double(T.Ready) - T.Dispatched;
      Queued = double(T.Issued) - T.Ready;
    }
    I.Latency = Run[J].getLatency();
    if (I.Cycles < 1)
      continue;
    // What has all that it needs and does not run lacks a unit. How long it waited before is
    // another's fault.
    if (Queued > 1) {
      auto [Resource, Held] = Run.mainResource(J);
      I.Cause = Held >= UnpipelinedCycles ? StaticCause::Unit : StaticCause::Port;
      I.Resource = Resource.str();
    } else if (Waited >= 1) {
      // The one whose result came last.
      unsigned Latest = 0;
      for (unsigned Feeder : feedersOf(Block, Place[J], Repeats, D.target())) {
        auto Known = find(Place, Feeder);
        if (Known == Place.end())
          continue;
        unsigned F = Known - Place.begin();
        unsigned Done = Repeats ? S.At[First + N + J - (F < J ? J - F : N + J - F)].Executed
                                : Once.At[F].Executed;
        if (I.Feeder < 0 || Done > Latest) {
          I.Feeder = Feeder;
          Latest = Done;
        }
      }
      if (I.Feeder >= 0)
        I.Cause = StaticCause::Dependence;
    }
  }
  return Cost;
}

} // namespace causal::cpi
