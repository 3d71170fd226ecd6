//===- Database.h - Reads a continuous database -----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reading side of the database that `causal db collect` writes:
//
//   DB/format                      "causal-db 1"
//   DB/spool/*.seg                 segments of processes, not collected yet
//   DB/HOST.UID/host               where the samples come from, as name=value lines
//   DB/HOST.UID/EPOCH/ID.EVENT.PERIOD   an image file (ImageFile.h)
//   DB/HOST.UID/N.delta            collected, not yet in image files (Collector.h)
//
// An epoch's name is the hour (20261128T22), the day (20261128) or the week (20261123w) in
// which its samples were taken, in UTC. Names sort by time. A database is read as a whole:
// what a collector writes meanwhile comes wholly or not at all.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_DATABASE_H
#define CAUSAL_CONTINUOUS_DATABASE_H

#include "lib/continuous/ImageFile.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <vector>

namespace causal::continuous {

constexpr llvm::StringLiteral DatabaseFormat = "causal-db 1\n";

/// Whether \p Directory is a database.
bool isDatabase(llvm::StringRef Directory);

/// What is read. Empty: all.
struct Selection {
  std::vector<std::string> Epochs; ///< Each the beginning of a name: a day has its hours.
  std::vector<std::string> Hosts;  ///< HOST or HOST.UID.
  std::string Image;               ///< The end of a path, or the beginning of a build-id.
  std::optional<Event> Kind;
};

/// Where samples come from.
struct Host {
  std::string Name;      ///< Of the directory: HOST.UID.
  std::string Processor; ///< As LLVM names it (-mcpu), or empty.
  std::string Origin;    ///< A random name of the database that collected them.
  unsigned Cores = 0;

  llvm::StringRef machine() const { return llvm::StringRef(Name).rsplit('.').first; }
};

/// The samples of an image on one host in one epoch.
struct HostSamples {
  const Host *From;
  std::string Epoch;
  ImageSamples Image;
};

/// What was sampled for one event with one period on one host in one epoch.
struct HostTotals {
  const Host *From = nullptr;
  std::string Epoch;
  Event Kind = Event::CPU;
  uint64_t Period = 0;
  uint64_t Samples = 0, Dropped = 0, Unmapped = 0, Processes = 0;
};

class Database {
public:
  /// Reads what \p Which selects. \p Warn is told of files that are left out because they
  /// are damaged.
  static llvm::Expected<Database>
  read(llvm::StringRef Directory, const Selection &Which = {},
       llvm::function_ref<void(const llvm::Twine &)> Warn = nullptr);

  Database() = default;
  Database(Database &&) = default;
  Database &operator=(Database &&) = default;

  const std::vector<HostSamples> &samples() const { return Samples; }
  /// Of hosts, epochs and the event that are selected; which image does not matter to it.
  const std::vector<HostTotals> &totals() const { return Totals; }
  const std::vector<std::unique_ptr<Host>> &hosts() const { return Hosts; }

  /// The images over all hosts and epochs: one for each build-id (or path), event and period.
  std::vector<ImageSamples> images() const;
  /// The sum of totals() of an event, whatever the periods.
  HostTotals total(Event Kind = Event::CPU) const;

private:
  std::vector<std::unique_ptr<Host>> Hosts;
  std::vector<HostSamples> Samples;
  std::vector<HostTotals> Totals;
};

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_DATABASE_H
