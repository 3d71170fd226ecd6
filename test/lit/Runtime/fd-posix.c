// Return values, errno and signals of functions on descriptors are what they are
// without the profiler, whether a descriptor is known to the runtime or not.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t
// RUN: %causal_clang -fcausal-profile -O2 -D_FORTIFY_SOURCE=2 -pthread %s -o %t.fortified
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t.fortified
// RUN: %causal_clang -fcausal-profile -O1 -static -pthread %s -o %t.static
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t.static
// RUN: %clang -O1 -pthread %s -o %t.plain && %t.plain
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#define CHECK(Condition)                                                       \
  do                                                                           \
    if (!(Condition)) {                                                        \
      printf("line %d: %s, errno %d\n", __LINE__, #Condition, errno);          \
      return 1;                                                                \
    }                                                                          \
  while (0)
#define FAILS(Call, Error) CHECK((errno = 0, (Call) == -1) && errno == (Error))

static volatile int Handled;
static void handle(int Signal) { Handled = Signal; }

static int transfers(void) {
  int P[2], S[2];
  char Buffer[64];
  volatile size_t Size = sizeof(Buffer); // Not known to the compiler: read_chk.
  CHECK(pipe2(P, O_NONBLOCK) == 0);
  FAILS(read(P[0], Buffer, Size), EAGAIN);
  FAILS(read(P[1], Buffer, Size), EBADF);
  FAILS(write(P[0], Buffer, 1), EBADF);
  FAILS(read(-1, Buffer, Size), EBADF);
  FAILS(read(1 << 20, Buffer, Size), EBADF);
  FAILS(read(P[0], (void *)8, 0 * Size + 1), EAGAIN);
  CHECK(write(P[1], "hello", 5) == 5);
  FAILS(write(P[1], (void *)8, 1), EFAULT);
  CHECK(read(P[0], Buffer, 2) == 2 && !memcmp(Buffer, "he", 2));
  CHECK(read(P[0], Buffer, Size) == 3 && !memcmp(Buffer, "llo", 3));
  // As much as there is room for.
  char Much[4096] = {0};
  ssize_t Written, Total = 0;
  while ((Written = write(P[1], Much, sizeof(Much))) > 0)
    Total += Written;
  CHECK(errno == EAGAIN && Total == fcntl(P[1], F_GETPIPE_SZ));
  CHECK(close(P[1]) == 0);
  FAILS(close(P[1]), EBADF);
  for (; Total; Total -= sizeof(Much))
    CHECK(read(P[0], Much, sizeof(Much)) == sizeof(Much));
  CHECK(read(P[0], Buffer, Size) == 0);
  CHECK(close(P[0]) == 0);

  CHECK(pipe(P) == 0 && close(P[0]) == 0);
  signal(SIGPIPE, handle);
  FAILS(write(P[1], "x", 1), EPIPE);
  CHECK(Handled == SIGPIPE);
  close(P[1]);
  FAILS(pipe2(P, -1), EINVAL);

  CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, S) == 0);
  FAILS(recv(S[0], Buffer, Size, MSG_DONTWAIT), EAGAIN);
  CHECK(send(S[0], "one", 3, 0) == 3 && sendto(S[0], "two", 3, 0, 0, 0) == 3);
  CHECK(recv(S[1], Buffer, Size, MSG_PEEK) == 3);
  CHECK(recvfrom(S[1], Buffer, Size, 0, 0, 0) == 3 && !memcmp(Buffer, "one", 3));
  struct iovec Part = {Buffer, sizeof(Buffer)};
  struct msghdr Message = {.msg_iov = &Part, .msg_iovlen = 1};
  CHECK(recvmsg(S[1], &Message, 0) == 3 && !memcmp(Buffer, "two", 3));
  Part.iov_len = 4;
  CHECK(sendmsg(S[1], &Message, 0) == 4 && writev(S[1], &Part, 1) == 4);
  CHECK(readv(S[0], &Part, 1) == 4);
  struct mmsghdr Several = {.msg_hdr = Message};
  CHECK(recvmmsg(S[0], &Several, 1, 0, 0) == 1 && Several.msg_len == 4);
  CHECK(sendmmsg(S[0], &Several, 1, 0) == 1);
  struct timeval Soon = {0, 1000};
  setsockopt(S[0], SOL_SOCKET, SO_RCVTIMEO, &Soon, sizeof(Soon));
  FAILS(recv(S[0], Buffer, Size, 0), EAGAIN);
  CHECK(shutdown(S[0], SHUT_RDWR) == 0);
  FAILS(send(S[0], "x", 1, MSG_NOSIGNAL), EPIPE);
  close(S[0]), close(S[1]);
  FAILS(socketpair(AF_INET, SOCK_STREAM, 0, S), EOPNOTSUPP);

  int E = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE);
  eventfd_t Value;
  CHECK(eventfd_read(E, &Value) == 0 && Value == 1);
  CHECK(eventfd_write(E, 1) == 0);
  FAILS(write(E, "short", 5), EINVAL);
  CHECK(read(E, &Value, 8) == 8 && read(E, &Value, 8) == 8);
  FAILS(eventfd_read(E, &Value), EAGAIN);
  close(E);
  return 0;
}

