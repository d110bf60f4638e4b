/* Ceilings of a device: on the processor, and on a fake device with faults. The whole
   path through `autotune devices` is in tests/test_program_devices.c. */
#include "kept_unit.h"
#include "base/memory.h"
#include "device/device.h"
#include "fake_device.h"
#include "kernel/compile.h"
#include "kernel/toolchain.h"
#include "measure/ceilings.h"

#include <math.h>

#include "suite.h"

#define MEMORY_BYTES ((uint64_t)64 << 20)
#define BUFFER_BYTES (MEMORY_BYTES / 8)
#define SAMPLE_NS 1e7

/* ---- two devices ------------------------------------------------------------- */

/* The processor, with the true kernels; some tests give it a clock of their own. */
static struct at_device *host;
static const struct at_device_ops *host_ops;
static struct at_compile_result image;

/* Device "test": the same kernels as functions, the cheating is its own. */
static struct at_device *cheat;
static struct at_compile_result cheat_image;

static void fill(const struct fake_launch *launch)
{
	memset(fake_pointer(launch, 0), (int)fake_u64(launch, 2),
		16 * fake_u64(launch, 1));
}

static void check(const struct fake_launch *launch)
{
	const unsigned char *data = fake_pointer(launch, 0);

	for (uint64_t i = 0; i < fake_u64(launch, 1); i++)
		*(uint64_t *)fake_pointer(launch, 3) +=
			data[16 * i] != (unsigned char)fake_u64(launch, 2);
}

static void copy(const struct fake_launch *launch)
{
	memcpy(fake_pointer(launch, 0), fake_pointer(launch, 1),
		16 * fake_u64(launch, 2));
}

/* of floats and of doubles: every thread says that it did what it was to do */
static void chains(const struct fake_launch *launch)
{
	uint32_t threads = launch->invocation->grid[0] * launch->invocation->block[0];
	double *done = fake_pointer(launch, 3);

	for (uint32_t i = 0; i < threads; i++)
		done[i] = 64.0 * fake_u32(launch, 2);
}

static double sample_ns(const struct fake_launch *launch)
{
	return SAMPLE_NS;
}

static double half_a_sample_ns(const struct fake_launch *launch)
{
	return SAMPLE_NS / 2;
}

static const struct fake_kernel kernels[] = {
	{ "at_ceiling_fill", fill, NULL },
	{ "at_ceiling_check", check, NULL },
	{ "at_ceiling_copy_wide", copy, sample_ns },
	{ "at_ceiling_copy_deep", copy, sample_ns },
	{ "at_ceiling_copy_run", copy, half_a_sample_ns },
	{ "at_ceiling_float", chains, sample_ns },
	{ "at_ceiling_double", chains, sample_ns },
	{ NULL, NULL, NULL },
};

static void open_cheat(double copy_ns)
{
	if (cheat)
		cheat->ops->close(cheat);
	fake = (struct fake_device){
		.kernels = kernels, .memory_bytes = MEMORY_BYTES, .copy_ns = copy_ns
	};
	assert_ok(fake_device_kind.open(0, &cheat, NULL));
	assert_ok(cheat->ops->wake(cheat, NULL));
}

static int begin_cheat(void **state)
{
	const struct at_compile_request request = {
		.name = (char *)"ceilings.cu",
		.source = (char *)"",
		.kernel_count = at_ceilings_kernel_count,
		.kernels = (char **)at_ceilings_kernels,
	};

	cheat = NULL;
	open_cheat(0);
	memset(&cheat_image, 0, sizeof(cheat_image));
	assert_ok(fake_toolchain.compile(&request, &cheat_image, NULL));
	return 0;
}

static int end_cheat(void **state)
{
	at_compile_result_release(&cheat_image);
	cheat->ops->close(cheat);
	return 0;
}

#define CHEAT(name) TEST_WITH(name, begin_cheat, end_cheat)

/* what became of the device that cheats, whatever came of it */
static enum at_status measure(struct at_ceilings *out, struct at_error *err)
{
	enum at_status status = at_ceilings_measure(
		cheat, cheat_image.image, cheat_image.image_bytes, out, err);

