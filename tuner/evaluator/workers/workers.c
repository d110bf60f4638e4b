/* The evaluator itself: the finals, the pump that keeps boards busy, what is told from
   the loop and while time passes, the table of functions, and opening. */
#include "evaluator/workers/workers_parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/owner.h"
#include "base/text.h"
#include "evaluator/cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct workers *of(struct at_evaluator *base)
{
	return (struct workers *)base;
}

static const struct workers *of_const(const struct at_evaluator *base)
{
	return (const struct workers *)base;
}

/* ---- the finals: all contestants on one board, the lead board of that moment ---- */

/*
 * Launches of each contestant in the fewest finals: three blocks, each with proof,
 * warm-up and two rounds, in which a launch that warms the cache may precede each
 * sample, and half as many again, as rounds are repeated where the board was throttled.
 */
#define LEAST_LAUNCHES 27

static void release_finals(struct workers *self)
{
	/* nobody compiles or measures for them any more */
	for (size_t i = 0; i < self->finals.count; i++)
		workers_release_compiled(&self->finals.contestants[i].compiled);
	memset(&self->finals, 0, sizeof(self->finals));
}

static void drop_finals(struct workers *self)
{
	for (size_t i = 0; i < self->finals.count; i++)
		at_farm_forget(self->options.farm, &self->finals.contestants[i]);
	release_finals(self);
}

static void contestant_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct contestant *contestant = context;
	struct workers *self = contestant->owner;
	struct at_error err = { 0 };

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		at_fail(&err, AT_EINVAL, self->options.spec->path, 0,
			"a configuration that compiled before does not compile now: %.200s",
			result->log ? result->log : "");
		workers_fail(self, &err);
		return;
	}
	workers_take_compiled(self, &self->workloads[0], contestant->planned, path,
		result, &contestant->compiled);
	self->finals.compiled++;
	self->pump(self);
}

/* Asks the farm for the units of all contestants, which the cache usually has. */
static enum at_status want_contestants(struct workers *self, struct at_error *err)
{
	struct finals *finals = &self->finals;
	enum at_status status = AT_OK;

	finals->seat = NULL;
	finals->compiled = 0;
	for (size_t i = 0; i < finals->count && !status; i++) {
		struct contestant *contestant = &finals->contestants[i];

		status = at_farm_want(self->options.farm, &contestant->planned->compile,
			contestant->planned->unit, true, contestant_compiled,
			contestant, err);
	}
	return status;
}

static void finals_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	struct workers *self = context;
	struct at_final finals[AT_FINALISTS_MAX] = { 0 };
	at_finals_answered answered = self->finals.answered;
	void *answered_context = self->finals.context;
	struct seat *seat = self->finals.seat;
	struct at_error problem = { 0 };

	if (self->failed)
		return;
	if (err && workers_is_boards_fault(err) && workers_seats_left(self) > 1) {
		workers_leave_out(self, seat, err->text);
		self->pump(self);
		return;
	}
	if (err && err->status == AT_ENOENT && !self->finals.was_compiled_again) {
		self->finals.was_compiled_again = true;
		if (workers_want_lost_setup_units(
			    self, &self->workloads[0], &problem) ||
			want_contestants(self, &problem))
			workers_fail(self, &problem);
		return;
	}
	if (err) {
		workers_fail(self, err);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		finals[i].facts = self->finals.contestants[i].compiled.facts;
		finals[i].result = results[i];
		memset(&results[i], 0, sizeof(results[i]));
	}
	release_finals(self);
	answered(answered_context, finals, count, NULL);
	for (size_t i = 0; i < count; i++)
		at_measure_result_release(&finals[i].result);
	self->pump(self);
}

/* Whether all are compiled, the setup is complete, and no evaluation is out. */
static bool finals_are_due(const struct workers *self)
{
	const struct finals *finals = &self->finals;

	return finals->answered && !finals->seat && finals->compiled == finals->count &&
	       self->workloads[0].is_set_up && !self->trials && !self->failed;
}

