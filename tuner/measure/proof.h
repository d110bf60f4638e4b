/* The proof of a winner: everything that can be tried with one loaded module. */
#ifndef AT_MEASURE_PROOF_H
#define AT_MEASURE_PROOF_H

#include "measure/candidate.h"

/*
 * Proves a winner by all means that the device has. Afterwards the sets hold other
 * data; call bench_settle() before the next job.
 */
enum at_outcome prove_winner(struct at_bench *self, struct candidate *candidate,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err);

#endif
