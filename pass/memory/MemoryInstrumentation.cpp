//===- MemoryInstrumentation.cpp - Input-sensitive profiling --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MemoryInstrumentation.h. A store's event comes before the store, a load's after the
// load: then what is handed over by synchronisation is seen in its order.
//
//===----------------------------------------------------------------------===//
#include "memory/MemoryInstrumentation.h"
#include "memory/AccessChecks.h"
#include "plugin/RuntimeInterface.h"

#include "causal/InputABI.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace causal {
namespace {

constexpr char DoneFlag[] = "causal-input";

/// What the routine has cost since its last exit or report, in a variable of its own.
class CostCounter {
public:
  CostCounter(Function &F, bool CountBlocks) {
    BasicBlock &Entry = F.getEntryBlock();
    Type *I64 = Type::getInt64Ty(F.getContext());
    SmallVector<std::pair<BasicBlock *, uint64_t>, 32> Costs;
    for (BasicBlock &BB : F)
      Costs.emplace_back(&BB, CountBlocks ? 1 : instructions(BB));
    Variable = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(I64, nullptr, "causal.cost");
    for (auto [BB, Cost] : Costs) {
      if (isa<CatchSwitchInst>(BB->getTerminator()))
        continue;
      bool IsEntry = BB == &Entry;
      IRBuilder<> B(IsEntry ? &*Entry.getFirstNonPHIOrDbgOrAlloca() : &*BB->getFirstInsertionPt());
      Value *Sum = B.getInt64(Cost);
      if (!IsEntry)
        Sum = B.CreateAdd(value(B), Sum);
      markOwn(*B.CreateStore(Sum, Variable));
    }
  }

  Value *value(IRBuilder<> &B) const {
    LoadInst *L = B.CreateLoad(B.getInt64Ty(), Variable);
    markOwn(*L);
    return L;
  }
  void reset(IRBuilder<> &B) const { markOwn(*B.CreateStore(B.getInt64(0), Variable)); }

  void promote(Function &F) const {
    DominatorTree DT(F);
    if (isAllocaPromotable(Variable))
      PromoteMemToReg({Variable}, DT);
  }

private:
  static uint64_t instructions(BasicBlock &BB) {
    uint64_t Count = 0;
    for (Instruction &I : BB.instructionsWithoutDebug(/*SkipPseudoOp=*/true))
      Count += !isa<PHINode>(I) && !I.isLifetimeStartOrEnd();
    return Count;
  }

  AllocaInst *Variable;
};

class FunctionInstrumenter {
public:
  FunctionInstrumenter(Function &F, FunctionAnalysisManager &FAM, AccessChecks &Checks,
                       const MemoryOptions &Options)
      : F(F), FAM(FAM), Checks(Checks), Options(Options), Locals(Options.CellSize) {}

  bool run() {
    if (isLeftAlone())
      return false;
    alignLocals();
    FunctionAccesses Found = findAccesses(F, Locals, /*SkipPrivate=*/true);
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    if (Found.empty() && !Found.HasCalls && LI.empty())
      return false;
    if (!Options.Eliminate)
      Found = findAccesses(F, Locals, /*SkipPrivate=*/false);

    std::vector<HoistedCheck> Hoisted;
    findExits();
    CostCounter Cost(F, Options.CountBlocks);
    if (Options.Eliminate)
      Hoisted = eliminate(Found, LI);

    IRBuilder<> B(&*afterAllocas());
    for (Argument &A : F.args()) // A copy that the caller has made.
      if (A.hasByValAttr())
        Checks.range(B, /*IsWrite=*/true, &A, B.getInt64(byValSize(A)));
    ActivationValues Values = Checks.enter(B, routine());
    for (Instruction *I : Landings) {
      IRBuilder<> At(I);
      Checks.unwind(At, Values.Id);
    }
    for (Instruction *I : NoReturns) {
      IRBuilder<> At(I);
      Checks.addCost(At, Values.Id, Cost.value(At));
      Cost.reset(At);
    }
    for (Instruction *I : Returns) {
      IRBuilder<> At(I);
      Checks.exit(At, Values.Id, Cost.value(At));
    }
    for (MemIntrinsic *I : Found.Block)
      Checks.block(*I, Locals, Options.Eliminate);
    for (IntrinsicInst *I : Found.Masked)
      Checks.masked(*I);
    for (const HoistedCheck &H : Hoisted)
      Checks.checkHoisted(H, Values);
    for (const MemoryAccess &A : Found.Simple) {
      if (A.IsAtomic)
        Checks.aroundAtomic(A);
      else if (!A.Dropped)
        Checks.check(A, Values, A.isStore() ? A.I : A.I->getNextNode());
    }
    // Registers are not what they were when setjmp returns again.
    if (!CallsTwice)
      Cost.promote(F);
    return true;
  }

private:
  bool isLeftAlone() const {
    return F.isDeclaration() || F.hasAvailableExternallyLinkage() ||
           F.getName().starts_with("__causal_") || F.hasFnAttribute(Attribute::Naked) ||
           F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation);
  }

  /// Locals of whole cells begin with one, so that they share none.
  void alignLocals() {
    const DataLayout &DL = F.getParent()->getDataLayout();
    for (Instruction &I : F.getEntryBlock()) {
      auto *A = dyn_cast<AllocaInst>(&I);
      if (!A || A->isUsedWithInAlloca())
        continue;
      std::optional<TypeSize> Size = A->getAllocationSize(DL);
      if (Size && !Size->isScalable() && Size->getFixedValue() % Options.CellSize == 0 &&
          A->getAlign().value() < Options.CellSize)
        A->setAlignment(Align(Options.CellSize));
    }
  }

