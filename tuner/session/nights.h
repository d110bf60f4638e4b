/*
 * Judges a night: compares tonight's measurements of a winner with the kernel's
 * history. Statistics only: it measures nothing, reads no record and knows no clock.
 *
 * |   looks[0] = measure();
 * |   at_nights_judge(history, count, looks, 1, margin, &judgement);
 * |   while (judgement.wants_look && there is time) {
 * |           looks[n++] = measure();                     new finals
 * |           at_nights_judge(history, count, looks, n, margin, &judgement);
 * |   }
 *
 * If there is no time for a look that is wanted, the verdict stays "unclear": a single
 * look never suffices to call a kernel slower.
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

/* most looks in one night; then wants_look is false */
#define AT_NIGHTS_LOOKS_MAX 3

/* A night of one kernel on one board, or one look of tonight. Costs are
   at_objective_cost(), less is better, with the 95 % interval of their finals; NAN: not
   known. */
struct at_night {
	struct at_score cost;
	struct at_score
		/* baseline's cost in the same finals; NAN: none exists, or it is the
		   winner */
		baseline;
	/* Cost divided by the baseline's, with the interval of the blocks' quotients;
	   NAN if `baseline` is NAN. */
	struct at_score relative;
	double clock_hz; /* NAN or 0: not known */
	/* Driver, compiler, power limit or fixed clocks differ from the night
	   before. */
	bool is_changed;
	bool is_disturbed; /* other processes used the board */
	/* the board reported throttling during the measurement */
	bool is_held_back;
	/* That night's verdict; ignored in tonight's looks. INCORRECT: the winner was
	   wrong and was not measured. */
	enum at_verdict verdict;
};

/* Converts a recorded night. is_changed: its conditions differ from those of `before`
   (NULL: there is no night before). */
struct at_night at_night_of_revisit(
	const struct at_revisit *revisit, const struct at_revisit *before);
/* The finals that selected the winner, as the night before the first. */
struct at_night at_night_of_winner(const struct at_winner *best);

/* Why a verdict needs an explanation. */
enum at_nights_reason {
	AT_NIGHTS_PLAIN = 0,
	AT_NIGHTS_CLOCK, /* the board's clock differs from earlier nights */
	/* Winner and baseline moved alike: the cause is the board, the driver or the
	   machine, not this kernel. The verdict is slower or faster only if the change
	   lasts for a second night, or if the conditions are known to have changed. */
	AT_NIGHTS_COMMON,
	AT_NIGHTS_DISTURBED, /* other processes used the board */
	AT_NIGHTS_HELD_BACK, /* unusual throttling */
	/* more than the usual spread of nights, but not significant */
	AT_NIGHTS_NOISE,
};

struct at_judgement {
	enum at_verdict verdict;
	enum at_nights_reason reason;
	bool wants_look; /* measure again tonight, if there is time */
	/* Tonight's cost divided by the history's (above 1: slower), with the verdict's
	   interval; NAN: not known. */
	struct at_score change;
	struct at_score cycles; /* the same for time times clock */
	struct at_score relative; /* the same for cost over the baseline's cost */
	double clock; /* tonight's clock divided by the history's; NAN: not known */
	/* costs: tonight's, and the median of the earlier nights; NAN: not known */
	double tonight;
	double before;
	size_t night_count; /* nights of the history that tonight is compared with */
};

/*
 * Judges tonight. history: oldest night first, one kernel (same configuration, same
 * source) on one board; may be empty. looks: tonight's, at least one, all measured and
 * correct. margin: smaller changes are "same", even if significant: 0.01 is 1 %; 0
 * means 1 %.
 */
void at_nights_judge(const struct at_night *history, size_t count,
	const struct at_night *looks, size_t look_count, double margin,
	struct at_judgement *out);

/* Appends the reason in words, such as "the board clocks 6.1 % lower: in cycles it is
   0.2 % slower". For an unclear night both costs come first. Appends nothing if the
   verdict needs no explanation. */
void at_judgement_explain(const struct at_judgement *self,
	const struct at_objective *objective, struct at_strbuf *out);

#endif
