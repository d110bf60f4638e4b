/* A revisit (revisit.h): evaluation of baseline and recorded winner, finals, verdict
   (nights.h), record. */
#include "session/revisit.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "record/history.h"
#include "record/result.h"
#include "session/winner.h"
#include "session/standings.h"
#include "session/journal.h"
#include "session/nights.h"
#include "session/phase_verification.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* most nights to read; nights.c uses the newest of them */
#define HISTORY_MAX 90
/* Most seconds of one look: drift of the board limits the precision of a longer one. */
#define LOOK_SECONDS_MAX 15.0

/* The two configurations of a revisit, in the order of evaluation. */
enum who {
	BASELINE = 0,
	WINNER,
	WHO_COUNT,
};

/* One of them, and tonight's result. */
struct contestant {
	/* its configuration; AT_NO_CONFIGURATION: it is not in the space */
	uint64_t index;
	/* for the finals; NULL: not correct, or not evaluated yet */
	struct at_task *task;
	unsigned attempts; /* evaluations begun */
	enum at_outcome outcome;
	char detail[512]; /* why the outcome is not OK, or "" */
};

/* The revisit; it owns everything that is not marked as borrowed. */
struct revisit {
	struct at_visit visit;
	struct at_winner best; /* the recorded winner; space NULL: none */
	char *configuration; /* the winner's, as recorded; NULL: none */
	struct contestant contestants[WHO_COUNT];
	enum who next; /* the one being evaluated */
	struct at_revisits history; /* earlier nights, oldest first */
	/* the same as nights, after the winner's finals if those count */
	struct at_night *nights;
	size_t night_count;
	struct at_night looks[AT_NIGHTS_LOOKS_MAX]; /* of tonight */
	size_t look_count;
	unsigned lost_count; /* times that the finals lost the device */
	struct at_revisit revisit; /* tonight's row, by the last look */
	struct at_judgement judgement;
	struct at_verification_phase
		verification; /* of the winner, on cases not passed yet */
	struct at_verification known; /* what the winner's verification covered */
	unsigned verification_count; /* verifications begun */
};

/* ---- the record ---------------------------------------------------------------- */

/* Reads the earlier nights of this kernel on this board. */
static enum at_status read_history(struct revisit *self, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	const struct at_evaluator_info *info = &visit->evaluator->info;
	char hex[AT_HASH_HEX_SIZE];
	const struct at_revisit_query query = {
		.space = visit->spec->name,
		.problem = visit->problem->name,
		.device_id = visit->device_id,
		.board = info->device.uuid,
		.configuration = self->configuration,
		.source_hash = at_hash_hex(info->source, hex),
		.limit = HISTORY_MAX,
	};
	enum at_status status =
		at_store_revisits(visit->store, &query, &self->history, err);

	if (status)
		return status;
	self->nights = at_calloc(self->history.count + 1, sizeof(*self->nights));
	/* with another source the winner belongs to another kernel */
	if (at_visit_has_same_source(&self->visit, &self->best) &&
		!at_winner_is_undecided(&self->best))
		self->nights[self->night_count++] = at_night_of_winner(&self->best);
	for (size_t i = 0; i < self->history.count; i++)
		self->nights[self->night_count++] =
			at_night_of_revisit(&self->history.items[i],
				i ? &self->history.items[i - 1] : NULL);
	return AT_OK;
}

/* The last night; NULL: none. Borrowed. */
static const struct at_revisit *last_night(const struct revisit *self)
{
	return self->history.count ? &self->history.items[self->history.count - 1]
				   : NULL;
}

static void set_whole(struct at_json *out, const char *key, uint64_t value)
{
	if (value && value <= INT64_MAX)
		at_json_set(out, key, value);
}

/*
 * The conditions as a flat JSON object: {"driver", "toolchain", "power_limit_watts",
 * "ecc", "set_clock_hz", "set_memory_clock_hz", "processes"}, without unknown values.
 * The clocks are the highest that the board's setting allows, even if the user did not
 * set it. conditions: of the finals; NULL: there were none. Heap.
 */
