/*
 * Counterexamples: cases on which a configuration was wrong. Every later verification
 * of a winner of the space begins with them (session/phase_verification.h).
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
	int64_t id; /* in the record; 0: from a result file, or not added */
	int64_t device_id; /* where it was found */
	char *space;
	/* The case (evaluator/cases.h) as a JSON object: "sizes", all of them; the
	   scalar arguments that the case sets; "contents", the arguments with other
	   contents; "seed" of the data; "is_scaled". */
	char *instance;
	/* JSON object: the "configuration" that failed, the tuned "problem", "detail":
	   how, "found": when, in seconds since 1970. */
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

/* Free everything and zero it. */
void at_counterexample_release(struct at_counterexample *self);
void at_counterexamples_release(struct at_counterexamples *self);
/* Whether both are the same case of a space, found on the same model of device. */
bool at_counterexample_is_same(
	const struct at_counterexample *a, const struct at_counterexample *b);

/* Adds it, unless the device already has the case. */
enum at_status at_store_put_counterexample(struct at_store *self,
	const struct at_counterexample *counterexample, struct at_error *err);
/* Appends those of a space (NULL: of all), oldest first. Release *out also after a
   failure. */
enum at_status at_store_counterexamples(struct at_store *self, const char *space,
	struct at_counterexamples *out, struct at_error *err);

#endif
