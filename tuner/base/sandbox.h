/*
 * A sandbox for compilers: what a process, and everything that it starts, may not do
 * any more, for good. It reads files as before, but not devices; it writes into the
 * folders that are named and nowhere else; it opens no connection. Linux: Landlock
 * for files, a seccomp filter for sockets, each as far as the kernel has it.
 *
 *   at_sandbox_prepare(folders, count, &sandbox);   before fork()
 *   at_sandbox_enter(&sandbox);                     in the child, before exec()
 *   at_sandbox_release(&sandbox);
 *
 * A second one narrows the first. What the kernel lacks is not enforced, and
 * at_sandbox_missing() says so: whoever talks to people tells them once. For kernels
 * that run on the host there is at_sandbox_keep_signals(), alone, or
 * at_sandbox_spare().
 *
 * Threads: a sandbox is entered by the calling thread and what it starts later;
 * at_sandbox_enter() may be called between fork() and exec().
 */
#ifndef AT_BASE_SANDBOX_H
#define AT_BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* in the environment: "off" leaves all sandboxes out, of this process and its own */
#define AT_SANDBOX_VARIABLE "AUTOTUNE_SANDBOX"

struct at_sandbox {
	int rules; /* descriptor of Landlock's; -1: no rules for files */
	bool is_on;
};

/*
 * writable: the folders; one that is not there is left out. Zeroed and off where the
 * sandbox was lifted. Never fails: what cannot be had is not enforced.
 */
void at_sandbox_prepare(
	const char *const *writable, size_t count, struct at_sandbox *out);
/* False and errno: the kernel has it, and refuses; whoever wanted to be in it ends. */
bool at_sandbox_enter(const struct at_sandbox *self);
void at_sandbox_release(struct at_sandbox *self);

/*
 * From now on the calling thread, and all that it starts, can neither signal nor trace
 * whoever is not below it, and gains no rights; all else is as before. False: it was
 * lifted, or the kernel has no such thing (Linux 6.12).
 */
bool at_sandbox_keep_signals(void);

/*
 * What is left of that where it is false: the calling thread, and all that it starts,
 * can neither signal, trace nor limit these processes and their groups, nor signal all
 * processes at once (kill(-1, ...)). Others by their numbers it can. False: it was
 * lifted, or there are no filters of calls (seccomp).
 */
#define AT_SANDBOX_SPARED_MAX 4
bool at_sandbox_spare(const int64_t *processes, size_t count);

/* No sandboxes any more, in this process and in those that it starts. */
void at_sandbox_lift(void);
bool at_sandbox_is_lifted(void);

/*
 * What compilers are not kept from on this machine: "writing files, as this kernel has
 * no Landlock"; "": nothing is missing, or it was lifted. Static.
 */
const char *at_sandbox_missing(void);

#endif
