/* Finds expressions of sizes that fit the numbers of all launches. */
#include "capture/sizes.h"
#include "space/expression.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LETTERS = 5,
	FIRST_DIVISOR = 3, /* D */
	SIZES_MOST = 8, /* for A, B and C: more would fit by accident */
	SHIFTS = 5, /* 1 to 16 blocks, as in at_captured_add_launch() */
	DIVISORS = SHIFTS + 16, /* and 2 to 65536: tiles not tied to the block */
	VALUES_SHOWN = 6,
};

/* The forms of expressions, in the order of trial. A, B and C stand for sizes, D and E
   for the threads of some blocks, or a power of two. */
static const struct form {
	const char *text;
	bool has_times; /* times any integer; D is then one block */
	bool is_part; /* divided by any integer */
} forms[] = {
	{ .text = "A", .has_times = true },
	{ .text = "A * B", .has_times = true },
	{ .text = "A * B * C", .has_times = true },
	{ .text = "(A + 1)", .has_times = true }, /* row offsets */
	{ .text = "ceil_div(A, D)" },
	{ .text = "ceil_div(A * B, D)" },
	{ .text = "ceil_div(A, D) * B" },
	{ .text = "ceil_div(A, D) * ceil_div(B, E)" },
	{ .text = "ceil_div(A, D)", .has_times = true },
	{ .text = "A", .is_part = true },
	{ .text = "A * B", .is_part = true },
};

static int64_t divisor_at(const struct at_captured_number *number, size_t index)
{
	return index < SHIFTS ? number->block << index : INT64_C(2) << (index - SHIFTS);
}

/* The factor between the value and the expression, in either direction, if all launches
   agree; else 0. choice: the values of the letters. */
static int64_t find_ratio(const struct at_captured_sizes *self,
	const struct at_captured_number *number, const struct form *form,
	const struct at_expression *expression, const size_t *choice)
{
	int64_t ratio = 0;

	for (size_t i = 0; i < self->launch_count; i++) {
		struct at_value slots[LETTERS], result;
		int64_t whole = number->values[i].integer, part;

		for (size_t l = 0; l < LETTERS; l++)
			slots[l] = l < FIRST_DIVISOR
					   ? self->items[choice[l]].values[i]
					   : (struct at_value){ AT_TYPE_INTEGER,
						     .integer = divisor_at(
							     number, choice[l]) };
		if (at_expression_evaluate(expression, slots, &result, NULL) ||
			result.type != AT_TYPE_INTEGER)
			return 0;
		part = form->is_part ? whole : result.integer;
		whole = form->is_part ? result.integer : whole;
		if (part < 1 || whole < 1 || whole % part ||
			(ratio && whole / part != ratio))
			return 0;
		ratio = whole / part;
	}
	return ratio == 1 || form->has_times || form->is_part ? ratio : 0;
}

static void write_fit(const struct at_captured_sizes *self,
	const struct at_captured_number *number, const struct form *form, int64_t ratio,
	const size_t *choice, struct at_strbuf *out)
{
	if (ratio > 1 && !form->is_part)
		at_strbuf_addf(out, "%" PRId64 " * ", ratio);
	for (const char *at = form->text; *at; at++) {
		const size_t letter = (size_t)(*at - 'A');

		if (!isupper((unsigned char)*at))
			at_strbuf_add_char(out, *at);
		else if (letter < FIRST_DIVISOR)
			at_strbuf_add(out, self->items[choice[letter]].name);
		else if (!number->block_name || choice[letter] >= SHIFTS)
			at_strbuf_add_integer(out, divisor_at(number, choice[letter]));
		else if (choice[letter])
			at_strbuf_addf(out, "%d * %s", 1 << choice[letter],
				number->block_name);
		else
			at_strbuf_add(out, number->block_name);
	}
	if (form->is_part)
		at_strbuf_addf(out, " / %" PRId64, ratio);
}

/* Writes the number in a form, if some choice of letters yields the number. */
static bool write_form(const struct at_captured_sizes *self,
	const struct at_captured_number *number, const struct form *form,
	struct at_strbuf *out)
{
	static const struct at_name letters[LETTERS] = { { .name = "A" },
		{ .name = "B" }, { .name = "C" }, { .name = "D" }, { .name = "E" } };
	const struct at_names names = { .count = LETTERS, .items = letters };
	size_t base = self->base_count ? self->base_count : self->count;
	size_t choice[LETTERS] = { 0 }, limits[LETTERS], l = 0;
	struct at_expression *expression = NULL;
	int64_t ratio = 0;

	for (size_t i = 0; i < LETTERS; i++)
		limits[i] = !strchr(form->text, 'A' + (int)i) ? 1
			    : i >= FIRST_DIVISOR ? (form->has_times ? 1 : DIVISORS)
			    : !form->text[1]     ? self->count
			    : base < SIZES_MOST  ? base
						 : SIZES_MOST;
	if (!limits[0] || (strchr(form->text, 'D') && !number->block) ||
		at_expression_compile(form->text, "", 0, &names, &expression, NULL))
		return false;
	/* the last letter varies fastest */
	do {
		ratio = find_ratio(self, number, form, expression, choice);
		if (ratio)
			write_fit(self, number, form, ratio, choice, out);
		for (l = LETTERS; l && ++choice[l - 1] == limits[l - 1]; l--)
			choice[l - 1] = 0;
	} while (!ratio && l);
	at_expression_free(expression);
	return ratio != 0;
}

/* The column of a name; NULL: unknown. */
static const struct at_captured_size *find_column(
	const struct at_captured_sizes *self, const char *name)
{
	for (size_t i = 0; i < self->count; i++)
		if (!strcmp(self->items[i].name, name))
			return &self->items[i];
	return NULL;
}

/* Adds a size. Its name is in capitals: expressions have functions and other names in
   small letters. */
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

/* The size with these values; NULL: no such size. */
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
	bool is_whole = !name;

	if (!differ(self, number->values)) {
		at_value_format(number->values[0], out);
		return false;
	}
	for (size_t i = 0; i < self->launch_count; i++)
		is_whole &= number->values[i].type == AT_TYPE_INTEGER;
	for (size_t i = 0; i < AT_COUNT_OF(forms) && is_whole; i++)
		if (write_form(self, number, &forms[i], out)) {
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

/* How many of the first sizes distinguish all launches; count + 1: all do not. */
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
