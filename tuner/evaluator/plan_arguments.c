/* The arguments of a plan: contents of buffers, values of scalars, and the inputs that
   get other contents in verification cases. */
#include "evaluator/plan_internal.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- other contents -------------------------------------------------------------- */

bool at_plan_is_given_to_both(
	const struct at_spec *spec, const struct at_argument *argument)
{
	const struct at_call *reference = &spec->reference.call;
	size_t index = argument->owner ? argument->owner - 1
				       : (size_t)(argument - spec->arguments);

	return at_spec_is_launched_with(spec, index) &&
	       at_call_takes(spec, reference, index);
}

/* Whether the expression is this constant, without sizes or parameters. */
static bool is_number(const struct at_expression *expression, double expected)
{
	struct at_value value;

	if (!at_expression_is_constant(expression, &value))
		return false;
	return value.type == AT_TYPE_REAL ? value.real == expected
					  : (double)value.integer == expected;
}

static enum at_other_contents contents_of(const struct at_spec *spec,
	const struct at_argument *argument, const struct at_value *slots)
{
	const bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;
	const struct at_fill *fill = &argument->fill;
	double step;

	if (argument->is_fixed || !at_plan_is_given_to_both(spec, argument) ||
		fill->kind == AT_FILL_NONE || argument->domain[0])
		return AT_OTHER_CONTENTS_NONE;
	if (argument->has_default_fill && !argument->has_fields)
		return AT_OTHER_CONTENTS_OF_TYPE;
	if (fill->a && !is_number(fill->a, 0))
		return AT_OTHER_CONTENTS_NONE;
	if (fill->kind == AT_FILL_CONSTANT)
		return AT_OTHER_CONTENTS_TO_ONE;
	/* an integer input that counts up from 0 in steps may hold row offsets */
	return !is_real && argument->access == AT_ACCESS_IN &&
			       fill->kind == AT_FILL_SEQUENCE && argument->lanes == 1 &&
			       fill->b &&
			       !at_spec_real(
				       spec, fill->b, slots, "", 0, &step, NULL) &&
			       step >= 2
		       ? AT_OTHER_CONTENTS_ROWS
		       : AT_OTHER_CONTENTS_NONE;
}

uint64_t at_plan_other_contents(
	const struct at_spec *spec, const struct at_problem *tuned)
{
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));
	uint64_t found = 0;

	at_spec_bind(spec, tuned, NULL, NULL, slots);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	for (size_t i = 0; i < spec->argument_count && i < 64; i++)
		if (contents_of(spec, &spec->arguments[i], slots))
			found |= UINT64_C(1) << i;
	free(slots);
	return found;
}

/* Signed 32- and 64-bit integers are often positions or lengths. A kernel may reach as
   far, or run as long, as they say, so they stay small. */
#define SIGNED_END 32768.0

static void set_range_of_type(struct at_measure_argument *out)
{
	int bits = (int)(8 * at_element_bytes(out->element));
	bool is_signed = at_element_kind(out->element) == AT_ELEMENT_KIND_INTEGER;
	double end = ldexp(1, is_signed ? bits - 1 : bits);

	if (is_signed && end > SIGNED_END)
		end = SIGNED_END;
	out->fill = AT_FILL_UNIFORM;
	out->fill_a = is_signed ? -end : 0;
	/* for types wider than a double's mantissa: the last double below the end */
	out->fill_b = bits < 53 || is_signed ? end - 1 : nextafter(end, 0);
}

/* Sets the fill of an argument that gets other contents; false: it keeps the
   space's. */
static bool set_contents(const struct at_plan *self, const struct at_argument *argument,
	struct at_measure_argument *out)
{
	const size_t index = (size_t)(argument - self->spec->arguments);
	const bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;

