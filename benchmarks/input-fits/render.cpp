//===- render.cpp - A planted fault: called too often ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Renders documents into a buffer of characters. append() walks to the end of what is there,
// which is linear and no fault; render() calls it for each line, and so is quadratic. The
// caller is publish(). measure() is linear. render SEED [few]
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

__attribute__((noinline)) void append(char *Page, const char *Line) {
  while (*Page)
    ++Page;
  while ((*Page++ = *Line++))
    ;
}

__attribute__((noinline)) void render(const std::vector<char> &Lines, char *Page) {
  *Page = 0;
  for (size_t At = 0; At < Lines.size(); At += 8)
    append(Page, &Lines[At]);
}

__attribute__((noinline)) size_t measure(const char *Page) {
  size_t Width = 0;
  for (; *Page; ++Page)
    Width += *Page == 'm' ? 2 : 1;
  return Width;
}

__attribute__((noinline)) size_t publish(const std::vector<char> &Lines) {
  std::vector<char> Page(Lines.size() + 1);
  render(Lines, Page.data());
  return measure(Page.data());
}

int main(int argc, char **argv) {
  std::mt19937 Random(argc > 1 ? unsigned(std::atoi(argv[1])) : 1);
  bool Few = argc > 2 && std::string_view(argv[2]) == "few";
  size_t Sum = 0;
  for (double Size = 20; Size < 2500; Size *= Few ? 12 : 1.4) {
    auto Number = size_t(Size * std::uniform_real_distribution<>(0.9, 1.1)(Random));
    std::vector<char> Lines(8 * Number); // Each of seven characters and its end.
    for (size_t I = 0; I < Lines.size(); ++I)
      Lines[I] = I % 8 == 7 ? 0 : char('a' + Random() % 26);
    Sum += publish(Lines);
  }
  std::printf("%zu\n", Sum);
}
