/*
 * Saves a run's measurements if its record is lost. Another program may remove, replace
 * or overwrite the file during a run. So triggers copy all rows that the run commits to
 * a temporary database, "kept". If the record no longer has them, a new record is made
 * from the copy.
 */
#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "record/store_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the copy ---- */

/* Each table has a copy "kept_...": a trigger cannot name the database to which it
   writes. */
/* in memory: a full disk must not reject a row for which the record has room */
static const char attach[] = "ATTACH ':memory:' AS kept";

/* Appends ", PREFIXname" for all columns except the id. */
static void add_columns(
	const struct at_table *table, const char *prefix, struct at_strbuf *out)
{
	for (size_t i = 0; i < table->count; i++)
		at_strbuf_addf(out, ", %s%s", prefix, table->columns[i].name);
}

enum at_status at_store_keep_rows(struct at_store *self, struct at_error *err)
{
	struct at_strbuf sql = { 0 };
	enum at_status status;

	if (self->keeps)
		return AT_OK;
	at_strbuf_add(&sql, attach);
	for (size_t i = 0; at_tables[i]; i++) {
		static const char *const events[] = { "INSERT", "UPDATE" };
		const char *name = at_tables[i]->name;

		at_strbuf_addf(&sql,
			";CREATE TABLE kept.kept_%s (id INTEGER PRIMARY KEY", name);
		add_columns(at_tables[i], "", &sql);
		at_strbuf_addf(&sql,
			");"
			"CREATE TEMP TRIGGER delete_%s AFTER DELETE ON main.%s"
			" BEGIN DELETE FROM kept_%s WHERE id = old.id; END",
			name, name, name);
		for (size_t k = 0; k < AT_COUNT_OF(events); k++) {
			at_strbuf_addf(&sql,
				";CREATE TEMP TRIGGER %s_%s AFTER %s ON main.%s"
				" BEGIN INSERT OR REPLACE INTO kept_%s VALUES (new.id",
				events[k], name, events[k], name, name);
			add_columns(at_tables[i], "new.", &sql);
			at_strbuf_add(&sql, "); END");
		}
	}
	status = at_sqlite_execute(self->database, at_strbuf_text(&sql), err);
	at_strbuf_release(&sql);
	self->keeps = !status;
	return status;
}

void at_store_keep_evaluation(struct at_store *self, int64_t id)
{
	struct at_strbuf sql = { 0 };

	if (!self->keeps || !id)
		return;
	at_strbuf_add(&sql, "INSERT OR REPLACE INTO kept_evaluations SELECT id");
	add_columns(&at_table_evaluations, "", &sql);
	at_strbuf_addf(&sql, " FROM main.evaluations WHERE id = %lld", (long long)id);
	at_sqlite_execute(self->database, at_strbuf_text(&sql), NULL);
	at_strbuf_release(&sql);
}

/* Opens an empty store that allows references to missing rows. */
static enum at_status open_loose(
	struct at_store *self, struct at_store **out, struct at_error *err)
{
	enum at_status status =
		at_store_open_memory(at_sqlite_path(self->database), out, err);

	return status ? status
		      : at_sqlite_execute(
				(*out)->database, "PRAGMA foreign_keys = OFF", err);
}

void at_store_keep_refused(struct at_store *self, struct at_evaluation *evaluation)
{
	int64_t run_id = evaluation->run_id;

	if (!self->keeps || (!self->refused && open_loose(self, &self->refused, NULL)))
		return;
	/* without the run, whose rows are counted, and after all of its rows */
	evaluation->run_id = 0;
	self->refused->highest = INT64_MAX / 2;
	at_store_add(self->refused, evaluation, NULL);
	evaluation->run_id = run_id;
}

/* ---- checking the rows ----------------------------------------------------- */

/* The runs under way, with the count of their measurements. */
static const char list_runs[] =
	"SELECT id, token, (SELECT min(id) FROM kept_evaluations WHERE run_id = r.id),"
	" (SELECT count(*) FROM kept_evaluations WHERE run_id = r.id)"
	" + (SELECT count(*) FROM kept_revisits WHERE run_id = r.id)"
	" FROM kept_runs AS r WHERE ended_seconds IS NULL";
/* The count of one run; ?3: its first evaluation, to skip earlier ones. */
static const char count_rows[] =
	"SELECT (SELECT count(*) FROM evaluations WHERE id >= ?3 AND run_id = ?1)"
	" + (SELECT count(*) FROM revisits WHERE run_id = ?1)"
	" FROM runs WHERE id = ?1 AND token = ?2";
/* Pages of another file among those of the log. Large files are not read for this: it
   would take more than a second. */
static const char count_faults[] =
	"SELECT count(*) FROM pragma_page_count AS p CROSS JOIN pragma_quick_check(1, 'main') AS q"
	" WHERE p.page_count < 65536 AND q.quick_check <> 'ok'";

static enum at_status count_in_record(struct at_store *self,
	const struct at_statement *run, int64_t *count, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_cached(self->database, count_rows);

	for (int i = 0; i < 3; i++)
		at_statement_bind_column(statement, 1 + i, run, i);
	return at_statement_find(statement, count, NULL, err);
}

enum at_status at_store_check_rows(struct at_store *self, struct at_error *err)
{
	int64_t count = 0, faults = 0;
	struct at_statement *run;
	enum at_status status;

