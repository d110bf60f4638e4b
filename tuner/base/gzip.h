/*
 * Gzip-compressed text made plain. The only place that knows zlib. Threads: safe.
 */
#ifndef AT_BASE_GZIP_H
#define AT_BASE_GZIP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether it begins as gzip does. */
bool at_gzip_is(const void *data, size_t size);
/*
 * *out, terminated with a NUL that *out_size does not count, becomes the caller's
 * (free). limit_bytes: the most that comes out of it (AT_EINVAL above). file names it
 * in errors: AT_ESYNTAX where it is damaged or ends too early.
 */
enum at_status at_gzip_expand(const void *data, size_t size, size_t limit_bytes,
	const char *file, char **out, size_t *out_size, struct at_error *err);

#endif
