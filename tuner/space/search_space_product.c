/*
 * Builds a group of a space as a product of automata, one per constraint. A state of
 * the group combines the states of the automata that have begun and not ended. Levels
 * are processed in order: each state with every value of the level's parameter. Then
 * the states become nodes, from the last level up. A state stands for all rows that
 * lead to it, so rows are never enumerated.
 */
#include "base/hash_index.h"
#include "base/memory.h"
#include "space/checked.h"
#include "space/expression_residual.h"
#include "space/search_space_parts.h"

#include <stdlib.h>
#include <string.h>

/*
 * ---- One constraint as an automaton. It reads the values of the constraint's
 * parameters in order and decides as early as possible whether the constraint holds.
 * Two assignments with the same residual key (space/expression_residual.h) are one
 * state. States are found depth by depth. States with equal transitions are merged
 * (Moore 1956, minimization); merging once from the last depth upwards suffices, since
 * the automaton has no cycles.
 */

/* Final states: further values do not change them. */
#define AUTOMATON_HOLDS UINT32_MAX
#define AUTOMATON_FAILS (UINT32_MAX - 1)
#define AUTOMATON_DIVIDES_BY_ZERO (UINT32_MAX - 2)
/*
 * The constraint cannot be evaluated here (overflow, wrong type, missing property). It
 * is an error of the space only if the other constraints let some configuration get
 * here.
 */
#define AUTOMATON_ERROR (UINT32_MAX - 3)

/* The automaton's transitions for one of its parameters; depth 0 is read first. */
struct automaton_depth {
	size_t parameter; /* index in the spec */
	size_t digit_count; /* number of values left in the parameter's domain */
	uint32_t state_count;
	uint32_t *next; /* the next depth's state, at [state * digit_count + digit] */
};

struct automaton {
	/* one per parameter of the constraint */
	size_t depth_count;
	struct automaton_depth *depths;
	uint32_t start; /* before any value; may be a final state */
};

/* The state after reading `digit`, an index into the domain of the parameter at
   position `depth`. Final states do not change. */
static inline uint32_t automaton_next(
	const struct automaton *self, size_t depth, uint32_t state, size_t digit)
{
	const struct automaton_depth *here = &self->depths[depth];

	return state >= AUTOMATON_ERROR ? state
					: here->next[state * here->digit_count + digit];
}

/* The most digits stored for all states of a depth: 64 MiB. */
#define WAYS_MAX ((size_t)1 << 25)

/* The cost of a residual in evaluations. */
#define RESIDUAL_COST 12

struct maker {
	struct automaton *automaton;
	struct at_enumerator *enumerator;
	const struct at_tie *tie;
	struct at_open_slot *open; /* one per slot */
	/* For each state of this depth and of the next, the digits that first reached
	   it. */
	uint16_t *ways;
	uint16_t *next_ways;
	size_t way_capacity;
	struct at_hash_index states; /* of the next depth */
};

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

/* The final state after binding the last parameter. */
static uint32_t judge(struct maker *self)
{
	bool holds = false;

	switch (at_expression_test(
		self->tie->expression, self->enumerator->slots, &holds, NULL)) {
	case AT_EVALUATION_OK:
		return holds ? AUTOMATON_HOLDS : AUTOMATON_FAILS;
	case AT_EVALUATION_DIVISION_BY_ZERO:
		return AUTOMATON_DIVIDES_BY_ZERO;
	case AT_EVALUATION_OVERFLOW:
	case AT_EVALUATION_DOMAIN:
	case AT_EVALUATION_TYPE:
	case AT_EVALUATION_UNBOUND:
		break;
	}
	return AUTOMATON_ERROR;
}

/* The state after binding the parameters up to `depth`, the last one to `digit`. `way`
   has the earlier digits. */
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
		*state = AUTOMATON_HOLDS;
		return AT_OK;
	case AT_RESIDUAL_FAILS:
		*state = AUTOMATON_FAILS;
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

