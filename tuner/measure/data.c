/*
 * The data of verifications: turns what a space declares into parameters of the fill
 * kernel.
 *
 * A pattern takes its values from the declared range (data_range()), since a kernel
 * need not be right beyond it. Constants and sequences say little about which other
 * values are valid, so they are only changed in ways that cannot hurt a sound kernel.
 */
#include "measure/data.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- ranges -------------------------------------------------------------------- */

/*
 * The ends of a normal fill for the patterns, in deviations. Of 5e8 numbers that the
 * fill draws, one lies beyond those of patterns with rare values (SPIKES, EXTREMES):
 * whoever has larger values declares a domain. Patterns that move all values (EQUAL,
 * ASCENDING, ...) stay where most values of such fills are: layer normalization of
 * sorted rows at 6 deviations has little left but rounding.
 */
#define RARE_DEVIATIONS 6.0
#define USUAL_DEVIATIONS 4.0

bool data_is_real(const struct at_measure_argument *facts)
{
	return at_element_kind(facts->element) == AT_ELEMENT_KIND_REAL;
}

enum at_access at_data_access(const struct at_measure_setup *setup, size_t argument)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];

	return facts->owner ? setup->arguments[facts->owner - 1].access : facts->access;
}

bool data_is_filled(const struct at_measure_setup *setup, size_t argument)
{
	enum at_access access = at_data_access(setup, argument);

	return access == AT_ACCESS_IN || access == AT_ACCESS_INOUT;
}

/*
 * The range of values that may replace a constant. A real becomes half to all of it,
 * which keeps its sign and its size. An integer may be a length, a stride, a divisor or
 * a flag. A shorter length fits where the longer one did, but 0 may be invalid, except
 * in place of 1, which is as likely a flag or a mask. A negative integer has a meaning
 * of its own ("none"), and an inout one is where counting begins: these stay. So does
 * 0, where sums begin.
 */
static void constant_range(const struct at_measure_setup *setup, size_t argument,
	double *low, double *high)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	double value = facts->fill_a;

	*low = *high = value;
	if (data_is_real(facts)) {
		*low = fmin(value, value / 2);
		*high = fmax(value, value / 2);
	} else if (at_data_access(setup, argument) == AT_ACCESS_IN && value >= 1) {
		*low = value >= 2 ? 1 : 0;
	}
}

/*
 * Moves the ends to numbers that a type of few digits has, inside the range. Ends that
 * are rounded when they are stored could be outside by a thousandth or more.
 */
static void clamp_to_narrow(enum at_element element, double *low, double *high)
{
	double most = at_element_largest(element), end;

	*low = fmin(fmax(*low, -most), most);
	*high = fmin(fmax(*high, -most), most);
	end = at_element_round(element, *high);
	*high = end > *high ? at_element_below(element, *high) : end;
	end = at_element_round(element, -*low);
	*low = end > -*low ? -at_element_below(element, -*low) : 0 - end;
}

/* Limits the range to numbers that the element's type holds. */
static void clamp_to_element(enum at_element element, double *low, double *high)
{
	int bits = (int)(8 * at_element_bytes(element));
	double least = 0, most = ldexp(1, bits);

	switch (at_element_kind(element)) {
	case AT_ELEMENT_KIND_INTEGER:
		least = -ldexp(1, bits - 1);
		most = -least;
		break;
	case AT_ELEMENT_KIND_UNSIGNED:
		break;
	case AT_ELEMENT_KIND_REAL:
		if (at_element_is_narrow(element))
			clamp_to_narrow(element, low, high);
		return;
	case AT_ELEMENT_KIND_NONE:
		return;
	}
	/* for types with more bits than a double: the largest double below the end */
	most = bits < 53 ? most - 1 : nextafter(most, 0);
	*low = fmin(fmax(ceil(*low), least), most);
	*high = fmin(fmax(floor(*high), least), most);
}

