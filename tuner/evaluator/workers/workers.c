/* The evaluator itself: the finals, the pump that keeps boards busy, what is reported
   from the loop and while time passes, the table of functions, and opening. */
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
 * Launches of each contestant in the fewest finals: three blocks, each with
 * verification, warm-up and two rounds, in which a launch that warms the cache may
 * precede each sample, and half as many again, as rounds are repeated where the board
 * was throttled.
 */
#define LEAST_LAUNCHES 27

/* Forgets the finals: nothing compiles or measures for them any more. */
static void drop_finals(struct workers *self)
{
	for (size_t i = 0; i < self->finals.count; i++) {
		at_compile_queue_forget(
			self->options.compile_queue, self->finals.tasks[i]);
		at_task_free(&self->finals.tasks[i]->base);
	}
	memset(&self->finals, 0, sizeof(self->finals));
}

static void finalist_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct task *task = context;
	struct workers *self = task->owner;
	struct at_error err = { 0 };

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		at_fail(&err, AT_EINVAL, self->options.spec->path, 0,
			"a configuration %s: %.200s",
			self->finals.how.counts
				? "does not compile"
				: "that compiled before does not compile now",
			result->log ? result->log : "");
		workers_fail(self, &err);
		return;
	}
	workers_take_compiled(task, path, result);
	self->finals.compiled++;
	self->pump(self);
}

/* Asks the farm for the units of all finalists, which the cache usually has. */
static enum at_status want_finalists(struct workers *self, struct at_error *err)
{
	struct finals *finals = &self->finals;
	enum at_status status = AT_OK;

	finals->slot = NULL;
	finals->compiled = 0;
	for (size_t i = 0; i < finals->count && !status; i++) {
		struct task *task = finals->tasks[i];

		status = at_compile_queue_want(self->options.compile_queue,
			&task->base.plan.compile, task->base.plan.unit, true,
			finalist_compiled, task, err);
	}
	return status;
}

static void finals_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	struct workers *self = context;
	at_finals_answered answered = self->finals.answered;
	void *answered_context = self->finals.context;
	struct slot *slot = self->finals.slot;
	struct at_error problem = { 0 };

	if (self->failed)
		return;
	if (err && workers_is_boards_fault(err) && workers_slots_left(self) > 1) {
		workers_leave_out(self, slot, err->text);
		self->pump(self);
		return;
	}
	if (err && err->status == AT_ENOENT && !self->finals.was_compiled_again) {
		self->finals.was_compiled_again = true;
		if (workers_want_lost_setup_units(
			    self, &self->workloads[0], &problem) ||
			want_finalists(self, &problem))
			workers_fail(self, &problem);
		return;
	}
	if (err) {
		workers_fail(self, err);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct at_task *task = &self->finals.tasks[i]->base;

		at_measure_result_release(&task->result);
		task->result = results[i];
		memset(&results[i], 0, sizeof(results[i]));
	}
	drop_finals(self);
	answered(answered_context, NULL);
	self->pump(self);
}

/* Whether all are compiled, the setup is complete, and no evaluation is out. */
static bool finals_are_due(const struct workers *self)
{
	const struct finals *finals = &self->finals;

	return finals->answered && !finals->slot && finals->compiled == finals->count &&
	       self->workloads[0].is_set_up && !self->tasks && !self->failed;
}

/* Whether measuring may begin. On a device that shares cores with the compilers these
   must be held, and those that ran before must have ended. */
static bool has_cores(const struct workers *self)
{
	return !self->base.info.device.shares_cores ||
	       (self->holding && !at_compilers_running(at_compile_queue_compilers(
					 self->options.compile_queue)));
}

