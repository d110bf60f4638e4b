/*
 * Makes and checks the tables of a record, by the lists of record/tables.h. An older
 * record gets its missing tables, columns and indexes; other changes of a version are
 * statements below, never edited after their release.
 *
 * A schema may contain code: generated columns, checks and indexes on expressions are
 * computed whenever a row is read or written, so tables must be plain. Views and
 * triggers are off for every connection (record/sqlite.c).
 */
#include "record/store_internal.h"

#include "base/interrupt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "ATUN": identifies the program in an SQLite file */
#define APPLICATION_ID 0x4154554e
#define VERSION 11
#define ELSEWHERE "choose another place with --results DIR"
#define TEXT(value) TEXT_OF(value)
#define TEXT_OF(value) #value
#define MARK \
	"PRAGMA user_version = " TEXT(VERSION) ";" \
					       "PRAGMA application_id = " TEXT( \
						       APPLICATION_ID)

/* ---- making tables ---- */

/* not merged, so they have no lists */
static const char other_tables[] =
	/* obsolete (record/claims.h), but older versions use it */
	"CREATE TABLE IF NOT EXISTS claims ("
	" key BLOB PRIMARY KEY,"
	" run_id INTEGER NOT NULL,"
	" owner TEXT NOT NULL," /* the process */
	" expires_seconds INTEGER NOT NULL) WITHOUT ROWID;"
	/* paths of this machine */
	"CREATE TABLE IF NOT EXISTS spaces ("
	" name TEXT PRIMARY KEY,"
	" path TEXT NOT NULL);"; /* relative to the record's directory */

static const char indexes[] =
	"CREATE INDEX IF NOT EXISTS runs_place ON runs (started_seconds, device_id);"
	"CREATE INDEX IF NOT EXISTS crowns_place ON crowns (device_id, space, problem);"
	"CREATE INDEX IF NOT EXISTS ceilings_device ON ceilings (device_id);"
	/* the newest of a key is found by time: imported rows are added later but may
	   be older */
	"CREATE INDEX IF NOT EXISTS evaluations_key ON evaluations"
	" (key, created_seconds);"
	/* Gives the best of a problem on a device without reading the rest: a search
	   begins with them, even if a million evaluations are recorded. Rows are in the
	   order of tunings, so that insertions change adjacent pages: 3 us per row. */
	"CREATE INDEX IF NOT EXISTS evaluations_best ON evaluations"
	" (space, problem, device_id, outcome, time_ns);"
	"CREATE INDEX IF NOT EXISTS revisits_place ON revisits"
	" (space, problem, device_id, created_seconds);"
	"CREATE INDEX IF NOT EXISTS portfolios_place ON portfolios (device_id, space);";

/* The score of a winner is in the unit of its objective. */
static const char before_3[] = "ALTER TABLE crowns RENAME COLUMN time_ns TO value;"
			       "ALTER TABLE crowns RENAME COLUMN low_ns TO low;"
			       "ALTER TABLE crowns RENAME COLUMN high_ns TO high;";
/* Samples and log had their own tables. As last columns of an evaluation, they are
   added in a single statement, which is a transaction. */
static const char after_3[] =
	"UPDATE evaluations SET samples_ns ="
	" (SELECT s.samples_ns FROM samples AS s WHERE s.evaluation_id = id),"
	" log = coalesce((SELECT l.log FROM logs AS l WHERE l.evaluation_id = id), '');"
	"DROP TABLE samples;"
	"DROP TABLE logs;"
	"DROP INDEX IF EXISTS evaluations_place;";
/* it lacked the time */
static const char before_6[] = "DROP INDEX evaluations_key";

/* Lists which of its columns a table has (heap, the caller's), and counts the others
   except `id`. One query for all columns: SQLite describes a whole table, and every run
   begins with this. */
static enum at_status find_columns(struct at_store *self, const struct at_table *table,
	bool **has, size_t *found, size_t *others, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(self->database,
		"SELECT name FROM pragma_table_xinfo(?1)",
		AT_VALUES(AT_STRING(table->name)));
	enum at_status status = AT_OK;

	*has = at_calloc(table->count + 1, sizeof(**has));
	*found = *others = 0;
	while (at_statement_next(statement, &status, err)) {
		const char *name = at_statement_text(statement, 0);
		size_t i = 0;

		while (i < table->count && strcmp(table->columns[i].name, name) != 0)
			i++;
		(*has)[i] = true;
		*found += i < table->count;
		*others += i == table->count && strcmp(name, "id") != 0;
	}
	return status;
}

/* Makes the table, or adds columns that an older one lacks. */
static enum at_status complete_table(
	struct at_store *self, const struct at_table *table, struct at_error *err)
{
	struct at_strbuf sql = { 0 };
	size_t found, others;
	bool *has;
	enum at_status status = find_columns(self, table, &has, &found, &others, err);

	if (!found)
		at_strbuf_addf(
			&sql, "CREATE TABLE %s (id INTEGER PRIMARY KEY", table->name);
	for (size_t i = 0; i < table->count; i++) {
		const struct at_column *column = &table->columns[i];

		if (!found)
			at_strbuf_add(&sql, ", ");
		else if (!has[i])
			at_strbuf_addf(&sql, "ALTER TABLE %s ADD COLUMN ", table->name);
		if (!has[i])
			at_strbuf_addf(&sql, "%s %s%s", column->name,
				at_cell_declaration(column->kind), found ? ";" : "");
	}
	if (!found)
		at_strbuf_addf(&sql, "%s)", table->unique);
	if (!status && sql.length)
		status = at_sqlite_execute(self->database, at_strbuf_text(&sql), err);
	at_strbuf_release(&sql);
	free(has);
	return status;
}

