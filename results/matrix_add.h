/*
 * matrix_add: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     afd3b2b3509538020afcdce7e1e50d54 matrix_add.cfg
 *   template  4f4aa1c47ac8476a3f74c996d012a731 matrix_add.cu
 *   contents  00c3826134f1f65706d3dab55e7c8c3c
 */
/*
 * matrix_add: 3 configurations, baselines included. The fastest correct ones are, for
 *
 * square_8192 on NVIDIA H100 80GB HBM3 (sm_90): ROWS = 8192, COLUMNS = 8192
 *   configuration  0: BLOCK_X=64 BLOCK_Y=2 PER_THREAD=1 VECTOR=2 STAGE=true
 *   time           257.18 us (95 % interval 256.81 to 257.55)
 *   speed-up       1.187 over the baseline (95 % interval 1.185 to 1.188)
 *   chosen from    421 evaluations, 421 of them ok
 *   verified       2 data sets, 4 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:23Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    67e17189bb72ecd8d627bbd9286dbbae
 *
 * square_8192 on NVIDIA H200 (sm_90): ROWS = 8192, COLUMNS = 8192
 *   configuration  1: BLOCK_X=16 BLOCK_Y=16 PER_THREAD=1 VECTOR=4 STAGE=true
 *   time           182.9 us (95 % interval 182.66 to 183.15)
 *   speed-up       1.395 over the baseline (95 % interval 1.393 to 1.397)
 *   chosen from    421 evaluations, 421 of them ok
 *   verified       2 data sets, 4 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:02:47Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    67e17189ec40a36be527fa902a0b6c74
 *
 * To choose a configuration when the program runs: matrix_add_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * matrix_add_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of MATRIX_ADD_CONFIGURATIONS in a translation unit of its own:
 * define MATRIX_ADD_CONFIGURATION as n, define MATRIX_ADD_BARE, include this header, then
 * the template. Its kernel is called matrix_add_n there. Give the compiler
 * MATRIX_ADD_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names MATRIX_ADD_... without a
 * number belong to one configuration. Define MATRIX_ADD_CONFIGURATION, or
 * MATRIX_ADD_DEVICE and MATRIX_ADD_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. MATRIX_ADD_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_MATRIX_ADD_H
#define AUTOTUNE_MATRIX_ADD_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_MATRIX_ADD_CONTENTS 0x9ddedbbb0d1ea873ULL

/* the values that MATRIX_ADD_CONFIGURATION, MATRIX_ADD_DEVICE and MATRIX_ADD_PROBLEM may have */
#define MATRIX_ADD_CONFIGURATION_0 1
#define MATRIX_ADD_CONFIGURATION_1 2
#define MATRIX_ADD_CONFIGURATION_2 3
#define MATRIX_ADD_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define MATRIX_ADD_DEVICE_NVIDIA_H200 2
#define MATRIX_ADD_PROBLEM_SQUARE_8192 1

/* X(number, kernel) for every configuration */
#define MATRIX_ADD_CONFIGURATION_COUNT 3
#define MATRIX_ADD_CONFIGURATIONS(X) \
	X(0, matrix_add_0) \
	X(1, matrix_add_1) \
	X(2, matrix_add_2)
#define MATRIX_ADD_DEVICE_COUNT 2

#define MATRIX_ADD_0_BLOCK_X 64
#define MATRIX_ADD_0_BLOCK_Y 2
#define MATRIX_ADD_0_PER_THREAD 1
#define MATRIX_ADD_0_VECTOR 2
#define MATRIX_ADD_0_STAGE 1
#define MATRIX_ADD_0_NUMBER 0
#define MATRIX_ADD_0_OPTIONS ""
#define MATRIX_ADD_0_BLOCK_DIM_X 64
#define MATRIX_ADD_0_BLOCK_DIM_Y 2
#define MATRIX_ADD_0_BLOCK_DIM_Z 1
#define MATRIX_ADD_0_SHARED_BYTES 0

#define MATRIX_ADD_1_BLOCK_X 16
#define MATRIX_ADD_1_BLOCK_Y 16
#define MATRIX_ADD_1_PER_THREAD 1
#define MATRIX_ADD_1_VECTOR 4
#define MATRIX_ADD_1_STAGE 1
#define MATRIX_ADD_1_NUMBER 1
#define MATRIX_ADD_1_OPTIONS ""
#define MATRIX_ADD_1_BLOCK_DIM_X 16
#define MATRIX_ADD_1_BLOCK_DIM_Y 16
#define MATRIX_ADD_1_BLOCK_DIM_Z 1
#define MATRIX_ADD_1_SHARED_BYTES 0

