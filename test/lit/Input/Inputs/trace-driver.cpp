// Replays traces of accesses on real threads, and compares what the runtime counts with the
// definition of the threaded read memory size, computed from sets.
//
//   trace-driver METRIC file FILE            traces with what is expected; a blank line between
//   trace-driver METRIC random SEED COUNT THREADS   random traces, one event at a time
//   trace-driver METRIC race SEED THREADS EVENTS CELLS   threads run freely, and each event takes
//                                            a ticket while it holds its cell
//   trace-driver METRIC update SEED THREADS EVENTS CELLS   atomic updates alone, without any lock:
//                                            their order is that of the values that they return
//
// METRIC: trms, rms or external. Prints counts, and exits with 1 where anything differs.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <random>
#include <sched.h>
#include <string>
#include <vector>

void activation(long Thread);
extern "C" void __causal_input_query(long *);

enum Operation { Call, Return, Read, Write, Modify, Fill, Take, Update };
static const char *const Names[] = {"call", "ret", "r", "w", "m", "kw", "kr", "u"};

struct Count {
  long Total = 0, Threads = 0, Outside = 0;
  bool operator!=(const Count &O) const {
    return Total != O.Total || Threads != O.Threads || Outside != O.Outside;
  }
};
struct Event {
  Operation Op;
  int Thread;
  unsigned Cell = 0;
  unsigned long Order = 0;
  Count Seen, Expected;
};
using Trace = std::vector<Event>;

// The definition. An activation has accessed a cell since its last foreign write ("fresh"), or
// at all ("ever"). A read is input of each pending activation for which the cell is not fresh.
struct Pending {
  unsigned long Fresh = 0, Ever = 0, SinceFill = 0;
  Count Trms, External;
  long Rms = 0;
};
enum Source { Nobody, Thread, Outside };

class Definition {
public:
  explicit Definition(int Threads, const std::string &Metric)
      : Stacks(Threads), Sources(Threads), Metric(Metric) {}

  /// What an activation had, when it returns.
  Count step(const Event &E) {
    unsigned long Bit = 1ul << E.Cell;
    switch (E.Op) {
    case Call:
      Stacks[E.Thread].push_back({});
      break;
    case Return: {
      Pending P = Stacks[E.Thread].back();
      Stacks[E.Thread].pop_back();
      return Metric == "trms" ? P.Trms : Metric == "rms" ? Count{P.Rms, 0, 0} : P.External;
    }
    case Read:
    case Take:
      read(E.Thread, E.Cell, Bit);
      break;
    case Write:
      write(E.Thread, E.Cell, Bit, Thread);
      break;
    case Modify:
    case Update:
      read(E.Thread, E.Cell, Bit);
      write(E.Thread, E.Cell, Bit, Thread);
      break;
    case Fill:
      write(-1, E.Cell, Bit, Outside);
      break;
    }
    return {};
  }

private:
  void read(int T, unsigned Cell, unsigned long Bit) {
    Source From = Sources[T].Last[Cell];
    bool Filled = Sources[T].Filled & Bit;
    Sources[T].Last[Cell] = Nobody;
    Sources[T].Filled &= ~Bit;
    for (Pending &P : Stacks[T]) {
      P.Rms += !(P.Ever & Bit);
      if (!(P.Fresh & Bit)) {
        ++P.Trms.Total;
        P.Trms.Threads += From == Thread;
        P.Trms.Outside += From == Outside;
      }
      if (!(P.SinceFill & Bit)) {
        ++P.External.Total;
        P.External.Outside += Filled;
      }
      touch(P, Bit);
    }
  }
  void write(int Writer, unsigned Cell, unsigned long Bit, Source By) {
    for (int T = 0; T < static_cast<int>(Stacks.size()); ++T) {
      if (T == Writer)
        continue;
      Sources[T].Last[Cell] = By;
      if (By == Outside)
        Sources[T].Filled |= Bit;
      for (Pending &P : Stacks[T]) {
        P.Fresh &= ~Bit;
        if (By == Outside)
          P.SinceFill &= ~Bit;
      }
    }
    if (Writer < 0)
      return;
    Sources[Writer].Last[Cell] = Nobody;
    Sources[Writer].Filled &= ~Bit;
    for (Pending &P : Stacks[Writer])
      touch(P, Bit);
  }
  static void touch(Pending &P, unsigned long Bit) {
    P.Ever |= Bit;
    P.Fresh |= Bit;
    P.SinceFill |= Bit;
  }

