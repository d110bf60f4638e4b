#include "space/spec_load.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	VALUES_MAX = 65535, /* indices are uint16_t */
};

/*
 * Values.
 */

static enum at_type type_of(enum at_config_kind kind)
{
	switch (kind) {
	case AT_CONFIG_INTEGER:
		return AT_TYPE_INTEGER;
	case AT_CONFIG_REAL:
		return AT_TYPE_REAL;
	case AT_CONFIG_BOOLEAN:
		return AT_TYPE_BOOLEAN;
	case AT_CONFIG_STRING:
		return AT_TYPE_WORD;
	case AT_CONFIG_NONE:
	case AT_CONFIG_GROUP:
	case AT_CONFIG_LIST:
	case AT_CONFIG_ARRAY:
		break;
	}
	return AT_TYPE_NONE;
}

/* The type of all: reals and integers together are reals. */
static enum at_status common_type(const struct at_spec_loader *loader,
	const struct at_config_node *items, size_t count,
	struct at_parameter *parameter)
{
	for (size_t i = 0; i < count; i++) {
		enum at_type type = type_of(items[i].kind);
		bool numbers = (type == AT_TYPE_INTEGER || type == AT_TYPE_REAL) &&
			       (parameter->type == AT_TYPE_INTEGER ||
				       parameter->type == AT_TYPE_REAL);

		if (type == AT_TYPE_NONE)
			return at_fail(loader->err, AT_EINVAL, loader->file,
				items[i].line,
				"parameter \"%.80s\": expected numbers, booleans or words as values, found %s",
				parameter->name, at_config_kind_text(items[i].kind));
		if (parameter->type == AT_TYPE_NONE || parameter->type == type)
			parameter->type = type;
		else if (numbers)
			parameter->type = AT_TYPE_REAL;
		else
			return at_fail(loader->err, AT_EINVAL, loader->file,
				items[i].line,
				"parameter \"%.80s\" mixes values of type %s and %s: expected values of one type",
				parameter->name, at_type_name(parameter->type),
				at_type_name(type));
	}
	return AT_OK;
}

/* A word becomes the end of a macro's name: CACHE_ca. */
static bool is_word(const char *text)
{
	const char *c = text;

	while (isalnum((unsigned char)*c) || *c == '_')
		c++;
	return c > text && !*c;
}

static enum at_status read_real(const struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_parameter *parameter,
	double *out)
{
	*out = node->real;
	if (node->kind == AT_CONFIG_REAL || at_spec_exact_real(node->integer, out))
		return AT_OK;
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"parameter \"%.80s\": %lld stands among reals but is too large to be one exactly",
		parameter->name, (long long)node->integer);
}

/* A node as a value of the type; a word is copied. */
static enum at_status read_value(const struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_parameter *parameter,
	struct at_value *out)
{
	*out = (struct at_value){ .type = parameter->type };
	if (parameter->type == AT_TYPE_WORD) {
		if (!is_word(node->text))
			return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
				"parameter \"%.80s\": \"%.80s\" is not a word: expected letters, digits and \"_\", since it becomes part of the macro %.80s_...",
				parameter->name, node->text, parameter->name);
		out->word = at_strdup(node->text);
		return out->word ? AT_OK : at_fail_memory(loader->err);
	}
	if (parameter->type != AT_TYPE_REAL) {
		out->integer = node->integer;
		return AT_OK;
	}
	return read_real(loader, node, parameter, &out->real);
}

static enum at_status read_items(const struct at_spec_loader *loader,
	const struct at_config_node *items, size_t count,
	struct at_parameter *parameter)
{
	enum at_status status;

	if (count == 0)
		return at_fail(loader->err, AT_EINVAL, loader->file, parameter->line,
			"parameter \"%.80s\" has no values", parameter->name);
	if (count > VALUES_MAX)
		return at_fail(loader->err, AT_EINVAL, loader->file, parameter->line,
			"parameter \"%.80s\" has %zu values, more than the most, %d",
			parameter->name, count, VALUES_MAX);
	status = common_type(loader, items, count, parameter);
	if (status)
		return status;
	parameter->values = calloc(count, sizeof(*parameter->values));
	if (!parameter->values)
		return at_fail_memory(loader->err);
	for (size_t i = 0; i < count && !status; i++) {
		struct at_value value;

		status = read_value(loader, &items[i], parameter, &value);
		if (!status)
			parameter->values[parameter->value_count++] = value;
	}
	return status;
}

/*
 * Ranges: { from; to; times; } or { from; to; step; }.
 */

