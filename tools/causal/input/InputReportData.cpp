//===- InputReportData.cpp - The report on inputs, for programs -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The member "input" of the JSON report, and a table of all points. docs/user/input.md
// lists the fields.
//
//===----------------------------------------------------------------------===//

#include "input/InputReport.h"
#include "lib/container/SourceText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace causal {

namespace {

/// Points in the whole page: a chart has no room for more.
constexpr size_t MaxPagePoints = 60000;
/// Classes less likely than this are left out.
constexpr double LeastProbability = 1e-4;

json::Value number(double X) {
  if (!std::isfinite(X))
    return nullptr;
  return X == std::floor(X) && std::fabs(X) < 1e15 ? json::Value(int64_t(X)) : json::Value(X);
}

json::Object interval(const Estimate &E) {
  return json::Object{{"value", number(E.Value)}, {"low", number(E.Low)}, {"high", number(E.High)}};
}

const char *statusOf(const Growth &G) {
  return G.Is == Growth::Known ? "known" : G.Is == Growth::FewInputs ? "few inputs" : "narrow span";
}

const char *superlinear(const Growth &G) {
  return Linear < G.Set.front() ? "yes" : Linear < G.Set.back() ? "maybe" : "no";
}

json::Object growth(const Growth &G) {
  json::Object O{{"status", statusOf(G)},
                 {"text", describeGrowth(G)},
                 {"inputs", int64_t(G.Inputs)},
                 {"smallest", number(G.Smallest)},
                 {"largest", number(G.Largest)}};
  if (G.Is != Growth::Known)
    return O;
  json::Array Set, Fits;
  for (const GrowthClass &Class : G.Set)
    Set.push_back(toString(Class));
  for (const ClassFit &Fit : G.Fits)
    if (Fit.Probability >= LeastProbability)
      Fits.push_back(json::Object{{"class", toString(Fit.Class)},
                                  {"power", number(Fit.Class.Power)},
                                  {"logs", Fit.Class.Logs},
                                  {"probability", number(Fit.Probability)},
                                  {"base", number(Fit.Base)},
                                  {"slope", number(Fit.Slope)},
                                  {"at_largest", number(Fit.at(G.Largest))}});
  json::Object Twice = interval(G.AtTwice);
  Twice["input"] = number(2 * G.Largest);
  O["set"] = std::move(Set);
  O["confidence"] = number(G.Confidence);
  O["superlinear"] = superlinear(G);
  O["exponent"] = interval(G.Exponent);
  O["scatter"] = number(G.Scatter);
  O["wavy"] = G.Wavy;
  O["fits"] = std::move(Fits);
  O["at_twice"] = std::move(Twice);
  return O;
}

json::Array points(const InputRoutine &R, size_t Step, bool ForPage) {
  json::Array Points;
  for (size_t I = 0; I < R.Points.size(); ++I) {
    if (I % Step && I + 1 != R.Points.size())
      continue;
    const InputPoint &P = R.Points[I];
    json::Object O{{"input", P.Input},
                   {"calls", P.Calls},
                   {"min", P.Min},
                   {"max", P.Max},
                   {"sum", number(P.Sum)},
                   {"thread_input", number(P.ThreadInput)},
                   {"external_input", number(P.ExternalInput)}};
    if (!ForPage)
      O["sumsq"] = number(P.SumSquares);
    if (P.Self)
      O["self"] = number(*P.Self);
    Points.push_back(std::move(O));
  }
  return Points;
}

json::Object identity(const InputRoutine &R) {
  json::Object O{{"name", json::fixUTF8(R.Name)},
                 {"file", json::fixUTF8(R.File)},
                 {"line", R.Line},
                 {"calls", R.Calls}};
  if (R.Thread)
    O["thread"] = *R.Thread;
  return O;
}

const char *toString(RootCause::Kind Why) {
  return Why == RootCause::SlowByItself    ? "slow by itself"
         : Why == RootCause::CallsTooOften ? "calls too often"
                                           : "either";
}

} // namespace

json::Object InputReport::routine(const ReportData &D, unsigned Index, size_t PointStep,
                                  bool ForPage) const {
  const InputRoutine &R = model().Routines[Index];
  const RoutineGrowth &G = Ranks.Growths[Index];
  json::Object O = identity(R);
  O["short_name"] = json::fixUTF8(routineName(R));
  O["self"] = number(R.Self);
  O["inclusive"] = number(R.Inclusive);
  O["excess"] = number(G.Excess);
  O["own_excess"] = number(G.Own);
  O["mean"] = growth(G.Mean);
  O["worst"] = growth(G.Worst);
  if (!R.Contract.empty())
    O["complexity"] = json::fixUTF8(R.Contract);
  if (std::optional<std::string> Text = R.Line ? D.Source.line(R.File, R.Line) : std::nullopt)
    O["source"] = json::fixUTF8(*Text);
  O["points"] = points(R, PointStep, ForPage);
  return O;
}

