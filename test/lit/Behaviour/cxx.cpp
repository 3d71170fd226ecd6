// Exceptions through wrapped calls, cancellation, thread-local destructors, the order
// at exit, and detached threads that outlive main.
// RUN: %build_cxx
// RUN: %same --experiments %t.native %t
#include "busy.h"
#include <condition_variable>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

static std::mutex M;
static int Caught, Destroyed, CleanedUp;
struct Local {
  ~Local() {
    work(200);
    std::lock_guard<std::mutex> Lock(M);
    ++Destroyed;
  }
  int Used = 0;
};
static thread_local Local PerThread;
struct Global {
  ~Global() { puts("destructor"); }
} TheGlobal;

static int thrower(int Depth) {
  std::lock_guard<std::mutex> Lock(M);
  if (Depth == 0)
    throw std::runtime_error("x");
  return Depth;
}
static void cleanUp(void *) { ++CleanedUp; }
static void *cancelled(void *) {
  static std::condition_variable Never;
  pthread_cleanup_push(cleanUp, nullptr);
  for (;;) {
    work(50);
    usleep(10);
  }
  pthread_cleanup_pop(0);
  return nullptr;
}
int main() {
  atexit([] { puts("atexit 1"); });
  atexit([] { puts("atexit 2"); });
  busyBegin();
  for (int I = 0; I < 100; ++I) {
    try {
      work(50);
      thrower(0);
    } catch (const std::runtime_error &) {
      ++Caught;
    }
  }
  std::vector<std::thread> Threads;
  for (int I = 0; I < 16; ++I)
    Threads.emplace_back([] {
      PerThread.Used = 1;
      work(300);
    });
  for (auto &T : Threads)
    T.join();
  auto Future = std::async(std::launch::async, []() -> int { return thrower(0); });
  try {
    Future.get();
  } catch (const std::runtime_error &) {
    ++Caught;
  }
  for (int I = 0; I < 5; ++I) {
    pthread_t Thread;
    void *Result;
    pthread_create(&Thread, nullptr, cancelled, nullptr);
    usleep(500);
    pthread_cancel(Thread);
    pthread_join(Thread, &Result);
    EXPECT(Result == PTHREAD_CANCELED);
  }
  busyEnd();
  printf("caught %d destroyed %d cleaned up %d\n", Caught, Destroyed, CleanedUp);
  std::thread([] {
    work(10000);
    puts("detached");
  }).detach();
  pthread_exit(nullptr);
}