#define MATRIX_ADD_2_BLOCK_X 16
#define MATRIX_ADD_2_BLOCK_Y 16
#define MATRIX_ADD_2_PER_THREAD 1
#define MATRIX_ADD_2_VECTOR 1
#define MATRIX_ADD_2_STAGE 0
#define MATRIX_ADD_2_NUMBER 2
#define MATRIX_ADD_2_OPTIONS ""
#define MATRIX_ADD_2_BLOCK_DIM_X 16
#define MATRIX_ADD_2_BLOCK_DIM_Y 16
#define MATRIX_ADD_2_BLOCK_DIM_Z 1
#define MATRIX_ADD_2_SHARED_BYTES 0

#define MATRIX_ADD_NVIDIA_H100_80GB_HBM3_SQUARE_8192_CONFIGURATION 0
#define MATRIX_ADD_NVIDIA_H100_80GB_HBM3_SQUARE_8192_TIME_NS 257177.934778833
#define MATRIX_ADD_NVIDIA_H100_80GB_HBM3_SQUARE_8192_TIME_LOW_NS 256810.120244895
#define MATRIX_ADD_NVIDIA_H100_80GB_HBM3_SQUARE_8192_TIME_HIGH_NS 257546.276112615
#define MATRIX_ADD_NVIDIA_H100_80GB_HBM3_SQUARE_8192_SPEEDUP 1.18674963261604
#define MATRIX_ADD_NVIDIA_H100_80GB_HBM3_SQUARE_8192_SPEEDUP_LOW 1.18525658076197
#define MATRIX_ADD_NVIDIA_H100_80GB_HBM3_SQUARE_8192_SPEEDUP_HIGH 1.18824456524756

