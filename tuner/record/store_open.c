/*
 * Opens a store: to write, to read where nothing may be written, in memory.
 *
 * Three things keep SQLite from reading a file where it may not write. A database in
 * WAL mode needs its log and the log's index, and makes them: so a file without a log
 * is opened as one without writers. Where a killed process left a log, the last
 * commits are only in that log: both files are copied to where they can be put
 * together. And tables of an older version must be changed: that is done in memory.
 */
#include "base/file.h"
#include "base/scratch.h"
#include "base/memory.h"
#include "record/store_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define NAME "autotune.db"
#define LOG "-wal"

/* only after the migration, where a step may replace a table that others refer to */
static enum at_status use_references(struct at_store *self, struct at_error *err)
{
	return at_sqlite_execute(self->database, "PRAGMA foreign_keys = ON", err);
}

/*
 * Whether other machines may have the folder, too. The log's index is memory that
 * processes share, which processes of two machines cannot (sqlite.org, "Write-Ahead
 * Logging"), so a rollback journal is used there. FUSE counts as well, since anything
 * may be behind it.
 */
static bool is_shared_by_machines(const char *directory)
{
	/* type numbers of file systems, from statfs(2) */
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
	/* the version is checked before anything in the file is changed */
	if (!status)
		status = at_store_check(self, &is_current, err);
	if (!status)
		status = is_shared_by_machines(directory) && !alone
				 ? at_sqlite_use_journal(self->database, err)
				 : at_sqlite_use_log(self->database, err);
	/* takes the write lock only where there is something to do */
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

	/* with a log no writer waits for readers; with a journal it does */
	if (is_shared_by_machines(at_sqlite_path(self->database)))
		return AT_OK;
	status = at_sqlite_execute(self->database, "BEGIN", err);
	/* SQLite takes its snapshot when something is read */
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
	at_store_close(self->copy);
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
	/* this fails while another process has it open; one that closed it just before
	   may have added something, so it is checked again */
	return !at_sqlite_end_log(self->database, NULL) && !has_measured(self);
}

void at_store_close_failed(struct at_store *self)
{
	/* SQLite may have left the index when the log was folded into the file */
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
	enum at_status status;

	status = at_sqlite_open_memory(name, &self->database, err);
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

/* ---- reading ---------------------------------------------------------------- */

/* With the rights that opening the file will have. Root may write everywhere but on a
   read-only file system. */
static bool may_write(const char *path)
{
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

/* Replaces the database of self by a copy in memory. */
static enum at_status move_to_memory(
	struct at_store *self, const char *path, struct at_error *err)
{
	struct at_sqlite *memory = NULL;
	enum at_status status = at_sqlite_open_memory(path, &memory, err);

	if (!status)
		status = at_sqlite_copy(self->database, memory, err);
	if (status) {
		at_sqlite_close(memory);
		return status;
	}
	at_sqlite_close(self->database);
	self->database = memory;
	return AT_OK;
}

/* Opens the file for reading in one of the ways, and checks that it is a record. */
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

static enum at_status copy_file(const char *from, const char *to, struct at_error *err)
{
	char *data;
	size_t size;
	enum at_status status = at_file_read(from, 0, &data, &size, err);

	if (status)
		return status;
	status = at_file_replace(to, data, size, err);
	free(data);
	return status;
}

/* The same with a copy of the file and its log, which is then moved to memory. */
static enum at_status try_copy(struct at_store *self, const char *path, const char *log,
	bool *is_current, struct at_error *err)
{
	struct at_scratch folder;
	struct at_error reason = { 0 };
	char *copy = NULL, *copied_log = NULL;
	enum at_status status = at_scratch_make(&folder, "autotune-record", &reason);

	if (status)
		return at_fail(err, status, path, 0,
			"a killed process left a log beside this record, which is copied to put both together, and that cannot be done in %s (%.200s): choose another place with TMPDIR",
			at_scratch_place(), reason.text);
	copy = at_path_join(folder.path, NAME);
	copied_log = at_path_join(folder.path, NAME LOG);
	status = copy_file(path, copy, err);
	if (!status)
		status = copy_file(log, copied_log, err);
	if (!status)
		status = at_sqlite_open(copy, &self->database, err);
	if (!status)
		status = at_store_check(self, is_current, err);
	if (!status)
		status = move_to_memory(self, path, err);
	if (status) {
		at_sqlite_close(self->database);
		self->database = NULL;
	}
	at_scratch_remove(&folder);
	free(copied_log);
	free(copy);
	return status;
}

/* why: what opening it to write met; status 0: its rights do not let it be written. */
static enum at_status read_in_place(struct at_store *self, const char *path,
	const struct at_error *why, struct at_error *err)
{
	char *log = NULL;
	struct at_strbuf name = { 0 };
	struct at_error reason = { 0 };
	bool is_current = false;
	enum at_status status;
	struct stat facts;

	at_strbuf_addf(&name, "%s" LOG, path);
	log = at_strbuf_detach(&name);
	status = try_reading(self, path, false, &is_current, &reason);
	/* the index of the log cannot be made, or the file cannot be opened at all */
	if (status == AT_EIO) {
		if (at_file_may_exist(log) &&
			(stat(log, &facts) < 0 || facts.st_size > 0)) {
			at_error_clear(&reason);
			status = try_copy(self, path, log, &is_current, &reason);
		} else {
			struct at_error again = { 0 };

			status = try_reading(self, path, true, &is_current, &again);
			/* if that fails to open the file too, the first reason is the
			   better one; any other failure was found in the opened file */
			if (status != AT_EIO)
				reason = again;
		}
	}
	if (status && err)
		*err = reason;
	if (!status && !is_current)
		status = move_to_memory(self, path, err);
	if (!status && !is_current)
		status = at_store_migrate(self, err);
	/* what is added to a copy in memory would be lost, and removed nowhere else */
	if (!status)
		status = at_sqlite_refuse_writing(self->database, why, err);
	free(log);
	return status;
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
		/* a file server may refuse what the rights of the file allow */
		if (status != AT_EIO)
			goto tell;
	}
	self = at_calloc(1, sizeof(*self));
	status = read_in_place(self, path, &reason, &again);
	if (!status)
		status = use_references(self, &again);
	/* the reason why it cannot be written is the better one */
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
