/* The search: ask, look up, compile, measure, record, tell. */
#include "session/tuning_parts.h"
#include "base/clock.h"
#include "record/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a tenth of a second and less */
#define ASKED_AT_ONCE 500

static void free_task(struct task *task)
{
	at_compile_result_release(&task->compiled);
	at_measure_request_release(&task->request);
	free(task);
}

static void unlink_task(struct at_tuning *self, struct task *task)
{
	struct task **link = &self->tasks;

	while (*link && *link != task)
		link = &(*link)->next;
	if (*link) {
		*link = task->next;
		self->task_count--;
	}
	if (task == self->baseline_task)
		self->baseline_task = NULL;
}

void tuning_drop_tasks(struct at_tuning *self)
{
	while (self->tasks) {
		struct task *task = self->tasks;

		at_compilers_forget(self->options.compilers, task);
		unlink_task(self, task);
		free_task(task);
	}
	self->ready_first = NULL;
	self->ready_last = &self->ready_first;
	self->measuring = NULL;
	self->progress.waiting = 0;
}

static bool is_baseline(const struct at_tuning *self, size_t index)
{
	const struct at_spec *spec = self->options.spec;

	return spec->has_defaults &&
	       !memcmp(tuning_row(self, index), spec->defaults,
		       spec->parameter_count * sizeof(*spec->defaults));
}

/* shares nothing with the original; false when memory ran out */
static bool copy_evaluation(const struct at_evaluation *from, struct at_evaluation *to)
{
	*to = *from;
	to->space = to->problem = to->problem_json = to->configuration = NULL;
	to->log = NULL;
	to->samples_ns = NULL;
	to->sample_count = 0;
	to->detail = at_strdup(from->detail ? from->detail : "");
	return to->detail != NULL;
}

void tuning_enter_podium(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused)
{
	struct contender entry = { index, { 0 }, reused };
	size_t place = self->podium_count;

	while (place > 0 &&
		evaluation->time_ns < self->podium[place - 1].evaluation.time_ns)
		place--;
	if (place == PODIUM_SIZE || !copy_evaluation(evaluation, &entry.evaluation))
		return;
	if (self->podium_count == PODIUM_SIZE)
		at_evaluation_release(&self->podium[--self->podium_count].evaluation);
	memmove(&self->podium[place + 1], &self->podium[place],
		(self->podium_count - place) * sizeof(entry));
	self->podium[place] = entry;
	self->podium_count++;
}

/* without memory for it the fallback is poorer, and nothing else */
static void remember_passed(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused)
{
	if (AT_RESERVE(
		    self->passed, self->passed_capacity, self->passed_count + 1, NULL))
		return;
	self->passed[self->passed_count++] = (struct passed){ index, evaluation->id,
		evaluation->time_ns, reused, false };
}

/* the outcome is in the record: now everybody may hear of it */
static void tell(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused)
{
	const uint16_t *row = tuning_row(self, index);
	bool ok = evaluation->outcome == AT_OUTCOME_OK;
	double best_ns =
		self->podium_count ? self->podium[0].evaluation.time_ns : INFINITY;

	self->progress.evaluated++;
	self->progress.reused += reused;
	self->progress.by_outcome[evaluation->outcome]++;
	self->strategy->kind->tell(
		self->strategy, index, ok ? evaluation->time_ns : INFINITY);
	if (ok) {
		remember_passed(self, index, evaluation, reused);
		tuning_enter_podium(self, index, evaluation, reused);
	}
	if (ok && is_baseline(self, index)) {
		at_evaluation_release(&self->baseline.evaluation);
		self->baseline.index = index;
		self->baseline.reused = reused;
		if (!copy_evaluation(evaluation, &self->baseline.evaluation))
			self->baseline.evaluation.id = 0;
	}
	tuning_emit(self, AT_EVENT_EVALUATION, NULL, row, evaluation, reused);
	if (ok && evaluation->time_ns < best_ns)
		tuning_emit(self, AT_EVENT_INCUMBENT, NULL, row, evaluation, reused);
}

