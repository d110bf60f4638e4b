/* What the tables of a record hold, and whether a row of another one makes sense. */
#include "record/merge_internal.h"

#include "base/json.h"
#include "base/objective.h"
#include "base/outcome.h"
#include "kernel/facts.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Names are written by people; nobody reads more of one line. */
#define NAME_BYTES_MAX 1000
#define TEXT_BYTES_MAX (64 << 20)
/* the largest JSON that is known has some KB */
#define JSON_BYTES_MAX (16 << 20)
/* a sample is a launch at least: no evaluation lasts for so many */
#define SAMPLES_MAX 1000000

#define SAME true
#define MORE false

static const struct at_merge_column device_columns[] = {
	{ "kind", AT_MERGE_NAME, SAME },
	{ "slug", AT_MERGE_SLUG, SAME },
	{ "model", AT_MERGE_NAME, MORE },
	{ "architecture", AT_MERGE_WORD, MORE },
	{ "driver", AT_MERGE_WORD, MORE },
	{ "uuid", AT_MERGE_WORD, MORE },
	{ "properties", AT_MERGE_CONFIGURATION, MORE },
};

static const struct at_merge_column run_columns[] = {
	{ "device_id", AT_MERGE_DEVICE, SAME },
	{ "space", AT_MERGE_NAME, SAME },
	{ "strategy", AT_MERGE_WORD, SAME },
	{ "seed", AT_MERGE_INTEGER, SAME },
	{ "version", AT_MERGE_WORD, SAME },
	{ "started_seconds", AT_MERGE_SECONDS, SAME },
	{ "ended_seconds", AT_MERGE_SECONDS_OR_NULL, MORE },
	{ "ending", AT_MERGE_WORD, MORE },
	{ "origin", AT_MERGE_ORIGIN, MORE },
	{ "token", AT_MERGE_WORD, SAME },
};

#define FACT_KIND_KNOWN AT_MERGE_KNOWN
#define FACT_KIND_REAL AT_MERGE_FRACTION
#define FACT_KIND_LINE AT_MERGE_WORD
#define FACT(name, kind) { #name, FACT_KIND_##kind, MORE },

static const struct at_merge_column evaluation_columns[] = {
	{ "key", AT_MERGE_HASH, SAME },
	{ "run_id", AT_MERGE_RUN, MORE },
	{ "device_id", AT_MERGE_DEVICE, SAME },
	{ "space", AT_MERGE_NAME, SAME },
	{ "problem", AT_MERGE_NAME, SAME },
	{ "problem_json", AT_MERGE_CONFIGURATION, MORE },
	{ "configuration", AT_MERGE_CONFIGURATION, SAME },
	{ "outcome", AT_MERGE_OUTCOME, SAME },
	{ "detail", AT_MERGE_TEXT, MORE },
	{ "time_ns", AT_MERGE_REAL, SAME },
	{ "low_ns", AT_MERGE_REAL, MORE },
	{ "high_ns", AT_MERGE_REAL, MORE },
	{ "launches_per_sample", AT_MERGE_KNOWN, MORE },
	{ "raced", AT_MERGE_FLAG, MORE },
	{ "flops", AT_MERGE_REAL, MORE },
	{ "bytes", AT_MERGE_REAL, MORE },
	{ "is_double", AT_MERGE_FLAG, MORE },
	{ "max_relative_error", AT_MERGE_ERROR, MORE },
	{ "measure_ns", AT_MERGE_KNOWN, MORE },
	{ "clock_hz", AT_MERGE_KNOWN, MORE },
	{ "throttled", AT_MERGE_FLAG, MORE },
	{ "created_seconds", AT_MERGE_SECONDS, SAME },
	{ "board", AT_MERGE_WORD, SAME },
	{ "image", AT_MERGE_HASH_OR_NULL, MORE },
	AT_FACTS(FACT){ "samples_ns", AT_MERGE_SAMPLES, SAME },
	{ "log", AT_MERGE_TEXT, MORE },
};

