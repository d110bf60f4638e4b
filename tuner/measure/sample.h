/* Times a candidate: warm-up and samples. */
#ifndef AT_MEASURE_SAMPLE_H
#define AT_MEASURE_SAMPLE_H

#include "measure/candidate.h"

/* The time in nanoseconds above which a launch cannot win, even as its kernel's first;
   0: no limit, without an incumbent or if clocks may be down. */
double sample_limit_ns(const struct at_measure_context *self, double incumbent_ns);
/* Warm-up and samples of a verified candidate. */
enum at_outcome sample_candidate(struct at_measure_context *self,
	struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err);
/* Warms up. *time_ns: about how long one launch takes. *pruned: the kernel is so much
   slower than the incumbent (0: none) that sampling is pointless. */
enum at_outcome sample_warm_up(struct at_measure_context *self,
	struct candidate *candidate, double incumbent_ns, double *time_ns, bool *pruned,
	struct at_error *err);
/* Whether a launch after other work finds the cache colder than after itself: the cache
   is warm, launches follow each other directly, and time_ns is so short that filling
   the cache shows. */
bool sample_needs_warm_cache(const struct at_measure_context *self,
	const struct candidate *candidate, double time_ns);
/* Runs one uncounted launch for each set, so that the next sample finds the cache in
   the state that consecutive samples leave. */
enum at_outcome sample_warm_cache(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err);
/* The number of launches in one sample, if one takes about time_ns. */
unsigned sample_launches(const struct at_measure_context *self,
	const struct candidate *candidate, double time_ns);
/* Takes one sample; *time_ns is the time of one launch. Launches alternate between the
   data sets. */
enum at_outcome sample_once(struct at_measure_context *self,
	struct candidate *candidate, unsigned launches, double *time_ns,
	struct at_error *err);
/* Sets median and interval of `result`; `sorted` holds its samples in order. */
void sample_summarize(struct at_measure_result *result, const double *sorted);

#endif
