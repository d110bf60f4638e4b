/*
 * Waiting for a record that another process has locked, as at_store_be_patient() says:
 * with messages for the user, and only briefly once the user has asked the program to
 * end.
 *
 *   at_wait_init(&wait);
 *   while (... it is locked ...)
 *           if (!at_wait_on(&wait, path, errno))
 *                   return at_wait_fail(&wait, path, err);
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_WAIT_H
#define AT_RECORD_WAIT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* A wait, within one call of SQLite. */
struct at_wait {
	/* when this wait began (at_clock_now_ns()); 0: it has not waited yet */
	uint64_t began_ns;
	uint64_t hurry_began_ns; /* when the end was asked for; 0: it was not */
	double waited_seconds; /* so far */
	double told_seconds; /* when the user was told last, since began_ns; 0: never */
	bool is_over; /* it lasted too long, or was called off */
	bool was_called_off; /* it ended because the user asked for the end */
	int no_locks; /* errno where the file system has no locks; else 0 */
};

/* Begins a new wait; cheap, since it is called before every call that may meet a
   lock. */
void at_wait_init(struct at_wait *self);
/* Sleeps for a moment. False: do not wait any longer. path: of the database; code:
   errno of the lock. */
bool at_wait_on(struct at_wait *self, const char *path, int code);
/* Fails with how long the record was locked: AT_EIO; AT_EINTERRUPTED where the wait was
   called off. */
enum at_status at_wait_fail(
	const struct at_wait *self, const char *path, struct at_error *err);

/* Fails: the file system has no locks, for the reason `code` (an errno). */
enum at_status at_wait_fail_unlocked(const char *path, int code, struct at_error *err);

#endif