struct range {
	const struct at_config_node *from;
	const struct at_config_node *to;
	const struct at_config_node *by; /* times or step */
	bool times;
	bool integers; /* all three; if not, these are their values: */
	double real_from;
	double real_to;
	double real_by;
};

static enum at_status add_value(const struct at_spec_loader *loader,
	struct at_parameter *parameter, size_t *capacity, struct at_value value)
{
	if (parameter->value_count == VALUES_MAX)
		return at_fail(loader->err, AT_EINVAL, loader->file, parameter->line,
			"parameter \"%.80s\" has more than %d values, the most",
			parameter->name, VALUES_MAX);
	if (AT_RESERVE(parameter->values, *capacity, parameter->value_count + 1,
		    loader->err))
		return AT_ENOMEM;
	parameter->values[parameter->value_count++] = value;
	return AT_OK;
}

static enum at_status integer_range(const struct at_spec_loader *loader,
	const struct range *range, struct at_parameter *parameter)
{
	int64_t value = range->from->integer;
	const int64_t to = range->to->integer, by = range->by->integer;
	enum at_status status;
	size_t capacity = 0;

	parameter->type = AT_TYPE_INTEGER;
	for (;;) {
		status = add_value(loader, parameter, &capacity,
			(struct at_value){ .type = AT_TYPE_INTEGER, .integer = value });
		if (status)
			return status;
		if (range->times ? value > to / by
				 : (uint64_t)to - (uint64_t)value < (uint64_t)by)
			return AT_OK;
		value = range->times ? value * by : value + by;
	}
}

static enum at_status real_range(const struct at_spec_loader *loader,
	const struct range *range, struct at_parameter *parameter)
{
	const double from = range->real_from, to = range->real_to, by = range->real_by;
	enum at_status status = AT_OK;
	size_t capacity = 0;

	parameter->type = AT_TYPE_REAL;
	for (size_t i = 0; !status; i++) {
		double value = range->times ? from * pow(by, (double)i)
					    : from + by * (double)i;
		/* 0.1 + 2 * 0.1 misses 0.3 by rounding only: then it is the end */
		double slack = 1e-9 * (range->times ? fabs(to) : by);

		if (value > to + slack)
			break;
		if (value > to - slack)
			value = to;
		status = add_value(loader, parameter, &capacity,
			(struct at_value){ .type = AT_TYPE_REAL, .real = value });
	}
	return status;
}

static enum at_status find_range(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, struct range *range)
{
	static const char *const keys[] = { "from", "to", "times", "step" };
	const struct at_config_node *step = at_config_find(node, "step");
	const struct at_config_node *times = at_config_find(node, "times");
	enum at_status status =
		at_spec_check_group(loader, node, what, keys, AT_COUNT_OF(keys));

	if (!status)
		status = at_spec_require(loader, node, what, "from", "from = ...;");
	if (!status)
		status = at_spec_require(loader, node, what, "to", "to = ...;");
	if (!status && !step == !times)
		status = at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s: expected one of \"times\" and \"step\", found %s", what,
			step ? "both" : "neither");
	*range = (struct range){ .from = at_config_find(node, "from"),
		.to = at_config_find(node, "to"),
		.by = times ? times : step,
		.times = times != NULL,
		.integers = true };
	return status;
}

static enum at_status read_part(const struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_parameter *parameter,
	struct range *range, double *out)
{
	if (node->kind != AT_CONFIG_INTEGER && node->kind != AT_CONFIG_REAL)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"parameter \"%.80s\": \"%s\": expected a number, found %s",
			parameter->name, node->name, at_config_kind_text(node->kind));
	/* integers beyond 2^53 are fine until a real makes them reals too */
	if (node->kind == AT_CONFIG_REAL)
		range->integers = false;
	*out = node->kind == AT_CONFIG_REAL ? node->real : (double)node->integer;
	return AT_OK;
}

static enum at_status check_range(const struct at_spec_loader *loader, const char *what,
	const struct range *range)
{
	if (range->integers ? range->from->integer > range->to->integer
			    : range->real_from > range->real_to)
		return at_fail(loader->err, AT_EINVAL, loader->file, range->from->line,
			"%s: \"from\" is greater than \"to\"", what);
	if (range->times && (range->real_by < 2 || !(range->real_from > 0)))
		return at_fail(loader->err, AT_EINVAL, loader->file, range->by->line,
			"%s: with \"times\", expected \"times\" of 2 or more and \"from\" above 0",
			what);
	if (!range->times && !(range->real_by > 0))
		return at_fail(loader->err, AT_EINVAL, loader->file, range->by->line,
			"%s: expected a \"step\" above 0", what);
	return AT_OK;
}

