/*
 * Reads a text in libconfig's syntax. A scan checks the text first, since libconfig
 * reports mistakes only as "syntax error" and then leaks memory. The scan also makes up
 * for libconfig's limits: it marks every integer as 64-bit, which libconfig would
 * truncate to 32; it records the line of every value, since libconfig gets the last of
 * a list wrong; and it bounds the work, since libconfig compares a name with all names
 * of its group. libconfig accepts every text that passes here.
 */
#include "space/config.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = 32, /* bounds libconfig's recursion */
	GROUP_MAX = 1000, /* names per group: each is compared with all others */
	COMPARISONS_MAX = 100000000, /* of names in all groups: half a second */
	NAME_BYTES_MAX = 200, /* a macro's name is never longer */
	NUMBER_BYTES_MAX = 400, /* far more than any number needs */
	VALUES_MAX = 1000000, /* as many as 15 parameters with the most values each */
};

/* ---- tokens --------------------------------------------------------------------- */

enum token_kind {
	TOKEN_END = 0,
	TOKEN_NAME,
	TOKEN_INTEGER,
	TOKEN_REAL,
	TOKEN_BOOLEAN,
	TOKEN_STRING,
	TOKEN_MARK, /* one of = : ; , { } ( ) [ ] */
};

struct token {
	enum token_kind kind;
	const char *start;
	size_t length;
	int line;
};

struct given {
	const char *start;
	size_t length;
	int line;
};

/* A group, list or array that is open. */
struct open {
	char closing; /* '}', ')' or ']'; 0: the file, a group */
	int line;
	size_t first_name; /* of a group, in the scanner's names */
	enum token_kind element; /* of an array: the type of its values */
};

struct scanner {
	const char *path;
	struct at_error *err;
	const char *begin;
	const char *at; /* the first byte after the token */
	const char *end;
	int line;
	struct token token, last;
	struct open open[DEPTH_MAX + 1];
	size_t depth;
	struct given *names; /* of all open groups, outer groups first */
	size_t name_count;
	size_t name_capacity;
	size_t comparisons; /* of names */
	int *lines; /* of every value, in the order of the text */
	size_t value_count;
	size_t value_capacity;
	struct at_strbuf copy; /* the tokens, for libconfig */
};

#define FAIL(self, status, ...) \
	at_fail((self)->err, (status), (self)->path, (self)->token.line, __VA_ARGS__)

static int shown(size_t length)
{
	return length > 40 ? 40 : (int)length;
}

/* Whether the current line has an odd number of quotes, so that a string ends where
   another one should begin. */
static bool lacks_quote(const struct scanner *self)
{
	const char *c = self->token.start;
	bool is_odd = false;

	while (c > self->begin && c[-1] != '\n')
		c--;
	for (; c < self->end && *c != '\n'; c++) {
		is_odd ^= *c == '"';
		c += *c == '\\' && c + 1 < self->end;
	}
	return is_odd;
}

static enum at_status expected(const struct scanner *self, const char *what)
{
	const struct token *token = &self->token;
	const char *hint =
		lacks_quote(self) ? "; is a quote missing in this line?" : "";

	if (token->kind == TOKEN_END)
		return FAIL(self, AT_ESYNTAX, "expected %s, found the end of the file",
			what);
	if (token->kind == TOKEN_STRING)
		return FAIL(self, AT_ESYNTAX, "expected %s, found the string %.*s%s",
			what, shown(token->length), token->start, hint);
	return FAIL(self, AT_ESYNTAX, "expected %s, found \"%.*s\"%s", what,
		shown(token->length), token->start, hint);
}

static enum at_status skip_blanks(struct scanner *self)
{
	while (self->at < self->end) {
		const char *at = self->at;
		bool slash = *at == '/' && at + 1 < self->end;

		self->token = (struct token){ TOKEN_END, at, 0, self->line };
		if (isspace((unsigned char)*at)) {
			self->line += *at == '\n';
			self->at++;
		} else if (*at == '#' || (slash && at[1] == '/')) {
			const char *newline =
				memchr(at, '\n', (size_t)(self->end - at));

			self->at = newline ? newline : self->end;
		} else if (slash && at[1] == '*') {
			for (at += 2; at + 1 < self->end && strncmp(at, "*/", 2) != 0;
				at++)
				self->line += *at == '\n';
			if (at + 1 >= self->end)
				return FAIL(self, AT_ESYNTAX,
					"expected \"*/\" to close the comment that begins here, found the end of the file");
			self->at = at + 2;
		} else {
			break;
		}
	}
	self->token = (struct token){ TOKEN_END, self->at, 0, self->line };
	return AT_OK;
}

