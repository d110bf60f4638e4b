/*
 * Which devices are one device as far as results go, and what that is called. Model,
 * compute capability, multiprocessors, memory, power limit and MIG profile make a
 * device: boards that have all of them in common share results, and are told apart by
 * their UUIDs in the history alone.
 *
 * A slug has to be the same on every machine, whatever else is recorded there, and is
 * the name of a folder that people type. So it is the model's name, and behind it only
 * what that name leaves open:
 *   nvidia-h200                       NVIDIA's names of boards for servers say which
 *                                     memory, where there are several
 *   nvidia-geforce-rtx-3060-12gb      those of a GeForce do not
 *   nvidia-h100-80gb-hbm3-500w        its power limit is not the one that it comes with
 *   nvidia-h200-mig-1g-18gb           a slice: the driver's name has its profile
 *   amd-epyc-7b13-4-cores             a CPU: virtual machines have any number of them
 *
 * Threads: pure functions.
 */
#ifndef AT_SPACE_DEVICE_KEY_H
#define AT_SPACE_DEVICE_KEY_H

#include "space/properties.h"

#include <stddef.h>

/*
 * In GiB, rounded up: what a board tells is what it has, less what its firmware and the
 * driver take, which is less than one. 0: not known.
 */
int64_t at_device_memory_gib(const struct at_properties *properties);

/* All three: heap, NULL when memory ran out. */
char *at_device_slug(
	const char *kind, const char *model, const struct at_properties *properties);
/*
 * The slug of a device where that of above is another one's, of the same name but with
 * more or fewer multiprocessors (some are shut off, or kept for others) or memory: with
 * both; that of above where neither is known.
 */
char *at_device_slug_apart(
	const char *kind, const char *model, const struct at_properties *properties);
/* The name alone, as records of older versions have it, where that may be this one:
   they knew nothing of power limits. "" where it may not. */
char *at_device_slug_before(
	const char *kind, const char *model, const struct at_properties *properties);

/*
 * Whether two devices of one slug are the same; what one of them does not tell is no
 * difference. Memory may differ by a fourteenth: error correction takes a sixteenth of
 * it, and may be switched off.
 */
bool at_device_is_same(
	const char *kind, const struct at_properties *a, const struct at_properties *b);

#endif
