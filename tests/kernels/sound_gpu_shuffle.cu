/* mutant_gpu_shuffle.cu without its mistakes. */
#define mutant_gpu_shuffle sound_gpu_shuffle
#define mutant_gpu_shuffle_reference sound_gpu_shuffle_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_doubled -1
#define METHOD_first_warp -1
#define METHOD_full_mask -1
#define METHOD_inside -1
#define METHOD_no_last -1
#define METHOD_up -1
#include "mutant_gpu_shuffle.cu"
