/* A loaded space: copying, freeing, the slots of its expressions, evaluation. */
#include "space/spec_load.h"

#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

/* Copying and freeing. */

/* The count is a separate object, so that a constant spec can be copied. It is atomic
   because copies may belong to different threads. */
struct at_spec_sharing {
	atomic_size_t copies;
	/* All allocations of the loader except parameters and defaults. */
	void **memory;
	size_t memory_count;
	size_t memory_capacity;
	struct at_expression **expressions;
	size_t expression_count;
	size_t expression_capacity;
};

void *at_spec_own(struct at_spec *self, void *memory)
{
	struct at_spec_sharing *sharing = self->sharing;

	AT_GROW(sharing->memory, sharing->memory_capacity, sharing->memory_count + 1);
	sharing->memory[sharing->memory_count++] = memory;
	return memory;
}

void at_spec_own_expression(struct at_spec *self, struct at_expression *expression)
{
	struct at_spec_sharing *sharing = self->sharing;

	AT_GROW(sharing->expressions, sharing->expression_capacity,
		sharing->expression_count + 1);
	sharing->expressions[sharing->expression_count++] = expression;
}

struct at_spec *at_spec_new(void)
{
	struct at_spec *self = at_calloc(1, sizeof(*self));
	struct at_spec_sharing *sharing = at_calloc(1, sizeof(*sharing));

	atomic_init(&sharing->copies, 1);
	self->sharing = sharing;
	return self;
}

void at_spec_free(struct at_spec *self)
{
	struct at_spec_sharing *sharing;

	if (!self)
		return;
	sharing = self->sharing;

	/* the values of a restriction; those of the file are shared */
	for (size_t i = 0; self->parameters && i < self->parameter_count; i++) {
		struct at_parameter *parameter = &self->parameters[i];

		if (!parameter->all)
			continue;
		free(parameter->values);
		parameter->values = parameter->all;
		parameter->value_count = parameter->all_count;
		parameter->all = NULL;
	}
	for (size_t i = 0; self->of_problems && i < self->problem_count; i++)
		at_spec_free(self->of_problems[i]);
	free(self->of_problems);
	/* the last copy frees what all copies share */
	if (atomic_fetch_sub(&sharing->copies, 1) == 1) {
		for (size_t i = 0; i < sharing->memory_count; i++)
			free(sharing->memory[i]);
		for (size_t i = 0; i < sharing->expression_count; i++)
			at_expression_free(sharing->expressions[i]);
		free(sharing->memory);
		free(sharing->expressions);
		free(sharing);
	}
	free(self->parameters);
	free(self->defaults);
	free(self);
}

void at_spec_copy(const struct at_spec *self, struct at_spec **out)
{
	struct at_spec *copy = at_malloc(sizeof(*copy));
	size_t count = self->parameter_count;

	/* No restriction changes the rest, so the copies share it. */
	*copy = *self;
	copy->parameters = at_calloc(count, sizeof(*copy->parameters));
	copy->defaults = at_calloc(count, sizeof(*copy->defaults));
	for (size_t i = 0; i < count; i++) {
		struct at_parameter *parameter = &copy->parameters[i];
		size_t bytes =
			self->parameters[i].value_count * sizeof(*parameter->values);

		*parameter = self->parameters[i];
		copy->defaults[i] = self->defaults[i];
		/* The values of the file are shared. A restriction's values belong to
		   the restricted spec, so the copy gets its own. */
		if (!parameter->all)
			continue;
		parameter->values = at_malloc(bytes);
		memcpy(parameter->values, self->parameters[i].values, bytes);
	}
	atomic_fetch_add(&copy->sharing->copies, 1);
	if (self->of_problems)
		copy->of_problems =
			at_calloc(self->problem_count, sizeof(*copy->of_problems));
	for (size_t i = 0; self->of_problems && i < self->problem_count; i++)
		at_spec_copy(self->of_problems[i], &copy->of_problems[i]);
	*out = copy;
}

const struct at_spec *at_spec_of(
	const struct at_spec *self, const struct at_problem *problem)
{
	return self->of_problems ? self->of_problems[problem - self->problems] : self;
}

const struct at_call *at_spec_call(const struct at_spec *self, size_t index)
{
	return index < self->call_count ? &self->calls[index] : &self->reference.call;
}

