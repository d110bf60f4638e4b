/*
 * What the benches of one device share: the tuner's own kernels, loaded once, and the
 * buffer that empties the cache.
 */
#ifndef AT_MEASURE_SHARED_H
#define AT_MEASURE_SHARED_H

#include "measure/bench_parts.h"

/* Takes the shared state of another bench, or makes it where `beside` is NULL. */
enum at_status shared_take(struct at_measure_context *self,
	struct at_measure_context *beside, struct at_error *err);
/* Makes the flush buffer if none exists yet. */
enum at_status shared_make_flush(struct at_measure_context *self, struct at_error *err);
/* A bench gives up its share; the last one frees everything. NULL does nothing. */
void shared_drop(struct bench_shared *self);

#endif
