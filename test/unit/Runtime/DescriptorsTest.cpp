//===- DescriptorsTest.cpp - The table of known descriptors ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "intercept/causal_descriptors.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

using namespace __causal;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

std::vector<Channel> watchers(const Descriptors &D, uintptr_t Object) {
  std::vector<Channel> Result;
  D.forEachWatcher(Object, [&](Channel C) { Result.push_back(C); });
  return Result;
}

std::vector<Channel> signalChannels(const Descriptors &D, int Signal) {
  std::vector<Channel> Result;
  D.forEachSignalChannel(Signal, [&](Channel C) { Result.push_back(C); });
  return Result;
}

struct DescriptorsTest : testing::Test {
  std::unique_ptr<Descriptors> D = std::make_unique<Descriptors>();
};

TEST_F(DescriptorsTest, NothingIsKnownAtFirst) {
  EXPECT_FALSE(D->used());
  EXPECT_FALSE(D->get(0).known());
  EXPECT_FALSE(D->get(-1).known());
  EXPECT_FALSE(D->get(1 << 30).known());
}

TEST_F(DescriptorsTest, KnowsUntilForgotten) {
  D->set(5, {7, 9});
  EXPECT_TRUE(D->used());
  EXPECT_EQ(D->get(5).In, 7u);
  EXPECT_EQ(D->get(5).Out, 9u);
  D->set(5, {7, 0});
  EXPECT_TRUE(D->get(5).known());
  EXPECT_EQ(D->get(5).Out, 0u);
  D->forget(5);
  EXPECT_FALSE(D->get(5).known());
}

TEST_F(DescriptorsTest, GreatNumbersAreNeverKnown) {
  D->set(Descriptors::Limit, {1, 1});
  D->set(-1, {1, 1});
  EXPECT_FALSE(D->used());
  EXPECT_EQ(D->epollChannel(Descriptors::Limit), 0u);
  EXPECT_EQ(D->epollChannel(-1), 0u);
}

TEST_F(DescriptorsTest, ChannelsDiffer) {
  Channel A = D->newChannel(), B = D->newChannel();
  EXPECT_NE(A, 0u);
  EXPECT_NE(A, B);
  EXPECT_NE(dataObject(A), roomObject(A));
  EXPECT_NE(dataObject(A), dataObject(B));
  EXPECT_NE(roomObject(A), dataObject(B));
}

TEST_F(DescriptorsTest, CountsWhatIsAtTheEnds) {
  Channel C = D->newChannel();
  D->set(3, {C, 0});
  EXPECT_TRUE(D->hasReaders(C));
  EXPECT_FALSE(D->hasWriters(C));
  D->set(4, {0, C});
  D->set(5, D->get(4));
  D->forget(4);
  EXPECT_TRUE(D->hasWriters(C));
  D->set(5, {D->newChannel(), 0});
  EXPECT_FALSE(D->hasWriters(C));
  D->forget(3);
  D->forget(3);
  EXPECT_FALSE(D->hasReaders(C));
  EXPECT_FALSE(D->hasReaders(0));
}

TEST_F(DescriptorsTest, SignalsAndWatchersWriteWithoutDescriptor) {
  EXPECT_TRUE(D->hasWriters(D->epollChannel(4)));
  Channel C = D->newChannel();
  D->set(5, {C, 0});
  D->setSignals(C, 1);
  EXPECT_TRUE(D->hasWriters(C));
}

TEST_F(DescriptorsTest, FilesHaveTheirChannelByIdentity) {
  Channel C = Descriptors::fileChannel(8, 1234);
  EXPECT_EQ(C, Descriptors::fileChannel(8, 1234));
  EXPECT_NE(C, Descriptors::fileChannel(8, 1235));
  EXPECT_NE(C, Descriptors::fileChannel(9, 1234));
  EXPECT_NE(C, D->newChannel());
}

TEST_F(DescriptorsTest, EpollGetsOneChannel) {
  Channel E = D->epollChannel(4);
  EXPECT_NE(E, 0u);
  EXPECT_EQ(D->epollChannel(4), E);
  EXPECT_EQ(D->get(4).In, E);
  EXPECT_TRUE(D->used());
}

TEST_F(DescriptorsTest, WatchersAreToldApartByObject) {
  D->watch(dataObject(1), 100);
  D->watch(dataObject(1), 101);
  D->watch(dataObject(1), 100);
  D->watch(roomObject(1), 102);
  EXPECT_THAT(watchers(*D, dataObject(1)), UnorderedElementsAre(100, 101));
  EXPECT_THAT(watchers(*D, roomObject(1)), ElementsAre(102));
  EXPECT_THAT(watchers(*D, dataObject(2)), IsEmpty());
  D->unwatch(dataObject(1), 100);
  D->unwatch(dataObject(1), 999);
  EXPECT_THAT(watchers(*D, dataObject(1)), ElementsAre(101));
}

TEST_F(DescriptorsTest, AFullPlaceDropsTheOldestWatcher) {
  for (Channel E = 100; E < 105; ++E)
    D->watch(dataObject(1), E);
  EXPECT_THAT(watchers(*D, dataObject(1)), UnorderedElementsAre(101, 102, 103, 104));
}

TEST_F(DescriptorsTest, SignalfdsListenToTheirMask) {
  D->setSignals(1, 1u << 9); // Signal 10.
  D->setSignals(2, 1u << 9 | 1u << 11);
  EXPECT_THAT(signalChannels(*D, 10), UnorderedElementsAre(1, 2));
  EXPECT_THAT(signalChannels(*D, 12), ElementsAre(2));
  EXPECT_THAT(signalChannels(*D, 64), IsEmpty());
  D->setSignals(2, 1ull << 63);
  EXPECT_THAT(signalChannels(*D, 10), ElementsAre(1));
  EXPECT_THAT(signalChannels(*D, 64), ElementsAre(2));
}

} // namespace
