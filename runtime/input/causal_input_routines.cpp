//===- causal_input_routines.cpp - The routines of a run ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_input_routines.h.
//
//===----------------------------------------------------------------------===//
#include "input/causal_input_routines.h"
#include "base/causal_runtime_lock.h"
#include "base/causal_text.h"
#include "input/causal_input_points.h"

using namespace __causal;
using causal_input::Routine;

static __sanitizer::StaticSpinMutex Mutex;
static RecordList<NamedRoutine> Routines; // Number 1 is the first.
static constexpr uint32_t Buckets = 1 << 14;
static uint32_t Heads[Buckets];
static RecordList<uint32_t> Followers; // Of the same bucket, by number.
static bool Units[2];

static char *Text;
static size_t TextLeft;

void __causal::lockRoutines() { Mutex.Lock(); }
void __causal::unlockRoutines() { Mutex.Unlock(); }

static const char *keep(const char *From) {
  size_t Size = textLength(From) + 1;
  constexpr size_t Chunk = 1 << 18;
  if (Size > TextLeft) {
    size_t New = Size > Chunk ? Size : Chunk;
    Text = static_cast<char *>(mapMemory(New));
    TextLeft = Text ? New : 0;
    if (!Text)
      return nullptr;
  }
  char *To = Text;
  for (size_t I = 0; I < Size; ++I)
    To[I] = From[I];
  Text += Size;
  TextLeft -= Size;
  return To;
}

static uint32_t bucketOf(const Routine &R) {
  uint64_t Hash = R.Line;
  for (const char *P = R.Name; *P; ++P)
    Hash = (Hash ^ static_cast<unsigned char>(*P)) * 0x100000001b3ull;
  return static_cast<uint32_t>(Hash ^ Hash >> 32) % Buckets;
}

static uint32_t findOrMake(const Routine &R) {
  uint32_t *Link = &Heads[bucketOf(R)];
  for (; *Link; Link = &Followers.at(*Link - 1)) {
    const NamedRoutine &N = Routines.at(*Link - 1);
    if (N.Line == R.Line && textEquals(N.Name, R.Name) && textEquals(N.File, R.File))
      return *Link;
  }
  if (Routines.size() + 1 >= MaxRoutines)
    return 0;
  NamedRoutine *New = Routines.append();
  const char *Name = keep(R.Name), *File = keep(R.File);
  if (!New || !Followers.append() || !Name || !File)
    return 0;
  *New = {Name, File, R.Line, &R, false};
  Routines.publish();
  Followers.publish();
  return *Link = Routines.size();
}

uint32_t __causal::nameRoutine(Routine &R) {
  RuntimeLock Lock(Mutex);
  uint32_t Id = findOrMake(R);
  if (Id) {
    Units[R.Unit == causal_input::CostBlocks] = true;
    __atomic_store_n(&R.Id, Id, __ATOMIC_RELEASE);
  }
  return Id;
}

NamedRoutine *__causal::routineNamed(uint32_t Id) {
  return Id && Id <= Routines.size() ? &Routines.at(Id - 1) : nullptr;
}

uint32_t __causal::routinesNamed() { return Routines.size(); }

const char *__causal::costUnit() {
  if (Units[0] && Units[1])
    return "mixed";
  return Units[1] ? "blocks" : "instructions";
}
