/*
 * The heap for a library that does not take a "no memory" well: it goes on with half of
 * what it should have, or ends the process. Where memory runs out while such a library
 * works, all that it holds is freed, and it is left as if it had never been called.
 *
 *   struct at_tracked tracked = { 0 };
 *   if (setjmp(tracked.exhausted))
 *           return at_fail_memory(err);          all is freed
 *   at_tracked_begin(&tracked);
 *   ... the library, with at_tracked_malloc() and at_tracked_free() ...
 *   at_tracked_end(&tracked);
 *
 * What it allocated in between is an ordinary block of the heap afterwards, which
 * at_tracked_free() and free() release. Outside of such a pair both are malloc() and
 * free(). Only for libraries that hold no lock and no file meanwhile.
 *
 * Threads: each has its own.
 */
#ifndef AT_BASE_TRACKED_H
#define AT_BASE_TRACKED_H

#include <setjmp.h>
#include <stddef.h>

struct at_tracked {
	jmp_buf exhausted;
	void **blocks;
	size_t count;
	size_t capacity;
};

/* Not one within another. */
void at_tracked_begin(struct at_tracked *self);
void at_tracked_end(struct at_tracked *self);

void *at_tracked_malloc(size_t size);
void at_tracked_free(void *block);

#endif
