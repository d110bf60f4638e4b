/*
 * The identity of an evaluation (measure/measure.h), for each member of the tables: a
 * member of the identity must change the hash, and a member that is only sent must not.
 */
#include "measure/measure.h"

#include "suite.h"

static uint32_t all[] = { 0, 1 }, last[] = { 1 }, swaps[] = { 1 },
		more_arguments[] = { 1 };

static struct at_measure_argument arguments[] = {
	{ .name = "x",
		.element = AT_ELEMENT_F32,
		.lanes = 4,
		.access = AT_ACCESS_IN,
		.fill = AT_FILL_FILE,
		.fill_a = -1,
		.fill_b = 1,
		.file = "x.bin",
		.contents = { 1, 2 },
		.is_fixed = true,
		.has_domain = true,
		.domain_low = -8,
		.domain_high = 9,
		.symbol = "weights",
		.rtol = 1e-4,
		.atol = 1e-5 },
	{ .name = "y", .element = AT_ELEMENT_F32, .lanes = 1, .access = AT_ACCESS_OUT },
};
static struct at_measure_binding bindings[] = { { 64, { 1 } }, { 65, { 2 } } };
static struct at_measure_binding other_bindings[] = { { 66, { 3 } }, { 67, { 4 } } };
static struct at_measure_file files[] = { { 1, "y.bin", { 3, 4 } } };

static struct at_measure_fill fills[] = { { AT_FILL_UNIFORM, 3, 4, "z.bin",
	{ 7, 8 } } };
static struct at_measure_set sets[] = { { "ragged", 1, fills } };

static struct at_measure_setup setup = { .argument_count = 2,
	.arguments = arguments,
	.bindings = bindings,
	.support_image = (unsigned char *)"support",
	.support_bytes = 7,
	.reference = AT_REFERENCE_KERNEL,
	.reference_image = (unsigned char *)"reference",
	.reference_bytes = 9,
	.reference_call = { "r",
		{ .grid = { 1, 2, 3 }, .block = { 4, 5, 6 }, .shared_bytes = 7 }, 2,
		all, 1, 1, 1, 1, swaps, 0, 0 },
	.library = "r.so",
	.library_contents = { 5, 6 },
	.function = "f",
	.file_count = 1,
	.files = files,
	.seed = 5,
	.cache = AT_CACHE_WARM,
	.set_count = 1,
	.sets = sets };

static struct at_measure_call more = { "m",
	{ .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .shared_bytes = 9 }, 1,
	more_arguments, 1, 1, 1, 1, swaps, 0, 0 };
static struct at_measure_request request = { .image = (unsigned char *)"image",
	.image_bytes = 5,
	.kernel = { "k",
		{ .grid = { 1, 2, 3 }, .block = { 4, 5, 6 }, .shared_bytes = 7 }, 2,
		all, 1, 1, 1, 1, swaps, 0, 0 },
	.more_count = 1,
	.more = &more,
	.prepare = { "p",
		{ .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .shared_bytes = 9 }, 1,
		last, 1, 1, 1, 1, swaps, 0, 0 },
	.finish = { "f",
		{ .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .shared_bytes = 1 }, 1,
		last, 1, 1, 1, 1, swaps, 0, 0 },
	.bindings = other_bindings,
	.binding_count = 2,
	.samples_min = 3,
	.samples_max = 30,
	.sampling_seconds = 0.5,
	.incumbent_ns = 1e6,
	.verify_only = true,
	.seed = 99 };

static struct at_hash identity(void)
{
	struct at_hasher *hasher;
	struct at_hash hash;

	hasher = at_hasher_new();
	at_fields_hash(&at_measure_setup_fields, &setup, hasher);
	at_fields_hash(&at_measure_request_fields, &request, hasher);
	hash = at_hasher_result(hasher);
	at_hasher_free(hasher);
	return hash;
}

/* another value; a blob or a list gets shorter by one */
static void change(const struct at_field *field, char *object)
{
	char *member = object + field->offset;

	switch (field->kind) {
	case AT_FIELD_KIND_TEXT:
		*(char **)member = "other";
		break;
	case AT_FIELD_KIND_BLOB:
	case AT_FIELD_KIND_LIST:
		object[field->count_offset]--;
		break;
	case AT_FIELD_KIND_NONE:
	case AT_FIELD_KIND_U32:
	case AT_FIELD_KIND_U64:
	case AT_FIELD_KIND_I64:
	case AT_FIELD_KIND_INT:
	case AT_FIELD_KIND_REAL:
	case AT_FIELD_KIND_BOOL:
	case AT_FIELD_KIND_HASH:
	case AT_FIELD_KIND_ENUM:
	case AT_FIELD_KIND_CHARS:
	case AT_FIELD_KIND_BYTES:
	case AT_FIELD_KIND_STRUCT:
	case AT_FIELD_KIND_ARRAY:
		member[0] ^= 1;
		break;
	}
}

