//===- Database.cpp - Reads a continuous database -------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The collector holds a host's lock alone, readers share it. Of a collector that was killed
// there may be deltas that are in some image files and not in others: each file says up to
// which it has been brought.
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Database.h"
#include "lib/continuous/Delta.h"
#include "lib/continuous/Epoch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace causal::continuous {

bool isDatabase(StringRef Path) {
  auto D = Directory::open(Path.str(), /*FollowLast=*/true);
  if (!D) {
    consumeError(D.takeError());
    return false;
  }
  if (auto Format = D->read("format"))
    return *Format == DatabaseFormat;
  // One into which nothing has been collected.
  auto Spool = D->sub("spool", /*Make=*/false);
  if (!Spool)
    consumeError(Spool.takeError());
  return bool(Spool);
}

namespace {
using Records = std::map<std::pair<std::string, std::string>, ImageSamples>;

class HostReader {
public:
  HostReader(const Directory &From, const Selection &Which, function_ref<void(const Twine &)> Warn)
      : From(From), Which(Which), Warn(Warn) {}

  Records read() {
    Records R;
    std::map<uint64_t, Delta> Deltas = readDeltas(From, Warn);
    for (const std::string &Epoch : From.directories())
      if (isEpoch(Epoch) && isSelected(Epoch) && !isReplaced(Epoch, Deltas))
        readEpoch(Epoch, R);
    for (const auto &[Number, D] : Deltas)
      for (const auto &[Place, Record] : D.Records)
        if (isSelected(Place.first))
          bring(R, Place, Record, Number);
    return R;
  }

private:
  bool isSelected(StringRef Epoch) const {
    return Which.Epochs.empty() ||
           any_of(Which.Epochs, [&](StringRef Begin) { return Epoch.starts_with(Begin); });
  }

  /// A delta of thinning has all that was in the directory.
  static bool isReplaced(const std::string &Epoch, const std::map<uint64_t, Delta> &Deltas) {
    return any_of(Deltas, [&](const auto &Each) { return Each.second.Claims.count({Epoch, 0}); });
  }

  void readEpoch(const std::string &Epoch, Records &R) {
    auto D = From.sub(Epoch, /*Make=*/false);
    if (!D)
      return consumeError(D.takeError());
    for (const std::string &Name : D->names()) {
      if (StringRef(Name).ends_with(".new"))
        continue; // Of a collector that was killed.
      auto Text = D->read(Name);
      auto Image = Text ? decodeImageFile(*Text) : std::nullopt;
      if (Image && Image->key() == Name)
        R.insert_or_assign({Epoch, Name}, std::move(*Image));
      else if (Warn)
        Warn(D->path() + "/" + Name + " is no image file, or is damaged: it is left out");
    }
  }

  static void bring(Records &R, const Records::key_type &Place, const ImageSamples &Record,
                    uint64_t Number) {
    auto [It, New] = R.try_emplace(Place, Record);
    if (!New && It->second.LastDelta < Number)
      It->second.add(Record);
  }

  const Directory &From;
  const Selection &Which;
  function_ref<void(const Twine &)> Warn;
};
} // namespace

static Host readHost(const Directory &D, StringRef Name) {
  Host H;
  H.Name = Name.str();
  std::string Text = D.read("host").value_or("");
  SmallVector<StringRef> Lines;
  StringRef(Text).split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    auto [Key, Value] = Line.split('=');
    if (Key == "processor")
      H.Processor = Value.str();
    else if (Key == "origin")
      H.Origin = Value.str();
    else if (Key == "cores")
      Value.getAsInteger(10, H.Cores);
  }
  return H;
}

static void appendTotals(const Host &From, StringRef Epoch, const ImageSamples &Record,
                         const Selection &Which, std::vector<HostTotals> &Out) {
  for (unsigned I = 0; I < NumEvents; ++I) {
    auto Of = [&](Total What) {
      auto It = Record.Counts.find(totalAddress(Event(I), What));
      return It == Record.Counts.end() ? 0 : It->second;
    };
    HostTotals T{&From,
                 Epoch.str(),
                 Event(I),
                 Record.Period,
                 Of(Total::Samples),
                 Of(Total::Dropped),
                 Of(Total::Unmapped),
                 Of(Total::Processes)};
    bool Any = T.Samples || T.Processes;
    if (Any && (!Which.Kind || *Which.Kind == T.Kind))
      Out.push_back(std::move(T));
  }
}

static bool selectsImage(const Selection &Which, const ImageSamples &S) {
  return (!Which.Kind || *Which.Kind == S.Kind) &&
         (StringRef(S.Path).ends_with(Which.Image) ||
          StringRef(S.BuildId).starts_with_insensitive(Which.Image));
}

Expected<Database> Database::read(StringRef Path, const Selection &Which,
                                  function_ref<void(const Twine &)> Warn) {
  if (!isDatabase(Path))
    return createStringError(inconvertibleErrorCode(),
                             Path + " is no database of continuous profiles: name the directory "
                                    "that programs were given with mode=continuous:db=DIR");
  auto Top = Directory::open(Path.str(), /*FollowLast=*/true);
  if (!Top)
    return Top.takeError();
  Database DB;
  for (const std::string &Name : Top->directories()) {
    StringRef Machine = StringRef(Name).rsplit('.').first;
    if (!StringRef(Name).contains('.') ||
        (!Which.Hosts.empty() && !is_contained(Which.Hosts, Name) &&
         !is_contained(Which.Hosts, Machine)))
      continue;
    auto D = Top->sub(Name, /*Make=*/false);
    if (!D) {
      if (Warn)
        Warn(toString(D.takeError()) + ": it is left out");
      else
        consumeError(D.takeError());
      continue;
    }
    // Where there is no lock nobody collects: a copy.
    auto Lock = D->lock("lock", /*Alone=*/false);
    if (!Lock)
      consumeError(Lock.takeError());
    DB.Hosts.push_back(std::make_unique<Host>(readHost(*D, Name)));
    const Host *From = DB.Hosts.back().get();
    for (auto &[Place, Record] : HostReader(*D, Which, Warn).read())
      if (Record.Kind == Event::Totals)
        appendTotals(*From, Place.first, Record, Which, DB.Totals);
      else if (selectsImage(Which, Record))
        DB.Samples.push_back({From, Place.first, std::move(Record)});
  }
  return DB;
}

std::vector<ImageSamples> Database::images() const {
  std::map<std::string, ImageSamples> ByKey;
  for (const HostSamples &S : Samples) {
    auto [It, New] = ByKey.try_emplace(S.Image.key(), S.Image);
    if (!New)
      It->second.add(S.Image);
  }
  std::vector<ImageSamples> Images;
  for (auto &[Key, Image] : ByKey)
    Images.push_back(std::move(Image));
  return Images;
}

HostTotals Database::total(Event Kind) const {
  HostTotals Sum;
  Sum.Kind = Kind;
  for (const HostTotals &T : Totals)
    if (T.Kind == Kind) {
      Sum.Samples = saturatingSum(Sum.Samples, T.Samples);
      Sum.Dropped = saturatingSum(Sum.Dropped, T.Dropped);
      Sum.Unmapped = saturatingSum(Sum.Unmapped, T.Unmapped);
      Sum.Processes = saturatingSum(Sum.Processes, T.Processes);
    }
  return Sum;
}

} // namespace causal::continuous
