//===- DescriptorCreditTest.cpp - Who is credited for waits on descriptors -===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The wrappers as they are, around the real calls, in this program: a thread waits,
// the global delay grows meanwhile, and something ends the wait. What the thread
// then owes does not depend on any clock.
//
//===----------------------------------------------------------------------===//
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "intercept/causal_descriptor_sync.h"
#include "intercept/causal_interceptors.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_signal_stack.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <functional>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

//===-- The rest of the runtime, in small ---------------------------------===//

__causal::Run __causal::TheRun;
__thread __causal::CausalThread *__causal::CurrentCausalThread;
__thread __causal::CPUThread *__causal::CurrentCPUThread; // Null: not that mode.
void __causal::beginWait(CPUThread &, WaitSite &, uintptr_t, const void *, const UnwindRegisters &,
                         OpenWait &) {}
void __causal::endWait(CPUThread &, const OpenWait &) {}
__attribute__((preserve_most)) void __causal::wakeInCPUMode(CPUThread &, uintptr_t, const void *,
                                                            bool) {}
__thread __causal::ThreadBase *__causal::CurrentThread;

void __causal::paySlow(CausalThread &T) { T.Delay.credit(run().Scheduler.Delays.total()); }
void __causal::suspendSlow(CausalThread &) {}
void __causal::leaveCoreSlow(CausalThread &) {}
void __causal::resumeSlow(CausalThread &) {}
void __causal::meetSlow(CausalThread &, uintptr_t) {}
void __causal::meetWokenSlow(CausalThread &, uintptr_t, uintptr_t, uintptr_t) {}
void __causal::noteWakingSlow(CausalThread &, uintptr_t) {}
__causal::OutsidePoint __causal::goOutSlow(CausalThread &) { return {}; }
void __causal::cameBackSlow(CausalThread &, OutsidePoint) {}
void __causal::enterKernelSlow(CausalThread &) {}
void __causal::leftKernelSlow(CausalThread &) {}
bool __causal::inOwnProcess() { return true; }
bool __causal::isOwnDescriptor(int) { return false; }
int __causal::nextOwnDescriptor(int) { return -1; }
void __causal::disownDescriptor(int) {}
int __causal::OwnOpening::Count;
void __causal::OwnOpening::waitForSome() {}
int __causal::samplerSignal() { return SIGTRAP; }
int __causal::numberToThread(int Signal) { return Signal; }
struct sigaction *__causal::programAction(int) { return nullptr; }
bool __causal::isRuntimeHandler(const struct sigaction &) { return false; }
void __causal::updateStandIn() {}
void __causal::beforeAction(int, struct sigaction &) {}
void __causal::afterAction(int) {}
bool __causal::lacksOnStack(int) { return false; }
void __causal::forgetOnStack(int) {}
bool __causal::isOnSignalStack() { return false; }
void __causal::dropPendingSamples() {}
void __causal::allowSignalStacks() {}
void __causal::forgetSampler() {}
int __causal::changeSignalStack(const stack_t *New, stack_t *Old,
                                int (*Real)(const stack_t *, stack_t *)) {
  return Real(New, Old);
}

using namespace __causal;

namespace {

constexpr uint64_t Delay = 1000000;

struct DescriptorCredit : testing::Test {
  CausalThread Waker = {}, Waiter = {};
  uint64_t Before = run().Scheduler.Delays.total();
  std::vector<int> Opened;

  void SetUp() override {
    Waker.Delay.Local = Waiter.Delay.Local = Before;
    CurrentCausalThread = &Waker;
  }
  void TearDown() override {
    CurrentCausalThread = nullptr;
    for (int Fd : Opened)
      close(Fd);
  }

  int own(int Fd) {
    EXPECT_GE(Fd, 0);
    Opened.push_back(Fd);
    return Fd;
  }
  struct Ends {
    int Read, Write;
  };
  Ends makePipe() {
    int Fds[2];
    EXPECT_EQ(pipe(Fds), 0);
    return {own(Fds[0]), own(Fds[1])};
  }
  Ends makeUnknownPipe() {
    int Fds[2];
    EXPECT_EQ(syscall(SYS_pipe2, Fds, 0), 0);
    return {own(Fds[0]), own(Fds[1])};
  }

