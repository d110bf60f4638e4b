/*
 * The search phase: evaluates the baseline and the recorded winner, then what the
 * record has of this problem, then what a strategy asks for, and tells the strategy the
 * results. It ends when the strategy has nothing more to try or the budget is spent.
 * Configurations that pass become candidates.
 *
 * |   at_search_phase_begin(&phase, &options);
 * |   at_search_phase_step(&phase);      whenever something has changed
 * |   options.ended(context);            once, from a step
 * |   at_search_phase_end(&phase);
 * |   at_search_phase_release(&phase);
 *
 * Must not know: processes, SQL. Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_SEARCH_H
#define AT_SESSION_PHASE_SEARCH_H

#include "search/strategy.h"
#include "session/candidates.h"
#include "session/experience.h"
#include "session/journal.h"

/* Copied; all pointers are borrowed until at_search_phase_end(). */
struct at_search_phase_options {
	struct at_visit *visit; /* it gets notes */
	struct at_journal *journal;
	struct at_strategy *strategy;
	struct at_candidates *candidates; /* what passes is added to them */
	/* Configurations to evaluate before the strategy is asked; AT_NO_CONFIGURATION:
	   none. */
	uint64_t baseline;
	uint64_t recorded_winner;
	/* Then these, of the user (session/seeds.h). */
	const uint64_t *seeds;
	size_t seed_count;
	/* Called for each evaluation; is_best: it leads from now on. */
	void (*told)(void *context, const struct at_entry *entry, bool is_best);
	/* Another candidate leads, or what leads counts otherwise: what was told of the
	   leader no longer holds. */
	void (*leader_changed)(void *context);
	/* Once: the search is over; err NULL: without an error. */
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

/*
 * How fast the board is now, beside the times in the record. Clocks that were locked
 * or capped since, heat, or other programs make every time of today longer or shorter
 * than recorded ones by one factor. Racing against a recorded time would then drop what
 * is better, and recorded configurations would look better than new ones, or worse.
 *
 * So as soon as something new is being measured beside an earlier record, two of its
 * configurations are measured once more: the best, which may have been lucky, and the
 * baseline, which was not chosen for its time. The factor is the smaller of the two
 * that they show. These measurements are not recorded and are no candidates: they would
 * take the place of those that the winner's finals go back to.
 */
struct at_pace {
	struct at_pace_measured {
		struct at_search_phase *owner;
		struct at_candidate recorded;
		uint64_t clock_hz; /* now; 0: not known */
		double time_ns; /* now; 0: it has none */
		double factor; /* 0: it was not measured */
	} measured[2];
	size_t count; /* of those that are measured */
	size_t out; /* of those, not answered yet */
	bool was_asked;
	bool was_called_off;
};

/* The phase's state; at_search_phase_begin() fills it. */
struct at_search_phase {
	struct at_search_phase_options options;
	/* What the record knows. Evaluations of its `own` that still hold reach the
	   strategy as if the strategy had asked for them; the rest stays in it, and the
	   strategy gets it as a prior, like all others. */
	struct at_experience experience;
	/* Until it is answered nothing is raced against a time that is old; if it is
	   called off, not at all. */
	struct at_pace pace;
	bool knows_pace;
	int64_t begun_seconds; /* when the phase began, by the clock of the day */
	size_t seeded; /* number of seeds that were asked for */
	uint64_t evaluated; /* evaluations told, reused ones included */
	/* the longest evaluation of a correct configuration, recorded ones included; 0:
	   none yet */
	double longest_seconds;
	double incumbent_ns; /* what the evaluator races with; 0: nothing */
	/* number of experience.own that were looked up in the record */
	size_t recalled;
	/* Number of those that no longer hold; they are moved to the front of
	   experience.own. */
	size_t outdated;
	/* experience.own is looked up, and the strategy has its priors */
	bool has_recalled;
	bool began; /* the baseline was asked for, where there is one */
	/* the recorded winner was asked for, where there is one */
	bool has_begun_winner;
	bool has_gathered; /* the experience was read */
	bool baseline_is_out; /* the baseline was asked for and is not told yet */
	/* nothing more will be asked for; the phase waits for what is out */
	bool asked_out;
	bool was_cut; /* the search ended because its time was over */
	bool steps_later; /* the next step is queued in the loop */
	/* ended() was called, or at_search_phase_end(): nothing is reported any more */
	bool ended;
};

/* Begins the phase and listens to the journal from now on; the first step asks. */
void at_search_phase_begin(
	struct at_search_phase *self, const struct at_search_phase_options *options);
/* Asks for as much as may be out, looks after the time, and may call ended(). */
void at_search_phase_step(struct at_search_phase *self);
/* Ends the phase: no callback follows. */
void at_search_phase_end(struct at_search_phase *self);
/* Frees the experience; a zeroed phase is allowed. */
void at_search_phase_release(struct at_search_phase *self);

#endif
