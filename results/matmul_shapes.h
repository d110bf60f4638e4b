/*
 * matmul_shapes: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     6e5246d8d92fcf16dd05fccc37bf7175 matmul_shapes.cfg
 *   template  baf159cc621a1feccd54505c2fd07911 matmul.cu
 *   contents  efd8a5be3fb6033cdbdbd757a5e70e60
 */
/*
 * matmul_shapes: 11 configurations, baselines included. The fastest correct ones are, for
 *
 * square_512 on NVIDIA H200 (sm_90): M = 512, N = 512, K = 512
 *   configuration  0: BLOCK_X=16 BLOCK_Y=4 TILE_M=4 TILE_N=8 TILE_K=32 LANES=4 SLICES=4 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=4 COPY=async SPREAD=2 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=false RESIDENT=1
 *   time           11.892 us (95 % interval 11.623 to 12.168)
 *   speed-up       2.983 over the baseline (95 % interval 2.911 to 3.057)
 *   chosen from    79 evaluations, 79 of them ok
 *   verified       partly, 5 of 17 cases: 2 data sets, 5 different cases, 12 patterns, guarded, crowded
 *   measured       2026-11-30T06:47:47Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    167c34556f605dd54b370a3bd32143c1
 *
 * square_1000 on NVIDIA H200 (sm_90): M = 1000, N = 1000, K = 1000
 *   configuration  1: BLOCK_X=32 BLOCK_Y=2 TILE_M=16 TILE_N=8 TILE_K=16 LANES=2 SLICES=4 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=4 COPY=async SPREAD=1 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=true RESIDENT=1
 *   time           48.909 us (95 % interval 48.832 to 48.987)
 *   speed-up       1.337 over the baseline (95 % interval 1.336 to 1.338)
 *   chosen from    90 evaluations, 90 of them ok
 *   verified       partly, 5 of 17 cases: 2 data sets, 5 different cases, 12 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:47:55Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    d886284a1fad6c0169de9a125089035a
 *
 * square_1024 on NVIDIA H200 (sm_90): M = 1024, N = 1024, K = 1024
 *   configuration  1: BLOCK_X=32 BLOCK_Y=2 TILE_M=16 TILE_N=8 TILE_K=16 LANES=2 SLICES=4 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=4 COPY=async SPREAD=1 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=true RESIDENT=1
 *   time           48.524 us (95 % interval 48.473 to 48.575)
 *   speed-up       1.351 over the baseline (95 % interval 1.349 to 1.354)
 *   chosen from    70 evaluations, 70 of them ok
 *   verified       partly, 4 of 17 cases: 2 data sets, 4 different cases, 12 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:48:02Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    f33360f419fa20bc3fb2e7b9a6cf11cf
 *
 * square_2048 on NVIDIA H200 (sm_90): M = 2048, N = 2048, K = 2048
 *   configuration  2: BLOCK_X=32 BLOCK_Y=8 TILE_M=16 TILE_N=8 TILE_K=8 LANES=4 SLICES=1 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=4 COPY=async SPREAD=2 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=true RESIDENT=1
 *   time           328.15 us (95 % interval 327.71 to 328.59)
 *   speed-up       1.239 over the baseline (95 % interval 1.238 to 1.241)
 *   chosen from    75 evaluations, 75 of them ok
 *   verified       partly, 3 of 17 cases: 2 data sets, 3 different cases, 12 patterns, guarded, host
 *   measured       2026-11-30T06:48:09Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    2721fac01a3ff4bc57c7c9976b7fc325
 *
 * square_4096 on NVIDIA H200 (sm_90): M = 4096, N = 4096, K = 4096
 *   configuration  3: BLOCK_X=32 BLOCK_Y=4 TILE_M=16 TILE_N=8 TILE_K=8 LANES=4 SLICES=1 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=3 COPY=async SPREAD=2 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=true RESIDENT=1
 *   time           2.5737 ms (95 % interval 2.5709 to 2.5765)
 *   speed-up       1.205 over the baseline (95 % interval 1.204 to 1.206)
 *   chosen from    86 evaluations, 86 of them ok
 *   verified       partly, 1 of 17 cases: 2 data sets, 1 different case, 13 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:48:17Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    140ad0208c48674f6aca946e57c3b7f8
 *
 * square_8192 on NVIDIA H200 (sm_90): M = 8192, N = 8192, K = 8192
 *   configuration  4: BLOCK_X=32 BLOCK_Y=2 TILE_M=16 TILE_N=8 TILE_K=16 LANES=2 SLICES=2 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=4 COPY=async SPREAD=2 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=true RESIDENT=1
 *   time           20.271 ms (95 % interval 20.163 to 20.379)
 *   speed-up       1.18 over the baseline (95 % interval 1.172 to 1.189)
 *   chosen from    16 evaluations, 16 of them ok
 *   verified       partly, 1 of 17 cases: 2 data sets, 1 different case, 8 patterns, guarded
 *   measured       2026-11-30T06:48:29Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    194af481f275fa04189d4168d64c5763
 *
 * ragged_3000 on NVIDIA H200 (sm_90): M = 3001, N = 2999, K = 1501
 *   configuration  5: BLOCK_X=16 BLOCK_Y=8 TILE_M=8 TILE_N=8 TILE_K=8 LANES=2 SLICES=1 CLUSTER=1 PARTS=1 VECTOR=1 USE_LDG=false PAD=4 STAGES=2 COPY=mixed SPREAD=1 UNROLL=0 FRAGMENTS=2 ORDER=down LOOSE=true RESIDENT=1
 *   time           611.21 us (95 % interval 610.3 to 612.12)
 *   speed-up       1.164 over the baseline (95 % interval 1.163 to 1.164)
 *   chosen from    97 evaluations, 97 of them ok
 *   verified       partly, 5 of 17 cases: 2 data sets, 5 different cases, 11 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:48:34Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3b7b0f28d9dd213fed5b09d8d397ace3
 *
 * narrow_64 on NVIDIA H200 (sm_90): M = 4096, N = 64, K = 4096
 *   configuration  6: BLOCK_X=8 BLOCK_Y=4 TILE_M=8 TILE_N=8 TILE_K=64 LANES=4 SLICES=8 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=4 COPY=async SPREAD=2 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=true RESIDENT=2
 *   time           52.997 us (95 % interval 52.899 to 53.095)
 *   speed-up       9.122 over the baseline (95 % interval 9.109 to 9.135)
 *   chosen from    82 evaluations, 82 of them ok
 *   verified       partly, 6 of 17 cases: 2 data sets, 6 different cases, 11 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:48:43Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    56a362ce1772ebc8e4f69bdb7f4638e7
 *
 * narrow_32 on NVIDIA H200 (sm_90): M = 8192, N = 32, K = 8192
 *   configuration  7: BLOCK_X=8 BLOCK_Y=8 TILE_M=8 TILE_N=4 TILE_K=64 LANES=8 SLICES=8 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=4 COPY=async SPREAD=2 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=false RESIDENT=1
 *   time           122 us (95 % interval 121.91 to 122.09)
 *   speed-up       7.812 over the baseline (95 % interval 7.806 to 7.818)
 *   chosen from    98 evaluations, 98 of them ok
 *   verified       partly, 7 of 17 cases: 2 data sets, 7 different cases, 11 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:48:50Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    98d804dc22ad3905068c2faa708bcb3c
 *
 * flat_64 on NVIDIA H200 (sm_90): M = 64, N = 4096, K = 4096
 *   configuration  6: BLOCK_X=8 BLOCK_Y=4 TILE_M=8 TILE_N=8 TILE_K=64 LANES=4 SLICES=8 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=4 COPY=async SPREAD=2 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=true RESIDENT=2
 *   time           52.997 us (95 % interval 52.829 to 53.166)
 *   speed-up       4.215 over the baseline (95 % interval 4.206 to 4.224)
 *   chosen from    105 evaluations, 105 of them ok
 *   verified       partly, 5 of 17 cases: 2 data sets, 5 different cases, 12 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:48:57Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    dfd97bb7bf81583c81ed5492f6863248
 *
 * flat_16 on NVIDIA H200 (sm_90): M = 16, N = 16384, K = 4096
 *   configuration  8: BLOCK_X=8 BLOCK_Y=4 TILE_M=4 TILE_N=8 TILE_K=64 LANES=4 SLICES=4 CLUSTER=1 PARTS=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=3 COPY=async SPREAD=2 UNROLL=0 FRAGMENTS=2 ORDER=down LOOSE=false RESIDENT=1
 *   time           67.925 us (95 % interval 67.797 to 68.054)
 *   speed-up       7.195 over the baseline (95 % interval 7.182 to 7.209)
 *   chosen from    103 evaluations, 103 of them ok
 *   verified       partly, 5 of 17 cases: 2 data sets, 5 different cases, 11 patterns, guarded, crowded
 *   measured       2026-11-30T06:49:04Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    5604e78ce9bc9831a18c8457bdec3471
 *
 * deep_65536 on NVIDIA H200 (sm_90): M = 128, N = 128, K = 65536
 *   configuration  9: BLOCK_X=32 BLOCK_Y=4 TILE_M=16 TILE_N=4 TILE_K=16 LANES=2 SLICES=1 CLUSTER=1 PARTS=132 VECTOR=4 USE_LDG=false PAD=4 STAGES=2 COPY=async SPREAD=2 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=true RESIDENT=1
 *   time           54.903 us (95 % interval 54.787 to 55.02)
 *   speed-up       63.65 over the baseline (95 % interval 63.52 to 63.79)
 *   chosen from    98 evaluations, 98 of them ok
 *   verified       partly, 16 of 17 cases: 2 data sets, 4 different cases, 12 patterns, guarded, crowded
 *   measured       2026-11-30T06:49:12Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    607dc4d99ddee68912967b1ecf7ae2f2
 *
 * To choose a configuration when the program runs: matmul_shapes_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * matmul_shapes_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of MATMUL_SHAPES_CONFIGURATIONS in a translation unit of its own:
 * define MATMUL_SHAPES_CONFIGURATION as n, define MATMUL_SHAPES_BARE, include this header, then
 * the template. Its kernel is called matmul_shapes_n there. Give the compiler
 * MATMUL_SHAPES_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names MATMUL_SHAPES_... without a
 * number belong to one configuration. Define MATMUL_SHAPES_CONFIGURATION, or
 * MATMUL_SHAPES_DEVICE and MATMUL_SHAPES_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. MATMUL_SHAPES_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_MATMUL_SHAPES_H
#define AUTOTUNE_MATMUL_SHAPES_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_MATMUL_SHAPES_CONTENTS 0x2d6728774c62f69fULL

/* the values that MATMUL_SHAPES_CONFIGURATION, MATMUL_SHAPES_DEVICE and MATMUL_SHAPES_PROBLEM may have */
#define MATMUL_SHAPES_CONFIGURATION_0 1
#define MATMUL_SHAPES_CONFIGURATION_1 2
#define MATMUL_SHAPES_CONFIGURATION_2 3
#define MATMUL_SHAPES_CONFIGURATION_3 4
#define MATMUL_SHAPES_CONFIGURATION_4 5
#define MATMUL_SHAPES_CONFIGURATION_5 6
#define MATMUL_SHAPES_CONFIGURATION_6 7
#define MATMUL_SHAPES_CONFIGURATION_7 8
#define MATMUL_SHAPES_CONFIGURATION_8 9
#define MATMUL_SHAPES_CONFIGURATION_9 10
#define MATMUL_SHAPES_CONFIGURATION_10 11
#define MATMUL_SHAPES_DEVICE_NVIDIA_H200 1
#define MATMUL_SHAPES_PROBLEM_SQUARE_512 1
#define MATMUL_SHAPES_PROBLEM_SQUARE_1000 2
#define MATMUL_SHAPES_PROBLEM_SQUARE_1024 3
#define MATMUL_SHAPES_PROBLEM_SQUARE_2048 4
#define MATMUL_SHAPES_PROBLEM_SQUARE_4096 5
#define MATMUL_SHAPES_PROBLEM_SQUARE_8192 6
#define MATMUL_SHAPES_PROBLEM_RAGGED_3000 7
#define MATMUL_SHAPES_PROBLEM_NARROW_64 8
#define MATMUL_SHAPES_PROBLEM_NARROW_32 9
#define MATMUL_SHAPES_PROBLEM_FLAT_64 10
#define MATMUL_SHAPES_PROBLEM_FLAT_16 11
#define MATMUL_SHAPES_PROBLEM_DEEP_65536 12