  /// Runs Wait in a thread. Once it is in the call (Known: as far as the books say),
  /// this thread gets ahead of it by Delay, and calls End. Returns how much of that
  /// the waiting thread got credit for.
  uint64_t credit(std::function<void()> Wait, std::function<void()> End, bool Known = true) {
    std::thread T([&] {
      CurrentCausalThread = &Waiter;
      Wait();
      CurrentCausalThread = nullptr;
    });
    while (Known && !__atomic_load_n(&Waiter.Blocked, __ATOMIC_ACQUIRE))
      std::this_thread::yield();
    Waker.Delay.charge(run().Scheduler.Delays, Delay);
    End();
    T.join();
    EXPECT_EQ(Waiter.Blocked, 0);
    return Waiter.Delay.Local - Before;
  }
};

char Byte;
void put(int Fd) { EXPECT_EQ(write(Fd, "x", 1), 1); }
void take(int Fd) { EXPECT_EQ(read(Fd, &Byte, 1), 1); }

TEST_F(DescriptorCredit, Pipe) {
  Ends P = makePipe();
  int Read = P.Read, Write = P.Write;
  EXPECT_EQ(credit([&] { take(Read); }, [&] { put(Write); }), Delay);
}

TEST_F(DescriptorCredit, UnknownPipeIsTheOutsideWorld) {
  Ends P = makeUnknownPipe();
  int Read = P.Read, Write = P.Write;
  EXPECT_EQ(credit([&] { take(Read); }, [&] { put(Write); }, /*Known=*/false), 0u);
}

TEST_F(DescriptorCredit, OtherEndInAnotherProcess) {
  Ends P = makePipe();
  int Read = P.Read, Write = P.Write;
  Ends Control = makeUnknownPipe();
  pid_t Child = fork();
  if (!Child) {
    take(Control.Read);
    syscall(SYS_write, Write, "x", 1);
    _exit(0);
  }
  EXPECT_EQ(credit([&] { take(Read); }, [&] { put(Control.Write); }), 0u);
  waitpid(Child, nullptr, 0);
}

TEST_F(DescriptorCredit, AnEndThatOnlyAChildHasIsTheOutsideWorld) {
  Ends P = makePipe();
  pid_t Child = fork();
  if (!Child)
    _exit(write(P.Write, "x", 1) != 1);
  close(P.Write);
  Opened.pop_back();
  Waker.Delay.charge(run().Scheduler.Delays, Delay);
  CurrentCausalThread = &Waiter;
  take(P.Read);
  pollfd Fd = {P.Read, POLLIN, 0};
  EXPECT_EQ(poll(&Fd, 1, -1), 1);
  EXPECT_EQ(Waiter.Delay.Local, Before) << "delays pile up, to be paid later";
  int Status;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
}

TEST_F(DescriptorCredit, WhatWasPublishedBeforeTheWaitIsNoCredit) {
  Ends P = makePipe();
  int Read = P.Read, Write = P.Write;
  put(Write);
  take(Read);
  EXPECT_EQ(credit([&] { take(Read); }, [&] { syscall(SYS_write, Write, "x", 1); }), 0u);
}

TEST_F(DescriptorCredit, EndOfFile) {
  Ends P = makePipe();
  int Read = P.Read, Write = P.Write;
  Opened.pop_back();
  EXPECT_EQ(credit([&] { EXPECT_EQ(read(Read, &Byte, 1), 0); }, [&] { close(Write); }), Delay);
}

TEST_F(DescriptorCredit, ReaderMakesRoom) {
  Ends P = makePipe();
  int Read = P.Read, Write = P.Write;
  std::vector<char> Much(fcntl(Write, F_GETPIPE_SZ));
  ASSERT_EQ(write(Write, Much.data(), Much.size()), ssize_t(Much.size()));
  EXPECT_EQ(credit([&] { put(Write); },
                   [&] { EXPECT_EQ(read(Read, Much.data(), Much.size()), ssize_t(Much.size())); }),
            Delay);
}

TEST_F(DescriptorCredit, Duplicates) {
  Ends P = makePipe();
  int Read = P.Read, Write = P.Write;
  int ReadToo = own(dup(Read)), WriteToo = own(fcntl(Write, F_DUPFD, 40));
  EXPECT_EQ(credit([&] { take(ReadToo); }, [&] { put(WriteToo); }), Delay);
  int Reused = dup2(Write, WriteToo);
  ASSERT_EQ(Reused, WriteToo);
  Before = Waiter.Delay.Local;
  EXPECT_EQ(credit([&] { take(Read); }, [&] { put(Reused); }), Delay);
}

TEST_F(DescriptorCredit, ReusedNumber) {
  Ends P = makePipe();
  int Read = P.Read, Write = P.Write;
  close(Write);
  Opened.pop_back();
  int Fd = own(open("/dev/null", O_WRONLY));
  EXPECT_EQ(Fd, Write);
  EXPECT_FALSE(descriptors().get(Fd).known());
  // Closed where nobody sees it: the next use of the number tells.
  syscall(SYS_close, Read);
  int Epoll = own(epoll_create1(0));
  EXPECT_EQ(Epoll, Read);
  EXPECT_FALSE(descriptors().get(Epoll).known());
  Opened.erase(Opened.begin());
}

TEST_F(DescriptorCredit, SocketPairBothWays) {
  int Fds[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, Fds), 0);
  int A = own(Fds[0]), B = own(Fds[1]);
  EXPECT_EQ(credit([&] { EXPECT_EQ(recv(B, &Byte, 1, 0), 1); },
                   [&] { EXPECT_EQ(send(A, "x", 1, 0), 1); }),
            Delay);
  Before = Waiter.Delay.Local;
  EXPECT_EQ(credit([&] { take(A); }, [&] { put(B); }), Delay);
  Before = Waiter.Delay.Local;
  EXPECT_EQ(credit([&] { EXPECT_EQ(read(A, &Byte, 1), 0); }, [&] { shutdown(B, SHUT_WR); }), Delay);
}

