/* A visit to one problem with configurations of other problems (crossing.h): evaluates
   them by the journal, and where one is to be a member of a portfolio holds finals
   beside the problem's winner and a proof (phase_proof.h). */
#include "session/crossing.h"

#include "base/memory.h"
#include "session/budget.h"
#include "session/counting.h"
#include "session/crown.h"
#include "session/finals.h"
#include "session/journal.h"
#include "session/phase_proof.h"
#include "space/search_space.h"

#include "record/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The finalists in the order of the finals. The baseline takes part only if it is
   correct and is neither of the other two. */
enum role { ROLE_MEMBER, ROLE_WINNER, ROLE_BASELINE, ROLE_COUNT };

struct at_crossing {
	struct at_crossing_options options;
	struct at_search_space *space;
	struct at_journal *journal;
	/* Configurations in this space: the baseline (if it is one), those given, the
	   winner (if one is given). */
	uint64_t *indices;
	struct at_crossed *results; /* one for each index */
	size_t count;
	/* place of the first one given: 1 behind the baseline, else 0 */
	size_t first_given;
	size_t next; /* place to evaluate next */
	/* the baseline is asked for and not told yet */
	bool waits_for_baseline;
	/* ask() is running: the journal may tell from inside of it */
	bool is_asking;
	struct at_planned *planned[ROLE_COUNT];
	/* number of roles in the finals */
	size_t finalist_count;
	struct at_final finals[ROLE_COUNT];
	struct at_proof_phase proof;
	uint16_t *row; /* one configuration: the member's, from the finals on */
	uint16_t *winner_row; /* the winner's configuration, from the finals on */
	bool winner_has_shared; /* it is known to use shared memory */
	struct at_crown member; /* space NULL: the member has not passed */
	struct at_error error;
	bool is_over;
};

static uint64_t baseline_of(const struct at_crossing *self)
{
	return self->first_given ? self->indices[0] : AT_NO_CONFIGURATION;
}

/* the result of the configuration that is to be a member */
static struct at_crossed *member_of(struct at_crossing *self)
{
	return &self->results[self->first_given];
}

/* ---- the end --------------------------------------------------------------- */

static void call_done(void *context)
{
	struct at_crossing *self = context;

	self->options.done(
		self->options.context, self->error.status ? &self->error : NULL);
}

/* Ends the visit: stops evaluator, journal and proof, and queues done(). */
static void end(struct at_crossing *self, const struct at_error *err)
{
	struct at_evaluator *evaluator = self->options.evaluator;

	if (self->is_over)
		return;
	self->is_over = true;
	if (err)
		self->error = *err;
	evaluator->ops->stop(evaluator);
	at_journal_drop(self->journal);
	at_proof_phase_end(&self->proof);
	evaluator->ops->later(evaluator, call_done, self);
}

/* ---- finals and proof of a member ------------------------------------------ */

static bool is_right(const struct at_crossing *self, enum role role)
{
	return role < self->finalist_count && at_final_was_sampled(&self->finals[role]);
}

/* Records and tells that the member, which was correct so far, is wrong. */
static void refuse_member(
	struct at_crossing *self, enum at_outcome outcome, const char *detail)
{
	struct at_crossed *member = member_of(self);
	struct at_evaluation evaluation;
	struct at_error err = { 0 };
	struct at_event event = { .kind = AT_EVENT_NOTE, .text = detail };

	if (at_journal_refuse(self->journal, member->evaluation_id, outcome, detail,
		    &evaluation, &err)) {
		end(self, &err);
		return;
	}
	event.evaluation = &evaluation;
	event.configuration = self->row;
	event.spec = self->options.spec;
	event.problem = self->options.problem;
	event.objective = self->options.objective;
	event.device = &self->options.evaluator->info.device;
	if (self->options.session->listen)
		self->options.session->listen(self->options.session->context, &event);
	at_evaluation_release(&evaluation);
	member->outcome = outcome;
	member->score = (struct at_score)AT_SCORE_UNKNOWN;
	end(self, NULL);
}

