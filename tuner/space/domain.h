/*
 * The domain of a kernel: the sizes and scalar arguments for which it promises to be
 * right, as declared in the section "domain" of its space file. Verification draws its
 * cases from the domain; the search space engine counts it and solves its constraints.
 *
 *   at_domain_values(spec, tuned, NULL, values, &err);
 *   at_domain_check(spec, tuned, values, &err);
 *   at_domain_draw(spec, tuned, &options, &rows, &count, &err);
 *
 * A row, like `values`, is spec->domain.number_count values, in the order of the file.
 *
 * Long ranges are thinned before drawing. What remains: the ends and the values next to
 * them, the tuned value and its neighbours, powers of two, the largest prime, and
 * numbers drawn uniformly and by their logarithm. A value that violates a constraint on
 * its number alone ("COLS % 4 == 0") is replaced by the nearest valid value.
 *
 * Threads: pure functions.
 */
#ifndef AT_SPACE_DOMAIN_H
#define AT_SPACE_DOMAIN_H

#include "space/spec.h"

/* The scalar argument or field of that name, and the component: "n", "origin.x" of a
   vector, "view.n" of a structure, "view.origin.x". NULL: unknown. */
const struct at_argument *at_domain_find_scalar(
	const struct at_spec *spec, const char *name, size_t *lane);

/*
 * Fills values with the problem's values for the numbers of the domain; sizes that the
 * problem lacks come from base, which may be NULL. AT_EINVAL: a scalar argument depends
 * on the configuration.
 */
enum at_status at_domain_values(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_problem *base,
	struct at_value *values, struct at_error *err);

/* AT_EINVAL with the line of the domain that a problem's values violate. */
enum at_status at_domain_check(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_value *values,
	struct at_error *err);

/*
 * The number of instances in the domain for a tuned problem, which provides the sizes
 * outside the domain. *is_exact: false if a constrained range is too long to count;
 * *count is then the number without constraints, saturated at UINT64_MAX.
 */
enum at_status at_domain_count(const struct at_spec *spec,
	const struct at_problem *tuned, uint64_t *count, bool *is_exact,
	struct at_error *err);

struct at_domain_draw {
	uint64_t seed; /* determines the rows */
	size_t count; /* the most rows */
	/* Whether a row is acceptable: its data may be too large. is_neighbour: its
	   sizes are next to the tuned ones. NULL: all are. */
	bool (*admits)(void *context, const struct at_value *values, bool is_neighbour);
	void *context;
};

/*
 * Draws rows that differ from each other and from the tuned problem. The first two have
 * all sizes next below and next above the tuned ones. The rest together have every
 * combination of {lowest, highest, other} for each two numbers, and then for each
 * three, as far as the constraints and the count allow (covering arrays: Cohen et al.
 * 1997, "The AETG System"). The caller frees *rows. AT_EINVAL: the constraints leave
 * nothing.
 */
enum at_status at_domain_draw(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_domain_draw *options,
	struct at_value **rows, size_t *count, struct at_error *err);

#endif
