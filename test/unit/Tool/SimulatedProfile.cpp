//===- SimulatedProfile.cpp -----------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedProfile.h"
#include "lib/causal/SpeedupModel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace causal {

namespace {

constexpr double Length = 100e6;                 // ns
constexpr double CoolOff = 10e6, Period = 250e3; // ns
constexpr double BaselineShare = 0.3;

class Generator {
public:
  Generator(const SimulatedProgram &Program, uint64_t Seed) : Program(Program), Random(Seed) {}

  Profile run() {
    std::vector<double> Shares;
    for (const SimulatedLine &L : Program.Lines) {
      Lines.push_back(P.internLine("/a.c", Lines.size() + 1, "f"));
      Shares.push_back(L.Share);
    }
    PointKind Kind = Program.Latency         ? PointKind::Latency
                     : Program.WholeRuns > 0 ? PointKind::Run
                                             : PointKind::Throughput;
    Point = P.internPoint("item", Kind);
    std::discrete_distribution<unsigned> Choice(Shares.begin(), Shares.end());
    for (unsigned R = 0; R < Program.Runs; ++R) {
      RunIndex = P.internRun("r" + std::to_string(R));
      RunFactor = std::exp(Program.RunSpread * normal());
      Wander = normal();
      Time = Index = 0;
      unsigned Number = Program.Experiments / Program.Runs;
      while (Index < Number) {
        unsigned L = Program.Phases.empty() ? Choice(Random) : lineNow();
        if (Program.Paired) {
          // schedule=paired: causal_experiment.h.
          unsigned Large = 5 * (11 + unsigned(10 * uniform()));
          std::array<unsigned, 3> Block = {0, Large, 105 - Large};
          std::shuffle(Block.begin(), Block.end(), Random);
          for (unsigned Speedup : Block)
            experiment(L, Speedup);
        } else {
          experiment(L, uniform() < BaselineShare ? 0 : drawSpeedup());
        }
      }
    }
    if (!Program.Phases.empty()) {
      Run Header = P.runs()[RunIndex];
      Header.Period = int64_t(Period);
      P.setHeader(RunIndex, std::move(Header));
      P.addSnapshot(RunIndex, std::move(Whole));
    }
    return std::move(P);
  }

private:
  double uniform() { return std::uniform_real_distribution<>()(Random); }
  double normal() { return std::normal_distribution<>()(Random); }
  unsigned drawSpeedup() { return 5 * (1 + unsigned(20 * uniform())); }

  double visits(double Mean) {
    if (Program.Dispersion > 1) {
      std::gamma_distribution<double> Rate(Mean / (Program.Dispersion - 1), Program.Dispersion - 1);
      return double(std::poisson_distribution<int64_t>(Rate(Random))(Random));
    }
    if (Program.Dispersion == 1)
      return double(std::poisson_distribution<int64_t>(Mean)(Random));
    // More regular than chance; where the first visit falls is chance.
    double Noise = std::sqrt(Mean * Program.Dispersion) * normal();
    return std::floor(std::max(Mean + Noise, 0.0) + uniform());
  }

  const SimulatedPhase &phaseNow() const {
    return Program.Phases[size_t(Time / 1e9 / Program.PhaseLength) % Program.Phases.size()];
  }

  /// One is selected when it has just run.
  unsigned lineNow() {
    const std::vector<double> &Shares = phaseNow().Shares;
    return std::discrete_distribution<unsigned>(Shares.begin(), Shares.end())(Random);
  }

  Experiment begin(unsigned L, unsigned Speedup) {
    Experiment E;
    E.Run = RunIndex;
    E.Line = Lines[L];
    E.Index = Index++;
    E.Speedup = Speedup;
    E.Start = int64_t(Time);
    return E;
  }

  void phaseExperiment(unsigned L, unsigned Speedup) {
    const SimulatedPhase &Phase = phaseNow();
    Experiment E = begin(L, Speedup);
    E.Wall = int64_t(Length);
    E.Delay = int64_t(Length * Phase.Shares[L] * Speedup / 100);
    Measurement M{};
    M.Point = Point;
    M.Visits = int64_t(visits(Program.Visits / Phase.Unit));
    if (Program.Work)
      E.Work = E.Wall;
    double Undelayed = CoolOff + (Speedup ? 0 : Length);
    Whole.Wall += int64_t(Length + CoolOff);
    Whole.UndelayedWall += int64_t(Undelayed);
    Whole.Final = true;
    Whole.Lost.Threads = 1;
    for (unsigned Each = 0; Each < Lines.size(); ++Each) {
      double PerTime = Phase.Shares[Each] / Period;
      auto Draw = [&](double Time) {
        return std::poisson_distribution<int64_t>(PerTime * Time)(Random);
      };
      int64_t InIt = Draw(Length), Outside = Draw(CoolOff);
      if (Each == L)
        E.Samples = InIt;
      LineCounts &Counts = Whole.Lines[Lines[Each]];
      Counts.Samples += InIt + Outside;
      Counts.UndelayedSamples += Outside + (Speedup ? 0 : InIt);
    }
    E.Points.push_back(M);
    Time += Length + CoolOff;
    P.addExperiment(std::move(E));
  }