/* Makes the member's crown for this problem, with its loss against the winner. */
static void make_member(struct at_crossing *self, const struct at_proof *proof)
{
	const struct at_crossing_options *options = &self->options;
	const struct at_final *member = &self->finals[ROLE_MEMBER];
	struct at_interval loss = at_finals_ratio(member, &self->finals[ROLE_WINNER]);
	struct at_crowning facts = {
		.info = &options->evaluator->info,
		.spec = options->spec,
		.problem = options->problem,
		.planned = self->planned[ROLE_MEMBER],
		.objective = options->objective,
		.score = at_final_score(member),
		.speedup = AT_SCORE_UNKNOWN,
		.baseline = AT_SCORE_UNKNOWN,
		.final = member,
		.device_id = options->device_id,
		.evaluation_id = member_of(self)->evaluation_id,
		.evaluation_count = (uint64_t)options->winner->evaluation_count,
		.ok_count = (uint64_t)options->winner->ok_count,
		.proof = proof,
	};

	if (is_right(self, ROLE_BASELINE)) {
		struct at_finals_gain gain = at_finals_gain_of(
			options->objective, &self->finals[ROLE_BASELINE], member);

		facts.speedup = gain.speedup;
		facts.baseline = gain.baseline;
		facts.baseline_id = self->results[0].evaluation_id;
	}
	at_crown_make(&facts, &self->member);
	self->member.loss = loss.median - 1;
	self->member.loss_low = loss.low - 1;
	self->member.loss_high = loss.high - 1;
	end(self, NULL);
}

static void passed_over(void *context, const char *text)
{
	struct at_crossing *self = context;
	const struct at_session_options *session = self->options.session;
	struct at_event event = {
		.kind = AT_EVENT_NOTE,
		.text = text,
		.spec = self->options.spec,
		.problem = self->options.problem,
		.objective = self->options.objective,
		.device = &self->options.evaluator->info.device,
	};

	if (session->listen)
		session->listen(session->context, &event);
}

static void proved(void *context, enum at_outcome outcome, const char *detail,
	const struct at_proof *proof, const struct at_error *err)
{
	struct at_crossing *self = context;

	if (err)
		end(self, err);
	else if (outcome != AT_OUTCOME_OK)
		refuse_member(self, outcome, detail);
	else
		make_member(self, proof);
}

/* What must pass a check for the member's failure to count: the defaults, or without
   them the winner, which is proved. NULL: there is none. */
static const uint16_t *witness_of(const struct at_crossing *self)
{
	const struct at_spec *spec = self->options.spec;

	if (spec->has_defaults)
		return spec->defaults;
	return self->indices[self->first_given] != self->indices[self->count - 1]
		       ? self->winner_row
		       : NULL;
}

static void finals_answered(void *context, struct at_final *finals, size_t count,
	const struct at_error *err)
{
	struct at_crossing *self = context;
	const struct at_measure_result *result = &self->finals[ROLE_MEMBER].result;
	const struct at_proof_phase_options proof = {
		.evaluator = self->options.evaluator,
		.configuration = self->row,
		.witness = witness_of(self),
		.shared_witness =
			self->options.spec->has_defaults || self->winner_has_shared
				? witness_of(self)
				: NULL,
		.sanitize = self->options.session->sanitize,
		.check_seconds = AT_CHECK_SECONDS_MAX,
		.store = self->options.store,
		.device_id = self->options.device_id,
		.spec = self->options.spec,
		.problem = self->options.problem->name,
		.passed_over = passed_over,
		.ended = proved,
		.context = self,
	};
	struct at_error problem = { 0 };

	if (self->is_over)
		return;
	for (size_t i = 0; !err && i < count && i < self->finalist_count; i++) {
		self->finals[i] = finals[i];
		memset(&finals[i], 0, sizeof(finals[i]));
		at_final_check_floor(&self->finals[i], &self->planned[i]->floor);
	}
	if (err)
		end(self, err);
	else if (!is_right(self, ROLE_MEMBER) && !result->device_lost &&
		 result->outcome != AT_OUTCOME_NONE && result->outcome != AT_OUTCOME_OK)
		refuse_member(self, result->outcome, result->detail);
	/* without both times the member's loss is not known */
	else if (!is_right(self, ROLE_MEMBER) || !is_right(self, ROLE_WINNER))
		end(self, NULL);
	else if (at_proof_phase_begin(&self->proof, &proof, &problem))
		end(self, &problem);
}

static void begin_finals(struct at_crossing *self)
{
	struct at_evaluator *evaluator = self->options.evaluator;
	const struct at_budget budget = { 0 };
	const struct at_measure_finals how = at_finals_first(
		at_budget_finals_seconds(&budget), self->options.session->seed);
	const size_t places[ROLE_COUNT] = { self->first_given, self->count - 1, 0 };
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	/* the member or the winner is not right any more; a wrong winner is for the
	   next tuning */
	if (self->results[places[ROLE_MEMBER]].outcome != AT_OUTCOME_OK ||
		self->results[places[ROLE_WINNER]].outcome != AT_OUTCOME_OK) {
		end(self, NULL);
		return;
	}
	self->finalist_count = ROLE_WINNER + 1;
	if (self->first_given && self->results[0].outcome == AT_OUTCOME_OK &&
		self->indices[0] != self->indices[places[ROLE_MEMBER]] &&
		self->indices[0] != self->indices[places[ROLE_WINNER]])
		self->finalist_count = ROLE_COUNT;
	for (size_t i = 0; i < ROLE_COUNT && i < self->finalist_count && !status; i++) {
		at_search_space_get(self->space, self->indices[places[i]], self->row);
		status = evaluator->ops->plan(
			evaluator, self->row, &self->planned[i], &err);
	}
	at_search_space_get(
		self->space, self->indices[places[ROLE_WINNER]], self->winner_row);
	at_search_space_get(self->space, self->indices[places[ROLE_MEMBER]], self->row);
	if (!status)
		status = evaluator->ops->finals(evaluator,
			(const struct at_planned *const *)self->planned,
			self->finalist_count, &how, finals_answered, self, &err);
	if (status)
		end(self, &err);
}

