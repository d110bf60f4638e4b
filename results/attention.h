/*
 * attention: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     e24b363467dfb545dc99e1e2c73840b1 attention.cfg
 *   template  99dd22edcf6ac1d857f71df68b554d31 attention.cu
 *   contents  9a50cd94753ea66c352e66099e15d309
 */
/*
 * attention: 5 configurations, baselines included. The fastest correct ones are, for
 *
 * causal_4096 on NVIDIA H200 (sm_90): HEADS = 64, LENGTH = 4096, WIDTH = 128, CAUSAL = 1
 *   configuration  0: DEPTH=128 WARPS=8 TILES=1 BLOCK_N=128 STAGES=2 COPY=async LAYOUT=swizzled QUERIES=registers ORDER=last
 *   time           1.0821 ms (95 % interval 1.0811 to 1.083)
 *   speed-up       5.569 over the baseline (95 % interval 5.53 to 5.609)
 *   chosen from    84 evaluations, 84 of them ok
 *   verified       2 data sets, 2 different cases, 6 patterns, guarded, crowded
 *   measured       2026-11-30T16:59:09Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    909a1cb3b35eab410170630aed0c1445
 *
 * all_4096 on NVIDIA H200 (sm_90): HEADS = 64, LENGTH = 4096, WIDTH = 128, CAUSAL = 0
 *   configuration  1: DEPTH=128 WARPS=8 TILES=2 BLOCK_N=128 STAGES=2 COPY=async LAYOUT=padded QUERIES=shared ORDER=first
 *   time           1.8431 ms (95 % interval 1.8416 to 1.8447)
 *   speed-up       6.188 over the baseline (95 % interval 6.131 to 6.245)
 *   chosen from    78 evaluations, 78 of them ok
 *   verified       2 data sets, 5 different cases, 4 patterns, guarded, crowded
 *   measured       2026-11-30T16:59:32Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    cf24d065f9eeab14f86a1acbd45414b7
 *
 * width_64 on NVIDIA H200 (sm_90): HEADS = 128, LENGTH = 2048, WIDTH = 64, CAUSAL = 1
 *   configuration  2: DEPTH=64 WARPS=4 TILES=2 BLOCK_N=128 STAGES=3 COPY=async LAYOUT=swizzled QUERIES=registers ORDER=first
 *   time           327.34 us (95 % interval 326.78 to 327.9)
 *   speed-up       4.727 over the baseline (95 % interval 4.716 to 4.739)
 *   chosen from    103 evaluations, 103 of them ok
 *   verified       2 data sets, 5 different cases, 10 patterns, guarded, crowded
 *   measured       2026-11-30T16:59:52Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    422015c4d5b82c7f44c46eba96e6fab3
 *
 * To choose a configuration when the program runs: attention_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * attention_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of ATTENTION_CONFIGURATIONS in a translation unit of its own:
 * define ATTENTION_CONFIGURATION as n, define ATTENTION_BARE, include this header, then
 * the template. Its kernel is called attention_n there. Give the compiler
 * ATTENTION_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names ATTENTION_... without a
 * number belong to one configuration. Define ATTENTION_CONFIGURATION, or
 * ATTENTION_DEVICE and ATTENTION_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. ATTENTION_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_ATTENTION_H
#define AUTOTUNE_ATTENTION_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_ATTENTION_CONTENTS 0x23f84b341174deccULL

/* the values that ATTENTION_CONFIGURATION, ATTENTION_DEVICE and ATTENTION_PROBLEM may have */
#define ATTENTION_CONFIGURATION_0 1
#define ATTENTION_CONFIGURATION_1 2
#define ATTENTION_CONFIGURATION_2 3
#define ATTENTION_CONFIGURATION_3 4
#define ATTENTION_CONFIGURATION_4 5
#define ATTENTION_DEVICE_NVIDIA_H200 1
#define ATTENTION_PROBLEM_CAUSAL_4096 1
#define ATTENTION_PROBLEM_ALL_4096 2
#define ATTENTION_PROBLEM_WIDTH_64 3

/* X(number, kernel) for every configuration */
#define ATTENTION_CONFIGURATION_COUNT 5
#define ATTENTION_CONFIGURATIONS(X) \
	X(0, attention_0) \
	X(1, attention_1) \
	X(2, attention_2) \
	X(3, attention_3) \
	X(4, attention_4)
#define ATTENTION_DEVICE_COUNT 1
#define ATTENTION_COPY_registers 1
#define ATTENTION_COPY_async 2
#define ATTENTION_LAYOUT_plain 1
#define ATTENTION_LAYOUT_padded 2
#define ATTENTION_LAYOUT_swizzled 3
#define ATTENTION_QUERIES_registers 1
#define ATTENTION_QUERIES_shared 2
#define ATTENTION_ORDER_first 1
#define ATTENTION_ORDER_last 2

