/*
 * Headers that kernels include on the device "host". Half and the other short types
 * must round once, as a search in a table of all their values does; cooperative groups,
 * wmma and CUB must give the results of plain loops, in any order of threads.
 */
#include "base/random.h"
#include "kernel/host_headers.h"
#include "host_fixture.h"

#include <math.h>

#include "suite.h"

static const char *const kernels[] = { "narrow", "widen", "narrow_doubles",
	"narrow_otherwise", "calculate_half", "calculate_bfloat", "details", "groups",
	"masks", "groups_without_barrier", "halves_16_16", "halves_32_8", "halves_8_32",
	"bfloats", "chars", "floats", "doubles", "stores_too_far", "collectives" };

/* the first of them */
enum { CONVERSIONS = 2 };

static int set_up(void **state)
{
	host_open("headers.cu", kernels, AT_COUNT_OF(kernels));
	return 0;
}

static int tear_down(void **state)
{
	host_close();
	return 0;
}

/* ---- formats, as tables of their numbers ---------------------------------- */

struct format {
	const char *name;
	int exponent, fraction;
	unsigned largest; /* code of the largest finite number */
	unsigned nan;
	double *numbers; /* of codes 0 to largest + 1, that one as if there was no end
			  */
};

static struct format half = { "half", 5, 10, 0x7bff, 0x7fff, NULL };
static struct format bfloat = { "bfloat16", 8, 7, 0x7f7f, 0x7fff, NULL };
static struct format e4m3 = { "e4m3", 4, 3, 0x7e, 0x7f, NULL };
static struct format e5m2 = { "e5m2", 5, 2, 0x7b, 0x7f, NULL };

static void fill_format(struct format *self)
{
	int bias = (1 << (self->exponent - 1)) - 1;

	if (self->numbers)
		return;
	self->numbers = malloc((self->largest + 2) * sizeof(*self->numbers));
	assert_non_null(self->numbers);
	for (unsigned code = 0; code <= self->largest + 1; code++) {
		int exponent = (int)(code >> self->fraction);
		double rest = code & ((1u << self->fraction) - 1);

		self->numbers[code] =
			exponent ? ldexp(rest + (1 << self->fraction),
					   exponent - bias - self->fraction)
				 : ldexp(rest, 1 - bias - self->fraction);
	}
}

static unsigned sign_of(const struct format *self, double value)
{
	return signbit(value) ? 1u << (self->exponent + self->fraction) : 0;
}

