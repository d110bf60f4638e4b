/*
 * Processes of this machine that have something which others wait for: who has a lock,
 * whether somebody still lives, and how to name them to a person. All of it is asked of
 * the kernel, by /proc; what a file says could be anybody's word.
 *
 * Where /proc does not tell, as of a process in another container, the answer is that
 * it is not known. Threads: safe; no shared state.
 */
#ifndef AT_BASE_OWNER_H
#define AT_BASE_OWNER_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The parent; 0: not known. */
int64_t at_process_parent(int64_t process);
/*
 * When it began, in the kernel's ticks since it was booted: with the number it names a
 * process, also after the number was given to another one. 0: there is none, or it has
 * ended and nobody has asked how, or it is not known.
 */
uint64_t at_process_started(int64_t process);
/* Whether /proc tells of processes here at all. */
bool at_process_is_known(void);
/* "pid 1234 of alice"; "" for 0. */
void at_process_describe(int64_t process, char *text, size_t size);

/*
 * Where numbers of processes mean the same: this machine, since it was booted, and this
 * container. All zero: not known.
 */
struct at_hash at_place_of_processes(void);

enum at_lock_kind {
	AT_LOCK_NONE = 0,
	AT_LOCK_WHOLE, /* flock() */
	AT_LOCK_BYTES, /* fcntl(F_SETLK) */
};
/*
 * Who has a file, or any of its bytes first..last, locked for writing; 0: nobody, or
 * not known. Opens nothing: to close a file would drop the locks that we have on it.
 */
int64_t at_lock_owner(
	const struct stat *file, enum at_lock_kind kind, uint64_t first, uint64_t last);

#endif