/* ---- evaluations ----------------------------------------------------------- */

static void ask(struct at_crossing *self);

/* Receives an evaluation. A configuration that was given twice gets the same result
   twice. */
static void told(void *context, const struct at_entry *entry)
{
	struct at_crossing *self = context;
	const struct at_crossing_options *options = &self->options;
	const struct at_evaluation *evaluation = entry->evaluation;
	struct at_event event = {
		.kind = AT_EVENT_EVALUATION,
		.spec = options->spec,
		.problem = options->problem,
		.objective = options->objective,
		.device = &options->evaluator->info.device,
		.configuration = entry->configuration,
		.evaluation = evaluation,
		.reused = entry->reused,
	};

	if (self->is_over)
		return;
	if (entry->index == baseline_of(self))
		self->waits_for_baseline = false;
	if (!evaluation)
		return;
	if (entry->index == self->indices[self->count - 1])
		self->winner_has_shared = evaluation->facts.shared_bytes > 0;
	for (size_t i = 0; i < self->count; i++) {
		if (self->indices[i] != entry->index)
			continue;
		self->results[i] = (struct at_crossed){
			.evaluation_id = evaluation->id,
			.outcome = evaluation->outcome,
			.score = at_evaluation_score(evaluation, options->objective),
		};
	}
	if (entry->index == baseline_of(self) && options->evaluator->ops->judge_by &&
		evaluation->outcome == AT_OUTCOME_OK &&
		isfinite(evaluation->max_relative_error))
		options->evaluator->ops->judge_by(
			options->evaluator, evaluation->max_relative_error);
	if (options->session->listen && !entry->reused)
		options->session->listen(options->session->context, &event);
}

static void changed(void *context)
{
	ask(context);
}

static void failed(void *context, const struct at_error *err)
{
	end(context, err);
}

static bool was_asked_for(const struct at_crossing *self, size_t place)
{
	for (size_t i = 0; i < place; i++)
		if (self->indices[i] == self->indices[place])
			return true;
	return false;
}

/* Asks for as many evaluations as may be out. The baseline comes first and alone, since
   its rounding error decides how the others are judged. When all are told, goes on to
   the finals or the end. */
static void ask(struct at_crossing *self)
{
	const struct at_crossing_options *options = &self->options;
	struct at_evaluator *evaluator = options->evaluator;

	if (self->is_over || self->is_asking)
		return;
	self->is_asking = true;
	while (self->next < self->count && !self->is_over &&
		!self->waits_for_baseline &&
		at_journal_out(self->journal) < evaluator->ops->capacity(evaluator)) {
		size_t place = self->next++;
		struct at_trial_options how = { .full = true,
			.seed = self->indices[place] };

		if (self->indices[place] == AT_NO_CONFIGURATION ||
			was_asked_for(self, place))
			continue;
		how.first = self->indices[place] == baseline_of(self);
		self->waits_for_baseline = how.first;
		at_journal_evaluate(self->journal, self->indices[place], &how);
	}
	self->is_asking = false;
	if (self->is_over || self->next < self->count ||
		at_journal_pending(self->journal) > 0)
		return;
	if (options->winner)
		begin_finals(self);
	else
		end(self, NULL);
}

static void begin(void *context)
{
	struct at_crossing *self = context;

	if (!self->is_over)
		ask(self);
}

/* ---- start ----------------------------------------------------------------- */

static enum at_status open_space(struct at_crossing *self, struct at_error *err)
{
	const struct at_crossing_options *options = &self->options;
	const struct at_spec *spec = options->spec;
	struct at_counting counting = { 0 };

	return at_count_space(&counting, spec, options->problem,
		&options->evaluator->info.device.properties, false, &self->space, err);
}

static void add(struct at_crossing *self, const uint16_t *configuration)
{
	uint64_t index = at_search_space_find(self->space, configuration);

	self->results[self->count] = (struct at_crossed){
		.outcome = index == AT_NO_CONFIGURATION ? AT_OUTCOME_NOT_APPLICABLE
							: AT_OUTCOME_NONE,
		.score = AT_SCORE_UNKNOWN,
	};
	self->indices[self->count++] = index;
}

