/*
 * Removes unwanted rows of the record, and the rows that refer to them: no remaining
 * row refers to a removed one.
 *
 *   without an age:  all of the targets: evaluations, winners and their history,
 *                    nights, counterexamples, portfolios, runs; of a device without a
 *                    space also its ceilings and the device itself
 *   with an age:     the older ones of these, except counterexamples, the standing
 *                    winner, the newest portfolio, and the rows that these two refer to
 *
 * One transaction. While a run is under way, nothing of its space and device is
 * removed. A run without an end stays for two days.
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_FORGET_H
#define AT_RECORD_FORGET_H

#include "record/store.h"

/* What to forget; NULL and 0 mean all. */
struct at_forget_target {
	const char *space;
	int64_t device_id;
	const char *problem;
};

/* Rows removed (or to be removed), by table. */
struct at_forgotten {
	int64_t evaluations;
	int64_t winners;
	int64_t revisits;
	int64_t counterexamples;
	int64_t portfolios;
	int64_t ceilings;
	int64_t runs;
	int64_t devices;
};

/*
 * Removes the targets. before_seconds: only rows created before that time (since 1970);
 * 0: of any age. Without `really` the rows are only counted. An error removes nothing.
 * AT_EINVAL: a run of a target is under way, or a remaining row would refer to a
 * removed one.
 */
enum at_status at_store_forget(struct at_store *self,
	const struct at_forget_target *targets, size_t count, int64_t before_seconds,
	bool really, struct at_forgotten *out, struct at_error *err);

/* Returns the space of removed rows to the file system (VACUUM). Other writers to the
   record wait meanwhile. */
enum at_status at_store_compact(struct at_store *self, struct at_error *err);

#endif
