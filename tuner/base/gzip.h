/* Expands gzip-compressed data. The only file that includes zlib. Threads: safe. */
#ifndef AT_BASE_GZIP_H
#define AT_BASE_GZIP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether data has a gzip header. */
bool at_gzip_is(const void *data, size_t size);
/*
 * Expands data. *out is terminated with a NUL outside *out_size; the caller frees it.
 * More than limit_bytes of output is AT_EINVAL. file: the name in errors; AT_ESYNTAX:
 * the data is damaged or truncated.
 */
enum at_status at_gzip_expand(const void *data, size_t size, size_t limit_bytes,
	const char *file, char **out, size_t *out_size, struct at_error *err);

#endif
