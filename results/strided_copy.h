/*
 * strided_copy: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     3a8e2bb27a40161d1cff2f79fd3baadf strided_copy.cfg
 *   template  326bcb3ad06d530602ebb0e216c16fcd strided_copy.cu
 *   contents  782f12fb0f729f06ac23aff7a103ec2b
 */
/*
 * strided_copy: 8 configurations, baselines included. The fastest correct ones are, for
 *
 * stride_2 on NVIDIA H100 80GB HBM3 (sm_90): N = 33554432, STRIDE = 2
 *   configuration  0: ORDER=strided BLOCK=128 UNROLL=1 PAD=0 L1=ca
 *   time           186.35 us (95 % interval 186.02 to 186.69)
 *   speed-up       1.009 over the baseline (95 % interval 1.007 to 1.011)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:53Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3e8cf4a93f57f08095ced2c58adda3d6
 *
 * stride_3 on NVIDIA H100 80GB HBM3 (sm_90): N = 22369621, STRIDE = 3
 *   configuration  1: ORDER=strided BLOCK=256 UNROLL=2 PAD=0 L1=ca
 *   time           183.32 us (95 % interval 183 to 183.65)
 *   speed-up       1.004 over the baseline (95 % interval 1.002 to 1.006)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:55Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    4c5508cb294515d58fa6a75ce11e3890
 *
 * stride_8 on NVIDIA H100 80GB HBM3 (sm_90): N = 8388608, STRIDE = 8
 *   configuration  2: ORDER=staged BLOCK=64 UNROLL=4 PAD=1 L1=plain
 *   time           178.58 us (95 % interval 178.42 to 178.74)
 *   speed-up       1.046 over the baseline (95 % interval 1.043 to 1.05)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:57Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b1bd2e8c269704a130d28f1ea1ee07f7
 *
 * stride_32 on NVIDIA H100 80GB HBM3 (sm_90): N = 2097152, STRIDE = 32
 *   configuration  3: ORDER=staged BLOCK=64 UNROLL=4 PAD=1 L1=cg
 *   time           186.47 us (95 % interval 186.28 to 186.66)
 *   speed-up       2.841 over the baseline (95 % interval 2.527 to 3.194)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    2610b2b1ad4209027ff84483a7b3e48f
 *
 * stride_2 on NVIDIA H200 (sm_90): N = 33554432, STRIDE = 2
 *   configuration  4: ORDER=strided BLOCK=256 UNROLL=1 PAD=0 L1=plain
 *   time           144.25 us (95 % interval 143.97 to 144.54)
 *   speed-up       none: the baseline is the winner
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:14Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3e8cf4a9d0cc69d552e935976952164e
 *
 * stride_3 on NVIDIA H200 (sm_90): N = 22369621, STRIDE = 3
 *   configuration  5: ORDER=strided BLOCK=128 UNROLL=2 PAD=0 L1=ca
 *   time           137.68 us (95 % interval 137.43 to 137.93)
 *   speed-up       1.014 over the baseline (95 % interval 1.011 to 1.018)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:17Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    4c5508cb8588079c5754dd7af7784a28
 *
 * stride_8 on NVIDIA H200 (sm_90): N = 8388608, STRIDE = 8
 *   configuration  6: ORDER=staged BLOCK=64 UNROLL=8 PAD=1 L1=plain
 *   time           129.84 us (95 % interval 129.62 to 130.07)
 *   speed-up       1.064 over the baseline (95 % interval 1.06 to 1.068)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:22Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b1bd2e8ceee980d7be0c7795c9ff8b75
 *
 * stride_32 on NVIDIA H200 (sm_90): N = 2097152, STRIDE = 32
 *   configuration  7: ORDER=staged BLOCK=128 UNROLL=4 PAD=1 L1=cg
 *   time           137.08 us (95 % interval 136.61 to 137.54)
 *   speed-up       2.3 over the baseline (95 % interval 2.292 to 2.308)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:26Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    2610b2b1c43c47b6cdffaf3d6e7e552d
 *
 * To choose a configuration when the program runs: strided_copy_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * strided_copy_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of STRIDED_COPY_CONFIGURATIONS in a translation unit of its own:
 * define STRIDED_COPY_CONFIGURATION as n, define STRIDED_COPY_BARE, include this header, then
 * the template. Its kernel is called strided_copy_n there. Give the compiler
 * STRIDED_COPY_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names STRIDED_COPY_... without a
 * number belong to one configuration. Define STRIDED_COPY_CONFIGURATION, or
 * STRIDED_COPY_DEVICE and STRIDED_COPY_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. STRIDED_COPY_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_STRIDED_COPY_H
#define AUTOTUNE_STRIDED_COPY_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_STRIDED_COPY_CONTENTS 0xb6ae0ce3526cf0bbULL

/* the values that STRIDED_COPY_CONFIGURATION, STRIDED_COPY_DEVICE and STRIDED_COPY_PROBLEM may have */
#define STRIDED_COPY_CONFIGURATION_0 1
#define STRIDED_COPY_CONFIGURATION_1 2
#define STRIDED_COPY_CONFIGURATION_2 3
#define STRIDED_COPY_CONFIGURATION_3 4
#define STRIDED_COPY_CONFIGURATION_4 5
#define STRIDED_COPY_CONFIGURATION_5 6
#define STRIDED_COPY_CONFIGURATION_6 7
#define STRIDED_COPY_CONFIGURATION_7 8
#define STRIDED_COPY_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define STRIDED_COPY_DEVICE_NVIDIA_H200 2
#define STRIDED_COPY_PROBLEM_STRIDE_2 1
#define STRIDED_COPY_PROBLEM_STRIDE_3 2
#define STRIDED_COPY_PROBLEM_STRIDE_8 3
#define STRIDED_COPY_PROBLEM_STRIDE_32 4

