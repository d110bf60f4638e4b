/* mutant_gpu_named.cu without its mistakes. */
#define mutant_gpu_named sound_gpu_named
#define mutant_gpu_named_reference sound_gpu_named_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_half_count -1
#define METHOD_never_empty -1
#include "mutant_gpu_named.cu"
