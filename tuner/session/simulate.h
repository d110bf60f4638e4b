/*
 * Compares strategies on recordings, where all answers are known: each strategy
 * searches each recording many times. The best found after n evaluations is compared
 * with the optimum and with random search (search/score.h).
 *
 * |   at_simulate(recordings, count, &options, &simulation, &err);
 * |   ... simulation->cells, simulation->totals ...
 * |   at_simulation_free(simulation);
 *
 * Every run is a process, as many at once as there are usable cores: runs cannot
 * influence each other, and a run that dies counts as failed without ending the others.
 *
 * Must not know: terminals, formats of files. Threads: one. It forks, and no other
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

/* Numbers of evaluations at which figures are given, up to the horizon. */
#define AT_SIMULATE_MARKS \
	{ \
		10, 20, 50, 100, 200, 500, 1000, 2000 \
	}
#define AT_SIMULATE_MARK_COUNT 8
/* The same, as an array. */
extern const size_t at_simulate_marks[AT_SIMULATE_MARK_COUNT];

/* What to run; all pointers are borrowed for the call. */
struct at_simulate_options {
	/* as on the command line: "random", "annealing,restarts=3" */
	const char *const *strategies;
	size_t strategy_count;
	size_t repeats; /* at least 1 */
	size_t evaluations; /* of each run, at least 1: the horizon */
	/* Number of concurrent evaluations, at least 1. With compilers also 0: as many
	   as keep them busy. */
	size_t in_flight;
	/*
	 * 0: answers come in the order of the requests. Else runs have virtual time
	 * (evaluator/replay/), with this many compilers and one board, and figures
	 * against time, too. A run then lasts until it has had its number of
	 * evaluations, and the average time of that many.
	 */
	size_t compilers;
	uint64_t seed;
	/* Called after each run, in the calling process; may be NULL. */
	void (*progress)(void *context, size_t done, size_t total);
	void *context;
};

/* One evaluation of a run. Steps are in the order of tell(). */
struct at_simulate_step {
	uint64_t row; /* of the recording */
	/* virtual time since the run began; 0 without virtual time */
	uint64_t at_ns;
};

/* One run, as reported by its process. */
struct at_simulate_run {
	size_t count;
	struct at_simulate_step *steps;
	/* The strategy ended by itself: before the evaluations were used up, with
	   configurations left to try. */
	bool is_stopped;
	double strategy_seconds; /* processor time in ask() and tell() */
	char failure[256]; /* why there is no result, or "" */
};

/* Figures of one strategy on one recording, or on all recordings. */
struct at_simulate_figures {
	size_t runs; /* completed runs */
	size_t failed; /* failed runs */
	/* Optimum over best so far, at each mark; NAN beyond the horizon. On one
	   recording the median of the runs, on all recordings the mean of the
	   medians. */
	struct at_score_estimate fraction[AT_SIMULATE_MARK_COUNT];
	/* at_score_area(): the mean of the runs, with its interval */
	struct at_score_estimate area;
	/* The same by virtual time: after the average time of that many evaluations.
	   NAN without virtual time. */
	struct at_score_estimate fraction_timed[AT_SIMULATE_MARK_COUNT];
	struct at_score_estimate area_timed;
	/* Runs whose strategy ended by itself; the median of their evaluations; how
	   many of them had more than 1 % left to gain; and the average gain that those
	   missed (their best over the optimum, less 1). */
	size_t stopped;
	double stopped_evaluations; /* NAN if there were none */
	size_t stopped_early;
	double stopped_early_loss; /* NAN if there were none */
	/*
	 * Gain left at the end of a run, as a mean over the runs, in two parts.
	 * Exploration: the best measured time over the optimum, less 1. Selection: the
	 * time of the configuration that finals would select over that best, less 1. A
	 * run in which nothing passed counts as if it had measured the slowest.
	 */
	double exploration;
	double selection;
	/* mean processor time in ask() and tell() for each evaluation */
	double strategy_seconds;
};

/* One strategy on one recording. */
struct at_simulate_cell {
	size_t recording;
	size_t strategy;
	struct at_simulate_run *runs; /* `repeats` of them */
	struct at_simulate_figures figures;
	/* Quartiles of the fraction after 1, 2, ... evaluations; a quarter of the runs
	   is below quartiles[0]. */
	double *quartiles[3];
};

/* The result of at_simulate(). */
struct at_simulation {
	size_t recording_count;
	size_t strategy_count;
	size_t repeats;
	size_t horizon; /* options.evaluations */
	/* recording by recording, each with all strategies */
	struct at_simulate_cell *cells;
	struct at_simulate_figures *totals; /* for each strategy, over all recordings */
	struct at_score_space *scores; /* for each recording */
	/* For each recording: mean seconds of an evaluation; 0 without compilers. */
	double *mean_seconds;
};

/* Runs all strategies on all recordings; *out is the caller's. Recordings are borrowed
   for the call. AT_ENOENT, AT_EINVAL: a strategy is unknown, or a recording cannot be
   searched. A failed run is not an error: the figures count it. */
enum at_status at_simulate(const struct at_recording *const *recordings, size_t count,
	const struct at_simulate_options *options, struct at_simulation **out,
	struct at_error *err);
/* NULL is allowed. */
void at_simulation_free(struct at_simulation *self);

#endif
