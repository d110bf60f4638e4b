/*
 * reduction: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     fe65693216334ffcfe1bfa0328b7d1c3 reduction.cfg
 *   template  c4d371d954ee316d0c48c1f522501419 reduction.cu
 *   contents  7816bcc678e7e2d7214d23ba6a4e2d1a
 */
/*
 * reduction: 2 configurations, baselines included. The fastest correct ones are, for
 *
 * hundred_million on NVIDIA H200 (sm_90): N = 100000000
 *   configuration  0: BLOCK=256 UNROLL=8 VECTOR=4 METHOD=shuffle FINISH=atomic BLOCKS_PER_MULTIPROCESSOR=16
 *   time           93.031 us (95 % interval 92.893 to 93.17)
 *   speed-up       1.7 over the baseline (95 % interval 1.696 to 1.703)
 *   chosen from    245 evaluations, 245 of them ok
 *   verified       partly, 6 of 24 cases: 2 data sets, 6 different cases, 11 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:50:48Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    54066ef21b7b9f0e39b1972fa1923cd9
 *
 * To choose a configuration when the program runs: reduction_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * reduction_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of REDUCTION_CONFIGURATIONS in a translation unit of its own:
 * define REDUCTION_CONFIGURATION as n, define REDUCTION_BARE, include this header, then
 * the template. Its kernel is called reduction_n there. Give the compiler
 * REDUCTION_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names REDUCTION_... without a
 * number belong to one configuration. Define REDUCTION_CONFIGURATION, or
 * REDUCTION_DEVICE and REDUCTION_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. REDUCTION_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_REDUCTION_H
#define AUTOTUNE_REDUCTION_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_REDUCTION_CONTENTS 0x9f02ef60428fcae3ULL

/* the values that REDUCTION_CONFIGURATION, REDUCTION_DEVICE and REDUCTION_PROBLEM may have */
#define REDUCTION_CONFIGURATION_0 1
#define REDUCTION_CONFIGURATION_1 2
#define REDUCTION_DEVICE_NVIDIA_H200 2
#define REDUCTION_PROBLEM_HUNDRED_MILLION 1

/* X(number, kernel) for every configuration */
#define REDUCTION_CONFIGURATION_COUNT 2
#define REDUCTION_CONFIGURATIONS(X) \
	X(0, reduction_0) \
	X(1, reduction_1)
#define REDUCTION_DEVICE_COUNT 2
#define REDUCTION_METHOD_tree 1
#define REDUCTION_METHOD_shuffle 2
#define REDUCTION_FINISH_atomic 1
#define REDUCTION_FINISH_launch 2

#define REDUCTION_0_BLOCK 256
#define REDUCTION_0_UNROLL 8
#define REDUCTION_0_VECTOR 4
#define REDUCTION_0_METHOD 2
#define REDUCTION_0_METHOD_NAME "shuffle"
#define REDUCTION_0_FINISH 1
#define REDUCTION_0_FINISH_NAME "atomic"
#define REDUCTION_0_BLOCKS_PER_MULTIPROCESSOR 16
#define REDUCTION_0_NUMBER 0
#define REDUCTION_0_OPTIONS ""
#define REDUCTION_0_BLOCK_DIM_X 256
#define REDUCTION_0_BLOCK_DIM_Y 1
#define REDUCTION_0_BLOCK_DIM_Z 1
#define REDUCTION_0_SHARED_BYTES 0

#define REDUCTION_1_BLOCK 256
#define REDUCTION_1_UNROLL 1
#define REDUCTION_1_VECTOR 1
#define REDUCTION_1_METHOD 1
#define REDUCTION_1_METHOD_NAME "tree"
#define REDUCTION_1_FINISH 1
#define REDUCTION_1_FINISH_NAME "atomic"
#define REDUCTION_1_BLOCKS_PER_MULTIPROCESSOR 8
#define REDUCTION_1_NUMBER 1
#define REDUCTION_1_OPTIONS ""
#define REDUCTION_1_BLOCK_DIM_X 256
#define REDUCTION_1_BLOCK_DIM_Y 1
#define REDUCTION_1_BLOCK_DIM_Z 1
#define REDUCTION_1_SHARED_BYTES 0

