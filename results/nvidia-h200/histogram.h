/*
 * histogram on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem any_byte: N = 268435456, VALUES = 256
 *   configuration  BLOCK=128 PER_THREAD=256 VECTOR=16 ATOMICS=shared COPIES=1 PAD=0
 *   time           121.76 us (95 % interval 121.57 to 121.95)
 *   speed-up       2.798 over the baseline
 *   chosen from    840 evaluations, 840 of them ok
 *   measured       2026-11-21T22:00:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    493a9ec2348d10c7e890701a4f72c2e5
 *
 * Problem eight_bytes: N = 268435456, VALUES = 8
 *   configuration  BLOCK=256 PER_THREAD=256 VECTOR=16 ATOMICS=shared COPIES=1 PAD=0
 *   time           65.824 us (95 % interval 64.96 to 66.24)
 *   speed-up       2.189 over the baseline
 *   chosen from    840 evaluations, 840 of them ok
 *   measured       2026-11-21T22:00:04Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    9ee4cd0b0198ba2255a90401f1f7aa0e
 *
 * With HISTOGRAM_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 * The short names, HISTOGRAM_..., are those of the first problem; for another's
 * define HISTOGRAM_PROBLEM_EIGHT_BYTES, or likewise, before it is included.
 */
#ifndef AUTOTUNE_NVIDIA_H200_HISTOGRAM_H
#define AUTOTUNE_NVIDIA_H200_HISTOGRAM_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

/* problem any_byte */
#define HISTOGRAM_ANY_BYTE_BLOCK 128
#define HISTOGRAM_ANY_BYTE_PER_THREAD 256
#define HISTOGRAM_ANY_BYTE_VECTOR 16
#define HISTOGRAM_ANY_BYTE_ATOMICS_global 1
#define HISTOGRAM_ANY_BYTE_ATOMICS_shared 2
#define HISTOGRAM_ANY_BYTE_ATOMICS HISTOGRAM_ANY_BYTE_ATOMICS_shared
#define HISTOGRAM_ANY_BYTE_COPIES 1
#define HISTOGRAM_ANY_BYTE_PAD 0
#define HISTOGRAM_ANY_BYTE_ATOMICS_NAME "shared"
#define HISTOGRAM_ANY_BYTE_OPTIONS ""
#define HISTOGRAM_ANY_BYTE_BLOCK_DIM_X 128
#define HISTOGRAM_ANY_BYTE_BLOCK_DIM_Y 1
#define HISTOGRAM_ANY_BYTE_BLOCK_DIM_Z 1
#define HISTOGRAM_ANY_BYTE_SHARED_BYTES 0
#define HISTOGRAM_ANY_BYTE_GRID_X(N, VALUES) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (HISTOGRAM_ANY_BYTE_BLOCK * HISTOGRAM_ANY_BYTE_PER_THREAD))))
#define HISTOGRAM_ANY_BYTE_GRID_Y(N, VALUES) ((unsigned int)(1))
#define HISTOGRAM_ANY_BYTE_GRID_Z(N, VALUES) ((unsigned int)(1))

/* problem eight_bytes */
#define HISTOGRAM_EIGHT_BYTES_BLOCK 256
#define HISTOGRAM_EIGHT_BYTES_PER_THREAD 256
#define HISTOGRAM_EIGHT_BYTES_VECTOR 16
#define HISTOGRAM_EIGHT_BYTES_ATOMICS_global 1
#define HISTOGRAM_EIGHT_BYTES_ATOMICS_shared 2
#define HISTOGRAM_EIGHT_BYTES_ATOMICS HISTOGRAM_EIGHT_BYTES_ATOMICS_shared
#define HISTOGRAM_EIGHT_BYTES_COPIES 1
#define HISTOGRAM_EIGHT_BYTES_PAD 0
#define HISTOGRAM_EIGHT_BYTES_ATOMICS_NAME "shared"
#define HISTOGRAM_EIGHT_BYTES_OPTIONS ""
#define HISTOGRAM_EIGHT_BYTES_BLOCK_DIM_X 256
#define HISTOGRAM_EIGHT_BYTES_BLOCK_DIM_Y 1
#define HISTOGRAM_EIGHT_BYTES_BLOCK_DIM_Z 1
#define HISTOGRAM_EIGHT_BYTES_SHARED_BYTES 0
#define HISTOGRAM_EIGHT_BYTES_GRID_X(N, VALUES) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (HISTOGRAM_EIGHT_BYTES_BLOCK * HISTOGRAM_EIGHT_BYTES_PER_THREAD))))
#define HISTOGRAM_EIGHT_BYTES_GRID_Y(N, VALUES) ((unsigned int)(1))
#define HISTOGRAM_EIGHT_BYTES_GRID_Z(N, VALUES) ((unsigned int)(1))

