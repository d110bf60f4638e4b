/* Counts a domain and draws from it (space/domain.h): makes a small space of its
   numbers, with the constraints, for the search space engine. */
#include "space/domain.h"

#include "base/memory.h"
#include "base/random.h"
#include "space/checked.h"
#include "space/search_space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	WHOLE_MOST = 64, /* ranges up to this long are not thinned */
	DRAWN = 16, /* drawn values of a longer range, in each of two ways */
	/* how far a value moves to satisfy the constraints on its number alone */
	MOVED_MOST = 4096,
	TRIES = 48, /* rows drawn; the row with the most new tuples is taken */
	FEW = 4, /* with this many values or fewer, a number has no inside */
	TRIES_MOST = 100, /* failures to find a row before the drawing ends */
	COUNTED_MOST = 65535, /* values of a range that the engine can count */
};

/* The position of a value among its number's values, for tuples. */
enum place { LOWEST, OTHER, HIGHEST, PLACES };

const struct at_argument *at_domain_find_scalar(
	const struct at_spec *spec, const char *name, size_t *lane)
{
	char component[AT_COMPONENT_BYTES];

	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		for (*lane = 0; argument->value && !argument->is_pointer &&
				!argument->has_step && *lane < (size_t)argument->lanes;
			++*lane) {
			at_argument_component(
				argument, *lane, component, sizeof(component));
			if (!strcmp(component, name))
				return argument;
		}
	}
	return NULL;
}

/* Converts a value to the type of the number's ends, if that is exact. */
static struct at_value as_number(
	struct at_value value, const struct at_domain_number *number)
{
	if (number->low.type == AT_TYPE_REAL && value.type != AT_TYPE_REAL)
		return (struct at_value){ .type = AT_TYPE_REAL,
			.real = (double)value.integer };
	if (number->low.type != AT_TYPE_REAL && value.type == AT_TYPE_REAL &&
		value.real == floor(value.real) && fabs(value.real) < 0x1p62)
		return (struct at_value){ .type = number->low.type,
			.integer = (int64_t)value.real };
	if (value.type == AT_TYPE_BOOLEAN && number->low.type != AT_TYPE_BOOLEAN)
		value.type = AT_TYPE_INTEGER;
	return value;
}

static const struct at_expression *value_of(
	const struct at_spec *spec, const struct at_domain_number *number)
{
	const struct at_argument *argument = &spec->arguments[number->argument - 1];

	return number->lane ? argument->more_values[number->lane - 1] : argument->value;
}

enum at_status at_domain_values(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_problem *base,
	struct at_value *values, struct at_error *err)
{
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));
	enum at_status status = AT_OK;

	at_spec_bind(spec, problem, base, NULL, slots);
	for (size_t i = 0; i < spec->domain.number_count && !status; i++) {
		const struct at_domain_number *number = &spec->domain.numbers[i];
		const struct at_size *given =
			at_problem_find_size(problem, number->name);
		struct at_value value = { 0 };

		if (!given)
			given = at_problem_find_size(base, number->name);
		if (given)
			value = given->value;
		else if (!number->argument)
			status = at_fail(err, AT_EINVAL, spec->path, number->line,
				"\"%.80s\" of domain is a size that the problem \"%.80s\" lacks",
				number->name, problem->name);
		else if (at_expression_evaluate(
				 value_of(spec, number), slots, &value, NULL) ||
			 value.type == AT_TYPE_WORD)
			status = at_fail(err, AT_EINVAL, spec->path, number->line,
				"\"%.80s\" of domain has no value that is the same in all configurations",
				number->name);
		values[i] = as_number(value, number);
	}
	free(slots);
	return status;
}

static bool has_value(const struct at_domain_number *number, struct at_value value)
{
	if ((value.type == AT_TYPE_REAL) != (number->low.type == AT_TYPE_REAL))
		return false;
	for (size_t i = 0; i < number->value_count; i++)
		if (!at_value_compare(number->values[i], value))
			return true;
	return !number->value_count && at_value_compare(number->low, value) <= 0 &&
	       at_value_compare(value, number->high) <= 0;
}

