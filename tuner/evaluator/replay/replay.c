/* The evaluator of a recording: an item queue advanced in virtual time. */
#include "evaluator/replay/replay.h"

#include "base/memory.h"
#include "base/random.h"
#include "measure/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most pending evaluations for each compiler and the board, as in workers/: one in
   work, one to follow. */
#define OUT_EACH 2
/* the fewest rounds in a block of finals, as in at_measure_context_finals() */
#define ROUNDS_MIN 2

/* ---- the recording ------------------------------------------------------------- */

/* The times and results of each row, on this night or as recorded. */
struct source {
	const struct at_recording *recording; /* borrowed */
	struct at_replay_night night;
	/* means of the recorded times, for rows without their own; 0: no row has one */
	double compile_seconds;
	double measure_seconds;
	size_t fastest; /* row; SIZE_MAX: none passed */
};

static void source_init(struct source *self, const struct at_recording *recording,
	const struct at_replay_night *night)
{
	size_t compiled = 0, measured = 0;

	*self = (struct source){
		.recording = recording,
		.night = *night,
		.fastest = SIZE_MAX,
	};
	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];

		if (!isnan(result->compile_seconds)) {
			self->compile_seconds += result->compile_seconds;
			compiled++;
		}
		if (result->outcome != AT_OUTCOME_OK)
			continue;
		if (!isnan(result->measure_seconds)) {
			self->measure_seconds += result->measure_seconds;
			measured++;
		}
		if (!result->is_raced &&
			(self->fastest == SIZE_MAX ||
				result->time_ns <
					recording->results[self->fastest].time_ns))
			self->fastest = i;
	}
	if (compiled)
		self->compile_seconds /= (double)compiled;
	if (measured)
		self->measure_seconds /= (double)measured;
}

static const struct at_recorded *row_at(const struct source *self, size_t row)
{
	return &self->recording->results[row];
}

static double compile_seconds(const struct source *self, size_t row)
{
	double seconds = row_at(self, row)->compile_seconds;

	return isnan(seconds) ? self->compile_seconds : seconds;
}

/* Time of the row at the board; 0 for a failed row, which never gets there. */
static double measure_seconds(const struct source *self, size_t row)
{
	double seconds = row_at(self, row)->measure_seconds;

	if (row_at(self, row)->outcome != AT_OUTCOME_OK)
		return 0;
	return isnan(seconds) ? self->measure_seconds : seconds;
}

/* Whether the night makes this row wrong: the fastest, if `wrong` is set. */
static bool is_wrong(const struct source *self, size_t row)
{
	return self->night.is_wrong && row == self->fastest;
}

static void put_night(const struct source *self, size_t row, uint64_t occasion,
	double *samples_ns, size_t count)
{
	at_replay_night_apply(
		&self->night, row, row == self->fastest, occasion, samples_ns, count);
}

/* The recorded result of the row. */
static void give_result(
	const struct source *self, size_t row, struct at_measure_result *out)
{
	const struct at_recording *recording = self->recording;
	const struct at_recorded *result = row_at(self, row);
	struct at_interval interval;
	size_t count = result->sample_count ? result->sample_count : 1;
	double *sorted;

	out->outcome = AT_OUTCOME_OK;
	out->raced = result->is_raced;
	out->samples_ns = at_calloc(count, sizeof(*out->samples_ns));
	out->sample_count = (uint32_t)count;
	out->samples_ns[0] = result->time_ns;
	if (result->sample_count)
		memcpy(out->samples_ns, recording->samples_ns + result->sample_begin,
			count * sizeof(*out->samples_ns));
	put_night(self, row, row, out->samples_ns, count);
	sorted = at_calloc(count, sizeof(*sorted));
	/* sort a copy: samples stay in the order of measurement */
	memcpy(sorted, out->samples_ns, count * sizeof(*sorted));
	interval = at_statistics_median(sorted, count);
	free(sorted);
	out->launches_per_sample = 1;
	/* the time to search for is the file's, which may be the mean of the samples */
	out->time_ns = result->time_ns;
	if (self->night.night)
		out->time_ns = interval.median;
	out->low_ns = fmin(interval.low, out->time_ns);
	out->high_ns = fmax(interval.high, out->time_ns);
	if (count == 1)
		out->low_ns = out->high_ns = NAN;
	out->measure_ns = (uint64_t)llround(measure_seconds(self, row) * 1e9);
}

