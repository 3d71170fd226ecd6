//===- ProcessMaps.cpp - What each process has mapped ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/system/ProcessMaps.h"

#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace causal::continuous {

void ProcessMaps::map(int Pid, Mapping M) {
  auto &Maps = ByPid[Pid];
  auto It = Maps.lower_bound(M.Low);
  if (It != Maps.begin() && std::prev(It)->second.High > M.Low) {
    Mapping &Before = std::prev(It)->second;
    if (Before.High > M.High) { // What is left behind it.
      Mapping Rest = Before;
      Rest.Offset += M.High - Rest.Low;
      Rest.Low = M.High;
      Maps.emplace(Rest.Low, std::move(Rest));
    }
    Before.High = M.Low;
  }
  while (It != Maps.end() && It->second.Low < M.High) {
    if (It->second.High > M.High) {
      Mapping Rest = std::move(It->second);
      Rest.Offset += M.High - Rest.Low;
      Rest.Low = M.High;
      Maps.erase(It);
      Maps.emplace(Rest.Low, std::move(Rest));
      break;
    }
    It = Maps.erase(It);
  }
  Maps.insert_or_assign(M.Low, std::move(M));
}

void ProcessMaps::fork(int Parent, int Child) {
  auto It = ByPid.find(Parent);
  if (Parent != Child && It != ByPid.end()) {
    auto Copy = It->second; // The table may grow.
    ByPid[Child] = std::move(Copy);
  }
}

void ProcessMaps::clear(int Pid) { ByPid.erase(Pid); }

const Mapping *ProcessMaps::find(int Pid, uint64_t PC) const {
  auto Of = ByPid.find(Pid);
  if (Of == ByPid.end())
    return nullptr;
  auto It = Of->second.upper_bound(PC);
  if (It == Of->second.begin() || std::prev(It)->second.High <= PC)
    return nullptr;
  return &std::prev(It)->second;
}

void ProcessMaps::readMaps(int Pid, StringRef Text) {
  SmallVector<StringRef, 64> Lines;
  Text.split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    // low-high rwxp offset device inode path
    auto [Range, AfterRange] = Line.split(' ');
    auto [Rights, AfterRights] = AfterRange.split(' ');
    auto [Offset, AfterOffset] = AfterRights.split(' ');
    auto [Device, AfterDevice] = AfterOffset.split(' ');
    auto [Inode, Path] = AfterDevice.split(' ');
    auto [Low, High] = Range.split('-');
    Mapping M;
    if (Rights.size() < 3 || Rights[2] != 'x' || Low.getAsInteger(16, M.Low) ||
        High.getAsInteger(16, M.High) || Offset.getAsInteger(16, M.Offset))
      continue;
    M.Path = Path.trim().str();
    map(Pid, std::move(M));
  }
}

} // namespace causal::continuous