bool data_range(const struct at_measure_setup *setup, size_t argument,
	enum at_data_pattern pattern, double *low, double *high)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	double a = facts->fill_a, b = facts->fill_b, wide = USUAL_DEVIATIONS;

	if (facts->has_domain) {
		*low = facts->domain_low;
		*high = facts->domain_high;
		clamp_to_element(facts->element, low, high);
		return *low < *high;
	}
	switch (facts->fill) {
	case AT_FILL_NONE:
	case AT_FILL_FILE:
	case AT_FILL_SEQUENCE:
		return false;
	case AT_FILL_CONSTANT:
		constant_range(setup, argument, low, high);
		break;
	case AT_FILL_UNIFORM:
		*low = fmin(a, b);
		*high = fmax(a, b);
		/* kernels may rely on the fill's end being excluded */
		if (data_is_real(facts) && a < b)
			*high = fmax(a, at_element_below(facts->element, b));
		break;
	case AT_FILL_NORMAL:
		if (pattern == AT_DATA_SPIKES || pattern == AT_DATA_EXTREMES)
			wide = RARE_DEVIATIONS;
		*low = a - wide * fabs(b);
		*high = a + wide * fabs(b);
		break;
	case AT_FILL_INDEX:
		*low = 0;
		*high = ceil(a) - 1;
		break;
	}
	clamp_to_element(facts->element, low, high);
	return *low < *high && isfinite(*low) && isfinite(*high);
}

/* ---- patterns ------------------------------------------------------------------ */

/* Bits of the mantissa of equal or alternating values: sums and products of such values
   are exact in any order, so that only a mistake changes them, and no rounding. */
#define SHORT_BITS 3
/* values on one side of 0 begin at this part (1 / NEAREST_PART) of the range's end */
#define NEAREST_PART 1024
/* Bits of the mantissa of each of two values that are mixed at random: few enough that
   sums of 256 squares of differences are exact. */
#define TIE_BITS 7

static const char *const names[AT_DATA_COUNT] = {
#define AT_DATA_PATTERN_NAME(symbol, name) [AT_DATA_##symbol] = name,
	AT_DATA_PATTERNS(AT_DATA_PATTERN_NAME)
#undef AT_DATA_PATTERN_NAME
};

const char *at_data_pattern_name(enum at_data_pattern pattern)
{
	return names[pattern];
}

/* A number in [0, 1), a different one for each seed (SplitMix64). */
static double unit(uint64_t seed)
{
	uint64_t z = seed + 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static bool is_whole(double value)
{
	return value == floor(value);
}

bool data_is_drawn(const struct at_measure_argument *facts)
{
	return facts->fill == AT_FILL_UNIFORM || facts->fill == AT_FILL_NORMAL ||
	       facts->fill == AT_FILL_INDEX;
}

/* ---- which inputs belong together ------------------------------------------------ */

/* Whether two inputs hold integers drawn by the same fill: kernels may compare or match
   them with each other, as texts, keys or colours. */
static bool are_alike(const struct at_measure_setup *setup, size_t one, size_t other)
{
	const struct at_measure_argument *a = &setup->arguments[one];
	const struct at_measure_argument *b = &setup->arguments[other];

	return a->fill == b->fill && a->fill_a == b->fill_a && a->fill_b == b->fill_b &&
	       a->element == b->element && !data_is_real(a) && data_is_drawn(a) &&
	       !a->is_fixed && !b->is_fixed &&
	       at_data_access(setup, one) == AT_ACCESS_IN &&
	       at_data_access(setup, other) == AT_ACCESS_IN;
}

/* How many inputs hold integers drawn by the same fill, this argument included. *first:
   the first of them; *ahead: how many of them precede this argument. */
static size_t count_alike(const struct at_measure_setup *setup, size_t argument,
	size_t *first, size_t *ahead)
{
	size_t all = 0;

	*first = argument;
	*ahead = 0;
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		if (!are_alike(setup, argument, i))
			continue;
		if (i < *first)
			*first = i;
		*ahead += i < argument;
		all++;
	}
	return all;
}

/*
 * Whether kernels may look for the numbers of an input among those of `other`: what is
 * drawn at random from a wide range hardly ever equals any of them, and then no
 * result shows that a kernel takes "less or equal" for "less". Reals only from a
 * sequence that has uneven steps here. If it is fixed, its numbers may be computed
 * instead of looked up, and rounding would decide on which side of each of them equal
 * numbers fall. Not in fields of structures.
 */
