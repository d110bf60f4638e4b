/* Removes rows by SQL, table by table: record/forget.h says what a user removes,
   record/history.h what expires. */
#include "record/forget.h"

#include "base/clock.h"
#include "record/history.h"
#include "record/store_internal.h"

#include <string.h>

/* A run without an end was killed, unless it could not make the lock that
   at_store_is_in_use() checks. Such a run hardly lasts longer. */
#define RUN_SECONDS (2 * 86400)

/* Parameters of the statements: ?1 space, ?2 device, ?3 problem, ?4 time limit. Rows of
   tables without a problem go with any problem of their space. */
#define OF_SPACE "(?1 IS NULL OR space = ?1)"
#define OF_DEVICE "(?2 = 0 OR device_id = ?2)"
#define OF_PROBLEM "(?3 IS NULL OR problem = ?3)"
#define OLDER "(?4 = 0 OR created_seconds < ?4)"

/* Rows are removed before the rows that they refer to. */
static const char delete_winners[] =
	"DELETE FROM crowns WHERE portfolio_id IS NULL AND " OF_SPACE " AND " OF_DEVICE
	" AND " OF_PROBLEM " AND " OLDER " AND (?4 = 0 OR id NOT IN"
	" (SELECT max(id) FROM crowns WHERE portfolio_id IS NULL"
	" GROUP BY device_id, space, problem))";

static const char delete_revisits[] =
	"DELETE FROM revisits WHERE " OF_SPACE " AND " OF_DEVICE " AND " OF_PROBLEM
	" AND " OLDER;

/* Counterexamples are the kernel's, not a problem's, and stay valid at any age. */
static const char delete_counterexamples[] =
	"DELETE FROM counterexamples WHERE " OF_SPACE " AND " OF_DEVICE
	" AND ?3 IS NULL AND ?4 = 0";

/* Forgetting one of its problems removes a whole portfolio. Forgetting by age keeps the
   newest portfolio, by its time. */
#define OF_PORTFOLIOS \
	OF_SPACE " AND " OF_DEVICE " AND " OLDER \
		 " AND (?3 IS NULL OR id IN (SELECT portfolio_id FROM crowns" \
		 " WHERE problem = ?3))" \
		 " AND (?4 = 0 OR EXISTS (SELECT 1 FROM portfolios AS n" \
		 " WHERE n.device_id = portfolios.device_id" \
		 " AND n.space = portfolios.space AND (n.created_seconds, n.id) >" \
		 " (portfolios.created_seconds, portfolios.id)))"

static const char delete_members[] =
	"DELETE FROM crowns WHERE portfolio_id IN"
	" (SELECT id FROM portfolios WHERE " OF_PORTFOLIOS ")";

/* The members are removed before, so a portfolio is found by having none. The line with
   ?3 and ?4 is always true: the statement must have all four parameters. */
static const char delete_portfolios[] =
	"DELETE FROM portfolios WHERE " OF_SPACE " AND " OF_DEVICE
	" AND (?3 IS NULL OR ?4 IS NOT NULL) AND id NOT IN"
	" (SELECT portfolio_id FROM crowns WHERE portfolio_id IS NOT NULL)";

static const char delete_evaluations[] =
	"DELETE FROM evaluations WHERE " OF_SPACE " AND " OF_DEVICE " AND " OF_PROBLEM
	" AND " OLDER " AND id NOT IN (SELECT evaluation_id FROM crowns UNION"
	" SELECT baseline_id FROM crowns WHERE baseline_id IS NOT NULL)";

static const char find_runs[] = "SELECT space FROM runs WHERE " OF_SPACE
				" AND " OF_DEVICE " AND ended_seconds IS NULL LIMIT 1";

/* ?3: a run without an end is removed if it began before this time */
static const char delete_runs[] =
	"DELETE FROM runs WHERE " OF_SPACE " AND " OF_DEVICE
	" AND (?4 = 0 OR started_seconds < ?4)"
	" AND (ended_seconds IS NOT NULL OR started_seconds < ?3)"
	" AND id NOT IN (SELECT run_id FROM evaluations WHERE run_id IS NOT NULL UNION"
	" SELECT run_id FROM revisits WHERE run_id IS NOT NULL)";