	if (index >= 64 || !(self->contents >> index & 1))
		return false;
	switch (contents_of(self->spec, argument, self->slots)) {
	case AT_OTHER_CONTENTS_NONE:
		return false;
	case AT_OTHER_CONTENTS_ROWS:
		out->has_row_offsets = true;
		return false;
	case AT_OTHER_CONTENTS_OF_TYPE:
		if (!is_real) {
			set_range_of_type(out);
			return true;
		}
		out->fill = AT_FILL_NORMAL;
		out->fill_b = 1;
		return true;
	case AT_OTHER_CONTENTS_TO_ONE:
		break;
	}
	/* an accumulator may be a sum of squares whose root the kernel takes */
	out->fill = AT_FILL_UNIFORM;
	out->fill_a = is_real && argument->access == AT_ACCESS_IN ? -1 : 0;
	out->fill_b = 1;
	out->is_fixed = true;
	return true;
}

/* ---- arguments ------------------------------------------------------------------- */

/* More than any device's memory, and far from overflow. */
#define MOST_ELEMENTS (INT64_C(1) << 40)

enum at_status at_plan_integer(const struct at_plan *self,
	const struct at_expression *expression, const char *what, int64_t least,
	int64_t most, int64_t *out, struct at_error *err)
{
	return at_spec_integer(self->spec, expression, self->slots, what,
		at_expression_line(expression), least, most, out, err);
}

static enum at_status evaluate_real(const struct at_plan *self,
	const struct at_expression *expression, const char *what, double *out,
	struct at_error *err)
{
	return at_spec_real(self->spec, expression, self->slots, what,
		at_expression_line(expression), out, err);
}

static void store_scalar(
	enum at_element element, int64_t whole, double real, unsigned char *out)
{
	if (at_element_kind(element) == AT_ELEMENT_KIND_REAL)
		at_element_store(element, real, out);
	else
		/* little-endian: the low bytes come first */
		memcpy(out, &whole, at_element_bytes(element));
}

/* The range of an integer type, as far as int64_t reaches. */
static void integer_range(enum at_element element, int64_t *low, int64_t *high)
{
	size_t bits = 8 * at_element_bytes(element);
	bool is_signed = at_element_kind(element) == AT_ELEMENT_KIND_INTEGER;

	*high = bits == 64
			? INT64_MAX
			: (int64_t)((UINT64_C(1) << (is_signed ? bits - 1 : bits)) - 1);
	*low = is_signed ? -*high - 1 : 0;
}

/* A value this close above the largest float is rounded to it. */
#define ROUNDED (1 + 0x1p-26)

/* Refuses a value beyond the largest of a real type, which would be stored as infinity
   or as the largest value. An infinity itself is allowed, if the type has it. */
static enum at_status check_holds(const struct at_plan *self,
	const struct at_argument *argument, const char *what, double value,
	struct at_error *err)
{
	double largest = at_element_largest(argument->element);
	bool is_narrow = at_element_is_narrow(argument->element);

	if (at_element_kind(argument->element) != AT_ELEMENT_KIND_REAL ||
		!(fabs(value) > largest) || isinf(value) ||
		/* the largest value is often written with fewer digits */
		(!is_narrow && fabs(value) <= ROUNDED * largest))
		return AT_OK;
	return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
		"%s reaches %g: %s holds up to %g", what, value,
		at_element_name(argument->element), largest);
}

/* The value that a case gives a scalar argument instead of the space's, or NULL. */
static const struct at_value *find_given(
	const struct at_plan *self, const struct at_argument *argument, size_t lane)
{
	const struct at_problem *problem = self->problem;
	const struct at_size *given;
	char name[128];

	if (!problem->size_count)
		return NULL;
	if (at_problem_find_size(self->base ? self->base : problem, argument->name))
		return NULL;
	at_argument_component(argument, lane, name, sizeof(name));
	given = at_problem_find_size(problem, name);
	return given ? &given->value : NULL;
}

