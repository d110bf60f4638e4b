/* Writes and reads evaluations as CSV by one table of columns (record/export.h). */
#include "record/export.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/evaluation_json.h"
#include "record/recording_build.h"
#include "record/result.h"
#include "space/diagram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PARAMETER "parameter."
/* more than any space's parameters and the other columns */
#define COLUMNS_MAX (2 * AT_DIAGRAM_LEVELS_MAX)

/* A row without its parameters. While it is read, texts point into the file. */
struct row {
	char *device;
	char *device_kind;
	char *architecture;
	bool older_source;
	char *outcome;
	/* of a row being read; a row being written has them in `of` */
	char *samples_ns;
	struct at_evaluation of;
};

/* Format of a column, by the type of its member. */
enum kind {
	TEXT, /* char * */
	KNOWN, /* int64_t, -1: not known */
	REAL, /* double, NAN: not known */
	FLAG, /* bool */
	LINE, /* char[AT_FACT_LINE_SIZE] */
	TIME, /* int64_t, seconds since 1970 */
	SAMPLES,
	PARAMETERS, /* a column for each */
};

struct column {
	const char *name;
	enum kind kind;
	size_t offset; /* of the member in struct row */
};

#define AT(name, member, kind) \
	{ \
#name, kind, offsetof(struct row, member) \
	}
#define FACT(name, kind) AT(name, of.facts.name, kind),

/* In the order of the file. */
static const struct column columns[] = {
	AT(space, of.space, TEXT),
	AT(problem, of.problem, TEXT),
	AT(sizes, of.problem_json, TEXT),
	AT(device, device, TEXT),
	AT(device_kind, device_kind, TEXT),
	AT(architecture, architecture, TEXT),
	{ NULL, PARAMETERS, 0 },
	AT(outcome, outcome, TEXT),
	AT(time_ns, of.time_ns, REAL),
	AT(low_ns, of.low_ns, REAL),
	AT(high_ns, of.high_ns, REAL),
	AT(raced, of.raced, FLAG),
	AT_FACTS(FACT) AT(flops, of.flops, REAL),
	AT(bytes, of.bytes, REAL),
	AT(is_double, of.is_double, FLAG),
	AT(max_relative_error, of.max_relative_error, REAL),
	AT(measure_ns, of.measure_ns, KNOWN),
	AT(clock_hz, of.clock_hz, KNOWN),
	AT(throttled, of.throttled, FLAG),
	AT(launches_per_sample, of.launches_per_sample, KNOWN),
	AT(board, of.board, TEXT),
	AT(measured, of.created_seconds, TIME),
	AT(older_source, older_source, FLAG),
	AT(samples_ns, samples_ns, SAMPLES),
	AT(detail, of.detail, TEXT),
};

static const struct column *find_column(const char *name)
{
	for (size_t i = 0; i < AT_COUNT_OF(columns); i++)
		if (columns[i].name && !strcmp(columns[i].name, name))
			return &columns[i];
	return NULL;
}

/* The parameter value of a cell. Spreadsheets write TRUE for true. */
static struct at_value value_of(char *cell)
{
	struct at_value value = { .type = AT_TYPE_WORD,
		.word = cell + (*cell == '\'') };
	bool is_true = !strcasecmp(cell, "true");

	if (at_text_integer(cell, &value.integer))
		value.type = AT_TYPE_INTEGER;
	else if (at_text_real(cell, &value.real))
		value.type = AT_TYPE_REAL;
	else if (is_true || !strcasecmp(cell, "false"))
		value = (struct at_value){ .type = AT_TYPE_BOOLEAN,
			.integer = is_true };
	return value;
}

/* ---- writing --------------------------------------------------------------------- */

/* must_not_be_empty: also mark an empty text, which readers take for no value */
static void add_text(struct at_strbuf *out, const char *text, bool must_not_be_empty)
{
	struct at_strbuf marked = { 0 };

	if (strchr("=+-@'\t\r\n", *text)
			? *text || must_not_be_empty
			: value_of((char *)(uintptr_t)text).type != AT_TYPE_WORD)
		at_strbuf_add_char(&marked, '\'');
	at_strbuf_add(&marked, text);
	at_escape_csv(out, at_strbuf_text(&marked));
	at_strbuf_release(&marked);
}

static void add_real(struct at_strbuf *out, double value)
{
	char text[32];

	if (!isfinite(value))
		return;
	at_text_shortest_real(value, text, sizeof(text));
	at_strbuf_add(out, text);
}