/* The row's result in finals: samples drawn from the recorded ones with replacement,
   the best estimate of another measurement. */
static void give_final(const struct source *self, size_t row,
	const struct at_measure_finals *how, struct at_random *random,
	struct at_measure_result *out)
{
	const struct at_recording *recording = self->recording;
	const struct at_recorded *result = row_at(self, row);
	uint32_t count = how->blocks * how->rounds;
	double *sorted = at_calloc(count, sizeof(*sorted));
	struct at_interval interval;

	out->samples_ns = at_calloc(count, sizeof(*out->samples_ns));
	for (uint32_t i = 0; i < count; i++)
		out->samples_ns[i] =
			result->sample_count
				? recording->samples_ns[result->sample_begin +
							at_random_below(random,
								result->sample_count)]
				: result->time_ns;
	put_night(self, row, how->seed, out->samples_ns, count);
	memcpy(sorted, out->samples_ns, count * sizeof(*sorted));
	for (uint32_t i = 0; i < how->blocks; i++)
		out->blocks_ns[i] = at_statistics_median(
			sorted + (size_t)i * how->rounds, how->rounds)
					    .median;
	free(sorted);
	interval = at_statistics_blocks(out->blocks_ns, how->blocks, 0.95);
	out->outcome = AT_OUTCOME_OK;
	out->sample_count = count;
	out->block_count = how->blocks;
	out->launches_per_sample = 1;
	out->time_ns = interval.median;
	out->low_ns = interval.low;
	out->high_ns = interval.high;
}

/* Identifies a recording by its contents. */
static struct at_hash hash_recording(const struct at_recording *recording)
{
	double *times = at_calloc(recording->count, sizeof(*times));
	struct at_hash rows, hash;

	for (size_t i = 0; i < recording->count; i++)
		times[i] = recording->results[i].outcome == AT_OUTCOME_OK
				   ? recording->results[i].time_ns
				   : -(double)recording->results[i].outcome;
	rows = at_hash_bytes(recording->rows, recording->count *
						      recording->parameter_count *
						      sizeof(*recording->rows));
	hash = at_hash_bytes(times, recording->count * sizeof(*times));
	free(times);
	return (struct at_hash){ .low = rows.low ^ hash.low,
		.high = rows.high ^ hash.high };
}

void at_replay_describe(
	const struct at_recording *recording, struct at_device_info *out)
{
	memset(out, 0, sizeof(*out));
	snprintf(out->kind, sizeof(out->kind), "replay");
	snprintf(out->id, sizeof(out->id), AT_REPLAY_PREFIX "%s", recording->name);
	snprintf(out->model, sizeof(out->model), "replay of %s",
		*recording->device ? recording->device : recording->name);
}

/* ---- parameters and values ----------------------------------------------------- */

/* A parameter of the recording in the caller's numbering. */
struct column {
	size_t place; /* index among the caller's parameters; SIZE_MAX: missing */
	/* for each of the caller's values; UINT16_MAX: not recorded */
	uint16_t *values;
};

/* Whether two values are equal: a boolean is 0 or 1, and an integer may be a real. */
static bool is_same_value(struct at_value a, struct at_value b)
{
	if (a.type == AT_TYPE_WORD || b.type == AT_TYPE_WORD)
		return at_value_equal(a, b);
	if (a.type == AT_TYPE_REAL || b.type == AT_TYPE_REAL)
		return (a.type == AT_TYPE_REAL ? a.real : (double)a.integer) ==
		       (b.type == AT_TYPE_REAL ? b.real : (double)b.integer);
	return a.integer == b.integer;
}

