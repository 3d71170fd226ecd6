//===- Files.h - Files that others may meddle with --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A database may lie in a directory that several users share. Everything here goes by open
// directories and never follows a link; what is made belongs to its owner alone. A file
// that is replaced is so as a whole.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_FILES_H
#define CAUSAL_CONTINUOUS_FILES_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace causal::continuous {

/// "WHAT PATH: why".
llvm::Error fileError(const llvm::Twine &What, const llvm::Twine &Path, int Number);

/// An open file or directory, closed with it.
class Descriptor {
public:
  explicit Descriptor(int Fd = -1) : Fd(Fd) {}
  Descriptor(Descriptor &&Other) noexcept : Fd(Other.Fd) { Other.Fd = -1; }
  Descriptor &operator=(Descriptor &&Other) noexcept {
    std::swap(Fd, Other.Fd);
    return *this;
  }
  ~Descriptor();
  int get() const { return Fd; }
  explicit operator bool() const { return Fd >= 0; }

private:
  int Fd;
};

class Directory {
public:
  /// The last part of \p Path may not be a link, unless \p FollowLast.
  static llvm::Expected<Directory> open(const std::string &Path, bool FollowLast = false);
  /// Within this one; made first, for its owner alone, if it is missing and \p Make.
  llvm::Expected<Directory> sub(const std::string &Name, bool Make) const;

  const std::string &path() const { return Path; }
  int fd() const { return Fd.get(); }
  /// The names in it but for . and .., sorted.
  std::vector<std::string> names() const;
  /// The names of its directories; links to them are none.
  std::vector<std::string> directories() const;
  /// Who owns it.
  uid_t owner() const;

  /// Nothing if \p Name is missing, no regular file, or larger than \p Most.
  std::optional<std::string> read(const std::string &Name, size_t Most = size_t(1) << 30) const;
  /// Replaces \p Name by \p Text, which is on the disk when it returns.
  llvm::Error replace(const std::string &Name, llvm::StringRef Text) const;
  llvm::Error remove(const std::string &Name) const;
  /// With all that is in it.
  llvm::Error removeTree(const std::string &Name) const;
  llvm::Error rename(const std::string &From, const std::string &To) const;
  /// Names that were made or removed are so on the disk, too.
  llvm::Error sync() const;
  /// Opens \p Name and takes its lock, alone or with other readers; waits until it is free,
  /// unless not \p Wait: then the descriptor is none.
  llvm::Expected<Descriptor> lock(const std::string &Name, bool Alone, bool Wait = true) const;
  /// Bytes that the regular files below take on the disk.
  uint64_t bytes() const;

private:
  Directory(Descriptor Fd, std::string Path) : Fd(std::move(Fd)), Path(std::move(Path)) {}
  Descriptor Fd;
  std::string Path;
};

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_FILES_H
