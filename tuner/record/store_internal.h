/* What the files of the store share; nobody else includes it. */
#ifndef AT_RECORD_STORE_INTERNAL_H
#define AT_RECORD_STORE_INTERNAL_H

#include "base/memory.h"
#include "record/columns.h"
#include "record/sqlite.h"
#include "record/store.h"

struct at_store {
	struct at_sqlite *database;
	bool is_foreign; /* it is read alone: no other place is asked for */
	bool is_shared; /* other processes may write to it at the same time */
	bool has_claims; /* evaluations that are added end claims (store_claims.c) */
};

/* Refuses a database of a newer version or of another program. Changes nothing. */
enum at_status at_store_check(
	struct at_store *self, bool *is_current, struct at_error *err);
/* The crowns of a portfolio, by problem: at_store_free_crowns(). */
enum at_status at_store_members(struct at_store *self, int64_t portfolio_id,
	struct at_crown **out, size_t *count, struct at_error *err);
/* Brings an empty or older database to this version. */
enum at_status at_store_migrate(struct at_store *self, struct at_error *err);

#endif
