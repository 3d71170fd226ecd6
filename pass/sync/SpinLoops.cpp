//===- SpinLoops.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sync/SpinLoops.h"

#include "plugin/Remarks.h"
#include "plugin/RuntimeInterface.h"
#include "sync/SyncInstrumentation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace causal {
namespace {

/// A loop that waits is short; one that computes until somebody stops it is not.
constexpr unsigned MaxInstructions = 48;
constexpr unsigned MaxDepth = 6;

/// Who has looked for long enough gives the core away.
bool isSleep(const Function &F) {
  static const StringSet<> Sleeps = {"nanosleep", "clock_nanosleep", "usleep", "sleep",
                                     "thrd_sleep"};
  return F.isDeclaration() && Sleeps.contains(F.getName());
}

bool isPause(const CallInst &Call) {
  if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    static const StringSet<> Pauses = {"", "nop", "pause", "rep nop", "rep; nop", "rep;nop"};
    return Call.getType()->isVoidTy() && Call.arg_empty() &&
           Pauses.contains(StringRef(Asm->getAsmString()).trim(" \t\n;").lower());
  }
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return Intrinsic->getIntrinsicID() == Intrinsic::x86_sse2_pause ||
           Intrinsic->isAssumeLikeIntrinsic() || !Intrinsic->mayHaveSideEffects();
  static const StringSet<> Yields = {"sched_yield", "thrd_yield"};
  const Function *F = Call.getCalledFunction();
  return F && (Yields.contains(F->getName()) || isSleep(*F));
}

bool isClock(const Function &F) {
  static const StringSet<> Clocks = {
      "clock", "clock_gettime", "gettimeofday", "time", "timespec_get", "omp_get_wtime",
      // std::chrono's steady_clock and system_clock, of libstdc++ and of libc++.
      "_ZNSt6chrono3_V212steady_clock3nowEv", "_ZNSt6chrono3_V212system_clock3nowEv",
      "_ZNSt3__16chrono12steady_clock3nowEv", "_ZNSt3__16chrono12system_clock3nowEv"};
  switch (F.getIntrinsicID()) {
  case Intrinsic::readcyclecounter:
  case Intrinsic::x86_rdtsc:
  case Intrinsic::x86_rdtscp:
    return true;
  default:
    return F.isDeclaration() && Clocks.contains(F.getName()); // Programs have their own clock().
  }
}

/// What tells whether a sleep was broken off.
bool isErrno(const Value *V) {
  auto *Call = dyn_cast<CallInst>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == "__errno_location";
}

bool isShared(const LoadInst &Load) { return Load.isAtomic() || Load.isVolatile(); }

/// What a call does that a loop that waits makes in every round.
enum class Look : uint8_t {
  None,     ///< It works.
  AtClock,  ///< At nothing that is shared, or at a clock.
  AtOthers, ///< At what other threads may change.
};

Look lookOf(const CallInst &Call, unsigned Depth = 0);

/// Who loads from Address. To go through memory is work, but nothing is stored that could
/// lead elsewhere in the next round.
Look lookAt(const Value *Address, bool Shared) {
  const Value *Object = getUnderlyingObject(Address);
  if (isa<AllocaInst>(Object))
    return Look::AtClock;
  if (auto *Load = dyn_cast<LoadInst>(Object))
    if (isShared(*Load) || lookAt(Load->getPointerOperand(), false) == Look::None)
      return Look::None;
  if (!isa<Argument, GlobalVariable, LoadInst>(Object))
    return Look::None;
  return Shared ? Look::AtOthers : Look::AtClock;
}

/// What I does in a function without loops, which whoever waits calls in every round.
Look lookOf(const Instruction &I, unsigned Depth) {
  if (I.isTerminator())
    return isa<BranchInst, SwitchInst, ReturnInst>(I) ? Look::AtClock : Look::None;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return lookAt(Load->getPointerOperand(), isShared(*Load));
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand())) ? Look::AtClock
                                                                            : Look::None;
  if (auto *Call = dyn_cast<CallInst>(&I))
    return lookOf(*Call, Depth + 1);
  return I.mayHaveSideEffects() || I.mayReadOrWriteMemory() ? Look::None : Look::AtClock;
}

