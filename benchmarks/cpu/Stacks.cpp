//===- Stacks.cpp - Stacks that are hard to walk ----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   Stacks SECONDS
//
// Four threads: exceptions thrown through several frames, sorting and regular expressions
// of the C++ library, a signal handler on an alternative stack, and, where it is linked
// with SQLite (-DSQLITE), a database in memory.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <pthread.h>
#include <regex>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <thread>
#include <time.h>
#include <vector>

static uint64_t End;
static uint64_t now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return static_cast<uint64_t>(T.tv_sec) * 1000000000 + static_cast<uint64_t>(T.tv_nsec);
}

struct Guard {
  std::string Text = "a text that is too long to be kept inside of the object";
};
__attribute__((noinline)) static int throwsAt(int Depth, int Value) {
  Guard G;
  if (!Depth)
    throw std::runtime_error(G.Text + std::to_string(Value));
  return throwsAt(Depth - 1, Value + static_cast<int>(G.Text.size())) + 1;
}
static void exceptions() {
  pthread_setname_np(pthread_self(), "exceptions");
  size_t Length = 0;
  while (now() < End)
    for (int I = 0; I < 50; ++I)
      try {
        throwsAt(I % 20, I);
      } catch (const std::exception &E) {
        Length += std::string(E.what()).size();
      }
  if (Length == 1)
    abort();
}

static void library() {
  pthread_setname_np(pthread_self(), "library");
  std::regex Pattern("([a-z]+)([0-9]*)-(x|y|z)+");
  unsigned Matches = 0;
  while (now() < End) {
    std::map<std::string, int> Words;
    std::vector<int> Numbers;
    for (int I = 0; I < 300; ++I) {
      std::string Word = "word" + std::to_string(I * 7919 % 1000) + "-xyz";
      Matches += std::regex_match(Word, Pattern);
      Words[Word] = I;
      Numbers.push_back(I * 7919 % 1000);
    }
    std::function<bool(int, int)> Less = [](int A, int B) { return A < B; };
    std::sort(Numbers.begin(), Numbers.end(), Less);
  }
  if (!Matches)
    abort();
}

static volatile unsigned Sum;
static void onSignal(int) {
  for (unsigned I = 0; I < 100000; ++I)
    Sum = Sum + I;
}
static void signals() {
  pthread_setname_np(pthread_self(), "signals");
  stack_t Stack = {};
  Stack.ss_size = 256 << 10;
  Stack.ss_sp = malloc(Stack.ss_size);
  sigaltstack(&Stack, nullptr);
  struct sigaction Action = {};
  Action.sa_handler = onSignal;
  Action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGUSR1, &Action, nullptr);
  while (now() < End) {
    raise(SIGUSR1);
    for (unsigned I = 0; I < 100000; ++I)
      Sum = Sum + I;
  }
}

#ifdef SQLITE
extern "C" {
struct sqlite3;
int sqlite3_open(const char *, sqlite3 **);
int sqlite3_exec(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
}
static void database() {
  pthread_setname_np(pthread_self(), "sqlite");
  sqlite3 *Database;
  if (sqlite3_open(":memory:", &Database))
    abort();
  auto Run = [&](const std::string &Text) {
    sqlite3_exec(Database, Text.c_str(), nullptr, nullptr, nullptr);
  };
  Run("create table t(a integer, b text); create index i on t(b)");
  for (unsigned N = 0; now() < End; ++N) {
    Run("begin");
    for (unsigned I = 0; I < 200; ++I)
      Run("insert into t values(" + std::to_string(N * 200 + I) + ", 'text" +
          std::to_string(I * 7919 % 1000) + "')");
    Run("commit; select b, count(*), sum(a) from t group by b order by 2 desc");
    if (N % 20 == 19)
      Run("delete from t");
  }
}
#else
static void database() {}
#endif

int main(int argc, char **argv) {
  End = now() + static_cast<uint64_t>((argc > 1 ? atof(argv[1]) : 5) * 1e9);
  std::thread Threads[] = {std::thread(exceptions), std::thread(library), std::thread(signals),
                           std::thread(database)};
  for (std::thread &T : Threads)
    T.join();
}
