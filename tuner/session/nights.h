/*
 * What a night says of a winner: the history of a kernel and tonight's measurements in,
 * a verdict out. Statistics only: it measures nothing, reads no record, knows no clock.
 *
 *   looks[0] = measure();
 *   at_nights_judge(history, count, looks, 1, &options, &judgement);
 *   while (judgement.wants_look && there is time) {
 *           looks[n++] = measure();                     finals of their own
 *           at_nights_judge(history, count, looks, n, &options, &judgement);
 *   }
 *
 * What is told without a further look is "unclear": nobody is called slower on one
 * look.
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

/* looks of one night that are worth having; wants_look is false from there on */
#define AT_NIGHTS_LOOKS_MAX 3

/*
 * A night of one kernel on one board, or one look of tonight. Costs: the less the
 * better (at_objective_cost()), each with its 95 % interval within the finals; NAN
 * where not known.
 */
struct at_night {
	struct at_score cost;
	struct at_score
		baseline; /* of the same finals; NAN: none, or it is the winner */
	/* cost over baseline's cost, with the interval of the blocks' quotients; NAN:
	   as baseline */
	struct at_score relative;
	double block_count; /* of the finals; NAN: not known */
	double clock_hz; /* NAN or 0: not known */
	/* conditions are others than in the night before: driver, compiler, power
	   limit, clocks that were set */
	bool is_changed;
	bool is_disturbed; /* others were at work on the board */
	bool is_held_back; /* the board said that its clocks were, while it was timed */
	/* what was said of it; of tonight's looks not read. INCORRECT: not measured */
	enum at_verdict verdict;
};

/* From the record; is_changed where the conditions differ from those of `before` (NULL:
   nothing is before). */
struct at_night at_night_of_revisit(
	const struct at_revisit *revisit, const struct at_revisit *before);
/* The finals that crowned it, as a night before the first. */
struct at_night at_night_of_crown(const struct at_crown *crown);

struct at_nights_options {
	/* what is smaller is nobody's concern, however sure it is: 0.01 is 1 %, and
	   what 0 stands for */
	double margin;
};

/* Why a verdict is what it is, where it needs saying. */
enum at_nights_reason {
	AT_NIGHTS_PLAIN = 0,
	AT_NIGHTS_CLOCK, /* the board clocks otherwise than it did */
	/* winner and baseline moved alike: the board, the driver or the machine, not
	   this kernel. Told as slower or faster only when it lasts, or when something
	   is known to have changed */
	AT_NIGHTS_COMMON,
	AT_NIGHTS_DISTURBED, /* others were at work on the board */
	AT_NIGHTS_HELD_BACK, /* the board was held back, which it rarely is */
	AT_NIGHTS_NOISE, /* more than nights differ, but not so much as to be sure */
};

struct at_judgement {
	enum at_verdict verdict;
	enum at_nights_reason reason;
	bool wants_look; /* measure again tonight, if there is time */
	/* cost tonight over that of the history, above 1: slower, and the interval that
	   the verdict rests on; NAN: not known */
	struct at_score change;
	struct at_score cycles; /* the same of time x clock */
	struct at_score relative; /* the same of cost / baseline */
	double clock; /* tonight's over the history's; NAN */
	size_t night_count; /* of the history that it is compared with */
};

/*
 * history: oldest first, of one kernel (same configuration, same source) on one board;
 * may be empty. looks: tonight's, at least one, all measured and correct.
 */
void at_nights_judge(const struct at_night *history, size_t count,
	const struct at_night *looks, size_t look_count,
	const struct at_nights_options *options, struct at_judgement *out);

/* "the board clocks 6.1 % lower: in cycles it is the same", appended; nothing where the
   verdict needs no explanation. */
void at_judgement_explain(const struct at_judgement *self, struct at_strbuf *out);

#endif
