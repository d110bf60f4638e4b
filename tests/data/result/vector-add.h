/*
 * vector-add: 1 configurations, baselines included. The fastest correct ones are, for
 *
 * million on NVIDIA H200 (sm_90): N = 1000000
 *   configuration  0: BLOCK_X=128 PER_THREAD=3
 *   time           1.2346 ms (95 % interval 1.23 to 1.24)
 *   speed-up       2.025 over the baseline (95 % interval 2.013 to 2.038)
 *   chosen from    400 evaluations, 380 of them ok
 *   verified       2 data sets, 3 problems, 6 patterns, guarded, host
 *   measured       2025-11-21T09:05:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.1 (CUDA 13.0)
 *   source hash    00112233445566778899aabbccddeeff
 *
 * To choose a configuration when the program runs: vector_add_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * vector_add_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of VECTOR_ADD_CONFIGURATIONS in a translation unit of its own:
 * define VECTOR_ADD_CONFIGURATION as n, define VECTOR_ADD_BARE, include this header, then
 * the template. Its kernel is called vector_add_n there. Give the compiler
 * VECTOR_ADD_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names VECTOR_ADD_... without a
 * number belong to one configuration. Define VECTOR_ADD_CONFIGURATION, or
 * VECTOR_ADD_DEVICE and VECTOR_ADD_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. VECTOR_ADD_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_VECTOR_ADD_H
#define AUTOTUNE_VECTOR_ADD_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_VECTOR_ADD_CONTENTS 0x0000000000000000ULL

/* the values that VECTOR_ADD_CONFIGURATION, VECTOR_ADD_DEVICE and VECTOR_ADD_PROBLEM may have */
#define VECTOR_ADD_CONFIGURATION_0 1
#define VECTOR_ADD_DEVICE_NVIDIA_H200 1
#define VECTOR_ADD_PROBLEM_MILLION 1

/* X(number, kernel) for every configuration */
#define VECTOR_ADD_CONFIGURATION_COUNT 1
#define VECTOR_ADD_CONFIGURATIONS(X) \
	X(0, vector_add_0)
#define VECTOR_ADD_DEVICE_COUNT 1

#define VECTOR_ADD_0_BLOCK_X 128
#define VECTOR_ADD_0_PER_THREAD 3
#define VECTOR_ADD_0_NUMBER 0
#define VECTOR_ADD_0_OPTIONS ""
#define VECTOR_ADD_0_BLOCK_DIM_X 128
#define VECTOR_ADD_0_BLOCK_DIM_Y 1
#define VECTOR_ADD_0_BLOCK_DIM_Z 1
#define VECTOR_ADD_0_SHARED_BYTES 0

