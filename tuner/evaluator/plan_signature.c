/* Compares the parameters and variables of a compiled kernel with the space's
   arguments. A launch only copies bytes. With a wrong type, kernel and reference are
   wrong in the same way, so comparing their outputs finds nothing. */
#include "evaluator/plan_internal.h"
#include "base/memory.h"
#include "kernel/variables.h"

#include <stdio.h>

/* One kernel and the space's list of its arguments. */
struct side {
	const struct at_spec *spec;
	const struct at_kernel_facts *facts; /* NULL: the space has no such kernel */
	const char *kernel; /* in messages */
	int line;
	const char *key; /* the key of the space file that lists the arguments */
	bool is_reference;
	bool writes_outputs; /* false: prepare and finish may only read them */
	const size_t *arguments;
	size_t argument_count;
	const struct at_kernel_parameter *parameters;
	size_t parameter_count;
};

static bool is_buffer(const struct at_argument *argument)
{
	return argument->access != AT_ACCESS_NONE;
}

/* Of a vector: all its lanes. */
static size_t bytes_of_element(const struct at_argument *argument)
{
	return at_element_bytes(argument->element) * (size_t)argument->lanes;
}

static size_t bytes_of(const struct at_argument *argument)
{
	return at_argument_is_map(argument) ? AT_TENSOR_MAP_BYTES
	       : is_buffer(argument)        ? sizeof(void *)
					    : bytes_of_element(argument);
}

static bool is_pointer(const struct at_kernel_parameter *parameter)
{
	return parameter->kind == AT_PARAMETER_POINTER ||
	       parameter->kind == AT_PARAMETER_CONST_POINTER;
}

/* The buffer that a kernel sees through the argument: for a pointer its target. */
static const struct at_argument *seen_as(const struct at_spec *spec, size_t index)
{
	const struct at_argument *argument = &spec->arguments[index];

	return argument->points_to && !argument->count
		       ? &spec->arguments[argument->points_to - 1]
		       : argument;
}

static bool is_real(const struct at_argument *argument)
{
	return at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;
}

/*
 * Whether a kernel's parameter can take the argument. Signs are not compared, since C++
 * converts an int to an unsigned, too. A structure of the right size fits anything: it
 * may be a half, or a pointer in a struct.
 */
static bool fits(
	const struct at_argument *argument, const struct at_kernel_parameter *parameter)
{
	if (parameter->bytes != bytes_of(argument))
		return false;
	if (argument->is_pointer)
		return parameter->kind != AT_PARAMETER_INTEGER &&
		       parameter->kind != AT_PARAMETER_REAL;
	if (at_argument_is_map(argument) ||
		(!is_buffer(argument) && argument->lanes > 1))
		return parameter->kind == AT_PARAMETER_OBJECT ||
		       parameter->kind == AT_PARAMETER_NONE;
	switch (parameter->kind) {
	case AT_PARAMETER_NONE:
	case AT_PARAMETER_OBJECT:
	case AT_PARAMETER_KIND_COUNT:
		return true;
	case AT_PARAMETER_POINTER:
	case AT_PARAMETER_CONST_POINTER:
		return is_buffer(argument);
	case AT_PARAMETER_INTEGER:
		return !is_buffer(argument) && !is_real(argument);
	case AT_PARAMETER_REAL:
		return !is_buffer(argument) && is_real(argument);
	case AT_PARAMETER_WORD:
		return is_buffer(argument) || !is_real(argument);
	}
	return true;
}

/*
 * Whether the kernel's element type can read the argument's buffer. A smaller type does
 * not fit: part of the data would be left out. Larger words may hold several numbers of
 * less than four bytes, and unsigned words the bits of any number. A buffer of bytes
 * may hold anything, and scratch holds what the kernel has written.
 */
