/* What the files of the store share; nobody else includes it. */
#ifndef AT_RECORD_STORE_INTERNAL_H
#define AT_RECORD_STORE_INTERNAL_H

#include "base/memory.h"
#include "record/columns.h"
#include "record/sqlite.h"
#include "record/store.h"

struct at_kept; /* record/store_kept.h */

struct at_store {
	struct at_sqlite *database;
	struct at_kept *kept; /* NULL: it has had no run */
	bool is_foreign; /* it is read alone: no other place is asked for */
	bool is_shared; /* other processes may write to it at the same time */
	bool has_claims; /* evaluations that are added end claims (store_claims.c) */
	bool has_told; /* of a row that was left out */
	bool is_new; /* this opening made the file, */
	size_t missing; /* and so much of its path was no folder */
};

void at_kept_free(struct at_kept *self);

/*
 * A row makes no sense, and is left out: what it says is told once a store. status: of
 * reading it, with its reason; AT_OK where that was it, else the status.
 */
enum at_status at_store_leave_out(struct at_store *self, const char *table, int64_t id,
	enum at_status status, const struct at_error *reason, struct at_error *err);

/* Refuses a database of a newer version, of another program, or whose tables are not
   those of a record. Changes nothing. */
enum at_status at_store_check(
	struct at_store *self, bool *is_current, struct at_error *err);
/* The crowns of a portfolio, by problem: at_store_free_crowns(). */
enum at_status at_store_members(struct at_store *self, int64_t portfolio_id,
	struct at_crown **out, size_t *count, struct at_error *err);
/*
 * Of a database of this version: that its tables are tables and compute nothing
 * (store_tables.c), and that all devices make sense (store.c). AT_EINVAL.
 */
enum at_status at_store_check_tables(struct at_store *self, struct at_error *err);
enum at_status at_store_check_devices(struct at_store *self, struct at_error *err);
/* The numbers of all rows of a statement whose values are bound, which is reset:
   appended to *out, the caller's. */
enum at_status at_store_read_ids(struct at_statement *statement, int64_t **out,
	size_t *count, struct at_error *err);
/* Brings an empty or older database to this version. */
enum at_status at_store_migrate(struct at_store *self, struct at_error *err);

#endif
