/*
 * stencil: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     f49848272a467f57754a2ba2bac702f0 stencil.cfg
 *   template  c9cd300f543300f95ec2aef224637295 stencil.cu
 *   contents  24de5d4757868003be22d439fd2065ee
 */
/*
 * stencil: 5 configurations, baselines included. The fastest correct ones are, for
 *
 * radius_1 on NVIDIA H100 80GB HBM3 (sm_90): HEIGHT = 8192, WIDTH = 8192, RADIUS = 1
 *   configuration  0: BLOCK_X=128 BLOCK_Y=1 TILE_Y=4 METHOD=cache PAD=0 UNROLL=4 USE_LDG=false
 *   time           197.01 us (95 % interval 196.72 to 197.3)
 *   speed-up       1.392 over the baseline (95 % interval 1.39 to 1.393)
 *   chosen from    289 evaluations, 289 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:47Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b6c84f2a66e3351a5469a0d132af1fae
 *
 * radius_6 on NVIDIA H100 80GB HBM3 (sm_90): HEIGHT = 8192, WIDTH = 8192, RADIUS = 6
 *   configuration  1: BLOCK_X=32 BLOCK_Y=4 TILE_Y=8 METHOD=shared PAD=0 UNROLL=8 USE_LDG=false
 *   time           358.68 us (95 % interval 357.98 to 359.38)
 *   speed-up       1.875 over the baseline (95 % interval 1.872 to 1.877)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:51Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b6c84f2a186929f1f3e705b10356a8e4
 *
 * radius_1 on NVIDIA H200 (sm_90): HEIGHT = 8192, WIDTH = 8192, RADIUS = 1
 *   configuration  0: BLOCK_X=128 BLOCK_Y=1 TILE_Y=4 METHOD=cache PAD=0 UNROLL=4 USE_LDG=false
 *   time           154.24 us (95 % interval 153.91 to 154.56)
 *   speed-up       1.64 over the baseline (95 % interval 1.636 to 1.644)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:06Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b6c84f2adaaa9996767b0d5ca1c797f1
 *
 * radius_6 on NVIDIA H200 (sm_90): HEIGHT = 8192, WIDTH = 8192, RADIUS = 6
 *   configuration  2: BLOCK_X=64 BLOCK_Y=4 TILE_Y=8 METHOD=shared PAD=0 UNROLL=8 USE_LDG=false
 *   time           346.42 us (95 % interval 346.13 to 346.71)
 *   speed-up       1.943 over the baseline (95 % interval 1.941 to 1.945)
 *   chosen from    289 evaluations, 289 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:10Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b6c84f2acb77b294b564f1a6d6371447
 *
 * To choose a configuration when the program runs: stencil_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * stencil_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of STENCIL_CONFIGURATIONS in a translation unit of its own:
 * define STENCIL_CONFIGURATION as n, define STENCIL_BARE, include this header, then
 * the template. Its kernel is called stencil_n there. Give the compiler
 * STENCIL_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names STENCIL_... without a
 * number belong to one configuration. Define STENCIL_CONFIGURATION, or
 * STENCIL_DEVICE and STENCIL_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. STENCIL_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_STENCIL_H
#define AUTOTUNE_STENCIL_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_STENCIL_CONTENTS 0x474aca22f7e2f4baULL

/* the values that STENCIL_CONFIGURATION, STENCIL_DEVICE and STENCIL_PROBLEM may have */
#define STENCIL_CONFIGURATION_0 1
#define STENCIL_CONFIGURATION_1 2
#define STENCIL_CONFIGURATION_2 3
#define STENCIL_CONFIGURATION_3 4
#define STENCIL_CONFIGURATION_4 5
#define STENCIL_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define STENCIL_DEVICE_NVIDIA_H200 2
#define STENCIL_PROBLEM_RADIUS_1 1
#define STENCIL_PROBLEM_RADIUS_6 2

/* X(number, kernel) for every configuration */
#define STENCIL_CONFIGURATION_COUNT 5
#define STENCIL_CONFIGURATIONS(X) \
	X(0, stencil_0) \
	X(1, stencil_1) \
	X(2, stencil_2) \
	X(3, stencil_3) \
	X(4, stencil_4)
#define STENCIL_DEVICE_COUNT 2
#define STENCIL_METHOD_cache 1
#define STENCIL_METHOD_shared 2

