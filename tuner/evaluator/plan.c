/* Makes plans: compile request, launches and setup of a configuration on a problem. */
#include "evaluator/plan_internal.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/source.h"
#include "kernel/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum at_status at_plan_toolchain(const struct at_spec *spec,
	const struct at_device_info *device, const char **name, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status =
		at_toolchain_choose(device->toolchain, spec->toolchain, name, &reason);

	return status ? at_fail(err, status, spec->path, spec->toolchain_line, "%s",
				reason.text)
		      : AT_OK;
}

enum at_status at_plan_init(struct at_plan *self, const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	const struct at_problem *base, const struct at_device_info *device,
	const char *toolchain_version, uint64_t seed, struct at_error *err)
{
	enum at_status status;

	*self = (struct at_plan){
		.spec = spec,
		.whole = spec,
		.template = template,
		.problem = problem,
		.base = base,
		.device = device,
		.toolchain_version = toolchain_version,
		.seed = seed,
		.slots = at_calloc(spec->slot_count + 1, sizeof(*self->slots)),
	};
	status = at_plan_toolchain(spec, device, &self->toolchain, err);
	if (status) {
		at_plan_release(self);
		return status;
	}
	at_spec_bind(spec, problem, base, &device->properties, self->slots);
	return AT_OK;
}

void at_plan_release(struct at_plan *self)
{
	free(self->slots);
	at_measure_setup_release(&self->setup);
	memset(self, 0, sizeof(*self));
}

bool at_plan_applies(const struct at_problem *problem, const char *device_kind)
{
	return !problem->on || !strcmp(problem->on, device_kind);
}

static void set_texts(const struct at_device_info *device, const char *toolchain,
	const char *name, const char *directory, struct at_compile_request *out)
{
	out->toolchain = at_strdup(toolchain);
	out->architecture = at_strdup(device->architecture);
	out->name = at_strdup(name);
	out->directory = at_strdup(directory);
}

/* The first launch of the same kernel: a unit contains each kernel once. */
static size_t first_of_kernel(const struct at_spec *spec, size_t index)
{
	size_t first = 0;

	if (index >= spec->launch_count)
		return index;
	/* launches have kernels; the analyzer does not know that */
	while (first < index && spec->calls[first].kernel &&
		spec->calls[index].kernel &&
		strcmp(spec->calls[first].kernel, spec->calls[index].kernel) != 0)
		first++;
	return first;
}

/* Sets the space's kernels, by their names in the configuration. */
static void set_spec_kernels(const struct at_spec *spec, const uint16_t *configuration,
	enum at_unit unit, struct at_compile_request *out)
{
	/* at_plan_find_kernel() relies on this order */
	const bool is_tuned = unit == AT_UNIT_TUNED;
	size_t count = is_tuned ? spec->call_count : 1;

	out->kernels = at_calloc(count, sizeof(*out->kernels));
	for (size_t i = 0; i < count; i++) {
		const char *kernel =
			is_tuned ? spec->calls[i].kernel : spec->reference.call.kernel;
		struct at_strbuf name = { 0 };

		if (!kernel || (is_tuned && first_of_kernel(spec, i) < i))
			continue;
		at_spec_write_kernel(spec, kernel, configuration, &name);
		out->kernels[out->kernel_count++] = at_strbuf_detach(&name);
	}
}

const struct at_kernel_facts *at_plan_find_kernel(const struct at_spec *spec,
	const struct at_call *call, const struct at_compile_result *compiled)
{
	size_t first, index = 0;

	if (!call || !call->kernel)
		return NULL;
	first = first_of_kernel(spec, (size_t)(call - spec->calls));
	for (size_t i = 0; i < first; i++)
		index += first_of_kernel(spec, i) == i;
	return index < compiled->kernel_count ? &compiled->kernels[index] : NULL;
}

/* "" where the space has no such call. */
static void set_symbol(const struct at_spec *spec, const struct at_call *call,
	const struct at_compile_result *compiled, struct at_measure_call *out)
{
	const struct at_kernel_facts *facts = at_plan_find_kernel(spec, call, compiled);

	free(out->symbol);
	out->symbol = at_strdup(facts ? facts->symbol : "");
	out->registers = facts && facts->registers > 0 ? facts->registers : 0;
	out->static_shared_bytes =
		facts && facts->shared_bytes > 0 ? facts->shared_bytes : 0;
}

