#include "evaluator/workers/protocol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* calloc for a count that was held against the bytes left */
static void *get_array(struct at_wire_reader *in, uint32_t count, size_t item_bytes)
{
	void *items = calloc((size_t)count + 1, item_bytes);

	if (!items)
		in->failed = true;
	return items;
}

unsigned char *at_get_image(struct at_wire_reader *in, size_t *size)
{
	const void *data = at_wire_get_blob(in, size);
	unsigned char *copy;

	if (!data)
		return NULL;
	copy = malloc(*size + 1);
	if (!copy) {
		in->failed = true;
		*size = 0;
		return NULL;
	}
	memcpy(copy, data, *size);
	return copy;
}

/* an enum that was sent as a number; out of range is a failure */
static uint32_t get_below(struct at_wire_reader *in, uint32_t bound)
{
	uint32_t value = at_wire_get_u32(in);

	if (value >= bound) {
		in->failed = true;
		return 0;
	}
	return value;
}

void at_put_error(struct at_wire_writer *out, const struct at_error *err)
{
	at_wire_put_u32(out, err->status);
	at_wire_put_u32(out, (uint32_t)err->line);
	at_wire_put_text(out, err->file);
	at_wire_put_text(out, err->text);
}

void at_get_error(struct at_wire_reader *in, struct at_error *out)
{
	memset(out, 0, sizeof(*out));
	out->status = (enum at_status)get_below(in, AT_EINTERRUPTED + 1);
	out->line = (int)at_wire_get_u32(in);
	at_wire_get_text_into(in, out->file, sizeof(out->file));
	at_wire_get_text_into(in, out->text, sizeof(out->text));
}

void at_put_device_info(struct at_wire_writer *out, const struct at_device_info *info)
{
	at_wire_put_text(out, info->kind);
	at_wire_put_text(out, info->id);
	at_wire_put_text(out, info->model);
	at_wire_put_text(out, info->uuid);
	at_wire_put_text(out, info->architecture);
	at_wire_put_text(out, info->driver);
	at_wire_put_text(out, info->toolchain);
	at_wire_put_u32(out, info->shares_cores);
	for (int i = 0; i < AT_PROPERTY_COUNT; i++) {
		at_wire_put_u32(out, info->properties.known[i]);
		at_wire_put_i64(out, info->properties.value[i]);
	}
}

void at_get_device_info(struct at_wire_reader *in, struct at_device_info *out)
{
	memset(out, 0, sizeof(*out));
	at_wire_get_text_into(in, out->kind, sizeof(out->kind));
	at_wire_get_text_into(in, out->id, sizeof(out->id));
	at_wire_get_text_into(in, out->model, sizeof(out->model));
	at_wire_get_text_into(in, out->uuid, sizeof(out->uuid));
	at_wire_get_text_into(in, out->architecture, sizeof(out->architecture));
	at_wire_get_text_into(in, out->driver, sizeof(out->driver));
	at_wire_get_text_into(in, out->toolchain, sizeof(out->toolchain));
	out->shares_cores = at_wire_get_u32(in) != 0;
	for (int i = 0; i < AT_PROPERTY_COUNT; i++) {
		out->properties.known[i] = at_wire_get_u32(in) != 0;
		out->properties.value[i] = at_wire_get_i64(in);
	}
}

static void put_geometry(struct at_wire_writer *out, const struct at_geometry *geometry)
{
	for (int i = 0; i < 3; i++) {
		at_wire_put_u32(out, geometry->grid[i]);
		at_wire_put_u32(out, geometry->block[i]);
	}
	at_wire_put_u32(out, geometry->shared_bytes);
}

static void get_geometry(struct at_wire_reader *in, struct at_geometry *out)
{
	for (int i = 0; i < 3; i++) {
		out->grid[i] = at_wire_get_u32(in);
		out->block[i] = at_wire_get_u32(in);
	}
	out->shared_bytes = at_wire_get_u32(in);
}

static void put_call(struct at_wire_writer *out, const struct at_measure_call *call)
{
	at_wire_put_text(out, call->symbol ? call->symbol : "");
	put_geometry(out, &call->geometry);
	at_wire_put_u32(out, call->argument_count);
	for (uint32_t i = 0; i < call->argument_count; i++)
		at_wire_put_u32(out, call->arguments[i]);
}

