//===- BlockCounters.cpp - Counts each basic block ------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "counters/BlockCounters.h"

#include "causal/CounterFormat.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/AsmPrinterHandler.h"
#include "llvm/CodeGen/DebugHandlerBase.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstBuilder.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace causal {
namespace {

/// What a leaf function may use below the stack pointer.
constexpr int64_t RedZone = 128;

class FunctionObserver final : public AsmPrinterHandler {
public:
  explicit FunctionObserver(std::shared_ptr<BlockCounters> C) : Counters(std::move(C)) {}
  void beginModule(Module *) override {}
  void endModule() override {}
  void beginFunction(const MachineFunction *MF) override { Counters->beginFunction(*MF); }
  void endFunction(const MachineFunction *) override { Counters->endFunction(); }

private:
  std::shared_ptr<BlockCounters> Counters;
};

class InstructionObserver final : public DebugHandlerBase {
public:
  InstructionObserver(AsmPrinter *Printer, std::shared_ptr<BlockCounters> C)
      : DebugHandlerBase(Printer), Counters(std::move(C)) {
    Asm = nullptr; // As in LineTableRecorder.cpp.
  }
  void beginModule(Module *) override {}
  void endModule() override {}
  void beginInstruction(const MachineInstr *MI) override { Counters->beginInstruction(*MI); }
  void endInstruction() override {}
  void beginFunctionImpl(const MachineFunction *) override {}
  void endFunctionImpl(const MachineFunction *) override {}

private:
  std::shared_ptr<BlockCounters> Counters;
};

unsigned opcodeNamed(const MCInstrInfo &All, StringRef Name) {
  for (unsigned I = 0; I < All.getNumOpcodes(); ++I)
    if (All.getName(I) == Name)
      return I;
  report_fatal_error("causal: this LLVM has no instruction " + Name);
}

unsigned registerNamed(const MCRegisterInfo &All, StringRef Name) {
  for (unsigned I = 1; I < All.getNumRegs(); ++I)
    if (All.getName(I) == Name)
      return I;
  report_fatal_error("causal: this LLVM has no register " + Name);
}

} // namespace

void BlockCounters::attach(AsmPrinter &Printer) {
  auto Counters = std::make_shared<BlockCounters>(Printer);
  Printer.addAsmPrinterHandler(std::make_unique<FunctionObserver>(Counters));
  Printer.addDebugHandler(std::make_unique<InstructionObserver>(&Printer, Counters));
}

/// LLVM's headers do not tell a target's numbers, but it tells their names.
const BlockCounters::Opcodes &BlockCounters::opcodes() {
  static const Opcodes O = [&] {
    const MCInstrInfo &I = *Printer.TM.getMCInstrInfo();
    const MCRegisterInfo &R = *Printer.TM.getMCRegisterInfo();
    return Opcodes{opcodeNamed(I, "LOCK_INC64m"), opcodeNamed(I, "PUSHF64"),
                   opcodeNamed(I, "POPF64"),      opcodeNamed(I, "LEA64r"),
                   registerNamed(R, "RIP"),       registerNamed(R, "RSP"),
                   registerNamed(R, "EFLAGS")};
  }();
  return O;
}

void BlockCounters::beginFunction(const MachineFunction &MF) {
  Begin = nullptr;
  Counted = nullptr;
  Blocks.clear();
  // What is written in assembly keeps to it.
  if (MF.getFunction().hasFnAttribute(Attribute::Naked))
    return;
  MCContext &C = Printer.OutContext;
  Begin = C.createTempSymbol("causal_counted");
  Printer.OutStreamer->emitLabel(Begin);
  Counters = C.createTempSymbol("causal_counters");
}

