/*
 * copy: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     a3d864a1f42330af601227bc2652a3b7 copy.cfg
 *   template  cdb359d05d9dc2fc0ad1a0c8a464a5ba copy.cu
 *   contents  33466a31fadfc476256aea19b96a5dcc
 */
/*
 * copy: 3 configurations, baselines included. The fastest correct ones are, for
 *
 * floats_2_26 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864
 *   configuration  0: BLOCK=1024 ELEMENTS=4 VECTOR=4 USE_LDG=true BLOCKS_PER_MULTIPROCESSOR=0 L1=plain
 *   time           173.98 us (95 % interval 173.7 to 174.25)
 *   speed-up       1.283 over the baseline (95 % interval 1.28 to 1.286)
 *   chosen from    291 evaluations, 291 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:44:49Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    fc3c2b73618b8a5c261b4497a65214aa
 *
 * floats_2_26 on NVIDIA H200 (sm_90): N = 67108864
 *   configuration  1: BLOCK=128 ELEMENTS=4 VECTOR=4 USE_LDG=false BLOCKS_PER_MULTIPROCESSOR=0 L1=plain
 *   time           125.56 us (95 % interval 125.37 to 125.74)
 *   speed-up       1.585 over the baseline (95 % interval 1.58 to 1.59)
 *   chosen from    287 evaluations, 287 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:02:11Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    fc3c2b734cbd7e5ab1ba7d04ebc0fced
 *
 * To choose a configuration when the program runs: copy_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * copy_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of COPY_CONFIGURATIONS in a translation unit of its own:
 * define COPY_CONFIGURATION as n, define COPY_BARE, include this header, then
 * the template. Its kernel is called copy_n there. Give the compiler
 * COPY_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names COPY_... without a
 * number belong to one configuration. Define COPY_CONFIGURATION, or
 * COPY_DEVICE and COPY_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. COPY_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_COPY_H
#define AUTOTUNE_COPY_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_COPY_CONTENTS 0x1b11172b4c326b29ULL

/* the values that COPY_CONFIGURATION, COPY_DEVICE and COPY_PROBLEM may have */
#define COPY_CONFIGURATION_0 1
#define COPY_CONFIGURATION_1 2
#define COPY_CONFIGURATION_2 3
#define COPY_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define COPY_DEVICE_NVIDIA_H200 2
#define COPY_PROBLEM_FLOATS_2_26 1

/* X(number, kernel) for every configuration */
#define COPY_CONFIGURATION_COUNT 3
#define COPY_CONFIGURATIONS(X) \
	X(0, copy_0) \
	X(1, copy_1) \
	X(2, copy_2)
#define COPY_DEVICE_COUNT 2
#define COPY_L1_plain 1
#define COPY_L1_ca 2
#define COPY_L1_cg 3

#define COPY_0_BLOCK 1024
#define COPY_0_ELEMENTS 4
#define COPY_0_VECTOR 4
#define COPY_0_USE_LDG 1
#define COPY_0_BLOCKS_PER_MULTIPROCESSOR 0
#define COPY_0_L1 1
#define COPY_0_L1_NAME "plain"
#define COPY_0_NUMBER 0
#define COPY_0_OPTIONS ""
#define COPY_0_BLOCK_DIM_X 1024
#define COPY_0_BLOCK_DIM_Y 1
#define COPY_0_BLOCK_DIM_Z 1
#define COPY_0_SHARED_BYTES 0

#define COPY_1_BLOCK 128
#define COPY_1_ELEMENTS 4
#define COPY_1_VECTOR 4
#define COPY_1_USE_LDG 0
#define COPY_1_BLOCKS_PER_MULTIPROCESSOR 0
#define COPY_1_L1 1
#define COPY_1_L1_NAME "plain"
#define COPY_1_NUMBER 1
#define COPY_1_OPTIONS ""
#define COPY_1_BLOCK_DIM_X 128
#define COPY_1_BLOCK_DIM_Y 1
#define COPY_1_BLOCK_DIM_Z 1
#define COPY_1_SHARED_BYTES 0

