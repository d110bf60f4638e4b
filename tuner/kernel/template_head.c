/* Reads the head of a C++ template, lexeme by lexeme. */
#include "kernel/template_head.h"
#include "base/memory.h"

#include <string.h>

/* One parameter while it is read. */
struct reading {
	struct at_template_parameter parameter;
	size_t lexemes; /* ahead of its default */
	bool has_default;
	bool is_nested; /* template <typename> class C */
};

static bool is_among(struct at_lexeme lexeme, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (at_lexeme_is(lexeme, words[i]))
			return true;
	return false;
}

static void read_word(struct reading *self, struct at_lexeme lexeme)
{
	static const char *const numbers[] = { "int", "unsigned", "signed", "bool",
		"short", "long", "char", "size_t", "int8_t", "int16_t", "int32_t",
		"int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint" };
	static const char *const around[] = { "const", "std", "typename", "class" };
	bool is_number = is_among(lexeme, numbers, AT_COUNT_OF(numbers));

	if (at_lexeme_is(lexeme, "template"))
		self->is_nested = true;
	if (!self->lexemes &&
		(at_lexeme_is(lexeme, "typename") || at_lexeme_is(lexeme, "class")))
		self->parameter.kind = AT_TEMPLATE_TYPE;
	else if (is_number && self->parameter.kind == AT_TEMPLATE_OTHER)
		self->parameter.kind = AT_TEMPLATE_NUMBER;
	/* the last word is the name, unless it belongs to a type */
	self->parameter.name = lexeme;
	if (is_number || is_among(lexeme, around, AT_COUNT_OF(around)))
		self->parameter.name.length = 0;
	self->lexemes++;
}

static void add(struct at_template_head *out, const struct reading *reading)
{
	if (!reading->lexemes)
		return;
	if (out->count == AT_TEMPLATE_PARAMETERS_MAX) {
		out->is_open = true;
		return;
	}
	out->parameters[out->count] = reading->parameter;
	if (reading->is_nested)
		out->parameters[out->count].kind = AT_TEMPLATE_OTHER;
	out->count++;
	out->required += !reading->has_default;
}

bool at_template_head_read(const char *text, struct at_template_head *out)
{
	struct reading reading = { 0 };
	int angles = 1, others = 0;
	struct at_lexeme lexeme;

	memset(out, 0, sizeof(*out));
	if (!at_scan(&text, &lexeme) || lexeme.text[0] != '<')
		return false;
	while (at_scan(&text, &lexeme)) {
		char first = lexeme.text[0];

		if (first == ';' || first == '{' || first == '}')
			return false;
		others += first == '(' || first == '[';
		others -= first == ')' || first == ']';
		/* in parentheses < and > compare */
		if (!others)
			angles += (first == '<') - (first == '>');
		if (angles == 0 || (angles == 1 && !others && first == ',')) {
			add(out, &reading);
			reading = (struct reading){ 0 };
			if (angles == 0)
				return true;
		} else if (angles > 1 || others) {
			/* inside a nested template's head, or a default in brackets */
		} else if (first == '=') {
			reading.has_default = true;
		} else if (first == '.' && !reading.has_default) {
			/* a pack may also get no argument */
			out->is_open = true;
			reading.has_default = true;
			reading.lexemes++;
			/* its name follows the dots */
			while (*text == '.')
				text++;
			if (at_scan(&text, &lexeme) && at_lexeme_is_identifier(lexeme))
				read_word(&reading, lexeme);
			else
				text = lexeme.text;
		} else if (at_lexeme_is_identifier(lexeme) && !reading.has_default) {
			read_word(&reading, lexeme);
		} else if (first == '*' || first == '&') {
			reading.parameter.kind = AT_TEMPLATE_OTHER;
		}
	}
	return false;
}