/* libconfig lets a string continue on the next line, so it would report a missing quote
   where the next string begins. Hence such strings are rejected here. */
static enum at_status scan_string(struct scanner *self)
{
	const char *c = self->at + 1;

	while (c < self->end && !strchr("\"\n\r\f", *c))
		c += *c == '\\' && c + 1 < self->end && !strchr("\n\r\f", c[1]) ? 2 : 1;
	if (c >= self->end || *c != '"')
		return FAIL(self, AT_ESYNTAX,
			"expected '\"' to close the string that begins with %.*s: a long string is written as several, one after the other",
			c - self->at > 20 ? 20 : (int)(c - self->at), self->at);
	self->token.kind = TOKEN_STRING;
	self->at = c + 1;
	return AT_OK;
}

static bool consists_of(const char *text, const char *characters)
{
	return *text && !text[strspn(text, characters)];
}

static enum at_status scan_number(struct scanner *self)
{
	const char *c = self->at + 1;
	char number[NUMBER_BYTES_MAX + 1], *digits = number, *rest;
	bool is_hexadecimal, is_wide = false;
	size_t length;

	while (c < self->end && (isalnum((unsigned char)*c) || strchr("._", *c) ||
					(strchr("+-", *c) && strchr("eE", c[-1]))))
		c++;
	length = (size_t)(c - self->at);
	if (length > NUMBER_BYTES_MAX)
		return FAIL(self, AT_ESYNTAX,
			"a number of %zu characters, more than the %d that are read",
			length, NUMBER_BYTES_MAX);
	memcpy(number, self->at, length);
	number[length] = '\0';
	self->at = c;
	/* L and LL are libconfig's own suffixes of 64-bit integers. */
	for (int i = 0; i < 2 && length > 1 && number[length - 1] == 'L'; i++) {
		number[--length] = '\0';
		is_wide = true;
	}
	is_hexadecimal = number[0] == '0' && (number[1] == 'x' || number[1] == 'X');
	digits += is_hexadecimal ? 2 : number[0] == '+' || number[0] == '-';
	errno = 0;
	if (consists_of(
		    digits, is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789")) {
		self->token.kind = TOKEN_INTEGER;
		/* eight in C, and ten in libconfig: expressions reject it as well */
		if (!is_hexadecimal && digits[0] == '0' && digits[1])
			return FAIL(self, AT_ESYNTAX,
				"\"%.60s\" begins with 0: write it without, or as 0x...",
				number);
		strtoll(number, NULL, is_hexadecimal ? 16 : 10);
		if (errno == ERANGE)
			return FAIL(self, AT_EOVERFLOW,
				"the integer %.60s does not fit 64 bits", number);
		return AT_OK;
	}
	self->token.kind = TOKEN_REAL;
	strtod(number, &rest);
	if (is_wide || rest == number || *rest || !strpbrk(number, "0123456789") ||
		!consists_of(number, "0123456789+-.eE"))
		return FAIL(self, AT_ESYNTAX,
			"\"%.*s\" is not a number; words, options and expressions are written in quotes",
			self->at - self->token.start > 60
				? 60
				: (int)(self->at - self->token.start),
			self->token.start);
	if (errno == ERANGE)
		return FAIL(self, AT_EOVERFLOW, "the real %.60s does not fit a double",
			number);
	return AT_OK;
}

/* Names are wider than libconfig's: "view.n" is a field or a component of an argument,
   and "_x" is one token, so that the message can quote it whole. */
static void scan_name(struct scanner *self)
{
	char text[6] = "";
	size_t length;

	while (self->at < self->end &&
		(isalnum((unsigned char)*self->at) || strchr("_-.", *self->at)))
		self->at++;
	length = (size_t)(self->at - self->token.start);
	self->token.kind = TOKEN_NAME;
	for (size_t i = 0; i < length && length < sizeof(text); i++)
		text[i] = (char)tolower((unsigned char)self->token.start[i]);
	if (!strcmp(text, "true") || !strcmp(text, "false"))
		self->token.kind = TOKEN_BOOLEAN;
}

static enum at_status fail_character(const struct scanner *self)
{
	static const struct {
		const char *start, *hint;
	} hints[] = {
		{ "@", "@include is not supported: put everything into this file" },
		{ "'", "text is written in double quotes: write \" for '" },
		{ "\xe2\x80",
			"typographic quotes and dashes are not read: write \" or -" },
		{ "\xc2\xa0", "this is a no-break space: write an ordinary one" },
	};
	unsigned char byte = (unsigned char)*self->at;

