/*
 * Which images were measured, or are about to be: of configurations that compile to the
 * same image and are launched in the same way on the same data only one is measured.
 * Threads: one.
 */
#ifndef AT_WORKERS_COPIES_H
#define AT_WORKERS_COPIES_H

#include "base/hash.h"
#include "measure/measure.h"

struct at_copies;

enum at_copies_verdict {
	AT_COPIES_MEASURE = 0, /* nothing is known of its like: it is the one */
	AT_COPIES_KNOWN, /* its like was measured: *result, on *where */
	AT_COPIES_WAIT, /* its like is about to be: see at_copies_next_waiting() */
};

enum at_status at_copies_new(struct at_copies **out, struct at_error *err);
void at_copies_free(struct at_copies *self);

/*
 * What to do with `who`, whose image this is (zero: not known, it is measured). full: a
 * result that was dropped early is none. *result and *where are borrowed. Where memory
 * runs out it is measured.
 */
enum at_copies_verdict at_copies_claim(struct at_copies *self, struct at_hash image,
	bool full, void *who, const struct at_measure_result **result,
	const void **where);
/* Whoever was to measure it does not: the next one who claims it does. Those who wait
   have to be asked for: at_copies_next_waiting(). */
void at_copies_disclaim(struct at_copies *self, struct at_hash image);
/* Keeps a copy of the result. */
void at_copies_measured(struct at_copies *self, struct at_hash image,
	const struct at_measure_result *result, const void *where);
/* One after the other those who waited for it; NULL: no more. */
void *at_copies_next_waiting(struct at_copies *self, struct at_hash image);
/* Nobody waits any more, and nothing is about to be measured. self may be NULL. */
void at_copies_forget_waiting(struct at_copies *self);

#endif
