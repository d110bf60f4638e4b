/* Decides which arguments the variations of a proof (enum at_variation) may change, and
   to what. */
#include "evaluator/plan_internal.h"
#include "evaluator/plan_values.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_given(const size_t *arguments, size_t count, size_t argument)
{
	for (size_t i = 0; i < count; i++)
		if (arguments[i] == argument)
			return true;
	return false;
}

/* Whether both kernel and reference get the argument. If only one got the changed
   value, the two would differ even where the kernel is right. */
static bool is_given_to_both(
	const struct at_spec *spec, const struct at_argument *argument)
{
	const struct at_call *reference = &spec->reference.call;
	size_t index = argument->owner ? argument->owner - 1
				       : (size_t)(argument - spec->arguments);

	return is_given(spec->kernel_arguments, spec->kernel_argument_count, index) &&
	       is_given(reference->arguments, reference->argument_count, index);
}

/* Whether an expression is a plain number, without sizes or parameters in it. */
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

/* What a kernel, which takes these arguments, does with one of them (enum at_use). */
static unsigned uses_of(const struct at_spec *spec, const struct at_template *template,
	const char *kernel, const size_t *arguments, size_t count,
	const struct at_argument *argument)
{
	for (size_t i = 0; i < count; i++)
		if (&spec->arguments[arguments[i]] == argument)
			return at_template_uses(template, kernel, i);
	return 0;
}

static unsigned uses_of_reference(const struct at_spec *spec,
	const struct at_template *template, const struct at_argument *argument)
{
	const struct at_call *call = &spec->reference.call;

	return spec->reference.kind == AT_REFERENCE_KERNEL && template
		       ? uses_of(spec, template, call->kernel, call->arguments,
				 call->argument_count, argument)
		       : 0;
}

/* The place of an argument among those of the reference; of none how many it has. */
static size_t index_in_reference(
	const struct at_spec *spec, const struct at_argument *argument)
{
	const struct at_call *call = &spec->reference.call;
	size_t index = 0;

	while (index < call->argument_count &&
		&spec->arguments[call->arguments[index]] != argument)
		index++;
	return index;
}

bool at_plan_counts_by(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument)
{
	unsigned ours =
		template ? uses_of(spec, template, spec->kernel, spec->kernel_arguments,
				   spec->kernel_argument_count, argument)
			 : 0;
	unsigned theirs = uses_of_reference(spec, template, argument);

	return ours && theirs && !((ours | theirs) & AT_USE_LOOKED_AT);
}

int64_t at_plan_other_kind(const struct at_spec *spec,
	const struct at_template *template, const struct at_argument *argument,
	int64_t value, bool is_last)
{
	const struct at_call *call = &spec->reference.call;
	int64_t found = 0;
	size_t index = index_in_reference(spec, argument);
	uint64_t kinds;

	if (spec->reference.kind != AT_REFERENCE_KERNEL || !template ||
		index == call->argument_count)
		return 0;
	kinds = at_template_kinds(template, call->kernel, index);
	if (value == 0 || value == 1) /* larger ones become less anyway */
		kinds |= at_template_limits(template, call->kernel, index);
	/* flags become each other; what buffers are as long as is no kind; and 1 alone
	   is where a formula does not hold, as that of a variance */
	if (value < 2 || !(kinds & ~UINT64_C(3)) || at_plan_is_in_counts(spec, value))
		kinds &= ~UINT64_C(2);
	for (int64_t kind = 1; kind < 64 && (is_last || !found); kind++)
		if (kinds >> kind & 1 && kind != value)
			found = kind;
	return found;
}

/* ---- whole numbers that are larger than a flag -------------------------------- */

static bool is_whole_number(const struct at_argument *argument, double *out)
{
	return at_element_kind(argument->element) != AT_ELEMENT_KIND_REAL &&
	       argument->lanes == 1 && is_number(argument->value, out);
}

/* the largest number of 32 bits */
#define LARGEST_COUNT 4294967295.0

/* Whether the number and another scalar make a size, as rows and columns do. */
static bool makes_size(const struct at_spec *spec, double value)
{
	double other;

	for (size_t i = 0; i < spec->argument_count; i++)
		if (is_whole_number(&spec->arguments[i], &other) && other >= 2 &&
			other <= LARGEST_COUNT && fabs(other * value) < 1e15 &&
			at_plan_is_size(spec, (int64_t)fabs(other * value)))
			return true;
	return false;
}

