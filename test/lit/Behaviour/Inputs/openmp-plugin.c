int inParallel(void) {
  int Count = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    ++Count;
  }
  return Count == 2;
}
