/* Opens benches on device `host` and makes requests to them (measure_fixture.h). */

/* sched_setaffinity() is Linux's own */
#define _GNU_SOURCE
#include "kept_unit.h"
#include "measure_fixture.h"
#include "base/file.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct at_device *device;
static struct at_compile_result support, kernels;
static uint32_t all_arguments[ARGUMENTS] = { X, Y, Z, FLAGS, T, SIZE, REACH };

static struct at_measure_argument arguments[ARGUMENTS] = {
	[X] = { .name = "x",
		.element = AT_ELEMENT_F32,
		.lanes = 1,
		.access = AT_ACCESS_IN,
		.fill = AT_FILL_UNIFORM,
		.fill_a = -1,
		.fill_b = 1 },
	[Y] = { .name = "y",
		.element = AT_ELEMENT_F32,
		.lanes = 1,
		.access = AT_ACCESS_OUT,
		.rtol = 1e-5 },
	[Z] = { .name = "z",
		.element = AT_ELEMENT_F32,
		.lanes = 1,
		.access = AT_ACCESS_INOUT,
		.fill = AT_FILL_SEQUENCE,
		.fill_a = 1,
		.fill_b = 0.5,
		.rtol = 1e-5 },
	[FLAGS] = { .name = "flags",
		.element = AT_ELEMENT_I8,
		.lanes = 1,
		.access = AT_ACCESS_OUT },
	[T] = { .name = "t",
		.element = AT_ELEMENT_F32,
		.lanes = 1,
		.access = AT_ACCESS_SCRATCH },
	[SIZE] = { .name = "n", .element = AT_ELEMENT_I32, .lanes = 1 },
	[REACH] = { .name = "reach", .element = AT_ELEMENT_I64, .lanes = 1 },
};

/* ---- a bench, and what is asked of it ----------------------------------- */

void bind_arguments(
	struct at_measure_binding *bindings, uint64_t scratch_count, int64_t reach)
{
	int32_t n = N;

	memset(bindings, 0, ARGUMENTS * sizeof(*bindings));
	for (int i = X; i < T; i++)
		bindings[i].count = N;
	bindings[T].count = scratch_count;
	memcpy(bindings[SIZE].value, &n, sizeof(n));
	memcpy(bindings[REACH].value, &reach, sizeof(reach));
}

struct at_measure_call call_of(const char *symbol)
{
	return (struct at_measure_call){
		.symbol = (char *)symbol,
		.geometry = { .grid = { 4, 1, 1 }, .block = { 256, 1, 1 } },
		.argument_count = symbol[0] ? ARGUMENTS : 0,
		.arguments = all_arguments,
	};
}

void begin_bench(struct fixture *self, const char *reference, enum at_cache_mode cache)
{
	memset(self, 0, sizeof(*self));
	bind_arguments(self->setup_bindings, SCRATCH, 0);
	self->setup = (struct at_measure_setup){
		.argument_count = ARGUMENTS,
		.arguments = arguments,
		.bindings = self->setup_bindings,
		.support_image = support.image,
		.support_bytes = support.image_bytes,
		.reference = AT_REFERENCE_KERNEL,
		.reference_image = kernels.image,
		.reference_bytes = kernels.image_bytes,
		.reference_call = call_of(reference),
		.seed = 1,
		.cache = cache,
	};
}

void open_bench_without_inout(struct fixture *self, enum at_cache_mode cache)
{
	static struct at_measure_argument facts[ARGUMENTS];
	struct at_error err = { 0 };

	memcpy(facts, arguments, sizeof(facts));
	/* null pointers: scratch is made anew ahead of every launch too */
	facts[Z].access = facts[T].access = AT_ACCESS_NONE;
	begin_bench(self, "right", cache);
	self->setup.arguments = facts;
	if (at_measure_context_new(device, &self->setup, NULL, &self->context, &err))
		fail_msg("%s", err.text);
}

void open_bench(struct fixture *self, enum at_cache_mode cache)
{
	struct at_error err = { 0 };

	begin_bench(self, "right", cache);
	if (at_measure_context_new(device, &self->setup, NULL, &self->context, &err))
		fail_msg("%s", err.text);
}

