//===- Decoder.cpp - Machine instructions of an image ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/Decoder.h"

#include "lib/continuous/cpi/DecoderTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace causal::cpi {
namespace {

constexpr const char *TripleName = "x86_64-unknown-linux-gnu";
constexpr unsigned SystemVDialect = 0; ///< MCRegisterInfo's DWARF numbers, not those of .eh_frame.

const llvm::Target *findTarget(std::string &Error) {
  static bool Initialised = [] {
    InitializeAllTargetInfos();
    InitializeAllTargetMCs();
    InitializeAllDisassemblers();
    InitializeAllTargetMCAs();
    return true;
  }();
  (void)Initialised;
  return TargetRegistry::lookupTarget(TripleName, Error);
}

Error unknownCPU(StringRef CPU) {
  return createStringError(inconvertibleErrorCode(),
                           "LLVM has no model of the CPU '" + CPU +
                               "': name a similar one with --cpu=, as llvm-mca-19 -mcpu=help lists "
                               "them");
}

/// The first of the five operands of x86's memory reference, or -1.
int memoryOperandIndex(const MCInstrDesc &Description) {
  for (unsigned I = 0; I + 4 < Description.getNumOperands(); ++I)
    if (Description.operands()[I].OperandType == MCOI::OPERAND_MEMORY)
      return I;
  return -1;
}

bool isAtomic(StringRef Opcode, bool HasMemory) {
  if (Opcode.starts_with("LOCK_") || Opcode.starts_with("LCMPXCHG") || Opcode.starts_with("LXADD"))
    return true;
  if (Opcode.starts_with("XCHG") && HasMemory)
    return true;
  return Opcode == "MFENCE" || Opcode.starts_with("OR32mi8Locked");
}

std::optional<MemoryOperand> memoryOperand(const MCInst &Code, const MCInstrDesc &Description,
                                           const MCRegisterInfo &Registers) {
  int First = memoryOperandIndex(Description);
  if (First < 0 || unsigned(First) + 4 >= Code.getNumOperands())
    return std::nullopt;
  MemoryOperand Memory;
  auto Number = [&](const MCOperand &Op) {
    return Op.isReg() && Op.getReg()
               ? int(Registers.getDwarfRegNum(Op.getReg(), /*isEH=*/SystemVDialect))
               : -1;
  };
  const MCOperand &Base = Code.getOperand(First);
  Memory.PCRelative =
      Base.isReg() && Base.getReg() && StringRef(Registers.getName(Base.getReg())) == "RIP";
  Memory.Base = Memory.PCRelative ? -1 : Number(Base);
  Memory.Scale = Code.getOperand(First + 1).isImm() ? Code.getOperand(First + 1).getImm() : 1;
  Memory.Index = Number(Code.getOperand(First + 2));
  if (Code.getOperand(First + 3).isImm())
    Memory.Displacement = Code.getOperand(First + 3).getImm();
  Memory.Segment = Code.getOperand(First + 4).isReg() && Code.getOperand(First + 4).getReg();
  for (unsigned D = 0; D < Description.getNumDefs(); ++D)
    for (int Of : {First, First + 2}) {
      const MCOperand &Def = Code.getOperand(D), &Use = Code.getOperand(Of);
      if (Def.isReg() && Use.isReg() && Def.getReg() && Use.getReg() &&
          Registers.regsOverlap(Def.getReg(), Use.getReg()))
        Memory.Overwritten = true;
    }
  return Memory;
}

} // namespace

Decoder::Decoder() : T(std::make_unique<Target>()) {}
Decoder::~Decoder() = default;

bool hasModel(StringRef CPU) {
  std::string Message;
  const llvm::Target *Found = findTarget(Message);
  if (!Found)
    return false;
  // Asked with a name that it has not, LLVM warns on stderr.
  std::unique_ptr<MCSubtargetInfo> Generic(Found->createMCSubtargetInfo(TripleName, "", ""));
  if (!Generic || !Generic->isCPUStringValid(CPU))
    return false;
  std::unique_ptr<MCSubtargetInfo> Subtarget(Found->createMCSubtargetInfo(TripleName, CPU, ""));
  return Subtarget->getSchedModel().hasInstrSchedModel();
}

