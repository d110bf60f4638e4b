/* Recordings: read from files, looked up, and built from rows
   (record/recording_build.h). At the end, values of rows become indices, and rows are
   sorted. */
#define _DEFAULT_SOURCE /* timegm() */
#include "record/recording.h"

#include "base/escape.h"
#include "base/file.h"
#include "base/file_kind.h"
#include "base/gzip.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/cell.h"
#include "record/recording_build.h"
#include "record/store.h"
#include "space/diagram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void at_recording_free(struct at_recording *self)
{
	if (!self)
		return;
	for (size_t i = 0; i < self->parameter_count; i++)
		free((void *)self->parameters[i].values);
	for (size_t i = 0; i < self->text_count; i++)
		free(self->texts[i]);
	free(self->texts);
	free(self->parameters);
	free(self->rows);
	free(self->results);
	free(self->samples_ns);
	free(self->name);
	free(self->path);
	free(self->kernel);
	free(self->problem);
	free(self->device);
	free(self->objective);
	free(self);
}

size_t at_recording_find(const struct at_recording *self, const uint16_t *configuration)
{
	size_t width = self->parameter_count, low = 0, high = self->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2, i = 0;
		const uint16_t *row = self->rows + middle * width;

		while (i < width && row[i] == configuration[i])
			i++;
		if (i == width)
			return middle;
		if (row[i] < configuration[i])
			low = middle + 1;
		else
			high = middle;
	}
	return SIZE_MAX;
}

/* "recordings/gemm.json.gz" -> "gemm" */
static char *name_of(const char *path)
{
	static const char *const endings[] = { ".gz", ".json", ".csv" };
	const char *name = at_path_name(path);
	size_t length = strlen(name);

	for (size_t i = 0; i < AT_COUNT_OF(endings); i++) {
		size_t cut = strlen(endings[i]);

		if (length > cut && !strncmp(name + length - cut, endings[i], cut))
			length -= cut;
	}
	return at_strndup(name, length);
}

/* ---- building -------------------------------------------------------------- */

/* Kernel Tuner's time of a failure if it needs a number, and in older files in place of
   a word. */
#define FAILED_TIME 1e20

bool at_recording_is_time(double value)
{
	return value > 0 && value < FAILED_TIME; /* also false for NaN */
}

void at_recording_builder_init(
	struct at_recording_builder *self, const char *path, const char *name)
{
	struct at_recording *recording = at_calloc(1, sizeof(*recording));

	*self = (struct at_recording_builder){ .recording = recording };
	recording->path = at_strdup(path);
	recording->name = name ? at_strdup(name) : name_of(path);
}

void at_recording_builder_release(struct at_recording_builder *self)
{
	at_recording_free(self->recording);
	free(self->cells);
	at_hash_index_release(&self->text_index);
	*self = (struct at_recording_builder){ 0 };
}

static bool is_utf8(const char *text)
{
	size_t left = strlen(text), length;

	for (; left; text += length, left -= length)
		if (at_character(text, left, &length) == AT_NO_CHARACTER)
			return false;
	return true;
}

const char *at_recording_builder_keep(
	struct at_recording_builder *self, const char *text)
{
	struct at_recording *recording = self->recording;
	size_t count = recording->text_count;
	uint32_t number;

	/* recent texts are the most frequent */
	for (size_t i = count; i-- > 0 && count - i <= 8;)
		if (!strcmp(recording->texts[i], text))
			return recording->texts[i];
	at_hash_index_put(&self->text_index, at_hash_bytes(text, strlen(text)),
		(uint32_t)count, &number);
	if (number < count)
		return recording->texts[number];
	AT_GROW(recording->texts, recording->text_capacity, count + 1);
	return recording->texts[recording->text_count++] = at_strdup(text);
}

size_t at_recording_builder_find(
	const struct at_recording_builder *self, const char *name, size_t likely)
{
	const struct at_recording *recording = self->recording;

	if (likely < recording->parameter_count &&
		!strcmp(recording->parameters[likely].name, name))
		return likely;
	for (size_t i = 0; i < recording->parameter_count; i++)
		if (!strcmp(recording->parameters[i].name, name))
			return i;
	return SIZE_MAX;
}

enum at_status at_recording_builder_parameter(
	struct at_recording_builder *self, const char *name, struct at_error *err)
{
	struct at_recording *recording = self->recording;
	size_t count = recording->parameter_count;
	struct at_search_parameter parameter = { 0 };

