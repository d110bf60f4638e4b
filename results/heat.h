/*
 * heat: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     1291b08ec468205fa630dcd31fc0ece0 heat.cfg
 *   template  dbcadb0e0d07448f89ab7928bfcff186 heat.cu
 *   contents  28c741daf85719c58bb31e02e76c780c
 */
/*
 * heat: 2 configurations, baselines included. The fastest correct ones are, for
 *
 * sixteen_steps on NVIDIA H200 (sm_90): HEIGHT = 8192, WIDTH = 8192, TIME = 16
 *   configuration  0: STEPS=4 BLOCK_X=64 BLOCK_Y=8 ROWS=8 RESIDENT=4
 *   time           940.79 us (95 % interval 939.48 to 942.11)
 *   speed-up       5.694 over the baseline (95 % interval 5.681 to 5.707)
 *   chosen from    164 evaluations, 164 of them ok
 *   verified       partly, 1 of 17 cases: 2 data sets, 1 different case, 7 patterns, guarded, crowded, host
 *   measured       2026-11-30T06:50:20Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    8f2532438dd5123c340d9109218c5b3e
 *
 * To choose a configuration when the program runs: heat_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * heat_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of HEAT_CONFIGURATIONS in a translation unit of its own:
 * define HEAT_CONFIGURATION as n, define HEAT_BARE, include this header, then
 * the template. Its kernel is called heat_n there. Give the compiler
 * HEAT_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names HEAT_... without a
 * number belong to one configuration. Define HEAT_CONFIGURATION, or
 * HEAT_DEVICE and HEAT_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. HEAT_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_HEAT_H
#define AUTOTUNE_HEAT_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_HEAT_CONTENTS 0xdc1424a4e686dc8fULL

/* the values that HEAT_CONFIGURATION, HEAT_DEVICE and HEAT_PROBLEM may have */
#define HEAT_CONFIGURATION_0 1
#define HEAT_CONFIGURATION_1 2
#define HEAT_DEVICE_NVIDIA_H200 1
#define HEAT_PROBLEM_SIXTEEN_STEPS 1

/* X(number, kernel) for every configuration */
#define HEAT_CONFIGURATION_COUNT 2
#define HEAT_CONFIGURATIONS(X) \
	X(0, heat_0) \
	X(1, heat_1)
#define HEAT_DEVICE_COUNT 1

#define HEAT_0_STEPS 4
#define HEAT_0_BLOCK_X 64
#define HEAT_0_BLOCK_Y 8
#define HEAT_0_ROWS 8
#define HEAT_0_RESIDENT 4
#define HEAT_0_NUMBER 0
#define HEAT_0_OPTIONS ""
#define HEAT_0_BLOCK_DIM_X 64
#define HEAT_0_BLOCK_DIM_Y 8
#define HEAT_0_BLOCK_DIM_Z 1
#define HEAT_0_SHARED_BYTES 0

#define HEAT_1_STEPS 1
#define HEAT_1_BLOCK_X 32
#define HEAT_1_BLOCK_Y 16
#define HEAT_1_ROWS 1
#define HEAT_1_RESIDENT 1
#define HEAT_1_NUMBER 1
#define HEAT_1_OPTIONS ""
#define HEAT_1_BLOCK_DIM_X 32
#define HEAT_1_BLOCK_DIM_Y 16
#define HEAT_1_BLOCK_DIM_Z 1
#define HEAT_1_SHARED_BYTES 0