	if (!self->keeps)
		return AT_OK;
	status = at_sqlite_check_place(self->database, err);
	/* read the file's present contents */
	at_sqlite_drop_cache(self->database);
	if (!status)
		status = at_sqlite_integer(self->database, count_faults, &faults, err);
	if (status)
		return status;
	run = at_sqlite_cached(self->database, list_runs);
	while (at_statement_next(run, &status, err)) {
		status = count_in_record(self, run, &count, err);
		if (!status && (faults || count < at_statement_integer(run, 3)))
			status = at_fail(err, AT_ENOENT, at_sqlite_path(self->database),
				0,
				"another program wrote to the record while autotune did: run the same command again");
	}
	return status;
}

/* ---- a record of the rows ---- */

/* Rows that refer to rows of earlier runs, which the copy lacks. */
static const char drop_dangling[] =
	"DELETE FROM crowns WHERE evaluation_id NOT IN (SELECT id FROM evaluations)"
	" OR portfolio_id IS NOT NULL AND portfolio_id NOT IN (SELECT id FROM portfolios);"
	"UPDATE crowns SET baseline_id = NULL"
	" WHERE baseline_id NOT IN (SELECT id FROM evaluations);"
	"UPDATE evaluations SET run_id = NULL"
	" WHERE run_id NOT IN (SELECT id FROM runs)";

/* Makes a record from the copy and the rejected evaluations. *count: measured rows. */
static enum at_status make_record(struct at_store *self, struct at_store **out,
	int64_t *count, struct at_error *err)
{
	struct at_strbuf sql = { 0 };
	struct at_store *record = self->refused;
	enum at_status status = record ? AT_OK : open_loose(self, &record, err);

	self->refused = NULL;
	if (!status)
		status = at_sqlite_execute(record->database, attach, err);
	if (!status)
		status = at_sqlite_copy(self->database, record->database, "kept", err);
	for (size_t i = 0; at_tables[i]; i++) {
		at_strbuf_addf(&sql, "INSERT INTO %s (id", at_tables[i]->name);
		add_columns(at_tables[i], "", &sql);
		at_strbuf_add(&sql, ") SELECT id");
		add_columns(at_tables[i], "", &sql);
		at_strbuf_addf(&sql, " FROM kept_%s;", at_tables[i]->name);
	}
	at_strbuf_add(&sql, drop_dangling);
	if (!status)
		status = at_sqlite_execute(record->database, at_strbuf_text(&sql), err);
	if (!status)
		status = at_sqlite_integer(record->database,
			"SELECT (SELECT count(*) FROM evaluations) + (SELECT count(*) FROM revisits)",
			count, err);
	at_strbuf_release(&sql);
	*out = record;
	return status;
}

/* Writes the record to a new folder in parent; the folder's name is the caller's. */
static enum at_status save_in(struct at_store *record, const char *parent,
	char **folder, struct at_error *err)
{
	char *path = NULL;
	enum at_status status;

	*folder = at_path_join(parent, "autotune-rescued-XXXXXX");
	if (mkdtemp(*folder)) {
		path = at_path_join(*folder, "autotune.db");
		status = at_statement_run(
			at_sqlite_bound(record->database, "VACUUM INTO ?",
				AT_VALUES(AT_STRING(path))),
			err);
		if (status) {
			unlink(path);
			rmdir(*folder);
		}
	} else {
		status = at_fail(err, AT_EIO, parent, 0, "%s", strerror(errno));
	}
	free(path);
	if (!status)
		return AT_OK;
	free(*folder);
	*folder = NULL;
	return status;
}

/* AT_EIO with a line that says where the record is; AT_OK: nothing was measured. */
static enum at_status save(struct at_store *self, bool has_moved, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	const char *event = has_moved ? "removed or replaced" : "wrote to";
	char *results = at_path_directory(path);
	char *beside = at_path_directory(results);
	const char *const places[] = { beside, ".", at_scratch_place() };
	struct at_store *record = NULL;
	struct at_error why = { 0 };
	char *folder = NULL;
	int64_t count = 0;
	enum at_status status = make_record(self, &record, &count, &why);
	bool is_empty = !status && !count;

	for (size_t i = 0; i < AT_COUNT_OF(places) && count && !folder; i++) {
		at_error_clear(&why);
		save_in(record, places[i], &folder, &why);
	}
	if (folder)
		at_fail(err, AT_EIO, path, 0,
			"another program %s the record while autotune wrote to it: %s`autotune import %s --results %s` adds what the run measured",
			event, has_moved ? "" : "move the record away; then ", folder,
			results);
	else if (!is_empty)
		at_fail(err, AT_EIO, path, 0,
			"another program %s the record while autotune wrote to it, and no folder takes what the run measured (%.200s): it is lost",
			event, why.text);
	at_store_close(record);
	free(folder);
	free(beside);
	free(results);
	return is_empty ? AT_OK : AT_EIO;
}

enum at_status at_store_save_lost(struct at_store *self, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status = at_store_check_rows(self, &reason);
	bool has_moved = at_sqlite_has_moved(self->database);

	/* a lock or a failing disk is not a loss */
	if (!status || (!has_moved && status != AT_ENOENT &&
			       !at_sqlite_is_damaged(self->database)))
		return AT_OK;
	/* closing must not write the log to the present file */
	at_sqlite_abandon(self->database);
	self->is_new = false;
	if (save(self, has_moved, err))
		return AT_EIO;
	*err = reason;
	return status;
}