  BasicBlock::iterator afterAllocas() { return F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(); }

  uint64_t byValSize(const Argument &A) const {
    return F.getParent()->getDataLayout().getTypeAllocSize(A.getParamByValType());
  }

  std::vector<HoistedCheck> eliminate(FunctionAccesses &Found, LoopInfo &LI) {
    AccessIndex Index;
    for (unsigned I = 0; I < Found.Simple.size(); ++I)
      if (!Found.Simple[I].IsAtomic)
        Index[Found.Simple[I].I] = I;
    eliminateDominated(F, Found.Simple, Index);
    LoopAnalyses LA{LI, FAM.getResult<DominatorTreeAnalysis>(F),
                    FAM.getResult<ScalarEvolutionAnalysis>(F), FAM.getResult<AAManager>(F)};
    return hoistLoopChecks(LA, Found.Simple, Index, Options.CellSize);
  }

  /// Where the activation ends, where dead ones may lie above it, and where it is left for
  /// good.
  void findExits() {
    for (BasicBlock &BB : F) {
      Instruction *End = BB.getTerminator();
      if (CallInst *Tail = BB.getTerminatingMustTailCall())
        Returns.push_back(Tail);
      else if (isa<ReturnInst>(End) || isa<ResumeInst>(End))
        Returns.push_back(End);
      if (BB.isLandingPad())
        Landings.push_back(&*BB.getFirstInsertionPt());
      for (Instruction &I : BB) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (!Call || isa<IntrinsicInst>(Call))
          continue;
        if (Call->hasFnAttr(Attribute::ReturnsTwice)) {
          CallsTwice = true;
          if (!Call->isTerminator())
            Landings.push_back(Call->getNextNode());
        }
        if (Call->doesNotReturn())
          NoReturns.push_back(Call);
      }
    }
  }

  Constant *text(StringRef Text) {
    Module &M = *F.getParent();
    Constant *Data = ConstantDataArray::getString(M.getContext(), Text);
    auto *G = new GlobalVariable(M, Data->getType(), /*isConstant=*/true,
                                 GlobalValue::PrivateLinkage, Data, "causal.input.text");
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return G;
  }

  Constant *routine() {
    Module &M = *F.getParent();
    LLVMContext &C = M.getContext();
    Type *I32 = Type::getInt32Ty(C);
    PointerType *Ptr = PointerType::getUnqual(C);
    DISubprogram *SP = F.getSubprogram();
    SmallString<256> File(M.getSourceFileName());
    if (SP && SP->getFile()) {
      File = SP->getFilename();
      if (!sys::path::is_absolute(File)) {
        File = SP->getDirectory();
        sys::path::append(File, SP->getFilename());
      }
    }
    uint32_t Unit = Options.CountBlocks ? causal_input::CostBlocks : causal_input::CostInstructions;
    auto *T = StructType::get(C, {Ptr, Ptr, I32, I32, I32});
    Constant *Init =
        ConstantStruct::get(T, {text(GlobalValue::dropLLVMManglingEscape(F.getName())), text(File),
                                ConstantInt::get(I32, SP ? SP->getLine() : 0),
                                ConstantInt::get(I32, 0), ConstantInt::get(I32, Unit)});
    auto *G = new GlobalVariable(M, T, /*isConstant=*/false, GlobalValue::PrivateLinkage, Init,
                                 "causal.routine");
    if (F.hasComdat()) // Goes with the function that the linker drops.
      G->setComdat(F.getComdat());
    return G;
  }

  Function &F;
  FunctionAnalysisManager &FAM;
  AccessChecks &Checks;
  const MemoryOptions &Options;
  PrivateLocals Locals;
  bool CallsTwice = false;
  SmallVector<Instruction *, 8> Returns, Landings, NoReturns;
};

/// A reference that only the runtime for the same cells fulfils.
void requireCellSize(Module &M, unsigned CellSize) {
  LLVMContext &C = M.getContext();
  PointerType *Ptr = PointerType::getUnqual(C);
  const char *Check = CellSize == 8 ? causal_input::CellSizeCheck8 : causal_input::CellSizeCheck4;
  FunctionCallee Symbol =
      M.getOrInsertFunction(Check, FunctionType::get(Type::getVoidTy(C), false));
  auto *G = new GlobalVariable(M, Ptr, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                               cast<Constant>(Symbol.getCallee()), "causal.input.check");
  appendToUsed(M, {G});
}

} // namespace

PreservedAnalyses MemoryInstrumentationPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!isSupported(Triple(M.getTargetTriple())) || M.getModuleFlag(DoneFlag))
    return PreservedAnalyses::all();
  M.addModuleFlag(Module::Max, DoneFlag, Options.CellSize);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  AccessChecks Checks(M, Options.CellSize);
  bool Any = false;
  for (Function &F : M)
    if (FunctionInstrumenter(F, FAM, Checks, Options).run()) {
      FAM.invalidate(F, PreservedAnalyses::none());
      Any = true;
    }
  retargetModels(M);
  if (Any)
    requireCellSize(M, Options.CellSize);
  return PreservedAnalyses::none();
}

} // namespace causal
