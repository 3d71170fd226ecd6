//===- runtime_coverage_benchmark.cpp - Intervals of simulated runs -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs in simulated time under the runtime's own delays and schedule, their
// experiments through the report's statistics: how often do the 95 % intervals
// contain what the program really gains when the line is made that much faster?
// Where coverage_benchmark takes experiments for true, this also shows what the
// experiments themselves get wrong.
//
//   runtime_coverage_benchmark [repetitions] [seconds of a run] [paper]
//
//===----------------------------------------------------------------------===//
#include "Simulator.h"
#include "lib/causal/SpeedupModel.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

using namespace __causal;

namespace {

constexpr uint32_t LineA = 1, LineB = 2;

/// A program whose lines take the given shares of their time.
using Program = void (*)(Simulator &S, double A, double B);

uint64_t scaled(uint64_t Time, double By) { return uint64_t(double(Time) * By); }

void serial(Simulator &S, double A, double B) {
  while (S.running()) {
    S.work(LineA, scaled(300_us, A));
    S.work(LineB, scaled(200_us, B));
    S.progress();
  }
}

void forkJoin(Simulator &S, double A, double B) {
  while (S.running()) {
    int First = S.spawn([&] { S.work(LineA, scaled(6700_us, A)); });
    int Second = S.spawn([&] { S.work(LineB, scaled(5000_us, B)); });
    S.join(First);
    S.join(Second);
    S.progress();
  }
}

void mutex(Simulator &S, double A, double B) {
  Simulator::Mutex M;
  auto Worker = [&] {
    while (S.running()) {
      S.lock(M);
      S.work(LineA, scaled(200_us, A));
      S.unlock(M);
      S.work(LineB, scaled(300_us, B));
      S.progress();
    }
  };
  int Threads[3];
  for (int &T : Threads)
    T = S.spawn(Worker);
  for (int T : Threads)
    S.join(T);
}

struct Named {
  const char *Name;
  Program Run;
};
constexpr Named Programs[] = {{"serial", serial}, {"fork-join", forkJoin}, {"mutex", mutex}};

double rate(Program P, uint64_t Length, double A, double B) {
  SimulatorOptions Options;
  Options.Period = 0;
  Simulator S(Options);
  S.run(Length, [&] { P(S, A, B); });
  return 1 / S.timePerVisit();
}

causal::Profile profile(const Simulator &S) {
  causal::Profile P;
  unsigned Run = P.internRun("simulated");
  unsigned Point = P.internPoint("item", causal::PointKind::Throughput);
  for (const Simulator::Result &R : S.results()) {
    causal::Experiment E;
    E.Run = Run;
    E.Line = P.internLine("/a.c", R.Experiment.Line, "f");
    E.Index = int64_t(R.Experiment.Index);
    E.Speedup = R.Experiment.Speedup;
    E.Start = int64_t(R.Experiment.Start);
    E.Wall = int64_t(R.Experiment.Wall);
    E.Delay = int64_t(R.Experiment.Delay);
    E.Samples = int64_t(R.Experiment.Samples);
    causal::Measurement M{};
    M.Point = Point;
    M.Visits = int64_t(R.Span.Visits) + 1;
    M.Span = int64_t(R.Span.Time);
    M.SpanVisits = int64_t(R.Span.Visits);
    M.LateSpan = int64_t(R.Late.Time);
    M.LateVisits = int64_t(R.Late.Visits);
    E.Points.push_back(M);
    P.addExperiment(std::move(E));
  }
  return P;
}

} // namespace

int main(int argc, char **argv) {
  unsigned Repetitions = argc > 1 ? unsigned(std::atoi(argv[1])) : 100;
  uint64_t Length = uint64_t(argc > 2 ? std::atoi(argv[2]) : 20) * 1000_ms;
  std::printf("%-12s %5s %8s %10s %9s %10s %10s\n", "program", "line", "faster %", "covered %",
              "± points", "truth", "mean");
  for (const Named &Each : Programs) {
    constexpr unsigned Speedups = 4;
    double Covered[3][Speedups] = {}, Number[3][Speedups] = {}, Width[3][Speedups] = {},
           Sum[3][Speedups] = {}, Truth[3][Speedups] = {};
    double Before = rate(Each.Run, Length, 1, 1);
    for (unsigned I = 0; I < Speedups; ++I) {
      double Left = 1 - 0.25 * (I + 1);
      Truth[LineA][I] = 1 - Before / rate(Each.Run, Length, Left, 1);
      Truth[LineB][I] = 1 - Before / rate(Each.Run, Length, 1, Left);
    }
    for (unsigned R = 0; R < Repetitions; ++R) {
      SimulatorOptions Options;
      Options.Seed = 1 + R;
      Options.Experiments.Paired = argc <= 3;
      Simulator S(Options);
      S.run(Length, [&] { Each.Run(S, 1, 1); });
      causal::Profile P = profile(S);
      for (const causal::LineCurve &C : causal::rankLines(P, 0, causal::ModelOptions())) {
        unsigned Line = P.lines()[C.Line].Line;
        for (unsigned I = 0; I < Speedups; ++I)
          if (auto E = C.scatterAt(25 * (I + 1))) {
            double T = Truth[Line][I];
            Covered[Line][I] += E->Low <= T && T <= E->High;
            ++Number[Line][I];
            Width[Line][I] += (E->High - E->Low) / 2;
            Sum[Line][I] += E->Value;
          }
      }
    }
    for (unsigned Line : {LineA, LineB})
      for (unsigned I = 0; I < Speedups; ++I) {
        double N = std::max(Number[Line][I], 1.0) / 100;
        std::printf("%-12s %5c %8u %10.1f %9.2f %10.2f %10.2f\n", Each.Name, 'A' + int(Line) - 1,
                    25 * (I + 1), Covered[Line][I] / N, Width[Line][I] / N, 100 * Truth[Line][I],
                    Sum[Line][I] / N);
      }
    std::fflush(stdout);
  }
}
