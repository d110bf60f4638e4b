/*
 * What became of the Cartesian product of a spec's parameters: how many configurations
 * each constraint removed, and why nothing is left where a space is empty.
 * space/search_space.h fills it in.
 *
 * Threads: pure functions of their arguments.
 */
#ifndef AT_SPACE_ENUMERATE_H
#define AT_SPACE_ENUMERATE_H

#include "space/spec.h"

struct at_enumeration {
	uint64_t cartesian; /* UINT64_MAX when it does not fit 64 bits */
	uint64_t valid; /* those of the search space that was made */
	/*
	 * Its constraints tie so many values that it was not counted: `valid` are
	 * those that may be searched, of some values of each of these parameters, and
	 * `removed` is not known. There are at least valid_least and at most valid_most
	 * (UINT64_MAX: or more), and of a sample as many passed as make 95 % sure that
	 * there are estimate_low to estimate_high.
	 */
	bool is_uncounted;
	uint64_t valid_least; /* like valid_most `valid` itself where it was counted */
	uint64_t valid_most;
	double estimate;
	double estimate_low;
	double estimate_high;
	/* per constraint of the spec; how many configurations it was the first to
	   remove, in the order of the walk: with `valid` they add up to cartesian */
	uint64_t *removed;
	uint64_t *divisions_by_zero; /* of these, because it divided by zero */
};

/* Of a space that was not looked at yet. */
enum at_status at_enumeration_init(
	struct at_enumeration *self, const struct at_spec *spec, struct at_error *err);
void at_enumeration_release(struct at_enumeration *self);

/*
 * Fills err with one line that says which constraint emptied the space: the
 * first one after which nothing was left. Returns AT_EINVAL, or AT_ENOMEM.
 */
enum at_status at_enumeration_explain_empty(const struct at_spec *spec,
	const struct at_enumeration *statistics, const struct at_value *slots,
	struct at_error *err);

#endif
