/* The rules of textures and surfaces: each is broken once, and the line names it. */
#include "space/texture.h"

#include "base/memory.h"

#include "suite.h"

/* 50 rows of 30 texels of 4 bytes each, in linear memory with rows of 128 bytes. */
static const struct at_texture image = {
	.of = 1,
	.element = AT_ELEMENT_U8,
	.width = 30,
	.height = 50,
	.pitch_bytes = 128,
	.channels = 4,
	.address = AT_TEXTURE_CLAMP,
	.is_normalized = true,
	.filters = true,
	.is_linear = true,
};
#define BYTES (49 * 128 + 120)

static void expect(const struct at_texture *texture, uint64_t bytes, const char *reason)
{
	char found[256] = "";
	const bool ok = at_texture_check(texture, bytes, found, sizeof(found));

	assert_string_equal(found, reason);
	assert_int_equal(ok, !reason[0]);
}

/* A texture of a buffer of 6,400 bytes. */
#define WITH(width_, pitch, ...) \
	{ \
		.of = 1, .width = (width_), .pitch_bytes = (pitch), __VA_ARGS__ \
	}
#define FLOATS .element = AT_ELEMENT_F32, .channels = 1
#define CLAMPS .address = AT_TEXTURE_CLAMP

TEST(names_the_rule_that_a_texture_breaks)
{
	static const struct {
		struct at_texture texture;
		const char *reason;
	} rows[] = {
		{ WITH(16, 64, FLOATS, CLAMPS), "" },
		{ WITH(16, 64, FLOATS, CLAMPS, .is_linear = true), "" },
		{ WITH(16, 64, FLOATS, CLAMPS, .height = 2, .is_linear = true,
			  .filters = true),
			"" },
		{ WITH(16, 64, FLOATS, CLAMPS, .height = 3, .depth = 2,
			  .filters = true),
			"" },
		{ WITH(16, 64, .element = AT_ELEMENT_I16, .channels = 2, CLAMPS,
			  .is_normalized = true),
			"" },
		{ WITH(16, 64, FLOATS, .address = AT_TEXTURE_MIRROR,
			  .has_normalized_coordinates = true),
			"" },
		{ WITH(16, 64, FLOATS, .is_surface = true), "" },
		{ WITH(16, 128, .element = AT_ELEMENT_F64, .channels = 1, CLAMPS),
			"the buffer has double: texels have integers of 8, 16 and 32 bits, half and float" },
		{ WITH(16, 64, .element = AT_ELEMENT_BF16, .channels = 2, CLAMPS),
			"the buffer has __nv_bfloat16: texels have integers of 8, 16 and 32 bits, half and float" },
		{ WITH(4, 48, .element = AT_ELEMENT_F32, .channels = 3, CLAMPS),
			"a texel has 3 channels: expected 1, 2 or 4" },
		{ WITH(16, 64, FLOATS, CLAMPS, .is_normalized = true),
			"read = \"normalized\" needs integers of 8 or 16 bits, and the buffer has float" },
		{ WITH(16, 64, .element = AT_ELEMENT_I32, .channels = 1, CLAMPS,
			  .is_normalized = true),
			"read = \"normalized\" needs integers of 8 or 16 bits, and the buffer has int" },
		{ WITH(16, 64, .element = AT_ELEMENT_I32, .channels = 1, CLAMPS,
			  .filters = true),
			"filter = \"linear\" needs floating point, or read = \"normalized\", and the buffer has int" },
		{ WITH(16, 64, FLOATS, .address = AT_TEXTURE_WRAP),
			"address = \"wrap\" needs coordinates = \"normalized\"" },
		{ WITH(0, 64, FLOATS, CLAMPS), "width is 0: expected 1 to 268435456" },
		{ WITH(1 << 29, 64, FLOATS, CLAMPS),
			"width is 536870912: expected 1 to 268435456" },
		{ WITH(16, 64, FLOATS, CLAMPS, .depth = 2),
			"height is 0: expected 1 to 16384" },
		{ WITH(16, 64, FLOATS, CLAMPS, .height = 1, .depth = 16385),
			"depth is 16385: expected 1 to 16384" },
		{ WITH(16, 60, FLOATS, CLAMPS),
			"pitch is 60: expected at least the 64 bytes of a row, a multiple of the 4 bytes of a texel, below 2^32" },
		{ WITH(16, 66, FLOATS, CLAMPS),
			"pitch is 66: expected at least the 64 bytes of a row, a multiple of the 4 bytes of a texel, below 2^32" },
		{ WITH(16, INT64_C(1) << 32, FLOATS, CLAMPS),
			"pitch is 4294967296: expected at least the 64 bytes of a row, a multiple of the 4 bytes of a texel, below 2^32" },
		{ WITH(16, 64, FLOATS, CLAMPS, .height = 101),
			"width, height, depth and pitch reach beyond the 6400 bytes of the buffer" },
		{ WITH(16, 64, FLOATS, CLAMPS, .height = 2, .depth = 51),
			"width, height, depth and pitch reach beyond the 6400 bytes of the buffer" },
		{ WITH(16, 64, FLOATS, CLAMPS, .height = 2, .depth = 2,
			  .is_linear = true),
			"linear memory has no depth: use layout = \"array\"" },
		{ WITH(16, 72, FLOATS, CLAMPS, .height = 2, .is_linear = true),
			"rows of linear memory are 72 bytes apart: expected a multiple of 32, by \"pitch\"" },
		{ WITH(16, 64, FLOATS, CLAMPS, .filters = true, .is_linear = true),
			"linear memory without a height has texels by number, for tex1Dfetch(): no filter = \"linear\" and no normalized coordinates" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		expect(&rows[i].texture, 6400, rows[i].reason);
}

TEST(the_last_row_needs_no_padding)
{
	char reason[256] = "";

	expect(&image, BYTES, "");
	expect(&image, BYTES - 1,
		"width, height, depth and pitch reach beyond the 6391 bytes of the buffer");
	/* a short buffer for the text */
	assert_false(at_texture_check(&image, 1, reason, 6));
	assert_string_equal(reason, "width");
}

RUN_SUITE(NULL, NULL)
