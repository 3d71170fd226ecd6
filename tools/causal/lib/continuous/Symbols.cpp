//===- Symbols.cpp - Which function and line an address is ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decoder of line tables trusts them. So a table is read only from a file whose owner may
// change what this user runs anyway: root, or the user.
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Symbols.h"

#include "causal/LineMapFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace llvm::object;

namespace causal::continuous {

namespace {

struct Function {
  uint64_t Address, Size;
  std::string Name;
};

class ElfSymbols : public ImageSymbols {
public:
  ElfSymbols(const std::string &Path, const std::string &BuildId) : Path(Path) {
    Short = "? in " + sys::path::filename(Path).str();
    if (Error E = load(BuildId)) {
      Problem = toString(std::move(E));
      Functions.clear();
      Begin = End = nullptr;
    }
  }

  StringRef problem() const override { return Problem; }

  CodePlace at(uint64_t Address) const override {
    CodePlace P;
    P.Function = functionAt(Address);
    if (!tableAt(Address, P) && Problem.empty())
      debugInfoAt(Address, P);
    if (P.Function.empty())
      P.Function = Short;
    return P;
  }

private:
  Error load(const std::string &BuildId) {
    // A pipe or a device would keep us waiting.
    if (!sys::fs::is_regular_file(Path))
      return createStringError(inconvertibleErrorCode(), "the file is no longer there");
    auto Opened = createBinary(Path);
    if (!Opened)
      return Opened.takeError();
    File = std::move(*Opened);
    auto *ELF = dyn_cast<ELF64LEObjectFile>(File.getBinary());
    if (!ELF)
      return createStringError(inconvertibleErrorCode(), "it is no ELF file of this machine");
    if (!BuildId.empty() &&
        toHex(getBuildID(ELF), /*LowerCase=*/true) != StringRef(BuildId).lower())
      return createStringError(inconvertibleErrorCode(),
                               "the file has changed since it was sampled");
    readFunctions(*ELF);
    struct stat S;
    if (!stat(Path.c_str(), &S) && (S.st_uid == 0 || S.st_uid == geteuid()))
      if (Error E = readLineTable(*ELF))
        consumeError(std::move(E));
    return Error::success();
  }

  void readFunctions(const ELF64LEObjectFile &ELF) {
    auto Take = [&](const ELFSymbolRef &S) {
      auto Name = S.getName();
      auto Address = S.getAddress();
      if (Name && Address && !Name->empty() &&
          (S.getELFType() == ELF::STT_FUNC || S.getELFType() == ELF::STT_GNU_IFUNC) && *Address)
        Functions.push_back({*Address, S.getSize(), Name->split('@').first.str()});
      if (!Name)
        consumeError(Name.takeError());
      if (!Address)
        consumeError(Address.takeError());
    };
    for (const ELFSymbolRef &S : ELF.symbols())
      Take(S);
    for (const ELFSymbolRef &S : ELF.getDynamicSymbolIterators())
      Take(S);
    // Of several names of an address the shortest one with a size, always the same.
    sort(Functions, [](const Function &A, const Function &B) {
      return std::tuple(A.Address, !A.Size, A.Name.size(), A.Name) <
             std::tuple(B.Address, !B.Size, B.Name.size(), B.Name);
    });
    Functions.erase(
        std::unique(Functions.begin(), Functions.end(),
                    [](const Function &A, const Function &B) { return A.Address == B.Address; }),
        Functions.end());
  }

  std::string functionAt(uint64_t Address) const {
    auto It = partition_point(Functions, [&](const Function &F) { return F.Address <= Address; });
    if (It == Functions.begin())
      return "";
    const Function &F = *std::prev(It);
    // Assembly has functions without a size: they go on to the next.
    uint64_t Size = F.Size || It == Functions.end() ? F.Size : It->Address - F.Address;
    return Address - F.Address < Size ? demangle(F.Name) : "";
  }

