/*
 * Part four: the order in which a group's parameters are assigned. The share of
 * assignments that a constraint lets through is estimated by trying some at random. As
 * if constraints were independent, that gives the expected rows of each set of assigned
 * parameters, and so the cost of assigning one more. The cheapest order is the shortest
 * path from the empty set to the whole (Held and Karp 1962, "A dynamic programming
 * approach to sequencing problems"). Large groups make do with a greedy order.
 */
#include "space/enumerate_parts.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/*
 * Evaluations a constraint. A share of one half is then known to within 3 %, and orders
 * differ in cost only where shares differ by much more.
 */
#define TRIALS 256

/*
 * The most parameters of a group that is ordered exactly: 2^12 sets with up to 12 next
 * parameters each, about fifty thousand costs to add up. Every parameter more would
 * double that.
 */
#define EXACT_MAX 12

/* The cost of evaluating a constraint, in look-ups in its table of results. */
#define EVALUATION_COST 12.0

/*
 * The most parameters times constraints of a group that is ordered at all. Beyond it
 * the arrays here take megabytes, and a better order is not worth the time.
 */
#define SIZE_LIMIT ((size_t)1 << 22)

/* The most steps of a greedy order: half a second, as much as a good order may save. */
#define GREEDY_STEPS_MAX ((uint64_t)1 << 26)

struct orderer {
	struct at_enumerator *enumerator;
	const struct at_group *group;
	double *passing; /* by tie: the share of assignments that it lets through */
	bool **members; /* by tie and position in the group: whether the tie has it */
};

static double share_passing(struct at_enumerator *enumerator, const struct at_tie *tie,
	struct at_random *random)
{
	int passed = 0;

	for (int trial = 0; trial < TRIALS; trial++) {
		bool holds = false;

		for (size_t i = 0; i < tie->parameter_count; i++) {
			size_t parameter = tie->parameters[i];

			at_enumerate_bind(enumerator, parameter,
				at_random_below(
					random, enumerator->domains[parameter].count));
		}
		passed += !at_expression_test(
				  tie->expression, enumerator->slots, &holds, NULL) &&
			  holds;
	}
	/*
	 * Never 0: that a few hundred trials fail is no proof, and a share of 0 would
	 * make every order behind this constraint look free.
	 */
	return (passed + 0.5) / (TRIALS + 1);
}

static double domain_size(const struct orderer *self, size_t position)
{
	return (double)self->enumerator->domains[self->group->parameters[position]]
		.count;
}

/* The tables of Held and Karp's method; a set of parameters is the bits of an index. */
struct sets {
	double *rows; /* expected rows of each set */
	double *cost; /* of the cheapest way to each set */
	unsigned char *last; /* the parameter that this way assigns last */
	uint32_t *masks; /* of each tie: its parameters as bits */
};

/* The expected rows of each set: the shares that its constraints let through are
   multiplied. */
static void estimate_rows(
	const struct orderer *self, struct sets *sets, uint32_t set_count)
{
	for (uint32_t set = 0; set < set_count; set++) {
		double rows = 1;

		for (size_t i = 0; i < self->group->parameter_count; i++)
			if (set >> i & 1)
				rows *= domain_size(self, i);
		for (size_t i = 0; i < self->group->tie_count; i++)
			if ((sets->masks[i] & ~set) == 0)
				rows *= self->passing[i];
		sets->rows[set] = rows;
	}
}

/* The cost of going from the set `before` to `set`, which has one parameter more. */
static double step_cost(const struct orderer *self, const struct sets *sets,
	uint32_t before, uint32_t set, size_t added)
{
	double tried = sets->rows[before] * domain_size(self, added);
	double cost = tried;

	for (size_t i = 0; i < self->group->tie_count; i++) {
		double combinations = 1;

		/* Only ties that the new parameter completes are tested at this
		   step. */
		if ((sets->masks[i] & ~set) != 0 || (sets->masks[i] & ~before) == 0)
			continue;
		for (size_t j = 0; j < self->group->parameter_count; j++)
			if (sets->masks[i] >> j & 1)
				combinations *= domain_size(self, j);
		/* Results are stored, so that none is computed twice. */
		cost += tried + EVALUATION_COST * fmin(tried, combinations);
	}
	return cost;
}

