// A mutex that the runtime has locked looks to the program, to glibc and to a debugger
// as if glibc had: its owner, its users, what unlocking a free one does; in threads, in
// a child of fork and in a static program. A preloaded library's lock functions are
// still called.
// RUN: %build
// RUN: %same --experiments %t.native %t
// RUN: %causal_clang -fcausal-profile -D_GNU_SOURCE -O1 -static -pthread -I%S/Inputs %s -o %t.static
// RUN: %same --experiments --samplers=auto %t.native %t.static
// RUN: %clang -DLIBRARY -D_GNU_SOURCE -fPIC -shared %s -o %t.so
// RUN: %same --experiments --preload=%t.so %t.native %t
#ifdef LIBRARY
#include <dlfcn.h>
#include <pthread.h>
int Locked, Unlocked;
#define STAND_IN(Name, Counter)                                                \
  int Name(pthread_mutex_t *M) {                                               \
    __atomic_fetch_add(&Counter, 1, __ATOMIC_RELAXED);                         \
    return ((int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, #Name))(M);           \
  }
STAND_IN(pthread_mutex_lock, Locked)
STAND_IN(pthread_mutex_unlock, Unlocked)
#else
#include "busy.h"
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
__attribute__((weak)) extern int Locked, Unlocked;

static void look(void) {
  pthread_mutex_t M = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t C = PTHREAD_COND_INITIALIZER;
  EXPECT(pthread_mutex_lock(&M) == 0);
  EXPECT(M.__data.__lock == 1 && M.__data.__owner == gettid());
  EXPECT(pthread_mutex_destroy(&M) == EBUSY);
  EXPECT(pthread_mutex_trylock(&M) == EBUSY);
  EXPECT(pthread_cond_timedwait(&C, &M, &(struct timespec){1, 0}) == ETIMEDOUT);
  EXPECT(M.__data.__owner == gettid());
  EXPECT(pthread_mutex_unlock(&M) == 0);
  EXPECT(M.__data.__lock == 0 && M.__data.__owner == 0);
  EXPECT(pthread_mutex_trylock(&M) == 0 && pthread_mutex_unlock(&M) == 0);
  EXPECT(pthread_mutex_destroy(&M) == 0);
}

static pthread_mutex_t Shared = PTHREAD_MUTEX_INITIALIZER;
static int Count;
static void *count(void *Unused) {
  for (int I = 0; I < 500; ++I) {
    EXPECT(pthread_mutex_lock(&Shared) == 0);
    int Seen = Count;
    if (I % 50 == 0)
      work(200);
    Count = Seen + 1;
    EXPECT(pthread_mutex_unlock(&Shared) == 0);
  }
  look();
  return Unused;
}

// Taken while there is one thread, without an atomic operation, and given back when
// there are two.
static pthread_mutex_t Early = PTHREAD_MUTEX_INITIALIZER;
static int GivenBack;
static void *takeEarly(void *Argument) {
  EXPECT(pthread_mutex_lock(&Early) == 0);
  EXPECT(GivenBack);
  EXPECT(pthread_mutex_unlock(&Early) == 0);
  return Argument;
}
static void holdAcrossCreation(void) {
  for (int I = 0; I < 3; ++I) {
    EXPECT(pthread_mutex_lock(&Early) == 0);
    EXPECT(pthread_mutex_trylock(&Early) == EBUSY);
    EXPECT(pthread_mutex_unlock(&Early) == 0);
  }
  EXPECT(pthread_mutex_lock(&Early) == 0);
  pthread_t Thread;
  EXPECT(pthread_create(&Thread, 0, takeEarly, 0) == 0);
  work(3000);
  GivenBack = 1;
  EXPECT(pthread_mutex_unlock(&Early) == 0);
  EXPECT(pthread_join(Thread, 0) == 0);
}

int main(void) {
  holdAcrossCreation();
  busyBegin();
  look();
  pthread_t Threads[2];
  for (int I = 0; I < 2; ++I)
    EXPECT(pthread_create(&Threads[I], 0, count, 0) == 0);
  for (int I = 0; I < 2; ++I)
    EXPECT(pthread_join(Threads[I], 0) == 0);
  look();
  pid_t Child = fork();
  if (Child == 0) {
    look();
    _exit(7);
  }
  int Status;
  EXPECT(waitpid(Child, &Status, 0) == Child && WEXITSTATUS(Status) == 7);
  pthread_mutex_t Checked;
  pthread_mutexattr_t Kind;
  pthread_mutexattr_init(&Kind);
  pthread_mutexattr_settype(&Kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&Checked, &Kind);
  EXPECT(pthread_mutex_lock(&Checked) == 0);
  EXPECT(pthread_mutex_lock(&Checked) == EDEADLK);
  EXPECT(pthread_mutex_unlock(&Checked) == 0);
  EXPECT(pthread_mutex_unlock(&Checked) == EPERM);
  work(30000);
  busyEnd();
  printf("%d counted\n", Count);
  EXPECT(!&Locked || (Locked > 1000 && Unlocked > 1000));
}
#endif
