/*
 * Makes the automaton of a constraint: see automaton.h. States are found depth by
 * depth, merged by the key of what is left of the constraint, and then minimized.
 */
#include "space/automaton.h"

#include "base/hash_index.h"
#include "base/memory.h"
#include "space/expression_residual.h"

#include <stdlib.h>
#include <string.h>

/* The most digits kept of all states of a depth: 64 MiB. */
#define WAYS_MAX ((size_t)1 << 25)

/* Making a residual takes this many times as long as an evaluation. */
#define RESIDUAL_COST 12

struct maker {
	struct at_automaton *automaton;
	struct at_enumerator *enumerator;
	const struct at_tie *tie;
	struct at_open_slot *open; /* one a slot */
	/* For each state of this depth and of the next, the digits by which it was
	   first reached. */
	uint16_t *ways;
	uint16_t *next_ways;
	size_t way_capacity;
	struct at_hash_index states; /* of the next depth */
};

/* Describes a parameter that has no value yet, for the residual. */
static struct at_open_slot describe(
	const struct at_enumerator *enumerator, size_t parameter)
{
	const struct at_value *values = enumerator->spec->parameters[parameter].values;
	const struct at_value_set *domain = &enumerator->domains[parameter];
	struct at_open_slot open = {
		.is_open = true, .is_integer = true, .low = INT64_MAX, .high = INT64_MIN
	};

	for (size_t i = 0; i < domain->count; i++) {
		const struct at_value *value = &values[domain->indices[i]];

		if (value->type != AT_TYPE_INTEGER && value->type != AT_TYPE_BOOLEAN) {
			open.is_integer = false;
			break;
		}
		if (value->integer < open.low)
			open.low = value->integer;
		if (value->integer > open.high)
			open.high = value->integer;
	}
	return open;
}

/* The final state after the last parameter was bound. */
static uint32_t judge(struct maker *self)
{
	bool holds = false;

	switch (at_expression_test(
		self->tie->expression, self->enumerator->slots, &holds, NULL)) {
	case AT_EVALUATION_OK:
		return holds ? AT_AUTOMATON_HOLDS : AT_AUTOMATON_FAILS;
	case AT_EVALUATION_DIVISION_BY_ZERO:
		return AT_AUTOMATON_DIVIDES_BY_ZERO;
	case AT_EVALUATION_OVERFLOW:
	case AT_EVALUATION_DOMAIN:
	case AT_EVALUATION_TYPE:
	case AT_EVALUATION_UNBOUND:
		break;
	}
	return AT_AUTOMATON_ERROR;
}

/* The state after the parameters up to `depth` were bound, the last one to `digit`.
   `way` has the digits before. */
static enum at_status find_state(struct maker *self, size_t depth, const uint16_t *way,
	size_t digit, uint32_t *state)
{
	uint32_t fresh = (uint32_t)self->states.count;
	struct at_error *err = self->enumerator->err;
	struct at_hash key;
	enum at_status status = AT_OK;
	uint16_t *added;

	if (depth + 1 == self->automaton->depth_count) {
		*state = judge(self);
		return AT_OK;
	}
	switch (at_expression_residual(
		self->tie->expression, self->enumerator->slots, self->open, &key)) {
	case AT_RESIDUAL_HOLDS:
		*state = AT_AUTOMATON_HOLDS;
		return AT_OK;
	case AT_RESIDUAL_FAILS:
		*state = AT_AUTOMATON_FAILS;
		return AT_OK;
	case AT_RESIDUAL_OPEN:
		break;
	}
	at_hash_index_put(&self->states, key, fresh, state);
	if (*state != fresh)
		return AT_OK;
	if ((fresh + (size_t)1) * (depth + 1) > WAYS_MAX)
		return AT_EOVERFLOW;
	status = AT_RESERVE(
		self->next_ways, self->way_capacity, (fresh + 1) * (depth + 1), err);
	if (status)
		return status;
	added = self->next_ways + fresh * (depth + 1);
	memcpy(added, way, depth * sizeof(*way));
	added[depth] = (uint16_t)digit;
	return AT_OK;
}

/* Fills in the transitions from one depth, whose states are known, and finds the states
   of the next. */
static enum at_status make_depth(struct maker *self, size_t depth, uint64_t *steps)
{
	struct at_automaton_depth *here = &self->automaton->depths[depth];
	uint64_t needed = (uint64_t)here->state_count * here->digit_count;
	/* A long constraint counts as several evaluations. */
	uint64_t weight = 1 + self->tie->cost / 8;
	enum at_status status = AT_OK;

