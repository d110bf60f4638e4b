/* Reads what a buffer is filled with, "uniform(-1, 1)" or "file('a.bin')", and
   domains. */
#include "space/spec_load.h"

#include "base/file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A form of a fill: its name, and how many operands stand in its parentheses. */
struct fill_form {
	const char *name;
	enum at_fill_kind kind;
	size_t operand_count;
	const char *usage;
};

static const struct fill_form forms[] = {
	{ "constant", AT_FILL_CONSTANT, 1, "constant(value)" },
	{ "uniform", AT_FILL_UNIFORM, 2, "uniform(minimum, maximum)" },
	{ "normal", AT_FILL_NORMAL, 2, "normal(mean, deviation)" },
	{ "sequence", AT_FILL_SEQUENCE, 2, "sequence(first, step)" },
	{ "random_index", AT_FILL_INDEX, 1, "random_index(bound)" },
	{ "file", AT_FILL_FILE, 1, "file('path')" },
};

struct fill_text {
	struct at_spec_loader *loader;
	const char *text;
	int line;
	const struct at_argument *argument;
	struct at_fill *fill;
};

static bool fail_usage(const struct fill_text *self, const char *usage)
{
	return at_spec_fail(self->loader, self->line,
		"\"fill\" of argument \"%.80s\" is \"%.200s\": expected %s",
		self->argument->name, self->text, usage);
}