static const char delete_sources[] =
	"DELETE FROM sources WHERE run_id NOT IN (SELECT id FROM runs)";

static const char delete_ceilings[] =
	"DELETE FROM ceilings WHERE ?1 IS NULL AND ?3 IS NULL AND " OF_DEVICE
	" AND " OLDER " AND (?4 = 0 OR EXISTS (SELECT 1 FROM ceilings AS n"
	" WHERE n.device_id = ceilings.device_id AND (n.created_seconds, n.id) >"
	" (ceilings.created_seconds, ceilings.id)))";

static const char delete_devices[] =
	"DELETE FROM devices WHERE ?1 IS NULL AND ?3 IS NULL AND (?2 = 0 OR id = ?2)"
	" AND ?4 = 0 AND id NOT IN (SELECT device_id FROM evaluations UNION"
	" SELECT device_id FROM crowns UNION SELECT device_id FROM runs UNION"
	" SELECT device_id FROM ceilings UNION SELECT device_id FROM revisits UNION"
	" SELECT device_id FROM counterexamples UNION"
	" SELECT device_id FROM portfolios)";

struct forget {
	struct at_store *store;
	const struct at_forget_target *target;
	int64_t before_seconds;
};

/* Runs a statement; adds the number of removed rows to *count. */
static enum at_status drop(struct at_store *self, struct at_statement *statement,
	int64_t *count, struct at_error *err)
{
	enum at_status status = at_statement_run(statement, err);

	if (!status)
		*count += at_sqlite_changes(self->database);
	return status;
}

static enum at_status run_delete(const struct forget *self, const char *sql,
	int64_t *count, struct at_error *err)
{
	const struct at_forget_target *target = self->target;
	struct at_statement *statement = at_sqlite_bound(self->store->database, sql,
		AT_VALUES(AT_STRING(target->space), AT_INTEGER(target->device_id),
			AT_STRING(target->problem), AT_INTEGER(self->before_seconds)));

	if (sql == delete_runs)
		at_statement_bind_integer(
			statement, 3, at_clock_wall_seconds() - RUN_SECONDS);
	return drop(self->store, statement, count, err);
}

static enum at_status forget_target(
	const struct forget *self, struct at_forgotten *out, struct at_error *err)
{
	const struct at_forgotten before = *out;
	int64_t members = 0;
	const struct {
		const char *sql;
		int64_t *count; /* NULL: no parameters */
	} steps[] = { { delete_winners, &out->winners },
		{ delete_revisits, &out->revisits },
		{ delete_counterexamples, &out->counterexamples },
		{ delete_members, &members }, { delete_portfolios, &out->portfolios },
		{ delete_evaluations, &out->evaluations }, { delete_runs, &out->runs },
		{ delete_sources, NULL }, { delete_ceilings, &out->ceilings },
		{ delete_devices, &out->devices } };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < AT_COUNT_OF(steps) && !status; i++) {
		/* A run does not name its problem. If no row of the problem was
		   removed, perhaps because there is no such problem, runs stay. So do
		   runs without evaluations, whose work another run did: they go with
		   their space. */
		if (steps[i].sql == delete_runs && self->target->problem &&
			!memcmp(&before, out, sizeof(before)))
			break;
		status = steps[i].count
				 ? run_delete(self, steps[i].sql, steps[i].count, err)
				 : at_sqlite_execute(
					   self->store->database, steps[i].sql, err);
	}
	return status;
}

/* With foreign keys on, SQLite would scan all rows that might refer to each removed
   row, since no index finds them. This cannot be changed within a transaction. */
static enum at_status begin_loose(struct at_store *self, struct at_error *err)
{
	return at_sqlite_execute(self->database, "PRAGMA foreign_keys = OFF", err);
}

