/* compiles nowhere, in no configuration */
#include "scale.cu"

int undeclared = not_declared_anywhere;
