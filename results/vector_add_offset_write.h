/*
 * vector_add_offset_write: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     b149646a21c1aa1d2de5e6f4cf7287f0 vector_add_offset_write.cfg
 *   template  f563a12fd721b33042f04c45e48aa19d vector_add_offset.cu
 *   contents  b50dbccdd8954f021c7332656554d8ec
 */
/*
 * vector_add_offset_write: 8 configurations, baselines included. The fastest correct ones are, for
 *
 * offset_0 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 0
 *   configuration  0: BLOCK=128 UNROLL=2 USE_LDG=false L1=plain
 *   time           257.27 us (95 % interval 256.8 to 257.75)
 *   speed-up       1.123 over the baseline (95 % interval 1.119 to 1.127)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:33Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    0424373a872281cc3d7a3587130ceaa5
 *
 * offset_1 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 1
 *   configuration  1: BLOCK=128 UNROLL=2 USE_LDG=false L1=cg
 *   time           260.21 us (95 % interval 259.92 to 260.5)
 *   speed-up       1.118 over the baseline (95 % interval 1.116 to 1.12)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:36Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    84ef114ce4d5b3026152fc7e46bd3c56
 *
 * offset_11 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 11
 *   configuration  2: BLOCK=128 UNROLL=2 USE_LDG=false L1=ca
 *   time           260.06 us (95 % interval 259.65 to 260.46)
 *   speed-up       1.119 over the baseline (95 % interval 1.118 to 1.121)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:38Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    f7d86578eaa4c7cd2dbc4df743b6a7e3
 *
 * offset_32 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 32
 *   configuration  1: BLOCK=128 UNROLL=2 USE_LDG=false L1=cg
 *   time           258.14 us (95 % interval 257.75 to 258.54)
 *   speed-up       1.124 over the baseline (95 % interval 1.122 to 1.125)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:41Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    4e61c6e25f20f7d0aabb3eb79ee5a56c
 *
 * offset_128 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 128
 *   configuration  1: BLOCK=128 UNROLL=2 USE_LDG=false L1=cg
 *   time           257.34 us (95 % interval 256.94 to 257.73)
 *   speed-up       1.125 over the baseline (95 % interval 1.121 to 1.128)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:43Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    751ce12924f6fc1b6b72fea4394632f8
 *
 * offset_0 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 0
 *   configuration  3: BLOCK=64 UNROLL=4 USE_LDG=false L1=plain
 *   time           183.63 us (95 % interval 183.46 to 183.79)
 *   speed-up       1.26 over the baseline (95 % interval 1.257 to 1.263)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:20Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    0424373a9bbf56d90ca61883fed1ce7c
 *
 * offset_1 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 1
 *   configuration  4: BLOCK=32 UNROLL=8 USE_LDG=false L1=cg
 *   time           184.64 us (95 % interval 184.38 to 184.89)
 *   speed-up       1.282 over the baseline (95 % interval 1.27 to 1.294)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:22Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    84ef114c5c3371a006f20ddd73bd03db
 *
 * offset_11 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 11
 *   configuration  5: BLOCK=32 UNROLL=8 USE_LDG=false L1=ca
 *   time           184.6 us (95 % interval 184.31 to 184.89)
 *   speed-up       1.27 over the baseline (95 % interval 1.265 to 1.275)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:24Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    f7d865789f19e6f1ae362df875786368
 *
 * offset_32 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 32
 *   configuration  5: BLOCK=32 UNROLL=8 USE_LDG=false L1=ca
 *   time           184.33 us (95 % interval 184 to 184.65)
 *   speed-up       1.261 over the baseline (95 % interval 1.254 to 1.266)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:26Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    4e61c6e28aafebb6af24d0b6378f8f8c
 *
 * offset_128 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 128
 *   configuration  6: BLOCK=256 UNROLL=4 USE_LDG=false L1=plain
 *   time           183.83 us (95 % interval 183.59 to 184.07)
 *   speed-up       1.257 over the baseline (95 % interval 1.25 to 1.265)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:28Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    751ce129e8d4f856a39fbe358495d858
 *
 * To choose a configuration when the program runs: vector_add_offset_write_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * vector_add_offset_write_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of VECTOR_ADD_OFFSET_WRITE_CONFIGURATIONS in a translation unit of its own:
 * define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION as n, define VECTOR_ADD_OFFSET_WRITE_BARE, include this header, then
 * the template. Its kernel is called vector_add_offset_write_n there. Give the compiler
 * VECTOR_ADD_OFFSET_WRITE_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names VECTOR_ADD_OFFSET_WRITE_... without a
 * number belong to one configuration. Define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION, or
 * VECTOR_ADD_OFFSET_WRITE_DEVICE and VECTOR_ADD_OFFSET_WRITE_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. VECTOR_ADD_OFFSET_WRITE_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_VECTOR_ADD_OFFSET_WRITE_H
#define AUTOTUNE_VECTOR_ADD_OFFSET_WRITE_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_VECTOR_ADD_OFFSET_WRITE_CONTENTS 0xbec5999dcfbc404bULL

/* the values that VECTOR_ADD_OFFSET_WRITE_CONFIGURATION, VECTOR_ADD_OFFSET_WRITE_DEVICE and VECTOR_ADD_OFFSET_WRITE_PROBLEM may have */
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_0 1
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_1 2
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_2 3
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_3 4
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_4 5
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_5 6
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_6 7
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_7 8
#define VECTOR_ADD_OFFSET_WRITE_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define VECTOR_ADD_OFFSET_WRITE_DEVICE_NVIDIA_H200 2
#define VECTOR_ADD_OFFSET_WRITE_PROBLEM_OFFSET_0 1
#define VECTOR_ADD_OFFSET_WRITE_PROBLEM_OFFSET_1 2
#define VECTOR_ADD_OFFSET_WRITE_PROBLEM_OFFSET_11 3
#define VECTOR_ADD_OFFSET_WRITE_PROBLEM_OFFSET_32 4
#define VECTOR_ADD_OFFSET_WRITE_PROBLEM_OFFSET_128 5

