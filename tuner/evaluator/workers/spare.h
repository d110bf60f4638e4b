/*
 * The memory of libuv, which calls abort() where its table of descriptors cannot grow;
 * all else that it lacks it says. So what grows takes a room that was kept for it when
 * there is no other, once, and whoever asks for memory next ends the run in order.
 * Must not know libuv. One thread.
 */
#ifndef AT_EVALUATOR_WORKERS_SPARE_H
#define AT_EVALUATOR_WORKERS_SPARE_H

#include <stddef.h>

void *at_spare_malloc(size_t size);
void *at_spare_calloc(size_t count, size_t size);

/* Of what these functions gave. NULL where the room is taken, or less than `size`. */
void *at_spare_realloc(void *old, size_t size);

void at_spare_free(void *memory);

#endif
