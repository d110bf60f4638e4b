/*
 * Merges the record of another machine into this one: all its measurements, with their
 * origin.
 *
 *   at_store_merge(store, "shards/17/autotune.db", "shards/17", &merged, &err);
 *
 * All or nothing, in one transaction. An invalid record is rejected as a whole: a
 * database of another program or a newer version, or one with other tables or an
 * invalid row. The other record is never written to. It may be in a read-only place,
 * and in use: if its log is not empty, or its version is older, the merge reads a copy.
 *
 * Rows that agree in the following are equal, so that a second merge adds nothing:
 *   device       what identifies it (space/device_key.h); the row here stays
 *                unchanged, and another device with its slug gets a new slug
 *   run          everything written at its beginning, and its random token
 *   evaluation   device, space, problem, key, configuration, second, board, outcome,
 *                time, samples
 *   winner       device, space, problem, evaluation, second, score, verified or not
 *   ceilings, revisits, portfolios,
 *   counterexamples                   everything
 * A run that has ended since the last merge is completed here, and so is a winner that
 * was explained or has won again.
 *
 * A time in the future is from a wrong clock. If the last run there has no such time,
 * the clock there was wrong, and its rows are dated by their runs, always in the same
 * way. Else the clock here may be wrong, and the record is rejected.
 *
 * The newest of several evaluations of a key counts, by the time of the measurement;
 * likewise of ceilings and portfolios. The standing winner is chosen as follows:
 *   - if one record has both winners, its later one: there the earlier winner took part
 *     in the search, as a recorded winner always does, and lost;
 *   - else (two records that diverged, like shards of a space): if one winner was
 *     withdrawn, the newer one; if one is unverified, the other one; if both have the
 *     same source, compiler and driver, the one with the better score, since their
 *     measurements are comparable; else the newer one.
 * The last rules cannot tell with confidence which winner is faster, since the two
 * never met in finals: the next `tune` of the merged record holds finals with both.
 *
 * Must not know: how times were measured. Threads: as the store.
 */
#ifndef AT_RECORD_MERGE_H
#define AT_RECORD_MERGE_H

#include "record/store.h"

/* Of one table: added rows of the other record, and rows that were already here. */
struct at_merge_count {
	int64_t added;
	int64_t known;
};

/* The result of a merge, by table. */
struct at_merged {
	struct at_merge_count devices;
	struct at_merge_count runs;
	struct at_merge_count evaluations;
	struct at_merge_count winners;
	struct at_merge_count ceilings;
	struct at_merge_count revisits;
	struct at_merge_count counterexamples;
	struct at_merge_count portfolios;
	struct at_merge_count sources; /* which run tuned from which source */
	/* (device, space, problem) whose standing winner is now from the other
	   record */
	int64_t standing;
};

/*
 * Merges the database at `path`. origin: its place, stored with each of its runs that
 * has no origin yet; "" for a record of this place. AT_ENOENT, AT_EIO: it cannot be
 * read. AT_EINVAL: it is rejected; the text names table and row. Other writers to this
 * store wait meanwhile.
 */
enum at_status at_store_merge(struct at_store *self, const char *path,
	const char *origin, struct at_merged *out, struct at_error *err);

#endif