Look lookOf(const CallInst &Call, unsigned Depth) {
  if (isPause(Call) || isErrno(&Call))
    return Look::AtClock;
  const Function *F = Call.getCalledFunction();
  if (!F)
    return Look::None;
  if (isClock(*F))
    return Look::AtClock;
  constexpr unsigned MaxCalls = 3;
  if (F->isDeclaration() || F->isInterposable() || Depth == MaxCalls)
    return Look::None;
  Look All = Look::AtClock;
  unsigned Count = 0;
  for (const Instruction &I : instructions(*F)) {
    Look This = lookOf(I, Depth);
    if (This == Look::None || (!I.isDebugOrPseudoInst() && ++Count > MaxInstructions))
      return Look::None;
    All = std::max(All, This);
  }
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> Loops;
  FindFunctionBackedges(*F, Loops);
  return Loops.empty() ? All : Look::None;
}

/// The look at what other threads may change that V depends on, through instructions that are
/// Inside; null if there is none.
Instruction *lookBehind(Value *V, function_ref<bool(const Instruction *)> Inside,
                        unsigned Depth = 0) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Inside(I) || Depth == MaxDepth)
    return nullptr;
  if (auto *Load = dyn_cast<LoadInst>(I); Load && isShared(*Load))
    return I;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return I;
  if (auto *Call = dyn_cast<CallInst>(I); Call && lookOf(*Call) == Look::AtOthers)
    return I;
  for (Value *Op : I->operands())
    if (Instruction *Found = lookBehind(Op, Inside, Depth + 1))
      return Found;
  return nullptr;
}

/// Whether a loop, with the loops in it, only waits.
class SpinLoop {
public:
  explicit SpinLoop(const Loop &L) : L(L) {}

  bool matches() const {
    unsigned Count = 0;
    for (const BasicBlock *BB : L.blocks())
      for (const Instruction &I : *BB)
        if (!isHarmless(I) || (!I.isDebugOrPseudoInst() && ++Count > MaxInstructions))
          return false;
    return looksAtOthers();
  }

  /// Whether a way out depends on what other threads may change.
  bool looksAtOthers() const {
    SmallVector<BasicBlock *, 4> Exiting;
    L.getExitingBlocks(Exiting);
    return any_of(Exiting, [&](const BasicBlock *BB) {
      return any_of(BB->getTerminator()->operands(), [&](const Use &U) {
        return lookBehind(U, [&](const Instruction *I) { return L.contains(I); });
      });
    });
  }

private:
  /// Nothing that could end the wait from within, and nothing that is work.
  bool isHarmless(const Instruction &I) const {
    if (I.isDebugOrPseudoInst() || I.isTerminator() || isa<FenceInst>(I))
      return isa<BranchInst, SwitchInst>(I) || !I.isTerminator();
    if (auto *Phi = dyn_cast<PHINode>(&I))
      return all_of(Phi->incoming_values(), [&](const Value *V) { return isCounting(V, 0); });
    // To go through memory is work, whoever may stop it.
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return isFixed(Load->getPointerOperand(), 0);
    // Test and set; what is set is known before.
    if (auto *Exchange = dyn_cast<AtomicRMWInst>(&I))
      return Exchange->getOperation() == AtomicRMWInst::Xchg &&
             isFixed(Exchange->getPointerOperand(), 0) && isFixed(Exchange->getValOperand(), 0);
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      return isFixed(Exchange->getPointerOperand(), 0) &&
             isFixed(Exchange->getCompareOperand(), 0) && isFixed(Exchange->getNewValOperand(), 0);
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store->isSimple() && isCounting(Store->getValueOperand(), 0) &&
             isTimeToSleep(Store->getPointerOperand());
    if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      return isa<Constant>(getUnderlyingObject(Copy->getSource())) &&
             isTimeToSleep(Copy->getDest());
    if (isCallOf(&I, Entry::__causal_before_update))
      return true; // Test and set, of a function that was inlined.
    if (auto *Call = dyn_cast<CallInst>(&I))
      return isPause(*Call) ||
             (lookOf(*Call) != Look::None &&
              all_of(Call->args(), [&](const Value *V) { return isFixed(V, 0); }));
    return !I.mayHaveSideEffects() && !I.mayReadOrWriteMemory();
  }

