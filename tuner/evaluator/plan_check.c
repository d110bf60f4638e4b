/* Rejects impossible configurations before a launch: names that the template lacks,
   defaults that cannot work, a compiled kernel that needs more than the device has. */
#include "evaluator/plan_internal.h"
#include "base/memory.h"
#include "evaluator/cases.h"
#include "kernel/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits for at_plan_check(), if the device is unknown: no device exceeds them. */
#define MOST_THREADS 1024
/* by the CUDA C++ Programming Guide, "Technical Specifications" */
#define MOST_THREADS_Z 64
#define MOST_BLOCKS_YZ 65535
/* the most for a block: 228 KiB of the largest multiprocessors less the driver's 1
   KiB */
#define MOST_SHARED_BYTES 232448
/* of the first devices with clusters */
#define CLUSTER_CAPABILITY 90

/* The first constraint that the values in the slots violate, or NULL. unknown_fails: a
   constraint that needs unbound values counts as violated. */
static const struct at_constraint *find_refusal(
	const struct at_spec *spec, const struct at_value *slots, bool unknown_fails)
{
	for (size_t i = 0; i < spec->constraint_count; i++) {
		const struct at_constraint *constraint = &spec->constraints[i];
		bool holds = false;

		if (at_expression_test(constraint->expression, slots, &holds, NULL) ==
					AT_EVALUATION_OK
				? !holds
				: unknown_fails)
			return constraint;
	}
	return NULL;
}

/* Most kernel names made from parameters that are checked. Further missing kernels fail
   to compile. */
#define VARIANTS_MAX 4096

/* Checks the name of a call with all values of the parameters in it that the
   constraints admit. */
static enum at_status check_variants(const struct at_template *template,
	const struct at_spec *spec, const struct at_call *call, struct at_error *err)
{
	uint16_t *configuration = at_calloc(spec->parameter_count, sizeof(uint16_t));
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));
	bool *is_used = at_calloc(spec->parameter_count, sizeof(*is_used));
	enum at_status status = AT_OK;
	size_t i = 0;

	for (size_t k = 0; k < spec->parameter_count; k++)
		is_used[k] = at_kernel_names(call->kernel, spec->parameters[k].name);
	/* counts through the values of these parameters */
	for (size_t n = 0; n < VARIANTS_MAX && i < spec->parameter_count; n++) {
		struct at_strbuf name = { 0 };

		for (size_t k = 0; k < spec->parameter_count; k++)
			if (is_used[k])
				slots[k] = spec->parameters[k].values[configuration[k]];
		at_spec_write_function(spec, call->kernel, configuration, &name);
		if (!find_refusal(spec, slots, false))
			status = at_template_check_kernel(
				template, spec, call, at_strbuf_text(&name), err);
		at_strbuf_release(&name);
		if (status)
			break;
		for (i = 0; i < spec->parameter_count; i++) {
			if (!is_used[i])
				continue;
			if (++configuration[i] < spec->parameters[i].value_count)
				break;
			configuration[i] = 0;
		}
	}
	free(configuration);
	free(slots);
	free(is_used);
	return status;
}

enum at_status at_plan_check_names(const struct at_spec *spec,
	const struct at_template *template, struct at_error *err)
{
	const struct at_toolchain *toolchain;
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;

	if (spec->toolchain)
		status = at_toolchain_find(spec->toolchain, &toolchain, &reason);
	if (status)
		return at_fail(err, status, spec->path, spec->toolchain_line, "%s",
			reason.text);
	for (size_t i = 0; i <= spec->call_count && !status; i++) {
		const struct at_call *call = at_spec_call(spec, i);

		if (call->is_generated &&
			at_is_cubin_name(template->path, strlen(template->path)))
			status = at_fail(err, AT_EINVAL, spec->path, call->line,
				"the template is machine code, to which no conversion of types can be added: give its arguments the types that it has");
		else if (call->kernel && !call->is_generated)
			status = check_variants(template, spec, call, err);
	}
	return status ? status : at_template_check_symbols(template, spec, err);
}

bool at_plan_admits(struct at_plan *self, const uint16_t *configuration)
{
	at_spec_bind_configuration(self->spec, configuration, self->slots);
	return !find_refusal(self->spec, self->slots, true) &&
	       (!self->is_scaled || at_case_suits(self->spec, self->problem, self->base,
					    configuration));
}

