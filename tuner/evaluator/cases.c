/* Makes the cases of a verification (cases.h): of rows, of a domain, of the default
   list, and of what the record keeps. */
#include "evaluator/cases.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/random.h"
#include "evaluator/plan.h"
#include "space/domain.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* cases of a domain that are tried with other contents, too */
	WITH_CONTENTS = 6,
	/* cases of the default list for each that would be drawn from a domain */
	DEFAULT_FACTOR = 2,
	/* arguments that a case can give other contents */
	CONTENTS_MOST = 64,
};

#define NO_NUMBER SIZE_MAX

/* The making of cases. */
struct cases {
	const struct at_spec *spec; /* its domain has the numbers of the rows */
	const struct at_problem *tuned;
	const struct at_device_info *device;
	struct at_value *values; /* of the tuned problem, by number */
	struct at_value *slots;
	struct at_value *followed; /* the same of a case, before scalars are given */
	struct at_value *current; /* of a row, by size of the tuned problem */
	struct at_problem scratch; /* sizes of a row; names are borrowed */
	int64_t most; /* elements of the largest buffer */
	int64_t tuned_elements;
	char *files; /* that the tuned problem's buffers are filled from */
	bool is_large; /* the row that cases_admit() saw last has more than these */
};

/*
 * The most elements of the largest buffer. A device that shares the machine's cores
 * pays for every thread of a launch: with a million elements ten cases took a minute
 * there. So threads count, too, where few of them have an element: 65,536 rows of one
 * column, a block for each row, took half a minute a launch.
 */
#define MOST_ELEMENTS (INT64_C(1) << 20)
#define MOST_ELEMENTS_SHARED (INT64_C(1) << 18)
#define THREADS_OF_AN_ELEMENT 4

static const struct at_value first_step = { .type = AT_TYPE_INTEGER };

/* Multiplies *product by the value of an expression, if there is one. False: it has no
   value. */
static bool multiply(const struct cases *self, const struct at_expression *expression,
	int64_t *product)
{
	int64_t value = 1;

	if (expression && at_spec_integer(self->spec, expression, self->slots, "", 0, 1,
				  INT32_MAX, &value, NULL))
		return false;
	*product = *product > INT64_MAX / value ? INT64_MAX : *product * value;
	return true;
}

/* The threads of a configuration's launches; 0: it is not known. */
static int64_t count_threads(const struct cases *self)
{
	int64_t sum = 0;

	for (size_t i = 0; i < self->spec->launch_count; i++) {
		const struct at_call *call = &self->spec->calls[i];
		int64_t threads = 1;
		bool holds = true;

		if (call->when && at_spec_test(self->spec, call->when, self->slots, "",
					  0, &holds, NULL))
			return 0;
		if (!holds)
			continue;
		for (size_t axis = 0; axis < 3; axis++)
			if (!multiply(self, call->launch.block[axis], &threads) ||
				!multiply(self, call->launch.grid[axis], &threads))
				return 0;
		if (!multiply(self, call->repeat, &threads) ||
			!multiply(self, call->rounds, &threads))
			return 0;
		sum = threads > INT64_MAX - sum ? INT64_MAX : sum + threads;
	}
	return sum;
}

static bool is_copy(const struct at_spec *spec, size_t index)
{
	for (size_t i = 0; i < spec->given_count; i++)
		if (spec->arguments[i].type_parameter &&
			spec->arguments[i].copy == index)
			return true;
	return false;
}

/* The elements of the largest buffer on a problem, or what a launch of many threads
   counts as; INT64_MAX: a count has no value. */
static int64_t count_elements(
	const struct cases *self, const struct at_problem *problem)
{
	const struct at_spec *spec = self->spec;
	int64_t most = 0, count;

	at_spec_bind(
		spec, problem, self->tuned, &self->device->properties, self->slots);
	at_spec_bind_configuration(spec, spec->defaults, self->slots);
	/* the first step stands for all */
	self->slots[spec->slot_count] = first_step;
	for (size_t i = 0; i < spec->argument_count; i++) {
		/* a copy in another type has as many elements, and its count is bytes
		 */
		if (!spec->arguments[i].count || is_copy(spec, i))
			continue;
		if (at_spec_integer(spec, spec->arguments[i].count, self->slots, "", 0,
			    1, INT64_MAX, &count, NULL))
			return INT64_MAX;
		if (count > most)
			most = count;
	}
	count = self->device->shares_cores ? count_threads(self) / THREADS_OF_AN_ELEMENT
					   : 0;
	return count > most ? count : most;
}