/* The slots of the constraints: the numbers, and the problem's sizes. */
static struct at_value *make_slots(
	const struct at_spec *spec, const struct at_problem *problem)
{
	const struct at_domain *domain = &spec->domain;
	struct at_value *slots = at_calloc(
		domain->number_count + spec->size_count + AT_PROPERTY_COUNT + 1,
		sizeof(*slots));

	for (size_t i = 0; i < spec->size_count; i++) {
		const struct at_size *size =
			at_problem_find_size(problem, spec->size_names[i]);

		if (size)
			slots[domain->number_count + i] = size->value;
	}
	return slots;
}

enum at_status at_domain_check(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_value *values,
	struct at_error *err)
{
	const struct at_domain *domain = &spec->domain;
	struct at_value *slots = make_slots(spec, problem);
	struct at_strbuf text = { 0 };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < domain->number_count && !status; i++) {
		slots[i] = values[i];
		if (has_value(&domain->numbers[i], values[i]))
			continue;
		at_value_format(values[i], &text);
		status = at_fail(err, AT_EINVAL, spec->path, domain->numbers[i].line,
			"the problem \"%.80s\" is outside of the domain: its %.80s is %s",
			problem->name, domain->numbers[i].name, at_strbuf_text(&text));
	}
	for (size_t i = 0; i < domain->constraint_count && !status; i++) {
		const struct at_constraint *constraint = &domain->constraints[i];
		bool holds = false;
		enum at_evaluated evaluated =
			at_expression_test(constraint->expression, slots, &holds, NULL);

		if (evaluated || !holds)
			status = at_fail(err, AT_EINVAL, spec->path, constraint->line,
				"the problem \"%.80s\" is outside of the domain: \"%.200s\" %s",
				problem->name,
				at_expression_text(constraint->expression),
				evaluated ? at_evaluation_text(evaluated)
					  : "does not hold");
	}
	at_strbuf_release(&text);
	free(slots);
	return status;
}

/* ---- the values of one number --------------------------------------------------- */

/* A number during the collection of its values. */
struct collection {
	const struct at_spec *spec;
	size_t index;
	struct at_value *slots; /* as make_slots() */
	struct at_value *values;
	size_t count;
	size_t capacity;
};

/* Whether the value satisfies the constraints on this number alone. */
static bool satisfies_own_constraints(struct collection *self, struct at_value value)
{
	const struct at_domain *domain = &self->spec->domain;
	bool holds = true;

	self->slots[self->index] = value;
	for (size_t i = 0; i < domain->constraint_count && holds; i++) {
		const struct at_expression *expression =
			domain->constraints[i].expression;
		size_t count;
		const int *slots = at_expression_slots(expression, &count);
		bool is_alone = true;

		for (size_t k = 0; k < count; k++)
			is_alone &= (size_t)slots[k] == self->index ||
				    (size_t)slots[k] >= domain->number_count;
		if (is_alone &&
			at_expression_test(expression, self->slots, &holds, NULL))
			holds = false;
	}
	return holds;
}

static const struct at_domain_number *number_of(const struct collection *self)
{
	return &self->spec->domain.numbers[self->index];
}

/* Adds a value, or the nearest one that stands alone; else nothing. */
static void collect(struct collection *self, struct at_value value)
{
	const struct at_domain_number *number = number_of(self);
	bool is_found = false;

	if (value.type == AT_TYPE_REAL) {
		is_found = has_value(number, value) &&
			   satisfies_own_constraints(self, value);
	} else {
		const int64_t at = value.integer;

		for (int64_t step = 0; step <= 2 * MOVED_MOST && !is_found; step++) {
			const int64_t move = (step + 1) / 2;

			if (!at_checked_add(
				    at, step % 2 ? move : -move, &value.integer))
				continue;
			is_found = has_value(number, value) &&
				   satisfies_own_constraints(self, value);
		}
	}
	for (size_t i = 0; i < self->count && is_found; i++)
		is_found = at_value_compare(self->values[i], value) != 0;
	if (!is_found)
		return;
	AT_GROW(self->values, self->capacity, self->count + 1);
	self->values[self->count++] = value;
}

