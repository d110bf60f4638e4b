/*
 * strided_copy on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem stride_2: N = 33554432, STRIDE = 2
 *   configuration  ORDER=strided BLOCK=256 UNROLL=1 PAD=0 L1=plain
 *   time           146.24 us (95 % interval 146.11 to 147.46)
 *   speed-up       1 over the baseline
 *   chosen from    144 evaluations, 144 of them ok
 *   measured       2026-11-21T22:00:50Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3e8cf4a9365af4bc22022a330352c078
 *
 * Problem stride_3: N = 22369621, STRIDE = 3
 *   configuration  ORDER=strided BLOCK=128 UNROLL=2 PAD=0 L1=plain
 *   time           138.85 us (95 % interval 138.66 to 138.98)
 *   speed-up       1.015 over the baseline
 *   chosen from    144 evaluations, 144 of them ok
 *   measured       2026-11-21T22:00:50Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    4c5508cbca4a2750d53832b76a036957
 *
 * Problem stride_8: N = 8388608, STRIDE = 8
 *   configuration  ORDER=staged BLOCK=64 UNROLL=4 PAD=1 L1=ca
 *   time           130.59 us (95 % interval 130.43 to 130.75)
 *   speed-up       1.053 over the baseline
 *   chosen from    288 evaluations, 288 of them ok
 *   measured       2026-11-21T22:00:52Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b1bd2e8cd1f4de01b4520fdeff0041bf
 *
 * Problem stride_32: N = 2097152, STRIDE = 32
 *   configuration  ORDER=staged BLOCK=128 UNROLL=4 PAD=1 L1=cg
 *   time           137.25 us (95 % interval 137.15 to 137.95)
 *   speed-up       2.236 over the baseline
 *   chosen from    288 evaluations, 288 of them ok
 *   measured       2026-11-21T22:00:53Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    2610b2b1c5643ba189f32c94acffe5e9
 *
 * With STRIDED_COPY_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 * The short names, STRIDED_COPY_..., are those of the first problem; for another's
 * define STRIDED_COPY_PROBLEM_STRIDE_3, or likewise, before it is included.
 */
#ifndef AUTOTUNE_NVIDIA_H200_STRIDED_COPY_H
#define AUTOTUNE_NVIDIA_H200_STRIDED_COPY_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

/* problem stride_2 */
#define STRIDED_COPY_STRIDE_2_ORDER_coalesced 1
#define STRIDED_COPY_STRIDE_2_ORDER_strided 2
#define STRIDED_COPY_STRIDE_2_ORDER_staged 3
#define STRIDED_COPY_STRIDE_2_ORDER STRIDED_COPY_STRIDE_2_ORDER_strided
#define STRIDED_COPY_STRIDE_2_BLOCK 256
#define STRIDED_COPY_STRIDE_2_UNROLL 1
#define STRIDED_COPY_STRIDE_2_PAD 0
#define STRIDED_COPY_STRIDE_2_L1_plain 1
#define STRIDED_COPY_STRIDE_2_L1_ca 2
#define STRIDED_COPY_STRIDE_2_L1_cg 3
#define STRIDED_COPY_STRIDE_2_L1 STRIDED_COPY_STRIDE_2_L1_plain
#define STRIDED_COPY_STRIDE_2_ORDER_NAME "strided"
#define STRIDED_COPY_STRIDE_2_L1_NAME "plain"
#define STRIDED_COPY_STRIDE_2_OPTIONS ""
#define STRIDED_COPY_STRIDE_2_BLOCK_DIM_X 256
#define STRIDED_COPY_STRIDE_2_BLOCK_DIM_Y 1
#define STRIDED_COPY_STRIDE_2_BLOCK_DIM_Z 1
#define STRIDED_COPY_STRIDE_2_SHARED_BYTES 0
#define STRIDED_COPY_STRIDE_2_SHARED_BYTES_FOR(N, STRIDE) ((unsigned int)(((STRIDED_COPY_STRIDE_2_ORDER == STRIDED_COPY_STRIDE_2_ORDER_staged) ? (4LL * ((STRIDED_COPY_STRIDE_2_BLOCK * (long long)(STRIDE)) + (((STRIDED_COPY_STRIDE_2_BLOCK * (long long)(STRIDE)) / 32LL) * STRIDED_COPY_STRIDE_2_PAD))) : 0LL)))
#define STRIDED_COPY_STRIDE_2_GRID_X(N, STRIDE) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), STRIDED_COPY_STRIDE_2_BLOCK)))
#define STRIDED_COPY_STRIDE_2_GRID_Y(N, STRIDE) ((unsigned int)(1))
#define STRIDED_COPY_STRIDE_2_GRID_Z(N, STRIDE) ((unsigned int)(1))

