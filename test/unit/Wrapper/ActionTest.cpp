//===- ActionTest.cpp - What clang will do with a command line ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ParsedLine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace causal;
using ::testing::HasSubstr;

namespace {

/// One letter for each thing done: p(reprocess), g(enerate code), then what is
/// linked: x (executable), X (static executable), s(hared object).
std::string does(llvm::StringRef Line, llvm::StringRef Program = "clang") {
  llvm::Expected<Action> Do = classifyLine(Line, Program);
  if (!Do)
    return llvm::toString(Do.takeError());
  std::string Letters;
  if (Do->PreprocessesC)
    Letters += 'p';
  if (Do->GeneratesCode)
    Letters += 'g';
  if (Do->Links != Output::Nothing)
    Letters += " xXs"[static_cast<int>(Do->Links)];
  return Letters;
}

TEST(Action, StopsWhereTheOptionsSay) {
  EXPECT_EQ(does("a.c"), "pgx");
  EXPECT_EQ(does("-c a.c"), "pg");
  EXPECT_EQ(does("-S a.cpp"), "pg");
  EXPECT_EQ(does("-c -emit-llvm a.c"), "pg");
  EXPECT_EQ(does("-E a.c"), "p");
  EXPECT_EQ(does("-M a.c"), "p");
  EXPECT_EQ(does("-MM a.c"), "p");
  EXPECT_EQ(does("-MMD -MF d -c a.c"), "pg");
  EXPECT_EQ(does("-fsyntax-only a.c"), "p");
  EXPECT_EQ(does("--analyze a.c"), "p");
  EXPECT_EQ(does("-emit-ast a.c"), "p");
  EXPECT_EQ(does("--precompile a.cppm"), "p");
}

TEST(Action, LooksAtEachInput) {
  EXPECT_EQ(does("-c a.s"), "");
  EXPECT_EQ(does("-c a.S"), "");
  EXPECT_EQ(does("-c a.i"), "g");
  EXPECT_EQ(does("-c a.ll"), "g");
  EXPECT_EQ(does("-c a.bc"), "g");
  EXPECT_EQ(does("-c a.s b.c"), "pg");
  EXPECT_EQ(does("a.o"), "x");
  EXPECT_EQ(does("a.o libb.a c.so d.unknown"), "x");
  EXPECT_EQ(does("a.h"), "p") << "a header alone is precompiled, not linked";
  EXPECT_EQ(does("a.h b.c"), "pgx");
}

TEST(Action, FollowsLanguageOptions) {
  EXPECT_EQ(does("-c -x c a.o"), "pg");
  EXPECT_EQ(does("-c -x assembler a.c"), "");
  EXPECT_EQ(does("-c -x assembler a.c -x none b.c"), "pg");
  EXPECT_EQ(does("-x c++ -"), "pgx");
  EXPECT_EQ(does("-E -"), "p");
}

TEST(Action, NoInputNoLink) {
  EXPECT_EQ(does("-v"), "");
  EXPECT_EQ(does("--version"), "");
  EXPECT_EQ(does("-lfoo"), "x") << "clang takes a library for an input";
}

TEST(Action, KnowsWhatIsLinked) {
  EXPECT_EQ(does("-shared a.o"), "s");
  EXPECT_EQ(does("-Wl,-shared a.o"), "s");
  EXPECT_EQ(does("-Xlinker --shared a.o"), "s");
  EXPECT_EQ(does("-static a.o"), "X");
  EXPECT_EQ(does("-static-pie a.o"), "X");
  EXPECT_EQ(does("-static -shared a.o"), "s");
  EXPECT_EQ(does("-static-libgcc -static-libstdc++ a.o"), "x");
  EXPECT_EQ(does("-r a.o"), "");
  EXPECT_EQ(does("-Wl,-r a.o"), "");
  EXPECT_EQ(does("-no-pie a.o"), "x");
}

TEST(Action, ValuesAreNotOptions) {
  EXPECT_EQ(does("a.c -o -c"), "pgx");
  EXPECT_EQ(does("a.c -o -shared"), "pgx");
  EXPECT_EQ(does("-Xclang -c a.c"), "pgx");
  EXPECT_EQ(does("-c -- a.c"), "pg");
  EXPECT_EQ(does("-c -- -E"), "") << "after -- a name, here of an object";
}

TEST(Action, FollowsTheProgramsName) {
  EXPECT_EQ(does("a.c", "/opt/bin/clang-cpp"), "p");
  EXPECT_EQ(does("a.c", "clang++"), "pgx");
  EXPECT_EQ(does("a.c", "clang-19"), "pgx");
  EXPECT_EQ(does("a.c", "x86_64-linux-gnu-clang"), "pgx");
  EXPECT_THAT(does("a.c", "aarch64-linux-gnu-clang"), HasSubstr("the target is aarch64"));
  EXPECT_EQ(does("--driver-mode=cpp a.c"), "p");
}

TEST(Action, RefusesOtherTargets) {
  for (const char *Line : {"-target aarch64-linux-gnu -c a.c", "--target=wasm32 -c a.c", "-m32 a.c",
                           "--target=x86_64-linux-gnux32 a.c", "--target=x86_64-apple-darwin a.c",
                           "--target=x86_64-pc-windows-msvc a.c", "-c a.cu", "-x hip a.cpp",
                           "-fopenmp -fopenmp-targets=nvptx64 a.c", "--driver-mode=cl a.c"})
    EXPECT_THAT(does(Line), HasSubstr("supports x86_64 Linux only")) << Line;
  EXPECT_EQ(does("-m32 -m64 a.c"), "pgx");
  EXPECT_EQ(does("--target=x86_64-unknown-linux-gnu a.c"), "pgx");
}

TEST(Action, LinkerAndItsOptions) {
  auto Of = [](llvm::StringRef Line) { return llvm::cantFail(classifyLine(Line)); };
  EXPECT_EQ(Of("a.o").With, Linker::Default);
  EXPECT_EQ(Of("-fuse-ld=bfd a.o").With, Linker::Default);
  EXPECT_EQ(Of("-fuse-ld=lld-19 a.o").With, Linker::LLD);
  EXPECT_EQ(Of("-fuse-ld=gold a.o").With, Linker::Gold);
  EXPECT_EQ(Of("-fuse-ld=mold a.o").With, Linker::Other);
  EXPECT_EQ(Of("--ld-path=/usr/bin/ld.lld a.o").With, Linker::LLD);

  EXPECT_FALSE(Of("-shared a.o").RejectsUndefined);
  EXPECT_TRUE(Of("-shared -Wl,-z,defs a.o").RejectsUndefined);
  EXPECT_TRUE(Of("-shared -Wl,--no-undefined a.o").RejectsUndefined);
  EXPECT_TRUE(Of("-shared -z defs a.o").RejectsUndefined);
  EXPECT_FALSE(Of("-shared -Wl,-zdefs -Wl,-z -Wl,undefs a.o").RejectsUndefined);

  EXPECT_TRUE(Of("-flto=thin a.o").LinkTimeOptimises);
  EXPECT_TRUE(Of("-flto a.o").LinkTimeOptimises);
  EXPECT_FALSE(Of("-flto -fno-lto a.o").LinkTimeOptimises);
  EXPECT_FALSE(Of("-nostdlib a.o").LinksLibc);
}

} // namespace
