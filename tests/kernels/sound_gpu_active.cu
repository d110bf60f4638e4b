/* mutant_gpu_active.cu without its mistakes. */
#define mutant_gpu_active sound_gpu_active
#define mutant_gpu_active_reference sound_gpu_active_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_branch -1
#define METHOD_first_of_warp -1
#define METHOD_lost -1
#define METHOD_whole -1
#include "mutant_gpu_active.cu"
