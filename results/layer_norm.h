/*
 * layer_norm: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     0e7e7292904d85ad28ec0c92e9724d24 layer_norm.cfg
 *   template  baedb92ba9058d04dd6caa4fc6e4e5d2 norm.cu
 *   contents  925ac5e5544ca2bdfe898ae3f6e8e23f
 */
/*
 * layer_norm: 3 configurations, baselines included. The fastest correct ones are, for
 *
 * rows_of_4096 on NVIDIA H200 (sm_90): ROWS = 16384, COLUMNS = 4096
 *   configuration  0: BLOCK_X=128 ROWS_PER_BLOCK=1 VECTOR=4 METHOD=registers HELD=8
 *   time           67.915 us (95 % interval 67.752 to 68.078)
 *   speed-up       2.409 over the baseline (95 % interval 2.403 to 2.416)
 *   chosen from    108 evaluations, 108 of them ok
 *   verified       partly, 7 of 17 cases: 2 data sets, 4 different cases, 11 patterns, guarded, crowded
 *   measured       2026-11-30T06:50:27Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    2750f27a933d72127a4c6d9b591d8309
 *
 * rows_of_1024 on NVIDIA H200 (sm_90): ROWS = 65536, COLUMNS = 1024
 *   configuration  1: BLOCK_X=64 ROWS_PER_BLOCK=1 VECTOR=4 METHOD=registers HELD=4
 *   time           65.736 us (95 % interval 65.594 to 65.879)
 *   speed-up       3.005 over the baseline (95 % interval 2.998 to 3.011)
 *   chosen from    209 evaluations, 209 of them ok
 *   verified       partly, 10 of 17 cases: 2 data sets, 6 different cases, 11 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:50:33Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    34115810c94c324e51ed4af904776b9f
 *
 * To choose a configuration when the program runs: layer_norm_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * layer_norm_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of LAYER_NORM_CONFIGURATIONS in a translation unit of its own:
 * define LAYER_NORM_CONFIGURATION as n, define LAYER_NORM_BARE, include this header, then
 * the template. Its kernel is called layer_norm_n there. Give the compiler
 * LAYER_NORM_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names LAYER_NORM_... without a
 * number belong to one configuration. Define LAYER_NORM_CONFIGURATION, or
 * LAYER_NORM_DEVICE and LAYER_NORM_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. LAYER_NORM_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_LAYER_NORM_H
#define AUTOTUNE_LAYER_NORM_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_LAYER_NORM_CONTENTS 0x8346529d377b67f7ULL

/* the values that LAYER_NORM_CONFIGURATION, LAYER_NORM_DEVICE and LAYER_NORM_PROBLEM may have */
#define LAYER_NORM_CONFIGURATION_0 1
#define LAYER_NORM_CONFIGURATION_1 2
#define LAYER_NORM_CONFIGURATION_2 3
#define LAYER_NORM_DEVICE_NVIDIA_H200 1
#define LAYER_NORM_PROBLEM_ROWS_OF_4096 1
#define LAYER_NORM_PROBLEM_ROWS_OF_1024 2

/* X(number, kernel) for every configuration */
#define LAYER_NORM_CONFIGURATION_COUNT 3
#define LAYER_NORM_CONFIGURATIONS(X) \
	X(0, layer_norm_0) \
	X(1, layer_norm_1) \
	X(2, layer_norm_2)
#define LAYER_NORM_DEVICE_COUNT 1
#define LAYER_NORM_METHOD_memory 1
#define LAYER_NORM_METHOD_registers 2
#define LAYER_NORM_METHOD_shared 3
#define LAYER_NORM_METHOD_launches 4

#define LAYER_NORM_0_BLOCK_X 128
#define LAYER_NORM_0_ROWS_PER_BLOCK 1
#define LAYER_NORM_0_VECTOR 4
#define LAYER_NORM_0_METHOD 2
#define LAYER_NORM_0_METHOD_NAME "registers"
#define LAYER_NORM_0_HELD 8
#define LAYER_NORM_0_NUMBER 0
#define LAYER_NORM_0_OPTIONS "-DLAYER=1"
#define LAYER_NORM_0_BLOCK_DIM_X 128
#define LAYER_NORM_0_BLOCK_DIM_Y 1
#define LAYER_NORM_0_BLOCK_DIM_Z 1
#define LAYER_NORM_0_SHARED_BYTES 0