static void send_finals(struct workers *self)
{
	struct finals *finals = &self->finals;
	struct at_measure_request requests[AT_FINALISTS_MAX];
	const char *units[AT_FINALISTS_MAX];
	struct slot *slot = workers_lead_slot(self);

	if (!finals_are_due(self) || !has_cores(self) || at_board_queued(slot->board))
		return;
	finals->slot = slot;
	for (size_t i = 0; i < finals->count; i++) {
		requests[i] = finals->tasks[i]->base.plan.request;
		requests[i].baseline_error = self->baseline_error;
		units[i] = finals->tasks[i]->unit;
	}
	/* `seconds` is for the rounds, if these are short. The deadlines are for
	   loading and verifying all contestants. */
	at_board_measure(slot->board, &self->workloads[0].setup, &finals->how, units,
		requests, finals->count,
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
	struct at_compilers *compilers =
		at_compile_queue_compilers(self->options.compile_queue);
	bool is_measuring = false, is_compiling = false, hold;
	bool hold_for_recovery = false;

	if (!self->base.info.device.shares_cores) {
		/* a board that tries something again needs the machine for itself */
		for (size_t i = 0; i < self->slot_count; i++)
			hold_for_recovery = hold_for_recovery ||
					    at_board_recovers(self->slots[i].board);
		if (hold_for_recovery != self->holding) {
			self->holding = hold_for_recovery;
			at_compilers_hold(compilers, hold_for_recovery);
		}
		return;
	}
	for (size_t i = 0; i < self->slot_count; i++)
		is_measuring =
			is_measuring || at_board_queued(self->slots[i].board) > 0;
	/* only this evaluator's trials: others that share the compilers may never be
	   done */
	for (const struct task *task = self->tasks; task; task = task->next)
		is_compiling = is_compiling || task->stage == STAGE_COMPILING;
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
	return !at_compilers_running(
		at_compile_queue_compilers(self->options.compile_queue));
}

static bool may_send(const struct workers *self)
{
	const struct task *next = self->ready_first;

	if (!next || self->failed || !next->workload->is_set_up)
		return false;
	if (self->first && next != self->first)
		return false;
	return has_cores(self);
}

/* Takes the first ready trial that has to be measured and may be measured on this
   board; NULL: none. */
static struct task *next_for(struct workers *self, const struct slot *slot)
{
	while (may_send(self)) {
		struct task *task;

		/* verifications are made by the lead board, which has their buffers
		 * already */
		if (self->ready_first->verified && slot != workers_lead_slot(self))
			return NULL;
		task = workers_pop_ready(self);
		if (workers_is_to_be_measured(self, task))
			return task;
	}
	return NULL;
}

static void pump(struct workers *self)
{
	const char *note = at_compile_queue_note(self->options.compile_queue);
	struct at_error err = { 0 };
	char text[1200];

	if (note[0]) {
		snprintf(text, sizeof(text),
			"compiled kernels are not kept for the next run: %s", note);
		workers_tell(self, AT_NOTICE_NOTE, text);
	}
	for (size_t i = 0; i < self->slot_count; i++) {
		note = at_board_note(self->slots[i].board);
		if (note[0])
			workers_tell(self, AT_NOTICE_NOTE, note);
	}
	for (size_t i = 0; i < self->workload_count && !self->failed; i++)
		if (self->workloads[i].is_needed &&
			workers_set_up(self, &self->workloads[i], &err))
			workers_fail(self, &err);
	/* asks for the units of the tasks that waited until the first was measured */
	for (struct task *task = self->tasks; task && !self->first && !self->failed;
		task = task->next) {
		if (!task->is_held_back || task->stage != STAGE_NONE)
			continue;
		task->is_held_back = false;
		if (workers_want_task(task, &err))
			workers_fail(self, &err);
	}
	take_turns(self);
	/* one trial for each board in turn, so that the last few are spread over the
	   boards */
	for (size_t depth = 0; depth < AT_BOARD_DEPTH; depth++)
		for (size_t i = 0; i < self->slot_count && may_send(self); i++) {
			struct slot *slot = &self->slots[i];
			struct task *task;

			if (slot->is_left_out || at_board_queued(slot->board) > depth ||
				!workers_agrees(self, slot))
				continue;
			task = next_for(self, slot);
			if (task)
				workers_send_task(self, slot, task);
		}
	if (!self->failed)
		send_finals(self);
	take_turns(self);
}

/* ---- answers that are due ---- */

/* Tells the outcome of a verification; of a failure on a case also the case. */
static void tell_verification(const struct workers *self, struct task *task)
{
	const struct workload *workload = task->shrinking && task->shrinking->smallest
						  ? task->shrinking->smallest
						  : task->workload;
	const struct at_case_data data = { workload->plan.contents, workload->plan.seed,
		workload->plan.is_scaled };
	char *instance = NULL;
	struct at_verification_answer verification = {
		.outcome = task->base.outcome,
		.detail = task->base.detail,
		.error = task->base.result.max_relative_error,
		.verified = task->base.result.verified,
		.is_unfit = task->workload->is_unfit &&
			    task->base.outcome == AT_OUTCOME_NOT_APPLICABLE,
		.reference_fails = task->workload->reference_fails,
	};
	struct at_strbuf line = { 0 };

	if (task->base.outcome != AT_OUTCOME_OK &&
		task->base.outcome != AT_OUTCOME_NOT_APPLICABLE &&
		task->base.outcome != AT_OUTCOME_NONE && workload->from) {
		at_case_write(workload->plan.problem, &line);
		verification.line = line.data;
		verification.instance = instance = at_case_instance(self->options.spec,
			workload->plan.problem, self->options.problem, &data);
	}
	task->verified(task->base.context, &verification, NULL);
	free(instance);
	at_strbuf_release(&line);
}

void workers_answer(struct workers *self, struct task *task)
{
	if (task->verified && workers_asks_baseline(self, task))
		return;
	if (task->verified && workers_shrinks(self, task))
		return;
	workers_unlink_task(self, task);
	self->has_answered = true;
	if (task->slot)
		task->base.board = task->slot->info->uuid;
	if (task->verified)
		tell_verification(self, task);
	else
		task->base.answered(&task->base, NULL);
	at_task_free(&task->base);
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
	struct task *task = self->tasks;

	self->is_telling_later = false;
	while (task && !self->failed) {
		if (task->stage != STAGE_TOLD) {
			task = task->next;
			continue;
		}
		/* an outcome without a measurement waits until the setup's units are
		   known to compile */
		if (task->base.outcome != AT_OUTCOME_NONE && !task->base.is_measured &&
			task->base.plan.outcome == AT_OUTCOME_OK &&
			!parts_are_known(self, task->workload)) {
			task = task->next;
			continue;
		}
		/* the callback may begin others, stop everything or end the search:
		   start again */
		workers_answer(self, task);
		task = self->tasks;
	}
	self->pump(self);
}

/* ---- while time passes ---- */

/* Two runs on one board take turns by evaluation; a longer wait is reported. */
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

/* Tells when the machine fails and when it is well again, for a person who looks on or
   reads the log of a night. */
static void tell_trouble(struct workers *self)
{
	char text[sizeof(self->trouble)];

	at_compilers_trouble(at_compile_queue_compilers(self->options.compile_queue),
		text, sizeof(text));
	for (size_t i = 0; i < self->slot_count && !text[0]; i++)
		at_board_trouble(self->slots[i].board, text, sizeof(text));
	if (!strcmp(text, self->trouble))
		return;
	snprintf(self->trouble, sizeof(self->trouble), "%s", text);
	workers_tell(self, AT_NOTICE_NOTE, text[0] ? text : "goes on");
}

/* "waiting for another autotune on cuda:0, pid 1234 of alice, for 3 min" */
static void describe_waiting(const struct slot *slot, char *text, size_t size)
{
	uint64_t minutes = at_board_waiting_ns(slot->board) / MINUTE_NS;
	char owner[64], since[32] = "";

	at_process_describe(at_board_waits_for(slot->board), owner, sizeof(owner));
	if (minutes)
		snprintf(since, sizeof(since), ", for %" PRIu64 " min", minutes);
	snprintf(text, size, "waiting for another autotune on %s%s%s%s", slot->info->id,
		owner[0] ? ", " : "", owner, since);
}

/* The wait for another program has reached its limit: go on with the other boards, or
   fail. */
static void give_up_waiting(struct workers *self, struct slot *slot)
{
	struct at_error err = { 0 };
	char owner[64], limit[32];

	at_process_describe(at_board_waits_for(slot->board), owner, sizeof(owner));
	at_text_duration(self->options.wait_seconds * 1e9, limit, sizeof(limit));
	at_fail(&err, AT_EUNAVAILABLE, NULL, 0,
		"device %s: %s has had it for %s, longer than --wait: end that, or wait longer",
		slot->info->id, owner[0] ? owner : "another program", limit);
	if (workers_slots_left(self) > 1)
		workers_leave_out(self, slot, err.text);
	else
		workers_fail(self, &err);
}

/* Forgets trials that are ready for a board, or wait for a result that they will
   copy. */
static void forget_waiting(struct workers *self)
{
	workers_forget_claims(self);
	self->ready_first = NULL;
	self->ready_last = &self->ready_first;
}

/* Calls off what is at a board still, as a kernel that hangs. */
static void cut(struct workers *self)
{
	self->cut_ns = 0;
	for (struct task *task = self->tasks; task; task = task->next) {
		/* the time is the reference's until the case is set up; a kernel that
		   does not end meets its deadline */
		if (task->stage == STAGE_TOLD ||
			(task->verified && task->stage == STAGE_AT_BOARD &&
				task->workload->is_set_up))
			continue;
		if (task->stage == STAGE_AT_BOARD) {
			at_board_cancel(task->slot->board);
			task->slot->is_compared = false;
		} else if (task->stage == STAGE_COMPILING) {
			at_compile_queue_forget(self->options.compile_queue, task);
		}
		workers_decide(self, task, AT_OUTCOME_NONE, "");
	}
	forget_waiting(self);
	workers_forget_claims(self);
}

static void tick(struct at_evaluator *base)
{
	struct workers *self = (struct workers *)base;
	double most = self->options.wait_seconds;
	char text[256] = "";
	const char *step;

	for (size_t i = 0; i < self->slot_count && !self->failed; i++) {
		struct slot *slot = &self->slots[i];
		uint64_t waiting_ns = at_board_waiting_ns(slot->board);

		if (!slot->is_left_out && most > 0 && (double)waiting_ns * 1e-9 >= most)
			give_up_waiting(self, slot);
		else if (waiting_ns >= WAIT_SHOWN_NS)
			describe_waiting(slot, text, sizeof(text));
	}
	if (strcmp(text, self->state) != 0) {
		snprintf(self->state, sizeof(self->state), "%s", text);
		workers_tell(self, AT_NOTICE_STATE, text);
	}
	step = find_step(self);
	if (!self->step || strcmp(step, self->step) != 0) {
		self->step = step;
		workers_tell(self, AT_NOTICE_STEP, step);
	}
	if (self->cut_ns && base->ops->now_ns(base) >= self->cut_ns)
		cut(self);
	tell_trouble(self);
	tell_due(self);
	workers_tick_checks(self);
	workers_tick_coverage(self);
}

/* ---- the table ---- */

static enum at_status workers_plan(struct at_evaluator *base,
	const uint16_t *configuration, struct at_task **out, struct at_error *err)
{
	struct workload *tuned = &of(base)->workloads[0];
	struct task *task;
	enum at_status status =
		workers_new_task(tuned, &tuned->plan, configuration, &task, err);

	if (!status)
		*out = &task->base;
	return status;
}

static enum at_status workers_begin(
	struct at_evaluator *base, struct at_task *task, struct at_error *err)
{
	of(base)->cut_ns = 0;
	return workers_add_task(of(base), (struct task *)task, err);
}

static void workers_race(
	struct at_evaluator *base, double incumbent_ns, double longest_seconds)
{
	of(base)->incumbent_ns = incumbent_ns;
	of(base)->longest_seconds = longest_seconds;
}

static void workers_judge_by(struct at_evaluator *base, double baseline_error)
{
	of(base)->baseline_error = baseline_error;
}

/* Only for the tuned problem: setups for verifications keep their usual deadline. */
static void workers_hurry(struct at_evaluator *base, double seconds)
{
	of(base)->workloads[0].setup.budget_seconds = seconds;
}

static enum at_status workers_finals(struct at_evaluator *base,
	struct at_task *const *tasks, size_t count, const struct at_measure_finals *how,
	at_finals_answered answered, void *context, struct at_error *err)
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
		at_task_keep(tasks[i]);
		finals->tasks[i] = (struct task *)tasks[i];
	}
	status = workers_want_setup_units(self, &self->workloads[0], err);
	if (!status)
		status = want_finalists(self, err);
	if (status)
		drop_finals(self);
	return status;
}