#define HEAT_NVIDIA_H200_SIXTEEN_STEPS_CONFIGURATION 0
#define HEAT_NVIDIA_H200_SIXTEEN_STEPS_TIME_NS 940793.260917436
#define HEAT_NVIDIA_H200_SIXTEEN_STEPS_TIME_LOW_NS 939479.898942176
#define HEAT_NVIDIA_H200_SIXTEEN_STEPS_TIME_HIGH_NS 942108.458929507
#define HEAT_NVIDIA_H200_SIXTEEN_STEPS_SPEEDUP 5.69392542366249
#define HEAT_NVIDIA_H200_SIXTEEN_STEPS_SPEEDUP_LOW 5.68075673587016
#define HEAT_NVIDIA_H200_SIXTEEN_STEPS_SPEEDUP_HIGH 5.70712463808115

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *heat_device(int index)
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
static inline struct autotune_device heat_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 1; i++)
		if (autotune_is_same_device(device, heat_device(i)))
			autotune_fill(&complete, heat_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 * It is a sequence. Launch N, from 0, is what heat_launch_N() says (0: heat_launch()),
 * as often as its repeats say (0: not at all):
 *   0 heat(plate, other, height, width); after each launch these change places: plate and other
 *   1 heat_once(plate, other, height, width); after each launch these change places: plate and other
 */
static inline struct autotune_launch heat_launch(
	int configuration, const struct autotune_device *given, long long size_HEIGHT, long long size_WIDTH, long long size_TIME)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_HEIGHT; (void)size_WIDTH; (void)size_TIME;
	switch (configuration) {
	case 0:
		amounts[7] = autotune_divide(size_TIME, 4LL, &bad);
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(size_WIDTH, 56LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 56LL, &bad);
		amounts[3] = 64LL;
		amounts[4] = 8LL;
		break;
	case 1:
		amounts[7] = autotune_divide(size_TIME, 1LL, &bad);
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(size_WIDTH, 30LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 14LL, &bad);
		amounts[3] = 32LL;
		amounts[4] = 16LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch heat_launch_1(
	int configuration, const struct autotune_device *given, long long size_HEIGHT, long long size_WIDTH, long long size_TIME)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_HEIGHT; (void)size_WIDTH; (void)size_TIME;
	switch (configuration) {
	case 0:
		amounts[7] = autotune_remainder(size_TIME, 4LL, &bad);
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(size_WIDTH, 62LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 62LL, &bad);
		amounts[3] = 64LL;
		amounts[4] = 8LL;
		break;
	case 1:
		amounts[7] = autotune_remainder(size_TIME, 1LL, &bad);
		if (!bad && amounts[7] == 0)
			break;
		amounts[0] = autotune_ceil_div(size_WIDTH, 30LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 14LL, &bad);
		amounts[3] = 32LL;
		amounts[4] = 16LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int heat_fits(
	int configuration, const struct autotune_device *given, long long size_HEIGHT, long long size_WIDTH, long long size_TIME)
{
	const struct autotune_device complete = heat_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_HEIGHT >= 1LL && size_HEIGHT <= 8192LL))
		bad = 1;
	if (!(size_WIDTH >= 1LL && size_WIDTH <= 8192LL))
		bad = 1;
	if (!(size_TIME >= 1LL && size_TIME <= 20LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(512LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 8 * (BLOCK_Y * ROWS + 2) * (BLOCK_X + 2) <= device.max_shared_bytes_per_block */
		if (!(34848LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 34848;
		registers = 32;
		break;
	case 1:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(512LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 8 * (BLOCK_Y * ROWS + 2) * (BLOCK_X + 2) <= device.max_shared_bytes_per_block */
		if (!(4896LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 4896;
		registers = 16;
		break;
	default:
		break;
	}
	launch = heat_launch(configuration, given, size_HEIGHT, size_WIDTH, size_TIME);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	launch = heat_launch_1(configuration, given, size_HEIGHT, size_WIDTH, size_TIME);
	bad |= !autotune_fits(&launch, &complete, 0, 0);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice heat_choose(
	const struct autotune_device *device, long long size_HEIGHT, long long size_WIDTH, long long size_TIME)
{
	/* the sizes that were measured */
	static const double recorded[][3] = {
		{ 8192, 8192, 16 }, /* sixteen_steps */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* sixteen_steps on NVIDIA H200 */
		{ 1, 0, 0, 1 }, /* sixteen_steps on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_HEIGHT), AUTOTUNE_CAST(double, size_WIDTH), AUTOTUNE_CAST(double, size_TIME) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_HEIGHT; (void)size_WIDTH; (void)size_TIME;
	for (i = 0; device && i < 2; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			heat_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 3);

		if (autotune_is_better(&rank, &best) &&
			heat_fits(entries[i][0], device, size_HEIGHT, size_WIDTH, size_TIME)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 3)) {
		char text[384];

		snprintf(text, sizeof(text), "\"HEIGHT\": %lld, \"WIDTH\": %lld, \"TIME\": %lld", size_HEIGHT, size_WIDTH, size_TIME);
		autotune_note(file, "heat", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   heat_run(&device, stream, HEIGHT, WIDTH, TIME, &plate, &other)
 *
 *   plate          float **: it changes places with another
 *   other          float **: it changes places with another
 *   height         computed: HEIGHT
 *   width          computed: WIDTH
 *
 * heat_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line HEAT_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. heat_run_by() launches with
 * functions of its caller.
 */
#define HEAT_RUN_PARAMETERS \
	, long long size_HEIGHT, long long size_WIDTH, long long size_TIME, float **argument_plate, float **argument_other
#define HEAT_RUN_ARGUMENTS \
	, size_HEIGHT, size_WIDTH, size_TIME, argument_plate, argument_other

static inline int heat_run_by(struct autotune_runner *runner,
	const struct autotune_device *given HEAT_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? heat_choose(given, size_HEIGHT, size_WIDTH, size_TIME).configuration : runner->configuration;
	int bad = 0;
	long long value_height = 0;
	int argument_height = 0;
	long long value_width = 0;
	int argument_width = 0;
	int error;

	if (!given || configuration < 0 || !heat_fits(configuration, given, size_HEIGHT, size_WIDTH, size_TIME))
		return runner->refused;
	value_height = size_HEIGHT;
	value_width = size_WIDTH;
	argument_height = AUTOTUNE_CAST(int, value_height);
	if (AUTOTUNE_CAST(long long, argument_height) != value_height)
		bad = 1;
	argument_width = AUTOTUNE_CAST(int, value_width);
	if (AUTOTUNE_CAST(long long, argument_width) != value_width)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* heat */
	if (!error) {
		void *arguments[] = { argument_plate, argument_other, &argument_height, &argument_width };
		const struct autotune_launch launch =
			heat_launch(configuration, given, size_HEIGHT, size_WIDTH, size_TIME);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
			if (!error) {
				float *other = *argument_plate;

				*argument_plate = *argument_other;
				*argument_other = other;
			}
		}
	}
	/* heat_once */
	if (!error) {
		void *arguments[] = { argument_plate, argument_other, &argument_height, &argument_width };
		const struct autotune_launch launch =
			heat_launch_1(configuration, given, size_HEIGHT, size_WIDTH, size_TIME);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 1, &launch, arguments);
			if (!error) {
				float *other = *argument_plate;

				*argument_plate = *argument_other;
				*argument_other = other;
			}
		}
	}
	return error;
}

#endif

/* outside of the guard: a unit may include the header of CUDA later */
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_HEAT_RUN)
#define AUTOTUNE_HEAT_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const heat_0_kernels[2];
extern const void *const heat_1_kernels[2];
#ifdef __cplusplus
}
#endif

/* As heat_run(), with a configuration that was chosen before. */
static inline cudaError_t heat_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream HEAT_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { heat_0_kernels, heat_1_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		heat_run_by(&runner, device HEAT_RUN_ARGUMENTS));
}

static inline cudaError_t heat_run(
	const struct autotune_device *device, cudaStream_t stream HEAT_RUN_PARAMETERS)
{
	return heat_run_configuration(
		AUTOTUNE_CHOOSE, device, stream HEAT_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef HEAT_SELECTED_DEVICE
#ifdef HEAT_DEVICE
#define HEAT_SELECTED_DEVICE AUTOTUNE_PASTE(HEAT_DEVICE_, HEAT_DEVICE)
#if !(HEAT_SELECTED_DEVICE > 0)
#error "HEAT_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define HEAT_SELECTED_DEVICE 0
#endif
#undef HEAT_SELECTED_PROBLEM
#ifdef HEAT_PROBLEM
#define HEAT_SELECTED_PROBLEM AUTOTUNE_PASTE(HEAT_PROBLEM_, HEAT_PROBLEM)
#if !(HEAT_SELECTED_PROBLEM > 0)
#error "HEAT_PROBLEM is not one of: SIXTEEN_STEPS"
#endif
#else
#define HEAT_SELECTED_PROBLEM 0
#endif
#undef HEAT_SELECTED
#ifdef HEAT_CONFIGURATION
#define HEAT_SELECTED AUTOTUNE_PASTE(HEAT_CONFIGURATION_, HEAT_CONFIGURATION)
#if !(HEAT_SELECTED > 0)
#error "HEAT_CONFIGURATION is no number from 0 to 1"
#endif
#elif HEAT_SELECTED_DEVICE == 1 && HEAT_SELECTED_PROBLEM == 1
#define HEAT_SELECTED 1
#elif HEAT_SELECTED_DEVICE == 1 && HEAT_SELECTED_PROBLEM == 0
#define HEAT_SELECTED 1
#elif HEAT_SELECTED_DEVICE == 0 && HEAT_SELECTED_PROBLEM == 1
#define HEAT_SELECTED 1
#elif HEAT_SELECTED_DEVICE == 0 && HEAT_SELECTED_PROBLEM == 0
#define HEAT_SELECTED 1
#elif HEAT_SELECTED_DEVICE > 0 && HEAT_SELECTED_PROBLEM > 0
#error "HEAT_PROBLEM was not measured on HEAT_DEVICE; there are: SIXTEEN_STEPS on NVIDIA_H200"
#else
#define HEAT_SELECTED 0
#endif
#undef HEAT_STEPS
#undef HEAT_BLOCK_X
#undef HEAT_BLOCK_Y
#undef HEAT_ROWS
#undef HEAT_RESIDENT
#undef HEAT_NUMBER
#undef HEAT_OPTIONS
#undef HEAT_BLOCK_DIM_X
#undef HEAT_BLOCK_DIM_Y
#undef HEAT_BLOCK_DIM_Z
#undef HEAT_SHARED_BYTES
#if HEAT_SELECTED == 1
#define HEAT_STEPS HEAT_0_STEPS
#define HEAT_BLOCK_X HEAT_0_BLOCK_X
#define HEAT_BLOCK_Y HEAT_0_BLOCK_Y
#define HEAT_ROWS HEAT_0_ROWS
#define HEAT_RESIDENT HEAT_0_RESIDENT
#define HEAT_NUMBER HEAT_0_NUMBER
#define HEAT_OPTIONS HEAT_0_OPTIONS
#define HEAT_BLOCK_DIM_X HEAT_0_BLOCK_DIM_X
#define HEAT_BLOCK_DIM_Y HEAT_0_BLOCK_DIM_Y
#define HEAT_BLOCK_DIM_Z HEAT_0_BLOCK_DIM_Z
#define HEAT_SHARED_BYTES HEAT_0_SHARED_BYTES
#elif HEAT_SELECTED == 2
#define HEAT_STEPS HEAT_1_STEPS
#define HEAT_BLOCK_X HEAT_1_BLOCK_X
#define HEAT_BLOCK_Y HEAT_1_BLOCK_Y
#define HEAT_ROWS HEAT_1_ROWS
#define HEAT_RESIDENT HEAT_1_RESIDENT
#define HEAT_NUMBER HEAT_1_NUMBER
#define HEAT_OPTIONS HEAT_1_OPTIONS
#define HEAT_BLOCK_DIM_X HEAT_1_BLOCK_DIM_X
#define HEAT_BLOCK_DIM_Y HEAT_1_BLOCK_DIM_Y
#define HEAT_BLOCK_DIM_Z HEAT_1_BLOCK_DIM_Z
#define HEAT_SHARED_BYTES HEAT_1_SHARED_BYTES
#endif
#ifdef HEAT_BARE
#if HEAT_SELECTED == 1
#undef STEPS
#define STEPS 4
#undef BLOCK_X
#define BLOCK_X 64
#undef BLOCK_Y
#define BLOCK_Y 8
#undef ROWS
#define ROWS 8
#undef RESIDENT
#define RESIDENT 4
#ifdef HEAT_CONFIGURATION
#undef heat
#define heat heat_0
#undef heat_once
#define heat_once heat_0_heat_once
#undef heat_reference
#define heat_reference heat_0_heat_reference
#undef HEAT_ENTRY
#define HEAT_ENTRY extern "C" const void *const heat_0_kernels[2]; \
	const void *const heat_0_kernels[2] = { reinterpret_cast<const void *>(&heat), reinterpret_cast<const void *>(&heat_once) }
#endif
#elif HEAT_SELECTED == 2
#undef STEPS
#define STEPS 1
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 16
#undef ROWS
#define ROWS 1
#undef RESIDENT
#define RESIDENT 1
#ifdef HEAT_CONFIGURATION
#undef heat
#define heat heat_1
#undef heat_once
#define heat_once heat_1_heat_once
#undef heat_reference
#define heat_reference heat_1_heat_reference
#undef HEAT_ENTRY
#define HEAT_ENTRY extern "C" const void *const heat_1_kernels[2]; \
	const void *const heat_1_kernels[2] = { reinterpret_cast<const void *>(&heat), reinterpret_cast<const void *>(&heat_once) }
#endif
#else
#error "HEAT_BARE: say of which configuration, with HEAT_CONFIGURATION, or with HEAT_DEVICE and HEAT_PROBLEM"
#endif
#endif