void at_plan_set_symbols(const struct at_spec *spec,
	const struct at_compile_result *compiled, struct at_measure_request *out)
{
	for (size_t i = 0; i <= out->more_count; i++) {
		struct at_measure_call *launch = at_measure_launch(out, i);

		set_symbol(spec, &spec->calls[launch->call], compiled, launch);
	}
	set_symbol(spec, spec->prepare, compiled, &out->prepare);
	set_symbol(spec, spec->finish, compiled, &out->finish);
}

enum at_status at_plan_compile(struct at_plan *self, const uint16_t *configuration,
	enum at_unit unit, struct at_compile_request *out, struct at_error *err)
{
	/* The reference belongs to no configuration: it is made with the file's own
	   defaults, whatever --set selects. */
	const struct at_spec *spec = unit == AT_UNIT_TUNED ? self->spec : self->whole;
	struct at_strbuf specific = { 0 };
	int number = 0, length = 0;
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	if (unit != AT_UNIT_TUNED)
		configuration = spec->defaults;
	at_spec_bind_configuration(spec, configuration, self->slots);
	set_texts(self->device, self->toolchain, at_path_name(self->template->path),
		self->template->directory, out);
	/* "sm_90" becomes "sm_90a"; from 90 on, architectures have such features */
	if (spec->is_arch_specific &&
		sscanf(out->architecture, "sm_%d%n", &number, &length) == 1 &&
		number >= 90 && !out->architecture[length]) {
		at_strbuf_addf(&specific, "%sa", out->architecture);
		free(out->architecture);
		out->architecture = at_strbuf_detach(&specific);
	}
	status = at_source_fill(
		spec, self->template, self->slots, configuration, unit, out, err);
	if (!status)
		set_spec_kernels(spec, configuration, unit, out);
	if (status)
		at_compile_request_release(out);
	return status;
}

void at_plan_compile_own(const struct at_device_info *device,
	const struct at_own_unit *unit, struct at_compile_request *out)
{
	memset(out, 0, sizeof(*out));
	set_texts(device, unit->toolchain ? unit->toolchain : device->toolchain,
		unit->name, "", out);
	out->source = at_strndup((const char *)unit->source, unit->source_bytes);
	out->options = at_calloc(unit->option_count + 1, sizeof(*out->options));
	for (size_t i = 0; i < unit->option_count; i++)
		out->options[out->option_count++] = at_strdup(unit->options[i]);
	out->kernels = at_calloc(unit->kernel_count + 1, sizeof(*out->kernels));
	for (size_t i = 0; i < unit->kernel_count; i++)
		if (unit->kernels[i])
			out->kernels[out->kernel_count++] = at_strdup(unit->kernels[i]);
}

void at_plan_compile_support(const struct at_plan *self, struct at_compile_request *out)
{
	const struct at_own_unit unit = {
		.toolchain = self->toolchain,
		.name = "support.cu",
		.source = at_embedded_support,
		.source_bytes = at_embedded_support_size,
		.options = at_measure_support_options,
		.option_count = at_measure_support_option_count,
		.kernels = at_measure_support_kernels,
		.kernel_count = at_measure_support_kernel_count,
	};

	at_plan_compile_own(self->device, &unit, out);
}

/* ---- evaluating ---------------------------------------------------------------- */

/* Evaluates one number of a launch; expression NULL: *out is unchanged. axis: the index
   in a list, or -1. The name is composed only for a message, since that takes longer
   than evaluating. */
static enum at_status evaluate_part(const struct at_plan *self,
	const struct at_call *call, const struct at_expression *expression,
	const char *part, int axis, int64_t least, int64_t most, int64_t *out,
	struct at_error *err)
{
	const struct at_value *step = &self->slots[self->spec->slot_count];
	char what[128], index[16] = "", at[40] = "";

	if (!expression ||
		!at_plan_integer(self, expression, "", least, most, out, NULL))
		return AT_OK;
	if (axis >= 0)
		snprintf(index, sizeof(index), "[%d]", axis);
	if (call->launch.has_step && step->type == AT_TYPE_INTEGER)
		snprintf(at, sizeof(at), " at step %lld", (long long)step->integer);
	snprintf(what, sizeof(what), "%s.%s%s%s", call->name, part, index, at);
	return at_plan_integer(self, expression, what, least, most, out, err);
}

