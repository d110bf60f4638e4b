/*
 * Decides how close an output must be to the expected one.
 *
 * The tolerances that a space file gives are used as they are: verify.rtol and
 * verify.atol, or those of an argument, each for itself. What the file does not give
 * follows from two things.
 *
 * The scale. An output whose values are about 1e-6 is not right because all of them are
 * within 1e-5 of the expected values: zeros would be, too. So the absolute part of the
 * tolerance is rtol times the mean magnitude of the expected values. There must be an
 * absolute part: a sum of terms of both signs may be nearly 0, and its error is in
 * proportion to its terms, not to the sum.
 *
 * Evidence of rounding. The largest errors, in parts of |value| + scale, of sums of n
 * products of floats, simulated on a CPU (2e7 numbers, but at least 4 sums, a row):
 *
 *   uniform(0, 1)              n = 100   1e3      1e4      1e5      1e6      1e7
 *   one after the other        3.0e-7   8.4e-7   2.9e-6   6.9e-6   8.1e-5   5.8e-3
 *   split in 8 such            9.8e-8   1.6e-7   3.3e-7   8.0e-7   3.1e-6   1.4e-4
 *   256 partial sums, a tree   7.9e-8   7.8e-8   6.7e-8   6.0e-8   7.7e-8   2.8e-7
 *   32 each, then a tree       1.1e-7   9.0e-8   6.8e-8   4.6e-8   2.8e-8   2.1e-8
 *   compensated (Kahan)        3.1e-8   3.2e-8   2.5e-8   1.9e-8   1.6e-8   2.1e-8
 *   factors as TF32 or half    8.0e-5   2.2e-5   6.0e-6   1.5e-6   3.6e-7   1.4e-7
 *   factors as bfloat16        6.1e-4   1.7e-4   4.5e-5   1.4e-5   3.0e-6   5.9e-7
 *   added up in half           5.6e-5   3.9e-5   1.1e-4   1.0e-3   3.5e-2   4.0e-1
 *   the sum rounded to half    2.3e-4   2.5e-4   2.0e-4   1.6e-4   1.2e-4   1.4e-4
 *   the last term forgotten    2.1e-2   2.0e-3   2.0e-4   1.6e-5   1.8e-6   3.4e-7
 *
 *   uniform(-1, 1)             n = 100   1e3      1e4      1e5      1e6      1e7
 *   one after the other        7.6e-7   2.3e-6   5.7e-6   9.7e-6   6.4e-5   5.4e-5
 *   split in 8 such            3.8e-7   9.5e-7   2.8e-6   4.8e-6   9.9e-6   2.4e-5
 *   256 partial sums, a tree   3.1e-7   3.5e-7   4.1e-7   9.2e-7   2.1e-6   5.5e-6
 *   32 each, then a tree       7.5e-7   5.6e-7   4.4e-7   5.0e-7   2.7e-7   2.6e-7
 *   compensated (Kahan)        1.3e-7   1.5e-7   1.2e-7   8.5e-8   5.7e-8   2.3e-8
 *   factors as TF32 or half    1.3e-3   1.0e-3   8.9e-4   7.6e-4   6.2e-4   7.2e-4
 *   factors as bfloat16        8.5e-3   8.4e-3   7.2e-3   4.4e-3   2.4e-3   2.7e-3
 *   added up in half           7.7e-4   1.5e-3   3.0e-3   1.1e-2   1.0e-2   3.4e-2
 *   the sum rounded to half    3.5e-4   3.6e-4   3.2e-4   3.1e-4   2.2e-4   2.2e-4
 *   the last term forgotten    3.5e-1   1.1e-1   3.3e-2   7.7e-3   1.3e-3   1.1e-3
 *
 * (Sums of one factor are alike: 3.3e-1 one after the other for 1e8 positive terms,
 * where a float has no more room; 2.7e-5 in 256 partial sums for 1e8 of both signs.)
 *
 * The largest errors of sums that are stored in a narrower type, against the sum of the
 * same terms in double rounded to that type (2,000 to 40 sums a row; neighbouring
 * numbers of the types are up to 9.8e-4, 7.8e-3, 0.13 and 0.25 of the smaller one
 * apart):
 *
 *   uniform(-1, 1)             n = 100   1e3      1e4
 *   half, added up in float    3.8e-4   1.0e-4   0
 *   half, one after the other  3.8e-3   8.5e-3   2.9e-2
 *   half, 256 partial sums     2.1e-3   1.7e-3   2.2e-3
 *   half, last term forgotten  3.6e-1   8.7e-2   3.6e-2
 *   bfloat16, in float         0        0        0
 *   bfloat16, one by one       4.1e-2   7.2e-2   1.6e-1
 *   bfloat16, 256 partial      1.7e-2   1.4e-2   2.2e-2
 *   bfloat16, last forgotten   3.0e-1   8.3e-2   2.0e-2
 *   e4m3, in float             0        0        0
 *   e4m3, last forgotten       3.3e-1   1.1e-1   2.8e-2
 *   e5m2, in float             5.5e-3   0        0
 *   e5m2, last forgotten       3.1e-1   1.7e-1   4.7e-2
 *
 * (tests/bench/bench_narrow.c computes them.) No kernel adds up in types of 8 bits.
 *
 * So no single number tells rounding from a mistake: in float, one after the other, a
 * sum of a million terms is as far off as one of a hundred whose factors were rounded
 * to half. But the reference shows what rounding does to this data: its output in float
 * differs from its output in double by that. Configurations may be off by
 * EVIDENCE_FACTOR times as much: the same error in another order is another draw, and
 * the largest of many draws varies by less than that. The baseline is judged like any
 * other configuration, since a wrong one must not widen what is accepted.
 */
