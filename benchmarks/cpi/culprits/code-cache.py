"""Writes code-cache.c: functions of a line each that call each other in a shuffled order, 640
of them (40 KB), or with `removed` 128."""
import random
import sys

number = 128 if sys.argv[1:] == ["removed"] else 640
order = list(range(1, number))
random.Random(1).shuffle(order)
order = [0] + order
after = dict(zip(order, order[1:]))
print('#include "common.h"')
for i in range(number):
    print(f"__attribute__((noinline, aligned(64))) long f{i}(long);")
for i in range(number):
    then = f"__attribute__((musttail)) return f{after[i]}(x);" if i in after else "return x;"
    print(f'long f{i}(long x) {{ __asm__ volatile("leaq {i % 100}(%0), %0" : "+r"(x)); {then} }}')
print(f"""int main(int argc, char **argv) {{
  long x = 0;
  for (int i = 0; i < TIMES({480000000 // number}); ++i)
    x = f0(x);
  printf("%ld\\n", x);
}}""")
