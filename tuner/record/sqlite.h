/*
 * SQLite behind plain functions; record/sqlite_parts.h alone includes its header. It
 * knows how to open, wait, run statements and name what went
 * wrong in one line with the fix; it must not know what the tables mean. Any file may
 * be a stranger's: its views and triggers are off, what its schema says of functions is
 * not trusted, and no value of it may be larger than 256 MiB.
 *
 *   at_sqlite_open(path, &database, err);
 *   at_sqlite_cached(database, "SELECT b FROM t WHERE a = ?", &statement, err);
 *   at_statement_bind_integer(statement, 1, 7);
 *   while (!(status = at_statement_step(statement, &row, err)) && row)
 *           ... at_statement_text(statement, 0) ...
 *   at_statement_reset(statement);
 *   at_sqlite_close(database);
 *
 * Places of bound values count from 1, columns from 0, as in SQLite itself.
 * Threads: one database, one thread; never used across a fork.
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

/* Opens or makes the file. Locks of other processes are waited for as
   at_store_be_patient() says. */
enum at_status at_sqlite_open(
	const char *path, struct at_sqlite **out, struct at_error *err);
/*
 * Opens the file for reading alone, and makes none. The log of a database, and its
 * index, must then be there or be allowed to be made; with is_alone they are not looked
 * at, which is right only where there is no log and nobody writes: a file at rest.
 */
enum at_status at_sqlite_open_reading(
	const char *path, bool is_alone, struct at_sqlite **out, struct at_error *err);
/* In memory, empty, and gone with its closing; name stands for it in errors. */
enum at_status at_sqlite_open_memory(
	const char *name, struct at_sqlite **out, struct at_error *err);
/* All of `from` into `to`, which is one in memory. */
enum at_status at_sqlite_copy(
	struct at_sqlite *from, struct at_sqlite *to, struct at_error *err);
/* All of `from` into a file, which is made; AT_EIO where there is one. */
enum at_status at_sqlite_save(
	struct at_sqlite *from, const char *path, struct at_error *err);
/*
 * Whether the file is no longer what is at its path: it was removed, moved, or another
 * one is in its place. What is written goes on going into the one that was opened.
 */
bool at_sqlite_has_moved(struct at_sqlite *self);
/* From now on closing leaves alone what is at the path: it is another file's. */
void at_sqlite_abandon(struct at_sqlite *self);
/*
 * NULL, or what is wrong with the log: another program has cut it short or written over
 * it, which SQLite does not see. It is abandoned then. is_whole: from its beginning on,
 * 16 MB at most in some 20 ms; else what was not looked at before.
 */
const char *at_sqlite_look_at_log(struct at_sqlite *self, bool is_whole);
/*
 * NULL, or what is wrong with the file, where somebody else has written to it since the
 * last call: another process that folds the log into it, or one that should not. It is
 * abandoned then. Of more than 256 MiB nothing is told.
 */
const char *at_sqlite_look_at_file(struct at_sqlite *self);
/* Whether the log is not at its path any more: whoever opens the database would not
   find what is in it. */
bool at_sqlite_log_has_moved(const struct at_sqlite *self);
/* What is read from now on is on the disk, and is not what was kept of it. */
void at_sqlite_drop_cache(struct at_sqlite *self);
/* Whether anything that was read so far made no sense to SQLite. */
bool at_sqlite_is_damaged(const struct at_sqlite *self);
/*
 * Of a file that has moved: removes the log beside its path, and the log's index,
 * unless they are another file's. Whoever opened what is at the path now would take the
 * log for that file's own, and overwrite it.
 */
void at_sqlite_remove_log(struct at_sqlite *self);
/* Puts the log into the file, and does without one from then on. An error, at once:
   another process has the file open. */
enum at_status at_sqlite_end_log(struct at_sqlite *self, struct at_error *err);
/* Frees the cached statements too; those of at_sqlite_prepare() go before. */
void at_sqlite_close(struct at_sqlite *self);
const char *at_sqlite_path(const struct at_sqlite *self);

/* No other process may open it; before anything is read. */
enum at_status at_sqlite_be_alone(struct at_sqlite *self, struct at_error *err);
/*
 * Write-ahead log where the file system can do it. A commit is then not synced:
 * a process that is killed loses nothing, since what it has written is with the
 * kernel; a power cut may take the last commits but never the file's integrity.
 * at_sqlite_checkpoint() makes everything committed safe from that, too.
 */
