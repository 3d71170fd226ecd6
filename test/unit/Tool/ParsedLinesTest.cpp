//===- ParsedLinesTest.cpp ------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/ParsedLines.h"

#include <gmock/gmock.h>

using namespace causal;

namespace {

int64_t numberOf(const ParsedLine &L) {
  int64_t Number = -1;
  EXPECT_EQ(L.Failed, simdjson::SUCCESS) << L.Text.str();
  EXPECT_EQ(L.Document.root().at_key("n").get(Number), simdjson::SUCCESS);
  return Number;
}

TEST(ParsedLines, AnEmptyTextHasNone) { EXPECT_EQ(ParsedLines("").next(), nullptr); }

TEST(ParsedLines, TellsWhetherTheLastOneIsWhole) {
  ParsedLines Lines("{\"n\":1}\n  {\"n\":2}\r\n\n{\"n\":3");
  const ParsedLine *L = Lines.next();
  EXPECT_EQ(numberOf(*L), 1);
  EXPECT_TRUE(L->Ended);
  L = Lines.next();
  EXPECT_EQ(numberOf(*L), 2);
  EXPECT_EQ(L->Text, "{\"n\":2}");
  EXPECT_EQ(Lines.next()->Text, "");
  L = Lines.next();
  EXPECT_NE(L->Failed, simdjson::SUCCESS);
  EXPECT_FALSE(L->Ended);
  EXPECT_EQ(L->Text, "{\"n\":3");
  EXPECT_EQ(Lines.next(), nullptr);
}

TEST(ParsedLines, KeepsTheirOrderOverManyBatches) {
  constexpr int64_t Number = 20000; // Some five batches.
  std::string Text;
  for (int64_t I = 0; I < Number; ++I)
    Text += "{\"n\":" + std::to_string(I) + "}\n";
  ParsedLines Lines(Text);
  for (int64_t I = 0; I < Number; ++I)
    ASSERT_EQ(numberOf(*Lines.next()), I);
  EXPECT_EQ(Lines.next(), nullptr);
}

TEST(ParsedLines, MayBeLeftInTheMiddle) {
  std::string Text;
  for (unsigned I = 0; I < 20000; ++I)
    Text += "{\"n\":7}\n";
  ParsedLines Lines(Text);
  EXPECT_EQ(numberOf(*Lines.next()), 7);
}

TEST(ParsedLines, GivesTheMemoryOfLongOnesBack) {
  std::string Long = "{\"n\":1,\"text\":\"" + std::string(1 << 20, 'x') + "\"}\n";
  std::string Text;
  for (unsigned I = 0; I < 8; ++I)
    Text += Long;
  for (unsigned I = 0; I < 20000; ++I)
    Text += "{\"n\":2}\n";
  ParsedLines Lines(Text);
  for (unsigned I = 0; I < 8; ++I)
    EXPECT_EQ(numberOf(*Lines.next()), 1);
  for (unsigned I = 0; I < 20000; ++I) {
    const ParsedLine *L = Lines.next();
    ASSERT_EQ(numberOf(*L), 2);
    ASSERT_LT(L->Document.capacity(), size_t(1) << 20);
  }
}

TEST(ParsedLines, RefusesDeepNesting) {
  std::string Deep(MaxNesting + 1, '[');
  EXPECT_EQ(ParsedLines(Deep + std::string(MaxNesting + 1, ']')).next()->Failed,
            simdjson::DEPTH_ERROR);
}

} // namespace
