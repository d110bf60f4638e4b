/* Removes rows by SQL, table by table: record/forget.h says what is removed. */
#include "record/forget.h"

#include "base/clock.h"
#include "record/store_internal.h"

#include <string.h>

/* A run that has not ended was killed, unless it could make no lock by which
   at_store_is_in_use() sees it. Such a run hardly lasts longer. */
#define RUN_SECONDS (2 * 86400)

/* Parameters of the statements: ?1 space, ?2 device, ?3 problem, ?4 time before which.
   Rows of tables without a problem go with any problem of their space. */
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

/* They are the kernel's, not a problem's, and it can fail on them again, however old
   they are. */
static const char delete_counterexamples[] =
	"DELETE FROM counterexamples WHERE " OF_SPACE " AND " OF_DEVICE
	" AND ?3 IS NULL AND ?4 = 0";

/* A portfolio is removed whole even where only one of its problems is forgotten. The
   newest one, by its time, is kept from forgetting by age. */
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

/* Its members are gone by then, so it is found by having none. The line with ?3 and ?4
   is always true: it is there so that the statement has all four parameters. */
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

/* ?3: a run that has not ended goes if it began before this time */
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

static enum at_status run_delete(const struct forget *self, const char *sql,
	int64_t *count, struct at_error *err)
{
	const struct at_forget_target *target = self->target;
	struct at_statement *statement;
	enum at_status status;

	status = at_sqlite_prepare(self->store->database, sql, &statement, err);
	if (status)
		return status;
	if (target->space)
		at_statement_bind_text(statement, 1, target->space);
	at_statement_bind_integer(statement, 2, target->device_id);
	if (sql == delete_runs)
		at_statement_bind_integer(
			statement, 3, at_clock_wall_seconds() - RUN_SECONDS);
	else if (target->problem)
		at_statement_bind_text(statement, 3, target->problem);
	at_statement_bind_integer(statement, 4, self->before_seconds);
	status = at_statement_run(statement, err);
	if (!status)
		*count += at_sqlite_changes(self->store->database);
	at_statement_free(statement);
	return status;
}

static enum at_status forget_target(
	const struct forget *self, struct at_forgotten *out, struct at_error *err)
{
	const struct at_forgotten before = *out;
	int64_t members = 0;
	enum at_status status = run_delete(self, delete_winners, &out->winners, err);

	if (!status)
		status = run_delete(self, delete_revisits, &out->revisits, err);
	if (!status)
		status = run_delete(
			self, delete_counterexamples, &out->counterexamples, err);
	if (!status)
		status = run_delete(self, delete_members, &members, err);
	if (!status)
		status = run_delete(self, delete_portfolios, &out->portfolios, err);
	if (!status)
		status = run_delete(self, delete_evaluations, &out->evaluations, err);
	/* A run does not say which problem it was for. If no row of the problem was
	   removed, perhaps because there is no such problem, runs stay, also those
	   without evaluations, whose work another run did: they go with their space. */
	if (!status && self->target->problem && !memcmp(&before, out, sizeof(before)))
		return AT_OK;
	if (!status)
		status = run_delete(self, delete_runs, &out->runs, err);
	if (!status)
		status = at_sqlite_execute(self->store->database, delete_sources, err);
	if (!status)
		status = run_delete(self, delete_ceilings, &out->ceilings, err);
	if (!status)
		status = run_delete(self, delete_devices, &out->devices, err);
	return status;
}

/* A run under way knows rows of its space and device by their numbers. */
static enum at_status check_runs(const struct forget *self, struct at_error *err)
{
	struct at_statement *statement =
		at_sqlite_cached(self->store->database, find_runs);
	enum at_status status;
	bool row = false;

	if (self->target->space)
		at_statement_bind_text(statement, 1, self->target->space);
	at_statement_bind_integer(statement, 2, self->target->device_id);
	status = at_statement_step(statement, &row, err);
	if (!status && row)
		status = at_fail(err, AT_EINVAL, at_sqlite_path(self->store->database),
			0, "a run of %s is under way: try again when it has ended",
			at_statement_text(statement, 0));
	at_statement_reset(statement);
	return status;
}

/* Checked once for all rows: foreign keys would be checked for each removed row, by a
   walk through all rows that might refer to it, as no index finds those. */
static enum at_status check_links(struct at_store *store, struct at_error *err)
{
	int64_t broken = 0;
	enum at_status status = at_sqlite_integer(store->database,
		"SELECT count(*) FROM pragma_foreign_key_check", &broken, err);

	if (!status && broken)
		status = at_fail(err, AT_EINVAL, at_sqlite_path(store->database), 0,
			"%lld rows would refer to what is forgotten: nothing was removed",
			(long long)broken);
	return status;
}

enum at_status at_store_forget(struct at_store *self,
	const struct at_forget_target *targets, size_t count, int64_t before_seconds,
	bool really, struct at_forgotten *out, struct at_error *err)
{
	struct forget forget = { .store = self, .before_seconds = before_seconds };
	enum at_status status;
	bool is_in_use;

	memset(out, 0, sizeof(*out));
	/* it cannot be changed within a transaction */
	status = at_sqlite_execute(self->database, "PRAGMA foreign_keys = OFF", err);
	if (!status)
		status = at_sqlite_begin(self->database, err);
	is_in_use = at_store_is_in_use(self);
	for (size_t i = 0; i < count && !status; i++) {
		forget.target = &targets[i];
		if (is_in_use)
			status = check_runs(&forget, err);
		if (!status)
			status = forget_target(&forget, out, err);
	}
	if (!status && really)
		status = check_links(self, err);
	if (!status && really)
		status = at_sqlite_commit(self->database, err);
	at_sqlite_rollback(self->database);
	if (at_sqlite_execute(
		    self->database, "PRAGMA foreign_keys = ON", status ? NULL : err) &&
		!status)
		status = AT_EIO;
	return status;
}

enum at_status at_store_compact(struct at_store *self, struct at_error *err)
{
	enum at_status status = at_sqlite_execute(self->database, "VACUUM", err);

	/* VACUUM wrote the new contents to the log: this puts them into the file, and
	   makes that as small as it can be */
	return status ? status
		      : at_sqlite_execute(
				self->database, "PRAGMA wal_checkpoint(TRUNCATE)", err);
}
