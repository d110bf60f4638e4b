/* Compares strategies on recordings (simulate.h): searches in processes, then
   figures. */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#include "session/simulate.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/quota.h"
#include "base/random.h"
#include "evaluator/replay/replay.h"
#include "search/strategy.h"
#include "session/phase_finals.h"
#include "session/standings.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* a smaller gain is hardly significant in finals */
#define WORTH_GAINING 0.01

const size_t at_simulate_marks[AT_SIMULATE_MARK_COUNT] = AT_SIMULATE_MARKS;

/* A recording as a search space for strategies. */
struct at_simulate_bed {
	const struct at_recording *recording;
	struct at_search_space *space;
	size_t *rows; /* for each index of the space, the recording's row */
};

/* ---- one search --------------------------------------------------------------- */

/* Makes the space; the recording is borrowed. A failure leaves nothing to release. */
static enum at_status bed_init(struct at_simulate_bed *self,
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
	/* the space has its own order */
	for (size_t i = 0; i < recording->count; i++)
		self->rows[at_search_space_find(self->space,
			recording->rows + i * recording->parameter_count)] = i;
	return AT_OK;
}

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A search: one strategy on one recording. */
struct searcher {
	const struct at_simulate_bed *bed;
	struct at_strategy *strategy;
	const struct at_simulate_options *options;
	bool *asked; /* each configuration, at most once */
	struct at_simulate_run *run;
	size_t begun; /* evaluations begun; those from run->count on are out */
	enum at_ask answer; /* the last answer of the strategy */
	/* with virtual time; NULL: answers come in the order of the requests */
	struct at_evaluator *evaluator;
	uint64_t end_ns; /* the run's deadline, in virtual time */
	struct at_error *err;
};

/* Asks the strategy and adds up its processor time. False: it has no configuration now.
   Answers that break the contract of strategies are AT_EINVAL. */
static bool ask(struct searcher *self, uint64_t *index)
{
	uint64_t count = at_search_space_count(self->bed->space);
	double begin = processor_seconds();

	self->answer = self->strategy->kind->ask(self->strategy, index);
	self->run->strategy_seconds += processor_seconds() - begin;
	switch (self->answer) {
	case AT_ASK_CONFIGURATION:
		if (*index >= count)
			at_fail(self->err, AT_EINVAL, NULL, 0,
				"asks for configuration %llu of %llu",
				(unsigned long long)*index, (unsigned long long)count);
		else if (self->asked[*index])
			at_fail(self->err, AT_EINVAL, NULL, 0,
				"asks twice for configuration %llu",
				(unsigned long long)*index);
		else
			self->asked[*index] = true;
		return !self->err->status;
	case AT_ASK_WAIT:
		if (self->begun == self->run->count)
			at_fail(self->err, AT_EINVAL, NULL, 0,
				"waits for an answer, and nothing is out");
		return false;
	case AT_ASK_DONE:
		return false;
	}
	at_fail(self->err, AT_EINVAL, NULL, 0, "gives an odd answer");
	return false;
}

/* Tells the strategy a result and records the step. */
static void tell(struct searcher *self, uint64_t index, uint64_t at_ns)
{
	struct at_simulate_run *run = self->run;
	size_t row = self->bed->rows[index];
	const struct at_recorded *result = &self->bed->recording->results[row];
	const bool is_ok = result->outcome == AT_OUTCOME_OK;
	const struct at_told told = {
		.index = index,
		.outcome = result->outcome,
		.cost = is_ok ? result->time_ns : INFINITY,
		.is_raced = is_ok && result->is_raced,
	};
	double begin;

	run->steps[run->count++] = (struct at_simulate_step){ row, at_ns };
	begin = processor_seconds();
	self->strategy->kind->tell(self->strategy, &told);
	run->strategy_seconds += processor_seconds() - begin;
}

