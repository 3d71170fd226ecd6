//===- causal_models_stdio.cpp - Models of stdio --------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_models.h. Files' buffers are libc's, and libc is the outside world: what fgets
// brings counts when it is used, however the buffer was filled.
//
//===----------------------------------------------------------------------===//
#include "intercept/models/causal_format.h"
#include "intercept/models/causal_models.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

using namespace __causal;

#define MODEL(Return, Name, ...) CAUSAL_INPUT_INTERFACE Return __causal_model_##Name(__VA_ARGS__)

MODEL(size_t, fread, void *To, size_t Size, size_t Count, FILE *File) {
  size_t Got = fread(To, Size, Count, File);
  fillRange(To, Got * Size);
  return Got;
}
MODEL(size_t, fwrite, const void *From, size_t Size, size_t Count, FILE *File) {
  size_t Put = fwrite(From, Size, Count, File);
  readRange(From, Put * Size);
  return Put;
}
MODEL(char *, fgets, char *To, int N, FILE *File) {
  char *Got = fgets(To, N, File);
  if (Got)
    fillRange(To, strlen(To) + 1);
  return Got;
}
MODEL(int, fputs, const char *S, FILE *File) {
  readString(S);
  return fputs(S, File);
}
MODEL(int, puts, const char *S) {
  readString(S);
  return puts(S);
}
MODEL(ssize_t, getdelim, char **To, size_t *Size, int End, FILE *File) {
  ssize_t Got = getdelim(To, Size, End, File);
  writeRange(To, sizeof(*To));
  writeRange(Size, sizeof(*Size));
  if (Got >= 0)
    fillRange(*To, static_cast<size_t>(Got) + 1);
  return Got;
}
MODEL(ssize_t, getline, char **To, size_t *Size, FILE *File) {
  return __causal_model_getdelim(To, Size, '\n', File);
}

/// What printf reads of its arguments, and what %n writes.
static void readPrinted(const char *Format, va_list Arguments) {
  readString(Format);
  va_list Copy;
  va_copy(Copy, Arguments);
  forEachPrinted(Format, Copy, [](FormatPiece P, const void *Memory, long Precision) {
    if (P == FormatPiece::String && Precision >= 0)
      readBounded(static_cast<const char *>(Memory), static_cast<size_t>(Precision));
    else if (P == FormatPiece::String)
      readString(static_cast<const char *>(Memory));
  });
  va_end(Copy);
}

MODEL(int, vprintf, const char *Format, va_list Arguments) {
  readPrinted(Format, Arguments);
  return vprintf(Format, Arguments);
}
MODEL(int, vfprintf, FILE *File, const char *Format, va_list Arguments) {
  readPrinted(Format, Arguments);
  return vfprintf(File, Format, Arguments);
}
MODEL(int, vsprintf, char *To, const char *Format, va_list Arguments) {
  readPrinted(Format, Arguments);
  int N = vsprintf(To, Format, Arguments);
  if (N >= 0)
    writeRange(To, static_cast<size_t>(N) + 1);
  return N;
}
MODEL(int, vsnprintf, char *To, size_t Size, const char *Format, va_list Arguments) {
  readPrinted(Format, Arguments);
  int N = vsnprintf(To, Size, Format, Arguments);
  if (N >= 0 && Size)
    writeRange(To, static_cast<size_t>(N) < Size ? static_cast<size_t>(N) + 1 : Size);
  return N;
}
#define PRINT(Name, Parameters, Call)                                                              \
  CAUSAL_INPUT_INTERFACE int __causal_model_##Name Parameters {                                    \
    va_list Arguments;                                                                             \
    va_start(Arguments, Format);                                                                   \
    int N = Call;                                                                                  \
    va_end(Arguments);                                                                             \
    return N;                                                                                      \
  }
static int printTo(int Fd, const char *Format, va_list Arguments) {
  readPrinted(Format, Arguments);
  return vdprintf(Fd, Format, Arguments);
}
PRINT(printf, (const char *Format, ...), __causal_model_vprintf(Format, Arguments))
PRINT(fprintf, (FILE * File, const char *Format, ...),
      __causal_model_vfprintf(File, Format, Arguments))
PRINT(dprintf, (int Fd, const char *Format, ...), printTo(Fd, Format, Arguments))
PRINT(sprintf, (char *To, const char *Format, ...), __causal_model_vsprintf(To, Format, Arguments))
PRINT(snprintf, (char *To, size_t Size, const char *Format, ...),
      __causal_model_vsnprintf(To, Size, Format, Arguments))

/// What scanf has stored: Count conversions, the first of the format.
static int fillScanned(const char *Format, va_list Arguments, int Count) {
  readString(Format);
  forEachScanned(Format, Arguments, Count, [](const void *Memory, size_t Size) {
    fillRange(Memory, Size ? Size : strlen(static_cast<const char *>(Memory)) + 1);
  });
  return Count;
}
#define SCAN(Name, Parameters, Call)                                                               \
  CAUSAL_INPUT_INTERFACE int __causal_model_##Name Parameters {                                    \
    va_list Arguments, Copy;                                                                       \
    va_start(Arguments, Format);                                                                   \
    va_copy(Copy, Arguments);                                                                      \
    int N = fillScanned(Format, Copy, Call);                                                       \
    va_end(Copy);                                                                                  \
    va_end(Arguments);                                                                             \
    return N;                                                                                      \
  }
SCAN(scanf, (const char *Format, ...), vscanf(Format, Arguments))
SCAN(fscanf, (FILE * File, const char *Format, ...), vfscanf(File, Format, Arguments))
// Its source is the program's: how far it was looked at, nobody says.
static int scanString(const char *S, const char *Format, va_list Arguments) {
  readString(S);
  return vsscanf(S, Format, Arguments);
}
SCAN(sscanf, (const char *S, const char *Format, ...), scanString(S, Format, Arguments))