#define LAYER_NORM_1_BLOCK_X 64
#define LAYER_NORM_1_ROWS_PER_BLOCK 1
#define LAYER_NORM_1_VECTOR 4
#define LAYER_NORM_1_METHOD 2
#define LAYER_NORM_1_METHOD_NAME "registers"
#define LAYER_NORM_1_HELD 4
#define LAYER_NORM_1_NUMBER 1
#define LAYER_NORM_1_OPTIONS "-DLAYER=1"
#define LAYER_NORM_1_BLOCK_DIM_X 64
#define LAYER_NORM_1_BLOCK_DIM_Y 1
#define LAYER_NORM_1_BLOCK_DIM_Z 1
#define LAYER_NORM_1_SHARED_BYTES 0

#define LAYER_NORM_2_BLOCK_X 256
#define LAYER_NORM_2_ROWS_PER_BLOCK 1
#define LAYER_NORM_2_VECTOR 1
#define LAYER_NORM_2_METHOD 1
#define LAYER_NORM_2_METHOD_NAME "memory"
#define LAYER_NORM_2_HELD 1
#define LAYER_NORM_2_NUMBER 2
#define LAYER_NORM_2_OPTIONS "-DLAYER=1"
#define LAYER_NORM_2_BLOCK_DIM_X 256
#define LAYER_NORM_2_BLOCK_DIM_Y 1
#define LAYER_NORM_2_BLOCK_DIM_Z 1
#define LAYER_NORM_2_SHARED_BYTES 0

#define LAYER_NORM_NVIDIA_H200_ROWS_OF_4096_CONFIGURATION 0
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_4096_TIME_NS 67914.8871974979
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_4096_TIME_LOW_NS 67752.2486255795
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_4096_TIME_HIGH_NS 68077.9161816257
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_4096_SPEEDUP 2.40929570304694
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_4096_SPEEDUP_LOW 2.40259555424015
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_4096_SPEEDUP_HIGH 2.416014536644

