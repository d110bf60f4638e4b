#include "record/sqlite.h"

#include "base/file.h"
#include "base/memory.h"
#include "record/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

/* distinct statements of the whole store; more are prepared but not kept */
#define CACHE_SIZE 32

#define HASH_BYTES 16

/* The largest log that was seen has some MB. */
#define VALUE_BYTES_MAX (256 << 20)

/*
 * Per connection. The cache holds the pages of the indexes that a run adds to, which
 * else are read again for every row (measured with a million rows: SQLite's 2 MB cost
 * a fifth of the time of an insertion); it is taken only as far as it is used. The
 * log is folded into the file every 16 MB, not every 4 MB, since a page that changed
 * many times is then written once; after a kill, reading so much log again takes the
 * next opening some milliseconds.
 */
#define TUNING \
	"PRAGMA cache_size = -16000;" /* KiB */ \
	"PRAGMA wal_autocheckpoint = 4000;" /* pages of 4 KiB */

struct at_statement {
	struct at_sqlite *database;
	const char *sql;
	sqlite3_stmt *handle;
	int bind_code; /* of the first bind that failed */
};

struct at_sqlite {
	sqlite3 *handle;
	char *path;
	bool is_reading; /* it was asked for reading alone */
	bool has_log; /* as it was when it was opened: */
	dev_t log_device;
	ino_t log_inode;
	struct at_wait wait; /* of the call that runs, for others' locks */
	size_t cached_count;
	struct at_statement *cached[CACHE_SIZE];
};

static enum at_status fail_room(
	struct at_sqlite *self, const char *why, struct at_error *err)
{
	return at_fail(err, AT_EIO, self->path, 0,
		"%s: free some room and run the same command again; nothing recorded was lost",
		why);
}

/*
 * SQLite keeps the system's reason for some failures and not for others, a
 * failed COMMIT among them; then errno still has it, cleared before each call.
 */
static int system_code(const struct at_sqlite *self)
{
	int left_over = errno;
	int code = sqlite3_system_errno(self->handle);

	return code ? code : left_over;
}

static const char *reason(const struct at_sqlite *self, int code)
{
	/* ENOENT: of a second try to open for reading what could not be made */
	return code && code != ENOENT ? strerror(code) : sqlite3_errmsg(self->handle);
}

static enum at_status fail_read_only(struct at_sqlite *self, struct at_error *err)
{
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
		return fail_room(self, "the limit on file sizes is reached", err);
	case EROFS:
		return fail_read_only(self, err);
	case ENOLCK:
	case ENOSYS:
	case EOPNOTSUPP:
		return at_wait_fail_unlocked(self->path, code, err);
	default:
		return at_fail(err, AT_EIO, self->path, 0,
			"cannot read or write the record (%s): fix the disk and run the same command again",
			reason(self, code));
	}
}

/* the one place where SQLite's codes become lines for people */
static enum at_status fail(struct at_sqlite *self, int code, struct at_error *err)
{
	const char *path = self->path;

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
		return at_fail(err, AT_EIO, path, 0,
			"cannot open the record (%s): let the file and its directory be written, or choose another place with --results DIR",
			reason(self, system_code(self)));
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

static int busy(void *context, int count)
{
	struct at_sqlite *self = context;

	(void)count;
	return at_wait_on(&self->wait, self->path);
}

/* Before each call that may meet a lock. */
static void begin_call(struct at_sqlite *self)
{
	errno = 0;
	at_wait_init(&self->wait);
}

/*
 * SQLite asks whether to wait for most locks, but gives up at once where waiting might
 * be a deadlock: when two processes switch to the log at the same time, or one recovers
 * while the other closes. Those are tried again here.
 */
static bool try_again(struct at_sqlite *self, int code)
{
	errno = 0;
	return (code & 0xff) == SQLITE_BUSY && at_wait_on(&self->wait, self->path);
}

/*
 * Whatever lies there may be a stranger's: nothing that its schema says is run (views,
 * triggers, functions with effects), and nothing can make the file worse than it is.
 */
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

