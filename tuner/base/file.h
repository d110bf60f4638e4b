/* Files: read whole, and replaced so that a reader sees either the old text or the new
   one. Threads: safe; no shared state. */
#ifndef AT_BASE_FILE_H
#define AT_BASE_FILE_H

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A name may come from any source and lead anywhere: to a pipe without a writer, to a
 * device that has no end. So reading refuses what is not a regular file, without
 * opening it, with one line that says what it is; links are followed. Opening never
 * waits. A file of more than limit_bytes (0: no limit) is refused before a byte is
 * read.
 */

/* Reads the whole file. *data is terminated with a NUL that *size does not count, and
   is the caller's to free. err names the path. */
enum at_status at_file_read(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err);

/* The same for a file that others may have put there: links are refused, too. */
enum at_status at_file_read_plain(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err);

/* Opens a file to be read piece by piece; the caller closes *file. */
enum at_status at_file_open(
	const char *path, int *file, uint64_t *size, struct at_error *err);

/* Whether there is such a file, and its size, without opening it: for names that are
   then opened by a library. */
enum at_status at_file_check(const char *path, uint64_t *size, struct at_error *err);

/*
 * The hash of a file's contents, read piece by piece; it equals at_hash_pieces() of
 * them. *out is not changed where the file does not exist, cannot be read or has more
 * than `most` bytes: whoever uses the file reports what is wrong with it.
 */
void at_file_hash(const char *path, uint64_t most, struct at_hash *out);

/* Whether a file can be made beside path: 0, or errno. One is made and removed. */
int at_file_try_beside(const char *path);

/*
 * Writes a temporary file beside path, under a name that cannot be foreseen, syncs it,
 * renames it to path and syncs the directory; temporary files that killed processes
 * left are removed. A link at path is replaced, not followed. A device or a pipe is
 * written to directly; it is an error if no process reads from it. A file that already
 * holds exactly these bytes is not touched, so its time stamp stays. On failure the old
 * file is as it was.
 */
enum at_status at_file_replace(
	const char *path, const void *data, size_t size, struct at_error *err);

/* Writes a text the same way into a directory, which is made if it is missing; NULL:
   none is made. Tried twice, since somebody may remove or move the directory in
   between. */
enum at_status at_file_replace_inside(const char *directory, const char *path,
	const struct at_strbuf *text, struct at_error *err);

/* Writes all bytes to an open file, pipe or socket; false: not all, and errno says
   why. */
bool at_write_all(int file, const void *data, size_t size);

/* Makes a directory with all that are missing above it (mkdir -p). */
enum at_status at_directory_make(const char *path, struct at_error *err);
/* The length of the part of path that names the first directory that does not exist; 0:
   all exist. */
size_t at_directory_missing(const char *path);
/* Undoes at_directory_make(): removes directories from path's end up to that one, as
   long as they are empty. missing: the result of at_directory_missing() from before. */
void at_directory_unmake(const char *path, size_t missing);

/* Whether something exists under this name; links are followed. */
bool at_file_exists(const char *path);
/* Whether something may exist there: also true where it cannot be looked at, since a
   disk fails or a directory is another user's. Whoever opens it then reports why. */
bool at_file_may_exist(const char *path);
/* Whether it is a device, a pipe or a socket. */
bool at_file_is_stream(const char *path);

/* The directory part of a path, heap; "." when path has no slash. */
char *at_path_directory(const char *path);
/* directory/name, heap; only name when that is absolute, or directory is "." or
   empty. */
char *at_path_join(const char *directory, const char *name);
/* directory/word + ending, heap. Characters of word that could lead elsewhere become
   '-'. */
char *at_path_of_name(const char *directory, const char *word, const char *ending);

#endif
