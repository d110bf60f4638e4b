/*
 * The guard: a small process between the coordinator and a worker, which ends all
 * processes that the worker leaves behind.
 *
 *   autotune (coordinator)
 *    └─ guard           hears of all deaths below; holds no channel, no lock
 *        └─ worker      in a session of its own
 *            └─ compilers, what a kernel forks, what these fork ...
 *
 * A process below the guard that loses its parent becomes the guard's child, however
 * often it forked and whatever session it made, so that the guard finds all of them.
 * The guard ends them when the worker ends, when the coordinator says so and when the
 * coordinator ends, and then ends in the same way as the worker did. For a coordinator
 * that is dead it also gives back what was set on boards (clocks.h). Other systems than
 * Linux have no such thing: there the worker has no guard, and its process group is
 * ended. Threads: called in the worker before it has other threads; at_guard_end() on
 * any thread.
 */
#ifndef AT_WORKERS_GUARD_H
#define AT_WORKERS_GUARD_H

#include <sys/types.h>

/* The first call in a worker's process. That process becomes the guard and does not
   return; its child is the worker, in which this returns. */
void at_guard_begin(void);
/* The same, with another program in the worker's place, which starts the worker in
   turn. */
_Noreturn void at_guard_run(char *const *command);

/* Called in the worker: programs that it starts do not inherit the descriptor, and in
   processes that are forked from it the descriptor is /dev/null. */
void at_guard_keep(int descriptor);

/* Called in the coordinator: has the guard end all processes below it, and then itself.
   Its own end is the answer. */
void at_guard_end(pid_t guard);

#endif
