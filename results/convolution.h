/*
 * convolution: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     6f0241e897aec265c5d36927c56e69db convolution.cfg
 *   template  a2127b7a0a57463ce45ed0c30b08a0a9 convolution.cu
 *   contents  0e4aafece7b6b93724d4af9e6f2bc9ab
 */
/*
 * convolution: 5 configurations, baselines included. The fastest correct ones are, for
 *
 * filter_5 on NVIDIA H100 80GB HBM3 (sm_90): HEIGHT = 8192, WIDTH = 8192, FILTER_SIZE = 5
 *   configuration  0: BLOCK_X=32 BLOCK_Y=8 TILE_X=4 TILE_Y=4 IMAGE=shared FILTER=constant PAD=1 UNROLL=0 USE_LDG=false
 *   time           280.36 us (95 % interval 279.87 to 280.84)
 *   speed-up       5.37 over the baseline (95 % interval 5.363 to 5.378)
 *   chosen from    363 evaluations, 363 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded
 *   measured       2026-11-23T00:44:38Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    f385ed68bd45d847ba0693e880ce7490
 *
 * filter_17 on NVIDIA H100 80GB HBM3 (sm_90): HEIGHT = 4096, WIDTH = 4096, FILTER_SIZE = 17
 *   configuration  1: BLOCK_X=16 BLOCK_Y=16 TILE_X=4 TILE_Y=2 IMAGE=shared FILTER=constant PAD=0 UNROLL=0 USE_LDG=false
 *   time           589.94 us (95 % interval 589.69 to 590.19)
 *   speed-up       6.169 over the baseline (95 % interval 6.169 to 6.17)
 *   chosen from    287 evaluations, 287 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:44:45Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    83044fe6519654d9c76c45b62f9d4945
 *
 * filter_5 on NVIDIA H200 (sm_90): HEIGHT = 8192, WIDTH = 8192, FILTER_SIZE = 5
 *   configuration  2: BLOCK_X=32 BLOCK_Y=8 TILE_X=4 TILE_Y=2 IMAGE=shared FILTER=constant PAD=0 UNROLL=0 USE_LDG=false
 *   time           273.5 us (95 % interval 272.97 to 274.04)
 *   speed-up       5.507 over the baseline (95 % interval 5.496 to 5.517)
 *   chosen from    291 evaluations, 291 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:02:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    f385ed68dbd2b459f2cc6e21dc1e76fc
 *
 * filter_17 on NVIDIA H200 (sm_90): HEIGHT = 4096, WIDTH = 4096, FILTER_SIZE = 17
 *   configuration  1: BLOCK_X=16 BLOCK_Y=16 TILE_X=4 TILE_Y=2 IMAGE=shared FILTER=constant PAD=0 UNROLL=0 USE_LDG=false
 *   time           589.57 us (95 % interval 589.32 to 589.81)
 *   speed-up       6.175 over the baseline (95 % interval 6.17 to 6.181)
 *   chosen from    401 evaluations, 401 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:02:06Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    83044fe60b73e03e79db867af8d6eaff
 *
 * To choose a configuration when the program runs: convolution_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * convolution_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of CONVOLUTION_CONFIGURATIONS in a translation unit of its own:
 * define CONVOLUTION_CONFIGURATION as n, define CONVOLUTION_BARE, include this header, then
 * the template. Its kernel is called convolution_n there. Give the compiler
 * CONVOLUTION_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names CONVOLUTION_... without a
 * number belong to one configuration. Define CONVOLUTION_CONFIGURATION, or
 * CONVOLUTION_DEVICE and CONVOLUTION_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. CONVOLUTION_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_CONVOLUTION_H
#define AUTOTUNE_CONVOLUTION_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_CONVOLUTION_CONTENTS 0x9d83bc290f9fc9f0ULL

/* the values that CONVOLUTION_CONFIGURATION, CONVOLUTION_DEVICE and CONVOLUTION_PROBLEM may have */
#define CONVOLUTION_CONFIGURATION_0 1
#define CONVOLUTION_CONFIGURATION_1 2
#define CONVOLUTION_CONFIGURATION_2 3
#define CONVOLUTION_CONFIGURATION_3 4
#define CONVOLUTION_CONFIGURATION_4 5
#define CONVOLUTION_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define CONVOLUTION_DEVICE_NVIDIA_H200 2
#define CONVOLUTION_PROBLEM_FILTER_5 1
#define CONVOLUTION_PROBLEM_FILTER_17 2

