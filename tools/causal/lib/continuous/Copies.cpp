//===- Copies.cpp - Databases of several machines in one ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A directory is copied under another name and then renamed, so that whoever reads meanwhile
// sees the old one or the new one.
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Copies.h"
#include "lib/continuous/Collector.h"
#include "lib/continuous/Database.h"
#include "lib/continuous/Epoch.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace causal::continuous {

namespace {
/// Who a host's directory is, and how far it has come.
struct Identity {
  std::string Origin;
  uint64_t Last = 0;
};
} // namespace

static std::optional<Identity> identityOf(const Directory &Top, const std::string &Name) {
  auto D = Top.sub(Name, /*Make=*/false);
  if (!D) {
    consumeError(D.takeError());
    return std::nullopt;
  }
  Identity I;
  std::string Text = D->read("host").value_or("");
  SmallVector<StringRef> Lines;
  StringRef(Text).split(Lines, '\n', -1, false);
  for (StringRef Line : Lines)
    if (Line.consume_front("origin="))
      I.Origin = Line.str();
  StringRef(D->read("last").value_or("0")).trim().getAsInteger(10, I.Last);
  return I;
}

static Error copyFiles(const Directory &From, const Directory &To) {
  for (const std::string &Name : From.names())
    if (!StringRef(Name).ends_with(".new") && Name != "lock")
      if (auto Text = From.read(Name))
        if (Error E = To.replace(Name, *Text))
          return E;
  return Error::success();
}

static Error copyHost(const Directory &From, const Directory &Top, const std::string &Name) {
  std::string New = Name + ".new";
  if (Error E = Top.removeTree(New))
    return E;
  auto To = Top.sub(New, /*Make=*/true);
  if (!To)
    return To.takeError();
  if (Error E = copyFiles(From, *To))
    return E;
  for (const std::string &Epoch : From.directories()) {
    if (!isEpoch(Epoch))
      continue;
    auto Inner = From.sub(Epoch, /*Make=*/false);
    if (!Inner)
      return Inner.takeError();
    auto Outer = To->sub(Epoch, /*Make=*/true);
    if (!Outer)
      return Outer.takeError();
    if (Error E = copyFiles(*Inner, *Outer))
      return E;
  }
  if (Error E = Top.removeTree(Name))
    return E;
  return Top.rename(New, Name);
}

Expected<unsigned> copyDatabase(const std::string &From, const std::string &To) {
  if (!isDatabase(From))
    return createStringError(inconvertibleErrorCode(),
                             From + " is no database of continuous profiles");
  if (Error E = makeDatabase(To))
    return std::move(E);
  auto Source = Directory::open(From, /*FollowLast=*/true);
  if (!Source)
    return Source.takeError();
  auto Target = Directory::open(To, /*FollowLast=*/true);
  if (!Target)
    return Target.takeError();
  auto Busy = Target->lock("copy-lock", /*Alone=*/true);
  if (!Busy)
    return Busy.takeError();
  unsigned Copied = 0;
  for (const std::string &Name : Source->directories()) {
    if (!StringRef(Name).contains('.') || StringRef(Name).ends_with(".new"))
      continue;
    auto D = Source->sub(Name, /*Make=*/false);
    if (!D)
      return D.takeError();
    auto Lock = D->lock("lock", /*Alone=*/false); // A copy has none.
    if (!Lock)
      consumeError(Lock.takeError());
    auto Mine = identityOf(*Source, Name);
    if (!Mine)
      continue;
    // Two machines may have one name.
    std::string Place = Name;
    for (unsigned N = 2;; ++N) {
      auto Theirs = identityOf(*Target, Place);
      if (!Theirs || Theirs->Origin == Mine->Origin)
        break;
      auto [Machine, User] = StringRef(Name).rsplit('.');
      Place = (Machine + "~" + Twine(N) + "." + User).str();
    }
    auto Theirs = identityOf(*Target, Place);
    if (Theirs && Theirs->Last >= Mine->Last)
      continue;
    if (Error E = copyHost(*D, *Target, Place))
      return std::move(E);
    ++Copied;
  }
  return Copied;
}

} // namespace causal::continuous
