#include <causal/causal.h>
#include <chrono>
#include <cstdio>
#include <thread>
unsigned inner(unsigned X);
unsigned outer(unsigned X);

int main() {
  auto End = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  auto Work = [&] {
    while (std::chrono::steady_clock::now() < End) {
      outer(inner(1));
      CAUSAL_PROGRESS_NAMED("step");
    }
  };
  std::thread Other(Work);
  Work();
  Other.join();
  std::printf("done %u\n", outer(0));
}
