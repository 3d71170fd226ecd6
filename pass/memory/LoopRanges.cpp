//===- LoopRanges.cpp - Checks of loops as ranges -------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LoopRanges.h.
//
//===----------------------------------------------------------------------===//
#include "memory/LoopRanges.h"

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <map>

using namespace llvm;

namespace causal {
namespace {

/// An access that may be moved out of the loop.
struct Candidate {
  unsigned Index;
  const SCEV *Begin = nullptr; ///< Null: the address is invariant.
  int64_t Stride = 0;
  uint64_t Width = 0;  ///< Bytes from Begin on in each round.
  bool InTile = false; ///< The first of its tile stands for it.
};

class LoopHoister {
public:
  LoopHoister(Loop &L, LoopAnalyses &LA, SCEVExpander &Expander,
              std::vector<MemoryAccess> &Accesses, const AccessIndex &Index, uint64_t CellSize)
      : L(L), DT(LA.DT), SE(LA.SE), AA(LA.AA), Expander(Expander), Accesses(Accesses), Index(Index),
        CellSize(CellSize) {}

  void run(std::vector<HoistedCheck> &Out) {
    if (!L.getLoopPreheader() || !L.getLoopLatch() || mayMeetOthers())
      return;
    findCandidates();
    dropHazards();
    joinTiles();
    emit(Out);
  }

private:
  bool mayMeetOthers() const {
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB) {
        if (maySynchronise(I) || isa<MemIntrinsic>(I) || I.mayThrow())
          return true;
        if (auto *II = dyn_cast<IntrinsicInst>(&I); II && isMaskedOrVariadic(*II))
          return true;
      }
    return false;
  }

  void findCandidates() {
    SmallVector<BasicBlock *, 4> Exiting;
    L.getExitingBlocks(Exiting);
    BasicBlock *Latch = L.getLoopLatch();
    // With the latch as the only way out every round is a whole one.
    if (L.getExitingBlock() == Latch) {
      const SCEV *BackEdges = SE.getBackedgeTakenCount(&L);
      if (!isa<SCEVCouldNotCompute>(BackEdges) && SE.getTypeSizeInBits(BackEdges->getType()) <= 64)
        Rounds = SE.getNoopOrZeroExtend(BackEdges, i64());
    }
    for (BasicBlock *BB : L.blocks()) {
      bool Always = DT.dominates(BB, Latch) &&
                    all_of(Exiting, [&](BasicBlock *E) { return DT.dominates(BB, E); });
      for (Instruction &I : *BB) {
        auto It = Index.find(&I);
        if (It == Index.end())
          continue;
        MemoryAccess &A = Accesses[It->second];
        (A.isStore() ? Writes : Reads).push_back(It->second);
        if (Always && !A.Dropped)
          addCandidate(It->second);
      }
    }
  }