/* Whether measuring may begin. On a device that shares cores with the compilers these
   must be held, and those that ran before must have ended. */
static bool has_cores(const struct workers *self)
{
	return !self->base.info.device.shares_cores ||
	       (self->holding &&
		       !at_compilers_running(at_farm_compilers(self->options.farm)));
}

static void send_finals(struct workers *self)
{
	struct finals *finals = &self->finals;
	struct at_measure_request requests[AT_FINALISTS_MAX];
	const char *units[AT_FINALISTS_MAX];
	struct seat *seat = workers_lead_seat(self);

	if (!finals_are_due(self) || !has_cores(self) || at_board_queued(seat->board))
		return;
	finals->seat = seat;
	for (size_t i = 0; i < finals->count; i++) {
		requests[i] = finals->contestants[i].compiled.request;
		requests[i].baseline_error = self->baseline_error;
		units[i] = finals->contestants[i].compiled.unit;
	}
	/* `seconds` is for the rounds, if these are short. The deadlines are for
	   loading and proving all contestants. */
	at_board_finals(seat->board, &self->workloads[0].setup, units, requests,
		finals->count, &finals->how,
		finals->how.seconds + 4 * workers_most_seconds(self) +
			LEAST_LAUNCHES * finals->how.launch_seconds,
		finals_measured, self);
}

/* ---- the pump ---- */

/*
 * On a device that shares its cores with the compilers, the two take turns: a batch is
 * compiled, then measured while no compiler runs. Compilers are not held before the
 * setup is complete, since its units must be compiled too, nor before the trial that
 * must be measured first is ready.
 */
static void take_turns(struct workers *self)
{
	struct at_compilers *compilers = at_farm_compilers(self->options.farm);
	bool is_measuring = false, is_compiling = false, hold;
	bool hold_for_recovery = false;

	if (!self->base.info.device.shares_cores) {
		/* a board that tries something again needs the machine for itself */
		for (size_t i = 0; i < self->seat_count; i++)
			hold_for_recovery = hold_for_recovery ||
					    at_board_recovers(self->seats[i].board);
		if (hold_for_recovery != self->holding) {
			self->holding = hold_for_recovery;
			at_compilers_hold(compilers, hold_for_recovery);
		}
		return;
	}
	for (size_t i = 0; i < self->seat_count; i++)
		is_measuring =
			is_measuring || at_board_queued(self->seats[i].board) > 0;
	/* only this evaluator's trials: others that share the compilers may never be
	   done */
	for (const struct trial *trial = self->trials; trial; trial = trial->next)
		is_compiling = is_compiling || trial->stage == STAGE_COMPILING;
	hold = is_measuring || finals_are_due(self) ||
	       (self->ready_first && self->ready_first->workload->is_set_up &&
		       (!self->first || self->ready_first == self->first) &&
		       (self->holding || !is_compiling));
	if (hold != self->holding) {
		self->holding = hold;
		at_compilers_hold(compilers, hold);
	}
}

/* For at_board_be_alone(): holds the compilers, and tells whether all have stopped. */
static bool is_alone(void *context)
{
	struct workers *self = context;

	take_turns(self);
	return !at_compilers_running(at_farm_compilers(self->options.farm));
}

static bool may_send(const struct workers *self)
{
	const struct trial *next = self->ready_first;

	if (!next || self->failed || !next->workload->is_set_up)
		return false;
	if (self->first && next != self->first)
		return false;
	return has_cores(self);
}

/* Takes the first ready trial that has to be measured and may be measured on this
   board; NULL: none. */
static struct trial *next_for(struct workers *self, const struct seat *seat)
{
	while (may_send(self)) {
		struct trial *trial;

		/* proofs are made by the lead board, which has their buffers already */
		if (self->ready_first->proved && seat != workers_lead_seat(self))
			return NULL;
		trial = workers_pop_ready(self);
		if (workers_is_to_be_measured(self, trial))
			return trial;
	}
	return NULL;
}

