//===- RunModes.h - What the runs of a profile measured ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file may hold runs of several modes. The reader takes causal records apart and
// keeps those of other modes as text, in Run::ModeRecords; the library of the mode
// (lib/cpu, lib/input) reads them. Each command says here which runs it can use.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTAINER_RUNMODES_H
#define CAUSAL_CONTAINER_RUNMODES_H

#include "lib/container/Profile.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace causal {

/// As mode= has it: "causal", "cpu", "input"; "other".
const char *toString(RunMode Mode);
/// The mode of that name, or RunMode::Other.
RunMode modeNamed(llvm::StringRef Name);
/// The mode that writes records of that type; none for types that every reader takes apart.
std::optional<RunMode> modeOfRecord(llvm::StringRef Type);

/// The modes that have a run, in the order of RunMode.
std::vector<RunMode> modesOf(const Profile &P);
/// "2 runs of mode=causal and 1 run of mode=cpu".
std::string describeModes(const Profile &P);
/// The runs of \p Modes alone. If there are none, an error: what \p Command uses, what the
/// profile has, and what to do.
llvm::Expected<Profile> selectModes(Profile P, llvm::ArrayRef<RunMode> Modes,
                                    llvm::StringRef Command);

} // namespace causal

#endif // CAUSAL_CONTAINER_RUNMODES_H
