/*
 * What the files that speak to SQLite share: record/sqlite.c (the database),
 * record/statement.c, and below them record/sqlite_call.c. Nobody else includes it.
 */
#ifndef AT_RECORD_SQLITE_PARTS_H
#define AT_RECORD_SQLITE_PARTS_H

#include "record/sqlite.h"
#include "record/wait.h"

#include <sys/types.h>
#include <time.h>

#include <sqlite3.h>

/* distinct statements of the whole store; more are prepared but not kept */
#define CACHE_SIZE 32

/* How far the log was read, and found to be sound. */
struct at_log_mark {
	unsigned char salts[8]; /* of this log, as they are in the file */
	uint32_t sums[2]; /* of all that was read */
	uint32_t frames;
};

struct at_sqlite {
	sqlite3 *handle;
	char *path;
	bool is_reading; /* it was asked for reading alone */
	bool is_alone; /* no other process has it open */
	bool is_damaged; /* what was read made no sense */
	struct timespec written; /* when the file was, that we know of */
	uint32_t log_frames; /* after the last commit of ours */
	struct at_log_mark mark;
	bool has_log; /* as it was when it was opened: */
	dev_t log_device;
	ino_t log_inode;
	struct at_wait wait; /* of the call that runs, for others' locks */
	size_t cached_count;
	struct at_statement *cached[CACHE_SIZE];
};

/* The one place where SQLite's codes become lines for people. */
enum at_status sqlite_fail(struct at_sqlite *self, int code, struct at_error *err);
/* What is written to the file up to now we know of. */
void sqlite_note_written(struct at_sqlite *self);
/* From now on the log is folded into the file by itself, where it is sound. */
void sqlite_fold_by_itself(struct at_sqlite *self);
/* Before each call that may meet a lock. */
void sqlite_begin_call(struct at_sqlite *self);
/*
 * SQLite asks whether to wait for most locks, but gives up at once where waiting might
 * be a deadlock: when two processes switch to the log at the same time, or one recovers
 * while the other closes. Those are tried again if this
 * says so.
 */
bool sqlite_try_again(struct at_sqlite *self, int code);

#endif
