/*
 * The data of proofs: from what a space declares to what the fill kernel does.
 *
 * A pattern takes its values from the declared range, since a kernel need not be right
 * beyond it; where a fill says little of what may come (constants, sequences), only
 * what cannot hurt a kernel that reads its inputs is changed.
 */
#include "measure/data.h"
#include "measure/data_range.h"

#include <math.h>
#include <string.h>

/* Bits of the mantissa of what is equal or alternates: sums and products of such values
   are exact in any order, so that only a mistake changes them, and no rounding. */
#define SHORT_BITS 3
/* what is on one side of 0 begins so far from it, in parts of the range */
#define NEAREST_PART 1024
/* and of two numbers at random so many that sums of 256 squares of differences are */
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

/* SplitMix64: a number of its own for each seed */
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

/* ---- what a sequence may become ----------------------------------------------- */

/*
 * 0, b, 2 b, ... up to the number of elements of another input: beginnings of rows of a
 * sparse matrix or the like, with the end of the last behind them. Nothing else is read
 * at an index that is past the end.
 */
static bool begins_rows(const struct at_measure_setup *setup, size_t argument)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	uint64_t count = setup->bindings[argument].count;

	if (facts->fill_a != 0 || facts->fill_b < 2 || facts->lanes != 1 || count < 2)
		return false;
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
 * Whether a whole step behind the last number is inside a buffer that kernels write:
 * the numbers may be where pieces are written to, all as long as a step. Closer to each
 * other, pieces would overlap, and what is left there be a matter of luck.
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
 * Integers in order are addresses of something: they stay unless it is clear that they
 * may move. Those a step of 1 apart leave no room, and often name things one by one;
 * inout ones may be cursors, behind which kernels write.
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
	if (begins_rows(setup, argument))
		return DATA_FILL_ROWS;
	return may_place_pieces(setup, argument) ? AT_FILL_SEQUENCE
						 : DATA_FILL_JITTERED;
}

/*
 * Values that are alike, or follow each other in order, are all rounded in one
 * direction where they are added up: a sum of millions of them in float, which is right
 * to four digits for random ones, loses the third. So they are multiples of a power of
 * two so large that a sum of all is exact; as long as that leaves some values between
 * the ends. 0: there is none.
 */
static double find_step(
	const struct at_measure_setup *setup, size_t argument, double low, double high)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	double count = (double)setup->bindings[argument].count * facts->lanes;
	/* narrower ones are added up in float, and rounded to fewer bits stay multiples
	 */
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

/* Near `value`, towards 0, with few bits; or itself where that leaves the range. */
static double shorten_to(int bits, double value, double low, double high)
{
	int exponent;
	double mantissa = frexp(value, &exponent);
	double near = ldexp(trunc(ldexp(mantissa, bits)), exponent - bits);

	/* one step of the last bit further out, where 0 is the other way */
	if (near < low || near > high)
		near += copysign(ldexp(1, exponent - bits), value);
	return near < low || near > high ? value : near;
}

static double shorten(double value, double low, double high)
{
	return shorten_to(SHORT_BITS, value, low, high);
}

/* One value for all, by the seed; of ranges on both sides of 0 not near it. */
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
	value = shorten(value, low, high);
	if (step > 0)
		value = round(value / step) * step;
	/* with zeros alone nothing that is lost shows */
	return value != 0 ? value : fabs(low) > fabs(high) ? low : high;
}

/* ---- the choice -------------------------------------------------------------------
 */

/* Places, counts or classes that sums of products or distances of reals decide. */
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
 * One side of 0, for who begins a maximum, a minimum or the place of one at 0: random
 * numbers of both signs never show it. What has one side alone is as declared.
 */
static void choose_side(const struct at_measure_argument *facts, struct data_fill *out)
{
	double *inner = out->pattern == AT_DATA_NEGATIVE ? &out->high : &out->low;
	double end = out->pattern == AT_DATA_NEGATIVE ? out->low : out->high;

	*inner = !data_is_real(facts)
			 ? copysign(1, end)
			 : at_element_round(facts->element, end / NEAREST_PART);
	/* of a type whose numbers end here */
	if (*inner == 0)
		*inner = end;
}

static bool is_drawn(const struct at_measure_argument *facts)
{
	return facts->fill == AT_FILL_UNIFORM || facts->fill == AT_FILL_NORMAL ||
	       facts->fill == AT_FILL_INDEX;
}

/* Whole numbers that are drawn alike may be found in both: texts, keys, colours. */
static bool are_alike(const struct at_measure_setup *setup, size_t one, size_t other)
{
	const struct at_measure_argument *a = &setup->arguments[one];
	const struct at_measure_argument *b = &setup->arguments[other];

	return a->fill == b->fill && a->fill_a == b->fill_a && a->fill_b == b->fill_b &&
	       a->element == b->element && !data_is_real(a) && is_drawn(a) &&
	       !a->is_fixed && !b->is_fixed &&
	       at_data_access(setup, one) == AT_ACCESS_IN &&
	       at_data_access(setup, other) == AT_ACCESS_IN;
}

