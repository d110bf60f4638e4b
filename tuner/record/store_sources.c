/* Which source each run tuned from: record/sources.h says what for. */
#include "record/sources.h"

#include "base/clock.h"
#include "base/memory.h"
#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>

static const char insert[] =
	"INSERT OR IGNORE INTO sources (id, run_id, problem, source_hash)"
	" VALUES (NULL, ?, ?, ?)";

/*
 * The newest run is the last row. Of the runs that were made here the order is known;
 * their times may be wrong, so the last of them comes behind all others. Imported runs
 * are ordered by time, and come after the last one made here only if they are younger.
 * One of the future (after ?4) is of a wrong clock: made here it was made lately, and
 * of others it is not known.
 */
static const char select[] =
	"SELECT s.run_id, s.source_hash FROM sources AS s JOIN runs AS r"
	" ON r.id = s.run_id WHERE r.device_id = ?1 AND r.space = ?2 AND s.problem = ?3"
	" ORDER BY CASE WHEN r.origin = '' AND EXISTS (SELECT 1 FROM runs AS n"
	" JOIN sources AS t ON t.run_id = n.id WHERE n.id > r.id AND n.origin = ''"
	" AND n.device_id = ?1 AND n.space = ?2 AND t.problem = ?3) THEN -2"
	" WHEN r.started_seconds <= ?4 THEN r.started_seconds"
	" WHEN r.origin = '' THEN ?4 ELSE -1 END, r.id";

static const char select_selected[] =
	"SELECT source_hash FROM crowns WHERE device_id = ?1 AND space = ?2"
	" AND problem = ?3 AND portfolio_id IS NULL ORDER BY id DESC LIMIT 1";

static const char select_until[] =
	"SELECT ifnull(max(created_seconds), -1) FROM crowns WHERE device_id = ?1 AND space = ?2"
	" AND problem = ?3 AND portfolio_id IS NULL AND source_hash <> ?4"
	" AND created_seconds <= ?5";

/* The latest time that a row can have; a later one is of a wrong clock. */
static int64_t latest(void)
{
	int64_t seconds = at_clock_latest_seconds(at_clock_wall_seconds());

	return seconds < AT_SECONDS_MAX ? seconds : AT_SECONDS_MAX;
}

enum at_status at_store_put_source(struct at_store *self, int64_t run_id,
	const char *problem, const char *hash, struct at_error *err)
{
	return at_statement_run(at_sqlite_bound(self->database, insert,
					AT_VALUES(AT_INTEGER(run_id),
						AT_STRING(problem), AT_STRING(hash))),
		err);
}

static void add(struct at_sources *self, const struct at_statement *statement)
{
	struct at_source *source;

	AT_GROW(self->items, self->capacity, self->count + 1);
	/* a row that makes no sense is ignored */
	if (at_cell_check(statement, 0, AT_CELL_RUN) ||
		at_cell_check(statement, 1, AT_CELL_WORD))
		return;
	source = &self->items[self->count];
	source->run_id = at_statement_integer(statement, 0);
	source->hash = at_strdup(at_statement_text(statement, 1));
	self->count++;
}

static int compare(const void *a, const void *b)
{
	const struct at_source *left = a, *right = b;

	return (left->run_id > right->run_id) - (left->run_id < right->run_id);
}

/* For a record whose runs have no sources: takes the source of the winner. */
static enum at_status read_selected(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, char **out, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(self->database,
		select_selected,
		AT_VALUES(AT_INTEGER(device_id), AT_STRING(space), AT_STRING(problem)));
	enum at_status status;
	bool row = false;

	status = at_statement_step(statement, &row, err);
	if (!status && row && !at_cell_check(statement, 0, AT_CELL_NAME))
		*out = at_strdup(at_statement_text(statement, 0));
	at_statement_reset(statement);
	return status;
}

static enum at_status read_until(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, struct at_sources *out,
	struct at_error *err)
{
	return at_statement_raise(
		at_sqlite_bound(self->database, select_until,
			AT_VALUES(AT_INTEGER(device_id), AT_STRING(space),
				AT_STRING(problem), AT_STRING(out->now),
				AT_INTEGER(latest()))),
		&out->others_until_seconds, err);
}

enum at_status at_store_sources(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, struct at_sources *out,
	struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status = AT_OK;
	bool row = true;

	*out = (struct at_sources){ .others_until_seconds = -1 };
	statement = at_sqlite_bound(self->database, select,
		AT_VALUES(AT_INTEGER(device_id), AT_STRING(space), AT_STRING(problem),
			AT_INTEGER(latest())));
	while (!(status = at_statement_step(statement, &row, err)) && row)
		add(out, statement);
	at_statement_reset(statement);
	if (!status && out->count) {
		out->now = at_strdup(out->items[out->count - 1].hash);
		qsort(out->items, out->count, sizeof(*out->items), compare);
	} else if (!status) {
		status = read_selected(self, device_id, space, problem, &out->now, err);
	}
	if (!status && out->now)
		status = read_until(self, device_id, space, problem, out, err);
	return status;
}

void at_sources_release(struct at_sources *self)
{
	for (size_t i = 0; i < self->count; i++)
		free(self->items[i].hash);
	free(self->items);
	free(self->now);
	memset(self, 0, sizeof(*self));
}

bool at_sources_is_older(
	const struct at_sources *self, const struct at_evaluation *evaluation)
{
	const struct at_source wanted = { .run_id = evaluation->run_id };
	const struct at_source *found = NULL;

	if (!self->now)
		return false;
	if (self->count)
		found = bsearch(
			&wanted, self->items, self->count, sizeof(wanted), compare);
	return found ? strcmp(found->hash, self->now) != 0
		     : evaluation->created_seconds <= self->others_until_seconds;
}

bool at_sources_is_older_winner(
	const struct at_sources *self, const struct at_winner *best)
{
	return self->now && best->source_hash &&
	       strcmp(self->now, best->source_hash) != 0;
}
