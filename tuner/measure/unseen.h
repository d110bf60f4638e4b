/*
 * Compares the time of a launch on data that the kernel has never met with the time on
 * the same data again. A kernel that keeps results by their inputs, in memory that the
 * tool cannot reset (shared memory, local arrays, the heap), is much faster on the
 * second launch.
 */
#ifndef AT_MEASURE_UNSEEN_H
#define AT_MEASURE_UNSEEN_H

#include "measure/candidate.h"

struct unseen_times {
	double first_ns; /* the first launch on data that no launch has seen */
	double fastest_ns; /* of three more launches on the same data */
	/* a launch on nearly the same data, timed only where those were faster; else 0
	 */
	double near_ns;
	/* how often slower is slower: more where cores predict branches, which they
	   learn within a launch (a factor of 2.8 on 4 KiB was seen) */
	double factor;
};

/*
 * Times launches of a candidate on set 0, which must just have been given data that no
 * launch of the candidate has seen, after some launches on set 1. Before each launch
 * everything that the tool can restore is restored, and the inputs are in the cache.
 * The output of the last launch is checked: the outcome may be WRONG_RESULT.
 */
enum at_outcome unseen_time(struct at_bench *self, struct candidate *candidate,
	struct at_measure_result *result, struct unseen_times *out,
	struct at_error *err);
/*
 * Whether the kernel kept results: it is slower on new data, and that is not because
 * the processor has learnt its branches. Branches are the same on nearly the same data,
 * for which kept results are of no use.
 */
bool unseen_is_kept(const struct unseen_times *times);
/* Whether a first launch is so much slower that caches alone do not explain it. */
bool unseen_is_slower(
	const struct unseen_times *times, double first_ns, double again_ns);

#endif
