/*
 * SQLite behind plain functions; only record/sqlite.c includes its header. This
 * layer opens, waits for locks, runs statements, and turns failures into one line with
 * what to do; it must not know what the tables mean. Any file may come from a stranger:
 * views and triggers are off, functions in its schema are not trusted, and no value may
 * be larger than 256 MiB.
 *
 *   at_sqlite_open(path, &database, err);
 *   statement = at_sqlite_cached(database, "SELECT b FROM t WHERE a = ?");
 *   at_statement_bind_integer(statement, 1, 7);
 *   while (!(status = at_statement_step(statement, &row, err)) && row)
 *           ... at_statement_text(statement, 0) ...
 *   at_statement_reset(statement);
 *   at_sqlite_close(database);
 *
 * Places of bound values count from 1, columns from 0, as in SQLite itself. "Log" is
 * the write-ahead log (FILE-wal), "folding" it is SQLite's checkpoint. Threads: one
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

/* Opens or makes the file. From then on calls wait for locks of other processes as
   at_store_be_patient() says. */
enum at_status at_sqlite_open(
	const char *path, struct at_sqlite **out, struct at_error *err);
/*
 * Opens the file for reading only; it must exist. SQLite then needs the file's log and
 * the log's index, or must be able to make them. With is_alone it ignores both, which
 * is right only without a log and without writers.
 */
enum at_status at_sqlite_open_reading(
	const char *path, bool is_alone, struct at_sqlite **out, struct at_error *err);
/* Whatever writes to it from now on fails with *why; status 0 there: since it is
   read-only. */
enum at_status at_sqlite_refuse_writing(
	struct at_sqlite *self, const struct at_error *why, struct at_error *err);
/* An empty database, gone when it is closed: in memory, and what exceeds 16 MB in a
   file without a name in TMPDIR. name stands for a path in errors. */
enum at_status at_sqlite_open_memory(
	const char *name, struct at_sqlite **out, struct at_error *err);
/* Copies all of `from` into `to`, a database in memory. schema: "main", or the name by
   which both have attached a database. */
enum at_status at_sqlite_copy(struct at_sqlite *from, struct at_sqlite *to,
	const char *schema, struct at_error *err);
/* Whether the path no longer leads to the open file: another program removed, moved or
   replaced the file. Writing goes on into the open file. */
bool at_sqlite_has_moved(struct at_sqlite *self);
/* AT_EIO where the file has moved: what was just committed is in no file with a name.
 */
enum at_status at_sqlite_check_place(struct at_sqlite *self, struct at_error *err);
/*
 * From now on closing does not fold the log into the file. A file that has moved also
 * loses the log and the index that it left at the path: a process that opens the file
 * that is there now would take that log for its own.
 */
void at_sqlite_abandon(struct at_sqlite *self);
/* Drops cached pages, so that reads see what is on the disk. */
void at_sqlite_drop_cache(struct at_sqlite *self);
/* Whether SQLite has found something read so far to be damaged. */
bool at_sqlite_is_damaged(const struct at_sqlite *self);
/* Folds the log into the file and works without a log from then on. Fails at once where
   another process has the file open. */
enum at_status at_sqlite_end_log(struct at_sqlite *self, struct at_error *err);
/* Closes it and frees the cached statements; those of at_sqlite_prepare() must be freed
   before. self may be NULL. */
void at_sqlite_close(struct at_sqlite *self);
/* The path that it was opened with, or the name of a database in memory; borrowed. */
const char *at_sqlite_path(const struct at_sqlite *self);

/* Keeps all other processes out; to be called before anything is read. */
enum at_status at_sqlite_be_alone(struct at_sqlite *self, struct at_error *err);
/*
 * Uses a write-ahead log where the file system allows one. Commits are then not synced:
 * a killed process loses nothing, since what it wrote is with the kernel; a power cut
 * may lose the last commits but never damages the file. at_sqlite_checkpoint() makes
 * all commits safe from a power cut, too.
 */
enum at_status at_sqlite_use_log(struct at_sqlite *self, struct at_error *err);
/* Uses a rollback journal instead: slower, but processes of several machines may
   write. */
enum at_status at_sqlite_use_journal(struct at_sqlite *self, struct at_error *err);
/* Folds the log into the file, as far as other processes allow at the moment. */
enum at_status at_sqlite_checkpoint(struct at_sqlite *self, struct at_error *err);

/*
 * Runs statements separated by ';' and drops their rows. Several statements should be
 * one transaction: after waiting for a lock the whole text runs again from its start.
 */
