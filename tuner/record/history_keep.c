/* What the store does not keep for ever. */
#include "record/history.h"

#include "record/store_internal.h"

#include <string.h>

#define DAY_SECONDS 86400

/* pages that are free: a file is only written anew where that makes it smaller by a
   quarter, and by more than a few; else they are filled again */
#define FREE_PAGES_MIN 256

/* ---- what must stay -------------------------------------------------------- */

/* of this connection, made anew by each call; members of portfolios are crowns too */
static const char begin_needed[] =
	"CREATE TEMP TABLE IF NOT EXISTS needed (id INTEGER PRIMARY KEY);"
	"DELETE FROM needed;"
	"INSERT OR IGNORE INTO needed SELECT evaluation_id FROM crowns;"
	"INSERT OR IGNORE INTO needed SELECT baseline_id FROM crowns"
	" WHERE baseline_id IS NOT NULL";

/* ---- how old it is ---------------------------------------------------------- */

/* the last moment of each day on which anything was recorded, newest first */
static const char days[] =
	"SELECT max(seconds) FROM (SELECT created_seconds AS seconds FROM revisits"
	" UNION ALL SELECT created_seconds FROM evaluations"
	" UNION ALL SELECT started_seconds FROM runs) WHERE seconds <= ?1"
	" GROUP BY seconds / 86400 ORDER BY seconds DESC";

#define GAP_SECONDS_MAX (31 * DAY_SECONDS)

/*
 * The moment before which all is older than `age` seconds, a silence of a month or more
 * counted as one month, and as half the age at most: what is dropped is gone, and a
 * clock that is years ahead for one night (a battery that was empty, a wrong time
 * server) must not take all nights there were along. INT64_MIN: nothing is so old.
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

/* ---- what goes ------------------------------------------------------------- */

/* ?1: older than this; ?2: beyond so many of each, -1: all; ?3: now. What is of a time
   that is yet to come was recorded by a wrong clock: of nights that are counted it is
   the oldest, or every night to come would be dropped at once. */
static const char drop_revisits[] =
	"DELETE FROM revisits WHERE created_seconds < ?1 OR (?2 >= 0 AND id IN"
	" (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY space, problem,"
	" device_id, board ORDER BY created_seconds > ?3, created_seconds DESC, id DESC)"
	" AS place FROM revisits) WHERE place > ?2))";

/*
 * An evaluation does not say of what source it is, but crowns do, and a crown of
 * another source than the newest one's ended the time of that: what was evaluated until
 * then has keys that nobody asks for any more. One that is of a later time than the
 * newest was recorded by a wrong clock, and says nothing.
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
	" AND c.portfolio_id IS NULL"
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

static const char drop_sources[] =
	"DELETE FROM sources WHERE run_id NOT IN (SELECT id FROM runs)";

static const char drop_runs[] =
	"DELETE FROM runs WHERE started_seconds < ?1"
	" AND id NOT IN (SELECT run_id FROM evaluations WHERE run_id IS NOT NULL)"
	" AND id NOT IN (SELECT run_id FROM revisits WHERE run_id IS NOT NULL)";

/* Runs it and says how many rows went. limit, of two numbers, is bound only where the
   text has a ?2 and a ?3. */
static enum at_status drop(struct at_store *self, const char *sql, int64_t seconds,
	const int64_t *limit, int64_t *count, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status;

	status = at_sqlite_cached(self->database, sql, &statement, err);
	if (status)
		return status;
	at_statement_bind_integer(statement, 1, seconds);
	for (int i = 0; limit && i < 2; i++)
		at_statement_bind_integer(statement, 2 + i, limit[i]);
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
	int64_t cutoff;
	enum at_status status = at_sqlite_begin(self->database, err);

	if (status)
		return status;
	status = find_cutoff(self, age, now_seconds, &cutoff, err);
	if (!status)
		status = at_sqlite_execute(self->database, begin_needed, err);
	/* nights are counted, whatever their age */
	if (!status)
		status = drop(self, drop_revisits, keep->seconds ? cutoff : INT64_MIN,
			limit, &out->revisit_count, err);
	if (!status)
		status = drop(self, drop_evaluations, cutoff, NULL,
			&out->evaluation_count, err);
	if (!status)
		status = drop(self, drop_runs, cutoff, NULL, &out->run_count, err);
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
	/* for each row that goes SQLite would walk all that might refer to it; what is
	   dropped here is what nothing refers to */
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
