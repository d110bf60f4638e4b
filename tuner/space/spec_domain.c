/* Loads the section "domain": the numbers for which a kernel promises to be right. */
#include "space/domain.h"
#include "base/memory.h"
#include "space/spec_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONSTRAINTS "constraints"
/* not an identifier; messages that list names omit names with a dot */
#define UNNAMED "."

enum { LANES_MAX = 4 /* components of a scalar */ };

/* An end of a range: an expression of numbers alone, such as "1 << 20". */
static void read_end(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *text, size_t length, struct at_value *out)
{
	struct at_spec_names names = {
		.hint = "; the ends of a range are numbers, what depends on others stands in \"" CONSTRAINTS
			"\""
	};
	struct at_names view = at_spec_names_view(&names);
	struct at_expression *expression;
	const char *copy = at_spec_own(loader->spec, at_strndup(text, length));
	enum at_evaluated evaluation;

	at_spec_compile_over(loader, copy, node->line, &view, &expression);
	evaluation = at_expression_evaluate(expression, NULL, out, NULL);
	if (evaluation || out->type == AT_TYPE_WORD)
		at_spec_fail(loader, node->line, "\"%.80s\" of domain: \"%.80s\" %s",
			node->name, copy,
			evaluation ? at_evaluation_text(evaluation) : "is no number");
}

static double real_of(struct at_value value)
{
	return value.type == AT_TYPE_REAL ? value.real : (double)value.integer;
}

static void make_real(struct at_value *value)
{
	*value = (struct at_value){ .type = AT_TYPE_REAL, .real = real_of(*value) };
}

/* Reads "1 .. 4096". */
static void read_range(struct at_spec_loader *loader, const struct at_config_node *node,
	struct at_domain_number *number)
{
	const char *dots = strstr(node->text, "..");

	if (!dots)
		at_spec_fail(loader, node->line,
			"\"%.80s\" of domain is \"%.80s\": expected a range \"LOW .. HIGH\", a number or a list [ ... ] of numbers",
			node->name, node->text);
	read_end(loader, node, node->text, (size_t)(dots - node->text), &number->low);
	read_end(loader, node, dots + 2, strlen(dots + 2), &number->high);
	if (number->low.type == AT_TYPE_REAL || number->high.type == AT_TYPE_REAL) {
		make_real(&number->low);
		make_real(&number->high);
	} else {
		number->low.type = number->high.type = AT_TYPE_INTEGER;
	}
	if (real_of(number->low) > real_of(number->high))
		at_spec_fail(loader, node->line,
			"\"%.80s\" of domain is \"%.80s\": expected the lower end first",
			node->name, node->text);
}

static int compare(const void *a, const void *b)
{
	return at_value_compare(
		*(const struct at_value *)a, *(const struct at_value *)b);
}

/* Reads a number, or a list of them. */
static void read_list(struct at_spec_loader *loader, const struct at_config_node *node,
	struct at_domain_number *number)
{
	const bool is_list =
		node->kind == AT_CONFIG_LIST || node->kind == AT_CONFIG_ARRAY;
	const size_t count = is_list ? node->count : 1;
	bool has_real = false;
	char what[128];

	snprintf(what, sizeof(what), "\"%.80s\" of domain", node->name);
	if (!count)
		at_spec_fail(loader, node->line, "%s has no values", what);
	number->values = at_spec_allocate(loader, count, sizeof(*number->values));
	for (size_t i = 0; i < count; i++) {
		const struct at_config_node *item = is_list ? &node->children[i] : node;

		number->values[i] = at_spec_scalar(item);
		if (number->values[i].type == AT_TYPE_NONE ||
			number->values[i].type == AT_TYPE_WORD)
			at_spec_fail_type(loader, item, what,
				"a range \"LOW .. HIGH\", a number or a list [ ... ] of numbers");
		has_real |= number->values[i].type == AT_TYPE_REAL;
	}
	for (size_t i = 0; i < count; i++)
		if (has_real)
			make_real(&number->values[i]);
		else
			number->values[i].type = AT_TYPE_INTEGER;
	qsort(number->values, count, sizeof(*number->values), compare);
	for (size_t i = 0; i < count; i++)
		if (!i || compare(&number->values[i], &number->values[i - 1]))
			number->values[number->value_count++] = number->values[i];
	number->low = number->values[0];
	number->high = number->values[number->value_count - 1];
}