  void experiment(unsigned L, unsigned Speedup) {
    if (!Program.Phases.empty())
      return phaseExperiment(L, Speedup);
    double Step = 1 / Program.Memory;
    Wander = std::sqrt(1 - Step) * Wander + std::sqrt(Step) * normal();
    double Slow = RunFactor * std::exp(Program.Drift * Wander);
    if (Program.OtherWay > 0 && uniform() < 0.1)
      InOtherWay = !InOtherWay;
    if (InOtherWay)
      Slow *= 1 + Program.OtherWay;
    if (uniform() < Program.Accidents)
      Slow *= 3;
    double Relative = 1 - Program.Lines[L].Gain(Speedup / 100.0);
    if (Program.WholeRuns > 0)
      RunIndex = P.internRun("r" + std::to_string(Index));
    Experiment E = begin(L, Speedup);
    double Delay = Program.Lines[L].Delay * Speedup / 100;
    E.Wall = int64_t(Length / std::max(1 - Delay, 0.05));
    E.Delay = E.Wall - int64_t(Length);
    Measurement M{};
    M.Point = Point;
    // Of a latency, throughput stays and what is in flight changes.
    double Factor = Relative * Slow;
    M.Visits = int64_t(visits(Program.Visits / (Program.Latency ? 1 : Factor)));
    M.Begins = M.Visits;
    M.InFlight = 2 * Factor * double(M.Visits) / Program.Visits * (1 + 0.1 * normal());
    if (Program.WholeRuns > 0) {
      M.Visits = 1;
      E.Wall = E.Delay + int64_t(Length * Factor * (1 + Program.WholeRuns * normal()));
    }
    E.Points.push_back(M);
    Time += double(E.Wall) + CoolOff;
    P.addExperiment(std::move(E));
  }

  const SimulatedProgram &Program;
  std::mt19937_64 Random;
  Profile P;
  std::vector<unsigned> Lines;
  unsigned Point = 0, RunIndex = 0;
  int64_t Index = 0;
  double Time = 0, RunFactor = 1, Wander = 0;
  bool InOtherWay = false;
  Snapshot Whole; ///< Of a program in phases.
};

double none(double) { return 0; }
std::function<double(double)> linear(double Slope) {
  return [=](double S) { return Slope * S; };
}
std::function<double(double)> capped(double Slope, double Knee) {
  return [=](double S) { return Slope * std::min(S, Knee); };
}
/// A stage of a noisy pipeline: what it gains fades.
std::function<double(double)> fading(double Most) {
  return [=](double S) { return Most * (1 - std::exp(-3 * S)); };
}
/// A knee with a round corner: a smooth minimum of a line and a cap.
std::function<double(double)> rounded(double Slope, double Cap) {
  return [=](double S) {
    double Line = Slope * S, Corner = 0.02 * Cap;
    return (Line + Cap - std::sqrt((Line - Cap) * (Line - Cap) + 4 * Corner * Line)) / 2;
  };
}

} // namespace

Profile simulate(const SimulatedProgram &Program, uint64_t Seed) {
  return Generator(Program, Seed).run();
}

Coverage coverage(const SimulatedProgram &Program, unsigned Repetitions, uint64_t Seed) {
  Coverage Sum;
  for (unsigned R = 0; R < Repetitions; ++R) {
    Profile P = simulate(Program, Seed + R);
    for (const LineCurve &C : rankLines(P, 0, ModelOptions()))
      for (unsigned S = 25; S <= 100; S += 25)
        if (std::optional<Estimate> E = C.scatterAt(S)) {
          double Truth = Program.Lines[C.Line].Gain(S / 100.0);
          Sum.Covered += E->Low <= Truth && Truth <= E->High;
          ++Sum.Number;
          Sum.Error += E->Value - Truth;
          Sum.SquaredError += (E->Value - Truth) * (E->Value - Truth);
          Sum.Width += (E->High - E->Low) / 2;
        }
  }
  return Sum;
}