	if (!*name)
		return at_fail(err, AT_EINVAL, recording->path, 0,
			"has a parameter without a name");
	if (!at_text_is_shown(name, strlen(name)) || strlen(name) > AT_NAME_BYTES_MAX)
		return at_fail(err, AT_EINVAL, recording->path, 0,
			"the name of parameter %zu is too long, or has a control character in it, or one that is not UTF-8: rename it in the file",
			count + 1);
	/* an early limit: each name is compared with all before it */
	if (count == AT_DIAGRAM_LEVELS_MAX)
		return at_fail(err, AT_EINVAL, recording->path, 0,
			"has more than %d parameters", AT_DIAGRAM_LEVELS_MAX);
	if (at_recording_builder_find(self, name, 0) != SIZE_MAX) {
		char shown[200];

		snprintf(shown, sizeof(shown), "%.199s", name);
		at_text_flatten(shown);
		return at_fail(err, AT_EINVAL, recording->path, 0,
			"has the parameter \"%s\" twice", shown);
	}
	AT_GROW(recording->parameters, self->parameter_capacity, count + 1);
	parameter.name = at_recording_builder_keep(self, name);
	if (recording->count)
		AT_GROW(self->cells, self->cell_capacity, count + 1);
	if (recording->count)
		self->cells[count] = (struct at_value){ .type = AT_TYPE_NONE };
	recording->parameters[count] = parameter;
	recording->parameter_count++;
	return AT_OK;
}

/* Ends the current row, and drops it if it is of an unwanted older source. */
static void end_row(struct at_recording_builder *self)
{
	if (!self->result || !self->result->is_older || self->keeps_older)
		return;
	at_recording_builder_drop(self);
	self->recording->older_count++;
}

void at_recording_builder_row(struct at_recording_builder *self)
{
	struct at_recording *recording = self->recording;
	size_t count, width = recording->parameter_count;

	end_row(self);
	count = recording->count;
	AT_GROW(recording->results, self->row_capacity, count + 1);
	AT_GROW(self->cells, self->cell_capacity, (count + 1) * width);
	for (size_t i = 0; i < width; i++)
		self->cells[count * width + i] =
			(struct at_value){ .type = AT_TYPE_NONE };
	self->result = &recording->results[recording->count++];
	*self->result = (struct at_recorded){
		.reason = "",
		.time_ns = NAN,
		.sample_begin = self->sample_count,
		.compile_seconds = NAN,
		.measure_seconds = NAN,
		.facts = AT_FACTS_UNKNOWN,
	};
}

void at_recording_builder_drop(struct at_recording_builder *self)
{
	self->sample_count = self->result->sample_begin;
	self->recording->count--;
	self->result = NULL;
}

enum at_status at_recording_builder_set(struct at_recording_builder *self,
	size_t parameter, struct at_value value, struct at_error *err)
{
	const struct at_recording *recording = self->recording;
	size_t width = recording->parameter_count;

	if (value.type == AT_TYPE_WORD) {
		/* neither the record nor the formats that we write can hold it */
		if (!is_utf8(value.word) || strlen(value.word) > AT_NAME_BYTES_MAX)
			return at_fail(err, AT_EINVAL, recording->path, 0,
				"has a value of \"%s\" that is longer than %d bytes, or not UTF-8: change it in the file",
				recording->parameters[parameter].name,
				AT_NAME_BYTES_MAX);
		value.word = at_recording_builder_keep(self, value.word);
	}
	self->cells[(recording->count - 1) * width + parameter] = value;
	return AT_OK;
}

size_t at_recording_builder_missing(const struct at_recording_builder *self)
{
	const struct at_recording *recording = self->recording;
	size_t width = recording->parameter_count;
	const struct at_value *cells = self->cells + (recording->count - 1) * width;

	for (size_t i = 0; i < width; i++)
		if (cells[i].type == AT_TYPE_NONE)
			return i;
	return SIZE_MAX;
}

void at_recording_builder_sample(struct at_recording_builder *self, double ns)
{
	AT_GROW(self->recording->samples_ns, self->sample_capacity,
		self->sample_count + 1);
	self->recording->samples_ns[self->sample_count++] = ns;
	self->result->sample_count++;
}

