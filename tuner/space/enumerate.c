/* The enumerator: filter, split, order; statistics; and why a space is empty. */
#include "base/memory.h"
#include "base/text.h"
#include "space/checked.h"
#include "space/search_space_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void at_enumerate_init(struct at_enumerator *self, const struct at_spec *spec,
	const struct at_value *slots, size_t first, size_t last, struct at_error *err)
{
	*self = (struct at_enumerator){
		.spec = spec,
		.slots = at_calloc(spec->slot_count + 1, sizeof(*self->slots)),
		.domains = at_calloc(spec->parameter_count, sizeof(*self->domains)),
		.ties = at_calloc(last - first + 1, sizeof(*self->ties)),
		.tie_count = last - first,
		.err = err,
	};
	memcpy(self->slots, slots, spec->slot_count * sizeof(*slots));
	for (size_t i = 0; i < spec->parameter_count; i++) {
		struct at_value_set *domain = &self->domains[i];

		domain->count = spec->parameters[i].value_count;
		domain->indices = at_calloc(domain->count, sizeof(*domain->indices));
		for (size_t j = 0; j < domain->count; j++)
			domain->indices[j] = (uint16_t)j;
	}
	for (size_t i = 0; i < self->tie_count; i++) {
		struct at_tie *tie = &self->ties[i];
		size_t used_count;
		const int *used;

		tie->constraint = first + i;
		tie->expression = spec->constraints[first + i].expression;
		tie->cost = at_expression_cost(tie->expression);
		used = at_expression_slots(tie->expression, &used_count);
		tie->parameters = at_calloc(used_count + 1, sizeof(*tie->parameters));
		/* Parameters have the lowest slots, and slots ascend. So the parameters
		   of a tie ascend, as all code below requires. */
		for (size_t j = 0; j < used_count; j++)
			if ((size_t)used[j] < spec->parameter_count)
				tie->parameters[tie->parameter_count++] =
					(size_t)used[j];
	}
}

void at_enumerate_release(struct at_enumerator *self)
{
	for (size_t i = 0; self->domains && i < self->spec->parameter_count; i++)
		free(self->domains[i].indices);
	for (size_t i = 0; self->ties && i < self->tie_count; i++)
		free(self->ties[i].parameters);
	for (size_t i = 0; i < self->group_count; i++) {
		free(self->groups[i].parameters);
		free(self->groups[i].ties);
	}
	free(self->slots);
	free(self->domains);
	free(self->ties);
	free(self->groups);
}

/* ---- what a constraint did: the configurations that it removed, and errors --------
 */

void at_enumerate_remove(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, uint64_t count)
{
	struct at_enumeration *statistics = self->statistics;
	size_t i = tie->constraint;

	if (!statistics)
		return;
	statistics->removed[i] = at_saturated_add(statistics->removed[i], count);
	if (evaluation == AT_EVALUATION_DIVISION_BY_ZERO)
		statistics->divisions_by_zero[i] =
			at_saturated_add(statistics->divisions_by_zero[i], count);
}

/*
 * Appends " with A = 3, N = 64": the names of an expression that have a value.
 * parameters_too: false for an empty space, in which parameters have no particular
 * value.
 */
static void add_values(const struct at_spec *spec,
	const struct at_expression *expression, const struct at_value *slots,
	bool parameters_too, struct at_strbuf *out)
{
	size_t count, start = out->length;
	const int *used = at_expression_slots(expression, &count);

	for (size_t i = 0; i < count; i++) {
		const struct at_value *value = &slots[used[i]];

		if (value->type == AT_TYPE_NONE ||
			(!parameters_too && (size_t)used[i] < spec->parameter_count))
			continue;
		at_strbuf_addf(out, "%s%s = ", out->length > start ? ", " : " with ",
			at_spec_slot_name(spec, used[i]));
		at_value_format(*value, out);
	}
}

enum at_status at_enumerate_fail_at(const struct at_spec *spec, size_t constraint,
	enum at_status status, struct at_strbuf *text, struct at_error *err)
{
	int line = spec->constraints[constraint].line;