static bool may_be_looked_up(
	const struct at_measure_setup *setup, size_t argument, size_t other)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	const struct at_measure_argument *source = &setup->arguments[other];

	if (other == argument || facts->owner || source->owner ||
		!data_is_drawn(facts) ||
		at_data_access(setup, argument) != AT_ACCESS_IN)
		return false;
	/* A scalar, as a threshold. Not reals: whether x / t or x * (1 / t) is below 1
	   where x is t, rounding decides. */
	if (at_data_access(setup, other) == AT_ACCESS_NONE)
		return source->lanes == 1 &&
		       at_element_kind(source->element) != AT_ELEMENT_KIND_NONE &&
		       !data_is_real(facts) && !data_is_real(source);
	if (at_data_access(setup, other) != AT_ACCESS_IN ||
		setup->bindings[other].count == 0)
		return false;
	if (data_is_real(facts))
		return source->element == facts->element && !source->is_fixed &&
		       source->fill == AT_FILL_SEQUENCE;
	if (data_is_real(source) || are_alike(setup, argument, other))
		return false;
	/* of two that are drawn one is drawn first */
	return source->fill == AT_FILL_SEQUENCE ||
	       (data_is_drawn(source) && other < argument);
}

/* ---- replacing a sequence ------------------------------------------------------ */

/*
 * Whether the sequence is 0, b, 2 b, ... up to the number of elements of another input:
 * then these are the beginnings of the rows of a sparse matrix or the like, followed by
 * the end of the last row. Only such an end can be an index past the end of an input.
 */
static bool has_row_offsets(const struct at_measure_setup *setup, size_t argument)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	uint64_t count = setup->bindings[argument].count;

	if (facts->fill_a != 0 || facts->fill_b < 2 || facts->lanes != 1 || count < 2)
		return false;
	if (facts->has_row_offsets)
		return true;
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (i != argument &&
			(setup->arguments[i].access == AT_ACCESS_IN ||
				setup->arguments[i].access == AT_ACCESS_INOUT) &&
			(double)setup->bindings[i].count ==
				facts->fill_b * (double)(count - 1))
			return true;
	return false;
}

/*
 * Whether a whole step behind the last number is inside a buffer that kernels write.
 * Then the numbers may be the places to which pieces as long as a step are written. If
 * they moved closer together, pieces would overlap, and the output would depend on
 * which piece is written last.
 */
static bool may_place_pieces(const struct at_measure_setup *setup, size_t argument)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	double scalars = (double)setup->bindings[argument].count * facts->lanes;
	double last = facts->fill_a + facts->fill_b * (scalars - 1);
	double end = fmax(facts->fill_a, last) + fabs(facts->fill_b);

	for (uint32_t i = 0; i < setup->argument_count; i++)
		switch (setup->arguments[i].access) {
		case AT_ACCESS_NONE:
		case AT_ACCESS_IN:
			break;
		case AT_ACCESS_OUT:
		case AT_ACCESS_INOUT:
		case AT_ACCESS_SCRATCH:
			if ((double)setup->bindings[i].count *
					setup->arguments[i].lanes >=
				end)
				return true;
			break;
		}
	return false;
}

/*
 * Which sequence replaces the declared one. Sequences of integers are usually positions
 * in another buffer, so they stay unless it is clear that they may move. A step of 1
 * leaves no room to move, and such numbers are often names of things. In inout
 * arguments they may be cursors behind which kernels write.
 */
static uint32_t choose_sequence(const struct at_measure_setup *setup, size_t argument)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];

	if (data_is_real(facts))
		return DATA_FILL_JITTERED;
	if (at_data_access(setup, argument) != AT_ACCESS_IN ||
		!is_whole(facts->fill_a) || !is_whole(facts->fill_b) ||
		fabs(facts->fill_b) < 2)
		return AT_FILL_SEQUENCE;
	if (has_row_offsets(setup, argument))
		return DATA_FILL_ROWS;
	return may_place_pieces(setup, argument) ? AT_FILL_SEQUENCE
						 : DATA_FILL_JITTERED;
}

/*
 * All values of a pattern are multiples of this step; 0: of none. When equal
 * or ordered values are added up, all roundings go in one direction: a sum of millions
 * of them in float is right to two digits, where one of random values is right to
 * four. So the step is a power of two that is so large that the sum of all values is
 * exact, or less where that would leave no value between the ends.
 */
