#include "session/journal.h"

#include "base/clock.h"
#include "record/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct at_journal {
	struct at_journal_options options;
	struct at_journal_listener listener;
	char *problem_json; /* the same for all evaluations */
	struct trial *trials; /* those that are out */
	size_t out;
	bool over; /* failed() was called */
};

/* A configuration on its way: what comes back with an answer. */
struct trial {
	struct trial *next;
	struct at_journal *journal;
	uint64_t index;
	uint16_t configuration[];
};

enum at_status at_journal_new(const struct at_journal_options *options,
	struct at_journal **out, struct at_error *err)
{
	struct at_journal *self = calloc(1, sizeof(*self));

	if (!self)
		return at_fail_memory(err);
	self->options = *options;
	self->problem_json = at_problem_to_json(options->spec, options->problem);
	if (!self->problem_json) {
		free(self);
		return at_fail_memory(err);
	}
	*out = self;
	return AT_OK;
}

void at_journal_free(struct at_journal *self)
{
	if (!self)
		return;
	at_journal_drop(self);
	free(self->problem_json);
	free(self);
}

void at_journal_drop(struct at_journal *self)
{
	while (self->trials) {
		struct trial *next = self->trials->next;

		free(self->trials);
		self->trials = next;
	}
	self->out = 0;
}

void at_journal_listen(
	struct at_journal *self, const struct at_journal_listener *listener)
{
	self->listener = *listener;
}

size_t at_journal_out(const struct at_journal *self)
{
	return self->out;
}

static void fail(struct at_journal *self, const struct at_error *err)
{
	if (self->over)
		return;
	self->over = true;
	self->listener.failed(self->listener.context, err);
}

/* NULL: it failed, and that was told */
static struct trial *new_trial(struct at_journal *self, uint64_t index)
{
	size_t width = self->options.spec->parameter_count;
	struct trial *trial =
		malloc(sizeof(*trial) + width * sizeof(*trial->configuration));
	struct at_error err = { 0 };

	if (!trial) {
		at_fail_memory(&err);
		fail(self, &err);
		return NULL;
	}
	trial->next = NULL;
	trial->journal = self;
	trial->index = index;
	at_search_space_get(self->options.space, index, trial->configuration);
	return trial;
}

static void tell(struct at_journal *self, const struct trial *trial,
	const struct at_evaluation *evaluation, bool reused, bool was_hopeless)
{
	const struct at_entry entry = { trial->index, trial->configuration, evaluation,
		reused, was_hopeless };

	self->listener.told(self->listener.context, &entry);
}

/* ---- what is in the record -------------------------------------------------- */

/* found in the record and told: true; also when that failed, which is told too */
static bool recall(struct at_journal *self, const struct trial *trial,
	struct at_hash key, const struct at_trial_options *options)
{
	struct at_evaluation evaluation;
	struct at_error err = { 0 };
	bool found = false;

	if (at_store_find(self->options.store, key, false, &evaluation, &found, &err)) {
		fail(self, &err);
		return true;
	}
	if (!found)
		return false;
	/* --fresh asks for new times, but not for those of this very run again */
	if (self->options.fresh && evaluation.run_id != self->options.run_id)
		found = false;
	/* the time of one that was dropped early is no time */
	if (options->full && evaluation.raced)
		found = false;
	if (found)
		tell(self, trial, &evaluation, true, false);
	at_evaluation_release(&evaluation);
	return found;
}

/* NULL: it failed, and that was told */
static struct at_planned *make_plan(struct at_journal *self, const struct trial *trial)
{
	struct at_evaluator *evaluator = self->options.evaluator;
	struct at_planned *planned;
	struct at_error err = { 0 };

	if (!evaluator->ops->plan(evaluator, trial->configuration, &planned, &err))
		return planned;
	fail(self, &err);
	return NULL;
}

bool at_journal_recall(
	struct at_journal *self, uint64_t index, const struct at_trial_options *options)
{
	struct trial *trial = self->over ? NULL : new_trial(self, index);
	struct at_planned *planned = trial ? make_plan(self, trial) : NULL;
	bool recalled = !planned || recall(self, trial, planned->key, options);

	at_planned_free(planned);
	free(trial);
	return recalled;
}

/* ---- what is new -------------------------------------------------------------- */