/* Adds the first value above or below that stands alone. */
static void collect_beside(struct collection *self, struct at_value value, int64_t by)
{
	for (int64_t step = 0; step < MOVED_MOST; step++) {
		if (!at_checked_add(value.integer, by, &value.integer))
			return;
		if (has_value(number_of(self), value) &&
			satisfies_own_constraints(self, value)) {
			collect(self, value);
			return;
		}
	}
}

static bool is_prime(int64_t value)
{
	if (value < 2)
		return false;
	for (int64_t i = 2; i * i <= value && i < (1 << 16); i++)
		if (value % i == 0)
			return false;
	return true;
}

static int64_t prime_below(int64_t value)
{
	int64_t at = value;

	while (at > 2 && value - at < 1000 && !is_prime(at))
		at--;
	return is_prime(at) ? at : value;
}

/* A value between the ends, by its logarithm if they have the same sign. */
static struct at_value draw_between(const struct at_domain_number *number,
	bool by_logarithm, struct at_random *random)
{
	const bool is_real = number->low.type == AT_TYPE_REAL;
	const double low = is_real ? number->low.real : (double)number->low.integer;
	const double high = is_real ? number->high.real : (double)number->high.integer;
	const double unit = at_random_unit(random);
	double value;

	if (!by_logarithm)
		value = low + unit * (high - low);
	else if (low > 0)
		value = low * pow(high / low, unit);
	else
		/* from the lower end on, which may be 0 or negative */
		value = low + expm1(unit * log1p(high - low));
	if (is_real)
		return (struct at_value){ .type = AT_TYPE_REAL,
			.real = fmin(fmax(value, low), high) };
	if (value >= 0x1p62 || value <= -0x1p62)
		return number->high;
	return (struct at_value){ .type = number->low.type, .integer = llround(value) };
}

static struct at_value moved(struct at_value value, int64_t by)
{
	struct at_value result = value;

	if (value.type == AT_TYPE_REAL)
		result.real += (double)by;
	else if (!at_checked_add(value.integer, by, &result.integer))
		return value;
	return result;
}

static void collect_long(
	struct collection *self, struct at_value tuned, struct at_random *random)
{
	const struct at_domain_number *number = number_of(self);
	const bool is_real = number->low.type == AT_TYPE_REAL;
	const struct at_value ends[] = { number->low, number->high, tuned };

	for (size_t i = 0; i < AT_COUNT_OF(ends); i++)
		for (int64_t by = -1; by <= 1; by++)
			if (!is_real || !by)
				collect(self, moved(ends[i], by));
	for (int64_t by = -1; by <= 1 && !is_real; by += 2)
		collect_beside(self, tuned, by);
	/* take_neighbour() prefers odd sizes */
	if (!is_real && tuned.integer % 2 != 0)
		collect(self, moved(tuned, 2));
	for (int64_t power = 1; !is_real && power < INT64_C(1) << 40; power *= 2)
		if (has_value(number, (struct at_value){ .type = number->low.type,
					      .integer = power }))
			collect(self, (struct at_value){ .type = number->low.type,
					      .integer = power });
	for (size_t i = 1; !is_real && i < AT_COUNT_OF(ends); i++) {
		struct at_value prime = ends[i];

		prime.integer = prime_below(prime.integer);
		collect(self, prime);
	}
	for (int64_t whole = 0; is_real && whole <= 1; whole++)
		collect(self, (struct at_value){
				      .type = AT_TYPE_REAL, .real = (double)whole });
	for (int i = 0; i < 2 * DRAWN; i++)
		collect(self, draw_between(number, i % 2, random));
}

static int compare_values(const void *a, const void *b)
{
	return at_value_compare(
		*(const struct at_value *)a, *(const struct at_value *)b);
}

/* Collects the values of a number, ascending. whole: all of them, however many. */
static void collect_number(struct collection *self, struct at_value tuned, bool whole,
	struct at_random *random)
{
	const struct at_domain_number *number = number_of(self);
	const bool is_real = number->low.type == AT_TYPE_REAL;
	uint64_t length = 0;

