/* Portfolios: the few configurations that serve all problems of a space. */
#include "record/store.h"

#include "base/memory.h"
#include "record/store_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char insert[] = "INSERT INTO portfolios (id" AT_PORTFOLIO_COLUMNS(
	AT_COLUMN_NAME) ") VALUES (NULL" AT_PORTFOLIO_COLUMNS(AT_COLUMN_MARK) ")";

static const char select[] = "SELECT id" AT_PORTFOLIO_COLUMNS(
	AT_COLUMN_NAME) " FROM portfolios WHERE device_id = ? AND space = ?"
			" AND created_seconds <= " AT_SECONDS_MAX_TEXT
			" ORDER BY created_seconds DESC, id DESC LIMIT 1";

void at_portfolio_release(struct at_portfolio *self)
{
	if (!self)
		return;
	at_store_free_winners(self->members, self->count);
	free(self->space);
	memset(self, 0, sizeof(*self));
}

size_t at_portfolio_size(const struct at_portfolio *self)
{
	size_t size = 0;

	for (size_t i = 0; i < self->count; i++) {
		bool is_new = true;

		for (size_t j = 0; j < i; j++)
			is_new = is_new &&
				 self->members[i].member != self->members[j].member;
		size += is_new;
	}
	return size;
}

double at_portfolio_worst(const struct at_portfolio *self)
{
	double worst = 0;

	for (size_t i = 0; i < self->count; i++) {
		if (isnan(self->members[i].loss))
			return NAN;
		worst = fmax(worst, self->members[i].loss);
	}
	return worst;
}

static enum at_status put_row(
	struct at_store *self, struct at_portfolio *portfolio, struct at_error *err)
{
	struct at_portfolio row = *portfolio;
	struct at_statement *statement = at_sqlite_cached(self->database, insert);
	enum at_status status;

	if (!isfinite(row.loss_limit))
		row.loss_limit = NAN;
	at_columns_bind(&at_table_portfolios, statement, 1, &row);
	status = at_statement_run(statement, err);
	if (!status)
		portfolio->id = at_sqlite_last_id(self->database);
	return status;
}

enum at_status at_store_put_portfolio(
	struct at_store *self, struct at_portfolio *portfolio, struct at_error *err)
{
	enum at_status status = at_sqlite_begin(self->database, err);

	if (status)
		return status;
	status = put_row(self, portfolio, err);
	for (size_t i = 0; i < portfolio->count && !status; i++) {
		portfolio->members[i].portfolio_id = portfolio->id;
		status = at_store_put_winner(self, &portfolio->members[i], err);
	}
	if (!status)
		status = at_sqlite_commit(self->database, err);
	if (status)
		at_sqlite_rollback(self->database);
	return status;
}

static enum at_status get_portfolio(struct at_store *self, int64_t device_id,
	const char *space, struct at_portfolio *out, bool *found, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(self->database, select,
		AT_VALUES(AT_INTEGER(device_id), AT_STRING(space)));
	enum at_status status;

	status = at_statement_step(statement, found, err);
	if (!status && *found)
		status = at_store_read_row(self, &at_table_portfolios, sizeof(*out),
			statement, out, found, err);
	if (!status && *found)
		out->id = at_statement_integer(statement, 0);
	at_statement_reset(statement);
	if (status || !*found)
		return status;
	if (isnan(out->loss_limit))
		out->loss_limit = INFINITY;
	return at_store_members(self, out->id, &out->members, &out->count, err);
}

enum at_status at_store_get_portfolio(struct at_store *self, int64_t device_id,
	const char *space, struct at_portfolio *out, bool *found, struct at_error *err)
{
	bool begins;
	enum at_status status = at_store_enter(self, &begins, err);

	*found = false;
	memset(out, 0, sizeof(*out));
	if (!status)
		status = get_portfolio(self, device_id, space, out, found, err);
	status = at_sqlite_leave(self->database, begins, status, err);
	if (status)
		at_portfolio_release(out);
	*found = *found && !status;
	return status;
}
