/*
 * Files: read whole, written so that a reader sees the old text or the new one
 * and never half of it. Threads: safe; no shared state.
 */
#ifndef AT_BASE_FILE_H
#define AT_BASE_FILE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>

/*
 * Reads the whole file, terminated with a NUL that *size does not count; *data
 * becomes the caller's (free). Refuses directories and files above limit_bytes
 * (0: none) with a clear text. err names the path.
 */
enum at_status at_file_read(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err);

/*
 * The same of a file that others may have put there: a link, a pipe, a socket or a
 * device is refused without being opened for reading, and a size above limit_bytes
 * (not 0) before a byte is read.
 */
enum at_status at_file_read_plain(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err);

/*
 * Writes to a temporary name beside path, which nobody can foresee, syncs it, renames
 * it, syncs the directory; what a kill left of an earlier write goes. A link at path is
 * replaced, not followed; a device or a pipe is written to as it is. When the file
 * already holds exactly these bytes, nothing is touched (the time stamp stays). On
 * failure the old file is as it was.
 */
enum at_status at_file_replace(
	const char *path, const void *data, size_t size, struct at_error *err);

/* mkdir -p. */
enum at_status at_directory_make(const char *path, struct at_error *err);

bool at_file_exists(const char *path);

/* Heap; "." when path has no slash. */
char *at_path_directory(const char *path);
/* Heap; name alone when it is absolute or directory is "." or empty. */
char *at_path_join(const char *directory, const char *name);

#endif
