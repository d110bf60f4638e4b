/*
 * Reads a text in libconfig's syntax by recursive descent. It is stricter than the
 * library, which says no more of a mistake than "syntax error", cuts integers to 32
 * bits, and takes quadratic time for the names of a group.
 */
#include "space/config.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = 32, /* the recursion is bounded */
	GROUP_MAX = 1000, /* names of a group: each is compared with all others */
	COMPARISONS_MAX = 100000000, /* of names in all groups: half a second */
	NAME_BYTES_MAX = 200, /* a longer one is no macro's */
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
	int64_t integer; /* INTEGER; BOOLEAN: 0 or 1 */
	double real; /* REAL */
};

struct scanner {
	const char *path;
	struct at_error *err;
	const char *begin;
	const char *at; /* the first byte behind the token */
	const char *end;
	int line;
	struct token token, last;
	size_t depth;
	size_t comparisons; /* of names */
	size_t value_count;
};

#define FAIL(self, status, ...) \
	at_fail((self)->err, (status), (self)->path, (self)->token.line, __VA_ARGS__)

static int shown(size_t length)
{
	return length > 40 ? 40 : (int)length;
}

/* Whether the current line has an odd number of quotes, so that a string of it ends
   where another one should begin. */
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

		self->token = (struct token){ .start = at, .line = self->line };
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
	self->token = (struct token){ .start = self->at, .line = self->line };
	return AT_OK;
}

/* A string ends on its line. Else a missing quote would be reported where the next
   string begins. */
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
	/* L and LL mark 64 bits, which all integers have. */
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
		/* C would read 010 as eight, a person as ten. */
		if (!is_hexadecimal && digits[0] == '0' && digits[1])
			return FAIL(self, AT_ESYNTAX,
				"\"%.60s\" begins with 0: write it without, or as 0x...",
				number);
		self->token.integer = strtoll(number, NULL, is_hexadecimal ? 16 : 10);
		if (errno == ERANGE)
			return FAIL(self, AT_EOVERFLOW,
				"the integer %.60s does not fit 64 bits", number);
		return AT_OK;
	}
	self->token.kind = TOKEN_REAL;
	self->token.real = strtod(number, &rest);
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

/* "view.n" is a field or a component of an argument; "_x" is no name, but one token, so
   that the message can quote it whole. */
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
	self->token.integer = !strcmp(text, "true");
	if (self->token.integer || !strcmp(text, "false"))
		self->token.kind = TOKEN_BOOLEAN;
}

/* Fails for a character that begins no token. */
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

static bool is_mark(const struct token *token, const char *marks)
{
	return token->kind == TOKEN_MARK && strchr(marks, *token->start);
}

static bool is_scalar(const struct token *token)
{
	return token->kind >= TOKEN_INTEGER && token->kind <= TOKEN_STRING;
}

/* A group, list or array while its values are read. */
struct open {
	char closing; /* '}', ')' or ']'; 0: the file, a group */
	int line;
	struct at_config_node *node;
	size_t capacity; /* of its children */
};

/* Adds a child in the line of the token. */
static enum at_status add_child(
	struct scanner *self, struct open *open, struct at_config_node **out)
{
	struct at_config_node *node = open->node;

	if (self->value_count++ == VALUES_MAX)
		return FAIL(self, AT_EINVAL,
			"more than %d values, the most that is read", VALUES_MAX);
	AT_GROW(node->children, open->capacity, node->count + 1);
	*out = &node->children[node->count++];
	**out = (struct at_config_node){ .line = self->token.line };
	return AT_OK;
}

/* Adds a setting of a group, whose name is the token. */
static enum at_status add_setting(
	struct scanner *self, struct open *open, struct at_config_node **out)
{
	const struct at_config_node *group = open->node;
	const struct token *name = &self->token;
	enum at_status status;

