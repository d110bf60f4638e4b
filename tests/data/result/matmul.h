/*
 * matmul on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem square 4096: M = 4096, N = 4096, K = 4096
 *   configuration  BLOCK_X=32 BLOCK_Y=2 OFFSET=-1 USE_LDG=true SCALE=0.1 CACHE=cg GRID_Y=2
 *   time           1.2346 ms (95 % interval 1.23 to 1.24)
 *   speed-up       2.025 over the baseline (95 % interval 2.013 to 2.038)
 *   chosen from    400 evaluations, 380 of them ok
 *   proved         2 data sets, 3 problems, 6 patterns, guarded, host
 *   measured       2025-11-21T09:05:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.1 (CUDA 13.0)
 *   source hash    00112233445566778899aabbccddeeff
 *
 * Problem tall: M = 65536, N = 64, K = 1024
 *   configuration  BLOCK_X=8 BLOCK_Y=8 OFFSET=0 USE_LDG=false SCALE=-1.5 CACHE=ca GRID_Y=1
 *   time           812.5 ns
 *   speed-up       not known: the baseline was not timed
 *   chosen from    400 evaluations, 380 of them ok
 *   proved         2 data sets, 3 problems, 6 patterns, guarded, host
 *   measured       2025-11-21T09:05:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.1 (CUDA 13.0)
 *   source hash    00112233445566778899aabbccddeeff
 *
 * With MATMUL_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 * The short names, MATMUL_..., are those of the first problem; for another's
 * define MATMUL_PROBLEM_TALL, or likewise, before it is included.
 */
#ifndef AUTOTUNE_NVIDIA_H200_MATMUL_H
#define AUTOTUNE_NVIDIA_H200_MATMUL_H

#ifndef AUTOTUNE_MIN
#define AUTOTUNE_MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

/* problem square 4096 */
#define MATMUL_SQUARE_4096_BLOCK_X 32
#define MATMUL_SQUARE_4096_BLOCK_Y 2
#define MATMUL_SQUARE_4096_OFFSET (-1)
#define MATMUL_SQUARE_4096_USE_LDG 1
#define MATMUL_SQUARE_4096_SCALE 0.1
#define MATMUL_SQUARE_4096_CACHE_ca 1
#define MATMUL_SQUARE_4096_CACHE_cg 2
#define MATMUL_SQUARE_4096_CACHE_cs 3
#define MATMUL_SQUARE_4096_CACHE MATMUL_SQUARE_4096_CACHE_cg
#define MATMUL_SQUARE_4096_GRID_Y 2
#define MATMUL_SQUARE_4096_CACHE_NAME "cg"
#define MATMUL_SQUARE_4096_OPTIONS "--ptxas-options=-dlcm=cg -DTEXT=\"a\""
#define MATMUL_SQUARE_4096_BLOCK_DIM_X 32
#define MATMUL_SQUARE_4096_BLOCK_DIM_Y 2
#define MATMUL_SQUARE_4096_BLOCK_DIM_Z 1
#define MATMUL_SQUARE_4096_SHARED_BYTES 8192
#define MATMUL_SQUARE_4096_SHARED_BYTES_FOR(M, N, K) ((unsigned int)(((MATMUL_SQUARE_4096_CACHE == MATMUL_SQUARE_4096_CACHE_ca) ? 0LL : ((4LL * MATMUL_SQUARE_4096_BLOCK_X) * AUTOTUNE_MIN((long long)(K), 64LL)))))
#define MATMUL_SQUARE_4096_GRID_X(M, N, K) ((unsigned int)(AUTOTUNE_MIN(AUTOTUNE_CEIL_DIV((long long)(N), MATMUL_SQUARE_4096_BLOCK_X), (4LL * 132LL))))
#define MATMUL_SQUARE_4096_GRID_Y_(M, N, K) ((unsigned int)((AUTOTUNE_CEIL_DIV((long long)(M), MATMUL_SQUARE_4096_BLOCK_Y) / MATMUL_SQUARE_4096_GRID_Y)))
#define MATMUL_SQUARE_4096_GRID_Z(M, N, K) ((unsigned int)(1))

/* problem tall */
#define MATMUL_TALL_BLOCK_X 8
#define MATMUL_TALL_BLOCK_Y 8
#define MATMUL_TALL_OFFSET 0
#define MATMUL_TALL_USE_LDG 0
#define MATMUL_TALL_SCALE (-1.5)
#define MATMUL_TALL_CACHE_ca 1
#define MATMUL_TALL_CACHE_cg 2
#define MATMUL_TALL_CACHE_cs 3
#define MATMUL_TALL_CACHE MATMUL_TALL_CACHE_ca
#define MATMUL_TALL_GRID_Y 1
#define MATMUL_TALL_CACHE_NAME "ca"
#define MATMUL_TALL_OPTIONS ""
#define MATMUL_TALL_BLOCK_DIM_X 8
#define MATMUL_TALL_BLOCK_DIM_Y 8
#define MATMUL_TALL_BLOCK_DIM_Z 1
#define MATMUL_TALL_SHARED_BYTES 0
#define MATMUL_TALL_SHARED_BYTES_FOR(M, N, K) ((unsigned int)(((MATMUL_TALL_CACHE == MATMUL_TALL_CACHE_ca) ? 0LL : ((4LL * MATMUL_TALL_BLOCK_X) * AUTOTUNE_MIN((long long)(K), 64LL)))))
#define MATMUL_TALL_GRID_X(M, N, K) ((unsigned int)(AUTOTUNE_MIN(AUTOTUNE_CEIL_DIV((long long)(N), MATMUL_TALL_BLOCK_X), (4LL * 132LL))))
#define MATMUL_TALL_GRID_Y_(M, N, K) ((unsigned int)((AUTOTUNE_CEIL_DIV((long long)(M), MATMUL_TALL_BLOCK_Y) / MATMUL_TALL_GRID_Y)))
#define MATMUL_TALL_GRID_Z(M, N, K) ((unsigned int)(1))

