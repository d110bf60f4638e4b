#include "record/wait.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/owner.h"
#include "base/text.h"
#include "record/store.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* A million evaluations are merged in less, on a busy machine too. */
#define WAIT_SECONDS 120.0
/* between two tries: short at first, since most locks are held for microseconds */
#define PAUSE_FIRST_NS 500000
#define PAUSE_MOST_NS 20000000
/* a wait that a person should hear of, and then again */
#define TOLD_SECONDS 2.0
#define TOLD_AGAIN_SECONDS 60.0
/*
 * Of each wait once somebody has asked for the end: what a run still writes then, its
 * claims, its crown and its end, is a handful, and all of it is to take a second.
 */
#define HURRY_SECONDS 0.15

/* Where SQLite locks bytes: of the log's index in unixShmLock(), of the database itself
   PENDING_BYTE and what follows (os_unix.c, os.h) */
#define LOG_LOCKS_FIRST 120
#define LOG_LOCKS_LAST 127
#define FILE_LOCKS_FIRST 0x40000000
#define FILE_LOCKS_LAST (FILE_LOCKS_FIRST + 511)

static struct at_patience patience;

void at_store_be_patient(const struct at_patience *given)
{
	patience = given ? *given : (struct at_patience){ 0 };
}

void at_wait_init(struct at_wait *self)
{
	/* called before everything that may meet a lock: no more than is looked at */
	self->began_ns = 0;
	self->is_over = self->was_called_off = false;
}

static double seconds_since(uint64_t began_ns)
{
	return (double)(at_clock_now_ns() - began_ns) * 1e-9;
}

/* As far as the kernel tells; nothing is opened for that. */
static void find_owner(struct at_wait *self, const char *path)
{
	struct at_strbuf name = { 0 };
	struct stat facts;
	int64_t owner = 0;

	at_strbuf_addf(&name, "%s-shm", path);
	if (!name.failed && !stat(name.data, &facts))
		owner = at_lock_owner(
			&facts, AT_LOCK_BYTES, LOG_LOCKS_FIRST, LOG_LOCKS_LAST);
	if (!owner && !stat(path, &facts))
		owner = at_lock_owner(
			&facts, AT_LOCK_BYTES, FILE_LOCKS_FIRST, FILE_LOCKS_LAST);
	at_strbuf_release(&name);
	at_process_describe(owner, self->owner, sizeof(self->owner));
}

static const char *owner_of(const struct at_wait *self)
{
	return self->owner[0] ? self->owner : "another process";
}

static void tell(struct at_wait *self, const char *path)
{
	char text[512];

	self->told_seconds = self->waited_seconds;
	find_owner(self, path);
	if (!patience.tell)
		return;
	snprintf(text, sizeof(text),
		"waiting for %.300s: %s has had it locked for %.0f s", path,
		owner_of(self), self->waited_seconds);
	patience.tell(patience.context, text);
}

static bool is_over(struct at_wait *self)
{
	double most = patience.seconds > 0 ? patience.seconds : WAIT_SECONDS;

	if (at_interrupt_was_noted() && !self->hurry_began_ns)
		self->hurry_began_ns = at_clock_now_ns();
	self->was_called_off = self->hurry_began_ns &&
			       seconds_since(self->hurry_began_ns) >= HURRY_SECONDS;
	return self->was_called_off || self->waited_seconds >= most;
}

bool at_wait_on(struct at_wait *self, const char *path)
{
	struct timespec pause = { .tv_nsec = PAUSE_FIRST_NS };

	if (self->is_over)
		return false;
	if (!self->began_ns) {
		self->began_ns = at_clock_now_ns();
		self->hurry_began_ns = 0;
		self->told_seconds = 0;
		self->owner[0] = '\0';
	}
	self->waited_seconds = seconds_since(self->began_ns);
	self->is_over = is_over(self);
	if (self->is_over) {
		find_owner(self, path);
		return false;
	}
	if (self->waited_seconds >= TOLD_SECONDS &&
		(self->told_seconds <= 0 ||
			self->waited_seconds >=
				self->told_seconds + TOLD_AGAIN_SECONDS))
		tell(self, path);
	/* half as long as it took so far, within bounds */
	while (pause.tv_nsec < PAUSE_MOST_NS &&
		(double)pause.tv_nsec * 2e-9 < self->waited_seconds)
		pause.tv_nsec *= 2;
	nanosleep(&pause, NULL);
	return true;
}

enum at_status at_wait_fail(
	const struct at_wait *self, const char *path, struct at_error *err)
{
	char waited[32];

	/* SQLite did not ask whether to wait */
	if (!self->began_ns)
		return at_fail(err, AT_EIO, path, 0,
			"another process has the record locked: let it end and run the same command again");
	if (self->was_called_off)
		return at_fail(err, AT_EINTERRUPTED, path, 0,
			"%s has the record locked: what came last is not recorded",
			owner_of(self));
	at_text_duration(self->waited_seconds * 1e9, waited, sizeof(waited));
	return at_fail(err, AT_EIO, path, 0,
		"%s kept the record locked for %s: let it end and run the same command again",
		owner_of(self), waited);
}
