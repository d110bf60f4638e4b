/*
 * What the files that call SQLite share: record/sqlite.c (databases),
 * record/sqlite_mirror.c, record/statement.c, and below them record/sqlite_call.c. No
 * other file includes it.
 */
#ifndef AT_RECORD_SQLITE_PARTS_H
#define AT_RECORD_SQLITE_PARTS_H

#include "record/sqlite.h"
#include "record/wait.h"

#include <sys/types.h>

#include <sqlite3.h>

/* distinct statements that a connection keeps; more are prepared, but replace each
   other */
#define CACHE_SIZE 32

/* An open database. */
struct at_sqlite {
	sqlite3 *handle;
	char *path;
	bool is_reading; /* it was opened for reading only */
	struct at_error refusal; /* why nothing may be written to it, where known */
	bool is_damaged; /* something read made no sense to SQLite */
	bool has_log; /* there was a log when it was opened, in this file: */
	dev_t log_device;
	ino_t log_inode;
	struct sqlite_mirror *mirror; /* NULL: rows are copied nowhere */
	struct at_wait wait; /* how long the current call has waited for locks */
	struct at_error failure; /* of the last statement that could not be prepared */
	size_t cached_count;
	struct at_statement *cached[CACHE_SIZE];
	/* queries that were freed, the last one last: to prepare one again costs more
	   than to run it on a few rows */
	size_t spare_count;
	struct at_statement *spare[CACHE_SIZE];
};

/* Turns an SQLite code into a line for people. All such lines are made here. */
enum at_status sqlite_fail(struct at_sqlite *self, int code, struct at_error *err);
/* Frees a statement for good. */
void sqlite_end_statement(struct at_statement *self);
/* Copies the committed rows that at_sqlite_mirror() asked for; called where a statement
   has ended. */
void sqlite_copy_rows(struct at_sqlite *self);
/* To be called before each call of SQLite that may meet a lock. */
void sqlite_begin_call(struct at_sqlite *self);
/*
 * Whether to call again after `code`; waits a moment first. SQLite asks its busy
 * handler for most locks, but gives up at once where waiting might be a deadlock: when
 * two processes switch to the log at the same time, or when one recovers while the
 * other closes. Those calls are tried again here.
 */
bool sqlite_try_again(struct at_sqlite *self, int code);

#endif