/* Whether an option contains the parameter as "${NAME}". */
static bool is_in_options(const struct at_spec *spec, const char *name)
{
	char reference[128];

	snprintf(reference, sizeof(reference), "${%s}", name);
	for (size_t i = 0; i < spec->option_count; i++)
		if (strstr(spec->options[i].text, reference))
			return true;
	return false;
}

/* Checks for forbidden options (at_source_options()) with each value of a parameter
   that they contain, all other parameters at their defaults. Other combinations are
   checked when a configuration is planned, before a compiler gets its options. */
static enum at_status check_option_values(struct at_plan *self, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < spec->parameter_count && !status; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];
		struct at_value kept = self->slots[i];

		if (!is_in_options(spec, parameter->name))
			continue;

		for (size_t k = 0; k < parameter->value_count && !status; k++) {
			struct at_error reason = { 0 };
			size_t count = 0;
			char **options = NULL;

			self->slots[i] = parameter->values[k];
			status = at_source_options(
				spec, self->slots, &options, &count, &reason);
			at_source_free_options(options, count);
			/* other errors concern only that configuration */
			if (status == AT_EUNTRUSTED && err && !err->status)
				*err = reason;
			else
				status = AT_OK;
		}
		self->slots[i] = kept;
	}
	return status;
}

/* Each dimension is within limits by now, but products, y and z may not be. The limits
   of a known device decide for each configuration. Defaults that no device can launch
   are a mistake in the file: an error, not a row in the results. */
static enum at_status check_geometry(struct at_plan *self, const struct at_call *call,
	const struct at_geometry *geometry, struct at_error *err)
{
	const struct {
		int64_t wanted, most;
		const char *what;
	} limits[] = {
		{ (int64_t)geometry->block[0] * geometry->block[1] * geometry->block[2],
			MOST_THREADS, "threads in a block" },
		{ geometry->block[2], MOST_THREADS_Z, "threads of a block in z" },
		{ geometry->grid[1], MOST_BLOCKS_YZ, "blocks of the grid in y" },
		{ geometry->grid[2], MOST_BLOCKS_YZ, "blocks of the grid in z" },
		{ geometry->shared_bytes, MOST_SHARED_BYTES, "shared_bytes" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(limits); i++)
		if (call->launch.line && limits[i].wanted > limits[i].most)
			return at_fail(err, AT_EINVAL, self->spec->path,
				call->launch.line,
				"%s has %lld %s: no device takes more than %lld",
				call->name, (long long)limits[i].wanted, limits[i].what,
				(long long)limits[i].most);
	return AT_OK;
}

static enum at_status check_geometries(struct at_plan *self,
	const struct at_measure_request *request, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;

	for (size_t i = 0; i <= request->more_count && !status; i++) {
		const struct at_measure_call *launch = at_measure_launch(request, i);

		status = check_geometry(
			self, &spec->calls[launch->call], &launch->geometry, err);
	}
	if (spec->prepare && !status)
		status = check_geometry(
			self, spec->prepare, &request->prepare.geometry, err);
	if (spec->finish && !status)
		status = check_geometry(
			self, spec->finish, &request->finish.geometry, err);
	return status;
}

/* Refuses a metric of 0 or less, which gives no rate. *value: the metric, or 0
   without one. */
static enum at_status check_metric(struct at_plan *self,
	const struct at_expression *metric, const char *what, double *value,
	struct at_error *err)
{
	enum at_status status;

	*value = 0;
	if (!metric)
		return AT_OK;
	status = at_spec_real(self->spec, metric, self->slots, what,
		at_expression_line(metric), value, err);
	/* rates are reported only for the tuned problem, which has no base */
	if (status || self->base || *value > 0)
		return status;
	return at_fail(err, AT_EINVAL, self->spec->path, at_expression_line(metric),
		"%s: \"%s\" is %g: expected what one launch does, above 0, or none of it",
		what, at_expression_text(metric), *value);
}

/* Adjacent units differ by a factor of 1000. A metric may leave out half of the written
   bytes, such as the padding of a layout. */
#define UNIT_LEAST 500

/* Refuses bytes in a larger unit, such as GB: rates would be wrong by the unit. */
static enum at_status check_unit(struct at_plan *self,
	const struct at_measure_setup *setup, double bytes, struct at_error *err)
{
	const struct at_expression *metric = self->spec->bytes;
	double written = 0; /* certainly, by a launch: whole outputs */

	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].access == AT_ACCESS_OUT &&
			!setup->arguments[i].has_fields)
			written += (double)setup->bindings[i].count *
				   at_element_bytes(setup->arguments[i].element);
	if (!metric || self->base || bytes * UNIT_LEAST >= written)
		return AT_OK;
	return at_fail(err, AT_EINVAL, self->spec->path, at_expression_line(metric),
		"metrics.bytes: \"%s\" is %g, and the outputs alone have %.0f bytes: expected bytes of one launch, and no larger unit",
		at_expression_text(metric), bytes, written);
}

