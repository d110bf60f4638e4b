/* Merges another record table by table, by the rules of record/merge.h. */
#include "record/merge.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/objective.h"
#include "base/outcome.h"
#include "record/cell.h"
#include "record/verification.h"
#include "record/store.h"
#include "record/store_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The ids of a row in the other record and in this one. */
struct link {
	int64_t from;
	int64_t to;
};

/* sorted by `from` */
struct links {
	struct link *items;
	size_t count;
	size_t capacity;
};

/* A merge: the receiving store, and the translation of ids. */
struct merger {
	struct at_store *store;
	struct at_store *other; /* the record whose rows are merged, */
	struct at_sqlite *from; /* and its database */
	struct at_sqlite *to; /* the store's own database */
	const char *path; /* of the other record, for errors */
	const char *origin; /* as for at_store_merge() */
	int64_t latest_seconds; /* rows with a later time are rejected */
	/* Rows with a later time get another time (write_time()) instead: the other
	   record's last run has a valid time, so its clock was right again. */
	bool redates;
	struct links devices;
	struct links runs;
	struct links evaluations;
	struct links portfolios;
	struct links winners;
	int64_t last_winner; /* the highest id of an earlier winner here */
	struct at_merged *merged; /* the caller's counts */
};

/* A walk through a table of the other record. Zeroed it is empty. */
struct walk {
	const struct at_table *table;
	struct at_statement *select; /* reads the other record's rows */
	struct at_statement *same; /* finds the equal row here */
	struct at_statement *insert; /* adds the row here */
};

/* ---- translation of ids ---------------------------------------------------- */

static int compare_links(const void *a, const void *b)
{
	const struct link *left = a, *right = b;

	return (left->from > right->from) - (left->from < right->from);
}

/* 0: there is no such row. */
static int64_t find_link(const struct links *self, int64_t from)
{
	const struct link wanted = { .from = from };
	const struct link *link = self->count
					  ? bsearch(&wanted, self->items, self->count,
						    sizeof(wanted), compare_links)
					  : NULL;

	return link ? link->to : 0;
}

static void add_link(struct links *self, int64_t from, int64_t to)
{
	AT_GROW(self->items, self->capacity, self->count + 1);
	self->items[self->count++] = (struct link){ from, to };
}

/* ---- one row ------------------------------------------------------------------- */

static int column_of(const struct walk *walk, const char *name)
{
	return (int)at_table_column(walk->table, name) + 1;
}

static enum at_status fail_row(const struct merger *merger, const struct walk *walk,
	const char *column, const char *wrong, struct at_error *err)
{
	return at_fail(err, AT_EINVAL, merger->path, 0,
		"%s %" PRId64 ": \"%s\" %s; nothing of it was taken", walk->table->name,
		at_statement_integer(walk->select, 0), column, wrong);
}

static enum at_status check_row(
	const struct merger *merger, const struct walk *walk, struct at_error *err)
{
	const struct at_statement *row = walk->select;
	const struct at_table *table = walk->table;

	for (size_t i = 0; i < table->count; i++) {
		enum at_cell kind = table->columns[i].kind;
		const char *wrong = at_cell_check(row, (int)i + 1, kind);

		if (!wrong &&
			(kind == AT_CELL_SECONDS || kind == AT_CELL_SECONDS_OR_NULL) &&
			at_statement_integer(row, (int)i + 1) > merger->latest_seconds)
			wrong = "is in the future: the clock there, or here, is wrong";
		if (wrong)
			return fail_row(
				merger, walk, table->columns[i].name, wrong, err);
	}
	/* readers rely on it */
	if (table == &at_table_evaluations &&
		!strcmp(at_statement_text(row, column_of(walk, "outcome")),
			at_outcome_name(AT_OUTCOME_OK)) &&
		!(at_statement_real(row, column_of(walk, "time_ns")) > 0))
		return fail_row(
			merger, walk, "time_ns", "is not known, and it is ok", err);
	return AT_OK;
}

/* ---- walking through a table ---- */

static enum at_status AT_PRINTF(4, 5) prepare(struct at_sqlite *database,
	struct at_statement **out, struct at_error *err, const char *format, ...)
{
	struct at_strbuf sql = { 0 };
	enum at_status status;
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&sql, format, arguments);
	va_end(arguments);
	status = at_sqlite_prepare(database, at_strbuf_text(&sql), out, err);
	at_strbuf_release(&sql);
	return status;
}