static void get_call(
	struct at_wire_reader *in, uint32_t argument_count, struct at_measure_call *out)
{
	out->symbol = at_wire_get_text(in);
	get_geometry(in, &out->geometry);
	out->argument_count = at_wire_get_count(in, sizeof(uint32_t));
	out->arguments = get_array(in, out->argument_count, sizeof(*out->arguments));
	for (uint32_t i = 0; !in->failed && i < out->argument_count; i++)
		out->arguments[i] = get_below(in, argument_count);
}

static void put_bindings(struct at_wire_writer *out,
	const struct at_measure_binding *bindings, uint32_t count)
{
	at_wire_put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		at_wire_put_u64(out, bindings[i].count);
		at_strbuf_add_bytes(
			&out->bytes, bindings[i].value, sizeof(bindings[i].value));
	}
}

static struct at_measure_binding *get_bindings(
	struct at_wire_reader *in, uint32_t *count)
{
	struct at_measure_binding *bindings;

	*count = at_wire_get_count(in, 24);
	bindings = get_array(in, *count, sizeof(*bindings));
	for (uint32_t i = 0; !in->failed && i < *count; i++) {
		bindings[i].count = at_wire_get_u64(in);
		for (size_t j = 0; j < sizeof(bindings[i].value); j += 8) {
			uint64_t part = at_wire_get_u64(in);

			memcpy(bindings[i].value + j, &part, sizeof(part));
		}
	}
	return bindings;
}

static void put_argument(
	struct at_wire_writer *out, const struct at_measure_argument *argument)
{
	at_wire_put_text(out, argument->name);
	at_wire_put_u32(out, argument->element);
	at_wire_put_u32(out, argument->lanes);
	at_wire_put_u32(out, argument->access);
	at_wire_put_u32(out, argument->fill);
	at_wire_put_real(out, argument->fill_a);
	at_wire_put_real(out, argument->fill_b);
	at_wire_put_text(out, argument->file ? argument->file : "");
	at_wire_put_text(out, argument->symbol ? argument->symbol : "");
	at_wire_put_real(out, argument->rtol);
	at_wire_put_real(out, argument->atol);
}

static void get_argument(struct at_wire_reader *in, struct at_measure_argument *out)
{
	out->name = at_wire_get_text(in);
	out->element = (enum at_element)get_below(in, AT_ELEMENT_COUNT);
	out->lanes = get_below(in, 17);
	out->access = (enum at_access)get_below(in, AT_ACCESS_SCRATCH + 1);
	out->fill = (enum at_fill_kind)get_below(in, AT_FILL_FILE + 1);
	out->fill_a = at_wire_get_real(in);
	out->fill_b = at_wire_get_real(in);
	out->file = at_wire_get_text(in);
	out->symbol = at_wire_get_text(in);
	out->rtol = at_wire_get_real(in);
	out->atol = at_wire_get_real(in);
}

void at_put_setup(struct at_wire_writer *out, const struct at_measure_setup *setup)
{
	at_wire_put_u32(out, setup->argument_count);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		put_argument(out, &setup->arguments[i]);
	put_bindings(out, setup->bindings, setup->argument_count);
	at_wire_put_blob(out, setup->support_image, setup->support_bytes);
	at_wire_put_u32(out, setup->reference);
	at_wire_put_blob(out, setup->reference_image, setup->reference_bytes);
	put_call(out, &setup->reference_call);
	at_wire_put_text(out, setup->library ? setup->library : "");
	at_wire_put_text(out, setup->function ? setup->function : "");
	at_wire_put_u32(out, setup->file_count);
	for (uint32_t i = 0; i < setup->file_count; i++) {
		at_wire_put_u32(out, setup->files[i].argument);
		at_wire_put_text(out, setup->files[i].path);
	}
	at_wire_put_u64(out, setup->seed);
	at_wire_put_u32(out, setup->cache);
}

void at_get_setup(struct at_wire_reader *in, struct at_measure_setup *out)
{
	uint32_t binding_count;

	memset(out, 0, sizeof(*out));
	out->argument_count = at_wire_get_count(in, 40);
	out->arguments = get_array(in, out->argument_count, sizeof(*out->arguments));
	for (uint32_t i = 0; !in->failed && i < out->argument_count; i++)
		get_argument(in, &out->arguments[i]);
	out->bindings = get_bindings(in, &binding_count);
	if (binding_count != out->argument_count)
		in->failed = true;
	out->support_image = at_get_image(in, &out->support_bytes);
	out->reference = (enum at_reference_kind)get_below(in, AT_REFERENCE_FILE + 1);
	out->reference_image = at_get_image(in, &out->reference_bytes);
	get_call(in, out->argument_count, &out->reference_call);
	out->library = at_wire_get_text(in);
	out->function = at_wire_get_text(in);
	out->file_count = at_wire_get_count(in, 12);
	out->files = get_array(in, out->file_count, sizeof(*out->files));
	for (uint32_t i = 0; !in->failed && i < out->file_count; i++) {
		out->files[i].argument = get_below(in, out->argument_count);
		out->files[i].path = at_wire_get_text(in);
	}
	out->seed = at_wire_get_u64(in);
	out->cache = (enum at_cache_mode)get_below(in, AT_CACHE_WARM + 1);
}

