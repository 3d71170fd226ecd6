//===- InstrumentedInputs.cpp - Does a link need the runtime? -------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See InstrumentedInputs.h. The name stands as it is in every table of symbols, of ELF and of
// bitcode, so nothing is parsed.
//
//===----------------------------------------------------------------------===//
#include "InstrumentedInputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace llvm;

namespace causal {

bool anyInstrumented(ArrayRef<std::string> Files, vfs::FileSystem &FS) {
  // RuntimeABI.def, without the version: each instrumented object refers to it.
  static constexpr char Marker[] = "__causal_version_mismatch_check_v";
  return any_of(Files, [&](const std::string &File) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
        FS.getBufferForFile(File, /*FileSize=*/-1, /*RequiresNullTerminator=*/false);
    return Buffer && memmem((*Buffer)->getBufferStart(), (*Buffer)->getBufferSize(), Marker,
                            sizeof(Marker) - 1);
  });
}

} // namespace causal
