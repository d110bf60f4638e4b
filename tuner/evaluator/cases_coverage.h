/*
 * The coverage of the cases of a verification: runs, on device `host`, the reference
 * (which is the specification) and one configuration of the tuned kernel over all of
 * them, compiled for coverage (kernel/coverage.h).
 *
 *   at_case_coverage(&options, &cover, &err);
 *   ... cover.reference, cover.tuned, cover.constants, cover.tried ...
 *   at_case_coverage_release(&cover);
 *
 * Each case runs in a child process with a time limit, as kernels may crash or hang.
 * The counts of such a case are lost, and a note names it. A default case on
 * which the reference or the configuration fails is no case of a verification, so its
 * counts are dropped. Here the reference is not run in double, so where the space gives
 * no tolerance a kernel may fail by its rounding that a verification would take.
 *
 * A comparison is about a number (a size or a scalar argument) if in every case that
 * reached the comparison it saw one value only, and that was the number's. The number
 * must have other values in other cases. Constants that no case gave that number are
 * tried in further cases, as is the value above them: of "kind is 0, else 1, else 2"
 * the last comparison is reached in no other way. Where the space declares no domain a
 * verification has these cases, too (at_case_of_value()), and they count.
 *
 * Threads: one at a time in a process, without other threads that hold locks.
 */
#ifndef AT_EVALUATOR_CASES_COVERAGE_H
#define AT_EVALUATOR_CASES_COVERAGE_H

#include "base/json.h"
#include "kernel/coverage.h"
#include "kernel/source.h"
#include "space/spec.h"

/* The most values that constants add to the default list. */
#define AT_CASE_VALUES_MOST 12

/* All borrowed. */
struct at_case_coverage_options {
	const struct at_spec *spec; /* without --set; must have a kernel */
	const struct at_template *template;
	const struct at_problem *problem;
	const uint16_t *configuration; /* value indices of the tuned kernel */
	const char *units; /* the folder of units (kernel/units.h); NULL: none */
	/* limits for all, with the compilations: of processors' time, so that a busy
	   machine has the same cases run, and of the wall's clock */
	double seconds;
	uint64_t end_ns; /* by at_clock_now_ns() */
	/* try values also where the space has a domain, to find what it lacks */
	bool proposes;
};

/* A value of a number, by its index in numbers of struct at_case_coverage. */
struct at_case_value {
	size_t number;
	int64_t value;
	bool is_given; /* of a constant: some case gave the number this value */
};

struct at_case_coverage {
	/* why nothing was measured: no compiler, no reference that is a kernel, ...;
	   "": it was */
	char reason[sizeof(((struct at_error *)NULL)->text)];
	struct at_coverage reference;
	struct at_coverage tuned;
	size_t case_count; /* of the verification, with the tuned problem */
	size_t ran_count; /* those that ran, on host, and were counted */
	size_t dropped_count; /* default cases on which reference or kernel fails */
	size_t late_count; /* those for which there was no time left */
	struct at_strbuf notes; /* a line for each case that failed otherwise */
	struct at_domain numbers; /* at_cases_numbers() */
	struct at_value *tuned_values; /* of these, in the tuned problem */
	size_t constant_count;
	struct at_case_value *constants; /* by number, then value; none twice */
	size_t tried_count;
	struct at_case_value tried[AT_CASE_VALUES_MOST]; /* in further cases */
};

/*
 * Measures, and ends what still runs when the time is over. If coverage cannot be
 * measured, out->reason says why, and that is no error. The caller releases *out, also
 * after a failure.
 */
enum at_status at_case_coverage(const struct at_case_coverage_options *options,
	struct at_case_coverage *out, struct at_error *err);
/* Releases what it owns; a zeroed one is fine. */
void at_case_coverage_release(struct at_case_coverage *self);

/*
 * The measurement as JSON, without the notes. Of each unit it has a
 * line for people (at_coverage_write()), which calls the tuned kernel `tuned`.
 */
struct at_json *at_case_coverage_to_json(const struct at_case_coverage *self,
	const struct at_template *template, const char *tuned);

#endif
