//===- Collector.cpp - Brings segments into the database ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Collector.h"
#include "lib/continuous/Database.h"
#include "lib/continuous/Epoch.h"
#include "lib/continuous/SegmentFile.h"
#include "lib/continuous/SegmentReader.h"
#include "lib/continuous/Thinning.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"

#include <cerrno>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace causal::continuous {

static constexpr long NfsMagic = 0x6969;

std::string hostName() {
  char Name[256] = "";
  gethostname(Name, sizeof(Name) - 1);
  std::string Host = Name;
  for (char &C : Host)
    if (!isAlnum(C) && C != '-' && C != '_' && C != '.')
      C = '-';
  return Host.empty() || Host[0] == '.' ? "unnamed" : Host;
}

Error makeDatabase(const std::string &Path, bool Shared) {
  if (mkdir(Path.c_str(), 0700) && errno != EEXIST)
    return fileError("cannot make", Path, errno);
  auto Top = Directory::open(Path, /*FollowLast=*/true);
  if (!Top)
    return Top.takeError();
  auto Spool = Top->sub("spool", /*Make=*/true);
  if (!Spool)
    return Spool.takeError();
  // In a directory that others may write to, only they can remove what is theirs.
  constexpr mode_t Everybodys = 01777;
  if (Shared && (fchmod(Top->fd(), Everybodys) || fchmod(Spool->fd(), Everybodys)))
    return fileError("cannot share", Path, errno);
  if (auto Format = Top->read("format")) {
    if (*Format == DatabaseFormat)
      return Error::success();
    return createStringError(inconvertibleErrorCode(),
                             Path + " is a database of another version of causal");
  }
  if (Error E = Top->replace("format", DatabaseFormat))
    return E;
  if (Shared && fchmodat(Top->fd(), "format", 0644, 0))
    return fileError("cannot share", Path, errno);
  return Error::success();
}

std::vector<std::pair<uid_t, gid_t>> segmentOwners(const std::string &Path) {
  std::map<uid_t, gid_t> Owners;
  auto Spool = Directory::open(Path + "/spool");
  if (!Spool) {
    consumeError(Spool.takeError());
    return {};
  }
  for (const std::string &Name : Spool->names()) {
    struct stat S;
    if (StringRef(Name).ends_with(".seg") &&
        !fstatat(Spool->fd(), Name.c_str(), &S, AT_SYMLINK_NOFOLLOW) && S_ISREG(S.st_mode))
      Owners.emplace(S.st_uid, S.st_gid);
  }
  return {Owners.begin(), Owners.end()};
}

size_t segmentsWaiting(const std::string &Path) {
  auto Spool = Directory::open(Path + "/spool");
  if (!Spool) {
    consumeError(Spool.takeError());
    return 0;
  }
  return size_t(count_if(Spool->names(), [](StringRef Name) { return Name.ends_with(".seg"); }));
}

namespace {
class Round {
public:
  Round(const Directory &Spool, const Directory &Host, const CollectOptions &Options)
      : Spool(Spool), Host(Host), Options(Options) {}

  Error run(const Delta *More, Collected &Sum) {
    if (Error E = describeHost())
      return E;
    for (const auto &[Number, D] : readDeltas(Host, Options.Warn))
      if (Error E = bring(Number, D))
        return E;
    Delta New = More ? *More : Delta();
    foldSegments(New, Sum);
    if (Error E = commit(New))
      return E;
    return thin(Host, Options, [this](const Delta &D) { return commit(D); });
  }

private:
  Error describeHost() {
    if (Host.read("host"))
      return Error::success();
    std::random_device Device;
    uint64_t Origin = uint64_t(Device()) << 32 | Device();
    return Host.replace(
        "host", "origin=" + utohexstr(Origin, true) + "\nprocessor=" + sys::getHostCPUName().str() +
                    "\ncores=" + utostr(std::thread::hardware_concurrency()) + "\n");
  }

  /// Mapped memory of another machine is not this one's.
  bool isHere(StringRef Name) const {
    struct statfs S;
    return fstatfs(Spool.fd(), &S) || S.f_type != NfsMagic ||
           Name.starts_with(Options.HostName + ".");
  }

  void foldSegments(Delta &New, Collected &Sum) {
    for (const std::string &Name : Spool.names()) {
      struct stat S;
      if (!isHere(Name) || fstatat(Spool.fd(), Name.c_str(), &S, AT_SYMLINK_NOFOLLOW) ||
          S.st_uid != geteuid())
        continue;
      // Its process was killed before it had made it.
      if (StringRef(Name).ends_with(".new") && uint64_t(S.st_mtime) + 60 < Options.Now)
        consumeError(Spool.remove(Name));
      if (!StringRef(Name).ends_with(".seg"))
        continue;
      std::string Why;
      auto File = SegmentFile::open(Spool, Name, geteuid(), Why);
      if (!File && !Why.empty())
        Options.Warn(Spool.path() + "/" + Name + " is left alone: " + Why);
      if (File)
        foldSegment(*File, Name, New, Sum);
    }
  }

