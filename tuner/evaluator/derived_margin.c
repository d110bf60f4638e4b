/* Which sizes of 1 are margins, or lengths to one side, of which there may be none
   (derived_parts.h). */
#include "evaluator/derived_parts.h"

#include <ctype.h>
#include <string.h>

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The last character ahead of a place, and the first from there on, blanks aside; 0:
   there is none. */
static char last_ahead(const char *text, const char **at)
{
	while (*at > text && isspace((unsigned char)(*at)[-1]))
		--*at;
	return *at > text ? *--*at : 0;
}

static char first_behind(const char **at)
{
	*at += strspn(*at, " \t\n");
	return **at ? *(*at)++ : 0;
}

/* Whether a name is a term of a sum, by itself or times a number: "H + 2 * PAD". What
   is multiplied with something else is a step, or a number of things. */
static bool is_added(const char *text, const char *begin, const char *end)
{
	char before = last_ahead(text, &begin), after = first_behind(&end);

	if (before == '*') {
		before = last_ahead(text, &begin);
		if (!isdigit((unsigned char)before))
			return false;
		while (begin > text && is_of_name(begin[-1]))
			begin--;
		if (!isdigit((unsigned char)*begin))
			return false;
		before = last_ahead(text, &begin);
	}
	if (after == '*') {
		after = first_behind(&end);
		if (!isdigit((unsigned char)after))
			return false;
		end += strspn(end, "0123456789");
		after = first_behind(&end);
	}
	return (!before || strchr("+-(,", before)) && (!after || strchr("+-),", after));
}

/* Whether the text has the name, and only as a term. */
static bool only_adds(const char *text, const char *name)
{
	const size_t length = strlen(name);
	bool is_found = false;

	for (const char *c = text; (c = strstr(c, name)) != NULL; c += length) {
		if ((c > text && is_of_name(c[-1])) || is_of_name(c[length]))
			continue;
		if (!is_added(text, c, c + length))
			return false;
		is_found = true;
	}
	return is_found;
}

bool derived_is_margin(const struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;
	const struct at_size *sizes = self->tuned->sizes;
	bool is_found = false;

	/* where a quotient has to leave no remainder, 1 may be what that takes */
	if (self->roles[size] != ROLE_SMALL || self->units[size] != 1 ||
		sizes[size].value.integer != 1)
		return false;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_expression *count = spec->arguments[i].count;

		if (!derived_uses(self, count, size))
			continue;
		is_found = true;
		/* of what is computed from it by the way of other sizes, that */
		for (size_t k = 0; k < self->tuned->size_count; k++)
			if (sizes[k].expression && derived_uses(self, count, k) &&
				derived_uses(self, sizes[k].expression, size) &&
				!only_adds(at_expression_text(sizes[k].expression),
					sizes[size].name))
				return false;
		if (strstr(at_expression_text(count), sizes[size].name) &&
			!only_adds(at_expression_text(count), sizes[size].name))
			return false;
	}
	return is_found;
}
