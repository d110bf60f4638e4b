/* Which inputs of a setup belong together: see data_relation.h. */
#include "measure/data_relation.h"
#include "measure/data_range.h"

bool data_is_drawn(const struct at_measure_argument *facts)
{
	return facts->fill == AT_FILL_UNIFORM || facts->fill == AT_FILL_NORMAL ||
	       facts->fill == AT_FILL_INDEX;
}

/* Whether two inputs hold integers drawn by the same fill: kernels may compare or match
   them with each other, as texts, keys or colours. */
static bool are_alike(const struct at_measure_setup *setup, size_t one, size_t other)
{
	const struct at_measure_argument *a = &setup->arguments[one];
	const struct at_measure_argument *b = &setup->arguments[other];

	return a->fill == b->fill && a->fill_a == b->fill_a && a->fill_b == b->fill_b &&
	       a->element == b->element && !data_is_real(a) && data_is_drawn(a) &&
	       !a->is_fixed && !b->is_fixed &&
	       at_data_access(setup, one) == AT_ACCESS_IN &&
	       at_data_access(setup, other) == AT_ACCESS_IN;
}

size_t data_count_alike(const struct at_measure_setup *setup, size_t argument,
	size_t *first, size_t *ahead)
{
	size_t all = 0;

	*first = argument;
	*ahead = 0;
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		if (!are_alike(setup, argument, i))
			continue;
		if (i < *first)
			*first = i;
		*ahead += i < argument;
		all++;
	}
	return all;
}

/* Whether kernels may compare the numbers of an input with a scalar, as with a
   threshold, which numbers that are drawn from a wide range hardly ever equal. Not
   reals: whether x / t or x * (1 / t) is below 1 where x is t, rounding decides. */
static bool may_be_compared(const struct at_measure_argument *facts,
	const struct at_measure_argument *scalar)
{
	return scalar->lanes == 1 &&
	       at_element_kind(scalar->element) != AT_ELEMENT_KIND_NONE &&
	       !data_is_real(facts) && !data_is_real(scalar);
}

/*
 * Whether kernels may look for the numbers of an input among those of `other`: what is
 * drawn at random from a wide range hardly ever equals any of them, and then nobody
 * sees who takes "less or equal" for "less". Reals only from a sequence that has uneven
 * steps here. If it is fixed, its numbers may be computed instead of looked up, and
 * rounding would decide on which side of each of them equal numbers fall. Not in fields
 * of structures.
 */
bool data_may_be_looked_up(
	const struct at_measure_setup *setup, size_t argument, size_t other)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	const struct at_measure_argument *source = &setup->arguments[other];

	if (other == argument || facts->owner || source->owner ||
		!data_is_drawn(facts) ||
		at_data_access(setup, argument) != AT_ACCESS_IN)
		return false;
	if (at_data_access(setup, other) == AT_ACCESS_NONE)
		return may_be_compared(facts, source);
	if (at_data_access(setup, other) != AT_ACCESS_IN ||
		setup->bindings[other].count == 0)
		return false;
	if (data_is_real(facts))
		return source->element == facts->element && !source->is_fixed &&
		       source->fill == AT_FILL_SEQUENCE;
	if (data_is_real(source) || are_alike(setup, argument, other))
		return false;
	/* of two that are drawn one is drawn first */
	return source->fill == AT_FILL_SEQUENCE ||
	       (data_is_drawn(source) && other < argument);
}

bool data_has_source(const struct at_measure_setup *setup, size_t argument)
{
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (data_may_be_looked_up(setup, argument, i))
			return true;
	return false;
}