/* X(number, kernel) for every configuration */
#define STRIDED_COPY_CONFIGURATION_COUNT 8
#define STRIDED_COPY_CONFIGURATIONS(X) \
	X(0, strided_copy_0) \
	X(1, strided_copy_1) \
	X(2, strided_copy_2) \
	X(3, strided_copy_3) \
	X(4, strided_copy_4) \
	X(5, strided_copy_5) \
	X(6, strided_copy_6) \
	X(7, strided_copy_7)
#define STRIDED_COPY_DEVICE_COUNT 2
#define STRIDED_COPY_ORDER_coalesced 1
#define STRIDED_COPY_ORDER_strided 2
#define STRIDED_COPY_ORDER_staged 3
#define STRIDED_COPY_L1_plain 1
#define STRIDED_COPY_L1_ca 2
#define STRIDED_COPY_L1_cg 3

#define STRIDED_COPY_0_ORDER 2
#define STRIDED_COPY_0_ORDER_NAME "strided"
#define STRIDED_COPY_0_BLOCK 128
#define STRIDED_COPY_0_UNROLL 1
#define STRIDED_COPY_0_PAD 0
#define STRIDED_COPY_0_L1 2
#define STRIDED_COPY_0_L1_NAME "ca"
#define STRIDED_COPY_0_NUMBER 0
#define STRIDED_COPY_0_OPTIONS "--ptxas-options=-dlcm=ca"
#define STRIDED_COPY_0_BLOCK_DIM_X 128
#define STRIDED_COPY_0_BLOCK_DIM_Y 1
#define STRIDED_COPY_0_BLOCK_DIM_Z 1
#define STRIDED_COPY_0_SHARED_BYTES 0

#define STRIDED_COPY_1_ORDER 2
#define STRIDED_COPY_1_ORDER_NAME "strided"
#define STRIDED_COPY_1_BLOCK 256
#define STRIDED_COPY_1_UNROLL 2
#define STRIDED_COPY_1_PAD 0
#define STRIDED_COPY_1_L1 2
#define STRIDED_COPY_1_L1_NAME "ca"
#define STRIDED_COPY_1_NUMBER 1
#define STRIDED_COPY_1_OPTIONS "--ptxas-options=-dlcm=ca"
#define STRIDED_COPY_1_BLOCK_DIM_X 256
#define STRIDED_COPY_1_BLOCK_DIM_Y 1
#define STRIDED_COPY_1_BLOCK_DIM_Z 1
#define STRIDED_COPY_1_SHARED_BYTES 0

#define STRIDED_COPY_2_ORDER 3
#define STRIDED_COPY_2_ORDER_NAME "staged"
#define STRIDED_COPY_2_BLOCK 64
#define STRIDED_COPY_2_UNROLL 4
#define STRIDED_COPY_2_PAD 1
#define STRIDED_COPY_2_L1 1
#define STRIDED_COPY_2_L1_NAME "plain"
#define STRIDED_COPY_2_NUMBER 2
#define STRIDED_COPY_2_OPTIONS ""
#define STRIDED_COPY_2_BLOCK_DIM_X 64
#define STRIDED_COPY_2_BLOCK_DIM_Y 1
#define STRIDED_COPY_2_BLOCK_DIM_Z 1