void at_recording_builder_evaluation(
	struct at_recording_builder *self, const struct at_evaluation *evaluation)
{
	struct at_recorded *result = self->result;

	result->outcome = evaluation->outcome;
	result->created_seconds = evaluation->created_seconds;
	result->evaluation_id = evaluation->id;
	result->is_raced = evaluation->raced;
	result->facts = evaluation->facts;
	if (evaluation->facts.compile_ns >= 0)
		result->compile_seconds = (double)evaluation->facts.compile_ns * 1e-9;
	result->measure_seconds = 0;
	if (evaluation->outcome != AT_OUTCOME_OK) {
		result->reason = at_recording_builder_keep(self, evaluation->detail);
		return;
	}
	result->time_ns = evaluation->time_ns;
	result->measure_seconds = evaluation->measure_ns < 0
					  ? (double)NAN
					  : (double)evaluation->measure_ns * 1e-9;
	for (size_t i = 0; i < evaluation->sample_count; i++)
		at_recording_builder_sample(self, evaluation->samples_ns[i]);
}

int64_t at_recording_seconds(const char *text)
{
	struct tm moment = { 0 };
	int year, month;
	char separator;

	if (sscanf(text, "%4d-%2d-%2d%c%2d:%2d:%2d", &year, &month, &moment.tm_mday,
		    &separator, &moment.tm_hour, &moment.tm_min, &moment.tm_sec) != 7 ||
		(separator != ' ' && separator != 'T') || year < 1970 || month < 1 ||
		month > 12 || moment.tm_mday < 1 || moment.tm_mday > 31 ||
		moment.tm_hour < 0 || moment.tm_hour > 23 || moment.tm_min < 0 ||
		moment.tm_min > 59 || moment.tm_sec < 0 || moment.tm_sec > 60)
		return 0;
	moment.tm_year = year - 1900;
	moment.tm_mon = month - 1;
	return timegm(&moment);
}

/* ---- finishing: values become indices, rows are sorted --------------------- */

/* value indices have 16 bits */
#define VALUES_MAX 65535

/* The type that can represent all values of a parameter. */
static enum at_type common_type(enum at_type a, enum at_type b)
{
	if (a == AT_TYPE_NONE || a == b)
		return b;
	if (a == AT_TYPE_WORD || b == AT_TYPE_WORD)
		return AT_TYPE_WORD;
	return a == AT_TYPE_REAL || b == AT_TYPE_REAL ? AT_TYPE_REAL : AT_TYPE_INTEGER;
}

/* A value and its number in the order of the file. */
struct numbered {
	struct at_value value;
	uint16_t number;
};

static int compare_numbered(const void *a, const void *b)
{
	const struct at_value *left = &((const struct numbered *)a)->value;
	const struct at_value *right = &((const struct numbered *)b)->value;

	if (left->type == AT_TYPE_REAL)
		return (left->real > right->real) - (left->real < right->real);
	return (left->integer > right->integer) - (left->integer < right->integer);
}

/* Keys are equal exactly for equal values of a type: each word is stored once, so that
   its address identifies it. */
static struct at_hash key_of(struct at_value value)
{
	uint64_t bits = (uint64_t)value.integer;
	double real;

	if (value.type == AT_TYPE_REAL) {
		real = value.real + 0.0; /* -0.0 equals 0.0 */
		memcpy(&bits, &real, sizeof(bits));
	} else if (value.type == AT_TYPE_WORD) {
		bits = (uint64_t)(uintptr_t)value.word;
	}
	return at_hash_bytes(&bits, sizeof(bits));
}

/* Sorts the values ascending; the rows have numbers in the order of the file. */
static void sort_values(struct at_recording *recording, size_t parameter,
	struct at_value *values, size_t count)
{
	size_t width = recording->parameter_count;
	uint16_t *column = recording->rows + parameter;
	struct numbered *order = at_calloc(count, sizeof(*order));
	uint16_t *places = at_calloc(count, sizeof(*places));

	for (size_t i = 0; i < count; i++)
		order[i] = (struct numbered){ values[i], (uint16_t)i };
	qsort(order, count, sizeof(*order), compare_numbered);
	for (size_t i = 0; i < count; i++) {
		values[i] = order[i].value;
		places[order[i].number] = (uint16_t)i;
	}
	for (size_t i = 0; i < recording->count; i++)
		column[i * width] = places[column[i * width]];
	free(order);
	free(places);
}