/* Asks for the units of the trials that waited until the first was measured. */
static void end_holding_back(struct workers *self)
{
	struct at_error err = { 0 };

	for (struct trial *trial = self->trials; trial && !self->failed;
		trial = trial->next) {
		if (!trial->is_held_back || trial->stage != STAGE_NONE)
			continue;
		trial->is_held_back = false;
		if (workers_want_trial(trial, &err))
			workers_fail(self, &err);
	}
}

static void pump(struct workers *self)
{
	const char *note = at_farm_note(self->options.farm);
	struct at_error err = { 0 };
	char text[1200];

	if (note[0]) {
		snprintf(text, sizeof(text),
			"compiled kernels are not kept for the next run: %s", note);
		workers_tell(self, AT_NOTICE_NOTE, text);
	}
	for (size_t i = 0; i < self->seat_count; i++) {
		note = at_board_note(self->seats[i].board);
		if (note[0])
			workers_tell(self, AT_NOTICE_NOTE, note);
	}
	for (size_t i = 0; i < self->workload_count && !self->failed; i++)
		if (self->workloads[i].is_needed &&
			workers_set_up(self, &self->workloads[i], &err))
			workers_fail(self, &err);
	if (!self->first)
		end_holding_back(self);
	take_turns(self);
	/* one trial for each board in turn, so that the last few are spread over the
	   boards */
	for (size_t depth = 0; depth < AT_BOARD_DEPTH; depth++)
		for (size_t i = 0; i < self->seat_count && may_send(self); i++) {
			struct seat *seat = &self->seats[i];
			struct trial *trial;

			if (seat->is_left_out || at_board_queued(seat->board) > depth ||
				!workers_agrees(self, seat))
				continue;
			trial = next_for(self, seat);
			if (trial)
				workers_send_trial(self, seat, trial);
		}
	if (!self->failed)
		send_finals(self);
	take_turns(self);
}

/* ---- answers that are due ---- */

/* Tells the outcome of a proof; of a failure on a case also the case. */
static void tell_proof(const struct workers *self, struct trial *trial)
{
	const struct workload *workload = trial->shrinking && trial->shrinking->smallest
						  ? trial->shrinking->smallest
						  : trial->workload;
	const struct at_case_data data = { workload->plan.contents, workload->plan.seed,
		workload->plan.is_scaled };
	char *instance = NULL;
	struct at_proof_answer proof = {
		.outcome = trial->outcome,
		.detail = trial->detail,
		.error = trial->result.max_relative_error,
		.proved = trial->result.proved,
		.is_unfit = trial->workload->is_unfit &&
			    trial->outcome == AT_OUTCOME_NOT_APPLICABLE,
		.reference_fails = trial->workload->reference_fails,
	};
	struct at_strbuf line = { 0 };

	if (trial->outcome != AT_OUTCOME_OK &&
		trial->outcome != AT_OUTCOME_NOT_APPLICABLE &&
		trial->outcome != AT_OUTCOME_NONE &&
		(workload->from || workload->is_shrunk)) {
		at_case_write(workload->plan.problem, &line);
		proof.line = line.data;
		proof.instance = instance = at_case_instance(self->options.spec,
			workload->plan.problem, self->options.problem, &data);
	}
	trial->proved(trial->context, &proof, NULL);
	free(instance);
	at_strbuf_release(&line);
}

void workers_answer(struct workers *self, struct trial *trial)
{
	struct at_answer answer = {
		.planned = trial->planned,
		.outcome = trial->outcome,
		.detail = trial->detail,
		.log = trial->compiled.log ? trial->compiled.log : "",
		.facts = trial->compiled.facts,
		.result = trial->is_measured ? &trial->result : NULL,
		.image = trial->image,
		.is_copy = trial->is_copy,
		.board = trial->seat ? trial->seat->info->uuid : "",
	};

	if (trial->proved && workers_asks_baseline(self, trial))
		return;
	if (trial->proved && workers_shrinks(self, trial))
		return;
	workers_unlink_trial(self, trial);
	self->has_answered = true;
	if (trial->proved) {
		tell_proof(self, trial);
	} else {
		trial->answered(trial->context, &answer, NULL);
		trial->planned = answer.planned;
	}
	/* The caller may have kept planned; without it the trial cannot be the
	   yardstick any more. */
	if (trial == self->yardstick && !trial->planned)
		self->yardstick = NULL;
	if (trial != self->yardstick)
		workers_free_trial(trial);
}

