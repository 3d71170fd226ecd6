// Children of fork() that exec, of system() and of popen(), one after the other, while other
// threads allocate, write to streams and have locks: output and ends are as ever.
// RUN: %build
// RUN: %same --experiments --options=fixed_speedup=90 %t.native %t exec
// RUN: %same --options=fixed_speedup=90 %t.native %t system
// RUN: %same --options=fixed_speedup=90 %t.native %t popen
// RUN: %same --options=fixed_speedup=90 %t.native %t all
#include "busy.h"
#include <sys/wait.h>
#include <unistd.h>

enum { Rounds = 25 };
static int Stop;
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *Null;

static void *allocates(void *Argument) {
  void *Blocks[64] = {0};
  for (unsigned I = 0; !__atomic_load_n(&Stop, __ATOMIC_RELAXED); ++I) {
    pthread_mutex_lock(&Mutex);
    free(Blocks[I % 64]);
    Blocks[I % 64] = malloc(I % 3000 + 1);
    fprintf(Null, "%u\n", I);
    pthread_mutex_unlock(&Mutex);
  }
  for (int I = 0; I < 64; ++I)
    free(Blocks[I]);
  return Argument;
}

static void byExec(int I) {
  char Number[20];
  snprintf(Number, sizeof(Number), "%d", I);
  pid_t Child = fork();
  if (!Child) {
    free(malloc(1000)); // libc's own locks are free here.
    execl("/bin/sh", "sh", "-c", "echo $0 of a child; exit $0", Number, (char *)0);
    _exit(99);
  }
  int Status;
  EXPECT(waitpid(Child, &Status, 0) == Child);
  printf("%d\n", Status);
}
static void bySystem(int I) {
  char Command[64];
  snprintf(Command, sizeof(Command), "echo %d of system; exit %d", I, I);
  printf("%d\n", system(Command));
}
static void byPopen(int I) {
  char Command[64], Text[64] = "";
  snprintf(Command, sizeof(Command), "echo %d of popen; exit %d", I, I);
  FILE *Pipe = popen(Command, "r");
  EXPECT(Pipe && fgets(Text, sizeof(Text), Pipe));
  printf("%s%d\n", Text, pclose(Pipe));
  Pipe = popen("cat", "w");
  EXPECT(Pipe && fprintf(Pipe, "%d to popen\n", I) > 0 && pclose(Pipe) == 0);
}

static void (*const Ways[])(int) = {byExec, bySystem, byPopen};
static const char *const Names[] = {"exec", "system", "popen"};

// One thread at a time, so that the output has an order.
static void *starts(void *Way) {
  for (int I = 0; I < Rounds; ++I) {
    pthread_mutex_lock(&BusyMutex);
    fflush(stdout);
    (*(void (*const *)(int))Way)(I);
    fflush(stdout);
    pthread_mutex_unlock(&BusyMutex);
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t Allocators[2], Starter;
  Null = fopen("/dev/null", "w");
  busyBegin();
  for (int I = 0; I < 2; ++I)
    pthread_create(&Allocators[I], 0, allocates, 0);
  for (int I = 0; I < 3; ++I)
    if (!strcmp(argv[1], Names[I]) || !strcmp(argv[1], "all")) {
      pthread_create(&Starter, 0, starts, (void *)&Ways[I]);
      pthread_join(Starter, 0);
    }
  __atomic_store_n(&Stop, 1, __ATOMIC_RELAXED);
  for (int I = 0; I < 2; ++I)
    pthread_join(Allocators[I], 0);
  busyEnd();
  return 0;
}
