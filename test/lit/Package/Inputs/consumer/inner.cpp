unsigned inner(unsigned X) {
  for (unsigned I = 0; I < 20000; ++I) X = X * 1664525 + 1013904223;
  return X;
}
