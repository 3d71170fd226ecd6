// CPU time in functions of known shares: three() takes three times as long as one().
static volatile unsigned long Sink;
__attribute__((noinline)) static void three(void) {
  for (unsigned long I = 0; I < 300000; ++I)
    Sink += I;
}
__attribute__((noinline)) static void one(void) {
  for (unsigned long I = 0; I < 100000; ++I)
    Sink += I;
}
static void burn(unsigned long Rounds) {
  while (Rounds--) {
    three();
    one();
  }
}
