/*
 * matmul_bf16: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     3b4d78f1375ae73809e944149ca312d4 matmul_bf16.cfg
 *   template  de2e882010f8a7000298ca1924d2323e matmul_bf16.cu
 *   contents  06f382d92a118d74aa385fca0b0ef174
 */
/*
 * matmul_bf16: 5 configurations, baselines included. The fastest correct ones are, for
 *
 * large on NVIDIA H200 (sm_90): M = 4096, N = 4096, K = 4096
 *   configuration  0: CONSUMERS=2 TILE_M=128 TILE_N=256 STAGES=4 CLUSTER=1 STORES=2 GROUP=16 IDLE=4 PARTS=1
 *   time           177.74 us (95 % interval 174.2 to 181.35)
 *   speed-up       1.117 over the baseline (95 % interval 1.113 to 1.122)
 *   chosen from    260 evaluations, 260 of them ok
 *   verified       partly, 3 of 17 cases: 2 data sets, 3 different cases, 10 patterns, guarded, crowded, host
 *   measured       2026-11-30T16:58:14Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    0c134a3c0dd3400e04a64657aaab7646
 *
 * huge on NVIDIA H200 (sm_90): M = 8192, N = 8192, K = 8192
 *   configuration  1: CONSUMERS=2 TILE_M=128 TILE_N=256 STAGES=3 CLUSTER=2 STORES=4 GROUP=16 IDLE=4 PARTS=1
 *   time           1.5862 ms (95 % interval 1.5703 to 1.6022)
 *   speed-up       1.036 over the baseline (95 % interval 1.023 to 1.049)
 *   chosen from    365 evaluations, 365 of them ok
 *   verified       partly, 1 of 17 cases: 2 data sets, 1 different case, 8 patterns, guarded, crowded, host
 *   measured       2026-11-30T16:58:28Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    91bff39aee3f3225e61bfa01a3e0480e
 *
 * deep_512 on NVIDIA H200 (sm_90): M = 512, N = 512, K = 8192
 *   configuration  2: CONSUMERS=1 TILE_M=64 TILE_N=128 STAGES=6 CLUSTER=1 STORES=1 GROUP=4 IDLE=0 PARTS=4
 *   time           13.809 us (95 % interval 13.784 to 13.835)
 *   speed-up       3.025 over the baseline (95 % interval 3.015 to 3.035)
 *   chosen from    429 evaluations, 429 of them ok
 *   verified       partly, 15 of 17 cases: 2 data sets, 8 different cases, 9 patterns, guarded, crowded, host
 *   measured       2026-11-30T16:58:39Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    ef23bb56267df96a15b0af7f7b867d0e
 *
 * flat_128 on NVIDIA H200 (sm_90): M = 128, N = 4096, K = 16384
 *   configuration  3: CONSUMERS=2 TILE_M=128 TILE_N=128 STAGES=5 CLUSTER=1 STORES=1 GROUP=16 IDLE=0 PARTS=4
 *   time           46.802 us (95 % interval 46.703 to 46.901)
 *   speed-up       2.002 over the baseline (95 % interval 1.997 to 2.006)
 *   chosen from    555 evaluations, 555 of them ok
 *   verified       2 data sets, 6 different cases, 9 patterns, guarded, crowded, host
 *   measured       2026-11-30T16:58:50Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    bbd788ac9a24cb23129d5d5632c610db
 *
 * To choose a configuration when the program runs: matmul_bf16_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * matmul_bf16_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of MATMUL_BF16_CONFIGURATIONS in a translation unit of its own:
 * define MATMUL_BF16_CONFIGURATION as n, define MATMUL_BF16_BARE, include this header, then
 * the template. Its kernel is called matmul_bf16_n there. Give the compiler
 * MATMUL_BF16_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names MATMUL_BF16_... without a
 * number belong to one configuration. Define MATMUL_BF16_CONFIGURATION, or
 * MATMUL_BF16_DEVICE and MATMUL_BF16_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. MATMUL_BF16_BARE also defines the
 * names that the template reads.
 *
 * The template uses the features of one architecture: compile it for sm_90a, not
 * sm_90 (nvcc -gencode=arch=compute_90a,code=sm_90a), and so on.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_MATMUL_BF16_H
#define AUTOTUNE_MATMUL_BF16_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_MATMUL_BF16_CONTENTS 0x51b2b3bd6dc3341fULL

/* the values that MATMUL_BF16_CONFIGURATION, MATMUL_BF16_DEVICE and MATMUL_BF16_PROBLEM may have */
#define MATMUL_BF16_CONFIGURATION_0 1
#define MATMUL_BF16_CONFIGURATION_1 2
#define MATMUL_BF16_CONFIGURATION_2 3
#define MATMUL_BF16_CONFIGURATION_3 4
#define MATMUL_BF16_CONFIGURATION_4 5
#define MATMUL_BF16_DEVICE_NVIDIA_H200 1
#define MATMUL_BF16_PROBLEM_LARGE 1
#define MATMUL_BF16_PROBLEM_HUGE 2
#define MATMUL_BF16_PROBLEM_DEEP_512 3
#define MATMUL_BF16_PROBLEM_FLAT_128 4

/* X(number, kernel) for every configuration */
#define MATMUL_BF16_CONFIGURATION_COUNT 5
#define MATMUL_BF16_CONFIGURATIONS(X) \
	X(0, matmul_bf16_0) \
	X(1, matmul_bf16_1) \
	X(2, matmul_bf16_2) \
	X(3, matmul_bf16_3) \
	X(4, matmul_bf16_4)
#define MATMUL_BF16_DEVICE_COUNT 1