static void add_parameter(struct at_strbuf *out, const struct at_json *json)
{
	struct at_value value = at_value_from_json(json);

	if (value.type == AT_TYPE_WORD) {
		add_text(out, value.word, true);
	} else if (value.type == AT_TYPE_REAL) {
		add_real(out, value.real);
		/* keep a decimal point: 2 would be read as an integer */
		if (rint(value.real) == value.real && fabs(value.real) < 1e15)
			at_strbuf_add(out, ".0");
	} else if (value.type != AT_TYPE_NONE) {
		at_value_format(value, out);
	}
}

static void add_cell(
	const struct column *column, const struct row *row, struct at_strbuf *out)
{
	const void *member = (const char *)row + column->offset;
	char moment[AT_ISO_TIME_SIZE];
	int64_t whole;

	switch (column->kind) {
	case TEXT:
		add_text(out, *(char *const *)member, false);
		break;
	case LINE:
		add_text(out, member, false);
		break;
	case KNOWN:
		whole = *(const int64_t *)member;
		if (whole >= 0)
			at_strbuf_add_integer(out, whole);
		break;
	case REAL:
		add_real(out, *(const double *)member);
		break;
	case FLAG:
		at_strbuf_add(out, *(const bool *)member ? "true" : "false");
		break;
	case TIME:
		whole = *(const int64_t *)member;
		if (whole > 0)
			at_strbuf_add(out, at_result_iso_time(whole, moment));
		break;
	case SAMPLES:
		for (size_t i = 0; i < row->of.sample_count; i++) {
			at_strbuf_add(out, i ? " " : "");
			add_real(out, row->of.samples_ns[i]);
		}
		break;
	case PARAMETERS:
		break;
	}
}

struct writing {
	const struct at_export_group *group;
	struct at_strbuf *out;
	/* the newest configuration, which names the parameters */
	struct at_json *newest;
};

/* row NULL: the line of names */
static void write_line(struct writing *self, const struct row *row,
	const struct at_json *configuration)
{
	struct at_strbuf *out = self->out;
	const char *name;

	for (size_t i = 0; i < AT_COUNT_OF(columns); i++) {
		void *place = NULL;

		while (columns[i].kind == PARAMETERS &&
			at_json_next(self->newest, &place, &name)) {
			at_strbuf_add_char(out, ',');
			if (row) {
				add_parameter(out, at_json_get(configuration, name));
			} else {
				struct at_strbuf whole = { 0 };

				if (!*name || find_column(name) ||
					!strncmp(name, PARAMETER, strlen(PARAMETER)))
					at_strbuf_add(&whole, PARAMETER);
				at_strbuf_add(&whole, name);
				add_text(out, at_strbuf_text(&whole), true);
				at_strbuf_release(&whole);
			}
		}
		if (columns[i].kind == PARAMETERS)
			continue;
		at_strbuf_add(out, i ? "," : "");
		if (row)
			add_cell(&columns[i], row, out);
		else
			at_strbuf_add(out, columns[i].name);
	}
	at_strbuf_add(out, "\r\n");
}

/* Whether a configuration has exactly the parameters of the newest one. */
static bool fits(const struct writing *self, const struct at_json *configuration)
{
	size_t width = 0;
	const char *name;

	for (void *place = NULL; at_json_next(self->newest, &place, &name); width++)
		if (!at_json_get(configuration, name))
			return false;
	return !at_json_key_at(configuration, width);
}

static enum at_status write_one(void *context, const struct at_evaluation *evaluation,
	bool is_older, bool is_newest, struct at_error *err)
{
	struct writing *self = context;
	struct row row = {
		.device = self->group->device.model,
		.device_kind = self->group->device.kind,
		.architecture = self->group->device.architecture,
		.older_source = is_older,
		.outcome = (char *)(uintptr_t)at_outcome_name(evaluation->outcome),
		.of = *evaluation,
	};
	struct at_json *configuration = at_json_embedded(evaluation->configuration);

	(void)err;
	if (is_newest) {
		self->newest = configuration;
		write_line(self, NULL, NULL);
		return AT_OK;
	}
	if (evaluation->outcome != AT_OUTCOME_OK) {
		row.of.time_ns = row.of.low_ns = row.of.high_ns = NAN;
		row.of.sample_count = 0;
	}
	if (fits(self, configuration))
		write_line(self, &row, configuration);
	at_json_free(configuration);
	return AT_OK;
}

enum at_status at_export_csv(struct at_store *store,
	const struct at_export_group *group, struct at_strbuf *out,
	struct at_error *err)
{
	struct writing self = { .group = group, .out = out };
	size_t older_count;
	enum at_status status = at_store_walk_group(store, group->space, group->problem,
		group->device.slug, true, &older_count, write_one, &self, err);

