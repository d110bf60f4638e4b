/* Properties of devices and architectures, and values. */

#include "suite.h"

#include "space/properties.h"
#include "space/value.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

TEST(every_property_has_a_name_of_its_own)
{
	for (int i = 0; i < AT_PROPERTY_COUNT; i++)
		for (int j = 0; j < i; j++)
			assert_string_not_equal(at_property_name((enum at_property)i),
				at_property_name((enum at_property)j));
	assert_string_equal(at_property_name(AT_PROPERTY_L2_BYTES), "l2_bytes");
}

TEST(knows_the_limits_of_architectures)
{
	static const struct {
		const char *architecture;
		int64_t compute_capability;
		int64_t threads;
		int64_t blocks;
		int64_t shared_bytes;
		int64_t dynamic_shared_bytes;
		int64_t reserved_bytes;
	} rows[] = {
		{ "sm_75", 75, 1024, 16, 65536, 65536, 0 },
		{ "sm_80", 80, 2048, 32, 167936, 166912, 1024 },
		{ "sm_86", 86, 1536, 16, 102400, 101376, 1024 },
		{ "sm_87", 87, 1536, 16, 167936, 166912, 1024 },
		{ "sm_89", 89, 1536, 24, 102400, 101376, 1024 },
		{ "sm_90", 90, 2048, 32, 233472, 232448, 1024 },
		{ "sm_90a", 90, 2048, 32, 233472, 232448, 1024 },
		{ "sm_100", 100, 2048, 32, 233472, 232448, 1024 },
		{ "sm_103", 103, 2048, 32, 233472, 232448, 1024 },
		{ "sm_110", 110, 1536, 24, 233472, 232448, 1024 },
		{ "sm_120", 120, 1536, 24, 102400, 101376, 1024 },
		{ "sm_121", 121, 1536, 24, 102400, 101376, 1024 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_properties p;

		assert_true(at_properties_of_architecture(rows[i].architecture, &p));
		assert_int_equal(p.value[AT_PROPERTY_COMPUTE_CAPABILITY],
			rows[i].compute_capability);
		assert_int_equal(p.value[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR],
			rows[i].threads);
		assert_int_equal(p.value[AT_PROPERTY_MAX_BLOCKS_PER_MULTIPROCESSOR],
			rows[i].blocks);
		assert_int_equal(p.value[AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR],
			rows[i].shared_bytes);
		assert_int_equal(
			p.value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK],
			rows[i].dynamic_shared_bytes);
		assert_int_equal(p.value[AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK],
			rows[i].reserved_bytes);
		assert_int_equal(
			p.value[AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK], 49152);
		assert_int_equal(p.value[AT_PROPERTY_MAX_THREADS_PER_BLOCK], 1024);
		assert_int_equal(p.value[AT_PROPERTY_MAX_GRID_X], INT32_MAX);
	}
}

TEST(leaves_unknown_what_boards_differ_in)
{
	static const enum at_property unknown[] = { AT_PROPERTY_MULTIPROCESSOR_COUNT,
		AT_PROPERTY_L2_BYTES, AT_PROPERTY_MEMORY_BYTES, AT_PROPERTY_CLOCK_HZ,
		AT_PROPERTY_MEMORY_CLOCK_HZ, AT_PROPERTY_MEMORY_BUS_BITS,
		AT_PROPERTY_POWER_LIMIT_WATTS, AT_PROPERTY_DEFAULT_POWER_LIMIT_WATTS };
	struct at_properties properties;
	size_t known = 0;

	memset(&properties, 0xff, sizeof(properties));
	assert_true(at_properties_of_architecture("sm_80", &properties));
	for (size_t i = 0; i < COUNT(unknown); i++)
		assert_false(properties.known[unknown[i]]);
	for (size_t i = 0; i < AT_PROPERTY_COUNT; i++)
		known += properties.known[i];
	assert_int_equal(known, AT_PROPERTY_COUNT - COUNT(unknown));
	at_properties_set(&properties, AT_PROPERTY_L2_BYTES, 5);
	assert_true(properties.known[AT_PROPERTY_L2_BYTES]);
	assert_int_equal(properties.value[AT_PROPERTY_L2_BYTES], 5);
}

TEST(refuses_architectures_that_it_does_not_know)
{
	static const char *const unknown[] = { "", "sm_", "sm_91", "sm_a", "sm_90b",
		"sm_90aa", "compute_90", "90", "sm_99999999999999999999", "sm_ 90" };
	struct at_properties properties;

	for (size_t i = 0; i < COUNT(unknown); i++)
		assert_false(at_properties_of_architecture(unknown[i], &properties));
}

