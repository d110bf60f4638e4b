/*
 * One struct with a member of each kind, and what its table makes of it; also while
 * the n-th allocation fails, for every n.
 */
#include "base/fields.h"
#include "base/memory.h"

#include <math.h>

#include "suite.h"

enum colour { COLOUR_NONE, COLOUR_RED, COLOUR_BLUE, COLOUR_COUNT };

struct point {
	int64_t x;
	char *label;
};

struct thing {
	uint32_t u32;
	uint64_t u64;
	size_t size;
	int64_t i64;
	int number;
	double real;
	bool flag;
	struct at_hash hash;
	enum colour colour;
	char *text;
	char chars[8];
	unsigned char bytes[3];
	unsigned char *blob;
	size_t blob_bytes;
	struct point point;
	struct point corners[2];
	uint32_t point_count;
	struct point *points;
	double *weights; /* as many as there are points */
	size_t name_count;
	char **names;
	int aside; /* in no table */
};

static const struct at_field point_members[] = {
	AT_FIELD(struct point, x, I64),
	AT_FIELD(struct point, label, TEXT),
};
static const struct at_fields point_fields = AT_FIELDS(struct point, point_members);

static const struct at_field thing_members[] = {
	AT_FIELD(struct thing, u32, U32),
	AT_FIELD(struct thing, u64, U64),
	AT_FIELD(struct thing, size, U64),
	AT_FIELD(struct thing, i64, I64),
	AT_FIELD(struct thing, number, INT),
	AT_FIELD(struct thing, real, REAL),
	AT_FIELD(struct thing, flag, BOOL),
	AT_FIELD(struct thing, hash, HASH),
	AT_FIELD_ENUM(struct thing, colour, COLOUR_COUNT),
	AT_FIELD(struct thing, text, TEXT),
	AT_FIELD_CHARS(struct thing, chars),
	AT_FIELD_BYTES(struct thing, bytes),
	AT_FIELD_BLOB(struct thing, blob, blob_bytes),
	AT_FIELD_STRUCT(struct thing, point, point_fields),
	AT_FIELD_ARRAY(struct thing, corners, point_fields),
	AT_FIELD_LIST(struct thing, points, point_count, point_fields),
	AT_FIELD_LIST(struct thing, weights, point_count, at_fields_real),
	AT_FIELD_LIST(struct thing, names, name_count, at_fields_text),
};
static const struct at_fields thing_fields = AT_FIELDS(struct thing, thing_members);

static struct point corner = { INT64_MIN, "corner" };

/* all its texts are literals: not to be released */
static struct thing some_thing(void)
{
	static struct point points[2] = { { 1, "one" }, { 2, NULL } };
	static double weights[2] = { -0.5, 1e300 };
	static char *names[3] = { "a", "", "ccc" };

	return (struct thing){ .u32 = UINT32_MAX,
		.u64 = UINT64_MAX,
		.size = 77,
		.i64 = -5,
		.number = -9,
		.real = -0.1,
		.flag = true,
		.hash = { 3, 4 },
		.colour = COLOUR_BLUE,
		.text = "text",
		.chars = "seven77",
		.bytes = { 1, 0, 2 },
		.blob = (unsigned char *)"a\0b",
		.blob_bytes = 3,
		.point = { 8, "p" },
		.corners = { corner, corner },
		.point_count = 2,
		.points = points,
		.weights = weights,
		.name_count = 3,
		.names = names,
		.aside = 42 };
}

static void assert_thing(const struct thing *got)
{
	const struct thing sent = some_thing();

	assert_true(got->u32 == sent.u32 && got->u64 == sent.u64);
	assert_true(got->size == sent.size && got->i64 == sent.i64);
	assert_true(got->number == sent.number && got->real == sent.real);
	assert_true(got->flag && at_hash_equal(got->hash, sent.hash));
	assert_int_equal(got->colour, COLOUR_BLUE);
	assert_string_equal(got->text, "text");
	assert_string_equal(got->chars, "seven77");
	assert_memory_equal(got->bytes, sent.bytes, sizeof(sent.bytes));
	assert_int_equal(got->blob_bytes, 3);
	assert_memory_equal(got->blob, sent.blob, 3);
	assert_int_equal(got->point.x, 8);
	assert_string_equal(got->point.label, "p");
	assert_true(got->corners[1].x == INT64_MIN);
	assert_string_equal(got->corners[1].label, "corner");
	assert_int_equal(got->point_count, 2);
	assert_string_equal(got->points[0].label, "one");
	assert_int_equal(got->points[1].x, 2);
	assert_memory_equal(got->weights, sent.weights, 2 * sizeof(double));
	assert_int_equal(got->name_count, 3);
	assert_string_equal(got->names[1], "");
	assert_string_equal(got->names[2], "ccc");
}

static bool arrives(const struct at_wire_writer *bytes, struct thing *got)
{
	struct at_wire_reader in;

	/* nothing of what was there may remain, or be released */
	memset(got, 0xa5, sizeof(*got));
	at_wire_reader_init(&in, bytes->bytes.data, bytes->bytes.length);
	at_fields_get(&thing_fields, &in, got);
	return at_wire_done(&in);
}

