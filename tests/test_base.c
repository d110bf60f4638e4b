#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/outcome.h"
#include "base/random.h"
#include "base/text.h"
#include "base/wire.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- error ---- */

static void the_first_error_wins(void **state)
{
	struct at_error err = { 0 };

	(void)state;
	assert_int_equal(at_fail(&err, AT_EIO, "a.cfg", 3, "first %d", 1), AT_EIO);
	assert_int_equal(at_fail(&err, AT_EINVAL, "b.cfg", 4, "second"), AT_EINVAL);
	assert_int_equal(err.status, AT_EIO);
	assert_int_equal(err.line, 3);
	assert_string_equal(err.file, "a.cfg");
	assert_string_equal(err.text, "first 1");
	at_error_clear(&err);
	assert_int_equal(err.status, AT_OK);
	assert_int_equal(at_fail_memory(&err), AT_ENOMEM);
	assert_int_equal(at_fail(NULL, AT_EIO, NULL, 0, "nobody listens"), AT_EIO);
	at_error_clear(NULL);
}

static void an_error_names_what_place_it_knows(void **state)
{
	static const struct {
		const char *file;
		int line;
		const char *expected;
	} cases[] = { { "a.cfg", 7, "a.cfg:7: bad" }, { "a.cfg", 0, "a.cfg: bad" },
		{ NULL, 7, "bad" } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct at_error err = { 0 };
		char text[64];

		at_fail(&err, AT_EINVAL, cases[i].file, cases[i].line, "bad");
		assert_string_equal(at_error_format(&err, text, sizeof(text)),
			cases[i].expected);
	}
}

static void a_long_error_is_cut(void **state)
{
	struct at_error err = { 0 };
	char long_text[3000], small[8];

	(void)state;
	memset(long_text, 'x', sizeof(long_text));
	long_text[sizeof(long_text) - 1] = '\0';
	at_fail(&err, AT_EINVAL, long_text, 1, "%s", long_text);
	assert_int_equal(strlen(err.file), sizeof(err.file) - 1);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_string_equal(at_error_format(&err, small, sizeof(small)), "xxxxxxx");
}

/* ---- outcome ---- */

static void every_outcome_is_found_by_its_name(void **state)
{
	(void)state;
	for (int i = 0; i < AT_OUTCOME_COUNT; i++) {
		enum at_outcome outcome = (enum at_outcome)i;

		assert_int_equal(at_outcome_from_name(at_outcome_name(outcome)), i);
		assert_true(strlen(at_outcome_text(outcome)) > 0);
	}
	assert_string_equal(at_outcome_name(AT_OUTCOME_WRONG_RESULT), "wrong_result");
	assert_int_equal(at_outcome_from_name("splendid"), AT_OUTCOME_NONE);
	assert_string_equal(at_outcome_name((enum at_outcome)99), "none");
	assert_string_equal(at_outcome_text((enum at_outcome)99), "not tried yet");
}

/* ---- memory ---- */

