/*
 * Opens a store: for writing, for reading, in memory.
 *
 * Three things prevent SQLite from reading a file that it may not write. A database in
 * WAL mode needs its log and the log's index, and makes them: so a file without a log
 * is opened as one without writers. If a killed process left a log, only the log has
 * the last commits: both files are copied to where they can be merged. Tables of an
 * older version must be changed: that is done in memory.
 */
#include "base/file.h"
#include "base/scratch.h"
#include "base/memory.h"
#include "record/store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define NAME "autotune.db"
#define LOG "-wal"

/* only after the migration, in which a step may replace a table that others refer to */
static enum at_status use_references(struct at_store *self, struct at_error *err)
{
	return at_sqlite_execute(self->database, "PRAGMA foreign_keys = ON", err);
}

/* Whether other machines may share the folder. The log's index is shared memory, which
   two machines cannot share (sqlite.org, "Write-Ahead Logging"), so a rollback journal
   is used. FUSE counts, since anything may be behind it. */
static bool is_shared_by_machines(const char *directory)
{
	/* type numbers of file systems (statfs(2)) */
	static const uint32_t kinds[] = {
		0x6969, /* NFS */
		0xff534d42, /* CIFS */
		0xfe534d42, /* SMB 2 */
		0x517b, /* SMB */
		0x01021997, /* 9P */
		0x65735546, /* FUSE */
		0x00c36400, /* Ceph */
		0x0bd00bd0, /* Lustre */
		0x47504653, /* GPFS */
		0x19830326, /* BeeGFS */
		0x01161970, /* GFS2 */
		0x7461636f, /* OCFS2 */
		0x5346414f, /* AFS */
		0x6b414653, /* AFS of the kernel */
		0x73757245, /* Coda */
	};
	struct statfs facts;

	if (statfs(directory, &facts) < 0)
		return false;
	for (size_t i = 0; i < AT_COUNT_OF(kinds); i++)
		if ((uint32_t)facts.f_type == kinds[i])
			return true;
	return false;
}

static enum at_status open_store(
	const char *directory, bool alone, struct at_store **out, struct at_error *err)
{
	struct at_store *self = at_calloc(1, sizeof(*self));
	char *path = at_path_join(directory, NAME);
	struct at_error reason = { 0 };
	bool is_current = false;
	enum at_status status;
	size_t missing;

	self->is_new = !at_file_may_exist(path);
	self->missing = at_directory_missing(directory);
	status = at_directory_make(directory, &reason);
	if (status) {
		at_fail(err, status, directory, 0,
			"%s; choose another place with --results DIR", reason.text);
		goto close;
	}
	status = at_sqlite_open(path, &self->database, err);
	if (!status && alone)
		status = at_sqlite_be_alone(self->database, err);
	/* check the version before changing anything in the file */
	if (!status)
		status = at_store_check(self, &is_current, err);
	if (!status)
		status = is_shared_by_machines(directory) && !alone
				 ? at_sqlite_use_journal(self->database, err)
				 : at_sqlite_use_log(self->database, err);
	/* takes the write lock only if necessary */
	if (!status && !is_current)
		status = at_store_migrate(self, err);
	if (!status)
		status = use_references(self, err);
	if (!status) {
		self->is_shared = !alone;
		*out = self;
		self = NULL;
	}
close:
	missing = self ? self->missing : 0;
	at_store_close(self);
	if (status)
		at_directory_unmake(directory, missing);
	free(path);
	return status;
}

enum at_status at_store_open(
	const char *directory, struct at_store **out, struct at_error *err)
{
	return open_store(directory, false, out, err);
}

enum at_status at_store_open_alone(
	const char *directory, struct at_store **out, struct at_error *err)
{
	return open_store(directory, true, out, err);
}

enum at_status at_store_begin_reading(struct at_store *self, struct at_error *err)
{
	enum at_status status;
	int64_t count;

	/* with a journal, unlike with a log, writers wait for readers */
	if (is_shared_by_machines(at_sqlite_path(self->database)))
		return AT_OK;
	status = at_sqlite_execute(self->database, "BEGIN", err);
	/* SQLite takes its snapshot at the first read */
	if (!status)
		status = at_sqlite_integer(self->database,
			"SELECT count(*) FROM sqlite_schema", &count, err);
	if (status)
		at_sqlite_rollback(self->database);
	return status;
}

enum at_status at_store_enter(struct at_store *self, bool *begins, struct at_error *err)
{
	return at_sqlite_enter(self->database, false, begins, err);
}

void at_store_end_reading(struct at_store *self)
{
	at_sqlite_rollback(self->database);
}

void at_store_close(struct at_store *self)
{
	if (!self)
		return;
	at_store_end_claims(self);
	at_sqlite_close(self->database);
	at_store_close(self->refused);
	free(self);
}

static bool has_measured(struct at_store *self)
{
	static const char all[] =
		"SELECT (SELECT count(*) FROM evaluations) + (SELECT count(*) FROM crowns)"
		" + (SELECT count(*) FROM revisits) + (SELECT count(*) FROM ceilings)";
	int64_t count = 0;

	return at_sqlite_integer(self->database, all, &count, NULL) || count;
}

