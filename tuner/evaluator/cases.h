/*
 * The cases of a verification that are drawn from the domain of a space
 * (space/domain.h): problems that the space does not name and that a winner must be
 * right on.
 *
 *   at_cases_make(spec, tuned, &device, seed, &cases, &count, &err);
 *   ... at_plan_init(&plan, spec, template, &cases[i], tuned, ...) ...
 *   at_cases_free(cases, count);
 *
 * Threads: pure functions.
 */
#ifndef AT_EVALUATOR_CASES_H
#define AT_EVALUATOR_CASES_H

#include "device/device.h"
#include "space/spec.h"

/*
 * Draws spec->verify.case_count cases at most. Each lists the sizes and scalar
 * arguments that differ from the tuned problem's and is named after them: "case M=33
 * trans_a=1". Cases hold little data, fewer elements than a limit, except for the two
 * whose sizes are next to the tuned ones; these come last. *count is 0 where the space
 * declares no domain, or where outputs are compared with files. The caller frees *out
 * with at_cases_free().
 */
enum at_status at_cases_make(const struct at_spec *spec, const struct at_problem *tuned,
	const struct at_device_info *device, uint64_t seed, struct at_problem **out,
	size_t *count, struct at_error *err);
/* Frees the cases; NULL with count 0 is fine. */
void at_cases_free(struct at_problem *cases, size_t count);

/*
 * Fills *out with the case in which this number of the domain has its tuned value. It
 * is empty, without a name, where the number has that value already, where the case is
 * not in the domain, and where nothing is left but the tuned problem. The caller
 * releases it with at_case_release().
 */
enum at_status at_case_without(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_problem *one, size_t number,
	struct at_problem *out, struct at_error *err);
/* Releases what a case owns. */
void at_case_release(struct at_problem *one);

/* Appends the case in the syntax of a space file: "{ M = 33; trans_a = 1; }". */
void at_case_write(const struct at_problem *one, struct at_strbuf *out);

#endif
