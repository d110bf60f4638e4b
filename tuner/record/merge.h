/*
 * Records of other machines, taken into this one: everything that was measured there,
 * with where it is from.
 *
 *   at_store_merge(store, "shards/17/autotune.db", "shards/17", &merged, &err);
 *
 * All of it or nothing: one transaction. What is not understood is refused as a whole:
 * the database of another program, of a newer version, with other tables, with a row
 * that does not make sense. The other record is never written, may lie where nothing
 * can be, and may be in use: where its log is not empty, or its version is older, a
 * copy in the folder for temporary files is read.
 *
 * What is the same, so that merging twice adds nothing the second time:
 *   device       what makes it one (space/device_key.h); the one that is here stays as
 *                it is, and another of the same slug gets one that tells them apart
 *   run          all that it began with, and its token, which is random
 *   evaluation   device, space, problem, key, configuration, second, board, outcome,
 *                time, samples
 *   crown        device, space, problem, evaluation, second, score, proved or not
 *   ceilings, revisits, portfolios    all that they say
 * A run that has ended since, and a crown that was explained since, are completed.
 *
 * Of evaluations with one key the newest counts, by the time when it was measured, and
 * so it is of ceilings and portfolios. Which crown stands is decided as follows:
 *   - the one that had the other in its history: there the recorded winner takes part
 *     in every search, and lost;
 *   - else, where two records went apart, as the shards of one space do: the one that
 *     is proved; of several of one source, compiler and driver the better score, since
 *     these were measured alike; else the newer one.
 * Two winners that never met in finals are not told apart by this for sure: the next
 * `tune` of the merged record has finals with both.
 *
 * Must not know: how times were got. Threads: as the store.
 */
#ifndef AT_RECORD_MERGE_H
#define AT_RECORD_MERGE_H

#include "record/store.h"

/* Of one table: rows that were not there before, and rows that were. */
struct at_merge_count {
	int64_t added;
	int64_t known;
};

struct at_merged {
	struct at_merge_count devices;
	struct at_merge_count runs;
	struct at_merge_count evaluations;
	struct at_merge_count crowns;
	struct at_merge_count ceilings;
	struct at_merge_count revisits;
	struct at_merge_count portfolios;
	struct at_merge_count sources; /* of runs */
	/* winners of (device, space, problem) that stand now and did not before */
	int64_t standing;
};

/*
 * path: the database. origin: where it is from, kept with each run that has none yet.
 * AT_ENOENT, AT_EIO: it cannot be read. AT_EINVAL: it is refused; the text names table
 * and row. Other processes that write to this store wait meanwhile.
 */
enum at_status at_store_merge(struct at_store *self, const char *path,
	const char *origin, struct at_merged *out, struct at_error *err);

#endif
