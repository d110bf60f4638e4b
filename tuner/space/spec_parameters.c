/* The sections "parameters" and "defaults": parameters, their values and ranges,
   default values, and the macros that parameters become. */
#include "space/spec_load.h"

#include "base/hash_index.h"
#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	VALUES_MAX = 65535, /* a configuration has 16-bit indices */
	ALL_VALUES_MAX = 1 << 22, /* of all parameters: 64 MiB of values */
};

/* An integer among reals becomes a real; an inexact conversion is an error. */
static void read_real(struct at_spec_loader *loader, const struct at_config_node *node,
	const struct at_parameter *parameter, double *out)
{
	*out = node->real;
	if (node->kind != AT_CONFIG_REAL && !at_spec_exact_real(node->integer, out))
		at_spec_fail(loader, node->line,
			"parameter \"%.80s\": %lld stands among reals but is too large to be one exactly",
			parameter->name, (long long)node->integer);
}

/* The length of "cub::" in "cub::BLOCK_SCAN_RAKING", limited for messages. */
static int qualified_length(const char *text)
{
	size_t length = 0;

	for (const char *at = text; (at = strstr(at, "::")); at += 2)
		length = (size_t)(at - text) + 2;
	return length < 80 ? (int)length : 80;
}

/* A node as a value of the parameter's type; a word is copied. */
static void read_value(struct at_spec_loader *loader, const struct at_config_node *node,
	const struct at_parameter *parameter, struct at_value *out)
{
	const char *c = node->text;

	*out = at_spec_scalar(node);
	out->type = parameter->type;
	if (parameter->type == AT_TYPE_REAL)
		read_real(loader, node, parameter, &out->real);
	if (parameter->type != AT_TYPE_WORD)
		return;
	while (isalnum((unsigned char)*c) || *c == '_')
		c++;
	/* A digit may come first, since the word only ends a name: CACHE_2way. */
	if (strchr(node->text, ','))
		at_spec_fail(loader, node->line,
			"parameter \"%.80s\": \"%.80s\" is not a word: values are written as a list, [ 1, 2 ] or [ \"ca\", \"cg\" ]",
			parameter->name, node->text);
	if (strstr(node->text, "::"))
		at_spec_fail(loader, node->line,
			"parameter \"%.80s\": \"%.80s\" is not a word: write what stands behind the last \"::\", and the rest in options: \"-DNAME=%.*s${%.80s}\" makes NAME of it",
			parameter->name, node->text, qualified_length(node->text),
			node->text, parameter->name);
	if (c == node->text || *c)
		at_spec_fail(loader, node->line,
			"parameter \"%.80s\": \"%.80s\" is not a word: expected letters, digits and \"_\", since it becomes part of the macro %.80s_...",
			parameter->name, node->text, parameter->name);
	/* A number in quotes would be a word, which arithmetic and comparisons with
	   numbers reject. */
	if (!node->text[strspn(node->text, "0123456789")])
		at_spec_fail(loader, node->line,
			"parameter \"%.80s\": \"%.80s\" is a word for its quotes: numbers are written without",
			parameter->name, node->text);
	out->word = at_spec_copy_text(loader, node->text);
}

/* The values of a list, or a single value. */
static void read_items(struct at_spec_loader *loader,
	const struct at_config_node *items, size_t count,
	struct at_parameter *parameter)
{

	if (count == 0)
		at_spec_fail(loader, parameter->line,
			"parameter \"%.80s\" has no values", parameter->name);
	if (count > VALUES_MAX)
		at_spec_fail(loader, parameter->line,
			"parameter \"%.80s\" has %zu values, more than the most, %d",
			parameter->name, count, VALUES_MAX);
	/* Determines the common type first. Integers among reals become reals; nothing
	   else is converted, since a 1 among booleans is more likely a mistake. */
	for (size_t i = 0; i < count; i++) {
		enum at_type type = at_spec_scalar(&items[i]).type;
		bool numbers = (type == AT_TYPE_INTEGER || type == AT_TYPE_REAL) &&
			       (parameter->type == AT_TYPE_INTEGER ||
				       parameter->type == AT_TYPE_REAL);

		if (type == AT_TYPE_NONE)
			at_spec_fail(loader, items[i].line,
				"parameter \"%.80s\": expected numbers, booleans or words as values, found %s%s",
				parameter->name, at_config_kind_text(items[i].kind),
				items[i].kind == AT_CONFIG_GROUP
					? ""
					: ": what goes together is a parameter each, and a constraint says which go together");
		if (parameter->type == AT_TYPE_NONE || parameter->type == type)
			parameter->type = type;
		else if (numbers)
			parameter->type = AT_TYPE_REAL;
		else
			at_spec_fail(loader, items[i].line,
				"parameter \"%.80s\" mixes values of type %s and %s: expected values of one type",
				parameter->name, at_type_name(parameter->type),
				at_type_name(type));
	}
	parameter->values = at_spec_allocate(loader, count, sizeof(*parameter->values));
	for (; parameter->value_count < count; parameter->value_count++)
		read_value(loader, &items[parameter->value_count], parameter,
			&parameter->values[parameter->value_count]);
}

