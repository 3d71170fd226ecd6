// Ways in which activations begin and end, and memory gets its values: what the profile must
// hold, as input calls threads outside, with points of one routine added up over threads.
// RUN: %causal_clangxx -fcausal-profile=input -O2 -std=c++20 %s -o %t -lpthread
// RUN: rm -f %t.causal && %env_causal_opts=output=%t.causal %t
// RUN: %python %S/Inputs/expect.py %t.causal %s
// RUN: %causal_clangxx -fcausal-profile=input -O2 -std=c++20 %no_elimination %s -o %t.all -lpthread
// RUN: rm -f %t.all.causal && %env_causal_opts=output=%t.all.causal %t.all
// RUN: %python %S/Inputs/expect.py %t.all.causal %s
#include <coroutine>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#define ROUTINE __attribute__((noinline))
#define USE(X)                                                                                     \
  do {                                                                                             \
    auto Value = (X);                                                                              \
    asm volatile("" ::"r"(Value));                                                                 \
  } while (0)

struct alignas(64) Cell {
  int Value;
};
Cell X, Y, Z, Slots[64];
alignas(64) int Buffer[64];

// Exceptions: what is left without a return has its input, and so have all below.
// EXPECT: thrower 1 x3 0 0
// EXPECT: middle 2 x1 0 0
// EXPECT: catcher 3 x1 0 0
ROUTINE void thrower(int Depth) {
  USE(X.Value);
  if (Depth)
    thrower(Depth - 1);
  throw 1;
}
ROUTINE void middle() {
  USE(Y.Value);
  thrower(2);
  USE(Z.Value);
}
ROUTINE void catcher() {
  try {
    middle();
  } catch (int) {
    USE(Z.Value);
  }
  USE(X.Value);
}

// longjmp over activations.
// EXPECT: jumper 1 x1 0 0
// EXPECT: jumps 2 x1 0 0
// EXPECT: setter 4 x1 0 0
// EXPECT: afterJumps 1 x1 0 0
static jmp_buf Environment;
ROUTINE void jumper() {
  USE(Slots[1].Value);
  longjmp(Environment, 1);
}
ROUTINE void jumps() {
  USE(Slots[2].Value);
  jumper();
  USE(Slots[3].Value);
}
ROUTINE void setter() {
  if (!setjmp(Environment)) // The buffer's place in the list of cells does not matter: libc's.
    jumps();
  USE(Slots[4].Value);
  USE(Slots[5].Value);
}
ROUTINE void afterJumps() { USE(Slots[4].Value); }

// A producer and a consumer with one place between them: 25, not 1.
// EXPECT: consumeData 1 x25 25 0
// EXPECT: produceData 0 x25 0 0
static sem_t Empty, Full;
Cell Item;
ROUTINE void produceData(int I) { Item.Value = I; }
ROUTINE void consumeData() { USE(Item.Value); }
static void *producer(void *) {
  for (int I = 0; I < 25; ++I) {
    sem_wait(&Empty);
    produceData(I);
    sem_post(&Full);
  }
  return nullptr;
}
ROUTINE void consumer() {
  for (int I = 0; I < 25; ++I) {
    sem_wait(&Full);
    consumeData();
    sem_post(&Empty);
  }
}

// The kernel fills four cells 25 times, and one is used.
// EXPECT: externalRead 25 x1 0 25
ROUTINE void externalRead(int Fd) {
  for (int I = 0; I < 25; ++I) {
    if (read(Fd, Buffer, 16) != 16)
      abort();
    USE(Buffer[0]);
  }
}
// What write(2) takes was not read before.
// EXPECT: externalWrite 3 x1 0 0
ROUTINE void externalWrite(int Fd) {
  Buffer[20] = 1;
  if (write(Fd, Buffer + 20, 16) != 16)
    abort();
}

// A thousand threads one after another in one slot: each gets what the one before wrote.
// EXPECT: take 1 x1000 999 0
Cell Baton;
ROUTINE void take() {
  USE(Baton.Value);
  Baton.Value = 1;
}
static void *relay(void *) {
  take();
  return nullptr;
}

// A thread that ends in the middle of its activations.
// EXPECT: leave 1 x1 0 0
// EXPECT: leaves 2 x1 0 0
// EXPECT: cancelled 1 x1 0 0
ROUTINE void leave() {
  USE(Slots[10].Value);
  pthread_exit(nullptr);
}
ROUTINE void leaves() {
  USE(Slots[11].Value);
  leave();
}
static void *leaver(void *) {
  leaves();
  return nullptr;
}
ROUTINE void cancelled() {
  USE(Slots[12].Value);
  for (;;)
    pause();
}
static void *waiter(void *) {
  cancelled();
  return nullptr;
}

