//===- SegmentFile.cpp - A segment in the spool ---------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What may run into a SIGBUS is done by functions that own nothing, since a jump leaves them.
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/SegmentFile.h"
#include "lib/continuous/SegmentReader.h"

#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

using namespace llvm;

namespace causal::continuous {

using segment::Segment;

static thread_local sigjmp_buf *Escape;

static void onBusError(int Signal) {
  if (Escape)
    siglongjmp(*Escape, 1);
  std::signal(Signal, SIG_DFL);
  raise(Signal);
}

/// Runs F, which owns nothing; false if it ran into a page that is no longer there.
template <typename Function> static bool guarded(Function F) {
  static const bool Installed = [] {
    struct sigaction Action = {};
    Action.sa_handler = onBusError;
    sigaction(SIGBUS, &Action, nullptr);
    return true;
  }();
  (void)Installed;
  sigjmp_buf Here;
  if (sigsetjmp(Here, 1)) {
    Escape = nullptr;
    return false;
  }
  Escape = &Here;
  F();
  Escape = nullptr;
  return true;
}

std::optional<SegmentFile> SegmentFile::open(const Directory &Spool, const std::string &Name,
                                             uid_t Owner, std::string &Why) {
  Descriptor File(openat(Spool.fd(), Name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat S;
  if (!File || fstat(File.get(), &S)) {
    Why = std::strerror(errno);
    return std::nullopt;
  }
  if (!S_ISREG(S.st_mode) || S.st_uid != Owner || S.st_nlink > 1) {
    Why = "it is not a file of this user alone";
    return std::nullopt;
  }
  bool Ended = !flock(File.get(), LOCK_EX | LOCK_NB);
  if (size_t(S.st_size) != sizeof(Segment)) {
    Why = "it has another size than segments of this version";
    return std::nullopt;
  }
  void *At = mmap(nullptr, sizeof(Segment), PROT_READ | PROT_WRITE, MAP_SHARED, File.get(), 0);
  if (At == MAP_FAILED) {
    Why = std::strerror(errno);
    return std::nullopt;
  }
  return SegmentFile(std::move(File), static_cast<Segment *>(At), Ended);
}

SegmentFile::SegmentFile(SegmentFile &&Other) noexcept
    : Fd(std::move(Other.Fd)), Mapped(Other.Mapped), Ended(Other.Ended) {
  Other.Mapped = nullptr;
}

SegmentFile::~SegmentFile() {
  if (Mapped)
    munmap(Mapped, sizeof(Segment));
}

static bool isWaiting(const Segment &S, uint64_t Generation) {
  return Generation &&
         __atomic_load_n(&S.Collected[Generation & 1], __ATOMIC_ACQUIRE) != Generation;
}

std::optional<uint64_t> SegmentFile::retire(uint64_t Seconds) {
  uint64_t Former = 0;
  bool IsQuiet = false;
  bool Done = guarded([&] {
    uint64_t Active = __atomic_load_n(&Mapped->Active, __ATOMIC_SEQ_CST);
    // One that another round left, since somebody was in it.
    if (!isWaiting(*Mapped, segment::formerGeneration(Active))) {
      if (!__atomic_load_n(&Mapped->Halves[Active & 1].Samples, __ATOMIC_RELAXED))
        return;
      segment::beginGeneration(*Mapped, Active, Seconds);
      Active = __atomic_load_n(&Mapped->Active, __ATOMIC_SEQ_CST);
    }
    Former = segment::formerGeneration(Active);
    if (!isWaiting(*Mapped, Former))
      return;
    // A sample takes less than a microsecond, but its thread may have lost its core.
    for (unsigned Try = 0; Try < 20 && !IsQuiet; ++Try) {
      IsQuiet = segment::isQuiet(*Mapped, Former);
      timespec Pause = {0, 100000};
      if (!IsQuiet)
        nanosleep(&Pause, nullptr);
    }
  });
  return Done && IsQuiet ? std::optional(Former) : std::nullopt;
}

std::unique_ptr<Segment> SegmentFile::copy() const {
  auto Copy = std::make_unique<Segment>();
  // Images last: those of every entry are there then.
  bool Done = guarded([&, To = Copy.get()] {
    std::memcpy(To->Halves, Mapped->Halves, sizeof(To->Halves));
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    std::memcpy(static_cast<void *>(To), Mapped, offsetof(Segment, Halves));
  });
  return Done ? std::move(Copy) : nullptr;
}

bool SegmentFile::empty(uint64_t Generation) {
  return guarded([&] {
    uint64_t Former = segment::formerGeneration(__atomic_load_n(&Mapped->Active, __ATOMIC_SEQ_CST));
    if (Former == Generation && isWaiting(*Mapped, Former))
      segment::emptyHalf(*Mapped, Former);
  });
}

} // namespace causal::continuous
