/* The contents of inputs in verifications: the patterns of at_fill on the processor,
   and which fill is chosen for an argument. */
#include "measure_fixture.h"
#include "measure/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one input, filled -------------------------------------------------------- */

/* beside the input under test another one and an output, for what looks at both */
static struct at_measure_argument facts[3];
static struct at_measure_binding sizes[3];
static struct at_measure_setup one = {
	.argument_count = 3,
	.arguments = facts,
	.bindings = sizes,
	.seed = 1,
};

static void declare(enum at_element element, enum at_fill_kind fill, double a, double b,
	uint64_t count)
{
	memset(facts, 0, sizeof(facts));
	memset(sizes, 0, sizeof(sizes));
	facts[0] = (struct at_measure_argument){ .name = "a",
		.element = element,
		.lanes = 1,
		.access = AT_ACCESS_IN,
		.fill = fill,
		.fill_a = a,
		.fill_b = b };
	facts[1] = (struct at_measure_argument){ .name = "b",
		.element = AT_ELEMENT_F32,
		.lanes = 1,
		.access = AT_ACCESS_IN,
		.fill = AT_FILL_UNIFORM };
	facts[2] = (struct at_measure_argument){
		.element = AT_ELEMENT_F32, .lanes = 1, .access = AT_ACCESS_OUT
	};
	sizes[0].count = count;
	sizes[1].count = sizes[2].count = 1;
}

static struct data_fill choose(enum at_data_pattern pattern, uint64_t seed)
{
	const struct at_data data = { .pattern = pattern, .seed = seed };
	struct data_fill fill;

	data_choose(&one, 0, &data, &fill);
	return fill;
}

/* What at_fill writes, as doubles; heap. */
static double *written(struct data_fill fill)
{
	enum at_element element = facts[0].element;
	uint64_t count = sizes[0].count, bytes = count * at_element_bytes(element);
	struct at_parameter_value values[11] = { { .more = NULL } };
	struct at_invocation call = { .grid = { 3, 1, 1 },
		.block = { 64, 1, 1 },
		.argument_count = COUNT(values),
		.arguments = values };
	double *out = calloc(count, sizeof(*out));
	OWNED(free) unsigned char *raw = malloc(bytes);
	struct at_memory *memory;
	struct at_module *module;
	struct fixture fixture;
	struct at_error err = { 0 };
	uint64_t address;

	begin_bench(&fixture, "right", AT_CACHE_COLD);
	assert_int_equal(device->ops->load(device, fixture.setup.support_image,
				 fixture.setup.support_bytes, &module, &err),
		AT_OUTCOME_OK);
	call.kernel = device->ops->find(device, module, "at_fill");
	assert_non_null(call.kernel);
	assert_ok(device->ops->allocate(device, bytes, &memory, &failure));
	address = device->ops->address(device, memory);
	memcpy(values[0].bytes, &address, 8);
	memcpy(values[1].bytes, &count, 8);
	memcpy(values[2].bytes, &element, 4);
	memcpy(values[3].bytes, &fill.kind, 4);
	memcpy(values[4].bytes, &fill.a, 8);
	memcpy(values[5].bytes, &fill.b, 8);
	memcpy(values[6].bytes, &fill.seed, 8);
	memcpy(values[7].bytes, &fill.pattern, 4);
	memcpy(values[8].bytes, &fill.low, 8);
	memcpy(values[9].bytes, &fill.high, 8);
	assert_int_equal(device->ops->run(device, &call, 1, &err), AT_OUTCOME_OK);
	assert_ok(device->ops->read(device, memory, 0, raw, bytes, &failure));
	for (uint64_t i = 0; i < count; i++) {
		float single;
		int32_t whole;

		switch (element) {
		case AT_ELEMENT_U8:
			out[i] = raw[i];
			break;
		case AT_ELEMENT_I32:
			memcpy(&whole, raw + 4 * i, 4);
			out[i] = whole;
			break;
		case AT_ELEMENT_F32:
			memcpy(&single, raw + 4 * i, 4);
			out[i] = single;
			break;
		default:
			out[i] = at_element_load(
				element, raw + i * at_element_bytes(element));
			break;
		}
	}
	device->ops->release(device, memory);
	device->ops->unload(device, module);
	return out;
}

static double *filled(enum at_data_pattern pattern, uint64_t seed)
{
	return written(choose(pattern, seed));
}

/* ---- the declared fill ---------------------------------------------------------- */

/* the very numbers of all that is recorded; from before there were patterns */
TEST(what_is_timed_stays_to_the_bit)
{
	static const struct {
		enum at_element element;
		enum at_fill_kind fill;
		double a, b;
		double values[3];
	} rows[] = {
		{ AT_ELEMENT_F64, AT_FILL_UNIFORM, -1, 1,
			{ -0.00054221910035989751, -0.11777418126439443,
				-0.26617385535967819 } },
		{ AT_ELEMENT_F64, AT_FILL_NORMAL, 0, 2,
			{ -2.1946057533475347, -1.5323680520713956,
				4.8895188553575393 } },
		{ AT_ELEMENT_I32, AT_FILL_UNIFORM, -5, 1000, { 497, 438, 364 } },
		{ AT_ELEMENT_I32, AT_FILL_INDEX, 77777, 0, { 38867, 34308, 28537 } },
		{ AT_ELEMENT_F64, AT_FILL_SEQUENCE, 3, 0.25, { 3, 3.25, 3.5 } },
		{ AT_ELEMENT_I32, AT_FILL_SEQUENCE, 0, 7, { 0, 7, 14 } },
		{ AT_ELEMENT_F64, AT_FILL_CONSTANT, 2.5, 0, { 2.5, 2.5, 2.5 } },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		OWNED(free) double *values;

		declare(rows[i].element, rows[i].fill, rows[i].a, rows[i].b, 3);
		values = filled(AT_DATA_DECLARED, one.seed);
		/* logarithms and cosines are the library's, to its last digit or so */
		for (int k = 0; k < 3; k++)
			if (fabs(values[k] - rows[i].values[k]) >
				(rows[i].fill == AT_FILL_NORMAL ? 1e-14 : 0))
				fail_msg("row %zu, element %d is %.17g", i, k,
					values[k]);
	}
}

