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
	NAME_BYTES_MAX = 200, /* of a problem, by space/spec_problems.c */
};

/* ---- terms ----------------------------------------------------------------------- */

/* A product of sizes, in ascending order; rounded up to a divisor, or one more. */
struct term {
	size_t factor_count;
	size_t factors[FACTORS_MOST];
	int64_t divisor; /* 0: none */
	bool is_one_more;
};

/* times * terms / divisor */
struct guess {
	int64_t times, divisor;
	size_t term_count;
	struct term terms[2];
};

static bool find_value(const struct at_captured_sizes *self, const struct term *term,
	size_t launch, int64_t *out)
{
	*out = 1;
	for (size_t i = 0; i < term->factor_count; i++) {
		struct at_value value = self->items[term->factors[i]].values[launch];

		if (value.type != AT_TYPE_INTEGER || value.integer < 1 ||
			!at_checked_multiply(*out, value.integer, out))
			return false;
	}
	if (term->divisor)
		*out = (*out - 1) / term->divisor + 1;
	return !term->is_one_more || at_checked_add(*out, 1, out);
}

/* What is equal in all launches is no factor: any divisor that is large enough makes 1.
 */
static bool varies(const struct at_captured_sizes *self, const struct term *term)
{
	int64_t first, other;
	bool differs = false;

	if (!find_value(self, term, 0, &first))
		return false;
	for (size_t i = 1; i < self->launch_count; i++)
		differs |= find_value(self, term, i, &other) && other != first;
	return differs;
}

/* The forms of expressions, in the order in which they are tried. */
enum form {
	PRODUCT, /* N, N * M */
	MULTIPLE, /* 4 * N * M */
	ONE_MORE, /* 4 * (N + 1), as offsets of rows */
	BLOCKS, /* ceil_div(N * M, 256) */
	TILES, /* ceil_div(N, 64) * ceil_div(M, 64), ceil_div(N, 64) * M */
	MANY_BLOCKS, /* 3 * ceil_div(N, 256) */
	PART, /* N / 3 */
	FORMS,
};

/* Whether the terms, times a number or divided by one, are the values; the guess gets
   the number. */
static bool fits(const struct at_captured_sizes *self, const struct at_value *values,
	enum form form, struct guess *guess)
{
	for (size_t i = 0; i < guess->term_count; i++)
		if (guess->terms[i].divisor && !varies(self, &guess->terms[i]))
			return false;
	guess->times = guess->divisor = 1;
	for (size_t i = 0; i < self->launch_count; i++) {
		const int64_t value = values[i].integer;
		int64_t product = 1, part, expected;

		for (size_t k = 0; k < guess->term_count; k++)
			if (!find_value(self, &guess->terms[k], i, &part) ||
				!at_checked_multiply(product, part, &product))
				return false;
		if (value < 1)
			return false;
		if (!i && form == PART)
			guess->divisor = product / value > 0 ? product / value : 1;
		else if (!i && form != PRODUCT && form != BLOCKS && form != TILES)
			guess->times = value / product;
		if (product % guess->divisor ||
			!at_checked_multiply(
				product / guess->divisor, guess->times, &expected) ||
			expected != value)
			return false;
	}
	return true;
}

/* ---- the search ------------------------------------------------------------------ */

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

static int64_t divisor_at(const struct at_captured_number *number, size_t index)
{
	return index < SHIFTS ? number->block << index : INT64_C(2) << (index - SHIFTS);
}

/* Looks for the second factor of tiles. */
static bool find_tiles(const struct at_captured_sizes *self,
	const struct at_captured_number *number, struct guess *guess)
{
	guess->term_count = 2;
	for (size_t i = 0; i < count_base(self); i++)
		for (size_t d = 0; d <= DIVISORS; d++) {
			guess->terms[1] = (struct term){ .factor_count = 1,
				.factors = { i },
				.divisor = d ? divisor_at(number, d - 1) : 0 };
			if (fits(self, number->values, TILES, guess))
				return true;
		}
	return false;
}

