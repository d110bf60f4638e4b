/* An open record, only for the files of record/ that run SQL on it. */
#ifndef AT_RECORD_STORE_INTERNAL_H
#define AT_RECORD_STORE_INTERNAL_H

#include "base/memory.h"
#include "record/tables.h"
#include "record/sqlite.h"
#include "record/store.h"

#include <sys/stat.h>

struct at_claims; /* record/store_claims.c */

struct at_store {
	struct at_sqlite *database;
	/* it has had a run: its rows are stored twice (store_lost.c) */
	bool keeps;
	/* evaluations that could not be added; NULL: none */
	struct at_store *refused;
	/* The highest evaluation id that one of its runs may know. SQLite reuses ids of
	   removed rows; a run's new rows are above this. */
	int64_t highest;
	/* another machine's record, to be merged: errors do not suggest --results */
	bool is_foreign;
	bool is_copy; /* copy of its file and log */
	struct stat seen; /* else the file when it was opened */
	bool is_shared; /* other processes may write to it */
	/* its claims; NULL: none so far */
	struct at_claims *claims;
	bool has_told; /* an ignored row was reported: only the first is */
	bool is_new; /* this store made the file */
	size_t missing; /* number of folders made for its path */
};

/* Opens another machine's record for reading, by record/merge.h; adds nothing to its
   folder. */
enum at_status at_store_open_foreign(
	const char *path, struct at_store **out, struct at_error *err);
/* AT_EINVAL: the file was written to since, so the reads are inconsistent. */
enum at_status at_store_check_foreign(
	const struct at_store *self, struct at_error *err);
/* Reads the row with an id found in the record, without samples. */
enum at_status at_store_get_row(struct at_store *self, int64_t number,
	struct at_evaluation *out, bool *found, struct at_error *err);
/* at_sqlite_enter() for related reads, such as a winner and its evaluations: `forget`,
   a merge or another run may come between two statements. End it with
   at_sqlite_leave(). */
enum at_status at_store_enter(
	struct at_store *self, bool *begins, struct at_error *err);
/* Begins to copy each row that this store commits. */
enum at_status at_store_keep_rows(struct at_store *self, struct at_error *err);
/* Also copies an existing evaluation; without a copy it does nothing. */
void at_store_keep_evaluation(struct at_store *self, int64_t id);
/* Stores an evaluation that could not be added. */
void at_store_keep_refused(struct at_store *self, struct at_evaluation *evaluation);
/* AT_EIO: the file has moved; AT_ENOENT: rows of a run under way are gone. */
enum at_status at_store_check_rows(struct at_store *self, struct at_error *err);
/* Drops all claims (record/claims.h); the next one starts over with the file then
   present. */
void at_store_end_claims(struct at_store *self);
/* Joins the users of claims, so that others see that a run may be under way. */
void at_store_begin_claims(struct at_store *self);
/* Whether others use claims: a run without an end may be under way, however old it is
   by its clock. */
bool at_store_is_in_use(const struct at_store *self);

/* Call after reading a row failed. An invalid row (status AT_EINVAL, with the reason)
   is ignored: the first of a store is reported, and AT_OK is returned. Other failures
   are returned. */
enum at_status at_store_leave_out(struct at_store *self, const char *table, int64_t id,
	enum at_status status, const struct at_error *reason, struct at_error *err);
/* Adds a row, the table's struct; *id: its id. */
enum at_status at_store_insert(struct at_store *self, const struct at_table *table,
	const void *row, int64_t *id, struct at_error *err);
/* Reads the current row, with the id and the table's own columns, into the table's
   struct. *found false: the row is invalid and ignored, or a failure; the struct is
   zeroed. */
enum at_status at_store_read_row(struct at_store *self, const struct at_table *table,
	const struct at_statement *statement, void *row, bool *found,
	struct at_error *err);

/* The same for the first row of a bound statement, which is reset; *id (may be NULL):
   its id. *found is also false without a row. */
enum at_status at_store_read_first(struct at_store *self, const struct at_table *table,
	struct at_statement *statement, void *row, int64_t *id, bool *found,
	struct at_error *err);

/* AT_EINVAL: the database is of a newer version or another program, or has other tables
   than a record. *is_current: it has this version. Changes nothing. */
enum at_status at_store_check(
	struct at_store *self, bool *is_current, struct at_error *err);
/* The winners of a portfolio, by problem: at_store_free_winners(). */
enum at_status at_store_members(struct at_store *self, int64_t portfolio_id,
	struct at_winner **out, size_t *count, struct at_error *err);
/* AT_EINVAL: a device is invalid; everything refers to devices. */
enum at_status at_store_check_devices(struct at_store *self, struct at_error *err);
/* Appends the first column of all rows of a bound statement to *out, the caller's, and
   resets the statement. */
enum at_status at_store_read_ids(struct at_statement *statement, int64_t **out,
	size_t *count, struct at_error *err);
/* Upgrades an empty or older database to this version. */
enum at_status at_store_migrate(struct at_store *self, struct at_error *err);

#endif