#define STENCIL_0_BLOCK_X 128
#define STENCIL_0_BLOCK_Y 1
#define STENCIL_0_TILE_Y 4
#define STENCIL_0_METHOD 1
#define STENCIL_0_METHOD_NAME "cache"
#define STENCIL_0_PAD 0
#define STENCIL_0_UNROLL 4
#define STENCIL_0_USE_LDG 0
#define STENCIL_0_NUMBER 0
#define STENCIL_0_OPTIONS "-DRADIUS=1"
#define STENCIL_0_BLOCK_DIM_X 128
#define STENCIL_0_BLOCK_DIM_Y 1
#define STENCIL_0_BLOCK_DIM_Z 1
#define STENCIL_0_SHARED_BYTES 0

#define STENCIL_1_BLOCK_X 32
#define STENCIL_1_BLOCK_Y 4
#define STENCIL_1_TILE_Y 8
#define STENCIL_1_METHOD 2
#define STENCIL_1_METHOD_NAME "shared"
#define STENCIL_1_PAD 0
#define STENCIL_1_UNROLL 8
#define STENCIL_1_USE_LDG 0
#define STENCIL_1_NUMBER 1
#define STENCIL_1_OPTIONS "-DRADIUS=6"
#define STENCIL_1_BLOCK_DIM_X 32
#define STENCIL_1_BLOCK_DIM_Y 4
#define STENCIL_1_BLOCK_DIM_Z 1
#define STENCIL_1_SHARED_BYTES 0

#define STENCIL_2_BLOCK_X 64
#define STENCIL_2_BLOCK_Y 4
#define STENCIL_2_TILE_Y 8
#define STENCIL_2_METHOD 2
#define STENCIL_2_METHOD_NAME "shared"
#define STENCIL_2_PAD 0
#define STENCIL_2_UNROLL 8
#define STENCIL_2_USE_LDG 0
#define STENCIL_2_NUMBER 2
#define STENCIL_2_OPTIONS "-DRADIUS=6"
#define STENCIL_2_BLOCK_DIM_X 64
#define STENCIL_2_BLOCK_DIM_Y 4
#define STENCIL_2_BLOCK_DIM_Z 1
#define STENCIL_2_SHARED_BYTES 0

#define STENCIL_3_BLOCK_X 16
#define STENCIL_3_BLOCK_Y 16
#define STENCIL_3_TILE_Y 1
#define STENCIL_3_METHOD 1
#define STENCIL_3_METHOD_NAME "cache"
#define STENCIL_3_PAD 0
#define STENCIL_3_UNROLL 1
#define STENCIL_3_USE_LDG 0
#define STENCIL_3_NUMBER 3
#define STENCIL_3_OPTIONS "-DRADIUS=1"
#define STENCIL_3_BLOCK_DIM_X 16
#define STENCIL_3_BLOCK_DIM_Y 16
#define STENCIL_3_BLOCK_DIM_Z 1
#define STENCIL_3_SHARED_BYTES 0

#define STENCIL_4_BLOCK_X 16
#define STENCIL_4_BLOCK_Y 16
#define STENCIL_4_TILE_Y 1
#define STENCIL_4_METHOD 1
#define STENCIL_4_METHOD_NAME "cache"
#define STENCIL_4_PAD 0
#define STENCIL_4_UNROLL 1
#define STENCIL_4_USE_LDG 0
#define STENCIL_4_NUMBER 4
#define STENCIL_4_OPTIONS "-DRADIUS=6"
#define STENCIL_4_BLOCK_DIM_X 16
#define STENCIL_4_BLOCK_DIM_Y 16
#define STENCIL_4_BLOCK_DIM_Z 1
#define STENCIL_4_SHARED_BYTES 0

#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_1_CONFIGURATION 0
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_1_TIME_NS 197007.935674953
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_1_TIME_LOW_NS 196716.851027248
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_1_TIME_HIGH_NS 197299.451044641
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_1_SPEEDUP 1.39168668587483
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_1_SPEEDUP_LOW 1.39010759112864
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_1_SPEEDUP_HIGH 1.393267574396

#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_6_CONFIGURATION 1
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_6_TIME_NS 358682.325735338
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_6_TIME_LOW_NS 357983.913172575
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_6_TIME_HIGH_NS 359382.100873597
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_6_SPEEDUP 1.87452727815458
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_6_SPEEDUP_LOW 1.87186054097882
#define STENCIL_NVIDIA_H100_80GB_HBM3_RADIUS_6_SPEEDUP_HIGH 1.87719781448473

