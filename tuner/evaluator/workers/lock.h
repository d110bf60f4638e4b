/*
 * A lock on a device, so that only one run measures on it at a time: two runs take
 * turns evaluation by evaluation, and do not disturb each other's samples. It is an
 * advisory lock on a file in /tmp, or in the folder $AUTOTUNE_LOCKS; the file is named
 * after the board. The system drops the lock when the process dies.
 *
 * Users of a machine share the file without trusting each other: it is empty, no
 * process may write to it, and it is opened for reading only, never through a link. The
 * kernel reports which process has the lock. Any user could keep it for ever, so a
 * waiting run names the owner. If the file cannot exist, measuring continues without a
 * lock, and `why` says so. Threads: one object, one thread.
 *
 * The file may be removed at any time, by a cleaner of the folder or by
 * at_device_lock_remove(). So a lock counts only if its file still has its name once
 * the lock is taken: otherwise the next run would create another file and lock that.
 */
#ifndef AT_WORKERS_LOCK_H
#define AT_WORKERS_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct at_device_lock {
	int file; /* descriptor; 0 or below: no lock */
	bool is_held;
	char *path; /* heap */
	char why[160]; /* why there is no lock, or "" */
};

/* The folder of all locks; borrowed from the environment, or static. */
const char *at_device_lock_folder(void);
/* Opens the lock of a board without taking it; board: its uuid, or its id. */
void at_device_lock_open(struct at_device_lock *self, const char *board);
/* Takes the lock if it is free. False: another process has it, and *owner is its
   number, or its coordinator's if it is a worker; 0: unknown, for example in another
   container. */
bool at_device_lock_try(struct at_device_lock *self, int64_t *owner);
/* Waits until the lock is free and takes it. */
void at_device_lock_take(struct at_device_lock *self);
/* Releases the lock. */
void at_device_lock_drop(struct at_device_lock *self);
/* Closes the file, which releases the lock. */
void at_device_lock_close(struct at_device_lock *self);
/* The same, and removes the file if we have its lock: for a lock that is rarely used.
   Another user's file stays. */
void at_device_lock_remove(struct at_device_lock *self);

#endif