  void foldSegment(SegmentFile &File, const std::string &Name, Delta &New, Collected &Sum) {
    std::vector<uint64_t> Generations;
    if (!File.hasEnded()) {
      auto Generation = File.retire(Options.Now);
      if (!Generation)
        return;
      Generations.push_back(*Generation);
    }
    auto Copy = File.copy();
    if (!Copy || !isSegment(*Copy, sizeof(*Copy))) {
      Options.Warn(Spool.path() + "/" + Name + " is left alone: it is no segment");
      return;
    }
    if (File.hasEnded())
      Generations = filledGenerations(*Copy);
    ++Sum.Segments;
    Sum.Ended += File.hasEnded();
    std::string Epoch = hourOf(std::min(Copy->Start, Options.Now));
    for (uint64_t G : Generations) {
      New.Claims.insert({Name, G});
      auto Half = foldHalf(*Copy, G);
      if (!Half) {
        Options.Warn(Spool.path() + "/" + Name + " contradicts itself: it is left out");
        continue;
      }
      Epoch = hourOf(std::min(Half->Began, Options.Now));
      addHalf(*Half, Epoch, Copy->Period, New, Sum);
    }
    if (File.hasEnded())
      New.add(Epoch, totals(Copy->Period, {{Total::Processes, 1}}));
  }

  static ImageSamples totals(uint64_t Period, ArrayRef<std::pair<Total, uint64_t>> Values) {
    ImageSamples T;
    T.Kind = Event::Totals;
    T.Period = Period;
    for (auto [What, Value] : Values)
      if (Value)
        T.Counts[totalAddress(Event::CPU, What)] = Value;
    return T;
  }

  static void addHalf(const FoldedHalf &Half, const std::string &Epoch, uint64_t Period, Delta &New,
                      Collected &Sum) {
    Sum.Samples += Half.Samples;
    Sum.Dropped += Half.Dropped;
    Sum.Unmapped += Half.Unmapped;
    Sum.Torn += Half.Torn;
    for (const ImageSamples &I : Half.Images)
      New.add(Epoch, I);
    if (Half.Samples)
      New.add(Epoch, totals(Period, {{Total::Samples, Half.Samples},
                                     {Total::Dropped, Half.Dropped},
                                     {Total::Unmapped, Half.Unmapped}}));
  }

  /// Numbers never come twice: image files have noted them.
  Expected<uint64_t> nextNumber() {
    uint64_t Last = 0;
    StringRef(Host.read("last").value_or("0")).trim().getAsInteger(10, Last);
    if (Error E = Host.replace("last", utostr(Last + 1) + "\n"))
      return std::move(E);
    return Last + 1;
  }

  Error commit(const Delta &D) {
    if (D.Claims.empty() && D.Records.empty())
      return Error::success();
    auto Number = nextNumber();
    if (!Number)
      return Number.takeError();
    Options.OnStep();
    if (Error E = Host.replace(deltaName(*Number), encodeDelta(D)))
      return E;
    if (Error E = Host.sync())
      return E;
    Options.OnStep();
    return bring(*Number, D);
  }

  Error bring(uint64_t Number, const Delta &D) {
    for (const auto &[Name, Generation] : D.Claims)
      if (Error E = settle(Name, Generation, D))
        return E;
    for (const auto &[Place, Record] : D.Records)
      if (Error E = bringRecord(Number, Place.first, Record))
        return E;
    Options.OnStep();
    if (Error E = Host.remove(deltaName(Number)))
      return E;
    return Host.sync();
  }

  /// What D counts is counted nowhere else from now on.
  Error settle(const std::string &Name, uint64_t Generation, const Delta &D) {
    Options.OnStep();
    if (isEpoch(Name))
      return Host.removeTree(Name);
    std::string Why;
    auto File = SegmentFile::open(Spool, Name, geteuid(), Why);
    if (!File)
      return Error::success(); // Removed when this was done before.
    auto Copy = File->copy();
    // The generation that still counts is folded only when the process has ended.
    if (Copy && File->hasEnded() && D.Claims.count({Name, Copy->Active}))
      return Spool.remove(Name);
    if (!File->empty(Generation))
      Options.Warn(Spool.path() + "/" + Name + " has been cut off");
    return Error::success();
  }

  Error bringRecord(uint64_t Number, const std::string &Epoch, const ImageSamples &Record) {
    auto D = Host.sub(Epoch, /*Make=*/true);
    if (!D)
      return D.takeError();
    ImageSamples Image = Record;
    if (auto Text = D->read(Record.key())) {
      if (auto Old = decodeImageFile(*Text)) {
        if (Old->LastDelta >= Number)
          return Error::success();
        Image = std::move(*Old);
        Image.add(Record);
      } else {
        Options.Warn(D->path() + "/" + Record.key() + " is damaged: it is begun anew");
      }
    }
    Image.LastDelta = Number;
    Options.OnStep();
    return D->replace(Record.key(), encodeImageFile(Image));
  }

  const Directory &Spool, &Host;
  const CollectOptions &Options;
};
} // namespace

Expected<Collected> collect(const std::string &Path, const CollectOptions &Options,
                            const Delta *More) {
  if (Error E = makeDatabase(Path))
    return std::move(E);
  auto Top = Directory::open(Path, /*FollowLast=*/true);
  if (!Top)
    return Top.takeError();
  auto Spool = Top->sub("spool", /*Make=*/false);
  if (!Spool)
    return Spool.takeError();
  auto Host = Top->sub(Options.HostName + "." + utostr(geteuid()), /*Make=*/true);
  if (!Host)
    return Host.takeError();
  if (Host->owner() != geteuid())
    return createStringError(inconvertibleErrorCode(),
                             Host->path() + " belongs to another user, who is not to have these "
                                            "samples: have it removed");
  auto Lock = Host->lock("lock", /*Alone=*/true);
  if (!Lock)
    return Lock.takeError();
  Collected Sum;
  if (Error E = Round(*Spool, *Host, Options).run(More, Sum))
    return std::move(E);
  return Sum;
}

} // namespace causal::continuous