/* Fills in the transitions from one depth with known states, and finds the states of
   the next. */
static enum at_status make_depth(struct maker *self, size_t depth, uint64_t *steps)
{
	struct automaton_depth *here = &self->automaton->depths[depth];
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
 * Merges states with the same transitions, from the last depth up, and removes states
 * whose transitions all lead to the same final state. AUTOMATON_ERROR does not
 * propagate: the message names values, so the error must be found where they are known.
 */
static enum at_status minimize(struct maker *self)
{
	struct automaton *automaton = self->automaton;
	uint32_t *became = NULL;
	enum at_status status = AT_OK;

	for (size_t depth = automaton->depth_count; depth-- > 0 && !status;) {
		struct automaton_depth *here = &automaton->depths[depth];
		struct automaton_depth *above = depth ? here - 1 : NULL;
		uint32_t count = 0;

		became = at_calloc(here->state_count + 1, sizeof(*became));
		at_hash_index_clear(&self->states);
		for (uint32_t state = 0; state < here->state_count && !status;
			state++) {
			uint32_t *row = here->next + state * here->digit_count;
			bool is_alike = row[0] > AUTOMATON_ERROR;

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
			if (above->next[i] < AUTOMATON_ERROR)
				above->next[i] = became[above->next[i]];
		if (!above)
			automaton->start = became[0];
		free(became);
	}
	return status;
}

/*
 * Makes the automaton of a constraint. parameters: those of the tie, in reading order.
 * *steps: the remaining evaluations of constraints, reduced by those made here.
 * AT_EOVERFLOW, without a text: *steps does not suffice, or there are too many states.
 * Release it also after a failure.
 */
static enum at_status automaton_init(struct automaton *self, struct at_enumerator *of,
	const struct at_tie *tie, const size_t *parameters, uint64_t *steps)
{
	struct maker maker = { .automaton = self, .enumerator = of, .tie = tie };
	enum at_status status = AT_OK;

	*self = (struct automaton){ .depth_count = tie->parameter_count };
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

/* ---- the product ------------------------------------------------------------------
 */

/*
 * The most evaluations of constraints for the automata of a group: a second and a half.
 * Real spaces take some thousands to some hundred thousands; a sum of six squares of up
 * to 100 takes six million.
 */
#define EVALUATIONS_MAX ((uint64_t)1 << 23)

/* The most edges between a group's states, and the most states of a level: some tenths
   of a second. During construction an edge takes 6 bytes and a state about 50. */
#define EDGES_MAX ((size_t)1 << 22)
#define STATES_MAX ((size_t)1 << 20)

/* The most words of all states of a level: 256 MiB. */
#define STATE_WORDS_MAX ((size_t)1 << 26)

/* The most parameters times constraints of a group. */
#define LAYOUT_MAX ((size_t)1 << 20)

struct factor {
	const struct at_tie *tie;
	struct automaton automaton;
	size_t *levels; /* its parameters' levels, ascending */
	uint64_t removed; /* rows that it was the first to remove */
	uint64_t divided; /* of these, by a division by zero */
};

/* The transition of one constraint's automaton at a level. */
struct turn {
	struct factor *factor;
	size_t depth; /* of the automaton */
	size_t from; /* place in the state above; SIZE_MAX: the automaton starts here */
	size_t to; /* place in the state below; SIZE_MAX: the automaton ends here */
};

struct product_level {
	size_t parameter;
	size_t digit_count;
	uint64_t weight; /* rows below one assignment without constraints */
	size_t turn_count;
	struct turn *turns; /* in the order of the file */
	/* Words per state of this level, and which are copied from the state above. */
	size_t width;
	size_t *kept_from; /* place above, by place here; SIZE_MAX: from a turn */
	size_t state_count;
	size_t *first_edges; /* into children, one per state and one more */
	/* By state: the state and the digit that first reached it. */
	uint32_t *parents;
	uint16_t *parent_digits;
	size_t parent_capacity;
	size_t digit_capacity;
	uint32_t *children; /* edges, to states of the next level */
	uint16_t *digits;
	size_t edge_count;
	size_t child_capacity;
	size_t value_capacity;
};

struct product {
	struct at_enumerator *enumerator;
	struct at_group *group;
	size_t level_count;
	struct product_level *levels; /* level_count + 1: the last is the end of rows */
	struct factor *factors; /* one per tie */
	size_t edge_count;
	struct at_hash_index index; /* of the states of the level under construction */
	/* The states of the level being read and of the level under construction, and
	   the number of rows that lead to each. */
	uint32_t *states;
	uint32_t *next_states;
	size_t next_capacity;
	uint64_t *paths;
	uint64_t *next_paths;
	size_t path_capacity;
};

static int compare_sizes(const void *a, const void *b)
{
	size_t left = *(const size_t *)a, right = *(const size_t *)b;

	return left < right ? -1 : left > right;
}

/* Makes the automata; each reads its parameters in the order of the levels. */
static enum at_status make_factors(struct product *self)
{
	const struct at_group *group = self->group;
	uint64_t evaluations = EVALUATIONS_MAX;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < group->tie_count && !status; i++) {
		const struct at_tie *tie = group->ties[i];
		struct factor *factor = &self->factors[i];
		size_t *parameters =
			at_calloc(tie->parameter_count, sizeof(*parameters));

		factor->tie = tie;
		factor->levels =
			at_calloc(tie->parameter_count, sizeof(*factor->levels));
		for (size_t j = 0; j < tie->parameter_count; j++)
			while (self->levels[factor->levels[j]].parameter !=
				tie->parameters[j])
				factor->levels[j]++;
		qsort(factor->levels, tie->parameter_count, sizeof(*factor->levels),
			compare_sizes);
		for (size_t j = 0; j < tie->parameter_count; j++)
			parameters[j] = self->levels[factor->levels[j]].parameter;
		status = automaton_init(&factor->automaton, self->enumerator, tie,
			parameters, &evaluations);
		free(parameters);
	}
	return status;
}

/* Lists the constraints that each level moves, and their places in a state: a state
   holds the constraints that began above its level and end further down. */
static enum at_status lay_out(struct product *self)
{
	size_t tie_count = self->group->tie_count;
	size_t *places;

