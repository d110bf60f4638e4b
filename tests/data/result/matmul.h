/*
 * matmul: 3 configurations, baselines included. The fastest correct ones are, for
 *
 * square 4096 on NVIDIA H200 (sm_90): M = 4096, N = 4096, K = 4096
 *   configuration  0: BLOCK_X=32 BLOCK_Y=2 OFFSET=-1 USE_LDG=true SCALE=0.1 CACHE=cg GRID_Y=2
 *   time           1.2346 ms (95 % interval 1.23 to 1.24)
 *   speed-up       2.025 over the baseline (95 % interval 2.013 to 2.038)
 *   chosen from    400 evaluations, 380 of them ok
 *   verified       2 data sets, 3 problems, 6 patterns, guarded, host
 *   measured       2025-11-21T09:05:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.1 (CUDA 13.0)
 *   source hash    00112233445566778899aabbccddeeff
 *
 * tall on NVIDIA H200 (sm_90): M = 65536, N = 64, K = 1024
 *   configuration  1: BLOCK_X=8 BLOCK_Y=8 OFFSET=0 USE_LDG=false SCALE=-1.5 CACHE=ca GRID_Y=1
 *   time           812.5 ns
 *   speed-up       not known: the baseline was not timed
 *   chosen from    400 evaluations, 380 of them ok
 *   verified       2 data sets, 3 problems, 6 patterns, guarded, host
 *   measured       2025-11-21T09:05:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.1 (CUDA 13.0)
 *   source hash    00112233445566778899aabbccddeeff
 *
 * To choose a configuration when the program runs: matmul_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * matmul_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of MATMUL_CONFIGURATIONS in a translation unit of its own:
 * define MATMUL_CONFIGURATION as n, define MATMUL_BARE, include this header, then
 * the template. Its kernel is called matmul_n there. Give the compiler
 * MATMUL_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names MATMUL_... without a
 * number belong to one configuration. Define MATMUL_CONFIGURATION, or
 * MATMUL_DEVICE and MATMUL_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. MATMUL_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_MATMUL_H
#define AUTOTUNE_MATMUL_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_MATMUL_CONTENTS 0x0000000000000000ULL

/* the values that MATMUL_CONFIGURATION, MATMUL_DEVICE and MATMUL_PROBLEM may have */
#define MATMUL_CONFIGURATION_0 1
#define MATMUL_CONFIGURATION_1 2
#define MATMUL_CONFIGURATION_2 3
#define MATMUL_DEVICE_NVIDIA_H200 1
#define MATMUL_PROBLEM_SQUARE_4096 1
#define MATMUL_PROBLEM_TALL 3

/* X(number, kernel) for every configuration */
#define MATMUL_CONFIGURATION_COUNT 3
#define MATMUL_CONFIGURATIONS(X) \
	X(0, matmul_0) \
	X(1, matmul_1) \
	X(2, matmul_2)
#define MATMUL_DEVICE_COUNT 1
#define MATMUL_CACHE_ca 1
#define MATMUL_CACHE_cg 2
#define MATMUL_CACHE_cs 3

#define MATMUL_0_BLOCK_X 32
#define MATMUL_0_BLOCK_Y 2
#define MATMUL_0_OFFSET (-1)
#define MATMUL_0_USE_LDG 1
#define MATMUL_0_SCALE 0.1
#define MATMUL_0_CACHE 2
#define MATMUL_0_CACHE_NAME "cg"
#define MATMUL_0_GRID_Y 2
#define MATMUL_0_NUMBER 0
#define MATMUL_0_OPTIONS "--ptxas-options=-dlcm=cg -DTEXT=\"a\""
#define MATMUL_0_BLOCK_DIM_X 32
#define MATMUL_0_BLOCK_DIM_Y 2
#define MATMUL_0_BLOCK_DIM_Z 1

#define MATMUL_1_BLOCK_X 8
#define MATMUL_1_BLOCK_Y 8
#define MATMUL_1_OFFSET 0
#define MATMUL_1_USE_LDG 0
#define MATMUL_1_SCALE (-1.5)
#define MATMUL_1_CACHE 1
#define MATMUL_1_CACHE_NAME "ca"
#define MATMUL_1_GRID_Y 1
#define MATMUL_1_NUMBER 1
#define MATMUL_1_OPTIONS ""
#define MATMUL_1_BLOCK_DIM_X 8
#define MATMUL_1_BLOCK_DIM_Y 8
#define MATMUL_1_BLOCK_DIM_Z 1
#define MATMUL_1_SHARED_BYTES 0

