/*
 * softmax: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     ff6cc8ad5726933fc1aeddbcb5c9e365 softmax.cfg
 *   template  1d7133bb9a28338fe32d07df3b7196e5 softmax.cu
 *   contents  37fe20b905306b20863e4b90cf6c599b
 */
/*
 * softmax: 4 configurations, baselines included. The fastest correct ones are, for
 *
 * rows_of_1024 on NVIDIA H200 (sm_90): ROWS = 65536, COLUMNS = 1024
 *   configuration  0: BLOCK_X=64 ROWS_PER_BLOCK=1 VECTOR=4 METHOD=online UNROLL=4 USE_LDG=false PARTS=1
 *   time           129.12 us (95 % interval 128.97 to 129.28)
 *   speed-up       2.913 over the baseline (95 % interval 2.907 to 2.919)
 *   chosen from    124 evaluations, 124 of them ok
 *   verified       partly, 8 of 17 cases: 2 data sets, 7 different cases, 12 patterns, guarded, crowded
 *   measured       2026-11-30T16:57:45Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    ab56e3a99b6f1c2f65a762cd40aecfb1
 *
 * rows_of_32768 on NVIDIA H200 (sm_90): ROWS = 2048, COLUMNS = 32768
 *   configuration  1: BLOCK_X=1024 ROWS_PER_BLOCK=1 VECTOR=4 METHOD=online UNROLL=4 USE_LDG=false PARTS=1
 *   time           189.92 us (95 % interval 189.69 to 190.15)
 *   speed-up       2.135 over the baseline (95 % interval 2.131 to 2.139)
 *   chosen from    237 evaluations, 237 of them ok
 *   verified       partly, 7 of 17 cases: 2 data sets, 6 different cases, 12 patterns, guarded, crowded
 *   measured       2026-11-30T16:57:55Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    578c3bb1778555f73eaef8ea28bdb2c6
 *
 * rows_of_1048576 on NVIDIA H200 (sm_90): ROWS = 16, COLUMNS = 1048576
 *   configuration  2: BLOCK_X=256 ROWS_PER_BLOCK=1 VECTOR=4 METHOD=online UNROLL=2 USE_LDG=false PARTS=64
 *   time           58.117 us (95 % interval 57.982 to 58.251)
 *   speed-up       82.7 over the baseline (95 % interval 82.52 to 82.89)
 *   chosen from    327 evaluations, 327 of them ok
 *   verified       partly, 5 of 17 cases: 2 data sets, 4 different cases, 12 patterns, guarded, crowded
 *   measured       2026-11-30T16:58:07Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    250fe9433327cb64576510afd8ab4820
 *
 * To choose a configuration when the program runs: softmax_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * softmax_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of SOFTMAX_CONFIGURATIONS in a translation unit of its own:
 * define SOFTMAX_CONFIGURATION as n, define SOFTMAX_BARE, include this header, then
 * the template. Its kernel is called softmax_n there. Give the compiler
 * SOFTMAX_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names SOFTMAX_... without a
 * number belong to one configuration. Define SOFTMAX_CONFIGURATION, or
 * SOFTMAX_DEVICE and SOFTMAX_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. SOFTMAX_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_SOFTMAX_H
#define AUTOTUNE_SOFTMAX_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_SOFTMAX_CONTENTS 0x1858a81b6158f310ULL

/* the values that SOFTMAX_CONFIGURATION, SOFTMAX_DEVICE and SOFTMAX_PROBLEM may have */
#define SOFTMAX_CONFIGURATION_0 1
#define SOFTMAX_CONFIGURATION_1 2
#define SOFTMAX_CONFIGURATION_2 3
#define SOFTMAX_CONFIGURATION_3 4
#define SOFTMAX_DEVICE_NVIDIA_H200 2
#define SOFTMAX_PROBLEM_ROWS_OF_1024 1
#define SOFTMAX_PROBLEM_ROWS_OF_32768 2
#define SOFTMAX_PROBLEM_ROWS_OF_1048576 3

