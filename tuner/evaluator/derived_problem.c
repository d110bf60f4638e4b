/* What a size becomes that divides others or is divided by them, and problems of values
   of the tuned problem's sizes (derived_parts.h). */
#include "evaluator/derived_parts.h"
#include "evaluator/plan.h"
#include "evaluator/plan_vary.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* a size that divides others and is at least this may be as many as a block takes at a
   time */
#define TILES_FROM 16
/* an extent is not cut to less than this many times what it stays a multiple of */
#define FEWEST_UNITS 16

static bool is_prime(int64_t n)
{
	for (int64_t i = 2; i * i <= n; i++)
		if (n % i == 0)
			return false;
	return n >= 2;
}

int64_t derived_prime_below(int64_t n)
{
	int64_t prime = n - 1;

	while (prime > 2 && !is_prime(prime))
		prime--;
	return prime;
}

int64_t derived_cut(const struct derivation *self, size_t extent)
{
	const int64_t size = self->tuned->sizes[extent].value.integer;
	const int64_t fewest = FEWEST_UNITS * self->units[extent];
	const int64_t most = self->cap > fewest ? self->cap : fewest;

	return size < most ? size : most;
}

int64_t derived_other_divisor(const struct derivation *self, size_t size)
{
	const struct at_size *sizes = self->tuned->sizes;
	const int64_t from = sizes[size].value.integer;
	int64_t to = from / 2;

	if (from == 1)
		to = 2;
	else if (from % 2 != 0)
		to = 1;
	/* kernels may take as many at a time as a parameter says */
	else if (from >= TILES_FROM && at_plan_is_divided(self->spec, from, to))
		to = from * 2;
	for (size_t i = 0; i < self->tuned->size_count; i++) {
		int64_t other = sizes[i].value.integer;

		if (i == size || sizes[i].value.type != AT_TYPE_INTEGER ||
			other % from != 0 ||
			(from == 1 && self->roles[i] != ROLE_SMALL &&
				!derived_divides_with(self, size, i)))
			continue;
		if (self->roles[i] == ROLE_EXTENT)
			other = derived_cut(self, i) / self->units[i] * self->units[i];
		if (other % to != 0)
			return from;
	}
	return to;
}

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
	while (b) {
		const int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

int64_t derived_other_multiple(const struct derivation *self, size_t extent)
{
	const struct at_size *sizes = self->tuned->sizes;
	const int64_t from = sizes[extent].value.integer;
	int64_t step = self->units[extent];
	bool is_multiple = false;

	for (size_t i = 0; i < self->tuned->size_count; i++) {
		const int64_t other = sizes[i].value.integer;

		if (i == extent || sizes[i].value.type != AT_TYPE_INTEGER ||
			other < 2 || other >= from || from % other != 0)
			continue;
		/* divides `from`, as both do */
		step = step / greatest_common_divisor(step, other) * other;
		is_multiple = true;
	}
	/* what is cut may be no multiple */
	if (!is_multiple || derived_cut(self, extent) != from ||
		from > INT64_MAX - step)
		return from;
	return from + step;
}

int64_t derived_other_fitting(const struct derivation *self, size_t size)
{
	const struct at_size *sizes = self->tuned->sizes;
	const int64_t from = sizes[size].value.integer;
	bool is_divisor = false, may_double = true;
	const int64_t multiple = derived_other_multiple(self, size);

	if (multiple != from || from < 2)
		return multiple;
	for (size_t i = 0; i < self->tuned->size_count; i++) {
		const int64_t other = sizes[i].value.integer;

		if (sizes[i].value.type != AT_TYPE_INTEGER || other <= from ||
			other % from != 0 || self->roles[i] != ROLE_SMALL)
			continue;
		is_divisor = true;
		may_double = may_double && other % (2 * from) == 0;
	}
	return !is_divisor ? from : may_double ? 2 * from : 1;
}

bool derived_keep_size(struct derivation *self, size_t i)
{
	const struct at_size *size = &self->tuned->sizes[i];

	self->values[i] = size->value;
	return !size->expression ||
	       (at_expression_evaluate(size->expression, self->values, &self->values[i],
			NULL) == AT_EVALUATION_OK &&
		       self->values[i].type == size->value.type);
}

enum at_status derived_make_problem(
	const struct derivation *self, struct at_problem *out, struct at_error *err)
{
	const struct at_problem *tuned = self->tuned;
	struct at_strbuf name = { 0 };

	memset(out, 0, sizeof(*out));
	out->line = tuned->line;
	out->sizes = calloc(tuned->size_count + 1, sizeof(*out->sizes));
	if (!out->sizes)
		return at_fail_memory(err);
	for (size_t i = 0; i < tuned->size_count; i++) {
		struct at_size *size = &out->sizes[out->size_count];

		if (at_value_equal(self->values[i], tuned->sizes[i].value))
			continue;
		size->value = self->values[i];
		size->name = at_strdup(tuned->sizes[i].name);
		if (!size->name) {
			at_strbuf_release(&name);
			return at_fail_memory(err);
		}
		out->size_count++;
		at_strbuf_add(&name, name.length ? " " : "derived ");
		at_strbuf_add(&name, size->name);
		at_strbuf_add(&name, "=");
		at_value_format(size->value, &name);
	}
	out->name = at_strbuf_detach(&name);
	return out->name ? AT_OK : at_fail_memory(err);
}

void derived_release_problem(struct at_problem *problem)
{
	for (size_t i = 0; i < problem->size_count; i++)
		free(problem->sizes[i].name);
	free(problem->sizes);
	free(problem->name);
}

bool derived_has_problems(const struct derivation *self)
{
	const struct at_verify *verify = &self->spec->verify;

	for (size_t i = 0; i < verify->problem_count; i++)
		if (!verify->problems[i].on ||
			!strcmp(verify->problems[i].on, self->device->kind))
			return true;
	return false;
}

bool derived_has_problem(
	const struct at_derived *list, size_t count, const struct at_problem *problem)
{
	size_t i = 0;

	while (i < count && strcmp(list[i].problem.name, problem->name) != 0)
		i++;
	return i < count;
}

int64_t derived_count_elements(
	const struct derivation *self, const struct at_problem *problem)
{
	const struct at_spec *spec = self->spec;
	int64_t most = 0, count;

	at_spec_bind(
		spec, problem, self->tuned, &self->device->properties, self->slots);
	at_spec_bind_configuration(spec, spec->defaults, self->slots);
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		if (!argument->count || argument->access == AT_ACCESS_SCRATCH)
			continue;
		if (at_spec_integer(spec, argument->count, self->slots, "a count", 0, 1,
			    INT64_MAX, &count, NULL))
			return 0;
		if (count > most)
			most = count;
	}
	return most;
}

