/* Opens what a tuning needs before its search begins: search space, budget, strategy,
   journal, the recorded winner. */
#include "session/tuning_parts.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the smaller of two limits; 0: no limit */
static double least_seconds(double a, double b)
{
	return a > 0 && (b <= 0 || a < b) ? a : b;
}

static enum at_status open_space(
	struct at_tuning *self, const struct at_visit *given, struct at_error *err)
{
	size_t width = given->spec->parameter_count + 1;
	uint16_t **buffers[] = { &self->shown.incumbent_row, &self->verifying.witness,
		&self->verifying.shared_witness };

	for (size_t i = 0; i < AT_COUNT_OF(buffers); i++)
		*buffers[i] = at_calloc(width, sizeof(**buffers[i]));
	return at_visit_open(&self->visit, given, true, err);
}

static enum at_status read_budget(struct at_tuning *self, struct at_error *err)
{
	struct at_evaluator *evaluator = self->visit.evaluator;
	const char *text = self->visit.session->budget;
	const char *place = NULL;
	uint64_t valid = at_search_space_count(self->visit.space);
	enum at_status status = AT_OK;

	if (!text) {
		text = self->visit.spec->search.budget;
		place = self->visit.spec->path;
	}
	if (text)
		status = at_budget_parse(text, &self->visit.budget.evaluations,
			&self->visit.budget.seconds, err);
	if (status && err && place)
		snprintf(err->file, sizeof(err->file), "%s", place);
	self->visit.budget.seconds =
		least_seconds(self->visit.budget.seconds, self->visit.seconds);
	self->visit.progress.target_evaluations = valid;
	if (self->visit.budget.evaluations && self->visit.budget.evaluations < valid)
		self->visit.progress.target_evaluations =
			self->visit.budget.evaluations;
	self->visit.progress.target_seconds = self->visit.budget.seconds;
	if (!status && evaluator->ops->hurry)
		evaluator->ops->hurry(
			evaluator, at_budget_setup_seconds(&self->visit.budget));
	return status;
}

static enum at_status open_strategy(struct at_tuning *self, struct at_error *err)
{
	const struct at_part *part = &self->visit.part;
	const char *text = self->visit.session->strategy;
	const struct at_strategy_kind *kind = NULL;
	uint64_t seed = self->visit.session->seed, own = 0;
	const char *options = NULL;
	enum at_status status;

	if (!text)
		text = self->visit.spec->search.strategy;
	status = at_strategy_find(text ? text : "auto", &kind, &options, err);
	if (status)
		return status;
	if (part->count <= 1)
		return kind->open(
			kind, self->visit.space, options, seed, &self->strategy, err);
	snprintf(self->part, sizeof(self->part), "%llu/%llu",
		(unsigned long long)part->index + 1, (unsigned long long)part->count);
	/* Parts of a space are often alike: each searches with its own seed. */
	status = at_part_strategy_open(kind, self->visit.space, part, options,
		seed + part->index, &self->strategy, &own, err);
	/* the baseline is evaluated in every part */
	if (!status && own + 1 < self->visit.progress.target_evaluations)
		self->visit.progress.target_evaluations = own + 1;
	return status;
}

static enum at_status find_recorded(struct at_tuning *self, struct at_error *err)
{
	struct at_winner *winners;
	size_t count;
	enum at_status status = at_store_winners(self->visit.store,
		self->visit.spec->name, self->visit.device_id, &winners, &count, err);

	if (status)
		return status;
	for (size_t i = 0; i < count; i++)
		/* a winner of another objective cannot be compared */
		if (!strcmp(winners[i].problem, self->visit.problem->name) &&
			winners[i].objective == self->visit.objective)
			at_winner_copy(&winners[i], &self->recorded.best);
	at_store_free_winners(winners, count);
	return AT_OK;
}

enum at_status tuning_open(
	struct at_tuning *self, const struct at_visit *given, struct at_error *err)
{
	enum at_status status = open_space(self, given, err);

	if (!status)
		status = read_budget(self, err);
	if (!status)
		status = open_strategy(self, err);
	if (!status)
		at_journal_new(
			&self->visit, self->visit.session->fresh, &self->journal);
	if (!status)
		status = find_recorded(self, err);
	if (!status)
		status = at_store_get_ceilings(self->visit.store, self->visit.device_id,
			&self->shown.ceilings, &self->shown.has_ceilings, err);
	return status;
}