/* How many of those that are alike, with this one; *first: the first of them, and how
   many are ahead of it. */
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
	/* how far apart values in order are; integers are apart by themselves */
	out->a = step;
	switch (data->pattern) {
	case AT_DATA_EQUAL:
		alike = count_alike(setup, argument, &first, &ahead);
		end = out->high;
		out->low = out->high =
			draw(facts, seed_of(data, first), step, out->low, end);
		/* texts of one letter, and of the next one here and there: those that
		   are alike but for one place, be it the last */
		if (alike > 1)
			out->high += out->high < end ? 1 : -1;
		break;
	case AT_DATA_ALTERNATING:
		if (!data_is_real(facts))
			break;
		/* as large on both sides, so that sums come to nothing */
		size = fmin(-out->low, out->high);
		if (size > 0) {
			out->high = shorten(size, 0, size);
			out->low = -out->high;
		} else {
			size = shorten(out->low, out->low, out->high);
			out->high = shorten(out->high, out->low, out->high);
			out->low = size;
		}
		break;
	case AT_DATA_EXTREMES:
		/* of two numbers many sums and distances are the same, and which of
		   those is the least must not be a matter of rounding; ends as they
		   are come in other patterns */
		if (data_is_real(facts) && decides_by_sums(setup)) {
			size = shorten_to(TIE_BITS, out->low, out->low, out->high);
			out->high =
				shorten_to(TIE_BITS, out->high, out->low, out->high);
			out->low = size;
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
	case AT_DATA_DESCENDING:
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
 * As the set of that seed is timed, but in the pieces that the fill kernel edits. Who
 * knows the timed data by some of it, or looks at some of a constant or a sequence and
 * takes the rest to be alike, is wrong there.
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

static bool has_both_sides(const struct at_measure_setup *setup, size_t argument,
	enum at_data_pattern pattern)
{
	double low, high;

	return data_range(setup, argument, pattern, &low, &high) && low < 0 && high > 0;
}

/* The first of those that are alike gives the seed; how many are ahead of this one is
   how far it is shifted. */
static void choose_related(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out)
{
	size_t first, ahead;

	if (count_alike(setup, argument, &first, &ahead) < 2)
		return;
	out->pattern = AT_DATA_RELATED;
	out->seed = seed_of(data, first);
	out->low = (double)ahead;
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

		/* said in so many words: it is filled so and not otherwise */
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
		/* of what is drawn one by one; what has an order or a meaning as a
		   whole is as in declared data of the same seed */
		if (is_drawn(facts)) {
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
		/* as declared */
	} else if (data->pattern == AT_DATA_ZEROED) {
		if (may_be_zero(setup, argument))
			out->pattern = data->pattern;
	} else if (data->pattern != AT_DATA_DECLARED) {
		choose_pattern(setup, argument, data, out);
		if (out->pattern != AT_DATA_DECLARED)
			return;
	}
	if (facts->fill == AT_FILL_CONSTANT) {
		data_constant_range(setup, argument, &out->a, &out->b);
		if (out->a < out->b)
			out->kind = AT_FILL_UNIFORM;
	}
}

void data_choose(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out)
{
	enum at_element element = setup->arguments[argument].element;

	choose_fill(setup, argument, data, out);
	/* of 4096 numbers below 1 one is 1 as a half, which kernels need not stand */
	if (out->kind == AT_FILL_UNIFORM && at_element_is_narrow(element) &&
		out->a < out->b &&
		(out->pattern == AT_DATA_DECLARED || out->pattern == AT_DATA_EDITED ||
			out->pattern == AT_DATA_REVERSED ||
			out->pattern == AT_DATA_TIMED ||
			out->pattern == AT_DATA_ZEROED))
		out->high = fmax(at_element_round(element, out->a),
			at_element_below(element, out->b));
}

bool at_data_stays(const struct at_measure_setup *setup, size_t argument)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];

	if (facts->is_fixed)
		return false;
	/* a variable is set once, when its module is loaded */
	if (facts->symbol && facts->symbol[0])
		return true;
	if (facts->has_domain)
		return false;
	for (uint32_t i = 0; i < setup->set_count; i++)
		if (setup->sets[i].fills[argument].kind != AT_FILL_NONE)
			return false;
	return facts->fill == AT_FILL_FILE ||
	       (facts->fill == AT_FILL_SEQUENCE &&
		       choose_sequence(setup, argument) == AT_FILL_SEQUENCE);
}

bool data_is_other(const struct at_measure_setup *setup, const struct at_data *data)
{
	const struct at_data declared = { .seed = data->seed };
	struct data_fill plain, other;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		enum at_access access = at_data_access(setup, i);

		if (access != AT_ACCESS_IN && access != AT_ACCESS_INOUT)
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
