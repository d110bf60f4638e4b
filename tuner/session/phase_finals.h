/*
 * The finals: the best few again, interleaved, with the baseline among them, so that
 * the winner and its gain come from blocks of rounds that all shared. What six blocks
 * leave open (session/standings.h) gets more, as long as there is time.
 *
 * Begin, then ended() once; at_finals_phase_choose() names the best that was not
 * refused, as often as one is refused by a proof. Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_FINALS_H
#define AT_SESSION_PHASE_FINALS_H

#include "session/budget.h"
#include "session/candidates.h"
#include "session/finals.h"
#include "evaluator/evaluator.h"
#include "space/search_space.h"

/* candidates of the finals; baseline and recorded winner come beside them */
#define AT_PODIUM_SIZE 5
#define AT_FINALS_SIZE (AT_PODIUM_SIZE + 2)

struct at_finals_phase_options {
	struct at_evaluator *evaluator;
	struct at_candidates *candidates;
	const struct at_search_space *space;
	const struct at_objective *objective;
	const struct at_budget *budget;
	/* its configuration; AT_NO_CONFIGURATION: there is none. It takes part whatever
	   the search says of it: nobody takes its place unseen */
	uint64_t recorded_winner;
	/* it is replaced only by what is better by more than `margin` for sure */
	bool keeps_winner;
	double margin; /* 0.01: 1 % */
	uint64_t seed;
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

struct at_finalist {
	size_t place; /* among the candidates */
	struct at_planned *planned;
	struct at_final final;
	struct at_score score; /* by the finals; only where it may win */
	bool is_beside; /* in the search it was not among the best */
	bool refused;
};

struct at_finals_phase {
	struct at_finals_phase_options options;
	struct at_finalist finalists[AT_FINALS_SIZE];
	size_t count;
	unsigned look; /* at the blocks: session/standings.h */
	double doubt; /* of it, once it is had */
	size_t asked[AT_FINALS_SIZE]; /* finalists that have its blocks */
	size_t asked_count;
	uint64_t begun_ns;
	bool ended;
};

/* About how long they would take now, in seconds; 0: nobody to have them with. */
double at_finals_phase_estimate(const struct at_candidates *candidates,
	const struct at_objective *objective, const struct at_budget *budget);

/* At least one candidate is not refused. AT_OK: ended() will come. */
enum at_status at_finals_phase_begin(struct at_finals_phase *self,
	const struct at_finals_phase_options *options, struct at_error *err);
/* at_standings_winner() of those that were not refused. NULL: none of them may win. */
struct at_finalist *at_finals_phase_choose(struct at_finals_phase *self);
/* It failed a proof: no choice any more, and no candidate. */
void at_finals_phase_refuse(struct at_finals_phase *self, struct at_finalist *finalist);
/* None may win: those that failed are candidates no more, or all where nobody knows
   which failed, so that there are ever fewer. */
void at_finals_phase_refuse_failed(struct at_finals_phase *self);
/*
 * The gain of one that had these finals over the baseline. All NAN where there is no
 * baseline; 1 throughout where it is the winner itself.
 */
struct at_finals_gain at_finals_phase_gain(
	const struct at_finals_phase *self, const struct at_finalist *winner);
/* Releases what it holds; no callback follows. */
void at_finals_phase_end(struct at_finals_phase *self);

#endif
