/*
 * Computes this process's share of a run that several processes do together without
 * communication: tasks of a Slurm job, elements of a job array, or numbered processes.
 * All have the same command line, so each can compute all shares.
 *
 * |   at_share_read("slurm", at_share_environment, NULL, &share, &err);
 * |   part = at_share_part(&share, pair, pair_count);   part.count 0: another process
 *
 * Pairs of space and problem are distributed. With fewer tasks than pairs, each pair
 * goes to one task. With more, each task has one pair, and the tasks of a pair search a
 * part of its space each. The numbers of tasks of the pairs differ by at most one, and
 * so do the numbers of pairs of the tasks.
 *
 * Threads: pure functions, except for reading the environment.
 */
#ifndef AT_SESSION_SHARE_H
#define AT_SESSION_SHARE_H

#include "base/error.h"
#include "search/part.h"

#include <stdbool.h>
#include <stdint.h>

/* Most shares: more than any cluster's array elements times tasks; products with it fit
   into 64 bits. */
#define AT_SHARES_MAX 10000000

/* One share. Zeroed: one process does everything. */
struct at_share {
	uint64_t index; /* below count */
	uint64_t count; /* 0: no shares */
	/* This task's number on its node, if all tasks of the node see all of its GPUs;
	   count 0: each task sees only its own GPUs. */
	uint64_t local_index;
	uint64_t local_count;
	/* Cluster, job and step; a requeued task has the same. "": none. */
	char job[128];
	bool is_restarted; /* the job was requeued after it had begun */
};

/* Reads an environment variable; NULL: not set. Tests pass their own. */
typedef const char *(*at_share_variable)(void *context, const char *name);
/* Reads this process's environment; context is ignored. */
const char *at_share_environment(void *context, const char *name);

/* Reads the share from `text`: "slurm" (from the environment), or "3/8" (the third of
   eight). AT_EINVAL: the text is neither, or the environment does not determine the
   share; the message names the variable. *out is zeroed then. */
enum at_status at_share_read(const char *text, at_share_variable variable,
	void *context, struct at_share *out, struct at_error *err);

/* This share's part of a pair; count 0: nothing; 1: all of it. pair must be less than
   pair_count. */
struct at_part at_share_part(
	const struct at_share *self, uint64_t pair, uint64_t pair_count);

/* Whether this task uses the i-th of the node's `count` GPUs, all seen by all tasks.
   With fewer GPUs than tasks, each task uses all of them in turn with the others. */
bool at_share_has_board(const struct at_share *self, uint64_t i, uint64_t count);

#endif
