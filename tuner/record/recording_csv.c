/*
 * Reads CSV as a recording: what record/export_csv.c writes, and any other file whose
 * first line names the columns, one of which is the time with its unit
 * ("BLOCK,TILE,time_ms"). A column of an unknown name is a parameter. Between cells may
 * be commas, semicolons or tabs, and lines may end in any way. Spaces around a cell are
 * no part of it, and a line of spaces alone is none. In a text that begins with ', the
 * text proper follows the '.
 */
#include "record/recording_build.h"

#include "base/text.h"
#include "record/export_csv.h"
#include "record/csv_names.h"
#include "space/diagram.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* more than the parameters that any space has, and what our export has beside them */
#define COLUMNS_MAX (2 * AT_DIAGRAM_LEVELS_MAX)

enum column_kind {
	COLUMN_IGNORED = 0,
	COLUMN_PARAMETER,
	COLUMN_SPACE,
	COLUMN_PROBLEM,
	COLUMN_DEVICE,
	COLUMN_OUTCOME,
	COLUMN_VALID,
	COLUMN_TIME,
	COLUMN_SAMPLES,
	COLUMN_RACED,
	COLUMN_COMPILE,
	COLUMN_MEASURE,
	COLUMN_MEASURED,
	COLUMN_OLDER,
	COLUMN_DETAIL,
	COLUMN_COUNT_FACT,
	COLUMN_REAL_FACT,
	COLUMN_LINE_FACT,
};

struct column {
	enum column_kind kind;
	/* of a parameter: its index; of a fact: the offset of its member */
	size_t number;
	double unit_ns; /* of a time: nanoseconds in the file's unit */
};