static const struct at_merge_column crown_columns[] = {
	{ "device_id", AT_MERGE_DEVICE, SAME },
	{ "space", AT_MERGE_NAME, SAME },
	{ "problem", AT_MERGE_NAME, SAME },
	{ "evaluation_id", AT_MERGE_EVALUATION, SAME },
	{ "baseline_id", AT_MERGE_BASELINE, MORE },
	{ "evaluation_count", AT_MERGE_COUNT, MORE },
	{ "ok_count", AT_MERGE_COUNT, MORE },
	{ "objective", AT_MERGE_OBJECTIVE, SAME },
	{ "value", AT_MERGE_REAL, SAME },
	{ "low", AT_MERGE_REAL, MORE },
	{ "high", AT_MERGE_REAL, MORE },
	{ "speedup", AT_MERGE_REAL, MORE },
	{ "speedup_low", AT_MERGE_REAL, MORE },
	{ "speedup_high", AT_MERGE_REAL, MORE },
	{ "baseline_low", AT_MERGE_REAL, MORE },
	{ "baseline_high", AT_MERGE_REAL, MORE },
	{ "measurement", AT_MERGE_JSON_OR_EMPTY, MORE },
	{ "toolchain", AT_MERGE_WORD, MORE },
	{ "driver", AT_MERGE_WORD, MORE },
	{ "source_hash", AT_MERGE_WORD, MORE },
	{ "metrics", AT_MERGE_JSON_OR_EMPTY, MORE },
	{ "launch", AT_MERGE_JSON_OR_EMPTY, MORE },
	{ "options", AT_MERGE_JSON_OR_EMPTY, MORE },
	{ "gains", AT_MERGE_JSON_OR_EMPTY, MORE },
	{ "is_unproved", AT_MERGE_FLAG, SAME },
	{ "proof", AT_MERGE_JSON_OR_EMPTY, MORE },
	{ "part", AT_MERGE_WORD, SAME },
	{ "portfolio_id", AT_MERGE_PORTFOLIO, SAME },
	{ "member", AT_MERGE_COUNT, MORE },
	{ "loss", AT_MERGE_SIGNED, MORE },
	{ "loss_low", AT_MERGE_SIGNED, MORE },
	{ "loss_high", AT_MERGE_SIGNED, MORE },
	{ "created_seconds", AT_MERGE_SECONDS, SAME },
	{ "stood_seconds", AT_MERGE_SECONDS, MORE },
};

static const struct at_merge_column ceiling_columns[] = {
	{ "device_id", AT_MERGE_DEVICE, SAME },
	{ "copy_bytes_per_second", AT_MERGE_REAL, SAME },
	{ "float_flops_per_second", AT_MERGE_REAL, SAME },
	{ "double_flops_per_second", AT_MERGE_REAL, SAME },
	{ "driver", AT_MERGE_WORD, SAME },
	{ "created_seconds", AT_MERGE_SECONDS, SAME },
};

static const struct at_merge_column revisit_columns[] = {
	{ "device_id", AT_MERGE_DEVICE, SAME },
	{ "board", AT_MERGE_WORD, SAME },
	{ "run_id", AT_MERGE_RUN, MORE },
	{ "space", AT_MERGE_NAME, SAME },
	{ "problem", AT_MERGE_NAME, SAME },
	{ "configuration", AT_MERGE_CONFIGURATION, SAME },
	{ "source_hash", AT_MERGE_WORD, SAME },
	{ "outcome", AT_MERGE_OUTCOME, SAME },
	{ "detail", AT_MERGE_TEXT, MORE },
	{ "verdict", AT_MERGE_WORD, SAME },
	{ "objective", AT_MERGE_OBJECTIVE, SAME },
	{ "value", AT_MERGE_REAL, SAME },
	{ "low", AT_MERGE_REAL, MORE },
	{ "high", AT_MERGE_REAL, MORE },
	{ "baseline", AT_MERGE_REAL, SAME },
	{ "baseline_low", AT_MERGE_REAL, MORE },
	{ "baseline_high", AT_MERGE_REAL, MORE },
	{ "speedup", AT_MERGE_REAL, MORE },
	{ "speedup_low", AT_MERGE_REAL, MORE },
	{ "speedup_high", AT_MERGE_REAL, MORE },
	{ "change", AT_MERGE_REAL, MORE },
	{ "change_low", AT_MERGE_REAL, MORE },
	{ "change_high", AT_MERGE_REAL, MORE },
	{ "look_count", AT_MERGE_COUNT, MORE },
	{ "clock_hz", AT_MERGE_KNOWN, MORE },
	{ "measurement", AT_MERGE_JSON_OR_EMPTY, MORE },
	{ "conditions", AT_MERGE_JSON_OR_EMPTY, MORE },
	{ "created_seconds", AT_MERGE_SECONDS, SAME },
};