/*
 * Ranges: { from; to; times; } or { from; to; step; }. `to` may be an expression of
 * sizes: the values then reach its maximum over all problems, and a constraint limits
 * each problem to its own range.
 */

struct range {
	const struct at_config_node *from;
	const struct at_config_node *to;
	const struct at_config_node *by; /* times or step */
	bool times;
	bool integers; /* all three are integers; else the reals below apply */
	int64_t integer_to;
	double real_from;
	double real_to;
	double real_by;
};

static void add_value(struct at_spec_loader *loader, struct at_parameter *parameter,
	size_t *capacity, struct at_value value)
{
	if (parameter->value_count == VALUES_MAX) {
		at_spec_own(loader->spec, parameter->values);
		at_spec_fail(loader, parameter->line,
			"parameter \"%.80s\" has more than %d values, the most",
			parameter->name, VALUES_MAX);
	}
	AT_GROW(parameter->values, *capacity, parameter->value_count + 1);
	parameter->values[parameter->value_count++] = value;
}

static void integer_range(struct at_spec_loader *loader, const struct range *range,
	struct at_parameter *parameter)
{
	int64_t value = range->from->integer;
	const int64_t to = range->integer_to, by = range->by->integer;
	size_t capacity = 0;

	parameter->type = AT_TYPE_INTEGER;
	for (;;) {
		add_value(loader, parameter, &capacity,
			(struct at_value){ .type = AT_TYPE_INTEGER, .integer = value });
		/* The next value may not fit 64 bits, so this checks before computing
		   it. The distance of two int64_t always fits an unsigned one. */
		if (range->times ? value > to / by
				 : (uint64_t)to - (uint64_t)value < (uint64_t)by)
			return;
		value = range->times ? value * by : value + by;
	}
}

static void real_range(struct at_spec_loader *loader, const struct range *range,
	struct at_parameter *parameter)
{
	const double from = range->real_from, to = range->real_to, by = range->real_by;
	size_t capacity = 0;

	parameter->type = AT_TYPE_REAL;
	for (size_t i = 0;; i++) {
		/* Computed from the index: rounding errors of a running sum would
		   grow. */
		double value = range->times ? from * pow(by, (double)i)
					    : from + by * (double)i;
		/* 0.1 + 2 * 0.1 misses 0.3 only by rounding; such a value counts as the
		   end. */
		double slack = 1e-9 * (range->times ? fabs(to) : by);

		if (value > to + slack)
			break;
		if (value > to - slack)
			value = to;
		add_value(loader, parameter, &capacity,
			(struct at_value){ .type = AT_TYPE_REAL, .real = value });
	}
}

static void read_part(struct at_spec_loader *loader, const struct at_config_node *node,
	const struct at_parameter *parameter, struct range *range, double *out)
{
	if (node->kind != AT_CONFIG_INTEGER && node->kind != AT_CONFIG_REAL)
		at_spec_fail(loader, node->line,
			"parameter \"%.80s\": \"%s\": expected a number, found %s",
			parameter->name, node->name, at_config_kind_text(node->kind));
	/* An integer beyond 2^53 is exact unless a real turns the range into reals. */
	if (node->kind == AT_CONFIG_REAL)
		range->integers = false;
	*out = node->kind == AT_CONFIG_REAL ? node->real : (double)node->integer;
}

/* Sets the end of a range to its maximum over all problems. Each problem's end must be
   at least the beginning. */
