/* Makes the workloads of an evaluator: the tuned problem, and those on which winners
   are verified. */
#include "evaluator/workers/workers_internal.h"

#include "base/memory.h"
#include "evaluator/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* any two will do: for the data of the search, and for other data in verifications */
#define FILL_SEED 1
#define VERIFICATION_SEED 20011
/* of the cases that are drawn */
#define CASE_SEED 1
/* more than are drawn at once */
#define CASES_MOST 10000
/* of the data of cases, to which the case's number is added */
#define CASES_SEED (VERIFICATION_SEED + 201)

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
	/* the first is the tuned problem */
	workload->plan.ignores_clocks = workload > self->workloads;
	return status;
}

/* Leaves a default case out if the space cannot be evaluated for it, as no space
   promises to. */
enum at_status workers_add_case(
	struct workers *self, const struct at_case *one, struct at_error *err)
{
	struct workload *workload = &self->workloads[self->workload_count];
	const struct at_measure_setup *setup;
	struct at_error reason = { 0 };
	const uint64_t number = self->workload_count - self->base.info.replay_count;
	enum at_status status = add_workload(self, &one->problem, self->options.problem,
		one->seed ? one->seed : CASES_SEED + number, err);

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

/* Adds to self->cases those of a seed, whose data begins at another one; 0: at
   the place of each. */
static enum at_status make_cases(
	struct workers *self, uint64_t seed, uint64_t data_seed, struct at_error *err)
{
	struct at_case *made, *all;
	size_t count;
	enum at_status status = at_cases_make(&self->source, seed, &made, &count, err);

	if (status)
		return status;
	all = at_realloc(self->cases, (self->case_count + count + 1) * sizeof(*all));
	self->cases = all;
	for (size_t i = 0; i < count; i++) {
		all[self->case_count] = made[i];
		all[self->case_count++].seed = data_seed ? data_seed + i : 0;
	}
	free(made);
	return AT_OK;
}

/* Adds the recorded counterexamples that the space still has. */
static void recall_cases(struct workers *self)
{
	const struct at_workers_options *options = &self->options;
	const struct at_counterexamples *recorded = options->counterexamples;
	const size_t count = recorded ? recorded->count : 0;

	self->cases = at_calloc(count + 1, sizeof(*self->cases));
	for (size_t i = 0; i < count; i++) {
		struct at_case *one = &self->cases[self->case_count];
		bool is_there = false;

		at_case_recall(&self->source, &recorded->items[i], one);
		if (!one->problem.name)
			continue;
		/* found on several devices, or beside several problems */
		for (size_t k = 0; k < self->case_count && !is_there; k++)
			is_there =
				!strcmp(self->cases[k].problem.name, one->problem.name);
		self->case_count += !is_there;
		if (is_there) {
			at_case_release(one);
		}
	}
}

void workers_count_cases(struct workers *self)
{
	struct at_evaluator_info *info = &self->base.info;
	const bool has_night = info->night_first < info->case_count;

	while (info->case_count + 1 < self->workload_count) {
		struct workload *workload = &self->workloads[++info->case_count];
		const struct at_case_data data = { .contents =
							   workload->plan.contents };
		char *text = at_case_instance(self->options.spec,
			workload->plan.problem, self->options.problem, &data);

		/* what it is, whatever its number and name are */
		workload->id = (uint32_t)at_hash_bytes(text, strlen(text)).low;
		free(text);
	}
	/* coverage is not measured at night, so what it adds belongs to the list */
	if (!has_night)
		info->night_first = info->case_count;
}

enum at_status workers_add_workloads(struct workers *self, struct at_error *err)
{
	const struct at_workers_options *options = &self->options;
	const struct at_verify *verify = &options->spec->verify;
	struct at_evaluator_info *info = &self->base.info;
	size_t recalled, listed = 0, night_first = 0;
	enum at_status status = AT_OK;

	self->source = (struct at_case_source){ options->spec, options->problem,
		&options->infos[0] };
	recall_cases(self);