static enum at_status evaluate_condition(const struct at_plan *self,
	const struct at_call *call, const struct at_expression *expression,
	const char *part, bool *out, struct at_error *err)
{
	char what[64];

	if (!expression)
		return AT_OK;
	snprintf(what, sizeof(what), "%s.%s", call->name, part);
	return at_spec_test(
		self->spec, expression, self->slots, what, call->line, out, err);
}

/* Refuses clusters that no device can launch. */
static enum at_status check_clusters(const struct at_plan *self,
	const struct at_call *call, const struct at_geometry *geometry,
	struct at_error *err)
{
	const struct at_attributes *attributes = &geometry->attributes;
	const uint32_t *const clusters[] = { attributes->cluster,
		attributes->preferred_cluster };
	static const char *const names[] = { "cluster", "preferred_cluster" };
	static const char axes[] = "xyz";

	for (size_t i = 0; i < AT_COUNT_OF(clusters); i++) {
		const uint32_t *cluster = clusters[i];

		if (at_blocks_of(cluster) > AT_CLUSTER_MOST)
			return at_fail(err, AT_EINVAL, self->spec->path,
				call->launch.line,
				"%s.%s has %llu blocks: no device takes more than %d",
				call->name, names[i],
				(unsigned long long)at_blocks_of(cluster),
				AT_CLUSTER_MOST);
		for (size_t k = 0; k < 3 && cluster[0]; k++) {
			const uint32_t regular = attributes->cluster[k];

			if (geometry->grid[k] % cluster[k])
				return at_fail(err, AT_EINVAL, self->spec->path,
					call->launch.line,
					"%s: the grid has %u blocks in %c, which clusters of %u do not divide: round it up, and let the kernel leave out what is too much",
					call->name, geometry->grid[k], axes[k],
					cluster[k]);
			/* equal in z, by cuda.h */
			if (regular &&
				(k < 2 ? cluster[k] % regular : cluster[k] != regular))
				return at_fail(err, AT_EINVAL, self->spec->path,
					call->launch.line,
					"%s.preferred_cluster has %u blocks in %c, and cluster %u: expected %s",
					call->name, cluster[k], axes[k], regular,
					k < 2 ? "a multiple" : "as many");
		}
	}
	return AT_OK;
}

static enum at_status evaluate_attributes(const struct at_plan *self,
	const struct at_call *call, struct at_geometry *geometry, struct at_error *err)
{
	const struct at_launch *launch = &call->launch;
	struct at_attributes *out = &geometry->attributes;
	int64_t carveout = -1, percent = 0;
	enum at_status status = evaluate_condition(self, call, launch->cooperative,
		"cooperative", &out->is_cooperative, err);

	if (!status)
		status = evaluate_condition(self, call, launch->dependent, "dependent",
			&out->is_dependent, err);
	if (!status)
		status = evaluate_part(self, call, launch->carveout, "carveout", -1, -1,
			100, &carveout, err);
	if (!status)
		status = evaluate_part(self, call, launch->window.percent,
			"l2_window.percent", -1, 0, 100, &percent, err);
	out->carveout = (uint32_t)(carveout + 1);
	out->window_percent = (uint32_t)percent;
	out->window = percent ? 1 + (uint32_t)launch->window.argument : 0;
	return status ? status : check_clusters(self, call, geometry, err);
}

static enum at_status evaluate_launch(const struct at_plan *self,
	const struct at_call *call, int64_t most_threads, struct at_geometry *out,
	struct at_error *err)
{
	const struct at_launch *launch = &call->launch;
	struct at_attributes *attributes = &out->attributes;
	const struct {
		const char *what;
		struct at_expression *const *expressions;
		size_t rank;
		int64_t most;
		uint32_t *out;
	} parts[] = {
		{ "block", launch->block, launch->block_rank, most_threads,
			out->block },
		{ "grid", launch->grid, launch->grid_rank, AT_PLAN_MOST_IN_LAUNCH,
			out->grid },
		{ "cluster", launch->cluster, launch->cluster_rank,
			AT_PLAN_MOST_IN_LAUNCH, attributes->cluster },
		{ "preferred_cluster", launch->preferred, launch->preferred_rank,
			AT_PLAN_MOST_IN_LAUNCH, attributes->preferred_cluster },
	};
	enum at_status status = AT_OK;
	int64_t value;

