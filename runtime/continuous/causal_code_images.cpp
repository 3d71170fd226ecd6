//===- causal_code_images.cpp - Which image a sample lies in --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// _dl_find_object may be called in handlers. Code that is being sampled is loaded, so its
// headers and its build-id can be read. Two threads that find an image at once both enter it:
// the tool adds the two up. Another image that was loaded in the place of one that has gone
// has another build-id, or, without one, another entry of the loader.
//
//===----------------------------------------------------------------------===//
#include "continuous/causal_code_images.h"
#include "base/causal_syscall.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>

using namespace __causal;
using segment::Image;
using segment::Segment;

namespace {

/// The result of _dl_find_object, as glibc's <dlfcn.h> has it from 2.35 on.
struct FoundObject {
  unsigned long long Flags;
  void *MapStart, *MapEnd;
  link_map *LinkMap;
  void *EhFrameHeader;
  unsigned long long Reserved[7];
};

/// What is known of the image that has the same place in the segment.
struct Known {
  uintptr_t Low, High, Bias;
  const void *LinkMap;
  const uint8_t *BuildId; ///< Where it is in the image; null: it has none.
};

} // namespace

static int (*FindObject)(void *PC, FoundObject *Result);
static Known KnownImages[segment::MaxImages];
static char Executable[PATH_MAX];

// By address of their beginning: places, from 1 on.
static constexpr unsigned Slots = 1024;
static uint16_t Places[Slots];

static unsigned slotOf(uintptr_t Low, unsigned Try) {
  return (static_cast<unsigned>((Low >> 12) * 0x9E3779B97F4A7C15ull >> 40) + Try) % Slots;
}

static size_t textSize(const char *Text) {
  size_t Size = 0;
  while (Text[Size])
    ++Size;
  return Size;
}

// The build-id in the notes from At on, and its size.
static const uint8_t *findBuildId(const uint8_t *At, size_t Size, uint8_t &IdSize) {
  const uint8_t *End = At + Size;
  while (static_cast<size_t>(End - At) > sizeof(Elf64_Nhdr)) {
    const auto &Note = *reinterpret_cast<const Elf64_Nhdr *>(At);
    const uint8_t *Name = At + sizeof(Note);
    uint64_t NameSize = (uint64_t(Note.n_namesz) + 3) & ~3ull;
    uint64_t TextSize = (uint64_t(Note.n_descsz) + 3) & ~3ull;
    if (NameSize + TextSize > static_cast<uint64_t>(End - Name))
      return nullptr;
    if (Note.n_type == NT_GNU_BUILD_ID && Note.n_namesz == 4 && !__builtin_memcmp(Name, "GNU", 4) &&
        Note.n_descsz && Note.n_descsz <= Image::MaxBuildId) {
      IdSize = static_cast<uint8_t>(Note.n_descsz);
      return Name + NameSize;
    }
    At = Name + NameSize + TextSize;
  }
  return nullptr;
}

static const uint8_t *findBuildId(uintptr_t Bias, const Elf64_Phdr *Headers, unsigned Count,
                                  uint8_t &IdSize) {
  for (unsigned I = 0; I < Count; ++I)
    if (Headers[I].p_type == PT_NOTE)
      if (const uint8_t *Id =
              findBuildId(reinterpret_cast<const uint8_t *>(Bias + Headers[I].p_vaddr),
                          Headers[I].p_memsz, IdSize))
        return Id;
  return nullptr;
}

// An image whose headers are where its memory begins, as linkers put them.
static const uint8_t *findBuildId(const Known &K, uint8_t &IdSize) {
  constexpr size_t Page = 4096;
  const auto &Header = *reinterpret_cast<const Elf64_Ehdr *>(K.Low);
  if (K.High - K.Low < Page || __builtin_memcmp(Header.e_ident, ELFMAG, SELFMAG) ||
      Header.e_phentsize != sizeof(Elf64_Phdr) || Header.e_phoff > Page ||
      Header.e_phoff + Header.e_phnum * sizeof(Elf64_Phdr) > Page)
    return nullptr;
  return findBuildId(K.Bias, reinterpret_cast<const Elf64_Phdr *>(K.Low + Header.e_phoff),
                     Header.e_phnum, IdSize);
}

static void putPath(Image &To, const char *Name) {
  char Directory[PATH_MAX] = "";
  bool IsPath = false;
  for (const char *P = Name; *P; ++P)
    IsPath |= *P == '/';
  if (!*Name)
    Name = Executable;
  else if (IsPath && *Name != '/' &&
           systemCall(SYS_getcwd, word(Directory), sizeof(Directory) - 1) < 0)
    Directory[0] = '\0';
  size_t First = textSize(Directory), Rest = textSize(Name), Size = First + (First != 0) + Rest;
  // Of one that is too long the end is kept.
  size_t Skipped = Size < Image::MaxPath ? 0 : Size - Image::MaxPath + 1;
  for (size_t I = Skipped; I < Size; ++I)
    To.Path[I - Skipped] = I < First             ? Directory[I]
                           : First && I == First ? '/'
                                                 : Name[I - First - (First != 0)];
}

