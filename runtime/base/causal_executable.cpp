//===- causal_executable.cpp - What the program's file says ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_executable.h. BOLT keeps the old code as .bolt.org.text, and names itself in
// .note.bolt_info; neither is loaded.
//
//===----------------------------------------------------------------------===//
#include "base/causal_executable.h"
#include "base/causal_platform.h"
#include "base/causal_syscall.h"
#include "base/causal_text.h"

#include <elf.h>
#include <fcntl.h>

using namespace __causal;

static bool readAt(long Fd, void *To, uint64_t Size, uint64_t Offset) {
  return systemCall(SYS_pread64, static_cast<uint64_t>(Fd), reinterpret_cast<uint64_t>(To), Size,
                    Offset) == static_cast<long>(Size);
}

static bool readSection(long Fd, const Elf64_Ehdr &Header, unsigned Index, Elf64_Shdr *To) {
  return readAt(Fd, To, sizeof(*To), Header.e_shoff + uint64_t(Index) * sizeof(*To));
}

static bool hasSectionOfBolt(long Fd) {
  Elf64_Ehdr Header;
  Elf64_Shdr Names, Section;
  if (!readAt(Fd, &Header, sizeof(Header), 0) || !Header.e_shoff ||
      Header.e_shentsize != sizeof(Section) || !readSection(Fd, Header, Header.e_shstrndx, &Names))
    return false;
  for (unsigned I = 0; I < Header.e_shnum; ++I) {
    char Name[17] = {};
    if (!readSection(Fd, Header, I, &Section))
      return false;
    // The last name may be shorter than what is asked for.
    for (uint64_t Size = sizeof(Name) - 1; Size; --Size)
      if (readAt(Fd, Name, Size, Names.sh_offset + Section.sh_name))
        break;
    if (textEquals(Name, ".note.bolt_info") || textEquals(Name, ".bolt.org.text"))
      return true;
  }
  return false;
}

bool __causal::isRewritten() {
  OwnOpening Here;
  long Fd = systemCall(SYS_openat, static_cast<uint64_t>(AT_FDCWD), word("/proc/self/exe"),
                       O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return false;
  bool Has = hasSectionOfBolt(Fd);
  systemCall(SYS_close, static_cast<uint64_t>(Fd));
  return Has;
}
