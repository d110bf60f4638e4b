/* The interface to SQLite (record/sqlite.h): calls and their failures, statements,
   databases. */
#include "record/sqlite.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

/* cached statements of a connection; further ones replace each other */
#define CACHE_SIZE 32

/* ---- waiting for locks of other processes ---- */

/* Even on a busy machine, merging a million evaluations holds the lock for less. */
#define WAIT_SECONDS 120.0
/* pause between two tries: short at first, since most locks last microseconds */
#define PAUSE_FIRST_NS 500000
#define PAUSE_MOST_NS 20000000
/* SQLite cannot tell a file system without locks from one with taken locks. A file
   server may briefly lack a lock. */
#define LOCKLESS_SECONDS 0.25
/* when the user is first informed of a wait, and how often again */
#define TOLD_SECONDS 2.0
#define TOLD_AGAIN_SECONDS 60.0
/* Longest wait after a request to end. A run that ends writes its last record, which
   takes a handful of waits; all must fit into a second. */
#define HURRY_SECONDS 0.1

/* A wait within one call of SQLite. */
struct wait {
	/* start of the wait (at_clock_now_ns()); 0: none yet */
	uint64_t began_ns;
	uint64_t hurry_began_ns; /* when the end was requested; 0: it was not */
	double waited_seconds; /* so far */
	/* when the user was last informed, since began_ns; 0: never */
	double told_seconds;
	bool is_over; /* it lasted too long, or was called off */
	bool was_called_off; /* it ended because the user requested the end */
	int no_locks; /* errno if the file system has no locks; else 0 */
};

static struct at_patience patience;

void at_store_be_patient(const struct at_patience *given)
{
	patience = given ? *given : (struct at_patience){ 0 };
}

static double seconds_since(uint64_t began_ns)
{
	return (double)(at_clock_now_ns() - began_ns) * 1e-9;
}

/* Waits for a lock of another process, by at_store_be_patient(): sleeps briefly. False:
   stop waiting. path: of the database; code: errno of the lock. */
static bool wait_on(struct wait *self, const char *path, int code)
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
	if (self->waited_seconds >= LOCKLESS_SECONDS &&
		(code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP))
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
	/* half of the time waited so far, within bounds */
	while (2 * pause.tv_nsec <= PAUSE_MOST_NS &&
		(double)pause.tv_nsec * 2e-9 < self->waited_seconds)
		pause.tv_nsec *= 2;
	nanosleep(&pause, NULL);
	return true;
}

static enum at_status fail_unlocked(const char *path, int code, struct at_error *err)
{
	return at_fail(err, AT_EIO, path, 0,
		"its file system has no locks (%s), without which runs would damage the record: choose a place on a local disk with --results DIR",
		strerror(code));
}

