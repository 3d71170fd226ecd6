#include <mutex>
static std::mutex M;
static unsigned Total;
unsigned outer(unsigned X) {
  std::lock_guard<std::mutex> Lock(M);
  return Total += X;
}
