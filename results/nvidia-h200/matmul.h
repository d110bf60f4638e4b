/*
 * matmul on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem square_4096: M = 4096, N = 4096, K = 4096
 *   configuration  BLOCK_X=16 BLOCK_Y=16 TILE_M=8 TILE_N=8 TILE_K=8 VECTOR=4 PAD=4 UNROLL=8 USE_LDG=false BUFFERS=1 SHARED=dynamic WARP=patch EDGES=apart RESIDENT=512
 *   time           3.0174 ms (95 % interval 3.0138 to 3.0205)
 *   speed-up       8.759 over the baseline
 *   chosen from    5234 evaluations, 5234 of them ok
 *   measured       2026-11-21T22:02:58Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    d979a872f72d78756a86f2363a4244c5
 *
 * With MATMUL_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 */
#ifndef AUTOTUNE_NVIDIA_H200_MATMUL_H
#define AUTOTUNE_NVIDIA_H200_MATMUL_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

#define MATMUL_BLOCK_X 16
#define MATMUL_BLOCK_Y 16
#define MATMUL_TILE_M 8
#define MATMUL_TILE_N 8
#define MATMUL_TILE_K 8
#define MATMUL_VECTOR 4
#define MATMUL_PAD 4
#define MATMUL_UNROLL 8
#define MATMUL_USE_LDG 0
#define MATMUL_BUFFERS 1
#define MATMUL_SHARED_static 1
#define MATMUL_SHARED_dynamic 2
#define MATMUL_SHARED MATMUL_SHARED_dynamic
#define MATMUL_WARP_rows 1
#define MATMUL_WARP_patch 2
#define MATMUL_WARP MATMUL_WARP_patch
#define MATMUL_EDGES_checked 1
#define MATMUL_EDGES_apart 2
#define MATMUL_EDGES MATMUL_EDGES_apart
#define MATMUL_RESIDENT 512
#define MATMUL_SHARED_NAME "dynamic"
#define MATMUL_WARP_NAME "patch"
#define MATMUL_EDGES_NAME "apart"
#define MATMUL_OPTIONS ""
#define MATMUL_BLOCK_DIM_X 16
#define MATMUL_BLOCK_DIM_Y 16
#define MATMUL_BLOCK_DIM_Z 1
#define MATMUL_SHARED_BYTES 8448
#define MATMUL_GRID_X(M, N, K) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (MATMUL_BLOCK_X * MATMUL_TILE_N))))
#define MATMUL_GRID_Y(M, N, K) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(M), (MATMUL_BLOCK_Y * MATMUL_TILE_M))))
#define MATMUL_GRID_Z(M, N, K) ((unsigned int)(1))

#endif

#ifdef MATMUL_BARE
#undef BLOCK_X
#define BLOCK_X MATMUL_BLOCK_X
#undef BLOCK_Y
#define BLOCK_Y MATMUL_BLOCK_Y
#undef TILE_M
#define TILE_M MATMUL_TILE_M
#undef TILE_N
#define TILE_N MATMUL_TILE_N
#undef TILE_K
#define TILE_K MATMUL_TILE_K
#undef VECTOR
#define VECTOR MATMUL_VECTOR
#undef PAD
#define PAD MATMUL_PAD
#undef UNROLL
#define UNROLL MATMUL_UNROLL
#undef USE_LDG
#define USE_LDG MATMUL_USE_LDG
#undef BUFFERS
#define BUFFERS MATMUL_BUFFERS
#undef SHARED_static
#define SHARED_static MATMUL_SHARED_static
#undef SHARED_dynamic
#define SHARED_dynamic MATMUL_SHARED_dynamic
#undef SHARED
#define SHARED MATMUL_SHARED
#undef WARP_rows
#define WARP_rows MATMUL_WARP_rows
#undef WARP_patch
#define WARP_patch MATMUL_WARP_patch
#undef WARP
#define WARP MATMUL_WARP
#undef EDGES_checked
#define EDGES_checked MATMUL_EDGES_checked
#undef EDGES_apart
#define EDGES_apart MATMUL_EDGES_apart
#undef EDGES
#define EDGES MATMUL_EDGES
#undef RESIDENT
#define RESIDENT MATMUL_RESIDENT
#endif