/* Lists a parameter's values, and writes their indices to the rows. */
static enum at_status index_values(
	struct at_recording_builder *self, size_t parameter, struct at_error *err)
{
	struct at_recording *recording = self->recording;
	struct at_search_parameter *out = &recording->parameters[parameter];
	size_t width = recording->parameter_count, count = 0, capacity = 0;
	struct at_value *column = self->cells + parameter, *values = NULL;
	struct at_hash_index index = { 0 };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < recording->count; i++)
		out->type = common_type(out->type, column[i * width].type);
	for (size_t i = 0; i < recording->count; i++) {
		struct at_value *value = &column[i * width];
		struct at_strbuf text = { 0 };
		uint32_t number = 0;

		if (value->type != out->type && out->type == AT_TYPE_REAL) {
			value->real = (double)value->integer;
		} else if (value->type != out->type && out->type == AT_TYPE_WORD) {
			at_value_format(*value, &text);
			value->word =
				at_recording_builder_keep(self, at_strbuf_text(&text));
			at_strbuf_release(&text);
		}
		/* for INTEGER: a boolean has its value in `integer` */
		value->type = out->type;
		at_hash_index_put(&index, key_of(*value), (uint32_t)count, &number);
		if (number == VALUES_MAX) {
			status = at_fail(err, AT_EINVAL, recording->path, 0,
				"has more than %d values of \"%s\": is it a measurement, not a parameter?",
				VALUES_MAX, out->name);
			break;
		}
		if (number == count) {
			AT_GROW(values, capacity, count + 1);
			values[count++] = *value;
		}
		recording->rows[i * width + parameter] = (uint16_t)number;
	}
	at_hash_index_release(&index);
	out->values = values;
	out->value_count = count;
	/* no rows, no values */
	if (!status && count > 0 && out->type != AT_TYPE_WORD)
		sort_values(recording, parameter, values, count);
	return status;
}

struct place {
	const uint16_t *row;
	size_t width;
	size_t number;
};

static int compare_rows(const struct place *left, const struct place *right)
{
	for (size_t i = 0; i < left->width; i++)
		if (left->row[i] != right->row[i])
			return left->row[i] < right->row[i] ? -1 : 1;
	return 0;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *left = a, *right = b;
	int order = compare_rows(left, right);

	return order ? order
		     : (left->number > right->number) - (left->number < right->number);
}

/* Sorts the rows; keeps the last of those with the same configuration. */
static void sort_rows(struct at_recording *recording)
{
	size_t count = recording->count, width = recording->parameter_count, kept = 0;
	struct place *places = at_calloc(count, sizeof(*places));
	uint16_t *rows = at_calloc(count * width, sizeof(*rows));
	struct at_recorded *results = at_calloc(count, sizeof(*results));

	for (size_t i = 0; i < count; i++)
		places[i] = (struct place){ recording->rows + i * width, width, i };
	qsort(places, count, sizeof(*places), compare_places);
	for (size_t i = 0; i < count; i++) {
		if (i + 1 < count && !compare_rows(&places[i], &places[i + 1]))
			continue;
		memcpy(rows + kept * width, places[i].row, width * sizeof(*rows));
		results[kept++] = recording->results[places[i].number];
	}
	free(places);
	free(recording->rows);
	free(recording->results);
	recording->rows = rows;
	recording->results = results;
	recording->count = kept;
	recording->repeated_count = count - kept;
}

/* Share of times outside of their samples that discredits the samples. */
#define OUTSIDE_SHARE 0.1
/* Files round times: a hundredth of a relevant difference. */
#define ROUNDING 1e-3

/* Some files have times of another tool, or another day, than the samples. Searches use
   times and finals use samples, so these would be of two different kernels. Then only
   the times are kept. A raced time is a bound. */
static void drop_other_samples(struct at_recording *recording)
{
	size_t sampled = 0, outside = 0;

	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];
		double least = INFINITY, most = 0;

		if (!result->sample_count || isnan(result->time_ns) || result->is_raced)
			continue;
		sampled++;
		/* whether the time cannot summarise its samples, as mean, median or
		 * minimum */
		for (size_t k = 0; k < result->sample_count; k++) {
			double sample_ns =
				recording->samples_ns[result->sample_begin + k];

			least = fmin(least, sample_ns);
			most = fmax(most, sample_ns);
		}
		outside += result->time_ns < least * (1 - ROUNDING) ||
			   result->time_ns > most * (1 + ROUNDING);
	}
	if ((double)outside <= OUTSIDE_SHARE * (double)sampled)
		return;
	recording->outside_count = outside;
	for (size_t i = 0; i < recording->count; i++)
		recording->results[i].sample_count = 0;
}