	if (!number->value_count && !is_real)
		length = (uint64_t)number->high.integer - (uint64_t)number->low.integer;
	if (number->value_count) {
		for (size_t i = 0; i < number->value_count; i++)
			if (satisfies_own_constraints(self, number->values[i]))
				collect(self, number->values[i]);
	} else if (!is_real && length < (whole ? COUNTED_MOST : WHOLE_MOST)) {
		for (uint64_t i = 0; i <= length; i++) {
			struct at_value value = number->low;

			value.integer += (int64_t)i;
			if (!satisfies_own_constraints(self, value))
				continue;
			AT_GROW(self->values, self->capacity, self->count + 1);
			self->values[self->count++] = value;
		}
	} else {
		collect_long(self, tuned, random);
	}
	if (self->count)
		qsort(self->values, self->count, sizeof(*self->values), compare_values);
}

/* ---- a space of the numbers ------------------------------------------------------ */

struct numbers {
	struct at_spec spec; /* only its parameters and constraints */
	struct at_value *slots;
	struct at_search_space *space;
};

static void release_numbers(struct numbers *self)
{
	for (size_t i = 0; self->spec.parameters && i < self->spec.parameter_count; i++)
		free(self->spec.parameters[i].values);
	free(self->spec.parameters);
	free(self->slots);
	at_search_space_free(self->space);
}

static enum at_status make_numbers(struct numbers *self, const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_value *values, bool whole,
	uint64_t seed, struct at_error *err)
{
	const struct at_domain *domain = &spec->domain;
	struct at_random random;
	enum at_status status = AT_OK;

	memset(self, 0, sizeof(*self));
	at_random_init(&random, seed);
	self->slots = make_slots(spec, tuned);
	self->spec.path = spec->path;
	self->spec.parameter_count = domain->number_count;
	self->spec.parameters =
		at_calloc(domain->number_count + 1, sizeof(*self->spec.parameters));
	self->spec.constraint_count = domain->constraint_count;
	self->spec.constraints = domain->constraints;
	self->spec.size_count = spec->size_count;
	self->spec.size_names = spec->size_names;
	self->spec.slot_count =
		domain->number_count + spec->size_count + AT_PROPERTY_COUNT;
	for (size_t i = 0; i < domain->number_count && !status; i++) {
		const struct at_domain_number *number = &domain->numbers[i];
		struct collection collection = {
			.spec = spec, .index = i, .slots = self->slots
		};

		collect_number(&collection, values[i], whole, &random);
		self->slots[i] = (struct at_value){ 0 };
		self->spec.parameters[i] = (struct at_parameter){ .name = number->name,
			.line = number->line,
			.type = number->low.type,
			.value_count = collection.count,
			.values = collection.values };
		if (!status && !collection.count)
			status = at_fail(err, AT_EINVAL, spec->path, number->line,
				"the constraints of domain leave no value of %.80s",
				number->name);
	}
	if (!status)
		status = at_search_space_new(
			&self->spec, self->slots, &self->space, NULL, err);
	if (!status && !at_search_space_count(self->space))
		status = at_fail(err, AT_EINVAL, spec->path, domain->line,
			"the constraints of domain leave nothing");
	return status;
}

enum at_status at_domain_count(const struct at_spec *spec,
	const struct at_problem *tuned, uint64_t *count, bool *is_exact,
	struct at_error *err)
{
	const struct at_domain *domain = &spec->domain;
	struct at_value *values = at_calloc(domain->number_count + 1, sizeof(*values));
	struct numbers numbers = { 0 };
	struct at_error fault = { 0 };
	enum at_status status = AT_OK;
	double product = 1;

	*is_exact = true;
	for (size_t i = 0; i < domain->number_count; i++) {
		const struct at_domain_number *number = &domain->numbers[i];

		if (number->value_count) {
			product *= (double)number->value_count;
		} else if (number->low.type == AT_TYPE_REAL) {
			*is_exact = false;
			product = INFINITY;
		} else {
			product *= (double)number->high.integer -
				   (double)number->low.integer + 1;
			*is_exact &= (uint64_t)number->high.integer -
					     (uint64_t)number->low.integer <
				     COUNTED_MOST;
		}
	}
	*count = product < 0x1p63 ? (uint64_t)product : UINT64_MAX;
	if (!domain->constraint_count)
		*is_exact = product < 0x1p53;
	else if (*is_exact) {
		status = at_domain_values(spec, tuned, NULL, values, err);
		if (!status)
			status = make_numbers(
				&numbers, spec, tuned, values, true, 0, &fault);
		if (!status)
			*count = at_search_space_count(numbers.space);
		else if (status == AT_EOVERFLOW) /* verifications draw fewer values */
			*is_exact = false;
		else
			*err = fault;
		status = status == AT_EOVERFLOW ? AT_OK : status;
		release_numbers(&numbers);
	}
	free(values);
	return status;
}

