/* Reads fills of buffers, "uniform(-1, 1)" or "file('a.bin')", and domains. */
#include "space/spec_load.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A form of a fill: its name and its number of operands. */
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

static _Noreturn void fail(const struct fill_text *self, const char *a, const char *b)
{
	at_spec_fail(self->loader, self->line,
		"\"fill\" of argument \"%.80s\" is \"%.200s\": %s%s",
		self->argument->name, self->text, a, b);
}

static const struct fill_form *find_form(const struct fill_text *self)
{
	const char *names[AT_COUNT_OF(forms)];
	char name[32], suggestion[160];
	size_t length = strcspn(self->text, "( \t");

	snprintf(
		name, sizeof(name), "%.*s", length > 31 ? 31 : (int)length, self->text);
	for (size_t i = 0; i < AT_COUNT_OF(forms); i++) {
		names[i] = forms[i].name;
		if (!strcmp(name, forms[i].name))
			return &forms[i];
	}
	at_spec_suggestion(
		name, names, AT_COUNT_OF(forms), suggestion, sizeof(suggestion));
	/* for integers that would be only -1, 0 and 1 */
	if (at_element_kind(self->argument->element) != AT_ELEMENT_KIND_REAL &&
		strstr(suggestion, "uniform(-1, 1)"))
		snprintf(suggestion, sizeof(suggestion),
			", did you mean \"uniform(0, 100)\"?");
	at_spec_fail(self->loader, self->line,
		"unknown fill \"%s\" of argument \"%.80s\"%s", name,
		self->argument->name, suggestion);
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* The end of an operand: a comma or a closing parenthesis outside of inner parentheses.
   Quotes are skipped, since a path may contain both. */
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
 * Splits "NAME(a, b)" into one or two operands without surrounding blanks: each is
 * compiled as a separate text. The call itself is not an expression, since its operands
 * are evaluated once per problem and the call once per element.
 */
static void split(
	const struct fill_text *self, const struct fill_form *form, char *operands[2])
{
	const char *c = skip_blanks(self->text + strlen(form->name));

	if (*c != '(')
		fail(self, "expected ", form->usage);
	for (size_t i = 0; i < form->operand_count; i++) {
		const char *start = skip_blanks(c + 1);
		size_t length;

		c = operand_end(start);
		length = (size_t)(c - start);
		while (length && isspace((unsigned char)start[length - 1]))
			length--;
		if (!length || *c != (i + 1 < form->operand_count ? ',' : ')'))
			fail(self, "expected ", form->usage);
		operands[i] =
			at_spec_own(self->loader->spec, at_strndup(start, length));
	}
	if (*skip_blanks(c + 1))
		fail(self, "expected ", form->usage);
}

void at_spec_check_slots(struct at_spec_loader *loader,
	const struct at_expression *expression, const char *key, const char *argument)
{
	const struct at_spec *spec = loader->spec;
	size_t count;
	const int *slots = at_expression_slots(expression, &count);

	for (size_t i = 0; i < count; i++) {
		size_t slot = (size_t)slots[i];

		if (slot < spec->parameter_count ||
			slot >= spec->parameter_count + spec->size_count)
			at_spec_fail(loader, at_expression_line(expression),
				"\"%s\" of argument \"%.80s\" uses \"%.80s\": expected only sizes of problems",
				key, argument, at_spec_slot_name(spec, slots[i]));
	}
}

/* Makes inf, -inf or nan, only for a constant of a type with these values. */
static struct at_expression *make_infinity(
	const struct fill_text *self, const char *text, double value)
{
	const enum at_element element = self->argument->element;
	const bool is_real = at_element_kind(element) == AT_ELEMENT_KIND_REAL;
	struct at_expression *made;

	if (self->fill->kind != AT_FILL_CONSTANT)
		fail(self, "only constant() takes inf, -inf and nan", "");
	if (!is_real || (isinf(value) && at_element_bytes(element) == 1))
		fail(self, at_element_name(element), " has no such value");
	made = at_expression_real(value, text, self->line);
	at_spec_own_expression(self->loader->spec, made);
	return made;
}

static void compile_operand(
	const struct fill_text *self, const char *text, struct at_expression **out)
{
	if (!strcmp(text, "inf") || !strcmp(text, "-inf")) {
		*out = make_infinity(self, text, text[0] == '-' ? -INFINITY : INFINITY);
	} else if (!strcmp(text, "nan")) {
		*out = make_infinity(self, text, NAN);
	} else {
		at_spec_compile(self->loader, text, self->line, out);
		at_spec_check_slots(self->loader, *out, "fill", self->argument->name);
	}
}

static bool is_constant(const struct at_expression *expression, double *out)
{
	struct at_value value;

	if (!at_expression_is_constant(expression, &value))
		return false;
	*out = value.type == AT_TYPE_REAL ? value.real : (double)value.integer;
	return true;
}

/* Rejects constants uniform(a, b) with a > b, and a negative deviation. A range that
   depends on sizes may be empty for a small problem, which is valid; a deviation is
   checked again once sizes are known. */
static void check_constants(const struct fill_text *self)
{
	const struct at_fill *fill = self->fill;
	double a, b;

	if (fill->kind == AT_FILL_UNIFORM && is_constant(fill->a, &a) &&
		is_constant(fill->b, &b) && a > b)
		at_spec_fail(self->loader, self->line,
			"\"fill\" of argument \"%.80s\" is uniform(%g, %g): expected the lower end first",
			self->argument->name, a, b);
	if (fill->kind == AT_FILL_NORMAL && is_constant(fill->b, &b) && b < 0)
		at_spec_fail(self->loader, self->line,
			"\"fill\" of argument \"%.80s\": the deviation of normal is %g: expected 0 or more",
			self->argument->name, b);
}

void at_spec_parse_fill(struct at_spec_loader *loader, const char *text, int line,
	const struct at_argument *argument, struct at_fill *fill)
{
	struct fill_text self = { loader, skip_blanks(text), line, argument, fill };
	const struct fill_form *form = find_form(&self);
	char *operands[2] = { NULL, NULL };

	split(&self, form, operands);
	fill->kind = form->kind;
	/* An index addresses other buffers; stored as a real it could be rounded. */
	if (form->kind == AT_FILL_INDEX &&
		at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL)
		at_spec_fail(loader, line,
			"\"fill\" of argument \"%.80s\": random_index needs elements of an integer type, found %s",
			argument->name, at_element_name(argument->element));
	if (form->kind == AT_FILL_FILE) {
		size_t length = strlen(operands[0]);

		/* the path is quoted like words in expressions, and is not empty */
		if (length < 3 || !strchr("'\"", operands[0][0]) ||
			operands[0][length - 1] != operands[0][0])
			fail(&self, "expected ", form->usage);
		operands[0][length - 1] = '\0';
		self.fill->file = operands[0] + 1;
		at_spec_check_path(self.loader, self.fill->file, self.line);
	} else {
		compile_operand(&self, operands[0], &fill->a);
	}
	if (operands[1])
		compile_operand(&self, operands[1], &fill->b);
	check_constants(&self);
}

void at_spec_load_fill(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, const struct at_argument *argument, struct at_fill *fill)
{
	if (node->kind != AT_CONFIG_STRING)
		at_spec_fail_type(
			loader, node, what, "a string such as \"uniform(-1, 1)\"");
	at_spec_parse_fill(loader, node->text, node->line, argument, fill);
}

/* Like a fill, a domain depends only on sizes: one range for all configurations. */
void at_spec_load_domain(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_argument *argument)
{
	char where[160];

	snprintf(where, sizeof(where), "\"domain\" of argument \"%.80s\"",
		argument->name);
	if ((node->kind != AT_CONFIG_LIST && node->kind != AT_CONFIG_ARRAY) ||
		node->count != 2)
		at_spec_fail(
			loader, node->line, "%s: expected [ lowest, highest ]", where);
	for (size_t i = 0; i < 2; i++) {
		at_spec_compile_node(
			loader, &node->children[i], where, &argument->domain[i]);
		at_spec_check_slots(
			loader, argument->domain[i], "domain", argument->name);
	}
}
