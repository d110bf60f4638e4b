/*
 * Takes the record of another machine into this one: everything that was measured
 * there, with where it is from.
 *
 *   at_store_merge(store, "shards/17/autotune.db", "shards/17", &merged, &err);
 *
 * All or nothing, in one transaction. A record that is not understood is refused as a
 * whole: a database of another program or of a newer version, one with other tables, or
 * one with a row that makes no sense. The other record is never written to. It may lie
 * where nothing can be written, and it may be in use: where its log is not empty, or
 * its version is older, the merge reads a copy of it.
 *
 * Rows that agree in the following are the same, so that merging a second time adds
 * nothing:
 *   device       what makes it one (space/device_key.h); the row that is here stays as
 *                it is, and another device with its slug gets a slug of its own
 *   run          all that was written when it began, and its token, which is random
 *   evaluation   device, space, problem, key, configuration, second, board, outcome,
 *                time, samples
 *   winner        device, space, problem, evaluation, second, score, verified or not
 *   ceilings, revisits, portfolios,
 *   counterexamples                   all that they say
 * A run that has ended since the last merge is completed here, and so is a winner that
 * was explained or has won again since.
 *
 * A time in the future was told by a wrong clock. If the last run there has no such
 * time, it was the clock there, and rows are dated by their runs, always in the same
 * way. Else it may be the clock here, and the record is refused.
 *
 * Of evaluations with one key the newest counts, by the time of the measurement;
 * likewise of ceilings and portfolios. Which winner stands is decided as follows:
 *   - if one of the two records has both winners, the later one of that record: there
 *     the earlier winner took part in the search, as a recorded winner always does, and
 *     lost;
 *   - else (two records that went apart, as the shards of one space do): if one of them
 *     was withdrawn, the newer one; if one is unverified, the other one; if both have
 * the same source, compiler and driver, the one with the better score, since these were
 *     measured alike; else the newer one.
 * These last rules cannot tell with confidence which of two winners is faster, since
 * they never met in finals: the next `tune` of the merged record holds finals with
 * both.
 *
 * Must not know: how times were got. Threads: as the store.
 */
#ifndef AT_RECORD_MERGE_H
#define AT_RECORD_MERGE_H

#include "record/store.h"

/* Of one table: rows of the other record that were added, and rows that were here
   already. */
struct at_merge_count {
	int64_t added;
	int64_t known;
};

/* What a merge did, by table. */
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
	/* (device, space, problem) whose standing winner is now one of the other
	   record */
	int64_t standing;
};

/*
 * Merges the database at `path`. origin: where it is from, kept with each of its runs
 * that has no origin yet; "" for a record of this place. AT_ENOENT, AT_EIO: it cannot
 * be read. AT_EINVAL: it is refused; the text names table and row. Other processes that
 * write to this store wait meanwhile.
 */
enum at_status at_store_merge(struct at_store *self, const char *path,
	const char *origin, struct at_merged *out, struct at_error *err);

#endif
