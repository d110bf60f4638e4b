/* Makes a planted space from its name: parameters, configurations and their times, as a
   recording. */
#include "evaluator/replay/planted.h"

#include "base/memory.h"
#include "base/random.h"
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
/* the largest share of the space in the needle */
#define NEEDLE_SHARE 0.002
/* a launch at the lowest point of the bowl */
#define BEST_NS 1e6

#define PARAMETERS_MAX 16
#define PAIRS_MAX 6
#define CLIFFS_MAX 4
#define GATES_MAX 2

/* A row of AT_PLANTED_KINDS (planted.h), which explains the columns. */
struct kind {
	const char *name;
	double pairs;
	size_t cliffs;
	double failing;
	double plateau;
	double needle;
	size_t gates;
	double noise;
};

/* A parameter and its bowl of times. */
struct parameter {
	enum at_type type;
	size_t count;
	int64_t values[32];
	double centre; /* the rank of the bowl's lowest point, 0 to 1 */
	double depth; /* of the bowl */
	double offsets[8]; /* for words and booleans, instead of the bowl */
};

/* Two parameters that interact: the time is lowest where a weighted sum of their ranks
   is `centre`, a valley that crosses both axes. */
struct pair {
	size_t a, b;
	double slope;
	double centre;
	double depth;
};

/* A limit on a weighted sum of ranks; above it the time grows by `height`. */
struct cliff {
	double weights[PARAMETERS_MAX];
	double limit;
	double height;
};

/* A flag that enables other parameters: while it is 0, they have no effect. */
struct gate {
	size_t flag; /* a parameter */
	bool is_gated[PARAMETERS_MAX]; /* depends on the flag */
	double off; /* the height while the flag is 0 */
};

struct planted {
	/* from the name */
	const struct kind *kind;
	uint64_t seed;
	size_t size;
	struct at_random random;
	struct parameter parameters[PARAMETERS_MAX];
	size_t parameter_count;
	int64_t product_limit; /* for the product of the first two parameters */
	struct pair pairs[PAIRS_MAX];
	size_t pair_count;
	struct cliff cliffs[CLIFFS_MAX];
	struct gate gates[GATES_MAX];
	size_t gate_count;
	bool is_pinned; /* a disabled parameter has only its first value */
	struct cliff failing; /* a configuration above its limit fails */
	uint16_t needle[PARAMETERS_MAX]; /* values at the needle */
	bool is_needle[PARAMETERS_MAX]; /* the three parameters that place it */
	/* configurations, parameter_count values each */
	uint16_t *rows;
	size_t count;
	size_t row_capacity;
};