static bool is_zeroed(const struct thing *thing)
{
	const unsigned char *bytes = (const unsigned char *)thing;

	for (size_t i = 0; i < sizeof(*thing); i++)
		if (bytes[i])
			return false;
	return true;
}

TEST(each_kind_arrives_as_it_was_put)
{
	struct thing sent = some_thing(), got;
	struct at_wire_writer bytes = { { 0 } };

	at_fields_put(&thing_fields, &sent, &bytes);
	assert_true(arrives(&bytes, &got));
	assert_thing(&got);
	assert_int_equal(got.aside, 0);
	assert_string_equal(got.points[1].label, "");
	at_fields_release(&thing_fields, &got);
	assert_true(is_zeroed(&got));
	at_fields_release(&thing_fields, &got);
	at_fields_release(&thing_fields, NULL);
	at_strbuf_release(&bytes.bytes);
}

TEST(nothing_at_all_arrives_too)
{
	struct thing sent = { 0 }, got;
	struct at_wire_writer bytes = { { 0 } };

	at_fields_put(&thing_fields, &sent, &bytes);
	assert_true(arrives(&bytes, &got));
	assert_string_equal(got.text, "");
	assert_null(got.blob);
	assert_int_equal(got.point_count, 0);
	at_fields_release(&thing_fields, &got);
	at_strbuf_release(&bytes.bytes);
}

TEST(what_is_cut_anywhere_is_refused_and_released)
{
	struct thing sent = some_thing(), got;
	struct at_wire_writer bytes = { { 0 } }, cut = { { 0 } };

	at_fields_put(&thing_fields, &sent, &bytes);
	for (size_t size = 0; size < bytes.bytes.length; size++) {
		/* of just this size, so that a sanitizer sees every overrun */
		cut.bytes.data = malloc(size ? size : 1);
		memcpy(cut.bytes.data, bytes.bytes.data, size);
		cut.bytes.length = size;
		assert_false(arrives(&cut, &got));
		at_fields_release(&thing_fields, &got);
		free(cut.bytes.data);
	}
	at_strbuf_add_char(&bytes.bytes, 'x');
	assert_false(arrives(&bytes, &got));
	at_fields_release(&thing_fields, &got);
	at_strbuf_release(&bytes.bytes);
}