  Error readLineTable(const ELF64LEObjectFile &ELF) {
    auto Headers = ELF.getELFFile().program_headers();
    if (!Headers)
      return Headers.takeError();
    uint64_t FileSize = ELF.getData().size();
    constexpr uint64_t Most = uint64_t(1) << 32;
    for (auto &P : *Headers) {
      if (P.p_type != ELF::PT_LOAD || !P.p_filesz)
        continue;
      if (P.p_offset > FileSize || P.p_filesz > FileSize - P.p_offset || P.p_vaddr > Most ||
          P.p_filesz > Most)
        return createStringError(inconvertibleErrorCode(), "its segments are not in the file");
      if (!Base || P.p_vaddr < *Base)
        Base = P.p_vaddr;
    }
    for (const ELFSectionRef S : ELF.sections()) {
      auto Name = S.getName();
      if (!Name) {
        consumeError(Name.takeError());
        continue;
      }
      if (*Name != CAUSAL_LINEMAP_FUNCTIONS || !Base)
        continue;
      for (auto &P : *Headers)
        if (P.p_type == ELF::PT_LOAD && P.p_filesz) {
          if (Memory.size() < P.p_vaddr - *Base + P.p_filesz)
            Memory.resize(P.p_vaddr - *Base + P.p_filesz);
          memcpy(&Memory[P.p_vaddr - *Base], ELF.getELFFile().base() + P.p_offset, P.p_filesz);
        }
      if (S.getAddress() < *Base || S.getAddress() - *Base + S.getSize() > Memory.size())
        return createStringError(inconvertibleErrorCode(), "its line table is not loaded");
      Begin = reinterpret_cast<const linemap::FunctionRecord *>(&Memory[S.getAddress() - *Base]);
      End = Begin + S.getSize() / sizeof(linemap::FunctionRecord);
    }
    return Error::success();
  }

  bool tableAt(uint64_t Address, CodePlace &P) const {
    if (!Begin || Address < *Base)
      return false;
    uintptr_t PC = reinterpret_cast<uintptr_t>(Memory.data()) + (Address - *Base);
    const linemap::FunctionRecord *Record = linemap::find(Begin, End, PC);
    linemap::Frame Frames[64];
    unsigned N = Record ? linemap::lookup(Record, PC, Frames, std::size(Frames)) : 0;
    if (!N)
      return false;
    P.File = Frames[0].File;
    P.Line = Frames[0].Line;
    if (P.Function.empty())
      P.Function = demangle(Frames[N - 1].Function);
    return true;
  }

  void debugInfoAt(uint64_t Address, CodePlace &P) const {
    auto Info = DebugInfo.symbolizeCode(Path, {Address, SectionedAddress::UndefSection});
    if (!Info)
      return consumeError(Info.takeError());
    if (Info->FileName != DILineInfo::BadString) {
      P.File = Info->FileName;
      P.Line = Info->Line;
    }
  }

  std::string Path, Short, Problem;
  OwningBinary<Binary> File;
  std::vector<Function> Functions; ///< By address.
  std::optional<uint64_t> Base;    ///< The least address of the image.
  std::vector<char> Memory;        ///< The image from there on, as it is loaded.
  const linemap::FunctionRecord *Begin = nullptr, *End = nullptr;
  mutable symbolize::LLVMSymbolizer DebugInfo;
};

} // namespace

std::unique_ptr<ImageSymbols> ImageSymbols::open(const std::string &Path,
                                                 const std::string &BuildId) {
  return std::make_unique<ElfSymbols>(Path, BuildId);
}

const ImageSymbols &Symbols::of(const ImageSamples &Image) {
  auto &Slot = Opened[{Image.BuildId, Image.Path}];
  if (!Slot)
    Slot = ImageSymbols::open(Image.Path, Image.BuildId);
  return *Slot;
}

CodePlace Symbols::at(const ImageSamples &Image, uint64_t Address) { return of(Image).at(Address); }

std::map<std::string, std::string> Symbols::problems() const {
  std::map<std::string, std::string> Problems;
  for (const auto &[Who, S] : Opened)
    if (!S->problem().empty())
      Problems[Who.second] = S->problem().str();
  return Problems;
}

} // namespace causal::continuous