static enum at_status fail_waiting(
	const struct wait *self, const char *path, struct at_error *err)
{
	char waited[32];

	if (self->no_locks)
		return fail_unlocked(path, self->no_locks, err);
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

/* ---- databases, and failures of calls in words ---- */

struct at_sqlite {
	sqlite3 *handle;
	char *path;
	bool is_reading; /* opened for reading only */
	struct at_error refusal; /* why writing is forbidden, if known */
	bool is_damaged; /* SQLite found damage in something read */
	bool has_log; /* there was a log when it was opened, in this file: */
	dev_t log_device;
	ino_t log_inode;
	struct wait wait; /* waiting of the current call */
	struct at_error failure; /* of the last statement that could not be prepared */
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

static enum at_status fail_file_limit(struct at_sqlite *self, struct at_error *err)
{
	return at_fail(err, AT_EIO, self->path, 0,
		"the limit on file sizes is reached: raise it (`ulimit -f`), or forget what is not wanted any more, and run the same command again; nothing recorded was lost");
}

static const char *reason(const struct at_sqlite *self, int code)
{
	/* ENOENT: SQLite then tried to read what it could not make */
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

/* code: errno. opens: while opening the record for writing. */
static enum at_status fail_system(
	struct at_sqlite *self, int code, bool opens, struct at_error *err)
{
	const char *why = reason(self, code);
	struct rlimit limit;

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
		return fail_unlocked(self->path, code, err);
	case EMFILE:
	case ENFILE:
		/* the file and its folder are fine; a later message says how to raise
		   the limit */
		return at_fail(
			err, AT_EIO, self->path, 0, "cannot open the record: %s", why);
	default:
		if (opens)
			return at_fail(err, AT_EIO, self->path, 0,
				"cannot open the record (%s): let the file and its directory be written, or choose another place with --results DIR",
				why);
		/* SQLite stores no error of writing its index, which grows by other
		   calls */
		if (!code && !getrlimit(RLIMIT_FSIZE, &limit) &&
			limit.rlim_cur != RLIM_INFINITY)
			return fail_file_limit(self, err);
		self->is_damaged = true;
		return at_fail(err, AT_EIO, self->path, 0,
			"cannot read or write the record (%s): fix the disk and run the same command again",
			why);
	}
}

/* Turns an SQLite code into a line for people. All such lines are made here. */
static enum at_status sqlite_fail(
	struct at_sqlite *self, int code, struct at_error *err)
{
	const char *path = self->path;
	int left_over = errno, system = sqlite3_system_errno(self->handle);

	/* SQLite has the system's error for some failures but not for others, such as a
	   failed COMMIT. errno then still has it, as it is cleared before each call. */
	system = system ? system : left_over;

	/* SQLITE_ERROR: a table is missing, so the file is now another database */
	if (code == SQLITE_ERROR || (code & 0xff) == SQLITE_CORRUPT ||
		(code & 0xff) == SQLITE_NOTADB || code == SQLITE_IOERR_SHORT_READ)
		self->is_damaged = true;
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return at_fail_memory(err);
	case SQLITE_FULL:
		return fail_room(self, "the disk is full", err);
	case SQLITE_IOERR:
		return fail_system(self, system, false, err);
	case SQLITE_READONLY:
		return fail_read_only(self, err);
	case SQLITE_PERM:
	case SQLITE_CANTOPEN:
		if (self->is_reading)
			return at_fail(err, AT_EIO, path, 0,
				"cannot open the record (%s): let the file and its directory be read, or choose another place with --results DIR",
				reason(self, system));
		/* SQLite needs a log next to the record; if it cannot make one, it
		   tries to read one and forgets the error. Making another file there
		   reveals it. */
		if (!system || system == ENOENT)
			system = at_file_can_create_beside(path);
		return fail_system(self, system, true, err);
	case SQLITE_NOTADB:
		return at_fail(err, AT_EINVAL, path, 0,
			"is not a record (no SQLite database): move it away, or choose another place with --results DIR");
	case SQLITE_CORRUPT:
		return at_fail(err, AT_EIO, path, 0,
			"the record is damaged (%s): save what can be read with `sqlite3 FILE .recover`, then move it away and run again",
			sqlite3_errmsg(self->handle));
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return fail_waiting(&self->wait, path, err);
	case SQLITE_CONSTRAINT:
		return at_fail(err, AT_EINVAL, path, 0, "does not fit the record: %s",
			sqlite3_errmsg(self->handle));
	default:
		return at_fail(err, AT_EIO, path, 0, "SQLite: %s",
			sqlite3_errmsg(self->handle));
	}
}

/* Call before each SQLite call that may have to wait for a lock. */
static void sqlite_begin_call(struct at_sqlite *self)
{
	errno = 0;
	/* only what wait_on() reads, since every call comes here */
	self->wait.began_ns = 0;
	self->wait.is_over = self->wait.was_called_off = false;
	self->wait.no_locks = 0;
}

/*
 * Whether to retry after `code`; waits a moment first. SQLite calls its busy handler
 * for most locks, but gives up at once if waiting might be a deadlock: two processes
 * switch to the log at once, or one recovers while the other closes. Those calls are
 * retried here.
 */
static bool sqlite_try_again(struct at_sqlite *self, int code)
{
	int left_over = errno;

	errno = 0;
	return (code & 0xff) == SQLITE_BUSY &&
	       wait_on(&self->wait, self->path, left_over);
}

/* ---- statements ---- */

#define HASH_BYTES 16

struct at_statement {
	struct at_sqlite *database;
	const char *sql;
	sqlite3_stmt *handle;
	int bind_code; /* of the first failed bind */
};

enum at_status at_sqlite_prepare(struct at_sqlite *self, const char *sql,
	struct at_statement **out, struct at_error *err)
{
	struct at_statement *statement = at_calloc(1, sizeof(*statement));
	int code;

	statement->database = self;
	statement->sql = sql;
	sqlite_begin_call(self);
	do {
		code = sqlite3_prepare_v3(self->handle, sql, -1,
			SQLITE_PREPARE_PERSISTENT, &statement->handle, NULL);
	} while (sqlite_try_again(self, code));
	if (code != SQLITE_OK) {
		free(statement);
		return sqlite_fail(self, code, err);
	}
	*out = statement;
	return AT_OK;
}

void at_statement_free(struct at_statement *self)
{
	if (self)
		sqlite3_finalize(self->handle);
	free(self);
}

struct at_statement *at_sqlite_cached(struct at_sqlite *self, const char *sql)
{
	struct at_statement *statement;

	for (size_t i = 0; i < self->cached_count; i++) {
		if (self->cached[i]->sql != sql)
			continue;
		at_statement_reset(self->cached[i]);
		return self->cached[i];
	}
	if (self->cached_count == CACHE_SIZE)
		at_statement_free(self->cached[--self->cached_count]);
	at_error_clear(&self->failure);
	if (at_sqlite_prepare(self, sql, &statement, &self->failure)) {
		/* without an address, so that the next call tries again */
		statement = at_calloc(1, sizeof(*statement));
		statement->database = self;
	}
	self->cached[self->cached_count++] = statement;
	return statement;
}

struct at_statement *at_sqlite_bound(
	struct at_sqlite *self, const char *sql, const struct at_sql_value *values)
{
	struct at_statement *statement = at_sqlite_cached(self, sql);

	for (int i = 0; values[i].type; i++) {
		if (values[i].type == AT_SQLITE_INTEGER)
			at_statement_bind_integer(statement, i + 1, values[i].integer);
		else
			at_statement_bind_text(statement, i + 1, values[i].text);
	}
	return statement;
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
	note(self, sqlite3_bind_text64(self->handle, place, text,
			   text ? strlen(text) : 0, SQLITE_STATIC, SQLITE_UTF8));
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
	if (!self->handle) {
		if (err && !err->status)
			*err = self->database->failure;
		return self->database->failure.status;
	}
	if (code != SQLITE_OK)
		return sqlite_fail(self->database, code, err);
	sqlite_begin_call(self->database);
	code = sqlite3_step(self->handle);
	*row = code == SQLITE_ROW;
	if (code == SQLITE_ROW || code == SQLITE_DONE)
		return AT_OK;
	return sqlite_fail(self->database, code, err);
}

bool at_statement_next(
	struct at_statement *self, enum at_status *status, struct at_error *err)
{
	bool row = false;

	if (!*status)
		*status = at_statement_step(self, &row, err);
	if (!row)
		at_statement_reset(self);
	return row;
}

enum at_status at_statement_run(struct at_statement *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	while (at_statement_next(self, &status, err))
		;
	return status;
}

void at_statement_reset(struct at_statement *self)
{
	if (!self || !self->handle)
		return;
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
	int type = sqlite3_column_type(self->handle, column);

	static_assert((int)AT_SQLITE_INTEGER == SQLITE_INTEGER &&
			      (int)AT_SQLITE_REAL == SQLITE_FLOAT &&
			      (int)AT_SQLITE_TEXT == SQLITE_TEXT &&
			      (int)AT_SQLITE_BYTES == SQLITE_BLOB,
		"types as in SQLite");
	return type == SQLITE_NULL ? AT_SQLITE_NONE : (enum at_sqlite_type)type;
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

/* SQLite returns NULL without memory, as for NULL, which must not look like a wrong
   value. */
static void check_memory(const struct at_statement *self)
{
	if (sqlite3_errcode(sqlite3_db_handle(self->handle)) == SQLITE_NOMEM)
		at_memory_out();
}

const char *at_statement_text(const struct at_statement *self, int column)
{
	const unsigned char *text = sqlite3_column_text(self->handle, column);

	if (!text)
		check_memory(self);
	return text ? (const char *)text : "";
}

const void *at_statement_bytes(
	const struct at_statement *self, int column, size_t *size)
{
	const void *data = sqlite3_column_blob(self->handle, column);

	*size = (size_t)sqlite3_column_bytes(self->handle, column);
	if (!data)
		check_memory(self);
	return data;
}

enum at_status at_statement_find(
	struct at_statement *self, int64_t *value, bool *found, struct at_error *err)
{
	enum at_status status = AT_OK;
	bool row = at_statement_next(self, &status, err);

	*value = row ? at_statement_integer(self, 0) : 0;
	if (found)
		*found = row;
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

/* ---- databases ---- */

/* The largest known value, a compiler log, has some MB. */
#define VALUE_BYTES_MAX (256 << 20)

/* For each connection. A run adds to indexes, whose pages must stay in the cache: with
   a million rows and SQLite's default of 2 MB they were read again for every row. That
   took a fifth of an insertion's time. Unused memory is not taken. */
#define TUNING "PRAGMA cache_size = -16000" /* KiB */
/* Fold the log at 4000 pages of 4 KiB, 16 MB. A larger log writes a page that changes
   often to the file only once, but after a kill the next opening must read the whole
   log: some milliseconds at this size. */
#define USING_LOG "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000"

/* SQLite's busy handler: waits for a lock, or returns 0 to give up. */
static int busy(void *context, int count)
{
	struct at_sqlite *self = context;

	(void)count;
	return wait_on(&self->wait, self->path, errno);
}

/* The file may come from a stranger: nothing in its schema is run (views, triggers,
   functions with effects), and SQLite rejects writes that would damage the file. */
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

	/* a library without one of them returns an error; nothing can be done about
	   it */
	for (size_t i = 0; i < AT_COUNT_OF(switches); i++)
		sqlite3_db_config(
			handle, switches[i].what, switches[i].value, (int *)NULL);
	sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
	sqlite3_exec(handle, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

/* name: for SQLite; path: for errors. */
static enum at_status open_as(const char *name, const char *path, int flags,
	struct at_sqlite **out, struct at_error *err)
{
	struct at_sqlite *self;
	enum at_status status;
	int code;

	/* SQLite would wait forever on a pipe */
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
	/* "immutable" needs a URI, in which a path that begins with "//" names another
	   machine */
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
	enum at_status status =
		open_as("", name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, out, err);

	return status ? status
		      : at_sqlite_execute(
				*out, TUNING "; PRAGMA journal_mode = MEMORY", err);
}

enum at_status at_sqlite_copy(struct at_sqlite *from, struct at_sqlite *to,
	const char *schema, struct at_error *err)
{
	sqlite3_backup *backup =
		sqlite3_backup_init(to->handle, schema, from->handle, schema);
	int code;

	if (!backup)
		return sqlite_fail(to, sqlite3_errcode(to->handle), err);
	/* all pages in one step, for a consistent copy */
	sqlite_begin_call(from);
	do {
		code = sqlite3_backup_step(backup, -1);
	} while (sqlite_try_again(from, code));
	sqlite3_backup_finish(backup);
	return code == SQLITE_DONE ? AT_OK : sqlite_fail(from, code, err);
}

bool at_sqlite_has_moved(struct at_sqlite *self)
{
	int moved = 0;

	return sqlite3_file_control(self->handle, "main", SQLITE_FCNTL_HAS_MOVED,
		       &moved) == SQLITE_OK &&
	       moved;
}

/* Writes the name of a companion file of the database. False: too long. */
static bool name_companion(
	const struct at_sqlite *self, const char *suffix, char *path, size_t size)
{
	return snprintf(path, size, "%s%s", self->path, suffix) < (int)size;
}

/* 0: the log exists; sets *facts and path. */
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

	/* fails at once: another process may keep it open for hours */
	sqlite_begin_call(self);
	sqlite3_busy_handler(self->handle, NULL, NULL);
	/* uses a journal, as at_sqlite_use_log() does */
	at_shield_raise(&shield);
	code = sqlite3_exec(
		self->handle, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	at_shield_drop(&shield);
	sqlite3_busy_handler(self->handle, busy, self);
	if (code)
		status = sqlite_fail(self, code, err);
	/* checking for the log would make its index again */
	if (!status)
		self->has_log = false;
	return status;
}

void at_sqlite_drop_cache(struct at_sqlite *self)
{
	sqlite3_db_release_memory(self->handle);
}

bool at_sqlite_is_damaged(const struct at_sqlite *self)
{
	return self->is_damaged;
}

void at_sqlite_close(struct at_sqlite *self)
{
	if (!self)
		return;
	if (self->handle && at_sqlite_has_moved(self))
		at_sqlite_abandon(self);
	for (size_t i = 0; i < self->cached_count; i++)
		at_statement_free(self->cached[i]);
	/* closing folds the log; if that fails, the next opening does it */
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
	return code == SQLITE_OK ? AT_OK : sqlite_fail(self, code, err);
}

enum at_status at_sqlite_be_alone(struct at_sqlite *self, struct at_error *err)
{
	/* before any read, which decides whether the log uses shared memory
	   (sqlite.org, "Write-Ahead Logging", section 8) */
	return at_sqlite_execute(self, "PRAGMA locking_mode = EXCLUSIVE", err);
}

enum at_status at_sqlite_use_log(struct at_sqlite *self, struct at_error *err)
{
	struct at_shield shield;
	enum at_status status;
	struct stat facts;
	int64_t log = 0;
	char path[4096];

	/* the file's header is written with a journal, which a signal would leave
	   behind */
	at_shield_raise(&shield);
	status = at_sqlite_execute(self, "PRAGMA journal_mode = WAL", err);
	at_shield_drop(&shield);
	if (!status)
		status = at_sqlite_integer(self,
			"SELECT journal_mode = 'wal' FROM pragma_journal_mode", &log,
			err);
	if (!status)
		status = at_sqlite_execute(self, TUNING, err);
	/* without a log every commit must be synced, the default */
	if (!status && log)
		status = at_sqlite_execute(self, USING_LOG, err);
	/* the first read makes the log, examined below */
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
	/* busy: another process is folding the log */
	if (code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY)
		return at_sqlite_check_place(self, err);
	return sqlite_fail(self, code, err);
}

enum at_status at_sqlite_integer(
	struct at_sqlite *self, const char *sql, int64_t *out, struct at_error *err)
{
	struct at_statement *statement = NULL;
	enum at_status status = at_sqlite_prepare(self, sql, &statement, err);

	/* for the static analyzer: status AT_OK implies it */
	if (statement)
		status = at_statement_find(statement, out, NULL, err);
	at_statement_free(statement);
	return status;
}

enum at_status at_sqlite_begin(struct at_sqlite *self, struct at_error *err)
{
	return at_sqlite_execute(self, "BEGIN IMMEDIATE", err);
}

enum at_status at_sqlite_end(
	struct at_sqlite *self, enum at_status status, struct at_error *err)
{
	if (!status)
		status = at_sqlite_execute(self, "COMMIT", err);
	if (!status)
		return at_sqlite_check_place(self, err);
	at_sqlite_rollback(self);
	return status;
}

void at_sqlite_rollback(struct at_sqlite *self)
{
	/* some failures have already rolled back */
	if (!sqlite3_get_autocommit(self->handle))
		sqlite3_exec(self->handle, "ROLLBACK", NULL, NULL, NULL);
}

enum at_status at_sqlite_enter(
	struct at_sqlite *self, bool writes, bool *begins, struct at_error *err)
{
	*begins = sqlite3_get_autocommit(self->handle);
	if (!*begins)
		return AT_OK;
	return writes ? at_sqlite_begin(self, err)
		      : at_sqlite_execute(self, "BEGIN", err);
}

enum at_status at_sqlite_leave(struct at_sqlite *self, bool begins,
	enum at_status status, struct at_error *err)
{
	return begins ? at_sqlite_end(self, status, err) : status;
}

int64_t at_sqlite_last_id(const struct at_sqlite *self)
{
	return sqlite3_last_insert_rowid(self->handle);
}

int64_t at_sqlite_changes(const struct at_sqlite *self)
{
	return sqlite3_changes(self->handle);
}
