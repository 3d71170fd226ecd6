//===- Image.cpp - Procedures and basic blocks of a binary ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/Image.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/xxhash.h"

#include <map>
#include <set>

using namespace llvm;
using namespace llvm::object;

namespace causal::cpi {
namespace {

class ELFImage final : public Image {
public:
  static Expected<std::unique_ptr<Image>> open(StringRef Path);

  ArrayRef<Symbol> symbols() const override { return Symbols; }
  StringRef buildID() const override { return BuildID; }
  bool hasBlockMap() const override { return !Maps.empty(); }
  StringRef section(StringRef Name, uint64_t &Address) const override;
  std::optional<uint64_t> addressOfOffset(uint64_t Offset) const override;
  Expected<Procedure> procedure(const Symbol &S, const Decoder &D) const override;

private:
  Error readSymbols(const ELFObjectFileBase &Object);
  StringRef bytes(uint64_t Address, uint64_t Size) const;
  Error mappedBlocks(Procedure &P, size_t Map, const Decoder &D) const;
  void disassembledBlocks(Procedure &P, const Symbol &S, const Decoder &D) const;

  struct Text {
    uint64_t Address;
    StringRef Contents;
  };
  OwningBinary<ObjectFile> Binary;
  std::string BuildID;
  std::vector<Symbol> Symbols;
  std::vector<Text> Texts;
  std::vector<BBAddrMap> Maps;
  std::vector<PGOAnalysisMap> Analyses;
  DenseMap<uint64_t, size_t> MapAt; ///< By the function's address.
};

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

Expected<std::unique_ptr<Image>> ELFImage::open(StringRef Path) {
  Expected<OwningBinary<ObjectFile>> Binary = ObjectFile::createObjectFile(Path);
  if (!Binary)
    return failure("cannot read the program '" + Path + "': " + toString(Binary.takeError()));
  auto *Object = dyn_cast<ELFObjectFileBase>(Binary->getBinary());
  if (!Object || Object->getArch() != Triple::x86_64)
    return failure("'" + Path + "' is no ELF file for x86-64: only those are analysed");
  auto I = std::make_unique<ELFImage>();
  I->BuildID = toHex(getBuildID(Object), /*LowerCase=*/true);
  for (const SectionRef &S : Object->sections())
    if (S.isText() && !S.isVirtual()) {
      Expected<StringRef> Contents = S.getContents();
      if (!Contents)
        return Contents.takeError();
      I->Texts.push_back({S.getAddress(), *Contents});
    }
  if (Error E = I->readSymbols(*Object))
    return std::move(E);
  if (auto Maps = Object->readBBAddrMap(std::nullopt, &I->Analyses))
    I->Maps = std::move(*Maps);
  else // No map that can be read is as none: the code is there.
    consumeError(Maps.takeError());
  for (size_t M = 0; M < I->Maps.size(); ++M)
    if (!I->Maps[M].BBRanges.empty())
      I->MapAt[I->Maps[M].getFunctionAddress()] = M;
  I->Binary = std::move(*Binary);
  return I;
}

Error ELFImage::readSymbols(const ELFObjectFileBase &Object) {
  std::map<uint64_t, Symbol> ByAddress;
  auto Add = [&](const ELFSymbolRef &S) {
    Expected<SymbolRef::Type> Type = S.getType();
    Expected<StringRef> Name = S.getName();
    Expected<uint64_t> Address = S.getAddress();
    bool Usable =
        Type && Name && Address && *Type == SymbolRef::ST_Function && !Name->empty() && S.getSize();
    if (Usable) {
      Symbol &Known = ByAddress[*Address];
      // Of aliases the global one, the shorter one, the first of the alphabet.
      auto Rank = [](StringRef N) { return std::make_tuple(N.size(), N); };
      if (Known.Name.empty() || Rank(*Name) < Rank(Known.Name))
        Known = {Name->str(), *Address, S.getSize()};
    }
    if (!Type)
      consumeError(Type.takeError());
    if (!Name)
      consumeError(Name.takeError());
    if (!Address)
      consumeError(Address.takeError());
  };
  for (const ELFSymbolRef &S : Object.symbols())
    Add(S);
  for (const ELFSymbolRef &S : Object.getDynamicSymbolIterators())
    Add(S);
  for (auto &[Address, S] : ByAddress)
    Symbols.push_back(std::move(S));
  return Error::success();
}

StringRef ELFImage::bytes(uint64_t Address, uint64_t Size) const {
  for (const Text &T : Texts)
    if (Address >= T.Address && Address < T.Address + T.Contents.size())
      return T.Contents.substr(Address - T.Address, Size);
  return "";
}

StringRef ELFImage::section(StringRef Name, uint64_t &Address) const {
  for (const SectionRef &S : Binary.getBinary()->sections()) {
    Expected<StringRef> SectionName = S.getName();
    if (!SectionName) {
      consumeError(SectionName.takeError());
      continue;
    }
    if (*SectionName != Name)
      continue;
    Address = S.getAddress();
    Expected<StringRef> Contents = S.getContents();
    if (Contents)
      return *Contents;
    consumeError(Contents.takeError());
  }
  return "";
}

std::optional<uint64_t> ELFImage::addressOfOffset(uint64_t Offset) const {
  auto *Object = dyn_cast<ELF64LEObjectFile>(Binary.getBinary());
  if (!Object)
    return std::nullopt;
  auto Headers = Object->getELFFile().program_headers();
  if (!Headers) {
    consumeError(Headers.takeError());
    return std::nullopt;
  }
  for (const auto &H : *Headers)
    if (H.p_type == ELF::PT_LOAD && Offset >= H.p_offset && Offset - H.p_offset < H.p_filesz)
      return Offset - H.p_offset + H.p_vaddr;
  return std::nullopt;
}

std::vector<Instruction> decodeAll(StringRef Bytes, uint64_t Address, const Decoder &D) {
  std::vector<Instruction> All;
  while (!Bytes.empty()) {
    std::optional<Instruction> I = D.decode(Bytes, Address);
    if (!I || I->Size > Bytes.size())
      break;
    Bytes = Bytes.drop_front(I->Size);
    Address += I->Size;
    All.push_back(std::move(*I));
  }
  return All;
}

/// Predecessors from successors, and the hash of the shape.
void finish(Procedure &P) {
  std::string Shape;
  raw_string_ostream OS(Shape);
  for (unsigned B = 0; B < P.Blocks.size(); ++B) {
    OS << P.Blocks[B].ID << (P.Blocks[B].Leaves ? "!" : ":");
    for (unsigned S : P.Blocks[B].Successors) {
      P.Blocks[S].Predecessors.push_back(B);
      OS << P.Blocks[S].ID << ',';
    }
  }
  P.Hash = xxh3_64bits(OS.str());
}

Error ELFImage::mappedBlocks(Procedure &P, size_t Map, const Decoder &D) const {
  struct Entry {
    uint64_t Address;
    BBAddrMap::BBEntry Block;
    const PGOAnalysisMap::PGOBBEntry *Analysis;
    size_t Number; ///< An empty block stands before the one whose address it has.
  };
  std::vector<Entry> Entries;
  size_t Number = 0;
  const PGOAnalysisMap *Analysis = Map < Analyses.size() ? &Analyses[Map] : nullptr;
  for (const BBAddrMap::BBRangeEntry &Range : Maps[Map].BBRanges)
    for (const BBAddrMap::BBEntry &Block : Range.BBEntries) {
      bool Known = Analysis && Number < Analysis->BBEntries.size();
      Entries.push_back({Range.BaseAddress + Block.Offset, Block,
                         Known ? &Analysis->BBEntries[Number] : nullptr, Number});
      ++Number;
    }
  // The entry comes first, whatever section the rest was moved to.
  uint64_t Begin = P.Address;
  sort(Entries, [Begin](const Entry &A, const Entry &B) {
    return std::make_tuple(A.Address < Begin, A.Address, A.Number) <
           std::make_tuple(B.Address < Begin, B.Address, B.Number);
  });
  DenseMap<unsigned, unsigned> IndexOf;
  for (const Entry &E : Entries)
    IndexOf[E.Block.ID] = IndexOf.size();
  bool HasEdges = Analysis && Analysis->FeatEnable.BrProb;
  for (unsigned N = 0; N < Entries.size(); ++N) {
    const Entry &E = Entries[N];
    BasicBlock B;
    B.Address = E.Address;
    B.ID = E.Block.ID;
    B.Instructions = decodeAll(bytes(E.Address, E.Block.Size), E.Address, D);
    if (B.end() != E.Address + E.Block.Size)
      return failure("the code of '" + P.Name + "' does not fit its basic-block address map at 0x" +
                     Twine::utohexstr(E.Address) + ": build the program anew");
    B.LandingPad = E.Block.isEHPad();
    B.Leaves = E.Block.hasReturn() || E.Block.hasTailCall();
    if (HasEdges && E.Analysis)
      for (const auto &S : E.Analysis->Successors) {
        auto To = IndexOf.find(S.ID);
        if (To == IndexOf.end())
          return failure("the basic-block address map of '" + P.Name + "' is damaged");
        B.Successors.push_back(To->second);
        B.Likelihood.push_back(S.Prob.getNumerator() / double(BranchProbability::getDenominator()));
      }
    else {
      std::set<unsigned> To;
      if (E.Block.canFallThrough() && N + 1 < Entries.size())
        To.insert(N + 1);
      for (const Instruction &I : B.Instructions)
        if (I.Branch && I.Target)
          for (unsigned K = 0; K < Entries.size(); ++K)
            if (Entries[K].Address == *I.Target)
              To.insert(K);
      B.Successors.assign(To.begin(), To.end());
      B.Likelihood.assign(To.size(), 1.0 / std::max<size_t>(1, To.size()));
      P.Complete &= !E.Block.hasIndirectBranch();
    }
    if (B.Successors.empty())
      B.Leaves = true;
    P.Blocks.push_back(std::move(B));
  }
  P.HasMap = true;
  return Error::success();
}

void ELFImage::disassembledBlocks(Procedure &P, const Symbol &S, const Decoder &D) const {
  std::vector<Instruction> Code = decodeAll(bytes(S.Address, S.Size), S.Address, D);
  uint64_t End = Code.empty() ? S.Address : Code.back().end();
  std::set<uint64_t> Leaders = {S.Address};
  for (const Instruction &I : Code) {
    bool Ends = I.Branch || I.Return;
    if (Ends && I.end() < End)
      Leaders.insert(I.end());
    if (I.Branch && I.Target && *I.Target >= S.Address && *I.Target < End)
      Leaders.insert(*I.Target);
  }
  std::map<uint64_t, unsigned> IndexOf;
  for (const Instruction &I : Code) {
    if (Leaders.count(I.Address) || P.Blocks.empty()) {
      IndexOf[I.Address] = P.Blocks.size();
      BasicBlock &B = P.Blocks.emplace_back();
      B.Address = I.Address;
      B.ID = P.Blocks.size() - 1;
    }
    P.Blocks.back().Instructions.push_back(I);
  }
  for (unsigned B = 0; B < P.Blocks.size(); ++B) {
    BasicBlock &Block = P.Blocks[B];
    const Instruction &Last = Block.Instructions.back();
    std::set<unsigned> To;
    if (Last.Branch && Last.Target) {
      auto Known = IndexOf.find(*Last.Target);
      if (Known != IndexOf.end())
        To.insert(Known->second);
      else
        Block.Leaves = true; // A tail call.
    }
    if (Last.Indirect)
      P.Complete = false;
    bool FallsThrough = !Last.Return && (!Last.Branch || Last.Conditional);
    if (FallsThrough && B + 1 < P.Blocks.size())
      To.insert(B + 1);
    Block.Successors.assign(To.begin(), To.end());
    Block.Likelihood.assign(To.size(), 1.0 / std::max<size_t>(1, To.size()));
    Block.Leaves |= Last.Return || To.empty();
  }
}

Expected<Procedure> ELFImage::procedure(const Symbol &S, const Decoder &D) const {
  Procedure P;
  P.Name = S.Name;
  P.Address = S.Address;
  auto Map = MapAt.find(S.Address);
  if (Map != MapAt.end()) {
    if (Error E = mappedBlocks(P, Map->second, D))
      return std::move(E);
  } else {
    disassembledBlocks(P, S, D);
  }
  if (P.Blocks.empty())
    return failure("'" + S.Name + "' has no code in this file");
  finish(P);
  return P;
}

} // namespace

Expected<std::unique_ptr<Image>> Image::open(StringRef Path) { return ELFImage::open(Path); }

const Symbol *Image::symbolAt(uint64_t Address) const {
  ArrayRef<Symbol> All = symbols();
  auto After = upper_bound(All, Address, [](uint64_t A, const Symbol &S) { return A < S.Address; });
  if (After == All.begin())
    return nullptr;
  const Symbol &S = *std::prev(After);
  return Address < S.Address + S.Size ? &S : nullptr;
}

SmallVector<const Symbol *, 1> Image::findSymbol(StringRef Name) const {
  SmallVector<const Symbol *, 1> Found;
  for (const Symbol &S : symbols())
    if (S.Name == Name)
      Found.push_back(&S);
  if (Found.empty())
    for (const Symbol &S : symbols()) {
      std::string Readable = demangled(S.Name);
      if (Readable == Name || StringRef(Readable).split('(').first == Name)
        Found.push_back(&S);
    }
  return Found;
}

std::optional<Place> Procedure::find(uint64_t Address) const {
  for (unsigned B = 0; B < Blocks.size(); ++B)
    for (unsigned I = 0; I < Blocks[B].Instructions.size(); ++I)
      if (Blocks[B].Instructions[I].Address == Address)
        return Place{B, I};
  return std::nullopt;
}

std::string demangled(StringRef Name) { return llvm::demangle(Name); }

} // namespace causal::cpi
