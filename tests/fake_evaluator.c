/* The evaluator that follows a script in virtual time: a list of answers that are due,
   and the board that is busy until they are. */
#include "fake_evaluator.h"

#include "device/counters.h"
#include "measure/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum due_kind {
	DUE_CALL,
	DUE_ANSWER,
	DUE_FINALS,
	DUE_VERIFICATION,
	DUE_CHECK,
};

struct due {
	struct due *next;
	enum due_kind kind;
	uint64_t at_ns;
	uint64_t number; /* in the order of asking */
	bool is_off;
	bool is_cut;
	struct at_task *tasks[AT_FINALISTS_MAX];
	struct fake_fate fates[AT_FINALISTS_MAX];
	size_t count;
	struct at_measure_finals how;
	enum at_outcome outcome;
	const char *why;
	void (*call)(void *);
	at_finals_answered finals_answered;
	at_verified verified;
	at_covered covered;
	void *context;
};

struct fake {
	struct at_evaluator base;
	struct at_evaluator_ops ops;
	const struct fake_script *script;
	struct fake_counts *counts;
	struct due *due;
	uint64_t now_ns;
	uint64_t free_ns; /* when its only board is free */
	uint64_t number;
	size_t answers;
	size_t out;
	bool closing; /* by whom it runs: it is freed when that returns */
	bool running;
};

static struct fake *of(struct at_evaluator *base)
{
	return (struct fake *)base;
}

static struct due *add(struct fake *self, enum due_kind kind, double seconds)
{
	struct due *due = calloc(1, sizeof(*due));
	uint64_t begin_ns = self->now_ns;

	assert(due);
	due->kind = kind;
	due->number = self->number++;
	/* one after the other, as a board works */
	if (seconds > 0 && self->free_ns > begin_ns)
		begin_ns = self->free_ns;
	due->at_ns = begin_ns + (uint64_t)(seconds * 1e9);
	if (seconds > 0)
		self->free_ns = due->at_ns;
	due->next = self->due;
	self->due = due;
	return due;
}

static void drop(struct due *due)
{
	for (size_t i = 0; i < due->count; i++)
		at_task_free(due->tasks[i]);
	free(due);
}

static struct fake_fate fate_of(const struct fake *self, const uint16_t *configuration)
{
	struct fake_fate fate = { 0 };

	self->script->fate(self->script->context, configuration, &fate);
	if (fate.outcome == AT_OUTCOME_NONE)
		fate.outcome = AT_OUTCOME_OK;
	if (fate.seconds == 0)
		fate.seconds = 0.01;
	if (fate.final_ns == 0)
		fate.final_ns = fate.time_ns;
	return fate;
}

static enum at_status fake_plan(struct at_evaluator *base,
	const uint16_t *configuration, struct at_task **out, struct at_error *err)
{
	struct fake *self = of(base);
	size_t count = self->script->parameter_count;
	struct at_task *task = at_task_new(sizeof(*task), configuration, count);
	struct at_compiled_plan *plan = &task->plan;

	(void)err;
	plan->outcome = AT_OUTCOME_OK;
	for (int i = 0; i < 3; i++)
		plan->request.kernel.geometry.block[i] =
			plan->request.kernel.geometry.grid[i] = 1;
	plan->key = at_hash_bytes(configuration, count * sizeof(*configuration));
	plan->key.high ^= self->script->source;
	plan->flops = plan->bytes = NAN;
	if (self->script->has_floors)
		plan->floor.flops_ns = fate_of(self, configuration).floor_ns;
	self->counts->compiled_plan++;
	*out = task;
	return AT_OK;
}

static void add_task(struct due *due, struct at_task *task, struct fake_fate fate)
{
	at_task_keep(task);
	due->tasks[due->count] = task;
	due->fates[due->count++] = fate;
}

static enum at_status fake_begin(
	struct at_evaluator *base, struct at_task *task, struct at_error *err)
{
	struct fake *self = of(base);
	struct fake_fate fate = fate_of(self, task->configuration);

	(void)err;
	add_task(add(self, DUE_ANSWER, fate.seconds), task, fate);
	self->counts->begun++;
	self->counts->audited += task->how.audit;
	self->out++;
	if (self->out > self->counts->most_out)
		self->counts->most_out = self->out;
	return AT_OK;
}

static void fake_race(
	struct at_evaluator *base, double incumbent_ns, double longest_seconds)
{
	of(base)->counts->race_ns = incumbent_ns;
	of(base)->counts->longest_seconds = longest_seconds;
}

