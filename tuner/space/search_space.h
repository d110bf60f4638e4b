/*
 * The search space of one problem on one device: the configurations that satisfy
 * every constraint, numbered, without a list of them. Whoever searches sees the
 * configurations through this alone.
 *
 *   at_search_space_new(spec, slots, &space, &statistics, &err);
 *   index = at_search_space_draw(space, &random);
 *   at_search_space_get(space, index, configuration);
 *   at_search_space_neighbours(space, index, AT_NEIGHBOURS_ANY, neighbours);
 *   at_search_space_free(space);
 *
 * A configuration is parameter_count value indices (uint16_t), as in a spec. Its index,
 * 0 <= index < count, is the same in every run, on every machine, as long as
 * parameters, values, constraints and what they depend on are the same. Configurations
 * are in the order of the file, the last parameter fastest, unless constraints tie so
 * many parameters that they could only be counted in another order, which is fixed too.
 *
 * Making a space takes time and memory by what its constraints tie together, not by how
 * many configurations there are; seconds, and some hundred megabytes, at most. Where
 * that does not suffice, only some values of the parameters that are tied together can
 * be searched, always the same: see at_enumeration.is_uncounted.
 *
 * Threads: constant after it was made; any number of threads may read it.
 */
#ifndef AT_SPACE_SEARCH_SPACE_H
#define AT_SPACE_SEARCH_SPACE_H

#include "base/random.h"
#include "base/watch.h"
#include "space/enumerate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_NO_CONFIGURATION UINT64_MAX

struct at_search_space; /* opaque */

/* What a search may know of a parameter. Borrowed from the spec. */
struct at_search_parameter {
	const char *name;
	enum at_type type;
	size_t value_count; /* at least 1 */
	const struct at_value *values;
};

struct at_search_space_options {
	/* see base/watch.h: asked while it is made; AT_EOVERFLOW, which it returns
	   once: what is not counted by then is not counted */
	enum at_status (*look)(void *context, double done, struct at_error *err);
	void *context;
	/* what cannot be kept is counted all the same, however long it takes */
	bool counts_all;
};

/*
 * slots: sizes and properties bound by at_spec_bind(). The spec is borrowed until
 * at_search_space_free(). statistics may be NULL; else it is released by the caller. An
 * empty space is no error here: its count is 0; see at_enumeration_explain_empty().
 * AT_EINVAL: a constraint that some configuration comes to overflows, has a type error
 * or uses a property that the device lacks; the text names constraint and, where one is
 * known, configuration. AT_EOVERFLOW: 64 bits do not count the configurations, there
 * are more than 1024 parameters, or constraints tie so many values that it is not
 * counted and of some of them none is valid. And what look() returned.
 */
enum at_status at_search_space_new_with(const struct at_spec *spec,
	const struct at_value *slots, const struct at_search_space_options *options,
	struct at_search_space **out, struct at_enumeration *statistics,
	struct at_error *err);
/* The same without options. */
enum at_status at_search_space_new(const struct at_spec *spec,
	const struct at_value *slots, struct at_search_space **out,
	struct at_enumeration *statistics, struct at_error *err);
/*
 * Of exactly these rows, in any order, none twice (AT_EINVAL): what was recorded of a
 * space whose constraints are not known. Parameters and rows are copied; names and
 * words are borrowed.
 */
enum at_status at_search_space_from_rows(const struct at_search_parameter *parameters,
	size_t parameter_count, const uint16_t *rows, size_t count,
	struct at_search_space **out, struct at_error *err);
/*
 * Part `index` of `count` of a space, a space itself: together they have every
 * configuration once, and their sizes differ by at most one. Where there are more parts
 * than configurations some are empty. Which it has follows from the whole alone. A part
 * is a range of the configurations, in an order in which parameters that constraints
 * tie together stay together: it has few values of the first parameters and all of the
 * others, so that steps from one configuration to the next stay possible in it. The
 * whole may be freed before it.
 */
enum at_status at_search_space_part(const struct at_search_space *whole, uint64_t index,
	uint64_t count, struct at_search_space **out, struct at_error *err);
void at_search_space_free(struct at_search_space *self);

size_t at_search_space_parameter_count(const struct at_search_space *self);
const struct at_search_parameter *at_search_space_parameter(
	const struct at_search_space *self, size_t parameter);
/* How many configurations there are; below UINT64_MAX. */
uint64_t at_search_space_count(const struct at_search_space *self);

void at_search_space_get(
	const struct at_search_space *self, uint64_t index, uint16_t *configuration);
/* AT_NO_CONFIGURATION where it is not in the space. */
uint64_t at_search_space_find(
	const struct at_search_space *self, const uint16_t *configuration);
/* Each with the same probability. The space must not be empty. */
uint64_t at_search_space_draw(
	const struct at_search_space *self, struct at_random *random);

/* One parameter has another value, and the result is in the space. */
enum at_neighbours {
	/* the nearest valid value below and above in the order of the list; of words
	   and booleans, which have no order, any */
	AT_NEIGHBOURS_ADJACENT,
	AT_NEIGHBOURS_ANY,
};

/* The most that at_search_space_neighbours() can find of one configuration. */
size_t at_search_space_neighbours_max(const struct at_search_space *self);
/*
 * Writes their indices, by parameter and then by value, and returns how many.
 * neighbours has room for at_search_space_neighbours_max().
 */
size_t at_search_space_neighbours(const struct at_search_space *self, uint64_t index,
	enum at_neighbours kind, uint64_t *neighbours);

/*
 * The configuration of the space that is nearest to this one, which need not be in it.
 * The distance is the sum over parameters of how many places the value is moved in its
 * list, over the length of the list less one; of words 1 where they differ. Of several
 * equally near ones always the same. The search for it ends after some tenths of a
 * millisecond: then, which long lists under one constraint can come to, it is the
 * nearest that was seen. The space must not be empty.
 */
uint64_t at_search_space_nearest(
	const struct at_search_space *self, const uint16_t *configuration);

#endif