static void set_facts(struct at_evaluation *evaluation, const struct task *task)
{
	const struct at_geometry *geometry = &task->request.kernel.geometry;

	evaluation->registers = evaluation->local_bytes = -1;
	evaluation->spill_store_bytes = evaluation->spill_load_bytes = -1;
	evaluation->shared_bytes = geometry->shared_bytes;
	evaluation->threads_per_block =
		(int64_t)geometry->block[0] * geometry->block[1] * geometry->block[2];
	evaluation->blocks =
		(int64_t)geometry->grid[0] * geometry->grid[1] * geometry->grid[2];
	evaluation->compile_ns = (int64_t)task->compiled.compile_ns;
	if (task->compiled.kernel_count) {
		const struct at_kernel_facts *facts = &task->compiled.kernels[0];

		evaluation->registers = facts->registers;
		evaluation->local_bytes = facts->local_bytes;
		evaluation->spill_store_bytes = facts->spill_store_bytes;
		evaluation->spill_load_bytes = facts->spill_load_bytes;
		if (facts->shared_bytes > 0)
			evaluation->shared_bytes += facts->shared_bytes;
	}
}

static void set_result(
	struct at_evaluation *evaluation, struct at_measure_result *result)
{
	bool ok = evaluation->outcome == AT_OUTCOME_OK;

	evaluation->time_ns = evaluation->low_ns = evaluation->high_ns = NAN;
	evaluation->max_relative_error = NAN;
	evaluation->measure_ns = -1;
	evaluation->clock_hz = -1;
	evaluation->launches_per_sample = -1;
	if (!result)
		return;
	evaluation->measure_ns = (int64_t)result->measure_ns;
	if (ok) {
		evaluation->time_ns = result->time_ns;
		evaluation->low_ns = result->low_ns;
		evaluation->high_ns = result->high_ns;
		evaluation->samples_ns = result->samples_ns;
		evaluation->sample_count = result->sample_count;
		result->samples_ns = NULL;
		result->sample_count = 0;
		evaluation->max_relative_error = result->max_relative_error;
		evaluation->launches_per_sample = result->launches_per_sample;
		evaluation->clock_hz =
			result->clock_hz ? (int64_t)result->clock_hz : -1;
	}
	evaluation->raced = result->raced;
	evaluation->throttled = result->throttled;
}

/* one line of a compiler's log that says the most */
static void first_error_line(const char *log, char *detail, size_t size)
{
	const char *line = strstr(log, "error");

	while (line && line > log && line[-1] != '\n')
		line--;
	if (!line)
		line = log;
	snprintf(detail, size, "%.*s", (int)strcspn(line, "\n"), line);
}

/* records, tells and frees; result NULL: it never came to be measured */
static void finish_task(struct at_tuning *self, struct task *task,
	enum at_outcome outcome, const char *detail, struct at_measure_result *result)
{
	struct at_evaluation evaluation = { 0 };
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	evaluation.key = task->key;
	evaluation.run_id = self->options.run_id;
	evaluation.device_id = self->options.device_id;
	evaluation.outcome = outcome;
	evaluation.space = at_strdup(self->options.spec->name);
	evaluation.problem = at_strdup(self->options.problem->name);
	evaluation.problem_json = at_plan_problem_json(&self->plan);
	evaluation.configuration = at_configuration_to_json(
		self->options.spec, tuning_row(self, task->index));
	evaluation.detail = at_strdup(detail);
	evaluation.log = at_strdup(task->compiled.log ? task->compiled.log : "");
	evaluation.created_seconds = at_clock_wall_seconds();
	set_facts(&evaluation, task);
	set_result(&evaluation, result);
	if (!evaluation.space || !evaluation.problem || !evaluation.problem_json ||
		!evaluation.configuration || !evaluation.detail || !evaluation.log)
		status = at_fail_memory(&err);
	if (!status)
		status = at_store_add(self->options.store, &evaluation, &err);
	unlink_task(self, task);
	if (status)
		tuning_end(self, &err);
	else
		tell(self, task->index, &evaluation, false);
	at_evaluation_release(&evaluation);
	free_task(task);
}

static void task_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct task *task = self->measuring;

	(void)count;
	self->measuring = NULL;
	if (self->phase != PHASE_SEARCH || !task)
		return;
	if (err)
		tuning_end(self, err);
	else
		finish_task(
			self, task, results[0].outcome, results[0].detail, &results[0]);
	tuning_pump(self);
}

