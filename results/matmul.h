/*
 * matmul: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     1c2bc6e93d4e1ca2b869b699bd16ceb7 matmul.cfg
 *   template  baf159cc621a1feccd54505c2fd07911 matmul.cu
 *   contents  3a9d34bddba71af2b59bbb51f45bc1cc
 */
/*
 * matmul: 2 configurations, baselines included. The fastest correct ones are, for
 *
 * square_4096 on NVIDIA H200 (sm_90): M = 4096, N = 4096, K = 4096
 *   configuration  0: BLOCK_X=32 BLOCK_Y=8 TILE_M=8 TILE_N=16 TILE_K=8 LANES=1 SLICES=1 CLUSTER=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=2 COPY=async SPREAD=1 UNROLL=0 FRAGMENTS=2 ORDER=down LOOSE=true RESIDENT=1
 *   time           2.5629 ms (95 % interval 2.5596 to 2.5662)
 *   speed-up       13.8 over the baseline (95 % interval 13.79 to 13.82)
 *   chosen from    238 evaluations, 238 of them ok
 *   verified       partly, 1 of 17 cases: 2 data sets, 1 different case, 13 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:52:05Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    d979a872fdceee9217d9e9b1c4292f37
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
#define AUTOTUNE_MATMUL_CONTENTS 0x724e7ca70bb6f6a5ULL

/* the values that MATMUL_CONFIGURATION, MATMUL_DEVICE and MATMUL_PROBLEM may have */
#define MATMUL_CONFIGURATION_0 1
#define MATMUL_CONFIGURATION_1 2
#define MATMUL_DEVICE_NVIDIA_H200 1
#define MATMUL_PROBLEM_SQUARE_4096 1

/* X(number, kernel) for every configuration */
#define MATMUL_CONFIGURATION_COUNT 2
#define MATMUL_CONFIGURATIONS(X) \
	X(0, matmul_0) \
	X(1, matmul_1)
#define MATMUL_DEVICE_COUNT 1
#define MATMUL_COPY_registers 1
#define MATMUL_COPY_mixed 2
#define MATMUL_COPY_async 3
#define MATMUL_ORDER_rows 1
#define MATMUL_ORDER_across 2
#define MATMUL_ORDER_down 3

#define MATMUL_0_BLOCK_X 32
#define MATMUL_0_BLOCK_Y 8
#define MATMUL_0_TILE_M 8
#define MATMUL_0_TILE_N 16
#define MATMUL_0_TILE_K 8
#define MATMUL_0_LANES 1
#define MATMUL_0_SLICES 1
#define MATMUL_0_CLUSTER 1
#define MATMUL_0_VECTOR 4
#define MATMUL_0_USE_LDG 0
#define MATMUL_0_PAD 4
#define MATMUL_0_STAGES 2
#define MATMUL_0_COPY 3
#define MATMUL_0_COPY_NAME "async"
#define MATMUL_0_SPREAD 1
#define MATMUL_0_UNROLL 0
#define MATMUL_0_FRAGMENTS 2
#define MATMUL_0_ORDER 3
#define MATMUL_0_ORDER_NAME "down"
#define MATMUL_0_LOOSE 1
#define MATMUL_0_RESIDENT 1
#define MATMUL_0_NUMBER 0
#define MATMUL_0_OPTIONS ""
#define MATMUL_0_BLOCK_DIM_X 32
#define MATMUL_0_BLOCK_DIM_Y 8
#define MATMUL_0_BLOCK_DIM_Z 1
#define MATMUL_0_SHARED_BYTES 37120

#define MATMUL_1_BLOCK_X 16
#define MATMUL_1_BLOCK_Y 16
#define MATMUL_1_TILE_M 1
#define MATMUL_1_TILE_N 1
#define MATMUL_1_TILE_K 16
#define MATMUL_1_LANES 2
#define MATMUL_1_SLICES 1
#define MATMUL_1_CLUSTER 1
#define MATMUL_1_VECTOR 1
#define MATMUL_1_USE_LDG 0
#define MATMUL_1_PAD 0
#define MATMUL_1_STAGES 1
#define MATMUL_1_COPY 1
#define MATMUL_1_COPY_NAME "registers"
#define MATMUL_1_SPREAD 1
#define MATMUL_1_UNROLL 1
#define MATMUL_1_FRAGMENTS 1
#define MATMUL_1_ORDER 1
#define MATMUL_1_ORDER_NAME "rows"
#define MATMUL_1_LOOSE 0
#define MATMUL_1_RESIDENT 1
#define MATMUL_1_NUMBER 1
#define MATMUL_1_OPTIONS ""
#define MATMUL_1_BLOCK_DIM_X 16
#define MATMUL_1_BLOCK_DIM_Y 16
#define MATMUL_1_BLOCK_DIM_Z 1
#define MATMUL_1_SHARED_BYTES 2048

