/*
 * Temporary folders in $TMPDIR or /tmp that do not outlive their owner for long. Each
 * is locked by the process that made it, so that later processes can find and remove
 * what a killed one left.
 *
 *   at_scratch_sweep(NULL, NULL);           what dead processes left
 *   at_scratch_make(&scratch, "autotune", &err);
 *   ... scratch.path ...
 *   at_scratch_remove(&scratch);
 *
 * Folders of others are not touched: another user's, locked ones, those without an
 * owner's file, links. Threads: safe; one object, one thread. An object stays where it
 * is until its folder is removed.
 */
#ifndef AT_BASE_SCRATCH_H
#define AT_BASE_SCRATCH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct at_scratch {
	char path[512]; /* "": there is no folder */
	int lock; /* descriptor, closed on exec; -1: none exists */
	struct at_scratch *next; /* another folder of this process */
};

/* The place of such folders: $TMPDIR, or /tmp where that is not set. */
const char *at_scratch_place(void);

/* Whether the place can have such folders at all. AT_EINVAL: it is no folder, or this
   user may not write there, and waiting does not help. A full disk is no error here. */
enum at_status at_scratch_check(struct at_error *err);

/*
 * Makes PLACE/NAME-XXXXXX, for this user alone. name must be "autotune" or
 * "autotune-WORD", or it is not swept later. AT_EIO with errno's text, AT_EINVAL: the
 * place's name is too long; *self is then empty.
 */
enum at_status at_scratch_make(
	struct at_scratch *self, const char *name, struct at_error *err);
/* Removes the folder with all that is in it; does nothing for an empty or zeroed
   one. */
void at_scratch_remove(struct at_scratch *self);
/* Removes all folders that this process has, from any thread: for whoever ends the
   process while others are at work. */
void at_scratch_remove_all(void);

/*
 * Removes what dead processes left in the place. dead() (may be NULL) is called for
 * each folder before it is removed, and can end processes that still work there.
 * Returns how many were removed.
 */
size_t at_scratch_sweep(void (*dead)(const char *path, void *context), void *context);
/* The same for one such folder; false: it is not there, or its owner lives. */
bool at_scratch_sweep_one(
	const char *path, void (*dead)(const char *path, void *context), void *context);

#endif