static enum at_status fake_finals(struct at_evaluator *base,
	struct at_task *const *tasks, size_t count, const struct at_measure_finals *how,
	at_finals_answered answered, void *context, struct at_error *err)
{
	struct fake *self = of(base);
	uint32_t most = self->script->blocks_most;
	uint32_t blocks = most && how->blocks > most ? most : how->blocks;
	double seconds = self->script->block_seconds > 0
				 ? self->script->block_seconds * blocks
				 : how->seconds;
	struct due *due = add(self, DUE_FINALS, seconds);

	(void)err;
	due->how = *how;
	due->how.blocks = blocks;
	for (size_t i = 0; i < count; i++)
		add_task(due, tasks[i], fate_of(self, tasks[i]->configuration));
	due->finals_answered = answered;
	due->context = context;
	if (how->counts) {
		self->counts->counted += count;
		due->why = self->script->no_counters;
		return AT_OK;
	}
	due->why = self->script->refuses_energy;
	self->counts->finals++;
	self->counts->finalists = count;
	self->counts->blocks = how->blocks;
	self->counts->launches = how->launches[0];
	self->counts->energy_seconds = how->energy_seconds;
	return AT_OK;
}

static enum at_status fake_verify(struct at_evaluator *base,
	const uint16_t *configuration, size_t verification_case, double seconds,
	at_verified verified, void *context, struct at_error *err)
{
	struct fake *self = of(base);
	const struct fake_script *script = self->script;
	double needed = script->seconds_of_cases
				? script->seconds_of_cases[verification_case]
				: script->case_seconds;
	const bool is_cut = script->cuts_cases && seconds > 0 && seconds < needed;
	struct due *due =
		add(self, DUE_VERIFICATION, fmax(is_cut ? seconds : needed, 0.01));

	due->is_cut = is_cut;
	due->verified = verified;
	due->context = context;
	if (script->fate)
		script->fate(script->context, configuration, &due->fates[0]);
	due->outcome = script->verify ? script->verify(script->context, configuration,
						verification_case)
				      : AT_OUTCOME_OK;
	self->counts->verifications++;
	return AT_OK;
}

static void fake_check(struct at_evaluator *base, const uint16_t *configuration,
	const uint16_t *witness, enum at_check check, double seconds,
	at_verified verified, void *context)
{
	struct fake *self = of(base);
	double takes = 0.01;
	const char *why = "as the script says";
	enum at_outcome outcome = self->script->check(
		self->script->context, configuration, witness, check, &takes, &why);
	struct due *due = add(self, DUE_CHECK, check == AT_CHECK_HOST ? 0 : takes);

	/* it needs no board */
	if (check == AT_CHECK_HOST)
		due->at_ns = self->now_ns + (uint64_t)(takes * 1e9);
	due->verified = verified;
	due->context = context;
	due->outcome = outcome;
	due->why = why;
	self->counts->checks++;
	self->counts->check_seconds = seconds;
}

static void fake_cover(struct at_evaluator *base, const uint16_t *configuration,
	double seconds, at_covered covered, void *context)
{
	struct fake *self = of(base);
	struct due *due = add(self, DUE_CHECK, 0);

	due->at_ns = self->now_ns + (uint64_t)(self->script->cover_seconds * 1e9);
	due->covered = covered;
	due->context = context;
	self->counts->cover_seconds = seconds;
}

static void fake_drop_checks(struct at_evaluator *base)
{
	struct fake *self = of(base);
	struct due **link = &self->due;

	while (*link) {
		struct due *due = *link;

		if (due->kind != DUE_CHECK) {
			link = &due->next;
			continue;
		}
		*link = due->next;
		drop(due);
		self->counts->dropped_checks++;
	}
}

static const char *fake_case_name(
	const struct at_evaluator *base, size_t verification_case)
{
	static const char *const names[] = { "tuned", "odd", "even", "small" };

	return names[verification_case % 4];
}

static uint32_t fake_case_id(const struct at_evaluator *base, size_t verification_case)
{
	const struct fake_script *script = ((const struct fake *)base)->script;

	return script->ids ? script->ids[verification_case]
			   : (uint32_t)verification_case;
}

static uint64_t fake_case_bytes(struct at_evaluator *base, size_t verification_case)
{
	const struct fake_script *script = of(base)->script;

	return script->case_bytes ? script->case_bytes[verification_case] : 0;
}

