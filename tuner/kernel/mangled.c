/* Reads mangled names: types of parameters, and the names of variables. */
#include "kernel/mangled.h"

#include <stdio.h>
#include <string.h>

enum {
	SEEN_MAX = 128, /* parts of a name that it may refer back to */
	ARGUMENTS_MAX = 64,
	DEPTH_MAX = 32, /* types within types */
	NAME_MAX_LENGTH = 256,
};

/* What is known of a type; all zero: nothing. */
struct type {
	bool is_integer; /* or bool */
	bool is_const;
	bool is_pointer;
	bool points_to_const;
	/* the number that it is, or points to */
	enum at_element element;
};

static const struct type unknown_type = { .is_pointer = false };

struct reader {
	const char *at;
	bool failed; /* the rest is not understood */
	unsigned depth;
	size_t seen_count;
	struct type seen[SEEN_MAX];
	/* of the function's template */
	size_t argument_count;
	struct type arguments[ARGUMENTS_MAX];
};

/* Fails where the name does not go on with c. */
static void skip(struct reader *self, char c)
{
	if (*self->at == c)
		self->at++;
	else
		self->failed = true;
}

static bool take(struct reader *self, const char *text)
{
	size_t length = strlen(text);

	if (self->failed || strncmp(self->at, text, length) != 0)
		return false;
	self->at += length;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Keeps a part to which the name may refer back. */
static struct type remember(struct reader *self, struct type type)
{
	if (self->seen_count < SEEN_MAX)
		self->seen[self->seen_count++] = type;
	else
		self->failed = true;
	return type;
}

/* ---- names --------------------------------------------------------------------- */

/* Reads "7weights", with an L in front if it is static. */
static bool read_identifier(const char **at, const char **name, size_t *length)
{
	const char *text = *at + (**at == 'L');
	size_t count = 0;

	while (is_digit(*text) && count < NAME_MAX_LENGTH)
		count = 10 * count + (size_t)(*text++ - '0');
	if (!count || strnlen(text, count) < count)
		return false;
	*name = text;
	*length = count;
	*at = text + count;
	return true;
}

/* A class that is a number: NVIDIA's types of 8 and 16 bits begin with "__". */
static struct type class_type(const char *name, size_t length)
{
	struct type type = unknown_type;
	enum at_element element;
	char text[NAME_MAX_LENGTH + 1];
	int lanes;

	snprintf(text, sizeof(text), "%.*s", (int)length, name);
	if (!strncmp(text, "__", 2) && at_element_find(text, &element, &lanes) &&
		lanes == 1)
		type.element = element;
	return type;
}

static struct type read_type(struct reader *self);

/* An integer, or an address: "Li256E". */
static void read_literal(struct reader *self)
{
	if (*self->at == '_' || *self->at == 'Z') {
		self->failed = true;
		return;
	}
	(void)read_type(self);
	while (*self->at && *self->at != 'E' && !self->failed)
		self->at++;
	skip(self, 'E');
}

/* The arguments of a template behind its I, or of a pack behind its J. */
static void read_arguments(struct reader *self, struct type *out, size_t *count)
{
	*count = 0;
	if (++self->depth > DEPTH_MAX)
		self->failed = true;
	while (!self->failed && !take(self, "E")) {
		struct type type = unknown_type;
		size_t ignored;

		if (take(self, "L"))
			read_literal(self);
		else if (take(self, "J"))
			read_arguments(self, NULL, &ignored);
		else
			type = read_type(self);
		if (out && *count < ARGUMENTS_MAX)
			out[*count] = type;
		(*count)++;
	}
	self->depth--;
}

/*
 * Reads "S_", "S0_" and so on, behind the S: a part that was seen before. Those of
 * namespace std have letters of their own.
 */
static struct type read_seen(struct reader *self)
{
	size_t index = 0;

	if (*self->at && strchr("absiod", *self->at)) {
		self->at++;
		return unknown_type;
	}
	if (*self->at != '_') {
		for (; is_digit(*self->at) || (*self->at >= 'A' && *self->at <= 'Z');
			self->at++)
			index = 36 * index + (size_t)(is_digit(*self->at)
							      ? *self->at - '0'
							      : *self->at - 'A' + 10);
		index++;
	}
	skip(self, '_');
	if (index >= self->seen_count || self->failed) {
		self->failed = true;
		return unknown_type;
	}
	return self->seen[index];
}

/* "T_", "T0_" and so on, behind the T: an argument of the function's template. */
static struct type read_argument(struct reader *self)
{
	size_t index = 0;

	while (is_digit(*self->at) && index < ARGUMENTS_MAX)
		index = 10 * index + (size_t)(*self->at++ - '0') + 1;
	skip(self, '_');
	return index < self->argument_count && index < ARGUMENTS_MAX
		       ? self->arguments[index]
		       : unknown_type;
}

/*
 * Reads a name in namespaces or classes, behind its N, and the E behind it. All parts
 * but the last are remembered. out, count: where the last template's arguments go; NULL
 * in a type. *is_instance: the last part has arguments.
 */
static void read_nested(
	struct reader *self, struct type *out, size_t *count, bool *is_instance)
{
	const char *name;
	size_t length, ignored;

	*is_instance = false;
	while (*self->at && strchr("rVK", *self->at))
		self->at++;
	while (!self->failed && *self->at != 'E') {
		bool is_known = false;

		*is_instance = false;
		if (take(self, "St")) {
			is_known = true;
		} else if (take(self, "S")) {
			(void)read_seen(self);
			is_known = true;
		} else if (take(self, "T")) {
			(void)read_argument(self);
		} else if (take(self, "I")) {
			read_arguments(self, out, count ? count : &ignored);
			*is_instance = true;
		} else if (!read_identifier(&self->at, &name, &length)) {
			self->failed = true;
		}
		if (!is_known && *self->at != 'E')
			(void)remember(self, unknown_type);
	}
	skip(self, 'E');
}

/* ---- types --------------------------------------------------------------------- */

/* The types of one letter. char may be bytes of anything, as void is. */
static bool read_builtin(struct reader *self, struct type *out)
{
	static const struct {
		char letter;
		enum at_element element;
	} numbers[] = { { 'b', AT_ELEMENT_U8 }, { 'a', AT_ELEMENT_I8 },
		{ 'h', AT_ELEMENT_U8 }, { 's', AT_ELEMENT_I16 },
		{ 't', AT_ELEMENT_U16 }, { 'i', AT_ELEMENT_I32 },
		{ 'j', AT_ELEMENT_U32 }, { 'l', AT_ELEMENT_I64 },
		{ 'm', AT_ELEMENT_U64 }, { 'x', AT_ELEMENT_I64 },
		{ 'y', AT_ELEMENT_U64 }, { 'f', AT_ELEMENT_F32 },
		{ 'd', AT_ELEMENT_F64 } };

	*out = unknown_type;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].letter == *self->at) {
			self->at++;
			out->element = numbers[i].element;
			out->is_integer =
				at_element_kind(out->element) != AT_ELEMENT_KIND_REAL;
			return true;
		}
	if (!*self->at || !strchr("vwcnoegz", *self->at))
		return false;
	out->is_integer = strchr("wc", *self->at++) != NULL;
	return true;
}