	for (size_t i = 0; i < 3 * AT_COUNT_OF(parts) && !status; i++) {
		size_t axis = i % 3;

		/* an omitted cluster stays 0 */
		if (!parts[i / 3].rank && i >= 6)
			continue;
		value = 1;
		status = evaluate_part(self, call,
			axis < parts[i / 3].rank ? parts[i / 3].expressions[axis]
						 : NULL,
			parts[i / 3].what, (int)axis, 1, parts[i / 3].most, &value,
			err);
		parts[i / 3].out[axis] = (uint32_t)value;
	}
	value = 0;
	if (!status)
		status = evaluate_part(self, call, launch->shared_bytes, "shared_bytes",
			-1, 0, AT_PLAN_MOST_IN_LAUNCH, &value, err);
	out->shared_bytes = (uint32_t)value;
	return status ? status : evaluate_attributes(self, call, out, err);
}

static void set_arguments(
	struct at_measure_call *out, const size_t *arguments, size_t count)
{
	out->arguments = at_calloc(count + 1, sizeof(*out->arguments));
	out->argument_count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		out->arguments[i] = (uint32_t)arguments[i];
}

/* call NULL: the space has no such call. */
static enum at_status plan_call(const struct at_plan *self, const struct at_call *call,
	int64_t most_threads, struct at_measure_call *out, struct at_error *err)
{
	enum at_status status;

	if (!call) {
		set_arguments(out, NULL, 0);
		return AT_OK;
	}
	status = evaluate_launch(self, call, most_threads, &out->geometry, err);
	if (!status)
		set_arguments(out, call->arguments, call->argument_count);
	return status;
}

/* One launch of the sequence, `repeat` times in a row. */
static enum at_status plan_launch(const struct at_plan *self,
	const struct at_call *call, int64_t most_threads, int64_t repeat,
	struct at_measure_call *out, struct at_error *err)
{
	const size_t index = (size_t)(call - self->spec->calls);
	enum at_status status = plan_call(self, call, most_threads, out, err);

	out->call = (uint32_t)index;
	out->kernel = (uint32_t)first_of_kernel(self->spec, index);
	out->repeats = (uint32_t)(repeat - 1);
	out->swaps = at_calloc(call->swap_count + 1, sizeof(*out->swaps));
	out->swap_count = (uint32_t)call->swap_count;
	for (size_t i = 0; i < call->swap_count; i++)
		out->swaps[i] = (uint32_t)call->swaps[i];
	return status;
}

/* Whether the value differs between steps and the call takes it. */
static bool is_stepped(
	const struct at_spec *spec, const struct at_call *call, size_t index)
{
	const struct at_argument *argument = &spec->arguments[index];
	const size_t taken = argument->owner ? argument->owner - 1 : index;

	for (size_t i = 0; argument->has_step && i < call->argument_count; i++)
		if (call->arguments[i] == taken)
			return true;
	return false;
}

static bool has_steps(const struct at_spec *spec, const struct at_call *call)
{
	if (call->launch.has_step)
		return true;
	for (size_t i = 0; i < spec->argument_count; i++)
		if (is_stepped(spec, call, i))
			return true;
	return false;
}

/* The scalars of one step of a launch. */
static enum at_status plan_step(const struct at_plan *self, const struct at_call *call,
	int64_t step, struct at_measure_call *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;

	out->values = at_calloc(spec->argument_count, sizeof(*out->values));
	for (size_t i = 0; i < spec->argument_count && !status; i++) {
		struct at_measure_value *value = &out->values[out->value_count];

		if (!is_stepped(spec, call, i))
			continue;
		out->value_count++;
		value->argument = (uint32_t)i;
		status = at_plan_step(self, i, step, &value->binding, err);
	}
	return status;
}

/* How often a round launches a call (0: its condition is false), and how many launches
   of the request that makes: a single repeated launch, or one a step. In a group, whose
   rounds are the steps, it makes one. */
