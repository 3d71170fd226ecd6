//===- EmptyProfile.h - Profiles that tell nothing -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_EMPTYPROFILE_H
#define CAUSAL_ANALYSIS_EMPTYPROFILE_H

#include "lib/container/Profile.h"

namespace causal {

/// Why nothing can be predicted, as a stable keyword and as a sentence.
struct Emptiness {
  const char *Keyword;
  std::string Sentence;
};

/// Nothing if some line can be ranked for some progress point.
std::optional<Emptiness> whyEmpty(const Profile &P);

} // namespace causal

#endif // CAUSAL_ANALYSIS_EMPTYPROFILE_H
