//===- ProcessMapsTest.cpp - What each process has mapped -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/system/ProcessMaps.h"

#include <gtest/gtest.h>

using namespace causal::continuous;

namespace {

TEST(ProcessMaps, FindsWhatWasMappedLast) {
  ProcessMaps M;
  M.map(1, {0x1000, 0x5000, 0, "/a", ""});
  M.map(1, {0x2000, 0x3000, 0x100, "/b", ""}); // In the middle of it.
  EXPECT_EQ(M.find(1, 0x1fff)->Path, "/a");
  EXPECT_EQ(M.find(1, 0x2000)->Path, "/b");
  EXPECT_EQ(M.find(1, 0x3000)->Path, "/a");
  EXPECT_EQ(M.find(1, 0x3000)->Offset, 0x2000u);
  M.map(1, {0x0, 0x4000, 0, "/c", ""}); // Over the ends of some.
  EXPECT_EQ(M.find(1, 0x3fff)->Path, "/c");
  EXPECT_EQ(M.find(1, 0x4000)->Path, "/a");
  EXPECT_EQ(M.find(1, 0x4000)->Offset, 0x3000u);
  EXPECT_FALSE(M.find(1, 0x5000));
  EXPECT_FALSE(M.find(2, 0x1000));
}

TEST(ProcessMaps, ForkCopiesAndExecForgets) {
  ProcessMaps M;
  M.map(1, {0x1000, 0x2000, 0, "/a", "id"});
  M.fork(1, 2);
  M.fork(1, 1); // A thread.
  M.clear(1);
  EXPECT_FALSE(M.find(1, 0x1000));
  ASSERT_TRUE(M.find(2, 0x1000));
  EXPECT_EQ(M.find(2, 0x1000)->BuildId, "id");
}

TEST(ProcessMaps, ReadsProc) {
  ProcessMaps M;
  M.readMaps(7, "00400000-00401000 r--p 00000000 fe:00 12   /bin/a\n"
                "00401000-00402000 r-xp 00001000 fe:00 12   /bin/a b (deleted)\n"
                "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n"
                "garbage\n");
  EXPECT_FALSE(M.find(7, 0x400000));
  ASSERT_TRUE(M.find(7, 0x401fff));
  EXPECT_EQ(M.find(7, 0x401fff)->Path, "/bin/a b (deleted)");
  EXPECT_EQ(M.find(7, 0x401fff)->Offset, 0x1000u);
  EXPECT_EQ(M.find(7, 0x7f0000000000)->Path, "");
}

} // namespace
