//===- causal_build_id.cpp - The program's build-id -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_build_id.h.
//
//===----------------------------------------------------------------------===//
#include "base/causal_build_id.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>

using namespace __causal;

static char Text[2 * 64 + 1];
static bool Known;

static bool readNotes(const char *Note, const char *End) {
  while (End - Note > static_cast<long>(sizeof(Elf64_Nhdr))) {
    const auto &Header = *reinterpret_cast<const Elf64_Nhdr *>(Note);
    const char *Name = Note + sizeof(Header);
    const char *Id = Name + ((Header.n_namesz + 3) & ~3u);
    Note = Id + ((Header.n_descsz + 3) & ~3u);
    if (Header.n_type != NT_GNU_BUILD_ID || Header.n_namesz != 4 ||
        __builtin_memcmp(Name, "GNU", 4) || Note > End)
      continue;
    for (uint32_t I = 0; I < Header.n_descsz && I < 64; ++I) {
      unsigned char Byte = static_cast<unsigned char>(Id[I]);
      Text[2 * I] = "0123456789abcdef"[Byte >> 4];
      Text[2 * I + 1] = "0123456789abcdef"[Byte & 15];
    }
    return true;
  }
  return false;
}

// The first object that dl_iterate_phdr names is the program itself.
static int visit(dl_phdr_info *Info, size_t, void *) {
  for (int I = 0; I < Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &P = Info->dlpi_phdr[I];
    const char *Begin = reinterpret_cast<const char *>(Info->dlpi_addr + P.p_vaddr);
    if (P.p_type == PT_NOTE && readNotes(Begin, Begin + P.p_memsz))
      break;
  }
  return 1;
}

const char *__causal::buildId() {
  if (!Known)
    dl_iterate_phdr(visit, nullptr);
  Known = true;
  return Text;
}