#define MATMUL_BF16_0_CONSUMERS 2
#define MATMUL_BF16_0_TILE_M 128
#define MATMUL_BF16_0_TILE_N 256
#define MATMUL_BF16_0_STAGES 4
#define MATMUL_BF16_0_CLUSTER 1
#define MATMUL_BF16_0_STORES 2
#define MATMUL_BF16_0_GROUP 16
#define MATMUL_BF16_0_IDLE 4
#define MATMUL_BF16_0_PARTS 1
#define MATMUL_BF16_0_NUMBER 0
#define MATMUL_BF16_0_OPTIONS ""
#define MATMUL_BF16_0_BLOCK_DIM_X 384
#define MATMUL_BF16_0_BLOCK_DIM_Y 1
#define MATMUL_BF16_0_BLOCK_DIM_Z 1

#define MATMUL_BF16_1_CONSUMERS 2
#define MATMUL_BF16_1_TILE_M 128
#define MATMUL_BF16_1_TILE_N 256
#define MATMUL_BF16_1_STAGES 3
#define MATMUL_BF16_1_CLUSTER 2
#define MATMUL_BF16_1_STORES 4
#define MATMUL_BF16_1_GROUP 16
#define MATMUL_BF16_1_IDLE 4
#define MATMUL_BF16_1_PARTS 1
#define MATMUL_BF16_1_NUMBER 1
#define MATMUL_BF16_1_OPTIONS ""
#define MATMUL_BF16_1_BLOCK_DIM_X 384
#define MATMUL_BF16_1_BLOCK_DIM_Y 1
#define MATMUL_BF16_1_BLOCK_DIM_Z 1

#define MATMUL_BF16_2_CONSUMERS 1
#define MATMUL_BF16_2_TILE_M 64
#define MATMUL_BF16_2_TILE_N 128
#define MATMUL_BF16_2_STAGES 6
#define MATMUL_BF16_2_CLUSTER 1
#define MATMUL_BF16_2_STORES 1
#define MATMUL_BF16_2_GROUP 4
#define MATMUL_BF16_2_IDLE 0
#define MATMUL_BF16_2_PARTS 4
#define MATMUL_BF16_2_NUMBER 2
#define MATMUL_BF16_2_OPTIONS ""
#define MATMUL_BF16_2_BLOCK_DIM_X 256
#define MATMUL_BF16_2_BLOCK_DIM_Y 1
#define MATMUL_BF16_2_BLOCK_DIM_Z 1

#define MATMUL_BF16_3_CONSUMERS 2
#define MATMUL_BF16_3_TILE_M 128
#define MATMUL_BF16_3_TILE_N 128
#define MATMUL_BF16_3_STAGES 5
#define MATMUL_BF16_3_CLUSTER 1
#define MATMUL_BF16_3_STORES 1
#define MATMUL_BF16_3_GROUP 16
#define MATMUL_BF16_3_IDLE 0
#define MATMUL_BF16_3_PARTS 4
#define MATMUL_BF16_3_NUMBER 3
#define MATMUL_BF16_3_OPTIONS ""
#define MATMUL_BF16_3_BLOCK_DIM_X 384
#define MATMUL_BF16_3_BLOCK_DIM_Y 1
#define MATMUL_BF16_3_BLOCK_DIM_Z 1

#define MATMUL_BF16_4_CONSUMERS 2
#define MATMUL_BF16_4_TILE_M 128
#define MATMUL_BF16_4_TILE_N 128
#define MATMUL_BF16_4_STAGES 4
#define MATMUL_BF16_4_CLUSTER 1
#define MATMUL_BF16_4_STORES 2
#define MATMUL_BF16_4_GROUP 8
#define MATMUL_BF16_4_IDLE 0
#define MATMUL_BF16_4_PARTS 1
#define MATMUL_BF16_4_NUMBER 4
#define MATMUL_BF16_4_OPTIONS ""
#define MATMUL_BF16_4_BLOCK_DIM_X 384
#define MATMUL_BF16_4_BLOCK_DIM_Y 1
#define MATMUL_BF16_4_BLOCK_DIM_Z 1

#define MATMUL_BF16_NVIDIA_H200_LARGE_CONFIGURATION 0
#define MATMUL_BF16_NVIDIA_H200_LARGE_TIME_NS 177739.186484445
#define MATMUL_BF16_NVIDIA_H200_LARGE_TIME_LOW_NS 174196.347916765
#define MATMUL_BF16_NVIDIA_H200_LARGE_TIME_HIGH_NS 181354.079979032
#define MATMUL_BF16_NVIDIA_H200_LARGE_SPEEDUP 1.11721404517955
#define MATMUL_BF16_NVIDIA_H200_LARGE_SPEEDUP_LOW 1.11274290421343
#define MATMUL_BF16_NVIDIA_H200_LARGE_SPEEDUP_HIGH 1.12170315175253

#define MATMUL_BF16_NVIDIA_H200_HUGE_CONFIGURATION 1
#define MATMUL_BF16_NVIDIA_H200_HUGE_TIME_NS 1586196.25689441
#define MATMUL_BF16_NVIDIA_H200_HUGE_TIME_LOW_NS 1570321.87840704
#define MATMUL_BF16_NVIDIA_H200_HUGE_TIME_HIGH_NS 1602231.10941952
#define MATMUL_BF16_NVIDIA_H200_HUGE_SPEEDUP 1.03594860134697
#define MATMUL_BF16_NVIDIA_H200_HUGE_SPEEDUP_LOW 1.0233016086902
#define MATMUL_BF16_NVIDIA_H200_HUGE_SPEEDUP_HIGH 1.04875189828578

