/* The default list of cases, for spaces that declare no domain (evaluator/cases.h). */
#include "evaluator/cases_parts.h"

#include "base/memory.h"
#include "base/random.h"
#include "evaluator/plan.h"
#include "space/domain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* a size that is less is as often the length of a filter or a number of
	   channels */
	FEWEST_OF_EXTENT = 17,
	/* a problem is made smaller until its buffers are small, but no extent goes
	   below this */
	FEWEST_SCALED = 64,
	WAYS_MOST = 6, /* other values of one number */
	MIXTURES = 4,
	/* the chance that a number has another value in a mixture, in quarters */
	CHANGED_QUARTERS = 3,
	CONTENTS_MOST = CASES_CONTENTS_MOST,
};

/* Data of GPUs' caches; a device that shares cores pays for each thread. */
#define MOST_SCALED (INT64_C(1) << 16)
/* a whole number from here on is a limit or a seed rather than a length */
#define LEAST_LARGE 32
/* what divides a number that becomes far less */
#define FAR_LESS 16
/* real numbers up to this have effects that may be below all tolerances */
#define SMALL_REAL 0.02
/* digits beyond 32 bits, for numbers of 64 */
#define HIGH_DIGITS INT64_C(0x2545f49100000000)

/* A number of the list, beside its entry in the assumed domain. */
struct number {
	bool is_counted; /* it changes how large a buffer or the grid is */
	bool is_extent; /* and is no small number */
	struct at_value tuned;
	struct at_value base; /* what it has while others change alone */
	size_t way_count;
	struct at_value ways[WAYS_MOST];
};

/* The making of the list. */
struct list {
	struct cases *cases;
	const struct at_spec *spec;
	struct at_spec view; /* the spec with the assumed domain */
	struct number *numbers;
	struct at_value *row;
	size_t extent_count;
	bool is_scaled;
	uint64_t contents; /* what may have other contents */
	struct at_case *out;
	size_t count; /* of them, those ahead of the list included */
	size_t most;
};

/* ---- the numbers ---------------------------------------------------------------- */

static bool is_constant(const struct at_expression *expression)
{
	struct at_value value;
	size_t count = 0;

	at_expression_slots(expression, &count);
	return !count && !at_expression_evaluate(expression, NULL, &value, NULL) &&
	       value.type != AT_TYPE_WORD;
}

static bool is_size_name(const struct at_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->size_count; i++)
		if (!strcmp(spec->size_names[i], name))
			return true;
	return false;
}

static void add_number(struct at_domain *domain, const char *name, size_t argument,
	size_t lane, enum at_type type)
{
	struct at_domain_number *number = &domain->numbers[domain->number_count];

	*number = (struct at_domain_number){ .name = at_strdup(name),
		.argument = argument,
		.lane = lane,
		.low.type = type };
	domain->number_count++;
}

/* Adds the components of a scalar argument whose values are numbers. */
static void add_scalar(
	const struct at_spec *spec, size_t index, struct at_domain *domain)
{
	const struct at_argument *argument = &spec->arguments[index];
	const bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;

	if (!argument->value || argument->is_fixed ||
		(argument->owner && spec->arguments[argument->owner - 1].is_fixed) ||
		is_size_name(spec, argument->name) ||
		!at_plan_is_given_to_both(spec, argument))
		return;
	for (size_t k = 0; k < (size_t)argument->lanes; k++) {
		char name[128];

		at_argument_component(argument, k, name, sizeof(name));
		if (is_constant(k ? argument->more_values[k - 1] : argument->value))
			add_number(domain, name, index + 1, k,
				is_real ? AT_TYPE_REAL : AT_TYPE_INTEGER);
	}
}

void at_cases_numbers(const struct at_spec *spec, const struct at_problem *tuned,
	struct at_domain *domain)
{
	*domain = (struct at_domain){
		.numbers = at_calloc(tuned->size_count + 4 * spec->argument_count + 1,
			sizeof(*domain->numbers)),
	};
	for (size_t i = 0; i < tuned->size_count; i++)
		if (!tuned->sizes[i].expression)
			add_number(domain, tuned->sizes[i].name, 0, 0,
				tuned->sizes[i].value.type);
	for (size_t i = 0; i < spec->argument_count; i++)
		add_scalar(spec, i, domain);
}

