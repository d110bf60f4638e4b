/*
 * vector_add_offset: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     47b681cad90076c7fe1f2ceb499e5e32 vector_add_offset.cfg
 *   template  f563a12fd721b33042f04c45e48aa19d vector_add_offset.cu
 *   contents  e7035c6f8852aded67cd4248d2c9695b
 */
/*
 * vector_add_offset: 7 configurations, baselines included. The fastest correct ones are, for
 *
 * offset_0 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 0
 *   configuration  0: BLOCK=128 UNROLL=2 USE_LDG=false L1=cg
 *   time           257.41 us (95 % interval 256.99 to 257.82)
 *   speed-up       1.132 over the baseline (95 % interval 1.118 to 1.146)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:24Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a987c33b7fbd342ba57189d010d4a523
 *
 * offset_1 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 1
 *   configuration  1: BLOCK=128 UNROLL=2 USE_LDG=false L1=ca
 *   time           258.35 us (95 % interval 258.07 to 258.63)
 *   speed-up       1.142 over the baseline (95 % interval 1.132 to 1.152)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:25Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3e461638b23f257884ecd34317ec60e6
 *
 * offset_11 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 11
 *   configuration  1: BLOCK=128 UNROLL=2 USE_LDG=false L1=ca
 *   time           258.27 us (95 % interval 257.94 to 258.6)
 *   speed-up       1.159 over the baseline (95 % interval 1.13 to 1.189)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:27Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    350c52247f105ae41d79a64f791256bb
 *
 * offset_32 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 32
 *   configuration  1: BLOCK=128 UNROLL=2 USE_LDG=false L1=ca
 *   time           258.15 us (95 % interval 257.8 to 258.5)
 *   speed-up       1.132 over the baseline (95 % interval 1.13 to 1.134)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:29Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b2046c93a89243154e10f5e5b63a9c76
 *
 * offset_128 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 128
 *   configuration  0: BLOCK=128 UNROLL=2 USE_LDG=false L1=cg
 *   time           257.36 us (95 % interval 256.97 to 257.74)
 *   speed-up       1.129 over the baseline (95 % interval 1.126 to 1.132)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:31Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    275e32ef6c0d1592c8c649943aab93b9
 *
 * offset_0 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 0
 *   configuration  2: BLOCK=128 UNROLL=4 USE_LDG=false L1=cg
 *   time           183.69 us (95 % interval 183.39 to 184)
 *   speed-up       1.27 over the baseline (95 % interval 1.267 to 1.272)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:03Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a987c33b53670881fee1d9be7f9a195d
 *
 * offset_1 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 1
 *   configuration  3: BLOCK=256 UNROLL=4 USE_LDG=false L1=plain
 *   time           184.14 us (95 % interval 183.87 to 184.41)
 *   speed-up       1.297 over the baseline (95 % interval 1.293 to 1.301)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:06Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3e461638b2f0d00e743fb04af51334a2
 *
 * offset_11 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 11
 *   configuration  4: BLOCK=256 UNROLL=4 USE_LDG=false L1=ca
 *   time           184.38 us (95 % interval 184.14 to 184.63)
 *   speed-up       1.296 over the baseline (95 % interval 1.29 to 1.301)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:10Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    350c5224ad06fef72363f01e7cb5fb94
 *
 * offset_32 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 32
 *   configuration  5: BLOCK=32 UNROLL=8 USE_LDG=false L1=cg
 *   time           184.37 us (95 % interval 184.04 to 184.7)
 *   speed-up       1.28 over the baseline (95 % interval 1.275 to 1.286)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:13Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b2046c93a184f51e7d2c43d8be294652
 *
 * offset_128 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 128
 *   configuration  3: BLOCK=256 UNROLL=4 USE_LDG=false L1=plain
 *   time           183.34 us (95 % interval 183.09 to 183.58)
 *   speed-up       1.28 over the baseline (95 % interval 1.272 to 1.289)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:17Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    275e32ef26c1d62ceea6cdef74c2e93a
 *
 * To choose a configuration when the program runs: vector_add_offset_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * vector_add_offset_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of VECTOR_ADD_OFFSET_CONFIGURATIONS in a translation unit of its own:
 * define VECTOR_ADD_OFFSET_CONFIGURATION as n, define VECTOR_ADD_OFFSET_BARE, include this header, then
 * the template. Its kernel is called vector_add_offset_n there. Give the compiler
 * VECTOR_ADD_OFFSET_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names VECTOR_ADD_OFFSET_... without a
 * number belong to one configuration. Define VECTOR_ADD_OFFSET_CONFIGURATION, or
 * VECTOR_ADD_OFFSET_DEVICE and VECTOR_ADD_OFFSET_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. VECTOR_ADD_OFFSET_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_VECTOR_ADD_OFFSET_H
#define AUTOTUNE_VECTOR_ADD_OFFSET_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_VECTOR_ADD_OFFSET_CONTENTS 0x2cbed1ef0a5af333ULL

/* the values that VECTOR_ADD_OFFSET_CONFIGURATION, VECTOR_ADD_OFFSET_DEVICE and VECTOR_ADD_OFFSET_PROBLEM may have */
#define VECTOR_ADD_OFFSET_CONFIGURATION_0 1
#define VECTOR_ADD_OFFSET_CONFIGURATION_1 2
#define VECTOR_ADD_OFFSET_CONFIGURATION_2 3
#define VECTOR_ADD_OFFSET_CONFIGURATION_3 4
#define VECTOR_ADD_OFFSET_CONFIGURATION_4 5
#define VECTOR_ADD_OFFSET_CONFIGURATION_5 6
#define VECTOR_ADD_OFFSET_CONFIGURATION_6 7
#define VECTOR_ADD_OFFSET_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define VECTOR_ADD_OFFSET_DEVICE_NVIDIA_H200 2
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_0 1
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_1 2
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_11 3
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_32 4
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_128 5