/* Stores the value from a case; it must fit the argument's type. */
static enum at_status plan_given(const struct at_plan *self,
	const struct at_argument *argument, const char *what, struct at_value value,
	unsigned char *out, struct at_error *err)
{
	const bool is_real = value.type == AT_TYPE_REAL;
	int64_t low, high;

	if (at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL) {
		double real = is_real ? value.real : (double)value.integer;

		store_scalar(argument->element, 0, real, out);
		return check_holds(self, argument, what, real, err);
	}
	integer_range(argument->element, &low, &high);
	if (is_real || value.integer < low || value.integer > high)
		return at_fail(err, AT_EINVAL, self->spec->path, self->problem->line,
			"%s in \"%.80s\" is no value of its type, %s", what,
			self->problem->name, at_element_name(argument->element));
	store_scalar(argument->element, value.integer, 0, out);
	return AT_OK;
}

/* Evaluates a number that an argument has, as "the box of argument "tma_a""; a NULL
   expression leaves *out. The name is composed only for a message, since that takes
   longer. */
static enum at_status evaluate_key(const struct at_plan *self,
	const struct at_argument *argument, const char *key,
	const struct at_expression *expression, int64_t least, int64_t most,
	int64_t *out, struct at_error *err)
{
	char what[128];

	if (!expression ||
		!at_plan_integer(self, expression, "", least, most, out, NULL))
		return AT_OK;
	snprintf(what, sizeof(what), "the %s of argument \"%.80s\"", key,
		argument->name);
	return at_plan_integer(self, expression, what, least, most, out, err);
}

/* A number of a tensor map or texture. */
struct number {
	const char *key;
	const struct at_expression *expression;
	int64_t *value;
};

static enum at_status evaluate_numbers(const struct at_plan *self,
	const struct at_argument *argument, const struct number *numbers, size_t count,
	struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < count && !status; i++)
		status = evaluate_key(self, argument, numbers[i].key,
			numbers[i].expression, 0, INT64_MAX, numbers[i].value, err);
	return status;
}

/* Sets width and pitch of padded rows; leaves them otherwise. */
static enum at_status plan_rows(const struct at_plan *self,
	const struct at_argument *argument, struct at_measure_argument *out,
	struct at_error *err)
{
	const int64_t bytes = (int64_t)at_element_bytes(argument->element);
	int64_t width = 0, pitch = 0;
	const struct number numbers[] = {
		{ "width", argument->texture.width, &width },
		{ "pitch", argument->texture.pitch, &pitch },
	};
	enum at_status status;

	if (!at_argument_is_pitched(argument))
		return AT_OK;
	status = evaluate_numbers(self, argument, numbers, AT_COUNT_OF(numbers), err);
	if (status)
		return status;
	if (width < 1 || pitch > AT_ROW_BYTES_MAX || pitch % bytes ||
		pitch / (bytes * argument->lanes) < width)
		return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
			"the pitch of argument \"%.80s\" is %" PRId64
			": expected at least the %" PRId64
			" elements of a row, in whole multiples of %" PRId64
			" bytes, below 2^24",
			argument->name, pitch, width, bytes);
	out->width = (uint32_t)width;
	out->pitch_bytes = (uint32_t)pitch;
	return AT_OK;
}

/* The memory of `count` elements of a buffer. */
static enum at_status plan_bytes(const struct at_plan *self,
	const struct at_argument *buffer, uint64_t count, uint64_t *out,
	struct at_error *err)
{
	struct at_measure_argument facts = { .element = buffer->element,
		.lanes = (uint32_t)buffer->lanes };
	enum at_status status = plan_rows(self, buffer, &facts, err);

	*out = at_measure_bytes(&facts, count);
	return status;
}

/* The value of a scalar, which may have several components (lanes). */
static enum at_status plan_value(const struct at_plan *self,
	const struct at_argument *argument, const char *what,
	struct at_measure_binding *out, struct at_error *err)
{
	size_t bytes = at_element_bytes(argument->element);
	enum at_status status = AT_OK;