enum at_status at_recording_builder_finish(struct at_recording_builder *self,
	struct at_recording **out, struct at_error *err)
{
	struct at_recording *recording = self->recording;
	char **texts[] = { &recording->kernel, &recording->problem, &recording->device,
		&recording->objective };
	enum at_status status = AT_OK;

	end_row(self);
	if (!recording->count && recording->older_count)
		return at_fail(err, AT_EINVAL, recording->path, 0,
			"all %zu evaluations are of an older source, compiler or driver: tune again first",
			recording->older_count);
	if (!recording->count)
		return at_fail(
			err, AT_EINVAL, recording->path, 0, "holds no configurations");
	if (!recording->parameter_count)
		return at_fail(
			err, AT_EINVAL, recording->path, 0, "names no parameters");
	for (size_t i = 0; i < AT_COUNT_OF(texts); i++)
		if (!*texts[i])
			*texts[i] = at_strdup(i == 3 ? "time" : "");
	recording->rows = at_calloc(recording->count * recording->parameter_count,
		sizeof(*recording->rows));
	for (size_t i = 0; i < recording->parameter_count && !status; i++)
		status = index_values(self, i, err);
	if (status)
		return status;
	sort_rows(recording);
	drop_other_samples(recording);
	*out = recording;
	self->recording = NULL;
	return AT_OK;
}

/* ---- files: the contents determine the format ------------------------------ */

/* The largest published file has 300 MB; its JSON tree takes five times as much
   memory. */
#define TEXT_BYTES_MAX ((size_t)512 << 20)

enum at_status at_recording_read_text(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err)
{
	const char *first = text + at_text_mark_bytes(text, size);

	first += strspn(first, " \t\r\n");
	return *first == '{' || *first == '['
		       ? at_recording_read_json(path, text, size, out, err)
		       : at_recording_read_csv(path, text, size, out, err);
}

bool at_recording_is_record(const char *path)
{
	static const char sqlite[] = "SQLite format 3";
	char begin[sizeof(sqlite)];
	uint64_t size;
	bool found;
	int file;

	if (at_file_open(path, &file, &size, NULL))
		return false;
	found = read(file, begin, sizeof(begin)) == (ssize_t)sizeof(begin) &&
		!memcmp(begin, sqlite, sizeof(begin));
	close(file);
	return found;
}

enum at_status at_recording_read(
	const char *path, struct at_recording **out, struct at_error *err)
{
	enum at_file_kind kind = at_file_kind_of(path);
	const char *comma = strchr(path, ',');
	char *file = NULL, *data = NULL, *text;
	size_t size;
	enum at_status status;

	/* the choice from a record follows a comma, unless this file exists */
	if (at_file_exists(path))
		comma = NULL;
	file = comma ? at_strndup(path, (size_t)(comma - path)) : at_strdup(path);
	if (at_recording_is_record(file)) {
		status = at_recording_read_store(path, out, err);
		goto free_all;
	}
	status = at_file_read(file, TEXT_BYTES_MAX, &data, &size, err);
	if (status)
		goto free_all;
	if (comma) {
		status = at_fail(err, AT_EINVAL, file, 0,
			"is no record of autotune, and \"%s\" chooses from a record",
			comma + 1);
		goto free_all;
	}
	if (at_gzip_is(data, size)) {
		status = at_gzip_expand(
			data, size, TEXT_BYTES_MAX, path, &text, &size, err);
		if (status)
			goto free_all;
		free(data);
		data = text;
	}
	/* the name belongs to another kind of file */
	if (kind == AT_FILE_SPACE || kind == AT_FILE_SOURCE || kind == AT_FILE_PAGE)
		status = at_fail(err, AT_EINVAL, path, 0,
			"%s, no recording: expected a T4 file, a cache file of Kernel Tuner, CSV, or a record of autotune",
			at_file_kind_text(kind));
	else
		status = at_recording_read_text(path, data, size, out, err);
free_all:
	free(data);
	free(file);
	return status;
}