#define STRIDED_COPY_3_ORDER 3
#define STRIDED_COPY_3_ORDER_NAME "staged"
#define STRIDED_COPY_3_BLOCK 64
#define STRIDED_COPY_3_UNROLL 4
#define STRIDED_COPY_3_PAD 1
#define STRIDED_COPY_3_L1 3
#define STRIDED_COPY_3_L1_NAME "cg"
#define STRIDED_COPY_3_NUMBER 3
#define STRIDED_COPY_3_OPTIONS "--ptxas-options=-dlcm=cg"
#define STRIDED_COPY_3_BLOCK_DIM_X 64
#define STRIDED_COPY_3_BLOCK_DIM_Y 1
#define STRIDED_COPY_3_BLOCK_DIM_Z 1

#define STRIDED_COPY_4_ORDER 2
#define STRIDED_COPY_4_ORDER_NAME "strided"
#define STRIDED_COPY_4_BLOCK 256
#define STRIDED_COPY_4_UNROLL 1
#define STRIDED_COPY_4_PAD 0
#define STRIDED_COPY_4_L1 1
#define STRIDED_COPY_4_L1_NAME "plain"
#define STRIDED_COPY_4_NUMBER 4
#define STRIDED_COPY_4_OPTIONS ""
#define STRIDED_COPY_4_BLOCK_DIM_X 256
#define STRIDED_COPY_4_BLOCK_DIM_Y 1
#define STRIDED_COPY_4_BLOCK_DIM_Z 1
#define STRIDED_COPY_4_SHARED_BYTES 0

#define STRIDED_COPY_5_ORDER 2
#define STRIDED_COPY_5_ORDER_NAME "strided"
#define STRIDED_COPY_5_BLOCK 128
#define STRIDED_COPY_5_UNROLL 2
#define STRIDED_COPY_5_PAD 0
#define STRIDED_COPY_5_L1 2
#define STRIDED_COPY_5_L1_NAME "ca"
#define STRIDED_COPY_5_NUMBER 5
#define STRIDED_COPY_5_OPTIONS "--ptxas-options=-dlcm=ca"
#define STRIDED_COPY_5_BLOCK_DIM_X 128
#define STRIDED_COPY_5_BLOCK_DIM_Y 1
#define STRIDED_COPY_5_BLOCK_DIM_Z 1
#define STRIDED_COPY_5_SHARED_BYTES 0

#define STRIDED_COPY_6_ORDER 3
#define STRIDED_COPY_6_ORDER_NAME "staged"
#define STRIDED_COPY_6_BLOCK 64
#define STRIDED_COPY_6_UNROLL 8
#define STRIDED_COPY_6_PAD 1
#define STRIDED_COPY_6_L1 1
#define STRIDED_COPY_6_L1_NAME "plain"
#define STRIDED_COPY_6_NUMBER 6
#define STRIDED_COPY_6_OPTIONS ""
#define STRIDED_COPY_6_BLOCK_DIM_X 64
#define STRIDED_COPY_6_BLOCK_DIM_Y 1
#define STRIDED_COPY_6_BLOCK_DIM_Z 1

#define STRIDED_COPY_7_ORDER 3
#define STRIDED_COPY_7_ORDER_NAME "staged"
#define STRIDED_COPY_7_BLOCK 128
#define STRIDED_COPY_7_UNROLL 4
#define STRIDED_COPY_7_PAD 1
#define STRIDED_COPY_7_L1 3
#define STRIDED_COPY_7_L1_NAME "cg"
#define STRIDED_COPY_7_NUMBER 7
#define STRIDED_COPY_7_OPTIONS "--ptxas-options=-dlcm=cg"
#define STRIDED_COPY_7_BLOCK_DIM_X 128
#define STRIDED_COPY_7_BLOCK_DIM_Y 1
#define STRIDED_COPY_7_BLOCK_DIM_Z 1

#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_CONFIGURATION 0
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_TIME_NS 186353.972983972
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_TIME_LOW_NS 186016.379786998
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_TIME_HIGH_NS 186692.178864446
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_SPEEDUP 1.00910445332959
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_SPEEDUP_LOW 1.00724772444144
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_SPEEDUP_HIGH 1.01096460485358

#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_CONFIGURATION 1
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_TIME_NS 183324.699582525
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_TIME_LOW_NS 183004.776408816
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_TIME_HIGH_NS 183645.182035828
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_SPEEDUP 1.00410320146713
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_SPEEDUP_LOW 1.00208773347031
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_SPEEDUP_HIGH 1.00612272311226

#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_CONFIGURATION 2
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_TIME_NS 178582.294448486
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_TIME_LOW_NS 178424.8569961
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_TIME_HIGH_NS 178739.870819585
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_SPEEDUP 1.04647341002135
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_SPEEDUP_LOW 1.04343241536241
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_SPEEDUP_HIGH 1.04952326739951