	for (int i = 0; i < argument->lanes && !status; i++) {
		const struct at_expression *value =
			i ? argument->more_values[i - 1] : argument->value;
		const struct at_value *given = find_given(self, argument, (size_t)i);
		unsigned char *place = out->value + (size_t)i * bytes;
		int64_t whole = 0, low, high;
		double real = 0;

		if (given) {
			status = plan_given(self, argument, what, *given, place, err);
			continue;
		}
		if (at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL) {
			status = evaluate_real(self, value, what, &real, err);
			if (!status)
				status = check_holds(self, argument, what, real, err);
		} else {
			integer_range(argument->element, &low, &high);
			status = at_plan_integer(
				self, value, what, low, high, &whole, err);
		}
		if (!status)
			store_scalar(argument->element, whole, real, place);
	}
	return status;
}

/* A pointer or an array of pointers, as byte offsets: struct at_measure_binding. */
static enum at_status plan_pointer(const struct at_plan *self,
	const struct at_argument *argument, struct at_measure_binding *out,
	struct at_error *err)
{
	const struct at_argument *buffer =
		&self->spec->arguments[argument->points_to - 1];
	const int64_t bytes =
		(int64_t)at_element_bytes(buffer->element) * buffer->lanes;
	int64_t offset = 0, stride = 0, count = 1, held = 0;
	enum at_status status;
	uint64_t memory = 0;

	status = evaluate_key(
		self, buffer, "count", buffer->count, 1, MOST_ELEMENTS, &held, err);
	if (!status)
		status = plan_bytes(self, buffer, (uint64_t)held, &memory, err);
	held = (int64_t)memory / bytes;
	if (!status)
		status = evaluate_key(self, argument, "count", argument->count, 1,
			AT_POINTERS_MAX, &count, err);
	if (!status)
		status = evaluate_key(self, argument, "offset", argument->value, 0,
			held - 1, &offset, err);
	if (!status)
		status = evaluate_key(self, argument, "stride", argument->stride, 0,
			count > 1 ? (held - 1 - offset) / (count - 1) : held, &stride,
			err);
	out->count = argument->count ? (uint64_t)count : 0;
	offset *= bytes;
	stride *= bytes;
	memcpy(out->value, &offset, sizeof(offset));
	memcpy(out->value + sizeof(offset), &stride, sizeof(stride));
	return status;
}

static enum at_status plan_binding(const struct at_plan *self,
	const struct at_argument *argument, struct at_measure_binding *out,
	struct at_error *err)
{
	enum at_status status;
	int64_t count = 0;
	char what[128];

	memset(out, 0, sizeof(*out));
	/* A field of a buffer of structures has the buffer's count. A scalar structure
	   has no value of its own: its fields have values. */
	if (argument->owner &&
		self->spec->arguments[argument->owner - 1].access != AT_ACCESS_NONE)
		argument = &self->spec->arguments[argument->owner - 1];
	if (argument->access == AT_ACCESS_NONE &&
		(argument->has_fields || argument->of))
		return AT_OK;
	if (argument->points_to)
		return plan_pointer(self, argument, out, err);
	if (argument->access != AT_ACCESS_NONE) {
		status = evaluate_key(self, argument, "count", argument->count, 1,
			MOST_ELEMENTS, &count, err);
		out->count = (uint64_t)count;
		return status;
	}
	/* as in evaluate_key() */
	if (!plan_value(self, argument, "", out, NULL))
		return AT_OK;
	snprintf(what, sizeof(what), "the value of argument \"%.80s\"", argument->name);
	memset(out, 0, sizeof(*out));
	return plan_value(self, argument, what, out, err);
}

void at_plan_set_step(const struct at_plan *self, int64_t step)
{
	self->slots[self->spec->slot_count] =
		(struct at_value){ step < 0 ? AT_TYPE_NONE : AT_TYPE_INTEGER,
			{ .integer = step } };
}

enum at_status at_plan_step(const struct at_plan *self, size_t argument, int64_t step,
	struct at_measure_binding *out, struct at_error *err)
{
	enum at_status status;

