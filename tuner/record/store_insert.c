/* Adds the row of an evaluation, with its samples and its log. */
#include "record/evaluation_columns.h"
#include "base/memory.h"
#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>

/*
 * ?1: at_store.highest. ?2 is the key. The time of a new evaluation is raised where a
 * clock was set back, so that it is not taken for the older one.
 */
static const char insert[] =
	"INSERT INTO evaluations (id" EVALUATION_NAMES ", samples_ns, log) VALUES ("
	"CASE WHEN ?1 < 9223372036854775807 AND ?1 >"
	" (SELECT ifnull(max(id), 0) FROM evaluations) THEN ?1 + 1 END" EVALUATION_COLUMNS_AHEAD(
		AT_COLUMN_MARK) ", max(?, coalesce((SELECT max(created_seconds) FROM evaluations WHERE key = ?2"
				" AND created_seconds <= " AT_SECONDS_MAX_TEXT
				"), 0))" EVALUATION_COLUMNS_BEHIND(AT_COLUMN_MARK) AT_FACTS(
					AT_MEMBER_MARK) ", ?, ?) RETURNING id, created_seconds";

static void write_sample(unsigned char *bytes, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(bits >> (8 * i));
}

/* One statement, which is a transaction by itself: BEGIN and COMMIT would each cost as
   much as adding the row, and a look at what is there another pair of locks. */
enum at_status at_store_insert(
	struct at_store *self, struct at_evaluation *evaluation, struct at_error *err)
{
	size_t count = evaluation->sample_count;
	unsigned char *bytes = at_calloc(count + 1, 8);
	int64_t id = 0, created_seconds = 0;
	struct at_statement *statement;
	enum at_status status;
	bool row;
	int next;

	status = at_sqlite_cached(self->database, insert, &statement, err);
	if (status)
		goto free_bytes;
	for (size_t i = 0; i < count; i++)
		write_sample(bytes + 8 * i, evaluation->samples_ns[i]);
	at_statement_bind_integer(statement, 1, self->highest);
	next = at_columns_bind(at_evaluation_columns, at_evaluation_column_count,
		statement, 2, evaluation);
	if (count)
		at_statement_bind_bytes(statement, next, bytes, 8 * count);
	else
		at_statement_bind_null(statement, next);
	at_statement_bind_text(
		statement, next + 1, evaluation->log ? evaluation->log : "");
	status = at_statement_step(statement, &row, err);
	if (!status && row) {
		id = at_statement_integer(statement, 0);
		created_seconds = at_statement_integer(statement, 1);
		/* the row is committed behind the last result */
		status = at_statement_run(statement, err);
	} else {
		at_statement_reset(statement);
	}
	if (!status) {
		evaluation->id = id;
		evaluation->created_seconds = created_seconds;
		if (id > self->highest)
			self->highest = id;
	}
free_bytes:
	free(bytes);
	return status;
}
