/*
 * A sandbox for compilers: permanently restricts a process and all its descendants. It
 * reads files as before, except devices; it writes only into the named folders; it
 * opens no connection. On Linux by Landlock for files and a seccomp filter for sockets,
 * each as far as the kernel supports it.
 *
 *   at_sandbox_prepare(folders, count, &sandbox);   before fork()
 *   at_sandbox_enter(&sandbox);                     in the child, before exec()
 *   at_sandbox_release(&sandbox);
 *
 * Entering a second sandbox narrows the first. Features that the kernel lacks are not
 * enforced; at_sandbox_missing() lists these, for a single notice to the user. For
 * kernels that run on the host there are at_sandbox_keep_signals() and, if that is not
 * possible, at_sandbox_spare().
 *
 * Threads: a sandbox holds for the calling thread and what it starts later;
 * at_sandbox_enter() may be called between fork() and exec().
 */
#ifndef AT_BASE_SANDBOX_H
#define AT_BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* environment variable: "off" lifts all sandboxes of this process and its
   descendants */
#define AT_SANDBOX_VARIABLE "AUTOTUNE_SANDBOX"

struct at_sandbox {
	int rules; /* descriptor of a Landlock ruleset; -1: none */
	bool is_on; /* false: sandboxes are lifted */
};

/*
 * Prepares a sandbox; writable: the folders with write access; missing ones are
 * ignored. If sandboxes are lifted, *out is off. Never fails: unsupported features are
 * not enforced.
 */
void at_sandbox_prepare(
	const char *const *writable, size_t count, struct at_sandbox *out);
/* Enters the sandbox. False with errno: the kernel supports it but refuses; the process
   should end. */
bool at_sandbox_enter(const struct at_sandbox *self);
void at_sandbox_release(struct at_sandbox *self);

/*
 * From now on the calling thread and its descendants can neither signal nor trace a
 * process outside their subtree, and gain no privileges; everything else is unchanged.
 * False: sandboxes are lifted, or the kernel is older than Linux 6.12.
 */
bool at_sandbox_keep_signals(void);

/*
 * A weaker substitute: the calling thread and its descendants can neither signal, trace
 * nor limit these processes and their groups, nor signal all processes at once
 * (kill(-1, ...)). They can still signal other processes by id. False: sandboxes are
 * lifted, or the kernel has no seccomp.
 */
#define AT_SANDBOX_SPARED_MAX 4
bool at_sandbox_spare(const int64_t *processes, size_t count);

/* Lifts all sandboxes, in this process and its descendants. */
void at_sandbox_lift(void);
bool at_sandbox_is_lifted(void);

/*
 * What the sandbox cannot prevent on this machine, and why: "writing files outside
 * their folder, since this kernel has no Landlock". "": nothing is missing, or
 * sandboxes are lifted. Static.
 */
const char *at_sandbox_missing(void);

#endif
