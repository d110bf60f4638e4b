/*
 * Strategies compared where all answers are known: each searches recordings many times,
 * and what it had found after so many evaluations is put beside the optimum and beside
 * random search (search/score.h).
 *
 *   at_simulate(recordings, count, &options, &simulation, &err);
 *   ... simulation->cells, simulation->totals ...
 *   at_simulation_free(simulation);
 *
 * Every run is a process of its own, as many at once as there are cores: runs do not
 * see each other, and one that dies is counted and takes no other along.
 *
 * Must not know: terminals, formats of files. Threads: one; it forks, and no other
 * thread may hold a lock meanwhile.
 */
#ifndef AT_SESSION_SIMULATE_H
#define AT_SESSION_SIMULATE_H

#include "base/error.h"
#include "record/recording.h"
#include "search/score.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* After so many evaluations figures are given; those above the horizon are left out. */
#define AT_SIMULATE_MARKS \
	{ \
		10, 20, 50, 100, 200, 500, 1000, 2000 \
	}
#define AT_SIMULATE_MARK_COUNT 8
extern const size_t at_simulate_marks[AT_SIMULATE_MARK_COUNT];

struct at_simulate_options {
	const char *const *strategies; /* as typed: "random", "annealing,restarts=3" */
	size_t strategy_count;
	size_t repeats; /* at least 1 */
	size_t evaluations; /* of each run, at least 1 */
	/* so many are out at once; at least 1. 0 with
	   compilers: as many as keep them busy */
	size_t in_flight;
	/*
	 * 0: answers come in the order asked. Else in virtual time (evaluator/replay/),
	 * with so many compilers and one board, and figures are given against time too:
	 * a run goes on until it has had both its evaluations and the time that they
	 * take on average.
	 */
	size_t compilers;
	uint64_t seed;
	/* called after each run; may be NULL */
	void (*progress)(void *context, size_t done, size_t total);
	void *context;
};

/* An evaluation of a run, in the order in which the strategy was told of them. */
struct at_simulate_step {
	uint64_t row; /* of the recording */
	uint64_t at_ns; /* since the run began, in virtual time; else 0 */
};

struct at_simulate_run {
	size_t count;
	struct at_simulate_step *steps;
	/* the strategy said that it is done before the evaluations were used up, and
	   with something left to try */
	bool is_stopped;
	double strategy_seconds; /* processor time in ask() and tell() */
	char failure[256]; /* why there is no result; "" */
};

/* Of one strategy on one recording, or on all. */
struct at_simulate_figures {
	size_t runs; /* that came to an end */
	size_t failed;
	/* optimum / best so far at each mark; NAN beyond the horizon. On one recording
	   the median of the runs, on all the mean of the recordings' */
	struct at_score_estimate fraction[AT_SIMULATE_MARK_COUNT];
	struct at_score_estimate area;
	/* the same, in virtual time, after the time that so many evaluations take on
	   average; else NAN */
	struct at_score_estimate fraction_timed[AT_SIMULATE_MARK_COUNT];
	struct at_score_estimate area_timed;
	/* runs that stopped by themselves, the median of their evaluations, how many of
	   them had more than 1 % left to gain, and what these had left on average: the
	   optimum is by so much faster than their best */
	size_t stopped;
	double stopped_evaluations; /* NAN where none stopped */
	size_t stopped_early;
	double stopped_early_loss; /* NAN where none did */
	/* What is left to gain at the end, the mean of the runs, told apart: by how
	   much the optimum is faster than the best that was measured, and that than the
	   one that finals would crown. Where nothing passed, the slowest was measured.
	 */
	double exploration;
	double selection;
	double strategy_seconds; /* a evaluation, on average */
};

/* One strategy on one recording. */
struct at_simulate_cell {
	size_t recording;
	size_t strategy;
	struct at_simulate_run *runs; /* options.repeats */
	struct at_simulate_figures figures;
	/* quartiles of the fraction after 1, 2, ... evaluations: [0] a quarter of the
	   runs is below */
	double *quartiles[3];
};

struct at_simulation {
	size_t recording_count;
	size_t strategy_count;
	size_t repeats;
	size_t horizon;
	struct at_simulate_cell *cells; /* recording by recording */
	struct at_simulate_figures *totals; /* of each strategy, on all recordings */
	struct at_score_space *scores; /* of each recording */
	/* of each recording: what an evaluation takes on average; 0 without compilers
	 */
	double *mean_seconds;
};

/*
 * Recordings are borrowed for the call. AT_ENOENT, AT_EINVAL: a strategy is unknown, or
 * a recording cannot be searched. What becomes of a run is no error of it.
 */
enum at_status at_simulate(const struct at_recording *const *recordings, size_t count,
	const struct at_simulate_options *options, struct at_simulation **out,
	struct at_error *err);
void at_simulation_free(struct at_simulation *self);

#endif
