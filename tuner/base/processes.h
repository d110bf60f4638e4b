/*
 * Processes that others started and left behind: found by whom they descend from or by
 * what is in their environment, and killed. Only Linux tells (/proc); where nothing is
 * told, nothing is found. Threads: safe, as far as processes that come and go are.
 */
#ifndef AT_BASE_PROCESSES_H
#define AT_BASE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct at_processes {
	pid_t *ids; /* heap */
	size_t count;
	size_t capacity;
};

void at_processes_release(struct at_processes *self);
bool at_processes_have(const struct at_processes *self, pid_t id);

/* Whether this process has any, also dead ones that nobody waited for. Costs a call. */
bool at_processes_has_children(void);
/* Appends the children of root; as below. */
void at_processes_children(pid_t root, struct at_processes *out);
/*
 * Appends all that descend from root, without root itself; as far as they can be seen,
 * and as far as memory goes.
 */
void at_processes_below(pid_t root, struct at_processes *out);

/*
 * From now on what loses its parent below this process becomes its child. It is not
 * inherited. False where the system does not know such a thing.
 */
bool at_processes_adopt(void);

/*
 * Kills all that descend from root, with the process groups that they have made; but
 * nobody in `spared` (NULL: none are). How many there were: 0 says that none is left,
 * of those that could be seen.
 */
size_t at_processes_kill_below(pid_t root, const struct at_processes *spared);
/*
 * Kills what was started below this process since `before` was taken, and waits, but
 * not for ever, until it is gone. For a process that adopts. How many there were.
 */
size_t at_processes_kill_new(const struct at_processes *before);

/* What root and all that descend from it are at. */
struct at_activity {
	size_t count; /* those that descend from it */
	bool is_stopped; /* one was (SIGSTOP), and was not continued */
	bool is_running; /* one computes, or waits for a processor */
	uint64_t ticks; /* processor time of all, also of children that were reaped */
};
void at_processes_look(pid_t root, struct at_activity *out);

/* Whether it was started with this entry, "NAME=value", in its environment. */
bool at_processes_is_marked(pid_t id, const char *entry);
/* Whether it is about to end, or has ended and nobody waited for it: no memory is left.
 */
bool at_processes_is_ending(pid_t id);
/*
 * Kills all of this user, in this namespace of processes, that were started with this
 * entry; but not this process itself.
 */
void at_processes_kill_marked(const char *entry);

/* Appends all below this process, where it has children at all. */
void at_processes_note(struct at_processes *out);

/*
 * Waits until there is something to read, or its end, or until the child, which nobody
 * has waited for, has ended and there is nothing: false. Its output may be open in
 * processes that live on; their end is not waited for.
 */
bool at_processes_hear(int file, pid_t child);

#endif