#include "measure/tolerance.h"
#include "measure/checks.h"
#include "measure/data.h"
#include "measure/place.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EVIDENCE_FACTOR 4.0
/*
 * Solving small systems, quotients and the like magnify rounding where the data is
 * ill-conditioned: a few values are then off by hundreds of times the mean error. If
 * the largest error is more than TAIL times the mean one, every value may be off as far
 * as the worst one, and few mistakes show: such a space should give an rtol. One or two
 * values decide the largest error then, so that it differs more between kernels: of 34
 * sound spaces those below the cap need up to 4 times it.
 */
#define TAIL 64.0
#define EVIDENCE_FACTOR_TAIL 8.0
#define CAP_FLOAT_TAIL 1e-2
/* If so many values are all one number, the user is warned: a kernel need not compute
   them to be right. */
#define MANY_ALIKE 8
/* Where some values are far above all others, the values up to the mean have a mean
   that is less than NEXT_PART of it, and so again and again, until the scale is
   SMALLER_PART of what it was or less. (Of uniform and normal values it is a half.)
   At least VALUES_PART of all values have to be left. */
#define NEXT_PART 0.25
#define SMALLER_PART 0.0625
#define VALUES_PART 0.0625
#define UNIT_FLOAT 5.9604644775390625e-8 /* 2^-24 */

/*
 * Floats, where the reference was also run in double: 64 times the distance from 1 to
 * the next float. Kernels for a GPU add up in partial sums, as all rows above for up to
 * a million but the first, and their functions (__expf) are off by less. Half precision
 * is off by 3.6e-5 and more but where thousands of positive terms hide it.
 */
#define FLOOR_FLOAT 7.62939453125e-6 /* 2^-17 */
/*
 * Floats without a reference in double: the expected values are themselves off, in most
 * references by as much as sums one after the other in the table.
 */
#define FLOOR_FLOAT_ALONE 3.0517578125e-5 /* 2^-15 */
/*
 * No evidence makes the tolerance wider than this: the differences would not come from
 * rounding, or the values could not be compared at all. Half precision may pass then.
 */
#define CAP_FLOAT 1e-3

/*
 * Doubles have nothing wider beside them that is fast. Sums of 1e8 one after the other
 * are off by 1e-12; floats where doubles should be by 3e-8 / sqrt(n) or more, which is
 * seen above this up to a sum of 1e7 terms.
 */
#define FLOOR_DOUBLE 7.275957614183426e-12 /* 2^-37 */
/* less than the error of rounding a result to float */
#define CAP_DOUBLE 1e-8

/* For patterns of data, in which an expected value may be a sum in float of a million
   equal terms, one after the other: see make_room(). */
#define ROOM_FLOAT_ALONE 1e-2

/*
 * Narrow types. The results of two sound kernels that compute in float round to
 * neighbouring numbers; kernels that compute in the type itself are judged by the error
 * of the reference, where it also runs in double. The floor is four times the unit
 * roundoff, that is two neighbours; for types of 8 bits it is one neighbour, or most
 * values would pass. The caps allow sums of a few thousand terms in half, one after the
 * other.
 */
