/* twin_gpu_smid.cu without its mistakes. */
#define twin_gpu_smid sound_gpu_smid
#define twin_gpu_smid_reference sound_gpu_smid_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_from_place -1
#define METHOD_mod -1
#define METHOD_upper -1
#include "twin_gpu_smid.cu"
