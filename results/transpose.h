/*
 * transpose: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     c698b999dfa00570924bef6495cdf922 transpose.cfg
 *   template  fd6a7ccbf618d46f7a202d4afdafaf85 transpose.cu
 *   contents  2b27c4b9418ad15cef48127d0ccd28d4
 */
/*
 * transpose: 4 configurations, baselines included. The fastest correct ones are, for
 *
 * square_8192 on NVIDIA H100 80GB HBM3 (sm_90): M = 8192, N = 8192
 *   configuration  0: METHOD=swizzled TILE=64 ROWS=16 ELEMENTS=1 VECTOR=4 ORDER=columns
 *   time           180.84 us (95 % interval 180.66 to 181.02)
 *   speed-up       3.369 over the baseline (95 % interval 3.327 to 3.412)
 *   chosen from    408 evaluations, 408 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:14Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    5530cc44f1c949865901c4c890d82284
 *
 * ragged_8191 on NVIDIA H100 80GB HBM3 (sm_90): M = 8191, N = 8197
 *   configuration  1: METHOD=padded TILE=128 ROWS=8 ELEMENTS=4 VECTOR=1 ORDER=columns
 *   time           201.18 us (95 % interval 200.95 to 201.4)
 *   speed-up       3.41 over the baseline (95 % interval 3.402 to 3.417)
 *   chosen from    287 evaluations, 287 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:18Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    e9a8f8617c2f1b9716c561035a72bdbf
 *
 * square_8192 on NVIDIA H200 (sm_90): M = 8192, N = 8192
 *   configuration  0: METHOD=swizzled TILE=64 ROWS=16 ELEMENTS=1 VECTOR=4 ORDER=columns
 *   time           128.75 us (95 % interval 128.6 to 128.9)
 *   speed-up       3.788 over the baseline (95 % interval 3.771 to 3.805)
 *   chosen from    352 evaluations, 352 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:48Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    5530cc44f5647f02bfa651cbc041c265
 *
 * ragged_8191 on NVIDIA H200 (sm_90): M = 8191, N = 8197
 *   configuration  2: METHOD=padded TILE=128 ROWS=4 ELEMENTS=1 VECTOR=1 ORDER=columns
 *   time           142.99 us (95 % interval 142.78 to 143.21)
 *   speed-up       3.917 over the baseline (95 % interval 3.906 to 3.929)
 *   chosen from    511 evaluations, 511 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:54Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    e9a8f8619eb1d172c6fa7022035eefed
 *
 * To choose a configuration when the program runs: transpose_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * transpose_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of TRANSPOSE_CONFIGURATIONS in a translation unit of its own:
 * define TRANSPOSE_CONFIGURATION as n, define TRANSPOSE_BARE, include this header, then
 * the template. Its kernel is called transpose_n there. Give the compiler
 * TRANSPOSE_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names TRANSPOSE_... without a
 * number belong to one configuration. Define TRANSPOSE_CONFIGURATION, or
 * TRANSPOSE_DEVICE and TRANSPOSE_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. TRANSPOSE_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_TRANSPOSE_H
#define AUTOTUNE_TRANSPOSE_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_TRANSPOSE_CONTENTS 0xa19a272029d181d5ULL

/* the values that TRANSPOSE_CONFIGURATION, TRANSPOSE_DEVICE and TRANSPOSE_PROBLEM may have */
#define TRANSPOSE_CONFIGURATION_0 1
#define TRANSPOSE_CONFIGURATION_1 2
#define TRANSPOSE_CONFIGURATION_2 3
#define TRANSPOSE_CONFIGURATION_3 4
#define TRANSPOSE_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define TRANSPOSE_DEVICE_NVIDIA_H200 2
#define TRANSPOSE_PROBLEM_SQUARE_8192 1
#define TRANSPOSE_PROBLEM_RAGGED_8191 2

/* X(number, kernel) for every configuration */
#define TRANSPOSE_CONFIGURATION_COUNT 4
#define TRANSPOSE_CONFIGURATIONS(X) \
	X(0, transpose_0) \
	X(1, transpose_1) \
	X(2, transpose_2) \
	X(3, transpose_3)