	for (size_t i = 0; i < AT_COUNT_OF(hints); i++)
		if ((size_t)(self->end - self->at) >= strlen(hints[i].start) &&
			!memcmp(self->at, hints[i].start, strlen(hints[i].start)))
			return FAIL(self, AT_ESYNTAX, "%s", hints[i].hint);
	if (strchr("*^/%&|<>?~!+-", byte))
		return FAIL(self, AT_ESYNTAX,
			"unexpected character '%c': an expression is written in quotes, as in \"2 * N\"",
			byte);
	return FAIL(self, AT_ESYNTAX,
		byte < 0x80 ? "unexpected character '%c'"
			    : "unexpected byte 0x%02x outside a string",
		byte);
}

static enum at_status next(struct scanner *self)
{
	struct token last = self->token;
	enum at_status status = skip_blanks(self);

	self->last = last;
	if (status || self->at == self->end)
		return status;
	if (*self->at == '"') {
		status = scan_string(self);
	} else if (isdigit((unsigned char)*self->at) || strchr("+-.", *self->at)) {
		status = scan_number(self);
	} else if (isalpha((unsigned char)*self->at) || *self->at == '_') {
		scan_name(self);
	} else if (strchr("=:;,{}()[]", *self->at)) {
		self->token.kind = TOKEN_MARK;
		self->at++;
	} else {
		status = fail_character(self);
	}
	self->token.length = (size_t)(self->at - self->token.start);
	return status;
}

/* ---- grammar -------------------------------------------------------------------- */

enum place {
	EXPECT_NAME, /* a name, or the end of the group */
	EXPECT_ASSIGNMENT,
	EXPECT_FIRST_VALUE, /* a value, or the end of the list */
	EXPECT_VALUE,
	EXPECT_SEPARATOR, /* after a value */
};

static bool is_mark(const struct token *token, const char *marks)
{
	return token->kind == TOKEN_MARK && strchr(marks, *token->start);
}

static bool is_scalar(const struct token *token)
{
	return token->kind >= TOKEN_INTEGER && token->kind <= TOKEN_STRING;
}

static enum at_status note_value(struct scanner *self)
{
	if (self->value_count == VALUES_MAX)
		return FAIL(self, AT_EINVAL,
			"more than %d values, the most that is read", VALUES_MAX);
	AT_GROW(self->lines, self->value_capacity, self->value_count + 1);
	self->lines[self->value_count++] = self->token.line;
	return AT_OK;
}

static enum at_status note_name(struct scanner *self)
{
	const struct token *name = &self->token;
	size_t first = self->open[self->depth].first_name;

