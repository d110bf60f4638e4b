/*
 * The search space of one problem on one device: the configurations that satisfy every
 * constraint. They are numbered but never listed. Searches see the configurations only
 * through this interface.
 *
 *   at_search_space_new(spec, slots, &space, &statistics, &err);
 *   index = at_search_space_draw(space, &random);
 *   at_search_space_get(space, index, configuration);
 *   at_search_space_neighbours(space, index, AT_NEIGHBOURS_ANY, neighbours);
 *   at_search_space_free(space);
 *
 * A configuration is parameter_count value indices (uint16_t), as in a spec. Its index,
 * 0 <= index < count, is the same in every run and on every machine, while parameters,
 * values, constraints and their inputs are the same. Configurations are in the order of
 * the file, the last parameter fastest. If constraints tie too many parameters to count
 * them in this order, another fixed order replaces it.
 *
 * The cost of making a space depends on what its constraints tie together, not on the
 * number of configurations: at most seconds and some hundred megabytes. A space that
 * takes more is rejected.
 *
 * Threads: constant once made; any number of threads may read it.
 */
#ifndef AT_SPACE_SEARCH_SPACE_H
#define AT_SPACE_SEARCH_SPACE_H

#include "base/random.h"
#include "base/watch.h"
#include "space/enumerate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands for "no configuration" in place of an index. */
#define AT_NO_CONFIGURATION UINT64_MAX

struct at_search_space;

/* A parameter as a search sees it. name and values are the spec's. */
struct at_search_parameter {
	const char *name;
	enum at_type type;
	size_t value_count; /* at least 1 */
	const struct at_value *values;
};

struct at_search_space_options {
	/* Called now and then during construction (base/watch.h). A failure ends the
	   construction. NULL: not called. */
	enum at_status (*poll)(void *context, struct at_error *err);
	void *context;
};

/*
 * Makes the space. slots: sizes and properties bound by at_spec_bind(). The spec is
 * borrowed until at_search_space_free(). statistics may be NULL; else the caller
 * releases it. An empty space is valid: its count is 0; see
 * at_enumeration_explain_empty(). AT_EINVAL: for a configuration that the earlier
 * constraints let through, a constraint overflows, has a type error or uses a property
 * that the device lacks; the text names the constraint and, if known, the
 * configuration. AT_EOVERFLOW: the number of configurations does not fit 64 bits, there
 * are more than 1024 parameters, or constraints tie too many values together to count
 * them; the text names a constraint. Also the status of poll().
 */
enum at_status at_search_space_new_with(const struct at_spec *spec,
	const struct at_value *slots, const struct at_search_space_options *options,
	struct at_search_space **out, struct at_enumeration *statistics,
	struct at_error *err);
/* Without options. */
enum at_status at_search_space_new(const struct at_spec *spec,
	const struct at_value *slots, struct at_search_space **out,
	struct at_enumeration *statistics, struct at_error *err);
/*
 * A space of exactly these rows, in any order; for recordings with unknown constraints.
 * A row is parameter_count value indices. AT_EINVAL: a row is duplicated or has an
 * index without a value. Parameters and rows are copied; names and words are borrowed.
 */
enum at_status at_search_space_from_rows(const struct at_search_parameter *parameters,
	size_t parameter_count, const uint16_t *rows, size_t count,
	struct at_search_space **out, struct at_error *err);
/*
 * Part `index` of `count` parts of a space; a part is itself a space. The parts
 * partition the space, and their sizes differ by at most one; if there are more parts
 * than configurations some are empty. The division depends only on the whole. A part is
 * a range of the configurations, in an order in which tied parameters are adjacent. So
 * it has few values of the first parameters and all values of the others, and keeps
 * neighbouring configurations together. The whole may be freed before the part.
 */
enum at_status at_search_space_part(const struct at_search_space *whole, uint64_t index,
	uint64_t count, struct at_search_space **out, struct at_error *err);
void at_search_space_free(struct at_search_space *self);

/* The parameters of the space, in the order of the file; borrowed. */
size_t at_search_space_parameter_count(const struct at_search_space *self);
const struct at_search_parameter *at_search_space_parameter(
	const struct at_search_space *self, size_t parameter);
/* The number of configurations; below UINT64_MAX. */
uint64_t at_search_space_count(const struct at_search_space *self);

/* Writes the configuration of this index; configuration has room for parameter_count
   values. */
void at_search_space_get(
	const struct at_search_space *self, uint64_t index, uint16_t *configuration);
/* The index of a configuration; AT_NO_CONFIGURATION if it is not in the space. */
uint64_t at_search_space_find(
	const struct at_search_space *self, const uint16_t *configuration);
/* A uniformly random index. The space must not be empty. */
uint64_t at_search_space_draw(
	const struct at_search_space *self, struct at_random *random);

/* Configurations of the space that differ from a given one in exactly one parameter. */
enum at_neighbours {
	/* Only the nearest valid value below and above, in the order of the list; words
	   and booleans are unordered, so any of their values. */
	AT_NEIGHBOURS_ADJACENT,
	AT_NEIGHBOURS_ANY,
};

/* The most neighbours of any configuration. */
size_t at_search_space_neighbours_max(const struct at_search_space *self);
/* Writes the indices of the neighbours, by parameter and then by value, and returns
   their number. neighbours has room for at_search_space_neighbours_max(). */
size_t at_search_space_neighbours(const struct at_search_space *self, uint64_t index,
	enum at_neighbours kind, uint64_t *neighbours);

/*
 * The configuration of the space nearest to this one, which need not be in the space.
 * The distance is a sum over the parameters: the number of places that the value moves
 * in its list, divided by the list's length minus one; for words 1 if they differ. Ties
 * are broken deterministically. The search ends after some tenths of a millisecond and
 * then returns the nearest so far, which matters for long lists under one constraint.
 * The space must not be empty.
 */
uint64_t at_search_space_nearest(
	const struct at_search_space *self, const uint16_t *configuration);

#endif
