/* Expands gzip by zlib. */
#include "base/gzip.h"
#include "base/memory.h"

#include <stdlib.h>

#include <zlib.h>

/* the largest window, 15, and 16 for a gzip header */
#define GZIP_WINDOW_BITS (15 + 16)
/* zlib's input per call, since its counts have 32 bits */
#define CHUNK_BYTES ((size_t)1 << 30)

bool at_gzip_is(const void *data, size_t size)
{
	const unsigned char *bytes = data;

	return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

enum at_status at_gzip_expand(const void *data, size_t size, size_t limit_bytes,
	const char *file, char **out, size_t *out_size, struct at_error *err)
{
	z_stream stream = { 0 };
	const unsigned char *in = data;
	char *text = NULL;
	size_t capacity = 0, length = 0;
	enum at_status status = AT_OK;
	int code = Z_OK;

	if (inflateInit2(&stream, GZIP_WINDOW_BITS) != Z_OK)
		return at_fail_memory(err);
	while (!status) {
		size_t room, left = size - (size_t)(in - (const unsigned char *)data);
		/* measurements expand about tenfold */
		size_t need = length + (length ? length / 2 : size * 8) + 65536;

		status = AT_RESERVE(text, capacity, need, err);
		if (status)
			break;
		/* one byte is for the terminator */
		room = capacity - length - 1;
		if (room > CHUNK_BYTES)
			room = CHUNK_BYTES;
		stream.next_in = (unsigned char *)(size_t)in;
		stream.avail_in = (unsigned)(left < CHUNK_BYTES ? left : CHUNK_BYTES);
		stream.next_out = (unsigned char *)text + length;
		stream.avail_out = (unsigned)room;
		code = inflate(&stream, Z_NO_FLUSH);
		in = stream.next_in;
		length += room - stream.avail_out;
		left = size - (size_t)(in - (const unsigned char *)data);
		if (length > limit_bytes)
			status = at_fail(err, AT_EINVAL, file, 0,
				"is larger than %zu bytes when it is expanded, the most that is read",
				limit_bytes);
		else if (code == Z_MEM_ERROR)
			status = at_fail_memory(err);
		else if (code == Z_STREAM_END && left == 0)
			break;
		else if (code == Z_STREAM_END)
			/* the file may be several concatenated gzip files */
			(void)inflateReset(&stream);
		else if ((code != Z_OK && code != Z_BUF_ERROR) || code == Z_NEED_DICT)
			status =
				at_fail(err, AT_ESYNTAX, file, 0, "is damaged gzip: %s",
					stream.msg ? stream.msg : "wrong data");
		else if (left == 0 && stream.avail_out > 0)
			status = at_fail(err, AT_ESYNTAX, file, 0,
				"is gzip that ends too early");
	}
	inflateEnd(&stream);
	if (status) {
		free(text);
		return status;
	}
	text[length] = '\0';
	*out = text;
	*out_size = length;
	return AT_OK;
}
