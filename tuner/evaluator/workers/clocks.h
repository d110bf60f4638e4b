/*
 * Clocks and power limits that configurations set, as they are given back. What is set
 * on a board survives the process that set it. So a worker first notes what is to be
 * given back, in a file beside the device's lock:
 *
 *   at_clocks_give_back(&lock, &err);            once it has the lock: what others left
 *   at_clocks_note(&lock, device, &set, &err);
 *   ... at_device_set_clocks(), with the members of `set` that are not 0 ...
 *   at_device_set_clocks(device, &none, &err);
 *   at_clocks_forget(&lock);
 *
 * Whoever outlives the worker calls at_clocks_rescue(): the coordinator, on a second
 * signal, too, and the guard of a dead coordinator. If neither does, the next run on
 * the board gives it back. Only notes of this user count. A space that sets no clocks
 * has no note, and then NVML is never asked to change anything. Threads: any, one at a
 * time.
 */
#ifndef AT_WORKERS_CLOCKS_H
#define AT_WORKERS_CLOCKS_H

#include "device/device.h"
#include "evaluator/workers/lock.h"

/* Notes that what is not 0 in *set will be set. AT_EUNAVAILABLE: it cannot be noted, so
   nothing may be set. The caller has the lock, as in the next two. */
enum at_status at_clocks_note(const struct at_device_lock *lock,
	struct at_device *device, const struct at_clocks *set, struct at_error *err);
/* Removes the note: all is given back. */
void at_clocks_forget(const struct at_device_lock *lock);
/* Gives back what a note says, if there is one. AT_EUNAVAILABLE: it cannot be given
   back. */
enum at_status at_clocks_give_back(
	const struct at_device_lock *lock, struct at_error *err);
/* The same without the lock: waits a moment for a worker that is dying. uuid: of the
   board; NULL: of all boards that have a note. */
void at_clocks_rescue(const char *uuid);

#endif
