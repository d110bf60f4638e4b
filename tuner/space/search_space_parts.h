/*
 * The parts of a search space. Private to search_space*.c.
 *
 * A space is the product of its groups (space/enumerate_parts.h), and each group is a
 * diagram (space/diagram.h) with a level for each of its parameters. The diagram is the
 * product of automata, one a constraint (space/automaton.h), whose states are what is
 * left of the constraint when some parameters have a value
 * (space/expression_residual.h). The configurations are numbered as if they were listed
 * by columns. Every parameter with more than one value has a column; the last column
 * changes fastest.
 */
#ifndef AT_SPACE_SEARCH_SPACE_PARTS_H
#define AT_SPACE_SEARCH_SPACE_PARTS_H

#include "space/diagram.h"
#include "space/enumerate_parts.h"
#include "space/search_space.h"

/* Where the value of a parameter with a choice is found. */
struct at_column {
	size_t parameter;
	size_t group;
	size_t level; /* of the group's diagram */
};

#define AT_NO_COLUMN SIZE_MAX

/* The space; see the top of this file for how its parts fit together. */
struct at_search_space {
	struct at_search_parameter *parameters;
	size_t parameter_count;
	uint16_t *constants; /* one a parameter: its value where it has no column */
	size_t *columns_of; /* one a parameter: its column, or AT_NO_COLUMN */
	struct at_column *columns;
	size_t column_count;
	struct at_diagram *groups;
	size_t group_count; /* configurations */
	uint64_t count;
};

/*
 * search_space_new.c: a space without configurations. The caller fills in the
 * parameters. AT_EOVERFLOW: more than AT_DIAGRAM_LEVELS_MAX parameters.
 */
enum at_status at_search_space_allocate(size_t parameter_count, size_t group_count,
	struct at_search_space **out, struct at_error *err);
/* Appends a column, for a parameter at a level of a group's diagram. */
void at_search_space_add_column(
	struct at_search_space *self, size_t parameter, size_t group, size_t level);

/*
 * search_space_product.c: makes a group's diagram, whose level i is the group's
 * parameter number order[i]; order is filled in. The statistics get what the
 * constraints remove; each row counts for `others` configurations. AT_EOVERFLOW: the
 * group has too many states; err gets a text that names the constraint that ties most.
 */
enum at_status at_group_diagram(struct at_enumerator *self, struct at_group *group,
	uint64_t others, struct at_diagram *diagram, size_t *order);

#endif