#define FLOOR_ROUNDOFFS 4.0
#define FLOOR_ROUNDOFFS_BYTE 2.0
#define CAP_HALF 3.125e-2 /* 2^-5 */
#define CAP_BFLOAT 6.25e-2 /* 2^-4 */
#define CAP_BYTE 0.25

/* Another order of the sums that the reference makes in a narrow type is off by no more
   than this many times its error. */
#define OWN_ERROR_FACTOR 2.0

/* What bounds the relative part of a tolerance by default. */
struct bounds {
	double floor;
	double cap;
	double room; /* the least for patterns of data: make_room() */
};

static struct bounds bounds_of(enum at_element element, bool is_alone)
{
	double roundoff = ldexp(1, -at_element_precision(element));
	struct bounds out = {
		.floor = is_alone ? FLOOR_FLOAT_ALONE : FLOOR_FLOAT,
		.cap = CAP_FLOAT,
		.room = is_alone ? ROOM_FLOAT_ALONE : CAP_FLOAT,
	};

	if (element == AT_ELEMENT_F64)
		return (struct bounds){ FLOOR_DOUBLE, CAP_DOUBLE, CAP_DOUBLE };
	if (!at_element_is_narrow(element))
		return out;
	if (at_element_bytes(element) == 1) {
		out.floor = FLOOR_ROUNDOFFS_BYTE * roundoff;
		out.cap = CAP_BYTE;
	} else {
		out.floor = FLOOR_ROUNDOFFS * roundoff;
		out.cap = element == AT_ELEMENT_F16 ? CAP_HALF : CAP_BFLOAT;
	}
	out.room = out.cap;
	return out;
}

double at_measure_rtol_least(enum at_element element)
{
	return bounds_of(element, true).floor;
}

/* The largest error of the reference in its own types; NAN: it is not known. */
static double reference_error(
	const struct at_measure_context *self, size_t argument, unsigned set)
{
	const struct buffer *buffer = &self->buffers[argument];

	return fmax(buffer->declared.error, buffer->expectations[set].error);
}

static struct bounds bounds_for(
	const struct at_measure_context *self, size_t argument, unsigned set)
{
	const enum at_element element = self->setup->arguments[argument].element;
	const double error = reference_error(self, argument, set);
	struct bounds out = bounds_of(
		element, isnan(self->buffers[argument].expectations[set].error));

	/* a double that the reference computes with floats is judged as a float */
	if (element == AT_ELEMENT_F64 && error > 0)
		out.cap = out.room = CAP_FLOAT;
	/* a reference that adds up in a narrow type says so itself */
	if (at_element_is_narrow(element))
		out.cap = out.room = fmax(out.cap, OWN_ERROR_FACTOR * error);
	return out;
}

bool tolerance_is_default(const struct at_measure_argument *facts)
{
	return isnan(facts->rtol);
}

/* Whether the errors of the reference in float show that the data magnifies rounding:
   the largest is far above the mean one, or above that of a sum of all inputs. Small
   errors do not count. */
static bool magnifies(
	const struct at_measure_context *self, const struct expectation *known)
{
	double terms = 0;

	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access != AT_ACCESS_NONE)
			terms += (double)buffer_scalars(self, i);
	return known->error > FLOOR_FLOAT / EVIDENCE_FACTOR &&
	       (known->error > TAIL * known->mean_error ||
		       known->error > terms * UNIT_FLOAT);
}

bool tolerance_magnifies(
	const struct at_measure_context *self, size_t argument, unsigned set)
{
	const struct buffer *buffer = &self->buffers[argument];

	/* the errors of sums in a narrow type grow with the number of terms */
	return self->setup->arguments[argument].element == AT_ELEMENT_F32 &&
	       (magnifies(self, &buffer->expectations[set]) ||
		       magnifies(self, &buffer->declared));
}

static double default_rtol(
	const struct at_measure_context *self, size_t argument, unsigned set)
{
	struct bounds bounds = bounds_for(self, argument, set);
	bool is_magnified = tolerance_magnifies(self, argument, set);
	double rtol = fmax(
		bounds.floor, (is_magnified ? EVIDENCE_FACTOR_TAIL : EVIDENCE_FACTOR) *
				      reference_error(self, argument, set));

	if (is_magnified)
		bounds.cap = fmax(bounds.cap, CAP_FLOAT_TAIL);
	return rtol < bounds.cap ? rtol : bounds.cap;
}

/* Whether some real input has a normal fill, whose spikes lie very far out. */
static bool has_far_spikes(const struct at_measure_setup *setup)
{
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct at_measure_argument *facts = &setup->arguments[i];

		if (facts->fill == AT_FILL_NORMAL && !facts->has_domain &&
			!facts->is_fixed && data_is_real(facts))
			return true;
	}
	return false;
}