#define COPY_2_BLOCK 256
#define COPY_2_ELEMENTS 1
#define COPY_2_VECTOR 1
#define COPY_2_USE_LDG 0
#define COPY_2_BLOCKS_PER_MULTIPROCESSOR 0
#define COPY_2_L1 1
#define COPY_2_L1_NAME "plain"
#define COPY_2_NUMBER 2
#define COPY_2_OPTIONS ""
#define COPY_2_BLOCK_DIM_X 256
#define COPY_2_BLOCK_DIM_Y 1
#define COPY_2_BLOCK_DIM_Z 1
#define COPY_2_SHARED_BYTES 0

#define COPY_NVIDIA_H100_80GB_HBM3_FLOATS_2_26_CONFIGURATION 0
#define COPY_NVIDIA_H100_80GB_HBM3_FLOATS_2_26_TIME_NS 173978.167162122
#define COPY_NVIDIA_H100_80GB_HBM3_FLOATS_2_26_TIME_LOW_NS 173702.080590757
#define COPY_NVIDIA_H100_80GB_HBM3_FLOATS_2_26_TIME_HIGH_NS 174254.692552612
#define COPY_NVIDIA_H100_80GB_HBM3_FLOATS_2_26_SPEEDUP 1.28306909864659
#define COPY_NVIDIA_H100_80GB_HBM3_FLOATS_2_26_SPEEDUP_LOW 1.2798331119245
#define COPY_NVIDIA_H100_80GB_HBM3_FLOATS_2_26_SPEEDUP_HIGH 1.28631326738083