/* The largest number that is no larger in size; largest + 1 above all. */
static unsigned floor_code(const struct format *self, double size)
{
	unsigned low = 0, high = self->largest + 1;

	if (size >= self->numbers[high])
		return high;
	while (high - low > 1) {
		unsigned middle = (low + high) / 2;

		if (self->numbers[middle] <= size)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* To nearest, ties to even: by the distances to both neighbours. */
static unsigned nearest(const struct format *self, double value)
{
	double size = fabs(value);
	unsigned code;

	if (isnan(value))
		return self->nan;
	code = floor_code(self, size);
	if (code <= self->largest) {
		double below = size - self->numbers[code];
		double above = self->numbers[code + 1] - size;

		code += above < below || (above == below && code & 1);
	}
	return code | sign_of(self, value);
}

static double number_of(const struct format *self, unsigned code)
{
	unsigned sign = 1u << (self->exponent + self->fraction);
	unsigned size = code & (sign - 1);
	double value = size <= self->largest ? self->numbers[size]
		       : size == self->nan || size > self->largest + 1
			       ? (double)NAN
			       : (double)INFINITY;

	return code & sign ? -value : value;
}

static void fill_formats(void)
{
	struct format *const all[] = { &half, &bfloat, &e4m3, &e5m2 };

	for (size_t i = 0; i < AT_COUNT_OF(all); i++)
		fill_format(all[i]);
}

/* ---- conversions ---------------------------------------------------------- */

struct floats {
	float *items;
	size_t count, capacity;
};

static void add_float(struct floats *self, double value)
{
	assert_ok(AT_RESERVE(self->items, self->capacity, self->count + 2, NULL));
	self->items[self->count++] = (float)value;
	self->items[self->count++] = (float)-value;
}

/*
 * Every number of a format, the middle of it and the next one, and the floats beside
 * both: rounding goes up somewhere between two numbers and nowhere else, so that these
 * are all cases that there are.
 */
static void add_borders(struct floats *self, const struct format *format)
{
	for (unsigned code = 0; code <= format->largest; code++) {
		double middle = (format->numbers[code] + format->numbers[code + 1]) / 2;
		double points[] = { format->numbers[code], middle };

		for (size_t i = 0; i < AT_COUNT_OF(points); i++) {
			add_float(self, points[i]);
			add_float(self, nextafterf((float)points[i], INFINITY));
			if (points[i] > 0)
				add_float(self, nextafterf((float)points[i], 0));
		}
	}
}

static void check_narrow(void)
{
	struct floats in = { 0 };
	OWNED(free) uint16_t *halves, *bfloats;
	OWNED(free) uint8_t *fours, *fives;

	fill_formats();
	add_borders(&in, &half);
	add_borders(&in, &bfloat);
	add_borders(&in, &e4m3);
	add_borders(&in, &e5m2);
	add_float(&in, NAN);
	add_float(&in, INFINITY);
	halves = calloc(in.count, 2);
	bfloats = calloc(in.count, 2);
	fours = calloc(in.count, 1);
	fives = calloc(in.count, 1);
	assert_true(halves && bfloats && fours && fives);
	RUN("narrow", (unsigned)(in.count + 255) / 256, 256, INTEGER((int)in.count),
		POINTER(in.items), POINTER(halves), POINTER(bfloats), POINTER(fours),
		POINTER(fives));
	assert_in_range(in.count, 600000, 1000000);
	for (size_t i = 0; i < in.count; i++) {
		const struct {
			const struct format *format;
			unsigned code;
		} got[] = { { &half, halves[i] }, { &bfloat, bfloats[i] },
			{ &e4m3, fours[i] }, { &e5m2, fives[i] } };

		for (size_t j = 0; j < AT_COUNT_OF(got); j++) {
			unsigned expected = nearest(got[j].format, in.items[i]);

			if (got[j].code != expected)
				fail_msg("%a to %s is 0x%x and not 0x%x", in.items[i],
					got[j].format->name, got[j].code, expected);
		}
	}
	free(in.items);
}

static void check_widen(void)
{
	OWNED(free)
	float *halves = calloc(65536, sizeof(float)),
	      *bfloats = calloc(65536, sizeof(float));
	float fours[256], fives[256];

	assert_true(halves && bfloats);
	fill_formats();
	RUN("widen", 256, 256, POINTER(halves), POINTER(bfloats), POINTER(fours),
		POINTER(fives));
	for (unsigned code = 0; code < 65536; code++) {
		const struct {
			const struct format *format;
			float value;
		} got[] = { { &half, halves[code] }, { &bfloat, bfloats[code] },
			{ &e4m3, fours[code % 256] }, { &e5m2, fives[code % 256] } };

		for (size_t j = 0; j < (code < 256 ? 4u : 2u); j++) {
			double expected = number_of(got[j].format, code);

			if (isnan(expected) ? !isnan(got[j].value)
					    : got[j].value != expected ||
						      !signbit(got[j].value) !=
							      !signbit(expected))
				fail_msg("%s 0x%x is %a and not %a",
					got[j].format->name, code, got[j].value,
					expected);
		}
	}
}

TEST(small_floats_are_rounded_once_to_nearest)
{
	check_narrow();
	check_widen();
}

/* where the processor has no instructions for it */
LONG_TEST(they_are_without_the_processors_help_as_well)
{
	struct at_compile_result unit_with_help = unit;
	struct at_module *module_with_help = module;

	host_compile_file(
		"headers.cu", kernels, CONVERSIONS, "-DAT_HOST_SOFTWARE_HALF=1");
	module = host_load(device, &unit);
	check_narrow();
	check_widen();
	device->ops->unload(device, module);
	at_compile_result_release(&unit);
	unit = unit_with_help;
	module = module_with_help;
}

/* A float between could end in the middle of two halves, where the double does not. */
TEST(doubles_are_rounded_once)
{
	static double in[4 * 0x7c00];
	static uint16_t halves[AT_COUNT_OF(in)], bfloats[AT_COUNT_OF(in)];
	size_t count = 0;

	fill_formats();
	for (unsigned code = 1; code < 0x7bff; code++) {
		const struct format *format = code & 1 ? &half : &bfloat;
		double middle = (format->numbers[code] + format->numbers[code + 1]) / 2;

		in[count++] = nextafter(middle, INFINITY);
		in[count++] = nextafter(middle, 0);
		in[count++] = -nextafter(middle, 0);
		in[count++] = middle;
	}
	RUN("narrow_doubles", (unsigned)(count + 255) / 256, 256, INTEGER((int)count),
		POINTER(in), POINTER(halves), POINTER(bfloats));
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(halves[i], nearest(&half, in[i]));
		assert_int_equal(bfloats[i], nearest(&bfloat, in[i]));
	}
}

TEST(other_roundings_keep_to_their_side)
{
	static float in[0x7c00];
	static uint16_t out[3 * AT_COUNT_OF(in)];

	fill_formats();
	for (unsigned code = 0; code < AT_COUNT_OF(in); code++)
		in[code] = (code & 2 ? -1 : 1) * (float)half.numbers[code] *
			   (code & 1 ? 1.0f : 1.0f + 0x1p-12f);
	RUN("narrow_otherwise", AT_COUNT_OF(in) / 256, 256, INTEGER(AT_COUNT_OF(in)),
		POINTER(in), POINTER(out));
	for (unsigned code = 0; code < AT_COUNT_OF(in); code++) {
		unsigned sign = sign_of(&half, in[code]);
		unsigned below = floor_code(&half, fabs(in[code]));
		unsigned beyond = below + (half.numbers[below] != fabs(in[code]));

		assert_int_equal(out[3 * code], below | sign);
		assert_int_equal(out[3 * code + 1], (sign ? below : beyond) | sign);
		assert_int_equal(out[3 * code + 2], (sign ? beyond : below) | sign);
	}
}

/* ---- arithmetic ----------------------------------------------------------- */

enum { TRIPLES = 20000, RESULTS = 6 };

/*
 * Exact, or so near that no further rounding can differ: sums and products of two are
 * exact in double. A sum of a product and a third is where the double or what was cut
 * off decides.
 */
static unsigned expected_of(
	const struct format *format, int operation, const uint16_t *codes)
{
	double a = number_of(format, codes[0]), b = number_of(format, codes[1]);
	double c = number_of(format, codes[2]), product = a * b, sum, rest;

	switch (operation) {
	case 0:
		return nearest(format, a + b);
	case 1:
		return nearest(format, a - b);
	case 2:
		return nearest(format, product);
	case 3:
		return nearest(format, a / b);
	case 4:
		sum = product + c;
		rest = fabs(product) > fabs(c) ? product - sum + c : c - sum + product;
		/* what was cut off is less than half of the last bit: it only counts
		   beside a middle */
		if (isfinite(sum) && rest != 0)
			sum = nextafter(sum, rest > 0 ? INFINITY : -INFINITY);
		return nearest(format, sum);
	}
	return nearest(format, sqrt(fabs(a)));
}

static void check_arithmetic(const char *kernel, const struct format *format)
{
	/* a middle of two numbers as a product, and what decides far below it */
	static const double directed[][3] = { { 1.0 + 0x1p-4, 1.0 + 0x1p-4, 0x1p-100 },
		{ 1.0 + 0x1p-4, 1.0 + 0x1p-4, -0x1p-100 },
		{ 1.0 + 0x1p-6, 1.5, 0x1p-100 }, { 1.0 + 0x1p-6, 1.5, -0x1p-100 },
		{ 1.0 + 0x1p-5, 1.0 + 0x1p-5, 0x1p-24 },
		{ 1.0 + 0x1p-5, 1.0 + 0x1p-5, -0x1p-24 } };
	OWNED(free)
	uint16_t *in = calloc(3 * TRIPLES, sizeof(*in)),
		 *out = calloc(RESULTS * TRIPLES, sizeof(*out));
	struct at_random random;
	size_t finite = 0;

	fill_formats();
	assert_true(in && out);
	at_random_init(&random, 7);
	for (size_t i = 0; i < 3 * TRIPLES; i++)
		in[i] = (uint16_t)at_random_next(&random);
	/* half of them of sizes that meet */
	for (size_t i = 0; i < 3 * TRIPLES / 2; i++)
		in[i] = (uint16_t)(nearest(format, 1.0) +
				   at_random_below(&random, 4u << format->fraction));
	for (size_t i = 0; i < AT_COUNT_OF(directed); i++)
		for (size_t j = 0; j < 3; j++)
			in[3 * i + j] = (uint16_t)nearest(format, directed[i][j]);
	RUN(kernel, TRIPLES / 250, 250, POINTER(in), POINTER(out));
	for (size_t i = 0; i < TRIPLES; i++)
		for (int j = 0; j < RESULTS; j++) {
			unsigned expected = expected_of(format, j, in + 3 * i);

			finite += (expected & 0x7fff) <= format->largest;
			if (out[RESULTS * i + (size_t)j] != expected)
				fail_msg(
					"%s operation %d of %a, %a, %a is 0x%x and not 0x%x",
					format->name, j, number_of(format, in[3 * i]),
					number_of(format, in[3 * i + 1]),
					number_of(format, in[3 * i + 2]),
					out[RESULTS * i + (size_t)j], expected);
		}
	assert_in_range(finite, RESULTS * TRIPLES / 2, RESULTS * TRIPLES);
}

TEST(arithmetic_of_small_floats_is_rounded_once)
{
	check_arithmetic("calculate_half", &half);
	check_arithmetic("calculate_bfloat", &bfloat);
}

TEST(pairs_comparisons_and_sizes_are_as_documented)
{
	int ok[64] = { 0 }, count = 0;

	RUN("details", 1, 1, POINTER(ok));
	while (ok[count] == 1)
		count++;
	/* the first that is not so */
	assert_int_equal(count, 26);
	assert_int_equal(ok[count], -1);
}

/* ---- groups --------------------------------------------------------------- */

/* Of the lanes of thread's warp that `member` is true of: how many, and how many of
   them come before it; *first: the first one. */
static int count_lanes(
	int thread, int size, bool (*member)(int, int), int *before, int *first)
{
	int count = 0;

	*before = 0;
	*first = -1;
	for (int i = thread / size * size; i < thread / size * size + size; i++) {
		if (!member(i, thread))
			continue;
		if (*first < 0)
			*first = i;
		*before += i < thread;
		count++;
	}
	return count;
}

static bool goes_the_same_way(int i, int thread)
{
	return (i % 5 < 2) == (thread % 5 < 2);
}

static bool is_as_odd(int i, int thread)
{
	return i % 2 == thread % 2;
}

static void check_groups(uint64_t seed)
{
	static int out[128 * 8];

	memset(out, 0, sizeof(out));
	host_shuffle(seed);
	RUN("groups", 1, 128, POINTER(out));
	host_shuffle(0);
	for (int i = 0; i < 128; i++) {
		const int *got = out + 8 * i;
		int tile = i / 8 * 8, ballot = 0, before, first;
		int count = count_lanes(i, 32, goes_the_same_way, &before, &first);

		for (int j = 0; j < 8; j++)
			ballot |= ((tile + j) % 3 == 0) << j;
		assert_int_equal(got[0], 127 - i);
		assert_int_equal(got[1], 8 * tile + 28);
		assert_int_equal(got[2], tile + 2 + 1000 * (i / 8));
		assert_int_equal(got[3], ballot);
		assert_int_equal(got[4], (i % 8 + 1) * 100 + 2 * (i % 32));
		assert_int_equal(got[5], i % 5 < 2 ? count * 100 + before : -count);
		assert_int_equal(got[6], i % 5 < 2 ? first : count);
		count = count_lanes(i, 8, is_as_odd, &before, &first);
		assert_int_equal(got[7], 10 * count + before);
	}
}

TEST(groups_are_those_of_a_gpu_in_any_order)
{
	for (uint64_t seed = 0; seed <= 10; seed++)
		check_groups(seed);
}

TEST(masks_are_of_those_in_the_same_branch)
{
	unsigned out[2 * 64];

	for (uint64_t seed = 0; seed <= 5; seed++) {
		memset(out, 0, sizeof(out));
		host_shuffle(seed);
		RUN("masks", 1, 64, POINTER(out));
		for (unsigned i = 0; i < 64; i++) {
			unsigned thirds = 0;

			for (unsigned j = 0; j < 32; j++)
				thirds |= (unsigned)((i / 32 * 32 + j) % 3 == 0) << j;
			/* of the others the complement: both say who is a third */
			assert_int_equal(out[2 * i], thirds);
			assert_int_equal(out[2 * i + 1], 0x11111111u << i % 4);
		}
	}
	host_shuffle(0);
}

TEST(a_barrier_that_a_group_lacks_shows_in_another_order)
{
	int out[128];

	for (uint64_t seed = 1; seed <= 5; seed++) {
		int wrong = 0;

		memset(out, 0, sizeof(out));
		host_shuffle(seed);
		RUN("groups_without_barrier", 1, 128, POINTER(out));
		for (int i = 0; i < 128; i++)
			wrong += out[i] != 128 - i;
		assert_true(wrong > 0);
	}
	host_shuffle(0);
}

/* ---- wmma ----------------------------------------------------------------- */

enum element { HALF, BFLOAT, CHAR, FLOAT, DOUBLE };

static void put_element(void *array, enum element type, int index, int value)
{
	switch (type) {
	case HALF:
		((uint16_t *)array)[index] = (uint16_t)nearest(&half, value);
		break;
	case BFLOAT:
		((uint16_t *)array)[index] = (uint16_t)nearest(&bfloat, value);
		break;
	case CHAR:
		((signed char *)array)[index] = (signed char)value;
		break;
	case FLOAT:
		/* bits that the tensor core does not look at */
		((float *)array)[index] = (float)value * (1 + 0x1p-20f);
		break;
	case DOUBLE:
		((double *)array)[index] = value;
		break;
	}
}

/* Small integers, whose products and sums are exact in every type. */
static void check_wmma(
	const char *kernel, int m, int n, int k, enum element type, uint64_t seed)
{
	union {
		double whole[1024];
		float floats[2048];
		int ints[2048];
	} a, b, c;
	struct at_random random;
	int left[2][512], right[2][512], sum[2][1024];

	at_random_init(&random, seed + 1);
	for (int i = 0; i < m * k; i++) {
		left[0][i] = (int)at_random_below(&random, 9) - 4;
		put_element(&a, type, i, left[0][i]);
	}
	for (int i = 0; i < n * k; i++) {
		right[0][i] = (int)at_random_below(&random, 9) - 4;
		put_element(&b, type, i, right[0][i]);
	}
	for (int warp = 0; warp < 2; warp++)
		for (int i = 0; i < m * n; i++) {
			int at = warp * m * n + i;

			sum[warp][i] = (int)at_random_below(&random, 100);
			if (type == CHAR)
				c.ints[at] = sum[warp][i];
			else if (type == DOUBLE)
				c.whole[at] = sum[warp][i];
			else
				c.floats[at] = (float)sum[warp][i];
		}
	host_shuffle(seed);
	RUN(kernel, 1, 64, POINTER(&a), POINTER(&b), POINTER(&c));
	host_shuffle(0);
	for (int warp = 0; warp < 2; warp++)
		for (int i = 0; i < m * n; i++) {
			int row = i / n, column = i % n, at = warp * m * n + i;
			int total = sum[warp][i];

			/* the second warp takes the same memory the other way */
			for (int j = 0; j < k; j++)
				total += left[0][warp ? j * m + row : row * k + j] *
					 right[0]
					      [warp ? j * n + column : column * k + j];
			assert_true(2.0 * total == (type == CHAR ? c.ints[at]
							   : type == DOUBLE
								   ? c.whole[at]
								   : c.floats[at]));
		}
}

TEST(fragments_multiply_as_loops_do)
{
	fill_formats();
	for (uint64_t seed = 0; seed < 6; seed++) {
		check_wmma("halves_16_16", 16, 16, 16, HALF, seed);
		check_wmma("halves_32_8", 32, 8, 16, HALF, seed);
		check_wmma("halves_8_32", 8, 32, 16, HALF, seed);
		check_wmma("bfloats", 16, 16, 16, BFLOAT, seed);
		check_wmma("chars", 16, 16, 16, CHAR, seed);
		check_wmma("floats", 16, 16, 8, FLOAT, seed);
		check_wmma("doubles", 8, 8, 4, DOUBLE, seed);
	}
}

TEST(a_fragment_that_does_not_fit_is_caught)
{
	float out[32];
	struct at_error err = { 0 };
	struct call call;

	host_shuffle(3);
	BEGIN(&call, "stores_too_far", 1, 32, POINTER(out));
	assert_int_equal(host_try(&call, &err), AT_OUTCOME_OUT_OF_BOUNDS);
	host_shuffle(0);
	assert_non_null(strstr(err.text, "shared memory"));
}

/* ---- CUB ------------------------------------------------------------------ */

TEST(collectives_do_what_loops_do)
{
	static int out[128 * 8], total[8 + 512];

	for (uint64_t seed = 0; seed < 6; seed++) {
		memset(out, 0, sizeof(out));
		memset(total, 0, sizeof(total));
		host_shuffle(seed);
		RUN("collectives", 1, 128, POINTER(out), POINTER(total));
		host_shuffle(0);
		assert_int_equal(total[0], 127 * 64);
		assert_int_equal(total[1], 59);
		assert_int_equal(total[2], 128);
		assert_int_equal(total[3], 256);
		for (int i = 0; i < 128; i++) {
			assert_int_equal(out[8 * i], i * (i - 1) / 2);
			assert_int_equal(out[8 * i + 1], i < 6 ? i : 6);
			if (i % 16 == 0)
				assert_int_equal(out[8 * i + 2], 16 * i + 120);
			assert_int_equal(out[8 * i + 3], i % 32 + 1);
			assert_int_equal(out[8 * i + 4], i < 126 ? 384 + i : -7);
		}
	}
}

/* ---- compiling ------------------------------------------------------------ */

/* Compiles a source with the kernel "one". says: what the log begins with, or has
   somewhere; NULL: it compiles. */
static void compile_one(
	const char *source, const char *option, const char *says, bool is_beginning)
{
	static const char *const names[] = { "one" };
	RELEASED(at_compile_result_release) struct at_compile_result result;
	const char *found;

	host_compile(source, names, 1, option, &result);
	found = says ? strstr(result.log, says) : NULL;
	if (result.outcome != (says ? AT_OUTCOME_COMPILE_FAILED : AT_OUTCOME_OK) ||
		(says && (!found || (is_beginning && found != result.log))))
		fail_msg("%s: %s", source, result.log);
}

LONG_TEST(every_header_can_be_included_in_any_order_and_twice)
{
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };
	size_t count = 0;

	while (at_host_headers_name(count))
		count++;
	assert_in_range(count, 40, 200);
	for (size_t i = 0; i < 2 * count; i++) {
		const char *name =
			at_host_headers_name(i < count ? count - 1 - i : i - count);

		/* parts of others */
		if (strncmp(name, "autotune_", strlen("autotune_")) != 0)
			at_strbuf_addf(&source, "#include <%s>\n", name);
	}
	/* names that a macro or a using-directive could make ambiguous */
	at_strbuf_add(&source,
		"#include <cmath>\n#include <algorithm>\n"
		"__global__ void one(float *x) { x[0] = sqrt(x[1]) + max(x[2], 0.0f) + abs(x[3])\n"
		"+ cuda::std::plus<>()(x[4], min(x[5], x[6])) + CUDART_PI_F; }\n");
	compile_one(at_strbuf_text(&source), NULL, NULL, false);
}