static void fake_cancel(struct at_evaluator *base, double seconds)
{
	struct fake *self = of(base);
	const uint64_t end_ns = self->now_ns + (uint64_t)(seconds * 1e9);
	struct due *working = NULL;

	/* the one that is due first is at the board already */
	for (struct due *due = self->due; due; due = due->next)
		if (due->kind == DUE_ANSWER &&
			(!working || due->at_ns < working->at_ns))
			working = due;
	if (working && working->at_ns > end_ns) {
		working->is_off = true;
		working->at_ns = end_ns;
		self->counts->cut++;
	}
	self->free_ns = working ? working->at_ns : self->now_ns;
	for (struct due *due = self->due; due; due = due->next) {
		if (due->kind == DUE_VERIFICATION && due->at_ns > end_ns) {
			due->outcome = AT_OUTCOME_NONE;
			self->free_ns = due->at_ns = end_ns;
			self->counts->cut++;
		}
		if (due->kind != DUE_ANSWER || due == working || due->is_off)
			continue;
		due->is_off = true;
		due->at_ns = self->now_ns;
		self->counts->called_off++;
	}
}

static void fake_drop_dear(struct at_evaluator *base, double seconds)
{
	of(base)->counts->dear_deadline = seconds;
	if (of(base)->counts->dear_seconds == 0)
		of(base)->counts->dear_seconds = fake_seconds(base);
}

static void fake_stop(struct at_evaluator *base)
{
	struct fake *self = of(base);
	struct due **link = &self->due;

	while (*link) {
		struct due *due = *link;

		if (due->kind == DUE_CALL) {
			link = &due->next;
			continue;
		}
		*link = due->next;
		drop(due);
	}
	self->out = 0;
	self->free_ns = self->now_ns;
}

static void fake_close(struct at_evaluator *base)
{
	struct fake *self = of(base);

	self->counts->closed = true;
	while (self->due) {
		struct due *next = self->due->next;

		drop(self->due);
		self->due = next;
	}
	if (self->running)
		self->closing = true;
	else
		free(self);
}

static size_t fake_capacity(const struct at_evaluator *base)
{
	const struct fake *self = (const struct fake *)base;

	return self->script->capacity ? self->script->capacity : 4;
}

static void fake_load(const struct at_evaluator *base, struct at_evaluator_load *out)
{
	*out = (struct at_evaluator_load){ .compiling =
						   ((const struct fake *)base)->out };
}

static uint64_t fake_now_ns(const struct at_evaluator *base)
{
	return ((const struct fake *)base)->now_ns;
}

static void fake_later(struct at_evaluator *base, void (*call)(void *), void *context)
{
	struct due *due = add(of(base), DUE_CALL, 0);

	due->call = call;
	due->context = context;
}

static void fake_tick(struct at_evaluator *base)
{
	of(base)->counts->ticks++;
}

static const struct at_evaluator_ops fake_ops = {
	.close = fake_close,
	.plan = fake_plan,
	.begin = fake_begin,
	.race = fake_race,
	.finals = fake_finals,
	.verify = fake_verify,
	.check = fake_check,
	.drop_checks = fake_drop_checks,
	.cover = fake_cover,
	.case_name = fake_case_name,
	.case_id = fake_case_id,
	.case_bytes = fake_case_bytes,
	.cancel = fake_cancel,
	.drop_slow_compiles = fake_drop_dear,
	.stop = fake_stop,
	.capacity = fake_capacity,
	.load = fake_load,
	.now_ns = fake_now_ns,
	.tick = fake_tick,
	.later = fake_later,
};

struct at_evaluator *fake_evaluator_new(
	const struct fake_script *script, struct fake_counts *counts)
{
	struct fake *self = calloc(1, sizeof(*self));

	assert(self);
	memset(counts, 0, sizeof(*counts));
	self->ops = fake_ops;
	if (!script->check)
		self->ops.check = NULL;
	if (!(script->cover_seconds > 0))
		self->ops.cover = NULL;
	self->base.ops = &self->ops;
	self->script = script;
	self->counts = counts;
	self->now_ns = 1000000000;
	snprintf(self->base.info.device.kind, sizeof(self->base.info.device.kind), "%s",
		script->kind ? script->kind : "test");
	snprintf(
		self->base.info.device.id, sizeof(self->base.info.device.id), "test:0");
	snprintf(self->base.info.device.model, sizeof(self->base.info.device.model),
		"Test board");
	snprintf(
		self->base.info.toolchain, sizeof(self->base.info.toolchain), "test 1");
	if (script->no_energy)
		snprintf(self->base.info.device.no_energy,
			sizeof(self->base.info.device.no_energy), "%s",
			script->no_energy);
	self->base.info.case_count = script->case_count ? script->case_count : 1;
	self->base.info.replay_count = script->replay_count;
	self->base.info.night_first = self->base.info.case_count - script->night_count;
	self->base.info.source.low = script->source + 1;
	return &self->base;
}