  struct ThreadSources {
    Source Last[64] = {};
    unsigned long Filled = 0;
  };
  std::vector<std::vector<Pending>> Stacks;
  std::vector<ThreadSources> Sources;
  std::string Metric;
};

struct alignas(64) Cell {
  CELL Value;
};
static Cell *Cells; // New ones for every trace: nobody has accessed them.
static int Zeroes, Sink;
extern "C" int traceFile(int Out) { return Out ? Sink : Zeroes; }

// One event at a time.
static Trace *Current;
static std::atomic<size_t> Turn;
static std::atomic<bool> Over;
// All at once.
struct Racer {
  std::mt19937 Random;
  Trace Log;
  long Left;
  int Depth;
};
static bool Races, UpdatesOnly;
static Racer *Racers;
static pthread_rwlock_t Locks[64];
static std::atomic<unsigned long> Tickets;
static pthread_barrier_t AllBegun; // Every thread has an activation.
static unsigned CellCount;

static unsigned long stepOf(const Event &E) {
  return static_cast<unsigned long>(E.Op) << 56 | reinterpret_cast<unsigned long>(&Cells[E.Cell]);
}
static Count query() {
  long Out[3];
  __causal_input_query(Out);
  return {Out[0], Out[1], Out[2]};
}

static Operation draw(std::mt19937 &Random, int Depth) {
  unsigned N = Random() % 100;
  if (N < 12 && Depth < 12)
    return Call;
  if (N < 22)
    return Depth > 1 ? Return : Read;
  return N < 58 ? Read : N < 74 ? Write : N < 80 ? Modify : N < 90 ? Fill : Take;
}

extern "C" unsigned long traceNext(long T) {
  if (!Races)
    for (;; sched_yield()) {
      size_t At = Turn.load(std::memory_order_acquire);
      if (At >= Current->size() || (*Current)[At].Thread != T)
        continue;
      Event &E = (*Current)[At];
      if (E.Op == Return)
        E.Seen = query();
      if (E.Op == Return || E.Op == Call)
        Turn.store(At + 1, std::memory_order_release);
      return stepOf(E);
    }
  Racer &R = Racers[T];
  if (R.Log.size() == 1)
    pthread_barrier_wait(&AllBegun);
  Event E{};
  E.Thread = static_cast<int>(T);
  E.Op = R.Left-- <= 0 ? Return : draw(R.Random, R.Depth);
  if (UpdatesOnly && E.Op != Call && E.Op != Return)
    E.Op = Update;
  E.Cell = R.Random() % CellCount;
  R.Depth += E.Op == Call;
  if (E.Op == Return) {
    --R.Depth;
    E.Seen = query();
  }
  if (!UpdatesOnly) {
    if (E.Op == Read || E.Op == Take)
      pthread_rwlock_rdlock(&Locks[E.Cell]);
    else if (E.Op != Call && E.Op != Return)
      pthread_rwlock_wrlock(&Locks[E.Cell]);
    E.Order = Tickets++;
  }
  R.Log.push_back(E);
  return stepOf(E);
}

extern "C" void traceDone(long T, unsigned long Step, long Value) {
  if (Step >> 56 == Call)
    return;
  if (!Races)
    Turn.store(Turn + 1, std::memory_order_release);
  else if (UpdatesOnly) // The activation's calls are logged behind it: the last update is this.
    Racers[T].Log.back().Order = static_cast<unsigned long>(Value);
  else
    pthread_rwlock_unlock(&Locks[Racers[T].Log.back().Cell]);
}

