#include <causal/causal.h>
int main() {
  CAUSAL_PROGRESS;
  return 0;
}
