/* Ceilings: what a device was measured to do at best. */
#include "record/store.h"

#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>

/* a row of the table */
struct row {
	int64_t device_id;
	double copy_bytes_per_second;
	double float_flops_per_second;
	double double_flops_per_second;
	char *driver;
	int64_t created_seconds;
};

#define COLUMNS(X) \
	X(struct row, device_id, DEVICE) \
	X(struct row, copy_bytes_per_second, REAL) \
	X(struct row, float_flops_per_second, REAL) \
	X(struct row, double_flops_per_second, REAL) \
	X(struct row, driver, WORD) \
	X(struct row, created_seconds, SECONDS)

static const struct at_column columns[] = { COLUMNS(AT_COLUMN) };

static const char insert[] = "INSERT INTO ceilings (id" COLUMNS(
	AT_COLUMN_NAME) ") VALUES (NULL" COLUMNS(AT_COLUMN_MARK) ")";

/* The newest by time, not by id: imported rows are added later, and need not be
   newer. A row with a time that makes no sense would hide all others. */
static const char select[] = "SELECT id" COLUMNS(
	AT_COLUMN_NAME) " FROM ceilings WHERE device_id = ?"
			" AND created_seconds <= " AT_SECONDS_MAX_TEXT
			" ORDER BY created_seconds DESC, id DESC LIMIT 1";

void at_record_ceilings_release(struct at_record_ceilings *self)
{
	if (!self)
		return;
	free(self->driver);
	memset(self, 0, sizeof(*self));
}

enum at_status at_store_put_ceilings(struct at_store *self, int64_t device_id,
	const struct at_record_ceilings *ceilings, struct at_error *err)
{
	struct row row = {
		.device_id = device_id,
		.copy_bytes_per_second = ceilings->ceilings.copy_bytes_per_second,
		.float_flops_per_second = ceilings->ceilings.float_flops_per_second,
		.double_flops_per_second = ceilings->ceilings.double_flops_per_second,
		.driver = ceilings->driver,
		.created_seconds = ceilings->created_seconds,
	};
	struct at_record_ceilings before;
	struct at_statement *statement;
	enum at_status status;
	bool found;

	/* so that a new row is the newest even where a clock was set back */
	status = at_store_get_ceilings(self, device_id, &before, &found, err);
	if (!status && found && before.created_seconds > row.created_seconds)
		row.created_seconds = before.created_seconds;
	at_record_ceilings_release(&before);
	if (!status)
		status = at_sqlite_cached(self->database, insert, &statement, err);
	if (status)
		return status;
	at_columns_bind(columns, AT_COUNT_OF(columns), statement, 1, &row);
	return at_statement_run(statement, err);
}

enum at_status at_store_put_ceilings_on(struct at_store *self,
	const struct at_record_device *device,
	const struct at_record_ceilings *ceilings, struct at_error *err)
{
	int64_t id;
	bool begins;
	enum at_status status = at_sqlite_enter(self->database, true, &begins, err);

	if (!status)
		status = at_store_put_device(self, device, &id, err);
	if (!status)
		status = at_store_put_ceilings(self, id, ceilings, err);
	return at_sqlite_leave(self->database, begins, status, err);
}

enum at_status at_store_get_ceilings(struct at_store *self, int64_t device_id,
	struct at_record_ceilings *out, bool *found, struct at_error *err)
{
	struct at_statement *statement;
	struct at_error reason = { 0 };
	struct row row = { 0 };
	enum at_status status;
	int64_t id = 0;

	memset(out, 0, sizeof(*out));
	*found = false;
	status = at_sqlite_cached(self->database, select, &statement, err);
	if (status)
		return status;
	at_statement_bind_integer(statement, 1, device_id);
	status = at_statement_step(statement, found, err);
	if (!status && *found) {
		id = at_statement_integer(statement, 0);
		status = at_columns_read(
			columns, AT_COUNT_OF(columns), statement, 1, &row, &reason);
	}
	at_statement_reset(statement);
	if (reason.status) {
		*found = false;
		at_columns_release(columns, AT_COUNT_OF(columns), &row);
		return at_store_leave_out(self, "ceilings", id, status, &reason, err);
	}
	out->ceilings = (struct at_ceilings){ row.copy_bytes_per_second,
		row.float_flops_per_second, row.double_flops_per_second };
	out->driver = row.driver;
	out->created_seconds = row.created_seconds;
	return status;
}