  void addCandidate(unsigned I) {
    MemoryAccess &A = Accesses[I];
    if (L.isLoopInvariant(A.Pointer)) {
      Candidates.push_back({I});
      return;
    }
    const auto *AR = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(A.Pointer));
    if (!Rounds || !AR || AR->getLoop() != &L || !AR->isAffine())
      return;
    const auto *Step = dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE));
    if (!Step || Step->getAPInt().getSignificantBits() > 32 || Step->isZero())
      return;
    Candidate C{I};
    C.Begin = AR->getStart();
    C.Stride = Step->getAPInt().getSExtValue();
    C.Width = A.Size;
    Candidates.push_back(C);
  }

  MemoryLocation wholeObject(const MemoryAccess &A) const {
    return MemoryLocation(A.Pointer, LocationSize::beforeOrAfterPointer());
  }

  bool beginsCell(const MemoryAccess &A) const {
    const Value *Object = getUnderlyingObject(A.Pointer);
    if (const auto *Call = dyn_cast<CallBase>(Object))
      if (const Function *F = Call->getCalledFunction(); F && isNoAliasCall(Object))
        return is_contained({"malloc", "calloc", "realloc", "_Znwm", "_Znam"}, F->getName());
    const DataLayout &DL = A.I->getModule()->getDataLayout();
    return isIdentifiedObject(Object) && Object->getPointerAlignment(DL).value() >= CellSize;
  }

  /// Whether no cell is touched by both, whatever the round.
  bool shareNoCell(const MemoryAccess &A, const MemoryAccess &B) const {
    if (!AA.isNoAlias(wholeObject(A), wholeObject(B)))
      return false;
    bool BothFill = A.fillsCells(CellSize) && B.fillsCells(CellSize);
    return BothFill || (beginsCell(A) && beginsCell(B));
  }

  /// How far two accesses are to be apart so that they share no cell.
  int64_t reach(const MemoryAccess &First, const MemoryAccess &Second) const {
    bool BothFill = First.fillsCells(CellSize) && Second.fillsCells(CellSize);
    return static_cast<int64_t>(First.Size) + (BothFill ? 0 : static_cast<int64_t>(CellSize) - 1);
  }

  /// Whether the read may find a cell that the write wrote before it: in an earlier round,
  /// or earlier in its own.
  bool mayReadWritten(const MemoryAccess &R, const MemoryAccess &W) const {
    if (shareNoCell(R, W))
      return false;
    const SCEV *SR = SE.getSCEV(R.Pointer), *SW = SE.getSCEV(W.Pointer);
    const auto *AR = dyn_cast<SCEVAddRecExpr>(SR), *AW = dyn_cast<SCEVAddRecExpr>(SW);
    if (!AR || !AW || AR->getLoop() != &L || AW->getLoop() != &L || !AR->isAffine() ||
        !AW->isAffine() || AR->getStepRecurrence(SE) != AW->getStepRecurrence(SE))
      return true;
    const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(SR, SW));
    const auto *Step = dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE));
    if (!Distance || !Step || Distance->getAPInt().getSignificantBits() > 63)
      return true;
    int64_t D = Distance->getAPInt().getSExtValue();
    // The same cells in the same round: each is read before it is written, also if
    // neighbours in it are touched in later rounds.
    if (D == 0)
      return R.Size != W.Size || !DT.dominates(R.I, W.I);
    if (Step->getAPInt().getSignificantBits() > 32 ||
        Distance->getAPInt().getSignificantBits() > 48)
      return true;
    int64_t S = Step->getAPInt().getSExtValue(), Up = reach(W, R), Down = reach(R, W);
    if (S < 0) {
      S = -S;
      D = -D;
      std::swap(Up, Down);
    }
    // D is how far the read is ahead of what was written K rounds before it, from K = 0 on, or
    // from 1 on where the read comes first in its round: it grows by S a round, and must pass
    // from out of reach below to out of reach above.
    if (DT.dominates(R.I, W.I))
      D += S;
    if (D <= -Down)
      D += (-Down - D) / S * S + S;
    return D < Up;
  }

  /// An address that does not change is written in the first round, before the later
  /// ones read it.
  bool isKept(unsigned I, const std::vector<bool> &Moves) const {
    const MemoryAccess &A = Accesses[I];
    bool Reads = !A.isStore(), Writes = A.isStore() || A.Kind == AccessKind::Modify;
    if (Reads)
      for (unsigned W : this->Writes)
        if (mayReadWritten(A, Accesses[W]))
          return true;
    if (Writes)
      for (unsigned R : this->Reads) {
        // A dropped read has found its cells accessed; what comes between changes nothing.
        if (R == I || Accesses[R].Dropped || shareNoCell(Accesses[R], A))
          continue;
        if (!Moves[R] || mayReadWritten(Accesses[R], A))
          return true;
      }
    return false;
  }

  /// Leaves those that can be moved. What stays may force others to stay.
  void dropHazards() {
    std::vector<bool> Moves(Accesses.size(), false);
    for (const Candidate &C : Candidates)
      Moves[C.Index] = true;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (size_t I = 0; I < Candidates.size(); ++I) {
        if (!isKept(Candidates[I].Index, Moves))
          continue;
        Moves[Candidates[I].Index] = false;
        Candidates.erase(Candidates.begin() + static_cast<ptrdiff_t>(I--));
        Changed = true;
      }
    }
  }

  bool sameKind(const Candidate &A, const Candidate &B) const {
    const MemoryAccess &X = Accesses[A.Index], &Y = Accesses[B.Index];
    return X.Kind == Y.Kind && X.isStore() == Y.isStore();
  }

  /// What unrolling and interleaving took apart: accesses of one kind that tile their stride
  /// become one.
  void joinTiles() {
    for (Candidate &C : Candidates) {
      if (!C.Begin || C.InTile || C.Stride <= static_cast<int64_t>(C.Width))
        continue;
      std::map<int64_t, Candidate *> Parts; // By offset from C.
      for (Candidate &O : Candidates) {
        if (!O.Begin || O.InTile || O.Stride != C.Stride || O.Width != Accesses[O.Index].Size ||
            !sameKind(O, C) || O.Begin->getType() != C.Begin->getType())
          continue;
        if (const auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(O.Begin, C.Begin)))
          if (D->getAPInt().getSignificantBits() <= 32)
            Parts.emplace(D->getAPInt().getSExtValue(), &O);
      }
      int64_t First = Parts.begin()->first, Next = First;
      for (auto &[Offset, Part] : Parts) {
        if (Offset != Next || Next - First >= C.Stride)
          break;
        Next += static_cast<int64_t>(Part->Width);
      }
      // As a whole or not at all: the first one's range has to be computable.
      if (Next - First != C.Stride || !canExpand(Parts.begin()->second->Begin))
        continue;
      for (auto &[Offset, Part] : Parts)
        if (Offset > First && Offset < Next)
          Part->InTile = true;
      Parts.begin()->second->Width = static_cast<uint64_t>(C.Stride);
    }
  }

  bool canExpand(const SCEV *S) const { return Expander.isSafeToExpandAt(S, end()); }

  void emit(std::vector<HoistedCheck> &Out) {
    std::vector<HoistedCheck> Later;
    for (const Candidate &C : Candidates) {
      MemoryAccess &A = Accesses[C.Index];
      if (C.InTile) {
        A.Dropped = true;
        continue;
      }
      HoistedCheck Check;
      Check.At = end();
      Check.Access = A;
      if (C.Begin && !range(C, Check))
        continue;
      A.Dropped = true;
      if (!A.isStore()) {
        Check.Access.Kind = AccessKind::Read;
        Out.push_back(Check);
      }
      if (A.isStore() || A.Kind == AccessKind::Modify) {
        Check.Access.Kind = AccessKind::Write;
        Later.push_back(Check);
      }
    }
    Out.insert(Out.end(), Later.begin(), Later.end());
  }

  bool range(const Candidate &C, HoistedCheck &Check) {
    uint64_t Distance =
        C.Stride < 0 ? -static_cast<uint64_t>(C.Stride) : static_cast<uint64_t>(C.Stride);
    const SCEV *Span = SE.getMulExpr(Rounds, SE.getConstant(i64(), Distance));
    const SCEV *Length = SE.getAddExpr(Span, SE.getConstant(i64(), C.Width));
    const SCEV *Begin = C.Begin;
    if (C.Stride < 0)
      Begin = SE.getAddExpr(Begin, SE.getNegativeSCEV(Span));
    const SCEV *Count = SE.getAddExpr(Rounds, SE.getOne(i64()));
    if (!canExpand(Begin) || !canExpand(Length) || !canExpand(Count))
      return false;
    Check.Begin = Expander.expandCodeFor(Begin, C.Begin->getType(), end());
    if (Distance > C.Width) {
      Check.Count = Expander.expandCodeFor(Count, i64(), end());
      Check.Step = Distance;
      Check.Size = C.Width;
    } else {
      Check.Length = Expander.expandCodeFor(Length, i64(), end());
    }
    return true;
  }

  Type *i64() const { return Type::getInt64Ty(SE.getContext()); }
  Instruction *end() const { return L.getLoopPreheader()->getTerminator(); }

  Loop &L;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AAResults &AA;
  SCEVExpander &Expander;
  std::vector<MemoryAccess> &Accesses;
  const AccessIndex &Index;
  uint64_t CellSize;
  const SCEV *Rounds = nullptr; ///< Times the back edge is taken, if that is known.
  std::vector<Candidate> Candidates;
  std::vector<unsigned> Reads, Writes; ///< All of the loop, dropped ones too.
};

} // namespace

std::vector<HoistedCheck> hoistLoopChecks(LoopAnalyses &LA, std::vector<MemoryAccess> &Accesses,
                                          const AccessIndex &Index, uint64_t CellSize) {
  std::vector<HoistedCheck> Out;
  if (LA.LI.empty())
    return Out;
  const DataLayout &DL = Accesses.empty()
                             ? (*LA.LI.begin())->getHeader()->getModule()->getDataLayout()
                             : Accesses.front().I->getModule()->getDataLayout();
  SCEVExpander Expander(LA.SE, DL, "causal.range");
  for (Loop *L : LA.LI.getLoopsInPreorder())
    if (L->isInnermost())
      LoopHoister(*L, LA, Expander, Accesses, Index, CellSize).run(Out);
  return Out;
}

} // namespace causal
