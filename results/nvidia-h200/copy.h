/*
 * copy on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem floats_2_26: N = 67108864
 *   configuration  BLOCK=128 ELEMENTS=4 VECTOR=2 USE_LDG=false BLOCKS_PER_MULTIPROCESSOR=0 L1=plain
 *   time           126.18 us (95 % interval 125.89 to 126.46)
 *   speed-up       1.609 over the baseline
 *   chosen from    1152 evaluations, 1152 of them ok
 *   measured       2026-11-21T21:59:49Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    fc3c2b732af9eaea0f9ce26a721d864c
 *
 * With COPY_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 */
#ifndef AUTOTUNE_NVIDIA_H200_COPY_H
#define AUTOTUNE_NVIDIA_H200_COPY_H

#ifndef AUTOTUNE_MIN
#define AUTOTUNE_MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

#define COPY_BLOCK 128
#define COPY_ELEMENTS 4
#define COPY_VECTOR 2
#define COPY_USE_LDG 0
#define COPY_BLOCKS_PER_MULTIPROCESSOR 0
#define COPY_L1_plain 1
#define COPY_L1_ca 2
#define COPY_L1_cg 3
#define COPY_L1 COPY_L1_plain
#define COPY_L1_NAME "plain"
#define COPY_OPTIONS ""
#define COPY_BLOCK_DIM_X 128
#define COPY_BLOCK_DIM_Y 1
#define COPY_BLOCK_DIM_Z 1
#define COPY_SHARED_BYTES 0
#define COPY_GRID_X(N) ((unsigned int)(((COPY_BLOCKS_PER_MULTIPROCESSOR == 0LL) ? AUTOTUNE_CEIL_DIV((long long)(N), (COPY_BLOCK * COPY_ELEMENTS)) : AUTOTUNE_MIN(AUTOTUNE_CEIL_DIV((long long)(N), (COPY_BLOCK * COPY_ELEMENTS)), (COPY_BLOCKS_PER_MULTIPROCESSOR * 132LL)))))
#define COPY_GRID_Y(N) ((unsigned int)(1))
#define COPY_GRID_Z(N) ((unsigned int)(1))

#endif

#ifdef COPY_BARE
#undef BLOCK
#define BLOCK COPY_BLOCK
#undef ELEMENTS
#define ELEMENTS COPY_ELEMENTS
#undef VECTOR
#define VECTOR COPY_VECTOR
#undef USE_LDG
#define USE_LDG COPY_USE_LDG
#undef BLOCKS_PER_MULTIPROCESSOR
#define BLOCKS_PER_MULTIPROCESSOR COPY_BLOCKS_PER_MULTIPROCESSOR
#undef L1_plain
#define L1_plain COPY_L1_plain
#undef L1_ca
#define L1_ca COPY_L1_ca
#undef L1_cg
#define L1_cg COPY_L1_cg
#undef L1
#define L1 COPY_L1
#endif
