//===- InstallPathsTest.cpp - Finding and judging the real clang ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InstallPaths.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace causal;
using namespace llvm;
using ::testing::HasSubstr;

namespace {

/// A directory of our own, with programs that print what we like.
class InstallPaths : public ::testing::Test {
protected:
  void SetUp() override {
    SmallString<128> Dir, Real;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("causal-test", Dir));
    ASSERT_FALSE(sys::fs::real_path(Dir, Real));
    Root = std::string(Real);
  }
  void TearDown() override { sys::fs::remove_directories(Root); }

  std::string addProgram(const Twine &Name, StringRef Prints = "") {
    std::string Path = (Root + "/" + Name).str();
    EXPECT_FALSE(sys::fs::create_directories(sys::path::parent_path(Path)));
    std::error_code EC;
    raw_fd_ostream(Path, EC) << "#!/bin/sh\necho " << Prints << "\n";
    EXPECT_FALSE(EC || sys::fs::setPermissions(Path, sys::fs::all_all));
    return Path;
  }
  std::string judge(const std::string &Clang, bool NeedsInstallation = false) {
    Command Cmd;
    Cmd.Program = Clang;
    Cmd.NeedsInstallation = NeedsInstallation;
    return toString(checkInstallation(Cmd, {Clang, Root + "/lib/causal", ""}));
  }

  std::string Root;
};

TEST_F(InstallPaths, ConfiguredClangComesFirst) {
  std::string Configured = addProgram("llvm/bin/clang");
  addProgram("path/clang-19");
  EXPECT_EQ(findClang(Configured, Root + "/path", "/self"), Configured);
  EXPECT_EQ(findClang("/nonexistent", Root + "/path", "/self"), Root + "/path/clang-19");
}

TEST_F(InstallPaths, PathPrefersTheVersionedNameAndSkipsUs) {
  std::string Self = addProgram("prefix/bin/causal-clang");
  std::string First = addProgram("other/clang");
  ASSERT_FALSE(sys::fs::create_directories(Root + "/prefix/lib/causal/bin"));
  std::string Masquerade = Root + "/prefix/lib/causal/bin";
  ASSERT_FALSE(sys::fs::create_link(Self, Masquerade + "/clang"));
  std::string Path = Masquerade + ":/nonexistent:" + Root + "/other";
  EXPECT_EQ(findClang("", Path, Self), First);
  std::string Versioned = addProgram("last/clang-19");
  EXPECT_EQ(findClang("", Path + ":" + Root + "/last", Self), Versioned);
  EXPECT_EQ(findClang("", Masquerade, Self), "");
}

TEST_F(InstallPaths, VersionIsSeenOrAsked) {
  std::string Seen = addProgram("llvm/bin/clang", "not asked");
  ASSERT_FALSE(sys::fs::create_directories(Root + "/llvm/lib/clang/19"));
  EXPECT_EQ(judge(Seen), "");
  EXPECT_EQ(judge(addProgram("asked/clang", "19.1.7")), "");
  EXPECT_THAT(judge(addProgram("new/clang", "20.1.0")),
              HasSubstr("is clang 20, and the plugins are for clang 19"));
  EXPECT_THAT(judge(addProgram("odd/cc", "")), HasSubstr("is not clang 19"));
  EXPECT_THAT(judge(Root + "/missing"), HasSubstr("is not executable"));
  EXPECT_THAT(judge(""), HasSubstr("apt-get install clang-19"));
}

TEST_F(InstallPaths, FilesOfOursAreMissed) {
  std::string Clang = addProgram("asked/clang", "19.1.7");
  EXPECT_EQ(judge(Clang), "");
  EXPECT_THAT(judge(Clang, /*NeedsInstallation=*/true),
              HasSubstr("no plugins and runtime in " + Root));
}

} // namespace