#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_CONFIGURATION 3
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_TIME_NS 186469.103806715
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_TIME_LOW_NS 186275.329477251
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_TIME_HIGH_NS 186663.0797114
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_SPEEDUP 2.84096211176123
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_SPEEDUP_LOW 2.52678121795182
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_SPEEDUP_HIGH 3.19420837194805

#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_CONFIGURATION 4
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_TIME_NS 144253.119770991
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_TIME_LOW_NS 143965.610420529
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_TIME_HIGH_NS 144541.20329765
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_SPEEDUP 1.0
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_SPEEDUP_LOW 1.0
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_SPEEDUP_HIGH 1.0

#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_CONFIGURATION 5
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_TIME_NS 137678.801136637
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_TIME_LOW_NS 137431.245088016
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_TIME_HIGH_NS 137926.803110033
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_SPEEDUP 1.0142460015813
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_SPEEDUP_LOW 1.0109758465101
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_SPEEDUP_HIGH 1.01752673446622

#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_CONFIGURATION 6
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_TIME_NS 129841.602825089
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_TIME_LOW_NS 129615.145088567
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_TIME_HIGH_NS 130068.456218356
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_SPEEDUP 1.06383107327382
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_SPEEDUP_LOW 1.06015595088753
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_SPEEDUP_HIGH 1.06751893579004

