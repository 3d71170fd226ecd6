//===- LineMapFormat.h - The line table of an image -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sections that the pass plugin adds to an object, and their decoder. The
// pass writes them, the runtime and the tests read them from memory as the
// linker left them. Freestanding: no allocation, no libc, no exceptions, no
// global state; every function may be called from any thread and from a signal
// handler.
//
//   causal_fn    FunctionRecord[]: one record for each *fragment* of code (a
//                function, or a part of one that has its own section). The
//                linker sorts them by address (SHF_LINK_ORDER) and drops them
//                with their code. __start_causal_fn and __stop_causal_fn bound
//                it.
//   causal_ln    what the records' Data points to; byte aligned:
//                  uleb files        {i32 name-.} *
//                  uleb subprograms  {i32 name-., uleb file, uleb base line} *
//                  uleb scopes       {uleb parent, uleb subprogram,
//                                     zigzag call line} *
//                  rows              {uleb advance, uleb op, [zigzag scope
//                  step]} * uleb advance      up to the end of the fragment:
//                  the terminator
//   .causal_str  the names: NUL-terminated strings that the linker merges
//
// "i32 x-." is an offset from its own address: the table needs no relocation at
// load. A scope is a function, or an inlined call: "parent" is the distance
// back to the scope that it was inlined into (0: the function itself, which has
// no call line), "call line" is relative to the base line of the parent's
// subprogram. A row covers the addresses from its own, "advance" bytes after
// the previous row's (the first one's: after the fragment's start), to the next
// row's. op & 1: the scope changes by "scope step" (from scope 0 at first), and
// the line restarts at the new scope's base line. op >> 1: 0 if the row has no
// line (the running line is kept), or zigzag(line - running line) + 1.
// zigzag(x) is the uleb of 2x if x >= 0, else of -2x - 1.
//
// The version of the format is that of __causal_version_mismatch_check_v<N>.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_LINEMAPFORMAT_H
#define CAUSAL_LINEMAPFORMAT_H

#include <stddef.h>
#include <stdint.h>

#define CAUSAL_LINEMAP_FUNCTIONS "causal_fn"
#define CAUSAL_LINEMAP_LINES "causal_ln"
#define CAUSAL_LINEMAP_STRINGS ".causal_str"

namespace causal {
namespace linemap {

/// A fragment of code and where its lines are. Start and Data are offsets from
/// their own addresses.
struct FunctionRecord {
  int32_t Start;
  uint32_t Size;
  int32_t Data;
};
static_assert(sizeof(FunctionRecord) == 12 && alignof(FunctionRecord) == 4,
              "the layout is that of the causal_fn section");
static_assert(offsetof(FunctionRecord, Start) == 0 && offsetof(FunctionRecord, Size) == 4 &&
                  offsetof(FunctionRecord, Data) == 8,
              "the layout is that of the causal_fn section");
static_assert(__is_trivial(FunctionRecord) && __is_standard_layout(FunctionRecord),
              "records are read in place");

/// A source position. Line 0 is no line. The strings live as long as the image.
struct Frame {
  const char *Function;
  const char *File;
  uint32_t Line;
};

namespace detail {

inline uint64_t readULEB(const uint8_t *&P) {
  uint64_t Value = 0;
  for (unsigned Shift = 0; Shift < 64; Shift += 7) {
    uint8_t Byte = *P++;
    Value |= uint64_t(Byte & 0x7f) << Shift;
    if (Byte < 0x80)
      break;
  }
  return Value;
}

inline int64_t readZigzag(const uint8_t *&P) {
  uint64_t Value = readULEB(P);
  return Value & 1 ? -int64_t(Value >> 1) - 1 : int64_t(Value >> 1);
}

/// The string that the unaligned i32 at P points to.
inline const char *readString(const uint8_t *P) {
  uint32_t Offset =
      uint32_t(P[0]) | uint32_t(P[1]) << 8 | uint32_t(P[2]) << 16 | uint32_t(P[3]) << 24;
  return reinterpret_cast<const char *>(P) + int32_t(Offset);
}

struct Subprogram {
  const char *Name;
  uint64_t File;
  int64_t BaseLine;
};

struct Scope {
  uint64_t Parent; ///< Distance back to the parent; 0: none.
  uint64_t Subprogram;
  int64_t CallLine; ///< Relative to the base line of the parent's subprogram.
};

inline Subprogram readSubprogram(const uint8_t *&P) {
  Subprogram S;
  S.Name = readString(P);
  P += 4;
  S.File = readULEB(P);
  S.BaseLine = int64_t(readULEB(P));
  return S;
}

inline Scope readScope(const uint8_t *&P) {
  Scope S;
  S.Parent = readULEB(P);
  S.Subprogram = readULEB(P);
  S.CallLine = S.Parent ? readZigzag(P) : 0;
  return S;
}

/// The parts of one record's data. Their entries have no fixed size, so an
/// entry is found by reading those before it.
struct Tables {
  const uint8_t *Files, *Subprograms, *Scopes, *Rows;
  uint64_t NumFiles, NumSubprograms, NumScopes;

