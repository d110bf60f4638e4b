/* Reads the settings of a group by key and checks their types; makes texts for
   messages. */
#include "space/spec_load.h"

#include "base/file.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void at_spec_give_up(struct at_spec_loader *loader)
{
	longjmp(loader->failed, 1);
}

void at_spec_fail(struct at_spec_loader *loader, int line, const char *format, ...)
{
	char text[sizeof(loader->err->text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	at_fail(loader->err, AT_EINVAL, loader->file, line, "%s", text);
	at_spec_give_up(loader);
}

void at_spec_fail_type(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, const char *expected)
{
	at_spec_fail(loader, node->line, "%s: expected %s, found %s", what, expected,
		at_config_kind_text(node->kind));
}

/* Accepts lists and arrays, since the kind of bracket does not matter here. */
void at_spec_check_list(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected)
{
	if (node->kind != AT_CONFIG_LIST && node->kind != AT_CONFIG_ARRAY)
		at_spec_fail_type(loader, node, what, expected);
}

void at_spec_check_list_of_strings(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected)
{
	if (node->kind == AT_CONFIG_STRING)
		at_spec_fail(loader, node->line,
			"%s: expected %s, found a string: write ( \"%.100s\" )", what,
			expected, node->text);
	at_spec_check_list(loader, node, what, expected);
}

void at_spec_check_strings(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what)
{
	at_spec_check_list_of_strings(loader, node, what, "a list of strings");
	for (size_t i = 0; i < node->count; i++) {
		const struct at_config_node *item = &node->children[i];

		if (item->kind != AT_CONFIG_STRING)
			at_spec_fail_type(loader, item, what, "a list of strings");
		else if (!item->text[0])
			at_spec_fail(loader, item->line,
				"%s: a string in the list is empty", what);
	}
}

/* A number is compiled from its text, so that there is one code path and messages can
   quote the text. */
void at_spec_compile_node(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, struct at_expression **out)
{
	const char *source = node->text;
	char text[64];

	switch (node->kind) {
	case AT_CONFIG_STRING:
		if (!node->text[0])
			at_spec_fail(loader, node->line,
				"%s is empty: expected an expression", what);
		break;
	case AT_CONFIG_INTEGER:
		snprintf(text, sizeof(text), "%lld", (long long)node->integer);
		source = text;
		break;
	case AT_CONFIG_BOOLEAN:
		source = node->integer ? "true" : "false";
		break;
	case AT_CONFIG_REAL:
		at_text_shortest_real(node->real, text, sizeof(text));
		/* without a point it would become an integer */
		if (!strpbrk(text, ".e"))
			strcat(text, ".0");
		source = text;
		break;
	case AT_CONFIG_NONE:
	case AT_CONFIG_GROUP:
	case AT_CONFIG_LIST:
	case AT_CONFIG_ARRAY:
		at_spec_fail_type(loader, node, what, "an expression or a number");
	}
	at_spec_compile(loader, source, node->line, out);
}

/* The largest scalar, in bytes: limited by struct at_measure_binding. */
#define VALUE_BYTES_MAX 16

void at_spec_load_values(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	struct at_argument *argument)
{
	bool is_list = node->kind == AT_CONFIG_LIST || node->kind == AT_CONFIG_ARRAY;
	size_t bytes = at_element_bytes(argument->element) * (size_t)argument->lanes;
	char where[160];

	if (bytes > VALUE_BYTES_MAX || argument->lanes > 4)
		at_spec_fail(loader, argument->line,
			"%s has a \"value\" of %zu bytes: expected at most %d, and 4 components; larger ones are buffers",
			what, bytes, VALUE_BYTES_MAX);
	if ((is_list ? node->count : 1) != (size_t)argument->lanes)
		at_spec_fail(loader, node->line,
			argument->lanes == 1
				? "\"value\" of %s: expected one number or expression"
				: "\"value\" of %s: expected a list of %d, one a component",
			what, argument->lanes);
	snprintf(where, sizeof(where), "\"value\" of %s", what);
	loader->names.has_step = at_config_find(loader->root, "launches") != NULL;
	if (!is_list)
		at_spec_compile_node(loader, node, where, &argument->value);
	for (size_t i = 0; is_list && i < node->count; i++)
		at_spec_compile_node(loader, &node->children[i], where,
			i ? &argument->more_values[i - 1] : &argument->value);
	loader->names.has_step = false;
	at_spec_note_step(loader, argument);
}

bool at_spec_counts_steps(
	const struct at_spec *spec, const struct at_expression *expression)
{
	size_t count = 0;
	const int *slots = expression ? at_expression_slots(expression, &count) : NULL;

	/* it is the last slot, and they ascend */
	return count && (size_t)slots[count - 1] == spec->slot_count;
}

void at_spec_note_step(struct at_spec_loader *loader, struct at_argument *argument)
{
	for (size_t i = 0; i <= AT_COUNT_OF(argument->more_values); i++)
		if (at_spec_counts_steps(loader->spec,
			    i ? argument->more_values[i - 1] : argument->value))
			argument->has_step = argument->is_fixed = true;
}

struct at_value at_spec_scalar(const struct at_config_node *node)
{
	switch (node->kind) {
	case AT_CONFIG_INTEGER:
		return (struct at_value){ .type = AT_TYPE_INTEGER,
			.integer = node->integer };
	case AT_CONFIG_BOOLEAN:
		return (struct at_value){ .type = AT_TYPE_BOOLEAN,
			.integer = node->integer };
	case AT_CONFIG_REAL:
		return (struct at_value){ .type = AT_TYPE_REAL, .real = node->real };
	case AT_CONFIG_STRING:
		return (struct at_value){ .type = AT_TYPE_WORD, .word = node->text };
	case AT_CONFIG_NONE:
	case AT_CONFIG_GROUP:
	case AT_CONFIG_LIST:
	case AT_CONFIG_ARRAY:
		break;
	}
	return (struct at_value){ .type = AT_TYPE_NONE };
}

const char *at_spec_value_text(struct at_value value, char *buffer, size_t size)
{
	struct at_strbuf text = { 0 };

	at_value_format(value, &text);
	/* A truncated value leaves the message correct. */
	snprintf(buffer, size, "%s", at_strbuf_text(&text));
	at_strbuf_release(&text);
	return buffer;
}

const char *at_spec_values_text(
	const struct at_parameter *parameter, char *buffer, size_t size)
{
	char value[64];

	buffer[0] = '\0';
	for (size_t i = 0; i < parameter->value_count; i++) {
		size_t length = strlen(buffer);

		at_spec_value_text(parameter->values[i], value, sizeof(value));
		if (length + strlen(value) + 8 > size) {
			snprintf(buffer + length, size - length, ", ...");
			break;
		}
		snprintf(buffer + length, size - length, "%s%s", i ? ", " : "", value);
	}
	return buffer;
}

bool at_spec_exact_real(int64_t integer, double *out)
{
	*out = (double)integer;
	/* INT64_MAX rounds up to 2^63; converting that back would be undefined. */
	return *out < 0x1p63 && (int64_t)*out == integer;
}

bool at_spec_find_value(
	const struct at_parameter *parameter, struct at_value value, size_t *index)
{
	double real;

	/* A user who writes 1 for 1.0 means that value. */
	if (parameter->type == AT_TYPE_REAL && value.type == AT_TYPE_INTEGER &&
		at_spec_exact_real(value.integer, &real))
		value = (struct at_value){ .type = AT_TYPE_REAL, .real = real };
	for (size_t i = 0; i < parameter->value_count; i++)
		if (at_value_equal(parameter->values[i], value)) {
			*index = i;
			return true;
		}
	return false;
}