static double find_step(
	const struct at_measure_setup *setup, size_t argument, double low, double high)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	double count = (double)setup->bindings[argument].count * facts->lanes;
	/* narrower types are added up in float, and their values stay multiples when
	   they are rounded to fewer bits */
	int exponent, bits = facts->element == AT_ELEMENT_F64 ? 53 : 24;
	double sum = count * fmax(fabs(low), fabs(high)), step;

	if (!isfinite(sum) || !isfinite(high - low))
		return 0;
	frexp(sum, &exponent);
	step = ldexp(1, exponent - bits);
	while (step > (high - low) / 2)
		step /= 2;
	return step;
}

/* `value` rounded towards 0 to this many bits of mantissa, or away from 0 where that is
   outside of the range, or `value` itself where both are. */
static double shorten(int bits, double value, double low, double high)
{
	int exponent;
	double mantissa = frexp(value, &exponent);
	double near = ldexp(trunc(ldexp(mantissa, bits)), exponent - bits);

	/* one step of the last bit away from 0 */
	if (near < low || near > high)
		near += copysign(ldexp(1, exponent - bits), value);
	return near < low || near > high ? value : near;
}

/* The value of EQUAL, by the seed; not near 0 where the range has both sides of it. */
static double draw(const struct at_measure_argument *facts, uint64_t seed, double step,
	double low, double high)
{
	double u = unit(seed), value;

	if (!data_is_real(facts))
		return fmin(high, floor(low + (high - low + 1) * u));
	if (low < 0 && high > 0)
		value = (unit(seed + 1) < 0.5 ? low : high) * (0.25 + 0.75 * u);
	else
		value = low * (1 - u) + high * u;
	value = shorten(SHORT_BITS, value, low, high);
	if (step > 0)
		value = round(value / step) * step;
	/* never 0: if all values were 0, a lost one would not show */
	return value != 0 ? value : fabs(low) > fabs(high) ? low : high;
}

/* ---- choosing the fill -------------------------------------------------------- */

/* Whether outputs may be indices, counts or classes that depend on sums of products or
   distances of reals: there are integers in the outputs and several real inputs. */
static bool decides_by_sums(const struct at_measure_setup *setup)
{
	uint32_t whole_outputs = 0, real_inputs = 0;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		enum at_access access = at_data_access(setup, i);

		if (data_is_real(&setup->arguments[i]))
			real_inputs += access == AT_ACCESS_IN;
		else
			whole_outputs +=
				access == AT_ACCESS_OUT || access == AT_ACCESS_INOUT;
	}
	return whole_outputs > 0 && real_inputs > 1;
}

/*
 * Restricts the range to one side of 0. This exposes a kernel that begins a maximum, a
 * minimum or the search for its index with 0: with random numbers of both signs that is
 * never visible.
 */
static void choose_side(const struct at_measure_argument *facts, struct data_fill *out)
{
	double *inner = out->pattern == AT_DATA_NEGATIVE ? &out->high : &out->low;
	double end = out->pattern == AT_DATA_NEGATIVE ? out->low : out->high;

	*inner = !data_is_real(facts)
			 ? copysign(1, end)
			 : at_element_round(facts->element, end / NEAREST_PART);
	/* the type has no number so near to 0 */
	if (*inner == 0)
		*inner = end;
}

static uint64_t seed_of(const struct at_data *data, size_t argument)
{
	return data->seed * 0x100000001b3u + argument;
}

