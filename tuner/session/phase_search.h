/*
 * The search phase: evaluates the baseline, the recorded winner, the problem's recorded
 * evaluations, then the strategy's proposals, and tells the strategy the results. It
 * ends when the strategy has no more proposals or the budget is spent. Configurations
 * that pass become candidates.
 *
 * |   at_search_phase_begin(&phase, &options);
 * |   at_search_phase_step(&phase);      after each change
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
	struct at_visit *visit; /* receives notes */
	struct at_journal *journal;
	struct at_strategy *strategy;
	struct at_candidates *candidates; /* receives the configurations that pass */
	/* Evaluated before the strategy's first proposal; AT_NO_CONFIGURATION: none. */
	uint64_t baseline;
	uint64_t recorded_winner;
	/* The user's seeds follow (session/seeds.h). */
	const uint64_t *seeds;
	size_t seed_count;
	/* Called for each evaluation; is_best: it now leads. */
	void (*told)(void *context, const struct at_entry *entry, bool is_best);
	/* The leader, or the leader's value, has changed: earlier reports of it are
	   outdated. */
	void (*leader_changed)(void *context);
	/* Once, at the end of the search; err NULL: no error. */
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

/*
 * The board's speed today relative to recorded times. Clocks that were since locked or
 * capped, heat, or other programs scale all of today's times by one factor. Racing
 * against a recorded time would then drop better configurations, and recorded
 * configurations would look better or worse than new ones.
 *
 * So once a new configuration is being measured while old records count, two old ones
 * are measured again: the best, which may have been lucky, and the baseline, which was
 * not selected by time. The pace is the smaller of both factors. These measurements are
 * neither recorded nor candidates: they would replace the evaluations to which the
 * winner's finals refer.
 */
struct at_pace {
	struct at_pace_measured {
		struct at_search_phase *owner;
		struct at_candidate recorded;
		uint64_t clock_hz; /* today; 0: not known */
		double time_ns; /* today; 0: none */
		double factor; /* 0: not measured */
	} measured[2];
	size_t count; /* number of `measured` */
	size_t out; /* of them, not answered yet */
	bool was_asked;
	bool was_called_off;
};

/* The phase's state; at_search_phase_begin() fills it. */
struct at_search_phase {
	struct at_search_phase_options options;
	/* What the record knows. Valid evaluations in its `own` reach the strategy as
	   if it had proposed them. Stale ones stay in `own` and become a prior, like
	   all others. */
	struct at_experience experience;
	/* Until it is known, nothing races against an old time; if the measurement is
	   cancelled, never. */
	struct at_pace pace;
	bool knows_pace;
	int64_t begun_seconds; /* start of the phase, wall clock */
	size_t seeded; /* number of seeds begun */
	uint64_t evaluated; /* evaluations reported, reused ones included */
	/* longest evaluation of a correct configuration, recorded ones included; 0:
	   none yet */
	double longest_seconds;
	double incumbent_ns; /* what the evaluator races against; 0: nothing */
	/* number of experience.own looked up in the record */
	size_t recalled;
	/* Number of stale evaluations; they are moved to the front of
	   experience.own. */
	size_t outdated;
	/* experience.own was looked up, and the strategy has its priors */
	bool has_recalled;
	bool began; /* the baseline was begun, if there is one */
	/* the recorded winner was begun, if there is one */
	bool has_begun_winner;
	bool has_gathered; /* the experience was read */
	bool baseline_is_out; /* the baseline was begun and is not answered yet */
	/* begins nothing more, waits for what is out */
	bool asked_out;
	bool was_cut; /* the search ended because its time was over */
	bool steps_later; /* the next step is queued in the loop */
	/* ended() was called, or at_search_phase_end(): nothing is reported any more */
	bool ended;
};

/* Begins the phase and sets the journal's listener; the first step requests
   evaluations. */
void at_search_phase_begin(
	struct at_search_phase *self, const struct at_search_phase_options *options);
/* Begins as many evaluations as allowed, checks the time, may call ended(). */
void at_search_phase_step(struct at_search_phase *self);
/* Ends the phase: no callback follows. */
void at_search_phase_end(struct at_search_phase *self);
/* Frees the experience; a zeroed phase is allowed. */
void at_search_phase_release(struct at_search_phase *self);

#endif