/* X(number, kernel) for every configuration */
#define VECTOR_ADD_OFFSET_CONFIGURATION_COUNT 7
#define VECTOR_ADD_OFFSET_CONFIGURATIONS(X) \
	X(0, vector_add_offset_0) \
	X(1, vector_add_offset_1) \
	X(2, vector_add_offset_2) \
	X(3, vector_add_offset_3) \
	X(4, vector_add_offset_4) \
	X(5, vector_add_offset_5) \
	X(6, vector_add_offset_6)
#define VECTOR_ADD_OFFSET_DEVICE_COUNT 2
#define VECTOR_ADD_OFFSET_L1_plain 1
#define VECTOR_ADD_OFFSET_L1_ca 2
#define VECTOR_ADD_OFFSET_L1_cg 3

#define VECTOR_ADD_OFFSET_0_BLOCK 128
#define VECTOR_ADD_OFFSET_0_UNROLL 2
#define VECTOR_ADD_OFFSET_0_USE_LDG 0
#define VECTOR_ADD_OFFSET_0_L1 3
#define VECTOR_ADD_OFFSET_0_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_0_NUMBER 0
#define VECTOR_ADD_OFFSET_0_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_0_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_0_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_0_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_0_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_1_BLOCK 128
#define VECTOR_ADD_OFFSET_1_UNROLL 2
#define VECTOR_ADD_OFFSET_1_USE_LDG 0
#define VECTOR_ADD_OFFSET_1_L1 2
#define VECTOR_ADD_OFFSET_1_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_1_NUMBER 1
#define VECTOR_ADD_OFFSET_1_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_1_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_1_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_1_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_1_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_2_BLOCK 128
#define VECTOR_ADD_OFFSET_2_UNROLL 4
#define VECTOR_ADD_OFFSET_2_USE_LDG 0
#define VECTOR_ADD_OFFSET_2_L1 3
#define VECTOR_ADD_OFFSET_2_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_2_NUMBER 2
#define VECTOR_ADD_OFFSET_2_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_2_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_2_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_2_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_2_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_3_BLOCK 256
#define VECTOR_ADD_OFFSET_3_UNROLL 4
#define VECTOR_ADD_OFFSET_3_USE_LDG 0
#define VECTOR_ADD_OFFSET_3_L1 1
#define VECTOR_ADD_OFFSET_3_L1_NAME "plain"
#define VECTOR_ADD_OFFSET_3_NUMBER 3
#define VECTOR_ADD_OFFSET_3_OPTIONS ""
#define VECTOR_ADD_OFFSET_3_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_3_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_3_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_3_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_4_BLOCK 256
#define VECTOR_ADD_OFFSET_4_UNROLL 4
#define VECTOR_ADD_OFFSET_4_USE_LDG 0
#define VECTOR_ADD_OFFSET_4_L1 2
#define VECTOR_ADD_OFFSET_4_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_4_NUMBER 4
#define VECTOR_ADD_OFFSET_4_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_4_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_4_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_4_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_4_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_5_BLOCK 32
#define VECTOR_ADD_OFFSET_5_UNROLL 8
#define VECTOR_ADD_OFFSET_5_USE_LDG 0
#define VECTOR_ADD_OFFSET_5_L1 3
#define VECTOR_ADD_OFFSET_5_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_5_NUMBER 5
#define VECTOR_ADD_OFFSET_5_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_5_BLOCK_DIM_X 32
#define VECTOR_ADD_OFFSET_5_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_5_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_5_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_6_BLOCK 256
#define VECTOR_ADD_OFFSET_6_UNROLL 1
#define VECTOR_ADD_OFFSET_6_USE_LDG 0
#define VECTOR_ADD_OFFSET_6_L1 1
#define VECTOR_ADD_OFFSET_6_L1_NAME "plain"
#define VECTOR_ADD_OFFSET_6_NUMBER 6
#define VECTOR_ADD_OFFSET_6_OPTIONS ""
#define VECTOR_ADD_OFFSET_6_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_6_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_6_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_6_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_CONFIGURATION 0
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_TIME_NS 257407.230711431
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_TIME_LOW_NS 256990.350582976
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_TIME_HIGH_NS 257824.787087229
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_SPEEDUP 1.1320705265659
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_SPEEDUP_LOW 1.11822457168874
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_SPEEDUP_HIGH 1.14608792327264

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_CONFIGURATION 1
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_TIME_NS 258348.981751518
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_TIME_LOW_NS 258066.933356151
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_TIME_HIGH_NS 258631.338405274
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_SPEEDUP 1.14165409044902
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_SPEEDUP_LOW 1.13157198314955
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_SPEEDUP_HIGH 1.15182602755085

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_CONFIGURATION 1
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_TIME_NS 258268.85235003
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_TIME_LOW_NS 257937.837892909
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_TIME_HIGH_NS 258600.291601635
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_SPEEDUP 1.15934040931967
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_SPEEDUP_LOW 1.13022545970919
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_SPEEDUP_HIGH 1.18920536883618

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_CONFIGURATION 1
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_TIME_NS 258151.453765789
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_TIME_LOW_NS 257799.894963899
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_TIME_HIGH_NS 258503.491984443
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_SPEEDUP 1.13221727970488
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_SPEEDUP_LOW 1.13015464939657
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_SPEEDUP_HIGH 1.13428367449249

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_CONFIGURATION 0
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_TIME_NS 257356.683524579
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_TIME_LOW_NS 256973.019909601
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_TIME_HIGH_NS 257740.91995366
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_SPEEDUP 1.12865479924397
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_SPEEDUP_LOW 1.12573298091897
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_SPEEDUP_HIGH 1.1315842010923

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_CONFIGURATION 2
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_TIME_NS 183693.789661762
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_TIME_LOW_NS 183385.967154471
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_TIME_HIGH_NS 184002.128864509
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_SPEEDUP 1.26966083177382
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_SPEEDUP_LOW 1.26692278784514
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_SPEEDUP_HIGH 1.27240479309906

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_CONFIGURATION 3
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_TIME_NS 184138.216534033
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_TIME_LOW_NS 183868.142712746
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_TIME_HIGH_NS 184408.687051929
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_SPEEDUP 1.29707719895025
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_SPEEDUP_LOW 1.29300529962384
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_SPEEDUP_HIGH 1.30116192139822

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_CONFIGURATION 4
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_TIME_NS 184383.875861828
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_TIME_LOW_NS 184137.295178713
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_TIME_HIGH_NS 184630.786744391
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_SPEEDUP 1.29558115899696
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_SPEEDUP_LOW 1.29016469772309
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_SPEEDUP_HIGH 1.30102036004412

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_CONFIGURATION 5
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_TIME_NS 184373.115065627
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_TIME_LOW_NS 184042.565875714
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_TIME_HIGH_NS 184704.257937586
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_SPEEDUP 1.28036612482862
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_SPEEDUP_LOW 1.27463944167588
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_SPEEDUP_HIGH 1.28611853674737

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_CONFIGURATION 3
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_TIME_NS 183336.458407305
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_TIME_LOW_NS 183092.474441298
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_TIME_HIGH_NS 183580.767499594
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_SPEEDUP 1.28013541358187
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_SPEEDUP_LOW 1.27168369232742
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_SPEEDUP_HIGH 1.28864330571638

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *vector_add_offset_device(int index)
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
static inline struct autotune_device vector_add_offset_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, vector_add_offset_device(i)))
			autotune_fill(&complete, vector_add_offset_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch vector_add_offset_launch(
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
		amounts[0] = autotune_ceil_div(size_N, 512LL, &bad);
		amounts[3] = 128LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 4:
		amounts[0] = autotune_ceil_div(size_N, 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 5:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 32LL;
		break;
	case 6:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int vector_add_offset_fits(
	int configuration, const struct autotune_device *given, long long size_N, long long size_OFFSET)
{
	const struct autotune_device complete = vector_add_offset_complete(given);
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
		registers = 20;
		break;
	case 3:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 4:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 5:
		/* BLOCK <= device.max_threads_per_block */
		if (!(32LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 37;
		break;
	case 6:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 10;
		break;
	default:
		break;
	}
	launch = vector_add_offset_launch(configuration, given, size_N, size_OFFSET);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice vector_add_offset_choose(
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
		{ 1, 0, 2, 0 }, /* offset_11 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 3, 0 }, /* offset_32 on NVIDIA H100 80GB HBM3 */
		{ 0, 0, 4, 0 }, /* offset_128 on NVIDIA H100 80GB HBM3 */
		{ 2, 1, 0, 0 }, /* offset_0 on NVIDIA H200 */
		{ 3, 1, 1, 0 }, /* offset_1 on NVIDIA H200 */
		{ 4, 1, 2, 0 }, /* offset_11 on NVIDIA H200 */
		{ 5, 1, 3, 0 }, /* offset_32 on NVIDIA H200 */
		{ 3, 1, 4, 0 }, /* offset_128 on NVIDIA H200 */
		{ 6, 0, 0, 1 }, /* offset_0 on NVIDIA H100 80GB HBM3 */
		{ 6, 0, 1, 1 }, /* offset_1 on NVIDIA H100 80GB HBM3 */
		{ 6, 0, 2, 1 }, /* offset_11 on NVIDIA H100 80GB HBM3 */
		{ 6, 0, 3, 1 }, /* offset_32 on NVIDIA H100 80GB HBM3 */
		{ 6, 0, 4, 1 }, /* offset_128 on NVIDIA H100 80GB HBM3 */
		{ 6, 1, 0, 1 }, /* offset_0 on NVIDIA H200 */
		{ 6, 1, 1, 1 }, /* offset_1 on NVIDIA H200 */
		{ 6, 1, 2, 1 }, /* offset_11 on NVIDIA H200 */
		{ 6, 1, 3, 1 }, /* offset_32 on NVIDIA H200 */
		{ 6, 1, 4, 1 }, /* offset_128 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_OFFSET) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N; (void)size_OFFSET;
	for (i = 0; device && i < 20; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			vector_add_offset_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			vector_add_offset_fits(entries[i][0], device, size_N, size_OFFSET)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[256];

		snprintf(text, sizeof(text), "\"N\": %lld, \"OFFSET\": %lld", size_N, size_OFFSET);
		autotune_note(file, "vector_add_offset", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   vector_add_offset_run(&device, stream, N, OFFSET, a, b, c)
 *
 *   a              const float *
 *   b              const float *
 *   c              float *
 *   n              computed: N
 *   offset         computed: OFFSET
 *
 * vector_add_offset_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line VECTOR_ADD_OFFSET_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. vector_add_offset_run_by() launches with
 * functions of its caller.
 */
#define VECTOR_ADD_OFFSET_RUN_PARAMETERS \
	, long long size_N, long long size_OFFSET, const float *argument_a, const float *argument_b, float *argument_c
#define VECTOR_ADD_OFFSET_RUN_ARGUMENTS \
	, size_N, size_OFFSET, argument_a, argument_b, argument_c

static inline int vector_add_offset_run_by(struct autotune_runner *runner,
	const struct autotune_device *given VECTOR_ADD_OFFSET_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? vector_add_offset_choose(given, size_N, size_OFFSET).configuration : runner->configuration;
	int bad = 0;
	long long value_n = 0;
	long long argument_n = 0;
	long long value_offset = 0;
	int argument_offset = 0;
	int error;

	if (!given || configuration < 0 || !vector_add_offset_fits(configuration, given, size_N, size_OFFSET))
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
	/* vector_add_offset */
	if (!error) {
		void *arguments[] = { &argument_a, &argument_b, &argument_c, &argument_n, &argument_offset };
		const struct autotune_launch launch =
			vector_add_offset_launch(configuration, given, size_N, size_OFFSET);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_VECTOR_ADD_OFFSET_RUN)
#define AUTOTUNE_VECTOR_ADD_OFFSET_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const vector_add_offset_0_kernels[1];
extern const void *const vector_add_offset_1_kernels[1];
extern const void *const vector_add_offset_2_kernels[1];
extern const void *const vector_add_offset_3_kernels[1];
extern const void *const vector_add_offset_4_kernels[1];
extern const void *const vector_add_offset_5_kernels[1];
extern const void *const vector_add_offset_6_kernels[1];
#ifdef __cplusplus
}
#endif

/* As vector_add_offset_run(), with a configuration that was chosen before. */
static inline cudaError_t vector_add_offset_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream VECTOR_ADD_OFFSET_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { vector_add_offset_0_kernels, vector_add_offset_1_kernels, vector_add_offset_2_kernels, vector_add_offset_3_kernels, vector_add_offset_4_kernels, vector_add_offset_5_kernels, vector_add_offset_6_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		vector_add_offset_run_by(&runner, device VECTOR_ADD_OFFSET_RUN_ARGUMENTS));
}

static inline cudaError_t vector_add_offset_run(
	const struct autotune_device *device, cudaStream_t stream VECTOR_ADD_OFFSET_RUN_PARAMETERS)
{
	return vector_add_offset_run_configuration(
		AUTOTUNE_CHOOSE, device, stream VECTOR_ADD_OFFSET_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef VECTOR_ADD_OFFSET_SELECTED_DEVICE
#ifdef VECTOR_ADD_OFFSET_DEVICE
#define VECTOR_ADD_OFFSET_SELECTED_DEVICE AUTOTUNE_PASTE(VECTOR_ADD_OFFSET_DEVICE_, VECTOR_ADD_OFFSET_DEVICE)
#if !(VECTOR_ADD_OFFSET_SELECTED_DEVICE > 0)
#error "VECTOR_ADD_OFFSET_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define VECTOR_ADD_OFFSET_SELECTED_DEVICE 0
#endif
#undef VECTOR_ADD_OFFSET_SELECTED_PROBLEM
#ifdef VECTOR_ADD_OFFSET_PROBLEM
#define VECTOR_ADD_OFFSET_SELECTED_PROBLEM AUTOTUNE_PASTE(VECTOR_ADD_OFFSET_PROBLEM_, VECTOR_ADD_OFFSET_PROBLEM)
#if !(VECTOR_ADD_OFFSET_SELECTED_PROBLEM > 0)
#error "VECTOR_ADD_OFFSET_PROBLEM is not one of: OFFSET_0, OFFSET_1, OFFSET_11, OFFSET_32, OFFSET_128"
#endif
#else
#define VECTOR_ADD_OFFSET_SELECTED_PROBLEM 0
#endif
#undef VECTOR_ADD_OFFSET_SELECTED
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#define VECTOR_ADD_OFFSET_SELECTED AUTOTUNE_PASTE(VECTOR_ADD_OFFSET_CONFIGURATION_, VECTOR_ADD_OFFSET_CONFIGURATION)
#if !(VECTOR_ADD_OFFSET_SELECTED > 0)
#error "VECTOR_ADD_OFFSET_CONFIGURATION is no number from 0 to 6"
#endif
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 1
#define VECTOR_ADD_OFFSET_SELECTED 1
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 2
#define VECTOR_ADD_OFFSET_SELECTED 2
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 3
#define VECTOR_ADD_OFFSET_SELECTED 2
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 4
#define VECTOR_ADD_OFFSET_SELECTED 2
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 5
#define VECTOR_ADD_OFFSET_SELECTED 1
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 1
#define VECTOR_ADD_OFFSET_SELECTED 3
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 2
#define VECTOR_ADD_OFFSET_SELECTED 4
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 3
#define VECTOR_ADD_OFFSET_SELECTED 5
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 4
#define VECTOR_ADD_OFFSET_SELECTED 6
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 5
#define VECTOR_ADD_OFFSET_SELECTED 4
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE > 0 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM > 0
#error "VECTOR_ADD_OFFSET_PROBLEM was not measured on VECTOR_ADD_OFFSET_DEVICE; there are: OFFSET_0 on NVIDIA_H100_80GB_HBM3, OFFSET_1 on NVIDIA_H100_80GB_HBM3, OFFSET_11 on NVIDIA_H100_80GB_HBM3, OFFSET_32 on NVIDIA_H100_80GB_HBM3, OFFSET_128 on NVIDIA_H100_80GB_HBM3, OFFSET_0 on NVIDIA_H200, OFFSET_1 on NVIDIA_H200, OFFSET_11 on NVIDIA_H200, OFFSET_32 on NVIDIA_H200, OFFSET_128 on NVIDIA_H200"
#else
#define VECTOR_ADD_OFFSET_SELECTED 0
#endif
#undef VECTOR_ADD_OFFSET_BLOCK
#undef VECTOR_ADD_OFFSET_UNROLL
#undef VECTOR_ADD_OFFSET_USE_LDG
#undef VECTOR_ADD_OFFSET_L1
#undef VECTOR_ADD_OFFSET_L1_NAME
#undef VECTOR_ADD_OFFSET_NUMBER
#undef VECTOR_ADD_OFFSET_OPTIONS
#undef VECTOR_ADD_OFFSET_BLOCK_DIM_X
#undef VECTOR_ADD_OFFSET_BLOCK_DIM_Y
#undef VECTOR_ADD_OFFSET_BLOCK_DIM_Z
#undef VECTOR_ADD_OFFSET_SHARED_BYTES
#if VECTOR_ADD_OFFSET_SELECTED == 1
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_0_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_0_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_0_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_0_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_0_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_0_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_0_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_0_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_0_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_0_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_0_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 2
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_1_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_1_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_1_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_1_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_1_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_1_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_1_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_1_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_1_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_1_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_1_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 3
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_2_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_2_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_2_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_2_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_2_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_2_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_2_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_2_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_2_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_2_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_2_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 4
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_3_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_3_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_3_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_3_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_3_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_3_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_3_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_3_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_3_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_3_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_3_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 5
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_4_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_4_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_4_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_4_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_4_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_4_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_4_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_4_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_4_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_4_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_4_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 6
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_5_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_5_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_5_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_5_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_5_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_5_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_5_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_5_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_5_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_5_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_5_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 7
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_6_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_6_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_6_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_6_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_6_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_6_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_6_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_6_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_6_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_6_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_6_SHARED_BYTES
#endif
#ifdef VECTOR_ADD_OFFSET_BARE
#if VECTOR_ADD_OFFSET_SELECTED == 1
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
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_0
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_0_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_0_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_0_vector_add_offset_write_reference
#undef VECTOR_ADD_OFFSET_ENTRY
#define VECTOR_ADD_OFFSET_ENTRY extern "C" const void *const vector_add_offset_0_kernels[1]; \
	const void *const vector_add_offset_0_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset) }
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 2
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
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_1
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_1_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_1_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_1_vector_add_offset_write_reference
#undef VECTOR_ADD_OFFSET_ENTRY
#define VECTOR_ADD_OFFSET_ENTRY extern "C" const void *const vector_add_offset_1_kernels[1]; \
	const void *const vector_add_offset_1_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset) }
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 3
#undef BLOCK
#define BLOCK 128
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
#define L1 L1_cg
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_2
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_2_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_2_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_2_vector_add_offset_write_reference
#undef VECTOR_ADD_OFFSET_ENTRY
#define VECTOR_ADD_OFFSET_ENTRY extern "C" const void *const vector_add_offset_2_kernels[1]; \
	const void *const vector_add_offset_2_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset) }
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 4
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
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_3
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_3_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_3_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_3_vector_add_offset_write_reference
#undef VECTOR_ADD_OFFSET_ENTRY
#define VECTOR_ADD_OFFSET_ENTRY extern "C" const void *const vector_add_offset_3_kernels[1]; \
	const void *const vector_add_offset_3_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset) }
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 5
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
#define L1 L1_ca
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_4
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_4_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_4_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_4_vector_add_offset_write_reference
#undef VECTOR_ADD_OFFSET_ENTRY
#define VECTOR_ADD_OFFSET_ENTRY extern "C" const void *const vector_add_offset_4_kernels[1]; \
	const void *const vector_add_offset_4_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset) }
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 6
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
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_5
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_5_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_5_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_5_vector_add_offset_write_reference
#undef VECTOR_ADD_OFFSET_ENTRY
#define VECTOR_ADD_OFFSET_ENTRY extern "C" const void *const vector_add_offset_5_kernels[1]; \
	const void *const vector_add_offset_5_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset) }
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 7
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
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_6
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_6_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_6_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_6_vector_add_offset_write_reference
#undef VECTOR_ADD_OFFSET_ENTRY
#define VECTOR_ADD_OFFSET_ENTRY extern "C" const void *const vector_add_offset_6_kernels[1]; \
	const void *const vector_add_offset_6_kernels[1] = { reinterpret_cast<const void *>(&vector_add_offset) }
#endif
#else
#error "VECTOR_ADD_OFFSET_BARE: say of which configuration, with VECTOR_ADD_OFFSET_CONFIGURATION, or with VECTOR_ADD_OFFSET_DEVICE and VECTOR_ADD_OFFSET_PROBLEM"
#endif
#endif
