/*
 * The memory functions that libuv is given. libuv calls abort() where its table of
 * descriptors cannot grow; of all other memory that it lacks it reports an error. So
 * when there is no memory to grow that table, it gets a room that was reserved for
 * that, once; the next request for memory fails and ends the run in order. Must not
 * know libuv. One thread.
 */
#ifndef AT_EVALUATOR_WORKERS_SPARE_H
#define AT_EVALUATOR_WORKERS_SPARE_H

#include <stddef.h>

/* As malloc() and calloc(). */
void *at_spare_malloc(size_t size);
void *at_spare_calloc(size_t count, size_t size);

/* As realloc(), for memory of these functions. Without memory it gives the reserved
   room; NULL where that is taken, or smaller than `size`. */
void *at_spare_realloc(void *old, size_t size);

/* As free(), for memory of these functions. */
void at_spare_free(void *memory);

#endif
