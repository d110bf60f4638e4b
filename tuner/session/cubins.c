/* Compiles the cubins of a header's configurations (cubins.h): lists the units, has
   them compiled, and notes differences from their measurement. */
#include "session/cubins.h"

#include "base/memory.h"
#include "evaluator/plan.h"
#include "evaluator/workers/compile_batch.h"
#include "kernel/toolchain.h"
#include "kernel/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One configuration to compile for one architecture. */
struct unit {
	/* The winner or baseline whose launch and problem it is compiled with, of this
	   architecture if there is one. */
	const struct at_header_entry *entry;
	size_t configuration;
	struct at_capability capability;
	char architecture[16];
	bool is_own; /* the entry is of this architecture */
};

/* One call of at_cubins_make(). */
struct run {
	const struct at_header_plan *plan;
	struct at_cubins *out;
	struct at_template template;
	size_t architecture_count;
	struct at_capability *architectures;
	size_t unit_count;
	struct unit *units; /* in order of configuration, then of architecture */
};

/* ---- units to compile ------------------------------------------------------ */

static bool is_cuda(const struct run *self, const struct at_header_entry *entry)
{
	return !strcmp(self->plan->devices[entry->device].record->kind, "cuda");
}

/* By major, then minor. */
static int compare_capabilities(const void *left, const void *right)
{
	const struct at_capability *a = left, *b = right;

	if (a->major != b->major)
		return a->major < b->major ? -1 : 1;
	return a->minor < b->minor ? -1 : a->minor > b->minor;
}

/* Whether an entry was measured on a CUDA device of this architecture. */
static bool is_of(const struct run *self, const struct at_header_entry *entry,
	const struct at_capability *wanted)
{
	struct at_capability own;

	return is_cuda(self, entry) &&
	       at_capability_read(
		       self->plan->devices[entry->device].record->architecture, &own) &&
	       !compare_capabilities(&own, wanted);
}

/* Lists the architectures of the plan's CUDA devices, each once, in order. */
static enum at_status find_architectures(struct run *self, struct at_error *err)
{
	const struct at_header_plan *plan = self->plan;

	self->architectures =
		at_calloc(plan->device_count + 1, sizeof(*self->architectures));
	for (size_t i = 0; i < plan->device_count; i++) {
		const struct at_record_device *device = plan->devices[i].record;
		struct at_capability own;
		bool is_known = false;

		if (strcmp(device->kind, "cuda") != 0)
			continue;
		if (!at_capability_read(device->architecture, &own))
			return at_fail(err, AT_EINVAL, plan->spec->path, 0,
				"\"%.40s\" of %.60s is no architecture to make cubins for, as sm_90 is",
				device->architecture, device->model);
		for (size_t k = 0; k < self->architecture_count; k++)
			is_known |=
				!compare_capabilities(&self->architectures[k], &own);
		if (!is_known)
			self->architectures[self->architecture_count++] = own;
	}
	if (!self->architecture_count)
		return at_fail(err, AT_EINVAL, plan->spec->path, 0,
			"no winner of \"%s\" is of a CUDA device: others have no cubins",
			plan->spec->name);
	qsort(self->architectures, self->architecture_count,
		sizeof(*self->architectures), compare_capabilities);
	return AT_OK;
}

/* Finds an entry that has the configuration, preferably of this architecture; NULL: no
   CUDA device has it. */
static const struct at_header_entry *find_entry(const struct run *self,
	size_t configuration, const struct at_capability *wanted)
{
	const struct at_header_entry *found = NULL;

	for (size_t i = 0; i < self->plan->entry_count; i++) {
		const struct at_header_entry *entry = &self->plan->entries[i];

		if (entry->configuration != configuration || !is_cuda(self, entry))
			continue;
		if (is_of(self, entry, wanted))
			return entry;
		if (!found)
			found = entry;
	}
	return found;
}

