//===- ImageFinder.cpp - From a mapping to an address in its file ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/system/ImageFinder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace llvm::object;

namespace causal::continuous {

const ImageFinder::File &ImageFinder::fileOf(const std::string &Path, const std::string &BuildId) {
  auto [It, New] = Files.try_emplace({Path, BuildId});
  File &F = It->second;
  if (!New)
    return F;
  F.BuildId = BuildId;
  if (!sys::fs::is_regular_file(Path))
    return F;
  auto Opened = createBinary(Path);
  if (!Opened) {
    consumeError(Opened.takeError());
    return F;
  }
  auto *ELF = dyn_cast<ELF64LEObjectFile>(Opened->getBinary());
  if (!ELF)
    return F;
  std::string Has = toHex(getBuildID(ELF), /*LowerCase=*/true);
  if (!BuildId.empty() && Has != BuildId)
    return F;
  F.BuildId = Has;
  auto Headers = ELF->getELFFile().program_headers();
  if (!Headers) {
    consumeError(Headers.takeError());
    return F;
  }
  for (auto &P : *Headers)
    if (P.p_type == ELF::PT_LOAD)
      F.Segments.push_back({P.p_offset, P.p_filesz, P.p_vaddr});
  return F;
}

std::optional<ImagePlace> ImageFinder::find(const Mapping &M, uint64_t PC) {
  StringRef Path = M.Path;
  if (Path == "[vdso]")
    return ImagePlace{"", M.Path, PC - M.Low};
  Path.consume_back(" (deleted)");
  if (!Path.starts_with("/") || Path.starts_with("//") || Path.starts_with("/dev/zero") ||
      Path.starts_with("/memfd:"))
    return std::nullopt;
  uint64_t Offset = PC - M.Low + M.Offset;
  const File &F = fileOf(Path.str(), M.BuildId);
  for (const Segment &S : F.Segments)
    if (Offset - S.Offset < S.Size)
      return ImagePlace{F.BuildId, Path.str(), Offset - S.Offset + S.Address};
  // Not to be mixed with addresses.
  return ImagePlace{"", Path.str() + " (offsets in the file)", Offset};
}

// From the notes that the kernel shows of itself.
static std::string kernelBuildId() {
  auto Notes = MemoryBuffer::getFileAsStream("/sys/kernel/notes");
  StringRef Rest = Notes ? (*Notes)->getBuffer() : "";
  while (Rest.size() > 3 * sizeof(uint32_t)) {
    struct {
      uint32_t NameSize, TextSize, Type;
    } Note;
    memcpy(&Note, Rest.data(), sizeof(Note));
    uint64_t Name = alignTo(uint64_t(Note.NameSize), 4), Size = alignTo(uint64_t(Note.TextSize), 4);
    Rest = Rest.drop_front(sizeof(Note));
    if (Name + Size > Rest.size())
      break;
    if (Note.Type == ELF::NT_GNU_BUILD_ID && Rest.starts_with("GNU"))
      return toHex(Rest.substr(Name, Note.TextSize), /*LowerCase=*/true);
    Rest = Rest.drop_front(Name + Size);
  }
  return "";
}

// Its addresses differ from boot to boot: they count from where its text begins, where we may
// know that.
static uint64_t kernelText() {
  auto Symbols = MemoryBuffer::getFileAsStream("/proc/kallsyms");
  StringRef Rest = Symbols ? (*Symbols)->getBuffer() : "";
  while (!Rest.empty()) {
    auto [Line, After] = Rest.split('\n');
    uint64_t Address;
    if (Line.ends_with(" _text") && !Line.split(' ').first.getAsInteger(16, Address))
      return Address;
    Rest = After;
  }
  return 0;
}

ImagePlace ImageFinder::findKernel(uint64_t PC) {
  if (!Kernel)
    Kernel = ImagePlace{kernelBuildId(), "[kernel]", kernelText()};
  constexpr uint64_t MostText = uint64_t(1) << 30;
  ImagePlace P = *Kernel;
  if (Kernel->Address && PC - Kernel->Address < MostText)
    P.Address = PC - Kernel->Address;
  else
    P = {"", "[kernel modules]", PC & 0xffffffff};
  return P;
}

} // namespace causal::continuous