#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_CONFIGURATION 7
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_TIME_NS 137075.804956294
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_TIME_LOW_NS 136613.905002529
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_TIME_HIGH_NS 137539.266622004
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_SPEEDUP 2.29988930582562
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_SPEEDUP_LOW 2.292013339398
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_SPEEDUP_HIGH 2.30779233616517

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *strided_copy_device(int index)
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
static inline struct autotune_device strided_copy_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, strided_copy_device(i)))
			autotune_fill(&complete, strided_copy_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch strided_copy_launch(
	int configuration, const struct autotune_device *given, long long size_N, long long size_STRIDE)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N; (void)size_STRIDE;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 128LL, &bad);
		amounts[3] = 128LL;
		amounts[6] = 0LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		amounts[6] = 0LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 64LL, &bad);
		amounts[3] = 64LL;
		amounts[6] = autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad);
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 64LL, &bad);
		amounts[3] = 64LL;
		amounts[6] = autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad);
		break;
	case 4:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		amounts[6] = 0LL;
		break;
	case 5:
		amounts[0] = autotune_ceil_div(size_N, 128LL, &bad);
		amounts[3] = 128LL;
		amounts[6] = 0LL;
		break;
	case 6:
		amounts[0] = autotune_ceil_div(size_N, 64LL, &bad);
		amounts[3] = 64LL;
		amounts[6] = autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad);
		break;
	case 7:
		amounts[0] = autotune_ceil_div(size_N, 128LL, &bad);
		amounts[3] = 128LL;
		amounts[6] = autotune_multiply(4LL, autotune_add(autotune_multiply(128LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(128LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad);
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int strided_copy_fits(
	int configuration, const struct autotune_device *given, long long size_N, long long size_STRIDE)
{
	const struct autotune_device complete = strided_copy_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 67108864LL))
		bad = 1;
	if (!(size_STRIDE >= 1LL && size_STRIDE <= 32LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(1LL <= size_STRIDE))
			bad = 1;
		static_bytes = 0;
		registers = 24;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(2LL <= size_STRIDE))
			bad = 1;
		static_bytes = 0;
		registers = 31;
		break;
	case 2:
		/* BLOCK <= device.max_threads_per_block */
		if (!(64LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(4LL <= size_STRIDE))
			bad = 1;
		/* ORDER != 'staged' || 4 * (BLOCK * STRIDE + BLOCK * STRIDE / 32 * PAD) <= device.max_dynamic_shared_bytes_per_block */
		if (!(autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad) <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 28;
		break;
	case 3:
		/* BLOCK <= device.max_threads_per_block */
		if (!(64LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(4LL <= size_STRIDE))
			bad = 1;
		/* ORDER != 'staged' || 4 * (BLOCK * STRIDE + BLOCK * STRIDE / 32 * PAD) <= device.max_dynamic_shared_bytes_per_block */
		if (!(autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad) <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 28;
		break;
	case 4:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(1LL <= size_STRIDE))
			bad = 1;
		static_bytes = 0;
		registers = 24;
		break;
	case 5:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(2LL <= size_STRIDE))
			bad = 1;
		static_bytes = 0;
		registers = 31;
		break;
	case 6:
		/* BLOCK <= device.max_threads_per_block */
		if (!(64LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(8LL <= size_STRIDE))
			bad = 1;
		/* ORDER != 'staged' || 4 * (BLOCK * STRIDE + BLOCK * STRIDE / 32 * PAD) <= device.max_dynamic_shared_bytes_per_block */
		if (!(autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad) <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 32;
		break;
	case 7:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(4LL <= size_STRIDE))
			bad = 1;
		/* ORDER != 'staged' || 4 * (BLOCK * STRIDE + BLOCK * STRIDE / 32 * PAD) <= device.max_dynamic_shared_bytes_per_block */
		if (!(autotune_multiply(4LL, autotune_add(autotune_multiply(128LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(128LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad) <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 28;
		break;
	default:
		break;
	}
	launch = strided_copy_launch(configuration, given, size_N, size_STRIDE);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice strided_copy_choose(
	const struct autotune_device *device, long long size_N, long long size_STRIDE)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 33554432, 2 }, /* stride_2 */
		{ 22369621, 3 }, /* stride_3 */
		{ 8388608, 8 }, /* stride_8 */
		{ 2097152, 32 }, /* stride_32 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* stride_2 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* stride_3 on NVIDIA H100 80GB HBM3 */
		{ 2, 0, 2, 0 }, /* stride_8 on NVIDIA H100 80GB HBM3 */
		{ 3, 0, 3, 0 }, /* stride_32 on NVIDIA H100 80GB HBM3 */
		{ 4, 1, 0, 0 }, /* stride_2 on NVIDIA H200 */
		{ 5, 1, 1, 0 }, /* stride_3 on NVIDIA H200 */
		{ 6, 1, 2, 0 }, /* stride_8 on NVIDIA H200 */
		{ 7, 1, 3, 0 }, /* stride_32 on NVIDIA H200 */
		{ 4, 0, 0, 1 }, /* stride_2 on NVIDIA H100 80GB HBM3 */
		{ 4, 0, 1, 1 }, /* stride_3 on NVIDIA H100 80GB HBM3 */
		{ 4, 0, 2, 1 }, /* stride_8 on NVIDIA H100 80GB HBM3 */
		{ 4, 0, 3, 1 }, /* stride_32 on NVIDIA H100 80GB HBM3 */
		{ 4, 1, 0, 1 }, /* stride_2 on NVIDIA H200 */
		{ 4, 1, 1, 1 }, /* stride_3 on NVIDIA H200 */
		{ 4, 1, 2, 1 }, /* stride_8 on NVIDIA H200 */
		{ 4, 1, 3, 1 }, /* stride_32 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_STRIDE) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N; (void)size_STRIDE;
	for (i = 0; device && i < 16; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			strided_copy_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			strided_copy_fits(entries[i][0], device, size_N, size_STRIDE)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[256];

		snprintf(text, sizeof(text), "\"N\": %lld, \"STRIDE\": %lld", size_N, size_STRIDE);
		autotune_note(file, "strided_copy", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   strided_copy_run(&device, stream, N, STRIDE, in, out)
 *
 *   in             const float *
 *   out            float *
 *   n              computed: N
 *   stride         computed: STRIDE
 *
 * strided_copy_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line STRIDED_COPY_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. strided_copy_run_by() launches with
 * functions of its caller.
 */
#define STRIDED_COPY_RUN_PARAMETERS \
	, long long size_N, long long size_STRIDE, const float *argument_in, float *argument_out
#define STRIDED_COPY_RUN_ARGUMENTS \
	, size_N, size_STRIDE, argument_in, argument_out

static inline int strided_copy_run_by(struct autotune_runner *runner,
	const struct autotune_device *given STRIDED_COPY_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? strided_copy_choose(given, size_N, size_STRIDE).configuration : runner->configuration;
	int bad = 0;
	long long value_n = 0;
	long long argument_n = 0;
	long long value_stride = 0;
	int argument_stride = 0;
	int error;

	if (!given || configuration < 0 || !strided_copy_fits(configuration, given, size_N, size_STRIDE))
		return runner->refused;
	value_n = size_N;
	value_stride = size_STRIDE;
	argument_n = AUTOTUNE_CAST(long long, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	argument_stride = AUTOTUNE_CAST(int, value_stride);
	if (AUTOTUNE_CAST(long long, argument_stride) != value_stride)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* strided_copy */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_out, &argument_n, &argument_stride };
		const struct autotune_launch launch =
			strided_copy_launch(configuration, given, size_N, size_STRIDE);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_STRIDED_COPY_RUN)
#define AUTOTUNE_STRIDED_COPY_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const strided_copy_0_kernels[1];
extern const void *const strided_copy_1_kernels[1];
extern const void *const strided_copy_2_kernels[1];
extern const void *const strided_copy_3_kernels[1];
extern const void *const strided_copy_4_kernels[1];
extern const void *const strided_copy_5_kernels[1];
extern const void *const strided_copy_6_kernels[1];
extern const void *const strided_copy_7_kernels[1];
#ifdef __cplusplus
}
#endif

/* As strided_copy_run(), with a configuration that was chosen before. */
static inline cudaError_t strided_copy_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream STRIDED_COPY_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { strided_copy_0_kernels, strided_copy_1_kernels, strided_copy_2_kernels, strided_copy_3_kernels, strided_copy_4_kernels, strided_copy_5_kernels, strided_copy_6_kernels, strided_copy_7_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		strided_copy_run_by(&runner, device STRIDED_COPY_RUN_ARGUMENTS));
}

static inline cudaError_t strided_copy_run(
	const struct autotune_device *device, cudaStream_t stream STRIDED_COPY_RUN_PARAMETERS)
{
	return strided_copy_run_configuration(
		AUTOTUNE_CHOOSE, device, stream STRIDED_COPY_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef STRIDED_COPY_SELECTED_DEVICE
#ifdef STRIDED_COPY_DEVICE
#define STRIDED_COPY_SELECTED_DEVICE AUTOTUNE_PASTE(STRIDED_COPY_DEVICE_, STRIDED_COPY_DEVICE)
#if !(STRIDED_COPY_SELECTED_DEVICE > 0)
#error "STRIDED_COPY_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define STRIDED_COPY_SELECTED_DEVICE 0
#endif
#undef STRIDED_COPY_SELECTED_PROBLEM
#ifdef STRIDED_COPY_PROBLEM
#define STRIDED_COPY_SELECTED_PROBLEM AUTOTUNE_PASTE(STRIDED_COPY_PROBLEM_, STRIDED_COPY_PROBLEM)
#if !(STRIDED_COPY_SELECTED_PROBLEM > 0)
#error "STRIDED_COPY_PROBLEM is not one of: STRIDE_2, STRIDE_3, STRIDE_8, STRIDE_32"
#endif
#else
#define STRIDED_COPY_SELECTED_PROBLEM 0
#endif
#undef STRIDED_COPY_SELECTED
#ifdef STRIDED_COPY_CONFIGURATION
#define STRIDED_COPY_SELECTED AUTOTUNE_PASTE(STRIDED_COPY_CONFIGURATION_, STRIDED_COPY_CONFIGURATION)
#if !(STRIDED_COPY_SELECTED > 0)
#error "STRIDED_COPY_CONFIGURATION is no number from 0 to 7"
#endif
#elif STRIDED_COPY_SELECTED_DEVICE == 1 && STRIDED_COPY_SELECTED_PROBLEM == 1
#define STRIDED_COPY_SELECTED 1
#elif STRIDED_COPY_SELECTED_DEVICE == 1 && STRIDED_COPY_SELECTED_PROBLEM == 2
#define STRIDED_COPY_SELECTED 2
#elif STRIDED_COPY_SELECTED_DEVICE == 1 && STRIDED_COPY_SELECTED_PROBLEM == 3
#define STRIDED_COPY_SELECTED 3
#elif STRIDED_COPY_SELECTED_DEVICE == 1 && STRIDED_COPY_SELECTED_PROBLEM == 4
#define STRIDED_COPY_SELECTED 4
#elif STRIDED_COPY_SELECTED_DEVICE == 2 && STRIDED_COPY_SELECTED_PROBLEM == 1
#define STRIDED_COPY_SELECTED 5
#elif STRIDED_COPY_SELECTED_DEVICE == 2 && STRIDED_COPY_SELECTED_PROBLEM == 2
#define STRIDED_COPY_SELECTED 6
#elif STRIDED_COPY_SELECTED_DEVICE == 2 && STRIDED_COPY_SELECTED_PROBLEM == 3
#define STRIDED_COPY_SELECTED 7
#elif STRIDED_COPY_SELECTED_DEVICE == 2 && STRIDED_COPY_SELECTED_PROBLEM == 4
#define STRIDED_COPY_SELECTED 8
#elif STRIDED_COPY_SELECTED_DEVICE > 0 && STRIDED_COPY_SELECTED_PROBLEM > 0
#error "STRIDED_COPY_PROBLEM was not measured on STRIDED_COPY_DEVICE; there are: STRIDE_2 on NVIDIA_H100_80GB_HBM3, STRIDE_3 on NVIDIA_H100_80GB_HBM3, STRIDE_8 on NVIDIA_H100_80GB_HBM3, STRIDE_32 on NVIDIA_H100_80GB_HBM3, STRIDE_2 on NVIDIA_H200, STRIDE_3 on NVIDIA_H200, STRIDE_8 on NVIDIA_H200, STRIDE_32 on NVIDIA_H200"
#else
#define STRIDED_COPY_SELECTED 0
#endif
#undef STRIDED_COPY_ORDER
#undef STRIDED_COPY_ORDER_NAME
#undef STRIDED_COPY_BLOCK
#undef STRIDED_COPY_UNROLL
#undef STRIDED_COPY_PAD
#undef STRIDED_COPY_L1
#undef STRIDED_COPY_L1_NAME
#undef STRIDED_COPY_NUMBER
#undef STRIDED_COPY_OPTIONS
#undef STRIDED_COPY_BLOCK_DIM_X
#undef STRIDED_COPY_BLOCK_DIM_Y
#undef STRIDED_COPY_BLOCK_DIM_Z
#undef STRIDED_COPY_SHARED_BYTES
#if STRIDED_COPY_SELECTED == 1
#define STRIDED_COPY_ORDER STRIDED_COPY_0_ORDER
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_0_ORDER_NAME
#define STRIDED_COPY_BLOCK STRIDED_COPY_0_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_0_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_0_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_0_L1
#define STRIDED_COPY_L1_NAME STRIDED_COPY_0_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_0_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_0_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_0_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_0_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_0_BLOCK_DIM_Z
#define STRIDED_COPY_SHARED_BYTES STRIDED_COPY_0_SHARED_BYTES
#elif STRIDED_COPY_SELECTED == 2
#define STRIDED_COPY_ORDER STRIDED_COPY_1_ORDER
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_1_ORDER_NAME
#define STRIDED_COPY_BLOCK STRIDED_COPY_1_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_1_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_1_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_1_L1
#define STRIDED_COPY_L1_NAME STRIDED_COPY_1_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_1_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_1_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_1_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_1_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_1_BLOCK_DIM_Z
#define STRIDED_COPY_SHARED_BYTES STRIDED_COPY_1_SHARED_BYTES
#elif STRIDED_COPY_SELECTED == 3
#define STRIDED_COPY_ORDER STRIDED_COPY_2_ORDER
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_2_ORDER_NAME
#define STRIDED_COPY_BLOCK STRIDED_COPY_2_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_2_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_2_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_2_L1
#define STRIDED_COPY_L1_NAME STRIDED_COPY_2_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_2_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_2_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_2_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_2_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_2_BLOCK_DIM_Z
#elif STRIDED_COPY_SELECTED == 4
#define STRIDED_COPY_ORDER STRIDED_COPY_3_ORDER
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_3_ORDER_NAME
#define STRIDED_COPY_BLOCK STRIDED_COPY_3_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_3_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_3_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_3_L1
#define STRIDED_COPY_L1_NAME STRIDED_COPY_3_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_3_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_3_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_3_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_3_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_3_BLOCK_DIM_Z
#elif STRIDED_COPY_SELECTED == 5
#define STRIDED_COPY_ORDER STRIDED_COPY_4_ORDER
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_4_ORDER_NAME
#define STRIDED_COPY_BLOCK STRIDED_COPY_4_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_4_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_4_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_4_L1
#define STRIDED_COPY_L1_NAME STRIDED_COPY_4_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_4_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_4_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_4_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_4_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_4_BLOCK_DIM_Z
#define STRIDED_COPY_SHARED_BYTES STRIDED_COPY_4_SHARED_BYTES
#elif STRIDED_COPY_SELECTED == 6
#define STRIDED_COPY_ORDER STRIDED_COPY_5_ORDER
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_5_ORDER_NAME
#define STRIDED_COPY_BLOCK STRIDED_COPY_5_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_5_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_5_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_5_L1
#define STRIDED_COPY_L1_NAME STRIDED_COPY_5_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_5_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_5_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_5_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_5_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_5_BLOCK_DIM_Z
#define STRIDED_COPY_SHARED_BYTES STRIDED_COPY_5_SHARED_BYTES
#elif STRIDED_COPY_SELECTED == 7
#define STRIDED_COPY_ORDER STRIDED_COPY_6_ORDER
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_6_ORDER_NAME
#define STRIDED_COPY_BLOCK STRIDED_COPY_6_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_6_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_6_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_6_L1
#define STRIDED_COPY_L1_NAME STRIDED_COPY_6_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_6_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_6_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_6_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_6_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_6_BLOCK_DIM_Z
#elif STRIDED_COPY_SELECTED == 8
#define STRIDED_COPY_ORDER STRIDED_COPY_7_ORDER
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_7_ORDER_NAME
#define STRIDED_COPY_BLOCK STRIDED_COPY_7_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_7_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_7_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_7_L1
#define STRIDED_COPY_L1_NAME STRIDED_COPY_7_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_7_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_7_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_7_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_7_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_7_BLOCK_DIM_Z
#endif
#ifdef STRIDED_COPY_BARE
#if STRIDED_COPY_SELECTED == 1
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_strided
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 1
#undef PAD
#define PAD 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_0
#undef strided_copy_reference
#define strided_copy_reference strided_copy_0_strided_copy_reference
#undef STRIDED_COPY_ENTRY
#define STRIDED_COPY_ENTRY extern "C" const void *const strided_copy_0_kernels[1]; \
	const void *const strided_copy_0_kernels[1] = { reinterpret_cast<const void *>(&strided_copy) }
#endif
#elif STRIDED_COPY_SELECTED == 2
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_strided
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 2
#undef PAD
#define PAD 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_1
#undef strided_copy_reference
#define strided_copy_reference strided_copy_1_strided_copy_reference
#undef STRIDED_COPY_ENTRY
#define STRIDED_COPY_ENTRY extern "C" const void *const strided_copy_1_kernels[1]; \
	const void *const strided_copy_1_kernels[1] = { reinterpret_cast<const void *>(&strided_copy) }
#endif
#elif STRIDED_COPY_SELECTED == 3
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_staged
#undef BLOCK
#define BLOCK 64
#undef UNROLL
#define UNROLL 4
#undef PAD
#define PAD 1
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_2
#undef strided_copy_reference
#define strided_copy_reference strided_copy_2_strided_copy_reference
#undef STRIDED_COPY_ENTRY
#define STRIDED_COPY_ENTRY extern "C" const void *const strided_copy_2_kernels[1]; \
	const void *const strided_copy_2_kernels[1] = { reinterpret_cast<const void *>(&strided_copy) }
#endif
#elif STRIDED_COPY_SELECTED == 4
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_staged
#undef BLOCK
#define BLOCK 64
#undef UNROLL
#define UNROLL 4
#undef PAD
#define PAD 1
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_cg
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_3
#undef strided_copy_reference
#define strided_copy_reference strided_copy_3_strided_copy_reference
#undef STRIDED_COPY_ENTRY
#define STRIDED_COPY_ENTRY extern "C" const void *const strided_copy_3_kernels[1]; \
	const void *const strided_copy_3_kernels[1] = { reinterpret_cast<const void *>(&strided_copy) }
#endif
#elif STRIDED_COPY_SELECTED == 5
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_strided
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 1
#undef PAD
#define PAD 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_4
#undef strided_copy_reference
#define strided_copy_reference strided_copy_4_strided_copy_reference
#undef STRIDED_COPY_ENTRY
#define STRIDED_COPY_ENTRY extern "C" const void *const strided_copy_4_kernels[1]; \
	const void *const strided_copy_4_kernels[1] = { reinterpret_cast<const void *>(&strided_copy) }
#endif
#elif STRIDED_COPY_SELECTED == 6
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_strided
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#undef PAD
#define PAD 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_5
#undef strided_copy_reference
#define strided_copy_reference strided_copy_5_strided_copy_reference
#undef STRIDED_COPY_ENTRY
#define STRIDED_COPY_ENTRY extern "C" const void *const strided_copy_5_kernels[1]; \
	const void *const strided_copy_5_kernels[1] = { reinterpret_cast<const void *>(&strided_copy) }
#endif
#elif STRIDED_COPY_SELECTED == 7
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_staged
#undef BLOCK
#define BLOCK 64
#undef UNROLL
#define UNROLL 8
#undef PAD
#define PAD 1
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_6
#undef strided_copy_reference
#define strided_copy_reference strided_copy_6_strided_copy_reference
#undef STRIDED_COPY_ENTRY
#define STRIDED_COPY_ENTRY extern "C" const void *const strided_copy_6_kernels[1]; \
	const void *const strided_copy_6_kernels[1] = { reinterpret_cast<const void *>(&strided_copy) }
#endif
#elif STRIDED_COPY_SELECTED == 8
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_staged
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 4
#undef PAD
#define PAD 1
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_cg
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_7
#undef strided_copy_reference
#define strided_copy_reference strided_copy_7_strided_copy_reference
#undef STRIDED_COPY_ENTRY
#define STRIDED_COPY_ENTRY extern "C" const void *const strided_copy_7_kernels[1]; \
	const void *const strided_copy_7_kernels[1] = { reinterpret_cast<const void *>(&strided_copy) }
#endif
#else
#error "STRIDED_COPY_BARE: say of which configuration, with STRIDED_COPY_CONFIGURATION, or with STRIDED_COPY_DEVICE and STRIDED_COPY_PROBLEM"
#endif
#endif
