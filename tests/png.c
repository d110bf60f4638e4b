/* Reads PNG files of a browser (png.h): chunks, zlib, and the filters of rows. */
#include "png.h"

#include "base/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define BYTES_MOST ((size_t)64 << 20)

static uint32_t big_endian(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	       (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Alan W. Paeth's predictor, as the standard has it. */
static int paeth(int left, int above, int corner)
{
	int to_left = abs(above - corner), to_above = abs(left - corner);
	int to_corner = abs(left + above - 2 * corner);

	if (to_left <= to_above && to_left <= to_corner)
		return left;
	return to_above <= to_corner ? above : corner;
}

/* What the filter of a row took off is added again; `before` is the row above. */
static void restore(unsigned char *row, const unsigned char *before, size_t size,
	size_t step, int filter)
{
	for (size_t i = 0; i < size; i++) {
		int left = i >= step ? row[i - step] : 0, above = before[i];
		int corner = i >= step ? before[i - step] : 0, add = 0;

		switch (filter) {
		case 1:
			add = left;
			break;
		case 2:
			add = above;
			break;
		case 3:
			add = (left + above) / 2;
			break;
		case 4:
			add = paeth(left, above, corner);
			break;
		}
		row[i] = (unsigned char)(row[i] + add);
	}
}

static bool unpack(
	struct png *self, const unsigned char *packed, size_t size, size_t channels)
{
	size_t row = self->width * channels;
	uLongf length = self->height * (row + 1);
	unsigned char *raw = malloc(length), *zeros = calloc(row, 1);
	bool good = raw && zeros && uncompress(raw, &length, packed, size) == Z_OK &&
		    length == self->height * (row + 1);

	self->pixels = malloc(self->width * self->height * 3);
	for (size_t y = 0; good && self->pixels && y < self->height; y++) {
		unsigned char *line = raw + y * (row + 1) + 1;

		restore(line, y ? line - row - 1 : zeros, row, channels, line[-1]);
		for (size_t x = 0; x < self->width; x++)
			memcpy(self->pixels + 3 * (y * self->width + x),
				line + x * channels, 3);
	}
	free(raw);
	free(zeros);
	return good && self->pixels;
}

bool png_read(const char *path, struct png *out)
{
	unsigned char *bytes = NULL, *packed = NULL;
	size_t size = 0, used = 0, channels = 0;
	char *data;
	bool good = false;

	*out = (struct png){ 0 };
	if (at_file_read(path, BYTES_MOST, &data, &size, NULL))
		return false;
	bytes = (unsigned char *)data;
	packed = malloc(size);
	for (size_t at = 8; packed && at + 12 <= size;) {
		size_t length = big_endian(bytes + at);
		const unsigned char *chunk = bytes + at + 8;

		if (length > size - at - 12)
			break;
		if (!memcmp(bytes + at + 4, "IHDR", 4) && length == 13) {
			out->width = big_endian(chunk);
			out->height = big_endian(chunk + 4);
			channels = chunk[8] != 8 || chunk[12] ? 0
				   : chunk[9] == 2            ? 3
				   : chunk[9] == 6            ? 4
							      : 0;
		} else if (!memcmp(bytes + at + 4, "IDAT", 4)) {
			memcpy(packed + used, chunk, length);
			used += length;
		}
		at += 12 + length;
	}
	if (channels && out->width && out->height && out->width < 20000 &&
		out->height < 40000)
		good = unpack(out, packed, used, channels);
	free(packed);
	free(bytes);
	return good;
}

void png_release(struct png *self)
{
	free(self->pixels);
	*self = (struct png){ 0 };
}

const unsigned char *png_at(const struct png *self, size_t x, size_t y)
{
	return self->pixels + 3 * (y * self->width + x);
}