	if (name->start[0] == '_' || name->start[name->length - 1] == '.')
		return FAIL(self, AT_ESYNTAX,
			"\"%.*s\" is not a name: expected a letter, then letters, digits and \"_\"",
			shown(name->length), name->start);
	if (name->length > NAME_BYTES_MAX)
		return FAIL(self, AT_EINVAL,
			"a name of %zu characters, more than the %d that are read: \"%.40s...\"",
			name->length, NAME_BYTES_MAX, name->start);
	for (size_t i = 0; i < group->count; i++)
		if (!strncmp(group->children[i].name, name->start, name->length) &&
			!group->children[i].name[name->length])
			return FAIL(self, AT_EINVAL,
				"\"%.*s\" is given twice, first in line %d",
				(int)name->length, name->start,
				group->children[i].line);
	self->comparisons += group->count;
	if (group->count == GROUP_MAX || self->comparisons > COMPARISONS_MAX)
		return FAIL(self, AT_EINVAL,
			"more than %d settings in one group, or too many large groups",
			GROUP_MAX);
	status = add_child(self, open, out);
	if (!status)
		(*out)->name = at_strndup(name->start, name->length);
	return status;
}

/* The values of an array are scalars of one type; a list holds anything. */
static enum at_status check_element(
	struct scanner *self, const struct open *open, enum token_kind first)
{
	if (open->closing != ']')
		return AT_OK;
	if (is_mark(&self->token, "{(["))
		return expected(self,
			"a number, a boolean or a string inside [ ] (groups and lists stand in a list of ( ))");
	if (self->token.kind == first)
		return AT_OK;
	return FAIL(self, AT_ESYNTAX,
		"the values inside [ ] are of one type and \"%.*s\" is of another: write it like the others, or write ( ) for [ ]",
		shown(self->token.length), self->token.start);
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

static enum at_status fail_end(struct scanner *self, const struct open *open)
{
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

/* Appends what a string stands for, without its quotes. */
static void add_string(struct at_strbuf *out, const char *c, const char *end)
{
	static const char letters[] = "fnrt\\\"", meant[] = "\f\n\r\t\\\"";

	for (; c < end; c++) {
		const char *letter = *c == '\\' ? strchr(letters, c[1]) : NULL;

		if (letter) {
			at_strbuf_add_char(out, meant[letter - letters]);
			c++;
		} else if (c[0] == '\\' && c[1] == 'x' &&
			   isxdigit((unsigned char)c[2]) &&
			   isxdigit((unsigned char)c[3])) {
			const char digits[] = { c[2], c[3], '\0' };

			at_strbuf_add_char(out, (char)strtol(digits, NULL, 16));
			c += 3;
		} else {
			at_strbuf_add_char(out, *c);
		}
	}
}

/*
 * Refuses control characters. They can come from escapes, and would do harm in a path,
 * an option or a message.
 */
static enum at_status check_string(
	const struct scanner *scanner, int line, const char *text, size_t size)
{
	size_t length;

	for (size_t i = 0; i < size; i += length) {
		uint32_t character = at_character(text + i, size - i, &length);

		if (text[i] == '\t' || at_character_is_shown(character))
			continue;
		if (character == AT_NO_CHARACTER)
			return at_fail(scanner->err, AT_EINVAL, scanner->path, line,
				"a string holds the byte 0x%02x, which is no UTF-8; expected one line of text",
				(unsigned char)text[i]);
		return at_fail(scanner->err, AT_EINVAL, scanner->path, line,
			"a string holds the control character 0x%02x; expected one line of text",
			(unsigned)character);
	}
	return AT_OK;
}

/* Strings side by side are joined, as in C. */
static enum at_status read_string(struct scanner *self, struct at_config_node *node)
{
	struct at_strbuf text = { 0 };
	enum at_status status = AT_OK;

	node->kind = AT_CONFIG_STRING;
	while (!status && self->token.kind == TOKEN_STRING) {
		const char *start = self->token.start;

		add_string(&text, start + 1, start + self->token.length - 1);
		status = next(self);
	}
	if (!status)
		status = check_string(
			self, node->line, at_strbuf_text(&text), text.length);
	node->text = at_strbuf_detach(&text);
	return status;
}

static enum at_status read_nested(struct scanner *self, struct at_config_node *node);

static enum at_status read_value(struct scanner *self, struct at_config_node *node)
{
	static const enum at_config_kind kinds[] = {
		[TOKEN_INTEGER] = AT_CONFIG_INTEGER,
		[TOKEN_REAL] = AT_CONFIG_REAL,
		[TOKEN_BOOLEAN] = AT_CONFIG_BOOLEAN,
	};

