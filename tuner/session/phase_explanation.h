/*
 * The explanation: which parameter mattered. The way from the baseline to the winner,
 * change by change (search/ablation.h), from evaluations that are recorded like all
 * others. Most are there from the search; what is missing is measured while the budget
 * lasts, in full: the way is told by times, not by who lost early.
 * Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_EXPLANATION_H
#define AT_SESSION_PHASE_EXPLANATION_H

#include "search/ablation.h"
#include "session/budget.h"
#include "session/journal.h"

struct at_explanation_phase_options {
	struct at_evaluator *evaluator;
	struct at_journal *journal;
	const struct at_spec *spec;
	const struct at_search_space *space;
	const struct at_objective *objective;
	const struct at_budget *budget;
	uint64_t baseline; /* configurations, and what they cost */
	uint64_t winner;
	double baseline_cost;
	double winner_cost;
	/* each evaluation that was measured for it */
	void (*told)(void *context, const struct at_entry *entry);
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

struct at_explanation_phase {
	struct at_explanation_phase_options options;
	struct at_ablation *ablation;
	uint16_t *configurations; /* three: the baseline, the winner, one between */
	uint64_t end_ns;
	uint64_t measured;
	bool gave_up; /* the time was over: what is at no board was called off */
	bool ended;
};

enum at_status at_explanation_phase_begin(struct at_explanation_phase *self,
	const struct at_explanation_phase_options *options, struct at_error *err);
void at_explanation_phase_step(struct at_explanation_phase *self);
/* After ended(): what a crown keeps as its gains, JSON on the heap; NULL when memory
   ran out. */
char *at_explanation_phase_gains(struct at_explanation_phase *self);
/* No callback follows. */
void at_explanation_phase_end(struct at_explanation_phase *self);

#endif
