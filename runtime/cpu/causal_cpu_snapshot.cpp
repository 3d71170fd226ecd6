//===- causal_cpu_snapshot.cpp - The records of mode=cpu ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of threads, and what stacks were charged with since the last snapshot.
// Images, frames and stacks are written once, before the first record that names them.
// Whoever finds a snapshot due writes it, one thread at a time: in a sample handler, or
// behind a wait. Records are gathered and written many at a time.
//
// A wait that still lasts is looked at from here: the thread cannot leave it meanwhile,
// since it needs its account to do so, and its stack stays as it is.
//
//===----------------------------------------------------------------------===//
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_runtime_lock.h"
#include "base/causal_syscall.h"
#include "code/causal_image_list.h"
#include "code/causal_images.h"
#include "cpu/causal_cpu_run.h"
#include "cpu/causal_cpu_wait.h"
#include "profile/causal_profile_writer.h"
#include "sampler/causal_lifetime.h"
#include "sampler/causal_sampler.h"

#include <fcntl.h>
#include <sys/prctl.h>

using namespace __causal;

static constexpr uint64_t Millisecond = 1000000;

//===-- Records -----------------------------------------------------------===//

static uint32_t writeImage(uintptr_t PC, uintptr_t &Bias) {
  LoadedImage *I = imageAt(PC);
  if (!I)
    return 0;
  Bias = I->Bias;
  uint32_t Number = imageNumber(*I);
  if (I->Written)
    return Number;
  I->Written = true;
  JsonRecord R = beginRecord(record::Image::Type);
  R.field(record::Image::id, Number);
  R.field(record::Image::path, I->Path);
  R.field(record::Image::build_id, I->BuildId.Text);
  gatherRecord(R);
  return Number;
}

static void writeFrame(uint32_t Id) {
  constexpr unsigned MostInlined = 16;
  StackTable &Stacks = *cpuRun().Stacks;
  if (Stacks.isWritten(Id))
    return;
  Stacks.setWritten(Id);
  uintptr_t PC = Stacks.address(Id), Bias = 0;
  uint32_t Image = writeImage(PC, Bias);
  JsonRecord R = beginRecord(record::Frame::Type);
  R.field(record::Frame::id, Id);
  R.field(record::Frame::image, Image);
  R.field(record::Frame::offset, static_cast<uint64_t>(PC - Bias));
  linemap::Frame Inlined[MostInlined];
  if (unsigned Count = lookupFrames(PC, Inlined, MostInlined)) {
    R.beginArray(record::Frame::lines);
    for (unsigned I = 0; I != Count; ++I) {
      R.beginObject();
      R.field(record::Place::function, Inlined[I].Function);
      R.field(record::Place::file, Inlined[I].File);
      R.field(record::Place::line, Inlined[I].Line);
      R.endObject();
    }
    R.endArray();
  }
  gatherRecord(R);
}

static void writeStack(uint32_t Id) {
  StackTable &Stacks = *cpuRun().Stacks;
  StackTable::Stack *S = Id ? Stacks.stack(Id) : nullptr;
  if (!S || S->Written)
    return;
  S->Written = true;
  for (unsigned I = 0; I != S->Depth; ++I)
    writeFrame(Stacks.frames(*S)[I]);
  JsonRecord R = beginRecord(record::Stack::Type);
  R.field(record::Stack::id, Id);
  R.beginArray(record::Stack::frames);
  for (unsigned I = 0; I != S->Depth; ++I)
    R.element(static_cast<uint64_t>(Stacks.frames(*S)[I]));
  R.endArray();
  if (S->Truncated)
    R.field(record::Stack::truncated, true);
  gatherRecord(R);
}

static void writeCharge(const Charge &C) {
  writeStack(C.Stack);
  writeStack(C.Waker);
  JsonRecord R = beginRecord(record::Charge::Type);
  R.field(record::Charge::snapshot, cpuRun().Snapshots);
  R.field(record::Charge::thread, C.Thread);
  R.field(record::Charge::stack, C.Stack);
  R.field(record::Charge::state, nameOf(C.State));
  if (C.Waker)
    R.field(record::Charge::waker, C.Waker);
  if (C.WakerThread)
    R.field(record::Charge::waker_thread, C.WakerThread);
  R.field(record::Charge::ns, C.Time);
  R.field(record::Charge::count, C.Count);
  gatherRecord(R);
}

//===-- Threads -----------------------------------------------------------===//

