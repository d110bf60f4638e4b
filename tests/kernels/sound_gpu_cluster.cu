/* mutant_gpu_cluster.cu without its mistakes. */
#define mutant_gpu_cluster sound_gpu_cluster
#define mutant_gpu_cluster_reference sound_gpu_cluster_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_block_only -1
#define METHOD_no_first -1
#define METHOD_no_last -1
#define METHOD_own_twice -1
#include "mutant_gpu_cluster.cu"