/*
 * Whether a scalar may become smaller: a seed, a radius, a stride, a number of steps. A
 * scalar from which sizes are computed may not; that includes rows and columns whose
 * product is the count of a buffer.
 */
static bool is_count(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument)
{
	double value;

	/* what stands for none, as a class to be left out, is no size */
	if (is_whole_number(argument, &value) && value == -1)
		return true;
	if (!is_whole_number(argument, &value) || fabs(value) < 1 ||
		(value == 1 && !at_plan_counts_by(spec, template, argument)) ||
		fabs(value) > LARGEST_COUNT ||
		at_plan_is_size(spec, (int64_t)fabs(value)) ||
		at_plan_is_divided(
			spec, (int64_t)value, at_plan_other_count((int64_t)value)))
		return false;
	return !makes_size(spec, value);
}

static bool has_low(const struct at_spec *spec, int64_t value)
{
	/* -1 becomes 0 as a count does */
	return value != -1 && at_plan_low(spec, value) != value;
}

/* the least count of a buffer that is taken for sums */
#define SUMS_LEAST 8

/*
 * Whether a buffer of whole numbers that begins as 0 holds sums, as the counts of a
 * histogram do. A few numbers are tickets or cursors, by which kernels wait and
 * address, unless the reference only adds to them; one for each block is a flag. Those
 * have to be 0, and are nothing to a reference.
 */
static bool is_of_sums(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument)
{
	unsigned uses = uses_of_reference(spec, template, argument);
	double value;

	return argument->access == AT_ACCESS_INOUT && is_zero_all_over(argument) &&
	       (uses & AT_USE_ANY) &&
	       (!is_number(argument->count, &value) || value >= SUMS_LEAST ||
		       !(uses & AT_USE_NO_SUM));
}

/* Whether a scalar of 32 bits is a seed, by its name and type: a reference that steps
   up to any other number, as high as that, would run for as long as it may. */
static bool is_seed(const struct at_argument *argument)
{
	size_t length = strlen(argument->name);
	double value;

	/* not seed_x, the place where something begins to grow */
	return argument->element == AT_ELEMENT_U32 && length >= 4 &&
	       !strcmp(argument->name + length - 4, "seed") &&
	       is_whole_number(argument, &value) && value < AT_PLAN_LARGE_COUNT;
}

/* Whether a number is a flag or a count that becomes another one. */
static bool is_whole_varied(const struct at_spec *spec,
	const struct at_template *template, const struct at_argument *argument)
{
	return at_plan_is_varied(spec, template, argument, AT_VARIATION_ON) ||
	       at_plan_is_varied(spec, template, argument, AT_VARIATION_OFF) ||
	       at_plan_is_varied(spec, template, argument, AT_VARIATION_COUNTS);
}

/*
 * Whether it is one of those that change, of such numbers that are equal: in turns each
 * second one, each first one, and of each four the last two and the first two. So of
 * any two of four either changes without the other.
 */
static bool is_of_equal(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument, enum at_variation variation)
{
	size_t ahead = 0, count = 0;
	double value = 0, other = 0;

	if (!is_whole_number(argument, &value) ||
		!is_whole_varied(spec, template, argument))
		return false;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *one = &spec->arguments[i];
		bool is_equal = is_whole_number(one, &other) && other == value &&
				is_whole_varied(spec, template, one);

		count += is_equal;
		ahead += is_equal && one < argument;
	}
	switch (variation) {
	case AT_VARIATION_ALIKE:
		return ahead % 2 == 1;
	case AT_VARIATION_ALIKE_FIRST:
		return count > 1 && ahead % 2 == 0;
	case AT_VARIATION_ALIKE_LAST_TWO:
		return count > 2 && ahead % 4 >= 2;
	default:
		return count > 2 && ahead % 4 < 2;
	}
}

/* Whether a scalar chooses between ways of the reference, and may choose another. */
static bool has_kind(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument, bool is_last)
{
	double value = 0;
	int64_t first, last;

	if (!is_whole_number(argument, &value) || fabs(value) > LARGEST_COUNT)
		return false;
	first = at_plan_other_kind(spec, template, argument, (int64_t)value, false);
	last = at_plan_other_kind(spec, template, argument, (int64_t)value, true);
	return is_last ? last != first : first != 0;
}

