/* Computes the tables of features. */
#include "search/features.h"

#include "base/memory.h"

#include <stdlib.h>

/* For this many values or fewer, the rank implies the alignment. */
#define FEW_VALUES 4

/* With more words than this, one feature for each would outweigh all others: the
   position in the list replaces them. */
#define WORDS_MOST 128

static double number_of(struct at_value value)
{
	return value.type == AT_TYPE_REAL ? value.real : (double)value.integer;
}

static unsigned twos_of(struct at_value value)
{
	unsigned twos = 0;

	for (int64_t rest = value.integer; rest % 2 == 0; rest /= 2)
		twos++;
	return twos;
}

struct numbered {
	double number;
	size_t value; /* its index in the list */
};

static int compare_numbers(const void *a, const void *b)
{
	double left = ((const struct numbered *)a)->number;
	double right = ((const struct numbered *)b)->number;

	/* integers beyond 2^53 may convert to the same number; the order must not
	   depend on the library's qsort() */
	if (left == right)
		return ((const struct numbered *)a)->value >
				       ((const struct numbered *)b)->value
			       ? 1
			       : -1;
	return left < right ? -1 : 1;
}

/* Whether the exponent of 2 deserves a feature. It does not if it grows with the
   value, as for powers of two, or is the same for all. */
static bool has_twos(
	const struct at_search_parameter *parameter, const struct numbered *sorted)
{
	bool grows = true, varies = false;

	if (parameter->type != AT_TYPE_INTEGER ||
		parameter->value_count <= FEW_VALUES || sorted[0].number <= 0)
		return false;
	for (size_t i = 1; i < parameter->value_count; i++) {
		unsigned before = twos_of(parameter->values[sorted[i - 1].value]);
		unsigned after = twos_of(parameter->values[sorted[i].value]);

		varies |= before != after;
		grows &= before < after;
	}
	return varies && !grows;
}

static void scale(struct at_features_parameter *self, size_t value_count, size_t i)
{
	float least = self->table[i], most = self->table[i];

	for (size_t v = 0; v < value_count; v++) {
		float number = self->table[v * self->count + i];

		least = number < least ? number : least;
		most = number > most ? number : most;
	}
	for (size_t v = 0; v < value_count && most > least; v++) {
		float *number = &self->table[v * self->count + i];

		*number = (*number - least) / (most - least);
	}
}

/* Makes the table of a parameter. *twos: its second feature is the exponent of 2. */
static void describe(struct at_features_parameter *self,
	const struct at_search_parameter *parameter, bool *twos)
{
	size_t value_count = parameter->value_count;
	bool is_word = parameter->type == AT_TYPE_WORD;
	bool is_spread = is_word && value_count > 2 && value_count <= WORDS_MOST;
	struct numbered *sorted;

	*twos = false;
	if (value_count < 2)
		return;
	sorted = at_calloc(value_count, sizeof(*sorted));
	for (size_t v = 0; v < value_count; v++)
		sorted[v] = (struct numbered){
			is_word ? (double)v : number_of(parameter->values[v]), v
		};
	qsort(sorted, value_count, sizeof(*sorted), compare_numbers);
	*twos = !is_word && has_twos(parameter, sorted);
	self->count = is_spread ? value_count : 1 + (size_t)*twos;
	self->table = at_calloc(value_count * self->count, sizeof(*self->table));
	for (size_t rank = 0; rank < value_count; rank++) {
		size_t value = sorted[rank].value;
		float *row = self->table + value * self->count;

		row[is_spread ? value : 0] = is_spread ? 1 : (float)rank;
		if (*twos)
			row[1] = (float)twos_of(parameter->values[value]);
	}
	free(sorted);
	for (size_t i = 0; i < self->count; i++)
		scale(self, value_count, i);
}

void at_features_init(struct at_features *self, const struct at_search_space *space)
{
	size_t parameter_count = at_search_space_parameter_count(space);
	bool *twos = at_calloc(parameter_count + 1, sizeof(*twos));

	*self = (struct at_features){ .parameter_count = parameter_count };
	self->parameters = at_calloc(parameter_count + 1, sizeof(*self->parameters));
	for (size_t i = 0; i < parameter_count; i++) {
		self->parameters[i].first = self->count;
		describe(&self->parameters[i], at_search_space_parameter(space, i),
			&twos[i]);
		self->count += self->parameters[i].count;
	}
	self->kinds = at_calloc(self->count + 1, sizeof(*self->kinds));
	for (size_t i = 0; i < parameter_count; i++)
		if (twos[i])
			self->kinds[self->parameters[i].first + 1] = AT_FEATURE_TWOS;
	free(twos);
}

void at_features_release(struct at_features *self)
{
	for (size_t i = 0; self->parameters && i < self->parameter_count; i++)
		free(self->parameters[i].table);
	free(self->parameters);
	free(self->kinds);
	*self = (struct at_features){ 0 };
}

void at_features_write(const struct at_features *self, const uint16_t *configuration,
	float *features, size_t stride)
{
	for (size_t i = 0; i < self->parameter_count; i++) {
		const struct at_features_parameter *parameter = &self->parameters[i];

		for (size_t j = 0; j < parameter->count; j++)
			features[(parameter->first + j) * stride] =
				parameter->table[configuration[i] * parameter->count +
						 j];
	}
}