/* ---- checking ---- */

/* "", or the table's code. */
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

static enum at_status fail_table(const struct at_store *self,
	const struct at_table *table, const char *what, const char *name,
	struct at_error *err)
{
	if (self->is_foreign)
		return at_fail(err, AT_EINVAL, at_sqlite_path(self->database), 0,
			"its table \"%s\" is not that of a record of this version: nothing of it was taken",
			table->name);
	return at_fail(err, AT_EINVAL, at_sqlite_path(self->database), 0,
		"is no record of autotune, since its table \"%s\" has %s%s: move it away, or " ELSEWHERE,
		table->name, what, name);
}

static enum at_status check_code(
	struct at_store *self, const struct at_table *table, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(
		self->database, find_code, AT_VALUES(AT_STRING(table->name)));
	enum at_status status = AT_OK;

	if (at_statement_next(statement, &status, err) &&
		*at_statement_text(statement, 0))
		status = fail_table(
			self, table, at_statement_text(statement, 0), "", err);
	at_statement_reset(statement);
	return status;
}

/* Another machine's record has exactly the columns of this version, with known
   effects. */
static enum at_status check_columns(
	struct at_store *self, const struct at_table *table, struct at_error *err)
{
	size_t found, others, i = 0;
	bool *has;
	enum at_status status = find_columns(self, table, &has, &found, &others, err);

	while (i < table->count && has[i])
		i++;
	if (!status && (i < table->count || (self->is_foreign && others)))
		status = fail_table(self, table, "no column ",
			i < table->count ? table->columns[i].name : "", err);
	free(has);
	return status;
}

/* Checks that the tables of a database of this version are tables without code, and
   that all devices are valid. AT_EINVAL. */
static enum at_status check_all(struct at_store *self, struct at_error *err)
{
	static const struct at_table others[] = { { .name = "claims" },
		{ .name = "spaces" } };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < AT_COUNT_OF(others) && !status && !self->is_foreign; i++)
		status = check_code(self, &others[i], err);
	for (size_t i = 0; at_tables[i] && !status; i++) {
		status = check_code(self, at_tables[i], err);
		if (!status)
			status = check_columns(self, at_tables[i], err);
	}
	return status ? status : at_store_check_devices(self, err);
}

/* Checks which program's database it is. Needs a transaction, since another process may
   be making the tables. */
static enum at_status check_owner(
	struct at_store *self, int64_t *version, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	bool is_own = !self->is_foreign;
	int64_t application = 0, tables = 0;
	enum at_status status =
		at_sqlite_integer(self->database, "PRAGMA user_version", version, err);

	if (!status)
		status = at_sqlite_integer(
			self->database, "PRAGMA application_id", &application, err);
	if (!status)
		status = at_sqlite_integer(self->database,
			"SELECT count(*) FROM sqlite_schema", &tables, err);
	if (status)
		return status;
	if (application != APPLICATION_ID && (application || *version || tables))
		return at_fail(err, AT_EINVAL, path, 0,
			"is a database of another program, not a record%s",
			is_own ? ": move it away, or " ELSEWHERE : "");
	if (*version < 0)
		return at_fail(err, AT_EINVAL, path, 0,
			"is damaged, or not a record: it says that its version is %" PRId64
			"%s",
			*version, is_own ? "; move it away, or " ELSEWHERE : "");
	if (*version > VERSION)
		return at_fail(err, AT_EINVAL, path, 0,
			"was written by a newer autotune (version %" PRId64
			" of the record, this program knows %d): use that one%s",
			*version, VERSION, is_own ? ", or " ELSEWHERE : "");
	return AT_OK;
}

enum at_status at_store_check(
	struct at_store *self, bool *is_current, struct at_error *err)
{
	int64_t version = 0;
	enum at_status status = at_sqlite_execute(self->database, "BEGIN", err);

	if (status)
		return status;
	status = check_owner(self, &version, err);
	*is_current = version == VERSION;
	if (!status && *is_current)
		status = check_all(self, err);
	at_sqlite_rollback(self->database);
	return status;
}

enum at_status at_store_migrate(struct at_store *self, struct at_error *err)
{
	int64_t version = 0;
	struct at_shield shield;
	enum at_status status = at_sqlite_begin(self->database, err);

	if (status)
		return status;
	/* a signal in between would leave a journal next to an empty record */
	at_shield_raise(&shield);
	/* another process may have migrated it before this one got the lock */
	status = check_owner(self, &version, err);
	if (!status && version < VERSION) {
		struct at_sqlite *database = self->database;

		if (version && version < 3)
			status = at_sqlite_execute(database, before_3, err);
		for (size_t i = 0; at_tables[i] && !status; i++)
			status = complete_table(self, at_tables[i], err);
		if (!status && version && version < 3)
			status = at_sqlite_execute(database, after_3, err);
		if (!status && version && version < 6)
			status = at_sqlite_execute(database, before_6, err);
		if (!status)
			status = at_sqlite_execute(database, other_tables, err);
		if (!status)
			status = at_sqlite_execute(database, indexes, err);
	}
	if (!status)
		status = check_all(self, err);
	if (!status)
		status = at_sqlite_execute(self->database, MARK, err);
	status = at_sqlite_end(self->database, status, err);
	at_shield_drop(&shield);
	return status;
}