/* problem stride_3 */
#define STRIDED_COPY_STRIDE_3_ORDER_coalesced 1
#define STRIDED_COPY_STRIDE_3_ORDER_strided 2
#define STRIDED_COPY_STRIDE_3_ORDER_staged 3
#define STRIDED_COPY_STRIDE_3_ORDER STRIDED_COPY_STRIDE_3_ORDER_strided
#define STRIDED_COPY_STRIDE_3_BLOCK 128
#define STRIDED_COPY_STRIDE_3_UNROLL 2
#define STRIDED_COPY_STRIDE_3_PAD 0
#define STRIDED_COPY_STRIDE_3_L1_plain 1
#define STRIDED_COPY_STRIDE_3_L1_ca 2
#define STRIDED_COPY_STRIDE_3_L1_cg 3
#define STRIDED_COPY_STRIDE_3_L1 STRIDED_COPY_STRIDE_3_L1_plain
#define STRIDED_COPY_STRIDE_3_ORDER_NAME "strided"
#define STRIDED_COPY_STRIDE_3_L1_NAME "plain"
#define STRIDED_COPY_STRIDE_3_OPTIONS ""
#define STRIDED_COPY_STRIDE_3_BLOCK_DIM_X 128
#define STRIDED_COPY_STRIDE_3_BLOCK_DIM_Y 1
#define STRIDED_COPY_STRIDE_3_BLOCK_DIM_Z 1
#define STRIDED_COPY_STRIDE_3_SHARED_BYTES 0
#define STRIDED_COPY_STRIDE_3_SHARED_BYTES_FOR(N, STRIDE) ((unsigned int)(((STRIDED_COPY_STRIDE_3_ORDER == STRIDED_COPY_STRIDE_3_ORDER_staged) ? (4LL * ((STRIDED_COPY_STRIDE_3_BLOCK * (long long)(STRIDE)) + (((STRIDED_COPY_STRIDE_3_BLOCK * (long long)(STRIDE)) / 32LL) * STRIDED_COPY_STRIDE_3_PAD))) : 0LL)))
#define STRIDED_COPY_STRIDE_3_GRID_X(N, STRIDE) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), STRIDED_COPY_STRIDE_3_BLOCK)))
#define STRIDED_COPY_STRIDE_3_GRID_Y(N, STRIDE) ((unsigned int)(1))
#define STRIDED_COPY_STRIDE_3_GRID_Z(N, STRIDE) ((unsigned int)(1))

