/*
 * A plain C interface to SQLite, whose header only record/sqlite.c includes. It opens
 * databases, waits for locks, runs statements, and turns failures into one line with
 * advice; it must not know what the tables mean. Any file may come from a stranger:
 * views and triggers are off, functions in its schema are not trusted, and values are
 * limited to 256 MiB.
 *
 *   at_sqlite_open(path, &database, err);
 *   statement = at_sqlite_cached(database, "SELECT b FROM t WHERE a = ?");
 *   at_statement_bind_integer(statement, 1, 7);
 *   while (at_statement_next(statement, &status, err))
 *           ... at_statement_text(statement, 0) ...
 *   at_sqlite_close(database);
 *
 * Places of bound values count from 1, columns from 0, as in SQLite. "Log" is the
 * write-ahead log (FILE-wal), "folding" it is SQLite's checkpoint. Threads: one
 * database, one thread; never used across a fork.
 */
#ifndef AT_RECORD_SQLITE_H
#define AT_RECORD_SQLITE_H

#include "base/error.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_sqlite; /* opaque, heap */
struct at_statement; /* opaque, heap */

/* Opens or makes the file. Later calls wait for locks of other processes, by
   at_store_be_patient(). */
enum at_status at_sqlite_open(
	const char *path, struct at_sqlite **out, struct at_error *err);
/* Opens an existing file for reading only. SQLite then needs the file's log and the
   log's index, or must be able to make them. With is_alone it ignores both, which is
   correct only without a log and without writers. */
enum at_status at_sqlite_open_reading(
	const char *path, bool is_alone, struct at_sqlite **out, struct at_error *err);
/* Makes later writes fail with *why; status 0: because it is read-only. */
enum at_status at_sqlite_refuse_writing(
	struct at_sqlite *self, const struct at_error *why, struct at_error *err);
/* An empty database in memory, with more than 16 MB in an unnamed file in TMPDIR;
   closing deletes it. name: the path in errors. */
enum at_status at_sqlite_open_memory(
	const char *name, struct at_sqlite **out, struct at_error *err);
/* Copies all of `from` into `to`, a database in memory. schema: "main", or the name of
   a database attached to both. */
enum at_status at_sqlite_copy(struct at_sqlite *from, struct at_sqlite *to,
	const char *schema, struct at_error *err);
/* Whether the path no longer leads to the open file: another program removed, moved or
   replaced it. Writes go to the open file. */
bool at_sqlite_has_moved(struct at_sqlite *self);
/* AT_EIO if the file has moved: the last commit is in no named file. */
enum at_status at_sqlite_check_place(struct at_sqlite *self, struct at_error *err);
/* Closing will not fold the log into the file. A file that has moved also loses the log
   and the index left at the path: a process that opens the present file there would use
   that log. */
void at_sqlite_abandon(struct at_sqlite *self);
/* Drops cached pages, so that reads see the disk. */
void at_sqlite_drop_cache(struct at_sqlite *self);
/* Whether SQLite found damage in anything read so far. */
bool at_sqlite_is_damaged(const struct at_sqlite *self);
/* Folds the log into the file and works without a log. Fails at once if another process
   has the file open. */
enum at_status at_sqlite_end_log(struct at_sqlite *self, struct at_error *err);
/* Closes it and frees the cached statements; free those of at_sqlite_prepare() before.
   self may be NULL. */
void at_sqlite_close(struct at_sqlite *self);
/* The path it was opened with, or the name of a database in memory; borrowed. */
const char *at_sqlite_path(const struct at_sqlite *self);

/* Locks out all other processes; call it before reading anything. */
enum at_status at_sqlite_be_alone(struct at_sqlite *self, struct at_error *err);
/*
 * Uses a write-ahead log if the file system allows one. Commits are then not synced: a
 * killed process loses nothing, since the kernel has its writes; a power cut may lose
 * the last commits but never damages the file. at_sqlite_checkpoint() protects all
 * commits from a power cut.
 */
enum at_status at_sqlite_use_log(struct at_sqlite *self, struct at_error *err);
/* Uses a rollback journal instead: slower, but several machines may write. */
enum at_status at_sqlite_use_journal(struct at_sqlite *self, struct at_error *err);
/* Folds the log into the file, as far as other processes allow. */
enum at_status at_sqlite_checkpoint(struct at_sqlite *self, struct at_error *err);

/* Runs statements separated by ';' and drops their rows. Several statements should be
   one transaction: after a wait for a lock the whole text runs again. */
enum at_status at_sqlite_execute(
	struct at_sqlite *self, const char *sql, struct at_error *err);
/* The first column of the first row; 0: no row. */
enum at_status at_sqlite_integer(
	struct at_sqlite *self, const char *sql, int64_t *out, struct at_error *err);

/* Begins a transaction that holds the write lock from its start, so that another writer
   cannot make it fail half-way. at_sqlite_rollback() does nothing outside of a
   transaction. */
enum at_status at_sqlite_begin(struct at_sqlite *self, struct at_error *err);
/* Ends it: commits if status is AT_OK, else rolls back; call it even if beginning
   failed. Returns status, or the failure of the commit. */
