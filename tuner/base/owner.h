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

/* Reads /proc/PID/stat into text; returns the part after the name, from the state on.
   NULL: there is no such process, or it is not known. */
const char *at_process_stat(int64_t process, char *text, size_t size);
/* The process number of the parent; 0: not known. */
int64_t at_process_parent(int64_t process);
/* Writes "pid 1234 of alice"; "" for 0. */
void at_process_describe(int64_t process, char *text, size_t size);

/* Identifies where process numbers mean the same: this machine since its boot, and this
   container. All zero: not known. */
struct at_hash at_process_namespace(void);

/* The process that has a file locked by flock() for writing; 0: none, or not known. */
int64_t at_lock_owner(const struct stat *file);

#endif
