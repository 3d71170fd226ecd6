//===- re2.cpp - Log lines matched against patterns -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two threads match log lines against six patterns. RE2 objects may be shared by
// threads, and are, unless OWN_PATTERNS gives each thread its own. A unit is 16
// lines against all patterns.
//
//===----------------------------------------------------------------------===//
#include "re2/re2.h"
#include "Workload.h"
#include <memory>
#include <string>

namespace {
using Patterns = std::vector<std::unique_ptr<RE2>>;

Patterns compilePatterns() {
  Patterns All;
  for (const char *Text :
       {"error|warning|fatal", R"(user=(\w+) .*status=5\d\d)",
        R"((\d+)\.(\d+)\.(\d+)\.(\d+))", R"(GET /(api|static)/[a-z]+/\d+)",
        R"(took [1-9]\d{3,}ms$)", "(?i)timeout.*retry"}) {
    All.push_back(std::make_unique<RE2>(Text));
    workload::require(All.back()->ok(), "a pattern is wrong");
  }
  return All;
}

std::vector<std::string> makeLines() {
  static const char *const Levels[] = {"info", "debug", "warning", "error"};
  static const char *const Paths[] = {"api/items", "static/img", "home",
                                      "login"};
  workload::Random R(1);
  std::vector<std::string> Lines(4096);
  for (std::string &Line : Lines) {
    char Text[200];
    std::snprintf(Text, sizeof(Text),
                  "%s 10.%d.%d.%d user=u%d GET /%s/%d status=%d00 took %dms",
                  Levels[R.below(4)], int(R.below(256)), int(R.below(256)),
                  int(R.below(256)), int(R.below(1000)), Paths[R.below(4)],
                  int(R.below(10000)), int(2 + R.below(4)), int(R.below(3000)));
    Line = Text;
  }
  return Lines;
}
} // namespace

int main(int Argc, char **Argv) {
  const std::vector<std::string> Lines = makeLines();
  const Patterns Shared = compilePatterns();
  std::atomic<uint64_t> Matches{0};
  return workload::run(Argc, Argv, 2, [&](unsigned Thread) {
#ifdef OWN_PATTERNS
    auto Own = std::make_shared<Patterns>(compilePatterns());
#else
    const Patterns *Own = &Shared;
#endif
    return [&Lines, &Matches, Own, Next = size_t(Thread) * 2048]() mutable {
      uint64_t Found = 0;
      for (size_t End = Next + 16; Next < End; ++Next)
        for (const auto &Pattern : *Own)
          Found += RE2::PartialMatch(Lines[Next % Lines.size()], *Pattern);
      Matches.fetch_add(Found, std::memory_order_relaxed);
      CAUSAL_PROGRESS_NAMED("16 lines");
    };
  });
}