static void *body(void *Number) {
  long T = reinterpret_cast<long>(Number);
  if (Races) {
    Racers[T].Depth = 1;
    Event E{Call, static_cast<int>(T)};
    E.Order = UpdatesOnly ? 0 : Tickets++;
    Racers[T].Log.push_back(E);
    activation(T);
    return nullptr;
  }
  for (; !Over; sched_yield()) { // Each thread's first event is a call.
    size_t At = Turn.load(std::memory_order_acquire);
    if (At >= Current->size() || (*Current)[At].Thread != T || (*Current)[At].Op != Call)
      continue;
    Turn.store(At + 1, std::memory_order_release);
    activation(T);
  }
  return nullptr;
}

static void runThreads(int Threads, bool Wait) {
  std::vector<pthread_t> Handles(Threads);
  for (long T = 0; T < Threads; ++T)
    if (pthread_create(&Handles[T], nullptr, body, reinterpret_cast<void *>(T)))
      abort();
  if (Wait)
    while (Turn < Current->size())
      sched_yield();
  Over = true;
  for (pthread_t H : Handles)
    pthread_join(H, nullptr);
}

static void newCells(unsigned Count) {
  static unsigned Left;
  if (Left < Count) {
    Left = 1 << 16;
    Cells = static_cast<Cell *>(aligned_alloc(64, Left * sizeof(Cell)));
    memset(Cells, 0, Left * sizeof(Cell));
  } else {
    Cells += 64;
  }
  Left -= 64;
}

static long Traces, Events, Activations, WrongTotals, WrongSplits;

static void compare(const Event &E, const Count &Expected) {
  ++Activations;
  WrongTotals += E.Seen.Total != Expected.Total;
  WrongSplits += E.Seen != Expected;
}

static void check(const Trace &T, int Threads, const std::string &Metric, bool Given) {
  Definition D(Threads, Metric);
  ++Traces;
  Events += T.size();
  for (const Event &E : T) {
    Count Expected = D.step(E);
    if (E.Op != Return)
      continue;
    compare(E, Expected);
    if (Given && E.Expected != Expected) {
      printf("the definition here differs from the traces' table: trace %ld\n", Traces);
      ++WrongTotals;
    }
  }
}

static void replay(Trace &T, int Threads, const std::string &Metric, bool Given) {
  newCells(64);
  Current = &T;
  Turn = 0;
  Over = false;
  runThreads(Threads, /*Wait=*/true);
  check(T, Threads, Metric, Given);
}

static void replayFile(const char *Path, const std::string &Metric) {
  FILE *F = fopen(Path, "r");
  if (!F)
    exit(2);
  char Line[256];
  Trace T;
  auto Flush = [&] {
    if (!T.empty())
      replay(T, 3, Metric, Metric == "trms");
    T.clear();
  };
  while (fgets(Line, sizeof(Line), F)) {
    char Op[16];
    Event E{};
    if (Line[0] == '#')
      continue;
    if (sscanf(Line, "%15s %d %u", Op, &E.Thread, &E.Cell) < 2) {
      Flush();
      continue;
    }
    for (unsigned I = 0; I < 8; ++I)
      if (!strcmp(Op, Names[I]))
        E.Op = static_cast<Operation>(I);
    if (E.Op == Return)
      sscanf(Line, "%*s %*d = %ld %ld %ld", &E.Expected.Total, &E.Expected.Threads,
             &E.Expected.Outside),
          E.Cell = 0;
    T.push_back(E);
  }
  Flush();
  fclose(F);
}

