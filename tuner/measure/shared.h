/*
 * What the benches of one device have in common: the tuner's own kernels, loaded once,
 * and the buffer that empties the cache.
 */
#ifndef AT_MEASURE_SHARED_H
#define AT_MEASURE_SHARED_H

#include "measure/bench_parts.h"

/* Loads the kernels, or takes those of a bench beside this one (NULL: none). */
enum at_status shared_take(
	struct at_bench *self, struct at_bench *beside, struct at_error *err);
/* Makes the flush buffer unless it is there. */
enum at_status shared_make_flush(struct at_bench *self, struct at_error *err);
/* The last bench frees all of it; NULL does nothing. */
void shared_drop(struct bench_shared *self);

#endif