/* X(number, kernel) for every configuration */
#define CONVOLUTION_CONFIGURATION_COUNT 5
#define CONVOLUTION_CONFIGURATIONS(X) \
	X(0, convolution_0) \
	X(1, convolution_1) \
	X(2, convolution_2) \
	X(3, convolution_3) \
	X(4, convolution_4)
#define CONVOLUTION_DEVICE_COUNT 2
#define CONVOLUTION_IMAGE_cache 1
#define CONVOLUTION_IMAGE_shared 2
#define CONVOLUTION_FILTER_global 1
#define CONVOLUTION_FILTER_constant 2
#define CONVOLUTION_FILTER_shared 3

#define CONVOLUTION_0_BLOCK_X 32
#define CONVOLUTION_0_BLOCK_Y 8
#define CONVOLUTION_0_TILE_X 4
#define CONVOLUTION_0_TILE_Y 4
#define CONVOLUTION_0_IMAGE 2
#define CONVOLUTION_0_IMAGE_NAME "shared"
#define CONVOLUTION_0_FILTER 2
#define CONVOLUTION_0_FILTER_NAME "constant"
#define CONVOLUTION_0_PAD 1
#define CONVOLUTION_0_UNROLL 0
#define CONVOLUTION_0_USE_LDG 0
#define CONVOLUTION_0_NUMBER 0
#define CONVOLUTION_0_OPTIONS "-DFILTER_SIZE=5"
#define CONVOLUTION_0_BLOCK_DIM_X 32
#define CONVOLUTION_0_BLOCK_DIM_Y 8
#define CONVOLUTION_0_BLOCK_DIM_Z 1
#define CONVOLUTION_0_SHARED_BYTES 0

#define CONVOLUTION_1_BLOCK_X 16
#define CONVOLUTION_1_BLOCK_Y 16
#define CONVOLUTION_1_TILE_X 4
#define CONVOLUTION_1_TILE_Y 2
#define CONVOLUTION_1_IMAGE 2
#define CONVOLUTION_1_IMAGE_NAME "shared"
#define CONVOLUTION_1_FILTER 2
#define CONVOLUTION_1_FILTER_NAME "constant"
#define CONVOLUTION_1_PAD 0
#define CONVOLUTION_1_UNROLL 0
#define CONVOLUTION_1_USE_LDG 0
#define CONVOLUTION_1_NUMBER 1
#define CONVOLUTION_1_OPTIONS "-DFILTER_SIZE=17"
#define CONVOLUTION_1_BLOCK_DIM_X 16
#define CONVOLUTION_1_BLOCK_DIM_Y 16
#define CONVOLUTION_1_BLOCK_DIM_Z 1
#define CONVOLUTION_1_SHARED_BYTES 0

#define CONVOLUTION_2_BLOCK_X 32
#define CONVOLUTION_2_BLOCK_Y 8
#define CONVOLUTION_2_TILE_X 4
#define CONVOLUTION_2_TILE_Y 2
#define CONVOLUTION_2_IMAGE 2
#define CONVOLUTION_2_IMAGE_NAME "shared"
#define CONVOLUTION_2_FILTER 2
#define CONVOLUTION_2_FILTER_NAME "constant"
#define CONVOLUTION_2_PAD 0
#define CONVOLUTION_2_UNROLL 0
#define CONVOLUTION_2_USE_LDG 0
#define CONVOLUTION_2_NUMBER 2
#define CONVOLUTION_2_OPTIONS "-DFILTER_SIZE=5"
#define CONVOLUTION_2_BLOCK_DIM_X 32
#define CONVOLUTION_2_BLOCK_DIM_Y 8
#define CONVOLUTION_2_BLOCK_DIM_Z 1
#define CONVOLUTION_2_SHARED_BYTES 0

#define CONVOLUTION_3_BLOCK_X 16
#define CONVOLUTION_3_BLOCK_Y 16
#define CONVOLUTION_3_TILE_X 1
#define CONVOLUTION_3_TILE_Y 1
#define CONVOLUTION_3_IMAGE 1
#define CONVOLUTION_3_IMAGE_NAME "cache"
#define CONVOLUTION_3_FILTER 1
#define CONVOLUTION_3_FILTER_NAME "global"
#define CONVOLUTION_3_PAD 0
#define CONVOLUTION_3_UNROLL 1
#define CONVOLUTION_3_USE_LDG 0
#define CONVOLUTION_3_NUMBER 3
#define CONVOLUTION_3_OPTIONS "-DFILTER_SIZE=5"
#define CONVOLUTION_3_BLOCK_DIM_X 16
#define CONVOLUTION_3_BLOCK_DIM_Y 16
#define CONVOLUTION_3_BLOCK_DIM_Z 1
#define CONVOLUTION_3_SHARED_BYTES 0

