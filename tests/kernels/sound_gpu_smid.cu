/* mutant_gpu_smid.cu without its mistakes. */
#define mutant_gpu_smid sound_gpu_smid
#define mutant_gpu_smid_reference sound_gpu_smid_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_from_place -1
#define METHOD_mod -1
#define METHOD_upper -1
#include "mutant_gpu_smid.cu"
