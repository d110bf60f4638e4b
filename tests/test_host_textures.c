/*
 * Textures and surfaces on the device "host". What a texture gives is held against the
 * guide's rules in another form: texels that go on for ever, and weights of 1/256.
 */
#include "host_fixture.h"

#include <math.h>

#include "suite.h"

static int set_up(void **state)
{
	static const char *const kernels[] = { "sample", "forms", "access" };

	host_compile_file("textures.cu", kernels, AT_COUNT_OF(kernels), NULL);
	return 0;
}

static int tear_down(void **state)
{
	at_compile_result_release(&unit);
	return 0;
}

static int open_device(void **state)
{
	device = host_open_device();
	module = host_load(device, &unit);
	return 0;
}

static int close_device(void **state)
{
	device->ops->unload(device, module);
	device->ops->close(device);
	return 0;
}

#define WITH_DEVICE(name) TEST_WITH(name, open_device, close_device)

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 2, CHANNELS = 4, POINTS = 200 };

struct float3 {
	float x, y, z;
};

/* Texels of each type, as wide as a pitch of 160 bytes lets them be. */
static _Alignas(16) unsigned char texels[160 * HEIGHT * DEPTH];

static void fill(void)
{
	unsigned word = 12345;

	for (size_t i = 0; i < sizeof(texels); i++) {
		word = word * 1664525 + 1013904223;
		texels[i] = (unsigned char)(word >> 24);
	}
}

/* Floats and halves of random bits may be NaN: small numbers take their place. */
static void fill_reals(enum at_element element)
{
	const size_t bytes = at_element_bytes(element);

	for (size_t i = 0; i < sizeof(texels) / bytes; i++)
		at_element_store(
			element, (double)(i * 37 % 101) / 8 - 6, texels + i * bytes);
}

static uint64_t make(const struct at_texture *texture, struct at_texels **out)
{
	uint64_t value = 0;

	assert_ok(device->ops->make_texels(
		device, texture, (uint64_t)(uintptr_t)texels, out, &value, &failure));
	return value;
}

/* A channel of the texel at an index, outside as the address mode says. */
static double texel_at(
	const struct at_texture *texture, const long *index, unsigned channel)
{
	const int64_t sizes[] = { texture->width, texture->height, texture->depth };
	const size_t bytes = at_element_bytes(texture->element);
	long inside[3] = { 0, 0, 0 };
	const unsigned char *at;
	int64_t whole = 0;
	double most;

	for (int i = 0; i < 3 && sizes[i]; i++) {
		const long size = (long)sizes[i], x = index[i];
		const long period = (x % (2 * size) + 2 * size) % (2 * size);

		switch (texture->address) {
		case AT_TEXTURE_WRAP:
			inside[i] = period % size;
			break;
		case AT_TEXTURE_CLAMP:
			inside[i] = x < 0 ? 0 : x >= size ? size - 1 : x;
			break;
		case AT_TEXTURE_MIRROR:
			inside[i] = period < size ? period : 2 * size - 1 - period;
			break;
		case AT_TEXTURE_BORDER:
			if (x < 0 || x >= size)
				return 0;
			inside[i] = x;
			break;
		}
	}
	if (channel >= texture->channels)
		return 0;
	at = texels + (inside[2] * texture->height + inside[1]) * texture->pitch_bytes +
	     (inside[0] * texture->channels + channel) * (long)bytes;
	if (at_element_kind(texture->element) == AT_ELEMENT_KIND_REAL)
		return at_element_load(texture->element, at);
	memcpy(&whole, at, bytes);
	most = ldexp(1, (int)(8 * bytes)) - 1;
	if (at_element_kind(texture->element) == AT_ELEMENT_KIND_UNSIGNED)
		return (double)whole / most;
	whole = (int64_t)((uint64_t)whole << (64 - 8 * bytes)) >> (64 - 8 * bytes);
	return fmax((double)whole / ((most - 1) / 2), -1);
}

static double sampled(const struct at_texture *texture, const double *at, unsigned rank,
	unsigned channel)
{
	const int64_t sizes[] = { texture->width, texture->height, texture->depth };
	long first[3] = { 0, 0, 0 };
	double parts[3] = { 0, 0, 0 }, sum = 0;

	for (unsigned i = 0; i < rank; i++) {
		double x = texture->has_normalized_coordinates
				   ? at[i] * (double)sizes[i]
				   : at[i];

		x = texture->filters ? floor((x - 0.5) * 256 + 0.5) / 256 : floor(x);
		first[i] = (long)floor(x);
		parts[i] = x - floor(x);
	}
	for (unsigned corner = 0; corner < 8; corner++) {
		long index[3];
		double weight = 1;

		for (unsigned i = 0; i < 3; i++) {
			index[i] = first[i] + (corner >> i & 1);
			weight *= corner >> i & 1 ? parts[i] : 1 - parts[i];
		}
		if (weight > 0)
			sum += weight * texel_at(texture, index, channel);
	}
	return sum;
}