/* ---- running ----------------------------------------------------------------- */

#define TICK_NS UINT64_C(500000000)

static struct due *take_first(struct fake *self)
{
	struct due **first = NULL, *due;

	for (struct due **link = &self->due; *link; link = &(*link)->next) {
		bool later_wins = self->script->backwards &&
				  (*link)->kind == DUE_ANSWER && first &&
				  (*first)->kind == DUE_ANSWER;

		if (!first || (*link)->at_ns < (*first)->at_ns ||
			((*link)->at_ns == (*first)->at_ns &&
				(later_wins ? (*link)->number > (*first)->number
					    : (*link)->number < (*first)->number)))
			first = link;
	}
	if (!first)
		return NULL;
	due = *first;
	*first = due->next;
	return due;
}

static void fill_result(struct at_measure_result *result, double time_ns, size_t count)
{
	result->outcome = AT_OUTCOME_OK;
	result->samples_ns = calloc(count + 1, sizeof(*result->samples_ns));
	assert(result->samples_ns);
	result->sample_count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		result->samples_ns[i] = time_ns;
	result->time_ns = result->low_ns = result->high_ns = time_ns;
	result->max_relative_error = time_ns * 1e-12;
	result->launches_per_sample = 1;
}

/* blocks above and below what the script says, in turns */
static void fill_final(struct at_measure_result *result, const struct fake_fate *fate,
	const struct at_measure_finals *how)
{
	uint32_t count = how->blocks * how->rounds;
	struct at_interval interval;

	if (fate->final_outcome != AT_OUTCOME_NONE &&
		fate->final_outcome != AT_OUTCOME_OK) {
		result->outcome = fate->final_outcome;
		snprintf(result->detail, sizeof(result->detail), "in the finals");
		return;
	}
	fill_result(result, fate->final_ns, count);
	result->block_count = how->blocks;
	for (uint32_t i = 0; i < how->blocks; i++) {
		const double factor = exp(i % 2 ? fate->spread : -fate->spread);

		result->blocks_ns[i] = fate->final_ns * factor;
		if (how->energy_seconds > 0)
			result->blocks_joules[i] = fate->joules * factor;
	}
	interval = at_statistics_blocks(result->blocks_ns, how->blocks, 0.95);
	result->time_ns = interval.median;
	result->low_ns = interval.low;
	result->high_ns = interval.high;
}

static void answer(struct due *due)
{
	const struct fake_fate *fate = &due->fates[0];
	struct at_task *task = due->tasks[0];
	struct at_measure_result *result = &task->result;

	task->outcome = due->is_off ? AT_OUTCOME_NONE : fate->outcome;
	if (fate->outcome != AT_OUTCOME_OK)
		snprintf(task->detail, sizeof(task->detail), "as the script says");
	if (task->outcome == AT_OUTCOME_OK) {
		result->raced = fate->raced && !task->how.full && !task->how.audit;
		/* what was dropped early looked slower than it is */
		fill_result(result, fate->time_ns * (result->raced ? 1.5 : 1),
			result->raced ? 1 : 6);
		result->measure_ns = fate->measure_ns;
		result->was_pruned = fate->raced && task->how.audit;
		task->is_measured = true;
		task->facts.shared_bytes = fate->shared_bytes;
		task->image.low = fate->image ? fate->image : task->plan.key.low;
		task->image.high = 1;
	}
	if (task->outcome == AT_OUTCOME_WRONG_RESULT) {
		result->max_relative_error = fate->error;
		task->is_measured = true;
	}
	task->answered(task, NULL);
}

/* each counter is the time */
static void fill_counters(
	struct at_measure_result *result, double time_ns, const char *reason)
{
	if (reason) {
		result->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(result->detail, sizeof(result->detail), "%s", reason);
		return;
	}
	result->outcome = AT_OUTCOME_OK;
	result->counters = at_calloc(AT_COUNTER_COUNT, sizeof(*result->counters));
	result->counter_count = AT_COUNTER_COUNT;
	for (size_t i = 0; i < AT_COUNTER_COUNT; i++)
		result->counters[i] = time_ns;
}

