//===- RandomProgram.cpp - Random programs for the simulator --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drawing and judging. RandomProgramKinds.cpp has the programs.
//
//===----------------------------------------------------------------------===//
#include "RandomProgram.h"
#include "RandomProgramKinds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

using namespace __causal;

static double uniform(Random &R) { return static_cast<double>(R.next() >> 11) * 0x1p-53; }

static uint64_t logUniform(Random &R, double Low, double High) {
  return static_cast<uint64_t>(Low * std::pow(High / Low, uniform(R)) + 0.5);
}

const std::vector<const char *> &__causal::programKinds() {
  static const std::vector<const char *> Names = [] {
    std::vector<const char *> N;
    for (const ProgramKind &K : ProgramKinds)
      N.push_back(K.Name);
    return N;
  }();
  return Names;
}

RandomProgram __causal::drawProgram(const char *Kind, uint64_t Seed) {
  Random R;
  R.seed(Seed);
  const ProgramKind &K = *std::find_if(std::begin(ProgramKinds), std::end(ProgramKinds),
                                       [&](auto &K) { return !std::strcmp(K.Name, Kind); });
  RandomProgram P;
  P.Kind = Kind;
  P.Run = K.Run;
  P.Seed = R.next();
  P.SeedStep = 1000; // Threads have the next ones.
  P.Threads = static_cast<unsigned>(std::max<uint64_t>(K.MinThreads, logUniform(R, 1, 64)));
  P.Cores = static_cast<unsigned>(logUniform(R, 1, 64));
  uint64_t Scale = logUniform(R, 20e3, 20e6);
  for (unsigned I = 0; I < K.Lines; ++I)
    P.Cost.push_back(std::clamp<uint64_t>(
        static_cast<uint64_t>(static_cast<double>(Scale) * (0.2 + 1.8 * uniform(R))), 20_us,
        20_ms));
  P.Wait = logUniform(R, 50e3, 20e6);
  // None at all would repeat to the nanosecond, and fall into step as nothing does that is real.
  constexpr uint32_t Jitters[] = {5, 30, 90};
  P.Jitter = Jitters[R.below(3)];
  for (unsigned &S : P.Shape)
    S = R.below(1u << 16);
  P.Line = 1 + R.below(K.Lines);
  P.Speedup = 10 + 5 * R.below(17);
  return P;
}

Random RandomProgram::random(unsigned Thread) const {
  Random R;
  R.seed(Seed + Thread);
  return R;
}

void RandomProgram::work(Simulator &S, uint32_t L, Random &R) const {
  uint64_t Time = Cost[L - 1];
  if (Jitter)
    Time += Time * R.below(2 * Jitter) / 100 - Time * Jitter / 100;
  if (Faster && L == Line)
    Time -= Time * Speedup / 100;
  S.work(L, Time);
}

std::string RandomProgram::describe() const {
  std::string Text = std::string(Kind) + ": " + std::to_string(Threads) + " threads, " +
                     std::to_string(Cores) + " cores, us";
  for (uint64_t C : Cost)
    Text += " " + std::to_string(C / 1000);
  return Text + ", wait " + std::to_string(Wait / 1000) + " us, jitter " + std::to_string(Jitter) +
         " %, shape " + std::to_string(Shape[0]) + " " + std::to_string(Shape[1]) + " " +
         std::to_string(Shape[2]) + ", line " + std::to_string(Line) + " at " +
         std::to_string(Speedup) + " %";
}

namespace {
struct Lengths {
  uint64_t Real, Experiments, Experiment;
};
} // namespace