	if (tie_count * self->level_count > LAYOUT_MAX)
		return AT_EOVERFLOW;
	places = at_calloc(tie_count + 1, sizeof(*places));
	for (size_t i = 0; i < tie_count; i++)
		places[i] = SIZE_MAX;
	for (size_t i = 0; i < self->level_count; i++) {
		struct product_level *level = &self->levels[i];
		struct product_level *below = level + 1;

		level->turns = at_calloc(tie_count + 1, sizeof(*level->turns));
		below->kept_from = at_calloc(tie_count + 1, sizeof(*below->kept_from));
		for (size_t j = 0; j < tie_count; j++) {
			struct factor *factor = &self->factors[j];
			size_t depth = 0, last = factor->tie->parameter_count - 1;
			size_t from = places[j];
			bool goes_on;

			while (depth < last && factor->levels[depth] < i)
				depth++;
			goes_on = factor->levels[0] <= i && factor->levels[last] > i;
			places[j] = goes_on ? below->width++ : SIZE_MAX;
			if (goes_on)
				below->kept_from[places[j]] = from;
			if (factor->levels[depth] != i)
				continue;
			if (goes_on)
				below->kept_from[places[j]] = SIZE_MAX;
			level->turns[level->turn_count++] =
				(struct turn){ factor, depth, from, places[j] };
		}
	}
	free(places);
	return AT_OK;
}

/* Binds the parameters to the values that first reached a state. */
static void bind_way(struct product *self, size_t depth, size_t state)
{
	while (depth-- > 0) {
		const struct product_level *below = &self->levels[depth + 1];

		at_enumerate_bind(self->enumerator, self->levels[depth].parameter,
			below->parent_digits[state]);
		state = below->parents[state];
	}
}

/* Reports a constraint that cannot be evaluated for rows that reach it. */
static enum at_status tell_error(struct product *self, size_t depth, size_t state,
	size_t digit, const struct at_tie *tie)
{
	int unbound_slot = -1;
	enum at_evaluated evaluation;
	bool holds;

	bind_way(self, depth, state);
	at_enumerate_bind(self->enumerator, self->levels[depth].parameter, digit);
	evaluation = at_expression_test(
		tie->expression, self->enumerator->slots, &holds, &unbound_slot);
	return at_enumerate_check(self->enumerator, tie, evaluation, unbound_slot);
}

/* Adds an edge to the state that take() appended to the next level, or to an existing
   equal state. */
static enum at_status add_edge(
	struct product *self, size_t depth, size_t state, size_t digit)
{
	struct product_level *level = &self->levels[depth], *below = level + 1;
	struct at_error *err = self->enumerator->err;
	uint32_t fresh = (uint32_t)below->state_count, child;
	enum at_status status = AT_OK;