TEST_F(DescriptorCredit, LoopbackConnection) {
  sockaddr_in6 Address = {};
  socklen_t Length = sizeof(Address);
  Address.sin6_family = AF_INET6;
  int Listener = own(socket(AF_INET6, SOCK_STREAM, 0));
  if (bind(Listener, reinterpret_cast<sockaddr *>(&Address), Length) || listen(Listener, 1) ||
      getsockname(Listener, reinterpret_cast<sockaddr *>(&Address), &Length))
    GTEST_SKIP() << "no IPv6 here: " << strerror(errno);
  sockaddr_in To = {};
  To.sin_family = AF_INET;
  To.sin_port = Address.sin6_port;
  To.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int Client = own(socket(AF_INET, SOCK_STREAM, 0));
  ASSERT_EQ(connect(Client, reinterpret_cast<sockaddr *>(&To), sizeof(To)), 0);
  Descriptor D = descriptors().get(Client);
  EXPECT_FALSE(descriptors().hasWriters(D.In)) << "nobody is there yet";
  int Server = own(accept(Listener, nullptr, nullptr));
  EXPECT_EQ(credit([&] { take(Server); }, [&] { put(Client); }), Delay);
  Before = Waiter.Delay.Local;
  EXPECT_EQ(credit([&] { take(Client); }, [&] { put(Server); }), Delay);
  close(Server);
  Opened.pop_back();
  EXPECT_FALSE(descriptors().hasWriters(D.In));
}

