/*
 * Restores clocks and power limits that configurations set. Such settings outlive the
 * process that made them, so a worker first writes a note, in a file next to the
 * device's lock:
 *
 *   at_clocks_give_back(&lock, &err);            once it has the lock
 *   at_clocks_note(&lock, device, &set, &err);
 *   ... at_device_set_clocks(), with the members of `set` that are not 0 ...
 *   at_device_set_clocks(device, &none, &err);
 *   at_clocks_forget(&lock);
 *
 * If the worker dies, the coordinator calls at_clocks_rescue(), also on a second
 * signal; if the coordinator is dead, the guard does. If neither does, the next run on
 * the board restores the settings. Only notes of this user count. A space that sets no
 * clocks has no note, and NVML is then never asked to change anything. Threads: any,
 * one at a time.
 */
#ifndef AT_WORKERS_CLOCKS_H
#define AT_WORKERS_CLOCKS_H

#include "device/device.h"
#include "evaluator/workers/lock.h"

/* Notes that the nonzero members of *set will be set. AT_EUNAVAILABLE: the note
   cannot be written, so nothing may be set. Here and in the next two the caller has
   the lock. */
enum at_status at_clocks_note(const struct at_device_lock *lock,
	struct at_device *device, const struct at_clocks *set, struct at_error *err);
/* Removes the note: everything is restored. */
void at_clocks_forget(const struct at_device_lock *lock);
/* Restores what a note says, if there is one. AT_EUNAVAILABLE: it cannot be
   restored. */
enum at_status at_clocks_give_back(
	const struct at_device_lock *lock, struct at_error *err);
/* The same without the lock: waits a moment for a dying worker. uuid: the board's;
   NULL: all boards with a note. */
void at_clocks_rescue(const char *uuid);

#endif
