/*
 * histogram: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     3299f1170d109419628c430491659ae3 histogram.cfg
 *   template  dd4c5038364b4098f7218630e1294087 histogram.cu
 *   contents  e46a800127982c4932380fc3751d76ca
 */
/*
 * histogram: 4 configurations, baselines included. The fastest correct ones are, for
 *
 * any_byte on NVIDIA H100 80GB HBM3 (sm_90): N = 268435456, VALUES = 256
 *   configuration  0: BLOCK=512 PER_THREAD=128 VECTOR=16 ATOMICS=shared COPIES=1 PAD=0
 *   time           123.48 us (95 % interval 123.28 to 123.68)
 *   speed-up       5.388 over the baseline (95 % interval 5.379 to 5.398)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 4 problems, 4 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:02Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    493a9ec25cb8f7116f95dabba9eb9b8e
 *
 * eight_bytes on NVIDIA H100 80GB HBM3 (sm_90): N = 268435456, VALUES = 8
 *   configuration  1: BLOCK=256 PER_THREAD=128 VECTOR=16 ATOMICS=shared COPIES=1 PAD=0
 *   time           90.245 us (95 % interval 90.164 to 90.326)
 *   speed-up       1.635 over the baseline (95 % interval 1.629 to 1.64)
 *   chosen from    287 evaluations, 287 of them ok
 *   verified       2 data sets, 4 problems, 4 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:07Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    9ee4cd0bc0872b231b7934fd4a92b257
 *
 * any_byte on NVIDIA H200 (sm_90): N = 268435456, VALUES = 256
 *   configuration  1: BLOCK=256 PER_THREAD=128 VECTOR=16 ATOMICS=shared COPIES=1 PAD=0
 *   time           123.09 us (95 % interval 122.92 to 123.26)
 *   speed-up       5.373 over the baseline (95 % interval 5.364 to 5.383)
 *   chosen from    290 evaluations, 290 of them ok
 *   verified       2 data sets, 4 problems, 4 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:02:24Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    493a9ec212f14315c3fd3b8f78b56216
 *
 * eight_bytes on NVIDIA H200 (sm_90): N = 268435456, VALUES = 8
 *   configuration  2: BLOCK=256 PER_THREAD=256 VECTOR=16 ATOMICS=shared COPIES=1 PAD=0
 *   time           66.858 us (95 % interval 66.69 to 67.026)
 *   speed-up       2.123 over the baseline (95 % interval 2.106 to 2.14)
 *   chosen from    289 evaluations, 289 of them ok
 *   verified       2 data sets, 4 problems, 4 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:02:29Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    9ee4cd0b0f7c25938905d53a75e63dc7
 *
 * To choose a configuration when the program runs: histogram_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * histogram_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of HISTOGRAM_CONFIGURATIONS in a translation unit of its own:
 * define HISTOGRAM_CONFIGURATION as n, define HISTOGRAM_BARE, include this header, then
 * the template. Its kernel is called histogram_n there. Give the compiler
 * HISTOGRAM_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names HISTOGRAM_... without a
 * number belong to one configuration. Define HISTOGRAM_CONFIGURATION, or
 * HISTOGRAM_DEVICE and HISTOGRAM_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. HISTOGRAM_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_HISTOGRAM_H
#define AUTOTUNE_HISTOGRAM_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_HISTOGRAM_CONTENTS 0x721e0fa32b72fcf7ULL

/* the values that HISTOGRAM_CONFIGURATION, HISTOGRAM_DEVICE and HISTOGRAM_PROBLEM may have */
#define HISTOGRAM_CONFIGURATION_0 1
#define HISTOGRAM_CONFIGURATION_1 2
#define HISTOGRAM_CONFIGURATION_2 3
#define HISTOGRAM_CONFIGURATION_3 4
#define HISTOGRAM_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define HISTOGRAM_DEVICE_NVIDIA_H200 2
#define HISTOGRAM_PROBLEM_ANY_BYTE 1
#define HISTOGRAM_PROBLEM_EIGHT_BYTES 2

