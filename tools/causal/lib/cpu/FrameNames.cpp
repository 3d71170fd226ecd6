//===- FrameNames.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/cpu/FrameNames.h"
#include "lib/container/SourceText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace llvm;

namespace causal::cpu {

namespace {

/// The frames' images, opened when first asked for.
class Names {
public:
  Names(CPUProfile &P, function_ref<void(const Twine &)> Warn) : P(P), Warn(Warn), Symbols(how()) {
    for (unsigned I = 0; I < P.Places.size(); ++I)
      Known.try_emplace(key(P.Places[I]), I);
  }

  void name(Frame &F) {
    if (usable(F.Image)) {
      object::SectionedAddress At{F.Offset, object::SectionedAddress::UndefSection};
      Expected<DIInliningInfo> Found = Symbols.symbolizeInlinedCode(P.Images[F.Image].Path, At);
      if (!Found)
        consumeError(Found.takeError());
      for (uint32_t I = 0; Found && I < Found->getNumberOfFrames(); ++I) {
        const DILineInfo &Line = Found->getFrame(I);
        auto Text = [](const std::string &S) { return S == DILineInfo::BadString ? "" : S; };
        if (Place L{Text(Line.FunctionName), Text(Line.FileName), Line.Line, F.Image};
            !L.Function.empty())
          F.Places.push_back(intern(std::move(L)));
      }
    }
    if (F.Places.empty())
      F.Places.push_back(intern({"", "", 0, F.Image}));
  }

private:
  using Key = std::tuple<std::string, std::string, unsigned, unsigned>;
  static Key key(const Place &L) {
    // Unknown code of two images is not the same.
    return {L.Function, L.File, L.Line, L.Function.empty() ? L.Image + 1 : 0};
  }
  unsigned intern(Place L) {
    auto [It, New] = Known.try_emplace(key(L), unsigned(P.Places.size()));
    if (New)
      P.Places.push_back(std::move(L));
    return It->second;
  }
  static symbolize::LLVMSymbolizer::Options how() {
    symbolize::LLVMSymbolizer::Options How;
    How.Demangle = false; // The names are those of the line table.
    return How;
  }
  /// Whether the file is there, and is the build that ran.
  bool usable(unsigned Image) {
    auto [It, New] = Usable.try_emplace(Image, false);
    const struct Image &I = P.Images[Image];
    // A path from a profile may lead to a device.
    if (!New || I.Path.empty() || !sys::fs::is_regular_file(I.Path))
      return It->second;
    Expected<object::OwningBinary<object::ObjectFile>> File =
        object::ObjectFile::createObjectFile(I.Path);
    if (!File) {
      consumeError(File.takeError());
      return false;
    }
    std::string Id = toHex(object::getBuildID(File->getBinary()), /*LowerCase=*/true);
    It->second = I.BuildId.empty() || Id == StringRef(I.BuildId).lower();
    if (!It->second)
      Warn(printable(I.Path) +
           " has changed since the run: its code has no names but what the "
           "line table had. Profile again, or bring back build " +
           printable(I.BuildId));
    return It->second;
  }

  CPUProfile &P;
  function_ref<void(const Twine &)> Warn;
  symbolize::LLVMSymbolizer Symbols;
  std::map<unsigned, bool> Usable;
  std::map<Key, unsigned> Known;
};

} // namespace

void nameFrames(CPUProfile &P, function_ref<void(const Twine &)> Warn) {
  Names All(P, Warn);
  for (Frame &F : P.Frames)
    if (F.Places.empty())
      All.name(F);
}

static std::string unnamed(const CPUProfile &P, const Place &L) {
  StringRef File = sys::path::filename(P.Images[L.Image].Path);
  return "[" + (File.empty() ? "unknown" : printable(File)) + "]";
}

std::string nameOf(const CPUProfile &P, const Place &L) {
  return L.Function.empty() ? unnamed(P, L) : printable(demangledName(L.Function));
}

std::string shortNameOf(const CPUProfile &P, const Place &L) {
  return L.Function.empty() ? unnamed(P, L) : printable(shortFunctionName(L.Function));
}

bool isSystem(const CPUProfile &P, const Place &L) {
  StringRef Path = L.File.empty() ? StringRef(P.Images[L.Image].Path) : StringRef(L.File);
  return L.Function == "_start" || Path.starts_with("/usr/") || Path.starts_with("/lib") ||
         Path.contains("/libcausal_runtime") ||
         !Path.starts_with("/"); // As glibc's own debug information has it.
}

} // namespace causal::cpu
