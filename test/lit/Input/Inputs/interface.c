#define CAUSAL_INPUT_ENTRY(Name) __causal_input_##Name
#define CAUSAL_INPUT_MODEL(Name, Type) __causal_model_##Name
#define CAUSAL_INPUT_INTERPOSED(Name) Name
#include "causal/InputABI.def"
