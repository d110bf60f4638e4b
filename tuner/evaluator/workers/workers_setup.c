/* What setups need: the units of the tuner's own kernels and of references, and the
   message. */
#include "evaluator/workers/workers_parts.h"

#include "base/memory.h"
#include "kernel/source.h"
#include "kernel/units.h"

#include <stdlib.h>

void workers_release_setup_unit(struct setup_unit *unit)
{
	if (unit->owner)
		at_compile_queue_forget(unit->owner->options.compile_queue, unit);
	free(unit->path);
	free(unit->symbol);
	*unit = (struct setup_unit){ 0 };
}

/* Takes over a unit that was compiled. A reference that does not compile with other
   floats is done without. */
static void setup_unit_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	static const char *const names[] = {
		[SETUP_SUPPORT] = "the unit of the tuner's own kernels",
		[SETUP_REFERENCE] = "the reference (with the defaults)",
		[SETUP_WIDE] = "the reference in double",
	};
	struct setup_unit *unit = context;
	struct workers *self = unit->owner;
	const struct at_spec *spec = self->options.spec;
	struct at_error err = { 0 };
	char line[512];

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK && unit->role == SETUP_WIDE) {
		unit->is_off = true;
		self->pump(self);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		at_compile_first_error(
			result->log ? result->log : "", line, sizeof(line));
		at_fail(&err, AT_EINVAL, spec->path,
			unit->role == SETUP_REFERENCE ? spec->reference.line : 0,
			"%s does not compile for %s: %s", names[unit->role],
			self->base.info.device.id, line);
		workers_fail(self, &err);
		return;
	}
	/* or it would compute expected values from wrong arguments, which a wrong
	   kernel could match */
	if (unit->role == SETUP_REFERENCE &&
		at_plan_check_signatures(spec, AT_UNIT_REFERENCE, result, &err)) {
		workers_fail(self, &err);
		return;
	}
	if (unit->role == SETUP_REFERENCE &&
		!workers_find_variables(self, result, true))
		return;
	unit->path = at_strdup(path);
	unit->symbol = at_strdup(unit->role != SETUP_SUPPORT && result->kernel_count
					 ? result->kernels[0].symbol
					 : "");
	workers_tell_later(self);
	self->pump(self);
}

static enum at_status want_setup_unit(struct workers *self, struct setup_unit *unit,
	enum setup_role role, struct at_compile_request *request, struct at_error *err)
{
	enum at_status status;

	unit->owner = self;
	unit->role = role;
	unit->is_wanted = true;
	unit->id = at_compile_identity(request, self->options.toolchain);
	status = at_compile_queue_want(self->options.compile_queue, request, unit->id,
		true, setup_unit_compiled, unit, err);
	at_compile_request_release(request);
	return status;
}

/* Asks for all units that the workload's setup still needs, so that they are compiled
   side by side. */
enum at_status workers_want_setup_units(
	struct workers *self, struct workload *workload, struct at_error *err)
{
	const struct at_spec *spec = self->options.spec;
	struct at_compile_request request;
	enum at_status status = AT_OK;

	workload->is_needed = true;
	if (!self->support.is_wanted) {
		at_plan_compile_support(&self->workloads[0].plan, &request);
		status = want_setup_unit(
			self, &self->support, SETUP_SUPPORT, &request, err);
	}
	if (!status && !workload->reference.is_wanted &&
		spec->reference.kind == AT_REFERENCE_KERNEL) {
		status = at_plan_compile(&workload->plan, spec->defaults,
			AT_UNIT_REFERENCE, &request, err);
		if (!status)
			status = want_setup_unit(self, &workload->reference,
				SETUP_REFERENCE, &request, err);
	}
	if (!status && !workload->wide.is_wanted && !workload->wide.is_off &&
		spec->reference.kind == AT_REFERENCE_KERNEL &&
		at_source_float64(spec)) {
		status = at_plan_compile(&workload->plan, spec->defaults,
			AT_UNIT_REFERENCE_FLOAT64, &request, err);
		if (!status)
			status = want_setup_unit(
				self, &workload->wide, SETUP_WIDE, &request, err);
	}
	return status;
}

