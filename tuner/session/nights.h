/*
 * What a night says about a winner: takes a kernel's history and tonight's
 * measurements, gives a verdict. Statistics only: it measures nothing, reads no record
 * and knows no clock.
 *
 * |   looks[0] = measure();
 * |   at_nights_judge(history, count, looks, 1, &options, &judgement);
 * |   while (judgement.wants_look && there is time) {
 * |           looks[n++] = measure();                     finals of their own
 * |           at_nights_judge(history, count, looks, n, &options, &judgement);
 * |   }
 *
 * Where the caller has no time for a look that is wanted, the verdict stays "unclear":
 * one look is never enough to call a kernel slower.
 *
 * Threads: pure functions.
 */
#ifndef AT_SESSION_NIGHTS_H
#define AT_SESSION_NIGHTS_H

#include "base/objective.h"
#include "base/verdict.h"
#include "record/history.h"

#include <stdbool.h>
#include <stddef.h>

/* the most looks in one night; after them wants_look is false */
#define AT_NIGHTS_LOOKS_MAX 3

/*
 * A night of one kernel on one board, or one look of tonight. Costs are
 * at_objective_cost(), less is better, each with its 95 % interval within the finals;
 * NAN where not known.
 */
struct at_night {
	struct at_score cost;
	struct at_score
		/* cost of the baseline in the same finals; NAN: none exists, or it is
		   the winner */
		baseline;
	/* Cost over the baseline's cost, with the interval of the blocks' quotients;
	   NAN where `baseline` is NAN. */
	struct at_score relative;
	double clock_hz; /* NAN or 0: not known */
	/* The conditions differ from the night before: driver, compiler, power limit or
	   fixed clocks. */
	bool is_changed;
	bool is_disturbed; /* other processes used the board */
	/* the board reported that it held its clocks back while it was timed */
	bool is_held_back;
	/* That night's verdict; not read for tonight's looks. INCORRECT: the winner was
	   wrong and was not measured. */
	enum at_verdict verdict;
};

/* A night from the record. is_changed is set where its conditions differ from those of
   `before` (NULL: there is no night before). */
struct at_night at_night_of_revisit(
	const struct at_revisit *revisit, const struct at_revisit *before);
/* The finals that selected the winner, as a night before the first one. */
struct at_night at_night_of_winner(const struct at_winner *best);

/* Why a verdict is what it is, where it needs an explanation. */
enum at_nights_reason {
	AT_NIGHTS_PLAIN = 0,
	AT_NIGHTS_CLOCK, /* the board's clock differs from earlier nights */
	/*
	 * Winner and baseline moved alike: the cause is the board, the driver or the
	 * machine, not this kernel. The verdict is slower or faster only where the
	 * change lasts for a second night, or where the conditions are known to have
	 * changed.
	 */
	AT_NIGHTS_COMMON,
	AT_NIGHTS_DISTURBED, /* other processes used the board */
	AT_NIGHTS_HELD_BACK, /* the board held its clocks back, which it rarely does */
	/* more than nights usually differ, but not enough to be sure */
	AT_NIGHTS_NOISE,
};

/* The verdict on tonight, and what it rests on. */
struct at_judgement {
	enum at_verdict verdict;
	enum at_nights_reason reason;
	bool wants_look; /* measure again tonight, if there is time */
	/* Tonight's cost over that of the history (above 1: slower), with the interval
	   that the verdict rests on; NAN: not known. */
	struct at_score change;
	struct at_score cycles; /* the same for time times clock */
	struct at_score relative; /* the same for cost over the baseline's cost */
	double clock; /* tonight's clock over the history's; NAN: not known */
	/* costs: of tonight, and the median of the nights before; NAN: not known */
	double tonight;
	double before;
	size_t night_count; /* nights of the history that tonight is compared with */
};

/*
 * Judges tonight. history: oldest night first, all of one kernel (same configuration,
 * same source) on one board; may be empty. looks: tonight's, at least one, all measured
 * and correct. margin: a smaller change is reported as "same", however sure it is: 0.01
 * is 1 %; 0 stands for 1 %.
 */
void at_nights_judge(const struct at_night *history, size_t count,
	const struct at_night *looks, size_t look_count, double margin,
	struct at_judgement *out);

/* Appends the reason in words, such as "the board clocks 6.1 % lower: in cycles it is
   0.2 % slower", and of an unclear night both figures first; appends nothing where the
   verdict needs no explanation. */
void at_judgement_explain(const struct at_judgement *self,
	const struct at_objective *objective, struct at_strbuf *out);

#endif
