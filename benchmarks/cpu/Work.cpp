//===- Work.cpp - Fixed amounts of work, to see what mode=cpu costs -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   Work sqlite|deflate|sort|mutex|locks|pipe|reads|spin|sleepers
//
// mutex: two threads that always wait for each other's lock; locks: free ones; reads: a byte
// each from /dev/zero; sleepers: spin, beside 1,000 threads that sleep.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>

extern "C" {
struct sqlite3;
int sqlite3_open(const char *, sqlite3 **);
int sqlite3_exec(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
}

static void sqlite() {
  sqlite3 *Database;
  sqlite3_open(":memory:", &Database);
  auto Run = [&](const std::string &Text) {
    sqlite3_exec(Database, Text.c_str(), nullptr, nullptr, nullptr);
  };
  Run("create table t(a integer, b text); create index i on t(b); begin");
  for (unsigned I = 0; I < 120000; ++I)
    Run("insert into t values(" + std::to_string(I) + ", 'text" + std::to_string(I * 7919 % 1000) +
        "')");
  Run("commit; select b, count(*), sum(a) from t group by b order by 2 desc");
}

static void deflate() {
  std::vector<Bytef> In(4 << 20), Out(compressBound(In.size()));
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = static_cast<Bytef>((I * 7919 >> 7) % 61);
  for (int I = 0; I < 8; ++I) {
    uLongf Size = Out.size();
    compress2(Out.data(), &Size, In.data(), In.size(), 6);
  }
}

static void sort() {
  std::vector<uint32_t> Numbers(4000000);
  for (int Round = 0; Round < 2; ++Round) {
    for (size_t I = 0; I < Numbers.size(); ++I)
      Numbers[I] = static_cast<uint32_t>(I * 2654435761u);
    std::sort(Numbers.begin(), Numbers.end());
  }
}

static std::mutex Mutex;
static volatile unsigned Sum;
static void compute(unsigned Rounds) {
  for (unsigned I = 0; I < Rounds; ++I)
    Sum = Sum + I;
}
static void mutex() {
  auto Fight = [] {
    for (int I = 0; I < 20000; ++I) {
      std::lock_guard<std::mutex> Lock(Mutex);
      compute(5000);
    }
  };
  std::thread Other(Fight);
  Fight();
  Other.join();
}
static void locks() {
  std::thread Other([] {}); // Not a program of one thread.
  for (int I = 0; I < 15000000; ++I) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Sum = Sum + 1;
  }
  Other.join();
}

static void ping() {
  int To[2], Fro[2];
  if (pipe(To) || pipe(Fro))
    abort();
  constexpr int Rounds = 60000;
  std::thread Other([&] {
    char C;
    for (int I = 0; I < Rounds; ++I)
      if (read(To[0], &C, 1) != 1 || write(Fro[1], &C, 1) != 1)
        abort();
  });
  char C = 0;
  for (int I = 0; I < Rounds; ++I)
    if (write(To[1], &C, 1) != 1 || read(Fro[0], &C, 1) != 1)
      abort();
  Other.join();
}
static void reads() {
  int Zero = open("/dev/zero", O_RDONLY);
  char C;
  for (int I = 0; I < 3000000; ++I)
    if (read(Zero, &C, 1) != 1)
      abort();
}

static void spin() { compute(700000000); }
static void sleepers() {
  std::vector<std::thread> Threads;
  for (int I = 0; I < 1000; ++I)
    Threads.emplace_back([] {
      timespec Long = {1000, 0};
      nanosleep(&Long, nullptr);
    });
  spin();
  _exit(0);
}

int main(int argc, char **argv) {
  static const struct {
    const char *Name;
    void (*Function)();
  } Kinds[] = {{"sqlite", sqlite}, {"deflate", deflate}, {"sort", sort},
               {"mutex", mutex},   {"locks", locks},     {"pipe", ping},
               {"reads", reads},   {"spin", spin},       {"sleepers", sleepers}};
  for (const auto &K : Kinds)
    if (argc > 1 && !strcmp(argv[1], K.Name)) {
      K.Function();
      return 0;
    }
  return 2;
}
