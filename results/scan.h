/*
 * scan: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     1a2ee990ef980039c4c983f682f99cf4 scan.cfg
 *   template  579ee237e0a4c3c4a405f86425426f10 scan.cu
 *   contents  da25f7abf9d21d3d897f86a1dbe5f58e
 */
/*
 * scan: 2 configurations, baselines included. The fastest correct ones are, for
 *
 * integers_2_26 on NVIDIA H200 (sm_90): N = 67108864
 *   configuration  0: BLOCK=1024 ELEMENTS=32 VECTOR=4 METHOD=look_back
 *   time           176.28 us (95 % interval 171.48 to 181.2)
 *   speed-up       6.063 over the baseline (95 % interval 5.898 to 6.233)
 *   chosen from    150 evaluations, 150 of them ok
 *   verified       partly, 1 of 24 cases: 2 data sets, 1 different case, 12 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:50:12Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    e860b8ca3e76299396db7031312583a3
 *
 * To choose a configuration when the program runs: scan_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * scan_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of SCAN_CONFIGURATIONS in a translation unit of its own:
 * define SCAN_CONFIGURATION as n, define SCAN_BARE, include this header, then
 * the template. Its kernel is called scan_n there. Give the compiler
 * SCAN_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names SCAN_... without a
 * number belong to one configuration. Define SCAN_CONFIGURATION, or
 * SCAN_DEVICE and SCAN_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. SCAN_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_SCAN_H
#define AUTOTUNE_SCAN_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_SCAN_CONTENTS 0xce1d3bdd97c35740ULL

/* the values that SCAN_CONFIGURATION, SCAN_DEVICE and SCAN_PROBLEM may have */
#define SCAN_CONFIGURATION_0 1
#define SCAN_CONFIGURATION_1 2
#define SCAN_DEVICE_NVIDIA_H200 1
#define SCAN_PROBLEM_INTEGERS_2_26 1

/* X(number, kernel) for every configuration */
#define SCAN_CONFIGURATION_COUNT 2
#define SCAN_CONFIGURATIONS(X) \
	X(0, scan_0) \
	X(1, scan_1)
#define SCAN_DEVICE_COUNT 1
#define SCAN_METHOD_passes 1
#define SCAN_METHOD_look_back 2

#define SCAN_0_BLOCK 1024
#define SCAN_0_ELEMENTS 32
#define SCAN_0_VECTOR 4
#define SCAN_0_METHOD 2
#define SCAN_0_METHOD_NAME "look_back"
#define SCAN_0_NUMBER 0
#define SCAN_0_OPTIONS ""
#define SCAN_0_BLOCK_DIM_X 256
#define SCAN_0_BLOCK_DIM_Y 1
#define SCAN_0_BLOCK_DIM_Z 1
#define SCAN_0_SHARED_BYTES 0

#define SCAN_1_BLOCK 256
#define SCAN_1_ELEMENTS 1
#define SCAN_1_VECTOR 1
#define SCAN_1_METHOD 1
#define SCAN_1_METHOD_NAME "passes"
#define SCAN_1_NUMBER 1
#define SCAN_1_OPTIONS ""
#define SCAN_1_BLOCK_DIM_X 256
#define SCAN_1_BLOCK_DIM_Y 1
#define SCAN_1_BLOCK_DIM_Z 1
#define SCAN_1_SHARED_BYTES 0