bool at_spec_is_sequence(const struct at_spec *self)
{
	const struct at_call *first = self->calls;

	return self->launch_count > 1 || first->repeat || first->when ||
	       first->rounds || first->swap_count;
}

bool at_call_takes_itself(
	const struct at_spec *spec, const struct at_call *self, size_t argument)
{
	for (size_t i = 0; i < self->argument_count; i++)
		if (self->arguments[i] == argument)
			return true;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *pointer = &spec->arguments[i];

		if (pointer->points_to == argument + 1 &&
			at_call_takes_itself(
				spec, self, pointer->owner ? pointer->owner - 1 : i))
			return true;
	}
	return false;
}

bool at_call_takes(
	const struct at_spec *spec, const struct at_call *self, size_t argument)
{
	for (size_t i = 0; i < self->argument_count; i++)
		if (spec->arguments[self->arguments[i]].of == argument + 1)
			return true;
	return at_call_takes_itself(spec, self, argument);
}

bool at_spec_is_launched_with(const struct at_spec *self, size_t argument)
{
	for (size_t i = 0; i < self->launch_count; i++)
		if (at_call_takes(self, &self->calls[i], argument))
			return true;
	return false;
}

/* Sections that only tuning needs become mandatory here, since `check` counts a space
   without them. */
enum at_status at_spec_require_kernel(const struct at_spec *self, struct at_error *err)
{
	if (!self->kernel)
		return at_fail(err, AT_EINVAL, self->path, 0,
			"has no \"kernel\", so it can be counted but not tuned: add kernel: { name = \"...\"; template = \"....cu\"; reference = \"...\"; };");
	if (!self->calls[0].launch.line)
		return at_fail(err, AT_EINVAL, self->path, self->kernel_line,
			"kernel \"%s\" has no \"launch\", so it can be counted but not tuned: add launch: { block = ( ... ); grid = ( ... ); };",
			self->kernel);
	return AT_OK;
}

/* Problems and slots. */

const struct at_size *at_problem_find_size(
	const struct at_problem *self, const char *name)
{
	for (size_t i = 0; self && i < self->size_count; i++)
		if (!strcmp(self->sizes[i].name, name))
			return &self->sizes[i];
	return NULL;
}

void at_argument_component(
	const struct at_argument *self, size_t lane, char *out, size_t size)
{
	if (self->lanes == 1)
		snprintf(out, size, "%s", self->name);
	else
		snprintf(out, size, "%s.%c", self->name, "xyzw"[lane % 4]);
}

void at_spec_bind(const struct at_spec *self, const struct at_problem *problem,
	const struct at_problem *base, const struct at_properties *properties,
	struct at_value *slots)
{
	struct at_value *out = slots;

	/* The order of slots: parameters, sizes, properties (see the header). */
	for (size_t i = 0; i < self->parameter_count; i++)
		*out++ = (struct at_value){ .type = AT_TYPE_NONE };
	for (size_t i = 0; i < self->size_count; i++) {
		const struct at_size *size =
			at_problem_find_size(problem, self->size_names[i]);

		/* a problem of verify gives only its differences from the tuned
		   problem */
		if (!size)
			size = at_problem_find_size(base, self->size_names[i]);
		*out++ = size ? size->value : (struct at_value){ .type = AT_TYPE_NONE };
	}
	for (size_t i = 0; i < AT_PROPERTY_COUNT; i++) {
		*out = (struct at_value){ .type = AT_TYPE_NONE };
		if (properties && properties->known[i])
			*out = (struct at_value){ .type = AT_TYPE_INTEGER,
				.integer = properties->value[i] };
		out++;
	}
}

void at_spec_bind_configuration(const struct at_spec *self,
	const uint16_t *configuration, struct at_value *slots)
{
	for (size_t i = 0; i < self->parameter_count; i++) {
		assert(configuration[i] < self->parameters[i].value_count);
		slots[i] = self->parameters[i].values[configuration[i]];
	}
}

const char *at_spec_slot_name(const struct at_spec *self, int slot)
{
	static const char *const properties[AT_PROPERTY_COUNT] = {
#define AT_PROPERTY_SLOT(symbol, name) "device." #name,
		AT_PROPERTIES(AT_PROPERTY_SLOT)
#undef AT_PROPERTY_SLOT
	};
	size_t index = (size_t)slot;

	assert(slot >= 0 && index <= self->slot_count);
	if (index == self->slot_count)
		return "step";
	if (index < self->parameter_count)
		return self->parameters[index].name;
	index -= self->parameter_count;
	if (index < self->size_count)
		return self->size_names[index];
	return properties[index - self->size_count];
}