enum at_status at_sqlite_end(
	struct at_sqlite *self, enum at_status status, struct at_error *err);
/*
 * For a consistent snapshot at any call depth: begins a transaction unless one has
 * begun; *begins: it did. It ends with at_sqlite_leave(), which is at_sqlite_end() if
 * it did. writes: hold the write lock from the start.
 */
enum at_status at_sqlite_enter(
	struct at_sqlite *self, bool writes, bool *begins, struct at_error *err);
enum at_status at_sqlite_leave(struct at_sqlite *self, bool begins,
	enum at_status status, struct at_error *err);
void at_sqlite_rollback(struct at_sqlite *self);
/* The id of the last added row. */
int64_t at_sqlite_last_id(const struct at_sqlite *self);
/* The number of rows that the last statement added, changed or removed. */
int64_t at_sqlite_changes(const struct at_sqlite *self);

/* Prepares a statement; the caller frees it. */
enum at_status at_sqlite_prepare(struct at_sqlite *self, const char *sql,
	struct at_statement **out, struct at_error *err);
/* self may be NULL. */
void at_statement_free(struct at_statement *self);
/* The same, cached by the address of sql, which must be a literal. The statement is
   borrowed, reset and without bindings. The next step reports a failure. */
struct at_statement *at_sqlite_cached(struct at_sqlite *self, const char *sql);
/*
 * The same with values at the places from 1 on:
 *
 *   at_statement_run(at_sqlite_bound(database, "UPDATE t SET a = ? WHERE b = ?",
 *       AT_VALUES(AT_INTEGER(7), AT_STRING(text))), err);
 *
 * Texts must live until the statement is reset; NULL is NULL.
 */
struct at_sql_value;
struct at_statement *at_sqlite_bound(
	struct at_sqlite *self, const char *sql, const struct at_sql_value *values);

/* Bind a value. The next step reports a failure. Texts and bytes must live until the
   statement is reset; NULL is NULL. */
void at_statement_bind_integer(struct at_statement *self, int place, int64_t value);
void at_statement_bind_real(struct at_statement *self, int place, double value);
void at_statement_bind_text(struct at_statement *self, int place, const char *text);
/* The text is copied. */
void at_statement_bind_copy(struct at_statement *self, int place, const char *text);
void at_statement_bind_bytes(
	struct at_statement *self, int place, const void *data, size_t size);
/* Copied: 16 bytes in the order of at_hash_hex(). */
void at_statement_bind_hash(struct at_statement *self, int place, struct at_hash hash);
void at_statement_bind_null(struct at_statement *self, int place);
/* Binds a copy of a column in another statement's current row, of any type. */
void at_statement_bind_column(struct at_statement *self, int place,
	const struct at_statement *from, int column);

/* Steps to the next row; *row false: no more rows. */
enum at_status at_statement_step(
	struct at_statement *self, bool *row, struct at_error *err);
/* Steps to the next row unless *status is a failure. False: it is, or there are no more
   rows; the statement is then reset. A change with RETURNING is committed only now. */
bool at_statement_next(
	struct at_statement *self, enum at_status *status, struct at_error *err);
/* Steps to the end and resets; for statements without rows. */
enum at_status at_statement_run(struct at_statement *self, struct at_error *err);
/* Ends reading and clears the bindings. */
void at_statement_reset(struct at_statement *self);

/* The type of a value: any column may have any type. */
enum at_sqlite_type {
	AT_SQLITE_NONE = 0, /* NULL */
	AT_SQLITE_INTEGER, /* from here on as in SQLite */
	AT_SQLITE_REAL,
	AT_SQLITE_TEXT,
	AT_SQLITE_BYTES,
};

struct at_sql_value {
	enum at_sqlite_type type; /* AT_SQLITE_NONE: the end */
	int64_t integer;
	const char *text;
};
#define AT_INTEGER(value) \
	{ \
		.type = AT_SQLITE_INTEGER, .integer = (value) \
	}
#define AT_STRING(value) \
	{ \
		.type = AT_SQLITE_TEXT, .text = (value) \
	}
#define AT_VALUES(...) ((const struct at_sql_value[]){ __VA_ARGS__, { 0 } })

/* Read a column of the current row. SQLite converts other types; NULL is 0 or "". */
enum at_sqlite_type at_statement_type(const struct at_statement *self, int column);
/* The column's name in the statement; borrowed. */
const char *at_statement_name(const struct at_statement *self, int column);
bool at_statement_is_null(const struct at_statement *self, int column);
int64_t at_statement_integer(const struct at_statement *self, int column);
/* Steps once and resets: *value is the first column of the row, or 0. *found (may be
   NULL): whether there is a row. */
enum at_status at_statement_find(
	struct at_statement *self, int64_t *value, bool *found, struct at_error *err);
double at_statement_real(const struct at_statement *self, int column);
/* Borrowed until the next step; "" for NULL. */
const char *at_statement_text(const struct at_statement *self, int column);
/* Borrowed until the next step, NULL if empty; a text without its final NUL. */
const void *at_statement_bytes(
	const struct at_statement *self, int column, size_t *size);
/* All zero if the value is not a hash. */
struct at_hash at_statement_hash(const struct at_statement *self, int column);

#endif
