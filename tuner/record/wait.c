/* Waits for locks of other processes on a record: see record/wait.h. */
#include "record/wait.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "record/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Merging a million evaluations holds the lock for less, even on a busy machine. */
#define WAIT_SECONDS 120.0
/* pauses between two tries: short at first, since most locks are held for
   microseconds */
#define PAUSE_FIRST_NS 500000
#define PAUSE_MOST_NS 20000000
/* SQLite takes a file system without locks for one whose locks others have. A file
   server may lack a lock for a moment. */
#define LOCKLESS_SECONDS 0.25
/* when the user hears of a wait, and hears of it again */
#define TOLD_SECONDS 2.0
#define TOLD_AGAIN_SECONDS 60.0
/*
 * The longest wait once the user has asked for the end. What a run still writes then,
 * its record and its end, takes a handful of waits, and all of them must fit into a
 * second.
 */
#define HURRY_SECONDS 0.1

static struct at_patience patience;

void at_store_be_patient(const struct at_patience *given)
{
	patience = given ? *given : (struct at_patience){ 0 };
}

void at_wait_init(struct at_wait *self)
{
	/* only what at_wait_on() looks at, since this is called before every call */
	self->began_ns = 0;
	self->is_over = self->was_called_off = false;
	self->no_locks = 0;
}

static double seconds_since(uint64_t began_ns)
{
	return (double)(at_clock_now_ns() - began_ns) * 1e-9;
}

static bool is_lockless(int code)
{
	return code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP;
}

bool at_wait_on(struct at_wait *self, const char *path, int code)
{
	double most = patience.seconds > 0 ? patience.seconds : WAIT_SECONDS;
	struct timespec pause = { .tv_nsec = PAUSE_FIRST_NS };
	char text[512];

	if (self->is_over)
		return false;
	if (!self->began_ns) {
		self->began_ns = at_clock_now_ns();
		self->hurry_began_ns = 0;
		self->told_seconds = 0;
	}
	self->waited_seconds = seconds_since(self->began_ns);
	if (at_interrupt_was_noted() && !self->hurry_began_ns)
		self->hurry_began_ns = at_clock_now_ns();
	self->was_called_off = self->hurry_began_ns &&
			       seconds_since(self->hurry_began_ns) >= HURRY_SECONDS;
	if (self->waited_seconds >= LOCKLESS_SECONDS && is_lockless(code))
		self->no_locks = code;
	self->is_over =
		self->was_called_off || self->no_locks || self->waited_seconds >= most;
	if (self->is_over)
		return false;
	if (patience.tell && self->waited_seconds >= TOLD_SECONDS &&
		(self->told_seconds <= 0 ||
			self->waited_seconds >=
				self->told_seconds + TOLD_AGAIN_SECONDS)) {
		self->told_seconds = self->waited_seconds;
		snprintf(text, sizeof(text),
			"waiting for %.300s: another process has had it locked for %.0f s",
			path, self->waited_seconds);
		patience.tell(patience.context, text);
	}
	/* half as long as it has waited so far, within bounds */
	while (2 * pause.tv_nsec <= PAUSE_MOST_NS &&
		(double)pause.tv_nsec * 2e-9 < self->waited_seconds)
		pause.tv_nsec *= 2;
	nanosleep(&pause, NULL);
	return true;
}

enum at_status at_wait_fail(
	const struct at_wait *self, const char *path, struct at_error *err)
{
	char waited[32];

	if (self->no_locks)
		return at_wait_fail_unlocked(path, self->no_locks, err);
	/* SQLite gave up without calling its busy handler */
	if (!self->began_ns)
		return at_fail(err, AT_EIO, path, 0,
			"another process has the record locked: let it end and run the same command again");
	if (self->was_called_off)
		return at_fail(err, AT_EINTERRUPTED, path, 0,
			"another process has the record locked: what came last is not recorded");
	at_text_duration(self->waited_seconds * 1e9, waited, sizeof(waited));
	return at_fail(err, AT_EIO, path, 0,
		"another process kept the record locked for %s: let it end and run the same command again",
		waited);
}

enum at_status at_wait_fail_unlocked(const char *path, int code, struct at_error *err)
{
	return at_fail(err, AT_EIO, path, 0,
		"its file system has no locks (%s), without which runs would damage the record: choose a place on a local disk with --results DIR",
		strerror(code));
}