static void reserve_keeps_what_was_there(void **state)
{
	int *items = NULL;
	size_t capacity = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(AT_RESERVE(items, capacity, (size_t)i + 1, NULL), AT_OK);
		assert_true(capacity > (size_t)i);
		items[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	free(items);
}

static void reserve_refuses_sizes_that_wrap(void **state)
{
	struct at_error err = { 0 };
	int *items = NULL;
	size_t capacity = 0;

	(void)state;
	assert_int_equal(AT_RESERVE(items, capacity, SIZE_MAX / 2, &err), AT_ENOMEM);
	assert_int_equal(err.status, AT_ENOMEM);
	assert_null(items);
	assert_int_equal(capacity, 0);
}

static void a_string_buffer_grows_and_hands_its_text_over(void **state)
{
	struct at_strbuf text = { 0 };
	char *detached;

	(void)state;
	assert_string_equal(at_strbuf_text(&text), "");
	for (int i = 0; i < 100; i++) {
		at_strbuf_addf(&text, "%d", i % 10);
		at_strbuf_add_char(&text, ',');
	}
	assert_int_equal(text.length, 200);
	assert_memory_equal(text.data, "0,1,2,3,", 8);
	assert_string_equal(text.data + 190, "5,6,7,8,9,");
	at_strbuf_clear(&text);
	assert_string_equal(at_strbuf_text(&text), "");
	at_strbuf_add_bytes(&text, "a\0b", 3);
	assert_int_equal(text.length, 3);
	detached = at_strbuf_detach(&text);
	assert_memory_equal(detached, "a\0b", 4);
	assert_null(text.data);
	free(detached);
	detached = at_strbuf_detach(&text);
	assert_string_equal(detached, "");
	free(detached);
	at_strbuf_release(&text);
	at_strbuf_release(NULL);
}

static void a_string_buffer_that_failed_stays_failed(void **state)
{
	struct at_strbuf text = { 0 };

	(void)state;
	at_strbuf_add(&text, "kept");
	at_strbuf_add_bytes(&text, "", SIZE_MAX - 2);
	assert_true(text.failed);
	at_strbuf_add(&text, "more");
	assert_string_equal(at_strbuf_text(&text), "kept");
	assert_null(at_strbuf_detach(&text));
	assert_false(text.failed);
}

/* ---- wire ---- */

static void write_message(struct at_wire_writer *writer)
{
	at_wire_put_u32(writer, 0xfeedbeef);
	at_wire_put_u64(writer, UINT64_MAX);
	at_wire_put_i64(writer, INT64_MIN);
	at_wire_put_real(writer, -0.1);
	at_wire_put_text(writer, "tile");
	at_wire_put_text(writer, NULL);
	at_wire_put_blob(writer, "a\0b", 3);
	at_wire_put_text(writer, "into");
	at_wire_put_u32(writer, 2);
	at_wire_put_u64(writer, 1);
	at_wire_put_u64(writer, 2);
}

/* reads the message above; true when nothing was odd */
static bool read_message(const void *data, size_t size)
{
	struct at_wire_reader reader;
	char buffer[5];
	size_t blob_size;
	const void *blob;
	char *text, *nothing;
	bool same = true;
	uint32_t count;

	at_wire_reader_init(&reader, data, size);
	same &= at_wire_get_u32(&reader) == 0xfeedbeef;
	same &= at_wire_get_u64(&reader) == UINT64_MAX;
	same &= at_wire_get_i64(&reader) == INT64_MIN;
	same &= at_wire_get_real(&reader) == -0.1;
	text = at_wire_get_text(&reader);
	same &= text && !strcmp(text, "tile");
	nothing = at_wire_get_text(&reader);
	same &= nothing && !strcmp(nothing, "");
	blob = at_wire_get_blob(&reader, &blob_size);
	same &= blob_size == 3 && !memcmp(blob, "a\0b", 3);
	at_wire_get_text_into(&reader, buffer, sizeof(buffer));
	same &= !strcmp(buffer, "into");
	count = at_wire_get_count(&reader, sizeof(uint64_t));
	same &= count == 2;
	for (uint32_t i = 0; i < count; i++)
		same &= at_wire_get_u64(&reader) == i + 1;
	free(text);
	free(nothing);
	/* soft failure: whatever was read has a value, and done() knows */
	return at_wire_done(&reader) && same;
}

static void a_message_reads_back_as_written(void **state)
{
	struct at_wire_writer writer = { 0 };

	(void)state;
	write_message(&writer);
	assert_true(read_message(writer.bytes.data, writer.bytes.length));
	at_strbuf_release(&writer.bytes);
}

static void a_message_cut_anywhere_fails_softly(void **state)
{
	struct at_wire_writer writer = { 0 };

	(void)state;
	write_message(&writer);
	for (size_t size = 0; size < writer.bytes.length; size++) {
		/* a copy of just this size, so that a sanitizer sees every overrun */
		char *cut = malloc(size + 1);

		assert_non_null(cut);
		memcpy(cut, writer.bytes.data, size);
		cut = realloc(cut, size ? size : 1);
		assert_false(read_message(cut, size));
		free(cut);
	}
	at_strbuf_add_char(&writer.bytes, 'x');
	assert_false(read_message(writer.bytes.data, writer.bytes.length));
	at_strbuf_release(&writer.bytes);
}

static void a_reader_that_failed_gives_nothing_more(void **state)
{
	struct at_wire_reader reader;
	unsigned char bytes[16];
	char buffer[4] = "old";
	size_t size = 9;

	(void)state;
	memset(bytes, 0x7f, sizeof(bytes));
	at_wire_reader_init(&reader, bytes, sizeof(bytes));
	/* a length beyond what is left */
	assert_null(at_wire_get_blob(&reader, &size));
	assert_int_equal(size, 0);
	assert_true(reader.failed);
	/* eight bytes are left, and nothing takes them */
	assert_int_equal(at_wire_get_u32(&reader), 0);
	assert_true(at_wire_get_u64(&reader) == 0);
	assert_true(at_wire_get_i64(&reader) == 0);
	assert_true(at_wire_get_real(&reader) == 0);
	assert_int_equal(at_wire_get_count(&reader, 1), 0);
	assert_null(at_wire_get_text(&reader));
	at_wire_get_text_into(&reader, buffer, sizeof(buffer));
	assert_string_equal(buffer, "");
	assert_false(at_wire_done(&reader));
}

static void a_reader_refuses_odd_lengths_and_texts(void **state)
{
	struct at_wire_writer writer = { 0 };
	struct at_wire_reader reader;
	char buffer[4];

	(void)state;
	at_wire_put_u32(&writer, 3); /* items of eight bytes, and only two follow */
	at_wire_put_u64(&writer, 1);
	at_wire_put_u64(&writer, 2);
	at_wire_reader_init(&reader, writer.bytes.data, writer.bytes.length);
	assert_int_equal(at_wire_get_count(&reader, 8), 0);
	assert_true(reader.failed);

	at_strbuf_clear(&writer.bytes);
	at_wire_put_blob(&writer, "a\0b", 3);
	at_wire_reader_init(&reader, writer.bytes.data, writer.bytes.length);
	assert_null(at_wire_get_text(&reader));
	at_wire_reader_init(&reader, writer.bytes.data, writer.bytes.length);
	at_wire_get_text_into(&reader, buffer, sizeof(buffer));
	assert_true(reader.failed);

	at_strbuf_clear(&writer.bytes);
	at_wire_put_text(&writer, "four");
	at_wire_reader_init(&reader, writer.bytes.data, writer.bytes.length);
	at_wire_get_text_into(&reader, buffer, sizeof(buffer));
	assert_true(reader.failed);
	assert_string_equal(buffer, "");
	at_strbuf_release(&writer.bytes);
}

/* ---- random ---- */

static void random_numbers_are_the_same_everywhere(void **state)
{
	struct at_random a, b, other;
	bool differ = false;

	(void)state;
	at_random_init(&a, 42);
	at_random_init(&b, 42);
	at_random_init(&other, 43);
	/* computed apart, from the published SplitMix64 and xoshiro256** */
	assert_true(a.state[0] == UINT64_C(0xbdd732262feb6e95));
	assert_true(at_random_next(&a) == UINT64_C(0x15780b2e0c2ec716));
	assert_true(at_random_next(&a) == UINT64_C(0x6104d9866d113a7e));
	at_random_next(&b);
	at_random_next(&b);
	for (int i = 0; i < 100; i++) {
		uint64_t value = at_random_next(&a);

		assert_true(value == at_random_next(&b));
		differ |= value != at_random_next(&other);
	}
	assert_true(differ);
}

static void random_numbers_stay_below_their_bound(void **state)
{
	struct at_random random;
	int counts[7] = { 0 };
	double sum = 0;

	(void)state;
	at_random_init(&random, 1);
	for (int i = 0; i < 70000; i++)
		counts[at_random_below(&random, 7)]++;
	/* 10000 each; six standard deviations are 556 */
	for (int i = 0; i < 7; i++)
		assert_in_range(counts[i], 9444, 10556);
	for (int i = 0; i < 10000; i++) {
		double unit = at_random_unit(&random);

		assert_true(unit >= 0 && unit < 1);
		sum += unit;
	}
	assert_true(fabs(sum / 10000 - 0.5) < 0.02);
	assert_true(at_random_below(&random, 1) == 0);
	assert_true(at_random_below(&random, UINT64_MAX) < UINT64_MAX);
}

/* ---- hash ---- */

static struct at_hash hash_of_two(const char *first, const char *second)
{
	struct at_hasher *hasher = NULL;
	struct at_hash hash;

	assert_int_equal(at_hasher_new(&hasher, NULL), AT_OK);
	at_hasher_add_text(hasher, first);
	at_hasher_add_text(hasher, second);
	hash = at_hasher_result(hasher);
	at_hasher_free(hasher);
	return hash;
}

static bool same_hash(struct at_hash a, struct at_hash b)
{
	return a.low == b.low && a.high == b.high;
}

static void hashes_keep_their_parts_apart(void **state)
{
	(void)state;
	assert_true(same_hash(hash_of_two("ab", "c"), hash_of_two("ab", "c")));
	assert_false(same_hash(hash_of_two("ab", "c"), hash_of_two("a", "bc")));
	assert_false(same_hash(hash_of_two("", "x"), hash_of_two("x", "")));
}

static void hashes_tell_numbers_apart(void **state)
{
	struct at_hasher *a = NULL, *b = NULL;

	(void)state;
	assert_int_equal(at_hasher_new(&a, NULL), AT_OK);
	assert_int_equal(at_hasher_new(&b, NULL), AT_OK);
	at_hasher_add_integer(a, 1);
	at_hasher_add_real(b, 1);
	assert_false(same_hash(at_hasher_result(a), at_hasher_result(b)));
	at_hasher_free(a);
	at_hasher_free(b);
	at_hasher_free(NULL);
}

static void hashes_are_those_of_xxh3(void **state)
{
	char hex[AT_HASH_HEX_SIZE];

	(void)state;
	/* XXH3 128 of nothing, from the reference implementation's documentation */
	assert_string_equal(at_hash_hex(at_hash_bytes("", 0), hex),
		"99aa06d3014798d86001c324468d497f");
	assert_string_equal(at_hash_hex((struct at_hash){ .low = 1, .high = 0x2a }, hex),
		"000000000000002a0000000000000001");
}

/* ---- text ---- */

static void finds_the_nearest_name(void **state)
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
		{ "BLOCK_x", "BLOCK_X" },
		{ "device.l2_byte", "device.l2_bytes" },
		{ "devise.l2bytes", "device.l2_bytes" },
		{ "n", "N" },
		{ "M", NULL },
		{ "", NULL },
		{ "UNROLL", NULL },
		{ "BLOCK_BLOCK_BLOCK", NULL },
	};
	char long_name[300];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *found = at_text_nearest(cases[i].wrong, names, COUNT(names));

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

