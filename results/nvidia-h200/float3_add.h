/*
 * float3_add on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem points_2_25: N = 33554432
 *   configuration  METHOD=staged BLOCK=192 UNROLL=2
 *   time           189.89 us (95 % interval 189.63 to 190.5)
 *   speed-up       1.036 over the baseline
 *   chosen from    240 evaluations, 240 of them ok
 *   measured       2026-11-21T21:59:52Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    60aa07b2302e0e05f3334216c7bd24a7
 *
 * With FLOAT3_ADD_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 */
#ifndef AUTOTUNE_NVIDIA_H200_FLOAT3_ADD_H
#define AUTOTUNE_NVIDIA_H200_FLOAT3_ADD_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

#define FLOAT3_ADD_METHOD_direct 1
#define FLOAT3_ADD_METHOD_staged 2
#define FLOAT3_ADD_METHOD FLOAT3_ADD_METHOD_staged
#define FLOAT3_ADD_BLOCK 192
#define FLOAT3_ADD_UNROLL 2
#define FLOAT3_ADD_METHOD_NAME "staged"
#define FLOAT3_ADD_OPTIONS ""
#define FLOAT3_ADD_BLOCK_DIM_X 192
#define FLOAT3_ADD_BLOCK_DIM_Y 1
#define FLOAT3_ADD_BLOCK_DIM_Z 1
#define FLOAT3_ADD_SHARED_BYTES 0
#define FLOAT3_ADD_GRID_X(N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (FLOAT3_ADD_BLOCK * FLOAT3_ADD_UNROLL))))
#define FLOAT3_ADD_GRID_Y(N) ((unsigned int)(1))
#define FLOAT3_ADD_GRID_Z(N) ((unsigned int)(1))

#endif

#ifdef FLOAT3_ADD_BARE
#undef METHOD_direct
#define METHOD_direct FLOAT3_ADD_METHOD_direct
#undef METHOD_staged
#define METHOD_staged FLOAT3_ADD_METHOD_staged
#undef METHOD
#define METHOD FLOAT3_ADD_METHOD
#undef BLOCK
#define BLOCK FLOAT3_ADD_BLOCK
#undef UNROLL
#define UNROLL FLOAT3_ADD_UNROLL
#endif
