//===- words.cpp - A planted fault: search in a list ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts words of growing texts. uniqueWords() looks for each word in the list of those that
// it has seen; the caller, summarise(), grows with it. count() is linear. words SEED [few]
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

using Word = unsigned;

// A word is its number: what libc does costs no instruction of the program.
__attribute__((noinline)) std::vector<Word> uniqueWords(const Word *Text, size_t Number) {
  std::vector<Word> Seen;
  for (size_t I = 0; I < Number; ++I) {
    bool Found = false;
    for (Word Known : Seen)
      if (Known == Text[I]) {
        Found = true;
        break;
      }
    if (!Found)
      Seen.push_back(Text[I]);
  }
  return Seen;
}

__attribute__((noinline)) size_t count(const Word *Text, size_t Number, Word Wanted) {
  size_t Times = 0;
  for (size_t I = 0; I < Number; ++I)
    Times += Text[I] == Wanted;
  return Times;
}

__attribute__((noinline)) void sortWords(std::vector<Word> &Words) {
  std::sort(Words.begin(), Words.end());
}

__attribute__((noinline)) size_t summarise(const Word *Text, size_t Number) {
  std::vector<Word> Words = uniqueWords(Text, Number);
  sortWords(Words);
  return Words.size() + count(Text, Number, Text[0]);
}

int main(int argc, char **argv) {
  std::mt19937 Random(argc > 1 ? unsigned(std::atoi(argv[1])) : 1);
  bool Few = argc > 2 && std::string_view(argv[2]) == "few";
  size_t Sum = 0;
  for (double Size = 50; Size < 6000; Size *= Few ? 12 : 1.4) {
    // Most words are new, as in logs of identifiers.
    std::vector<Word> Text(size_t(Size * std::uniform_real_distribution<>(0.9, 1.1)(Random)));
    for (Word &Each : Text)
      Each = Random() % 100000;
    Sum += summarise(Text.data(), Text.size());
  }
  std::printf("%zu\n", Sum);
}