#define REDUCTION_NVIDIA_H200_HUNDRED_MILLION_CONFIGURATION 0
#define REDUCTION_NVIDIA_H200_HUNDRED_MILLION_TIME_NS 93031.4496477949
#define REDUCTION_NVIDIA_H200_HUNDRED_MILLION_TIME_LOW_NS 92893.3315894774
#define REDUCTION_NVIDIA_H200_HUNDRED_MILLION_TIME_HIGH_NS 93169.773066365
#define REDUCTION_NVIDIA_H200_HUNDRED_MILLION_SPEEDUP 1.69960064225406
#define REDUCTION_NVIDIA_H200_HUNDRED_MILLION_SPEEDUP_LOW 1.69580546573978
#define REDUCTION_NVIDIA_H200_HUNDRED_MILLION_SPEEDUP_HIGH 1.70340431229256

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *reduction_device(int index)
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
static inline struct autotune_device reduction_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, reduction_device(i)))
			autotune_fill(&complete, reduction_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 * It is a sequence. Launch N, from 0, is what reduction_launch_N() says (0: reduction_launch()),
 * as often as its repeats say (0: not at all):
 *   0 reduction(x, total, parts, n)
 *   1 reduction_add(parts, total, blocks)
 */
static inline struct autotune_launch reduction_launch(
	int configuration, const struct autotune_device *given, long long size_N)
{
	static const int devices[] = { 1, 1 };
	const int is_known = configuration >= 0 && configuration < 2;
	const struct autotune_device complete = reduction_complete(
		given ? given : reduction_device(devices[is_known ? configuration : 0]));
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_max(1LL, autotune_min(autotune_multiply(autotune_known(complete.multiprocessor_count, &bad), 16LL, &bad), autotune_ceil_div(size_N, 8192LL, &bad)));
		amounts[3] = 256LL;
		break;
	case 1:
		amounts[0] = autotune_max(1LL, autotune_min(autotune_multiply(autotune_known(complete.multiprocessor_count, &bad), 8LL, &bad), autotune_ceil_div(size_N, 256LL, &bad)));
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch reduction_launch_1(
	int configuration, const struct autotune_device *given, long long size_N)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N;
	switch (configuration) {
	case 0:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = 1LL;
		amounts[3] = 256LL;
		break;
	case 1:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = 1LL;
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int reduction_fits(
	int configuration, const struct autotune_device *given, long long size_N)
{
	const struct autotune_device complete = reduction_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 268435456LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 32;
		registers = 32;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 1024;
		registers = 12;
		break;
	default:
		break;
	}
	launch = reduction_launch(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	launch = reduction_launch_1(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice reduction_choose(
	const struct autotune_device *device, long long size_N)
{
	/* the sizes that were measured */
	static const double recorded[][1] = {
		{ 100000000 }, /* hundred_million */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 1, 0, 0 }, /* hundred_million on NVIDIA H200 */
		{ 1, 1, 0, 1 }, /* hundred_million on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N;
	for (i = 0; device && i < 2; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			reduction_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 1);

		if (autotune_is_better(&rank, &best) &&
			reduction_fits(entries[i][0], device, size_N)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 1)) {
		char text[128];

		snprintf(text, sizeof(text), "\"N\": %lld", size_N);
		autotune_note(file, "reduction", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   reduction_run(&device, stream, N, x, total)
 *
 *   x              const float *
 *   total          float *
 *   parts          scratch, which it allocates in the stream
 *   blocks         computed: max(1, min(device.multiprocessor_count * BLOCKS_PER_MULTIPROCESSOR, ceil_div(N, BLOCK * UNROLL * VECTOR)))
 *   n              computed: N
 *
 * reduction_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line REDUCTION_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. reduction_run_by() launches with
 * functions of its caller.
 */
#define REDUCTION_RUN_PARAMETERS \
	, long long size_N, const float *argument_x, float *argument_total
#define REDUCTION_RUN_ARGUMENTS \
	, size_N, argument_x, argument_total

static inline int reduction_run_by(struct autotune_runner *runner,
	const struct autotune_device *given REDUCTION_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? reduction_choose(given, size_N).configuration : runner->configuration;
	const struct autotune_device complete = reduction_complete(
		given ? given : reduction_device(0));
	int bad = 0;
	void *memory_parts = AUTOTUNE_NULL;
	long long count_parts = 0;
	float *argument_parts = AUTOTUNE_NULL;
	long long value_blocks = 0;
	int argument_blocks = 0;
	long long value_n = 0;
	int argument_n = 0;
	int error;

	if (!given || configuration < 0 || !reduction_fits(configuration, given, size_N))
		return runner->refused;
	switch (configuration) {
	case 0:
		count_parts = autotune_max(1LL, autotune_min(autotune_multiply(autotune_known(complete.multiprocessor_count, &bad), 16LL, &bad), autotune_ceil_div(size_N, 8192LL, &bad)));
		value_blocks = autotune_max(1LL, autotune_min(autotune_multiply(autotune_known(complete.multiprocessor_count, &bad), 16LL, &bad), autotune_ceil_div(size_N, 8192LL, &bad)));
		value_n = size_N;
		break;
	case 1:
		count_parts = autotune_max(1LL, autotune_min(autotune_multiply(autotune_known(complete.multiprocessor_count, &bad), 8LL, &bad), autotune_ceil_div(size_N, 256LL, &bad)));
		value_blocks = autotune_max(1LL, autotune_min(autotune_multiply(autotune_known(complete.multiprocessor_count, &bad), 8LL, &bad), autotune_ceil_div(size_N, 256LL, &bad)));
		value_n = size_N;
		break;
	default:
		break;
	}
	count_parts = autotune_multiply(count_parts, 4LL, &bad);
	if (count_parts < 1)
		bad = 1;
	argument_blocks = AUTOTUNE_CAST(int, value_blocks);
	if (AUTOTUNE_CAST(long long, argument_blocks) != value_blocks)
		bad = 1;
	argument_n = AUTOTUNE_CAST(int, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	if (!error)
		error = runner->allocate(runner, &memory_parts,
			AUTOTUNE_CAST(unsigned long long, count_parts));
	argument_parts = AUTOTUNE_CAST(float *, memory_parts);
	/* reduction */
	if (!error) {
		void *arguments[] = { &argument_x, &argument_total, &argument_parts, &argument_n };
		const struct autotune_launch launch =
			reduction_launch(configuration, given, size_N);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
		}
	}
	/* reduction_add */
	if (!error) {
		void *arguments[] = { &argument_parts, &argument_total, &argument_blocks };
		const struct autotune_launch launch =
			reduction_launch_1(configuration, given, size_N);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 1, &launch, arguments);
		}
	}
	if (memory_parts) {
		const int failed = runner->release(runner, memory_parts);

		error = error ? error : failed;
	}
	return error;
}

#endif

/* outside of the guard: a unit may include the header of CUDA later */
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_REDUCTION_RUN)
#define AUTOTUNE_REDUCTION_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const reduction_0_kernels[2];
extern const void *const reduction_1_kernels[2];
#ifdef __cplusplus
}
#endif

/* As reduction_run(), with a configuration that was chosen before. */
static inline cudaError_t reduction_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream REDUCTION_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { reduction_0_kernels, reduction_1_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		reduction_run_by(&runner, device REDUCTION_RUN_ARGUMENTS));
}

static inline cudaError_t reduction_run(
	const struct autotune_device *device, cudaStream_t stream REDUCTION_RUN_PARAMETERS)
{
	return reduction_run_configuration(
		AUTOTUNE_CHOOSE, device, stream REDUCTION_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef REDUCTION_SELECTED_DEVICE
#ifdef REDUCTION_DEVICE
#define REDUCTION_SELECTED_DEVICE AUTOTUNE_PASTE(REDUCTION_DEVICE_, REDUCTION_DEVICE)
#if !(REDUCTION_SELECTED_DEVICE > 0)
#error "REDUCTION_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define REDUCTION_SELECTED_DEVICE 0
#endif
#undef REDUCTION_SELECTED_PROBLEM
#ifdef REDUCTION_PROBLEM
#define REDUCTION_SELECTED_PROBLEM AUTOTUNE_PASTE(REDUCTION_PROBLEM_, REDUCTION_PROBLEM)
#if !(REDUCTION_SELECTED_PROBLEM > 0)
#error "REDUCTION_PROBLEM is not one of: HUNDRED_MILLION"
#endif
#else
#define REDUCTION_SELECTED_PROBLEM 0
#endif
#undef REDUCTION_SELECTED
#ifdef REDUCTION_CONFIGURATION
#define REDUCTION_SELECTED AUTOTUNE_PASTE(REDUCTION_CONFIGURATION_, REDUCTION_CONFIGURATION)
#if !(REDUCTION_SELECTED > 0)
#error "REDUCTION_CONFIGURATION is no number from 0 to 1"
#endif
#elif REDUCTION_SELECTED_DEVICE == 2 && REDUCTION_SELECTED_PROBLEM == 1
#define REDUCTION_SELECTED 1
#elif REDUCTION_SELECTED_DEVICE == 2 && REDUCTION_SELECTED_PROBLEM == 0
#define REDUCTION_SELECTED 1
#elif REDUCTION_SELECTED_DEVICE == 0 && REDUCTION_SELECTED_PROBLEM == 1
#define REDUCTION_SELECTED 1
#elif REDUCTION_SELECTED_DEVICE == 0 && REDUCTION_SELECTED_PROBLEM == 0
#define REDUCTION_SELECTED 1
#elif REDUCTION_SELECTED_DEVICE > 0 && REDUCTION_SELECTED_PROBLEM > 0
#error "REDUCTION_PROBLEM was not measured on REDUCTION_DEVICE; there are: HUNDRED_MILLION on NVIDIA_H200"
#else
#define REDUCTION_SELECTED 0
#endif
#undef REDUCTION_BLOCK
#undef REDUCTION_UNROLL
#undef REDUCTION_VECTOR
#undef REDUCTION_METHOD
#undef REDUCTION_METHOD_NAME
#undef REDUCTION_FINISH
#undef REDUCTION_FINISH_NAME
#undef REDUCTION_BLOCKS_PER_MULTIPROCESSOR
#undef REDUCTION_NUMBER
#undef REDUCTION_OPTIONS
#undef REDUCTION_BLOCK_DIM_X
#undef REDUCTION_BLOCK_DIM_Y
#undef REDUCTION_BLOCK_DIM_Z
#undef REDUCTION_SHARED_BYTES
#if REDUCTION_SELECTED == 1
#define REDUCTION_BLOCK REDUCTION_0_BLOCK
#define REDUCTION_UNROLL REDUCTION_0_UNROLL
#define REDUCTION_VECTOR REDUCTION_0_VECTOR
#define REDUCTION_METHOD REDUCTION_0_METHOD
#define REDUCTION_METHOD_NAME REDUCTION_0_METHOD_NAME
#define REDUCTION_FINISH REDUCTION_0_FINISH
#define REDUCTION_FINISH_NAME REDUCTION_0_FINISH_NAME
#define REDUCTION_BLOCKS_PER_MULTIPROCESSOR REDUCTION_0_BLOCKS_PER_MULTIPROCESSOR
#define REDUCTION_NUMBER REDUCTION_0_NUMBER
#define REDUCTION_OPTIONS REDUCTION_0_OPTIONS
#define REDUCTION_BLOCK_DIM_X REDUCTION_0_BLOCK_DIM_X
#define REDUCTION_BLOCK_DIM_Y REDUCTION_0_BLOCK_DIM_Y
#define REDUCTION_BLOCK_DIM_Z REDUCTION_0_BLOCK_DIM_Z
#define REDUCTION_SHARED_BYTES REDUCTION_0_SHARED_BYTES
#elif REDUCTION_SELECTED == 2
#define REDUCTION_BLOCK REDUCTION_1_BLOCK
#define REDUCTION_UNROLL REDUCTION_1_UNROLL
#define REDUCTION_VECTOR REDUCTION_1_VECTOR
#define REDUCTION_METHOD REDUCTION_1_METHOD
#define REDUCTION_METHOD_NAME REDUCTION_1_METHOD_NAME
#define REDUCTION_FINISH REDUCTION_1_FINISH
#define REDUCTION_FINISH_NAME REDUCTION_1_FINISH_NAME
#define REDUCTION_BLOCKS_PER_MULTIPROCESSOR REDUCTION_1_BLOCKS_PER_MULTIPROCESSOR
#define REDUCTION_NUMBER REDUCTION_1_NUMBER
#define REDUCTION_OPTIONS REDUCTION_1_OPTIONS
#define REDUCTION_BLOCK_DIM_X REDUCTION_1_BLOCK_DIM_X
#define REDUCTION_BLOCK_DIM_Y REDUCTION_1_BLOCK_DIM_Y
#define REDUCTION_BLOCK_DIM_Z REDUCTION_1_BLOCK_DIM_Z
#define REDUCTION_SHARED_BYTES REDUCTION_1_SHARED_BYTES
#endif
#ifdef REDUCTION_BARE
#if REDUCTION_SELECTED == 1
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 8
#undef VECTOR
#define VECTOR 4
#undef METHOD_tree
#define METHOD_tree 1
#undef METHOD_shuffle
#define METHOD_shuffle 2
#undef METHOD
#define METHOD METHOD_shuffle
#undef FINISH_atomic
#define FINISH_atomic 1
#undef FINISH_launch
#define FINISH_launch 2
#undef FINISH
#define FINISH FINISH_atomic
#undef BLOCKS_PER_MULTIPROCESSOR
#define BLOCKS_PER_MULTIPROCESSOR 16
#ifdef REDUCTION_CONFIGURATION
#undef reduction
#define reduction reduction_0
#undef reduction_add
#define reduction_add reduction_0_reduction_add
#undef reduction_reference
#define reduction_reference reduction_0_reduction_reference
#undef REDUCTION_ENTRY
#define REDUCTION_ENTRY extern "C" const void *const reduction_0_kernels[2]; \
	const void *const reduction_0_kernels[2] = { reinterpret_cast<const void *>(&reduction), reinterpret_cast<const void *>(&reduction_add) }
#endif
#elif REDUCTION_SELECTED == 2
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 1
#undef VECTOR
#define VECTOR 1
#undef METHOD_tree
#define METHOD_tree 1
#undef METHOD_shuffle
#define METHOD_shuffle 2
#undef METHOD
#define METHOD METHOD_tree
#undef FINISH_atomic
#define FINISH_atomic 1
#undef FINISH_launch
#define FINISH_launch 2
#undef FINISH
#define FINISH FINISH_atomic
#undef BLOCKS_PER_MULTIPROCESSOR
#define BLOCKS_PER_MULTIPROCESSOR 8
#ifdef REDUCTION_CONFIGURATION
#undef reduction
#define reduction reduction_1
#undef reduction_add
#define reduction_add reduction_1_reduction_add
#undef reduction_reference
#define reduction_reference reduction_1_reduction_reference
#undef REDUCTION_ENTRY
#define REDUCTION_ENTRY extern "C" const void *const reduction_1_kernels[2]; \
	const void *const reduction_1_kernels[2] = { reinterpret_cast<const void *>(&reduction), reinterpret_cast<const void *>(&reduction_add) }
#endif
#else
#error "REDUCTION_BARE: say of which configuration, with REDUCTION_CONFIGURATION, or with REDUCTION_DEVICE and REDUCTION_PROBLEM"
#endif
#endif
