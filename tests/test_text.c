/* Helpers for texts: nearest names, slugs, numbers, durations. */
#include "suite.h"

#include <float.h>
#include <math.h>

#include "base/random.h"
#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

TEST(finds_the_nearest_name)
{
	static const char *const names[] = { "BLOCK_X", "BLOCK_Y", "TILE_M", "CACHE",
		"device.l2_bytes", "N" };
	static const struct {
		const char *wrong;
		const char *nearest; /* NULL: none is meant */
	} cases[] = {
		{ "BLOCK_X", "BLOCK_X" },
		{ "BLOKC_X", "BLOCK_X" },
		{ "block_y", "BLOCK_Y" },
		{ "TILEM", "TILE_M" },
		{ "TILE__M", "TILE_M" },
		{ "Cache", "CACHE" },
		{ "CASHE", "CACHE" },
		{ "cashe", "CACHE" },
		{ "CAHCE", "CACHE" },
		{ "BLOCK_x", "BLOCK_X" },
		{ "tile", "TILE_M" },
		{ "TI", NULL },
		{ "device.l2", "device.l2_bytes" },
		{ "device.l2_byte", "device.l2_bytes" },
		{ "devise.l2bytes", "device.l2_bytes" },
		{ "n", "N" },
		{ "M", NULL },
		{ "", NULL },
		{ "UNROLL", NULL },
		{ "BLOCK_BLOCK_BLOCK", NULL },
	};
	char long_name[300];

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *found =
			at_text_nearest(cases[i].wrong, names, COUNT(names));

		if (!cases[i].nearest)
			assert_null(found);
		else if (!found || strcmp(found, cases[i].nearest))
			fail_msg("%s: expected %s, found %s", cases[i].wrong,
				cases[i].nearest, found ? found : "nothing");
	}
	memset(long_name, 'A', sizeof(long_name));
	long_name[sizeof(long_name) - 1] = '\0';
	assert_null(at_text_nearest(long_name, names, COUNT(names)));
	assert_null(at_text_nearest("A", (const char *const[]){ long_name }, 1));
	assert_null(at_text_nearest("A", NULL, 0));
}

TEST(flattens_what_would_break_a_line)
{
	char text[] = "a\n\tb\x7f \xc3\xa9";

	at_text_flatten(text);
	assert_string_equal(text, "a  b  \xc3\xa9");
}

TEST(makes_slugs_and_macros)
{
	static const struct {
		const char *text;
		const char *slug;
		const char *macro;
	} cases[] = {
		{ "NVIDIA H100 80GB HBM3", "nvidia-h100-80gb-hbm3",
			"NVIDIA_H100_80GB_HBM3" },
		{ "matmul tiled", "matmul-tiled", "MATMUL_TILED" },
		{ "  --a__b.. ", "a-b", "A_B" },
		{ "3d stencil", "3d-stencil", "_3D_STENCIL" },
		{ "\xc3\xa9t\xc3\xa9", "t", "T" },
		{ "", "", "_" },
		{ "--", "", "_" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		OWNED(free)
		char *slug = at_text_slug(cases[i].text),
		     *macro = at_text_macro(cases[i].text);

		assert_string_equal(slug, cases[i].slug);
		assert_string_equal(macro, cases[i].macro);
	}
}

TEST(reads_whole_numbers_only)
{
	static const char *const no_integers[] = { "", "-", "+", " 1", "1 ", "1.0",
		"0x10", "1e3", "a", "--1", "9223372036854775808",
		"-9223372036854775809" };
	static const char *const no_reals[] = { "", "-", ".", "e5", " 1", "1 ", "inf",
		"nan", "-inf", "0x1p3", "1e", "1e999", "1.5f", "1,5", "1.2.3" };
	int64_t integer;
	double real;

	assert_true(at_text_integer("0", &integer) && integer == 0);
	assert_true(at_text_integer("-12", &integer) && integer == -12);
	assert_true(at_text_integer("+12", &integer) && integer == 12);
	assert_true(at_text_integer("9223372036854775807", &integer) &&
		    integer == INT64_MAX);
	assert_true(at_text_integer("-9223372036854775808", &integer) &&
		    integer == INT64_MIN);
	for (size_t i = 0; i < COUNT(no_integers); i++)
		if (at_text_integer(no_integers[i], &integer))
			fail_msg("\"%s\" is no integer", no_integers[i]);
	assert_true(at_text_real("0.5", &real) && real == 0.5);
	assert_true(at_text_real("-1e-3", &real) && real == -1e-3);
	assert_true(at_text_real("7", &real) && real == 7);
	assert_true(at_text_real("1e-400", &real) && real == 0);
	for (size_t i = 0; i < COUNT(no_reals); i++)
		if (at_text_real(no_reals[i], &real))
			fail_msg("\"%s\" is no real", no_reals[i]);
}

TEST(writes_durations_for_people)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {
		{ 0, "0.00 ns" },
		{ 0.5, "0.50 ns" },
		{ 9.994, "9.99 ns" },
		{ 9.996, "10.0 ns" },
		{ 99.96, "100 ns" },
		{ 456, "456 ns" },
		{ 999.4, "999 ns" },
		{ 999.6, "1.00 us" },
		{ 1234, "1.23 us" },
		{ 456e6, "456 ms" },
		{ 12.34e9, "12.3 s" },
		{ 99e9, "99.0 s" },
		{ 100e9, "1 min 40 s" },
		{ 125e9, "2 min 05 s" },
		{ 3599.6e9, "1 h 00 min" },
		{ 7500e9, "2 h 05 min" },
		{ -5, "-5 ns" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[32];

		at_text_duration(cases[i].ns, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

TEST(writes_the_shortest_real_that_reads_back)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 0.1, "0.1" },
		{ -2.5, "-2.5" },
		{ 1e-4, "0.0001" },
		{ 1000, "1000" },
		{ 1e14, "100000000000000" },
		{ 1e22, "1e+22" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ 5e-324, "5e-324" },
	};
	struct at_random random;
	char text[32];

	for (size_t i = 0; i < COUNT(cases); i++) {
		at_text_shortest_real(cases[i].value, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
	at_random_init(&random, 5);
	for (int i = 0; i < 2000; i++) {
		uint64_t bits = at_random_next(&random);
		double value;

		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value))
			continue;
		at_text_shortest_real(value, text, sizeof(text));
		assert_true(strtod(text, NULL) == value);
	}
}

TEST(text_is_appended_as_far_as_there_is_room)
{
	char text[8] = "ab";

	at_text_append(text, sizeof(text), "%s", "");
	assert_string_equal(text, "ab");
	at_text_append(text, sizeof(text), "%d", 12345678);
	assert_string_equal(text, "ab12345");
	at_text_append(text, sizeof(text), "c");
	assert_string_equal(text, "ab12345");
}

RUN_SUITE(NULL, NULL)
