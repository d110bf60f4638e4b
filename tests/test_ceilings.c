/*
 * What a device does at best: on the processor, and on one that cheats. The whole
 * path through `autotune devices` is in tests/test_program_devices.c.
 */
#include "base/memory.h"
#include "device/host/host.h"
#include "kernel/compile.h"
#include "measure/ceilings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "skip.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MEMORY_BYTES ((uint64_t)64 << 20)
#define BUFFER_BYTES (MEMORY_BYTES / 8)
#define SAMPLE_NS 1e7

/* ---- a processor with little memory and a clock of its own ------------------ */

static struct at_device *host;
static struct at_compile_result image;

static struct {
	struct at_device device;
	int live; /* memories and modules */
	/* what was handed out, for what must leave a lost device as it is */
	struct at_memory *memories[3];
	size_t memory_count;
	struct at_module *module;
	uint64_t largest_bytes;
	unsigned calls_after_loss;
	bool lost;
	/* how it cheats */
	enum at_status allocates;
	enum at_outcome times;
	bool skips; /* what is timed does not run */
	double part; /* of a copy that is made */
	bool has_fast_threads; /* a block of one takes half the time */
	double sample_ns; /* below 0: the processor's own clock */
} fake;

static void count_call(void)
{
	fake.calls_after_loss += fake.lost;
}

static enum at_status fake_allocate(struct at_device *self, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	count_call();
	if (bytes > fake.largest_bytes)
		fake.largest_bytes = bytes;
	if (fake.allocates && fake.live > 2)
		return at_fail(err, fake.allocates, NULL, 0, "it is full");
	if (host->ops->allocate(host, bytes, out, err))
		fail_msg("%s", err->text);
	assert_true(fake.memory_count < COUNT(fake.memories));
	fake.memories[fake.memory_count++] = *out;
	fake.live++;
	return AT_OK;
}

static void fake_release(struct at_device *self, struct at_memory *memory)
{
	count_call();
	fake.live--;
	host->ops->release(host, memory);
}

static uint64_t fake_address(struct at_device *self, struct at_memory *memory)
{
	return host->ops->address(host, memory);
}

static enum at_status fake_write(struct at_device *self, struct at_memory *memory,
	uint64_t offset_bytes, const void *data, uint64_t bytes, struct at_error *err)
{
	count_call();
	return host->ops->write(host, memory, offset_bytes, data, bytes, err);
}

static enum at_status fake_read(struct at_device *self, struct at_memory *memory,
	uint64_t offset_bytes, void *data, uint64_t bytes, struct at_error *err)
{
	count_call();
	return host->ops->read(host, memory, offset_bytes, data, bytes, err);
}

static enum at_outcome fake_load(struct at_device *self, const unsigned char *bytes,
	size_t size, struct at_module **out, struct at_error *err)
{
	enum at_outcome outcome = host->ops->load(host, bytes, size, out, err);

	if (outcome == AT_OUTCOME_OK) {
		fake.live++;
		fake.module = *out;
	}
	return outcome;
}

static void fake_unload(struct at_device *self, struct at_module *module)
{
	count_call();
	fake.live--;
	host->ops->unload(host, module);
}

static struct at_kernel *fake_find(
	struct at_device *self, struct at_module *module, const char *symbol)
{
	return host->ops->find(host, module, symbol);
}

static enum at_outcome fake_run(struct at_device *self,
	const struct at_invocation *calls, size_t count, struct at_error *err)
{
	count_call();
	return host->ops->run(host, calls, count, err);
}

static enum at_outcome fake_time(struct at_device *self,
	const struct at_invocation *before, size_t before_count,
	const struct at_invocation *timed, unsigned launches, double *duration_ns,
	struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	count_call();
	if (fake.times != AT_OUTCOME_OK) {
		fake.lost = fake.times == AT_OUTCOME_CRASHED;
		at_fail(err, AT_EDEVICE, NULL, 0, "a kernel died");
		return fake.times;
	}
	if (!fake.skips)
		outcome = host->ops->time(
			host, before, before_count, timed, launches, duration_ns, err);
	if (fake.sample_ns >= 0)
		*duration_ns = fake.sample_ns;
	if (fake.has_fast_threads && timed->block[0] == 1)
		*duration_ns /= 2;
	return outcome;
}

static enum at_outcome fake_time_copy(struct at_device *self, struct at_memory *to,
	struct at_memory *from, uint64_t bytes, unsigned copies, double *duration_ns,
	struct at_error *err)
{
	const void *source = (const void *)(uintptr_t)host->ops->address(host, from);
	void *target = (void *)(uintptr_t)host->ops->address(host, to);

