/* mutant_gpu_clock.cu without its mistakes. */
#define mutant_gpu_clock sound_gpu_clock
#define mutant_gpu_clock_reference sound_gpu_clock_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_by_address -1
#define METHOD_grid_id -1
#define METHOD_one_in_eight -1
#define METHOD_rare -1
#define METHOD_second -1
#include "mutant_gpu_clock.cu"
