/*
 * Temporary folders in $TMPDIR or /tmp that do not outlive their owner for long. Each
 * is locked by its creator, so that later processes can find and remove those of killed
 * processes.
 *
 *   at_scratch_sweep(NULL, NULL);           folders of dead processes
 *   at_scratch_make(&scratch, "autotune", &err);
 *   ... scratch.path ...
 *   at_scratch_remove(&scratch);
 *
 * Other folders are not touched: another user's, locked ones, those without an owner's
 * file, links. Threads: safe; one object, one thread. An object must not move until its
 * folder is removed.
 */
#ifndef AT_BASE_SCRATCH_H
#define AT_BASE_SCRATCH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct at_scratch {
	char path[512]; /* "": no folder */
	int lock; /* descriptor, closed on exec; -1: none */
	struct at_scratch *next; /* another folder of this process */
};

/* The parent of such folders: $TMPDIR, or /tmp if that is not set. */
const char *at_scratch_place(void);

/* Whether the place can have such folders at all. AT_EINVAL: it is not a folder, or
   this user may not write there, and waiting does not help. A full disk is not an error
   here. */
enum at_status at_scratch_check(struct at_error *err);

/*
 * Makes PLACE/NAME-XXXXXX, for this user alone. name must be "autotune" or
 * "autotune-WORD", or it is not swept later. AT_EIO with errno's text, AT_EINVAL: the
 * place's name is too long; *self is then empty.
 */
enum at_status at_scratch_make(
	struct at_scratch *self, const char *name, struct at_error *err);
/* Removes the folder and its contents; ignores an empty or zeroed object. */
void at_scratch_remove(struct at_scratch *self);
/* Removes all folders of this process, from any thread: for ending the process while
   others are at work. */
void at_scratch_remove_all(void);

/*
 * Removes the folders of dead processes in the place. dead() (may be NULL) is called
 * for each folder before its removal, and can end processes that still work there.
 * Returns the number of removed folders.
 */
size_t at_scratch_sweep(void (*dead)(const char *path, void *context), void *context);
/* Likewise for one folder; false: it does not exist, or its owner lives. */
bool at_scratch_sweep_one(
	const char *path, void (*dead)(const char *path, void *context), void *context);

#endif