/* The run of a row, as SQL; NULL: not recorded. */
static const char *run_of(const struct at_table *table)
{
	if (table == &at_table_runs)
		return "runs.id";
	if (table == &at_table_evaluations || table == &at_table_revisits)
		return "run_id";
	if (table == &at_table_crowns)
		return "(SELECT e.run_id FROM evaluations AS e WHERE e.id = evaluation_id)";
	return NULL;
}

static enum at_status begin_walk(struct walk *self, struct merger *merger,
	const struct at_table *table, const char *order, struct at_error *err)
{
	struct at_strbuf select = { 0 }, same = { 0 }, insert = { 0 }, marks = { 0 };
	enum at_status status;

	*self = (struct walk){ .table = table };
	for (size_t i = 0; i < table->count; i++) {
		const struct at_column *column = &table->columns[i];

		at_strbuf_add(&select, ", ");
		if (merger->redates &&
			(column->kind == AT_CELL_SECONDS ||
				column->kind == AT_CELL_SECONDS_OR_NULL)) {
			const char *run = run_of(table);

			/* A time in the future becomes the start of the row's run, or
			   the last valid start of a run before it, or 0: always the
			   same, so that a record can be merged again. The rows keep
			   their recorded order. */
			at_strbuf_addf(&select, "CASE WHEN %s > %" PRId64 " THEN ",
				column->name, merger->latest_seconds);
			if (run)
				at_strbuf_addf(&select,
					"coalesce((SELECT r.started_seconds FROM runs AS r WHERE r.id <= %s"
					" AND r.started_seconds <= %" PRId64
					" ORDER BY r.id DESC LIMIT 1), 0)",
					run, merger->latest_seconds);
			else
				at_strbuf_add_char(&select, '0');
			at_strbuf_addf(&select, " ELSE %s END", column->name);
		} else {
			at_strbuf_add(&select, column->name);
		}
		at_strbuf_addf(&insert, "%s%s", i ? ", " : "", column->name);
		at_strbuf_addf(&marks, "%s?%zu", i ? ", " : "", i + 1);
		/* "IS" also finds NULL, but only "=" uses an index in every version of
		   SQLite */
		if (column->is_same) {
			bool may_be_null = column->kind == AT_CELL_REAL ||
					   column->kind == AT_CELL_SAMPLES ||
					   column->kind == AT_CELL_PORTFOLIO;

			at_strbuf_addf(&same, "%s%s %s ?%zu",
				same.length ? " AND " : "", column->name,
				may_be_null ? "IS" : "=", i + 1);
		}
	}
	status = prepare(merger->from, &self->select, err,
		"SELECT id%s FROM %s ORDER BY %s", select.data, table->name, order);
	if (!status)
		status = prepare(merger->to, &self->same, err,
			"SELECT id FROM %s WHERE %s", table->name, same.data);
	if (!status)
		status = prepare(merger->to, &self->insert, err,
			"INSERT INTO %s (%s) VALUES (%s)", table->name, insert.data,
			marks.data);
	at_strbuf_release(&select);
	at_strbuf_release(&same);
	at_strbuf_release(&insert);
	at_strbuf_release(&marks);
	return status;
}

/* Binds a value of the current row; ids become those of this record. */
static enum at_status bind(struct walk *self, struct merger *merger,
	struct at_statement *to, size_t index, struct at_error *err)
{
	const struct at_column *column = &self->table->columns[index];
	const struct links *links = &merger->evaluations;
	int place = (int)index + 1;
	int64_t id;

	if (column->kind == AT_CELL_ORIGIN &&
		!*at_statement_text(self->select, place)) {
		at_statement_bind_text(to, place, merger->origin);
		return AT_OK;
	}
	if (column->kind == AT_CELL_DEVICE)
		links = &merger->devices;
	else if (column->kind == AT_CELL_RUN)
		links = &merger->runs;
	else if (column->kind == AT_CELL_PORTFOLIO)
		links = &merger->portfolios;
	else if (column->kind != AT_CELL_EVALUATION && column->kind != AT_CELL_BASELINE)
		links = NULL;
	if (!links || at_statement_is_null(self->select, place)) {
		at_statement_bind_column(to, place, self->select, place);
		return AT_OK;
	}
	id = find_link(links, at_statement_integer(self->select, place));
	if (!id)
		return fail_row(merger, self, column->name,
			"names a row that is not there", err);
	at_statement_bind_integer(to, place, id);
	return AT_OK;
}

static enum at_status put_current(struct walk *self, struct merger *merger,
	struct at_merge_count *count, int64_t *id, bool *is_new, struct at_error *err)
{
	const struct at_table *table = self->table;
	enum at_status status = AT_OK;
	bool found = false;
	int64_t same;