#define TRANSPOSE_DEVICE_COUNT 2
#define TRANSPOSE_METHOD_read 1
#define TRANSPOSE_METHOD_write 2
#define TRANSPOSE_METHOD_tile 3
#define TRANSPOSE_METHOD_padded 4
#define TRANSPOSE_METHOD_swizzled 5
#define TRANSPOSE_ORDER_rows 1
#define TRANSPOSE_ORDER_columns 2
#define TRANSPOSE_ORDER_diagonal 3

#define TRANSPOSE_0_METHOD 5
#define TRANSPOSE_0_METHOD_NAME "swizzled"
#define TRANSPOSE_0_TILE 64
#define TRANSPOSE_0_ROWS 16
#define TRANSPOSE_0_ELEMENTS 1
#define TRANSPOSE_0_VECTOR 4
#define TRANSPOSE_0_ORDER 2
#define TRANSPOSE_0_ORDER_NAME "columns"
#define TRANSPOSE_0_NUMBER 0
#define TRANSPOSE_0_OPTIONS ""
#define TRANSPOSE_0_BLOCK_DIM_X 16
#define TRANSPOSE_0_BLOCK_DIM_Y 16
#define TRANSPOSE_0_BLOCK_DIM_Z 1
#define TRANSPOSE_0_SHARED_BYTES 16384

#define TRANSPOSE_1_METHOD 4
#define TRANSPOSE_1_METHOD_NAME "padded"
#define TRANSPOSE_1_TILE 128
#define TRANSPOSE_1_ROWS 8
#define TRANSPOSE_1_ELEMENTS 4
#define TRANSPOSE_1_VECTOR 1
#define TRANSPOSE_1_ORDER 2
#define TRANSPOSE_1_ORDER_NAME "columns"
#define TRANSPOSE_1_NUMBER 1
#define TRANSPOSE_1_OPTIONS ""
#define TRANSPOSE_1_BLOCK_DIM_X 32
#define TRANSPOSE_1_BLOCK_DIM_Y 8
#define TRANSPOSE_1_BLOCK_DIM_Z 1
#define TRANSPOSE_1_SHARED_BYTES 66048

#define TRANSPOSE_2_METHOD 4
#define TRANSPOSE_2_METHOD_NAME "padded"
#define TRANSPOSE_2_TILE 128
#define TRANSPOSE_2_ROWS 4
#define TRANSPOSE_2_ELEMENTS 1
#define TRANSPOSE_2_VECTOR 1
#define TRANSPOSE_2_ORDER 2
#define TRANSPOSE_2_ORDER_NAME "columns"
#define TRANSPOSE_2_NUMBER 2
#define TRANSPOSE_2_OPTIONS ""
#define TRANSPOSE_2_BLOCK_DIM_X 128
#define TRANSPOSE_2_BLOCK_DIM_Y 4
#define TRANSPOSE_2_BLOCK_DIM_Z 1
#define TRANSPOSE_2_SHARED_BYTES 66048

#define TRANSPOSE_3_METHOD 1
#define TRANSPOSE_3_METHOD_NAME "read"
#define TRANSPOSE_3_TILE 16
#define TRANSPOSE_3_ROWS 16
#define TRANSPOSE_3_ELEMENTS 1
#define TRANSPOSE_3_VECTOR 1
#define TRANSPOSE_3_ORDER 1
#define TRANSPOSE_3_ORDER_NAME "rows"
#define TRANSPOSE_3_NUMBER 3
#define TRANSPOSE_3_OPTIONS ""
#define TRANSPOSE_3_BLOCK_DIM_X 16
#define TRANSPOSE_3_BLOCK_DIM_Y 16
#define TRANSPOSE_3_BLOCK_DIM_Z 1
#define TRANSPOSE_3_SHARED_BYTES 0

#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_SQUARE_8192_CONFIGURATION 0
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_SQUARE_8192_TIME_NS 180843.518077958
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_SQUARE_8192_TIME_LOW_NS 180663.828561949
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_SQUARE_8192_TIME_HIGH_NS 181023.386314424
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_SQUARE_8192_SPEEDUP 3.36918742416843
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_SQUARE_8192_SPEEDUP_LOW 3.32705354878654
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_SQUARE_8192_SPEEDUP_HIGH 3.411854883825

#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_RAGGED_8191_CONFIGURATION 1
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_RAGGED_8191_TIME_NS 201175.714634425
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_RAGGED_8191_TIME_LOW_NS 200950.839996312
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_RAGGED_8191_TIME_HIGH_NS 201400.840919173
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_RAGGED_8191_SPEEDUP 3.40958676754084
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_RAGGED_8191_SPEEDUP_LOW 3.40184275099451
#define TRANSPOSE_NVIDIA_H100_80GB_HBM3_RAGGED_8191_SPEEDUP_HIGH 3.4173484127069

