//===- causal_input_shadow.cpp - Reserving windows ------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_input_shadow.h.
//
//===----------------------------------------------------------------------===//
#include "input/causal_input_shadow.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"

#include <fcntl.h>
#include <sys/mman.h>

using namespace __causal;

static bool overlapsWindows(uint64_t Begin, uint64_t End) {
  for (const AddressRange &R : WindowRanges)
    if (Begin < R.End && End > R.Begin)
      return true;
  return false;
}

namespace {

/// Reads "begin-end ..." from lines of /proc/self/maps, however the pieces are cut.
class MapsReader {
public:
  /// The first mapping that lies where windows are to be, or false.
  bool findConflict(const char *Text, size_t Size) {
    for (size_t I = 0; I < Size; ++I)
      if (step(Text[I]))
        return true;
    return false;
  }
  uint64_t begin() const { return Number[0]; }

private:
  bool step(char C) {
    if (C == '\n') {
      Field = 0;
      Number[0] = Number[1] = 0;
      return false;
    }
    if (Field > 1)
      return false;
    if (C != '-' && C != ' ') {
      unsigned Digit = static_cast<unsigned>(C <= '9' ? C - '0' : C - 'a' + 10);
      Number[Field] = Number[Field] << 4 | Digit;
      return false;
    }
    return ++Field == 2 && overlapsWindows(Number[0], Number[1]);
  }

  unsigned Field = 0;
  uint64_t Number[2] = {};
};

} // namespace

bool __causal::checkAddressSpace() {
  long Fd = systemCall(SYS_open, word("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return true; // What is in the way, mapping windows will tell.
  static char Buffer[4096];
  MapsReader Reader;
  bool Conflict = false;
  long Size;
  while (!Conflict &&
         (Size = systemCall(SYS_read, static_cast<uint64_t>(Fd), word(Buffer), sizeof(Buffer))) > 0)
    Conflict = Reader.findConflict(Buffer, static_cast<size_t>(Size));
  systemCall(SYS_close, static_cast<uint64_t>(Fd));
  if (Conflict)
    CAUSAL_REPORT("causal: the program has memory at 0x%zx, where the tables of input-sensitive "
                  "profiling would be: it runs without a profile. Run it as: setarch -R PROGRAM, "
                  "without a legacy address layout or an unlimited stack (ulimit -s)\n",
                  static_cast<__sanitizer::uptr>(Reader.begin()));
  return !Conflict;
}

bool __causal::mapWindow(unsigned Window) {
  uint64_t Base = windowBase(Window);
  uint64_t Access = Window == ZeroWindow ? PROT_READ : PROT_READ | PROT_WRITE;
  long P = systemCall(SYS_mmap, Base, WindowSize, Access,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, ~0ull);
  if (P >= 0 && static_cast<uint64_t>(P) != Base) { // A kernel that takes it for a hint.
    systemCall(SYS_munmap, static_cast<uint64_t>(P), WindowSize);
    P = -EEXIST;
  }
  if (P < 0) {
    CAUSAL_REPORT("causal: cannot reserve %zu GiB of address space at 0x%zx (errno %d): nothing "
                  "is profiled that needs it. Lift the limit on address space (ulimit -v "
                  "unlimited), and set vm.overcommit_memory to 0 or 1\n",
                  static_cast<__sanitizer::uptr>(WindowSize >> 30),
                  static_cast<__sanitizer::uptr>(Base), static_cast<int>(-P));
    return false;
  }
  systemCall(SYS_madvise, Base, WindowSize, MADV_NOHUGEPAGE);
  systemCall(SYS_madvise, Base, WindowSize, MADV_DONTDUMP);
  return true;
}

void __causal::emptyWindow(unsigned Window) {
  systemCall(SYS_madvise, windowBase(Window), WindowSize, MADV_DONTNEED);
}

void __causal::forEachTouched(unsigned Window,
                              void (*Function)(void *Context, uint64_t Begin, uint64_t End),
                              void *Context) {
  constexpr uint64_t Page = 4096, Pages = 1 << 14;
  unsigned char Present[Pages];
  uint64_t Base = windowBase(Window);
  for (uint64_t Begin = Base; Begin < Base + WindowSize; Begin += Page * Pages) {
    if (systemCall(SYS_mincore, Begin, Page * Pages, word(Present)))
      continue;
    for (uint64_t I = 0; I < Pages; ++I)
      if (Present[I] & 1)
        Function(Context, Begin + I * Page, Begin + (I + 1) * Page);
  }
}
