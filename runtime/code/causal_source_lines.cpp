//===- causal_source_lines.cpp - Source lines seen by samples -------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two open-addressing tables whose slots go Empty -> Building -> Ready once. A
// thread that finds a slot Building gives the sample up rather than wait.
//
//===----------------------------------------------------------------------===//
#include "code/causal_source_lines.h"
#include "base/causal_glob.h"
#include "base/causal_text.h"

using namespace __causal;

static uint64_t hashText(const char *S) { // FNV-1a
  uint64_t H = 0xcbf29ce484222325ull;
  for (; *S; ++S)
    H = (H ^ static_cast<unsigned char>(*S)) * 0x100000001b3ull;
  return H;
}

static bool claim(uint32_t *State) {
  uint32_t Expected = 0;
  return __atomic_compare_exchange_n(State, &Expected, 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_ACQUIRE);
}

const char *SourceLines::copy(const char *Text) {
  size_t Size = textLength(Text) + 1;
  size_t At = __atomic_fetch_add(&ArenaUsed, Size, __ATOMIC_RELAXED);
  if (At + Size > ArenaSize) {
    __atomic_fetch_sub(&ArenaUsed, Size, __ATOMIC_RELAXED);
    return nullptr;
  }
  char *To = Arena + At;
  for (size_t I = 0; I < Size; ++I)
    To[I] = Text[I];
  return To;
}

// The index of a file plus one, 0 when there is no room, or Undecided.
uint32_t SourceLines::internFile(const char *Path) {
  uint32_t At = static_cast<uint32_t>(hashText(Path) % MaxFiles);
  for (uint32_t Probe = 0; Probe < MaxFiles; ++Probe, At = (At + 1) % MaxFiles) {
    File &F = Files[At];
    if (claim(&F.State)) {
      const char *Copy = copy(Path);
      F.Path = Copy ? Copy : "";
      F.InScope = Copy && isInScope(Path, Policy.Scope, Policy.Exclude);
      __atomic_store_n(&F.State, uint32_t(Ready), __ATOMIC_RELEASE);
      return Copy ? At + 1 : 0;
    }
    if (__atomic_load_n(&F.State, __ATOMIC_ACQUIRE) != Ready)
      return Undecided;
    if (textEquals(F.Path, Path))
      return At + 1;
  }
  return 0;
}

uint32_t SourceLines::intern(const char *Path, uint32_t Number, const char *Function) {
  if (!Number)
    return 0;
  uint32_t FileIndex = internFile(Path);
  if (!FileIndex || FileIndex == Undecided)
    return drop(FileIndex);
  return Files[FileIndex - 1].InScope ? internIn(FileIndex - 1, Number, Function) : 0;
}

uint32_t SourceLines::internGroup(const char *MemberFile, const char *Path, uint32_t Number,
                                  const char *Function) {
  uint32_t MemberIndex = internFile(MemberFile);
  if (!MemberIndex || MemberIndex == Undecided)
    return drop(MemberIndex);
  if (!Files[MemberIndex - 1].InScope)
    return 0;
  uint32_t FileIndex = internFile(Path);
  if (!FileIndex || FileIndex == Undecided)
    return drop(FileIndex);
  return internIn(FileIndex - 1, Number, Function);
}

uint32_t SourceLines::internIn(uint32_t FileIndex, uint32_t Number, const char *Function) {
  const char *Name = Function ? Function : "";
  if (Policy.Kind == TargetKind::Function) {
    if (!*Name)
      return 0;
    Number = 0;
  }
  uint64_t Key = uint64_t(FileIndex) << 32 ^ (Number ? Number : hashText(Name));
  Key *= 0x9E3779B97F4A7C15ull;
  uint32_t At = static_cast<uint32_t>(Key >> 48) % MaxLines;
  for (uint32_t Probe = 0; Probe < MaxLines; ++Probe, At = (At + 1) % MaxLines) {
    if (At == 0 || At >= FirstReserved)
      continue;
    Line &L = Lines[At];
    if (claim(&L.State)) {
      L.File = FileIndex;
      L.Number = Number;
      const char *Copy = copy(Name);
      L.Function = Copy ? Copy : "";
      __atomic_store_n(&L.State, uint32_t(Ready), __ATOMIC_RELEASE);
      uint32_t Index = __atomic_fetch_add(&Known, 1, __ATOMIC_ACQ_REL);
      __atomic_store_n(&Ids[Index], At, __ATOMIC_RELAXED);
      return At;
    }
    if (__atomic_load_n(&L.State, __ATOMIC_ACQUIRE) != Ready)
      return drop(Undecided);
    if (L.File == FileIndex && L.Number == Number && (Number || textEquals(L.Function, Name)))
      return At;
  }
  return drop(0);
}
