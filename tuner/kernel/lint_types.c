/*
 * Compares the parameters in the template's text with the arguments that the space
 * passes for them: the types of pointers, and the order of names. Compiled, all
 * pointers look alike, and parameters have no names: a kernel that is given doubles
 * reads them as floats, and so does the reference.
 */
#include "kernel/lint_parts.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum {
	PARAMETERS_MAX = 64,
	WORDS_MAX = 8, /* words of a parameter's type, including its name */
};

/*
 * A parameter as it stands in the template. Its type is "unsigned char" for "const
 * unsigned char *__restrict__ x".
 */
struct taken {
	char type[96];
	char name[64]; /* "": it has none, or one that is not plain to see */
	bool is_pointer;
	bool is_const; /* what the pointer is to */
};

/* Reads a parameter from *at up to the comma or ")" behind it. False at the ")". */
static bool read_parameter(const char **at, struct taken *out)
{
	static const char *const passed[] = { "const", "volatile", "__restrict__",
		"__restrict", "restrict", "struct" };
	struct at_lexeme words[WORDS_MAX] = { { "", 0 } }, lexeme;
	size_t count = 0, length = 0;
	bool is_plain = true, more = true;
	int depth = 0;

	memset(out, 0, sizeof(*out));
	while ((more = at_scan(at, &lexeme))) {
		char first = lexeme.text[0];
		bool is_passed = false;

		if (!depth && (first == ',' || first == ')'))
			break;
		depth += first == '(' || first == '<' || first == '[';
		depth -= first == ')' || first == '>' || first == ']';
		for (size_t i = 0; i < AT_COUNT_OF(passed); i++)
			is_passed |= at_lexeme_is(lexeme, passed[i]);
		out->is_const |= !out->is_pointer && at_lexeme_is(lexeme, "const");
		if (first == '*') {
			/* a pointer to a pointer is not compared */
			is_plain &= !out->is_pointer;
			out->is_pointer = true;
		} else if (at_lexeme_is_identifier(lexeme) && count < WORDS_MAX) {
			if (!is_passed)
				words[count++] = lexeme;
		} else {
			is_plain = false;
		}
	}
	/* the last word is the parameter's name */
	for (size_t i = 0; is_plain && i + 1 < count; i++) {
		if (length + words[i].length + 2 > sizeof(out->type)) {
			length = 0;
			break;
		}
		length += (size_t)snprintf(out->type + length,
			sizeof(out->type) - length, "%s%.*s", i ? " " : "",
			(int)words[i].length, words[i].text);
	}
	out->type[length] = '\0';
	if (is_plain && count > 1 && words[count - 1].length < sizeof(out->name))
		snprintf(out->name, sizeof(out->name), "%.*s",
			(int)words[count - 1].length, words[count - 1].text);
	return more && lexeme.text[0] == ',';
}

static bool is_plain_type(struct at_lexeme lexeme)
{
	static const char *const types[] = { "int", "float", "double", "bool", "char",
		"long", "short", "unsigned", "half" };

	for (size_t i = 0; i < AT_COUNT_OF(types); i++)
		if (at_lexeme_is(lexeme, types[i]))
			return true;
	return false;
}

/*
 * Reads the parameters of the __global__ function of that name and returns how many
 * there are; 0 where there is none, or more than one. *returns: the type that it has in
 * place of void, if it is a plain one.
 */
static size_t read_kernel(const char *text, const char *name, struct taken *out,
	struct at_lexeme *returns)
{
	struct at_lexeme lexeme, type = { "", 0 };
	size_t count = 0, found = 0;
	bool is_kernel = false;

	while (at_scan(&text, &lexeme)) {
		char first = lexeme.text[0];

		if (at_lexeme_is(lexeme, "__global__")) {
			is_kernel = true;
			type.length = 0;
		} else if (is_kernel && is_plain_type(lexeme)) {
			type = lexeme;
		} else if (first == ';' || first == '{') {
			is_kernel = false;
		} else if (is_kernel && at_lexeme_is(lexeme, name) &&
			   at_scan(&text, &lexeme) && lexeme.text[0] == '(') {
			is_kernel = false;
			found++;
			*returns = type;
			for (count = 0; count < PARAMETERS_MAX; count++)
				if (!read_parameter(&text, &out[count]))
					break;
			count++;
		}
	}
	return found == 1 && count <= PARAMETERS_MAX ? count : 0;
}

/*
 * Whether the argument's buffer cannot be what the pointer points to. Bytes and
 * unsigned integers may hold the bits of any type, and vectors are often used to copy
 * other data.
 */
static bool is_another(const struct at_argument *argument, const char *type)
{
	enum at_element element;
	enum at_element_kind kind;
	int lanes;

	if (!at_element_find(type, &element, &lanes) || lanes != 1 ||
		at_element_bytes(element) == 1)
		return false;
	kind = at_element_kind(element);
	if (kind == AT_ELEMENT_KIND_REAL)
		return at_element_kind(argument->element) != kind ||
		       at_element_bytes(argument->element) != at_element_bytes(element);
	return kind == AT_ELEMENT_KIND_INTEGER &&
	       at_element_kind(argument->element) != AT_ELEMENT_KIND_REAL &&
	       at_element_bytes(argument->element) > 1 &&
	       at_element_bytes(argument->element) != at_element_bytes(element);
}

static bool takes(const struct at_call *call, size_t argument)
{
	for (size_t i = 0; call->kernel && i < call->argument_count; i++)
		if (call->arguments[i] == argument)
			return true;
	return false;
}

/* Whether the tuned kernel is the only one that could write this scratch: "prepare" may
   fill it, and "finish" use it. */
