/*
 * A small process between the coordinator and a worker, which ends all that the worker
 * leaves behind:
 *
 *   autotune (coordinator)
 *    └─ guard                  sees all die, whatever they do; holds no channel, no
 * lock └─ worker             in a session of its own └─ compilers, what a kernel forks,
 * what these fork ...
 *
 * Whoever loses his parent below the guard becomes its child, however often he forked
 * and whatever session he made; so it finds all of them. It ends them when the worker
 * ends, when the coordinator says so and when the coordinator ends, and then ends as
 * the worker did. Where the system has no such thing (it is Linux's), a worker is alone
 * and its process group is ended. Threads: in the worker before it has others;
 * at_guard_end() from any.
 */
#ifndef AT_WORKERS_GUARD_H
#define AT_WORKERS_GUARD_H

#include <sys/types.h>

/*
 * First of all in a worker's process, which becomes the guard and does not return; in
 * its child, which is the worker, this returns.
 */
void at_guard_begin(void);
/* The same for another program than this one, which starts the worker in turn. */
_Noreturn void at_guard_run(char *const *command);

/*
 * Of the worker: neither programs that it starts nor processes that are forked from it
 * have this descriptor; in the latter it is /dev/null.
 */
void at_guard_keep(int descriptor);

/* Of the coordinator: the guard's tree ends, and then it. It answers by ending. */
void at_guard_end(pid_t guard);

#endif
