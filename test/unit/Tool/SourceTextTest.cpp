//===- SourceTextTest.cpp
//----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/SourceText.h"
#include "ProfileText.h"

#include <gmock/gmock.h>

using namespace causal;

namespace {

TEST(ShortNames, TakeAsMuchOfThePathAsTellsFilesApart) {
  auto Names = shortNames({"/p/a/x.c", "/p/b/x.c", "/p/sqlite3.c", "/p/a/x.c"});
  EXPECT_EQ(Names.size(), 3u);
  EXPECT_EQ(Names.lookup("/p/a/x.c"), "a/x.c");
  EXPECT_EQ(Names.lookup("/p/b/x.c"), "b/x.c");
  EXPECT_EQ(Names.lookup("/p/sqlite3.c"), "sqlite3.c");
}

TEST(ShortNames, EndWithPathsThatAreTheEndOfOthers) {
  auto Names = shortNames({"x.c", "/a/x.c", "/x.c", "a/x.c"});
  EXPECT_EQ(Names.lookup("x.c"), "x.c");
  EXPECT_EQ(Names.lookup("/a/x.c"), "/a/x.c");
  EXPECT_TRUE(shortNames({}).empty());
}

TEST(ShortNames, ShortenEachPathOfAGroup) {
  auto Names = shortNames({"/p/a/x.c:7,/p/b/y.c", "/p/b/y.c", "/q/a/x.c:7,/p/b/y.c"});
  EXPECT_EQ(Names.lookup("/p/b/y.c"), "y.c");
  EXPECT_EQ(Names.lookup("/p/a/x.c:7,/p/b/y.c"), "p/a/x.c:7,p/b/y.c");
  EXPECT_EQ(Names.lookup("/q/a/x.c:7,/p/b/y.c"), "q/a/x.c:7,p/b/y.c");
  EXPECT_EQ(shortNames({"/p,q/x.c"}).lookup("/p,q/x.c"), "x.c") << "a directory's name";
}

TEST(Shorten, KeepsTheEndOfAPathAndTheStartOfCode) {
  EXPECT_EQ(shortenPath("deep/down/file.c:7", 12), ".../file.c:7");
  EXPECT_EQ(shortenPath("file.c:7", 12), "file.c:7");
  EXPECT_EQ(shortenCode("for (int i = 0;", 9), "for (i...");
  EXPECT_EQ(shortenCode("ab\xC3\xA9xyz", 6), "ab...") << "no half of a UTF-8 sequence";
}

TEST(Printable, DisarmsControlCharacters) { EXPECT_EQ(printable("a\tb\x1b[2J\x7f"), "a b?[2J?"); }

TEST(Printable, DisarmsThoseOfSeveralBytes) {
  EXPECT_EQ(printable("a\xc2\x9b"
                      "2Jb"),
            "a?2Jb")
      << "U+009B begins sequences, too";
  EXPECT_EQ(printable("x\xe2\x80\xae"
                      "y\xe2\x81\xa9"),
            "x?y?")
      << "they turn text round";
  EXPECT_EQ(printable("\xc3\xa9\xe2\x82\xac \xc2"), "\xc3\xa9\xe2\x82\xac \xc2") << "letters stay";
}

TEST(DemangledName, IsNotTriedForWhatNoCompilerWrites) {
  EXPECT_EQ(demangledName("_ZN2ns1fEi"), "ns::f(int)");
  std::string Pointers = "_Z1f" + std::string(200000, 'P') + "i";
  EXPECT_EQ(demangledName(Pointers), Pointers);
  EXPECT_EQ(shortFunctionName(Pointers), Pointers);
}

TEST(ShortFunctionName, IsTheBareName) {
  EXPECT_EQ(shortFunctionName("_ZN2ns1fEi"), "f");
  EXPECT_EQ(shortFunctionName("main"), "main");
  EXPECT_EQ(shortFunctionName("_Zgarbage"), "_Zgarbage");
}

std::string found(const char *Spec) {
  Profile P;
  P.internLine("/a/x.c", 7, "");
  P.internLine("/b/x.c", 7, "");
  P.internLine("/b/x.c", 12, "");
  P.internLine("/b/yx.c", 9, "");
  P.internLine("/b/x.c", 0, "_ZN2ns1fEi", TargetKind::Function);
  P.internLine("/b/x.c", 0, "_ZN2ns1fEd", TargetKind::Function);
  P.internLine("/b/x.c", 0, "g", TargetKind::Function);
  llvm::Expected<unsigned> L = findLine(P, Spec);
  return L ? std::to_string(*L) : llvm::toString(L.takeError());
}

TEST(FindLine, MatchesWholePathComponents) {
  EXPECT_EQ(found("/b/x.c:7"), "1");
  EXPECT_EQ(found("b/x.c:7"), "1");
  EXPECT_EQ(found("x.c:12"), "2");
  EXPECT_EQ(found("yx.c:9"), "3");
}

TEST(FindLine, KnowsFunctionsByTheirBareNames) {
  EXPECT_EQ(found("x.c:g"), "6");
  EXPECT_EQ(found("b/x.c:_ZN2ns1fEd"), "5");
  EXPECT_EQ(found("x.c:f"), "'x.c:f' names several functions: /b/x.c:_ZN2ns1fEi /b/x.c:_ZN2ns1fEd");
  EXPECT_EQ(found("yx.c:g"),
            "no function is called 'yx.c:g', as FILE:FUNCTION; causal report --top=0 "
            "lists those that are known, from runs with target=function. A line is "
            "FILE:LINE");
}

TEST(FindLine, KnowsCriticalSectionsByTheirMark) {
  Profile P;
  P.internLine("/a/x.c", 7, "f");
  P.internLine("/a/x.c", 7, "f", TargetKind::Section);
  P.internLine("/a/x.c", 9, "f", TargetKind::Section);
  ASSERT_EQ(P.lines().size(), 3u);
  EXPECT_EQ(placeOf(P.lines()[1], "x.c") + functionOf(P.lines()[1]), "x.c:7:lock f");
  EXPECT_EQ(llvm::cantFail(findLine(P, "x.c:7")), 0u);
  EXPECT_EQ(llvm::cantFail(findLine(P, "x.c:7:lock")), 1u);
  EXPECT_EQ(llvm::toString(findLine(P, "x.c:8:lock").takeError()),
            "no sample fell into 'x.c:8:lock'; the nearest lines that take a lock and "
            "have samples are 7 9");
}

TEST(Groups, AreListsOfPlaces) {
  Profile P;
  P.internLine("x.c:7,y.c:8,x.c", 9, "");
  P.internLine("/x,y/a.c", 9, "f");
  P.internLine("/x/a.c", 9, "f");
  EXPECT_TRUE(isGroup(P.lines()[0]));
  EXPECT_FALSE(isGroup(P.lines()[1])) << "a directory's name has a comma";
  EXPECT_FALSE(isGroup(P.lines()[2]));
  EXPECT_EQ(placeOf(P.lines()[0], "x.c:7,y.c:8,x.c"), "x.c:7,y.c:8,x.c:9");
}

TEST(Groups, MayBeOfFunctionsWithCommas) {
  auto Members = splitGroup("x.cc:T<int, a::B>::f(int, long),y.cc:g");
  ASSERT_EQ(Members.size(), 2u);
  EXPECT_EQ(Members[0], "x.cc:T<int, a::B>::f(int, long)");
  EXPECT_EQ(Members[1], "y.cc:g");
  EXPECT_EQ(splitGroup("x.cc:T<int, long>::f").size(), 1u);
}

TEST(Groups, ShowAsManyMembersAsHaveRoom) {
  EXPECT_EQ(shortenGroup("x.c:7,y.c:8,z.c:9", 16), "x.c:7 and 2 more");
  EXPECT_EQ(shortenGroup("x.c:7,y.c:8,z.c:9", 22), "x.c:7,y.c:8 and 1 more");
  EXPECT_EQ(shortenGroup("long-name.c:7,y.c:8", 5), "long-name.c:7 and 1 more");
}

TEST(FindLine, KnowsGroupsByTheirWholeName) {
  Profile P;
  P.internLine("/a/x.c", 9, "f");
  P.internLine("x.c:7,y.c:8,x.c", 9, "");
  P.internLine("x.c:7,y.c:8,x.c", 9, "", TargetKind::Section);
  P.internLine("x.c:f,y.c", 0, "ns::g", TargetKind::Function);
  EXPECT_EQ(llvm::cantFail(findLine(P, "x.c:9")), 0u);
  EXPECT_EQ(llvm::cantFail(findLine(P, "x.c:7,y.c:8,x.c:9")), 1u);
  EXPECT_EQ(llvm::cantFail(findLine(P, "x.c:7,y.c:8,x.c:9:lock")), 2u);
  EXPECT_EQ(llvm::cantFail(findLine(P, "x.c:f,y.c:ns::g")), 3u);
  EXPECT_TRUE(llvm::errorToBool(findLine(P, "x.c:7,x.c:9").takeError()));
}

TEST(FindLine, NamesTheFunctionsOfAFileWhereTheProfileIsOfThese) {
  Profile P;
  P.internLine("/b/x.c", 0, "g", TargetKind::Function);
  P.internLine("/b/x.c", 0, "_ZN2ns1fEi", TargetKind::Function);
  P.internLine("/b/y.c", 0, "h", TargetKind::Function);
  EXPECT_EQ(llvm::toString(findLine(P, "x.c:999").takeError()),
            "the profile is of functions, not of lines; name one: x.c:f, x.c:g");
  EXPECT_EQ(llvm::toString(findLine(P, "z.c:9").takeError()),
            "no sample fell into a file 'z.c'; causal report --top=0 lists the lines");
  for (int I = 0; I < 20; ++I)
    P.internLine("/b/x.c", 0, "k" + std::to_string(I), TargetKind::Function);
  EXPECT_THAT(
      llvm::toString(findLine(P, "x.c:7:lock").takeError()),
      testing::AllOf(testing::StartsWith("the profile is of functions, not of critical sections"),
                     testing::EndsWith("and 12 more (causal report --top=0)")));
}

TEST(FindLine, NamesOfFunctionsMayHaveColons) {
  Profile P;
  std::string Name = "search<((anonymous namespace)::NodeType)0>";
  P.internLine("/b/x.c", 0, Name, TargetKind::Function);
  EXPECT_EQ(llvm::cantFail(findLine(P, "x.c:" + Name)), 0u);
  EXPECT_EQ(llvm::toString(findLine(P, "x.c::f").takeError()),
            "'x.c::f' is not FILE:LINE, FILE:FUNCTION or FILE:LINE:lock");
}

TEST(FindLine, SaysWhatIsWrong) {
  EXPECT_EQ(found("x.c:7"), "'x.c:7' names several lines: /a/x.c:7 /b/x.c:7");
  EXPECT_EQ(found("b/x.c:9"),
            "no sample fell into 'b/x.c:9'; the nearest lines with samples are 7 12");
  EXPECT_EQ(found("z.c:9"), "no sample fell into a file 'z.c'; causal report "
                            "--top=0 lists the lines");
  EXPECT_EQ(found("x.c"), "'x.c' is not FILE:LINE, FILE:FUNCTION or FILE:LINE:lock");
  EXPECT_EQ(found(":3"), "':3' is not FILE:LINE, FILE:FUNCTION or FILE:LINE:lock");
}

TEST(SourceText, IsSilentOnWhatIsNotThere) {
  EXPECT_FALSE(SourceText("").line("/nowhere/x.c", 1));
  EXPECT_FALSE(SourceText("/nowhere").line("x.c", 1));
  EXPECT_FALSE(SourceText("/").line("/", 1)) << "a directory is no source file";
}

} // namespace
