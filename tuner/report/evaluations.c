/* Converts evaluations into columns, in order of time: see report/evaluations.h. */
#include "report/evaluations.h"

#include "base/memory.h"
#include "record/recording.h"

#include <stdlib.h>
#include <string.h>

void at_report_evaluations_release(struct at_report_evaluations *self)
{
	at_importance_release(&self->importance);
	free(self->values);
	free((void *)self->rows);
	free(self->seconds);
	at_recording_free(self->recording);
	memset(self, 0, sizeof(*self));
}

/* A row and its index in the recording or the caller's list. */
struct turn {
	int64_t created_seconds;
	int64_t id;
	size_t place;
};

static int compare_turns(const void *a, const void *b)
{
	const struct turn *left = a, *right = b;

	if (left->created_seconds != right->created_seconds)
		return left->created_seconds < right->created_seconds ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

/* By id alone. */
static int compare_ids(const void *a, const void *b)
{
	const struct turn *left = a, *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

/* The rows of the recording in the order of time; heap. */
static struct turn *turns_of(const struct at_recording *recording)
{
	struct turn *turns = at_calloc(recording->count, sizeof(*turns));

	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];

		turns[i] = (struct turn){ result->created_seconds,
			result->evaluation_id, i };
	}
	qsort(turns, recording->count, sizeof(*turns), compare_turns);
	return turns;
}

/* The caller's evaluations, sorted by id; heap. */
static struct turn *places_of(const struct at_evaluation *rows, size_t count)
{
	struct turn *places = at_calloc(count, sizeof(*places));

	for (size_t i = 0; i < count; i++)
		places[i] = (struct turn){ 0, rows[i].id, i };
	if (places)
		qsort(places, count, sizeof(*places), compare_ids);
	return places;
}

static void fill(struct at_report_evaluations *self, const struct at_evaluation *rows,
	size_t count)
{
	const struct at_recording *recording = self->recording;
	size_t kept = recording->count, width = recording->parameter_count;
	struct turn *turns = turns_of(recording), *places = places_of(rows, count);
	double elapsed = 0;

	self->values = at_calloc(kept * width, sizeof(*self->values));
	self->rows = at_calloc(kept, sizeof(*self->rows));
	self->seconds = at_calloc(kept, sizeof(*self->seconds));
	for (size_t i = 0; i < kept; i++) {
		const struct turn *place =
			bsearch(&turns[i], places, count, sizeof(*places), compare_ids);
		int64_t pause =
			i ? turns[i].created_seconds - turns[i - 1].created_seconds : 0;

		/* found, since every row of the recording comes from one of these */
		self->rows[i] = &rows[place ? place->place : 0];
		memcpy(self->values + i * width,
			recording->rows + turns[i].place * width,
			width * sizeof(*self->values));
		if (pause <= AT_REPORT_PAUSE_SECONDS)
			elapsed += (double)pause;
		else
			self->pause_count++;
		self->seconds[i] = elapsed;
	}
	self->count = kept;
	self->parameter_count = width;
	self->parameters = recording->parameters;
	free(turns);
	free(places);
}

enum at_status at_report_evaluations_init(struct at_report_evaluations *self,
	const char *path, const struct at_evaluation *rows, size_t count,
	struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;

	*self = (struct at_report_evaluations){ .left_out = count };
	if (!count)
		return AT_OK;
	status = at_recording_from_evaluations(
		path, rows, count, &self->recording, &reason);
	/* no evaluation is readable */
	if (status == AT_EINVAL)
		return AT_OK;
	if (status) {
		if (err)
			*err = reason;
		return status;
	}
	self->left_out = count - self->recording->count;
	fill(self, rows, count);
	status = at_importance_init(&self->importance, self->recording, err);
	return status;
}