void at_cases_release_numbers(struct at_domain *domain)
{
	for (size_t i = 0; i < domain->number_count; i++)
		free(domain->numbers[i].name);
	free(domain->numbers);
}

/* ---- extents -------------------------------------------------------------------- */

/* Whether an expression has another value where the slots are others. */
static bool differs(const struct at_expression *expression,
	const struct at_value *slots, const struct at_value *others)
{
	struct at_value a, b;

	return expression && !at_expression_evaluate(expression, slots, &a, NULL) &&
	       (at_expression_evaluate(expression, others, &b, NULL) ||
		       !at_value_equal(a, b));
}

/* Whether twice as much of a size changes a buffer or the grid, be it by sizes that
   follow from it. */
static enum at_status find_counted(
	struct list *self, size_t number, bool *is_counted, struct at_error *err)
{
	const struct at_spec *spec = &self->view;
	const struct at_problem *tuned = self->cases->tuned;
	const int64_t value = self->row[number].integer;
	struct at_value *others = at_calloc(spec->slot_count + 1, sizeof(*others));
	struct at_problem one = { 0 };
	enum at_status status = AT_OK;

	*is_counted = false;
	/* a number that large is no size */
	self->row[number].integer =
		value > INT32_MAX ? value / 2 : 2 * value + (value == 0);
	status = cases_make(self->cases, self->row, &one, err);
	self->row[number].integer = value;
	if (!status) {
		struct at_value *slots = self->cases->slots;

		at_spec_bind(
			spec, tuned, NULL, &self->cases->device->properties, slots);
		at_spec_bind(
			spec, &one, tuned, &self->cases->device->properties, others);
		at_spec_bind_configuration(spec, spec->defaults, slots);
		at_spec_bind_configuration(spec, spec->defaults, others);
		for (size_t i = 0; i < spec->argument_count; i++)
			*is_counted |= differs(spec->arguments[i].count, slots, others);
		for (size_t i = 0; i < spec->launch.grid_rank; i++)
			*is_counted |= differs(spec->launch.grid[i], slots, others);
	}
	at_case_release(&one);
	free(others);
	return status;
}

static bool has_files(const struct at_spec *spec)
{
	for (size_t i = 0; i < spec->argument_count; i++)
		if (spec->arguments[i].fill.kind == AT_FILL_FILE)
			return true;
	return false;
}

/* Sets self->row to what the numbers have while others change alone. */
static void set_base(struct list *self)
{
	for (size_t i = 0; i < self->view.domain.number_count; i++)
		self->row[i] = self->numbers[i].base;
}

/* Whether a declared domain, if there is one, has the sizes of self->row. */
static enum at_status find_declared(
	struct list *self, bool *is_declared, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	const struct at_problem *tuned = self->cases->tuned;
	struct at_value *values =
		at_calloc(spec->domain.number_count + 1, sizeof(*values));
	struct at_problem one = { 0 };
	enum at_status status = AT_OK;

	*is_declared = !spec->domain.line;
	if (spec->domain.line)
		status = cases_make(self->cases, self->row, &one, err);
	if (!status && spec->domain.line) {
		status = at_domain_values(spec, &one, tuned, values, err);
		*is_declared = !status && !at_domain_check(spec, tuned, values, NULL);
	}
	at_case_release(&one);
	free(values);
	return status;
}

/* Divides the large extents by a power of two, as far as all of them can be, until
   buffers are small: to the least sizes that a declared domain has. */
static enum at_status find_base(struct list *self, struct at_error *err)
{
	const size_t count = self->view.domain.number_count;
	const int64_t most = self->cases->most;
	enum at_status status = AT_OK;
	bool is_halved = true;

	self->cases->most = MOST_SCALED;
	set_base(self);
	while (is_halved && !status && !cases_admit(self->cases, self->row, false)) {
		bool is_declared;

		is_halved = false;
		for (size_t i = 0; i < count; i++) {
			if (!self->numbers[i].is_extent ||
				self->row[i].integer < 2 * FEWEST_SCALED)
				continue;
			if (self->row[i].integer % 2 != 0)
				goto release;
			self->row[i].integer /= 2;
			is_halved = true;
		}
		status = find_declared(self, &is_declared, err);
		for (size_t i = 0; i < count && is_halved && is_declared; i++)
			self->numbers[i].base = self->row[i];
		self->is_scaled |= is_halved && !self->spec->domain.line;
	}
release:
	self->cases->most = most;
	return status;
}