static void measure(struct at_tuning *self)
{
	struct task *task = self->ready_first;
	struct at_error err = { 0 };

	self->ready_first = task->next_ready;
	if (!self->ready_first)
		self->ready_last = &self->ready_first;
	self->progress.waiting--;
	if (!tuning_set_image(&task->compiled, self->options.spec, &task->request)) {
		at_fail_memory(&err);
		tuning_end(self, &err);
		return;
	}
	tuning_set_sampling(self, &task->request);
	task->request.seed = task->index;
	self->measuring = task;
	at_remote_evaluate(self->options.remote, &task->request, tuning_deadline(self),
		task_measured, self);
}

/* the baseline goes before all others, however long it took to compile */
static void make_ready(struct at_tuning *self, struct task *task)
{
	if (task == self->baseline_task) {
		task->next_ready = self->ready_first;
		self->ready_first = task;
		if (!task->next_ready)
			self->ready_last = &task->next_ready;
	} else {
		*self->ready_last = task;
		self->ready_last = &task->next_ready;
	}
	self->progress.waiting++;
}

static void task_compiled(
	void *context, struct at_compile_result *result, const struct at_error *err)
{
	struct task *task = context;
	struct at_tuning *self = task->tuning;
	char detail[512] = "";
	enum at_outcome outcome;

	if (err) {
		tuning_end(self, err);
		return;
	}
	task->compiled = *result;
	memset(result, 0, sizeof(*result));
	outcome = task->compiled.outcome;
	if (outcome != AT_OUTCOME_OK)
		first_error_line(task->compiled.log ? task->compiled.log : "", detail,
			sizeof(detail));
	else
		outcome =
			at_plan_check_resources(&self->plan, &task->compiled.kernels[0],
				&task->request.kernel.geometry, detail, sizeof(detail));
	if (outcome != AT_OUTCOME_OK) {
		finish_task(self, task, outcome, detail, NULL);
	} else {
		make_ready(self, task);
	}
	tuning_pump(self);
}

static void compile(struct at_tuning *self, struct task *task)
{
	struct at_compile_request request;
	struct at_error err = { 0 };

	if (self->setup_state == SETUP_NONE)
		self->setup_state = SETUP_COMPILING;
	if (at_plan_compile(&self->plan, tuning_row(self, task->index), AT_UNIT_TUNED,
		    &request, &err)) {
		tuning_end(self, &err);
		return;
	}
	if (at_compilers_submit(self->options.compilers, &request, false, task_compiled,
		    task, &err))
		tuning_end(self, &err);
}

/* found in the record: told without compiling or measuring; false: not found */
static bool reuse(struct at_tuning *self, size_t index, struct at_hash key)
{
	struct at_evaluation evaluation;
	struct at_error err = { 0 };
	bool found = false;

	if (self->options.session->fresh)
		return false;
	if (at_store_find(self->options.store, key, false, &evaluation, &found, &err)) {
		tuning_end(self, &err);
		return true;
	}
	if (!found)
		return false;
	tell(self, index, &evaluation, true);
	at_evaluation_release(&evaluation);
	return true;
}

static void begin_task(struct at_tuning *self, size_t index)
{
	struct at_error err = { 0 };
	struct at_hash key;
	struct task *task;

	if (at_plan_key(&self->plan, tuning_row(self, index), &key, &err)) {
		tuning_end(self, &err);
		return;
	}
	if (reuse(self, index, key))
		return;
	task = calloc(1, sizeof(*task));
	if (!task) {
		at_fail_memory(&err);
		tuning_end(self, &err);
		return;
	}
	task->tuning = self;
	task->index = index;
	task->key = key;
	task->next = self->tasks;
	self->tasks = task;
	self->task_count++;
	if (is_baseline(self, index))
		self->baseline_task = task;
	if (at_plan_request(&self->plan, tuning_row(self, index), &task->request, &err))
		finish_task(self, task, AT_OUTCOME_NOT_APPLICABLE, err.text, NULL);
	else
		compile(self, task);
}

static bool time_is_up(const struct at_tuning *self)
{
	return self->target_seconds > 0 &&
	       (double)(at_clock_now_ns() - self->start_ns) * 1e-9 >=
		       self->target_seconds;
}

/* the baseline first, whatever the strategy would begin with */
static bool ask_baseline(struct at_tuning *self)
{
	size_t index;

	if (self->baseline_asked || !self->options.spec->has_defaults)
		return false;
	self->baseline_asked = true;
	index = at_configurations_find(
		&self->configurations, self->options.spec->defaults);
	if (index == SIZE_MAX) {
		tuning_emit(self, AT_EVENT_NOTE,
			"the defaults do not satisfy the constraints here: there is no "
			"baseline",
			NULL, NULL, false);
		return false;
	}
	/* told before it is known, so that the strategy does not ask for it too */
	self->strategy->kind->tell(self->strategy, index, INFINITY);
	begin_task(self, index);
	return true;
}