	at_text_flatten(text->data);
	at_fail(err, status, spec->path, line, "%s", text->data);
	at_strbuf_release(text);
	return status;
}

enum at_status at_enumerate_check(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, int unbound_slot)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf text = { 0 };

	/*
	 * A division by zero only excludes the configuration: "N % TILE == 0" with a
	 * TILE of 0. Overflows and wrong types are mistakes in the file, and would
	 * remove configurations for no reason.
	 */
	if (!evaluation || evaluation == AT_EVALUATION_DIVISION_BY_ZERO)
		return AT_OK;
	at_strbuf_addf(
		&text, "constraint \"%.300s\" ", at_expression_text(tie->expression));
	if (evaluation != AT_EVALUATION_UNBOUND) {
		at_strbuf_add(&text, at_evaluation_text(evaluation));
		add_values(spec, tie->expression, self->slots, true, &text);
		return at_enumerate_fail_at(
			spec, tie->constraint, AT_EINVAL, &text, self->err);
	}
	at_strbuf_addf(&text, "uses %s, %s", at_spec_slot_name(spec, unbound_slot),
		(size_t)unbound_slot < spec->parameter_count + spec->size_count
			? "to which this problem gives no value"
			: "which this device does not tell");
	return at_enumerate_fail_at(spec, tie->constraint, AT_EINVAL, &text, self->err);
}

/* Part one, filter: decides constraints on a single parameter. That takes one
   evaluation per value, where the walk would need one per combination of values. */

/* The analyzer believes that the enumerator's ties leak; at_enumerate_release() frees
   them. */
/* NOLINTBEGIN(clang-analyzer-unix.Malloc) */

/* Removes parameters with one value left from the tie and binds them. */
static void drop_constants(struct at_enumerator *self, struct at_tie *tie)
{
	size_t kept = 0;

	for (size_t i = 0; i < tie->parameter_count; i++) {
		size_t parameter = tie->parameters[i];

		if (self->domains[parameter].count > 1)
			tie->parameters[kept++] = parameter;
		else
			at_enumerate_bind(self, parameter, 0);
	}
	tie->parameter_count = kept;
}

/* A constraint without open parameters: holds for all configurations or for none. */
static enum at_status filter_everything(
	struct at_enumerator *self, struct at_tie *tie, bool *empty)
{
	int unbound_slot = -1;
	uint64_t all = 1;
	bool holds = false;
	enum at_evaluated evaluation =
		at_expression_test(tie->expression, self->slots, &holds, &unbound_slot);

	if (!evaluation && holds)
		return AT_OK;
	/* Only configurations that earlier constraints left count as removed here. */
	for (size_t i = 0; i < self->spec->parameter_count; i++)
		all = at_saturated_multiply(all, self->domains[i].count);
	at_enumerate_remove(self, tie, evaluation, all);
	*empty = true;
	return at_enumerate_check(self, tie, evaluation, unbound_slot);
}

/* A constraint of one parameter: keeps the values that satisfy it. */
static enum at_status filter_domain(
	struct at_enumerator *self, struct at_tie *tie, bool *empty)
{
	size_t parameter = tie->parameters[0];
	struct at_value_set *domain = &self->domains[parameter];
	enum at_status status = AT_OK;
	uint64_t others = 1;
	size_t kept = 0;

	for (size_t i = 0; i < self->spec->parameter_count; i++)
		if (i != parameter)
			others = at_saturated_multiply(others, self->domains[i].count);
	for (size_t i = 0; i < domain->count && !status; i++) {
		int unbound_slot = -1;
		bool holds = false;
		enum at_evaluated evaluation;

		status = at_enumerate_spend(self, tie->cost);
		if (status)
			return status;
		at_enumerate_bind(self, parameter, i);
		evaluation = at_expression_test(
			tie->expression, self->slots, &holds, &unbound_slot);
		if (!evaluation && holds) {
			domain->indices[kept++] = domain->indices[i];
			continue;
		}
		at_enumerate_remove(self, tie, evaluation, others);
		status = at_enumerate_check(self, tie, evaluation, unbound_slot);
	}
	domain->count = kept;
	*empty = kept == 0;
	return status;
}