static enum at_status end_loose(
	struct at_store *self, enum at_status status, struct at_error *err)
{
	enum at_status own = at_sqlite_execute(
		self->database, "PRAGMA foreign_keys = ON", status ? NULL : err);

	return status ? status : own;
}

enum at_status at_store_forget(struct at_store *self,
	const struct at_forget_target *targets, size_t count, int64_t before_seconds,
	bool really, struct at_forgotten *out, struct at_error *err)
{
	struct forget forget = { .store = self, .before_seconds = before_seconds };
	struct at_statement *run;
	enum at_status status;
	bool is_in_use;
	int64_t broken = 0;

	memset(out, 0, sizeof(*out));
	status = begin_loose(self, err);
	if (!status)
		status = at_sqlite_begin(self->database, err);
	is_in_use = at_store_is_in_use(self);
	for (size_t i = 0; i < count && !status; i++) {
		forget.target = &targets[i];
		/* a run under way refers to rows of its space and device by id */
		if (is_in_use) {
			run = at_sqlite_bound(self->database, find_runs,
				AT_VALUES(AT_STRING(targets[i].space),
					AT_INTEGER(targets[i].device_id)));
			if (at_statement_next(run, &status, err))
				status = at_fail(err, AT_EINVAL,
					at_sqlite_path(self->database), 0,
					"a run of %s is under way: try again when it has ended",
					at_statement_text(run, 0));
			at_statement_reset(run);
		}
		if (!status)
			status = forget_target(&forget, out, err);
	}
	/* in place of foreign keys: one check of all rows */
	if (!status && really)
		status = at_sqlite_integer(self->database,
			"SELECT count(*) FROM pragma_foreign_key_check", &broken, err);
	if (!status && broken)
		status = at_fail(err, AT_EINVAL, at_sqlite_path(self->database), 0,
			"%lld rows would refer to what is forgotten: nothing was removed",
			(long long)broken);
	if (really)
		status = at_sqlite_end(self->database, status, err);
	else
		at_sqlite_rollback(self->database);
	return end_loose(self, status, err);
}

enum at_status at_store_compact(struct at_store *self, struct at_error *err)
{
	enum at_status status = at_sqlite_execute(self->database, "VACUUM", err);

	/* VACUUM wrote to the log: move that to the file and shrink the log */
	return status ? status
		      : at_sqlite_execute(
				self->database, "PRAGMA wal_checkpoint(TRUNCATE)", err);
}

/* ---- expired rows ---------------------------------------------------------- */

#define DAY_SECONDS 86400

/* The file is rewritten only if at least this many pages, and a quarter of all, are
   free. Later rows fill fewer free pages. */
#define FREE_PAGES_MIN 256

/* ---- rows that must stay --------------------------------------------------- */

/* The evaluations that winners refer to, members of portfolios included, in a temporary
   table of this connection, filled by each call. */
static const char begin_needed[] =
	"CREATE TEMP TABLE IF NOT EXISTS needed (id INTEGER PRIMARY KEY);"
	"DELETE FROM needed;"
	"INSERT OR IGNORE INTO needed SELECT evaluation_id FROM crowns;"
	"INSERT OR IGNORE INTO needed SELECT baseline_id FROM crowns"
	" WHERE baseline_id IS NOT NULL";

/* ---- the time limit -------------------------------------------------------- */

/* The last time of recording on each day, newest first. */
static const char days[] =
	"SELECT max(seconds) FROM (SELECT created_seconds AS seconds FROM revisits"
	" UNION ALL SELECT created_seconds FROM evaluations"
	" UNION ALL SELECT started_seconds FROM runs) WHERE seconds <= ?1"
	" GROUP BY seconds / 86400 ORDER BY seconds DESC";

#define GAP_SECONDS_MAX (31 * DAY_SECONDS)

/*
 * Finds the time limit: rows before it are older than `age` seconds. A gap without
 * records counts as 31 days at most, and as half of `age` at most (but at least a day).
 * Removal is final, and one night with a clock years ahead (an empty battery, a wrong
 * time server) must not make all other nights look old. INT64_MIN: nothing is that old.
 */