static enum at_status workers_verify(struct at_evaluator *base,
	const uint16_t *configuration, size_t verification_case, at_verified verified,
	void *context, struct at_error *err)
{
	struct workers *self = of(base);
	struct workload *workload = &self->workloads[verification_case + 1];
	struct at_compiled_plan *plan;
	struct task *task;
	enum at_status status;

	self->cut_ns = 0;
	workers_tell_default(self);
	status = workers_new_task(workload, &workload->plan, configuration, &task, err);
	if (status)
		return status;
	task->verified = verified;
	task->base.context = context;
	plan = &task->base.plan;
	if (workload->from)
		workers_add_second_opinion(self, configuration, &task->second_opinion);
	if (workers_is_of_domain(workload))
		task->shrinking = at_calloc(1, sizeof(*task->shrinking));
	if (workload->is_unfit) {
		plan->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(plan->detail, sizeof(plan->detail),
			"nothing promises it, and the baseline is not right on it");
	} else if (!at_plan_admits(&workload->plan, configuration)) {
		plan->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(plan->detail, sizeof(plan->detail), "%s",
			workload->plan.is_scaled
				? "the constraints exclude the configuration there, or it does not divide these sizes as it does the tuned ones"
				: "the constraints exclude the configuration there");
	}
	status = workers_add_task(self, task, err);
	at_task_free(&task->base);
	return status;
}

