/* Errors, outcomes, memory, string buffers, messages and random numbers (base/). */
#include "suite.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/outcome.h"
#include "base/random.h"
#include "base/wire.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- error ---- */

TEST(the_first_error_wins)
{
	struct at_error err = { 0 };

	assert_int_equal(at_fail(&err, AT_EIO, "a.cfg", 3, "first %d", 1), AT_EIO);
	assert_int_equal(at_fail(&err, AT_EINVAL, "b.cfg", 4, "second"), AT_EINVAL);
	assert_int_equal(err.status, AT_EIO);
	assert_int_equal(err.line, 3);
	assert_string_equal(err.file, "a.cfg");
	assert_string_equal(err.text, "first 1");
	at_error_clear(&err);
	assert_ok(err.status);
	assert_int_equal(at_fail_memory(&err), AT_ENOMEM);
	assert_int_equal(at_fail(NULL, AT_EIO, NULL, 0, "nobody listens"), AT_EIO);
	at_error_clear(NULL);
}

TEST(an_error_names_what_place_it_knows)
{
	static const struct {
		const char *file;
		int line;
		const char *expected;
	} cases[] = { { "a.cfg", 7, "a.cfg:7: bad" }, { "a.cfg", 0, "a.cfg: bad" },
		{ NULL, 7, "bad" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct at_error err = { 0 };
		char text[64];

		at_fail(&err, AT_EINVAL, cases[i].file, cases[i].line, "bad");
		assert_string_equal(
			at_error_format(&err, text, sizeof(text)), cases[i].expected);
	}
}

TEST(a_long_error_is_cut)
{
	struct at_error err = { 0 };
	char long_text[3000], small[8];

	memset(long_text, 'x', sizeof(long_text));
	long_text[sizeof(long_text) - 1] = '\0';
	at_fail(&err, AT_EINVAL, long_text, 1, "%s", long_text);
	assert_int_equal(strlen(err.file), sizeof(err.file) - 1);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_string_equal(at_error_format(&err, small, sizeof(small)), "xxxxxxx");
}

TEST(an_error_is_one_line)
{
	struct at_error err = { 0 };

	at_fail(&err, AT_EINVAL, "a.cfg", 1, "\"%s\" is odd",
		"a\r\nb\x1b\x7f\tc\xc3\xa4");
	assert_string_equal(err.text, "\"a  b   c\xc3\xa4\" is odd");
}

/* ---- outcome ---- */

TEST(every_outcome_is_found_by_its_name)
{
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

TEST(reserve_keeps_what_was_there)
{
	OWNED(free) int *items = NULL;
	size_t capacity = 0;

	for (int i = 0; i < 1000; i++) {
		assert_ok(AT_RESERVE(items, capacity, (size_t)i + 1, NULL));
		assert_true(capacity > (size_t)i);
		items[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
}

TEST(reserve_refuses_sizes_that_wrap)
{
	struct at_error err = { 0 };
	int *items = NULL;
	size_t capacity = 0;

	assert_int_equal(AT_RESERVE(items, capacity, SIZE_MAX / 2, &err), AT_ENOMEM);
	assert_int_equal(err.status, AT_ENOMEM);
	assert_null(items);
	assert_int_equal(capacity, 0);
}

TEST(a_string_buffer_grows_and_hands_its_text_over)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	char *detached;

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
	at_strbuf_release(NULL);
}

TEST(a_string_buffer_takes_integers_in_decimal)
{
	static const int64_t values[] = { 0, 7, -7, 10, INT64_MAX, INT64_MIN };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	for (size_t i = 0; i < COUNT(values); i++) {
		at_strbuf_add_integer(&text, values[i]);
		at_strbuf_add_char(&text, ' ');
	}
	assert_string_equal(at_strbuf_text(&text),
		"0 7 -7 10 9223372036854775807 -9223372036854775808 ");
}

TEST(a_string_buffer_makes_room_at_once)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	const char *data;

	at_strbuf_add(&text, "kept");
	at_strbuf_reserve(&text, 5000);
	data = text.data;
	for (int i = 0; i < 5000; i++)
		at_strbuf_add_char(&text, 'x');
	assert_ptr_equal(text.data, data);
	assert_int_equal(text.length, 5004);
	assert_memory_equal(at_strbuf_text(&text), "keptx", 5);
}

TEST(a_failed_small_allocation_ends_the_process_with_one_line)
{
	char text[100];
	int ends[2];
	ssize_t length;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		struct at_strbuf buffer = { 0 };

		dup2(ends[1], STDERR_FILENO);
		at_strbuf_add(&buffer, "some");
		at_strbuf_reserve(&buffer, SIZE_MAX);
		_exit(99);
	}
	close(ends[1]);
	length = read(ends[0], text, sizeof(text));
	assert_int_equal(exit_of(child), EXIT_FAILURE);
	assert_true(
		length > 0 && memchr(text, '\n', (size_t)length) == text + length - 1);
	assert_int_equal(read(ends[0], text, sizeof(text)), 0);
	close(ends[0]);
}

/* ---- wire; what is read back as it was written is in test_fields.c ---- */

TEST(a_reader_that_failed_gives_nothing_more)
{
	struct at_wire_reader reader;
	unsigned char bytes[16];
	char buffer[4] = "old";
	size_t size = 9;

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

TEST(a_reader_refuses_odd_lengths_and_texts)
{
	struct at_wire_writer writer = { 0 };
	struct at_wire_reader reader;
	char buffer[4];

	at_wire_put_u32(&writer, 3); /* items of eight bytes, and only two follow */
	at_wire_put_u64(&writer, 1);
	at_wire_put_u64(&writer, 2);
	at_wire_reader_init(&reader, writer.bytes.data, writer.bytes.length);
	assert_int_equal(at_wire_get_count(&reader, 8), 0);
	assert_true(reader.failed);
	at_wire_reader_init(&reader, writer.bytes.data, writer.bytes.length);
	assert_int_equal(at_wire_get_below(&reader, 3), 0);
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

TEST(random_numbers_are_the_same_everywhere)
{
	struct at_random a, b, other;
	bool differ = false;

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

TEST(random_numbers_stay_below_their_bound)
{
	struct at_random random;
	int counts[7] = { 0 }, low = 0;

	at_random_init(&random, 1);
	for (int i = 0; i < 70000; i++)
		counts[at_random_below(&random, 7)]++;
	/* 10000 each; six standard deviations are 556 */
	for (int i = 0; i < 7; i++)
		assert_in_range(counts[i], 9444, 10556);
	/* of three quarters of 2^64: the remainder alone would favour the first third
	 */
	for (int i = 0; i < 9000; i++)
		low += at_random_below(&random, (uint64_t)3 << 62) < (uint64_t)1 << 62;
	assert_in_range(low, 2700, 3300);
	assert_true(at_random_below(&random, 1) == 0);
	assert_true(at_random_below(&random, UINT64_MAX) < UINT64_MAX);
}

/* ---- hash ---- */

static struct at_hash hash_of_two(const char *first, const char *second)
{
	struct at_hasher *hasher = NULL;
	struct at_hash hash;

	hasher = at_hasher_new();
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

TEST(hashes_keep_their_parts_apart)
{
	assert_true(same_hash(hash_of_two("ab", "c"), hash_of_two("ab", "c")));
	assert_false(same_hash(hash_of_two("ab", "c"), hash_of_two("a", "bc")));
	assert_false(same_hash(hash_of_two("", "x"), hash_of_two("x", "")));
}

TEST(hashes_tell_numbers_apart)
{
	struct at_hasher *a = NULL, *b = NULL;

	a = at_hasher_new();
	b = at_hasher_new();
	at_hasher_add_integer(a, 1);
	at_hasher_add_real(b, 1);
	assert_false(same_hash(at_hasher_result(a), at_hasher_result(b)));
	at_hasher_free(a);
	at_hasher_free(b);
	at_hasher_free(NULL);
}

TEST(hashes_are_those_of_xxh3)
{
	char hex[AT_HASH_HEX_SIZE];

	/* XXH3 128 of nothing, from the reference implementation's documentation */
	assert_string_equal(at_hash_hex(at_hash_bytes("", 0), hex),
		"99aa06d3014798d86001c324468d497f");
	assert_string_equal(
		at_hash_hex((struct at_hash){ .low = 1, .high = 0x2a }, hex),
		"000000000000002a0000000000000001");
}

TEST(hashes_of_a_group_lie_together)
{
	struct at_hash group = { 1, UINT64_C(0xaabbccdd11223344) };
	struct at_hash own = { UINT64_C(0x8877665544332211),
		UINT64_C(0x99aabbccddeeff00) };
	char hex[AT_HASH_HEX_SIZE];

	assert_string_equal(at_hash_hex(at_hash_grouped(group, own), hex),
		"aabbccddddeeff008877665544332211");
}

RUN_SUITE(NULL, NULL)
