/*
 * One pass over the text: libconfig's grammar by recursive descent, on the tokens of
 * config_lex.c. It builds nothing but the list of values, and the copy of the text.
 */
#include "space/config_scan.h"

#include "base/memory.h"
#include "space/config_lex.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = 32, /* recursion is bounded, here and in libconfig */
	/* a new name is compared with all names of its group */
	GROUP_MAX = 1000,
	NAME_BYTES_MAX = 200, /* a longer one is no macro's */
	VALUES_MAX = 1000000, /* as many as 15 parameters with the most values each */
};

/* A name that was given in an open group. */
struct given {
	const char *start;
	size_t length;
	uint32_t
		hash; /* names of a group have a beginning in common, and differ here */
	int line;
};

struct scanner {
	struct at_config_lexer lexer;
	struct at_config_scan *result;
	int depth;
	/* The names given so far in each open group, outer groups first. */
	struct given *names;
	size_t name_count;
	size_t name_capacity;
};

static enum at_status read_value(struct scanner *self, const char *after);

/* Whether the current token is this mark. */
static bool at_mark(const struct scanner *self, char mark)
{
	return self->lexer.token.kind == AT_CONFIG_MARK &&
	       *self->lexer.token.start == mark;
}

/* The current token, for messages that end in "found %s". */
static const char *found(const struct scanner *self, char *buffer, size_t size)
{
	int length = self->lexer.token.length > 40 ? 40 : (int)self->lexer.token.length;

	if (self->lexer.token.kind == AT_CONFIG_END)
		snprintf(buffer, size, "the end of the file");
	else if (self->lexer.token.kind == AT_CONFIG_STRING)
		snprintf(buffer, size, "the string %.*s", length,
			self->lexer.token.start);
	else
		snprintf(buffer, size, "\"%.*s\"", length, self->lexer.token.start);
	return buffer;
}

static enum at_status expected(const struct scanner *self, const char *what)
{
	char text[80], hint[120] = "";

	if (self->lexer.suspect && self->lexer.suspect != self->lexer.token.start)
		snprintf(hint, sizeof(hint), "; is a quote missing in the string %.*s?",
			self->lexer.suspect_length, self->lexer.suspect);
	return at_fail(self->lexer.err, AT_ESYNTAX, self->lexer.path,
		self->lexer.token.line, "expected %s, found %s%s", what,
		found(self, text, sizeof(text)), hint);
}

/* name: NULL for an element of a list or an array. */
static enum at_status note_value(
	struct scanner *self, int line, const struct at_config_token *name)
{
	struct at_config_scan *result = self->result;

	if (result->value_count == VALUES_MAX)
		return at_fail(self->lexer.err, AT_EINVAL, self->lexer.path, line,
			"more than %d values, the most that is read", VALUES_MAX);
	AT_GROW(result->values, result->value_capacity, result->value_count + 1);
	result->values[result->value_count++] = (struct at_config_value){
		.name = name ? name->start : NULL,
		.name_length = name ? (unsigned)name->length : 0,
		.line = line,
	};
	return AT_OK;
}

/* Notes the current token as a setting's name, in the group whose names begin at
   `first`. */
static enum at_status note_name(struct scanner *self, size_t first)
{
	const struct at_config_token *name = &self->lexer.token;
	uint32_t hash = 2166136261u; /* FNV-1a */
	bool is_odd = false;

	/* a dot is part of "view.n", a field or a component of an argument */
	for (size_t i = 0; i < name->length; i++)
		is_odd |= (i == 0 || name->start[i - 1] == '.') &&
			  (name->start[i] == '_' || name->start[i] == '.');
	is_odd |= name->start[name->length - 1] == '.';
	if (is_odd)
		return at_fail(self->lexer.err, AT_ESYNTAX, self->lexer.path,
			name->line,
			"\"%.*s\" is not a name: expected a letter, then letters, digits and \"_\"%s",
			name->length > 40 ? 40 : (int)name->length, name->start,
			name->start[0] == '_' ? ""
					      : ", or is a quote missing ahead of it?");
	if (name->length > NAME_BYTES_MAX)
		return at_fail(self->lexer.err, AT_EINVAL, self->lexer.path, name->line,
			"a name of %zu characters, more than the %d that are read: \"%.40s...\"",
			name->length, NAME_BYTES_MAX, name->start);
	/* libconfig does not see names, so it cannot refuse the second one. */
	for (size_t i = 0; i < name->length; i++)
		hash = (hash ^ (unsigned char)name->start[i]) * 16777619u;
	for (size_t i = first; i < self->name_count; i++) {
		const struct given *other = &self->names[i];

		if (other->hash == hash && other->length == name->length &&
			!memcmp(other->start, name->start, name->length))
			return at_fail(self->lexer.err, AT_EINVAL, self->lexer.path,
				name->line, "\"%.*s\" is given twice, first in line %d",
				name->length > 200 ? 200 : (int)name->length,
				name->start, other->line);
	}
	if (self->name_count - first == GROUP_MAX)
		return at_fail(self->lexer.err, AT_EINVAL, self->lexer.path, name->line,
			"more than %d settings in one group, the most that is read",
			GROUP_MAX);
	AT_GROW(self->names, self->name_capacity, self->name_count + 1);
	self->names[self->name_count++] =
		(struct given){ name->start, name->length, hash, name->line };
	at_config_replace(&self->lexer, self->name_count == first + 1 ? "" : ",");
	return note_value(self, name->line, name);
}

