/* Which arguments get other contents in cases of a verification, and which (plan.h). */
#include "evaluator/plan_internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static bool is_given(const size_t *arguments, size_t count, size_t argument)
{
	for (size_t i = 0; i < count; i++)
		if (arguments[i] == argument)
			return true;
	return false;
}

bool at_plan_is_given_to_both(
	const struct at_spec *spec, const struct at_argument *argument)
{
	const struct at_call *reference = &spec->reference.call;
	size_t index = argument->owner ? argument->owner - 1
				       : (size_t)(argument - spec->arguments);

	return is_given(spec->kernel_arguments, spec->kernel_argument_count, index) &&
	       is_given(reference->arguments, reference->argument_count, index);
}

/* Whether an expression is the number, without sizes or parameters in it. */
static bool is_number(const struct at_expression *expression, double expected)
{
	struct at_value value;
	size_t count = 0;

	at_expression_slots(expression, &count);
	if (count || at_expression_evaluate(expression, NULL, &value, NULL))
		return false;
	return (value.type == AT_TYPE_REAL && value.real == expected) ||
	       (value.type == AT_TYPE_INTEGER && (double)value.integer == expected);
}

static bool is_zero_all_over(const struct at_argument *argument)
{
	const struct at_fill *fill = &argument->fill;

	return fill->kind == AT_FILL_CONSTANT && !argument->domain[0] &&
	       (!fill->a || is_number(fill->a, 0));
}

/* Whether an input counts up from 0 in steps: it may hold where rows begin. */
static bool counts_up(const struct at_spec *spec, const struct at_argument *argument,
	const struct at_value *slots)
{
	const struct at_fill *fill = &argument->fill;
	double step;

	return argument->access == AT_ACCESS_IN && fill->kind == AT_FILL_SEQUENCE &&
	       argument->lanes == 1 && !argument->domain[0] && fill->b &&
	       (!fill->a || is_number(fill->a, 0)) &&
	       !at_spec_real(spec, fill->b, slots, "", 0, &step, NULL) && step >= 2;
}

static enum at_other_contents contents_of(const struct at_spec *spec,
	const struct at_argument *argument, const struct at_value *slots)
{
	const bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;

	if (argument->is_fixed || !at_plan_is_given_to_both(spec, argument) ||
		argument->fill.kind == AT_FILL_NONE)
		return AT_OTHER_CONTENTS_NONE;
	if (argument->is_unsaid && !argument->has_fields && !argument->domain[0])
		return AT_OTHER_CONTENTS_OF_TYPE;
	if (is_zero_all_over(argument))
		return AT_OTHER_CONTENTS_TO_ONE;
	return !is_real && counts_up(spec, argument, slots) ? AT_OTHER_CONTENTS_ROWS
							    : AT_OTHER_CONTENTS_NONE;
}

void at_plan_other_contents(
	const struct at_spec *spec, const struct at_problem *tuned, uint64_t *out)
{
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));

	*out = 0;
	at_spec_bind(spec, tuned, NULL, NULL, slots);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	for (size_t i = 0; i < spec->argument_count && i < 64; i++)
		if (contents_of(spec, &spec->arguments[i], slots))
			*out |= UINT64_C(1) << i;
	free(slots);
}

/* Signed integers of 32 and 64 bits are as often positions and lengths as keys. A
   kernel may reach as far, or run as long, as they say, so that they stay small. */
#define SIGNED_END 32768.0

static void set_range_of_type(struct at_measure_argument *out)
{
	int bits = (int)(8 * at_element_bytes(out->element));
	bool is_signed = at_element_kind(out->element) == AT_ELEMENT_KIND_INTEGER;
	double end = ldexp(1, is_signed ? bits - 1 : bits);

	if (is_signed && end > SIGNED_END)
		end = SIGNED_END;
	out->fill = AT_FILL_UNIFORM;
	out->fill_a = is_signed ? -end : 0;
	/* where the type has more bits than a double: the last double below its end */
	out->fill_b = bits < 53 || is_signed ? end - 1 : nextafter(end, 0);
}

/*
 * The patterns of a proof multiply rare values of a normal fill by 100 deviations, by
 * 16 for narrow types (measure/data.c). With these deviations exp() overflows
 * (beyond 88.7 for floats, 709 for doubles) in a kernel that does not subtract the
 * largest value first.
 */
#define DEVIATION_SHORT 6.0
#define DEVIATION_DOUBLE 8.0
#define SHORT_LARGEST 1e6

static double deviation_of(enum at_element element)
{
	if (element == AT_ELEMENT_F64)
		return DEVIATION_DOUBLE;
	return at_element_largest(element) < SHORT_LARGEST ? DEVIATION_SHORT : 1;
}

bool at_plan_set_contents(const struct at_plan *self,
	const struct at_argument *argument, struct at_measure_argument *out)
{
	const size_t index = (size_t)(argument - self->spec->arguments);
	const bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;

	if (index >= 64 || !(self->contents >> index & 1))
		return false;
	switch (contents_of(self->spec, argument, self->slots)) {
	case AT_OTHER_CONTENTS_NONE:
		return false;
	case AT_OTHER_CONTENTS_ROWS:
		out->begins_rows = true;
		return false;
	case AT_OTHER_CONTENTS_OF_TYPE:
		if (!is_real) {
			set_range_of_type(out);
			return true;
		}
		out->fill = AT_FILL_NORMAL;
		out->fill_b = deviation_of(out->element);
		return true;
	case AT_OTHER_CONTENTS_TO_ONE:
		break;
	}
	/* a sum so far may be one of squares, of which a root is taken */
	out->fill = AT_FILL_UNIFORM;
	out->fill_a = is_real && argument->access == AT_ACCESS_IN ? -1 : 0;
	out->fill_b = 1;
	out->is_fixed = true;
	return true;
}
