/*
 * The search space: every configuration that satisfies every constraint, for one
 * problem and one device.
 *
 * Parameters are assigned one by one and each constraint is tested as soon as
 * all its names are bound, so that a failing prefix cuts its whole subtree;
 * the result is in the order of the file (last parameter fastest) whatever order
 * the walk took inside.
 *
 * Threads: enumeration is a pure function of its arguments.
 */
#ifndef AT_SPACE_ENUMERATE_H
#define AT_SPACE_ENUMERATE_H

#include "space/spec.h"

/* Row i is a configuration: parameter_count value indices. */
struct at_configurations {
	size_t parameter_count;
	size_t count;
	uint16_t *indices; /* count * parameter_count, row by row, ascending */
};

struct at_enumeration {
	uint64_t cartesian; /* UINT64_MAX when it does not fit 64 bits */
	uint64_t valid;
	/* per constraint of the spec; how many configurations it was the first to
	   remove, in the order of the walk: with `valid` they add up to cartesian */
	uint64_t *removed;
	uint64_t *divisions_by_zero; /* of these, because it divided by zero */
};

struct at_enumerate_options {
	bool count_only; /* no rows are kept; out->indices stays NULL */
	uint64_t limit_rows; /* AT_EOVERFLOW above so many rows; 0: 2^32 - 1 */
};

/*
 * slots: sizes and properties bound by at_spec_bind(). A constraint that
 * overflows, has a type error or uses a property the device lacks ends it with
 * AT_EINVAL and a text naming constraint and, where one is known, configuration.
 * An empty space is no error here: see at_enumeration_explain_empty().
 */
enum at_status at_enumerate(const struct at_spec *spec, const struct at_value *slots,
	const struct at_enumerate_options *options, struct at_configurations *out,
	struct at_enumeration *statistics, struct at_error *err);
void at_configurations_release(struct at_configurations *self);
/* Of a space that was not looked at yet. */
enum at_status at_enumeration_init(
	struct at_enumeration *self, const struct at_spec *spec, struct at_error *err);
void at_enumeration_release(struct at_enumeration *self);

const uint16_t *at_configurations_row(
	const struct at_configurations *self, size_t index);
/* Binary search; SIZE_MAX when the configuration is not in the space. */
size_t at_configurations_find(
	const struct at_configurations *self, const uint16_t *configuration);

/*
 * Fills err with one line that says which constraint emptied the space: the
 * first one after which nothing was left. Returns AT_EINVAL, or AT_ENOMEM.
 */
enum at_status at_enumeration_explain_empty(const struct at_spec *spec,
	const struct at_enumeration *statistics, const struct at_value *slots,
	struct at_error *err);

#endif