static void search_in_order(struct searcher *self)
{
	size_t most = self->options->evaluations;
	uint64_t *order = at_calloc(most, sizeof(*order));

	do {
		while (self->begun - self->run->count < self->options->in_flight &&
			self->begun < most && self->answer != AT_ASK_DONE &&
			ask(self, &order[self->begun]))
			self->begun++;
		if (self->err->status || self->run->count == self->begun)
			break;
		tell(self, order[self->run->count], 0);
	} while (true);
	free(order);
}

/* ---- in virtual time --------------------------------------------------------- */

static void fill_up(struct searcher *self);

static void answered(struct at_task *task, const struct at_error *problem)
{
	struct searcher *self = task->context;

	if (problem && !self->err->status)
		*self->err = *problem;
	if (self->err->status)
		return;
	tell(self, task->index, self->evaluator->ops->now_ns(self->evaluator));
	fill_up(self);
}

/* Begins as many evaluations as allowed, as a tuning does. */
static void fill_up(struct searcher *self)
{
	struct at_evaluator *evaluator = self->evaluator;
	const struct at_recording *recording = self->bed->recording;
	size_t room = self->options->in_flight;

	if (!room)
		room = evaluator->ops->capacity(evaluator);
	while (!self->err->status && self->answer != AT_ASK_DONE &&
		self->begun - self->run->count < room) {
		enum at_status status;
		struct at_task *task;
		uint64_t index;

		/* a later evaluation would not count */
		if ((self->begun >= self->options->evaluations &&
			    evaluator->ops->now_ns(evaluator) >= self->end_ns) ||
			!ask(self, &index))
			return;
		if (evaluator->ops->plan(evaluator,
			    recording->rows +
				    self->bed->rows[index] * recording->parameter_count,
			    &task, self->err))
			return;
		task->index = index;
		task->how.full = true;
		task->answered = answered;
		task->context = self;
		status = evaluator->ops->begin(evaluator, task, self->err);
		at_task_free(task);
		if (status)
			return;
		self->begun++;
	}
}

static void search_in_time(struct searcher *self, uint64_t seed)
{
	const struct at_recording *recording = self->bed->recording;
	const struct at_replay_options replay = {
		.recording = recording,
		.compilers = self->options->compilers,
		.seed = seed,
	};
	double seconds = at_replay_mean_seconds(recording, self->options->compilers) *
			 (double)self->options->evaluations;

	self->end_ns = (uint64_t)llround(seconds * 1e9);
	if (at_replay_open(&replay, &self->evaluator, self->err))
		return;
	fill_up(self);
	/* also after an error, to free the trials that are out */
	at_replay_run(self->evaluator);
	self->evaluator->ops->close(self->evaluator);
}

/* Runs one search in the calling process. strategy: as on the command line. AT_EINVAL:
   the strategy breaks its contract. run->steps has room for each row of the
   recording. */
static enum at_status search(const struct at_simulate_bed *bed, const char *strategy,
	const struct at_simulate_options *options, uint64_t seed,
	struct at_simulate_run *run, struct at_error *err)
{
	const struct at_strategy_kind *kind;
	struct searcher self = { .bed = bed,
		.options = options,
		.run = run,
		.answer = AT_ASK_CONFIGURATION,
		.err = err };
	const char *kind_options;
	enum at_status status = at_strategy_find(strategy, &kind, &kind_options, err);

	if (!status)
		status = kind->open(
			kind, bed->space, kind_options, seed, &self.strategy, err);
	if (status)
		return status;
	self.asked = at_calloc(bed->recording->count + 1, sizeof(*self.asked));
	if (options->compilers)
		search_in_time(&self, seed);
	else
		search_in_order(&self);
	/* it ended by itself, with configurations left to try */
	run->is_stopped = self.answer == AT_ASK_DONE &&
			  run->count < at_search_space_count(bed->space);
	self.strategy->kind->close(self.strategy);
	free(self.asked);
	return err->status;
}

/* ---- finals ------------------------------------------------------------------- */

/* A candidate for the finals. */
struct entrant {
	uint64_t row;
	double measured_ns;
};

/*
 * A measurement with noise: the recorded time, times the median of `count` of the row's
 * samples, drawn with replacement, over the median of all its samples. The ratio is
 * used since the recorded time need not be the median: it may be a mean, or the least.
 * scratch: room for count values and for the row's samples.
 */
