// Preprocessed, this lists the functions of libc that the runtime interposes.
#define CAUSAL_SYNC(Return, Name, Params) Name
#include "causal/RuntimeABI.def"