static void makes_slugs_and_macros(void **state)
{
	static const struct {
		const char *text;
		const char *slug;
		const char *macro;
	} cases[] = {
		{ "NVIDIA H100 80GB HBM3", "nvidia-h100-80gb-hbm3", "NVIDIA_H100_80GB_HBM3" },
		{ "matmul tiled", "matmul-tiled", "MATMUL_TILED" },
		{ "  --a__b.. ", "a-b", "A_B" },
		{ "3d stencil", "3d-stencil", "_3D_STENCIL" },
		{ "\xc3\xa9t\xc3\xa9", "t", "T" },
		{ "", "", "_" },
		{ "--", "", "_" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *slug = at_text_slug(cases[i].text);
		char *macro = at_text_macro(cases[i].text);

		assert_string_equal(slug, cases[i].slug);
		assert_string_equal(macro, cases[i].macro);
		free(slug);
		free(macro);
	}
}

static void reads_whole_numbers_only(void **state)
{
	static const char *const no_integers[] = { "", "-", "+", " 1", "1 ", "1.0", "0x10",
		"1e3", "a", "--1", "9223372036854775808", "-9223372036854775809" };
	static const char *const no_reals[] = { "", "-", ".", "e5", " 1", "1 ", "inf", "nan",
		"-inf", "0x1p3", "1e", "1e999", "1.5f", "1,5", "1.2.3" };
	int64_t integer;
	double real;

	(void)state;
	assert_true(at_text_integer("0", &integer) && integer == 0);
	assert_true(at_text_integer("-12", &integer) && integer == -12);
	assert_true(at_text_integer("+12", &integer) && integer == 12);
	assert_true(at_text_integer("9223372036854775807", &integer) && integer == INT64_MAX);
	assert_true(at_text_integer("-9223372036854775808", &integer) && integer == INT64_MIN);
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

static void writes_durations_for_people(void **state)
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

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[32];

		at_text_duration(cases[i].ns, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

static void writes_the_shortest_real_that_reads_back(void **state)
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

	(void)state;
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

/* ---- json ---- */

static struct at_json *sample_tree(void)
{
	struct at_json *tree = at_json_object(), *list = at_json_array();

	at_json_set(tree, "zebra", at_json_integer(INT64_MIN));
	at_json_set(tree, "ant", at_json_real(0.1));
	at_json_append(list, at_json_boolean(true));
	at_json_append(list, at_json_null());
	at_json_append(list, at_json_real(INFINITY));
	at_json_append(list, at_json_string("a \"b\"\n"));
	at_json_set(tree, "list", list);
	return tree;
}

static void json_is_written_in_the_order_it_was_set(void **state)
{
	struct at_json *tree = sample_tree();
	struct at_strbuf text = { 0 };

	(void)state;
	assert_int_equal(at_json_write(tree, 0, &text, NULL), AT_OK);
	assert_string_equal(at_strbuf_text(&text),
		"{\"zebra\": -9223372036854775808, \"ant\": 0.1,"
		" \"list\": [true, null, null, \"a \\\"b\\\"\\n\"]}");
	at_strbuf_clear(&text);
	assert_int_equal(at_json_write(tree, 2, &text, NULL), AT_OK);
	assert_memory_equal(at_strbuf_text(&text), "{\n  \"zebra\": ", 13);
	assert_int_equal(text.data[text.length - 1], '\n');
	at_strbuf_release(&text);
	at_json_free(tree);
}

static void json_reads_back_as_written(void **state)
{
	struct at_json *tree = sample_tree(), *copy = NULL;
	const struct at_json *list;
	struct at_strbuf text = { 0 };

	(void)state;
	assert_int_equal(at_json_write(tree, 0, &text, NULL), AT_OK);
	assert_int_equal(at_json_parse(text.data, text.length, "f", &copy, NULL), AT_OK);
	assert_true(at_json_whole(at_json_get(copy, "zebra"), 0) == INT64_MIN);
	assert_true(at_json_number(at_json_get(copy, "ant"), 0) == 0.1);
	list = at_json_get(copy, "list");
	assert_int_equal(at_json_count(list), 4);
	assert_string_equal(at_json_text(at_json_at(list, 3)), "a \"b\"\n");
	assert_null(at_json_text(at_json_at(list, 0)));
	assert_null(at_json_at(list, 4));
	assert_null(at_json_get(copy, "missing"));
	assert_int_equal(at_json_whole(at_json_get(copy, "missing"), -3), -3);
	assert_int_equal(at_json_whole(at_json_get(copy, "ant"), -3), -3);
	assert_true(at_json_number(NULL, 1.5) == 1.5);
	at_strbuf_release(&text);
	at_json_free(tree);
	at_json_free(copy);
}

static void json_replaces_bytes_that_are_no_utf8(void **state)
{
	struct at_json *odd = at_json_string("a\xff\xfe"), *good = at_json_string("\xc3\xa9");

	(void)state;
	assert_string_equal(at_json_text(odd), "a??");
	assert_string_equal(at_json_text(good), "\xc3\xa9");
	at_json_free(odd);
	at_json_free(good);
}

static void json_that_could_not_be_built_is_not_written(void **state)
{
	struct at_json *tree = at_json_object();
	struct at_strbuf text = { 0 };

	(void)state;
	/* what a failed allocation yields */
	at_json_set(tree, "key", NULL);
	assert_int_equal(at_json_write(tree, 0, &text, NULL), AT_ENOMEM);
	at_json_free(tree);
	at_strbuf_clear(&text);
	tree = at_json_array();
	at_json_append(tree, NULL);
	assert_int_equal(at_json_write(tree, 0, &text, NULL), AT_ENOMEM);
	at_json_free(tree);
	assert_int_equal(at_json_write(NULL, 0, &text, NULL), AT_ENOMEM);
	at_json_free(NULL);
	at_strbuf_release(&text);
}

static void json_errors_name_file_and_line(void **state)
{
	static const char *const wrong[] = { "", "{", "{\"a\": 1, \"a\": 2}", "[1] 2", "nul" };
	struct at_error err = { 0 };
	struct at_json *tree = NULL;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_int_equal(at_json_parse(wrong[i], strlen(wrong[i]), "f", &tree, NULL),
			AT_ESYNTAX);
	assert_null(tree);
	assert_int_equal(at_json_parse("{\n\"a\":\n?}", 9, "x.json", &tree, &err), AT_ESYNTAX);
	assert_string_equal(err.file, "x.json");
	assert_int_equal(err.line, 3);
}

/* ---- file ---- */

/* a folder of its own for each test, removed with what the tests leave in it */
struct folder {
	char path[64];
	char file[80];
};

static int make_folder(void **state)
{
	struct folder *folder = calloc(1, sizeof(*folder));

	if (!folder)
		return -1;
	snprintf(folder->path, sizeof(folder->path), "/tmp/at_test_base_XXXXXX");
	if (!mkdtemp(folder->path)) {
		free(folder);
		return -1;
	}
	snprintf(folder->file, sizeof(folder->file), "%s/file", folder->path);
	*state = folder;
	return 0;
}

static int remove_folder(void **state)
{
	struct folder *folder = *state;
	int failed;

	unlink(folder->file);
	failed = rmdir(folder->path); /* a temporary file left behind fails it */
	free(folder);
	return failed;
}

static void assert_file_holds(const char *path, const char *expected, size_t expected_size)
{
	struct at_error err = { 0 };
	char *data = NULL;
	size_t size = 0;

	if (at_file_read(path, 0, &data, &size, &err))
		fail_msg("%s", err.text);
	assert_int_equal(size, expected_size);
	assert_memory_equal(data, expected, size);
	assert_int_equal(data[size], '\0');
	free(data);
}

static void a_file_reads_back_as_written(void **state)
{
	const struct folder *folder = *state;
	char *large = malloc(200000);
	struct stat facts;

	assert_non_null(large);
	memset(large, 'x', 200000);
	assert_false(at_file_exists(folder->file));
	assert_int_equal(at_file_replace(folder->file, "a\0b", 3, NULL), AT_OK);
	assert_true(at_file_exists(folder->file));
	assert_file_holds(folder->file, "a\0b", 3);
	assert_int_equal(at_file_replace(folder->file, large, 200000, NULL), AT_OK);
	assert_file_holds(folder->file, large, 200000);
	assert_int_equal(at_file_replace(folder->file, "", 0, NULL), AT_OK);
	assert_int_equal(stat(folder->file, &facts), 0);
	assert_int_equal(facts.st_size, 0);
	free(large);
}

static void reading_says_what_it_cannot_read(void **state)
{
	const struct folder *folder = *state;
	struct at_error err = { 0 };
	char *data = NULL;
	size_t size;

	assert_int_equal(at_file_read(folder->file, 0, &data, &size, &err), AT_ENOENT);
	assert_string_equal(err.file, folder->file);
	at_error_clear(&err);
	assert_int_equal(at_file_read(folder->path, 0, &data, &size, &err), AT_EINVAL);
	assert_string_equal(err.text, "is a directory, not a file");
	at_error_clear(&err);
	assert_int_equal(at_file_replace(folder->file, "12345", 5, NULL), AT_OK);
	assert_int_equal(at_file_read(folder->file, 4, &data, &size, &err), AT_EINVAL);
	assert_non_null(strstr(err.text, "larger than 4 bytes"));
	assert_null(data);
	assert_int_equal(at_file_read(folder->file, 5, &data, &size, NULL), AT_OK);
	free(data);
}

static void the_same_bytes_leave_a_file_untouched(void **state)
{
	const struct folder *folder = *state;
	struct stat before, after;

	assert_int_equal(at_file_replace(folder->file, "same", 4, NULL), AT_OK);
	assert_int_equal(stat(folder->file, &before), 0);
	assert_int_equal(at_file_replace(folder->file, "same", 4, NULL), AT_OK);
	assert_int_equal(stat(folder->file, &after), 0);
	assert_true(before.st_ino == after.st_ino);
	assert_true(before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
		before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
	assert_int_equal(at_file_replace(folder->file, "diff", 4, NULL), AT_OK);
	assert_int_equal(stat(folder->file, &after), 0);
	assert_true(before.st_ino != after.st_ino);
	assert_file_holds(folder->file, "diff", 4);
}

static void a_write_that_fails_leaves_the_old_file(void **state)
{
	const struct folder *folder = *state;
	struct rlimit old, small;
	struct at_error err = { 0 };
	char large[4096];
	enum at_status status;
	void (*old_handler)(int);

	memset(large, 'x', sizeof(large));
	assert_int_equal(at_file_replace(folder->file, "old", 3, NULL), AT_OK);
	/* a full disk, as far as write() can tell: it stops at 1000 bytes */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 1000;
	old_handler = signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	status = at_file_replace(folder->file, large, sizeof(large), &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, old_handler);
	assert_int_equal(status, AT_EIO);
	assert_string_equal(err.file, folder->file);
	assert_non_null(strstr(err.text, "cannot write it"));
	assert_file_holds(folder->file, "old", 3);
}

/* a folder where a file is wanted cannot be renamed over, not even by root */
static void a_rename_that_fails_leaves_nothing_behind(void **state)
{
	const struct folder *folder = *state;
	struct at_error err = { 0 };

	assert_int_equal(mkdir(folder->file, 0777), 0);
	assert_int_equal(at_file_replace(folder->file, "new", 3, &err), AT_EIO);
	assert_int_equal(rmdir(folder->file), 0);
}

/* in a child, which gives up the superuser's rights: nothing stops those */
static int replace_as_nobody(const char *path)
{
	pid_t child = fork();
	int ended = 0;

	if (child == 0) {
		if (geteuid() == 0 && setuid(65534))
			_exit(99);
		_exit((int)at_file_replace(path, "new", 3, NULL));
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &ended, 0), child);
	assert_true(WIFEXITED(ended));
	return WEXITSTATUS(ended);
}

static void a_folder_that_is_not_writable_leaves_the_old_file(void **state)
{
	const struct folder *folder = *state;

	assert_int_equal(at_file_replace(folder->file, "old", 3, NULL), AT_OK);
	assert_int_equal(chmod(folder->path, 0555), 0);
	assert_int_equal(replace_as_nobody(folder->file), AT_EIO);
	assert_int_equal(chmod(folder->path, 0777), 0);
	assert_file_holds(folder->file, "old", 3);
}

static void writing_into_no_folder_says_so(void **state)
{
	const struct folder *folder = *state;
	struct at_error err = { 0 };
	char path[128];

	snprintf(path, sizeof(path), "%s/missing/file", folder->path);
	assert_int_equal(at_file_replace(path, "new", 3, &err), AT_ENOENT);
	assert_string_equal(err.file, path);
}

static void makes_folders_within_folders(void **state)
{
	const struct folder *folder = *state;
	struct at_error err = { 0 };
	char path[128];

	snprintf(path, sizeof(path), "%s/a/b//c/", folder->path);
	assert_int_equal(at_directory_make(path, &err), AT_OK);
	assert_true(at_file_exists(path));
	assert_int_equal(at_directory_make(path, &err), AT_OK);
	assert_int_equal(at_file_replace(folder->file, "x", 1, NULL), AT_OK);
	snprintf(path, sizeof(path), "%s/d", folder->file);
	assert_int_equal(at_directory_make(path, &err), AT_EIO);
	for (const char *const *name = (const char *const[]){ "a/b/c", "a/b", "a", NULL };
		*name; name++) {
		snprintf(path, sizeof(path), "%s/%s", folder->path, *name);
		assert_int_equal(rmdir(path), 0);
	}
}

static void takes_paths_apart_and_joins_them(void **state)
{
	static const struct {
		const char *path;
		const char *directory;
	} apart[] = { { "a/b.cfg", "a" }, { "b.cfg", "." }, { "/b.cfg", "/" },
		{ "a/b/c", "a/b" } };
	static const struct {
		const char *directory;
		const char *name;
		const char *path;
	} joined[] = { { "a", "b", "a/b" }, { "a/", "b", "a/b" }, { ".", "b", "b" },
		{ "", "b", "b" }, { "a", "/b", "/b" }, { "/", "b", "/b" } };

	(void)state;
	for (size_t i = 0; i < COUNT(apart); i++) {
		char *found = at_path_directory(apart[i].path);

		assert_string_equal(found, apart[i].directory);
		free(found);
	}
	for (size_t i = 0; i < COUNT(joined); i++) {
		char *found = at_path_join(joined[i].directory, joined[i].name);

		assert_string_equal(found, joined[i].path);
		free(found);
	}
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_error_wins),
		cmocka_unit_test(an_error_names_what_place_it_knows),
		cmocka_unit_test(a_long_error_is_cut),
		cmocka_unit_test(every_outcome_is_found_by_its_name),
		cmocka_unit_test(reserve_keeps_what_was_there),
		cmocka_unit_test(reserve_refuses_sizes_that_wrap),
		cmocka_unit_test(a_string_buffer_grows_and_hands_its_text_over),
		cmocka_unit_test(a_string_buffer_that_failed_stays_failed),
		cmocka_unit_test(a_message_reads_back_as_written),
		cmocka_unit_test(a_message_cut_anywhere_fails_softly),
		cmocka_unit_test(a_reader_that_failed_gives_nothing_more),
		cmocka_unit_test(a_reader_refuses_odd_lengths_and_texts),
		cmocka_unit_test(random_numbers_are_the_same_everywhere),
		cmocka_unit_test(random_numbers_stay_below_their_bound),
		cmocka_unit_test(hashes_keep_their_parts_apart),
		cmocka_unit_test(hashes_tell_numbers_apart),
		cmocka_unit_test(hashes_are_those_of_xxh3),
		cmocka_unit_test(finds_the_nearest_name),
		cmocka_unit_test(makes_slugs_and_macros),
		cmocka_unit_test(reads_whole_numbers_only),
		cmocka_unit_test(writes_durations_for_people),
		cmocka_unit_test(writes_the_shortest_real_that_reads_back),
		cmocka_unit_test(json_is_written_in_the_order_it_was_set),
		cmocka_unit_test(json_reads_back_as_written),
		cmocka_unit_test(json_replaces_bytes_that_are_no_utf8),
		cmocka_unit_test(json_that_could_not_be_built_is_not_written),
		cmocka_unit_test(json_errors_name_file_and_line),
		IN_FOLDER(a_file_reads_back_as_written),
		IN_FOLDER(reading_says_what_it_cannot_read),
		IN_FOLDER(the_same_bytes_leave_a_file_untouched),
		IN_FOLDER(a_write_that_fails_leaves_the_old_file),
		IN_FOLDER(a_rename_that_fails_leaves_nothing_behind),
		IN_FOLDER(a_folder_that_is_not_writable_leaves_the_old_file),
		IN_FOLDER(writing_into_no_folder_says_so),
		IN_FOLDER(makes_folders_within_folders),
		cmocka_unit_test(takes_paths_apart_and_joins_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