/* Also what is timed: rounded, some would be the end, which is not in the range. */
TEST(what_is_drawn_below_an_end_stays_below_it)
{
	static const enum at_element elements[] = { AT_ELEMENT_F16, AT_ELEMENT_BF16,
		AT_ELEMENT_E4M3, AT_ELEMENT_E5M2 };

	for (size_t e = 0; e < COUNT(elements); e++) {
		double *values, most = 0;

		declare(elements[e], AT_FILL_UNIFORM, 0, 1, 20000);
		values = filled(AT_DATA_DECLARED, one.seed);
		for (int i = 0; i < 20000; i++)
			most = fmax(most, values[i]);
		/* the last one below is drawn, too */
		assert_true(most == at_element_below(elements[e], 1));
		free(values);
		declare(elements[e], AT_FILL_NORMAL, 0, at_element_largest(elements[e]),
			1000);
		values = filled(AT_DATA_DECLARED, one.seed);
		for (int i = 0; i < 1000; i++)
			assert_true(isfinite(values[i]));
		free(values);
	}
}

/* ---- the patterns ---------------------------------------------------------- */

/* Every pattern of every fill stays in its range, and integers are whole. */
TEST(patterns_stay_in_the_range_of_the_fill)
{
	static const struct {
		enum at_element element;
		enum at_fill_kind fill;
		double a, b;
		double low, high;
	} rows[] = {
		{ AT_ELEMENT_F32, AT_FILL_UNIFORM, -1, 1, -1, 0x1.fffffep-1 },
		{ AT_ELEMENT_F32, AT_FILL_UNIFORM, 0, 1, 0, 0x1.fffffep-1 },
		{ AT_ELEMENT_F32, AT_FILL_UNIFORM, 1, 2, 1, 0x1.fffffep0 },
		{ AT_ELEMENT_F64, AT_FILL_UNIFORM, -3, -1.25, -3, -1.25 },
		/* of few digits: the ends are inside, and the last one is not reached
		 */
		{ AT_ELEMENT_F16, AT_FILL_UNIFORM, 0, 1, 0, 1 - 0x1p-11 },
		{ AT_ELEMENT_F16, AT_FILL_UNIFORM, 0.1, 0.3, 0x1.998p-4, 0x1.33p-2 },
		{ AT_ELEMENT_F16, AT_FILL_NORMAL, 0, 20000, -65504, 65504 },
		{ AT_ELEMENT_F16, AT_FILL_NORMAL, 0, 1, -6, 6 },
		{ AT_ELEMENT_BF16, AT_FILL_UNIFORM, -1, 1, -1, 1 - 0x1p-8 },
		{ AT_ELEMENT_E4M3, AT_FILL_UNIFORM, -448, 448, -448, 416 },
		{ AT_ELEMENT_E5M2, AT_FILL_UNIFORM, 1, 8, 1, 7 },
		{ AT_ELEMENT_F64, AT_FILL_UNIFORM, 1e-3, 1e30, 1e-3, 1e30 },
		{ AT_ELEMENT_I32, AT_FILL_UNIFORM, 0, 100, 0, 100 },
		{ AT_ELEMENT_I32, AT_FILL_UNIFORM, -7, 3, -7, 3 },
		{ AT_ELEMENT_U8, AT_FILL_UNIFORM, 0, 255, 0, 255 },
		/* more than the type holds: what it holds */
		{ AT_ELEMENT_U8, AT_FILL_UNIFORM, -10, 1000, 0, 255 },
		{ AT_ELEMENT_I32, AT_FILL_INDEX, 77, 0, 0, 76 },
		{ AT_ELEMENT_F32, AT_FILL_NORMAL, 5, 1, -1, 11 },
		{ AT_ELEMENT_F32, AT_FILL_CONSTANT, 3, 0, 1.5, 3 },
		{ AT_ELEMENT_F32, AT_FILL_CONSTANT, -3, 0, -3, -1.5 },
		{ AT_ELEMENT_F32, AT_FILL_CONSTANT, 0, 0, 0, 0 },
		{ AT_ELEMENT_I32, AT_FILL_CONSTANT, 128, 0, 1, 128 },
		{ AT_ELEMENT_I32, AT_FILL_CONSTANT, 1, 0, 0, 1 },
		{ AT_ELEMENT_I32, AT_FILL_CONSTANT, -1, 0, -1, -1 },
		{ AT_ELEMENT_I32, AT_FILL_CONSTANT, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		for (int p = 0; p < 3 * AT_DATA_COUNT; p++) {
			enum at_data_pattern pattern = p % AT_DATA_COUNT;
			double *values;

			if (pattern == AT_DATA_DECLARED &&
				rows[i].fill != AT_FILL_CONSTANT)
				continue;
			declare(rows[i].element, rows[i].fill, rows[i].a, rows[i].b,
				1003);
			values = filled(pattern, 100 + (uint64_t)p);
			for (int k = 0; k < 1003; k++)
				if (!(values[k] >= rows[i].low &&
					    values[k] <= rows[i].high) ||
					(rows[i].element < AT_ELEMENT_F32 &&
						values[k] != floor(values[k])))
					fail_msg("row %zu, %s: element %d is %.17g", i,
						at_data_pattern_name(pattern), k,
						values[k]);
			free(values);
		}
}

/*
 * What spikes are for: whatever element gets lost at the places where elements get
 * lost, a sum shows it far above any tolerance, and so does a sum in half precision.
 */
TEST(a_lost_spike_shows_in_a_sum)
{
	static const uint64_t counts[] = { 3, 31, 1000, 10007, 500003 };
	static const double ranges[][2] = { { 0, 1 }, { -1, 1 } };

	for (size_t i = 0; i < COUNT(counts) * COUNT(ranges); i++) {
		uint64_t count = counts[i / 2], spikes = 0, edges = 0;
		double *values, sum = 0, largest = 0;

		declare(AT_ELEMENT_F32, AT_FILL_UNIFORM, ranges[i % 2][0],
			ranges[i % 2][1], count);
		values = filled(AT_DATA_SPIKES, 7);
		for (uint64_t k = 0; k < count; k++) {
			sum += fabs(values[k]);
			largest = fmax(largest, fabs(values[k]));
			if (fabs(values[k]) < 0.9)
				continue;
			spikes++;
			edges += (k + 1) % 256 < 2;
		}
		assert_true(largest <= 1 && largest > 0.999);
		/* the first and the last are, and each is a good part of the sum */
		assert_true(fabs(values[0]) > 0.999);
		assert_true(fabs(values[count - 1]) > 0.999);
		assert_true(0.9 / sum > 1e-4);
		assert_true(count < 100 || spikes < count / 4);
		/* more of them where blocks end than by chance */
		if (count == 500003)
			assert_true(edges > spikes / 4);
		/* the rest is not nothing: to skip it shows too */
		for (uint64_t k = 0; k < count; k++)
			if (fabs(values[k]) < 0.9)
				sum -= fabs(values[k]);
		assert_true(count < 100 || sum < 0.999 * ((double)spikes + sum));
		free(values);
	}
}

/* each row of a matrix has some, wherever its length puts them */
TEST(every_long_row_has_spikes)
{
	OWNED(free) double *values;

	declare(AT_ELEMENT_F32, AT_FILL_UNIFORM, -8, 8, 128 * 1024);
	values = filled(AT_DATA_SPIKES, 3);
	for (int row = 0; row < 128; row++) {
		int spikes = 0;

		for (int k = 0; k < 1024; k++)
			spikes += fabs(values[1024 * row + k]) > 7;
		assert_in_range(spikes, 4, 100);
	}
}

/* where all values were far out, nothing else would be left to see */
TEST(a_few_values_of_a_normal_fill_reach_six_deviations)
{
	for (int is_sorted = 0; is_sorted < 2; is_sorted++) {
		OWNED(free) double *values;
		double most = 0;

		declare(AT_ELEMENT_F32, AT_FILL_NORMAL, 0, 1, 1000);
		values = filled(is_sorted ? AT_DATA_ASCENDING : AT_DATA_SPIKES, 3);
		for (int i = 0; i < 1000; i++)
			most = fmax(most, fabs(values[i]));
		assert_float_equal(most, is_sorted ? 4 : 6, 0.01);
	}
}

TEST(the_other_patterns_are_what_their_names_say)
{
	static const enum at_element elements[] = { AT_ELEMENT_F32, AT_ELEMENT_I32 };

	for (size_t e = 0; e < COUNT(elements); e++) {
		double low = e ? -100 : -1, high = e ? 99 : 0x1.fffffep-1, sum = 0;
		uint64_t lows = 0, others = 0, count = 2000, columns;
		double *values;

		declare(elements[e], AT_FILL_UNIFORM, low, e ? 99 : 1, count);
		values = filled(AT_DATA_EQUAL, 5);
		for (uint64_t i = 1; i < count; i++)
			assert_true(values[i] == values[0]);
		free(values);
		values = filled(AT_DATA_EXTREMES, 5);
		for (uint64_t i = 0; i < count; i++) {
			/* of integers some have one more bit than an end */
			double up = values[i] - low, down = high - values[i];

			assert_true(up >= 0 && down >= 0);
			assert_true(up < 1e-3 || down < 1e-3 ||
				    (e && (log2(up) == floor(log2(up)) ||
						  log2(down) == floor(log2(down)))));
			others += up >= 1 && down >= 1;
			lows += values[i] == low;
		}
		assert_in_range(lows, e ? 600 : 800, 1200);
		assert_in_range(others, e ? 300 : 0, e ? 500 : 0);
		free(values);
		values = filled(AT_DATA_ALTERNATING, 5);
		for (uint64_t i = 1; i < count; i++) {
			assert_true(values[i] * values[i - 1] < 0);
			sum += values[i] + values[i - 1];
		}
		/* reals of either sign cancel to nothing; integers keep their ends */
		assert_true(e || sum == 0);
		assert_true(!e || fmax(values[0], values[1]) == 99);
		free(values);
		values = filled(AT_DATA_ASCENDING, 5);
		assert_true(values[0] == low && fabs(values[count - 1] - high) < 1e-3);
		for (uint64_t i = 1; i < count; i++)
			assert_true(values[i] >= values[i - 1]);
		free(values);
		/* one after the other, or by other seeds down columns, the
		   last has all of the largest */
		for (columns = 1024; count / columns < 8;)
			columns /= 2;
		for (uint64_t seed = 5, both = 0; both != 3; seed++) {
			uint64_t steps = 0;

			values = filled(AT_DATA_DESCENDING, seed);
			assert_true(values[count - 1] == low);
			for (uint64_t i = 1; i < count; i++)
				steps += values[i] > values[i - 1];
			both |= steps ? 2 : 1;
			assert_true(steps || fabs(values[0] - high) < 1e-3);
			for (uint64_t i = 0; i < count && steps; i++)
				assert_true(values[i] <= high &&
					    (i < columns ||
						    values[i] <= values[i - columns]));
			free(values);
			assert_true(seed < 64);
		}
	}
}

/* up or down one by one, but in order: who follows them has half of them to go */
TEST(indices_in_order_lead_far)
{
	const uint64_t count = 1500;
	uint64_t down = 0, up = 0;
	double *values;

	declare(AT_ELEMENT_I32, AT_FILL_INDEX, (double)count, 0, count);
	values = filled(AT_DATA_ASCENDING, 5);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = i, steps = 0;

		assert_true(values[i] >= 0 && values[i] < (double)count);
		assert_true(i == 0 || values[i] >= values[i - 1]);
		for (; values[at] < (double)at; steps++)
			at = (uint64_t)values[at];
		down = steps > down ? steps : down;
		for (at = i, steps = 0; values[at] > (double)at; steps++)
			at = (uint64_t)values[at];
		up = steps > up ? steps : up;
	}
	assert_int_equal(down, count / 2 - 1);
	assert_int_equal(up, count / 2 - 1);
	free(values);
	/* and those that descend by some seeds all of them, down or up */
	for (int is_up = 0; is_up < 2; is_up++)
		for (uint64_t seed = 6, whole = 0; !whole; seed++) {
			assert_in_range(seed, 6, 40);
			values = filled(AT_DATA_DESCENDING, seed);
			whole = is_up ? values[0] == 1 && values[count - 2] == count - 1
				      : values[1] == 0 &&
						values[count - 1] == count - 2;
			free(values);
		}
	/* of another count they are numbers like others */
	declare(AT_ELEMENT_I32, AT_FILL_INDEX, 100, 0, count);
	values = filled(AT_DATA_ASCENDING, 5);
	assert_true(values[0] == 0 && values[14] == 0 && values[15] == 1);
	free(values);
}

/* from one number to the next, against their order */
TEST(edges_lead_far)
{
	const struct at_data data = { .pattern = AT_DATA_DESCENDING, .seed = 5 };
	const int nodes = 1000, count = 1500;
	unsigned char next[1000] = { 0 };
	struct data_fill first, second;
	double *from, *to;

	declare(AT_ELEMENT_I32, AT_FILL_INDEX, nodes, 0, (uint64_t)count);
	facts[1] = facts[0];
	data_choose(&one, 0, &data, &first);
	data_choose(&one, 1, &data, &second);
	from = written(first);
	to = written(second);
	for (int i = 0; i < count; i++) {
		assert_true(to[i] < nodes);
		assert_true(to[i] == from[i] + 1 || to[i] == from[i]);
		next[(int)from[i]] |= to[i] > from[i];
	}
	for (int i = 0; i + 1 < nodes; i++)
		assert_true(next[i]);
	free(from);
	free(to);
	/* many edges have shorter paths: following all of them takes long */
	declare(AT_ELEMENT_I32, AT_FILL_INDEX, nodes, 0, 1 << 18);
	facts[1] = facts[0];
	data_choose(&one, 0, &data, &first);
	data_choose(&one, 1, &data, &second);
	from = written(first);
	to = written(second);
	for (int i = 0; i < 1 << 18; i++)
		assert_true((to[i] == from[i]) ==
			    ((int)from[i] % 256 == 255 || from[i] == nodes - 1));
	free(from);
	free(to);
	/* one of its kind is no edge, and its numbers go down to the least */
	declare(AT_ELEMENT_I32, AT_FILL_INDEX, nodes, 0, (uint64_t)count);
	assert_true(choose(AT_DATA_DESCENDING, 5).a == 0);
}

/* where a fill reaches far, rows are near one end as a whole; else never */
TEST(extremes_of_normal_fills_come_in_rows)
{
	for (int i = 0; i < 2; i++) {
		int alike = 0, last = 0;
		OWNED(free) double *values;

		declare(AT_ELEMENT_F32, i ? AT_FILL_UNIFORM : AT_FILL_NORMAL, -0.5, 1,
			4000);
		values = filled(AT_DATA_EXTREMES, 5);
		for (int k = 0; k < 4000; k += 50) {
			int same = 1;

			while (same < 50 && values[k + same] * values[k] > 0)
				same++;
			alike += same == 50;
		}
		for (int k = 3500; k < 4000; k++)
			last += values[k] < 0 && values[k] != values[k - 1];
		assert_true(i ? alike == 0 : alike > 10 && alike < 60);
		assert_true(i ? last < 400 : last == 500);
	}
}

/* what is carried from number to number has far to go where one input is low and
   another one high */
TEST(extremes_of_integers_have_runs_at_one_place)
{
	enum { OTHERS = 4 };
	OWNED(free) double *first;
	double *other;
	int runs = 0, apart = 0;

	declare(AT_ELEMENT_U32, AT_FILL_UNIFORM, 0, 4294967295.0, 4096);
	first = filled(AT_DATA_EXTREMES, 5);
	for (uint64_t seed = 6; seed < 6 + OTHERS; seed++) {
		other = filled(AT_DATA_EXTREMES, seed);
		for (int k = 0; k < 4096; k += 64) {
			int alike = 0, across = 0;

			for (int i = 1; i < 64; i++) {
				alike += first[k + i] == first[k + i - 1];
				across += first[k + i] + other[k + i] == 4294967295.0;
			}
			/* what few numbers there are is not all of one kind */
			assert_true(k > 0 || alike <= 48);
			runs += alike > 48;
			apart += across > 48;
		}
		free(other);
	}
	assert_in_range(runs, OTHERS * 8, OTHERS * 32);
	assert_in_range(apart, runs / 4, runs * 3 / 4);
}

/* of random numbers of both signs the largest is above 0, and the smallest below */
TEST(all_are_on_one_side_where_there_are_two)
{
	static const enum at_element elements[] = { AT_ELEMENT_F32, AT_ELEMENT_F64,
		AT_ELEMENT_I32, AT_ELEMENT_BF16 };

	for (size_t i = 0; i < COUNT(elements); i++) {
		OWNED(free) double *below, *above;

		declare(elements[i], AT_FILL_UNIFORM, -8, 3, 1003);
		below = filled(AT_DATA_NEGATIVE, 5);
		above = filled(AT_DATA_POSITIVE, 5);
		for (int k = 0; k < 1003; k++)
			assert_true(below[k] < 0 && above[k] > 0);
		assert_true(below[0] != below[1] || below[1] != below[2]);
	}
	declare(AT_ELEMENT_F32, AT_FILL_UNIFORM, 0, 1, 1003);
	assert_int_equal(choose(AT_DATA_NEGATIVE, 5).pattern, AT_DATA_DECLARED);
}

/* who looks at a few numbers takes all for zeros, or all of a piece */
TEST(zeros_are_in_pieces_or_everywhere_but_at_one_place)
{
	const uint64_t count = 2048;
	unsigned lone = 0, declared = 0;

	declare(AT_ELEMENT_F32, AT_FILL_UNIFORM, -1, 1, count);
	facts[1] = facts[0];
	sizes[1] = sizes[0];
	for (uint64_t seed = 1; seed <= 64; seed++) {
		const struct at_data zeroed = { .pattern = AT_DATA_ZEROED,
			.seed = seed };
		unsigned others = 0, beside = 0;
		struct data_fill fill, second;
		OWNED(free) double *values;

		one.is_for_verifications = true;
		fill = choose(AT_DATA_ZEROED, seed);
		data_choose(&one, 1, &zeroed, &second);
		values = written(fill);
		for (uint64_t i = 0; i < count; i++)
			others += values[i] != 0;
		for (uint64_t i = count / 4; i < count / 4 + count / 8; i++)
			beside += values[i] != 0;
		if (fill.pattern == AT_DATA_DECLARED) {
			assert_true(others == count && second.low == 1);
			declared++;
		} else if (fill.low == 1) {
			assert_int_equal(others, 1);
			assert_int_equal(second.pattern, AT_DATA_DECLARED);
			lone++;
		} else {
			assert_int_equal(beside, count / 8 / 256);
			assert_true(others > count / 4 && second.low == 0);
		}
		/* not where it is the only problem, nor where anything is timed */
		one.timed_seed = 7;
		fill = choose(AT_DATA_ZEROED, seed);
		assert_true(fill.pattern == AT_DATA_ZEROED && fill.low == 0);
		one.timed_seed = 0;
		one.is_for_verifications = false;
		fill = choose(AT_DATA_ZEROED, seed);
		assert_true(fill.pattern == AT_DATA_ZEROED && fill.low == 0);
	}
	assert_in_range(lone, 6, 30);
	assert_in_range(declared, 6, 30);
}

/* what no flag ends is long and of one sign, and each input is the lone one in turn */
TEST(whole_numbers_beside_a_lone_one_are_above_0)
{
	unsigned lone[2] = { 0, 0 };

	declare(AT_ELEMENT_I32, AT_FILL_UNIFORM, -100, 100, 1000);
	facts[1] = facts[0];
	sizes[1] = sizes[0];
	one.is_for_verifications = true;
	for (uint64_t seed = 1; seed <= 16; seed++) {
		const struct at_data zeroed = { .pattern = AT_DATA_ZEROED,
			.seed = seed };
		struct data_fill fills[2];

		for (size_t i = 0; i < 2; i++)
			data_choose(&one, i, &zeroed, &fills[i]);
		for (size_t i = 0; i < 2; i++) {
			if (fills[i].pattern != AT_DATA_ZEROED || fills[i].low != 1)
				continue;
			lone[i]++;
			assert_int_equal(fills[1 - i].pattern, AT_DATA_POSITIVE);
			assert_true(fills[1 - i].low == 1 && fills[1 - i].high == 100);
		}
	}
	one.is_for_verifications = false;
	assert_true(lone[0] >= 2 && lone[1] >= 2);
}

/* what is computed of large numbers alone is beyond a type, or cut off */
TEST(whole_numbers_between_spikes_have_many_orders)
{
	unsigned orders[3] = { 0, 0, 0 }, below = 0;
	OWNED(free) double *values;

	declare(AT_ELEMENT_I16, AT_FILL_UNIFORM, -32768, 32767, 2000);
	values = filled(AT_DATA_SPIKES, 3);
	for (int i = 0; i < 2000; i++) {
		orders[0] += fabs(values[i]) > 255 && fabs(values[i]) < 2050;
		orders[1] += fabs(values[i]) > 15 && fabs(values[i]) <= 128;
		orders[2] += fabs(values[i]) <= 8;
		below += values[i] < 0 && values[i] >= -8;
	}
	for (int i = 0; i < 3; i++)
		assert_true(orders[i] > 200);
	assert_in_range(below, orders[2] / 4, orders[2]);
}

/* as a text and a part of it, of which random ones have nothing in common */
TEST(whole_inputs_of_one_fill_are_related)
{
	const struct at_data data = { .pattern = AT_DATA_RELATED, .seed = 5 };
	struct data_fill first, second;
	double *left, *right;
	unsigned same = 0;

	declare(AT_ELEMENT_I32, AT_FILL_UNIFORM, 0, 1000000, 3000);
	facts[1] = facts[0];
	data_choose(&one, 0, &data, &first);
	data_choose(&one, 1, &data, &second);
	assert_int_equal(first.pattern, AT_DATA_RELATED);
	assert_int_equal(second.pattern, AT_DATA_RELATED);
	assert_int_equal(first.seed, second.seed);
	left = written(first);
	right = written(second);
	for (int i = 0; i + 37 < 1024; i++)
		assert_true(right[i] == left[i + 37]);
	for (int i = 0; i < 3000; i++)
		same += left[i] == right[i];
	assert_in_range(same, 1000, 2000);
	free(left);
	free(right);
	/* by how much they are shifted in a long input, piece by piece */
	sizes[0].count = 9 << 10;
	left = written(first);
	right = written(second);
	for (int i = 0; i < 8; i++) {
		static const int by[] = { 37, 0, 5, 300, 11, 1, 19, 64 };

		assert_true(right[i << 10] == left[(i << 10) + by[i]]);
	}
	free(left);
	free(right);
	/* reals of one fill are never the same in the declared data, and need not be */
	facts[0].element = facts[1].element = AT_ELEMENT_F32;
	data_choose(&one, 0, &data, &first);
	assert_int_equal(first.pattern, AT_DATA_DECLARED);
}

/* as keys in order and what is looked for among them */
TEST(inputs_take_numbers_from_what_they_may_be_looked_up_in)
{
	const struct at_data related = { .pattern = AT_DATA_RELATED, .seed = 5 };
	const struct at_data other = { .pattern = AT_DATA_SPIKES, .seed = 5 };
	struct data_source source;
	struct data_fill keys;

	declare(AT_ELEMENT_I32, AT_FILL_UNIFORM, -500, 1000000, 3000);
	facts[1] = facts[0];
	facts[1].fill = AT_FILL_SEQUENCE;
	facts[1].fill_a = 0;
	facts[1].fill_b = 400;
	sizes[1].count = 700;
	assert_int_equal(choose(AT_DATA_RELATED, 5).pattern, AT_DATA_RELATED);
	assert_true(data_source(&one, 0, 1, &related, &source));
	data_choose(&one, 1, &related, &keys);
	assert_true(source.kind == keys.kind && source.seed == keys.seed &&
		    source.a == 0 && source.b == 400 && source.count == 700);
	assert_true(source.low == -500 && source.high == 1000000);
	assert_false(data_source(&one, 0, 1, &other, &source));
	/* what is in order stays in order */
	assert_false(data_source(&one, 1, 0, &related, &source));
	/* reals that may be computed are not looked up */
	facts[0].element = facts[1].element = AT_ELEMENT_F32;
	assert_true(data_source(&one, 0, 1, &related, &source));
	facts[1].is_fixed = true;
	assert_false(data_source(&one, 0, 1, &related, &source));
	assert_int_equal(choose(AT_DATA_RELATED, 5).pattern, AT_DATA_DECLARED);
	facts[1].is_fixed = false;
	facts[0].is_fixed = true;
	assert_false(data_source(&one, 0, 1, &related, &source));
}

/* as keys and a limit: whole numbers only, as rounding decides where reals are equal */
TEST(whole_inputs_take_the_values_of_scalars)
{
	const struct at_data related = { .pattern = AT_DATA_RELATED, .seed = 5 };
	const struct at_data other = { .pattern = AT_DATA_SPIKES, .seed = 5 };
	const uint16_t limit = 700;
	struct data_source source;

	declare(AT_ELEMENT_I32, AT_FILL_UNIFORM, -500, 1000000, 3000);
	facts[1] = (struct at_measure_argument){
		.element = AT_ELEMENT_U16, .lanes = 1, .access = AT_ACCESS_NONE
	};
	memcpy(sizes[1].value, &limit, sizeof(limit));
	assert_int_equal(choose(AT_DATA_RELATED, 5).pattern, AT_DATA_RELATED);
	assert_true(data_source(&one, 0, 1, &related, &source));
	assert_true(source.kind == AT_FILL_CONSTANT && source.a == 700 &&
		    source.count == 1 && source.low == -500 && source.high == 1000000);
	assert_false(data_source(&one, 0, 1, &other, &source));
	/* not a structure or several numbers */
	facts[1].lanes = 2;
	assert_false(data_source(&one, 0, 1, &related, &source));
	facts[1].lanes = 1;
	facts[1].element = AT_ELEMENT_F32;
	assert_false(data_source(&one, 0, 1, &related, &source));
	facts[0].element = AT_ELEMENT_F32;
	assert_false(data_source(&one, 0, 1, &related, &source));
	assert_int_equal(choose(AT_DATA_RELATED, 5).pattern, AT_DATA_DECLARED);
}

/* two lists in order are not everywhere near each other */
TEST(steps_of_a_sequence_are_small_and_large)
{
	bool was_bent = false;

	for (uint64_t seed = 1; seed < 9; seed++) {
		const struct at_data data = { .seed = seed };
		struct data_fill fill;
		OWNED(free) double *values;

		declare(AT_ELEMENT_I32, AT_FILL_SEQUENCE, 4, 3, 1000);
		data_choose(&one, 0, &data, &fill);
		values = written(fill);
		assert_true(values[0] == 4 && values[999] == 4 + 3 * 999);
		for (int i = 1; i < 1000; i++)
			assert_true(
				values[i] > values[i - 1] && values[i] <= 4 + 3 * i);
		was_bent = was_bent || values[400] == 404;
	}
	assert_true(was_bent);
}

/* squares of their differences add up to the same in any order */
TEST(extremes_that_decide_places_have_few_bits)
{
	struct data_fill fill;

	declare(AT_ELEMENT_F32, AT_FILL_UNIFORM, -0.7, 1, 10);
	fill = choose(AT_DATA_EXTREMES, 3);
	assert_true(fill.high > 0.999 && fill.low < -0.699);
	facts[2].element = AT_ELEMENT_I32;
	fill = choose(AT_DATA_EXTREMES, 3);
	assert_true(fill.high == 127 / 128.0 && fill.low == -89 / 128.0);
	/* of one input alone the largest is asked for, as it is */
	facts[1].access = AT_ACCESS_NONE;
	assert_true(choose(AT_DATA_EXTREMES, 3).high > 0.999);
}

/* so that a sum of them in floats is the same in any order: no rounding is blamed */
TEST(equal_values_have_few_bits_and_differ_by_seed)
{
	double values[64];
	size_t others = 0;

	declare(AT_ELEMENT_F32, AT_FILL_UNIFORM, -0.7, 1.3, 10);
	for (uint64_t seed = 0; seed < COUNT(values); seed++) {
		int exponent;
		double mantissa;

		values[seed] = choose(AT_DATA_EQUAL, seed + 2).low;
		mantissa = frexp(values[seed], &exponent) * 16;
		assert_true(mantissa == floor(mantissa));
		assert_true(fabs(values[seed]) > 0.1);
		others += seed && values[seed] != values[0];
	}
	assert_true(others > 32);
}

/* a sum of all in float, one after the other, is what it is in double: even of
   millions, and where the ends have many bits */
TEST(sums_of_what_is_alike_are_exact)
{
	static const enum at_data_pattern patterns[] = { AT_DATA_EQUAL,
		AT_DATA_ALTERNATING, AT_DATA_EXTREMES, AT_DATA_ASCENDING,
		AT_DATA_DESCENDING };
	static const uint64_t counts[] = { 1003, 1 << 20, 4000037 };

	for (size_t i = 0; i < 2 * COUNT(patterns) * COUNT(counts); i++) {
		uint64_t count = counts[i / 2 % COUNT(counts)];
		enum at_data_pattern pattern = patterns[i / 2 / COUNT(counts)];
		OWNED(free) double *values;
		double exact = 0;
		float sum = 0;

		declare(AT_ELEMENT_F32, AT_FILL_UNIFORM, i % 2 ? -0.1 : 0,
			i % 2 ? 0.7 : 1, count);
		values = filled(pattern, 11 + i);
		for (uint64_t k = 0; k < count; k++) {
			sum += (float)values[k];
			exact += values[k];
		}
		if ((double)sum != exact)
			fail_msg("%s of %llu: %.17g instead of %.17g",
				at_data_pattern_name(pattern),
				(unsigned long long)count, (double)sum, exact);
	}
}

/* ---- constants and sequences ----------------------------------------------- */

TEST(constants_vary_under_another_seed)
{
	OWNED(free) double *values;
	size_t others = 0;

	declare(AT_ELEMENT_F32, AT_FILL_CONSTANT, 3, 0, 100);
	values = filled(AT_DATA_DECLARED, 2);
	for (int i = 0; i < 100; i++) {
		assert_true(values[i] >= 1.5 && values[i] <= 3);
		others += values[i] != values[0];
	}
	assert_true(others > 90);
	/* inout ones are where counting begins, and those below 0 stand for something
	 */
	facts[0].access = AT_ACCESS_INOUT;
	facts[0].element = AT_ELEMENT_I32;
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, AT_FILL_CONSTANT);
	assert_int_equal(choose(AT_DATA_EXTREMES, 2).pattern, AT_DATA_DECLARED);
	facts[0].access = AT_ACCESS_IN;
	facts[0].fill_a = -1;
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, AT_FILL_CONSTANT);
	facts[0].fill_a = 3;
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, AT_FILL_UNIFORM);
}