/* X(number, kernel) for every configuration */
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_COUNT 8
#define VECTOR_ADD_OFFSET_WRITE_CONFIGURATIONS(X) \
	X(0, vector_add_offset_write_0) \
	X(1, vector_add_offset_write_1) \
	X(2, vector_add_offset_write_2) \
	X(3, vector_add_offset_write_3) \
	X(4, vector_add_offset_write_4) \
	X(5, vector_add_offset_write_5) \
	X(6, vector_add_offset_write_6) \
	X(7, vector_add_offset_write_7)
#define VECTOR_ADD_OFFSET_WRITE_DEVICE_COUNT 2
#define VECTOR_ADD_OFFSET_WRITE_L1_plain 1
#define VECTOR_ADD_OFFSET_WRITE_L1_ca 2
#define VECTOR_ADD_OFFSET_WRITE_L1_cg 3

#define VECTOR_ADD_OFFSET_WRITE_0_BLOCK 128
#define VECTOR_ADD_OFFSET_WRITE_0_UNROLL 2
#define VECTOR_ADD_OFFSET_WRITE_0_USE_LDG 0
#define VECTOR_ADD_OFFSET_WRITE_0_L1 1
#define VECTOR_ADD_OFFSET_WRITE_0_L1_NAME "plain"
#define VECTOR_ADD_OFFSET_WRITE_0_NUMBER 0
#define VECTOR_ADD_OFFSET_WRITE_0_OPTIONS ""
#define VECTOR_ADD_OFFSET_WRITE_0_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_WRITE_0_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_WRITE_0_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_WRITE_0_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_WRITE_1_BLOCK 128
#define VECTOR_ADD_OFFSET_WRITE_1_UNROLL 2
#define VECTOR_ADD_OFFSET_WRITE_1_USE_LDG 0
#define VECTOR_ADD_OFFSET_WRITE_1_L1 3
#define VECTOR_ADD_OFFSET_WRITE_1_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_WRITE_1_NUMBER 1
#define VECTOR_ADD_OFFSET_WRITE_1_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_WRITE_1_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_WRITE_1_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_WRITE_1_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_WRITE_1_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_WRITE_2_BLOCK 128
#define VECTOR_ADD_OFFSET_WRITE_2_UNROLL 2
#define VECTOR_ADD_OFFSET_WRITE_2_USE_LDG 0
#define VECTOR_ADD_OFFSET_WRITE_2_L1 2
#define VECTOR_ADD_OFFSET_WRITE_2_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_WRITE_2_NUMBER 2
#define VECTOR_ADD_OFFSET_WRITE_2_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_WRITE_2_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_WRITE_2_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_WRITE_2_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_WRITE_2_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_WRITE_3_BLOCK 64
#define VECTOR_ADD_OFFSET_WRITE_3_UNROLL 4
#define VECTOR_ADD_OFFSET_WRITE_3_USE_LDG 0
#define VECTOR_ADD_OFFSET_WRITE_3_L1 1
#define VECTOR_ADD_OFFSET_WRITE_3_L1_NAME "plain"
#define VECTOR_ADD_OFFSET_WRITE_3_NUMBER 3
#define VECTOR_ADD_OFFSET_WRITE_3_OPTIONS ""
#define VECTOR_ADD_OFFSET_WRITE_3_BLOCK_DIM_X 64
#define VECTOR_ADD_OFFSET_WRITE_3_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_WRITE_3_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_WRITE_3_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_WRITE_4_BLOCK 32
#define VECTOR_ADD_OFFSET_WRITE_4_UNROLL 8
#define VECTOR_ADD_OFFSET_WRITE_4_USE_LDG 0
#define VECTOR_ADD_OFFSET_WRITE_4_L1 3
#define VECTOR_ADD_OFFSET_WRITE_4_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_WRITE_4_NUMBER 4
#define VECTOR_ADD_OFFSET_WRITE_4_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_WRITE_4_BLOCK_DIM_X 32
#define VECTOR_ADD_OFFSET_WRITE_4_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_WRITE_4_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_WRITE_4_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_WRITE_5_BLOCK 32
#define VECTOR_ADD_OFFSET_WRITE_5_UNROLL 8
#define VECTOR_ADD_OFFSET_WRITE_5_USE_LDG 0
#define VECTOR_ADD_OFFSET_WRITE_5_L1 2
#define VECTOR_ADD_OFFSET_WRITE_5_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_WRITE_5_NUMBER 5
#define VECTOR_ADD_OFFSET_WRITE_5_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_WRITE_5_BLOCK_DIM_X 32
#define VECTOR_ADD_OFFSET_WRITE_5_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_WRITE_5_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_WRITE_5_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_WRITE_6_BLOCK 256
#define VECTOR_ADD_OFFSET_WRITE_6_UNROLL 4
#define VECTOR_ADD_OFFSET_WRITE_6_USE_LDG 0
#define VECTOR_ADD_OFFSET_WRITE_6_L1 1
#define VECTOR_ADD_OFFSET_WRITE_6_L1_NAME "plain"
#define VECTOR_ADD_OFFSET_WRITE_6_NUMBER 6
#define VECTOR_ADD_OFFSET_WRITE_6_OPTIONS ""
#define VECTOR_ADD_OFFSET_WRITE_6_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_WRITE_6_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_WRITE_6_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_WRITE_6_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_WRITE_7_BLOCK 256
#define VECTOR_ADD_OFFSET_WRITE_7_UNROLL 1
#define VECTOR_ADD_OFFSET_WRITE_7_USE_LDG 0
#define VECTOR_ADD_OFFSET_WRITE_7_L1 1
#define VECTOR_ADD_OFFSET_WRITE_7_L1_NAME "plain"
#define VECTOR_ADD_OFFSET_WRITE_7_NUMBER 7
#define VECTOR_ADD_OFFSET_WRITE_7_OPTIONS ""
#define VECTOR_ADD_OFFSET_WRITE_7_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_WRITE_7_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_WRITE_7_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_WRITE_7_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_0_CONFIGURATION 0
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_0_TIME_NS 257274.333669971
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_0_TIME_LOW_NS 256798.444579695
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_0_TIME_HIGH_NS 257751.104659771
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_0_SPEEDUP 1.12265821437805
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_0_SPEEDUP_LOW 1.11870277669065
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_0_SPEEDUP_HIGH 1.12662763744889

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_1_CONFIGURATION 1
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_1_TIME_NS 260210.303578755
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_1_TIME_LOW_NS 259920.87163528
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_1_TIME_HIGH_NS 260500.057815894
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_1_SPEEDUP 1.11770814229399
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_1_SPEEDUP_LOW 1.11579397296292
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_1_SPEEDUP_HIGH 1.11962559542504

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_11_CONFIGURATION 2
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_11_TIME_NS 260056.517094045
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_11_TIME_LOW_NS 259654.913204861
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_11_TIME_HIGH_NS 260458.742137214
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_11_SPEEDUP 1.11937160243042
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_11_SPEEDUP_LOW 1.11752440060264
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_11_SPEEDUP_HIGH 1.12122185757373

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_32_CONFIGURATION 1
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_32_TIME_NS 258143.428748694
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_32_TIME_LOW_NS 257749.288338185
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_32_TIME_HIGH_NS 258538.171863731
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_32_SPEEDUP 1.12357475936711
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_32_SPEEDUP_LOW 1.12171497735351
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_32_SPEEDUP_HIGH 1.12543762486377

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_128_CONFIGURATION 1
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_128_TIME_NS 257335.525390769
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_128_TIME_LOW_NS 256938.786091069
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_128_TIME_HIGH_NS 257732.877295807
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_128_SPEEDUP 1.12477537210646
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_128_SPEEDUP_LOW 1.12141486191516
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H100_80GB_HBM3_OFFSET_128_SPEEDUP_HIGH 1.1281459526376

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_0_CONFIGURATION 3
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_0_TIME_NS 183626.498879941
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_0_TIME_LOW_NS 183462.445360441
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_0_TIME_HIGH_NS 183790.699097351
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_0_SPEEDUP 1.2598645898723
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_0_SPEEDUP_LOW 1.2565611648525
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_0_SPEEDUP_HIGH 1.26317669940119

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_1_CONFIGURATION 4
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_1_TIME_NS 184637.707296444
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_1_TIME_LOW_NS 184380.937513598
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_1_TIME_HIGH_NS 184894.834658129
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_1_SPEEDUP 1.28160434059528
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_1_SPEEDUP_LOW 1.26951886783208
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_1_SPEEDUP_HIGH 1.29380486375719

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_11_CONFIGURATION 5
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_11_TIME_NS 184599.470872324
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_11_TIME_LOW_NS 184306.117051401
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_11_TIME_HIGH_NS 184893.291614614
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_11_SPEEDUP 1.26956140167365
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_11_SPEEDUP_LOW 1.26451068603419
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_11_SPEEDUP_HIGH 1.27463229090971

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_32_CONFIGURATION 5
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_32_TIME_NS 184325.136415888
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_32_TIME_LOW_NS 184001.220657092
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_32_TIME_HIGH_NS 184649.622396004
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_32_SPEEDUP 1.2614714987477
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_32_SPEEDUP_LOW 1.25441360803759
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_32_SPEEDUP_HIGH 1.26566756297665