/* X(number, kernel) for every configuration */
#define MATMUL_SHAPES_CONFIGURATION_COUNT 11
#define MATMUL_SHAPES_CONFIGURATIONS(X) \
	X(0, matmul_shapes_0) \
	X(1, matmul_shapes_1) \
	X(2, matmul_shapes_2) \
	X(3, matmul_shapes_3) \
	X(4, matmul_shapes_4) \
	X(5, matmul_shapes_5) \
	X(6, matmul_shapes_6) \
	X(7, matmul_shapes_7) \
	X(8, matmul_shapes_8) \
	X(9, matmul_shapes_9) \
	X(10, matmul_shapes_10)
#define MATMUL_SHAPES_DEVICE_COUNT 1
#define MATMUL_SHAPES_COPY_mixed 1
#define MATMUL_SHAPES_COPY_async 2
#define MATMUL_SHAPES_ORDER_across 1
#define MATMUL_SHAPES_ORDER_down 2

#define MATMUL_SHAPES_0_BLOCK_X 16
#define MATMUL_SHAPES_0_BLOCK_Y 4
#define MATMUL_SHAPES_0_TILE_M 4
#define MATMUL_SHAPES_0_TILE_N 8
#define MATMUL_SHAPES_0_TILE_K 32
#define MATMUL_SHAPES_0_LANES 4
#define MATMUL_SHAPES_0_SLICES 4
#define MATMUL_SHAPES_0_CLUSTER 1
#define MATMUL_SHAPES_0_PARTS 1
#define MATMUL_SHAPES_0_VECTOR 4
#define MATMUL_SHAPES_0_USE_LDG 0
#define MATMUL_SHAPES_0_PAD 4
#define MATMUL_SHAPES_0_STAGES 4
#define MATMUL_SHAPES_0_COPY 2
#define MATMUL_SHAPES_0_COPY_NAME "async"
#define MATMUL_SHAPES_0_SPREAD 2
#define MATMUL_SHAPES_0_UNROLL 0
#define MATMUL_SHAPES_0_FRAGMENTS 2
#define MATMUL_SHAPES_0_ORDER 1
#define MATMUL_SHAPES_0_ORDER_NAME "across"
#define MATMUL_SHAPES_0_LOOSE 0
#define MATMUL_SHAPES_0_RESIDENT 1
#define MATMUL_SHAPES_0_NUMBER 0
#define MATMUL_SHAPES_0_OPTIONS ""
#define MATMUL_SHAPES_0_BLOCK_DIM_X 16
#define MATMUL_SHAPES_0_BLOCK_DIM_Y 4
#define MATMUL_SHAPES_0_BLOCK_DIM_Z 4
#define MATMUL_SHAPES_0_SHARED_BYTES 75776

#define MATMUL_SHAPES_1_BLOCK_X 32
#define MATMUL_SHAPES_1_BLOCK_Y 2
#define MATMUL_SHAPES_1_TILE_M 16
#define MATMUL_SHAPES_1_TILE_N 8
#define MATMUL_SHAPES_1_TILE_K 16
#define MATMUL_SHAPES_1_LANES 2
#define MATMUL_SHAPES_1_SLICES 4
#define MATMUL_SHAPES_1_CLUSTER 1
#define MATMUL_SHAPES_1_PARTS 1
#define MATMUL_SHAPES_1_VECTOR 4
#define MATMUL_SHAPES_1_USE_LDG 0
#define MATMUL_SHAPES_1_PAD 4
#define MATMUL_SHAPES_1_STAGES 4
#define MATMUL_SHAPES_1_COPY 2
#define MATMUL_SHAPES_1_COPY_NAME "async"
#define MATMUL_SHAPES_1_SPREAD 1
#define MATMUL_SHAPES_1_UNROLL 0
#define MATMUL_SHAPES_1_FRAGMENTS 2
#define MATMUL_SHAPES_1_ORDER 1
#define MATMUL_SHAPES_1_ORDER_NAME "across"
#define MATMUL_SHAPES_1_LOOSE 1
#define MATMUL_SHAPES_1_RESIDENT 1
#define MATMUL_SHAPES_1_NUMBER 1
#define MATMUL_SHAPES_1_OPTIONS ""
#define MATMUL_SHAPES_1_BLOCK_DIM_X 32
#define MATMUL_SHAPES_1_BLOCK_DIM_Y 2
#define MATMUL_SHAPES_1_BLOCK_DIM_Z 4
#define MATMUL_SHAPES_1_SHARED_BYTES 98304

#define MATMUL_SHAPES_2_BLOCK_X 32
#define MATMUL_SHAPES_2_BLOCK_Y 8
#define MATMUL_SHAPES_2_TILE_M 16
#define MATMUL_SHAPES_2_TILE_N 8
#define MATMUL_SHAPES_2_TILE_K 8
#define MATMUL_SHAPES_2_LANES 4
#define MATMUL_SHAPES_2_SLICES 1
#define MATMUL_SHAPES_2_CLUSTER 1
#define MATMUL_SHAPES_2_PARTS 1
#define MATMUL_SHAPES_2_VECTOR 4
#define MATMUL_SHAPES_2_USE_LDG 0
#define MATMUL_SHAPES_2_PAD 4
#define MATMUL_SHAPES_2_STAGES 4
#define MATMUL_SHAPES_2_COPY 2
#define MATMUL_SHAPES_2_COPY_NAME "async"
#define MATMUL_SHAPES_2_SPREAD 2
#define MATMUL_SHAPES_2_UNROLL 0
#define MATMUL_SHAPES_2_FRAGMENTS 2
#define MATMUL_SHAPES_2_ORDER 1
#define MATMUL_SHAPES_2_ORDER_NAME "across"
#define MATMUL_SHAPES_2_LOOSE 1
#define MATMUL_SHAPES_2_RESIDENT 1
#define MATMUL_SHAPES_2_NUMBER 2
#define MATMUL_SHAPES_2_OPTIONS ""
#define MATMUL_SHAPES_2_BLOCK_DIM_X 32
#define MATMUL_SHAPES_2_BLOCK_DIM_Y 8
#define MATMUL_SHAPES_2_BLOCK_DIM_Z 1
#define MATMUL_SHAPES_2_SHARED_BYTES 49664

