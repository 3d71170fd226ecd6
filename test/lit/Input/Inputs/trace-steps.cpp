// The instrumented half of the trace test: what to do next comes in registers, from code
// without instrumentation, so that only the trace's own accesses are seen.
#include <unistd.h>

extern "C" unsigned long traceNext(long Thread); // operation << 56 | address; waits for its turn
extern "C" void traceDone(long Thread, unsigned long Step, long Value);
extern "C" int traceFile(int Out);

enum { Call, Return, Read, Write, Modify, Fill, Take, Update };

// NOLINTNEXTLINE(misc-no-recursion)
__attribute__((noinline)) void activation(long Thread) {
  for (;;) {
    unsigned long Step = traceNext(Thread);
    auto *Cell = reinterpret_cast<CELL *>(Step << 8 >> 8);
    long Value = 0;
    switch (Step >> 56) {
    case Call:
      activation(Thread);
      break;
    case Return:
      return;
    case Read:
      Value = *Cell;
      break;
    case Write:
      *Cell = 1;
      break;
    case Modify:
      *Cell += 1;
      break;
    case Fill:
      if (read(traceFile(0), Cell, sizeof(CELL)) != sizeof(CELL))
        __builtin_trap();
      break;
    case Take:
      if (write(traceFile(1), Cell, sizeof(CELL)) != sizeof(CELL))
        __builtin_trap();
      break;
    case Update:
      Value = __atomic_fetch_add(Cell, 1, __ATOMIC_RELAXED);
      break;
    }
    traceDone(Thread, Step, Value);
  }
}
