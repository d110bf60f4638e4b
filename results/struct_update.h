/*
 * struct_update: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     b3f68abdb493f9330621e1f194fe131f struct_update.cfg
 *   template  c030fae3446c5483301e7af5f8e7282d struct_update.cu
 *   contents  ef923720aebdffc50a5d2865dc2e8f8f
 */
/*
 * struct_update: 5 configurations, baselines included. The fastest correct ones are, for
 *
 * both_fields on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, USED = 2
 *   configuration  0: LAYOUT=aos_aligned WIDTH=8 BLOCK=1024 UNROLL=2
 *   time           351.63 us (95 % interval 351.06 to 352.19)
 *   speed-up       1.031 over the baseline (95 % interval 1.029 to 1.032)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:05Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    20f7a0100a68103df5e4ea7f5dcf2a43
 *
 * one_field on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, USED = 1
 *   configuration  1: LAYOUT=soa WIDTH=8 BLOCK=256 UNROLL=4
 *   time           175.99 us (95 % interval 175.71 to 176.27)
 *   speed-up       2.069 over the baseline (95 % interval 2.065 to 2.073)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:08Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    28403c068445160f2aac2441b722b3f7
 *
 * both_fields on NVIDIA H200 (sm_90): N = 67108864, USED = 2
 *   configuration  2: LAYOUT=aos_aligned WIDTH=8 BLOCK=128 UNROLL=2
 *   time           251.79 us (95 % interval 251.54 to 252.04)
 *   speed-up       1.072 over the baseline (95 % interval 1.071 to 1.074)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:34Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    20f7a010e7dee953d7a9e59e615e2963
 *
 * one_field on NVIDIA H200 (sm_90): N = 67108864, USED = 1
 *   configuration  3: LAYOUT=soa WIDTH=8 BLOCK=128 UNROLL=4
 *   time           126.81 us (95 % interval 126.61 to 127)
 *   speed-up       2.141 over the baseline (95 % interval 2.138 to 2.145)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:40Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    28403c06093ccb3c874dacb24388d32d
 *
 * To choose a configuration when the program runs: struct_update_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * struct_update_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of STRUCT_UPDATE_CONFIGURATIONS in a translation unit of its own:
 * define STRUCT_UPDATE_CONFIGURATION as n, define STRUCT_UPDATE_BARE, include this header, then
 * the template. Its kernel is called struct_update_n there. Give the compiler
 * STRUCT_UPDATE_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names STRUCT_UPDATE_... without a
 * number belong to one configuration. Define STRUCT_UPDATE_CONFIGURATION, or
 * STRUCT_UPDATE_DEVICE and STRUCT_UPDATE_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. STRUCT_UPDATE_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_STRUCT_UPDATE_H
#define AUTOTUNE_STRUCT_UPDATE_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_STRUCT_UPDATE_CONTENTS 0x43405dc2cc3fd862ULL

/* the values that STRUCT_UPDATE_CONFIGURATION, STRUCT_UPDATE_DEVICE and STRUCT_UPDATE_PROBLEM may have */
#define STRUCT_UPDATE_CONFIGURATION_0 1
#define STRUCT_UPDATE_CONFIGURATION_1 2
#define STRUCT_UPDATE_CONFIGURATION_2 3
#define STRUCT_UPDATE_CONFIGURATION_3 4
#define STRUCT_UPDATE_CONFIGURATION_4 5
#define STRUCT_UPDATE_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define STRUCT_UPDATE_DEVICE_NVIDIA_H200 2
#define STRUCT_UPDATE_PROBLEM_BOTH_FIELDS 1
#define STRUCT_UPDATE_PROBLEM_ONE_FIELD 2

/* X(number, kernel) for every configuration */
#define STRUCT_UPDATE_CONFIGURATION_COUNT 5
#define STRUCT_UPDATE_CONFIGURATIONS(X) \
	X(0, struct_update_0) \
	X(1, struct_update_1) \
	X(2, struct_update_2) \
	X(3, struct_update_3) \
	X(4, struct_update_4)
#define STRUCT_UPDATE_DEVICE_COUNT 2
#define STRUCT_UPDATE_LAYOUT_aos 1
#define STRUCT_UPDATE_LAYOUT_aos_aligned 2
#define STRUCT_UPDATE_LAYOUT_soa 3
#define STRUCT_UPDATE_LAYOUT_aosoa 4

