/*
 * The coverage of the cases of a verification: runs, on device `host`, the reference
 * (which is the specification) and the baseline configuration of the tuned kernel over
 * all of them, compiled for coverage (kernel/coverage.h).
 *
 *   at_case_coverage(spec, template, problem, seconds, &cover, &err);
 *   ... cover.reference, cover.tuned, cover.constants ...
 *   at_case_coverage_release(&cover);
 *
 * Each case runs in a child process with a time limit, as kernels may crash or hang.
 * The counts of such a case are lost, and a note names it. A default case on
 * which the reference or the baseline fails is no case of a verification, so its counts
 * are dropped. Here the reference is not run in double, so where the space gives no
 * tolerance a baseline may fail by its rounding that a verification would take.
 *
 * A comparison is about a number (a size or a scalar argument) if in every case that
 * reached the comparison it saw one value only, and that was the number's. The number
 * must have other values in other cases. Constants that no case gave that number are
 * values that nobody tried.
 *
 * Threads: one at a time in a process, without other threads that hold locks.
 */
#ifndef AT_EVALUATOR_CASES_COVERAGE_H
#define AT_EVALUATOR_CASES_COVERAGE_H

#include "kernel/coverage.h"
#include "kernel/source.h"
#include "space/spec.h"

/* A constant that a number was compared with. */
struct at_case_constant {
	size_t number; /* index in numbers of struct at_case_coverage */
	int64_t value;
	bool is_given; /* some case gave the number this value */
};

struct at_case_coverage {
	/* why nothing was measured: no compiler, no reference that is a kernel, ...;
	   "": it was */
	char reason[sizeof(((struct at_error *)NULL)->text)];
	struct at_coverage reference;
	struct at_coverage tuned;
	size_t case_count; /* of the verification, with the tuned problem */
	size_t ran_count; /* those that ran, on host, and were counted */
	size_t dropped_count; /* default cases on which reference or baseline fails */
	double seconds; /* of a processor, that measuring took */
	size_t late_count; /* those for which there was no time left */
	struct at_strbuf notes; /* a line for each case that failed otherwise */
	struct at_domain numbers; /* at_cases_numbers() */
	struct at_value *tuned_values; /* of these, in the tuned problem */
	size_t constant_count;
	struct at_case_constant *constants; /* by number, then value; none twice */
};

/*
 * Measures for at most `seconds` of a processor, with the compilations, and never for
 * more than five times as long; ends what still runs then. The spec must have a kernel.
 * If coverage cannot be measured, out->reason says why, and that is no
 * error. The caller releases
 * *out, also after a failure.
 */
enum at_status at_case_coverage(const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	double seconds, struct at_case_coverage *out, struct at_error *err);
/* Releases what it owns; a zeroed one is fine. */
void at_case_coverage_release(struct at_case_coverage *self);

#endif