#define MATMUL_NVIDIA_H200_SQUARE_4096_CONFIGURATION 0
#define MATMUL_NVIDIA_H200_SQUARE_4096_TIME_NS 2562882.5006392
#define MATMUL_NVIDIA_H200_SQUARE_4096_TIME_LOW_NS 2559597.15146455
#define MATMUL_NVIDIA_H200_SQUARE_4096_TIME_HIGH_NS 2566172.06669587
#define MATMUL_NVIDIA_H200_SQUARE_4096_SPEEDUP 13.8044963839531
#define MATMUL_NVIDIA_H200_SQUARE_4096_SPEEDUP_LOW 13.7900152241567
#define MATMUL_NVIDIA_H200_SQUARE_4096_SPEEDUP_HIGH 13.8189927506934

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *matmul_device(int index)
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
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 512LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 8LL;
		amounts[5] = 1LL;
		amounts[6] = 37120LL;
		break;
	case 1:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 16LL, &bad), autotune_ceil_div(size_N, 16LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		amounts[5] = 1LL;
		amounts[6] = 2048LL;
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

	/* the domain */
	if (!(size_M >= 1LL && size_M <= 16384LL))
		bad = 1;
	if (!(size_N >= 1LL && size_N <= 16384LL))
		bad = 1;
	if (!(size_K >= 1LL && size_K <= 16384LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(37120LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 201;
		break;
	case 1:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(2048LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 26;
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
		{ 4096, 4096, 4096 }, /* square_4096 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* square_4096 on NVIDIA H200 */
		{ 1, 0, 0, 1 }, /* square_4096 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_M), AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_K) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_M; (void)size_N; (void)size_K;
	for (i = 0; device && i < 2; i++) {
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
/*
 * Launches the best configuration:
 *
 *   matmul_run(&device, stream, M, N, K, A, B, C)
 *
 *   A              const float *
 *   B              const float *
 *   C              float *
 *   M              computed: M
 *   N              computed: N
 *   K              computed: K
 *
 * matmul_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line MATMUL_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. matmul_run_by() launches with
 * functions of its caller.
 */
#define MATMUL_RUN_PARAMETERS \
	, long long size_M, long long size_N, long long size_K, const float *argument_A, const float *argument_B, float *argument_C
#define MATMUL_RUN_ARGUMENTS \
	, size_M, size_N, size_K, argument_A, argument_B, argument_C

static inline int matmul_run_by(struct autotune_runner *runner,
	const struct autotune_device *given MATMUL_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? matmul_choose(given, size_M, size_N, size_K).configuration : runner->configuration;
	int bad = 0;
	long long value_M = 0;
	int argument_M = 0;
	long long value_N = 0;
	int argument_N = 0;
	long long value_K = 0;
	int argument_K = 0;
	int error;

	if (!given || configuration < 0 || !matmul_fits(configuration, given, size_M, size_N, size_K))
		return runner->refused;
	value_M = size_M;
	value_N = size_N;
	value_K = size_K;
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
	/* matmul */
	if (!error) {
		void *arguments[] = { &argument_A, &argument_B, &argument_C, &argument_M, &argument_N, &argument_K };
		const struct autotune_launch launch =
			matmul_launch(configuration, given, size_M, size_N, size_K);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_MATMUL_RUN)
#define AUTOTUNE_MATMUL_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const matmul_0_kernels[1];
extern const void *const matmul_1_kernels[1];
#ifdef __cplusplus
}
#endif

/* As matmul_run(), with a configuration that was chosen before. */
static inline cudaError_t matmul_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream MATMUL_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { matmul_0_kernels, matmul_1_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		matmul_run_by(&runner, device MATMUL_RUN_ARGUMENTS));
}

static inline cudaError_t matmul_run(
	const struct autotune_device *device, cudaStream_t stream MATMUL_RUN_PARAMETERS)
{
	return matmul_run_configuration(
		AUTOTUNE_CHOOSE, device, stream MATMUL_RUN_ARGUMENTS);
}
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
#error "MATMUL_PROBLEM is not one of: SQUARE_4096"
#endif
#else
#define MATMUL_SELECTED_PROBLEM 0
#endif
#undef MATMUL_SELECTED
#ifdef MATMUL_CONFIGURATION
#define MATMUL_SELECTED AUTOTUNE_PASTE(MATMUL_CONFIGURATION_, MATMUL_CONFIGURATION)
#if !(MATMUL_SELECTED > 0)
#error "MATMUL_CONFIGURATION is no number from 0 to 1"
#endif
#elif MATMUL_SELECTED_DEVICE == 1 && MATMUL_SELECTED_PROBLEM == 1
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE == 1 && MATMUL_SELECTED_PROBLEM == 0
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE == 0 && MATMUL_SELECTED_PROBLEM == 1
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE == 0 && MATMUL_SELECTED_PROBLEM == 0
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE > 0 && MATMUL_SELECTED_PROBLEM > 0
#error "MATMUL_PROBLEM was not measured on MATMUL_DEVICE; there are: SQUARE_4096 on NVIDIA_H200"
#else
#define MATMUL_SELECTED 0
#endif
#undef MATMUL_BLOCK_X
#undef MATMUL_BLOCK_Y
#undef MATMUL_TILE_M
#undef MATMUL_TILE_N
#undef MATMUL_TILE_K
#undef MATMUL_LANES
#undef MATMUL_SLICES
#undef MATMUL_CLUSTER
#undef MATMUL_VECTOR
#undef MATMUL_USE_LDG
#undef MATMUL_PAD
#undef MATMUL_STAGES
#undef MATMUL_COPY
#undef MATMUL_COPY_NAME
#undef MATMUL_SPREAD
#undef MATMUL_UNROLL
#undef MATMUL_FRAGMENTS
#undef MATMUL_ORDER
#undef MATMUL_ORDER_NAME
#undef MATMUL_LOOSE
#undef MATMUL_RESIDENT
#undef MATMUL_NUMBER
#undef MATMUL_OPTIONS
#undef MATMUL_BLOCK_DIM_X
#undef MATMUL_BLOCK_DIM_Y
#undef MATMUL_BLOCK_DIM_Z
#undef MATMUL_SHARED_BYTES
#if MATMUL_SELECTED == 1
#define MATMUL_BLOCK_X MATMUL_0_BLOCK_X
#define MATMUL_BLOCK_Y MATMUL_0_BLOCK_Y
#define MATMUL_TILE_M MATMUL_0_TILE_M
#define MATMUL_TILE_N MATMUL_0_TILE_N
#define MATMUL_TILE_K MATMUL_0_TILE_K
#define MATMUL_LANES MATMUL_0_LANES
#define MATMUL_SLICES MATMUL_0_SLICES
#define MATMUL_CLUSTER MATMUL_0_CLUSTER
#define MATMUL_VECTOR MATMUL_0_VECTOR
#define MATMUL_USE_LDG MATMUL_0_USE_LDG
#define MATMUL_PAD MATMUL_0_PAD
#define MATMUL_STAGES MATMUL_0_STAGES
#define MATMUL_COPY MATMUL_0_COPY
#define MATMUL_COPY_NAME MATMUL_0_COPY_NAME
#define MATMUL_SPREAD MATMUL_0_SPREAD
#define MATMUL_UNROLL MATMUL_0_UNROLL
#define MATMUL_FRAGMENTS MATMUL_0_FRAGMENTS
#define MATMUL_ORDER MATMUL_0_ORDER
#define MATMUL_ORDER_NAME MATMUL_0_ORDER_NAME
#define MATMUL_LOOSE MATMUL_0_LOOSE
#define MATMUL_RESIDENT MATMUL_0_RESIDENT
#define MATMUL_NUMBER MATMUL_0_NUMBER
#define MATMUL_OPTIONS MATMUL_0_OPTIONS
#define MATMUL_BLOCK_DIM_X MATMUL_0_BLOCK_DIM_X
#define MATMUL_BLOCK_DIM_Y MATMUL_0_BLOCK_DIM_Y
#define MATMUL_BLOCK_DIM_Z MATMUL_0_BLOCK_DIM_Z
#define MATMUL_SHARED_BYTES MATMUL_0_SHARED_BYTES
#elif MATMUL_SELECTED == 2
#define MATMUL_BLOCK_X MATMUL_1_BLOCK_X
#define MATMUL_BLOCK_Y MATMUL_1_BLOCK_Y
#define MATMUL_TILE_M MATMUL_1_TILE_M
#define MATMUL_TILE_N MATMUL_1_TILE_N
#define MATMUL_TILE_K MATMUL_1_TILE_K
#define MATMUL_LANES MATMUL_1_LANES
#define MATMUL_SLICES MATMUL_1_SLICES
#define MATMUL_CLUSTER MATMUL_1_CLUSTER
#define MATMUL_VECTOR MATMUL_1_VECTOR
#define MATMUL_USE_LDG MATMUL_1_USE_LDG
#define MATMUL_PAD MATMUL_1_PAD
#define MATMUL_STAGES MATMUL_1_STAGES
#define MATMUL_COPY MATMUL_1_COPY
#define MATMUL_COPY_NAME MATMUL_1_COPY_NAME
#define MATMUL_SPREAD MATMUL_1_SPREAD
#define MATMUL_UNROLL MATMUL_1_UNROLL
#define MATMUL_FRAGMENTS MATMUL_1_FRAGMENTS
#define MATMUL_ORDER MATMUL_1_ORDER
#define MATMUL_ORDER_NAME MATMUL_1_ORDER_NAME
#define MATMUL_LOOSE MATMUL_1_LOOSE
#define MATMUL_RESIDENT MATMUL_1_RESIDENT
#define MATMUL_NUMBER MATMUL_1_NUMBER
#define MATMUL_OPTIONS MATMUL_1_OPTIONS
#define MATMUL_BLOCK_DIM_X MATMUL_1_BLOCK_DIM_X
#define MATMUL_BLOCK_DIM_Y MATMUL_1_BLOCK_DIM_Y
#define MATMUL_BLOCK_DIM_Z MATMUL_1_BLOCK_DIM_Z
#define MATMUL_SHARED_BYTES MATMUL_1_SHARED_BYTES
#endif
#ifdef MATMUL_BARE
#if MATMUL_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 8
#undef TILE_M
#define TILE_M 8
#undef TILE_N
#define TILE_N 16
#undef TILE_K
#define TILE_K 8
#undef LANES
#define LANES 1
#undef SLICES
#define SLICES 1
#undef CLUSTER
#define CLUSTER 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 2
#undef COPY_registers
#define COPY_registers 1
#undef COPY_mixed
#define COPY_mixed 2
#undef COPY_async
#define COPY_async 3
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 1
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_rows
#define ORDER_rows 1
#undef ORDER_across
#define ORDER_across 2
#undef ORDER_down
#define ORDER_down 3
#undef ORDER
#define ORDER ORDER_down
#undef LOOSE
#define LOOSE 1
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_CONFIGURATION
#undef matmul
#define matmul matmul_0
#undef matmul_reference
#define matmul_reference matmul_0_matmul_reference
#undef matmul_add
#define matmul_add matmul_0_matmul_add
#undef MATMUL_ENTRY
#define MATMUL_ENTRY extern "C" const void *const matmul_0_kernels[1]; \
	const void *const matmul_0_kernels[1] = { reinterpret_cast<const void *>(&matmul) }
#endif
#elif MATMUL_SELECTED == 2
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 16
#undef TILE_M
#define TILE_M 1
#undef TILE_N
#define TILE_N 1
#undef TILE_K
#define TILE_K 16
#undef LANES
#define LANES 2
#undef SLICES
#define SLICES 1
#undef CLUSTER
#define CLUSTER 1
#undef VECTOR
#define VECTOR 1
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 0
#undef STAGES
#define STAGES 1
#undef COPY_registers
#define COPY_registers 1
#undef COPY_mixed
#define COPY_mixed 2
#undef COPY_async
#define COPY_async 3
#undef COPY
#define COPY COPY_registers
#undef SPREAD
#define SPREAD 1
#undef UNROLL
#define UNROLL 1
#undef FRAGMENTS
#define FRAGMENTS 1
#undef ORDER_rows
#define ORDER_rows 1
#undef ORDER_across
#define ORDER_across 2
#undef ORDER_down
#define ORDER_down 3
#undef ORDER
#define ORDER ORDER_rows
#undef LOOSE
#define LOOSE 0
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_CONFIGURATION
#undef matmul
#define matmul matmul_1
#undef matmul_reference
#define matmul_reference matmul_1_matmul_reference
#undef matmul_add
#define matmul_add matmul_1_matmul_add
#undef MATMUL_ENTRY
#define MATMUL_ENTRY extern "C" const void *const matmul_1_kernels[1]; \
	const void *const matmul_1_kernels[1] = { reinterpret_cast<const void *>(&matmul) }
#endif
#else
#error "MATMUL_BARE: say of which configuration, with MATMUL_CONFIGURATION, or with MATMUL_DEVICE and MATMUL_PROBLEM"
#endif
#endif
