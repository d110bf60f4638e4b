/*
 * Warnings about grids that are far too large. One counts threads: `grid = ( "N" )`
 * beside a block of 256 threads launches 256 N of them. It happens to those who come
 * from OpenCL or from tools whose global size is one of threads. Another has more
 * blocks than there is anything to be done, as "N * BLOCK": most of them do nothing,
 * and that is what would be timed.
 */
#include "space/spec_load.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * So many threads for each element of all buffers together are no kernel's need: a
 * block of 32 threads for each element of an input and an output makes 16. A block for
 * each row, or a warp for each row of a sparse matrix, has as many elements as threads
 * or nearly so.
 */
#define THREADS_AN_ELEMENT 16
/*
 * More blocks than this for each element of all buffers, and for each point of all
 * sizes together, have nothing to do. Of the spaces here and of tests/spaces none has
 * more than 1.02 threads.
 */
#define BLOCKS_A_POINT 1.5

/* The product of the dimensions; 0: not known without a device, or out of range. */
static double product(const struct at_spec *spec,
	struct at_expression *const *dimensions, size_t rank,
	const struct at_value *slots)
{
	double out = 1;

	for (size_t i = 0; i < rank; i++) {
		int64_t extent;

		if (at_spec_integer(spec, dimensions[i], slots, "launch", 0, 1,
			    INT32_MAX, &extent, NULL))
			return 0;
		out *= (double)extent;
	}
	return out;
}

/* How many elements all buffers have; 0: not known. */
static double count_elements(const struct at_spec *spec, const struct at_value *slots)
{
	double out = 0;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		int64_t count;

		if (!argument->count)
			continue;
		if (at_spec_integer(spec, argument->count, slots, "count", 0, 1,
			    INT64_MAX, &count, NULL))
			return 0;
		out += (double)count * argument->lanes;
	}
	return out;
}

/* The product of all sizes, and in *is_named whether the grid names one of them. */
static double count_points(
	const struct at_spec *spec, const struct at_problem *problem, bool *is_named)
{
	double out = 1;

	*is_named = false;
	for (size_t i = 0; i < problem->size_count; i++)
		if (problem->sizes[i].value.type == AT_TYPE_INTEGER &&
			problem->sizes[i].value.integer > 1)
			out *= (double)problem->sizes[i].value.integer;
	for (size_t i = 0; i < spec->launch.grid_rank; i++) {
		size_t count;
		const int *used = at_expression_slots(spec->launch.grid[i], &count);

		for (size_t k = 0; k < count; k++)
			*is_named |= (size_t)used[k] >= spec->parameter_count &&
				     (size_t)used[k] <
					     spec->parameter_count + spec->size_count;
	}
	return out;
}

/* The first dimension of the grid that is a size and nothing else; grid_rank: none. */
static size_t find_bare_size(const struct at_spec *spec)
{
	size_t i, s;

	for (i = 0; i < spec->launch.grid_rank; i++)
		for (s = 0; s < spec->size_count; s++)
			if (!strcmp(at_expression_text(spec->launch.grid[i]),
				    spec->size_names[s]))
				return i;
	return i;
}

/*
 * Writes the threads of a block along a dimension of the grid, in the words of the
 * space: those of the block's dimension, or of all where it has one thread along this.
 */
static void write_threads(const struct at_spec *spec, size_t dimension,
	const struct at_value *slots, struct at_strbuf *out)
{
	const struct at_launch *launch = &spec->launch;
	const char *between = "";

	if (dimension < launch->block_rank &&
		product(spec, &launch->block[dimension], 1, slots) > 1) {
		at_strbuf_add(out, at_expression_text(launch->block[dimension]));
		return;
	}
	for (size_t i = 0; i < launch->block_rank; i++) {
		const char *text = at_expression_text(launch->block[i]);
		bool is_sum = text[strcspn(text, " ")] && launch->block_rank > 1;

		if (product(spec, &launch->block[i], 1, slots) == 1)
			continue;
		at_strbuf_addf(out, is_sum ? "%s(%s)" : "%s%s", between, text);
		between = " * ";
	}
}

enum at_status at_spec_look_at_launch(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	const struct at_launch *launch = &spec->launch;
	const size_t bare = find_bare_size(spec);
	struct at_strbuf along = { 0 };
	struct at_value *slots;
	enum at_status status = AT_OK;

	if (!spec->has_defaults || !spec->problem_count)
		return AT_OK;
	slots = calloc(spec->slot_count + 1, sizeof(*slots));
	if (!slots)
		return at_fail_memory(loader->err);
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	double blocks = product(spec, launch->grid, launch->grid_rank, slots);
	double threads = product(spec, launch->block, launch->block_rank, slots);
	double elements = count_elements(spec, slots);
	bool is_named;
	double points = count_points(spec, &spec->problems[0], &is_named);

	if (bare < launch->grid_rank && elements > 0 &&
		blocks * threads >= THREADS_AN_ELEMENT * elements) {
		const char *size = at_expression_text(launch->grid[bare]);

		write_threads(spec, bare, slots, &along);
		status = at_spec_remark(loader, at_expression_line(launch->grid[bare]),
			"launch.grid \"%.80s\" counts blocks, not threads: with the defaults these are %.0f blocks of %.0f threads, for %.0f elements of all buffers; write \"ceil_div(%.80s, %.80s)\", with what a block does, unless each has a block of its own",
			size, blocks, threads, elements, size, at_strbuf_text(&along));
	} else if (is_named && elements > 0 &&
		   blocks > BLOCKS_A_POINT * fmax(elements, points)) {
		status = at_spec_remark(loader, launch->line,
			"launch.grid: with the defaults these are %.0f blocks of %.0f threads, more blocks than all buffers have elements (%.0f) and all sizes multiplied (%.0f): a grid counts blocks, so divide, with ceil_div(), by what a block does",
			blocks, threads, elements, points);
	}
	at_strbuf_release(&along);
	free(slots);
	return status;
}
