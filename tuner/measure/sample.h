/* How long does it take? Warm-up and samples of a candidate. */
#ifndef AT_MEASURE_SAMPLE_H
#define AT_MEASURE_SAMPLE_H

#include "measure/candidate.h"

/*
 * A launch that takes longer cannot win, not even if it was the first of its kernel;
 * 0 where that cannot be said: no incumbent, or clocks that may be down.
 */
double sample_limit_ns(const struct at_bench *self, double incumbent_ns);
/* Warm-up and samples of a candidate that has been verified. */
enum at_outcome sample_candidate(struct at_bench *self, struct candidate *candidate,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err);
/*
 * *time_ns: about how long one launch lasts. *hopeless: the kernel is so much slower
 * than the incumbent (0: there is none) that no sample is worth taking.
 */
enum at_outcome sample_warm_up(struct at_bench *self, struct candidate *candidate,
	double incumbent_ns, double *time_ns, bool *hopeless, struct at_error *err);
/* How many launches one sample takes, given about how long one lasts. */
unsigned sample_launches(
	const struct at_bench *self, const struct candidate *candidate, double time_ns);
/* One sample, time of one launch. Its launches take the sets of data in turns. */
enum at_outcome sample_once(struct at_bench *self, struct candidate *candidate,
	unsigned launches, double *time_ns, struct at_error *err);
/* Median and interval of the samples in `result`, which `sorted` holds in order. */
void sample_summarize(struct at_measure_result *result, const double *sorted);

#endif
