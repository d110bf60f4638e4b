/* The nights of a kernel: adding, listing, comparing conditions. forget.c removes old
   ones. */
#include "record/history.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/evaluation_json.h"
#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>

#define NAMES AT_REVISIT_COLUMNS(AT_COLUMN_NAME)

void at_revisit_release(struct at_revisit *self)
{
	if (!self)
		return;
	at_columns_release(&at_table_revisits, self);
}

void at_revisits_release(struct at_revisits *self)
{
	for (size_t i = 0; i < self->count; i++)
		at_revisit_release(&self->items[i]);
	free(self->items);
	memset(self, 0, sizeof(*self));
}

enum at_status at_store_put_revisit(
	struct at_store *self, struct at_revisit *revisit, struct at_error *err)
{
	return at_store_insert(self, &at_table_revisits, revisit, &revisit->id, err);
}

/* ---- listing --------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const struct at_revisit *x = a, *y = b;

	if (x->created_seconds != y->created_seconds)
		return x->created_seconds < y->created_seconds ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

enum at_status at_store_revisits(struct at_store *self,
	const struct at_revisit_query *query, struct at_revisits *out,
	struct at_error *err)
{
	struct at_statement *statement = NULL;
	enum at_status status = AT_OK;
	size_t capacity = 0;
	struct at_strbuf sql = { 0 };

	memset(out, 0, sizeof(*out));
	/* only the query's conditions are written, so that SQLite can choose an index
	 */
	const struct {
		const char *column, *text;
	} conditions[] = { { "space", query->space }, { "problem", query->problem },
		{ "board", query->board }, { "configuration", query->configuration },
		{ "source_hash", query->source_hash } };

	at_strbuf_add(&sql,
		"SELECT id" NAMES
		", (SELECT started_seconds FROM runs WHERE id = run_id)"
		" FROM revisits WHERE device_id IN (SELECT id FROM devices)");
	if (query->since_seconds)
		at_strbuf_addf(&sql, " AND created_seconds >= %lld",
			(long long)query->since_seconds);
	if (query->device_id)
		at_strbuf_addf(
			&sql, " AND device_id = %lld", (long long)query->device_id);
	for (size_t i = 0; i < AT_COUNT_OF(conditions); i++)
		if (conditions[i].text)
			at_strbuf_addf(
				&sql, " AND %s = ?%zu", conditions[i].column, i + 1);
	/* Sorting wide rows is slow in SQLite, so all rows are sorted here. A query for
	   the newest few uses the order of an index. Of two rows of one second the
	   later added is newer. */
	if (query->limit)
		at_strbuf_addf(&sql,
			" ORDER BY created_seconds DESC, id DESC LIMIT %zu",
			query->limit);
	status = at_sqlite_prepare(
		self->database, at_strbuf_text(&sql), &statement, err);
	for (size_t i = 0; i < AT_COUNT_OF(conditions) && !status; i++)
		if (conditions[i].text)
			at_statement_bind_text(
				statement, (int)i + 1, conditions[i].text);
	at_strbuf_release(&sql);
	while (at_statement_next(statement, &status, err)) {
		struct at_revisit *revisit;
		bool found;

		AT_GROW(out->items, capacity, out->count + 1);
		revisit = &out->items[out->count];
		status = at_store_read_row(
			self, &at_table_revisits, statement, revisit, &found, err);
		revisit->id = at_statement_integer(statement, 0);
		revisit->run_seconds =
			at_statement_integer(statement, (int)at_table_revisits.own + 1);
		out->count += found;
	}
	at_statement_free(statement);
	/* rows are added night by night, so they are mostly in order */
	for (size_t i = 1; i < out->count; i++)
		if (compare(&out->items[i - 1], &out->items[i]) > 0) {
			qsort(out->items, out->count, sizeof(*out->items), compare);
			break;
		}
	/*
	 * Dates nights with a time in the future. A night whose clock was ahead has its
	 * own time, and the nights after it were recorded with the same time, which
	 * keeps the order. The night's date is the start of its run, or, if that is
	 * also wrong, the date of the night before.
	 */
	int64_t latest = at_clock_latest_seconds(at_clock_wall_seconds());

	for (size_t i = 0; i < out->count; i++) {
		struct at_revisit *night = &out->items[i];

		if (night->created_seconds <= latest)
			continue;
		if (night->run_seconds > 0 && night->run_seconds <= latest)
			night->created_seconds = night->run_seconds;
		else if (i > 0)
			night->created_seconds = night[-1].created_seconds;
	}
	return status;
}