// Gives K a place; MaxImages if there is none left.
static unsigned enter(Segment &S, const Known &K, const uint8_t *BuildId, uint8_t BuildIdSize,
                      const char *Name) {
  if (__atomic_load_n(&S.Images, __ATOMIC_RELAXED) >= segment::MaxImages)
    return segment::MaxImages;
  uint64_t I = __atomic_fetch_add(&S.Images, 1, __ATOMIC_RELAXED);
  if (I >= segment::MaxImages) {
    __atomic_fetch_sub(&S.Images, 1, __ATOMIC_RELAXED);
    return segment::MaxImages;
  }
  Image &To = S.ImageTable[I];
  for (unsigned J = 0; J < BuildIdSize; ++J)
    To.BuildId[J] = BuildId[J];
  putPath(To, Name);
  To.BuildIdSize = BuildIdSize;
  KnownImages[I] = K;
  __atomic_thread_fence(__ATOMIC_RELEASE); // Before any entry that names it.
  return static_cast<unsigned>(I);
}

static bool isSame(const Segment &S, unsigned I, const Known &Now) {
  const Known &K = KnownImages[I];
  if (K.Low != Now.Low || K.High != Now.High || K.Bias != Now.Bias || K.LinkMap != Now.LinkMap)
    return false;
  const Image &Entered = S.ImageTable[I];
  for (unsigned J = 0; K.BuildId && J < Entered.BuildIdSize; ++J)
    if (K.BuildId[J] != Entered.BuildId[J])
      return false;
  return true;
}

static unsigned placeOf(Segment &S, const FoundObject &Found) {
  Known Now = {reinterpret_cast<uintptr_t>(Found.MapStart),
               reinterpret_cast<uintptr_t>(Found.MapEnd), Found.LinkMap->l_addr, Found.LinkMap,
               nullptr};
  constexpr unsigned MaxTries = 16;
  unsigned Try = 0;
  for (; Try < MaxTries; ++Try) {
    unsigned Place = __atomic_load_n(&Places[slotOf(Now.Low, Try)], __ATOMIC_ACQUIRE);
    if (!Place)
      break;
    if (isSame(S, Place - 1, Now))
      return Place - 1;
  }
  uint8_t Size = 0;
  Now.BuildId = findBuildId(Now, Size);
  unsigned Place = enter(S, Now, Now.BuildId, Size, Found.LinkMap->l_name);
  for (; Place < segment::MaxImages && Try < MaxTries; ++Try) {
    uint16_t Nobody = 0;
    if (__atomic_compare_exchange_n(&Places[slotOf(Now.Low, Try)], &Nobody,
                                    static_cast<uint16_t>(Place + 1), false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
      break;
  }
  return Place;
}

static int enterLoaded(dl_phdr_info *Info, size_t, void *To) {
  Known K = {UINTPTR_MAX, 0, Info->dlpi_addr, nullptr, nullptr};
  for (unsigned I = 0; I < Info->dlpi_phnum; ++I) {
    const Elf64_Phdr &Segment = Info->dlpi_phdr[I];
    uintptr_t Low = Info->dlpi_addr + Segment.p_vaddr, High = Low + Segment.p_memsz;
    if (Segment.p_type != PT_LOAD)
      continue;
    K.Low = Low < K.Low ? Low : K.Low;
    K.High = High > K.High ? High : K.High;
  }
  uint8_t Size = 0;
  const uint8_t *Id = findBuildId(K.Bias, Info->dlpi_phdr, Info->dlpi_phnum, Size);
  enter(*static_cast<Segment *>(To), K, Id, Size, Info->dlpi_name);
  return 0;
}

void __causal::beginCodeImages(Segment &S) {
  long Size =
      systemCall(SYS_readlink, word("/proc/self/exe"), word(Executable), sizeof(Executable) - 1);
  Executable[Size > 0 ? Size : 0] = '\0';
  __builtin_memset(Places, 0, sizeof(Places));
  __builtin_memset(KnownImages, 0, sizeof(KnownImages));
#ifndef CAUSAL_STATIC
  if (!FindObject)
    FindObject =
        reinterpret_cast<int (*)(void *, FoundObject *)>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
#endif
  if (!FindObject)
    dl_iterate_phdr(enterLoaded, &S);
}

ImageSearch __causal::findCodeImage(Segment &S, uintptr_t PC, unsigned &Place, uint64_t &Address) {
  Place = segment::MaxImages;
  if (FindObject) {
    FoundObject Found;
    if (FindObject(reinterpret_cast<void *>(PC), &Found) || !Found.LinkMap)
      return ImageSearch::Unmapped;
    Place = placeOf(S, Found);
    if (Place == segment::MaxImages)
      return ImageSearch::NoRoom;
  } else {
    uint64_t Count = __atomic_load_n(&S.Images, __ATOMIC_RELAXED);
    for (unsigned I = 0; I < Count && I < segment::MaxImages; ++I)
      if (KnownImages[I].Low <= PC && PC < KnownImages[I].High)
        Place = I;
    if (Place == segment::MaxImages)
      return ImageSearch::Unmapped;
  }
  Address = PC - KnownImages[Place].Bias;
  return Address <= segment::MaxAddress ? ImageSearch::Found : ImageSearch::Unmapped;
}
