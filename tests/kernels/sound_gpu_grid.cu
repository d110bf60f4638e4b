/* mutant_gpu_grid.cu without its mistakes. */
#define mutant_gpu_grid sound_gpu_grid
#define mutant_gpu_grid_reference sound_gpu_grid_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_half_there -1
#define METHOD_no_barrier -1
#define METHOD_no_fence -1
#define METHOD_no_volatile -1
#define METHOD_no_wait -1
#define METHOD_one_short -1
#define METHOD_stale -1
#include "mutant_gpu_grid.cu"
