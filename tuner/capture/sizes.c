/* Looks for expressions of sizes that fit the numbers of all launches. */
#include "capture/sizes.h"
#include "space/checked.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	FACTORS_MOST = 3, /* of a product: rows, columns, batch */
	SIZES_MOST = 8, /* that products are made of: more would fit by accident */
	SHIFTS = 5, /* 1 to 16 blocks, as at_captured_add_launch() looks for */
	DIVISORS = SHIFTS + 16, /* and 2 to 65536: tiles that are no such multiple */
	VALUES_SHOWN = 6,
};

/* ---- expressions ----------------------------------------------------------------- */

/* A product of sizes, in ascending order, and what is made of it. */
struct term {
	size_t factor_count;
	size_t factors[FACTORS_MOST];
	int64_t more; /* is added */
	int64_t divisor; /* it is rounded up to; 0: it is not */
};

/* The values of a term, one a launch. False: it has none that is 1 or more. */
static bool find_values(
	const struct at_captured_sizes *self, const struct term *term, int64_t *out)
{
	for (size_t i = 0; i < self->launch_count; i++) {
		out[i] = 1;
		for (size_t k = 0; k < term->factor_count; k++) {
			struct at_value value = self->items[term->factors[k]].values[i];

			if (value.type != AT_TYPE_INTEGER || value.integer < 1 ||
				!at_checked_multiply(out[i], value.integer, &out[i]))
				return false;
		}
		if (term->divisor)
			out[i] = (out[i] - 1) / term->divisor + 1;
		if (!at_checked_add(out[i], term->more, &out[i]))
			return false;
	}
	return true;
}

/* What makes each of `parts` the value when multiplied, if all have the same; else 0.
 */
static int64_t find_ratio(const struct at_captured_sizes *self, const int64_t *parts,
	const int64_t *values)
{
	for (size_t i = 0; i < self->launch_count; i++)
		if (values[i] % parts[i] ||
			values[i] / parts[i] != values[0] / parts[0])
			return 0;
	return values[0] / parts[0];
}

/* How many sizes products are made of. */
static size_t count_base(const struct at_captured_sizes *self)
{
	const size_t count = self->base_count ? self->base_count : self->count;

	return count < SIZES_MOST ? count : SIZES_MOST;
}

/* The next product of up to `most` sizes: each size alone, then a * a, a * b, ... */
static bool next_product(
	const struct at_captured_sizes *self, struct term *term, size_t most)
{
	const size_t count = term->factor_count == 1 ? self->count : count_base(self);
	size_t last = term->factor_count, value = 0;

	while (last && term->factors[last - 1] + 1 >= count)
		last--;
	if (last)
		value = term->factors[--last] + 1;
	else if (term->factor_count++ == most)
		return false;
	for (; last < term->factor_count; last++)
		term->factors[last] = value;
	return true;
}

static void write_term(const struct at_captured_sizes *self, const struct term *term,
	const struct at_captured_number *number, struct at_strbuf *out)
{
	const int64_t blocks = number->block_name && term->divisor % number->block == 0
				       ? term->divisor / number->block
				       : 0;

	at_strbuf_add(out, term->divisor ? "ceil_div(" : term->more ? "(" : "");
	for (size_t i = 0; i < term->factor_count; i++)
		at_strbuf_addf(out, "%s%s", i ? " * " : "",
			self->items[term->factors[i]].name);
	if (term->more)
		at_strbuf_addf(out, " + %" PRId64 ")", term->more);
	else if (term->divisor && blocks == 1)
		at_strbuf_addf(out, ", %s)", number->block_name);
	else if (term->divisor && blocks)
		at_strbuf_addf(out, ", %" PRId64 " * %s)", blocks, number->block_name);
	else if (term->divisor)
		at_strbuf_addf(out, ", %" PRId64 ")", term->divisor);
}

/* The forms of expressions, in the order in which they are tried: those of one size
   come first in each. */
enum form {
	MULTIPLE, /* N, N * M, 4 * N * M */
	ONE_MORE, /* 4 * (N + 1), as offsets of rows */
	BLOCKS, /* ceil_div(N * M, 256) */
	TILES, /* ceil_div(N, 64) * ceil_div(M, 64), ceil_div(N, 64) * M */
	MANY_BLOCKS, /* 3 * ceil_div(N, 256) */
	PART, /* N / 3 */
	FORMS,
};