#define MATMUL_2_BLOCK_X 16
#define MATMUL_2_BLOCK_Y 1
#define MATMUL_2_OFFSET 0
#define MATMUL_2_USE_LDG 0
#define MATMUL_2_SCALE 2.0
#define MATMUL_2_CACHE 1
#define MATMUL_2_CACHE_NAME "ca"
#define MATMUL_2_GRID_Y 1
#define MATMUL_2_NUMBER 2
#define MATMUL_2_OPTIONS "--ptxas-options=-dlcm=ca -DTEXT=\"a\""
#define MATMUL_2_BLOCK_DIM_X 16
#define MATMUL_2_BLOCK_DIM_Y 1
#define MATMUL_2_BLOCK_DIM_Z 1
#define MATMUL_2_SHARED_BYTES 0

#define MATMUL_NVIDIA_H200_SQUARE_4096_CONFIGURATION 0
#define MATMUL_NVIDIA_H200_SQUARE_4096_TIME_NS 1234567.25
#define MATMUL_NVIDIA_H200_SQUARE_4096_TIME_LOW_NS 1230000.0
#define MATMUL_NVIDIA_H200_SQUARE_4096_TIME_HIGH_NS 1240000.5
#define MATMUL_NVIDIA_H200_SQUARE_4096_SPEEDUP 2.025
#define MATMUL_NVIDIA_H200_SQUARE_4096_SPEEDUP_LOW 2.0125
#define MATMUL_NVIDIA_H200_SQUARE_4096_SPEEDUP_HIGH 2.0375

#define MATMUL_NVIDIA_H200_TALL_CONFIGURATION 1
#define MATMUL_NVIDIA_H200_TALL_TIME_NS 812.5

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *matmul_device(int index)
{
	static const struct autotune_device devices[] = {
		{ "NVIDIA H200", 9, 0,
			132, 32, 0, 0, 0, 0, 0, 0, 0, 0,
			0, 0, 0, 0, 0, 0, 0, 0, 151397597184, 0,
			0, 0, 0, 0 },
	};

	return index >= 0 && index < 1 ? &devices[index] : AUTOTUNE_NULL;
}

