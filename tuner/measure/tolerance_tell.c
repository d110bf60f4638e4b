/*
 * What people are told about the comparison of outputs: by which tolerances they are
 * judged, what is to be said against a tolerance, and how far off a wrong result is.
 * tolerance.c decides; nothing here changes a verdict.
 */
#include "measure/tolerance.h"

#include "measure/checks.h"
#include "measure/place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* If zeros would pass for more than this part of an output, the user is warned. */
#define MANY_ZEROS 0.5
/* If at most so many whole numbers are wrong, each by one, rounding may have decided
   them: the refusal names an atol that allows it. */
#define FEW_COUNTS 16
/* If the baseline takes up more than this part of a tolerance, the user is warned, too:
   sound configurations that round differently may be refused. */
#define NEARLY_WRONG 0.5
/* Of so few values rounding may decide on which side of a border they come out. */
#define FEW_PART 64
/* A tolerance that lets values be off by more than this is no remedy. */
#define LITTLE 0.125

static void describe(
	const struct at_bench *self, size_t argument, struct at_strbuf *out)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct buffer *buffer = &self->buffers[argument];
	struct tolerance tolerance = tolerance_of(self, argument, 0);
	double reference_error = buffer->declared.error;

	at_strbuf_addf(out, "tolerance of \"%s\": %.2g of a value + %.2g", facts->name,
		tolerance.rtol, tolerance.atol);
	if (!isnan(facts->rtol) && !isnan(facts->atol))
		at_strbuf_add(out, ", as the space gives it");
	if (facts->element == AT_ELEMENT_F32 && isnan(reference_error))
		at_strbuf_add(out, "; the reference is in float");
	else if (!isnan(reference_error))
		at_strbuf_addf(out,
			"; the reference is in double, and in %s it is off by %.1g",
			at_element_name(facts->element), reference_error);
	else if (at_element_is_narrow(facts->element))
		at_strbuf_addf(out, "; the reference is rounded to %s",
			at_element_name(facts->element));
	else if (tolerance_float_error(self, argument, 0) > 0)
		at_strbuf_addf(out,
			"; the reference computes it with floats, and is off by %.1g",
			tolerance_float_error(self, argument, 0));
	at_strbuf_addf(out, "; the baseline is off by at most %.1g", buffer->error);
}

/*
 * Whether to tell that the reference left an output as it found it. Not of one that is
 * filled with one number, such as counters that a launch puts back to 0, unless there
 * is no other.
 */
static bool tells_left(const struct at_bench *self, size_t argument)
{
	bool all_left = true;

	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (compared_place(self, i, 0))
			all_left = all_left && self->buffers[i].declared.is_left;
	return self->buffers[argument].declared.is_left &&
	       (all_left || self->setup->arguments[argument].fill != AT_FILL_CONSTANT);
}

static void warn(const struct at_bench *self, size_t argument, struct at_strbuf *out)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct buffer *buffer = &self->buffers[argument];
	bool has_atol = facts->atol > 0, has_rtol = !isnan(facts->rtol);

	if (buffer->declared.zeros > MANY_ZEROS)
		at_strbuf_addf(out,
			"%sa result of zeros would pass for %.0f %% of \"%s\": %s",
			out->length ? "; " : "", 100 * buffer->declared.zeros,
			facts->name,
			has_atol ? "lower its atol"
			: has_rtol
				? "lower its rtol"
				: "most of it is tiny beside its mean; give it an atol");
	if (tells_left(self, argument))
		at_strbuf_addf(out,
			"%sthe reference leaves all of \"%s\" as it finds it, so a kernel that writes nothing there is right: fill the inputs so that it has something to do, or make \"%s\" an input (\"in\")",
			out->length ? "; " : "", facts->name, facts->name);
	if (buffer->declared.is_one_number)
		at_strbuf_addf(out,
			"%sall of \"%s\" is one number with the data of the space, which a kernel need not compute to be right: fill its inputs so that it differs, or say in \"data\" of verify what they may hold",
			out->length ? "; " : "", facts->name);
	if (has_rtol && buffer->used > NEARLY_WRONG)
		at_strbuf_addf(out,
			"%sthe baseline takes up %.0f %% of the tolerance of \"%s\": others that round in another way may be called wrong; raise its rtol or atol",
			out->length ? "; " : "", 100 * buffer->used, facts->name);
}