/* The value that a row has for a size; NULL: the domain leaves it out. */
static const struct at_value *find_value(
	const struct cases *self, const struct at_value *values, const char *name)
{
	const struct at_domain *domain = &self->spec->domain;

	for (size_t i = 0; i < domain->number_count; i++)
		if (!domain->numbers[i].argument &&
			!strcmp(domain->numbers[i].name, name))
			return &values[i];
	return NULL;
}

/* Fills self->scratch with the sizes of a row that differ from the tuned ones: numbers
   of the domain, and sizes that the file computes from others. False: a computed size
   has no value (as it divides by a stride of 0), so that no problem has these numbers.
 */
static bool fill_sizes(struct cases *self, const struct at_value *values)
{
	const struct at_problem *tuned = self->tuned;

	self->scratch.size_count = 0;
	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];
		const struct at_value *drawn = find_value(self, values, size->name);
		struct at_value *value = &self->current[i];

		*value = drawn ? *drawn : size->value;
		if (!drawn && size->expression &&
			at_expression_evaluate(
				size->expression, self->current, value, NULL))
			return false;
		if (!at_value_equal(*value, size->value))
			self->scratch.sizes[self->scratch.size_count++] =
				(struct at_size){ .name = size->name, .value = *value };
	}
	return true;
}

/* The files of fills, whose paths may have sizes in them; heap. */
static char *write_files(const struct cases *self)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf out = { 0 };

	for (size_t i = 0; i < spec->argument_count; i++) {
		const char *path = spec->arguments[i].fill.file;
		char *file = NULL;

		if (path && !at_spec_file(spec, path, 0, self->slots, &file, NULL))
			at_strbuf_addf(&out, "%s\n", file);
		free(file);
	}
	return at_strbuf_detach(&out);
}

/* Whether a problem can have the row's numbers, and its buffers are small enough. Its
   files must be those of the tuned problem, since others need not exist. context: the
   struct cases. is_neighbour: its sizes are next to the tuned ones, and may be as large
   as those. */
static bool cases_admit(void *context, const struct at_value *values, bool is_neighbour)
{
	struct cases *self = context;
	int64_t elements;
	char *files;
	bool is_same;

	if (!fill_sizes(self, values))
		return false;
	elements = count_elements(self, &self->scratch);
	files = write_files(self);
	is_same = !strcmp(files, self->files);
	free(files);
	if (!is_same)
		return false;
	self->is_large = elements > self->most;
	/* one more in each of three sizes */
	return !self->is_large || (is_neighbour && elements / 4 < self->tuned_elements);
}

static void release_problem(struct at_problem *self)
{
	for (size_t i = 0; i < self->size_count; i++)
		free(self->sizes[i].name);
	free(self->sizes);
	free(self->name);
	memset(self, 0, sizeof(*self));
}

static void add_size(struct at_problem *one, const char *name, struct at_value value)
{
	struct at_size *size = &one->sizes[one->size_count];

	size->name = at_strdup(name);
	size->value = value;
	one->size_count++;
}

/* Makes the case of a row. False: no problem has these numbers, and *out is empty. */
static bool cases_make(
	struct cases *self, const struct at_value *values, struct at_problem *out)
{
	const struct at_domain *domain = &self->spec->domain;
	struct at_strbuf name = { 0 };

	memset(out, 0, sizeof(*out));
	if (!fill_sizes(self, values))
		return false;
	out->line = domain->line;
	out->sizes = at_calloc(domain->number_count + self->tuned->size_count + 1,
		sizeof(*out->sizes));
	for (size_t i = 0; i < self->scratch.size_count; i++)
		add_size(
			out, self->scratch.sizes[i].name, self->scratch.sizes[i].value);
	/* a scalar whose value the space makes of sizes may follow them already */
	if (at_domain_values(self->spec, out, self->tuned, self->followed, NULL)) {
		release_problem(out);
		return false;
	}
	for (size_t i = 0; i < domain->number_count; i++)
		if (domain->numbers[i].argument &&
			!at_value_equal(values[i], self->followed[i]))
			add_size(out, domain->numbers[i].name, values[i]);
	at_strbuf_add(&name, "case ");
	for (size_t i = 0; i < out->size_count; i++) {
		at_strbuf_addf(&name, "%s%s=", i ? " " : "", out->sizes[i].name);
		at_value_format(out->sizes[i].value, &name);
	}
	out->name = at_strbuf_detach(&name);
	return true;
}