static bool is_prime(int64_t n)
{
	for (int64_t i = 2; i * i <= n; i++)
		if (n % i == 0)
			return false;
	return n >= 2;
}

/* The rank-th prime from a number on, which leaves others between. */
static int64_t find_prime(int64_t from, size_t rank)
{
	int64_t prime = from;

	for (size_t i = 0; i <= 2 * rank; i++) {
		prime += i > 0;
		while (!is_prime(prime))
			prime++;
	}
	return prime;
}

/* Where primes begin: of many extents they are smaller, so that buffers stay small. */
static int64_t first_prime(const struct list *self)
{
	return self->extent_count == 1 ? 1009 : self->extent_count == 2 ? 101 : 19;
}

/* How many extents are less than this one, or equal and ahead of it. */
static size_t rank_of(const struct list *self, size_t number)
{
	const int64_t value = self->numbers[number].tuned.integer;
	size_t rank = 0;

	for (size_t i = 0; i < self->view.domain.number_count; i++) {
		const struct number *other = &self->numbers[i];

		rank += other->is_extent &&
			(other->tuned.integer < value ||
				(other->tuned.integer == value && i < number));
	}
	return rank;
}

/* The greatest power of two up to a number: whole blocks of whatever size. */
static int64_t greatest_power(int64_t value)
{
	while (value & (value - 1))
		value &= value - 1;
	return value;
}

static int64_t three_quarters(int64_t value)
{
	return value % 4 == 0 ? value / 4 * 3 : value - value / 4;
}

/* ---- other values --------------------------------------------------------------- */

static void add_way(struct number *self, struct at_value value)
{
	bool is_there = at_value_equal(value, self->tuned);

	for (size_t i = 0; i < self->way_count; i++)
		is_there |= at_value_equal(value, self->ways[i]);
	if (!is_there && self->way_count < WAYS_MOST)
		self->ways[self->way_count++] = value;
}

static void add_whole(struct number *self, int64_t value)
{
	add_way(self, (struct at_value){ .type = AT_TYPE_INTEGER, .integer = value });
}

static void add_ways_of_whole(const struct list *self, size_t index)
{
	const struct at_domain_number *entry = &self->view.domain.numbers[index];
	struct number *number = &self->numbers[index];
	const int64_t value = number->tuned.integer;

	if (value == 0 || value == 1) {
		add_whole(number, !value);
		/* a number of things, and no flag */
		if (number->is_counted)
			add_whole(number, 2);
	} else if (value < 0) {
		add_whole(number, 0);
		if (value < -1 && value > INT64_MIN)
			add_whole(number, -value);
		add_whole(number, value / 2);
	} else {
		if (entry->argument && value >= LEAST_LARGE)
			add_whole(number, value / FAR_LESS);
		add_whole(number, value - 1);
		/* of none of something there may be no result */
		if (entry->argument)
			add_whole(number, 0);
		add_whole(number, value / 2);
		if (value < INT64_MAX)
			add_whole(number, value + 1);
		add_whole(number, 1);
	}
	if (entry->argument &&
		at_element_bytes(self->view.arguments[entry->argument - 1].element) ==
			8 &&
		value >= 0 && value < HIGH_DIGITS) {
		if (number->way_count == WAYS_MOST)
			number->way_count--;
		add_whole(number, value + HIGH_DIGITS);
	}
}

/* A part of a real number. Where it would pass another one that was less, as the lower
   end of a range, it stays above it. */
static double part_of(const struct list *self, double value, double part)
{
	double result = value * part;

	for (size_t i = 0; i < self->view.domain.number_count; i++) {
		const struct number *other = &self->numbers[i];

		if (other->tuned.type == AT_TYPE_REAL &&
			fabs(other->tuned.real) > SMALL_REAL &&
			fabs(other->tuned.real) < fabs(value) &&
			fabs(other->tuned.real) >= fabs(result))
			result = copysign(
				(fabs(other->tuned.real) + fabs(value)) / 2, value);
	}
	return result;
}