#define STRUCT_UPDATE_0_LAYOUT 2
#define STRUCT_UPDATE_0_LAYOUT_NAME "aos_aligned"
#define STRUCT_UPDATE_0_WIDTH 8
#define STRUCT_UPDATE_0_BLOCK 1024
#define STRUCT_UPDATE_0_UNROLL 2
#define STRUCT_UPDATE_0_NUMBER 0
#define STRUCT_UPDATE_0_OPTIONS ""
#define STRUCT_UPDATE_0_BLOCK_DIM_X 1024
#define STRUCT_UPDATE_0_BLOCK_DIM_Y 1
#define STRUCT_UPDATE_0_BLOCK_DIM_Z 1
#define STRUCT_UPDATE_0_SHARED_BYTES 0

#define STRUCT_UPDATE_1_LAYOUT 3
#define STRUCT_UPDATE_1_LAYOUT_NAME "soa"
#define STRUCT_UPDATE_1_WIDTH 8
#define STRUCT_UPDATE_1_BLOCK 256
#define STRUCT_UPDATE_1_UNROLL 4
#define STRUCT_UPDATE_1_NUMBER 1
#define STRUCT_UPDATE_1_OPTIONS ""
#define STRUCT_UPDATE_1_BLOCK_DIM_X 256
#define STRUCT_UPDATE_1_BLOCK_DIM_Y 1
#define STRUCT_UPDATE_1_BLOCK_DIM_Z 1
#define STRUCT_UPDATE_1_SHARED_BYTES 0

#define STRUCT_UPDATE_2_LAYOUT 2
#define STRUCT_UPDATE_2_LAYOUT_NAME "aos_aligned"
#define STRUCT_UPDATE_2_WIDTH 8
#define STRUCT_UPDATE_2_BLOCK 128
#define STRUCT_UPDATE_2_UNROLL 2
#define STRUCT_UPDATE_2_NUMBER 2
#define STRUCT_UPDATE_2_OPTIONS ""
#define STRUCT_UPDATE_2_BLOCK_DIM_X 128
#define STRUCT_UPDATE_2_BLOCK_DIM_Y 1
#define STRUCT_UPDATE_2_BLOCK_DIM_Z 1
#define STRUCT_UPDATE_2_SHARED_BYTES 0

#define STRUCT_UPDATE_3_LAYOUT 3
#define STRUCT_UPDATE_3_LAYOUT_NAME "soa"
#define STRUCT_UPDATE_3_WIDTH 8
#define STRUCT_UPDATE_3_BLOCK 128
#define STRUCT_UPDATE_3_UNROLL 4
#define STRUCT_UPDATE_3_NUMBER 3
#define STRUCT_UPDATE_3_OPTIONS ""
#define STRUCT_UPDATE_3_BLOCK_DIM_X 128
#define STRUCT_UPDATE_3_BLOCK_DIM_Y 1
#define STRUCT_UPDATE_3_BLOCK_DIM_Z 1
#define STRUCT_UPDATE_3_SHARED_BYTES 0

#define STRUCT_UPDATE_4_LAYOUT 1
#define STRUCT_UPDATE_4_LAYOUT_NAME "aos"
#define STRUCT_UPDATE_4_WIDTH 8
#define STRUCT_UPDATE_4_BLOCK 256
#define STRUCT_UPDATE_4_UNROLL 1
#define STRUCT_UPDATE_4_NUMBER 4
#define STRUCT_UPDATE_4_OPTIONS ""
#define STRUCT_UPDATE_4_BLOCK_DIM_X 256
#define STRUCT_UPDATE_4_BLOCK_DIM_Y 1
#define STRUCT_UPDATE_4_BLOCK_DIM_Z 1
#define STRUCT_UPDATE_4_SHARED_BYTES 0

#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_BOTH_FIELDS_CONFIGURATION 0
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_BOTH_FIELDS_TIME_NS 351626.329389618
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_BOTH_FIELDS_TIME_LOW_NS 351060.371428448
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_BOTH_FIELDS_TIME_HIGH_NS 352193.199753439
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_BOTH_FIELDS_SPEEDUP 1.03061606482529
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_BOTH_FIELDS_SPEEDUP_LOW 1.0294504794949
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_BOTH_FIELDS_SPEEDUP_HIGH 1.03178296987837

