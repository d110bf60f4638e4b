/* Which numbers of a space a proof may change: scalars, and where sums begin. */
#include "evaluator/plan_internal.h"

#include "base/memory.h"
#include "base/text.h"

static bool is_given(const size_t *arguments, size_t count, size_t argument)
{
	for (size_t i = 0; i < count; i++)
		if (arguments[i] == argument)
			return true;
	return false;
}

/* Kernel and reference both get it: who gets it alone cannot be right any more. */
static bool is_given_to_both(
	const struct at_spec *spec, const struct at_argument *argument)
{
	const struct at_call *reference = &spec->reference.call;
	size_t index = argument->owner ? argument->owner - 1
				       : (size_t)(argument - spec->arguments);

	return is_given(spec->kernel_arguments, spec->kernel_argument_count, index) &&
	       is_given(reference->arguments, reference->argument_count, index);
}

/* A number, and nothing that follows from sizes or parameters. */
static bool is_number(const struct at_expression *expression, double *out)
{
	struct at_value value;
	size_t count = 0;

	if (!expression)
		return false;
	at_expression_slots(expression, &count);
	if (count || at_expression_evaluate(expression, NULL, &value, NULL) !=
			     AT_EVALUATION_OK)
		return false;
	*out = value.type == AT_TYPE_REAL ? value.real : (double)value.integer;
	return value.type == AT_TYPE_REAL || value.type == AT_TYPE_INTEGER;
}

static bool is_zero_all_over(const struct at_argument *argument)
{
	double value = 0;

	return argument->fill.kind == AT_FILL_CONSTANT && !argument->domain[0] &&
	       (!argument->fill.a ||
		       (is_number(argument->fill.a, &value) && value == 0));
}

bool at_plan_is_varied(const struct at_spec *spec, const struct at_argument *argument,
	enum at_variation variation)
{
	bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;
	double value = 0;

	if (variation == AT_VARIATION_NONE || argument->is_fixed ||
		!is_given_to_both(spec, argument))
		return false;
	switch (variation) {
	case AT_VARIATION_REALS:
		return is_real && is_number(argument->value, &value);
	case AT_VARIATION_FLAGS:
		/* what is larger is a length, a radius, a number of steps */
		return !is_real && argument->lanes == 1 &&
		       is_number(argument->value, &value) && (value == 0 || value == 1);
	case AT_VARIATION_SUMS:
		/* integers are tickets and cursors as well, behind which kernels wait
		   and write */
		return is_real && argument->access == AT_ACCESS_INOUT &&
		       is_zero_all_over(argument);
	/* A bias or a mask that begins at 0 is nothing that sums begin at: each kind
	   has a proof of its own, so that one does not excuse the other. */
	case AT_VARIATION_ZEROS:
		return is_real && argument->access == AT_ACCESS_IN &&
		       is_zero_all_over(argument);
	case AT_VARIATION_MASKS:
		return !is_real && argument->access == AT_ACCESS_IN &&
		       is_zero_all_over(argument);
	case AT_VARIATION_NONE:
	case AT_VARIATION_COUNT:
		break;
	}
	return false;
}

enum at_status at_plan_name_variation(const struct at_spec *spec,
	enum at_variation variation, char **out, struct at_error *err)
{
	struct at_strbuf name = { 0 };
	size_t count = 0;

	*out = NULL;
	if (!spec->verify.derives_problems ||
		(spec->reference.kind != AT_REFERENCE_KERNEL &&
			spec->reference.kind != AT_REFERENCE_LIBRARY))
		return AT_OK;
	at_strbuf_add(&name, "derived");
	for (size_t i = 0; i < spec->argument_count; i++)
		if (at_plan_is_varied(spec, &spec->arguments[i], variation))
			at_strbuf_addf(&name, "%s %.60s", count++ ? "," : "",
				spec->arguments[i].name);
	at_strbuf_add(&name, " other than in the space");
	if (count) {
		*out = at_strbuf_detach(&name);
		return *out ? AT_OK : at_fail_memory(err);
	}
	at_strbuf_release(&name);
	return AT_OK;
}
