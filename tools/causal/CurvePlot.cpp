//===- CurvePlot.cpp - One line's curve in characters ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "lib/causal/Sentence.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace causal {

namespace {

constexpr int Rows = 17, ColumnsPerStep = 3, Step = 5, Columns = 100 / Step * ColumnsPerStep + 1;

/// A character grid over [0, 100] x [Low, High], in percent.
class Canvas {
public:
  Canvas(double Low, double High) : Low(Low), High(High), Grid(Rows, std::string(Columns, ' ')) {}

  void put(double X, double Y, char C) {
    int Row = rowOf(Y);
    if (Row >= 0 && Row < Rows)
      Grid[Row][columnOf(X)] = C;
  }
  void bar(double X, double From, double To) {
    for (int Row = std::max(rowOf(To), 0); Row <= std::min(rowOf(From), Rows - 1); ++Row)
      Grid[Row][columnOf(X)] = '|';
  }
  void rule(double Y) { Grid[rowOf(Y)].assign(Columns, '.'); }

  void print(raw_ostream &OS) const {
    for (int Row = 0; Row < Rows; ++Row) {
      if (Row % 4 == 0)
        OS << formatv("{0,8:f1} |", High - (High - Low) * Row / (Rows - 1));
      else
        OS << "         |";
      OS << StringRef(Grid[Row]).rtrim() << '\n';
    }
    OS << "         +" << std::string(Columns, '-') << '\n' << "         ";
    OS << " 0";
    for (int X = 25; X <= 100; X += 25)
      OS << formatv("{0,15}", X);
    OS << "  line faster by %\n";
  }

private:
  int rowOf(double Y) const {
    double R = (High - Y) / (High - Low) * (Rows - 1);
    return int(std::lround(std::clamp(R, -1.0, double(Rows))));
  }
  static int columnOf(double X) { return int(std::lround(X / Step * ColumnsPerStep)); }

  double Low, High;
  std::vector<std::string> Grid;
};

void plot(const LineCurve &C, raw_ostream &OS) {
  // The scale follows the cells; of a very uncertain one the bar may be cut.
  double Low = -1, High = 1;
  auto Include = [&](double Y) {
    Low = std::min(Low, Y);
    High = std::max(High, Y);
  };
  for (const Cell &Each : C.Cells) {
    double Y = 100 * C.gainOf(Each).Value;
    Include(std::clamp(Y, -200.0, 200.0));
  }
  double Margin = 0.1 * (High - Low);
  Canvas Picture(Low - Margin, High + Margin);
  Picture.rule(0);
  for (const Cell &Each : C.Cells) {
    Estimate E = C.gainOf(Each);
    Picture.bar(Each.Speedup, 100 * E.Low, 100 * E.High);
  }
  for (int X = 0; X <= Columns - 1; ++X) {
    double Speedup = double(X) * Step / ColumnsPerStep;
    if (std::optional<Estimate> E = C.gainAt(Speedup))
      Picture.put(Speedup, 100 * E->Value, '*');
  }
  for (const Cell &Each : C.Cells)
    Picture.put(Each.Speedup, 100 * C.gainOf(Each).Value, 'o');
  Picture.print(OS);
}

void table(const LineCurve &C, raw_ostream &OS) {
  OS << "\n  faster by  exps   visits      period   as measured        "
        "fitted\n";
  for (const Cell &Each : C.Cells)
    OS << formatv("{0,9} %{1,6}{2,9:f0}{3,12}", Each.Speedup, Each.Experiments, Each.Visits,
                  formatTime(Each.Period))
       << formatGain(C.gainOf(Each), 14) << formatGain(C.gainAt(Each.Speedup), 14) << '\n';
}

} // namespace

void writeLine(const ReportData &R, unsigned Line, raw_ostream &OS) {
  writeHeader(R, OS);
  const SourceLine &L = R.P.lines()[Line];
  StringRef Word = toString(L.Kind);
  OS << '\n' << placeOf(L, L.File) << functionOf(L, " in ") << '\n';
  if (std::optional<std::string> Text = R.Source.line(L.File, L.Line); Text && !Text->empty())
    OS << "  | " << shortenCode(*Text, R.Width - 4) << '\n';
  for (const PointReport &PR : R.Points) {
    const ProgressPoint &Point = R.P.points()[PR.Summary.Point];
    auto C = std::find_if(PR.Curves.begin(), PR.Curves.end(),
                          [&](const LineCurve &Each) { return Each.Line == Line; });
    OS << "\n== " << printable(Point.Name) << ": "
       << (Point.Kind == PointKind::Latency ? "latency shorter" : "program faster") << " by %";
    if (C == PR.Curves.end()) {
      OS << " ==\nNo curve: the " << Word
         << " has no experiment above speedup 0 with "
            "visits, or no baseline.\n";
      continue;
    }
    OS << ", rank " << (C - PR.Curves.begin()) + 1 << " of " << PR.Curves.size() << ", "
       << toString(C->Says) << " ==\n\n";
    plot(*C, OS);
    OS << "         o cell as measured, | its 95 % interval, * fitted curve\n";
    table(*C, OS);
    OS << '\n' << describe(*C, Point.Kind) << '\n';
    OS << formatv("\nSamples: {0:f1} % of those in scope. Baseline: {1}. Phase "
                  "correction: x{2:f2} ({3}).\n",
                  100 * C->SampleShare,
                  (C->PooledBaseline ? "of all " + Word + "s" : "the " + Word + "'s own").str(),
                  C->Phase.Factor, toString(C->Phase.Why));
  }
}

} // namespace causal