static const char *workers_case_name(
	const struct at_evaluator *base, size_t verification_case)
{
	return of_const(base)->workloads[verification_case + 1].plan.problem->name;
}

static uint32_t workers_case_id(
	const struct at_evaluator *base, size_t verification_case)
{
	return of_const(base)->workloads[verification_case + 1].id;
}

static void workers_cancel(struct at_evaluator *base, double seconds)
{
	struct workers *self = of(base);

	self->cut_ns = base->ops->now_ns(base) + (uint64_t)(seconds * 1e9);
	for (struct task *task = self->tasks; task; task = task->next) {
		if (task->stage == STAGE_AT_BOARD || task->stage == STAGE_TOLD)
			continue;
		if (task->stage == STAGE_COMPILING)
			at_compile_queue_forget(self->options.compile_queue, task);
		workers_decide(self, task, AT_OUTCOME_NONE, "");
	}
	forget_waiting(self);
}

static void workers_drop_dear(struct at_evaluator *base)
{
	struct workers *self = of(base);
	struct at_compile_queue *queue = self->options.compile_queue;
	double seconds = at_compilers_dear_seconds(at_compile_queue_compilers(queue));
	char text[200], least[32];

	for (struct task *task = self->tasks; task && seconds > 0; task = task->next) {
		if (task->stage != STAGE_COMPILING || task == self->first ||
			at_compile_queue_seconds(queue, task) < seconds)
			continue;
		at_compile_queue_forget(queue, task);
		workers_decide(self, task, AT_OUTCOME_NONE, "");
		if (self->has_dropped_dear)
			continue;
		self->has_dropped_dear = true;
		at_text_duration(seconds * 1e9, least, sizeof(least));
		snprintf(text, sizeof(text),
			"configurations that take longer than %s to compile, ten times the median, are left out; a longer --budget waits for them",
			least);
		workers_tell(self, AT_NOTICE_NOTE, text);
	}
	self->pump(self);
}

