/*
 * Processes of this machine for which others wait: who has a lock, whether a process
 * still lives, and how to describe it to a person. The answers come from the kernel, by
 * /proc, since anybody could write a number into a file.
 *
 * Where /proc does not tell, for example of a process in another container, the answer
 * is "not known". Threads: safe; no shared state.
 */
#ifndef AT_BASE_OWNER_H
#define AT_BASE_OWNER_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The process number of the parent; 0: not known. */
int64_t at_process_parent(int64_t process);
/*
 * When the process began, in the kernel's ticks since boot. Together with the number
 * this identifies a process, even after the number was given to another. 0: there is
 * none, or it is a zombie, or it is not known.
 */
uint64_t at_process_started(int64_t process);
/* Whether /proc tells of processes on this system at all. */
bool at_process_is_known(void);
/* Writes "pid 1234 of alice"; "" for 0. */
void at_process_describe(int64_t process, char *text, size_t size);

/* Identifies where process numbers mean the same: this machine since its boot, and this
   container. All zero: not known. */
struct at_hash at_process_namespace(void);

/* The process that has a file locked by flock() for writing; 0: none, or not known. */
int64_t at_lock_owner(const struct stat *file);

#endif