/* Whether numbers and lengths are drawn as for the timed data. */
static bool is_as_declared(const struct at_measure_context *self, unsigned set)
{
	const struct at_data *data = &self->data[set];

	return !data->set && data->pattern == AT_DATA_DECLARED &&
	       (data->keeps_shape || data->seed == self->setup->seed);
}

/*
 * Widens a tolerance for data that the tool chose and not the space, since such data
 * rounds in its own way, and for data sets of the space, since its default tolerance
 * follows from other data.
 *
 * Where many terms are alike, each addition is off to the same side, and a sum of n
 * terms, one after the other, is off by up to a quarter of n roundings: 7.2e-5 for
 * 10,000 terms, 7.4e-3 for a million (3.3e-7 and 2.9e-5 in 256 partial sums). No
 * evidence from other data shows that. Such patterns are there to find other mistakes,
 * so they get room.
 *
 * Spikes normally get none: their terms are random and have the bits that half
 * precision lacks. There are two exceptions. With a normal fill spikes lie 6 deviations
 * out, so that one rounding of a product of two is large beside 1: a distance as
 * a * a - 2 * a * b + b * b is off by 1.4e-5 there.
 * And data that magnifies rounding does so the more its terms differ in size, as spikes
 * do: a system of three equations loses 1.1e-4 to pivots with spikes, and nothing
 * without. Half precision is found with the declared data then.
 *
 * Zeroed data get room only without a reference in double: thousands of equal terms
 * (exp(0)) are off by 3.6e-5 in a sum one after the other.
 *
 * Tolerances of the space get room as well: they were chosen for the declared data, and
 * terms that cancel out leave errors that they do not foresee, as does one long row
 * among short ones. So where data magnifies rounding, the space's tolerance is no
 * narrower than the default one. But where the space asks for equality it gets that.
 */
static void make_room(const struct at_measure_context *self,
	struct tolerance *tolerance, size_t argument, unsigned set)
{
	const struct at_data *data = &self->data[set];
	const double room = bounds_for(self, argument, set).room;
	const bool is_magnified = tolerance_magnifies(self, argument, set);
	const bool is_alone = isnan(self->buffers[argument].expectations[set].error);

	if (is_as_declared(self, set) || (tolerance->rtol == 0 && tolerance->atol == 0))
		return;
	if (is_magnified)
		tolerance->rtol =
			fmax(tolerance->rtol, default_rtol(self, argument, set));
	if ((data->pattern != AT_DATA_SPIKES || has_far_spikes(self->setup) ||
		    is_magnified) &&
		(data->set || data->pattern != AT_DATA_DECLARED) &&
		data->pattern != AT_DATA_TIMED &&
		(data->pattern != AT_DATA_ZEROED || is_alone))
		tolerance->rtol = fmax(tolerance->rtol, room);
	tolerance->atol = fmax(tolerance->atol, tolerance->rtol * tolerance->scale);
}

struct tolerance tolerance_of(
	const struct at_measure_context *self, size_t argument, unsigned set)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct buffer *buffer = &self->buffers[argument];
	const struct at_data *data = &self->data[set];
	double room = bounds_for(self, argument, set).room;
	struct tolerance out = {
		.rtol = facts->rtol,
		.atol = facts->atol,
		.scale = buffer->expectations[set].scale,
	};

	/*
	 * A pattern may make all results 0 (a stencil over equal values). What is left
	 * are rounding errors in proportion to the terms, which have the range of the
	 * declared data, so its scale is used. A data set of the space keeps its own
	 * scale: its results are what it was made for.
	 */
	if (!data->set)
		out.scale = fmax(out.scale, buffer->declared.scale);
	/* All expected values are 0, such as differences to the mean of a row of one.
	   Other kernels have rounding errors of the inputs there. */
	if (out.scale == 0) {
		out.scale = buffer->expectations[set].beside;
		if (isnan(out.atol))
			out.atol = room * out.scale;
	}
	if (isnan(out.rtol))
		out.rtol = default_rtol(self, argument, set);
	/* subnormal numbers of a narrow type have steps of one size, which are a large
	   part of their values */
	if (isnan(out.atol))
		out.atol = out.rtol *
			   (at_element_is_narrow(facts->element)
					   ? fmax(out.scale,
						     at_element_least(facts->element))
					   : out.scale);
	make_room(self, &out, argument, set);
	return out;
}

