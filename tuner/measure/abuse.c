/*
 * What is within its tolerance, and no rounding all the same: what is tiny beside the
 * rest and not there, and digits that were cut off.
 */
#include "measure/place.h"
#include "measure/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double real_of(uint64_t word)
{
	double value;

	memcpy(&value, &word, sizeof(value));
	return value;
}

/* fewer say nothing */
#define TINY_LEAST 32.0
/* as many of them are lost at least: then it is not what it should be */
#define TINY_LOST 0.5
/* between sets of data, which differ in what their values come to */
#define SAME_ATOL 1.25
/* and at most where it is not clear that rounding leaves anything of them */
#define TINY_LOST_BY_ROUNDING 0.05
/* types of few digits: of what cancels out, less than this is so small */
#define TINY_PART 0.0625

/*
 * Of half and bfloat16, where there is no reference in double: what is tiny has as many
 * digits as the rest, and a part of all values that is no chance of cancellation. So it
 * is there, unless somebody adds up in such a type, as the baseline then does.
 */
static bool has_tiny_digits(const struct at_bench *self, size_t argument)
{
	enum at_element element = self->setup->arguments[argument].element;

	return at_element_is_narrow(element) && at_element_bytes(element) == 2 &&
	       self->buffers[argument].declared.zeros >= TINY_PART &&
	       self->baseline_error <= ldexp(1, 1 - at_element_precision(element));
}

/*
 * What is tiny beside the mean of an output is within any tolerance that follows from
 * that mean, zeros too, though it may be most of what is there. Where the reference
 * in float has all of it as it is in double, rounding does not explain that somebody
 * else has most of it off by a sixteenth, or nothing of it. Of the space's own data
 * alone: what others come to may be rounding and nothing else.
 */
static bool has_lost_tiny(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct buffer *buffer = &self->buffers[argument];
	double tiny = buffer->declared.zero_count;

	/* where the baseline says that rounding does more than the reference knows of,
	   it may leave others nothing of what is tiny */
	if (tolerance_of(self, argument, set).atol >
		SAME_ATOL * buffer->declared.zero_atol)
		return false;
	return isnan(facts->atol) && tiny >= TINY_LEAST &&
	       (has_tiny_digits(self, argument) || !isnan(buffer->declared.error)) &&
	       buffer->declared.lost <= TINY_LOST_BY_ROUNDING * tiny &&
	       buffer->expectations[set].lost <= TINY_LOST_BY_ROUNDING * tiny &&
	       (double)found[4] > TINY_LOST * tiny;
}

/* differences of a part of all values, of which next to none goes the other way */
#define ONE_WAY_PART 0.1
#define OTHER_WAY_PART 0.02
#define ONE_WAY_LEAST 64.0

/*
 * Types of few digits: who computes in float and rounds as the reference does gives the
 * same but for a few neighbours, above or below. Where all that differ are the next
 * one towards 0 (or away from it), digits were cut off.
 */
static bool is_cut_off(
	const struct at_bench *self, size_t argument, const uint64_t *found)
{
	enum at_element element = self->setup->arguments[argument].element;
	double inwards = (double)found[5], outwards = (double)found[6];
	double all = inwards + outwards, other = fmin(inwards, outwards);

	return at_element_is_narrow(element) && all >= ONE_WAY_LEAST &&
	       all >= ONE_WAY_PART * (double)buffer_scalars(self, argument) &&
	       other <= OTHER_WAY_PART * all &&
	       real_of(found[2]) <= ldexp(1, 1 - at_element_precision(element));
}

bool tolerance_is_abused(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found, char *why, size_t size)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	/* who says how close is close enough has said it; and so has the baseline */
	if (!tolerance_is_default(facts) || self->is_baseline ||
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
