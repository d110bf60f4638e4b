/* The columns of a record's tables, and checks of the rows of another record. */
#include "record/merge_internal.h"

#include "base/outcome.h"
#include "kernel/facts.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Whether two rows must agree in the column to be the same row (is_same). */
#define SAME true
#define MORE false

static const struct at_merge_column device_columns[] = {
	{ "kind", AT_CELL_NAME, SAME },
	{ "slug", AT_CELL_SLUG, SAME },
	{ "model", AT_CELL_NAME, MORE },
	{ "architecture", AT_CELL_WORD, MORE },
	{ "driver", AT_CELL_WORD, MORE },
	{ "uuid", AT_CELL_WORD, MORE },
	{ "properties", AT_CELL_VALUES, MORE },
};

static const struct at_merge_column run_columns[] = {
	{ "device_id", AT_CELL_DEVICE, SAME },
	{ "space", AT_CELL_NAME, SAME },
	{ "strategy", AT_CELL_WORD, SAME },
	{ "seed", AT_CELL_INTEGER, SAME },
	{ "version", AT_CELL_WORD, SAME },
	{ "started_seconds", AT_CELL_SECONDS, SAME },
	{ "ended_seconds", AT_CELL_SECONDS_OR_NULL, MORE },
	{ "ending", AT_CELL_WORD, MORE },
	{ "origin", AT_CELL_ORIGIN, MORE },
	{ "token", AT_CELL_WORD, SAME },
};

#define FACT_KIND_KNOWN AT_CELL_KNOWN
#define FACT_KIND_REAL AT_CELL_FRACTION
#define FACT_KIND_LINE AT_CELL_WORD
#define FACT(name, kind) { #name, FACT_KIND_##kind, MORE },

static const struct at_merge_column evaluation_columns[] = {
	{ "key", AT_CELL_HASH, SAME },
	{ "run_id", AT_CELL_RUN, MORE },
	{ "device_id", AT_CELL_DEVICE, SAME },
	{ "space", AT_CELL_NAME, SAME },
	{ "problem", AT_CELL_NAME, SAME },
	{ "problem_json", AT_CELL_VALUES, MORE },
	{ "configuration", AT_CELL_VALUES, SAME },
	{ "outcome", AT_CELL_OUTCOME, SAME },
	{ "detail", AT_CELL_TEXT, MORE },
	{ "time_ns", AT_CELL_REAL, SAME },
	{ "low_ns", AT_CELL_REAL, MORE },
	{ "high_ns", AT_CELL_REAL, MORE },
	{ "launches_per_sample", AT_CELL_KNOWN, MORE },
	{ "raced", AT_CELL_FLAG, MORE },
	{ "flops", AT_CELL_REAL, MORE },
	{ "bytes", AT_CELL_REAL, MORE },
	{ "is_double", AT_CELL_FLAG, MORE },
	{ "max_relative_error", AT_CELL_ERROR, MORE },
	{ "measure_ns", AT_CELL_KNOWN, MORE },
	{ "clock_hz", AT_CELL_KNOWN, MORE },
	{ "throttled", AT_CELL_FLAG, MORE },
	{ "created_seconds", AT_CELL_SECONDS, SAME },
	{ "board", AT_CELL_WORD, SAME },
	{ "image", AT_CELL_HASH_OR_NULL, MORE },
	AT_FACTS(FACT){ "samples_ns", AT_CELL_SAMPLES, SAME },
	{ "log", AT_CELL_TEXT, MORE },
};

static const struct at_merge_column crown_columns[] = {
	{ "device_id", AT_CELL_DEVICE, SAME },
	{ "space", AT_CELL_NAME, SAME },
	{ "problem", AT_CELL_NAME, SAME },
	{ "evaluation_id", AT_CELL_EVALUATION, SAME },
	{ "baseline_id", AT_CELL_BASELINE, MORE },
	{ "evaluation_count", AT_CELL_COUNT, MORE },
	{ "ok_count", AT_CELL_COUNT, MORE },
	{ "objective", AT_CELL_OBJECTIVE, SAME },
	{ "value", AT_CELL_REAL, SAME },
	{ "low", AT_CELL_REAL, MORE },
	{ "high", AT_CELL_REAL, MORE },
	{ "speedup", AT_CELL_REAL, MORE },
	{ "speedup_low", AT_CELL_REAL, MORE },
	{ "speedup_high", AT_CELL_REAL, MORE },
	{ "baseline_low", AT_CELL_REAL, MORE },
	{ "baseline_high", AT_CELL_REAL, MORE },
	{ "measurement", AT_CELL_JSON, MORE },
	{ "toolchain", AT_CELL_WORD, MORE },
	{ "driver", AT_CELL_WORD, MORE },
	{ "source_hash", AT_CELL_WORD, MORE },
	{ "metrics", AT_CELL_JSON, MORE },
	{ "launch", AT_CELL_LAUNCH, MORE },
	{ "options", AT_CELL_OPTIONS, MORE },
	{ "gains", AT_CELL_JSON, MORE },
	{ "is_unproved", AT_CELL_FLAG, SAME },
	{ "proof", AT_CELL_JSON, MORE },
	{ "part", AT_CELL_WORD, SAME },
	{ "met", AT_CELL_WORD, MORE },
	{ "portfolio_id", AT_CELL_PORTFOLIO, SAME },
	{ "member", AT_CELL_COUNT, MORE },
	{ "loss", AT_CELL_SIGNED, MORE },
	{ "loss_low", AT_CELL_SIGNED, MORE },
	{ "loss_high", AT_CELL_SIGNED, MORE },
	{ "created_seconds", AT_CELL_SECONDS, SAME },
	{ "stood_seconds", AT_CELL_SECONDS, MORE },
};

