/* Merges another record table by table: record/merge.h says which rows are equal and
   which winner stands. */
#include "record/merge.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/objective.h"
#include "base/outcome.h"
#include "base/scratch.h"
#include "record/cell.h"
#include "record/verification.h"
#include "record/store.h"
#include "record/store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a check remembers from row to row, since the same long JSON texts come again and
   again. */
struct at_merge_check {
	const char *path; /* of the other record, for errors */
	int64_t latest_seconds; /* a row with a later time is refused */
	/* Rows with a later time get another one (write_time()) instead: the other
	   record's last run has none, so its clock was right again. */
	bool redates;
	/* by column: the JSON text of the row before, which was found to be right */
	struct at_strbuf last[48];
};

/* The other record while it is read. */
struct at_merge_source {
	struct at_sqlite *database;
	char *path; /* as the caller gave it */
	/* holds the copy that is read; path "": the record is read where it lies */
	struct at_scratch folder;
	struct stat seen; /* the file when it was opened */
};

/* The id of a row in the other record, and its id in this one. */
struct at_merge_link {
	int64_t from;
	int64_t to; /* 0: not known yet */
};

/* sorted by `from` */
struct at_merge_links {
	struct at_merge_link *items;
	size_t count;
	size_t capacity;
};

/* A merge: the store that takes the rows, and how ids translate. */
struct at_merger {
	struct at_store *store;
	struct at_sqlite *from; /* the other record */
	struct at_sqlite *to; /* the store's own database */
	const char *origin; /* as at_store_merge() has it */
	struct at_merge_check check;
	struct at_merge_links devices;
	struct at_merge_links runs;
	struct at_merge_links evaluations; /* only those that winners refer to */
	struct at_merge_links portfolios;
	struct at_merged *merged; /* the counts, the caller's */
};

/* A walk through one table of the other record. Zeroed it is empty. */
struct at_merge_walk {
	const struct at_table *table;
	struct at_statement *select; /* rows of the other record */
	struct at_statement *same; /* finds the same row in this record */
	struct at_statement *insert; /* adds the row to this record */
	struct at_strbuf texts[3]; /* the SQL of the three */
};

/* ---- ids here and there --------------------------------------------------------- */

/* The link of the row `from`; NULL: none exists. */
static struct at_merge_link *find_link(const struct at_merge_links *self, int64_t from)
{
	size_t low = 0, high = self->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (self->items[middle].from == from)
			return &self->items[middle];
		if (self->items[middle].from < from)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static int64_t at_merge_link_find(const struct at_merge_links *self, int64_t from)
{
	const struct at_merge_link *link = find_link(self, from);

	return link ? link->to : 0;
}

static void at_merge_link_add(struct at_merge_links *self, int64_t from, int64_t to)
{
	AT_GROW(self->items, self->capacity, self->count + 1);

	self->items[self->count++] = (struct at_merge_link){ from, to };
}

/* ---- one value --------------------------------------------------------------- */

static void at_merge_check_release(struct at_merge_check *self)
{
	for (size_t i = 0; i < AT_COUNT_OF(self->last); i++)
		at_strbuf_release(&self->last[i]);
}

static void at_merge_check_begin(struct at_merge_check *self)
{
	for (size_t i = 0; i < AT_COUNT_OF(self->last); i++)
		at_strbuf_clear(&self->last[i]);
}

/* Whether the value equals the one in the row before, which was checked: the same long
   JSON texts come again and again. */
static bool is_last(
	struct at_merge_check *self, const struct at_statement *row, int column)
{
	struct at_strbuf *last = &self->last[(size_t)column % AT_COUNT_OF(self->last)];
	size_t size;
	const void *text = at_statement_bytes(row, column, &size);

