//===- ExactCounts.cpp - Counts of a counting build -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/ExactCounts.h"

#include "causal/CounterFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace causal::cpi {

static Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

Expected<std::vector<CounterRecord>> counterRecords(const Image &I) {
  uint64_t Address;
  DataExtractor Data(I.section(CAUSAL_COUNTER_MAP, Address), /*IsLittleEndian=*/true,
                     /*AddressSize=*/8);
  if (Data.getData().empty())
    return failure("this program has no counters: build it with -fcausal-profile=count");
  std::vector<CounterRecord> Records;
  DataExtractor::Cursor At(0);
  while (At && !Data.eof(At)) {
    CounterRecord R;
    R.Function = Data.getU64(At);
    R.Counters = Data.getU64(At);
    uint32_t Size = Data.getU32(At);
    if (!At || Size > Data.size())
      break;
    for (uint32_t K = 0; K < Size; ++K)
      R.Blocks.push_back(Data.getU32(At));
    // A function that the linker dropped leaves zeros.
    if (R.Function && R.Counters)
      Records.push_back(std::move(R));
  }
  if (Error E = At.takeError())
    return failure("the map of counters is damaged (" + toString(std::move(E)) +
                   "): build the program anew");
  return Records;
}

Expected<ExactCounts> ExactCounts::read(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return failure("cannot read the counts '" + Path + "': " + Buffer.getError().message());
  ExactCounts Counts;
  bool Begun = false;
  for (line_iterator Line(**Buffer); !Line.is_at_eof(); ++Line) {
    auto Damaged = [&] {
      return failure("'" + Path + "', line " + Twine(Line.line_number()) +
                     " is no record of `causal db count`");
    };
    Expected<json::Value> Value = json::parse(*Line);
    if (!Value) {
      consumeError(Value.takeError());
      return Damaged();
    }
    const json::Object *O = Value->getAsObject();
    std::optional<StringRef> Kind = O ? O->getString("record") : std::nullopt;
    if (Kind == "counts") {
      Begun = true;
      Counts.Path = O->getString("program").value_or("").str();
    } else if (Begun && Kind == "procedure") {
      ProcedureCounts P;
      P.Name = O->getString("name").value_or("").str();
      if (O->getString("flow").value_or("").getAsInteger(16, P.Hash))
        return Damaged();
      if (const json::Array *Blocks = O->getArray("blocks"))
        for (const json::Value &Block : *Blocks) {
          const json::Array *Pair = Block.getAsArray();
          if (!Pair || Pair->size() != 2)
            return Damaged();
          std::optional<int64_t> ID = (*Pair)[0].getAsInteger();
          std::optional<uint64_t> Count = (*Pair)[1].getAsUINT64();
          if (!ID || !Count)
            return Damaged();
          P.Blocks[*ID] = *Count;
        }
      Counts.Procedures.push_back(std::move(P));
    } else {
      return Damaged();
    }
  }
  if (!Begun)
    return failure("'" + Path + "' holds no counts of `causal db count`");
  return Counts;
}

void ExactCounts::write(raw_ostream &OS) const {
  OS << json::Value(json::Object{{"record", "counts"}, {"program", Path}}) << '\n';
  for (const ProcedureCounts &P : Procedures) {
    json::Array Blocks;
    for (auto [ID, Count] : P.Blocks)
      Blocks.push_back(json::Array{int64_t(ID), json::Value(uint64_t(Count))});
    OS << json::Value(json::Object{{"record", "procedure"},
                                   {"name", P.Name},
                                   {"flow", utohexstr(P.Hash, /*LowerCase=*/true)},
                                   {"blocks", std::move(Blocks)}})
       << '\n';
  }
}

std::optional<std::vector<double>> ExactCounts::countsFor(const Procedure &P,
                                                          unsigned Number) const {
  const ProcedureCounts *Last = nullptr;
  for (const ProcedureCounts &C : Procedures)
    if (C.Name == P.Name && C.Hash == P.Hash) {
      Last = &C;
      if (!Number--)
        break;
    }
  if (!Last)
    return std::nullopt;
  std::vector<double> Counts;
  for (const BasicBlock &B : P.Blocks) {
    auto Known = Last->Blocks.find(B.ID);
    Counts.push_back(Known == Last->Blocks.end() ? -1 : double(Known->second));
  }
  return Counts;
}

bool ExactCounts::isStale(const Procedure &P) const {
  return any_of(Procedures, [&](const ProcedureCounts &C) { return C.Name == P.Name; }) &&
         none_of(Procedures,
                 [&](const ProcedureCounts &C) { return C.Name == P.Name && C.Hash == P.Hash; });
}

} // namespace causal::cpi