/* X(number, kernel) for every configuration */
#define HISTOGRAM_CONFIGURATION_COUNT 4
#define HISTOGRAM_CONFIGURATIONS(X) \
	X(0, histogram_0) \
	X(1, histogram_1) \
	X(2, histogram_2) \
	X(3, histogram_3)
#define HISTOGRAM_DEVICE_COUNT 2
#define HISTOGRAM_ATOMICS_global 1
#define HISTOGRAM_ATOMICS_shared 2

#define HISTOGRAM_0_BLOCK 512
#define HISTOGRAM_0_PER_THREAD 128
#define HISTOGRAM_0_VECTOR 16
#define HISTOGRAM_0_ATOMICS 2
#define HISTOGRAM_0_ATOMICS_NAME "shared"
#define HISTOGRAM_0_COPIES 1
#define HISTOGRAM_0_PAD 0
#define HISTOGRAM_0_NUMBER 0
#define HISTOGRAM_0_OPTIONS ""
#define HISTOGRAM_0_BLOCK_DIM_X 512
#define HISTOGRAM_0_BLOCK_DIM_Y 1
#define HISTOGRAM_0_BLOCK_DIM_Z 1
#define HISTOGRAM_0_SHARED_BYTES 0

#define HISTOGRAM_1_BLOCK 256
#define HISTOGRAM_1_PER_THREAD 128
#define HISTOGRAM_1_VECTOR 16
#define HISTOGRAM_1_ATOMICS 2
#define HISTOGRAM_1_ATOMICS_NAME "shared"
#define HISTOGRAM_1_COPIES 1
#define HISTOGRAM_1_PAD 0
#define HISTOGRAM_1_NUMBER 1
#define HISTOGRAM_1_OPTIONS ""
#define HISTOGRAM_1_BLOCK_DIM_X 256
#define HISTOGRAM_1_BLOCK_DIM_Y 1
#define HISTOGRAM_1_BLOCK_DIM_Z 1
#define HISTOGRAM_1_SHARED_BYTES 0

#define HISTOGRAM_2_BLOCK 256
#define HISTOGRAM_2_PER_THREAD 256
#define HISTOGRAM_2_VECTOR 16
#define HISTOGRAM_2_ATOMICS 2
#define HISTOGRAM_2_ATOMICS_NAME "shared"
#define HISTOGRAM_2_COPIES 1
#define HISTOGRAM_2_PAD 0
#define HISTOGRAM_2_NUMBER 2
#define HISTOGRAM_2_OPTIONS ""
#define HISTOGRAM_2_BLOCK_DIM_X 256
#define HISTOGRAM_2_BLOCK_DIM_Y 1
#define HISTOGRAM_2_BLOCK_DIM_Z 1
#define HISTOGRAM_2_SHARED_BYTES 0

#define HISTOGRAM_3_BLOCK 256
#define HISTOGRAM_3_PER_THREAD 16
#define HISTOGRAM_3_VECTOR 4
#define HISTOGRAM_3_ATOMICS 2
#define HISTOGRAM_3_ATOMICS_NAME "shared"
#define HISTOGRAM_3_COPIES 1
#define HISTOGRAM_3_PAD 0
#define HISTOGRAM_3_NUMBER 3
#define HISTOGRAM_3_OPTIONS ""
#define HISTOGRAM_3_BLOCK_DIM_X 256
#define HISTOGRAM_3_BLOCK_DIM_Y 1
#define HISTOGRAM_3_BLOCK_DIM_Z 1
#define HISTOGRAM_3_SHARED_BYTES 0

#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_ANY_BYTE_CONFIGURATION 0
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_ANY_BYTE_TIME_NS 123482.546228748
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_ANY_BYTE_TIME_LOW_NS 123284.296913021
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_ANY_BYTE_TIME_HIGH_NS 123681.114342507
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_ANY_BYTE_SPEEDUP 5.38826970909435
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_ANY_BYTE_SPEEDUP_LOW 5.37887614284818
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_ANY_BYTE_SPEEDUP_HIGH 5.39767968008465