static void cases_release(struct cases *self)
{
	free(self->values);
	free(self->followed);
	free(self->current);
	free(self->slots);
	free(self->scratch.sizes);
	free(self->files);
}

/* spec: that of the source, or a view of it with another domain. */
static void cases_begin(struct cases *self, const struct at_spec *spec,
	const struct at_case_source *source)
{
	const struct at_problem *tuned = source->tuned;
	const size_t numbers = spec->domain.number_count, sizes = tuned->size_count;

	*self = (struct cases){ .spec = spec,
		.tuned = tuned,
		.device = source->device,
		.values = at_calloc(numbers + 1, sizeof(*self->values)),
		.followed = at_calloc(numbers + 1, sizeof(*self->followed)),
		.current = at_calloc(sizes + 1, sizeof(*self->current)),
		.slots = at_calloc(spec->slot_count + 1, sizeof(*self->slots)),
		.scratch.sizes = at_calloc(sizes + 1, sizeof(*self->scratch.sizes)) };
	self->most =
		source->device->shares_cores ? MOST_ELEMENTS_SHARED : MOST_ELEMENTS;
	self->tuned_elements = count_elements(self, tuned);
	self->files = write_files(self);
	/* at_domain_draw() tells of a domain that has no values there */
	(void)at_domain_values(spec, tuned, NULL, self->values, NULL);
}

/* Gives arguments other contents in a case, which is named after them, too. Nothing
   promises it then. */
static void cases_set_contents(
	const struct at_spec *spec, struct at_case *one, uint64_t contents)
{
	struct at_strbuf name = { 0 };
	unsigned count = 0;

	at_strbuf_addf(&name, "%s%sother contents of", one->problem.name,
		one->problem.size_count ? ", " : "");
	for (size_t i = 0; i < CONTENTS_MOST; i++)
		if (contents >> i & 1)
			at_strbuf_addf(&name, "%s %.60s", count++ ? "," : "",
				spec->arguments[i].name);
	free(one->problem.name);
	one->problem.name = at_strbuf_detach(&name);
	one->promise = at_strdup(count > 1 ? "fixed = true in these arguments"
					   : "fixed = true in this argument");
	one->contents = contents;
	one->is_default = true;
}

/* ---- the default list: the numbers ----------------------------------------------- */