static void find_number(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_domain_number *number)
{
	const struct at_spec *spec = loader->spec;
	const struct at_argument *argument;
	const char **names;
	char(*components)[AT_COMPONENT_BYTES], suggestion[256];
	size_t count = 0;

	for (size_t i = 0; i < spec->size_count; i++)
		if (!strcmp(spec->size_names[i], node->name))
			return;
	argument = at_domain_find_scalar(spec, node->name, &number->lane);
	if (argument) {
		number->argument = 1 + (size_t)(argument - spec->arguments);
		return;
	}
	names = at_spec_allocate(loader,
		spec->size_count + LANES_MAX * spec->argument_count + 1,
		sizeof(*names));
	components = at_spec_allocate(
		loader, LANES_MAX * spec->argument_count + 1, sizeof(*components));
	for (size_t i = 0; i < spec->size_count; i++)
		names[count++] = spec->size_names[i];
	for (size_t i = 0; i < spec->argument_count; i++)
		for (size_t k = 0;
			spec->arguments[i].value && !spec->arguments[i].is_pointer &&
			!spec->arguments[i].has_step &&
			k < (size_t)spec->arguments[i].lanes;
			k++) {
			char *name = components[count - spec->size_count];

			at_argument_component(
				&spec->arguments[i], k, name, AT_COMPONENT_BYTES);
			names[count++] = name;
		}
	at_spec_fail(loader, node->line,
		"\"%.80s\" of domain is neither a size nor a scalar argument%s",
		node->name,
		at_spec_suggestion(
			node->name, names, count, suggestion, sizeof(suggestion)));
}

static void load_number(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_domain *domain = &loader->spec->domain;
	struct at_domain_number *number = &domain->numbers[domain->number_count++];
	bool is_real;

	number->line = node->line;
	number->name = at_spec_copy_text(loader, node->name);
	find_number(loader, node, number);
	if (node->kind == AT_CONFIG_STRING)
		read_range(loader, node, number);
	else
		read_list(loader, node, number);
	if (!number->argument)
		return;
	is_real = at_element_kind(
			  loader->spec->arguments[number->argument - 1].element) ==
		  AT_ELEMENT_KIND_REAL;
	if (!is_real && number->low.type == AT_TYPE_REAL)
		at_spec_fail(loader, node->line,
			"\"%.80s\" of domain has real numbers, and the argument holds integers",
			node->name);
	if (is_real) {
		make_real(&number->low);
		make_real(&number->high);
		for (size_t i = 0; i < number->value_count; i++)
			make_real(&number->values[i]);
	}
}

static bool is_number(const struct at_domain *domain, const char *name)
{
	/* every number has a name by now; the analyzer does not know that */
	for (size_t i = 0; i < domain->number_count; i++)
		if (domain->numbers[i].name && !strcmp(domain->numbers[i].name, name))
			return true;
	return false;
}

static void load_constraints(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_spec *spec = loader->spec;
	struct at_domain *domain = &spec->domain;
	struct at_spec_names *names = &loader->domain_names;
	struct at_names view;

	*names = (struct at_spec_names){ .root = loader->root,
		.hint = "; a domain has its own numbers and the sizes",
		.definitions = &loader->definitions };
	at_spec_check_strings(loader, node, "\"" CONSTRAINTS "\" of domain");
	for (size_t i = 0; i < domain->number_count; i++)
		at_spec_names_add(
			names, domain->numbers[i].name, domain->numbers[i].low.type);
	/* a size that is already a number has a slot without a name */
	for (size_t i = 0; i < spec->size_count; i++)
		at_spec_names_add(names,
			is_number(domain, spec->size_names[i]) ? UNNAMED
							       : spec->size_names[i],
			AT_TYPE_NONE);
	view = at_spec_names_view(names);
	domain->constraints =
		at_spec_allocate(loader, node->count + 1, sizeof(*domain->constraints));
	for (size_t i = 0; i < node->count; i++) {
		struct at_constraint *constraint = &domain->constraints[i];

		constraint->line = node->children[i].line;
		at_spec_compile_over(loader, node->children[i].text, constraint->line,
			&view, &constraint->expression);
		domain->constraint_count++;
	}
}

void at_spec_load_domain_section(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "domain");
	const struct at_config_node *constraints = at_config_find(node, CONSTRAINTS);
	struct at_spec *spec = loader->spec;
	struct at_domain *domain = &spec->domain;
	struct at_value *values;

	if (!node)
		return;
	if (node->kind != AT_CONFIG_GROUP)
		at_spec_fail_type(loader, node, "\"domain\"",
			"a group { N = \"1 .. 4096\"; ... }");
	domain->line = node->line;
	domain->numbers =
		at_spec_allocate(loader, node->count + 1, sizeof(*domain->numbers));
	for (size_t i = 0; i < node->count; i++)
		if (strcmp(node->children[i].name, CONSTRAINTS) != 0)
			load_number(loader, &node->children[i]);
	if (constraints)
		load_constraints(loader, constraints);
	if (!domain->number_count)
		at_spec_fail(loader, node->line,
			"\"domain\" has no numbers: add N = \"1 .. 4096\"; or the like");
	values = at_spec_allocate(loader, domain->number_count, sizeof(*values));
	for (size_t i = 0; i < spec->problem_count; i++)
		if (at_domain_values(
			    spec, &spec->problems[i], NULL, values, loader->err) ||
			at_domain_check(spec, &spec->problems[i], values, loader->err))
			at_spec_give_up(loader);
}
