/* Removes what the store need not keep for ever: record/history.h says what. */
#include "record/history.h"

#include "record/store_internal.h"

#include <string.h>

#define DAY_SECONDS 86400

/* The file is only rewritten where at least this many pages, and a quarter of all, are
   free. Fewer free pages are filled again by later rows. */
#define FREE_PAGES_MIN 256

/* ---- what must stay ---------------------------------------------------------- */

/* The evaluations that winners refer to, in a table of this connection alone, filled
   anew by each call. Members of portfolios are winners, too. */
static const char begin_needed[] =
	"CREATE TEMP TABLE IF NOT EXISTS needed (id INTEGER PRIMARY KEY);"
	"DELETE FROM needed;"
	"INSERT OR IGNORE INTO needed SELECT evaluation_id FROM crowns;"
	"INSERT OR IGNORE INTO needed SELECT baseline_id FROM crowns"
	" WHERE baseline_id IS NOT NULL";

/* ---- how old is too old -------------------------------------------------------- */

/* The last time in each day on which anything was recorded, newest first. */
static const char days[] =
	"SELECT max(seconds) FROM (SELECT created_seconds AS seconds FROM revisits"
	" UNION ALL SELECT created_seconds FROM evaluations"
	" UNION ALL SELECT started_seconds FROM runs) WHERE seconds <= ?1"
	" GROUP BY seconds / 86400 ORDER BY seconds DESC";

#define GAP_SECONDS_MAX (31 * DAY_SECONDS)

/*
 * Finds the time before which everything is older than `age` seconds. A stretch without
 * any record counts as 31 days at most, and as half of `age` at most (but at least a
 * day). The reason: what is dropped is gone, and one night with a clock that is years
 * ahead (an empty battery, a wrong time server) must not make all other nights look
 * old. INT64_MIN: nothing is so old.
 */
static enum at_status find_cutoff(struct at_store *self, int64_t age,
	int64_t now_seconds, int64_t *cutoff, struct at_error *err)
{
	int64_t gap_max = age / 2 < GAP_SECONDS_MAX ? age / 2 : GAP_SECONDS_MAX;
	int64_t left = age, before = now_seconds;
	struct at_statement *statement;
	enum at_status status;
	bool row = true;

	*cutoff = INT64_MIN;
	if (gap_max < DAY_SECONDS)
		gap_max = DAY_SECONDS;
	status = at_sqlite_prepare(self->database, days, &statement, err);
	if (status)
		return status;
	at_statement_bind_integer(statement, 1, now_seconds);
	while (!(status = at_statement_step(statement, &row, err)) && row) {
		int64_t at = at_statement_integer(statement, 0), gap = before - at;

		if (gap > gap_max)
			gap = gap_max;
		if (gap >= left) {
			*cutoff = before - left;
			break;
		}
		left -= gap;
		before = at;
	}
	at_statement_free(statement);
	return status;
}

/* ---- what is removed ----------------------------------------------------------- */

/*
 * ?1: remove older rows; ?2: keep so many rows of each kind, -1: all; ?3: now. A row
 * with a time after now was recorded by a wrong clock, or behind such a row: then its
 * run says when it was (history.c). If that is not known, it takes the place of the
 * oldest one where rows are counted: as the newest it would push out every night to
 * come.
 */
static const char drop_revisits[] =
	"DELETE FROM revisits WHERE created_seconds < ?1 OR (?2 >= 0 AND id IN"
	" (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY space, problem,"
	" device_id, board ORDER BY CASE WHEN created_seconds <= ?3 THEN created_seconds"
	" ELSE coalesce((SELECT started_seconds FROM runs WHERE runs.id = run_id"
	" AND started_seconds <= ?3), 0) END DESC, id DESC)"
	" AS place FROM revisits) WHERE place > ?2))";

/*
 * Evaluations do not name their source, but winners do. The last winner of another
 * source than the newest winner's ended the time of that source: no run asks for the
 * keys of evaluations up to then any more. A winner with a later time than the newest
 * one was recorded by a wrong clock, and does not count.
 */
static const char drop_evaluations[] =
	"WITH newest AS (SELECT device_id, space, problem, source_hash,"
	" created_seconds FROM crowns"
	" WHERE id IN (SELECT max(id) FROM crowns WHERE portfolio_id IS NULL"
	" GROUP BY device_id, space, problem)),"
	" ended AS MATERIALIZED (SELECT c.device_id, c.space, c.problem,"
	" max(c.created_seconds) AS seconds FROM crowns AS c JOIN newest AS n"
	" USING (device_id, space, problem) WHERE c.source_hash <> n.source_hash"
	" AND c.created_seconds <= n.created_seconds"
	" AND c.created_seconds <= " AT_SECONDS_MAX_TEXT " AND c.portfolio_id IS NULL"
	" GROUP BY c.device_id, c.space, c.problem)"
	"DELETE FROM evaluations AS e WHERE created_seconds < ?1"
	" AND id NOT IN (SELECT id FROM needed)"
	" AND (EXISTS (SELECT 1 FROM evaluations AS n INDEXED BY evaluations_key"
	" WHERE n.key = e.key AND n.created_seconds >= e.created_seconds"
	" AND (n.created_seconds > e.created_seconds OR n.id > e.id)"
	" AND n.space = e.space"
	" AND n.problem = e.problem AND n.device_id = e.device_id)"
	" OR created_seconds <= (SELECT seconds FROM ended AS o WHERE"
	" o.device_id = e.device_id AND o.space = e.space AND o.problem = e.problem))";