/* Evaluation with the spec's messages. */

static enum at_status evaluate(const struct at_spec *self,
	const struct at_expression *expression, const struct at_value *slots,
	const char *what, int line, struct at_value *out, struct at_error *err)
{
	const char *text = at_expression_text(expression);
	int slot = -1;
	enum at_evaluated evaluation =
		at_expression_evaluate(expression, slots, out, &slot);

	/* The kind of name shows the reader where the value is missing. */
	if (evaluation == AT_EVALUATION_UNBOUND) {
		size_t index = (size_t)slot;
		const char *why = "which this device does not have";

		if (index < self->parameter_count)
			why = "a parameter, which has no value here";
		else if (index < self->parameter_count + self->size_count)
			why = "a size that this problem does not give";
		return at_fail(err, AT_EINVAL, self->path, line,
			"%s: \"%.200s\" uses %s, %s", what, text,
			at_spec_slot_name(self, slot), why);
	}
	if (evaluation)
		return at_fail(err, AT_EINVAL, self->path, line, "%s: \"%.200s\" %s",
			what, text, at_evaluation_text(evaluation));
	if (out->type == AT_TYPE_WORD || out->type == AT_TYPE_NONE)
		return at_fail(err, AT_EINVAL, self->path, line,
			"%s: \"%.200s\": expected a number, found a %s", what, text,
			at_type_name(out->type));
	return AT_OK;
}

enum at_status at_spec_integer(const struct at_spec *self,
	const struct at_expression *expression, const struct at_value *slots,
	const char *what, int line, int64_t minimum, int64_t maximum, int64_t *out,
	struct at_error *err)
{
	const char *text = at_expression_text(expression);
	struct at_value value;
	char number[64];
	enum at_status status =
		evaluate(self, expression, slots, what, line, &value, err);

	if (status)
		return status;
	/* "N > 3" is 1 or 0, which is not a number of threads or elements */
	if (value.type == AT_TYPE_BOOLEAN && minimum >= 1)
		return at_fail(err, AT_EINVAL, self->path, line,
			"%s: \"%.200s\" is %s: expected a number", what, text,
			value.integer ? "true" : "false");
	/* "N / 2.0" may be integral. Rounding it would launch another grid. */
	if (value.type == AT_TYPE_REAL) {
		double real = value.real;

		/* Beyond int64_t every double is integral, but the conversion is
		   undefined. */
		if (real != floor(real) || real < -0x1p63 || real >= 0x1p63) {
			at_text_shortest_real(value.real, number, sizeof(number));
			return at_fail(err, AT_EINVAL, self->path, line,
				"%s: \"%.200s\" is %s: expected a whole number", what,
				text, number);
		}
		value.integer = (int64_t)value.real;
	}
	if (value.integer < minimum || value.integer > maximum)
		return at_fail(err, AT_EINVAL, self->path, line,
			"%s: \"%.200s\" is %lld: expected %lld to %lld", what, text,
			(long long)value.integer, (long long)minimum,
			(long long)maximum);
	*out = value.integer;
	return AT_OK;
}

enum at_status at_spec_test(const struct at_spec *self,
	const struct at_expression *expression, const struct at_value *slots,
	const char *what, int line, bool *out, struct at_error *err)
{
	struct at_value value;
	enum at_status status =
		evaluate(self, expression, slots, what, line, &value, err);

	if (!status)
		*out = value.type == AT_TYPE_REAL ? value.real != 0
						  : value.integer != 0;
	return status;
}

enum at_status at_spec_real(const struct at_spec *self,
	const struct at_expression *expression, const struct at_value *slots,
	const char *what, int line, double *out, struct at_error *err)
{
	struct at_value value;
	enum at_status status =
		evaluate(self, expression, slots, what, line, &value, err);

	if (!status)
		*out = value.type == AT_TYPE_REAL ? value.real : (double)value.integer;
	return status;
}

void at_spec_mark_constraints(const struct at_spec *self, bool *used)
{
	for (size_t i = 0; i < self->constraint_count; i++) {
		size_t count;
		const int *slots =
			at_expression_slots(self->constraints[i].expression, &count);

		for (size_t k = 0; k < count; k++)
			used[slots[k]] = true;
	}
}