void at_put_request(
	struct at_wire_writer *out, const struct at_measure_request *request)
{
	put_bindings(out, request->bindings, request->binding_count);
	at_wire_put_blob(out, request->image, request->image_bytes);
	put_call(out, &request->kernel);
	put_call(out, &request->prepare);
	put_call(out, &request->finish);
	at_wire_put_u32(out, request->samples_min);
	at_wire_put_u32(out, request->samples_max);
	at_wire_put_real(out, request->sampling_seconds);
	at_wire_put_real(out, request->incumbent_ns);
	at_wire_put_u32(out, request->verify_only);
	at_wire_put_u64(out, request->seed);
}

void at_get_request(struct at_wire_reader *in, struct at_measure_request *out)
{
	memset(out, 0, sizeof(*out));
	out->bindings = get_bindings(in, &out->binding_count);
	out->image = at_get_image(in, &out->image_bytes);
	get_call(in, out->binding_count, &out->kernel);
	get_call(in, out->binding_count, &out->prepare);
	get_call(in, out->binding_count, &out->finish);
	out->samples_min = at_wire_get_u32(in);
	out->samples_max = get_below(in, 1000001);
	out->sampling_seconds = at_wire_get_real(in);
	out->incumbent_ns = at_wire_get_real(in);
	out->verify_only = at_wire_get_u32(in) != 0;
	out->seed = at_wire_get_u64(in);
}

void at_put_result(struct at_wire_writer *out, const struct at_measure_result *result)
{
	at_wire_put_u32(out, result->outcome);
	at_wire_put_text(out, result->detail);
	at_wire_put_u32(out, result->sample_count);
	for (uint32_t i = 0; i < result->sample_count; i++)
		at_wire_put_real(out, result->samples_ns[i]);
	at_wire_put_u32(out, result->launches_per_sample);
	at_wire_put_u32(out, result->raced);
	at_wire_put_real(out, result->time_ns);
	at_wire_put_real(out, result->low_ns);
	at_wire_put_real(out, result->high_ns);
	at_wire_put_real(out, result->max_relative_error);
	at_wire_put_u64(out, result->measure_ns);
	at_wire_put_u64(out, result->clock_hz);
	at_wire_put_u32(out, result->throttled);
	at_wire_put_u32(out, result->device_lost);
}

void at_get_result(struct at_wire_reader *in, struct at_measure_result *out)
{
	memset(out, 0, sizeof(*out));
	out->outcome = (enum at_outcome)get_below(in, AT_OUTCOME_COUNT);
	at_wire_get_text_into(in, out->detail, sizeof(out->detail));
	out->sample_count = at_wire_get_count(in, sizeof(double));
	out->samples_ns = get_array(in, out->sample_count, sizeof(*out->samples_ns));
	for (uint32_t i = 0; !in->failed && i < out->sample_count; i++)
		out->samples_ns[i] = at_wire_get_real(in);
	out->launches_per_sample = at_wire_get_u32(in);
	out->raced = at_wire_get_u32(in) != 0;
	out->time_ns = at_wire_get_real(in);
	out->low_ns = at_wire_get_real(in);
	out->high_ns = at_wire_get_real(in);
	out->max_relative_error = at_wire_get_real(in);
	out->measure_ns = at_wire_get_u64(in);
	out->clock_hz = at_wire_get_u64(in);
	out->throttled = at_wire_get_u32(in) != 0;
	out->device_lost = at_wire_get_u32(in) != 0;
}

void at_put_ceilings(struct at_wire_writer *out, const struct at_ceilings *ceilings)
{
	at_wire_put_real(out, ceilings->copy_bytes_per_second);
	at_wire_put_real(out, ceilings->float_flops_per_second);
	at_wire_put_real(out, ceilings->double_flops_per_second);
}

static double get_rate(struct at_wire_reader *in)
{
	double rate = at_wire_get_real(in);

	if (!isfinite(rate) || rate <= 0)
		in->failed = true;
	return rate;
}