#define ATTENTION_0_DEPTH 128
#define ATTENTION_0_WARPS 8
#define ATTENTION_0_TILES 1
#define ATTENTION_0_BLOCK_N 128
#define ATTENTION_0_STAGES 2
#define ATTENTION_0_COPY 2
#define ATTENTION_0_COPY_NAME "async"
#define ATTENTION_0_LAYOUT 3
#define ATTENTION_0_LAYOUT_NAME "swizzled"
#define ATTENTION_0_QUERIES 1
#define ATTENTION_0_QUERIES_NAME "registers"
#define ATTENTION_0_ORDER 2
#define ATTENTION_0_ORDER_NAME "last"
#define ATTENTION_0_NUMBER 0
#define ATTENTION_0_OPTIONS ""
#define ATTENTION_0_BLOCK_DIM_X 256
#define ATTENTION_0_BLOCK_DIM_Y 1
#define ATTENTION_0_BLOCK_DIM_Z 1
#define ATTENTION_0_SHARED_BYTES 163840

#define ATTENTION_1_DEPTH 128
#define ATTENTION_1_WARPS 8
#define ATTENTION_1_TILES 2
#define ATTENTION_1_BLOCK_N 128
#define ATTENTION_1_STAGES 2
#define ATTENTION_1_COPY 2
#define ATTENTION_1_COPY_NAME "async"
#define ATTENTION_1_LAYOUT 2
#define ATTENTION_1_LAYOUT_NAME "padded"
#define ATTENTION_1_QUERIES 2
#define ATTENTION_1_QUERIES_NAME "shared"
#define ATTENTION_1_ORDER 1
#define ATTENTION_1_ORDER_NAME "first"
#define ATTENTION_1_NUMBER 1
#define ATTENTION_1_OPTIONS ""
#define ATTENTION_1_BLOCK_DIM_X 256
#define ATTENTION_1_BLOCK_DIM_Y 1
#define ATTENTION_1_BLOCK_DIM_Z 1
#define ATTENTION_1_SHARED_BYTES 208896

#define ATTENTION_2_DEPTH 64
#define ATTENTION_2_WARPS 4
#define ATTENTION_2_TILES 2
#define ATTENTION_2_BLOCK_N 128
#define ATTENTION_2_STAGES 3
#define ATTENTION_2_COPY 2
#define ATTENTION_2_COPY_NAME "async"
#define ATTENTION_2_LAYOUT 3
#define ATTENTION_2_LAYOUT_NAME "swizzled"
#define ATTENTION_2_QUERIES 1
#define ATTENTION_2_QUERIES_NAME "registers"
#define ATTENTION_2_ORDER 1
#define ATTENTION_2_ORDER_NAME "first"
#define ATTENTION_2_NUMBER 2
#define ATTENTION_2_OPTIONS ""
#define ATTENTION_2_BLOCK_DIM_X 128
#define ATTENTION_2_BLOCK_DIM_Y 1
#define ATTENTION_2_BLOCK_DIM_Z 1
#define ATTENTION_2_SHARED_BYTES 114688

#define ATTENTION_3_DEPTH 128
#define ATTENTION_3_WARPS 4
#define ATTENTION_3_TILES 1
#define ATTENTION_3_BLOCK_N 64
#define ATTENTION_3_STAGES 1
#define ATTENTION_3_COPY 1
#define ATTENTION_3_COPY_NAME "registers"
#define ATTENTION_3_LAYOUT 1
#define ATTENTION_3_LAYOUT_NAME "plain"
#define ATTENTION_3_QUERIES 2
#define ATTENTION_3_QUERIES_NAME "shared"
#define ATTENTION_3_ORDER 1
#define ATTENTION_3_ORDER_NAME "first"
#define ATTENTION_3_NUMBER 3
#define ATTENTION_3_OPTIONS ""
#define ATTENTION_3_BLOCK_DIM_X 128
#define ATTENTION_3_BLOCK_DIM_Y 1
#define ATTENTION_3_BLOCK_DIM_Z 1
#define ATTENTION_3_SHARED_BYTES 49152

#define ATTENTION_4_DEPTH 64
#define ATTENTION_4_WARPS 4
#define ATTENTION_4_TILES 1
#define ATTENTION_4_BLOCK_N 64
#define ATTENTION_4_STAGES 1
#define ATTENTION_4_COPY 1
#define ATTENTION_4_COPY_NAME "registers"
#define ATTENTION_4_LAYOUT 1
#define ATTENTION_4_LAYOUT_NAME "plain"
#define ATTENTION_4_QUERIES 2
#define ATTENTION_4_QUERIES_NAME "shared"
#define ATTENTION_4_ORDER 1
#define ATTENTION_4_ORDER_NAME "first"
#define ATTENTION_4_NUMBER 4
#define ATTENTION_4_OPTIONS ""
#define ATTENTION_4_BLOCK_DIM_X 128
#define ATTENTION_4_BLOCK_DIM_Y 1
#define ATTENTION_4_BLOCK_DIM_Z 1
#define ATTENTION_4_SHARED_BYTES 24576