	assert_int_equal(fake.calls_after_loss, 0);
	assert_int_equal(fake.live, fake.lost ? 4 : 0);
	return status;
}

static void expect_ceilings(enum at_status status, const struct at_ceilings *out,
	const struct at_error *err)
{
	if (status)
		fail_msg("%s", err->text);
	assert_true(
		isfinite(out->copy_bytes_per_second) && out->copy_bytes_per_second > 0);
	assert_true(isfinite(out->float_flops_per_second) &&
		    out->float_flops_per_second > 0);
	assert_true(isfinite(out->double_flops_per_second) &&
		    out->double_flops_per_second > 0);
}

/* ---- what it measures ------------------------------------------------------- */

TEST(rates_are_positive_and_finite_on_the_processor)
{
	struct at_error err = { 0 };
	struct at_ceilings got;
	enum at_status status =
		at_ceilings_measure(host, image.image, image.image_bytes, &got, &err);

	expect_ceilings(status, &got, &err);
}

/* It runs what is to be timed, and lets each sample take as long as the others. */
static enum at_outcome time_with_own_clock(struct at_device *self,
	const struct at_invocation *before, size_t before_count,
	const struct at_invocation *timed, size_t timed_count, unsigned launches,
	double *duration_ns, struct at_error *err)
{
	enum at_outcome outcome = host_ops->time(self, before, before_count, timed,
		timed_count, launches, duration_ns, err);

	*duration_ns = SAMPLE_NS;
	return outcome;
}

/* the kernels are the true ones, only the clock is not */
TEST(rates_are_what_was_done_over_the_devices_time)
{
	struct at_device_ops ops = *host_ops;
	struct at_error err = { 0 };
	struct at_ceilings got;
	enum at_status status;
	double operations;

	ops.time = time_with_own_clock;
	host->ops = &ops;
	status = at_ceilings_measure(host, image.image, image.image_bytes, &got, &err);
	host->ops = host_ops;
	expect_ceilings(status, &got, &err);
	assert_true(fabs(got.copy_bytes_per_second /
				    (2.0 * (double)BUFFER_BYTES / SAMPLE_NS * 1e9) -
			    1) < 1e-12);
	/* multiplication and addition, of 64 links a chain, each counted */
	operations = got.float_flops_per_second * SAMPLE_NS * 1e-9;
	assert_true(operations >= 2 * 64 * 8 * 1024);
	assert_true(fmod(round(operations), 2 * 64 * 8 * 1024) == 0);
	/* a vector holds half as many of them */
	assert_true(fabs(got.float_flops_per_second / got.double_flops_per_second - 2) <
		    1e-12);
}

static void expect_copies(double bytes_per_sample)
{
	struct at_error err = { 0 };
	struct at_ceilings got;
	enum at_status status = measure(&got, &err);

	expect_ceilings(status, &got, &err);
	assert_true(
		fabs(got.copy_bytes_per_second / (bytes_per_sample / SAMPLE_NS * 1e9) -
			1) < 1e-12);
	assert_int_equal(fake.largest_bytes, BUFFER_BYTES);
}

CHEAT(the_fastest_of_our_own_copies_counts)
{
	/* read and written, by the kernel that takes half a sample */
	expect_copies(2 * 2.0 * (double)BUFFER_BYTES);
}

CHEAT(the_devices_own_copy_counts_where_there_is_one)
{
	open_cheat(SAMPLE_NS / 4);
	expect_copies(4 * 2.0 * (double)BUFFER_BYTES);
}

static void expect_failure(enum at_status status, const char *text)
{
	struct at_ceilings got;
	struct at_error err = { 0 };

	assert_int_equal(measure(&got, &err), status);
	if (!strstr(err.text, text))
		fail_msg("expected \"%s\", found \"%s\"", text, err.text);
}

/* ---- what it does not believe ------------------------------------------------ */

CHEAT(chains_that_never_ran_are_no_rate)
{
	fake.skips = true;
	expect_failure(AT_EDEVICE,
		"measuring the FMA rate in float of test:0: thread 0 did 0 operations of chains with 64 links");
}