static bool find_form(const struct fill_text *self, const struct fill_form **form)
{
	const char *names[AT_COUNT_OF(forms)];
	char name[32], suggestion[160];
	size_t length = strcspn(self->text, "( \t");

	snprintf(
		name, sizeof(name), "%.*s", length > 31 ? 31 : (int)length, self->text);
	for (size_t i = 0; i < AT_COUNT_OF(forms); i++) {
		names[i] = forms[i].name;
		if (!strcmp(name, forms[i].name)) {
			*form = &forms[i];
			return true;
		}
	}
	at_spec_suggestion(
		name, names, AT_COUNT_OF(forms), suggestion, sizeof(suggestion));
	/* of integers there would be -1, 0 and 1 alone */
	if (at_element_kind(self->argument->element) != AT_ELEMENT_KIND_REAL &&
		strstr(suggestion, "uniform(-1, 1)"))
		snprintf(suggestion, sizeof(suggestion),
			", did you mean \"uniform(0, 100)\"?");
	return at_spec_fail(self->loader, self->line,
		"unknown fill \"%s\" of argument \"%.80s\"%s", name,
		self->argument->name, suggestion);
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/*
 * The end of an operand: a comma or a closing parenthesis outside of inner ones. Quotes
 * are skipped, since a path may contain both.
 */
static const char *operand_end(const char *c)
{
	int depth = 0;

	for (; *c; c++) {
		if (*c == '"' || *c == '\'') {
			const char *quote = strchr(c + 1, *c);

			if (!quote)
				return c + strlen(c);
			c = quote;
		} else if (*c == '(') {
			depth++;
		} else if (*c == ')' && depth-- == 0) {
			break;
		} else if (*c == ',' && depth == 0) {
			break;
		}
	}
	return c;
}

/*
 * Splits "NAME(a, b)" into one or two operands without blanks around them, on the heap:
 * each is compiled as a text of its own. The call itself is no expression, since its
 * operands are evaluated once a problem and the call once an element.
 */
static bool split(
	const struct fill_text *self, const struct fill_form *form, char *operands[2])
{
	const char *c = skip_blanks(self->text + strlen(form->name));

	if (*c != '(')
		return fail_usage(self, form->usage);
	for (size_t i = 0; i < form->operand_count; i++) {
		const char *start = skip_blanks(c + 1);
		size_t length;

		c = operand_end(start);
		length = (size_t)(c - start);
		while (length && isspace((unsigned char)start[length - 1]))
			length--;
		if (!length || *c != (i + 1 < form->operand_count ? ',' : ')'))
			return fail_usage(self, form->usage);
		operands[i] = at_strndup(start, length);
	}
	return !*skip_blanks(c + 1) || fail_usage(self, form->usage);
}

/*
 * Buffers are filled once for all configurations, so that all are compared with the
 * same reference. So a fill may depend neither on parameters nor on the device.
 */
static bool check_slots(struct at_spec_loader *loader,
	const struct at_expression *expression, const char *key, const char *argument)
{
	const struct at_spec *spec = loader->spec;
	size_t count;
	const int *slots = at_expression_slots(expression, &count);

	for (size_t i = 0; i < count; i++) {
		size_t slot = (size_t)slots[i];

		if (slot < spec->parameter_count ||
			slot >= spec->parameter_count + spec->size_count)
			return at_spec_fail(loader, at_expression_line(expression),
				"\"%s\" of argument \"%.80s\" uses \"%.80s\": expected only sizes of problems",
				key, argument, at_spec_slot_name(spec, slots[i]));
	}
	return true;
}

/* Compiles inf, -inf or nan, which only the constant of a type that has them may be. */
static bool compile_infinity(const struct fill_text *self, const char *text,
	double value, struct at_expression **out)
{
	const enum at_element element = self->argument->element;
	const bool is_real = at_element_kind(element) == AT_ELEMENT_KIND_REAL;

	if (self->fill->kind != AT_FILL_CONSTANT)
		return at_spec_fail(self->loader, self->line,
			"\"fill\" of argument \"%.80s\" is \"%.200s\": only constant() takes inf, -inf and nan",
			self->argument->name, self->text);
	if (!is_real || (isinf(value) && at_element_bytes(element) == 1))
		return at_spec_fail(self->loader, self->line,
			"\"fill\" of argument \"%.80s\" is \"%.200s\": %s has no such value",
			self->argument->name, self->text, at_element_name(element));
	*out = at_expression_real(value, text, self->line);
	at_spec_own_expression(self->loader->spec, *out);
	return true;
}

static bool compile_operand(
	const struct fill_text *self, const char *text, struct at_expression **out)
{
	bool ok;

	if (!strcmp(text, "inf") || !strcmp(text, "-inf"))
		return compile_infinity(
			self, text, text[0] == '-' ? -INFINITY : INFINITY, out);
	if (!strcmp(text, "nan"))
		return compile_infinity(self, text, NAN, out);
	ok = at_spec_compile(self->loader, text, self->line, out);
	return ok && check_slots(self->loader, *out, "fill", self->argument->name);
}

/* Reads a path in quotes, as words are quoted in expressions; it must not be empty. */
static bool read_file_name(
	const struct fill_text *self, const char *quoted, const char *usage)
{
	size_t length = strlen(quoted);
	char *name;

	if (length < 3 || !strchr("'\"", quoted[0]) || quoted[length - 1] != quoted[0])
		return fail_usage(self, usage);
	name = at_strndup(quoted + 1, length - 2);
	self->fill->file = at_spec_own(
		self->loader->spec, at_path_join(self->loader->spec->directory, name));
	free(name);
	return true;
}

/* Refuses uniform(a, b) with a > b where both are constants. A range that depends on
   sizes may be empty for a small problem, which is no mistake. */
static bool check_order(const struct fill_text *self)
{
	const struct at_expression *ends[] = { self->fill->a, self->fill->b };
	double values[2] = { 0, 0 };
	size_t count;

	for (size_t i = 0; i < AT_COUNT_OF(ends); i++) {
		at_expression_slots(ends[i], &count);
		if (count || at_spec_real(self->loader->spec, ends[i], NULL, "a fill",
				     self->line, &values[i], NULL))
			return true;
	}
	if (values[0] <= values[1])
		return true;
	return at_spec_fail(self->loader, self->line,
		"\"fill\" of argument \"%.80s\" is uniform(%g, %g): expected the lower end first",
		self->argument->name, values[0], values[1]);
}

/* Refuses a negative deviation that is a constant; others are checked when sizes are
   known. */
static bool check_deviation(const struct fill_text *self)
{
	double value = 0;
	size_t count;

	at_expression_slots(self->fill->b, &count);
	if (count ||
		at_spec_real(self->loader->spec, self->fill->b, NULL, "a fill",
			self->line, &value, NULL) ||
		value >= 0)
		return true;
	return at_spec_fail(self->loader, self->line,
		"\"fill\" of argument \"%.80s\": the deviation of normal is %g: expected 0 or more",
		self->argument->name, value);
}

bool at_spec_parse_fill(struct at_spec_loader *loader, const char *text, int line,
	const struct at_argument *argument, struct at_fill *fill)
{
	struct fill_text self = { loader, skip_blanks(text), line, argument, fill };
	const struct fill_form *form = NULL;
	char *operands[2] = { NULL, NULL };
	bool ok = find_form(&self, &form);

	ok = ok && split(&self, form, operands);
	if (!ok)
		goto release;
	fill->kind = form->kind;
	/* An index addresses other buffers; stored as a real it could be rounded. */
	if (form->kind == AT_FILL_INDEX &&
		at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL)
		ok = at_spec_fail(loader, line,
			"\"fill\" of argument \"%.80s\": random_index needs elements of an integer type, found %s",
			argument->name, at_element_name(argument->element));
	else if (form->kind == AT_FILL_FILE && operands[0])
		ok = read_file_name(&self, operands[0], form->usage);
	else if (operands[0])
		ok = compile_operand(&self, operands[0], &fill->a);
	if (ok && operands[1])
		ok = compile_operand(&self, operands[1], &fill->b);
	if (ok && form->kind == AT_FILL_UNIFORM)
		ok = check_order(&self);
	if (ok && form->kind == AT_FILL_NORMAL)
		ok = check_deviation(&self);
release:
	free(operands[0]);
	free(operands[1]);
	return ok;
}

/* Like the operands of a fill, a domain depends on sizes only: one range for all
   configurations. */
bool at_spec_load_domain(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_argument *argument)
{
	char where[160];
	bool ok = true;

	snprintf(where, sizeof(where), "\"domain\" of argument \"%.80s\"",
		argument->name);
	if ((node->kind != AT_CONFIG_LIST && node->kind != AT_CONFIG_ARRAY) ||
		node->count != 2)
		return at_spec_fail(
			loader, node->line, "%s: expected [ lowest, highest ]", where);
	for (size_t i = 0; i < 2 && ok; i++) {
		ok = at_spec_compile_node(
			     loader, &node->children[i], where, &argument->domain[i]) &&
		     check_slots(loader, argument->domain[i], "domain", argument->name);
	}
	return ok;
}