static double draw(const struct at_recording *recording, uint64_t row, size_t count,
	struct at_random *random, double *scratch)
{
	const struct at_recorded *result = &recording->results[row];
	const double *samples = recording->samples_ns + result->sample_begin;
	double whole;

	if (result->sample_count < 2)
		return result->time_ns;
	for (size_t i = 0; i < result->sample_count; i++)
		scratch[i] = samples[i];
	whole = at_score_quantile(scratch, result->sample_count, 0.5);
	for (size_t i = 0; i < count; i++)
		scratch[i] = samples[at_random_below(random, result->sample_count)];
	return result->time_ns * at_score_quantile(scratch, count, 0.5) / whole;
}

/* Chooses the best AT_PODIUM_SIZE by one measurement each; returns their number. */
static size_t choose(const struct at_recording *recording,
	const struct at_simulate_run *run, struct at_random *random, double *scratch,
	struct entrant *entrants)
{
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++) {
		struct entrant entrant = { .row = run->steps[i].row };
		const struct at_recorded *result = &recording->results[entrant.row];
		size_t place;

		if (result->outcome != AT_OUTCOME_OK)
			continue;
		entrant.measured_ns = draw(
			recording, entrant.row, result->sample_count, random, scratch);
		if (count < AT_PODIUM_SIZE)
			count++;
		else if (entrant.measured_ns >= entrants[count - 1].measured_ns)
			continue;
		for (place = count - 1; place > 0 && entrants[place - 1].measured_ns >
							     entrant.measured_ns;)
			place--;
		for (size_t k = count - 1; k > place; k--)
			entrants[k] = entrants[k - 1];
		entrants[place] = entrant;
	}
	return count;
}

/*
 * The recorded time, in ns, of the configuration that finals would select; NAN: nothing
 * passed. Deterministic in the seed. A simulated search knows recorded times, so it
 * keeps the best without error; a tuning measures once, with noise, and then runs
 * finals. Here both are drawn from the recorded samples (the bootstrap: Efron 1979),
 * and the finals are decided as in a tuning's first look (session/standings.h).
 */
static double select_winner(const struct at_recording *recording,
	const struct at_simulate_run *run, uint64_t seed)
{
	struct entrant entrants[AT_PODIUM_SIZE];
	struct at_standing standings[AT_PODIUM_SIZE];
	double blocks[AT_PODIUM_SIZE][AT_BLOCKS_MAX];
	uint32_t block_count = at_standings_blocks(0);
	size_t most = AT_FINALS_ROUNDS, count, winner;
	struct at_random random;
	double *scratch;

	for (size_t i = 0; i < recording->count; i++)
		if (recording->results[i].sample_count > most)
			most = recording->results[i].sample_count;
	scratch = at_calloc(most, sizeof(*scratch));
	at_random_init(&random, seed);
	count = choose(recording, run, &random, scratch, entrants);
	for (size_t i = 0; i < count; i++) {
		for (uint32_t b = 0; b < block_count; b++)
			blocks[i][b] = draw(recording, entrants[i].row,
				AT_FINALS_ROUNDS, &random, scratch);
		standings[i] = (struct at_standing){
			.blocks = blocks[i],
			.count = block_count,
			.may_win = true,
		};
	}
	free(scratch);
	if (count == 0)
		return (double)NAN;
	winner = at_standings_winner(
		standings, count, SIZE_MAX, at_standings_alpha(0, true));
	return recording->results[entrants[winner].row].time_ns;
}

/* ---- figures ------------------------------------------------------------------ */

/* Fills in best[n - 1], the best time after n evaluations, or, if unit_ns is above 0,
   after n units of virtual time. A run that ended by itself keeps its best. */