static bool write_form(const struct at_captured_sizes *self,
	const struct at_captured_number *number, enum form form, const int64_t *values,
	struct at_strbuf *out);

/* Writes the term in its form, if this makes the values. */
static bool write_fit(const struct at_captured_sizes *self,
	const struct at_captured_number *number, enum form form,
	const struct term *term, const int64_t *values, struct at_strbuf *out)
{
	int64_t parts[AT_CAPTURED_LAUNCHES_MOST], rest[AT_CAPTURED_LAUNCHES_MOST],
		ratio;

	if (!find_values(self, term, parts))
		return false;
	ratio = form == PART ? find_ratio(self, values, parts)
			     : find_ratio(self, parts, values);
	if (form == TILES && !ratio) {
		struct at_strbuf factor = { 0 };

		for (size_t i = 0; i < self->launch_count; i++) {
			rest[i] = values[i] / parts[i];
			if (values[i] % parts[i])
				return false;
		}
		if (!write_form(self, number, MULTIPLE, rest, &factor) &&
			!write_form(self, number, BLOCKS, rest, &factor))
			return false;
		write_term(self, term, number, out);
		at_strbuf_addf(out, " * %s", factor.data);
		at_strbuf_release(&factor);
		return true;
	}
	if (!ratio || form == TILES || (form == BLOCKS && ratio > 1))
		return false;
	if (ratio > 1 && form != PART)
		at_strbuf_addf(out, "%" PRId64 " * ", ratio);
	write_term(self, term, number, out);
	if (form == PART)
		at_strbuf_addf(out, " / %" PRId64, ratio);
	return true;
}

static bool write_form(const struct at_captured_sizes *self,
	const struct at_captured_number *number, enum form form, const int64_t *values,
	struct at_strbuf *out)
{
	static const size_t most[FORMS] = { [MULTIPLE] = FACTORS_MOST,
		[ONE_MORE] = 1,
		[BLOCKS] = 2,
		[TILES] = 1,
		[MANY_BLOCKS] = 1,
		[PART] = 2 };
	const bool is_rounded = form >= BLOCKS && form < PART;
	/* many blocks of any size would fit small numbers by accident */
	const size_t divisors = is_rounded && form != MANY_BLOCKS ? DIVISORS : 1;
	struct term term = { .factor_count = 1, .more = form == ONE_MORE };

	if (!self->count || (is_rounded && !number->block))
		return false;
	do {
		for (size_t d = 0; d < divisors; d++) {
			if (is_rounded)
				term.divisor = d < SHIFTS ? number->block << d
							  : INT64_C(2) << (d - SHIFTS);
			if (write_fit(self, number, form, &term, values, out))
				return true;
		}
	} while (next_product(self, &term, most[form]));
	return false;
}

/* ---- writing --------------------------------------------------------------------- */

/* The column of a name; NULL: none. */
static const struct at_captured_size *find_column(
	const struct at_captured_sizes *self, const char *name)
{
	for (size_t i = 0; i < self->count; i++)
		if (!strcmp(self->items[i].name, name))
			return &self->items[i];
	return NULL;
}

/* Adds a size. Its name is in capital letters: expressions have functions and other
   names in small letters. */
static const char *add_size(
	struct at_captured_sizes *self, const char *name, const struct at_value *values)
{
	struct at_captured_size *column;
	struct at_strbuf text = { 0 };

	for (const char *at = name ? name : ""; *at; at++)
		at_strbuf_add_char(&text, (char)toupper((unsigned char)*at));
	for (size_t i = 0; !text.length || !strcmp(text.data, "BLOCK_X") ||
			   find_column(self, text.data);
		i++) {
		at_strbuf_clear(&text);
		at_strbuf_addf(&text, "N%zu", i);
	}
	self->items = at_realloc(self->items, (self->count + 1) * sizeof(*self->items));
	column = &self->items[self->count++];
	column->name = at_strbuf_detach(&text);
	column->values = at_calloc(self->launch_count, sizeof(*values));
	memcpy(column->values, values, self->launch_count * sizeof(*values));
	return column->name;
}

static bool differ(const struct at_captured_sizes *self, const struct at_value *values)
{
	for (size_t i = 1; i < self->launch_count; i++)
		if (!at_value_equal(values[0], values[i]))
			return true;
	return false;
}

