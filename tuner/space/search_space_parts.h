/*
 * The parts of a search space. Private to search_space*.c.
 *
 * A space is the product of its groups (space/enumerate_parts.h), and each group is a
 * diagram (space/diagram.h) whose levels are its parameters. The diagram is the product
 * of automata, one a constraint (space/automaton.h), whose states are what is left of
 * the constraint when some parameters have a value (space/expression_residual.h). The
 * configurations are numbered as if they were listed by the columns: every parameter
 * that has a choice, the last one fastest.
 */
#ifndef AT_SPACE_SEARCH_SPACE_PARTS_H
#define AT_SPACE_SEARCH_SPACE_PARTS_H

#include "space/diagram.h"
#include "space/enumerate_parts.h"
#include "space/search_space.h"

struct at_column {
	size_t parameter;
	size_t group;
	size_t level; /* of the group's diagram */
};

#define AT_NO_COLUMN SIZE_MAX

struct at_search_space {
	struct at_search_parameter *parameters;
	size_t parameter_count;
	uint16_t *constants; /* a parameter each: its value where it has no column */
	size_t *columns_of; /* a parameter each; AT_NO_COLUMN */
	struct at_column *columns;
	size_t column_count;
	struct at_diagram *groups;
	size_t group_count;
	uint64_t count;
};

/*
 * search_space_new.c: without any configuration; parameters are filled in by the
 * caller.
 */
enum at_status at_search_space_allocate(size_t parameter_count, size_t group_count,
	struct at_search_space **out, struct at_error *err);
void at_search_space_add_column(
	struct at_search_space *self, size_t parameter, size_t group, size_t level);

/*
 * search_space_group.c: a group of a space as a diagram whose level i is the group's
 * parameter number order[i]. What the constraints remove is told to the statistics,
 * each row for `others` configurations.
 */
enum at_status at_group_diagram(struct at_enumerator *self, struct at_group *group,
	uint64_t others, struct at_diagram *diagram, size_t *order);

/*
 * search_space_product.c: the same by states, and by nothing else. AT_EOVERFLOW,
 * without a text: there are too many in this order.
 */
enum at_status at_group_multiply(struct at_enumerator *enumerator,
	struct at_group *group, const size_t *order, uint64_t others,
	struct at_diagram *diagram);

/*
 * search_space_rows.c: a diagram of rows, ascending, none twice. value() is what a row
 * has on a level. watch: NULL, or who looks on.
 */
enum at_status at_rows_diagram(const void *rows, size_t count, size_t level_count,
	uint16_t (*value)(const void *rows, size_t row, size_t level),
	struct at_diagram *diagram, struct at_watch *watch, struct at_error *err);

/*
 * search_space_thin.c: of a group that cannot be listed. at_group_estimate() draws
 * configurations and tells how many rows there may be. at_group_thin() leaves so few
 * values of its parameters that all can be gone through: the default one, the ends,
 * round numbers and some others, always the same; *is_thinned: not all of them.
 */
enum at_status at_group_estimate(struct at_enumerator *self, struct at_group *group);
enum at_status at_group_thin(
	struct at_enumerator *self, struct at_group *group, bool *is_thinned);

#endif