/* Reads name = value, and the ; or , behind it, which may be left out. */
static enum at_status read_setting(struct scanner *self, size_t first)
{
	char after[64];
	const struct at_config_token name = self->lexer.token;
	int length = name.length > 40 ? 40 : (int)name.length;
	enum at_status status = note_name(self, first);

	if (!status)
		status = at_config_next(&self->lexer);
	if (status)
		return status;
	/* libconfig's names may begin with *: "N = 2 * 4" is N, and a name */
	if (name.start[0] == '*' && self->lexer.token.kind != AT_CONFIG_MARK)
		return at_fail(self->lexer.err, AT_ESYNTAX, self->lexer.path, name.line,
			"\"*\" is no name: an expression is written in quotes, as in \"2 * N\"");
	if (!at_mark(self, '=') && !at_mark(self, ':')) {
		snprintf(after, sizeof(after), "\"=\" after \"%.*s\"", length,
			name.start);
		return expected(self, after);
	}
	snprintf(after, sizeof(after), "\"%.*s %c\"", length, name.start,
		*self->lexer.token.start);
	at_config_replace(&self->lexer, "");
	status = at_config_next(&self->lexer);
	if (!status)
		status = read_value(self, after);
	if (!status && (at_mark(self, ';') || at_mark(self, ','))) {
		at_config_replace(&self->lexer, "");
		status = at_config_next(&self->lexer);
	}
	return status;
}

static enum at_status read_settings(struct scanner *self)
{
	size_t first = self->name_count;
	enum at_status status = AT_OK;

	while (!status && self->lexer.token.kind == AT_CONFIG_NAME)
		status = read_setting(self, first);
	/* A name may be given again in another group. */
	self->name_count = first;
	return status;
}

static enum at_status read_group(struct scanner *self, int opened)
{
	char what[128];
	enum at_status status;

	if (self->lexer.token.kind >= AT_CONFIG_INTEGER &&
		self->lexer.token.kind <= AT_CONFIG_STRING)
		return expected(
			self, "a name in { } (a list of values is written in [ ])");
	status = read_settings(self);
	if (status)
		return status;
	snprintf(what, sizeof(what), "a name or the \"}\" to the \"{\" of line %d%s",
		opened,
		self->lexer.token.kind >= AT_CONFIG_INTEGER &&
				self->lexer.token.kind <= AT_CONFIG_STRING
			? " (several values are written in [ ])"
		: at_mark(self, '{')
			? " (several groups are written in ( ), with commas between)"
			: "");
	if (!at_mark(self, '}'))
		return expected(self, what);
	at_config_replace(&self->lexer, ")");
	return at_config_next(&self->lexer);
}

/* libconfig's arrays hold scalars of one type; its lists hold anything. */
static enum at_status check_array_element(
	const struct scanner *self, enum at_config_token_kind *kind)
{
	if (self->lexer.token.kind == AT_CONFIG_MARK &&
		strchr("{([", *self->lexer.token.start))
		return expected(self,
			"a number, a boolean or a string inside [ ] (groups and lists stand in a list of ( ))");
	if (*kind != AT_CONFIG_END && *kind != self->lexer.token.kind &&
		self->lexer.token.kind >= AT_CONFIG_INTEGER &&
		self->lexer.token.kind <= AT_CONFIG_STRING) {
		char text[80];

		return at_fail(self->lexer.err, AT_ESYNTAX, self->lexer.path,
			self->lexer.token.line,
			"the values inside [ ] are of one type and %s is of another: write it like the others, or write ( ) for [ ]",
			found(self, text, sizeof(text)));
	}
	*kind = self->lexer.token.kind;
	return AT_OK;
}

/* Reads elements up to the closing mark, which is ) or ]. */
static enum at_status read_elements(struct scanner *self, char closing, int opened)
{
	enum at_config_token_kind kind = AT_CONFIG_END;
	enum at_status status = AT_OK;
	const char *after = closing == ')' ? "\"(\"" : "\"[\"";
	char what[128];