#define SCAN_NVIDIA_H200_INTEGERS_2_26_CONFIGURATION 0
#define SCAN_NVIDIA_H200_INTEGERS_2_26_TIME_NS 176276.679738621
#define SCAN_NVIDIA_H200_INTEGERS_2_26_TIME_LOW_NS 171484.122350745
#define SCAN_NVIDIA_H200_INTEGERS_2_26_TIME_HIGH_NS 181203.177260436
#define SCAN_NVIDIA_H200_INTEGERS_2_26_SPEEDUP 6.06315249739326
#define SCAN_NVIDIA_H200_INTEGERS_2_26_SPEEDUP_LOW 5.8982241639044
#define SCAN_NVIDIA_H200_INTEGERS_2_26_SPEEDUP_HIGH 6.23269261816444

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *scan_device(int index)
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
static inline struct autotune_device scan_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 1; i++)
		if (autotune_is_same_device(device, scan_device(i)))
			autotune_fill(&complete, scan_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 * It is a sequence. Launch N, from 0, is what scan_launch_N() says (0: scan_launch()),
 * as often as its repeats say (0: not at all):
 *   0 scan_clear(state, tiles)
 *   1 scan_sums(in, state, n)
 *   2 scan_totals(state, tiles)
 *   3 scan(in, out, state, n)
 */
static inline struct autotune_launch scan_launch(
	int configuration, const struct autotune_device *given, long long size_N)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(autotune_add(autotune_ceil_div(size_N, 32768LL, &bad), 1LL, &bad), 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 1:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(autotune_add(autotune_ceil_div(size_N, 256LL, &bad), 1LL, &bad), 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch scan_launch_1(
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
		amounts[0] = autotune_ceil_div(size_N, 32768LL, &bad);
		amounts[3] = 1024LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch scan_launch_2(
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
		amounts[3] = 1024LL;
		break;
	case 1:
		amounts[0] = 1LL;
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch scan_launch_3(
	int configuration, const struct autotune_device *given, long long size_N)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 32768LL, &bad);
		amounts[3] = 1024LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int scan_fits(
	int configuration, const struct autotune_device *given, long long size_N)
{
	const struct autotune_device complete = scan_complete(given);
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
		registers = 8;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 32;
		registers = 18;
		break;
	default:
		break;
	}
	launch = scan_launch(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	launch = scan_launch_1(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	launch = scan_launch_2(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	launch = scan_launch_3(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice scan_choose(
	const struct autotune_device *device, long long size_N)
{
	/* the sizes that were measured */
	static const double recorded[][1] = {
		{ 67108864 }, /* integers_2_26 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* integers_2_26 on NVIDIA H200 */
		{ 1, 0, 0, 1 }, /* integers_2_26 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N;
	for (i = 0; device && i < 2; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			scan_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 1);

		if (autotune_is_better(&rank, &best) &&
			scan_fits(entries[i][0], device, size_N)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 1)) {
		char text[128];

		snprintf(text, sizeof(text), "\"N\": %lld", size_N);
		autotune_note(file, "scan", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   scan_run(&device, stream, N, in, out)
 *
 *   in             const unsigned int *
 *   out            unsigned int *
 *   state          scratch, which it allocates in the stream
 *   tiles          computed: ceil_div(N, BLOCK * ELEMENTS)
 *   n              computed: N
 *
 * scan_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line SCAN_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. scan_run_by() launches with
 * functions of its caller.
 */
#define SCAN_RUN_PARAMETERS \
	, long long size_N, const unsigned int *argument_in, unsigned int *argument_out
#define SCAN_RUN_ARGUMENTS \
	, size_N, argument_in, argument_out

static inline int scan_run_by(struct autotune_runner *runner,
	const struct autotune_device *given SCAN_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? scan_choose(given, size_N).configuration : runner->configuration;
	int bad = 0;
	void *memory_state = AUTOTUNE_NULL;
	long long count_state = 0;
	unsigned long long *argument_state = AUTOTUNE_NULL;
	long long value_tiles = 0;
	int argument_tiles = 0;
	long long value_n = 0;
	int argument_n = 0;
	int error;

	if (!given || configuration < 0 || !scan_fits(configuration, given, size_N))
		return runner->refused;
	switch (configuration) {
	case 0:
		count_state = autotune_add(autotune_ceil_div(size_N, 32768LL, &bad), 1LL, &bad);
		value_tiles = autotune_ceil_div(size_N, 32768LL, &bad);
		value_n = size_N;
		break;
	case 1:
		count_state = autotune_add(autotune_ceil_div(size_N, 256LL, &bad), 1LL, &bad);
		value_tiles = autotune_ceil_div(size_N, 256LL, &bad);
		value_n = size_N;
		break;
	default:
		break;
	}
	count_state = autotune_multiply(count_state, 8LL, &bad);
	if (count_state < 1)
		bad = 1;
	argument_tiles = AUTOTUNE_CAST(int, value_tiles);
	if (AUTOTUNE_CAST(long long, argument_tiles) != value_tiles)
		bad = 1;
	argument_n = AUTOTUNE_CAST(int, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	if (!error)
		error = runner->allocate(runner, &memory_state,
			AUTOTUNE_CAST(unsigned long long, count_state));
	argument_state = AUTOTUNE_CAST(unsigned long long *, memory_state);
	/* scan_clear */
	if (!error) {
		void *arguments[] = { &argument_state, &argument_tiles };
		const struct autotune_launch launch =
			scan_launch(configuration, given, size_N);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
		}
	}
	/* scan_sums */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_state, &argument_n };
		const struct autotune_launch launch =
			scan_launch_1(configuration, given, size_N);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 1, &launch, arguments);
		}
	}
	/* scan_totals */
	if (!error) {
		void *arguments[] = { &argument_state, &argument_tiles };
		const struct autotune_launch launch =
			scan_launch_2(configuration, given, size_N);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 2, &launch, arguments);
		}
	}
	/* scan */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_out, &argument_state, &argument_n };
		const struct autotune_launch launch =
			scan_launch_3(configuration, given, size_N);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 3, &launch, arguments);
		}
	}
	if (memory_state) {
		const int failed = runner->release(runner, memory_state);

		error = error ? error : failed;
	}
	return error;
}

