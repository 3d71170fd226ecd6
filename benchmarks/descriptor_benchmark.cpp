//===- descriptor_benchmark.cpp - What wrapped functions on descriptors cost -===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built twice from this source: descriptor_benchmark.plain by clang alone and
// descriptor_benchmark with -fcausal-profile. Run both and compare:
//
//   benchmarks/descriptor_benchmark.plain; CAUSAL_OPTIONS=max_speedup=0 benchmarks/descriptor_benchmark
//
// "outside" is a descriptor that the runtime does not know: there its cost is to be
// no more than a few nanoseconds and no system call. The system calls are the
// cheapest of their kind, so that what stands before them shows.
//
//===----------------------------------------------------------------------===//
#include <benchmark/benchmark.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void refused(benchmark::State &State) {
  for (auto _ : State)
    benchmark::DoNotOptimize(read(-1, nullptr, 0));
}
BENCHMARK(refused)->Name("read refused, outside");

static void writeOutside(benchmark::State &State) {
  int Null = open("/dev/null", O_WRONLY);
  for (auto _ : State)
    benchmark::DoNotOptimize(write(Null, "x", 1));
  close(Null);
}
BENCHMARK(writeOutside)->Name("write to /dev/null, outside");

static void counter(benchmark::State &State) {
  int Fd = eventfd(0, 0);
  eventfd_t Value = 1;
  for (auto _ : State) {
    benchmark::DoNotOptimize(write(Fd, &Value, sizeof(Value)));
    benchmark::DoNotOptimize(read(Fd, &Value, sizeof(Value)));
  }
  close(Fd);
}
BENCHMARK(counter)->Name("eventfd write+read, inside");

static void pipeByte(benchmark::State &State) {
  int Fds[2];
  if (pipe(Fds))
    return State.SkipWithError("pipe");
  char Byte = 0;
  for (auto _ : State) {
    benchmark::DoNotOptimize(write(Fds[1], &Byte, 1));
    benchmark::DoNotOptimize(read(Fds[0], &Byte, 1));
  }
  close(Fds[0]);
  close(Fds[1]);
}
BENCHMARK(pipeByte)->Name("pipe write+read, inside");

static void pollOutside(benchmark::State &State) {
  int Null = open("/dev/null", O_RDWR);
  pollfd Fds[8];
  for (pollfd &Fd : Fds)
    Fd = {Null, POLLIN, 0};
  for (auto _ : State)
    benchmark::DoNotOptimize(poll(Fds, 8, -1));
  close(Null);
}
BENCHMARK(pollOutside)->Name("poll of 8, outside");

static void pollInside(benchmark::State &State) {
  int Counter = eventfd(1, 0);
  pollfd Fds[8];
  for (pollfd &Fd : Fds)
    Fd = {Counter, POLLIN, 0};
  for (auto _ : State)
    benchmark::DoNotOptimize(poll(Fds, 8, -1));
  close(Counter);
}
BENCHMARK(pollInside)->Name("poll of 8, inside");

static void epollInside(benchmark::State &State) {
  int Epoll = epoll_create1(0), Counter = eventfd(1, 0);
  epoll_event Event = {};
  Event.events = EPOLLIN;
  epoll_ctl(Epoll, EPOLL_CTL_ADD, Counter, &Event);
  for (auto _ : State)
    benchmark::DoNotOptimize(epoll_wait(Epoll, &Event, 1, -1));
  close(Counter);
  close(Epoll);
}
BENCHMARK(epollInside)->Name("epoll_wait, inside");

static void openClose(benchmark::State &State) {
  for (auto _ : State)
    close(open("/dev/null", O_RDONLY));
}
BENCHMARK(openClose)->Name("open+close, outside");

BENCHMARK_MAIN();