enum at_status at_plan_check(struct at_plan *self, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	const struct at_constraint *refusal;
	struct at_measure_request request = { 0 };
	struct at_measure_setup setup = { 0 };
	double metric = 0;
	struct at_error reason = { 0 };
	size_t option_count = 0;
	char **options = NULL;
	enum at_status status;

	at_spec_bind_configuration(spec, spec->defaults, self->slots);
	refusal = find_refusal(spec, self->slots, true);
	/* a space need not promise that its first values, or a problem of verify,
	   satisfy the constraints */
	if (refusal && (self->base || !spec->has_defaults))
		return AT_OK;
	if (refusal)
		return at_fail(err, AT_EINVAL, spec->path, refusal->line,
			"the defaults do not satisfy the constraint \"%s\" (problem %s): give defaults that do, the baseline is measured with them",
			at_expression_text(refusal->expression), self->problem->name);
	if (!spec->kernel)
		return AT_OK;
	status = at_plan_make_request(self, MOST_THREADS, &request, &reason);
	/* without `defaults` the author did not choose the first values */
	if (!status && spec->has_defaults)
		status = check_geometries(self, &request, &reason);
	if (!status)
		status = at_plan_make_setup(self, MOST_THREADS, &setup, &reason);
	if (!status)
		status = check_metric(
			self, spec->flops, "metrics.flops", &metric, &reason);
	if (!status)
		status = check_metric(
			self, spec->bytes, "metrics.bytes", &metric, &reason);
	if (!status)
		status = check_unit(self, &setup, metric, &reason);
	if (!status)
		status = at_source_options(
			spec, self->slots, &options, &option_count, &reason);
	if (!status)
		status = check_option_values(self, &reason);
	if (status == AT_EINVAL)
		at_fail(err, status, reason.file, reason.line,
			"%s (the defaults, problem %s%s)", reason.text,
			self->problem->name, self->base ? " of verify" : "");
	else if (status)
		at_fail(err, status, reason.file, reason.line, "%s", reason.text);
	at_source_free_options(options, option_count);
	at_measure_request_release(&request);
	at_measure_setup_release(&setup);
	return status;
}

/* Refuses attributes that exceed the device. If the capacity of a multiprocessor is
   unknown (device `host`), the device itself answers. */
static enum at_outcome check_attributes(const struct at_plan *self, const char *prefix,
	const struct at_kernel_facts *facts, const struct at_geometry *geometry,
	char *detail, size_t size)
{
	const struct at_properties *properties = &self->device->properties;
	const enum at_property count = AT_PROPERTY_MULTIPROCESSOR_COUNT,
			       capability = AT_PROPERTY_COMPUTE_CAPABILITY;
	const struct at_attributes *attributes = &geometry->attributes;
	const uint64_t blocks = at_blocks_of(geometry->grid);
	struct at_occupancy occupancy;

	if (at_blocks_of(attributes->cluster) > 1 && properties->known[capability] &&
		properties->value[capability] < CLUSTER_CAPABILITY) {
		snprintf(detail, size,
			"%sneeds clusters of %llu blocks, which devices before sm_%d lack",
			prefix, (unsigned long long)at_blocks_of(attributes->cluster),
			CLUSTER_CAPABILITY);
		return AT_OUTCOME_TOO_MANY_RESOURCES;
	}
	if (!attributes->is_cooperative || !properties->known[count] ||
		!at_plan_occupancy(self, facts, geometry, &occupancy) ||
		blocks <= (uint64_t)(occupancy.blocks * properties->value[count]))
		return AT_OUTCOME_OK;
	snprintf(detail, size,
		"%sis cooperative, and needs %llu resident blocks: the device holds %lld, %lld on each of %lld multiprocessors",
		prefix, (unsigned long long)blocks,
		(long long)(occupancy.blocks * properties->value[count]),
		(long long)occupancy.blocks, (long long)properties->value[count]);
	return AT_OUTCOME_TOO_MANY_RESOURCES;
}