#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_EIGHT_BYTES_CONFIGURATION 1
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_EIGHT_BYTES_TIME_NS 90245.3248075785
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_EIGHT_BYTES_TIME_LOW_NS 90164.4510633386
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_EIGHT_BYTES_TIME_HIGH_NS 90326.2710921869
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_EIGHT_BYTES_SPEEDUP 1.63453456561543
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_EIGHT_BYTES_SPEEDUP_LOW 1.62869891792762
#define HISTOGRAM_NVIDIA_H100_80GB_HBM3_EIGHT_BYTES_SPEEDUP_HIGH 1.64039112249865

#define HISTOGRAM_NVIDIA_H200_ANY_BYTE_CONFIGURATION 1
#define HISTOGRAM_NVIDIA_H200_ANY_BYTE_TIME_NS 123090.431938894
#define HISTOGRAM_NVIDIA_H200_ANY_BYTE_TIME_LOW_NS 122921.690970481
#define HISTOGRAM_NVIDIA_H200_ANY_BYTE_TIME_HIGH_NS 123259.404546769
#define HISTOGRAM_NVIDIA_H200_ANY_BYTE_SPEEDUP 5.37346806851363
#define HISTOGRAM_NVIDIA_H200_ANY_BYTE_SPEEDUP_LOW 5.36417991171828
#define HISTOGRAM_NVIDIA_H200_ANY_BYTE_SPEEDUP_HIGH 5.38277230788973

