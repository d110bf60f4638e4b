/*
 * A heap for a library that does not cope with lack of memory: it goes on with
 * incomplete data, or ends the process. If memory runs out while the library works,
 * everything that it allocated is freed, and control returns to where the call began.
 *
 *   struct at_tracked tracked = { 0 };
 *   if (setjmp(tracked.exhausted))
 *           return at_fail_memory(err);          all is freed
 *   at_tracked_begin(&tracked);
 *   ... the library, with at_tracked_malloc() and at_tracked_free() ...
 *   at_tracked_end(&tracked);
 *
 * What it allocated in between becomes ordinary memory, released by at_tracked_free()
 * or free(). Outside such a pair the two functions are malloc() and free(). Only for
 * libraries that hold no lock and no open file meanwhile.
 *
 * Threads: each thread has its own.
 */
#ifndef AT_BASE_TRACKED_H
#define AT_BASE_TRACKED_H

#include <setjmp.h>
#include <stddef.h>

struct at_tracked {
	jmp_buf exhausted; /* set by the caller: where to go without memory */
	void **blocks; /* allocated so far */
	size_t count;
	size_t capacity;
};

/* Begin and end tracking on this thread; must not be nested. */
void at_tracked_begin(struct at_tracked *self);
void at_tracked_end(struct at_tracked *self);

/* malloc() and free() for the library. */
void *at_tracked_malloc(size_t size);
void at_tracked_free(void *block);

#endif