#define LAYER_NORM_NVIDIA_H200_ROWS_OF_1024_CONFIGURATION 1
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_1024_TIME_NS 65736.3827070903
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_1024_TIME_LOW_NS 65593.6722538918
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_1024_TIME_HIGH_NS 65879.4036517242
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_1024_SPEEDUP 3.00456165971836
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_1024_SPEEDUP_LOW 2.99804149170307
#define LAYER_NORM_NVIDIA_H200_ROWS_OF_1024_SPEEDUP_HIGH 3.0110960078546

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *layer_norm_device(int index)
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
static inline struct autotune_device layer_norm_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 1; i++)
		if (autotune_is_same_device(device, layer_norm_device(i)))
			autotune_fill(&complete, layer_norm_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 * It is a sequence. Launch N, from 0, is what layer_norm_launch_N() says (0: layer_norm_launch()),
 * as often as its repeats say (0: not at all):
 *   0 norm_sums(in, sums, epsilon, rows, columns)
 *   1 norm_rows(in, weight, bias, out, sums, epsilon, rows, columns)
 */
static inline struct autotune_launch layer_norm_launch(
	int configuration, const struct autotune_device *given, long long size_ROWS, long long size_COLUMNS)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_ROWS; (void)size_COLUMNS;
	switch (configuration) {
	case 0:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(size_ROWS, 1LL, &bad);
		amounts[3] = 128LL;
		amounts[4] = 1LL;
		break;
	case 1:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(size_ROWS, 1LL, &bad);
		amounts[3] = 64LL;
		amounts[4] = 1LL;
		break;
	case 2:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(size_ROWS, 1LL, &bad);
		amounts[3] = 256LL;
		amounts[4] = 1LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch layer_norm_launch_1(
	int configuration, const struct autotune_device *given, long long size_ROWS, long long size_COLUMNS)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_ROWS; (void)size_COLUMNS;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_ROWS, 1LL, &bad);
		amounts[3] = 128LL;
		amounts[4] = 1LL;
		amounts[6] = 0LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_ROWS, 1LL, &bad);
		amounts[3] = 64LL;
		amounts[4] = 1LL;
		amounts[6] = 0LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_ROWS, 1LL, &bad);
		amounts[3] = 256LL;
		amounts[4] = 1LL;
		amounts[6] = 0LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int layer_norm_fits(
	int configuration, const struct autotune_device *given, long long size_ROWS, long long size_COLUMNS)
{
	const struct autotune_device complete = layer_norm_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_ROWS >= 1LL && size_ROWS <= 65536LL))
		bad = 1;
	if (!(size_COLUMNS >= 1LL && size_COLUMNS <= 16384LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK_X * ROWS_PER_BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* METHOD == 'registers' ? HELD * BLOCK_X * VECTOR >= COLUMNS : HELD == 1 */
		if (!(4096LL >= size_COLUMNS))
			bad = 1;
		static_bytes = 32;
		registers = 56;
		break;
	case 1:
		/* BLOCK_X * ROWS_PER_BLOCK <= device.max_threads_per_block */
		if (!(64LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* METHOD == 'registers' ? HELD * BLOCK_X * VECTOR >= COLUMNS : HELD == 1 */
		if (!(1024LL >= size_COLUMNS))
			bad = 1;
		static_bytes = 16;
		registers = 40;
		break;
	case 2:
		/* BLOCK_X * ROWS_PER_BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 64;
		registers = 32;
		break;
	default:
		break;
	}
	launch = layer_norm_launch(configuration, given, size_ROWS, size_COLUMNS);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	launch = layer_norm_launch_1(configuration, given, size_ROWS, size_COLUMNS);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice layer_norm_choose(
	const struct autotune_device *device, long long size_ROWS, long long size_COLUMNS)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 16384, 4096 }, /* rows_of_4096 */
		{ 65536, 1024 }, /* rows_of_1024 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* rows_of_4096 on NVIDIA H200 */
		{ 1, 0, 1, 0 }, /* rows_of_1024 on NVIDIA H200 */
		{ 2, 0, 0, 1 }, /* rows_of_4096 on NVIDIA H200 */
		{ 2, 0, 1, 1 }, /* rows_of_1024 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_ROWS), AUTOTUNE_CAST(double, size_COLUMNS) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_ROWS; (void)size_COLUMNS;
	for (i = 0; device && i < 4; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			layer_norm_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			layer_norm_fits(entries[i][0], device, size_ROWS, size_COLUMNS)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[256];

		snprintf(text, sizeof(text), "\"ROWS\": %lld, \"COLUMNS\": %lld", size_ROWS, size_COLUMNS);
		autotune_note(file, "layer_norm", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   layer_norm_run(&device, stream, ROWS, COLUMNS, in, weight, bias, out, epsilon)
 *
 *   in             const void *
 *   weight         const void *
 *   bias           const void *
 *   out            void *
 *   sums           scratch, which it allocates in the stream
 *   epsilon        float 
 *   rows           computed: ROWS
 *   columns        computed: COLUMNS
 *
 * layer_norm_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line LAYER_NORM_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. layer_norm_run_by() launches with
 * functions of its caller.
 */
#define LAYER_NORM_RUN_PARAMETERS \
	, long long size_ROWS, long long size_COLUMNS, const void *argument_in, const void *argument_weight, const void *argument_bias, void *argument_out, float argument_epsilon
#define LAYER_NORM_RUN_ARGUMENTS \
	, size_ROWS, size_COLUMNS, argument_in, argument_weight, argument_bias, argument_out, argument_epsilon

static inline int layer_norm_run_by(struct autotune_runner *runner,
	const struct autotune_device *given LAYER_NORM_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? layer_norm_choose(given, size_ROWS, size_COLUMNS).configuration : runner->configuration;
	int bad = 0;
	void *memory_sums = AUTOTUNE_NULL;
	long long count_sums = 0;
	void *argument_sums = AUTOTUNE_NULL;
	long long value_rows = 0;
	int argument_rows = 0;
	long long value_columns = 0;
	int argument_columns = 0;
	int error;

	if (!given || configuration < 0 || !layer_norm_fits(configuration, given, size_ROWS, size_COLUMNS))
		return runner->refused;
	count_sums = size_ROWS;
	value_rows = size_ROWS;
	value_columns = size_COLUMNS;
	count_sums = autotune_multiply(count_sums, 8LL, &bad);
	if (count_sums < 1)
		bad = 1;
	argument_rows = AUTOTUNE_CAST(int, value_rows);
	if (AUTOTUNE_CAST(long long, argument_rows) != value_rows)
		bad = 1;
	argument_columns = AUTOTUNE_CAST(int, value_columns);
	if (AUTOTUNE_CAST(long long, argument_columns) != value_columns)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	if (!error)
		error = runner->allocate(runner, &memory_sums,
			AUTOTUNE_CAST(unsigned long long, count_sums));
	argument_sums = memory_sums;
	/* norm_sums */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_sums, &argument_epsilon, &argument_rows, &argument_columns };
		const struct autotune_launch launch =
			layer_norm_launch(configuration, given, size_ROWS, size_COLUMNS);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
		}
	}
	/* norm_rows */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_weight, &argument_bias, &argument_out, &argument_sums, &argument_epsilon, &argument_rows, &argument_columns };
		const struct autotune_launch launch =
			layer_norm_launch_1(configuration, given, size_ROWS, size_COLUMNS);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 1, &launch, arguments);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_LAYER_NORM_RUN)
