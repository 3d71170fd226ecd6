// fork, vfork, posix_spawn, system, popen, exec that works and exec that fails, and a
// daemon that closes every descriptor: the program sees nothing of us, children are
// runs of their own, and exec loses no samples.
// RUN: rm -f %t.d/*
// RUN: %build
// RUN: %same --options=output=%t.d/%%p.causal %t.native %t
// RUN: cat %t.d/*.causal | %python %S/Inputs/finished_runs.py
#include "busy.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int finish(pid_t Child) {
  int Status = -1;
  EXPECT(waitpid(Child, &Status, 0) == Child);
  return Status;
}

// A child of fork may have got the mutex locked.
static void beginAnew(void) {
  BusyStop = 0;
  pthread_mutex_init(&BusyMutex, 0);
}

static void daemonise(void) {
  if (fork())
    _exit(0);
  setsid();
  if (fork())
    _exit(0);
  long Limit = sysconf(_SC_OPEN_MAX);
  for (long Fd = 3; Fd < (Limit < 20000 ? Limit : 20000); ++Fd)
    close((int)Fd);
  EXPECT(chdir("/") == 0);
  // The first numbers are free, and hold what we put there.
  EXPECT(open("/dev/null", O_RDWR) == 3);
  beginAnew();
  busyBegin();
  work(15000);
  busyEnd();
  exit(0);
}

int main(int argc, char **argv) {
  char *Arguments[] = {argv[0], "again", 0};
  if (argc > 1) {
    busyBegin();
    work(15000);
    busyEnd();
    return 5;
  }
  busyBegin();
  work(15000);
  errno = 0;
  EXPECT(execl("/nowhere", "x", (char *)0) == -1 && errno == ENOENT);
  EXPECT(execvp("no-such-program", Arguments) == -1 && errno == ENOENT);
  work(5000);

  pid_t Child = fork();
  if (!Child) {
    beginAnew();
    busyBegin();
    work(15000);
    busyEnd();
    _exit(3);
  }
  printf("fork %d\n", finish(Child));
  Child = fork();
  if (!Child) {
    work(10000);
    execle("/proc/self/exe", argv[0], "again", (char *)0, environ);
    _exit(1);
  }
  printf("exec %d\n", finish(Child));
  Child = vfork();
  if (!Child) {
    execv("/proc/self/exe", Arguments);
    _exit(1);
  }
  printf("vfork %d\n", finish(Child));
  Child = vfork();
  if (!Child)
    _exit(4);
  printf("vfork %d\n", finish(Child));
  EXPECT(posix_spawn(&Child, "/proc/self/exe", 0, 0, Arguments, environ) == 0);
  printf("posix_spawn %d\n", finish(Child));
  printf("system %d\n", system("exit 6"));
  char Text[10] = "";
  FILE *Pipe = popen("echo hello", "r");
  EXPECT(Pipe && fgets(Text, sizeof(Text), Pipe));
  printf("popen %s%d\n", Text, pclose(Pipe));
  fflush(stdout);

  int Ready[2];
  char Byte;
  EXPECT(pipe(Ready) == 0);
  Child = fork();
  if (!Child) {
    close(Ready[0]);
    dup2(Ready[1], 2); // Stays open until the daemon is done.
    daemonise();
  }
  close(Ready[1]);
  finish(Child);
  EXPECT(read(Ready[0], &Byte, 1) == 0);
  busyEnd();
  return 0;
}
