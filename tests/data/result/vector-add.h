/*
 * vector-add on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem million: N = 1000000
 *   configuration  BLOCK_X=128 PER_THREAD=3
 *   time           1.2346 ms (95 % interval 1.23 to 1.24)
 *   speed-up       2.025 over the baseline (95 % interval 2.013 to 2.038)
 *   chosen from    400 evaluations, 380 of them ok
 *   proved         2 data sets, 3 problems, 6 patterns, guarded, host
 *   measured       2025-11-21T09:05:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.1 (CUDA 13.0)
 *   source hash    00112233445566778899aabbccddeeff
 *
 * With VECTOR_ADD_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 */
#ifndef AUTOTUNE_NVIDIA_H200_VECTOR_ADD_H
#define AUTOTUNE_NVIDIA_H200_VECTOR_ADD_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

#define VECTOR_ADD_BLOCK_X 128
#define VECTOR_ADD_PER_THREAD 3
#define VECTOR_ADD_OPTIONS ""
#define VECTOR_ADD_BLOCK_DIM_X 128
#define VECTOR_ADD_BLOCK_DIM_Y 1
#define VECTOR_ADD_BLOCK_DIM_Z 1
#define VECTOR_ADD_SHARED_BYTES 0
#define VECTOR_ADD_GRID_X(N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_BLOCK_X * VECTOR_ADD_PER_THREAD))))
#define VECTOR_ADD_GRID_Y(N) ((unsigned int)(1))
#define VECTOR_ADD_GRID_Z(N) ((unsigned int)(1))

#endif

#ifdef VECTOR_ADD_BARE
#undef BLOCK_X
#define BLOCK_X VECTOR_ADD_BLOCK_X
#undef PER_THREAD
#define PER_THREAD VECTOR_ADD_PER_THREAD
#endif