void at_get_ceilings(struct at_wire_reader *in, struct at_ceilings *out)
{
	out->copy_bytes_per_second = get_rate(in);
	out->float_flops_per_second = get_rate(in);
	out->double_flops_per_second = get_rate(in);
}

static void put_texts(struct at_wire_writer *out, char *const *texts, size_t count)
{
	at_wire_put_u32(out, (uint32_t)count);
	for (size_t i = 0; i < count; i++)
		at_wire_put_text(out, texts[i]);
}

static char **get_texts(struct at_wire_reader *in, size_t *count)
{
	char **texts;

	*count = at_wire_get_count(in, 8);
	texts = get_array(in, (uint32_t)*count, sizeof(*texts));
	for (size_t i = 0; !in->failed && i < *count; i++)
		texts[i] = at_wire_get_text(in);
	return texts;
}

void at_put_compile_request(
	struct at_wire_writer *out, const struct at_compile_request *request)
{
	at_wire_put_text(out, request->toolchain);
	at_wire_put_text(out, request->architecture);
	at_wire_put_text(out, request->name);
	at_wire_put_text(out, request->directory);
	at_wire_put_text(out, request->source);
	put_texts(out, request->options, request->option_count);
	put_texts(out, request->kernels, request->kernel_count);
}

void at_get_compile_request(struct at_wire_reader *in, struct at_compile_request *out)
{
	memset(out, 0, sizeof(*out));
	out->toolchain = at_wire_get_text(in);
	out->architecture = at_wire_get_text(in);
	out->name = at_wire_get_text(in);
	out->directory = at_wire_get_text(in);
	out->source = at_wire_get_text(in);
	out->options = get_texts(in, &out->option_count);
	out->kernels = get_texts(in, &out->kernel_count);
}

void at_put_compile_result(
	struct at_wire_writer *out, const struct at_compile_result *result)
{
	at_wire_put_u32(out, result->outcome);
	at_wire_put_text(out, result->log ? result->log : "");
	at_wire_put_blob(out, result->image, result->image_bytes);
	at_wire_put_u64(out, result->compile_ns);
	at_wire_put_u32(out, (uint32_t)result->kernel_count);
	for (size_t i = 0; i < result->kernel_count; i++) {
		const struct at_kernel_facts *facts = &result->kernels[i];

		at_wire_put_text(out, facts->name);
		at_wire_put_text(out, facts->symbol);
		at_wire_put_i64(out, facts->registers);
		at_wire_put_i64(out, facts->local_bytes);
		at_wire_put_i64(out, facts->spill_store_bytes);
		at_wire_put_i64(out, facts->spill_load_bytes);
		at_wire_put_i64(out, facts->shared_bytes);
		at_wire_put_i64(out, facts->constant_bytes);
		at_wire_put_i64(out, facts->max_threads);
		at_wire_put_i64(out, facts->barriers);
	}
}

void at_get_compile_result(struct at_wire_reader *in, struct at_compile_result *out)
{
	uint32_t count;

	memset(out, 0, sizeof(*out));
	out->outcome = (enum at_outcome)get_below(in, AT_OUTCOME_COUNT);
	out->log = at_wire_get_text(in);
	out->image = at_get_image(in, &out->image_bytes);
	out->compile_ns = at_wire_get_u64(in);
	count = at_wire_get_count(in, 80);
	out->kernels = get_array(in, count, sizeof(*out->kernels));
	for (uint32_t i = 0; !in->failed && i < count; i++) {
		struct at_kernel_facts *facts = &out->kernels[i];

		out->kernel_count = i + 1;
		facts->name = at_wire_get_text(in);
		facts->symbol = at_wire_get_text(in);
		facts->registers = at_wire_get_i64(in);
		facts->local_bytes = at_wire_get_i64(in);
		facts->spill_store_bytes = at_wire_get_i64(in);
		facts->spill_load_bytes = at_wire_get_i64(in);
		facts->shared_bytes = at_wire_get_i64(in);
		facts->constant_bytes = at_wire_get_i64(in);
		facts->max_threads = at_wire_get_i64(in);
		facts->barriers = at_wire_get_i64(in);
	}
}

struct at_hash at_hash_compile_request(const struct at_compile_request *request)
{
	struct at_wire_writer bytes = { { 0 } };
	struct at_hash hash;

	at_put_compile_request(&bytes, request);
	hash = at_hash_bytes(at_strbuf_text(&bytes.bytes), bytes.bytes.length);
	at_strbuf_release(&bytes.bytes);
	return hash;
}
