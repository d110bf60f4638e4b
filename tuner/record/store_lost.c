/*
 * What a run measured outlives its record. Another program may remove, replace or
 * overwrite the file during a run. So all rows that the run commits are copied to a
 * temporary database (at_sqlite_mirror()), from which a record of their own is made
 * where they are not in the record any more.
 */
#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "record/store_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum at_status at_store_begin_copy(struct at_store *self, struct at_error *err)
{
	struct at_store *copy;
	enum at_status status = AT_OK;

	if (self->copy)
		return AT_OK;
	copy = at_calloc(1, sizeof(*copy));
	status = at_sqlite_open_temporary(
		at_sqlite_path(self->database), &copy->database, err);
	if (!status)
		status = at_store_migrate(copy, err);
	if (!status)
		at_sqlite_mirror(self->database, copy->database);
	if (status)
		at_store_close(copy);
	else
		self->copy = copy;
	return status;
}

/* ---- whether the rows are there ---------------------------------------------------
 */

/* The runs under way, and what each of them measured. */
static const char list_runs[] =
	"SELECT id, token, (SELECT min(id) FROM evaluations WHERE run_id = r.id),"
	" (SELECT count(*) FROM evaluations WHERE run_id = r.id)"
	" + (SELECT count(*) FROM revisits WHERE run_id = r.id)"
	" FROM runs AS r WHERE ended_seconds IS NULL";
/* The same of one run; ?3: its first evaluation, so that no earlier one is read. */
static const char count_rows[] =
	"SELECT (SELECT count(*) FROM evaluations WHERE id >= ?3 AND run_id = ?1)"
	" + (SELECT count(*) FROM revisits WHERE run_id = ?1)"
	" FROM runs WHERE id = ?1 AND token = ?2";
/* Pages of another file among those of the log. Large files are not read for this: it
   would take longer than a second. */
static const char count_faults[] =
	"SELECT count(*) FROM pragma_page_count AS p CROSS JOIN pragma_quick_check(1) AS q"
	" WHERE p.page_count < 65536 AND q.quick_check <> 'ok'";

static enum at_status count_in_record(struct at_store *self,
	const struct at_statement *run, int64_t *count, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_cached(self->database, count_rows);
	enum at_status status;
	bool row = false;

	for (int i = 0; i < 3; i++)
		at_statement_bind_column(statement, 1 + i, run, i);
	status = at_statement_step(statement, &row, err);
	*count = !status && row ? at_statement_integer(statement, 0) : 0;
	at_statement_reset(statement);
	return status;
}

enum at_status at_store_check_rows(struct at_store *self, struct at_error *err)
{
	int64_t count = 0, faults = 0;
	struct at_statement *run;
	enum at_status status;
	bool row = false;

	if (!self->copy)
		return AT_OK;
	status = at_sqlite_check_place(self->database, err);
	/* what the file holds counts, not what was in it */
	at_sqlite_drop_cache(self->database);
	if (!status)
		status = at_sqlite_integer(self->database, count_faults, &faults, err);
	if (status)
		return status;
	run = at_sqlite_cached(self->copy->database, list_runs);
	while (!(status = at_statement_step(run, &row, err)) && row) {
		status = count_in_record(self, run, &count, err);
		if (!status && (faults || count < at_statement_integer(run, 3)))
			status = at_fail(err, AT_ENOENT, at_sqlite_path(self->database),
				0,
				"another program wrote to the record while autotune did: run the same command again");
		if (status)
			break;
	}
	at_statement_reset(run);
	return status;
}

/* ---- a record of the rows ----------------------------------------------------------
 */

/* Rows that name rows of earlier runs, which are not in the copy. */
static const char let_go[] =
	"DELETE FROM crowns WHERE evaluation_id NOT IN (SELECT id FROM evaluations)"
	" OR portfolio_id IS NOT NULL AND portfolio_id NOT IN (SELECT id FROM portfolios);"
	"UPDATE crowns SET baseline_id = NULL"
	" WHERE baseline_id NOT IN (SELECT id FROM evaluations);"
	"UPDATE evaluations SET run_id = NULL"
	" WHERE run_id NOT IN (SELECT id FROM runs)";

/* Writes the copy to a new folder there, whose name is the caller's. */
static enum at_status save_in(
	struct at_store *copy, const char *parent, char **folder, struct at_error *err)
{
	char *path = NULL;
	enum at_status status;

	*folder = at_path_join(parent, "autotune-rescued-XXXXXX");
	if (mkdtemp(*folder)) {
		path = at_path_join(*folder, "autotune.db");
		status = at_sqlite_save(copy->database, path, err);
		if (status)
			rmdir(*folder);
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

static enum at_status save(struct at_store *self, bool has_moved, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	char *results = at_path_directory(path);
	char *beside = at_path_directory(results);
	const char *const places[] = { beside, ".", at_scratch_place() };
	struct at_error why = { 0 };
	char *folder = NULL;

	at_sqlite_end_mirror(self->database);
	at_sqlite_execute(self->copy->database, let_go, NULL);
	for (size_t i = 0; i < AT_COUNT_OF(places) && beside && !folder; i++) {
		at_error_clear(&why);
		save_in(self->copy, places[i], &folder, &why);
	}
	if (folder)
		at_fail(err, AT_EIO, path, 0,
			"another program %s the record while autotune wrote to it: %s`autotune import %s --results %s` adds what the run measured",
			has_moved ? "removed or replaced" : "wrote to",
			has_moved ? "" : "move the record away; then ", folder,
			results);
	else
		at_fail(err, AT_EIO, path, 0,
			"another program %s the record while autotune wrote to it, and no folder takes what the run measured (%.200s): it is lost",
			has_moved ? "removed or replaced" : "wrote to", why.text);
	free(folder);
	free(beside);
	free(results);
	return AT_EIO;
}

enum at_status at_store_save_lost(struct at_store *self, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status = at_store_check_rows(self, &reason);
	bool has_moved = at_sqlite_has_moved(self->database);
	int64_t count = 0;

	/* a lock, or a disk that fails, is no loss */
	if (!status || (!has_moved && status != AT_ENOENT &&
			       !at_sqlite_is_damaged(self->database)))
		return AT_OK;
	/* closing must not write the log to what is there now */
	at_sqlite_abandon(self->database);
	self->is_new = false;
	at_sqlite_integer(self->copy->database,
		"SELECT (SELECT count(*) FROM evaluations) + (SELECT count(*) FROM revisits)",
		&count, NULL);
	if (count)
		return save(self, has_moved, err);
	*err = reason;
	return status;
}
