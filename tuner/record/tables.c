/* The lists of record/tables.h as tables, and rows as structs. */
#include "record/tables.h"

#include "base/escape.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/objective.h"
#include "base/outcome.h"
#include "base/verdict.h"
#include "kernel/facts.h"
#include "record/counterexample.h"
#include "record/history.h"
#include "record/store.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME true
#define MORE false
#define COLUMN(name, member, kind, same) \
	{ #name, AT_CELL_##kind, same, offsetof(ROW, member) },
/* in no struct: other statements write and read it */
#define OTHER(name, kind, same) { #name, AT_CELL_##kind, same, 0 },

#define ROW struct at_record_device
static const struct at_column device_columns[] = { AT_DEVICE_COLUMNS(COLUMN)
		OTHER(properties, VALUES, MORE) };
#undef ROW

static const struct at_column run_columns[] = { OTHER(device_id, DEVICE, SAME)
		OTHER(space, NAME, SAME) OTHER(strategy, WORD, SAME)
	/* 64 bits, unsigned; signed in SQLite */
	OTHER(seed, INTEGER, SAME) OTHER(version, WORD, SAME)
		OTHER(started_seconds, SECONDS, SAME)
	/* NULL: running, or killed */
	OTHER(ended_seconds, SECONDS_OR_NULL, MORE) OTHER(ending, WORD, MORE)
	/* "": here; else the place it was imported from */
	OTHER(origin, ORIGIN, MORE)
	/* random: distinguishes the run from those of other machines with its id */
	OTHER(token, WORD, SAME) };

#define ROW struct at_evaluation
static const struct at_column evaluation_columns[] = { AT_EVALUATION_COLUMNS(COLUMN)
		COLUMN(created_seconds, created_seconds, SECONDS, SAME)
	/* in the order taken: IEEE 754 doubles, little-endian; NULL: none */
	OTHER(samples_ns, SAMPLES, SAME) OTHER(log, TEXT, MORE) };
#undef ROW

#define ROW struct at_winner
static const struct at_column winner_columns[] = { AT_WINNER_COLUMNS(COLUMN) };
#undef ROW
#define ROW struct at_record_ceilings
static const struct at_column ceiling_columns[] = { AT_CEILING_COLUMNS(COLUMN) };
#undef ROW
#define ROW struct at_revisit
static const struct at_column revisit_columns[] = { AT_REVISIT_COLUMNS(COLUMN) };
#undef ROW
#define ROW struct at_portfolio
static const struct at_column portfolio_columns[] = { AT_PORTFOLIO_COLUMNS(COLUMN) };
#undef ROW

/* sources of results */
static const struct at_column source_columns[] = {
	OTHER(run_id, RUN, SAME) OTHER(problem, NAME, SAME)
		OTHER(source_hash, WORD, MORE) /* as in winners */
};

#define ROW struct at_counterexample
static const struct at_column counterexample_columns[] = { AT_COUNTEREXAMPLE_COLUMNS(
	COLUMN) };
#undef ROW

#define TABLE(title, list, others, size, unique) \
	const struct at_table at_table_##title = { #title, list, AT_COUNT_OF(list), \
		AT_COUNT_OF(list) - (others), size, unique }

TABLE(devices, device_columns, 1, sizeof(struct at_record_device),
	", UNIQUE (slug, kind)");
TABLE(runs, run_columns, AT_COUNT_OF(run_columns), 0, "");
TABLE(evaluations, evaluation_columns, 2, sizeof(struct at_evaluation), "");
TABLE(crowns, winner_columns, 0, sizeof(struct at_winner), "");
TABLE(ceilings, ceiling_columns, 0, sizeof(struct at_record_ceilings), "");
TABLE(revisits, revisit_columns, 0, sizeof(struct at_revisit), "");
TABLE(portfolios, portfolio_columns, 0, sizeof(struct at_portfolio), "");
TABLE(sources, source_columns, AT_COUNT_OF(source_columns), 0,
	", UNIQUE (run_id, problem)");
TABLE(counterexamples, counterexample_columns, 0, sizeof(struct at_counterexample), "");

const struct at_table *const at_tables[] = {
	&at_table_devices,
	&at_table_runs,
	&at_table_evaluations,
	&at_table_portfolios,
	&at_table_crowns,
	&at_table_ceilings,
	&at_table_revisits,
	&at_table_sources,
	&at_table_counterexamples,
	NULL,
};

size_t at_table_column(const struct at_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (!strcmp(table->columns[i].name, name))
			return i;
	assert(!"a column that the table does not have");
	return 0;
}

/* ---- rows ---- */

/* the longest word that at_cell_check() accepts */
#define WORD_BYTES_MAX 1000

/* A text of one line is shortened and escaped to be readable again: some come from
   outside, such as a compiler's version. */
static void bind_text(
	struct at_statement *statement, int place, enum at_cell kind, const char *text)
{
	bool is_line = kind == AT_CELL_WORD || kind == AT_CELL_LINE;
	struct at_strbuf line = { 0 };

	text = text ? text : "";
	if (!is_line || (strlen(text) <= WORD_BYTES_MAX &&
				at_text_is_shown(text, strlen(text)))) {
		at_statement_bind_text(statement, place, text);
		return;
	}
	at_escape_line(&line, text, strnlen(text, WORD_BYTES_MAX));
	at_statement_bind_copy(statement, place, at_strbuf_text(&line));
	at_strbuf_release(&line);
}