static void choose_pattern(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	double size, end, step = 0;
	size_t first, ahead, alike;

	if (!data_range(setup, argument, data->pattern, &out->low, &out->high))
		return;
	out->pattern = data->pattern;
	if (data_is_real(facts) && data->pattern != AT_DATA_SPIKES)
		step = find_step(setup, argument, out->low, out->high);
	if (step > 0) {
		out->low = ceil(out->low / step) * step;
		out->high = floor(out->high / step) * step;
	}
	/* the distance of ordered values; integers need none */
	out->a = step;
	switch (data->pattern) {
	case AT_DATA_EQUAL:
		alike = count_alike(setup, argument, &first, &ahead);
		end = out->high;
		out->low = out->high =
			draw(facts, seed_of(data, first), step, out->low, end);
		/* alike inputs may be texts: one letter, with the next letter in a few
		   places, so that texts differ in a single place, maybe the last */
		if (alike > 1)
			out->high += out->high < end ? 1 : -1;
		/* some pieces of indices stay as declared */
		else if (facts->fill == AT_FILL_INDEX)
			out->a = facts->fill_a;
		break;
	case AT_DATA_ALTERNATING:
		if (!data_is_real(facts))
			break;
		/* as far from 0 on both sides, so that values cancel out in sums */
		size = fmin(-out->low, out->high);
		if (size > 0) {
			out->high = shorten(SHORT_BITS, size, 0, size);
			out->low = -out->high;
		} else {
			size = shorten(SHORT_BITS, out->low, out->low, out->high);
			out->high = shorten(SHORT_BITS, out->high, out->low, out->high);
			out->low = size;
		}
		break;
	case AT_DATA_EXTREMES:
		/* With only two numbers many sums and distances are equal, and rounding
		   must not decide which of them is the least: so they get few bits.
		   Other patterns use the ends of the range as they are. */
		if (data_is_real(facts) && decides_by_sums(setup)) {
			size = shorten(TIE_BITS, out->low, out->low, out->high);
			out->high = shorten(TIE_BITS, out->high, out->low, out->high);
			out->low = size;
		}
		/* A normal fill reaches so far that rows that are at one end as a whole
		   differ from others: exp() of all of a row is 0. */
		out->a = data_is_real(facts) && facts->fill == AT_FILL_NORMAL &&
			 !facts->has_domain;
		break;
	case AT_DATA_DESCENDING:
		/* Alike inputs that begin at 0 may be the two ends of edges: these lead
		   from one number to the next, so that what passes along them has far
		   to go, against their order. */
		if (out->low == 0 && count_alike(setup, argument, &first, &ahead) > 1) {
			out->seed = seed_of(data, first);
			out->a = (double)ahead;
		}
		break;
	case AT_DATA_NEGATIVE:
	case AT_DATA_POSITIVE:
		choose_side(facts, out);
		break;
	case AT_DATA_DECLARED:
	case AT_DATA_RELATED:
	case AT_DATA_SPIKES:
	case AT_DATA_ASCENDING:
	case AT_DATA_EDITED:
	case AT_DATA_REVERSED:
	case AT_DATA_TIMED:
	case AT_DATA_ZEROED:
	case AT_DATA_COUNT:
		break;
	}
}

static void choose_fill(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out);

/*
 * The timed data of the seed, but for the pieces that the fill kernel edits. A kernel
 * that recognizes the timed data by a part of it, or reads a part of a constant or
 * sequence and takes the rest to follow from it, gives a wrong result.
 */
static void choose_timed(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out)
{
	struct at_data timed = *data;

	timed.pattern = AT_DATA_DECLARED;
	choose_fill(setup, argument, &timed, out);
	switch (out->kind) {
	case AT_FILL_NONE:
	case AT_FILL_FILE:
		return;
	case AT_FILL_CONSTANT:
		if (!data_range(setup, argument, AT_DATA_TIMED, &out->low, &out->high))
			return;
		break;
	case AT_FILL_SEQUENCE:
		out->low = 1;
		if (choose_sequence(setup, argument) != DATA_FILL_JITTERED)
			return;
		break;
	default:
		break;
	}
	out->pattern = AT_DATA_TIMED;
}

static bool may_be_zero(const struct at_measure_setup *setup, size_t argument)
{
	double low, high;

	return data_range(setup, argument, AT_DATA_ZEROED, &low, &high) && low <= 0 &&
	       high >= 0;
}

/*
 * The argument whose numbers are all 0 but one, while the others are as declared; or
 * how many arguments there are, if none is. It is one in half of the verifications, but
 * not in that of the tuned problem, which may be the only one: zeros in pieces show
 * more.
 */
