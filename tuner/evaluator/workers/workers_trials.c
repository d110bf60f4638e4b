/* A configuration's way to a board: compiled, checked against the device, then ready or
   decided. */
#include "evaluator/workers/workers_parts.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* where the space does not say; see struct at_measure_request */
#define SAMPLES_MIN 6
#define SAMPLES_MAX 60
#define SAMPLING_SECONDS 0.5

/* The symbol of a kernel in the compiled unit; "" where the space has no such
   kernel. */
static char *symbol_of(const struct at_spec *spec, enum at_plan_role role,
	const struct at_compile_result *compiled)
{
	const struct at_kernel_facts *facts = at_plan_find_kernel(spec, role, compiled);

	return at_strdup(facts ? facts->symbol : "");
}

void workers_set_symbols(const struct workers *self,
	const struct at_compile_result *compiled, struct at_measure_request *request)
{
	const struct at_spec *spec = self->options.spec;

	request->kernel.symbol = symbol_of(spec, AT_PLAN_KERNEL, compiled);
	request->prepare.symbol = symbol_of(spec, AT_PLAN_PREPARE, compiled);
	request->finish.symbol = symbol_of(spec, AT_PLAN_FINISH, compiled);
}

void workers_release_symbols(struct at_measure_request *request)
{
	free(request->kernel.symbol);
	free(request->prepare.symbol);
	free(request->finish.symbol);
	request->kernel.symbol = request->prepare.symbol = request->finish.symbol =
		NULL;
}

bool workers_find_variables(struct workers *self,
	const struct at_compile_result *compiled, bool is_reference)
{
	const struct at_spec *spec = self->options.spec;
	struct at_error err = { 0 };

	self->saw_reference |= is_reference;
	self->saw_baseline |= !is_reference;
	at_plan_find_symbols(spec, compiled, self->symbols_found);
	if (!self->saw_baseline ||
		(spec->reference.kind == AT_REFERENCE_KERNEL && !self->saw_reference) ||
		!at_plan_check_symbols(spec, self->symbols_found, &err))
		return true;
	workers_fail(self, &err);
	return false;
}

void workers_fill_facts(const struct workload *workload,
	const struct at_planned *planned, const struct at_compile_result *compiled,
	struct at_facts *facts)
{
	const struct at_geometry *geometry = &planned->request.kernel.geometry;
	const struct at_kernel_facts *kernel =
		compiled->kernel_count ? &compiled->kernels[0] : NULL;
	struct at_occupancy occupancy;
	bool has_occupancy = kernel && at_plan_occupancy(&workload->plan, kernel,
					       geometry, &occupancy);

	at_facts_fill(facts, kernel, geometry, has_occupancy ? &occupancy : NULL,
		(int64_t)compiled->compile_ns);
}

void workers_set_sampling(
	const struct workers *self, struct at_measure_request *request)
{
	const struct at_search_defaults *given = &self->options.spec->search;

	request->samples_min =
		given->samples_min > 0 ? (uint32_t)given->samples_min : SAMPLES_MIN;
	request->samples_max =
		given->samples_max > 0 ? (uint32_t)given->samples_max : SAMPLES_MAX;
	if (request->samples_max < request->samples_min)
		request->samples_max = request->samples_min;
	request->sampling_seconds = SAMPLING_SECONDS;
}

/* The hash that trials share if they have the same image, launch and data; zero where
   it cannot be made. */
static struct at_hash identify_image(
	const struct trial *trial, const struct at_compile_result *compiled)
{
	const struct at_measure_setup *setup;
	struct at_hasher *hasher;
	struct at_hash identity;
	struct at_hash none = { 0 }, hash;

	if (at_plan_borrow_setup(&trial->workload->plan, &setup, &identity, NULL))
		return none;
	hasher = at_hasher_new();
	at_hasher_add(hasher, &compiled->image_hash, sizeof(compiled->image_hash));
	at_hasher_add(hasher, &identity, sizeof(identity));
	at_fields_hash(&at_measure_request_fields, &trial->planned->request, hasher);
	/* hashes of one problem lie together in the record's index, as its keys do */
	hash = at_hash_grouped(identity, at_hasher_result(hasher));
	at_hasher_free(hasher);
	return hash;
}

