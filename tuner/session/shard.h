/*
 * The folder of a share: a results folder of its own, <results>/shards/<name>. Tasks on
 * many nodes never write to one record, since a database that several machines write
 * over a network file system is soon damaged. `autotune import` merges the records.
 *
 * The name of the folder says what is shared out and which share it is, and nothing
 * about the job. So a task that is requeued, or a job that is submitted again, finds
 * its own record and continues. A file beside the record lists the pairs of space and
 * problem that this very job has finished: a requeued job does not begin them again
 * with a new budget.
 *
 * |   at_shard_open("results", &share, what, &shard, &err);
 * |   at_shard_has_done(shard, pair) / at_shard_done(shard, pair, &err)
 * |   at_shard_close(shard);
 *
 * Threads: one.
 */
#ifndef AT_SESSION_SHARD_H
#define AT_SESSION_SHARD_H

#include "base/error.h"
#include "session/share.h"

#include <stdbool.h>

struct at_shard; /* opaque */

/* What is shared out: the same in all tasks of a job, different in another job. */
struct at_shard_work {
	const char *name; /* name of the first space */
	/* everything that distinguishes this work from other work */
	const char *const *words;
	size_t word_count;
};

/* Makes the folder and reads what the job has finished. *out is the caller's. */
enum at_status at_shard_open(const char *results, const struct at_share *share,
	const struct at_shard_work *work, struct at_shard **out, struct at_error *err);
/* Closes it; NULL is allowed. */
void at_shard_close(struct at_shard *self);

/* The folder's path; borrowed. */
const char *at_shard_folder(const struct at_shard *self);

/* Whether this job finished the pair before it was requeued. pair: any text without
   control characters. */
bool at_shard_has_done(const struct at_shard *self, const char *pair);
/* Notes that this job has finished the pair; it is on disk when this returns. Outside
   of a job nothing is noted. */
enum at_status at_shard_done(
	struct at_shard *self, const char *pair, struct at_error *err);

#endif
