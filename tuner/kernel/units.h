/*
 * Compiled units as files, and a folder that keeps them: what was compiled once is
 * not compiled again, by no process and in no later run, as long as nothing that
 * decides it changes (at_compile_identity(), at_toolchain_unit()).
 *
 *   at_units_folder()  ->  at_unit_path(at_toolchain_unit)  ->  at_unit_read()
 *                          and on AT_ENOENT: at_compile(), at_unit_write()
 *   at_units_trim() now and then
 *
 * Nothing in a file is trusted: a torn, cut or foreign file is as good as none, and
 * is removed. Writers and readers need no lock among themselves, in any number of
 * processes: a file appears whole, and one that is removed stays readable to whom
 * has it open.
 *
 * A file: 8 bytes of magic, version, checksum (XXH3, 128 bits) of all that follows;
 * the facts, padded with zeros to a multiple of 256; the image. Numbers are this
 * kind of machine's; what others make of a request has another name.
 *
 * Threads: safe; no shared state. POSIX record locks (at_units_trim) are a
 * process's: one thread of a process trims a folder.
 */
#ifndef AT_KERNEL_UNITS_H
#define AT_KERNEL_UNITS_H

#include "base/hash.h"
#include "kernel/compile.h"

#include <stdbool.h>

/*
 * Whether a result may be kept: compiled, or refused with the compiler's own verdict
 * (is_verdict). What the machine did wrong may go well the next time.
 */
bool at_unit_may_be_kept(const struct at_compile_result *result);

/*
 * Writes the unit under a temporary name and renames it to path, whose folder is made
 * if only that one is missing. Not synced: a file that a power cut tore is found out
 * by its checksum. AT_EINVAL for a result that may not be kept; AT_EIO names path.
 */
enum at_status at_unit_write(
	const char *path, const struct at_compile_result *result, struct at_error *err);

/*
 * *out becomes the caller's (at_compile_result_release) and is zeroed on failure.
 * Without with_image image is NULL and image_bytes 0, and the image only passes by for
 * its checksum. AT_ENOENT: there is no such unit, or it was damaged and is now
 * removed. Marks the unit as used, at most once an hour.
 */
enum at_status at_unit_read(const char *path, struct at_compile_result *out,
	bool with_image, struct at_error *err);

/*
 * The folder of units of this user, made if it is not there, and its bound in bytes:
 * $AUTOTUNE_CACHE, else $XDG_CACHE_HOME/autotune/units, else
 * $HOME/.cache/autotune/units; $AUTOTUNE_CACHE_MB (2048). *folder is heap.
 * AT_EUNAVAILABLE with the reason when there is no place for it, or one that
 * others may write in, since images are run: the caller goes on without.
 * AT_EINVAL when the environment makes no sense.
 */
enum at_status at_units_folder(
	char **folder, uint64_t *limit_bytes, struct at_error *err);

/* FOLDER/2 hex digits/30 hex digits.unit; heap, NULL when memory ran out. */
char *at_unit_path(const char *folder, struct at_hash identity);

/*
 * Removes what was used least recently until the units take less than 90 % of the
 * limit, and temporaries that nobody will rename. Does nothing when any process did
 * so within the hour, or is at it.
 */
enum at_status at_units_trim(
	const char *folder, uint64_t limit_bytes, struct at_error *err);

#endif
