/*
 * spmv: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     2af2f16d941f4137dcebab5fb098aaa0 spmv.cfg
 *   template  73710b77d0f558eb9a11607a541148cc spmv.cu
 *   contents  b6e1157b5b75797b4d3bf505c7635ca8
 */
/*
 * spmv: 3 configurations, baselines included. The fastest correct ones are, for
 *
 * four_a_row on NVIDIA H100 80GB HBM3 (sm_90): ROWS = 8388608, COLUMNS = 8388608, PER_ROW = 4
 *   configuration  0: BLOCK=256 THREADS_PER_ROW=1 ROWS_PER_BLOCK=256 UNROLL=4 USE_LDG=false
 *   time           460.51 us (95 % interval 459.95 to 461.08)
 *   speed-up       1.36 over the baseline (95 % interval 1.353 to 1.367)
 *   chosen from    510 evaluations, 510 of them ok
 *   verified       2 data sets, 4 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:41Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a1cd520f1c0c37aa3a1fe72ceab9ca98
 *
 * sixty_four_a_row on NVIDIA H100 80GB HBM3 (sm_90): ROWS = 1048576, COLUMNS = 1048576, PER_ROW = 64
 *   configuration  1: BLOCK=256 THREADS_PER_ROW=32 ROWS_PER_BLOCK=32 UNROLL=1 USE_LDG=true
 *   time           562.6 us (95 % interval 562.23 to 562.96)
 *   speed-up       7.079 over the baseline (95 % interval 7.042 to 7.115)
 *   chosen from    510 evaluations, 510 of them ok
 *   verified       2 data sets, 4 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:45Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    5b4df8be402d005a0f8d14405c94dbf5
 *
 * four_a_row on NVIDIA H200 (sm_90): ROWS = 8388608, COLUMNS = 8388608, PER_ROW = 4
 *   configuration  0: BLOCK=256 THREADS_PER_ROW=1 ROWS_PER_BLOCK=256 UNROLL=4 USE_LDG=false
 *   time           331.83 us (95 % interval 331.5 to 332.16)
 *   speed-up       1.197 over the baseline (95 % interval 1.189 to 1.204)
 *   chosen from    510 evaluations, 510 of them ok
 *   verified       2 data sets, 4 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a1cd520fcdd3a8f58a598acb10b27edf
 *
 * sixty_four_a_row on NVIDIA H200 (sm_90): ROWS = 1048576, COLUMNS = 1048576, PER_ROW = 64
 *   configuration  1: BLOCK=256 THREADS_PER_ROW=32 ROWS_PER_BLOCK=32 UNROLL=1 USE_LDG=true
 *   time           477.59 us (95 % interval 477.39 to 477.79)
 *   speed-up       6.342 over the baseline (95 % interval 6.331 to 6.352)
 *   chosen from    510 evaluations, 510 of them ok
 *   verified       2 data sets, 4 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:03Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    5b4df8be4731e180bd41afb79f1e9292
 *
 * To choose a configuration when the program runs: spmv_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * spmv_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of SPMV_CONFIGURATIONS in a translation unit of its own:
 * define SPMV_CONFIGURATION as n, define SPMV_BARE, include this header, then
 * the template. Its kernel is called spmv_n there. Give the compiler
 * SPMV_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names SPMV_... without a
 * number belong to one configuration. Define SPMV_CONFIGURATION, or
 * SPMV_DEVICE and SPMV_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. SPMV_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_SPMV_H
#define AUTOTUNE_SPMV_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_SPMV_CONTENTS 0xcc1d51658ed66f63ULL

/* the values that SPMV_CONFIGURATION, SPMV_DEVICE and SPMV_PROBLEM may have */
#define SPMV_CONFIGURATION_0 1
#define SPMV_CONFIGURATION_1 2
#define SPMV_CONFIGURATION_2 3
#define SPMV_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define SPMV_DEVICE_NVIDIA_H200 2
#define SPMV_PROBLEM_FOUR_A_ROW 1
#define SPMV_PROBLEM_SIXTY_FOUR_A_ROW 2