std::vector<SimulatedProgram> simulatedPrograms() {
  std::vector<SimulatedProgram> Programs;
  auto Add = [&](const char *Name, std::vector<SimulatedLine> Lines, auto Change) {
    SimulatedProgram P{Name, std::move(Lines)};
    Change(P);
    Programs.push_back(std::move(P));
  };
  std::vector<SimulatedLine> Serial = {{linear(0.5)}, {linear(0.3)}, {none}};
  std::vector<SimulatedLine> ForkJoin = {{capped(0.6, 0.3)}, {none}};
  std::vector<SimulatedLine> Contended = {{linear(-0.2)}, {linear(0.4)}};
  Add("serial", Serial, [](SimulatedProgram &) {});
  Add("serial, one line", {{linear(0.5)}}, [](SimulatedProgram &) {});
  Add("serial, regular visits", Serial, [](SimulatedProgram &P) { P.Dispersion = 0.02; });
  Add("serial, bursts", Serial, [](SimulatedProgram &P) { P.Dispersion = 5; });
  Add("serial, 5 visits", Serial, [](SimulatedProgram &P) { P.Visits = 5; });
  Add("serial, 12 experiments", {{linear(0.5)}}, [](SimulatedProgram &P) { P.Experiments = 12; });
  Add("serial, 60 experiments", Serial, [](SimulatedProgram &P) { P.Experiments = 60; });
  Add("serial, 3000 experiments", Serial, [](SimulatedProgram &P) { P.Experiments = 3000; });
  Add("serial, drift", Serial, [](SimulatedProgram &P) { P.Drift = 0.1; });
  Add("serial, drift, regular", Serial, [](SimulatedProgram &P) {
    P.Drift = 0.1;
    P.Dispersion = 0.05;
  });
  Add("serial, drift, paired", Serial, [](SimulatedProgram &P) {
    P.Drift = 0.1;
    P.Dispersion = 0.05;
    P.Paired = true;
  });
  auto InTwoWays = [](unsigned Experiments) {
    return [=](SimulatedProgram &P) {
      P.Experiments = Experiments;
      P.OtherWay = 0.5;
      P.Dispersion = 0.3;
      P.Paired = true;
    };
  };
  Add("serial, in two ways", Serial, InTwoWays(300));
  Add("serial, in two ways, 60", Serial, InTwoWays(60));
  Add("serial, in two ways, 3000", Serial, InTwoWays(3000));
  Add("fork-join, in two ways", ForkJoin, InTwoWays(300));
  Add("serial, 20 runs", Serial, [](SimulatedProgram &P) {
    P.Runs = 20;
    P.RunSpread = 0.1;
  });
  Add("serial, 4 runs", Serial, [](SimulatedProgram &P) {
    P.Runs = 4;
    P.RunSpread = 0.1;
  });
  Add("serial, accidents", Serial, [](SimulatedProgram &P) { P.Accidents = 0.02; });
  Add("serial, latency", Serial, [](SimulatedProgram &P) { P.Latency = true; });
  Add("fork-join", ForkJoin, [](SimulatedProgram &) {});
  Add("fork-join, 1000 experiments", ForkJoin, [](SimulatedProgram &P) {
    P.Experiments = 1000;
    P.Dispersion = 0.3;
  });
  Add("contended", Contended, [](SimulatedProgram &) {});
  Add("pipeline", {{fading(0.3)}, {none}}, [](SimulatedProgram &) {});
  Add("pipeline, 3000 experiments", {{fading(0.3)}, {none}},
      [](SimulatedProgram &P) { P.Experiments = 3000; });
  Add("round knee", {{rounded(0.6, 0.25)}, {none}}, [](SimulatedProgram &) {});
  Add("round knee, 3000 experiments", {{rounded(0.6, 0.25)}, {none}},
      [](SimulatedProgram &P) { P.Experiments = 3000; });
  auto WholeRuns = [](unsigned Number) {
    return [=](SimulatedProgram &P) {
      P.Experiments = Number;
      P.WholeRuns = 0.01;
      P.Paired = true;
    };
  };
  Add("12 whole runs", {{linear(0.5)}}, WholeRuns(12));
  Add("60 whole runs", Serial, WholeRuns(60));
  Add("60 whole runs, fork-join", ForkJoin, WholeRuns(60));
  Add("300 whole runs, fork-join", ForkJoin, WholeRuns(300));
  Add("20 lines", std::vector<SimulatedLine>(20, {linear(0.05)}),
      [](SimulatedProgram &P) { P.Experiments = 600; });
  auto Cold = [&](const char *Name, double Gain) {
    Add(Name, std::vector<SimulatedLine>(20, {linear(Gain), 1, 0.05}),
        [](SimulatedProgram &P) { P.Experiments = 600; });
  };
  Cold("20 cold lines", 0.05);
  Cold("20 cold lines, half", 0.025);
  Cold("20 cold lines, useless", 0);
  // Units of the one phase take ten times as long as those of the other, in which the line
  // that they are made of has next to nothing.
  auto Phases = [&](const char *Name, double PhaseLength, double Dispersion, bool Work) {
    Add(Name, {{linear(0.5)}, {linear(0.5)}}, [&](SimulatedProgram &P) {
      P.Phases = {{1, {0.1, 0.9}}, {10, {0.9, 0.1}}};
      P.PhaseLength = PhaseLength;
      P.Visits = 1000;
      P.Dispersion = Dispersion;
      P.Paired = true;
      P.Work = Work;
    });
  };
  Phases("unlike phases", 3.3, 0.3, false);
  Phases("unlike phases, noisy", 3.3, 3, false);
  Phases("unlike phases, short", 0.55, 0.3, false);
  Phases("unlike phases, CPU time", 3.3, 0.3, true);
  Phases("unlike phases, short, CPU time", 0.55, 0.3, true);
  Add("contended, delays of a third", {{linear(-0.2), 1, 0.33}, {linear(0.25), 1, 0.33}},
      [](SimulatedProgram &) {});
  return Programs;
}

} // namespace causal
