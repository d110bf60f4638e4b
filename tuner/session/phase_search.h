/*
 * The search: begins with what the record knows, then asks a strategy, has evaluated
 * what it asks for, tells it what came of it, until the strategy has nothing more to
 * try or the budget is spent. What passed goes into the candidates.
 *
 *   at_search_phase_begin(&phase, &options);
 *   at_search_phase_step(&phase);      whenever something has changed
 *   options.ended(context);            once, from a step
 *   at_search_phase_end(&phase);
 *
 * Must not know: processes, SQL. Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_SEARCH_H
#define AT_SESSION_PHASE_SEARCH_H

#include "search/strategy.h"
#include "session/budget.h"
#include "session/candidates.h"
#include "session/experience.h"
#include "session/journal.h"

struct at_search_phase_options {
	struct at_evaluator *evaluator;
	struct at_journal *journal;
	struct at_strategy *strategy;
	/* what the record knows; without a store nothing is read of it */
	struct at_experience_options gathering;
	const struct at_budget *budget;
	struct at_candidates *candidates; /* filled */
	const struct at_objective *objective;
	/* what is tried before the strategy is asked; AT_NO_CONFIGURATION: nothing */
	uint64_t baseline;
	uint64_t recorded_winner;
	uint64_t seed; /* of the choice of those that racing is audited with */
	/* each evaluation; is_best: it leads from now on */
	void (*told)(void *context, const struct at_entry *entry, bool is_best);
	/* at most once: why the strategy wants nothing more, though not all is tried */
	void (*done)(void *context, const char *text);
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

struct at_search_phase {
	struct at_search_phase_options options;
	/* what of its `own` still holds is told as if it were asked for; the rest stays
	   in it, and is taught as a prior like all others */
	struct at_experience experience;
	uint64_t evaluated; /* told, reused ones included */
	size_t recalled; /* of the experience's own were looked up */
	size_t outdated; /* of these do not hold any more, and stand at the front */
	bool has_recalled; /* all, and the strategy was taught */
	bool began; /* the baseline was asked for */
	bool has_begun_winner; /* the recorded one, too */
	bool has_gathered; /* the experience */
	bool baseline_is_out;
	bool asked_out; /* nothing more will be asked for */
	bool was_cut; /* since the time of the search was over */
	bool steps_later; /* the next slice of asking is due */
	bool ended;
};

void at_search_phase_begin(
	struct at_search_phase *self, const struct at_search_phase_options *options);
void at_search_phase_step(struct at_search_phase *self);
/* No callback follows. */
void at_search_phase_end(struct at_search_phase *self);
/* Also of one that is zeroed. */
void at_search_phase_release(struct at_search_phase *self);

#endif