/* What a run under way has measured stays, whatever its clock says. */
static const char need_measured[] =
	"INSERT OR IGNORE INTO needed SELECT id FROM evaluations WHERE run_id IN"
	" (SELECT id FROM runs WHERE ended_seconds IS NULL)";

static const char drop_sources[] =
	"DELETE FROM sources WHERE run_id NOT IN (SELECT id FROM runs)";

static const char drop_runs[] =
	"DELETE FROM runs WHERE started_seconds < ?1"
	" AND (?2 = 0 OR ended_seconds IS NOT NULL)"
	" AND id NOT IN (SELECT run_id FROM evaluations WHERE run_id IS NOT NULL)"
	" AND id NOT IN (SELECT run_id FROM revisits WHERE run_id IS NOT NULL)";

/* Runs a statement; *count is how many rows it removed. values: for ?2 and so on. */
static enum at_status drop(struct at_store *self, const char *sql, int64_t seconds,
	const int64_t *values, int value_count, int64_t *count, struct at_error *err)
{
	struct at_statement *statement =
		at_sqlite_bound(self->database, sql, AT_VALUES(AT_INTEGER(seconds)));
	enum at_status status;

	for (int i = 0; i < value_count; i++)
		at_statement_bind_integer(statement, 2 + i, values[i]);
	status = at_statement_run(statement, err);
	if (!status)
		status = at_sqlite_integer(
			self->database, "SELECT changes()", count, err);
	return status;
}

static enum at_status drop_all(struct at_store *self, const struct at_keep *keep,
	int64_t now_seconds, struct at_dropped *out, struct at_error *err)
{
	int64_t age = keep->seconds ? keep->seconds : keep->nights * DAY_SECONDS;
	const int64_t limit[2] = { keep->nights ? keep->nights : -1, now_seconds };
	int64_t cutoff, is_in_use;
	enum at_status status = at_sqlite_begin(self->database, err);

	if (status)
		return status;
	is_in_use = at_store_is_in_use(self);
	status = find_cutoff(self, age, now_seconds, &cutoff, err);
	if (!status)
		status = at_sqlite_execute(self->database, begin_needed, err);
	if (!status && is_in_use)
		status = at_sqlite_execute(self->database, need_measured, err);
	/* where nights are counted their age does not matter */
	if (!status)
		status = drop(self, drop_revisits, keep->seconds ? cutoff : INT64_MIN,
			limit, 2, &out->revisit_count, err);
	if (!status)
		status = drop(self, drop_evaluations, cutoff, NULL, 0,
			&out->evaluation_count, err);
	if (!status)
		status = drop(
			self, drop_runs, cutoff, &is_in_use, 1, &out->run_count, err);
	if (!status)
		status = at_sqlite_execute(self->database, drop_sources, err);
	if (!status)
		status = at_sqlite_commit(self->database, err);
	if (status)
		at_sqlite_rollback(self->database);
	return status;
}

/* ---- the file -------------------------------------------------------------- */

static enum at_status shrink(
	struct at_store *self, int64_t *bytes, struct at_error *err)
{
	struct at_sqlite *database = self->database;
	int64_t free_pages = 0, pages = 0, page_bytes = 0, left = 0;
	enum at_status status;

	*bytes = 0;
	status = at_sqlite_integer(database, "PRAGMA freelist_count", &free_pages, err);
	if (!status)
		status = at_sqlite_integer(database, "PRAGMA page_count", &pages, err);
	if (!status)
		status = at_sqlite_integer(
			database, "PRAGMA page_size", &page_bytes, err);
	if (status || free_pages < FREE_PAGES_MIN || free_pages < pages / 4)
		return status;
	status = at_sqlite_execute(database, "VACUUM", err);
	if (!status)
		status = at_sqlite_checkpoint(database, err);
	if (!status)
		status = at_sqlite_integer(database, "PRAGMA page_count", &left, err);
	if (!status)
		*bytes = (pages - left) * page_bytes;
	return status;
}

enum at_status at_store_keep(struct at_store *self, const struct at_keep *keep,
	int64_t now_seconds, struct at_dropped *out, struct at_error *err)
{
	struct at_error ignored;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	if (!keep->nights && !keep->seconds)
		return AT_OK;
	/* With foreign keys on, SQLite would walk through all rows that might refer to
	   each removed row. Only rows that nothing refers to are removed here. */
	status = at_sqlite_execute(self->database, "PRAGMA foreign_keys = OFF", err);
	if (status)
		return status;
	status = drop_all(self, keep, now_seconds, out, err);
	if (!status)
		status = shrink(self, &out->bytes, err);
	if (status)
		at_sqlite_execute(self->database, "PRAGMA foreign_keys = ON", &ignored);
	else
		status = at_sqlite_execute(
			self->database, "PRAGMA foreign_keys = ON", err);
	return status;
}