static void list_units(struct run *self)
{
	const size_t configurations = self->plan->configuration_count;

	self->units = at_calloc(
		configurations * self->architecture_count + 1, sizeof(*self->units));
	for (size_t i = 0; i < configurations; i++)
		for (size_t k = 0; k < self->architecture_count; k++) {
			const struct at_capability *wanted = &self->architectures[k];
			struct unit *unit = &self->units[self->unit_count];

			unit->entry = find_entry(self, i, wanted);
			if (!unit->entry)
				continue;
			unit->is_own = is_of(self, unit->entry, wanted);
			unit->configuration = i;
			unit->capability = *wanted;
			snprintf(unit->architecture, sizeof(unit->architecture),
				"sm_%u%u", wanted->major, wanted->minor);
			self->unit_count++;
		}
}

/* ---- compiling ------------------------------------------------------------------ */

/* Notes registers or static shared memory that differ from the recorded ones. */
static void compare(struct run *self, const struct unit *unit,
	const struct at_header_entry *entry, const struct at_kernel_facts *kernel)
{
	const struct at_facts *facts = entry->is_baseline
					       ? &entry->result->baseline.facts
					       : &entry->result->winner.facts;
	const int64_t dynamic =
		entry->launches[0].repeats > 0 ? entry->launches[0].amounts[6] : -1;

	if (facts->registers >= 0 && kernel->registers >= 0 &&
		facts->registers != kernel->registers)
		at_cubins_add_note(self->out,
			"configuration %zu takes %" PRId64
			" registers for %s, and took %" PRId64 " when it was measured",
			unit->configuration, kernel->registers, unit->architecture,
			facts->registers);
	if (facts->shared_bytes >= 0 && dynamic >= 0 && kernel->shared_bytes >= 0 &&
		facts->shared_bytes - dynamic != kernel->shared_bytes)
		at_cubins_add_note(self->out,
			"configuration %zu takes %" PRId64
			" bytes of static shared memory for %s, and took %" PRId64
			" when it was measured",
			unit->configuration, kernel->shared_bytes, unit->architecture,
			facts->shared_bytes - dynamic);
}

/* Adds the cubin of a unit, and notes about it, to the output. Takes over the image. */
static void add_cubin(
	struct run *self, const struct unit *unit, struct at_compile_result *result)
{
	const struct at_spec *spec = self->plan->spec;
	struct at_cubins *out = self->out;
	const size_t notes = out->note_count;
	struct at_cubin *cubin;

	AT_GROW(out->items, out->capacity, out->count + 1);
	cubin = &out->items[out->count++];
	*cubin = (struct at_cubin){
		.configuration = unit->configuration,
		.capability = unit->capability,
		.bytes = result->image,
		.size = result->image_bytes,
	};
	result->image = NULL;
	cubin->kernel_count = spec->call_count;
	cubin->kernels = at_calloc(spec->call_count, sizeof(*cubin->kernels));
	for (size_t i = 0; i < spec->call_count; i++) {
		const struct at_kernel_facts *facts =
			at_plan_find_kernel(spec, &spec->calls[i], result);

		if (facts)
			cubin->kernels[i] = at_strdup(facts->symbol);
	}
	/* one note is enough, even if the configuration won several problems */
	for (size_t i = 0; i < self->plan->entry_count && out->note_count == notes;
		i++) {
		const struct at_header_entry *entry = &self->plan->entries[i];

		if (entry->configuration == unit->configuration &&
			is_of(self, entry, &unit->capability))
			compare(self, unit, entry, &result->kernels[0]);
	}
}

/* If a unit does not compile, that is an error on the architecture of its measurement,
   and a note on others. */
static enum at_status compiled(void *context, size_t index, const char *path,
	const struct at_compile_result *result, struct at_error *err)
{
	struct run *self = context;
	const struct unit *unit = &self->units[index];
	struct at_compile_result whole;
	enum at_status status;
	char line[512];

	if (result->outcome != AT_OUTCOME_OK) {
		at_compile_first_error(result->log, line, sizeof(line));
		if (unit->is_own)
			return at_fail(err, AT_EINVAL, self->plan->spec->path, 0,
				"configuration %zu does not compile for %s, on which it was measured: %.300s",
				unit->configuration, unit->architecture, line);
		at_cubins_add_note(self->out,
			"configuration %zu, of another architecture, does not compile for %s: %s",
			unit->configuration, unit->architecture, line);
		return AT_OK;
	}
	status = at_unit_read(path, &whole, true, err);
	if (!status && (whole.kernel_count == 0 || !whole.image))
		status = at_fail(err, AT_EIO, path, 0, "it has no kernel");
	if (!status)
		status = at_plan_check_signatures(
			self->plan->spec, AT_UNIT_TUNED, &whole, err);
	if (!status)
		add_cubin(self, unit, &whole);
	at_compile_result_release(&whole);
	return status;
}