#define COPY_NVIDIA_H200_FLOATS_2_26_CONFIGURATION 1
#define COPY_NVIDIA_H200_FLOATS_2_26_TIME_NS 125557.02834238
#define COPY_NVIDIA_H200_FLOATS_2_26_TIME_LOW_NS 125373.156615069
#define COPY_NVIDIA_H200_FLOATS_2_26_TIME_HIGH_NS 125741.169735168
#define COPY_NVIDIA_H200_FLOATS_2_26_SPEEDUP 1.58498196345501
#define COPY_NVIDIA_H200_FLOATS_2_26_SPEEDUP_LOW 1.57981009477032
#define COPY_NVIDIA_H200_FLOATS_2_26_SPEEDUP_HIGH 1.59017076343149

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *copy_device(int index)
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
static inline struct autotune_device copy_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, copy_device(i)))
			autotune_fill(&complete, copy_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch copy_launch(
	int configuration, const struct autotune_device *given, long long size_N)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 4096LL, &bad);
		amounts[3] = 1024LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 512LL, &bad);
		amounts[3] = 128LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int copy_fits(
	int configuration, const struct autotune_device *given, long long size_N)
{
	const struct autotune_device complete = copy_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 268435456LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(1024LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 2:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 14;
		break;
	default:
		break;
	}
	launch = copy_launch(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice copy_choose(
	const struct autotune_device *device, long long size_N)
{
	/* the sizes that were measured */
	static const double recorded[][1] = {
		{ 67108864 }, /* floats_2_26 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* floats_2_26 on NVIDIA H100 80GB HBM3 */
		{ 1, 1, 0, 0 }, /* floats_2_26 on NVIDIA H200 */
		{ 2, 0, 0, 1 }, /* floats_2_26 on NVIDIA H100 80GB HBM3 */
		{ 2, 1, 0, 1 }, /* floats_2_26 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N;
	for (i = 0; device && i < 4; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			copy_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 1);

		if (autotune_is_better(&rank, &best) &&
			copy_fits(entries[i][0], device, size_N)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 1)) {
		char text[128];

		snprintf(text, sizeof(text), "\"N\": %lld", size_N);
		autotune_note(file, "copy", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   copy_run(&device, stream, N, in, out)
 *
 *   in             const float *
 *   out            float *
 *   n              computed: N
 *
 * copy_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line COPY_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. copy_run_by() launches with
 * functions of its caller.
 */
#define COPY_RUN_PARAMETERS \
	, long long size_N, const float *argument_in, float *argument_out
#define COPY_RUN_ARGUMENTS \
	, size_N, argument_in, argument_out

static inline int copy_run_by(struct autotune_runner *runner,
	const struct autotune_device *given COPY_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? copy_choose(given, size_N).configuration : runner->configuration;
	int bad = 0;
	long long value_n = 0;
	long long argument_n = 0;
	int error;

	if (!given || configuration < 0 || !copy_fits(configuration, given, size_N))
		return runner->refused;
	value_n = size_N;
	argument_n = AUTOTUNE_CAST(long long, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* copy */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_out, &argument_n };
		const struct autotune_launch launch =
			copy_launch(configuration, given, size_N);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_COPY_RUN)
#define AUTOTUNE_COPY_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const copy_0_kernels[1];
extern const void *const copy_1_kernels[1];
extern const void *const copy_2_kernels[1];
#ifdef __cplusplus
}
#endif

/* As copy_run(), with a configuration that was chosen before. */
static inline cudaError_t copy_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream COPY_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { copy_0_kernels, copy_1_kernels, copy_2_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		copy_run_by(&runner, device COPY_RUN_ARGUMENTS));
}

static inline cudaError_t copy_run(
	const struct autotune_device *device, cudaStream_t stream COPY_RUN_PARAMETERS)
{
	return copy_run_configuration(
		AUTOTUNE_CHOOSE, device, stream COPY_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef COPY_SELECTED_DEVICE
#ifdef COPY_DEVICE
#define COPY_SELECTED_DEVICE AUTOTUNE_PASTE(COPY_DEVICE_, COPY_DEVICE)
#if !(COPY_SELECTED_DEVICE > 0)
#error "COPY_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define COPY_SELECTED_DEVICE 0
#endif
#undef COPY_SELECTED_PROBLEM
#ifdef COPY_PROBLEM
#define COPY_SELECTED_PROBLEM AUTOTUNE_PASTE(COPY_PROBLEM_, COPY_PROBLEM)
#if !(COPY_SELECTED_PROBLEM > 0)
#error "COPY_PROBLEM is not one of: FLOATS_2_26"
#endif
#else
#define COPY_SELECTED_PROBLEM 0
#endif
#undef COPY_SELECTED
#ifdef COPY_CONFIGURATION
#define COPY_SELECTED AUTOTUNE_PASTE(COPY_CONFIGURATION_, COPY_CONFIGURATION)
#if !(COPY_SELECTED > 0)
#error "COPY_CONFIGURATION is no number from 0 to 2"
#endif
#elif COPY_SELECTED_DEVICE == 1 && COPY_SELECTED_PROBLEM == 1
#define COPY_SELECTED 1
#elif COPY_SELECTED_DEVICE == 1 && COPY_SELECTED_PROBLEM == 0
#define COPY_SELECTED 1
#elif COPY_SELECTED_DEVICE == 2 && COPY_SELECTED_PROBLEM == 1
#define COPY_SELECTED 2
#elif COPY_SELECTED_DEVICE == 2 && COPY_SELECTED_PROBLEM == 0
#define COPY_SELECTED 2
#elif COPY_SELECTED_DEVICE > 0 && COPY_SELECTED_PROBLEM > 0
#error "COPY_PROBLEM was not measured on COPY_DEVICE; there are: FLOATS_2_26 on NVIDIA_H100_80GB_HBM3, FLOATS_2_26 on NVIDIA_H200"
#else
#define COPY_SELECTED 0
#endif
#undef COPY_BLOCK
#undef COPY_ELEMENTS
#undef COPY_VECTOR
#undef COPY_USE_LDG
#undef COPY_BLOCKS_PER_MULTIPROCESSOR
#undef COPY_L1
#undef COPY_L1_NAME
#undef COPY_NUMBER
#undef COPY_OPTIONS
#undef COPY_BLOCK_DIM_X
#undef COPY_BLOCK_DIM_Y
#undef COPY_BLOCK_DIM_Z
#undef COPY_SHARED_BYTES
#if COPY_SELECTED == 1
#define COPY_BLOCK COPY_0_BLOCK
#define COPY_ELEMENTS COPY_0_ELEMENTS
#define COPY_VECTOR COPY_0_VECTOR
#define COPY_USE_LDG COPY_0_USE_LDG
#define COPY_BLOCKS_PER_MULTIPROCESSOR COPY_0_BLOCKS_PER_MULTIPROCESSOR
#define COPY_L1 COPY_0_L1
#define COPY_L1_NAME COPY_0_L1_NAME
#define COPY_NUMBER COPY_0_NUMBER
#define COPY_OPTIONS COPY_0_OPTIONS
#define COPY_BLOCK_DIM_X COPY_0_BLOCK_DIM_X
#define COPY_BLOCK_DIM_Y COPY_0_BLOCK_DIM_Y
#define COPY_BLOCK_DIM_Z COPY_0_BLOCK_DIM_Z
#define COPY_SHARED_BYTES COPY_0_SHARED_BYTES
#elif COPY_SELECTED == 2
#define COPY_BLOCK COPY_1_BLOCK
#define COPY_ELEMENTS COPY_1_ELEMENTS
#define COPY_VECTOR COPY_1_VECTOR
#define COPY_USE_LDG COPY_1_USE_LDG
#define COPY_BLOCKS_PER_MULTIPROCESSOR COPY_1_BLOCKS_PER_MULTIPROCESSOR
#define COPY_L1 COPY_1_L1
#define COPY_L1_NAME COPY_1_L1_NAME
#define COPY_NUMBER COPY_1_NUMBER
#define COPY_OPTIONS COPY_1_OPTIONS
#define COPY_BLOCK_DIM_X COPY_1_BLOCK_DIM_X
#define COPY_BLOCK_DIM_Y COPY_1_BLOCK_DIM_Y
#define COPY_BLOCK_DIM_Z COPY_1_BLOCK_DIM_Z
#define COPY_SHARED_BYTES COPY_1_SHARED_BYTES
#elif COPY_SELECTED == 3
#define COPY_BLOCK COPY_2_BLOCK
#define COPY_ELEMENTS COPY_2_ELEMENTS
#define COPY_VECTOR COPY_2_VECTOR
#define COPY_USE_LDG COPY_2_USE_LDG
#define COPY_BLOCKS_PER_MULTIPROCESSOR COPY_2_BLOCKS_PER_MULTIPROCESSOR
#define COPY_L1 COPY_2_L1
#define COPY_L1_NAME COPY_2_L1_NAME
#define COPY_NUMBER COPY_2_NUMBER
#define COPY_OPTIONS COPY_2_OPTIONS
#define COPY_BLOCK_DIM_X COPY_2_BLOCK_DIM_X
#define COPY_BLOCK_DIM_Y COPY_2_BLOCK_DIM_Y
#define COPY_BLOCK_DIM_Z COPY_2_BLOCK_DIM_Z
#define COPY_SHARED_BYTES COPY_2_SHARED_BYTES
#endif
#ifdef COPY_BARE
#if COPY_SELECTED == 1
#undef BLOCK
#define BLOCK 1024
#undef ELEMENTS
#define ELEMENTS 4
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 1
#undef BLOCKS_PER_MULTIPROCESSOR
#define BLOCKS_PER_MULTIPROCESSOR 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef COPY_CONFIGURATION
#undef copy
#define copy copy_0
#undef copy_reference
#define copy_reference copy_0_copy_reference
#undef COPY_ENTRY
#define COPY_ENTRY extern "C" const void *const copy_0_kernels[1]; \
	const void *const copy_0_kernels[1] = { reinterpret_cast<const void *>(&copy) }
#endif
#elif COPY_SELECTED == 2
#undef BLOCK
#define BLOCK 128
#undef ELEMENTS
#define ELEMENTS 4
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef BLOCKS_PER_MULTIPROCESSOR
#define BLOCKS_PER_MULTIPROCESSOR 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef COPY_CONFIGURATION
#undef copy
#define copy copy_1
#undef copy_reference
#define copy_reference copy_1_copy_reference
#undef COPY_ENTRY
#define COPY_ENTRY extern "C" const void *const copy_1_kernels[1]; \
	const void *const copy_1_kernels[1] = { reinterpret_cast<const void *>(&copy) }
#endif
#elif COPY_SELECTED == 3
#undef BLOCK
#define BLOCK 256
#undef ELEMENTS
#define ELEMENTS 1
#undef VECTOR
#define VECTOR 1
#undef USE_LDG
#define USE_LDG 0
#undef BLOCKS_PER_MULTIPROCESSOR
#define BLOCKS_PER_MULTIPROCESSOR 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef COPY_CONFIGURATION
#undef copy
#define copy copy_2
#undef copy_reference
#define copy_reference copy_2_copy_reference
#undef COPY_ENTRY
#define COPY_ENTRY extern "C" const void *const copy_2_kernels[1]; \
	const void *const copy_2_kernels[1] = { reinterpret_cast<const void *>(&copy) }
#endif
#else
#error "COPY_BARE: say of which configuration, with COPY_CONFIGURATION, or with COPY_DEVICE and COPY_PROBLEM"
#endif
#endif