static bool is_own_scratch(const struct at_spec *spec, const char *kernel,
	const struct at_argument *argument)
{
	size_t index = (size_t)(argument - spec->arguments);

	return argument->access == AT_ACCESS_SCRATCH && !strcmp(kernel, spec->kernel) &&
	       !takes(&spec->prepare, index) && !takes(&spec->finish, index);
}

static void tell_argument(const struct lint *self, const char *kernel, size_t index,
	const struct at_argument *argument, const struct taken *taken)
{
	struct at_error warning = { 0 };

	if (!taken->is_pointer || argument->access == AT_ACCESS_NONE)
		return;
	/* a cubin does not know of const */
	if (argument->access == AT_ACCESS_OUT && taken->is_const)
		at_fail(&warning, AT_EINVAL, self->spec->path, argument->line,
			"argument %zu, \"%.80s\", is an output here, and the kernel \"%.80s\" takes it as const: are the arguments in the kernel's order?",
			index + 1, argument->name, kernel);
	else if (taken->is_const && is_own_scratch(self->spec, kernel, argument))
		at_fail(&warning, AT_EINVAL, self->spec->path, argument->line,
			"argument %zu, \"%.80s\", is scratch here, which holds nothing when a launch begins, and the kernel \"%.80s\" takes it as const, so nothing writes it: make it an input (\"in\"), or its parameter not const",
			index + 1, argument->name, kernel);
	else if (!argument->has_fields && is_another(argument, taken->type))
		at_fail(&warning, AT_EINVAL, self->spec->path, argument->line,
			"argument %zu, \"%.80s\", is \"%s\" here and \"%.80s *\" in the kernel \"%.80s\": give it that type, unless the kernel means it so",
			index + 1, argument->name, at_element_name(argument->element),
			taken->type, kernel);
	else
		return;
	self->listener(self->context, &warning);
}

/*
 * Two arguments that the kernel has by the same names, each in the other's place. A
 * proof does not find that if their types are alike: the reference, which gets the same
 * arguments, computes the same nonsense.
 */
static void tell_order(const struct lint *self, const char *kernel,
	const size_t *arguments, const struct taken *taken, size_t count)
{
	const struct at_argument *all = self->spec->arguments;

	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++) {
			const struct at_argument *one = &all[arguments[i]];
			const struct at_argument *other = &all[arguments[j]];
			struct at_error warning = { 0 };

			if (strcmp(one->name, taken[j].name) != 0 ||
				strcmp(other->name, taken[i].name) != 0 ||
				!strcmp(one->name, other->name))
				continue;
			at_fail(&warning, AT_EINVAL, self->spec->path, one->line,
				"argument %zu is \"%.80s\" here and \"%.80s\" in the kernel \"%.80s\", and argument %zu the other way round: arguments are passed in the order of the list, whatever their names",
				i + 1, one->name, taken[i].name, kernel, j + 1);
			self->listener(self->context, &warning);
		}
}

/*
 * A tuning that begins tells a wrong number of arguments for sure, from the compiled
 * kernel. A check compiles nothing, and would say that all is well. Only where each
 * parameter is plain to see: macros and #if may make more or fewer of them.
 */
static void tell_count(const struct lint *self, const char *kernel,
	const struct taken *taken, size_t taken_count, size_t count)
{
	struct at_error warning = { 0 };

	for (size_t i = 0; i < taken_count; i++)
		if (!*taken[i].name)
			return;
	at_fail(&warning, AT_EINVAL, self->spec->path, self->spec->kernel_line,
		"the kernel \"%.80s\" takes %zu parameters, and the space gives it %zu: \"arguments\" has all of them, in the kernel's order",
		kernel, taken_count, count);
	self->listener(self->context, &warning);
}

/* What compilers and linkers make of it does not name the reason. */
static void tell_returns(
	const struct lint *self, const char *kernel, struct at_lexeme returns)
{
	struct at_error warning = { 0 };

	at_fail(&warning, AT_EINVAL, self->spec->path, self->spec->kernel_line,
		"the kernel \"%.80s\" returns %.*s in the template, and kernels return nothing: write void",
		kernel, (int)returns.length, returns.text);
	self->listener(self->context, &warning);
}

static void tell_kernel(const struct lint *self, const char *text, const char *kernel,
	const size_t *arguments, size_t count)
{
	struct taken taken[PARAMETERS_MAX];

	struct at_lexeme returns = { "", 0 };
	size_t taken_count;

	/* the parameters' types of an instance of a C++ template are not in its name */
	if (!kernel || at_kernel_arguments(kernel))
		return;
	taken_count = read_kernel(text, kernel, taken, &returns);
	if (taken_count && returns.length)
		tell_returns(self, kernel, returns);
	if (taken_count && count && taken_count != count)
		tell_count(self, kernel, taken, taken_count, count);
	if (taken_count != count)
		return;
	for (size_t i = 0; i < count; i++)
		tell_argument(self, kernel, i, &self->spec->arguments[arguments[i]],
			&taken[i]);
	tell_order(self, kernel, arguments, taken, count);
}

void lint_tell_types(const struct lint *self, const char *text)
{
	const struct at_spec *spec = self->spec;
	const struct at_call *reference = &spec->reference.call;

	tell_kernel(self, text, spec->kernel, spec->kernel_arguments,
		spec->kernel_argument_count);
	if (spec->reference.kind == AT_REFERENCE_KERNEL &&
		strcmp(reference->kernel, spec->kernel) != 0)
		tell_kernel(self, text, reference->kernel, reference->arguments,
			reference->argument_count);
}
