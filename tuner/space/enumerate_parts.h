/*
 * The parts of making a search space from a spec. Private to enumerate*.c,
 * search_space*.c and automaton.c.
 *
 *   1. filter: constraints that depend on at most one parameter shorten its
 *      domain, until nothing changes; a parameter with one value is a constant.
 *   2. split: parameters that constraints still tie together form a group, and
 *      the space is the product of its groups.
 *   3. each group becomes a diagram of its rows (search_space_group.c).
 *
 * Where part 3 takes too much, and to find out why a space is empty, a group is walked
 * instead:
 *
 *   4. order: finds a good order in which to assign the group's parameters.
 *   5. walk: visits every row of a group; a row is one sortable number.
 *
 * A row is one assignment of a group's parameters; a digit is the index of a value in
 * its parameter's domain. Threads: an enumerator belongs to one call and one thread.
 */
#ifndef AT_SPACE_ENUMERATE_PARTS_H
#define AT_SPACE_ENUMERATE_PARTS_H

#include "base/watch.h"
#include "space/enumerate.h"

/* The values of a parameter that are still possible, as value indices, ascending. */
struct at_value_set {
	size_t count;
	uint16_t *indices;
};

/* A constraint and the parameters that it ties together. */
struct at_tie {
	size_t constraint; /* index in the spec */
	const struct at_expression *expression;
	size_t parameter_count; /* those with more than one value left */
	size_t *parameters; /* ascending */
	size_t cost; /* of one evaluation, in steps (base/watch.h) */
	bool done; /* the filter handled it completely */
};

/* Where a parameter's digit is packed in a group's row. */
struct at_digit {
	size_t parameter;
	size_t word; /* of the row's words */
	unsigned shift; /* bits */
	unsigned bits;
};

/* Parameters that constraints tie together, and the rows that they allow. */
struct at_group {
	size_t parameter_count;
	size_t *parameters; /* ascending */
	size_t tie_count;
	struct at_tie **ties; /* in the order of the file */
	uint64_t cartesian; /* the product of the domains; saturated */
	uint64_t valid; /* rows found */
	/*
	 * Only some values of the parameters were searched. The group has at least
	 * `least` and at most `most` rows; `estimate` is the expected number,
	 * estimate_low to estimate_high its 95 % confidence interval.
	 */
	bool is_thinned;
	uint64_t least;
	uint64_t most;
	double estimate;
	double estimate_low;
	double estimate_high;

	struct at_digit *digits; /* one a parameter, most significant first */
	size_t word_count; /* of a row, most significant first */
	uint64_t *rows; /* NULL where rows are only counted */
};

/* State that all parts share. */
struct at_enumerator {
	const struct at_spec *spec;
	struct at_value *slots; /* a copy, in which parameters are bound */
	struct at_value_set *domains;
	struct at_tie *ties; /* one per constraint that takes part */
	size_t tie_count;
	size_t group_count;
	struct at_group *groups;
	struct at_enumeration *statistics; /* NULL: not wanted */
	/* At most this many rows are kept; where there are more they are only
	   counted. */
	uint64_t limit_rows;
	bool counts_all; /* count what cannot be listed, however long it takes */
	bool stop_at_first; /* stop walking a group at its first row */
	/* Limits the work: any part returns AT_EOVERFLOW, without a text, once it is
	   spent. */
	struct at_watch watch;
	struct at_error *err;
};

static inline enum at_status at_enumerate_spend(
	struct at_enumerator *self, uint64_t steps)
{
	return at_watch_spend(&self->watch, steps, self->err);
}

/*
 * enumerate.c: makes the enumerator with the spec's constraints of index first up to,
 * but not including, last. Release it also after a failure.
 */
enum at_status at_enumerate_init(struct at_enumerator *self, const struct at_spec *spec,
	const struct at_value *slots, size_t first, size_t last, struct at_error *err);
/* Frees what the enumerator owns, with its groups. */
void at_enumerate_release(struct at_enumerator *self);
/* Parts one and two. *is_empty: a parameter has no value left; there are no groups
   then. */
enum at_status at_enumerate_divide(struct at_enumerator *self, bool *is_empty);
/* Parts one, two, four and five; *valid gets the number of configurations,
   saturated. */
enum at_status at_enumerate_run(struct at_enumerator *self, uint64_t *valid);

/*
 * enumerate_order.c: writes into order[0..parameter_count) positions in
 * group->parameters, in the order in which a walk assigns them. Where the group is too
 * large to look for a good order, it is the order of the file.
 */
enum at_status at_enumerate_order(
	struct at_enumerator *self, const struct at_group *group, size_t *order);

/*
 * enumerate_walk.c: counts a group's rows and keeps them, sorted, unless they are more
 * than limit_rows. others: how many configurations each row stands for (the product of
 * the other groups); the statistics are scaled by it.
 */
enum at_status at_enumerate_walk(
	struct at_enumerator *self, struct at_group *group, uint64_t others);

/* enumerate_rows.c: fills in the group's digits and word_count. */
enum at_status at_enumerate_layout(
	const struct at_enumerator *self, struct at_group *group);
/* Sorts the rows that were kept. */
enum at_status at_enumerate_sort(struct at_enumerator *self, struct at_group *group);

/* enumerate_check.c: adds `count` configurations to what the constraint removed, as
   divisions by zero where the evaluation says so. */
void at_enumerate_remove(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, uint64_t count);
/*
 * What a constraint that did not hold means. AT_OK where it is false or divides by
 * zero, which only removes configurations. Else AT_EINVAL with a text that says what
 * the constraint did and with which values.
 */
enum at_status at_enumerate_check(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, int unbound_slot);
/*
 * Appends " with A = 3, N = 64": the names of an expression that have a value.
 * parameters_too: false for an empty space, where no parameter has one particular
 * value, so that only sizes and properties are named.
 */
void at_enumerate_add_values(const struct at_spec *spec,
	const struct at_expression *expression, const struct at_value *slots,
	bool parameters_too, struct at_strbuf *out);
/* Fails with the text as the message, cut to one line, at the constraint's line.
   Releases the text. Returns AT_EINVAL, or AT_ENOMEM. */
enum at_status at_enumerate_fail_at(const struct at_spec *spec, size_t constraint,
	struct at_strbuf *text, struct at_error *err);

/* Binds a parameter to the value that a digit stands for in its domain. */
static inline void at_enumerate_bind(
	struct at_enumerator *self, size_t parameter, size_t digit)
{
	self->slots[parameter] =
		self->spec->parameters[parameter]
			.values[self->domains[parameter].indices[digit]];
}

#endif
