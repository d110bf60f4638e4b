/* Files: read whole, and replaced atomically: a reader sees either the old text or the
   new one. Threads: safe; no shared state. */
#ifndef AT_BASE_FILE_H
#define AT_BASE_FILE_H

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A name may come from any source and lead anywhere: to a pipe without a writer, or to
 * an endless device. So reading rejects anything but a regular file, without opening
 * it, with one line that says what it is; links are followed. Opening never waits. A
 * file of more than limit_bytes (0: no limit) is rejected before a byte is read.
 */

/* Reads the whole file. *data is terminated with a NUL outside *size; the caller frees
   it. err names the path. */
enum at_status at_file_read(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err);

/* Likewise for a file from an untrusted source: links are rejected, too. */
enum at_status at_file_read_plain(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err);

/* Opens a file for reading in pieces; the caller closes *file. */
enum at_status at_file_open(
	const char *path, int *file, uint64_t *size, struct at_error *err);

/* Checks for a regular file, and sets *size, without opening it: for names that a
   library then opens. */
enum at_status at_file_check(const char *path, uint64_t *size, struct at_error *err);

/*
 * The hash of a file's contents, read in pieces; equals at_hash_pieces() of them. *out
 * is unchanged if the file does not exist, cannot be read or has more than `most`
 * bytes: the later reader of the file reports the error.
 */
void at_file_hash(const char *path, uint64_t most, struct at_hash *out);

/* Tests whether a file can be created next to path: 0, or errno. Creates and removes
   one. */
int at_file_can_create_beside(const char *path);

/*
 * Writes a temporary file next to path, under an unpredictable name, syncs it, renames
 * it to path and syncs the directory; removes temporary files of killed processes. A
 * link at path is replaced, not followed. A device or a pipe is written directly;
 * without a reader this is an error. A file that already holds exactly these bytes is
 * not touched, so its time stamp stays. On failure the old file is unchanged.
 */
enum at_status at_file_replace(
	const char *path, const void *data, size_t size, struct at_error *err);

/* Writes a text the same way into a directory, which is made if it is missing (unless
   NULL). Tries twice, since another process may remove or move the directory in
   between. */
enum at_status at_file_replace_inside(const char *directory, const char *path,
	const struct at_strbuf *text, struct at_error *err);

/* Writes all bytes to an open file, pipe or socket; false: incomplete, see errno. */
bool at_write_all(int file, const void *data, size_t size);

/* Makes a directory with its missing parents (mkdir -p). */
enum at_status at_directory_make(const char *path, struct at_error *err);
/* The length of the part of path that names the first missing directory; 0: all
   exist. */
size_t at_directory_missing(const char *path);
/* Undoes at_directory_make(): removes empty directories from path's end up to that one.
   missing: the earlier result of at_directory_missing(). */
void at_directory_unmake(const char *path, size_t missing);

/* Whether this name exists; links are followed. */
bool at_file_exists(const char *path);
/* Whether the name may exist: also true if the check fails, since a disk fails or a
   directory is another user's. Opening it then reports the reason. */
bool at_file_may_exist(const char *path);
/* Whether it is a device, a pipe or a socket. */
bool at_file_is_stream(const char *path);

/* The directory part of a path, heap; "." if path has no slash. */
char *at_path_directory(const char *path);
/* The part of a path behind its last slash; borrowed. */
const char *at_path_name(const char *path);
/* directory/name, heap; only name if it is absolute, or directory is "." or empty. */
char *at_path_join(const char *directory, const char *name);
/* directory/word + ending, heap. Characters of word that could lead elsewhere become
   '-'. */
char *at_path_of_name(const char *directory, const char *word, const char *ending);

#endif
