//===- ProfileReader.h - Reads profile files --------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the format of causal/ProfileFormat.h, line by line over a mapped file.
// A profile comes from a program that may have been killed: records that do not
// parse, are cut off or are of unknown type are skipped, counted and reported,
// and the rest counts. Only what makes the whole file useless is an error: it
// cannot be read, holds no record at all, or is of a later version of the
// format.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_PROFILEREADER_H
#define CAUSAL_ANALYSIS_PROFILEREADER_H

#include "lib/container/Profile.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>

namespace causal {

class RecordFields;
struct ParsedLine;

class ProfileReader {
public:
  /// \p Warn takes one line of text without its newline: "file:line: message".
  using WarningHandler = std::function<void(const llvm::Twine &)>;

  explicit ProfileReader(WarningHandler Warn) : Warn(std::move(Warn)) {}

  /// Gives experiments to \p Take instead of keeping them in the profile: there
  /// may be millions, and not every reader needs them all at once. Their Raw
  /// text lives as long as the profile.
  void divertExperiments(std::function<void(const Experiment &)> Take) {
    TakeExperiment = std::move(Take);
  }

  /// \p Progress hears now and then how much of a file is read, 0..1.
  void reportProgress(std::function<void(llvm::StringRef File, double Done)> Progress) {
    OnProgress = std::move(Progress);
  }

  /// Reads one file ("-": standard input) into the profile.
  llvm::Error addFile(llvm::StringRef Path);
  llvm::Error addBuffer(std::unique_ptr<llvm::MemoryBuffer> Buffer);

  /// The profile so far; the reader is empty afterwards.
  Profile take();

  uint64_t skipped() const { return Skipped; }

private:
  struct PendingSnapshot {
    int64_t Index = -1;
    std::map<unsigned, LineCounts> Lines;
  };

  llvm::Error readLine(const ParsedLine &L);
  llvm::Error readRecord(const ParsedLine &L);
  llvm::Error readRun(RecordFields &F, llvm::StringRef Text);
  llvm::Error readModeRecord(RunMode Mode, RecordFields &F, llvm::StringRef Text);
  llvm::Error readExperiment(RecordFields &F, llvm::StringRef Text);
  llvm::Error readCounts(RecordFields &F, llvm::StringRef Text);
  llvm::Error readSnapshot(RecordFields &F, llvm::StringRef Text);
  void warn(const llvm::Twine &Message);

  WarningHandler Warn;
  std::function<void(llvm::StringRef, double)> OnProgress;
  std::function<void(const Experiment &)> TakeExperiment;
  Profile Result;
  std::map<unsigned, PendingSnapshot> Pending; ///< By run.
  uint64_t Skipped = 0;
  // Of the file being read.
  std::string Name;
  uint64_t LineNo = 0, Warnings = 0, Records = 0;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_PROFILEREADER_H