static int descriptors(void) {
  int P[2], Copy;
  char C;
  CHECK(pipe(P) == 0);
  CHECK((Copy = dup(P[1])) > P[1] && dup2(P[1], Copy) == Copy);
  CHECK(dup2(Copy, Copy) == Copy);
  FAILS(dup3(Copy, Copy, 0), EINVAL);
  FAILS(dup2(-1, Copy), EBADF);
  CHECK(dup3(P[1], 100, O_CLOEXEC) == 100);
  CHECK(fcntl(100, F_GETFD) == FD_CLOEXEC);
  CHECK(fcntl(P[1], F_DUPFD_CLOEXEC, 200) == 200);
  CHECK(fcntl(P[0], F_SETFL, O_NONBLOCK) == 0);
  CHECK(fcntl(P[0], F_GETFL) == (O_RDONLY | O_NONBLOCK));
  CHECK(write(200, "x", 1) == 1 && read(P[0], &C, 1) == 1);
  CHECK(close_range(100, 200, 0) == 0);
  FAILS(write(200, "x", 1), EBADF);
  close(Copy), close(P[1]);
  CHECK(read(P[0], &C, 1) == 0);
  closefrom(P[0]);
  FAILS(fcntl(P[0], F_GETFD), EBADF);
  // open passes the mode on, and gets a number that was a pipe's.
  int Fd = open("/dev/null", O_WRONLY | O_CREAT, 0600);
  CHECK(Fd == P[0] && write(Fd, "x", 1) == 1);
  close(Fd);
  FAILS(open("/nonexistent/x", O_RDONLY), ENOENT);

  // A vfork child has descriptors of its own.
  CHECK(pipe(P) == 0);
  pid_t Child = vfork();
  if (!Child) {
    close(P[0]);
    dup2(P[1], 1);
    execl("/bin/echo", "echo", "hi", (char *)0);
    _exit(1);
  }
  int Status;
  CHECK(waitpid(Child, &Status, 0) == Child && Status == 0);
  CHECK(read(P[0], &C, 1) == 1 && C == 'h');
  close(P[0]), close(P[1]);
  return 0;
}