/* Whether the reference is a kernel whose text says so of the parameter that the
   argument is. */
static bool is_in_reference(const struct at_spec *spec,
	const struct at_template *template, const struct at_argument *argument,
	bool (*says)(const struct at_template *self, const char *kernel, size_t index))
{
	const struct at_call *call = &spec->reference.call;
	size_t index = index_in_reference(spec, argument);

	return spec->reference.kind == AT_REFERENCE_KERNEL && template &&
	       index < call->argument_count && argument->lanes == 1 &&
	       says(template, call->kernel, index);
}

/*
 * Whether a scalar is below 0, as a shift to one side, and may be as far above 0: where
 * no other one could be the upper end of a range, which it would pass then.
 */
static bool may_turn(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument)
{
	double value = 0, other = 0;

	/* -1 stands for none as often as not */
	if (!is_whole_number(argument, &value) || value >= -1 ||
		!is_count(spec, template, argument) ||
		is_in_reference(spec, template, argument, at_template_shifts_back))
		return false;
	for (size_t i = 0; i < spec->argument_count; i++)
		if (is_whole_number(&spec->arguments[i], &other) && other > 0 &&
			other < -value)
			return false;
	return true;
}

bool at_plan_asks_for_zero(const struct at_spec *spec,
	const struct at_template *template, const struct at_argument *argument)
{
	return is_in_reference(spec, template, argument, at_template_asks_for_zero);
}

/* from here on numbers are seldom equal to a size by chance */
#define LEAST_NO_CHANCE 16

/* Whether a number is by chance a size that nothing names: two samples, two images. */
static bool is_size_by_chance(
	const struct at_spec *spec, const struct at_argument *argument)
{
	double value = 0;

	return is_whole_number(argument, &value) && fabs(value) <= LARGEST_COUNT &&
	       !at_plan_is_in_counts(spec, (int64_t)fabs(value)) &&
	       (fabs(value) < LEAST_NO_CHANCE ||
		       !at_plan_counts_size(spec, (int64_t)fabs(value))) &&
	       !makes_size(spec, value);
}

/* Whether a scalar that is not 0 is one of which the reference asks whether it is, as a
   limit that is none then. */
static bool may_be_none(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument)
{
	bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;
	double value = 0;

	return is_number(argument->value, &value) && value != 0 &&
	       (is_real ||
		       (value != 1 && (is_count(spec, template, argument) ||
					      is_size_by_chance(spec, argument)))) &&
	       at_plan_asks_for_zero(spec, template, argument);
}

/*
 * The scalar behind this one to which the reference asks whether it is equal, and is
 * not in the space; NULL: none. The one ahead is what changes: a shift becomes that of
 * the highest digit, a layer the last one.
 */
static const struct at_argument *find_met(const struct at_spec *spec,
	const struct at_template *template, const struct at_argument *argument)
{
	const struct at_call *call = &spec->reference.call;
	double value = 0, other = 0;
	size_t index = index_in_reference(spec, argument);

	if (spec->reference.kind != AT_REFERENCE_KERNEL || !template ||
		!is_whole_number(argument, &value) || fabs(value) > LARGEST_COUNT ||
		at_plan_is_size(spec, (int64_t)fabs(value)) || makes_size(spec, value))
		return NULL;
	for (size_t i = index + 1; i < call->argument_count; i++) {
		const struct at_argument *met = &spec->arguments[call->arguments[i]];

		if (is_whole_number(met, &other) && other != value &&
			fabs(other) <= LARGEST_COUNT && is_given_to_both(spec, met) &&
			!at_plan_is_size(spec, (int64_t)fabs(other)) &&
			!at_plan_is_divided(spec, (int64_t)value, (int64_t)other) &&
			at_template_compares(template, call->kernel, index, i) &&
			/* one that changes itself is not met */
			!find_met(spec, template, met))
			return met;
	}
	return NULL;
}

int64_t at_plan_met(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument)
{
	const struct at_argument *met = find_met(spec, template, argument);
	double value = 0;

	if (met)
		is_whole_number(met, &value);
	return (int64_t)value;
}

