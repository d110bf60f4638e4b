/* Tells where in a space a number stands, so that one that is a size is not changed
   alone (plan_vary.h). */
#include "evaluator/plan_vary.h"
#include "evaluator/plan_values.h"

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

int64_t at_plan_low(const struct at_spec *spec, int64_t value)
{
	int64_t low = AT_PLAN_LOW;

	/* nothing is equal to what stands for none, but something to 0 */
	if (value < 0)
		return 0;
	if (value <= AT_PLAN_LOW)
		return value;
	/* A sixteenth of a limit that is large enough for anything is still more than
	   there is. Each doubling is one step more, so that what was less is not more.
	 */
	for (int64_t rest = value / AT_PLAN_LOW; rest >= 2 * AT_PLAN_LOW; rest /= 2)
		low += AT_PLAN_LOW;
	if (!at_plan_is_divided(spec, value, low))
		return low;
	low = value < 2 * AT_PLAN_LOW * AT_PLAN_LOW
		      ? AT_PLAN_LOW
		      : value / AT_PLAN_LOW / AT_PLAN_LOW * AT_PLAN_LOW;
	return at_plan_is_divided(spec, value, low) ? value : low;
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

/* Whether a size of a problem is another one, or is computed from it. */
static bool follows(const struct at_problem *problem, size_t size, size_t from)
{
	size_t count = 0;
	const int *slots =
		problem->sizes[size].expression
			? at_expression_slots(problem->sizes[size].expression, &count)
			: NULL;

	for (size_t i = 0; i < count; i++)
		if (follows(problem, (size_t)slots[i], from))
			return true;
	return size == from;
}

/* Whether the count of a buffer names a size, or one that is computed from it. */
static bool is_in_count(
	const struct at_spec *spec, const struct at_problem *problem, size_t size)
{
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_expression *expression = spec->arguments[i].count;
		size_t count = 0;
		const int *slots =
			expression ? at_expression_slots(expression, &count) : NULL;

		for (size_t k = 0; k < count; k++)
			for (size_t j = 0; j < problem->size_count; j++)
				if (!strcmp(problem->sizes[j].name,
					    at_spec_slot_name(spec, slots[k])) &&
					follows(problem, j, size))
					return true;
	}
	return false;
}

static bool problems_count(const struct at_spec *spec,
	const struct at_problem *problems, size_t count, int64_t number)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < problems[i].size_count; j++) {
			const struct at_value *value = &problems[i].sizes[j].value;

			if (value->type == AT_TYPE_INTEGER &&
				value->integer == number &&
				is_in_count(spec, &problems[i], j))
				return true;
		}
	return false;
}

bool at_plan_counts_size(const struct at_spec *spec, int64_t number)
{
	return problems_count(spec, spec->problems, spec->problem_count, number) ||
	       problems_count(
		       spec, spec->verify.problems, spec->verify.problem_count, number);
}