static void fill_best(const struct at_simulate_run *run,
	const struct at_recording *recording, const struct at_score_space *score,
	double unit_ns, double *best)
{
	double least = score->worst;
	size_t step = 0;

	for (size_t i = 0; i < score->horizon; i++) {
		double end_ns = unit_ns * (double)(i + 1);

		for (; step < run->count; step++) {
			const struct at_recorded *result =
				&recording->results[run->steps[step].row];

			if (unit_ns > 0 ? (double)run->steps[step].at_ns > end_ns
					: step > i)
				break;
			if (result->outcome == AT_OUTCOME_OK && result->time_ns < least)
				least = result->time_ns;
		}
		best[i] = least;
	}
}

/* The values of a cell's completed runs, by evaluations and by virtual time (NULL:
   none): a list of `repeats` areas, then such a list of fractions for each mark. */
struct cell_values {
	double *counted, *timed;
};

static double *new_values(size_t repeats)
{
	return at_calloc(repeats * (1 + AT_SIMULATE_MARK_COUNT), sizeof(double));
}

static void put_run(double *values, size_t run, size_t repeats,
	const struct at_score_space *score, const double *best)
{
	values[run] = at_score_area(score, best);
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++)
		if (at_simulate_marks[m] <= score->horizon)
			values[(1 + m) * repeats + run] =
				score->optimum / best[at_simulate_marks[m] - 1];
}

/* Computes area and fractions of `count` lists of values: one cell, or one cell of each
   recording. An area that is NAN, because there was nothing to gain, stays NAN. */
static void estimate(const struct at_simulation *self, double *const *values,
	const size_t *runs, size_t count, uint64_t seed, struct at_score_estimate *area,
	struct at_score_estimate *fraction)
{
	struct at_score_group *groups = at_calloc(count, sizeof(*groups));

	for (size_t i = 0; i < count; i++)
		groups[i] = (struct at_score_group){ values[i], runs[i] };
	at_score_estimate_groups(groups, count, AT_SCORE_MEAN, seed, area);
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++) {
		if (at_simulate_marks[m] > self->horizon)
			continue;
		for (size_t i = 0; i < count; i++)
			groups[i].values = values[i] + (1 + m) * self->repeats;
		at_score_estimate_groups(
			groups, count, AT_SCORE_MEDIAN, seed, &fraction[m]);
	}
	free(groups);
}

/* Figures of runs whose strategy ended by itself. last: the final best of each
   completed run. */
static void count_stops(const struct at_simulate_cell *cell,
	struct at_simulate_figures *figures, size_t repeats,
	const struct at_score_space *score, const double *last)
{
	double *evaluations = at_calloc(repeats, sizeof(*evaluations)), loss = 0;
	size_t run = 0;

	for (size_t r = 0; r < repeats; r++) {
		double gain;

		if (*cell->runs[r].failure)
			continue;
		gain = last[run++] / score->optimum - 1;
		if (!cell->runs[r].is_stopped)
			continue;
		evaluations[figures->stopped++] = (double)cell->runs[r].count;
		if (gain > WORTH_GAINING) {
			figures->stopped_early++;
			loss += gain;
		}
	}
	figures->stopped_evaluations = figures->stopped_early_loss = NAN;
	if (figures->stopped)
		figures->stopped_evaluations =
			at_score_quantile(evaluations, figures->stopped, 0.5);
	if (figures->stopped_early)
		figures->stopped_early_loss = loss / (double)figures->stopped_early;
	free(evaluations);
}

/* Splits the gain left into exploration and selection (struct at_simulate_figures).
   best: the best of each completed run at the horizon. */
static void split_gap(const struct at_simulate_cell *cell,
	struct at_simulate_figures *figures, const struct at_recording *recording,
	const struct at_score_space *score, size_t repeats, const double *best,
	uint64_t seed)
{
	size_t run = 0;

	figures->exploration = figures->selection = 0;
	for (size_t r = 0; r < repeats; r++) {
		double selected_ns;

		if (*cell->runs[r].failure)
			continue;
		selected_ns = select_winner(recording, &cell->runs[r], seed + r);
		figures->exploration += best[run] / score->optimum - 1;
		if (!isnan(selected_ns))
			figures->selection += selected_ns / best[run] - 1;
		run++;
	}
	figures->exploration /= (double)run;
	figures->selection /= (double)run;
}