#define TRANSPOSE_NVIDIA_H200_SQUARE_8192_CONFIGURATION 0
#define TRANSPOSE_NVIDIA_H200_SQUARE_8192_TIME_NS 128751.542884042
#define TRANSPOSE_NVIDIA_H200_SQUARE_8192_TIME_LOW_NS 128598.333174702
#define TRANSPOSE_NVIDIA_H200_SQUARE_8192_TIME_HIGH_NS 128904.935124635
#define TRANSPOSE_NVIDIA_H200_SQUARE_8192_SPEEDUP 3.78805502403954
#define TRANSPOSE_NVIDIA_H200_SQUARE_8192_SPEEDUP_LOW 3.77084117883461
#define TRANSPOSE_NVIDIA_H200_SQUARE_8192_SPEEDUP_HIGH 3.80534745024343

#define TRANSPOSE_NVIDIA_H200_RAGGED_8191_CONFIGURATION 2
#define TRANSPOSE_NVIDIA_H200_RAGGED_8191_TIME_NS 142991.134546804
#define TRANSPOSE_NVIDIA_H200_RAGGED_8191_TIME_LOW_NS 142776.673681962
#define TRANSPOSE_NVIDIA_H200_RAGGED_8191_TIME_HIGH_NS 143205.917547337
#define TRANSPOSE_NVIDIA_H200_RAGGED_8191_SPEEDUP 3.9171913441276
#define TRANSPOSE_NVIDIA_H200_RAGGED_8191_SPEEDUP_LOW 3.90589270865039
#define TRANSPOSE_NVIDIA_H200_RAGGED_8191_SPEEDUP_HIGH 3.92852266334016

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *transpose_device(int index)
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
static inline struct autotune_device transpose_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, transpose_device(i)))
			autotune_fill(&complete, transpose_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch transpose_launch(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_M; (void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 64LL, &bad);
		amounts[1] = autotune_ceil_div(size_M, 64LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		amounts[6] = 16384LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 128LL, &bad);
		amounts[1] = autotune_ceil_div(size_M, 128LL, &bad);
		amounts[3] = 32LL;
		amounts[4] = 8LL;
		amounts[6] = 66048LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 128LL, &bad);
		amounts[1] = autotune_ceil_div(size_M, 128LL, &bad);
		amounts[3] = 128LL;
		amounts[4] = 4LL;
		amounts[6] = 66048LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 16LL, &bad);
		amounts[1] = autotune_ceil_div(size_M, 16LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		amounts[6] = 0LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int transpose_fits(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N)
{
	const struct autotune_device complete = transpose_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_M >= 1LL && size_M <= 16384LL))
		bad = 1;
	if (!(size_N >= 1LL && size_N <= 16384LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* TILE / VECTOR / ELEMENTS * ROWS <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* METHOD == 'read' || METHOD == 'write' || 4 * TILE * (TILE + (METHOD == 'padded' ? 1 : 0)) <= device.max_dynamic_shared_bytes_per_block */
		if (!(16384LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 40;
		break;
	case 1:
		/* TILE / VECTOR / ELEMENTS * ROWS <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* METHOD == 'read' || METHOD == 'write' || 4 * TILE * (TILE + (METHOD == 'padded' ? 1 : 0)) <= device.max_dynamic_shared_bytes_per_block */
		if (!(66048LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 77;
		break;
	case 2:
		/* TILE / VECTOR / ELEMENTS * ROWS <= device.max_threads_per_block */
		if (!(512LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* METHOD == 'read' || METHOD == 'write' || 4 * TILE * (TILE + (METHOD == 'padded' ? 1 : 0)) <= device.max_dynamic_shared_bytes_per_block */
		if (!(66048LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 42;
		break;
	case 3:
		/* TILE / VECTOR / ELEMENTS * ROWS <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 14;
		break;
	default:
		break;
	}
	launch = transpose_launch(configuration, given, size_M, size_N);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice transpose_choose(
	const struct autotune_device *device, long long size_M, long long size_N)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 8192, 8192 }, /* square_8192 */
		{ 8191, 8197 }, /* ragged_8191 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* square_8192 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* ragged_8191 on NVIDIA H100 80GB HBM3 */
		{ 0, 1, 0, 0 }, /* square_8192 on NVIDIA H200 */
		{ 2, 1, 1, 0 }, /* ragged_8191 on NVIDIA H200 */
		{ 3, 0, 0, 1 }, /* square_8192 on NVIDIA H100 80GB HBM3 */
		{ 3, 0, 1, 1 }, /* ragged_8191 on NVIDIA H100 80GB HBM3 */
		{ 3, 1, 0, 1 }, /* square_8192 on NVIDIA H200 */
		{ 3, 1, 1, 1 }, /* ragged_8191 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_M), AUTOTUNE_CAST(double, size_N) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_M; (void)size_N;
	for (i = 0; device && i < 8; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			transpose_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			transpose_fits(entries[i][0], device, size_M, size_N)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[256];

		snprintf(text, sizeof(text), "\"M\": %lld, \"N\": %lld", size_M, size_N);
		autotune_note(file, "transpose", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   transpose_run(&device, stream, M, N, in, out)
 *
 *   in             const float *
 *   out            float *
 *   m              computed: M
 *   n              computed: N
 *
 * transpose_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line TRANSPOSE_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. transpose_run_by() launches with
 * functions of its caller.
 */
#define TRANSPOSE_RUN_PARAMETERS \
	, long long size_M, long long size_N, const float *argument_in, float *argument_out
#define TRANSPOSE_RUN_ARGUMENTS \
	, size_M, size_N, argument_in, argument_out

static inline int transpose_run_by(struct autotune_runner *runner,
	const struct autotune_device *given TRANSPOSE_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? transpose_choose(given, size_M, size_N).configuration : runner->configuration;
	int bad = 0;
	long long value_m = 0;
	int argument_m = 0;
	long long value_n = 0;
	int argument_n = 0;
	int error;

	if (!given || configuration < 0 || !transpose_fits(configuration, given, size_M, size_N))
		return runner->refused;
	value_m = size_M;
	value_n = size_N;
	argument_m = AUTOTUNE_CAST(int, value_m);
	if (AUTOTUNE_CAST(long long, argument_m) != value_m)
		bad = 1;
	argument_n = AUTOTUNE_CAST(int, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* transpose */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_out, &argument_m, &argument_n };
		const struct autotune_launch launch =
			transpose_launch(configuration, given, size_M, size_N);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_TRANSPOSE_RUN)
#define AUTOTUNE_TRANSPOSE_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const transpose_0_kernels[1];
extern const void *const transpose_1_kernels[1];
extern const void *const transpose_2_kernels[1];
extern const void *const transpose_3_kernels[1];
#ifdef __cplusplus
}
#endif

/* As transpose_run(), with a configuration that was chosen before. */
static inline cudaError_t transpose_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream TRANSPOSE_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { transpose_0_kernels, transpose_1_kernels, transpose_2_kernels, transpose_3_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		transpose_run_by(&runner, device TRANSPOSE_RUN_ARGUMENTS));
}

static inline cudaError_t transpose_run(
	const struct autotune_device *device, cudaStream_t stream TRANSPOSE_RUN_PARAMETERS)
{
	return transpose_run_configuration(
		AUTOTUNE_CHOOSE, device, stream TRANSPOSE_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef TRANSPOSE_SELECTED_DEVICE
#ifdef TRANSPOSE_DEVICE
#define TRANSPOSE_SELECTED_DEVICE AUTOTUNE_PASTE(TRANSPOSE_DEVICE_, TRANSPOSE_DEVICE)
#if !(TRANSPOSE_SELECTED_DEVICE > 0)
#error "TRANSPOSE_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define TRANSPOSE_SELECTED_DEVICE 0
#endif
#undef TRANSPOSE_SELECTED_PROBLEM
#ifdef TRANSPOSE_PROBLEM
#define TRANSPOSE_SELECTED_PROBLEM AUTOTUNE_PASTE(TRANSPOSE_PROBLEM_, TRANSPOSE_PROBLEM)
#if !(TRANSPOSE_SELECTED_PROBLEM > 0)
#error "TRANSPOSE_PROBLEM is not one of: SQUARE_8192, RAGGED_8191"
#endif
#else
#define TRANSPOSE_SELECTED_PROBLEM 0
#endif
#undef TRANSPOSE_SELECTED
#ifdef TRANSPOSE_CONFIGURATION
#define TRANSPOSE_SELECTED AUTOTUNE_PASTE(TRANSPOSE_CONFIGURATION_, TRANSPOSE_CONFIGURATION)
#if !(TRANSPOSE_SELECTED > 0)
#error "TRANSPOSE_CONFIGURATION is no number from 0 to 3"
#endif
#elif TRANSPOSE_SELECTED_DEVICE == 1 && TRANSPOSE_SELECTED_PROBLEM == 1
#define TRANSPOSE_SELECTED 1
#elif TRANSPOSE_SELECTED_DEVICE == 1 && TRANSPOSE_SELECTED_PROBLEM == 2
#define TRANSPOSE_SELECTED 2
#elif TRANSPOSE_SELECTED_DEVICE == 2 && TRANSPOSE_SELECTED_PROBLEM == 1
#define TRANSPOSE_SELECTED 1
#elif TRANSPOSE_SELECTED_DEVICE == 2 && TRANSPOSE_SELECTED_PROBLEM == 2
#define TRANSPOSE_SELECTED 3
#elif TRANSPOSE_SELECTED_DEVICE > 0 && TRANSPOSE_SELECTED_PROBLEM > 0
#error "TRANSPOSE_PROBLEM was not measured on TRANSPOSE_DEVICE; there are: SQUARE_8192 on NVIDIA_H100_80GB_HBM3, RAGGED_8191 on NVIDIA_H100_80GB_HBM3, SQUARE_8192 on NVIDIA_H200, RAGGED_8191 on NVIDIA_H200"
#else
#define TRANSPOSE_SELECTED 0
#endif
#undef TRANSPOSE_METHOD
#undef TRANSPOSE_METHOD_NAME
#undef TRANSPOSE_TILE
#undef TRANSPOSE_ROWS
#undef TRANSPOSE_ELEMENTS
#undef TRANSPOSE_VECTOR
#undef TRANSPOSE_ORDER
#undef TRANSPOSE_ORDER_NAME
#undef TRANSPOSE_NUMBER
#undef TRANSPOSE_OPTIONS
#undef TRANSPOSE_BLOCK_DIM_X
#undef TRANSPOSE_BLOCK_DIM_Y
#undef TRANSPOSE_BLOCK_DIM_Z
#undef TRANSPOSE_SHARED_BYTES
#if TRANSPOSE_SELECTED == 1
#define TRANSPOSE_METHOD TRANSPOSE_0_METHOD
#define TRANSPOSE_METHOD_NAME TRANSPOSE_0_METHOD_NAME
#define TRANSPOSE_TILE TRANSPOSE_0_TILE
#define TRANSPOSE_ROWS TRANSPOSE_0_ROWS
#define TRANSPOSE_ELEMENTS TRANSPOSE_0_ELEMENTS
#define TRANSPOSE_VECTOR TRANSPOSE_0_VECTOR
#define TRANSPOSE_ORDER TRANSPOSE_0_ORDER
#define TRANSPOSE_ORDER_NAME TRANSPOSE_0_ORDER_NAME
#define TRANSPOSE_NUMBER TRANSPOSE_0_NUMBER
#define TRANSPOSE_OPTIONS TRANSPOSE_0_OPTIONS
#define TRANSPOSE_BLOCK_DIM_X TRANSPOSE_0_BLOCK_DIM_X
#define TRANSPOSE_BLOCK_DIM_Y TRANSPOSE_0_BLOCK_DIM_Y
#define TRANSPOSE_BLOCK_DIM_Z TRANSPOSE_0_BLOCK_DIM_Z
#define TRANSPOSE_SHARED_BYTES TRANSPOSE_0_SHARED_BYTES
#elif TRANSPOSE_SELECTED == 2
#define TRANSPOSE_METHOD TRANSPOSE_1_METHOD
#define TRANSPOSE_METHOD_NAME TRANSPOSE_1_METHOD_NAME
#define TRANSPOSE_TILE TRANSPOSE_1_TILE
#define TRANSPOSE_ROWS TRANSPOSE_1_ROWS
#define TRANSPOSE_ELEMENTS TRANSPOSE_1_ELEMENTS
#define TRANSPOSE_VECTOR TRANSPOSE_1_VECTOR
#define TRANSPOSE_ORDER TRANSPOSE_1_ORDER
#define TRANSPOSE_ORDER_NAME TRANSPOSE_1_ORDER_NAME
#define TRANSPOSE_NUMBER TRANSPOSE_1_NUMBER
#define TRANSPOSE_OPTIONS TRANSPOSE_1_OPTIONS
#define TRANSPOSE_BLOCK_DIM_X TRANSPOSE_1_BLOCK_DIM_X
#define TRANSPOSE_BLOCK_DIM_Y TRANSPOSE_1_BLOCK_DIM_Y
#define TRANSPOSE_BLOCK_DIM_Z TRANSPOSE_1_BLOCK_DIM_Z
#define TRANSPOSE_SHARED_BYTES TRANSPOSE_1_SHARED_BYTES
#elif TRANSPOSE_SELECTED == 3
#define TRANSPOSE_METHOD TRANSPOSE_2_METHOD
#define TRANSPOSE_METHOD_NAME TRANSPOSE_2_METHOD_NAME
#define TRANSPOSE_TILE TRANSPOSE_2_TILE
#define TRANSPOSE_ROWS TRANSPOSE_2_ROWS
#define TRANSPOSE_ELEMENTS TRANSPOSE_2_ELEMENTS
#define TRANSPOSE_VECTOR TRANSPOSE_2_VECTOR
#define TRANSPOSE_ORDER TRANSPOSE_2_ORDER
#define TRANSPOSE_ORDER_NAME TRANSPOSE_2_ORDER_NAME
#define TRANSPOSE_NUMBER TRANSPOSE_2_NUMBER
#define TRANSPOSE_OPTIONS TRANSPOSE_2_OPTIONS
#define TRANSPOSE_BLOCK_DIM_X TRANSPOSE_2_BLOCK_DIM_X
#define TRANSPOSE_BLOCK_DIM_Y TRANSPOSE_2_BLOCK_DIM_Y
#define TRANSPOSE_BLOCK_DIM_Z TRANSPOSE_2_BLOCK_DIM_Z
#define TRANSPOSE_SHARED_BYTES TRANSPOSE_2_SHARED_BYTES
#elif TRANSPOSE_SELECTED == 4
#define TRANSPOSE_METHOD TRANSPOSE_3_METHOD
#define TRANSPOSE_METHOD_NAME TRANSPOSE_3_METHOD_NAME
#define TRANSPOSE_TILE TRANSPOSE_3_TILE
#define TRANSPOSE_ROWS TRANSPOSE_3_ROWS
#define TRANSPOSE_ELEMENTS TRANSPOSE_3_ELEMENTS
#define TRANSPOSE_VECTOR TRANSPOSE_3_VECTOR
#define TRANSPOSE_ORDER TRANSPOSE_3_ORDER
#define TRANSPOSE_ORDER_NAME TRANSPOSE_3_ORDER_NAME
#define TRANSPOSE_NUMBER TRANSPOSE_3_NUMBER
#define TRANSPOSE_OPTIONS TRANSPOSE_3_OPTIONS
#define TRANSPOSE_BLOCK_DIM_X TRANSPOSE_3_BLOCK_DIM_X
#define TRANSPOSE_BLOCK_DIM_Y TRANSPOSE_3_BLOCK_DIM_Y
#define TRANSPOSE_BLOCK_DIM_Z TRANSPOSE_3_BLOCK_DIM_Z
#define TRANSPOSE_SHARED_BYTES TRANSPOSE_3_SHARED_BYTES
#endif
#ifdef TRANSPOSE_BARE
#if TRANSPOSE_SELECTED == 1
#undef METHOD_read
#define METHOD_read 1
#undef METHOD_write
#define METHOD_write 2
#undef METHOD_tile
#define METHOD_tile 3
#undef METHOD_padded
#define METHOD_padded 4
#undef METHOD_swizzled
#define METHOD_swizzled 5
#undef METHOD
#define METHOD METHOD_swizzled
#undef TILE
#define TILE 64
#undef ROWS
#define ROWS 16
#undef ELEMENTS
#define ELEMENTS 1
#undef VECTOR
#define VECTOR 4
#undef ORDER_rows
#define ORDER_rows 1
#undef ORDER_columns
#define ORDER_columns 2
#undef ORDER_diagonal
#define ORDER_diagonal 3
#undef ORDER
#define ORDER ORDER_columns
#ifdef TRANSPOSE_CONFIGURATION
#undef transpose
#define transpose transpose_0
#undef transpose_reference
#define transpose_reference transpose_0_transpose_reference
#undef TRANSPOSE_ENTRY
#define TRANSPOSE_ENTRY extern "C" const void *const transpose_0_kernels[1]; \
	const void *const transpose_0_kernels[1] = { reinterpret_cast<const void *>(&transpose) }
#endif
#elif TRANSPOSE_SELECTED == 2
#undef METHOD_read
#define METHOD_read 1
#undef METHOD_write
#define METHOD_write 2
#undef METHOD_tile
#define METHOD_tile 3
#undef METHOD_padded
#define METHOD_padded 4
#undef METHOD_swizzled
#define METHOD_swizzled 5
#undef METHOD
#define METHOD METHOD_padded
#undef TILE
#define TILE 128
#undef ROWS
#define ROWS 8
#undef ELEMENTS
#define ELEMENTS 4
#undef VECTOR
#define VECTOR 1
#undef ORDER_rows
#define ORDER_rows 1
#undef ORDER_columns
#define ORDER_columns 2
#undef ORDER_diagonal
#define ORDER_diagonal 3
#undef ORDER
#define ORDER ORDER_columns
#ifdef TRANSPOSE_CONFIGURATION
#undef transpose
#define transpose transpose_1
#undef transpose_reference
#define transpose_reference transpose_1_transpose_reference
#undef TRANSPOSE_ENTRY
#define TRANSPOSE_ENTRY extern "C" const void *const transpose_1_kernels[1]; \
	const void *const transpose_1_kernels[1] = { reinterpret_cast<const void *>(&transpose) }
#endif
#elif TRANSPOSE_SELECTED == 3
#undef METHOD_read
#define METHOD_read 1
#undef METHOD_write
#define METHOD_write 2
#undef METHOD_tile
#define METHOD_tile 3
#undef METHOD_padded
#define METHOD_padded 4
#undef METHOD_swizzled
#define METHOD_swizzled 5
#undef METHOD
#define METHOD METHOD_padded
#undef TILE
#define TILE 128
#undef ROWS
#define ROWS 4
#undef ELEMENTS
#define ELEMENTS 1
#undef VECTOR
#define VECTOR 1
#undef ORDER_rows
#define ORDER_rows 1
#undef ORDER_columns
#define ORDER_columns 2
#undef ORDER_diagonal
#define ORDER_diagonal 3
#undef ORDER
#define ORDER ORDER_columns
#ifdef TRANSPOSE_CONFIGURATION
#undef transpose
#define transpose transpose_2
#undef transpose_reference
#define transpose_reference transpose_2_transpose_reference
#undef TRANSPOSE_ENTRY
#define TRANSPOSE_ENTRY extern "C" const void *const transpose_2_kernels[1]; \
	const void *const transpose_2_kernels[1] = { reinterpret_cast<const void *>(&transpose) }
#endif
#elif TRANSPOSE_SELECTED == 4
#undef METHOD_read
#define METHOD_read 1
#undef METHOD_write
#define METHOD_write 2
#undef METHOD_tile
#define METHOD_tile 3
#undef METHOD_padded
#define METHOD_padded 4
#undef METHOD_swizzled
#define METHOD_swizzled 5
#undef METHOD
#define METHOD METHOD_read
#undef TILE
#define TILE 16
#undef ROWS
#define ROWS 16
#undef ELEMENTS
#define ELEMENTS 1
#undef VECTOR
#define VECTOR 1
#undef ORDER_rows
#define ORDER_rows 1
#undef ORDER_columns
#define ORDER_columns 2
#undef ORDER_diagonal
#define ORDER_diagonal 3
#undef ORDER
#define ORDER ORDER_rows
#ifdef TRANSPOSE_CONFIGURATION
#undef transpose
#define transpose transpose_3
#undef transpose_reference
#define transpose_reference transpose_3_transpose_reference
#undef TRANSPOSE_ENTRY
#define TRANSPOSE_ENTRY extern "C" const void *const transpose_3_kernels[1]; \
	const void *const transpose_3_kernels[1] = { reinterpret_cast<const void *>(&transpose) }
#endif
#else
#error "TRANSPOSE_BARE: say of which configuration, with TRANSPOSE_CONFIGURATION, or with TRANSPOSE_DEVICE and TRANSPOSE_PROBLEM"
#endif
#endif