/* Coordinates in quarters of a texel, up to two widths outside, then in parts that
   weights cannot have; none between two texels or two weights. */
static void draw(const struct at_texture *texture, struct float3 *at)
{
	const bool is_normalized = texture->has_normalized_coordinates;

	for (int i = 0; i < POINTS; i++) {
		const float step = i < POINTS / 2 ? 0.25f : 24237.0f / 131072;
		const float x = ((float)(i * 7 % 160 - 64) + 0.5f) * step;
		const float y = ((float)(i * 11 % 80 - 32) + 0.5f) * step;
		const float z = ((float)(i * 5 % 40 - 16) + 0.5f) * step;

		at[i] = (struct float3){ is_normalized ? x / WIDTH : x,
			is_normalized ? y / HEIGHT : y, is_normalized ? z / DEPTH : z };
	}
}

static void expect(const struct at_texture *texture, unsigned rank)
{
	static struct float3 at[POINTS];
	static float out[POINTS][4];
	struct at_texels *made;
	const uint64_t object = make(texture, &made);

	draw(texture, at);
	RUN("sample", 1, 32, ADDRESS(object), INTEGER((int)rank), POINTER(at),
		POINTER(out), INTEGER(POINTS));
	for (int i = 0; i < POINTS; i++)
		for (unsigned c = 0; c < 4; c++) {
			const double place[] = { at[i].x, at[i].y, at[i].z };
			const double right = sampled(texture, place, rank, c);

			if (!(fabs(out[i][c] - right) <= 2e-6 * (1 + fabs(right))))
				fail_msg(
					"%s of %uD %s, %s, %s, channel %u of %d at %g, %g, %g: %g, not %g",
					at_element_name(texture->element), rank,
					at_texture_addresses[texture->address],
					at_texture_filters[texture->filters],
					at_texture_coordinates
						[texture->has_normalized_coordinates],
					c, (int)texture->channels, place[0], place[1],
					place[2], (double)out[i][c], right);
		}
	device->ops->free_texels(device, made);
}

WITH_DEVICE(samples_by_the_rules_of_the_guide)
{
	static const enum at_element elements[] = { AT_ELEMENT_U8, AT_ELEMENT_I8,
		AT_ELEMENT_U16, AT_ELEMENT_I16, AT_ELEMENT_F16, AT_ELEMENT_F32 };
	static const int64_t channels[] = { 1, 2, 4 };
	char reason[256];

	for (size_t e = 0; e < AT_COUNT_OF(elements); e++) {
		const bool is_real =
			at_element_kind(elements[e]) == AT_ELEMENT_KIND_REAL;

		if (is_real)
			fill_reals(elements[e]);
		else
			fill();
		for (unsigned mode = 0; mode < 4 * 2 * 2 * 3 * 3; mode++) {
			const unsigned rank = 1 + mode / 16 % 3;
			struct at_texture texture = { .of = 1,
				.element = elements[e],
				.width = WIDTH,
				.height = rank > 1 ? HEIGHT : 0,
				.depth = rank > 2 ? DEPTH : 0,
				.pitch_bytes = 160,
				.channels = channels[mode / 48],
				.address = (enum at_texture_address)(mode % 4),
				.filters = mode / 4 % 2,
				.is_normalized = !is_real,
				.has_normalized_coordinates = mode / 8 % 2 };

			if (at_texture_check(
				    &texture, sizeof(texels), reason, sizeof(reason)))
				expect(&texture, rank);
			else
				assert_non_null(strstr(reason, "needs coordinates"));
		}
	}
}

WITH_DEVICE(fetches_texels_by_number_and_zeros_outside)
{
	const struct at_texture texture = { .of = 1,
		.element = AT_ELEMENT_F32,
		.width = 5,
		.pitch_bytes = 40,
		.channels = 2,
		.address = AT_TEXTURE_CLAMP,
		.is_linear = true };
	const struct float3 at[] = { { 0, 0, 0 }, { 4, 0, 0 }, { 5, 0, 0 },
		{ -1, 0, 0 } };
	const float right[][2] = { { -6, -1.375f }, { 5.75f, -2.25f }, { 0, 0 },
		{ 0, 0 } };
	float out[4][4];
	struct at_texels *made;

	fill_reals(AT_ELEMENT_F32);
	RUN("sample", 1, 32, ADDRESS(make(&texture, &made)), INTEGER(0), POINTER(at),
		POINTER(out), INTEGER(4));
	for (int i = 0; i < 4; i++) {
		assert_memory_equal(out[i], right[i], sizeof(right[i]));
		assert_true(out[i][2] == 0 && out[i][3] == 0);
	}
	device->ops->free_texels(device, made);
}