#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_ONE_FIELD_CONFIGURATION 1
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_ONE_FIELD_TIME_NS 175986.157808695
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_ONE_FIELD_TIME_LOW_NS 175706.093298998
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_ONE_FIELD_TIME_HIGH_NS 176266.668723683
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_ONE_FIELD_SPEEDUP 2.06937157921506
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_ONE_FIELD_SPEEDUP_LOW 2.06543796723126
#define STRUCT_UPDATE_NVIDIA_H100_80GB_HBM3_ONE_FIELD_SPEEDUP_HIGH 2.07331268273503

#define STRUCT_UPDATE_NVIDIA_H200_BOTH_FIELDS_CONFIGURATION 2
#define STRUCT_UPDATE_NVIDIA_H200_BOTH_FIELDS_TIME_NS 251789.978571613
#define STRUCT_UPDATE_NVIDIA_H200_BOTH_FIELDS_TIME_LOW_NS 251535.575180726
#define STRUCT_UPDATE_NVIDIA_H200_BOTH_FIELDS_TIME_HIGH_NS 252044.639266403
#define STRUCT_UPDATE_NVIDIA_H200_BOTH_FIELDS_SPEEDUP 1.07242292827345
#define STRUCT_UPDATE_NVIDIA_H200_BOTH_FIELDS_SPEEDUP_LOW 1.0710371751458
#define STRUCT_UPDATE_NVIDIA_H200_BOTH_FIELDS_SPEEDUP_HIGH 1.07381047434702

#define STRUCT_UPDATE_NVIDIA_H200_ONE_FIELD_CONFIGURATION 3
#define STRUCT_UPDATE_NVIDIA_H200_ONE_FIELD_TIME_NS 126808.572773929
#define STRUCT_UPDATE_NVIDIA_H200_ONE_FIELD_TIME_LOW_NS 126614.88062969
#define STRUCT_UPDATE_NVIDIA_H200_ONE_FIELD_TIME_HIGH_NS 127002.561223363
#define STRUCT_UPDATE_NVIDIA_H200_ONE_FIELD_SPEEDUP 2.14127630046705
#define STRUCT_UPDATE_NVIDIA_H200_ONE_FIELD_SPEEDUP_LOW 2.13753845991245
#define STRUCT_UPDATE_NVIDIA_H200_ONE_FIELD_SPEEDUP_HIGH 2.14502067725587

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *struct_update_device(int index)
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
static inline struct autotune_device struct_update_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, struct_update_device(i)))
			autotune_fill(&complete, struct_update_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch struct_update_launch(
	int configuration, const struct autotune_device *given, long long size_N, long long size_USED)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N; (void)size_USED;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 2048LL, &bad);
		amounts[3] = 1024LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 128LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 512LL, &bad);
		amounts[3] = 128LL;
		break;
	case 4:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch struct_update_launch_prepare(
	int configuration, const struct autotune_device *given, long long size_N, long long size_USED)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N; (void)size_USED;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 4:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

