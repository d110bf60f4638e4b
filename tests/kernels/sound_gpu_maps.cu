/* mutant_gpu_maps.cu without its mistakes. */
#define mutant_gpu_maps sound_gpu_maps
#define mutant_gpu_maps_reference sound_gpu_maps_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_few_bytes -1
#define METHOD_no_wait -1
#define METHOD_other_order -1
#define METHOD_plain_read -1
#include "mutant_gpu_maps.cu"
