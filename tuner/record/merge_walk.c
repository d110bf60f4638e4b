/* Walks through the rows of another record, and finds or adds each in this one. */
#include "record/merge_internal.h"

#include "base/memory.h"
#include "base/outcome.h"

#include <inttypes.h>
#include <string.h>

/* ---- ids here and there --------------------------------------------------------- */

/* The link of the row `from`; NULL: there is none. */
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

int64_t at_merge_link_find(const struct at_merge_links *self, int64_t from)
{
	const struct at_merge_link *link = find_link(self, from);

	return link ? link->to : 0;
}

void at_merge_link_add(struct at_merge_links *self, int64_t from, int64_t to)
{
	AT_GROW(self->items, self->capacity, self->count + 1);

	self->items[self->count++] = (struct at_merge_link){ from, to };
}

/* ---- one value --------------------------------------------------------------- */

void at_merge_check_release(struct at_merge_check *self)
{
	for (size_t i = 0; i < AT_COUNT_OF(self->last); i++)
		at_strbuf_release(&self->last[i]);
}

void at_merge_check_begin(struct at_merge_check *self)
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

enum at_status at_merge_check_row(struct at_merge_check *self,
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

enum at_status at_merge_walk_begin(struct at_merge_walk *self, struct at_merger *merger,
	const struct at_table *table, const char *order, struct at_error *err)
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

void at_merge_walk_end(struct at_merge_walk *self)
{
	at_statement_free(self->select);
	at_statement_free(self->same);
	at_statement_free(self->insert);
	for (size_t i = 0; i < AT_COUNT_OF(self->texts); i++)
		at_strbuf_release(&self->texts[i]);
	*self = (struct at_merge_walk){ 0 };
}

enum at_status at_merge_walk_next(struct at_merge_walk *self, struct at_merger *merger,
	bool *row, struct at_error *err)
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

enum at_status at_merge_walk_put(struct at_merge_walk *self, struct at_merger *merger,
	struct at_merge_count *count, int64_t *id, bool *is_new, struct at_error *err)
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
