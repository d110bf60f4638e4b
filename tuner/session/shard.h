/*
 * The folder of a share, a results folder of its own: <results>/shards/<name>. Tasks on
 * many nodes write nothing together, since a database that several machines write is
 * soon no database; `autotune import` makes one record of them.
 *
 * The name says what is shared out and which share it is, and nothing of the job: a
 * task that is requeued, and one of a job that is submitted again, finds its own record
 * and goes on from there. Beside the record stands which pairs of space and problem
 * this very job has finished: one that was requeued does not begin them again with a
 * new budget.
 *
 *   at_shard_open("results", &share, what, &shard, &err);
 *   at_shard_has_done(shard, pair) / at_shard_done(shard, pair, &err)
 *   at_shard_close(shard);
 *
 * Threads: one.
 */
#ifndef AT_SESSION_SHARD_H
#define AT_SESSION_SHARD_H

#include "base/error.h"
#include "session/share.h"

#include <stdbool.h>

struct at_shard; /* opaque */

/* What is shared out: the same in all tasks, another one in another job. */
struct at_shard_work {
	const char *name; /* of the first space */
	const char *const *words; /* all that tells it from others, in order */
	size_t word_count;
};

/* Makes the folder. */
enum at_status at_shard_open(const char *results, const struct at_share *share,
	const struct at_shard_work *work, struct at_shard **out, struct at_error *err);
void at_shard_close(struct at_shard *self);

const char *at_shard_folder(const struct at_shard *self);

/* pair: any text without control characters. Whether this job has done it before. */
bool at_shard_has_done(const struct at_shard *self, const char *pair);
/* It has from now on; on disk when this returns. Outside a job nothing is kept. */
enum at_status at_shard_done(
	struct at_shard *self, const char *pair, struct at_error *err);

#endif