static void evaluate_cell(struct at_simulation *self, struct at_simulate_cell *cell,
	const struct at_recording *recording, uint64_t seed, struct cell_values *values)
{
	struct at_simulate_figures *figures = &cell->figures;
	const struct at_score_space *score = &self->scores[cell->recording];
	const double mean_seconds = self->mean_seconds[cell->recording];
	const size_t repeats = self->repeats, horizon = score->horizon;
	size_t evaluations = 0, run = 0;
	double *best = at_calloc(repeats * horizon, sizeof(*best));
	double *best_timed = at_calloc(horizon, sizeof(*best_timed));
	double *column = at_calloc(repeats, sizeof(*column));
	double seconds = 0;

	for (size_t q = 0; q < 3; q++)
		cell->quartiles[q] = at_calloc(horizon, sizeof(double));
	values->counted = new_values(repeats);
	if (mean_seconds > 0)
		values->timed = new_values(repeats);
	for (size_t r = 0; r < repeats; r++) {
		if (*cell->runs[r].failure)
			continue;
		fill_best(&cell->runs[r], recording, score, 0, best + run * horizon);
		put_run(values->counted, run, repeats, score, best + run * horizon);
		if (mean_seconds > 0) {
			fill_best(&cell->runs[r], recording, score, mean_seconds * 1e9,
				best_timed);
			put_run(values->timed, run, repeats, score, best_timed);
		}
		evaluations += cell->runs[r].count;
		seconds += cell->runs[r].strategy_seconds;
		run++;
	}
	figures->runs = run;
	figures->failed = repeats - run;
	if (!run)
		goto free_all;
	figures->strategy_seconds = evaluations ? seconds / (double)evaluations : NAN;
	for (size_t i = 0; i < horizon; i++) {
		for (size_t r = 0; r < run; r++)
			column[r] = score->optimum / best[r * horizon + i];
		for (size_t q = 0; q < 3; q++)
			cell->quartiles[q][i] =
				at_score_quantile(column, run, 0.25 * (double)(q + 1));
	}
	for (size_t r = 0; r < run; r++)
		column[r] = best[r * horizon + horizon - 1];
	split_gap(cell, figures, recording, score, repeats, column, seed);
	count_stops(cell, figures, repeats, score, column);
	estimate(self, &values->counted, &run, 1, seed, &figures->area,
		figures->fraction);
	if (mean_seconds > 0)
		estimate(self, &values->timed, &run, 1, seed, &figures->area_timed,
			figures->fraction_timed);
free_all:
	free(best);
	free(best_timed);
	free(column);
}

static void init_figures(struct at_simulate_figures *figures)
{
	static const struct at_score_estimate unknown = { NAN, NAN, NAN };

	figures->area = figures->area_timed = unknown;
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++)
		figures->fraction[m] = figures->fraction_timed[m] = unknown;
	figures->stopped_evaluations = figures->stopped_early_loss = NAN;
	figures->exploration = figures->selection = NAN;
	figures->strategy_seconds = NAN;
}

/* A strategy's mean figures over all recordings. Recordings weigh the same, regardless
   of their number of runs. If one has no completed run, there is no total. */