/* ---- drawing ----------------------------------------------------------------------
 */

struct drawing {
	const struct at_domain_draw *options;
	const struct numbers *numbers;
	size_t width; /* numbers */
	struct at_random random;
	bool *has_tuple; /* by three numbers and their places: see tuple_at() */
	uint16_t *row;
	uint16_t *best;
	const struct at_value *tuned;
	struct at_value *values; /* of one row */
	struct at_value *rows;
	uint64_t *taken; /* indices in the space */
	size_t count;
};

static enum place place_of(const struct drawing *self, size_t number, uint16_t index)
{
	const size_t count = self->numbers->spec.parameters[number].value_count;

	return index == 0 ? LOWEST : index + 1u == count ? HIGHEST : OTHER;
}

/* Whether a row already had these three numbers at these places; a pair repeats one
   number. */
static bool *tuple_at(const struct drawing *self, const uint16_t *row, size_t one,
	size_t two, size_t three)
{
	const size_t all = self->width * PLACES;
	const size_t a = one * PLACES + place_of(self, one, row[one]);
	const size_t b = two * PLACES + place_of(self, two, row[two]);
	const size_t c = three * PLACES + place_of(self, three, row[three]);

	return &self->has_tuple[(a * all + b) * all + c];
}

/* The new tuples of the row: a pair counts for more than all triples. */
static uint64_t count_new(const struct drawing *self, const uint16_t *row)
{
	uint64_t count = 0;

	for (size_t i = 0; i < self->width; i++)
		for (size_t k = 0; k <= i; k++)
			for (size_t l = 0; l <= k; l++)
				if (!*tuple_at(self, row, i, k, l))
					count += l == k ? UINT64_C(1) << 32 : 1;
	return count;
}

static bool may_take(struct drawing *self, const uint16_t *row, bool is_neighbour)
{
	const uint64_t index = at_search_space_find(self->numbers->space, row);
	bool differs = false;

	for (size_t i = 0; i < self->count; i++)
		if (self->taken[i] == index)
			return false;
	for (size_t i = 0; i < self->width; i++) {
		self->values[i] = self->numbers->spec.parameters[i].values[row[i]];
		differs |= at_value_compare(self->values[i], self->tuned[i]) != 0;
	}
	return differs && index != AT_NO_CONFIGURATION &&
	       (!self->options->admits || self->options->admits(self->options->context,
						  self->values, is_neighbour));
}

static void take(struct drawing *self, const uint16_t *row)
{
	struct at_value *values = &self->rows[self->count * self->width];

	for (size_t i = 0; i < self->width; i++)
		values[i] = self->numbers->spec.parameters[i].values[row[i]];
	for (size_t i = 0; i < self->width; i++)
		for (size_t k = 0; k <= i; k++)
			for (size_t l = 0; l <= k; l++)
				*tuple_at(self, row, i, k, l) = true;
	self->taken[self->count++] = at_search_space_find(self->numbers->space, row);
}

/*
 * A row of the space. In every second row, numbers are at their ends more often than by
 * chance; in the others, numbers of a range lie inside. A number at its end often hides
 * the others: a limit of 0 lets nothing through, and one element has no order.
 */
static void draw_row(struct drawing *self, bool at_ends)
{
	const struct at_spec *spec = &self->numbers->spec;

	at_search_space_get(self->numbers->space,
		at_search_space_draw(self->numbers->space, &self->random), self->row);
	for (size_t i = 0; i < self->width; i++) {
		const uint16_t before = self->row[i];
		const size_t count = spec->parameters[i].value_count;
		const double unit = at_random_unit(&self->random);

		if (at_ends && unit < .3)
			self->row[i] = 0;
		else if (at_ends && unit < .6)
			self->row[i] = (uint16_t)(count - 1);
		else if (!at_ends && count > FEW && place_of(self, i, before) != OTHER)
			self->row[i] = (uint16_t)(1 + at_random_below(&self->random,
							      count - 2));
		if (at_search_space_find(self->numbers->space, self->row) ==
			AT_NO_CONFIGURATION)
			self->row[i] = before;
	}
}