/*
 * Whether the units of the setup are compiled. If the reference does not compile, the
 * user must be told that, and not the outcome of configurations, which were compiled
 * beside it.
 */
static bool parts_are_known(const struct workers *self, const struct workload *workload)
{
	return self->support.path &&
	       (workload->reference.path ||
		       self->options.spec->reference.kind != AT_REFERENCE_KERNEL);
}

static void tell_due(void *context)
{
	struct workers *self = context;
	struct trial *trial = self->trials;

	self->is_telling_later = false;
	while (trial && !self->failed) {
		if (trial->stage != STAGE_TOLD) {
			trial = trial->next;
			continue;
		}
		/* an outcome without a measurement waits until the setup's units are
		   known to compile */
		if (trial->outcome != AT_OUTCOME_NONE && !trial->is_measured &&
			trial->planned->outcome == AT_OUTCOME_OK &&
			!parts_are_known(self, trial->workload)) {
			trial = trial->next;
			continue;
		}
		/* the callback may begin others, stop everything or end the search:
		   start again */
		workers_answer(self, trial);
		trial = self->trials;
	}
	self->pump(self);
}

/* ---- while time passes ---- */

/* Two runs on one board take turns evaluation by evaluation; a longer wait is told. */
#define WAIT_SHOWN_NS UINT64_C(1000000000)
#define MINUTE_NS UINT64_C(60000000000)

/* What is done ahead of the first answer, which may take a minute: a person should not
   think that nothing happens. */
static const char *find_step(const struct workers *self)
{
	const struct setup_unit *reference = &self->workloads[0].reference;
	struct at_evaluator_load load;

	if (self->has_answered)
		return "";
	if (reference->is_wanted && !reference->path)
		return "compiling the reference";
	self->base.ops->load(&self->base, &load);
	if (load.measuring)
		return "running the reference and the first configuration";
	return load.compiling || load.waiting ? "compiling the first configurations"
					      : "starting";
}

static void tell_step(struct workers *self)
{
	const char *step = find_step(self);

	if (self->step && !strcmp(step, self->step))
		return;
	self->step = step;
	workers_tell(self, AT_NOTICE_STEP, step);
}

/* Tells when the machine fails and when it is well again, for a person who looks on or
   reads the log of a night. */
static void tell_trouble(struct workers *self)
{
	char text[sizeof(self->trouble)];

	at_compilers_trouble(at_farm_compilers(self->options.farm), text, sizeof(text));
	for (size_t i = 0; i < self->seat_count && !text[0]; i++)
		at_board_trouble(self->seats[i].board, text, sizeof(text));
	if (!strcmp(text, self->trouble))
		return;
	snprintf(self->trouble, sizeof(self->trouble), "%s", text);
	workers_tell(self, AT_NOTICE_NOTE, text[0] ? text : "goes on");
}

/* "waiting for another autotune on cuda:0, pid 1234 of alice, for 3 min" */
static void describe_waiting(const struct seat *seat, char *text, size_t size)
{
	uint64_t minutes = at_board_waiting_ns(seat->board) / MINUTE_NS;
	char owner[64], since[32] = "";

	at_process_describe(at_board_waits_for(seat->board), owner, sizeof(owner));
	if (minutes)
		snprintf(since, sizeof(since), ", for %" PRIu64 " min", minutes);
	snprintf(text, size, "waiting for another autotune on %s%s%s%s", seat->info->id,
		owner[0] ? ", " : "", owner, since);
}

