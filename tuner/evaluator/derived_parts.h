/* What the files of derived.h share. */
#ifndef AT_EVALUATOR_DERIVED_PARTS_H
#define AT_EVALUATOR_DERIVED_PARTS_H

#include "evaluator/derived.h"

/*
 * Whether a size varies, and how. ROLE_NUMBER and ROLE_FLAG are of sizes that nothing
 * is as large as, but that the kernel is told: a radius, a factor; 0 or 1.
 */
enum role { ROLE_STAYS, ROLE_EXTENT, ROLE_SMALL, ROLE_NUMBER, ROLE_FLAG, ROLE_COUNT };

struct derivation {
	const struct at_spec *spec;
	const struct at_problem *tuned;
	const struct at_device_info *device;
	enum role *roles; /* one for each size of the tuned problem */
	int64_t *units; /* one for each: what the size must stay a multiple of */
	int64_t cap; /* larger extents are cut to this first */
	struct at_value *values; /* one for each: its value after the change */
	struct at_value *slots; /* of the spec */
};

/* Whether an expression uses the size, or one that follows from it; false for NULL. */
bool derived_uses(const struct derivation *self, const struct at_expression *expression,
	size_t from);
/* Whether a compiler option contains the size: each value is then another unit. */
bool derived_is_in_options(const struct derivation *self, size_t from);
/* Decides how a size varies; sets its unit where it does. */
enum role derived_role_of(struct derivation *self, size_t size);

/*
 * Puts numbers right that have changed places (self->values). Numbers change each by a
 * rule of its own. What was less must not be more then: it may be the lower end of a
 * range, of which sound kernels make different things where it is above the upper one.
 * What is next to 0 is no upper end, and both ends are of one type.
 */
void derived_keep_order(struct derivation *self);

#endif
