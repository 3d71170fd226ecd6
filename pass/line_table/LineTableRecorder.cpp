//===- LineTableRecorder.cpp - Follows the lines of the code --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "line_table/LineTableRecorder.h"

#include "plugin/ModuleSetup.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/AsmPrinterHandler.h"
#include "llvm/CodeGen/DebugHandlerBase.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCStreamer.h"

using namespace llvm;

namespace causal {
namespace {

// LLVM 19 tells two kinds of observers about different things: this kind about
// functions and sections, also when the module has no DWARF ...
class FunctionObserver final : public AsmPrinterHandler {
public:
  explicit FunctionObserver(std::shared_ptr<LineTableRecorder> R) : Recorder(std::move(R)) {}

  void beginModule(Module *M) override { Recorder->beginModule(*M); }
  void endModule() override { Recorder->endModule(); }
  void beginFunction(const MachineFunction *MF) override { Recorder->beginFunction(*MF); }
  void endFunction(const MachineFunction *) override { Recorder->endFunction(); }
  void beginBasicBlockSection(const MachineBasicBlock &) override { Recorder->beginSection(); }
  void endBasicBlockSection(const MachineBasicBlock &) override { Recorder->endSection(); }

private:
  std::shared_ptr<LineTableRecorder> Recorder;
};

// ... and this kind about instructions.
class InstructionObserver final : public DebugHandlerBase {
public:
  InstructionObserver(AsmPrinter *Printer, std::shared_ptr<LineTableRecorder> R)
      : DebugHandlerBase(Printer), Recorder(std::move(R)) {
    // The base class gathers variables and scopes for DWARF unless it has no
    // printer.
    Asm = nullptr;
  }

