/* Makes one configuration concrete, computes the keys of recorded evaluations, and
   writes the record's JSON about a configuration. */
#include "evaluator/plan_internal.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "space/device_key.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ------------------------------------------------------------------------ */

/*
 * A key must change with everything that decides a time or its verification, and with
 * nothing else. at_compile_identity() and at_measure_request_fields list what
 * identifies a unit and a measurement. This file adds the rest, and the contents of
 * files; paths do not count.
 */

/* Raise this when a change of verification or measurement gives old times another
   meaning, or when the ingredients of a key change. */
#define MEASUREMENT_VERSION 6
/* The same for a warm cache: until version 6 confirmation ran with a colder cache. */
#define MEASUREMENT_VERSION_WARM 7

/* A file of up to this size is read whole; the length is compared elsewhere. */
#define SMALL_BYTES ((uint64_t)16 << 20)

/* Hashes the contents of an argument's file; an empty path leaves *out. */
static void hash_data(const struct at_measure_setup *setup, uint32_t argument,
	const char *path, struct at_hash *out)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	uint64_t bytes = setup->bindings[argument].count *
			 at_element_bytes(facts->element) * facts->lanes;

	if (!path[0])
		return;
	at_file_hash(path, bytes > SMALL_BYTES ? bytes : SMALL_BYTES, out);
}

/* Hashes the setup. A reference kernel counts by its name and launch only: its source
   is in the template, and so in the unit. Its macros, from the file's defaults, are
   left out, so that --set does not invalidate the whole record. */
void at_plan_identify_setup(struct at_plan *self)
{
	const char *kernel = self->spec->reference.call.kernel;
	struct at_measure_setup *setup = &self->setup;
	struct at_hasher *hasher;

	if (setup->library[0])
		at_file_hash(
			setup->library, AT_LIBRARY_BYTES_MAX, &setup->library_contents);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		hash_data(setup, i, setup->arguments[i].file,
			&setup->arguments[i].contents);
	for (uint32_t i = 0; i < setup->set_count; i++)
		for (uint32_t k = 0; k < setup->sets[i].fill_count; k++)
			hash_data(setup, k, setup->sets[i].fills[k].file,
				&setup->sets[i].fills[k].contents);
	for (uint32_t i = 0; i < setup->file_count; i++)
		hash_data(setup, setup->files[i].argument, setup->files[i].path,
			&setup->files[i].contents);
	hasher = at_hasher_new();
	at_fields_hash(&at_measure_setup_fields, setup, hasher);
	at_hasher_add_text(hasher, kernel ? kernel : "");
	self->setup_identity = at_hasher_result(hasher);
	at_hasher_free(hasher);
}

/* Sets unit and key. The setup must be made and the configuration's slots bound. */
static void identify(const struct at_plan *self, struct at_compiled_plan *out)
{
	const struct at_spec *spec = self->spec;
	const struct at_device_info *device = self->device;
	char *slug =
		at_device_slug_apart(device->kind, device->model, &device->properties);
	struct at_hasher *key = at_hasher_new();

	out->unit = at_compile_identity(&out->compile, self->toolchain_version);
	at_hasher_add_integer(key, self->setup.cache == AT_CACHE_WARM
					   ? MEASUREMENT_VERSION_WARM
					   : MEASUREMENT_VERSION);
	at_hasher_add(key, &out->unit, sizeof(out->unit));
	/*
	 * The parameters too, though most are in the unit already: two configurations
	 * that come to the same kernel and launch are recorded apart, each with its own
	 * values.
	 */
	for (size_t i = 0; i < spec->parameter_count + spec->size_count; i++) {
		struct at_value value = self->slots[i];

		at_hasher_add_text(key, at_spec_slot_name(spec, (int)i));
		at_hasher_add_integer(key, value.type);
		if (value.type == AT_TYPE_WORD)
			at_hasher_add_text(key, value.word);
		else if (value.type == AT_TYPE_REAL)
			at_hasher_add_real(key, value.real);
		else
			at_hasher_add_integer(key, value.integer);
	}
	at_hasher_add(key, &self->setup_identity, sizeof(self->setup_identity));
	/* configurations without a launch that makes sense differ in the reason */
	at_hasher_add_text(key, out->detail);
	at_measure_request_hash(&out->request, key);
	at_hasher_add_text(key, self->toolchain_version);
	at_hasher_add_text(key, device->kind);
	/* the slug has everything that tells devices of one name apart */
	at_hasher_add_text(key, slug);
	at_hasher_add_text(key, device->driver);
	/*
	 * Keys of one problem share their first bytes, so that they lie together in the
	 * record's index. Adding to an index thus stays quick when it has grown large.
	 */
	out->key = at_hash_grouped(self->setup_identity, at_hasher_result(key));
	at_hasher_free(key);
	free(slug);
}

/* ---- a configuration ---------------------------------------------------------- */