	at_plan_set_step(self, step);
	status = plan_binding(self, &self->spec->arguments[argument], out, err);
	at_plan_set_step(self, -1);
	return status;
}

static enum at_status plan_map(const struct at_plan *self,
	const struct at_argument *argument, uint64_t buffer_bytes,
	struct at_tensor_map *out, struct at_error *err)
{
	const struct at_tensor_map_spec *map = &argument->map;
	const struct at_argument *buffer = &self->spec->arguments[argument->of - 1];
	const uint64_t element_bytes = at_element_bytes(buffer->element);
	const struct number modes[] = {
		{ "swizzle", map->swizzle, &out->swizzle_bytes },
		{ "interleave", map->interleave, &out->interleave_bytes },
		{ "promotion", map->promotion, &out->promotion_bytes },
	};
	enum at_status status = AT_OK;
	char reason[256];

	out->of = (uint32_t)argument->of;
	out->rank = (uint32_t)map->dims.count;
	out->element = buffer->element;
	out->fills_nan = map->fills_nan;
	for (size_t i = 0; i < map->dims.count && !status; i++) {
		const struct number numbers[] = {
			{ "dims", map->dims.items[i], &out->dims[i] },
			{ "box", map->box.items[i], &out->box[i] },
			{ "element_strides", map->steps.items[i], &out->steps[i] },
		};

		out->steps[i] = 1;
		status = evaluate_numbers(
			self, argument, numbers, AT_COUNT_OF(numbers), err);
		if (status || !i)
			continue;
		/* a stride that would overflow is also beyond the end of the buffer */
		out->strides[i] = i > 1 ? out->strides[i - 1] : (int64_t)element_bytes;
		out->strides[i] = out->dims[i - 1] > INT64_MAX / (out->strides[i] + 1)
					  ? INT64_MAX
					  : out->strides[i] * out->dims[i - 1];
		status = evaluate_key(self, argument, "strides",
			map->strides.items[i - 1], 0, INT64_MAX, &out->strides[i], err);
	}
	if (!status)
		status = evaluate_numbers(
			self, argument, modes, AT_COUNT_OF(modes), err);
	if (status)
		return status;
	if (!at_tensor_map_check(out, buffer_bytes, reason, sizeof(reason)))
		return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
			"the tensor map \"%.80s\" of \"%.80s\": %s", argument->name,
			buffer->name, reason);
	return AT_OK;
}

/* The index in `words` of the configuration's choice. */
static size_t choose(const struct at_plan *self, const struct at_texture_choice *choice,
	const char *const *words)
{
	size_t i = 0;

	if (!choice->parameter)
		return choice->value;
	/* the loader has validated all values of the parameter */
	while (strcmp(self->slots[choice->parameter - 1].word, words[i]) != 0)
		i++;
	return i;
}

static bool chooses_linear(
	const struct at_plan *self, const struct at_argument *texture)
{
	return choose(self, &texture->texture.layout, at_texture_layouts) != 0;
}

/* An array is copied from its buffer before the launches, so neither would show what a
   launch writes to the other. */
static bool buffer_is_also_passed(
	const struct at_plan *self, const struct at_argument *texture)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->launch_count; i++) {
		const struct at_call *call = &spec->calls[i];

		if (at_call_takes_itself(spec, call, texture->of - 1))
			return true;
		for (size_t k = 0; k < call->argument_count; k++) {
			const struct at_argument *other =
				&spec->arguments[call->arguments[k]];

			if (other->of == texture->of &&
				(!other->texture.kind || chooses_linear(self, other)))
				return true;
		}
	}
	return false;
}

static enum at_status plan_texture(const struct at_plan *self,
	const struct at_argument *argument, uint64_t buffer_bytes,
	struct at_texture *out, struct at_error *err)
{
	const struct at_texture_spec *texture = &argument->texture;
	const struct at_argument *buffer = &self->spec->arguments[argument->of - 1];
	const uint64_t element_bytes = at_element_bytes(buffer->element);
	const struct number numbers[] = {
		{ "width", texture->width, &out->width },
		{ "height", texture->height, &out->height },
		{ "depth", texture->depth, &out->depth },
		{ "channels", texture->channels, &out->channels },
	};
	enum at_status status;
	char reason[256] = "";

