#include "named.cu"
