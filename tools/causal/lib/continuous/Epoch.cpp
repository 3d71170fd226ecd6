//===- Epoch.cpp - Hours, days and weeks of a database --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Epoch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <ctime>

using namespace llvm;

namespace causal::continuous {

static constexpr uint64_t Hour = 3600, Day = 24 * Hour;
static constexpr size_t HourLength = 11, DayLength = 8, WeekLength = 9;

static bool isHour(StringRef Name) { return Name.size() == HourLength && Name[8] == 'T'; }
static bool isWeek(StringRef Name) { return Name.size() == WeekLength && Name[8] == 'w'; }

bool isEpoch(StringRef Name) {
  StringRef Hours = isHour(Name) ? Name.drop_front(9) : "";
  return (isHour(Name) || isWeek(Name) || Name.size() == DayLength) &&
         all_of(Name.take_front(DayLength), isDigit) && all_of(Hours, isDigit);
}

static std::string format(uint64_t Seconds, const char *Format) {
  // Years have four digits.
  time_t Time = time_t(std::min<uint64_t>(Seconds, 253402300799));
  tm Parts{};
  gmtime_r(&Time, &Parts);
  char Text[32];
  return std::string(Text, strftime(Text, sizeof(Text), Format, &Parts));
}

uint64_t beginOf(StringRef Epoch) {
  auto Number = [&](size_t At, size_t Size) {
    int N = 0;
    Epoch.substr(At, Size).getAsInteger(10, N);
    return N;
  };
  tm Parts{};
  Parts.tm_year = Number(0, 4) - 1900;
  Parts.tm_mon = Number(4, 2) - 1;
  Parts.tm_mday = Number(6, 2);
  Parts.tm_hour = isHour(Epoch) ? Number(9, 2) : 0;
  time_t Time = timegm(&Parts);
  return Time < 0 ? 0 : uint64_t(Time);
}

std::string hourOf(uint64_t Seconds) { return format(Seconds, "%Y%m%dT%H"); }

std::string dayOf(StringRef Epoch) {
  return isHour(Epoch) ? Epoch.take_front(DayLength).str() : Epoch.str();
}

std::string weekOf(StringRef Epoch) {
  if (isWeek(Epoch))
    return Epoch.str();
  uint64_t Days = beginOf(Epoch) / Day; // 1970 began with a Thursday.
  uint64_t Monday = Days < 4 ? 0 : Days - (Days + 3) % 7;
  return format(Monday * Day, "%Y%m%dw");
}

uint64_t endOf(StringRef Epoch) {
  return beginOf(Epoch) + (isHour(Epoch) ? Hour : isWeek(Epoch) ? 7 * Day : Day);
}

} // namespace causal::continuous