static enum at_status read_range(const struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_parameter *parameter)
{
	struct range range;
	char what[128];
	enum at_status status;

	snprintf(what, sizeof(what), "parameter \"%.80s\"", parameter->name);
	status = find_range(loader, node, what, &range);
	if (!status)
		status = read_part(
			loader, range.from, parameter, &range, &range.real_from);
	if (!status)
		status = read_part(loader, range.to, parameter, &range, &range.real_to);
	if (!status)
		status = read_part(loader, range.by, parameter, &range, &range.real_by);
	if (!status && !range.integers)
		status = read_real(loader, range.from, parameter, &range.real_from);
	if (!status && !range.integers)
		status = read_real(loader, range.to, parameter, &range.real_to);
	if (!status)
		status = check_range(loader, what, &range);
	if (status)
		return status;
	return range.integers ? integer_range(loader, &range, parameter)
			      : real_range(loader, &range, parameter);
}

/*
 * No value twice.
 */

static int compare_values(const void *left, const void *right)
{
	const struct at_value *a = *(const struct at_value *const *)left;
	const struct at_value *b = *(const struct at_value *const *)right;

	switch (a->type) {
	case AT_TYPE_NONE:
		break;
	case AT_TYPE_INTEGER:
	case AT_TYPE_BOOLEAN:
		return (a->integer > b->integer) - (a->integer < b->integer);
	case AT_TYPE_REAL:
		return (a->real > b->real) - (a->real < b->real);
	case AT_TYPE_WORD:
		return strcmp(a->word, b->word);
	}
	return 0;
}

static enum at_status check_distinct(const struct at_spec_loader *loader,
	const struct at_parameter *parameter, const struct at_config_node *node)
{
	const struct at_value **sorted =
		calloc(parameter->value_count, sizeof(*sorted));
	enum at_status status = AT_OK;

	if (!sorted)
		return at_fail_memory(loader->err);
	for (size_t i = 0; i < parameter->value_count; i++)
		sorted[i] = &parameter->values[i];
	qsort(sorted, parameter->value_count, sizeof(*sorted), compare_values);
	for (size_t i = 1; i < parameter->value_count && !status; i++) {
		const struct at_value *later =
			sorted[i] > sorted[i - 1] ? sorted[i] : sorted[i - 1];
		size_t index = (size_t)(later - parameter->values);
		char text[100];

		if (!compare_values(&sorted[i], &sorted[i - 1]))
			status = at_fail(loader->err, AT_EINVAL, loader->file,
				node->kind != AT_CONFIG_GROUP
					? node->children[index].line
					: parameter->line,
				"parameter \"%.80s\" has the value %s twice",
				parameter->name,
				at_spec_value_text(*later, text, sizeof(text)));
	}
	free(sorted);
	return status;
}

/*
 * The section.
 */

static enum at_status load_parameter(const struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_parameter *parameter)
{
	enum at_status status = at_spec_check_name(
		loader, node->line, "a parameter's name", node->name);

	if (status)
		return status;
	parameter->line = node->line;
	parameter->name = at_strdup(node->name);
	if (!parameter->name)
		return at_fail_memory(loader->err);
	if (node->kind == AT_CONFIG_GROUP)
		status = read_range(loader, node, parameter);
	else if (node->kind == AT_CONFIG_LIST || node->kind == AT_CONFIG_ARRAY)
		status = read_items(loader, node->children, node->count, parameter);
	else
		status = read_items(loader, node, 1, parameter);
	return status ? status : check_distinct(loader, parameter, node);
}

enum at_status at_spec_load_parameters(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "parameters");
	struct at_spec *spec = loader->spec;
	enum at_status status = AT_OK;

	if (!node)
		return at_fail(loader->err, AT_EINVAL, loader->file, 0,
			"has no \"parameters\": expected parameters: { NAME = [ values ]; };");
	if (node->kind != AT_CONFIG_GROUP)
		return at_spec_fail_type(loader, node, "\"parameters\"",
			"a group { NAME = [ values ]; }");
	if (!node->count)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"parameters\" is empty: expected at least one NAME = [ values ];");
	spec->parameters = calloc(node->count, sizeof(*spec->parameters));
	if (!spec->parameters)
		return at_fail_memory(loader->err);
	spec->parameter_count = node->count;
	for (size_t i = 0; i < node->count && !status; i++)
		status = load_parameter(
			loader, &node->children[i], &spec->parameters[i]);
	return status;
}