static const struct kind kinds[] = {
#define KIND(name, text, pairs, cliffs, failing, plateau, needle, gates, noise) \
	{ #name, pairs, cliffs, failing, plateau, needle, gates, noise },
	AT_PLANTED_KINDS(KIND)
#undef KIND
};

/* An approximately normal number, the sum of twelve uniform ones. Its tails end at 6
   deviations, as measured times have finite tails. */
static double draw_normal(struct at_random *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += at_random_unit(random);
	return sum;
}

static const uint16_t *row_of(const struct planted *self, size_t i)
{
	return self->rows + i * self->parameter_count;
}

/* ---- parameters and rows ------------------------------------------------------ */

static void make_parameter(struct planted *self, struct parameter *parameter)
{
	uint64_t dice = at_random_below(&self->random, 10);
	int64_t first;

	/* first two block sizes, then the flags of gates, then a mixture as in
	   kernels */
	if (self->parameter_count >= 2 && self->parameter_count < 2 + self->kind->gates)
		dice = 6; /* a flag */
	if (self->parameter_count < 2 || dice < 4) { /* powers of two */
		first = (int64_t)1 << at_random_below(&self->random, 4);
		parameter->type = AT_TYPE_INTEGER;
		parameter->count = 3 + (size_t)at_random_below(&self->random, 4);
		for (size_t i = 0; i < parameter->count; i++)
			parameter->values[i] = first << i;
	} else if (dice < 6) { /* a range */
		first = (int64_t)1 << at_random_below(&self->random, 5);
		parameter->type = AT_TYPE_INTEGER;
		parameter->count = 4 + (size_t)at_random_below(&self->random, 9);
		for (size_t i = 0; i < parameter->count; i++)
			parameter->values[i] = first * (int64_t)(i + 1);
	} else if (dice < 9) {
		parameter->type = AT_TYPE_BOOLEAN;
		parameter->count = 2;
		parameter->values[1] = 1;
	} else {
		parameter->type = AT_TYPE_WORD;
		parameter->count = 3 + (size_t)at_random_below(&self->random, 2);
	}
	/* few parameters decide most of the time: depths are cubes of uniform
	   numbers */
	parameter->centre = 0.1 + 0.8 * at_random_unit(&self->random);
	parameter->depth = 0.05 + 2.5 * pow(at_random_unit(&self->random), 3);
	for (size_t k = 0; k < AT_COUNT_OF(parameter->offsets); k++)
		parameter->offsets[k] = 0.3 * at_random_unit(&self->random);
}

/* Whether the first two parameters satisfy the product limit. */
static bool is_in_space(const struct planted *self, size_t first, size_t second)
{
	return self->parameters[0].values[first] * self->parameters[1].values[second] <=
	       self->product_limit;
}

static void make_parameters(struct planted *self)
{
	struct parameter *parameters = self->parameters;
	size_t size = 0;

	for (; self->parameter_count < 2; self->parameter_count++)
		make_parameter(self, &parameters[self->parameter_count]);
	/* one power of two above the middle of the possible products */
	self->product_limit = parameters[0].values[0] * parameters[1].values[0]
			      << ((parameters[0].count + parameters[1].count) / 2);
	for (size_t i = 0; i < parameters[0].count; i++)
		for (size_t k = 0; k < parameters[1].count; k++)
			size += is_in_space(self, i, k);
	while (self->parameter_count < PARAMETERS_MAX &&
		size * 2 < self->size * 3 / 2) {
		struct parameter *parameter = &parameters[self->parameter_count++];

		make_parameter(self, parameter);
		/* drop the parameter's last values while the space would become much
		   too large */
		while (parameter->count > 2 &&
			size * parameter->count > self->size * 3 / 2)
			parameter->count--;
		size *= parameter->count;
	}
}

/* Puts about half of the parameters, at least one, behind flags, and gives them more
   weight. */
static void make_gates(struct planted *self)
{
	size_t first = 2 + self->kind->gates;

	if (!self->kind->gates || self->parameter_count <= first)
		return;
	self->gate_count = self->kind->gates;
	for (size_t i = 0; i < self->gate_count; i++)
		self->gates[i].flag = 2 + i;
	for (size_t i = 0; i < self->parameter_count; i++) {
		size_t gate =
			(size_t)at_random_below(&self->random, 2 * self->kind->gates);

		if (i == first)
			gate = 0;
		if ((i < 2 || i >= first) && gate < self->kind->gates) {
			self->gates[gate].is_gated[i] = true;
			self->parameters[i].depth +=
				0.5 + at_random_unit(&self->random);
		}
	}
	self->is_pinned = self->seed % 2;
}

/* Whether a parameter has an effect in this configuration. */
static bool counts(const struct planted *self, const uint16_t *row, size_t parameter)
{
	for (size_t i = 0; i < self->gate_count; i++)
		if (self->gates[i].is_gated[parameter] && !row[self->gates[i].flag])
			return false;
	return true;
}

/* With pinned parameters: whether a disabled parameter differs from its first value. */
static bool is_duplicate(const struct planted *self, const uint16_t *row)
{
	for (size_t i = 2; i < self->parameter_count; i++)
		if (self->is_pinned && row[i] && !counts(self, row, i))
			return true;
	return false;
}

/* Lists all configurations of the space. */
static void make_rows(struct planted *self)
{
	size_t width = self->parameter_count;
	uint16_t row[PARAMETERS_MAX] = { 0 };

	for (;;) {
		size_t i = width;

		if (is_in_space(self, row[0], row[1]) && !is_duplicate(self, row)) {
			AT_GROW(self->rows, self->row_capacity,
				(self->count + 1) * width);
			memcpy(self->rows + self->count++ * width, row,
				width * sizeof(*row));
		}
		while (i > 0 && ++row[i - 1] == self->parameters[i - 1].count)
			row[--i] = 0;
		if (i == 0)
			return;
	}
}

/* ---- the time ------------------------------------------------------------------ */

/* The rank of a value among those of its parameter, from 0 to 1. */
static double rank_of(const struct parameter *parameter, uint16_t value)
{
	return (double)value / (double)(parameter->count - 1);
}

/* The weighted sum that is compared with a cliff's limit. */
static double weigh(
	const struct planted *self, const struct cliff *cliff, const uint16_t *row)
{
	double sum = 0;

	for (size_t i = 0; i < self->parameter_count; i++)
		sum += cliff->weights[i] * rank_of(&self->parameters[i], row[i]);
	return sum;
}

/* The contribution of one parameter to the logarithm of the time. */
static double height_of_parameter(
	const struct planted *self, const uint16_t *row, size_t i)
{
	const struct parameter *parameter = &self->parameters[i];
	double away = rank_of(parameter, row[i]) - parameter->centre;

	return parameter->type == AT_TYPE_INTEGER ? parameter->depth * away * away
						  : parameter->offsets[row[i]];
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Makes a cliff: a limit on a weighted sum of three ranks that `share` of the
   configurations exceed. For powers of two a sum of ranks is a product of values. */
static void make_cliff(struct planted *self, double share, struct cliff *cliff)
{
	double *sums = at_calloc(self->count + 1, sizeof(*sums));

	for (int k = 0; k < 3; k++)
		cliff->weights[at_random_below(&self->random, self->parameter_count)] =
			(at_random_below(&self->random, 4) ? 1 : -1) *
			(0.5 + at_random_unit(&self->random));
	for (size_t i = 0; i < self->count; i++)
		sums[i] = weigh(self, cliff, row_of(self, i));
	qsort(sums, self->count, sizeof(*sums), compare);
	cliff->limit = sums[(size_t)((1 - share) * (double)(self->count - 1))];
	cliff->height = 0.3 + 0.7 * at_random_unit(&self->random);
	free(sums);
}

/* The height while the flag is 0 is that of a good setting of the parameters behind it:
   better than most, not the best. */
static void make_off(struct planted *self, struct gate *gate)
{
	double *heights = at_calloc(self->count + 1, sizeof(*heights));
	double share = 0.1 + 0.4 * at_random_unit(&self->random);
	size_t count = 0;

	for (size_t k = 0; k < self->count; k++) {
		const uint16_t *row = row_of(self, k);

		for (size_t i = 0; row[gate->flag] && i < self->parameter_count; i++)
			if (gate->is_gated[i])
				heights[count] += height_of_parameter(self, row, i);
		count += row[gate->flag] != 0;
	}
	qsort(heights, count, sizeof(*heights), compare);
	gate->off = heights[(size_t)(share * (double)count)];
	free(heights);
}

static bool is_at_needle(const struct planted *self, const uint16_t *row)
{
	bool is_there = true;

	for (size_t i = 0; i < self->parameter_count; i++)
		is_there =
			is_there && (!self->is_needle[i] || self->needle[i] == row[i]);
	return is_there;
}

static bool fails(const struct planted *self, const uint16_t *row)
{
	return self->kind->failing > 0 &&
	       weigh(self, &self->failing, row) > self->failing.limit;
}

/* The natural logarithm of the time, up to a constant. */
static double height_of(const struct planted *self, const uint16_t *row)
{
	double sum = 0;

	for (size_t i = 0; i < self->parameter_count; i++)
		if (counts(self, row, i))
			sum += height_of_parameter(self, row, i);
	for (size_t i = 0; i < self->gate_count; i++)
		if (!row[self->gates[i].flag])
			sum += self->gates[i].off;
	for (size_t i = 0; i < self->pair_count; i++) {
		const struct pair *pair = &self->pairs[i];
		double away = rank_of(&self->parameters[pair->a], row[pair->a]) +
			      pair->slope * rank_of(&self->parameters[pair->b],
						    row[pair->b]) -
			      pair->centre;

		if (counts(self, row, pair->a) && counts(self, row, pair->b))
			sum += pair->depth * away * away;
	}
	for (size_t i = 0; i < self->kind->cliffs; i++)
		if (weigh(self, &self->cliffs[i], row) > self->cliffs[i].limit)
			sum += self->cliffs[i].height;
	return sum;
}

/* The time in nanoseconds. lowest: the lowest height_of() of those that do not fail. */
static double time_of(const struct planted *self, const uint16_t *row, double lowest)
{
	double height = height_of(self, row) - lowest;

	if (self->kind->plateau > 0)
		height = self->kind->plateau * floor(height / self->kind->plateau);
	/* the needle is nearly flat at its bottom, wherever it lies */
	if (self->kind->needle > 0 && is_at_needle(self, row))
		height = fmin(0.1 * height, 0.1) - self->kind->needle;
	return BEST_NS * exp(height);
}

static void plant(struct planted *self)
{
	const struct kind *kind = self->kind;

	at_random_init(&self->random, self->seed);
	make_parameters(self);
	make_gates(self);
	make_rows(self);
	self->pair_count = PAIRS_MAX;
	for (size_t i = 0; i < self->pair_count; i++) {
		struct pair *pair = &self->pairs[i];

		pair->a = (size_t)at_random_below(&self->random, self->parameter_count);
		pair->b = (pair->a + 1 +
				  (size_t)at_random_below(
					  &self->random, self->parameter_count - 1)) %
			  self->parameter_count;
		pair->slope = at_random_unit(&self->random) < 0.5 ? -1 : 1;
		pair->centre = self->parameters[pair->a].centre +
			       pair->slope * self->parameters[pair->b].centre;
		/* moves the valley away from the lowest points of the two bowls */
		pair->centre += 0.3 * draw_normal(&self->random);
		pair->depth = kind->pairs * at_random_unit(&self->random);
	}
	for (size_t i = 0; i < kind->cliffs; i++)
		make_cliff(self, 0.3 + 0.4 * at_random_unit(&self->random),
			&self->cliffs[i]);
	for (size_t i = 0; i < self->gate_count; i++)
		make_off(self, &self->gates[i]);
	if (kind->failing > 0)
		make_cliff(self, kind->failing, &self->failing);
	/* an existing configuration, since the product limit excludes some */
	memcpy(self->needle,
		row_of(self, (size_t)at_random_below(&self->random, self->count)),
		self->parameter_count * sizeof(*self->needle));
	for (size_t inside = self->count;
		inside > 1 && (double)inside > NEEDLE_SHARE * (double)self->count;) {
		self->is_needle[at_random_below(&self->random, self->parameter_count)] =
			true;
		inside = 0;
		for (size_t i = 0; i < self->count; i++)
			inside += is_at_needle(self, row_of(self, i));
	}
}

/* ---- the recording ------------------------------------------------------------- */

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
	/* as if the third parameter were an unrolling factor, which slows compilers */
	result->compile_seconds =
		0.2 + 0.3 * rank_of(&self->parameters[2 % self->parameter_count],
				    row[2 % self->parameter_count]);
	if (fails(self, row)) {
		/* far beyond the limit compilation fails, near the limit only the
		   launch */
		bool is_deep =
			weigh(self, &self->failing, row) > self->failing.limit + 0.3;

		result->outcome = is_deep ? AT_OUTCOME_COMPILE_FAILED
					  : AT_OUTCOME_TOO_MANY_RESOURCES;
		result->reason = is_deep ? "planted: does not compile"
					 : "planted: too many registers";
		result->measure_seconds = 0;
		return AT_OK;
	}
	time_ns = time_of(self, row, lowest);
	for (int i = 0; i < SAMPLES; i++) {
		/* noise slows samples down more than it speeds them up, as on a
		   board */
		double noise = self->kind->noise * draw_normal(random);
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
		const uint16_t *row = row_of(self, i);

		if (!fails(self, row))
			lowest = fmin(lowest, height_of(self, row));
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
	/* a separate generator, so that further draws above do not change the noise */
	at_random_init(&random, self->seed ^ UINT64_C(0x9e3779b97f4a7c15));
	for (size_t i = 0; i < self->count && !status; i++)
		status = add_row(self, row_of(self, i), lowest, &random, &builder, err);
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
	const char *names[AT_COUNT_OF(kinds)];
	struct at_strbuf known = { 0 };
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)(length < 60 ? length : 60), text);
	for (size_t i = 0; i < AT_COUNT_OF(kinds); i++) {
		names[i] = kinds[i].name;
		if (!strcmp(name, kinds[i].name))
			self->kind = &kinds[i];
	}
	if (!self->kind) {
		at_text_add_known(&known, name, names, AT_COUNT_OF(kinds));
		at_fail(err, AT_ENOENT, NULL, 0,
			"unknown kind of planted space \"%s\"%s", name, known.data);
		at_strbuf_release(&known);
		return AT_ENOENT;
	}
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
	struct planted *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->size = SIZE_DEFAULT;
	status = parse(self, text, err);
	if (!status) {
		plant(self);
		status = record(self, text, out, err);
	}
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
