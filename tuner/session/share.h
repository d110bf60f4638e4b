/*
 * Works out which share of a run this process has, where several processes do the run
 * together without talking: tasks of a Slurm job, elements of a job array, or processes
 * that were given their number. All of them have the same command line, so each can
 * work out what the others do.
 *
 * |   at_share_read("slurm", at_share_environment, NULL, &share, &err);
 * |   part = at_share_part(&share, pair, pair_count);   part.count 0: another process
 *
 * Pairs of space and problem are shared out. With fewer tasks than pairs, each pair
 * goes to one task. With more, each task has one pair, and the tasks of one pair search
 * a part of its space each. The number of tasks for each pair differs by at most one,
 * and so does the number of pairs for each task.
 *
 * Threads: pure functions, but for reading the environment.
 */
#ifndef AT_SESSION_SHARE_H
#define AT_SESSION_SHARE_H

#include "base/error.h"
#include "search/part.h"

#include <stdbool.h>
#include <stdint.h>

/* Most shares: more than any cluster's array elements times tasks, and small enough
   that products with it fit into 64 bits. */
#define AT_SHARES_MAX 10000000

/* One share. Zeroed: one process does everything. */
struct at_share {
	uint64_t index; /* below count */
	uint64_t count; /* 0: nothing is shared out */
	/* Which of the node's tasks this is, where all of them see all GPUs of the
	   node; count 0: each task sees only its own GPUs. */
	uint64_t local_index;
	uint64_t local_count;
	/* Cluster, job and step, which a task keeps when it is requeued; "": none. */
	char job[128];
	bool is_restarted; /* the job was requeued: it had begun before */
};

/* Reads an environment variable; NULL: it is not set. Tests give their own. */
typedef const char *(*at_share_variable)(void *context, const char *name);
/* The variable of this process's environment; context is not used. */
const char *at_share_environment(void *context, const char *name);

/*
 * Reads the share from `text`: "slurm" (from the environment), or "3/8" (the third of
 * eight). AT_EINVAL: the text is neither, or the environment does not say which share
 * this is; the message names the variable. *out is zeroed then.
 */
enum at_status at_share_read(const char *text, at_share_variable variable,
	void *context, struct at_share *out, struct at_error *err);

/* The part of a pair that is this share's: count 0: nothing; 1: all of it. pair must be
   less than pair_count. */
struct at_part at_share_part(
	const struct at_share *self, uint64_t pair, uint64_t pair_count);

/*
 * Whether this task uses the i-th of the node's `count` GPUs that all of its tasks see.
 * Where there are fewer GPUs than tasks, each task uses all of them, and they take
 * turns.
 */
bool at_share_has_board(const struct at_share *self, uint64_t i, uint64_t count);

#endif