	if (name->start[0] == '_' || name->start[name->length - 1] == '.')
		return FAIL(self, AT_ESYNTAX,
			"\"%.*s\" is not a name: expected a letter, then letters, digits and \"_\"",
			shown(name->length), name->start);
	if (name->length > NAME_BYTES_MAX)
		return FAIL(self, AT_EINVAL,
			"a name of %zu characters, more than the %d that are read: \"%.40s...\"",
			name->length, NAME_BYTES_MAX, name->start);
	for (size_t i = first; i < self->name_count; i++)
		if (self->names[i].length == name->length &&
			!memcmp(self->names[i].start, name->start, name->length))
			return FAIL(self, AT_EINVAL,
				"\"%.*s\" is given twice, first in line %d",
				(int)name->length, name->start, self->names[i].line);
	self->comparisons += self->name_count - first;
	if (self->name_count - first == GROUP_MAX ||
		self->comparisons > COMPARISONS_MAX)
		return FAIL(self, AT_EINVAL,
			"more than %d settings in one group, or too many large groups",
			GROUP_MAX);
	AT_GROW(self->names, self->name_capacity, self->name_count + 1);
	self->names[self->name_count++] =
		(struct given){ name->start, name->length, name->line };
	return AT_OK;
}

/* libconfig's arrays hold scalars of one type; its lists hold anything. */
static enum at_status check_element(struct scanner *self)
{
	struct open *open = &self->open[self->depth];

	if (open->closing != ']')
		return AT_OK;
	if (is_mark(&self->token, "{(["))
		return expected(self,
			"a number, a boolean or a string inside [ ] (groups and lists stand in a list of ( ))");
	if (open->element && open->element != self->token.kind)
		return FAIL(self, AT_ESYNTAX,
			"the values inside [ ] are of one type and \"%.*s\" is of another: write it like the others, or write ( ) for [ ]",
			shown(self->token.length), self->token.start);
	open->element = self->token.kind;
	return AT_OK;
}

static enum at_status open_value(struct scanner *self)
{
	char mark = *self->token.start;

	if (self->depth == DEPTH_MAX)
		return FAIL(self, AT_EINVAL, "nested deeper than %d", DEPTH_MAX);
	self->open[++self->depth] = (struct open){ .closing = mark == '{'   ? '}'
							      : mark == '(' ? ')'
									    : ']',
		.line = self->token.line,
		.first_name = self->name_count };
	return AT_OK;
}

static enum at_status fail_value(struct scanner *self)
{
	char what[80];

	if (self->token.kind == TOKEN_NAME)
		return expected(self,
			"a value (words and expressions are written in quotes, groups in { }, a range as { from = 8; to = 64; step = 8; })");
	snprintf(what, sizeof(what), "a value after \"%.*s\"", shown(self->last.length),
		self->last.start);
	return expected(self, what);
}

static enum at_status fail_end(struct scanner *self)
{
	const struct open *open = &self->open[self->depth];
	bool is_group = !open->closing || open->closing == '}';
	char what[128];

	if (!open->closing)
		return expected(self,
			is_mark(&self->token, "{")
				? "a name, as in kernel: { ... } (there are no braces around a space file, and no quotes around names)"
				: "a name");
	snprintf(what, sizeof(what), "%s or the \"%c\" to the \"%c\" of line %d%s",
		is_group ? "a name" : "\",\"", open->closing,
		is_group               ? '{'
		: open->closing == ')' ? '('
				       : '[',
		open->line,
		is_group && is_scalar(&self->token)
			? " (several values are written in [ ])"
		: is_group && is_mark(&self->token, "{")
			? " (several groups are written in ( ), with commas between)"
		: self->last.kind == TOKEN_STRING &&
				self->token.start ==
					self->last.start + self->last.length
			? " (a word inside a string has single quotes)"
			: "");
	return expected(self, what);
}

/* Consumes the current token and updates *place, the state of the scan. */
static enum at_status take(struct scanner *self, enum place *place)
{
	const struct token *token = &self->token;
	struct open *open = &self->open[self->depth];
	const char closing[] = { open->closing, '\0' };
	bool is_group = !open->closing || open->closing == '}';
	enum at_status status = AT_OK;