/* X(number, kernel) for every configuration */
#define SPMV_CONFIGURATION_COUNT 3
#define SPMV_CONFIGURATIONS(X) \
	X(0, spmv_0) \
	X(1, spmv_1) \
	X(2, spmv_2)
#define SPMV_DEVICE_COUNT 2

#define SPMV_0_BLOCK 256
#define SPMV_0_THREADS_PER_ROW 1
#define SPMV_0_ROWS_PER_BLOCK 256
#define SPMV_0_UNROLL 4
#define SPMV_0_USE_LDG 0
#define SPMV_0_NUMBER 0
#define SPMV_0_OPTIONS ""
#define SPMV_0_BLOCK_DIM_X 256
#define SPMV_0_BLOCK_DIM_Y 1
#define SPMV_0_BLOCK_DIM_Z 1
#define SPMV_0_SHARED_BYTES 0

#define SPMV_1_BLOCK 256
#define SPMV_1_THREADS_PER_ROW 32
#define SPMV_1_ROWS_PER_BLOCK 32
#define SPMV_1_UNROLL 1
#define SPMV_1_USE_LDG 1
#define SPMV_1_NUMBER 1
#define SPMV_1_OPTIONS ""
#define SPMV_1_BLOCK_DIM_X 256
#define SPMV_1_BLOCK_DIM_Y 1
#define SPMV_1_BLOCK_DIM_Z 1
#define SPMV_1_SHARED_BYTES 0

#define SPMV_2_BLOCK 256
#define SPMV_2_THREADS_PER_ROW 1
#define SPMV_2_ROWS_PER_BLOCK 256
#define SPMV_2_UNROLL 1
#define SPMV_2_USE_LDG 0
#define SPMV_2_NUMBER 2
#define SPMV_2_OPTIONS ""
#define SPMV_2_BLOCK_DIM_X 256
#define SPMV_2_BLOCK_DIM_Y 1
#define SPMV_2_BLOCK_DIM_Z 1
#define SPMV_2_SHARED_BYTES 0

#define SPMV_NVIDIA_H100_80GB_HBM3_FOUR_A_ROW_CONFIGURATION 0
#define SPMV_NVIDIA_H100_80GB_HBM3_FOUR_A_ROW_TIME_NS 460513.9845772
#define SPMV_NVIDIA_H100_80GB_HBM3_FOUR_A_ROW_TIME_LOW_NS 459953.195595411
#define SPMV_NVIDIA_H100_80GB_HBM3_FOUR_A_ROW_TIME_HIGH_NS 461075.45729004
#define SPMV_NVIDIA_H100_80GB_HBM3_FOUR_A_ROW_SPEEDUP 1.35990570388951
#define SPMV_NVIDIA_H100_80GB_HBM3_FOUR_A_ROW_SPEEDUP_LOW 1.35299568686028
#define SPMV_NVIDIA_H100_80GB_HBM3_FOUR_A_ROW_SPEEDUP_HIGH 1.36685101174474

#define SPMV_NVIDIA_H100_80GB_HBM3_SIXTY_FOUR_A_ROW_CONFIGURATION 1
#define SPMV_NVIDIA_H100_80GB_HBM3_SIXTY_FOUR_A_ROW_TIME_NS 562597.242408428
#define SPMV_NVIDIA_H100_80GB_HBM3_SIXTY_FOUR_A_ROW_TIME_LOW_NS 562234.699940978
#define SPMV_NVIDIA_H100_80GB_HBM3_SIXTY_FOUR_A_ROW_TIME_HIGH_NS 562960.018651988
#define SPMV_NVIDIA_H100_80GB_HBM3_SIXTY_FOUR_A_ROW_SPEEDUP 7.07856965279822
#define SPMV_NVIDIA_H100_80GB_HBM3_SIXTY_FOUR_A_ROW_SPEEDUP_LOW 7.04218656721638
#define SPMV_NVIDIA_H100_80GB_HBM3_SIXTY_FOUR_A_ROW_SPEEDUP_HIGH 7.11514070967333

