/*
 * Processes of this machine that others wait for: who holds a lock, whether a process
 * lives, and its description for people. The answers come from the kernel through
 * /proc, since anyone could write a number into a file.
 *
 * If /proc does not show a process, for example in another container, the answer is
 * "unknown". Threads: safe; no shared state.
 */
#ifndef AT_BASE_OWNER_H
#define AT_BASE_OWNER_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Reads /proc/PID/stat into text; returns the part after the name, from the state on.
   NULL: no such process, or unknown. */
const char *at_process_stat(int64_t process, char *text, size_t size);
/* The process id of the parent; 0: unknown. */
int64_t at_process_parent(int64_t process);
/* Writes "pid 1234 of alice"; "" for 0. */
void at_process_describe(int64_t process, char *text, size_t size);

/* Identifies the scope of process ids: this machine since its boot, and this container.
   All zero: unknown. */
struct at_hash at_process_namespace(void);

/* The process that holds a write lock by flock() on the file; 0: none, or unknown. */
int64_t at_lock_owner(const struct stat *file);

#endif