#if !defined(HISTOGRAM_PROBLEM_EIGHT_BYTES)
#define HISTOGRAM_BLOCK 128
#define HISTOGRAM_PER_THREAD 256
#define HISTOGRAM_VECTOR 16
#define HISTOGRAM_ATOMICS_global 1
#define HISTOGRAM_ATOMICS_shared 2
#define HISTOGRAM_ATOMICS HISTOGRAM_ATOMICS_shared
#define HISTOGRAM_COPIES 1
#define HISTOGRAM_PAD 0
#define HISTOGRAM_ATOMICS_NAME "shared"
#define HISTOGRAM_OPTIONS ""
#define HISTOGRAM_BLOCK_DIM_X 128
#define HISTOGRAM_BLOCK_DIM_Y 1
#define HISTOGRAM_BLOCK_DIM_Z 1
#define HISTOGRAM_SHARED_BYTES 0
#define HISTOGRAM_GRID_X(N, VALUES) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (HISTOGRAM_BLOCK * HISTOGRAM_PER_THREAD))))
#define HISTOGRAM_GRID_Y(N, VALUES) ((unsigned int)(1))
#define HISTOGRAM_GRID_Z(N, VALUES) ((unsigned int)(1))
#elif defined(HISTOGRAM_PROBLEM_EIGHT_BYTES)
#define HISTOGRAM_BLOCK 256
#define HISTOGRAM_PER_THREAD 256
#define HISTOGRAM_VECTOR 16
#define HISTOGRAM_ATOMICS_global 1
#define HISTOGRAM_ATOMICS_shared 2
#define HISTOGRAM_ATOMICS HISTOGRAM_ATOMICS_shared
#define HISTOGRAM_COPIES 1
#define HISTOGRAM_PAD 0
#define HISTOGRAM_ATOMICS_NAME "shared"
#define HISTOGRAM_OPTIONS ""
#define HISTOGRAM_BLOCK_DIM_X 256
#define HISTOGRAM_BLOCK_DIM_Y 1
#define HISTOGRAM_BLOCK_DIM_Z 1
#define HISTOGRAM_SHARED_BYTES 0
#define HISTOGRAM_GRID_X(N, VALUES) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (HISTOGRAM_BLOCK * HISTOGRAM_PER_THREAD))))
#define HISTOGRAM_GRID_Y(N, VALUES) ((unsigned int)(1))
#define HISTOGRAM_GRID_Z(N, VALUES) ((unsigned int)(1))
#endif

#endif

#ifdef HISTOGRAM_BARE
#undef BLOCK
#define BLOCK HISTOGRAM_BLOCK
#undef PER_THREAD
#define PER_THREAD HISTOGRAM_PER_THREAD
#undef VECTOR
#define VECTOR HISTOGRAM_VECTOR
#undef ATOMICS_global
#define ATOMICS_global HISTOGRAM_ATOMICS_global
#undef ATOMICS_shared
#define ATOMICS_shared HISTOGRAM_ATOMICS_shared
#undef ATOMICS
#define ATOMICS HISTOGRAM_ATOMICS
#undef COPIES
#define COPIES HISTOGRAM_COPIES
#undef PAD
#define PAD HISTOGRAM_PAD
#endif