#define MATMUL_SHAPES_3_BLOCK_X 32
#define MATMUL_SHAPES_3_BLOCK_Y 4
#define MATMUL_SHAPES_3_TILE_M 16
#define MATMUL_SHAPES_3_TILE_N 8
#define MATMUL_SHAPES_3_TILE_K 8
#define MATMUL_SHAPES_3_LANES 4
#define MATMUL_SHAPES_3_SLICES 1
#define MATMUL_SHAPES_3_CLUSTER 1
#define MATMUL_SHAPES_3_PARTS 1
#define MATMUL_SHAPES_3_VECTOR 4
#define MATMUL_SHAPES_3_USE_LDG 0
#define MATMUL_SHAPES_3_PAD 4
#define MATMUL_SHAPES_3_STAGES 3
#define MATMUL_SHAPES_3_COPY 2
#define MATMUL_SHAPES_3_COPY_NAME "async"
#define MATMUL_SHAPES_3_SPREAD 2
#define MATMUL_SHAPES_3_UNROLL 0
#define MATMUL_SHAPES_3_FRAGMENTS 2
#define MATMUL_SHAPES_3_ORDER 1
#define MATMUL_SHAPES_3_ORDER_NAME "across"
#define MATMUL_SHAPES_3_LOOSE 1
#define MATMUL_SHAPES_3_RESIDENT 1
#define MATMUL_SHAPES_3_NUMBER 3
#define MATMUL_SHAPES_3_OPTIONS ""
#define MATMUL_SHAPES_3_BLOCK_DIM_X 32
#define MATMUL_SHAPES_3_BLOCK_DIM_Y 4
#define MATMUL_SHAPES_3_BLOCK_DIM_Z 1
#define MATMUL_SHAPES_3_SHARED_BYTES 31104

#define MATMUL_SHAPES_4_BLOCK_X 32
#define MATMUL_SHAPES_4_BLOCK_Y 2
#define MATMUL_SHAPES_4_TILE_M 16
#define MATMUL_SHAPES_4_TILE_N 8
#define MATMUL_SHAPES_4_TILE_K 16
#define MATMUL_SHAPES_4_LANES 2
#define MATMUL_SHAPES_4_SLICES 2
#define MATMUL_SHAPES_4_CLUSTER 1
#define MATMUL_SHAPES_4_PARTS 1
#define MATMUL_SHAPES_4_VECTOR 4
#define MATMUL_SHAPES_4_USE_LDG 0
#define MATMUL_SHAPES_4_PAD 4
#define MATMUL_SHAPES_4_STAGES 4
#define MATMUL_SHAPES_4_COPY 2
#define MATMUL_SHAPES_4_COPY_NAME "async"
#define MATMUL_SHAPES_4_SPREAD 2
#define MATMUL_SHAPES_4_UNROLL 0
#define MATMUL_SHAPES_4_FRAGMENTS 2
#define MATMUL_SHAPES_4_ORDER 1
#define MATMUL_SHAPES_4_ORDER_NAME "across"
#define MATMUL_SHAPES_4_LOOSE 1
#define MATMUL_SHAPES_4_RESIDENT 1
#define MATMUL_SHAPES_4_NUMBER 4
#define MATMUL_SHAPES_4_OPTIONS ""
#define MATMUL_SHAPES_4_BLOCK_DIM_X 32
#define MATMUL_SHAPES_4_BLOCK_DIM_Y 2
#define MATMUL_SHAPES_4_BLOCK_DIM_Z 2
#define MATMUL_SHAPES_4_SHARED_BYTES 74752

#define MATMUL_SHAPES_5_BLOCK_X 16
#define MATMUL_SHAPES_5_BLOCK_Y 8
#define MATMUL_SHAPES_5_TILE_M 8
#define MATMUL_SHAPES_5_TILE_N 8
#define MATMUL_SHAPES_5_TILE_K 8
#define MATMUL_SHAPES_5_LANES 2
#define MATMUL_SHAPES_5_SLICES 1
#define MATMUL_SHAPES_5_CLUSTER 1
#define MATMUL_SHAPES_5_PARTS 1
#define MATMUL_SHAPES_5_VECTOR 1
#define MATMUL_SHAPES_5_USE_LDG 0
#define MATMUL_SHAPES_5_PAD 4
#define MATMUL_SHAPES_5_STAGES 2
#define MATMUL_SHAPES_5_COPY 1
#define MATMUL_SHAPES_5_COPY_NAME "mixed"
#define MATMUL_SHAPES_5_SPREAD 1
#define MATMUL_SHAPES_5_UNROLL 0
#define MATMUL_SHAPES_5_FRAGMENTS 2
#define MATMUL_SHAPES_5_ORDER 2
#define MATMUL_SHAPES_5_ORDER_NAME "down"
#define MATMUL_SHAPES_5_LOOSE 1
#define MATMUL_SHAPES_5_RESIDENT 1
#define MATMUL_SHAPES_5_NUMBER 5
#define MATMUL_SHAPES_5_OPTIONS ""
#define MATMUL_SHAPES_5_BLOCK_DIM_X 16
#define MATMUL_SHAPES_5_BLOCK_DIM_Y 8
#define MATMUL_SHAPES_5_BLOCK_DIM_Z 1
#define MATMUL_SHAPES_5_SHARED_BYTES 12544

#define MATMUL_SHAPES_6_BLOCK_X 8
#define MATMUL_SHAPES_6_BLOCK_Y 4
#define MATMUL_SHAPES_6_TILE_M 8
#define MATMUL_SHAPES_6_TILE_N 8
#define MATMUL_SHAPES_6_TILE_K 64
#define MATMUL_SHAPES_6_LANES 4
#define MATMUL_SHAPES_6_SLICES 8
#define MATMUL_SHAPES_6_CLUSTER 1
#define MATMUL_SHAPES_6_PARTS 1
#define MATMUL_SHAPES_6_VECTOR 4
#define MATMUL_SHAPES_6_USE_LDG 0
#define MATMUL_SHAPES_6_PAD 4
#define MATMUL_SHAPES_6_STAGES 4
#define MATMUL_SHAPES_6_COPY 2
#define MATMUL_SHAPES_6_COPY_NAME "async"
#define MATMUL_SHAPES_6_SPREAD 2
#define MATMUL_SHAPES_6_UNROLL 0
#define MATMUL_SHAPES_6_FRAGMENTS 2
#define MATMUL_SHAPES_6_ORDER 1
#define MATMUL_SHAPES_6_ORDER_NAME "across"
#define MATMUL_SHAPES_6_LOOSE 1
#define MATMUL_SHAPES_6_RESIDENT 2
#define MATMUL_SHAPES_6_NUMBER 6
#define MATMUL_SHAPES_6_OPTIONS ""
#define MATMUL_SHAPES_6_BLOCK_DIM_X 8
#define MATMUL_SHAPES_6_BLOCK_DIM_Y 4
#define MATMUL_SHAPES_6_BLOCK_DIM_Z 8
#define MATMUL_SHAPES_6_SHARED_BYTES 102400

#define MATMUL_SHAPES_7_BLOCK_X 8
#define MATMUL_SHAPES_7_BLOCK_Y 8
#define MATMUL_SHAPES_7_TILE_M 8
#define MATMUL_SHAPES_7_TILE_N 4
#define MATMUL_SHAPES_7_TILE_K 64
#define MATMUL_SHAPES_7_LANES 8
#define MATMUL_SHAPES_7_SLICES 8
#define MATMUL_SHAPES_7_CLUSTER 1
#define MATMUL_SHAPES_7_PARTS 1
#define MATMUL_SHAPES_7_VECTOR 4
#define MATMUL_SHAPES_7_USE_LDG 0
#define MATMUL_SHAPES_7_PAD 4
#define MATMUL_SHAPES_7_STAGES 4
#define MATMUL_SHAPES_7_COPY 2
#define MATMUL_SHAPES_7_COPY_NAME "async"
#define MATMUL_SHAPES_7_SPREAD 2
#define MATMUL_SHAPES_7_UNROLL 0
#define MATMUL_SHAPES_7_FRAGMENTS 2
#define MATMUL_SHAPES_7_ORDER 1
#define MATMUL_SHAPES_7_ORDER_NAME "across"
#define MATMUL_SHAPES_7_LOOSE 0
#define MATMUL_SHAPES_7_RESIDENT 1
#define MATMUL_SHAPES_7_NUMBER 7
#define MATMUL_SHAPES_7_OPTIONS ""
#define MATMUL_SHAPES_7_BLOCK_DIM_X 8
#define MATMUL_SHAPES_7_BLOCK_DIM_Y 8
#define MATMUL_SHAPES_7_BLOCK_DIM_Z 8
#define MATMUL_SHAPES_7_SHARED_BYTES 102400