/* Completes a device with what is recorded of it, or what all such devices have. */
static inline struct autotune_device matmul_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 1; i++)
		if (autotune_is_same_device(device, matmul_device(i)))
			autotune_fill(&complete, matmul_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch matmul_launch(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	static const int devices[] = { 0, 0, 0 };
	const int is_known = configuration >= 0 && configuration < 3;
	const struct autotune_device complete = matmul_complete(
		given ? given : matmul_device(devices[is_known ? configuration : 0]));
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_min(autotune_ceil_div(size_N, 32LL, &bad), autotune_multiply(4LL, autotune_known(complete.multiprocessor_count, &bad), &bad));
		amounts[1] = autotune_divide(autotune_ceil_div(size_M, 2LL, &bad), 2LL, &bad);
		amounts[3] = 32LL;
		amounts[4] = 2LL;
		amounts[6] = autotune_multiply(128LL, autotune_min(size_K, 64LL), &bad);
		break;
	case 1:
		amounts[0] = autotune_min(autotune_ceil_div(size_N, 8LL, &bad), autotune_multiply(4LL, autotune_known(complete.multiprocessor_count, &bad), &bad));
		amounts[1] = autotune_divide(autotune_ceil_div(size_M, 8LL, &bad), 1LL, &bad);
		amounts[3] = 8LL;
		amounts[4] = 8LL;
		amounts[6] = 0LL;
		break;
	case 2:
		amounts[0] = autotune_min(autotune_ceil_div(size_N, 16LL, &bad), autotune_multiply(4LL, autotune_known(complete.multiprocessor_count, &bad), &bad));
		amounts[1] = autotune_divide(autotune_ceil_div(size_M, 1LL, &bad), 1LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 1LL;
		amounts[6] = 0LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int matmul_fits(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	const struct autotune_device complete = matmul_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	switch (configuration) {
	case 0:
		static_bytes = 0;
		registers = 128;
		break;
	case 1:
		static_bytes = 8192;
		registers = 128;
		break;
	case 2:
		static_bytes = 8192;
		registers = 128;
		break;
	default:
		break;
	}
	launch = matmul_launch(configuration, given, size_M, size_N, size_K);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice matmul_choose(
	const struct autotune_device *device, long long size_M, long long size_N, long long size_K)
{
	/* the sizes that were measured */
	static const double recorded[][3] = {
		{ 4096, 4096, 4096 }, /* square 4096 */
		{ 65536, 64, 1024 }, /* tall */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* square 4096 on NVIDIA H200 */
		{ 1, 0, 1, 0 }, /* tall on NVIDIA H200 */
		{ 2, 0, 0, 1 }, /* square 4096 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_M), AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_K) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_M; (void)size_N; (void)size_K;
	for (i = 0; device && i < 3; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			matmul_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 3);

		if (autotune_is_better(&rank, &best) &&
			matmul_fits(entries[i][0], device, size_M, size_N, size_K)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 3)) {
		char text[384];

		snprintf(text, sizeof(text), "\"M\": %lld, \"N\": %lld, \"K\": %lld", size_M, size_N, size_K);
		autotune_note(file, "matmul", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/* There is no matmul_run(): the argument A is copied to a variable of the template. */

#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef MATMUL_SELECTED_DEVICE
#ifdef MATMUL_DEVICE
#define MATMUL_SELECTED_DEVICE AUTOTUNE_PASTE(MATMUL_DEVICE_, MATMUL_DEVICE)
#if !(MATMUL_SELECTED_DEVICE > 0)
#error "MATMUL_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define MATMUL_SELECTED_DEVICE 0
#endif
#undef MATMUL_SELECTED_PROBLEM
#ifdef MATMUL_PROBLEM
#define MATMUL_SELECTED_PROBLEM AUTOTUNE_PASTE(MATMUL_PROBLEM_, MATMUL_PROBLEM)
#if !(MATMUL_SELECTED_PROBLEM > 0)
#error "MATMUL_PROBLEM is not one of: SQUARE_4096, TALL"
#endif
#else
#define MATMUL_SELECTED_PROBLEM 0
#endif
#undef MATMUL_SELECTED
#ifdef MATMUL_CONFIGURATION
#define MATMUL_SELECTED AUTOTUNE_PASTE(MATMUL_CONFIGURATION_, MATMUL_CONFIGURATION)
#if !(MATMUL_SELECTED > 0)
#error "MATMUL_CONFIGURATION is no number from 0 to 2"
#endif
#elif MATMUL_SELECTED_DEVICE == 1 && MATMUL_SELECTED_PROBLEM == 1
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE == 0 && MATMUL_SELECTED_PROBLEM == 1
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE == 1 && MATMUL_SELECTED_PROBLEM == 3
#define MATMUL_SELECTED 2
#elif MATMUL_SELECTED_DEVICE == 0 && MATMUL_SELECTED_PROBLEM == 3
#define MATMUL_SELECTED 2
#elif MATMUL_SELECTED_DEVICE > 0 && MATMUL_SELECTED_PROBLEM > 0
#error "MATMUL_PROBLEM was not measured on MATMUL_DEVICE; there are: SQUARE_4096 on NVIDIA_H200, TALL on NVIDIA_H200"
#else
#define MATMUL_SELECTED 0
#endif
#undef MATMUL_BLOCK_X
#undef MATMUL_BLOCK_Y
#undef MATMUL_OFFSET
#undef MATMUL_USE_LDG
#undef MATMUL_SCALE
#undef MATMUL_CACHE
#undef MATMUL_CACHE_NAME
#undef MATMUL_GRID_Y
#undef MATMUL_NUMBER
#undef MATMUL_OPTIONS
#undef MATMUL_BLOCK_DIM_X
#undef MATMUL_BLOCK_DIM_Y
#undef MATMUL_BLOCK_DIM_Z
#undef MATMUL_SHARED_BYTES
#if MATMUL_SELECTED == 1
#define MATMUL_BLOCK_X MATMUL_0_BLOCK_X
#define MATMUL_BLOCK_Y MATMUL_0_BLOCK_Y
#define MATMUL_OFFSET MATMUL_0_OFFSET
#define MATMUL_USE_LDG MATMUL_0_USE_LDG
#define MATMUL_SCALE MATMUL_0_SCALE
#define MATMUL_CACHE MATMUL_0_CACHE
#define MATMUL_CACHE_NAME MATMUL_0_CACHE_NAME
#define MATMUL_GRID_Y MATMUL_0_GRID_Y
#define MATMUL_NUMBER MATMUL_0_NUMBER
#define MATMUL_OPTIONS MATMUL_0_OPTIONS
#define MATMUL_BLOCK_DIM_X MATMUL_0_BLOCK_DIM_X
#define MATMUL_BLOCK_DIM_Y MATMUL_0_BLOCK_DIM_Y
#define MATMUL_BLOCK_DIM_Z MATMUL_0_BLOCK_DIM_Z
#elif MATMUL_SELECTED == 2
#define MATMUL_BLOCK_X MATMUL_1_BLOCK_X
#define MATMUL_BLOCK_Y MATMUL_1_BLOCK_Y
#define MATMUL_OFFSET MATMUL_1_OFFSET
#define MATMUL_USE_LDG MATMUL_1_USE_LDG
#define MATMUL_SCALE MATMUL_1_SCALE
#define MATMUL_CACHE MATMUL_1_CACHE
#define MATMUL_CACHE_NAME MATMUL_1_CACHE_NAME
#define MATMUL_GRID_Y MATMUL_1_GRID_Y
#define MATMUL_NUMBER MATMUL_1_NUMBER
#define MATMUL_OPTIONS MATMUL_1_OPTIONS
#define MATMUL_BLOCK_DIM_X MATMUL_1_BLOCK_DIM_X
#define MATMUL_BLOCK_DIM_Y MATMUL_1_BLOCK_DIM_Y
#define MATMUL_BLOCK_DIM_Z MATMUL_1_BLOCK_DIM_Z
#define MATMUL_SHARED_BYTES MATMUL_1_SHARED_BYTES
#elif MATMUL_SELECTED == 3
#define MATMUL_BLOCK_X MATMUL_2_BLOCK_X
#define MATMUL_BLOCK_Y MATMUL_2_BLOCK_Y
#define MATMUL_OFFSET MATMUL_2_OFFSET
#define MATMUL_USE_LDG MATMUL_2_USE_LDG
#define MATMUL_SCALE MATMUL_2_SCALE
#define MATMUL_CACHE MATMUL_2_CACHE
#define MATMUL_CACHE_NAME MATMUL_2_CACHE_NAME
#define MATMUL_GRID_Y MATMUL_2_GRID_Y
#define MATMUL_NUMBER MATMUL_2_NUMBER
#define MATMUL_OPTIONS MATMUL_2_OPTIONS
#define MATMUL_BLOCK_DIM_X MATMUL_2_BLOCK_DIM_X
#define MATMUL_BLOCK_DIM_Y MATMUL_2_BLOCK_DIM_Y
#define MATMUL_BLOCK_DIM_Z MATMUL_2_BLOCK_DIM_Z
#define MATMUL_SHARED_BYTES MATMUL_2_SHARED_BYTES
#endif
#ifdef MATMUL_BARE
#if MATMUL_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 2
#undef OFFSET
#define OFFSET (-1)
#undef USE_LDG
#define USE_LDG 1
#undef SCALE
#define SCALE 0.1
#undef CACHE_ca
#define CACHE_ca 1
#undef CACHE_cg
#define CACHE_cg 2
#undef CACHE_cs
#define CACHE_cs 3
#undef CACHE
#define CACHE CACHE_cg
#undef GRID_Y
#define GRID_Y 2
#undef TEXT
#define TEXT "a"
#ifdef MATMUL_CONFIGURATION
#undef matmul
#define matmul matmul_0
#undef reference
#define reference matmul_0_reference
#undef factors
#define factors matmul_0_factors
#undef helper
#define helper matmul_0_helper
#undef MATMUL_ENTRY
#define MATMUL_ENTRY extern "C" const void *const matmul_0_kernels[1]; \
	const void *const matmul_0_kernels[1] = { reinterpret_cast<const void *>(&matmul) }
#endif
#elif MATMUL_SELECTED == 2
#undef BLOCK_X
#define BLOCK_X 8
#undef BLOCK_Y
#define BLOCK_Y 8
#undef OFFSET
#define OFFSET 0
#undef USE_LDG
#define USE_LDG 0
#undef SCALE
#define SCALE (-1.5)
#undef CACHE_ca
#define CACHE_ca 1
#undef CACHE_cg
#define CACHE_cg 2
#undef CACHE_cs
#define CACHE_cs 3
#undef CACHE
#define CACHE CACHE_ca
#undef GRID_Y
#define GRID_Y 1
#ifdef MATMUL_CONFIGURATION
#undef matmul
#define matmul matmul_1
#undef reference
#define reference matmul_1_reference
#undef factors
#define factors matmul_1_factors
#undef helper
#define helper matmul_1_helper
#undef MATMUL_ENTRY
#define MATMUL_ENTRY extern "C" const void *const matmul_1_kernels[1]; \
	const void *const matmul_1_kernels[1] = { reinterpret_cast<const void *>(&matmul) }
#endif
#elif MATMUL_SELECTED == 3
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 1
#undef OFFSET
#define OFFSET 0
#undef USE_LDG
#define USE_LDG 0
#undef SCALE
#define SCALE 2.0
#undef CACHE_ca
#define CACHE_ca 1
#undef CACHE_cg
#define CACHE_cg 2
#undef CACHE_cs
#define CACHE_cs 3
#undef CACHE
#define CACHE CACHE_ca
#undef GRID_Y
#define GRID_Y 1
#undef TEXT
#define TEXT "a"
#ifdef MATMUL_CONFIGURATION
#undef matmul
#define matmul matmul_2
#undef reference
#define reference matmul_2_reference
#undef factors
#define factors matmul_2_factors
#undef helper
#define helper matmul_2_helper
#undef MATMUL_ENTRY
#define MATMUL_ENTRY extern "C" const void *const matmul_2_kernels[1]; \
	const void *const matmul_2_kernels[1] = { reinterpret_cast<const void *>(&matmul) }
#endif
#else
#error "MATMUL_BARE: say of which configuration, with MATMUL_CONFIGURATION, or with MATMUL_DEVICE and MATMUL_PROBLEM"
#endif
#endif
