//===- causal_input_images.cpp - Libraries that are not seen --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_input_images.h.
//
//===----------------------------------------------------------------------===//
#include "input/causal_input_images.h"
#include "input/causal_input_routines.h"

#include <link.h>

using namespace __causal;

static bool hasRoutine(const dl_phdr_info &Image) {
  for (unsigned H = 0; H < Image.dlpi_phnum; ++H) {
    const ElfW(Phdr) &Header = Image.dlpi_phdr[H];
    if (Header.p_type != PT_LOAD)
      continue;
    uint64_t Begin = Image.dlpi_addr + Header.p_vaddr;
    for (uint32_t I = 1, N = routinesNamed(); I <= N; ++I) {
      uint64_t Address = reinterpret_cast<uint64_t>(routineNamed(I)->From);
      if (Address >= Begin && Address < Begin + Header.p_memsz)
        return true;
    }
  }
  return false;
}

static bool beginsWith(const char *Text, const char *Prefix) {
  while (*Prefix && *Text == *Prefix)
    ++Text, ++Prefix;
  return !*Prefix;
}

static const char *fileName(const char *Path) {
  const char *Name = Path;
  for (const char *P = Path; *P; ++P)
    if (*P == '/')
      Name = P + 1;
  return Name;
}

void __causal::putUninstrumented(TextBuffer &Out) {
  dl_iterate_phdr(
      [](dl_phdr_info *Image, size_t, void *Context) {
        const char *Name = fileName(Image->dlpi_name);
        static const char *const Known[] = {"linux-vdso.", "ld-linux", "libc.so", "libc-",
                                            "libpthread",  "libdl.so", "librt.so"};
        bool IsKnown = !*Name;
        for (const char *Prefix : Known)
          IsKnown |= beginsWith(Name, Prefix);
        if (IsKnown || hasRoutine(*Image))
          return 0;
        auto &To = *static_cast<TextBuffer *>(Context);
        if (To.size())
          To.put(' ');
        To.put(Name);
        return 0;
      },
      &Out);
}
