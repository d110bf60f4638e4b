/* Evaluations with their samples and logs: added, found, listed. */
#include "record/store.h"

#include "base/memory.h"
#include "record/store_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMES AT_EVALUATION_COLUMNS(AT_COLUMN_NAME) ", created_seconds"
#define SELECT "SELECT id" NAMES " FROM evaluations "

void at_evaluation_release(struct at_evaluation *self)
{
	if (!self)
		return;
	free(self->log);
	free(self->samples_ns);
	at_columns_release(&at_table_evaluations, self);
}

void at_evaluation_copy(const struct at_evaluation *from, struct at_evaluation *to)
{
	*to = *from;
	to->log = NULL;
	to->samples_ns = NULL;
	to->sample_count = 0;
	at_columns_copy_texts(&at_table_evaluations, to);
}

struct at_score at_evaluation_score(
	const struct at_evaluation *self, const struct at_objective *objective)
{
	struct at_score score = AT_SCORE_UNKNOWN;

	if (self->outcome == AT_OUTCOME_OK && objective == &at_objective_time)
		score = (struct at_score){ self->time_ns, self->low_ns, self->high_ns };
	/* one or two samples have no 95 % interval, even if an older version recorded
	   one */
	if (self->raced)
		score.low = score.high = (double)NAN;
	return score;
}

/* ---- adding ------------------------------------------------------------- */

/* ?1: at_store.highest. ?2: the key. If a clock was set back, a new evaluation's time
   is raised, so that it does not look older. */
static const char insert[] =
	"INSERT INTO evaluations (id" NAMES ", samples_ns, log) VALUES ("
	"CASE WHEN ?1 < 9223372036854775807 AND ?1 >"
	" (SELECT ifnull(max(id), 0) FROM evaluations) THEN ?1 + 1 END" AT_EVALUATION_COLUMNS(
		AT_COLUMN_MARK) ", max(?, coalesce((SELECT max(created_seconds) FROM evaluations WHERE key = ?2"
				" AND created_seconds <= " AT_SECONDS_MAX_TEXT
				"), 0)), ?, ?)"
				" RETURNING id, created_seconds";

enum at_status at_store_add(
	struct at_store *self, struct at_evaluation *evaluation, struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t count = evaluation->sample_count;
	unsigned char *bytes = at_calloc(count + 1, 8);
	int64_t id = 0, created_seconds = 0;
	struct at_statement *statement;
	int next;

	/* one statement is a transaction: BEGIN and COMMIT would each cost as much as
	   the row, and a prior lookup another pair of locks */
	statement = at_sqlite_cached(self->database, insert);
	for (size_t i = 0; i < 8 * count; i++) {
		uint64_t bits;

		memcpy(&bits, &evaluation->samples_ns[i / 8], sizeof(bits));
		bytes[i] = (unsigned char)(bits >> (8 * (i % 8)));
	}
	at_statement_bind_integer(statement, 1, self->highest);
	next = at_columns_bind(&at_table_evaluations, statement, 2, evaluation);
	at_statement_bind_bytes(statement, next, count ? bytes : NULL, 8 * count);
	at_statement_bind_text(
		statement, next + 1, evaluation->log ? evaluation->log : "");
	while (at_statement_next(statement, &status, err)) {
		id = at_statement_integer(statement, 0);
		created_seconds = at_statement_integer(statement, 1);
	}
	if (!status) {
		evaluation->id = id;
		evaluation->created_seconds = created_seconds;
		if (id > self->highest)
			self->highest = id;
	}
	free(bytes);
	if (!status)
		return at_sqlite_check_place(self->database, err);
	at_store_keep_refused(self, evaluation);
	return status;
}

enum at_status at_store_set_counters(
	struct at_store *self, int64_t id, const char *counters, struct at_error *err)
{
	return at_statement_run(
		at_sqlite_bound(self->database,
			"UPDATE evaluations SET counters = ?1 WHERE id = ?2",
			AT_VALUES(AT_STRING(counters), AT_INTEGER(id))),
		err);
}

/* ---- finding one -------------------------------------------------------- */

static const char find[] = SELECT "WHERE key = ?"
				  " AND created_seconds <= " AT_SECONDS_MAX_TEXT
				  " ORDER BY created_seconds DESC, id DESC LIMIT 1";
static const char get[] = SELECT "WHERE id = ?";
static const char get_samples[] =
	"SELECT samples_ns, log FROM evaluations WHERE id = ?";