static void add_ways_of_real(const struct list *self, size_t index)
{
	struct number *number = &self->numbers[index];
	const double value = number->tuned.real;
	struct at_value way = { .type = AT_TYPE_REAL, .real = 0.5 };

	if (value != 0) {
		if (fabs(value) <= SMALL_REAL) {
			way.real = copysign(sqrt(fabs(value)), value);
			add_way(number, way);
		}
		way.real = part_of(self, value, 0.75);
		add_way(number, way);
		way.real = part_of(self, value, 1.0 / FAR_LESS);
		add_way(number, way);
		way.real = 0;
	}
	add_way(number, way);
}

static void add_ways(struct list *self, size_t index)
{
	struct number *number = &self->numbers[index];

	if (number->is_extent) {
		add_whole(number, three_quarters(number->base.integer));
		add_whole(number, find_prime(first_prime(self), rank_of(self, index)));
	} else if (number->tuned.type == AT_TYPE_BOOLEAN) {
		add_way(number, (struct at_value){ .type = AT_TYPE_BOOLEAN,
					.integer = !number->tuned.integer });
	} else if (number->tuned.type == AT_TYPE_REAL) {
		add_ways_of_real(self, index);
	} else if (number->tuned.type == AT_TYPE_INTEGER) {
		add_ways_of_whole(self, index);
	}
}

/* ---- the list ------------------------------------------------------------------- */

/* Whole extents are often promised to be multiples of this. */
#define MULTIPLE_MOST 16

/* The line that would leave the case of self->row out; heap. */
static char *write_promise(const struct list *self)
{
	struct at_strbuf out = { 0 }, constraints = { 0 };

	at_strbuf_add(&out, "domain: {");
	for (size_t i = 0; i < self->view.domain.number_count; i++) {
		const struct number *number = &self->numbers[i];
		const char *name = self->view.domain.numbers[i].name;
		int64_t unit = 1;

		if (at_value_equal(self->row[i], number->tuned))
			continue;
		at_strbuf_addf(&out, " %s = ", name);
		while (number->is_extent && unit < MULTIPLE_MOST &&
			number->tuned.integer % (2 * unit) == 0)
			unit *= 2;
		if (self->row[i].type != AT_TYPE_INTEGER ||
			self->row[i].integer % unit == 0) {
			at_strbuf_add(&out, "[ ");
			at_value_format(number->tuned, &out);
			at_strbuf_add(&out, " ];");
			continue;
		}
		at_strbuf_addf(&out, "\"%" PRId64 " .. %" PRId64 "\";", unit,
			number->tuned.integer);
		at_strbuf_addf(&constraints, "%s\"%s %% %" PRId64 " == 0\"",
			constraints.length ? ", " : "", name, unit);
	}
	if (constraints.length)
		at_strbuf_addf(
			&out, " constraints = ( %s );", at_strbuf_text(&constraints));
	at_strbuf_add(&out, " };");
	at_strbuf_release(&constraints);
	return at_strbuf_detach(&out);
}

/* Adds the case of self->row, if its data is not too large and no other case is the
   same. */
static enum at_status add(struct list *self, uint64_t contents, bool is_neighbour,
	bool is_scaled, struct at_error *err)
{
	struct at_case *one = &self->out[self->count];
	enum at_status status = AT_OK;
	bool is_there;

	if (self->count == self->most ||
		!cases_admit(self->cases, self->row, is_neighbour))
		return AT_OK;
	status = cases_make(self->cases, self->row, &one->problem, err);
	if (!status && contents)
		cases_set_contents(&self->view, one, contents);
	is_there = !one->problem.size_count && !contents;
	for (size_t i = 0; i < self->count && !status && !is_there; i++)
		is_there = !strcmp(self->out[i].problem.name, one->problem.name);
	if (status || is_there) {
		at_case_release(&one->problem);
		free(one->promise);
		memset(one, 0, sizeof(*one));
		return status;
	}
	self->count++;
	if (!contents)
		one->promise = write_promise(self);
	one->is_default = true;
	one->is_scaled = is_scaled;
	one->is_large = self->cases->is_large;
	return AT_OK;
}

/* What all extents become at once. */
enum change {
	LESS,
	MORE,
	PRIMES,
	PRIMES_REVERSED,
	QUARTERS,
	EVEN,
	POWERS,
	ONES,
	TWOS,
	CHANGES
};

