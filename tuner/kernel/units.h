/*
 * Compiled units as files, and a folder that caches them: a unit is compiled once, for
 * all processes and later runs, until something changes that decides the result
 * (at_compile_identity(), at_toolchain_unit()).
 *
 *   at_units_folder()  ->  at_unit_path(at_toolchain_unit)  ->  at_unit_read()
 *                          and on AT_ENOENT: at_compile(), at_unit_write()
 *   at_units_trim() now and then
 *
 * Nothing in a file is trusted: a torn, truncated or foreign file counts as missing,
 * and is removed. Readers and writers need no lock, in any number of processes: a file
 * appears complete, and a removed file stays readable for those that have it open.
 *
 * A file consists of 8 bytes of magic, a version, a digest of the file's name, a
 * checksum (XXH3, 128 bits) of all that follows; sizes and facts, padded with zeros to
 * a multiple of 256; the image. Numbers have this machine's byte order; units for other
 * kinds of machines have other names.
 *
 * Threads: safe, without shared state. The lock of at_units_trim() is a POSIX record
 * lock, which belongs to a process: only one thread of a process may trim a folder.
 */
#ifndef AT_KERNEL_UNITS_H
#define AT_KERNEL_UNITS_H

#include "base/hash.h"
#include "kernel/compile.h"

#include <stdbool.h>

/* Whether a result may be cached: the unit was compiled, or the compiler rejected the
   source (is_verdict). A failure of the machine may not recur. */
bool at_unit_may_be_kept(const struct at_compile_result *result);

/* Writes the unit under a temporary name and renames it to path, whose last folder is
   made if it is missing. The file is not synced: its checksum reveals a torn write.
   AT_EINVAL: the result may not be cached; AT_EIO names the path. */
enum at_status at_unit_write(
	const char *path, const struct at_compile_result *result, struct at_error *err);

/* Reads a unit. The caller releases *out by at_compile_result_release(); it is zeroed
   on failure. Without with_image, image is NULL and image_bytes 0. AT_ENOENT: there is
   no such unit, or it was damaged and has been removed. Marks the unit as used, at most
   once an hour. */
enum at_status at_unit_read(const char *path, struct at_compile_result *out,
	bool with_image, struct at_error *err);

/*
 * The folder of this user's units, made if it does not exist, and its limit in bytes:
 * $AUTOTUNE_CACHE, else $XDG_CACHE_HOME/autotune/units, else
 * $HOME/.cache/autotune/units; $AUTOTUNE_CACHE_MB (default 2048). The caller frees
 * *folder. AT_EUNAVAILABLE with the reason: there is no place for it, or others may
 * write in it and so have code run here; continue without a cache. AT_EINVAL: the
 * environment makes no sense.
 */
enum at_status at_units_folder(
	char **folder, uint64_t *limit_bytes, struct at_error *err);

/* The path FOLDER/2 hex digits/30 hex digits.unit, on the heap. */
char *at_unit_path(const char *folder, struct at_hash identity);

/* If the units exceed the limit, removes the least recently used until they take less
   than 90 % of it. Also removes temporary files whose writer has died. Does nothing if
   any process has trimmed within the hour, or is trimming. */
enum at_status at_units_trim(
	const char *folder, uint64_t limit_bytes, struct at_error *err);

/* Incomplete files have this in their names, after the unit's name. */
#define AT_UNIT_TEMPORARY ".tmp"
/* A unit used within this time is not marked as used again, and an unfinished file this
   young may still be in progress. */
#define AT_UNIT_RECENT_SECONDS 3600

#endif
