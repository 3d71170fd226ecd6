// Preprocessed, this lists the symbols that instrumented code may refer to.
#define CAUSAL_ENTRY(Return, Name, Params) Name
#define CAUSAL_THREAD_LOCAL(Type, Name) Name
#define CAUSAL_SYNC(Return, Name, Params) __causal_##Name
#include "causal/RuntimeABI.def"
