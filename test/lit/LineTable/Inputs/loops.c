/* Loops, inlining, switches and prologues of several kinds in C, for comparisons. */
#include <stdarg.h>
#include <string.h>

static int square(int X) { return X * X; }

int constantLoop(int N) {
  int Sum = 0;
  for (;;) {
    Sum += square(N);
    if (Sum > 1000 || !N)
      break;
  }
  do
    Sum -= 3;
  while (Sum > 7);
  return Sum;
}

double vectors(double *A, const double *B, int N) {
  double Sum = 0;
  for (int I = 0; I < N; I++) {
    A[I] = A[I] * B[I] + square(I);
    Sum += A[I];
  }
  return Sum;
}

int variadic(int N, ...) {
  va_list Args;
  va_start(Args, N);
  int Sum = 0;
  while (N--)
    Sum += va_arg(Args, int);
  va_end(Args);
  return Sum;
}

int jumps(const char *S) {
  int State = 0;
  for (; *S; S++)
    switch (*S) {
    case 'a': State += 1; break;
    case 'b': State ^= 5; break;
    case 'c': State *= 3; break;
    case 'd': State -= 9; break;
    case 'e': return State;
    default:  State = square(State) % 100;
    }
  return State;
}

int main(int Argc, char **Argv) {
  double A[64], B[64];
  memset(A, 1, sizeof A);
  memset(B, 2, sizeof B);
  int Array[Argc + 1];
  Array[Argc] = jumps(Argv[0]);
  return constantLoop(Argc) + (int)vectors(A, B, 64) + variadic(2, Argc, 3) +
         Array[Argc];
}