	for (size_t i = 0; i < table->count && !status; i++)
		if (table->columns[i].is_same)
			status = bind(self, merger, self->same, i, err);
	if (!status)
		status = at_statement_find(self->same, &same, &found, err);
	*is_new = !found;
	if (status)
		return status;
	if (found) {
		*id = same;
		count->known++;
		return AT_OK;
	}
	for (size_t i = 0; i < table->count && !status; i++)
		status = bind(self, merger, self->insert, i, err);
	if (!status)
		status = at_statement_run(self->insert, err);
	*id = at_sqlite_last_id(merger->to);
	count->added++;
	return status;
}

/* ---- the other record ---- */

/* AT_EINVAL: the record has other tables, or views or triggers, whose effects are
   unknown. The two files are compared first: closing a file drops all of the process's
   locks on it. */
static enum at_status open_source(const struct at_store *store, const char *path,
	struct at_store **out, struct at_error *err)
{
	struct at_statement *statement;
	struct stat here, there;
	enum at_status status;

	if (!stat(at_sqlite_path(store->database), &here) && !stat(path, &there) &&
		here.st_dev == there.st_dev && here.st_ino == there.st_ino)
		return at_fail(err, AT_EINVAL, path, 0,
			"is the record that it should be merged into");
	status = at_store_open_foreign(path, out, err);
	if (status)
		return status;
	statement = at_sqlite_cached((*out)->database,
		"SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view', 'trigger')");
	while (at_statement_next(statement, &status, err)) {
		const char *name = at_statement_text(statement, 1);
		size_t i = 0;

		while (at_tables[i] && strcmp(at_tables[i]->name, name) != 0)
			i++;
		/* Claims are irrelevant here, and paths of space files are valid only
		   on their own machine: these tables are not merged. */
		if (at_tables[i] || !strncmp(name, "sqlite_", 7) ||
			((!strcmp(name, "claims") || !strcmp(name, "spaces")) &&
				!strcmp(at_statement_text(statement, 0), "table")))
			continue;
		status = at_fail(err, AT_EINVAL, path, 0,
			"has a %s \"%.60s\", which a record of this version has not: nothing of it was taken",
			at_statement_text(statement, 0), name);
	}
	return status;
}

/* Winners. The rules of record/merge.h decide which one stands; it must have the
   highest id. Nothing refers to a winner by id, so a winner that is to stand is added
   again under a new id. */

/* ---- two winners that never met in finals ---------------------------------------- */

static const char get[] =
	"SELECT id" AT_WINNER_COLUMNS(AT_COLUMN_NAME) " FROM crowns WHERE id = ?";

/* A time in the future, from a wrong clock, becomes 0. */
static enum at_status read_winner(
	struct merger *self, int64_t id, struct at_winner *out, struct at_error *err)
{
	bool found;
	enum at_status status = at_store_read_first(self->store, &at_table_crowns,
		at_sqlite_bound(self->to, get, AT_VALUES(AT_INTEGER(id))), out, NULL,
		&found, err);

	if (out->created_seconds > self->latest_seconds)
		out->created_seconds = 0;
	return status;
}

/* Whether b, the other record's winner, replaces a. */
static bool takes_over(const struct at_winner *a, const struct at_winner *b)
{
	bool is_withdrawn = at_verification_is_withdrawn(a);

	/* a winner that was found wrong loses only to a newer one, verified or not */
	if (is_withdrawn != at_verification_is_withdrawn(b))
		return is_withdrawn ? b->created_seconds > a->created_seconds
				    : b->created_seconds >= a->created_seconds;
	if (a->is_unverified != b->is_unverified)
		return a->is_unverified;
	/* comparable measurements */
	if (a->objective && a->objective == b->objective &&
		(*a->source_hash || *a->toolchain || *a->driver) &&
		!strcmp(a->source_hash, b->source_hash) &&
		!strcmp(a->toolchain, b->toolchain) && !strcmp(a->driver, b->driver) &&
		a->score.value != b->score.value)
		return at_objective_better(
			a->objective, b->score.value, a->score.value);
	return b->created_seconds > a->created_seconds;
}

static enum at_status compare_winners(struct merger *self, int64_t here_id,
	int64_t other_id, bool *other_stands, struct at_error *err)
{
	struct at_winner here = { 0 }, other = { 0 };
	enum at_status status = read_winner(self, here_id, &here, err);

	if (!status)
		status = read_winner(self, other_id, &other, err);
	*other_stands = !status && takes_over(&here, &other);
	at_winner_release(&here);
	at_winner_release(&other);
	return status;
}

