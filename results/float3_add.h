/*
 * float3_add: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     3c341cc99bd18ebee8dba6968c61f27d float3_add.cfg
 *   template  a1613c10a8f772173f187ae80a1ce3f6 float3_add.cu
 *   contents  d751e0c5516f014b609ceaeb0c3c64f8
 */
/*
 * float3_add: 2 configurations, baselines included. The fastest correct ones are, for
 *
 * points_2_25 on NVIDIA H100 80GB HBM3 (sm_90): N = 33554432
 *   configuration  0: METHOD=direct BLOCK=256 UNROLL=1
 *   time           263.76 us (95 % interval 263.48 to 264.03)
 *   speed-up       none: the baseline is the winner
 *   chosen from    240 evaluations, 240 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:44:55Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    60aa07b243ed851ea6267ee68deba0a7
 *
 * points_2_25 on NVIDIA H200 (sm_90): N = 33554432
 *   configuration  1: METHOD=staged BLOCK=192 UNROLL=2
 *   time           189.55 us (95 % interval 189.31 to 189.78)
 *   speed-up       1.027 over the baseline (95 % interval 1.025 to 1.03)
 *   chosen from    240 evaluations, 240 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:02:17Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    60aa07b21db00011aa35bbe5fe70d1e6
 *
 * To choose a configuration when the program runs: float3_add_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * float3_add_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of FLOAT3_ADD_CONFIGURATIONS in a translation unit of its own:
 * define FLOAT3_ADD_CONFIGURATION as n, define FLOAT3_ADD_BARE, include this header, then
 * the template. Its kernel is called float3_add_n there. Give the compiler
 * FLOAT3_ADD_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names FLOAT3_ADD_... without a
 * number belong to one configuration. Define FLOAT3_ADD_CONFIGURATION, or
 * FLOAT3_ADD_DEVICE and FLOAT3_ADD_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. FLOAT3_ADD_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_FLOAT3_ADD_H
#define AUTOTUNE_FLOAT3_ADD_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_FLOAT3_ADD_CONTENTS 0x692d5a0168bc6b73ULL

/* the values that FLOAT3_ADD_CONFIGURATION, FLOAT3_ADD_DEVICE and FLOAT3_ADD_PROBLEM may have */
#define FLOAT3_ADD_CONFIGURATION_0 1
#define FLOAT3_ADD_CONFIGURATION_1 2
#define FLOAT3_ADD_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define FLOAT3_ADD_DEVICE_NVIDIA_H200 2
#define FLOAT3_ADD_PROBLEM_POINTS_2_25 1

/* X(number, kernel) for every configuration */
#define FLOAT3_ADD_CONFIGURATION_COUNT 2
#define FLOAT3_ADD_CONFIGURATIONS(X) \
	X(0, float3_add_0) \
	X(1, float3_add_1)
#define FLOAT3_ADD_DEVICE_COUNT 2
#define FLOAT3_ADD_METHOD_direct 1
#define FLOAT3_ADD_METHOD_staged 2

#define FLOAT3_ADD_0_METHOD 1
#define FLOAT3_ADD_0_METHOD_NAME "direct"
#define FLOAT3_ADD_0_BLOCK 256
#define FLOAT3_ADD_0_UNROLL 1
#define FLOAT3_ADD_0_NUMBER 0
#define FLOAT3_ADD_0_OPTIONS ""
#define FLOAT3_ADD_0_BLOCK_DIM_X 256
#define FLOAT3_ADD_0_BLOCK_DIM_Y 1
#define FLOAT3_ADD_0_BLOCK_DIM_Z 1
#define FLOAT3_ADD_0_SHARED_BYTES 0

#define FLOAT3_ADD_1_METHOD 2
#define FLOAT3_ADD_1_METHOD_NAME "staged"
#define FLOAT3_ADD_1_BLOCK 192
#define FLOAT3_ADD_1_UNROLL 2
#define FLOAT3_ADD_1_NUMBER 1
#define FLOAT3_ADD_1_OPTIONS ""
#define FLOAT3_ADD_1_BLOCK_DIM_X 192
#define FLOAT3_ADD_1_BLOCK_DIM_Y 1
#define FLOAT3_ADD_1_BLOCK_DIM_Z 1
#define FLOAT3_ADD_1_SHARED_BYTES 0

