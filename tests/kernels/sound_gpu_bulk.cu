/* mutant_gpu_bulk.cu without its mistakes. */
#define mutant_gpu_bulk sound_gpu_bulk
#define mutant_gpu_bulk_reference sound_gpu_bulk_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_half_expected -1
#define METHOD_no_wait -1
#define METHOD_other_parity -1
#include "mutant_gpu_bulk.cu"
