/*
 * The order in which a product of automata reads a group's parameters, where the order
 * of the file has too many states. A state has to remember every constraint that has
 * begun and not ended, so this order ends constraints as early as possible: it assigns
 * the parameters of one constraint after the other, each time of the constraint whose
 * missing parameters have the fewest combinations of values.
 */
#include "space/enumerate_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The logarithm of the number of combinations that the tie's missing parameters
   have; INFINITY where none is missing. */
static double missing_combinations(const struct at_enumerator *self,
	const struct at_tie *tie, const bool *assigned)
{
	double sum = INFINITY;

	for (size_t i = 0; i < tie->parameter_count; i++) {
		size_t parameter = tie->parameters[i];

		if (!assigned[parameter])
			sum = (isinf(sum) ? 0 : sum) +
			      log((double)self->domains[parameter].count);
	}
	return sum;
}

enum at_status at_enumerate_order(
	struct at_enumerator *self, const struct at_group *group, size_t *order)
{
	bool *assigned = at_calloc(self->spec->parameter_count, sizeof(*assigned));
	enum at_status status = AT_OK;
	size_t placed = 0;

	while (placed < group->parameter_count && !status) {
		const struct at_tie *best = group->ties[0];
		double least = INFINITY;

		for (size_t i = 0; i < group->tie_count && !status; i++) {
			const struct at_tie *tie = group->ties[i];
			double missing = missing_combinations(self, tie, assigned);

			status = at_enumerate_spend(self, tie->parameter_count);
			if (missing < least) {
				least = missing;
				best = tie;
			}
		}
		for (size_t i = 0; i < group->parameter_count; i++) {
			size_t parameter = group->parameters[i];
			bool is_next = false;

			for (size_t j = 0; j < best->parameter_count; j++)
				is_next |= best->parameters[j] == parameter;
			if (!is_next || assigned[parameter])
				continue;
			assigned[parameter] = true;
			order[placed++] = i;
		}
	}
	free(assigned);
	return status;
}