// How long to simulate: for Effort steps of work, but also for hundreds of visits
// unless that takes too many steps, and with experiments for tens of them. These last
// for as long as asked, or for as many steps of work and a hundred visits, unless that takes
// very many samples.
static Lengths lengthsFor(const RandomProgram &P, const SimulatorOptions &Plain, uint64_t Effort) {
  constexpr uint64_t Visits = 1000, Longest = 1000000_ms, Experiments = 30;
  constexpr uint64_t LongestExperiment = 32000_ms;
  for (uint64_t Length = 100_ms;; Length *= 4) {
    auto Owner = std::make_unique<Simulator>(Plain);
    Simulator &S = *Owner;
    S.run(Length, [&] { P.Run(S, P); });
    if (S.visits() < 5 && Length < Longest)
      continue;
    auto LengthFor = [&](double Steps, double Visits) {
      double Done = static_cast<double>(S.steps() + 1);
      double Scale = std::max(Steps / Done, Visits / static_cast<double>(S.visits() + 1));
      Scale = std::min(Scale, 20 * Steps / Done);
      return static_cast<uint64_t>(static_cast<double>(Length) * Scale);
    };
    double Steps = static_cast<double>(Effort);
    uint64_t AtOnce = std::max(std::min(P.Threads, P.Cores), 4u) / 4;
    uint64_t Experiment =
        std::max(std::min(std::max(Length * Plain.StepsToSettle / (S.steps() + 1),
                                   Length / (S.visits() + 1) * (Plain.StepsToSettle ? 100 : 0)),
                          LongestExperiment / AtOnce),
                 Plain.Experiments.Length);
    uint64_t Least = Experiments * Experiment;
    uint64_t WithExperiments = std::clamp(LengthFor(Steps, Visits), Least, Longest);
    // What really happens has no noise but its own, and is soon known.
    uint64_t Real = std::max(LengthFor(10 * Steps, 10 * Visits), Least / 10);
    return {std::min(Real, WithExperiments), WithExperiments, Experiment};
  }
}

// The statistical part of a prediction's error: the jackknife over groups of
// experiments.
static double noise(const Simulator &S, const RandomProgram &P) {
  constexpr unsigned Groups = 10;
  double Without[Groups], Mean = 0, Variance = 0;
  for (unsigned G = 0; G < Groups; ++G) {
    Without[G] = S.predicted(P.Line, P.Speedup, G, Groups);
    Mean += Without[G] / Groups;
  }
  for (double W : Without)
    Variance += (W - Mean) * (W - Mean) * (Groups - 1) / Groups;
  return std::sqrt(Variance);
}

namespace {
struct Estimate {
  double Value, Error; ///< Standard error.
};
} // namespace

// A visit's time in runs of several seeds, of the machine and the program's own: what a program
// falls into may last.
static Estimate timeOfVisit(RandomProgram P, SimulatorOptions Plain, uint64_t Length) {
  constexpr unsigned Runs = 4;
  Plain.WarmUp = Length / 4;
  double Times[Runs], Mean = 0, Variance = 0;
  for (double &Time : Times) {
    auto Owner = std::make_unique<Simulator>(Plain); // It is larger than some stacks.
    Simulator &S = *Owner;
    S.run(Length, [&] { P.Run(S, P); });
    Time = S.timePerVisit();
    Mean += Time / Runs;
    ++Plain.Seed;
    P.Seed += P.SeedStep;
  }
  for (double Time : Times)
    Variance += (Time - Mean) * (Time - Mean) / (Runs * (Runs - 1));
  return {Mean, std::sqrt(Variance)};
}

// What shortening the line gives, in percent.
static Estimate really(const RandomProgram &P, const SimulatorOptions &Plain, uint64_t Length) {
  RandomProgram Shortened = P;
  Shortened.Faster = true;
  Estimate Before = timeOfVisit(P, Plain, Length);
  Estimate After = timeOfVisit(Shortened, Plain, Length);
  double Ratio = After.Value / Before.Value;
  return {100 * (1 - Ratio),
          100 * Ratio * std::hypot(Before.Error / Before.Value, After.Error / After.Value)};
}

Prediction __causal::predict(const RandomProgram &P, const SimulatorOptions &Options,
                             uint64_t Effort) {
  SimulatorOptions O = Options;
  O.Seed = P.Seed;
  O.Machine.Cores = P.Cores;
  uint64_t Shortest = *std::min_element(P.Cost.begin(), P.Cost.end());
  O.SpinInterval = std::clamp<uint64_t>(Shortest / 50, O.SpinInterval, 50_us);
  SimulatorOptions Plain = O;
  Plain.Period = 0; // No profiler.
  Lengths L = lengthsFor(P, Plain, Effort);
  O.FixedLine = P.Line;
  O.Experiments.Length = L.Experiment;
  O.Experiments.SpeedupStep = O.Experiments.MaxSpeedup = P.Speedup;
  O.Experiments.BaselinePercent = 50;
  auto Owner = std::make_unique<Simulator>(O);
  Simulator &S = *Owner;
  S.run(L.Experiments, [&] { P.Run(S, P); });
  Estimate Real = really(P, Plain, L.Real / 2);
  return {S.predicted(P.Line, P.Speedup), Real.Value, std::hypot(noise(S, P), Real.Error),
          static_cast<double>(S.waited()) / static_cast<double>(S.ran()), S.visits()};
}