int at_columns_bind(const struct at_table *table, struct at_statement *statement,
	int first, const void *row)
{
	int place = first;

	for (size_t i = 0; i < table->own; i++, place++) {
		const void *member = (const char *)row + table->columns[i].offset;
		enum at_form form = at_cell_form(table->columns[i].kind);
		struct at_hash hash;
		int64_t integer;
		const char *text;

		switch (form) {
		case AT_FORM_NONE:
			break;
		case AT_FORM_TEXT:
			bind_text(statement, place, table->columns[i].kind,
				*(char *const *)member);
			break;
		case AT_FORM_INTEGER:
			at_statement_bind_integer(
				statement, place, *(const int64_t *)member);
			break;
		case AT_FORM_KNOWN:
		case AT_FORM_LINK:
			integer = *(const int64_t *)member;
			if (integer < (form == AT_FORM_LINK))
				at_statement_bind_null(statement, place);
			else
				at_statement_bind_integer(statement, place, integer);
			break;
		case AT_FORM_REAL:
			at_statement_bind_real(
				statement, place, *(const double *)member);
			break;
		case AT_FORM_FLAG:
			at_statement_bind_integer(
				statement, place, *(const bool *)member);
			break;
		case AT_FORM_LINE:
			bind_text(statement, place, table->columns[i].kind, member);
			break;
		case AT_FORM_HASH:
		case AT_FORM_KNOWN_HASH:
			hash = *(const struct at_hash *)member;
			if (form == AT_FORM_KNOWN_HASH && !hash.low && !hash.high)
				at_statement_bind_null(statement, place);
			else
				at_statement_bind_hash(statement, place, hash);
			break;
		case AT_FORM_OUTCOME:
			text = at_outcome_name(*(const enum at_outcome *)member);
			at_statement_bind_text(statement, place, text);
			break;
		case AT_FORM_VERDICT:
			text = at_verdict_name(*(const enum at_verdict *)member);
			at_statement_bind_text(statement, place, text);
			break;
		case AT_FORM_OBJECTIVE:
			text = (*(const struct at_objective *const *)member)->name;
			at_statement_bind_text(statement, place, text);
			break;
		}
	}
	return place;
}

/* Reads a value that at_cell_check() has accepted. */
static void read_cell(const struct at_statement *statement, int place,
	enum at_cell kind, void *member)
{
	bool is_null = at_statement_is_null(statement, place);
	char *text;

	switch (at_cell_form(kind)) {
	case AT_FORM_NONE:
		break;
	case AT_FORM_TEXT:
		text = at_strdup(at_statement_text(statement, place));
		*(char **)member = text;
		break;
	case AT_FORM_INTEGER:
	case AT_FORM_LINK:
		*(int64_t *)member = at_statement_integer(statement, place);
		break;
	case AT_FORM_KNOWN:
		*(int64_t *)member =
			is_null ? -1 : at_statement_integer(statement, place);
		break;
	case AT_FORM_REAL:
		*(double *)member =
			is_null ? (double)NAN : at_statement_real(statement, place);
		break;
	case AT_FORM_FLAG:
		*(bool *)member = at_statement_integer(statement, place) != 0;
		break;
	case AT_FORM_LINE:
		snprintf(member, AT_FACT_LINE_SIZE, "%s",
			at_statement_text(statement, place));
		break;
	case AT_FORM_HASH:
	case AT_FORM_KNOWN_HASH:
		*(struct at_hash *)member = at_statement_hash(statement, place);
		break;
	case AT_FORM_OUTCOME:
		*(enum at_outcome *)member =
			at_outcome_from_name(at_statement_text(statement, place));
		break;
	case AT_FORM_VERDICT:
		*(enum at_verdict *)member =
			at_verdict_from_name(at_statement_text(statement, place));
		break;
	case AT_FORM_OBJECTIVE:
		*(const struct at_objective **)member =
			at_objective_find(at_statement_text(statement, place));
		break;
	}
}

enum at_status at_columns_read(const struct at_table *table,
	const struct at_statement *statement, int first, void *row,
	struct at_error *err)
{
	for (size_t i = 0; i < table->own; i++) {
		int place = first + (int)i;
		const char *wrong =
			at_cell_check(statement, place, table->columns[i].kind);

		if (wrong)
			return at_fail(err, AT_EINVAL, NULL, 0, "\"%s\" %s",
				at_statement_name(statement, place), wrong);
		read_cell(statement, place, table->columns[i].kind,
			(char *)row + table->columns[i].offset);
	}
	return AT_OK;
}

void at_columns_copy_texts(const struct at_table *table, void *row)
{
	for (size_t i = 0; i < table->own; i++) {
		char **text = (char **)((char *)row + table->columns[i].offset);

		if (at_cell_form(table->columns[i].kind) == AT_FORM_TEXT && *text)
			*text = at_strdup(*text);
	}
}

void at_columns_release(const struct at_table *table, void *row)
{
	for (size_t i = 0; i < table->own; i++) {
		char **text = (char **)((char *)row + table->columns[i].offset);

		if (at_cell_form(table->columns[i].kind) == AT_FORM_TEXT)
			free(*text);
	}
	memset(row, 0, table->size);
}
