/* Which sizes that are equal may become different (derived_parts.h). */
#include "evaluator/derived_parts.h"

#include <ctype.h>
#include <string.h>

/* How much of two names is alike at their beginnings, or at their ends. */
static size_t alike(const char *one, const char *other, size_t most, bool at_end)
{
	const size_t lengths[] = { strlen(one), strlen(other) };
	size_t length = 0;

	while (length < most &&
		(at_end ? one[lengths[0] - 1 - length] == other[lengths[1] - 1 - length]
			: one[length] == other[length]))
		length++;
	return length;
}

/* Whether names are those of one thing along two axes: STRIDE_H and STRIDE_W, R1 and
   R2, HPAD and WPAD. */
static bool are_of_axes(const char *one, const char *other)
{
	const size_t length = strlen(one);

	return length > 1 && length == strlen(other) &&
	       alike(one, other, length, false) + alike(one, other, length, true) + 1 ==
		       length;
}

/* Whether a name has the word at that place, in whatever case. */
static bool has_word(const char *name, const char *word)
{
	while (*word && toupper((unsigned char)*name) == *word) {
		name++;
		word++;
	}
	return !*word;
}

/* Whether names are those of one thing at two sides: PAD_LEFT and PAD_TOP. */
static bool are_of_sides(const char *one, const char *other)
{
	static const char *const sides[] = { "LEFT", "RIGHT", "TOP", "BOTTOM", "FRONT",
		"BACK", "BEFORE", "AFTER" };
	const size_t begin = alike(one, other, strlen(one), false);

	for (size_t i = 0; i < AT_COUNT_OF(sides); i++)
		for (size_t j = 0; j < AT_COUNT_OF(sides); j++)
			/* BEFORE and BOTTOM begin alike */
			for (size_t at = 0; at <= begin; at++)
				if (i != j && has_word(one + at, sides[i]) &&
					has_word(other + at, sides[j]) &&
					!strcmp(one + at + strlen(sides[i]),
						other + at + strlen(sides[j])))
					return true;
	return false;
}

bool derived_may_part(const struct derivation *self, size_t one, size_t other)
{
	const struct at_spec *spec = self->spec;
	const struct at_size *sizes = self->tuned->sizes;

	if (are_of_axes(sizes[one].name, sizes[other].name) ||
		are_of_sides(sizes[one].name, sizes[other].name))
		return true;
	for (size_t i = 0; i < spec->argument_count; i++)
		if (derived_uses(self, spec->arguments[i].count, one) &&
			derived_uses(self, spec->arguments[i].count, other))
			return false;
	for (size_t i = 0; i < spec->launch.grid_rank; i++)
		if (derived_uses(self, spec->launch.grid[i], one) &&
			derived_uses(self, spec->launch.grid[i], other))
			return false;
	return true;
}
