//===- Shares.cpp - Where the samples of a database lie -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Shares.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace llvm;

namespace causal::continuous {

static double timeOf(Event Kind, uint64_t Samples, uint64_t Period) {
  return Kind == Event::CPU ? double(Samples) * double(Period) : 0;
}

namespace {
class Adder {
public:
  Adder(ShareBy By, Event Kind, Symbols &Names) : By(By), Kind(Kind), Names(Names) {}

  void add(const HostSamples &S) {
    if (By == ShareBy::Image)
      return addTo(S.Image.Path.empty() ? "?" : S.Image.Path, "", S.Image.total(), S);
    if (By == ShareBy::Host)
      return addTo(S.From->machine().str(), "", S.Image.total(), S);
    if (By == ShareBy::Epoch)
      return addTo(S.Epoch, "", S.Image.total(), S);
    for (auto [Address, Count] : S.Image.Counts)
      addTo(nameOf(S.Image, Address), S.Image.Path, Count, S);
    if (S.Image.Thinned)
      addTo("? in " + sys::path::filename(S.Image.Path).str(), S.Image.Path, S.Image.Thinned, S);
  }

  std::vector<ShareRow> take() {
    std::vector<ShareRow> Result;
    for (auto &[Key, Row] : Rows)
      Result.push_back(std::move(Row));
    sort(Result, [](const ShareRow &A, const ShareRow &B) {
      return std::tuple(B.Samples, StringRef(A.Name)) < std::tuple(A.Samples, StringRef(B.Name));
    });
    return Result;
  }

private:
  std::string nameOf(const ImageSamples &Image, uint64_t Address) {
    CodePlace P = Names.at(Image, Address);
    if (By == ShareBy::Line && P.Line)
      return P.File + ":" + utostr(P.Line);
    return P.Function;
  }

  void addTo(const std::string &Name, const std::string &Image, uint64_t Count,
             const HostSamples &S) {
    ShareRow &Row = Rows[{Name, Image}];
    Row.Name = Name;
    Row.Image = Image;
    Row.Samples = saturatingSum(Row.Samples, Count);
    Row.TimeNs += timeOf(Kind, Count, S.Image.Period);
  }

  ShareBy By;
  Event Kind;
  Symbols &Names;
  std::map<std::pair<std::string, std::string>, ShareRow> Rows;
};
} // namespace

Shares sharesOf(const Database &DB, ShareBy By, Event Kind, Symbols &Names) {
  Adder Sum(By, Kind, Names);
  for (const HostSamples &S : DB.samples())
    if (S.Image.Kind == Kind)
      Sum.add(S);
  Shares R;
  R.Kind = Kind;
  R.Rows = Sum.take();
  for (const ShareRow &Row : R.Rows) {
    R.Samples = saturatingSum(R.Samples, Row.Samples);
    R.TimeNs += Row.TimeNs;
  }
  for (const HostTotals &T : DB.totals()) {
    if (T.Kind != Kind)
      continue;
    R.Dropped = saturatingSum(R.Dropped, T.Dropped);
    R.Unmapped = saturatingSum(R.Unmapped, T.Unmapped);
    R.TimeNs += timeOf(Kind, saturatingSum(T.Dropped, T.Unmapped), T.Period);
  }
  R.Samples = saturatingSum(R.Samples, saturatingSum(R.Dropped, R.Unmapped));
  return R;
}

static double part(uint64_t Samples, const Shares &Of) {
  return Of.Samples ? double(Samples) / double(Of.Samples) : 0;
}

static std::map<std::string, uint64_t> byName(const Shares &S) {
  std::map<std::string, uint64_t> Sums;
  for (const ShareRow &Row : S.Rows)
    Sums[Row.Name] += Row.Samples;
  return Sums;
}

std::vector<ShareChange> compareShares(const Shares &Before, const Shares &After) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> Both;
  for (const auto &[Name, Samples] : byName(Before))
    Both[Name].first = Samples;
  for (const auto &[Name, Samples] : byName(After))
    Both[Name].second = Samples;
  std::vector<ShareChange> Changes;
  // Agresti and Caffo's interval: one success and one failure more on each side, so that it
  // holds for few samples as well.
  auto Adjusted = [](uint64_t N, const Shares &Of) {
    return (double(N) + 1) / (double(Of.Samples) + 2);
  };
  auto Variance = [&](double P, const Shares &Of) {
    return P * (1 - P) / (double(Of.Samples) + 2);
  };
  for (const auto &[Name, Samples] : Both) {
    double P = Adjusted(Samples.first, Before), Q = Adjusted(Samples.second, After);
    double Width = 1.96 * std::sqrt(Variance(P, Before) + Variance(Q, After));
    Changes.push_back({Name, part(Samples.first, Before), part(Samples.second, After),
                       Q - P - Width, Q - P + Width});
  }
  sort(Changes, [](const ShareChange &A, const ShareChange &B) {
    double Less = std::abs(B.After - B.Before), More = std::abs(A.After - A.Before);
    return std::tuple(Less, StringRef(A.Name)) < std::tuple(More, StringRef(B.Name));
  });
  return Changes;
}

std::vector<ShareVariation> variationOf(ArrayRef<Shares> Sets) {
  std::map<std::string, std::vector<uint64_t>> ByName;
  for (size_t I = 0; I < Sets.size(); ++I)
    for (const auto &[Name, Samples] : byName(Sets[I])) {
      ByName[Name].resize(Sets.size());
      ByName[Name][I] = Samples;
    }
  std::vector<ShareVariation> Result;
  for (const auto &[Name, Samples] : ByName) {
    ShareVariation V{Name, 0, 0, 0, 1, 0};
    for (size_t I = 0; I < Sets.size(); ++I) {
      double P = part(Samples[I], Sets[I]);
      V.Samples = saturatingSum(V.Samples, Samples[I]);
      V.Mean += P / double(Sets.size());
      V.Least = std::min(V.Least, P);
      V.Most = std::max(V.Most, P);
    }
    double Squares = 0;
    for (size_t I = 0; I < Sets.size(); ++I)
      Squares += std::pow(part(Samples[I], Sets[I]) - V.Mean, 2);
    V.Deviation = Sets.size() > 1 ? std::sqrt(Squares / double(Sets.size() - 1)) : 0;
    Result.push_back(V);
  }
  sort(Result, [](const ShareVariation &A, const ShareVariation &B) {
    return std::tuple(B.Samples, StringRef(A.Name)) < std::tuple(A.Samples, StringRef(B.Name));
  });
  return Result;
}

} // namespace causal::continuous