static void read_end(struct at_spec_loader *loader,
	const struct at_parameter *parameter, struct range *range)
{
	const struct at_spec *spec = loader->spec;
	struct at_value most = { .type = AT_TYPE_NONE };
	char what[160];

	snprintf(what, sizeof(what), "\"to\" of parameter \"%.80s\"", parameter->name);
	for (size_t i = 0; i < spec->problem_count; i++) {
		const struct at_problem *problem = &spec->problems[i];
		struct at_value end = { .type = AT_TYPE_NONE };

		at_spec_evaluate_sizes(loader, range->to, what, problem, NULL, &end);
		if (end.type == AT_TYPE_REAL ? end.real < range->real_from
					     : (double)end.integer < range->real_from)
			at_spec_fail(loader, range->to->line,
				"%s is less than \"from\" on problem \"%.80s\": the parameter has no value there",
				what, problem->name);
		if (most.type == AT_TYPE_NONE || at_value_compare(most, end) < 0)
			most = end;
		range->integers = range->integers && end.type != AT_TYPE_REAL;
	}
	range->integer_to = most.integer;
	range->real_to = most.type == AT_TYPE_REAL ? most.real : (double)most.integer;
}

static void read_range(struct at_spec_loader *loader, const struct at_config_node *node,
	struct at_parameter *parameter)
{
	const struct at_config_node *step = at_config_find(node, "step");
	const struct at_config_node *times = at_config_find(node, "times");
	struct range range = { .from = at_config_find(node, "from"),
		.to = at_config_find(node, "to"),
		.by = times ? times : step,
		.times = times != NULL,
		.integers = true };
	char what[128];

	snprintf(what, sizeof(what), "parameter \"%.80s\"", parameter->name);
	at_spec_read(loader, node, what, AT_GROUP_RANGE, NULL);
	if (!step == !times)
		at_spec_fail(loader, node->line,
			"%s: expected one of \"times\" and \"step\", found %s", what,
			step ? "both" : "neither");
	read_part(loader, range.from, parameter, &range, &range.real_from);
	read_part(loader, range.by, parameter, &range, &range.real_by);
	if (range.to->kind == AT_CONFIG_STRING) {
		read_end(loader, parameter, &range);
	} else {
		range.integer_to = range.to->integer;
		read_part(loader, range.to, parameter, &range, &range.real_to);
	}
	/* The ends become values, so they must be exact as reals; a step or a factor
	   need not be exact. */
	if (!range.integers)
		read_real(loader, range.from, parameter, &range.real_from);
	if (!range.integers && range.to->kind != AT_CONFIG_STRING)
		read_real(loader, range.to, parameter, &range.real_to);
	/* The loops over a range terminate only if each value exceeds the previous
	   one. */
	if (range.integers ? range.from->integer > range.integer_to
			   : range.real_from > range.real_to)
		at_spec_fail(loader, range.from->line,
			"%s: \"from\" is greater than \"to\"", what);
	if (range.times && (range.real_by < 2 || !(range.real_from > 0)))
		at_spec_fail(loader, range.by->line,
			"%s: with \"times\", expected \"times\" of 2 or more and \"from\" above 0",
			what);
	if (!range.times && !(range.real_by > 0))
		at_spec_fail(loader, range.by->line, "%s: expected a \"step\" above 0",
			what);
	if (range.integers)
		integer_range(loader, &range, parameter);
	else
		real_range(loader, &range, parameter);
	at_spec_own(loader->spec, parameter->values);
}

/* Rejects a duplicate value: it would be two configurations of the same kernel. */
static void check_distinct(struct at_spec_loader *loader,
	const struct at_parameter *parameter, const struct at_config_node *node)
{
	struct at_hash_index known = { 0 };
	uint32_t index = 0, first = 0;
	char text[100];

	for (; index < parameter->value_count; index++) {
		struct at_value value = parameter->values[index];

		if (value.type == AT_TYPE_REAL && value.real == 0)
			value.real = 0; /* not -0.0, which is equal */
		at_hash_index_put(&known,
			value.type == AT_TYPE_WORD
				? at_hash_bytes(value.word, strlen(value.word))
				: at_hash_bytes(&value.integer, sizeof(value.integer)),
			index, &first);
		if (first != index)
			break;
	}
	at_hash_index_release(&known);
	if (index < parameter->value_count)
		at_spec_fail(loader,
			node->kind != AT_CONFIG_GROUP ? node->children[index].line
						      : parameter->line,
			"parameter \"%.80s\" has the value %s twice", parameter->name,
			at_spec_value_text(
				parameter->values[index], text, sizeof(text)));
}