/* Maps the caller's numbering of parameters and values to the recording's. */
struct columns {
	const struct at_recording *recording;
	struct column *items; /* one a parameter; NULL: same numbering */
	uint16_t *configuration; /* scratch, in the recording's numbering */
};

static enum at_status match(struct columns *self, size_t parameter,
	const struct at_search_parameter *parameters, size_t count,
	struct at_error *err)
{
	const struct at_search_parameter *own = &self->recording->parameters[parameter];
	struct column *column = &self->items[parameter];

	column->place = SIZE_MAX;
	for (size_t i = 0; i < count; i++)
		if (!strcmp(parameters[i].name, own->name))
			column->place = i;
	if (column->place == SIZE_MAX && own->value_count == 1)
		return AT_OK;
	if (column->place == SIZE_MAX)
		return at_fail(err, AT_EINVAL, self->recording->path, 0,
			"was recorded with a parameter \"%s\", which the space lacks: add it with the value that the template has",
			own->name);
	parameters += column->place;
	column->values = at_calloc(parameters->value_count, sizeof(*column->values));
	for (size_t k = 0; k < parameters->value_count; k++) {
		column->values[k] = UINT16_MAX;
		for (size_t i = 0; i < own->value_count; i++)
			if (is_same_value(own->values[i], parameters->values[k]))
				column->values[k] = (uint16_t)i;
	}
	return AT_OK;
}

/* AT_EINVAL: one side has a parameter with several values that the other side lacks.
   free_replay() is needed also after a failure. */
static enum at_status columns_init(struct columns *self,
	const struct at_recording *recording,
	const struct at_search_parameter *parameters, size_t count,
	struct at_error *err)
{
	size_t width = recording->parameter_count;
	enum at_status status = AT_OK;

	*self = (struct columns){ .recording = recording };
	if (!parameters)
		return AT_OK;
	self->items = at_calloc(width, sizeof(*self->items));
	self->configuration = at_calloc(width, sizeof(*self->configuration));
	for (size_t i = 0; i < width && !status; i++)
		status = match(self, i, parameters, count, err);
	for (size_t i = 0; i < count && !status; i++) {
		bool is_matched = parameters[i].value_count == 1;

		for (size_t k = 0; k < width; k++)
			is_matched = is_matched || self->items[k].place == i;
		if (!is_matched)
			status = at_fail(err, AT_EINVAL, recording->path, 0,
				"was recorded without the parameter \"%s\"",
				parameters[i].name);
	}
	return status;
}

/* The row of a configuration in the recording; SIZE_MAX: it was not recorded. */
static size_t columns_find(struct columns *self, const uint16_t *configuration)
{
	if (!self->items)
		return at_recording_find(self->recording, configuration);
	for (size_t i = 0; i < self->recording->parameter_count; i++) {
		const struct column *column = &self->items[i];

		self->configuration[i] =
			column->place == SIZE_MAX
				? 0
				: column->values[configuration[column->place]];
	}
	/* no row has UINT16_MAX, so it is not found */
	return at_recording_find(self->recording, self->configuration);
}

/* ---- items --------------------------------------------------------------------- */

/* The progress of an item. */
enum stage {
	STAGE_CALL, /* a call by later(): due at once */
	STAGE_OFF, /* cancelled: due at once */
	STAGE_REFUSED, /* not in the recording: due at once */
	STAGE_QUEUED, /* waits for a compiler */
	STAGE_COMPILING,
	STAGE_READY, /* waits for the board */
	STAGE_AT_BOARD,
};

/* A request: an evaluation, finals, a verification or a call. */
struct item {
	struct item *next; /* in the order of requests */
	enum stage stage;
	uint64_t due_ns; /* COMPILING, AT_BOARD: the end */
	bool is_cut; /* cancelled at due_ns */
	uint64_t ready_number; /* order in which items became READY */
	struct task *task; /* an evaluation; holds a reference */
	struct task *finalists[AT_FINALISTS_MAX]; /* hold references */
	size_t row; /* of an evaluation or a verification */
	at_finals_answered finals_answered;
	at_verified verified;
	void (*call)(void *);
	void *context;
	size_t count; /* of finalists */
	struct at_measure_finals finals;
};