static const struct at_merge_column ceiling_columns[] = {
	{ "device_id", AT_CELL_DEVICE, SAME },
	{ "copy_bytes_per_second", AT_CELL_REAL, SAME },
	{ "float_flops_per_second", AT_CELL_REAL, SAME },
	{ "double_flops_per_second", AT_CELL_REAL, SAME },
	{ "driver", AT_CELL_WORD, SAME },
	{ "created_seconds", AT_CELL_SECONDS, SAME },
};

static const struct at_merge_column revisit_columns[] = {
	{ "device_id", AT_CELL_DEVICE, SAME },
	{ "board", AT_CELL_WORD, SAME },
	{ "run_id", AT_CELL_RUN, MORE },
	{ "space", AT_CELL_NAME, SAME },
	{ "problem", AT_CELL_NAME, SAME },
	{ "configuration", AT_CELL_VALUES, SAME },
	{ "source_hash", AT_CELL_WORD, SAME },
	{ "outcome", AT_CELL_OUTCOME, SAME },
	{ "detail", AT_CELL_TEXT, MORE },
	{ "verdict", AT_CELL_WORD, SAME },
	{ "objective", AT_CELL_OBJECTIVE, SAME },
	{ "value", AT_CELL_REAL, SAME },
	{ "low", AT_CELL_REAL, MORE },
	{ "high", AT_CELL_REAL, MORE },
	{ "baseline", AT_CELL_REAL, SAME },
	{ "baseline_low", AT_CELL_REAL, MORE },
	{ "baseline_high", AT_CELL_REAL, MORE },
	{ "speedup", AT_CELL_REAL, MORE },
	{ "speedup_low", AT_CELL_REAL, MORE },
	{ "speedup_high", AT_CELL_REAL, MORE },
	{ "change", AT_CELL_REAL, MORE },
	{ "change_low", AT_CELL_REAL, MORE },
	{ "change_high", AT_CELL_REAL, MORE },
	{ "look_count", AT_CELL_COUNT, MORE },
	{ "clock_hz", AT_CELL_KNOWN, MORE },
	{ "measurement", AT_CELL_JSON, MORE },
	{ "conditions", AT_CELL_JSON, MORE },
	{ "created_seconds", AT_CELL_SECONDS, SAME },
};

static const struct at_merge_column portfolio_columns[] = {
	{ "device_id", AT_CELL_DEVICE, SAME },
	{ "space", AT_CELL_NAME, SAME },
	{ "loss_limit", AT_CELL_REAL, SAME },
	{ "most", AT_CELL_COUNT, SAME },
	{ "created_seconds", AT_CELL_SECONDS, SAME },
};

static const struct at_merge_column source_columns[] = {
	{ "run_id", AT_CELL_RUN, SAME },
	{ "problem", AT_CELL_NAME, SAME },
	{ "source_hash", AT_CELL_WORD, MORE },
};

static const struct at_merge_column counterexample_columns[] = {
	{ "device_id", AT_CELL_DEVICE, SAME },
	{ "space", AT_CELL_NAME, SAME },
	{ "instance", AT_CELL_JSON, SAME },
	{ "failure", AT_CELL_JSON, MORE },
};

#define TABLE(title, list) \
	const struct at_merge_table at_merge_##title = { #title, list, \
		AT_COUNT_OF(list) }

TABLE(devices, device_columns);
TABLE(runs, run_columns);
TABLE(evaluations, evaluation_columns);
TABLE(crowns, crown_columns);
TABLE(ceilings, ceiling_columns);
TABLE(revisits, revisit_columns);
TABLE(portfolios, portfolio_columns);
TABLE(sources, source_columns);
TABLE(counterexamples, counterexample_columns);

const struct at_merge_table *const at_merge_tables[] = {
	&at_merge_devices,
	&at_merge_runs,
	&at_merge_evaluations,
	&at_merge_crowns,
	&at_merge_ceilings,
	&at_merge_revisits,
	&at_merge_portfolios,
	&at_merge_sources,
	&at_merge_counterexamples,
	NULL,
};

size_t at_merge_column(const struct at_merge_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (!strcmp(table->columns[i].name, name))
			return i;
	assert(!"a column that the table does not have");
	return 0;
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
	const struct at_merge_table *table, const struct at_statement *row,
	const char *column, const char *wrong, struct at_error *err)
{
	return at_fail(err, AT_EINVAL, self->path, 0,
		"%s %" PRId64 ": \"%s\" %s; nothing of it was taken", table->name,
		at_statement_integer(row, 0), column, wrong);
}

enum at_status at_merge_check_row(struct at_merge_check *self,
	const struct at_merge_table *table, const struct at_statement *row,
	struct at_error *err)
{
	for (size_t i = 0; i < table->count; i++) {
		const char *wrong =
			check_value(self, row, (int)i + 1, table->columns[i].kind);

		if (wrong)
			return fail_row(
				self, table, row, table->columns[i].name, wrong, err);
	}
	if (table == &at_merge_evaluations) {
		int outcome = (int)at_merge_column(table, "outcome") + 1;
		int time = (int)at_merge_column(table, "time_ns") + 1;

		/* readers rely on this */
		if (!strcmp(at_statement_text(row, outcome),
			    at_outcome_name(AT_OUTCOME_OK)) &&
			!(at_statement_real(row, time) > 0))
			return fail_row(self, table, row, "time_ns",
				"is not known, and it is ok", err);
	}
	return AT_OK;
}