static void replayRandom(unsigned Seed, long Count, int Threads, const std::string &Metric) {
  std::mt19937 Random(Seed);
  for (long I = 0; I < Count; ++I) {
    Trace T;
    std::vector<int> Depth(Threads, 1);
    for (int K = 0; K < Threads; ++K)
      T.push_back({Call, K});
    for (unsigned N = 3 + Random() % 58; N; --N) {
      Event E{};
      E.Thread = static_cast<int>(Random() % Threads);
      E.Op = draw(Random, Depth[E.Thread]);
      E.Cell = Random() % 3;
      Depth[E.Thread] += E.Op == Call ? 1 : E.Op == Return ? -1 : 0;
      T.push_back(E);
    }
    for (int K = 0; K < Threads; ++K)
      for (; Depth[K]; --Depth[K])
        T.push_back({Return, K});
    replay(T, Threads, Metric, false);
  }
}

static void race(unsigned Seed, int Threads, long Count, const std::string &Metric) {
  newCells(64);
  Races = true;
  for (pthread_rwlock_t &L : Locks)
    pthread_rwlock_init(&L, nullptr);
  pthread_barrier_init(&AllBegun, nullptr, static_cast<unsigned>(Threads));
  Racers = new Racer[Threads];
  for (int T = 0; T < Threads; ++T) {
    Racers[T].Random.seed(Seed * 1000 + T);
    Racers[T].Left = Count;
  }
  runThreads(Threads, /*Wait=*/false);
  if (UpdatesOnly)
    return;
  Trace All;
  for (int T = 0; T < Threads; ++T)
    All.insert(All.end(), Racers[T].Log.begin(), Racers[T].Log.end());
  std::sort(All.begin(), All.end(),
            [](const Event &A, const Event &B) { return A.Order < B.Order; });
  check(All, Threads, Metric, false);
}

// An update is input of an activation if the one before it was another thread's, or if the
// activation has not had the cell yet. The one before returned a value less by one.
static void checkUpdates(int Threads) {
  std::vector<std::vector<int>> Owners(CellCount);
  for (int T = 0; T < Threads; ++T)
    for (const Event &E : Racers[T].Log)
      if (E.Op == Update) {
        if (Owners[E.Cell].size() <= E.Order)
          Owners[E.Cell].resize(E.Order + 1, -1);
        Owners[E.Cell][E.Order] = T;
      }
  for (int T = 0; T < Threads; ++T) {
    std::vector<Pending> Stack;
    for (const Event &E : Racers[T].Log) {
      ++Events;
      unsigned long Bit = 1ul << E.Cell;
      if (E.Op == Call) {
        Stack.push_back({});
      } else if (E.Op == Return) {
        compare(E, Stack.back().Trms);
        Stack.pop_back();
      } else {
        bool Foreign = E.Order && Owners[E.Cell][E.Order - 1] != T;
        for (Pending &P : Stack) {
          if (Foreign || !(P.Fresh & Bit)) {
            ++P.Trms.Total;
            P.Trms.Threads += Foreign;
          }
          P.Fresh |= Bit;
        }
      }
    }
  }
}

int main(int Argc, char **Argv) {
  if (Argc < 4)
    return 2;
  Zeroes = open("/dev/zero", O_RDONLY);
  Sink = open("/dev/null", O_WRONLY);
  std::string Metric = Argv[1], Mode = Argv[2];
  auto Number = [&](int I) { return Argc > I ? atol(Argv[I]) : 0; };
  if (Mode == "file") {
    replayFile(Argv[3], Metric);
  } else if (Mode == "random") {
    replayRandom(static_cast<unsigned>(Number(3)), Number(4), static_cast<int>(Number(5)), Metric);
  } else {
    CellCount = static_cast<unsigned>(Number(6));
    UpdatesOnly = Mode == "update";
    int Threads = static_cast<int>(Number(4));
    race(static_cast<unsigned>(Number(3)), Threads, Number(5), Metric);
    if (UpdatesOnly)
      checkUpdates(Threads);
  }
  printf("%ld traces, %ld events, %ld activations: %ld wrong totals, %ld wrong splits\n", Traces,
         Events, Activations, WrongTotals, WrongSplits);
  return WrongTotals || WrongSplits;
}
