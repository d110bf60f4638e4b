/* How long does a launch take on data that it has not met, and on the same again? */
#ifndef AT_MEASURE_UNSEEN_H
#define AT_MEASURE_UNSEEN_H

#include "measure/candidate.h"

struct unseen_times {
	double first_ns; /* on data that no launch has seen */
	double fastest_ns, middle_ns; /* of three more on the same */
	double near_ns; /* on nearly the same, where they were faster; else 0 */
};

/*
 * Times launches of a candidate on set 0, whose data have just become others that no
 * launch of it has seen, behind some on set 1. Everything that the tool can put back is
 * put back ahead of each, and the inputs are in the cache. The outcome is also what the
 * last of them left: WRONG_RESULT as of any launch.
 */
enum at_outcome unseen_time(struct at_bench *self, struct candidate *candidate,
	struct at_measure_result *result, struct unseen_times *out,
	struct at_error *err);
/* Slower on new data, and not because a processor has learnt which turns it takes:
   those are the same on data that is nearly the same, which results that were kept are
   not for.
 */
bool unseen_is_kept(const struct unseen_times *times);
/* So much slower at first that what came out was kept somewhere: the caches of a
   processor do not explain it. */
bool unseen_is_slower(double first_ns, double again_ns);

#endif
