/* Ceilings: what a device was measured to do at best. */
#include "record/store.h"

#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>

static const char insert[] = "INSERT INTO ceilings (id" AT_CEILING_COLUMNS(
	AT_COLUMN_NAME) ") VALUES (NULL" AT_CEILING_COLUMNS(AT_COLUMN_MARK) ")";

/* The newest by time, not by id: imported rows are added later, and need not be
   newer. A row with a time that makes no sense would hide all others. */
static const char select[] = "SELECT id" AT_CEILING_COLUMNS(
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
	struct at_record_ceilings row = *ceilings;
	struct at_record_ceilings before;
	struct at_statement *statement;
	enum at_status status;
	bool found;

	row.device_id = device_id;
	/* so that a new row is the newest even where a clock was set back */
	status = at_store_get_ceilings(self, device_id, &before, &found, err);
	if (!status && found && before.created_seconds > row.created_seconds)
		row.created_seconds = before.created_seconds;
	at_record_ceilings_release(&before);
	if (status)
		return status;
	statement = at_sqlite_cached(self->database, insert);
	at_columns_bind(&at_table_ceilings, statement, 1, &row);
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
	struct at_statement *statement = at_sqlite_bound(
		self->database, select, AT_VALUES(AT_INTEGER(device_id)));
	enum at_status status;

	memset(out, 0, sizeof(*out));
	*found = false;
	status = at_statement_step(statement, found, err);
	if (!status && *found)
		status = at_store_read_row(self, &at_table_ceilings, sizeof(*out),
			statement, out, found, err);
	at_statement_reset(statement);
	return status;
}
