//===- causal_models_string.cpp - Models of string functions --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_models.h.
//
//===----------------------------------------------------------------------===//
#include "intercept/models/causal_models.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

using namespace __causal;

#define MODEL(Return, Name, ...) CAUSAL_INPUT_INTERFACE Return __causal_model_##Name(__VA_ARGS__)

static size_t distance(const char *From, const char *To) { return static_cast<size_t>(To - From); }

MODEL(size_t, strlen, const char *S) {
  size_t N = strlen(S);
  readRange(S, N + 1);
  return N;
}
MODEL(size_t, strnlen, const char *S, size_t N) {
  readBounded(S, N);
  return strnlen(S, N);
}

template <class Map> static void readCompared(const char *A, const char *B, size_t N, Map F) {
  size_t I = 0;
  while (I < N && F(A[I]) == F(B[I]) && A[I])
    ++I;
  size_t Looked = I < N ? I + 1 : N;
  readRange(A, Looked);
  readRange(B, Looked);
}
static char same(char C) { return C; }
static int lower(char C) { return tolower(static_cast<unsigned char>(C)); }

MODEL(int, strcmp, const char *A, const char *B) {
  readCompared(A, B, ~size_t(0), same);
  return strcmp(A, B);
}
MODEL(int, strncmp, const char *A, const char *B, size_t N) {
  readCompared(A, B, N, same);
  return strncmp(A, B, N);
}
MODEL(int, strcasecmp, const char *A, const char *B) {
  readCompared(A, B, ~size_t(0), lower);
  return strcasecmp(A, B);
}
MODEL(int, strncasecmp, const char *A, const char *B, size_t N) {
  readCompared(A, B, N, lower);
  return strncasecmp(A, B, N);
}
MODEL(int, strcoll, const char *A, const char *B) {
  readString(A);
  readString(B);
  return strcoll(A, B);
}

MODEL(char *, strcpy, char *To, const char *From) {
  size_t N = strlen(From) + 1;
  readRange(From, N);
  writeRange(To, N);
  return strcpy(To, From);
}
MODEL(char *, stpcpy, char *To, const char *From) {
  size_t N = strlen(From) + 1;
  readRange(From, N);
  writeRange(To, N);
  return stpcpy(To, From);
}
MODEL(char *, strncpy, char *To, const char *From, size_t N) {
  readBounded(From, N);
  writeRange(To, N);
  return strncpy(To, From, N);
}
MODEL(char *, strcat, char *To, const char *From) {
  size_t Length = strlen(To), N = strlen(From) + 1;
  readRange(To, Length + 1);
  readRange(From, N);
  writeRange(To + Length, N);
  return strcat(To, From);
}
MODEL(char *, strncat, char *To, const char *From, size_t N) {
  size_t Length = strlen(To), Taken = strnlen(From, N);
  readRange(To, Length + 1);
  readBounded(From, N);
  writeRange(To + Length, Taken + 1);
  return strncat(To, From, N);
}

MODEL(char *, strchr, const char *S, int C) {
  const char *Found = strchr(S, C);
  readRange(S, (Found ? distance(S, Found) : strlen(S)) + 1);
  return const_cast<char *>(Found);
}
MODEL(char *, strchrnul, const char *S, int C) {
  const char *Found = strchrnul(S, C);
  readRange(S, distance(S, Found) + 1);
  return const_cast<char *>(Found);
}
MODEL(char *, strrchr, const char *S, int C) {
  readString(S);
  return const_cast<char *>(strrchr(S, C));
}
MODEL(char *, strstr, const char *S, const char *What) {
  const char *Found = strstr(S, What);
  readString(What);
  readRange(S, Found ? distance(S, Found) + strlen(What) : strlen(S) + 1);
  return const_cast<char *>(Found);
}
MODEL(char *, strpbrk, const char *S, const char *Set) {
  const char *Found = strpbrk(S, Set);
  readString(Set);
  readRange(S, (Found ? distance(S, Found) : strlen(S)) + 1);
  return const_cast<char *>(Found);
}
MODEL(size_t, strspn, const char *S, const char *Set) {
  size_t N = strspn(S, Set);
  readString(Set);
  readRange(S, N + 1);
  return N;
}
MODEL(size_t, strcspn, const char *S, const char *Set) {
  size_t N = strcspn(S, Set);
  readString(Set);
  readRange(S, N + 1);
  return N;
}

MODEL(char *, strdup, const char *S) {
  size_t N = strlen(S) + 1;
  readRange(S, N);
  char *New = strdup(S);
  if (New)
    writeRange(New, N);
  return New;
}
MODEL(char *, strndup, const char *S, size_t N) {
  readBounded(S, N);
  char *New = strndup(S, N);
  if (New)
    writeRange(New, strlen(New) + 1);
  return New;
}

/// A token was cut out of From: what was looked at, and the 0 that ends it.
static void cutToken(const char *From, const char *Token, const char *Set) {
  readString(Set);
  if (!Token) {
    if (From)
      readString(From);
    return;
  }
  const char *End = Token + strlen(Token);
  if (!From || From > Token)
    From = Token;
  readRange(From, distance(From, End) + 1);
  writeRange(End, 1);
}
MODEL(char *, strtok, char *S, const char *Set) {
  char *Token = strtok(S, Set);
  cutToken(S, Token, Set);
  return Token;
}
MODEL(char *, strtok_r, char *S, const char *Set, char **State) {
  const char *From = S ? S : *State;
  readRange(State, S ? 0 : sizeof(*State));
  char *Token = strtok_r(S, Set, State);
  writeRange(State, sizeof(*State));
  cutToken(From, Token, Set);
  return Token;
}
MODEL(char *, strsep, char **S, const char *Set) {
  readRange(S, sizeof(*S));
  char *Token = strsep(S, Set);
  writeRange(S, sizeof(*S));
  if (Token)
    cutToken(Token, Token, Set);
  return Token;
}

#define PARSE(Return, Name, Parse)                                                                 \
  MODEL(Return, Name, const char *S) {                                                             \
    char *End;                                                                                     \
    Return Value = static_cast<Return>(Parse);                                                     \
    readRange(S, distance(S, End) + 1);                                                            \
    return Value;                                                                                  \
  }
PARSE(int, atoi, strtol(S, &End, 10))
PARSE(long, atol, strtol(S, &End, 10))
PARSE(long long, atoll, strtoll(S, &End, 10))
PARSE(double, atof, strtod(S, &End))

#define CONVERT(Return, Name, ExtraParameter, ExtraArgument)                                       \
  MODEL(Return, Name, const char *S, char **EndPointer ExtraParameter) {                           \
    char *End;                                                                                     \
    Return Value = Name(S, &End ExtraArgument);                                                    \
    readRange(S, distance(S, End) + 1);                                                            \
    if (EndPointer) {                                                                              \
      writeRange(EndPointer, sizeof(*EndPointer));                                                 \
      *EndPointer = End;                                                                           \
    }                                                                                              \
    return Value;                                                                                  \
  }
#define COMMA ,
CONVERT(long, strtol, COMMA int Base, COMMA Base)
CONVERT(long long, strtoll, COMMA int Base, COMMA Base)
CONVERT(unsigned long, strtoul, COMMA int Base, COMMA Base)
CONVERT(unsigned long long, strtoull, COMMA int Base, COMMA Base)
CONVERT(double, strtod, , )
CONVERT(float, strtof, , )