static char *conditions_json(const struct at_evaluator_info *info,
	const struct at_measure_conditions *conditions)
{
	struct at_json *out = at_json_object();

	if (info->device.driver[0])
		at_json_set(out, "driver", info->device.driver);
	if (info->toolchain[0])
		at_json_set(out, "toolchain", info->toolchain);
	if (conditions) {
		const double watts = conditions->power_limit_watts;

		/* in integer watts, so that smaller differences are not a change */
		set_whole(out, "power_limit_watts",
			watts >= 0.5 && watts < 1e6 ? (uint64_t)llround(watts) : 0);
		if (conditions->ecc != AT_SWITCH_UNKNOWN)
			at_json_set(out, "ecc",
				at_json_boolean(conditions->ecc == AT_SWITCH_ON));
		set_whole(out, "set_clock_hz", conditions->set_clock_hz);
		set_whole(out, "set_memory_clock_hz", conditions->set_memory_clock_hz);
		if (conditions->knows_neighbours)
			at_json_set(
				out, AT_CONDITION_PROCESSES, conditions->neighbours);
	}
	return at_json_finish(out);
}

/* Fills self->revisit except for scores and verdict. final: the winner's, of the last
   look; NULL: there were no finals. */
static void fill(struct revisit *self, const struct at_measure_result *final)
{
	const struct at_visit *visit = &self->visit;
	const struct at_evaluator_info *info = &visit->evaluator->info;
	const struct at_measure_conditions *conditions =
		final ? &final->conditions : NULL;
	struct at_revisit *out = &self->revisit;
	char hex[AT_HASH_HEX_SIZE];

	at_revisit_release(out);
	*out = (struct at_revisit){
		.device_id = visit->device_id,
		.run_id = visit->run_id,
		.outcome = self->contestants[WINNER].outcome,
		.objective = visit->objective,
		.score = AT_SCORE_UNKNOWN,
		.baseline = AT_SCORE_UNKNOWN,
		.speedup = AT_SCORE_UNKNOWN,
		.change = AT_SCORE_UNKNOWN,
		.clock_hz = conditions && conditions->last_clock_hz
				    ? (int64_t)conditions->last_clock_hz
				    : -1,
		.look_count = (int64_t)self->look_count,
		.board = at_strdup(info->device.uuid),
		.space = at_strdup(visit->spec->name),
		.problem = at_strdup(visit->problem->name),
		.configuration = at_strdup(self->configuration),
		.source_hash = at_strdup(at_hash_hex(info->source, hex)),
		.detail = at_strdup(self->contestants[WINNER].detail),
		.measurement = at_winner_measurement(
			final, false, (struct at_hash){ 0 }, NULL),
		.conditions = conditions_json(info, conditions),
		.created_seconds = at_clock_wall_seconds(),
	};
}

/* Adds the scores of the winner, and of the baseline if it is another configuration and
   was measured (else NULL). */
static void fill_scores(struct revisit *self, const struct at_measure_result *winner,
	const struct at_measure_result *baseline)
{
	struct at_revisit *out = &self->revisit;
	struct at_finals_gain gain;

	out->score = at_final_score(self->visit.objective, winner);
	if (self->contestants[BASELINE].index == self->contestants[WINNER].index) {
		out->baseline = out->score;
		out->speedup = (struct at_score){ 1, 1, 1 };
		return;
	}
	if (!baseline || !at_final_was_sampled(baseline))
		return;
	gain = at_finals_gain_of(self->visit.objective, baseline, winner);
	out->baseline = gain.baseline;
	out->speedup = gain.speedup;
}

/* Records the cases that the winner passed, in the record and the files. */
static enum at_status record_verification(struct revisit *self,
	const struct at_verification *verification, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	const struct at_result_options results = {
		.directory = visit->session->results,
	};
	struct at_verification noted = *verification;
	char *text = at_verification_to_json(&noted);
	enum at_status status = AT_OK;

	/* without a new case the files stay byte for byte */
	if (!strcmp(text, self->best.verification)) {
		free(text);
		return AT_OK;
	}
	free(text);
	noted.night = (uint32_t)visit->session->night;
	text = at_verification_to_json(&noted);
	status = at_store_set_verification(visit->store, &self->best, text, err);
	free(text);
	return status ? status
		      : at_result_write(visit->store, &results, visit->whole_spec,
				visit->device_id, NULL, err);
}

/* Records that the winner is no longer correct, withdraws it, and writes the files
   without it. */
static enum at_status record_refusal(struct revisit *self, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	const struct contestant *winner = &self->contestants[WINNER];
	const struct at_result_options results = {
		.directory = visit->session->results,
		.removes_header = true,
	};
	struct at_evaluation refused;
	struct at_journal *journal;
	enum at_status status = AT_OK;

	at_journal_new(&self->visit, false, &journal);

	status = at_journal_refuse(journal, self->best.evaluation_id, winner->outcome,
		winner->detail, &refused, err);
	at_journal_free(journal);
	if (status)
		return status;
	at_evaluation_release(&refused);
	status = at_store_withdraw(visit->store, &self->best, winner->detail, err);
	if (!status)
		status = at_result_write(visit->store, &results, visit->whole_spec,
			visit->device_id, NULL, err);
	return status;
}

