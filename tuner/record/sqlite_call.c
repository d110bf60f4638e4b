/* Calls of SQLite that may have to wait for locks, and their failures in words. */
#include "record/sqlite_parts.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

static enum at_status fail_room(
	struct at_sqlite *self, const char *why, struct at_error *err)
{
	return at_fail(err, AT_EIO, self->path, 0,
		"%s: free some room and run the same command again; nothing recorded was lost",
		why);
}

static enum at_status fail_file_limit(struct at_sqlite *self, struct at_error *err)
{
	return at_fail(err, AT_EIO, self->path, 0,
		"the limit on file sizes is reached: raise it (`ulimit -f`), or forget what is not wanted any more, and run the same command again; nothing recorded was lost");
}

/* SQLite keeps the system's reason for some failures but not for others, such as a
   failed COMMIT. errno still has it then, as it is cleared before each call. */
static int system_code(const struct at_sqlite *self)
{
	int left_over = errno;
	int code = sqlite3_system_errno(self->handle);

	return code ? code : left_over;
}

static bool file_size_is_limited(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY;
}

static const char *reason(const struct at_sqlite *self, int code)
{
	/* ENOENT: SQLite tried again to open for reading what it could not make */
	return code && code != ENOENT ? strerror(code) : sqlite3_errmsg(self->handle);
}

static enum at_status fail_read_only(struct at_sqlite *self, struct at_error *err)
{
	if (self->refusal.status)
		return at_fail(err, self->refusal.status, self->refusal.file,
			self->refusal.line, "%s", self->refusal.text);
	return at_fail(err, AT_EIO, self->path, 0,
		"the record or its directory is read-only: make both writable, or choose another place with --results DIR");
}

static enum at_status fail_io(struct at_sqlite *self, struct at_error *err)
{
	int code = system_code(self);

	switch (code) {
	case ENOSPC:
		return fail_room(self, "the disk is full", err);
	case EDQUOT:
		return fail_room(self, "the disk quota is used up", err);
	case EFBIG:
		return fail_file_limit(self, err);
	case EROFS:
		return fail_read_only(self, err);
	case ENOLCK:
	case ENOSYS:
	case EOPNOTSUPP:
		return at_wait_fail_unlocked(self->path, code, err);
	default:
		/* SQLite keeps no reason for failures to write its index, which grows
		   by other calls */
		if (!code && file_size_is_limited())
			return fail_file_limit(self, err);
		self->is_damaged = true;
		return at_fail(err, AT_EIO, self->path, 0,
			"cannot read or write the record (%s): fix the disk and run the same command again",
			reason(self, code));
	}
}

/* A record that is to be written cannot be opened. SQLite needs a log beside it; where
   it cannot make one it tries to read it, and forgets why. Making another file there
   tells. */
static enum at_status fail_open(struct at_sqlite *self, struct at_error *err)
{
	int code = system_code(self);

	if (!code || code == ENOENT)
		code = at_file_try_beside(self->path);
	switch (code) {
	case ENOSPC:
		return fail_room(self, "the disk is full", err);
	case EDQUOT:
		return fail_room(self, "the disk quota is used up", err);
	case EROFS:
		return fail_read_only(self, err);
	case EMFILE:
	case ENFILE:
		/* the file and its folder are well; how to raise the limit is said
		   behind this */
		return at_fail(err, AT_EIO, self->path, 0, "cannot open the record: %s",
			reason(self, code));
	default:
		return at_fail(err, AT_EIO, self->path, 0,
			"cannot open the record (%s): let the file and its directory be written, or choose another place with --results DIR",
			reason(self, code));
	}
}

enum at_status sqlite_fail(struct at_sqlite *self, int code, struct at_error *err)
{
	const char *path = self->path;

	/* SQLITE_ERROR: a table is missing, so the file has become another database */
	if (code == SQLITE_ERROR || (code & 0xff) == SQLITE_CORRUPT ||
		(code & 0xff) == SQLITE_NOTADB || code == SQLITE_IOERR_SHORT_READ)
		self->is_damaged = true;
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return at_fail_memory(err);
	case SQLITE_FULL:
		return fail_room(self, "the disk is full", err);
	case SQLITE_IOERR:
		return fail_io(self, err);
	case SQLITE_READONLY:
		return fail_read_only(self, err);
	case SQLITE_PERM:
	case SQLITE_CANTOPEN:
		if (self->is_reading)
			return at_fail(err, AT_EIO, path, 0,
				"cannot open the record (%s): let the file and its directory be read, or choose another place with --results DIR",
				reason(self, system_code(self)));
		return fail_open(self, err);
	case SQLITE_NOTADB:
		return at_fail(err, AT_EINVAL, path, 0,
			"is not a record (no SQLite database): move it away, or choose another place with --results DIR");
	case SQLITE_CORRUPT:
		return at_fail(err, AT_EIO, path, 0,
			"the record is damaged (%s): save what can be read with `sqlite3 FILE .recover`, then move it away and run again",
			sqlite3_errmsg(self->handle));
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return at_wait_fail(&self->wait, path, err);
	case SQLITE_CONSTRAINT:
		return at_fail(err, AT_EINVAL, path, 0, "does not fit the record: %s",
			sqlite3_errmsg(self->handle));
	default:
		return at_fail(err, AT_EIO, path, 0, "SQLite: %s",
			sqlite3_errmsg(self->handle));
	}
}

void sqlite_begin_call(struct at_sqlite *self)
{
	errno = 0;
	at_wait_init(&self->wait);
}

bool sqlite_try_again(struct at_sqlite *self, int code)
{
	int left_over = errno;

	errno = 0;
	return (code & 0xff) == SQLITE_BUSY &&
	       at_wait_on(&self->wait, self->path, left_over);
}

/* ---- the whole connection -------------------------------------------------------- */

void at_sqlite_drop_cache(struct at_sqlite *self)
{
	sqlite3_db_release_memory(self->handle);
}
