/*
 * What can be tuned on here: each kind of device is asked in a process of its own,
 * since a broken driver may end whoever asks it.
 * Threads: one call at a time in a process, on one thread.
 */
#ifndef AT_WORKERS_LISTING_H
#define AT_WORKERS_LISTING_H

#include "base/error.h"
#include "device/device.h"

/* One kind of device on this machine, as found by a process of its own. */
struct at_device_listing {
	char kind[16];
	unsigned count;
	char reason[1024]; /* why there is none; "" when there are some */
	struct at_device_info *devices; /* count of them */
};

/*
 * What can be tuned on here: one listing a kind, in the registry's order.
 * *out is the caller's: at_workers_free_devices().
 */
enum at_status at_workers_list_devices(const char *executable,
	struct at_device_listing **out, size_t *count, struct at_error *err);
void at_workers_free_devices(struct at_device_listing *listings, size_t count);

#endif
