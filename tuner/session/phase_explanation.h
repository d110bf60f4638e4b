/*
 * The explanation phase: which parameter mattered. It walks from the baseline to the
 * winner, change by change (search/ablation.h), with evaluations that are recorded like
 * all others. Most are in the record from the search. What is missing is measured while
 * the budget lasts, and always in full: shares must come from measured times, not from
 * times that racing cut short.
 * Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_EXPLANATION_H
#define AT_SESSION_PHASE_EXPLANATION_H

#include "search/ablation.h"
#include "session/journal.h"

/* Copied; all pointers are borrowed until at_explanation_phase_end(). */
struct at_explanation_phase_options {
	const struct at_visit *visit;
	struct at_journal *journal;
	/* Both ends of the way, as configurations, and their costs
	   (at_objective_cost()). */
	uint64_t baseline;
	uint64_t winner;
	double baseline_cost;
	double winner_cost;
	/* Called for each evaluation that was measured for the explanation. */
	void (*told)(void *context, const struct at_entry *entry);
	/* Once, from a step; err NULL: without an error. */
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

/* The phase's state; zeroed it holds nothing. */
struct at_explanation_phase {
	struct at_explanation_phase_options options;
	struct at_ablation *ablation;
	/* room for three configurations: the baseline, the winner, one between */
	uint16_t *configurations;
	uint64_t end_ns; /* when its time is over, by the evaluator's clock */
	uint64_t measured; /* evaluations that were not in the record */
	/* The time was over, and evaluations that had not reached a board were called
	   off. */
	bool gave_up;
	bool ended;
};

/* Begins the phase and listens to the journal from now on; the first step asks. */
void at_explanation_phase_begin(struct at_explanation_phase *self,
	const struct at_explanation_phase_options *options);
/* Asks for evaluations, looks after the time, and may call ended(). */
void at_explanation_phase_step(struct at_explanation_phase *self);
/* After ended(): the gains of each change as a winner keeps them. JSON on the heap. */
char *at_explanation_phase_gains(struct at_explanation_phase *self);
/* Frees what the phase holds; no callback follows. */
void at_explanation_phase_end(struct at_explanation_phase *self);

#endif