struct replay {
	struct at_evaluator base;
	struct at_replay_options options;
	struct item *items;
	struct item **last;
	uint64_t now_ns;
	uint64_t ready_count;
	size_t compiling;
	bool is_board_busy;
	struct source source;
	struct columns columns;
	bool is_stepping;
	bool is_closed; /* closed by a callback: freed when the step returns */
};

struct task {
	struct at_task base;
	size_t row;
};

static struct replay *of(struct at_evaluator *base)
{
	return (struct replay *)base;
}

static const struct replay *of_const(const struct at_evaluator *base)
{
	return (const struct replay *)base;
}

/* ---- the queue --------------------------------------------------------------- */

static struct item *add(struct replay *self, enum stage stage)
{
	struct item *item = at_calloc(1, sizeof(*item));

	item->stage = stage;
	if (stage == STAGE_READY)
		item->ready_number = self->ready_count++;
	*self->last = item;
	self->last = &item->next;
	if (self->options.wake && !self->is_stepping)
		self->options.wake(self->options.context);
	return item;
}

static void unlink_item(struct replay *self, struct item *item)
{
	struct item **link = &self->items;

	while (*link && *link != item)
		link = &(*link)->next;
	assert(*link); /* each item is unlinked once */
	*link = item->next;
	if (!item->next)
		self->last = link;
	self->compiling -= item->stage == STAGE_COMPILING;
	if (item->stage == STAGE_AT_BOARD)
		self->is_board_busy = false;
}

static void free_item(struct item *item)
{
	if (item->task)
		at_task_free(&item->task->base);
	for (size_t i = 0; i < item->count; i++)
		at_task_free(&item->finalists[i]->base);
	free(item);
}

static uint64_t after(const struct replay *self, double seconds)
{
	return self->now_ns + (uint64_t)llround(seconds * 1e9);
}

static void free_replay(struct replay *self)
{
	const struct columns *columns = &self->columns;

	for (size_t i = 0; columns->items && i < columns->recording->parameter_count;
		i++)
		free(columns->items[i].values);
	free(columns->items);
	free(columns->configuration);
	free(self);
}

/* The seconds that finals take. A round is one launch of each configuration in all
   blocks; rounds are dropped if the caller's time is too short. */
static double finals_seconds(const struct replay *self, struct item *item)
{
	double round = 0;

	for (size_t i = 0; i < item->count; i++)
		round += row_at(&self->source, item->finalists[i]->row)->time_ns * 1e-9;
	round *= item->finals.blocks;
	while (item->finals.rounds > ROUNDS_MIN &&
		round * (item->finals.rounds - 1) >= item->finals.seconds)
		item->finals.rounds--;
	return round * item->finals.rounds;
}

/* Gives waiting items to free compilers and the free board; only this starts work. */
static void dispatch(struct replay *self)
{
	struct item *first = NULL;
	size_t evaluations = 0;

	for (struct item *item = self->items; item; item = item->next) {
		evaluations += item->task != NULL;
		if (item->stage != STAGE_QUEUED ||
			self->compiling == self->options.compilers)
			continue;
		item->stage = STAGE_COMPILING;
		item->due_ns = after(self, compile_seconds(&self->source, item->row));
		self->compiling++;
	}
	for (struct item *item = self->items; item; item = item->next) {
		/* finals start after every evaluation begun so far */
		if (item->stage != STAGE_READY ||
			(item->finals_answered && evaluations))
			continue;
		if (!first || item->ready_number < first->ready_number)
			first = item;
	}
	if (self->is_board_busy || !first)
		return;
	first->stage = STAGE_AT_BOARD;
	self->is_board_busy = true;
	first->due_ns = after(self,
		first->finals_answered ? finals_seconds(self, first)
				       : measure_seconds(&self->source, first->row));
}

/* ---- answers ----------------------------------------------------------------- */

