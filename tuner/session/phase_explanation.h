/*
 * The explanation phase: which parameters mattered. It walks from the baseline to the
 * winner, change by change (search/ablation.h), with recorded evaluations, most of them
 * from the search. It measures the missing ones while the budget lasts, always in full:
 * contributions need measured times, not times that racing cut short. Threads: the
 * evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_EXPLANATION_H
#define AT_SESSION_PHASE_EXPLANATION_H

#include "search/ablation.h"
#include "session/journal.h"

/* Copied; all pointers are borrowed until at_explanation_phase_end(). */
struct at_explanation_phase_options {
	const struct at_visit *visit;
	struct at_journal *journal;
	/* Both ends of the walk, and their costs (at_objective_cost()). */
	uint64_t baseline;
	uint64_t winner;
	double baseline_cost;
	double winner_cost;
	/* Called for each evaluation measured for the explanation. */
	void (*told)(void *context, const struct at_entry *entry);
	/* Once, from a step; err NULL: no error. */
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

/* The phase's state; zeroed it holds nothing. */
struct at_explanation_phase {
	struct at_explanation_phase_options options;
	struct at_ablation *ablation;
	/* room for three configurations: baseline, winner, one between */
	uint16_t *configurations;
	uint64_t end_ns; /* deadline, by the evaluator's clock */
	uint64_t measured; /* evaluations that were not in the record */
	/* The time was over: evaluations that had not reached a board were
	   cancelled. */
	bool gave_up;
	bool ended;
};

/* Begins the phase and sets the journal's listener; the first step requests
   evaluations. */
void at_explanation_phase_begin(struct at_explanation_phase *self,
	const struct at_explanation_phase_options *options);
/* Requests evaluations, checks the time, may call ended(). */
void at_explanation_phase_step(struct at_explanation_phase *self);
/* After ended(): the gains of all changes, as at_winner has them. JSON on the heap. */
char *at_explanation_phase_gains(struct at_explanation_phase *self);
/* Frees what the phase owns; no callback follows. */
void at_explanation_phase_end(struct at_explanation_phase *self);

#endif
