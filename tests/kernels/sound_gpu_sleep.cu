/* mutant_gpu_sleep.cu without its mistakes. */
#define mutant_gpu_sleep sound_gpu_sleep
#define mutant_gpu_sleep_reference sound_gpu_sleep_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_clock_20 -1
#define METHOD_clock_200 -1
#define METHOD_gives_up -1
#define METHOD_sleeps -1
#include "mutant_gpu_sleep.cu"