/* Adds the winner's configuration; it must still fit the space file. */
static enum at_status add_winner(struct at_crossing *self, struct at_error *err)
{
	const struct at_crossing_options *options = &self->options;
	struct at_evaluation evaluation;
	enum at_status status = at_store_get(options->store,
		options->winner->evaluation_id, false, &evaluation, err);
	bool fits = false;

	if (status)
		return status;
	at_configuration_from_json(
		options->spec, evaluation.configuration, self->row, &fits);
	at_evaluation_release(&evaluation);
	if (!fits)
		status = at_fail(err, AT_EINVAL, options->spec->path, 0,
			"the recorded winner of \"%s\" does not fit this file: tune it again",
			options->problem->name);
	if (!status)
		add(self, self->row);
	return status;
}

/* Fills the list of configurations. */
static enum at_status fill(struct at_crossing *self, struct at_error *err)
{
	const struct at_crossing_options *options = &self->options;
	const struct at_spec *spec = options->spec;
	size_t width = spec->parameter_count;

	self->indices = at_calloc(options->count + 2, sizeof(*self->indices));
	self->results = at_calloc(options->count + 2, sizeof(*self->results));
	self->row = at_calloc(width + 1, sizeof(*self->row));
	self->winner_row = at_calloc(width + 1, sizeof(*self->winner_row));
	if (spec->has_defaults && at_search_space_find(self->space, spec->defaults) !=
					  AT_NO_CONFIGURATION) {
		add(self, spec->defaults);
		self->first_given = 1;
	}
	for (size_t i = 0; i < options->count; i++)
		add(self, options->configurations + i * width);
	return options->winner ? add_winner(self, err) : AT_OK;
}

static void evaluator_tells(void *context, enum at_notice_kind kind, const char *text)
{
	struct at_crossing *self = context;
	const struct at_session_options *session = self->options.session;
	struct at_event event = {
		.kind = kind == AT_NOTICE_STATE ? AT_EVENT_STATE : AT_EVENT_NOTE,
		.text = text,
		.spec = self->options.spec,
		.problem = self->options.problem,
		.objective = self->options.objective,
		.device = &self->options.evaluator->info.device,
	};

	/* how outputs are judged (AT_NOTICE_JUDGED) was told when the problem was
	   tuned */
	if (session->listen && (kind == AT_NOTICE_STATE || kind == AT_NOTICE_NOTE))
		session->listen(session->context, &event);
}

enum at_status at_crossing_start(const struct at_crossing_options *options,
	struct at_crossing **out, struct at_error *err)
{
	struct at_crossing *self = at_calloc(1, sizeof(*self));
	enum at_status status = AT_OK;

	self->options = *options;
	self->proof.ended = true;
	status = open_space(self, err);
	if (!status)
		status = fill(self, err);
	if (!status) {
		const struct at_journal_options journal = {
			.evaluator = options->evaluator,
			.store = options->store,
			.spec = options->spec,
			.problem = options->problem,
			.space = self->space,
			.run_id = options->run_id,
			.device_id = options->device_id,
			.fresh = false,
		};

		at_journal_new(&journal, &self->journal);
	}
	if (!status) {
		at_journal_listen(self->journal,
			&(struct at_journal_listener){ told, changed, failed, self });
		options->evaluator->ops->later(options->evaluator, begin, self);
	}
	if (status) {
		self->options.evaluator = NULL; /* the caller still owns it */
		at_crossing_free(self);
		return status;
	}
	options->evaluator->tell = evaluator_tells;
	options->evaluator->tell_context = self;
	*out = self;
	return AT_OK;
}

void at_crossing_interrupt(struct at_crossing *self)
{
	end(self, NULL);
}

void at_crossing_poke(struct at_crossing *self)
{
	struct at_evaluator *evaluator = self->options.evaluator;

	evaluator->ops->tick(evaluator);
	at_journal_poll(self->journal);
}

const struct at_crossed *at_crossing_results(const struct at_crossing *self)
{
	return self->results + self->first_given;
}

const struct at_crown *at_crossing_member(const struct at_crossing *self)
{
	return self->member.space ? &self->member : NULL;
}

void at_crossing_free(struct at_crossing *self)
{
	if (!self)
		return;
	at_proof_phase_end(&self->proof);
	at_journal_free(self->journal);
	for (size_t i = 0; i < ROLE_COUNT; i++) {
		at_planned_free(self->planned[i]);
		at_measure_result_release(&self->finals[i].result);
	}
	at_crown_release(&self->member);
	at_search_space_free(self->space);
	free(self->indices);
	free(self->results);
	free(self->row);
	free(self->winner_row);
	if (self->options.evaluator)
		self->options.evaluator->ops->close(self->options.evaluator);
	free(self);
}