/* Answers an evaluation, which has no row if cancelled or refused. */
static void answer_evaluation(struct replay *self, struct item *item)
{
	struct at_task *task = &item->task->base;
	const char *detail = task->plan.detail;
	const bool is_off = item->stage == STAGE_OFF || item->is_cut;

	task->outcome = is_off ? AT_OUTCOME_NONE : task->plan.outcome;
	if (!is_off && item->stage != STAGE_REFUSED) {
		const struct at_recorded *result = row_at(&self->source, item->row);

		task->outcome = result->outcome;
		detail = result->reason;
		if (is_wrong(&self->source, item->row)) {
			task->outcome = AT_OUTCOME_WRONG_RESULT;
			detail = "wrong, as was asked for of this night";
		}
		task->facts = result->facts;
		if (task->facts.compile_ns < 0 && !isnan(result->compile_seconds))
			task->facts.compile_ns = llround(result->compile_seconds * 1e9);
	}
	snprintf(task->detail, sizeof(task->detail), "%s", detail);
	if (task->outcome == AT_OUTCOME_OK) {
		give_result(&self->source, item->row, &task->result);
		task->is_measured = true;
		task->image = task->plan.key;
	}
	unlink_item(self, item);
	task->answered(task, NULL);
	free_item(item);
}

static void answer_finals(struct replay *self, struct item *item)
{
	struct at_random random;

	at_random_init(&random, self->options.seed ^
					(item->finals.seed + item->finals.begin) ^
					(self->options.night.night << 20));
	for (size_t i = 0; i < item->count; i++) {
		struct at_task *task = &item->finalists[i]->base;
		size_t row = item->finalists[i]->row;

		task->facts = row_at(&self->source, row)->facts;
		at_measure_result_release(&task->result);
		give_final(&self->source, row, &item->finals, &random, &task->result);
	}
	unlink_item(self, item);
	item->finals_answered(item->context, NULL);
	free_item(item);
}

/* Moves a due item on, from its compiler to the board or to its answer. Of several due
   items the first requested comes first. */
static void finish(struct replay *self, struct item *item)
{
	static const struct at_verification_answer passed = { .outcome = AT_OUTCOME_OK,
		.detail = "" };

	if (item->stage == STAGE_CALL) {
		unlink_item(self, item);
		item->call(item->context);
		free_item(item);
	} else if (item->stage == STAGE_COMPILING &&
		   row_at(&self->source, item->row)->outcome == AT_OUTCOME_OK) {
		self->compiling--;
		item->stage = STAGE_READY;
		item->ready_number = self->ready_count++;
	} else if (item->finals_answered) {
		answer_finals(self, item);
	} else if (item->verified) {
		unlink_item(self, item);
		item->verified(item->context, &passed, NULL);
		free_item(item);
	} else {
		answer_evaluation(self, item);
	}
}

/* The item that is due first, or NULL. */
static struct item *next_due(const struct replay *self)
{
	struct item *first = NULL;

	for (struct item *item = self->items; item; item = item->next) {
		if (item->stage == STAGE_CALL || item->stage == STAGE_OFF ||
			item->stage == STAGE_REFUSED)
			return item;
		if ((item->stage == STAGE_COMPILING || item->stage == STAGE_AT_BOARD) &&
			(!first || item->due_ns < first->due_ns))
			first = item;
	}
	return first;
}

bool at_replay_step(struct at_evaluator *base)
{
	struct replay *self = of(base);
	struct item *item;

	assert(!self->is_stepping);
	dispatch(self);
	item = next_due(self);
	if (!item)
		return false;
	if (item->stage == STAGE_COMPILING || item->stage == STAGE_AT_BOARD)
		self->now_ns = item->due_ns;
	self->is_stepping = true;
	finish(self, item);
	self->is_stepping = false;
	if (self->is_closed) {
		free_replay(self);
		return false;
	}
	return true;
}

void at_replay_run(struct at_evaluator *self)
{
	while (at_replay_step(self))
		;
}

/* ---- the table --------------------------------------------------------------- */