/* prefix: names the launch if there are several. */
static enum at_outcome check_resources(const struct at_plan *self, const char *prefix,
	const struct at_kernel_facts *facts, const struct at_geometry *geometry,
	char *detail, size_t size)
{
	const struct at_properties *properties = &self->device->properties;
	int64_t threads =
		(int64_t)geometry->block[0] * geometry->block[1] * geometry->block[2];
	int64_t fixed = facts->shared_bytes > 0 ? facts->shared_bytes : 0;
	int64_t registers = facts->registers > 0 ? facts->registers * threads : 0;
	const struct {
		enum at_property property;
		int64_t wanted;
		const char *what;
	} limits[] = {
		{ AT_PROPERTY_MAX_THREADS_PER_BLOCK, threads, "threads per block" },
		{ AT_PROPERTY_MAX_BLOCK_X, geometry->block[0], "threads in block x" },
		{ AT_PROPERTY_MAX_BLOCK_Y, geometry->block[1], "threads in block y" },
		{ AT_PROPERTY_MAX_BLOCK_Z, geometry->block[2], "threads in block z" },
		{ AT_PROPERTY_MAX_GRID_X, geometry->grid[0], "blocks in grid x" },
		{ AT_PROPERTY_MAX_GRID_Y, geometry->grid[1], "blocks in grid y" },
		{ AT_PROPERTY_MAX_GRID_Z, geometry->grid[2], "blocks in grid z" },
		{ AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK, fixed,
			"bytes of static shared memory" },
		{ AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK,
			fixed + geometry->shared_bytes, "bytes of shared memory" },
		{ AT_PROPERTY_MAX_REGISTERS_PER_BLOCK, registers,
			"registers per block" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(limits); i++) {
		int64_t most = properties->value[limits[i].property];

		if (!properties->known[limits[i].property] || limits[i].wanted <= most)
			continue;
		snprintf(detail, size, "%sneeds %lld %s, the device has %lld", prefix,
			(long long)limits[i].wanted, limits[i].what, (long long)most);
		return AT_OUTCOME_TOO_MANY_RESOURCES;
	}
	if (facts->max_threads > 0 && threads > facts->max_threads) {
		snprintf(detail, size,
			"%slaunches %lld threads per block, but __launch_bounds__ promises at most %lld",
			prefix, (long long)threads, (long long)facts->max_threads);
		return AT_OUTCOME_TOO_MANY_RESOURCES;
	}
	return check_attributes(self, prefix, facts, geometry, detail, size);
}

enum at_outcome at_plan_check_resources(const struct at_plan *self,
	const struct at_measure_request *request,
	const struct at_compile_result *compiled, char *detail, size_t size)
{
	const struct at_spec *spec = self->spec;
	enum at_outcome outcome = AT_OUTCOME_OK;
	char prefix[64] = "";

	for (size_t i = 0; i <= request->more_count && outcome == AT_OUTCOME_OK; i++) {
		const struct at_measure_call *launch = at_measure_launch(request, i);
		const struct at_call *call = &spec->calls[launch->call];
		const struct at_kernel_facts *facts =
			at_plan_find_kernel(spec, call, compiled);

		if (spec->launch_count > 1)
			snprintf(prefix, sizeof(prefix), "%s ", call->name);
		if (facts)
			outcome = check_resources(
				self, prefix, facts, &launch->geometry, detail, size);
	}
	return outcome;
}

bool at_plan_occupancy(const struct at_plan *self, const struct at_kernel_facts *facts,
	const struct at_geometry *geometry, struct at_occupancy *out)
{
	const struct at_occupancy_kernel kernel = {
		.threads = (int64_t)geometry->block[0] * geometry->block[1] *
			   geometry->block[2],
		.registers = facts->registers,
		.static_shared_bytes = facts->shared_bytes,
		.dynamic_shared_bytes = geometry->shared_bytes,
		.max_threads = facts->max_threads,
		.barriers = facts->barriers,
	};

	return at_occupancy(&self->device->properties, &kernel, out);
}
