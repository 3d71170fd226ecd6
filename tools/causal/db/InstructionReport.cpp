//===- InstructionReport.cpp - Prints the analysis by instruction ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "db/InstructionReport.h"

#include "lib/container/SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace causal::cpi;

namespace causal {
namespace {

std::string number(double Value, const char *Format = "%.1f") {
  std::string S;
  raw_string_ostream OS(S);
  OS << format(Format, Value);
  return OS.str();
}

std::string executions(double Value) { return number(Value, Value < 10 ? "%.1f" : "%.0f"); }

std::string address(uint64_t Address) { return "0x" + utohexstr(Address, /*LowerCase=*/true); }

/// "14.9 (14.2-15.6)".
std::string interval(const Cycles &C) {
  return number(C.Value) + " (" + number(C.Low) + "-" + number(C.High) + ")";
}

/// Letters of what was found, then of what is possible in brackets, then "?".
std::string blame(const Stall &S) {
  if (S.isNoise())
    return "";
  std::string Found, Possible;
  for (const Culprit &C : S.Culprits)
    if (C.Is != Verdict::RuledOut)
      (C.Is == Verdict::Found ? Found : Possible) += letterOf(C.What);
  if (!Possible.empty())
    Found += "(" + Possible + ")";
  if (S.UnexplainedLow > 0.25 * S.Cycles)
    Found += "?";
  return Found;
}

} // namespace

void InstructionReport::legend() const {
  OS << "Grades of frequencies: X counted, M bounded by counts, L estimated from samples alone.\n";
  OS << "Culprits (found; in brackets: possible; ?: unexplained):";
#define CAUSAL_CPI_CAUSE(Name, Letter, Text) OS << ' ' << Letter << " " << Text << ';';
  CAUSAL_CPI_CAUSES(CAUSAL_CPI_CAUSE)
#undef CAUSAL_CPI_CAUSE
  OS << '\n';
}

void InstructionReport::head(const ProcedureResult &R) const {
  OS << printable(demangled(R.P.Name)) << ' ' << address(R.P.Address) << ": "
     << number(100 * R.Share) << " % of the samples (" << number(R.Samples, "%.0f") << ")\n";
  for (const std::string &Note : R.Notes)
    OS << "  note: " << printable(Note) << '\n';
}

void InstructionReport::list(const ProcedureResult &R, bool WithSource) const {
  head(R);
  OS << "    samples  executions      cycles  culprit   address           instruction\n";
  CodeLine Last;
  for (unsigned B = 0; B < R.Blocks.size(); ++B) {
    const BlockResult &Block = R.Blocks[B];
    for (unsigned I = 0; I < Block.Instructions.size(); ++I) {
      const Instruction &Code = R.P.Blocks[B].Instructions[I];
      const InstructionResult &One = Block.Instructions[I];
      if (WithSource) {
        CodeLine Here = Lines.at(Code.Address);
        if (Here.Line && (Here.Line != Last.Line || Here.File != Last.File))
          OS << "; " << printable(sys::path::filename(Here.File)) << ':' << Here.Line << '\n';
        if (Here.Line)
          Last = Here;
      }
      std::string How = I ? "" : executions(Block.Executions) + ' ' + char(Block.How);
      std::string Took = One.Actual ? number(One.Actual->Value, "%.2f") : "";
      OS << format("%11.1f %11s %11s  %-8s  0x%-14llx  ", One.Samples, How.c_str(), Took.c_str(),
                   blame(One.Why).c_str(), (unsigned long long)Code.Address)
         << D.print(Code) << '\n';
    }
  }
  OS << "(A sample is placed to a group of instructions that retire together: a stall of some "
        "cycles is placed exactly, one cycle is not.)\n\n";
}

void InstructionReport::calc(const ProcedureResult &R, bool WithRuledOut) const {
  head(R);
  double Best = 0, Took = 0, Instructions = 0;
  for (unsigned B = 0; B < R.Blocks.size(); ++B) {
    const BlockResult &Block = R.Blocks[B];
    if (!Block.Actual)
      continue;
    Best += Block.Cost.BestCase * Block.Executions;
    Took += Block.Actual->Value * Block.Executions;
    Instructions += double(Block.Instructions.size()) * Block.Executions;
  }
  if (Instructions > 0)
    OS << "  best case " << number(Best / Instructions, "%.2f") << " CPI, actual "
       << number(Took / Instructions, "%.2f") << " CPI\n";
  for (unsigned B = 0; B < R.Blocks.size(); ++B) {
    const BlockResult &Block = R.Blocks[B];
    const BasicBlock &Code = R.P.Blocks[B];
    if (Code.Instructions.empty() || (Block.Executions <= 0 && Block.Samples <= 0))
      continue;
    double N = Code.Instructions.size();
    OS << "\nblock " << address(Code.Address) << ": " << executions(Block.Executions)
       << " executions (" << char(Block.How) << "), best case " << number(Block.Cost.BestCase)
       << " cycles (" << number(Block.Cost.BestCase / N, "%.2f") << " CPI)";
    if (Block.Actual)
      OS << ", actual " << interval(*Block.Actual) << " ("
         << number(Block.Actual->Value / N, "%.2f") << " CPI)";
    OS << '\n';
    if (R.How.Imbalance[B] > 0.005 * Block.Executions && R.How.Imbalance[B] >= 1)
      OS << "  note: " << executions(R.How.Imbalance[B])
         << " executions neither came nor went by these edges: an exception, a longjmp or a call "
            "that does not return\n";
    for (unsigned I = 0; I < Code.Instructions.size(); ++I) {
      const InstructionResult &One = Block.Instructions[I];
      const Stall &S = One.Why;
      if (!S.isNoise()) {
        OS << "        ; " << number(S.Cycles) << " cycles of stall";
        if (S.Static >= 0.5)
          OS << ", " << number(S.Static) << " of them foreseen by the model";
        OS << '\n';
        for (const Culprit &C : S.Culprits) {
          if (C.Is == Verdict::RuledOut && !WithRuledOut)
            continue;
          OS << "        ; " << letterOf(C.What) << ' ' << textOf(C.What);
          if (C.Is == Verdict::RuledOut)
            OS << ": ruled out";
          else
            OS << (C.Is == Verdict::Found ? "" : ": possible") << ", " << number(C.Low) << "-"
               << number(C.High) << " cycles";
          OS << ": " << printable(C.Test) << '\n';
        }
        if (S.UnexplainedHigh > 0.5)
          OS << "        ; ? unexplained, " << number(S.UnexplainedLow) << "-"
             << number(S.UnexplainedHigh) << " cycles\n";
      }
      std::string Took = One.Actual ? number(One.Actual->Value, "%.2f") : "";
      OS << format("%9.1f %8s %-4s  ", One.Samples, Took.c_str(), blame(S).c_str())
         << address(Code.Instructions[I].Address) << "  " << D.print(Code.Instructions[I]) << '\n';
    }
    double Total = 0;
    for (double E : R.How.Edge[B])
      Total += E;
    for (unsigned S = 0; S < Code.Successors.size(); ++S)
      if (R.How.Edge[B][S] > 0)
        OS << "        -> " << address(R.P.Blocks[Code.Successors[S]].Address) << "  "
           << executions(R.How.Edge[B][S]) << " times (" << char(R.How.EdgeGrade[B][S]) << "), "
           << number(100 * R.How.Edge[B][S] / std::max(Total, 1e-9)) << " %\n";
  }
  OS << '\n';
}

void InstructionReport::stalls(ArrayRef<ProcedureResult> All, unsigned Top) const {
  struct Row {
    double Cycles;
    const ProcedureResult *R;
    Place At;
  };
  std::vector<Row> Rows;
  double Samples = 0, Counted = 0, Total = 0;
  for (const ProcedureResult &R : All)
    for (unsigned B = 0; B < R.Blocks.size(); ++B) {
      Samples += R.Blocks[B].Samples;
      if (R.Blocks[B].How != Grade::Low)
        Counted += R.Blocks[B].Samples;
      for (unsigned I = 0; I < R.Blocks[B].Instructions.size(); ++I) {
        const InstructionResult &One = R.Blocks[B].Instructions[I];
        Total += One.Actual ? One.Actual->Value * R.Blocks[B].Executions : 0;
        if (!One.Why.isNoise())
          Rows.push_back({One.Why.Cycles * R.Blocks[B].Executions, &R, {B, I}});
      }
    }
  sort(Rows, [](const Row &A, const Row &B) {
    return std::make_pair(B.Cycles, A.R->P.at(A.At).Address) <
           std::make_pair(A.Cycles, B.R->P.at(B.At).Address);
  });
  OS << number(Samples, "%.0f") << " samples, "
     << number(100 * Counted / std::max(Samples, 1.0), "%.0f")
     << " % of them in blocks whose frequency is of grade X or M\n";
  OS << "     %   cum%      cycles   executions G   average  blame     address         procedure  "
        "file:line\n";
  double Sum = 0;
  for (const Row &R : ArrayRef(Rows).take_front(Top ? Top : Rows.size())) {
    const BlockResult &Block = R.R->Blocks[R.At.Block];
    const Stall &S = Block.Instructions[R.At.Index].Why;
    uint64_t At = R.R->P.at(R.At).Address;
    Sum += R.Cycles;
    OS << format("%5.1f%% %5.1f%% %11.3g %12s %c %9.1f  %-8s  0x%-12llx  ",
                 100 * R.Cycles / std::max(Total, 1e-9), 100 * Sum / std::max(Total, 1e-9),
                 R.Cycles, executions(Block.Executions).c_str(), char(Block.How), S.Cycles,
                 blame(S).c_str(), (unsigned long long)At)
       << printable(demangled(R.R->P.Name));
    if (CodeLine Line = Lines.at(At); Line.Line)
      OS << "  " << printable(sys::path::filename(Line.File)) << ':' << Line.Line;
    OS << '\n';
  }
}

json::Value InstructionReport::json(ArrayRef<ProcedureResult> All) const {
  auto AsJSON = [](const std::optional<Cycles> &C) -> json::Value {
    return C ? json::Value(json::Array{C->Value, C->Low, C->High}) : json::Value(nullptr);
  };
  json::Array Procedures;
  for (const ProcedureResult &R : All) {
    json::Array Blocks;
    for (unsigned B = 0; B < R.Blocks.size(); ++B) {
      const BlockResult &Block = R.Blocks[B];
      const BasicBlock &Code = R.P.Blocks[B];
      json::Array Instructions, Edges;
      for (unsigned I = 0; I < Code.Instructions.size(); ++I) {
        const InstructionResult &One = Block.Instructions[I];
        json::Object O{{"at", json::Value(uint64_t(Code.Instructions[I].Address))},
                       {"text", D.print(Code.Instructions[I])},
                       {"samples", One.Samples},
                       {"raw", One.Raw},
                       {"cycles", AsJSON(One.Actual)}};
        if (CodeLine Line = Lines.at(Code.Instructions[I].Address); Line.Line) {
          O["file"] = Line.File;
          O["line"] = int64_t(Line.Line);
        }
        if (!One.Why.isNoise()) {
          json::Array Culprits;
          for (const Culprit &C : One.Why.Culprits)
            Culprits.push_back(json::Object{{"cause", std::string(1, letterOf(C.What))},
                                            {"name", textOf(C.What)},
                                            {"verdict", C.Is == Verdict::Found      ? "found"
                                                        : C.Is == Verdict::Possible ? "possible"
                                                                                    : "ruled out"},
                                            {"test", C.Test},
                                            {"low", C.Low},
                                            {"high", C.High}});
          O["stall"] = One.Why.Cycles;
          O["foreseen"] = One.Why.Static;
          O["culprits"] = std::move(Culprits);
          O["unexplained"] = json::Array{One.Why.UnexplainedLow, One.Why.UnexplainedHigh};
        }
        Instructions.push_back(std::move(O));
      }
      for (unsigned S = 0; S < Code.Successors.size(); ++S)
        Edges.push_back(json::Object{{"to", int64_t(Code.Successors[S])},
                                     {"executions", R.How.Edge[B][S]},
                                     {"grade", std::string(1, char(R.How.EdgeGrade[B][S]))}});
      Blocks.push_back(json::Object{{"at", json::Value(uint64_t(Code.Address))},
                                    {"samples", Block.Samples},
                                    {"executions", Block.Executions},
                                    {"grade", std::string(1, char(Block.How))},
                                    {"best", Block.Cost.BestCase},
                                    {"actual", AsJSON(Block.Actual)},
                                    {"imbalance", R.How.Imbalance[B]},
                                    {"edges", std::move(Edges)},
                                    {"instructions", std::move(Instructions)}});
    }
    json::Array Notes;
    for (const std::string &Note : R.Notes)
      Notes.push_back(Note);
    Procedures.push_back(json::Object{{"name", demangled(R.P.Name)},
                                      {"at", json::Value(uint64_t(R.P.Address))},
                                      {"samples", R.Samples},
                                      {"share", R.Share},
                                      {"shifted", R.Shifted},
                                      {"notes", std::move(Notes)},
                                      {"blocks", std::move(Blocks)}});
  }
  return json::Object{{"program", Seen.Path},
                      {"cpu", Seen.On.CPU},
                      {"ghz", Seen.On.GHz},
                      {"period_ns", Seen.PeriodNs},
                      {"procedures", std::move(Procedures)}};
}

json::Object InstructionReport::page(ArrayRef<ProcedureResult> All) const {
  return json::Object{{"runs", json::Array{json::Object{{"exe", Seen.Path}}}},
                      {"losses", json::Object{}},
                      {"warnings", json::Array{}},
                      {"points", json::Array{}},
                      {"target", "line"},
                      {"instructions", json(All)}};
}

} // namespace causal