	if (self->token.kind == TOKEN_STRING)
		return read_string(self, node);
	if (is_mark(&self->token, "{(["))
		return read_nested(self, node);
	if (!is_scalar(&self->token))
		return fail_value(self);
	node->kind = kinds[self->token.kind];
	node->integer = self->token.integer;
	node->real = self->token.real;
	return next(self);
}

/* Reads the settings of a group up to its end. */
static enum at_status read_group(struct scanner *self, struct open *open)
{
	enum at_status status = AT_OK;

	while (!status && self->token.kind == TOKEN_NAME) {
		struct at_config_node *setting;

		status = add_setting(self, open, &setting);
		if (!status)
			status = next(self);
		if (!status && !is_mark(&self->token, "=:")) {
			char what[80];

			snprintf(what, sizeof(what), "\"=\" after \"%.*s\"",
				shown(self->last.length), self->last.start);
			status = expected(self, what);
		}
		if (!status)
			status = next(self);
		if (!status)
			status = read_value(self, setting);
		/* the mark behind a setting may be left out */
		if (!status && is_mark(&self->token, ";,"))
			status = next(self);
	}
	return status;
}

/* Reads the values of a list or an array up to its end. */
static enum at_status read_list(struct scanner *self, struct open *open)
{
	enum token_kind first = self->token.kind;
	enum at_status status = AT_OK;
	bool goes_on = !is_mark(&self->token, (char[]){ open->closing, '\0' });

	while (!status && goes_on) {
		struct at_config_node *item;

		if (!is_scalar(&self->token) && !is_mark(&self->token, "{(["))
			return fail_value(self);
		status = check_element(self, open, first);
		if (!status)
			status = add_child(self, open, &item);
		if (!status)
			status = read_value(self, item);
		goes_on = !status && is_mark(&self->token, ",");
		if (goes_on)
			status = next(self);
	}
	return status;
}

static enum at_status read_nested(struct scanner *self, struct at_config_node *node)
{
	const char mark = *self->token.start;
	struct open open = { .closing = mark == '{'   ? '}'
					: mark == '(' ? ')'
						      : ']',
		.line = self->token.line,
		.node = node };
	enum at_status status;

	if (self->depth == DEPTH_MAX)
		return FAIL(self, AT_EINVAL, "nested deeper than %d", DEPTH_MAX);
	self->depth++;
	node->kind = mark == '{'   ? AT_CONFIG_GROUP
		     : mark == '(' ? AT_CONFIG_LIST
				   : AT_CONFIG_ARRAY;
	status = next(self);
	if (!status)
		status = mark == '{' ? read_group(self, &open) : read_list(self, &open);
	if (!status && !is_mark(&self->token, (char[]){ open.closing, '\0' }))
		status = fail_end(self, &open);
	self->depth--;
	return status ? status : next(self);
}

/* Refuses control characters anywhere before the first token is read, so that a binary
   given by mistake is reported as such, not as an odd token. */
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

enum at_status at_config_parse(const char *text, size_t size, const char *path,
	struct at_config_node **out, struct at_error *err)
{
	const char *begin = text + at_text_mark_bytes(text, size);
	struct scanner self = { .path = path,
		.err = err,
		.begin = begin,
		.at = begin,
		.end = text + size,
		.line = 1 };
	struct at_config_node *root = at_calloc(1, sizeof(*root));
	struct open open = { .node = root };
	enum at_status status = check_characters(&self);

	root->kind = AT_CONFIG_GROUP;
	root->line = 1; /* for messages about the file as a whole */
	if (!status)
		status = next(&self);
	if (!status && self.token.kind == TOKEN_END)
		status = at_fail(err, AT_ESYNTAX, path, 0,
			"is empty: expected at least \"parameters\"");
	if (!status)
		status = read_group(&self, &open);
	if (!status && self.token.kind != TOKEN_END)
		status = fail_end(&self, &open);
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
