//===- causal_source_lines.h - Source lines seen by samples -----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives each sampled source line a small number and counts its samples. A line is
// a file and a line number, or all of a file that belongs to one function; whether
// it is in scope is decided once for its file.
//
// The object is zero-initialised memory (several MB, mostly untouched) that the
// caller maps. Context: intern() and count() in any thread, sample handler
// included: lock-free, no allocation, no waiting for others.
// Entries are never removed, and strings are copied, so that dlclose is harmless.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SOURCE_LINES_H
#define CAUSAL_SOURCE_LINES_H

#include <stddef.h>
#include <stdint.h>

namespace __causal {

/// What is made faster: a source line, all lines of a function, or all that is done with
/// a lock held that is taken in a line.
enum class TargetKind : uint8_t { Line, Function, Section };

/// Which source files samples may be attributed to: lists of globs, as isInScope()
/// in causal_glob.h takes them; and what the entries of the table are.
struct ScopePolicy {
  const char *Scope = "";
  const char *Exclude = "";
  TargetKind Kind = TargetKind::Line;
};

class SourceLines {
public:
  static constexpr uint32_t MaxLines = 1 << 16; ///< Ids fit in 16 bits.
  /// From here on, and 0, are no ids of lines.
  static constexpr uint32_t FirstReserved = MaxLines - 2;
  static constexpr uint32_t Undecided = FirstReserved;
  static constexpr uint32_t MaxFiles = 1 << 14;
  static constexpr size_t ArenaSize = 16 << 20;

  struct Line {
    uint32_t State, File;
    uint32_t Number; ///< 0: all of the function.
    const char *Function;
    uint64_t Samples, UndelayedSamples;
  };

  /// Before the first intern().
  void setPolicy(const ScopePolicy &P) { Policy = P; }

  TargetKind kind() const { return Policy.Kind; }

  /// The id of a line, or 0 when its file is out of scope, Number is 0, a function that is to
  /// be a target has no name (a thunk of the compiler's), or there is no room left. Undecided
  /// while another thread enters the line or its file.
  uint32_t intern(const char *File, uint32_t Number, const char *Function);
  /// The same for a line of MemberFile that belongs to a group of this name.
  uint32_t internGroup(const char *MemberFile, const char *File, uint32_t Number,
                       const char *Function);

  void count(uint32_t Id, bool Undelayed, uint32_t Samples = 1) {
    __atomic_fetch_add(&Lines[Id].Samples, Samples, __ATOMIC_RELAXED);
    if (Undelayed)
      __atomic_fetch_add(&Lines[Id].UndelayedSamples, Samples, __ATOMIC_RELAXED);
  }

  /// Null when no line has this id.
  const Line *line(uint32_t Id) const {
    const Line &L = Lines[Id % MaxLines];
    return __atomic_load_n(&L.State, __ATOMIC_ACQUIRE) == Ready ? &L : nullptr;
  }
  /// Number of lines known, and the id of each below it, in the order they came.
  uint32_t known() const { return __atomic_load_n(&Known, __ATOMIC_ACQUIRE); }
  uint32_t id(uint32_t Index) const { return __atomic_load_n(&Ids[Index], __ATOMIC_RELAXED); }
  const char *file(const Line &L) const { return Files[L.File].Path; }

  /// How often intern() found no room, or was Undecided.
  uint64_t dropped() const { return __atomic_load_n(&Dropped, __ATOMIC_RELAXED); }

private:
  enum : uint32_t { Empty, Building, Ready };
  struct File {
    uint32_t State, InScope;
    const char *Path;
  };

  uint32_t internFile(const char *Path);
  uint32_t internIn(uint32_t FileIndex, uint32_t Number, const char *Function);
  const char *copy(const char *Text);
  uint32_t drop(uint32_t Result) {
    __atomic_fetch_add(&Dropped, 1, __ATOMIC_RELAXED);
    return Result;
  }

  ScopePolicy Policy;
  uint64_t Dropped;
  size_t ArenaUsed;
  File Files[MaxFiles];
  Line Lines[MaxLines];
  uint32_t Ids[MaxLines], Known;
  char Arena[ArenaSize];
};

} // namespace __causal

#endif // CAUSAL_SOURCE_LINES_H