TEST_F(DescriptorCredit, EventFd) {
  int Fd = own(eventfd(0, 0));
  uint64_t Value = 1;
  EXPECT_EQ(credit([&] { EXPECT_EQ(read(Fd, &Value, 8), 8); },
                   [&] { EXPECT_EQ(eventfd_write(Fd, 3), 0); }),
            Delay);
  EXPECT_EQ(Value, 3u);
  // Full: the writer waits for the reader.
  ASSERT_EQ(eventfd_write(Fd, ~0ull - 1), 0);
  Before = Waiter.Delay.Local;
  EXPECT_EQ(credit([&] { EXPECT_EQ(eventfd_write(Fd, 1), 0); },
                   [&] { EXPECT_EQ(eventfd_read(Fd, &Value), 0); }),
            Delay);
}

TEST_F(DescriptorCredit, SignalFd) {
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &Set, nullptr);
  int Fd = own(signalfd(-1, &Set, 0));
  signalfd_siginfo Info;
  EXPECT_EQ(credit([&] { EXPECT_EQ(read(Fd, &Info, sizeof(Info)), ssize_t(sizeof(Info))); },
                   [&] { EXPECT_EQ(kill(getpid(), SIGUSR1), 0); }),
            Delay);
  EXPECT_EQ(Info.ssi_signo, unsigned(SIGUSR1));
}

TEST_F(DescriptorCredit, MessageQueue) {
  std::string Name = "/causal-test-" + std::to_string(getpid());
  mq_attr Attributes = {};
  Attributes.mq_maxmsg = 1;
  Attributes.mq_msgsize = 1;
  int Write = mq_open(Name.c_str(), O_CREAT | O_WRONLY, 0600, &Attributes);
  if (Write < 0)
    GTEST_SKIP() << "no message queues here: " << strerror(errno);
  int Read = own(mq_open(Name.c_str(), O_RDONLY));
  mq_unlink(Name.c_str());
  EXPECT_EQ(credit([&] { EXPECT_EQ(mq_receive(Read, &Byte, 1, nullptr), 1); },
                   [&] { EXPECT_EQ(mq_send(Write, "x", 1, 0), 0); }),
            Delay);
  ASSERT_EQ(mq_send(Write, "x", 1, 0), 0);
  Before = Waiter.Delay.Local;
  EXPECT_EQ(credit([&] { EXPECT_EQ(mq_send(Write, "y", 1, 0), 0); },
                   [&] { EXPECT_EQ(mq_receive(Read, &Byte, 1, nullptr), 1); }),
            Delay);
  mq_close(Write);
}

TEST_F(DescriptorCredit, FifoAndItsOpening) {
  char Directory[] = "/tmp/causal-test-XXXXXX";
  ASSERT_NE(mkdtemp(Directory), nullptr);
  std::string Path = std::string(Directory) + "/fifo";
  ASSERT_EQ(mkfifo(Path.c_str(), 0600), 0);
  int Read = -1, Write = -1;
  EXPECT_EQ(credit([&] { Read = open(Path.c_str(), O_RDONLY); },
                   [&] { Write = open(Path.c_str(), O_WRONLY); }),
            Delay);
  own(Read);
  own(Write);
  unlink(Path.c_str());
  rmdir(Directory);
  Before = Waiter.Delay.Local;
  EXPECT_EQ(credit([&] { take(Read); }, [&] { put(Write); }), Delay);
}

TEST_F(DescriptorCredit, Splice) {
  Ends P = makePipe();
  int Read = P.Read, Write = P.Write;
  int Fds[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, Fds), 0);
  int A = own(Fds[0]), B = own(Fds[1]);
  EXPECT_EQ(
      credit([&] { EXPECT_EQ(splice(Read, nullptr, A, nullptr, 1, 0), 1); }, [&] { put(Write); }),
      Delay);
  take(B);
}

//===-- Sets --------------------------------------------------------------===//

struct SetCredit : DescriptorCredit {
  Ends Inside = makePipe(), Outside = makeUnknownPipe();