/* ---- each device, space and problem ---------------------------------------- */

/* Makes a winner the last one. */
static const char make_last[] =
	"UPDATE crowns SET id = (SELECT max(id) + 1 FROM crowns) WHERE id = ?";

/* ?4: the highest id. Members of portfolios do not compete. */
static const char find_last[] =
	"SELECT max(id) FROM crowns WHERE device_id = ?1 AND space = ?2 AND problem = ?3"
	" AND portfolio_id IS NULL AND id <= ?4";

static const char list_last[] =
	"SELECT device_id, space, problem, max(id) FROM crowns WHERE portfolio_id IS NULL"
	" GROUP BY device_id, space, problem";

static enum at_status read_last(struct merger *self, const struct at_statement *place,
	int64_t highest, int64_t *id, struct at_error *err)
{
	int64_t device_id = find_link(&self->devices, at_statement_integer(place, 0));

	return at_statement_find(at_sqlite_bound(self->to, find_last,
					 AT_VALUES(AT_INTEGER(device_id),
						 AT_STRING(at_statement_text(place, 1)),
						 AT_STRING(at_statement_text(place, 2)),
						 AT_INTEGER(highest))),
		id, NULL, err);
}

static enum at_status settle_all(struct merger *self, struct at_error *err)
{
	struct at_statement *place = at_sqlite_cached(self->from, list_last);
	enum at_status status = AT_OK;

	while (at_statement_next(place, &status, err)) {
		/* standing winners of both records, by their ids here */
		int64_t here, standing, last = 0;
		int64_t other =
			find_link(&self->winners, at_statement_integer(place, 3));
		bool other_stands = true, here_is_known = false;

		status = read_last(self, place, self->last_winner, &here, err);
		for (size_t i = 0; i < self->winners.count; i++)
			here_is_known |= self->winners.items[i].to == here;
		/* this record has the other's winner and a later one, which beat it */
		if (here && other <= self->last_winner)
			other_stands = false;
		else if (!status && here && !here_is_known)
			status = compare_winners(self, here, other, &other_stands, err);
		if (!status)
			status = read_last(self, place, INT64_MAX, &last, err);
		standing = other_stands ? other : here;
		self->merged->standing += other_stands;
		if (!status && standing != last)
			status = at_statement_run(
				at_sqlite_bound(self->to, make_last,
					AT_VALUES(AT_INTEGER(standing))),
				err);
	}
	return status;
}

/* ---- all tables ------------------------------------------------------------ */

/* What may have happened to a row since its last merge: a run ended; counters were
   read; a winner was explained, or won finals again. */
static const struct {
	const struct at_table *table;
	const char *sql; /* ?1: the id here; then these columns there: */
	const char *columns[3];
} completions[] = {
	{ &at_table_runs,
		"UPDATE runs SET ended_seconds = ?2, ending = ?3 WHERE id = ?1"
		" AND ended_seconds IS NULL AND ?2 IS NOT NULL",
		{ "ended_seconds", "ending" } },
	{ &at_table_evaluations,
		"UPDATE evaluations SET counters = ?2 WHERE id = ?1"
		" AND counters = ''",
		{ "counters" } },
	{ &at_table_crowns,
		"UPDATE crowns SET gains = CASE gains WHEN '' THEN ?2 ELSE gains END,"
		/* met: the list of the later finals. If it is the wrong one, the next
		   run repeats finals against the missing candidates, which only costs
		   time. */
		" met = CASE WHEN ?3 > stood_seconds THEN ?4 ELSE met END,"
		" stood_seconds = max(stood_seconds, ?3)"
		" WHERE id = ?1 AND portfolio_id IS NULL",
		{ "gains", "stood_seconds", "met" } },
};

static enum at_status complete(
	const struct walk *walk, struct merger *self, int64_t id, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < AT_COUNT_OF(completions) && !status; i++) {
		const char *const *columns = completions[i].columns;
		struct at_statement *statement;

		if (completions[i].table != walk->table)
			continue;
		statement = at_sqlite_bound(
			self->to, completions[i].sql, AT_VALUES(AT_INTEGER(id)));
		for (int k = 0; k < 3 && columns[k]; k++)
			at_statement_bind_column(statement, k + 2, walk->select,
				column_of(walk, columns[k]));
		status = at_statement_run(statement, err);
	}
	return status;
}

