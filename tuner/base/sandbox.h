/*
 * A sandbox for compilers: restricts a process, and everything that it starts, for
 * good. It reads files as before, except devices; it writes only into the named
 * folders; it opens no connection. On Linux by Landlock for files and a seccomp filter
 * for sockets, each as far as the kernel supports it.
 *
 *   at_sandbox_prepare(folders, count, &sandbox);   before fork()
 *   at_sandbox_enter(&sandbox);                     in the child, before exec()
 *   at_sandbox_release(&sandbox);
 *
 * Entering a second sandbox narrows the first. What the kernel does not support is not
 * enforced; at_sandbox_missing() tells what that is, and a person should be told once.
 * For kernels that run on the host there are at_sandbox_keep_signals() and, where that
 * is not possible, at_sandbox_spare().
 *
 * Threads: a sandbox holds for the calling thread and what it starts later;
 * at_sandbox_enter() may be called between fork() and exec().
 */
#ifndef AT_BASE_SANDBOX_H
#define AT_BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* in the environment: "off" lifts all sandboxes of this process and of those that it
   starts */
#define AT_SANDBOX_VARIABLE "AUTOTUNE_SANDBOX"

struct at_sandbox {
	int rules; /* descriptor of a Landlock ruleset; -1: none */
	bool is_on; /* false: sandboxes are lifted */
};

/*
 * Prepares a sandbox; writable: the folders that may be written to; missing
 * ones are left out. If sandboxes are lifted, *out is off. Never fails: what is not
 * supported is not enforced.
 */
void at_sandbox_prepare(
	const char *const *writable, size_t count, struct at_sandbox *out);
/* Enters the sandbox. False with errno: the kernel supports it but refuses; the process
   should end. */
bool at_sandbox_enter(const struct at_sandbox *self);
/* Closes the descriptor. */
void at_sandbox_release(struct at_sandbox *self);

/*
 * From now on the calling thread, and all that it starts, can neither signal nor trace
 * a process that is not below it, and gains no rights; everything else is as before.
 * False: sandboxes are lifted, or the kernel is older than Linux 6.12.
 */
bool at_sandbox_keep_signals(void);

/*
 * A weaker substitute: the calling thread, and all that it starts, can neither signal,
 * trace nor limit these processes and their groups, nor signal all processes at once
 * (kill(-1, ...)). Other processes it can still signal by number. False: sandboxes are
 * lifted, or the kernel has no seccomp.
 */
#define AT_SANDBOX_SPARED_MAX 4
bool at_sandbox_spare(const int64_t *processes, size_t count);

/* Lifts all sandboxes, in this process and in those that it starts. */
void at_sandbox_lift(void);
/* Whether sandboxes are lifted. */
bool at_sandbox_is_lifted(void);

/*
 * What the sandbox cannot keep compilers from on this machine, and why: "writing files
 * outside their folder, since this kernel has no Landlock". "": nothing is missing, or
 * sandboxes are lifted. Static.
 */
const char *at_sandbox_missing(void);

#endif