/* Units of the setup have gone from the cache, which other runs trim too: compile them
   again. The configuration's own unit is looked for by at_compile_queue_want(). */
enum at_status workers_want_lost_setup_units(
	struct workers *self, struct workload *workload, struct at_error *err)
{
	struct setup_unit *const units[] = { &self->support, &workload->reference,
		&workload->wide };

	for (size_t i = 0; i < AT_COUNT_OF(units); i++) {
		struct at_compile_result found;

		if (!units[i]->path)
			continue;
		if (!at_unit_read(units[i]->path, &found, false, NULL)) {
			at_compile_result_release(&found);
			continue;
		}
		workers_release_setup_unit(units[i]);
		/*
		 * The path may be another one, so setups are sent anew. Requests that
		 * are out go on with the old ones, since a setup is identified by its
		 * contents.
		 */
		for (size_t j = 0; j < self->workload_count; j++)
			self->workloads[j].is_set_up = false;
	}
	return workers_want_setup_units(self, workload, err);
}

enum at_status workers_put_setup(struct workers *self, struct workload *workload,
	bool watched, struct at_board_setup *out, struct at_error *err)
{
	bool has_reference = self->options.spec->reference.kind == AT_REFERENCE_KERNEL;
	/* only the winner's kernels are to be watched */
	bool has_float64 = !watched && workload->wide.path && !workload->wide.is_off;
	struct at_wire_writer body = { { 0 } };
	const struct at_measure_setup *setup;
	struct at_hasher *hasher;
	struct at_measure_setup with_symbol;
	struct at_hash identity;
	static char no_symbol[] = "";
	enum at_status status;

	status = at_plan_borrow_setup(&workload->plan, &setup, &identity, err);
	if (status)
		return status;
	hasher = at_hasher_new();
	at_hasher_add(hasher, &identity, sizeof(identity));
	at_hasher_add(hasher, &self->support.id, sizeof(self->support.id));
	at_hasher_add(hasher, &workload->reference.id, sizeof(workload->reference.id));
	/* counts also where it is done without, so that requests that are out find the
	   new setup under the same id */
	at_hasher_add(hasher, &workload->wide.id, sizeof(workload->wide.id));
	out->id = at_hasher_result(hasher);
	at_hasher_free(hasher);
	with_symbol = *setup;
	with_symbol.reference_call.symbol =
		has_reference ? workload->reference.symbol : no_symbol;
	with_symbol.float64_symbol = has_float64 ? workload->wide.symbol : no_symbol;
	with_symbol.watched = watched;
	at_wire_put_u64(&body, out->id.low);
	at_wire_put_u64(&body, out->id.high);
	at_wire_put_text(&body, self->support.path);
	at_wire_put_text(&body, has_reference ? workload->reference.path : "");
	at_wire_put_text(&body, has_float64 ? workload->wide.path : "");
	at_put_setup(&body, &with_symbol);
	at_strbuf_release(&out->body);
	out->body = body.bytes;
	return AT_OK;
}

/* Makes the message by which a board makes buffers and expected outputs for the
   workload. */
enum at_status workers_set_up(
	struct workers *self, struct workload *workload, struct at_error *err)
{
	bool has_reference = self->options.spec->reference.kind == AT_REFERENCE_KERNEL;
	enum at_status status;

	if (workload->is_set_up || !self->support.path ||
		(has_reference && !workload->reference.path) ||
		(workload->wide.is_wanted && !workload->wide.is_off &&
			!workload->wide.path))
		return AT_OK;
	status = workers_put_setup(self, workload, false, &workload->setup, err);
	workload->is_set_up = !status;
	return status;
}

bool workers_do_without(struct workload *workload)
{
	if (!workload->is_set_up || !workload->wide.path || workload->wide.is_off)
		return false;
	workload->wide.is_off = true;
	workload->is_set_up = false;
	return true;
}