static int64_t change_extent(const struct list *self, size_t index, enum change change)
{
	const struct number *number = &self->numbers[index];
	const size_t rank = rank_of(self, index);

	switch (change) {
	case LESS:
		return number->tuned.integer - 1;
	case MORE:
		return number->tuned.integer + 1;
	case PRIMES:
		return find_prime(first_prime(self), rank);
	case PRIMES_REVERSED:
		return find_prime(first_prime(self), self->extent_count - 1 - rank);
	case QUARTERS:
		return three_quarters(number->base.integer);
	case EVEN:
		/* of four values that a thread takes two are left over */
		return (number->base.integer - 1) / 4 * 4 + 2;
	case POWERS:
		return greatest_power(number->base.integer);
	case TWOS:
		return 2;
	case ONES:
	case CHANGES:
		break;
	}
	return 1;
}

static enum at_status add_extents(struct list *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (int change = 0; change < CHANGES && self->extent_count && !status;
		change++) {
		set_base(self);
		for (size_t i = 0; i < self->view.domain.number_count; i++)
			if (self->numbers[i].is_extent)
				self->row[i].integer =
					change_extent(self, i, (enum change)change);
		status = add(self, 0, change == LESS || change == MORE, false, err);
	}
	if (!status && self->is_scaled) {
		set_base(self);
		status = add(self, 0, false, true, err);
	}
	return status;
}

/* Adds the cases in which one number changes alone, in its way-th way. */
static enum at_status add_alone(struct list *self, size_t way, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->view.domain.number_count && !status; i++) {
		const struct number *number = &self->numbers[i];

		/* of one extent alone all extents are the same */
		if (way >= number->way_count ||
			(number->is_extent && self->extent_count == 1))
			continue;
		set_base(self);
		self->row[i] = number->ways[way];
		status =
			add(self, 0, false, self->is_scaled && !number->is_extent, err);
	}
	return status;
}

static enum at_status add_mixtures(
	struct list *self, struct at_random *random, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < MIXTURES && !status; i++) {
		set_base(self);
		for (size_t k = 0; k < self->view.domain.number_count; k++) {
			const struct number *number = &self->numbers[k];

			if (number->way_count &&
				at_random_below(random, 4) < CHANGED_QUARTERS)
				self->row[k] = number->ways[at_random_below(
					random, number->way_count)];
		}
		status = add(self, i % 2 ? self->contents : 0, false, false, err);
	}
	return status;
}

/* Adds a case for each input that may have other contents, and one for all of them. */
static enum at_status add_contents(struct list *self, struct at_error *err)
{
	const size_t first = self->count;
	enum at_status status = AT_OK;

	set_base(self);
	/* beside the cases of the list */
	self->most += CONTENTS_MOST + 1;
	for (size_t i = 0; i < CONTENTS_MOST && !status; i++)
		if (self->contents >> i & 1)
			status = add(
				self, UINT64_C(1) << i, false, self->is_scaled, err);
	/* the one case that a domain without small sizes has of these */
	if (self->contents && !status)
		status = add(self, self->contents, true, self->is_scaled, err);
	self->most -= CONTENTS_MOST + 1 - (self->count - first);
	return status;
}

static enum at_status begin(struct list *self, const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_device_info *device,
	struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t count;

	self->spec = spec;
	self->view = *spec;
	at_cases_numbers(spec, tuned, &self->view.domain);
	status = cases_begin(self->cases, &self->view, tuned, device, err);
	if (status)
		return status;
	count = self->view.domain.number_count;
	self->numbers = at_calloc(count + 1, sizeof(*self->numbers));
	self->row = at_calloc(count + 1, sizeof(*self->row));
	for (size_t i = 0; i < count; i++)
		self->row[i] = self->numbers[i].tuned = self->numbers[i].base =
			self->cases->values[i];
	for (size_t i = 0; i < count && !status; i++) {
		struct number *number = &self->numbers[i];

		if (self->view.domain.numbers[i].argument || has_files(spec) ||
			number->tuned.type != AT_TYPE_INTEGER)
			continue;
		status = find_counted(self, i, &number->is_counted, err);
		number->is_extent =
			number->is_counted && number->tuned.integer >= FEWEST_OF_EXTENT;
		self->extent_count += number->is_extent;
	}
	return status;
}

/* What comes first is tried first: of 96 mistakes that only cases showed, 66 fell to
   one number alone, 15 to other contents and 15 to several numbers at once. */