/* ---- the end ------------------------------------------------------------------- */

/* Ends the revisit. err is copied; NULL: no error. */
static void end(struct revisit *self, const struct at_error *err)
{
	if (at_visit_end(&self->visit, err))
		at_verification_phase_end(&self->verification);
}

/* Ends a revisit without a measurement; text: the reason. */
static void end_unmeasured(struct revisit *self, const char *text)
{
	struct at_event event = {
		.kind = AT_EVENT_REVISIT,
		.text = text,
		.best = self->best.space ? &self->best : NULL,
	};

	at_visit_emit(&self->visit, &event);
	end(self, NULL);
}

/* ---- recording the night --------------------------------------------------- */

/* Records the night, then reports it: a kill cannot lose what was reported. */
static void finish(struct revisit *self)
{
	const struct at_revisit *last = last_night(self);
	struct at_strbuf changes = { 0 };
	struct at_error err = { 0 };
	struct at_event event = {
		.kind = AT_EVENT_REVISIT,
		.revisit = &self->revisit,
		.judgement = self->revisit.outcome == AT_OUTCOME_OK ? &self->judgement
								    : NULL,
		.best = &self->best,
	};

	at_conditions_compare(
		last ? last->conditions : NULL, self->revisit.conditions, &changes);
	event.changes = at_strbuf_text(&changes);
	if (at_store_follow(self->visit.store, self->revisit.device_id,
		    self->revisit.space, self->revisit.problem, false,
		    &self->revisit.created_seconds, &err) ||
		at_store_put_revisit(self->visit.store, &self->revisit, &err)) {
		end(self, &err);
	} else {
		at_visit_emit(&self->visit, &event);
		end(self, NULL);
	}
	at_strbuf_release(&changes);
}

/* ---- a winner that is no longer correct ------------------------------------ */

/* Records that the winner failed, in its evaluation or in a look (final not NULL). */
static void refuse(struct revisit *self, const struct at_measure_result *final)
{
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	fill(self, final);

	self->revisit.verdict = AT_VERDICT_INCORRECT;
	status = record_refusal(self, &err);
	if (status)
		end(self, &err);
	else
		finish(self);
}

static void begin_look(struct revisit *self);

/* Outcomes that the machine may cause with a correct kernel. */
static bool may_be_the_machine(enum at_outcome outcome)
{
	return outcome == AT_OUTCOME_CRASHED || outcome == AT_OUTCOME_TIMED_OUT ||
	       outcome == AT_OUTCOME_LAUNCH_FAILED;
}

/* ---- cases ---------------------------------------------------------------------- */

static void verify(struct revisit *self);

static void verified(void *context, enum at_outcome outcome, const char *detail,
	const struct at_verification *verification, const struct at_error *problem)
{
	struct revisit *self = context;
	struct contestant *winner = &self->contestants[WINNER];
	struct at_error err = { 0 };

	if (problem) {
		end(self, problem);
	} else if (may_be_the_machine(outcome) && self->verification_count < 2) {
		verify(self);
	} else if (outcome != AT_OUTCOME_OK) {
		winner->outcome = outcome;
		snprintf(winner->detail, sizeof(winner->detail), "%s", detail);
		refuse(self, NULL);
	} else if (at_visit_has_same_source(&self->visit, &self->best) &&
		   record_verification(self, verification, &err)) {
		end(self, &err);
	} else {
		finish(self);
	}
}

/* Verifies the winner: on recorded counterexamples, on cases and checks that its
   verification left out, and on the cases that this night draws. The time is what the
   looks left, at least the share of cases. */
static void verify(struct revisit *self)
{
	struct at_visit *visit = &self->visit;
	const double least = at_budget_verify_share(&visit->budget);
	const double left = visit->budget.seconds -
			    at_budget_elapsed(&visit->budget, at_visit_now_ns(visit));
	const struct at_verification_phase_options phase = {
		.visit = visit,
		.configuration =
			at_visit_row(&self->visit, self->contestants[WINNER].index),
		.witness = visit->spec->has_defaults ? visit->spec->defaults : NULL,
		.shared_witness =
			visit->spec->has_defaults ? visit->spec->defaults : NULL,
		.seconds = left > least ? left : least,
		.check_seconds = left > least ? left : least,
		.before = at_visit_has_same_source(&self->visit, &self->best) &&
					  at_verification_from_json(
						  self->best.verification, &self->known)
				  ? &self->known
				  : NULL,
		.ended = verified,
		.context = self,
	};

	self->verification_count++;
	at_visit_emit_text(&self->visit, AT_EVENT_PHASE, "verifying the winner");
	at_verification_phase_begin(&self->verification, &phase);
}

