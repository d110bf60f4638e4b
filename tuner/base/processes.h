/*
 * Processes that others started and left behind: finds them by descent or by an entry
 * in their environment, and kills them. Threads: safe, as far as that is possible with
 * processes that come and go.
 */
#ifndef AT_BASE_PROCESSES_H
#define AT_BASE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A set of process numbers. */
struct at_processes {
	pid_t *ids; /* heap */
	size_t count;
	size_t capacity;
};

/* Releases the numbers; the set is empty then. */
void at_processes_release(struct at_processes *self);
/* Whether the set contains a process. */
bool at_processes_have(const struct at_processes *self, pid_t id);

/* Whether this process has children, counting zombies. Costs one system call. */
bool at_processes_has_children(void);
/* Appends the children of root. */
void at_processes_children(pid_t root, struct at_processes *out);
/* Appends all descendants of root, without root itself, as far as they can be seen and
   memory allows. */
void at_processes_below(pid_t root, struct at_processes *out);

/* From now on a process below this one that loses its parent becomes this process's
   child. Children do not inherit that. False: the system cannot do it. */
bool at_processes_adopt(void);

/*
 * Kills all descendants of root except those in `spared` (NULL: none is spared). If
 * none is spared, their process groups are killed, too. Returns how many were found: 0
 * means that none is left that can be seen.
 */
size_t at_processes_kill_below(pid_t root, const struct at_processes *spared);
/*
 * Kills everything that was started below this process since `before` was taken, and
 * waits, for a limited time, until it is gone. The process must adopt
 * (at_processes_adopt()). Returns how many there were.
 */
size_t at_processes_kill_new(const struct at_processes *before);

/* What root and all its descendants are doing. */
struct at_activity {
	size_t count; /* descendants */
	bool is_told; /* the system tells what processes do (/proc) */
	bool is_stopped; /* one is stopped (SIGSTOP) */
	bool is_running; /* one computes, or waits for a processor */
	uint64_t ticks; /* processor time of all, with children they reaped */
};
/* Fills *out for root and its descendants. */
void at_processes_activity(pid_t root, struct at_activity *out);

/* Whether a process of this user was started with the entry "NAME=value" in its
   environment. */
bool at_processes_is_marked(pid_t id, const char *entry);
/* Whether a process is about to end or is a zombie: it has no memory any more. */
bool at_processes_is_ending(pid_t id);
/* Kills all processes of this user, in this PID namespace, that were started with this
   entry, but not this process. */
void at_processes_kill_marked(const char *entry);

/* Appends all descendants of this process; cheap where it has no children. */
void at_processes_note(struct at_processes *out);

/*
 * Waits until there is something to read, or the end of file. False: the child, which
 * must not have been reaped, has ended, and nothing is there to read. The end of file
 * is not waited for then, since other processes may keep the output open.
 */
bool at_processes_hear(int file, pid_t child);

#endif
