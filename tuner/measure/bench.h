/* Moves a bench to other memory. measure.h makes and frees benches. */
#ifndef AT_MEASURE_BENCH_H
#define AT_MEASURE_BENCH_H

#include "measure/bench_parts.h"

/* Moves every buffer that the template's kernels see to other memory, in an order drawn
   from seed; inputs keep their contents. A buffer that does not fit a second time
   stays. No candidate may be loaded, since bound calls hold addresses. AT_ENOMEM:
   nothing was changed; AT_EDEVICE. */
enum at_status bench_renew(
	struct at_measure_context *self, uint64_t seed, struct at_error *err);

#endif
