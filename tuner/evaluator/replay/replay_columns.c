/* Matches the parameters and values of a caller with those of a recording. */
#include "evaluator/replay/replay_columns.h"

#include <stdlib.h>
#include <string.h>

/* One parameter of the recording, as the caller numbers it. */
struct at_replay_column {
	size_t place; /* among the caller's parameters; SIZE_MAX: the caller lacks it */
	uint16_t *values; /* for each value of the caller's; UINT16_MAX: not recorded */
};

/* Whether two values are the same: a boolean is 0 or 1, and an integer may be written
   as a real. */
static bool is_same_value(struct at_value a, struct at_value b)
{
	if (a.type == AT_TYPE_WORD || b.type == AT_TYPE_WORD)
		return at_value_equal(a, b);
	if (a.type == AT_TYPE_REAL || b.type == AT_TYPE_REAL)
		return (a.type == AT_TYPE_REAL ? a.real : (double)a.integer) ==
		       (b.type == AT_TYPE_REAL ? b.real : (double)b.integer);
	return a.integer == b.integer;
}

static enum at_status match(struct at_replay_columns *self, size_t parameter,
	const struct at_search_parameter *parameters, size_t count,
	struct at_error *err)
{
	const struct at_search_parameter *own = &self->recording->parameters[parameter];
	struct at_replay_column *column = &self->items[parameter];

	column->place = SIZE_MAX;
	for (size_t i = 0; i < count; i++)
		if (!strcmp(parameters[i].name, own->name))
			column->place = i;
	if (column->place == SIZE_MAX && own->value_count == 1)
		return AT_OK;
	if (column->place == SIZE_MAX)
		return at_fail(err, AT_EINVAL, self->recording->path, 0,
			"was recorded with a parameter \"%s\", which the space lacks: add it with the value that the template has",
			own->name);
	parameters += column->place;
	column->values = calloc(parameters->value_count, sizeof(*column->values));
	if (!column->values)
		return at_fail_memory(err);
	for (size_t k = 0; k < parameters->value_count; k++) {
		column->values[k] = UINT16_MAX;
		for (size_t i = 0; i < own->value_count; i++)
			if (is_same_value(own->values[i], parameters->values[k]))
				column->values[k] = (uint16_t)i;
	}
	return AT_OK;
}

enum at_status at_replay_columns_init(struct at_replay_columns *self,
	const struct at_recording *recording,
	const struct at_search_parameter *parameters, size_t count,
	struct at_error *err)
{
	size_t width = recording->parameter_count;
	enum at_status status = AT_OK;

	*self = (struct at_replay_columns){ .recording = recording };
	if (!parameters)
		return AT_OK;
	self->items = calloc(width, sizeof(*self->items));
	self->configuration = calloc(width, sizeof(*self->configuration));
	if (!self->items || !self->configuration)
		return at_fail_memory(err);
	for (size_t i = 0; i < width && !status; i++)
		status = match(self, i, parameters, count, err);
	for (size_t i = 0; i < count && !status; i++) {
		bool is_matched = parameters[i].value_count == 1;

		for (size_t k = 0; k < width; k++)
			is_matched = is_matched || self->items[k].place == i;
		if (!is_matched)
			status = at_fail(err, AT_EINVAL, recording->path, 0,
				"was recorded without the parameter \"%s\"",
				parameters[i].name);
	}
	return status;
}

void at_replay_columns_release(struct at_replay_columns *self)
{
	for (size_t i = 0; self->items && i < self->recording->parameter_count; i++)
		free(self->items[i].values);
	free(self->items);
	free(self->configuration);
	*self = (struct at_replay_columns){ 0 };
}

size_t at_replay_columns_find(
	struct at_replay_columns *self, const uint16_t *configuration)
{
	if (!self->items)
		return at_recording_find(self->recording, configuration);
	for (size_t i = 0; i < self->recording->parameter_count; i++) {
		const struct at_replay_column *column = &self->items[i];

		self->configuration[i] =
			column->place == SIZE_MAX
				? 0
				: column->values[configuration[column->place]];
	}
	/* UINT16_MAX is the value of no row, so it is not found */
	return at_recording_find(self->recording, self->configuration);
}
