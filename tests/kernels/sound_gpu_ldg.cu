/* mutant_gpu_ldg.cu without its mistakes. */
#define mutant_gpu_ldg sound_gpu_ldg
#define mutant_gpu_ldg_reference sound_gpu_ldg_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_ldg -1
#define METHOD_nc -1
#define METHOD_no_barrier -1
#include "mutant_gpu_ldg.cu"