	out->of = (uint32_t)argument->of;
	out->is_surface = texture->kind == AT_TEXTURE_SURFACE;
	out->is_written = buffer->access != AT_ACCESS_IN;
	out->element = buffer->element;
	out->channels = buffer->lanes;
	out->address = (enum at_texture_address)choose(
		self, &texture->address, at_texture_addresses);
	out->filters = choose(self, &texture->filter, at_texture_filters);
	out->is_normalized = choose(self, &texture->read, at_texture_reads);
	out->has_normalized_coordinates =
		choose(self, &texture->coordinates, at_texture_coordinates);
	out->is_linear = chooses_linear(self, argument);
	status = evaluate_numbers(self, argument, numbers, AT_COUNT_OF(numbers), err);
	if (out->width < 1 << 28 && out->channels <= 4)
		out->pitch_bytes = out->width * out->channels * (int64_t)element_bytes;
	if (!status)
		status = evaluate_key(self, argument, "pitch", texture->pitch, 0,
			INT64_MAX, &out->pitch_bytes, err);
	if (status)
		return status;
	if (!out->is_linear && out->is_written && buffer_is_also_passed(self, argument))
		snprintf(reason, sizeof(reason),
			"an array has a copy, and launches take \"%.80s\" in another way: give all of them arrays",
			buffer->name);
	else if (at_texture_check(out, buffer_bytes, reason, sizeof(reason)))
		return AT_OK;
	return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
		"%s \"%.80s\" of \"%.80s\": %s", at_argument_described(argument) + 2,
		argument->name, buffer->name, reason);
}

enum at_status at_plan_bindings(const struct at_plan *self,
	const struct at_call *reference, struct at_measure_binding **out,
	struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;
	uint64_t memory;

	*out = at_calloc(spec->argument_count + 1, sizeof(**out));
	/* values that differ between steps are those of the first step */
	for (size_t i = 0; i < spec->argument_count && !status; i++)
		status = at_plan_step(self, i, 0, &(*out)[i], err);
	for (size_t i = 0; i < spec->given_count && !status; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		if (!argument->of ||
			(reference && !at_call_takes_itself(spec, reference, i)))
			continue;
		status = plan_bytes(self, &spec->arguments[argument->of - 1],
			(*out)[argument->of - 1].count, &memory, err);
		if (status)
			break;
		status = argument->texture.kind ? plan_texture(self, argument, memory,
							  &(*out)[i].texture, err)
						: plan_map(self, argument, memory,
							  &(*out)[i].map, err);
	}
	return status;
}

/* The end or bound of a fill. A space without a domain may write a size as a plain
   number. If a case makes this size smaller, the end follows it: otherwise indices
   would reach past the end of a buffer, and the baseline would fail. */
static enum at_status evaluate_end(const struct at_plan *self,
	const struct at_expression *expression, const char *what, double *out,
	struct at_error *err)
{
	const struct at_problem *base = self->base;
	enum at_status status = evaluate_real(self, expression, what, out, err);
	const double end = *out;

	if (status || self->spec->domain.line || end < 2 || !is_number(expression, end))
		return status;
	for (size_t i = 0; base && i < base->size_count; i++) {
		const struct at_value *tuned = &base->sizes[i].value;
		const struct at_size *own =
			at_problem_find_size(self->problem, base->sizes[i].name);

		if (own && tuned->type == AT_TYPE_INTEGER &&
			(double)tuned->integer == end &&
			(double)own->value.integer < *out)
			*out = (double)own->value.integer;
	}
	return AT_OK;
}

