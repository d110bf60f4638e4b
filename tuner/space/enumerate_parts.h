/*
 * The parts of making a space of a spec. Private to enumerate*.c, search_space*.c and
 * automaton.c.
 *
 *   1. filter: constraints that depend on at most one parameter shorten its
 *      domain, until nothing changes; a parameter with one value is a constant.
 *   2. split: the parameters that constraints still tie together are groups,
 *      and the space is the product of its groups.
 *   3. each group becomes a diagram of its rows (search_space_group.c).
 *
 * Where that takes too much, and to find out why a space is empty, a group is walked:
 *
 *   4. order: in what order a group's parameters are best assigned.
 *   5. walk: every row of a group, as one sortable number.
 *
 * Threads: an enumerator belongs to one call and one thread.
 */
#ifndef AT_SPACE_ENUMERATE_PARTS_H
#define AT_SPACE_ENUMERATE_PARTS_H

#include "base/watch.h"
#include "space/enumerate.h"

/* The values of a parameter that are still possible, ascending. */
struct at_domain {
	size_t count;
	uint16_t *indices;
};

/* A constraint and the parameters that it ties together. */
struct at_tie {
	size_t constraint;
	const struct at_expression *expression;
	size_t parameter_count; /* those with more than one value left */
	size_t *parameters; /* ascending */
	size_t cost; /* of evaluating it, in steps */
	bool done; /* the filter dealt with it */
};

/* How a group's row is packed: a parameter's digit counts in its domain. */
struct at_digit {
	size_t parameter;
	size_t word;
	unsigned shift;
	unsigned bits;
};

/* Parameters that constraints tie together, and what they may be together. */
struct at_group {
	size_t parameter_count;
	size_t *parameters; /* ascending */
	size_t tie_count;
	struct at_tie **ties; /* in the order of the file */
	uint64_t cartesian;
	uint64_t valid; /* rows that were found */
	/* only some values of its parameters were gone through; there are at least so
	   many rows, at most so many, and about so many */
	bool is_thinned;
	uint64_t least;
	uint64_t most;
	double estimate;
	double estimate_low;
	double estimate_high;

	struct at_digit *digits; /* one a parameter, most significant first */
	size_t word_count; /* of a row, most significant first */
	uint64_t *rows; /* NULL where they are only counted */
};

/* What is shared by all parts. */
struct at_enumerator {
	const struct at_spec *spec;
	struct at_value *slots; /* own copy */
	struct at_domain *domains;
	struct at_tie *ties; /* one a constraint that takes part */
	size_t tie_count;
	size_t group_count;
	struct at_group *groups;
	struct at_enumeration *statistics; /* NULL: nobody asks */
	/* no more rows than this are kept; they are counted all the same */
	uint64_t limit_rows;
	bool counts_all; /* what cannot be listed is counted, however long it takes */
	bool stop_at_first; /* a group that has one row is not walked further */
	/* AT_EOVERFLOW, without a text, from any part where its limit is reached */
	struct at_watch watch;
	struct at_error *err;
};

static inline enum at_status at_enumerate_spend(
	struct at_enumerator *self, uint64_t steps)
{
	return at_watch_spend(&self->watch, steps, self->err);
}

/*
 * enumerate.c: the enumerator, and parts one and two. The constraints
 * first..last-1 take part; release it also after a failure.
 */
enum at_status at_enumerate_init(struct at_enumerator *self, const struct at_spec *spec,
	const struct at_value *slots, size_t first, size_t last, struct at_error *err);
void at_enumerate_release(struct at_enumerator *self);
/* Parts one and two. *is_empty: a parameter has no value left, and there is no group.
 */
enum at_status at_enumerate_divide(struct at_enumerator *self, bool *is_empty);
/* Parts one, two, and the walk; *valid gets the number of configurations, saturated. */
enum at_status at_enumerate_run(struct at_enumerator *self, uint64_t *valid);

/*
 * enumerate_order.c: order[0..parameter_count) gets positions in parameters; those of
 * the file where a group is too large to look for a better one.
 */
enum at_status at_enumerate_order(
	struct at_enumerator *self, const struct at_group *group, size_t *order);

/*
 * enumerate_walk.c: counts a group's rows and keeps them sorted, unless they are
 * more than limit_rows. others: every row stands for so many configurations.
 */
enum at_status at_enumerate_walk(
	struct at_enumerator *self, struct at_group *group, uint64_t others);

/* enumerate_rows.c: fills digits and word_count. */
enum at_status at_enumerate_layout(
	const struct at_enumerator *self, struct at_group *group);
enum at_status at_enumerate_sort(struct at_enumerator *self, struct at_group *group);

/* enumerate_check.c */
/* One constraint removed `count` configurations; not OK: because of that. */
void at_enumerate_remove(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, uint64_t count);
/*
 * AT_EINVAL with what the constraint did and with which
 * values, unless it only divided by zero, which is AT_OK.
 */
enum at_status at_enumerate_check(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, int unbound_slot);
/*
 * " with A = 3, N = 64": the names of an expression that have a value. Of an empty
 * space only sizes and properties are told: no parameter has one value there.
 */
void at_enumerate_add_values(const struct at_spec *spec,
	const struct at_expression *expression, const struct at_value *slots,
	bool parameters_too, struct at_strbuf *out);
/* The text on one line, whatever the constraint has in it; releases it. */
enum at_status at_enumerate_fail_at(const struct at_spec *spec, size_t constraint,
	struct at_strbuf *text, struct at_error *err);

/* Sets a parameter's slot to the value of a digit in its domain. */
static inline void at_enumerate_bind(
	struct at_enumerator *self, size_t parameter, size_t digit)
{
	self->slots[parameter] =
		self->spec->parameters[parameter]
			.values[self->domains[parameter].indices[digit]];
}

#endif