static void set_result(
	struct at_evaluation *evaluation, struct at_measure_result *result)
{
	evaluation->time_ns = evaluation->low_ns = evaluation->high_ns = NAN;
	evaluation->max_relative_error = NAN;
	evaluation->measure_ns = evaluation->clock_hz = -1;
	evaluation->launches_per_sample = -1;
	if (!result)
		return;
	evaluation->measure_ns = (int64_t)result->measure_ns;
	evaluation->raced = result->raced;
	evaluation->throttled = result->throttled;
	/* only what is correct has a time */
	if (evaluation->outcome != AT_OUTCOME_OK)
		return;
	evaluation->time_ns = result->time_ns;
	evaluation->low_ns = result->low_ns;
	evaluation->high_ns = result->high_ns;
	evaluation->samples_ns = result->samples_ns;
	evaluation->sample_count = result->sample_count;
	result->samples_ns = NULL;
	result->sample_count = 0;
	evaluation->max_relative_error = result->max_relative_error;
	evaluation->launches_per_sample = result->launches_per_sample;
	if (result->clock_hz)
		evaluation->clock_hz = (int64_t)result->clock_hz;
}

static void unlink_trial(struct at_journal *self, struct trial *trial)
{
	struct trial **link = &self->trials;

	while (*link != trial)
		link = &(*link)->next;
	*link = trial->next;
	self->out--;
}

/* recorded first, told second: what anybody acts on survives a kill */
static void answered(
	void *context, struct at_answer *answer, const struct at_error *problem)
{
	struct trial *trial = context;
	struct at_journal *self = trial->journal;
	const struct at_journal_options *options = &self->options;
	struct at_evaluation evaluation = { 0 };
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	unlink_trial(self, trial);
	if (problem)
		fail(self, problem);
	if (self->over)
		goto free_trial;
	if (answer->outcome == AT_OUTCOME_NONE) {
		tell(self, trial, NULL, false, false);
		self->listener.changed(self->listener.context);
		goto free_trial;
	}
	evaluation.key = answer->planned->key;
	evaluation.run_id = options->run_id;
	evaluation.device_id = options->device_id;
	evaluation.outcome = answer->outcome;
	evaluation.facts = answer->facts;
	evaluation.image = answer->image;
	evaluation.flops = answer->planned->flops;
	evaluation.bytes = answer->planned->bytes;
	evaluation.is_double = answer->planned->is_double;
	evaluation.space = at_strdup(options->spec->name);
	evaluation.problem = at_strdup(options->problem->name);
	evaluation.problem_json = at_strdup(self->problem_json);
	evaluation.configuration =
		at_configuration_to_json(options->spec, trial->configuration);
	evaluation.detail = at_strdup(answer->detail);
	evaluation.log = at_strdup(answer->log);
	evaluation.board = at_strdup(answer->board);
	evaluation.created_seconds = at_clock_wall_seconds();
	set_result(&evaluation, answer->result);
	if (!evaluation.space || !evaluation.problem || !evaluation.problem_json ||
		!evaluation.configuration || !evaluation.detail || !evaluation.log ||
		!evaluation.board)
		status = at_fail_memory(&err);
	if (!status)
		status = at_store_add(options->store, &evaluation, &err);
	if (status)
		fail(self, &err);
	else
		/* of copies the first counts: it alone was chosen */
		tell(self, trial, &evaluation, false,
			evaluation.outcome == AT_OUTCOME_OK && !answer->is_copy &&
				answer->result && answer->result->was_hopeless);
	at_evaluation_release(&evaluation);
	if (!status)
		self->listener.changed(self->listener.context);
free_trial:
	free(trial);
}

void at_journal_evaluate(
	struct at_journal *self, uint64_t index, const struct at_trial_options *options)
{
	struct at_evaluator *evaluator = self->options.evaluator;
	struct trial *trial = self->over ? NULL : new_trial(self, index);
	struct at_planned *planned = trial ? make_plan(self, trial) : NULL;
	struct at_error err = { 0 };

	if (!planned || recall(self, trial, planned->key, options)) {
		at_planned_free(planned);
		free(trial);
		return;
	}
	trial->next = self->trials;
	self->trials = trial;
	self->out++;
	if (evaluator->ops->begin(evaluator, planned, options, answered, trial, &err)) {
		unlink_trial(self, trial);
		free(trial);
		fail(self, &err);
	}
}

enum at_status at_journal_refuse(struct at_journal *self, int64_t evaluation_id,
	enum at_outcome outcome, const char *detail, struct at_evaluation *out,
	struct at_error *err)
{
	enum at_status status =
		at_store_get(self->options.store, evaluation_id, true, out, err);

	if (status)
		return status;
	/* a new row with the same key: the older one stays as history */
	free(out->detail);
	out->detail = at_strdup(detail);
	out->id = 0;
	out->outcome = outcome;
	out->run_id = self->options.run_id;
	out->time_ns = out->low_ns = out->high_ns = NAN;
	out->sample_count = 0;
	out->created_seconds = at_clock_wall_seconds();
	status = out->detail ? at_store_add(self->options.store, out, err)
			     : at_fail_memory(err);
	if (status)
		at_evaluation_release(out);
	return status;
}