/*
 * Filtering may leave a domain with one value, which turns constraints of two
 * parameters into constraints of one. So it repeats until nothing changes. Each
 * constraint is done once, so there are at most tie_count rounds.
 */
static enum at_status filter(struct at_enumerator *self, bool *empty)
{
	enum at_status status = AT_OK;
	bool changed = true;

	*empty = false;
	while (changed && !*empty && !status) {
		changed = false;
		for (size_t i = 0; i < self->tie_count && !*empty && !status; i++) {
			struct at_tie *tie = &self->ties[i];

			status = at_enumerate_spend(self, 1);
			if (status || tie->done)
				continue;
			drop_constants(self, tie);
			status = at_enumerate_spend(
				self, tie->cost + tie->parameter_count);
			if (tie->parameter_count > 1)
				continue;
			tie->done = changed = true;
			if (status)
				break;
			if (tie->parameter_count == 0)
				status = filter_everything(self, tie, empty);
			else
				status = filter_domain(self, tie, empty);
		}
	}
	return status;
}

/* NOLINTEND(clang-analyzer-unix.Malloc) */

/*
 * Part two, split: finds groups of parameters that no constraint ties to the rest.
 * Walking two groups of a thousand rows takes two thousand steps; together they would
 * take a million.
 */

/*
 * The root of a parameter's set. Sets are trees of indices; their paths are halved on
 * the way (Tarjan and van Leeuwen 1984, "Worst-case analysis of set union algorithms").
 */
static size_t root_of(size_t *parents, size_t parameter)
{
	while (parents[parameter] != parameter) {
		parents[parameter] = parents[parents[parameter]];
		parameter = parents[parameter];
	}
	return parameter;
}

/* parameter_count and tie_count hold the sizes; filling counts them again. */
static void allocate_groups(struct at_enumerator *self)
{
	for (size_t i = 0; i < self->group_count; i++) {
		struct at_group *group = &self->groups[i];

		group->parameters =
			at_calloc(group->parameter_count, sizeof(*group->parameters));
		group->ties = at_calloc(group->tie_count + 1, sizeof(*group->ties));
		group->parameter_count = group->tie_count = 0;
		group->cartesian = 1;
	}
}

/*
 * Groups come in the order of their first parameter, so that the statistics and the
 * reported failing constraint are the same in every run. Constants are in no group:
 * they are already bound. All parameters of a tie are in one group, so the first
 * identifies it.
 */
static void fill_groups(struct at_enumerator *self, size_t *parents, size_t *group_of)
{
	size_t count = self->spec->parameter_count;

	for (size_t i = 0; i < count; i++)
		group_of[i] = SIZE_MAX;
	for (size_t i = 0; i < count; i++) {
		size_t root = root_of(parents, i);

		if (self->domains[i].count == 1)
			continue;
		if (group_of[root] == SIZE_MAX)
			group_of[root] = self->group_count++;
		self->groups[group_of[root]].parameter_count++;
	}
	for (size_t i = 0; i < self->tie_count; i++)
		if (!self->ties[i].done)
			self->groups[group_of[root_of(
					     parents, self->ties[i].parameters[0])]]
				.tie_count++;
	allocate_groups(self);
	for (size_t i = 0; i < count; i++) {
		struct at_group *group;

		if (self->domains[i].count == 1)
			continue;
		group = &self->groups[group_of[root_of(parents, i)]];
		group->parameters[group->parameter_count++] = i;
		group->cartesian =
			at_saturated_multiply(group->cartesian, self->domains[i].count);
	}
	for (size_t i = 0; i < self->tie_count; i++) {
		struct at_tie *tie = &self->ties[i];
		struct at_group *group;

		if (tie->done)
			continue;
		group = &self->groups[group_of[root_of(parents, tie->parameters[0])]];
		group->ties[group->tie_count++] = tie;
	}
}

