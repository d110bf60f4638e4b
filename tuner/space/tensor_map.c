/* The rules for tensor maps: see tensor_map.h. */
#include "space/tensor_map.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define DIM_MAX (INT64_C(1) << 32)
#define STRIDE_LIMIT (INT64_C(1) << 40)

static bool fail(char *reason, size_t size, const char *format, ...) AT_PRINTF(3, 4);

static bool fail(char *reason, size_t size, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, size, format, arguments);
	va_end(arguments);
	return false;
}

static bool check_modes(const struct at_tensor_map *self, char *reason, size_t size)
{
	const int64_t swizzle = self->swizzle_bytes;
	const int64_t interleave = self->interleave_bytes;
	const int64_t promotion = self->promotion_bytes;

	if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
		return fail(reason, size,
			"swizzle is %" PRId64 ": expected 0, 32, 64 or 128 bytes",
			swizzle);
	if (interleave != 0 && interleave != 16 && interleave != 32)
		return fail(reason, size,
			"interleave is %" PRId64 ": expected 0, 16 or 32 bytes",
			interleave);
	if (promotion != 0 && promotion != 64 && promotion != 128 && promotion != 256)
		return fail(reason, size,
			"promotion is %" PRId64 ": expected 0, 64, 128 or 256 bytes",
			promotion);
	if (interleave && self->rank < 3)
		return fail(reason, size,
			"interleave needs 3 dimensions or more, and there are %" PRIu32,
			self->rank);
	if (interleave == 32 && swizzle != 32)
		return fail(reason, size,
			"an interleave of 32 bytes needs a swizzle of 32, not %" PRId64,
			swizzle);
	if (self->fills_nan && at_element_kind(self->element) != AT_ELEMENT_KIND_REAL)
		return fail(reason, size,
			"nan_fill needs floating point, and the buffer has %s",
			at_element_name(self->element));
	/* the API treats these two types as bytes, which have no NaN */
	if (self->fills_nan && at_element_bytes(self->element) == 1)
		return fail(reason, size, "nan_fill has no NaN for %s",
			at_element_name(self->element));
	return true;
}

bool at_tensor_map_check(const struct at_tensor_map *self, uint64_t buffer_bytes,
	char *reason, size_t size)
{
	const int64_t bytes = (int64_t)at_element_bytes(self->element);
	const int64_t unit = self->interleave_bytes == 32 ? 32 : 16;
	const int64_t inner_bytes = self->box[0] * bytes;
	uint64_t last = 0; /* offset of the last element */

	if (!check_modes(self, reason, size))
		return false;
	for (uint32_t i = 0; i < self->rank; i++) {
		if (self->dims[i] < 1 || self->dims[i] > DIM_MAX)
			return fail(reason, size,
				"dims[%" PRIu32 "] is %" PRId64 ": expected 1 to 2^32",
				i, self->dims[i]);
		if (self->box[i] < 1 || self->box[i] > 256)
			return fail(reason, size,
				"box[%" PRIu32 "] is %" PRId64 ": expected 1 to 256", i,
				self->box[i]);
		if (self->steps[i] < 1 || self->steps[i] > 8)
			return fail(reason, size,
				"element_strides[%" PRIu32 "] is %" PRId64
				": expected 1 to 8",
				i, self->steps[i]);
	}
	for (uint32_t i = 1; i < self->rank; i++)
		if (self->strides[i] < 1 || self->strides[i] >= STRIDE_LIMIT ||
			self->strides[i] % unit)
			return fail(reason, size,
				"strides[%" PRIu32 "] is %" PRId64
				" bytes: expected a multiple of %" PRId64 " below 2^40",
				i - 1, self->strides[i], unit);
	if (!self->interleave_bytes && inner_bytes % 16)
		return fail(reason, size,
			"box[0] is %" PRId64 " elements, %" PRId64
			" bytes: expected a multiple of 16 bytes",
			self->box[0], inner_bytes);
	if (!self->interleave_bytes && self->swizzle_bytes &&
		inner_bytes > self->swizzle_bytes)
		return fail(reason, size,
			"box[0] is %" PRId64 " elements, %" PRId64
			" bytes: a swizzle of %" PRId64 " bytes allows no more",
			self->box[0], inner_bytes, self->swizzle_bytes);
	/* below 2^32 * 2^40 * 5 bytes: stop early, since the sum could overflow */
	for (uint32_t i = self->rank; i-- > 0;) {
		const uint64_t stride = (uint64_t)(i ? self->strides[i] : bytes);
		const uint64_t count = (uint64_t)self->dims[i] - 1;

		if (count && count > (buffer_bytes - 1) / stride)
			last = buffer_bytes;
		else
			last += count * stride;
		if (last + (uint64_t)bytes > buffer_bytes)
			return fail(reason, size,
				"dims and strides reach beyond the %" PRIu64
				" bytes of the buffer",
				buffer_bytes);
	}
	return true;
}

unsigned at_tensor_map_type(enum at_element element)
{
	static const unsigned types[AT_ELEMENT_COUNT] = {
		[AT_ELEMENT_I8] = 0,
		[AT_ELEMENT_U8] = 0,
		[AT_ELEMENT_I16] = 1,
		[AT_ELEMENT_U16] = 1,
		[AT_ELEMENT_U32] = 2,
		[AT_ELEMENT_I32] = 3,
		[AT_ELEMENT_U64] = 4,
		[AT_ELEMENT_I64] = 5,
		[AT_ELEMENT_F16] = 6,
		[AT_ELEMENT_F32] = 7,
		[AT_ELEMENT_F64] = 8,
		[AT_ELEMENT_BF16] = 9,
		[AT_ELEMENT_E4M3] = 0,
		[AT_ELEMENT_E5M2] = 0,
	};

	return types[element];
}