static bool can_read(
	const struct at_argument *argument, const struct at_kernel_parameter *parameter)
{
	const enum at_element given = argument->element, taken = parameter->element;
	const size_t bytes = at_element_bytes(taken);

	if (!taken || !is_buffer(argument) || argument->has_fields ||
		argument->access == AT_ACCESS_SCRATCH || taken == given)
		return true;
	if (bytes < at_element_bytes(given))
		return false;
	if (at_element_bytes(given) == 1 && !is_real(argument))
		return true;
	switch (at_element_kind(taken)) {
	case AT_ELEMENT_KIND_REAL:
		/* the bits of a half may be given as a short */
		return at_element_is_narrow(taken) && !is_real(argument) &&
		       bytes == at_element_bytes(given);
	case AT_ELEMENT_KIND_UNSIGNED:
		return true;
	case AT_ELEMENT_KIND_INTEGER:
	case AT_ELEMENT_KIND_NONE:
		break;
	}
	return at_element_bytes(given) < 4 ||
	       (!is_real(argument) && bytes <= bytes_of_element(argument));
}

/* The type that the space should give the argument; AT_ELEMENT_NONE: no scalar type
   fits. If only the parameter's size is known, unsigned stays unsigned and real stays
   real. */
static enum at_element suggest(
	const struct at_argument *argument, const struct at_kernel_parameter *parameter)
{
	enum at_element_kind kind = at_element_kind(argument->element);

	if (is_pointer(parameter) || parameter->kind == AT_PARAMETER_OBJECT)
		return AT_ELEMENT_NONE;
	if (parameter->kind == AT_PARAMETER_REAL)
		kind = AT_ELEMENT_KIND_REAL;
	else if (parameter->kind != AT_PARAMETER_NONE && kind == AT_ELEMENT_KIND_REAL)
		kind = AT_ELEMENT_KIND_INTEGER;
	for (int i = AT_ELEMENT_NONE + 1; i < AT_ELEMENT_COUNT; i++)
		if (at_element_kind((enum at_element)i) == kind &&
			at_element_bytes((enum at_element)i) == parameter->bytes)
			return (enum at_element)i;
	return AT_ELEMENT_NONE;
}

/* Describes a parameter: "an integer of 4 bytes". */
static void describe(
	const struct at_kernel_parameter *parameter, char *out, size_t size)
{
	static const char *const texts[AT_PARAMETER_KIND_COUNT] = {
		[AT_PARAMETER_NONE] = "a value",
		[AT_PARAMETER_POINTER] = "a pointer",
		[AT_PARAMETER_INTEGER] = "an integer",
		[AT_PARAMETER_REAL] = "a real number",
		[AT_PARAMETER_WORD] = "a pointer or an integer",
		[AT_PARAMETER_OBJECT] = "a struct",
		[AT_PARAMETER_CONST_POINTER] = "a pointer",
	};

	if (is_pointer(parameter))
		snprintf(out, size, "%s", texts[parameter->kind]);
	else
		snprintf(out, size, "%s of %u byte%s%s", texts[parameter->kind],
			(unsigned)parameter->bytes, parameter->bytes == 1 ? "" : "s",
			parameter->kind == AT_PARAMETER_OBJECT &&
					parameter->bytes == AT_TENSOR_MAP_BYTES
				? " (a tensor map?)"
				: "");
}