static size_t find_lone(
	const struct at_measure_setup *setup, const struct at_data *data)
{
	size_t count = setup->argument_count, choices = 0, chosen;

	if (!setup->is_for_verifications || setup->timed_seed || unit(data->seed) < 0.5)
		return count;
	for (size_t i = 0; i < count; i++)
		choices += may_be_zero(setup, i);
	/* by turns, since the verifications of a run are few, and have seeds one by one
	 */
	chosen = choices ? (size_t)(data->seed % choices) : 0;
	for (size_t i = 0; i < count; i++)
		if (may_be_zero(setup, i) && chosen-- == 0)
			return i;
	return count;
}

static bool has_both_sides(const struct at_measure_setup *setup, size_t argument,
	enum at_data_pattern pattern)
{
	double low, high;

	return data_range(setup, argument, pattern, &low, &high) && low < 0 && high > 0;
}

/* Inputs that are alike get the same values, by the seed of the first of them, each
   shifted by the number of those that precede it (passed as `low`). Some numbers are
   those of another input, or next to them. */
static void choose_related(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out)
{
	size_t first, ahead;

	if (count_alike(setup, argument, &first, &ahead) >= 2) {
		out->pattern = AT_DATA_RELATED;
		out->seed = seed_of(data, first);
		out->low = (double)ahead;
	}
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (may_be_looked_up(setup, argument, i))
			out->pattern = AT_DATA_RELATED;
}

static void choose_fill(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];

	*out = (struct data_fill){
		.kind = facts->fill,
		.a = facts->fill_a,
		.b = facts->fill_b,
		.file = facts->file,
		/* arguments of one kind of fill must not be copies of each other */
		.seed = seed_of(data, argument),
	};
	if (data->set) {
		const struct at_measure_fill *fill =
			&setup->sets[data->set - 1].fills[argument];

		/* a fill that the space names for this set is used without changes */
		if (fill->kind != AT_FILL_NONE) {
			out->kind = fill->kind;
			out->a = fill->a;
			out->b = fill->b;
			out->file = fill->file;
		}
		return;
	}
	if (facts->is_fixed ||
		(data->pattern == AT_DATA_DECLARED &&
			(data->seed == setup->seed ||
				(setup->timed_seed &&
					data->seed == setup->timed_seed))))
		return;
	if (data->pattern == AT_DATA_TIMED) {
		choose_timed(setup, argument, data, out);
		return;
	}
	if (data->keeps_shape && !data_is_real(facts))
		return;
	if (facts->fill == AT_FILL_SEQUENCE)
		out->kind = choose_sequence(setup, argument);
	if (data->pattern == AT_DATA_EDITED || data->pattern == AT_DATA_REVERSED) {
		/* only for values that are drawn one by one; constants, sequences and
		   files are as in declared data of the same seed */
		if (data_is_drawn(facts)) {
			out->pattern = data->pattern;
			return;
		}
	} else if (data->pattern == AT_DATA_RELATED) {
		choose_related(setup, argument, data, out);
		if (out->pattern != AT_DATA_DECLARED)
			return;
	} else if ((data->pattern == AT_DATA_NEGATIVE ||
			   data->pattern == AT_DATA_POSITIVE) &&
		   !has_both_sides(setup, argument, data->pattern)) {
		/* no second side of 0: as declared */
	} else if (data->pattern == AT_DATA_ZEROED) {
		size_t lone = find_lone(setup, data);

		if (may_be_zero(setup, argument) &&
			(lone == argument || lone == setup->argument_count)) {
			out->pattern = data->pattern;
			out->low = lone == argument;
		} else if (lone != setup->argument_count && !data_is_real(facts) &&
			   has_both_sides(setup, argument, AT_DATA_POSITIVE)) {
			/* what no flag ends goes on and on, and sums up to more than a
			   narrow type holds if its terms do not cancel out */
			struct at_data side = *data;

			side.pattern = AT_DATA_POSITIVE;
			choose_pattern(setup, argument, &side, out);
			return;
		}
	} else if (data->pattern != AT_DATA_DECLARED) {
		choose_pattern(setup, argument, data, out);
		if (out->pattern != AT_DATA_DECLARED)
			return;
	}
	if (facts->fill == AT_FILL_CONSTANT) {
		constant_range(setup, argument, &out->a, &out->b);
		if (out->a < out->b)
			out->kind = AT_FILL_UNIFORM;
	}
}