static const struct at_merge_column portfolio_columns[] = {
	{ "device_id", AT_MERGE_DEVICE, SAME },
	{ "space", AT_MERGE_NAME, SAME },
	{ "loss_limit", AT_MERGE_REAL, SAME },
	{ "most", AT_MERGE_COUNT, SAME },
	{ "created_seconds", AT_MERGE_SECONDS, SAME },
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

const struct at_merge_table *const at_merge_tables[] = {
	&at_merge_devices,
	&at_merge_runs,
	&at_merge_evaluations,
	&at_merge_crowns,
	&at_merge_ceilings,
	&at_merge_revisits,
	&at_merge_portfolios,
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

/* NULL: it is fine; else what is wrong with it. */
static const char *check_text(const struct at_statement *row, int column,
	size_t bytes_max, const char **text, size_t *size)
{
	if (at_statement_type(row, column) != AT_SQLITE_TEXT)
		return "is no text";
	*text = at_statement_text(row, column);
	at_statement_bytes(row, column, size);
	if (*size > bytes_max)
		return "is too long";
	return strlen(*text) == *size ? NULL : "has a NUL in it";
}

static const char *check_name(
	const struct at_statement *row, int column, bool may_be_empty)
{
	const char *text, *wrong;
	size_t size;

	wrong = check_text(row, column, NAME_BYTES_MAX, &text, &size);
	if (wrong)
		return wrong;
	/* it is shown on terminals, and made into names of files */
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 127)
			return "has a control character in it";
	return size || may_be_empty ? NULL : "is empty";
}

/* results lie in a folder of this name */
static const char *check_slug(const struct at_statement *row, int column)
{
	const char *wrong = check_name(row, column, false);

	if (wrong)
		return wrong;
	return *at_statement_text(row, column) == '.' ||
			       strchr(at_statement_text(row, column), '/')
		       ? "is no name of a folder"
		       : NULL;
}

static bool is_scalar_object(const struct at_json *json)
{
	const char *key;

	for (size_t i = 0; (key = at_json_key_at(json, i)); i++) {
		const struct at_json *value = at_json_get(json, key);

		if (at_json_key_at(value, 0) || at_json_at(value, 0))
			return false;
	}
	return true;
}

static const char *check_json(struct at_merge_check *self,
	const struct at_statement *row, int column, enum at_merge_kind kind)
{
	struct at_strbuf *last = &self->last[(size_t)column % AT_COUNT_OF(self->last)];
	struct at_json *json;
	const char *text, *wrong;
	size_t size;

	wrong = check_text(row, column, JSON_BYTES_MAX, &text, &size);
	if (wrong || (!size && kind == AT_MERGE_JSON_OR_EMPTY))
		return wrong;
	if (size && size == last->length && !memcmp(text, last->data, size))
		return NULL;
	if (*text != '{' && (*text != '[' || kind == AT_MERGE_CONFIGURATION))
		return "is no JSON object";
	if (at_json_parse(text, size, NULL, &json, NULL))
		return "is no JSON";
	if (kind == AT_MERGE_CONFIGURATION && !is_scalar_object(json))
		wrong = "has something else than values in it";
	at_json_free(json);
	at_strbuf_clear(last);
	at_strbuf_add_bytes(last, text, size);
	return wrong;
}

static const char *check_integer(
	const struct at_statement *row, int column, int64_t lowest, int64_t highest)
{
	int64_t value = at_statement_integer(row, column);

	if (at_statement_type(row, column) != AT_SQLITE_INTEGER)
		return "is no whole number";
	if (value < lowest)
		return lowest == 1 ? "is not above 0" : "is negative";
	return value > highest ? "is too large" : NULL;
}

static const char *check_real(
	const struct at_statement *row, int column, double highest, const char *wrong)
{
	double value = at_statement_real(row, column);

	if (at_statement_type(row, column) != AT_SQLITE_REAL)
		return "is no number";
	if (!(value >= 0))
		return "is negative";
	return value <= highest ? NULL : wrong;
}

static const char *check_samples(const struct at_statement *row, int column)
{
	const unsigned char *bytes;
	size_t size;

	if (at_statement_type(row, column) != AT_SQLITE_BYTES)
		return "are no bytes";
	bytes = at_statement_bytes(row, column, &size);
	if (size % 8 || size / 8 > SAMPLES_MAX)
		return "are no samples by their size";
	for (size_t i = 0; i < size; i += 8) {
		uint64_t bits = 0;
		double value;

		for (size_t k = 0; k < 8; k++)
			bits |= (uint64_t)bytes[i + k] << (8 * k);
		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value) || value < 0)
			return "have one that is no time";
	}
	return NULL;
}