static enum at_status find_cheapest(
	const struct orderer *self, struct sets *sets, size_t *order)
{
	size_t count = self->group->parameter_count;
	uint32_t set_count = (uint32_t)1 << count;
	uint32_t set = set_count - 1;
	/* of one set: each tie is looked at for each parameter */
	uint64_t cost = 2 * count * self->group->tie_count + count;
	enum at_status status = at_enumerate_spend(self->enumerator, set_count);

	estimate_rows(self, sets, set_count);
	for (uint32_t s = 1; s < set_count && !status; s++) {
		status = at_enumerate_spend(self->enumerator, cost);
		sets->cost[s] = INFINITY;
		for (size_t i = 0; i < count; i++) {
			uint32_t before = s & ~((uint32_t)1 << i);
			double least;

			if (before == s)
				continue;
			least = sets->cost[before] +
				step_cost(self, sets, before, s, i);
			/* Among equals this prefers the order of the file, whose rows
			   need no sorting. */
			if (least <= sets->cost[s]) {
				sets->cost[s] = least;
				sets->last[s] = (unsigned char)i;
			}
		}
	}
	/* From the whole set back to the empty one, along the cheapest way. */
	for (size_t i = count; i-- > 0 && !status; set &= ~((uint32_t)1 << order[i]))
		order[i] = sets->last[set];
	return status;
}

static enum at_status order_exactly(const struct orderer *self, size_t *order)
{
	size_t set_count = (size_t)1 << self->group->parameter_count;
	struct sets sets = {
		.rows = calloc(set_count, sizeof(*sets.rows)),
		.cost = calloc(set_count, sizeof(*sets.cost)),
		.last = calloc(set_count, sizeof(*sets.last)),
		.masks = calloc(self->group->tie_count + 1, sizeof(*sets.masks)),
	};
	enum at_status status = AT_OK;

	if (sets.rows && sets.cost && sets.last && sets.masks) {
		for (size_t i = 0; i < self->group->tie_count; i++)
			for (size_t j = 0; j < self->group->parameter_count; j++)
				if (self->members[i][j])
					sets.masks[i] |= (uint32_t)1 << j;
		status = find_cheapest(self, &sets, order);
	} else {
		status = at_fail_memory(self->enumerator->err);
	}
	free(sets.rows);
	free(sets.cost);
	free(sets.last);
	free(sets.masks);
	return status;
}

/* What the greedy order looks at: the ties of each position, and what they lack. */
struct greedy {
	size_t *starts; /* of each position in `ties`, and the end */
	size_t *ties; /* by position, ascending */
	size_t *lacking; /* of each tie: its parameters that are not assigned yet */
	/* of each tie, while growth() runs: how many of the tie's missing parameters it
	   lacks too; 0 between the calls */
	size_t *shared;
	size_t *touched; /* the ties with shared parameters */
	bool *assigned;
};

static void greedy_release(struct greedy *self)
{
	free(self->starts);
	free(self->ties);
	free(self->lacking);
	free(self->shared);
	free(self->touched);
	free(self->assigned);
}

static enum at_status greedy_init(struct greedy *self, const struct orderer *orderer)
{
	size_t count = orderer->group->parameter_count, uses = 0;
	size_t tie_count = orderer->group->tie_count;

	for (size_t i = 0; i < tie_count; i++)
		uses += orderer->group->ties[i]->parameter_count;
	*self = (struct greedy){
		.starts = calloc(count + 1, sizeof(*self->starts)),
		.ties = calloc(uses + 1, sizeof(*self->ties)),
		.lacking = calloc(tie_count, sizeof(*self->lacking)),
		.shared = calloc(tie_count, sizeof(*self->shared)),
		.touched = calloc(tie_count, sizeof(*self->touched)),
		.assigned = calloc(count, sizeof(*self->assigned)),
	};
	if (!self->starts || !self->ties || !self->lacking || !self->shared ||
		!self->touched || !self->assigned)
		return at_fail_memory(orderer->enumerator->err);
	uses = 0;
	for (size_t j = 0; j < count; j++) {
		for (size_t i = 0; i < tie_count; i++)
			if (orderer->members[i][j])
				self->ties[uses++] = i;
		self->starts[j + 1] = uses;
	}
	for (size_t i = 0; i < tie_count; i++)
		self->lacking[i] = orderer->group->ties[i]->parameter_count;
	return AT_OK;
}

/* The logarithm of the factor by which the rows grow when all parameters that a tie
   still lacks are assigned. *cost gets the steps that it took. */
