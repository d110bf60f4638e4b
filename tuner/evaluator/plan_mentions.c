/* Tells where in a space a number stands, so that one that is a size is not changed
   alone (plan_vary.h). */
#include "evaluator/plan_vary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether the number stands in a text, and not as part of a longer number or a name. */
static bool mentions(const char *text, int64_t number)
{
	for (const char *c = text; c && *c;) {
		char *end;
		bool is_part = c > text && (isalnum((unsigned char)c[-1]) ||
						   c[-1] == '_' || c[-1] == '.');

		if (!isdigit((unsigned char)*c)) {
			c++;
			continue;
		}
		if (strtoll(c, &end, 10) == number && !is_part)
			return true;
		c = end;
	}
	return false;
}

static bool expression_mentions(const struct at_expression *expression, int64_t number)
{
	return expression && mentions(at_expression_text(expression), number);
}

static bool launch_mentions(const struct at_launch *launch, int64_t number)
{
	for (size_t i = 0; i < launch->grid_rank; i++)
		if (expression_mentions(launch->grid[i], number))
			return true;
	for (size_t i = 0; i < launch->block_rank; i++)
		if (expression_mentions(launch->block[i], number))
			return true;
	return expression_mentions(launch->shared_bytes, number);
}

bool at_plan_is_divided(const struct at_spec *spec, int64_t number, int64_t other)
{
	for (size_t i = 0; i < spec->parameter_count; i++)
		for (size_t j = 0; j < spec->parameters[i].value_count; j++) {
			const struct at_value *value = &spec->parameters[i].values[j];

			if (value->type == AT_TYPE_INTEGER && value->integer > 1 &&
				number % value->integer == 0 &&
				other % value->integer != 0)
				return true;
		}
	return false;
}

/* Whether an argument's value names the size: then a plain number in another argument
   is not that size, though it may be as large. */
static bool is_named(const struct at_spec *spec, const char *size)
{
	for (size_t i = 0; i < spec->argument_count; i++) {
		const int *slots;
		size_t count;

		if (!spec->arguments[i].value)
			continue;
		slots = at_expression_slots(spec->arguments[i].value, &count);
		for (size_t k = 0; k < count; k++)
			if (!strcmp(at_spec_slot_name(spec, slots[k]), size))
				return true;
	}
	return false;
}

static bool problems_mention(const struct at_spec *spec,
	const struct at_problem *problems, size_t count, int64_t number)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < problems[i].size_count; j++) {
			const struct at_size *size = &problems[i].sizes[j];

			if (size->value.type == AT_TYPE_INTEGER &&
				size->value.integer == number &&
				!is_named(spec, size->name))
				return true;
		}
	return false;
}

bool at_plan_is_text_and(const char *text, const char *begin, const char *rest)
{
	const char *parts[] = { begin, rest };

	for (size_t i = 0; i < 2; i++)
		for (const char *c = parts[i]; *c; c++) {
			while (*text == ' ')
				text++;
			if (*c != ' ' && *c != *text++)
				return false;
		}
	return !text[strspn(text, " ")];
}

bool at_plan_is_in_counts(const struct at_spec *spec, int64_t number)
{
	for (size_t i = 0; i < spec->argument_count; i++)
		if (expression_mentions(spec->arguments[i].count, number))
			return true;
	for (size_t i = 0; i < spec->option_count; i++)
		if (mentions(spec->options[i].text, number))
			return true;
	for (size_t i = 0; i < spec->constraint_count; i++)
		if (expression_mentions(spec->constraints[i].expression, number))
			return true;
	return launch_mentions(&spec->launch, number) ||
	       launch_mentions(&spec->prepare.launch, number) ||
	       launch_mentions(&spec->finish.launch, number);
}

bool at_plan_is_size(const struct at_spec *spec, int64_t number)
{
	return at_plan_is_in_counts(spec, number) ||
	       problems_mention(spec, spec->problems, spec->problem_count, number) ||
	       problems_mention(
		       spec, spec->verify.problems, spec->verify.problem_count, number);
}