/* ---- conditions ------------------------------------------------------------ */

/* by the end of a key: the unit of its value, and the unit in messages */
static const struct unit {
	const char *ending;
	const char *text;
	int64_t size;
} units[] = {
	{ "_watts", " W", 1 },
	{ "_hz", " MHz", 1000000 },
	{ "_bytes", " MiB", 1 << 20 },
};

static const struct unit *find_unit(const char *key)
{
	for (size_t i = 0; i < AT_COUNT_OF(units); i++) {
		size_t length = strlen(units[i].ending);

		if (strlen(key) > length &&
			!strcmp(key + strlen(key) - length, units[i].ending))
			return &units[i];
	}
	return NULL;
}

/* Appends a value in readable form. */
static void write_value(
	const struct at_json *value, const struct unit *unit, struct at_strbuf *out)
{
	struct at_strbuf text = { 0 };
	int64_t whole;

	if (at_json_text(value)) {
		at_strbuf_add(out, at_json_text(value));
		return;
	}
	at_json_write(value, 0, &text);
	if (!strcmp(at_strbuf_text(&text), "null"))
		at_strbuf_add(out, "unknown");
	else if (!strcmp(at_strbuf_text(&text), "true"))
		at_strbuf_add(out, "on");
	else if (!strcmp(at_strbuf_text(&text), "false"))
		at_strbuf_add(out, "off");
	else if (unit && at_text_integer(at_strbuf_text(&text), &whole))
		at_strbuf_addf(
			out, "%lld%s", (long long)(whole / unit->size), unit->text);
	else
		at_strbuf_add(out, at_strbuf_text(&text));
	at_strbuf_release(&text);
}

/* Appends "power limit 600 W, was 700 W" if they differ; returns whether they do. */
static bool compare_key(const char *key, const struct at_json *old,
	const struct at_json *now, struct at_strbuf *out)
{
	const struct unit *unit = find_unit(key);
	size_t length = strlen(key) - (unit ? strlen(unit->ending) : 0);
	struct at_strbuf was = { 0 }, is = { 0 };
	bool differs;

	write_value(old, unit, &was);
	write_value(now, unit, &is);
	differs = strcmp(at_strbuf_text(&was), at_strbuf_text(&is)) != 0;
	if (differs && out) {
		for (size_t i = 0; i < length; i++)
			at_strbuf_add_char(out, key[i] == '_' ? ' ' : key[i]);
		at_strbuf_addf(
			out, " %s, was %s", at_strbuf_text(&is), at_strbuf_text(&was));
	}
	at_strbuf_release(&was);
	at_strbuf_release(&is);
	return differs;
}

size_t at_conditions_compare(const char *before, const char *now, struct at_strbuf *out)
{
	struct at_json *old = at_json_embedded(before), *new = at_json_embedded(now);
	size_t count = 0, lasting = 0;
	const char *key;

	/* a key that only one has is not a change */
	for (size_t i = 0; (key = at_json_key_at(new, i)); i++) {
		struct at_strbuf text = { 0 };

		if (!at_json_get(old, key) || !compare_key(key, at_json_get(old, key),
						      at_json_get(new, key), &text))
			continue;
		if (out)
			at_strbuf_addf(
				out, "%s%s", count ? "; " : "", at_strbuf_text(&text));
		count++;
		lasting += strcmp(key, AT_CONDITION_PROCESSES) != 0;
		at_strbuf_release(&text);
	}
	at_json_free(old);
	at_json_free(new);
	return lasting;
}

int64_t at_conditions_whole(const char *conditions, const char *key, int64_t fallback)
{
	struct at_json *object = at_json_embedded(conditions);
	int64_t value = at_json_whole(at_json_get(object, key), fallback);

	at_json_free(object);
	return value;
}

/* ---- limits ---------------------------------------------------------------- */

enum at_status at_keep_parse(
	const char *text, struct at_keep *out, struct at_error *err)
{
	int64_t number;

	memset(out, 0, sizeof(*out));
	if (at_text_integer(text, &number) && number > 0 && number <= AT_KEEP_MAX)
		out->nights = number;
	else if (!at_text_time(text, "dwy", AT_KEEP_MAX, &out->seconds))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"expected a number of nights or a time in days, weeks or years, up to %d, as in 400, 400d, 60w, 2y, found \"%s\"",
			AT_KEEP_MAX, text);
	return AT_OK;
}