CHEAT(a_copy_of_which_a_part_is_missing_is_no_rate)
{
	open_cheat(SAMPLE_NS);
	fake.copy_lacks = 0.25;
	expect_failure(AT_EDEVICE,
		"measuring the copy bandwidth of test:0: of 524288 elements that were to be copied 131072 were not");
	fake.copy_lacks = 1;
	expect_failure(AT_EDEVICE, "copied 524288 were not");
}

CHEAT(a_sample_that_takes_no_time_is_no_rate)
{
	fake.stands_still = true;
	expect_failure(AT_EDEVICE,
		"measuring the FMA rate in float of test:0: by its clock it took no time at all");
}

CHEAT(nothing_of_a_lost_device_is_touched)
{
	fake.times = AT_OUTCOME_CRASHED;
	expect_failure(
		AT_EDEVICE, "measuring the FMA rate in float of test:0: a kernel died");
	assert_true(fake.lost);
}

CHEAT(buffers_that_do_not_fit_are_said_to_and_given_back)
{
	fake.live_max = 3; /* the module, the results and one buffer */
	expect_failure(AT_ENOMEM, "measuring the ceilings of test:0: it is full");
}

CHEAT(an_image_without_the_kernels_is_refused)
{
	struct at_ceilings got;

	assert_fails_with(at_ceilings_measure(cheat, (const unsigned char *)"no", 2,
				  &got, &failure),
		AT_EDEVICE, "measuring the ceilings of test:0: ");
}

/* ---- once for all ------------------------------------------------------------ */

static int set_up(void **state)
{
	struct at_compile_request request = {
		.toolchain = "c++",
		.architecture = (char *)"",
		.name = (char *)"ceilings.cu",
		.directory = (char *)"",
		.option_count = at_ceilings_option_count,
		.options = (char **)at_ceilings_options,
		.kernel_count = at_ceilings_kernel_count,
		.kernels = (char **)at_ceilings_kernels,
	};

	request.source = at_strndup(
		(const char *)at_embedded_ceilings, at_embedded_ceilings_size);
	assert_non_null(request.source);
	assert_ok(compile_kept(&request, &image, &failure));
	free(request.source);
	if (image.outcome != AT_OUTCOME_OK)
		fail_msg("%s", image.log);
	assert_ok(at_device_kind_host.open(0, &host, &failure));
	host_ops = host->ops;
	at_properties_set(&host->info.properties, AT_PROPERTY_MEMORY_BYTES,
		(int64_t)MEMORY_BYTES);
	return 0;
}

static int tear_down(void **state)
{
	host->ops->close(host);
	at_compile_result_release(&image);
	return 0;
}

/* every architecture that NVRTC knows must take it; skipped where there is none */
TEST(compiles_for_gpus_without_spilling)
{
	RELEASED(at_compile_result_release) struct at_compile_result compiled = { 0 };
	struct at_error err = { 0 };
	char version[64];
	struct at_compile_request request = {
		.toolchain = "nvrtc",
		.architecture = (char *)"sm_90",
		.name = (char *)"ceilings.cu",
		.directory = (char *)"",
		.option_count = at_ceilings_option_count,
		.options = (char **)at_ceilings_options,
		.kernel_count = at_ceilings_kernel_count,
		.kernels = (char **)at_ceilings_kernels,
	};

	if (at_toolchain_version("nvrtc", version, sizeof(version), &err))
		skip_because("no NVRTC");
	request.source = at_strndup(
		(const char *)at_embedded_ceilings, at_embedded_ceilings_size);
	assert_ok(at_compile(&request, &compiled, &failure));
	free(request.source);
	if (compiled.outcome != AT_OUTCOME_OK)
		fail_msg("%s", compiled.log);
	for (size_t i = 0; i < compiled.kernel_count; i++) {
		/* 1024 threads a multiprocessor are to be resident at once */
		assert_in_range(compiled.kernels[i].registers, 1, 64);
		assert_int_equal(compiled.kernels[i].local_bytes, 0);
	}
}

RUN_SUITE(set_up, tear_down)