TEST(what_is_fixed_stays_in_all_data)
{
	for (int p = 0; p < AT_DATA_COUNT; p++) {
		declare(AT_ELEMENT_I32, AT_FILL_CONSTANT, 9, 0, 10);
		facts[0].is_fixed = true;
		assert_int_equal(choose(p, 2).kind, AT_FILL_CONSTANT);
		assert_int_equal(choose(p, 2).pattern, AT_DATA_DECLARED);
		/* random numbers are others all the same */
		facts[0].fill = AT_FILL_UNIFORM;
		assert_int_equal(choose(p, 2).pattern, AT_DATA_DECLARED);
		assert_true(choose(p, 2).seed != choose(p, 3).seed);
	}
}

static void check_ascending(
	const double *values, uint64_t count, double step, bool strict)
{
	for (uint64_t i = 1; i < count; i++)
		if (values[i] < values[i - 1] || (strict && values[i] == values[i - 1]))
			fail_msg("%g at %llu behind %g", values[i],
				(unsigned long long)i, values[i - 1]);
	assert_true(values[0] == 0 && values[count - 1] == step * (double)(count - 1));
}

TEST(beginnings_of_rows_become_ragged)
{
	/* the longest row has more than 1,024 elements, or half of all; a last group
	   that is whole, and a short one; long and short rows; the fewest */
	static const struct {
		uint64_t count;
		double step, longest;
	} cases[] = { { 1041, 16, 1040 }, { 1000, 16, 1040 }, { 1025, 64, 2048 },
		{ 201, 5, 500 }, { 2, 16, 0 }, { 3, 16, 0 }, { 4, 16, 0 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t count = cases[i].count;
		double step = cases[i].step, longest = 0;
		bool empty = false, above = false;
		OWNED(free) double *values;

		declare(AT_ELEMENT_I32, AT_FILL_SEQUENCE, 0, step, count);
		sizes[1].count = (uint64_t)step * (count - 1);
		values = filled(AT_DATA_DECLARED, 2);
		check_ascending(values, count, step, false);
		for (uint64_t k = 1; k < count; k++) {
			double row = values[k] - values[k - 1];

			empty = empty || row == 0;
			above = above || (row > step && row <= 2 * step);
			longest = fmax(longest, row);
		}
		/* three rows and fewer stay short */
		if (cases[i].longest > 0)
			assert_true(empty && above && longest == cases[i].longest);
		else
			assert_true(longest <= 2 * step);
	}
}

/* of few rows, either the last has all or another one; each in one of two sets */
TEST(the_last_of_few_rows_may_be_empty)
{
	for (uint64_t seed = 2; seed < 40; seed += 2) {
		double last[2];

		for (uint64_t set = 0; set < 2; set++) {
			bool is_half_uneven = false;
			OWNED(free) double *values;

			declare(AT_ELEMENT_I32, AT_FILL_SEQUENCE, 0, 10, 13);
			sizes[1].count = 120;
			values = filled(AT_DATA_DECLARED, seed + set);
			check_ascending(values, 13, 10, false);
			last[set] = values[12] - values[11];
			/* the first half has as much as it is declared to have, and no
			   row has all of it: other rows there meet some of it */
			assert_true(values[6] == 60);
			for (uint64_t k = 1; k <= 6; k++) {
				assert_true(values[k] - values[k - 1] <= 20);
				is_half_uneven |= values[k] != 10 * (double)k;
			}
			assert_true(is_half_uneven);
		}
		assert_true(last[0] + last[1] == 60 && last[0] * last[1] == 0);
	}
}

TEST(equal_indices_stay_as_declared_in_pieces)
{
	/* by piece of four: of few a quarter of all, of many 64 */
	static const uint64_t counts[] = { 100, 1024 };

	for (size_t i = 0; i < COUNT(counts); i++) {
		uint64_t count = counts[i], piece = count < 256 ? count / 4 : 64;
		uint64_t others = 0;
		OWNED(free) double *values;

		declare(AT_ELEMENT_I32, AT_FILL_INDEX, 1000, 0, count);
		values = filled(AT_DATA_EQUAL, 2);
		for (uint64_t k = 0; k < count; k++) {
			assert_true(values[k] >= 0 && values[k] < 1000);
			others += values[k] != values[0];
			assert_true(values[k] == values[0] || k / piece % 4 == 3);
		}
		assert_true(others > count / 5);
	}
}

TEST(a_sequence_keeps_its_ends_and_its_order)
{
	uint64_t even = 0;
	double *values;

	declare(AT_ELEMENT_I32, AT_FILL_SEQUENCE, 0, 5, 500);
	values = filled(AT_DATA_SPIKES, 2);
	check_ascending(values, 500, 5, true);
	for (int i = 0; i < 500; i++) {
		/* never later than it was: what begins there still ends in time */
		assert_true(values[i] <= 5 * i);
		even += values[i] == 5 * i;
	}
	assert_true(even < 250);
	free(values);
	declare(AT_ELEMENT_F64, AT_FILL_SEQUENCE, 0, 0.5, 500);
	values = filled(AT_DATA_DECLARED, 2);
	check_ascending(values, 500, 0.5, true);
	assert_true(values[7] != 3.5);
	free(values);
}

TEST(a_sequence_stays_where_moving_it_may_hurt)
{
	/* steps of one; where pieces of a step may be written; inout */
	declare(AT_ELEMENT_I32, AT_FILL_SEQUENCE, 0, 1, 100);
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, AT_FILL_SEQUENCE);
	declare(AT_ELEMENT_I32, AT_FILL_SEQUENCE, 0, 4, 100);
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, DATA_FILL_JITTERED);
	sizes[2].count = 400;
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, AT_FILL_SEQUENCE);
	/* the last piece does not fit: it does not count */
	sizes[2].count = 399;
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, DATA_FILL_JITTERED);
	facts[0].access = AT_ACCESS_INOUT;
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, AT_FILL_SEQUENCE);
	/* a caller that knows how many rows there are may find them uneven */
	facts[0].access = AT_ACCESS_IN;
	sizes[2].count = 400;
	facts[0].has_row_offsets = true;
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, DATA_FILL_ROWS);
	/* and with the seed that is timed nothing moves */
	facts[0].access = AT_ACCESS_IN;
	assert_int_equal(choose(AT_DATA_DECLARED, 1).kind, AT_FILL_SEQUENCE);
}

