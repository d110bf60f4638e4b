/*
 * softmax on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem rows_of_1024: ROWS = 65536, COLUMNS = 1024
 *   configuration  BLOCK_X=64 ROWS_PER_BLOCK=1 VECTOR=4 METHOD=online UNROLL=4 USE_LDG=false
 *   time           129.54 us (95 % interval 129.38 to 129.73)
 *   speed-up       2.908 over the baseline
 *   chosen from    612 evaluations, 612 of them ok
 *   measured       2026-11-21T22:00:28Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    f0164a4fb5d8baaf49b362b12921d362
 *
 * Problem rows_of_32768: ROWS = 2048, COLUMNS = 32768
 *   configuration  BLOCK_X=1024 ROWS_PER_BLOCK=1 VECTOR=4 METHOD=online UNROLL=4 USE_LDG=false
 *   time           189.5 us (95 % interval 189.25 to 189.95)
 *   speed-up       2.158 over the baseline
 *   chosen from    612 evaluations, 612 of them ok
 *   measured       2026-11-21T22:00:30Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    e49ef2abd8032a69ae64bede7719ebac
 *
 * With SOFTMAX_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 * The short names, SOFTMAX_..., are those of the first problem; for another's
 * define SOFTMAX_PROBLEM_ROWS_OF_32768, or likewise, before it is included.
 */
#ifndef AUTOTUNE_NVIDIA_H200_SOFTMAX_H
#define AUTOTUNE_NVIDIA_H200_SOFTMAX_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

/* problem rows_of_1024 */
#define SOFTMAX_ROWS_OF_1024_BLOCK_X 64
#define SOFTMAX_ROWS_OF_1024_ROWS_PER_BLOCK 1
#define SOFTMAX_ROWS_OF_1024_VECTOR 4
#define SOFTMAX_ROWS_OF_1024_METHOD_three_pass 1
#define SOFTMAX_ROWS_OF_1024_METHOD_online 2
#define SOFTMAX_ROWS_OF_1024_METHOD SOFTMAX_ROWS_OF_1024_METHOD_online
#define SOFTMAX_ROWS_OF_1024_UNROLL 4
#define SOFTMAX_ROWS_OF_1024_USE_LDG 0
#define SOFTMAX_ROWS_OF_1024_METHOD_NAME "online"
#define SOFTMAX_ROWS_OF_1024_OPTIONS ""
#define SOFTMAX_ROWS_OF_1024_BLOCK_DIM_X 64
#define SOFTMAX_ROWS_OF_1024_BLOCK_DIM_Y 1
#define SOFTMAX_ROWS_OF_1024_BLOCK_DIM_Z 1
#define SOFTMAX_ROWS_OF_1024_SHARED_BYTES 0
#define SOFTMAX_ROWS_OF_1024_GRID_X(ROWS, COLUMNS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(ROWS), SOFTMAX_ROWS_OF_1024_ROWS_PER_BLOCK)))
#define SOFTMAX_ROWS_OF_1024_GRID_Y(ROWS, COLUMNS) ((unsigned int)(1))
#define SOFTMAX_ROWS_OF_1024_GRID_Z(ROWS, COLUMNS) ((unsigned int)(1))

