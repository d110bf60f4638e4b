/* The rules of tensor maps: each is broken once, and the line names it. */
#include "space/tensor_map.h"

#include "suite.h"

/* A matrix of 100 rows of 64 floats, in tiles of 16 rows of 32. */
static const struct at_tensor_map matrix = {
	.of = 1,
	.rank = 2,
	.element = AT_ELEMENT_F32,
	.dims = { 64, 100 },
	.box = { 32, 16 },
	.strides = { 0, 256 },
	.steps = { 1, 1 },
	.swizzle_bytes = 128,
	.promotion_bytes = 256,
};
#define BYTES (100 * 256)

static void expect(const struct at_tensor_map *map, uint64_t bytes, const char *reason)
{
	char found[256] = "";
	const bool ok = at_tensor_map_check(map, bytes, found, sizeof(found));

	assert_string_equal(found, reason);
	assert_int_equal(ok, !reason[0]);
}

TEST(admits_what_keeps_all_rules)
{
	struct at_tensor_map map = matrix;

	expect(&map, BYTES, "");
	/* the last row needs no padding behind it */
	map.strides[1] = 272;
	expect(&map, 99 * 272 + 256, "");
	map.swizzle_bytes = 0;
	map.box[0] = map.box[1] = 256;
	map.steps[1] = 8;
	map.fills_nan = true;
	expect(&map, 99 * 272 + 256, "");
	/* the largest of all */
	map = (struct at_tensor_map){
		.of = 1,
		.rank = 5,
		.element = AT_ELEMENT_F64,
		.dims = { 1, 1, 1, 1, INT64_C(1) << 32 },
		.box = { 2, 1, 1, 1, 1 },
		.strides = { 0, 16, 16, 16, 16 },
		.steps = { 1, 1, 1, 1, 1 },
		.interleave_bytes = 16,
	};
	expect(&map, UINT64_C(1) << 36, "");
}

TEST(names_the_rule_that_a_map_breaks)
{
	struct at_tensor_map map;
	char reason[256] = "";
	static const struct {
		size_t offset; /* of the number that is wrong, in the map */
		int64_t value;
		const char *reason;
	} rows[] = {
#define AT(member) offsetof(struct at_tensor_map, member)
		{ AT(dims[0]), 0, "dims[0] is 0: expected 1 to 2^32" },
		{ AT(dims[1]), 1 + (INT64_C(1) << 32),
			"dims[1] is 4294967297: expected 1 to 2^32" },
		{ AT(dims[1]), 101,
			"dims and strides reach beyond the 25600 bytes of the buffer" },
		{ AT(dims[0]), 65,
			"dims and strides reach beyond the 25600 bytes of the buffer" },
		{ AT(box[1]), 257, "box[1] is 257: expected 1 to 256" },
		{ AT(box[0]), 0, "box[0] is 0: expected 1 to 256" },
		{ AT(box[0]), 30,
			"box[0] is 30 elements, 120 bytes: expected a multiple of 16 bytes" },
		{ AT(box[0]), 64,
			"box[0] is 64 elements, 256 bytes: a swizzle of 128 bytes allows no more" },
		{ AT(steps[1]), 9, "element_strides[1] is 9: expected 1 to 8" },
		{ AT(strides[1]), 264,
			"strides[0] is 264 bytes: expected a multiple of 16 below 2^40" },
		{ AT(strides[1]), INT64_C(1) << 40,
			"strides[0] is 1099511627776 bytes: expected a multiple of 16 below 2^40" },
		{ AT(strides[1]), (INT64_C(1) << 40) - 16,
			"dims and strides reach beyond the 25600 bytes of the buffer" },
		{ AT(swizzle_bytes), 16,
			"swizzle is 16: expected 0, 32, 64 or 128 bytes" },
		{ AT(interleave_bytes), 64,
			"interleave is 64: expected 0, 16 or 32 bytes" },
		{ AT(interleave_bytes), 16,
			"interleave needs 3 dimensions or more, and there are 2" },
		{ AT(promotion_bytes), 32,
			"promotion is 32: expected 0, 64, 128 or 256 bytes" },
#undef AT
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		map = matrix;
		memcpy((char *)&map + rows[i].offset, &rows[i].value,
			sizeof(rows[i].value));
		expect(&map, BYTES, rows[i].reason);
	}
	map = matrix;
	map.fills_nan = true;
	map.element = AT_ELEMENT_I32;
	expect(&map, BYTES, "nan_fill needs floating point, and the buffer has int");
	map = matrix;
	map.rank = 3;
	map.dims[2] = map.box[2] = map.steps[2] = 1;
	map.strides[2] = BYTES;
	map.interleave_bytes = 32;
	expect(&map, BYTES, "an interleave of 32 bytes needs a swizzle of 32, not 128");
	map.swizzle_bytes = 32;
	expect(&map, BYTES, "");
	map.strides[1] = 272;
	expect(&map, 2 * BYTES,
		"strides[0] is 272 bytes: expected a multiple of 32 below 2^40");
	/* a short buffer for the text */
	assert_false(at_tensor_map_check(&map, 2 * BYTES, reason, 8));
	assert_string_equal(reason, "strides");
}

RUN_SUITE(NULL, NULL)
