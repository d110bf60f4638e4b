/*
 * reduction on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem hundred_million: N = 100000000
 *   configuration  BLOCK=512 UNROLL=4 VECTOR=4 METHOD=shuffle BLOCKS_PER_MULTIPROCESSOR=16
 *   time           90.24 us (95 % interval 90.112 to 90.528)
 *   speed-up       1.769 over the baseline
 *   chosen from    600 evaluations, 600 of them ok
 *   measured       2026-11-21T22:00:21Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b887faaa7706be17353957b50702f6e0
 *
 * With REDUCTION_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 */
#ifndef AUTOTUNE_NVIDIA_H200_REDUCTION_H
#define AUTOTUNE_NVIDIA_H200_REDUCTION_H

#ifndef AUTOTUNE_MIN
#define AUTOTUNE_MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef AUTOTUNE_MAX
#define AUTOTUNE_MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

#define REDUCTION_BLOCK 512
#define REDUCTION_UNROLL 4
#define REDUCTION_VECTOR 4
#define REDUCTION_METHOD_tree 1
#define REDUCTION_METHOD_shuffle 2
#define REDUCTION_METHOD REDUCTION_METHOD_shuffle
#define REDUCTION_BLOCKS_PER_MULTIPROCESSOR 16
#define REDUCTION_METHOD_NAME "shuffle"
#define REDUCTION_OPTIONS ""
#define REDUCTION_BLOCK_DIM_X 512
#define REDUCTION_BLOCK_DIM_Y 1
#define REDUCTION_BLOCK_DIM_Z 1
#define REDUCTION_SHARED_BYTES 0
#define REDUCTION_GRID_X(N) ((unsigned int)(AUTOTUNE_MAX(1LL, AUTOTUNE_MIN((132LL * REDUCTION_BLOCKS_PER_MULTIPROCESSOR), AUTOTUNE_CEIL_DIV((long long)(N), ((REDUCTION_BLOCK * REDUCTION_UNROLL) * REDUCTION_VECTOR))))))
#define REDUCTION_GRID_Y(N) ((unsigned int)(1))
#define REDUCTION_GRID_Z(N) ((unsigned int)(1))

#endif

#ifdef REDUCTION_BARE
#undef BLOCK
#define BLOCK REDUCTION_BLOCK
#undef UNROLL
#define UNROLL REDUCTION_UNROLL
#undef VECTOR
#define VECTOR REDUCTION_VECTOR
#undef METHOD_tree
#define METHOD_tree REDUCTION_METHOD_tree
#undef METHOD_shuffle
#define METHOD_shuffle REDUCTION_METHOD_shuffle
#undef METHOD
#define METHOD REDUCTION_METHOD
#undef BLOCKS_PER_MULTIPROCESSOR
#define BLOCKS_PER_MULTIPROCESSOR REDUCTION_BLOCKS_PER_MULTIPROCESSOR
#endif
