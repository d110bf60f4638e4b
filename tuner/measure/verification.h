/* The verification of a winner: everything that can be tried with one loaded module. */
#ifndef AT_MEASURE_VERIFICATION_H
#define AT_MEASURE_VERIFICATION_H

#include "measure/candidate.h"

/*
 * Verifies a winner by all means that the device has. Afterwards the sets hold other
 * data; call bench_settle() before the next job.
 */
enum at_outcome verify_winner(struct at_measure_context *self,
	struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err);

#endif
