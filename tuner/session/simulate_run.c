/* One simulated search: one strategy on one recording, with answers in the order asked
   or in virtual time (simulate.h). */
#include "session/simulate_parts.h"

#include "base/memory.h"
#include "evaluator/replay/replay.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum at_status at_simulate_bed_init(struct at_simulate_bed *self,
	const struct at_recording *recording, struct at_error *err)
{
	enum at_status status;

	*self = (struct at_simulate_bed){ .recording = recording };
	status = at_search_space_from_rows(recording->parameters,
		recording->parameter_count, recording->rows, recording->count,
		&self->space, err);
	if (status)
		return status;
	self->rows = at_calloc(recording->count, sizeof(*self->rows));
	/* the space has an order of its own */
	for (size_t i = 0; i < recording->count; i++)
		self->rows[at_search_space_find(self->space,
			recording->rows + i * recording->parameter_count)] = i;
	return AT_OK;
}

void at_simulate_bed_release(struct at_simulate_bed *self)
{
	at_search_space_free(self->space);
	free(self->rows);
	*self = (struct at_simulate_bed){ 0 };
}

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Fills in what a strategy is told of a row. */
static void fill_told(const struct at_recording *recording, size_t row, uint64_t index,
	struct at_told *told)
{
	const struct at_recorded *result = &recording->results[row];

	*told = (struct at_told){
		.index = index,
		.outcome = result->outcome,
		.cost = INFINITY,
	};
	if (result->outcome != AT_OUTCOME_OK)
		return;
	told->is_raced = result->is_raced;
	told->cost = result->time_ns;
}

/* ---- in the order asked ----------------------------------------------------- */

/* Asks a strategy and adds up its processor time. Answers that break the contract of
   strategies are AT_EINVAL. out: number of evaluations that are not answered. */
static enum at_status ask(struct at_strategy *strategy, uint64_t count, bool *asked,
	size_t out, struct at_simulate_run *run, enum at_ask *answer, uint64_t *index,
	struct at_error *err)
{
	double begin = processor_seconds();

	*answer = strategy->kind->ask(strategy, index);
	run->strategy_seconds += processor_seconds() - begin;
	switch (*answer) {
	case AT_ASK_CONFIGURATION:
		if (*index >= count)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"asks for configuration %llu of %llu",
				(unsigned long long)*index, (unsigned long long)count);
		if (asked[*index])
			return at_fail(err, AT_EINVAL, NULL, 0,
				"asks twice for configuration %llu",
				(unsigned long long)*index);
		asked[*index] = true;
		return AT_OK;
	case AT_ASK_WAIT:
		if (!out)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"waits for an answer, and nothing is out");
		return AT_OK;
	case AT_ASK_DONE:
		return AT_OK;
	}
	return at_fail(err, AT_EINVAL, NULL, 0, "gives an odd answer");
}

static enum at_status search_in_order(const struct at_simulate_bed *bed,
	struct at_strategy *strategy, const struct at_simulate_options *options,
	bool *asked, struct at_simulate_run *run, struct at_error *err)
{
	uint64_t count = at_search_space_count(bed->space), index;
	/* steps[told_count .. begun) are out; their row is still an index of the
	   space */
	size_t begun = 0, told_count = 0;
	enum at_ask answer = AT_ASK_CONFIGURATION;
	enum at_status status;

	for (;;) {
		struct at_told told;
		double begin;

		while (begun - told_count < options->in_flight &&
			begun < options->evaluations && answer != AT_ASK_DONE) {
			status = ask(strategy, count, asked, begun - told_count, run,
				&answer, &index, err);
			if (status)
				return status;
			if (answer != AT_ASK_CONFIGURATION)
				break;
			run->steps[begun++].row = index;
		}
		if (told_count == begun)
			break;
		index = run->steps[told_count].row;
		run->steps[told_count].row = bed->rows[index];
		fill_told(bed->recording, bed->rows[index], index, &told);
		begin = processor_seconds();
		strategy->kind->tell(strategy, &told);
		run->strategy_seconds += processor_seconds() - begin;
		run->count = ++told_count;
	}
	/* the strategy ended by itself, with configurations left to try */
	run->is_stopped = answer == AT_ASK_DONE && run->count < count;
	return AT_OK;
}

/* ---- in virtual time --------------------------------------------------------- */

/* A run against an evaluator in virtual time. */
struct clocked {
	const struct at_simulate_bed *bed;
	struct at_strategy *strategy;
	const struct at_simulate_options *options;
	bool *asked;
	struct at_simulate_run *run;
	size_t step_capacity;
	struct at_evaluator *evaluator;
	uint64_t end_ns; /* when the run's time is over, in virtual time */
	size_t begun;
	enum at_ask answer; /* the last answer of the strategy */
	struct at_error *err;
};