enum at_status at_sqlite_execute(
	struct at_sqlite *self, const char *sql, struct at_error *err);
/* The first column of the first row; 0 when there is no row. */
enum at_status at_sqlite_integer(
	struct at_sqlite *self, const char *sql, int64_t *out, struct at_error *err);

/*
 * Begins a transaction that holds the write lock from its start, so that it cannot fail
 * half-way because another process writes. at_sqlite_rollback() does nothing outside a
 * transaction.
 */
enum at_status at_sqlite_begin(struct at_sqlite *self, struct at_error *err);
enum at_status at_sqlite_commit(struct at_sqlite *self, struct at_error *err);
/*
 * For what is to be of one moment wherever it is called: begins a transaction unless
 * one has begun; *begins: it did. What comes between ends with at_sqlite_leave(), which
 * commits if status is AT_OK, also where entering failed. writes: the write lock is
 * held from the start.
 */
enum at_status at_sqlite_enter(
	struct at_sqlite *self, bool writes, bool *begins, struct at_error *err);
enum at_status at_sqlite_leave(struct at_sqlite *self, bool begins,
	enum at_status status, struct at_error *err);
void at_sqlite_rollback(struct at_sqlite *self);
/* The id of the last row that was added. */
int64_t at_sqlite_last_id(const struct at_sqlite *self);
/* The number of rows that the last statement added, changed or removed. */
int64_t at_sqlite_changes(const struct at_sqlite *self);

/* Prepares a statement; the caller frees it. */
enum at_status at_sqlite_prepare(struct at_sqlite *self, const char *sql,
	struct at_statement **out, struct at_error *err);
/* self may be NULL. */
void at_statement_free(struct at_statement *self);
/* The same, but kept for the next call with the same address: sql must be
   a literal. The statement is borrowed, and comes reset and without bindings. A failure
   is reported by the next step. */
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

/* Bind a value. A failure is reported by the next step. Texts and bytes must live until
   the statement is reset. */
void at_statement_bind_integer(struct at_statement *self, int place, int64_t value);
void at_statement_bind_real(struct at_statement *self, int place, double value);
void at_statement_bind_text(struct at_statement *self, int place, const char *text);
/* The text is copied. */
void at_statement_bind_copy(struct at_statement *self, int place, const char *text);
void at_statement_bind_bytes(
	struct at_statement *self, int place, const void *data, size_t size);
/* Copied: 16 bytes in the order in which at_hash_hex() writes them. */
void at_statement_bind_hash(struct at_statement *self, int place, struct at_hash hash);
void at_statement_bind_null(struct at_statement *self, int place);
/* Binds the value of a column in the current row of another statement, of any type.
   Copied. */
void at_statement_bind_column(struct at_statement *self, int place,
	const struct at_statement *from, int column);

/* Steps to the next row; *row false: there are no more. */
enum at_status at_statement_step(
	struct at_statement *self, bool *row, struct at_error *err);
/* Steps to the end and resets; for statements without rows. */
enum at_status at_statement_run(struct at_statement *self, struct at_error *err);
/* Ends the reading and clears the bindings. */
void at_statement_reset(struct at_statement *self);

/* The type of a value: in SQLite a column may hold any of them. */
enum at_sqlite_type {
	AT_SQLITE_NONE = 0, /* NULL */
	AT_SQLITE_INTEGER,
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

/* Read a column of the current row. A value of another type is converted as SQLite does
   it; NULL is 0 or "". */
enum at_sqlite_type at_statement_type(const struct at_statement *self, int column);
/* The column's name in the statement; borrowed. */
const char *at_statement_name(const struct at_statement *self, int column);
bool at_statement_is_null(const struct at_statement *self, int column);
int64_t at_statement_integer(const struct at_statement *self, int column);
/* Steps once and resets: *value is the first column of the row, 0 where there is none.
 */
enum at_status at_statement_find(
	struct at_statement *self, int64_t *value, bool *found, struct at_error *err);
double at_statement_real(const struct at_statement *self, int column);
/* Borrowed until the next step; "" for NULL. */
const char *at_statement_text(const struct at_statement *self, int column);
/* Borrowed until the next step, NULL where empty; of a text without the NUL at its
   end. */
const void *at_statement_bytes(
	const struct at_statement *self, int column, size_t *size);
/* All zero where the value is no hash. */
struct at_hash at_statement_hash(const struct at_statement *self, int column);

#endif
