/* Waits for locks of other processes on a record: see record/wait.h. */

/* for mkostemp(), which is in BSD and glibc but not in POSIX 2008 */
#define _DEFAULT_SOURCE
#define _GNU_SOURCE
#include "record/wait.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/owner.h"
#include "base/text.h"
#include "record/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Merging a million evaluations holds the lock for less, even on a busy machine. */
#define WAIT_SECONDS 120.0
/* pauses between two tries: short at first, since most locks are held for
   microseconds */
#define PAUSE_FIRST_NS 500000
#define PAUSE_MOST_NS 20000000
/* after this long, which is unusual, it is probed whether the file system has locks */
#define PROBED_SECONDS 0.25
/* when the user is told of a wait, and told again */
#define TOLD_SECONDS 2.0
#define TOLD_AGAIN_SECONDS 60.0
/*
 * The longest wait once the user has asked for the end. What a run still writes then,
 * its crown and its end, takes a handful of waits, and all of them must fit into a
 * second.
 */
#define HURRY_SECONDS 0.1

/* Which bytes SQLite locks: of the log's index in unixShmLock(), and of the database
   itself PENDING_BYTE and those behind it (os_unix.c, os.h). */
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
	/* only what at_wait_on() looks at, since this is called before every call */
	self->began_ns = 0;
	self->is_over = self->was_called_off = false;
	self->no_locks = 0;
}

static double seconds_since(uint64_t began_ns)
{
	return (double)(at_clock_now_ns() - began_ns) * 1e-9;
}

/* Finds the process that has the lock, as far as the kernel tells it without opening
   the file. */
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

/*
 * 0, or the errno that says that the file system has no locks. SQLite takes ENOLCK, as
 * of NFS without its lock daemon, for a lock of another process; trying to lock a file
 * of our own tells the two apart. The record itself cannot be tried: closing it would
 * drop its locks.
 */
static int find_no_locks(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char *folder = at_path_directory(path);
	char *name = folder ? at_path_join(folder, ".autotune-lock-XXXXXX") : NULL;
	int file = name ? mkostemp(name, O_CLOEXEC) : -1, code = 0;

	if (file >= 0) {
		unlink(name);
		if (fcntl(file, F_SETLK, &lock) < 0 && errno != EAGAIN &&
			errno != EACCES && errno != EINTR)
			code = errno;
		close(file);
	}
	free(name);
	free(folder);
	return code;
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
		self->is_probed = false;
		self->owner[0] = '\0';
	}
	self->waited_seconds = seconds_since(self->began_ns);
	self->is_over = is_over(self);
	if (self->waited_seconds >= PROBED_SECONDS && !self->is_probed) {
		self->is_probed = true;
		self->no_locks = find_no_locks(path);
		self->is_over = self->is_over || self->no_locks;
	}
	if (self->is_over) {
		find_owner(self, path);
		return false;
	}
	if (self->waited_seconds >= TOLD_SECONDS &&
		(self->told_seconds <= 0 ||
			self->waited_seconds >=
				self->told_seconds + TOLD_AGAIN_SECONDS))
		tell(self, path);
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
			"%s has the record locked: what came last is not recorded",
			owner_of(self));
	at_text_duration(self->waited_seconds * 1e9, waited, sizeof(waited));
	return at_fail(err, AT_EIO, path, 0,
		"%s kept the record locked for %s: let it end and run the same command again",
		owner_of(self), waited);
}

enum at_status at_wait_fail_unlocked(const char *path, int code, struct at_error *err)
{
	return at_fail(err, AT_EIO, path, 0,
		"its file system has no locks (%s), without which runs would damage the record: choose a place on a local disk with --results DIR",
		strerror(code));
}
