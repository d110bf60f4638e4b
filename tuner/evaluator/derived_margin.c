/* Which sizes of 1 are margins, or lengths to one side, of which there may be none
   (derived_parts.h). */
#define _GNU_SOURCE /* strcasestr() */
#include "evaluator/derived_parts.h"

#include "base/memory.h"

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

/* Whether the text has the name twice, "2 * PAD" or "PAD * 2": a margin at both ends.
 */
static bool has_twice(const char *text, const char *name)
{
	const size_t length = strlen(name);

	for (const char *c = text; (c = strstr(c, name)) != NULL; c += length) {
		const char *begin = c, *end = c + length;

		if ((c > text && is_of_name(c[-1])) || is_of_name(*end))
			continue;
		if (first_behind(&end) == '*' && first_behind(&end) == '2' &&
			!is_of_name(*end))
			return true;
		if (last_ahead(text, &begin) == '*' &&
			last_ahead(text, &begin) == '2' &&
			(begin == text || !is_of_name(begin[-1])))
			return true;
	}
	return false;
}

/* Whether a name says that it is a margin. */
static bool is_named_so(const char *name)
{
	static const char *const words[] = { "PAD", "HALO", "MARGIN", "GHOST", "BORDER",
		"LEFT", "RIGHT", "ABOVE", "BELOW", "RADIUS", "REACH" };

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (strcasestr(name, words[i]))
			return true;
	return false;
}

bool derived_is_margin(const struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;
	const struct at_size *sizes = self->tuned->sizes;
	bool is_found = false, is_named = is_named_so(sizes[size].name);

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
				derived_uses(self, sizes[k].expression, size)) {
				const char *text =
					at_expression_text(sizes[k].expression);

				if (!only_adds(text, sizes[size].name))
					return false;
				is_named |= has_twice(text, sizes[size].name);
			}
		if (strstr(at_expression_text(count), sizes[size].name) &&
			!only_adds(at_expression_text(count), sizes[size].name))
			return false;
		is_named |= has_twice(at_expression_text(count), sizes[size].name);
	}
	/* what is added once may as well be steps, a lag or a window */
	return is_found && is_named;
}