#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_128_CONFIGURATION 6
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_128_TIME_NS 183829.243909671
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_128_TIME_LOW_NS 183593.413785403
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_128_TIME_HIGH_NS 184065.376963366
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_128_SPEEDUP 1.25740972053358
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_128_SPEEDUP_LOW 1.24981773159156
#define VECTOR_ADD_OFFSET_WRITE_NVIDIA_H200_OFFSET_128_SPEEDUP_HIGH 1.26504782683706

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *vector_add_offset_write_device(int index)
{
	static const struct autotune_device devices[] = {
		{ "NVIDIA H100 80GB HBM3", 9, 0,
			132, 32, 1024, 1024, 1024, 64, 2147483647, 65535, 65535, 2048,
			32, 65536, 65536, 49152, 232448, 233472, 1024, 52428800, 85899345920, 0,
			0, 5120, 700, 700 },
		{ "NVIDIA H200", 9, 0,
			132, 32, 1024, 1024, 1024, 64, 2147483647, 65535, 65535, 2048,
			32, 65536, 65536, 49152, 232448, 233472, 1024, 62914560, 150323855360, 0,
			0, 6016, 700, 700 },
	};

	return index >= 0 && index < 2 ? &devices[index] : AUTOTUNE_NULL;
}

/* Completes a device with what is recorded of it, or what all such devices have. */
static inline struct autotune_device vector_add_offset_write_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, vector_add_offset_write_device(i)))
			autotune_fill(&complete, vector_add_offset_write_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch vector_add_offset_write_launch(
	int configuration, const struct autotune_device *given, long long size_N, long long size_OFFSET)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N; (void)size_OFFSET;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 128LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 128LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 128LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 64LL;
		break;
	case 4:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 32LL;
		break;
	case 5:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 32LL;
		break;
	case 6:
		amounts[0] = autotune_ceil_div(size_N, 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 7:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int vector_add_offset_write_fits(
	int configuration, const struct autotune_device *given, long long size_N, long long size_OFFSET)
{
	const struct autotune_device complete = vector_add_offset_write_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 134217728LL))
		bad = 1;
	if (!(size_OFFSET >= 0LL && size_OFFSET <= 128LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 16;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 16;
		break;
	case 2:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 16;
		break;
	case 3:
		/* BLOCK <= device.max_threads_per_block */
		if (!(64LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 4:
		/* BLOCK <= device.max_threads_per_block */
		if (!(32LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 38;
		break;
	case 5:
		/* BLOCK <= device.max_threads_per_block */
		if (!(32LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 38;
		break;
	case 6:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 7:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 10;
		break;
	default:
		break;
	}
	launch = vector_add_offset_write_launch(configuration, given, size_N, size_OFFSET);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice vector_add_offset_write_choose(
	const struct autotune_device *device, long long size_N, long long size_OFFSET)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 67108864, 0 }, /* offset_0 */
		{ 67108864, 1 }, /* offset_1 */
		{ 67108864, 11 }, /* offset_11 */
		{ 67108864, 32 }, /* offset_32 */
		{ 67108864, 128 }, /* offset_128 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* offset_0 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* offset_1 on NVIDIA H100 80GB HBM3 */
		{ 2, 0, 2, 0 }, /* offset_11 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 3, 0 }, /* offset_32 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 4, 0 }, /* offset_128 on NVIDIA H100 80GB HBM3 */
		{ 3, 1, 0, 0 }, /* offset_0 on NVIDIA H200 */
		{ 4, 1, 1, 0 }, /* offset_1 on NVIDIA H200 */
		{ 5, 1, 2, 0 }, /* offset_11 on NVIDIA H200 */
		{ 5, 1, 3, 0 }, /* offset_32 on NVIDIA H200 */
		{ 6, 1, 4, 0 }, /* offset_128 on NVIDIA H200 */
		{ 7, 0, 0, 1 }, /* offset_0 on NVIDIA H100 80GB HBM3 */
		{ 7, 0, 1, 1 }, /* offset_1 on NVIDIA H100 80GB HBM3 */
		{ 7, 0, 2, 1 }, /* offset_11 on NVIDIA H100 80GB HBM3 */
		{ 7, 0, 3, 1 }, /* offset_32 on NVIDIA H100 80GB HBM3 */
		{ 7, 0, 4, 1 }, /* offset_128 on NVIDIA H100 80GB HBM3 */
		{ 7, 1, 0, 1 }, /* offset_0 on NVIDIA H200 */
		{ 7, 1, 1, 1 }, /* offset_1 on NVIDIA H200 */
		{ 7, 1, 2, 1 }, /* offset_11 on NVIDIA H200 */
		{ 7, 1, 3, 1 }, /* offset_32 on NVIDIA H200 */
		{ 7, 1, 4, 1 }, /* offset_128 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_OFFSET) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N; (void)size_OFFSET;
	for (i = 0; device && i < 20; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			vector_add_offset_write_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			vector_add_offset_write_fits(entries[i][0], device, size_N, size_OFFSET)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[256];

		snprintf(text, sizeof(text), "\"N\": %lld, \"OFFSET\": %lld", size_N, size_OFFSET);
		autotune_note(file, "vector_add_offset_write", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   vector_add_offset_write_run(&device, stream, N, OFFSET, a, b, c)
 *
 *   a              const float *
 *   b              const float *
 *   c              float *
 *   n              computed: N
 *   offset         computed: OFFSET
 *
 * vector_add_offset_write_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line VECTOR_ADD_OFFSET_WRITE_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. vector_add_offset_write_run_by() launches with
 * functions of its caller.
 */
#define VECTOR_ADD_OFFSET_WRITE_RUN_PARAMETERS \
	, long long size_N, long long size_OFFSET, const float *argument_a, const float *argument_b, float *argument_c
#define VECTOR_ADD_OFFSET_WRITE_RUN_ARGUMENTS \
	, size_N, size_OFFSET, argument_a, argument_b, argument_c

static inline int vector_add_offset_write_run_by(struct autotune_runner *runner,
	const struct autotune_device *given VECTOR_ADD_OFFSET_WRITE_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? vector_add_offset_write_choose(given, size_N, size_OFFSET).configuration : runner->configuration;
	int bad = 0;
	long long value_n = 0;
	long long argument_n = 0;
	long long value_offset = 0;
	int argument_offset = 0;
	int error;

	if (!given || configuration < 0 || !vector_add_offset_write_fits(configuration, given, size_N, size_OFFSET))
		return runner->refused;
	value_n = size_N;
	value_offset = size_OFFSET;
	argument_n = AUTOTUNE_CAST(long long, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	argument_offset = AUTOTUNE_CAST(int, value_offset);
	if (AUTOTUNE_CAST(long long, argument_offset) != value_offset)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* vector_add_offset_write */
	if (!error) {
		void *arguments[] = { &argument_a, &argument_b, &argument_c, &argument_n, &argument_offset };
		const struct autotune_launch launch =
			vector_add_offset_write_launch(configuration, given, size_N, size_OFFSET);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
		}
	}
	return error;
}

#endif

/* outside of the guard: a unit may include the header of CUDA later */
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_VECTOR_ADD_OFFSET_WRITE_RUN)
#define AUTOTUNE_VECTOR_ADD_OFFSET_WRITE_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const vector_add_offset_write_0_kernels[1];
extern const void *const vector_add_offset_write_1_kernels[1];
extern const void *const vector_add_offset_write_2_kernels[1];
extern const void *const vector_add_offset_write_3_kernels[1];
extern const void *const vector_add_offset_write_4_kernels[1];
extern const void *const vector_add_offset_write_5_kernels[1];
extern const void *const vector_add_offset_write_6_kernels[1];
extern const void *const vector_add_offset_write_7_kernels[1];
#ifdef __cplusplus
}
#endif

/* As vector_add_offset_write_run(), with a configuration that was chosen before. */
static inline cudaError_t vector_add_offset_write_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream VECTOR_ADD_OFFSET_WRITE_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { vector_add_offset_write_0_kernels, vector_add_offset_write_1_kernels, vector_add_offset_write_2_kernels, vector_add_offset_write_3_kernels, vector_add_offset_write_4_kernels, vector_add_offset_write_5_kernels, vector_add_offset_write_6_kernels, vector_add_offset_write_7_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		vector_add_offset_write_run_by(&runner, device VECTOR_ADD_OFFSET_WRITE_RUN_ARGUMENTS));
}

static inline cudaError_t vector_add_offset_write_run(
	const struct autotune_device *device, cudaStream_t stream VECTOR_ADD_OFFSET_WRITE_RUN_PARAMETERS)
{
	return vector_add_offset_write_run_configuration(
		AUTOTUNE_CHOOSE, device, stream VECTOR_ADD_OFFSET_WRITE_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE
#ifdef VECTOR_ADD_OFFSET_WRITE_DEVICE
#define VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE AUTOTUNE_PASTE(VECTOR_ADD_OFFSET_WRITE_DEVICE_, VECTOR_ADD_OFFSET_WRITE_DEVICE)
#if !(VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE > 0)
#error "VECTOR_ADD_OFFSET_WRITE_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE 0
#endif
#undef VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM
#ifdef VECTOR_ADD_OFFSET_WRITE_PROBLEM
#define VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM AUTOTUNE_PASTE(VECTOR_ADD_OFFSET_WRITE_PROBLEM_, VECTOR_ADD_OFFSET_WRITE_PROBLEM)
#if !(VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM > 0)
#error "VECTOR_ADD_OFFSET_WRITE_PROBLEM is not one of: OFFSET_0, OFFSET_1, OFFSET_11, OFFSET_32, OFFSET_128"
#endif
#else
#define VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM 0
#endif
#undef VECTOR_ADD_OFFSET_WRITE_SELECTED
#ifdef VECTOR_ADD_OFFSET_WRITE_CONFIGURATION
#define VECTOR_ADD_OFFSET_WRITE_SELECTED AUTOTUNE_PASTE(VECTOR_ADD_OFFSET_WRITE_CONFIGURATION_, VECTOR_ADD_OFFSET_WRITE_CONFIGURATION)
#if !(VECTOR_ADD_OFFSET_WRITE_SELECTED > 0)
#error "VECTOR_ADD_OFFSET_WRITE_CONFIGURATION is no number from 0 to 7"
#endif
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 1
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 1
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 2
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 2
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 3
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 3
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 4
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 2
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 5
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 2
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 1
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 4
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 2
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 5
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 3
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 6
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 4
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 6
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM == 5
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 7
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED_DEVICE > 0 && VECTOR_ADD_OFFSET_WRITE_SELECTED_PROBLEM > 0
#error "VECTOR_ADD_OFFSET_WRITE_PROBLEM was not measured on VECTOR_ADD_OFFSET_WRITE_DEVICE; there are: OFFSET_0 on NVIDIA_H100_80GB_HBM3, OFFSET_1 on NVIDIA_H100_80GB_HBM3, OFFSET_11 on NVIDIA_H100_80GB_HBM3, OFFSET_32 on NVIDIA_H100_80GB_HBM3, OFFSET_128 on NVIDIA_H100_80GB_HBM3, OFFSET_0 on NVIDIA_H200, OFFSET_1 on NVIDIA_H200, OFFSET_11 on NVIDIA_H200, OFFSET_32 on NVIDIA_H200, OFFSET_128 on NVIDIA_H200"
#else
#define VECTOR_ADD_OFFSET_WRITE_SELECTED 0
#endif
#undef VECTOR_ADD_OFFSET_WRITE_BLOCK
#undef VECTOR_ADD_OFFSET_WRITE_UNROLL
#undef VECTOR_ADD_OFFSET_WRITE_USE_LDG
#undef VECTOR_ADD_OFFSET_WRITE_L1
#undef VECTOR_ADD_OFFSET_WRITE_L1_NAME
#undef VECTOR_ADD_OFFSET_WRITE_NUMBER
#undef VECTOR_ADD_OFFSET_WRITE_OPTIONS
#undef VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_X
#undef VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Y
#undef VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Z
#undef VECTOR_ADD_OFFSET_WRITE_SHARED_BYTES
#if VECTOR_ADD_OFFSET_WRITE_SELECTED == 1
#define VECTOR_ADD_OFFSET_WRITE_BLOCK VECTOR_ADD_OFFSET_WRITE_0_BLOCK
#define VECTOR_ADD_OFFSET_WRITE_UNROLL VECTOR_ADD_OFFSET_WRITE_0_UNROLL
#define VECTOR_ADD_OFFSET_WRITE_USE_LDG VECTOR_ADD_OFFSET_WRITE_0_USE_LDG
#define VECTOR_ADD_OFFSET_WRITE_L1 VECTOR_ADD_OFFSET_WRITE_0_L1
#define VECTOR_ADD_OFFSET_WRITE_L1_NAME VECTOR_ADD_OFFSET_WRITE_0_L1_NAME
#define VECTOR_ADD_OFFSET_WRITE_NUMBER VECTOR_ADD_OFFSET_WRITE_0_NUMBER
#define VECTOR_ADD_OFFSET_WRITE_OPTIONS VECTOR_ADD_OFFSET_WRITE_0_OPTIONS
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_X VECTOR_ADD_OFFSET_WRITE_0_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Y VECTOR_ADD_OFFSET_WRITE_0_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Z VECTOR_ADD_OFFSET_WRITE_0_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_WRITE_SHARED_BYTES VECTOR_ADD_OFFSET_WRITE_0_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 2
#define VECTOR_ADD_OFFSET_WRITE_BLOCK VECTOR_ADD_OFFSET_WRITE_1_BLOCK
#define VECTOR_ADD_OFFSET_WRITE_UNROLL VECTOR_ADD_OFFSET_WRITE_1_UNROLL
#define VECTOR_ADD_OFFSET_WRITE_USE_LDG VECTOR_ADD_OFFSET_WRITE_1_USE_LDG
#define VECTOR_ADD_OFFSET_WRITE_L1 VECTOR_ADD_OFFSET_WRITE_1_L1
#define VECTOR_ADD_OFFSET_WRITE_L1_NAME VECTOR_ADD_OFFSET_WRITE_1_L1_NAME
#define VECTOR_ADD_OFFSET_WRITE_NUMBER VECTOR_ADD_OFFSET_WRITE_1_NUMBER
#define VECTOR_ADD_OFFSET_WRITE_OPTIONS VECTOR_ADD_OFFSET_WRITE_1_OPTIONS
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_X VECTOR_ADD_OFFSET_WRITE_1_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Y VECTOR_ADD_OFFSET_WRITE_1_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Z VECTOR_ADD_OFFSET_WRITE_1_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_WRITE_SHARED_BYTES VECTOR_ADD_OFFSET_WRITE_1_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 3
#define VECTOR_ADD_OFFSET_WRITE_BLOCK VECTOR_ADD_OFFSET_WRITE_2_BLOCK
#define VECTOR_ADD_OFFSET_WRITE_UNROLL VECTOR_ADD_OFFSET_WRITE_2_UNROLL
#define VECTOR_ADD_OFFSET_WRITE_USE_LDG VECTOR_ADD_OFFSET_WRITE_2_USE_LDG
#define VECTOR_ADD_OFFSET_WRITE_L1 VECTOR_ADD_OFFSET_WRITE_2_L1
#define VECTOR_ADD_OFFSET_WRITE_L1_NAME VECTOR_ADD_OFFSET_WRITE_2_L1_NAME
#define VECTOR_ADD_OFFSET_WRITE_NUMBER VECTOR_ADD_OFFSET_WRITE_2_NUMBER
#define VECTOR_ADD_OFFSET_WRITE_OPTIONS VECTOR_ADD_OFFSET_WRITE_2_OPTIONS
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_X VECTOR_ADD_OFFSET_WRITE_2_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Y VECTOR_ADD_OFFSET_WRITE_2_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Z VECTOR_ADD_OFFSET_WRITE_2_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_WRITE_SHARED_BYTES VECTOR_ADD_OFFSET_WRITE_2_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 4
#define VECTOR_ADD_OFFSET_WRITE_BLOCK VECTOR_ADD_OFFSET_WRITE_3_BLOCK
#define VECTOR_ADD_OFFSET_WRITE_UNROLL VECTOR_ADD_OFFSET_WRITE_3_UNROLL
#define VECTOR_ADD_OFFSET_WRITE_USE_LDG VECTOR_ADD_OFFSET_WRITE_3_USE_LDG
#define VECTOR_ADD_OFFSET_WRITE_L1 VECTOR_ADD_OFFSET_WRITE_3_L1
#define VECTOR_ADD_OFFSET_WRITE_L1_NAME VECTOR_ADD_OFFSET_WRITE_3_L1_NAME
#define VECTOR_ADD_OFFSET_WRITE_NUMBER VECTOR_ADD_OFFSET_WRITE_3_NUMBER
#define VECTOR_ADD_OFFSET_WRITE_OPTIONS VECTOR_ADD_OFFSET_WRITE_3_OPTIONS
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_X VECTOR_ADD_OFFSET_WRITE_3_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Y VECTOR_ADD_OFFSET_WRITE_3_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Z VECTOR_ADD_OFFSET_WRITE_3_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_WRITE_SHARED_BYTES VECTOR_ADD_OFFSET_WRITE_3_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 5
#define VECTOR_ADD_OFFSET_WRITE_BLOCK VECTOR_ADD_OFFSET_WRITE_4_BLOCK
#define VECTOR_ADD_OFFSET_WRITE_UNROLL VECTOR_ADD_OFFSET_WRITE_4_UNROLL
#define VECTOR_ADD_OFFSET_WRITE_USE_LDG VECTOR_ADD_OFFSET_WRITE_4_USE_LDG
#define VECTOR_ADD_OFFSET_WRITE_L1 VECTOR_ADD_OFFSET_WRITE_4_L1
#define VECTOR_ADD_OFFSET_WRITE_L1_NAME VECTOR_ADD_OFFSET_WRITE_4_L1_NAME
#define VECTOR_ADD_OFFSET_WRITE_NUMBER VECTOR_ADD_OFFSET_WRITE_4_NUMBER
#define VECTOR_ADD_OFFSET_WRITE_OPTIONS VECTOR_ADD_OFFSET_WRITE_4_OPTIONS
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_X VECTOR_ADD_OFFSET_WRITE_4_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Y VECTOR_ADD_OFFSET_WRITE_4_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Z VECTOR_ADD_OFFSET_WRITE_4_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_WRITE_SHARED_BYTES VECTOR_ADD_OFFSET_WRITE_4_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 6
#define VECTOR_ADD_OFFSET_WRITE_BLOCK VECTOR_ADD_OFFSET_WRITE_5_BLOCK
#define VECTOR_ADD_OFFSET_WRITE_UNROLL VECTOR_ADD_OFFSET_WRITE_5_UNROLL
#define VECTOR_ADD_OFFSET_WRITE_USE_LDG VECTOR_ADD_OFFSET_WRITE_5_USE_LDG
#define VECTOR_ADD_OFFSET_WRITE_L1 VECTOR_ADD_OFFSET_WRITE_5_L1
#define VECTOR_ADD_OFFSET_WRITE_L1_NAME VECTOR_ADD_OFFSET_WRITE_5_L1_NAME
#define VECTOR_ADD_OFFSET_WRITE_NUMBER VECTOR_ADD_OFFSET_WRITE_5_NUMBER
#define VECTOR_ADD_OFFSET_WRITE_OPTIONS VECTOR_ADD_OFFSET_WRITE_5_OPTIONS
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_X VECTOR_ADD_OFFSET_WRITE_5_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Y VECTOR_ADD_OFFSET_WRITE_5_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Z VECTOR_ADD_OFFSET_WRITE_5_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_WRITE_SHARED_BYTES VECTOR_ADD_OFFSET_WRITE_5_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 7
#define VECTOR_ADD_OFFSET_WRITE_BLOCK VECTOR_ADD_OFFSET_WRITE_6_BLOCK
#define VECTOR_ADD_OFFSET_WRITE_UNROLL VECTOR_ADD_OFFSET_WRITE_6_UNROLL
#define VECTOR_ADD_OFFSET_WRITE_USE_LDG VECTOR_ADD_OFFSET_WRITE_6_USE_LDG
#define VECTOR_ADD_OFFSET_WRITE_L1 VECTOR_ADD_OFFSET_WRITE_6_L1
#define VECTOR_ADD_OFFSET_WRITE_L1_NAME VECTOR_ADD_OFFSET_WRITE_6_L1_NAME
#define VECTOR_ADD_OFFSET_WRITE_NUMBER VECTOR_ADD_OFFSET_WRITE_6_NUMBER
#define VECTOR_ADD_OFFSET_WRITE_OPTIONS VECTOR_ADD_OFFSET_WRITE_6_OPTIONS
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_X VECTOR_ADD_OFFSET_WRITE_6_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Y VECTOR_ADD_OFFSET_WRITE_6_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Z VECTOR_ADD_OFFSET_WRITE_6_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_WRITE_SHARED_BYTES VECTOR_ADD_OFFSET_WRITE_6_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 8
#define VECTOR_ADD_OFFSET_WRITE_BLOCK VECTOR_ADD_OFFSET_WRITE_7_BLOCK
#define VECTOR_ADD_OFFSET_WRITE_UNROLL VECTOR_ADD_OFFSET_WRITE_7_UNROLL
#define VECTOR_ADD_OFFSET_WRITE_USE_LDG VECTOR_ADD_OFFSET_WRITE_7_USE_LDG
#define VECTOR_ADD_OFFSET_WRITE_L1 VECTOR_ADD_OFFSET_WRITE_7_L1
#define VECTOR_ADD_OFFSET_WRITE_L1_NAME VECTOR_ADD_OFFSET_WRITE_7_L1_NAME
#define VECTOR_ADD_OFFSET_WRITE_NUMBER VECTOR_ADD_OFFSET_WRITE_7_NUMBER
#define VECTOR_ADD_OFFSET_WRITE_OPTIONS VECTOR_ADD_OFFSET_WRITE_7_OPTIONS
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_X VECTOR_ADD_OFFSET_WRITE_7_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Y VECTOR_ADD_OFFSET_WRITE_7_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_WRITE_BLOCK_DIM_Z VECTOR_ADD_OFFSET_WRITE_7_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_WRITE_SHARED_BYTES VECTOR_ADD_OFFSET_WRITE_7_SHARED_BYTES
#endif
#ifdef VECTOR_ADD_OFFSET_WRITE_BARE
#if VECTOR_ADD_OFFSET_WRITE_SELECTED == 1
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef VECTOR_ADD_OFFSET_WRITE_CONFIGURATION
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_write_0
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_write_0_vector_add_offset_write_reference
#undef vector_add_offset
#define vector_add_offset vector_add_offset_write_0_vector_add_offset
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_write_0_vector_add_offset_reference
#undef VECTOR_ADD_OFFSET_WRITE_ENTRY
#define VECTOR_ADD_OFFSET_WRITE_ENTRY extern "C" const void *const vector_add_offset_write_0_kernels[1]; \
	const void *const vector_add_offset_write_0_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset_write) }
#endif
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 2
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_cg
#ifdef VECTOR_ADD_OFFSET_WRITE_CONFIGURATION
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_write_1
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_write_1_vector_add_offset_write_reference
#undef vector_add_offset
#define vector_add_offset vector_add_offset_write_1_vector_add_offset
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_write_1_vector_add_offset_reference
#undef VECTOR_ADD_OFFSET_WRITE_ENTRY
#define VECTOR_ADD_OFFSET_WRITE_ENTRY extern "C" const void *const vector_add_offset_write_1_kernels[1]; \
	const void *const vector_add_offset_write_1_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset_write) }
#endif
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 3
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef VECTOR_ADD_OFFSET_WRITE_CONFIGURATION
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_write_2
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_write_2_vector_add_offset_write_reference
#undef vector_add_offset
#define vector_add_offset vector_add_offset_write_2_vector_add_offset
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_write_2_vector_add_offset_reference
#undef VECTOR_ADD_OFFSET_WRITE_ENTRY
#define VECTOR_ADD_OFFSET_WRITE_ENTRY extern "C" const void *const vector_add_offset_write_2_kernels[1]; \
	const void *const vector_add_offset_write_2_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset_write) }
