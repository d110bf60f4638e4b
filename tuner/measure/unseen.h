/* How long does a launch take on data that it has not met, and on the same again? */
#ifndef AT_MEASURE_UNSEEN_H
#define AT_MEASURE_UNSEEN_H

#include "measure/candidate.h"

/*
 * Times launches of a candidate on set 0, whose data have just become others that no
 * launch of it has seen: the first one, and three more. *first_ns and *again_ns become
 * no more than that one and the fastest of these. Everything that the tool can put back
 * is put back ahead of each, and the inputs are in the cache. The outcome is also what
 * the last of them left: WRONG_RESULT as of any launch.
 */
enum at_outcome unseen_time(struct at_bench *self, struct candidate *candidate,
	struct at_measure_result *result, double *first_ns, double *again_ns,
	struct at_error *err);
/* So much slower at first that what came out was kept somewhere: neither noise nor the
   caches of a processor explain it. */
bool unseen_is_slower(double first_ns, double again_ns);

#endif
