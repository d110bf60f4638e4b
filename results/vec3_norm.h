/*
 * vec3_norm: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     016de2b52e17186ef5fc5395bb310f29 vec3_norm.cfg
 *   template  af9200a04f40b1f2ef4f68f9745f3784 vec3_norm.cu
 *   contents  0b1e532c46e06b0877b015fc17402b5b
 */
/*
 * vec3_norm: 2 configurations, baselines included. The fastest correct ones are, for
 *
 * vectors_2_25 on NVIDIA H100 80GB HBM3 (sm_90): N = 33554432
 *   configuration  0: LAYOUT=packed BLOCK=128 UNROLL=2
 *   time           171.15 us (95 % interval 170.92 to 171.37)
 *   speed-up       1.06 over the baseline (95 % interval 1.058 to 1.062)
 *   chosen from    95 evaluations, 95 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:21Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a3a31fe7fffbffe25df658dd0a90b81c
 *
 * vectors_2_25 on NVIDIA H200 (sm_90): N = 33554432
 *   configuration  0: LAYOUT=packed BLOCK=128 UNROLL=2
 *   time           122.06 us (95 % interval 121.87 to 122.25)
 *   speed-up       1.129 over the baseline (95 % interval 1.121 to 1.138)
 *   chosen from    95 evaluations, 95 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:58Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a3a31fe7aa6597e66e786095f84c09e3
 *
 * To choose a configuration when the program runs: vec3_norm_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * vec3_norm_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of VEC3_NORM_CONFIGURATIONS in a translation unit of its own:
 * define VEC3_NORM_CONFIGURATION as n, define VEC3_NORM_BARE, include this header, then
 * the template. Its kernel is called vec3_norm_n there. Give the compiler
 * VEC3_NORM_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names VEC3_NORM_... without a
 * number belong to one configuration. Define VEC3_NORM_CONFIGURATION, or
 * VEC3_NORM_DEVICE and VEC3_NORM_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. VEC3_NORM_BARE also defines the
 * names that the template reads.
 */

#include "autotune.h"
#if AUTOTUNE_RUNTIME != 5
#error "autotune.h is of another version of autotune than this header: write all of them again with autotune header"
#endif

#ifndef AUTOTUNE_VEC3_NORM_H
#define AUTOTUNE_VEC3_NORM_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_VEC3_NORM_CONTENTS 0x779bc22cd0c6b110ULL

/* the values that VEC3_NORM_CONFIGURATION, VEC3_NORM_DEVICE and VEC3_NORM_PROBLEM may have */
#define VEC3_NORM_CONFIGURATION_0 1
#define VEC3_NORM_CONFIGURATION_1 2
#define VEC3_NORM_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define VEC3_NORM_DEVICE_NVIDIA_H200 2
#define VEC3_NORM_PROBLEM_VECTORS_2_25 1

/* X(number, kernel) for every configuration */
#define VEC3_NORM_CONFIGURATION_COUNT 2
#define VEC3_NORM_CONFIGURATIONS(X) \
	X(0, vec3_norm_0) \
	X(1, vec3_norm_1)
#define VEC3_NORM_DEVICE_COUNT 2
#define VEC3_NORM_LAYOUT_packed 1
#define VEC3_NORM_LAYOUT_aligned 2
#define VEC3_NORM_LAYOUT_soa 3
#define VEC3_NORM_LAYOUT_staged 4

#define VEC3_NORM_0_LAYOUT 1
#define VEC3_NORM_0_LAYOUT_NAME "packed"
#define VEC3_NORM_0_BLOCK 128
#define VEC3_NORM_0_UNROLL 2
#define VEC3_NORM_0_NUMBER 0
#define VEC3_NORM_0_OPTIONS ""
#define VEC3_NORM_0_BLOCK_DIM_X 128
#define VEC3_NORM_0_BLOCK_DIM_Y 1
#define VEC3_NORM_0_BLOCK_DIM_Z 1
#define VEC3_NORM_0_SHARED_BYTES 0