static void evaluate_total(struct at_simulation *self, size_t strategy,
	const struct cell_values *values, uint64_t seed)
{
	struct at_simulate_figures *total = &self->totals[strategy];
	size_t count = self->recording_count;
	double **counted = at_calloc(count, sizeof(*counted));
	double **timed = at_calloc(count, sizeof(*timed));
	size_t *runs = at_calloc(count, sizeof(*runs));
	double seconds = 0, evaluations = 0, stops = 0, loss = 0;
	double exploration = 0, selection = 0; /* NAN if any recording's is */
	bool is_whole = true;

	for (size_t i = 0; i < count; i++) {
		size_t c = i * self->strategy_count + strategy;
		const struct at_simulate_figures *figures = &self->cells[c].figures;

		counted[i] = values[c].counted;
		timed[i] = values[c].timed;
		runs[i] = figures->runs;
		total->runs += figures->runs;
		total->failed += figures->failed;
		total->stopped += figures->stopped;
		total->stopped_early += figures->stopped_early;
		is_whole = is_whole && figures->runs > 0;
		exploration += figures->exploration / (double)count;
		selection += figures->selection / (double)count;
		if (figures->stopped)
			stops +=
				figures->stopped_evaluations * (double)figures->stopped;
		if (figures->stopped_early)
			loss += figures->stopped_early_loss *
				(double)figures->stopped_early;
		for (size_t r = 0; r < self->repeats; r++) {
			seconds += self->cells[c].runs[r].strategy_seconds;
			evaluations += (double)self->cells[c].runs[r].count;
		}
	}
	if (total->stopped)
		total->stopped_evaluations = stops / (double)total->stopped;
	if (total->stopped_early)
		total->stopped_early_loss = loss / (double)total->stopped_early;
	total->exploration = exploration;
	total->selection = selection;
	if (evaluations > 0)
		total->strategy_seconds = seconds / evaluations;
	if (is_whole)
		estimate(self, counted, runs, count, seed, &total->area,
			total->fraction);
	if (is_whole && timed[0])
		estimate(self, timed, runs, count, seed, &total->area_timed,
			total->fraction_timed);
	free(counted);
	free(timed);
	free(runs);
}

/* Computes figures and quartiles of all cells, and the totals. beds: one for each
   recording. */
static void evaluate(
	struct at_simulation *self, const struct at_simulate_bed *beds, uint64_t seed)
{
	size_t count = self->recording_count * self->strategy_count;
	struct cell_values *values = at_calloc(count + 1, sizeof(*values));

	for (size_t c = 0; c < count; c++) {
		struct at_simulate_cell *cell = &self->cells[c];

		init_figures(&cell->figures);
		evaluate_cell(
			self, cell, beds[cell->recording].recording, seed, &values[c]);
	}
	for (size_t s = 0; s < self->strategy_count; s++) {
		init_figures(&self->totals[s]);
		evaluate_total(self, s, values, seed);
	}
	for (size_t c = 0; c < count; c++) {
		free(values[c].counted);
		free(values[c].timed);
	}
	free(values);
}

/* ---- processes ---------------------------------------------------------------- */

/* A run's process, in the parent. */
struct child {
	pid_t pid; /* 0: no process */
	struct at_simulate_run *run;
	struct shared *shared;
};

/* Memory that a run's process shares with its parent. */
struct shared {
	bool is_done;
	struct at_simulate_run run;
	struct at_simulate_step steps[]; /* one for each row */
};

struct job {
	const struct at_simulate_bed *bed;
	const char *strategy;
	const struct at_simulate_options *options;
	uint64_t seed;
};

static _Noreturn void run_child(const struct job *job, pid_t parent, struct shared *out)
{
	struct at_error err = { 0 };

	/* kills the child with its parent: a strategy may never end */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* the parent may have died before that took effect */
	if (getppid() != parent)
		_exit(1);
	if (search(job->bed, job->strategy, job->options, job->seed, &out->run, &err))
		snprintf(
			out->run.failure, sizeof(out->run.failure), "%.250s", err.text);
	out->is_done = true;
	/* not exit(): buffered output of the parent must not be written twice */
	_exit(0);
}

static enum at_status begin_child(struct child *child, const struct job *job,
	struct at_simulate_run *run, struct at_error *err)
{
	pid_t parent = getpid();

	*child->shared = (struct shared){ .run.steps = child->shared->steps };
	child->pid = fork();
	if (child->pid < 0) {
		child->pid = 0;
		return at_fail(err, AT_EIO, NULL, 0, "cannot start a process: %s",
			strerror(errno));
	}
	if (child->pid == 0)
		run_child(job, parent, child->shared);
	child->run = run;
	return AT_OK;
}

/* Makes a run of the child's output. A child that died gives a failed run, not an
   error. */