#endif
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 4
#undef BLOCK
#define BLOCK 64
#undef UNROLL
#define UNROLL 4
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef VECTOR_ADD_OFFSET_WRITE_CONFIGURATION
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_write_3
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_write_3_vector_add_offset_write_reference
#undef vector_add_offset
#define vector_add_offset vector_add_offset_write_3_vector_add_offset
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_write_3_vector_add_offset_reference
#undef VECTOR_ADD_OFFSET_WRITE_ENTRY
#define VECTOR_ADD_OFFSET_WRITE_ENTRY extern "C" const void *const vector_add_offset_write_3_kernels[1]; \
	const void *const vector_add_offset_write_3_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset_write) }
#endif
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 5
#undef BLOCK
#define BLOCK 32
#undef UNROLL
#define UNROLL 8
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_cg
#ifdef VECTOR_ADD_OFFSET_WRITE_CONFIGURATION
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_write_4
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_write_4_vector_add_offset_write_reference
#undef vector_add_offset
#define vector_add_offset vector_add_offset_write_4_vector_add_offset
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_write_4_vector_add_offset_reference
#undef VECTOR_ADD_OFFSET_WRITE_ENTRY
#define VECTOR_ADD_OFFSET_WRITE_ENTRY extern "C" const void *const vector_add_offset_write_4_kernels[1]; \
	const void *const vector_add_offset_write_4_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset_write) }