/* The path of a fill's file on this problem, or "". Heap. */
static enum at_status plan_file(const struct at_plan *self, const struct at_fill *fill,
	int line, char **out, struct at_error *err)
{
	if (fill->file)
		return at_spec_file(
			self->spec, fill->file, line, self->slots, out, err);
	*out = at_strdup("");
	return AT_OK;
}

static enum at_status plan_argument(const struct at_plan *self,
	const struct at_argument *argument, struct at_measure_argument *out,
	struct at_error *err)
{
	bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;
	const struct at_fill *fill = &argument->fill;
	enum at_status status = AT_OK;
	char what[128];

	out->name = at_strdup(argument->name);
	out->symbol = at_strdup(argument->symbol ? argument->symbol : "");
	out->element = argument->element;
	out->lanes = (uint32_t)argument->lanes;
	out->access = argument->access;
	out->has_fields = argument->has_fields;
	out->owner = (uint32_t)argument->owner;
	out->offset_bytes = (uint32_t)argument->offset_bytes;
	out->points_to = (uint32_t)argument->points_to;
	for (size_t i = 0; i < self->spec->given_count; i++) {
		const struct at_argument *other = &self->spec->arguments[i];

		out->has_map |=
			!other->texture.kind &&
			other->of == 1 + (size_t)(argument - self->spec->arguments);
		/* of any buffer, since buffers may be swapped */
		out->has_texels |=
			other->texture.kind && (other->texture.layout.parameter ||
						       other->texture.layout.value);
	}
	/* Integers are exact unless the argument itself has a tolerance: off by one is
	   wrong for any size of integer. A missing tolerance of reals stays NAN. */
	out->rtol = is_real ? self->spec->verify.rtol : 0;
	out->atol = is_real ? self->spec->verify.atol : 0;
	if (!isnan(argument->rtol))
		out->rtol = argument->rtol;
	else if (argument->type_parameter && isnan(out->rtol))
		out->rtol = at_measure_rtol_least(argument->narrowest);
	if (!isnan(argument->atol))
		out->atol = argument->atol;
	out->outliers = argument->outliers;
	out->fill = fill->kind;
	status = plan_rows(self, argument, out, err);
	if (status)
		return status;
	status = plan_file(self, fill, argument->line, &out->file, err);
	if (status || set_contents(self, argument, out))
		return status;
	snprintf(what, sizeof(what), "the fill of argument \"%.80s\"", argument->name);
	if (fill->a)
		status = (fill->kind == AT_FILL_INDEX ? evaluate_end : evaluate_real)(
			self, fill->a, what, &out->fill_a, err);
	if (!status && fill->b)
		status = (fill->kind == AT_FILL_UNIFORM ? evaluate_end : evaluate_real)(
			self, fill->b, what, &out->fill_b, err);
	out->is_fixed = argument->is_fixed;
	out->has_domain = argument->domain[0] != NULL;
	if (status || !out->has_domain)
		return status;
	snprintf(
		what, sizeof(what), "the domain of argument \"%.80s\"", argument->name);
	status = evaluate_real(self, argument->domain[0], what, &out->domain_low, err);
	if (!status)
		status = evaluate_real(
			self, argument->domain[1], what, &out->domain_high, err);
	/* the ends may be equal: a small problem may shrink a domain to one value */
	if (!status && !(out->domain_low <= out->domain_high))
		status = at_fail(err, AT_EINVAL, self->spec->path, argument->line,
			"%s is %g to %g: expected the lower end first", what,
			out->domain_low, out->domain_high);
	return status;
}

/* Refuses a fill whose largest value the type cannot hold. */
static enum at_status check_fill(const struct at_plan *self,
	const struct at_argument *argument, enum at_fill_kind kind, double a, double b,
	uint64_t count, const char *what, struct at_error *err)
{
	double end = b;

	switch (kind) {
	case AT_FILL_NONE:
	case AT_FILL_FILE:
	case AT_FILL_INDEX:
		return AT_OK;
	case AT_FILL_CONSTANT:
		end = a;
		break;
	case AT_FILL_UNIFORM:
		break;
	case AT_FILL_NORMAL:
		end = a + copysign(fabs(b), a);
		break;
	case AT_FILL_SEQUENCE:
		end = a + b * ((double)count * argument->lanes - 1);
		break;
	}
	return check_holds(self, argument, what, fabs(a) > fabs(end) ? a : end, err);
}

