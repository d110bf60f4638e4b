/*
 * One measurement at a time on a device, whoever asks: two runs at once take
 * turns evaluation by evaluation instead of disturbing each other's samples.
 * An advisory lock on a file in /tmp, or in the folder that $AUTOTUNE_LOCKS
 * names, itself named for the board; the system drops it when the process dies. Where
 * no such file can be made, everything goes on without. Threads: one object, one
 * thread.
 */
#ifndef AT_WORKERS_LOCK_H
#define AT_WORKERS_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct at_device_lock {
	int file; /* 0 or below: there is none */
};

void at_device_lock_open(struct at_device_lock *self, const char *board);
/* False: another one has it; *owner is the process number of its run, 0: not known. */
bool at_device_lock_try(struct at_device_lock *self, int64_t *owner);
/* Waits for its turn. */
void at_device_lock_take(struct at_device_lock *self);
void at_device_lock_drop(struct at_device_lock *self);
void at_device_lock_close(struct at_device_lock *self);

#endif
