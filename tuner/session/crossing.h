/*
 * Tries configurations of other problems on this one, on one model of device: measures
 * the given configurations, or holds one of them to finals beside the problem's winner
 * and to a winner's proof. Used by portfolio.h.
 *
 * |   at_crossing_start(&visit, ..., &crossing, &err);  -> visit.done() later, once
 * |   at_crossing_interrupt(crossing);               (any time: done() comes soon)
 * |   at_crossing_free(crossing);                    (after done())
 *
 * Must not know: processes, units, images; terminals; SQL. Threads: the loop's.
 */
#ifndef AT_SESSION_CROSSING_H
#define AT_SESSION_CROSSING_H

#include "session/visit.h"

struct at_crossing;

/* The result of one configuration on this problem. */
struct at_crossed {
	int64_t evaluation_id; /* 0: it was not evaluated */
	/* NOT_APPLICABLE: it violates the constraints on this problem */
	enum at_outcome outcome;
	struct at_score score; /* unknown unless OK */
};

/*
 * Begins the visit with `count` configurations as value indices, one after the other;
 * borrowed. winner NULL: they are measured, nothing more. Else the problem's winner,
 * and the one configuration is to serve in its place; borrowed until
 * at_crossing_free(). After an error done() is not called and the evaluator is still
 * the caller's.
 */
enum at_status at_crossing_start(const struct at_visit *given,
	const uint16_t *configurations, size_t count, const struct at_crown *winner,
	struct at_crossing **out, struct at_error *err);
/* Ends it soon; what was not measured has evaluation_id 0. done() follows. */
void at_crossing_interrupt(struct at_crossing *self);
/* Called a few times a second. May call done(). */
void at_crossing_poke(struct at_crossing *self);
/* After done(): the result of each configuration, in the order given; borrowed. */
const struct at_crossed *at_crossing_results(const struct at_crossing *self);
/*
 * After done(), with a winner: the configuration as a member of a portfolio that serves
 * this problem, with its finals, proof and loss against the winner. NULL: it failed,
 * and its result says how. Borrowed.
 */
const struct at_crown *at_crossing_member(const struct at_crossing *self);
/* Frees it and closes its evaluator; NULL is allowed. */
void at_crossing_free(struct at_crossing *self);

#endif
