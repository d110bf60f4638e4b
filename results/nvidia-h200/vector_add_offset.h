/*
 * vector_add_offset on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem offset_0: N = 67108864, OFFSET = 0
 *   configuration  BLOCK=64 UNROLL=4 USE_LDG=false L1=cg
 *   time           183.49 us (95 % interval 183.26 to 183.71)
 *   speed-up       1.267 over the baseline
 *   chosen from    90 evaluations, 90 of them ok
 *   measured       2026-11-21T11:08:46Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    f0221b348c3f1135d863c74eae61d72a
 *
 * Problem offset_1: N = 67108864, OFFSET = 1
 *   configuration  BLOCK=256 UNROLL=4 USE_LDG=false L1=ca
 *   time           183.87 us (95 % interval 182.75 to 184.16)
 *   speed-up       1.298 over the baseline
 *   chosen from    90 evaluations, 90 of them ok
 *   measured       2026-11-21T11:08:47Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    2814d765aa22bd685aa7aff94e561b7e
 *
 * Problem offset_11: N = 67108864, OFFSET = 11
 *   configuration  BLOCK=256 UNROLL=4 USE_LDG=true L1=ca
 *   time           183.78 us (95 % interval 182.91 to 184.16)
 *   speed-up       1.298 over the baseline
 *   chosen from    90 evaluations, 90 of them ok
 *   measured       2026-11-21T11:08:48Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    0b61930cc3fbd18d5fce1d125b94efb4
 *
 * Problem offset_32: N = 67108864, OFFSET = 32
 *   configuration  BLOCK=32 UNROLL=8 USE_LDG=false L1=cg
 *   time           183.74 us (95 % interval 183.23 to 184.06)
 *   speed-up       1.282 over the baseline
 *   chosen from    90 evaluations, 90 of them ok
 *   measured       2026-11-21T11:08:49Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    4b03871bbeddfded05d854ab0c1d619a
 *
 * Problem offset_128: N = 67108864, OFFSET = 128
 *   configuration  BLOCK=128 UNROLL=4 USE_LDG=false L1=ca
 *   time           183.49 us (95 % interval 182.91 to 183.58)
 *   speed-up       1.271 over the baseline
 *   chosen from    90 evaluations, 90 of them ok
 *   measured       2026-11-21T11:08:49Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3687af87bcce608549340aa711f1ad76
 *
 * With VECTOR_ADD_OFFSET_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 * The short names, VECTOR_ADD_OFFSET_..., are those of the first problem; for another's
 * define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_1, or likewise, before it is included.
 */
#ifndef AUTOTUNE_NVIDIA_H200_VECTOR_ADD_OFFSET_H
#define AUTOTUNE_NVIDIA_H200_VECTOR_ADD_OFFSET_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

/* problem offset_0 */
#define VECTOR_ADD_OFFSET_OFFSET_0_BLOCK 64
#define VECTOR_ADD_OFFSET_OFFSET_0_UNROLL 4
#define VECTOR_ADD_OFFSET_OFFSET_0_USE_LDG 0
#define VECTOR_ADD_OFFSET_OFFSET_0_L1_ca 1
#define VECTOR_ADD_OFFSET_OFFSET_0_L1_cg 2
#define VECTOR_ADD_OFFSET_OFFSET_0_L1 VECTOR_ADD_OFFSET_OFFSET_0_L1_cg
#define VECTOR_ADD_OFFSET_OFFSET_0_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_OFFSET_0_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_OFFSET_0_BLOCK_DIM_X 64
#define VECTOR_ADD_OFFSET_OFFSET_0_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_OFFSET_0_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_OFFSET_0_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_OFFSET_0_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_OFFSET_0_BLOCK * VECTOR_ADD_OFFSET_OFFSET_0_UNROLL))))
#define VECTOR_ADD_OFFSET_OFFSET_0_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_OFFSET_0_GRID_Z(N, OFFSET) ((unsigned int)(1))

