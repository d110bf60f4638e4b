/* Makes the tuned problem smaller as a whole, for where none of its sizes varies
   (derived.h). */
#include "evaluator/derived_parts.h"

#include <string.h>

/*
 * A problem is made smaller until no buffer has more elements than the first figure,
 * but no size goes below the second. It is what the host and sanitizers run, which take
 * a thousand times as long as the device.
 */
#define MOST_ELEMENTS_SCALED (INT64_C(1) << 16)
#define FEWEST_SCALED 64
/* what is not larger is seldom an extent that could as well be a part of it, but the
   length of a filter, a number of channels or heads */
#define LARGE 256

/* Whether the tuned kernel can know the size: an argument uses it in whatever way, or
   an option does. Otherwise it may stand in the template as a number. */
static bool is_known(const struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->kernel_argument_count; i++)
		if (derived_uses(self, spec->arguments[spec->kernel_arguments[i]].value,
			    size))
			return true;
	return derived_is_in_options(self, size);
}

/* Whether the size scales: a large extent of a buffer or of the grid. */
static bool scales(const struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;
	const struct at_size *tuned = &self->tuned->sizes[size];
	bool is_extent = false;

	if (tuned->expression || tuned->value.type != AT_TYPE_INTEGER ||
		tuned->value.integer <= LARGE || !is_known(self, size))
		return false;
	for (size_t i = 0; i < spec->argument_count && !is_extent; i++)
		is_extent = spec->arguments[i].access != AT_ACCESS_SCRATCH &&
			    derived_uses(self, spec->arguments[i].count, size);
	for (size_t i = 0; i < spec->launch.grid_rank && !is_extent; i++)
		is_extent = derived_uses(self, spec->launch.grid[i], size);
	return is_extent;
}

/* Sets self->values to the tuned sizes, those that scale divided. False: one of them
   cannot be divided, or one that follows from it cannot be computed. */
static bool divide_sizes(struct derivation *self, int64_t divisor)
{
	const struct at_problem *tuned = self->tuned;

	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];

		if (!derived_keep_size(self, i))
			return false;
		if (!scales(self, i))
			continue;
		if (size->value.integer % divisor != 0 ||
			size->value.integer / divisor < FEWEST_SCALED)
			return false;
		self->values[i].integer = size->value.integer / divisor;
	}
	return true;
}

enum at_status derived_make_scaled(struct derivation *self, struct at_problem *out,
	bool *is_made, struct at_error *err)
{
	enum at_status status = AT_OK;
	int64_t elements, divisor = 1;

	*is_made = false;
	for (size_t i = 0; i < self->spec->argument_count; i++)
		/* a file has a fixed number of elements */
		if (self->spec->arguments[i].fill.kind == AT_FILL_FILE)
			return AT_OK;
	do {
		struct at_problem problem;

		if (!divide_sizes(self, divisor))
			break;
		status = derived_make_problem(self, &problem, err);
		elements = status ? 0 : derived_count_elements(self, &problem);
		if (elements <= 0 || problem.size_count == 0) {
			derived_release_problem(&problem);
			/* not divided yet */
			if (divisor > 1)
				break;
		} else {
			if (*is_made)
				derived_release_problem(out);
			*out = problem;
			*is_made = true;
		}
		divisor *= 2;
	} while (!status && elements > MOST_ELEMENTS_SCALED);
	return status;
}

/* How often a value counts in products of three. */
#define IN_A_PRODUCT 3
/* the most values whose products are looked at; configurations have few large ones */
#define VALUES_MOST 64

bool at_derived_suits(const struct at_spec *spec, const struct at_problem *scaled,
	const struct at_problem *tuned, const uint16_t *configuration)
{
	int64_t values[VALUES_MOST];
	size_t count = 0;

	for (size_t i = 0; i < spec->parameter_count && count < VALUES_MOST; i++) {
		const struct at_value *value =
			&spec->parameters[i].values[configuration[i]];
		size_t same = 0;

		if (value->type != AT_TYPE_INTEGER || value->integer < 2 ||
			value->integer > INT32_MAX)
			continue;
		for (size_t k = 0; k < count; k++)
			same += values[k] == value->integer;
		if (same < IN_A_PRODUCT)
			values[count++] = value->integer;
	}
	for (size_t size = 0; size < scaled->size_count; size++) {
		int64_t part = scaled->sizes[size].value.integer, whole = 0;

		for (size_t i = 0; i < tuned->size_count; i++)
			if (!strcmp(tuned->sizes[i].name, scaled->sizes[size].name))
				whole = tuned->sizes[i].value.integer;
		for (size_t a = 0; a < count; a++) {
			if (whole % values[a] == 0 && part % values[a] != 0)
				return false;
			for (size_t b = 0; b < a; b++) {
				int64_t two = values[a] * values[b];

				if (two > whole || whole % two != 0)
					continue;
				if (part % two != 0)
					return false;
				for (size_t c = 0; c < b; c++)
					if (values[c] <= whole / two &&
						whole % (two * values[c]) == 0 &&
						part % (two * values[c]) != 0)
						return false;
			}
		}
	}
	return true;
}