static void replay_stop(struct at_evaluator *base)
{
	struct replay *self = of(base);
	struct item **link = &self->items;

	/* calls by later() are no answers, so they stay */
	while (*link) {
		struct item *item = *link;

		if (item->stage == STAGE_CALL) {
			link = &item->next;
			continue;
		}
		*link = item->next;
		free_item(item);
	}
	self->last = link;
	self->compiling = 0;
	self->is_board_busy = false;
}

static void replay_close(struct at_evaluator *base)
{
	struct replay *self = of(base);

	replay_stop(base);
	while (self->items) {
		struct item *next = self->items->next;

		free_item(self->items);
		self->items = next;
	}
	self->last = &self->items;
	if (self->is_stepping)
		self->is_closed = true;
	else
		free_replay(self);
}

static enum at_status replay_plan(struct at_evaluator *base,
	const uint16_t *configuration, struct at_task **out, struct at_error *err)
{
	struct replay *self = of(base);
	size_t count = self->options.parameter_count;
	struct task *task = at_task_new(sizeof(*task), configuration, count);
	struct at_compiled_plan *plan = &task->base.plan;
	uint64_t place[] = { 0, UINT64_MAX };

	(void)err;
	task->row = columns_find(&self->columns, configuration);
	plan->outcome = AT_OUTCOME_OK;
	/* Keyed by the row, since the space's value numbers change when values are
	   added or removed. No configuration has the bytes of `place`, which end in
	   UINT64_MAX. */
	place[0] = task->row;
	plan->key = at_hash_grouped(self->base.info.source,
		task->row == SIZE_MAX
			? at_hash_bytes(configuration, count * sizeof(*configuration))
			: at_hash_bytes(place, sizeof(place)));
	plan->unit = plan->key;
	plan->flops = plan->bytes = NAN;
	if (task->row == SIZE_MAX) {
		plan->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(plan->detail, sizeof(plan->detail),
			"is not in the recording %.400s",
			self->options.recording->name);
	}
	*out = &task->base;
	return AT_OK;
}

static enum at_status replay_begin(
	struct at_evaluator *base, struct at_task *task, struct at_error *err)
{
	struct item *item = add(of(base),
		task->plan.outcome == AT_OUTCOME_OK ? STAGE_QUEUED : STAGE_REFUSED);

	(void)err;
	at_task_keep(task);
	item->task = (struct task *)task;
	item->row = item->task->row;
	return AT_OK;
}

static void replay_race(
	struct at_evaluator *base, double incumbent_ns, double longest_seconds)
{
	(void)base;
	(void)incumbent_ns;
	(void)longest_seconds;
}

static enum at_status replay_finals(struct at_evaluator *base,
	struct at_task *const *tasks, size_t count, const struct at_measure_finals *how,
	at_finals_answered answered, void *context, struct at_error *err)
{
	struct item *item = add(of(base), STAGE_READY);

	(void)err;
	for (size_t i = 0; i < count; i++) {
		at_task_keep(tasks[i]);
		item->finalists[i] = (struct task *)tasks[i];
	}
	item->count = count;
	item->finals = *how;
	item->finals_answered = answered;
	item->context = context;
	return AT_OK;
}

static enum at_status replay_verify(struct at_evaluator *base,
	const uint16_t *configuration, size_t verification_case, double seconds,
	at_verified verified, void *context, struct at_error *err)
{
	struct replay *self = of(base);
	struct item *item;
	size_t row = columns_find(&self->columns, configuration);

	(void)verification_case;
	(void)seconds;
	if (row == SIZE_MAX)
		return at_fail(err, AT_EINVAL, self->options.recording->path, 0,
			"does not hold what is to be verified");
	item = add(self, STAGE_READY);
	item->row = row;
	item->verified = verified;
	item->context = context;
	return AT_OK;
}

static const char *replay_case_name(
	const struct at_evaluator *base, size_t verification_case)
{
	(void)base;
	(void)verification_case;
	return "recorded";
}

