/*
 * Kernels by their C++ names. A name may contain parameters, "scale_${METHOD}", and be
 * an instance of a template whose arguments name parameters: "tools::scale<BLOCK,
 * float>" is another kernel in each configuration.
 */
#include "space/spec_load.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDENTIFIER "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* ---- reading ------------------------------------------------------------------- */

const char *at_kernel_arguments(const char *kernel)
{
	const char *open = strchr(kernel, '<');

	return open ? open + 1 : NULL;
}

const char *at_kernel_bare_name(const char *kernel, size_t *length)
{
	const char *end = kernel + strcspn(kernel, "<"), *start;

	while (end > kernel && !strchr(IDENTIFIER, end[-1]))
		end--;
	start = end;
	while (start > kernel && strchr(IDENTIFIER, start[-1]))
		start--;
	*length = (size_t)(end - start);
	return start;
}

bool at_kernel_next_word(
	const char **at, const char **word, size_t *length, bool *is_member)
{
	const char *text = *at, *start = text;

	while (*text) {
		size_t run = strspn(text, IDENTIFIER);

		if (!run) {
			text++;
			continue;
		}
		*at = text + run;
		/* 4u and 0x10 are numbers, not names. */
		if (isdigit((unsigned char)*text)) {
			text += run;
			continue;
		}
		*word = text;
		*length = run;
		while (text > start && text[-1] == ' ')
			text--;
		/* A single colon belongs to a ?:, not to a scope. */
		*is_member = text > start &&
			     (text[-1] == '.' || (text - start > 1 && text[-1] == ':' &&
							 text[-2] == ':'));
		return true;
	}
	*at = text;
	return false;
}

/* The end of the argument at text: a comma outside of brackets, the bracket that closes
   the list, or the end of the text. NULL: an unclosed bracket. */
static const char *end_of_argument(const char *text)
{
	int angles = 0, others = 0;

	for (; *text; text++) {
		if (*text == '(' || *text == '[')
			others++;
		else if ((*text == ')' || *text == ']') && --others < 0)
			return NULL;
		/* In parentheses < and > compare. */
		else if (others)
			continue;
		else if (*text == ',' && !angles)
			return text;
		else if (*text == '<')
			angles++;
		else if (*text == '>' && --angles < 0)
			return text;
	}
	return angles || others ? NULL : text;
}

bool at_kernel_next_argument(const char **at, const char **argument, size_t *length)
{
	const char *text = *at, *end;

	text += strspn(text, " ");
	end = *text && *text != '>' ? end_of_argument(text) : NULL;
	if (!end)
		return false;
	*argument = text;
	*at = end + (*end == ',');
	while (end > text && end[-1] == ' ')
		end--;
	*length = (size_t)(end - text);
	return true;
}

/* The index of the parameter named by a word, or parameter_count. After "::" only a
   parameter of words matches, as in method::METHOD. */
static size_t find_parameter(
	const struct at_spec *spec, const char *word, size_t length, bool is_member)
{
	size_t i = 0;

	while (i < spec->parameter_count &&
		(strlen(spec->parameters[i].name) != length ||
			memcmp(spec->parameters[i].name, word, length) != 0))
		i++;
	return i < spec->parameter_count && is_member &&
			       spec->parameters[i].type != AT_TYPE_WORD
		       ? spec->parameter_count
		       : i;
}

bool at_kernel_varies(const char *kernel)
{
	return strchr(kernel, '<') || strstr(kernel, "${");
}

bool at_kernel_names(const char *kernel, const char *parameter)
{
	const char *word;
	size_t length;

	while (at_spec_next_reference(&kernel, &word, &length))
		if (word && strlen(parameter) == length &&
			!memcmp(parameter, word, length))
			return true;
	return false;
}

bool at_spec_kernels_read(const struct at_spec *self, size_t parameter)
{
	const char *word;
	size_t length;
	bool is_member;

	for (size_t i = 0; i <= self->call_count; i++) {
		const char *kernel = at_spec_call(self, i)->kernel;

		if (kernel && at_kernel_names(kernel, self->parameters[parameter].name))
			return true;
		for (const char *at = kernel ? at_kernel_arguments(kernel) : NULL;
			at && at_kernel_next_word(&at, &word, &length, &is_member);)
			if (find_parameter(self, word, length, is_member) == parameter)
				return true;
	}
	return false;
}

