//===- SourceText.h - Source lines and short paths for display --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the text of a source line, and makes paths, names and times short
// enough for a table. A profile may come from elsewhere: a missing file is no
// failure, and what is read from one is made printable.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_SOURCETEXT_H
#define CAUSAL_ANALYSIS_SOURCETEXT_H

#include "lib/container/Profile.h"

#include "llvm/Support/Error.h"

namespace causal {

class SourceText {
public:
  /// Files not found under their recorded path are looked for under \p Root, by
  /// the longest trailing part of the path that exists there; empty: no such
  /// search.
  explicit SourceText(std::string Root) : Root(std::move(Root)) {}

  /// The line without indentation, control characters replaced; none if
  /// unknown.
  std::optional<std::string> line(llvm::StringRef File, unsigned Line);
  /// The same with its indentation, tabs as spaces.
  std::optional<std::string> indented(llvm::StringRef File, unsigned Line);

  /// The whole file, as it is, until this object goes; none if unknown.
  std::optional<llvm::StringRef> text(llvm::StringRef File);

  /// Those of \p Files that were written after \p Time, in nanoseconds since 1970.
  std::vector<llvm::StringRef> newerThan(int64_t Time, llvm::ArrayRef<llvm::StringRef> Files);

private:
  std::string pathOf(llvm::StringRef File) const;
  const llvm::MemoryBuffer *load(llvm::StringRef File);
  std::optional<llvm::StringRef> find(llvm::StringRef File, unsigned Line);

  std::string Root;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> Files;
  llvm::StringMap<std::vector<size_t>> LineStarts;
};

/// For each file the shortest trailing part of its path that no other file of
/// \p Files ends in: "sqlite3.c", or "a/x.c" and "b/x.c".
llvm::StringMap<std::string> shortNames(llvm::ArrayRef<llvm::StringRef> Files);

/// \p Text cut to \p Width columns: at its start for a path, so that the file
/// name stays, at its end for code.
std::string shortenPath(llvm::StringRef Text, size_t Width);
std::string shortenCode(llvm::StringRef Text, size_t Width);

/// Control characters, which could drive a terminal, and marks that turn the direction of
/// text become '?'.
std::string printable(llvm::StringRef Text);

/// A time of three digits in a fitting unit: "8.32 ms".
std::string formatTime(double Ns);

/// A possibly mangled name as it is declared: "ns::f(int)".
std::string demangledName(llvm::StringRef Name);
/// The bare name of a possibly mangled function: "ns::f(int)" is "f".
std::string shortFunctionName(llvm::StringRef Name);

/// "file:12", "file:f" for all of a function, or "file:12:lock" for a critical section,
/// with \p File for the file.
std::string placeOf(const SourceLine &L, llvm::StringRef File);
/// The places that \p Text lists, of several targets that were made faster together: it is their
/// place, as fixed_line= had it (TargetSpec in the runtime has the rule), or the file of that.
/// Of one target alone: \p Text.
llvm::SmallVector<llvm::StringRef> splitGroup(llvm::StringRef Text);
/// Whether \p L is several targets that were made faster together.
bool isGroup(const SourceLine &L);
/// A group's place: as many members as have room in \p Width, and how many more there are.
std::string shortenGroup(llvm::StringRef Place, size_t Width);
/// \p Word and the function that a line is in; nothing for a function.
std::string functionOf(const SourceLine &L, llvm::StringRef Word = " ");
/// What the targets of a profile are, if they are all of one kind.
std::optional<TargetKind> targetKind(const Profile &P);
/// The same in words: "line", "function", "critical section", or "target" for several.
llvm::StringRef targetWord(const Profile &P);

/// Whether \p Name means that point. One without a name is called after its place: the
/// file name will do.
bool isNamed(const ProgressPoint &Point, llvm::StringRef Name);
/// That there is none of that name, and which there are.
llvm::Error noSuchPoint(const Profile &P, llvm::StringRef Name);

/// The target that \p Spec, as placeOf() writes it, names; FILE may be any
/// trailing part of the path. An error if there is none or more than one.
llvm::Expected<unsigned> findLine(const Profile &P, llvm::StringRef Spec);

} // namespace causal

#endif // CAUSAL_ANALYSIS_SOURCETEXT_H
