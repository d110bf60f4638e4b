/*
 * The finals phase: measures the best few candidates again, interleaved and with the
 * baseline among them, so that the winner and its gain come from blocks of rounds that
 * all finalists shared. What six blocks leave undecided (session/standings.h) gets more
 * blocks while there is time. If the objective needs energy, it is measured in the same
 * blocks, first of all finalists, then in longer windows of those that may win. This
 * takes minutes, beside the budget.
 *
 * at_finals_phase_begin(), then ended() once. at_finals_phase_choose() then names the
 * winner among the finalists that were not refused; it is asked again whenever a
 * verification refuses one. Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_FINALS_H
#define AT_SESSION_PHASE_FINALS_H

#include "session/candidates.h"
#include "session/standings.h"
#include "session/visit.h"

/* Number of candidates in the finals; the baseline, the recorded winner, and the best
   of all as it was measured, where the board is another than it was (phase_search.h),
   take part beside them. */
#define AT_PODIUM_SIZE 5
#define AT_FINALS_SIZE AT_FINALISTS_MAX
/* Where the objective needs energy, the candidates are all that are fast enough
   (at_objective.reach), up to so many. */
#define AT_PODIUM_MOST (AT_FINALS_SIZE - 3)

/* Copied; all pointers are borrowed until at_finals_phase_end(). */
struct at_finals_phase_options {
	const struct at_visit *visit; /* of its session: keeps_winner, margin, seed */
	struct at_candidates *candidates;
	/* The recorded winner's configuration; AT_NO_CONFIGURATION: none exists. It
	   takes part even if the search found it slow: no configuration replaces it
	   without finals against it. */
	uint64_t recorded_winner;
	/* An earlier run's budget left these finals undecided: they may take the time
	   that the search did not need. */
	bool is_repeated;
	/* Once: the blocks are measured; err NULL: without an error. */
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

/* One configuration in the finals. */
struct at_finalist {
	size_t place; /* among the candidates */
	struct at_task *task;
	struct at_measure_result result; /* with the blocks of all looks */
	struct at_score score; /* by the finals; only where at_final_was_sampled() */
	double blocks[AT_BLOCKS_MAX]; /* at_final_blocks() */
	bool is_beside; /* it takes part as the baseline or recorded winner only */
	bool refused; /* found wrong since: it cannot win any more */
};

/* The phase's state; zeroed it has no finalists. */
struct at_finals_phase {
	struct at_finals_phase_options options;
	struct at_finalist finalists[AT_FINALS_SIZE];
	size_t count;
	unsigned look; /* number of the look at the blocks (session/standings.h) */
	double alpha; /* at_standings_alpha() of the last look */
	/* the budget ended the finals before they were decided
	   (at_standings_undecided()) */
	bool is_undecided;
	/* indices of the finalists that get this look's blocks */
	size_t asked[AT_FINALS_SIZE];
	size_t asked_count;
	uint64_t begun_ns; /* when the finals began, by the evaluator's clock */
	bool ended; /* at_finals_phase_end() was called: no callback follows */
};

/* The candidates of the finals, best first, at AT_PODIUM_MOST places; returns how many
   there are. */
size_t at_finals_podium(const struct at_candidates *candidates,
	const struct at_objective *objective, size_t *places);
/* Seconds that finals with the present candidates would take up to their first look,
   about; 0: there are no candidates. */
double at_finals_phase_estimate(
	const struct at_candidates *candidates, const struct at_visit *visit);

/* Begins the finals; at least one candidate must not be refused. AT_OK: ended() will
   come. After an error the phase still needs at_finals_phase_end(). */
enum at_status at_finals_phase_begin(struct at_finals_phase *self,
	const struct at_finals_phase_options *options, struct at_error *err);
/* The winner by at_standings_winner() among the finalists that were not refused; NULL:
   none of them may win. Borrowed from self. */
struct at_finalist *at_finals_phase_choose(struct at_finals_phase *self);
/* Refuses a finalist that failed a verification: it is not chosen any more, and is no
   candidate any more. */
void at_finals_phase_refuse(struct at_finals_phase *self, struct at_finalist *finalist);
/*
 * Where no finalist may win: refuses the candidates that failed in these finals, so
 * that the next finals are held without them. If the device was lost, baseline and
 * recorded winner are spared. If no candidate is refused by that, all are, so that the
 * number of candidates always falls and finals are not repeated without end.
 */
void at_finals_phase_refuse_failed(struct at_finals_phase *self);
/*
 * The gain of a finalist over the baseline in these finals. All NAN where there is no
 * baseline; all 1 where the finalist is the baseline.
 */
struct at_finals_gain at_finals_phase_gain(
	const struct at_finals_phase *self, const struct at_finalist *winner);
/*
 * What the finals found of time and energy, as a winner keeps it (heap, JSON): the idle
 * board's power, temperatures, and of each finalist configuration, time and energy of a
 * launch, and whether it is on the front: no other finalist is better in one of them
 * and as good in the other. NULL: energy was not measured.
 */
char *at_finals_phase_energy(const struct at_finals_phase *self);
/* Releases what the phase holds; no callback follows. */
void at_finals_phase_end(struct at_finals_phase *self);

#endif