#define CONVOLUTION_4_BLOCK_X 16
#define CONVOLUTION_4_BLOCK_Y 16
#define CONVOLUTION_4_TILE_X 1
#define CONVOLUTION_4_TILE_Y 1
#define CONVOLUTION_4_IMAGE 1
#define CONVOLUTION_4_IMAGE_NAME "cache"
#define CONVOLUTION_4_FILTER 1
#define CONVOLUTION_4_FILTER_NAME "global"
#define CONVOLUTION_4_PAD 0
#define CONVOLUTION_4_UNROLL 1
#define CONVOLUTION_4_USE_LDG 0
#define CONVOLUTION_4_NUMBER 4
#define CONVOLUTION_4_OPTIONS "-DFILTER_SIZE=17"
#define CONVOLUTION_4_BLOCK_DIM_X 16
#define CONVOLUTION_4_BLOCK_DIM_Y 16
#define CONVOLUTION_4_BLOCK_DIM_Z 1
#define CONVOLUTION_4_SHARED_BYTES 0

#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_5_CONFIGURATION 0
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_5_TIME_NS 280356.824510724
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_5_TIME_LOW_NS 279871.277765033
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_5_TIME_HIGH_NS 280843.213628108
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_5_SPEEDUP 5.37036998198473
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_5_SPEEDUP_LOW 5.36284324882106
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_5_SPEEDUP_HIGH 5.37790727889407

#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_17_CONFIGURATION 1
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_17_TIME_NS 589941.323000388
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_17_TIME_LOW_NS 589688.792804682
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_17_TIME_HIGH_NS 590193.961340426
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_17_SPEEDUP 6.16930488776115
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_17_SPEEDUP_LOW 6.16867608369481
#define CONVOLUTION_NVIDIA_H100_80GB_HBM3_FILTER_17_SPEEDUP_HIGH 6.16993375592463

#define CONVOLUTION_NVIDIA_H200_FILTER_5_CONFIGURATION 2
#define CONVOLUTION_NVIDIA_H200_FILTER_5_TIME_NS 273503.631391543
#define CONVOLUTION_NVIDIA_H200_FILTER_5_TIME_LOW_NS 272966.635045738
#define CONVOLUTION_NVIDIA_H200_FILTER_5_TIME_HIGH_NS 274041.684148786
#define CONVOLUTION_NVIDIA_H200_FILTER_5_SPEEDUP 5.5065202340316
#define CONVOLUTION_NVIDIA_H200_FILTER_5_SPEEDUP_LOW 5.49611129963726
#define CONVOLUTION_NVIDIA_H200_FILTER_5_SPEEDUP_HIGH 5.5169488816212