/* ---- looks ---------------------------------------------------------------------- */

/* Judges the looks so far. Begins another if one is wanted and there is time; else the
   verdict stands. */
static void judge(struct revisit *self)
{
	const struct at_budget *budget = &self->visit.budget;
	const bool has_time = budget->seconds <= 0 ||
			      at_budget_elapsed(budget, at_visit_now_ns(&self->visit)) <
				      budget->seconds;
	struct at_strbuf why = { 0 };

	at_nights_judge(self->nights, self->night_count, self->looks, self->look_count,
		self->visit.session->margin, &self->judgement);
	if (self->judgement.wants_look && self->look_count < AT_NIGHTS_LOOKS_MAX &&
		has_time) {
		begin_look(self);
		return;
	}
	at_judgement_explain(&self->judgement, self->visit.objective, &why);
	free(self->revisit.detail);
	self->revisit.detail = why.length ? at_strbuf_detach(&why) : at_strdup("");
	at_strbuf_release(&why);
	self->revisit.verdict = self->judgement.verdict;
	self->revisit.change = self->judgement.change;
	verify(self);
}

/* Number of configurations in a look: the winner, then the baseline. After a look that
   lost the device the winner is alone, to show whether it was the cause. */
static size_t count_looked_at(const struct revisit *self)
{
	return self->contestants[BASELINE].task && !self->lost_count ? 2 : 1;
}

static void looked(void *context, const struct at_error *problem)
{
	struct revisit *self = context;
	const struct at_task *baseline = self->contestants[BASELINE].task;
	struct contestant *contestant = &self->contestants[WINNER];
	const struct at_measure_result *winner = &contestant->task->result;
	struct at_error err = { 0 };

	if (self->visit.is_over)
		return;
	if (problem) {
		end(self, problem);
		return;
	}
	if (winner->device_lost || winner->outcome == AT_OUTCOME_NONE) {
		/* may be chance: try once more */
		if (self->lost_count++ == 0) {
			begin_look(self);
			return;
		}
		at_fail(&err, AT_EDEVICE, NULL, 0,
			"%s was lost twice while winner and baseline of %s, %s were measured",
			self->visit.evaluator->info.device.id, self->visit.spec->name,
			self->visit.problem->name);
		end(self, &err);
		return;
	}
	if (winner->energy_refused) {
		at_fail(&err, AT_EUNAVAILABLE, NULL, 0, "%s", winner->detail);
		end(self, &err);
		return;
	}
	contestant->outcome = winner->outcome;
	if (winner->outcome != AT_OUTCOME_OK) {
		snprintf(contestant->detail, sizeof(contestant->detail), "%s",
			winner->detail);
		refuse(self, winner);
		return;
	}
	self->look_count++;
	fill(self, winner);
	fill_scores(self, winner, count_looked_at(self) > 1 ? &baseline->result : NULL);
	self->looks[self->look_count - 1] =
		at_night_of_revisit(&self->revisit, last_night(self));
	judge(self);
}

/* Begins a look: finals of winner and baseline, in another order each time. */
static void begin_look(struct revisit *self)
{
	struct at_evaluator *evaluator = self->visit.evaluator;
	struct at_task *const tasks[] = { self->contestants[WINNER].task,
		self->contestants[BASELINE].task };
	struct at_measure_finals how = at_finals_first(LOOK_SECONDS_MAX,
		self->visit.session->seed + self->look_count + self->lost_count);
	struct at_error err = { 0 };
	double share = self->visit.budget.seconds / AT_NIGHTS_LOOKS_MAX;

	if (share > 0 && share < how.seconds)
		how.seconds = share;
	if (self->visit.objective->needs_energy)
		how.energy_seconds = AT_ENERGY_SECONDS;
	at_visit_emit_text(&self->visit, AT_EVENT_PHASE, "measuring again");
	if (evaluator->ops->finals(
		    evaluator, tasks, count_looked_at(self), &how, looked, self, &err))
		end(self, &err);
}

