/* Compiles the cubins of a header's configurations (cubins.h): lists the units, has
   them compiled, and notes what differs from when they were measured. */
#include "session/cubins.h"

#include "base/memory.h"
#include "evaluator/plan.h"
#include "evaluator/workers/compile_batch.h"
#include "kernel/nvrtc.h"
#include "kernel/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run;

/* One configuration to compile for one architecture. */
struct unit {
	struct run *run;
	/* The winner or baseline whose launch and problem it is compiled with: one of
	   this architecture where there is any. */
	const struct at_header_entry *entry;
	char architecture[16];
	struct at_cubin cubin; /* moved to the list of cubins at the end */
	bool is_own; /* the entry is of this architecture */
	char *failure; /* why it does not compile; heap; NULL: it does */
	int64_t registers, shared_bytes; /* -1: not known */
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

/* ---- what there is to compile --------------------------------------------------- */

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
			unit->run = self;
			unit->is_own = is_of(self, unit->entry, wanted);
			unit->cubin.configuration = i;
			unit->cubin.capability = *wanted;
			snprintf(unit->architecture, sizeof(unit->architecture),
				"sm_%u%u", wanted->major, wanted->minor);
			self->unit_count++;
		}
}

/* ---- compiling ------------------------------------------------------------------ */

static void take_names(struct unit *unit, const struct at_compile_result *result)
{
	const struct at_spec *spec = unit->run->plan->spec;
	struct at_cubin *cubin = &unit->cubin;
	/* in the order in which at_plan_compile() asks for kernels */
	char **const names[] = { &cubin->symbol,
		spec->prepare.kernel ? &cubin->prepare : &cubin->finish,
		&cubin->finish };

	for (size_t i = 0; i < result->kernel_count && i < AT_COUNT_OF(names); i++)
		*names[i] = at_strdup(result->kernels[i].symbol);
}

/* Reads the compiled unit from its file: symbols, the image, registers and shared
   memory. */
static enum at_status take(struct unit *unit, const char *path, struct at_error *err)
{
	struct at_compile_result result;
	enum at_status status = at_unit_read(path, &result, true, err);

	if (!status && (result.kernel_count == 0 || !result.image))
		status = at_fail(err, AT_EIO, path, 0, "it has no kernel");
	if (!status)
		status = at_plan_check_signatures(
			unit->run->plan->spec, AT_UNIT_TUNED, &result, err);
	if (!status)
		take_names(unit, &result);
	if (!status) {
		unit->registers = result.kernels[0].registers;
		unit->shared_bytes = result.kernels[0].shared_bytes;
		unit->cubin.bytes = result.image;
		unit->cubin.size = result.image_bytes;
		result.image = NULL;
	}
	at_compile_result_release(&result);
	return status;
}

/* A unit does not compile. For the architecture that it was measured on that is an
   error, for another one a note. */
static enum at_status take_failure(
	struct unit *unit, const struct at_compile_result *result, struct at_error *err)
{
	char line[512];

	at_compile_first_error(result->log ? result->log : "", line, sizeof(line));
	if (unit->is_own)
		return at_fail(err, AT_EINVAL, unit->run->plan->spec->path, 0,
			"configuration %zu does not compile for %s, on which it was measured: %.300s",
			unit->cubin.configuration, unit->architecture, line);
	unit->failure = at_strdup(line);
	return AT_OK;
}

static enum at_status compiled(void *context, size_t index, const char *path,
	const struct at_compile_result *result, struct at_error *err)
{
	struct run *self = context;
	struct unit *unit = &self->units[index];

	return result->outcome == AT_OUTCOME_OK ? take(unit, path, err)
						: take_failure(unit, result, err);
}

/* The problem of an entry, in the space file; NULL: the file has it no longer. */
static const struct at_problem *problem_of(
	const struct at_header_plan *plan, const struct at_header_entry *entry)
{
	const char *name = plan->problems[entry->problem].text;

	for (size_t i = 0; i < plan->spec->problem_count; i++)
		if (!strcmp(plan->spec->problems[i].name, name))
			return &plan->spec->problems[i];
	return NULL;
}

static enum at_status request_unit(void *context, size_t index,
	struct at_compile_request *out, struct at_error *err)
{
	struct run *self = context;
	const struct unit *unit = &self->units[index];
	const struct at_header_plan *header = self->plan;
	const struct at_header_device *device = &header->devices[unit->entry->device];
	const struct at_header_configuration *configuration =
		&header->configurations[unit->cubin.configuration];
	const struct at_problem *problem = problem_of(header, unit->entry);
	struct at_device_info info = { .properties = device->record->properties };
	struct at_plan plan;
	enum at_status status;