#define SPMV_NVIDIA_H200_FOUR_A_ROW_CONFIGURATION 0
#define SPMV_NVIDIA_H200_FOUR_A_ROW_TIME_NS 331829.213003107
#define SPMV_NVIDIA_H200_FOUR_A_ROW_TIME_LOW_NS 331503.143388898
#define SPMV_NVIDIA_H200_FOUR_A_ROW_TIME_HIGH_NS 332155.60334246
#define SPMV_NVIDIA_H200_FOUR_A_ROW_SPEEDUP 1.19655783869203
#define SPMV_NVIDIA_H200_FOUR_A_ROW_SPEEDUP_LOW 1.18939829698638
#define SPMV_NVIDIA_H200_FOUR_A_ROW_SPEEDUP_HIGH 1.20376047701012

#define SPMV_NVIDIA_H200_SIXTY_FOUR_A_ROW_CONFIGURATION 1
#define SPMV_NVIDIA_H200_SIXTY_FOUR_A_ROW_TIME_NS 477589.302726674
#define SPMV_NVIDIA_H200_SIXTY_FOUR_A_ROW_TIME_LOW_NS 477390.499556841
#define SPMV_NVIDIA_H200_SIXTY_FOUR_A_ROW_TIME_HIGH_NS 477788.188685546
#define SPMV_NVIDIA_H200_SIXTY_FOUR_A_ROW_SPEEDUP 6.34151472088483
#define SPMV_NVIDIA_H200_SIXTY_FOUR_A_ROW_SPEEDUP_LOW 6.33119426803693
#define SPMV_NVIDIA_H200_SIXTY_FOUR_A_ROW_SPEEDUP_HIGH 6.35185199705902

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *spmv_device(int index)
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
static inline struct autotune_device spmv_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, spmv_device(i)))
			autotune_fill(&complete, spmv_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch spmv_launch(
	int configuration, const struct autotune_device *given, long long size_ROWS, long long size_COLUMNS, long long size_PER_ROW)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_ROWS; (void)size_COLUMNS; (void)size_PER_ROW;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_ROWS, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_ROWS, 32LL, &bad);
		amounts[3] = 256LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_ROWS, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int spmv_fits(
	int configuration, const struct autotune_device *given, long long size_ROWS, long long size_COLUMNS, long long size_PER_ROW)
{
	const struct autotune_device complete = spmv_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_ROWS >= 1LL && size_ROWS <= 16777216LL))
		bad = 1;
	if (!(size_COLUMNS >= 1LL && size_COLUMNS <= 16777216LL))
		bad = 1;
	if (!(size_PER_ROW >= 1LL && size_PER_ROW <= 1024LL))
		bad = 1;
	if (!(autotune_multiply(size_ROWS, size_PER_ROW, &bad) < 2147483648LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 22;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 26;
		break;
	case 2:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 18;
		break;
	default:
		break;
	}
	launch = spmv_launch(configuration, given, size_ROWS, size_COLUMNS, size_PER_ROW);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice spmv_choose(
	const struct autotune_device *device, long long size_ROWS, long long size_COLUMNS, long long size_PER_ROW)
{
	/* the sizes that were measured */
	static const double recorded[][3] = {
		{ 8388608, 8388608, 4 }, /* four_a_row */
		{ 1048576, 1048576, 64 }, /* sixty_four_a_row */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* four_a_row on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* sixty_four_a_row on NVIDIA H100 80GB HBM3 */
		{ 0, 1, 0, 0 }, /* four_a_row on NVIDIA H200 */
		{ 1, 1, 1, 0 }, /* sixty_four_a_row on NVIDIA H200 */
		{ 2, 0, 0, 1 }, /* four_a_row on NVIDIA H100 80GB HBM3 */
		{ 2, 0, 1, 1 }, /* sixty_four_a_row on NVIDIA H100 80GB HBM3 */
		{ 2, 1, 0, 1 }, /* four_a_row on NVIDIA H200 */
		{ 2, 1, 1, 1 }, /* sixty_four_a_row on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_ROWS), AUTOTUNE_CAST(double, size_COLUMNS), AUTOTUNE_CAST(double, size_PER_ROW) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_ROWS; (void)size_COLUMNS; (void)size_PER_ROW;
	for (i = 0; device && i < 8; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			spmv_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 3);

		if (autotune_is_better(&rank, &best) &&
			spmv_fits(entries[i][0], device, size_ROWS, size_COLUMNS, size_PER_ROW)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 3)) {
		char text[384];

		snprintf(text, sizeof(text), "\"ROWS\": %lld, \"COLUMNS\": %lld, \"PER_ROW\": %lld", size_ROWS, size_COLUMNS, size_PER_ROW);
		autotune_note(file, "spmv", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   spmv_run(&device, stream, ROWS, COLUMNS, PER_ROW, starts, columns, values, x, y)
 *
 *   starts         const int *
 *   columns        const int *
 *   values         const float *
 *   x              const float *
 *   y              float *
 *   rows           computed: ROWS
 *
 * spmv_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line SPMV_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. spmv_run_by() launches with
 * functions of its caller.
 */
#define SPMV_RUN_PARAMETERS \
	, long long size_ROWS, long long size_COLUMNS, long long size_PER_ROW, const int *argument_starts, const int *argument_columns, const float *argument_values, const float *argument_x, float *argument_y
#define SPMV_RUN_ARGUMENTS \
	, size_ROWS, size_COLUMNS, size_PER_ROW, argument_starts, argument_columns, argument_values, argument_x, argument_y

static inline int spmv_run_by(struct autotune_runner *runner,
	const struct autotune_device *given SPMV_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? spmv_choose(given, size_ROWS, size_COLUMNS, size_PER_ROW).configuration : runner->configuration;
	int bad = 0;
	long long value_rows = 0;
	int argument_rows = 0;
	int error;

	if (!given || configuration < 0 || !spmv_fits(configuration, given, size_ROWS, size_COLUMNS, size_PER_ROW))
		return runner->refused;
	value_rows = size_ROWS;
	argument_rows = AUTOTUNE_CAST(int, value_rows);
	if (AUTOTUNE_CAST(long long, argument_rows) != value_rows)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* spmv */
	if (!error) {
		void *arguments[] = { &argument_starts, &argument_columns, &argument_values, &argument_x, &argument_y, &argument_rows };
		const struct autotune_launch launch =
			spmv_launch(configuration, given, size_ROWS, size_COLUMNS, size_PER_ROW);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_SPMV_RUN)
#define AUTOTUNE_SPMV_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const spmv_0_kernels[1];
extern const void *const spmv_1_kernels[1];
extern const void *const spmv_2_kernels[1];
#ifdef __cplusplus
}
#endif

/* As spmv_run(), with a configuration that was chosen before. */
static inline cudaError_t spmv_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream SPMV_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { spmv_0_kernels, spmv_1_kernels, spmv_2_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		spmv_run_by(&runner, device SPMV_RUN_ARGUMENTS));
}

static inline cudaError_t spmv_run(
	const struct autotune_device *device, cudaStream_t stream SPMV_RUN_PARAMETERS)
{
	return spmv_run_configuration(
		AUTOTUNE_CHOOSE, device, stream SPMV_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef SPMV_SELECTED_DEVICE
#ifdef SPMV_DEVICE
#define SPMV_SELECTED_DEVICE AUTOTUNE_PASTE(SPMV_DEVICE_, SPMV_DEVICE)
#if !(SPMV_SELECTED_DEVICE > 0)
#error "SPMV_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define SPMV_SELECTED_DEVICE 0
#endif
#undef SPMV_SELECTED_PROBLEM
#ifdef SPMV_PROBLEM
#define SPMV_SELECTED_PROBLEM AUTOTUNE_PASTE(SPMV_PROBLEM_, SPMV_PROBLEM)
#if !(SPMV_SELECTED_PROBLEM > 0)
#error "SPMV_PROBLEM is not one of: FOUR_A_ROW, SIXTY_FOUR_A_ROW"
#endif
#else
#define SPMV_SELECTED_PROBLEM 0
#endif
#undef SPMV_SELECTED
#ifdef SPMV_CONFIGURATION
#define SPMV_SELECTED AUTOTUNE_PASTE(SPMV_CONFIGURATION_, SPMV_CONFIGURATION)
#if !(SPMV_SELECTED > 0)
#error "SPMV_CONFIGURATION is no number from 0 to 2"
#endif
#elif SPMV_SELECTED_DEVICE == 1 && SPMV_SELECTED_PROBLEM == 1
#define SPMV_SELECTED 1
#elif SPMV_SELECTED_DEVICE == 1 && SPMV_SELECTED_PROBLEM == 2
#define SPMV_SELECTED 2
#elif SPMV_SELECTED_DEVICE == 2 && SPMV_SELECTED_PROBLEM == 1
#define SPMV_SELECTED 1
#elif SPMV_SELECTED_DEVICE == 2 && SPMV_SELECTED_PROBLEM == 2
#define SPMV_SELECTED 2
#elif SPMV_SELECTED_DEVICE > 0 && SPMV_SELECTED_PROBLEM > 0
#error "SPMV_PROBLEM was not measured on SPMV_DEVICE; there are: FOUR_A_ROW on NVIDIA_H100_80GB_HBM3, SIXTY_FOUR_A_ROW on NVIDIA_H100_80GB_HBM3, FOUR_A_ROW on NVIDIA_H200, SIXTY_FOUR_A_ROW on NVIDIA_H200"
#else
#define SPMV_SELECTED 0
#endif
#undef SPMV_BLOCK
#undef SPMV_THREADS_PER_ROW
#undef SPMV_ROWS_PER_BLOCK
#undef SPMV_UNROLL
#undef SPMV_USE_LDG
#undef SPMV_NUMBER
#undef SPMV_OPTIONS
#undef SPMV_BLOCK_DIM_X
#undef SPMV_BLOCK_DIM_Y
#undef SPMV_BLOCK_DIM_Z
#undef SPMV_SHARED_BYTES
#if SPMV_SELECTED == 1
#define SPMV_BLOCK SPMV_0_BLOCK
#define SPMV_THREADS_PER_ROW SPMV_0_THREADS_PER_ROW
#define SPMV_ROWS_PER_BLOCK SPMV_0_ROWS_PER_BLOCK
#define SPMV_UNROLL SPMV_0_UNROLL
#define SPMV_USE_LDG SPMV_0_USE_LDG
#define SPMV_NUMBER SPMV_0_NUMBER
#define SPMV_OPTIONS SPMV_0_OPTIONS
#define SPMV_BLOCK_DIM_X SPMV_0_BLOCK_DIM_X
#define SPMV_BLOCK_DIM_Y SPMV_0_BLOCK_DIM_Y
#define SPMV_BLOCK_DIM_Z SPMV_0_BLOCK_DIM_Z
#define SPMV_SHARED_BYTES SPMV_0_SHARED_BYTES
#elif SPMV_SELECTED == 2
#define SPMV_BLOCK SPMV_1_BLOCK
#define SPMV_THREADS_PER_ROW SPMV_1_THREADS_PER_ROW
#define SPMV_ROWS_PER_BLOCK SPMV_1_ROWS_PER_BLOCK
#define SPMV_UNROLL SPMV_1_UNROLL
#define SPMV_USE_LDG SPMV_1_USE_LDG
#define SPMV_NUMBER SPMV_1_NUMBER
#define SPMV_OPTIONS SPMV_1_OPTIONS
#define SPMV_BLOCK_DIM_X SPMV_1_BLOCK_DIM_X
#define SPMV_BLOCK_DIM_Y SPMV_1_BLOCK_DIM_Y
#define SPMV_BLOCK_DIM_Z SPMV_1_BLOCK_DIM_Z
#define SPMV_SHARED_BYTES SPMV_1_SHARED_BYTES
#elif SPMV_SELECTED == 3
#define SPMV_BLOCK SPMV_2_BLOCK
#define SPMV_THREADS_PER_ROW SPMV_2_THREADS_PER_ROW
#define SPMV_ROWS_PER_BLOCK SPMV_2_ROWS_PER_BLOCK
#define SPMV_UNROLL SPMV_2_UNROLL
#define SPMV_USE_LDG SPMV_2_USE_LDG
#define SPMV_NUMBER SPMV_2_NUMBER
#define SPMV_OPTIONS SPMV_2_OPTIONS
#define SPMV_BLOCK_DIM_X SPMV_2_BLOCK_DIM_X
#define SPMV_BLOCK_DIM_Y SPMV_2_BLOCK_DIM_Y
#define SPMV_BLOCK_DIM_Z SPMV_2_BLOCK_DIM_Z
#define SPMV_SHARED_BYTES SPMV_2_SHARED_BYTES
#endif
#ifdef SPMV_BARE
#if SPMV_SELECTED == 1
#undef BLOCK
#define BLOCK 256
#undef THREADS_PER_ROW
#define THREADS_PER_ROW 1
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 256
#undef UNROLL
#define UNROLL 4
#undef USE_LDG
#define USE_LDG 0
#ifdef SPMV_CONFIGURATION
#undef spmv
#define spmv spmv_0
#undef spmv_reference
#define spmv_reference spmv_0_spmv_reference
#undef SPMV_ENTRY
#define SPMV_ENTRY extern "C" const void *const spmv_0_kernels[1]; \
	const void *const spmv_0_kernels[1] = { reinterpret_cast<const void *>(&spmv) }
#endif
#elif SPMV_SELECTED == 2
#undef BLOCK
#define BLOCK 256
#undef THREADS_PER_ROW
#define THREADS_PER_ROW 32
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 32
#undef UNROLL
#define UNROLL 1
#undef USE_LDG
#define USE_LDG 1
#ifdef SPMV_CONFIGURATION
#undef spmv
#define spmv spmv_1
#undef spmv_reference
#define spmv_reference spmv_1_spmv_reference
#undef SPMV_ENTRY
#define SPMV_ENTRY extern "C" const void *const spmv_1_kernels[1]; \
	const void *const spmv_1_kernels[1] = { reinterpret_cast<const void *>(&spmv) }
#endif
#elif SPMV_SELECTED == 3
#undef BLOCK
#define BLOCK 256
#undef THREADS_PER_ROW
#define THREADS_PER_ROW 1
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 256
#undef UNROLL
#define UNROLL 1
#undef USE_LDG
#define USE_LDG 0
#ifdef SPMV_CONFIGURATION
#undef spmv
#define spmv spmv_2
#undef spmv_reference
#define spmv_reference spmv_2_spmv_reference
#undef SPMV_ENTRY
#define SPMV_ENTRY extern "C" const void *const spmv_2_kernels[1]; \
	const void *const spmv_2_kernels[1] = { reinterpret_cast<const void *>(&spmv) }
#endif
#else
#error "SPMV_BARE: say of which configuration, with SPMV_CONFIGURATION, or with SPMV_DEVICE and SPMV_PROBLEM"
#endif
#endif
