/*
 * Waiting for a record that another process has locked, as at_store_be_patient() says:
 * with whoever is told, and no longer than somebody wants who has asked for the end.
 *
 *   at_wait_init(&wait);
 *   while (... it is locked ...)
 *           if (!at_wait_on(&wait, path))
 *                   return at_wait_fail(&wait, path, err);
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_WAIT_H
#define AT_RECORD_WAIT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct at_wait {
	uint64_t began_ns; /* 0: it did not wait yet */
	uint64_t hurry_began_ns; /* 0: nobody has asked for the end */
	double waited_seconds;
	double told_seconds; /* when it was told last; 0: never */
	bool is_over; /* it was long enough, or was called off */
	bool was_called_off;
	bool is_probed;
	int no_locks; /* errno: the file system has none; 0: it has, or was not asked */
	char owner[64]; /* "pid 1234 of alice"; "": not known */
};

void at_wait_init(struct at_wait *self);
/* Waits a moment; false: not any longer. path: of the database. */
bool at_wait_on(struct at_wait *self, const char *path);
/* Who has kept it locked, and for how long: AT_EIO, AT_EINTERRUPTED. */
enum at_status at_wait_fail(
	const struct at_wait *self, const char *path, struct at_error *err);

/* The file system has no locks, as errno says. */
enum at_status at_wait_fail_unlocked(const char *path, int code, struct at_error *err);

#endif
