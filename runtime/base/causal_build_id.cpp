//===- causal_build_id.cpp - The build-ids of images ----------------------===//
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

static BuildIdText Program;
static bool Known;

bool __causal::readBuildId(const char *Note, const char *End, BuildIdText &Result) {
  while (End - Note > static_cast<long>(sizeof(Elf64_Nhdr))) {
    const auto &Header = *reinterpret_cast<const Elf64_Nhdr *>(Note);
    const char *Name = Note + sizeof(Header);
    const char *Id = Name + ((Header.n_namesz + 3) & ~3u);
    Note = Id + ((Header.n_descsz + 3) & ~3u);
    if (Header.n_type != NT_GNU_BUILD_ID || Header.n_namesz != 4 ||
        __builtin_memcmp(Name, "GNU", 4) || Note > End)
      continue;
    uint32_t Size = Header.n_descsz < 64 ? Header.n_descsz : 64;
    for (uint32_t I = 0; I < Size; ++I) {
      unsigned char Byte = static_cast<unsigned char>(Id[I]);
      Result.Text[2 * I] = "0123456789abcdef"[Byte >> 4];
      Result.Text[2 * I + 1] = "0123456789abcdef"[Byte & 15];
    }
    Result.Text[2 * Size] = 0;
    return true;
  }
  return false;
}

// The first object that dl_iterate_phdr names is the program itself.
static int visit(dl_phdr_info *Info, size_t, void *) {
  for (int I = 0; I < Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &P = Info->dlpi_phdr[I];
    const char *Begin = reinterpret_cast<const char *>(Info->dlpi_addr + P.p_vaddr);
    if (P.p_type == PT_NOTE && readBuildId(Begin, Begin + P.p_memsz, Program))
      break;
  }
  return 1;
}

const char *__causal::buildId() {
  if (!Known)
    dl_iterate_phdr(visit, nullptr);
  Known = true;
  return Program.Text;
}