/* Whether the end of a range is an expression of sizes. */
static bool is_range_of_sizes(const struct at_config_node *node)
{
	const struct at_config_node *to =
		node->kind == AT_CONFIG_GROUP ? at_config_find(node, "to") : NULL;

	return to && to->kind == AT_CONFIG_STRING;
}

static void load_parameter(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_parameter *parameter)
{
	at_spec_check_macro(loader, node->line, node->name);
	at_spec_check_no_section(loader, node, "parameters");
	parameter->line = node->line;
	parameter->name = at_spec_copy_text(loader, node->name);
	/* at_spec_load_ranges() reads them after the problems */
	if (is_range_of_sizes(node))
		return;
	if (node->kind == AT_CONFIG_GROUP)
		read_range(loader, node, parameter);
	else if (node->kind == AT_CONFIG_LIST || node->kind == AT_CONFIG_ARRAY)
		read_items(loader, node->children, node->count, parameter);
	else
		read_items(loader, node, 1, parameter);
	check_distinct(loader, parameter, node);
}

void at_spec_load_parameters(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "parameters");
	struct at_spec *spec = loader->spec;
	size_t values = 0;

	if (!node)
		at_spec_fail(loader, 0,
			"has no \"parameters\": expected parameters: { NAME = [ values ]; };");
	if (node->kind != AT_CONFIG_GROUP)
		at_spec_fail_type(loader, node, "\"parameters\"",
			"a group { NAME = [ values ]; }");
	if (!node->count)
		at_spec_fail(loader, node->line,
			"\"parameters\" is empty: expected at least one NAME = [ values ];");
	spec->parameters = at_calloc(node->count, sizeof(*spec->parameters));
	spec->parameter_count = node->count;
	for (size_t i = 0; i < node->count; i++) {
		load_parameter(loader, &node->children[i], &spec->parameters[i]);
		values += spec->parameters[i].value_count;
		if (values > ALL_VALUES_MAX)
			at_spec_fail(loader, node->children[i].line,
				"the parameters up to \"%.80s\" have %zu values, more than the most, %d",
				node->children[i].name, values, ALL_VALUES_MAX);
	}
}

void at_spec_load_ranges(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "parameters");
	struct at_spec *spec = loader->spec;

	for (size_t i = 0; i < spec->parameter_count; i++)
		if (is_range_of_sizes(&node->children[i])) {
			read_range(loader, &node->children[i], &spec->parameters[i]);
			check_distinct(
				loader, &spec->parameters[i], &node->children[i]);
			loader->range_count++;
		}
}

void at_spec_add_range_constraints(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "parameters");
	struct at_spec *spec = loader->spec;

	for (size_t i = 0; i < spec->parameter_count; i++) {
		struct at_constraint *constraint =
			&spec->constraints[spec->constraint_count];
		const struct at_config_node *to;
		struct at_strbuf text = { 0 };

		if (!is_range_of_sizes(&node->children[i]))
			continue;
		to = at_config_find(&node->children[i], "to");
		at_strbuf_addf(&text, "%s <= (%s)", spec->parameters[i].name, to->text);
		constraint->line = to->line;
		at_spec_compile(loader, at_spec_own(spec, at_strbuf_detach(&text)),
			to->line, &constraint->expression);
		spec->constraint_count++;
	}
}

/*
 * Defaults: one value for every parameter, or no section at all. If some were missing,
 * their first values would complete the baseline although no author chose them. A
 * parameter with a single value may be omitted. A default of sizes has a value on each
 * problem.
 */

/* A string that is not a word is an expression of sizes. */
static bool is_default_of_sizes(
	const struct at_config_node *node, const struct at_parameter *parameter)
{
	return node && node->kind == AT_CONFIG_STRING &&
	       parameter->type != AT_TYPE_WORD;
}

