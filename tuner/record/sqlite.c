/* Databases of SQLite: opened, copied, closed; their logs and transactions.
   sqlite_call.c waits and words errors. */
#include "record/sqlite_parts.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The largest value seen, the log of a compiler, has some MB. */
#define VALUE_BYTES_MAX (256 << 20)

/*
 * For each connection. A run adds to indexes, whose pages must stay in the cache: with
 * a million rows and SQLite's default of 2 MB they were read again for every row, a
 * fifth of the time of an insertion. Memory is only taken as far as it is used.
 */
#define TUNING "PRAGMA cache_size = -16000" /* KiB */
/*
 * Fold the log at 4000 pages of 4 KiB, 16 MB. With a larger log a page that changed
 * many times is written to the file once, but after a kill the next opening must read
 * the whole log: some milliseconds at this size.
 */
#define USING_LOG "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000"

/* SQLite's busy handler: waits for a lock, or gives up by returning 0. */
static int busy(void *context, int count)
{
	struct at_sqlite *self = context;

	(void)count;
	return at_wait_on(&self->wait, self->path, errno);
}

/* The file may come from a stranger: nothing in its schema is run (views, triggers,
   functions with effects), and SQLite refuses to write what would damage the file. */
static void harden(sqlite3 *handle)
{
	static const struct {
		int what, value;
	} switches[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
		{ SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0 },
		{ SQLITE_DBCONFIG_DQS_DDL, 0 },
		{ SQLITE_DBCONFIG_DQS_DML, 0 },
	};

	/* a library that does not know one of them returns an error, and nothing else
	   can be done about it */
	for (size_t i = 0; i < AT_COUNT_OF(switches); i++)
		sqlite3_db_config(
			handle, switches[i].what, switches[i].value, (int *)NULL);
	sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
	sqlite3_exec(handle, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

/* name: what SQLite opens; path: what errors name. */
static enum at_status open_as(const char *name, const char *path, int flags,
	struct at_sqlite **out, struct at_error *err)
{
	struct at_sqlite *self;
	enum at_status status;
	int code;

	/* SQLite would wait without end on a pipe */
	if (at_file_is_stream(path))
		return at_fail(err, AT_EINVAL, path, 0,
			"is a device, a pipe or a socket, not a record");
	self = at_calloc(1, sizeof(*self));
	self->is_reading = flags & SQLITE_OPEN_READONLY;
	self->path = at_strdup(path);
	errno = 0;
	code = sqlite3_open_v2(name, &self->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (code != SQLITE_OK) {
		status = self->handle ? sqlite_fail(self, code, err)
				      : at_fail_memory(err);
		goto close;
	}
	sqlite3_extended_result_codes(self->handle, 1);
	harden(self->handle);
	sqlite3_busy_handler(self->handle, busy, self);
	*out = self;
	return AT_OK;
close:
	at_sqlite_close(self);
	return status;
}

enum at_status at_sqlite_open(
	const char *path, struct at_sqlite **out, struct at_error *err)
{
	return open_as(
		path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, out, err);
}

enum at_status at_sqlite_open_reading(
	const char *path, bool is_alone, struct at_sqlite **out, struct at_error *err)
{
	struct at_strbuf name = { 0 };
	enum at_status status;

	if (!is_alone)
		return open_as(path, path, SQLITE_OPEN_READONLY, out, err);
	/* "immutable" can only be asked for in a URI, where a path that begins with
	   "//" would name another machine */
	at_strbuf_add(&name, "file:");
	while (path[0] == '/' && path[1] == '/')
		path++;
	for (const char *c = path; *c; c++) {
		bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
			     (*c >= '0' && *c <= '9') || strchr("/._-", *c);

		if (plain)
			at_strbuf_add_char(&name, *c);
		else
			at_strbuf_addf(&name, "%%%02x", (unsigned char)*c);
	}
	at_strbuf_add(&name, "?immutable=1");
	status = open_as(
		name.data, path, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, out, err);
	at_strbuf_release(&name);
	return status;
}

enum at_status at_sqlite_refuse_writing(
	struct at_sqlite *self, const struct at_error *why, struct at_error *err)
{
	self->refusal = *why;
	return at_sqlite_execute(self, "PRAGMA query_only = ON", err);
}

enum at_status at_sqlite_open_memory(
	const char *name, struct at_sqlite **out, struct at_error *err)
{
	return open_as(":memory:", name,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, out,
		err);
}

enum at_status at_sqlite_open_temporary(
	const char *name, struct at_sqlite **out, struct at_error *err)
{
	enum at_status status =
		open_as("", name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, out, err);

	return status ? status
		      : at_sqlite_execute(
				*out, TUNING "; PRAGMA journal_mode = MEMORY", err);
}

enum at_status at_sqlite_copy(
	struct at_sqlite *from, struct at_sqlite *to, struct at_error *err)
{
	sqlite3_backup *backup =
		sqlite3_backup_init(to->handle, "main", from->handle, "main");
	int code;

	if (!backup)
		return sqlite_fail(to, sqlite3_errcode(to->handle), err);
	/* all pages in one step, so that they are of one moment */
	sqlite_begin_call(from);
	do {
		code = sqlite3_backup_step(backup, -1);
	} while (sqlite_try_again(from, code));
	sqlite3_backup_finish(backup);
	return code == SQLITE_DONE ? AT_OK : sqlite_fail(from, code, err);
}

enum at_status at_sqlite_save(
	struct at_sqlite *from, const char *path, struct at_error *err)
{
	struct at_sqlite *to = NULL;
	/* O_EXCL: the file must be a new one, since somebody else's would be
	   overwritten */
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	enum at_status status;

	if (file < 0 || close(file) < 0)
		return at_fail(err, AT_EIO, path, 0, "%s", strerror(errno));
	status = at_sqlite_open(path, &to, err);
	if (!status)
		status = at_sqlite_copy(from, to, err);
	at_sqlite_close(to);
	if (status)
		unlink(path);
	return status;
}

bool at_sqlite_has_moved(struct at_sqlite *self)
{
	int moved = 0;

	return sqlite3_file_control(self->handle, "main", SQLITE_FCNTL_HAS_MOVED,
		       &moved) == SQLITE_OK &&
	       moved;
}

/* Writes the name of a file that SQLite keeps beside the database. False: no room. */
static bool name_companion(
	const struct at_sqlite *self, const char *suffix, char *path, size_t size)
{
	return snprintf(path, size, "%s%s", self->path, suffix) < (int)size;
}

/* 0: the log exists, *facts are its, and path is its name. */
static int look_at_log(
	const struct at_sqlite *self, char *path, size_t size, struct stat *facts)
{
	return name_companion(self, "-wal", path, size) ? lstat(path, facts) : -1;
}

enum at_status at_sqlite_check_place(struct at_sqlite *self, struct at_error *err)
{
	if (!at_sqlite_has_moved(self))
		return AT_OK;
	return at_fail(err, AT_EIO, self->path, 0,
		"another program removed or replaced the record while autotune wrote to it: run the same command again");
}

void at_sqlite_abandon(struct at_sqlite *self)
{
	char path[4096];
	struct stat facts;

	sqlite3_db_config(self->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	if (!self->has_log || !at_sqlite_has_moved(self) ||
		look_at_log(self, path, sizeof(path), &facts) ||
		facts.st_dev != self->log_device || facts.st_ino != self->log_inode)
		return;
	unlink(path);
	if (name_companion(self, "-shm", path, sizeof(path)))
		unlink(path);
}

enum at_status at_sqlite_end_log(struct at_sqlite *self, struct at_error *err)
{
	enum at_status status = AT_OK;
	struct at_shield shield;
	int code;

	/* fails at once instead of waiting for a process that may keep it open for
	   hours */
	sqlite_begin_call(self);
	sqlite3_busy_handler(self->handle, NULL, NULL);
	/* by way of a journal, as in at_sqlite_use_log() */
	at_shield_raise(&shield);
	code = sqlite3_exec(
		self->handle, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	at_shield_drop(&shield);
	sqlite3_busy_handler(self->handle, busy, self);
	if (code)
		status = sqlite_fail(self, code, err);
	/* looking for the log from now on would make its index again */
	if (!status)
		self->has_log = false;
	return status;
}

bool at_sqlite_is_damaged(const struct at_sqlite *self)
{
	return self->is_damaged;
}

void at_sqlite_close(struct at_sqlite *self)
{
	if (!self)
		return;
	at_sqlite_end_mirror(self);
	if (self->handle && at_sqlite_has_moved(self))
		at_sqlite_abandon(self);
	for (size_t i = 0; i < self->cached_count; i++)
		sqlite_end_statement(self->cached[i]);
	for (size_t i = 0; i < self->spare_count; i++)
		sqlite_end_statement(self->spare[i]);
	/* closing folds the log into the file; if that fails, the next opening does
	   it */
	sqlite3_close_v2(self->handle);
	free(self->path);
	free(self);
}

const char *at_sqlite_path(const struct at_sqlite *self)
{
	return self->path;
}

enum at_status at_sqlite_execute(
	struct at_sqlite *self, const char *sql, struct at_error *err)
{
	int code;

	sqlite_begin_call(self);
	do {
		code = sqlite3_exec(self->handle, sql, NULL, NULL, NULL);
	} while (sqlite_try_again(self, code));
	if (code != SQLITE_OK)
		return sqlite_fail(self, code, err);
	sqlite_copy_rows(self);
	return AT_OK;
}

enum at_status at_sqlite_be_alone(struct at_sqlite *self, struct at_error *err)
{
	/* must come before anything is read: that decides whether the log is used with
	   or without shared memory (sqlite.org, "Write-Ahead Logging", section 8) */
	return at_sqlite_execute(self, "PRAGMA locking_mode = EXCLUSIVE", err);
}

enum at_status at_sqlite_use_log(struct at_sqlite *self, struct at_error *err)
{
	struct at_statement *statement;
	bool row = false, log = false;
	struct at_shield shield;
	enum at_status status;
	struct stat facts;
	char path[4096];

	/* the file's head is written by way of a journal, which a signal would leave */
	at_shield_raise(&shield);
	status = at_sqlite_execute(self, "PRAGMA journal_mode = WAL", err);
	at_shield_drop(&shield);
	if (status)
		return status;
	status = at_sqlite_prepare(self, "PRAGMA journal_mode", &statement, err);
	if (status)
		return status;
	status = at_statement_step(statement, &row, err);
	if (!status && row)
		log = !strcmp(at_statement_text(statement, 0), "wal");
	at_statement_free(statement);
	if (!status)
		status = at_sqlite_execute(self, TUNING, err);
	/* without a log every commit must be synced, which is the default */
	if (!status && log)
		status = at_sqlite_execute(self, USING_LOG, err);
	/* the first read makes the log, which is looked at below */
	if (!status && log)
		status = at_sqlite_execute(
			self, "SELECT count(*) FROM sqlite_schema", err);
	if (!status && log && !look_at_log(self, path, sizeof(path), &facts)) {
		self->has_log = true;
		self->log_device = facts.st_dev;
		self->log_inode = facts.st_ino;
	}
	return status;
}

enum at_status at_sqlite_use_journal(struct at_sqlite *self, struct at_error *err)
{
	enum at_status status =
		at_sqlite_execute(self, "PRAGMA journal_mode = DELETE", err);

	return status ? status : at_sqlite_execute(self, TUNING, err);
}

enum at_status at_sqlite_checkpoint(struct at_sqlite *self, struct at_error *err)
{
	int code;

	sqlite_begin_call(self);
	code = sqlite3_wal_checkpoint_v2(
		self->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	/* busy: another process is folding the log at this moment */
	if (code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY)
		return at_sqlite_check_place(self, err);
	return sqlite_fail(self, code, err);
}

enum at_status at_sqlite_integer(
	struct at_sqlite *self, const char *sql, int64_t *out, struct at_error *err)
{
	struct at_statement *statement;
	bool row = false;
	enum at_status status = at_sqlite_prepare(self, sql, &statement, err);

	if (status)
		return status;
	status = at_statement_step(statement, &row, err);
	if (!status)
		*out = row ? at_statement_integer(statement, 0) : 0;
	at_statement_free(statement);
	return status;
}

bool at_sqlite_is_in_transaction(const struct at_sqlite *self)
{
	return !sqlite3_get_autocommit(self->handle);
}

enum at_status at_sqlite_begin(struct at_sqlite *self, struct at_error *err)
{
	return at_sqlite_execute(self, "BEGIN IMMEDIATE", err);
}

enum at_status at_sqlite_begin_reading(struct at_sqlite *self, struct at_error *err)
{
	/* SQLite's answer would be that of a database that is damaged */
	if (at_sqlite_is_in_transaction(self))
		return at_fail(err, AT_EINVAL, self->path, 0,
			"a transaction has begun already");
	return at_sqlite_execute(self, "BEGIN", err);
}

enum at_status at_sqlite_commit(struct at_sqlite *self, struct at_error *err)
{
	enum at_status status = at_sqlite_execute(self, "COMMIT", err);

	return status ? status : at_sqlite_check_place(self, err);
}

void at_sqlite_rollback(struct at_sqlite *self)
{
	/* after some failures SQLite has rolled back already */
	if (at_sqlite_is_in_transaction(self))
		sqlite3_exec(self->handle, "ROLLBACK", NULL, NULL, NULL);
}

enum at_status at_sqlite_enter(
	struct at_sqlite *self, bool writes, bool *begins, struct at_error *err)
{
	*begins = !at_sqlite_is_in_transaction(self);
	if (!*begins)
		return AT_OK;
	return writes ? at_sqlite_begin(self, err) : at_sqlite_begin_reading(self, err);
}

enum at_status at_sqlite_leave(struct at_sqlite *self, bool begins,
	enum at_status status, struct at_error *err)
{
	if (!begins)
		return status;
	if (!status)
		status = at_sqlite_commit(self, err);
	at_sqlite_rollback(self);
	return status;
}

int64_t at_sqlite_last_id(const struct at_sqlite *self)
{
	return sqlite3_last_insert_rowid(self->handle);
}

int64_t at_sqlite_changes(const struct at_sqlite *self)
{
	return sqlite3_changes(self->handle);
}