/* Whether a buffer, or a field of one, holds doubles. */
static bool is_double(const struct at_spec *spec)
{
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		if (argument->owner)
			argument = &spec->arguments[argument->owner - 1];
		if (argument->access != AT_ACCESS_NONE &&
			spec->arguments[i].element == AT_ELEMENT_F64)
			return true;
	}
	return false;
}

/* Bytes of all arguments of a launch, as at_work has them. */
static double argument_bytes(const struct at_measure_setup *setup)
{
	double bytes = 0;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct at_measure_argument *argument = &setup->arguments[i];
		double own = (double)setup->bindings[i].count * argument->lanes *
			     (double)at_element_bytes(argument->element);

		switch (argument->access) {
		case AT_ACCESS_IN:
		case AT_ACCESS_OUT:
			bytes += own;
			break;
		case AT_ACCESS_INOUT:
			bytes += 2 * own;
			break;
		case AT_ACCESS_NONE:
		case AT_ACCESS_SCRATCH:
			break;
		}
	}
	return bytes;
}

/* The numbers in the buffers and in the fields of structures. */
static enum at_floor_numbers numbers_of(const struct at_measure_setup *setup)
{
	enum at_floor_numbers numbers = AT_FLOOR_REALS_16;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct at_measure_argument *argument = &setup->arguments[i];

		/* a structure is plain bytes; its fields follow */
		if (argument->has_fields || at_data_access(setup, i) == AT_ACCESS_NONE)
			continue;
		if (at_element_kind(argument->element) != AT_ELEMENT_KIND_REAL)
			return AT_FLOOR_ANY_NUMBERS;
		if (at_element_bytes(argument->element) < 2)
			numbers = AT_FLOOR_REALS;
	}
	return numbers;
}

static int line_of(const struct at_expression *metric)
{
	return metric ? at_expression_line(metric) : 0;
}

static void find_floor(const struct at_plan *self, struct at_compiled_plan *out)
{
	const struct at_device_info *device = self->device;
	const struct at_measure_setup *setup = &self->setup;
	const struct at_work work = {
		.flops = out->flops,
		.bytes = out->bytes,
		.argument_bytes = argument_bytes(setup),
		.is_warm = setup->cache == AT_CACHE_WARM,
		.flops_line = line_of(self->spec->flops),
		.bytes_line = line_of(self->spec->bytes),
	};
	struct at_peaks peaks;

	at_peaks_of(&device->properties, device->max_clock_hz,
		device->max_memory_clock_hz, numbers_of(setup), &peaks);
	at_floor_of(&work, &peaks, &out->floor);
}

/* One that cannot be evaluated is just not known (NAN). */
static double evaluate_metric(const struct at_plan *self,
	const struct at_expression *metric, const char *what)
{
	double value;

	if (!metric ||
		at_spec_real(self->spec, metric, self->slots, what, 0, &value, NULL))
		return NAN;
	return value > 0 ? value : NAN;
}

enum at_status at_plan_configuration(struct at_plan *self,
	const uint16_t *configuration, struct at_compiled_plan *out,
	struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	const struct at_measure_setup *setup;
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	/* must come first, since it binds the slots to the defaults */
	status = at_plan_borrow_setup(self, &setup, NULL, err);
	if (status)
		return status;
	status =
		at_plan_compile(self, configuration, AT_UNIT_TUNED, &out->compile, err);
	if (status)
		goto release;
	out->outcome = AT_OUTCOME_OK;
	status = at_plan_request(self, configuration, &out->request, &reason);
	/* AT_EINVAL is the configuration's own fault; other errors say nothing about
	   it */
	if (status == AT_EINVAL) {
		out->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(out->detail, sizeof(out->detail), "%.*s",
			(int)sizeof(out->detail) - 1, reason.text);
		status = AT_OK;
	} else if (status) {
		at_fail(err, status, reason.file, reason.line, "%s", reason.text);
		goto release;
	}
	out->flops = evaluate_metric(self, spec->flops, "metrics.flops");
	out->bytes = evaluate_metric(self, spec->bytes, "metrics.bytes");
	out->is_double = is_double(spec);
	find_floor(self, out);
	identify(self, out);
release:
	if (status)
		at_compiled_plan_release(out);
	return status;
}

void at_compiled_plan_release(struct at_compiled_plan *self)
{
	at_compile_request_release(&self->compile);
	at_measure_request_release(&self->request);
	memset(self, 0, sizeof(*self));
}

static struct at_json *dimensions(const uint32_t *values)
{
	struct at_json *array = at_json_array();

	for (int i = 0; i < 3; i++)
		at_json_append(array, at_json_integer(values[i]));
	return array;
}

/* Attributes that are not given are left out. */
static void set_attributes(
	struct at_json *object, const struct at_attributes *attributes)
{
	if (attributes->cluster[0])
		at_json_set(object, "cluster", dimensions(attributes->cluster));
	if (attributes->preferred_cluster[0])
		at_json_set(object, "preferred_cluster",
			dimensions(attributes->preferred_cluster));
	if (attributes->is_cooperative)
		at_json_set(object, "cooperative", at_json_boolean(true));
	if (attributes->is_dependent)
		at_json_set(object, "dependent", at_json_boolean(true));
	if (attributes->carveout)
		at_json_set(object, "carveout", (int64_t)attributes->carveout - 1);
	/* the space file names its argument */
	if (attributes->window)
		at_json_set(object, "l2_window_percent", attributes->window_percent);
}