static void load_default(struct at_spec_loader *loader,
	const struct at_config_node *group, const struct at_parameter *parameter,
	const struct at_problem *problem, uint16_t *out)
{
	const struct at_config_node *node = at_config_find(group, parameter->name);
	char values[200], text[100], what[128];
	struct at_value value = { .type = AT_TYPE_NONE };
	size_t index;

	snprintf(what, sizeof(what), "default of parameter \"%.80s\"", parameter->name);
	if (is_default_of_sizes(node, parameter))
		at_spec_evaluate_sizes(loader, node, what, problem, NULL, &value);
	else if (node)
		value = at_spec_scalar(node);
	if (value.type != AT_TYPE_NONE &&
		at_spec_find_value(parameter, value, &index)) {
		*out = (uint16_t)index;
		return;
	}
	at_spec_values_text(parameter, values, sizeof(values));
	if (!node && parameter->value_count == 1) {
		*out = 0;
		return;
	}
	if (!node)
		at_spec_fail(loader, group->line,
			"\"defaults\" has no value for parameter \"%.80s\": expected one of %s",
			parameter->name, values);
	if (value.type == AT_TYPE_NONE)
		at_spec_fail(loader, node->line, "%s: expected one of %s, found %s",
			what, values, at_config_kind_text(node->kind));
	at_spec_value_text(value, text, sizeof(text));
	if (is_default_of_sizes(node, parameter))
		at_spec_fail(loader, node->line,
			"%s is %s on problem \"%.80s\": expected one of %s", what, text,
			problem->name, values);
	at_spec_fail(
		loader, node->line, "%s is %s: expected one of %s", what, text, values);
}

void at_spec_load_defaults(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "defaults");
	struct at_spec *spec = loader->spec;
	const char **names;

	/* Index 0 everywhere: the first values, if the file gives no defaults. */
	spec->defaults = at_calloc(spec->parameter_count, sizeof(*spec->defaults));
	if (!node)
		return;
	names = at_spec_allocate(loader, spec->parameter_count, sizeof(*names));
	for (size_t i = 0; i < spec->parameter_count; i++)
		names[i] = spec->parameters[i].name;
	at_spec_check_keys(loader, node, "\"defaults\"", names, spec->parameter_count);
	for (size_t i = 0; i < spec->parameter_count; i++) {
		load_default(loader, node, &spec->parameters[i], &spec->problems[0],
			&spec->defaults[i]);
		loader->has_defaults_of_sizes |= is_default_of_sizes(
			at_config_find(node, names[i]), &spec->parameters[i]);
	}
	spec->has_defaults = true;
}

void at_spec_load_defaults_of_problems(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "defaults");
	struct at_spec *spec = loader->spec;
	struct at_spec **copies;

	if (!loader->has_defaults_of_sizes)
		return;
	copies = at_calloc(spec->problem_count, sizeof(*copies));
	for (size_t i = 0; i < spec->problem_count; i++)
		at_spec_copy(spec, &copies[i]);
	spec->of_problems = copies;
	for (size_t i = 0; i < spec->problem_count; i++)
		for (size_t k = 0; k < spec->parameter_count; k++)
			load_default(loader, node, &spec->parameters[k],
				&spec->problems[i], &copies[i]->defaults[k]);
}

/* Macros: a parameter becomes a macro of its name, and each of its words another macro.
   With equal names the template would be compiled with a wrong value or not at all. */

void at_spec_check_macros(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	struct at_hash_index known = { 0 };
	struct at_strbuf name = { 0 };
	/* of a macro: twice the index of its parameter, and 1 more for a word */
	uint32_t number = 0, first = 0;

	for (uint32_t i = 0; i < spec->parameter_count && first == number; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];
		const size_t words =
			parameter->type == AT_TYPE_WORD ? parameter->value_count : 0;

		for (size_t v = 0; v <= words && first == number; v++) {
			number = 2 * i + (v > 0);
			at_strbuf_clear(&name);
			at_strbuf_addf(&name, "%s%s%s", parameter->name, v ? "_" : "",
				v ? parameter->values[v - 1].word : "");
			at_hash_index_put(&known, at_hash_bytes(name.data, name.length),
				number, &first);
		}
	}
	at_hash_index_release(&known);
	at_spec_own(loader->spec, name.data);
	if (first != number) {
		const bool is_word = number % 2;
		const struct at_parameter *one = &spec->parameters[number / 2];
		const struct at_parameter *other = &spec->parameters[first / 2];
		const struct at_parameter *word = is_word ? one : other;

		at_spec_fail(loader, word->line,
			"the word \"%.80s\" of parameter \"%.80s\" becomes the macro %.160s, which parameter \"%.80s\" of line %d becomes too: rename one",
			name.data + strlen(word->name) + 1, word->name, name.data,
			(is_word ? other : one)->name, (is_word ? other : one)->line);
	}
}