#endif
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 6
#undef BLOCK
#define BLOCK 32
#undef UNROLL
#define UNROLL 8
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef VECTOR_ADD_OFFSET_WRITE_CONFIGURATION
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_write_5
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_write_5_vector_add_offset_write_reference
#undef vector_add_offset
#define vector_add_offset vector_add_offset_write_5_vector_add_offset
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_write_5_vector_add_offset_reference
#undef VECTOR_ADD_OFFSET_WRITE_ENTRY
#define VECTOR_ADD_OFFSET_WRITE_ENTRY extern "C" const void *const vector_add_offset_write_5_kernels[1]; \
	const void *const vector_add_offset_write_5_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset_write) }
#endif
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 7
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 4
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef VECTOR_ADD_OFFSET_WRITE_CONFIGURATION
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_write_6
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_write_6_vector_add_offset_write_reference
#undef vector_add_offset
#define vector_add_offset vector_add_offset_write_6_vector_add_offset
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_write_6_vector_add_offset_reference
#undef VECTOR_ADD_OFFSET_WRITE_ENTRY
#define VECTOR_ADD_OFFSET_WRITE_ENTRY extern "C" const void *const vector_add_offset_write_6_kernels[1]; \
	const void *const vector_add_offset_write_6_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset_write) }
#endif
#elif VECTOR_ADD_OFFSET_WRITE_SELECTED == 8
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 1
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef VECTOR_ADD_OFFSET_WRITE_CONFIGURATION
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_write_7
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_write_7_vector_add_offset_write_reference
#undef vector_add_offset
#define vector_add_offset vector_add_offset_write_7_vector_add_offset
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_write_7_vector_add_offset_reference
#undef VECTOR_ADD_OFFSET_WRITE_ENTRY
#define VECTOR_ADD_OFFSET_WRITE_ENTRY extern "C" const void *const vector_add_offset_write_7_kernels[1]; \
	const void *const vector_add_offset_write_7_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset_write) }
#endif
#else
#error "VECTOR_ADD_OFFSET_WRITE_BARE: say of which configuration, with VECTOR_ADD_OFFSET_WRITE_CONFIGURATION, or with VECTOR_ADD_OFFSET_WRITE_DEVICE and VECTOR_ADD_OFFSET_WRITE_PROBLEM"
#endif
#endif