	count_call();
	memcpy(target, source, (size_t)((double)bytes * fake.part));
	*duration_ns = SAMPLE_NS / 2 * copies;
	return AT_OUTCOME_OK;
}

static void fake_state(struct at_device *self, struct at_device_state *out)
{
	memset(out, 0, sizeof(*out));
}

static const struct at_device_ops fake_ops = {
	.allocate = fake_allocate,
	.release = fake_release,
	.address = fake_address,
	.write = fake_write,
	.read = fake_read,
	.load = fake_load,
	.unload = fake_unload,
	.find = fake_find,
	.run = fake_run,
	.time = fake_time,
	.state = fake_state,
};

static const struct at_device_ops fake_ops_with_copy = {
	.allocate = fake_allocate,
	.release = fake_release,
	.address = fake_address,
	.write = fake_write,
	.read = fake_read,
	.load = fake_load,
	.unload = fake_unload,
	.find = fake_find,
	.run = fake_run,
	.time = fake_time,
	.time_copy = fake_time_copy,
	.state = fake_state,
};

static int make_fake(void **state)
{
	memset(&fake, 0, sizeof(fake));
	fake.device = *host;
	fake.device.ops = &fake_ops;
	fake.device.info.properties.value[AT_PROPERTY_MEMORY_BYTES] = MEMORY_BYTES;
	fake.times = AT_OUTCOME_OK;
	fake.part = 1;
	fake.sample_ns = SAMPLE_NS;
	return 0;
}

/* whatever happens, all is given back, or nothing of a lost device touched */
static enum at_status measure(struct at_ceilings *out, struct at_error *err)
{
	enum at_status status = at_ceilings_measure(
		&fake.device, image.image, image.image_bytes, out, err);

	assert_int_equal(fake.calls_after_loss, 0);
	if (fake.lost) {
		assert_int_equal(fake.live, 4);
		host->ops->unload(host, fake.module);
		for (size_t i = 0; i < fake.memory_count; i++)
			host->ops->release(host, fake.memories[i]);
	} else {
		assert_int_equal(fake.live, 0);
	}
	fake.memory_count = 0;
	return status;
}

static void expect_ceilings(struct at_ceilings *out)
{
	struct at_error err = { 0 };

	if (measure(out, &err))
		fail_msg("%s", err.text);
	assert_true(
		isfinite(out->copy_bytes_per_second) && out->copy_bytes_per_second > 0);
	assert_true(isfinite(out->float_flops_per_second) &&
		    out->float_flops_per_second > 0);
	assert_true(isfinite(out->double_flops_per_second) &&
		    out->double_flops_per_second > 0);
}

static void expect_failure(enum at_status status, const char *text)
{
	struct at_ceilings got;
	struct at_error err = { 0 };

	assert_int_equal(measure(&got, &err), status);
	if (!strstr(err.text, text))
		fail_msg("expected \"%s\", found \"%s\"", text, err.text);
}

/* ---- what it measures ------------------------------------------------------- */

static void rates_are_positive_and_finite_on_the_processor(void **state)
{
	struct at_ceilings got;

	fake.sample_ns = -1; /* its own clock */
	expect_ceilings(&got);
}

/* the clock of the device gives every sample the same time */
static void rates_are_what_was_done_over_the_devices_time(void **state)
{
	struct at_ceilings got;
	double operations;

	expect_ceilings(&got);
	assert_true(fabs(got.copy_bytes_per_second /
				    (2.0 * (double)BUFFER_BYTES / SAMPLE_NS * 1e9) -
			    1) < 1e-12);
	/* multiplication and addition, of 64 links a chain, each of which counted */
	operations = got.float_flops_per_second * SAMPLE_NS * 1e-9;
	assert_true(operations >= 2 * 64 * 8 * 1024);
	assert_true(fmod(round(operations), 2 * 64 * 8 * 1024) == 0);
	/* a vector holds half as many of them */
	assert_true(fabs(got.float_flops_per_second / got.double_flops_per_second - 2) <
		    1e-12);
}

static void the_devices_own_copy_counts_where_there_is_one(void **state)
{
	struct at_ceilings got;

	fake.device.ops = &fake_ops_with_copy;
	expect_ceilings(&got);
	assert_true(fabs(got.copy_bytes_per_second /
				    (4.0 * (double)BUFFER_BYTES / SAMPLE_NS * 1e9) -
			    1) < 1e-12);
}