/* Whether removing it loses nothing: it is new and empty, and no other process has it
   open. */
static bool may_go(struct at_store *self)
{
	if (!self->is_new || !self->is_shared || has_measured(self) ||
		is_shared_by_machines(at_sqlite_path(self->database)))
		return false;
	/* fails if another process has it open; one that just closed it may have added
	   something, so check again */
	return !at_sqlite_end_log(self->database, NULL) && !has_measured(self);
}

void at_store_close_failed(struct at_store *self)
{
	/* SQLite may leave the index after folding the log */
	static const char *const ends[] = { "", LOG, "-shm" };
	size_t missing = self ? self->missing : 0;
	char *path = NULL, *folder;
	char name[4096];

	if (self && may_go(self))
		path = at_strdup(at_sqlite_path(self->database));
	folder = path ? at_path_directory(path) : NULL;
	at_store_close(self);
	for (size_t i = 0; path && i < AT_COUNT_OF(ends); i++)
		if ((size_t)snprintf(name, sizeof(name), "%s%s", path, ends[i]) <
			sizeof(name))
			unlink(name);
	if (folder)
		at_directory_unmake(folder, missing);
	free(path);
	free(folder);
}

enum at_status at_store_open_memory(
	const char *name, struct at_store **out, struct at_error *err)
{
	struct at_store *self = at_calloc(1, sizeof(*self));
	enum at_status status = at_sqlite_open_memory(name, &self->database, err);

	if (!status)
		status = at_store_migrate(self, err);
	if (!status)
		status = use_references(self, err);
	if (status)
		at_store_close(self);
	else
		*out = self;
	return status;
}

/* With the permissions of opening the file. Root may write anywhere except on a
   read-only file system. */