static enum at_status fail_argument(
	const struct side *self, size_t index, struct at_error *err)
{
	const struct at_argument *argument =
		&self->spec->arguments[self->arguments[index]];
	const struct at_kernel_parameter *parameter = &self->parameters[index];
	enum at_element better = suggest(argument, parameter);
	size_t bytes = bytes_of(argument);
	char there[64], hint[64] = "", lanes[32] = "";

	describe(parameter, there, sizeof(there));
	if (is_buffer(argument) || argument->is_pointer || argument->of)
		return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
			"argument %zu, \"%s\", is %s here and %s in the kernel \"%s\": are the arguments in the kernel's order?",
			index + 1, argument->name,
			argument->points_to    ? "a pointer"
			: argument->is_pointer ? "a null pointer"
			: argument->of         ? at_argument_described(argument)
					       : "a buffer",
			there, self->kernel);
	if (is_pointer(parameter))
		return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
			"argument %zu, \"%s\", is a scalar here and a pointer in the kernel \"%s\": a buffer has count and access instead of value",
			index + 1, argument->name, self->kernel);
	if (better)
		snprintf(hint, sizeof(hint), ": type \"%s\"%s?",
			at_element_name(better),
			parameter->kind == AT_PARAMETER_WORD ? ", or a buffer" : "");
	if (parameter->bytes != bytes && parameter->kind != AT_PARAMETER_OBJECT &&
		!argument->has_fields)
		return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
			"argument %zu, \"%s\", is %zu byte%s here and %u in the kernel \"%s\"%s",
			index + 1, argument->name, bytes, bytes == 1 ? "" : "s",
			(unsigned)parameter->bytes, self->kernel, hint);
	if (argument->has_fields)
		return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
			"argument %zu, \"%s\", is the structure \"%s\" of %zu bytes here and %s in the kernel \"%s\"",
			index + 1, argument->name, argument->type, bytes, there,
			self->kernel);
	if (argument->lanes > 1)
		snprintf(lanes, sizeof(lanes), "a vector of %d ", argument->lanes);
	return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
		"argument %zu, \"%s\", is %s\"%s\" here and %s in the kernel \"%s\"%s",
		index + 1, argument->name, lanes, at_element_name(argument->element),
		there, self->kernel, hint);
}

static enum at_status fail_count(const struct side *self, struct at_error *err)
{
	struct at_strbuf names = { 0 };
	bool lacks = self->spec->argument_count < self->parameter_count;
	const char *symbol = NULL;
	char says[192];
	enum at_status status;

	for (size_t i = 0; i < self->argument_count; i++) {
		const struct at_argument *argument =
			&self->spec->arguments[self->arguments[i]];

		at_strbuf_addf(&names, "%s%s", i ? ", " : ": ", argument->name);
		if (argument->symbol && !symbol)
			symbol = argument->name;
	}
	/* the contents of a variable are an argument of the space, but seldom of a
	   kernel */
	if (symbol && self->argument_count > self->parameter_count)
		snprintf(says, sizeof(says),
			"%s says which (without \"%.60s\", if that is only a variable)",
			self->key, symbol);
	else
		snprintf(says, sizeof(says), "%s says which", self->key);
	status = at_fail(err, AT_EINVAL, self->spec->path, self->line,
		"the kernel \"%s\" takes %zu parameter%s, the space gives it %zu%s; %s, in the kernel's order",
		self->kernel, self->parameter_count,
		self->parameter_count == 1 ? "" : "s", self->argument_count,
		at_strbuf_text(&names),
		lacks && self->is_reference
			? "add the others to \"arguments\" (if the tuned kernel takes fewer, kernel.arguments and reference.arguments say which)"
		: lacks ? "add the others to \"arguments\""
			: says);
	at_strbuf_release(&names);
	return status;
}

static enum at_status check_side(struct side *self, struct at_error *err)
{
	const struct at_kernel_facts *facts = self->facts;