	if (text && size && size == last->length && !memcmp(text, last->data, size))
		return true;
	at_strbuf_clear(last);
	at_strbuf_add_bytes(last, text ? text : "", text ? size : 0);
	return false;
}

/* NULL, or what is wrong with the value. */
static const char *check_value(struct at_merge_check *self,
	const struct at_statement *row, int column, enum at_cell kind)
{
	bool is_json = kind == AT_CELL_JSON || kind == AT_CELL_LAUNCH ||
		       kind == AT_CELL_OPTIONS;
	const char *wrong;

	if (is_json && at_statement_type(row, column) == AT_SQLITE_TEXT &&
		is_last(self, row, column))
		return NULL;
	wrong = at_cell_check(row, column, kind);
	/* a wrong value ends the merge, so is_last() may have kept it */
	if (wrong || (kind != AT_CELL_SECONDS && kind != AT_CELL_SECONDS_OR_NULL))
		return wrong;
	return at_statement_integer(row, column) > self->latest_seconds
		       ? "is in the future: the clock there, or here, is wrong"
		       : NULL;
}

/* ---- one row ------------------------------------------------------------------- */

static enum at_status fail_row(const struct at_merge_check *self,
	const struct at_table *table, const struct at_statement *row,
	const char *column, const char *wrong, struct at_error *err)
{
	return at_fail(err, AT_EINVAL, self->path, 0,
		"%s %" PRId64 ": \"%s\" %s; nothing of it was taken", table->name,
		at_statement_integer(row, 0), column, wrong);
}

static enum at_status at_merge_check_row(struct at_merge_check *self,
	const struct at_table *table, const struct at_statement *row,
	struct at_error *err)
{
	for (size_t i = 0; i < table->count; i++) {
		const char *wrong =
			check_value(self, row, (int)i + 1, table->columns[i].kind);

		if (wrong)
			return fail_row(
				self, table, row, table->columns[i].name, wrong, err);
	}
	if (table == &at_table_evaluations) {
		int outcome = (int)at_table_column(table, "outcome") + 1;
		int time = (int)at_table_column(table, "time_ns") + 1;

		/* readers rely on this */
		if (!strcmp(at_statement_text(row, outcome),
			    at_outcome_name(AT_OUTCOME_OK)) &&
			!(at_statement_real(row, time) > 0))
			return fail_row(self, table, row, "time_ns",
				"is not known, and it is ok", err);
	}
	return AT_OK;
}

/* ---- walking through a table ------------------------------------------------------
 */

static bool may_be_null(enum at_cell kind)
{
	return kind == AT_CELL_REAL || kind == AT_CELL_SAMPLES ||
	       kind == AT_CELL_PORTFOLIO;
}

/* The run to which a row belongs, as SQL; NULL: that is not recorded. */
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

/*
 * Appends a column that is a time. One of the future becomes the start of the row's
 * run, or of the last run before it whose start can be right, or 0: always the same, so
 * that a record can be merged again. The order of the rows stays that of what is
 * recorded.
 */
static void write_time(const struct at_table *table, const char *name,
	int64_t latest_seconds, struct at_strbuf *out)
{
	const char *run = run_of(table);

	at_strbuf_addf(out, "CASE WHEN %s > %" PRId64 " THEN ", name, latest_seconds);
	if (run)
		at_strbuf_addf(out,
			"coalesce((SELECT r.started_seconds FROM runs AS r WHERE r.id <= %s"
			" AND r.started_seconds <= %" PRId64
			" ORDER BY r.id DESC LIMIT 1), 0)",
			run, latest_seconds);
	else
		at_strbuf_add_char(out, '0');
	at_strbuf_addf(out, " ELSE %s END", name);
}

static void write_statements(struct at_merge_walk *self,
	const struct at_merge_check *check, const char *order)
{
	const struct at_table *table = self->table;
	struct at_strbuf *select = &self->texts[0], *same = &self->texts[1],
			 *insert = &self->texts[2];
	bool is_first = true;

	at_strbuf_add(select, "SELECT id");
	at_strbuf_addf(same, "SELECT id FROM %s WHERE ", table->name);
	at_strbuf_addf(insert, "INSERT INTO %s (", table->name);
	for (size_t i = 0; i < table->count; i++) {
		const struct at_column *column = &table->columns[i];

		at_strbuf_add(select, ", ");
		if (check->redates && (column->kind == AT_CELL_SECONDS ||
					      column->kind == AT_CELL_SECONDS_OR_NULL))
			write_time(table, column->name, check->latest_seconds, select);
		else
			at_strbuf_add(select, column->name);
		at_strbuf_addf(insert, "%s%s", i ? ", " : "", column->name);
		if (!column->is_same)
			continue;
		/* "IS" finds NULL too, but only with "=" does every version of SQLite
		   use an index */
		at_strbuf_addf(same, "%s%s %s ?%zu", is_first ? "" : " AND ",
			column->name, may_be_null(column->kind) ? "IS" : "=", i + 1);
		is_first = false;
	}
	at_strbuf_addf(select, " FROM %s ORDER BY %s", table->name, order);
	at_strbuf_add(insert, ") VALUES (");
	for (size_t i = 0; i < table->count; i++)
		at_strbuf_addf(insert, "%s?%zu", i ? ", " : "", i + 1);
	at_strbuf_add_char(insert, ')');
}

static enum at_status at_merge_walk_begin(struct at_merge_walk *self,
	struct at_merger *merger, const struct at_table *table, const char *order,
	struct at_error *err)
{
	struct at_statement **const statements[] = { &self->select, &self->same,
		&self->insert };
	enum at_status status = AT_OK;