#define AUTOTUNE_LAYER_NORM_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const layer_norm_0_kernels[2];
extern const void *const layer_norm_1_kernels[2];
extern const void *const layer_norm_2_kernels[2];
#ifdef __cplusplus
}
#endif

/* As layer_norm_run(), with a configuration that was chosen before. */
static inline cudaError_t layer_norm_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream LAYER_NORM_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { layer_norm_0_kernels, layer_norm_1_kernels, layer_norm_2_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		layer_norm_run_by(&runner, device LAYER_NORM_RUN_ARGUMENTS));
}

static inline cudaError_t layer_norm_run(
	const struct autotune_device *device, cudaStream_t stream LAYER_NORM_RUN_PARAMETERS)
{
	return layer_norm_run_configuration(
		AUTOTUNE_CHOOSE, device, stream LAYER_NORM_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef LAYER_NORM_SELECTED_DEVICE
#ifdef LAYER_NORM_DEVICE
#define LAYER_NORM_SELECTED_DEVICE AUTOTUNE_PASTE(LAYER_NORM_DEVICE_, LAYER_NORM_DEVICE)
#if !(LAYER_NORM_SELECTED_DEVICE > 0)
#error "LAYER_NORM_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define LAYER_NORM_SELECTED_DEVICE 0
#endif
#undef LAYER_NORM_SELECTED_PROBLEM
#ifdef LAYER_NORM_PROBLEM
#define LAYER_NORM_SELECTED_PROBLEM AUTOTUNE_PASTE(LAYER_NORM_PROBLEM_, LAYER_NORM_PROBLEM)
#if !(LAYER_NORM_SELECTED_PROBLEM > 0)
#error "LAYER_NORM_PROBLEM is not one of: ROWS_OF_4096, ROWS_OF_1024"
#endif
#else
#define LAYER_NORM_SELECTED_PROBLEM 0
#endif
#undef LAYER_NORM_SELECTED
#ifdef LAYER_NORM_CONFIGURATION
#define LAYER_NORM_SELECTED AUTOTUNE_PASTE(LAYER_NORM_CONFIGURATION_, LAYER_NORM_CONFIGURATION)
#if !(LAYER_NORM_SELECTED > 0)
#error "LAYER_NORM_CONFIGURATION is no number from 0 to 2"
#endif
#elif LAYER_NORM_SELECTED_DEVICE == 1 && LAYER_NORM_SELECTED_PROBLEM == 1
#define LAYER_NORM_SELECTED 1
#elif LAYER_NORM_SELECTED_DEVICE == 0 && LAYER_NORM_SELECTED_PROBLEM == 1
#define LAYER_NORM_SELECTED 1
#elif LAYER_NORM_SELECTED_DEVICE == 1 && LAYER_NORM_SELECTED_PROBLEM == 2
#define LAYER_NORM_SELECTED 2
#elif LAYER_NORM_SELECTED_DEVICE == 0 && LAYER_NORM_SELECTED_PROBLEM == 2
#define LAYER_NORM_SELECTED 2
#elif LAYER_NORM_SELECTED_DEVICE > 0 && LAYER_NORM_SELECTED_PROBLEM > 0
#error "LAYER_NORM_PROBLEM was not measured on LAYER_NORM_DEVICE; there are: ROWS_OF_4096 on NVIDIA_H200, ROWS_OF_1024 on NVIDIA_H200"
#else
#define LAYER_NORM_SELECTED 0
#endif
#undef LAYER_NORM_BLOCK_X
#undef LAYER_NORM_ROWS_PER_BLOCK
#undef LAYER_NORM_VECTOR
#undef LAYER_NORM_METHOD
#undef LAYER_NORM_METHOD_NAME
#undef LAYER_NORM_HELD
#undef LAYER_NORM_NUMBER
#undef LAYER_NORM_OPTIONS
#undef LAYER_NORM_BLOCK_DIM_X
#undef LAYER_NORM_BLOCK_DIM_Y
#undef LAYER_NORM_BLOCK_DIM_Z
#undef LAYER_NORM_SHARED_BYTES
#if LAYER_NORM_SELECTED == 1
#define LAYER_NORM_BLOCK_X LAYER_NORM_0_BLOCK_X
#define LAYER_NORM_ROWS_PER_BLOCK LAYER_NORM_0_ROWS_PER_BLOCK
#define LAYER_NORM_VECTOR LAYER_NORM_0_VECTOR
#define LAYER_NORM_METHOD LAYER_NORM_0_METHOD
#define LAYER_NORM_METHOD_NAME LAYER_NORM_0_METHOD_NAME
#define LAYER_NORM_HELD LAYER_NORM_0_HELD
#define LAYER_NORM_NUMBER LAYER_NORM_0_NUMBER
#define LAYER_NORM_OPTIONS LAYER_NORM_0_OPTIONS
#define LAYER_NORM_BLOCK_DIM_X LAYER_NORM_0_BLOCK_DIM_X
#define LAYER_NORM_BLOCK_DIM_Y LAYER_NORM_0_BLOCK_DIM_Y
#define LAYER_NORM_BLOCK_DIM_Z LAYER_NORM_0_BLOCK_DIM_Z
#define LAYER_NORM_SHARED_BYTES LAYER_NORM_0_SHARED_BYTES
#elif LAYER_NORM_SELECTED == 2
#define LAYER_NORM_BLOCK_X LAYER_NORM_1_BLOCK_X
#define LAYER_NORM_ROWS_PER_BLOCK LAYER_NORM_1_ROWS_PER_BLOCK
#define LAYER_NORM_VECTOR LAYER_NORM_1_VECTOR
#define LAYER_NORM_METHOD LAYER_NORM_1_METHOD
#define LAYER_NORM_METHOD_NAME LAYER_NORM_1_METHOD_NAME
#define LAYER_NORM_HELD LAYER_NORM_1_HELD
#define LAYER_NORM_NUMBER LAYER_NORM_1_NUMBER
#define LAYER_NORM_OPTIONS LAYER_NORM_1_OPTIONS
#define LAYER_NORM_BLOCK_DIM_X LAYER_NORM_1_BLOCK_DIM_X
#define LAYER_NORM_BLOCK_DIM_Y LAYER_NORM_1_BLOCK_DIM_Y
#define LAYER_NORM_BLOCK_DIM_Z LAYER_NORM_1_BLOCK_DIM_Z
#define LAYER_NORM_SHARED_BYTES LAYER_NORM_1_SHARED_BYTES
#elif LAYER_NORM_SELECTED == 3
#define LAYER_NORM_BLOCK_X LAYER_NORM_2_BLOCK_X
#define LAYER_NORM_ROWS_PER_BLOCK LAYER_NORM_2_ROWS_PER_BLOCK
#define LAYER_NORM_VECTOR LAYER_NORM_2_VECTOR
#define LAYER_NORM_METHOD LAYER_NORM_2_METHOD
#define LAYER_NORM_METHOD_NAME LAYER_NORM_2_METHOD_NAME
#define LAYER_NORM_HELD LAYER_NORM_2_HELD
#define LAYER_NORM_NUMBER LAYER_NORM_2_NUMBER
#define LAYER_NORM_OPTIONS LAYER_NORM_2_OPTIONS
#define LAYER_NORM_BLOCK_DIM_X LAYER_NORM_2_BLOCK_DIM_X
#define LAYER_NORM_BLOCK_DIM_Y LAYER_NORM_2_BLOCK_DIM_Y
#define LAYER_NORM_BLOCK_DIM_Z LAYER_NORM_2_BLOCK_DIM_Z
#define LAYER_NORM_SHARED_BYTES LAYER_NORM_2_SHARED_BYTES
#endif
#ifdef LAYER_NORM_BARE
#if LAYER_NORM_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 128
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 1
#undef VECTOR
#define VECTOR 4
#undef METHOD_memory
#define METHOD_memory 1
#undef METHOD_registers
#define METHOD_registers 2
#undef METHOD_shared
#define METHOD_shared 3
#undef METHOD_launches
#define METHOD_launches 4
#undef METHOD
#define METHOD METHOD_registers
#undef HELD
#define HELD 8
#undef LAYER
#define LAYER 1
#ifdef LAYER_NORM_CONFIGURATION
#undef norm_sums
#define norm_sums layer_norm_0
#undef norm_rows
#define norm_rows layer_norm_0_norm_rows
#undef norm_reference
#define norm_reference layer_norm_0_norm_reference
#undef LAYER_NORM_ENTRY
#define LAYER_NORM_ENTRY extern "C" const void *const layer_norm_0_kernels[2]; \
	const void *const layer_norm_0_kernels[2] = { reinterpret_cast<const void *>(&norm_sums), reinterpret_cast<const void *>(&norm_rows) }
#endif
#elif LAYER_NORM_SELECTED == 2
#undef BLOCK_X
#define BLOCK_X 64
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 1
#undef VECTOR
#define VECTOR 4
#undef METHOD_memory
#define METHOD_memory 1
#undef METHOD_registers
#define METHOD_registers 2
#undef METHOD_shared
#define METHOD_shared 3
#undef METHOD_launches
#define METHOD_launches 4
#undef METHOD
#define METHOD METHOD_registers
#undef HELD
#define HELD 4
#undef LAYER
#define LAYER 1
#ifdef LAYER_NORM_CONFIGURATION
#undef norm_sums
#define norm_sums layer_norm_1
#undef norm_rows
#define norm_rows layer_norm_1_norm_rows
#undef norm_reference
#define norm_reference layer_norm_1_norm_reference
#undef LAYER_NORM_ENTRY
#define LAYER_NORM_ENTRY extern "C" const void *const layer_norm_1_kernels[2]; \
	const void *const layer_norm_1_kernels[2] = { reinterpret_cast<const void *>(&norm_sums), reinterpret_cast<const void *>(&norm_rows) }
#endif
#elif LAYER_NORM_SELECTED == 3
#undef BLOCK_X
#define BLOCK_X 256
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 1
#undef VECTOR
#define VECTOR 1
#undef METHOD_memory
#define METHOD_memory 1
#undef METHOD_registers
#define METHOD_registers 2
#undef METHOD_shared
#define METHOD_shared 3
#undef METHOD_launches
#define METHOD_launches 4
#undef METHOD
#define METHOD METHOD_memory
#undef HELD
#define HELD 1
#undef LAYER
#define LAYER 1
#ifdef LAYER_NORM_CONFIGURATION
#undef norm_sums
#define norm_sums layer_norm_2
#undef norm_rows
#define norm_rows layer_norm_2_norm_rows
#undef norm_reference
#define norm_reference layer_norm_2_norm_reference
#undef LAYER_NORM_ENTRY
#define LAYER_NORM_ENTRY extern "C" const void *const layer_norm_2_kernels[2]; \
	const void *const layer_norm_2_kernels[2] = { reinterpret_cast<const void *>(&norm_sums), reinterpret_cast<const void *>(&norm_rows) }
#endif
#else
#error "LAYER_NORM_BARE: say of which configuration, with LAYER_NORM_CONFIGURATION, or with LAYER_NORM_DEVICE and LAYER_NORM_PROBLEM"
#endif
#endif