static void end_child(struct child *child, int ending)
{
	const struct shared *shared = child->shared;
	struct at_simulate_run *run = child->run;
	size_t bytes = shared->run.count * sizeof(*run->steps);

	child->pid = 0;
	if (WIFSIGNALED(ending) || !shared->is_done) {
		snprintf(run->failure, sizeof(run->failure),
			WIFSIGNALED(ending) ? "died of signal %d"
					    : "ended with exit status %d",
			WIFSIGNALED(ending) ? WTERMSIG(ending) : WEXITSTATUS(ending));
		return;
	}
	*run = shared->run;
	run->steps = at_malloc(bytes + 1);
	memcpy(run->steps, shared->steps, bytes);
}

/* Waits until a child has ended. */
static enum at_status wait_for_one(
	struct child *children, size_t count, struct at_error *err)
{
	for (;;) {
		int ending = 0;
		pid_t pid = waitpid(-1, &ending, 0);

		if (pid < 0 && errno != EINTR)
			return at_fail(err, AT_EIO, NULL, 0, "cannot wait: %s",
				strerror(errno));
		for (size_t i = 0; i < count && pid > 0; i++)
			if (children[i].pid == pid) {
				end_child(&children[i], ending);
				return AT_OK;
			}
	}
}

/* The seed of a run. It is equal for all strategies, which makes their difference less
   noisy. It depends on the recording, since runs on spaces of the same shape would
   otherwise be alike, but not on the order of the command line. */
static uint64_t seed_of(
	const struct at_recording *recording, uint64_t seed, size_t repeat)
{
	struct at_random random;
	struct {
		struct at_hash kernel, device;
		uint64_t count, seed, repeat;
	} parts = {
		at_hash_bytes(recording->kernel, strlen(recording->kernel)),
		at_hash_bytes(recording->device, strlen(recording->device)),
		recording->count,
		seed,
		repeat,
	};

	at_random_init(&random, at_hash_bytes(&parts, sizeof(parts)).low);
	return at_random_next(&random);
}

/* Runs everything, in as many processes at once as there are usable cores. */
static enum at_status run_all(struct at_simulation *self,
	const struct at_simulate_bed *beds, const struct at_simulate_options *options,
	struct at_error *err)
{
	size_t child_count = at_quota_usable_cores();
	size_t total = self->recording_count * self->strategy_count * self->repeats;
	size_t begun = 0, ended = 0, rows = 0, bytes;
	struct child *children;
	enum at_status status = AT_OK;

	child_count = child_count < total ? child_count : total;
	children = at_calloc(child_count + 1, sizeof(*children));
	for (size_t i = 0; i < self->recording_count; i++)
		if (beds[i].recording->count > rows)
			rows = beds[i].recording->count;
	bytes = sizeof(struct shared) + rows * sizeof(struct at_simulate_step);
	for (size_t i = 0; i < child_count && !status; i++) {
		void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		if (shared == MAP_FAILED)
			status = at_fail(err, AT_EIO, NULL, 0,
				"cannot share memory with a process: %s",
				strerror(errno));
		else
			children[i].shared = shared;
	}
	while (ended < total && !status) {
		for (size_t i = 0; i < child_count && begun < total && !status; i++) {
			struct at_simulate_cell *cell =
				&self->cells[begun / self->repeats];
			size_t repeat = begun % self->repeats;
			struct job job = {
				.bed = &beds[cell->recording],
				.strategy = options->strategies[cell->strategy],
				.options = options,
				.seed = seed_of(beds[cell->recording].recording,
					options->seed, repeat),
			};

			if (children[i].pid)
				continue;
			status = begin_child(
				&children[i], &job, &cell->runs[repeat], err);
			begun++;
		}
		if (!status)
			status = wait_for_one(children, child_count, err);
		ended++;
		if (!status && options->progress)
			options->progress(options->context, ended, total);
	}
	for (size_t i = 0; i < child_count; i++) {
		if (children[i].pid) {
			kill(children[i].pid, SIGKILL);
			waitpid(children[i].pid, NULL, 0);
		}
		if (children[i].shared)
			munmap(children[i].shared, bytes);
	}
	free(children);
	return status;
}