enum at_status derived_add_hidden(const struct derivation *self,
	const struct at_problem *from, bool with_flags, struct at_derived *list,
	size_t *count, struct at_error *err)
{
	struct at_derived *one = &list[*count];
	struct at_strbuf name = { 0 };
	size_t hidden = 0;

	for (size_t i = 0; i < self->spec->argument_count; i++)
		hidden += at_plan_hides(self->spec, self->template,
				  &self->spec->arguments[i]) ||
			  (with_flags &&
				  at_plan_is_varied(self->spec, self->template,
					  &self->spec->arguments[i], AT_VARIATION_ON));
	/* beside the tuned sizes they are a variation by itself */
	if (!hidden || !from->size_count)
		return AT_OK;
	one->problem.line = from->line;
	one->problem.sizes = calloc(from->size_count + 1, sizeof(*from->sizes));
	at_strbuf_addf(&name, "%s and other values of", from->name);
	hidden = 0;
	for (size_t i = 0; i < self->spec->argument_count; i++)
		if (at_plan_is_varied(self->spec, self->template,
			    &self->spec->arguments[i], AT_VARIATION_HIDDEN))
			at_strbuf_addf(&name, "%s %.60s", hidden++ ? "," : "",
				self->spec->arguments[i].name);
	one->problem.name = at_strbuf_detach(&name);
	one->shows_hidden = true;
	++*count;
	if (!one->problem.sizes || !one->problem.name)
		return at_fail_memory(err);
	for (size_t i = 0; i < from->size_count; i++) {
		one->problem.sizes[i].value = from->sizes[i].value;
		one->problem.sizes[i].name = at_strdup(from->sizes[i].name);
		one->problem.size_count++;
		if (!one->problem.sizes[i].name)
			return at_fail_memory(err);
	}
	return AT_OK;
}
