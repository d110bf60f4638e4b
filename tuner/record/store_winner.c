/* Winners, standing and past: added, read, changed. */
#include "record/store.h"

#include "base/clock.h"
#include "base/memory.h"
#include "record/verification.h"
#include "record/store_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMES AT_WINNER_COLUMNS(AT_COLUMN_NAME)
#define MARKS AT_WINNER_COLUMNS(AT_COLUMN_MARK)
#define SELECT "SELECT id" NAMES " FROM crowns "

/* In one statement, since two runs may share a record: a winner that one verified while
   the other searched must survive an interruption of the other. */
static const char insert[] =
	"INSERT INTO crowns (id" NAMES ") SELECT NULL" MARKS
	" WHERE NOT ? OR NOT EXISTS (SELECT 1 FROM crowns WHERE device_id = ?"
	" AND space = ? AND problem = ? AND NOT is_unproved AND portfolio_id IS NULL)";

static const char select[] =
	"SELECT id FROM crowns WHERE id IN (SELECT max(id) FROM crowns WHERE portfolio_id IS NULL"
	" GROUP BY device_id, space, problem)"
	" AND (?1 IS NULL OR space = ?1) AND (?2 = 0 OR device_id = ?2)"
	" AND device_id IN (SELECT id FROM devices)"
	" ORDER BY device_id, space, problem";

void at_winner_release(struct at_winner *self)
{
	if (!self)
		return;
	at_columns_release(&at_table_crowns, self);
}

void at_winner_copy(const struct at_winner *from, struct at_winner *to)
{
	*to = *from;
	at_columns_copy_texts(&at_table_crowns, to);
}

double at_winner_time_ns(
	const struct at_winner *self, const struct at_evaluation *winner)
{
	if (self->objective == &at_objective_time)
		return self->score.value;
	return winner ? winner->time_ns : (double)NAN;
}

struct at_score at_winner_baseline(const struct at_winner *self)
{
	return (struct at_score){
		at_objective_baseline(
			self->objective, self->speedup, self->score.value),
		self->baseline_low > 0 ? self->baseline_low : (double)NAN,
		self->baseline_high > 0 ? self->baseline_high : (double)NAN,
	};
}

struct at_score at_winner_speedup(const struct at_winner *self)
{
	return (struct at_score){
		self->speedup,
		self->speedup_low > 0 ? self->speedup_low : (double)NAN,
		self->speedup_high > 0 ? self->speedup_high : (double)NAN,
	};
}

void at_store_free_winners(struct at_winner *winners, size_t count)
{
	if (!winners)
		return;
	for (size_t i = 0; i < count; i++)
		at_winner_release(&winners[i]);
	free(winners);
}

static const char newest_seconds[] =
	"SELECT max(created_seconds) FROM ("
	"SELECT created_seconds FROM crowns WHERE device_id = ?1 AND space = ?2"
	" AND (?3 IS NULL OR problem = ?3)"
	" UNION ALL SELECT created_seconds FROM revisits WHERE space = ?2"
	" AND device_id = ?1 AND (?3 IS NULL OR problem = ?3)"
	" UNION ALL SELECT created_seconds FROM portfolios WHERE device_id = ?1"
	" AND space = ?2) WHERE created_seconds <= ?4";

enum at_status at_store_follow(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, bool by_date, int64_t *seconds,
	struct at_error *err)
{
	int64_t latest = by_date ? at_clock_latest_seconds(*seconds) : AT_SECONDS_MAX;
	int64_t newest;
	enum at_status status = at_statement_find(
		at_sqlite_bound(self->database, newest_seconds,
			AT_VALUES(AT_INTEGER(device_id), AT_STRING(space),
				AT_STRING(problem),
				AT_INTEGER(latest < AT_SECONDS_MAX ? latest
								   : AT_SECONDS_MAX))),
		&newest, NULL, err);

	if (!status && *seconds < newest)
		*seconds = newest;
	return status;
}

