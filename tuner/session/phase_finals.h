/*
 * The finals phase: measures the best candidates again, interleaved with the baseline,
 * so that winner and gain come from blocks of rounds that all finalists shared. If six
 * blocks do not decide (session/standings.h), more follow while there is time. An
 * objective that needs energy has it measured in the same blocks, first of all
 * finalists, then in longer windows of those that may win. That takes minutes, in
 * addition to the budget.
 *
 * at_finals_phase_begin(), then ended() once. at_finals_phase_choose() then selects the
 * winner among the finalists that were not refused; call it again after each refusal by
 * a verification. Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_FINALS_H
#define AT_SESSION_PHASE_FINALS_H

#include "session/candidates.h"
#include "session/standings.h"
#include "session/visit.h"

/* Number of candidates in the finals. Baseline, recorded winner, and the best as
   measured if the board's speed has changed (phase_search.h) take part in addition. */
#define AT_PODIUM_SIZE 5
#define AT_FINALS_SIZE AT_FINALISTS_MAX
/* If the objective needs energy, the candidates are all that are fast enough
   (at_objective.reach), up to this number. */
#define AT_PODIUM_MOST (AT_FINALS_SIZE - 3)

/* Copied; all pointers are borrowed until at_finals_phase_end(). */
struct at_finals_phase_options {
	const struct at_visit *visit; /* of its session: keeps_winner, margin, seed */
	struct at_candidates *candidates;
	/* The recorded winner's configuration, or AT_NO_CONFIGURATION. It takes part
	   even if the search found it slow: only finals against it may replace it. */
	uint64_t recorded_winner;
	/* An earlier run's budget left these finals undecided: they may use time that
	   the search did not need. */
	bool is_repeated;
	/* Once, after the blocks; err NULL: no error. */
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

/* One configuration in the finals. */
struct at_finalist {
	size_t place; /* among the candidates */
	struct at_task *task;
	struct at_measure_result result; /* with the blocks of all looks */
	struct at_score score; /* of the finals; only if at_final_was_sampled() */
	double blocks[AT_BLOCKS_MAX]; /* at_final_blocks() */
	bool is_beside; /* takes part only as baseline or recorded winner */
	bool refused; /* found wrong since: it cannot win */
};

/* The phase's state; zeroed it has no finalists. */
struct at_finals_phase {
	struct at_finals_phase_options options;
	struct at_finalist finalists[AT_FINALS_SIZE];
	size_t count;
	unsigned look; /* number of the look at the blocks (session/standings.h) */
	double alpha; /* at_standings_alpha() of the last look */
	/* the budget ended the finals undecided (at_standings_undecided()) */
	bool is_undecided;
	/* indices of the finalists that get this look's blocks */
	size_t asked[AT_FINALS_SIZE];
	size_t asked_count;
	uint64_t begun_ns; /* start of the finals, by the evaluator's clock */
	bool ended; /* at_finals_phase_end() was called: no callback follows */
};

/* Fills `places`, of AT_PODIUM_MOST, with the candidates of the finals, best first;
   returns their number. */
size_t at_finals_choose(const struct at_candidates *candidates,
	const struct at_objective *objective, size_t *places);
/* Estimated seconds of finals with the present candidates, up to their first look; 0:
   there are no candidates. */
double at_finals_phase_estimate(
	const struct at_candidates *candidates, const struct at_visit *visit);

/* Begins the finals, with at least one candidate that is not refused. AT_OK: ended()
   will be called. After an error the phase still needs at_finals_phase_end(). */
enum at_status at_finals_phase_begin(struct at_finals_phase *self,
	const struct at_finals_phase_options *options, struct at_error *err);
/* The winner by at_standings_winner() among the finalists that were not refused; NULL:
   none may win. Borrowed from self. */
struct at_finalist *at_finals_phase_choose(struct at_finals_phase *self);
/* Refuses a finalist that failed a verification: it is no longer a candidate. */
void at_finals_phase_refuse(struct at_finals_phase *self, struct at_finalist *finalist);
/*
 * If no finalist may win: refuses the candidates that failed in these finals, so that
 * the next finals exclude them. If the device was lost, baseline and recorded winner
 * are spared. If that refuses no candidate, all are refused: finals must not repeat
 * without end.
 */
void at_finals_phase_refuse_failed(struct at_finals_phase *self);
/* A finalist's gain over the baseline in these finals. All NAN without a baseline; all
   1 if the finalist is the baseline. */
struct at_finals_gain at_finals_phase_gain(
	const struct at_finals_phase *self, const struct at_finalist *winner);
/* Time and energy as at_winner has them (heap, JSON): the idle board's power,
   temperatures, and for each finalist its configuration, time and energy of a launch,
   and whether it is on the Pareto front. NULL: energy was not measured. */
char *at_finals_phase_energy(const struct at_finals_phase *self);
/* Releases what the phase owns; no callback follows. */
void at_finals_phase_end(struct at_finals_phase *self);

#endif