static enum at_status read_row(const struct at_statement *statement,
	struct at_evaluation *out, struct at_error *err)
{
	enum at_status status;

	memset(out, 0, sizeof(*out));
	out->id = at_statement_integer(statement, 0);
	status = at_columns_read(&at_table_evaluations, statement, 1, out, err);
	/* readers rely on it */
	if (!status && out->outcome == AT_OUTCOME_OK && !(out->time_ns > 0))
		status = at_fail(err, AT_EINVAL, NULL, 0,
			"\"time_ns\" is not known, and it is ok");
	if (status)
		at_evaluation_release(out);
	return status;
}

/* Copies samples and log of a row that was checked. */
static void copy_samples(
	const struct at_statement *statement, struct at_evaluation *out)
{
	size_t size;
	const unsigned char *bytes = at_statement_bytes(statement, 0, &size);

	out->log = at_strdup(at_statement_text(statement, 1));
	if (size >= 8)
		out->samples_ns = at_calloc(size / 8, sizeof(*out->samples_ns));
	for (; out->sample_count < size / 8; out->sample_count++)
		out->samples_ns[out->sample_count] =
			at_cell_sample(bytes + 8 * out->sample_count);
}

static enum at_status read_samples(
	struct at_store *self, struct at_evaluation *out, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(
		self->database, get_samples, AT_VALUES(AT_INTEGER(out->id)));
	enum at_status status = AT_OK;

	if (at_statement_next(statement, &status, err)) {
		const char *wrong = at_cell_check(statement, 0, AT_CELL_SAMPLES);

		if (!wrong)
			wrong = at_cell_check(statement, 1, AT_CELL_TEXT);
		if (wrong)
			status = at_fail(
				err, AT_EINVAL, NULL, 0, "samples or log: %s", wrong);
		else
			copy_samples(statement, out);
	}
	at_statement_reset(statement);
	return status;
}

/* Reads one evaluation from a bound statement, and resets it. Its samples are read in
   the same snapshot: another row may get the id a moment later. */
static enum at_status read_one(struct at_store *self, struct at_statement *statement,
	bool with_samples, struct at_evaluation *out, bool *found, struct at_error *err)
{
	struct at_error reason = { 0 };
	bool begins = false;
	int64_t id = 0;
	enum at_status status =
		with_samples ? at_store_enter(self, &begins, &reason) : AT_OK;

	memset(out, 0, sizeof(*out));
	*found = at_statement_next(statement, &status, &reason);
	if (*found) {
		id = at_statement_integer(statement, 0);
		status = read_row(statement, out, &reason);
	}
	at_statement_reset(statement);
	if (!status && *found && with_samples)
		status = read_samples(self, out, &reason);
	status = at_sqlite_leave(self->database, begins, status, &reason);
	if (!status)
		return AT_OK;
	*found = false;
	at_evaluation_release(out);
	return at_store_leave_out(self, "evaluations", id, status, &reason, err);
}

enum at_status at_store_find(struct at_store *self, struct at_hash key,
	bool with_samples, struct at_evaluation *out, bool *found, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_cached(self->database, find);

	at_statement_bind_hash(statement, 1, key);
	return read_one(self, statement, with_samples, out, found, err);
}

enum at_status at_store_get_row(struct at_store *self, int64_t number,
	struct at_evaluation *out, bool *found, struct at_error *err)
{
	struct at_statement *statement =
		at_sqlite_bound(self->database, get, AT_VALUES(AT_INTEGER(number)));

	return read_one(self, statement, false, out, found, err);
}

enum at_status at_store_get(struct at_store *self, int64_t id, bool with_samples,
	struct at_evaluation *out, struct at_error *err)
{
	struct at_statement *statement =
		at_sqlite_bound(self->database, get, AT_VALUES(AT_INTEGER(id)));
	bool found;
	enum at_status status =
		read_one(self, statement, with_samples, out, &found, err);

	if (!status && !found)
		status = at_fail(err, AT_ENOENT, at_sqlite_path(self->database), 0,
			"has no evaluation %lld (any more): if it was removed meanwhile, run the same command again",
			(long long)id);
	return status;
}

/* ---- listing ------------------------------------------------------------ */

/*
 * The newest by time and, within a second, by order of adding; the id alone is not
 * enough, since imported rows are added later. The index is named because the planner
 * prefers one with more equal columns, and would then scan a whole space for each row.
 */