struct at_measure_request request_of(
	struct at_measure_binding *bindings, const char *kernel)
{
	return (struct at_measure_request){
		.image = kernels.image,
		.image_bytes = kernels.image_bytes,
		.kernel = call_of(kernel),
		.prepare = call_of(""),
		.finish = call_of(""),
		.bindings = bindings,
		.binding_count = ARGUMENTS,
		.samples_min = 3,
		.samples_max = 6,
		.sampling_seconds = 0.01,
		.seed = 5,
	};
}

enum at_outcome evaluate(struct fixture *self)
{
	struct at_error err = { 0 };

	at_measure_result_release(&self->result);
	if (at_measure_context_evaluate(
		    self->context, &self->request, &self->result, &err))
		fail_msg("%s", err.text);
	return self->result.outcome;
}

void ask_for(struct fixture *self, const char *kernel, int64_t reach)
{
	bind_arguments(self->bindings, SCRATCH, reach);
	self->request = request_of(self->bindings, kernel);
}

void expect_outcome(struct fixture *self, enum at_outcome outcome, const char *detail)
{
	enum at_outcome found = evaluate(self);

	if (found != outcome || !strstr(self->result.detail, detail))
		fail_msg("%s is %s (%s), expected %s (%s)", self->request.kernel.symbol,
			at_outcome_name(found), self->result.detail,
			at_outcome_name(outcome), detail);
	if (outcome == AT_OUTCOME_OK)
		return;
	assert_int_equal(self->result.sample_count, 0);
	assert_null(self->result.samples_ns);
	assert_true(self->result.time_ns == 0);
}

void expect_right(struct fixture *self)
{
	ask_for(self, "right", 0);
	expect_outcome(self, AT_OUTCOME_OK, "");
}

void end_bench(struct fixture *self)
{
	at_measure_result_release(&self->result);
	at_measure_context_free(self->context);
}

/* ---- once for all --------------------------------------------------------- */

static void compile(const char *name, char *source, const char *const *names,
	size_t count, const char *const *options, size_t option_count,
	struct at_compile_result *out)
{
	struct at_error err = { 0 };
	struct at_compile_request request = {
		.toolchain = "c++",
		.architecture = (char *)"",
		.name = (char *)name,
		.directory = (char *)"",
		.source = source,
		.option_count = option_count,
		.options = (char **)options,
		.kernel_count = count,
		.kernels = (char **)names,
	};

	if (compile_kept(&request, out, &err))
		fail_msg("%s", err.text);
	if (out->outcome != AT_OUTCOME_OK)
		fail_msg("%s", out->log);
}

int open_host_alone(void **unused)
{
	cpu_set_t all, one;
	int failed, first = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	/* the device has a thread for each processor that it may have when it opens */
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	failed = open_host(unused);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	return failed;
}

int open_host(void **unused)
{
	static const char *const names[] = { "right", "wrong", "nan_at_the_end",
		"infinite", "half", "no_flags", "astray", "changes_input",
		"copies_too_much", "tires", "right_on_one", "right_too", "by_map",
		"by_texels", "fills_scratch", "prepare", "in_place", "finish",
		"looks_up", "looks_up_few", "by_rows", "far" };
	struct at_error err = { 0 };
	char *source;
	size_t size;

	if (at_file_read(AT_TEST_DIR "/kernels/measure.cu", 0, &source, &size, &err))
		fail_msg("%s", err.text);
	compile("measure.cu", source, names, COUNT(names), NULL, 0, &kernels);
	free(source);
	source = calloc(1, at_embedded_support_size + 1);
	assert_non_null(source);
	memcpy(source, at_embedded_support, at_embedded_support_size);
	compile("support.cu", source, at_measure_support_kernels,
		at_measure_support_kernel_count, at_measure_support_options,
		at_measure_support_option_count, &support);
	free(source);
	if (at_device_kind_host.open(0, &device, &err))
		fail_msg("%s", err.text);
	/* how much is emptied is no claim here, and a server's is half a gigabyte */
	device->info.properties.known[AT_PROPERTY_L2_BYTES] = true;
	device->info.properties.value[AT_PROPERTY_L2_BYTES] = 1 << 16;
	return 0;
}

int close_host(void **unused)
{
	device->ops->close(device);
	at_compile_result_release(&support);
	at_compile_result_release(&kernels);
	return 0;
}

struct at_measure_finals finals_of(uint32_t blocks, uint32_t rounds)
{
	return (struct at_measure_finals){
		.blocks = blocks, .rounds = rounds, .seconds = 1e6, .seed = 3
	};
}
