/*
 * A control group (Linux, version 2) for one worker and all below it, where this user
 * was given one to divide: by its owner, or by systemd's mark (Delegate=yes). Its
 * members are killed at once, also those that fork faster than a list of them can be
 * read. Where there is none, everything goes on without: see guard.h. Threads: one
 * object, one thread.
 */
#ifndef AT_WORKERS_CAGE_H
#define AT_WORKERS_CAGE_H

struct at_cage {
	char path[512]; /* "": there is none */
};

/* Made below the group that this process is in; removes those that are left of others.
 */
void at_cage_make(struct at_cage *self);
/* This process, and what it starts from now on, is in it. */
void at_cage_enter(const struct at_cage *self);
void at_cage_kill(const struct at_cage *self);
/* All in it are gone. */
void at_cage_remove(struct at_cage *self);

#endif