static inline struct autotune_launch struct_update_launch_finish(
	int configuration, const struct autotune_device *given, long long size_N, long long size_USED)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N; (void)size_USED;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	case 4:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int struct_update_fits(
	int configuration, const struct autotune_device *given, long long size_N, long long size_USED)
{
	const struct autotune_device complete = struct_update_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 134217728LL))
		bad = 1;
	if (!(size_USED == 1LL || size_USED == 2LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(1024LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 11;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 22;
		break;
	case 2:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 11;
		break;
	case 3:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 22;
		break;
	case 4:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 10;
		break;
	default:
		break;
	}
	launch = struct_update_launch(configuration, given, size_N, size_USED);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice struct_update_choose(
	const struct autotune_device *device, long long size_N, long long size_USED)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 67108864, 2 }, /* both_fields */
		{ 67108864, 1 }, /* one_field */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* both_fields on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* one_field on NVIDIA H100 80GB HBM3 */
		{ 2, 1, 0, 0 }, /* both_fields on NVIDIA H200 */
		{ 3, 1, 1, 0 }, /* one_field on NVIDIA H200 */
		{ 4, 0, 0, 1 }, /* both_fields on NVIDIA H100 80GB HBM3 */
		{ 4, 0, 1, 1 }, /* one_field on NVIDIA H100 80GB HBM3 */
		{ 4, 1, 0, 1 }, /* both_fields on NVIDIA H200 */
		{ 4, 1, 1, 1 }, /* one_field on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_USED) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N; (void)size_USED;
	for (i = 0; device && i < 8; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			struct_update_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			struct_update_fits(entries[i][0], device, size_N, size_USED)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 2)) {
		char text[256];

		snprintf(text, sizeof(text), "\"N\": %lld, \"USED\": %lld", size_N, size_USED);
		autotune_note(file, "struct_update", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   struct_update_run(&device, stream, N, USED, particles, moved, step, damping)
 *
 *   particles      const void *
 *   moved          void *
 *   packed         scratch, which it allocates in the stream
 *   n              computed: N
 *   pitch          computed: round_up(N, WIDTH)
 *   used           computed: USED
 *   step           float 
 *   damping        float 
 *
 * struct_update_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line STRUCT_UPDATE_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. struct_update_run_by() launches with
 * functions of its caller.
 */
#define STRUCT_UPDATE_RUN_PARAMETERS \
	, long long size_N, long long size_USED, const void *argument_particles, void *argument_moved, float argument_step, float argument_damping
#define STRUCT_UPDATE_RUN_ARGUMENTS \
	, size_N, size_USED, argument_particles, argument_moved, argument_step, argument_damping

static inline int struct_update_run_by(struct autotune_runner *runner,
	const struct autotune_device *given STRUCT_UPDATE_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? struct_update_choose(given, size_N, size_USED).configuration : runner->configuration;
	int bad = 0;
	void *memory_packed = AUTOTUNE_NULL;
	long long count_packed = 0;
	float *argument_packed = AUTOTUNE_NULL;
	long long value_n = 0;
	long long argument_n = 0;
	long long value_pitch = 0;
	long long argument_pitch = 0;
	long long value_used = 0;
	int argument_used = 0;
	int error;

	if (!given || configuration < 0 || !struct_update_fits(configuration, given, size_N, size_USED))
		return runner->refused;
	count_packed = autotune_multiply(2LL, autotune_round_up(size_N, 8LL, &bad), &bad);
	value_n = size_N;
	value_pitch = autotune_round_up(size_N, 8LL, &bad);
	value_used = size_USED;
	count_packed = autotune_multiply(count_packed, 4LL, &bad);
	if (count_packed < 1)
		bad = 1;
	argument_n = AUTOTUNE_CAST(long long, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	argument_pitch = AUTOTUNE_CAST(long long, value_pitch);
	if (AUTOTUNE_CAST(long long, argument_pitch) != value_pitch)
		bad = 1;
	argument_used = AUTOTUNE_CAST(int, value_used);
	if (AUTOTUNE_CAST(long long, argument_used) != value_used)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	if (!error)
		error = runner->allocate(runner, &memory_packed,
			AUTOTUNE_CAST(unsigned long long, count_packed));
	argument_packed = AUTOTUNE_CAST(float *, memory_packed);
	/* to_layout */
	if (!error) {
		void *arguments[] = { &argument_particles, &argument_packed, &argument_n, &argument_pitch };
		const struct autotune_launch launch =
			struct_update_launch_prepare(configuration, given, size_N, size_USED);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 1, &launch, arguments);
		}
	}
	/* struct_update */
	if (!error) {
		void *arguments[] = { &argument_packed, &argument_n, &argument_pitch, &argument_used, &argument_step, &argument_damping };
		const struct autotune_launch launch =
			struct_update_launch(configuration, given, size_N, size_USED);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
		}
	}
	/* from_layout */
	if (!error) {
		void *arguments[] = { &argument_packed, &argument_moved, &argument_n, &argument_pitch };
		const struct autotune_launch launch =
			struct_update_launch_finish(configuration, given, size_N, size_USED);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 2, &launch, arguments);
		}
	}
	if (memory_packed) {
		const int failed = runner->release(runner, memory_packed);

		error = error ? error : failed;
	}
	return error;
}

#endif

/* outside of the guard: a unit may include the header of CUDA later */
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_STRUCT_UPDATE_RUN)
#define AUTOTUNE_STRUCT_UPDATE_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const struct_update_0_kernels[3];
extern const void *const struct_update_1_kernels[3];
extern const void *const struct_update_2_kernels[3];
extern const void *const struct_update_3_kernels[3];
extern const void *const struct_update_4_kernels[3];
#ifdef __cplusplus
}
#endif