/* The wait for another program has reached its limit: go on with the other boards, or
   fail. */
static void give_up_waiting(struct workers *self, struct seat *seat)
{
	struct at_error err = { 0 };
	char owner[64], limit[32];

	at_process_describe(at_board_waits_for(seat->board), owner, sizeof(owner));
	at_text_duration(self->options.wait_seconds * 1e9, limit, sizeof(limit));
	at_fail(&err, AT_EUNAVAILABLE, NULL, 0,
		"device %s: %s has had it for %s, longer than --wait: end that, or wait longer",
		seat->info->id, owner[0] ? owner : "another program", limit);
	if (workers_seats_left(self) > 1)
		workers_leave_out(self, seat, err.text);
	else
		workers_fail(self, &err);
}

static void tick(struct at_evaluator *base)
{
	struct workers *self = (struct workers *)base;
	double most = self->options.wait_seconds;
	char text[256] = "";

	for (size_t i = 0; i < self->seat_count && !self->failed; i++) {
		struct seat *seat = &self->seats[i];
		uint64_t waiting_ns = at_board_waiting_ns(seat->board);

		if (!seat->is_left_out && most > 0 && (double)waiting_ns * 1e-9 >= most)
			give_up_waiting(self, seat);
		else if (waiting_ns >= WAIT_SHOWN_NS)
			describe_waiting(seat, text, sizeof(text));
	}
	if (strcmp(text, self->state) != 0) {
		snprintf(self->state, sizeof(self->state), "%s", text);
		workers_tell(self, AT_NOTICE_STATE, text);
	}
	tell_step(self);
	tell_trouble(self);
	tell_due(self);
	workers_tick_checks(self);
	workers_tick_coverage(self);
}

/* ---- the table ---- */

static enum at_status workers_plan(struct at_evaluator *base,
	const uint16_t *configuration, struct at_planned **out, struct at_error *err)
{
	struct workers *self = of(base);

	return at_planned_new(&self->workloads[0].plan, configuration, out, err);
}

static enum at_status workers_begin(struct at_evaluator *base,
	struct at_planned *planned, const struct at_trial_options *options,
	at_answered answered, void *context, struct at_error *err)
{
	struct workers *self = of(base);
	const struct trial facts = {
		.options = *options,
		.answered = answered,
		.context = context,
	};

	return workers_add_trial(self, &self->workloads[0], planned, &facts, err);
}

static void workers_race(struct at_evaluator *base, double incumbent_ns)
{
	of(base)->incumbent_ns = incumbent_ns;
}

static void workers_judge_by(struct at_evaluator *base, double baseline_error)
{
	of(base)->baseline_error = baseline_error;
}

/* Only for the tuned problem: setups for proofs keep their usual deadline. */
static void workers_hurry(struct at_evaluator *base, double seconds)
{
	of(base)->workloads[0].setup.budget_seconds = seconds;
}

static enum at_status workers_finals(struct at_evaluator *base,
	const struct at_planned *const *planned, size_t count,
	const struct at_measure_finals *how, at_finals_answered answered, void *context,
	struct at_error *err)
{
	struct workers *self = of(base);
	struct finals *finals = &self->finals;
	enum at_status status;

	if (self->failed)
		return workers_refuse(self, err);
	memset(finals, 0, sizeof(*finals));
	finals->how = *how;
	finals->count = count;
	finals->answered = answered;
	finals->context = context;
	for (size_t i = 0; i < count; i++) {
		finals->contestants[i].owner = self;
		finals->contestants[i].planned = planned[i];
	}
	status = workers_want_setup_units(self, &self->workloads[0], err);
	if (!status)
		status = want_contestants(self, err);
	if (status)
		drop_finals(self);
	return status;
}