#define STENCIL_NVIDIA_H200_RADIUS_1_CONFIGURATION 0
#define STENCIL_NVIDIA_H200_RADIUS_1_TIME_NS 154236.36867635
#define STENCIL_NVIDIA_H200_RADIUS_1_TIME_LOW_NS 153911.756281392
#define STENCIL_NVIDIA_H200_RADIUS_1_TIME_HIGH_NS 154561.665705216
#define STENCIL_NVIDIA_H200_RADIUS_1_SPEEDUP 1.63991234870117
#define STENCIL_NVIDIA_H200_RADIUS_1_SPEEDUP_LOW 1.63577648636783
#define STENCIL_NVIDIA_H200_RADIUS_1_SPEEDUP_HIGH 1.64405866806051

#define STENCIL_NVIDIA_H200_RADIUS_6_CONFIGURATION 2
#define STENCIL_NVIDIA_H200_RADIUS_6_TIME_NS 346418.018679533
#define STENCIL_NVIDIA_H200_RADIUS_6_TIME_LOW_NS 346128.563245696
#define STENCIL_NVIDIA_H200_RADIUS_6_TIME_HIGH_NS 346707.716175011
#define STENCIL_NVIDIA_H200_RADIUS_6_SPEEDUP 1.94286959162285
#define STENCIL_NVIDIA_H200_RADIUS_6_SPEEDUP_LOW 1.94106343344611
#define STENCIL_NVIDIA_H200_RADIUS_6_SPEEDUP_HIGH 1.94467743042852

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *stencil_device(int index)
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
static inline struct autotune_device stencil_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, stencil_device(i)))
			autotune_fill(&complete, stencil_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch stencil_launch(
	int configuration, const struct autotune_device *given, long long size_HEIGHT, long long size_WIDTH, long long size_RADIUS)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_HEIGHT; (void)size_WIDTH; (void)size_RADIUS;
	switch (configuration) {
	case 0:
		if (!(size_RADIUS == 1LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 128LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 4LL, &bad);
		amounts[3] = 128LL;
		amounts[4] = 1LL;
		break;
	case 1:
		if (!(size_RADIUS == 6LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 32LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 32LL, &bad);
		amounts[3] = 32LL;
		amounts[4] = 4LL;
		break;
	case 2:
		if (!(size_RADIUS == 6LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 64LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 32LL, &bad);
		amounts[3] = 64LL;
		amounts[4] = 4LL;
		break;
	case 3:
		if (!(size_RADIUS == 1LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 16LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 16LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		break;
	case 4:
		if (!(size_RADIUS == 6LL))
			bad = 1;
		amounts[0] = autotune_ceil_div(size_WIDTH, 16LL, &bad);
		amounts[1] = autotune_ceil_div(size_HEIGHT, 16LL, &bad);
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int stencil_fits(
	int configuration, const struct autotune_device *given, long long size_HEIGHT, long long size_WIDTH, long long size_RADIUS)
{
	const struct autotune_device complete = stencil_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_HEIGHT >= 1LL && size_HEIGHT <= 16384LL))
		bad = 1;
	if (!(size_WIDTH >= 1LL && size_WIDTH <= 16384LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 27;
		break;
	case 1:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* METHOD == 'cache' || 4 * (BLOCK_Y * TILE_Y + 2 * RADIUS) * (BLOCK_X + 2 * RADIUS + PAD) <= device.max_shared_bytes_per_block */
		if (!(7744LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 7744;
		registers = 32;
		break;
	case 2:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* METHOD == 'cache' || 4 * (BLOCK_Y * TILE_Y + 2 * RADIUS) * (BLOCK_X + 2 * RADIUS + PAD) <= device.max_shared_bytes_per_block */
		if (!(13376LL <= autotune_known(complete.max_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 13376;
		registers = 32;
		break;
	case 3:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 21;
		break;
	case 4:
		/* BLOCK_X * BLOCK_Y <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 32;
		break;
	default:
		break;
	}
	launch = stencil_launch(configuration, given, size_HEIGHT, size_WIDTH, size_RADIUS);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice stencil_choose(
	const struct autotune_device *device, long long size_HEIGHT, long long size_WIDTH, long long size_RADIUS)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 8192, 8192 }, /* radius_1 */
		{ 8192, 8192 }, /* radius_6 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* radius_1 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* radius_6 on NVIDIA H100 80GB HBM3 */
		{ 0, 1, 0, 0 }, /* radius_1 on NVIDIA H200 */
		{ 2, 1, 1, 0 }, /* radius_6 on NVIDIA H200 */
		{ 3, 0, 0, 1 }, /* radius_1 on NVIDIA H100 80GB HBM3 */
		{ 4, 0, 1, 1 }, /* radius_6 on NVIDIA H100 80GB HBM3 */
		{ 3, 1, 0, 1 }, /* radius_1 on NVIDIA H200 */
		{ 4, 1, 1, 1 }, /* radius_6 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_HEIGHT), AUTOTUNE_CAST(double, size_WIDTH) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_HEIGHT; (void)size_WIDTH; (void)size_RADIUS;
	for (i = 0; device && i < 8; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			stencil_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			stencil_fits(entries[i][0], device, size_HEIGHT, size_WIDTH, size_RADIUS)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[384];

		snprintf(text, sizeof(text), "\"HEIGHT\": %lld, \"WIDTH\": %lld, \"RADIUS\": %lld", size_HEIGHT, size_WIDTH, size_RADIUS);
		autotune_note(file, "stencil", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   stencil_run(&device, stream, HEIGHT, WIDTH, RADIUS, in, out)
 *
 *   in             const float *
 *   out            float *
 *   height         computed: HEIGHT
 *   width          computed: WIDTH
 *
 * stencil_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line STENCIL_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. stencil_run_by() launches with
 * functions of its caller.
 */
#define STENCIL_RUN_PARAMETERS \
	, long long size_HEIGHT, long long size_WIDTH, long long size_RADIUS, const float *argument_in, float *argument_out
#define STENCIL_RUN_ARGUMENTS \
	, size_HEIGHT, size_WIDTH, size_RADIUS, argument_in, argument_out

static inline int stencil_run_by(struct autotune_runner *runner,
	const struct autotune_device *given STENCIL_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? stencil_choose(given, size_HEIGHT, size_WIDTH, size_RADIUS).configuration : runner->configuration;
	int bad = 0;
	long long value_height = 0;
	int argument_height = 0;
	long long value_width = 0;
	int argument_width = 0;
	int error;

	if (!given || configuration < 0 || !stencil_fits(configuration, given, size_HEIGHT, size_WIDTH, size_RADIUS))
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
	/* stencil */
	if (!error) {
		void *arguments[] = { &argument_in, &argument_out, &argument_height, &argument_width };
		const struct autotune_launch launch =
			stencil_launch(configuration, given, size_HEIGHT, size_WIDTH, size_RADIUS);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_STENCIL_RUN)
#define AUTOTUNE_STENCIL_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const stencil_0_kernels[1];
extern const void *const stencil_1_kernels[1];
extern const void *const stencil_2_kernels[1];
extern const void *const stencil_3_kernels[1];
extern const void *const stencil_4_kernels[1];
#ifdef __cplusplus
}
#endif

/* As stencil_run(), with a configuration that was chosen before. */
static inline cudaError_t stencil_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream STENCIL_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { stencil_0_kernels, stencil_1_kernels, stencil_2_kernels, stencil_3_kernels, stencil_4_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		stencil_run_by(&runner, device STENCIL_RUN_ARGUMENTS));
}

static inline cudaError_t stencil_run(
	const struct autotune_device *device, cudaStream_t stream STENCIL_RUN_PARAMETERS)
{
	return stencil_run_configuration(
		AUTOTUNE_CHOOSE, device, stream STENCIL_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef STENCIL_SELECTED_DEVICE
#ifdef STENCIL_DEVICE
#define STENCIL_SELECTED_DEVICE AUTOTUNE_PASTE(STENCIL_DEVICE_, STENCIL_DEVICE)
#if !(STENCIL_SELECTED_DEVICE > 0)
#error "STENCIL_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define STENCIL_SELECTED_DEVICE 0
#endif
#undef STENCIL_SELECTED_PROBLEM
#ifdef STENCIL_PROBLEM
#define STENCIL_SELECTED_PROBLEM AUTOTUNE_PASTE(STENCIL_PROBLEM_, STENCIL_PROBLEM)
#if !(STENCIL_SELECTED_PROBLEM > 0)
#error "STENCIL_PROBLEM is not one of: RADIUS_1, RADIUS_6"
#endif
#else
#define STENCIL_SELECTED_PROBLEM 0
#endif
#undef STENCIL_SELECTED
#ifdef STENCIL_CONFIGURATION
#define STENCIL_SELECTED AUTOTUNE_PASTE(STENCIL_CONFIGURATION_, STENCIL_CONFIGURATION)
#if !(STENCIL_SELECTED > 0)
#error "STENCIL_CONFIGURATION is no number from 0 to 4"
#endif
#elif STENCIL_SELECTED_DEVICE == 1 && STENCIL_SELECTED_PROBLEM == 1
#define STENCIL_SELECTED 1
#elif STENCIL_SELECTED_DEVICE == 1 && STENCIL_SELECTED_PROBLEM == 2
#define STENCIL_SELECTED 2
#elif STENCIL_SELECTED_DEVICE == 2 && STENCIL_SELECTED_PROBLEM == 1
#define STENCIL_SELECTED 1
#elif STENCIL_SELECTED_DEVICE == 2 && STENCIL_SELECTED_PROBLEM == 2
#define STENCIL_SELECTED 3
#elif STENCIL_SELECTED_DEVICE > 0 && STENCIL_SELECTED_PROBLEM > 0
#error "STENCIL_PROBLEM was not measured on STENCIL_DEVICE; there are: RADIUS_1 on NVIDIA_H100_80GB_HBM3, RADIUS_6 on NVIDIA_H100_80GB_HBM3, RADIUS_1 on NVIDIA_H200, RADIUS_6 on NVIDIA_H200"
#else
#define STENCIL_SELECTED 0
#endif
#undef STENCIL_BLOCK_X
#undef STENCIL_BLOCK_Y
#undef STENCIL_TILE_Y
#undef STENCIL_METHOD
#undef STENCIL_METHOD_NAME
#undef STENCIL_PAD
#undef STENCIL_UNROLL
#undef STENCIL_USE_LDG
#undef STENCIL_NUMBER
#undef STENCIL_OPTIONS
#undef STENCIL_BLOCK_DIM_X
#undef STENCIL_BLOCK_DIM_Y
#undef STENCIL_BLOCK_DIM_Z
#undef STENCIL_SHARED_BYTES
#if STENCIL_SELECTED == 1
#define STENCIL_BLOCK_X STENCIL_0_BLOCK_X
#define STENCIL_BLOCK_Y STENCIL_0_BLOCK_Y
#define STENCIL_TILE_Y STENCIL_0_TILE_Y
#define STENCIL_METHOD STENCIL_0_METHOD
#define STENCIL_METHOD_NAME STENCIL_0_METHOD_NAME
#define STENCIL_PAD STENCIL_0_PAD
#define STENCIL_UNROLL STENCIL_0_UNROLL
#define STENCIL_USE_LDG STENCIL_0_USE_LDG
#define STENCIL_NUMBER STENCIL_0_NUMBER
#define STENCIL_OPTIONS STENCIL_0_OPTIONS
#define STENCIL_BLOCK_DIM_X STENCIL_0_BLOCK_DIM_X
#define STENCIL_BLOCK_DIM_Y STENCIL_0_BLOCK_DIM_Y
#define STENCIL_BLOCK_DIM_Z STENCIL_0_BLOCK_DIM_Z
#define STENCIL_SHARED_BYTES STENCIL_0_SHARED_BYTES
#elif STENCIL_SELECTED == 2
#define STENCIL_BLOCK_X STENCIL_1_BLOCK_X
#define STENCIL_BLOCK_Y STENCIL_1_BLOCK_Y
#define STENCIL_TILE_Y STENCIL_1_TILE_Y
#define STENCIL_METHOD STENCIL_1_METHOD
#define STENCIL_METHOD_NAME STENCIL_1_METHOD_NAME
#define STENCIL_PAD STENCIL_1_PAD
#define STENCIL_UNROLL STENCIL_1_UNROLL
#define STENCIL_USE_LDG STENCIL_1_USE_LDG
#define STENCIL_NUMBER STENCIL_1_NUMBER
#define STENCIL_OPTIONS STENCIL_1_OPTIONS
#define STENCIL_BLOCK_DIM_X STENCIL_1_BLOCK_DIM_X
#define STENCIL_BLOCK_DIM_Y STENCIL_1_BLOCK_DIM_Y
#define STENCIL_BLOCK_DIM_Z STENCIL_1_BLOCK_DIM_Z
#define STENCIL_SHARED_BYTES STENCIL_1_SHARED_BYTES
#elif STENCIL_SELECTED == 3
#define STENCIL_BLOCK_X STENCIL_2_BLOCK_X
#define STENCIL_BLOCK_Y STENCIL_2_BLOCK_Y
#define STENCIL_TILE_Y STENCIL_2_TILE_Y
#define STENCIL_METHOD STENCIL_2_METHOD
#define STENCIL_METHOD_NAME STENCIL_2_METHOD_NAME
#define STENCIL_PAD STENCIL_2_PAD
#define STENCIL_UNROLL STENCIL_2_UNROLL
#define STENCIL_USE_LDG STENCIL_2_USE_LDG
#define STENCIL_NUMBER STENCIL_2_NUMBER
#define STENCIL_OPTIONS STENCIL_2_OPTIONS
#define STENCIL_BLOCK_DIM_X STENCIL_2_BLOCK_DIM_X
#define STENCIL_BLOCK_DIM_Y STENCIL_2_BLOCK_DIM_Y
#define STENCIL_BLOCK_DIM_Z STENCIL_2_BLOCK_DIM_Z
#define STENCIL_SHARED_BYTES STENCIL_2_SHARED_BYTES
#elif STENCIL_SELECTED == 4
#define STENCIL_BLOCK_X STENCIL_3_BLOCK_X
#define STENCIL_BLOCK_Y STENCIL_3_BLOCK_Y
#define STENCIL_TILE_Y STENCIL_3_TILE_Y
#define STENCIL_METHOD STENCIL_3_METHOD
#define STENCIL_METHOD_NAME STENCIL_3_METHOD_NAME
#define STENCIL_PAD STENCIL_3_PAD
#define STENCIL_UNROLL STENCIL_3_UNROLL
#define STENCIL_USE_LDG STENCIL_3_USE_LDG
#define STENCIL_NUMBER STENCIL_3_NUMBER
#define STENCIL_OPTIONS STENCIL_3_OPTIONS
#define STENCIL_BLOCK_DIM_X STENCIL_3_BLOCK_DIM_X
#define STENCIL_BLOCK_DIM_Y STENCIL_3_BLOCK_DIM_Y
#define STENCIL_BLOCK_DIM_Z STENCIL_3_BLOCK_DIM_Z
#define STENCIL_SHARED_BYTES STENCIL_3_SHARED_BYTES
#elif STENCIL_SELECTED == 5
#define STENCIL_BLOCK_X STENCIL_4_BLOCK_X
#define STENCIL_BLOCK_Y STENCIL_4_BLOCK_Y
#define STENCIL_TILE_Y STENCIL_4_TILE_Y
#define STENCIL_METHOD STENCIL_4_METHOD
#define STENCIL_METHOD_NAME STENCIL_4_METHOD_NAME
#define STENCIL_PAD STENCIL_4_PAD
#define STENCIL_UNROLL STENCIL_4_UNROLL
#define STENCIL_USE_LDG STENCIL_4_USE_LDG
#define STENCIL_NUMBER STENCIL_4_NUMBER
#define STENCIL_OPTIONS STENCIL_4_OPTIONS
#define STENCIL_BLOCK_DIM_X STENCIL_4_BLOCK_DIM_X
#define STENCIL_BLOCK_DIM_Y STENCIL_4_BLOCK_DIM_Y
#define STENCIL_BLOCK_DIM_Z STENCIL_4_BLOCK_DIM_Z
#define STENCIL_SHARED_BYTES STENCIL_4_SHARED_BYTES
#endif
#ifdef STENCIL_BARE
#if STENCIL_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 128
#undef BLOCK_Y
#define BLOCK_Y 1
#undef TILE_Y
#define TILE_Y 4
#undef METHOD_cache
#define METHOD_cache 1
#undef METHOD_shared
#define METHOD_shared 2
#undef METHOD
#define METHOD METHOD_cache
#undef PAD
#define PAD 0
#undef UNROLL
#define UNROLL 4
#undef USE_LDG
#define USE_LDG 0
#undef RADIUS
#define RADIUS 1
#ifdef STENCIL_CONFIGURATION
#undef stencil
#define stencil stencil_0
#undef stencil_reference
#define stencil_reference stencil_0_stencil_reference
#undef STENCIL_ENTRY
#define STENCIL_ENTRY extern "C" const void *const stencil_0_kernels[1]; \
	const void *const stencil_0_kernels[1] = { reinterpret_cast<const void *>(&stencil) }
#endif
#elif STENCIL_SELECTED == 2
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 4
#undef TILE_Y
#define TILE_Y 8
#undef METHOD_cache
#define METHOD_cache 1
#undef METHOD_shared
#define METHOD_shared 2
#undef METHOD
#define METHOD METHOD_shared
#undef PAD
#define PAD 0
#undef UNROLL
#define UNROLL 8
#undef USE_LDG
#define USE_LDG 0
#undef RADIUS
#define RADIUS 6
#ifdef STENCIL_CONFIGURATION
#undef stencil
#define stencil stencil_1
#undef stencil_reference
#define stencil_reference stencil_1_stencil_reference
#undef STENCIL_ENTRY
#define STENCIL_ENTRY extern "C" const void *const stencil_1_kernels[1]; \
	const void *const stencil_1_kernels[1] = { reinterpret_cast<const void *>(&stencil) }
#endif
#elif STENCIL_SELECTED == 3
#undef BLOCK_X
#define BLOCK_X 64
#undef BLOCK_Y
#define BLOCK_Y 4
#undef TILE_Y
#define TILE_Y 8
#undef METHOD_cache
#define METHOD_cache 1
#undef METHOD_shared
#define METHOD_shared 2
#undef METHOD
#define METHOD METHOD_shared
#undef PAD
#define PAD 0
#undef UNROLL
#define UNROLL 8
#undef USE_LDG
#define USE_LDG 0
#undef RADIUS
#define RADIUS 6
#ifdef STENCIL_CONFIGURATION
#undef stencil
#define stencil stencil_2
#undef stencil_reference
#define stencil_reference stencil_2_stencil_reference
#undef STENCIL_ENTRY
#define STENCIL_ENTRY extern "C" const void *const stencil_2_kernels[1]; \
	const void *const stencil_2_kernels[1] = { reinterpret_cast<const void *>(&stencil) }
#endif
#elif STENCIL_SELECTED == 4
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 16
#undef TILE_Y
#define TILE_Y 1
#undef METHOD_cache
#define METHOD_cache 1
#undef METHOD_shared
#define METHOD_shared 2
#undef METHOD
#define METHOD METHOD_cache
#undef PAD
#define PAD 0
#undef UNROLL
#define UNROLL 1
#undef USE_LDG
#define USE_LDG 0
#undef RADIUS
#define RADIUS 1
#ifdef STENCIL_CONFIGURATION
#undef stencil
#define stencil stencil_3
#undef stencil_reference
#define stencil_reference stencil_3_stencil_reference
#undef STENCIL_ENTRY
#define STENCIL_ENTRY extern "C" const void *const stencil_3_kernels[1]; \
	const void *const stencil_3_kernels[1] = { reinterpret_cast<const void *>(&stencil) }
#endif
#elif STENCIL_SELECTED == 5
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 16
#undef TILE_Y
#define TILE_Y 1
#undef METHOD_cache
#define METHOD_cache 1
#undef METHOD_shared
#define METHOD_shared 2
#undef METHOD
#define METHOD METHOD_cache
#undef PAD
#define PAD 0
#undef UNROLL
#define UNROLL 1
#undef USE_LDG
#define USE_LDG 0
#undef RADIUS
#define RADIUS 6
#ifdef STENCIL_CONFIGURATION
#undef stencil
#define stencil stencil_4
#undef stencil_reference
#define stencil_reference stencil_4_stencil_reference
#undef STENCIL_ENTRY
#define STENCIL_ENTRY extern "C" const void *const stencil_4_kernels[1]; \
	const void *const stencil_4_kernels[1] = { reinterpret_cast<const void *>(&stencil) }
#endif
#else
#error "STENCIL_BARE: say of which configuration, with STENCIL_CONFIGURATION, or with STENCIL_DEVICE and STENCIL_PROBLEM"
#endif
#endif
