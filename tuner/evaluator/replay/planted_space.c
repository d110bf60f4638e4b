/* Makes a planted space: its parameters, its configurations, and the time of each. */
#include "evaluator/replay/planted_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the largest share of the space that a needle may take */
#define NEEDLE_SHARE 0.002
/* the time of a launch at the lowest point of the bowl */
#define BEST_NS 1e6

double planted_normal(struct at_random *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += at_random_unit(random);
	return sum;
}

/* ---- parameters and rows ------------------------------------------------------ */

static void make_powers(struct planted *self, struct parameter *parameter)
{
	int64_t first = (int64_t)1 << at_random_below(&self->random, 4);

	parameter->type = AT_TYPE_INTEGER;
	parameter->count = 3 + (size_t)at_random_below(&self->random, 4);
	for (size_t i = 0; i < parameter->count; i++)
		parameter->values[i] = first << i;
}

static void make_range(struct planted *self, struct parameter *parameter)
{
	int64_t step = (int64_t)1 << at_random_below(&self->random, 5);

	parameter->type = AT_TYPE_INTEGER;
	parameter->count = 4 + (size_t)at_random_below(&self->random, 9);
	for (size_t i = 0; i < parameter->count; i++)
		parameter->values[i] = step * (int64_t)(i + 1);
}

