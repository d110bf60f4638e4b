/* Makes a diagram of rows that are listed. */
#include "space/search_space_parts.h"

#include "base/memory.h"

#include <stdlib.h>

struct level {
	size_t row; /* the first one that is in no child yet */
	size_t end; /* of the rows that agree on all levels above */
	struct at_diagram_edge *edges;
	size_t edge_count;
	size_t edge_capacity;
};

/*
 * Depth first, without recursion. A node is added after all its children, so that at
 * any time one node a level is unfinished.
 */
enum at_status at_rows_diagram(const void *rows, size_t count, size_t level_count,
	uint16_t (*value)(const void *rows, size_t row, size_t level),
	struct at_diagram *diagram, struct at_watch *watch, struct at_error *err)
{
	struct at_diagram_builder builder = { 0 };
	struct level *levels = calloc(level_count + 1, sizeof(*levels));
	uint32_t node = AT_DIAGRAM_NONE;
	size_t depth = 0;
	enum at_status status;

	if (!levels)
		return at_fail_memory(err);
	status = at_diagram_begin(&builder, diagram, level_count, err);
	levels[0].end = count;
	if (level_count == 0)
		node = count ? AT_DIAGRAM_END : AT_DIAGRAM_NONE;
	while (!status && level_count) {
		struct level *level = &levels[depth];
		struct at_diagram_edge *edge;
		size_t run = level->row;

		status = watch ? at_watch_spend(watch, 8, err) : AT_OK;
		if (status)
			break;
		if (run == level->end) {
			status = at_diagram_add(
				&builder, level->edges, level->edge_count, &node, err);
			if (status || depth == 0)
				break;
			level--;
			depth--;
			level->edges[level->edge_count - 1].child = node;
			continue;
		}
		status = AT_RESERVE(
			level->edges, level->edge_capacity, level->edge_count + 1, err);
		if (status)
			break;
		edge = &level->edges[level->edge_count++];
		*edge = (struct at_diagram_edge){ .child = AT_DIAGRAM_END,
			.value = value(rows, run, depth) };
		while (level->row < level->end &&
			value(rows, level->row, depth) == edge->value)
			level->row++;
		status = watch ? at_watch_spend(watch, level->row - run, err) : AT_OK;
		if (status)
			break;
		if (depth + 1 == level_count)
			continue;
		levels[++depth].row = run;
		levels[depth].end = level->row;
		levels[depth].edge_count = 0;
	}
	at_diagram_end(&builder, status ? AT_DIAGRAM_NONE : node);
	for (size_t i = 0; i < level_count; i++)
		free(levels[i].edges);
	free(levels);
	return status;
}
