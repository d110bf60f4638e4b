/* mutant_gpu_async.cu without its mistakes. */
#define mutant_gpu_async sound_gpu_async
#define mutant_gpu_async_reference sound_gpu_async_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_load_late -1
#define METHOD_no_barrier -1
#define METHOD_no_second -1
#define METHOD_no_wait -1
#define METHOD_own -1
#define METHOD_wait_one_last -1
#define METHOD_wait_two -1
#include "mutant_gpu_async.cu"
