/*
 * Which images were measured, or are about to be measured. Of configurations that
 * compile to the same image, and are launched in the same way on the same data, only
 * one is measured. Threads: one.
 */
#ifndef AT_WORKERS_COPIES_H
#define AT_WORKERS_COPIES_H

#include "base/hash.h"
#include "measure/measure.h"

struct at_copies;

/* What to do with a configuration. */
enum at_copies_verdict {
	AT_COPIES_MEASURE = 0, /* no result yet: the caller is to measure it */
	AT_COPIES_KNOWN, /* it was measured: *result, on *where */
	AT_COPIES_WAIT, /* another is measuring it: see at_copies_next_waiting() */
};

/* Makes an empty table; at_copies_free() releases it, and accepts NULL. */
enum at_status at_copies_new(struct at_copies **out, struct at_error *err);
void at_copies_free(struct at_copies *self);

/*
 * What to do with the configuration `who`, whose image this is. An image of zero is not
 * known, and is measured. full: a result that racing cut short does not do. *result and
 * *where are borrowed. Where memory runs out the answer is to measure.
 */
enum at_copies_verdict at_copies_claim(struct at_copies *self, struct at_hash image,
	bool full, void *who, const struct at_measure_result **result,
	const void **where);
/* The configuration that was to measure the image will not do so; the next one to claim
   it will. Those that wait have to be asked for with at_copies_next_waiting(). */
void at_copies_disclaim(struct at_copies *self, struct at_hash image);
/* Keeps a copy of the result; where: any pointer that the caller wants back with it. */
void at_copies_measured(struct at_copies *self, struct at_hash image,
	const struct at_measure_result *result, const void *where);
/* Takes one after the other those that wait for the image; NULL: no more. */
void *at_copies_next_waiting(struct at_copies *self, struct at_hash image);
/* Forgets all that wait, and that anything is about to be measured. self may be
   NULL. */
void at_copies_forget_waiting(struct at_copies *self);

#endif
