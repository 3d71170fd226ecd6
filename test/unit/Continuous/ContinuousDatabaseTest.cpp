//===- ContinuousDatabaseTest.cpp - Image files, deltas and epochs --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Database.h"
#include "lib/continuous/Delta.h"
#include "lib/continuous/Epoch.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>
#include <random>

using namespace causal::continuous;
using namespace llvm;

namespace {

ImageSamples sample(std::string BuildId, std::map<uint64_t, uint64_t> Counts) {
  ImageSamples S;
  S.BuildId = std::move(BuildId);
  S.Path = "/usr/bin/p";
  S.Period = 2000000;
  S.Counts = std::move(Counts);
  return S;
}

TEST(ImageFile, RoundTrip) {
  ImageSamples S = sample("abcd", {{0, 1}, {0x401000, ~0ull}, {~0ull, 3}});
  S.Thinned = 7;
  S.LastDelta = 12;
  auto Back = decodeImageFile(encodeImageFile(S));
  ASSERT_TRUE(Back);
  EXPECT_EQ(Back->Counts, S.Counts);
  EXPECT_EQ(Back->key(), "abcd.cpu.2000000");
  EXPECT_EQ(Back->Path, S.Path);
  EXPECT_EQ(Back->Thinned, 7u);
  EXPECT_EQ(Back->LastDelta, 12u);
  EXPECT_EQ(Back->total(), ~0ull); // The sum does not wrap around.
}

TEST(ImageFile, RefusesWhatIsDamaged) {
  std::string Good = encodeImageFile(sample("abcd", {{16, 1}, {32, 5}}));
  ASSERT_TRUE(decodeImageFile(Good));
  for (size_t I = 0; I < Good.size(); ++I) {
    EXPECT_FALSE(decodeImageFile(StringRef(Good).take_front(I)));
    std::string Bad = Good;
    Bad[I] = char(Bad[I] ^ 4);
    EXPECT_FALSE(decodeImageFile(Bad)) << I;
  }
}

TEST(ImageFile, RefusesABuildIdThatIsAPath) {
  EXPECT_FALSE(decodeImageFile(encodeImageFile(sample("../../x", {{1, 1}}))));
}

TEST(ImageFile, KeepsPathsWithoutBuildIdApart) {
  ImageSamples A = sample("", {}), B = sample("", {});
  B.Path = "/usr/bin/q";
  EXPECT_NE(A.key(), B.key());
}

TEST(Epoch, Names) {
  EXPECT_EQ(hourOf(1795903200), "20261128T22");
  EXPECT_EQ(dayOf("20261128T22"), "20261128");
  EXPECT_EQ(weekOf("20261128T22"), "20261123w");
  EXPECT_EQ(weekOf("20261123"), "20261123w");
  EXPECT_EQ(endOf("20261128T22"), 1795903200u + 3600);
  EXPECT_EQ(endOf("20261123w"), endOf("20261129"));
  for (StringRef Bad : {"", "2026", "20261128T2x", "../../etc", "2026112x", "20261128x"})
    EXPECT_FALSE(isEpoch(Bad)) << Bad.str();
}

struct TemporaryDatabase {
  TemporaryDatabase() {
    SmallString<128> Path;
    EXPECT_FALSE(sys::fs::createUniqueDirectory("causal-db", Path));
    Name = Path.str().str();
    cantFail(top().replace("format", DatabaseFormat));
  }
  ~TemporaryDatabase() { sys::fs::remove_directories(Name); }
  Directory top() const { return cantFail(Directory::open(Name)); }
  Directory host() const { return cantFail(top().sub("box.7", true)); }
  void put(const std::string &Epoch, const ImageSamples &S) {
    cantFail(cantFail(host().sub(Epoch, true)).replace(S.key(), encodeImageFile(S)));
  }
  std::string Name;
};

TEST(Database, AddsHostsAndEpochs) {
  TemporaryDatabase DB;
  DB.put("20261128T22", sample("ab", {{16, 1}}));
  DB.put("20261128T23", sample("ab", {{16, 2}, {32, 1}}));
  DB.put("20261128T23", sample("cd", {{16, 9}}));
  auto Read = cantFail(Database::read(DB.Name));
  EXPECT_EQ(Read.samples().size(), 3u);
  ASSERT_EQ(Read.images().size(), 2u);
  EXPECT_EQ(Read.images()[0].Counts, (std::map<uint64_t, uint64_t>{{16, 3}, {32, 1}}));
  EXPECT_EQ(Read.hosts()[0]->machine(), "box");

  Selection Which;
  Which.Epochs = {"20261128T22"};
  EXPECT_EQ(cantFail(Database::read(DB.Name, Which)).samples().size(), 1u);
  Which = {};
  Which.Image = "cd";
  EXPECT_EQ(cantFail(Database::read(DB.Name, Which)).samples().size(), 1u);
}

// A collector that was killed has brought a delta to some files only.
TEST(Database, CountsADeltaOnce) {
  TemporaryDatabase DB;
  ImageSamples Brought = sample("ab", {{16, 5}}), Not = sample("cd", {{16, 2}});
  Brought.LastDelta = 3;
  Not.LastDelta = 2;
  DB.put("20261128T22", Brought);
  DB.put("20261128T22", Not);
  Delta D;
  D.Claims.insert({"a.seg", 1});
  D.add("20261128T22", sample("ab", {{16, 4}}));
  D.add("20261128T22", sample("cd", {{16, 1}}));
  D.add("20261128T22", sample("ef", {{16, 1}}));
  ASSERT_TRUE(decodeDelta(encodeDelta(D)));
  cantFail(DB.host().replace(deltaName(3), encodeDelta(D)));
  auto Images = cantFail(Database::read(DB.Name)).images();
  ASSERT_EQ(Images.size(), 3u);
  EXPECT_EQ(Images[0].total(), 5u);
  EXPECT_EQ(Images[1].total(), 3u);
  EXPECT_EQ(Images[2].total(), 1u);
}

TEST(Database, LeavesDamagedFilesOutAndSaysSo) {
  TemporaryDatabase DB;
  DB.put("20261128T22", sample("ab", {{16, 5}}));
  auto Epoch = cantFail(DB.host().sub("20261128T22", false));
  cantFail(Epoch.replace("cd.cpu.1", "garbage"));
  // One that lies about whose it is.
  cantFail(Epoch.replace("cd.cpu.2", encodeImageFile(sample("ab", {{16, 5}}))));
  unsigned Warnings = 0;
  auto Read = cantFail(Database::read(DB.Name, {}, [&](const Twine &) { ++Warnings; }));
  EXPECT_EQ(Warnings, 2u);
  EXPECT_EQ(Read.images()[0].total(), 5u);
}

TEST(Database, IsNotAnyDirectory) {
  auto Read = Database::read("/");
  EXPECT_FALSE(Read);
  EXPECT_NE(toString(Read.takeError()).find("db=DIR"), std::string::npos);
}

} // namespace