	at_hash_index_put(&self->index,
		at_hash_bytes(self->next_states + below->width * fresh,
			below->width * sizeof(*self->next_states)),
		fresh, &child);

	if (child == fresh) {
		if (fresh + 1 > STATES_MAX)
			return AT_EOVERFLOW;
		status = AT_RESERVE(
			below->parents, below->parent_capacity, fresh + 1, err);
		if (!status)
			status = AT_RESERVE(below->parent_digits, below->digit_capacity,
				fresh + 1, err);
		if (!status)
			status = AT_RESERVE(
				self->next_paths, self->path_capacity, fresh + 1, err);
		if (status)
			return status;
		below->parents[fresh] = (uint32_t)state;
		below->parent_digits[fresh] = (uint16_t)digit;
		self->next_paths[fresh] = 0;
		below->state_count++;
	}
	if (!status && ++self->edge_count > EDGES_MAX)
		return AT_EOVERFLOW;
	if (!status)
		status = AT_RESERVE(level->children, level->child_capacity,
			level->edge_count + 1, err);
	if (!status)
		status = AT_RESERVE(level->digits, level->value_capacity,
			level->edge_count + 1, err);
	if (status)
		return status;
	level->children[level->edge_count] = child;
	level->digits[level->edge_count++] = (uint16_t)digit;
	self->next_paths[child] =
		at_saturated_add(self->next_paths[child], self->paths[state]);
	return AT_OK;
}

/* Follows one value of the level's parameter from a state. */
static enum at_status take(
	struct product *self, size_t depth, size_t state, size_t digit)
{
	struct product_level *level = &self->levels[depth], *below = level + 1;
	const uint32_t *from = self->states + level->width * state;
	size_t words = below->width * (below->state_count + 1) + 1;
	uint32_t *to;
	enum at_status status =
		at_enumerate_spend(self->enumerator, 4 + level->turn_count);

	if (!status && words > STATE_WORDS_MAX)
		status = AT_EOVERFLOW;
	if (!status)
		status = AT_RESERVE(self->next_states, self->next_capacity, words,
			self->enumerator->err);
	if (status)
		return status;
	to = self->next_states + below->width * below->state_count;
	/* In the order of the file: a constraint may guard the next one from an
	   overflow. */
	for (size_t i = 0; i < level->turn_count; i++) {
		const struct turn *turn = &level->turns[i];
		struct factor *factor = turn->factor;
		uint32_t next = automaton_next(&factor->automaton, turn->depth,
			turn->from == SIZE_MAX ? factor->automaton.start
					       : from[turn->from],
			digit);
		uint64_t rows;

		if (next == AUTOMATON_ERROR)
			return tell_error(self, depth, state, digit, factor->tie);
		if (next == AUTOMATON_FAILS || next == AUTOMATON_DIVIDES_BY_ZERO) {
			rows = at_saturated_multiply(self->paths[state], level->weight);
			factor->removed = at_saturated_add(factor->removed, rows);
			if (next == AUTOMATON_DIVIDES_BY_ZERO)
				factor->divided =
					at_saturated_add(factor->divided, rows);
			return AT_OK;
		}
		if (turn->to != SIZE_MAX)
			to[turn->to] = next;
	}
	for (size_t i = 0; i < below->width; i++)
		if (below->kept_from[i] != SIZE_MAX)
			to[i] = from[below->kept_from[i]];
	return add_edge(self, depth, state, digit);
}

static enum at_status go_through(struct product *self)
{
	enum at_status status = AT_OK;