#define MATMUL_SHAPES_8_BLOCK_X 8
#define MATMUL_SHAPES_8_BLOCK_Y 4
#define MATMUL_SHAPES_8_TILE_M 4
#define MATMUL_SHAPES_8_TILE_N 8
#define MATMUL_SHAPES_8_TILE_K 64
#define MATMUL_SHAPES_8_LANES 4
#define MATMUL_SHAPES_8_SLICES 4
#define MATMUL_SHAPES_8_CLUSTER 1
#define MATMUL_SHAPES_8_PARTS 1
#define MATMUL_SHAPES_8_VECTOR 4
#define MATMUL_SHAPES_8_USE_LDG 0
#define MATMUL_SHAPES_8_PAD 4
#define MATMUL_SHAPES_8_STAGES 3
#define MATMUL_SHAPES_8_COPY 2
#define MATMUL_SHAPES_8_COPY_NAME "async"
#define MATMUL_SHAPES_8_SPREAD 2
#define MATMUL_SHAPES_8_UNROLL 0
#define MATMUL_SHAPES_8_FRAGMENTS 2
#define MATMUL_SHAPES_8_ORDER 2
#define MATMUL_SHAPES_8_ORDER_NAME "down"
#define MATMUL_SHAPES_8_LOOSE 0
#define MATMUL_SHAPES_8_RESIDENT 1
#define MATMUL_SHAPES_8_NUMBER 8
#define MATMUL_SHAPES_8_OPTIONS ""
#define MATMUL_SHAPES_8_BLOCK_DIM_X 8
#define MATMUL_SHAPES_8_BLOCK_DIM_Y 4
#define MATMUL_SHAPES_8_BLOCK_DIM_Z 4
#define MATMUL_SHAPES_8_SHARED_BYTES 64512

#define MATMUL_SHAPES_9_BLOCK_X 32
#define MATMUL_SHAPES_9_BLOCK_Y 4
#define MATMUL_SHAPES_9_TILE_M 16
#define MATMUL_SHAPES_9_TILE_N 4
#define MATMUL_SHAPES_9_TILE_K 16
#define MATMUL_SHAPES_9_LANES 2
#define MATMUL_SHAPES_9_SLICES 1
#define MATMUL_SHAPES_9_CLUSTER 1
#define MATMUL_SHAPES_9_PARTS 132
#define MATMUL_SHAPES_9_VECTOR 4
#define MATMUL_SHAPES_9_USE_LDG 0
#define MATMUL_SHAPES_9_PAD 4
#define MATMUL_SHAPES_9_STAGES 2
#define MATMUL_SHAPES_9_COPY 2
#define MATMUL_SHAPES_9_COPY_NAME "async"
#define MATMUL_SHAPES_9_SPREAD 2
#define MATMUL_SHAPES_9_UNROLL 0
#define MATMUL_SHAPES_9_FRAGMENTS 2
#define MATMUL_SHAPES_9_ORDER 1
#define MATMUL_SHAPES_9_ORDER_NAME "across"
#define MATMUL_SHAPES_9_LOOSE 1
#define MATMUL_SHAPES_9_RESIDENT 1
#define MATMUL_SHAPES_9_NUMBER 9
#define MATMUL_SHAPES_9_OPTIONS ""
#define MATMUL_SHAPES_9_BLOCK_DIM_X 32
#define MATMUL_SHAPES_9_BLOCK_DIM_Y 4
#define MATMUL_SHAPES_9_BLOCK_DIM_Z 1
#define MATMUL_SHAPES_9_SHARED_BYTES 25088

#define MATMUL_SHAPES_10_BLOCK_X 16
#define MATMUL_SHAPES_10_BLOCK_Y 8
#define MATMUL_SHAPES_10_TILE_M 8
#define MATMUL_SHAPES_10_TILE_N 8
#define MATMUL_SHAPES_10_TILE_K 32
#define MATMUL_SHAPES_10_LANES 8
#define MATMUL_SHAPES_10_SLICES 2
#define MATMUL_SHAPES_10_CLUSTER 1
#define MATMUL_SHAPES_10_PARTS 1
#define MATMUL_SHAPES_10_VECTOR 1
#define MATMUL_SHAPES_10_USE_LDG 0
#define MATMUL_SHAPES_10_PAD 4
#define MATMUL_SHAPES_10_STAGES 3
#define MATMUL_SHAPES_10_COPY 2
#define MATMUL_SHAPES_10_COPY_NAME "async"
#define MATMUL_SHAPES_10_SPREAD 1
#define MATMUL_SHAPES_10_UNROLL 0
#define MATMUL_SHAPES_10_FRAGMENTS 2
#define MATMUL_SHAPES_10_ORDER 1
#define MATMUL_SHAPES_10_ORDER_NAME "across"
#define MATMUL_SHAPES_10_LOOSE 0
#define MATMUL_SHAPES_10_RESIDENT 2
#define MATMUL_SHAPES_10_NUMBER 10
#define MATMUL_SHAPES_10_OPTIONS ""
#define MATMUL_SHAPES_10_BLOCK_DIM_X 16
#define MATMUL_SHAPES_10_BLOCK_DIM_Y 8
#define MATMUL_SHAPES_10_BLOCK_DIM_Z 2
#define MATMUL_SHAPES_10_SHARED_BYTES 75264

#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_512_CONFIGURATION 0
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_512_TIME_NS 11892.1645283857
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_512_TIME_LOW_NS 11622.9495783197
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_512_TIME_HIGH_NS 12167.6151322202
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_512_SPEEDUP 2.98324567712989
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_512_SPEEDUP_LOW 2.91130693955561
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_512_SPEEDUP_HIGH 3.05696202938762

#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1000_CONFIGURATION 1
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1000_TIME_NS 48909.2670225853
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1000_TIME_LOW_NS 48831.835089977
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1000_TIME_HIGH_NS 48986.8217378859
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1000_SPEEDUP 1.33715927050035
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1000_SPEEDUP_LOW 1.33597671461495
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1000_SPEEDUP_HIGH 1.33834287313933

#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1024_CONFIGURATION 1
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1024_TIME_NS 48524.1444955565
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1024_TIME_LOW_NS 48473.1087825559
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1024_TIME_HIGH_NS 48575.2339423503
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1024_SPEEDUP 1.35122361299471
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1024_SPEEDUP_LOW 1.34887735216322
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_1024_SPEEDUP_HIGH 1.35357395495328

#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_2048_CONFIGURATION 2
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_2048_TIME_NS 328146.297672653
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_2048_TIME_LOW_NS 327706.994451088
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_2048_TIME_HIGH_NS 328586.189796267
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_2048_SPEEDUP 1.23912178193068
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_2048_SPEEDUP_LOW 1.23773168453517
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_2048_SPEEDUP_HIGH 1.24051344054563

#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_4096_CONFIGURATION 3
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_4096_TIME_NS 2573684.20204602
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_4096_TIME_LOW_NS 2570918.58930785
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_4096_TIME_HIGH_NS 2576452.78983515
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_4096_SPEEDUP 1.20537192556205
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_4096_SPEEDUP_LOW 1.20441951276418
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_4096_SPEEDUP_HIGH 1.20632509149463

#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_8192_CONFIGURATION 4
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_8192_TIME_NS 20270769.0326936
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_8192_TIME_LOW_NS 20163354.5046558
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_8192_TIME_HIGH_NS 20378755.7810348
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_8192_SPEEDUP 1.18044131358875
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_8192_SPEEDUP_LOW 1.17199174616806
#define MATMUL_SHAPES_NVIDIA_H200_SQUARE_8192_SPEEDUP_HIGH 1.18895179883573

#define MATMUL_SHAPES_NVIDIA_H200_RAGGED_3000_CONFIGURATION 5
#define MATMUL_SHAPES_NVIDIA_H200_RAGGED_3000_TIME_NS 611210.091363668
#define MATMUL_SHAPES_NVIDIA_H200_RAGGED_3000_TIME_LOW_NS 610298.609760997
#define MATMUL_SHAPES_NVIDIA_H200_RAGGED_3000_TIME_HIGH_NS 612122.934265051
#define MATMUL_SHAPES_NVIDIA_H200_RAGGED_3000_SPEEDUP 1.16362785908483
#define MATMUL_SHAPES_NVIDIA_H200_RAGGED_3000_SPEEDUP_LOW 1.16283242383907
#define MATMUL_SHAPES_NVIDIA_H200_RAGGED_3000_SPEEDUP_HIGH 1.16442383844788

#define MATMUL_SHAPES_NVIDIA_H200_NARROW_64_CONFIGURATION 6
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_64_TIME_NS 52996.6034552706
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_64_TIME_LOW_NS 52898.6277466109
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_64_TIME_HIGH_NS 53094.7606287414
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_64_SPEEDUP 9.12214746324887
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_64_SPEEDUP_LOW 9.1090414152375
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_64_SPEEDUP_HIGH 9.13527236818345

