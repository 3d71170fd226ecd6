//===- causal_target_spec.h - What fixed_line= names ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target as the user names it: file:line or file:function; or several of them,
// separated by ',', which are one target then: a group. Context: parse() before
// there are samples, the others in any thread, sample handler included.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TARGET_SPEC_H
#define CAUSAL_TARGET_SPEC_H

#include "base/causal_flags.h"
#include "causal/LineMapFormat.h"
#include "code/causal_source_lines.h"

#include <stdint.h>

namespace __causal {

namespace linemap = ::causal::linemap;

class TargetSpec {
public:
  /// Text is a flag's value. A ',' is part of a name within brackets, or if not all that
  /// commas part can be targets of this kind.
  void parse(const char *Text, TargetKind Kind);

  /// Whether the frame's line, or where functions are targets its function, is meant.
  bool matches(const linemap::Frame &F) const;
  /// Several are one target.
  bool isGroup() const { return Count > 1; }
  /// What a group is called: file:line, or file:function, is the list as it was given.
  linemap::Frame groupName() const { return {Function, File, Line}; }

private:
  TargetKind Kind = TargetKind::Line;
  unsigned Count = 0;
  char Items[Flags::StorageSize] = {}; ///< Count of them, each with its end.
  char File[Flags::StorageSize] = {};
  const char *Function = "";
  uint32_t Line = 0;
};

} // namespace __causal

#endif // CAUSAL_TARGET_SPEC_H