static bool may_write(const char *path)
{
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

/* Replaces self's database by a copy in memory. */
static enum at_status move_to_memory(
	struct at_store *self, const char *path, struct at_error *err)
{
	struct at_sqlite *memory = NULL;
	enum at_status status = at_sqlite_open_memory(path, &memory, err);

	if (!status)
		status = at_sqlite_copy(self->database, memory, "main", err);
	if (status) {
		at_sqlite_close(memory);
		return status;
	}
	at_sqlite_close(self->database);
	self->database = memory;
	return AT_OK;
}

/* Opens the file for reading in either way, and checks that it is a record. */
static enum at_status try_reading(struct at_store *self, const char *path,
	bool is_alone, bool *is_current, struct at_error *err)
{
	enum at_status status =
		at_sqlite_open_reading(path, is_alone, &self->database, err);

	if (!status)
		status = at_store_check(self, is_current, err);
	if (status) {
		at_sqlite_close(self->database);
		self->database = NULL;
	}
	return status;
}

/* ---- a copy, if merging file and log needs writing ------------------------- */

/* tries to copy: a busy log is folded every few seconds at most */
#define TRIES 5
#define COPY_BYTES ((size_t)1 << 20)

/* the file, and what may have newer contents */
static const char *const parts[] = { "", LOG, "-journal" };

/* Whether there is a log or a journal that is not empty. */
static bool has_log(const char *path)
{
	bool found = false;

	for (size_t i = 1; i < AT_COUNT_OF(parts) && !found; i++) {
		struct at_strbuf name = { 0 };
		struct stat facts;

		at_strbuf_addf(&name, "%s%s", path, parts[i]);
		found = at_file_may_exist(name.data) &&
			(stat(name.data, &facts) < 0 || facts.st_size > 0);
		at_strbuf_release(&name);
	}
	return found;
}

static enum at_status fail_errno(
	struct at_error *err, const char *path, const char *what)
{
	return at_fail(err, errno == ENOENT ? AT_ENOENT : AT_EIO, path, 0,
		"cannot %s: %s", what, strerror(errno));
}

static bool is_same_state(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Copies a file, if it exists. */
static enum at_status copy_file(const char *from, const char *to, struct at_error *err)
{
	uint64_t size;
	ssize_t copied;
	int source, target;
	enum at_status status = AT_OK;

	if (unlink(to) < 0 && errno != ENOENT)
		return fail_errno(err, to, "write it");
	if (!at_file_may_exist(from))
		return AT_OK;
	status = at_file_open(from, &source, &size, err);
	if (status)
		return status;
	target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (target < 0) {
		status = fail_errno(err, to, "write it");
		goto close_source;
	}
	do
		copied = sendfile(target, source, NULL, COPY_BYTES);
	while (copied > 0 || (copied < 0 && errno == EINTR));
	if (copied < 0)
		status = at_fail(err, AT_EIO, from, 0,
			"cannot make a copy to read it from: %s; set TMPDIR to a folder with room for it",
			strerror(errno));
	if (close(target) < 0 && !status)
		status = fail_errno(err, to, "write it");
close_source:
	close(source);
	return status;
}

/* Copies file and log consistently. */
static enum at_status copy_parts(const char *path, const char *to, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (int i = 0; i < TRIES && !status; i++) {
		struct stat before, after;

		if (stat(path, &before) < 0)
			return fail_errno(err, path, "read it");
		for (size_t k = 0; k < AT_COUNT_OF(parts) && !status; k++) {
			struct at_strbuf source = { 0 }, target = { 0 };

			at_strbuf_addf(&source, "%s%s", path, parts[k]);
			at_strbuf_addf(&target, "%s%s", to, parts[k]);
			status = copy_file(source.data, target.data, err);
			at_strbuf_release(&source);
			at_strbuf_release(&target);
		}
		if (!status && stat(path, &after) < 0)
			status = fail_errno(err, path, "read it");
		if (!status && is_same_state(&before, &after))
			return AT_OK;
	}
	return status ? status
		      : at_fail(err, AT_EIO, path, 0,
				"is written to all the time: try again when the run has ended");
}

/* Opens a copy of the file and its log in memory. */
static enum at_status try_copy(
	struct at_store *self, const char *path, bool *is_current, struct at_error *err)
{
	struct at_scratch folder;
	struct at_error reason = { 0 };
	char *copy = NULL;
	enum at_status status = at_scratch_make(&folder, "autotune-record", &reason);

	if (status)
		return at_fail(err, status, path, 0,
			"a process that was killed, or writes, has a log beside this record, which is copied to put both together, and that cannot be done in %s (%.200s): choose another place with TMPDIR",
			at_scratch_place(), reason.text);
	copy = at_path_join(folder.path, NAME);
	status = copy_parts(path, copy, err);
	if (!status) {
		status = at_sqlite_open(copy, &self->database, &reason);
		if (!status)
			status = at_store_check(self, is_current, &reason);
		if (!status)
			status = move_to_memory(self, path, &reason);
		/* the user does not know the copy */
		if (status)
			at_fail(err, status, path, 0, "%s", reason.text);
	}
	if (status) {
		at_sqlite_close(self->database);
		self->database = NULL;
	}
	at_scratch_remove(&folder);
	free(copy);
	return status;
}

/* ---- reading ---------------------------------------------------------------- */

/* Reading another machine's record adds nothing to its folder. */
static enum at_status read_in_place(
	struct at_store *self, const char *path, struct at_error *err)
{
	struct at_error reason = { 0 };
	bool is_current = false;
	enum at_status status = AT_EIO;

	if (!self->is_foreign)
		status = try_reading(self, path, false, &is_current, &reason);
	/* the log's index cannot be made, or the file cannot be opened */
	if (status == AT_EIO && has_log(path)) {
		at_error_clear(&reason);
		self->is_copy = true;
		status = try_copy(self, path, &is_current, &reason);
	} else if (status == AT_EIO) {
		struct at_error again = { 0 };

		status = try_reading(self, path, true, &is_current, &again);
		/* the first reason is better if this also fails to open the file; other
		   failures are of the opened file */
		if (status != AT_EIO || self->is_foreign)
			reason = again;
	}
	if (status && err)
		*err = reason;
	if (!status && !is_current)
		status = move_to_memory(self, path, err);
	if (!status && !is_current)
		status = at_store_migrate(self, err);
	return status;
}

enum at_status at_store_open_foreign(
	const char *path, struct at_store **out, struct at_error *err)
{
	struct at_store *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->is_foreign = true;
	status = stat(path, &self->seen) < 0 ? fail_errno(err, path, "read it")
					     : read_in_place(self, path, err);
	if (status)
		at_store_close(self);
	else
		*out = self;
	return status;
}

enum at_status at_store_check_foreign(const struct at_store *self, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	struct stat now;

	if (self->is_copy)
		return AT_OK;
	if (stat(path, &now) < 0)
		return fail_errno(err, path, "read it");
	if (is_same_state(&self->seen, &now))
		return AT_OK;
	return at_fail(err, AT_EINVAL, path, 0,
		"was written to while it was read: import it again; nothing of it was taken");
}

enum at_status at_store_open_reading(
	const char *directory, struct at_store **out, struct at_error *err)
{
	char *path = at_path_join(directory, NAME);
	struct at_error reason = { 0 }, again = { 0 };
	struct at_store *self = NULL;
	enum at_status status = AT_EIO;

	if (!at_file_may_exist(path)) {
		status = at_fail(err, AT_ENOENT, path, 0, "there is no record");
		goto free_path;
	}
	if (may_write(path) && may_write(directory)) {
		status = at_store_open(directory, out, &reason);
		/* a file server may refuse what the permissions allow */
		if (status != AT_EIO)
			goto tell;
	}
	self = at_calloc(1, sizeof(*self));
	status = read_in_place(self, path, &again);
	/* additions to a copy in memory would be lost, removals would have no effect */
	if (!status)
		status = at_sqlite_refuse_writing(self->database, &reason, &again);
	if (!status)
		status = use_references(self, &again);
	/* the reason for not writing is the better one */
	if (status && !reason.status)
		reason = again;
	if (status)
		at_store_close(self);
	else
		*out = self;
tell:
	if (status && err && !err->status)
		*err = reason;
free_path:
	free(path);
	return status;
}