/* Sends a compiled trial to a board, or decides it if it cannot be launched. False:
   everything has failed. */
static bool route(struct workers *self, struct trial *trial,
	const struct at_compile_result *compiled)
{
	const struct at_geometry *geometry = &trial->planned->request.kernel.geometry;
	enum at_outcome outcome = compiled->outcome;
	char detail[512] = "";
	struct at_error misfit = { 0 };

	if (outcome != AT_OUTCOME_OK) {
		at_compile_first_error(
			compiled->log ? compiled->log : "", detail, sizeof(detail));
	} else if (at_plan_check_signatures(
			   self->options.spec, AT_UNIT_TUNED, compiled, &misfit)) {
		/*
		 * All others are compared with the baseline: if the baseline's kernel
		 * takes other arguments, the space is wrong. Other configurations may
		 * differ, since a parameter can choose the kernel's types.
		 */
		if (misfit.status != AT_EINVAL || trial == self->first) {
			workers_fail(self, &misfit);
			return false;
		}
		outcome = AT_OUTCOME_LAUNCH_FAILED;
		snprintf(detail, sizeof(detail), "%.500s", misfit.text);
	} else if (trial == self->first &&
		   !workers_find_variables(self, compiled, false)) {
		return false;
	} else {
		outcome = at_plan_check_resources(&trial->workload->plan,
			&compiled->kernels[0], geometry, detail, sizeof(detail));
	}
	if (outcome != AT_OUTCOME_OK) {
		workers_decide(self, trial, outcome, detail);
		return true;
	}
	if (!trial->proved)
		trial->image = identify_image(trial, compiled);
	workers_push_ready(self, trial, trial == self->first);
	return true;
}

static void trial_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct trial *trial = context;
	struct workers *self = trial->owner;

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	free(trial->unit);
	free(trial->log);
	trial->unit = at_strdup(path);
	trial->log = at_strdup(result->log ? result->log : "");
	workers_fill_facts(trial->workload, trial->planned, result, &trial->facts);
	workers_set_symbols(self, result, &trial->planned->request);
	workers_set_sampling(self, &trial->planned->request);
	trial->planned->request.seed = trial->options.seed;
	trial->planned->request.verify_only = trial->proved != NULL;
	if (route(self, trial, result))
		self->pump(self);
}

enum at_status workers_want_trial(struct trial *trial, struct at_error *err)
{
	trial->stage = STAGE_COMPILING;
	return at_farm_want(trial->owner->options.farm, &trial->planned->compile,
		trial->planned->unit, trial == trial->owner->first || trial->proved,
		trial_compiled, trial, err);
}

/* Takes planned and what facts point to over, also when it fails. */
enum at_status workers_add_trial(struct workers *self, struct workload *workload,
	struct at_planned *planned, const struct trial *facts, struct at_error *err)
{
	struct trial *trial = at_malloc(sizeof(*trial));
	enum at_status status = AT_OK;

	*trial = *facts;
	trial->owner = self;
	trial->workload = workload;
	trial->planned = planned;
	trial->facts = (struct at_facts)AT_FACTS_UNKNOWN;
	trial->next = self->trials;
	self->trials = trial;
	if (trial->options.first)
		workers_set_first(self, trial);
	if (self->failed) {
		status = workers_refuse(self, err);
		workers_unlink_trial(self, trial);
		workers_free_trial(trial);
		return status;
	}
	if (planned->outcome != AT_OUTCOME_OK) {
		workers_decide(self, trial, planned->outcome, planned->detail);
		return AT_OK;
	}
	/* where a kernel runs on the compilers' cores, it waits for all of them */
	trial->is_held_back = self->first && self->first != trial && !trial->proved &&
			      self->base.info.device.shares_cores;
	status = workers_want_setup_units(self, workload, err);
	if (!status && !trial->is_held_back)
		status = workers_want_trial(trial, err);
	if (status) {
		workers_unlink_trial(self, trial);
		workers_free_trial(trial);
	}
	return status;
}