/* problem offset_1 */
#define VECTOR_ADD_OFFSET_OFFSET_1_BLOCK 256
#define VECTOR_ADD_OFFSET_OFFSET_1_UNROLL 4
#define VECTOR_ADD_OFFSET_OFFSET_1_USE_LDG 0
#define VECTOR_ADD_OFFSET_OFFSET_1_L1_ca 1
#define VECTOR_ADD_OFFSET_OFFSET_1_L1_cg 2
#define VECTOR_ADD_OFFSET_OFFSET_1_L1 VECTOR_ADD_OFFSET_OFFSET_1_L1_ca
#define VECTOR_ADD_OFFSET_OFFSET_1_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_OFFSET_1_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_OFFSET_1_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_OFFSET_1_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_OFFSET_1_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_OFFSET_1_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_OFFSET_1_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_OFFSET_1_BLOCK * VECTOR_ADD_OFFSET_OFFSET_1_UNROLL))))
#define VECTOR_ADD_OFFSET_OFFSET_1_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_OFFSET_1_GRID_Z(N, OFFSET) ((unsigned int)(1))

/* problem offset_11 */
#define VECTOR_ADD_OFFSET_OFFSET_11_BLOCK 256
#define VECTOR_ADD_OFFSET_OFFSET_11_UNROLL 4
#define VECTOR_ADD_OFFSET_OFFSET_11_USE_LDG 1
#define VECTOR_ADD_OFFSET_OFFSET_11_L1_ca 1
#define VECTOR_ADD_OFFSET_OFFSET_11_L1_cg 2
#define VECTOR_ADD_OFFSET_OFFSET_11_L1 VECTOR_ADD_OFFSET_OFFSET_11_L1_ca
#define VECTOR_ADD_OFFSET_OFFSET_11_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_OFFSET_11_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_OFFSET_11_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_OFFSET_11_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_OFFSET_11_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_OFFSET_11_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_OFFSET_11_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_OFFSET_11_BLOCK * VECTOR_ADD_OFFSET_OFFSET_11_UNROLL))))
#define VECTOR_ADD_OFFSET_OFFSET_11_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_OFFSET_11_GRID_Z(N, OFFSET) ((unsigned int)(1))

/* problem offset_32 */
#define VECTOR_ADD_OFFSET_OFFSET_32_BLOCK 32
#define VECTOR_ADD_OFFSET_OFFSET_32_UNROLL 8
#define VECTOR_ADD_OFFSET_OFFSET_32_USE_LDG 0
#define VECTOR_ADD_OFFSET_OFFSET_32_L1_ca 1
#define VECTOR_ADD_OFFSET_OFFSET_32_L1_cg 2
#define VECTOR_ADD_OFFSET_OFFSET_32_L1 VECTOR_ADD_OFFSET_OFFSET_32_L1_cg
#define VECTOR_ADD_OFFSET_OFFSET_32_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_OFFSET_32_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_OFFSET_32_BLOCK_DIM_X 32
#define VECTOR_ADD_OFFSET_OFFSET_32_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_OFFSET_32_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_OFFSET_32_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_OFFSET_32_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_OFFSET_32_BLOCK * VECTOR_ADD_OFFSET_OFFSET_32_UNROLL))))
#define VECTOR_ADD_OFFSET_OFFSET_32_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_OFFSET_32_GRID_Z(N, OFFSET) ((unsigned int)(1))

/* problem offset_128 */
#define VECTOR_ADD_OFFSET_OFFSET_128_BLOCK 128
#define VECTOR_ADD_OFFSET_OFFSET_128_UNROLL 4
#define VECTOR_ADD_OFFSET_OFFSET_128_USE_LDG 0
#define VECTOR_ADD_OFFSET_OFFSET_128_L1_ca 1
#define VECTOR_ADD_OFFSET_OFFSET_128_L1_cg 2
#define VECTOR_ADD_OFFSET_OFFSET_128_L1 VECTOR_ADD_OFFSET_OFFSET_128_L1_ca
#define VECTOR_ADD_OFFSET_OFFSET_128_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_OFFSET_128_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_OFFSET_128_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_OFFSET_128_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_OFFSET_128_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_OFFSET_128_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_OFFSET_128_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_OFFSET_128_BLOCK * VECTOR_ADD_OFFSET_OFFSET_128_UNROLL))))
#define VECTOR_ADD_OFFSET_OFFSET_128_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_OFFSET_128_GRID_Z(N, OFFSET) ((unsigned int)(1))

#if !defined(VECTOR_ADD_OFFSET_PROBLEM_OFFSET_1) && \
	!defined(VECTOR_ADD_OFFSET_PROBLEM_OFFSET_11) && \
	!defined(VECTOR_ADD_OFFSET_PROBLEM_OFFSET_32) && \
	!defined(VECTOR_ADD_OFFSET_PROBLEM_OFFSET_128)