static bool find_form(const struct at_captured_sizes *self,
	const struct at_captured_number *number, enum form form, struct guess *guess)
{
	static const size_t most[FORMS] = { [PRODUCT] = FACTORS_MOST,
		[MULTIPLE] = FACTORS_MOST,
		[ONE_MORE] = 1,
		[BLOCKS] = 2,
		[TILES] = 1,
		[MANY_BLOCKS] = 1,
		[PART] = 2 };
	const bool is_rounded = form >= BLOCKS && form < PART;
	/* many blocks of any size would fit small numbers by accident */
	const size_t divisors = is_rounded && form != MANY_BLOCKS ? DIVISORS : 1;
	struct term product = { .factor_count = 1, .is_one_more = form == ONE_MORE };

	if (!self->count || (is_rounded && !number->block))
		return false;
	do {
		for (size_t d = 0; d < divisors; d++) {
			guess->term_count = 1;
			guess->terms[0] = product;
			if (is_rounded)
				guess->terms[0].divisor = divisor_at(number, d);
			if (form == TILES ? find_tiles(self, number, guess)
					  : fits(self, number->values, form, guess))
				return true;
		}
	} while (next_product(self, &product, most[form]));
	return false;
}

/* ---- writing --------------------------------------------------------------------- */

static void write_term(const struct at_captured_sizes *self,
	const struct at_captured_number *number, const struct term *term,
	struct at_strbuf *out)
{
	at_strbuf_add(out, term->divisor ? "ceil_div(" : term->is_one_more ? "(" : "");
	for (size_t i = 0; i < term->factor_count; i++)
		at_strbuf_addf(out, "%s%s", i ? " * " : "",
			self->items[term->factors[i]].name);
	if (term->is_one_more)
		at_strbuf_add(out, " + 1)");
	if (!term->divisor)
		return;
	at_strbuf_add(out, ", ");
	if (!number->block_name || term->divisor % number->block)
		at_strbuf_addf(out, "%" PRId64 ")", term->divisor);
	else if (term->divisor == number->block)
		at_strbuf_addf(out, "%s)", number->block_name);
	else
		at_strbuf_addf(out, "%" PRId64 " * %s)", term->divisor / number->block,
			number->block_name);
}

static void write_guess(const struct at_captured_sizes *self,
	const struct at_captured_number *number, const struct guess *guess,
	struct at_strbuf *out)
{
	if (guess->times > 1)
		at_strbuf_addf(out, "%" PRId64 " * ", guess->times);
	for (size_t i = 0; i < guess->term_count; i++) {
		at_strbuf_add(out, i ? " * " : "");
		write_term(self, number, &guess->terms[i], out);
	}
	if (guess->divisor > 1)
		at_strbuf_addf(out, " / %" PRId64, guess->divisor);
}

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
	const char *equal = find_equal(self, number->values);
	bool is_whole = true;
	struct guess guess;

	if (!differ(self, number->values)) {
		at_value_format(number->values[0], out);
		return false;
	}
	for (size_t i = 0; i < self->launch_count; i++)
		is_whole &= number->values[i].type == AT_TYPE_INTEGER;
	for (int form = PRODUCT; form < FORMS && is_whole && !equal; form++)
		if (find_form(self, number, (enum form)form, &guess)) {
			write_guess(self, number, &guess, out);
			at_captured_sizes_note(self, number->values);
			return true;
		}
	at_strbuf_add(
		out, equal ? equal : add_size(self, number->name, number->values));
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

/* "N_1000_M_64"; "launch_2" if that is too long */
static void write_problem_name(
	const struct at_captured_sizes *self, size_t launch, struct at_strbuf *out)
{
	struct at_strbuf name = { 0 };

	for (size_t i = 0, count = count_key(self); i < count && i < self->count; i++) {
		at_strbuf_addf(&name, "%s%s_", i ? "_" : "", self->items[i].name);
		at_value_format(self->items[i].values[launch], &name);
	}
	if (name.length <= NAME_BYTES_MAX)
		at_strbuf_add(out, at_strbuf_text(&name));
	else
		at_strbuf_addf(out, "launch_%zu", launch + 1);
	at_strbuf_release(&name);
}

void at_captured_sizes_write_problems(
	const struct at_captured_sizes *self, const char *on, struct at_strbuf *out)
{
	at_strbuf_add(out, "problems = (\n");
	for (size_t i = 0; i < self->launch_count; i++) {
		at_strbuf_add(out, "  { name = \"");
		write_problem_name(self, i, out);
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