/*
 * Rounds to 24 bits: the last bits of a sum of doubles depend on the order in which
 * threads added, and verdicts must not.
 */
static double rounded(double value)
{
	int exponent;
	double fraction = frexp(value, &exponent);

	return ldexp(rint(ldexp(fraction, 24)), exponent - 24);
}

/* Whether the magnitude of an input tells how large rounding errors may be. */
static bool is_real_input(const struct at_measure_context *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	return facts->access == AT_ACCESS_IN && !facts->has_fields &&
	       data_is_real(facts);
}

/* One round of checks over a set's expected outputs, which compares 0 with them and
   sums them up. Without tolerances it also sums up the inputs. */
static enum at_status ask_for_scales(struct at_measure_context *self, unsigned set,
	bool with_tolerance, struct at_error *err)
{
	check_begin(self);
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct place *place = compared_place(self, i, set);
		struct tolerance tolerance = { 0 };

		if (place && with_tolerance)
			tolerance = tolerance_of(self, i, set);
		if (!place && !with_tolerance && is_real_input(self, i))
			place = reference_place(self, i, set);
		tolerance.scale = 0; /* of all values, however large */
		if (place)
			check_queue_scale(self, i, place, tolerance);
	}
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->buffers[i].expected[set].memory)
			check_queue_expected(self, i, set);
	return check_finish(self, "looking at what the reference gave", err);
}

/* What a round of ask_for_scales() found out about an output. */
static struct expectation expectation_of(
	const struct at_measure_context *self, unsigned set, uint32_t argument)
{
	const uint64_t *found = check_result(self, argument, CHECK_OUTPUT);
	uint32_t owner = self->setup->arguments[argument].owner;
	uint32_t whole = owner ? owner - 1 : argument;

	return (struct expectation){
		.scale = rounded(check_real(found[1])),
		.error = NAN,
		/* a few numbers may be a sum or two */
		.is_one_number = found[3] == buffer_scalars(self, argument) &&
				 (found[3] >= MANY_ALIKE || !found[0]),
		.is_left = self->setup->arguments[whole].access == AT_ACCESS_INOUT &&
			   check_sum(self, whole, CHECK_EXPECTED, set) ==
				   self->buffers[whole].begun_checksum,
	};
}

enum at_status tolerance_measure_scales(
	struct at_measure_context *self, unsigned set, struct at_error *err)
{
	enum at_status status = ask_for_scales(self, set, false, err);
	double beside = 0;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++)
		if (is_real_input(self, i))
			beside = fmax(beside,
				check_real(check_result(self, i, CHECK_OUTPUT)[1]));
	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++)
		if (compared_place(self, i, set)) {
			self->buffers[i].expectations[set] =
				expectation_of(self, set, i);
			self->buffers[i].expectations[set].beside = rounded(beside);
		}
	return status;
}

/* The mean magnitude of the expected values up to `most`, and their part of all. False:
   none exist. */
static bool mean_up_to(struct at_measure_context *self, unsigned set, size_t argument,
	double most, double *mean, double *part)
{
	const double all = (double)buffer_scalars(self, argument);
	struct at_error ignored = { 0 };
	const uint64_t *found;

	check_begin(self);
	check_queue_scale(self, argument, compared_place(self, argument, set),
		(struct tolerance){ .scale = most });
	if (check_end(self, &ignored) != AT_OUTCOME_OK)
		return false;
	found = check_result(self, argument, CHECK_OUTPUT);
	if (!found[0])
		return false;
	*mean = rounded(check_real(found[1]) * all / (double)found[0]);
	*part = (double)found[0] / all;
	return true;
}

bool tolerance_leave_out_large(
	struct at_measure_context *self, unsigned set, size_t argument)
{
	struct expectation *known = &self->buffers[argument].expectations[set];
	double scale = known->scale, mean, part;

	while (scale > 0 && mean_up_to(self, set, argument, scale, &mean, &part) &&
		part >= VALUES_PART && mean < NEXT_PART * scale)
		scale = mean;
	/* false for a scale that is no number, too */
	if (!(scale <= SMALLER_PART * known->scale))
		return false;
	known->scale = scale;
	return true;
}

bool tolerance_is_vacuous(const struct at_measure_context *self, unsigned set)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct expectation *known = &self->buffers[i].expectations[set];

		if (compared_place(self, i, set) && !known->is_one_number &&
			!known->is_left)
			return false;
	}
	return true;
}