	recalled = self->case_count;
	status = make_cases(self, CASE_SEED, 0, err);
	listed = self->case_count;
	if (!status && options->night)
		status = make_cases(self, options->night + CASE_SEED,
			CASES_SEED + options->night * CASES_MOST, err);
	if (status)
		return status;
	self->workloads =
		at_calloc(verify->problem_count + self->case_count + 2 + ADDED_MOST,
			sizeof(*self->workloads));
	status = add_workload(self, options->problem, NULL, FILL_SEED, err);
	/* each verification has data of its own */
	if (!status)
		status = add_workload(self, options->problem, options->problem,
			VERIFICATION_SEED, err);
	if (!status)
		self->workloads[1].plan.timed_seed = FILL_SEED;
	for (size_t i = 0; i < recalled && !status; i++)
		status = workers_add_case(self, &self->cases[i], err);
	info->replay_count = self->workload_count - 2;
	for (size_t i = 0; i < verify->problem_count && !status; i++)
		if (at_plan_applies(&verify->problems[i], self->base.info.device.kind))
			status = add_workload(self, &verify->problems[i],
				options->problem, VERIFICATION_SEED + 1 + i, err);
	for (size_t i = recalled; i < self->case_count && !status; i++) {
		if (i == listed)
			night_first = self->workload_count - 1;
		status = workers_add_case(self, &self->cases[i], err);
	}
	if (!status)
		workers_count_cases(self);
	if (night_first)
		info->night_first = night_first;
	return status;
}

void workers_tell_default(struct workers *self)
{
	char text[256];
	size_t count = 0;

	for (size_t i = 0; i < self->case_count; i++)
		/* counterexamples and a night's cases have seeds of their own */
		count += self->cases[i].is_default && !self->cases[i].contents &&
			 !self->cases[i].seed;
	if (self->has_told_default || !count)
		return;
	self->has_told_default = true;
	snprintf(text, sizeof(text),
		"the space declares no \"domain\": winners are verified on %zu cases of the default list, where the baseline is right on them (\"derive = false\" in verify leaves them out)",
		count);
	workers_tell(self, AT_NOTICE_NOTE, text);
}

uint64_t workers_bytes_of(struct workload *self)
{
	const struct at_measure_setup *setup;
	uint64_t bytes = 0;

	if (at_plan_borrow_setup(&self->plan, &setup, NULL, NULL))
		return 0;
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].access != AT_ACCESS_NONE)
			bytes += setup->bindings[i].count * setup->arguments[i].lanes *
				 at_element_bytes(setup->arguments[i].element);
	return bytes;
}

/* Data that a check, which runs a kernel slowly, gets through in tenths of a second. */
#define CHECKED_BYTES (UINT64_C(1) << 18)

void workers_pick_workload(struct workers *workers, const uint16_t *configuration,
	bool is_set_up_only, bool only_promised, uint64_t most_bytes,
	struct workload **out)
{
	uint64_t best_bytes = 0;
	bool best_has_several = false;

	*out = NULL;
	for (size_t i = 1; i < workers->workload_count; i++) {
		struct workload *workload = &workers->workloads[i];
		struct at_error reason = { 0 };
		struct at_compiled_plan compiled_plan;
		uint64_t bytes;
		bool has_several, is_small, is_better;
		enum at_status status;

		if (workload->is_unfit || (is_set_up_only && !workload->is_set_up) ||
			(only_promised && workers_is_default(workload)) ||
			!at_plan_applies(workload->plan.problem,
				workers->base.info.device.kind) ||
			!at_plan_admits(&workload->plan, configuration))
			continue;
		status = at_plan_configuration(
			&workload->plan, configuration, &compiled_plan, &reason);
		if (status)
			continue;
		has_several = false;
		for (size_t k = 0; k <= compiled_plan.request.more_count; k++) {
			const uint32_t *grid =
				at_measure_launch(&compiled_plan.request, k)
					->geometry.grid;

			has_several |= (uint64_t)grid[0] * grid[1] * grid[2] > 1;
		}
		bytes = compiled_plan.outcome == AT_OUTCOME_OK
				? workers_bytes_of(workload)
				: 0;
		at_compiled_plan_release(&compiled_plan);
		if (!bytes || bytes > most_bytes)
			continue;
		is_small = bytes <= CHECKED_BYTES;
		is_better = !*out || has_several > best_has_several ||
			    (has_several == best_has_several &&
				    (is_small ? best_bytes > CHECKED_BYTES ||
							    bytes > best_bytes
					      : bytes < best_bytes));
		if (!is_better)
			continue;
		*out = workload;
		best_bytes = bytes;
		best_has_several = has_several;
	}
}

enum at_status workers_identify_source(struct workers *self, struct at_error *err)
{
	const struct at_workers_options *options = &self->options;
	struct at_compiled_plan compiled_plan = { 0 };
	struct at_plan plan;
	enum at_status status = at_plan_init(&plan, options->whole_spec,
		options->template, options->problem, NULL, &self->base.info.device,
		self->base.info.toolchain, FILL_SEED, err);

	if (!status)
		status = at_plan_configuration(
			&plan, options->whole_spec->defaults, &compiled_plan, err);
	self->base.info.source = compiled_plan.key;
	at_compiled_plan_release(&compiled_plan);
	at_plan_release(&plan);
	return status;
}