	if (at_mark(self, closing))
		return at_config_next(&self->lexer);
	for (;;) {
		if (closing == ']')
			status = check_array_element(self, &kind);
		if (!status)
			status = note_value(self, self->lexer.token.line, NULL);
		if (!status)
			status = read_value(self, after);
		if (status || !at_mark(self, ','))
			break;
		status = at_config_next(&self->lexer);
		if (status)
			break;
		after = "\",\"";
	}
	if (status)
		return status;
	/* in "A == "x"" the second quote ended the string */
	snprintf(what, sizeof(what), "\",\" or the \"%c\" to the \"%c\" of line %d%s",
		closing, closing == ')' ? '(' : '[', opened,
		self->lexer.token.kind != AT_CONFIG_END &&
				self->lexer.token.kind != AT_CONFIG_MARK &&
				self->lexer.token.start[-1] == '"'
			? " (a word inside a string has single quotes)"
		: self->lexer.token.kind == AT_CONFIG_NAME &&
				*self->lexer.token.start == '*'
			? (closing == ']' ? " (values are written out: 8 for 2 * 4 or 2 ** 3)"
					  : " (an expression is written in quotes)")
			: "");
	return at_mark(self, closing) ? at_config_next(&self->lexer)
				      : expected(self, what);
}

static enum at_status read_aggregate(struct scanner *self)
{
	char mark = *self->lexer.token.start;
	int line = self->lexer.token.line;
	enum at_status status;

	if (self->depth == DEPTH_MAX)
		return at_fail(self->lexer.err, AT_EINVAL, self->lexer.path, line,
			"nested deeper than %d", DEPTH_MAX);
	self->depth++;
	if (mark == '{') {
		/* it was noted last, since what it holds comes behind it */
		self->result->values[self->result->value_count - 1].is_group = true;
		at_config_replace(&self->lexer, "(");
	}
	status = at_config_next(&self->lexer);
	if (!status)
		status = mark == '{'
				 ? read_group(self, line)
				 : read_elements(self, mark == '(' ? ')' : ']', line);
	self->depth--;
	return status;
}

/* Strings side by side are joined, as in C. */
static enum at_status read_strings(struct scanner *self)
{
	enum at_status status = AT_OK;

	while (!status && self->lexer.token.kind == AT_CONFIG_STRING)
		status = at_config_next(&self->lexer);
	return status;
}

/* What to write where a name stands: hints for Python's ranges and for YAML. */
static const char *value_in_place_of_name(const struct at_config_lexer *lexer)
{
	const struct at_config_token *token = &lexer->token;
	const char *behind = token->start + token->length;

	while (behind < lexer->end && (*behind == ' ' || *behind == '\t'))
		behind++;
	if (behind == lexer->end)
		return "a value";
	if (*behind == '(')
		return "a value (a range is written { from = 8; to = 64; step = 8; }, or with times = 2)";
	if (*behind == ':' || *behind == '=')
		return "a value (a group is written in braces, as in kernel: { ... })";
	return "a value (words and expressions are written in quotes)";
}

static enum at_status read_value(struct scanner *self, const char *after)
{
	char what[100];

	switch (self->lexer.token.kind) {
	case AT_CONFIG_INTEGER:
	case AT_CONFIG_REAL:
	case AT_CONFIG_BOOLEAN:
		return at_config_next(&self->lexer);
	case AT_CONFIG_STRING:
		return read_strings(self);
	case AT_CONFIG_NAME:
		return expected(self, value_in_place_of_name(&self->lexer));
	case AT_CONFIG_MARK:
		if (strchr("{([", *self->lexer.token.start))
			return read_aggregate(self);
		break;
	case AT_CONFIG_END:
		break;
	}
	snprintf(what, sizeof(what), "a value after %s", after);
	return expected(self, what);
}

enum at_status at_config_scan(struct at_config_scan *self, const char *text,
	size_t size, const char *path, struct at_error *err)
{
	struct scanner scanner = { .result = self };
	enum at_status status;

	at_strbuf_add(&self->text, "space=(");
	status = at_config_lexer_init(
		&scanner.lexer, text, size, path, &self->text, err);

	if (!status && scanner.lexer.token.kind == AT_CONFIG_END)
		status = at_fail(err, AT_ESYNTAX, path, 0,
			"is empty: expected at least \"parameters\"");
	if (!status)
		status = read_settings(&scanner);
	if (!status && scanner.lexer.token.kind != AT_CONFIG_END)
		status = expected(&scanner,
			at_mark(&scanner, '{')
				? "a name, as in kernel: { ... } (there are no braces around a space file, and no quotes around names)"
				: "a name");
	free(scanner.names);
	if (status)
		return status;
	at_config_lexer_end(&scanner.lexer);
	/* the text may end with a comment, so a newline follows */
	at_strbuf_add(&self->text, "\n)\n");
	return AT_OK;
}

void at_config_scan_release(struct at_config_scan *self)
{
	at_strbuf_release(&self->text);
	free(self->values);
	*self = (struct at_config_scan){ 0 };
}