static enum at_status add_list(struct list *self, uint64_t seed, struct at_error *err)
{
	struct at_random random;
	enum at_status status = add_extents(self, err);

	at_random_init(&random, seed);
	if (!status)
		status = add_alone(self, 0, err);
	if (!status)
		status = add_contents(self, err);
	if (!status)
		status = add_mixtures(self, &random, err);
	for (size_t way = 1; way < WAYS_MOST && !status; way++)
		status = add_alone(self, way, err);
	return status;
}

static void release(struct list *self)
{
	cases_release(self->cases);
	at_cases_release_numbers(&self->view.domain);
	free(self->numbers);
	free(self->row);
}

enum at_status cases_default(const struct at_spec *spec, const struct at_problem *tuned,
	const struct at_device_info *device, uint64_t seed, uint64_t contents,
	struct at_case *out, size_t *count, struct at_error *err)
{
	struct cases cases = { 0 };
	struct list self = {
		.cases = &cases, .out = out, .count = *count, .contents = contents
	};
	enum at_status status = begin(&self, spec, tuned, device, err);

	if (!status)
		status = find_base(&self, err);
	for (size_t i = 0; i < self.view.domain.number_count && !status; i++)
		add_ways(&self, i);
	self.most = *count + CASES_DEFAULT_FACTOR * spec->verify.case_count;
	if (!status)
		status = spec->domain.line ? add_contents(&self, err)
					   : add_list(&self, seed, err);
	*count = self.count;
	release(&self);
	return status;
}

enum at_status at_case_of_value(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_device_info *device,
	const char *name, int64_t value, struct at_case *out, struct at_error *err)
{
	struct cases cases = { 0 };
	struct list self = { .cases = &cases, .out = out, .most = 1 };
	enum at_status status;

	memset(out, 0, sizeof(*out));
	status = begin(&self, spec, tuned, device, err);
	if (!status)
		status = find_base(&self, err);
	if (!status)
		set_base(&self);
	for (size_t i = 0; i < self.view.domain.number_count && !status; i++) {
		const struct number *number = &self.numbers[i];

		if (strcmp(self.view.domain.numbers[i].name, name) != 0 ||
			number->tuned.type != AT_TYPE_INTEGER)
			continue;
		self.row[i].integer = value;
		status =
			add(&self, 0, false, self.is_scaled && !number->is_extent, err);
	}
	release(&self);
	return status;
}

/* ---- what is made smaller as a whole -------------------------------------------- */

/* How often a value counts in products of three. */
#define IN_A_PRODUCT 3
/* the most values whose products are looked at; configurations have few large ones */
#define VALUES_MOST 64

bool at_case_suits(const struct at_spec *spec, const struct at_problem *scaled,
	const struct at_problem *tuned, const uint16_t *configuration)
{
	int64_t values[VALUES_MOST];
	size_t count = 0;

	for (size_t i = 0; i < spec->parameter_count && count < VALUES_MOST; i++) {
		const struct at_value *value =
			&spec->parameters[i].values[configuration[i]];
		size_t same = 0;

		if (value->type != AT_TYPE_INTEGER || value->integer < 2 ||
			value->integer > INT32_MAX)
			continue;
		for (size_t k = 0; k < count; k++)
			same += values[k] == value->integer;
		if (same < IN_A_PRODUCT)
			values[count++] = value->integer;
	}
	for (size_t size = 0; size < scaled->size_count; size++) {
		int64_t part = scaled->sizes[size].value.integer, whole = 0;

		for (size_t i = 0; i < tuned->size_count; i++)
			if (!strcmp(tuned->sizes[i].name, scaled->sizes[size].name))
				whole = tuned->sizes[i].value.integer;
		for (size_t a = 0; a < count; a++) {
			if (whole % values[a] == 0 && part % values[a] != 0)
				return false;
			for (size_t b = 0; b < a; b++) {
				int64_t two = values[a] * values[b];

				if (two > whole || whole % two != 0)
					continue;
				if (part % two != 0)
					return false;
				for (size_t c = 0; c < b; c++)
					if (values[c] <= whole / two &&
						whole % (two * values[c]) == 0 &&
						part % (two * values[c]) != 0)
						return false;
			}
		}
	}
	return true;
}
