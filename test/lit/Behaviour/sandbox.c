// "The profile ends here" ends all of it: a program that forbids itself every system call but its
// own is not ended for one of ours, whatever it does then, and however it asked for that.
// RUN: %build
// RUN: %same --options=log_path=%t.log %t.native %t
// RUN: %same --options=log_path=%t.log %t.native %t by-syscall
// RUN: %same --options=log_path=%t.log %t.native %t all-threads
// RUN: %env_causal_opts=output=%t.causal:experiment_ms=5:sample_period_us=100 not %t by-syscall 2> %t.err
// RUN: FileCheck %s --input-file=%t.err
// CHECK: the program restricts its system calls: the profile ends here
#include "busy.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(Number)                                                                              \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, Number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

// What libc calls below. The mask comes first: at the end of a thread.
static struct sock_filter Filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    ALLOW(SYS_rt_sigprocmask),
    ALLOW(SYS_write),
    ALLOW(SYS_exit_group),
    ALLOW(SYS_exit),
    ALLOW(SYS_rt_sigreturn),
    ALLOW(SYS_rt_sigaction),
    ALLOW(SYS_tgkill),
    ALLOW(SYS_brk),
    ALLOW(SYS_mmap),
    ALLOW(SYS_munmap),
    ALLOW(SYS_madvise),
    ALLOW(SYS_futex),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};

static int Inside;
static pthread_barrier_t Barrier;
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t Condition = PTHREAD_COND_INITIALIZER;
static volatile int Traps;
static void onTrap(int Signal) { ++Traps; }

static void spin(void) {
  for (volatile int I = 0; I < 20000000; ++I)
    ;
}

// Works before and in the sandbox, and ends in it.
static void *worker(void *Argument) {
  pthread_mutex_lock(&Mutex);
  while (!Inside)
    pthread_cond_wait(&Condition, &Mutex);
  pthread_mutex_unlock(&Mutex);
  spin();
  pthread_barrier_wait(&Barrier);
  CAUSAL_PROGRESS_NAMED("in the sandbox");
  return Argument;
}

static void enter(const char *How) {
  struct sock_fprog Program = {sizeof(Filter) / sizeof(*Filter), Filter};
  if (strcmp(How, "all-threads"))
    Filter[1].k = SYS_write;
  EXPECT(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  if (!*How)
    EXPECT(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program));
  else
    EXPECT(!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                    strcmp(How, "by-syscall") ? SECCOMP_FILTER_FLAG_TSYNC : 0, &Program));
}

int main(int argc, char **argv) {
  enum { Workers = 3 };
  pthread_t Threads[Workers];
  const char *How = argc > 1 ? argv[1] : "";
  setvbuf(stdout, malloc(4096), _IOFBF, 4096);
  busyBegin();
  busyEnd();
  pthread_barrier_init(&Barrier, 0, Workers + 1);
  for (int I = 0; I < Workers; ++I)
    pthread_create(&Threads[I], 0, worker, 0);
  work(20000);
  enter(How);
  spin();
  pthread_mutex_lock(&Mutex);
  Inside = 1;
  pthread_cond_broadcast(&Condition);
  pthread_mutex_unlock(&Mutex);
  pthread_barrier_wait(&Barrier);
  for (int I = 0; I < Workers; ++I)
    pthread_join(Threads[I], 0);
  CAUSAL_PROGRESS_NAMED("another one");
  signal(SIGTRAP, onTrap);
  __asm__ volatile("int3");
  free(malloc(10 << 20));
  static const char Text[] = "alive\n";
  EXPECT(write(1, Text, sizeof(Text) - 1) == sizeof(Text) - 1 && Traps == 1);
  return 7;
}