/* They stand ahead of a template's includes, and may have any name. */
TEST(tuning_parameters_of_any_name_do_no_harm)
{
	/* not value, type, rank: no header of the C++ library goes with them */
	static const char *const macros[] = { "BLOCK", "TILE", "SIZE", "THREADS",
		"Threads", "LANES", "GRID", "Op", "Size", "Group", "Use", "Layout",
		"EXPONENT", "SCAN", "Algorithm", "mask", "tile", "group", "step",
		"lane", "sum", "total", "stride", "shared", "kind", "row", "column",
		"unroll", "old", "word", "saturate", "places", "block", "grid",
		"thread", "block_size", "grid_size", "thread_count", "linear_thread" };
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };

	for (char letter = 'A'; letter <= 'Z'; letter++)
		at_strbuf_addf(&source, "#define %c 7\n", letter);
	for (size_t i = 0; i < AT_COUNT_OF(macros); i++)
		at_strbuf_addf(&source, "#define %s 16\n", macros[i]);
	at_strbuf_add(&source,
		"#include <cuda_fp8.h>\n#include <cuComplex.h>\n#include <mma.h>\n"
		"#include <cooperative_groups/reduce.h>\n#include <cub/cub.cuh>\n"
		"#include <cuda/atomic>\n#include <math_constants.h>\n"
		"#include <cuda/pipeline>\n#include <cuda_pipeline.h>\n"
		"#include <curand_kernel.h>\n"
		"__global__ void one(__half *x, float *y)\n{\n"
		"__shared__ cub::BlockReduce<float, BLOCK>::TempStorage room;\n"
		"y += blockIdx.x * blockDim.x + threadIdx.x + gridDim.x * warpSize;\n"
		"cooperative_groups::this_grid().sync();\n"
		"auto t = cooperative_groups::tiled_partition<TILE>(\n"
		"	cooperative_groups::this_thread_block());\n"
		"nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f;\n"
		"nvcuda::wmma::fill_fragment(f, 1.0f);\n"
		"x[0] = hexp(x[1]) + t.shfl(x[2], 0); atomicAdd(x, x[3]);\n"
		"y[0] = cub::BlockReduce<float, BLOCK>(room).Sum(y[1]) +\n"
		"	cooperative_groups::reduce(t, f.x[0], cooperative_groups::plus<float>());\n"
		"cuda::atomic_ref<float, cuda::thread_scope_device>(y[2]).fetch_add(1);\n}\n");
	compile_one(at_strbuf_text(&source), NULL, NULL, false);
}

