//===- ImageFile.h - The samples of one image -------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the continuous database stores: how often each address of an image was sampled, for
// one event with one period. Collector, database and commands use it. Nothing here looks at
// a clock or at the file system. What a file says is not trusted: a reader refuses what it
// cannot use, and sums stop at the largest number.
//
// A record, all numbers ULEB128, text with its length before it:
//   event, period, last delta, thinned, build-id, path, entries, {address step, count} *
// An image file is "CAUSALI1", one record, and the CRC-32 of both in four bytes.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_IMAGEFILE_H
#define CAUSAL_CONTINUOUS_IMAGEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>

namespace causal::continuous {

/// What ended a period. In a segment 4 bits.
enum class Event : uint8_t {
  CPU,          ///< A thread's CPU time; the period is in nanoseconds.
  Cycles,       ///< Cycles of the processor, as the kernel counts them. So are the others.
  CacheMisses,  ///< Of the last level.
  BranchMisses, ///< Mispredicted branches.
  Totals,       ///< None: the record counts what was sampled, by the addresses of Total.
};
constexpr unsigned NumEvents = 5;
llvm::StringRef eventName(Event E);
std::optional<Event> eventOf(llvm::StringRef Name);

/// Sums stop here: an untrusted number must not wrap around.
uint64_t saturatingSum(uint64_t A, uint64_t B);

struct ImageSamples {
  std::string BuildId; ///< In hexadecimal; empty: the image has none, and Path is who it is.
  std::string Path;    ///< Where it was last seen; "[kernel]" is none.
  Event Kind = Event::CPU;
  uint64_t Period = 0; ///< Of one sample: nanoseconds, or events.
  /// By virtual address in the ELF file: the program counter less the load bias.
  std::map<uint64_t, uint64_t> Counts;
  uint64_t Thinned = 0;   ///< Samples whose addresses were given up to save space.
  uint64_t LastDelta = 0; ///< The collector's; see Collector.h.

  uint64_t total() const;
  /// Adds the samples of \p Other, which has the same key.
  void add(const ImageSamples &Other);
  /// Who the samples belong to: build-id (or path), event and period. Also a file name.
  std::string key() const;
};

/// What a record of Event::Totals counts, for samples of each event with its period.
enum class Total : uint64_t {
  Samples,   ///< Taken. Always the sum of those in images, Dropped and Unmapped.
  Dropped,   ///< Found no room, or their process was killed while it counted them.
  Unmapped,  ///< In code of no image: made at run time, or unloaded.
  Processes, ///< That ended.
};
/// The address under which a record of Event::Totals has the \p What of samples of \p Kind.
uint64_t totalAddress(Event Kind, Total What);

/// Appends the record of \p S to \p Out.
void encodeRecord(const ImageSamples &S, std::string &Out);
/// Takes a record off the front of \p Bytes; nothing if there is none.
std::optional<ImageSamples> decodeRecord(llvm::StringRef &Bytes);

std::string encodeImageFile(const ImageSamples &S);
std::optional<ImageSamples> decodeImageFile(llvm::StringRef Bytes);

/// The parts of records, for those who store more than one.
void putNumber(uint64_t Value, std::string &Out);
void putText(llvm::StringRef Text, std::string &Out);
std::optional<uint64_t> takeNumber(llvm::StringRef &Bytes);
std::optional<std::string> takeText(llvm::StringRef &Bytes);
/// Appends the CRC-32 of \p Out to it; checks one and takes it off.
void sealBytes(std::string &Out);
bool unsealBytes(llvm::StringRef &Bytes);

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_IMAGEFILE_H