enum {
	/* a size that is less is as often the length of a filter or a number of
	   channels */
	FEWEST_OF_EXTENT = 17,
	/* a problem is made smaller until its buffers are small, but no extent goes
	   below this */
	FEWEST_SCALED = 64,
	/* a prime above the threads of every block: a row that a block takes in a loop
	 */
	BEYOND_A_BLOCK = 1031,
	WAYS_MOST = 6, /* other values of one number */
	MIXTURES = 4,
	/* the chance that a number has another value in a mixture, in quarters */
	CHANGED_QUARTERS = 3,
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
	struct cases cases;
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
static void add_scalar(const struct at_spec *spec, const struct at_problem *tuned,
	size_t index, struct at_domain *domain)
{
	const struct at_argument *argument = &spec->arguments[index];
	const bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;
	struct at_value value;

	if (!argument->value || argument->is_fixed ||
		(argument->owner && spec->arguments[argument->owner - 1].is_fixed) ||
		at_problem_find_size(tuned, argument->name) ||
		!at_plan_is_given_to_both(spec, argument))
		return;
	for (size_t k = 0; k < (size_t)argument->lanes; k++) {
		char name[128];

		at_argument_component(argument, k, name, sizeof(name));
		if (at_expression_is_constant(
			    k ? argument->more_values[k - 1] : argument->value, &value))
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
		add_scalar(spec, tuned, i, domain);
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
static bool is_counted(struct list *self, size_t number)
{
	const struct at_spec *spec = &self->view;
	const struct at_properties *properties = &self->cases.device->properties;
	const int64_t value = self->row[number].integer;
	struct at_value *slots = self->cases.slots;
	struct at_value *others = at_calloc(spec->slot_count + 1, sizeof(*others));
	struct at_problem one;
	bool found = false;

	/* a number that large is no size */
	self->row[number].integer =
		value > INT32_MAX ? value / 2 : 2 * value + (value == 0);
	cases_make(&self->cases, self->row, &one);
	self->row[number].integer = value;
	at_spec_bind(spec, self->cases.tuned, NULL, properties, slots);
	at_spec_bind(spec, &one, self->cases.tuned, properties, others);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	at_spec_bind_configuration(spec, spec->defaults, others);
	slots[spec->slot_count] = others[spec->slot_count] = first_step;
	for (size_t i = 0; i < spec->argument_count; i++)
		found |= differs(spec->arguments[i].count, slots, others);
	for (size_t i = 0; i < spec->launch_count; i++) {
		const struct at_call *call = &spec->calls[i];

		for (size_t k = 0; k < call->launch.grid_rank; k++)
			found |= differs(call->launch.grid[k], slots, others);
		found |= differs(call->repeat, slots, others) ||
			 differs(call->rounds, slots, others) ||
			 differs(call->when, slots, others);
	}
	release_problem(&one);
	free(others);
	return found;
}

/* Sets self->row to what the numbers have while others change alone. */
static void set_base(struct list *self)
{
	for (size_t i = 0; i < self->view.domain.number_count; i++)
		self->row[i] = self->numbers[i].base;
}

/* Whether a declared domain, if there is one, has the sizes of self->row. */
static bool is_declared(struct list *self)
{
	const struct at_spec *spec = self->spec;
	const struct at_problem *tuned = self->cases.tuned;
	struct at_value *values =
		at_calloc(spec->domain.number_count + 1, sizeof(*values));
	struct at_problem one;
	const bool found = !spec->domain.line ||
			   (cases_make(&self->cases, self->row, &one) &&
				   !at_domain_values(spec, &one, tuned, values, NULL) &&
				   !at_domain_check(spec, tuned, values, NULL));

	if (spec->domain.line)
		release_problem(&one);
	free(values);
	return found;
}

/* Halves the large extents of self->row. False: none is left, or one is odd. */
static bool halve(struct list *self)
{
	bool is_halved = false;

	for (size_t i = 0; i < self->view.domain.number_count; i++) {
		if (!self->numbers[i].is_extent ||
			self->row[i].integer < 2 * FEWEST_SCALED)
			continue;
		if (self->row[i].integer % 2 != 0)
			return false;
		self->row[i].integer /= 2;
		is_halved = true;
	}
	return is_halved;
}

/* Divides the large extents by a power of two, as far as all of them can be, until
   buffers are small: to the least sizes that a declared domain has. */
static void find_base(struct list *self)
{
	const int64_t most = self->cases.most;

	self->cases.most = MOST_SCALED;
	set_base(self);
	while (!cases_admit(&self->cases, self->row, false) && halve(self)) {
		const bool has_base = is_declared(self);

		for (size_t i = 0; i < self->view.domain.number_count && has_base; i++)
			self->numbers[i].base = self->row[i];
		self->is_scaled |= !self->spec->domain.line;
	}
	self->cases.most = most;
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
		if (number->base.integer < BEYOND_A_BLOCK)
			add_whole(number, BEYOND_A_BLOCK);
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

/* Whether a number of self->row differs from what it has while others change alone. */
static bool is_changed(const struct list *self, size_t index)
{
	return !at_value_equal(self->row[index], self->numbers[index].base);
}

static bool has_changed(const struct list *self)
{
	for (size_t i = 0; i < self->view.domain.number_count; i++)
		if (is_changed(self, i))
			return true;
	return false;
}

/* The line that would leave the case of self->row out; heap. */
static char *write_promise(const struct list *self)
{
	struct at_strbuf out = { 0 }, constraints = { 0 };
	const bool has_any = has_changed(self);

	at_strbuf_add(&out, "domain: {");
	for (size_t i = 0; i < self->view.domain.number_count; i++) {
		const struct number *number = &self->numbers[i];
		const char *name = self->view.domain.numbers[i].name;
		int64_t unit = 1;
		bool is_far, is_ragged;

		if (at_value_equal(self->row[i], number->tuned) ||
			(has_any && !is_changed(self, i)))
			continue;
		at_strbuf_addf(&out, " %s = ", name);
		while (number->is_extent && unit < MULTIPLE_MOST &&
			number->tuned.integer % (2 * unit) == 0)
			unit *= 2;
		is_ragged = self->row[i].type == AT_TYPE_INTEGER &&
			    self->row[i].integer % unit != 0;
		is_far = number->is_extent &&
			 self->row[i].integer > number->tuned.integer + unit;
		if (!is_ragged && !is_far) {
			at_strbuf_add(&out, "[ ");
			at_value_format(number->tuned, &out);
			at_strbuf_add(&out, " ];");
			continue;
		}
		if (!is_ragged)
			unit = 1;
		at_strbuf_addf(&out, "\"%" PRId64 " .. %" PRId64 "\";", unit,
			number->tuned.integer);
		if (unit > 1)
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
static void add(struct list *self, uint64_t contents, bool is_neighbour)
{
	struct at_case *one = &self->out[self->count];
	bool is_there;

	if (self->count == self->most ||
		!cases_admit(&self->cases, self->row, is_neighbour) ||
		!cases_make(&self->cases, self->row, &one->problem))
		return;
	if (contents)
		cases_set_contents(&self->view, one, contents);
	is_there = !one->problem.size_count && !contents;
	for (size_t i = 0; i < self->count && !is_there; i++)
		is_there = !strcmp(self->out[i].problem.name, one->problem.name);
	if (is_there) {
		at_case_release(one);
		return;
	}
	self->count++;
	if (!contents)
		one->promise = write_promise(self);
	one->is_default = true;
	one->is_scaled = self->is_scaled;
	for (size_t i = 0; i < self->view.domain.number_count; i++)
		if (self->numbers[i].is_extent && is_changed(self, i))
			one->is_scaled = false;
	one->is_large = self->cases.is_large;
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
	int64_t value = number->base.integer;

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
		/* the greatest up to the number: whole blocks of whatever size */
		while (value & (value - 1))
			value &= value - 1;
		return value;
	case TWOS:
		return 2;
	case ONES:
	case CHANGES:
		break;
	}
	return 1;
}

static void add_extents(struct list *self)
{
	for (int change = 0; change < CHANGES && self->extent_count; change++) {
		set_base(self);
		for (size_t i = 0; i < self->view.domain.number_count; i++)
			if (self->numbers[i].is_extent)
				self->row[i].integer =
					change_extent(self, i, (enum change)change);
		add(self, 0, change == LESS || change == MORE);
	}
	set_base(self);
	if (self->is_scaled)
		add(self, 0, false);
}

/* Adds the cases in which one number changes alone, in its way-th way. */
static void add_alone(struct list *self, size_t way)
{
	for (size_t i = 0; i < self->view.domain.number_count; i++) {
		const struct number *number = &self->numbers[i];

		/* of one extent alone all extents are the same */
		if (way >= number->way_count ||
			(number->is_extent && self->extent_count == 1))
			continue;
		set_base(self);
		self->row[i] = number->ways[way];
		add(self, 0, false);
	}
}

static void add_mixtures(struct list *self, struct at_random *random)
{
	for (size_t i = 0; i < MIXTURES; i++) {
		set_base(self);
		for (size_t k = 0; k < self->view.domain.number_count; k++) {
			const struct number *number = &self->numbers[k];

			if (number->way_count &&
				at_random_below(random, 4) < CHANGED_QUARTERS)
				self->row[k] = number->ways[at_random_below(
					random, number->way_count)];
		}
		add(self, i % 2 ? self->contents : 0, false);
	}
}

/* Adds a case for each input that may have other contents, and one for all of them. */
static void add_contents(struct list *self)
{
	const size_t first = self->count;

	set_base(self);
	/* beside the cases of the list */
	self->most += CONTENTS_MOST + 1;
	for (size_t i = 0; i < CONTENTS_MOST; i++)
		if (self->contents >> i & 1)
			add(self, UINT64_C(1) << i, false);
	/* the one case that a domain without small sizes has of these */
	if (self->contents)
		add(self, self->contents, true);
	self->most -= CONTENTS_MOST + 1 - (self->count - first);
}

/* Begins a list: finds its numbers, and the values that they have while others change
   alone. */
static void begin(struct list *self, const struct at_case_source *source)
{
	bool has_files = false;
	size_t count;

	self->spec = source->spec;
	self->view = *source->spec;
	for (size_t i = 0; i < self->spec->argument_count; i++)
		has_files |= self->spec->arguments[i].fill.kind == AT_FILL_FILE;
	at_cases_numbers(source->spec, source->tuned, &self->view.domain);
	cases_begin(&self->cases, &self->view, source);
	count = self->view.domain.number_count;
	self->numbers = at_calloc(count + 1, sizeof(*self->numbers));
	self->row = at_calloc(count + 1, sizeof(*self->row));
	for (size_t i = 0; i < count; i++)
		self->row[i] = self->numbers[i].tuned = self->numbers[i].base =
			self->cases.values[i];
	for (size_t i = 0; i < count; i++) {
		struct number *number = &self->numbers[i];

		if (self->view.domain.numbers[i].argument || has_files ||
			number->tuned.type != AT_TYPE_INTEGER)
			continue;
		number->is_counted = is_counted(self, i);
		number->is_extent =
			number->is_counted && number->tuned.integer >= FEWEST_OF_EXTENT;
		self->extent_count += number->is_extent;
	}
	find_base(self);
}

/* What comes first is tried first: of 96 mistakes that only cases showed, 66 fell to
   one number alone, 15 to other contents and 15 to several numbers at once. */
static void add_list(struct list *self, uint64_t seed)
{
	struct at_random random;

	at_random_init(&random, seed);
	add_extents(self);
	add_alone(self, 0);
	add_contents(self);
	add_mixtures(self, &random);
	for (size_t way = 1; way < WAYS_MOST; way++)
		add_alone(self, way);
}

static void release(struct list *self)
{
	cases_release(&self->cases);
	at_cases_release_numbers(&self->view.domain);
	free(self->numbers);
	free(self->row);
}

/* Adds the default list behind the cases that are there, where the space declares no
   domain, and those with other contents. */
static void cases_default(const struct at_case_source *source, uint64_t seed,
	uint64_t contents, struct at_case *out, size_t *count)
{
	const struct at_spec *spec = source->spec;
	struct list self = { .out = out,
		.count = *count,
		.most = *count + DEFAULT_FACTOR * spec->verify.case_count,
		.contents = contents };

	begin(&self, source);
	for (size_t i = 0; i < self.view.domain.number_count; i++)
		add_ways(&self, i);
	if (spec->domain.line)
		add_contents(&self);
	else
		add_list(&self, seed);
	*count = self.count;
	release(&self);
}

void at_case_of_value(const struct at_case_source *source, const char *name,
	int64_t value, struct at_case *out)
{
	struct list self = { .out = out, .most = 1 };

	memset(out, 0, sizeof(*out));
	begin(&self, source);
	set_base(&self);
	for (size_t i = 0; i < self.view.domain.number_count; i++) {
		if (strcmp(self.view.domain.numbers[i].name, name) != 0 ||
			self.numbers[i].tuned.type != AT_TYPE_INTEGER)
			continue;
		self.row[i].integer = value;
		add(&self, 0, false);
	}
	release(&self);
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

/* ---- all cases ------------------------------------------------------------------ */

/* Draws cases from the domain. */
static enum at_status draw(const struct at_case_source *source, uint64_t seed,
	uint64_t contents, struct at_case *out, size_t *count, struct at_error *err)
{
	const struct at_spec *spec = source->spec;
	const size_t width = spec->domain.number_count;
	struct cases self;
	struct at_domain_draw draw = { .seed = seed,
		.count = spec->verify.case_count,
		.admits = cases_admit,
		.context = &self };
	struct at_value *rows = NULL;
	size_t row_count = 0;
	enum at_status status;

	cases_begin(&self, spec, source);
	status = at_domain_draw(spec, source->tuned, &draw, &rows, &row_count, err);
	for (size_t i = 0; i < row_count; i++) {
		struct at_case *one = &out[*count];

		one->is_large = !cases_admit(&self, &rows[i * width], false);
		*count += cases_make(&self, &rows[i * width], &one->problem);
	}
	/* behind the two next to the tuned sizes */
	for (size_t i = 2; i < 2 + WITH_CONTENTS && i < row_count && contents; i++) {
		struct at_case *one = &out[*count];

		if (!cases_admit(&self, &rows[i * width], false) ||
			!cases_make(&self, &rows[i * width], &one->problem))
			continue;
		cases_set_contents(spec, one, contents);
		++*count;
	}
	free(rows);
	cases_release(&self);
	return status;
}

/* Moves cases with much data behind the others: where time ends, most are made. */
static void move_large(struct at_case *cases, size_t count)
{
	struct at_case *sorted = at_calloc(count + 1, sizeof(*sorted));
	size_t done = 0;

	for (int is_large = 0; is_large < 2; is_large++)
		for (size_t i = 0; i < count; i++)
			if (cases[i].is_large == is_large)
				sorted[done++] = cases[i];
	memcpy(cases, sorted, count * sizeof(*sorted));
	free(sorted);
}

enum at_status at_cases_make(const struct at_case_source *source, uint64_t seed,
	struct at_case **out, size_t *count, struct at_error *err)
{
	const struct at_spec *spec = source->spec;
	const bool has_list = spec->verify.derives_problems;
	const uint64_t contents =
		has_list ? at_plan_other_contents(spec, source->tuned) : 0;
	enum at_status status = AT_OK;

	*out = NULL;
	*count = 0;
	if (spec->reference.kind == AT_REFERENCE_NONE ||
		spec->reference.kind == AT_REFERENCE_FILE)
		return AT_OK;
	*out = at_calloc((1 + DEFAULT_FACTOR) * spec->verify.case_count +
				 CONTENTS_MOST + WITH_CONTENTS + 2,
		sizeof(**out));
	if (spec->domain.line)
		status = draw(source, seed, contents, *out, count, err);
	if (status) {
		free(*out);
		*out = NULL;
		return status;
	}
	if (has_list)
		cases_default(source, seed, contents, *out, count);
	move_large(*out, *count);
	return AT_OK;
}

/* Makes the case that has the numbers of `from`, but this one as the tuned problem. The
   case is empty where a declared domain does not have it, where the number has that
   value already, and where nothing is left but the tuned problem. */
static void make_from(const struct at_spec *view, const struct at_case_source *source,
	const struct at_problem *from, size_t number, struct at_problem *out)
{
	const struct at_problem *tuned = source->tuned;
	struct cases self;
	struct at_value *values =
		at_calloc(view->domain.number_count + 1, sizeof(*values));
	bool is_wanted = !at_domain_values(view, from, tuned, values, NULL);

	cases_begin(&self, view, source);
	if (is_wanted && number != NO_NUMBER) {
		is_wanted = !at_value_equal(values[number], self.values[number]);
		values[number] = self.values[number];
	}
	if (is_wanted &&
		(!view->domain.line || !at_domain_check(view, tuned, values, NULL)))
		cases_make(&self, values, out);
	cases_release(&self);
	free(values);
}

/* Begins a list for looking at one case: self->row has its values. */
static void begin_with(struct list *self, const struct at_case_source *source,
	const struct at_problem *one)
{
	begin(self, source);
	/* its numbers are sizes of the tuned problem, and constants */
	(void)at_domain_values(&self->view, one, source->tuned, self->row, NULL);
}

void at_case_without(const struct at_case_source *source, const struct at_problem *one,
	size_t *number, struct at_case *out)
{
	const struct at_spec *spec = source->spec;
	const bool is_of_domain = spec->domain.line;
	struct list list = { .out = out, .most = 1 };
	size_t count = spec->domain.number_count;

	memset(out, 0, sizeof(*out));
	if (!is_of_domain) {
		begin_with(&list, source, one);
		count = list.view.domain.number_count;
	}
	for (; *number < count && !out->problem.size_count; ++*number) {
		at_case_release(out);
		if (is_of_domain) {
			make_from(spec, source, one, *number, &out->problem);
		} else if (is_changed(&list, *number)) {
			const struct at_value value = list.row[*number];

			list.row[*number] = list.numbers[*number].base;
			if (has_changed(&list))
				add(&list, 0, false);
			list.row[*number] = value;
		}
	}
	if (!out->problem.size_count)
		at_case_release(out);
	if (!is_of_domain)
		release(&list);
}

void at_case_release(struct at_case *self)
{
	release_problem(&self->problem);
	free(self->promise);
	memset(self, 0, sizeof(*self));
}

void at_cases_free(struct at_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		at_case_release(&cases[i]);
	free(cases);
}

void at_case_write(const struct at_problem *one, struct at_strbuf *out)
{
	at_strbuf_add(out, "{");
	for (size_t i = 0; i < one->size_count; i++) {
		at_strbuf_addf(out, " %s = ", one->sizes[i].name);
		at_value_format(one->sizes[i].value, out);
		at_strbuf_add(out, ";");
	}
	at_strbuf_add(out, " }");
}

/* ---- as the record keeps them, and back ------------------------------------------ */

char *at_case_instance(const struct at_spec *spec, const struct at_problem *one,
	const struct at_problem *tuned, const struct at_case_data *data)
{
	struct at_json *object = at_json_object(), *sizes = at_json_object();
	struct at_json *names = at_json_array();

	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];
		const struct at_size *own = at_problem_find_size(one, size->name);

		at_json_set(sizes, size->name,
			at_value_to_json(own ? own->value : size->value));
	}
	for (size_t i = 0; i < one->size_count; i++)
		if (!at_problem_find_size(tuned, one->sizes[i].name))
			at_json_set(sizes, one->sizes[i].name,
				at_value_to_json(one->sizes[i].value));
	for (size_t i = 0; i < CONTENTS_MOST; i++)
		if (data->contents >> i & 1)
			at_json_append(names, at_json_string(spec->arguments[i].name));
	at_json_set(object, "sizes", sizes);
	at_json_set(object, "contents", names);
	at_json_set(object, "is_scaled", data->is_scaled);
	if (data->seed)
		at_json_set(object, "seed", data->seed);
	return at_json_finish(object);
}

/* Reads the sizes into *out, whose names are borrowed. False: the space has a name no
   more. */
static bool read_sizes(const struct at_json *sizes, const struct at_spec *view,
	const struct at_problem *tuned, struct at_problem *out)
{
	const char *name;

	for (size_t i = 0; (name = at_json_key_at(sizes, i)); i++) {
		const struct at_value value =
			at_value_from_json(at_json_get(sizes, name));
		/* one that the space may compute from others, or a number of cases */
		bool is_known = at_problem_find_size(tuned, name) != NULL;

		for (size_t k = 0; k < view->domain.number_count; k++)
			is_known |= !strcmp(view->domain.numbers[k].name, name);
		if (!is_known || value.type == AT_TYPE_NONE ||
			value.type == AT_TYPE_WORD)
			return false;
		out->sizes[out->size_count++] =
			(struct at_size){ .name = (char *)name, .value = value };
	}
	return true;
}

static bool read_contents(
	const struct at_json *names, const struct at_spec *spec, uint64_t *out)
{
	*out = 0;
	for (size_t k = 0; k < at_json_count(names); k++) {
		const char *name = at_json_text(at_json_at(names, k));
		size_t i = 0;

		while (i < spec->argument_count && i < CONTENTS_MOST &&
			(!name || strcmp(spec->arguments[i].name, name) != 0))
			i++;
		if (i == spec->argument_count || i == CONTENTS_MOST)
			return false;
		*out |= UINT64_C(1) << i;
	}
	return true;
}

void at_case_recall(const struct at_case_source *source,
	const struct at_counterexample *from, struct at_case *out)
{
	const struct at_spec *spec = source->spec;
	const struct at_problem *tuned = source->tuned;
	struct at_json *object = NULL;
	const struct at_json *sizes, *names;
	struct at_domain numbers = { 0 };
	struct at_spec view = *spec;
	struct at_problem given = { .name = (char *)"recorded" };
	const uint64_t allowed =
		spec->verify.derives_problems ? at_plan_other_contents(spec, tuned) : 0;
	uint64_t contents;
	size_t count = 0;

	memset(out, 0, sizeof(*out));
	/* as a stranger may write it */
	if (at_json_parse(from->instance, strlen(from->instance), NULL, &object, NULL))
		return;
	sizes = at_json_get(object, "sizes");
	names = at_json_get(object, "contents");
	if (!spec->domain.line) {
		at_cases_numbers(spec, tuned, &numbers);
		view.domain = numbers;
	}
	while (at_json_key_at(sizes, count))
		count++;
	given.sizes = at_calloc(count + 1, sizeof(*given.sizes));
	if (read_sizes(sizes, &view, tuned, &given) &&
		read_contents(names, spec, &contents) && !(contents & ~allowed)) {
		make_from(&view, source, &given, NO_NUMBER, &out->problem);
		if (out->problem.name && contents)
			cases_set_contents(spec, out, contents);
		out->seed = (uint64_t)at_json_whole(at_json_get(object, "seed"), 1);
		out->is_default = contents || !spec->domain.line;
		out->is_scaled = at_json_is_true(at_json_get(object, "is_scaled"));
		if (out->problem.name && out->is_default && !contents) {
			struct list list = { 0 };

			begin_with(&list, source, &out->problem);
			out->promise = write_promise(&list);
			release(&list);
		}
	}
	/* nothing is left but the tuned problem, which each run has */
	if (!out->problem.size_count && !out->contents)
		at_case_release(out);
	at_cases_release_numbers(&numbers);
	free(given.sizes);
	at_json_free(object);
}
