/*
 * The parts of a search space, and its construction from a spec. Private to enumerate.c
 * and search_space*.c.
 *
 * A space is the product of its groups, and each group is a diagram (space/diagram.h)
 * with a level for each of its parameters. The diagram is the product of automata, one
 * per constraint (search_space_product.c), whose states are the residuals of the
 * constraint when some parameters have a value (space/expression_residual.h). The
 * configurations are numbered as if listed by columns. Every parameter with more than
 * one value has a column; the last column changes fastest.
 *
 * Making a space from a spec:
 *
 *   1. filter: constraints that depend on at most one parameter shorten its
 *      domain, until nothing changes; a parameter with one value is a constant.
 *   2. split: parameters that constraints still tie together form a group, and
 *      the space is the product of its groups.
 *   3. each group becomes a diagram of its rows, the product of its constraints'
 *      automata (search_space_product.c), in the order of the file. If this has
 *      too many states, in an order with few estimated states
 *      (at_enumerate_order()).
 *
 * A row is one assignment of a group's parameters; a digit is the index of a value in
 * its parameter's domain. Threads: an enumerator belongs to one call and one thread.
 */
#ifndef AT_SPACE_SEARCH_SPACE_PARTS_H
#define AT_SPACE_SEARCH_SPACE_PARTS_H

#include "base/watch.h"
#include "space/diagram.h"
#include "space/search_space.h"

/* The remaining values of a parameter, as value indices, ascending. */
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
	bool done; /* fully handled by the filter */
};

/* Parameters that constraints tie together, and the rows that they allow. */
struct at_group {
	size_t parameter_count;
	size_t *parameters; /* ascending */
	size_t tie_count;
	struct at_tie **ties; /* in the order of the file */
	uint64_t cartesian; /* the product of the domains; saturated */
};

struct at_enumerator {
	const struct at_spec *spec;
	struct at_value *slots; /* a copy, with parameters bound */
	struct at_value_set *domains;
	struct at_tie *ties; /* one per constraint in use */
	size_t tie_count;
	size_t group_count;
	struct at_group *groups;
	struct at_enumeration *statistics; /* may be NULL */
	/* Limits the work: when it is spent, each part returns AT_EOVERFLOW without a
	   text. */
	struct at_watch watch;
	struct at_error *err;
};

static inline enum at_status at_enumerate_spend(
	struct at_enumerator *self, uint64_t steps)
{
	return at_watch_spend(&self->watch, steps, self->err);
}

/* Makes the enumerator with constraints first .. last - 1 of the spec. */
void at_enumerate_init(struct at_enumerator *self, const struct at_spec *spec,
	const struct at_value *slots, size_t first, size_t last, struct at_error *err);
void at_enumerate_release(struct at_enumerator *self);
/* Parts one and two. *is_empty: a parameter has no value left; there are no groups
   then. */
enum at_status at_enumerate_divide(struct at_enumerator *self, bool *is_empty);

/* Writes positions in group->parameters into order[0..parameter_count), in an order in
   which constraints end early. The group has a constraint. */
enum at_status at_enumerate_order(
	struct at_enumerator *self, const struct at_group *group, size_t *order);

/* Adds `count` to the configurations that the constraint removed, and to its divisions
   by zero if the evaluation was one. */
void at_enumerate_remove(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, uint64_t count);
/*
 * Interprets a constraint that did not hold. AT_OK if it is false or divides by zero,
 * which only removes configurations. Else AT_EINVAL with a text that names the failure
 * and the values.
 */
enum at_status at_enumerate_check(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, int unbound_slot);
/* Fails with the text as the message, truncated to one line, at the constraint's line.
   Releases the text. Returns status. */
enum at_status at_enumerate_fail_at(const struct at_spec *spec, size_t constraint,
	enum at_status status, struct at_strbuf *text, struct at_error *err);

static inline void at_enumerate_bind(
	struct at_enumerator *self, size_t parameter, size_t digit)
{
	self->slots[parameter] =
		self->spec->parameters[parameter]
			.values[self->domains[parameter].indices[digit]];
}

/* ---- the space ------------------------------------------------------------------- */

/* The position of a parameter with more than one value. */
struct at_column {
	size_t parameter;
	size_t group;
	size_t level; /* of the group's diagram */
};

#define AT_NO_COLUMN SIZE_MAX

struct at_search_space {
	struct at_search_parameter *parameters;
	size_t parameter_count;
	uint16_t *constants; /* one per parameter: its value if it has no column */
	size_t *columns_of; /* one per parameter: its column, or AT_NO_COLUMN */
	struct at_column *columns;
	size_t column_count;
	struct at_diagram *groups;
	size_t group_count;
	uint64_t count; /* configurations */
};

/*
 * Makes a group's diagram, whose level i is the group's parameter number order[i];
 * order is filled in. The statistics get what the constraints remove; each row counts
 * for `others` configurations. AT_EOVERFLOW: the group has too many states; err names
 * the constraint that ties most.
 */
enum at_status at_group_diagram(struct at_enumerator *self, struct at_group *group,
	uint64_t others, struct at_diagram *diagram, size_t *order);

#endif