static enum at_status split(struct at_enumerator *self)
{
	size_t count = self->spec->parameter_count;
	size_t *parents = at_calloc(count + 1, sizeof(*parents));
	size_t *group_of = at_calloc(count + 1, sizeof(*group_of)); /* by root */
	enum at_status status = AT_OK;

	self->groups = at_calloc(count + 1, sizeof(*self->groups));
	for (size_t i = 0; i < count; i++)
		parents[i] = i;
	for (size_t i = 0; i < self->tie_count && !status; i++) {
		const struct at_tie *tie = &self->ties[i];

		status = at_enumerate_spend(self, 1 + tie->parameter_count);
		for (size_t j = 1; j < tie->parameter_count && !tie->done; j++)
			parents[root_of(parents, tie->parameters[j])] =
				root_of(parents, tie->parameters[0]);
	}
	if (!status)
		fill_groups(self, parents, group_of);
	free(parents);
	free(group_of);
	return status;
}

enum at_status at_enumerate_divide(struct at_enumerator *self, bool *is_empty)
{
	enum at_status status = filter(self, is_empty);

	return status || *is_empty ? status : split(self);
}

void at_enumeration_init(struct at_enumeration *self, const struct at_spec *spec)
{
	*self = (struct at_enumeration){
		.cartesian = 1,
		.removed =
			at_calloc(spec->constraint_count + 1, sizeof(*self->removed)),
		.divisions_by_zero = at_calloc(
			spec->constraint_count + 1, sizeof(*self->divisions_by_zero)),
	};
	for (size_t i = 0; i < spec->parameter_count; i++)
		self->cartesian = at_saturated_multiply(
			self->cartesian, spec->parameters[i].value_count);
}

void at_enumeration_release(struct at_enumeration *self)
{
	if (!self)
		return;
	free(self->removed);
	free(self->divisions_by_zero);
	memset(self, 0, sizeof(*self));
}

/*
 * An order of a group's parameters for groups with too many states in the order of the
 * file. A state remembers every constraint that has begun and not ended, so this order
 * ends constraints as early as possible: it assigns the parameters of one constraint
 * after another, next always the constraint whose missing parameters have the fewest
 * combinations of values.
 */

/* The logarithm of the number of combinations of the tie's missing parameters; INFINITY
   if no parameter is missing. */
static double missing_combinations(const struct at_enumerator *self,
	const struct at_tie *tie, const bool *assigned)
{
	double sum = INFINITY;

	for (size_t i = 0; i < tie->parameter_count; i++) {
		size_t parameter = tie->parameters[i];

		if (!assigned[parameter])
			sum = (isinf(sum) ? 0 : sum) +
			      log((double)self->domains[parameter].count);
	}
	return sum;
}

enum at_status at_enumerate_order(
	struct at_enumerator *self, const struct at_group *group, size_t *order)
{
	bool *assigned = at_calloc(self->spec->parameter_count, sizeof(*assigned));
	enum at_status status = AT_OK;
	size_t placed = 0;

	while (placed < group->parameter_count && !status) {
		const struct at_tie *best = group->ties[0];
		double least = INFINITY;

		for (size_t i = 0; i < group->tie_count && !status; i++) {
			const struct at_tie *tie = group->ties[i];
			double missing = missing_combinations(self, tie, assigned);

			status = at_enumerate_spend(self, tie->parameter_count);
			if (missing < least) {
				least = missing;
				best = tie;
			}
		}
		for (size_t i = 0; i < group->parameter_count; i++) {
			size_t parameter = group->parameters[i];
			bool is_next = false;

			for (size_t j = 0; j < best->parameter_count; j++)
				is_next |= best->parameters[j] == parameter;
			if (!is_next || assigned[parameter])
				continue;
			assigned[parameter] = true;
			order[placed++] = i;
		}
	}
	free(assigned);
	return status;
}