/* A class, or an instance of one; `name` was not read yet. */
static struct type read_class(struct reader *self, bool is_of_std)
{
	const char *name;
	struct type type;
	size_t length, ignored;

	if (!read_identifier(&self->at, &name, &length)) {
		self->failed = true;
		return unknown_type;
	}
	type = remember(self, is_of_std ? unknown_type : class_type(name, length));
	if (!take(self, "I"))
		return type;
	read_arguments(self, NULL, &ignored);
	return remember(self, unknown_type);
}

/* A type that other types are part of. */
static struct type read_compound(struct reader *self)
{
	struct type type, inner;
	bool is_const = false, ignored;
	size_t count;

	if (take(self, "P")) {
		inner = read_type(self);
		type = (struct type){ .is_pointer = true,
			.points_to_const = inner.is_const,
			.element = inner.is_pointer ? AT_ELEMENT_NONE : inner.element };
	} else if (*self->at && strchr("rVK", *self->at)) {
		while (*self->at && strchr("rVK", *self->at))
			is_const |= *self->at++ == 'K';
		type = read_type(self);
		type.is_const |= is_const;
	} else if (take(self, "R") || take(self, "O")) {
		(void)read_type(self);
		type = unknown_type;
	} else if (take(self, "A")) {
		while (is_digit(*self->at))
			self->at++;
		skip(self, '_');
		(void)read_type(self);
		type = unknown_type;
	} else if (take(self, "F")) {
		while (!self->failed && !take(self, "E"))
			(void)read_type(self);
		type = unknown_type;
	} else if (take(self, "T")) {
		type = read_argument(self);
	} else if (take(self, "N")) {
		read_nested(self, NULL, &count, &ignored);
		type = unknown_type;
	} else {
		self->failed = true;
		return unknown_type;
	}
	return remember(self, type);
}

static struct type read_type(struct reader *self)
{
	struct type type = unknown_type;
	size_t ignored;