/* X(number, kernel) for every configuration */
#define SOFTMAX_CONFIGURATION_COUNT 4
#define SOFTMAX_CONFIGURATIONS(X) \
	X(0, softmax_0) \
	X(1, softmax_1) \
	X(2, softmax_2) \
	X(3, softmax_3)
#define SOFTMAX_DEVICE_COUNT 2
#define SOFTMAX_METHOD_three_pass 1
#define SOFTMAX_METHOD_online 2

#define SOFTMAX_0_BLOCK_X 64
#define SOFTMAX_0_ROWS_PER_BLOCK 1
#define SOFTMAX_0_VECTOR 4
#define SOFTMAX_0_METHOD 2
#define SOFTMAX_0_METHOD_NAME "online"
#define SOFTMAX_0_UNROLL 4
#define SOFTMAX_0_USE_LDG 0
#define SOFTMAX_0_PARTS 1
#define SOFTMAX_0_NUMBER 0
#define SOFTMAX_0_OPTIONS ""
#define SOFTMAX_0_BLOCK_DIM_X 64
#define SOFTMAX_0_BLOCK_DIM_Y 1
#define SOFTMAX_0_BLOCK_DIM_Z 1
#define SOFTMAX_0_SHARED_BYTES 0

#define SOFTMAX_1_BLOCK_X 1024
#define SOFTMAX_1_ROWS_PER_BLOCK 1
#define SOFTMAX_1_VECTOR 4
#define SOFTMAX_1_METHOD 2
#define SOFTMAX_1_METHOD_NAME "online"
#define SOFTMAX_1_UNROLL 4
#define SOFTMAX_1_USE_LDG 0
#define SOFTMAX_1_PARTS 1
#define SOFTMAX_1_NUMBER 1
#define SOFTMAX_1_OPTIONS ""
#define SOFTMAX_1_BLOCK_DIM_X 1024
#define SOFTMAX_1_BLOCK_DIM_Y 1
#define SOFTMAX_1_BLOCK_DIM_Z 1
#define SOFTMAX_1_SHARED_BYTES 0

#define SOFTMAX_2_BLOCK_X 256
#define SOFTMAX_2_ROWS_PER_BLOCK 1
#define SOFTMAX_2_VECTOR 4
#define SOFTMAX_2_METHOD 2
#define SOFTMAX_2_METHOD_NAME "online"
#define SOFTMAX_2_UNROLL 2
#define SOFTMAX_2_USE_LDG 0
#define SOFTMAX_2_PARTS 64
#define SOFTMAX_2_NUMBER 2
#define SOFTMAX_2_OPTIONS ""
#define SOFTMAX_2_BLOCK_DIM_X 256
#define SOFTMAX_2_BLOCK_DIM_Y 1
#define SOFTMAX_2_BLOCK_DIM_Z 1
#define SOFTMAX_2_SHARED_BYTES 0

#define SOFTMAX_3_BLOCK_X 256
#define SOFTMAX_3_ROWS_PER_BLOCK 1
#define SOFTMAX_3_VECTOR 1
#define SOFTMAX_3_METHOD 1
#define SOFTMAX_3_METHOD_NAME "three_pass"
#define SOFTMAX_3_UNROLL 1
#define SOFTMAX_3_USE_LDG 0
#define SOFTMAX_3_PARTS 1
#define SOFTMAX_3_NUMBER 3
#define SOFTMAX_3_OPTIONS ""
#define SOFTMAX_3_BLOCK_DIM_X 256
#define SOFTMAX_3_BLOCK_DIM_Y 1
#define SOFTMAX_3_BLOCK_DIM_Z 1
#define SOFTMAX_3_SHARED_BYTES 0

#define SOFTMAX_NVIDIA_H200_ROWS_OF_1024_CONFIGURATION 0
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1024_TIME_NS 129120.830897532
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1024_TIME_LOW_NS 128965.459467651
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1024_TIME_HIGH_NS 129276.389511495
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1024_SPEEDUP 2.91312017079833
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1024_SPEEDUP_LOW 2.90731925645885
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1024_SPEEDUP_HIGH 2.91893265958293

