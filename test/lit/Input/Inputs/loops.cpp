// Loops in which moving a check would change what is counted, and some in which it would not:
// compared with and without eliminations. Each is run on memory that its caller has written, in
// part or whole, and on memory that nobody has.
#include <cstdlib>
#include <cstring>

#define LOOP __attribute__((noinline))
using Word = int;

LOOP void shiftUp(Word *A, long N) { // Reads what it has written.
  for (long I = 1; I < N; ++I)
    A[I] = A[I - 1] + 1;
}
LOOP void shiftDown(Word *A, long N) { // Reads ahead of what it writes.
  for (long I = 0; I + 1 < N; ++I)
    A[I] = A[I + 1] + 1;
}
LOOP void shiftDownFar(Word *A, long N) {
  for (long I = 0; I + 8 < N; ++I)
    A[I] = A[I + 8];
}
LOOP void backwards(Word *A, long N) {
  for (long I = N - 1; I > 0; --I)
    A[I] = A[I - 1];
}
LOOP void increment(Word *A, long N) {
  for (long I = 0; I < N; ++I)
    A[I] += 3;
}
LOOP void copy(Word *To, const Word *From, long N) { // They may overlap.
  for (long I = 0; I < N; ++I)
    To[I] = From[I] + 1;
}
LOOP long sumBytes(const char *A, long N) {
  long Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += A[I];
  return Sum;
}
LOOP void bytesForward(char *A, long N) { // Neighbours in one cell.
  for (long I = 0; I + 1 < N; ++I)
    A[I] = static_cast<char>(A[I + 1] + 1);
}
LOOP void bytesForwardFar(char *A, long N) {
  for (long I = 0; I + 5 < N; ++I)
    A[I] = static_cast<char>(A[I + 5] + 1);
}
LOOP long firstOver(const Word *A, long N, Word Limit) { // Ends early.
  for (long I = 0; I < N; ++I)
    if (A[I] > Limit)
      return I;
  return N;
}
LOOP void sumInto(Word *Sum, const Word *A, long N) { // The sum may be in the array.
  for (long I = 0; I < N; ++I)
    *Sum += A[I];
}
LOOP void sometimes(Word *A, const Word *B, long N) {
  for (long I = 0; I < N; ++I)
    if (B[I] & 1)
      A[I] = B[I];
}
LOOP void strided(Word *A, long N) {
  for (long I = 0; I < N; I += 3)
    A[I] += A[0];
}
struct Pair {
  short First, Second;
};
LOOP long seconds(Pair *P, long N) { // One cell has both fields.
  long Sum = 0;
  for (long I = 0; I < N; ++I) {
    P[I].First = 1;
    Sum += P[I].Second;
  }
  return Sum;
}
LOOP void matrix(double *C, const double *A, const double *B, long N) {
  for (long I = 0; I < N; ++I)
    for (long K = 0; K < N; ++K)
      for (long J = 0; J < N; ++J)
        C[I * N + J] += A[I * N + K] * B[K * N + J];
}

static volatile long Sink;

LOOP void all(Word *A, long N) {
  auto *Bytes = reinterpret_cast<char *>(A);
  shiftUp(A, N);
  shiftDown(A, N);
  shiftDownFar(A, N);
  backwards(A, N);
  increment(A, N);
  copy(A, A + N / 2, N / 2);
  copy(A + 1, A, N / 2);
  Sink = sumBytes(Bytes + 1, N * 4 - 2);
  bytesForward(Bytes + 2, N);
  bytesForwardFar(Bytes + 3, N);
  Sink = firstOver(A, N, 1 << 20);
  sumInto(A + N / 2, A, N);
  sometimes(A, A + 3, N - 3);
  strided(A, N);
  Sink = seconds(reinterpret_cast<Pair *>(A), N);
}

int main() {
  for (long N = 9; N < 400; N += 37) {
    auto *New = static_cast<Word *>(malloc(static_cast<size_t>(N) * sizeof(Word)));
    all(New, N); // NOLINT: nobody has written it, on purpose
    memset(New, 1, static_cast<size_t>(N) * sizeof(Word));
    all(New, N);
    for (long I = 0; I < N; I += 2)
      New[I] = 5;
    all(New, N);
    double M[3][64] = {};
    matrix(M[0], M[1], M[2], N % 9);
    Sink = static_cast<long>(M[0][0]);
    free(New);
  }
}