	*self = (struct at_merge_walk){ .table = table };
	write_statements(self, &merger->check, order);
	for (size_t i = 0; i < AT_COUNT_OF(statements) && !status; i++)
		status = at_sqlite_prepare(i ? merger->to : merger->from,
			at_strbuf_text(&self->texts[i]), statements[i], err);
	at_merge_check_begin(&merger->check);
	return status;
}

static void at_merge_walk_end(struct at_merge_walk *self)
{
	at_statement_free(self->select);
	at_statement_free(self->same);
	at_statement_free(self->insert);
	for (size_t i = 0; i < AT_COUNT_OF(self->texts); i++)
		at_strbuf_release(&self->texts[i]);
	*self = (struct at_merge_walk){ 0 };
}

static enum at_status at_merge_walk_next(struct at_merge_walk *self,
	struct at_merger *merger, bool *row, struct at_error *err)
{
	enum at_status status = at_statement_step(self->select, row, err);

	if (status || !*row)
		return status;
	return at_merge_check_row(&merger->check, self->table, self->select, err);
}

static enum at_status fail_link(const struct at_merge_walk *self,
	const struct at_merger *merger, const char *column, struct at_error *err)
{
	return at_fail(err, AT_EINVAL, merger->check.path, 0,
		"%s %" PRId64
		": \"%s\" names a row that is not there; nothing of it was taken",
		self->table->name, at_statement_integer(self->select, 0), column);
}

/* Binds a value of the current row, with ids translated to those of this record. */
static enum at_status bind(struct at_merge_walk *self, struct at_merger *merger,
	struct at_statement *to, size_t index, struct at_error *err)
{
	const struct at_column *column = &self->table->columns[index];
	const struct at_merge_links *links = &merger->evaluations;
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
	id = at_merge_link_find(links, at_statement_integer(self->select, place));
	if (!id)
		return fail_link(self, merger, column->name, err);
	at_statement_bind_integer(to, place, id);
	return AT_OK;
}

static enum at_status at_merge_walk_put(struct at_merge_walk *self,
	struct at_merger *merger, struct at_merge_count *count, int64_t *id,
	bool *is_new, struct at_error *err)
{
	const struct at_table *table = self->table;
	enum at_status status = AT_OK;
	bool row = false;

	for (size_t i = 0; i < table->count && !status; i++)
		if (table->columns[i].is_same)
			status = bind(self, merger, self->same, i, err);
	if (!status)
		status = at_statement_step(self->same, &row, err);
	if (!status && row)
		*id = at_statement_integer(self->same, 0);
	at_statement_reset(self->same);
	*is_new = !row;
	if (status)
		return status;
	if (row) {
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

/* ---- the other record
 * ---------------------------------------------------------------- */

/* how often copying is tried: a busy log is folded every few seconds at most */
#define TRIES 5
#define COPY_BYTES ((size_t)1 << 20)

static const char *const companions[] = { "-wal", "-journal" };

static char *joined(const char *path, const char *ending)
{
	struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "%s%s", path, ending);
	return at_strbuf_detach(&text);
}

static enum at_status fail_errno(
	struct at_error *err, const char *path, const char *what)
{
	return at_fail(err, errno == ENOENT ? AT_ENOENT : AT_EIO, path, 0,
		"cannot %s: %s", what, strerror(errno));
}

static bool is_same_state(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* ---- copying -------------------------------------------------------------------- */

static enum at_status copy_bytes(
	int from, int to, const char *path, struct at_error *err)
{
	char *buffer = at_malloc(COPY_BYTES);
	enum at_status status = AT_OK;

	while (!status) {
		ssize_t got = read(from, buffer, COPY_BYTES);

		if (!got)
			break;
		if (got < 0 && errno != EINTR)
			status = fail_errno(err, path, "read it");
		for (ssize_t put, at = 0; at < got && !status; at += put) {
			put = write(to, buffer + at, (size_t)(got - at));
			if (put < 0 && errno != EINTR)
				status = at_fail(err, AT_EIO, path, 0,
					"cannot make a copy to read it from: %s; set TMPDIR to a folder with room for it",
					strerror(errno));
			put = put < 0 ? 0 : put;
		}
	}
	free(buffer);
	return status;
}

/* Copies a file; one that does not exist is skipped. */
static enum at_status copy_file(const char *path, const char *to, struct at_error *err)
{
	uint64_t size;
	int source, target;
	enum at_status status = AT_OK;

	if (at_file_may_exist(path))
		status = at_file_open(path, &source, &size, err);
	else
		return AT_OK;
	if (status)
		return status;
	target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (target < 0) {
		status = fail_errno(err, to, "write it");
		goto close_source;
	}
	status = copy_bytes(source, target, path, err);
	if (close(target) < 0 && !status)
		status = fail_errno(err, to, "write it");
close_source:
	close(source);
	return status;
}

/* Copies the companion of path to that of `to`. */
static enum at_status copy_companion(
	const char *path, const char *to, const char *ending, struct at_error *err)
{
	char *source = joined(path, ending), *target = joined(to, ending);
	enum at_status status = AT_OK;

	if (unlink(target) < 0 && errno != ENOENT)
		status = fail_errno(err, target, "write it");
	if (!status)
		status = copy_file(source, target, err);
	free(source);
	free(target);
	return status;
}

static enum at_status copy_all(
	struct at_merge_source *self, const char *to, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (int i = 0; i < TRIES && !status; i++) {
		struct stat after;

		if (stat(self->path, &self->seen) < 0)
			return fail_errno(err, self->path, "read it");
		status = copy_file(self->path, to, err);
		for (size_t k = 0; k < AT_COUNT_OF(companions) && !status; k++)
			status = copy_companion(self->path, to, companions[k], err);
		if (!status && stat(self->path, &after) < 0)
			status = fail_errno(err, self->path, "read it");
		if (!status && is_same_state(&self->seen, &after))
			return AT_OK;
	}
	return status ? status
		      : at_fail(err, AT_EIO, self->path, 0,
				"is written to all the time: import it when its run has ended");
}

/* Opens a file without writers; at_merge_source_check() finds out if a
   process writes to it. */
static enum at_status open_still(
	const char *path, struct at_sqlite **out, struct at_error *err)
{
	return at_sqlite_open_reading(path, true, out, err);
}

/* Makes a copy in a folder of its own, brings it up to date, and opens it. */
static enum at_status open_copy(struct at_merge_source *self, struct at_error *err)
{
	struct at_store copy = { .is_foreign = true };
	struct at_error reason = { 0 };
	char *path = NULL;
	bool is_current;
	enum at_status status =
		at_scratch_make(&self->folder, "autotune-import", &reason);

	if (status)
		return at_fail(err, status, reason.file, 0, "for a copy of %s: %s",
			self->path, reason.text);
	path = at_path_join(self->folder.path, "autotune.db");
	status = copy_all(self, path, err);
	if (!status)
		status = at_sqlite_open(path, &copy.database, err);
	/* this folds the log into the copy, which is then read without a log */
	if (!status)
		status = at_store_check(&copy, &is_current, err);
	if (!status && !is_current)
		status = at_store_migrate(&copy, err);
	if (!status)
		status = at_sqlite_execute(
			copy.database, "PRAGMA journal_mode = DELETE", err);
	at_sqlite_close(copy.database);
	if (!status)
		status = open_still(path, &self->database, err);
	free(path);
	return status;
}

/* ---- opening ----------------------------------------------------------------------
 */

/* *found: whether a companion holds something that the database itself does not have
   yet. */
static void find_log(const char *path, bool *found)
{
	*found = false;
	for (size_t i = 0; i < AT_COUNT_OF(companions) && !*found; i++) {
		char *name = joined(path, companions[i]);
		struct stat facts;

		*found = at_file_may_exist(name) &&
			 (stat(name, &facts) < 0 || facts.st_size > 0);
		free(name);
	}
}

/* AT_EINVAL where there are other tables, or views or triggers, whose effects are
   unknown. */
static enum at_status check_tables(struct at_merge_source *self, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status;
	bool row;

	status = at_sqlite_prepare(self->database,
		"SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view', 'trigger')",
		&statement, err);
	if (status)
		return status;
	while (!(status = at_statement_step(statement, &row, err)) && row) {
		const char *name = at_statement_text(statement, 1);
		size_t i = 0;

		while (at_tables[i] && strcmp(at_tables[i]->name, name) != 0)
			i++;
		/* Claims are of no interest here, and the paths of space files are
		   valid on their own machine only: these tables are not merged. */
		if (at_tables[i] || !strncmp(name, "sqlite_", 7) ||
			((!strcmp(name, "claims") || !strcmp(name, "spaces")) &&
				!strcmp(at_statement_text(statement, 0), "table")))
			continue;
		status = at_fail(err, AT_EINVAL, self->path, 0,
			"has a %s \"%.60s\", which a record of this version has not: nothing of it was taken",
			at_statement_text(statement, 0), name);
		break;
	}
	at_statement_free(statement);
	return status;
}

/* Errors name the record and not its copy, which the user has never heard of. */
static enum at_status renamed(struct at_merge_source *self, enum at_status status,
	const struct at_error *own, struct at_error *err)
{
	if (!status)
		return AT_OK;
	if (!self->folder.path[0] ||
		strncmp(own->file, self->folder.path, strlen(self->folder.path)) != 0)
		return at_fail(err, status, own->file, own->line, "%s", own->text);
	return at_fail(err, status, self->path, 0, "%s", own->text);
}

static enum at_status at_merge_source_open(struct at_merge_source *self,
	const struct at_store *store, const char *path, struct at_error *err)
{
	struct at_store other = { .is_foreign = true };
	struct at_error own = { 0 };
	enum at_status status = AT_OK;
	bool is_current = false, has_log;
	struct stat here;

	memset(self, 0, sizeof(*self));
	self->path = at_strdup(path);
	if (stat(path, &self->seen) < 0)
		return fail_errno(err, path, "read it");
	if (!stat(at_sqlite_path(store->database), &here) &&
		here.st_dev == self->seen.st_dev && here.st_ino == self->seen.st_ino)
		return at_fail(err, AT_EINVAL, path, 0,
			"is the record that it should be merged into");
	find_log(path, &has_log);
	if (!has_log) {
		status = open_still(path, &other.database, &own);
		if (!status)
			status = at_store_check(&other, &is_current, &own);
		self->database = other.database;
	}
	if (!status && !is_current) {
		at_sqlite_close(self->database);
		self->database = NULL;
		status = open_copy(self, &own);
	}
	if (!status)
		status = check_tables(self, &own);
	return renamed(self, status, &own, err);
}

static enum at_status at_merge_source_check(
	const struct at_merge_source *self, struct at_error *err)
{
	struct stat now;

	/* a copy cannot change */
	if (self->folder.path[0])
		return AT_OK;
	if (stat(self->path, &now) < 0)
		return fail_errno(err, self->path, "read it");
	if (is_same_state(&self->seen, &now))
		return AT_OK;
	return at_fail(err, AT_EINVAL, self->path, 0,
		"was written to while it was read: import it again; nothing of it was taken");
}

static void at_merge_source_close(struct at_merge_source *self)
{
	at_sqlite_close(self->database);
	at_scratch_remove(&self->folder);
	free(self->path);
	memset(self, 0, sizeof(*self));
}

/* ---- winners
   -------------------------------------------------------------------------- Which of
   them stand follows the rules in record/merge.h. The winner with the highest id
   stands. Nothing refers to a winner by its id, so one that is to stand without being
   the last is added again under a new id. */

/* Winners of one device, space and problem; they come one after the other. */
struct place {
	int64_t device_id;
	struct at_strbuf space;
	struct at_strbuf problem;
	int64_t here; /* the winner that stood here before; 0: none */
	bool here_is_known; /* the other record has that winner, too */
	int64_t other; /* the winner that stands in the other record, by its id here */
	bool other_is_new; /* this record did not have it */
};

static const char find_last[] =
	"SELECT max(id) FROM crowns WHERE device_id = ?1 AND space = ?2 AND problem = ?3"
	" AND portfolio_id IS NULL";

static enum at_status read_last(struct at_merger *self, const struct place *place,
	int64_t *id, struct at_error *err)
{
	bool found;

	return at_statement_find(
		at_sqlite_bound(self->to, find_last,
			AT_VALUES(AT_INTEGER(place->device_id),
				AT_STRING(at_strbuf_text(&place->space)),
				AT_STRING(at_strbuf_text(&place->problem)))),
		id, &found, err);
}

/* ---- two selects that never met in finals ---------------------------------------- */

/* What decides between two of them. */
struct claim {
	bool is_unverified;
	bool is_withdrawn;
	int64_t created_seconds; /* 0: it is in the future, by a wrong clock */
	const struct at_objective *objective;
	double value;
	struct at_strbuf origin; /* source, compiler, driver */
};

static const char read_claim_of[] =
	"SELECT is_unproved, created_seconds, objective, value, source_hash, toolchain,"
	" driver, proof FROM crowns WHERE id = ?";

static enum at_status read_claim(
	struct at_merger *self, int64_t id, struct claim *out, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status;
	char *verification;
	bool row;

	statement = at_sqlite_bound(self->to, read_claim_of, AT_VALUES(AT_INTEGER(id)));
	status = at_statement_step(statement, &row, err);
	if (!status && row) {
		out->is_unverified = at_statement_integer(statement, 0) != 0;
		out->created_seconds = at_statement_integer(statement, 1);
		if (out->created_seconds > self->check.latest_seconds)
			out->created_seconds = 0;
		out->objective = at_objective_find(at_statement_text(statement, 2));
		out->value = at_statement_is_null(statement, 3)
				     ? (double)NAN
				     : at_statement_real(statement, 3);
		for (int i = 4; i < 7; i++)
			at_strbuf_addf(
				&out->origin, "%s\n", at_statement_text(statement, i));
		verification = at_strdup(at_statement_text(statement, 7));
		out->is_withdrawn = at_verification_is_withdrawn(
			&(struct at_winner){ .is_unverified = out->is_unverified,
				.verification = verification });
		free(verification);
	}
	at_statement_reset(statement);
	return status;
}

/* Whether b, the other record's winner, takes the place of a. */
static bool takes_over(const struct claim *a, const struct claim *b)
{
	bool is_alike = a->objective && a->objective == b->objective &&
			a->origin.length > 3 &&
			!strcmp(at_strbuf_text(&a->origin), at_strbuf_text(&b->origin));

	/* a winner that was found to be wrong loses only to a newer one, verified or
	   not */
	if (a->is_withdrawn != b->is_withdrawn)
		return a->is_withdrawn ? b->created_seconds > a->created_seconds
				       : b->created_seconds >= a->created_seconds;
	if (a->is_unverified != b->is_unverified)
		return a->is_unverified;
	if (is_alike && a->value != b->value)
		return at_objective_better(a->objective, b->value, a->value);
	return b->created_seconds > a->created_seconds;
}

static enum at_status compare_claims(struct at_merger *self, const struct place *place,
	bool *other_stands, struct at_error *err)
{
	struct claim here = { 0 }, other = { 0 };
	enum at_status status = read_claim(self, place->here, &here, err);

	if (!status)
		status = read_claim(self, place->other, &other, err);
	*other_stands = !status && takes_over(&here, &other);
	at_strbuf_release(&here.origin);
	at_strbuf_release(&other.origin);
	return status;
}

/* ---- one device, space and problem after the other ------------------------------ */

/* Makes a winner the last one, by adding it again and removing the old row. */
static enum at_status add_again(
	struct at_merger *self, int64_t id, struct at_error *err)
{
	const struct at_table *table = &at_table_crowns;
	struct at_strbuf columns = { 0 }, text = { 0 };
	enum at_status status;

	for (size_t i = 0; i < table->count; i++)
		at_strbuf_addf(&columns, "%s%s", i ? ", " : "", table->columns[i].name);
	at_strbuf_addf(&text,
		"INSERT INTO crowns (%s) SELECT %s FROM crowns WHERE id = %lld;"
		"DELETE FROM crowns WHERE id = %lld",
		at_strbuf_text(&columns), at_strbuf_text(&columns), (long long)id,
		(long long)id);
	status = at_sqlite_execute(self->to, at_strbuf_text(&text), err);
	at_strbuf_release(&columns);
	at_strbuf_release(&text);
	return status;
}

static enum at_status end_place(
	struct at_merger *self, struct place *place, struct at_error *err)
{
	enum at_status status = AT_OK;
	bool other_stands = true;
	int64_t standing, last = 0;

	if (!place->other)
		return AT_OK;
	/* this record has the other one's winner and a later one, which therefore beat
	   it */
	if (place->here && !place->other_is_new)
		other_stands = false;
	else if (place->here && !place->here_is_known)
		status = compare_claims(self, place, &other_stands, err);
	if (!status)
		status = read_last(self, place, &last, err);
	standing = other_stands ? place->other : place->here;
	self->merged->standing += other_stands;
	if (!status && standing != last)
		status = add_again(self, standing, err);
	return status;
}

static enum at_status begin_place(struct at_merger *self, struct place *place,
	int64_t device_id, const char *space, const char *problem, struct at_error *err)
{
	at_strbuf_clear(&place->space);
	at_strbuf_clear(&place->problem);
	at_strbuf_add(&place->space, space);
	at_strbuf_add(&place->problem, problem);
	place->device_id = device_id;
	place->here_is_known = place->other_is_new = false;
	place->other = 0;
	return read_last(self, place, &place->here, err);
}

static const char complete[] =
	"UPDATE crowns SET gains = CASE gains WHEN '' THEN ?1 ELSE gains END,"
	/*
	 * met: of the two lists the one of the later finals. If it is the wrong one,
	 * the next run holds finals against the missing candidates again, which only
	 * costs time.
	 */
	" met = CASE WHEN ?3 > stood_seconds THEN ?4 ELSE met END,"
	" stood_seconds = max(stood_seconds, ?3) WHERE id = ?2";

/* Takes over what happened to a winner since it was merged before: that it was
   explained, or won finals again. */
static enum at_status complete_winner(const struct at_merge_walk *walk,
	struct at_merger *self, int64_t id, struct at_error *err)
{
	int gains = (int)at_table_column(walk->table, "gains") + 1;
	int stood = (int)at_table_column(walk->table, "stood_seconds") + 1;
	int met = (int)at_table_column(walk->table, "met") + 1;
	struct at_statement *statement = at_sqlite_cached(self->to, complete);

	at_statement_bind_column(statement, 1, walk->select, gains);
	at_statement_bind_integer(statement, 2, id);
	at_statement_bind_column(statement, 3, walk->select, stood);
	at_statement_bind_column(statement, 4, walk->select, met);
	return at_statement_run(statement, err);
}

/* Merges the current row, which may be the first one of another place. */
static enum at_status put_winner(struct at_merge_walk *walk, struct at_merger *self,
	struct place *place, struct at_error *err)
{
	const struct at_table *table = walk->table;
	const char *space = at_statement_text(
		walk->select, (int)at_table_column(table, "space") + 1);
	const char *problem = at_statement_text(
		walk->select, (int)at_table_column(table, "problem") + 1);
	int64_t device_id = at_merge_link_find(
		&self->devices, at_statement_integer(walk->select,
					(int)at_table_column(table, "device_id") + 1));
	enum at_status status = AT_OK;
	bool is_new;
	int64_t id;

	/* members of portfolios are not in the contest for a problem's winner */
	if (!at_statement_is_null(
		    walk->select, (int)at_table_column(table, "portfolio_id") + 1))
		return at_merge_walk_put(
			walk, self, &self->merged->winners, &id, &is_new, err);
	if (device_id != place->device_id ||
		strcmp(space, at_strbuf_text(&place->space)) != 0 ||
		strcmp(problem, at_strbuf_text(&place->problem)) != 0) {
		status = end_place(self, place, err);
		if (!status)
			status = begin_place(
				self, place, device_id, space, problem, err);
	}
	if (!status)
		status = at_merge_walk_put(
			walk, self, &self->merged->winners, &id, &is_new, err);
	if (status)
		return status;
	place->other = id;
	place->other_is_new = is_new;
	place->here_is_known = place->here_is_known || id == place->here;
	return is_new ? AT_OK : complete_winner(walk, self, id, err);
}

/* ---- table after table --------------------------------------------------------------
 */

static const char end_run[] =
	"UPDATE runs SET ended_seconds = ?1, ending = ?2 WHERE id = ?3"
	" AND ended_seconds IS NULL";

/* Takes over the end of a run that was still at work when it was merged before. */
static enum at_status complete_run(const struct at_merge_walk *walk,
	struct at_merger *self, int64_t id, struct at_error *err)
{
	int ended = (int)at_table_column(walk->table, "ended_seconds") + 1;
	int ending = (int)at_table_column(walk->table, "ending") + 1;
	struct at_statement *statement;

	if (at_statement_is_null(walk->select, ended))
		return AT_OK;
	statement = at_sqlite_cached(self->to, end_run);
	at_statement_bind_column(statement, 1, walk->select, ended);
	at_statement_bind_column(statement, 2, walk->select, ending);
	at_statement_bind_integer(statement, 3, id);
	return at_statement_run(statement, err);
}

static enum at_status put_row(struct at_merger *self, struct at_merge_walk *walk,
	struct at_merge_count *count, struct at_merge_links *links,
	struct at_error *err)
{
	bool is_new;
	int64_t id;
	enum at_status status = at_merge_walk_put(walk, self, count, &id, &is_new, err);

	if (!status && links)
		at_merge_link_add(links, at_statement_integer(walk->select, 0), id);
	if (!status && !is_new && walk->table == &at_table_runs)
		status = complete_run(walk, self, id, err);
	return status;
}

/* Finds or adds a device. The slug alone does not tell which one it is: in either
   record another device may have it. A device that is here already stays as it is. */
static enum at_status put_device(
	struct at_merger *self, int64_t from, struct at_error *err)
{
	struct at_store there = { .database = self->from };
	struct at_merge_count *count = &self->merged->devices;
	struct at_record_device device;
	enum at_status status = at_store_get_device(&there, from, &device, err);
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
		at_merge_link_add(&self->devices, from, id);
	return status;
}

/* Notes the evaluations that winners refer to. Only their ids need translating, which
   is a few of perhaps a million. */
static enum at_status note_named(struct at_merger *self, struct at_error *err)
{
	static const char selected[] =
		"SELECT evaluation_id FROM crowns UNION SELECT baseline_id FROM crowns"
		" WHERE baseline_id IS NOT NULL ORDER BY 1";
	struct at_statement *statement;
	enum at_status status = AT_OK;
	bool row;

	status = at_sqlite_prepare(self->from, selected, &statement, err);
	if (status)
		return status;
	while (!(status = at_statement_step(statement, &row, err)) && row)
		at_merge_link_add(
			&self->evaluations, at_statement_integer(statement, 0), 0);
	at_statement_free(statement);
	return status;
}

static enum at_status put_evaluation(
	struct at_merger *self, struct at_merge_walk *walk, struct at_error *err)
{
	struct at_merge_link *named =
		find_link(&self->evaluations, at_statement_integer(walk->select, 0));
	bool is_new;
	int64_t id;
	enum at_status status = at_merge_walk_put(
		walk, self, &self->merged->evaluations, &id, &is_new, err);

	if (!status && named)
		named->to = id;
	return status;
}

/* Tables in an order in which references come after the rows that they refer to. */
static enum at_status put_all(struct at_merger *self, struct at_error *err)
{
	struct at_merged *merged = self->merged;
	const struct {
		const struct at_table *table;
		const char *order;
		struct at_merge_count *count;
		struct at_merge_links *links; /* NULL: nothing refers to it */
	} steps[] = {
		{ &at_table_devices, "id", &merged->devices, NULL },
		{ &at_table_runs, "id", &merged->runs, &self->runs },
		{ &at_table_sources, "id", &merged->sources, NULL },
		{ &at_table_evaluations, "id", &merged->evaluations, NULL },
		{ &at_table_portfolios, "id", &merged->portfolios, &self->portfolios },
		{ &at_table_crowns, "device_id, space, problem, id", &merged->winners,
			NULL },
		{ &at_table_ceilings, "id", &merged->ceilings, NULL },
		{ &at_table_revisits, "created_seconds, id", &merged->revisits, NULL },
		{ &at_table_counterexamples, "id", &merged->counterexamples, NULL },
	};
	struct place place = { 0 };
	enum at_status status = note_named(self, err);

	for (size_t i = 0; i < AT_COUNT_OF(steps) && !status; i++) {
		const struct at_table *table = steps[i].table;
		struct at_merge_walk walk;
		bool row = true;

		status = at_merge_walk_begin(&walk, self, table, steps[i].order, err);
		while (!status) {
			status = at_merge_walk_next(&walk, self, &row, err);
			if (status || !row)
				break;
			if (table == &at_table_devices)
				status = put_device(self,
					at_statement_integer(walk.select, 0), err);
			else if (table == &at_table_evaluations)
				status = put_evaluation(self, &walk, err);
			else if (table == &at_table_crowns)
				status = put_winner(&walk, self, &place, err);
			else
				status = put_row(self, &walk, steps[i].count,
					steps[i].links, err);
		}
		if (!status && table == &at_table_crowns)
			status = end_place(self, &place, err);
		at_merge_walk_end(&walk);
	}
	at_strbuf_release(&place.space);
	at_strbuf_release(&place.problem);
	return status;
}

/*
 * Whether the clock there was ahead and is right again, so that its times of the future
 * are known to be wrong, and not the clock here. No other machine could ever merge it.
 */
static enum at_status find_out_clock(struct at_merger *self, struct at_error *err)
{
	static const char last[] =
		"SELECT started_seconds FROM runs ORDER BY id DESC LIMIT 1";
	struct at_statement *statement;
	enum at_status status;
	bool row = false;

	status = at_sqlite_prepare(self->from, last, &statement, err);
	if (status)
		return status;
	status = at_statement_step(statement, &row, err);
	self->check.redates =
		!status && row &&
		at_statement_integer(statement, 0) <= self->check.latest_seconds;
	at_statement_free(statement);
	return status;
}

enum at_status at_store_merge(struct at_store *self, const char *path,
	const char *origin, struct at_merged *out, struct at_error *err)
{
	struct at_merge_source source;
	struct at_merger merger = {
		.store = self,
		.to = self->database,
		.origin = origin,
		.merged = out,
		.check.latest_seconds =
			at_clock_latest_seconds(at_clock_wall_seconds()),
		.check.path = path,
	};
	enum at_status status = at_merge_source_open(&source, self, path, err);

	memset(out, 0, sizeof(*out));
	merger.from = source.database;
	if (!status)
		status = find_out_clock(&merger, err);
	if (!status)
		status = at_sqlite_begin(self->database, err);
	if (!status)
		status = put_all(&merger, err);
	/* at the very end, so that nothing is read after the check */
	if (!status)
		status = at_merge_source_check(&source, err);
	if (!status)
		status = at_sqlite_commit(self->database, err);
	if (status) {
		at_sqlite_rollback(self->database);
		memset(out, 0, sizeof(*out));
	}
	at_merge_check_release(&merger.check);
	free(merger.devices.items);
	free(merger.runs.items);
	free(merger.evaluations.items);
	free(merger.portfolios.items);
	at_merge_source_close(&source);
	return status;
}