static int sets(void) {
  int P[2];
  CHECK(pipe(P) == 0);
  struct pollfd Fds[2] = {{P[0], POLLIN, 0}, {P[1], POLLOUT, 0}};
  volatile nfds_t Count = 2;
  struct timespec Short = {0, 1000}, None = {0, 0}, Bad = {0, -1};
  CHECK(poll(Fds, 1, 1) == 0);
  CHECK(poll(Fds, Count, -1) == 1 && Fds[1].revents == POLLOUT);
  CHECK(ppoll(Fds, 1, &Short, 0) == 0);
  FAILS(ppoll(Fds, 1, &Bad, 0), EINVAL);
  FAILS(poll(0, 1, 1), EFAULT);
  CHECK(poll(0, 0, 1) == 0);

  fd_set Set;
  struct timeval Moment = {0, 1000};
  FD_ZERO(&Set);
  FD_SET(P[0], &Set);
  CHECK(select(P[0] + 1, &Set, 0, 0, &Moment) == 0 && !FD_ISSET(P[0], &Set));
  FD_SET(P[1], &Set);
  CHECK(pselect(P[1] + 1, 0, &Set, 0, 0, 0) == 1 && FD_ISSET(P[1], &Set));
  FAILS(select(-1, 0, 0, 0, &Moment), EINVAL);

  int E = epoll_create1(0);
  struct epoll_event Event = {EPOLLIN, {.u64 = 77}}, Seen;
  FAILS(epoll_ctl(E, EPOLL_CTL_DEL, P[0], 0), ENOENT);
  CHECK(epoll_ctl(E, EPOLL_CTL_ADD, P[0], &Event) == 0);
  FAILS(epoll_ctl(E, EPOLL_CTL_ADD, P[0], &Event), EEXIST);
  CHECK(epoll_wait(E, &Seen, 1, 1) == 0);
  FAILS(epoll_wait(E, &Seen, 0, 1), EINVAL);
  FAILS(epoll_wait(P[0], &Seen, 1, 1), EINVAL);
  CHECK(write(P[1], "x", 1) == 1);
  CHECK(epoll_wait(E, &Seen, 1, -1) == 1 && Seen.data.u64 == 77);
  CHECK(epoll_pwait(E, &Seen, 1, -1, 0) == 1 && Seen.events == EPOLLIN);
  CHECK(epoll_ctl(E, EPOLL_CTL_DEL, P[0], 0) == 0);
  CHECK(epoll_wait(E, &Seen, 1, 0) == 0);
  return 0;
}

// A handler without SA_RESTART ends a wait, of whatever kind, with EINTR.
static int interruptions(void) {
  int P[2], E = epoll_create1(0);
  char C;
  CHECK(pipe(P) == 0);
  struct epoll_event Event = {EPOLLIN, {0}};
  CHECK(epoll_ctl(E, EPOLL_CTL_ADD, P[0], &Event) == 0);
  struct pollfd Fd = {P[0], POLLIN, 0};
  fd_set Set;
  FD_ZERO(&Set);
  FD_SET(P[0], &Set);
  sigset_t Alarm, Empty;
  sigemptyset(&Empty);
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGALRM);
  struct sigaction Action = {.sa_handler = handle};
  sigaction(SIGALRM, &Action, 0);
  // Comes again and again, so that none is too early.
  struct itimerval Often = {{0, 2000}, {0, 2000}}, Off = {0};
  setitimer(ITIMER_REAL, &Often, 0);
  FAILS(read(P[0], &C, 1), EINTR);
  FAILS(poll(&Fd, 1, -1), EINTR);
  FAILS(select(P[0] + 1, &Set, 0, 0, 0), EINTR);
  FAILS(epoll_wait(E, &Event, 1, -1), EINTR);
  // Blocked outside, open inside of the call.
  sigprocmask(SIG_BLOCK, &Alarm, 0);
  Handled = 0;
  FAILS(ppoll(&Fd, 1, 0, &Empty), EINTR);
  FAILS(pselect(P[0] + 1, &Set, 0, 0, 0, &Empty), EINTR);
  FAILS(epoll_pwait(E, &Event, 1, -1, &Empty), EINTR);
  CHECK(Handled == SIGALRM);
  int S = signalfd(-1, &Alarm, 0);
  struct signalfd_siginfo Info;
  CHECK(read(S, &Info, sizeof(Info)) == sizeof(Info) && Info.ssi_signo == SIGALRM);
  setitimer(ITIMER_REAL, &Off, 0);
  return 0;
}

int main(void) {
  return transfers() || descriptors() || sets() || interruptions();
}