#define MATMUL_BF16_NVIDIA_H200_DEEP_512_CONFIGURATION 2
#define MATMUL_BF16_NVIDIA_H200_DEEP_512_TIME_NS 13809.3687014163
#define MATMUL_BF16_NVIDIA_H200_DEEP_512_TIME_LOW_NS 13784.2511041385
#define MATMUL_BF16_NVIDIA_H200_DEEP_512_TIME_HIGH_NS 13834.5320678613
#define MATMUL_BF16_NVIDIA_H200_DEEP_512_SPEEDUP 3.02471661925971
#define MATMUL_BF16_NVIDIA_H200_DEEP_512_SPEEDUP_LOW 3.01469953987438
#define MATMUL_BF16_NVIDIA_H200_DEEP_512_SPEEDUP_HIGH 3.03476698285067

#define MATMUL_BF16_NVIDIA_H200_FLAT_128_CONFIGURATION 3
#define MATMUL_BF16_NVIDIA_H200_FLAT_128_TIME_NS 46801.9177850238
#define MATMUL_BF16_NVIDIA_H200_FLAT_128_TIME_LOW_NS 46703.077077753
#define MATMUL_BF16_NVIDIA_H200_FLAT_128_TIME_HIGH_NS 46900.9676752012
#define MATMUL_BF16_NVIDIA_H200_FLAT_128_SPEEDUP 2.0017578052307
#define MATMUL_BF16_NVIDIA_H200_FLAT_128_SPEEDUP_LOW 1.9973498460584
#define MATMUL_BF16_NVIDIA_H200_FLAT_128_SPEEDUP_HIGH 2.00617549234531

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *matmul_bf16_device(int index)
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
static inline struct autotune_device matmul_bf16_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 1; i++)
		if (autotune_is_same_device(device, matmul_bf16_device(i)))
			autotune_fill(&complete, matmul_bf16_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 * It is a sequence. Launch N, from 0, is what matmul_bf16_launch_N() says (0: matmul_bf16_launch()),
 * as often as its repeats say (0: not at all):
 *   0 matmul_bf16(map_a, map_b, map_c, A, B, C, M, N, K)
 *   1 matmul_bf16(map_a, map_b, map_c, A, B, sums, M, N, K)
 *   2 matmul_bf16_add(sums, C, M, N)
 */
static inline struct autotune_launch matmul_bf16_launch(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	static const int devices[] = { 0, 0, 0, 0, 0 };
	const int is_known = configuration >= 0 && configuration < 5;
	const struct autotune_device complete = matmul_bf16_complete(
		given ? given : matmul_bf16_device(devices[is_known ? configuration : 0]));
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 4LL, &bad), 1LL), 1LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 128LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad), 1LL, &bad)), 1LL, &bad);
		amounts[3] = 384LL;
		amounts[6] = autotune_min(230400LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	case 1:
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 4LL, &bad), 2LL), 2LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 256LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad), 1LL, &bad)), 2LL, &bad);
		amounts[3] = 384LL;
		amounts[6] = autotune_min(214016LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	case 2:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 0LL, &bad), 1LL), 1LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad), 4LL, &bad)), 1LL, &bad);
		amounts[3] = 256LL;
		amounts[6] = autotune_min(156672LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	case 3:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 0LL, &bad), 1LL), 1LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 128LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad), 4LL, &bad)), 1LL, &bad);
		amounts[3] = 384LL;
		amounts[6] = autotune_min(181248LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	case 4:
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 0LL, &bad), 1LL), 1LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 128LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad), 1LL, &bad)), 1LL, &bad);
		amounts[3] = 384LL;
		amounts[6] = autotune_min(164864LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch matmul_bf16_launch_1(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	static const int devices[] = { 0, 0, 0, 0, 0 };
	const int is_known = configuration >= 0 && configuration < 5;
	const struct autotune_device complete = matmul_bf16_complete(
		given ? given : matmul_bf16_device(devices[is_known ? configuration : 0]));
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 4LL, &bad), 1LL), 1LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 128LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad), 1LL, &bad)), 1LL, &bad);
		amounts[3] = 384LL;
		amounts[6] = autotune_min(230400LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	case 1:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 4LL, &bad), 2LL), 2LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 256LL, &bad), autotune_ceil_div(size_N, 256LL, &bad), &bad), 1LL, &bad)), 2LL, &bad);
		amounts[3] = 384LL;
		amounts[6] = autotune_min(214016LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	case 2:
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 0LL, &bad), 1LL), 1LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad), 4LL, &bad)), 1LL, &bad);
		amounts[3] = 256LL;
		amounts[6] = autotune_min(156672LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	case 3:
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 0LL, &bad), 1LL), 1LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 128LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad), 4LL, &bad)), 1LL, &bad);
		amounts[3] = 384LL;
		amounts[6] = autotune_min(181248LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	case 4:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_multiply(autotune_min(autotune_divide(autotune_max(autotune_subtract(autotune_known(complete.multiprocessor_count, &bad), 0LL, &bad), 1LL), 1LL, &bad), autotune_multiply(autotune_multiply(autotune_ceil_div(size_M, 128LL, &bad), autotune_ceil_div(size_N, 128LL, &bad), &bad), 1LL, &bad)), 1LL, &bad);
		amounts[3] = 384LL;
		amounts[6] = autotune_min(164864LL, autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad));
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch matmul_bf16_launch_2(
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
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 1:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 4:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_multiply(size_M, size_N, &bad), 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* The tensor map map_a, of the buffer A. */
static inline struct autotune_tensor_map matmul_bf16_tensor_map_map_a(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	long long amounts[23] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 };
	int bad = 0;

	(void)given;
	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		amounts[0] = size_K;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 128LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	case 1:
		amounts[0] = size_K;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 128LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	case 2:
		amounts[0] = size_K;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 64LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	case 3:
		amounts[0] = size_K;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 128LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	case 4:
		amounts[0] = size_K;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 128LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_tensor_map_of(amounts, 2, 2, 9, 0, bad);
}

