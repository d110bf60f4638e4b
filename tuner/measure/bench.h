/* Other memory for a bench; its life is measure.h's. */
#ifndef AT_MEASURE_BENCH_H
#define AT_MEASURE_BENCH_H

#include "measure/bench_parts.h"

/*
 * Gives all that kernels of a template see other memory, in an order drawn from seed,
 * with the inputs as they were; what does not fit beside itself stays. Nothing may be
 * loaded: calls keep addresses. AT_ENOMEM, and nothing was changed; AT_EDEVICE.
 */
enum at_status bench_renew(struct at_bench *self, uint64_t seed, struct at_error *err);

#endif
