#include "record/columns.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/objective.h"
#include "base/outcome.h"
#include "base/verdict.h"
#include "kernel/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int at_columns_bind(const struct at_column *columns, size_t count,
	struct at_statement *statement, int first, const void *row)
{
	int place = first;

	for (size_t i = 0; i < count; i++, place++) {
		const void *member = (const char *)row + columns[i].offset;
		struct at_hash hash;
		int64_t integer;
		const char *text;

		switch (columns[i].kind) {
		case AT_COLUMN_NONE:
			break;
		case AT_COLUMN_TEXT:
			text = *(char *const *)member;
			at_statement_bind_text(statement, place, text ? text : "");
			break;
		case AT_COLUMN_INTEGER:
			at_statement_bind_integer(
				statement, place, *(const int64_t *)member);
			break;
		case AT_COLUMN_KNOWN:
		case AT_COLUMN_LINK:
			integer = *(const int64_t *)member;
			if (integer < (columns[i].kind == AT_COLUMN_LINK))
				at_statement_bind_null(statement, place);
			else
				at_statement_bind_integer(statement, place, integer);
			break;
		case AT_COLUMN_REAL:
			at_statement_bind_real(
				statement, place, *(const double *)member);
			break;
		case AT_COLUMN_FLAG:
			at_statement_bind_integer(
				statement, place, *(const bool *)member);
			break;
		case AT_COLUMN_LINE:
			at_statement_bind_text(statement, place, member);
			break;
		case AT_COLUMN_HASH:
		case AT_COLUMN_KNOWN_HASH:
			hash = *(const struct at_hash *)member;
			if (columns[i].kind == AT_COLUMN_KNOWN_HASH && !hash.low &&
				!hash.high)
				at_statement_bind_null(statement, place);
			else
				at_statement_bind_hash(statement, place, hash);
			break;
		case AT_COLUMN_OUTCOME:
			text = at_outcome_name(*(const enum at_outcome *)member);
			at_statement_bind_text(statement, place, text);
			break;
		case AT_COLUMN_VERDICT:
			text = at_verdict_name(*(const enum at_verdict *)member);
			at_statement_bind_text(statement, place, text);
			break;
		case AT_COLUMN_OBJECTIVE:
			text = (*(const struct at_objective *const *)member)->name;
			at_statement_bind_text(statement, place, text);
			break;
		}
	}
	return place;
}

enum at_status at_columns_read(const struct at_column *columns, size_t count,
	const struct at_statement *statement, int first, void *row,
	struct at_error *err)
{
	for (size_t i = 0; i < count; i++) {
		void *member = (char *)row + columns[i].offset;
		int place = first + (int)i;
		bool is_null = at_statement_is_null(statement, place);
		const struct at_objective *objective;
		char *text;

		switch (columns[i].kind) {
		case AT_COLUMN_NONE:
			break;
		case AT_COLUMN_TEXT:
			text = at_strdup(at_statement_text(statement, place));
			if (!text)
				return at_fail_memory(err);
			*(char **)member = text;
			break;
		case AT_COLUMN_INTEGER:
		case AT_COLUMN_LINK:
			*(int64_t *)member = at_statement_integer(statement, place);
			break;
		case AT_COLUMN_KNOWN:
			*(int64_t *)member =
				is_null ? -1 : at_statement_integer(statement, place);
			break;
		case AT_COLUMN_REAL:
			*(double *)member =
				is_null ? (double)NAN
					: at_statement_real(statement, place);
			break;
		case AT_COLUMN_FLAG:
			*(bool *)member = at_statement_integer(statement, place) != 0;
			break;
		case AT_COLUMN_LINE:
			snprintf(member, AT_FACT_LINE_SIZE, "%s",
				at_statement_text(statement, place));
			break;
		case AT_COLUMN_HASH:
		case AT_COLUMN_KNOWN_HASH:
			*(struct at_hash *)member = at_statement_hash(statement, place);
			break;
		case AT_COLUMN_OUTCOME:
			*(enum at_outcome *)member = at_outcome_from_name(
				at_statement_text(statement, place));
			break;
		case AT_COLUMN_VERDICT:
			*(enum at_verdict *)member = at_verdict_from_name(
				at_statement_text(statement, place));
			break;
		case AT_COLUMN_OBJECTIVE:
			objective =
				at_objective_find(at_statement_text(statement, place));
			if (!objective)
				return at_fail(err, AT_EINVAL, NULL, 0,
					"the record has an objective that this version does not know: found \"%.60s\"",
					at_statement_text(statement, place));
			*(const struct at_objective **)member = objective;
			break;
		}
	}
	return AT_OK;
}

enum at_status at_columns_copy_texts(
	const struct at_column *columns, size_t count, void *row, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < count; i++) {
		char **text = (char **)((char *)row + columns[i].offset);
		const char *original;

		if (columns[i].kind != AT_COLUMN_TEXT)
			continue;
		/* what is not copied must not be freed with the copy */
		original = *text;
		*text = status || !original ? NULL : at_strdup(original);
		if (original && !*text)
			status = AT_ENOMEM;
	}
	if (!status)
		return AT_OK;
	at_columns_release(columns, count, row);
	return at_fail_memory(err);
}

void at_columns_release(const struct at_column *columns, size_t count, void *row)
{
	for (size_t i = 0; i < count; i++) {
		char **text = (char **)((char *)row + columns[i].offset);

		if (columns[i].kind != AT_COLUMN_TEXT)
			continue;
		free(*text);
		*text = NULL;
	}
}
