//===- ProcessMaps.h - What each process has mapped -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executable mappings of all processes, as the kernel's records tell of them. Pure.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_PROCESSMAPS_H
#define CAUSAL_CONTINUOUS_PROCESSMAPS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>

namespace causal::continuous {

struct Mapping {
  uint64_t Low = 0, High = 0;
  uint64_t Offset = 0; ///< Of Low in the file.
  std::string Path;
  std::string BuildId; ///< In hexadecimal; empty: not known.
};

class ProcessMaps {
public:
  /// A new mapping replaces what it covers.
  void map(int Pid, Mapping M);
  void fork(int Parent, int Child);
  /// exec and exit.
  void clear(int Pid);
  /// Where PC lies; null: in no file.
  const Mapping *find(int Pid, uint64_t PC) const;
  /// Takes the lines of /proc/PID/maps.
  void readMaps(int Pid, llvm::StringRef Text);
  size_t processes() const { return ByPid.size(); }

private:
  llvm::DenseMap<int, std::map<uint64_t, Mapping>> ByPid; ///< By Low.
};

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_PROCESSMAPS_H
