/* mutant_gpu_warp.cu without its mistakes. */
#define mutant_gpu_warp sound_gpu_warp
#define mutant_gpu_warp_reference sound_gpu_warp_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_all_add -1
#define METHOD_half_first -1
#define METHOD_no_last_barrier -1
#define METHOD_no_syncwarp -1
#include "mutant_gpu_warp.cu"
