//===- causal_image_list.cpp - Which files the code is of -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_image_list.h.
//
//===----------------------------------------------------------------------===//
#include "code/causal_image_list.h"
#include "base/causal_syscall.h"
#include "base/causal_text.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>

using namespace __causal;

static constexpr uint32_t MaxImages = 1024;
static constexpr uint32_t ArenaSize = 1 << 18;
static LoadedImage Images[MaxImages];
static uint32_t Used, ArenaUsed, LastFound;
static char Arena[ArenaSize];

/// The result of _dl_find_object, as glibc's <dlfcn.h> has it from 2.35 on.
struct FoundObject {
  unsigned long long Flags;
  void *MapStart, *MapEnd;
  struct link_map *Map;
  void *EhFrameHeader;
  unsigned long long Reserved[7];
};
static int (*FindObject)(void *PC, FoundObject *Result);

// All code of the runtime lies in one section (runtime/CMakeLists.txt).
extern "C" __attribute__((visibility("hidden"))) const char __start_causal_text[],
    __stop_causal_text[];

bool __causal::isRuntimeCode(uintptr_t PC) {
  return PC >= reinterpret_cast<uintptr_t>(__start_causal_text) &&
         PC < reinterpret_cast<uintptr_t>(__stop_causal_text);
}

static const char *copy(const char *Text) {
  uint32_t Size = static_cast<uint32_t>(textLength(Text)) + 1;
  if (Size > ArenaSize - ArenaUsed)
    return "";
  char *To = Arena + ArenaUsed;
  ArenaUsed += Size;
  __builtin_memcpy(To, Text, Size);
  return To;
}

// The loader has no name for the program.
static const char *nameOf(const char *Name) {
  static char Link[PATH_MAX]; // Handlers have little stack.
  if (Name && *Name)
    return Name;
  long Size = systemCall(SYS_readlink, word("/proc/self/exe"), word(Link), sizeof(Link) - 1);
  Link[Size > 0 ? Size : 0] = 0;
  return Link;
}

static LoadedImage *add(const LoadedImage &New) {
  for (uint32_t I = 0; I != Used; ++I) {
    LoadedImage &Old = Images[I];
    if (Old.Present || !textEquals(Old.Path, New.Path) ||
        !textEquals(Old.BuildId.Text, New.BuildId.Text))
      continue;
    Old.Low = New.Low;
    Old.High = New.High;
    Old.Bias = New.Bias;
    Old.Present = true;
    return &Old;
  }
  if (Used == MaxImages)
    return nullptr;
  LoadedImage &I = Images[Used] = New;
  I.Path = copy(New.Path);
  I.Present = true;
  I.Written = false;
  ++Used;
  return &I;
}

static LoadedImage *addImage(const ElfW(Phdr) * Segments, unsigned Count, uintptr_t Bias,
                             const char *Name) {
  LoadedImage I = {};
  I.Low = UINTPTR_MAX;
  I.Bias = Bias;
  for (unsigned S = 0; S != Count; ++S) {
    uintptr_t Begin = Bias + Segments[S].p_vaddr, End = Begin + Segments[S].p_memsz;
    if (Segments[S].p_type == PT_NOTE)
      readBuildId(reinterpret_cast<const char *>(Begin), reinterpret_cast<const char *>(End),
                  I.BuildId);
    if (Segments[S].p_type != PT_LOAD)
      continue;
    I.Low = Begin < I.Low ? Begin : I.Low;
    I.High = End > I.High ? End : I.High;
  }
  if (I.Low >= I.High)
    return nullptr;
  for (uint32_t O = 0; O != Used; ++O)
    if (Images[O].Present && Images[O].Low == I.Low && Images[O].High == I.High)
      return &Images[O];
  I.Path = nameOf(Name);
  return add(I);
}

static LoadedImage *askLoader(uintptr_t PC) {
  FoundObject Found;
  if (!FindObject || FindObject(reinterpret_cast<void *>(PC), &Found))
    return nullptr;
  uintptr_t Start = reinterpret_cast<uintptr_t>(Found.MapStart);
  if (!isReadable(Start))
    return nullptr;
  auto *Header = reinterpret_cast<const ElfW(Ehdr) *>(Start);
  if (__builtin_memcmp(Header->e_ident, ELFMAG, SELFMAG) || Header->e_phoff > 4096 ||
      Header->e_phentsize != sizeof(ElfW(Phdr)))
    return nullptr;
  return addImage(reinterpret_cast<const ElfW(Phdr) *>(Start + Header->e_phoff), Header->e_phnum,
                  Found.Map->l_addr, Found.Map->l_name);
}

static bool isIn(const LoadedImage &I, uintptr_t PC) {
  return I.Present && PC >= I.Low && PC < I.High;
}

LoadedImage *__causal::imageAt(uintptr_t PC) {
  if (LastFound < Used && isIn(Images[LastFound], PC))
    return &Images[LastFound];
  for (uint32_t I = 0; I != Used; ++I)
    if (isIn(Images[I], PC))
      return &Images[LastFound = I];
  return askLoader(PC);
}

uint32_t __causal::imageNumber(const LoadedImage &I) {
  return static_cast<uint32_t>(&I - Images) + 1;
}

static bool Seen[MaxImages];

static int visit(dl_phdr_info *Info, size_t, void *) {
  if (LoadedImage *I =
          addImage(Info->dlpi_phdr, Info->dlpi_phnum, Info->dlpi_addr, Info->dlpi_name))
    Seen[I - Images] = true;
  return 0;
}

void __causal::refreshImageList(void (*Forget)(uintptr_t Low, uintptr_t High)) {
  __builtin_memset(Seen, 0, sizeof(Seen));
  dl_iterate_phdr(visit, nullptr);
  for (uint32_t I = 0; I != Used; ++I) {
    if (Seen[I] || !Images[I].Present)
      continue;
    Images[I].Present = false;
    if (Forget)
      Forget(Images[I].Low, Images[I].High);
  }
}

void __causal::restartImageList() {
  for (uint32_t I = 0; I != Used; ++I)
    Images[I].Written = false;
}

void __causal::initImageList() {
#ifndef CAUSAL_STATIC
  FindObject =
      reinterpret_cast<int (*)(void *, FoundObject *)>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
#endif
  refreshImageList(nullptr);
}