/* ---- writing ------------------------------------------------------------------- */

static void add_value(struct at_strbuf *out, struct at_value value)
{
	switch (value.type) {
	case AT_TYPE_INTEGER:
		/* INT64_MIN has no literal. */
		if (value.integer == INT64_MIN)
			at_strbuf_add(out, "(-9223372036854775807LL - 1)");
		else if (value.integer < 0)
			at_strbuf_addf(out, "(%" PRId64 ")", value.integer);
		else
			at_strbuf_addf(out, "%" PRId64, value.integer);
		break;
	case AT_TYPE_REAL:
		at_strbuf_add_char(out, '(');
		at_value_format(value, out);
		at_strbuf_add_char(out, ')');
		break;
	case AT_TYPE_NONE:
	case AT_TYPE_BOOLEAN:
	case AT_TYPE_WORD:
		at_value_format(value, out);
		break;
	}
}

void at_spec_write_function(const struct at_spec *self, const char *kernel,
	const uint16_t *configuration, struct at_strbuf *out)
{
	const char *at = kernel, *copied = kernel, *start, *word;
	size_t length;

	while ((start = at_spec_next_reference(&at, &word, &length)) && word) {
		size_t i = find_parameter(self, word, length, false);

		at_strbuf_add_bytes(out, copied, (size_t)(start - copied));
		if (i < self->parameter_count)
			at_value_format(
				self->parameters[i].values[configuration[i]], out);
		copied = at;
	}
	at_strbuf_add(out, copied);
}

void at_spec_write_kernel(const struct at_spec *self, const char *kernel,
	const uint16_t *configuration, struct at_strbuf *out)
{
	struct at_strbuf name = { 0 };
	const char *at, *copied, *word;
	size_t length;
	bool is_member;

	at_spec_write_function(self, kernel, configuration, &name);
	copied = at_strbuf_text(&name);
	at = at_kernel_arguments(copied);
	while (at && at_kernel_next_word(&at, &word, &length, &is_member)) {
		size_t i = find_parameter(self, word, length, is_member);

		if (i == self->parameter_count)
			continue;
		at_strbuf_add_bytes(out, copied, (size_t)(word - copied));
		add_value(out, self->parameters[i].values[configuration[i]]);
		copied = word + length;
	}
	at_strbuf_add(out, copied);
	at_strbuf_release(&name);
}

/* ---- loading ------------------------------------------------------------------- */

/* Whether the text is valid in an argument: no quotes, comments, line ends or ends of
   statements, since it is copied into sources and headers. */
static bool is_plain(const char *text)
{
	return strspn(text, IDENTIFIER " <>,:.()[]+-*/%&|^!~?=") == strlen(text) &&
	       !strstr(text, "//") && !strstr(text, "/*") && !strstr(text, "??");
}

/* The fault of the arguments, as the end of a message; NULL: valid. The text must end
   with the closing ">". */
static const char *find_fault(const char *text)
{
	const char *argument;
	size_t length;

	if (!is_plain(text))
		return "has what no argument of a template is made of";
	text += strspn(text, " ");
	/* scale<> takes the template's default arguments. */
	if (text[0] == '>' && !text[1])
		return NULL;
	do {
		text += strspn(text, " ");
		if (!*text || *text == '>' || *text == ',')
			return "lacks an argument";
		if (!at_kernel_next_argument(&text, &argument, &length))
			return "has a bracket without the other one: comparisons and shifts stand in parentheses";
	} while (text[-1] == ',');
	if (text[0] == '>' && !text[1])
		return NULL;
	return "does not end where the \">\" ends its arguments: comparisons and shifts stand in parentheses";
}