	self->states =
		at_calloc(1, sizeof(*self->states)); /* one state without words */
	self->paths = at_calloc(1, sizeof(*self->paths));
	self->paths[0] = 1;
	self->levels[0].state_count = 1;
	for (size_t depth = 0; depth < self->level_count && !status; depth++) {
		struct product_level *level = &self->levels[depth];

		at_hash_index_clear(&self->index);
		self->next_states = NULL;
		self->next_paths = NULL;
		self->next_capacity = self->path_capacity = 0;
		level->first_edges =
			at_calloc(level->state_count + 1, sizeof(*level->first_edges));
		for (size_t state = 0; state < level->state_count && !status; state++) {
			for (size_t digit = 0; digit < level->digit_count && !status;
				digit++)
				status = take(self, depth, state, digit);
			level->first_edges[state + 1] = level->edge_count;
		}
		free(self->states);
		free(self->paths);
		self->states = self->next_states;
		self->paths = self->next_paths;
		self->next_states = NULL;
		self->next_paths = NULL;
	}
	return status;
}

/* Makes nodes of the states, from the last level up. A state without a complete row
   becomes AT_DIAGRAM_NONE. */
static enum at_status reduce(struct product *self, struct at_diagram *diagram)
{
	struct at_error *err = self->enumerator->err;
	struct at_diagram_builder builder;
	uint32_t *nodes_below = at_calloc(1, sizeof(*nodes_below)), *nodes = NULL;
	struct at_diagram_edge *edges = NULL;
	enum at_status status =
		at_diagram_begin(&builder, diagram, self->level_count, err);