/* ---- domains and sets ------------------------------------------------------ */

TEST(a_domain_is_where_patterns_take_their_values)
{
	OWNED(free) double *values;

	/* any fill, also one that has no range of its own */
	declare(AT_ELEMENT_F32, AT_FILL_FILE, 0, 0, 100);
	facts[0].file = "x.bin";
	assert_int_equal(choose(AT_DATA_EXTREMES, 2).pattern, AT_DATA_DECLARED);
	facts[0].has_domain = true;
	facts[0].domain_low = -50;
	facts[0].domain_high = 60;
	assert_int_equal(choose(AT_DATA_DECLARED, 2).kind, AT_FILL_FILE);
	values = filled(AT_DATA_ASCENDING, 2);
	assert_true(values[0] == -50 && values[99] == 60);
}

TEST(a_set_fills_what_it_names)
{
	struct at_measure_fill fills[3] = { { .kind = AT_FILL_NONE },
		{ .kind = AT_FILL_UNIFORM, .a = -8, .b = 8 },
		{ .kind = AT_FILL_NONE } };
	struct at_measure_set set = { "wide", 3, fills };
	const struct at_data data = { .seed = 2, .set = 1 };
	struct data_fill fill;

	declare(AT_ELEMENT_F32, AT_FILL_CONSTANT, 5, 0, 100);
	one.set_count = 1;
	one.sets = &set;
	data_choose(&one, 0, &data, &fill);
	/* as it is declared: sets are not varied */
	assert_true(fill.kind == AT_FILL_CONSTANT && fill.a == 5);
	data_choose(&one, 1, &data, &fill);
	assert_true(fill.kind == AT_FILL_UNIFORM && fill.a == -8 && fill.b == 8);
	assert_true(data_is_other(&one, &data));
	fills[1] = (struct at_measure_fill){ .kind = AT_FILL_FILE, .file = "rows.bin" };
	data_choose(&one, 1, &data, &fill);
	assert_int_equal(fill.kind, AT_FILL_FILE);
	assert_string_equal(fill.file, "rows.bin");
	one.set_count = 0;
	one.sets = NULL;
}