static enum at_status init_score(struct at_score_space *score,
	const struct at_recording *recording, size_t horizon, struct at_error *err)
{
	double *costs = at_calloc(recording->count, sizeof(*costs));
	enum at_status status;

	for (size_t i = 0; i < recording->count; i++)
		costs[i] = recording->results[i].outcome == AT_OUTCOME_OK
				   ? recording->results[i].time_ns
				   : (double)INFINITY;
	status = at_score_space_init(score, costs, recording->count, horizon, NULL);
	free(costs);
	if (status == AT_EINVAL)
		return at_fail(err, AT_EINVAL, recording->path, 0,
			"none of its configurations passed");
	return AT_OK;
}

static void init_simulation(struct at_simulation *self, size_t count,
	const struct at_simulate_options *options)
{
	size_t cells = count * options->strategy_count;

	*self = (struct at_simulation){
		.recording_count = count,
		.strategy_count = options->strategy_count,
		.repeats = options->repeats,
		.horizon = options->evaluations,
		.cells = at_calloc(cells + 1, sizeof(*self->cells)),
		.totals = at_calloc(options->strategy_count + 1, sizeof(*self->totals)),
		.scores = at_calloc(count + 1, sizeof(*self->scores)),
		.mean_seconds = at_calloc(count + 1, sizeof(*self->mean_seconds)),
	};
	for (size_t c = 0; c < cells; c++) {
		self->cells[c].recording = c / options->strategy_count;
		self->cells[c].strategy = c % options->strategy_count;
		self->cells[c].runs =
			at_calloc(options->repeats, sizeof(*self->cells[c].runs));
	}
}

void at_simulation_free(struct at_simulation *self)
{
	if (!self)
		return;
	for (size_t c = 0;
		self->cells && c < self->recording_count * self->strategy_count; c++) {
		for (size_t r = 0; self->cells[c].runs && r < self->repeats; r++)
			free(self->cells[c].runs[r].steps);
		for (size_t q = 0; q < 3; q++)
			free(self->cells[c].quartiles[q]);
		free(self->cells[c].runs);
	}
	for (size_t i = 0; self->scores && i < self->recording_count; i++)
		at_score_space_release(&self->scores[i]);
	free(self->cells);
	free(self->totals);
	free(self->scores);
	free(self->mean_seconds);
	free(self);
}

enum at_status at_simulate(const struct at_recording *const *recordings, size_t count,
	const struct at_simulate_options *options, struct at_simulation **out,
	struct at_error *err)
{
	struct at_simulation *self = at_calloc(1, sizeof(*self));
	struct at_simulate_bed *beds = at_calloc(count + 1, sizeof(*beds));
	enum at_status status = AT_OK;

	init_simulation(self, count, options);
	for (size_t i = 0; i < count && !status; i++) {
		status = bed_init(&beds[i], recordings[i], err);
		if (!status)
			status = init_score(&self->scores[i], recordings[i],
				options->evaluations, err);
		if (status || !options->compilers)
			continue;
		self->mean_seconds[i] =
			at_replay_mean_seconds(recordings[i], options->compilers);
		if (self->mean_seconds[i] <= 0)
			status = at_fail(err, AT_EINVAL, recordings[i]->path, 0,
				"does not say how long compiling and measuring took, and has no virtual time");
	}
	/* validates each strategy before the runs */
	for (size_t i = 0; i < options->strategy_count && count && !status; i++) {
		const struct at_strategy_kind *kind;
		struct at_strategy *strategy;
		const char *text;

		status = at_strategy_find(options->strategies[i], &kind, &text, err);
		if (!status)
			status = kind->open(
				kind, beds[0].space, text, 0, &strategy, err);
		if (!status)
			strategy->kind->close(strategy);
	}
	if (!status)
		status = run_all(self, beds, options, err);
	if (!status)
		evaluate(self, beds, options->seed);
	if (!status) {
		*out = self;
		self = NULL;
	}
	for (size_t i = 0; i < count; i++) {
		at_search_space_free(beds[i].space);
		free(beds[i].rows);
	}
	free(beds);
	at_simulation_free(self);
	return status;
}