	for (size_t depth = self->level_count; depth-- > 0 && !status;) {
		struct product_level *level = &self->levels[depth];
		const uint16_t *indices =
			self->enumerator->domains[level->parameter].indices;

		nodes = at_calloc(level->state_count + 1, sizeof(*nodes));
		edges = at_calloc(level->digit_count, sizeof(*edges));
		for (size_t state = 0; state < level->state_count && !status; state++) {
			size_t count = 0;

			status = at_enumerate_spend(self->enumerator,
				8 + 2 * (level->first_edges[state + 1] -
						level->first_edges[state]));
			if (status)
				break;
			for (size_t i = level->first_edges[state];
				i < level->first_edges[state + 1]; i++) {
				uint32_t child = nodes_below[level->children[i]];

				if (child == AT_DIAGRAM_NONE)
					continue;
				edges[count].child = child;
				edges[count++].value = indices[level->digits[i]];
			}
			status = at_diagram_add(
				&builder, edges, count, &nodes[state], err);
		}
		free(edges);
		free(nodes_below);
		nodes_below = nodes;
	}
	at_diagram_end(&builder, status ? AT_DIAGRAM_NONE : nodes_below[0]);
	free(nodes_below);
	return status;
}

static void release(struct product *self)
{
	for (size_t i = 0; self->levels && i <= self->level_count; i++) {
		struct product_level *level = &self->levels[i];

		free(level->turns);
		free(level->kept_from);
		free(level->first_edges);
		free(level->parents);
		free(level->parent_digits);
		free(level->children);
		free(level->digits);
	}
	for (size_t i = 0; self->factors && i < self->group->tie_count; i++) {
		const struct automaton *automaton = &self->factors[i].automaton;

		for (size_t k = 0; automaton->depths && k < automaton->depth_count; k++)
			free(automaton->depths[k].next);
		free(automaton->depths);
		free(self->factors[i].levels);
	}
	at_hash_index_release(&self->index);
	free(self->levels);
	free(self->factors);
	free(self->states);
	free(self->next_states);
	free(self->paths);
	free(self->next_paths);
}

/* Makes the product in the given order only. AT_EOVERFLOW, without a text: this order
   has too many states. */
static enum at_status multiply(struct at_enumerator *enumerator, struct at_group *group,
	const size_t *order, uint64_t others, struct at_diagram *diagram)
{
	struct product self = { .enumerator = enumerator,
		.group = group,
		.level_count = group->parameter_count,
		.levels = at_calloc(group->parameter_count + 1, sizeof(*self.levels)),
		.factors = at_calloc(group->tie_count + 1, sizeof(*self.factors)) };
	enum at_status status;
	uint64_t weight = 1;

	for (size_t i = self.level_count; i-- > 0;) {
		struct product_level *level = &self.levels[i];

		level->parameter = group->parameters[order[i]];
		level->digit_count = enumerator->domains[level->parameter].count;
		level->weight = weight;
		weight = at_saturated_multiply(weight, level->digit_count);
	}
	status = make_factors(&self);
	if (!status)
		status = lay_out(&self);
	if (!status)
		status = go_through(&self);
	if (!status)
		status = reduce(&self, diagram);
	for (size_t i = 0; i < group->tie_count && !status; i++) {
		struct factor *factor = &self.factors[i];

		at_enumerate_remove(enumerator, factor->tie, AT_EVALUATION_OK,
			at_saturated_multiply(
				factor->removed - factor->divided, others));
		at_enumerate_remove(enumerator, factor->tie,
			AT_EVALUATION_DIVISION_BY_ZERO,
			at_saturated_multiply(factor->divided, others));
	}
	release(&self);
	return status;
}

/* Names the constraint that ties the most combinations. */
static enum at_status fail_tied(
	const struct at_enumerator *self, const struct at_group *group)
{
	const struct at_tie *most = group->ties[0];
	struct at_strbuf text = { 0 };
	uint64_t combinations = 0;

	for (size_t i = 0; i < group->tie_count; i++) {
		const struct at_tie *tie = group->ties[i];
		uint64_t product = 1;

		for (size_t j = 0; j < tie->parameter_count; j++)
			product = at_saturated_multiply(
				product, self->domains[tie->parameters[j]].count);
		if (product > combinations) {
			combinations = product;
			most = tie;
		}
	}
	at_strbuf_addf(&text, "constraint \"%.300s\" ties the values of ",
		at_expression_text(most->expression));
	for (size_t i = 0; i < most->parameter_count && i < 8; i++)
		at_strbuf_addf(&text, "%s%s", i ? ", " : "",
			self->spec->parameters[most->parameters[i]].name);
	at_strbuf_addf(&text,
		"%s so that the %zu parameters that constraints tie together have too many states to count: shorten the lists of values, or split the constraint",
		most->parameter_count > 8 ? ", ..." : "", group->parameter_count);
	return at_enumerate_fail_at(
		self->spec, most->constraint, AT_EOVERFLOW, &text, self->err);
}

enum at_status at_group_diagram(struct at_enumerator *self, struct at_group *group,
	uint64_t others, struct at_diagram *diagram, size_t *order)
{
	enum at_status status;

	for (size_t i = 0; i < group->parameter_count; i++)
		order[i] = i;
	status = multiply(self, group, order, others, diagram);
	if (status != AT_EOVERFLOW)
		return status;
	at_diagram_release(diagram);
	status = at_enumerate_order(self, group, order);
	if (!status)
		status = multiply(self, group, order, others, diagram);
	return status == AT_EOVERFLOW ? fail_tied(self, group) : status;
}