enum at_status tolerance_keep_declared(
	struct at_measure_context *self, unsigned set, struct at_error *err)
{
	enum at_status status;

	if (self->has_declared)
		return AT_OK;
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		self->buffers[i].declared = self->buffers[i].expectations[set];
	self->has_declared = true;
	status = ask_for_scales(self, set, true, err);
	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++) {
		const uint64_t *found = check_result(self, i, CHECK_OUTPUT);

		if (compared_place(self, i, set) && found[0]) {
			self->buffers[i].declared.zeros =
				(double)found[2] / (double)found[0];
			self->buffers[i].declared.tiny_count = (double)found[4];
			self->buffers[i].declared.zero_atol =
				tolerance_of(self, i, set).atol;
		}
	}
	return status;
}

/* ---- the errors of the present request ------------------------------------------ */

void tolerance_begin(struct at_measure_context *self)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		self->buffers[i].error = self->buffers[i].used = 0;
}

void tolerance_note_errors(struct at_measure_context *self, size_t argument,
	const uint64_t *found, struct at_measure_result *result)
{
	struct buffer *buffer = &self->buffers[argument];

	buffer->error = fmax(buffer->error, check_real(found[2]));
	buffer->used = fmax(buffer->used, check_real(found[3]));
	result->max_relative_error = fmax(result->max_relative_error, buffer->error);
}

/* ---- abuse of a default tolerance ---------------------------------------------- */

/* Tiny values are those for which 0 would pass, but for floats that are dust beside the
   tolerance (support.cu). Fewer than this verify nothing. */
#define TINY_LEAST 32.0
/* The part of the tiny values that has to be lost (off by more than a sixteenth) for
   the output to be wrong. */
#define TINY_LOST 0.5
/* How many times as large the atol of a set may be as that of the space's own data: the
   scales of sets differ a little. */
#define SAME_ATOL 1.25
/* If rounding alone loses more than this part of the tiny values (as the reference in
   float beside the one in double shows), their loss is not held against a kernel. */
#define TINY_LOST_BY_ROUNDING 0.05
/* The least part of tiny values in a type of two bytes; where values cancel out by
   chance, fewer are so small. */
#define TINY_PART 0.0625

/*
 * Whether tiny values were lost. A value that is tiny beside the mean of an output is
 * within any tolerance that follows from that mean, even if it is 0 in its place, and
 * such values may be most of the output. Where the reference in float agrees with that
 * in double on them, rounding does not explain that another kernel has most of them off
 * by more than a sixteenth. This is only judged on the space's own data, as other data
 * may have tiny values that are nothing but rounding.
 */
static bool has_lost_tiny(const struct at_measure_context *self, size_t argument,
	unsigned set, const uint64_t *found)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct buffer *buffer = &self->buffers[argument];
	double tiny = buffer->declared.tiny_count;

	/* where this set's own error or scale has made the tolerance larger, other
	   values are tiny */
	if (tolerance_of(self, argument, set).atol >
		SAME_ATOL * buffer->declared.zero_atol)
		return false;
	return isnan(facts->atol) && tiny >= TINY_LEAST &&
	       (at_element_is_narrow(facts->element)
			       ? at_element_bytes(facts->element) == 2 &&
					 buffer->declared.zeros >= TINY_PART
			       : facts->element == AT_ELEMENT_F32 &&
					 !isnan(buffer->declared.error)) &&
	       buffer->declared.lost <= TINY_LOST_BY_ROUNDING * tiny &&
	       buffer->expectations[set].lost <= TINY_LOST_BY_ROUNDING * tiny &&
	       (double)found[4] > TINY_LOST * tiny;
}

/*
 * An output is cut off if at least ONE_WAY_LEAST values and ONE_WAY_PART of all values
 * differ, at most OTHER_WAY_PART of them in the other direction.
 */
#define ONE_WAY_PART 0.1
#define OTHER_WAY_PART 0.02
#define ONE_WAY_LEAST 64.0

/*
 * Whether digits were cut off in a type of few digits. A kernel that computes in float
 * and rounds as the reference does gives the same values but for a few, which are the
 * next number above or below. If nearly all that differ are the next number towards 0
 * (or away from 0), the kernel does not round to nearest.
 */