WITH_DEVICE(reads_integers_as_they_are_in_all_forms)
{
	static const struct {
		enum at_element element;
		unsigned char bytes[16];
		unsigned right[4];
	} rows[] = {
		{ AT_ELEMENT_U8, { 200, 1, 2, 3 }, { 200, 1, 2, 3 } },
		{ AT_ELEMENT_I8, { 0xff, 0x80, 2, 3 }, { ~0u, 0xffffff80u, 2, 3 } },
		{ AT_ELEMENT_U16, { 1, 2, 3, 4, 5, 6, 0xff, 0xff },
			{ 0x201, 0x403, 0x605, 0xffff } },
		{ AT_ELEMENT_I16, { 0, 0x80, 3, 4, 5, 6, 7, 8 },
			{ 0xffff8000u, 0x403, 0x605, 0x807 } },
		{ AT_ELEMENT_I32,
			{ 1, 2, 3, 0x84, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
			{ 0x84030201u, 0x08070605, 0x0c0b0a09, 0x100f0e0d } },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const uint64_t bytes = at_element_bytes(rows[i].element) * 4;
		const struct at_texture texture = { .of = 1,
			.element = rows[i].element,
			.width = 3,
			.height = 2,
			.pitch_bytes = 64,
			.channels = 4,
			.address = AT_TEXTURE_CLAMP };
		const float x = 2.5f, y = 1.0f;
		unsigned words[4];
		int equal[7];
		struct at_texels *made;

		memcpy(texels + 64 + 2 * bytes, rows[i].bytes, bytes);
		RUN("forms", 1, 1, ADDRESS(make(&texture, &made)), VALUE(x), VALUE(y),
			POINTER(words), POINTER(equal));
		assert_memory_equal(words, rows[i].right, sizeof(words));
		for (int k = 0; k < 7; k++)
			if (!equal[k])
				fail_msg("row %zu, form %d", i, k);
		device->ops->free_texels(device, made);
	}
}

/* A surface of 3 words a row, 2 rows, 2 slices, in rows of 16 bytes. */
static enum at_outcome access_word(
	unsigned rank, const int *at, int mode, unsigned *read, unsigned written)
{
	const struct at_texture surface = { .of = 1,
		.is_surface = true,
		.element = AT_ELEMENT_U32,
		.width = 3,
		.height = rank > 1 ? 2 : 0,
		.depth = rank > 2 ? 2 : 0,
		.pitch_bytes = 16,
		.channels = 1 };
	struct at_texels *made;
	struct call call;
	enum at_outcome outcome;

	BEGIN(&call, "access", 1, 1, ADDRESS(make(&surface, &made)), INTEGER((int)rank),
		INTEGER(at[0]), INTEGER(at[1]), INTEGER(at[2]), INTEGER(mode),
		POINTER(read), VALUE(written));
	failure = (struct at_error){ 0 };
	outcome = host_try(&call, &failure);
	device->ops->free_texels(device, made);
	return outcome;
}

WITH_DEVICE(surfaces_are_read_and_written_by_byte_and_row)
{
	enum { ZERO, CLAMP, TRAP };
	static const struct {
		unsigned rank;
		int at[3]; /* bytes, row, slice */
		int mode;
		int word; /* of the buffer, that is accessed; -1: none */
	} rows[] = {
		{ 1, { 0, 9, 9 }, TRAP, 0 },
		{ 1, { 8, 9, 9 }, TRAP, 2 },
		{ 2, { 4, 1, 9 }, TRAP, 5 },
		{ 3, { 8, 1, 1 }, TRAP, 14 },
		{ 3, { 4, 0, 1 }, ZERO, 9 },
		{ 1, { 12, 0, 0 }, ZERO, -1 },
		{ 1, { -4, 0, 0 }, ZERO, -1 },
		{ 2, { 0, 2, 0 }, ZERO, -1 },
		{ 3, { 0, 0, -1 }, ZERO, -1 },
		{ 1, { 12, 0, 0 }, CLAMP, 2 },
		{ 2, { -8, 5, 0 }, CLAMP, 4 },
		{ 3, { 100, -1, 2 }, CLAMP, 10 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		unsigned *words = (unsigned *)(void *)texels, before[16], read = 99;

		for (unsigned k = 0; k < 16; k++)
			words[k] = before[k] = k + 1000;
		assert_int_equal(
			access_word(rows[i].rank, rows[i].at, rows[i].mode, &read, 7),
			AT_OUTCOME_OK);
		assert_int_equal(read, rows[i].word < 0 ? 0 : 1000 + rows[i].word);
		if (rows[i].word >= 0)
			before[rows[i].word] = 7;
		assert_memory_equal(words, before, sizeof(before));
	}
}

TEST(what_a_surface_does_not_have_ends_the_launch)
{
	static const int rows[][3] = { { 12, 0, 0 }, { 0, 2, 0 }, { -4, 0, 0 },
		/* an index in place of a byte */
		{ 1, 0, 0 } };

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		unsigned read;

		open_device(NULL);
		assert_int_equal(
			access_word(2, rows[i], 2, &read, 7), AT_OUTCOME_CRASHED);
		assert_true(device->is_lost);
		assert_non_null(strstr(failure.text,
			"touched no texel: outside of a surface, at bytes"));
		close_device(NULL);
	}
}

RUN_SUITE(set_up, tear_down)
