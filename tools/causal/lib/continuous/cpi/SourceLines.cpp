//===- SourceLines.cpp - The source line of an address --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/SourceLines.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"

using namespace llvm;

namespace causal::cpi {

struct SourceLines::Reader {
  std::string Program;
  symbolize::LLVMSymbolizer Symbolizer;
};

SourceLines::SourceLines(StringRef Program) : R(std::make_unique<Reader>()) {
  R->Program = Program.str();
}
SourceLines::~SourceLines() = default;

CodeLine SourceLines::at(uint64_t Address) const {
  object::SectionedAddress Where{Address, object::SectionedAddress::UndefSection};
  Expected<DILineInfo> Info = R->Symbolizer.symbolizeCode(R->Program, Where);
  if (!Info) {
    consumeError(Info.takeError());
    return {};
  }
  if (Info->FileName == DILineInfo::BadString)
    return {};
  return {Info->FileName, Info->Line};
}

} // namespace causal::cpi
