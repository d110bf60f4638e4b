/* One evaluation on its way: look up, compile, measure, record, tell. */
#include "session/tuning_parts.h"
#include "base/clock.h"
#include "record/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* what the compiled kernel, its launch and a multiprocessor make of each other */
static void set_facts(struct at_tuning *self, struct at_evaluation *evaluation,
	const struct task *task)
{
	const struct at_geometry *geometry = &task->request.kernel.geometry;
	const struct at_kernel_facts *kernel =
		task->compiled.kernel_count ? &task->compiled.kernels[0] : NULL;
	struct at_occupancy occupancy;
	bool known =
		kernel && at_plan_occupancy(&self->plan, kernel, geometry, &occupancy);

	/* not_applicable: a geometry without threads was never computed */
	at_facts_fill(&evaluation->facts, kernel, geometry->block[0] ? geometry : NULL,
		known ? &occupancy : NULL,
		task->compiled.outcome ? (int64_t)task->compiled.compile_ns : -1);
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

static void set_metrics(struct at_tuning *self, struct at_evaluation *evaluation,
	const struct task *task)
{
	at_plan_metrics(&self->plan, tuning_row(self, task->index), &evaluation->flops,
		&evaluation->bytes);
	if (!(evaluation->flops > 0))
		evaluation->flops = NAN;
	if (!(evaluation->bytes > 0))
		evaluation->bytes = NAN;
	evaluation->is_double = at_plan_is_double(&self->plan);
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
	set_facts(self, &evaluation, task);
	set_metrics(self, &evaluation, task);
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
		tuning_told(self, task->index, &evaluation, false);
	at_evaluation_release(&evaluation);
	free_task(task);
}

static bool is_evaluating(const struct at_tuning *self)
{
	return self->phase == PHASE_SEARCH || self->phase == PHASE_EXPLAIN;
}

static void task_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct task *task = self->measuring;

	(void)count;
	self->measuring = NULL;
	if (!is_evaluating(self) || !task)
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
	/* the way to the winner is told by times, not by who lost early */
	if (self->phase == PHASE_EXPLAIN)
		task->request.incumbent_ns = 0;
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
		at_compile_first_error(task->compiled.log ? task->compiled.log : "",
			detail, sizeof(detail));
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

static bool may_reuse(
	const struct at_tuning *self, const struct at_evaluation *evaluation)
{
	return !self->options.session->fresh ||
	       evaluation->run_id == self->options.run_id;
}

/* found in the record: told without compiling or measuring; false: not found */
static bool reuse(struct at_tuning *self, size_t index, struct at_hash key)
{
	struct at_evaluation evaluation;
	struct at_error err = { 0 };
	bool found = false;

	if (at_store_find(self->options.store, key, false, &evaluation, &found, &err)) {
		tuning_end(self, &err);
		return true;
	}
	if (!found)
		return false;
	found = may_reuse(self, &evaluation);
	if (found)
		tuning_told(self, index, &evaluation, true);
	at_evaluation_release(&evaluation);
	return found;
}

bool tuning_reuse(struct at_tuning *self, size_t index, struct at_hash *key)
{
	struct at_error err = { 0 };

	if (at_plan_key(&self->plan, tuning_row(self, index), key, &err)) {
		tuning_end(self, &err);
		return true;
	}
	return reuse(self, index, *key);
}

void tuning_begin_task(struct at_tuning *self, size_t index)
{
	struct at_error err = { 0 };
	struct at_hash key;
	struct task *task;

	if (tuning_reuse(self, index, &key))
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
	if (tuning_is_baseline(self, index))
		self->baseline_task = task;
	if (at_plan_request(&self->plan, tuning_row(self, index), &task->request, &err))
		finish_task(self, task, AT_OUTCOME_NOT_APPLICABLE, err.text, NULL);
	else
		compile(self, task);
}

/*
 * Where compilers and kernels share the cores they take turns: a batch is
 * compiled, then measured with no compiler running.
 */
void tuning_take_turns(struct at_tuning *self)
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

void tuning_measure_next(struct at_tuning *self)
{
	if (is_evaluating(self) && may_measure(self))
		measure(self);
}

void tuning_give_up_waiting(struct at_tuning *self)
{
	struct task *task = self->tasks;

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