void InputReport::addJSON(const ReportData &D, bool ForPage, json::Object &Document) const {
  const InputModel &M = model();
  size_t Points = 0;
  for (const InputModel &Each : Models)
    for (const InputRoutine &R : Each.Routines)
      Points += R.Points.size();
  size_t Step = ForPage ? Points / MaxPagePoints + 1 : 1;

  // In the order of own cost, by which causes and calls name them.
  std::vector<unsigned> Order = ForPage ? Ranks.ByCost : shown(D);
  std::vector<int64_t> Place(M.Routines.size(), -1);
  json::Array Routines;
  // Those that causes name stand there as well.
  for (const RootCause &C : Ranks.Causes) {
    std::vector<unsigned> Named = {C.Routine};
    for (const CallerUnder &Each : C.Under)
      Named.push_back(Each.Routine);
    if (C.Why != RootCause::SlowByItself)
      Named.push_back(C.Callee);
    for (unsigned Routine : Named)
      if (!is_contained(Order, Routine))
        Order.push_back(Routine);
  }
  for (unsigned Index : Order) {
    Place[Index] = int64_t(Routines.size());
    Routines.push_back(routine(D, Index, Step, ForPage));
  }
  json::Array Causes, Calls, Warnings, Metrics, Uninstrumented;
  for (const std::string &Library : M.Uninstrumented)
    Uninstrumented.push_back(json::fixUTF8(Library));
  for (const RootCause &C : Ranks.Causes) {
    json::Array Under;
    for (const CallerUnder &Each : C.Under)
      Under.push_back(
          json::Object{{"routine", Place[Each.Routine]}, {"share", number(Each.Share)}});
    json::Object O{{"routine", Place[C.Routine]},
                   {"name", json::fixUTF8(M.Routines[C.Routine].Name)},
                   {"why", toString(C.Why)},
                   {"sentence", json::fixUTF8(describeCause(M, Ranks, C))},
                   {"sure", C.Sure},
                   {"excess", number(C.Excess)},
                   {"share", number(C.Share)},
                   {"callers", std::move(Under)}};
    if (C.Why != RootCause::SlowByItself)
      O["callee"] = Place[C.Callee];
    Causes.push_back(std::move(O));
  }
  for (const InputCall &C : M.Calls)
    if (Place[C.Caller] >= 0 && Place[C.Callee] >= 0)
      Calls.push_back(json::Object{{"caller", Place[C.Caller]},
                                   {"callee", Place[C.Callee]},
                                   {"calls", C.Calls},
                                   {"cost", number(C.Cost)}});
  for (const std::string &W : M.Warnings)
    Warnings.push_back(json::fixUTF8(W));
  for (const InputModel &Each : ArrayRef(Models).drop_front()) {
    json::Array Others;
    for (const InputRoutine &R : Each.Routines) {
      json::Object O = identity(R);
      O["points"] = points(R, Step, ForPage);
      Others.push_back(std::move(O));
    }
    Metrics.push_back(json::Object{{"metric", Each.Metric}, {"routines", std::move(Others)}});
  }
  Document["input"] = json::Object{{"metric", M.Metric},
                                   {"cost", M.Unit},
                                   {"cell", M.Cell},
                                   {"runs", M.Runs},
                                   {"threads", M.Threads},
                                   {"lost", M.Lost},
                                   {"total", number(M.Total)},
                                   {"all_routines", int64_t(M.Routines.size())},
                                   {"warnings", std::move(Warnings)},
                                   {"uninstrumented", std::move(Uninstrumented)},
                                   {"routines", std::move(Routines)},
                                   {"causes", std::move(Causes)},
                                   {"calls", std::move(Calls)},
                                   {"other_metrics", std::move(Metrics)}};
}

void InputReport::writeCSV(const ReportData &D, raw_ostream &OS) const {
  OS << "metric,routine,file,line,thread,growth,exponent,input,calls,min,max,sum,sumsq,self,"
        "thread_input,external_input\r\n";
  for (const InputModel &M : Models) {
    bool Ranked = &M == &model();
    unsigned Rows = 0;
    std::vector<unsigned> Order;
    if (Ranked)
      Order = shown(D);
    else
      for (unsigned I = 0; I < M.Routines.size(); ++I)
        Order.push_back(I);
    for (unsigned Index : Order) {
      if (D.Top && Rows++ == D.Top)
        break;
      const InputRoutine &R = M.Routines[Index];
      std::string Growth, Exponent;
      if (Ranked) {
        const causal::Growth &G = Ranks.Growths[Index].Mean;
        Growth = describeGrowth(G);
        if (G.Is == causal::Growth::Known)
          Exponent = formatv("{0:f3}", G.Exponent.Value).str();
      }
      for (const InputPoint &P : R.Points) {
        OS << M.Metric << ',' << csvQuoted(R.Name) << ',' << csvQuoted(R.File) << ',' << R.Line
           << ',' << (R.Thread ? std::to_string(*R.Thread) : "") << ',' << csvQuoted(Growth) << ','
           << Exponent << ',' << P.Input << ',' << P.Calls << ',' << P.Min << ',' << P.Max
           << formatv(",{0:f0},{1:f0},", P.Sum, P.SumSquares)
           << (P.Self ? formatv("{0:f0}", *P.Self).str() : "") << ','
           << formatv("{0:f0},{1:f0}\r\n", P.ThreadInput, P.ExternalInput);
      }
    }
  }
}

} // namespace causal
