//===- SegmentFile.h - A segment in the spool -------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens the file of a process, which may live and counts on meanwhile. Its owner may also
// truncate it at any moment: what would be a SIGBUS then is a failure of the access.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_SEGMENTFILE_H
#define CAUSAL_CONTINUOUS_SEGMENTFILE_H

#include "lib/continuous/Files.h"

#include "causal/SegmentFormat.h"

#include <memory>

namespace causal::continuous {

class SegmentFile {
public:
  /// Of the user \p Owner. Nothing, and \p Why, if it is not one, or cannot be had.
  static std::optional<SegmentFile> open(const Directory &Spool, const std::string &Name,
                                         uid_t Owner, std::string &Why);
  SegmentFile(SegmentFile &&Other) noexcept;
  SegmentFile &operator=(SegmentFile &&) = delete;
  ~SegmentFile();

  /// Nobody will count in it again.
  bool hasEnded() const { return Ended; }

  /// Begins a new generation, if the half in use holds samples, and waits until nobody is in
  /// the old one. Returns that, if it can be folded; nothing, if there is none.
  std::optional<uint64_t> retire(uint64_t Seconds);
  /// What it holds now; null if that could not be read.
  std::unique_ptr<segment::Segment> copy() const;
  /// False: it could not be written.
  bool empty(uint64_t Generation);

private:
  SegmentFile(Descriptor Fd, segment::Segment *S, bool Ended)
      : Fd(std::move(Fd)), Mapped(S), Ended(Ended) {}
  Descriptor Fd;
  segment::Segment *Mapped;
  bool Ended;
};

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_SEGMENTFILE_H