#define FACT_KIND_KNOWN COLUMN_COUNT_FACT
#define FACT_KIND_REAL COLUMN_REAL_FACT
#define FACT_KIND_LINE COLUMN_LINE_FACT
#define FACT(name, kind) \
	{ #name, FACT_KIND_##kind, offsetof(struct at_facts, name), 0 },

static const struct {
	const char *name;
	enum column_kind kind;
	size_t number;
	double unit_ns;
} known_columns[] = { { "space", COLUMN_SPACE, 0, 0 },
	{ "problem", COLUMN_PROBLEM, 0, 0 }, { "device", COLUMN_DEVICE, 0, 0 },
	{ "outcome", COLUMN_OUTCOME, 0, 0 }, { "valid", COLUMN_VALID, 0, 0 },
	{ "is_valid", COLUMN_VALID, 0, 0 }, { "correct", COLUMN_VALID, 0, 0 },
	{ "is_correct", COLUMN_VALID, 0, 0 }, { "time_ns", COLUMN_TIME, 0, 1 },
	{ "time_us", COLUMN_TIME, 0, 1e3 }, { "time_ms", COLUMN_TIME, 0, 1e6 },
	{ "time_s", COLUMN_TIME, 0, 1e9 }, { "samples_ns", COLUMN_SAMPLES, 0, 0 },
	{ "raced", COLUMN_RACED, 0, 0 }, { "compile_ns", COLUMN_COMPILE, 0, 0 },
	{ "measure_ns", COLUMN_MEASURE, 0, 0 }, { "measured", COLUMN_MEASURED, 0, 0 },
	{ "older_source", COLUMN_OLDER, 0, 0 }, { "detail", COLUMN_DETAIL, 0, 0 },
	AT_FACTS(FACT) };

struct reading {
	struct at_recording_builder builder;
	const char *path;
	char *at;
	char *end; /* behind the text; holds a 0 */
	char separator; /* of cells: comma, semicolon or tab */
	int line; /* the line number at `at` */
	int row_line; /* the line where the current row begins */
	struct column *columns;
	size_t count;
	/* how many of the first columns are those of our own export, in its order */
	size_t place_count;
	bool is_behind_outcome;
	/* the first column that is no parameter by its name; NULL: none */
	const char *measurement;
	/* what was read of the current row */
	struct at_facts facts;
	bool has_facts;
	double time_ns;
	const char
		*failure; /* what stands in place of a time; NULL: a time or nothing */
	const char *outcome;
	const char *detail;
	bool is_invalid;
};

/* what: any text of the file, for a %s of format */
static enum at_status fail(const struct reading *self, struct at_error *err,
	const char *format, const char *what)
{
	char shown[200];

	snprintf(shown, sizeof(shown), "%s", what);
	at_text_flatten(shown);
	return at_fail(err, AT_EINVAL, self->path, self->row_line, format, shown);
}

/* ---- cells --------------------------------------------------------------------- */

/* Reads the next cell and removes its quotes in place. *is_last: it was the last of its
   line. Fails where a quote is not closed, or text follows a closing quote. */
static enum at_status next_cell(
	struct reading *self, char **out, bool *is_last, struct at_error *err)
{
	char *from = self->at + strspn(self->at, " "), *to = self->at, *behind;
	bool is_quoted = *from == '"';
	const char *kept = to; /* the end of what no blank may be cut from */

	*out = to;
	if (is_quoted)
		from++;
	while (from < self->end) {
		if (is_quoted && *from == '"') {
			from++;
			if (*from != '"') {
				is_quoted = false;
				kept = to;
				from += strspn(from, " ");
				break;
			}
		} else if (!is_quoted && (*from == self->separator || *from == '\n' ||
						 *from == '\r')) {
			break;
		}
		self->line += *from == '\n';
		*to++ = *from++;
	}
	if (is_quoted)
		return fail(self, err, "a cell begins with %s and does not end", "\"");
	if (from < self->end && *from != self->separator && *from != '\n' &&
		*from != '\r')
		return fail(self, err, "a cell goes on behind its closing %s", "\"");
	*is_last = *from != self->separator;
	behind = from + (from < self->end);
	if (*from == '\r' && *behind == '\n')
		behind++;
	self->line += *is_last && from < self->end;
	while (to > kept && to[-1] == ' ')
		to--;
	*to = '\0';
	self->at = behind;
	return strlen(*out) == (size_t)(to - *out)
		       ? AT_OK
		       : fail(self, err, "there is a NUL in a %s", "cell");
}

/* The text that a cell stands for. */
static const char *plain(const char *cell)
{
	return *cell == '\'' ? cell + 1 : cell;
}

static struct at_value value_of(const char *cell)
{
	struct at_value value = { .type = AT_TYPE_WORD, .word = plain(cell) };
	int64_t whole;
	double real;

	if (*cell == '\'' || !at_csv_is_value(cell))
		return value;
	if (at_text_integer(cell, &whole))
		value = (struct at_value){ .type = AT_TYPE_INTEGER, .integer = whole };
	else if (at_text_real(cell, &real))
		value = (struct at_value){ .type = AT_TYPE_REAL, .real = real };
	else
		value = (struct at_value){ .type = AT_TYPE_BOOLEAN,
			.integer = *cell == 't' || *cell == 'T' };
	return value;
}

/* The number in a cell, NAN for an empty one; *is_number false: it holds something
   else. */
static double number_of(const char *cell, bool *is_number)
{
	double value = NAN;

	*is_number = !*cell || at_text_real(cell, &value);
	return value;
}

/* ---- the first line -------------------------------------------------------------- */

/*
 * Whether the next column stands where our own export has the parameters. There a name
 * means nothing: a file of an earlier version has names without the prefix that are
 * special by now.
 */
static bool is_own_parameter(struct reading *self, const char *name)
{
#define PLACE_NAME(name) #name,
	static const char *const places[] = { AT_CSV_PLACE(PLACE_NAME) };

	if (self->place_count == AT_COUNT_OF(places)) {
		self->is_behind_outcome |= !strcmp(name, "outcome");
		return !self->is_behind_outcome;
	}
	if (self->place_count == self->count &&
		!strcmp(name, places[self->place_count]))
		self->place_count++;
	return false;
}

static enum at_status add_known_column(
	struct reading *self, const char *name, struct at_error *err)
{
	struct column *column = &self->columns[self->count];

	for (size_t i = 0; i < AT_COUNT_OF(known_columns); i++)
		if (!strcmp(known_columns[i].name, name) &&
			column->kind == COLUMN_IGNORED)
			*column = (struct column){ known_columns[i].kind,
				known_columns[i].number, known_columns[i].unit_ns };
	for (size_t i = 0; i < self->count && column->kind != COLUMN_IGNORED; i++) {
		const struct column *other = &self->columns[i];

		if (other->kind != column->kind || other->number != column->number)
			continue;
		return fail(self, err,
			other->unit_ns == column->unit_ns &&
					column->kind != COLUMN_VALID
				? "has the column \"%s\" twice"
				: "has \"%s\" and another column of that kind: leave one of the two out",
			name);
	}
	if (!strcmp(name, "time"))
		return fail(self, err,
			"the unit of the column \"%s\" is not known: call it time_ns, time_us, time_ms or time_s",
			name);
	/* whether another column is the time is known behind the last one */
	if (column->kind == COLUMN_IGNORED && !at_csv_is_column(name) &&
		!at_csv_is_row_number(name) && !self->measurement)
		self->measurement = name;
	self->count++;
	return AT_OK;
}

static enum at_status add_column(
	struct reading *self, const char *cell, struct at_error *err)
{
	const char *name = plain(cell);
	size_t prefix = strlen(AT_CSV_PARAMETER);
	bool is_prefixed = !strncmp(name, AT_CSV_PARAMETER, prefix);

	if (!is_own_parameter(self, name) && !is_prefixed && at_csv_needs_prefix(name))
		return add_known_column(self, at_csv_plain_name(name), err);
	self->columns[self->count++] = (struct column){ .kind = COLUMN_PARAMETER,
		.number = self->builder.recording->parameter_count };
	return at_recording_builder_parameter(
		&self->builder, is_prefixed ? name + prefix : name, err);
}

static bool has_column(const struct reading *self, enum column_kind kind)
{
	for (size_t i = 0; i < self->count; i++)
		if (self->columns[i].kind == kind)
			return true;
	return false;
}

static enum at_status fail_measurement(const struct reading *self, struct at_error *err)
{
	const char *unit = at_csv_time_unit(self->measurement);
	char format[200];

	snprintf(format, sizeof(format),
		"the column \"%%s\" is no parameter by its name: %s%s%sleave it out, or begin the name with " AT_CSV_PARAMETER,
		has_column(self, COLUMN_TIME) ? "" : "if it is the time call it ",
		has_column(self, COLUMN_TIME) ? ""
		: unit                        ? unit
					      : "time_ns, time_us, time_ms or time_s",
		has_column(self, COLUMN_TIME) ? "" : ", else ");
	return fail(self, err, format, self->measurement);
}

static enum at_status read_header(struct reading *self, struct at_error *err)
{
	bool is_last = false;
	enum at_status status = AT_OK;

	self->columns = calloc(COLUMNS_MAX, sizeof(*self->columns));
	if (!self->columns)
		return at_fail_memory(err);
	while (!is_last && !status) {
		char *cell;

		if (self->count == COLUMNS_MAX)
			return fail(self, err, "has too many %s", "columns");
		status = next_cell(self, &cell, &is_last, err);
		if (!status)
			status = add_column(self, cell, err);
	}
	if (!status && self->measurement)
		return fail_measurement(self, err);
	if (!status && !has_column(self, COLUMN_TIME))
		status = fail(self, err,
			"has no column with the time: call it time_ns, time_us, time_ms or %s",
			"time_s");
	return status;
}

/* ---- rows ------------------------------------------------------------------------ */

/* Sets space, problem or device, which must be the same in all rows. */
static enum at_status set_place(const struct reading *self, char **out,
	const char *cell, const char *what, struct at_error *err)
{
	if (*out)
		return strcmp(*out, plain(cell))
			       ? fail(self, err,
					 "has evaluations of a second %s: one of each in a file",
					 what)
			       : AT_OK;
	*out = at_strdup(plain(cell));
	return *out ? AT_OK : at_fail_memory(err);
}

static enum at_status add_samples(
	struct reading *self, char *cell, struct at_error *err)
{
	enum at_status status = AT_OK;
	char *rest = NULL;

	for (char *text = strtok_r(cell, " ", &rest); text && !status;
		text = strtok_r(NULL, " ", &rest)) {
		double value;

		if (!at_text_real(text, &value) || value <= 0)
			return fail(self, err,
				"expected times above 0 in \"samples_ns\", found \"%.60s\"",
				text);
		status = at_recording_builder_sample(&self->builder, value, err);
	}
	return status;
}

static enum at_status set_number(
	struct reading *self, double *out, const char *cell, struct at_error *err)
{
	bool is_number;

	*out = number_of(cell, &is_number);
	if (!is_number || *out < 0)
		return fail(self, err,
			"expected a number that is not negative, found \"%.60s\"",
			cell);
	return AT_OK;
}

/* What other tools write for a failure is no time: a word, nan, inf, 0, -1 or 1e20. A
   number that cannot be read is an error, since it would be a time. */
static enum at_status set_time(struct reading *self, const struct column *column,
	const char *cell, struct at_error *err)
{
	const char *first = cell + (*cell == '-' || *cell == '+');
	double value;

	if (!*cell)
		return AT_OK;
	if (!at_text_real(cell, &value)) {
		if (strchr("0123456789.", *first))
			return fail(self, err,
				"expected a time as a number such as 1.5, found \"%.60s\"",
				cell);
		self->failure = plain(cell);
	} else if (at_recording_is_time(value)) {
		self->time_ns = value * column->unit_ns;
	} else {
		self->failure = "failed";
	}
	return AT_OK;
}

static enum at_status set_fact(struct reading *self, const struct column *column,
	const char *cell, struct at_error *err)
{
	char *member = (char *)&self->facts + column->number;
	double value;
	enum at_status status;

	if (!*cell)
		return AT_OK;
	self->has_facts = true;
	if (column->kind == COLUMN_LINE_FACT) {
		snprintf(member, AT_FACT_LINE_SIZE, "%s", plain(cell));
		return AT_OK;
	}
	status = set_number(self, &value, cell, err);
	if (status)
		return status;
	if (column->kind == COLUMN_REAL_FACT)
		*(double *)(void *)member = value;
	else if (value <= 9e15)
		*(int64_t *)(void *)member = (int64_t)value;
	return AT_OK;
}

static enum at_status set_cell(struct reading *self, const struct column *column,
	char *cell, struct at_error *err)
{
	struct at_recording *recording = self->builder.recording;
	struct at_recorded *result = self->builder.result;
	double value;
	enum at_status status;

	switch (column->kind) {
	case COLUMN_IGNORED:
		break;
	case COLUMN_PARAMETER:
		if (!*cell)
			return fail(self, err, "has no value of \"%s\"",
				recording->parameters[column->number].name);
		return at_recording_builder_set(
			&self->builder, column->number, value_of(cell), err);
	case COLUMN_SPACE:
		return set_place(self, &recording->kernel, cell, "space", err);
	case COLUMN_PROBLEM:
		return set_place(self, &recording->problem, cell, "problem", err);
	case COLUMN_DEVICE:
		return set_place(self, &recording->device, cell, "device", err);
	case COLUMN_OUTCOME:
		self->outcome = plain(cell);
		break;
	case COLUMN_VALID:
		if (!at_csv_is_truth(cell))
			return fail(self, err,
				"expected true or false, found \"%.60s\"", cell);
		self->is_invalid = !at_csv_is_true(cell);
		break;
	case COLUMN_TIME:
		return set_time(self, column, cell, err);
	case COLUMN_SAMPLES:
		return add_samples(self, cell, err);
	case COLUMN_RACED:
		result->is_raced = at_csv_is_true(cell);
		break;
	case COLUMN_OLDER:
		result->is_older = at_csv_is_true(cell);
		break;
	case COLUMN_COMPILE:
		status = set_number(self, &value, cell, err);
		result->compile_seconds = value * 1e-9;
		return status;
	case COLUMN_MEASURE:
		status = set_number(self, &value, cell, err);
		result->measure_seconds = value * 1e-9;
		return status;
	case COLUMN_MEASURED:
		result->created_seconds = at_recording_seconds(plain(cell));
		break;
	case COLUMN_DETAIL:
		self->detail = plain(cell);
		break;
	case COLUMN_COUNT_FACT:
	case COLUMN_REAL_FACT:
	case COLUMN_LINE_FACT:
		return set_fact(self, column, cell, err);
	}
	return AT_OK;
}

static enum at_status end_row(struct reading *self, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;
	const char *outcome = self->outcome;
	enum at_status status = AT_OK;

	if (!outcome && self->failure)
		outcome = self->failure;
	else if (!outcome && isnan(self->time_ns) && !self->is_invalid)
		outcome = "failed";
	else if (!outcome)
		outcome = at_outcome_name(AT_OUTCOME_OK);
	/* what is wrong has no time, whatever else the row says */
	if (self->is_invalid && at_outcome_from_name(outcome) == AT_OUTCOME_OK)
		outcome = at_outcome_name(AT_OUTCOME_WRONG_RESULT);
	result->outcome = at_outcome_from_name(outcome);
	if (result->outcome == AT_OUTCOME_OK) {
		if (!isfinite(self->time_ns))
			return fail(self, err, "is \"%s\", and has no time", outcome);
		result->time_ns = self->time_ns;
	} else {
		/* another tool's word: the configuration was tried, and has no time */
		if (result->outcome == AT_OUTCOME_NONE)
			result->outcome = AT_OUTCOME_LAUNCH_FAILED;
		result->is_raced = false;
		result->measure_seconds = 0;
		result->sample_count = 0;
		status = at_recording_builder_keep(&self->builder,
			*self->detail ? self->detail : outcome, &result->reason, err);
	}
	if (!status && self->has_facts)
		status = at_recording_builder_facts(&self->builder, &self->facts, err);
	return status;
}

static enum at_status read_row(struct reading *self, struct at_error *err)
{
	bool is_last = false;
	enum at_status status = at_recording_builder_row(&self->builder, err);

	self->facts = (struct at_facts)AT_FACTS_UNKNOWN;
	self->has_facts = false;
	self->time_ns = NAN;
	self->failure = NULL;
	self->outcome = NULL;
	self->detail = "";
	self->is_invalid = false;
	for (size_t i = 0; !is_last && !status; i++) {
		char *cell;

		if (i == self->count)
			return fail(self, err, "has more cells than there are %s",
				"columns");
		status = next_cell(self, &cell, &is_last, err);
		if (!status)
			status = set_cell(self, &self->columns[i], cell, err);
		if (!status && is_last && i + 1 < self->count)
			return fail(self, err, "has fewer cells than there are %s",
				"columns");
	}
	return status ? status : end_row(self, err);
}

static enum at_status read_file(struct reading *self, struct at_error *err)
{
	enum at_status status = read_header(self, err);
	char *behind;

	while (!status && self->at < self->end) {
		self->row_line = self->line;
		behind = self->at + strspn(self->at, " ");
		/* an empty line, such as the last one */
		if (*behind == '\n' || *behind == '\r' || behind == self->end) {
			self->line += *behind == '\n';
			self->at = behind + (behind < self->end);
			continue;
		}
		status = read_row(self, err);
	}
	return status;
}

/* The character between the cells of the first line; spreadsheets also write semicolons
   and tabs. */
static char separator_of(const char *text)
{
	bool is_quoted = false;

	for (; *text && (is_quoted || (*text != '\n' && *text != '\r')); text++) {
		is_quoted ^= *text == '"';
		if (!is_quoted && strchr(",;\t", *text))
			return *text;
	}
	return ',';
}

enum at_status at_recording_read_csv(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err)
{
	/* own: the code below needs the status even where err is NULL */
	struct at_error own = { 0 };
	struct reading self = { .path = path,
		.at = text + at_text_mark_bytes(text, size),
		.end = text + size,
		.separator = separator_of(text),
		.line = 1,
		.row_line = 1 };
	enum at_status status;

	status = at_recording_builder_init(&self.builder, path, NULL, &own);
	if (!status)
		status = read_file(&self, &own);
	if (!status)
		status = at_recording_builder_finish(&self.builder, out, &own);
	at_recording_builder_release(&self.builder);
	free(self.columns);
	if (status && err && !err->status)
		*err = own;
	return status;
}