static double growth(const struct orderer *self, const struct greedy *greedy,
	size_t tie, uint64_t *cost)
{
	size_t touched = 0, count = self->group->parameter_count;
	double result = 0;

	*cost = count / 4;
	for (size_t j = 0; j < count; j++) {
		if (!self->members[tie][j] || greedy->assigned[j])
			continue;
		result += log(domain_size(self, j));
		for (size_t k = greedy->starts[j]; k < greedy->starts[j + 1]; k++)
			if (!greedy->shared[greedy->ties[k]]++)
				greedy->touched[touched++] = greedy->ties[k];
		*cost += greedy->starts[j + 1] - greedy->starts[j];
	}
	for (size_t k = 0; k < touched; k++) {
		size_t i = greedy->touched[k];

		if (greedy->shared[i] == greedy->lacking[i])
			result += log(self->passing[i]);
		greedy->shared[i] = 0;
	}
	return result;
}

/*
 * Assigns the parameters of one tie after the other, each time of the tie that adds the
 * fewest rows. After GREEDY_STEPS_MAX the rest comes in the order of the file.
 */
static enum at_status order_greedily(const struct orderer *self, size_t *order)
{
	size_t count = self->group->parameter_count, placed = 0;
	struct greedy greedy;
	enum at_status status = greedy_init(&greedy, self);
	uint64_t spent = 0;

	while (placed < count && spent < GREEDY_STEPS_MAX && !status) {
		double least = INFINITY;
		size_t best = 0;

		for (size_t i = 0; i < self->group->tie_count && !status; i++) {
			uint64_t cost = 1;
			double grown = INFINITY;

			if (greedy.lacking[i])
				grown = growth(self, &greedy, i, &cost);
			spent += cost;
			status = at_enumerate_spend(self->enumerator, cost);
			if (grown < least) {
				least = grown;
				best = i;
			}
		}
		for (size_t j = 0; j < count; j++) {
			if (!self->members[best][j] || greedy.assigned[j])
				continue;
			greedy.assigned[j] = true;
			order[placed++] = j;
			for (size_t k = greedy.starts[j]; k < greedy.starts[j + 1]; k++)
				greedy.lacking[greedy.ties[k]]--;
		}
	}
	for (size_t j = 0; j < count && !status; j++)
		if (!greedy.assigned[j])
			order[placed++] = j;
	greedy_release(&greedy);
	return status;
}

static enum at_status prepare(struct orderer *self)
{
	const struct at_group *group = self->group;
	enum at_status status = AT_OK;
	struct at_random random;

	/* The seed is fixed: the order decides which configuration an error message
	   names. */
	at_random_init(&random, 1);
	for (size_t i = 0; i < group->tie_count && !status; i++) {
		const struct at_tie *tie = group->ties[i];

		status = at_enumerate_spend(self->enumerator,
			TRIALS * (tie->cost + tie->parameter_count) +
				group->parameter_count * tie->parameter_count);
		self->members[i] = calloc(group->parameter_count, sizeof(bool));
		if (!self->members[i])
			return at_fail_memory(self->enumerator->err);
		for (size_t j = 0; j < group->parameter_count; j++)
			for (size_t k = 0; k < tie->parameter_count; k++)
				self->members[i][j] |=
					tie->parameters[k] == group->parameters[j];
		self->passing[i] = share_passing(self->enumerator, tie, &random);
	}
	return status;
}

enum at_status at_enumerate_order(
	struct at_enumerator *self, const struct at_group *group, size_t *order)
{
	struct orderer orderer = {
		.enumerator = self,
		.group = group,
		.passing = calloc(group->tie_count + 1, sizeof(*orderer.passing)),
		.members = calloc(group->tie_count + 1, sizeof(*orderer.members)),
	};
	enum at_status status;

	if (group->tie_count * group->parameter_count > SIZE_LIMIT) {
		for (size_t i = 0; i < group->parameter_count; i++)
			order[i] = i;
		status = AT_OK;
		goto release;
	}
	if (!orderer.passing || !orderer.members) {
		status = at_fail_memory(self->err);
		goto release;
	}
	status = prepare(&orderer);
	if (!status && group->tie_count == 0)
		order[0] = 0; /* a group without constraints has one parameter */
	else if (!status && group->parameter_count <= EXACT_MAX)
		status = order_exactly(&orderer, order);
	else if (!status)
		status = order_greedily(&orderer, order);
release:
	for (size_t i = 0; orderer.members && i < group->tie_count; i++)
		free(orderer.members[i]);
	free(orderer.members);
	free(orderer.passing);
	return status;
}
