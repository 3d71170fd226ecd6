//===- Bootstrap.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/statistics/Bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace llvm;

namespace causal {

namespace {

constexpr unsigned Bits = 10;

/// Quantiles of the exponential distribution, mean exactly 1.
const std::array<float, 1 << Bits> &exponentials() {
  static const auto Table = [] {
    std::array<float, 1 << Bits> T;
    double Sum = 0;
    for (size_t I = 0; I < T.size(); ++I) {
      double Q = -std::log1p(-(double(I) + 0.5) / double(T.size()));
      T[I] = float(Q);
      Sum += Q;
    }
    for (float &Q : T)
      Q = float(Q * double(T.size()) / Sum);
    return T;
  }();
  return Table;
}

} // namespace

// SplitMix64 (Steele, Lea and Flood 2014).
uint64_t BootstrapWeights::next() {
  uint64_t Z = State += 0x9e3779b97f4a7c15;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
  return Z ^ (Z >> 31);
}

void BootstrapWeights::fill(MutableArrayRef<float> Weights) {
  const auto &Table = exponentials();
  uint64_t Word = 0;
  for (size_t I = 0; I < Weights.size(); ++I) {
    if (I % 6 == 0)
      Word = next();
    Weights[I] = Table[Word & (Table.size() - 1)];
    Word >>= Bits;
  }
}

double BootstrapWeights::normal() {
  double U = (double(next() >> 11) + 0.5) / 9007199254740992.0;
  double V = (double(next() >> 11) + 0.5) / 9007199254740992.0;
  return std::sqrt(-2 * std::log(U)) * std::cos(2 * M_PI * V);
}

double quantile(MutableArrayRef<float> Values, double Share) {
  if (Values.empty())
    return 0;
  double At = Share * double(Values.size() - 1);
  size_t I = std::min(size_t(At), Values.size() - 1);
  std::nth_element(Values.begin(), Values.begin() + I, Values.end());
  if (I + 1 == Values.size())
    return Values[I];
  float Next = *std::min_element(Values.begin() + I + 1, Values.end());
  return Values[I] + (At - double(I)) * (Next - Values[I]);
}

double studentQuantile(double Freedom) {
  // Abramowitz and Stegun 26.7.5, three terms; exact at the few that it misses.
  constexpr double Z = Z95;
  if (Freedom < 1.5)
    return 12.706;
  if (Freedom < 2.5)
    return 4.303;
  double N = Freedom, Z3 = Z * Z * Z, Z5 = Z3 * Z * Z, Z7 = Z5 * Z * Z;
  return Z + (Z3 + Z) / (4 * N) + (5 * Z5 + 16 * Z3 + 3 * Z) / (96 * N * N) +
         (3 * Z7 + 19 * Z5 + 17 * Z3 - 15 * Z) / (384 * N * N * N);
}

double normalCDF(double Z) { return 0.5 * std::erfc(-Z / std::sqrt(2.0)); }

} // namespace causal
