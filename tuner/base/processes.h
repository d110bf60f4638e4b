/*
 * Processes that others started and left: finds them by descent or by an entry in their
 * environment, and kills them. Threads: safe, as far as that is possible with processes
 * that come and go.
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

/* Frees the ids and leaves an empty set. */
void at_processes_release(struct at_processes *self);
bool at_processes_have(const struct at_processes *self, pid_t id);

/* Whether this process has children, counting zombies. Costs one system call. */
bool at_processes_has_children(void);
void at_processes_children(pid_t root, struct at_processes *out);
/* Appends all descendants of root, without root, as far as they are visible and memory
   allows. */
void at_processes_below(pid_t root, struct at_processes *out);

/* From now on orphaned descendants become children of this process. Its children do not
   inherit that. False: the system does not support it. */
bool at_processes_adopt(void);

/*
 * Kills all descendants of root except those in `spared` (may be NULL). If none is
 * spared, also kills their process groups. Returns how many were found: 0 means that no
 * visible descendant is left.
 */
size_t at_processes_kill_below(pid_t root, const struct at_processes *spared);
/*
 * Kills all descendants of this process that started after `before` was taken, and
 * waits, for a limited time, until they are gone. The process must adopt
 * (at_processes_adopt()). Returns their number.
 */
size_t at_processes_kill_new(const struct at_processes *before);

/* The activity of root and all its descendants. */
struct at_activity {
	size_t count; /* descendants */
	bool is_told; /* the system reports activity (/proc) */
	bool is_stopped; /* one is stopped (SIGSTOP) */
	bool is_running; /* one computes, or waits for a processor */
	uint64_t ticks; /* processor time of all, including reaped children */
};
void at_processes_activity(pid_t root, struct at_activity *out);

/* Whether a process of this user started with the entry "NAME=value" in its
   environment. */
bool at_processes_is_marked(pid_t id, const char *entry);
/* Whether a process is ending or a zombie: it has no memory any more. */
bool at_processes_is_ending(pid_t id);
/* Kills all processes of this user, in this PID namespace, that started with this
   entry, except this process. */
void at_processes_kill_marked(const char *entry);

/* Appends all descendants of this process; cheap if it has no children. */
void at_processes_note(struct at_processes *out);

/*
 * Waits for input, or the end of file. False: the child, which must not have been
 * reaped, has ended without further input. It does not wait for the end of file then,
 * since other processes may hold the output open.
 */
bool at_processes_wait_input(int file, pid_t child);

#endif