static bool is_cut_off(
	const struct at_measure_context *self, size_t argument, const uint64_t *found)
{
	enum at_element element = self->setup->arguments[argument].element;
	double inwards = (double)found[5], outwards = (double)found[6];
	double all = inwards + outwards, other = fmin(inwards, outwards);

	return at_element_is_narrow(element) && all >= ONE_WAY_LEAST &&
	       all >= ONE_WAY_PART * (double)buffer_scalars(self, argument) &&
	       other <= OTHER_WAY_PART * all &&
	       check_real(found[2]) <= ldexp(1, 1 - at_element_precision(element));
}

bool tolerance_is_abused(const struct at_measure_context *self, size_t argument,
	unsigned set, const uint64_t *found, char *why, size_t size)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	/* a tolerance that the space gives is not questioned */
	if (!tolerance_is_default(facts) ||
		self->data[set].pattern != AT_DATA_DECLARED || self->data[set].set)
		return false;
	if (has_lost_tiny(self, argument, set, found)) {
		snprintf(why, size,
			"\"%s\" has %llu values that are tiny beside its mean and off by more than a sixteenth of what they are, which rounding does not explain; an \"atol\" says that they do not matter",
			facts->name, (unsigned long long)found[4]);
		return true;
	}
	if (is_cut_off(self, argument, found)) {
		snprintf(why, size,
			"\"%s\" is cut off where the reference rounds: %llu values are the next one %s 0, %llu the other way; an \"rtol\" says that this does not matter",
			facts->name,
			(unsigned long long)(found[5] > found[6] ? found[5] : found[6]),
			found[5] > found[6] ? "towards" : "away from",
			(unsigned long long)(found[5] > found[6] ? found[6]
								 : found[5]));
		return true;
	}
	return false;
}

/* ---- texts: nothing here changes a verdict -------------------------------------- */

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
	const struct at_measure_context *self, size_t argument, struct at_strbuf *out)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct buffer *buffer = &self->buffers[argument];
	struct tolerance tolerance = tolerance_of(self, argument, 0);
	const double known = buffer->declared.error;

	if (tolerance.rtol == 0 && tolerance.atol == 0) {
		at_strbuf_addf(out, "\"%s\" is compared exactly", facts->name);
		return;
	}
	at_strbuf_addf(out, "tolerance of \"%s\": %.2g of a value + %.2g", facts->name,
		tolerance.rtol, tolerance.atol);
	if (!isnan(facts->rtol) && !isnan(facts->atol))
		at_strbuf_add(out, ", as the space gives it");
	if (facts->element == AT_ELEMENT_F32 && isnan(known))
		at_strbuf_add(out, "; the reference is in float");
	else if (facts->element != AT_ELEMENT_F64 && !isnan(known))
		at_strbuf_addf(out,
			"; the reference is in double, and in %s it is off by %.1g",
			at_element_name(facts->element), known);
	else if (at_element_is_narrow(facts->element))
		at_strbuf_addf(out, "; the reference is rounded to %s",
			at_element_name(facts->element));
	else if (known > 0)
		at_strbuf_addf(out,
			"; the reference computes it with floats, and is off by %.1g",
			known);
	at_strbuf_addf(out, "; the baseline is off by at most %.1g", buffer->error);
}

/*
 * Whether to tell that the reference left an output as it found it. Not of one that is
 * filled with one number, such as counters that a launch puts back to 0, unless there
 * is no other.
 */
static bool tells_left(const struct at_measure_context *self, size_t argument)
{
	bool all_left = true;

	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (compared_place(self, i, 0))
			all_left = all_left && self->buffers[i].declared.is_left;
	return self->buffers[argument].declared.is_left &&
	       (all_left || self->setup->arguments[argument].fill != AT_FILL_CONSTANT);
}

/* Separates an item from those before it. */
static struct at_strbuf *another(struct at_strbuf *items)
{
	at_strbuf_add(items, items->length ? "; " : "");
	return items;
}

static void warn(
	const struct at_measure_context *self, size_t argument, struct at_strbuf *out)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct buffer *buffer = &self->buffers[argument];
	bool has_atol = facts->atol > 0, has_rtol = !isnan(facts->rtol);

	if (buffer->declared.zeros > MANY_ZEROS)
		at_strbuf_addf(another(out),
			"a result of zeros would pass for %.0f %% of \"%s\": %s",
			100 * buffer->declared.zeros, facts->name,
			has_atol ? "lower its atol"
			: has_rtol
				? "lower its rtol"
				: "most of it is tiny beside its mean; give it an atol");
	if (tells_left(self, argument))
		at_strbuf_addf(another(out),
			"the reference leaves all of \"%s\" as it finds it, so a kernel that writes nothing there is right: fill the inputs so that it has something to do, or make \"%s\" an input (\"in\")",
			facts->name, facts->name);
	if (buffer->declared.is_one_number)
		at_strbuf_addf(another(out),
			"all of \"%s\" is one number with the data of the space, which a kernel need not compute to be right: fill its inputs so that it differs, or say in \"data\" of verify what they may hold",
			facts->name);
	if (has_rtol && buffer->used > NEARLY_WRONG)
		at_strbuf_addf(another(out),
			"the baseline takes up %.0f %% of the tolerance of \"%s\": others that round in another way may be called wrong; raise its rtol or atol",
			100 * buffer->used, facts->name);
}

