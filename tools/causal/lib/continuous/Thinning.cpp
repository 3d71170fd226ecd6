//===- Thinning.cpp - Keeps a database within its bounds ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Thinning.h"
#include "lib/continuous/Epoch.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace causal::continuous {

namespace {
constexpr uint64_t Day = 24 * 3600;

class Thinner {
public:
  Thinner(const Directory &Host, const CollectOptions &Options,
          function_ref<Error(const Delta &)> Commit)
      : Host(Host), Options(Options), Commit(Commit) {}

  Error run() {
    for (const std::string &Epoch : epochs())
      if (endOf(Epoch) + Options.KeepDays * Day < Options.Now)
        if (Error E = Host.removeTree(Epoch))
          return E;
    if (Host.bytes() <= Options.MaxBytes)
      return Error::success();
    // Not to be here again in the next round.
    Enough = Options.MaxBytes - Options.MaxBytes / 4;
    if (Error E = replaceAll(dayOf, [](ImageSamples &) {}))
      return E;
    if (Error E = replaceAll(weekOf, [](ImageSamples &) {}))
      return E;
    auto Itself = [](StringRef Epoch) { return Epoch.str(); };
    if (Error E = replaceAll(Itself, giveUpAddresses))
      return E;
    return replaceAll(Itself, giveUpImage);
  }

private:
  std::vector<std::string> epochs() const {
    std::vector<std::string> Epochs;
    for (std::string &Name : Host.directories())
      if (isEpoch(Name))
        Epochs.push_back(std::move(Name));
    return Epochs;
  }

  static void giveUpAddresses(ImageSamples &S) {
    if (S.Kind == Event::Totals)
      return;
    S.Thinned = S.total();
    S.Counts.clear();
  }

  static void giveUpImage(ImageSamples &S) {
    giveUpAddresses(S);
    if (S.Kind == Event::Totals)
      return;
    S.BuildId.clear();
    S.Path = "[thinned]";
  }

  /// Until it is enough: group by group, from the oldest on, epochs of one name become one,
  /// and Change is done to their images.
  Error replaceAll(function_ref<std::string(StringRef)> NewName,
                   function_ref<void(ImageSamples &)> Change) {
    std::map<std::string, std::vector<std::string>> Groups;
    for (const std::string &Epoch : epochs())
      Groups[NewName(Epoch)].push_back(Epoch);
    for (const auto &[Name, Members] : Groups) {
      if (Host.bytes() <= Enough)
        break;
      Delta D;
      bool Differs = false;
      for (const std::string &Epoch : Members)
        Differs |= takeEpoch(Epoch, Name, Change, D);
      if (Differs)
        if (Error E = Commit(D))
          return E;
    }
    return Error::success();
  }

  /// Returns whether that will look different.
  bool takeEpoch(const std::string &Epoch, const std::string &Name,
                 function_ref<void(ImageSamples &)> Change, Delta &D) {
    auto From = Host.sub(Epoch, /*Make=*/false);
    if (!From) {
      consumeError(From.takeError());
      return false;
    }
    D.Claims.insert({Epoch, 0});
    bool Differs = Epoch != Name;
    for (const std::string &File : From->names()) {
      auto Text = From->read(File);
      auto S = Text ? decodeImageFile(*Text) : std::nullopt;
      if (!S) {
        Differs = true; // It goes.
        Options.Warn(From->path() + "/" + File + " is no image file, or is damaged: it is removed");
        continue;
      }
      std::string Key = S->key();
      bool HadAddresses = !S->Counts.empty();
      Change(*S);
      S->LastDelta = 0;
      Differs |= Key != S->key() || HadAddresses != !S->Counts.empty();
      D.add(Name, *S);
    }
    return Differs;
  }

  const Directory &Host;
  const CollectOptions &Options;
  function_ref<Error(const Delta &)> Commit;
  uint64_t Enough = 0;
};
} // namespace

Error thin(const Directory &Host, const CollectOptions &Options,
           function_ref<Error(const Delta &)> Commit) {
  return Thinner(Host, Options, Commit).run();
}

} // namespace causal::continuous
