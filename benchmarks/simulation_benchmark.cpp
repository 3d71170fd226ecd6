//===- simulation_benchmark.cpp - How true is the law of delays? ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predicts random programs with virtual speedups, really shortens them, and prints
// how far the two are apart, by kind of program. All in simulated time, so the table
// depends on the seed alone.
//
//===----------------------------------------------------------------------===//
#include "RandomProgram.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace __causal;

namespace {

struct Arguments {
  unsigned Programs = 100;
  uint64_t Seed = 1;
  const char *Kind = nullptr;
  double Seconds = 0; ///< Of real time; 0: no limit.
  uint64_t Period = 1000_us;
  uint64_t Experiment = 100_ms;
  uint64_t Steps = 6000;
  uint64_t Shortest = 20_us;
  uint64_t Effort = 20000;
  unsigned Others = 0; ///< Programs that compute all the time, in percent of the cores.
  unsigned Worst = 0;
  const char *Pace = nullptr;
};

struct Case {
  RandomProgram P;
  Prediction Result;
  bool Done = false;
};

const char Usage[] =
    "usage: simulation_benchmark [--programs N] [--seed S] [--kind K] "
    "[--seconds T]\n"
    "         [--period US] [--experiment MS] [--steps N] [--shortest US]\n"
    "         [--effort STEPS] [--others PERCENT] [--worst N] | --pace K\n"
    "  --programs  of each kind (100)\n"
    "  --seconds   stop after this time, at any number of programs\n"
    "  --period    of samples, in microseconds (1000)\n"
    "  --experiment  length, in milliseconds (100)\n"
    "  --steps     pieces of work in an experiment, and 100 visits of the progress\n"
    "              point, if that takes longer, but not very long (6000)\n"
    "  --shortest  only programs without shorter pieces of work (20)\n"
    "  --effort    steps of work simulated for each program (20000)\n"
    "  --others    programs that compute all the time, in percent of the cores\n"
    "  --worst     list the N programs with the largest errors\n"
    "  --pace      instead: how the error depends on the period and on the\n"
    "              length of the pieces, for one program of a kind\n";

bool parse(int Argc, char **Argv, Arguments &A) {
  for (int I = 1; I + 1 < Argc; I += 2) {
    std::string Name = Argv[I];
    const char *Value = Argv[I + 1];
    if (Name == "--programs")
      A.Programs = static_cast<unsigned>(std::atoi(Value));
    else if (Name == "--seed")
      A.Seed = std::strtoull(Value, nullptr, 10);
    else if (Name == "--kind")
      A.Kind = Value;
    else if (Name == "--seconds")
      A.Seconds = std::atof(Value);
    else if (Name == "--period")
      A.Period = std::strtoull(Value, nullptr, 10) * 1000;
    else if (Name == "--experiment")
      A.Experiment = std::strtoull(Value, nullptr, 10) * 1000000;
    else if (Name == "--steps")
      A.Steps = std::strtoull(Value, nullptr, 10);
    else if (Name == "--shortest")
      A.Shortest = std::strtoull(Value, nullptr, 10) * 1000;
    else if (Name == "--effort")
      A.Effort = std::strtoull(Value, nullptr, 10);
    else if (Name == "--others")
      A.Others = static_cast<unsigned>(std::atoi(Value));
    else if (Name == "--worst")
      A.Worst = static_cast<unsigned>(std::atoi(Value));
    else if (Name == "--pace")
      A.Pace = Value;
    else
      return false;
  }
  auto IsKind = [](const char *Name) {
    auto &Kinds = programKinds();
    return !Name ||
           std::any_of(Kinds.begin(), Kinds.end(), [&](auto *K) { return !std::strcmp(K, Name); });
  };
  return Argc % 2 && A.Period >= 1000 && A.Experiment && A.Effort && A.Shortest <= 5_ms &&
         IsKind(A.Kind) && IsKind(A.Pace);
}

// Eight threads with a core each. Line 1 is twice as long as the others, and as long
// as they are when it is sped up.
void printPace(const Arguments &A) {
  constexpr uint64_t Periods[] = {100_us, 250_us, 500_us, 1000_us};
  std::printf("%s: error by the length of line 1 (rows) and the period\n      ", A.Pace);
  for (uint64_t Period : Periods)
    std::printf(" %8llu us", static_cast<unsigned long long>(Period / 1000));
  for (uint64_t Cost : {20_us, 50_us, 100_us, 200_us, 500_us, 1000_us}) {
    std::printf("\n%6llu us", static_cast<unsigned long long>(Cost / 1000));
    for (uint64_t Period : Periods) {
      RandomProgram P = drawProgram(A.Pace, A.Seed);
      P.Threads = P.Cores = 8;
      P.Jitter = 30;
      P.Line = 1;
      P.Speedup = 50;
      std::fill(P.Cost.begin(), P.Cost.end(), Cost / 2);
      P.Cost.front() = Cost;
      SimulatorOptions O;
      O.Period = Period;
      O.Experiments.Length = A.Experiment;
      std::printf(" %+11.1f", predict(P, O, A.Effort).error());
    }
  }
  std::printf("\n");
}

// Rows interleave the kinds, so that a time limit treats them alike.
void runAll(std::vector<Case> &Cases, const Arguments &A) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point Begin = Clock::now();
  std::atomic<size_t> Next{0};
  auto Work = [&] {
    for (size_t I; (I = Next++) < Cases.size();) {
      std::chrono::duration<double> Elapsed = Clock::now() - Begin;
      if (A.Seconds && Elapsed.count() > A.Seconds)
        return;
      SimulatorOptions O;
      O.Period = A.Period;
      O.Experiments.Length = A.Experiment;
      O.StepsToSettle = A.Steps;
      O.OtherPrograms = (Cases[I].P.Cores * A.Others + 99) / 100;
      Cases[I].Result = predict(Cases[I].P, O, A.Effort);
      Cases[I].Done = true;
    }
  };
  std::vector<std::thread> Workers;
  for (unsigned I = 1; I < std::thread::hardware_concurrency(); ++I)
    Workers.emplace_back(Work);
  Work();
  for (std::thread &W : Workers)
    W.join();
}