/* problem rows_of_32768 */
#define SOFTMAX_ROWS_OF_32768_BLOCK_X 1024
#define SOFTMAX_ROWS_OF_32768_ROWS_PER_BLOCK 1
#define SOFTMAX_ROWS_OF_32768_VECTOR 4
#define SOFTMAX_ROWS_OF_32768_METHOD_three_pass 1
#define SOFTMAX_ROWS_OF_32768_METHOD_online 2
#define SOFTMAX_ROWS_OF_32768_METHOD SOFTMAX_ROWS_OF_32768_METHOD_online
#define SOFTMAX_ROWS_OF_32768_UNROLL 4
#define SOFTMAX_ROWS_OF_32768_USE_LDG 0
#define SOFTMAX_ROWS_OF_32768_METHOD_NAME "online"
#define SOFTMAX_ROWS_OF_32768_OPTIONS ""
#define SOFTMAX_ROWS_OF_32768_BLOCK_DIM_X 1024
#define SOFTMAX_ROWS_OF_32768_BLOCK_DIM_Y 1
#define SOFTMAX_ROWS_OF_32768_BLOCK_DIM_Z 1
#define SOFTMAX_ROWS_OF_32768_SHARED_BYTES 0
#define SOFTMAX_ROWS_OF_32768_GRID_X(ROWS, COLUMNS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(ROWS), SOFTMAX_ROWS_OF_32768_ROWS_PER_BLOCK)))
#define SOFTMAX_ROWS_OF_32768_GRID_Y(ROWS, COLUMNS) ((unsigned int)(1))
#define SOFTMAX_ROWS_OF_32768_GRID_Z(ROWS, COLUMNS) ((unsigned int)(1))

#if !defined(SOFTMAX_PROBLEM_ROWS_OF_32768)
#define SOFTMAX_BLOCK_X 64
#define SOFTMAX_ROWS_PER_BLOCK 1
#define SOFTMAX_VECTOR 4
#define SOFTMAX_METHOD_three_pass 1
#define SOFTMAX_METHOD_online 2
#define SOFTMAX_METHOD SOFTMAX_METHOD_online
#define SOFTMAX_UNROLL 4
#define SOFTMAX_USE_LDG 0
#define SOFTMAX_METHOD_NAME "online"
#define SOFTMAX_OPTIONS ""
#define SOFTMAX_BLOCK_DIM_X 64
#define SOFTMAX_BLOCK_DIM_Y 1
#define SOFTMAX_BLOCK_DIM_Z 1
#define SOFTMAX_SHARED_BYTES 0
#define SOFTMAX_GRID_X(ROWS, COLUMNS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(ROWS), SOFTMAX_ROWS_PER_BLOCK)))
#define SOFTMAX_GRID_Y(ROWS, COLUMNS) ((unsigned int)(1))
#define SOFTMAX_GRID_Z(ROWS, COLUMNS) ((unsigned int)(1))
#elif defined(SOFTMAX_PROBLEM_ROWS_OF_32768)
#define SOFTMAX_BLOCK_X 1024
#define SOFTMAX_ROWS_PER_BLOCK 1
#define SOFTMAX_VECTOR 4
#define SOFTMAX_METHOD_three_pass 1
#define SOFTMAX_METHOD_online 2
#define SOFTMAX_METHOD SOFTMAX_METHOD_online
#define SOFTMAX_UNROLL 4
#define SOFTMAX_USE_LDG 0
#define SOFTMAX_METHOD_NAME "online"
#define SOFTMAX_OPTIONS ""
#define SOFTMAX_BLOCK_DIM_X 1024
#define SOFTMAX_BLOCK_DIM_Y 1
#define SOFTMAX_BLOCK_DIM_Z 1
#define SOFTMAX_SHARED_BYTES 0
#define SOFTMAX_GRID_X(ROWS, COLUMNS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(ROWS), SOFTMAX_ROWS_PER_BLOCK)))
#define SOFTMAX_GRID_Y(ROWS, COLUMNS) ((unsigned int)(1))
#define SOFTMAX_GRID_Z(ROWS, COLUMNS) ((unsigned int)(1))
#endif

#endif

#ifdef SOFTMAX_BARE
#undef BLOCK_X
#define BLOCK_X SOFTMAX_BLOCK_X
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK SOFTMAX_ROWS_PER_BLOCK
#undef VECTOR
#define VECTOR SOFTMAX_VECTOR
#undef METHOD_three_pass
#define METHOD_three_pass SOFTMAX_METHOD_three_pass
#undef METHOD_online
#define METHOD_online SOFTMAX_METHOD_online
#undef METHOD
#define METHOD SOFTMAX_METHOD
#undef UNROLL
#define UNROLL SOFTMAX_UNROLL
#undef USE_LDG
#define USE_LDG SOFTMAX_USE_LDG
#endif