TEST(assumes_a_large_board_of_an_architecture)
{
	static const struct {
		const char *architecture;
		const char *board;
		int64_t multiprocessors;
		int64_t l2_kib; /* 0: stays unknown */
	} rows[] = {
		{ "sm_75", "T4", 40, 4096 },
		{ "sm_80", "A100", 108, 40960 },
		{ "sm_86", "GeForce RTX 3090", 82, 6144 },
		{ "sm_87", "Jetson AGX Orin", 16, 0 },
		{ "sm_89", "GeForce RTX 4090", 128, 73728 },
		{ "sm_90", "H100 SXM", 132, 51200 },
		{ "sm_90a", "H100 SXM", 132, 51200 },
		{ "sm_100", "B200", 148, 129024 },
		{ "sm_110", "Jetson AGX Thor", 20, 0 },
		{ "sm_120", "GeForce RTX 5090", 170, 98304 },
		{ "sm_121", "GB10", 48, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_properties before, after;
		const char *board = NULL;

		assert_true(
			at_properties_of_architecture(rows[i].architecture, &before));
		after = before;
		assert_true(at_properties_assume_board(
			rows[i].architecture, &after, &board));
		assert_string_equal(board, rows[i].board);
		assert_true(after.known[AT_PROPERTY_MULTIPROCESSOR_COUNT]);
		assert_int_equal(after.value[AT_PROPERTY_MULTIPROCESSOR_COUNT],
			rows[i].multiprocessors);
		assert_int_equal(after.known[AT_PROPERTY_L2_BYTES], rows[i].l2_kib > 0);
		assert_int_equal(
			after.value[AT_PROPERTY_L2_BYTES], rows[i].l2_kib * 1024);
		/* and nothing else */
		for (size_t k = 0; k < AT_PROPERTY_COUNT; k++)
			if (k != AT_PROPERTY_MULTIPROCESSOR_COUNT &&
				k != AT_PROPERTY_L2_BYTES) {
				assert_int_equal(after.known[k], before.known[k]);
				assert_int_equal(after.value[k], before.value[k]);
			}
	}
}

TEST(what_is_known_of_a_board_stays)
{
	struct at_properties properties;
	const char *board;

	assert_true(at_properties_of_architecture("sm_90", &properties));
	at_properties_set(&properties, AT_PROPERTY_MULTIPROCESSOR_COUNT, 78);
	assert_true(at_properties_assume_board("sm_90", &properties, &board));
	assert_int_equal(properties.value[AT_PROPERTY_MULTIPROCESSOR_COUNT], 78);
	assert_int_equal(properties.value[AT_PROPERTY_L2_BYTES], 52428800);
}

TEST(assumes_no_board_without_a_figure)
{
	static const char *const unknown[] = { "sm_103", "sm_91", "sm_", "", "90" };
	struct at_properties properties;
	const char *board = "none";

	for (size_t i = 0; i < COUNT(unknown); i++) {
		memset(&properties, 0, sizeof(properties));
		assert_false(
			at_properties_assume_board(unknown[i], &properties, &board));
		assert_string_equal(board, "none");
		for (size_t k = 0; k < AT_PROPERTY_COUNT; k++)
			assert_false(properties.known[k]);
	}
}

/* ---- values ---- */

static const struct {
	struct at_value value;
	const char *text;
	const char *type;
} values[] = {
	{ { AT_TYPE_INTEGER, { .integer = 16 } }, "16", "integer" },
	{ { AT_TYPE_INTEGER, { .integer = INT64_MIN } }, "-9223372036854775808",
		"integer" },
	{ { AT_TYPE_INTEGER, { .integer = 1 } }, "1", "integer" },
	{ { AT_TYPE_BOOLEAN, { .integer = 1 } }, "true", "boolean" },
	{ { AT_TYPE_BOOLEAN, { .integer = 0 } }, "false", "boolean" },
	{ { AT_TYPE_REAL, { .real = 1 } }, "1.0", "real" },
	{ { AT_TYPE_REAL, { .real = 0.5 } }, "0.5", "real" },
	{ { AT_TYPE_REAL, { .real = 1e300 } }, "1e+300", "real" },
	{ { AT_TYPE_WORD, { .word = "ca" } }, "ca", "word" },
	{ { AT_TYPE_WORD, { .word = "true" } }, "true", "word" },
	{ { .type = AT_TYPE_NONE }, "nothing", "nothing" },
};

TEST(writes_values_as_a_space_file_does)
{
	for (size_t i = 0; i < COUNT(values); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

		at_value_format(values[i].value, &text);
		assert_string_equal(at_strbuf_text(&text), values[i].text);
		assert_string_equal(at_type_name(values[i].value.type), values[i].type);
	}
}

TEST(values_are_equal_in_type_and_value)
{
	static const char copy[] = { 'c', 'a', '\0' };
	struct at_value word = { AT_TYPE_WORD, { .word = copy } };

	for (size_t i = 0; i < COUNT(values); i++)
		for (size_t j = 0; j < COUNT(values); j++)
			assert_int_equal(
				at_value_equal(values[i].value, values[j].value),
				i == j);
	assert_true(at_value_equal(word, values[8].value));
}

RUN_SUITE(NULL, NULL)