/* problem stride_8 */
#define STRIDED_COPY_STRIDE_8_ORDER_coalesced 1
#define STRIDED_COPY_STRIDE_8_ORDER_strided 2
#define STRIDED_COPY_STRIDE_8_ORDER_staged 3
#define STRIDED_COPY_STRIDE_8_ORDER STRIDED_COPY_STRIDE_8_ORDER_staged
#define STRIDED_COPY_STRIDE_8_BLOCK 64
#define STRIDED_COPY_STRIDE_8_UNROLL 4
#define STRIDED_COPY_STRIDE_8_PAD 1
#define STRIDED_COPY_STRIDE_8_L1_plain 1
#define STRIDED_COPY_STRIDE_8_L1_ca 2
#define STRIDED_COPY_STRIDE_8_L1_cg 3
#define STRIDED_COPY_STRIDE_8_L1 STRIDED_COPY_STRIDE_8_L1_ca
#define STRIDED_COPY_STRIDE_8_ORDER_NAME "staged"
#define STRIDED_COPY_STRIDE_8_L1_NAME "ca"
#define STRIDED_COPY_STRIDE_8_OPTIONS "--ptxas-options=-dlcm=ca"
#define STRIDED_COPY_STRIDE_8_BLOCK_DIM_X 64
#define STRIDED_COPY_STRIDE_8_BLOCK_DIM_Y 1
#define STRIDED_COPY_STRIDE_8_BLOCK_DIM_Z 1
#define STRIDED_COPY_STRIDE_8_SHARED_BYTES 2112
#define STRIDED_COPY_STRIDE_8_SHARED_BYTES_FOR(N, STRIDE) ((unsigned int)(((STRIDED_COPY_STRIDE_8_ORDER == STRIDED_COPY_STRIDE_8_ORDER_staged) ? (4LL * ((STRIDED_COPY_STRIDE_8_BLOCK * (long long)(STRIDE)) + (((STRIDED_COPY_STRIDE_8_BLOCK * (long long)(STRIDE)) / 32LL) * STRIDED_COPY_STRIDE_8_PAD))) : 0LL)))
#define STRIDED_COPY_STRIDE_8_GRID_X(N, STRIDE) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), STRIDED_COPY_STRIDE_8_BLOCK)))
#define STRIDED_COPY_STRIDE_8_GRID_Y(N, STRIDE) ((unsigned int)(1))
#define STRIDED_COPY_STRIDE_8_GRID_Z(N, STRIDE) ((unsigned int)(1))

/* problem stride_32 */
#define STRIDED_COPY_STRIDE_32_ORDER_coalesced 1
#define STRIDED_COPY_STRIDE_32_ORDER_strided 2
#define STRIDED_COPY_STRIDE_32_ORDER_staged 3
#define STRIDED_COPY_STRIDE_32_ORDER STRIDED_COPY_STRIDE_32_ORDER_staged
#define STRIDED_COPY_STRIDE_32_BLOCK 128
#define STRIDED_COPY_STRIDE_32_UNROLL 4
#define STRIDED_COPY_STRIDE_32_PAD 1
#define STRIDED_COPY_STRIDE_32_L1_plain 1
#define STRIDED_COPY_STRIDE_32_L1_ca 2
#define STRIDED_COPY_STRIDE_32_L1_cg 3
#define STRIDED_COPY_STRIDE_32_L1 STRIDED_COPY_STRIDE_32_L1_cg
#define STRIDED_COPY_STRIDE_32_ORDER_NAME "staged"
#define STRIDED_COPY_STRIDE_32_L1_NAME "cg"
#define STRIDED_COPY_STRIDE_32_OPTIONS "--ptxas-options=-dlcm=cg"
#define STRIDED_COPY_STRIDE_32_BLOCK_DIM_X 128
#define STRIDED_COPY_STRIDE_32_BLOCK_DIM_Y 1
#define STRIDED_COPY_STRIDE_32_BLOCK_DIM_Z 1
#define STRIDED_COPY_STRIDE_32_SHARED_BYTES 16896
#define STRIDED_COPY_STRIDE_32_SHARED_BYTES_FOR(N, STRIDE) ((unsigned int)(((STRIDED_COPY_STRIDE_32_ORDER == STRIDED_COPY_STRIDE_32_ORDER_staged) ? (4LL * ((STRIDED_COPY_STRIDE_32_BLOCK * (long long)(STRIDE)) + (((STRIDED_COPY_STRIDE_32_BLOCK * (long long)(STRIDE)) / 32LL) * STRIDED_COPY_STRIDE_32_PAD))) : 0LL)))
#define STRIDED_COPY_STRIDE_32_GRID_X(N, STRIDE) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), STRIDED_COPY_STRIDE_32_BLOCK)))
#define STRIDED_COPY_STRIDE_32_GRID_Y(N, STRIDE) ((unsigned int)(1))
#define STRIDED_COPY_STRIDE_32_GRID_Z(N, STRIDE) ((unsigned int)(1))

#if !defined(STRIDED_COPY_PROBLEM_STRIDE_3) && \
	!defined(STRIDED_COPY_PROBLEM_STRIDE_8) && \
	!defined(STRIDED_COPY_PROBLEM_STRIDE_32)
