/*
 * Decides which devices count as one device for results, and names them. A device is
 * identified by its model, compute capability, number of multiprocessors, memory, power
 * limit and MIG profile. Boards that agree in all of these share results; only the
 * history tells them apart, by UUID.
 *
 * The name, a "slug", is the name of a folder that people type. It must be the same on
 * every machine, whatever else is recorded there. So it is the model's name, followed
 * only by what that name leaves open:
 *
 *   nvidia-h200                       names of NVIDIA's server boards already say
 *                                     the memory where there are several sizes
 *   nvidia-geforce-rtx-3060-12gb      names of GeForce boards do not
 *   nvidia-h100-80gb-hbm3-500w        the power limit is not the board's default
 *   nvidia-h200-mig-1g-18gb           a MIG slice: the driver's name has the profile
 *   amd-epyc-7b13-4-cores             a CPU: virtual machines differ in cores
 *
 * Threads: pure functions.
 */
#ifndef AT_SPACE_DEVICE_KEY_H
#define AT_SPACE_DEVICE_KEY_H

#include "space/properties.h"

/*
 * The device's memory in GiB, rounded up: a board reports what it has less what its
 * firmware and the driver take, and that is less than one GiB. 0: not known.
 */
int64_t at_device_memory_gib(const struct at_properties *properties);

/*
 * The functions below that return a slug return heap memory, or NULL when memory ran
 * out. kind is the device's kind ("cuda", "host"), model its name as the driver reports
 * it.
 */
/* The slug of a device, as described at the top. */
char *at_device_slug(
	const char *kind, const char *model, const struct at_properties *properties);
/*
 * The slug for a device whose at_device_slug() is already taken by a device of the same
 * name that has more or fewer multiprocessors (some are disabled or reserved) or
 * another size of memory. It adds both figures. Where neither is known it is the same
 * as at_device_slug().
 */
char *at_device_slug_apart(
	const char *kind, const char *model, const struct at_properties *properties);
/*
 * The slug under which records of older versions may have this device. They knew
 * nothing of power limits and used the name alone. "" where an older record cannot mean
 * this device, or has the same slug.
 */
char *at_device_slug_before(
	const char *kind, const char *model, const struct at_properties *properties);

/*
 * Whether two devices with the same slug are the same device. A property that one of
 * them does not report counts as equal. Memory may differ by a fourteenth: error
 * correction takes a sixteenth of it and can be switched off.
 */
bool at_device_is_same(
	const char *kind, const struct at_properties *a, const struct at_properties *b);

#endif
