//===- causal_cpu_mode.cpp - Where each thread's time goes ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mode's table: a run begins and ends, and its threads do.
//
//===----------------------------------------------------------------------===//
#include "cpu/causal_cpu_mode.h"
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"
#include "code/causal_image_list.h"
#include "cpu/causal_cpu_run.h"
#include "cpu/causal_cpu_wait.h"
#include "profile/causal_profile_writer.h"

#include "sanitizer_common/sanitizer_placement_new.h"

#include <pthread.h>
#include <sys/mman.h>

using namespace __causal;

static CPUThread &ofCPU(ThreadBase &T) { return static_cast<CPUThread &>(T); }

template <typename Table> static bool map(Table *&To) {
  return To || (To = static_cast<Table *>(mapMemory(sizeof(Table))));
}
// Empty again. A child of fork may not be allowed to map anything.
template <typename Table> static void empty(Table *T) {
  systemCall(SYS_madvise, word(T), sizeof(Table), MADV_DONTNEED);
}

static void beginRun() {
  CPURun &R = cpuRun();
  initProfileWriter(randomWord(), CPUMode.Name);
  R.Begin = now();
  R.Snapshots = R.Dropped = R.Truncated = 0;
  R.NextSnapshot = R.Begin + static_cast<uint64_t>(flags().snapshot_ms) * 1000000;
  __atomic_store_n(&R.Active, true, __ATOMIC_RELAXED);
}

static bool start() {
  CPURun &R = cpuRun();
  if (!map(R.Stacks) || !map(R.Charged) || !map(R.Wakers)) {
    CAUSAL_REPORT("causal: no memory for the table of stacks: the program is not profiled\n");
    return false;
  }
  initImageList();
  beginRun();
  return true;
}

static bool active() { return cpuRun().active(); }

static void construct(ThreadBase &T, uintptr_t) {
  new (static_cast<CPUPart *>(&ofCPU(T))) CPUPart();
  ofCPU(T).MadeAt = now();
}
static void release(ThreadBase &) {}

// A thread's clocks are at 0 when it is made: what they say is its own, from its first
// instruction on.
static void openAccount(CPUThread &T) {
  uint64_t CPU = threadCPUTime(), Now = now();
  T.Number = __atomic_add_fetch(&cpuRun().Threads, 1, __ATOMIC_RELAXED);
  T.Account.begin(Now - CPU, 0, 0);
  T.MadeAt = T.MadeAt && T.MadeAt < Now - CPU ? T.MadeAt : Now - CPU;
  askName(T);
  T.NameAsked = false; // It is its maker's, until it has another one.
}

static void threadBegins(ThreadBase &Base) {
  CPUThread &T = ofCPU(Base);
  openAccount(T);
  T.CPUSelf = &CurrentCPUThread;
  CurrentCPUThread = &T;
}

static void threadEnds(ThreadBase &Base) {
  CPUThread &T = ofCPU(Base);
  waking(static_cast<uintptr_t>(pthread_self()));
  if (!cpuRun().active())
    return;
  InRuntimeScope Scope(T);
  askName(T);
  lockAccount(T);
  uint64_t CPU = threadCPUTime(), Now = now();
  closeAccount(T, Now, CPU, /*IsSelf=*/true);
  T.Ended = true;
  unlockAccount(T);
  writeEndOf(T, Now);
}

static void threadEnded(ThreadBase &) { CurrentCPUThread = nullptr; }
static void forget(ThreadBase &T) { __atomic_store_n(ofCPU(T).CPUSelf, nullptr, __ATOMIC_RELAXED); }

static void beforeExec() {
  if (cpuRun().active())
    snapshot(/*Final=*/true);
}

static void holdOpen() {
  if (!cpuRun().active() || !lockCPUWriter())
    return;
  holdProfileOpen();
  unlockCPUWriter();
}

// Who ends the process while another thread does waits for it.
static uint32_t Finishing;
static void finish() {
  if (!__atomic_exchange_n(&cpuRun().Active, false, __ATOMIC_ACQ_REL)) {
    for (int I = 0; __atomic_load_n(&Finishing, __ATOMIC_ACQUIRE) && I != 100; ++I)
      sleepUntil(now() + 1000000);
    return;
  }
  __atomic_store_n(&Finishing, 1u, __ATOMIC_RELEASE);
  if (CPUThread *T = cpuThread()) {
    InRuntimeScope Scope(*T);
    snapshot(/*Final=*/true);
  } else {
    snapshot(/*Final=*/true);
  }
  __atomic_store_n(&Finishing, 0u, __ATOMIC_RELEASE);
}

static void lockTables() { lockCPUWriter(); }
static void unlockTables() { unlockCPUWriter(); }

static void forked(ThreadBase *Current) {
  CPURun &R = cpuRun();
  if (!R.active())
    return;
  empty(R.Stacks);
  empty(R.Charged);
  empty(R.Wakers);
  restartImageList();
  R.Threads = 0;
  if (Current) {
    new (static_cast<CPUPart *>(&ofCPU(*Current))) CPUPart();
    ofCPU(*Current).CPUSelf = &CurrentCPUThread;
    openAccount(ofCPU(*Current));
  }
  beginRun();
}

const Mode __causal::CPUMode = {
    .Name = "cpu",
    .Needs = 0,
    .ThreadSize = sizeof(CPUThread),
    .SamplesEveryThread = false,
    .start = start,
    .active = active,
    .construct = construct,
    .threadBegins = threadBegins,
    .threadEnds = threadEnds,
    .threadEnded = threadEnded,
    .release = release,
    .periodSet = nullptr,
    .sample = sampleCPU,
    .beforeExec = beforeExec,
    .holdOpen = holdOpen,
    .finish = finish,
    .leave = finish,
    .forget = forget,
    .lockTables = lockTables,
    .unlockTables = unlockTables,
    .forked = forked,
};
