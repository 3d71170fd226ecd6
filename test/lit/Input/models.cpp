// What libc's functions and the kernel read and write, as the program's routines see it: how many
// cells of four bytes are input of a routine that does nothing else.
// RUN: %causal_clangxx -fcausal-profile=input -O1 -fno-builtin %s -o %t
// RUN: rm -f %t.causal && %env_causal_opts=output=%t.causal %t %t.file
// RUN: %python %S/Inputs/expect.py %t.causal %s
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define ROUTINE __attribute__((noinline))
// Arguments come in registers, and results go to nobody: what counts is what the call does.
static void keep(const void *P) { asm volatile("" ::"r"(P) : "memory"); }
alignas(64) char A[256], B[256], C[256];
alignas(64) int Words[64];

// EXPECT: compares 6 x1 0 0
ROUTINE void compares(const char *X, const char *Y) { // Ten bytes of either.
  keep(reinterpret_cast<void *>(strcmp(X, Y)));
}
// EXPECT: comparesMemory 2 x1 0 0
ROUTINE void comparesMemory(const char *X, const char *Y) {
  keep(reinterpret_cast<void *>(memcmp(X, Y, 200))); // The first byte differs.
}
// EXPECT: length 6 x1 0 0
ROUTINE void length(const char *X) { keep(reinterpret_cast<void *>(strlen(X))); }
// EXPECT: finds 2 x1 0 0
ROUTINE void finds(const char *X) { keep(strchr(X, 'f')); }
// EXPECT: copiesString 6 x1 0 0
ROUTINE void copiesString(char *To, const char *From) {
  strcpy(To, From);
  for (int I = 0; I < 5; ++I) // It has written these.
    keep(reinterpret_cast<void *>(To[4 * I]));
}
// EXPECT: converts 2 x1 0 0
ROUTINE void converts(const char *X) { // "12345 "
  keep(reinterpret_cast<void *>(strtol(X, nullptr, 10)));
}
// EXPECT: sets 0 x1 0 0
ROUTINE void sets(char *To) {
  memset(To, 1, 64);
  for (int I = 0; I < 64; ++I)
    keep(reinterpret_cast<void *>(To[I]));
}
// EXPECT: zeroes 0 x1 0 0
ROUTINE void zeroes() {
  auto *P = static_cast<int *>(calloc(16, 4));
  keep(reinterpret_cast<void *>(P[3]));
  free(P);
}
// The format has 13 bytes with its end, what it prints 21.
// EXPECT: prints 10 x1 0 0
ROUTINE void prints(char *To, const char *Format, const char *Text) {
  snprintf(To, 100, Format, Text, 5);
  keep(reinterpret_cast<void *>(To[3]));
}
// "%d %s %c" and what is read; what it stores comes from outside.
// EXPECT: scans 10 x1 0 3
ROUTINE void scans(const char *Text, const char *Format, int *To) {
  if (sscanf(Text, Format, To, To + 4, To + 8) != 3)
    abort();
  keep(reinterpret_cast<void *>(To[0] + To[4] + reinterpret_cast<char *>(To)[32]));
}
// EXPECT: readsVectors 3 x1 0 3
ROUTINE void readsVectors(int Fd, const iovec *V, const int *X, const int *Y) {
  if (readv(Fd, V, 2) != 12)
    abort();
  keep(reinterpret_cast<void *>(X[0] + Y[0] + Y[1] + Y[2] * 0));
}
// EXPECT: random 1 x1 0 1
ROUTINE void random(int *To) {
  if (getrandom(To, 4, 0) != 4)
    abort();
  keep(reinterpret_cast<void *>(To[0]));
}
// EXPECT: receives 2 x1 0 2
ROUTINE void receives(int Fd, int *To) {
  if (recv(Fd, To, 8, 0) != 8)
    abort();
  keep(reinterpret_cast<void *>(To[0] + To[1]));
}
// EXPECT: sends 2 x1 0 0
ROUTINE void sends(int Fd, const int *From) {
  if (send(Fd, From, 8, 0) != 8)
    abort();
}
// EXPECT: mapsFile 3 x1 0 3
ROUTINE void mapsFile(int Fd) {
  auto *P = static_cast<int *>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, Fd, 0));
  if (P == MAP_FAILED)
    abort();
  keep(reinterpret_cast<void *>(P[0] + P[1] + P[100]));
  munmap(P, 4096);
}
// New memory is nobody's, whoever had the address before.
// EXPECT: mapsNothing 1 x1 0 0
ROUTINE void mapsNothing() {
  auto *P = static_cast<int *>(
      mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (P == MAP_FAILED)
    abort();
  keep(reinterpret_cast<void *>(P[5000]));
  munmap(P, 1 << 16);
}
// fgets brings a line from outside; what the rest of the buffer holds does not count.
// EXPECT: readsLines 4 x1 0 4
ROUTINE void readsLines(FILE *File, char *To) {
  for (int I = 0; I < 4; ++I)
    if (fgets(To, 200, File))
      keep(reinterpret_cast<void *>(To[0]));
}
// realloc moves all 24 bytes of the block: its own reads and writes.
// EXPECT: reallocates 6 x1 0 0
ROUTINE void reallocates(int *P) {
  auto *Q = static_cast<int *>(realloc(P, 1 << 20));
  keep(reinterpret_cast<void *>(Q[0] + Q[3]));
  free(Q);
}

int main(int, char **Arguments) {
  strcpy(A, "abcdefghijklmnopqrst"); // 20 bytes and the end: 6 cells
  strcpy(B, "abcdefghiXklmnopqrst");
  compares(A, B);
  comparesMemory(A, "z");
  length(A);
  finds(A);
  copiesString(C, A);
  strcpy(B, "12345 ");
  converts(B);
  sets(C);
  zeroes();
  strcpy(B, "12 %s 1 %d 2");
  prints(C, B, A);
  alignas(4) char Text[16] = {}, Format[16] = {};
  strcpy(Text, "42 word x      "); // 16 bytes with the end: 4 cells
  strcpy(Format, "%d %s %c  ");    // 11 bytes: 3 cells
  scans(Text, Format, Words);
  int Zeroes = open("/dev/zero", O_RDONLY);
  int X[1], Y[3];
  keep(Y);
  iovec V[2] = {{X, 4}, {Y, 8}};
  keep(V);
  Y[2] = 0;
  readsVectors(Zeroes, V, X, Y);
  random(Words);
  int Pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, Pair))
    return 1;
  Words[1] = 1;
  sends(Pair[0], Words);
  receives(Pair[1], Words);
  int Fd = open(Arguments[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (Fd < 0 || write(Fd, "a\nb\nc\nd\n", 8) != 8 || ftruncate(Fd, 4096))
    return 1;
  mapsFile(Fd);
  mapsNothing();
  FILE *File = fopen(Arguments[1], "r");
  readsLines(File, C);
  fclose(File);
  auto *P = static_cast<int *>(malloc(16));
  for (int I = 0; I < 4; ++I)
    P[I] = I;
  keep(malloc(64)); // It cannot grow in place.
  reallocates(P);
  return 0;
}
