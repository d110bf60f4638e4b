/*
 * stencil on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem radius_1: HEIGHT = 8192, WIDTH = 8192, RADIUS = 1
 *   configuration  BLOCK_X=128 BLOCK_Y=1 TILE_Y=4 METHOD=cache PAD=0 UNROLL=4 USE_LDG=false
 *   time           155.3 us (95 % interval 155.14 to 156.45)
 *   speed-up       1.651 over the baseline
 *   chosen from    960 evaluations, 960 of them ok
 *   measured       2026-11-21T22:00:41Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b6c84f2afcc1a1a42a1958d340bda46a
 *
 * Problem radius_6: HEIGHT = 8192, WIDTH = 8192, RADIUS = 6
 *   configuration  BLOCK_X=64 BLOCK_Y=4 TILE_Y=8 METHOD=shared PAD=0 UNROLL=8 USE_LDG=false
 *   time           349.79 us (95 % interval 348.9 to 350.43)
 *   speed-up       1.921 over the baseline
 *   chosen from    960 evaluations, 960 of them ok
 *   measured       2026-11-21T22:00:48Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b6c84f2a4288e73a4d430085ba83191d
 *
 * With STENCIL_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 * The short names, STENCIL_..., are those of the first problem; for another's
 * define STENCIL_PROBLEM_RADIUS_6, or likewise, before it is included.
 */
#ifndef AUTOTUNE_NVIDIA_H200_STENCIL_H
#define AUTOTUNE_NVIDIA_H200_STENCIL_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

/* problem radius_1 */
#define STENCIL_RADIUS_1_BLOCK_X 128
#define STENCIL_RADIUS_1_BLOCK_Y 1
#define STENCIL_RADIUS_1_TILE_Y 4
#define STENCIL_RADIUS_1_METHOD_cache 1
#define STENCIL_RADIUS_1_METHOD_shared 2
#define STENCIL_RADIUS_1_METHOD STENCIL_RADIUS_1_METHOD_cache
#define STENCIL_RADIUS_1_PAD 0
#define STENCIL_RADIUS_1_UNROLL 4
#define STENCIL_RADIUS_1_USE_LDG 0
#define STENCIL_RADIUS_1_METHOD_NAME "cache"
#define STENCIL_RADIUS_1_OPTIONS "-DRADIUS=1"
#define STENCIL_RADIUS_1_BLOCK_DIM_X 128
#define STENCIL_RADIUS_1_BLOCK_DIM_Y 1
#define STENCIL_RADIUS_1_BLOCK_DIM_Z 1
#define STENCIL_RADIUS_1_SHARED_BYTES 0
#define STENCIL_RADIUS_1_GRID_X(HEIGHT, WIDTH, RADIUS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(WIDTH), STENCIL_RADIUS_1_BLOCK_X)))
#define STENCIL_RADIUS_1_GRID_Y(HEIGHT, WIDTH, RADIUS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(HEIGHT), (STENCIL_RADIUS_1_BLOCK_Y * STENCIL_RADIUS_1_TILE_Y))))
#define STENCIL_RADIUS_1_GRID_Z(HEIGHT, WIDTH, RADIUS) ((unsigned int)(1))

/* problem radius_6 */
#define STENCIL_RADIUS_6_BLOCK_X 64
#define STENCIL_RADIUS_6_BLOCK_Y 4
#define STENCIL_RADIUS_6_TILE_Y 8
#define STENCIL_RADIUS_6_METHOD_cache 1
#define STENCIL_RADIUS_6_METHOD_shared 2
#define STENCIL_RADIUS_6_METHOD STENCIL_RADIUS_6_METHOD_shared
#define STENCIL_RADIUS_6_PAD 0
#define STENCIL_RADIUS_6_UNROLL 8
#define STENCIL_RADIUS_6_USE_LDG 0
#define STENCIL_RADIUS_6_METHOD_NAME "shared"
#define STENCIL_RADIUS_6_OPTIONS "-DRADIUS=6"
#define STENCIL_RADIUS_6_BLOCK_DIM_X 64
#define STENCIL_RADIUS_6_BLOCK_DIM_Y 4
#define STENCIL_RADIUS_6_BLOCK_DIM_Z 1
#define STENCIL_RADIUS_6_SHARED_BYTES 0
#define STENCIL_RADIUS_6_GRID_X(HEIGHT, WIDTH, RADIUS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(WIDTH), STENCIL_RADIUS_6_BLOCK_X)))
#define STENCIL_RADIUS_6_GRID_Y(HEIGHT, WIDTH, RADIUS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(HEIGHT), (STENCIL_RADIUS_6_BLOCK_Y * STENCIL_RADIUS_6_TILE_Y))))
#define STENCIL_RADIUS_6_GRID_Z(HEIGHT, WIDTH, RADIUS) ((unsigned int)(1))

