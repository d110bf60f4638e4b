/* From runs to figures. */
#include "session/simulate_parts.h"

#include <math.h>
#include <stdlib.h>

/* Less than this is within what finals can tell apart, and not worth a search. */
#define WORTH_GAINING 0.01

const size_t at_simulate_marks[AT_SIMULATE_MARK_COUNT] = AT_SIMULATE_MARKS;

/* best[n - 1] after n evaluations; a run that stopped keeps what it has. */
static void fill_best(const struct at_simulate_run *run,
	const struct at_recording *recording, const struct at_score_space *score,
	double *best)
{
	double least = score->worst;

	for (size_t i = 0; i < score->horizon; i++) {
		if (i < run->count) {
			const struct at_recorded *result =
				&recording->results[run->steps[i].row];

			if (result->outcome == AT_OUTCOME_OK && result->time_ns < least)
				least = result->time_ns;
		}
		best[i] = least;
	}
}

/* Values of each run that came to an end: of a cell. */
struct cell_values {
	double *areas;
	double *fractions[AT_SIMULATE_MARK_COUNT]; /* NULL beyond the horizon */
};

static void release_values(struct cell_values *values)
{
	free(values->areas);
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++)
		free(values->fractions[m]);
}

static enum at_status count_stops(const struct at_simulate_cell *cell,
	struct at_simulate_figures *figures, size_t repeats,
	const struct at_score_space *score, const double *last, struct at_error *err)
{
	double *evaluations = calloc(repeats, sizeof(*evaluations)), loss = 0;
	size_t run = 0;

	if (!evaluations)
		return at_fail_memory(err);
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
	return AT_OK;
}

static enum at_status evaluate_cell(struct at_simulate_cell *cell,
	const struct at_simulate_bed *bed, const struct at_score_space *score,
	size_t repeats, uint64_t seed, struct cell_values *values, struct at_error *err)
{
	struct at_simulate_figures *figures = &cell->figures;
	size_t horizon = score->horizon, evaluations = 0, run = 0;
	double *best = calloc(repeats * horizon, sizeof(*best));
	double *column = calloc(repeats, sizeof(*column));
	double seconds = 0;
	enum at_status status = AT_OK;

	values->areas = calloc(repeats, sizeof(*values->areas));
	if (!best || !column || !values->areas)
		status = at_fail_memory(err);
	for (size_t q = 0; q < 3 && !status; q++) {
		cell->quartiles[q] = calloc(horizon, sizeof(double));
		if (!cell->quartiles[q])
			status = at_fail_memory(err);
	}
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT && !status; m++) {
		if (at_simulate_marks[m] > horizon)
			continue;
		values->fractions[m] = calloc(repeats, sizeof(double));
		if (!values->fractions[m])
			status = at_fail_memory(err);
	}
	if (status)
		goto free_all;
	for (size_t r = 0; r < repeats; r++) {
		double *own = best + run * horizon;

		if (*cell->runs[r].failure)
			continue;
		fill_best(&cell->runs[r], bed->recording, score, own);
		values->areas[run] = at_score_area(score, own);
		for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++)
			if (values->fractions[m])
				values->fractions[m][run] =
					score->optimum / own[at_simulate_marks[m] - 1];
		evaluations += cell->runs[r].count;
		seconds += cell->runs[r].strategy_seconds;
		run++;
	}
	figures->runs = run;
	figures->failed = repeats - run;
	figures->strategy_seconds = evaluations ? seconds / (double)evaluations : NAN;
	for (size_t i = 0; i < horizon && run; i++) {
		for (size_t r = 0; r < run; r++)
			column[r] = score->optimum / best[r * horizon + i];
		for (size_t q = 0; q < 3; q++)
			cell->quartiles[q][i] =
				at_score_quantile(column, run, 0.25 * (double)(q + 1));
	}
	for (size_t r = 0; r < run; r++)
		column[r] = best[r * horizon + horizon - 1];
	status = count_stops(cell, figures, repeats, score, column, err);
	if (!status && run)
		status = at_score_estimate_groups(
			&(struct at_score_group){ values->areas, run }, 1,
			AT_SCORE_MEAN, seed, &figures->area, err);
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT && !status && run; m++)
		if (values->fractions[m])
			status = at_score_estimate_groups(
				&(struct at_score_group){ values->fractions[m], run },
				1, AT_SCORE_MEDIAN, seed, &figures->fraction[m], err);
free_all:
	free(best);
	free(column);
	return status;
}

static void init_figures(struct at_simulate_figures *figures)
{
	static const struct at_score_estimate unknown = { NAN, NAN, NAN };

	figures->area = unknown;
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++)
		figures->fraction[m] = unknown;
	figures->stopped_evaluations = figures->stopped_early_loss = NAN;
	figures->strategy_seconds = NAN;
}

/* One strategy on all recordings: the mean of what it has on each, whose runs count the
   same whatever their number. Where it has no runs on one, there is no total. */
static enum at_status evaluate_total(struct at_simulation *self, size_t strategy,
	const struct cell_values *values, uint64_t seed, struct at_error *err)
{
	struct at_simulate_figures *total = &self->totals[strategy];
	struct at_score_group *groups = calloc(self->recording_count, sizeof(*groups));
	double seconds = 0, evaluations = 0, stops = 0, loss = 0;
	bool is_whole = true;
	enum at_status status = AT_OK;

	if (!groups)
		return at_fail_memory(err);
	for (size_t i = 0; i < self->recording_count; i++) {
		size_t c = i * self->strategy_count + strategy;
		const struct at_simulate_figures *figures = &self->cells[c].figures;

		total->runs += figures->runs;
		total->failed += figures->failed;
		total->stopped += figures->stopped;
		total->stopped_early += figures->stopped_early;
		is_whole = is_whole && figures->runs > 0;
		groups[i] = (struct at_score_group){ values[c].areas, figures->runs };
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
	if (evaluations > 0)
		total->strategy_seconds = seconds / evaluations;
	if (is_whole)
		status = at_score_estimate_groups(groups, self->recording_count,
			AT_SCORE_MEAN, seed, &total->area, err);
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT && is_whole && !status; m++) {
		if (at_simulate_marks[m] > self->horizon)
			continue;
		for (size_t i = 0; i < self->recording_count; i++)
			groups[i].values = values[i * self->strategy_count + strategy]
						   .fractions[m];
		status = at_score_estimate_groups(groups, self->recording_count,
			AT_SCORE_MEDIAN, seed, &total->fraction[m], err);
	}
	free(groups);
	return status;
}

enum at_status at_simulate_evaluate(struct at_simulation *self,
	const struct at_simulate_bed *beds, uint64_t seed, struct at_error *err)
{
	size_t count = self->recording_count * self->strategy_count;
	struct cell_values *values = calloc(count + 1, sizeof(*values));
	enum at_status status = values ? AT_OK : at_fail_memory(err);

	for (size_t c = 0; c < count && !status; c++) {
		struct at_simulate_cell *cell = &self->cells[c];

		init_figures(&cell->figures);
		status = evaluate_cell(cell, &beds[cell->recording],
			&self->scores[cell->recording], self->repeats, seed, &values[c],
			err);
	}
	for (size_t s = 0; s < self->strategy_count && !status; s++) {
		init_figures(&self->totals[s]);
		status = evaluate_total(self, s, values, seed, err);
	}
	for (size_t c = 0; c < count && values; c++)
		release_values(&values[c]);
	free(values);
	return status;
}