	if (self->failed || ++self->depth > DEPTH_MAX) {
		self->failed = true;
		return unknown_type;
	}
	if (read_builtin(self, &type)) {
		/* nothing refers back to these */
	} else if (is_digit(*self->at)) {
		type = read_class(self, false);
	} else if (take(self, "St")) {
		type = read_class(self, true);
	} else if (take(self, "S")) {
		type = read_seen(self);
		if (take(self, "I")) {
			read_arguments(self, NULL, &ignored);
			type = remember(self, unknown_type);
		}
	} else {
		type = read_compound(self);
	}
	self->depth--;
	return type;
}

/* ---- kernels ------------------------------------------------------------------- */

/* Reads the function's name, and void if the name says what an instance returns. */
static void read_function(struct reader *self)
{
	const char *name;
	size_t length;
	bool is_instance = false;

	if (!take(self, "_Z")) {
		self->failed = true;
	} else if (take(self, "N")) {
		read_nested(self, self->arguments, &self->argument_count, &is_instance);
	} else if (!read_identifier(&self->at, &name, &length)) {
		self->failed = true;
	} else if (take(self, "I")) {
		(void)remember(self, unknown_type);
		read_arguments(self, self->arguments, &self->argument_count);
		is_instance = true;
	}
	if (is_instance)
		skip(self, 'v');
}

static void complete(struct at_kernel_parameter *parameter, const struct type *type)
{
	if (type->is_pointer) {
		parameter->kind = type->points_to_const ? AT_PARAMETER_CONST_POINTER
							: AT_PARAMETER_POINTER;
		parameter->element = type->element;
	} else if (type->is_integer && parameter->kind == AT_PARAMETER_WORD) {
		parameter->kind = AT_PARAMETER_INTEGER;
	}
}

void at_mangled_read_parameters(struct at_kernel_facts *facts)
{
	struct reader reader = { .at = facts->symbol };
	struct type types[ARGUMENTS_MAX];
	size_t count = 0;

	read_function(&reader);
	if (reader.failed)
		return;
	/* a function without parameters has one of type void */
	if (strcmp(reader.at, "v") != 0)
		while (*reader.at && count < ARGUMENTS_MAX) {
			struct type type = read_type(&reader);

			/* what is ahead of it was understood */
			if (reader.failed)
				break;
			types[count++] = type;
		}
	if (count > facts->parameter_count ||
		(!reader.failed && count < facts->parameter_count &&
			count < ARGUMENTS_MAX))
		return;
	for (size_t i = 0; i < count; i++)
		if (!types[i].is_pointer ||
			facts->parameters[i].bytes == sizeof(void *))
			complete(&facts->parameters[i], &types[i]);
}

/* ---- variables ----------------------------------------------------------------- */

/* Whether compilers have made the name up, for a namespace without one. */
static bool is_nameless(const char *name, size_t length)
{
	static const char *const begins[] = { "_GLOBAL__N_", "_INTERNAL_" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (length >= strlen(begins[i]) &&
			!memcmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Writes "blur::weights" for _ZN4blur7weightsE; false: it is something else. */
static bool write_variable(const char *symbol, char *out, size_t size)
{
	bool is_nested;
	size_t length = 0;

	if (strncmp(symbol, "_Z", 2) != 0)
		return (size_t)snprintf(out, size, "%s", symbol) < size;
	symbol += 2;
	is_nested = *symbol == 'N';
	symbol += is_nested;
	do {
		const char *name;
		size_t name_length;

		if (!read_identifier(&symbol, &name, &name_length))
			return false;
		if (is_nameless(name, name_length))
			continue;
		length += (size_t)snprintf(out + length, size - length, "%s%.*s",
			length ? "::" : "", (int)name_length, name);
		if (length >= size)
			return false;
	} while (is_nested && *symbol != 'E');
	symbol += is_nested;
	return length && !*symbol;
}

enum at_mangled_fit at_mangled_compare(const char *symbol, const char *name)
{
	char whole[2 * NAME_MAX_LENGTH];
	size_t length, inner = strlen(name);

	if (!write_variable(symbol, whole, sizeof(whole)))
		return AT_MANGLED_OTHER;
	length = strlen(whole);
	if (length < inner || strcmp(whole + length - inner, name) != 0)
		return AT_MANGLED_OTHER;
	if (length == inner)
		return AT_MANGLED_WHOLE;
	return length >= inner + 2 && !memcmp(whole + length - inner - 2, "::", 2)
		       ? AT_MANGLED_INNER
		       : AT_MANGLED_OTHER;
}