static const char *check_hash(const struct at_statement *row, int column)
{
	size_t size;

	at_statement_bytes(row, column, &size);
	if (at_statement_type(row, column) != AT_SQLITE_BYTES || size != 16)
		return "is no hash of 16 bytes";
	return NULL;
}

static const char *check_value(struct at_merge_check *self,
	const struct at_statement *row, int column, enum at_merge_kind kind)
{
	bool is_null = at_statement_is_null(row, column);
	const char *text, *wrong;
	size_t size;

	switch (kind) {
	case AT_MERGE_NONE:
		break;
	case AT_MERGE_RUN:
	case AT_MERGE_BASELINE:
	case AT_MERGE_PORTFOLIO:
		if (is_null)
			return NULL;
		return check_integer(row, column, 1, INT64_MAX);
	case AT_MERGE_DEVICE:
	case AT_MERGE_EVALUATION:
		return check_integer(row, column, 1, INT64_MAX);
	case AT_MERGE_NAME:
		return check_name(row, column, false);
	case AT_MERGE_SLUG:
		return check_slug(row, column);
	case AT_MERGE_ORIGIN:
	case AT_MERGE_WORD:
		return check_name(row, column, true);
	case AT_MERGE_TEXT:
		return check_text(row, column, TEXT_BYTES_MAX, &text, &size);
	case AT_MERGE_JSON_OR_EMPTY:
	case AT_MERGE_CONFIGURATION:
		return check_json(self, row, column, kind);
	case AT_MERGE_OUTCOME:
		wrong = check_name(row, column, false);
		if (!wrong && at_outcome_from_name(at_statement_text(row, column)) ==
				      AT_OUTCOME_NONE)
			wrong = "is an outcome that this version does not know";
		return wrong;
	case AT_MERGE_OBJECTIVE:
		wrong = check_name(row, column, false);
		if (!wrong && !at_objective_find(at_statement_text(row, column)))
			wrong = "is an objective that this version does not know";
		return wrong;
	case AT_MERGE_SECONDS_OR_NULL:
		if (is_null)
			return NULL;
		/* fall through */
	case AT_MERGE_SECONDS:
		wrong = check_integer(row, column, 0, INT64_MAX);
		if (!wrong && at_statement_integer(row, column) > self->latest_seconds)
			wrong = "is in the future: the clock there, or here, is wrong";
		return wrong;
	case AT_MERGE_KNOWN:
		if (is_null)
			return NULL;
		/* fall through */
	case AT_MERGE_COUNT:
		return check_integer(row, column, 0, INT64_MAX);
	case AT_MERGE_INTEGER:
		return check_integer(row, column, INT64_MIN, INT64_MAX);
	case AT_MERGE_REAL:
		return is_null ? NULL : check_real(row, column, 1.7e308, "is infinite");
	case AT_MERGE_SIGNED:
		if (is_null)
			return NULL;
		return at_statement_type(row, column) == AT_SQLITE_REAL &&
				       isfinite(at_statement_real(row, column))
			       ? NULL
			       : "is no number";
	case AT_MERGE_ERROR:
		return is_null ? NULL : check_real(row, column, INFINITY, NULL);
	case AT_MERGE_FRACTION:
		return is_null ? NULL : check_real(row, column, 1, "is above 1");
	case AT_MERGE_FLAG:
		return check_integer(row, column, 0, 1);
	case AT_MERGE_HASH_OR_NULL:
		return is_null ? NULL : check_hash(row, column);
	case AT_MERGE_HASH:
		return check_hash(row, column);
	case AT_MERGE_SAMPLES:
		return is_null ? NULL : check_samples(row, column);
	}
	return NULL;
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

		/* whoever lists them takes it for granted */
		if (!strcmp(at_statement_text(row, outcome),
			    at_outcome_name(AT_OUTCOME_OK)) &&
			!(at_statement_real(row, time) > 0))
			return fail_row(self, table, row, "time_ns",
				"is not known, and it is ok", err);
	}
	return AT_OK;
}
