/* mutant_gpu_last.cu without its mistakes. */
#define mutant_gpu_last sound_gpu_last
#define mutant_gpu_last_reference sound_gpu_last_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_by_number -1
#define METHOD_ldg -1
#define METHOD_no_barrier -1
#define METHOD_one_early -1
#define METHOD_two -1
#define METHOD_wraps -1
#include "mutant_gpu_last.cu"
