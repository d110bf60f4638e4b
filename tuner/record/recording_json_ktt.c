/*
 * KTT's own result files: {"Metadata": {"TimeUnit", "Device"}, "Results":
 * [{"KernelName", "Configuration": [{"Name", "Value"}, ...], "Status",
 * "TotalDuration"}, ...]}.
 */
#include "record/recording_json_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct failure ktt_failures[] = {
	{ "ComputationFailed", AT_OUTCOME_LAUNCH_FAILED,
		"the launch failed (ComputationFailed)" },
	{ "ValidationFailed", AT_OUTCOME_WRONG_RESULT,
		"gives a wrong result (ValidationFailed)" },
	{ "CompilationFailed", AT_OUTCOME_COMPILE_FAILED,
		"does not compile (CompilationFailed)" },
	{ "DeviceLimitsExceeded", AT_OUTCOME_NOT_APPLICABLE,
		"is beyond the limits of the device (DeviceLimitsExceeded)" },
	{ NULL, AT_OUTCOME_NONE, NULL },
};

enum at_status json_read_ktt_metadata(struct json_reading *self, struct at_error *err)
{
	enum at_status status;
	const char *key, *text;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		if (!strcmp(key, "Device")) {
			status = json_read_text(
				self, key, &self->builder.recording->device, err);
		} else if (!strcmp(key, "TimeUnit")) {
			status = at_json_reader_string(&self->reader, key, &text, err);
			if (!status && !json_find_unit(text, &self->unit_seconds))
				status = json_fail(
					self, "unknown unit of time \"%s\"", text, err);
			self->names_unit = true;
		} else {
			status = at_json_reader_skip(&self->reader, err);
		}
	}
	return status ? status : err->status;
}

/* Reads {"Name": "BLOCK", "Value": 32, "ValueType": "UnsignedInt"}. number: of the pair
   in its row. */
static enum at_status read_pair(
	struct json_reading *self, size_t number, struct at_error *err)
{
	bool is_first = self->builder.recording->count == 1;
	struct at_json_reader value = { 0 }, behind;
	size_t parameter = SIZE_MAX;
	enum at_status status;
	const char *key, *name;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		if (!strcmp(key, "Name")) {
			status = at_json_reader_string(&self->reader, key, &name, err);
			if (status)
				break;
			parameter =
				at_recording_builder_find(&self->builder, name, number);
			if (parameter == SIZE_MAX && is_first) {
				parameter = self->builder.recording->parameter_count;
				status = at_recording_builder_parameter(
					&self->builder, name, err);
			} else if (parameter == SIZE_MAX) {
				status = json_fail(self,
					"has a parameter \"%s\", which the first one has not",
					name, err);
			}
		} else {
			/* the name may follow */
			if (!strcmp(key, "Value"))
				value = self->reader;
			status = at_json_reader_skip(&self->reader, err);
		}
	}
	if (status || err->status)
		return status ? status : err->status;
	if (parameter == SIZE_MAX || !value.at)
		return json_fail(self, "has a value without \"%s\"",
			value.at ? "Name" : "Value", err);
	behind = self->reader;
	self->reader = value;
	status = json_read_parameter(self, parameter, err);
	self->reader = behind;
	return status;
}

/* Reads the kernel's name, which must be the same in all rows: times of two kernels
   cannot be compared. */
static enum at_status read_kernel(struct json_reading *self, struct at_error *err)
{
	char **kernel = &self->builder.recording->kernel;
	char *other = NULL;
	enum at_status status;

	if (!*kernel)
		return json_read_text(self, "KernelName", kernel, err);
	status = json_read_text(self, "KernelName", &other, err);
	if (!status && other && strcmp(other, *kernel) != 0)
		status = json_fail(self,
			"is of a second kernel, \"%s\": one of each in a file", other,
			err);
	free(other);
	return status;
}

static enum at_status read_row(struct json_reading *self, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;
	size_t pair = 0;
	double duration = NAN, compile = NAN, validation = NAN;
	enum at_status status;
	const char *key, *word;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		if (!strcmp(key, "Configuration")) {
			status =
				at_json_reader_enter(&self->reader, AT_JSON_ARRAY, err);
			while (!status && at_json_reader_item(&self->reader, err))
				status = read_pair(self, pair++, err);
		} else if (!strcmp(key, "Status")) {
			status = at_json_reader_string(&self->reader, key, &word, err);
			if (!status && strcmp(word, "Ok") != 0)
				status =
					json_set_failure(self, ktt_failures, word, err);
		} else if (!strcmp(key, "KernelName")) {
			status = read_kernel(self, err);
		} else if (!strcmp(key, "TotalDuration")) {
			status = json_read_number(self, &duration, err);
		} else if (!strcmp(key, "CompilationOverhead")) {
			status = json_read_number(self, &compile, err);
		} else if (!strcmp(key, "ValidationOverhead")) {
			status = json_read_number(self, &validation, err);
		} else {
			status = at_json_reader_skip(&self->reader, err);
		}
	}
	if (status || err->status)
		return status ? status : err->status;
	if (at_recording_is_time(duration) && !self->names_unit)
		return json_fail(self,
			"has a time whose unit is not known: the file has no \"%s\" in its \"Metadata\"",
			"TimeUnit", err);
	if (at_recording_is_time(duration))
		result->time_ns = json_to_ns(self, duration);
	result->compile_seconds = compile * self->unit_seconds;
	result->measure_seconds =
		json_add_known(duration, validation) * self->unit_seconds;
	return json_end_row(self, err);
}

enum at_status json_read_ktt_results(struct json_reading *self, struct at_error *err)
{
	enum at_status status = json_read_rows(self, read_row, err);

	if (status)
		return status;
	return json_end_rows(self, err);
}