/* Rejects a real as an argument: C++17 takes integers, types and addresses. */
static void check_real(struct at_spec_loader *loader, int line, const char *what,
	const char *kernel, const struct at_parameter *parameter)
{
	const char *at = at_kernel_arguments(kernel), *argument;
	size_t length;

	while (at && at_kernel_next_argument(&at, &argument, &length))
		if (length == strlen(parameter->name) &&
			!memcmp(argument, parameter->name, length))
			at_spec_fail(loader, line,
				"%s \"%.120s\": %.80s is a real number, and C++17 takes none as an argument of a template: read it as a macro, or give the template int(1000 * %.80s)",
				what, kernel, parameter->name, parameter->name);
}

static void check_instance(
	struct at_spec_loader *loader, int line, const char *what, const char *kernel)
{
	const struct at_spec *spec = loader->spec;
	const char *fault = find_fault(at_kernel_arguments(kernel));

	if (fault)
		at_spec_fail(loader, line, "%s: \"%.120s\" %s", what, kernel, fault);
	for (size_t i = 0; i < spec->parameter_count; i++)
		if (spec->parameters[i].type == AT_TYPE_REAL)
			check_real(loader, line, what, kernel, &spec->parameters[i]);
}

/* Checks a name without ${NAME}. */
static void check_name(
	struct at_spec_loader *loader, int line, const char *what, const char *kernel)
{
	const char *arguments = strchr(kernel, '<'), *at = kernel;
	size_t length = arguments ? (size_t)(arguments - kernel) : strlen(kernel);

	while (arguments && length && kernel[length - 1] == ' ')
		length--;
	/* Each part of "tools::scale" must be an identifier. */
	for (;;) {
		size_t left = length - (size_t)(at - kernel);
		const char *colons = at;
		char name[128];

		while (colons + 1 < at + left && strncmp(colons, "::", 2) != 0)
			colons++;
		if (colons + 1 >= at + left)
			colons = at + left;
		snprintf(name, sizeof(name), "%.*s",
			(int)(colons - at < 120 ? colons - at : 120), at);
		at_spec_check_identifier(loader, line, what, name);
		if (colons == at + left)
			break;
		at = colons + 2;
	}
	if (arguments)
		check_instance(loader, line, what, kernel);
}

/* Rejects an invalid ${NAME}. Returns the largest value count of the parameters. */
static size_t check_references(
	struct at_spec_loader *loader, int line, const char *what, const char *kernel)
{
	const struct at_spec *spec = loader->spec;
	const char *at = kernel, *word;
	size_t length, most = 1;

	while (at_spec_next_reference(&at, &word, &length)) {
		const struct at_parameter *parameter;
		size_t i = word ? find_parameter(spec, word, length, false) : 0;

		if (!word)
			at_spec_fail(loader, line,
				"%s: \"%.120s\" has a \"${\" without its \"}\"", what,
				kernel);
		if (i == spec->parameter_count)
			at_spec_fail(loader, line,
				"%s: \"%.120s\" has ${%.*s}, which is no parameter: only parameters choose a kernel",
				what, kernel, length > 80 ? 80 : (int)length, word);
		parameter = &spec->parameters[i];
		if (parameter->type != AT_TYPE_WORD &&
			parameter->type != AT_TYPE_INTEGER)
			at_spec_fail(loader, line,
				"%s: \"%.120s\" has ${%.80s}, whose values are of type %s: expected words or integers",
				what, kernel, parameter->name,
				at_type_name(parameter->type));
		if (parameter->value_count > most)
			most = parameter->value_count;
	}
	return most;
}

void at_spec_check_kernel(
	struct at_spec_loader *loader, int line, const char *what, const char *kernel)
{
	const struct at_spec *spec = loader->spec;
	uint16_t *configuration =
		at_spec_allocate(loader, spec->parameter_count, sizeof(uint16_t));
	size_t most = check_references(loader, line, what, kernel);

	/* checks each value of each parameter once: a name may begin with it */
	for (size_t k = 0; k < most; k++) {
		struct at_strbuf name = { 0 };

		for (size_t i = 0; i < spec->parameter_count; i++) {
			size_t last = spec->parameters[i].value_count - 1;

			configuration[i] = (uint16_t)(k < last ? k : last);
		}
		at_spec_write_function(spec, kernel, configuration, &name);
		check_name(loader, line, what,
			at_spec_own(loader->spec, at_strbuf_detach(&name)));
	}
}