	if (!problem)
		return at_fail(err, AT_EINVAL, header->spec->path, 0,
			"there is no problem \"%.100s\" any more",
			header->problems[unit->entry->problem].text);
	/* the device that it was measured on, with this unit's architecture */
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

/* ---- notes ---------------------------------------------------------------------- */

/* Notes winners that were measured with another compiler than this one. */
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

/* Notes where registers or static shared memory differ from the recorded ones. */
static void compare(const struct unit *unit, const struct at_header_entry *entry)
{
	const struct at_facts *facts = entry->is_baseline
					       ? &entry->result->baseline.facts
					       : &entry->result->winner.facts;
	const int64_t dynamic = entry->has_launch ? entry->launch[6] : -1;
	struct run *self = unit->run;

	if (facts->registers >= 0 && unit->registers >= 0 &&
		facts->registers != unit->registers)
		at_cubins_add_note(self->out,
			"configuration %zu takes %" PRId64
			" registers for %s, and took %" PRId64 " when it was measured",
			unit->cubin.configuration, unit->registers, unit->architecture,
			facts->registers);
	if (facts->shared_bytes >= 0 && dynamic >= 0 && unit->shared_bytes >= 0 &&
		facts->shared_bytes - dynamic != unit->shared_bytes)
		at_cubins_add_note(self->out,
			"configuration %zu takes %" PRId64
			" bytes of static shared memory for %s, and took %" PRId64
			" when it was measured",
			unit->cubin.configuration, unit->shared_bytes,
			unit->architecture, facts->shared_bytes - dynamic);
}

static void note_unit(const struct unit *unit)
{
	struct run *self = unit->run;
	const size_t before = self->out->note_count;

	if (unit->failure) {
		at_cubins_add_note(self->out,
			"configuration %zu, of another architecture, does not compile for %s: %s",
			unit->cubin.configuration, unit->architecture, unit->failure);
		return;
	}
	/* one note is enough, however many problems the configuration won */
	for (size_t i = 0; i < self->plan->entry_count; i++) {
		const struct at_header_entry *entry = &self->plan->entries[i];

		if (entry->configuration == unit->cubin.configuration &&
			is_of(self, entry, &unit->cubin.capability) &&
			self->out->note_count == before)
			compare(unit, entry);
	}
}

/* Moves the cubins to the output, in order, and adds the notes. */
static void collect(struct run *self)
{
	struct at_cubins *out = self->out;

	AT_GROW(out->items, out->capacity, self->unit_count + 1);

	note_compilers(self);
	for (size_t i = 0; i < self->unit_count; i++) {
		struct unit *unit = &self->units[i];

		note_unit(unit);
		if (unit->failure)
			continue;
		out->items[out->count++] = unit->cubin;
		unit->cubin = (struct at_cubin){ 0 };
	}
}

/* ---- all of it ------------------------------------------------------------------- */

static enum at_status compile_all(
	struct run *self, struct at_compile_batch *batch, struct at_error *err)
{
	/* all CUDA devices are compiled for by NVRTC unless the space says otherwise */
	const struct at_device_info device = { .toolchain = AT_TOOLCHAIN_NVRTC };
	struct at_compile_work work = {
		.count = self->unit_count,
		.request = request_unit,
		.compiled = compiled,
		.context = self,
	};
	const char *toolchain;
	enum at_status status =
		at_plan_toolchain(self->plan->spec, &device, &toolchain, err);

	if (!status)
		status = at_compile_batch_toolchain(
			batch, toolchain, &work.version, err);
	if (status)
		return status;
	snprintf(self->out->compiler, sizeof(self->out->compiler), "%s", work.version);
	return at_compile_batch_run(batch, &work, err);
}

enum at_status at_cubins_make(
	const struct at_header_plan *plan, struct at_cubins *out, struct at_error *err)
{
	struct run self = { .plan = plan, .out = out };
	struct at_compile_batch *batch = NULL;
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
		status = compile_all(&self, batch, err);
	if (!status)
		collect(&self);
	at_compile_batch_close(batch);
	for (size_t i = 0; i < self.unit_count; i++) {
		struct unit *unit = &self.units[i];

		free(unit->cubin.bytes);
		free(unit->cubin.symbol);
		free(unit->cubin.prepare);
		free(unit->cubin.finish);
		free(unit->failure);
	}
	at_template_release(&self.template);
	free(self.units);
	free(self.architectures);
	return status;
}