/* The tensor map map_b, of the buffer B. */
static inline struct autotune_tensor_map matmul_bf16_tensor_map_map_b(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	long long amounts[23] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 };
	int bad = 0;

	(void)given;
	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		amounts[0] = size_K;
		amounts[1] = size_N;
		amounts[10] = 64LL;
		amounts[11] = 256LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	case 1:
		amounts[0] = size_K;
		amounts[1] = size_N;
		amounts[10] = 64LL;
		amounts[11] = 128LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	case 2:
		amounts[0] = size_K;
		amounts[1] = size_N;
		amounts[10] = 64LL;
		amounts[11] = 128LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	case 3:
		amounts[0] = size_K;
		amounts[1] = size_N;
		amounts[10] = 64LL;
		amounts[11] = 128LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	case 4:
		amounts[0] = size_K;
		amounts[1] = size_N;
		amounts[10] = 64LL;
		amounts[11] = 128LL;
		amounts[20] = 128LL;
		amounts[22] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_tensor_map_of(amounts, 2, 2, 9, 0, bad);
}

/* The tensor map map_c, of the buffer C. */
static inline struct autotune_tensor_map matmul_bf16_tensor_map_map_c(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	long long amounts[23] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 };
	int bad = 0;

	(void)given;
	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		amounts[0] = size_N;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 64LL;
		amounts[20] = 128LL;
		break;
	case 1:
		amounts[0] = size_N;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 64LL;
		amounts[20] = 128LL;
		break;
	case 2:
		amounts[0] = size_N;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 64LL;
		amounts[20] = 128LL;
		break;
	case 3:
		amounts[0] = size_N;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 64LL;
		amounts[20] = 128LL;
		break;
	case 4:
		amounts[0] = size_N;
		amounts[1] = size_M;
		amounts[10] = 64LL;
		amounts[11] = 64LL;
		amounts[20] = 128LL;
		break;
	default:
		bad = 1;
	}
	return autotune_tensor_map_of(amounts, 2, 2, 9, 0, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int matmul_bf16_fits(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	const struct autotune_device complete = matmul_bf16_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_M >= 1LL && size_M <= 16384LL))
		bad = 1;
	if (!(size_N >= 8LL && size_N <= 16384LL))
		bad = 1;
	if (!(size_K >= 8LL && size_K <= 16384LL))
		bad = 1;
	if (!(autotune_remainder(size_N, 8LL, &bad) == 0LL))
		bad = 1;
	if (!(autotune_remainder(size_K, 8LL, &bad) == 0LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* PARTS <= ceil_div(K, 64) */
		if (!(1LL <= autotune_ceil_div(size_K, 64LL, &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 168;
		break;
	case 1:
		/* PARTS <= ceil_div(K, 64) */
		if (!(1LL <= autotune_ceil_div(size_K, 64LL, &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 168;
		break;
	case 2:
		/* PARTS <= ceil_div(K, 64) */
		if (!(4LL <= autotune_ceil_div(size_K, 64LL, &bad)))
			bad = 1;
		/* PARTS == 1 || 2 * PARTS * M * N <= K * (M + N) */
		if (!(autotune_multiply(autotune_multiply(8LL, size_M, &bad), size_N, &bad) <= autotune_multiply(size_K, autotune_add(size_M, size_N, &bad), &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 232;
		break;
	case 3:
		/* PARTS <= ceil_div(K, 64) */
		if (!(4LL <= autotune_ceil_div(size_K, 64LL, &bad)))
			bad = 1;
		/* PARTS == 1 || 2 * PARTS * M * N <= K * (M + N) */
		if (!(autotune_multiply(autotune_multiply(8LL, size_M, &bad), size_N, &bad) <= autotune_multiply(size_K, autotune_add(size_M, size_N, &bad), &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 168;
		break;
	case 4:
		/* PARTS <= ceil_div(K, 64) */
		if (!(1LL <= autotune_ceil_div(size_K, 64LL, &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 168;
		break;
	default:
		break;
	}
	launch = matmul_bf16_launch(configuration, given, size_M, size_N, size_K);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	launch = matmul_bf16_launch_1(configuration, given, size_M, size_N, size_K);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	launch = matmul_bf16_launch_2(configuration, given, size_M, size_N, size_K);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice matmul_bf16_choose(
	const struct autotune_device *device, long long size_M, long long size_N, long long size_K)
{
	/* the sizes that were measured */
	static const double recorded[][3] = {
		{ 4096, 4096, 4096 }, /* large */
		{ 8192, 8192, 8192 }, /* huge */
		{ 512, 512, 8192 }, /* deep_512 */
		{ 128, 4096, 16384 }, /* flat_128 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* large on NVIDIA H200 */
		{ 1, 0, 1, 0 }, /* huge on NVIDIA H200 */
		{ 2, 0, 2, 0 }, /* deep_512 on NVIDIA H200 */
		{ 3, 0, 3, 0 }, /* flat_128 on NVIDIA H200 */
		{ 4, 0, 0, 1 }, /* large on NVIDIA H200 */
		{ 4, 0, 1, 1 }, /* huge on NVIDIA H200 */
		{ 4, 0, 2, 1 }, /* deep_512 on NVIDIA H200 */
		{ 4, 0, 3, 1 }, /* flat_128 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_M), AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_K) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_M; (void)size_N; (void)size_K;
	for (i = 0; device && i < 8; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			matmul_bf16_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 3);

		if (autotune_is_better(&rank, &best) &&
			matmul_bf16_fits(entries[i][0], device, size_M, size_N, size_K)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 3)) {
		char text[384];

		snprintf(text, sizeof(text), "\"M\": %lld, \"N\": %lld, \"K\": %lld", size_M, size_N, size_K);
		autotune_note(file, "matmul_bf16", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   matmul_bf16_run(&device, stream, M, N, K, A, B, C)
 *
 *   A              const void *
 *   B              const void *
 *   C              void *
 *   sums           scratch, which it allocates in the stream
 *   map_a          the tensor map of A
 *   map_b          the tensor map of B
 *   map_c          the tensor map of C
 *   M              computed: M
 *   N              computed: N
 *   K              computed: K
 *
 * matmul_bf16_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line MATMUL_BF16_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. matmul_bf16_run_by() launches with
 * functions of its caller.
 */
#define MATMUL_BF16_RUN_PARAMETERS \
	, long long size_M, long long size_N, long long size_K, const void *argument_A, const void *argument_B, void *argument_C
#define MATMUL_BF16_RUN_ARGUMENTS \
	, size_M, size_N, size_K, argument_A, argument_B, argument_C

static inline int matmul_bf16_run_by(struct autotune_runner *runner,
	const struct autotune_device *given MATMUL_BF16_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? matmul_bf16_choose(given, size_M, size_N, size_K).configuration : runner->configuration;
	int bad = 0;
	void *memory_sums = AUTOTUNE_NULL;
	long long count_sums = 0;
	float *argument_sums = AUTOTUNE_NULL;
	struct autotune_map_room room_map_a;
	void *argument_map_a = autotune_map_place(&room_map_a);
	struct autotune_map_room room_map_b;
	void *argument_map_b = autotune_map_place(&room_map_b);
	struct autotune_map_room room_map_c;
	void *argument_map_c = autotune_map_place(&room_map_c);
	long long value_M = 0;
	int argument_M = 0;
	long long value_N = 0;
	int argument_N = 0;
	long long value_K = 0;
	int argument_K = 0;
	int error;

	if (!given || configuration < 0 || !matmul_bf16_fits(configuration, given, size_M, size_N, size_K))
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
		count_sums = autotune_multiply(autotune_multiply(4LL, size_M, &bad), size_N, &bad);
		value_M = size_M;
		value_N = size_N;
		value_K = size_K;
		break;
	case 3:
		count_sums = autotune_multiply(autotune_multiply(4LL, size_M, &bad), size_N, &bad);
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
	if (!error) {
		const struct autotune_tensor_map map =
			matmul_bf16_tensor_map_map_a(configuration, given, size_M, size_N, size_K);

		error = !map.rank ? runner->refused
			: runner->encode(runner, argument_map_a, &map, argument_A);
	}
	if (!error) {
		const struct autotune_tensor_map map =
			matmul_bf16_tensor_map_map_b(configuration, given, size_M, size_N, size_K);

		error = !map.rank ? runner->refused
			: runner->encode(runner, argument_map_b, &map, argument_B);
	}
	if (!error) {
		const struct autotune_tensor_map map =
			matmul_bf16_tensor_map_map_c(configuration, given, size_M, size_N, size_K);

		error = !map.rank ? runner->refused
			: runner->encode(runner, argument_map_c, &map, argument_C);
	}
	/* matmul_bf16 */
	if (!error) {
		void *arguments[] = { argument_map_a, argument_map_b, argument_map_c, &argument_A, &argument_B, &argument_C, &argument_M, &argument_N, &argument_K };
		const struct autotune_launch launch =
			matmul_bf16_launch(configuration, given, size_M, size_N, size_K);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
		}
	}
	/* matmul_bf16 */
	if (!error) {
		void *arguments[] = { argument_map_a, argument_map_b, argument_map_c, &argument_A, &argument_B, &argument_sums, &argument_M, &argument_N, &argument_K };
		const struct autotune_launch launch =
			matmul_bf16_launch_1(configuration, given, size_M, size_N, size_K);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 1, &launch, arguments);
		}
	}
	/* matmul_bf16_add */
	if (!error) {
		void *arguments[] = { &argument_sums, &argument_C, &argument_M, &argument_N };
		const struct autotune_launch launch =
			matmul_bf16_launch_2(configuration, given, size_M, size_N, size_K);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_MATMUL_BF16_RUN)
#define AUTOTUNE_MATMUL_BF16_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const matmul_bf16_0_kernels[3];
extern const void *const matmul_bf16_1_kernels[3];
extern const void *const matmul_bf16_2_kernels[3];
extern const void *const matmul_bf16_3_kernels[3];
extern const void *const matmul_bf16_4_kernels[3];
#ifdef __cplusplus
}
#endif

/* As matmul_bf16_run(), with a configuration that was chosen before. */
static inline cudaError_t matmul_bf16_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream MATMUL_BF16_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { matmul_bf16_0_kernels, matmul_bf16_1_kernels, matmul_bf16_2_kernels, matmul_bf16_3_kernels, matmul_bf16_4_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		matmul_bf16_run_by(&runner, device MATMUL_BF16_RUN_ARGUMENTS));
}

static inline cudaError_t matmul_bf16_run(
	const struct autotune_device *device, cudaStream_t stream MATMUL_BF16_RUN_PARAMETERS)
{
	return matmul_bf16_run_configuration(
		AUTOTUNE_CHOOSE, device, stream MATMUL_BF16_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef MATMUL_BF16_SELECTED_DEVICE
#ifdef MATMUL_BF16_DEVICE
#define MATMUL_BF16_SELECTED_DEVICE AUTOTUNE_PASTE(MATMUL_BF16_DEVICE_, MATMUL_BF16_DEVICE)
#if !(MATMUL_BF16_SELECTED_DEVICE > 0)
#error "MATMUL_BF16_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define MATMUL_BF16_SELECTED_DEVICE 0
#endif
#undef MATMUL_BF16_SELECTED_PROBLEM
#ifdef MATMUL_BF16_PROBLEM
#define MATMUL_BF16_SELECTED_PROBLEM AUTOTUNE_PASTE(MATMUL_BF16_PROBLEM_, MATMUL_BF16_PROBLEM)
#if !(MATMUL_BF16_SELECTED_PROBLEM > 0)
#error "MATMUL_BF16_PROBLEM is not one of: LARGE, HUGE, DEEP_512, FLAT_128"
#endif
#else
#define MATMUL_BF16_SELECTED_PROBLEM 0
#endif
#undef MATMUL_BF16_SELECTED
#ifdef MATMUL_BF16_CONFIGURATION
#define MATMUL_BF16_SELECTED AUTOTUNE_PASTE(MATMUL_BF16_CONFIGURATION_, MATMUL_BF16_CONFIGURATION)
#if !(MATMUL_BF16_SELECTED > 0)
#error "MATMUL_BF16_CONFIGURATION is no number from 0 to 4"
#endif
#elif MATMUL_BF16_SELECTED_DEVICE == 1 && MATMUL_BF16_SELECTED_PROBLEM == 1
#define MATMUL_BF16_SELECTED 1
#elif MATMUL_BF16_SELECTED_DEVICE == 0 && MATMUL_BF16_SELECTED_PROBLEM == 1
#define MATMUL_BF16_SELECTED 1
#elif MATMUL_BF16_SELECTED_DEVICE == 1 && MATMUL_BF16_SELECTED_PROBLEM == 2
#define MATMUL_BF16_SELECTED 2
#elif MATMUL_BF16_SELECTED_DEVICE == 0 && MATMUL_BF16_SELECTED_PROBLEM == 2
#define MATMUL_BF16_SELECTED 2
#elif MATMUL_BF16_SELECTED_DEVICE == 1 && MATMUL_BF16_SELECTED_PROBLEM == 3
#define MATMUL_BF16_SELECTED 3
#elif MATMUL_BF16_SELECTED_DEVICE == 0 && MATMUL_BF16_SELECTED_PROBLEM == 3
#define MATMUL_BF16_SELECTED 3
#elif MATMUL_BF16_SELECTED_DEVICE == 1 && MATMUL_BF16_SELECTED_PROBLEM == 4
#define MATMUL_BF16_SELECTED 4
#elif MATMUL_BF16_SELECTED_DEVICE == 0 && MATMUL_BF16_SELECTED_PROBLEM == 4
#define MATMUL_BF16_SELECTED 4
#elif MATMUL_BF16_SELECTED_DEVICE > 0 && MATMUL_BF16_SELECTED_PROBLEM > 0
#error "MATMUL_BF16_PROBLEM was not measured on MATMUL_BF16_DEVICE; there are: LARGE on NVIDIA_H200, HUGE on NVIDIA_H200, DEEP_512 on NVIDIA_H200, FLAT_128 on NVIDIA_H200"
#else
#define MATMUL_BF16_SELECTED 0
#endif
#undef MATMUL_BF16_CONSUMERS
#undef MATMUL_BF16_TILE_M
#undef MATMUL_BF16_TILE_N
#undef MATMUL_BF16_STAGES
#undef MATMUL_BF16_CLUSTER
#undef MATMUL_BF16_STORES
#undef MATMUL_BF16_GROUP
#undef MATMUL_BF16_IDLE
#undef MATMUL_BF16_PARTS
#undef MATMUL_BF16_NUMBER
#undef MATMUL_BF16_OPTIONS
#undef MATMUL_BF16_BLOCK_DIM_X
#undef MATMUL_BF16_BLOCK_DIM_Y
#undef MATMUL_BF16_BLOCK_DIM_Z
#if MATMUL_BF16_SELECTED == 1
#define MATMUL_BF16_CONSUMERS MATMUL_BF16_0_CONSUMERS
#define MATMUL_BF16_TILE_M MATMUL_BF16_0_TILE_M
#define MATMUL_BF16_TILE_N MATMUL_BF16_0_TILE_N
#define MATMUL_BF16_STAGES MATMUL_BF16_0_STAGES
#define MATMUL_BF16_CLUSTER MATMUL_BF16_0_CLUSTER
#define MATMUL_BF16_STORES MATMUL_BF16_0_STORES
#define MATMUL_BF16_GROUP MATMUL_BF16_0_GROUP
#define MATMUL_BF16_IDLE MATMUL_BF16_0_IDLE
#define MATMUL_BF16_PARTS MATMUL_BF16_0_PARTS
#define MATMUL_BF16_NUMBER MATMUL_BF16_0_NUMBER
#define MATMUL_BF16_OPTIONS MATMUL_BF16_0_OPTIONS
#define MATMUL_BF16_BLOCK_DIM_X MATMUL_BF16_0_BLOCK_DIM_X
#define MATMUL_BF16_BLOCK_DIM_Y MATMUL_BF16_0_BLOCK_DIM_Y
#define MATMUL_BF16_BLOCK_DIM_Z MATMUL_BF16_0_BLOCK_DIM_Z
#elif MATMUL_BF16_SELECTED == 2
#define MATMUL_BF16_CONSUMERS MATMUL_BF16_1_CONSUMERS
#define MATMUL_BF16_TILE_M MATMUL_BF16_1_TILE_M
#define MATMUL_BF16_TILE_N MATMUL_BF16_1_TILE_N
#define MATMUL_BF16_STAGES MATMUL_BF16_1_STAGES
#define MATMUL_BF16_CLUSTER MATMUL_BF16_1_CLUSTER
#define MATMUL_BF16_STORES MATMUL_BF16_1_STORES
#define MATMUL_BF16_GROUP MATMUL_BF16_1_GROUP
#define MATMUL_BF16_IDLE MATMUL_BF16_1_IDLE
#define MATMUL_BF16_PARTS MATMUL_BF16_1_PARTS
#define MATMUL_BF16_NUMBER MATMUL_BF16_1_NUMBER
#define MATMUL_BF16_OPTIONS MATMUL_BF16_1_OPTIONS
#define MATMUL_BF16_BLOCK_DIM_X MATMUL_BF16_1_BLOCK_DIM_X
#define MATMUL_BF16_BLOCK_DIM_Y MATMUL_BF16_1_BLOCK_DIM_Y
#define MATMUL_BF16_BLOCK_DIM_Z MATMUL_BF16_1_BLOCK_DIM_Z
#elif MATMUL_BF16_SELECTED == 3
#define MATMUL_BF16_CONSUMERS MATMUL_BF16_2_CONSUMERS
#define MATMUL_BF16_TILE_M MATMUL_BF16_2_TILE_M
#define MATMUL_BF16_TILE_N MATMUL_BF16_2_TILE_N
#define MATMUL_BF16_STAGES MATMUL_BF16_2_STAGES
#define MATMUL_BF16_CLUSTER MATMUL_BF16_2_CLUSTER
#define MATMUL_BF16_STORES MATMUL_BF16_2_STORES
#define MATMUL_BF16_GROUP MATMUL_BF16_2_GROUP
#define MATMUL_BF16_IDLE MATMUL_BF16_2_IDLE
#define MATMUL_BF16_PARTS MATMUL_BF16_2_PARTS
#define MATMUL_BF16_NUMBER MATMUL_BF16_2_NUMBER
#define MATMUL_BF16_OPTIONS MATMUL_BF16_2_OPTIONS
#define MATMUL_BF16_BLOCK_DIM_X MATMUL_BF16_2_BLOCK_DIM_X
#define MATMUL_BF16_BLOCK_DIM_Y MATMUL_BF16_2_BLOCK_DIM_Y
#define MATMUL_BF16_BLOCK_DIM_Z MATMUL_BF16_2_BLOCK_DIM_Z
#elif MATMUL_BF16_SELECTED == 4
#define MATMUL_BF16_CONSUMERS MATMUL_BF16_3_CONSUMERS
#define MATMUL_BF16_TILE_M MATMUL_BF16_3_TILE_M
#define MATMUL_BF16_TILE_N MATMUL_BF16_3_TILE_N
#define MATMUL_BF16_STAGES MATMUL_BF16_3_STAGES
#define MATMUL_BF16_CLUSTER MATMUL_BF16_3_CLUSTER
#define MATMUL_BF16_STORES MATMUL_BF16_3_STORES
#define MATMUL_BF16_GROUP MATMUL_BF16_3_GROUP
#define MATMUL_BF16_IDLE MATMUL_BF16_3_IDLE
#define MATMUL_BF16_PARTS MATMUL_BF16_3_PARTS
#define MATMUL_BF16_NUMBER MATMUL_BF16_3_NUMBER
#define MATMUL_BF16_OPTIONS MATMUL_BF16_3_OPTIONS
#define MATMUL_BF16_BLOCK_DIM_X MATMUL_BF16_3_BLOCK_DIM_X
#define MATMUL_BF16_BLOCK_DIM_Y MATMUL_BF16_3_BLOCK_DIM_Y
#define MATMUL_BF16_BLOCK_DIM_Z MATMUL_BF16_3_BLOCK_DIM_Z
#elif MATMUL_BF16_SELECTED == 5
#define MATMUL_BF16_CONSUMERS MATMUL_BF16_4_CONSUMERS
#define MATMUL_BF16_TILE_M MATMUL_BF16_4_TILE_M
#define MATMUL_BF16_TILE_N MATMUL_BF16_4_TILE_N
#define MATMUL_BF16_STAGES MATMUL_BF16_4_STAGES
#define MATMUL_BF16_CLUSTER MATMUL_BF16_4_CLUSTER
#define MATMUL_BF16_STORES MATMUL_BF16_4_STORES
#define MATMUL_BF16_GROUP MATMUL_BF16_4_GROUP
#define MATMUL_BF16_IDLE MATMUL_BF16_4_IDLE
#define MATMUL_BF16_PARTS MATMUL_BF16_4_PARTS
#define MATMUL_BF16_NUMBER MATMUL_BF16_4_NUMBER
#define MATMUL_BF16_OPTIONS MATMUL_BF16_4_OPTIONS
#define MATMUL_BF16_BLOCK_DIM_X MATMUL_BF16_4_BLOCK_DIM_X
#define MATMUL_BF16_BLOCK_DIM_Y MATMUL_BF16_4_BLOCK_DIM_Y
#define MATMUL_BF16_BLOCK_DIM_Z MATMUL_BF16_4_BLOCK_DIM_Z
#endif
#ifdef MATMUL_BF16_BARE
#if MATMUL_BF16_SELECTED == 1
#undef CONSUMERS
#define CONSUMERS 2
#undef TILE_M
#define TILE_M 128
#undef TILE_N
#define TILE_N 256
#undef STAGES
#define STAGES 4
#undef CLUSTER
#define CLUSTER 1
#undef STORES
#define STORES 2
#undef GROUP
#define GROUP 16
#undef IDLE
#define IDLE 4
#undef PARTS
#define PARTS 1
#ifdef MATMUL_BF16_CONFIGURATION
#undef matmul_bf16
#define matmul_bf16 matmul_bf16_0
#undef matmul_bf16_add
#define matmul_bf16_add matmul_bf16_0_matmul_bf16_add
#undef matmul_bf16_reference
#define matmul_bf16_reference matmul_bf16_0_matmul_bf16_reference
#undef MATMUL_BF16_ENTRY
#define MATMUL_BF16_ENTRY extern "C" const void *const matmul_bf16_0_kernels[3]; \
	const void *const matmul_bf16_0_kernels[3] = { reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16_add) }
#endif
#elif MATMUL_BF16_SELECTED == 2
#undef CONSUMERS
#define CONSUMERS 2
#undef TILE_M
#define TILE_M 128
#undef TILE_N
#define TILE_N 256
#undef STAGES
#define STAGES 3
#undef CLUSTER
#define CLUSTER 2
#undef STORES
#define STORES 4
#undef GROUP
#define GROUP 16
#undef IDLE
#define IDLE 4
#undef PARTS
#define PARTS 1
#ifdef MATMUL_BF16_CONFIGURATION
#undef matmul_bf16
#define matmul_bf16 matmul_bf16_1
#undef matmul_bf16_add
#define matmul_bf16_add matmul_bf16_1_matmul_bf16_add
#undef matmul_bf16_reference
#define matmul_bf16_reference matmul_bf16_1_matmul_bf16_reference
#undef MATMUL_BF16_ENTRY
#define MATMUL_BF16_ENTRY extern "C" const void *const matmul_bf16_1_kernels[3]; \
	const void *const matmul_bf16_1_kernels[3] = { reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16_add) }
#endif
#elif MATMUL_BF16_SELECTED == 3
#undef CONSUMERS
#define CONSUMERS 1
#undef TILE_M
#define TILE_M 64
#undef TILE_N
#define TILE_N 128
#undef STAGES
#define STAGES 6
#undef CLUSTER
#define CLUSTER 1
#undef STORES
#define STORES 1
#undef GROUP
#define GROUP 4
#undef IDLE
#define IDLE 0
#undef PARTS
#define PARTS 4
#ifdef MATMUL_BF16_CONFIGURATION
#undef matmul_bf16
#define matmul_bf16 matmul_bf16_2
#undef matmul_bf16_add
#define matmul_bf16_add matmul_bf16_2_matmul_bf16_add
#undef matmul_bf16_reference
#define matmul_bf16_reference matmul_bf16_2_matmul_bf16_reference
#undef MATMUL_BF16_ENTRY
#define MATMUL_BF16_ENTRY extern "C" const void *const matmul_bf16_2_kernels[3]; \
	const void *const matmul_bf16_2_kernels[3] = { reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16_add) }
#endif
#elif MATMUL_BF16_SELECTED == 4
#undef CONSUMERS
#define CONSUMERS 2
#undef TILE_M
#define TILE_M 128
#undef TILE_N
#define TILE_N 128
#undef STAGES
#define STAGES 5
#undef CLUSTER
#define CLUSTER 1
#undef STORES
#define STORES 1
#undef GROUP
#define GROUP 16
#undef IDLE
#define IDLE 0
#undef PARTS
#define PARTS 4
#ifdef MATMUL_BF16_CONFIGURATION
#undef matmul_bf16
#define matmul_bf16 matmul_bf16_3
#undef matmul_bf16_add
#define matmul_bf16_add matmul_bf16_3_matmul_bf16_add
#undef matmul_bf16_reference
#define matmul_bf16_reference matmul_bf16_3_matmul_bf16_reference
#undef MATMUL_BF16_ENTRY
#define MATMUL_BF16_ENTRY extern "C" const void *const matmul_bf16_3_kernels[3]; \
	const void *const matmul_bf16_3_kernels[3] = { reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16_add) }
#endif
#elif MATMUL_BF16_SELECTED == 5
#undef CONSUMERS
#define CONSUMERS 2
#undef TILE_M
#define TILE_M 128
#undef TILE_N
#define TILE_N 128
#undef STAGES
#define STAGES 4
#undef CLUSTER
#define CLUSTER 1
#undef STORES
#define STORES 2
#undef GROUP
#define GROUP 8
#undef IDLE
#define IDLE 0
#undef PARTS
#define PARTS 1
#ifdef MATMUL_BF16_CONFIGURATION
#undef matmul_bf16
#define matmul_bf16 matmul_bf16_4
#undef matmul_bf16_add
#define matmul_bf16_add matmul_bf16_4_matmul_bf16_add
#undef matmul_bf16_reference
#define matmul_bf16_reference matmul_bf16_4_matmul_bf16_reference
#undef MATMUL_BF16_ENTRY
#define MATMUL_BF16_ENTRY extern "C" const void *const matmul_bf16_4_kernels[3]; \
	const void *const matmul_bf16_4_kernels[3] = { reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16), reinterpret_cast<const void *>(&matmul_bf16_add) }
#endif
#else
#error "MATMUL_BF16_BARE: say of which configuration, with MATMUL_BF16_CONFIGURATION, or with MATMUL_BF16_DEVICE and MATMUL_BF16_PROBLEM"
#endif
#endif