/* One evaluation on its way. */
struct trial {
	struct clocked *clocked;
	uint64_t index;
};

static void fill_up(struct clocked *self);

static void answered(
	void *context, struct at_answer *answer, const struct at_error *problem)
{
	struct trial *trial = context;
	struct clocked *self = trial->clocked;
	struct at_simulate_run *run = self->run;
	uint64_t index = trial->index;
	struct at_told told;
	double begin;

	free(trial);
	(void)answer;
	if (problem && !self->err->status)
		*self->err = *problem;
	if (self->err->status)
		return;
	AT_GROW(run->steps, self->step_capacity, run->count + 1);
	run->steps[run->count++] = (struct at_simulate_step){
		.row = self->bed->rows[index],
		.at_ns = self->evaluator->ops->now_ns(self->evaluator),
	};
	fill_told(self->bed->recording, self->bed->rows[index], index, &told);
	begin = processor_seconds();
	self->strategy->kind->tell(self->strategy, &told);
	run->strategy_seconds += processor_seconds() - begin;
	fill_up(self);
}

/* Asks for as many evaluations as may be out, as a tuning does. */
static void fill_up(struct clocked *self)
{
	struct at_evaluator *evaluator = self->evaluator;
	const struct at_trial_options whole = { .full = true };
	uint64_t count = at_search_space_count(self->bed->space);
	size_t room = self->options->in_flight;

	if (!room)
		room = evaluator->ops->capacity(evaluator);
	while (!self->err->status && self->answer != AT_ASK_DONE &&
		self->begun - self->run->count < room) {
		size_t width = self->bed->recording->parameter_count;
		struct at_planned *planned;
		struct trial *trial;
		uint64_t index;

		/* an evaluation begun after this would be too late to count */
		if (self->begun >= self->options->evaluations &&
			evaluator->ops->now_ns(evaluator) >= self->end_ns)
			return;
		if (ask(self->strategy, count, self->asked,
			    self->begun - self->run->count, self->run, &self->answer,
			    &index, self->err))
			return;
		if (self->answer != AT_ASK_CONFIGURATION)
			return;
		trial = at_malloc(sizeof(*trial));
		*trial = (struct trial){ self, index };
		if (evaluator->ops->plan(evaluator,
			    self->bed->recording->rows + self->bed->rows[index] * width,
			    &planned, self->err) ||
			evaluator->ops->begin(evaluator, planned, &whole, answered,
				trial, self->err)) {
			free(trial);
			return;
		}
		self->begun++;
	}
}

static enum at_status search_in_time(const struct at_simulate_bed *bed,
	struct at_strategy *strategy, const struct at_simulate_options *options,
	uint64_t seed, bool *asked, struct at_simulate_run *run, struct at_error *err)
{
	const struct at_replay_options replay = {
		.recording = bed->recording,
		.compilers = options->compilers,
		.seed = seed,
	};
	double seconds = at_replay_mean_seconds(bed->recording, options->compilers) *
			 (double)options->evaluations;
	struct clocked self = {
		.bed = bed,
		.strategy = strategy,
		.options = options,
		.asked = asked,
		.run = run,
		.end_ns = (uint64_t)llround(seconds * 1e9),
		.answer = AT_ASK_CONFIGURATION,
		.err = err,
	};
	enum at_status status = at_replay_open(&replay, &self.evaluator, err);

	if (status)
		return status;
	fill_up(&self);
	/* also after an error, since trials that are out have to be freed */
	at_replay_run(self.evaluator);
	self.evaluator->ops->close(self.evaluator);
	run->is_stopped = self.answer == AT_ASK_DONE &&
			  run->count < at_search_space_count(bed->space);
	return err->status;
}

enum at_status at_simulate_search(const struct at_simulate_bed *bed,
	const char *strategy, const struct at_simulate_options *options, uint64_t seed,
	struct at_simulate_run *run, struct at_error *err)
{
	const struct at_recording *recording = bed->recording;
	const struct at_strategy_kind *kind;
	struct at_strategy *searcher = NULL;
	const char *kind_options;
	bool *asked = NULL;
	enum at_status status = at_strategy_find(strategy, &kind, &kind_options, err);

	*run = (struct at_simulate_run){ 0 };
	if (!status)
		status = kind->open(
			kind, bed->space, kind_options, seed, &searcher, err);
	if (status)
		return status;
	if (!options->compilers)
		run->steps = at_calloc(options->evaluations, sizeof(*run->steps));
	asked = at_calloc(recording->count + 1, sizeof(*asked));
	if (options->compilers)
		status = search_in_time(bed, searcher, options, seed, asked, run, err);
	else
		status = search_in_order(bed, searcher, options, asked, run, err);
	searcher->kind->close(searcher);
	free(asked);
	return status;
}