#define MATMUL_SHAPES_NVIDIA_H200_NARROW_32_CONFIGURATION 7
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_32_TIME_NS 122002.223826804
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_32_TIME_LOW_NS 121910.426434251
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_32_TIME_HIGH_NS 122094.090341921
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_32_SPEEDUP 7.81199335312299
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_32_SPEEDUP_LOW 7.80591028845407
#define MATMUL_SHAPES_NVIDIA_H200_NARROW_32_SPEEDUP_HIGH 7.81808115826092

#define MATMUL_SHAPES_NVIDIA_H200_FLAT_64_CONFIGURATION 6
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_64_TIME_NS 52997.4185689372
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_64_TIME_LOW_NS 52829.1154058141
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_64_TIME_HIGH_NS 53166.2579128102
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_64_SPEEDUP 4.21511809690019
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_64_SPEEDUP_LOW 4.20609146154471
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_64_SPEEDUP_HIGH 4.22416410419435

#define MATMUL_SHAPES_NVIDIA_H200_FLAT_16_CONFIGURATION 8
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_16_TIME_NS 67925.4016749912
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_16_TIME_LOW_NS 67797.4687685078
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_16_TIME_HIGH_NS 68053.5759891386
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_16_SPEEDUP 7.19503595701276
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_16_SPEEDUP_LOW 7.18158484484395
#define MATMUL_SHAPES_NVIDIA_H200_FLAT_16_SPEEDUP_HIGH 7.20851226312169

#define MATMUL_SHAPES_NVIDIA_H200_DEEP_65536_CONFIGURATION 9
#define MATMUL_SHAPES_NVIDIA_H200_DEEP_65536_TIME_NS 54903.3842765798
#define MATMUL_SHAPES_NVIDIA_H200_DEEP_65536_TIME_LOW_NS 54787.4088185465
#define MATMUL_SHAPES_NVIDIA_H200_DEEP_65536_TIME_HIGH_NS 55019.6052345767
#define MATMUL_SHAPES_NVIDIA_H200_DEEP_65536_SPEEDUP 63.6528261125381
#define MATMUL_SHAPES_NVIDIA_H200_DEEP_65536_SPEEDUP_LOW 63.5170225674008
#define MATMUL_SHAPES_NVIDIA_H200_DEEP_65536_SPEEDUP_HIGH 63.7889200145297

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *matmul_shapes_device(int index)
{
	static const struct autotune_device devices[] = {
		{ "NVIDIA H200", 9, 0,
			132, 32, 1024, 1024, 1024, 64, 2147483647, 65535, 65535, 2048,
			32, 65536, 65536, 49152, 232448, 233472, 1024, 62914560, 150323855360, 0,
			0, 6016, 700, 700 },
	};

	return index >= 0 && index < 1 ? &devices[index] : AUTOTUNE_NULL;
}

