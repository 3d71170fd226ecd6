//===- causal_line_starts.cpp - Where lines and functions begin -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_line_starts.h.
//
//===----------------------------------------------------------------------===//
#include "code/causal_line_starts.h"
#include "base/causal_text.h"

using namespace __causal;
using namespace ::causal::linemap;

bool SourcePlace::parse(const char *Text, size_t Size) {
  Name = Text;
  NameSize = Size;
  Line = 0;
  size_t Colon = Size;
  while (Colon && Text[Colon - 1] >= '0' && Text[Colon - 1] <= '9')
    --Colon;
  if (Colon < Size && Colon > 1 && Text[Colon - 1] == ':' && Text[Colon - 2] != ':') {
    for (size_t I = Colon; I < Size; ++I)
      Line = Line * 10 + static_cast<uint32_t>(Text[I] - '0');
    NameSize = Colon - 1;
    return Line != 0;
  }
  return Size != 0;
}

static bool endsWithPath(const char *Path, const char *End, size_t Size) {
  size_t Length = textLength(Path);
  if (Length < Size)
    return false;
  for (size_t I = 0; I < Size; ++I) // The sample handler comes here, and memcmp may be another's.
    if (Path[Length - Size + I] != End[I])
      return false;
  return (Length == Size || End[0] == '/' || Path[Length - Size - 1] == '/');
}

// "run" means run(int), too, and pool::run(int), but not rerun().
static bool isFunction(const char *Function, const char *Name, size_t Size) {
  for (const char *P = Function; *P; ++P) {
    bool Begins = P == Function || P[-1] == ':' || P[-1] == ' ' || P[-1] == '*' || P[-1] == '&';
    size_t I = 0;
    while (Begins && I < Size && P[I] && P[I] == Name[I])
      ++I;
    if (Begins && I == Size && (!P[I] || P[I] == '(' || P[I] == '<' || P[I] == '['))
      return true;
    if (*P == '(' && P != Function)
      break; // What follows are parameters.
  }
  return false;
}

bool SourcePlace::matches(const Frame &F) const {
  if (Line)
    return F.Line == Line && F.File && endsWithPath(F.File, Name, NameSize);
  return F.Function && isFunction(F.Function, Name, NameSize);
}

namespace {
/// The scopes of one record whose beginning was found.
class ScopeSet {
public:
  bool add(uint64_t Scope) {
    for (unsigned I = 0; I < Count; ++I)
      if (Scopes[I] == Scope)
        return false;
    if (Count < Most)
      Scopes[Count++] = Scope;
    return true;
  }

private:
  static constexpr unsigned Most = 64;
  uint64_t Scopes[Most];
  unsigned Count = 0;
};
} // namespace

// Calls Use(scope, frame) for the row's frames, innermost first.
template <typename Function>
static void eachFrame(const detail::Tables &T, const detail::Row &Row, Function Use) {
  uint64_t Index = Row.Scope;
  int64_t Relative = Row.Line;
  for (bool HasLine = Row.HasLine; Index < T.NumScopes; HasLine = true) {
    detail::Scope Scope = T.scope(Index);
    if (Scope.Subprogram >= T.NumSubprograms || Scope.Parent > Index)
      return;
    detail::Subprogram S = T.subprogram(Scope.Subprogram);
    if (S.File >= T.NumFiles)
      return;
    Use(Index, Frame{S.Name, detail::readString(T.Files + 4 * S.File),
                     HasLine ? static_cast<uint32_t>(S.BaseLine + Relative) : 0});
    if (!Scope.Parent)
      return;
    Index -= Scope.Parent;
    Relative = Scope.CallLine;
  }
}

// Calls Found(address) for each place in one function.
template <typename Function>
static void eachStart(const FunctionRecord *Record, const SourcePlace &Place, Function Found) {
  detail::Tables T(reinterpret_cast<const uint8_t *>(&Record->Data) + Record->Data);
  ScopeSet Seen;
  detail::Row Row;
  const uint8_t *P = T.Rows;
  for (uint64_t At = detail::readULEB(P); At < Record->Size; At += detail::readULEB(P)) {
    uint64_t Op = detail::readULEB(P);
    if (Op & 1) {
      Row.Scope += static_cast<uint64_t>(detail::readZigzag(P));
      Row.Line = 0;
    }
    Row.HasLine = Op >> 1;
    if (Row.HasLine) {
      uint64_t Step = (Op >> 1) - 1;
      Row.Line += Step & 1 ? -static_cast<int64_t>(Step >> 1) - 1 : static_cast<int64_t>(Step >> 1);
    }
    // A line may be but the call of what was inlined there.
    eachFrame(T, Row, [&](uint64_t Scope, const Frame &F) {
      if (Place.matches(F) && Seen.add(Scope)) // A function begins where its own code does.
        Found(start(Record) + (Place.isLine() || Scope ? At : 0));
    });
  }
}

unsigned __causal::findStarts(const FunctionRecord *Begin, const FunctionRecord *End,
                              const SourcePlace &Place, uintptr_t *Out, unsigned Max) {
  unsigned Count = 0;
  for (const FunctionRecord *Record = Begin; Record != End; ++Record)
    eachStart(Record, Place, [&](uintptr_t Address) {
      if (Count < Max)
        Out[Count] = Address;
      ++Count;
    });
  return Count;
}