	/* a library that does not know one of them answers so, and there is no more to
	   be had of it */
	for (size_t i = 0; i < AT_COUNT_OF(switches); i++)
		sqlite3_db_config(
			handle, switches[i].what, switches[i].value, (int *)NULL);
	sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
	sqlite3_exec(handle, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

/* name is the file's for SQLite, path the one for people. */
static enum at_status open_as(const char *name, const char *path, int flags,
	struct at_sqlite **out, struct at_error *err)
{
	struct at_sqlite *self;
	enum at_status status;
	int code;

	/* SQLite would wait for a pipe */
	if (at_file_is_stream(path))
		return at_fail(err, AT_EINVAL, path, 0,
			"is a device, a pipe or a socket, not a record");
	self = calloc(1, sizeof(*self));
	if (!self)
		return at_fail_memory(err);
	self->is_reading = flags & SQLITE_OPEN_READONLY;
	self->path = at_strdup(path);
	if (!self->path) {
		status = at_fail_memory(err);
		goto close;
	}
	errno = 0;
	code = sqlite3_open_v2(name, &self->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (code != SQLITE_OK) {
		status = self->handle ? fail(self, code, err) : at_fail_memory(err);
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
	/* the one wish for which a file has to be named as a URI; "//" would begin the
	   name of a machine */
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
	status = name.failed
			 ? at_fail_memory(err)
			 : open_as(name.data, path,
				   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, out, err);
	at_strbuf_release(&name);
	return status;
}

enum at_status at_sqlite_open_memory(
	const char *name, struct at_sqlite **out, struct at_error *err)
{
	return open_as(":memory:", name,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, out,
		err);
}

enum at_status at_sqlite_copy(
	struct at_sqlite *from, struct at_sqlite *to, struct at_error *err)
{
	sqlite3_backup *backup =
		sqlite3_backup_init(to->handle, "main", from->handle, "main");
	int code;

	if (!backup)
		return fail(to, sqlite3_errcode(to->handle), err);
	/* all pages in one step: what is read is of one moment */
	begin_call(from);
	do {
		code = sqlite3_backup_step(backup, -1);
	} while (try_again(from, code));
	sqlite3_backup_finish(backup);
	return code == SQLITE_DONE ? AT_OK : fail(from, code, err);
}

enum at_status at_sqlite_save(
	struct at_sqlite *from, const char *path, struct at_error *err)
{
	struct at_sqlite *to = NULL;
	/* nobody else's: made here, or not at all */
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

void at_sqlite_abandon(struct at_sqlite *self)
{
	sqlite3_db_config(self->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

/* The file that SQLite keeps beside the database; false: no room for its name. */
static bool name_companion(
	const struct at_sqlite *self, const char *suffix, char *path, size_t size)
{
	return snprintf(path, size, "%s%s", self->path, suffix) < (int)size;
}

/* 0: *facts are the log's, and path is its name. */
static int look_at_log(
	const struct at_sqlite *self, char *path, size_t size, struct stat *facts)
{
	return name_companion(self, "-wal", path, size) ? lstat(path, facts) : -1;
}

void at_sqlite_remove_log(struct at_sqlite *self)
{
	char path[4096];
	struct stat facts;

	if (!self->has_log || look_at_log(self, path, sizeof(path), &facts) ||
		facts.st_dev != self->log_device || facts.st_ino != self->log_inode)
		return;
	unlink(path);
	if (name_companion(self, "-shm", path, sizeof(path)))
		unlink(path);
}

void at_sqlite_close(struct at_sqlite *self)
{
	if (!self)
		return;
	for (size_t i = 0; i < self->cached_count; i++)
		at_statement_free(self->cached[i]);
	/* folds the log into the file; if that fails, the next open does it */
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

	begin_call(self);
	do {
		code = sqlite3_exec(self->handle, sql, NULL, NULL, NULL);
	} while (try_again(self, code));
	return code == SQLITE_OK ? AT_OK : fail(self, code, err);
}

enum at_status at_sqlite_use_log(struct at_sqlite *self, struct at_error *err)
{
	struct at_statement *statement;
	bool row = false, log = false;
	enum at_status status;
	struct stat facts;
	char path[4096];

	status = at_sqlite_execute(self, "PRAGMA journal_mode = WAL", err);
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
	/* without the log the default, syncing every commit, has to stay */
	if (!status && log)
		status = at_sqlite_execute(self, "PRAGMA synchronous = NORMAL", err);
	/* the first look at the file makes its log */
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

	begin_call(self);
	code = sqlite3_wal_checkpoint_v2(
		self->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	/* busy: another process does the same work at this moment */
	if (code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY)
		return AT_OK;
	return fail(self, code, err);
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

enum at_status at_sqlite_begin(struct at_sqlite *self, struct at_error *err)
{
	return at_sqlite_execute(self, "BEGIN IMMEDIATE", err);
}

enum at_status at_sqlite_commit(struct at_sqlite *self, struct at_error *err)
{
	return at_sqlite_execute(self, "COMMIT", err);
}

void at_sqlite_rollback(struct at_sqlite *self)
{
	/* some failures have rolled back already */
	if (!sqlite3_get_autocommit(self->handle))
		sqlite3_exec(self->handle, "ROLLBACK", NULL, NULL, NULL);
}

int64_t at_sqlite_last_id(const struct at_sqlite *self)
{
	return sqlite3_last_insert_rowid(self->handle);
}

int64_t at_sqlite_changes(const struct at_sqlite *self)
{
	return sqlite3_changes(self->handle);
}

enum at_status at_sqlite_prepare(struct at_sqlite *self, const char *sql,
	struct at_statement **out, struct at_error *err)
{
	struct at_statement *statement = calloc(1, sizeof(*statement));
	int code;

	if (!statement)
		return at_fail_memory(err);
	statement->database = self;
	statement->sql = sql;
	begin_call(self);
	do {
		code = sqlite3_prepare_v3(self->handle, sql, -1,
			SQLITE_PREPARE_PERSISTENT, &statement->handle, NULL);
	} while (try_again(self, code));
	if (code != SQLITE_OK) {
		free(statement);
		return fail(self, code, err);
	}
	*out = statement;
	return AT_OK;
}

void at_statement_free(struct at_statement *self)
{
	if (!self)
		return;
	sqlite3_finalize(self->handle);
	free(self);
}

enum at_status at_sqlite_cached(struct at_sqlite *self, const char *sql,
	struct at_statement **out, struct at_error *err)
{
	enum at_status status;

	for (size_t i = 0; i < self->cached_count; i++) {
		if (self->cached[i]->sql != sql)
			continue;
		*out = self->cached[i];
		at_statement_reset(*out);
		return AT_OK;
	}
	if (self->cached_count == CACHE_SIZE)
		at_statement_free(self->cached[--self->cached_count]);
	status = at_sqlite_prepare(self, sql, out, err);
	if (!status)
		self->cached[self->cached_count++] = *out;
	return status;
}

static void note(struct at_statement *self, int code)
{
	if (self->bind_code == SQLITE_OK)
		self->bind_code = code;
}

void at_statement_bind_integer(struct at_statement *self, int place, int64_t value)
{
	note(self, sqlite3_bind_int64(self->handle, place, value));
}

void at_statement_bind_real(struct at_statement *self, int place, double value)
{
	note(self, sqlite3_bind_double(self->handle, place, value));
}

void at_statement_bind_text(struct at_statement *self, int place, const char *text)
{
	note(self, sqlite3_bind_text64(self->handle, place, text, strlen(text),
			   SQLITE_STATIC, SQLITE_UTF8));
}

void at_statement_bind_copy(struct at_statement *self, int place, const char *text)
{
	note(self, sqlite3_bind_text64(self->handle, place, text, strlen(text),
			   SQLITE_TRANSIENT, SQLITE_UTF8));
}

void at_statement_bind_bytes(
	struct at_statement *self, int place, const void *data, size_t size)
{
	note(self, sqlite3_bind_blob64(self->handle, place, data, size, SQLITE_STATIC));
}

void at_statement_bind_hash(struct at_statement *self, int place, struct at_hash hash)
{
	unsigned char bytes[HASH_BYTES];

	for (int i = 0; i < 8; i++) {
		bytes[i] = (unsigned char)(hash.high >> (56 - 8 * i));
		bytes[8 + i] = (unsigned char)(hash.low >> (56 - 8 * i));
	}
	note(self, sqlite3_bind_blob64(self->handle, place, bytes, sizeof(bytes),
			   SQLITE_TRANSIENT));
}

void at_statement_bind_null(struct at_statement *self, int place)
{
	note(self, sqlite3_bind_null(self->handle, place));
}

void at_statement_bind_column(struct at_statement *self, int place,
	const struct at_statement *from, int column)
{
	note(self, sqlite3_bind_value(self->handle, place,
			   sqlite3_column_value(from->handle, column)));
}

enum at_status at_statement_step(
	struct at_statement *self, bool *row, struct at_error *err)
{
	int code = self->bind_code;

	*row = false;
	if (code != SQLITE_OK)
		return fail(self->database, code, err);
	begin_call(self->database);
	code = sqlite3_step(self->handle);
	*row = code == SQLITE_ROW;
	if (code == SQLITE_ROW || code == SQLITE_DONE)
		return AT_OK;
	return fail(self->database, code, err);
}

enum at_status at_statement_run(struct at_statement *self, struct at_error *err)
{
	enum at_status status;
	bool row;

	do
		status = at_statement_step(self, &row, err);
	while (!status && row);
	at_statement_reset(self);
	return status;
}

void at_statement_reset(struct at_statement *self)
{
	sqlite3_reset(self->handle);
	sqlite3_clear_bindings(self->handle);
	self->bind_code = SQLITE_OK;
}

const char *at_statement_name(const struct at_statement *self, int column)
{
	const char *name = sqlite3_column_name(self->handle, column);

	return name ? name : "";
}

enum at_sqlite_type at_statement_type(const struct at_statement *self, int column)
{
	switch (sqlite3_column_type(self->handle, column)) {
	case SQLITE_INTEGER:
		return AT_SQLITE_INTEGER;
	case SQLITE_FLOAT:
		return AT_SQLITE_REAL;
	case SQLITE_TEXT:
		return AT_SQLITE_TEXT;
	case SQLITE_BLOB:
		return AT_SQLITE_BYTES;
	default:
		return AT_SQLITE_NONE;
	}
}

bool at_statement_is_null(const struct at_statement *self, int column)
{
	return sqlite3_column_type(self->handle, column) == SQLITE_NULL;
}

int64_t at_statement_integer(const struct at_statement *self, int column)
{
	return sqlite3_column_int64(self->handle, column);
}

double at_statement_real(const struct at_statement *self, int column)
{
	return sqlite3_column_double(self->handle, column);
}

/* The library gives nothing then, as for NULL: whoever judges values must know. */
static void note_shortage(const struct at_statement *self)
{
	if (sqlite3_errcode(sqlite3_db_handle(self->handle)) == SQLITE_NOMEM)
		at_fail_memory(NULL);
}

const char *at_statement_text(const struct at_statement *self, int column)
{
	const unsigned char *text = sqlite3_column_text(self->handle, column);

	if (!text)
		note_shortage(self);
	return text ? (const char *)text : "";
}

const void *at_statement_bytes(
	const struct at_statement *self, int column, size_t *size)
{
	const void *data = sqlite3_column_blob(self->handle, column);

	*size = (size_t)sqlite3_column_bytes(self->handle, column);
	if (!data)
		note_shortage(self);
	return data;
}

enum at_status at_statement_raise(
	struct at_statement *self, int64_t *value, struct at_error *err)
{
	bool row = false;
	enum at_status status = at_statement_step(self, &row, err);

	if (!status && row && *value < at_statement_integer(self, 0))
		*value = at_statement_integer(self, 0);
	at_statement_reset(self);
	return status;
}

struct at_hash at_statement_hash(const struct at_statement *self, int column)
{
	struct at_hash hash = { 0 };
	size_t size;
	const unsigned char *bytes = at_statement_bytes(self, column, &size);

	if (!bytes || size != HASH_BYTES)
		return hash;
	for (int i = 0; i < 8; i++) {
		hash.high = hash.high << 8 | bytes[i];
		hash.low = hash.low << 8 | bytes[8 + i];
	}
	return hash;
}
