// Preprocessed, this lists the functions of libc that the runtime interposes weakly.
#define CAUSAL_INTERPOSED(Name) Name
#include "causal/RuntimeABI.def"