TEST(a_pattern_that_changes_nothing_is_told)
{
	const struct at_data extremes = { .pattern = AT_DATA_EXTREMES, .seed = 2 };

	declare(AT_ELEMENT_I32, AT_FILL_SEQUENCE, 0, 1, 100);
	facts[1].is_fixed = true;
	assert_false(data_is_other(&one, &extremes));
	facts[1].is_fixed = false;
	facts[1].fill_b = 1;
	assert_true(data_is_other(&one, &extremes));
}

static void assert_staying(const char *expected)
{
	char text[40];

	data_list_staying(&one, text, sizeof(text));
	assert_string_equal(text, expected);
}

TEST(what_stays_in_all_data_is_listed)
{
	struct at_measure_fill fills[3] = { { .kind = AT_FILL_CONSTANT } };
	struct at_measure_set set = { "other", 3, fills };
	struct at_measure_argument many[7];
	struct at_measure_binding many_sizes[7] = { 0 };

	declare(AT_ELEMENT_I32, AT_FILL_SEQUENCE, 0, 1, 100);
	assert_staying("a");
	one.set_count = 1;
	one.sets = &set;
	assert_staying("");
	one.set_count = 0;
	one.sets = NULL;
	facts[0].is_fixed = true;
	assert_staying("a");
	declare(AT_ELEMENT_I32, AT_FILL_SEQUENCE, 0, 2, 100);
	assert_staying("");
	/* fixed, and drawn anew for each set */
	declare(AT_ELEMENT_F32, AT_FILL_UNIFORM, 0, 2, 100);
	facts[0].is_fixed = true;
	assert_staying("");
	declare(AT_ELEMENT_F32, AT_FILL_FILE, 0, 0, 100);
	assert_staying("a");
	facts[0].has_domain = true;
	assert_staying("");
	facts[1].symbol = "table";
	assert_staying("b");
	/* what is expected is of one set of inputs */
	one.reference = AT_REFERENCE_FILE;
	assert_staying("a, b");
	/* a program's launch may have dozens */
	for (size_t i = 0; i < 7; i++)
		many[i] = facts[0];
	one.arguments = many;
	one.bindings = many_sizes;
	one.argument_count = 5;
	assert_staying("a, a, a, a and 1 other buffer");
	one.argument_count = 7;
	assert_staying("a, a, a, a and 3 other buffers");
	one.argument_count = 3;
	one.arguments = facts;
	one.bindings = sizes;
	one.reference = AT_REFERENCE_KERNEL;
}

RUN_SUITE(open_host, close_host)