#define ATTENTION_NVIDIA_H200_CAUSAL_4096_CONFIGURATION 0
#define ATTENTION_NVIDIA_H200_CAUSAL_4096_TIME_NS 1082063.69324043
#define ATTENTION_NVIDIA_H200_CAUSAL_4096_TIME_LOW_NS 1081108.21001186
#define ATTENTION_NVIDIA_H200_CAUSAL_4096_TIME_HIGH_NS 1083020.0209249
#define ATTENTION_NVIDIA_H200_CAUSAL_4096_SPEEDUP 5.56931073088445
#define ATTENTION_NVIDIA_H200_CAUSAL_4096_SPEEDUP_LOW 5.52978045919505
#define ATTENTION_NVIDIA_H200_CAUSAL_4096_SPEEDUP_HIGH 5.60912358926809

#define ATTENTION_NVIDIA_H200_ALL_4096_CONFIGURATION 1
#define ATTENTION_NVIDIA_H200_ALL_4096_TIME_NS 1843115.86275006
#define ATTENTION_NVIDIA_H200_ALL_4096_TIME_LOW_NS 1841574.59679911
#define ATTENTION_NVIDIA_H200_ALL_4096_TIME_HIGH_NS 1844658.41863015
#define ATTENTION_NVIDIA_H200_ALL_4096_SPEEDUP 6.1875070639874
#define ATTENTION_NVIDIA_H200_ALL_4096_SPEEDUP_LOW 6.13092172198204
#define ATTENTION_NVIDIA_H200_ALL_4096_SPEEDUP_HIGH 6.24461466040655

