/* Reads the text that names a planted space, and writes the space as a recording. */
#include "evaluator/replay/planted.h"
#include "evaluator/replay/planted_parts.h"

#include "base/text.h"
#include "record/recording_build.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_DEFAULT 10000
#define SIZE_MIN 100
#define SIZE_MAX_PLANTED 1000000
#define SAMPLES 7

static const struct kind kinds[] = {
#define KIND(name, text, pairs, cliffs, failing, plateau, needle, gates, noise) \
	{ #name, pairs, cliffs, failing, plateau, needle, gates, noise },
	AT_PLANTED_KINDS(KIND)
#undef KIND
};

/* Adds one configuration with its outcome, samples and times to the recording. */
static enum at_status add_row(const struct planted *self, const uint16_t *row,
	double lowest, struct at_random *random, struct at_recording_builder *builder,
	struct at_error *err)
{
	static const char *const words[] = { "ca", "cg", "cs", "cv" };
	struct at_recorded *result;
	double sum = 0, time_ns;
	enum at_status status = AT_OK;

	at_recording_builder_row(builder);
	assert(self->parameter_count >= 2);
	for (size_t i = 0; i < self->parameter_count && !status; i++) {
		const struct parameter *parameter = &self->parameters[i];
		struct at_value value = { .type = parameter->type };

		if (parameter->type == AT_TYPE_WORD)
			value.word = words[row[i]];
		else
			value.integer = parameter->values[row[i]];
		status = at_recording_builder_set(builder, i, value, err);
	}
	if (status)
		return status;
	result = builder->result;
	/* as if the third parameter were an unrolling, with which compilers take
	   longer */
	result->compile_seconds =
		0.2 + 0.3 * planted_rank(&self->parameters[2 % self->parameter_count],
				    row[2 % self->parameter_count]);
	if (planted_fails(self, row)) {
		/* far beyond the limit the compiler fails, near the limit only the
		   launch */
		bool is_deep = planted_weigh(self, &self->failing, row) >
			       self->failing.limit + 0.3;

		result->outcome = is_deep ? AT_OUTCOME_COMPILE_FAILED
					  : AT_OUTCOME_TOO_MANY_RESOURCES;
		result->reason = is_deep ? "planted: does not compile"
					 : "planted: too many registers";
		result->measure_seconds = 0;
		return AT_OK;
	}
	time_ns = planted_time(self, row, lowest);
	for (int i = 0; i < SAMPLES; i++) {
		/* noise makes a sample slower more than faster, as on a board */
		double noise = self->kind->noise * planted_normal(random);
		double sample = time_ns * exp(noise + fabs(noise) / 2);

		sum += sample;
		at_recording_builder_sample(builder, sample);
	}
	result->outcome = AT_OUTCOME_OK;
	result->time_ns = sum / SAMPLES;
	result->measure_seconds = 0.02 + sum * 1e-9;
	return AT_OK;
}

static enum at_status record(struct planted *self, const char *text,
	struct at_recording **out, struct at_error *err)
{
	struct at_recording_builder builder;
	struct at_random random;
	char name[128];
	double lowest = INFINITY;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->count; i++) {
		const uint16_t *row = self->rows + i * self->parameter_count;

		if (!planted_fails(self, row))
			lowest = fmin(lowest, planted_height(self, row));
	}
	snprintf(name, sizeof(name), AT_PLANTED_PREFIX "%.100s", text);
	at_recording_builder_init(&builder, name, name);
	for (size_t i = 0; i < self->parameter_count && !status; i++) {
		static const char *const names[] = { "NONE", "SIZE", "FLAG", "REAL",
			"MODE" };
		char parameter[32];

		snprintf(parameter, sizeof(parameter), "%s_%zu",
			i < 2 ? "BLOCK" : names[self->parameters[i].type], i);
		status = at_recording_builder_parameter(&builder, parameter, err);
	}
	/* a generator of its own, so that draws added to the above do not change the
	   noise */
	at_random_init(&random, self->seed ^ UINT64_C(0x9e3779b97f4a7c15));
	for (size_t i = 0; i < self->count && !status; i++)
		status = add_row(self, self->rows + i * self->parameter_count, lowest,
			&random, &builder, err);
	if (!status) {
		builder.recording->kernel = at_strdup(self->kind->name);
		builder.recording->device = at_strdup("planted");
		status = at_recording_builder_finish(&builder, out, err);
	}
	at_recording_builder_release(&builder);
	return status;
}

static enum at_status parse(
	struct planted *self, const char *text, struct at_error *err)
{
	size_t length = strcspn(text, ",");
	const char *names[AT_COUNT_OF(kinds)], *nearest;
	char name[64], known[256] = "";

	snprintf(name, sizeof(name), "%.*s", (int)(length < 60 ? length : 60), text);
	for (size_t i = 0; i < AT_COUNT_OF(kinds); i++) {
		size_t used = strlen(known);

		names[i] = kinds[i].name;
		snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
			names[i]);
		if (!strcmp(name, kinds[i].name))
			self->kind = &kinds[i];
	}
	nearest = at_text_nearest(name, names, AT_COUNT_OF(kinds));
	if (!self->kind)
		return at_fail(err, AT_ENOENT, NULL, 0,
			"unknown kind of planted space \"%s\"%s%s%snown are %s", name,
			nearest ? ", did you mean \"" : "", nearest ? nearest : "",
			nearest ? "\"? K" : "; k", known);
	for (text += length; *text; text += length) {
		int64_t value = -1;
		char part[64];

		length = strcspn(++text, ",");
		snprintf(part, sizeof(part), "%.*s", (int)(length < 60 ? length : 60),
			text);
		if (!strncmp(part, "seed=", 5) && at_text_integer(part + 5, &value) &&
			value >= 0)
			self->seed = (uint64_t)value;
		else if (!strncmp(part, "size=", 5) &&
			 at_text_integer(part + 5, &value) && value >= SIZE_MIN &&
			 value <= SIZE_MAX_PLANTED)
			self->size = (size_t)value;
		else
			return at_fail(err, AT_EINVAL, NULL, 0,
				"expected seed=N or size=N with N from %d to %d, found \"%s\"",
				SIZE_MIN, SIZE_MAX_PLANTED, part);
	}
	return AT_OK;
}

enum at_status at_planted_make(
	const char *text, struct at_recording **out, struct at_error *err)
{
	struct planted *self = calloc(1, sizeof(*self));
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	self->size = SIZE_DEFAULT;
	status = parse(self, text, err);
	if (!status)
		status = planted_plant(self, err);
	if (!status)
		status = record(self, text, out, err);
	free(self->rows);
	free(self);
	return status;
}

enum at_status at_replay_load(
	const char *name, struct at_recording **out, struct at_error *err)
{
	size_t prefix = strlen(AT_PLANTED_PREFIX);

	if (!strncmp(name, AT_PLANTED_PREFIX, prefix))
		return at_planted_make(name + prefix, out, err);
	return at_recording_read(name, out, err);
}