/* Completes a device with what is recorded of it, or what all such devices have. */
static inline struct autotune_device matmul_shapes_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 1; i++)
		if (autotune_is_same_device(device, matmul_shapes_device(i)))
			autotune_fill(&complete, matmul_shapes_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 * It is a sequence. Launch N, from 0, is what matmul_shapes_launch_N() says (0: matmul_shapes_launch()),
 * as often as its repeats say (0: not at all):
 *   0 matmul(A, B, C, M, N, K)
 *   1 matmul(A, B, sums, M, N, K)
 *   2 matmul_add(sums, C, M, N)
 */
static inline struct autotune_launch matmul_shapes_launch(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 16LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 16LL;
		amounts[4] = 4LL;
		amounts[5] = 4LL;
		amounts[6] = 75776LL;
		break;
	case 1:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 32LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 2LL;
		amounts[5] = 4LL;
		amounts[6] = 98304LL;
		break;
	case 2:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 128LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 8LL;
		amounts[5] = 1LL;
		amounts[6] = 49664LL;
		break;
	case 3:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 4LL;
		amounts[5] = 1LL;
		amounts[6] = 31104LL;
		break;
	case 4:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 32LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 2LL;
		amounts[5] = 2LL;
		amounts[6] = 74752LL;
		break;
	case 5:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 16LL;
		amounts[4] = 8LL;
		amounts[5] = 1LL;
		amounts[6] = 12544LL;
		break;
	case 6:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 32LL, &bad), autotune_ceil_div(size_N, 64LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 8LL;
		amounts[4] = 4LL;
		amounts[5] = 8LL;
		amounts[6] = 102400LL;
		break;
	case 7:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 32LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 8LL;
		amounts[4] = 8LL;
		amounts[5] = 8LL;
		amounts[6] = 102400LL;
		break;
	case 8:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 16LL, &bad), autotune_ceil_div(size_N, 64LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 8LL;
		amounts[4] = 4LL;
		amounts[5] = 4LL;
		amounts[6] = 64512LL;
		break;
	case 9:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 4LL;
		amounts[5] = 1LL;
		amounts[6] = 25088LL;
		break;
	case 10:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 16LL;
		amounts[4] = 8LL;
		amounts[5] = 2LL;
		amounts[6] = 75264LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch matmul_shapes_launch_1(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 16LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 16LL;
		amounts[4] = 4LL;
		amounts[5] = 4LL;
		amounts[6] = 75776LL;
		break;
	case 1:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 32LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 2LL;
		amounts[5] = 4LL;
		amounts[6] = 98304LL;
		break;
	case 2:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 128LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 8LL;
		amounts[5] = 1LL;
		amounts[6] = 49664LL;
		break;
	case 3:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 4LL;
		amounts[5] = 1LL;
		amounts[6] = 31104LL;
		break;
	case 4:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 32LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 2LL;
		amounts[5] = 2LL;
		amounts[6] = 74752LL;
		break;
	case 5:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 16LL;
		amounts[4] = 8LL;
		amounts[5] = 1LL;
		amounts[6] = 12544LL;
		break;
	case 6:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 32LL, &bad), autotune_ceil_div(size_N, 64LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 8LL;
		amounts[4] = 4LL;
		amounts[5] = 8LL;
		amounts[6] = 102400LL;
		break;
	case 7:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 32LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 8LL;
		amounts[4] = 8LL;
		amounts[5] = 8LL;
		amounts[6] = 102400LL;
		break;
	case 8:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 16LL, &bad), autotune_ceil_div(size_N, 64LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 8LL;
		amounts[4] = 4LL;
		amounts[5] = 4LL;
		amounts[6] = 64512LL;
		break;
	case 9:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 132LL;
		amounts[3] = 32LL;
		amounts[4] = 4LL;
		amounts[5] = 1LL;
		amounts[6] = 25088LL;
		break;
	case 10:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 16LL;
		amounts[4] = 8LL;
		amounts[5] = 2LL;
		amounts[6] = 75264LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch matmul_shapes_launch_2(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	case 1:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	case 2:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	case 3:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	case 4:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	case 5:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	case 6:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	case 7:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	case 8:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	case 9:
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 8LL;
		break;
	case 10:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), ((autotune_remainder(autotune_multiply(size_M, size_N, &bad), 4LL, &bad) == 0LL) ? 128LL : 32LL), &bad);
		amounts[3] = 32LL;
		amounts[4] = 1LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int matmul_shapes_fits(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	const struct autotune_device complete = matmul_shapes_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_M >= 1LL && size_M <= 16384LL))
		bad = 1;
	if (!(size_N >= 1LL && size_N <= 16384LL))
		bad = 1;
	if (!(size_K >= 1LL && size_K <= 65536LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(75776LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 105;
		break;
	case 1:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(98304LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 249;
		break;
	case 2:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(49664LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 196;
		break;
	case 3:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(31104LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 196;
		break;
	case 4:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(74752LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 198;
		break;
	case 5:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(12544LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 128;
		break;
	case 6:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(102400LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 128;
		break;
	case 7:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(512LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(102400LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 93;
		break;
	case 8:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(64512LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 104;
		break;
	case 9:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(25088LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		/* PARTS == 1 || 2 * PARTS * M * N <= K * (M + N) */
		if (!(autotune_multiply(autotune_multiply(264LL, size_M, &bad), size_N, &bad) <= autotune_multiply(size_K, autotune_add(size_M, size_N, &bad), &bad)))
			bad = 1;
		/* PARTS == 1 || PARTS * CLUSTER * TILE_K <= K */
		if (!(2112LL <= size_K))
			bad = 1;
		static_bytes = 0;
		registers = 124;
		break;
	case 10:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(75264LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 126;
		break;
	default:
		break;
	}
	launch = matmul_shapes_launch(configuration, given, size_M, size_N, size_K);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	launch = matmul_shapes_launch_1(configuration, given, size_M, size_N, size_K);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	launch = matmul_shapes_launch_2(configuration, given, size_M, size_N, size_K);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice matmul_shapes_choose(
	const struct autotune_device *device, long long size_M, long long size_N, long long size_K)
{
	/* the sizes that were measured */
	static const double recorded[][3] = {
		{ 512, 512, 512 }, /* square_512 */
		{ 1000, 1000, 1000 }, /* square_1000 */
		{ 1024, 1024, 1024 }, /* square_1024 */
		{ 2048, 2048, 2048 }, /* square_2048 */
		{ 4096, 4096, 4096 }, /* square_4096 */
		{ 8192, 8192, 8192 }, /* square_8192 */
		{ 3001, 2999, 1501 }, /* ragged_3000 */
		{ 4096, 64, 4096 }, /* narrow_64 */
		{ 8192, 32, 8192 }, /* narrow_32 */
		{ 64, 4096, 4096 }, /* flat_64 */
		{ 16, 16384, 4096 }, /* flat_16 */
		{ 128, 128, 65536 }, /* deep_65536 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* square_512 on NVIDIA H200 */
		{ 1, 0, 1, 0 }, /* square_1000 on NVIDIA H200 */
		{ 1, 0, 2, 0 }, /* square_1024 on NVIDIA H200 */
		{ 2, 0, 3, 0 }, /* square_2048 on NVIDIA H200 */
		{ 3, 0, 4, 0 }, /* square_4096 on NVIDIA H200 */
		{ 4, 0, 5, 0 }, /* square_8192 on NVIDIA H200 */
		{ 5, 0, 6, 0 }, /* ragged_3000 on NVIDIA H200 */
		{ 6, 0, 7, 0 }, /* narrow_64 on NVIDIA H200 */
		{ 7, 0, 8, 0 }, /* narrow_32 on NVIDIA H200 */
		{ 6, 0, 9, 0 }, /* flat_64 on NVIDIA H200 */
		{ 8, 0, 10, 0 }, /* flat_16 on NVIDIA H200 */
		{ 9, 0, 11, 0 }, /* deep_65536 on NVIDIA H200 */
		{ 10, 0, 0, 1 }, /* square_512 on NVIDIA H200 */
		{ 10, 0, 1, 1 }, /* square_1000 on NVIDIA H200 */
		{ 10, 0, 2, 1 }, /* square_1024 on NVIDIA H200 */
		{ 10, 0, 3, 1 }, /* square_2048 on NVIDIA H200 */
		{ 10, 0, 4, 1 }, /* square_4096 on NVIDIA H200 */
		{ 10, 0, 5, 1 }, /* square_8192 on NVIDIA H200 */
		{ 10, 0, 6, 1 }, /* ragged_3000 on NVIDIA H200 */
		{ 10, 0, 7, 1 }, /* narrow_64 on NVIDIA H200 */
		{ 10, 0, 8, 1 }, /* narrow_32 on NVIDIA H200 */
		{ 10, 0, 9, 1 }, /* flat_64 on NVIDIA H200 */
		{ 10, 0, 10, 1 }, /* flat_16 on NVIDIA H200 */
		{ 10, 0, 11, 1 }, /* deep_65536 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_M), AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_K) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_M; (void)size_N; (void)size_K;
	for (i = 0; device && i < 24; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			matmul_shapes_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 3);

		if (autotune_is_better(&rank, &best) &&
			matmul_shapes_fits(entries[i][0], device, size_M, size_N, size_K)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 3)) {
		char text[384];

		snprintf(text, sizeof(text), "\"M\": %lld, \"N\": %lld, \"K\": %lld", size_M, size_N, size_K);
		autotune_note(file, "matmul_shapes", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   matmul_shapes_run(&device, stream, M, N, K, A, B, C)
 *
 *   A              const float *
 *   B              const float *
 *   C              float *
 *   sums           scratch, which it allocates in the stream
 *   M              computed: M
 *   N              computed: N
 *   K              computed: K
 *
 * matmul_shapes_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line MATMUL_SHAPES_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. matmul_shapes_run_by() launches with
 * functions of its caller.
 */
#define MATMUL_SHAPES_RUN_PARAMETERS \
	, long long size_M, long long size_N, long long size_K, const float *argument_A, const float *argument_B, float *argument_C
#define MATMUL_SHAPES_RUN_ARGUMENTS \
	, size_M, size_N, size_K, argument_A, argument_B, argument_C

static inline int matmul_shapes_run_by(struct autotune_runner *runner,
	const struct autotune_device *given MATMUL_SHAPES_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? matmul_shapes_choose(given, size_M, size_N, size_K).configuration : runner->configuration;
	int bad = 0;
	void *memory_sums = AUTOTUNE_NULL;
	long long count_sums = 0;
	float *argument_sums = AUTOTUNE_NULL;
	long long value_M = 0;
	int argument_M = 0;
	long long value_N = 0;
	int argument_N = 0;
	long long value_K = 0;
	int argument_K = 0;
	int error;

	if (!given || configuration < 0 || !matmul_shapes_fits(configuration, given, size_M, size_N, size_K))
		return runner->refused;
	switch (configuration) {
	case 0:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 1:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 2:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 3:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 4:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 5:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 6:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 7:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 8:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 9:
		count_sums = autotune_multiply(autotune_multiply(132LL, size_M, &bad), size_N, &bad);
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 10:
		count_sums = 1LL;
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	default:
		break;
	}
	count_sums = autotune_multiply(count_sums, 4LL, &bad);
	if (count_sums < 1)
		bad = 1;
	argument_M = AUTOTUNE_CAST(int, value_M);
	if (AUTOTUNE_CAST(long long, argument_M) != value_M)
		bad = 1;
	argument_N = AUTOTUNE_CAST(int, value_N);
	if (AUTOTUNE_CAST(long long, argument_N) != value_N)
		bad = 1;
	argument_K = AUTOTUNE_CAST(int, value_K);
	if (AUTOTUNE_CAST(long long, argument_K) != value_K)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	if (!error)
		error = runner->allocate(runner, &memory_sums,
			AUTOTUNE_CAST(unsigned long long, count_sums));
	argument_sums = AUTOTUNE_CAST(float *, memory_sums);
	/* matmul */
	if (!error) {
		void *arguments[] = { &argument_A, &argument_B, &argument_C, &argument_M, &argument_N, &argument_K };
		const struct autotune_launch launch =
			matmul_shapes_launch(configuration, given, size_M, size_N, size_K);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
		}
	}
	/* matmul */
	if (!error) {
		void *arguments[] = { &argument_A, &argument_B, &argument_sums, &argument_M, &argument_N, &argument_K };
		const struct autotune_launch launch =
			matmul_shapes_launch_1(configuration, given, size_M, size_N, size_K);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 1, &launch, arguments);
		}
	}
	/* matmul_add */
	if (!error) {
		void *arguments[] = { &argument_sums, &argument_C, &argument_M, &argument_N };
		const struct autotune_launch launch =
			matmul_shapes_launch_2(configuration, given, size_M, size_N, size_K);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 2, &launch, arguments);
		}
	}
	if (memory_sums) {
		const int failed = runner->release(runner, memory_sums);

		error = error ? error : failed;
	}
	return error;
}

#endif

/* outside of the guard: a unit may include the header of CUDA later */
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_MATMUL_SHAPES_RUN)
#define AUTOTUNE_MATMUL_SHAPES_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const matmul_shapes_0_kernels[3];
extern const void *const matmul_shapes_1_kernels[3];
extern const void *const matmul_shapes_2_kernels[3];
extern const void *const matmul_shapes_3_kernels[3];
extern const void *const matmul_shapes_4_kernels[3];
extern const void *const matmul_shapes_5_kernels[3];
extern const void *const matmul_shapes_6_kernels[3];
extern const void *const matmul_shapes_7_kernels[3];
extern const void *const matmul_shapes_8_kernels[3];
extern const void *const matmul_shapes_9_kernels[3];
extern const void *const matmul_shapes_10_kernels[3];
#ifdef __cplusplus
}
#endif

/* As matmul_shapes_run(), with a configuration that was chosen before. */
static inline cudaError_t matmul_shapes_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream MATMUL_SHAPES_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { matmul_shapes_0_kernels, matmul_shapes_1_kernels, matmul_shapes_2_kernels, matmul_shapes_3_kernels, matmul_shapes_4_kernels, matmul_shapes_5_kernels, matmul_shapes_6_kernels, matmul_shapes_7_kernels, matmul_shapes_8_kernels, matmul_shapes_9_kernels, matmul_shapes_10_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		matmul_shapes_run_by(&runner, device MATMUL_SHAPES_RUN_ARGUMENTS));
}

static inline cudaError_t matmul_shapes_run(
	const struct autotune_device *device, cudaStream_t stream MATMUL_SHAPES_RUN_PARAMETERS)
{
	return matmul_shapes_run_configuration(
		AUTOTUNE_CHOOSE, device, stream MATMUL_SHAPES_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef MATMUL_SHAPES_SELECTED_DEVICE
#ifdef MATMUL_SHAPES_DEVICE
#define MATMUL_SHAPES_SELECTED_DEVICE AUTOTUNE_PASTE(MATMUL_SHAPES_DEVICE_, MATMUL_SHAPES_DEVICE)
#if !(MATMUL_SHAPES_SELECTED_DEVICE > 0)
#error "MATMUL_SHAPES_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define MATMUL_SHAPES_SELECTED_DEVICE 0
#endif
#undef MATMUL_SHAPES_SELECTED_PROBLEM
#ifdef MATMUL_SHAPES_PROBLEM
#define MATMUL_SHAPES_SELECTED_PROBLEM AUTOTUNE_PASTE(MATMUL_SHAPES_PROBLEM_, MATMUL_SHAPES_PROBLEM)
#if !(MATMUL_SHAPES_SELECTED_PROBLEM > 0)
#error "MATMUL_SHAPES_PROBLEM is not one of: SQUARE_512, SQUARE_1000, SQUARE_1024, SQUARE_2048, SQUARE_4096, SQUARE_8192, RAGGED_3000, NARROW_64, NARROW_32, FLAT_64, FLAT_16, DEEP_65536"
#endif
#else
#define MATMUL_SHAPES_SELECTED_PROBLEM 0
#endif
#undef MATMUL_SHAPES_SELECTED
#ifdef MATMUL_SHAPES_CONFIGURATION
#define MATMUL_SHAPES_SELECTED AUTOTUNE_PASTE(MATMUL_SHAPES_CONFIGURATION_, MATMUL_SHAPES_CONFIGURATION)
#if !(MATMUL_SHAPES_SELECTED > 0)
#error "MATMUL_SHAPES_CONFIGURATION is no number from 0 to 10"
#endif
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 1
#define MATMUL_SHAPES_SELECTED 1
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 1
#define MATMUL_SHAPES_SELECTED 1
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 2
#define MATMUL_SHAPES_SELECTED 2
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 2
#define MATMUL_SHAPES_SELECTED 2
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 3
#define MATMUL_SHAPES_SELECTED 2
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 3
#define MATMUL_SHAPES_SELECTED 2
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 4
#define MATMUL_SHAPES_SELECTED 3
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 4
#define MATMUL_SHAPES_SELECTED 3
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 5
#define MATMUL_SHAPES_SELECTED 4
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 5
#define MATMUL_SHAPES_SELECTED 4
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 6
#define MATMUL_SHAPES_SELECTED 5
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 6
#define MATMUL_SHAPES_SELECTED 5
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 7
#define MATMUL_SHAPES_SELECTED 6
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 7
#define MATMUL_SHAPES_SELECTED 6
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 8
#define MATMUL_SHAPES_SELECTED 7
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 8
#define MATMUL_SHAPES_SELECTED 7
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 9
#define MATMUL_SHAPES_SELECTED 8
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 9
#define MATMUL_SHAPES_SELECTED 8
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 10
#define MATMUL_SHAPES_SELECTED 7
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 10
#define MATMUL_SHAPES_SELECTED 7
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 11
#define MATMUL_SHAPES_SELECTED 9
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 11
#define MATMUL_SHAPES_SELECTED 9
#elif MATMUL_SHAPES_SELECTED_DEVICE == 1 && MATMUL_SHAPES_SELECTED_PROBLEM == 12
#define MATMUL_SHAPES_SELECTED 10
#elif MATMUL_SHAPES_SELECTED_DEVICE == 0 && MATMUL_SHAPES_SELECTED_PROBLEM == 12
#define MATMUL_SHAPES_SELECTED 10
#elif MATMUL_SHAPES_SELECTED_DEVICE > 0 && MATMUL_SHAPES_SELECTED_PROBLEM > 0
#error "MATMUL_SHAPES_PROBLEM was not measured on MATMUL_SHAPES_DEVICE; there are: SQUARE_512 on NVIDIA_H200, SQUARE_1000 on NVIDIA_H200, SQUARE_1024 on NVIDIA_H200, SQUARE_2048 on NVIDIA_H200, SQUARE_4096 on NVIDIA_H200, SQUARE_8192 on NVIDIA_H200, RAGGED_3000 on NVIDIA_H200, NARROW_64 on NVIDIA_H200, NARROW_32 on NVIDIA_H200, FLAT_64 on NVIDIA_H200, FLAT_16 on NVIDIA_H200, DEEP_65536 on NVIDIA_H200"
#else
#define MATMUL_SHAPES_SELECTED 0
#endif
#undef MATMUL_SHAPES_BLOCK_X
#undef MATMUL_SHAPES_BLOCK_Y
#undef MATMUL_SHAPES_TILE_M
#undef MATMUL_SHAPES_TILE_N
#undef MATMUL_SHAPES_TILE_K
#undef MATMUL_SHAPES_LANES
#undef MATMUL_SHAPES_SLICES
#undef MATMUL_SHAPES_CLUSTER
#undef MATMUL_SHAPES_PARTS
#undef MATMUL_SHAPES_VECTOR
#undef MATMUL_SHAPES_USE_LDG
#undef MATMUL_SHAPES_PAD
#undef MATMUL_SHAPES_STAGES
#undef MATMUL_SHAPES_COPY
#undef MATMUL_SHAPES_COPY_NAME
#undef MATMUL_SHAPES_SPREAD
#undef MATMUL_SHAPES_UNROLL
#undef MATMUL_SHAPES_FRAGMENTS
#undef MATMUL_SHAPES_ORDER
#undef MATMUL_SHAPES_ORDER_NAME
#undef MATMUL_SHAPES_LOOSE
#undef MATMUL_SHAPES_RESIDENT
#undef MATMUL_SHAPES_NUMBER
#undef MATMUL_SHAPES_OPTIONS
#undef MATMUL_SHAPES_BLOCK_DIM_X
#undef MATMUL_SHAPES_BLOCK_DIM_Y
#undef MATMUL_SHAPES_BLOCK_DIM_Z
#undef MATMUL_SHAPES_SHARED_BYTES
#if MATMUL_SHAPES_SELECTED == 1
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_0_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_0_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_0_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_0_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_0_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_0_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_0_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_0_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_0_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_0_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_0_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_0_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_0_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_0_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_0_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_0_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_0_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_0_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_0_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_0_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_0_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_0_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_0_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_0_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_0_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_0_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_0_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_0_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 2
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_1_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_1_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_1_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_1_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_1_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_1_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_1_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_1_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_1_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_1_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_1_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_1_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_1_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_1_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_1_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_1_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_1_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_1_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_1_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_1_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_1_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_1_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_1_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_1_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_1_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_1_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_1_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_1_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 3
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_2_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_2_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_2_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_2_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_2_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_2_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_2_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_2_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_2_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_2_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_2_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_2_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_2_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_2_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_2_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_2_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_2_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_2_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_2_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_2_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_2_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_2_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_2_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_2_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_2_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_2_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_2_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_2_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 4
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_3_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_3_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_3_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_3_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_3_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_3_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_3_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_3_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_3_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_3_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_3_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_3_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_3_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_3_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_3_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_3_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_3_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_3_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_3_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_3_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_3_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_3_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_3_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_3_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_3_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_3_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_3_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_3_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 5
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_4_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_4_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_4_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_4_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_4_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_4_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_4_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_4_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_4_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_4_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_4_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_4_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_4_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_4_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_4_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_4_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_4_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_4_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_4_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_4_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_4_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_4_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_4_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_4_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_4_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_4_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_4_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_4_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 6
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_5_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_5_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_5_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_5_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_5_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_5_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_5_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_5_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_5_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_5_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_5_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_5_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_5_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_5_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_5_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_5_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_5_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_5_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_5_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_5_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_5_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_5_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_5_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_5_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_5_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_5_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_5_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_5_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 7
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_6_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_6_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_6_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_6_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_6_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_6_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_6_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_6_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_6_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_6_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_6_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_6_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_6_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_6_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_6_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_6_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_6_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_6_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_6_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_6_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_6_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_6_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_6_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_6_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_6_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_6_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_6_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_6_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 8
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_7_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_7_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_7_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_7_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_7_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_7_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_7_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_7_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_7_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_7_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_7_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_7_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_7_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_7_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_7_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_7_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_7_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_7_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_7_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_7_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_7_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_7_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_7_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_7_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_7_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_7_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_7_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_7_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 9
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_8_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_8_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_8_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_8_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_8_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_8_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_8_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_8_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_8_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_8_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_8_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_8_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_8_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_8_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_8_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_8_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_8_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_8_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_8_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_8_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_8_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_8_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_8_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_8_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_8_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_8_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_8_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_8_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 10
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_9_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_9_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_9_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_9_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_9_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_9_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_9_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_9_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_9_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_9_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_9_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_9_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_9_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_9_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_9_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_9_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_9_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_9_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_9_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_9_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_9_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_9_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_9_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_9_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_9_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_9_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_9_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_9_SHARED_BYTES
#elif MATMUL_SHAPES_SELECTED == 11
#define MATMUL_SHAPES_BLOCK_X MATMUL_SHAPES_10_BLOCK_X
#define MATMUL_SHAPES_BLOCK_Y MATMUL_SHAPES_10_BLOCK_Y
#define MATMUL_SHAPES_TILE_M MATMUL_SHAPES_10_TILE_M
#define MATMUL_SHAPES_TILE_N MATMUL_SHAPES_10_TILE_N
#define MATMUL_SHAPES_TILE_K MATMUL_SHAPES_10_TILE_K
#define MATMUL_SHAPES_LANES MATMUL_SHAPES_10_LANES
#define MATMUL_SHAPES_SLICES MATMUL_SHAPES_10_SLICES
#define MATMUL_SHAPES_CLUSTER MATMUL_SHAPES_10_CLUSTER
#define MATMUL_SHAPES_PARTS MATMUL_SHAPES_10_PARTS
#define MATMUL_SHAPES_VECTOR MATMUL_SHAPES_10_VECTOR
#define MATMUL_SHAPES_USE_LDG MATMUL_SHAPES_10_USE_LDG
#define MATMUL_SHAPES_PAD MATMUL_SHAPES_10_PAD
#define MATMUL_SHAPES_STAGES MATMUL_SHAPES_10_STAGES
#define MATMUL_SHAPES_COPY MATMUL_SHAPES_10_COPY
#define MATMUL_SHAPES_COPY_NAME MATMUL_SHAPES_10_COPY_NAME
#define MATMUL_SHAPES_SPREAD MATMUL_SHAPES_10_SPREAD
#define MATMUL_SHAPES_UNROLL MATMUL_SHAPES_10_UNROLL
#define MATMUL_SHAPES_FRAGMENTS MATMUL_SHAPES_10_FRAGMENTS
#define MATMUL_SHAPES_ORDER MATMUL_SHAPES_10_ORDER
#define MATMUL_SHAPES_ORDER_NAME MATMUL_SHAPES_10_ORDER_NAME
#define MATMUL_SHAPES_LOOSE MATMUL_SHAPES_10_LOOSE
#define MATMUL_SHAPES_RESIDENT MATMUL_SHAPES_10_RESIDENT
#define MATMUL_SHAPES_NUMBER MATMUL_SHAPES_10_NUMBER
#define MATMUL_SHAPES_OPTIONS MATMUL_SHAPES_10_OPTIONS
#define MATMUL_SHAPES_BLOCK_DIM_X MATMUL_SHAPES_10_BLOCK_DIM_X
#define MATMUL_SHAPES_BLOCK_DIM_Y MATMUL_SHAPES_10_BLOCK_DIM_Y
#define MATMUL_SHAPES_BLOCK_DIM_Z MATMUL_SHAPES_10_BLOCK_DIM_Z
#define MATMUL_SHAPES_SHARED_BYTES MATMUL_SHAPES_10_SHARED_BYTES
#endif
#ifdef MATMUL_SHAPES_BARE
#if MATMUL_SHAPES_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 4
#undef TILE_M
#define TILE_M 4
#undef TILE_N
#define TILE_N 8
#undef TILE_K
#define TILE_K 32
#undef LANES
#define LANES 4
#undef SLICES
#define SLICES 4
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 4
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 2
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_across
#undef LOOSE
#define LOOSE 0
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_0
#undef matmul_add
#define matmul_add matmul_shapes_0_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_0_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_0_kernels[3]; \
	const void *const matmul_shapes_0_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 2
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 2
#undef TILE_M
#define TILE_M 16
#undef TILE_N
#define TILE_N 8
#undef TILE_K
#define TILE_K 16
#undef LANES
#define LANES 2
#undef SLICES
#define SLICES 4
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 4
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 1
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_across
#undef LOOSE
#define LOOSE 1
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_1
#undef matmul_add
#define matmul_add matmul_shapes_1_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_1_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_1_kernels[3]; \
	const void *const matmul_shapes_1_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 3
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 8
#undef TILE_M
#define TILE_M 16
#undef TILE_N
#define TILE_N 8
#undef TILE_K
#define TILE_K 8
#undef LANES
#define LANES 4
#undef SLICES
#define SLICES 1
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 4
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 2
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_across
#undef LOOSE
#define LOOSE 1
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_2
#undef matmul_add
#define matmul_add matmul_shapes_2_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_2_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_2_kernels[3]; \
	const void *const matmul_shapes_2_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 4
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 4
#undef TILE_M
#define TILE_M 16
#undef TILE_N
#define TILE_N 8
#undef TILE_K
#define TILE_K 8
#undef LANES
#define LANES 4
#undef SLICES
#define SLICES 1
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 3
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 2
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_across
#undef LOOSE
#define LOOSE 1
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_3
#undef matmul_add
#define matmul_add matmul_shapes_3_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_3_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_3_kernels[3]; \
	const void *const matmul_shapes_3_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 5
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 2
#undef TILE_M
#define TILE_M 16
#undef TILE_N
#define TILE_N 8
#undef TILE_K
#define TILE_K 16
#undef LANES
#define LANES 2
#undef SLICES
#define SLICES 2
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 4
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 2
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_across
#undef LOOSE
#define LOOSE 1
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_4
#undef matmul_add
#define matmul_add matmul_shapes_4_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_4_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_4_kernels[3]; \
	const void *const matmul_shapes_4_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 6
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 8
#undef TILE_M
#define TILE_M 8
#undef TILE_N
#define TILE_N 8
#undef TILE_K
#define TILE_K 8
#undef LANES
#define LANES 2
#undef SLICES
#define SLICES 1
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 1
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 2
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_mixed
#undef SPREAD
#define SPREAD 1
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_down
#undef LOOSE
#define LOOSE 1
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_5
#undef matmul_add
#define matmul_add matmul_shapes_5_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_5_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_5_kernels[3]; \
	const void *const matmul_shapes_5_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 7
#undef BLOCK_X
#define BLOCK_X 8
#undef BLOCK_Y
#define BLOCK_Y 4
#undef TILE_M
#define TILE_M 8
#undef TILE_N
#define TILE_N 8
#undef TILE_K
#define TILE_K 64
#undef LANES
#define LANES 4
#undef SLICES
#define SLICES 8
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 4
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 2
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_across
#undef LOOSE
#define LOOSE 1
#undef RESIDENT
#define RESIDENT 2
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_6
#undef matmul_add
#define matmul_add matmul_shapes_6_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_6_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_6_kernels[3]; \
	const void *const matmul_shapes_6_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 8
#undef BLOCK_X
#define BLOCK_X 8
#undef BLOCK_Y
#define BLOCK_Y 8
#undef TILE_M
#define TILE_M 8
#undef TILE_N
#define TILE_N 4
#undef TILE_K
#define TILE_K 64
#undef LANES
#define LANES 8
#undef SLICES
#define SLICES 8
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 4
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 2
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_across
#undef LOOSE
#define LOOSE 0
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_7
#undef matmul_add
#define matmul_add matmul_shapes_7_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_7_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_7_kernels[3]; \
	const void *const matmul_shapes_7_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 9
#undef BLOCK_X
#define BLOCK_X 8
#undef BLOCK_Y
#define BLOCK_Y 4
#undef TILE_M
#define TILE_M 4
#undef TILE_N
#define TILE_N 8
#undef TILE_K
#define TILE_K 64
#undef LANES
#define LANES 4
#undef SLICES
#define SLICES 4
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 3
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 2
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_down
#undef LOOSE
#define LOOSE 0
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_8
#undef matmul_add
#define matmul_add matmul_shapes_8_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_8_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_8_kernels[3]; \
	const void *const matmul_shapes_8_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 10
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 4
#undef TILE_M
#define TILE_M 16
#undef TILE_N
#define TILE_N 4
#undef TILE_K
#define TILE_K 16
#undef LANES
#define LANES 2
#undef SLICES
#define SLICES 1
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 132
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 2
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 2
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_across
#undef LOOSE
#define LOOSE 1
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_9
#undef matmul_add
#define matmul_add matmul_shapes_9_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_9_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_9_kernels[3]; \
	const void *const matmul_shapes_9_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#elif MATMUL_SHAPES_SELECTED == 11
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 8
#undef TILE_M
#define TILE_M 8
#undef TILE_N
#define TILE_N 8
#undef TILE_K
#define TILE_K 32
#undef LANES
#define LANES 8
#undef SLICES
#define SLICES 2
#undef CLUSTER
#define CLUSTER 1
#undef PARTS
#define PARTS 1
#undef VECTOR
#define VECTOR 1
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 3
#undef COPY_mixed
#define COPY_mixed 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 1
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_across
#define ORDER_across 1
#undef ORDER_down
#define ORDER_down 2
#undef ORDER
#define ORDER ORDER_across
#undef LOOSE
#define LOOSE 0
#undef RESIDENT
#define RESIDENT 2
#ifdef MATMUL_SHAPES_CONFIGURATION
#undef matmul
#define matmul matmul_shapes_10
#undef matmul_add
#define matmul_add matmul_shapes_10_matmul_add
#undef matmul_reference
#define matmul_reference matmul_shapes_10_matmul_reference
#undef MATMUL_SHAPES_ENTRY
#define MATMUL_SHAPES_ENTRY extern "C" const void *const matmul_shapes_10_kernels[3]; \
	const void *const matmul_shapes_10_kernels[3] = { reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul), reinterpret_cast<const void *>(&matmul_add) }
#endif
#else
#error "MATMUL_SHAPES_BARE: say of which configuration, with MATMUL_SHAPES_CONFIGURATION, or with MATMUL_SHAPES_DEVICE and MATMUL_SHAPES_PROBLEM"
#endif
#endif