/* Names tolerances that are as many times as large as an output needs. */
static void propose_tolerances(const struct at_measure_context *self, size_t argument,
	unsigned set, double used, struct at_measure_result *result)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	struct tolerance tolerance = tolerance_of(self, argument, set);
	/* above what rounding to two digits takes away */
	double factor = 1.05 * used;

	if (!(used > 1) || isinf(used))
		return;
	at_text_append(result->detail, sizeof(result->detail),
		"; if that is rounding, an \"rtol\" of %.2g", factor * tolerance.rtol);
	/* an atol that the space does not give follows from the rtol */
	if (!isnan(facts->atol))
		at_text_append(result->detail, sizeof(result->detail),
			" and an \"atol\" of %.2g", factor * tolerance.atol);
	at_text_append(result->detail, sizeof(result->detail), " would pass");
}

static void propose_outliers(const struct at_measure_context *self, size_t argument,
	const uint64_t *found, struct at_measure_result *result)
{
	at_text_append(result->detail, sizeof(result->detail),
		"; if rounding may decide them, \"outliers\" of %.2g would pass",
		1.05 * (double)found[0] / (double)buffer_scalars(self, argument));
}

static bool reads_reals(const struct at_measure_context *self)
{
	bool found = false;

	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		found |= (self->setup->arguments[i].access == AT_ACCESS_IN ||
				 self->setup->arguments[i].access == AT_ACCESS_INOUT) &&
			 data_is_real(&self->setup->arguments[i]);
	return found;
}

void tolerance_explain(const struct at_measure_context *self, size_t argument,
	unsigned set, const uint64_t *found, struct at_measure_result *result)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const bool is_exact = !data_is_real(facts) && !(facts->atol > 0);
	const bool is_default = tolerance_is_default(facts);
	const double rtol = is_default ? tolerance_of(self, argument, set).rtol : 0;
	const double error = check_real(found[2]);
	uint64_t few = buffer_scalars(self, argument) / FEW_PART;

	/* as reals that are cut off to whole numbers, which others sum in another
	   order, or counts of them; of flags an atol of 1 would take any */
	if (is_exact && found[5] == 0 &&
		found[0] <= (few > FEW_COUNTS ? few : FEW_COUNTS) &&
		self->buffers[argument].expectations[set].scale > 1) {
		at_text_append(result->detail, sizeof(result->detail),
			", each by 1: if rounding may decide them, give \"%.60s\" an atol of 1, or outliers",
			facts->name);
		return;
	}
	/* as the nearest of points, or the larger of scores */
	if (is_exact && found[0] <= few && reads_reals(self)) {
		propose_outliers(self, argument, found, result);
		return;
	}
	/* only NaN and infinities differ: the errors of the others are rounding */
	if (!(error > rtol))
		return;
	if (is_default)
		at_text_append(result->detail, sizeof(result->detail),
			", by up to %.2g of a value (rounding may take up %.2g)", error,
			rtol);
	/* only little may be rounding: of few values outliers, of many a tolerance */
	if (error > LITTLE)
		return;
	if (found[0] <= few && data_is_real(facts))
		propose_outliers(self, argument, found, result);
	else
		propose_tolerances(self, argument, set, check_real(found[3]), result);
}

void tolerance_tell(struct at_measure_context *self, struct at_measure_result *result)
{
	struct at_strbuf judged = { 0 }, warnings = { 0 };

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		if (!compared_place(self, i, 0))
			continue;
		warn(self, i, &warnings);
		if (data_is_real(&self->setup->arguments[i]))
			describe(self, i, another(&judged));
	}
	snprintf(result->judged, sizeof(result->judged), "%s", at_strbuf_text(&judged));
	snprintf(result->warnings, sizeof(result->warnings), "%s",
		at_strbuf_text(&warnings));
	at_strbuf_release(&judged);
	at_strbuf_release(&warnings);
}