/* ---- the evaluations ------------------------------------------------------------ */

static void evaluate_next(struct revisit *self);

static void evaluated(struct at_task *task, const struct at_error *problem)
{
	struct revisit *self = task->context;
	struct contestant *contestant = &self->contestants[self->next];
	char text[640];

	if (self->visit.is_over)
		return;
	if (problem) {
		end(self, problem);
		return;
	}
	contestant->outcome = task->outcome;
	snprintf(contestant->detail, sizeof(contestant->detail), "%s",
		task->outcome == AT_OUTCOME_OK ? "" : task->detail);
	if (task->outcome == AT_OUTCOME_NONE ||
		(contestant->attempts < 2 && may_be_the_machine(task->outcome))) {
		evaluate_next(self);
		return;
	}
	self->visit.progress.evaluated++;
	self->visit.progress.by_outcome[task->outcome]++;
	if (task->outcome == AT_OUTCOME_OK) {
		/* the finals measure the plan that was evaluated */
		at_task_keep(task);
		contestant->task = task;
	} else if (self->next == BASELINE) {
		/* the night continues with the winner alone */
		snprintf(text, sizeof(text),
			"the baseline was not measured, because it is %s%s%s; all figures are of the winner alone",
			at_outcome_name(contestant->outcome),
			contestant->detail[0] ? ": " : "", contestant->detail);
		at_visit_emit_text(&self->visit, AT_EVENT_NOTE, text);
	}
	if (self->next == WINNER) {
		if (task->outcome == AT_OUTCOME_OK)
			begin_look(self);
		else
			refuse(self, NULL);
		return;
	}
	self->next = WINNER;
	evaluate_next(self);
}

static void evaluate_next(struct revisit *self)
{
	struct contestant *contestant = &self->contestants[self->next];
	struct at_error err = { 0 };

	contestant->attempts++;
	if (at_visit_measure(&self->visit, contestant->index, self->next == BASELINE,
		    evaluated, self, &err))
		end(self, &err);
}

/* ---- the beginning -------------------------------------------------------------- */

static void begin(struct at_visit *visit)
{
	struct revisit *self = (struct revisit *)visit;
	struct contestant *winner = &self->contestants[WINNER];
	struct contestant *baseline = &self->contestants[BASELINE];
	struct at_error err = { 0 };

	at_visit_emit_text(visit, AT_EVENT_BEGIN, NULL);
	if (at_visit_find_winner(
		    visit, &self->best, &self->configuration, &winner->index, &err)) {
		end(self, &err);
		return;
	}
	if (!self->best.space) {
		end_unmeasured(self, "no winner is recorded yet");
		return;
	}
	if (self->best.is_unverified) {
		end_unmeasured(self, "the recorded winner is not verified");
		return;
	}
	if (winner->index == AT_NO_CONFIGURATION) {
		end_unmeasured(
			self, "the recorded winner is not in the space any more");
		return;
	}
	if (read_history(self, &err)) {
		end(self, &err);
		return;
	}
	baseline->index = at_visit_baseline(visit);
	self->next = baseline->index == AT_NO_CONFIGURATION ||
				     baseline->index == winner->index
			     ? WINNER
			     : BASELINE;
	evaluate_next(self);
}

static enum at_status open_revisit(struct at_visit *visit, struct at_error *err)
{
	uint64_t evaluations;
	enum at_status status = at_visit_check_energy(visit, err);

	if (!status && visit->session->budget)
		status = at_budget_parse(visit->session->budget, &evaluations,
			&visit->budget.seconds, err);
	if (!status && visit->evaluator->ops->hurry)
		visit->evaluator->ops->hurry(
			visit->evaluator, at_budget_setup_seconds(&visit->budget));
	visit->progress.target_seconds = visit->budget.seconds;
	return status;
}

static void interrupt(struct at_visit *visit)
{
	end((struct revisit *)visit, NULL);
}

static void release(struct at_visit *visit)
{
	struct revisit *self = (struct revisit *)visit;

	for (int i = 0; i < WHO_COUNT; i++)
		at_task_free(self->contestants[i].task);
	at_revisit_release(&self->revisit);
	at_revisits_release(&self->history);
	free(self->nights);
	free(self->configuration);
	at_winner_release(&self->best);
}

const struct at_visit_kind at_revisit_kind = {
	.size = sizeof(struct revisit),
	.tells_progress = true,
	.open = open_revisit,
	.begin = begin,
	.interrupt = interrupt,
	.release = release,
};
