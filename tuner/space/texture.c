/* The rules for textures and surfaces: see texture.h. */
#include "space/texture.h"

#include "base/error.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Above the limits of all devices; products of three stay below 2^63. */
#define SIZE_MOST (INT64_C(1) << 28)
#define SIZE_MOST_3D 16384
#define PITCH_LIMIT (INT64_C(1) << 32)

const char *const at_texture_addresses[] = { "wrap", "clamp", "mirror", "border",
	NULL };
const char *const at_texture_filters[] = { "point", "linear", NULL };
const char *const at_texture_reads[] = { "element", "normalized", NULL };
const char *const at_texture_coordinates[] = { "pixels", "normalized", NULL };
const char *const at_texture_layouts[] = { "array", "linear", NULL };

static bool fail(char *reason, size_t size, const char *format, ...) AT_PRINTF(3, 4);

static bool fail(char *reason, size_t size, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, size, format, arguments);
	va_end(arguments);
	return false;
}

static bool is_real(const struct at_texture *self)
{
	return at_element_kind(self->element) == AT_ELEMENT_KIND_REAL;
}

static bool check_linear(const struct at_texture *self, char *reason, size_t size)
{
	if (!self->is_linear)
		return true;
	if (self->depth)
		return fail(reason, size,
			"linear memory has no depth: use layout = \"array\"");
	if (self->height && self->pitch_bytes % AT_TEXTURE_PITCH_BYTES)
		return fail(reason, size,
			"rows of linear memory are %" PRId64
			" bytes apart: expected a multiple of %d, by \"pitch\"",
			self->pitch_bytes, AT_TEXTURE_PITCH_BYTES);
	if (!self->height && (self->filters || self->has_normalized_coordinates))
		return fail(reason, size,
			"linear memory without a height has texels by number, for tex1Dfetch(): no filter = \"linear\" and no normalized coordinates");
	return true;
}

static bool check_modes(const struct at_texture *self, char *reason, size_t size)
{
	const bool is_narrow = at_element_bytes(self->element) <= 2;

	if (at_element_bytes(self->element) > 4 ||
		(is_real(self) && self->element != AT_ELEMENT_F16 &&
			self->element != AT_ELEMENT_F32))
		return fail(reason, size,
			"the buffer has %s: texels have integers of 8, 16 and 32 bits, half and float",
			at_element_name(self->element));
	if (self->channels != 1 && self->channels != 2 && self->channels != 4)
		return fail(reason, size,
			"a texel has %" PRId64 " channels: expected 1, 2 or 4",
			self->channels);
	if (self->is_normalized && (is_real(self) || !is_narrow))
		return fail(reason, size,
			"read = \"normalized\" needs integers of 8 or 16 bits, and the buffer has %s",
			at_element_name(self->element));
	if (self->filters && !is_real(self) && !self->is_normalized)
		return fail(reason, size,
			"filter = \"linear\" needs floating point, or read = \"normalized\", and the buffer has %s",
			at_element_name(self->element));
	/* the driver would silently clamp */
	if (!self->has_normalized_coordinates && !self->is_surface &&
		(self->address == AT_TEXTURE_WRAP ||
			self->address == AT_TEXTURE_MIRROR))
		return fail(reason, size,
			"address = \"%s\" needs coordinates = \"normalized\"",
			at_texture_addresses[self->address]);
	return true;
}

bool at_texture_check(
	const struct at_texture *self, uint64_t buffer_bytes, char *reason, size_t size)
{
	const int64_t most = self->depth ? SIZE_MOST_3D : SIZE_MOST;
	const struct {
		const char *name;
		int64_t value;
		bool is_given;
	} sizes[] = { { "width", self->width, true },
		{ "height", self->height, self->height || self->depth },
		{ "depth", self->depth, self->depth != 0 } };
	uint64_t texel_bytes, rows, last;

	if (!check_modes(self, reason, size))
		return false;
	for (size_t i = 0; i < AT_COUNT_OF(sizes); i++)
		if (sizes[i].is_given && (sizes[i].value < 1 || sizes[i].value > most))
			return fail(reason, size,
				"%s is %" PRId64 ": expected 1 to %" PRId64,
				sizes[i].name, sizes[i].value, most);
	texel_bytes = at_texture_texel_bytes(self);
	last = (uint64_t)self->width * texel_bytes;
	if (self->pitch_bytes >= PITCH_LIMIT || (uint64_t)self->pitch_bytes < last ||
		(uint64_t)self->pitch_bytes % texel_bytes)
		return fail(reason, size,
			"pitch is %" PRId64 ": expected at least the %" PRIu64
			" bytes of a row, a multiple of the %" PRIu64
			" bytes of a texel, below 2^32",
			self->pitch_bytes, last, texel_bytes);
	rows = (uint64_t)(self->height ? self->height : 1) *
	       (uint64_t)(self->depth ? self->depth : 1);
	/* below 2^28 * 2^32 bytes: no overflow */
	if ((rows - 1) * (uint64_t)self->pitch_bytes + last > buffer_bytes)
		return fail(reason, size,
			"width, height, depth and pitch reach beyond the %" PRIu64
			" bytes of the buffer",
			buffer_bytes);
	return check_linear(self, reason, size);
}