  /// A variable that tells for how long to sleep.
  bool isTimeToSleep(const Value *Address) const {
    const Value *Time = getUnderlyingObject(Address);
    auto Sleeps = [&](const Instruction &I) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *F = Call ? Call->getCalledFunction() : nullptr;
      return F && isSleep(*F) && any_of(Call->args(), [&](const Value *Argument) {
               return getUnderlyingObject(Argument) == Time;
             });
    };
    return isa<AllocaInst>(Time) &&
           any_of(L.blocks(), [&](const BasicBlock *BB) { return any_of(*BB, Sleeps); });
  }

  /// The same in every round. Nothing is stored meanwhile but what a clock says, so what is
  /// loaded from a variable of the thread's own (without optimisation: all) stays the same.
  bool isFixed(const Value *V, unsigned Depth, bool MayGoRound = true) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return true;
    if (Depth == MaxDepth)
      return false;
    auto Fixed = [&](const Value *Op) { return isFixed(Op, Depth + 1, MayGoRound); };
    if (auto *Load = dyn_cast<LoadInst>(I))
      return !isShared(*Load) && Fixed(Load->getPointerOperand());
    if (isErrno(I))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(I))
      return MayGoRound && goesRound(*Phi, Depth + 1);
    return isa<GetElementPtrInst, CastInst, BinaryOperator>(I) && all_of(I->operands(), Fixed);
  }

  /// What counts an inner loop, which looks at the same variables in every round of the
  /// outer one: a flag of each thread, say.
  bool goesRound(const PHINode &Counter, unsigned Depth) const {
    const Loop *Inner = nullptr;
    for (const Loop *Each : L.getLoopsInPreorder())
      if (Each != &L && Each->getHeader() == Counter.getParent())
        Inner = Each;
    if (!Inner)
      return false;
    for (unsigned I = 0; I < Counter.getNumIncomingValues(); ++I) {
      const Value *V = Counter.getIncomingValue(I);
      if (!Inner->contains(Counter.getIncomingBlock(I))) {
        if (!isFixed(V, Depth))
          return false;
        continue;
      }
      auto *Step = dyn_cast<Instruction>(V);
      bool Counts = Step && (Step->getOpcode() == Instruction::Add ||
                             Step->getOpcode() == Instruction::Sub || isa<GetElementPtrInst>(Step));
      if (!Counts || !all_of(Step->operands(),
                             [&](const Value *Op) { return Op == &Counter || isFixed(Op, Depth); }))
        return false;
    }
    return true;
  }

  /// What a loop that waits carries from round to round: a number of rounds, how long
  /// to pause, what it has seen.
  bool isCounting(const Value *V, unsigned Depth) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return true;
    if (Depth == MaxDepth)
      return false;
    if (isa<PHINode, AtomicRMWInst, AtomicCmpXchgInst, ExtractValueInst, CmpInst>(I))
      return true; // Looked at by itself.
    if (auto *Call = dyn_cast<CallInst>(I); Call && !isa<MinMaxIntrinsic>(Call)) {
      const Function *F = Call->getCalledFunction();
      return F && (!F->isIntrinsic() || isClock(*F)); // Likewise.
    }
    if (auto *Load = dyn_cast<LoadInst>(I)) // A sum over plain memory is work.
      return isShared(*Load) || isFixed(Load->getPointerOperand(), 0, /*MayGoRound=*/false);
    if (auto *Operator = dyn_cast<BinaryOperator>(I))
      switch (Operator->getOpcode()) {
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Shl:
      case Instruction::LShr:
        break;
      default:
        return false;
      }
    else if (!isa<SelectInst, CastInst, MinMaxIntrinsic>(I))
      return false;
    return all_of(I->operands(),
                  [&](const Value *Op) { return isa<Function>(Op) || isCounting(Op, Depth + 1); });
  }

  const Loop &L;
};

/// Where rotation of L has left the test of its first round, the look at others by which that
/// decides; null elsewhere. It is made without the loop by who finds what it wants at once.
Instruction *firstLook(const Loop &L) {
  BranchInst *Guard = L.getLoopGuardBranch();
  if (!Guard)
    return nullptr;
  const BasicBlock *BB = Guard->getParent();
  return lookBehind(Guard->getCondition(),
                    [BB](const Instruction *I) { return I->getParent() == BB; });
}

void insertCall(Entry Which, Instruction *Before, const DebugLoc &Location) {
  IRBuilder<> Builder(Before);
  Builder.SetCurrentDebugLocation(Location);
  CallInst *Call = Builder.CreateCall(declareEntry(*Before->getModule(), Which), {});
  Call->setDoesNotThrow();
}