	at_json_free(self.newest);
	return status;
}

/* ---- reading --------------------------------------------------------------------- */

struct reading {
	struct at_recording_builder builder;
	const char *path;
	char *at; /* the next cell; the text ends with a NUL */
	int line; /* the line number at `at` */
	int row_line; /* the first line of the current row */
	/* in the order of the file; for a parameter, kind is PARAMETERS and offset its
	   index */
	struct column *columns;
	size_t count;
};

/* what: any text of the file, for the %s of format */
static enum at_status fail(const struct reading *self, struct at_error *err,
	const char *format, const char *what)
{
	char shown[200];

	snprintf(shown, sizeof(shown), "%s", what);
	at_text_flatten(shown);
	return at_fail(err, AT_EINVAL, self->path, self->row_line, format, shown);
}

/* Reads the next cell and unquotes it in place. *is_last: it was the last of its
   line. */
static enum at_status next_cell(
	struct reading *self, char **out, bool *is_last, struct at_error *err)
{
	char *from = self->at, *to = from, end;
	bool is_quoted = *from == '"';

	*out = to;
	from += is_quoted;
	for (; is_quoted ? *from != '"' || from[1] == '"' : !strchr(",\r\n", *from);
		from++) {
		if (!*from)
			return fail(self, err, "a cell begins with %s and does not end",
				"\"");
		from += is_quoted && *from == '"';
		self->line += *from == '\n';
		*to++ = *from;
	}
	from += is_quoted;
	end = *from;
	if (!strchr(",\r\n", end))
		return fail(self, err, "a cell goes on behind its closing %s", "\"");
	*to = '\0';
	*is_last = end != ',';
	from += end == '\r' && from[1] == '\n';
	self->at = from + (end != '\0');
	self->line += *is_last && end;
	return AT_OK;
}

static enum at_status add_column(
	struct reading *self, char *cell, bool is_ahead, struct at_error *err)
{
	const char *name = cell + (*cell == '\'');
	bool is_prefixed = !strncmp(name, PARAMETER, strlen(PARAMETER));
	const struct column *known = is_prefixed ? NULL : find_column(name);

	if (self->count == COLUMNS_MAX)
		return fail(self, err, "has too many %s", "columns");
	for (size_t i = 0; i < self->count && known; i++)
		if (self->columns[i].name == known->name)
			return fail(self, err, "has the column \"%s\" twice", name);
	if (!known && !is_prefixed && !is_ahead)
		return fail(self, err,
			"column \"%s\" is not known: put it in front of \"outcome\" and \"time_ns\" if it is a parameter, else leave it out",
			name);
	self->columns[self->count++] =
		known ? *known
		      : (struct column){ .kind = PARAMETERS,
				.offset = self->builder.recording->parameter_count };
	return known ? AT_OK
		     : at_recording_builder_parameter(&self->builder,
			       name + (is_prefixed ? strlen(PARAMETER) : 0), err);
}

static enum at_status read_header(struct reading *self, struct at_error *err)
{
	bool is_last = false, has_time = false, is_ahead = true;
	enum at_status status = AT_OK;
	char *cell;

	self->columns = at_calloc(COLUMNS_MAX, sizeof(*self->columns));
	/* another kind of file may have no cells */
	if (!strstr(self->at, "time_ns"))
		return fail(self, err,
			"has no column \"%s\", as CSV of autotune has" AT_RECORDING_CONVERT(
				"csv"),
			"time_ns");
	while (!is_last && !status) {
		status = next_cell(self, &cell, &is_last, err);
		has_time |= !status && !strcmp(cell, "time_ns");
		is_ahead &= !has_time && (status || strcmp(cell, "outcome") != 0);
		if (!status)
			status = add_column(self, cell, is_ahead, err);
	}
	return status || has_time ? status
				  : fail(self, err, "has no column \"%s\"", "time_ns");
}

/* Sets space, problem or device, which must be equal in all rows. */
static enum at_status set_place(const struct reading *self, char **out,
	const char *text, const char *what, struct at_error *err)
{
	if (*out)
		return text && strcmp(*out, text)
			       ? fail(self, err,
					 "has evaluations of a second %s: one of each in a file",
					 what)
			       : AT_OK;
	*out = at_strdup(text ? text : "");
	return AT_OK;
}

static enum at_status read_samples(
	struct reading *self, char *cell, struct at_error *err)
{
	char *rest = NULL;