Expected<std::unique_ptr<Decoder>> Decoder::create(StringRef CPU) {
  if (!hasModel(CPU))
    return unknownCPU(CPU);
  std::string Message;
  const llvm::Target *Found = findTarget(Message);
  std::unique_ptr<Decoder> D(new Decoder);
  Target &T = *D->T;
  Triple TT(TripleName);
  T.Registers.reset(Found->createMCRegInfo(TripleName));
  T.Assembly.reset(Found->createMCAsmInfo(*T.Registers, TripleName, T.Options));
  T.Subtarget.reset(Found->createMCSubtargetInfo(TripleName, CPU, ""));
  T.Instructions.reset(Found->createMCInstrInfo());
  T.Context =
      std::make_unique<MCContext>(TT, T.Assembly.get(), T.Registers.get(), T.Subtarget.get());
  T.Disassembler.reset(Found->createMCDisassembler(*T.Subtarget, *T.Context));
  T.Analysis.reset(Found->createMCInstrAnalysis(T.Instructions.get()));
  T.Printer.reset(Found->createMCInstPrinter(TT, /*SyntaxVariant=*/0, *T.Assembly, *T.Instructions,
                                             *T.Registers));
  T.Printer->setPrintImmHex(true);
  T.Printer->setPrintBranchImmAsAddress(true);
  return D;
}

std::optional<Instruction> Decoder::decode(StringRef Bytes, uint64_t Address) const {
  Instruction I;
  uint64_t Size = 0;
  if (T->Disassembler->getInstruction(I.Code, Size, arrayRefFromStringRef(Bytes), Address,
                                      nulls()) != MCDisassembler::Success ||
      !Size)
    return std::nullopt;
  I.Address = Address;
  I.Size = Size;
  const MCInstrDesc &Description = T->Instructions->get(I.Code.getOpcode());
  StringRef Name = T->Instructions->getName(I.Code.getOpcode());
  // To the disassembler the prefix is an instruction of its own.
  if (Name == "LOCK_PREFIX") {
    std::optional<Instruction> Rest = decode(Bytes.drop_front(Size), Address + Size);
    if (Rest) {
      Rest->Address = Address;
      Rest->Size += Size;
      Rest->Locked = true;
    }
    return Rest;
  }
  I.Call = Description.isCall();
  I.Return = Description.isReturn();
  I.Branch = Description.isBranch();
  I.Conditional = Description.isConditionalBranch();
  I.Indirect = Description.isIndirectBranch();
  I.Memory = memoryOperand(I.Code, Description, *T->Registers);
  // LEA and NOP have the form of an access and make none.
  I.Load = I.Memory && Description.mayLoad();
  I.Store = I.Memory && Description.mayStore();
  if (!I.Load && !I.Store)
    I.Memory.reset();
  I.Divides = Name.contains("DIV") || Name.contains("SQRT");
  I.Locked = isAtomic(Name, I.Memory.has_value());
  uint64_t To;
  if ((I.Branch || I.Call) && !I.Indirect && T->Analysis->evaluateBranch(I.Code, Address, Size, To))
    I.Target = To;
  return I;
}

std::string Decoder::print(const Instruction &I) const {
  std::string Text;
  raw_string_ostream OS(Text);
  T->Printer->printInst(&I.Code, I.Address, "", *T->Subtarget, OS);
  StringRef Trimmed = StringRef(OS.str()).trim();
  std::string Result = I.Locked && I.Size > 1 && !Trimmed.starts_with("xchg") &&
                               !Trimmed.starts_with("lock") && !Trimmed.contains("fence")
                           ? "lock "
                           : "";
  for (char C : Trimmed)
    Result += C == '\t' ? ' ' : C;
  return Result;
}

} // namespace causal::cpi
