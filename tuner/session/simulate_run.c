/* One search of one recording by one strategy. */
#include "session/simulate_parts.h"

#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
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
	self->rows = calloc(recording->count, sizeof(*self->rows));
	if (!self->rows) {
		at_simulate_bed_release(self);
		return at_fail_memory(err);
	}
	/* the space has its own order */
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

/* scratch: room for the samples of any row. */
static void fill_told(const struct at_recording *recording, size_t row, uint64_t index,
	double *scratch, struct at_told *told)
{
	const struct at_recorded *result = &recording->results[row];

	*told = (struct at_told){
		.index = index,
		.outcome = result->outcome,
		.cost = INFINITY,
		.cost_low = INFINITY,
		.cost_high = INFINITY,
		.facts = recording->facts ? &recording->facts[row] : NULL,
		.compile_seconds = result->compile_seconds,
		.measure_seconds = result->measure_seconds,
	};
	if (result->outcome != AT_OUTCOME_OK)
		return;
	told->is_raced = result->is_raced;
	told->cost = told->cost_low = told->cost_high = result->time_ns;
	if (result->sample_count > 1) {
		struct at_interval interval;

		memcpy(scratch, recording->samples_ns + result->sample_begin,
			result->sample_count * sizeof(*scratch));
		interval = at_statistics_median(scratch, result->sample_count);
		/* of the median, where what the file sums up may be a mean */
		told->cost_low = fmin(told->cost, interval.low);
		told->cost_high = fmax(told->cost, interval.high);
	}
}

/* ask() with its time, refusing what the contract of a strategy excludes */
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
	bool *asked, double *scratch, struct at_simulate_run *run, struct at_error *err)
{
	uint64_t count = at_search_space_count(bed->space), index;
	/* steps[told .. begun) are out */
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
		fill_told(bed->recording, bed->rows[index], index, scratch, &told);
		begin = processor_seconds();
		strategy->kind->tell(strategy, &told);
		run->strategy_seconds += processor_seconds() - begin;
		run->count = ++told_count;
	}
	/* without this answer it would have gone on */
	run->is_stopped = answer == AT_ASK_DONE && run->count < count;
	return AT_OK;
}

enum at_status at_simulate_search(const struct at_simulate_bed *bed,
	const char *strategy, const struct at_simulate_options *options, uint64_t seed,
	struct at_simulate_run *run, struct at_error *err)
{
	const struct at_recording *recording = bed->recording;
	const struct at_strategy_kind *kind;
	struct at_strategy *searcher = NULL;
	const char *kind_options;
	size_t most = 1;
	bool *asked = NULL;
	double *scratch = NULL;
	enum at_status status = at_strategy_find(strategy, &kind, &kind_options, err);

	*run = (struct at_simulate_run){ 0 };
	for (size_t i = 0; i < recording->count; i++)
		if (recording->results[i].sample_count > most)
			most = recording->results[i].sample_count;
	if (!status)
		status = kind->open(bed->space, kind_options, seed, &searcher, err);
	if (status)
		return status;
	run->steps = calloc(options->evaluations, sizeof(*run->steps));
	asked = calloc(recording->count, sizeof(*asked));
	scratch = calloc(most, sizeof(*scratch));
	if (run->steps && asked && scratch)
		status = search_in_order(
			bed, searcher, options, asked, scratch, run, err);
	else
		status = at_fail_memory(err);
	searcher->kind->close(searcher);
	free(asked);
	free(scratch);
	return status;
}