static enum at_status request_unit(void *context, size_t index,
	struct at_compile_request *out, struct at_error *err)
{
	struct run *self = context;
	const struct unit *unit = &self->units[index];
	const struct at_header_plan *header = self->plan;
	const struct at_header_device *device = &header->devices[unit->entry->device];
	const struct at_header_configuration *configuration =
		&header->configurations[unit->configuration];
	const char *name = header->problems[unit->entry->problem].text;
	const struct at_problem *problem = NULL;
	struct at_device_info info = { .properties = device->record->properties };
	struct at_plan plan;
	enum at_status status;

	for (size_t i = 0; i < header->spec->problem_count && !problem; i++)
		if (!strcmp(header->spec->problems[i].name, name))
			problem = &header->spec->problems[i];
	if (!problem)
		return at_fail(err, AT_EINVAL, header->spec->path, 0,
			"there is no problem \"%.100s\" any more", name);
	/* the device of the measurement, with this unit's architecture */
	snprintf(info.kind, sizeof(info.kind), "%s", device->record->kind);
	snprintf(info.id, sizeof(info.id), "%.31s", device->record->slug);
	snprintf(info.model, sizeof(info.model), "%.127s", device->record->model);
	snprintf(
		info.architecture, sizeof(info.architecture), "%s", unit->architecture);
	snprintf(info.toolchain, sizeof(info.toolchain), AT_TOOLCHAIN_NVRTC);
	status = at_plan_init(&plan, header->spec, &self->template, problem, NULL,
		&info, self->out->compiler, 0, err);
	if (status)
		return status;
	status = at_plan_compile(&plan, configuration->values, AT_UNIT_TUNED, out, err);
	at_plan_release(&plan);
	return status;
}

/* Notes winners that were measured with another compiler. */
static void note_compilers(struct run *self)
{
	const struct at_header_plan *plan = self->plan;

	for (size_t i = 0; i < plan->winner_count; i++) {
		const struct at_header_entry *entry = &plan->entries[i];
		const char *toolchain = entry->result->best.toolchain;

		if (!is_cuda(self, entry) || !toolchain || !*toolchain ||
			!strcmp(toolchain, self->out->compiler))
			continue;
		at_cubins_add_note(self->out,
			"%s on %s was measured with %s, and these are compiled by %s: tune it again to know how fast they are",
			plan->problems[entry->problem].text,
			entry->result->device.model, toolchain, self->out->compiler);
	}
}

/* ---- the whole run --------------------------------------------------------- */

enum at_status at_cubins_make(
	const struct at_header_plan *plan, struct at_cubins *out, struct at_error *err)
{
	struct run self = { .plan = plan, .out = out };
	/* NVRTC compiles for all CUDA devices unless the space says otherwise */
	const struct at_device_info device = { .toolchain = AT_TOOLCHAIN_NVRTC };
	struct at_compile_work work = {
		.request = request_unit,
		.compiled = compiled,
		.context = &self,
	};
	struct at_compile_batch *batch = NULL;
	const char *toolchain;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	status = find_architectures(&self, err);
	if (!status)
		list_units(&self);
	if (!status)
		status = at_spec_require_kernel(plan->spec, err);
	if (!status)
		status = at_template_load(
			plan->spec->template_path, &self.template, err);
	if (!status)
		status = at_compile_batch_open(NULL, 0, &batch, err);
	if (!status)
		status = at_plan_toolchain(plan->spec, &device, &toolchain, err);
	if (!status)
		status = at_compile_batch_toolchain(
			batch, toolchain, &work.version, err);
	if (!status) {
		snprintf(out->compiler, sizeof(out->compiler), "%s", work.version);
		note_compilers(&self);
		work.count = self.unit_count;
		status = at_compile_batch_run(batch, &work, err);
	}
	at_compile_batch_close(batch);
	at_template_release(&self.template);
	free(self.units);
	free(self.architectures);
	return status;
}