static enum at_status put_row(struct merger *self, struct walk *walk,
	struct at_merge_count *count, struct links *links, struct at_error *err)
{
	bool is_new = false;
	int64_t id = 0;
	enum at_status status = put_current(walk, self, count, &id, &is_new, err);

	if (!status && links)
		add_link(links, at_statement_integer(walk->select, 0), id);
	return status || is_new ? status : complete(walk, self, id, err);
}

/* Finds or adds a device. The slug does not identify it: another device may have it in
   either record. A device that is already here stays unchanged. */
static enum at_status put_device(
	struct merger *self, int64_t from, struct at_error *err)
{
	struct at_merge_count *count = &self->merged->devices;
	struct at_record_device device;
	enum at_status status = at_store_get_device(self->other, from, &device, err);
	int64_t id = 0;

	if (status)
		return status;
	status = at_store_match_device(self->store, &device, &id, err);
	if (!status && id) {
		count->known++;
	} else if (!status) {
		status = at_store_put_device(self->store, &device, &id, err);
		count->added++;
	}
	at_record_device_release(&device);
	if (!status)
		add_link(&self->devices, from, id);
	return status;
}

/* Tables in an order that puts rows before references to them. */
static enum at_status put_all(struct merger *self, struct at_error *err)
{
	struct at_merged *merged = self->merged;
	const struct {
		const struct at_table *table;
		const char *order;
		struct at_merge_count *count;
		struct links *links; /* NULL: nothing refers to the table */
	} steps[] = {
		{ &at_table_devices, "id", &merged->devices, NULL },
		{ &at_table_runs, "id", &merged->runs, &self->runs },
		{ &at_table_sources, "id", &merged->sources, NULL },
		{ &at_table_evaluations, "id", &merged->evaluations,
			&self->evaluations },
		{ &at_table_portfolios, "id", &merged->portfolios, &self->portfolios },
		{ &at_table_crowns, "id", &merged->winners, &self->winners },
		{ &at_table_ceilings, "id", &merged->ceilings, NULL },
		{ &at_table_revisits, "created_seconds, id", &merged->revisits, NULL },
		{ &at_table_counterexamples, "id", &merged->counterexamples, NULL },
	};
	enum at_status status = at_sqlite_integer(self->to,
		"SELECT ifnull(max(id), 0) FROM crowns", &self->last_winner, err);

	for (size_t i = 0; i < AT_COUNT_OF(steps) && !status; i++) {
		const struct at_table *table = steps[i].table;
		struct walk walk;

		status = begin_walk(&walk, self, table, steps[i].order, err);
		while (at_statement_next(walk.select, &status, err)) {
			status = check_row(self, &walk, err);
			if (!status && table == &at_table_devices)
				status = put_device(self,
					at_statement_integer(walk.select, 0), err);
			else if (!status)
				status = put_row(self, &walk, steps[i].count,
					steps[i].links, err);
		}
		at_statement_free(walk.select);
		at_statement_free(walk.same);
		at_statement_free(walk.insert);
	}
	return status ? status : settle_all(self, err);
}

enum at_status at_store_merge(struct at_store *self, const char *path,
	const char *origin, struct at_merged *out, struct at_error *err)
{
	struct merger merger = {
		.store = self,
		.to = self->database,
		.origin = origin,
		.merged = out,
		.latest_seconds = at_clock_latest_seconds(at_clock_wall_seconds()),
		.path = path,
	};
	enum at_status status = open_source(self, path, &merger.other, err);
	int64_t seconds;
	bool found;

	memset(out, 0, sizeof(*out));
	if (merger.other)
		merger.from = merger.other->database;
	/* If the clock there was ahead and is right again, the times in the future are
	   known to be wrong, not the clock here; otherwise no other machine could ever
	   merge them. */
	if (!status)
		status = at_statement_find(
			at_sqlite_cached(merger.from,
				"SELECT started_seconds FROM runs ORDER BY id DESC LIMIT 1"),
			&seconds, &found, err);
	merger.redates = !status && found && seconds <= merger.latest_seconds;
	if (!status)
		status = at_sqlite_begin(self->database, err);
	if (!status)
		status = put_all(&merger, err);
	/* last, so that nothing is read after the check */
	if (!status)
		status = at_store_check_foreign(merger.other, err);
	status = at_sqlite_end(self->database, status, err);
	if (status)
		memset(out, 0, sizeof(*out));
	free(merger.devices.items);
	free(merger.runs.items);
	free(merger.evaluations.items);
	free(merger.portfolios.items);
	free(merger.winners.items);
	at_store_close(merger.other);
	return status;
}
