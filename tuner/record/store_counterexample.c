/* The table of counterexamples (record/counterexample.h). */
#include "record/counterexample.h"

#include "base/memory.h"
#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>

static const char insert[] =
	"INSERT INTO counterexamples (id" AT_COUNTEREXAMPLE_COLUMNS(AT_COLUMN_NAME) ") SELECT NULL" AT_COUNTEREXAMPLE_COLUMNS(
		AT_COLUMN_MARK) " WHERE NOT EXISTS (SELECT 1 FROM counterexamples"
				" WHERE device_id = ?1 AND space = ?2 AND instance = ?3)";

static const char select[] = "SELECT c.id" AT_COUNTEREXAMPLE_COLUMNS(
	AT_COLUMN_NAME) ", slug, kind FROM counterexamples AS c JOIN devices AS d"
			" ON d.id = device_id WHERE ?1 IS NULL OR space = ?1"
			" ORDER BY c.id";

void at_counterexample_release(struct at_counterexample *self)
{
	at_columns_release(&at_table_counterexamples, self);
	free(self->slug);
	free(self->kind);
	memset(self, 0, sizeof(*self));
}

void at_counterexamples_release(struct at_counterexamples *self)
{
	for (size_t i = 0; i < self->count; i++)
		at_counterexample_release(&self->items[i]);
	free(self->items);
	memset(self, 0, sizeof(*self));
}

bool at_counterexample_is_same(
	const struct at_counterexample *a, const struct at_counterexample *b)
{
	return !strcmp(a->space, b->space) && !strcmp(a->instance, b->instance) &&
	       !strcmp(a->slug, b->slug) && !strcmp(a->kind, b->kind);
}

enum at_status at_store_put_counterexample(struct at_store *self,
	const struct at_counterexample *counterexample, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_cached(self->database, insert);

	at_columns_bind(&at_table_counterexamples, statement, 1, counterexample);
	return at_statement_run(statement, err);
}

enum at_status at_store_counterexamples(struct at_store *self, const char *space,
	struct at_counterexamples *out, struct at_error *err)
{
	struct at_statement *statement =
		at_sqlite_bound(self->database, select, AT_VALUES(AT_STRING(space)));
	enum at_status status;
	bool row = true;

	while (!(status = at_statement_step(statement, &row, err)) && row) {
		struct at_counterexample one;
		bool found;

		status = at_store_read_row(self, &at_table_counterexamples, sizeof(one),
			statement, &one, &found, err);
		if (status)
			break;
		if (!found)
			continue;
		one.id = at_statement_integer(statement, 0);
		/* devices are checked when a record is opened */
		one.slug = at_strdup(at_statement_text(statement, 5));
		one.kind = at_strdup(at_statement_text(statement, 6));
		AT_GROW(out->items, out->capacity, out->count + 1);
		out->items[out->count++] = one;
	}
	at_statement_reset(statement);
	return status;
}