#define ATTENTION_NVIDIA_H200_WIDTH_64_CONFIGURATION 2
#define ATTENTION_NVIDIA_H200_WIDTH_64_TIME_NS 327340.676308187
#define ATTENTION_NVIDIA_H200_WIDTH_64_TIME_LOW_NS 326780.188049466
#define ATTENTION_NVIDIA_H200_WIDTH_64_TIME_HIGH_NS 327902.125907588
#define ATTENTION_NVIDIA_H200_WIDTH_64_SPEEDUP 4.72743494415023
#define ATTENTION_NVIDIA_H200_WIDTH_64_SPEEDUP_LOW 4.71557683314105
#define ATTENTION_NVIDIA_H200_WIDTH_64_SPEEDUP_HIGH 4.73932287437384

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *attention_device(int index)
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
static inline struct autotune_device attention_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 1; i++)
		if (autotune_is_same_device(device, attention_device(i)))
			autotune_fill(&complete, attention_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch attention_launch(
	int configuration, const struct autotune_device *given, long long size_HEADS, long long size_LENGTH, long long size_WIDTH, long long size_CAUSAL)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_HEADS; (void)size_LENGTH; (void)size_WIDTH; (void)size_CAUSAL;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_LENGTH, 128LL, &bad);
		amounts[1] = size_HEADS;
		amounts[3] = 256LL;
		amounts[6] = 163840LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_LENGTH, 256LL, &bad);
		amounts[1] = size_HEADS;
		amounts[3] = 256LL;
		amounts[6] = 208896LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_LENGTH, 128LL, &bad);
		amounts[1] = size_HEADS;
		amounts[3] = 128LL;
		amounts[6] = 114688LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_LENGTH, 64LL, &bad);
		amounts[1] = size_HEADS;
		amounts[3] = 128LL;
		amounts[6] = 49152LL;
		break;
	case 4:
		amounts[0] = autotune_ceil_div(size_LENGTH, 64LL, &bad);
		amounts[1] = size_HEADS;
		amounts[3] = 128LL;
		amounts[6] = 24576LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int attention_fits(
	int configuration, const struct autotune_device *given, long long size_HEADS, long long size_LENGTH, long long size_WIDTH, long long size_CAUSAL)
{
	const struct autotune_device complete = attention_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_HEADS >= 1LL && size_HEADS <= 128LL))
		bad = 1;
	if (!(size_LENGTH >= 1LL && size_LENGTH <= 16384LL))
		bad = 1;
	if (!(size_WIDTH == 64LL || size_WIDTH == 128LL))
		bad = 1;
	if (!(size_CAUSAL == 0LL || size_CAUSAL == 1LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* DEPTH == WIDTH */
		if (!(128LL == size_WIDTH))
			bad = 1;
		/* ORDER == 'first' || CAUSAL == 1 */
		if (!(size_CAUSAL == 1LL))
			bad = 1;
		/* 2 * (16 * TILES * WARPS + 2 * STAGES * BLOCK_N) * (DEPTH + (LAYOUT == 'padded' ? 8 : 0)) <= device.max_dynamic_shared_bytes_per_block */
		if (!(163840LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 254;
		break;
	case 1:
		/* DEPTH == WIDTH */
		if (!(128LL == size_WIDTH))
			bad = 1;
		/* 2 * (16 * TILES * WARPS + 2 * STAGES * BLOCK_N) * (DEPTH + (LAYOUT == 'padded' ? 8 : 0)) <= device.max_dynamic_shared_bytes_per_block */
		if (!(208896LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 255;
		break;
	case 2:
		/* DEPTH == WIDTH */
		if (!(64LL == size_WIDTH))
			bad = 1;
		/* 2 * (16 * TILES * WARPS + 2 * STAGES * BLOCK_N) * (DEPTH + (LAYOUT == 'padded' ? 8 : 0)) <= device.max_dynamic_shared_bytes_per_block */
		if (!(114688LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 244;
		break;
	case 3:
		/* DEPTH == WIDTH */
		if (!(128LL == size_WIDTH))
			bad = 1;
		/* 2 * (16 * TILES * WARPS + 2 * STAGES * BLOCK_N) * (DEPTH + (LAYOUT == 'padded' ? 8 : 0)) <= device.max_dynamic_shared_bytes_per_block */
		if (!(49152LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 135;
		break;
	case 4:
		/* DEPTH == WIDTH */
		if (!(64LL == size_WIDTH))
			bad = 1;
		/* 2 * (16 * TILES * WARPS + 2 * STAGES * BLOCK_N) * (DEPTH + (LAYOUT == 'padded' ? 8 : 0)) <= device.max_dynamic_shared_bytes_per_block */
		if (!(24576LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 106;
		break;
	default:
		break;
	}
	launch = attention_launch(configuration, given, size_HEADS, size_LENGTH, size_WIDTH, size_CAUSAL);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice attention_choose(
	const struct autotune_device *device, long long size_HEADS, long long size_LENGTH, long long size_WIDTH, long long size_CAUSAL)
{
	/* the sizes that were measured */
	static const double recorded[][4] = {
		{ 64, 4096, 128, 1 }, /* causal_4096 */
		{ 64, 4096, 128, 0 }, /* all_4096 */
		{ 128, 2048, 64, 1 }, /* width_64 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* causal_4096 on NVIDIA H200 */
		{ 1, 0, 1, 0 }, /* all_4096 on NVIDIA H200 */
		{ 2, 0, 2, 0 }, /* width_64 on NVIDIA H200 */
		{ 3, 0, 0, 1 }, /* causal_4096 on NVIDIA H200 */
		{ 3, 0, 1, 1 }, /* all_4096 on NVIDIA H200 */
		{ 4, 0, 2, 1 }, /* width_64 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_HEADS), AUTOTUNE_CAST(double, size_LENGTH), AUTOTUNE_CAST(double, size_WIDTH), AUTOTUNE_CAST(double, size_CAUSAL) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_HEADS; (void)size_LENGTH; (void)size_WIDTH; (void)size_CAUSAL;
	for (i = 0; device && i < 6; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			attention_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 4);

		if (autotune_is_better(&rank, &best) &&
			attention_fits(entries[i][0], device, size_HEADS, size_LENGTH, size_WIDTH, size_CAUSAL)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 4)) {
		char text[512];

		snprintf(text, sizeof(text), "\"HEADS\": %lld, \"LENGTH\": %lld, \"WIDTH\": %lld, \"CAUSAL\": %lld", size_HEADS, size_LENGTH, size_WIDTH, size_CAUSAL);
		autotune_note(file, "attention", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   attention_run(&device, stream, HEADS, LENGTH, WIDTH, CAUSAL, Q, K, V, out)
 *
 *   Q              const void *
 *   K              const void *
 *   V              const void *
 *   out            void *
 *   scale          computed: 1.0 / sqrt(WIDTH)
 *   causal         computed: CAUSAL
 *   length         computed: LENGTH
 *
 * attention_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line ATTENTION_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. attention_run_by() launches with
 * functions of its caller.
 */
#define ATTENTION_RUN_PARAMETERS \
	, long long size_HEADS, long long size_LENGTH, long long size_WIDTH, long long size_CAUSAL, const void *argument_Q, const void *argument_K, const void *argument_V, void *argument_out
#define ATTENTION_RUN_ARGUMENTS \
	, size_HEADS, size_LENGTH, size_WIDTH, size_CAUSAL, argument_Q, argument_K, argument_V, argument_out

static inline int attention_run_by(struct autotune_runner *runner,
	const struct autotune_device *given ATTENTION_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? attention_choose(given, size_HEADS, size_LENGTH, size_WIDTH, size_CAUSAL).configuration : runner->configuration;
	int bad = 0;
	double value_scale = 0;
	float argument_scale = 0;
	long long value_causal = 0;
	int argument_causal = 0;
	long long value_length = 0;
	int argument_length = 0;
	int error;

	if (!given || configuration < 0 || !attention_fits(configuration, given, size_HEADS, size_LENGTH, size_WIDTH, size_CAUSAL))
		return runner->refused;
	value_scale = autotune_real_divide(1.0, autotune_real_sqrt(autotune_real(size_WIDTH, &bad), &bad), &bad);
	value_causal = size_CAUSAL;
	value_length = size_LENGTH;
	argument_scale = AUTOTUNE_CAST(float, value_scale);
	argument_causal = AUTOTUNE_CAST(int, value_causal);
	if (AUTOTUNE_CAST(long long, argument_causal) != value_causal)
		bad = 1;
	argument_length = AUTOTUNE_CAST(int, value_length);
	if (AUTOTUNE_CAST(long long, argument_length) != value_length)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	/* attention */
	if (!error) {
		void *arguments[] = { &argument_Q, &argument_K, &argument_V, &argument_out, &argument_scale, &argument_causal, &argument_length };
		const struct autotune_launch launch =
			attention_launch(configuration, given, size_HEADS, size_LENGTH, size_WIDTH, size_CAUSAL);
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
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_ATTENTION_RUN)
#define AUTOTUNE_ATTENTION_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const attention_0_kernels[1];
extern const void *const attention_1_kernels[1];
extern const void *const attention_2_kernels[1];
extern const void *const attention_3_kernels[1];
extern const void *const attention_4_kernels[1];
#ifdef __cplusplus
}
#endif

/* As attention_run(), with a configuration that was chosen before. */
static inline cudaError_t attention_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream ATTENTION_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { attention_0_kernels, attention_1_kernels, attention_2_kernels, attention_3_kernels, attention_4_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		attention_run_by(&runner, device ATTENTION_RUN_ARGUMENTS));
}

static inline cudaError_t attention_run(
	const struct autotune_device *device, cudaStream_t stream ATTENTION_RUN_PARAMETERS)
{
	return attention_run_configuration(
		AUTOTUNE_CHOOSE, device, stream ATTENTION_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef ATTENTION_SELECTED_DEVICE
#ifdef ATTENTION_DEVICE
#define ATTENTION_SELECTED_DEVICE AUTOTUNE_PASTE(ATTENTION_DEVICE_, ATTENTION_DEVICE)
#if !(ATTENTION_SELECTED_DEVICE > 0)
#error "ATTENTION_DEVICE is not one of: NVIDIA_H200"
#endif
#else
#define ATTENTION_SELECTED_DEVICE 0
#endif
#undef ATTENTION_SELECTED_PROBLEM
#ifdef ATTENTION_PROBLEM
#define ATTENTION_SELECTED_PROBLEM AUTOTUNE_PASTE(ATTENTION_PROBLEM_, ATTENTION_PROBLEM)
#if !(ATTENTION_SELECTED_PROBLEM > 0)
#error "ATTENTION_PROBLEM is not one of: CAUSAL_4096, ALL_4096, WIDTH_64"
#endif
#else
#define ATTENTION_SELECTED_PROBLEM 0
#endif
#undef ATTENTION_SELECTED
#ifdef ATTENTION_CONFIGURATION
#define ATTENTION_SELECTED AUTOTUNE_PASTE(ATTENTION_CONFIGURATION_, ATTENTION_CONFIGURATION)
#if !(ATTENTION_SELECTED > 0)
#error "ATTENTION_CONFIGURATION is no number from 0 to 4"
#endif
#elif ATTENTION_SELECTED_DEVICE == 1 && ATTENTION_SELECTED_PROBLEM == 1
#define ATTENTION_SELECTED 1
#elif ATTENTION_SELECTED_DEVICE == 0 && ATTENTION_SELECTED_PROBLEM == 1
#define ATTENTION_SELECTED 1
#elif ATTENTION_SELECTED_DEVICE == 1 && ATTENTION_SELECTED_PROBLEM == 2
#define ATTENTION_SELECTED 2
#elif ATTENTION_SELECTED_DEVICE == 0 && ATTENTION_SELECTED_PROBLEM == 2
#define ATTENTION_SELECTED 2
#elif ATTENTION_SELECTED_DEVICE == 1 && ATTENTION_SELECTED_PROBLEM == 3
#define ATTENTION_SELECTED 3
#elif ATTENTION_SELECTED_DEVICE == 0 && ATTENTION_SELECTED_PROBLEM == 3
#define ATTENTION_SELECTED 3
#elif ATTENTION_SELECTED_DEVICE > 0 && ATTENTION_SELECTED_PROBLEM > 0
#error "ATTENTION_PROBLEM was not measured on ATTENTION_DEVICE; there are: CAUSAL_4096 on NVIDIA_H200, ALL_4096 on NVIDIA_H200, WIDTH_64 on NVIDIA_H200"
#else
#define ATTENTION_SELECTED 0
#endif
#undef ATTENTION_DEPTH
#undef ATTENTION_WARPS
#undef ATTENTION_TILES
#undef ATTENTION_BLOCK_N
#undef ATTENTION_STAGES
#undef ATTENTION_COPY
#undef ATTENTION_COPY_NAME
#undef ATTENTION_LAYOUT
#undef ATTENTION_LAYOUT_NAME
#undef ATTENTION_QUERIES
#undef ATTENTION_QUERIES_NAME
#undef ATTENTION_ORDER
#undef ATTENTION_ORDER_NAME
#undef ATTENTION_NUMBER
#undef ATTENTION_OPTIONS
#undef ATTENTION_BLOCK_DIM_X
#undef ATTENTION_BLOCK_DIM_Y
#undef ATTENTION_BLOCK_DIM_Z
#undef ATTENTION_SHARED_BYTES
#if ATTENTION_SELECTED == 1
#define ATTENTION_DEPTH ATTENTION_0_DEPTH
#define ATTENTION_WARPS ATTENTION_0_WARPS
#define ATTENTION_TILES ATTENTION_0_TILES
#define ATTENTION_BLOCK_N ATTENTION_0_BLOCK_N
#define ATTENTION_STAGES ATTENTION_0_STAGES
#define ATTENTION_COPY ATTENTION_0_COPY
#define ATTENTION_COPY_NAME ATTENTION_0_COPY_NAME
#define ATTENTION_LAYOUT ATTENTION_0_LAYOUT
#define ATTENTION_LAYOUT_NAME ATTENTION_0_LAYOUT_NAME
#define ATTENTION_QUERIES ATTENTION_0_QUERIES
#define ATTENTION_QUERIES_NAME ATTENTION_0_QUERIES_NAME
#define ATTENTION_ORDER ATTENTION_0_ORDER
#define ATTENTION_ORDER_NAME ATTENTION_0_ORDER_NAME
#define ATTENTION_NUMBER ATTENTION_0_NUMBER
#define ATTENTION_OPTIONS ATTENTION_0_OPTIONS
#define ATTENTION_BLOCK_DIM_X ATTENTION_0_BLOCK_DIM_X
#define ATTENTION_BLOCK_DIM_Y ATTENTION_0_BLOCK_DIM_Y
#define ATTENTION_BLOCK_DIM_Z ATTENTION_0_BLOCK_DIM_Z
#define ATTENTION_SHARED_BYTES ATTENTION_0_SHARED_BYTES
#elif ATTENTION_SELECTED == 2
#define ATTENTION_DEPTH ATTENTION_1_DEPTH
#define ATTENTION_WARPS ATTENTION_1_WARPS
#define ATTENTION_TILES ATTENTION_1_TILES
#define ATTENTION_BLOCK_N ATTENTION_1_BLOCK_N
#define ATTENTION_STAGES ATTENTION_1_STAGES
#define ATTENTION_COPY ATTENTION_1_COPY
#define ATTENTION_COPY_NAME ATTENTION_1_COPY_NAME
#define ATTENTION_LAYOUT ATTENTION_1_LAYOUT
#define ATTENTION_LAYOUT_NAME ATTENTION_1_LAYOUT_NAME
#define ATTENTION_QUERIES ATTENTION_1_QUERIES
#define ATTENTION_QUERIES_NAME ATTENTION_1_QUERIES_NAME
#define ATTENTION_ORDER ATTENTION_1_ORDER
#define ATTENTION_ORDER_NAME ATTENTION_1_ORDER_NAME
#define ATTENTION_NUMBER ATTENTION_1_NUMBER
#define ATTENTION_OPTIONS ATTENTION_1_OPTIONS
#define ATTENTION_BLOCK_DIM_X ATTENTION_1_BLOCK_DIM_X
#define ATTENTION_BLOCK_DIM_Y ATTENTION_1_BLOCK_DIM_Y
#define ATTENTION_BLOCK_DIM_Z ATTENTION_1_BLOCK_DIM_Z
#define ATTENTION_SHARED_BYTES ATTENTION_1_SHARED_BYTES
#elif ATTENTION_SELECTED == 3
#define ATTENTION_DEPTH ATTENTION_2_DEPTH
#define ATTENTION_WARPS ATTENTION_2_WARPS
#define ATTENTION_TILES ATTENTION_2_TILES
#define ATTENTION_BLOCK_N ATTENTION_2_BLOCK_N
#define ATTENTION_STAGES ATTENTION_2_STAGES
#define ATTENTION_COPY ATTENTION_2_COPY
#define ATTENTION_COPY_NAME ATTENTION_2_COPY_NAME
#define ATTENTION_LAYOUT ATTENTION_2_LAYOUT
#define ATTENTION_LAYOUT_NAME ATTENTION_2_LAYOUT_NAME
#define ATTENTION_QUERIES ATTENTION_2_QUERIES
#define ATTENTION_QUERIES_NAME ATTENTION_2_QUERIES_NAME
#define ATTENTION_ORDER ATTENTION_2_ORDER
#define ATTENTION_ORDER_NAME ATTENTION_2_ORDER_NAME
#define ATTENTION_NUMBER ATTENTION_2_NUMBER
#define ATTENTION_OPTIONS ATTENTION_2_OPTIONS
#define ATTENTION_BLOCK_DIM_X ATTENTION_2_BLOCK_DIM_X
#define ATTENTION_BLOCK_DIM_Y ATTENTION_2_BLOCK_DIM_Y
#define ATTENTION_BLOCK_DIM_Z ATTENTION_2_BLOCK_DIM_Z
#define ATTENTION_SHARED_BYTES ATTENTION_2_SHARED_BYTES
#elif ATTENTION_SELECTED == 4
#define ATTENTION_DEPTH ATTENTION_3_DEPTH
#define ATTENTION_WARPS ATTENTION_3_WARPS
#define ATTENTION_TILES ATTENTION_3_TILES
#define ATTENTION_BLOCK_N ATTENTION_3_BLOCK_N
#define ATTENTION_STAGES ATTENTION_3_STAGES
#define ATTENTION_COPY ATTENTION_3_COPY
#define ATTENTION_COPY_NAME ATTENTION_3_COPY_NAME
#define ATTENTION_LAYOUT ATTENTION_3_LAYOUT
#define ATTENTION_LAYOUT_NAME ATTENTION_3_LAYOUT_NAME
#define ATTENTION_QUERIES ATTENTION_3_QUERIES
#define ATTENTION_QUERIES_NAME ATTENTION_3_QUERIES_NAME
#define ATTENTION_ORDER ATTENTION_3_ORDER
#define ATTENTION_ORDER_NAME ATTENTION_3_ORDER_NAME
#define ATTENTION_NUMBER ATTENTION_3_NUMBER
#define ATTENTION_OPTIONS ATTENTION_3_OPTIONS
#define ATTENTION_BLOCK_DIM_X ATTENTION_3_BLOCK_DIM_X
#define ATTENTION_BLOCK_DIM_Y ATTENTION_3_BLOCK_DIM_Y
#define ATTENTION_BLOCK_DIM_Z ATTENTION_3_BLOCK_DIM_Z
#define ATTENTION_SHARED_BYTES ATTENTION_3_SHARED_BYTES
#elif ATTENTION_SELECTED == 5
#define ATTENTION_DEPTH ATTENTION_4_DEPTH
#define ATTENTION_WARPS ATTENTION_4_WARPS
#define ATTENTION_TILES ATTENTION_4_TILES
#define ATTENTION_BLOCK_N ATTENTION_4_BLOCK_N
#define ATTENTION_STAGES ATTENTION_4_STAGES
#define ATTENTION_COPY ATTENTION_4_COPY
#define ATTENTION_COPY_NAME ATTENTION_4_COPY_NAME
#define ATTENTION_LAYOUT ATTENTION_4_LAYOUT
#define ATTENTION_LAYOUT_NAME ATTENTION_4_LAYOUT_NAME
#define ATTENTION_QUERIES ATTENTION_4_QUERIES
#define ATTENTION_QUERIES_NAME ATTENTION_4_QUERIES_NAME
#define ATTENTION_ORDER ATTENTION_4_ORDER
#define ATTENTION_ORDER_NAME ATTENTION_4_ORDER_NAME
#define ATTENTION_NUMBER ATTENTION_4_NUMBER
#define ATTENTION_OPTIONS ATTENTION_4_OPTIONS
#define ATTENTION_BLOCK_DIM_X ATTENTION_4_BLOCK_DIM_X
#define ATTENTION_BLOCK_DIM_Y ATTENTION_4_BLOCK_DIM_Y
#define ATTENTION_BLOCK_DIM_Z ATTENTION_4_BLOCK_DIM_Z
#define ATTENTION_SHARED_BYTES ATTENTION_4_SHARED_BYTES
#endif
#ifdef ATTENTION_BARE
#if ATTENTION_SELECTED == 1
#undef DEPTH
#define DEPTH 128
#undef WARPS
#define WARPS 8
#undef TILES
#define TILES 1
#undef BLOCK_N
#define BLOCK_N 128
#undef STAGES
#define STAGES 2
#undef COPY_registers
#define COPY_registers 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef LAYOUT_plain
#define LAYOUT_plain 1
#undef LAYOUT_padded
#define LAYOUT_padded 2
#undef LAYOUT_swizzled
#define LAYOUT_swizzled 3
#undef LAYOUT
#define LAYOUT LAYOUT_swizzled
#undef QUERIES_registers
#define QUERIES_registers 1
#undef QUERIES_shared
#define QUERIES_shared 2
#undef QUERIES
#define QUERIES QUERIES_registers
#undef ORDER_first
#define ORDER_first 1
#undef ORDER_last
#define ORDER_last 2
#undef ORDER
#define ORDER ORDER_last
#ifdef ATTENTION_CONFIGURATION
#undef attention
#define attention attention_0
#undef attention_reference
#define attention_reference attention_0_attention_reference
#undef ATTENTION_ENTRY
#define ATTENTION_ENTRY extern "C" const void *const attention_0_kernels[1]; \
	const void *const attention_0_kernels[1] = { reinterpret_cast<const void *>(&attention) }
#endif
#elif ATTENTION_SELECTED == 2
#undef DEPTH
#define DEPTH 128
#undef WARPS
#define WARPS 8
#undef TILES
#define TILES 2
#undef BLOCK_N
#define BLOCK_N 128
#undef STAGES
#define STAGES 2
#undef COPY_registers
#define COPY_registers 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef LAYOUT_plain
#define LAYOUT_plain 1
#undef LAYOUT_padded
#define LAYOUT_padded 2
#undef LAYOUT_swizzled
#define LAYOUT_swizzled 3
#undef LAYOUT
#define LAYOUT LAYOUT_padded
#undef QUERIES_registers
#define QUERIES_registers 1
#undef QUERIES_shared
#define QUERIES_shared 2
#undef QUERIES
#define QUERIES QUERIES_shared
#undef ORDER_first
#define ORDER_first 1
#undef ORDER_last
#define ORDER_last 2
#undef ORDER
#define ORDER ORDER_first
#ifdef ATTENTION_CONFIGURATION
#undef attention
#define attention attention_1
#undef attention_reference
#define attention_reference attention_1_attention_reference
#undef ATTENTION_ENTRY
#define ATTENTION_ENTRY extern "C" const void *const attention_1_kernels[1]; \
	const void *const attention_1_kernels[1] = { reinterpret_cast<const void *>(&attention) }
#endif
#elif ATTENTION_SELECTED == 3
#undef DEPTH
#define DEPTH 64
#undef WARPS
#define WARPS 4
#undef TILES
#define TILES 2
#undef BLOCK_N
#define BLOCK_N 128
#undef STAGES
#define STAGES 3
#undef COPY_registers
#define COPY_registers 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_async
#undef LAYOUT_plain
#define LAYOUT_plain 1
#undef LAYOUT_padded
#define LAYOUT_padded 2
#undef LAYOUT_swizzled
#define LAYOUT_swizzled 3
#undef LAYOUT
#define LAYOUT LAYOUT_swizzled
#undef QUERIES_registers
#define QUERIES_registers 1
#undef QUERIES_shared
#define QUERIES_shared 2
#undef QUERIES
#define QUERIES QUERIES_registers
#undef ORDER_first
#define ORDER_first 1
#undef ORDER_last
#define ORDER_last 2
#undef ORDER
#define ORDER ORDER_first
#ifdef ATTENTION_CONFIGURATION
#undef attention
#define attention attention_2
#undef attention_reference
#define attention_reference attention_2_attention_reference
#undef ATTENTION_ENTRY
#define ATTENTION_ENTRY extern "C" const void *const attention_2_kernels[1]; \
	const void *const attention_2_kernels[1] = { reinterpret_cast<const void *>(&attention) }
#endif
#elif ATTENTION_SELECTED == 4
#undef DEPTH
#define DEPTH 128
#undef WARPS
#define WARPS 4
#undef TILES
#define TILES 1
#undef BLOCK_N
#define BLOCK_N 64
#undef STAGES
#define STAGES 1
#undef COPY_registers
#define COPY_registers 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_registers
#undef LAYOUT_plain
#define LAYOUT_plain 1
#undef LAYOUT_padded
#define LAYOUT_padded 2
#undef LAYOUT_swizzled
#define LAYOUT_swizzled 3
#undef LAYOUT
#define LAYOUT LAYOUT_plain
#undef QUERIES_registers
#define QUERIES_registers 1
#undef QUERIES_shared
#define QUERIES_shared 2
#undef QUERIES
#define QUERIES QUERIES_shared
#undef ORDER_first
#define ORDER_first 1
#undef ORDER_last
#define ORDER_last 2
#undef ORDER
#define ORDER ORDER_first
#ifdef ATTENTION_CONFIGURATION
#undef attention
#define attention attention_3
#undef attention_reference
#define attention_reference attention_3_attention_reference
#undef ATTENTION_ENTRY
#define ATTENTION_ENTRY extern "C" const void *const attention_3_kernels[1]; \
	const void *const attention_3_kernels[1] = { reinterpret_cast<const void *>(&attention) }
#endif
#elif ATTENTION_SELECTED == 5
#undef DEPTH
#define DEPTH 64
#undef WARPS
#define WARPS 4
#undef TILES
#define TILES 1
#undef BLOCK_N
#define BLOCK_N 64
#undef STAGES
#define STAGES 1
#undef COPY_registers
#define COPY_registers 1
#undef COPY_async
#define COPY_async 2
#undef COPY
#define COPY COPY_registers
#undef LAYOUT_plain
#define LAYOUT_plain 1
#undef LAYOUT_padded
#define LAYOUT_padded 2
#undef LAYOUT_swizzled
#define LAYOUT_swizzled 3
#undef LAYOUT
#define LAYOUT LAYOUT_plain
#undef QUERIES_registers
#define QUERIES_registers 1
#undef QUERIES_shared
#define QUERIES_shared 2
#undef QUERIES
#define QUERIES QUERIES_shared
#undef ORDER_first
#define ORDER_first 1
#undef ORDER_last
#define ORDER_last 2
#undef ORDER
#define ORDER ORDER_first
#ifdef ATTENTION_CONFIGURATION
#undef attention
#define attention attention_4
#undef attention_reference
#define attention_reference attention_4_attention_reference
#undef ATTENTION_ENTRY
#define ATTENTION_ENTRY extern "C" const void *const attention_4_kernels[1]; \
	const void *const attention_4_kernels[1] = { reinterpret_cast<const void *>(&attention) }
#endif
#else
#error "ATTENTION_BARE: say of which configuration, with ATTENTION_CONFIGURATION, or with ATTENTION_DEVICE and ATTENTION_PROBLEM"
#endif
#endif