	if (!facts || !facts->has_parameters)
		return AT_OK;
	self->kernel = facts->name;
	self->parameters = facts->parameters;
	self->parameter_count = facts->parameter_count;
	if (self->parameter_count != self->argument_count)
		return fail_count(self, err);
	for (size_t i = 0; i < self->argument_count; i++)
		if (!fits(&self->spec->arguments[self->arguments[i]],
			    &self->parameters[i]))
			return fail_argument(self, i, err);
	/* An output that the kernel takes as a const pointer is in the wrong place:
	   only const distinguishes buffers. */
	for (size_t i = 0; i < self->argument_count && self->writes_outputs; i++) {
		const struct at_argument *argument =
			&self->spec->arguments[self->arguments[i]];

		if (argument->access == AT_ACCESS_OUT &&
			self->parameters[i].kind == AT_PARAMETER_CONST_POINTER)
			return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
				"argument %zu, \"%s\", is an output here, and the kernel \"%s\" takes it as const: are the arguments in the kernel's order?",
				i + 1, argument->name, self->kernel);
	}
	for (size_t i = 0; i < self->argument_count; i++) {
		const struct at_argument *argument =
			seen_as(self->spec, self->arguments[i]);

		/* a pointer to bytes may lead to anything */
		if ((self->spec->arguments[self->arguments[i]].points_to &&
			    at_element_bytes(argument->element) == 1) ||
			can_read(argument, &self->parameters[i]))
			continue;
		return at_fail(err, AT_EINVAL, self->spec->path, argument->line,
			"argument %zu, \"%s\", is \"%s\" here, and the kernel \"%s\" takes a pointer to \"%s\": give it that type (a kernel that means the bytes as they are takes void * or char *)",
			i + 1, argument->name, at_element_name(argument->element),
			self->kernel, at_element_name(self->parameters[i].element));
	}
	return AT_OK;
}

/* In a sequence any launch may write an output, and the others only read it. */
static enum at_status check_call(const struct at_spec *spec, const struct at_call *call,
	const struct at_compile_result *compiled, struct at_error *err)
{
	const bool is_alone = call == spec->calls && spec->launch_count == 1;
	char key[64];
	struct side side = {
		.spec = spec,
		.facts = at_plan_find_kernel(spec, call, compiled),
		.line = call->line,
		.key = key,
		.writes_outputs = is_alone,
		.arguments = call->arguments,
		.argument_count = call->argument_count,
	};

	snprintf(key, sizeof(key), "%s.arguments", is_alone ? "kernel" : call->name);
	return check_side(&side, err);
}

enum at_status at_plan_check_signatures(const struct at_spec *spec, enum at_unit unit,
	const struct at_compile_result *compiled, struct at_error *err)
{
	const struct at_call *reference = &spec->reference.call;
	struct side asked = {
		.spec = spec,
		.facts = reference->kernel && compiled->kernel_count
				 ? &compiled->kernels[0]
				 : NULL,
		.line = spec->reference.line,
		.key = "reference.arguments",
		.is_reference = true,
		.writes_outputs = true,
		.arguments = reference->arguments,
		.argument_count = reference->argument_count,
	};
	enum at_status status = AT_OK;

	switch (unit) {
	case AT_UNIT_TUNED:
		for (size_t i = 0; i < spec->call_count && !status; i++)
			status = check_call(spec, &spec->calls[i], compiled, err);
		break;
	case AT_UNIT_REFERENCE:
		status = check_side(&asked, err);
		break;
	case AT_UNIT_REFERENCE_FLOAT64:
		/* it has doubles for floats, so sizes differ; the float reference was
		   checked */
		break;
	}
	return status;
}

/* ---- variables ------------------------------------------------------------------ */

void at_plan_find_symbols(const struct at_spec *spec,
	const struct at_compile_result *compiled, bool *found)
{
	for (size_t i = 0; i < spec->argument_count; i++) {
		const char *symbol = spec->arguments[i].symbol;

		if (symbol &&
			at_variable_find(compiled->variables, compiled->variable_count,
				symbol) != AT_NO_VARIABLE)
			found[i] = true;
	}
}

enum at_status at_plan_check_symbols(
	const struct at_spec *spec, const bool *found, struct at_error *err)
{
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		bool is_taken = false;

		for (size_t j = 0; j < spec->call_count; j++)
			is_taken |= at_call_takes(spec, &spec->calls[j], i);
		if (argument->symbol && !found[i] && !is_taken)
			return at_fail(err, AT_EINVAL, spec->path, argument->line,
				"nothing receives the contents of argument \"%s\": the compiled baseline has no variable \"%s\" that a kernel reads, and the reference neither; name a __constant__ or __device__ variable with its namespaces, as in \"blur::weights\" (on host a __constant__ one)",
				argument->name, argument->symbol);
	}
	return AT_OK;
}