static void workers_stop(struct at_evaluator *base)
{
	struct workers *self = of(base);

	for (size_t i = 0; i < self->slot_count; i++) {
		at_board_cancel(self->slots[i].board);
		self->slots[i].is_compared = false;
	}
	while (self->tasks) {
		struct task *task = self->tasks;

		at_compile_queue_forget(self->options.compile_queue, task);
		workers_unlink_task(self, task);
		at_task_free(&task->base);
	}
	drop_finals(self);
	workers_drop_checks(&self->base);
	forget_waiting(self);
	if (self->holding)
		at_compilers_hold(
			at_compile_queue_compilers(self->options.compile_queue), false);
	self->holding = false;
}

static size_t workers_capacity(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	size_t jobs = at_compilers_jobs(
		at_compile_queue_compilers(self->options.compile_queue));

	/* one in work and one to follow, for each compiler and for each board */
	return 2 * jobs + AT_BOARD_DEPTH * workers_slots_left(self);
}

static void workers_load(const struct at_evaluator *base, struct at_evaluator_load *out)
{
	const struct workers *self = of_const(base);

	*out = (struct at_evaluator_load){ 0 };
	for (const struct task *task = self->tasks; task; task = task->next) {
		out->compiling += task->stage == STAGE_COMPILING;
		out->waiting +=
			task->stage == STAGE_READY || task->stage == STAGE_WAITING;
		out->measuring += task->stage == STAGE_AT_BOARD;
	}
}