static enum at_status workers_prove(struct at_evaluator *base,
	const uint16_t *configuration, size_t proof_case, at_proved proved,
	void *context, struct at_error *err)
{
	struct workers *self = of(base);
	struct workload *workload = &self->workloads[proof_case + 1];
	struct trial facts = { .proved = proved, .context = context };
	struct at_planned *planned;
	enum at_status status = AT_OK;

	workers_tell_default(self);
	status = at_planned_new(&workload->plan, configuration, &planned, err);
	if (status)
		return status;
	if (workers_is_default(workload))
		workers_add_second_opinion(self, configuration, &facts.second_opinion);
	else if (workers_is_of_domain(workload))
		workers_begin_shrinking(self, configuration, &facts.shrinking);
	if (workload->is_unfit) {
		planned->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(planned->detail, sizeof(planned->detail),
			"nothing promises it, and the baseline is not right on it");
	} else if (!at_plan_admits(&workload->plan, configuration)) {
		planned->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(planned->detail, sizeof(planned->detail), "%s",
			workload->plan.is_scaled
				? "the constraints exclude the configuration there, or it does not divide these sizes as it does the tuned ones"
				: "the constraints exclude the configuration there");
	}
	return workers_add_trial(self, workload, planned, &facts, err);
}

static const char *workers_case_name(const struct at_evaluator *base, size_t proof_case)
{
	return of_const(base)->workloads[proof_case + 1].plan.problem->name;
}

static uint32_t workers_case_id(const struct at_evaluator *base, size_t proof_case)
{
	return of_const(base)->workloads[proof_case + 1].id;
}

/* Forgets trials that are ready for a board, or wait for a result that they will
   copy. */
static void forget_waiting(struct workers *self)
{
	workers_forget_claims(self);
	self->ready_first = NULL;
	self->ready_last = &self->ready_first;
}

static void workers_cancel(struct at_evaluator *base)
{
	struct workers *self = of(base);

	for (struct trial *trial = self->trials; trial; trial = trial->next) {
		if (trial->stage == STAGE_AT_BOARD || trial->stage == STAGE_TOLD)
			continue;
		if (trial->stage == STAGE_COMPILING)
			at_farm_forget(self->options.farm, trial);
		workers_decide(self, trial, AT_OUTCOME_NONE, "");
	}
	forget_waiting(self);
}

static void workers_stop(struct at_evaluator *base)
{
	struct workers *self = of(base);

	for (size_t i = 0; i < self->seat_count; i++) {
		at_board_cancel(self->seats[i].board);
		self->seats[i].is_compared = false;
	}
	while (self->trials) {
		struct trial *trial = self->trials;

		at_farm_forget(self->options.farm, trial);
		workers_unlink_trial(self, trial);
		workers_free_trial(trial);
	}
	drop_finals(self);
	workers_drop_checks(&self->base);
	forget_waiting(self);
	if (self->holding)
		at_compilers_hold(at_farm_compilers(self->options.farm), false);
	self->holding = false;
}

static size_t workers_capacity(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	size_t jobs = at_compilers_jobs(at_farm_compilers(self->options.farm));

	/* one in work and one to follow, for each compiler and for each board */
	return 2 * jobs + AT_BOARD_DEPTH * workers_seats_left(self);
}

static void workers_load(const struct at_evaluator *base, struct at_evaluator_load *out)
{
	const struct workers *self = of_const(base);

	*out = (struct at_evaluator_load){ 0 };
	for (const struct trial *trial = self->trials; trial; trial = trial->next) {
		out->compiling += trial->stage == STAGE_COMPILING;
		out->waiting +=
			trial->stage == STAGE_READY || trial->stage == STAGE_WAITING;
		out->measuring += trial->stage == STAGE_AT_BOARD;
	}
	for (size_t i = 0; i < self->seat_count; i++) {
		double seconds = at_board_setup_seconds(self->seats[i].board);

		if (seconds > out->setup_seconds)
			out->setup_seconds = seconds;
	}
}

/* The clock, less the time in which none of the boards could work since other programs
   had them. */