static uint32_t replay_case_id(
	const struct at_evaluator *base, size_t verification_case)
{
	(void)base;
	return (uint32_t)verification_case;
}

static uint64_t replay_case_bytes(struct at_evaluator *base, size_t verification_case)
{
	(void)base;
	(void)verification_case;
	return 0;
}

static void replay_cancel(struct at_evaluator *base, double seconds)
{
	struct replay *self = of(base);
	const uint64_t end_ns = after(self, seconds);

	for (struct item *item = self->items; item; item = item->next) {
		if (!item->task || item->stage == STAGE_REFUSED)
			continue;
		if (item->stage == STAGE_AT_BOARD) {
			item->is_cut = item->due_ns > end_ns;
			item->due_ns = item->is_cut ? end_ns : item->due_ns;
			continue;
		}
		self->compiling -= item->stage == STAGE_COMPILING;
		item->stage = STAGE_OFF;
	}
}

static size_t replay_capacity(const struct at_evaluator *base)
{
	return OUT_EACH * (of_const(base)->options.compilers + 1);
}

static void replay_load(const struct at_evaluator *base, struct at_evaluator_load *out)
{
	*out = (struct at_evaluator_load){ 0 };
	for (struct item *item = of_const(base)->items; item; item = item->next) {
		out->compiling +=
			item->stage == STAGE_QUEUED || item->stage == STAGE_COMPILING;
		out->waiting += item->stage == STAGE_READY;
		out->measuring += item->stage == STAGE_AT_BOARD;
	}
}

static uint64_t replay_now_ns(const struct at_evaluator *base)
{
	return of_const(base)->now_ns;
}

static void replay_tick(struct at_evaluator *base)
{
	(void)base;
}

static void replay_later(struct at_evaluator *base, void (*call)(void *), void *context)
{
	struct item *item = add(of(base), STAGE_CALL);

	item->call = call;
	item->context = context;
}

static const struct at_evaluator_ops replay_ops = {
	.close = replay_close,
	.plan = replay_plan,
	.begin = replay_begin,
	.race = replay_race,
	.finals = replay_finals,
	.verify = replay_verify,
	.case_name = replay_case_name,
	.case_id = replay_case_id,
	.case_bytes = replay_case_bytes,
	.cancel = replay_cancel,
	.stop = replay_stop,
	.capacity = replay_capacity,
	.load = replay_load,
	.now_ns = replay_now_ns,
	.tick = replay_tick,
	.later = replay_later,
};

double at_replay_mean_seconds(const struct at_recording *recording, size_t compilers)
{
	const struct at_replay_night none = { 0 };
	struct source source;
	size_t passed = 0;

	source_init(&source, recording, &none);
	for (size_t i = 0; i < recording->count; i++)
		passed += recording->results[i].outcome == AT_OUTCOME_OK;
	/* failed configurations never reach the board */
	return fmax(source.compile_seconds / (double)compilers,
		source.measure_seconds * (double)passed / (double)recording->count);
}

enum at_status at_replay_open(const struct at_replay_options *options,
	struct at_evaluator **out, struct at_error *err)
{
	const struct at_recording *recording = options->recording;
	struct replay *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->base.ops = &replay_ops;
	self->options = *options;
	self->last = &self->items;
	self->base.info.source = hash_recording(recording);
	status = columns_init(&self->columns, recording, options->parameters,
		options->parameter_count, err);
	if (status) {
		free_replay(self);
		return status;
	}
	/* borrowed only for this call */
	self->options.parameters = NULL;
	if (!options->parameters)
		self->options.parameter_count = recording->parameter_count;
	source_init(&self->source, recording, &options->night);
	at_replay_describe(recording, &self->base.info.device);
	snprintf(self->base.info.device.no_energy,
		sizeof(self->base.info.device.no_energy),
		"a recording has times alone");
	snprintf(self->base.info.toolchain, sizeof(self->base.info.toolchain),
		"recorded");
	self->base.info.case_count = self->base.info.night_first = 1;
	*out = &self->base;
	return AT_OK;
}