void __causal::askName(CPUThread &T) {
  if (systemCall(SYS_prctl, PR_GET_NAME, word(T.Name)) == 0)
    T.NameAsked = true;
}

// Those of others are in /proc.
static void readName(CPUThread &T) {
  char Path[64];
  TextBuffer(Path, sizeof(Path))
      .put("/proc/self/task/")
      .putUnsigned(static_cast<uint64_t>(T.Id))
      .put("/comm");
  OwnOpening Here;
  long Fd =
      systemCall(SYS_openat, static_cast<uint64_t>(AT_FDCWD), word(Path), O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return;
  char Name[sizeof(T.Name)] = {};
  long Size = systemCall(SYS_read, static_cast<uint64_t>(Fd), word(Name), sizeof(Name));
  systemCall(SYS_close, static_cast<uint64_t>(Fd));
  if (Size <= 0)
    return;
  Name[Size - 1] = 0; // In place of the newline.
  __builtin_memcpy(T.Name, Name, sizeof(Name));
  T.NameAsked = true;
}

static uint64_t offTime(const CPUThread &T) {
  uint64_t Sum = 0;
  for (unsigned S = 1; S != CPUStates; ++S)
    Sum += T.Account.off(static_cast<CPUState>(S));
  return Sum;
}

static uint64_t sinceBegin(uint64_t Time) {
  uint64_t Begin = cpuRun().Begin;
  return Time > Begin ? Time - Begin : 0;
}

// Ended: at Wall.
static void writeThread(CPUThread &T, uint64_t Wall, bool Ended) {
  JsonRecord R = beginRecord(record::Thread::Type);
  R.field(record::Thread::snapshot, cpuRun().Snapshots);
  R.field(record::Thread::thread, T.Number);
  R.field(record::Thread::tid, T.Id);
  R.field(record::Thread::name, T.Name);
  R.field(record::Thread::begin, sinceBegin(T.Account.begun()));
  if (Ended)
    R.field(record::Thread::end, sinceBegin(Wall));
  R.field(record::Thread::wall, Wall > T.Account.begun() ? Wall - T.Account.begun() : 0);
  R.field(record::Thread::cpu, T.Account.charged());
  R.beginObject(record::Thread::off);
  for (unsigned S = 1; S != CPUStates; ++S)
    if (uint64_t Time = T.Account.off(static_cast<CPUState>(S)))
      R.field(nameOf(static_cast<CPUState>(S)), Time);
  R.endObject();
  R.field(record::Thread::unexplained, T.Account.unexplained(Wall));
  R.field(record::Thread::samples, T.SampleCount);
  if (T.LacksRunQueue) // It is part of the other states.
    R.field(record::Thread::runqueue_known, false);
  gatherRecord(R);
  T.WrittenAt = T.Account.charged() + offTime(T);
}

// The stack of a thread that stays in its wait; of one on a stack of the program's own it may
// be unmapped.
static uint32_t stackOfWait(CPUThread &T) {
  const OpenWait &W = T.Wait;
  return T.Stack.contains(W.Where.SP) ? takeStack(T.Stack, W.Where, W.Function) : 0;
}

// Less and less often: threads that sleep for long cost nothing.
static bool isDueToClose(OpenWait &W, uint64_t Now) {
  if (!W.Site || Now - W.Since < BriefWaitNs || Now < W.NextClose)
    return false;
  W.NextClose = Now + (Now - W.Since);
  return true;
}

static void closeWait(CPUThread &T, uint64_t Now, uint64_t CPU, bool IsSelf) {
  noteOpenWait(T, Now);
  settle(T, Now, CPU, IsSelf);
  CPUState S = T.Wait.State;
  if (T.Account.pending(S) >= BriefWaitNs)
    chargePending(T, S, BriefWaitNs, stackOfWait(T));
}

static void lookAt(CPUThread &T, uint64_t Now, bool Final) {
  if (!__atomic_load_n(&T.Alive, __ATOMIC_ACQUIRE) || !T.Number)
    return;
  bool IsSelf = &T == cpuThread();
  for (unsigned Tries = 0; !tryLockAccount(T); ++Tries) {
    if (!Final || Tries == 50)
      return;
    sleepUntil(now() + Millisecond);
  }
  Now = now();
  uint64_t CPU = IsSelf ? threadCPUTime() : threadCPUTimeOf(T.Id);
  if (!T.Ended && CPU) {
    if (isDueToClose(T.Wait, Now) || (Final && T.Wait.Site))
      closeWait(T, Now, CPU, IsSelf);
    if (Final)
      closeAccount(T, Now, CPU, IsSelf);
    if (Final || T.Account.charged() + offTime(T) != T.WrittenAt) {
      if (IsSelf)
        askName(T);
      else if (Final || !T.NameAsked)
        readName(T);
      writeThread(T, Now, /*Ended=*/false);
    }
  }
  unlockAccount(T);
}

//===-- Snapshots ---------------------------------------------------------===//

static bool tryLockWriter() {
  return __atomic_exchange_n(&cpuRun().Writing, 1u, __ATOMIC_ACQUIRE) == 0;
}
static void unlockWriter() { __atomic_store_n(&cpuRun().Writing, 0u, __ATOMIC_RELEASE); }

// Whoever has it is in a sample handler or behind a wait, and soon out of it, unless it is this
// very thread, interrupted by its own exit.
bool __causal::lockCPUWriter() {
  constexpr int Tries = 200;
  for (int I = 0; !tryLockWriter(); ++I) {
    if (I == Tries)
      return false;
    sleepUntil(now() + Millisecond);
  }
  return true;
}
void __causal::unlockCPUWriter() { unlockWriter(); }

static void write(bool Final) {
  CPURun &R = cpuRun();
  uint64_t Now = now();
  __atomic_store_n(&R.NextSnapshot, Now + static_cast<uint64_t>(flags().snapshot_ms) * Millisecond,
                   __ATOMIC_RELAXED);
  if (!openProfile())
    return;
  forEachCPUSlot([&](CPUThread &T) { lookAt(T, Now, Final); });
  constexpr int Tries = 50;
  for (int I = 0; !R.Charged->take(writeCharge) && Final && I != Tries; ++I)
    sleepUntil(now() + Millisecond);
  uint64_t Late = 0;
  forEachCPUSlot([&](CPUThread &T) { Late += T.Late; });
  JsonRecord Record = beginRecord(record::CpuSnapshot::Type);
  Record.field(record::CpuSnapshot::index, R.Snapshots++);
  Record.field(record::CpuSnapshot::final, Final);
  Record.field(record::CpuSnapshot::wall, sinceBegin(now()));
  Record.field(record::CpuSnapshot::dropped, R.Dropped + R.Stacks->dropped());
  Record.field(record::CpuSnapshot::truncated, R.Truncated);
  Record.field(record::CpuSnapshot::late, Late);
  Record.field(record::CpuSnapshot::threads, threadsBegun());
  Record.field(record::CpuSnapshot::unsampled_threads, threadsUnsampled());
  endRecord(Record);
}

void __causal::snapshotIfDue(uint64_t Now) {
  CPURun &R = cpuRun();
  if (__builtin_expect(
          Now < __atomic_load_n(&R.NextSnapshot, __ATOMIC_RELAXED) && !R.Charged->nearlyFull(), 1))
    return;
  if (!tryLockWriter())
    return;
  SignalsBlocked Signals;
  CPUThread *T = cpuThread();
  if (T) {
    InRuntimeScope Scope(*T);
    write(/*Final=*/false);
  }
  unlockWriter();
}

bool __causal::snapshot(bool Final) {
  SignalsBlocked Signals;
  if (!lockCPUWriter())
    return false;
  write(Final);
  unlockWriter();
  return true;
}

void __causal::writeEndOf(CPUThread &T, uint64_t End) {
  SignalsBlocked Signals;
  if (!lockCPUWriter())
    return;
  if (openProfile())
    writeThread(T, End, /*Ended=*/true);
  unlockWriter();
}

//===-- Code that goes ----------------------------------------------------===//

static void writeAllStacks() {
  if (!openProfile())
    return;
  for (uint32_t Id = 1, End = cpuRun().Stacks->end(); Id < End; ++Id)
    writeStack(Id);
  writeGathered();
}

static void forgetCode(uintptr_t Low, uintptr_t High) { cpuRun().Stacks->forgetCode(Low, High); }

// Its frames get their image and lines while it is there.
void __causal::beforeUnloading() {
  if (!cpuRun().active() || !inOwnProcess())
    return;
  SignalsBlocked Signals;
  if (!lockCPUWriter())
    return;
  refreshImageList(forgetCode);
  writeAllStacks();
  unlockWriter();
}

// Its destructors may have been sampled.
void __causal::afterUnloading() {
  if (!cpuRun().active() || !inOwnProcess())
    return;
  SignalsBlocked Signals;
  if (!lockCPUWriter())
    return;
  writeAllStacks();
  refreshImageList(forgetCode);
  unlockWriter();
}