/* As struct_update_run(), with a configuration that was chosen before. */
static inline cudaError_t struct_update_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream STRUCT_UPDATE_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { struct_update_0_kernels, struct_update_1_kernels, struct_update_2_kernels, struct_update_3_kernels, struct_update_4_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		struct_update_run_by(&runner, device STRUCT_UPDATE_RUN_ARGUMENTS));
}

static inline cudaError_t struct_update_run(
	const struct autotune_device *device, cudaStream_t stream STRUCT_UPDATE_RUN_PARAMETERS)
{
	return struct_update_run_configuration(
		AUTOTUNE_CHOOSE, device, stream STRUCT_UPDATE_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef STRUCT_UPDATE_SELECTED_DEVICE
#ifdef STRUCT_UPDATE_DEVICE
#define STRUCT_UPDATE_SELECTED_DEVICE AUTOTUNE_PASTE(STRUCT_UPDATE_DEVICE_, STRUCT_UPDATE_DEVICE)
#if !(STRUCT_UPDATE_SELECTED_DEVICE > 0)
#error "STRUCT_UPDATE_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define STRUCT_UPDATE_SELECTED_DEVICE 0
#endif
#undef STRUCT_UPDATE_SELECTED_PROBLEM
#ifdef STRUCT_UPDATE_PROBLEM
#define STRUCT_UPDATE_SELECTED_PROBLEM AUTOTUNE_PASTE(STRUCT_UPDATE_PROBLEM_, STRUCT_UPDATE_PROBLEM)
#if !(STRUCT_UPDATE_SELECTED_PROBLEM > 0)
#error "STRUCT_UPDATE_PROBLEM is not one of: BOTH_FIELDS, ONE_FIELD"
#endif
#else
#define STRUCT_UPDATE_SELECTED_PROBLEM 0
#endif
#undef STRUCT_UPDATE_SELECTED
#ifdef STRUCT_UPDATE_CONFIGURATION
#define STRUCT_UPDATE_SELECTED AUTOTUNE_PASTE(STRUCT_UPDATE_CONFIGURATION_, STRUCT_UPDATE_CONFIGURATION)
#if !(STRUCT_UPDATE_SELECTED > 0)
#error "STRUCT_UPDATE_CONFIGURATION is no number from 0 to 4"
#endif
#elif STRUCT_UPDATE_SELECTED_DEVICE == 1 && STRUCT_UPDATE_SELECTED_PROBLEM == 1
#define STRUCT_UPDATE_SELECTED 1
#elif STRUCT_UPDATE_SELECTED_DEVICE == 1 && STRUCT_UPDATE_SELECTED_PROBLEM == 2
#define STRUCT_UPDATE_SELECTED 2
#elif STRUCT_UPDATE_SELECTED_DEVICE == 2 && STRUCT_UPDATE_SELECTED_PROBLEM == 1
#define STRUCT_UPDATE_SELECTED 3
#elif STRUCT_UPDATE_SELECTED_DEVICE == 2 && STRUCT_UPDATE_SELECTED_PROBLEM == 2
#define STRUCT_UPDATE_SELECTED 4
#elif STRUCT_UPDATE_SELECTED_DEVICE > 0 && STRUCT_UPDATE_SELECTED_PROBLEM > 0
#error "STRUCT_UPDATE_PROBLEM was not measured on STRUCT_UPDATE_DEVICE; there are: BOTH_FIELDS on NVIDIA_H100_80GB_HBM3, ONE_FIELD on NVIDIA_H100_80GB_HBM3, BOTH_FIELDS on NVIDIA_H200, ONE_FIELD on NVIDIA_H200"
#else
#define STRUCT_UPDATE_SELECTED 0
#endif
#undef STRUCT_UPDATE_LAYOUT
#undef STRUCT_UPDATE_LAYOUT_NAME
#undef STRUCT_UPDATE_WIDTH
#undef STRUCT_UPDATE_BLOCK
#undef STRUCT_UPDATE_UNROLL
#undef STRUCT_UPDATE_NUMBER
#undef STRUCT_UPDATE_OPTIONS
#undef STRUCT_UPDATE_BLOCK_DIM_X
#undef STRUCT_UPDATE_BLOCK_DIM_Y
#undef STRUCT_UPDATE_BLOCK_DIM_Z
#undef STRUCT_UPDATE_SHARED_BYTES
#if STRUCT_UPDATE_SELECTED == 1
#define STRUCT_UPDATE_LAYOUT STRUCT_UPDATE_0_LAYOUT
#define STRUCT_UPDATE_LAYOUT_NAME STRUCT_UPDATE_0_LAYOUT_NAME
#define STRUCT_UPDATE_WIDTH STRUCT_UPDATE_0_WIDTH
#define STRUCT_UPDATE_BLOCK STRUCT_UPDATE_0_BLOCK
#define STRUCT_UPDATE_UNROLL STRUCT_UPDATE_0_UNROLL
#define STRUCT_UPDATE_NUMBER STRUCT_UPDATE_0_NUMBER
#define STRUCT_UPDATE_OPTIONS STRUCT_UPDATE_0_OPTIONS
#define STRUCT_UPDATE_BLOCK_DIM_X STRUCT_UPDATE_0_BLOCK_DIM_X
#define STRUCT_UPDATE_BLOCK_DIM_Y STRUCT_UPDATE_0_BLOCK_DIM_Y
#define STRUCT_UPDATE_BLOCK_DIM_Z STRUCT_UPDATE_0_BLOCK_DIM_Z
#define STRUCT_UPDATE_SHARED_BYTES STRUCT_UPDATE_0_SHARED_BYTES
#elif STRUCT_UPDATE_SELECTED == 2
#define STRUCT_UPDATE_LAYOUT STRUCT_UPDATE_1_LAYOUT
#define STRUCT_UPDATE_LAYOUT_NAME STRUCT_UPDATE_1_LAYOUT_NAME
#define STRUCT_UPDATE_WIDTH STRUCT_UPDATE_1_WIDTH
#define STRUCT_UPDATE_BLOCK STRUCT_UPDATE_1_BLOCK
#define STRUCT_UPDATE_UNROLL STRUCT_UPDATE_1_UNROLL
#define STRUCT_UPDATE_NUMBER STRUCT_UPDATE_1_NUMBER
#define STRUCT_UPDATE_OPTIONS STRUCT_UPDATE_1_OPTIONS
#define STRUCT_UPDATE_BLOCK_DIM_X STRUCT_UPDATE_1_BLOCK_DIM_X
#define STRUCT_UPDATE_BLOCK_DIM_Y STRUCT_UPDATE_1_BLOCK_DIM_Y
#define STRUCT_UPDATE_BLOCK_DIM_Z STRUCT_UPDATE_1_BLOCK_DIM_Z
#define STRUCT_UPDATE_SHARED_BYTES STRUCT_UPDATE_1_SHARED_BYTES
#elif STRUCT_UPDATE_SELECTED == 3
#define STRUCT_UPDATE_LAYOUT STRUCT_UPDATE_2_LAYOUT
#define STRUCT_UPDATE_LAYOUT_NAME STRUCT_UPDATE_2_LAYOUT_NAME
#define STRUCT_UPDATE_WIDTH STRUCT_UPDATE_2_WIDTH
#define STRUCT_UPDATE_BLOCK STRUCT_UPDATE_2_BLOCK
#define STRUCT_UPDATE_UNROLL STRUCT_UPDATE_2_UNROLL
#define STRUCT_UPDATE_NUMBER STRUCT_UPDATE_2_NUMBER
#define STRUCT_UPDATE_OPTIONS STRUCT_UPDATE_2_OPTIONS
#define STRUCT_UPDATE_BLOCK_DIM_X STRUCT_UPDATE_2_BLOCK_DIM_X
#define STRUCT_UPDATE_BLOCK_DIM_Y STRUCT_UPDATE_2_BLOCK_DIM_Y
#define STRUCT_UPDATE_BLOCK_DIM_Z STRUCT_UPDATE_2_BLOCK_DIM_Z
#define STRUCT_UPDATE_SHARED_BYTES STRUCT_UPDATE_2_SHARED_BYTES
#elif STRUCT_UPDATE_SELECTED == 4
#define STRUCT_UPDATE_LAYOUT STRUCT_UPDATE_3_LAYOUT
#define STRUCT_UPDATE_LAYOUT_NAME STRUCT_UPDATE_3_LAYOUT_NAME
#define STRUCT_UPDATE_WIDTH STRUCT_UPDATE_3_WIDTH
#define STRUCT_UPDATE_BLOCK STRUCT_UPDATE_3_BLOCK
#define STRUCT_UPDATE_UNROLL STRUCT_UPDATE_3_UNROLL
#define STRUCT_UPDATE_NUMBER STRUCT_UPDATE_3_NUMBER
#define STRUCT_UPDATE_OPTIONS STRUCT_UPDATE_3_OPTIONS
#define STRUCT_UPDATE_BLOCK_DIM_X STRUCT_UPDATE_3_BLOCK_DIM_X
#define STRUCT_UPDATE_BLOCK_DIM_Y STRUCT_UPDATE_3_BLOCK_DIM_Y
#define STRUCT_UPDATE_BLOCK_DIM_Z STRUCT_UPDATE_3_BLOCK_DIM_Z
#define STRUCT_UPDATE_SHARED_BYTES STRUCT_UPDATE_3_SHARED_BYTES
#elif STRUCT_UPDATE_SELECTED == 5
#define STRUCT_UPDATE_LAYOUT STRUCT_UPDATE_4_LAYOUT
#define STRUCT_UPDATE_LAYOUT_NAME STRUCT_UPDATE_4_LAYOUT_NAME
#define STRUCT_UPDATE_WIDTH STRUCT_UPDATE_4_WIDTH
#define STRUCT_UPDATE_BLOCK STRUCT_UPDATE_4_BLOCK
#define STRUCT_UPDATE_UNROLL STRUCT_UPDATE_4_UNROLL
#define STRUCT_UPDATE_NUMBER STRUCT_UPDATE_4_NUMBER
#define STRUCT_UPDATE_OPTIONS STRUCT_UPDATE_4_OPTIONS
#define STRUCT_UPDATE_BLOCK_DIM_X STRUCT_UPDATE_4_BLOCK_DIM_X
#define STRUCT_UPDATE_BLOCK_DIM_Y STRUCT_UPDATE_4_BLOCK_DIM_Y
#define STRUCT_UPDATE_BLOCK_DIM_Z STRUCT_UPDATE_4_BLOCK_DIM_Z
#define STRUCT_UPDATE_SHARED_BYTES STRUCT_UPDATE_4_SHARED_BYTES
#endif
#ifdef STRUCT_UPDATE_BARE
#if STRUCT_UPDATE_SELECTED == 1
#undef LAYOUT_aos
#define LAYOUT_aos 1
#undef LAYOUT_aos_aligned
#define LAYOUT_aos_aligned 2
#undef LAYOUT_soa
#define LAYOUT_soa 3
#undef LAYOUT_aosoa
#define LAYOUT_aosoa 4
#undef LAYOUT
#define LAYOUT LAYOUT_aos_aligned
#undef WIDTH
#define WIDTH 8
#undef BLOCK
#define BLOCK 1024
#undef UNROLL
#define UNROLL 2
#ifdef STRUCT_UPDATE_CONFIGURATION
#undef struct_update
#define struct_update struct_update_0
#undef to_layout
#define to_layout struct_update_0_to_layout
#undef from_layout
#define from_layout struct_update_0_from_layout
#undef struct_update_reference
#define struct_update_reference struct_update_0_struct_update_reference
#undef STRUCT_UPDATE_ENTRY
#define STRUCT_UPDATE_ENTRY extern "C" const void *const struct_update_0_kernels[3]; \
	const void *const struct_update_0_kernels[3] = { reinterpret_cast<const void *>(&struct_update), reinterpret_cast<const void *>(&to_layout), reinterpret_cast<const void *>(&from_layout) }
#endif
#elif STRUCT_UPDATE_SELECTED == 2
#undef LAYOUT_aos
#define LAYOUT_aos 1
#undef LAYOUT_aos_aligned
#define LAYOUT_aos_aligned 2
#undef LAYOUT_soa
#define LAYOUT_soa 3
#undef LAYOUT_aosoa
#define LAYOUT_aosoa 4
#undef LAYOUT
#define LAYOUT LAYOUT_soa
#undef WIDTH
#define WIDTH 8
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 4
#ifdef STRUCT_UPDATE_CONFIGURATION
#undef struct_update
#define struct_update struct_update_1
#undef to_layout
#define to_layout struct_update_1_to_layout
#undef from_layout
#define from_layout struct_update_1_from_layout
#undef struct_update_reference
#define struct_update_reference struct_update_1_struct_update_reference
#undef STRUCT_UPDATE_ENTRY
#define STRUCT_UPDATE_ENTRY extern "C" const void *const struct_update_1_kernels[3]; \
	const void *const struct_update_1_kernels[3] = { reinterpret_cast<const void *>(&struct_update), reinterpret_cast<const void *>(&to_layout), reinterpret_cast<const void *>(&from_layout) }
#endif
#elif STRUCT_UPDATE_SELECTED == 3
#undef LAYOUT_aos
#define LAYOUT_aos 1
#undef LAYOUT_aos_aligned
#define LAYOUT_aos_aligned 2
#undef LAYOUT_soa
#define LAYOUT_soa 3
#undef LAYOUT_aosoa
#define LAYOUT_aosoa 4
#undef LAYOUT
#define LAYOUT LAYOUT_aos_aligned
#undef WIDTH
#define WIDTH 8
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#ifdef STRUCT_UPDATE_CONFIGURATION
#undef struct_update
#define struct_update struct_update_2
#undef to_layout
#define to_layout struct_update_2_to_layout
#undef from_layout
#define from_layout struct_update_2_from_layout
#undef struct_update_reference
#define struct_update_reference struct_update_2_struct_update_reference
#undef STRUCT_UPDATE_ENTRY
#define STRUCT_UPDATE_ENTRY extern "C" const void *const struct_update_2_kernels[3]; \
	const void *const struct_update_2_kernels[3] = { reinterpret_cast<const void *>(&struct_update), reinterpret_cast<const void *>(&to_layout), reinterpret_cast<const void *>(&from_layout) }
#endif
#elif STRUCT_UPDATE_SELECTED == 4
#undef LAYOUT_aos
#define LAYOUT_aos 1
#undef LAYOUT_aos_aligned
#define LAYOUT_aos_aligned 2
#undef LAYOUT_soa
#define LAYOUT_soa 3
#undef LAYOUT_aosoa
#define LAYOUT_aosoa 4
#undef LAYOUT
#define LAYOUT LAYOUT_soa
#undef WIDTH
#define WIDTH 8
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 4
#ifdef STRUCT_UPDATE_CONFIGURATION
#undef struct_update
#define struct_update struct_update_3
#undef to_layout
#define to_layout struct_update_3_to_layout
#undef from_layout
#define from_layout struct_update_3_from_layout
#undef struct_update_reference
#define struct_update_reference struct_update_3_struct_update_reference
#undef STRUCT_UPDATE_ENTRY
#define STRUCT_UPDATE_ENTRY extern "C" const void *const struct_update_3_kernels[3]; \
	const void *const struct_update_3_kernels[3] = { reinterpret_cast<const void *>(&struct_update), reinterpret_cast<const void *>(&to_layout), reinterpret_cast<const void *>(&from_layout) }
#endif
#elif STRUCT_UPDATE_SELECTED == 5
#undef LAYOUT_aos
#define LAYOUT_aos 1
#undef LAYOUT_aos_aligned
#define LAYOUT_aos_aligned 2
#undef LAYOUT_soa
#define LAYOUT_soa 3
#undef LAYOUT_aosoa
#define LAYOUT_aosoa 4
#undef LAYOUT
#define LAYOUT LAYOUT_aos
#undef WIDTH
#define WIDTH 8
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 1
#ifdef STRUCT_UPDATE_CONFIGURATION
#undef struct_update
#define struct_update struct_update_4
#undef to_layout
#define to_layout struct_update_4_to_layout
#undef from_layout
#define from_layout struct_update_4_from_layout
#undef struct_update_reference
#define struct_update_reference struct_update_4_struct_update_reference
#undef STRUCT_UPDATE_ENTRY
#define STRUCT_UPDATE_ENTRY extern "C" const void *const struct_update_4_kernels[3]; \
	const void *const struct_update_4_kernels[3] = { reinterpret_cast<const void *>(&struct_update), reinterpret_cast<const void *>(&to_layout), reinterpret_cast<const void *>(&from_layout) }
#endif
#else
#error "STRUCT_UPDATE_BARE: say of which configuration, with STRUCT_UPDATE_CONFIGURATION, or with STRUCT_UPDATE_DEVICE and STRUCT_UPDATE_PROBLEM"
#endif
#endif
