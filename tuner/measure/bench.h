/* Moves a bench to other memory. How benches are made and freed is in measure.h. */
#ifndef AT_MEASURE_BENCH_H
#define AT_MEASURE_BENCH_H

#include "measure/bench_parts.h"

/*
 * Moves every buffer that the template's kernels see to other memory, in an order drawn
 * from seed; the inputs keep their contents. A buffer for which there is no room twice
 * stays where it is. No candidate may be loaded, since bound calls keep addresses.
 * AT_ENOMEM: nothing was changed; AT_EDEVICE.
 */
enum at_status bench_renew(
	struct at_measure_context *self, uint64_t seed, struct at_error *err);

#endif