#define CONVOLUTION_NVIDIA_H200_FILTER_17_CONFIGURATION 1
#define CONVOLUTION_NVIDIA_H200_FILTER_17_TIME_NS 589567.972130807
#define CONVOLUTION_NVIDIA_H200_FILTER_17_TIME_LOW_NS 589322.99754086
#define CONVOLUTION_NVIDIA_H200_FILTER_17_TIME_HIGH_NS 589813.048553789
#define CONVOLUTION_NVIDIA_H200_FILTER_17_SPEEDUP 6.17545872567675
#define CONVOLUTION_NVIDIA_H200_FILTER_17_SPEEDUP_LOW 6.16983179391637
#define CONVOLUTION_NVIDIA_H200_FILTER_17_SPEEDUP_HIGH 6.18109078924008

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *convolution_device(int index)
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
static inline struct autotune_device convolution_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, convolution_device(i)))
			autotune_fill(&complete, convolution_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch convolution_launch(
	int configuration, const struct autotune_device *given, long long size_HEIGHT, long long size_WIDTH, long long size_FILTER_SIZE)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_HEIGHT; (void)size_WIDTH; (void)size_FILTER_SIZE;
	switch (configuration) {
	case 0:
		if (!(size_FILTER_SIZE == 5LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 128LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 32LL, &bad);
		amounts[3] = 32LL;
		amounts[4] = 8LL;
		break;
	case 1:
		if (!(size_FILTER_SIZE == 17LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 64LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 32LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		break;
	case 2:
		if (!(size_FILTER_SIZE == 5LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 128LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 16LL, &bad);
		amounts[3] = 32LL;
		amounts[4] = 8LL;
		break;
	case 3:
		if (!(size_FILTER_SIZE == 5LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 16LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 16LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		break;
	case 4:
		if (!(size_FILTER_SIZE == 17LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 16LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 16LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int convolution_fits(
	int configuration, const struct autotune_device *given, long long size_HEIGHT, long long size_WIDTH, long long size_FILTER_SIZE)
{
	const struct autotune_device complete = convolution_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_HEIGHT >= 1LL && size_HEIGHT <= 16384LL))
		bad = 1;
	if (!(size_WIDTH >= 1LL && size_WIDTH <= 16384LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * (IMAGE == 'shared' ? (BLOCK_Y * TILE_Y + FILTER_SIZE - 1) * (BLOCK_X * TILE_X + FILTER_SIZE - 1 + PAD) : 0) + 4 * (FILTER == 'shared' ? FILTER_SIZE * FILTER_SIZE : 0) <= device.max_shared_bytes_per_block */
		if (!(19152LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 19152;
		registers = 32;
		break;
	case 1:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * (IMAGE == 'shared' ? (BLOCK_Y * TILE_Y + FILTER_SIZE - 1) * (BLOCK_X * TILE_X + FILTER_SIZE - 1 + PAD) : 0) + 4 * (FILTER == 'shared' ? FILTER_SIZE * FILTER_SIZE : 0) <= device.max_shared_bytes_per_block */
		if (!(15360LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 15360;
		registers = 32;
		break;
	case 2:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * (IMAGE == 'shared' ? (BLOCK_Y * TILE_Y + FILTER_SIZE - 1) * (BLOCK_X * TILE_X + FILTER_SIZE - 1 + PAD) : 0) + 4 * (FILTER == 'shared' ? FILTER_SIZE * FILTER_SIZE : 0) <= device.max_shared_bytes_per_block */
		if (!(10560LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 10560;
		registers = 32;
		break;
	case 3:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * (IMAGE == 'shared' ? (BLOCK_Y * TILE_Y + FILTER_SIZE - 1) * (BLOCK_X * TILE_X + FILTER_SIZE - 1 + PAD) : 0) + 4 * (FILTER == 'shared' ? FILTER_SIZE * FILTER_SIZE : 0) <= device.max_shared_bytes_per_block */
		if (!(0LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 4:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * (IMAGE == 'shared' ? (BLOCK_Y * TILE_Y + FILTER_SIZE - 1) * (BLOCK_X * TILE_X + FILTER_SIZE - 1 + PAD) : 0) + 4 * (FILTER == 'shared' ? FILTER_SIZE * FILTER_SIZE : 0) <= device.max_shared_bytes_per_block */
		if (!(0LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	default:
		break;
	}
	launch = convolution_launch(configuration, given, size_HEIGHT, size_WIDTH, size_FILTER_SIZE);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice convolution_choose(
	const struct autotune_device *device, long long size_HEIGHT, long long size_WIDTH, long long size_FILTER_SIZE)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 8192, 8192 }, /* filter_5 */
		{ 4096, 4096 }, /* filter_17 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* filter_5 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* filter_17 on NVIDIA H100 80GB HBM3 */
		{ 2, 1, 0, 0 }, /* filter_5 on NVIDIA H200 */
		{ 1, 1, 1, 0 }, /* filter_17 on NVIDIA H200 */
		{ 3, 0, 0, 1 }, /* filter_5 on NVIDIA H100 80GB HBM3 */
		{ 4, 0, 1, 1 }, /* filter_17 on NVIDIA H100 80GB HBM3 */
		{ 3, 1, 0, 1 }, /* filter_5 on NVIDIA H200 */
		{ 4, 1, 1, 1 }, /* filter_17 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_HEIGHT), AUTOTUNE_CAST(double, size_WIDTH) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_HEIGHT; (void)size_WIDTH; (void)size_FILTER_SIZE;
	for (i = 0; device && i < 8; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			convolution_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			convolution_fits(entries[i][0], device, size_HEIGHT, size_WIDTH, size_FILTER_SIZE)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[384];

		snprintf(text, sizeof(text), "\"HEIGHT\": %lld, \"WIDTH\": %lld, \"FILTER_SIZE\": %lld", size_HEIGHT, size_WIDTH, size_FILTER_SIZE);
		autotune_note(file, "convolution", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/* There is no convolution_run(): the argument filter is copied to a variable of the template. */

#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef CONVOLUTION_SELECTED_DEVICE
#ifdef CONVOLUTION_DEVICE
#define CONVOLUTION_SELECTED_DEVICE AUTOTUNE_PASTE(CONVOLUTION_DEVICE_, CONVOLUTION_DEVICE)
#if !(CONVOLUTION_SELECTED_DEVICE > 0)
#error "CONVOLUTION_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define CONVOLUTION_SELECTED_DEVICE 0
#endif
#undef CONVOLUTION_SELECTED_PROBLEM
#ifdef CONVOLUTION_PROBLEM
#define CONVOLUTION_SELECTED_PROBLEM AUTOTUNE_PASTE(CONVOLUTION_PROBLEM_, CONVOLUTION_PROBLEM)
#if !(CONVOLUTION_SELECTED_PROBLEM > 0)
#error "CONVOLUTION_PROBLEM is not one of: FILTER_5, FILTER_17"
#endif
#else
#define CONVOLUTION_SELECTED_PROBLEM 0
#endif
#undef CONVOLUTION_SELECTED
#ifdef CONVOLUTION_CONFIGURATION
#define CONVOLUTION_SELECTED AUTOTUNE_PASTE(CONVOLUTION_CONFIGURATION_, CONVOLUTION_CONFIGURATION)
#if !(CONVOLUTION_SELECTED > 0)
#error "CONVOLUTION_CONFIGURATION is no number from 0 to 4"
#endif
#elif CONVOLUTION_SELECTED_DEVICE == 1 && CONVOLUTION_SELECTED_PROBLEM == 1
#define CONVOLUTION_SELECTED 1
#elif CONVOLUTION_SELECTED_DEVICE == 1 && CONVOLUTION_SELECTED_PROBLEM == 2
#define CONVOLUTION_SELECTED 2
#elif CONVOLUTION_SELECTED_DEVICE == 2 && CONVOLUTION_SELECTED_PROBLEM == 1
#define CONVOLUTION_SELECTED 3
#elif CONVOLUTION_SELECTED_DEVICE == 2 && CONVOLUTION_SELECTED_PROBLEM == 2
#define CONVOLUTION_SELECTED 2
#elif CONVOLUTION_SELECTED_DEVICE > 0 && CONVOLUTION_SELECTED_PROBLEM > 0
#error "CONVOLUTION_PROBLEM was not measured on CONVOLUTION_DEVICE; there are: FILTER_5 on NVIDIA_H100_80GB_HBM3, FILTER_17 on NVIDIA_H100_80GB_HBM3, FILTER_5 on NVIDIA_H200, FILTER_17 on NVIDIA_H200"
#else
#define CONVOLUTION_SELECTED 0
#endif
#undef CONVOLUTION_BLOCK_X
#undef CONVOLUTION_BLOCK_Y
#undef CONVOLUTION_TILE_X
#undef CONVOLUTION_TILE_Y
#undef CONVOLUTION_IMAGE
#undef CONVOLUTION_IMAGE_NAME
#undef CONVOLUTION_FILTER
#undef CONVOLUTION_FILTER_NAME
#undef CONVOLUTION_PAD
#undef CONVOLUTION_UNROLL
#undef CONVOLUTION_USE_LDG
#undef CONVOLUTION_NUMBER
#undef CONVOLUTION_OPTIONS
#undef CONVOLUTION_BLOCK_DIM_X
#undef CONVOLUTION_BLOCK_DIM_Y
#undef CONVOLUTION_BLOCK_DIM_Z
#undef CONVOLUTION_SHARED_BYTES
#if CONVOLUTION_SELECTED == 1
#define CONVOLUTION_BLOCK_X CONVOLUTION_0_BLOCK_X
#define CONVOLUTION_BLOCK_Y CONVOLUTION_0_BLOCK_Y
#define CONVOLUTION_TILE_X CONVOLUTION_0_TILE_X
#define CONVOLUTION_TILE_Y CONVOLUTION_0_TILE_Y
#define CONVOLUTION_IMAGE CONVOLUTION_0_IMAGE
#define CONVOLUTION_IMAGE_NAME CONVOLUTION_0_IMAGE_NAME
#define CONVOLUTION_FILTER CONVOLUTION_0_FILTER
#define CONVOLUTION_FILTER_NAME CONVOLUTION_0_FILTER_NAME
#define CONVOLUTION_PAD CONVOLUTION_0_PAD
#define CONVOLUTION_UNROLL CONVOLUTION_0_UNROLL
#define CONVOLUTION_USE_LDG CONVOLUTION_0_USE_LDG
#define CONVOLUTION_NUMBER CONVOLUTION_0_NUMBER
#define CONVOLUTION_OPTIONS CONVOLUTION_0_OPTIONS
#define CONVOLUTION_BLOCK_DIM_X CONVOLUTION_0_BLOCK_DIM_X
#define CONVOLUTION_BLOCK_DIM_Y CONVOLUTION_0_BLOCK_DIM_Y
#define CONVOLUTION_BLOCK_DIM_Z CONVOLUTION_0_BLOCK_DIM_Z
#define CONVOLUTION_SHARED_BYTES CONVOLUTION_0_SHARED_BYTES
#elif CONVOLUTION_SELECTED == 2
#define CONVOLUTION_BLOCK_X CONVOLUTION_1_BLOCK_X
#define CONVOLUTION_BLOCK_Y CONVOLUTION_1_BLOCK_Y
#define CONVOLUTION_TILE_X CONVOLUTION_1_TILE_X
#define CONVOLUTION_TILE_Y CONVOLUTION_1_TILE_Y
#define CONVOLUTION_IMAGE CONVOLUTION_1_IMAGE
#define CONVOLUTION_IMAGE_NAME CONVOLUTION_1_IMAGE_NAME
#define CONVOLUTION_FILTER CONVOLUTION_1_FILTER
#define CONVOLUTION_FILTER_NAME CONVOLUTION_1_FILTER_NAME
#define CONVOLUTION_PAD CONVOLUTION_1_PAD
#define CONVOLUTION_UNROLL CONVOLUTION_1_UNROLL
#define CONVOLUTION_USE_LDG CONVOLUTION_1_USE_LDG
#define CONVOLUTION_NUMBER CONVOLUTION_1_NUMBER
#define CONVOLUTION_OPTIONS CONVOLUTION_1_OPTIONS
#define CONVOLUTION_BLOCK_DIM_X CONVOLUTION_1_BLOCK_DIM_X
#define CONVOLUTION_BLOCK_DIM_Y CONVOLUTION_1_BLOCK_DIM_Y
#define CONVOLUTION_BLOCK_DIM_Z CONVOLUTION_1_BLOCK_DIM_Z
#define CONVOLUTION_SHARED_BYTES CONVOLUTION_1_SHARED_BYTES
#elif CONVOLUTION_SELECTED == 3
#define CONVOLUTION_BLOCK_X CONVOLUTION_2_BLOCK_X
#define CONVOLUTION_BLOCK_Y CONVOLUTION_2_BLOCK_Y
#define CONVOLUTION_TILE_X CONVOLUTION_2_TILE_X
#define CONVOLUTION_TILE_Y CONVOLUTION_2_TILE_Y
#define CONVOLUTION_IMAGE CONVOLUTION_2_IMAGE
#define CONVOLUTION_IMAGE_NAME CONVOLUTION_2_IMAGE_NAME
#define CONVOLUTION_FILTER CONVOLUTION_2_FILTER
#define CONVOLUTION_FILTER_NAME CONVOLUTION_2_FILTER_NAME
#define CONVOLUTION_PAD CONVOLUTION_2_PAD
#define CONVOLUTION_UNROLL CONVOLUTION_2_UNROLL
#define CONVOLUTION_USE_LDG CONVOLUTION_2_USE_LDG
#define CONVOLUTION_NUMBER CONVOLUTION_2_NUMBER
#define CONVOLUTION_OPTIONS CONVOLUTION_2_OPTIONS
#define CONVOLUTION_BLOCK_DIM_X CONVOLUTION_2_BLOCK_DIM_X
#define CONVOLUTION_BLOCK_DIM_Y CONVOLUTION_2_BLOCK_DIM_Y
#define CONVOLUTION_BLOCK_DIM_Z CONVOLUTION_2_BLOCK_DIM_Z
#define CONVOLUTION_SHARED_BYTES CONVOLUTION_2_SHARED_BYTES
#elif CONVOLUTION_SELECTED == 4
#define CONVOLUTION_BLOCK_X CONVOLUTION_3_BLOCK_X
#define CONVOLUTION_BLOCK_Y CONVOLUTION_3_BLOCK_Y
#define CONVOLUTION_TILE_X CONVOLUTION_3_TILE_X
#define CONVOLUTION_TILE_Y CONVOLUTION_3_TILE_Y
#define CONVOLUTION_IMAGE CONVOLUTION_3_IMAGE
#define CONVOLUTION_IMAGE_NAME CONVOLUTION_3_IMAGE_NAME
#define CONVOLUTION_FILTER CONVOLUTION_3_FILTER
#define CONVOLUTION_FILTER_NAME CONVOLUTION_3_FILTER_NAME
#define CONVOLUTION_PAD CONVOLUTION_3_PAD
#define CONVOLUTION_UNROLL CONVOLUTION_3_UNROLL
#define CONVOLUTION_USE_LDG CONVOLUTION_3_USE_LDG
#define CONVOLUTION_NUMBER CONVOLUTION_3_NUMBER
#define CONVOLUTION_OPTIONS CONVOLUTION_3_OPTIONS
#define CONVOLUTION_BLOCK_DIM_X CONVOLUTION_3_BLOCK_DIM_X
#define CONVOLUTION_BLOCK_DIM_Y CONVOLUTION_3_BLOCK_DIM_Y
#define CONVOLUTION_BLOCK_DIM_Z CONVOLUTION_3_BLOCK_DIM_Z
#define CONVOLUTION_SHARED_BYTES CONVOLUTION_3_SHARED_BYTES
#elif CONVOLUTION_SELECTED == 5
#define CONVOLUTION_BLOCK_X CONVOLUTION_4_BLOCK_X
#define CONVOLUTION_BLOCK_Y CONVOLUTION_4_BLOCK_Y
#define CONVOLUTION_TILE_X CONVOLUTION_4_TILE_X
#define CONVOLUTION_TILE_Y CONVOLUTION_4_TILE_Y
#define CONVOLUTION_IMAGE CONVOLUTION_4_IMAGE
#define CONVOLUTION_IMAGE_NAME CONVOLUTION_4_IMAGE_NAME
#define CONVOLUTION_FILTER CONVOLUTION_4_FILTER
#define CONVOLUTION_FILTER_NAME CONVOLUTION_4_FILTER_NAME
#define CONVOLUTION_PAD CONVOLUTION_4_PAD
#define CONVOLUTION_UNROLL CONVOLUTION_4_UNROLL
#define CONVOLUTION_USE_LDG CONVOLUTION_4_USE_LDG
#define CONVOLUTION_NUMBER CONVOLUTION_4_NUMBER
#define CONVOLUTION_OPTIONS CONVOLUTION_4_OPTIONS
#define CONVOLUTION_BLOCK_DIM_X CONVOLUTION_4_BLOCK_DIM_X
#define CONVOLUTION_BLOCK_DIM_Y CONVOLUTION_4_BLOCK_DIM_Y
#define CONVOLUTION_BLOCK_DIM_Z CONVOLUTION_4_BLOCK_DIM_Z
#define CONVOLUTION_SHARED_BYTES CONVOLUTION_4_SHARED_BYTES
#endif
#ifdef CONVOLUTION_BARE
#if CONVOLUTION_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 8
#undef TILE_X
#define TILE_X 4
#undef TILE_Y
#define TILE_Y 4
#undef IMAGE_cache
#define IMAGE_cache 1
#undef IMAGE_shared
#define IMAGE_shared 2
#undef IMAGE
#define IMAGE IMAGE_shared
#undef FILTER_global
#define FILTER_global 1
#undef FILTER_constant
#define FILTER_constant 2
#undef FILTER_shared
#define FILTER_shared 3
#undef FILTER
#define FILTER FILTER_constant
#undef PAD
#define PAD 1
#undef UNROLL
#define UNROLL 0
#undef USE_LDG
#define USE_LDG 0
#undef FILTER_SIZE
#define FILTER_SIZE 5
#ifdef CONVOLUTION_CONFIGURATION
#undef convolution
#define convolution convolution_0
#undef convolution_reference
#define convolution_reference convolution_0_convolution_reference
#undef filter_constant
#define filter_constant convolution_0_filter_constant
#undef CONVOLUTION_ENTRY
#define CONVOLUTION_ENTRY extern "C" const void *const convolution_0_kernels[1]; \
	const void *const convolution_0_kernels[1] = { reinterpret_cast<const void *>(&convolution) }
#endif
#elif CONVOLUTION_SELECTED == 2
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 16
#undef TILE_X
#define TILE_X 4
#undef TILE_Y
#define TILE_Y 2
#undef IMAGE_cache
#define IMAGE_cache 1
#undef IMAGE_shared
#define IMAGE_shared 2
#undef IMAGE
#define IMAGE IMAGE_shared
#undef FILTER_global
#define FILTER_global 1
#undef FILTER_constant
#define FILTER_constant 2
#undef FILTER_shared
#define FILTER_shared 3
#undef FILTER
#define FILTER FILTER_constant
#undef PAD
#define PAD 0
#undef UNROLL
#define UNROLL 0
#undef USE_LDG
#define USE_LDG 0
#undef FILTER_SIZE
#define FILTER_SIZE 17
#ifdef CONVOLUTION_CONFIGURATION
#undef convolution
#define convolution convolution_1
#undef convolution_reference
#define convolution_reference convolution_1_convolution_reference
#undef filter_constant
#define filter_constant convolution_1_filter_constant
#undef CONVOLUTION_ENTRY
#define CONVOLUTION_ENTRY extern "C" const void *const convolution_1_kernels[1]; \
	const void *const convolution_1_kernels[1] = { reinterpret_cast<const void *>(&convolution) }
#endif
#elif CONVOLUTION_SELECTED == 3
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 8
#undef TILE_X
#define TILE_X 4
#undef TILE_Y
#define TILE_Y 2
#undef IMAGE_cache
#define IMAGE_cache 1
#undef IMAGE_shared
#define IMAGE_shared 2
#undef IMAGE
#define IMAGE IMAGE_shared
#undef FILTER_global
#define FILTER_global 1
#undef FILTER_constant
#define FILTER_constant 2
#undef FILTER_shared
#define FILTER_shared 3
#undef FILTER
#define FILTER FILTER_constant
#undef PAD
#define PAD 0
#undef UNROLL
#define UNROLL 0
#undef USE_LDG
#define USE_LDG 0
#undef FILTER_SIZE
#define FILTER_SIZE 5
#ifdef CONVOLUTION_CONFIGURATION
#undef convolution
#define convolution convolution_2
#undef convolution_reference
#define convolution_reference convolution_2_convolution_reference
#undef filter_constant
#define filter_constant convolution_2_filter_constant
#undef CONVOLUTION_ENTRY
#define CONVOLUTION_ENTRY extern "C" const void *const convolution_2_kernels[1]; \
	const void *const convolution_2_kernels[1] = { reinterpret_cast<const void *>(&convolution) }
#endif
#elif CONVOLUTION_SELECTED == 4
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 16
#undef TILE_X
#define TILE_X 1
#undef TILE_Y
#define TILE_Y 1
#undef IMAGE_cache
#define IMAGE_cache 1
#undef IMAGE_shared
#define IMAGE_shared 2
#undef IMAGE
#define IMAGE IMAGE_cache
#undef FILTER_global
#define FILTER_global 1
#undef FILTER_constant
#define FILTER_constant 2
#undef FILTER_shared
#define FILTER_shared 3
#undef FILTER
#define FILTER FILTER_global
#undef PAD
#define PAD 0
#undef UNROLL
#define UNROLL 1
#undef USE_LDG
#define USE_LDG 0
#undef FILTER_SIZE
#define FILTER_SIZE 5
#ifdef CONVOLUTION_CONFIGURATION
#undef convolution
#define convolution convolution_3
#undef convolution_reference
#define convolution_reference convolution_3_convolution_reference
#undef filter_constant
#define filter_constant convolution_3_filter_constant
#undef CONVOLUTION_ENTRY
#define CONVOLUTION_ENTRY extern "C" const void *const convolution_3_kernels[1]; \
	const void *const convolution_3_kernels[1] = { reinterpret_cast<const void *>(&convolution) }
#endif
#elif CONVOLUTION_SELECTED == 5
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 16
#undef TILE_X
#define TILE_X 1
#undef TILE_Y
#define TILE_Y 1
#undef IMAGE_cache
#define IMAGE_cache 1
#undef IMAGE_shared
#define IMAGE_shared 2
#undef IMAGE
#define IMAGE IMAGE_cache
#undef FILTER_global
#define FILTER_global 1
#undef FILTER_constant
#define FILTER_constant 2
#undef FILTER_shared
#define FILTER_shared 3
#undef FILTER
#define FILTER FILTER_global
#undef PAD
#define PAD 0
#undef UNROLL
#define UNROLL 1
#undef USE_LDG
#define USE_LDG 0
#undef FILTER_SIZE
#define FILTER_SIZE 17
#ifdef CONVOLUTION_CONFIGURATION
#undef convolution
#define convolution convolution_4
#undef convolution_reference
#define convolution_reference convolution_4_convolution_reference
#undef filter_constant
#define filter_constant convolution_4_filter_constant
#undef CONVOLUTION_ENTRY
#define CONVOLUTION_ENTRY extern "C" const void *const convolution_4_kernels[1]; \
	const void *const convolution_4_kernels[1] = { reinterpret_cast<const void *>(&convolution) }
#endif
#else
#error "CONVOLUTION_BARE: say of which configuration, with CONVOLUTION_CONFIGURATION, or with CONVOLUTION_DEVICE and CONVOLUTION_PROBLEM"
#endif
#endif