static uint64_t workers_now_ns(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	uint64_t least_ns = UINT64_MAX;

	for (size_t i = 0; i < self->seat_count; i++) {
		const struct seat *seat = &self->seats[i];
		uint64_t waited_ns =
			at_board_waited_ns(seat->board) - seat->waited_before_ns;

		if (!seat->is_left_out && waited_ns < least_ns)
			least_ns = waited_ns;
	}
	return at_clock_now_ns() - (least_ns == UINT64_MAX ? 0 : least_ns);
}

static void workers_later(
	struct at_evaluator *base, void (*call)(void *), void *context)
{
	at_loop_later(of(base)->options.loop, call, context);
}

static void workers_close(struct at_evaluator *base)
{
	struct workers *self = of(base);

	workers_stop(base);
	for (size_t i = 0; i < self->seat_count; i++)
		at_board_be_alone(self->seats[i].board, NULL, NULL);
	workers_close_checks(self);
	at_loop_forget(self->options.loop, self);
	at_farm_forget(self->options.farm, self);
	for (size_t i = 0; i < self->workload_count; i++) {
		struct workload *workload = &self->workloads[i];

		at_farm_forget(self->options.farm, workload);
		workers_release_setup_unit(&workload->reference);
		workers_release_setup_unit(&workload->wide);
		at_strbuf_release(&workload->setup.body);
		at_plan_release(&workload->plan);
	}
	at_cases_free(self->cases, self->case_count);
	for (size_t i = 0; i < self->value_count; i++) {
		at_case_release(&self->values[i].problem);
		free(self->values[i].promise);
	}
	free(self->coverage);
	for (size_t i = 0; i < self->shrunk_count; i++)
		at_case_release(&self->shrunk[i]);
	workers_release_setup_unit(&self->support);
	if (self->yardstick)
		workers_free_trial(self->yardstick);
	workers_release_images(self);
	free(self->workloads);
	free(self->symbols_found);
	free(self);
}

static const struct at_evaluator_ops workers_ops = {
	.close = workers_close,
	.plan = workers_plan,
	.begin = workers_begin,
	.race = workers_race,
	.judge_by = workers_judge_by,
	.hurry = workers_hurry,
	.finals = workers_finals,
	.prove = workers_prove,
	.check = workers_check,
	.drop_checks = workers_drop_checks,
	.cover = workers_cover,
	.case_name = workers_case_name,
	.case_id = workers_case_id,
	.cancel = workers_cancel,
	.stop = workers_stop,
	.capacity = workers_capacity,
	.load = workers_load,
	.now_ns = workers_now_ns,
	.later = workers_later,
	.tick = tick,
};

/* ---- opening ---- */

enum at_status at_workers_open(const struct at_workers_options *options,
	struct at_evaluator **out, struct at_error *err)
{
	struct workers *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->base.ops = &workers_ops;
	self->pump = pump;
	self->tell_due = tell_due;
	self->open = at_workers_open;
	self->options = *options;
	self->ready_last = &self->ready_first;
	self->base.info.device = options->infos[0];
	snprintf(self->base.info.toolchain, sizeof(self->base.info.toolchain), "%s",
		options->toolchain);
	self->seat_count = options->board_count < AT_BOARDS_MAX ? options->board_count
								: AT_BOARDS_MAX;
	for (size_t i = 0; i < self->seat_count; i++)
		self->seats[i] = (struct seat){
			.owner = self,
			.board = options->boards[i],
			.info = &options->infos[i],
			.waited_before_ns = at_board_waited_ns(options->boards[i]),
		};
	for (size_t i = 0; i < self->seat_count; i++)
		at_board_be_alone(self->seats[i].board, is_alone, self);
	at_compilers_be_patient(at_farm_compilers(options->farm));
	self->symbols_found = at_calloc(
		options->spec->argument_count + 1, sizeof(*self->symbols_found));
	status = workers_add_workloads(self, err);
	if (!status)
		status = workers_identify_source(self, err);
	if (status) {
		workers_close(&self->base);
		return status;
	}
	self->options.counterexamples = NULL;
	*out = &self->base;
	return AT_OK;
}
