/*
 * Checks that the tables of a record are plain tables with the right columns. A schema
 * may contain code: generated columns, checks and indexes on expressions are computed
 * whenever a row is read or written. Views and triggers are off for every connection
 * (record/sqlite.c), so other objects that somebody keeps in his record do no harm.
 */
#include "record/merge_internal.h"
#include "base/memory.h"
#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>

/* "", or what the table has that computes something. */
static const char find_code[] =
	"SELECT CASE"
	" WHEN NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1"
	" AND type = 'table' AND rootpage > 0) THEN 'no table'"
	" WHEN EXISTS (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 0)"
	" THEN 'columns that are computed'"
	" WHEN EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1"
	" AND sql LIKE '%CHECK%') THEN 'checks'"
	" WHEN EXISTS (SELECT 1 FROM pragma_index_list(?1) AS i"
	" WHERE i.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name)"
	" WHERE cid < -1)) THEN 'indexes of expressions'"
	" ELSE '' END";

static const char list_columns[] = "SELECT name FROM pragma_table_xinfo(?1)";

static enum at_status fail_table(const struct at_store *self,
	const struct at_merge_table *table, const char *what, const char *name,
	struct at_error *err)
{
	if (self->is_foreign)
		return at_fail(err, AT_EINVAL, at_sqlite_path(self->database), 0,
			"its table \"%s\" is not that of a record of this version: nothing of it was taken",
			table->name);
	return at_fail(err, AT_EINVAL, at_sqlite_path(self->database), 0,
		"is no record of autotune, since its table \"%s\" has %s%s: move it away, or choose another place with --results DIR",
		table->name, what, name);
}

static enum at_status check_code(
	struct at_store *self, const struct at_merge_table *table, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status;
	bool row = false;

	status = at_sqlite_prepare(self->database, find_code, &statement, err);
	if (status)
		return status;
	at_statement_bind_text(statement, 1, table->name);
	status = at_statement_step(statement, &row, err);
	if (!status && row && *at_statement_text(statement, 0))
		status = fail_table(
			self, table, at_statement_text(statement, 0), "", err);
	at_statement_free(statement);
	return status;
}

/* Every run begins with this. So the table is described once: asked for each column by
   itself, SQLite would describe all of them each time. */
static enum at_status check_columns(
	struct at_store *self, const struct at_merge_table *table, struct at_error *err)
{
	bool *has = at_calloc(table->count + 1, sizeof(*has));
	struct at_statement *statement = NULL;
	enum at_status status;
	bool row = false;

	status = at_sqlite_prepare(self->database, list_columns, &statement, err);
	if (status)
		goto release;
	at_statement_bind_text(statement, 1, table->name);
	while (!(status = at_statement_step(statement, &row, err)) && row)
		for (size_t i = 0; i < table->count; i++)
			has[i] |= !strcmp(table->columns[i].name,
				at_statement_text(statement, 0));
	for (size_t i = 0; i < table->count && !status; i++)
		if (!has[i])
			status = fail_table(
				self, table, "no column ", table->columns[i].name, err);
release:
	at_statement_free(statement);
	free(has);
	return status;
}

/* tables that are not merged; their columns are checked by the statements that use
   them */
static const struct at_merge_table others[] = { { .name = "claims" },
	{ .name = "spaces" } };

enum at_status at_store_check_tables(struct at_store *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < AT_COUNT_OF(others) && !status && !self->is_foreign; i++)
		status = check_code(self, &others[i], err);

	for (size_t i = 0; at_merge_tables[i] && !status; i++) {
		status = check_code(self, at_merge_tables[i], err);
		if (!status)
			status = check_columns(self, at_merge_tables[i], err);
	}
	return status ? status : at_store_check_devices(self, err);
}