/// Something that \p First begins reads flags that were set before it.
bool BlockCounters::needsFlags(const MachineInstr &First) {
  const TargetRegisterInfo &TRI = *Printer.MF->getSubtarget().getRegisterInfo();
  unsigned Flags = opcodes().Flags;
  const MachineBasicBlock &Block = *First.getParent();
  for (const MachineInstr &MI : make_range(First.getIterator(), Block.instr_end())) {
    if (MI.readsRegister(Flags, &TRI))
      return true;
    if (MI.definesRegister(Flags, &TRI) || MI.isCall() || MI.isReturn())
      return false;
  }
  for (const MachineBasicBlock *Next : Block.successors())
    if (Next->isLiveIn(Flags))
      return true;
  return Block.isLiveIn(Flags);
}

void BlockCounters::emitLea(int64_t Displacement) {
  const Opcodes &O = opcodes();
  Printer.EmitToStreamer(*Printer.OutStreamer, MCInstBuilder(O.Lea)
                                                   .addReg(O.RSP)
                                                   .addReg(O.RSP)
                                                   .addImm(1)
                                                   .addReg(0)
                                                   .addImm(Displacement)
                                                   .addReg(0));
}

void BlockCounters::beginInstruction(const MachineInstr &MI) {
  const MachineBasicBlock &Block = *MI.getParent();
  if (!Begin || Counted == &Block || MI.isPosition() || MI.isMetaInstruction())
    return;
  const MCInstrInfo &Instructions = *Printer.TM.getMCInstrInfo();
  // It must stay the first.
  if (Instructions.getName(MI.getOpcode()).starts_with("ENDBR"))
    return;
  Counted = &Block;
  const Opcodes &O = opcodes();
  MCContext &C = Printer.OutContext;
  MCStreamer &Out = *Printer.OutStreamer;
  bool KeepFlags = needsFlags(MI);
  if (KeepFlags) {
    emitLea(-RedZone);
    Printer.EmitToStreamer(Out, MCInstBuilder(O.SaveFlags));
  }
  const MCExpr *Counter = MCBinaryExpr::createAdd(MCSymbolRefExpr::create(Counters, C),
                                                  MCConstantExpr::create(8 * Blocks.size(), C), C);
  Printer.EmitToStreamer(
      Out, MCInstBuilder(O.Count).addReg(O.RIP).addImm(1).addReg(0).addExpr(Counter).addReg(0));
  if (KeepFlags) {
    Printer.EmitToStreamer(Out, MCInstBuilder(O.RestoreFlags));
    emitLea(RedZone);
  }
  Blocks.push_back(Block.getBBID() ? Block.getBBID()->BaseID : Block.getNumber());
}

void BlockCounters::endFunction() {
  if (!Begin || Blocks.empty())
    return;
  MCContext &C = Printer.OutContext;
  MCStreamer &Out = *Printer.OutStreamer;
  auto &Text = *cast<MCSectionELF>(Begin->getFragment()->getParent());
  // Both go where the function's COMDAT group goes.
  StringRef Group;
  unsigned GroupFlag = 0;
  if (const MCSymbol *Signature = Text.getGroup()) {
    Group = Signature->getName();
    GroupFlag = ELF::SHF_GROUP;
  }
  Out.pushSection();
  Out.switchSection(C.getELFSection(CAUSAL_COUNTERS, ELF::SHT_NOBITS,
                                    ELF::SHF_ALLOC | ELF::SHF_WRITE | GroupFlag, /*EntrySize=*/0,
                                    Group, Text.isComdat(), Text.getUniqueID(), nullptr));
  Out.emitValueToAlignment(Align(8));
  Out.emitLabel(Counters);
  Out.emitZeros(8 * Blocks.size());
  Out.switchSection(C.getELFSection(
      CAUSAL_COUNTER_MAP, ELF::SHT_PROGBITS, ELF::SHF_LINK_ORDER | GroupFlag, /*EntrySize=*/0,
      Group, Text.isComdat(), Text.getUniqueID(), cast<MCSymbolELF>(Text.getBeginSymbol())));
  Out.emitSymbolValue(Begin, 8);
  Out.emitSymbolValue(Counters, 8);
  Out.emitInt32(Blocks.size());
  for (unsigned ID : Blocks)
    Out.emitInt32(ID);
  Out.popSection();
  Begin = nullptr;
}

} // namespace causal