	if (needed > *steps / weight)
		return AT_EOVERFLOW;
	*steps -= needed * weight;
	here->next = at_calloc((size_t)needed + 1, sizeof(*here->next));
	self->open[here->parameter].is_open = false;
	self->next_ways = NULL;
	self->way_capacity = 0;
	at_hash_index_clear(&self->states);
	for (uint32_t state = 0; state < here->state_count && !status; state++) {
		const uint16_t *way = self->ways + state * depth;

		for (size_t i = 0; i < depth; i++)
			at_enumerate_bind(self->enumerator,
				self->automaton->depths[i].parameter, way[i]);
		for (size_t digit = 0; digit < here->digit_count && !status; digit++) {
			at_enumerate_bind(self->enumerator, here->parameter, digit);
			status = at_enumerate_spend(
				self->enumerator, RESIDUAL_COST * self->tie->cost);
			if (status)
				break;
			status = find_state(self, depth, way, digit,
				&here->next[state * here->digit_count + digit]);
		}
	}
	free(self->ways);
	self->ways = self->next_ways;
	self->next_ways = NULL;
	if (depth + 1 < self->automaton->depth_count)
		self->automaton->depths[depth + 1].state_count =
			(uint32_t)self->states.count;
	return status;
}

/*
 * From the last depth up, merges states with the same transitions, and removes states
 * whose transitions all lead to the same final state. AT_AUTOMATON_ERROR is not passed
 * up: the error has to be found where the values are known that the message names.
 */
static enum at_status minimize(struct maker *self)
{
	struct at_automaton *automaton = self->automaton;
	uint32_t *became = NULL;
	enum at_status status = AT_OK;

	for (size_t depth = automaton->depth_count; depth-- > 0 && !status;) {
		struct at_automaton_depth *here = &automaton->depths[depth];
		struct at_automaton_depth *above = depth ? here - 1 : NULL;
		uint32_t count = 0;

		became = at_calloc(here->state_count + 1, sizeof(*became));
		at_hash_index_clear(&self->states);
		for (uint32_t state = 0; state < here->state_count && !status;
			state++) {
			uint32_t *row = here->next + state * here->digit_count;
			bool is_alike = row[0] > AT_AUTOMATON_ERROR;

			status = at_enumerate_spend(
				self->enumerator, 8 + here->digit_count / 4);
			if (status)
				break;
			for (size_t i = 1; i < here->digit_count; i++)
				is_alike = is_alike && row[i] == row[0];
			if (is_alike) {
				became[state] = row[0];
				continue;
			}
			at_hash_index_put(&self->states,
				at_hash_bytes(row, here->digit_count * sizeof(*row)),
				count, &became[state]);
			if (status || became[state] != count)
				continue;
			memmove(here->next + count++ * here->digit_count, row,
				here->digit_count * sizeof(*row));
		}
		here->state_count = count;
		for (size_t i = 0; above && i < above->state_count * above->digit_count;
			i++)
			if (above->next[i] < AT_AUTOMATON_ERROR)
				above->next[i] = became[above->next[i]];
		if (!above)
			automaton->start = became[0];
		free(became);
	}
	return status;
}

enum at_status at_automaton_init(struct at_automaton *self, struct at_enumerator *of,
	const struct at_tie *tie, const size_t *parameters, uint64_t *steps)
{
	struct maker maker = { .automaton = self, .enumerator = of, .tie = tie };
	enum at_status status = AT_OK;

	*self = (struct at_automaton){ .depth_count = tie->parameter_count };
	self->depths = at_calloc(self->depth_count, sizeof(*self->depths));
	maker.open = at_calloc(of->spec->slot_count + 1, sizeof(*maker.open));
	maker.ways = at_calloc(1, sizeof(*maker.ways)); /* the start has no digits */
	for (size_t i = 0; i < self->depth_count; i++) {
		self->depths[i].parameter = parameters[i];
		self->depths[i].digit_count = of->domains[parameters[i]].count;
		maker.open[parameters[i]] = describe(of, parameters[i]);
	}
	self->depths[0].state_count = 1;
	for (size_t i = 0; i < self->depth_count && !status; i++)
		status = make_depth(&maker, i, steps);
	if (!status)
		status = minimize(&maker);
	at_hash_index_release(&maker.states);
	free(maker.ways);
	free(maker.next_ways);
	free(maker.open);
	return status;
}

void at_automaton_release(struct at_automaton *self)
{
	for (size_t i = 0; self->depths && i < self->depth_count; i++)
		free(self->depths[i].next);
	free(self->depths);
	*self = (struct at_automaton){ 0 };
}
