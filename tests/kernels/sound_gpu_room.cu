/* mutant_gpu_room.cu without its mistakes. */
#define mutant_gpu_room sound_gpu_room
#define mutant_gpu_room_reference sound_gpu_room_reference
#define IS(name) (METHOD == METHOD_##name)
#define METHOD_behind -1
#define METHOD_grows -1
#define METHOD_no_barrier -1
#define METHOD_twelve -1
#include "mutant_gpu_room.cu"