	if (*place == EXPECT_SEPARATOR && token->kind == TOKEN_STRING &&
		self->last.kind == TOKEN_STRING)
		return AT_OK; /* adjacent strings are joined, as in C */
	if (*place == EXPECT_SEPARATOR && is_mark(token, is_group ? ";," : ",")) {
		*place = is_group ? EXPECT_NAME : EXPECT_VALUE;
		return AT_OK;
	}
	if (*place != EXPECT_ASSIGNMENT && *place != EXPECT_VALUE && open->closing &&
		is_mark(token, closing)) {
		/* Another group may reuse the name. */
		self->name_count = open->first_name;
		self->depth--;
		*place = EXPECT_SEPARATOR;
		return AT_OK;
	}
	switch (*place) {
	case EXPECT_SEPARATOR: /* the mark after a setting is optional */
	case EXPECT_NAME:
		if (!is_group || token->kind != TOKEN_NAME)
			return fail_end(self);
		status = note_name(self);
		if (!status)
			status = note_value(self);
		*place = EXPECT_ASSIGNMENT;
		return status;
	case EXPECT_ASSIGNMENT:
		if (!is_mark(token, "=:")) {
			char what[80];

			snprintf(what, sizeof(what), "\"=\" after \"%.*s\"",
				shown(self->last.length), self->last.start);
			return expected(self, what);
		}
		*place = EXPECT_VALUE;
		return AT_OK;
	case EXPECT_FIRST_VALUE:
	case EXPECT_VALUE:
		break;
	}
	if (!is_scalar(token) && !is_mark(token, "{(["))
		return fail_value(self);
	status = check_element(self);
	if (!status && !is_group) /* a setting's line was recorded with its name */
		status = note_value(self);
	*place = EXPECT_SEPARATOR;
	if (status || is_scalar(token))
		return status;
	*place = *token->start == '{' ? EXPECT_NAME : EXPECT_FIRST_VALUE;
	return open_value(self);
}

/* Appends the token to the copy. A dot in a name becomes "*", which libconfig allows in
   names and space files do not. */
static void copy(struct scanner *self)
{
	const struct token *token = &self->token;
	size_t start = self->copy.length;

	at_strbuf_add_bytes(&self->copy, token->start, token->length);
	for (size_t i = start; token->kind == TOKEN_NAME && i < self->copy.length; i++)
		if (self->copy.data[i] == '.')
			self->copy.data[i] = '*';
	if (token->kind == TOKEN_INTEGER && token->start[token->length - 1] != 'L')
		at_strbuf_add_char(&self->copy, 'L');
	at_strbuf_add_char(&self->copy, ' ');
}

/* Rejects control characters before reading the first token, so that a binary file is
   reported as such, not as an odd token. */
static enum at_status check_characters(struct scanner *self)
{
	int line = 1;

	for (const char *c = self->at; c < self->end; c++) {
		unsigned char byte = (unsigned char)*c;

		line += byte == '\n';
		if (!byte || byte == 0x7f || (byte < ' ' && !strchr("\n\t\r\f", byte)))
			return at_fail(self->err, AT_ESYNTAX, self->path, line,
				"not a space file in UTF-8 but binary data: found the byte 0x%02x",
				byte);
	}
	return AT_OK;
}

static enum at_status scan(struct scanner *self)
{
	enum place place = EXPECT_NAME;
	enum at_status status = check_characters(self);

