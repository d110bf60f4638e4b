/*
 * Compiled units as files, and a folder that keeps them: what was compiled once is not
 * compiled again, in any process or later run, as long as nothing changes that decides
 * the result (at_compile_identity(), at_toolchain_unit()).
 *
 *   at_units_folder()  ->  at_unit_path(at_toolchain_unit)  ->  at_unit_read()
 *                          and on AT_ENOENT: at_compile(), at_unit_write()
 *   at_units_trim() now and then
 *
 * Nothing in a file is trusted: a torn, cut or foreign file counts as missing, and is
 * removed. Readers and writers need no lock, in any number of processes: a file appears
 * as a whole, and one that is removed stays readable for those that have it open.
 *
 * A file consists of 8 bytes of magic, a version, a digest of the file's name, a
 * checksum (XXH3, 128 bits) of all that follows; sizes and facts, padded with zeros to
 * a multiple of 256; the image. Numbers have this machine's byte order; units for other
 * kinds of machines have other names.
 *
 * Threads: safe, there is no shared state. The lock of at_units_trim() is a POSIX
 * record lock, which belongs to a process: only one thread of a process may trim a
 * folder.
 */
#ifndef AT_KERNEL_UNITS_H
#define AT_KERNEL_UNITS_H

#include "base/hash.h"
#include "kernel/compile.h"

#include <stdbool.h>

/*
 * Whether a result may be kept: the unit was compiled, or the compiler refused the
 * source (is_verdict). What failed because of the machine may succeed the next time.
 */
bool at_unit_may_be_kept(const struct at_compile_result *result);

/*
 * Writes the unit under a temporary name and renames it to path. The path's last folder
 * is made if it is missing. The file is not synced: its checksum shows if a power cut
 * has torn it. AT_EINVAL: the result may not be kept; AT_EIO names the path.
 */
enum at_status at_unit_write(
	const char *path, const struct at_compile_result *result, struct at_error *err);

/*
 * Reads a unit. The caller releases *out by at_compile_result_release(); it is zeroed
 * on failure. Without with_image, image is NULL and image_bytes 0. AT_ENOENT: there is
 * no such unit, or it was damaged and has been removed. Marks the unit as used, at most
 * once an hour.
 */
enum at_status at_unit_read(const char *path, struct at_compile_result *out,
	bool with_image, struct at_error *err);

/*
 * The folder of this user's units, made if it does not exist, and its limit in bytes:
 * $AUTOTUNE_CACHE, else $XDG_CACHE_HOME/autotune/units, else
 * $HOME/.cache/autotune/units; $AUTOTUNE_CACHE_MB (default 2048). The caller frees
 * *folder. AT_EUNAVAILABLE with the reason when there is no place for it, or others may
 * write in it, which would let them have code run here: the caller then goes on without
 * a cache. AT_EINVAL: the environment makes no sense.
 */
enum at_status at_units_folder(
	char **folder, uint64_t *limit_bytes, struct at_error *err);

/* The path FOLDER/2 hex digits/30 hex digits.unit, on the heap. */
char *at_unit_path(const char *folder, struct at_hash identity);

/*
 * Where the units take more than the limit, removes those that were not used for the
 * longest time until they take less than 90 % of it. Also removes temporary files whose
 * writer has died. Does nothing when any process has done so within the hour, or is
 * doing so.
 */
enum at_status at_units_trim(
	const char *folder, uint64_t limit_bytes, struct at_error *err);

/* Files that are being written have this in their names, behind the unit's name. */
#define AT_UNIT_TEMPORARY ".tmp"
/* A unit that was used within so many seconds is not marked as used again, and an
   unfinished file that is as young may still be written. */
#define AT_UNIT_RECENT_SECONDS 3600
/* Whether a file was written or used within an hour. One of the future was not: the
   clock was ahead then, or the file would be young for years. */
bool at_unit_is_recent(int64_t used_s, int64_t now_s);

#endif
