/*
 * Finds outputs that are within a default tolerance though rounding cannot explain how
 * they are off: tiny values that were lost, and digits that were cut off. tolerance.c
 * decides the tolerances; the words of `found` are those of at_compare() in support.cu.
 */
#include "measure/checks.h"
#include "measure/place.h"
#include "measure/tolerance.h"

#include <math.h>
#include <stdio.h>

/* Tiny values are those for which 0 would pass, but for floats that are dust beside the
   tolerance (support.cu). Fewer than this prove nothing. */
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
/* For has_tiny_digits(): the least part of tiny values; where values cancel out by
   chance, fewer are so small. */
#define TINY_PART 0.0625

/*
 * Whether the tiny values of an output in half or bfloat16 can be trusted. They have as
 * many digits as other values, and they are too many for values that cancelled out by
 * chance. They can only be lost in sums that are themselves in such a type; the
 * baseline's error says whether it does that.
 */
static bool has_tiny_digits(const struct at_bench *self, size_t argument)
{
	enum at_element element = self->setup->arguments[argument].element;

	return at_element_is_narrow(element) && at_element_bytes(element) == 2 &&
	       self->buffers[argument].declared.zeros >= TINY_PART &&
	       self->baseline_error <= ldexp(1, 1 - at_element_precision(element));
}

/*
 * Whether tiny values were lost. A value that is tiny beside the mean of an output is
 * within any tolerance that follows from that mean, even if it is 0 in its place, and
 * such values may be most of the output. Where the reference in float agrees with that
 * in double on them, rounding does not explain that another kernel has most of them off
 * by more than a sixteenth. This is only judged on the space's own data, as other data
 * may have tiny values that are nothing but rounding.
 */
static bool has_lost_tiny(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct buffer *buffer = &self->buffers[argument];
	double tiny = buffer->declared.tiny_count;

	/* Where the baseline's error has made the tolerance larger, kernels round more
	   than the reference does, and may so lose all tiny values. */
	if (tolerance_of(self, argument, set).atol >
		SAME_ATOL * buffer->declared.zero_atol)
		return false;
	return isnan(facts->atol) && tiny >= TINY_LEAST &&
	       (at_element_is_narrow(facts->element)
			       ? has_tiny_digits(self, argument)
			       : !isnan(buffer->declared.error)) &&
	       buffer->declared.lost <= TINY_LOST_BY_ROUNDING * tiny &&
	       buffer->expectations[set].lost <= TINY_LOST_BY_ROUNDING * tiny &&
	       (double)found[4] > TINY_LOST * tiny;
}

/*
 * An output is cut off if at least ONE_WAY_LEAST values and ONE_WAY_PART of all values
 * differ, of which at most OTHER_WAY_PART in the other direction.
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
	const struct at_bench *self, size_t argument, const uint64_t *found)
{
	enum at_element element = self->setup->arguments[argument].element;
	double inwards = (double)found[5], outwards = (double)found[6];
	double all = inwards + outwards, other = fmin(inwards, outwards);

	return at_element_is_narrow(element) && all >= ONE_WAY_LEAST &&
	       all >= ONE_WAY_PART * (double)buffer_scalars(self, argument) &&
	       other <= OTHER_WAY_PART * all &&
	       check_real(found[2]) <= ldexp(1, 1 - at_element_precision(element));
}

bool tolerance_is_abused(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found, char *why, size_t size)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	/* a tolerance that the space gives is not questioned, nor is the baseline */
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