static void the_fastest_of_our_own_copies_counts_otherwise(void **state)
{
	struct at_ceilings got;

	fake.has_fast_threads = true;
	expect_ceilings(&got);
	assert_true(fabs(got.copy_bytes_per_second /
				    (4.0 * (double)BUFFER_BYTES / SAMPLE_NS * 1e9) -
			    1) < 1e-12);
}

static void a_buffer_takes_at_most_an_eighth_of_the_memory(void **state)
{
	struct at_ceilings got;

	expect_ceilings(&got);
	assert_int_equal(fake.largest_bytes, BUFFER_BYTES);
}

/* ---- what it does not believe ------------------------------------------------ */

static void chains_that_never_ran_are_no_rate(void **state)
{
	fake.skips = true;
	expect_failure(AT_EDEVICE,
		"measuring the FMA rate in float of host: thread 0 did 0 operations of chains with 64 links");
}

static void a_copy_of_which_a_part_is_missing_is_no_rate(void **state)
{
	fake.device.ops = &fake_ops_with_copy;
	fake.part = 0.75;
	expect_failure(AT_EDEVICE,
		"measuring the copy bandwidth of host: of 524288 elements that were to be copied 131072 were not");
	fake.part = 0;
	expect_failure(AT_EDEVICE, "copied 524288 were not");
}

static void a_sample_that_takes_no_time_is_no_rate(void **state)
{
	fake.sample_ns = 0;
	expect_failure(AT_EDEVICE,
		"measuring the FMA rate in float of host: by its clock it took no time at all");
}

static void nothing_of_a_lost_device_is_touched(void **state)
{
	fake.times = AT_OUTCOME_CRASHED;
	expect_failure(
		AT_EDEVICE, "measuring the FMA rate in float of host: a kernel died");
	assert_true(fake.lost);
}

static void buffers_that_do_not_fit_are_said_to_and_given_back(void **state)
{
	fake.allocates = AT_ENOMEM;
	expect_failure(AT_ENOMEM, "measuring the ceilings of host: it is full");
}

static void an_image_without_the_kernels_is_refused(void **state)
{
	struct at_ceilings got;
	struct at_error err = { 0 };

	assert_int_equal(at_ceilings_measure(&fake.device, (const unsigned char *)"no",
				 2, &got, &err),
		AT_EDEVICE);
	assert_non_null(strstr(err.text, "measuring the ceilings of host: "));
}

/* ---- once for all ------------------------------------------------------------ */

static int set_up(void **state)
{
	struct at_error err = { 0 };
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
	if (at_compile(&request, &image, &err))
		fail_msg("%s", err.text);
	free(request.source);
	if (image.outcome != AT_OUTCOME_OK)
		fail_msg("%s", image.log);
	if (at_device_kind_host.open(0, &host, &err))
		fail_msg("%s", err.text);
	return 0;
}

static int tear_down(void **state)
{
	host->ops->close(host);
	at_compile_result_release(&image);
	return 0;
}

/* every architecture that NVRTC knows must take it; skipped where there is none */
static void compiles_for_gpus_without_spilling(void **state)
{
	struct at_compile_result compiled = { 0 };
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
	assert_int_equal(at_compile(&request, &compiled, &err), AT_OK);
	free(request.source);
	if (compiled.outcome != AT_OUTCOME_OK)
		fail_msg("%s", compiled.log);
	for (size_t i = 0; i < compiled.kernel_count; i++) {
		/* 1024 threads a multiprocessor are to be resident at once */
		assert_in_range(compiled.kernels[i].registers, 1, 64);
		assert_int_equal(compiled.kernels[i].local_bytes, 0);
	}
	at_compile_result_release(&compiled);
}

#define FAKE(test) cmocka_unit_test_setup(test, make_fake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE(rates_are_positive_and_finite_on_the_processor),
		FAKE(rates_are_what_was_done_over_the_devices_time),
		FAKE(the_devices_own_copy_counts_where_there_is_one),
		FAKE(the_fastest_of_our_own_copies_counts_otherwise),
		FAKE(a_buffer_takes_at_most_an_eighth_of_the_memory),
		FAKE(chains_that_never_ran_are_no_rate),
		FAKE(a_copy_of_which_a_part_is_missing_is_no_rate),
		FAKE(a_sample_that_takes_no_time_is_no_rate),
		FAKE(nothing_of_a_lost_device_is_touched),
		FAKE(buffers_that_do_not_fit_are_said_to_and_given_back),
		FAKE(an_image_without_the_kernels_is_refused),
		cmocka_unit_test(compiles_for_gpus_without_spilling),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