void data_choose(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out)
{
	enum at_element element = setup->arguments[argument].element;

	choose_fill(setup, argument, data, out);
	/* The end of a uniform fill is excluded, but a number just below it may round
	   to it: of 4096 numbers below 1, one becomes 1 as a half. */
	if (out->kind == AT_FILL_UNIFORM && at_element_is_narrow(element) &&
		out->a < out->b &&
		(out->pattern == AT_DATA_DECLARED || out->pattern == AT_DATA_EDITED ||
			out->pattern == AT_DATA_REVERSED ||
			out->pattern == AT_DATA_TIMED ||
			out->pattern == AT_DATA_ZEROED))
		out->high = fmax(at_element_round(element, out->a),
			at_element_below(element, out->b));
}

bool data_source(const struct at_measure_setup *setup, size_t argument, size_t other,
	const struct at_data *data, struct data_source *out)
{
	struct data_fill fill;

	if (data->set || data->pattern != AT_DATA_RELATED ||
		setup->arguments[argument].is_fixed ||
		!may_be_looked_up(setup, argument, other) ||
		!data_range(setup, argument, data->pattern, &out->low, &out->high))
		return false;
	if (at_data_access(setup, other) == AT_ACCESS_NONE) {
		*out = (struct data_source){ .kind = AT_FILL_CONSTANT,
			.a = at_element_load(setup->arguments[other].element,
				setup->bindings[other].value),
			.count = 1,
			.low = out->low,
			.high = out->high };
		return true;
	}
	/* as it would be without sources of its own */
	choose_fill(setup, other, data, &fill);
	out->kind = fill.kind;
	out->a = fill.a;
	out->b = fill.b;
	out->seed = fill.seed;
	out->count = setup->bindings[other].count * setup->arguments[other].lanes;
	return true;
}

static bool stays(const struct at_measure_setup *setup, size_t argument)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];

	if (setup->reference == AT_REFERENCE_FILE)
		return true;
	/* a variable is set once, when its module is loaded */
	if (facts->symbol && facts->symbol[0])
		return true;
	if (facts->is_fixed)
		return !data_is_drawn(facts) && facts->fill != AT_FILL_NONE;
	if (facts->has_domain)
		return false;
	for (uint32_t i = 0; i < setup->set_count; i++)
		if (setup->sets[i].fills[argument].kind != AT_FILL_NONE)
			return false;
	return facts->fill == AT_FILL_FILE ||
	       (facts->fill == AT_FILL_SEQUENCE &&
		       choose_sequence(setup, argument) == AT_FILL_SEQUENCE);
}

/* of so many buffers the first are named */
#define NAMED_MOST 4

void data_list_staying(const struct at_measure_setup *setup, char *out, size_t size)
{
	unsigned count = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (data_is_filled(setup, i) && !setup->arguments[i].has_fields &&
			stays(setup, i) && count++ < NAMED_MOST)
			at_text_append(out, size, "%s%s", count > 1 ? ", " : "",
				setup->arguments[i].name);
	if (count > NAMED_MOST)
		at_text_append(out, size, " and %u other buffer%s", count - NAMED_MOST,
			count > NAMED_MOST + 1 ? "s" : "");
}

/* so many numbers are not few */
#define FEW_SCALARS 32

bool data_is_few(const struct at_measure_setup *setup)
{
	bool has_inputs = false;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		if (!data_is_filled(setup, i))
			continue;
		has_inputs = true;
		if (setup->bindings[i].count * setup->arguments[i].lanes >= FEW_SCALARS)
			return false;
	}
	return has_inputs;
}

bool data_is_other(const struct at_measure_setup *setup, const struct at_data *data)
{
	const struct at_data declared = { .seed = data->seed };
	struct data_fill plain, other;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		if (!data_is_filled(setup, i))
			continue;
		data_choose(setup, i, &declared, &plain);
		data_choose(setup, i, data, &other);
		if (plain.kind != other.kind || plain.pattern != other.pattern ||
			plain.a != other.a || plain.b != other.b ||
			strcmp(plain.file ? plain.file : "",
				other.file ? other.file : ""))
			return true;
	}
	return false;
}