/* one configuration more on its way; false when there is none to be had now */
static bool ask(struct at_tuning *self)
{
	size_t index;

	if (self->asked_out || self->phase != PHASE_SEARCH)
		return false;
	if (ask_baseline(self))
		return true;
	if (self->target_evaluations && self->progress.evaluated + self->task_count >=
						self->target_evaluations) {
		self->asked_out = self->task_count == 0;
		return false;
	}
	switch (self->strategy->kind->ask(self->strategy, &index)) {
	case AT_ASK_CONFIGURATION:
		begin_task(self, index);
		return true;
	case AT_ASK_WAIT:
		/* where nothing is out there is nothing to wait for */
		self->asked_out = self->task_count == 0;
		return false;
	case AT_ASK_DONE:
		self->asked_out = true;
		return false;
	}
	return false;
}

/* compiling runs so far ahead of measuring */
static size_t depth(const struct at_tuning *self)
{
	return 2 * (size_t)at_compilers_jobs(self->options.compilers) + 2;
}

/*
 * Where compilers and kernels share the cores they take turns: a batch is
 * compiled, then measured with no compiler running.
 */
static void take_turns(struct at_tuning *self)
{
	struct at_compilers *compilers = self->options.compilers;
	bool hold;

	if (!self->options.device->shares_cores)
		return;
	/* not before the setup is there: its own units have to be compiled too */
	hold = self->measuring ||
	       (self->ready_first && self->setup_state == SETUP_READY &&
		       (!self->baseline_task ||
			       self->ready_first == self->baseline_task) &&
		       (self->holding || self->progress.waiting == self->task_count ||
			       at_compilers_pending(compilers) == 0));
	if (hold != self->holding) {
		self->holding = hold;
		at_compilers_hold(compilers, hold);
	}
}

static bool may_measure(const struct at_tuning *self)
{
	return self->ready_first && !self->measuring &&
	       self->setup_state == SETUP_READY &&
	       !at_remote_busy(self->options.remote) &&
	       (!self->baseline_task || self->ready_first == self->baseline_task) &&
	       (!self->options.device->shares_cores ||
		       (self->holding &&
			       !at_compilers_running(self->options.compilers)));
}

/* what was not begun to be measured is given up; the baseline never is */
static void end_at_time(struct at_tuning *self)
{
	struct task *task = self->tasks;

	if (self->asked_out || !time_is_up(self) || self->baseline_task ||
		!self->progress.evaluated)
		return;
	self->asked_out = true;
	while (task) {
		struct task *next = task->next;

		if (task != self->measuring) {
			at_compilers_forget(self->options.compilers, task);
			unlink_task(self, task);
			free_task(task);
		}
		task = next;
	}
	self->ready_first = NULL;
	self->ready_last = &self->ready_first;
	self->progress.waiting = 0;
}

static void ask_later(void *context)
{
	struct at_tuning *self = context;

	self->asks_later = false;
	tuning_pump(self);
}

/* what is recorded is found at once, thousands in a row: signals and the time
   budget are looked after in between */
static void ask_slice(struct at_tuning *self)
{
	int left = ASKED_AT_ONCE;

	while (self->phase == PHASE_SEARCH && !self->holding &&
		self->task_count < depth(self)) {
		if (left-- == 0) {
			if (!self->asks_later)
				self->asks_later = !at_loop_later(
					self->options.loop, ask_later, self, NULL);
			return;
		}
		if (!ask(self))
			return;
	}
}

void tuning_search(struct at_tuning *self)
{
	end_at_time(self);
	take_turns(self);
	ask_slice(self);
	take_turns(self);
	if (self->phase == PHASE_SEARCH && may_measure(self))
		measure(self);
	/* where nothing passed, a reference that does not compile is the reason to
	   tell: its setup is waited for */
	if (self->phase == PHASE_SEARCH && self->asked_out && self->task_count == 0 &&
		(self->podium_count || self->setup_state == SETUP_NONE ||
			self->setup_state == SETUP_READY))
		tuning_begin_finals(self);
}