static void answer_finals(struct due *due)
{
	bool is_lost = false;

	for (size_t i = 0; i < due->count && due->how.counts; i++) {
		at_measure_result_release(&due->tasks[i]->result);
		fill_counters(&due->tasks[i]->result, due->fates[i].final_ns, due->why);
	}
	if (due->how.counts) {
		due->finals_answered(due->context, NULL);
		return;
	}
	for (size_t i = 0; i < due->count; i++)
		is_lost = is_lost || due->fates[i].loses_device;
	for (size_t i = 0; i < due->count; i++) {
		struct at_task *task = due->tasks[i];

		task->facts.registers = due->fates[i].registers;
		task->facts.threads_per_block = 32;
		at_measure_result_release(&task->result);
		fill_final(&task->result, &due->fates[i], &due->how);
		task->result.device_lost = is_lost;
		if (due->why && due->how.energy_seconds > 0) {
			task->result.outcome = AT_OUTCOME_NOT_APPLICABLE;
			task->result.energy_refused = true;
			snprintf(task->result.detail, sizeof(task->result.detail), "%s",
				due->why);
		}
	}
	due->finals_answered(due->context, NULL);
}

static void run_one(struct fake *self, struct due *due)
{
	const struct fake_script *script = self->script;
	struct at_error err = { 0 };
	struct at_verification_answer verification = { .outcome = due->outcome,
		.detail = "" };
	bool fails;

	if (due->at_ns > self->now_ns)
		self->now_ns = due->at_ns;
	if (due->kind == DUE_CALL) {
		due->call(due->context);
		return;
	}
	if (due->covered && script->cover_is_cut) {
		due->covered(due->context, "not measured (it was cut)", "", false);
		return;
	}
	if (due->covered) {
		self->base.info.case_count =
			(script->case_count ? script->case_count : 1) +
			script->more_cases;
		self->base.info.night_first = self->base.info.case_count;
		due->covered(due->context, "3 of 4 branches of the reference ran",
			"5 of 5 branches of the winner ran", true);
		return;
	}
	self->answers++;
	if (due->kind == DUE_ANSWER)
		self->out--;
	fails = script->fails_after && self->answers > script->fails_after;
	if (fails)
		at_fail(&err, AT_EDEVICE, NULL, 0, "the board fell off the bus");
	if (due->kind == DUE_ANSWER && fails)
		due->tasks[0]->answered(due->tasks[0], &err);
	else if (due->kind == DUE_ANSWER)
		answer(due);
	else if (due->kind == DUE_FINALS && fails)
		due->finals_answered(due->context, &err);
	else if (due->kind == DUE_FINALS)
		answer_finals(due);
	else if (fails)
		due->verified(due->context, NULL, &err);
	else if (due->outcome != AT_OUTCOME_OK) {
		verification.detail = due->why ? due->why : "as the script says";
		verification.error = due->fates[0].error;
		verification.is_unfit = script->is_unfit;
		verification.reference_fails = script->reference_fails;
		verification.instance = script->instance;
		verification.line = script->line;
		due->verified(due->context, &verification, NULL);
	} else {
		verification.verified = script->verified;
		verification.verified.was_cut = due->is_cut;
		due->verified(due->context, &verification, NULL);
	}
	if (!self->closing && script->answering)
		script->answering(script->context, self->answers);
}

void fake_run(struct at_evaluator *evaluator)
{
	struct fake *self = of(evaluator);
	struct due *due;

	self->running = true;
	while (!self->closing && (due = take_first(self)) != NULL) {
		if (self->script->waiting && due->at_ns > self->now_ns + TICK_NS) {
			due->next = self->due;
			self->due = due;
			self->now_ns += TICK_NS;
			self->script->waiting(self->script->context);
			continue;
		}
		run_one(self, due);
		drop(due);
	}
	self->running = false;
	if (self->closing)
		free(self);
}

void fake_after(struct at_evaluator *evaluator, double seconds, void (*call)(void *),
	void *context)
{
	struct due *due = add(of(evaluator), DUE_CALL, seconds);

	due->call = call;
	due->context = context;
}

double fake_seconds(const struct at_evaluator *evaluator)
{
	return (double)(((const struct fake *)evaluator)->now_ns - 1000000000) * 1e-9;
}
