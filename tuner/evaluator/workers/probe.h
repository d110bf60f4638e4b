/*
 * Finds the devices, their properties, and the compilers for them. Each kind of device
 * is probed in a process of its own, since a broken driver may end the process. Each
 * function runs the loop until it has its answer; a signal that the loop watches ends
 * it with AT_EINTERRUPTED. Threads: one call at a time in a process, on one thread.
 */
#ifndef AT_WORKERS_PROBE_H
#define AT_WORKERS_PROBE_H

#include "base/error.h"
#include "device/device.h"

#include <stddef.h>

struct at_board;
struct at_compilers;
struct at_loop;

/* Opens the board's device in its worker process, and gets the device's description. */
enum at_status at_probe_open(struct at_loop *loop, struct at_board *board,
	struct at_device_info *info, struct at_error *err);

/* Name and version of a toolchain ("NVRTC 13.0"), from a compile worker. */
enum at_status at_probe_toolchain(struct at_loop *loop, struct at_compilers *compilers,
	const char *toolchain, char *version, size_t size, struct at_error *err);

/*
 * The newest architecture ("sm_121") that both NVRTC and the table of
 * at_properties_of_architecture() know, from a compile worker.
 */
enum at_status at_probe_newest_architecture(struct at_loop *loop,
	struct at_compilers *compilers, char *name, size_t size, struct at_error *err);

/* A list of device ids on the heap; the caller frees ids. */
struct at_device_ids {
	char (*ids)[32];
	size_t count;
};

/* Makes a list of distinct devices: "cuda:all" becomes all devices of its kind, "cuda"
   is "cuda:0". An empty list becomes every device of the preferred kinds or, without
   any, the first device of the fallback; *reason then says why ("" otherwise). */
enum at_status at_probe_resolve(struct at_loop *loop, const char *const *devices,
	size_t count, struct at_device_ids *out, char *reason, size_t size,
	struct at_error *err);

/* Writes the message if the fallback replaces a GPU and the user named no device. A
   missing driver needs no more than a line: "autotune devices" says what was tried. */
void at_probe_tell_fallback(const char *id, const char *reason, char *out, size_t size);

/* One kind of device on this machine. */
struct at_device_listing {
	char kind[16];
	unsigned count;
	char reason[1024]; /* why there are none, or one does not open; else "" */
	struct at_device_info *devices; /* count of them */
};

/* Lists the available devices: one listing for each kind, in the registry's order.
   Makes a loop of its own. executable: the program to start as workers; NULL: the
   running one. The caller releases *out with at_probe_free_devices(). */
enum at_status at_probe_list_devices(const char *executable,
	struct at_device_listing **out, size_t *count, struct at_error *err);
/* Releases the listings; may be NULL. */
void at_probe_free_devices(struct at_device_listing *listings, size_t count);

#endif