  explicit Tables(const uint8_t *P) {
    NumFiles = readULEB(P);
    Files = P;
    P += 4 * NumFiles;
    NumSubprograms = readULEB(P);
    Subprograms = P;
    for (uint64_t I = 0; I < NumSubprograms; ++I)
      readSubprogram(P);
    NumScopes = readULEB(P);
    Scopes = P;
    for (uint64_t I = 0; I < NumScopes; ++I)
      readScope(P);
    Rows = P;
  }

  Subprogram subprogram(uint64_t Index) const {
    const uint8_t *P = Subprograms;
    for (; Index; --Index)
      readSubprogram(P);
    return readSubprogram(P);
  }

  Scope scope(uint64_t Index) const {
    const uint8_t *P = Scopes;
    for (; Index; --Index)
      readScope(P);
    return readScope(P);
  }
};

/// A row while the rows are being read. Line is relative to the scope's base
/// line.
struct Row {
  uint64_t Scope = 0;
  int64_t Line = 0;
  bool HasLine = false;
};

/// The last row at or before Offset. False if the first one is after it. Reads
/// no further than the terminator.
inline bool findRow(const uint8_t *P, uint64_t Size, uint64_t Offset, Row &R) {
  bool Found = false;
  for (uint64_t At = readULEB(P); At <= Offset && At < Size; At += readULEB(P)) {
    uint64_t Op = readULEB(P);
    if (Op & 1) {
      R.Scope += uint64_t(readZigzag(P));
      R.Line = 0;
    }
    R.HasLine = Op >> 1;
    if (R.HasLine) {
      uint64_t Step = (Op >> 1) - 1;
      R.Line += Step & 1 ? -int64_t(Step >> 1) - 1 : int64_t(Step >> 1);
    }
    Found = true;
  }
  return Found;
}

} // namespace detail

/// The address where the fragment of *Record starts.
inline uintptr_t start(const FunctionRecord *Record) {
  return reinterpret_cast<uintptr_t>(&Record->Start) + uintptr_t(intptr_t(Record->Start));
}

/// Whether the records are in the order that find() needs. A final link by lld
/// or GNU ld makes them so; gold, and a relocatable link before it, may not.
inline bool isSorted(const FunctionRecord *Begin, const FunctionRecord *End) {
  for (; End - Begin > 1; ++Begin)
    if (start(Begin) > start(Begin + 1))
      return false;
  return true;
}

/// The record of the fragment that contains PC, or null. The records are
/// sorted. For a return address pass the address less one.
inline const FunctionRecord *find(const FunctionRecord *Begin, const FunctionRecord *End,
                                  uintptr_t PC) {
  size_t Low = 0, High = size_t(End - Begin);
  while (Low < High) {
    size_t Middle = Low + (High - Low) / 2;
    if (start(Begin + Middle) <= PC)
      Low = Middle + 1;
    else
      High = Middle;
  }
  if (!Low)
    return nullptr;
  const FunctionRecord *Record = Begin + Low - 1;
  return PC - start(Record) < Record->Size ? Record : nullptr;
}

/// Writes at most Max frames of PC, which lies in *Record, innermost first, and
/// returns how many. The outermost ones are left out if Max is too small. 0 if
/// the table knows nothing about PC, or if it is not a table. Takes time linear
/// in the size of the record's data: microseconds for a large function.
inline unsigned lookup(const FunctionRecord *Record, uintptr_t PC, Frame *Out, unsigned Max) {
  detail::Tables T(reinterpret_cast<const uint8_t *>(&Record->Data) + Record->Data);
  detail::Row Row;
  if (!detail::findRow(T.Rows, Record->Size, PC - start(Record), Row))
    return 0;

  unsigned Count = 0;
  uint64_t Index = Row.Scope;
  int64_t RelativeLine = Row.Line;
  bool HasLine = Row.HasLine;
  while (Count < Max) {
    if (Index >= T.NumScopes)
      return 0;
    detail::Scope Scope = T.scope(Index);
    if (Scope.Subprogram >= T.NumSubprograms || Scope.Parent > Index)
      return 0;
    detail::Subprogram S = T.subprogram(Scope.Subprogram);
    if (S.File >= T.NumFiles)
      return 0;
    Out[Count++] = {S.Name, detail::readString(T.Files + 4 * S.File),
                    HasLine ? uint32_t(S.BaseLine + RelativeLine) : 0};
    if (!Scope.Parent)
      break;
    Index -= Scope.Parent;
    RelativeLine = Scope.CallLine;
    HasLine = true;
  }
  return Count;
}

} // namespace linemap
} // namespace causal

#endif // CAUSAL_LINEMAPFORMAT_H