/* ---- why a space is empty ---------------------------------------------------------
 */

/* The step limit of each test whether constraints leave anything: a twelfth of a
   second. The binary search makes about ten tests, so the message appears quickly. */
#define EXPLAIN_STEPS_MAX ((uint64_t)1 << 23)

/* Whether any configuration satisfies the constraints number first to last - 1. Also
   true if the answer takes too long or a constraint fails to evaluate. */
static bool may_exist(const struct at_spec *spec, const struct at_value *slots,
	size_t first, size_t last)
{
	struct at_enumerator enumerator;
	bool is_empty = false;
	enum at_status status;

	at_enumerate_init(&enumerator, spec, slots, first, last, NULL);
	enumerator.watch.limit = EXPLAIN_STEPS_MAX;
	status = at_enumerate_divide(&enumerator, &is_empty);
	for (size_t i = 0; i < enumerator.group_count && !is_empty && !status; i++) {
		struct at_group *group = &enumerator.groups[i];
		size_t *order = at_calloc(group->parameter_count, sizeof(*order));
		struct at_diagram diagram = { 0 };

		status = at_group_diagram(&enumerator, group, 1, &diagram, order);
		is_empty = !status && !at_diagram_count(&diagram);
		at_diagram_release(&diagram);
		free(order);
	}
	at_enumerate_release(&enumerator);
	return !is_empty;
}

/* The least `last` for which the constraints before it leave nothing, or 0 if that
   takes too long to find. More constraints leave less, so a binary search finds it. */
static size_t find_end(const struct at_spec *spec, const struct at_value *slots)
{
	size_t some = 0, none = spec->constraint_count;

	if (may_exist(spec, slots, 0, none))
		return 0;
	while (none - some > 1) {
		size_t middle = some + (none - some) / 2;

		if (may_exist(spec, slots, 0, middle))
			some = middle;
		else
			none = middle;
	}
	return none;
}

enum at_status at_enumeration_explain_empty(const struct at_spec *spec,
	const struct at_enumeration *statistics, const struct at_value *slots,
	struct at_error *err)
{
	struct at_strbuf text = { 0 };
	const struct at_expression *expression;
	size_t end, guilty;
	bool together;

	if (statistics->valid > 0 || spec->constraint_count == 0)
		return at_fail(err, AT_EINVAL, spec->path, 0,
			"the space is not empty: it has %" PRIu64 " configurations",
			statistics->valid);
	end = find_end(spec, slots);
	guilty = end ? end - 1 : 0;
	/* a less precise answer, from existing counts: the constraint that removed most
	 */
	for (size_t i = 1; !end && i < spec->constraint_count; i++)
		if (statistics->removed[i] > statistics->removed[guilty])
			guilty = i;
	/* If the last constraint alone leaves nothing, only it is named. */
	together = end > 1 && may_exist(spec, slots, guilty, end);
	expression = spec->constraints[guilty].expression;
	at_strbuf_add(&text, "the space is empty: ");
	if (end)
		at_strbuf_add(&text, "no configuration satisfies");
	else
		at_strbuf_addf(
			&text, "of %" PRIu64 " configurations", statistics->cartesian);
	at_strbuf_addf(&text, " \"%.300s\"", at_expression_text(expression));
	add_values(spec, expression, slots, false, &text);
	if (!end)
		at_strbuf_addf(&text, " is the first to remove %" PRIu64,
			statistics->removed[guilty]);
	else if (together)
		at_strbuf_add(&text, " and the constraints before it");
	/* Easily overlooked, since such a constraint seems satisfiable. */
	if (statistics->divisions_by_zero[guilty])
		at_strbuf_addf(&text,
			", which divides by zero in %" PRIu64 " of %" PRIu64,
			statistics->divisions_by_zero[guilty],
			statistics->removed[guilty]);
	return at_enumerate_fail_at(spec, guilty, AT_EINVAL, &text, err);
}
