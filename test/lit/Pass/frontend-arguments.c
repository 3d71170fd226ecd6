// The plugin has no arguments; one that is given is an error.
// RUN: not %clang_plugin -fplugin-arg-causal-verbose -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: the causal plugin takes no arguments, and was given 'verbose'
int f(void) { return 0; }