#endif

/* outside of the guard: a unit may include the header of CUDA later */
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_SCAN_RUN)
#define AUTOTUNE_SCAN_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const scan_0_kernels[4];
extern const void *const scan_1_kernels[4];
#ifdef __cplusplus
}
#endif

/* As scan_run(), with a configuration that was chosen before. */
static inline cudaError_t scan_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream SCAN_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { scan_0_kernels, scan_1_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		scan_run_by(&runner, device SCAN_RUN_ARGUMENTS));
}

static inline cudaError_t scan_run(
	const struct autotune_device *device, cudaStream_t stream SCAN_RUN_PARAMETERS)
{
	return scan_run_configuration(
		AUTOTUNE_CHOOSE, device, stream SCAN_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef SCAN_SELECTED_DEVICE
#ifdef SCAN_DEVICE
#define SCAN_SELECTED_DEVICE AUTOTUNE_PASTE(SCAN_DEVICE_, SCAN_DEVICE)
#if !(SCAN_SELECTED_DEVICE > 0)
#error "SCAN_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define SCAN_SELECTED_DEVICE 0
#endif
#undef SCAN_SELECTED_PROBLEM
#ifdef SCAN_PROBLEM
#define SCAN_SELECTED_PROBLEM AUTOTUNE_PASTE(SCAN_PROBLEM_, SCAN_PROBLEM)
#if !(SCAN_SELECTED_PROBLEM > 0)
#error "SCAN_PROBLEM is not one of: INTEGERS_2_26"
#endif
#else
#define SCAN_SELECTED_PROBLEM 0
#endif
#undef SCAN_SELECTED
#ifdef SCAN_CONFIGURATION
#define SCAN_SELECTED AUTOTUNE_PASTE(SCAN_CONFIGURATION_, SCAN_CONFIGURATION)
#if !(SCAN_SELECTED > 0)
#error "SCAN_CONFIGURATION is no number from 0 to 1"
#endif
#elif SCAN_SELECTED_DEVICE == 1 && SCAN_SELECTED_PROBLEM == 1
#define SCAN_SELECTED 1
#elif SCAN_SELECTED_DEVICE == 1 && SCAN_SELECTED_PROBLEM == 0
#define SCAN_SELECTED 1
#elif SCAN_SELECTED_DEVICE == 0 && SCAN_SELECTED_PROBLEM == 1
#define SCAN_SELECTED 1
#elif SCAN_SELECTED_DEVICE == 0 && SCAN_SELECTED_PROBLEM == 0
#define SCAN_SELECTED 1
#elif SCAN_SELECTED_DEVICE > 0 && SCAN_SELECTED_PROBLEM > 0
#error "SCAN_PROBLEM was not measured on SCAN_DEVICE; there are: INTEGERS_2_26 on NVIDIA_H200"
#else
#define SCAN_SELECTED 0
#endif
#undef SCAN_BLOCK
#undef SCAN_ELEMENTS
#undef SCAN_VECTOR
#undef SCAN_METHOD
#undef SCAN_METHOD_NAME
#undef SCAN_NUMBER
#undef SCAN_OPTIONS
#undef SCAN_BLOCK_DIM_X
#undef SCAN_BLOCK_DIM_Y
#undef SCAN_BLOCK_DIM_Z
#undef SCAN_SHARED_BYTES
#if SCAN_SELECTED == 1
#define SCAN_BLOCK SCAN_0_BLOCK
#define SCAN_ELEMENTS SCAN_0_ELEMENTS
#define SCAN_VECTOR SCAN_0_VECTOR
#define SCAN_METHOD SCAN_0_METHOD
#define SCAN_METHOD_NAME SCAN_0_METHOD_NAME
#define SCAN_NUMBER SCAN_0_NUMBER
#define SCAN_OPTIONS SCAN_0_OPTIONS
#define SCAN_BLOCK_DIM_X SCAN_0_BLOCK_DIM_X
#define SCAN_BLOCK_DIM_Y SCAN_0_BLOCK_DIM_Y
#define SCAN_BLOCK_DIM_Z SCAN_0_BLOCK_DIM_Z
#define SCAN_SHARED_BYTES SCAN_0_SHARED_BYTES
#elif SCAN_SELECTED == 2
#define SCAN_BLOCK SCAN_1_BLOCK
#define SCAN_ELEMENTS SCAN_1_ELEMENTS
#define SCAN_VECTOR SCAN_1_VECTOR
#define SCAN_METHOD SCAN_1_METHOD
#define SCAN_METHOD_NAME SCAN_1_METHOD_NAME
#define SCAN_NUMBER SCAN_1_NUMBER
#define SCAN_OPTIONS SCAN_1_OPTIONS
#define SCAN_BLOCK_DIM_X SCAN_1_BLOCK_DIM_X
#define SCAN_BLOCK_DIM_Y SCAN_1_BLOCK_DIM_Y
#define SCAN_BLOCK_DIM_Z SCAN_1_BLOCK_DIM_Z
#define SCAN_SHARED_BYTES SCAN_1_SHARED_BYTES
#endif
#ifdef SCAN_BARE
#if SCAN_SELECTED == 1
#undef BLOCK
#define BLOCK 1024
#undef ELEMENTS
#define ELEMENTS 32
#undef VECTOR
#define VECTOR 4
#undef METHOD_passes
#define METHOD_passes 1
#undef METHOD_look_back
#define METHOD_look_back 2
#undef METHOD
#define METHOD METHOD_look_back
#ifdef SCAN_CONFIGURATION
#undef scan_clear
#define scan_clear scan_0
#undef scan_sums
#define scan_sums scan_0_scan_sums
#undef scan_totals
#define scan_totals scan_0_scan_totals
#undef scan
#define scan scan_0_scan
#undef scan_reference
#define scan_reference scan_0_scan_reference
#undef SCAN_ENTRY
#define SCAN_ENTRY extern "C" const void *const scan_0_kernels[4]; \
	const void *const scan_0_kernels[4] = { reinterpret_cast<const void *>(&scan_clear), reinterpret_cast<const void *>(&scan_sums), reinterpret_cast<const void *>(&scan_totals), reinterpret_cast<const void *>(&scan) }
#endif
#elif SCAN_SELECTED == 2
#undef BLOCK
#define BLOCK 256
#undef ELEMENTS
#define ELEMENTS 1
#undef VECTOR
#define VECTOR 1
#undef METHOD_passes
#define METHOD_passes 1
#undef METHOD_look_back
#define METHOD_look_back 2
#undef METHOD
#define METHOD METHOD_passes
#ifdef SCAN_CONFIGURATION
#undef scan_clear
#define scan_clear scan_1
#undef scan_sums
#define scan_sums scan_1_scan_sums
#undef scan_totals
#define scan_totals scan_1_scan_totals
#undef scan
#define scan scan_1_scan
#undef scan_reference
#define scan_reference scan_1_scan_reference
#undef SCAN_ENTRY
#define SCAN_ENTRY extern "C" const void *const scan_1_kernels[4]; \
	const void *const scan_1_kernels[4] = { reinterpret_cast<const void *>(&scan_clear), reinterpret_cast<const void *>(&scan_sums), reinterpret_cast<const void *>(&scan_totals), reinterpret_cast<const void *>(&scan) }
#endif
#else
#error "SCAN_BARE: say of which configuration, with SCAN_CONFIGURATION, or with SCAN_DEVICE and SCAN_PROBLEM"
#endif
#endif
