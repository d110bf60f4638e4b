/*
 * A warning about a grid that counts threads: `grid = ( "N" )` beside a block of 256
 * threads launches 256 N of them. It happens to those who come from OpenCL or from
 * tools whose global size is one of threads.
 */
#include "space/spec_load.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/*
 * So many threads for each element of all buffers together are no kernel's need: a
 * block of 32 threads for each element of an input and an output makes 16. A block for
 * each row, or a warp for each row of a sparse matrix, has as many elements as threads
 * or nearly so.
 */
#define THREADS_AN_ELEMENT 16

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

/* The first dimension of the grid that is a size and nothing else. */
static const struct at_expression *find_bare_size(const struct at_spec *spec)
{
	for (size_t i = 0; i < spec->launch.grid_rank; i++)
		for (size_t s = 0; s < spec->size_count; s++)
			if (!strcmp(at_expression_text(spec->launch.grid[i]),
				    spec->size_names[s]))
				return spec->launch.grid[i];
	return NULL;
}

enum at_status at_spec_look_at_launch(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	const struct at_launch *launch = &spec->launch;
	const struct at_expression *bare = find_bare_size(spec);
	struct at_value *slots;
	enum at_status status = AT_OK;

	if (!bare || !spec->has_defaults || !spec->problem_count)
		return AT_OK;
	slots = calloc(spec->slot_count + 1, sizeof(*slots));
	if (!slots)
		return at_fail_memory(loader->err);
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	double blocks = product(spec, launch->grid, launch->grid_rank, slots);
	double threads = product(spec, launch->block, launch->block_rank, slots);
	double elements = count_elements(spec, slots);

	if (elements > 0 && blocks * threads >= THREADS_AN_ELEMENT * elements)
		status = at_spec_remark(loader, at_expression_line(bare),
			"launch.grid \"%.80s\" counts blocks, not threads: with the defaults these are %.0f blocks of %.0f threads, for %.0f elements of all buffers; write \"ceil_div(%.80s, BLOCK)\", with what a block does, unless each has a block of its own",
			at_expression_text(bare), blocks, threads, elements,
			at_expression_text(bare));
	free(slots);
	return status;
}
