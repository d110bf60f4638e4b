/* Makes figures of runs: for each cell, one strategy on one recording, and for each
   strategy over all recordings (simulate.h). */
#include "session/simulate_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* a gain left over that is less than this is hardly more than finals can tell apart */
#define WORTH_GAINING 0.01

const size_t at_simulate_marks[AT_SIMULATE_MARK_COUNT] = AT_SIMULATE_MARKS;

/*
 * Fills in best[n - 1], the best time after n evaluations, or, with unit_ns above 0,
 * after n units of virtual time. A run that stopped keeps its best to the end.
 */
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

/* Values of each run that came to an end, in one list for each figure. */
struct series {
	double *areas;
	double *fractions[AT_SIMULATE_MARK_COUNT]; /* NULL beyond the horizon */
};

/* The values of a cell, by evaluations and by virtual time. */
struct cell_values {
	struct series counted;
	struct series timed; /* empty without virtual time */
};

static void init_series(struct series *self, size_t repeats, size_t horizon)
{
	self->areas = at_calloc(repeats, sizeof(*self->areas));
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++) {
		if (at_simulate_marks[m] > horizon)
			continue;
		self->fractions[m] = at_calloc(repeats, sizeof(double));
	}
}

static void release_series(struct series *self)
{
	free(self->areas);
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++)
		free(self->fractions[m]);
}

static void put_run(struct series *self, size_t run, const struct at_score_space *score,
	const double *best)
{
	self->areas[run] = at_score_area(score, best);
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++)
		if (self->fractions[m])
			self->fractions[m][run] =
				score->optimum / best[at_simulate_marks[m] - 1];
}

/* Makes area and fractions of `count` series: the series of one cell, or one cell of
   each recording. An area that is NAN, where there was nothing to gain, stays NAN. */
static void estimate(const struct series *const *series, const size_t *runs,
	size_t count, uint64_t seed, struct at_score_estimate *area,
	struct at_score_estimate *fraction)
{
	struct at_score_group *groups = at_calloc(count, sizeof(*groups));

	for (size_t i = 0; i < count; i++)
		groups[i] = (struct at_score_group){ series[i]->areas, runs[i] };
	at_score_estimate_groups(groups, count, AT_SCORE_MEAN, seed, area);
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++) {
		if (!series[0]->fractions[m])
			continue;
		for (size_t i = 0; i < count; i++)
			groups[i].values = series[i]->fractions[m];
		at_score_estimate_groups(
			groups, count, AT_SCORE_MEDIAN, seed, &fraction[m]);
	}
	free(groups);
}

/* Figures of runs that stopped by themselves. last: the best at the end of each run
   that came to an end. */
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

/* Splits what is left to gain into exploration and selection (struct
   at_simulate_figures). best: the best at the horizon of each run that came to an
   end. */
static void tell_gap_apart(const struct at_simulate_cell *cell,
	struct at_simulate_figures *figures, const struct at_recording *recording,
	const struct at_score_space *score, size_t repeats, const double *best,
	uint64_t seed)
{
	size_t run = 0;

	figures->exploration = figures->selection = 0;
	for (size_t r = 0; r < repeats; r++) {
		double crowned_ns;

		if (*cell->runs[r].failure)
			continue;
		at_simulate_crown(recording, &cell->runs[r], seed + r, &crowned_ns);
		figures->exploration += best[run] / score->optimum - 1;
		if (!isnan(crowned_ns))
			figures->selection += crowned_ns / best[run] - 1;
		run++;
	}
	figures->exploration /= (double)run;
	figures->selection /= (double)run;
}

static void evaluate_cell(struct at_simulate_cell *cell,
	const struct at_recording *recording, const struct at_score_space *score,
	double mean_seconds, size_t repeats, uint64_t seed, struct cell_values *values)
{
	struct at_simulate_figures *figures = &cell->figures;
	const struct series *counted = &values->counted, *timed = &values->timed;
	size_t horizon = score->horizon, evaluations = 0, run = 0;
	double *best = at_calloc(repeats * horizon, sizeof(*best));
	double *best_timed = at_calloc(horizon, sizeof(*best_timed));
	double *column = at_calloc(repeats, sizeof(*column));
	double seconds = 0;

	for (size_t q = 0; q < 3; q++)
		cell->quartiles[q] = at_calloc(horizon, sizeof(double));
	init_series(&values->counted, repeats, horizon);
	if (mean_seconds > 0)
		init_series(&values->timed, repeats, horizon);
	for (size_t r = 0; r < repeats; r++) {
		if (*cell->runs[r].failure)
			continue;
		fill_best(&cell->runs[r], recording, score, 0, best + run * horizon);
		put_run(&values->counted, run, score, best + run * horizon);
		if (mean_seconds > 0) {
			fill_best(&cell->runs[r], recording, score, mean_seconds * 1e9,
				best_timed);
			put_run(&values->timed, run, score, best_timed);
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
	tell_gap_apart(cell, figures, recording, score, repeats, column, seed);
	count_stops(cell, figures, repeats, score, column);
	estimate(&counted, &run, 1, seed, &figures->area, figures->fraction);
	if (mean_seconds > 0)
		estimate(&timed, &run, 1, seed, &figures->area_timed,
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

/* One strategy on all recordings: the mean of its figures on each. Recordings count the
   same, whatever the number of their runs. If it has no runs on one of them, there is
   no total. */
static void evaluate_total(struct at_simulation *self, size_t strategy,
	const struct cell_values *values, uint64_t seed)
{
	struct at_simulate_figures *total = &self->totals[strategy];
	size_t count = self->recording_count;
	const struct series **counted = at_calloc(count, sizeof(*counted));
	const struct series **timed = at_calloc(count, sizeof(*timed));
	size_t *runs = at_calloc(count, sizeof(*runs));
	double seconds = 0, evaluations = 0, stops = 0, loss = 0;
	double exploration = 0, selection = 0; /* NAN if they are for any recording */
	bool is_whole = true;

	for (size_t i = 0; i < count; i++) {
		size_t c = i * self->strategy_count + strategy;
		const struct at_simulate_figures *figures = &self->cells[c].figures;

		counted[i] = &values[c].counted;
		timed[i] = &values[c].timed;
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
		estimate(counted, runs, count, seed, &total->area, total->fraction);
	if (is_whole && timed[0]->areas)
		estimate(timed, runs, count, seed, &total->area_timed,
			total->fraction_timed);
	free((void *)counted);
	free((void *)timed);
	free(runs);
}

void at_simulate_evaluate(
	struct at_simulation *self, const struct at_simulate_bed *beds, uint64_t seed)
{
	size_t count = self->recording_count * self->strategy_count;
	struct cell_values *values = at_calloc(count + 1, sizeof(*values));

	for (size_t c = 0; c < count; c++) {
		struct at_simulate_cell *cell = &self->cells[c];
		size_t recording = cell->recording;

		init_figures(&cell->figures);
		evaluate_cell(cell, beds[recording].recording, &self->scores[recording],
			self->mean_seconds[recording], self->repeats, seed, &values[c]);
	}
	for (size_t s = 0; s < self->strategy_count; s++) {
		init_figures(&self->totals[s]);
		evaluate_total(self, s, values, seed);
	}
	for (size_t c = 0; c < count && values; c++) {
		release_series(&values[c].counted);
		release_series(&values[c].timed);
	}
	free(values);
}
