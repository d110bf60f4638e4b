/* Times a candidate: warm-up and samples. */
#ifndef AT_MEASURE_SAMPLE_H
#define AT_MEASURE_SAMPLE_H

#include "measure/candidate.h"

/*
 * The time above which a launch cannot win even if it was the first of its kernel, in
 * nanoseconds; 0 where there is no such limit: no incumbent, or clocks may be down.
 */
double sample_limit_ns(const struct at_measure_context *self, double incumbent_ns);
/* Warm-up and samples of a candidate that has been verified. */
enum at_outcome sample_candidate(struct at_measure_context *self,
	struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err);
/*
 * Warms up. *time_ns: about how long one launch lasts. *hopeless: the kernel is so much
 * slower than the incumbent (0: none) that no sample is worth taking.
 */
enum at_outcome sample_warm_up(struct at_measure_context *self,
	struct candidate *candidate, double incumbent_ns, double *time_ns, bool *pruned,
	struct at_error *err);
/*
 * Whether launches find the cache colder behind other work than one behind the other:
 * the cache is warm, launches follow each other directly, and one of time_ns is so
 * short that filling the cache shows.
 */
bool sample_needs_warm_cache(const struct at_measure_context *self,
	const struct candidate *candidate, double time_ns);
/* One launch for each set, not counted, so that the sample that follows finds the cache
   as a sample in a row does. */
enum at_outcome sample_warm_cache(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err);
/* How many launches one sample takes, given about how long one lasts. */
unsigned sample_launches(const struct at_measure_context *self,
	const struct candidate *candidate, double time_ns);
/* Takes one sample; *time_ns is the time of one launch. Launches take the sets of data
   in turns. */
enum at_outcome sample_once(struct at_measure_context *self,
	struct candidate *candidate, unsigned launches, double *time_ns,
	struct at_error *err);
/* Fills in median and interval of the samples of `result`; `sorted` holds the same
   samples in ascending order. */
void sample_summarize(struct at_measure_result *result, const double *sorted);

#endif