/* The clock, less the time in which none of the boards could work since other programs
   had them. */
static uint64_t workers_now_ns(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	uint64_t least_ns = UINT64_MAX;

	for (size_t i = 0; i < self->slot_count; i++) {
		const struct slot *slot = &self->slots[i];
		uint64_t waited_ns =
			at_board_waited_ns(slot->board) - slot->waited_before_ns;

		if (!slot->is_left_out && waited_ns < least_ns)
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
	for (size_t i = 0; i < self->slot_count; i++)
		at_board_be_alone(self->slots[i].board, NULL, NULL);
	workers_close_checks(self);
	at_loop_forget(self->options.loop, self);
	for (size_t i = 0; i < self->workload_count; i++) {
		struct workload *workload = &self->workloads[i];

		workers_release_setup_unit(&workload->reference);
		workers_release_setup_unit(&workload->wide);
		at_strbuf_release(&workload->setup.body);
		at_plan_release(&workload->plan);
	}
	at_cases_free(self->cases, self->case_count);
	free(self->coverage);
	for (size_t i = 0; i < self->added_count; i++)
		at_case_release(&self->added[i]);
	workers_release_setup_unit(&self->support);
	if (self->calibration)
		at_task_free(&self->calibration->base);
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
	.verify = workers_verify,
	.check = workers_check,
	.drop_checks = workers_drop_checks,
	.cover = workers_cover,
	.case_name = workers_case_name,
	.case_id = workers_case_id,
	.cancel = workers_cancel,
	.drop_dear = workers_drop_dear,
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
	self->slot_count = options->board_count < AT_BOARDS_MAX ? options->board_count
								: AT_BOARDS_MAX;
	for (size_t i = 0; i < self->slot_count; i++)
		self->slots[i] = (struct slot){
			.owner = self,
			.board = options->boards[i],
			.info = &options->infos[i],
			.waited_before_ns = at_board_waited_ns(options->boards[i]),
		};
	for (size_t i = 0; i < self->slot_count; i++)
		at_board_be_alone(self->slots[i].board, is_alone, self);
	at_compilers_be_patient(at_compile_queue_compilers(options->compile_queue));
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