/*
 * Whether an input is one longer than a number that both kernels are told, and counts
 * up from 0: these are where rows begin, with the end of the last one, as the words of
 * sequences in a batch. Where another input is as long as all rows together, data.c
 * makes the rows uneven in any proof. Else it is only asked whether something is right
 * then: a grid may be made for rows that are as long as in the space.
 */
static bool begins_rows(const struct at_spec *spec, const struct at_argument *argument)
{
	const struct at_fill *fill = &argument->fill;
	double first = 0, step = 0;

	if (argument->access != AT_ACCESS_IN || fill->kind != AT_FILL_SEQUENCE ||
		argument->lanes != 1 || argument->domain[0] || !argument->count ||
		!fill->b || (is_number(fill->b, &step) && step < 2) ||
		(fill->a && (!is_number(fill->a, &first) || first != 0)))
		return false;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *rows = &spec->arguments[i];

		if (rows->access == AT_ACCESS_NONE && rows->value &&
			at_element_kind(rows->element) != AT_ELEMENT_KIND_REAL &&
			is_given_to_both(spec, rows) &&
			at_plan_is_text_and(at_expression_text(argument->count),
				at_expression_text(rows->value), "+1"))
			return true;
	}
	return false;
}

bool at_plan_hides(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument)
{
	double value = 1;

	return at_plan_is_varied(spec, template, argument, AT_VARIATION_SUMS) ||
	       at_plan_is_varied(spec, template, argument, AT_VARIATION_ZEROS) ||
	       (at_plan_is_varied(spec, template, argument, AT_VARIATION_REALS) &&
		       is_number(argument->value, &value) && value == 0);
}

bool at_plan_is_varied(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument, enum at_variation variation)
{
	bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;
	double value = 0;

	if (variation == AT_VARIATION_NONE || argument->is_fixed ||
		!is_given_to_both(spec, argument))
		return false;
	switch (variation) {
	case AT_VARIATION_REALS:
		return is_real && is_number(argument->value, &value);
	case AT_VARIATION_SMALL:
		return is_real && is_number(argument->value, &value) &&
		       at_plan_is_small_real(value);
	case AT_VARIATION_LOW:
		if (is_real)
			return is_number(argument->value, &value) &&
			       at_plan_low_real(value) != value;
		return is_count(spec, template, argument) &&
		       is_whole_number(argument, &value) &&
		       has_low(spec, (int64_t)value);
	case AT_VARIATION_ON:
		return is_whole_number(argument, &value) && value == 0;
	case AT_VARIATION_OFF:
		return is_whole_number(argument, &value) && value == 1;
	case AT_VARIATION_COUNTS:
		return is_count(spec, template, argument);
	/* a seed or an offset; with such a value as a size the reference would make no
	   sense */
	case AT_VARIATION_HIGH:
		/* the high digits of what goes backwards would go forwards */
		return is_count(spec, template, argument) &&
		       is_whole_number(argument, &value) && value > 0 &&
		       (at_element_bytes(argument->element) == 8 || is_seed(argument));
	/* apart from seeds, as it may be an offset into a buffer, of which nothing is
	   right then */
	case AT_VARIATION_OFFSETS:
		return at_element_bytes(argument->element) == 8 &&
		       is_whole_number(argument, &value) && value == 0;
	case AT_VARIATION_SUMS:
		return is_real && argument->access == AT_ACCESS_INOUT &&
		       is_zero_all_over(argument);
	/* apart, since kernels wait by whole numbers, too */
	case AT_VARIATION_TALLIES:
		return !is_real && argument->count &&
		       is_of_sums(spec, template, argument);
	/* A bias or a mask of 0 is not where a sum begins. Each has a proof of its own,
	   so that a failure that is excused in one does not excuse the other. */
	case AT_VARIATION_ZEROS:
		return is_real && argument->access == AT_ACCESS_IN &&
		       is_zero_all_over(argument);
	case AT_VARIATION_MASKS:
		return !is_real && argument->access == AT_ACCESS_IN &&
		       is_zero_all_over(argument);
	/* inout buffers as well: one that counts or points begins at a chosen number,
	   which is a fill */
	case AT_VARIATION_UNSAID:
	case AT_VARIATION_UNSAID_REALS:
		return is_real == (variation == AT_VARIATION_UNSAID_REALS) &&
		       argument->is_unsaid && !argument->has_fields &&
		       !argument->domain[0];
	case AT_VARIATION_ALIKE:
	case AT_VARIATION_ALIKE_FIRST:
	case AT_VARIATION_ALIKE_LAST_TWO:
	case AT_VARIATION_ALIKE_FIRST_TWO:
		return is_of_equal(spec, template, argument, variation);
	case AT_VARIATION_NO_POWERS:
		return is_count(spec, template, argument) &&
		       is_whole_number(argument, &value) &&
		       at_plan_no_power((int64_t)value) != (int64_t)value &&
		       !is_in_reference(
			       spec, template, argument, at_template_needs_power) &&
		       !at_plan_is_divided(
			       spec, (int64_t)value, at_plan_no_power((int64_t)value));
	case AT_VARIATION_TURNED:
		return may_turn(spec, template, argument);
	case AT_VARIATION_NO_REALS:
	case AT_VARIATION_NO_COUNTS:
		return is_real == (variation == AT_VARIATION_NO_REALS) &&
		       may_be_none(spec, template, argument);
	case AT_VARIATION_KINDS:
	case AT_VARIATION_LAST_KINDS:
		return has_kind(
			spec, template, argument, variation == AT_VARIATION_LAST_KINDS);
	case AT_VARIATION_MET:
		return find_met(spec, template, argument) != NULL;
	case AT_VARIATION_MET_UNSAID:
		return find_met(spec, template, argument) != NULL ||
		       at_plan_is_varied(spec, template, argument, AT_VARIATION_UNSAID);
	case AT_VARIATION_COUNTS_UNSAID:
		return at_plan_is_varied(
			       spec, template, argument, AT_VARIATION_COUNTS) ||
		       at_plan_is_varied(spec, template, argument, AT_VARIATION_UNSAID);
	case AT_VARIATION_ROWS:
		return !is_real && begins_rows(spec, argument);
	case AT_VARIATION_HIDDEN:
		return at_plan_is_varied(spec, template, argument, AT_VARIATION_ON) ||
		       at_plan_hides(spec, template, argument);
	case AT_VARIATION_NONE:
	case AT_VARIATION_COUNT:
		break;
	}
	return false;
}