static enum at_status count_parts(const struct at_plan *self,
	const struct at_call *call, int64_t *left, int64_t rounds, int64_t *repeat,
	int64_t *parts, struct at_error *err)
{
	const bool steps = has_steps(self->spec, call) && !call->rounds;
	bool holds = true;
	enum at_status status =
		evaluate_condition(self, call, call->when, "when", &holds, err);

	*repeat = holds;
	if (!status && holds)
		status = evaluate_part(self, call, call->repeat, "repeat", -1, 0,
			*left / (rounds + !rounds), repeat, err);
	*parts = steps ? *repeat : *repeat > 0;
	*left -= status ? 0 : rounds * *repeat;
	if (!status && steps && *repeat > AT_STEPS_MAX)
		status = at_fail(err, AT_EINVAL, self->spec->path, call->line,
			"%s is repeated %lld times with values that have \"step\": expected %d times at the most",
			call->name, (long long)*repeat, AT_STEPS_MAX);
	return status;
}

/* How often a group is repeated; 1 for a call outside groups. */
static enum at_status count_rounds(const struct at_plan *self,
	const struct at_call *call, int64_t *out, struct at_error *err)
{
	char what[64];

	*out = 1;
	snprintf(what, sizeof(what), "\"repeat\" of the group of %s", call->name);
	return call->rounds ? at_plan_integer(self, call->rounds, what, 0, AT_STEPS_MAX,
				      out, err)
			    : AT_OK;
}

static enum at_status plan_round(const struct at_plan *self, const struct at_call *call,
	int64_t round, int64_t most_threads, struct at_measure_request *out,
	uint32_t *count, struct at_error *err)
{
	const bool steps = has_steps(self->spec, call);
	int64_t left = AT_LAUNCHES_MAX, repeat, parts;
	enum at_status status = count_parts(self, call, &left, 1, &repeat, &parts, err);

	for (int64_t k = 0; k < parts && !status; k++) {
		struct at_measure_call *launch = at_measure_launch(out, *count);
		const int64_t step = call->rounds ? round : k;

		out->more_count = (*count)++;
		at_plan_set_step(self, step);
		status = plan_launch(
			self, call, most_threads, repeat / parts, launch, err);
		at_plan_set_step(self, -1);
		if (!status && steps)
			status = plan_step(self, call, step, launch, err);
	}
	return status;
}

/* The launches that are timed. */
static enum at_status plan_launches(const struct at_plan *self, int64_t most_threads,
	struct at_measure_request *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;
	uint32_t count = 0;
	int64_t left = AT_LAUNCHES_MAX, rounds, repeat, parts, all = 0;

	for (size_t i = 0; i < spec->launch_count && !status; i++) {
		const struct at_call *call = &spec->calls[i];

		status = count_rounds(self, call, &rounds, err);
		if (!status)
			status = count_parts(
				self, call, &left, rounds, &repeat, &parts, err);
		all += status ? 0 : rounds * parts;
	}
	if (status)
		return status;
	out->more = at_calloc((size_t)all + 1, sizeof(*out->more));
	for (size_t i = 0, size; i < spec->launch_count && !status; i += size) {
		/* the calls that are repeated together */
		size = 1;
		while (spec->calls[i].group && i + size < spec->launch_count &&
			spec->calls[i + size].group == spec->calls[i].group)
			size++;
		status = count_rounds(self, &spec->calls[i], &rounds, err);
		for (int64_t k = 0; k < rounds * (int64_t)size && !status; k++)
			status = plan_round(self, &spec->calls[i + (size_t)k % size],
				k / (int64_t)size, most_threads, out, &count, err);
	}
	if (!status && !count)
		status = at_fail(err, AT_EINVAL, spec->path, spec->calls[0].line,
			"\"launches\": all of them are left out, by \"when\" or a \"repeat\" of 0");
	return status;
}