#define SOFTMAX_NVIDIA_H200_ROWS_OF_32768_CONFIGURATION 1
#define SOFTMAX_NVIDIA_H200_ROWS_OF_32768_TIME_NS 189917.016020971
#define SOFTMAX_NVIDIA_H200_ROWS_OF_32768_TIME_LOW_NS 189687.251377626
#define SOFTMAX_NVIDIA_H200_ROWS_OF_32768_TIME_HIGH_NS 190147.05897396
#define SOFTMAX_NVIDIA_H200_ROWS_OF_32768_SPEEDUP 2.1352582971082
#define SOFTMAX_NVIDIA_H200_ROWS_OF_32768_SPEEDUP_LOW 2.131358274525
#define SOFTMAX_NVIDIA_H200_ROWS_OF_32768_SPEEDUP_HIGH 2.13916545606839

#define SOFTMAX_NVIDIA_H200_ROWS_OF_1048576_CONFIGURATION 2
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1048576_TIME_NS 58116.6375707703
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1048576_TIME_LOW_NS 57982.4243686662
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1048576_TIME_HIGH_NS 58251.1614391464
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1048576_SPEEDUP 82.703076832184
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1048576_SPEEDUP_LOW 82.5165651344912
#define SOFTMAX_NVIDIA_H200_ROWS_OF_1048576_SPEEDUP_HIGH 82.8900101011495

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *softmax_device(int index)
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
static inline struct autotune_device softmax_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, softmax_device(i)))
			autotune_fill(&complete, softmax_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 * It is a sequence. Launch N, from 0, is what softmax_launch_N() says (0: softmax_launch()),
 * as often as its repeats say (0: not at all):
 *   0 softmax(in, out, rows, columns)
 *   1 softmax_parts(in, states, rows, columns)
 *   2 softmax_rows(in, states, out, rows, columns)
 */
static inline struct autotune_launch softmax_launch(
	int configuration, const struct autotune_device *given, long long size_ROWS, long long size_COLUMNS)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_ROWS; (void)size_COLUMNS;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_ROWS, 1LL, &bad);
		amounts[3] = 64LL;
		amounts[4] = 1LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_ROWS, 1LL, &bad);
		amounts[3] = 1024LL;
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
	case 3:
		amounts[0] = autotune_ceil_div(size_ROWS, 1LL, &bad);
		amounts[3] = 256LL;
		amounts[4] = 1LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch softmax_launch_1(
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
		amounts[0] = size_ROWS;
		amounts[1] = 1LL;
		amounts[3] = 64LL;
		break;
	case 1:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = size_ROWS;
		amounts[1] = 1LL;
		amounts[3] = 1024LL;
		break;
	case 2:
		amounts[0] = size_ROWS;
		amounts[1] = 64LL;
		amounts[3] = 256LL;
		break;
	case 3:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = size_ROWS;
		amounts[1] = 1LL;
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch softmax_launch_2(
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
		amounts[0] = size_ROWS;
		amounts[1] = 1LL;
		amounts[3] = 64LL;
		break;
	case 1:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = size_ROWS;
		amounts[1] = 1LL;
		amounts[3] = 1024LL;
		break;
	case 2:
		amounts[0] = size_ROWS;
		amounts[1] = 64LL;
		amounts[3] = 256LL;
		break;
	case 3:
		if (!0)
			amounts[7] = 0;
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = size_ROWS;
		amounts[1] = 1LL;
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int softmax_fits(
	int configuration, const struct autotune_device *given, long long size_ROWS, long long size_COLUMNS)
{
	const struct autotune_device complete = softmax_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_ROWS >= 1LL && size_ROWS <= 65536LL))
		bad = 1;
	if (!(size_COLUMNS >= 1LL && size_COLUMNS <= 1048576LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK_X * ROWS_PER_BLOCK <= device.max_threads_per_block */
		if (!(64LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 16;
		registers = 36;
		break;
	case 1:
		/* BLOCK_X * ROWS_PER_BLOCK <= device.max_threads_per_block */
		if (!(1024LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 256;
		registers = 32;
		break;
	case 2:
		/* BLOCK_X * ROWS_PER_BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* PARTS == 1 || PARTS * BLOCK_X <= COLUMNS */
		if (!(16384LL <= size_COLUMNS))
			bad = 1;
		static_bytes = 64;
		registers = 28;
		break;
	case 3:
		/* BLOCK_X * ROWS_PER_BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 64;
		registers = 31;
		break;
	default:
		break;
	}
	launch = softmax_launch(configuration, given, size_ROWS, size_COLUMNS);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	launch = softmax_launch_1(configuration, given, size_ROWS, size_COLUMNS);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	launch = softmax_launch_2(configuration, given, size_ROWS, size_COLUMNS);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice softmax_choose(
	const struct autotune_device *device, long long size_ROWS, long long size_COLUMNS)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 65536, 1024 }, /* rows_of_1024 */
		{ 2048, 32768 }, /* rows_of_32768 */
		{ 16, 1048576 }, /* rows_of_1048576 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 1, 0, 0 }, /* rows_of_1024 on NVIDIA H200 */
		{ 1, 1, 1, 0 }, /* rows_of_32768 on NVIDIA H200 */
		{ 2, 1, 2, 0 }, /* rows_of_1048576 on NVIDIA H200 */
		{ 3, 1, 0, 1 }, /* rows_of_1024 on NVIDIA H200 */
		{ 3, 1, 1, 1 }, /* rows_of_32768 on NVIDIA H200 */
		{ 3, 1, 2, 1 }, /* rows_of_1048576 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_ROWS), AUTOTUNE_CAST(double, size_COLUMNS) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_ROWS; (void)size_COLUMNS;
	for (i = 0; device && i < 6; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			softmax_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			softmax_fits(entries[i][0], device, size_ROWS, size_COLUMNS)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[256];

		snprintf(text, sizeof(text), "\"ROWS\": %lld, \"COLUMNS\": %lld", size_ROWS, size_COLUMNS);
		autotune_note(file, "softmax", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   softmax_run(&device, stream, ROWS, COLUMNS, in, out)
 *
 *   in             const float *
 *   out            float *
 *   states         scratch, which it allocates in the stream
 *   rows           computed: ROWS
 *   columns        computed: COLUMNS
 *
 * softmax_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line SOFTMAX_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. softmax_run_by() launches with
 * functions of its caller.
 */
#define SOFTMAX_RUN_PARAMETERS \
	, long long size_ROWS, long long size_COLUMNS, const float *argument_in, float *argument_out
#define SOFTMAX_RUN_ARGUMENTS \
	, size_ROWS, size_COLUMNS, argument_in, argument_out

static inline int softmax_run_by(struct autotune_runner *runner,
	const struct autotune_device *given SOFTMAX_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? softmax_choose(given, size_ROWS, size_COLUMNS).configuration : runner->configuration;
	int bad = 0;
	void *memory_states = AUTOTUNE_NULL;
	long long count_states = 0;
	void *argument_states = AUTOTUNE_NULL;
	long long value_rows = 0;
	int argument_rows = 0;
	long long value_columns = 0;
	int argument_columns = 0;
	int error;

	if (!given || configuration < 0 || !softmax_fits(configuration, given, size_ROWS, size_COLUMNS))
		return runner->refused;
	switch (configuration) {
	case 0:
		count_states = autotune_multiply(1LL, size_ROWS, &bad);
		value_rows = size_ROWS;
		value_columns = size_COLUMNS;
		break;
	case 1:
		count_states = autotune_multiply(1LL, size_ROWS, &bad);
		value_rows = size_ROWS;
		value_columns = size_COLUMNS;
		break;
	case 2:
		count_states = autotune_multiply(64LL, size_ROWS, &bad);
		value_rows = size_ROWS;
		value_columns = size_COLUMNS;
		break;
	case 3:
		count_states = autotune_multiply(1LL, size_ROWS, &bad);
		value_rows = size_ROWS;
		value_columns = size_COLUMNS;
		break;
	default:
		break;
	}
	count_states = autotune_multiply(count_states, 8LL, &bad);
	if (count_states < 1)
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
		error = runner->allocate(runner, &memory_states,
			AUTOTUNE_CAST(unsigned long long, count_states));
	argument_states = memory_states;
	/* softmax */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_out, &argument_rows, &argument_columns };
		const struct autotune_launch launch =
			softmax_launch(configuration, given, size_ROWS, size_COLUMNS);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
		}
	}
	/* softmax_parts */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_states, &argument_rows, &argument_columns };
		const struct autotune_launch launch =
			softmax_launch_1(configuration, given, size_ROWS, size_COLUMNS);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 1, &launch, arguments);
		}
	}
	/* softmax_rows */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_states, &argument_out, &argument_rows, &argument_columns };
		const struct autotune_launch launch =
			softmax_launch_2(configuration, given, size_ROWS, size_COLUMNS);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 2, &launch, arguments);
		}
	}
	if (memory_states) {
		const int failed = runner->release(runner, memory_states);

		error = error ? error : failed;
	}
	return error;
}

