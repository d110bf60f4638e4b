/* Makes the workloads of an evaluator: the tuned problem, and those on which winners
   are proved. */
#include "evaluator/workers/workers_parts.h"

#include "evaluator/cases.h"

#include <stdlib.h>
#include <string.h>

/* any two will do: for the data of the search, and for other data in proofs */
#define FILL_SEED 1
#define PROOF_SEED 20011
/* of the cases that are drawn */
#define CASE_SEED 1

static enum at_status add_workload(struct workers *self,
	const struct at_problem *problem, const struct at_problem *base, uint64_t seed,
	struct at_error *err)
{
	const struct at_workers_options *options = &self->options;
	struct workload *workload = &self->workloads[self->workload_count++];
	enum at_status status;

	workload->owner = self;
	status = at_plan_init(&workload->plan, options->spec, options->template,
		problem, base, &self->base.info.device, self->base.info.toolchain, seed,
		err);
	workload->plan.whole = options->whole_spec;
	return status;
}

enum at_status workers_add_shrunk(
	struct workers *self, const struct at_problem *one, struct at_error *err)
{
	self->workloads[self->workload_count].is_shrunk = true;
	return add_workload(self, one, self->options.problem,
		PROOF_SEED + 201 + self->workload_count, err);
}

/* Leaves a default case out if the space cannot be evaluated for it, as no space
   promises to. */
enum at_status workers_add_case(
	struct workers *self, const struct at_case *one, struct at_error *err)
{
	struct workload *workload = &self->workloads[self->workload_count];
	const struct at_measure_setup *setup;
	struct at_error reason = { 0 };
	enum at_status status = add_workload(self, &one->problem, self->options.problem,
		PROOF_SEED + 201 + self->workload_count, err);

	if (status)
		return status;
	workload->from = one;
	workload->plan.contents = one->contents;
	workload->plan.is_scaled = one->is_scaled;
	if (!one->is_default)
		return AT_OK;
	status = at_plan_borrow_setup(&workload->plan, &setup, NULL, &reason);
	if (status == AT_EINVAL) {
		at_plan_release(&workload->plan);
		memset(workload, 0, sizeof(*workload));
		self->workload_count--;
		return AT_OK;
	}
	return status ? at_fail(err, status, reason.file, reason.line, "%s",
				reason.text)
		      : AT_OK;
}

enum at_status workers_add_workloads(struct workers *self, struct at_error *err)
{
	const struct at_workers_options *options = &self->options;
	const struct at_verify *verify = &options->spec->verify;
	enum at_status status;

	status = at_cases_make(options->spec, options->problem, &options->infos[0],
		CASE_SEED, &self->cases, &self->case_count, err);
	if (status)
		return status;
	self->workloads = calloc(verify->problem_count + self->case_count + 2 +
					 SHRUNK_MOST + AT_CASE_VALUES_MOST,
		sizeof(*self->workloads));
	if (!self->workloads)
		return at_fail_memory(err);
	status = add_workload(self, options->problem, NULL, FILL_SEED, err);
	/* each proof has data of its own */
	if (!status)
		status = add_workload(
			self, options->problem, options->problem, PROOF_SEED, err);
	if (!status)
		self->workloads[1].plan.timed_seed = FILL_SEED;
	for (size_t i = 0; i < verify->problem_count && !status; i++)
		if (at_plan_applies(&verify->problems[i], self->base.info.device.kind))
			status = add_workload(self, &verify->problems[i],
				options->problem, PROOF_SEED + 1 + i, err);
	for (size_t i = 0; i < self->case_count && !status; i++)
		status = workers_add_case(self, &self->cases[i], err);
	self->base.info.case_count = self->workload_count - 1;
	return status;
}

/* The bytes of all buffers of a setup. */
static uint64_t bytes_of(const struct at_measure_setup *setup)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].access != AT_ACCESS_NONE)
			bytes += setup->bindings[i].count * setup->arguments[i].lanes *
				 at_element_bytes(setup->arguments[i].element);
	return bytes;
}

enum at_status workers_pick_workload(struct workers *workers,
	const uint16_t *configuration, bool is_set_up_only, bool only_promised,
	uint64_t most_bytes, struct workload **out, struct at_error *err)
{
	uint64_t best_bytes = 0;
	bool best_has_several = false;

	*out = NULL;
	for (size_t i = 1; i < workers->workload_count; i++) {
		struct workload *workload = &workers->workloads[i];
		const struct at_measure_setup *setup;
		struct at_error reason = { 0 };
		struct at_planned *planned;
		uint64_t bytes, blocks = 1;
		bool has_several, is_better;
		enum at_status status;

		if (workload->is_unfit || (is_set_up_only && !workload->is_set_up) ||
			(only_promised && workers_is_default(workload)) ||
			!at_plan_applies(workload->plan.problem,
				workers->base.info.device.kind) ||
			!at_plan_admits(&workload->plan, configuration))
			continue;
		status = at_planned_new(
			&workload->plan, configuration, &planned, &reason);
		if (status == AT_ENOMEM)
			return at_fail_memory(err);
		if (status)
			continue;
		for (int k = 0; k < 3; k++)
			blocks *= planned->request.kernel.geometry.grid[k];
		has_several = blocks > 1;
		bytes = planned->outcome == AT_OUTCOME_OK &&
					!at_plan_borrow_setup(
						&workload->plan, &setup, NULL, NULL)
				? bytes_of(setup)
				: 0;
		at_planned_free(planned);
		if (!bytes || bytes > most_bytes)
			continue;
		is_better = !*out || has_several > best_has_several ||
			    (has_several == best_has_several &&
				    (has_several ? bytes < best_bytes
						 : bytes > best_bytes));
		if (!is_better)
			continue;
		*out = workload;
		best_bytes = bytes;
		best_has_several = has_several;
	}
	return AT_OK;
}

enum at_status workers_identify_source(struct workers *self, struct at_error *err)
{
	const struct at_workers_options *options = &self->options;
	struct at_planned *planned = NULL;
	struct at_plan plan;
	enum at_status status = at_plan_init(&plan, options->whole_spec,
		options->template, options->problem, NULL, &self->base.info.device,
		self->base.info.toolchain, FILL_SEED, err);

	if (!status)
		status = at_planned_new(
			&plan, options->whole_spec->defaults, &planned, err);
	if (!status)
		self->base.info.source = planned->key;
	at_planned_free(planned);
	at_plan_release(&plan);
	return status;
}