/* Only what a unit can reach is written for the compiler. */
TEST(headers_are_found_on_the_ways_that_a_template_has)
{
	static const struct {
		const char *source, *option;
	} cases[] = {
		{ "#include \"headers_nested.h\"\n", "-I" AT_TEST_DIR "/kernels" },
		{ "#define HEADER <cuda_fp16.h>\n#include HEADER\n", NULL },
		{ "#include HEADER\n", "-DHEADER=<cuda_fp16.h>" },
		{ "", "-include=cuda_fp16.h" },
		{ "#  include\t\"cuda_fp16.h\"\n", NULL },
	};
	char source[300];

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		snprintf(source, sizeof(source),
			"%s__global__ void one(half *x) { x[0] = hexp(x[1]); }\n",
			cases[i].source);
		compile_one(source, cases[i].option, NULL, false);
	}
}

TEST(what_is_not_there_is_one_clear_line)
{
	static const struct {
		const char *source, *line;
	} cases[] = {
		{ "#include <cub/device/device_reduce.cuh>\n",
			"<cub/device/device_reduce.cuh> is not there on \"host\": " },
		{ "#include <cuda/std/span>\n",
			"<cuda/std/span> is not there on \"host\": " },
		{ "#include \"cuda_fp4.h\"\n",
			"<cuda_fp4.h> is not there on \"host\": " },
		/* one's own that is missing is not NVIDIA's */
		{ "#include \"helpers.h\"\n", "host.cu:1:10: fatal error: " },
	};
	char source[300];

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		snprintf(source, sizeof(source), "%s__global__ void one() {}\n",
			cases[i].source);
		compile_one(source, NULL, cases[i].line, true);
	}
}

TEST(what_only_a_gpu_can_do_says_so)
{
	static const struct {
		const char *body, *words;
	} cases[] = {
		{ "cooperative_groups::this_cluster().sync();",
			"clusters of blocks are not there on host" },
		{ "auto b = cooperative_groups::this_thread_block();\n"
		  "cooperative_groups::tiled_partition<64>(b).sync();",
			"tiles of more than 32 threads are not there on host" },
		{ "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 8, 16, float> f;\n"
		  "nvcuda::wmma::fill_fragment(f, 0);",
			"no shape and type of wmma that host has" },
	};
	char source[400];

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		snprintf(source, sizeof(source),
			"#include <cooperative_groups.h>\n#include <mma.h>\n"
			"__global__ void one() { %s }\n",
			cases[i].body);
		compile_one(source, NULL, cases[i].words, false);
	}
}

int main(int argc, char **argv)
{
	int failed = run_suite(argc, argv, set_up, tear_down);

	free(half.numbers);
	free(bfloat.numbers);
	free(e4m3.numbers);
	free(e5m2.numbers);
	return failed;
}