#endif

/* outside of the guard: a unit may include the header of CUDA later */
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_SOFTMAX_RUN)
#define AUTOTUNE_SOFTMAX_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const softmax_0_kernels[3];
extern const void *const softmax_1_kernels[3];
extern const void *const softmax_2_kernels[3];
extern const void *const softmax_3_kernels[3];
#ifdef __cplusplus
}
#endif

/* As softmax_run(), with a configuration that was chosen before. */
static inline cudaError_t softmax_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream SOFTMAX_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { softmax_0_kernels, softmax_1_kernels, softmax_2_kernels, softmax_3_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		softmax_run_by(&runner, device SOFTMAX_RUN_ARGUMENTS));
}

static inline cudaError_t softmax_run(
	const struct autotune_device *device, cudaStream_t stream SOFTMAX_RUN_PARAMETERS)
{
	return softmax_run_configuration(
		AUTOTUNE_CHOOSE, device, stream SOFTMAX_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef SOFTMAX_SELECTED_DEVICE
#ifdef SOFTMAX_DEVICE
#define SOFTMAX_SELECTED_DEVICE AUTOTUNE_PASTE(SOFTMAX_DEVICE_, SOFTMAX_DEVICE)
#if !(SOFTMAX_SELECTED_DEVICE > 0)
#error "SOFTMAX_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define SOFTMAX_SELECTED_DEVICE 0
#endif
#undef SOFTMAX_SELECTED_PROBLEM
#ifdef SOFTMAX_PROBLEM
#define SOFTMAX_SELECTED_PROBLEM AUTOTUNE_PASTE(SOFTMAX_PROBLEM_, SOFTMAX_PROBLEM)
#if !(SOFTMAX_SELECTED_PROBLEM > 0)
#error "SOFTMAX_PROBLEM is not one of: ROWS_OF_1024, ROWS_OF_32768, ROWS_OF_1048576"
#endif
#else
#define SOFTMAX_SELECTED_PROBLEM 0
#endif
#undef SOFTMAX_SELECTED
#ifdef SOFTMAX_CONFIGURATION
#define SOFTMAX_SELECTED AUTOTUNE_PASTE(SOFTMAX_CONFIGURATION_, SOFTMAX_CONFIGURATION)
#if !(SOFTMAX_SELECTED > 0)
#error "SOFTMAX_CONFIGURATION is no number from 0 to 3"
#endif
#elif SOFTMAX_SELECTED_DEVICE == 2 && SOFTMAX_SELECTED_PROBLEM == 1
#define SOFTMAX_SELECTED 1
#elif SOFTMAX_SELECTED_DEVICE == 0 && SOFTMAX_SELECTED_PROBLEM == 1
#define SOFTMAX_SELECTED 1
#elif SOFTMAX_SELECTED_DEVICE == 2 && SOFTMAX_SELECTED_PROBLEM == 2
#define SOFTMAX_SELECTED 2
#elif SOFTMAX_SELECTED_DEVICE == 0 && SOFTMAX_SELECTED_PROBLEM == 2
#define SOFTMAX_SELECTED 2
#elif SOFTMAX_SELECTED_DEVICE == 2 && SOFTMAX_SELECTED_PROBLEM == 3
#define SOFTMAX_SELECTED 3
#elif SOFTMAX_SELECTED_DEVICE == 0 && SOFTMAX_SELECTED_PROBLEM == 3
#define SOFTMAX_SELECTED 3
#elif SOFTMAX_SELECTED_DEVICE > 0 && SOFTMAX_SELECTED_PROBLEM > 0
#error "SOFTMAX_PROBLEM was not measured on SOFTMAX_DEVICE; there are: ROWS_OF_1024 on NVIDIA_H200, ROWS_OF_32768 on NVIDIA_H200, ROWS_OF_1048576 on NVIDIA_H200"
#else
#define SOFTMAX_SELECTED 0
#endif
#undef SOFTMAX_BLOCK_X
#undef SOFTMAX_ROWS_PER_BLOCK
#undef SOFTMAX_VECTOR
#undef SOFTMAX_METHOD
#undef SOFTMAX_METHOD_NAME
#undef SOFTMAX_UNROLL
#undef SOFTMAX_USE_LDG
#undef SOFTMAX_PARTS
#undef SOFTMAX_NUMBER
#undef SOFTMAX_OPTIONS
#undef SOFTMAX_BLOCK_DIM_X
#undef SOFTMAX_BLOCK_DIM_Y
#undef SOFTMAX_BLOCK_DIM_Z
#undef SOFTMAX_SHARED_BYTES
#if SOFTMAX_SELECTED == 1
#define SOFTMAX_BLOCK_X SOFTMAX_0_BLOCK_X
#define SOFTMAX_ROWS_PER_BLOCK SOFTMAX_0_ROWS_PER_BLOCK
#define SOFTMAX_VECTOR SOFTMAX_0_VECTOR
#define SOFTMAX_METHOD SOFTMAX_0_METHOD
#define SOFTMAX_METHOD_NAME SOFTMAX_0_METHOD_NAME
#define SOFTMAX_UNROLL SOFTMAX_0_UNROLL
#define SOFTMAX_USE_LDG SOFTMAX_0_USE_LDG
#define SOFTMAX_PARTS SOFTMAX_0_PARTS
#define SOFTMAX_NUMBER SOFTMAX_0_NUMBER
#define SOFTMAX_OPTIONS SOFTMAX_0_OPTIONS
#define SOFTMAX_BLOCK_DIM_X SOFTMAX_0_BLOCK_DIM_X
#define SOFTMAX_BLOCK_DIM_Y SOFTMAX_0_BLOCK_DIM_Y
#define SOFTMAX_BLOCK_DIM_Z SOFTMAX_0_BLOCK_DIM_Z
#define SOFTMAX_SHARED_BYTES SOFTMAX_0_SHARED_BYTES
#elif SOFTMAX_SELECTED == 2
#define SOFTMAX_BLOCK_X SOFTMAX_1_BLOCK_X
#define SOFTMAX_ROWS_PER_BLOCK SOFTMAX_1_ROWS_PER_BLOCK
#define SOFTMAX_VECTOR SOFTMAX_1_VECTOR
#define SOFTMAX_METHOD SOFTMAX_1_METHOD
#define SOFTMAX_METHOD_NAME SOFTMAX_1_METHOD_NAME
#define SOFTMAX_UNROLL SOFTMAX_1_UNROLL
#define SOFTMAX_USE_LDG SOFTMAX_1_USE_LDG
#define SOFTMAX_PARTS SOFTMAX_1_PARTS
#define SOFTMAX_NUMBER SOFTMAX_1_NUMBER
#define SOFTMAX_OPTIONS SOFTMAX_1_OPTIONS
#define SOFTMAX_BLOCK_DIM_X SOFTMAX_1_BLOCK_DIM_X
#define SOFTMAX_BLOCK_DIM_Y SOFTMAX_1_BLOCK_DIM_Y
#define SOFTMAX_BLOCK_DIM_Z SOFTMAX_1_BLOCK_DIM_Z
#define SOFTMAX_SHARED_BYTES SOFTMAX_1_SHARED_BYTES
#elif SOFTMAX_SELECTED == 3
#define SOFTMAX_BLOCK_X SOFTMAX_2_BLOCK_X
#define SOFTMAX_ROWS_PER_BLOCK SOFTMAX_2_ROWS_PER_BLOCK
#define SOFTMAX_VECTOR SOFTMAX_2_VECTOR
#define SOFTMAX_METHOD SOFTMAX_2_METHOD
#define SOFTMAX_METHOD_NAME SOFTMAX_2_METHOD_NAME
#define SOFTMAX_UNROLL SOFTMAX_2_UNROLL
#define SOFTMAX_USE_LDG SOFTMAX_2_USE_LDG
#define SOFTMAX_PARTS SOFTMAX_2_PARTS
#define SOFTMAX_NUMBER SOFTMAX_2_NUMBER
#define SOFTMAX_OPTIONS SOFTMAX_2_OPTIONS
#define SOFTMAX_BLOCK_DIM_X SOFTMAX_2_BLOCK_DIM_X
#define SOFTMAX_BLOCK_DIM_Y SOFTMAX_2_BLOCK_DIM_Y
#define SOFTMAX_BLOCK_DIM_Z SOFTMAX_2_BLOCK_DIM_Z
#define SOFTMAX_SHARED_BYTES SOFTMAX_2_SHARED_BYTES
#elif SOFTMAX_SELECTED == 4
#define SOFTMAX_BLOCK_X SOFTMAX_3_BLOCK_X
#define SOFTMAX_ROWS_PER_BLOCK SOFTMAX_3_ROWS_PER_BLOCK
#define SOFTMAX_VECTOR SOFTMAX_3_VECTOR
#define SOFTMAX_METHOD SOFTMAX_3_METHOD
#define SOFTMAX_METHOD_NAME SOFTMAX_3_METHOD_NAME
#define SOFTMAX_UNROLL SOFTMAX_3_UNROLL
#define SOFTMAX_USE_LDG SOFTMAX_3_USE_LDG
#define SOFTMAX_PARTS SOFTMAX_3_PARTS
#define SOFTMAX_NUMBER SOFTMAX_3_NUMBER
#define SOFTMAX_OPTIONS SOFTMAX_3_OPTIONS
#define SOFTMAX_BLOCK_DIM_X SOFTMAX_3_BLOCK_DIM_X
#define SOFTMAX_BLOCK_DIM_Y SOFTMAX_3_BLOCK_DIM_Y
#define SOFTMAX_BLOCK_DIM_Z SOFTMAX_3_BLOCK_DIM_Z
#define SOFTMAX_SHARED_BYTES SOFTMAX_3_SHARED_BYTES
#endif
#ifdef SOFTMAX_BARE
#if SOFTMAX_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 64
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 1
#undef VECTOR
#define VECTOR 4
#undef METHOD_three_pass
#define METHOD_three_pass 1
#undef METHOD_online
#define METHOD_online 2
#undef METHOD
#define METHOD METHOD_online
#undef UNROLL
#define UNROLL 4
#undef USE_LDG
#define USE_LDG 0
#undef PARTS
#define PARTS 1
#ifdef SOFTMAX_CONFIGURATION
#undef softmax
#define softmax softmax_0
#undef softmax_parts
#define softmax_parts softmax_0_softmax_parts
#undef softmax_rows
#define softmax_rows softmax_0_softmax_rows
#undef softmax_reference
#define softmax_reference softmax_0_softmax_reference
#undef SOFTMAX_ENTRY
#define SOFTMAX_ENTRY extern "C" const void *const softmax_0_kernels[3]; \
	const void *const softmax_0_kernels[3] = { reinterpret_cast<const void *>(&softmax), reinterpret_cast<const void *>(&softmax_parts), reinterpret_cast<const void *>(&softmax_rows) }
#endif
#elif SOFTMAX_SELECTED == 2
#undef BLOCK_X
#define BLOCK_X 1024
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 1
#undef VECTOR
#define VECTOR 4
#undef METHOD_three_pass
#define METHOD_three_pass 1
#undef METHOD_online
#define METHOD_online 2
#undef METHOD
#define METHOD METHOD_online
#undef UNROLL
#define UNROLL 4
#undef USE_LDG
#define USE_LDG 0
#undef PARTS
#define PARTS 1
#ifdef SOFTMAX_CONFIGURATION
#undef softmax
#define softmax softmax_1
#undef softmax_parts
#define softmax_parts softmax_1_softmax_parts
#undef softmax_rows
#define softmax_rows softmax_1_softmax_rows
#undef softmax_reference
#define softmax_reference softmax_1_softmax_reference
#undef SOFTMAX_ENTRY
#define SOFTMAX_ENTRY extern "C" const void *const softmax_1_kernels[3]; \
	const void *const softmax_1_kernels[3] = { reinterpret_cast<const void *>(&softmax), reinterpret_cast<const void *>(&softmax_parts), reinterpret_cast<const void *>(&softmax_rows) }
#endif
#elif SOFTMAX_SELECTED == 3
#undef BLOCK_X
#define BLOCK_X 256
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 1
#undef VECTOR
#define VECTOR 4
#undef METHOD_three_pass
#define METHOD_three_pass 1
#undef METHOD_online
#define METHOD_online 2
#undef METHOD
#define METHOD METHOD_online
#undef UNROLL
#define UNROLL 2
#undef USE_LDG
#define USE_LDG 0
#undef PARTS
#define PARTS 64
#ifdef SOFTMAX_CONFIGURATION
#undef softmax
#define softmax softmax_2
#undef softmax_parts
#define softmax_parts softmax_2_softmax_parts
#undef softmax_rows
#define softmax_rows softmax_2_softmax_rows
#undef softmax_reference
#define softmax_reference softmax_2_softmax_reference
#undef SOFTMAX_ENTRY
#define SOFTMAX_ENTRY extern "C" const void *const softmax_2_kernels[3]; \
	const void *const softmax_2_kernels[3] = { reinterpret_cast<const void *>(&softmax), reinterpret_cast<const void *>(&softmax_parts), reinterpret_cast<const void *>(&softmax_rows) }
#endif
#elif SOFTMAX_SELECTED == 4
#undef BLOCK_X
#define BLOCK_X 256
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 1
#undef VECTOR
#define VECTOR 1
#undef METHOD_three_pass
#define METHOD_three_pass 1
#undef METHOD_online
#define METHOD_online 2
#undef METHOD
#define METHOD METHOD_three_pass
#undef UNROLL
#define UNROLL 1
#undef USE_LDG
#define USE_LDG 0
#undef PARTS
#define PARTS 1
#ifdef SOFTMAX_CONFIGURATION
#undef softmax
#define softmax softmax_3
#undef softmax_parts
#define softmax_parts softmax_3_softmax_parts
#undef softmax_rows
#define softmax_rows softmax_3_softmax_rows
#undef softmax_reference
#define softmax_reference softmax_3_softmax_reference
#undef SOFTMAX_ENTRY
#define SOFTMAX_ENTRY extern "C" const void *const softmax_3_kernels[3]; \
	const void *const softmax_3_kernels[3] = { reinterpret_cast<const void *>(&softmax), reinterpret_cast<const void *>(&softmax_parts), reinterpret_cast<const void *>(&softmax_rows) }
#endif
#else
#error "SOFTMAX_BARE: say of which configuration, with SOFTMAX_CONFIGURATION, or with SOFTMAX_DEVICE and SOFTMAX_PROBLEM"
#endif
#endif