#define STRIDED_COPY_ORDER_coalesced 1
#define STRIDED_COPY_ORDER_strided 2
#define STRIDED_COPY_ORDER_staged 3
#define STRIDED_COPY_ORDER STRIDED_COPY_ORDER_strided
#define STRIDED_COPY_BLOCK 256
#define STRIDED_COPY_UNROLL 1
#define STRIDED_COPY_PAD 0
#define STRIDED_COPY_L1_plain 1
#define STRIDED_COPY_L1_ca 2
#define STRIDED_COPY_L1_cg 3
#define STRIDED_COPY_L1 STRIDED_COPY_L1_plain
#define STRIDED_COPY_ORDER_NAME "strided"
#define STRIDED_COPY_L1_NAME "plain"
#define STRIDED_COPY_OPTIONS ""
#define STRIDED_COPY_BLOCK_DIM_X 256
#define STRIDED_COPY_BLOCK_DIM_Y 1
#define STRIDED_COPY_BLOCK_DIM_Z 1
#define STRIDED_COPY_SHARED_BYTES 0
#define STRIDED_COPY_SHARED_BYTES_FOR(N, STRIDE) ((unsigned int)(((STRIDED_COPY_ORDER == STRIDED_COPY_ORDER_staged) ? (4LL * ((STRIDED_COPY_BLOCK * (long long)(STRIDE)) + (((STRIDED_COPY_BLOCK * (long long)(STRIDE)) / 32LL) * STRIDED_COPY_PAD))) : 0LL)))
#define STRIDED_COPY_GRID_X(N, STRIDE) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), STRIDED_COPY_BLOCK)))
#define STRIDED_COPY_GRID_Y(N, STRIDE) ((unsigned int)(1))
#define STRIDED_COPY_GRID_Z(N, STRIDE) ((unsigned int)(1))
#elif defined(STRIDED_COPY_PROBLEM_STRIDE_3)
#define STRIDED_COPY_ORDER_coalesced 1
#define STRIDED_COPY_ORDER_strided 2
#define STRIDED_COPY_ORDER_staged 3
#define STRIDED_COPY_ORDER STRIDED_COPY_ORDER_strided
#define STRIDED_COPY_BLOCK 128
#define STRIDED_COPY_UNROLL 2
#define STRIDED_COPY_PAD 0
#define STRIDED_COPY_L1_plain 1
#define STRIDED_COPY_L1_ca 2
#define STRIDED_COPY_L1_cg 3
#define STRIDED_COPY_L1 STRIDED_COPY_L1_plain
#define STRIDED_COPY_ORDER_NAME "strided"
#define STRIDED_COPY_L1_NAME "plain"
#define STRIDED_COPY_OPTIONS ""
#define STRIDED_COPY_BLOCK_DIM_X 128
#define STRIDED_COPY_BLOCK_DIM_Y 1
#define STRIDED_COPY_BLOCK_DIM_Z 1
#define STRIDED_COPY_SHARED_BYTES 0
#define STRIDED_COPY_SHARED_BYTES_FOR(N, STRIDE) ((unsigned int)(((STRIDED_COPY_ORDER == STRIDED_COPY_ORDER_staged) ? (4LL * ((STRIDED_COPY_BLOCK * (long long)(STRIDE)) + (((STRIDED_COPY_BLOCK * (long long)(STRIDE)) / 32LL) * STRIDED_COPY_PAD))) : 0LL)))
#define STRIDED_COPY_GRID_X(N, STRIDE) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), STRIDED_COPY_BLOCK)))
#define STRIDED_COPY_GRID_Y(N, STRIDE) ((unsigned int)(1))
#define STRIDED_COPY_GRID_Z(N, STRIDE) ((unsigned int)(1))
#elif defined(STRIDED_COPY_PROBLEM_STRIDE_8)
#define STRIDED_COPY_ORDER_coalesced 1
#define STRIDED_COPY_ORDER_strided 2
#define STRIDED_COPY_ORDER_staged 3
#define STRIDED_COPY_ORDER STRIDED_COPY_ORDER_staged
#define STRIDED_COPY_BLOCK 64
#define STRIDED_COPY_UNROLL 4
#define STRIDED_COPY_PAD 1
#define STRIDED_COPY_L1_plain 1
#define STRIDED_COPY_L1_ca 2
#define STRIDED_COPY_L1_cg 3
#define STRIDED_COPY_L1 STRIDED_COPY_L1_ca
#define STRIDED_COPY_ORDER_NAME "staged"
#define STRIDED_COPY_L1_NAME "ca"
#define STRIDED_COPY_OPTIONS "--ptxas-options=-dlcm=ca"
#define STRIDED_COPY_BLOCK_DIM_X 64
#define STRIDED_COPY_BLOCK_DIM_Y 1
#define STRIDED_COPY_BLOCK_DIM_Z 1
#define STRIDED_COPY_SHARED_BYTES 2112
#define STRIDED_COPY_SHARED_BYTES_FOR(N, STRIDE) ((unsigned int)(((STRIDED_COPY_ORDER == STRIDED_COPY_ORDER_staged) ? (4LL * ((STRIDED_COPY_BLOCK * (long long)(STRIDE)) + (((STRIDED_COPY_BLOCK * (long long)(STRIDE)) / 32LL) * STRIDED_COPY_PAD))) : 0LL)))
#define STRIDED_COPY_GRID_X(N, STRIDE) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), STRIDED_COPY_BLOCK)))
#define STRIDED_COPY_GRID_Y(N, STRIDE) ((unsigned int)(1))
#define STRIDED_COPY_GRID_Z(N, STRIDE) ((unsigned int)(1))
#elif defined(STRIDED_COPY_PROBLEM_STRIDE_32)
#define STRIDED_COPY_ORDER_coalesced 1
#define STRIDED_COPY_ORDER_strided 2
#define STRIDED_COPY_ORDER_staged 3
#define STRIDED_COPY_ORDER STRIDED_COPY_ORDER_staged
#define STRIDED_COPY_BLOCK 128
#define STRIDED_COPY_UNROLL 4
#define STRIDED_COPY_PAD 1
#define STRIDED_COPY_L1_plain 1
#define STRIDED_COPY_L1_ca 2
#define STRIDED_COPY_L1_cg 3
#define STRIDED_COPY_L1 STRIDED_COPY_L1_cg
#define STRIDED_COPY_ORDER_NAME "staged"
#define STRIDED_COPY_L1_NAME "cg"
#define STRIDED_COPY_OPTIONS "--ptxas-options=-dlcm=cg"
#define STRIDED_COPY_BLOCK_DIM_X 128
#define STRIDED_COPY_BLOCK_DIM_Y 1
#define STRIDED_COPY_BLOCK_DIM_Z 1
#define STRIDED_COPY_SHARED_BYTES 16896
#define STRIDED_COPY_SHARED_BYTES_FOR(N, STRIDE) ((unsigned int)(((STRIDED_COPY_ORDER == STRIDED_COPY_ORDER_staged) ? (4LL * ((STRIDED_COPY_BLOCK * (long long)(STRIDE)) + (((STRIDED_COPY_BLOCK * (long long)(STRIDE)) / 32LL) * STRIDED_COPY_PAD))) : 0LL)))
#define STRIDED_COPY_GRID_X(N, STRIDE) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), STRIDED_COPY_BLOCK)))
#define STRIDED_COPY_GRID_Y(N, STRIDE) ((unsigned int)(1))
#define STRIDED_COPY_GRID_Z(N, STRIDE) ((unsigned int)(1))
#endif

#endif

#ifdef STRIDED_COPY_BARE
#undef ORDER_coalesced
#define ORDER_coalesced STRIDED_COPY_ORDER_coalesced
#undef ORDER_strided
#define ORDER_strided STRIDED_COPY_ORDER_strided
#undef ORDER_staged
#define ORDER_staged STRIDED_COPY_ORDER_staged
#undef ORDER
#define ORDER STRIDED_COPY_ORDER
#undef BLOCK
#define BLOCK STRIDED_COPY_BLOCK
#undef UNROLL
#define UNROLL STRIDED_COPY_UNROLL
#undef PAD
#define PAD STRIDED_COPY_PAD
#undef L1_plain
#define L1_plain STRIDED_COPY_L1_plain
#undef L1_ca
#define L1_ca STRIDED_COPY_L1_ca
#undef L1_cg
#define L1_cg STRIDED_COPY_L1_cg
#undef L1
#define L1 STRIDED_COPY_L1
#endif