  /// A wait on both ends is credited when the inner one is written to, and not when
  /// the outer one is.
  void check(std::function<void()> Wait) {
    EXPECT_EQ(credit(Wait, [&] { put(Inside.Write); }), Delay);
    take(Inside.Read);
    Waiter.Delay.Local = Before = run().Scheduler.Delays.total();
    EXPECT_EQ(credit(Wait, [&] { put(Outside.Write); }), 0u);
  }
};

TEST_F(SetCredit, Poll) {
  check([&] {
    pollfd Fds[] = {{Inside.Read, POLLIN, 0}, {-1, 0, 0}, {Outside.Read, POLLIN, 0}};
    EXPECT_EQ(poll(Fds, 3, -1), 1);
  });
}

TEST_F(SetCredit, PPoll) {
  sigset_t All;
  sigfillset(&All);
  timespec Long = {1000, 0};
  check([&] {
    pollfd Fds[] = {{Inside.Read, POLLIN, 0}, {Outside.Read, POLLIN, 0}};
    EXPECT_EQ(ppoll(Fds, 2, &Long, &All), 1);
  });
}

TEST_F(SetCredit, Select) {
  check([&] {
    fd_set Set;
    FD_ZERO(&Set);
    FD_SET(Inside.Read, &Set);
    FD_SET(Outside.Read, &Set);
    EXPECT_EQ(select(FD_SETSIZE, &Set, nullptr, nullptr, nullptr), 1);
  });
}

TEST_F(SetCredit, PSelect) {
  sigset_t All;
  sigfillset(&All);
  check([&] {
    fd_set Set;
    FD_ZERO(&Set);
    FD_SET(Inside.Read, &Set);
    FD_SET(Outside.Read, &Set);
    EXPECT_EQ(pselect(FD_SETSIZE, &Set, nullptr, nullptr, nullptr, &All), 1);
  });
}

TEST_F(SetCredit, EPoll) {
  int Epoll = own(epoll_create1(0));
  epoll_event Event = {EPOLLIN, {}}, Seen;
  for (int Fd : {Inside.Read, Outside.Read})
    ASSERT_EQ(epoll_ctl(Epoll, EPOLL_CTL_ADD, Fd, &Event), 0);
  check([&] { EXPECT_EQ(epoll_wait(Epoll, &Seen, 1, -1), 1); });
}

TEST_F(SetCredit, EPollWithMask) {
  sigset_t All;
  sigfillset(&All);
  int Epoll = own(epoll_create1(0));
  epoll_event Event = {EPOLLIN, {}}, Seen;
  for (int Fd : {Inside.Read, Outside.Read})
    ASSERT_EQ(epoll_ctl(Epoll, EPOLL_CTL_ADD, Fd, &Event), 0);
  check([&] { EXPECT_EQ(epoll_pwait(Epoll, &Seen, 1, -1, &All), 1); });
}

TEST_F(SetCredit, EPollInPoll) {
  int Epoll = own(epoll_create1(0));
  epoll_event Event = {EPOLLIN, {}};
  for (int Fd : {Inside.Read, Outside.Read})
    ASSERT_EQ(epoll_ctl(Epoll, EPOLL_CTL_ADD, Fd, &Event), 0);
  check([&] {
    pollfd Fds[] = {{Epoll, POLLIN, 0}};
    EXPECT_EQ(poll(Fds, 1, -1), 1);
  });
}

TEST_F(SetCredit, NoWaitNoMark) {
  pollfd Fds[] = {{Inside.Read, POLLIN, 0}};
  EXPECT_EQ(poll(Fds, 1, 0), 0);
  timespec None = {0, 0};
  EXPECT_EQ(ppoll(Fds, 1, &None, nullptr), 0);
  Waker.Delay.charge(run().Scheduler.Delays, Delay);
  CausalThread Other = {};
  Other.Delay.Local = Before;
  CurrentCausalThread = &Other;
  EXPECT_EQ(poll(Fds, 1, 0), 0);
  EXPECT_EQ(Other.Delay.Local, Before) << "nothing to pay for";
}

} // namespace
