//===- ReportCSV.cpp - The report for a spreadsheet -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RFC 4180, one row for each number: what is predicted at the speedups asked
// for, and every cell as measured. The columns stand in docs/reference/formats.md.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace causal {

std::string csvQuoted(StringRef Text) {
  std::string Out = printable(Text);
  if (Out.find_first_of(",\"") == std::string::npos)
    return Out;
  for (size_t At = 0; (At = Out.find('"', At)) != std::string::npos; At += 2)
    Out.insert(At, 1, '"');
  return '"' + Out + '"';
}

namespace {

std::string quoted(StringRef Text) { return csvQuoted(Text); }

void writeValue(StringRef Line, const char *Kind, unsigned Speedup, Estimate E,
                unsigned Experiments, double Visits, TargetKind Target, raw_ostream &OS) {
  OS << Line
     << formatv(",{0},{1},{2:f4},{3:f4},{4:f4},{5:f4},{6},{7:f0},{8}\r\n", Kind, Speedup,
                100 * E.Value, 100 * E.StdErr, 100 * E.Low, 100 * E.High, Experiments, Visits,
                toString(Target));
}

} // namespace

void writeCSV(const ReportData &R, raw_ostream &OS) {
  OS << "point,kind,rank,file,line,function,verdict,sample_share,value,"
        "line_speedup,gain,std_error,low,high,experiments,visits,target\r\n";
  for (const PointReport &PR : R.Points) {
    const ProgressPoint &Point = R.P.points()[PR.Summary.Point];
    unsigned Rank = 0;
    for (const LineCurve &C : PR.Curves) {
      if (R.Top && Rank == R.Top)
        break;
      const SourceLine &L = R.P.lines()[C.Line];
      std::string Line = formatv("{0},{1},{2},{3},{4},{5},{6},{7:f4}", quoted(Point.Name),
                                 wordsFor(Point.Kind).Kind, ++Rank, quoted(L.File), L.Line,
                                 quoted(L.Function), toString(C.Says), 100 * C.SampleShare)
                             .str();
      for (unsigned S : R.At)
        if (std::optional<Estimate> E = C.gainAt(S))
          writeValue(Line, "predicted", S, *E, C.Experiments, C.Visits, L.Kind, OS);
      for (const Cell &Each : C.Cells)
        writeValue(Line, "measured", Each.Speedup, C.gainOf(Each), Each.Experiments, Each.Visits,
                   L.Kind, OS);
    }
  }
}

} // namespace causal