/* The copy of a run's rows needs the evaluations of its winners, also of earlier
   runs. */
static void copy_named(struct at_store *self, const struct at_winner *best)
{
	at_store_keep_evaluation(self, best->evaluation_id);
	at_store_keep_evaluation(self, best->baseline_id);
}

enum at_status at_store_put_winner(
	struct at_store *self, const struct at_winner *best, struct at_error *err)
{
	int place;
	struct at_statement *statement = at_sqlite_cached(self->database, insert);

	copy_named(self, best);
	place = at_columns_bind(&at_table_crowns, statement, 1, best);
	at_statement_bind_integer(statement, place, best->is_unverified);
	at_statement_bind_integer(statement, place + 1, best->device_id);
	at_statement_bind_text(statement, place + 2, best->space);
	at_statement_bind_text(statement, place + 3, best->problem);
	return at_statement_run(statement, err);
}

/* AT_EINVAL: the evaluation is missing or invalid. */
static enum at_status check_named(
	struct at_store *self, int64_t id, const char *column, struct at_error *err)
{
	struct at_evaluation named;
	bool found;
	enum at_status status = at_store_get_row(self, id, &named, &found, err);

	at_evaluation_release(&named);
	if (!status && !found)
		status = at_fail(err, AT_EINVAL, NULL, 0,
			"\"%s\" names an evaluation that is not there", column);
	return status;
}

static const char get[] = SELECT "WHERE id = ?";

/* *found false: the winner or one of its evaluations is invalid. No statement may be
   open meanwhile, since this reads others. */
static enum at_status read_one(struct at_store *self, int64_t id, struct at_winner *out,
	bool *found, struct at_error *err)
{
	struct at_error reason = { 0 };
	struct at_statement *statement =
		at_sqlite_bound(self->database, get, AT_VALUES(AT_INTEGER(id)));
	enum at_status status;

	memset(out, 0, sizeof(*out));
	status = at_statement_step(statement, found, &reason);
	if (!status && *found)
		status = at_columns_read(&at_table_crowns, statement, 1, out, &reason);
	if (!status && *found && isnan(out->score.value))
		status = at_fail(&reason, AT_EINVAL, NULL, 0, "\"value\" is not known");
	at_statement_reset(statement);
	if (!status && *found)
		status =
			check_named(self, out->evaluation_id, "evaluation_id", &reason);
	if (!status && *found && out->baseline_id)
		status = check_named(self, out->baseline_id, "baseline_id", &reason);
	if (!status)
		return AT_OK;
	*found = false;
	at_winner_release(out);
	return at_store_leave_out(self, "crowns", id, status, &reason, err);
}

static enum at_status read_winners(struct at_store *self,
	struct at_statement *statement, struct at_winner **out, size_t *count,
	struct at_error *err)
{
	bool begins;
	enum at_status status = at_store_enter(self, &begins, err);

	if (!status) {
		size_t capacity = 0, id_count = 0;
		int64_t *ids = NULL;
		bool found;

		status = at_store_read_ids(statement, &ids, &id_count, err);
		if (!status)
			AT_GROW(*out, capacity, id_count);
		for (size_t i = 0; i < id_count && !status; i++) {
			status = read_one(self, ids[i], &(*out)[*count], &found, err);
			*count += !status && found;
		}
		free(ids);
	}
	status = at_sqlite_leave(self->database, begins, status, err);
	if (status) {
		at_store_free_winners(*out, *count);
		*out = NULL;
		*count = 0;
	}
	return status;
}

enum at_status at_store_winners(struct at_store *self, const char *space,
	int64_t device_id, struct at_winner **out, size_t *count, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(self->database, select,
		AT_VALUES(AT_STRING(space), AT_INTEGER(device_id)));

	*out = NULL;
	*count = 0;
	return read_winners(self, statement, out, count, err);
}

static const char select_members[] =
	"SELECT id FROM crowns WHERE portfolio_id = ? ORDER BY problem";

