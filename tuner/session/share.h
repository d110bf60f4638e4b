/*
 * Which share of a run is this process's, where several do it together and none knows
 * of the others: tasks of a Slurm job, elements of a job array, or processes that were
 * told their number. All of them have the same command line, so that each can tell what
 * the others do.
 *
 *   at_share_read("slurm", at_share_environment, NULL, &share, &err);
 *   part = at_share_part(&share, pair, pair_count);   part.count 0: another one's
 *
 * What is shared out are pairs of space and problem. With fewer tasks than pairs each
 * pair is one task's; with more, each task has one pair, and those of one pair search a
 * part of its space each. How many tasks a pair has differs by at most one, and so does
 * how many pairs a task has.
 *
 * Threads: pure functions, but for the environment that is read.
 */
#ifndef AT_SESSION_SHARE_H
#define AT_SESSION_SHARE_H

#include "base/error.h"
#include "search/part.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Above any cluster's arrays times its tasks; products with it stay in 64 bits. */
#define AT_SHARES_MAX 10000000

/* Zeroed: the whole, by one process. */
struct at_share {
	uint64_t index; /* below count */
	uint64_t count; /* 0: nothing is shared out */
	/* which of the tasks on this node, for GPUs that all of them see; count 0: each
	   sees its own */
	uint64_t local_index;
	uint64_t local_count;
	/* cluster, job and step: what a task has again when it is requeued; "": none */
	char job[128];
	bool is_restarted; /* requeued: the job was begun before */
};

/* The value of a variable, NULL where it is not set. */
typedef const char *(*at_share_variable)(void *context, const char *name);
const char *at_share_environment(void *context, const char *name);

/*
 * text: "slurm", or "3/8": the third of eight. AT_EINVAL: neither, or an environment
 * that does not say which share this is; the text names the variable.
 */
enum at_status at_share_read(const char *text, at_share_variable variable,
	void *context, struct at_share *out, struct at_error *err);

/* What of a pair is this share's: count 0: nothing; 1: all of it. pair < pair_count. */
struct at_part at_share_part(
	const struct at_share *self, uint64_t pair, uint64_t pair_count);

/*
 * Whether one of several GPUs of the node is for this task: the i-th of `count` that
 * all of the node's tasks see. Where there are fewer GPUs than tasks each task has all
 * of them, and they take turns.
 */
bool at_share_has_board(const struct at_share *self, uint64_t i, uint64_t count);

#endif
