/*
 * Rows of the record that are not wanted any more, removed with what hangs on them, so
 * that every row that is left finds what it refers to.
 *
 *   with no age:  everything of the targets: evaluations, winners and their history,
 *                 nights, portfolios, runs; of a device that is named without a space
 *                 its ceilings, and the device
 *   with an age:  of these what is older, but never the winner that stands, nor what it
 *                 and the newest portfolio refer to
 *
 * One transaction. A run that has not ended stays for two days, since it may be at
 * work; what is being tuned at the same time is better left alone.
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_FORGET_H
#define AT_RECORD_FORGET_H

#include "record/store.h"

/* What is meant; NULL and 0 are all. */
struct at_forget_target {
	const char *space;
	int64_t device_id;
	const char *problem;
};

struct at_forgotten {
	int64_t evaluations;
	int64_t crowns;
	int64_t revisits;
	int64_t portfolios;
	int64_t ceilings;
	int64_t runs;
	int64_t devices;
};

/*
 * before_seconds: only what is from before (since 1970); 0: whatever its age. Without
 * `really` it is only counted. AT_EINVAL: a row that is left would refer to one that is
 * not, and nothing was removed.
 */
enum at_status at_store_forget(struct at_store *self,
	const struct at_forget_target *targets, size_t count, int64_t before_seconds,
	bool really, struct at_forgotten *out, struct at_error *err);

/* Gives the room of what was forgotten back to the disk; other processes wait. */
enum at_status at_store_compact(struct at_store *self, struct at_error *err);

#endif
