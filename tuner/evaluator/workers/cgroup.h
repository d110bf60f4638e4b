/*
 * A control group (Linux, version 2) for one worker and all its descendants. It can be
 * made where this user may divide a group: as its owner, or by systemd's mark
 * (Delegate=yes). All members are killed at once, even if they fork faster than a list
 * of them could be read. Without such a group the guard works all the same: see
 * guard.h. Threads: one object, one thread.
 */
#ifndef AT_WORKERS_CGROUP_H
#define AT_WORKERS_CGROUP_H

struct at_cgroup {
	char path[512]; /* "": there is no group */
};

/* Makes a group below the one of this process, and removes groups there that dead runs
   left. */
void at_cgroup_make(struct at_cgroup *self);
/* Moves this process into the group; whatever it starts from now on is in it, too. */
void at_cgroup_enter(const struct at_cgroup *self);
/* Sends SIGKILL to all members. */
void at_cgroup_kill(const struct at_cgroup *self);
/* Removes the group; all members must be gone. */
void at_cgroup_remove(struct at_cgroup *self);

#endif
