//===- GlobTest.cpp - Which source files are in scope -------------------- ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "base/causal_glob.h"

#include "gtest/gtest.h"

#include <chrono>
#include <string>

using namespace __causal;

namespace {

TEST(GlobTest, Literals) {
  EXPECT_TRUE(globMatch("", ""));
  EXPECT_TRUE(globMatch("/a/b.c", "/a/b.c"));
  EXPECT_FALSE(globMatch("/a/b.c", "/a/b.cc"));
  EXPECT_FALSE(globMatch("/a/b.cc", "/a/b.c"));
  EXPECT_FALSE(globMatch("", "a"));
}

TEST(GlobTest, Wildcards) {
  EXPECT_TRUE(globMatch("*", ""));
  EXPECT_TRUE(globMatch("/a/*", "/a/b/c.c"));
  EXPECT_TRUE(globMatch("*.c", "/a/b.c"));
  EXPECT_TRUE(globMatch("*a*b*c*", "xxaxxbxxcxx"));
  EXPECT_TRUE(globMatch("*ab", "aab"));
  EXPECT_TRUE(globMatch("**", "x"));
  EXPECT_TRUE(globMatch("a?c", "abc"));
  EXPECT_FALSE(globMatch("a?c", "ac"));
  EXPECT_FALSE(globMatch("*a*b*c", "xxaxxbxxcxx"));
}

TEST(GlobTest, Sets) {
  EXPECT_TRUE(globMatch("[abc]", "b"));
  EXPECT_TRUE(globMatch("[a-cx]z", "cz"));
  EXPECT_TRUE(globMatch("[!a-c]", "d"));
  EXPECT_FALSE(globMatch("[^a-c]", "b"));
  EXPECT_TRUE(globMatch("[]]", "]"));
  EXPECT_TRUE(globMatch("[a-]", "-"));
  EXPECT_TRUE(globMatch("[\xC0-\xFF]", "\xE4"));
  EXPECT_FALSE(globMatch("[a]", ""));
  EXPECT_TRUE(globMatch("x[a", "x[a"));
  EXPECT_TRUE(globMatch("*[0-9].c", "/a1/b2.c"));
}

TEST(GlobTest, Escapes) {
  EXPECT_TRUE(globMatch("\\*", "*"));
  EXPECT_FALSE(globMatch("\\*", "a"));
  EXPECT_TRUE(globMatch("\\[a]", "[a]"));
  EXPECT_TRUE(globMatch("a\\", "a\\"));
}

TEST(GlobTest, NoBlowUp) {
  std::string Pattern, Text(2000, 'a');
  for (int I = 0; I != 200; ++I)
    Pattern += "*a";
  Pattern += "b";
  auto Begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(globMatch(Pattern.c_str(), Text.c_str()));
  EXPECT_LT(std::chrono::steady_clock::now() - Begin, std::chrono::seconds(1));
}

TEST(GlobTest, Lists) {
  EXPECT_FALSE(globListMatch("", "/a"));
  EXPECT_FALSE(globListMatch(" ,;, ", "/a"));
  EXPECT_TRUE(globListMatch("/x/*, /a/* ;/y", "/a/b"));
  EXPECT_TRUE(globListMatch("/x;/a", "/a"));
  EXPECT_FALSE(globListMatch("/x,/y", "/a"));
}

TEST(GlobTest, ListItemsMayBeginAtAnyDirectory) {
  EXPECT_TRUE(globListMatch("src/*.c", "/home/me/src/a.c"));
  EXPECT_TRUE(globListMatch("a.c", "/home/me/src/a.c"));
  EXPECT_FALSE(globListMatch("a.c", "/home/me/src/ba.c"));
  EXPECT_FALSE(globListMatch("/src/a.c", "/home/me/src/a.c"));
}

TEST(GlobTest, ListItemsMayBeDirectories) {
  EXPECT_TRUE(globListMatch("/home/me/", "/home/me/src/a.c"));
  EXPECT_TRUE(globListMatch("src/", "/home/me/src/x/a.c"));
  EXPECT_TRUE(globListMatch("/home/*/src/", "/home/me/src/x/a.c"));
  EXPECT_FALSE(globListMatch("src/", "/home/me/src"));
  EXPECT_FALSE(globListMatch("src/", "/home/me/mysrc/a.c"));
}

TEST(GlobTest, SystemPaths) {
  for (const char *Path :
       {"/usr/include/stdio.h", "/usr/include/c++/12/vector",
        "/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h",
        "/usr/lib/llvm-19/lib/clang/19/include/stddef.h", "/opt/llvm/lib/clang/19/include/stddef.h",
        "/opt/gcc/lib/gcc/x86_64/14/include/stddef.h", "/opt/gcc/include/c++/14/bits/stl_vector.h",
        "/usr/local/include/boost/any.hpp", "/lib/x.c", "/opt/causal/include/causal/causal.h",
        "/home/me/third_party/coz.h"})
    EXPECT_TRUE(isSystemPath(Path)) << Path;
  for (const char *Path :
       {"/home/me/a.c", "/usr/src/app/main.c", "/usr/local/src/x/a.c", "/opt/app/a.c",
        "/tmp/include/a.h", "/build/app/a.c", "/users/a.c", "/home/me/my_coz.h", "/library/a.c"})
    EXPECT_FALSE(isSystemPath(Path)) << Path;
}

TEST(GlobTest, Scope) {
  EXPECT_TRUE(isInScope("/home/a.c", "", ""));
  EXPECT_FALSE(isInScope("/usr/include/a.h", "", ""));
  EXPECT_TRUE(isInScope("/usr/include/a.h", "*", ""));
  EXPECT_FALSE(isInScope("/home/a.c", "/x/*", ""));
  EXPECT_FALSE(isInScope("/home/a.c", "", "*/a.c"));
  EXPECT_FALSE(isInScope("/home/a.c", "/home/*", "/home/*"));
  EXPECT_FALSE(isInScope("", "*", ""));
  EXPECT_FALSE(isInScope("/p/include/causal/causal.h", "*", ""));
}

TEST(GlobTest, SourceLines) {
  EXPECT_TRUE(sourceLineMatch("a.c:7", "/x/a.c", 7));
  EXPECT_TRUE(sourceLineMatch("/x/a.c:7", "/x/a.c", 7));
  EXPECT_TRUE(sourceLineMatch("x/a.c:4294967295", "/x/a.c", 4294967295u));
  EXPECT_FALSE(sourceLineMatch("a.c:7", "/x/ba.c", 7));
  EXPECT_FALSE(sourceLineMatch("a.c:7", "/x/a.c", 17));
  EXPECT_FALSE(sourceLineMatch("a.c:17", "/x/a.c", 7));
  for (const char *Bad :
       {"", "a.c", "a.c:", ":7", "7", "a.c7", "a.c:99999999999999999999999", "b/x/a.c:7"})
    EXPECT_FALSE(sourceLineMatch(Bad, "/x/a.c", 7)) << Bad;
}

TEST(Glob, FunctionsByFileAndName) {
  EXPECT_TRUE(functionMatch("a.c:step", "/x/a.c", "step"));
  EXPECT_TRUE(functionMatch("/x/a.c:_ZN1A1fEv", "/x/a.c", "_ZN1A1fEv"));
  EXPECT_FALSE(functionMatch("a.c:step", "/x/ba.c", "step"));
  EXPECT_FALSE(functionMatch("a.c:step", "/x/a.c", "substep"));
  EXPECT_FALSE(functionMatch("a.c:substep", "/x/a.c", "step"));
  for (const char *Bad : {"", "step", ":step", "a.c", "a.c:", "a.cstep"})
    EXPECT_FALSE(functionMatch(Bad, "/x/a.c", "step")) << Bad;
  EXPECT_FALSE(functionMatch("a.c:", "/x/a.c", ""));
}

TEST(Glob, FunctionsWithoutTemplateArguments) {
  auto Without = [](const char *Function, size_t Size = 64) {
    char Text[64];
    return withoutTemplateArguments(Function, Text, Size) ? std::string(Text) : "none";
  };
  EXPECT_EQ(Without("work<int>"), "work");
  EXPECT_EQ(Without("A<int, B<char>>::f<&C::operator< >"), "A::f");
  EXPECT_EQ(Without("A<int>::operator<"), "A::operator<");
  EXPECT_EQ(Without("operator<<<int>"), "operator<<");
  EXPECT_EQ(Without("A<int>::operator->"), "A::operator->");
  EXPECT_EQ(Without("A<int>::operator<=>"), "A::operator<=>");
  EXPECT_EQ(Without("A<int>::operator()"), "A::operator()");
  EXPECT_EQ(Without("my_operator<int>"), "my_operator");
  for (const char *None : {"", "f", "A::f", "operator<", "operator->", "operator>>=", "f<int"})
    EXPECT_EQ(Without(None), "none") << None;
  EXPECT_EQ(Without("work<int>", 5), "work");
  EXPECT_EQ(Without("work<int>", 4), "none");
}

TEST(Glob, KnowsProgramsByWhichBuildsTryTheCompiler) {
  for (const char *Path :
       {"/src/xz/conftest", "/b/CMakeFiles/CMakeScratch/TryCompile-x1/cmTC_12345",
        "/b/CMakeFiles/CMakeTmp/cmTC_12345", "/b/meson-private/sanitycheckc.exe",
        "/b/meson-private/tmpq1/output.exe"})
    EXPECT_TRUE(isBuildCheck(Path)) << Path;
  for (const char *Path : {"", "/src/xz/conftest/xz", "/src/conftest2", "/src/myconftest",
                           "/b/CMakeFiles/prog", "/b/cmTC_12345", "/home/meson/prog"})
    EXPECT_FALSE(isBuildCheck(Path)) << Path;
}

} // namespace