static enum at_status find_cutoff(struct at_store *self, int64_t age,
	int64_t now_seconds, int64_t *cutoff, struct at_error *err)
{
	int64_t gap_max = age / 2 < GAP_SECONDS_MAX ? age / 2 : GAP_SECONDS_MAX;
	int64_t left = age, before = now_seconds;
	struct at_statement *statement = at_sqlite_bound(
		self->database, days, AT_VALUES(AT_INTEGER(now_seconds)));
	enum at_status status = AT_OK;

	*cutoff = INT64_MIN;
	if (gap_max < DAY_SECONDS)
		gap_max = DAY_SECONDS;
	while (at_statement_next(statement, &status, err)) {
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
	at_statement_reset(statement);
	return status;
}

/* ---- what is removed ------------------------------------------------------- */

/*
 * ?1: remove older rows; ?2: keep this many rows of each kind, -1: all; ?3: now. A row
 * with a time after now was recorded by a wrong clock, or after such a row: then its
 * run gives the time (history.c). If that is unknown, it counts as the oldest: as the
 * newest it would displace every future night.
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
 * source than the newest winner's marks the end of that source: no run looks up keys of
 * evaluations up to then. A winner with a later time than the newest was recorded by a
 * wrong clock and does not count.
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

/* Measurements of a run under way stay, whatever its clock. */
static const char need_measured[] =
	"INSERT OR IGNORE INTO needed SELECT id FROM evaluations WHERE run_id IN"
	" (SELECT id FROM runs WHERE ended_seconds IS NULL)";

static const char drop_runs[] =
	"DELETE FROM runs WHERE started_seconds < ?1"
	" AND (?2 = 0 OR ended_seconds IS NOT NULL)"
	" AND id NOT IN (SELECT run_id FROM evaluations WHERE run_id IS NOT NULL)"
	" AND id NOT IN (SELECT run_id FROM revisits WHERE run_id IS NOT NULL)";

static enum at_status drop_all(struct at_store *self, const struct at_keep *keep,
	int64_t now_seconds, struct at_dropped *out, struct at_error *err)
{
	int64_t age = keep->seconds ? keep->seconds : keep->nights * DAY_SECONDS;
	struct at_sqlite *database = self->database;
	int64_t cutoff, is_in_use;
	enum at_status status = at_sqlite_begin(database, err);

	if (status)
		return status;
	is_in_use = at_store_is_in_use(self);
	status = find_cutoff(self, age, now_seconds, &cutoff, err);
	if (!status)
		status = at_sqlite_execute(database, begin_needed, err);
	if (!status && is_in_use)
		status = at_sqlite_execute(database, need_measured, err);
	/* a limit by number of nights ignores their age */
	if (!status)
		status = drop(self,
			at_sqlite_bound(database, drop_revisits,
				AT_VALUES(
					AT_INTEGER(keep->seconds ? cutoff : INT64_MIN),
					AT_INTEGER(keep->nights ? keep->nights : -1),
					AT_INTEGER(now_seconds))),
			&out->revisit_count, err);
	if (!status)
		status = drop(self,
			at_sqlite_bound(database, drop_evaluations,
				AT_VALUES(AT_INTEGER(cutoff))),
			&out->evaluation_count, err);
	if (!status)
		status = drop(self,
			at_sqlite_bound(database, drop_runs,
				AT_VALUES(AT_INTEGER(cutoff), AT_INTEGER(is_in_use))),
			&out->run_count, err);
	if (!status)
		status = at_sqlite_execute(database, delete_sources, err);
	return at_sqlite_end(database, status, err);
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
	enum at_status status;

	memset(out, 0, sizeof(*out));
	if (!keep->nights && !keep->seconds)
		return AT_OK;
	/* removes only rows that nothing refers to */
	status = begin_loose(self, err);
	if (!status)
		status = drop_all(self, keep, now_seconds, out, err);
	if (!status)
		status = shrink(self, &out->bytes, err);
	return end_loose(self, status, err);
}