/* Buffers that are swapped must have equally many elements. */
static enum at_status check_swaps(const struct at_plan *self,
	const struct at_measure_request *request, struct at_error *err)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i <= request->more_count; i++) {
		const struct at_measure_call *launch = at_measure_launch(request, i);

		for (size_t k = 0; k < launch->swap_count; k++) {
			uint32_t one = launch->swaps[k], other = launch->swaps[k ^ 1];

			if (request->bindings[one].count ==
				request->bindings[other].count)
				continue;
			return at_fail(err, AT_EINVAL, spec->path,
				spec->calls[launch->call].line,
				"%s: \"%s\" has %llu elements and \"%s\" %llu: what changes places must have as many",
				spec->calls[launch->call].name,
				spec->arguments[one].name,
				(unsigned long long)request->bindings[one].count,
				spec->arguments[other].name,
				(unsigned long long)request->bindings[other].count);
		}
	}
	return AT_OK;
}

static enum at_status plan_reference(const struct at_plan *self, int64_t most_threads,
	struct at_measure_setup *out, struct at_error *err)
{
	const struct at_reference *reference = &self->spec->reference;
	const struct at_launch *launch = &reference->call.launch;
	struct at_geometry *geometry = &out->reference_call.geometry;
	const char *path = reference->library ? reference->library : "";
	struct at_strbuf library = { 0 };
	enum at_status status = AT_OK;

	out->reference = reference->kind;
	/* the loader would search a bare file name among the system's libraries */
	at_strbuf_addf(
		&library, "%s%s", path[0] && !strchr(path, '/') ? "./" : "", path);
	out->library = at_strbuf_detach(&library);
	out->function = at_strdup(reference->function ? reference->function : "");
	out->files = at_calloc(reference->file_count + 1, sizeof(*out->files));
	for (size_t i = 0; i < reference->file_count && !status; i++) {
		out->files[i].argument = (uint32_t)reference->files[i].argument;
		status = at_spec_file(self->spec, reference->files[i].path,
			reference->line, self->slots, &out->files[i].path, err);
		out->file_count++;
	}
	if (!status)
		status = evaluate_launch(
			self, &reference->call, most_threads, geometry, err);
	if (status)
		return status;
	/* A reference without a launch uses a grid-stride loop, as space/spec.h
	   promises: one thread for each element of the largest output. */
	if (!launch->block_rank && !launch->grid_rank) {
		uint64_t most = 1, blocks;

		for (uint32_t i = 0; i < out->argument_count; i++)
			if ((out->arguments[i].access == AT_ACCESS_OUT ||
				    out->arguments[i].access == AT_ACCESS_INOUT) &&
				out->bindings[i].count > most)
				most = out->bindings[i].count;
		blocks = (most + 255) / 256;
		geometry->block[0] = 256;
		geometry->grid[0] = (uint32_t)(blocks > 65535 ? 65535 : blocks);
	}
	set_arguments(&out->reference_call, reference->call.arguments,
		reference->call.argument_count);
	return AT_OK;
}

enum at_status at_plan_make_setup(const struct at_plan *self, int64_t most_threads,
	struct at_measure_setup *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	out->seed = self->seed;
	out->timed_seed = self->timed_seed;
	out->is_for_verifications = self->base != NULL;
	out->cache = spec->search.cache;
	out->widens_narrow = at_source_float64(spec) == AT_FLOAT64_NARROW;
	status = at_plan_arguments(self, out, err);
	if (!status)
		status = plan_reference(self, most_threads, out, err);
	if (status)
		at_measure_setup_release(out);
	return status;
}

enum at_status at_plan_make_request(const struct at_plan *self, int64_t most_threads,
	struct at_measure_request *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	out->binding_count = (uint32_t)spec->argument_count;
	status = plan_launches(self, most_threads, out, err);
	if (!status)
		status = plan_call(
			self, spec->prepare, most_threads, &out->prepare, err);
	if (!status)
		status = plan_call(self, spec->finish, most_threads, &out->finish, err);
	if (!status)
		status = at_plan_bindings(self, NULL, &out->bindings, err);
	if (!status)
		status = check_swaps(self, out, err);
	if (status)
		at_measure_request_release(out);
	return status;
}

/* far more than any board has */
#define BOARD_MOST 1000000

/* Refuses a clock that the board does not offer: NVML would take the nearest one, and
   the time would belong to another configuration. offered: ends with 0 if shorter than
   `most`. */
