//===- Files.cpp - Files that others may meddle with ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Files.h"

#include "llvm/ADT/STLExtras.h"

#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace causal::continuous {

Error fileError(const Twine &What, const Twine &Path, int Number) {
  return createStringError(std::error_code(Number, std::generic_category()),
                           What + " " + Path + ": " + std::strerror(Number));
}

Descriptor::~Descriptor() {
  if (Fd >= 0)
    close(Fd);
}

static constexpr int DirectoryFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

Expected<Directory> Directory::open(const std::string &Path, bool FollowLast) {
  Descriptor Fd(::open(Path.c_str(), DirectoryFlags | (FollowLast ? 0 : O_NOFOLLOW)));
  if (!Fd)
    return fileError("cannot open", Path, errno);
  return Directory(std::move(Fd), Path);
}

Expected<Directory> Directory::sub(const std::string &Name, bool Make) const {
  std::string Full = Path + "/" + Name;
  if (Make && mkdirat(fd(), Name.c_str(), 0700) && errno != EEXIST)
    return fileError("cannot make", Full, errno);
  Descriptor Fd(openat(fd(), Name.c_str(), DirectoryFlags | O_NOFOLLOW));
  if (!Fd)
    return fileError("cannot open", Full, errno);
  return Directory(std::move(Fd), Full);
}

static std::vector<std::string> entries(int Fd, bool DirectoriesOnly) {
  std::vector<std::string> Names;
  int Again = openat(Fd, ".", DirectoryFlags);
  DIR *D = Again < 0 ? nullptr : fdopendir(Again);
  if (!D)
    return Names;
  while (dirent *E = readdir(D)) {
    StringRef Name = E->d_name;
    if (Name == "." || Name == "..")
      continue;
    struct stat S;
    if (!DirectoriesOnly ||
        (!fstatat(Fd, E->d_name, &S, AT_SYMLINK_NOFOLLOW) && S_ISDIR(S.st_mode)))
      Names.push_back(Name.str());
  }
  closedir(D);
  sort(Names);
  return Names;
}

std::vector<std::string> Directory::names() const { return entries(fd(), false); }
std::vector<std::string> Directory::directories() const { return entries(fd(), true); }

uid_t Directory::owner() const {
  struct stat S;
  return fstat(fd(), &S) ? uid_t(-1) : S.st_uid;
}

std::optional<std::string> Directory::read(const std::string &Name, size_t Most) const {
  // A pipe would wait for somebody to write into it.
  Descriptor File(openat(fd(), Name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat S;
  if (!File || fstat(File.get(), &S) || !S_ISREG(S.st_mode) || size_t(S.st_size) > Most)
    return std::nullopt;
  std::string Text(size_t(S.st_size), '\0');
  size_t Done = 0;
  while (Done < Text.size()) {
    ssize_t N = ::read(File.get(), &Text[Done], Text.size() - Done);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      break;
    Done += size_t(N);
  }
  Text.resize(Done);
  return Text;
}

static int writeAll(int Fd, StringRef Text) {
  while (!Text.empty()) {
    ssize_t N = write(Fd, Text.data(), Text.size());
    if (N < 0 && errno == EINTR)
      continue;
    if (N < 0)
      return errno;
    Text = Text.drop_front(size_t(N));
  }
  return 0;
}

Error Directory::replace(const std::string &Name, StringRef Text) const {
  // One name, which is written under a lock: what a killed collector left is replaced.
  std::string New = Name + ".new", Full = Path + "/" + Name;
  unlinkat(fd(), New.c_str(), 0);
  int Flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Descriptor File(openat(fd(), New.c_str(), Flags, 0600));
  if (!File)
    return fileError("cannot make", Full, errno);
  int Problem = writeAll(File.get(), Text);
  if (!Problem && fsync(File.get()))
    Problem = errno;
  if (!Problem && renameat(fd(), New.c_str(), fd(), Name.c_str()))
    Problem = errno;
  if (!Problem)
    return Error::success();
  unlinkat(fd(), New.c_str(), 0);
  return fileError("cannot write", Full, Problem);
}

Error Directory::remove(const std::string &Name) const {
  if (unlinkat(fd(), Name.c_str(), 0) && errno != ENOENT)
    return fileError("cannot remove", Path + "/" + Name, errno);
  return Error::success();
}

Error Directory::removeTree(const std::string &Name) const {
  if (auto Inner = sub(Name, /*Make=*/false)) {
    for (const std::string &Each : Inner->directories())
      if (Error E = Inner->removeTree(Each))
        return E;
    for (const std::string &Each : Inner->names())
      if (Error E = Inner->remove(Each))
        return E;
  } else {
    consumeError(Inner.takeError());
  }
  if (unlinkat(fd(), Name.c_str(), AT_REMOVEDIR) && errno != ENOENT)
    return fileError("cannot remove", Path + "/" + Name, errno);
  return Error::success();
}

Error Directory::rename(const std::string &From, const std::string &To) const {
  if (renameat(fd(), From.c_str(), fd(), To.c_str()))
    return fileError("cannot rename", Path + "/" + From, errno);
  return Error::success();
}

Error Directory::sync() const {
  return fsync(fd()) ? fileError("cannot write", Path, errno) : Error::success();
}

Expected<Descriptor> Directory::lock(const std::string &Name, bool Alone, bool Wait) const {
  int Flags = Alone ? O_RDWR | O_CREAT : O_RDONLY;
  Descriptor File(openat(fd(), Name.c_str(), Flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (!File)
    return fileError("cannot open", Path + "/" + Name, errno);
  while (flock(File.get(), (Alone ? LOCK_EX : LOCK_SH) | (Wait ? 0 : LOCK_NB)))
    if (errno == EWOULDBLOCK)
      return Descriptor();
    else if (errno != EINTR)
      return fileError("cannot lock", Path + "/" + Name, errno);
  return File;
}

uint64_t Directory::bytes() const {
  uint64_t Sum = 0;
  for (const std::string &Name : names()) {
    struct stat S;
    if (fstatat(fd(), Name.c_str(), &S, AT_SYMLINK_NOFOLLOW))
      continue;
    if (S_ISREG(S.st_mode))
      Sum += std::max(uint64_t(S.st_size), uint64_t(S.st_blocks) * 512);
    if (!S_ISDIR(S.st_mode))
      continue;
    if (auto Inner = sub(Name, /*Make=*/false))
      Sum += Inner->bytes();
    else
      consumeError(Inner.takeError());
  }
  return Sum;
}

} // namespace causal::continuous
