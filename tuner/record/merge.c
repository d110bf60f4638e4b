/* Merges another record table by table, in an order in which references come after the
   rows that they refer to. */
#include "record/merge_internal.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

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

/* links: where the new ids of the rows go, empty so far; NULL: they are not needed */
static enum at_status put_table(struct at_merger *self, const struct at_table *table,
	const char *order, struct at_merge_count *count, struct at_merge_links *links,
	struct at_error *err)
{
	struct at_merge_walk walk;
	bool row = true, is_new;
	enum at_status status = at_merge_walk_begin(&walk, self, table, order, err);

	while (!status) {
		int64_t id;

		status = at_merge_walk_next(&walk, self, &row, err);
		if (status || !row)
			break;
		status = at_merge_walk_put(&walk, self, count, &id, &is_new, err);
		if (!status && links)
			at_merge_link_add(
				links, at_statement_integer(walk.select, 0), id);
		if (!status && !is_new && table == &at_table_runs)
			status = complete_run(&walk, self, id, err);
	}
	at_merge_walk_end(&walk);
	return status;
}

/* Finds or adds a device. The slug alone does not tell which one it is: in either
   record another device may have it. A device that is here already stays as it is. */
static enum at_status put_device(
	struct at_merger *self, int64_t from, int64_t *id, struct at_error *err)
{
	struct at_store there = { .database = self->from };
	struct at_merge_count *count = &self->merged->devices;
	struct at_record_device device;
	enum at_status status = at_store_get_device(&there, from, &device, err);

	if (status)
		return status;
	status = at_store_match_device(self->store, &device, id, err);
	if (!status && *id) {
		count->known++;
	} else if (!status) {
		status = at_store_put_device(self->store, &device, id, err);
		count->added++;
	}
	at_record_device_release(&device);
	return status;
}

static enum at_status put_devices(struct at_merger *self, struct at_error *err)
{
	struct at_merge_walk walk;
	bool row = true;
	enum at_status status =
		at_merge_walk_begin(&walk, self, &at_table_devices, "id", err);

	while (!status) {
		int64_t from, id;

		status = at_merge_walk_next(&walk, self, &row, err);
		if (status || !row)
			break;
		from = at_statement_integer(walk.select, 0);
		status = put_device(self, from, &id, err);
		if (!status)
			at_merge_link_add(&self->devices, from, id);
	}
	at_merge_walk_end(&walk);
	return status;
}

/* Notes the evaluations that crowns refer to. Only their ids need translating, which is
   a few of perhaps a million. */
static enum at_status note_named(struct at_merger *self, struct at_error *err)
{
	static const char crowned[] =
		"SELECT evaluation_id FROM crowns UNION SELECT baseline_id FROM crowns"
		" WHERE baseline_id IS NOT NULL ORDER BY 1";
	struct at_statement *statement;
	enum at_status status = AT_OK;
	bool row;

	status = at_sqlite_prepare(self->from, crowned, &statement, err);
	if (status)
		return status;
	while (!(status = at_statement_step(statement, &row, err)) && row)
		at_merge_link_add(
			&self->evaluations, at_statement_integer(statement, 0), 0);
	at_statement_free(statement);
	return status;
}

static enum at_status put_evaluations(struct at_merger *self, struct at_error *err)
{
	struct at_merge_links *links = &self->evaluations;
	struct at_merge_walk walk;
	size_t next = 0;
	enum at_status status = note_named(self, err);
	bool row, is_new;

	if (status)
		return status;
	status = at_merge_walk_begin(&walk, self, &at_table_evaluations, "id", err);
	while (!status) {
		int64_t from, id;

		status = at_merge_walk_next(&walk, self, &row, err);
		if (status || !row)
			break;
		status = at_merge_walk_put(
			&walk, self, &self->merged->evaluations, &id, &is_new, err);
		from = at_statement_integer(walk.select, 0);
		while (next < links->count && links->items[next].from < from)
			next++;
		if (!status && next < links->count && links->items[next].from == from)
			links->items[next].to = id;
	}
	at_merge_walk_end(&walk);
	return status;
}

static enum at_status put_all(struct at_merger *self, struct at_error *err)
{
	struct at_merged *merged = self->merged;
	enum at_status status;

	status = put_devices(self, err);
	if (!status)
		status = put_table(
			self, &at_table_runs, "id", &merged->runs, &self->runs, err);
	if (!status)
		status = put_table(
			self, &at_table_sources, "id", &merged->sources, NULL, err);
	if (!status)
		status = put_evaluations(self, err);
	/* portfolios come before crowns, some of which refer to them */
	if (!status)
		status = put_table(self, &at_table_portfolios, "id",
			&merged->portfolios, &self->portfolios, err);
	if (!status)
		status = at_merge_put_crowns(self, err);
	if (!status)
		status = put_table(
			self, &at_table_ceilings, "id", &merged->ceilings, NULL, err);
	if (!status)
		status = put_table(self, &at_table_revisits, "created_seconds, id",
			&merged->revisits, NULL, err);
	if (!status)
		status = put_table(self, &at_table_counterexamples, "id",
			&merged->counterexamples, NULL, err);
	return status;
}

/*
 * Whether the clock there was ahead and is right again, so that its times of the future
 * are known to be wrong, and not the clock here. Nobody else could ever merge it.
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