static enum at_status check_clock(const struct at_plan *self,
	const struct at_expression *expression, const char *what, uint32_t wanted,
	const uint32_t *offered, size_t most, struct at_error *err)
{
	uint32_t below = 0, above = 0;
	char nearest[40];

	for (size_t i = 0; i < most && offered[i]; i++) {
		if (offered[i] == wanted)
			return AT_OK;
		if (offered[i] < wanted && offered[i] > below)
			below = offered[i];
		if (offered[i] > wanted && (!above || offered[i] < above))
			above = offered[i];
	}
	/* the offer may be unknown */
	if (!below && !above)
		return AT_OK;
	if (below && above)
		snprintf(nearest, sizeof(nearest), "are %u and %u", (unsigned)below,
			(unsigned)above);
	else
		snprintf(nearest, sizeof(nearest), "is %u", (unsigned)(below + above));
	return at_fail(err, AT_EINVAL, self->spec->path, at_expression_line(expression),
		"%s: \"%s\" is %u, which %s does not offer: the nearest %s", what,
		at_expression_text(expression), (unsigned)wanted, self->device->id,
		nearest);
}

/* The clocks and the power limit that the configuration sets. */
static enum at_status plan_clocks(
	const struct at_plan *self, struct at_clocks *out, struct at_error *err)
{
	const struct at_board_clocks *board = &self->spec->board;
	const struct at_device_info *device = self->device;
	const struct at_clocks_offer *offer = &device->offer;
	const uint32_t *limits = offer->power_milliwatts;
	const struct {
		const char *what;
		const struct at_expression *expression;
		uint32_t *out;
		const uint32_t *offered;
		size_t most;
	} parts[] = {
		{ "board.clock_mhz", board->clock_mhz, &out->clock_mhz,
			offer->clocks_mhz, AT_CLOCKS_MOST },
		{ "board.memory_clock_mhz", board->memory_clock_mhz,
			&out->memory_clock_mhz, offer->memory_clocks_mhz,
			AT_MEMORY_CLOCKS_MOST },
		{ "board.power_watts", board->power_watts, &out->power_milliwatts, NULL,
			0 },
	};
	enum at_status status = AT_OK;

	for (size_t i = 0; i < AT_COUNT_OF(parts) && !status; i++) {
		const struct at_expression *expression = parts[i].expression;
		const char *what = parts[i].what;
		int64_t value = 0;

		if (expression)
			status = at_plan_integer(
				self, expression, what, 0, BOARD_MOST, &value, err);
		if (status || !value)
			continue;
		if (device->no_clocks[0])
			status = at_fail(err, AT_EINVAL, self->spec->path,
				at_expression_line(expression), "%s on %s: %s", what,
				device->id, device->no_clocks);
		else if (parts[i].offered)
			status = check_clock(self, expression, what, (uint32_t)value,
				parts[i].offered, parts[i].most, err);
		else if (limits[1])
			status = at_plan_integer(self, expression, what,
				(limits[0] + 999) / 1000, limits[1] / 1000, &value,
				err);
		*parts[i].out = (uint32_t)value * (parts[i].offered ? 1 : 1000);
	}
	return status;
}

enum at_status at_plan_request(struct at_plan *self, const uint16_t *configuration,
	struct at_measure_request *out, struct at_error *err)
{
	enum at_status status;

	at_spec_bind_configuration(self->spec, configuration, self->slots);
	status = at_plan_make_request(self, AT_PLAN_MOST_IN_LAUNCH, out, err);
	if (!status && !self->ignores_clocks) {
		status = plan_clocks(self, &out->clocks, err);
		if (status)
			at_measure_request_release(out);
	}
	return status;
}

enum at_status at_plan_borrow_setup(struct at_plan *self,
	const struct at_measure_setup **out, struct at_hash *identity,
	struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!self->has_setup) {
		at_spec_bind_configuration(
			self->whole, self->whole->defaults, self->slots);
		status = at_plan_make_setup(
			self, AT_PLAN_MOST_IN_LAUNCH, &self->setup, err);
		if (!status)
			at_plan_identify_setup(self);
		if (status)
			at_measure_setup_release(&self->setup);
		self->has_setup = !status;
	}
	*out = status ? NULL : &self->setup;
	if (identity && !status)
		*identity = self->setup_identity;
	return status;
}
