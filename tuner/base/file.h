/*
 * Files: read whole, written so that a reader sees the old text or the new one
 * and never half of it. Threads: safe; no shared state.
 */
#ifndef AT_BASE_FILE_H
#define AT_BASE_FILE_H

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Every name is somebody's, and may lead anywhere: to a pipe that nobody writes to, to
 * a device that has no end. Reading refuses what is no regular file, with one line that
 * says what it is, and without opening it; links are followed. What is opened does not
 * wait. A size above limit_bytes (0: none) is refused before a byte is read.
 */

/*
 * Reads the whole file, terminated with a NUL that *size does not count; *data
 * becomes the caller's (free). err names the path.
 */
enum at_status at_file_read(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err);

/* The same of a file that others may have put there: a link is refused, too. */
enum at_status at_file_read_plain(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err);

/* Opens for reading, piece by piece; *file is the caller's (close). */
enum at_status at_file_open(
	const char *path, int *file, uint64_t *size, struct at_error *err);

/* Whether there is such a file, and how large it is: before somebody else opens the
   name. Does not open it. */
enum at_status at_file_check(const char *path, uint64_t *size, struct at_error *err);

/*
 * The hash of what is in it, read piece by piece (at_hash_pieces()). *out stays as it
 * is where there is no such file, it cannot be read or has more than `most` bytes: then
 * whoever uses it says what is wrong with it.
 */
enum at_status at_file_hash(
	const char *path, uint64_t most, struct at_hash *out, struct at_error *err);

/*
 * Writes to a temporary name beside path, which nobody can foresee, syncs it, renames
 * it, syncs the directory; what a kill left of an earlier write goes. A link at path is
 * replaced, not followed; a device or a pipe is written to as it is, and is an error
 * where nobody reads from it. When the file
 * already holds exactly these bytes, nothing is touched (the time stamp stays). On
 * failure the old file is as it was.
 */
enum at_status at_file_replace(
	const char *path, const void *data, size_t size, struct at_error *err);

/*
 * The same of a text that was put together since at_memory_shortages() was `since`.
 * AT_ENOMEM, and nothing is written, where memory ran out meanwhile: what is told
 * beside the rest is passed over where it cannot be read, and a file without it would
 * be another one, which stays.
 */
enum at_status at_file_replace_text(const char *path, const struct at_strbuf *text,
	unsigned since, struct at_error *err);

/*
 * The same into a directory that is made where there is none; NULL: none is. Once more
 * where it has gone meanwhile: somebody moved it, or turned the link on its way.
 */
enum at_status at_file_replace_inside(const char *directory, const char *path,
	const struct at_strbuf *text, unsigned since, struct at_error *err);

/* All of it to an open file, pipe or socket; false: not all, and errno says why. */
bool at_write_all(int file, const void *data, size_t size);

/* mkdir -p. */
enum at_status at_directory_make(const char *path, struct at_error *err);
/* How much of the path names the first folder on it that is not there yet; 0: all are.
 */
size_t at_directory_missing(const char *path);
/* Removes what at_directory_make() made since, from the path's end up to that folder,
   as long as nothing lies in it. */
void at_directory_unmake(const char *path, size_t missing);

bool at_file_exists(const char *path);
/*
 * Whether there may be one: what cannot be looked at, since a disk fails or a folder
 * is another user's, is not what is not there. Whoever opens it then says why.
 */
bool at_file_may_exist(const char *path);
/* A device, a pipe, a socket: what is written there is gone. */
bool at_file_is_stream(const char *path);

/* Heap; "." when path has no slash. */
char *at_path_directory(const char *path);
/* Heap; name alone when it is absolute or directory is "." or empty. */
char *at_path_join(const char *directory, const char *name);
/* <directory>/<word><ending>, with nothing in the name that leads elsewhere; heap. */
char *at_path_of_name(const char *directory, const char *word, const char *ending);

#endif