	for (char *text = cell ? strtok_r(cell, " ", &rest) : NULL; text;
		text = strtok_r(NULL, " ", &rest)) {
		double value;

		if (!at_text_real(text, &value) || value <= 0)
			return fail(self, err,
				"expected times above 0 in \"samples_ns\", found \"%.60s\"",
				text);
		at_recording_builder_sample(&self->builder, value);
	}
	return AT_OK;
}

static enum at_status read_cell(struct reading *self, const struct column *column,
	char *cell, struct row *row, struct at_error *err)
{
	void *member = (char *)row + column->offset;
	char *text = cell + (*cell == '\'');
	double value;

	if (column->kind == PARAMETERS)
		return *cell ? at_recording_builder_set(&self->builder, column->offset,
				       value_of(cell), err)
			     : fail(self, err, "has no value of \"%s\"",
				       self->builder.recording
					       ->parameters[column->offset]
					       .name);
	if (!*cell)
		return AT_OK;
	switch (column->kind) {
	case TEXT:
	case SAMPLES:
		*(char **)member = text;
		break;
	case LINE:
		snprintf(member, AT_FACT_LINE_SIZE, "%s", text);
		break;
	case FLAG:
		*(bool *)member = value_of(cell).integer != 0;
		break;
	case TIME:
		*(int64_t *)member = at_recording_seconds(text);
		break;
	case KNOWN:
	case REAL:
		if (!at_text_real(cell, &value) || value < 0)
			return fail(self, err,
				"expected a number that is not negative, found \"%.60s\"",
				cell);
		if (column->kind == REAL)
			*(double *)member = value;
		else if (value <= 9e15)
			*(int64_t *)member = (int64_t)value;
		break;
	case PARAMETERS:
		break;
	}
	return AT_OK;
}

static enum at_status read_row(struct reading *self, struct at_error *err)
{
	struct row row = { .of = { AT_EVALUATION_UNKNOWN } };
	bool is_last = false;
	enum at_status status = AT_OK;
	char *cell;

	at_recording_builder_row(&self->builder);
	for (size_t i = 0; !is_last && !status; i++) {
		if (i == self->count)
			return fail(self, err, "has more cells than there are %s",
				"columns");
		status = next_cell(self, &cell, &is_last, err);
		if (!status)
			status = read_cell(self, &self->columns[i], cell, &row, err);
		if (!status && is_last && i + 1 < self->count)
			return fail(self, err, "has fewer cells than there are %s",
				"columns");
	}
	if (status)
		return status;
	/* A missing outcome follows from the time. An unknown outcome means that the
	   configuration was tried and has no time. */
	struct at_recording *recording = self->builder.recording;
	bool has_time = at_recording_is_time(row.of.time_ns);
	const char *outcome = row.outcome ? row.outcome : has_time ? "ok" : "failed";

	status = set_place(self, &recording->kernel, row.of.space, "space", err);
	if (!status)
		status = set_place(
			self, &recording->problem, row.of.problem, "problem", err);
	if (!status)
		status = set_place(self, &recording->device, row.device, "device", err);
	if (status)
		return status;
	row.of.outcome = at_outcome_from_name(outcome);
	if (row.of.outcome == AT_OUTCOME_OK && !has_time)
		return fail(self, err, "is \"%s\", and has no time", outcome);
	if (row.of.outcome == AT_OUTCOME_NONE)
		row.of.outcome = AT_OUTCOME_LAUNCH_FAILED;
	if (!row.of.detail)
		row.of.detail = (char *)(uintptr_t)outcome;
	if (row.of.outcome == AT_OUTCOME_OK)
		status = read_samples(self, row.samples_ns, err);
	self->builder.result->is_older = row.older_source;
	at_recording_builder_evaluation(&self->builder, &row.of);
	return status;
}

enum at_status at_recording_read_csv(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err)
{
	struct reading self = { .path = path,
		.at = text + at_text_mark_bytes(text, size),
		.line = 1,
		.row_line = 1 };
	enum at_status status = AT_OK;

	at_recording_builder_init(&self.builder, path, NULL);
	if (strlen(text) != size)
		status = at_fail(
			err, AT_EINVAL, path, 0, "has a NUL in it, and is no text");
	if (!status)
		status = read_header(&self, err);
	while (!status && *self.at) {
		self.row_line = self.line;
		/* an empty line, such as the last one */
		if (*self.at == '\n' || *self.at == '\r')
			self.line += *self.at++ == '\n';
		else
			status = read_row(&self, err);
	}
	if (!status)
		status = at_recording_builder_finish(&self.builder, out, err);
	at_recording_builder_release(&self.builder);
	free(self.columns);
	return status;
}
