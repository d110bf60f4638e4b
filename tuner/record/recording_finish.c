/* Finishes a recording: the values of its rows become indices of values, and the rows
   are put into order (record/recording_build.h). */
#include "record/recording.h"

#include "base/hash_index.h"
#include "base/text.h"
#include "record/recording_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* value indices have 16 bits */
#define VALUES_MAX 65535

/* The type that can hold all values of a parameter. */
static enum at_type common_type(enum at_type a, enum at_type b)
{
	if (a == AT_TYPE_NONE || a == b)
		return b;
	if (a == AT_TYPE_WORD || b == AT_TYPE_WORD)
		return AT_TYPE_WORD;
	return a == AT_TYPE_REAL || b == AT_TYPE_REAL ? AT_TYPE_REAL : AT_TYPE_INTEGER;
}

static enum at_status convert(struct at_recording_builder *self, struct at_value *value,
	enum at_type type, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	enum at_status status = AT_OK;

	if (value->type == type)
		return AT_OK;
	if (type == AT_TYPE_REAL) {
		value->real = (double)value->integer;
	} else if (type == AT_TYPE_WORD) {
		at_value_format(*value, &text);
		status = text.failed
				 ? at_fail_memory(err)
				 : at_recording_builder_keep(self,
					   at_strbuf_text(&text), &value->word, err);
		at_strbuf_release(&text);
	}
	/* for INTEGER: a boolean has its value in `integer` already */
	value->type = type;
	return status;
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

/* Equal values of one type have equal keys, and only these: words are kept once, so
   that their address tells them apart. */
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

/* Puts the numbers in ascending order; the rows have numbers in the order of the file.
 */
static enum at_status sort_values(struct at_recording *recording, size_t parameter,
	struct at_value *values, size_t count, struct at_error *err)
{
	size_t width = recording->parameter_count;
	uint16_t *column = recording->rows + parameter;
	struct numbered *order = calloc(count, sizeof(*order));
	uint16_t *places = calloc(count, sizeof(*places));

	if (order && places) {
		for (size_t i = 0; i < count; i++)
			order[i] = (struct numbered){ values[i], (uint16_t)i };
		qsort(order, count, sizeof(*order), compare_numbered);
		for (size_t i = 0; i < count; i++) {
			values[i] = order[i].value;
			places[order[i].number] = (uint16_t)i;
		}
		for (size_t i = 0; i < recording->count; i++)
			column[i * width] = places[column[i * width]];
	}
	free(order);
	free(places);
	return order && places ? AT_OK : at_fail_memory(err);
}

/* Makes the list of a parameter's values, and writes their indices to the rows. */
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
	for (size_t i = 0; i < recording->count && !status; i++) {
		struct at_value *value = &column[i * width];
		uint32_t number = 0;

		status = convert(self, value, out->type, err);
		if (!status)
			status = at_hash_index_put(
				&index, key_of(*value), (uint32_t)count, &number, err);
		if (!status && number == VALUES_MAX)
			status = at_fail(err, AT_EINVAL, recording->path, 0,
				"has more than %d values of \"%s\": is it a measurement, not a parameter?",
				VALUES_MAX, out->name);
		if (!status && number == count)
			status = AT_RESERVE(values, capacity, count + 1, err);
		if (status)
			break;
		if (number == count)
			values[count++] = *value;
		recording->rows[i * width + parameter] = (uint16_t)number;
	}
	at_hash_index_release(&index);
	out->values = values;
	out->value_count = count;
	/* without rows there are no values */
	if (!status && count > 0 && out->type != AT_TYPE_WORD)
		status = sort_values(recording, parameter, values, count, err);
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

/* Sorts the rows; of rows with the same configuration the last one is kept. */
static enum at_status sort_rows(struct at_recording *recording, struct at_error *err)
{
	size_t count = recording->count, width = recording->parameter_count, kept = 0;
	struct place *places = calloc(count, sizeof(*places));
	uint16_t *rows = calloc(count * width, sizeof(*rows));
	struct at_recorded *results = calloc(count, sizeof(*results));
	enum at_status status = AT_OK;

	if (!places || !rows || !results) {
		status = at_fail_memory(err);
		goto free_all;
	}
	for (size_t i = 0; i < count; i++)
		places[i] = (struct place){ recording->rows + i * width, width, i };
	qsort(places, count, sizeof(*places), compare_places);
	for (size_t i = 0; i < count; i++) {
		if (i + 1 < count && !compare_rows(&places[i], &places[i + 1]))
			continue;
		memcpy(rows + kept * width, places[i].row, width * sizeof(*rows));
		results[kept++] = recording->results[places[i].number];
	}
	free(recording->rows);
	free(recording->results);
	recording->rows = rows;
	recording->results = results;
	recording->count = kept;
	recording->repeated_count = count - kept;
	rows = NULL;
	results = NULL;
free_all:
	free(places);
	free(rows);
	free(results);
	return status;
}

/* The share of times outside of their samples from which on samples are not believed.
 */
#define FOREIGN_SHARE 0.1
/* Files round times: a hundredth of what would tell two configurations apart. */
#define ROUNDING 1e-3

/* Whether a time cannot be a sum of its samples, be it their mean, median or least. */
static bool is_outside(const struct at_recorded *result, const double *samples_ns)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < result->sample_count; i++) {
		least = fmin(least, samples_ns[result->sample_begin + i]);
		most = fmax(most, samples_ns[result->sample_begin + i]);
	}
	return result->time_ns < least * (1 - ROUNDING) ||
	       result->time_ns > most * (1 + ROUNDING);
}

/*
 * There are files whose times come from another tool, or another day, than the samples
 * beside them. Searches go by times, and finals by samples, so that the two would be of
 * two different kernels. Then only the times are kept. A raced time is a bound.
 */
static void drop_foreign_samples(struct at_recording *recording)
{
	size_t sampled = 0, outside = 0;

	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];

		if (!result->sample_count || isnan(result->time_ns) || result->is_raced)
			continue;
		sampled++;
		outside += is_outside(result, recording->samples_ns);
	}
	if ((double)outside <= FOREIGN_SHARE * (double)sampled)
		return;
	recording->foreign_count = outside;
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

	at_recording_builder_end_row(self);
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
		if (!*texts[i] && !(*texts[i] = at_strdup(i == 3 ? "time" : "")))
			return at_fail_memory(err);
	recording->rows = calloc(recording->count * recording->parameter_count,
		sizeof(*recording->rows));
	if (!status && !recording->rows)
		status = at_fail_memory(err);
	for (size_t i = 0; i < recording->parameter_count && !status; i++)
		status = index_values(self, i, err);
	if (!status)
		status = sort_rows(recording, err);
	if (status)
		return status;
	drop_foreign_samples(recording);
	*out = recording;
	self->recording = NULL;
	return AT_OK;
}