#if !defined(MATMUL_PROBLEM_TALL)
#define MATMUL_BLOCK_X 32
#define MATMUL_BLOCK_Y 2
#define MATMUL_OFFSET (-1)
#define MATMUL_USE_LDG 1
#define MATMUL_SCALE 0.1
#define MATMUL_CACHE_ca 1
#define MATMUL_CACHE_cg 2
#define MATMUL_CACHE_cs 3
#define MATMUL_CACHE MATMUL_CACHE_cg
#define MATMUL_GRID_Y 2
#define MATMUL_CACHE_NAME "cg"
#define MATMUL_OPTIONS "--ptxas-options=-dlcm=cg -DTEXT=\"a\""
#define MATMUL_BLOCK_DIM_X 32
#define MATMUL_BLOCK_DIM_Y 2
#define MATMUL_BLOCK_DIM_Z 1
#define MATMUL_SHARED_BYTES 8192
#define MATMUL_SHARED_BYTES_FOR(M, N, K) ((unsigned int)(((MATMUL_CACHE == MATMUL_CACHE_ca) ? 0LL : ((4LL * MATMUL_BLOCK_X) * AUTOTUNE_MIN((long long)(K), 64LL)))))
#define MATMUL_GRID_X(M, N, K) ((unsigned int)(AUTOTUNE_MIN(AUTOTUNE_CEIL_DIV((long long)(N), MATMUL_BLOCK_X), (4LL * 132LL))))
#define MATMUL_GRID_Y_(M, N, K) ((unsigned int)((AUTOTUNE_CEIL_DIV((long long)(M), MATMUL_BLOCK_Y) / MATMUL_GRID_Y)))
#define MATMUL_GRID_Z(M, N, K) ((unsigned int)(1))
#elif defined(MATMUL_PROBLEM_TALL)
#define MATMUL_BLOCK_X 8
#define MATMUL_BLOCK_Y 8
#define MATMUL_OFFSET 0
#define MATMUL_USE_LDG 0
#define MATMUL_SCALE (-1.5)
#define MATMUL_CACHE_ca 1
#define MATMUL_CACHE_cg 2
#define MATMUL_CACHE_cs 3
#define MATMUL_CACHE MATMUL_CACHE_ca
#define MATMUL_GRID_Y 1
#define MATMUL_CACHE_NAME "ca"
#define MATMUL_OPTIONS ""
#define MATMUL_BLOCK_DIM_X 8
#define MATMUL_BLOCK_DIM_Y 8
#define MATMUL_BLOCK_DIM_Z 1
#define MATMUL_SHARED_BYTES 0
#define MATMUL_SHARED_BYTES_FOR(M, N, K) ((unsigned int)(((MATMUL_CACHE == MATMUL_CACHE_ca) ? 0LL : ((4LL * MATMUL_BLOCK_X) * AUTOTUNE_MIN((long long)(K), 64LL)))))
#define MATMUL_GRID_X(M, N, K) ((unsigned int)(AUTOTUNE_MIN(AUTOTUNE_CEIL_DIV((long long)(N), MATMUL_BLOCK_X), (4LL * 132LL))))
#define MATMUL_GRID_Y_(M, N, K) ((unsigned int)((AUTOTUNE_CEIL_DIV((long long)(M), MATMUL_BLOCK_Y) / MATMUL_GRID_Y)))
#define MATMUL_GRID_Z(M, N, K) ((unsigned int)(1))
#endif

#endif

#ifdef MATMUL_BARE
#undef BLOCK_X
#define BLOCK_X MATMUL_BLOCK_X
#undef BLOCK_Y
#define BLOCK_Y MATMUL_BLOCK_Y
#undef OFFSET
#define OFFSET MATMUL_OFFSET
#undef USE_LDG
#define USE_LDG MATMUL_USE_LDG
#undef SCALE
#define SCALE MATMUL_SCALE
#undef CACHE_ca
#define CACHE_ca MATMUL_CACHE_ca
#undef CACHE_cg
#define CACHE_cg MATMUL_CACHE_cg
#undef CACHE_cs
#define CACHE_cs MATMUL_CACHE_cs
#undef CACHE
#define CACHE MATMUL_CACHE
#undef GRID_Y
#define GRID_Y MATMUL_GRID_Y
#endif