/* Names tolerances that are as many times as large as an output needs. */
static void explain_passing(const struct at_bench *self, size_t argument, unsigned set,
	double used, char *text, size_t size)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	struct tolerance tolerance = tolerance_of(self, argument, set);
	/* above what rounding to two digits takes away */
	double factor = 1.05 * used;

	if (!(used > 1) || isinf(used))
		return;
	/* an atol that the space does not give follows from the rtol */
	if (isnan(facts->atol))
		snprintf(text, size, "; an \"rtol\" of %.2g would pass",
			factor * tolerance.rtol);
	else
		snprintf(text, size,
			"; an \"rtol\" of %.2g and an \"atol\" of %.2g would pass",
			factor * tolerance.rtol, factor * tolerance.atol);
}

void tolerance_explain(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found, struct at_measure_result *result)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	size_t length = strlen(result->detail);
	uint64_t few = buffer_scalars(self, argument) / FEW_PART;

	/* as reals that are cut off to whole numbers, which others sum in another
	   order, or counts of them; of flags an atol of 1 would take any */
	if (at_element_kind(facts->element) != AT_ELEMENT_KIND_REAL &&
		!(facts->atol > 0) && found[5] == 0 &&
		found[0] <= (few > FEW_COUNTS ? few : FEW_COUNTS) &&
		self->buffers[argument].expectations[set].scale > 1) {
		snprintf(result->detail + length, sizeof(result->detail) - length,
			", each by 1: if rounding may decide them, give \"%.60s\" an atol of 1, or outliers",
			facts->name);
		return;
	}
	/* only NaN and infinities differ: there is no error to report */
	if (!(check_real(found[2]) > 0))
		return;
	if (tolerance_is_default(facts))
		length += (size_t)snprintf(result->detail + length,
			sizeof(result->detail) - length,
			", by up to %.2g of a value (rounding may take up %.2g)",
			check_real(found[2]), tolerance_of(self, argument, set).rtol);
	/* what may be a matter of tolerance yet: little, or few values */
	if (length < sizeof(result->detail) && check_real(found[2]) <= LITTLE)
		explain_passing(self, argument, set, check_real(found[3]),
			result->detail + length, sizeof(result->detail) - length);
	else if (length < sizeof(result->detail) && found[0] <= few)
		snprintf(result->detail + length, sizeof(result->detail) - length,
			"; \"outliers\" of %.2g would pass",
			1.05 * (double)found[0] /
				(double)buffer_scalars(self, argument));
}

void tolerance_tell(struct at_bench *self, struct at_measure_result *result)
{
	struct at_strbuf judged = { 0 }, warnings = { 0 };

	/* the tolerance of other configurations, now that the baseline's error is known
	 */
	self->is_baseline = false;
	self->baseline_error = result->max_relative_error;
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		enum at_element element = self->setup->arguments[i].element;

		if (!compared_place(self, i, 0))
			continue;
		warn(self, i, &warnings);
		if (at_element_kind(element) != AT_ELEMENT_KIND_REAL)
			continue;
		if (judged.length)
			at_strbuf_add(&judged, "; ");
		describe(self, i, &judged);
	}
	snprintf(result->judged, sizeof(result->judged), "%s", at_strbuf_text(&judged));
	snprintf(result->warnings, sizeof(result->warnings), "%s",
		at_strbuf_text(&warnings));
	at_strbuf_release(&judged);
	at_strbuf_release(&warnings);
}