/* Whether the value is even and the next one is the odd number above it. */
static bool is_odd_next(const struct at_parameter *number, size_t k)
{
	return k + 1 < number->value_count && number->values[k].integer % 2 == 0 &&
	       number->values[k + 1].integer == number->values[k].integer + 1;
}

/* Takes the row whose sizes are all next to the tuned ones: below, or above and odd. A
   product of sizes is odd only if all are, and then work in pairs has a rest. */
static void take_neighbour(struct drawing *self, const struct at_spec *spec,
	const struct at_value *tuned, bool above)
{
	for (size_t i = 0; i < self->width; i++) {
		const struct at_parameter *number = &self->numbers->spec.parameters[i];
		size_t nearest = 0;

		for (size_t k = 0; k < number->value_count; k++) {
			const int order = at_value_compare(number->values[k], tuned[i]);
			const bool is_size = !spec->domain.numbers[i].argument;

			if (above && is_size) {
				nearest = k;
				if (order > 0 && !is_odd_next(number, k))
					break;
			} else if (order < 0 || (order == 0 && !is_size)) {
				nearest = k;
			}
		}
		self->row[i] = (uint16_t)nearest;
	}
	at_search_space_get(self->numbers->space,
		at_search_space_nearest(self->numbers->space, self->row), self->row);
	if (self->count < self->options->count && may_take(self, self->row, true))
		take(self, self->row);
}

static void draw_rows(struct drawing *self)
{
	int failures = 0;

	while (self->count < self->options->count && failures < TRIES_MOST) {
		uint64_t most = 0;
		bool is_found = false;

		for (int i = 0; i < TRIES; i++) {
			uint64_t fresh;

			draw_row(self, self->count % 2 != 0);
			fresh = count_new(self, self->row);
			if ((is_found && fresh <= most) ||
				!may_take(self, self->row, false))
				continue;
			memcpy(self->best, self->row,
				self->width * sizeof(*self->best));
			most = fresh;
			is_found = true;
		}
		failures += !is_found;
		if (is_found)
			take(self, self->best);
	}
}

enum at_status at_domain_draw(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_domain_draw *options,
	struct at_value **rows, size_t *count, struct at_error *err)
{
	const size_t width = spec->domain.number_count, all = width * PLACES;
	struct at_value *values = at_calloc(width + 1, sizeof(*values));
	struct numbers numbers = { 0 };
	struct drawing self = {
		.options = options, .numbers = &numbers, .width = width, .tuned = values
	};
	enum at_status status = AT_OK;

	*rows = NULL;
	*count = 0;
	at_random_init(&self.random, options->seed ^ 0x9e3779b97f4a7c15u);
	status = at_domain_values(spec, tuned, NULL, values, err);
	if (!status)
		status = make_numbers(
			&numbers, spec, tuned, values, false, options->seed, err);
	if (status)
		goto release;
	self.has_tuple = calloc(all * all * all + 1, sizeof(bool));
	if (!self.has_tuple) {
		status = at_fail_memory(err);
		goto release;
	}
	self.row = at_calloc(width + 1, sizeof(*self.row));
	self.best = at_calloc(width + 1, sizeof(*self.best));
	self.values = at_calloc(width + 1, sizeof(*self.values));
	self.rows = at_calloc(options->count * width + 1, sizeof(*self.rows));
	self.taken = at_calloc(options->count + 1, sizeof(*self.taken));
	take_neighbour(&self, spec, values, false);
	take_neighbour(&self, spec, values, true);
	draw_rows(&self);
	*rows = self.rows;
	*count = self.count;
	self.rows = NULL;
release:
	release_numbers(&numbers);
	free(values);
	free(self.has_tuple);
	free(self.row);
	free(self.best);
	free(self.values);
	free(self.rows);
	free(self.taken);
	return status;
}