#define VECTOR_ADD_NVIDIA_H200_MILLION_CONFIGURATION 0
#define VECTOR_ADD_NVIDIA_H200_MILLION_TIME_NS 1234567.25
#define VECTOR_ADD_NVIDIA_H200_MILLION_TIME_LOW_NS 1230000.0
#define VECTOR_ADD_NVIDIA_H200_MILLION_TIME_HIGH_NS 1240000.5
#define VECTOR_ADD_NVIDIA_H200_MILLION_SPEEDUP 2.025
#define VECTOR_ADD_NVIDIA_H200_MILLION_SPEEDUP_LOW 2.0125
#define VECTOR_ADD_NVIDIA_H200_MILLION_SPEEDUP_HIGH 2.0375

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *vector_add_device(int index)
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
static inline struct autotune_device vector_add_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 1; i++)
		if (autotune_is_same_device(device, vector_add_device(i)))
			autotune_fill(&complete, vector_add_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch vector_add_launch(
	int configuration, const struct autotune_device *given, long long size_N)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 384LL, &bad);
		amounts[3] = 128LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int vector_add_fits(
	int configuration, const struct autotune_device *given, long long size_N)
{
	const struct autotune_device complete = vector_add_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	switch (configuration) {
	case 0:
		static_bytes = 8192;
		registers = 128;
		break;
	default:
		break;
	}
	launch = vector_add_launch(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice vector_add_choose(
	const struct autotune_device *device, long long size_N)
{
	/* the sizes that were measured */
	static const double recorded[][1] = {
		{ 1000000 }, /* million */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* million on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N;
	for (i = 0; device && i < 1; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			vector_add_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 1);

		if (autotune_is_better(&rank, &best) &&
			vector_add_fits(entries[i][0], device, size_N)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 1)) {
		char text[128];

		snprintf(text, sizeof(text), "\"N\": %lld", size_N);
		autotune_note(file, "vector-add", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   vector_add_run(&device, stream, N, X)
 *
 *   X              float *
 *
 * vector_add_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line VECTOR_ADD_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. vector_add_run_by() launches with
 * functions of its caller.
 */
#define VECTOR_ADD_RUN_PARAMETERS \
	, long long size_N, float *argument_X
#define VECTOR_ADD_RUN_ARGUMENTS \
	, size_N, argument_X

static inline int vector_add_run_by(struct autotune_runner *runner,
	const struct autotune_device *given VECTOR_ADD_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? vector_add_choose(given, size_N).configuration : runner->configuration;
	int error;

	if (!given || configuration < 0 || !vector_add_fits(configuration, given, size_N))
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* vector_add */
	if (!error) {
		void *arguments[] = { &argument_X };
		const struct autotune_launch launch =
			vector_add_launch(configuration, given, size_N);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_VECTOR_ADD_RUN)
#define AUTOTUNE_VECTOR_ADD_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const vector_add_0_kernels[1];
#ifdef __cplusplus
}
#endif

/* As vector_add_run(), with a configuration that was chosen before. */
static inline cudaError_t vector_add_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream VECTOR_ADD_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { vector_add_0_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		vector_add_run_by(&runner, device VECTOR_ADD_RUN_ARGUMENTS));
}

static inline cudaError_t vector_add_run(
	const struct autotune_device *device, cudaStream_t stream VECTOR_ADD_RUN_PARAMETERS)
{
	return vector_add_run_configuration(
		AUTOTUNE_CHOOSE, device, stream VECTOR_ADD_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef VECTOR_ADD_SELECTED_DEVICE
#ifdef VECTOR_ADD_DEVICE
#define VECTOR_ADD_SELECTED_DEVICE AUTOTUNE_PASTE(VECTOR_ADD_DEVICE_, VECTOR_ADD_DEVICE)
#if !(VECTOR_ADD_SELECTED_DEVICE > 0)
#error "VECTOR_ADD_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define VECTOR_ADD_SELECTED_DEVICE 0
#endif
#undef VECTOR_ADD_SELECTED_PROBLEM
#ifdef VECTOR_ADD_PROBLEM
#define VECTOR_ADD_SELECTED_PROBLEM AUTOTUNE_PASTE(VECTOR_ADD_PROBLEM_, VECTOR_ADD_PROBLEM)
#if !(VECTOR_ADD_SELECTED_PROBLEM > 0)
#error "VECTOR_ADD_PROBLEM is not one of: MILLION"
#endif
#else
#define VECTOR_ADD_SELECTED_PROBLEM 0
#endif
#undef VECTOR_ADD_SELECTED
#ifdef VECTOR_ADD_CONFIGURATION
#define VECTOR_ADD_SELECTED AUTOTUNE_PASTE(VECTOR_ADD_CONFIGURATION_, VECTOR_ADD_CONFIGURATION)
#if !(VECTOR_ADD_SELECTED > 0)
#error "VECTOR_ADD_CONFIGURATION is no number from 0 to 0"
#endif
#elif VECTOR_ADD_SELECTED_DEVICE == 1 && VECTOR_ADD_SELECTED_PROBLEM == 1
#define VECTOR_ADD_SELECTED 1
#elif VECTOR_ADD_SELECTED_DEVICE == 1 && VECTOR_ADD_SELECTED_PROBLEM == 0
#define VECTOR_ADD_SELECTED 1
#elif VECTOR_ADD_SELECTED_DEVICE == 0 && VECTOR_ADD_SELECTED_PROBLEM == 1
#define VECTOR_ADD_SELECTED 1
#elif VECTOR_ADD_SELECTED_DEVICE == 0 && VECTOR_ADD_SELECTED_PROBLEM == 0
#define VECTOR_ADD_SELECTED 1
#elif VECTOR_ADD_SELECTED_DEVICE > 0 && VECTOR_ADD_SELECTED_PROBLEM > 0
#error "VECTOR_ADD_PROBLEM was not measured on VECTOR_ADD_DEVICE; there are: MILLION on NVIDIA_H200"
#else
#define VECTOR_ADD_SELECTED 0
#endif
#undef VECTOR_ADD_BLOCK_X
#undef VECTOR_ADD_PER_THREAD
#undef VECTOR_ADD_NUMBER
#undef VECTOR_ADD_OPTIONS
#undef VECTOR_ADD_BLOCK_DIM_X
#undef VECTOR_ADD_BLOCK_DIM_Y
#undef VECTOR_ADD_BLOCK_DIM_Z
#undef VECTOR_ADD_SHARED_BYTES
#if VECTOR_ADD_SELECTED == 1
#define VECTOR_ADD_BLOCK_X VECTOR_ADD_0_BLOCK_X
#define VECTOR_ADD_PER_THREAD VECTOR_ADD_0_PER_THREAD
#define VECTOR_ADD_NUMBER VECTOR_ADD_0_NUMBER
#define VECTOR_ADD_OPTIONS VECTOR_ADD_0_OPTIONS
#define VECTOR_ADD_BLOCK_DIM_X VECTOR_ADD_0_BLOCK_DIM_X
#define VECTOR_ADD_BLOCK_DIM_Y VECTOR_ADD_0_BLOCK_DIM_Y
#define VECTOR_ADD_BLOCK_DIM_Z VECTOR_ADD_0_BLOCK_DIM_Z
#define VECTOR_ADD_SHARED_BYTES VECTOR_ADD_0_SHARED_BYTES
#endif
#ifdef VECTOR_ADD_BARE
#if VECTOR_ADD_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 128
#undef PER_THREAD
#define PER_THREAD 3
#ifdef VECTOR_ADD_CONFIGURATION
#undef vector_add
#define vector_add vector_add_0
#undef reference
#define reference vector_add_0_reference
#undef helper
#define helper vector_add_0_helper
#undef VECTOR_ADD_ENTRY
#define VECTOR_ADD_ENTRY extern "C" const void *const vector_add_0_kernels[1]; \
	const void *const vector_add_0_kernels[1] = { reinterpret_cast<const void *>(&vector_add) }
#endif
#else
#error "VECTOR_ADD_BARE: say of which configuration, with VECTOR_ADD_CONFIGURATION, or with VECTOR_ADD_DEVICE and VECTOR_ADD_PROBLEM"
#endif
#endif