TEST(values_out_of_their_range_are_refused)
{
	static const struct at_field members[] = {
		AT_FIELD_ENUM(struct thing, colour, COLOUR_COUNT),
		AT_FIELD(struct thing, flag, BOOL),
	};
	static const struct at_fields colour = { sizeof(struct thing), members,
		members + 1 };
	static const struct at_fields flag = { sizeof(struct thing), members + 1,
		members + 2 };
	static const struct {
		const struct at_fields *table;
		uint32_t value;
		bool holds;
	} cases[] = {
		{ &colour, 0, true },
		{ &colour, COLOUR_COUNT - 1, true },
		{ &colour, COLOUR_COUNT, false },
		{ &colour, UINT32_MAX, false },
		{ &flag, 1, true },
		{ &flag, 2, false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_wire_reader in;
		struct thing got;

		at_wire_reader_init(&in, &cases[i].value, sizeof(cases[i].value));
		at_fields_get(cases[i].table, &in, &got);
		assert_true(at_wire_done(&in) == cases[i].holds);
	}
}

TEST(a_text_too_long_for_its_array_is_refused)
{
	static const struct at_field members[] = {
		AT_FIELD_CHARS(struct thing, chars),
	};
	static const struct at_fields table = AT_FIELDS(struct thing, members);
	struct at_wire_writer bytes = { { 0 } };
	struct at_wire_reader in;
	struct thing got;

	at_wire_put_text(&bytes, "eight888");
	at_wire_reader_init(&in, bytes.bytes.data, bytes.bytes.length);
	at_fields_get(&table, &in, &got);
	assert_true(in.failed);
	assert_string_equal(got.chars, "");
	at_strbuf_release(&bytes.bytes);
}

/* the reader of a table that starts with a list */
static bool counts_arrive(const uint32_t *words, size_t count, struct thing *got)
{
	static const struct at_field members[] = {
		AT_FIELD_LIST(struct thing, points, point_count, point_fields),
		AT_FIELD_LIST(struct thing, weights, point_count, at_fields_real),
	};
	static const struct at_fields table = AT_FIELDS(struct thing, members);
	struct at_wire_reader in;

	at_wire_reader_init(&in, words, count * sizeof(*words));
	at_fields_get(&table, &in, got);
	return at_wire_done(&in);
}

TEST(a_count_beyond_the_bytes_left_allocates_nothing)
{
	/* a point takes at least 16 bytes */
	static const uint32_t words[] = { 2, 0, 0, 0, 0, 0, 0, 0 };
	struct thing got;

	assert_false(counts_arrive(words, AT_COUNT_OF(words), &got));
	assert_true(is_zeroed(&got));
}

TEST(lists_that_share_a_count_are_equally_long)
{
	static const uint32_t same[] = { 1, 0, 0, 0, 0, 1, 0, 0 };
	static const uint32_t fewer[] = { 1, 0, 0, 0, 0, 0 };
	static const uint32_t more[] = { 0, 1, 0, 0 };
	struct thing got;

	assert_true(counts_arrive(same, AT_COUNT_OF(same), &got));
	at_fields_release(&thing_fields, &got);
	assert_false(counts_arrive(fewer, AT_COUNT_OF(fewer), &got));
	at_fields_release(&thing_fields, &got);
	assert_false(counts_arrive(more, AT_COUNT_OF(more), &got));
	at_fields_release(&thing_fields, &got);
}

TEST(what_is_half_filled_is_released)
{
	struct thing thing = { .point_count = 2, .name_count = 1 };

	thing.names = calloc(1, sizeof(*thing.names));
	at_fields_release(&thing_fields, &thing);
	assert_true(is_zeroed(&thing));
}

static struct at_hash hash_of(const struct at_fields *table, const void *object)
{
	struct at_hasher *hasher;
	struct at_hash hash;

	hasher = at_hasher_new();
	at_fields_hash(table, object, hasher);
	hash = at_hasher_result(hasher);
	at_hasher_free(hasher);
	return hash;
}

TEST(each_member_changes_the_hash)
{
	const struct thing thing = some_thing();
	const struct at_hash whole = hash_of(&thing_fields, &thing);
	struct thing other = thing;

	other.aside++;
	assert_true(at_hash_equal(hash_of(&thing_fields, &other), whole));
	for (const struct at_field *field = thing_fields.members;
		field < thing_fields.end; field++) {
		other = thing;
		memset((char *)&other + field->offset, 0, field->bytes);
		assert_false(at_hash_equal(hash_of(&thing_fields, &other), whole));
	}
	for (const struct at_field *field = thing_fields.members;
		field < thing_fields.end; field++) {
		other = (struct thing){ 0 };
		memcpy((char *)&other + field->offset,
			(const char *)&thing + field->offset, field->bytes);
		other.blob_bytes = 3;
		other.point_count = 2;
		other.name_count = 3;
		assert_false(at_hash_equal(hash_of(&thing_fields, &other),
			hash_of(&thing_fields, &(struct thing){ 0 })));
	}
}

TEST(elements_change_the_hash_wherever_they_stand)
{
	static char *const lists[][2] = { { "a", "" }, { "", "a" }, { "aa", "" },
		{ "a", "a" }, { "", "" } };
	struct at_hash hashes[AT_COUNT_OF(lists) + 1];

	for (size_t i = 0; i <= AT_COUNT_OF(lists); i++) {
		struct thing thing = { .name_count = 1, .names = (char *[]){ "" } };

		if (i < AT_COUNT_OF(lists)) {
			thing.name_count = 2;
			thing.names = (char **)(uintptr_t)lists[i];
		}
		hashes[i] = hash_of(&thing_fields, &thing);
		for (size_t j = 0; j < i; j++)
			assert_false(at_hash_equal(hashes[i], hashes[j]));
	}
}

/* what a later version of a struct may be */
TEST(a_hash_outlives_new_members_and_wider_numbers)
{
	struct before {
		uint32_t lanes;
		char *name;
		struct point point;
	};
	struct after {
		char name[16];
		double factor;
		struct point origin;
		struct point point;
		struct point corners[2];
		struct point *points;
		uint32_t point_count;
		uint64_t lanes;
	};
	static const struct at_field before_members[] = {
		AT_FIELD(struct before, lanes, U32),
		AT_FIELD(struct before, name, TEXT),
		AT_FIELD_STRUCT(struct before, point, point_fields),
	};
	static const struct at_field after_members[] = {
		AT_FIELD(struct after, factor, REAL),
		AT_FIELD(struct after, lanes, U64),
		AT_FIELD_STRUCT(struct after, origin, point_fields),
		AT_FIELD_CHARS(struct after, name),
		AT_FIELD_ARRAY(struct after, corners, point_fields),
		AT_FIELD_STRUCT(struct after, point, point_fields),
		AT_FIELD_LIST(struct after, points, point_count, point_fields),
	};
	static const struct at_fields before_fields =
		AT_FIELDS(struct before, before_members);
	static const struct at_fields after_fields =
		AT_FIELDS(struct after, after_members);
	const struct before before = { 4, "A", { 1, NULL } };
	struct after after = { .name = "A", .lanes = 4, .point = { 1, "" } };
	struct at_hash hash = hash_of(&before_fields, &before);

	assert_true(at_hash_equal(hash_of(&after_fields, &after), hash));
	after.corners[1].x = 1;
	assert_false(at_hash_equal(hash_of(&after_fields, &after), hash));
	after.corners[1].x = 0;
	after.factor = -0.0; /* a real that is not 0.0 to the last bit */
	assert_false(at_hash_equal(hash_of(&after_fields, &after), hash));
}

RUN_SUITE(NULL, NULL)