// Where too little was seen a report says so, and nothing is to be judged.
bool isDecided(const Case &C) { return C.Result.Noise < 3; }

template <typename Filter>
void printRow(const char *Name, const std::vector<Case> &Cases, Filter Wanted) {
  std::vector<double> Errors;
  double Sum = 0, Signed = 0, Noise = 0;
  unsigned Contended = 0;
  for (const Case &C : Cases)
    if (C.Done && Wanted(C) && isDecided(C)) {
      Errors.push_back(std::abs(C.Result.error()));
      Sum += Errors.back();
      Signed += C.Result.error();
      Noise += C.Result.Noise;
      Contended += C.P.Threads > C.P.Cores;
    }
  if (Errors.empty())
    return;
  std::sort(Errors.begin(), Errors.end());
  double N = static_cast<double>(Errors.size());
  auto Quantile = [&](double Q) { return Errors[static_cast<size_t>(Q * (N - 1))]; };
  std::printf("%-14s %8zu %9.0f %% %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f\n", Name, Errors.size(),
              100 * Contended / N, Noise / N, Sum / N, Signed / N, Quantile(0.5), Quantile(0.95),
              Errors.back());
}

} // namespace

int main(int Argc, char **Argv) {
  Arguments A;
  if (!parse(Argc, Argv, A)) {
    std::fputs(Usage, stderr);
    std::fputs("kinds:", stderr);
    for (const char *K : programKinds())
      std::fprintf(stderr, " %s", K);
    std::fputs("\n", stderr);
    return 2;
  }
  if (A.Pace) {
    printPace(A);
    return 0;
  }
  std::vector<Case> Cases;
  for (unsigned I = 0; I < A.Programs; ++I)
    for (const char *K : programKinds())
      if (!A.Kind || !std::strcmp(K, A.Kind)) {
        Cases.emplace_back();
        RandomProgram &P = Cases.back().P;
        uint64_t Seed = (A.Seed * 1000003 + Cases.size()) << 8;
        do
          P = drawProgram(K, Seed++);
        while (*std::min_element(P.Cost.begin(), P.Cost.end()) < A.Shortest);
      }
  runAll(Cases, A);

  std::printf("errors in percentage points; sample period %llu us, experiments of "
              "%llu ms or %llu pieces of work;\n%td programs with a standard error over 3 points "
              "left out\n",
              static_cast<unsigned long long>(A.Period / 1000),
              static_cast<unsigned long long>(A.Experiment / 1000000),
              static_cast<unsigned long long>(A.Steps),
              std::count_if(Cases.begin(), Cases.end(),
                            [](const Case &C) { return C.Done && !isDecided(C); }));
  std::printf("%-14s %8s %11s %8s %8s %8s %8s %8s %8s\n", "kind", "programs", "oversubscr.",
              "noise", "mean", "bias", "median", "95 %", "worst");
  for (const char *K : programKinds())
    printRow(K, Cases, [&](const Case &C) { return C.P.Kind == K; });
  printRow("all", Cases, [](const Case &) { return true; });
  printRow("enough cores", Cases, [](const Case &C) { return C.P.Threads <= C.P.Cores; });
  printRow("oversubscr.", Cases, [](const Case &C) { return C.P.Threads > C.P.Cores; });

  Cases.erase(std::remove_if(Cases.begin(), Cases.end(),
                             [](const Case &C) { return !C.Done || !isDecided(C); }),
              Cases.end());
  std::sort(Cases.begin(), Cases.end(), [](const Case &X, const Case &Y) {
    return std::abs(X.Result.error()) > std::abs(Y.Result.error());
  });
  for (unsigned I = 0; I < std::min<size_t>(A.Worst, Cases.size()); ++I)
    std::printf("%.1f predicted, %.1f real, contention %.2f, %llu visits; %s\n",
                Cases[I].Result.Predicted, Cases[I].Result.Real, Cases[I].Result.Contention,
                static_cast<unsigned long long>(Cases[I].Result.Visits),
                Cases[I].P.describe().c_str());
}
