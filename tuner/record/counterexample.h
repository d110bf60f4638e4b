/*
 * Counterexamples: cases on which a configuration was found wrong. Each later
 * verification of a winner of the space begins with them
 * (session/phase_verification.h).
 *
 * Must not know: how cases are made. Threads: the store's.
 */
#ifndef AT_RECORD_COUNTEREXAMPLE_H
#define AT_RECORD_COUNTEREXAMPLE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_store;

struct at_counterexample {
	int64_t id; /* in the record; 0: it is from a result file, or was not added */
	int64_t device_id; /* on which it was found */
	char *space;
	/* the case (evaluator/cases.h), a JSON object: "sizes", all of them, and the
	   scalar arguments that the case gives; "contents", the arguments with other
	   contents; "seed" of the data; "is_scaled" */
	char *instance;
	/* JSON object: the "configuration" that failed, beside which tuned "problem",
	   "detail": how, and "found": when, in seconds since 1970 */
	char *failure;
	/* of the device; not needed to add it */
	char *slug;
	char *kind;
};

struct at_counterexamples {
	size_t count;
	size_t capacity;
	struct at_counterexample *items;
};

/* Free all that they hold, and zero it. */
void at_counterexample_release(struct at_counterexample *self);
void at_counterexamples_release(struct at_counterexamples *self);
/* Whether both are the same case of a space, found on devices of the same model. */
bool at_counterexample_is_same(
	const struct at_counterexample *a, const struct at_counterexample *b);

/* Adds it, unless the device has the case already. */
enum at_status at_store_put_counterexample(struct at_store *self,
	const struct at_counterexample *counterexample, struct at_error *err);
/* Appends those of a space (NULL: of all), the oldest first. Release *out also after a
   failure. */
enum at_status at_store_counterexamples(struct at_store *self, const char *space,
	struct at_counterexamples *out, struct at_error *err);

#endif
