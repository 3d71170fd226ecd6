//===- PerfRing.h - Samples from the kernel, without signals ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// perf_event_open and its buffer, for `causal db probe` and `calibrate`. Runs in the tool,
// never in a profiled program.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROBE_PERFRING_H
#define CAUSAL_PROBE_PERFRING_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <linux/perf_event.h>

namespace causal::probe {

/// An open event with a buffer of its own.
class PerfRing {
public:
  /// \p Pid, \p CPU: as perf_event_open has them.
  static llvm::Expected<PerfRing> open(perf_event_attr Attributes, int Pid, int CPU);
  /// The same events into the buffer of \p Other.
  static llvm::Error openInto(const PerfRing &Other, perf_event_attr Attributes, int Pid, int CPU,
                              uint64_t &ID);
  PerfRing(PerfRing &&Other) noexcept;
  PerfRing &operator=(PerfRing &&) = delete;
  ~PerfRing();

  void enable();
  void disable();
  uint64_t id() const;
  int descriptor() const { return Fd; }
  /// Hands over each record since the last call: its type, and what follows its header.
  void drain(llvm::function_ref<void(uint32_t Type, llvm::StringRef Record)> Take);
  /// The same with the whole header.
  void drainAll(llvm::function_ref<void(const perf_event_header &, llvm::StringRef Record)> Take);
  /// Samples come every \p Period from now on.
  void setPeriod(uint64_t Period);

private:
  explicit PerfRing(int Fd) : Fd(Fd) {}
  int Fd;
  void *Pages = nullptr;
  llvm::SmallVector<int, 2> Others; ///< Events whose records come here.
};

/// Attributes of samples of CPU time every \p PeriodNs.
perf_event_attr cpuTimeEvent(uint64_t PeriodNs);

/// Takes numbers off the front of a record.
class RecordCursor {
public:
  explicit RecordCursor(llvm::StringRef Bytes) : Bytes(Bytes) {}
  uint64_t u64() { return take<uint64_t>(); }
  uint32_t u32() { return take<uint32_t>(); }
  llvm::StringRef rest() const { return Bytes; }
  void skip(size_t N) { Bytes = Bytes.drop_front(std::min(N, Bytes.size())); }

private:
  template <typename T> T take() {
    T Value = 0;
    if (Bytes.size() >= sizeof(T))
      memcpy(&Value, Bytes.data(), sizeof(T));
    skip(sizeof(T));
    return Value;
  }
  llvm::StringRef Bytes;
};

} // namespace causal::probe

#endif // CAUSAL_PROBE_PERFRING_H
