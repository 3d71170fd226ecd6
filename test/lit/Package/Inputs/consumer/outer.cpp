#include <causal/causal.h>
#include <mutex>
static std::mutex M;
static unsigned Total;
unsigned outer(unsigned X) {
  CAUSAL_PROGRESS_NAMED("outer");
  std::lock_guard<std::mutex> Lock(M);
  return Total += X;
}
