//===- DecoderTarget.h - LLVM's description of a CPU ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Decoder.cpp and ProcessorModel.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_DECODERTARGET_H
#define CAUSAL_CPI_DECODERTARGET_H

#include "lib/continuous/cpi/Decoder.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"

namespace causal::cpi {

struct Decoder::Target {
  std::unique_ptr<llvm::MCRegisterInfo> Registers;
  llvm::MCTargetOptions Options;
  std::unique_ptr<llvm::MCAsmInfo> Assembly;
  std::unique_ptr<llvm::MCSubtargetInfo> Subtarget;
  std::unique_ptr<llvm::MCInstrInfo> Instructions;
  std::unique_ptr<llvm::MCContext> Context;
  std::unique_ptr<llvm::MCDisassembler> Disassembler;
  std::unique_ptr<llvm::MCInstrAnalysis> Analysis;
  std::unique_ptr<llvm::MCInstPrinter> Printer;
};

} // namespace causal::cpi

#endif // CAUSAL_CPI_DECODERTARGET_H
