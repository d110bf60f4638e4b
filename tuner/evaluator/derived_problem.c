/* What a size becomes that divides others, and a problem of values of the tuned
   problem's sizes (derived_parts.h). */
#include "evaluator/derived_parts.h"
#include "evaluator/plan_vary.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* a size that divides others and is at least this may be as many as a block takes at a
   time */
#define TILES_FROM 16
/* an extent is not cut to less than this many times what it stays a multiple of */
#define FEWEST_UNITS 16

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
