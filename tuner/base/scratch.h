/*
 * Folders for files of a while, in $TMPDIR or /tmp, that do not outlive their owner for
 * long: each is locked by the process that made it, and what a killed one left is found
 * and removed by later ones.
 *
 *   at_scratch_sweep(NULL, NULL);           what dead ones left
 *   at_scratch_make(&scratch, "autotune", &err);
 *   ... scratch.path ...
 *   at_scratch_remove(&scratch);
 *
 * Nobody else's are touched: another user's, what is locked, what has no owner's file,
 * links. Threads: safe; one object, one thread.
 */
#ifndef AT_BASE_SCRATCH_H
#define AT_BASE_SCRATCH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct at_scratch {
	char path[512]; /* "": there is none */
	int lock; /* a descriptor, closed on exec; -1: there is none */
};

/* $TMPDIR, or /tmp where that is not set. */
const char *at_scratch_place(void);

/*
 * Whether the place may ever have some: AT_EINVAL where it is no folder, or one that we
 * may not write to, which no waiting mends. A full disk is none of that.
 */
enum at_status at_scratch_check(struct at_error *err);

/*
 * Makes PLACE/NAME-XXXXXX, for this user alone. name: "autotune" or "autotune-WORD", or
 * nobody sweeps it. AT_EIO with errno's text; *self is then empty.
 */
enum at_status at_scratch_make(
	struct at_scratch *self, const char *name, struct at_error *err);
/* With all that is in it. Nothing for one that is empty or zeroed. */
void at_scratch_remove(struct at_scratch *self);

/*
 * Removes what dead processes left in the place, after dead() was called for each
 * (may be NULL): whoever still works in there can be ended by then. How many.
 */
size_t at_scratch_sweep(void (*dead)(const char *path, void *context), void *context);
/* The same for one of these folders; false: it is not there, or its owner lives. */
bool at_scratch_sweep_one(
	const char *path, void (*dead)(const char *path, void *context), void *context);

#endif