#define VECTOR_ADD_OFFSET_BLOCK 64
#define VECTOR_ADD_OFFSET_UNROLL 4
#define VECTOR_ADD_OFFSET_USE_LDG 0
#define VECTOR_ADD_OFFSET_L1_ca 1
#define VECTOR_ADD_OFFSET_L1_cg 2
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_L1_cg
#define VECTOR_ADD_OFFSET_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X 64
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_BLOCK * VECTOR_ADD_OFFSET_UNROLL))))
#define VECTOR_ADD_OFFSET_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_GRID_Z(N, OFFSET) ((unsigned int)(1))
#elif defined(VECTOR_ADD_OFFSET_PROBLEM_OFFSET_1)
#define VECTOR_ADD_OFFSET_BLOCK 256
#define VECTOR_ADD_OFFSET_UNROLL 4
#define VECTOR_ADD_OFFSET_USE_LDG 0
#define VECTOR_ADD_OFFSET_L1_ca 1
#define VECTOR_ADD_OFFSET_L1_cg 2
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_L1_ca
#define VECTOR_ADD_OFFSET_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_BLOCK * VECTOR_ADD_OFFSET_UNROLL))))
#define VECTOR_ADD_OFFSET_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_GRID_Z(N, OFFSET) ((unsigned int)(1))
#elif defined(VECTOR_ADD_OFFSET_PROBLEM_OFFSET_11)
#define VECTOR_ADD_OFFSET_BLOCK 256
#define VECTOR_ADD_OFFSET_UNROLL 4
#define VECTOR_ADD_OFFSET_USE_LDG 1
#define VECTOR_ADD_OFFSET_L1_ca 1
#define VECTOR_ADD_OFFSET_L1_cg 2
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_L1_ca
#define VECTOR_ADD_OFFSET_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_BLOCK * VECTOR_ADD_OFFSET_UNROLL))))
#define VECTOR_ADD_OFFSET_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_GRID_Z(N, OFFSET) ((unsigned int)(1))
#elif defined(VECTOR_ADD_OFFSET_PROBLEM_OFFSET_32)
#define VECTOR_ADD_OFFSET_BLOCK 32
#define VECTOR_ADD_OFFSET_UNROLL 8
#define VECTOR_ADD_OFFSET_USE_LDG 0
#define VECTOR_ADD_OFFSET_L1_ca 1
#define VECTOR_ADD_OFFSET_L1_cg 2
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_L1_cg
#define VECTOR_ADD_OFFSET_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X 32
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_BLOCK * VECTOR_ADD_OFFSET_UNROLL))))
#define VECTOR_ADD_OFFSET_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_GRID_Z(N, OFFSET) ((unsigned int)(1))
#elif defined(VECTOR_ADD_OFFSET_PROBLEM_OFFSET_128)
#define VECTOR_ADD_OFFSET_BLOCK 128
#define VECTOR_ADD_OFFSET_UNROLL 4
#define VECTOR_ADD_OFFSET_USE_LDG 0
#define VECTOR_ADD_OFFSET_L1_ca 1
#define VECTOR_ADD_OFFSET_L1_cg 2
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_L1_ca
#define VECTOR_ADD_OFFSET_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_SHARED_BYTES 0
#define VECTOR_ADD_OFFSET_GRID_X(N, OFFSET) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (VECTOR_ADD_OFFSET_BLOCK * VECTOR_ADD_OFFSET_UNROLL))))
#define VECTOR_ADD_OFFSET_GRID_Y(N, OFFSET) ((unsigned int)(1))
#define VECTOR_ADD_OFFSET_GRID_Z(N, OFFSET) ((unsigned int)(1))
#endif

#endif

#ifdef VECTOR_ADD_OFFSET_BARE
#undef BLOCK
#define BLOCK VECTOR_ADD_OFFSET_BLOCK
#undef UNROLL
#define UNROLL VECTOR_ADD_OFFSET_UNROLL
#undef USE_LDG
#define USE_LDG VECTOR_ADD_OFFSET_USE_LDG
#undef L1_ca
#define L1_ca VECTOR_ADD_OFFSET_L1_ca
#undef L1_cg
#define L1_cg VECTOR_ADD_OFFSET_L1_cg
#undef L1
#define L1 VECTOR_ADD_OFFSET_L1
#endif