static void make_parameter(struct planted *self, struct parameter *parameter)
{
	uint64_t dice = at_random_below(&self->random, 10);

	/* the first two are block sizes, the next are flags for gates, the others as
	   kernels have them */
	if (self->parameter_count >= 2 && self->parameter_count < 2 + self->kind->gates)
		dice = 6; /* a flag */
	if (self->parameter_count < 2 || dice < 4) {
		make_powers(self, parameter);
	} else if (dice < 6) {
		make_range(self, parameter);
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

/* Whether the values of the first two parameters stay within the product limit. */
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
	/* one power of two above the middle of the products that the two can have */
	self->product_limit = parameters[0].values[0] * parameters[1].values[0]
			      << ((parameters[0].count + parameters[1].count) / 2);
	for (size_t i = 0; i < parameters[0].count; i++)
		for (size_t k = 0; k < parameters[1].count; k++)
			size += is_in_space(self, i, k);
	while (self->parameter_count < PARAMETERS_MAX &&
		size * 2 < self->size * 3 / 2) {
		struct parameter *parameter = &parameters[self->parameter_count++];

		make_parameter(self, parameter);
		/* drop values of the last one while the space would become much too
		   large */
		while (parameter->count > 2 &&
			size * parameter->count > self->size * 3 / 2)
			parameter->count--;
		size *= parameter->count;
	}
}

/* Puts about half of the parameters, at least one, behind flags. These decide more than
   others. */
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

/* Whether a parameter counts in this configuration. */
static bool counts(const struct planted *self, const uint16_t *row, size_t parameter)
{
	for (size_t i = 0; i < self->gate_count; i++)
		if (self->gates[i].is_gated[parameter] && !row[self->gates[i].flag])
			return false;
	return true;
}

/* With pinned parameters: whether a parameter that does not count has another value
   than its first. */
static bool is_duplicate(const struct planted *self, const uint16_t *row)
{
	for (size_t i = 2; i < self->parameter_count; i++)
		if (self->is_pinned && row[i] && !counts(self, row, i))
			return true;
	return false;
}

/* Lists all configurations of the space. */
static enum at_status make_rows(struct planted *self, struct at_error *err)
{
	size_t width = self->parameter_count;
	uint16_t row[PARAMETERS_MAX] = { 0 };
	enum at_status status;

	for (;;) {
		size_t i = width;

		if (is_in_space(self, row[0], row[1]) && !is_duplicate(self, row)) {
			status = AT_RESERVE(self->rows, self->row_capacity,
				(self->count + 1) * width, err);
			if (status)
				return status;
			memcpy(self->rows + self->count++ * width, row,
				width * sizeof(*row));
		}
		while (i > 0 && ++row[i - 1] == self->parameters[i - 1].count)
			row[--i] = 0;
		if (i == 0)
			return AT_OK;
	}
}

/* ---- the time ------------------------------------------------------------------ */

double planted_rank(const struct parameter *parameter, uint16_t value)
{
	return (double)value / (double)(parameter->count - 1);
}

double planted_weigh(
	const struct planted *self, const struct cliff *cliff, const uint16_t *row)
{
	double sum = 0;

	for (size_t i = 0; i < self->parameter_count; i++)
		sum += cliff->weights[i] * planted_rank(&self->parameters[i], row[i]);
	return sum;
}

/* What a parameter alone adds to the logarithm of the time. */
static double height_of_parameter(
	const struct planted *self, const uint16_t *row, size_t i)
{
	const struct parameter *parameter = &self->parameters[i];
	double away = planted_rank(parameter, row[i]) - parameter->centre;

	return parameter->type == AT_TYPE_INTEGER ? parameter->depth * away * away
						  : parameter->offsets[row[i]];
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Makes a cliff: a limit on a weighted sum of three ranks, which `share` of the
   configurations exceed. For powers of two a sum of ranks is a product of values. */
static enum at_status make_cliff(
	struct planted *self, double share, struct cliff *cliff, struct at_error *err)
{
	double *sums = calloc(self->count + 1, sizeof(*sums));

	if (!sums)
		return at_fail_memory(err);
	for (int k = 0; k < 3; k++)
		cliff->weights[at_random_below(&self->random, self->parameter_count)] =
			(at_random_below(&self->random, 4) ? 1 : -1) *
			(0.5 + at_random_unit(&self->random));
	for (size_t i = 0; i < self->count; i++)
		sums[i] = planted_weigh(
			self, cliff, self->rows + i * self->parameter_count);
	qsort(sums, self->count, sizeof(*sums), compare);
	cliff->limit = sums[(size_t)((1 - share) * (double)(self->count - 1))];
	cliff->height = 0.3 + 0.7 * at_random_unit(&self->random);
	free(sums);
	return AT_OK;
}

/* Without the flag the time is as with it and some luck: better than most, not the
   best. */
static enum at_status make_off(
	struct planted *self, struct gate *gate, struct at_error *err)
{
	double *heights = calloc(self->count + 1, sizeof(*heights));
	double share = 0.1 + 0.4 * at_random_unit(&self->random);
	size_t count = 0;

	if (!heights)
		return at_fail_memory(err);
	for (size_t k = 0; k < self->count; k++) {
		const uint16_t *row = self->rows + k * self->parameter_count;

		for (size_t i = 0; row[gate->flag] && i < self->parameter_count; i++)
			if (gate->is_gated[i])
				heights[count] += height_of_parameter(self, row, i);
		count += row[gate->flag] != 0;
	}
	qsort(heights, count, sizeof(*heights), compare);
	gate->off = heights[(size_t)(share * (double)count)];
	free(heights);
	return AT_OK;
}

static bool is_at_needle(const struct planted *self, const uint16_t *row)
{
	bool is_there = true;

	for (size_t i = 0; i < self->parameter_count; i++)
		is_there =
			is_there && (!self->is_needle[i] || self->needle[i] == row[i]);
	return is_there;
}

enum at_status planted_plant(struct planted *self, struct at_error *err)
{
	const struct kind *kind = self->kind;
	enum at_status status;

	at_random_init(&self->random, self->seed);
	make_parameters(self);
	make_gates(self);
	status = make_rows(self, err);
	if (status)
		return status;
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
		pair->centre += 0.3 * planted_normal(&self->random);
		pair->depth = kind->pairs * at_random_unit(&self->random);
	}
	for (size_t i = 0; i < kind->cliffs && !status; i++)
		status = make_cliff(self, 0.3 + 0.4 * at_random_unit(&self->random),
			&self->cliffs[i], err);
	for (size_t i = 0; i < self->gate_count && !status; i++)
		status = make_off(self, &self->gates[i], err);
	if (!status && kind->failing > 0)
		status = make_cliff(self, kind->failing, &self->failing, err);
	if (status)
		return status;
	/* an existing configuration, since the product limit may exclude others */
	memcpy(self->needle,
		self->rows + at_random_below(&self->random, self->count) *
				     self->parameter_count,
		self->parameter_count * sizeof(*self->needle));
	for (size_t inside = self->count;
		inside > 1 && (double)inside > NEEDLE_SHARE * (double)self->count;) {
		self->is_needle[at_random_below(&self->random, self->parameter_count)] =
			true;
		inside = 0;
		for (size_t i = 0; i < self->count; i++)
			inside += is_at_needle(
				self, self->rows + i * self->parameter_count);
	}
	return AT_OK;
}

bool planted_fails(const struct planted *self, const uint16_t *row)
{
	return self->kind->failing > 0 &&
	       planted_weigh(self, &self->failing, row) > self->failing.limit;
}

double planted_height(const struct planted *self, const uint16_t *row)
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
		double away = planted_rank(&self->parameters[pair->a], row[pair->a]) +
			      pair->slope * planted_rank(&self->parameters[pair->b],
						    row[pair->b]) -
			      pair->centre;

		if (counts(self, row, pair->a) && counts(self, row, pair->b))
			sum += pair->depth * away * away;
	}
	for (size_t i = 0; i < self->kind->cliffs; i++)
		if (planted_weigh(self, &self->cliffs[i], row) > self->cliffs[i].limit)
			sum += self->cliffs[i].height;
	return sum;
}

/* lowest: the lowest planted_height() of all that do not fail */
double planted_time(const struct planted *self, const uint16_t *row, double lowest)
{
	double height = planted_height(self, row) - lowest;

	if (self->kind->plateau > 0)
		height = self->kind->plateau * floor(height / self->kind->plateau);
	/* the needle is nearly flat at its bottom, wherever it lies on the bowl */
	if (self->kind->needle > 0 && is_at_needle(self, row))
		height = fmin(0.1 * height, 0.1) - self->kind->needle;
	return BEST_NS * exp(height);
}
