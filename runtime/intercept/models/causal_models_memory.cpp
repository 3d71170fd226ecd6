//===- causal_models_memory.cpp - Models of memory functions --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_models.h. A cell is an address, so that malloc and free are nothing; calloc's
// zeroes and what realloc moves are the program's own writes.
//
//===----------------------------------------------------------------------===//
#include "intercept/models/causal_models.h"

#include <malloc.h>
#include <stdlib.h>
#include <strings.h>

using namespace __causal;

#define MODEL(Return, Name, ...) CAUSAL_INPUT_INTERFACE Return __causal_model_##Name(__VA_ARGS__)

MODEL(void *, memcpy, void *To, const void *From, size_t N) {
  readRange(From, N);
  writeRange(To, N);
  return memcpy(To, From, N);
}
MODEL(void *, memmove, void *To, const void *From, size_t N) {
  readRange(From, N);
  writeRange(To, N);
  return memmove(To, From, N);
}
MODEL(void *, mempcpy, void *To, const void *From, size_t N) {
  readRange(From, N);
  writeRange(To, N);
  return mempcpy(To, From, N);
}
MODEL(void *, memccpy, void *To, const void *From, int C, size_t N) {
  const void *Found = memchr(From, C, N);
  size_t Copied = Found ? static_cast<size_t>(static_cast<const char *>(Found) -
                                              static_cast<const char *>(From)) +
                              1
                        : N;
  readRange(From, Copied);
  writeRange(To, Copied);
  return memccpy(To, From, C, N);
}
MODEL(void *, memset, void *To, int C, size_t N) {
  writeRange(To, N);
  return memset(To, C, N);
}
MODEL(void, bzero, void *To, size_t N) {
  writeRange(To, N);
  memset(To, 0, N);
}

/// Bytes up to and with the first that differs.
static size_t compared(const void *A, const void *B, size_t N) {
  auto *X = static_cast<const char *>(A), *Y = static_cast<const char *>(B);
  size_t I = 0;
  while (I < N && X[I] == Y[I])
    ++I;
  return I < N ? I + 1 : N;
}
MODEL(int, memcmp, const void *A, const void *B, size_t N) {
  size_t Looked = compared(A, B, N);
  readRange(A, Looked);
  readRange(B, Looked);
  return memcmp(A, B, N);
}
MODEL(int, bcmp, const void *A, const void *B, size_t N) { return __causal_model_memcmp(A, B, N); }

static size_t upTo(const void *From, const void *Found, size_t Else) {
  return Found ? static_cast<size_t>(static_cast<const char *>(Found) -
                                     static_cast<const char *>(From)) +
                     1
               : Else;
}
MODEL(void *, memchr, const void *S, int C, size_t N) {
  const void *Found = memchr(S, C, N);
  readRange(S, upTo(S, Found, N));
  return const_cast<void *>(Found);
}
MODEL(void *, memrchr, const void *S, int C, size_t N) {
  const void *Found = memrchr(S, C, N);
  size_t Skipped = Found ? upTo(S, Found, 0) - 1 : 0;
  readRange(static_cast<const char *>(S) + Skipped, N - Skipped);
  return const_cast<void *>(Found);
}
MODEL(void *, rawmemchr, const void *S, int C) {
  const void *Found = rawmemchr(S, C);
  readRange(S, upTo(S, Found, 0));
  return const_cast<void *>(Found);
}
MODEL(void *, memmem, const void *S, size_t N, const void *What, size_t Size) {
  const void *Found = memmem(S, N, What, Size);
  readRange(What, Size);
  readRange(S, Found ? upTo(S, Found, 0) - 1 + Size : N);
  return const_cast<void *>(Found);
}

MODEL(void *, calloc, size_t Count, size_t Size) {
  void *P = calloc(Count, Size);
  if (P)
    writeRange(P, Count * Size);
  return P;
}
MODEL(void *, realloc, void *Old, size_t Size) {
  size_t OldSize = Old ? malloc_usable_size(Old) : 0;
  void *P = realloc(Old, Size);
  if (P && Old && P != Old) {
    size_t Moved = OldSize < Size ? OldSize : Size;
    readRange(Old, Moved);
    writeRange(P, Moved);
  }
  return P;
}
MODEL(void *, reallocarray, void *Old, size_t Count, size_t Size) {
  size_t Total;
  if (__builtin_mul_overflow(Count, Size, &Total))
    return reallocarray(Old, Count, Size);
  return __causal_model_realloc(Old, Total);
}

// Sorting reads and writes all of the array; what the comparison reads are its own accesses.
// glibc may hand it copies of elements, in memory that nobody saw written: the sort wrote it.
namespace {
struct Sorting {
  int (*Less)(const void *, const void *, void *);
  void *Argument;
  const char *Begin, *End;
  size_t Size;

  void copied(const void *Element) const {
    auto *E = static_cast<const char *>(Element);
    if (E < Begin || E >= End)
      writeRange(E, Size);
  }
};
} // namespace

static int compareElements(const void *A, const void *B, void *Context) {
  auto *S = static_cast<const Sorting *>(Context);
  S->copied(A);
  S->copied(B);
  return S->Less(A, B, S->Argument);
}
MODEL(void, qsort_r, void *Base, size_t Count, size_t Size,
      int (*Less)(const void *, const void *, void *), void *Argument) {
  auto *Begin = static_cast<const char *>(Base);
  Sorting S = {Less, Argument, Begin, Begin + Count * Size, Size};
  readRange(Base, Count * Size);
  writeRange(Base, Count * Size);
  qsort_r(Base, Count, Size, compareElements, &S);
  writeRange(Base, Count * Size);
}
static int lessOfTwo(const void *A, const void *B, void *Less) {
  return reinterpret_cast<int (*)(const void *, const void *)>(Less)(A, B);
}
MODEL(void, qsort, void *Base, size_t Count, size_t Size, int (*Less)(const void *, const void *)) {
  __causal_model_qsort_r(Base, Count, Size, lessOfTwo, reinterpret_cast<void *>(Less));
}
// Reads nothing itself: all is done by the comparison.
MODEL(void *, bsearch, const void *Key, const void *Base, size_t Count, size_t Size,
      int (*Less)(const void *, const void *)) {
  return bsearch(Key, Base, Count, Size, Less);
}
