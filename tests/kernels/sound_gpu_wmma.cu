/* mutant_gpu_wmma.cu without its mistakes. */
#define mutant_gpu_wmma sound_gpu_wmma
#define mutant_gpu_wmma_reference sound_gpu_wmma_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_col_store -1
#define METHOD_half_sums -1
#define METHOD_last_tile -1
#define METHOD_not_filled -1
#define METHOD_transposed -1
#include "mutant_gpu_wmma.cu"
