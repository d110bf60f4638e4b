/* mutant_gpu_tf32.cu without its mistakes. */
#define mutant_gpu_tf32 sound_gpu_tf32
#define mutant_gpu_tf32_reference sound_gpu_tf32_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_twice -1
#define METHOD_unrounded -1
#include "mutant_gpu_tf32.cu"