/* The size with these values; NULL: none. */
static const char *find_equal(
	const struct at_captured_sizes *self, const struct at_value *values)
{
	for (size_t i = 0; i < self->count; i++) {
		size_t k = 0;

		while (k < self->launch_count &&
			at_value_equal(self->items[i].values[k], values[k]))
			k++;
		if (k == self->launch_count)
			return self->items[i].name;
	}
	return NULL;
}

void at_captured_sizes_note(
	struct at_captured_sizes *self, const struct at_value *values)
{
	if (self->launch_count == 1)
		return;
	at_strbuf_add(&self->guesses, self->guesses.length ? "; " : "");
	for (size_t i = 0; i < self->launch_count; i++) {
		at_strbuf_add(&self->guesses, i ? ", " : "");
		if (i == VALUES_SHOWN) {
			at_strbuf_add(&self->guesses, "...");
			return;
		}
		at_value_format(values[i], &self->guesses);
	}
}

bool at_captured_sizes_write(struct at_captured_sizes *self,
	const struct at_captured_number *number, struct at_strbuf *out)
{
	const char *name = find_equal(self, number->values);
	int64_t values[AT_CAPTURED_LAUNCHES_MOST];
	bool is_whole = !name;

	if (!differ(self, number->values)) {
		at_value_format(number->values[0], out);
		return false;
	}
	for (size_t i = 0; i < self->launch_count; i++) {
		values[i] = number->values[i].integer;
		is_whole &= number->values[i].type == AT_TYPE_INTEGER && values[i] > 0;
	}
	for (int form = MULTIPLE; form < FORMS && is_whole; form++)
		if (write_form(self, number, (enum form)form, values, out)) {
			at_captured_sizes_note(self, number->values);
			return true;
		}
	at_strbuf_add(out, name ? name : add_size(self, number->name, number->values));
	return true;
}

void at_captured_sizes_add_comment(
	struct at_captured_sizes *self, struct at_strbuf *out)
{
	if (self->guesses.length)
		at_strbuf_addf(out, " // %s", self->guesses.data);
	at_strbuf_clear(&self->guesses);
}

/* ---- problems -------------------------------------------------------------------- */

/* How many of the first sizes tell all launches apart; count + 1: all do not. */
static size_t count_key(const struct at_captured_sizes *self)
{
	size_t most = 1;

	for (size_t a = 1; a < self->launch_count; a++)
		for (size_t b = 0; b < a; b++) {
			size_t i = 0;

			while (i < self->count &&
				at_value_equal(self->items[i].values[a],
					self->items[i].values[b]))
				i++;
			if (i + 1 > most)
				most = i + 1;
		}
	return most;
}

bool at_captured_sizes_tell_apart(const struct at_captured_sizes *self)
{
	return count_key(self) <= self->count;
}

void at_captured_sizes_write_key(
	const struct at_captured_sizes *self, size_t launch, struct at_strbuf *out)
{
	for (size_t i = 0, count = count_key(self); i < count && i < self->count; i++) {
		at_strbuf_add(out, i ? "_" : "");
		if (launch == self->launch_count)
			at_strbuf_addf(out, "${%s}", self->items[i].name);
		else
			at_value_format(self->items[i].values[launch], out);
	}
}

void at_captured_sizes_write_problems(
	const struct at_captured_sizes *self, const char *on, struct at_strbuf *out)
{
	at_strbuf_add(out, "problems = (\n");
	for (size_t i = 0; i < self->launch_count; i++) {
		at_strbuf_add(out, "  { name = \"size_");
		at_captured_sizes_write_key(self, i, out);
		at_strbuf_add(out, "\";");
		if (on)
			at_strbuf_addf(out, " on = \"%s\";", on);
		for (size_t k = 0; k < self->count; k++) {
			at_strbuf_addf(out, " %s = ", self->items[k].name);
			at_value_format(self->items[k].values[i], out);
			at_strbuf_add_char(out, ';');
		}
		at_strbuf_add(out, i + 1 < self->launch_count ? " },\n" : " }\n");
	}
	at_strbuf_add(out, ");\n");
}

void at_captured_sizes_release(struct at_captured_sizes *self)
{
	for (size_t i = 0; i < self->count; i++) {
		free(self->items[i].name);
		free(self->items[i].values);
	}
	free(self->items);
	at_strbuf_release(&self->guesses);
	memset(self, 0, sizeof(*self));
}