enum at_status at_store_members(struct at_store *self, int64_t portfolio_id,
	struct at_winner **out, size_t *count, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(
		self->database, select_members, AT_VALUES(AT_INTEGER(portfolio_id)));

	*out = NULL;
	*count = 0;
	return read_winners(self, statement, out, count, err);
}

static const char find[] =
	"SELECT id FROM crowns WHERE device_id = ? AND space = ? AND problem = ? AND portfolio_id IS NULL"
	" ORDER BY id DESC LIMIT 1";

enum at_status at_store_find_winner(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, struct at_winner *out, bool *found,
	struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(self->database, find,
		AT_VALUES(AT_INTEGER(device_id), AT_STRING(space), AT_STRING(problem)));
	struct at_winner *winners = NULL;
	size_t count = 0;
	enum at_status status = read_winners(self, statement, &winners, &count, err);

	memset(out, 0, sizeof(*out));
	*found = count > 0;
	if (count)
		*out = winners[0];
	free(winners);
	return status;
}

/* The newest winner of its evaluation on its device, space and problem. */
#define NEWEST \
	" WHERE id = (SELECT max(id) FROM crowns WHERE device_id = ?2" \
	" AND space = ?3 AND problem = ?4 AND evaluation_id = ?5" \
	" AND portfolio_id IS NULL) RETURNING id"

static const char set_gains[] = "UPDATE crowns SET gains = ?1" NEWEST;
static const char set_verification[] = "UPDATE crowns SET proof = ?1" NEWEST;
static const char set_stood[] = "UPDATE crowns SET stood_seconds = ?1, met = ?6" NEWEST;
/* also in portfolios: no verification of the evaluation is valid any more */
static const char set_withdrawn[] =
	"UPDATE crowns SET is_unproved = 1, proof = ?1 WHERE device_id = ?2"
	" AND space = ?3 AND problem = ?4 AND evaluation_id = ?5 RETURNING id";

/* Runs one of these statements; its other values (?1, ?6) are bound. */
static enum at_status change(struct at_store *self, struct at_statement *statement,
	const struct at_winner *best, struct at_error *err)
{
	bool found = false;
	enum at_status status = AT_OK;

	copy_named(self, best);
	at_statement_bind_integer(statement, 2, best->device_id);
	at_statement_bind_text(statement, 3, best->space);
	at_statement_bind_text(statement, 4, best->problem);
	at_statement_bind_integer(statement, 5, best->evaluation_id);
	while (at_statement_next(statement, &status, err))
		found = true;
	if (!status && !found)
		status = at_fail(err, AT_ENOENT, at_sqlite_path(self->database), 0,
			"has no winner for %s, %s (any more): if it was removed meanwhile, run the same command again",
			best->space, best->problem);
	return status;
}

static enum at_status set_text(struct at_store *self, const char *sql,
	const struct at_winner *best, const char *text, struct at_error *err)
{
	struct at_statement *statement =
		at_sqlite_bound(self->database, sql, AT_VALUES(AT_STRING(text)));

	return change(self, statement, best, err);
}

enum at_status at_store_set_gains(struct at_store *self, const struct at_winner *best,
	const char *gains, struct at_error *err)
{
	return set_text(self, set_gains, best, gains, err);
}

enum at_status at_store_set_verification(struct at_store *self,
	const struct at_winner *best, const char *verification, struct at_error *err)
{
	return set_text(self, set_verification, best, verification, err);
}

enum at_status at_store_set_stood(struct at_store *self, const struct at_winner *best,
	int64_t seconds, const char *met, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(
		self->database, set_stood, AT_VALUES(AT_INTEGER(seconds)));

	at_statement_bind_text(statement, 6, met);
	return change(self, statement, best, err);
}

enum at_status at_store_withdraw(struct at_store *self, const struct at_winner *best,
	const char *why, struct at_error *err)
{
	char *verification = at_verification_withdrawn(why);
	enum at_status status = set_text(self, set_withdrawn, best, verification, err);

	free(verification);
	return status;
}
