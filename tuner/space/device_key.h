/*
 * Decides which devices count as one device for results, and names them. A device is
 * identified by its model, compute capability, number of multiprocessors, memory, power
 * limit and MIG profile. GPUs that agree in all of these share results; only the
 * history distinguishes them, by UUID.
 *
 * The name, a "slug", is the name of a folder that people type. It must be the same on
 * every machine, whatever else is recorded there. So it is the model's name with only
 * what that name leaves open:
 *
 *   nvidia-h200                       names of NVIDIA's server boards include the
 *                                     memory if there are several sizes
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

/* The device's memory in GiB, rounded up: firmware and driver take less than one GiB,
   which a board does not report. 0: unknown. */
int64_t at_device_memory_gib(const struct at_properties *properties);

/* The functions below that return a slug return heap memory. kind is the device's kind
   ("cuda", "host"), model its name as reported by the driver. */
char *at_device_slug(
	const char *kind, const char *model, const struct at_properties *properties);
/*
 * The slug for a device whose at_device_slug() already belongs to a device of the same
 * name with other numbers of multiprocessors (some are disabled or reserved) or another
 * memory size. It adds both figures. If neither is known it equals at_device_slug().
 */
char *at_device_slug_apart(
	const char *kind, const char *model, const struct at_properties *properties);
/*
 * The slug of this device in records of older versions, which ignored power limits and
 * used the name alone. "" if an older record cannot mean this device, or has the same
 * slug.
 */
char *at_device_slug_before(
	const char *kind, const char *model, const struct at_properties *properties);

/*
 * Whether two devices with the same slug are the same device. A property that either
 * does not report counts as equal. Memory may differ by a fourteenth: error correction
 * takes a sixteenth of it and can be switched off.
 */
bool at_device_is_same(
	const char *kind, const struct at_properties *a, const struct at_properties *b);

#endif