#define VEC3_NORM_1_LAYOUT 1
#define VEC3_NORM_1_LAYOUT_NAME "packed"
#define VEC3_NORM_1_BLOCK 256
#define VEC3_NORM_1_UNROLL 1
#define VEC3_NORM_1_NUMBER 1
#define VEC3_NORM_1_OPTIONS ""
#define VEC3_NORM_1_BLOCK_DIM_X 256
#define VEC3_NORM_1_BLOCK_DIM_Y 1
#define VEC3_NORM_1_BLOCK_DIM_Z 1
#define VEC3_NORM_1_SHARED_BYTES 0

#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_CONFIGURATION 0
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_TIME_NS 171145.871987419
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_TIME_LOW_NS 170921.094063858
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_TIME_HIGH_NS 171370.945515891
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_SPEEDUP 1.05982808149071
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_SPEEDUP_LOW 1.05777041034117
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_SPEEDUP_HIGH 1.06188975540921

#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_CONFIGURATION 0
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_TIME_NS 122058.550574662
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_TIME_LOW_NS 121866.771560346
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_TIME_HIGH_NS 122250.631387325
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_SPEEDUP 1.12928893213512
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_SPEEDUP_LOW 1.1205055759807
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_SPEEDUP_HIGH 1.13814113876828

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *vec3_norm_device(int index)
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
static inline struct autotune_device vec3_norm_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, vec3_norm_device(i)))
			autotune_fill(&complete, vec3_norm_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch vec3_norm_launch(
	int configuration, const struct autotune_device *given, long long size_N)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 128LL;
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

static inline struct autotune_launch vec3_norm_launch_prepare(
	int configuration, const struct autotune_device *given, long long size_N)
{
	long long amounts[18] = AUTOTUNE_AMOUNTS;
	int bad = 0;

	(void)given;
	(void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
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
static inline int vec3_norm_fits(
	int configuration, const struct autotune_device *given, long long size_N)
{
	const struct autotune_device complete = vec3_norm_complete(given);
	struct autotune_launch launch;
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 134217728LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 15;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 11;
		break;
	default:
		break;
	}
	launch = vec3_norm_launch(configuration, given, size_N);
	bad |= !autotune_fits(&launch, &complete, static_bytes, registers);
	return !bad;
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice vec3_norm_choose(
	const struct autotune_device *device, long long size_N)
{
	/* the sizes that were measured */
	static const double recorded[][1] = {
		{ 33554432 }, /* vectors_2_25 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* vectors_2_25 on NVIDIA H100 80GB HBM3 */
		{ 0, 1, 0, 0 }, /* vectors_2_25 on NVIDIA H200 */
		{ 1, 0, 0, 1 }, /* vectors_2_25 on NVIDIA H100 80GB HBM3 */
		{ 1, 1, 0, 1 }, /* vectors_2_25 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N) };
	const char *const file = autotune_record_file();
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N;
	for (i = 0; device && i < 4; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			vec3_norm_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 1);

		if (autotune_is_better(&rank, &best) &&
			vec3_norm_fits(entries[i][0], device, size_N)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
#ifndef __CUDACC_RTC__
	if (file && device && !autotune_is_near(&best, 1)) {
		char text[128];

		snprintf(text, sizeof(text), "\"N\": %lld", size_N);
		autotune_note(file, "vec3_norm", device, &choice, text);
	}
#endif
	(void)file;
	return choice;
}
/*
 * Launches the best configuration:
 *
 *   vec3_norm_run(&device, stream, N, packed, norms)
 *
 *   packed         const float *
 *   vectors        scratch, which it allocates in the stream
 *   norms          float *
 *   n              computed: N
 *   pitch          computed: round_up(N, 32)
 *
 * vec3_norm_run() needs the header of the CUDA runtime before this one, and the units of
 * all configurations, each with the line VEC3_NORM_ENTRY; after the template. It returns
 * cudaErrorInvalidConfiguration if no configuration fits. vec3_norm_run_by() launches with
 * functions of its caller.
 */
#define VEC3_NORM_RUN_PARAMETERS \
	, long long size_N, const float *argument_packed, float *argument_norms
#define VEC3_NORM_RUN_ARGUMENTS \
	, size_N, argument_packed, argument_norms

static inline int vec3_norm_run_by(struct autotune_runner *runner,
	const struct autotune_device *given VEC3_NORM_RUN_PARAMETERS)
{
	const int configuration = runner->configuration == AUTOTUNE_CHOOSE
		? vec3_norm_choose(given, size_N).configuration : runner->configuration;
	int bad = 0;
	void *memory_vectors = AUTOTUNE_NULL;
	long long count_vectors = 0;
	float *argument_vectors = AUTOTUNE_NULL;
	long long value_n = 0;
	long long argument_n = 0;
	long long value_pitch = 0;
	long long argument_pitch = 0;
	int error;

	if (!given || configuration < 0 || !vec3_norm_fits(configuration, given, size_N))
		return runner->refused;
	count_vectors = autotune_multiply(3LL, size_N, &bad);
	value_n = size_N;
	value_pitch = autotune_round_up(size_N, 32LL, &bad);
	count_vectors = autotune_multiply(count_vectors, 4LL, &bad);
	if (count_vectors < 1)
		bad = 1;
	argument_n = AUTOTUNE_CAST(long long, value_n);
	if (AUTOTUNE_CAST(long long, argument_n) != value_n)
		bad = 1;
	argument_pitch = AUTOTUNE_CAST(long long, value_pitch);
	if (AUTOTUNE_CAST(long long, argument_pitch) != value_pitch)
		bad = 1;
	if (bad)
		return runner->refused;
	error = runner->begin(runner, configuration, given);
	if (!error)
		error = runner->allocate(runner, &memory_vectors,
			AUTOTUNE_CAST(unsigned long long, count_vectors));
	argument_vectors = AUTOTUNE_CAST(float *, memory_vectors);
	/* to_layout */
	if (!error) {
		void *arguments[] = { &argument_packed, &argument_vectors, &argument_n, &argument_pitch };
		const struct autotune_launch launch =
			vec3_norm_launch_prepare(configuration, given, size_N);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 1, &launch, arguments);
		}
	}
	/* vec3_norm */
	if (!error) {
		void *arguments[] = { &argument_vectors, &argument_norms, &argument_n, &argument_pitch };
		const struct autotune_launch launch =
			vec3_norm_launch(configuration, given, size_N);
		long long left;

		if (launch.repeats < 0)
			error = runner->refused;
		for (left = launch.repeats; left > 0 && !error; left--) {
			error = runner->launch(runner, 0, &launch, arguments);
		}
	}
	if (memory_vectors) {
		const int failed = runner->release(runner, memory_vectors);

		error = error ? error : failed;
	}
	return error;
}

#endif

/* outside of the guard: a unit may include the header of CUDA later */
#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_VEC3_NORM_RUN)
#define AUTOTUNE_VEC3_NORM_RUN
#ifdef __cplusplus
extern "C" {
#endif
extern const void *const vec3_norm_0_kernels[2];
extern const void *const vec3_norm_1_kernels[2];
#ifdef __cplusplus
}
#endif

/* As vec3_norm_run(), with a configuration that was chosen before. */
static inline cudaError_t vec3_norm_run_configuration(int configuration,
	const struct autotune_device *device, cudaStream_t stream VEC3_NORM_RUN_PARAMETERS)
{
	static const void *const *kernels[] = { vec3_norm_0_kernels, vec3_norm_1_kernels };
	struct autotune_runner runner =
		autotune_runtime_runner(kernels, configuration, stream);

	return AUTOTUNE_CAST(cudaError_t,
		vec3_norm_run_by(&runner, device VEC3_NORM_RUN_ARGUMENTS));
}

static inline cudaError_t vec3_norm_run(
	const struct autotune_device *device, cudaStream_t stream VEC3_NORM_RUN_PARAMETERS)
{
	return vec3_norm_run_configuration(
		AUTOTUNE_CHOOSE, device, stream VEC3_NORM_RUN_ARGUMENTS);
}
#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef VEC3_NORM_SELECTED_DEVICE
#ifdef VEC3_NORM_DEVICE
#define VEC3_NORM_SELECTED_DEVICE AUTOTUNE_PASTE(VEC3_NORM_DEVICE_, VEC3_NORM_DEVICE)
#if !(VEC3_NORM_SELECTED_DEVICE > 0)
#error "VEC3_NORM_DEVICE is not one of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define VEC3_NORM_SELECTED_DEVICE 0
#endif
#undef VEC3_NORM_SELECTED_PROBLEM
#ifdef VEC3_NORM_PROBLEM
#define VEC3_NORM_SELECTED_PROBLEM AUTOTUNE_PASTE(VEC3_NORM_PROBLEM_, VEC3_NORM_PROBLEM)
#if !(VEC3_NORM_SELECTED_PROBLEM > 0)
#error "VEC3_NORM_PROBLEM is not one of: VECTORS_2_25"
#endif
#else
#define VEC3_NORM_SELECTED_PROBLEM 0
#endif
#undef VEC3_NORM_SELECTED
#ifdef VEC3_NORM_CONFIGURATION
#define VEC3_NORM_SELECTED AUTOTUNE_PASTE(VEC3_NORM_CONFIGURATION_, VEC3_NORM_CONFIGURATION)
#if !(VEC3_NORM_SELECTED > 0)
#error "VEC3_NORM_CONFIGURATION is no number from 0 to 1"
#endif
#elif VEC3_NORM_SELECTED_DEVICE == 1 && VEC3_NORM_SELECTED_PROBLEM == 1
#define VEC3_NORM_SELECTED 1
#elif VEC3_NORM_SELECTED_DEVICE == 1 && VEC3_NORM_SELECTED_PROBLEM == 0
#define VEC3_NORM_SELECTED 1
#elif VEC3_NORM_SELECTED_DEVICE == 2 && VEC3_NORM_SELECTED_PROBLEM == 1
#define VEC3_NORM_SELECTED 1
#elif VEC3_NORM_SELECTED_DEVICE == 2 && VEC3_NORM_SELECTED_PROBLEM == 0
#define VEC3_NORM_SELECTED 1
#elif VEC3_NORM_SELECTED_DEVICE > 0 && VEC3_NORM_SELECTED_PROBLEM > 0
#error "VEC3_NORM_PROBLEM was not measured on VEC3_NORM_DEVICE; there are: VECTORS_2_25 on NVIDIA_H100_80GB_HBM3, VECTORS_2_25 on NVIDIA_H200"
#else
#define VEC3_NORM_SELECTED 0
#endif
#undef VEC3_NORM_LAYOUT
#undef VEC3_NORM_LAYOUT_NAME
#undef VEC3_NORM_BLOCK
#undef VEC3_NORM_UNROLL
#undef VEC3_NORM_NUMBER
#undef VEC3_NORM_OPTIONS
#undef VEC3_NORM_BLOCK_DIM_X
#undef VEC3_NORM_BLOCK_DIM_Y
#undef VEC3_NORM_BLOCK_DIM_Z
#undef VEC3_NORM_SHARED_BYTES
#if VEC3_NORM_SELECTED == 1
#define VEC3_NORM_LAYOUT VEC3_NORM_0_LAYOUT
#define VEC3_NORM_LAYOUT_NAME VEC3_NORM_0_LAYOUT_NAME
#define VEC3_NORM_BLOCK VEC3_NORM_0_BLOCK
#define VEC3_NORM_UNROLL VEC3_NORM_0_UNROLL
#define VEC3_NORM_NUMBER VEC3_NORM_0_NUMBER
#define VEC3_NORM_OPTIONS VEC3_NORM_0_OPTIONS
#define VEC3_NORM_BLOCK_DIM_X VEC3_NORM_0_BLOCK_DIM_X
#define VEC3_NORM_BLOCK_DIM_Y VEC3_NORM_0_BLOCK_DIM_Y
#define VEC3_NORM_BLOCK_DIM_Z VEC3_NORM_0_BLOCK_DIM_Z
#define VEC3_NORM_SHARED_BYTES VEC3_NORM_0_SHARED_BYTES
#elif VEC3_NORM_SELECTED == 2
#define VEC3_NORM_LAYOUT VEC3_NORM_1_LAYOUT
#define VEC3_NORM_LAYOUT_NAME VEC3_NORM_1_LAYOUT_NAME
#define VEC3_NORM_BLOCK VEC3_NORM_1_BLOCK
#define VEC3_NORM_UNROLL VEC3_NORM_1_UNROLL
#define VEC3_NORM_NUMBER VEC3_NORM_1_NUMBER
#define VEC3_NORM_OPTIONS VEC3_NORM_1_OPTIONS
#define VEC3_NORM_BLOCK_DIM_X VEC3_NORM_1_BLOCK_DIM_X
#define VEC3_NORM_BLOCK_DIM_Y VEC3_NORM_1_BLOCK_DIM_Y
#define VEC3_NORM_BLOCK_DIM_Z VEC3_NORM_1_BLOCK_DIM_Z
#define VEC3_NORM_SHARED_BYTES VEC3_NORM_1_SHARED_BYTES
#endif
#ifdef VEC3_NORM_BARE
#if VEC3_NORM_SELECTED == 1
#undef LAYOUT_packed
#define LAYOUT_packed 1
#undef LAYOUT_aligned
#define LAYOUT_aligned 2
#undef LAYOUT_soa
#define LAYOUT_soa 3
#undef LAYOUT_staged
#define LAYOUT_staged 4
#undef LAYOUT
#define LAYOUT LAYOUT_packed
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#ifdef VEC3_NORM_CONFIGURATION
#undef vec3_norm
#define vec3_norm vec3_norm_0
#undef to_layout
#define to_layout vec3_norm_0_to_layout
#undef vec3_norm_reference
#define vec3_norm_reference vec3_norm_0_vec3_norm_reference
#undef VEC3_NORM_ENTRY
#define VEC3_NORM_ENTRY extern "C" const void *const vec3_norm_0_kernels[2]; \
	const void *const vec3_norm_0_kernels[2] = { reinterpret_cast<const void *>(&vec3_norm), reinterpret_cast<const void *>(&to_layout) }
#endif
#elif VEC3_NORM_SELECTED == 2
#undef LAYOUT_packed
#define LAYOUT_packed 1
#undef LAYOUT_aligned
#define LAYOUT_aligned 2
#undef LAYOUT_soa
#define LAYOUT_soa 3
#undef LAYOUT_staged
#define LAYOUT_staged 4
#undef LAYOUT
#define LAYOUT LAYOUT_packed
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 1
#ifdef VEC3_NORM_CONFIGURATION
#undef vec3_norm
#define vec3_norm vec3_norm_1
#undef to_layout
#define to_layout vec3_norm_1_to_layout
#undef vec3_norm_reference
#define vec3_norm_reference vec3_norm_1_vec3_norm_reference
#undef VEC3_NORM_ENTRY
#define VEC3_NORM_ENTRY extern "C" const void *const vec3_norm_1_kernels[2]; \
	const void *const vec3_norm_1_kernels[2] = { reinterpret_cast<const void *>(&vec3_norm), reinterpret_cast<const void *>(&to_layout) }
#endif
#else
#error "VEC3_NORM_BARE: say of which configuration, with VEC3_NORM_CONFIGURATION, or with VEC3_NORM_DEVICE and VEC3_NORM_PROBLEM"
#endif
#endif
