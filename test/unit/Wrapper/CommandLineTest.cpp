//===- CommandLineTest.cpp - Arguments in, arguments out ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ParsedLine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace causal;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

namespace {

class CommandLine : public ::testing::Test {
protected:
  Installation Install{"/llvm/bin/clang", "/p/lib/causal", "/p/include"};
  llvm::vfs::InMemoryFileSystem FS;

  void addFile(llvm::StringRef Path, llvm::StringRef Text) {
    FS.addFile(Path, 0, llvm::MemoryBuffer::getMemBufferCopy(Text));
  }
  llvm::Expected<Command> build(const std::vector<std::string> &Words) {
    return buildCommand(pointers(Words), Install, FS);
  }
  /// The arguments after argv[0], or the error.
  std::vector<std::string> argsOf(llvm::StringRef Line) {
    llvm::Expected<Command> Cmd = build(splitWords(("causal-clang " + Line).str()));
    if (!Cmd)
      return {"error: " + llvm::toString(Cmd.takeError())};
    return {Cmd->Args.begin() + 1, Cmd->Args.end()};
  }
};

const std::vector<std::string> Plugins = {"-fplugin=/p/lib/causal/CausalFrontend.so",
                                          "-fpass-plugin=/p/lib/causal/CausalPass.so"};

TEST_F(CommandLine, WithoutTheFlagNothingChanges) {
  for (const char *Line :
       {"-c a.c -o a.o", "", "-v", "@missing", "a.c --", "-cc1 -E a.c", "-o -fcausal-profile a.c",
        "-Xclang -fcausal-profile -c a.c", "-c a.c -- -fcausal-profile"})
    EXPECT_THAT(argsOf(Line), ElementsAreArray(splitWords(Line))) << Line;
}

TEST_F(CommandLine, WithoutTheFlagResponseFilesStay) {
  addFile("args", "-c a.c");
  EXPECT_THAT(argsOf("@args -O2"), ElementsAre("@args", "-O2"));
}

TEST_F(CommandLine, LastOfTheTwoWins) {
  EXPECT_THAT(argsOf("-fcausal-profile -fno-causal-profile -c a.c"), ElementsAre("-c", "a.c"));
  EXPECT_THAT(argsOf("-fno-causal-profile -c a.c -fcausal-profile"), Contains(Plugins[1]));
}

// Build tools drop flags that they do not know.
TEST_F(CommandLine, InstrumentedObjectsNeedNoFlagToBeLinked) {
  const char Instrumented[] = "\x7f"
                              "ELF...\0__causal_version_mismatch_check_v1\0...";
  addFile("a.o", llvm::StringRef(Instrumented, sizeof(Instrumented)));
  addFile("libb.a", llvm::StringRef(Instrumented, sizeof(Instrumented)));
  addFile("plain.o", "\x7f"
                     "ELF");
  const std::string Runtime = "-Wl,/p/lib/causal/clang_rt.causal-x86_64.o";
  EXPECT_THAT(argsOf("plain.o a.o -o a"), Contains(Runtime));
  EXPECT_THAT(argsOf("main.c libb.a"), Contains(Runtime));
  EXPECT_THAT(argsOf("main.c libb.a"), Not(Contains(Plugins[1])));
  EXPECT_THAT(argsOf("-static a.o"), Contains("-Wl,/p/lib/causal/clang_rt.causal_static-x86_64.o"));
  EXPECT_THAT(argsOf("-shared a.o -Wl,-z,defs"),
              ElementsAre("-shared", "a.o", "-Wl,-z,defs", "-Wl,-z,undefs"));
  for (const char *Line :
       {"-shared a.o", "plain.o", "missing.o", "-r a.o -o b.o", "-c main.c", "-m32 a.o"})
    EXPECT_THAT(argsOf(Line), ElementsAreArray(splitWords(Line))) << Line;
  EXPECT_THAT(argsOf("-fno-causal-profile a.o"), ElementsAre("a.o"));
}

TEST_F(CommandLine, Compile) {
  EXPECT_THAT(argsOf("-fcausal-profile -O2 -c a.c"),
              ElementsAre(Plugins[0], Plugins[1], "-D__CAUSAL_PROFILE__=1", "-idirafter",
                          "/p/include", "-O2", "-c", "a.c"));
  EXPECT_THAT(argsOf("-fcausal-profile -c a.ll"),
              ElementsAre(Plugins[0], Plugins[1], "-c", "a.ll"));
  EXPECT_THAT(argsOf("-fcausal-profile -E a.c"),
              ElementsAre("-D__CAUSAL_PROFILE__=1", "-idirafter", "/p/include", "-E", "a.c"));
  EXPECT_THAT(argsOf("-fcausal-profile -c a.s"), ElementsAre("-c", "a.s"));
}

TEST_F(CommandLine, CompileForInput) {
  std::vector<std::string> Cell = {"-Xclang", "-mllvm", "-Xclang", "-causal-input=4"};
  std::vector<std::string> Expected = Plugins;
  Expected.insert(Expected.end(), Cell.begin(), Cell.end());
  Expected.insert(Expected.end(),
                  {"-D__CAUSAL_PROFILE__=1", "-idirafter", "/p/include", "-c", "a.c"});
  EXPECT_THAT(argsOf("-fcausal-profile=input -c a.c"), ElementsAreArray(Expected));
  EXPECT_THAT(argsOf("-fcausal-profile=input-fast -c a.c"), Contains("-causal-input=8"));
  EXPECT_THAT(argsOf("-fcausal-profile=input -fcausal-input-cost=blocks -c a.c"),
              Contains("-causal-input-blocks"));
  EXPECT_THAT(argsOf("-fcausal-profile=input -fcausal-profile -c a.c"),
              Not(Contains("-causal-input=4")));
  EXPECT_THAT(argsOf("-fcausal-profile=input -fno-causal-profile -c a.c"),
              ElementsAre("-c", "a.c"));
}

TEST_F(CommandLine, LinkForInput) {
  auto Links = [&](const char *Line) { return argsOf(Line); };
  EXPECT_THAT(Links("-fcausal-profile=input a.o"),
              Contains(HasSubstr("/p/lib/causal/clang_rt.causal_input-x86_64.o")));
  EXPECT_THAT(Links("-fcausal-profile=input-fast a.o"),
              Contains(HasSubstr("/p/lib/causal/clang_rt.causal_input_fast-x86_64.o")));
}

TEST_F(CommandLine, WhatInputCannotBe) {
  EXPECT_THAT(argsOf("-fcausal-profile=input -static a.o"),
              ElementsAre(HasSubstr("cannot be linked with -static")));
  EXPECT_THAT(argsOf("-fcausal-profile=x -c a.c"),
              ElementsAre(HasSubstr("write input or input-fast")));
  EXPECT_THAT(argsOf("-fcausal-profile=input -fcausal-input-cost=x -c a.c"),
              ElementsAre(HasSubstr("write instructions or blocks")));
}

TEST_F(CommandLine, LinkExecutable) {
  EXPECT_THAT(argsOf("-fcausal-profile a.o"),
              ElementsAre("-Wl,/p/lib/causal/clang_rt.causal-x86_64.o",
                          "-Wl,--dynamic-list=/p/lib/causal/clang_rt.causal-x86_64.o.syms",
                          "-lpthread", "-ldl", "a.o"));
  EXPECT_THAT(argsOf("-fcausal-profile -nostdlib a.o"), Not(Contains("-lpthread")));
}

TEST_F(CommandLine, LinkStatic) {
  std::vector<std::string> Args = argsOf("-fcausal-profile -static-pie a.o");
  EXPECT_THAT(Args, Contains("-Wl,@/p/lib/causal/clang_rt.causal_static-x86_64.o.wrap"));
  EXPECT_THAT(Args, Not(Contains(HasSubstr("--dynamic-list"))));
}

TEST_F(CommandLine, SharedObjectsLeaveTheRuntimeOut) {
  EXPECT_THAT(argsOf("-fcausal-profile -shared a.o"), ElementsAre("-shared", "a.o"));
  EXPECT_THAT(argsOf("-fcausal-profile -shared -Wl,-z,defs a.o"),
              ElementsAre("-shared", "-Wl,-z,defs", "a.o", "-Wl,-z,undefs"));
  EXPECT_THAT(argsOf("-fcausal-profile -shared -Wl,-z,defs -- a.o"),
              ElementsAre("-shared", "-Wl,-z,defs", "-Wl,-z,undefs", "--", "a.o"));
  EXPECT_THAT(argsOf("-fcausal-profile -r a.o"), ElementsAre("-r", "a.o"));
  EXPECT_THAT(argsOf("-fcausal-profile -r -flto -fuse-ld=lld a.o"),
              Contains(HasSubstr("--load-pass-plugin=")));
}

TEST_F(CommandLine, LinkTimeOptimisation) {
  EXPECT_THAT(argsOf("-fcausal-profile -flto=thin -fuse-ld=lld a.o"),
              Contains("-Wl,--load-pass-plugin=/p/lib/causal/CausalPass.so"));
  EXPECT_THAT(argsOf("-fcausal-profile -flto a.o"),
              ElementsAre(AllOf(StartsWith("error: "), HasSubstr("-fuse-ld=lld"))));
  EXPECT_THAT(argsOf("-fcausal-profile -flto -c a.c"), Contains(Plugins[1]));
}

TEST_F(CommandLine, FlagInAResponseFile) {
  addFile("outer", "-fcausal-profile -c \"a b.c\" @inner");
  addFile("inner", "-DX='y z' -o -fno-causal-profile");
  std::vector<std::string> Args = argsOf("@outer");
  ASSERT_GT(Args.size(), 5u);
  EXPECT_THAT(std::vector<std::string>(Args.end() - 5, Args.end()),
              ElementsAre("-c", "a b.c", "-DX=y z", "-o", "-fno-causal-profile"));
  EXPECT_THAT(Args, Contains(Plugins[0]));
}

TEST_F(CommandLine, CommasInOurPath) {
  Install.LibDir = "/a,b";
  std::vector<std::string> Args = argsOf("-fcausal-profile a.o");
  EXPECT_THAT(Args, Contains("/a,b/clang_rt.causal-x86_64.o"));
  EXPECT_THAT(Args, Contains("--dynamic-list=/a,b/clang_rt.causal-x86_64.o.syms"));
  EXPECT_THAT(Args, Not(Contains(StartsWith("-Wl,--"))));
}

TEST_F(CommandLine, ArgvZeroSelectsTheDriver) {
  auto Zero = [&](const char *CalledAs) {
    return llvm::cantFail(build({CalledAs, "-c", "a.c"})).Args[0];
  };
  EXPECT_EQ(Zero("causal-clang"), "/llvm/bin/clang");
  EXPECT_EQ(Zero("/p/bin/causal-clang++"), "/llvm/bin/clang++");
  EXPECT_EQ(Zero("/p/lib/causal/bin/clang++"), "/llvm/bin/clang++");
  EXPECT_EQ(Zero("x86_64-linux-gnu-clang"), "/llvm/bin/x86_64-linux-gnu-clang");
}

TEST_F(CommandLine, ScannerOfDependencies) {
  auto ArgsOf = [&](llvm::StringRef Line) {
    llvm::Expected<Command> Cmd = build(splitWords(Line));
    EXPECT_TRUE(bool(Cmd)) << llvm::toString(Cmd.takeError());
    return Cmd ? Cmd->Args : std::vector<std::string>();
  };
  EXPECT_THAT(ArgsOf("/p/bin/causal-clang-scan-deps -format=p1689 -- /p/bin/causal-clang++ "
                     "-fcausal-profile -std=c++20 -x c++ a.cpp -c -o a.o"),
              ElementsAre("/llvm/bin/clang-scan-deps", "-format=p1689", "--", "/llvm/bin/clang++",
                          "-D__CAUSAL_PROFILE__=1", "-idirafter", "/p/include", "-std=c++20", "-x",
                          "c++", "a.cpp", "-c", "-o", "a.o"));
  EXPECT_THAT(ArgsOf("clang-scan-deps -- /usr/bin/g++ -c a.cpp"),
              ElementsAre("/llvm/bin/clang-scan-deps", "--", "/usr/bin/g++", "-c", "a.cpp"));
  EXPECT_THAT(ArgsOf("causal-clang-scan-deps --version"),
              ElementsAre("/llvm/bin/clang-scan-deps", "--version"));
}

TEST_F(CommandLine, OwnOptions) {
  llvm::Expected<Command> Cmd =
      build({"causal-clang++", "--causal-clang=/other/clang-19", "--causal-print-command", "a.cc"});
  ASSERT_TRUE(bool(Cmd));
  EXPECT_EQ(Cmd->What, Command::Kind::PrintCommand);
  EXPECT_EQ(Cmd->Program, "/other/clang-19");
  EXPECT_THAT(Cmd->Args, ElementsAre("/other/clang++", "a.cc"));
  EXPECT_FALSE(Cmd->NeedsInstallation);

  Cmd = build({"causal-clang", "-fcausal-profile", "--causal-print-flags", "-c", "a.ll"});
  ASSERT_TRUE(bool(Cmd));
  EXPECT_EQ(Cmd->What, Command::Kind::PrintFlags);
  EXPECT_THAT(Cmd->Added, ElementsAreArray(Plugins));
  EXPECT_TRUE(Cmd->NeedsInstallation);
}

TEST_F(CommandLine, UnsupportedTargetOnlyMattersWithTheFlag) {
  EXPECT_THAT(argsOf("-m32 -c a.c"), ElementsAre("-m32", "-c", "a.c"));
  EXPECT_THAT(argsOf("-fcausal-profile -m32 -c a.c"),
              ElementsAre("error: -fcausal-profile supports x86_64 Linux only "
                          "(-m32 was given)"));
}

TEST(ShellQuote, RoundTrips) {
  EXPECT_EQ(quoteForShell({"clang", "-DX=\"a b\"", "", "it's", "a;b"}),
            "clang '-DX=\"a b\"' '' 'it'\\''s' 'a;b'");
}

} // namespace