// memcpy reads its source, and writes its target.
// EXPECT: copies 16 x1 0 0
ROUTINE int copies(int *To, const int *From, int N) {
  memcpy(To, From, N * sizeof(int));
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += To[I];
  return Sum;
}
// What the parent wrote is the child's input.
// EXPECT: child 3 x1 0 0
// EXPECT: parent 0 x1 0 0
ROUTINE int child(const int *P) { return P[0] + P[1] + P[2]; }
ROUTINE int parent() {
  int A[4];
  for (int I = 0; I < 4; ++I) {
    asm volatile("" : "+r"(I)); // Not copied from a constant, which would be read.
    A[I] = I;
  }
  asm volatile("" ::"r"(A) : "memory");
  return child(A);
}
struct Big {
  int Values[12];
};
// EXPECT: byValue 12 x1 0 0
// EXPECT: passes 0 x1 0 0
ROUTINE int byValue(Big B) {
  int Sum = 0;
  for (volatile int &V : B.Values)
    Sum += V;
  return Sum;
}
ROUTINE int passes() {
  Big B;
  for (int I = 0; I < 12; ++I)
    B.Values[I] = I;
  asm volatile("" ::"r"(&B) : "memory");
  return byValue(B);
}
// EXPECT: secondTail 2 x1 0 0
// EXPECT: firstTail 3 x1 0 0
ROUTINE int secondTail(int K) {
  USE(Slots[20].Value);
  return K + Slots[21].Value;
}
ROUTINE int firstTail(int K) {
  USE(Slots[22].Value);
  [[clang::noinline]] return secondTail(K + 1);
}
// Tables of constants are input, cell by cell.
// EXPECT: constants 8 x1 0 0
extern const int Table[8];
const int Table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
ROUTINE int constants(const int *T, int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += T[I];
  return Sum;
}
// A handler's activation is a child of what it interrupts.
// EXPECT: handler 1 x1 0 0
// EXPECT: interrupted 2 x1 0 0
ROUTINE void handler(int) { USE(Slots[30].Value); }
ROUTINE void interrupted() {
  USE(Slots[31].Value);
  raise(SIGUSR1);
  USE(Slots[30].Value);
}
// An atomic update is one read and one write.
// EXPECT: updates 1 x1 0 0
Cell Counter;
ROUTINE void updates() {
  for (int I = 0; I < 5; ++I)
    __atomic_fetch_add(&Counter.Value, 1, __ATOMIC_SEQ_CST);
}
// A comparison gets elements: they are its input, the array is the sort's.
// EXPECT: sorts 8 x1 0 0
static int less(const void *A, const void *B) {
  return *static_cast<const int *>(A) - *static_cast<const int *>(B);
}
ROUTINE void sorts(int *A) {
  qsort(A, 8, sizeof(int), less);
  asm volatile("" ::"r"(A[0]));
}
// A coroutine's parts are ordinary functions. (Its frame is input of what resumes it, too.)
// EXPECT: touch 2 x2 0 0
struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> Handle;
};
static int Touched;
ROUTINE void touch(int I) {
  USE(Slots[I].Value);
  ++Touched;
}
static Task steps() {
  touch(40);
  co_await std::suspend_always{};
  touch(41);
}
ROUTINE void resumes(Task &T) {
  T.Handle.resume();
  T.Handle.resume();
}

int main() {
  catcher();
  setter();
  afterJumps();
  pthread_t T;
  sem_init(&Empty, 0, 1);
  sem_init(&Full, 0, 0);
  pthread_create(&T, nullptr, producer, nullptr);
  consumer();
  pthread_join(T, nullptr);
  int Zeroes = open("/dev/zero", O_RDONLY), Sink = open("/dev/null", O_WRONLY);
  externalRead(Zeroes);
  externalWrite(Sink);
  for (int I = 0; I < 1000; ++I) {
    pthread_create(&T, nullptr, relay, nullptr);
    pthread_join(T, nullptr);
  }
  pthread_create(&T, nullptr, leaver, nullptr);
  pthread_join(T, nullptr);
  pthread_create(&T, nullptr, waiter, nullptr);
  pthread_cancel(T);
  pthread_join(T, nullptr);
  int A[16], B[16];
  for (int I = 0; I < 16; ++I)
    A[I] = I;
  asm volatile("" ::"r"(A), "r"(B) : "memory");
  int Sum = copies(B, A, 16) + parent() + passes() + firstTail(1) + constants(Table, 8);
  signal(SIGUSR1, handler);
  interrupted();
  updates();
  sorts(A);
  Task Steps = steps();
  resumes(Steps);
  asm volatile("" ::"r"(Sum));
}