#define IS_NEWEST \
	" AND NOT EXISTS (SELECT 1 FROM evaluations AS n INDEXED BY evaluations_key" \
	" WHERE n.key = e.key AND n.created_seconds >= e.created_seconds" \
	" AND n.created_seconds <= " AT_SECONDS_MAX_TEXT \
	" AND (n.created_seconds > e.created_seconds OR n.id > e.id)" \
	" AND n.space = e.space AND n.problem = e.problem" \
	" AND n.device_id = e.device_id)"

/* Sorted by outcome first: a failed row should have no time, but a stranger's record
   may have one. */
static const char list[] = SELECT
	"AS e WHERE (?1 IS NULL OR space = ?1)"
	/* without rows of missing devices */
	" AND device_id IN (SELECT id FROM devices WHERE ?2 IS NULL OR slug = ?2)"
	" AND (?3 IS NULL OR problem = ?3)" IS_NEWEST
	" ORDER BY outcome <> 'ok', time_ns, id LIMIT ?4";

/* The same for one problem on one device, in two statements. The first reads the best
   rows in the order of the index, up to the limit. */
#define OF_PLACE \
	"AS e INDEXED BY evaluations_best" \
	" WHERE space = ?1 AND device_id = ?2 AND problem = ?3"
static const char list_best[] = SELECT OF_PLACE " AND outcome = 'ok'" IS_NEWEST
						" ORDER BY time_ns, id LIMIT ?4";
static const char list_failed[] = SELECT OF_PLACE " AND outcome <> 'ok'" IS_NEWEST
						  " ORDER BY time_ns, id LIMIT ?4";

struct listing {
	struct at_store *store;
	const char *space, *slug, *problem; /* NULL: all */
	int64_t device_id; /* the only device with the slug */
	int64_t left; /* rows until the limit; -1: no limit */
	enum at_status (*visit)(void *context, const struct at_evaluation *evaluation);
	void *context;
	struct at_error *err;
};

/* Visits the rows of a statement, without invalid ones. */
static enum at_status list_rows(struct listing *self, struct at_statement *statement)
{
	struct at_evaluation evaluation;
	enum at_status status = AT_OK;

	while (at_statement_next(statement, &status, self->err)) {
		struct at_error reason = { 0 };

		status = read_row(statement, &evaluation, &reason);
		if (status) {
			status = at_store_leave_out(self->store, "evaluations",
				at_statement_integer(statement, 0), status, &reason,
				self->err);
			continue;
		}
		if (self->left > 0)
			self->left--;
		status = self->visit(self->context, &evaluation);
		at_evaluation_release(&evaluation);
	}
	return status;
}

static enum at_status list_by(struct listing *self, const char *sql)
{
	struct at_statement *statement;
	/* not a cached statement: visit() may list, too */
	enum at_status status =
		at_sqlite_prepare(self->store->database, sql, &statement, self->err);

	if (status)
		return status;
	at_statement_bind_text(statement, 1, self->space);
	if (sql == list)
		at_statement_bind_text(statement, 2, self->slug);
	else
		at_statement_bind_integer(statement, 2, self->device_id);
	at_statement_bind_text(statement, 3, self->problem);
	at_statement_bind_integer(statement, 4, self->left);
	status = list_rows(self, statement);
	at_statement_free(statement);
	return status;
}

enum at_status at_store_list(struct at_store *self, const char *space, const char *slug,
	const char *problem, size_t limit,
	enum at_status (*visit)(void *context, const struct at_evaluation *evaluation),
	void *context, struct at_error *err)
{
	struct listing listing = {
		.store = self,
		.space = space,
		.slug = slug,
		.problem = problem,
		.left = limit ? (int64_t)limit : -1,
		.visit = visit,
		.context = context,
		.err = err,
	};
	enum at_status status = AT_OK;
	int64_t *devices = NULL;
	size_t device_count = 0;

	/* devices of several kinds may share the slug */
	if (space && slug && problem)
		status = at_store_read_ids(
			at_sqlite_bound(self->database,
				"SELECT id FROM devices WHERE slug = ?1",
				AT_VALUES(AT_STRING(slug))),
			&devices, &device_count, err);
	if (device_count)
		listing.device_id = devices[0];
	free(devices);
	if (status)
		return status;
	if (device_count != 1)
		return list_by(&listing, list);
	status = list_by(&listing, list_best);
	if (!status && listing.left)
		status = list_by(&listing, list_failed);
	return status;
}
