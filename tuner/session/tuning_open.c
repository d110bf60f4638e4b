/* Opens what a tuning needs before its search begins: search space, budget, strategy,
   journal, the recorded crown. */
#include "session/tuning_parts.h"

#include "base/memory.h"
#include "session/counting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell_counting(void *context, const char *text)
{
	struct at_tuning *self = context;
	const struct at_session_options *session = self->options.session;

	tuning_emit_text(self, AT_EVENT_STATE, text);
	if (session->tick)
		session->tick(session->context);
}

/* the smaller of two limits; 0: no limit */
static double least_seconds(double a, double b)
{
	return a > 0 && (b <= 0 || a < b) ? a : b;
}

static enum at_status open_space(struct at_tuning *self, struct at_error *err)
{
	const struct at_tuning_options *options = &self->options;
	const struct at_spec *spec = options->spec;
	struct at_counting counting = { .tell = tell_counting, .context = self };
	enum at_status status;

	self->row = at_calloc(spec->parameter_count + 1, sizeof(*self->row));
	self->shown.incumbent_row = at_calloc(
		spec->parameter_count + 1, sizeof(*self->shown.incumbent_row));
	self->proving.witness =
		at_calloc(spec->parameter_count + 1, sizeof(*self->proving.witness));
	self->proving.shared_witness = at_calloc(
		spec->parameter_count + 1, sizeof(*self->proving.shared_witness));
	status = at_count_space(&counting, spec, options->problem,
		&options->evaluator->info.device.properties, true, &self->space, err);
	if (!status)
		self->shown.progress.valid_count = at_search_space_count(self->space);
	return status;
}

static enum at_status read_budget(struct at_tuning *self, struct at_error *err)
{
	struct at_evaluator *evaluator = self->options.evaluator;
	const char *text = self->options.session->budget;
	const char *place = NULL;
	uint64_t valid = at_search_space_count(self->space);
	enum at_status status = AT_OK;

	if (!text) {
		text = self->options.spec->search.budget;
		place = self->options.spec->path;
	}
	if (text)
		status = at_budget_parse(
			text, &self->budget.evaluations, &self->budget.seconds, err);
	if (status && err && place)
		snprintf(err->file, sizeof(err->file), "%s", place);
	self->budget.seconds =
		least_seconds(self->budget.seconds, self->options.seconds);
	self->shown.progress.target_evaluations = valid;
	if (self->budget.evaluations && self->budget.evaluations < valid)
		self->shown.progress.target_evaluations = self->budget.evaluations;
	self->shown.progress.target_seconds = self->budget.seconds;
	if (!status && evaluator->ops->hurry)
		evaluator->ops->hurry(
			evaluator, at_budget_setup_seconds(&self->budget));
	return status;
}

static enum at_status open_strategy(struct at_tuning *self, struct at_error *err)
{
	const struct at_part *part = &self->options.part;
	const char *text = self->options.session->strategy;
	const struct at_strategy_kind *kind = NULL;
	uint64_t seed = self->options.session->seed, own = 0;
	const char *options = NULL;
	enum at_status status;

	if (!text)
		text = self->options.spec->search.strategy;
	status = at_strategy_find(text ? text : "auto", &kind, &options, err);
	if (status)
		return status;
	if (part->count <= 1)
		return kind->open(self->space, options, seed, &self->strategy, err);
	snprintf(self->part, sizeof(self->part), "%llu/%llu",
		(unsigned long long)part->index + 1, (unsigned long long)part->count);
	/* Parts of a space are often alike: each searches with its own seed. */
	status = at_part_strategy_open(kind, self->space, part, options,
		seed + part->index, &self->strategy, &own, err);
	/* the baseline is evaluated in every part */
	if (!status && own + 1 < self->shown.progress.target_evaluations)
		self->shown.progress.target_evaluations = own + 1;
	return status;
}

static void open_journal(struct at_tuning *self)
{
	const struct at_tuning_options *options = &self->options;
	const struct at_journal_options journal = {
		.evaluator = options->evaluator,
		.store = options->store,
		.spec = options->spec,
		.problem = options->problem,
		.space = self->space,
		.run_id = options->run_id,
		.device_id = options->device_id,
		.fresh = options->session->fresh,
		.wait_seconds = options->session->wait_seconds,
	};

	at_journal_new(&journal, &self->journal);
}

static enum at_status find_recorded(struct at_tuning *self, struct at_error *err)
{
	struct at_crown *crowns;
	size_t count;
	enum at_status status =
		at_store_crowns(self->options.store, self->options.spec->name,
			self->options.device_id, &crowns, &count, err);

	if (status)
		return status;
	for (size_t i = 0; i < count; i++)
		/* a crown of another objective cannot be compared */
		if (!strcmp(crowns[i].problem, self->options.problem->name) &&
			crowns[i].objective == self->options.objective)
			at_crown_copy(&crowns[i], &self->recorded.crown);
	at_store_free_crowns(crowns, count);
	return AT_OK;
}

enum at_status tuning_open(struct at_tuning *self, struct at_error *err)
{
	enum at_status status = open_space(self, err);

	if (!status)
		status = read_budget(self, err);
	if (!status)
		status = open_strategy(self, err);
	if (!status)
		open_journal(self);
	if (!status)
		status = find_recorded(self, err);
	if (!status)
		status = at_store_get_ceilings(self->options.store,
			self->options.device_id, &self->shown.ceilings,
			&self->shown.has_ceilings, err);
	return status;
}