/* Whether the variation changes nothing that others do not. */
static bool is_empty(const struct at_spec *spec, const struct at_template *template,
	enum at_variation variation)
{
	size_t counts = 0, unsaid = 0, on = 0, hidden = 0, met = 0;

	if (variation != AT_VARIATION_COUNTS_UNSAID &&
		variation != AT_VARIATION_MET_UNSAID &&
		variation != AT_VARIATION_HIDDEN)
		return false;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		counts += at_plan_is_varied(
			spec, template, argument, AT_VARIATION_COUNTS);
		unsaid += at_plan_is_varied(
			spec, template, argument, AT_VARIATION_UNSAID);
		on += at_plan_is_varied(spec, template, argument, AT_VARIATION_ON);
		hidden += at_plan_hides(spec, template, argument);
		met += at_plan_is_varied(spec, template, argument, AT_VARIATION_MET);
	}
	if (variation == AT_VARIATION_HIDDEN)
		return on == 0 || hidden == 0;
	return unsaid == 0 ||
	       (variation == AT_VARIATION_MET_UNSAID ? met : counts) == 0;
}

enum at_status at_plan_name_variation(const struct at_spec *spec,
	const struct at_template *template, enum at_variation variation, char **out,
	struct at_error *err)
{
	struct at_strbuf name = { 0 };
	size_t count = 0;

	*out = NULL;
	if (!spec->verify.derives_problems ||
		(spec->reference.kind != AT_REFERENCE_KERNEL &&
			spec->reference.kind != AT_REFERENCE_LIBRARY) ||
		is_empty(spec, template, variation))
		return AT_OK;
	at_strbuf_addf(&name, "derived %s values of",
		variation == AT_VARIATION_LOW ? "far smaller" : "other");
	for (size_t i = 0; i < spec->argument_count; i++)
		if (at_plan_is_varied(spec, template, &spec->arguments[i], variation))
			at_strbuf_addf(&name, "%s %.60s", count++ ? "," : "",
				spec->arguments[i].name);
	if (count) {
		*out = at_strbuf_detach(&name);
		return *out ? AT_OK : at_fail_memory(err);
	}
	at_strbuf_release(&name);
	return AT_OK;
}