#define FLOAT3_ADD_NVIDIA_H100_80GB_HBM3_POINTS_2_25_CONFIGURATION 0
#define FLOAT3_ADD_NVIDIA_H100_80GB_HBM3_POINTS_2_25_TIME_NS 263755.319666202
#define FLOAT3_ADD_NVIDIA_H100_80GB_HBM3_POINTS_2_25_TIME_LOW_NS 263480.743975263
#define FLOAT3_ADD_NVIDIA_H100_80GB_HBM3_POINTS_2_25_TIME_HIGH_NS 264030.181494977
#define FLOAT3_ADD_NVIDIA_H100_80GB_HBM3_POINTS_2_25_SPEEDUP 1.0
#define FLOAT3_ADD_NVIDIA_H100_80GB_HBM3_POINTS_2_25_SPEEDUP_LOW 1.0
#define FLOAT3_ADD_NVIDIA_H100_80GB_HBM3_POINTS_2_25_SPEEDUP_HIGH 1.0

#define FLOAT3_ADD_NVIDIA_H200_POINTS_2_25_CONFIGURATION 1
#define FLOAT3_ADD_NVIDIA_H200_POINTS_2_25_TIME_NS 189547.220326748
#define FLOAT3_ADD_NVIDIA_H200_POINTS_2_25_TIME_LOW_NS 189312.496152347
#define FLOAT3_ADD_NVIDIA_H200_POINTS_2_25_TIME_HIGH_NS 189782.235530209
#define FLOAT3_ADD_NVIDIA_H200_POINTS_2_25_SPEEDUP 1.02744619087069
#define FLOAT3_ADD_NVIDIA_H200_POINTS_2_25_SPEEDUP_LOW 1.02525076962897
#define FLOAT3_ADD_NVIDIA_H200_POINTS_2_25_SPEEDUP_HIGH 1.02964631327877

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *float3_add_device(int index)
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
static inline struct autotune_device float3_add_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, float3_add_device(i)))
			autotune_fill(&complete, float3_add_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch float3_add_launch(
	int configuration, const struct autotune_device *given, long long size_N)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 384LL, &bad);
		amounts[3] = 192LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int float3_add_fits(
	int configuration, const struct autotune_device *given, long long size_N)
{
	const struct autotune_device complete = float3_add_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 134217728LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 12;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(192LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* METHOD != 'staged' || 12 * BLOCK * UNROLL <= device.max_shared_bytes_per_block */
		if (!(4608LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 4608;
		registers = 30;
		break;
	default:
		break;
	}
	launch = float3_add_launch(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice float3_add_choose(
	const struct autotune_device *device, long long size_N)
{
	/* the sizes that were measured */
	static const double recorded[][1] = {
		{ 33554432 }, /* points_2_25 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* points_2_25 on NVIDIA H100 80GB HBM3 */
		{ 1, 1, 0, 0 }, /* points_2_25 on NVIDIA H200 */
		{ 0, 0, 0, 1 }, /* points_2_25 on NVIDIA H100 80GB HBM3 */
		{ 0, 1, 0, 1 }, /* points_2_25 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N;
	for (i = 0; device && i < 4; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			float3_add_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 1);

		if (autotune_is_better(&rank, &best) &&
			float3_add_fits(entries[i][0], device, size_N)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 1)) {
		char text[128];

		snprintf(text, sizeof(text), "\"N\": %lld", size_N);
		autotune_note(file, "float3_add", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   float3_add_run(&device, stream, N, points, step_x, step_y, step_z)
 *
 *   points         void *
 *   n              computed: N
 *   step_x         float 
 *   step_y         float 
 *   step_z         float 
 *
 * float3_add_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line FLOAT3_ADD_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. float3_add_run_by() launches with
 * functions of its caller.
 */
#define FLOAT3_ADD_RUN_PARAMETERS \
	, long long size_N, void *argument_points, float argument_step_x, float argument_step_y, float argument_step_z
#define FLOAT3_ADD_RUN_ARGUMENTS \
	, size_N, argument_points, argument_step_x, argument_step_y, argument_step_z

static inline int float3_add_run_by(struct autotune_runner *runner,
	const struct autotune_device *given FLOAT3_ADD_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? float3_add_choose(given, size_N).configuration : runner->configuration;
	int bad = 0;
	long long value_n = 0;
	long long argument_n = 0;
	int error;

	if (!given || configuration < 0 || !float3_add_fits(configuration, given, size_N))
		return runner->refused;
	value_n = size_N;
	argument_n = AUTOTUNE_CAST(long long, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* float3_add */
	if (!error) {
		void *arguments[] = { &argument_points, &argument_n, &argument_step_x, &argument_step_y, &argument_step_z };
		const struct autotune_launch launch =
			float3_add_launch(configuration, given, size_N);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_FLOAT3_ADD_RUN)
#define AUTOTUNE_FLOAT3_ADD_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const float3_add_0_kernels[1];
extern const void *const float3_add_1_kernels[1];
#ifdef __cplusplus
}
#endif

/* As float3_add_run(), with a configuration that was chosen before. */
static inline cudaError_t float3_add_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream FLOAT3_ADD_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { float3_add_0_kernels, float3_add_1_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		float3_add_run_by(&runner, device FLOAT3_ADD_RUN_ARGUMENTS));
}

static inline cudaError_t float3_add_run(
	const struct autotune_device *device, cudaStream_t stream FLOAT3_ADD_RUN_PARAMETERS)
{
	return float3_add_run_configuration(
		AUTOTUNE_CHOOSE, device, stream FLOAT3_ADD_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef FLOAT3_ADD_SELECTED_DEVICE
#ifdef FLOAT3_ADD_DEVICE
#define FLOAT3_ADD_SELECTED_DEVICE AUTOTUNE_PASTE(FLOAT3_ADD_DEVICE_, FLOAT3_ADD_DEVICE)
#if !(FLOAT3_ADD_SELECTED_DEVICE > 0)
#error "FLOAT3_ADD_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define FLOAT3_ADD_SELECTED_DEVICE 0
#endif
#undef FLOAT3_ADD_SELECTED_PROBLEM
#ifdef FLOAT3_ADD_PROBLEM
#define FLOAT3_ADD_SELECTED_PROBLEM AUTOTUNE_PASTE(FLOAT3_ADD_PROBLEM_, FLOAT3_ADD_PROBLEM)
#if !(FLOAT3_ADD_SELECTED_PROBLEM > 0)
#error "FLOAT3_ADD_PROBLEM is not one of: POINTS_2_25"
#endif
#else
#define FLOAT3_ADD_SELECTED_PROBLEM 0
#endif
#undef FLOAT3_ADD_SELECTED
#ifdef FLOAT3_ADD_CONFIGURATION
#define FLOAT3_ADD_SELECTED AUTOTUNE_PASTE(FLOAT3_ADD_CONFIGURATION_, FLOAT3_ADD_CONFIGURATION)
#if !(FLOAT3_ADD_SELECTED > 0)
#error "FLOAT3_ADD_CONFIGURATION is no number from 0 to 1"
#endif
#elif FLOAT3_ADD_SELECTED_DEVICE == 1 && FLOAT3_ADD_SELECTED_PROBLEM == 1
#define FLOAT3_ADD_SELECTED 1
#elif FLOAT3_ADD_SELECTED_DEVICE == 1 && FLOAT3_ADD_SELECTED_PROBLEM == 0
#define FLOAT3_ADD_SELECTED 1
#elif FLOAT3_ADD_SELECTED_DEVICE == 2 && FLOAT3_ADD_SELECTED_PROBLEM == 1
#define FLOAT3_ADD_SELECTED 2
#elif FLOAT3_ADD_SELECTED_DEVICE == 2 && FLOAT3_ADD_SELECTED_PROBLEM == 0
#define FLOAT3_ADD_SELECTED 2
#elif FLOAT3_ADD_SELECTED_DEVICE > 0 && FLOAT3_ADD_SELECTED_PROBLEM > 0
#error "FLOAT3_ADD_PROBLEM was not measured on FLOAT3_ADD_DEVICE; there are: POINTS_2_25 on NVIDIA_H100_80GB_HBM3, POINTS_2_25 on NVIDIA_H200"
#else
#define FLOAT3_ADD_SELECTED 0
#endif
#undef FLOAT3_ADD_METHOD
#undef FLOAT3_ADD_METHOD_NAME
#undef FLOAT3_ADD_BLOCK
#undef FLOAT3_ADD_UNROLL
#undef FLOAT3_ADD_NUMBER
#undef FLOAT3_ADD_OPTIONS
#undef FLOAT3_ADD_BLOCK_DIM_X
#undef FLOAT3_ADD_BLOCK_DIM_Y
#undef FLOAT3_ADD_BLOCK_DIM_Z
#undef FLOAT3_ADD_SHARED_BYTES
#if FLOAT3_ADD_SELECTED == 1
#define FLOAT3_ADD_METHOD FLOAT3_ADD_0_METHOD
#define FLOAT3_ADD_METHOD_NAME FLOAT3_ADD_0_METHOD_NAME
#define FLOAT3_ADD_BLOCK FLOAT3_ADD_0_BLOCK
#define FLOAT3_ADD_UNROLL FLOAT3_ADD_0_UNROLL
#define FLOAT3_ADD_NUMBER FLOAT3_ADD_0_NUMBER
#define FLOAT3_ADD_OPTIONS FLOAT3_ADD_0_OPTIONS
#define FLOAT3_ADD_BLOCK_DIM_X FLOAT3_ADD_0_BLOCK_DIM_X
#define FLOAT3_ADD_BLOCK_DIM_Y FLOAT3_ADD_0_BLOCK_DIM_Y
#define FLOAT3_ADD_BLOCK_DIM_Z FLOAT3_ADD_0_BLOCK_DIM_Z
#define FLOAT3_ADD_SHARED_BYTES FLOAT3_ADD_0_SHARED_BYTES
#elif FLOAT3_ADD_SELECTED == 2
#define FLOAT3_ADD_METHOD FLOAT3_ADD_1_METHOD
#define FLOAT3_ADD_METHOD_NAME FLOAT3_ADD_1_METHOD_NAME
#define FLOAT3_ADD_BLOCK FLOAT3_ADD_1_BLOCK
#define FLOAT3_ADD_UNROLL FLOAT3_ADD_1_UNROLL
#define FLOAT3_ADD_NUMBER FLOAT3_ADD_1_NUMBER
#define FLOAT3_ADD_OPTIONS FLOAT3_ADD_1_OPTIONS
#define FLOAT3_ADD_BLOCK_DIM_X FLOAT3_ADD_1_BLOCK_DIM_X
#define FLOAT3_ADD_BLOCK_DIM_Y FLOAT3_ADD_1_BLOCK_DIM_Y
#define FLOAT3_ADD_BLOCK_DIM_Z FLOAT3_ADD_1_BLOCK_DIM_Z
#define FLOAT3_ADD_SHARED_BYTES FLOAT3_ADD_1_SHARED_BYTES
#endif
#ifdef FLOAT3_ADD_BARE
#if FLOAT3_ADD_SELECTED == 1
#undef METHOD_direct
#define METHOD_direct 1
#undef METHOD_staged
#define METHOD_staged 2
#undef METHOD
#define METHOD METHOD_direct
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 1
#ifdef FLOAT3_ADD_CONFIGURATION
#undef float3_add
#define float3_add float3_add_0
#undef float3_add_reference
#define float3_add_reference float3_add_0_float3_add_reference
#undef FLOAT3_ADD_ENTRY
#define FLOAT3_ADD_ENTRY extern "C" const void *const float3_add_0_kernels[1]; \
	const void *const float3_add_0_kernels[1] = { reinterpret_cast<const void *>(&float3_add) }
#endif
#elif FLOAT3_ADD_SELECTED == 2
#undef METHOD_direct
#define METHOD_direct 1
#undef METHOD_staged
#define METHOD_staged 2
#undef METHOD
#define METHOD METHOD_staged
#undef BLOCK
#define BLOCK 192
#undef UNROLL
#define UNROLL 2
#ifdef FLOAT3_ADD_CONFIGURATION
#undef float3_add
#define float3_add float3_add_1
#undef float3_add_reference
#define float3_add_reference float3_add_1_float3_add_reference
#undef FLOAT3_ADD_ENTRY
#define FLOAT3_ADD_ENTRY extern "C" const void *const float3_add_1_kernels[1]; \
	const void *const float3_add_1_kernels[1] = { reinterpret_cast<const void *>(&float3_add) }
#endif
#else
#error "FLOAT3_ADD_BARE: say of which configuration, with FLOAT3_ADD_CONFIGURATION, or with FLOAT3_ADD_DEVICE and FLOAT3_ADD_PROBLEM"
#endif
#endif
