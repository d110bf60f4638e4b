/*
 * The domain of a kernel: the sizes and scalar arguments for which it promises to be
 * right, as the section "domain" of its space file declares them. Verification draws
 * its cases from the domain; the search space's own engine counts it and finds what
 * satisfies its constraints.
 *
 *   at_domain_values(spec, tuned, NULL, values, &err);
 *   at_domain_check(spec, tuned, values, &err);
 *   at_domain_draw(spec, tuned, &options, &rows, &count, &err);
 *
 * A row, as `values`, is spec->domain.number_count values, in the order of the file.
 *
 * Ranges that are long are thinned before anything is drawn: their ends and those next
 * to them, the tuned value and its neighbours, powers of two, the largest prime, and
 * numbers drawn uniformly and by their logarithm stay. A value that breaks a constraint
 * on its number alone ("COLS % 4 == 0") is replaced by the nearest one that does not.
 *
 * Threads: pure functions.
 */
#ifndef AT_SPACE_DOMAIN_H
#define AT_SPACE_DOMAIN_H

#include "space/spec.h"

/*
 * The scalar argument, or field of one, that has this name, and the component: "n",
 * "origin.x" of a vector, "view.n" of a structure, "view.origin.x". NULL: none has it.
 */
const struct at_argument *at_domain_find_scalar(
	const struct at_spec *spec, const char *name, size_t *lane);

/*
 * Fills values with what the problem (and base, which may be NULL, where the problem
 * lacks a size) gives the numbers of the domain. AT_EINVAL: a scalar argument has no
 * value before a configuration is chosen.
 */
enum at_status at_domain_values(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_problem *base,
	struct at_value *values, struct at_error *err);

/* AT_EINVAL with the line of the domain that the values of a problem break. */
enum at_status at_domain_check(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_value *values,
	struct at_error *err);

/*
 * How many instances the domain has beside a tuned problem, whose sizes are those that
 * the domain does not have. *is_exact: false where a range is too long to be counted
 * with the constraints on it; *count is then the number without constraints, saturated
 * at UINT64_MAX.
 */
enum at_status at_domain_count(const struct at_spec *spec,
	const struct at_problem *tuned, uint64_t *count, bool *is_exact,
	struct at_error *err);

/* What at_domain_draw() draws. */
struct at_domain_draw {
	uint64_t seed; /* the same rows for the same seed */
	size_t count; /* how many rows at most */
	/* Whether a row may be taken: its data may be too large. is_neighbour: its
	   sizes are next to the tuned ones. NULL: any may. */
	bool (*admits)(void *context, const struct at_value *values, bool is_neighbour);
	void *context;
};

/*
 * Draws rows that differ from each other and from the tuned problem: first those in
 * which all sizes are next below and next above the tuned ones; then rows that together
 * have {lowest, highest, other} of each two numbers in each combination, and then of
 * each three, as far as the constraints and the count allow (covering arrays: Cohen et
 * al. 1997, "The AETG System"). *rows is the caller's to free. AT_EINVAL: the
 * constraints leave nothing.
 */
enum at_status at_domain_draw(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_domain_draw *options,
	struct at_value **rows, size_t *count, struct at_error *err);

#endif
