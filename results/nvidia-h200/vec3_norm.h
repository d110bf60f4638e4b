/*
 * vec3_norm on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem vectors_2_25: N = 33554432
 *   configuration  LAYOUT=soa BLOCK=128 UNROLL=2
 *   time           121.28 us (95 % interval 121.15 to 121.63)
 *   speed-up       1.146 over the baseline
 *   chosen from    95 evaluations, 95 of them ok
 *   measured       2026-11-21T22:01:18Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a3a31fe7e73ffdff25cb0205b770e08b
 *
 * With VEC3_NORM_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 */
#ifndef AUTOTUNE_NVIDIA_H200_VEC3_NORM_H
#define AUTOTUNE_NVIDIA_H200_VEC3_NORM_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

#define VEC3_NORM_LAYOUT_packed 1
#define VEC3_NORM_LAYOUT_aligned 2
#define VEC3_NORM_LAYOUT_soa 3
#define VEC3_NORM_LAYOUT_staged 4
#define VEC3_NORM_LAYOUT VEC3_NORM_LAYOUT_soa
#define VEC3_NORM_BLOCK 128
#define VEC3_NORM_UNROLL 2
#define VEC3_NORM_LAYOUT_NAME "soa"
#define VEC3_NORM_OPTIONS ""
#define VEC3_NORM_BLOCK_DIM_X 128
#define VEC3_NORM_BLOCK_DIM_Y 1
#define VEC3_NORM_BLOCK_DIM_Z 1
#define VEC3_NORM_SHARED_BYTES 0
#define VEC3_NORM_GRID_X(N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VEC3_NORM_BLOCK * VEC3_NORM_UNROLL))))
#define VEC3_NORM_GRID_Y(N) ((unsigned int)(1))
#define VEC3_NORM_GRID_Z(N) ((unsigned int)(1))

#endif

#ifdef VEC3_NORM_BARE
#undef LAYOUT_packed
#define LAYOUT_packed VEC3_NORM_LAYOUT_packed
#undef LAYOUT_aligned
#define LAYOUT_aligned VEC3_NORM_LAYOUT_aligned
#undef LAYOUT_soa
#define LAYOUT_soa VEC3_NORM_LAYOUT_soa
#undef LAYOUT_staged
#define LAYOUT_staged VEC3_NORM_LAYOUT_staged
#undef LAYOUT
#define LAYOUT VEC3_NORM_LAYOUT
#undef BLOCK
#define BLOCK VEC3_NORM_BLOCK
#undef UNROLL
#define UNROLL VEC3_NORM_UNROLL
#endif