#if !defined(STENCIL_PROBLEM_RADIUS_6)
#define STENCIL_BLOCK_X 128
#define STENCIL_BLOCK_Y 1
#define STENCIL_TILE_Y 4
#define STENCIL_METHOD_cache 1
#define STENCIL_METHOD_shared 2
#define STENCIL_METHOD STENCIL_METHOD_cache
#define STENCIL_PAD 0
#define STENCIL_UNROLL 4
#define STENCIL_USE_LDG 0
#define STENCIL_METHOD_NAME "cache"
#define STENCIL_OPTIONS "-DRADIUS=1"
#define STENCIL_BLOCK_DIM_X 128
#define STENCIL_BLOCK_DIM_Y 1
#define STENCIL_BLOCK_DIM_Z 1
#define STENCIL_SHARED_BYTES 0
#define STENCIL_GRID_X(HEIGHT, WIDTH, RADIUS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(WIDTH), STENCIL_BLOCK_X)))
#define STENCIL_GRID_Y(HEIGHT, WIDTH, RADIUS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(HEIGHT), (STENCIL_BLOCK_Y * STENCIL_TILE_Y))))
#define STENCIL_GRID_Z(HEIGHT, WIDTH, RADIUS) ((unsigned int)(1))
#elif defined(STENCIL_PROBLEM_RADIUS_6)
#define STENCIL_BLOCK_X 64
#define STENCIL_BLOCK_Y 4
#define STENCIL_TILE_Y 8
#define STENCIL_METHOD_cache 1
#define STENCIL_METHOD_shared 2
#define STENCIL_METHOD STENCIL_METHOD_shared
#define STENCIL_PAD 0
#define STENCIL_UNROLL 8
#define STENCIL_USE_LDG 0
#define STENCIL_METHOD_NAME "shared"
#define STENCIL_OPTIONS "-DRADIUS=6"
#define STENCIL_BLOCK_DIM_X 64
#define STENCIL_BLOCK_DIM_Y 4
#define STENCIL_BLOCK_DIM_Z 1
#define STENCIL_SHARED_BYTES 0
#define STENCIL_GRID_X(HEIGHT, WIDTH, RADIUS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(WIDTH), STENCIL_BLOCK_X)))
#define STENCIL_GRID_Y(HEIGHT, WIDTH, RADIUS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(HEIGHT), (STENCIL_BLOCK_Y * STENCIL_TILE_Y))))
#define STENCIL_GRID_Z(HEIGHT, WIDTH, RADIUS) ((unsigned int)(1))
#endif

#endif

#ifdef STENCIL_BARE
#undef BLOCK_X
#define BLOCK_X STENCIL_BLOCK_X
#undef BLOCK_Y
#define BLOCK_Y STENCIL_BLOCK_Y
#undef TILE_Y
#define TILE_Y STENCIL_TILE_Y
#undef METHOD_cache
#define METHOD_cache STENCIL_METHOD_cache
#undef METHOD_shared
#define METHOD_shared STENCIL_METHOD_shared
#undef METHOD
#define METHOD STENCIL_METHOD
#undef PAD
#define PAD STENCIL_PAD
#undef UNROLL
#define UNROLL STENCIL_UNROLL
#undef USE_LDG
#define USE_LDG STENCIL_USE_LDG
#endif