static enum at_status check_buffers(const struct at_plan *self,
	const struct at_measure_setup *setup, struct at_error *err)
{
	enum at_status status = AT_OK;
	char what[128];

	for (uint32_t i = 0; i < setup->argument_count && !status; i++) {
		const struct at_measure_argument *facts = &setup->arguments[i];

		if (facts->width && setup->bindings[i].count % facts->width)
			return at_fail(err, AT_EINVAL, self->spec->path,
				self->spec->arguments[i].line,
				"the count of argument \"%.80s\" is %" PRIu64
				": expected whole rows of %" PRIu32
				" elements; it leaves the padding out",
				facts->name, setup->bindings[i].count, facts->width);
		snprintf(what, sizeof(what), "the fill of argument \"%.80s\"",
			facts->name);
		status = check_fill(self, &self->spec->arguments[i], facts->fill,
			facts->fill_a, facts->fill_b, setup->bindings[i].count, what,
			err);
	}
	return status;
}

static enum at_status plan_set(const struct at_plan *self,
	const struct at_data_set *set, const struct at_measure_binding *bindings,
	struct at_measure_set *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;
	char what[256];

	out->name = at_strdup(set->name);
	out->fills = at_calloc(spec->argument_count + 1, sizeof(*out->fills));
	for (size_t i = 0; i < spec->argument_count && !status; i++) {
		const struct at_fill *fill = &set->fills[i];

		out->fill_count = (uint32_t)i + 1;
		out->fills[i].kind = fill->kind;
		status = plan_file(self, fill, set->line, &out->fills[i].file, err);
		snprintf(what, sizeof(what),
			"the fill of \"%.80s\" in the data \"%.80s\"",
			spec->arguments[i].name, set->name);
		if (!status && fill->a)
			status = evaluate_real(
				self, fill->a, what, &out->fills[i].a, err);
		if (!status && fill->b)
			status = evaluate_real(
				self, fill->b, what, &out->fills[i].b, err);
		if (!status)
			status = check_fill(self, &spec->arguments[i], fill->kind,
				out->fills[i].a, out->fills[i].b, bindings[i].count,
				what, err);
	}
	return status;
}

/* A file is made for the tuned problem: its data set is omitted on other problems. */
static enum at_status plan_sets(
	const struct at_plan *self, struct at_measure_setup *out, struct at_error *err)
{
	const struct at_verify *verify = &self->spec->verify;
	bool is_tuned = !self->base || self->base == self->problem;
	enum at_status status = AT_OK;

	out->sets = at_calloc(verify->data_set_count + 1, sizeof(*out->sets));
	for (size_t i = 0; i < verify->data_set_count && !status; i++) {
		const struct at_data_set *set = &verify->data_sets[i];
		bool has_file = false;

		for (size_t k = 0; k < self->spec->argument_count; k++)
			has_file |= set->fills[k].kind == AT_FILL_FILE;
		if (is_tuned || !has_file)
			status = plan_set(self, set, out->bindings,
				&out->sets[out->set_count++], err);
	}
	return status;
}

enum at_status at_plan_arguments(
	const struct at_plan *self, struct at_measure_setup *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;

	out->arguments = at_calloc(spec->argument_count + 1, sizeof(*out->arguments));
	for (size_t i = 0; i < spec->argument_count && !status; i++) {
		out->argument_count = (uint32_t)i + 1;
		status = plan_argument(
			self, &spec->arguments[i], &out->arguments[i], err);
	}
	if (!status)
		status = at_plan_bindings(
			self, &spec->reference.call, &out->bindings, err);
	if (!status)
		status = check_buffers(self, out, err);
	return status ? status : plan_sets(self, out, err);
}