void instrument(Loop &L, LoopInfo &LI, DominatorTree &DT) {
  DebugLoc Location = L.getStartLoc();
  BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    Before = InsertPreheaderForLoop(&L, &DT, &LI, /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
  formDedicatedExitBlocks(&L, &DT, &LI, /*MSSAU=*/nullptr,
                          /*PreserveLCSSA=*/false);
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  Instruction *First = firstLook(L);
  if (First) {
    BranchInst *Guard = L.getLoopGuardBranch();
    BasicBlock *Past = Guard->getSuccessor(Guard->getSuccessor(0) == Before);
    Exits.push_back(SplitEdge(Guard->getParent(), Past, &DT, &LI));
  } else if (Before) { // None if jumps that cannot be redirected lead to it.
    First = Before->getTerminator();
  }
  if (First)
    insertCall(Entry::__causal_before_spin, First, Location);
  for (BasicBlock *Exit : Exits)
    insertCall(Entry::__causal_spun, &*Exit->getFirstInsertionPt(), Location);
  SmallVector<BasicBlock *, 4> Latches;
  for (const Loop *Each : L.getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 4> Some;
    Each->getLoopLatches(Some);
    Latches.append(Some);
  }
  for (BasicBlock *Latch : Latches)
    insertCall(Entry::__causal_spin, Latch->getTerminator(), Location);
}

/// Whether L waits for a volatile variable, as code of before C11 does.
bool waitsForVolatile(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) {
      auto *Load = dyn_cast<LoadInst>(&I);
      return Load && Load->isVolatile() && !Load->isAtomic();
    });
  });
}

/// What is to be called before an instruction that may end another thread's wait. Most
/// volatile stores do not, but in a function that ByVolatile waits itself.
std::optional<Entry> callBefore(const Instruction &I, bool ByVolatile) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    if ((Store->getSyncScopeID() == SyncScope::System &&
         isStrongerThan(Store->getOrdering(), AtomicOrdering::Monotonic)) ||
        (ByVolatile && Store->isVolatile() &&
         !isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()))))
      return Entry::__causal_before_store;
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    if (Update->getSyncScopeID() == SyncScope::System && isReleaseOrStronger(Update->getOrdering()))
      return Entry::__causal_before_update;
  if (auto *Update = dyn_cast<AtomicCmpXchgInst>(&I))
    if (Update->getSyncScopeID() == SyncScope::System &&
        isReleaseOrStronger(Update->getSuccessOrdering()))
      return Entry::__causal_before_update;
  return std::nullopt;
}

/// Functions that were inlined may have been looked at before. Returns whether anything
/// was found.
bool instrumentReleases(Function &F, bool ByVolatile) {
  SmallVector<std::pair<Instruction *, Entry>, 4> Found;
  for (Instruction &I : instructions(F))
    if (std::optional<Entry> Which = callBefore(I, ByVolatile))
      if (!isCallOf(I.getPrevNonDebugInstruction(), *Which))
        Found.push_back({&I, *Which});
  for (auto [I, Which] : Found)
    insertCall(Which, I, I->getDebugLoc());
  return !Found.empty();
}

/// Of a function that was inlined.
bool isInstrumented(const Loop &L) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return any_of(Latches, [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) { return isCallOf(&I, Entry::__causal_spin); });
  });
}

void collect(Loop &L, SmallVectorImpl<Loop *> &Found) {
  if (isInstrumented(L))
    return;
  SpinLoop Each(L);
  bool Waits = Each.matches();
  if (areRemarksEnabled(*L.getHeader()->getParent()) && (Waits || Each.looksAtOthers()))
    remarkSpins(L, Waits);
  if (Waits)
    return Found.push_back(&L);
  for (Loop *Inner : L)
    collect(*Inner, Found);
}

} // namespace

PreservedAnalyses SpinLoopsPass::run(Function &F, FunctionAnalysisManager &AM) {
  if (!mayMeet(F, MarkedOnly))
    return PreservedAnalyses::all();
  LoopInfo &LI = AM.getResult<LoopAnalysis>(F);
  SmallVector<Loop *, 4> Found;
  for (Loop *L : LI)
    collect(*L, Found);
  bool Releases =
      instrumentReleases(F, any_of(Found, [](const Loop *L) { return waitsForVolatile(*L); }));
  if (Found.empty() && !Releases)
    return PreservedAnalyses::all();
  DominatorTree &DT = AM.getResult<DominatorTreeAnalysis>(F);
  for (Loop *L : Found)
    instrument(*L, LI, DT);
  return PreservedAnalyses::none();
}

} // namespace causal
