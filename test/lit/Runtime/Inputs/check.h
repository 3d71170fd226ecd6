// CHECK(Condition) in a function that returns 0 when all is well.
#include <stdio.h>
#define CHECK(Condition)                                                       \
  do                                                                           \
    if (!(Condition)) {                                                        \
      printf("line %d: %s\n", __LINE__, #Condition);                           \
      return 1;                                                                \
    }                                                                          \
  while (0)
