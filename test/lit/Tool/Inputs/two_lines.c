// two_lines [ROUNDS [STATUS]]: two lines of work a round; without ROUNDS for ever.
#include <causal/causal.h>
#include <stdlib.h>
#define WORK(N)                                                                \
  for (volatile long I_ = (N); I_ > 0; --I_) {                                 \
  }
int main(int argc, char **argv) {
  long Rounds = argc > 1 ? atol(argv[1]) : -1;
  for (long I = 0; I != Rounds; ++I) {
    WORK(200000)
    WORK(100000)
    CAUSAL_PROGRESS_NAMED("item");
  }
  return argc > 2 ? atoi(argv[2]) : 0;
}