static struct at_json *launch_json(const struct at_geometry *geometry)
{
	struct at_json *object = at_json_object();

	at_json_set(object, "block", dimensions(geometry->block));
	at_json_set(object, "grid", dimensions(geometry->grid));
	at_json_set(object, "shared_bytes", geometry->shared_bytes);
	set_attributes(object, &geometry->attributes);
	return object;
}

static struct at_json *numbers_json(const int64_t *values, uint32_t count)
{
	struct at_json *array = at_json_array();

	for (uint32_t i = 0; i < count; i++)
		at_json_append(array, at_json_integer(values[i]));
	return array;
}

/* Strides are those of dimension 1 and above, as cuTensorMapEncodeTiled() takes them.
 */
static struct at_json *map_json(
	const struct at_tensor_map *map, const struct at_spec *spec)
{
	struct at_json *object = at_json_object();

	at_json_set(object, "of", spec->arguments[map->of - 1].name);
	at_json_set(object, "dims", numbers_json(map->dims, map->rank));
	at_json_set(object, "strides", numbers_json(map->strides + 1, map->rank - 1));
	at_json_set(object, "box", numbers_json(map->box, map->rank));
	at_json_set(object, "element_strides", numbers_json(map->steps, map->rank));
	at_json_set(object, "swizzle", map->swizzle_bytes);
	at_json_set(object, "interleave", map->interleave_bytes);
	at_json_set(object, "promotion", map->promotion_bytes);
	return object;
}

char *at_compiled_plan_launch_json(
	const struct at_compiled_plan *self, const struct at_spec *spec)
{
	const struct at_measure_request *request = &self->request;
	struct at_json *object = launch_json(&request->kernel.geometry);
	struct at_json *launches = NULL, *maps = NULL;
	int64_t rounds[AT_SPEC_LAUNCHES_MAX] = { 0 };

	/* an instance of a C++ template has another name in each configuration */
	if (!request->kernel.kernel && self->compile.kernel_count &&
		strchr(self->compile.kernels[0], '<'))
		at_json_set(object, "kernel", self->compile.kernels[0]);
	if (at_measure_is_sequence(request))
		launches = at_json_array();
	for (size_t i = 0; i <= request->more_count; i++)
		rounds[at_measure_launch(request, i)->call]++;
	for (size_t i = 0; launches && i <= request->more_count; i++) {
		const struct at_measure_call *call = at_measure_launch(request, i);
		const bool is_grouped = spec->calls[call->call].rounds != NULL;
		struct at_json *launch;
		int64_t repeat = 1 + (int64_t)call->repeats;

		/* a group has the same launches in all rounds */
		if (is_grouped && !rounds[call->call])
			continue;
		launch = launch_json(&call->geometry);
		if (is_grouped)
			at_json_set(launch, "rounds", rounds[call->call]);
		rounds[call->call] = 0;
		/* the steps of a launch follow one another */
		while ((call->value_count || spec->calls[call->call].launch.has_step) &&
			!is_grouped && i < request->more_count &&
			at_measure_launch(request, i + 1)->call == call->call) {
			repeat++;
			i++;
		}
		/* of the file's "launches", from 0 */
		at_json_set(launch, "launch", call->call);
		at_json_set(launch, "repeat", repeat);
		if (call->registers) {
			at_json_set(launch, "registers", call->registers);
			at_json_set(launch, "static_shared_bytes",
				call->static_shared_bytes);
		}
		at_json_append(launches, launch);
	}
	if (launches)
		at_json_set(object, "launches", launches);
	for (uint32_t i = 0; i < request->binding_count; i++)
		if (request->bindings[i].map.of) {
			if (!maps)
				maps = at_json_object();
			at_json_set(maps, spec->arguments[i].name,
				map_json(&request->bindings[i].map, spec));
		}
	if (maps)
		at_json_set(object, "tensor_maps", maps);
	return at_json_finish(object);
}

char *at_compiled_plan_options_json(const struct at_compiled_plan *self)
{
	struct at_json *array = at_json_array();

	for (size_t i = 0; i < self->compile.option_count; i++)
		at_json_append(array, at_json_string(self->compile.options[i]));
	return at_json_finish(array);
}

/* A metric that the space does not give is NAN, which is not above 0, and is left
   out. */
char *at_compiled_plan_metrics_json(const struct at_compiled_plan *self)
{
	struct at_json *object = at_json_object();

	if (self->flops > 0)
		at_json_set(object, "flops", self->flops);
	if (self->bytes > 0)
		at_json_set(object, "bytes", self->bytes);
	return at_json_finish(object);
}
