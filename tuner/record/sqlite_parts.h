/*
 * What the files that call SQLite share: record/sqlite.c (databases),
 * record/sqlite_log.c, record/statement.c, and below them record/sqlite_call.c. No
 * other file includes it.
 */
#ifndef AT_RECORD_SQLITE_PARTS_H
#define AT_RECORD_SQLITE_PARTS_H

#include "record/sqlite.h"
#include "record/wait.h"

#include <sys/types.h>
#include <time.h>

#include <sqlite3.h>

/* distinct statements that a connection keeps; more are prepared, but replace each
   other */
#define CACHE_SIZE 32

/* How far the log was checked and found to be right. */
struct at_log_mark {
	/* the log's own random numbers: another log has others */
	unsigned char salts[8];
	uint32_t sums[2]; /* the running checksum up to here */
	uint32_t frames; /* checked so far */
};

/* An open database. */
struct at_sqlite {
	sqlite3 *handle;
	char *path;
	bool is_reading; /* it was opened for reading only */
	bool is_alone; /* no other process has it open */
	struct at_error refusal; /* why nothing may be written to it, where known */
	bool is_damaged; /* something read made no sense to SQLite */
	struct timespec written; /* the file's last change that is known to be right */
	uint32_t log_frames; /* frames in the log after our last commit */
	struct at_log_mark mark;
	bool has_log; /* there was a log when it was opened, in this file: */
	dev_t log_device;
	ino_t log_inode;
	struct at_wait wait; /* how long the current call has waited for locks */
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
/* Notes the file's time stamp: what was written so far is accounted for. */
void sqlite_note_written(struct at_sqlite *self);
/* From now on the log is folded after a commit that leaves it large, if it is sound. */
void sqlite_fold_by_itself(struct at_sqlite *self);
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