#define MATRIX_ADD_NVIDIA_H200_SQUARE_8192_CONFIGURATION 1
#define MATRIX_ADD_NVIDIA_H200_SQUARE_8192_TIME_NS 182903.106772503
#define MATRIX_ADD_NVIDIA_H200_SQUARE_8192_TIME_LOW_NS 182656.579720799
#define MATRIX_ADD_NVIDIA_H200_SQUARE_8192_TIME_HIGH_NS 183149.966555649
#define MATRIX_ADD_NVIDIA_H200_SQUARE_8192_SPEEDUP 1.39504142221721
#define MATRIX_ADD_NVIDIA_H200_SQUARE_8192_SPEEDUP_LOW 1.39286665885112
#define MATRIX_ADD_NVIDIA_H200_SQUARE_8192_SPEEDUP_HIGH 1.39721958116727

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *matrix_add_device(int index)
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
static inline struct autotune_device matrix_add_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, matrix_add_device(i)))
			autotune_fill(&complete, matrix_add_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch matrix_add_launch(
	int configuration, const struct autotune_device *given, long long size_ROWS, long long size_COLUMNS)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_ROWS; (void)size_COLUMNS;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_COLUMNS, 128LL, &bad);
		amounts[1] = autotune_ceil_div(size_ROWS, 2LL, &bad);
		amounts[3] = 64LL;
		amounts[4] = 2LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_COLUMNS, 64LL, &bad);
		amounts[1] = autotune_ceil_div(size_ROWS, 16LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_COLUMNS, 16LL, &bad);
		amounts[1] = autotune_ceil_div(size_ROWS, 16LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int matrix_add_fits(
	int configuration, const struct autotune_device *given, long long size_ROWS, long long size_COLUMNS)
{
	const struct autotune_device complete = matrix_add_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_ROWS >= 1LL && size_ROWS <= 16384LL))
		bad = 1;
	if (!(size_COLUMNS >= 1LL && size_COLUMNS <= 16384LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* !STAGE || 8 * BLOCK_X * BLOCK_Y * PER_THREAD * VECTOR <= device.max_shared_bytes_per_block */
		if (!(2048LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 2048;
		registers = 22;
		break;
	case 1:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* !STAGE || 8 * BLOCK_X * BLOCK_Y * PER_THREAD * VECTOR <= device.max_shared_bytes_per_block */
		if (!(8192LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 8192;
		registers = 28;
		break;
	case 2:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 12;
		break;
	default:
		break;
	}
	launch = matrix_add_launch(configuration, given, size_ROWS, size_COLUMNS);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice matrix_add_choose(
	const struct autotune_device *device, long long size_ROWS, long long size_COLUMNS)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 8192, 8192 }, /* square_8192 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* square_8192 on NVIDIA H100 80GB HBM3 */
		{ 1, 1, 0, 0 }, /* square_8192 on NVIDIA H200 */
		{ 2, 0, 0, 1 }, /* square_8192 on NVIDIA H100 80GB HBM3 */
		{ 2, 1, 0, 1 }, /* square_8192 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_ROWS), AUTOTUNE_CAST(double, size_COLUMNS) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_ROWS; (void)size_COLUMNS;
	for (i = 0; device && i < 4; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			matrix_add_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			matrix_add_fits(entries[i][0], device, size_ROWS, size_COLUMNS)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[256];

		snprintf(text, sizeof(text), "\"ROWS\": %lld, \"COLUMNS\": %lld", size_ROWS, size_COLUMNS);
		autotune_note(file, "matrix_add", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   matrix_add_run(&device, stream, ROWS, COLUMNS, A, B, C)
 *
 *   A              const float *
 *   B              const float *
 *   C              float *
 *   rows           computed: ROWS
 *   columns        computed: COLUMNS
 *
 * matrix_add_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line MATRIX_ADD_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. matrix_add_run_by() launches with
 * functions of its caller.
 */
#define MATRIX_ADD_RUN_PARAMETERS \
	, long long size_ROWS, long long size_COLUMNS, const float *argument_A, const float *argument_B, float *argument_C
#define MATRIX_ADD_RUN_ARGUMENTS \
	, size_ROWS, size_COLUMNS, argument_A, argument_B, argument_C

static inline int matrix_add_run_by(struct autotune_runner *runner,
	const struct autotune_device *given MATRIX_ADD_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? matrix_add_choose(given, size_ROWS, size_COLUMNS).configuration : runner->configuration;
	int bad = 0;
	long long value_rows = 0;
	int argument_rows = 0;
	long long value_columns = 0;
	int argument_columns = 0;
	int error;

	if (!given || configuration < 0 || !matrix_add_fits(configuration, given, size_ROWS, size_COLUMNS))
		return runner->refused;
	value_rows = size_ROWS;
	value_columns = size_COLUMNS;
	argument_rows = AUTOTUNE_CAST(int, value_rows);
	if (AUTOTUNE_CAST(long long, argument_rows) != value_rows)
		bad = 1;
	argument_columns = AUTOTUNE_CAST(int, value_columns);
	if (AUTOTUNE_CAST(long long, argument_columns) != value_columns)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* matrix_add */
	if (!error) {
		void *arguments[] = { &argument_A, &argument_B, &argument_C, &argument_rows, &argument_columns };
		const struct autotune_launch launch =
			matrix_add_launch(configuration, given, size_ROWS, size_COLUMNS);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_MATRIX_ADD_RUN)
#define AUTOTUNE_MATRIX_ADD_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const matrix_add_0_kernels[1];
extern const void *const matrix_add_1_kernels[1];
extern const void *const matrix_add_2_kernels[1];
#ifdef __cplusplus
}
#endif

/* As matrix_add_run(), with a configuration that was chosen before. */
static inline cudaError_t matrix_add_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream MATRIX_ADD_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { matrix_add_0_kernels, matrix_add_1_kernels, matrix_add_2_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		matrix_add_run_by(&runner, device MATRIX_ADD_RUN_ARGUMENTS));
}

static inline cudaError_t matrix_add_run(
	const struct autotune_device *device, cudaStream_t stream MATRIX_ADD_RUN_PARAMETERS)
{
	return matrix_add_run_configuration(
		AUTOTUNE_CHOOSE, device, stream MATRIX_ADD_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef MATRIX_ADD_SELECTED_DEVICE
#ifdef MATRIX_ADD_DEVICE
#define MATRIX_ADD_SELECTED_DEVICE AUTOTUNE_PASTE(MATRIX_ADD_DEVICE_, MATRIX_ADD_DEVICE)
#if !(MATRIX_ADD_SELECTED_DEVICE > 0)
#error "MATRIX_ADD_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define MATRIX_ADD_SELECTED_DEVICE 0
#endif
#undef MATRIX_ADD_SELECTED_PROBLEM
#ifdef MATRIX_ADD_PROBLEM
#define MATRIX_ADD_SELECTED_PROBLEM AUTOTUNE_PASTE(MATRIX_ADD_PROBLEM_, MATRIX_ADD_PROBLEM)
#if !(MATRIX_ADD_SELECTED_PROBLEM > 0)
#error "MATRIX_ADD_PROBLEM is not one of: SQUARE_8192"
#endif
#else
#define MATRIX_ADD_SELECTED_PROBLEM 0
#endif
#undef MATRIX_ADD_SELECTED
#ifdef MATRIX_ADD_CONFIGURATION
#define MATRIX_ADD_SELECTED AUTOTUNE_PASTE(MATRIX_ADD_CONFIGURATION_, MATRIX_ADD_CONFIGURATION)
#if !(MATRIX_ADD_SELECTED > 0)
#error "MATRIX_ADD_CONFIGURATION is no number from 0 to 2"
#endif
#elif MATRIX_ADD_SELECTED_DEVICE == 1 && MATRIX_ADD_SELECTED_PROBLEM == 1
#define MATRIX_ADD_SELECTED 1
#elif MATRIX_ADD_SELECTED_DEVICE == 1 && MATRIX_ADD_SELECTED_PROBLEM == 0
#define MATRIX_ADD_SELECTED 1
#elif MATRIX_ADD_SELECTED_DEVICE == 2 && MATRIX_ADD_SELECTED_PROBLEM == 1
#define MATRIX_ADD_SELECTED 2
#elif MATRIX_ADD_SELECTED_DEVICE == 2 && MATRIX_ADD_SELECTED_PROBLEM == 0
#define MATRIX_ADD_SELECTED 2
#elif MATRIX_ADD_SELECTED_DEVICE > 0 && MATRIX_ADD_SELECTED_PROBLEM > 0
#error "MATRIX_ADD_PROBLEM was not measured on MATRIX_ADD_DEVICE; there are: SQUARE_8192 on NVIDIA_H100_80GB_HBM3, SQUARE_8192 on NVIDIA_H200"
#else
#define MATRIX_ADD_SELECTED 0
#endif
#undef MATRIX_ADD_BLOCK_X
#undef MATRIX_ADD_BLOCK_Y
#undef MATRIX_ADD_PER_THREAD
#undef MATRIX_ADD_VECTOR
#undef MATRIX_ADD_STAGE
#undef MATRIX_ADD_NUMBER
#undef MATRIX_ADD_OPTIONS
#undef MATRIX_ADD_BLOCK_DIM_X
#undef MATRIX_ADD_BLOCK_DIM_Y
#undef MATRIX_ADD_BLOCK_DIM_Z
#undef MATRIX_ADD_SHARED_BYTES
#if MATRIX_ADD_SELECTED == 1
#define MATRIX_ADD_BLOCK_X MATRIX_ADD_0_BLOCK_X
#define MATRIX_ADD_BLOCK_Y MATRIX_ADD_0_BLOCK_Y
#define MATRIX_ADD_PER_THREAD MATRIX_ADD_0_PER_THREAD
#define MATRIX_ADD_VECTOR MATRIX_ADD_0_VECTOR
#define MATRIX_ADD_STAGE MATRIX_ADD_0_STAGE
#define MATRIX_ADD_NUMBER MATRIX_ADD_0_NUMBER
#define MATRIX_ADD_OPTIONS MATRIX_ADD_0_OPTIONS
#define MATRIX_ADD_BLOCK_DIM_X MATRIX_ADD_0_BLOCK_DIM_X
#define MATRIX_ADD_BLOCK_DIM_Y MATRIX_ADD_0_BLOCK_DIM_Y
#define MATRIX_ADD_BLOCK_DIM_Z MATRIX_ADD_0_BLOCK_DIM_Z
#define MATRIX_ADD_SHARED_BYTES MATRIX_ADD_0_SHARED_BYTES
#elif MATRIX_ADD_SELECTED == 2
#define MATRIX_ADD_BLOCK_X MATRIX_ADD_1_BLOCK_X
#define MATRIX_ADD_BLOCK_Y MATRIX_ADD_1_BLOCK_Y
#define MATRIX_ADD_PER_THREAD MATRIX_ADD_1_PER_THREAD
#define MATRIX_ADD_VECTOR MATRIX_ADD_1_VECTOR
#define MATRIX_ADD_STAGE MATRIX_ADD_1_STAGE
#define MATRIX_ADD_NUMBER MATRIX_ADD_1_NUMBER
#define MATRIX_ADD_OPTIONS MATRIX_ADD_1_OPTIONS
#define MATRIX_ADD_BLOCK_DIM_X MATRIX_ADD_1_BLOCK_DIM_X
#define MATRIX_ADD_BLOCK_DIM_Y MATRIX_ADD_1_BLOCK_DIM_Y
#define MATRIX_ADD_BLOCK_DIM_Z MATRIX_ADD_1_BLOCK_DIM_Z
#define MATRIX_ADD_SHARED_BYTES MATRIX_ADD_1_SHARED_BYTES
#elif MATRIX_ADD_SELECTED == 3
#define MATRIX_ADD_BLOCK_X MATRIX_ADD_2_BLOCK_X
#define MATRIX_ADD_BLOCK_Y MATRIX_ADD_2_BLOCK_Y
#define MATRIX_ADD_PER_THREAD MATRIX_ADD_2_PER_THREAD
#define MATRIX_ADD_VECTOR MATRIX_ADD_2_VECTOR
#define MATRIX_ADD_STAGE MATRIX_ADD_2_STAGE
#define MATRIX_ADD_NUMBER MATRIX_ADD_2_NUMBER
#define MATRIX_ADD_OPTIONS MATRIX_ADD_2_OPTIONS
#define MATRIX_ADD_BLOCK_DIM_X MATRIX_ADD_2_BLOCK_DIM_X
#define MATRIX_ADD_BLOCK_DIM_Y MATRIX_ADD_2_BLOCK_DIM_Y
#define MATRIX_ADD_BLOCK_DIM_Z MATRIX_ADD_2_BLOCK_DIM_Z
#define MATRIX_ADD_SHARED_BYTES MATRIX_ADD_2_SHARED_BYTES
#endif
#ifdef MATRIX_ADD_BARE
#if MATRIX_ADD_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 64
#undef BLOCK_Y
#define BLOCK_Y 2
#undef PER_THREAD
#define PER_THREAD 1
#undef VECTOR
#define VECTOR 2
#undef STAGE
#define STAGE 1
#ifdef MATRIX_ADD_CONFIGURATION
#undef matrix_add
#define matrix_add matrix_add_0
#undef matrix_add_reference
#define matrix_add_reference matrix_add_0_matrix_add_reference
#undef MATRIX_ADD_ENTRY
#define MATRIX_ADD_ENTRY extern "C" const void *const matrix_add_0_kernels[1]; \
	const void *const matrix_add_0_kernels[1] = { reinterpret_cast<const void *>(&matrix_add) }
#endif
#elif MATRIX_ADD_SELECTED == 2
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 16
#undef PER_THREAD
#define PER_THREAD 1
#undef VECTOR
#define VECTOR 4
#undef STAGE
#define STAGE 1
#ifdef MATRIX_ADD_CONFIGURATION
#undef matrix_add
#define matrix_add matrix_add_1
#undef matrix_add_reference
#define matrix_add_reference matrix_add_1_matrix_add_reference
#undef MATRIX_ADD_ENTRY
#define MATRIX_ADD_ENTRY extern "C" const void *const matrix_add_1_kernels[1]; \
	const void *const matrix_add_1_kernels[1] = { reinterpret_cast<const void *>(&matrix_add) }
#endif
#elif MATRIX_ADD_SELECTED == 3
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 16
#undef PER_THREAD
#define PER_THREAD 1
#undef VECTOR
#define VECTOR 1
#undef STAGE
#define STAGE 0
#ifdef MATRIX_ADD_CONFIGURATION
#undef matrix_add
#define matrix_add matrix_add_2
#undef matrix_add_reference
#define matrix_add_reference matrix_add_2_matrix_add_reference
#undef MATRIX_ADD_ENTRY
#define MATRIX_ADD_ENTRY extern "C" const void *const matrix_add_2_kernels[1]; \
	const void *const matrix_add_2_kernels[1] = { reinterpret_cast<const void *>(&matrix_add) }
#endif
#else
#error "MATRIX_ADD_BARE: say of which configuration, with MATRIX_ADD_CONFIGURATION, or with MATRIX_ADD_DEVICE and MATRIX_ADD_PROBLEM"
#endif
#endif