	if (!status)
		status = next(self);
	if (!status && self->token.kind == TOKEN_END)
		return at_fail(self->err, AT_ESYNTAX, self->path, 0,
			"is empty: expected at least \"parameters\"");
	while (!status &&
		(self->token.kind != TOKEN_END || self->depth ||
			(place != EXPECT_NAME && place != EXPECT_SEPARATOR))) {
		status = take(self, &place);
		copy(self);
		if (!status)
			status = next(self);
	}
	return status;
}

/* ---- the tree ------------------------------------------------------------------- */

/* Rejects control characters. Escapes may contain them, which the scan skips, and they
   would do harm in a path, an option or a message. */
static enum at_status check_string(
	const struct scanner *scanner, const struct at_config_node *node)
{
	const char *text = node->text;
	size_t size = strlen(text), length;

	for (size_t i = 0; i < size; i += length) {
		uint32_t character = at_character(text + i, size - i, &length);

		if (text[i] == '\t' || at_character_is_shown(character))
			continue;
		if (character == AT_NO_CHARACTER)
			return at_fail(scanner->err, AT_EINVAL, scanner->path,
				node->line,
				"a string holds the byte 0x%02x, which is no UTF-8; expected one line of text",
				(unsigned char)text[i]);
		return at_fail(scanner->err, AT_EINVAL, scanner->path, node->line,
			"a string holds the control character 0x%02x; expected one line of text",
			(unsigned)character);
	}
	return AT_OK;
}

/* Fills in a zeroed node; recursive, and the scan limits the depth. The settings come
   in the order of the scan's lines. */
static enum at_status build(const struct scanner *scanner, config_setting_t *setting,
	const int **lines, struct at_config_node *node)
{
	static const enum at_config_kind kinds[] = {
		[CONFIG_TYPE_GROUP] = AT_CONFIG_GROUP,
		[CONFIG_TYPE_INT64] = AT_CONFIG_INTEGER,
		[CONFIG_TYPE_FLOAT] = AT_CONFIG_REAL,
		[CONFIG_TYPE_STRING] = AT_CONFIG_STRING,
		[CONFIG_TYPE_BOOL] = AT_CONFIG_BOOLEAN,
		[CONFIG_TYPE_ARRAY] = AT_CONFIG_ARRAY,
		[CONFIG_TYPE_LIST] = AT_CONFIG_LIST,
	};
	const char *name = config_setting_name(setting);
	enum at_status status = AT_OK;

	node->kind = kinds[config_setting_type(setting)];
	node->line = 1; /* of the root: for messages about the file as a whole */
	if (!config_setting_is_root(setting))
		node->line = *(*lines)++;
	if (name) {
		node->name = at_strdup(name);
		for (char *c = node->name; (c = strchr(c, '*'));)
			*c = '.';
	}
	if (node->kind == AT_CONFIG_INTEGER)
		node->integer = config_setting_get_int64(setting);
	else if (node->kind == AT_CONFIG_BOOLEAN)
		node->integer = config_setting_get_bool(setting) != 0;
	else if (node->kind == AT_CONFIG_REAL)
		node->real = config_setting_get_float(setting);
	else if (node->kind == AT_CONFIG_STRING)
		node->text = at_strdup(config_setting_get_string(setting));
	else
		node->count = (size_t)config_setting_length(setting);
	if (node->kind == AT_CONFIG_STRING)
		return check_string(scanner, node);
	node->children = at_calloc(node->count, sizeof(*node->children));
	for (size_t i = 0; i < node->count && !status; i++)
		status = build(scanner, config_setting_get_elem(setting, (unsigned)i),
			lines, &node->children[i]);
	return status;
}

enum at_status at_config_parse(const char *text, size_t size, const char *path,
	struct at_config_node **out, struct at_error *err)
{
	const char *begin = text + at_text_mark_bytes(text, size);
	struct scanner scanner = { .path = path,
		.err = err,
		.begin = begin,
		.at = begin,
		.end = text + size,
		.line = 1 };
	enum at_status status = scan(&scanner);
	struct at_config_node *root = NULL;
	config_t config;

	config_init(&config);
	if (!status && !config_read_string(&config, at_strbuf_text(&scanner.copy)))
		status = at_fail(err, AT_ESYNTAX, path, 0, "libconfig says: %s",
			config_error_text(&config));
	if (!status) {
		const int *lines = scanner.lines;

		root = at_calloc(1, sizeof(*root));
		status = build(&scanner, config_root_setting(&config), &lines, root);
	}
	config_destroy(&config);
	free(scanner.names);
	free(scanner.lines);
	at_strbuf_release(&scanner.copy);
	if (status)
		at_config_free(root);
	else
		*out = root;
	return status;
}

static void release_node(struct at_config_node *self)
{
	for (size_t i = 0; i < self->count; i++)
		release_node(&self->children[i]);
	free(self->children);
	free(self->name);
	free(self->text);
}

void at_config_free(struct at_config_node *self)
{
	if (self)
		release_node(self);
	free(self);
}

const struct at_config_node *at_config_find(
	const struct at_config_node *self, const char *name)
{
	if (!self || self->kind != AT_CONFIG_GROUP)
		return NULL;
	for (size_t i = 0; i < self->count; i++)
		if (!strcmp(self->children[i].name, name))
			return &self->children[i];
	return NULL;
}

const char *at_config_kind_text(enum at_config_kind kind)
{
	static const char *const texts[] = { "nothing", "a group", "a list", "an array",
		"an integer", "a real", "a boolean", "a string" };

	return texts[kind];
}