enum at_status at_sqlite_use_log(struct at_sqlite *self, struct at_error *err);
/* A rollback journal instead: slower, but processes of several machines may write. */
enum at_status at_sqlite_use_journal(struct at_sqlite *self, struct at_error *err);
enum at_status at_sqlite_checkpoint(struct at_sqlite *self, struct at_error *err);

/*
 * Runs statements separated by ';' and drops their rows. More than one belong
 * into a transaction: where a lock makes it try again, it starts with the first.
 */
enum at_status at_sqlite_execute(
	struct at_sqlite *self, const char *sql, struct at_error *err);
/* The first column of the first row; 0 when there is none. */
enum at_status at_sqlite_integer(
	struct at_sqlite *self, const char *sql, int64_t *out, struct at_error *err);

/* A transaction that holds the write lock from its start, so that it cannot fail
   half-way because another process writes. at_sqlite_rollback() does nothing outside
   one. */
enum at_status at_sqlite_begin(struct at_sqlite *self, struct at_error *err);
enum at_status at_sqlite_commit(struct at_sqlite *self, struct at_error *err);
void at_sqlite_rollback(struct at_sqlite *self);
int64_t at_sqlite_last_id(const struct at_sqlite *self);
/* Rows that the last statement added, changed or removed. */
int64_t at_sqlite_changes(const struct at_sqlite *self);

enum at_status at_sqlite_prepare(struct at_sqlite *self, const char *sql,
	struct at_statement **out, struct at_error *err);
void at_statement_free(struct at_statement *self);
/*
 * The same, kept for the next call with the same address: sql must be a literal.
 * Borrowed; comes reset and without bindings.
 */
enum at_status at_sqlite_cached(struct at_sqlite *self, const char *sql,
	struct at_statement **out, struct at_error *err);

/* A failure is reported by the next step. Texts and bytes must live until reset. */
void at_statement_bind_integer(struct at_statement *self, int place, int64_t value);
void at_statement_bind_real(struct at_statement *self, int place, double value);
void at_statement_bind_text(struct at_statement *self, int place, const char *text);
/* Copied. */
void at_statement_bind_copy(struct at_statement *self, int place, const char *text);
void at_statement_bind_bytes(
	struct at_statement *self, int place, const void *data, size_t size);
/* Copied; 16 bytes, ordered as at_hash_hex() writes them. */
void at_statement_bind_hash(struct at_statement *self, int place, struct at_hash hash);
void at_statement_bind_null(struct at_statement *self, int place);
/* What another statement's row has in a column, whatever it is. Copied. */
void at_statement_bind_column(struct at_statement *self, int place,
	const struct at_statement *from, int column);

enum at_status at_statement_step(
	struct at_statement *self, bool *row, struct at_error *err);
/* Steps to the end and resets: for what gives no rows. */
enum at_status at_statement_run(struct at_statement *self, struct at_error *err);
/* Ends the reading; harmless when there is none. */
void at_statement_reset(struct at_statement *self);

/* What a row has in a column: any column may hold any of them. */
enum at_sqlite_type {
	AT_SQLITE_NONE = 0, /* NULL */
	AT_SQLITE_INTEGER,
	AT_SQLITE_REAL,
	AT_SQLITE_TEXT,
	AT_SQLITE_BYTES,
};
enum at_sqlite_type at_statement_type(const struct at_statement *self, int column);
/* What the statement calls it; borrowed. */
const char *at_statement_name(const struct at_statement *self, int column);
bool at_statement_is_null(const struct at_statement *self, int column);
int64_t at_statement_integer(const struct at_statement *self, int column);
/* Steps once, and resets: *value becomes no less than the row's first column. */
enum at_status at_statement_raise(
	struct at_statement *self, int64_t *value, struct at_error *err);
double at_statement_real(const struct at_statement *self, int column);
/* Borrowed until the next step; "" for NULL. */
const char *at_statement_text(const struct at_statement *self, int column);
/* Of a text: without the NUL behind it. */
const void *at_statement_bytes(
	const struct at_statement *self, int column, size_t *size);
/* All zero for what is no hash. */
struct at_hash at_statement_hash(const struct at_statement *self, int column);

#endif
