/*
 * The guard: a small process between the coordinator and a worker, which ends all
 * processes that the worker leaves running.
 *
 *   autotune (coordinator)
 *    └─ guard           is notified of all deaths below; holds no channel, no lock
 *        └─ worker      in a session of its own
 *            └─ compilers, forks of a kernel, their forks ...
 *
 * A process below the guard that loses its parent becomes the guard's child, however
 * often it forked and whatever session it made, so the guard finds all of them. The
 * guard ends them when the worker ends, and on the coordinator's order or death. Then
 * it ends in the same way as the worker did. For a dead coordinator it also restores
 * settings of boards (clocks.h). On systems other than Linux the worker has no guard,
 * and its process group is ended. Threads: called in the worker before it has other
 * threads; at_guard_end() on any thread.
 */
#ifndef AT_WORKERS_GUARD_H
#define AT_WORKERS_GUARD_H

#include <sys/types.h>

/* The first call in a worker's process. The process becomes the guard and does not
   return; the call returns in its child, the worker. */
void at_guard_begin(void);
/* The same, with another program in the worker's place, which starts the worker. */
_Noreturn void at_guard_run(char *const *command);

/* Called in the worker: programs that it starts do not inherit the descriptor, and in
   forked processes the descriptor is /dev/null. */
void at_guard_keep(int descriptor);

/* Called in the coordinator: makes the guard end all processes below it, and then
   itself; the guard's end is the answer. */
void at_guard_end(pid_t guard);

#endif