  void beginModule(Module *) override {}
  void endModule() override {}
  void beginInstruction(const MachineInstr *MI) override { Recorder->beginInstruction(*MI); }
  void endInstruction() override {}
  void beginFunctionImpl(const MachineFunction *) override {}
  void endFunctionImpl(const MachineFunction *) override {}

private:
  std::shared_ptr<LineTableRecorder> Recorder;
};

} // namespace

void LineTableRecorder::attach(AsmPrinter &Printer) {
  auto Recorder = std::make_shared<LineTableRecorder>(Printer);
  Printer.addAsmPrinterHandler(std::make_unique<FunctionObserver>(Recorder));
  Printer.addDebugHandler(std::make_unique<InstructionObserver>(&Printer, Recorder));
}

MCSymbol *LineTableRecorder::emitLabel() {
  MCSymbol *Label = Printer.OutContext.createTempSymbol("causal_line");
  Printer.OutStreamer->emitLabel(Label);
  return Label;
}

unsigned LineTableRecorder::scopeOf(const DILocalScope *Scope, const DILocation *InlinedAt) {
  auto Known = LocationScope.find({Scope, InlinedAt});
  if (Known != LocationScope.end())
    return Known->second;

  LineScope S{LineScope::NoParent, Scope->getSubprogram(), Scope->getFile(), 0};
  if (InlinedAt) {
    S.Parent = scopeOf(InlinedAt->getScope(), InlinedAt->getInlinedAt());
    unsigned Line = InlinedAt->getLine(); // Of merged calls 0.
    S.CallLine = Line ? Line : Lines.Scopes[S.Parent].Subprogram->getLine();
  }
  auto [It, Inserted] =
      ScopeIndex.try_emplace({{S.Parent, S.Subprogram}, {S.File, S.CallLine}}, Lines.Scopes.size());
  if (Inserted)
    Lines.Scopes.push_back(S);
  LocationScope[{Scope, InlinedAt}] = It->second;
  return It->second;
}

void LineTableRecorder::addRow(unsigned Line, unsigned Scope) {
  auto &Rows = fragment().Rows;
  if (LastRowIsEmpty && !Rows.empty()) {
    Rows.back().Line = Line;
    Rows.back().Scope = Scope;
    if (size_t N = Rows.size(); N > 1 && Rows[N - 2].Line == Line && Rows[N - 2].Scope == Scope)
      Rows.pop_back();
    return;
  }
  if (!Rows.empty() && Rows.back().Line == Line && Rows.back().Scope == Scope)
    return;
  Rows.push_back({emitLabel(), Line, Scope});
  LastRowIsEmpty = true;
}

void LineTableRecorder::beginModule(const Module &M) { Enabled = !hasNoLineTable(M); }

void LineTableRecorder::endModule() { Writer.finish(); }

void LineTableRecorder::beginFunction(const MachineFunction &MF) {
  Lines.Scopes.clear();
  Lines.Fragments.clear();
  ScopeIndex.clear();
  LocationScope.clear();
  LastLocation = nullptr;
  LastBlock = nullptr;
  InFragment = false;
  Subprogram = Enabled ? MF.getFunction().getSubprogram() : nullptr;
  if (!Subprogram)
    return;
  scopeOf(Subprogram, nullptr);
  beginSection();
  // The prologue belongs to the line of the opening brace.
  addRow(Subprogram->getScopeLine(), 0);
}

void LineTableRecorder::beginSection() {
  if (!Subprogram || InFragment)
    return;
  Lines.Fragments.push_back(
      {Printer.OutStreamer->getCurrentSectionOnly(), emitLabel(), nullptr, {}});
  InFragment = true;
  LastRowIsEmpty = false;
  LastLocation = nullptr;
}

void LineTableRecorder::endSection() {
  if (!InFragment)
    return;
  fragment().End = emitLabel();
  InFragment = false;
}

static const DILocation *locationOf(const MachineInstr &MI) {
  return MI.isMetaInstruction() ? nullptr : MI.getDebugLoc().get();
}

/// What the compiler has merged of several lines, or moved, has line 0 in the scope that is
/// left. It is work of that function all the same, so it gets the next line of its scope in
/// the block, or else the last one, or else that of the function.
void LineTableRecorder::enterBlock(const MachineBasicBlock &Block) {
  Nearest.clear();
  auto HasNoLine = [](const MachineInstr &MI) {
    const DILocation *L = locationOf(MI);
    return L && !L->getLine();
  };
  if (none_of(Block, HasNoLine))
    return;
  DenseMap<unsigned, unsigned> LineOf; // By scope.
  auto Pass = [&](const MachineInstr &MI) {
    const DILocation *L = locationOf(MI);
    if (!L)
      return;
    unsigned Scope = scopeOf(*L);
    if (L->getLine())
      LineOf[Scope] = L->getLine();
    else if (auto Known = LineOf.find(Scope); Known != LineOf.end())
      Nearest.try_emplace(&MI, Known->second);
  };
  for_each(reverse(Block), Pass);
  LineOf.clear();
  for_each(Block, Pass);
  for (const MachineInstr &MI : Block)
    if (HasNoLine(MI))
      Nearest.try_emplace(&MI, Lines.Scopes[scopeOf(*locationOf(MI))].Subprogram->getLine());
}

/// The first location with a line from \p MI on to the end of its block.
static const DILocation *nextLocation(const MachineInstr &MI) {
  for (const MachineInstr &Next : make_range(MI.getIterator(), MI.getParent()->instr_end()))
    if (const DILocation *L = locationOf(Next); L && L->getLine())
      return L;
  return nullptr;
}

void LineTableRecorder::beginInstruction(const MachineInstr &MI) {
  if (!InFragment || MI.isMetaInstruction())
    return;
  const DILocation *Location = MI.getDebugLoc().get();
  bool FirstOfFragment = fragment().Rows.empty();
  if (LastBlock != MI.getParent())
    enterBlock(*MI.getParent());
  if (MI.getFlag(MachineInstr::FrameSetup) && !FirstOfFragment) {
    // The prologue keeps the line of the function, whatever its locations are.
  } else if (Location) {
    unsigned Line = Location->getLine();
    addRow(Line ? Line : Nearest.lookup(&MI), scopeOf(*Location));
    if (Line)
      LastLocation = Location;
  } else if (FirstOfFragment || (LastLocation && LastBlock && LastBlock != MI.getParent())) {
    // An instruction without a location continues the line before it, but not
    // across blocks: what stands before it there need not run before it.
    const DILocation *Next = nextLocation(MI);
    addRow(Next ? Next->getLine() : Subprogram->getLine(), Next ? scopeOf(*Next) : 0);
  }
  LastRowIsEmpty = false;
  LastBlock = MI.getParent();
}

void LineTableRecorder::endFunction() {
  if (Subprogram)
    Writer.write(Lines);
  Subprogram = nullptr;
}

} // namespace causal