/*
 * Changes, one after the other, every member in the table and all that it consists of.
 * The identity must become another one exactly if the member and what it is part of
 * stand ahead of AT_FIELD_NOT_HASHED. Returns how many changes there were.
 */
static size_t change_each(
	const struct at_fields *table, bool is_hashed, char *object, bool *has_both)
{
	const struct at_hash before = identity();
	size_t changes = 0;

	for (const struct at_field *field = table->members; field < table->end;
		field++) {
		char kept[sizeof(setup) + sizeof(request)];
		char *elements = object + field->offset;
		size_t count = 0;

		is_hashed &= field->kind != AT_FIELD_KIND_NONE;
		has_both[is_hashed] = true;
		if (field->kind && field->kind != AT_FIELD_KIND_STRUCT) {
			memcpy(kept, object, table->object_bytes);
			change(field, object);
			if (at_hash_equal(identity(), before) == is_hashed)
				fail_msg("\"%s\" %s", field->name,
					is_hashed ? "changes nothing"
						  : "changes the identity");
			memcpy(object, kept, table->object_bytes);
			changes++;
		}
		if (field->kind == AT_FIELD_KIND_LIST) {
			elements = *(char **)elements;
			count = 1;
		} else if (field->table) {
			count = field->bytes / field->table->object_bytes;
		}
		for (size_t i = 0; i < count; i++)
			changes += change_each(field->table, is_hashed,
				elements + i * field->table->object_bytes, has_both);
	}
	assert_true(at_hash_equal(identity(), before));
	return changes;
}

TEST(members_change_the_identity_if_they_are_hashed)
{
	bool has_both[2] = { false, false };
	size_t changes =
		change_each(&at_measure_setup_fields, true, (char *)&setup, has_both);

	changes += change_each(
		&at_measure_request_fields, true, (char *)&request, has_both);
	assert_true(changes > 70);
	assert_true(has_both[0] && has_both[1]);
}

static struct at_hash hash_of_request(void)
{
	struct at_hasher *hasher = at_hasher_new();
	struct at_hash hash;

	at_measure_request_hash(&request, hasher);
	hash = at_hasher_result(hasher);
	at_hasher_free(hasher);
	return hash;
}

/* the launches of a sequence count, and a launch that is alone is as it was */
TEST(sequences_have_identities_of_their_own)
{
	const struct at_measure_request kept = request;
	struct at_hash sequence = hash_of_request(), alone;

	swaps[0] ^= 1;
	assert_false(at_hash_equal(hash_of_request(), sequence));
	swaps[0] ^= 1;
	more.repeats++;
	assert_false(at_hash_equal(hash_of_request(), sequence));
	more.repeats--;
	more.call++;
	assert_false(at_hash_equal(hash_of_request(), sequence));
	more.call--;
	/* the same place, another kernel of the unit */
	more.kernel++;
	assert_false(at_hash_equal(hash_of_request(), sequence));
	more.kernel--;
	more.swap_count--;
	assert_false(at_hash_equal(hash_of_request(), sequence));
	more.swap_count++;
	request.more_count = 0;
	assert_false(at_hash_equal(hash_of_request(), sequence));
	/* one launch is left: that of the second kernel, or one that swaps */
	request.kernel.repeats = request.kernel.call = request.kernel.kernel = 0;
	request.kernel.swap_count = 0;
	alone = hash_of_request();
	request.kernel.call++;
	assert_false(at_hash_equal(hash_of_request(), alone));
	request.kernel.call--;
	request.kernel.swap_count++;
	assert_false(at_hash_equal(hash_of_request(), alone));
	request = kept;
}

TEST(the_calls_are_not_interchangeable)
{
	const struct at_hash before = identity();
	const struct at_measure_request kept = request;

	request.prepare = kept.finish;
	request.finish = kept.prepare;
	assert_false(at_hash_equal(identity(), before));
	request = kept;
}

/*
 * Whoever has to change this orphans what is recorded in every store, and had better
 * mean it. All members above are other than zero, so that it shows whenever one comes
 * into the identity or leaves it.
 */
TEST(the_identity_stays_what_it_was)
{
	char hex[AT_HASH_HEX_SIZE];

	assert_string_equal(
		at_hash_hex(identity(), hex), "12e5e907c7b35b53d6ea908565743e9c");
}

/* Spaces that say nothing of the data of verifications keep what is recorded of them.
 */
TEST(the_identity_without_data_sets_is_older_than_they_are)
{
	const struct at_measure_argument kept = arguments[0];
	char hex[AT_HASH_HEX_SIZE];

	arguments[0].is_fixed = arguments[0].has_domain = false;
	arguments[0].domain_low = arguments[0].domain_high = 0;
	setup.set_count = 0;
	assert_string_equal(
		at_hash_hex(identity(), hex), "6359d4fcc3577cf391693a93bbd60894");
	arguments[0] = kept;
	setup.set_count = 1;
}

RUN_SUITE(NULL, NULL)