#define HISTOGRAM_NVIDIA_H200_EIGHT_BYTES_CONFIGURATION 2
#define HISTOGRAM_NVIDIA_H200_EIGHT_BYTES_TIME_NS 66857.5331492677
#define HISTOGRAM_NVIDIA_H200_EIGHT_BYTES_TIME_LOW_NS 66689.7674091
#define HISTOGRAM_NVIDIA_H200_EIGHT_BYTES_TIME_HIGH_NS 67025.7209233495
#define HISTOGRAM_NVIDIA_H200_EIGHT_BYTES_SPEEDUP 2.12333361274016
#define HISTOGRAM_NVIDIA_H200_EIGHT_BYTES_SPEEDUP_LOW 2.10636364599401
#define HISTOGRAM_NVIDIA_H200_EIGHT_BYTES_SPEEDUP_HIGH 2.14044029841037

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *histogram_device(int index)
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
static inline struct autotune_device histogram_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, histogram_device(i)))
			autotune_fill(&complete, histogram_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch histogram_launch(
	int configuration, const struct autotune_device *given, long long size_N, long long size_VALUES)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N; (void)size_VALUES;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 65536LL, &bad);
		amounts[3] = 512LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 32768LL, &bad);
		amounts[3] = 256LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 65536LL, &bad);
		amounts[3] = 256LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 4096LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int histogram_fits(
	int configuration, const struct autotune_device *given, long long size_N, long long size_VALUES)
{
	const struct autotune_device complete = histogram_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 1073741824LL))
		bad = 1;
	if (!(size_VALUES >= 1LL && size_VALUES <= 256LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(512LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* ATOMICS == 'global' || 4 * COPIES * (256 + PAD) <= device.max_shared_bytes_per_block */
		if (!(1024LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 32;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* ATOMICS == 'global' || 4 * COPIES * (256 + PAD) <= device.max_shared_bytes_per_block */
		if (!(1024LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 32;
		break;
	case 2:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* ATOMICS == 'global' || 4 * COPIES * (256 + PAD) <= device.max_shared_bytes_per_block */
		if (!(1024LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 32;
		break;
	case 3:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* ATOMICS == 'global' || 4 * COPIES * (256 + PAD) <= device.max_shared_bytes_per_block */
		if (!(1024LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 23;
		break;
	default:
		break;
	}
	launch = histogram_launch(configuration, given, size_N, size_VALUES);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice histogram_choose(
	const struct autotune_device *device, long long size_N, long long size_VALUES)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 268435456, 256 }, /* any_byte */
		{ 268435456, 8 }, /* eight_bytes */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* any_byte on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* eight_bytes on NVIDIA H100 80GB HBM3 */
		{ 1, 1, 0, 0 }, /* any_byte on NVIDIA H200 */
		{ 2, 1, 1, 0 }, /* eight_bytes on NVIDIA H200 */
		{ 3, 0, 0, 1 }, /* any_byte on NVIDIA H100 80GB HBM3 */
		{ 3, 0, 1, 1 }, /* eight_bytes on NVIDIA H100 80GB HBM3 */
		{ 3, 1, 0, 1 }, /* any_byte on NVIDIA H200 */
		{ 3, 1, 1, 1 }, /* eight_bytes on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_VALUES) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N; (void)size_VALUES;
	for (i = 0; device && i < 8; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			histogram_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			histogram_fits(entries[i][0], device, size_N, size_VALUES)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[256];

		snprintf(text, sizeof(text), "\"N\": %lld, \"VALUES\": %lld", size_N, size_VALUES);
		autotune_note(file, "histogram", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   histogram_run(&device, stream, N, VALUES, bytes, counts)
 *
 *   bytes          const unsigned char *
 *   counts         unsigned int *
 *   n              computed: N
 *
 * histogram_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line HISTOGRAM_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. histogram_run_by() launches with
 * functions of its caller.
 */
#define HISTOGRAM_RUN_PARAMETERS \
	, long long size_N, long long size_VALUES, const unsigned char *argument_bytes, unsigned int *argument_counts
#define HISTOGRAM_RUN_ARGUMENTS \
	, size_N, size_VALUES, argument_bytes, argument_counts

static inline int histogram_run_by(struct autotune_runner *runner,
	const struct autotune_device *given HISTOGRAM_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? histogram_choose(given, size_N, size_VALUES).configuration : runner->configuration;
	int bad = 0;
	long long value_n = 0;
	int argument_n = 0;
	int error;

	if (!given || configuration < 0 || !histogram_fits(configuration, given, size_N, size_VALUES))
		return runner->refused;
	value_n = size_N;
	argument_n = AUTOTUNE_CAST(int, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* histogram */
	if (!error) {
		void *arguments[] = { &argument_bytes, &argument_counts, &argument_n };
		const struct autotune_launch launch =
			histogram_launch(configuration, given, size_N, size_VALUES);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_HISTOGRAM_RUN)
#define AUTOTUNE_HISTOGRAM_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const histogram_0_kernels[1];
extern const void *const histogram_1_kernels[1];
extern const void *const histogram_2_kernels[1];
extern const void *const histogram_3_kernels[1];
#ifdef __cplusplus
}
#endif

/* As histogram_run(), with a configuration that was chosen before. */
static inline cudaError_t histogram_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream HISTOGRAM_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { histogram_0_kernels, histogram_1_kernels, histogram_2_kernels, histogram_3_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		histogram_run_by(&runner, device HISTOGRAM_RUN_ARGUMENTS));
}

static inline cudaError_t histogram_run(
	const struct autotune_device *device, cudaStream_t stream HISTOGRAM_RUN_PARAMETERS)
{
	return histogram_run_configuration(
		AUTOTUNE_CHOOSE, device, stream HISTOGRAM_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef HISTOGRAM_SELECTED_DEVICE
#ifdef HISTOGRAM_DEVICE
#define HISTOGRAM_SELECTED_DEVICE AUTOTUNE_PASTE(HISTOGRAM_DEVICE_, HISTOGRAM_DEVICE)
#if !(HISTOGRAM_SELECTED_DEVICE > 0)
#error "HISTOGRAM_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define HISTOGRAM_SELECTED_DEVICE 0
#endif
#undef HISTOGRAM_SELECTED_PROBLEM
#ifdef HISTOGRAM_PROBLEM
#define HISTOGRAM_SELECTED_PROBLEM AUTOTUNE_PASTE(HISTOGRAM_PROBLEM_, HISTOGRAM_PROBLEM)
#if !(HISTOGRAM_SELECTED_PROBLEM > 0)
#error "HISTOGRAM_PROBLEM is not one of: ANY_BYTE, EIGHT_BYTES"
#endif
#else
#define HISTOGRAM_SELECTED_PROBLEM 0
#endif
#undef HISTOGRAM_SELECTED
#ifdef HISTOGRAM_CONFIGURATION
#define HISTOGRAM_SELECTED AUTOTUNE_PASTE(HISTOGRAM_CONFIGURATION_, HISTOGRAM_CONFIGURATION)
#if !(HISTOGRAM_SELECTED > 0)
#error "HISTOGRAM_CONFIGURATION is no number from 0 to 3"
#endif
#elif HISTOGRAM_SELECTED_DEVICE == 1 && HISTOGRAM_SELECTED_PROBLEM == 1
#define HISTOGRAM_SELECTED 1
#elif HISTOGRAM_SELECTED_DEVICE == 1 && HISTOGRAM_SELECTED_PROBLEM == 2
#define HISTOGRAM_SELECTED 2
#elif HISTOGRAM_SELECTED_DEVICE == 2 && HISTOGRAM_SELECTED_PROBLEM == 1
#define HISTOGRAM_SELECTED 2
#elif HISTOGRAM_SELECTED_DEVICE == 2 && HISTOGRAM_SELECTED_PROBLEM == 2
#define HISTOGRAM_SELECTED 3
#elif HISTOGRAM_SELECTED_DEVICE > 0 && HISTOGRAM_SELECTED_PROBLEM > 0
#error "HISTOGRAM_PROBLEM was not measured on HISTOGRAM_DEVICE; there are: ANY_BYTE on NVIDIA_H100_80GB_HBM3, EIGHT_BYTES on NVIDIA_H100_80GB_HBM3, ANY_BYTE on NVIDIA_H200, EIGHT_BYTES on NVIDIA_H200"
#else
#define HISTOGRAM_SELECTED 0
#endif
#undef HISTOGRAM_BLOCK
#undef HISTOGRAM_PER_THREAD
#undef HISTOGRAM_VECTOR
#undef HISTOGRAM_ATOMICS
#undef HISTOGRAM_ATOMICS_NAME
#undef HISTOGRAM_COPIES
#undef HISTOGRAM_PAD
#undef HISTOGRAM_NUMBER
#undef HISTOGRAM_OPTIONS
#undef HISTOGRAM_BLOCK_DIM_X
#undef HISTOGRAM_BLOCK_DIM_Y
#undef HISTOGRAM_BLOCK_DIM_Z
#undef HISTOGRAM_SHARED_BYTES
#if HISTOGRAM_SELECTED == 1
#define HISTOGRAM_BLOCK HISTOGRAM_0_BLOCK
#define HISTOGRAM_PER_THREAD HISTOGRAM_0_PER_THREAD
#define HISTOGRAM_VECTOR HISTOGRAM_0_VECTOR
#define HISTOGRAM_ATOMICS HISTOGRAM_0_ATOMICS
#define HISTOGRAM_ATOMICS_NAME HISTOGRAM_0_ATOMICS_NAME
#define HISTOGRAM_COPIES HISTOGRAM_0_COPIES
#define HISTOGRAM_PAD HISTOGRAM_0_PAD
#define HISTOGRAM_NUMBER HISTOGRAM_0_NUMBER
#define HISTOGRAM_OPTIONS HISTOGRAM_0_OPTIONS
#define HISTOGRAM_BLOCK_DIM_X HISTOGRAM_0_BLOCK_DIM_X
#define HISTOGRAM_BLOCK_DIM_Y HISTOGRAM_0_BLOCK_DIM_Y
#define HISTOGRAM_BLOCK_DIM_Z HISTOGRAM_0_BLOCK_DIM_Z
#define HISTOGRAM_SHARED_BYTES HISTOGRAM_0_SHARED_BYTES
#elif HISTOGRAM_SELECTED == 2
#define HISTOGRAM_BLOCK HISTOGRAM_1_BLOCK
#define HISTOGRAM_PER_THREAD HISTOGRAM_1_PER_THREAD
#define HISTOGRAM_VECTOR HISTOGRAM_1_VECTOR
#define HISTOGRAM_ATOMICS HISTOGRAM_1_ATOMICS
#define HISTOGRAM_ATOMICS_NAME HISTOGRAM_1_ATOMICS_NAME
#define HISTOGRAM_COPIES HISTOGRAM_1_COPIES
#define HISTOGRAM_PAD HISTOGRAM_1_PAD
#define HISTOGRAM_NUMBER HISTOGRAM_1_NUMBER
#define HISTOGRAM_OPTIONS HISTOGRAM_1_OPTIONS
#define HISTOGRAM_BLOCK_DIM_X HISTOGRAM_1_BLOCK_DIM_X
#define HISTOGRAM_BLOCK_DIM_Y HISTOGRAM_1_BLOCK_DIM_Y
#define HISTOGRAM_BLOCK_DIM_Z HISTOGRAM_1_BLOCK_DIM_Z
#define HISTOGRAM_SHARED_BYTES HISTOGRAM_1_SHARED_BYTES
#elif HISTOGRAM_SELECTED == 3
#define HISTOGRAM_BLOCK HISTOGRAM_2_BLOCK
#define HISTOGRAM_PER_THREAD HISTOGRAM_2_PER_THREAD
#define HISTOGRAM_VECTOR HISTOGRAM_2_VECTOR
#define HISTOGRAM_ATOMICS HISTOGRAM_2_ATOMICS
#define HISTOGRAM_ATOMICS_NAME HISTOGRAM_2_ATOMICS_NAME
#define HISTOGRAM_COPIES HISTOGRAM_2_COPIES
#define HISTOGRAM_PAD HISTOGRAM_2_PAD
#define HISTOGRAM_NUMBER HISTOGRAM_2_NUMBER
#define HISTOGRAM_OPTIONS HISTOGRAM_2_OPTIONS
#define HISTOGRAM_BLOCK_DIM_X HISTOGRAM_2_BLOCK_DIM_X
#define HISTOGRAM_BLOCK_DIM_Y HISTOGRAM_2_BLOCK_DIM_Y
#define HISTOGRAM_BLOCK_DIM_Z HISTOGRAM_2_BLOCK_DIM_Z
#define HISTOGRAM_SHARED_BYTES HISTOGRAM_2_SHARED_BYTES
#elif HISTOGRAM_SELECTED == 4
#define HISTOGRAM_BLOCK HISTOGRAM_3_BLOCK
#define HISTOGRAM_PER_THREAD HISTOGRAM_3_PER_THREAD
#define HISTOGRAM_VECTOR HISTOGRAM_3_VECTOR
#define HISTOGRAM_ATOMICS HISTOGRAM_3_ATOMICS
#define HISTOGRAM_ATOMICS_NAME HISTOGRAM_3_ATOMICS_NAME
#define HISTOGRAM_COPIES HISTOGRAM_3_COPIES
#define HISTOGRAM_PAD HISTOGRAM_3_PAD
#define HISTOGRAM_NUMBER HISTOGRAM_3_NUMBER
#define HISTOGRAM_OPTIONS HISTOGRAM_3_OPTIONS
#define HISTOGRAM_BLOCK_DIM_X HISTOGRAM_3_BLOCK_DIM_X
#define HISTOGRAM_BLOCK_DIM_Y HISTOGRAM_3_BLOCK_DIM_Y
#define HISTOGRAM_BLOCK_DIM_Z HISTOGRAM_3_BLOCK_DIM_Z
#define HISTOGRAM_SHARED_BYTES HISTOGRAM_3_SHARED_BYTES
#endif
#ifdef HISTOGRAM_BARE
#if HISTOGRAM_SELECTED == 1
#undef BLOCK
#define BLOCK 512
#undef PER_THREAD
#define PER_THREAD 128
#undef VECTOR
#define VECTOR 16
#undef ATOMICS_global
#define ATOMICS_global 1
#undef ATOMICS_shared
#define ATOMICS_shared 2
#undef ATOMICS
#define ATOMICS ATOMICS_shared
#undef COPIES
#define COPIES 1
#undef PAD
#define PAD 0
#ifdef HISTOGRAM_CONFIGURATION
#undef histogram
#define histogram histogram_0
#undef histogram_reference
#define histogram_reference histogram_0_histogram_reference
#undef HISTOGRAM_ENTRY
#define HISTOGRAM_ENTRY extern "C" const void *const histogram_0_kernels[1]; \
	const void *const histogram_0_kernels[1] = { reinterpret_cast<const void *>(&histogram) }
#endif
#elif HISTOGRAM_SELECTED == 2
#undef BLOCK
#define BLOCK 256
#undef PER_THREAD
#define PER_THREAD 128
#undef VECTOR
#define VECTOR 16
#undef ATOMICS_global
#define ATOMICS_global 1
#undef ATOMICS_shared
#define ATOMICS_shared 2
#undef ATOMICS
#define ATOMICS ATOMICS_shared
#undef COPIES
#define COPIES 1
#undef PAD
#define PAD 0
#ifdef HISTOGRAM_CONFIGURATION
#undef histogram
#define histogram histogram_1
#undef histogram_reference
#define histogram_reference histogram_1_histogram_reference
#undef HISTOGRAM_ENTRY
#define HISTOGRAM_ENTRY extern "C" const void *const histogram_1_kernels[1]; \
	const void *const histogram_1_kernels[1] = { reinterpret_cast<const void *>(&histogram) }
#endif
#elif HISTOGRAM_SELECTED == 3
#undef BLOCK
#define BLOCK 256
#undef PER_THREAD
#define PER_THREAD 256
#undef VECTOR
#define VECTOR 16
#undef ATOMICS_global
#define ATOMICS_global 1
#undef ATOMICS_shared
#define ATOMICS_shared 2
#undef ATOMICS
#define ATOMICS ATOMICS_shared
#undef COPIES
#define COPIES 1
#undef PAD
#define PAD 0
#ifdef HISTOGRAM_CONFIGURATION
#undef histogram
#define histogram histogram_2
#undef histogram_reference
#define histogram_reference histogram_2_histogram_reference
#undef HISTOGRAM_ENTRY
#define HISTOGRAM_ENTRY extern "C" const void *const histogram_2_kernels[1]; \
	const void *const histogram_2_kernels[1] = { reinterpret_cast<const void *>(&histogram) }
#endif
#elif HISTOGRAM_SELECTED == 4
#undef BLOCK
#define BLOCK 256
#undef PER_THREAD
#define PER_THREAD 16
#undef VECTOR
#define VECTOR 4
#undef ATOMICS_global
#define ATOMICS_global 1
#undef ATOMICS_shared
#define ATOMICS_shared 2
#undef ATOMICS
#define ATOMICS ATOMICS_shared
#undef COPIES
#define COPIES 1
#undef PAD
#define PAD 0
#ifdef HISTOGRAM_CONFIGURATION
#undef histogram
#define histogram histogram_3
#undef histogram_reference
#define histogram_reference histogram_3_histogram_reference
#undef HISTOGRAM_ENTRY
#define HISTOGRAM_ENTRY extern "C" const void *const histogram_3_kernels[1]; \
	const void *const histogram_3_kernels[1] = { reinterpret_cast<const void *>(&histogram) }
#endif
#else
#error "HISTOGRAM_BARE: say of which configuration, with HISTOGRAM_CONFIGURATION, or with HISTOGRAM_DEVICE and HISTOGRAM_PROBLEM"
#endif
#endif
