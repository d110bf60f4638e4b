/* An open record, for the files of record/ that run SQL on it; no others include it. */
#ifndef AT_RECORD_STORE_INTERNAL_H
#define AT_RECORD_STORE_INTERNAL_H

#include "base/memory.h"
#include "record/tables.h"
#include "record/sqlite.h"
#include "record/store.h"

#include <sys/stat.h>

struct at_claims; /* record/store_claims.c */

/* An open record. */
struct at_store {
	struct at_sqlite *database;
	/* It has had a run, so that its rows are kept twice (store_lost.c); */
	bool keeps;
	/* evaluations that could not be added since; NULL: none */
	struct at_store *refused;
	/* The highest number of an evaluation that a run of it may know. SQLite gives
	   numbers of removed rows again; a run's new rows are above this. */
	int64_t highest;
	/* it is another machine's record, to be merged: errors do not advise
	   --results */
	bool is_foreign;
	bool is_copy; /* of its file and log; */
	struct stat seen; /* else the file when it was opened */
	bool is_shared; /* other processes may write to it at the same time */
	/* what it claims; NULL: it has claimed nothing yet */
	struct at_claims *claims;
	bool has_told; /* that a row was left out: only the first is reported */
	bool is_new; /* this opening made the file, */
	size_t missing; /* and this many folders of its path */
};

/* Opens another machine's record for reading, as record/merge.h says; adds nothing to
   its folder. */
enum at_status at_store_open_foreign(
	const char *path, struct at_store **out, struct at_error *err);
/* AT_EINVAL where the file was written to since: what was read is of no one moment. */
enum at_status at_store_check_foreign(
	const struct at_store *self, struct at_error *err);
/* Reads the row with a number that a row of the record names, without samples. */
enum at_status at_store_get_row(struct at_store *self, int64_t number,
	struct at_evaluation *out, bool *found, struct at_error *err);
/*
 * at_sqlite_enter() for reading what belongs together, as a winner and what it names:
 * `forget`, a merge or another run may come between two statements. Left with
 * at_sqlite_leave().
 */
enum at_status at_store_enter(
	struct at_store *self, bool *begins, struct at_error *err);
/* From now on keeps a copy of each row that this store commits. */
enum at_status at_store_keep_rows(struct at_store *self, struct at_error *err);
/* Also copies an evaluation that was there before; without a copy it does nothing. */
void at_store_keep_evaluation(struct at_store *self, int64_t id);
/* Keeps an evaluation that could not be added. */
void at_store_keep_refused(struct at_store *self, struct at_evaluation *evaluation);
/* AT_EIO: the file has moved; AT_ENOENT: rows of a run under way are gone. */
enum at_status at_store_check_rows(struct at_store *self, struct at_error *err);
/* Gives up all claims (record/claims.h); the next one begins anew with the file that is
   there then. */
void at_store_end_claims(struct at_store *self);
/* Takes part in claims from now on, as whoever claims does: others see that a run may
   be under way. */
void at_store_begin_claims(struct at_store *self);
/* Whether others take part in claims: a run that has not ended may be under way,
   however long ago it began by its clock. */
bool at_store_is_in_use(const struct at_store *self);

/*
 * To be called where reading a row failed. If the row makes no sense (status AT_EINVAL,
 * with its reason), it is left out: the first such row of a store is reported, and
 * AT_OK is returned. Any other failure is returned.
 */
enum at_status at_store_leave_out(struct at_store *self, const char *table, int64_t id,
	enum at_status status, const struct at_error *reason, struct at_error *err);
/* Adds a row, the table's struct; *id: its number. */
enum at_status at_store_insert(struct at_store *self, const struct at_table *table,
	const void *row, int64_t *id, struct at_error *err);
/*
 * Reads the current row, whose columns are the id and the table's own, into the table's
 * struct. *found is false where the row makes no sense and is left out, or after a
 * failure; the struct is zeroed then.
 */
enum at_status at_store_read_row(struct at_store *self, const struct at_table *table,
	size_t size, const struct at_statement *statement, void *row, bool *found,
	struct at_error *err);

/* The same of the first row of a bound statement, which is reset; *id (may be NULL):
   its number. *found is also false where there is no row. */
enum at_status at_store_read_first(struct at_store *self, const struct at_table *table,
	size_t size, struct at_statement *statement, void *row, int64_t *id,
	bool *found, struct at_error *err);

/*
 * AT_EINVAL where the database is of a newer version or of another program, or its
 * tables are not those of a record. *is_current: it has this version. Changes nothing.
 */
enum at_status at_store_check(
	struct at_store *self, bool *is_current, struct at_error *err);
/* The winners of a portfolio, by problem; the caller frees them:
   at_store_free_winners(). */
enum at_status at_store_members(struct at_store *self, int64_t portfolio_id,
	struct at_winner **out, size_t *count, struct at_error *err);
/* AT_EINVAL where a device makes no sense: all else refers to devices. */
enum at_status at_store_check_devices(struct at_store *self, struct at_error *err);
/* Appends the first column of all rows to *out, the caller's. The statement's values
   must be bound; it is reset. */
enum at_status at_store_read_ids(struct at_statement *statement, int64_t **out,
	size_t *count, struct at_error *err);
/* Brings an empty or older database to this version. */
enum at_status at_store_migrate(struct at_store *self, struct at_error *err);

#endif
