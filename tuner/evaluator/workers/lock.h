/*
 * One measurement at a time on a device, whoever asks: two runs at once take
 * turns evaluation by evaluation instead of disturbing each other's samples.
 * An advisory lock on a file in /tmp, or in the folder that $AUTOTUNE_LOCKS
 * names, itself named for the board; the system drops it when the process dies.
 *
 * Users of one machine share it without trusting each other: the file is empty, nobody
 * may write to it, and it is opened for reading alone, never through a link. Who has it
 * the kernel is asked. Anybody may have it for ever; so whoever waits says for whom.
 * Where no such file can be had, everything goes on without, and `why` says so.
 * Threads: one object, one thread.
 */
#ifndef AT_WORKERS_LOCK_H
#define AT_WORKERS_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct at_device_lock {
	int file; /* 0 or below: there is none */
	char why[160]; /* there is none; "": there is */
};

void at_device_lock_open(struct at_device_lock *self, const char *board);
/*
 * False: another one has it. *owner is the number of its process, of the run where it
 * is a worker of one; 0: not known, as of one in another container.
 */
bool at_device_lock_try(struct at_device_lock *self, int64_t *owner);
/* Waits for its turn. */
void at_device_lock_take(struct at_device_lock *self);
void at_device_lock_drop(struct at_device_lock *self);
void at_device_lock_close(struct at_device_lock *self);

#endif
