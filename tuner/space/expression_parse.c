/*
 * The compiler of expressions: tokens, recursive descent, and code. Binary operators
 * are parsed by precedence climbing (Richards and Whitby-Strevens 1979, "BCPL: the
 * language and its compiler"). It emits code as soon as an operand or an operator is
 * complete; there is no tree.
 */
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "space/expression_code.h"
#include "space/properties.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- tokens, and messages that point into the text ------------------------------- */

enum token_kind {
	TOKEN_END = 0,
	TOKEN_INTEGER,
	TOKEN_REAL,
	TOKEN_WORD, /* start and length exclude the quotes */
	TOKEN_NAME, /* with its dots: device.l2_bytes */
	TOKEN_OPERATOR, /* and ( ) , ? : */
};

/* A token; start and length delimit a part of the lexer's text. */
struct token {
	enum token_kind kind;
	const char *start;
	size_t length;
	int64_t integer; /* of INTEGER */
	double real; /* of REAL */
	/* The integer is 9223372036854775808, which is valid only after a minus;
	   `integer` then holds INT64_MIN. */
	bool needs_minus;
};

struct lexer {
	const char *text;
	const char *file;
	int line;
	struct at_error *err;

	const char *next; /* after the token */
	const char *last_end; /* the end of the previous token */
	struct token token;
};

/* The most characters of a quotation: enough to recognise the text, and err holds 1
   KiB. */
#define QUOTED_MAX 200

/* Not isdigit() and isalpha(), since names must not depend on the locale. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(char c)
{
	return begins_name(c) || is_digit(c);
}

/* Fails with `column 7 of "text": ...`; place points into the text. Returns
   status. */
static AT_PRINTF(4, 5) enum at_status lexer_fail(const struct lexer *self,
	enum at_status status, const char *place, const char *format, ...)
{
	struct at_strbuf text = { 0 };
	va_list arguments;

	at_strbuf_addf(&text,
		"column %zu of \"%.*s%s\": ", (size_t)(place - self->text) + 1,
		QUOTED_MAX, self->text, strlen(self->text) > QUOTED_MAX ? "..." : "");
	va_start(arguments, format);
	at_strbuf_addv(&text, format, arguments);
	va_end(arguments);
	at_text_flatten(text.data);
	at_fail(self->err, status, self->file, self->line, "%s", text.data);
	at_strbuf_release(&text);
	return status;
}

/* Fails the same way with "expected X, found" and the current token. */
static enum at_status fail_expected(const struct lexer *self, const char *expected)
{
	const struct token *token = &self->token;

	if (token->kind == TOKEN_END)
		return lexer_fail(self, AT_ESYNTAX, token->start,
			"expected %s, found the end", expected);
	return lexer_fail(self, AT_ESYNTAX, token->start, "expected %s, found \"%.*s\"",
		expected,
		(int)(token->length < QUOTED_MAX ? token->length : QUOTED_MAX),
		token->start);
}

static bool token_is(const struct token *token, const char *operator_text)
{
	return token->kind == TOKEN_OPERATOR &&
	       token->length == strlen(operator_text) &&
	       !memcmp(token->start, operator_text, token->length);
}

static enum at_status finish_integer(struct lexer *self, const char *end, int base)
{
	struct token *token = &self->token;
	unsigned long long value;

	/* Unsigned, since a minus before it is a separate token. */
	errno = 0;
	value = strtoull(token->start, NULL, base);
	/* INT64_MIN is written as a minus and a number that overflows */
	token->needs_minus = base == 10 && value == (unsigned long long)INT64_MAX + 1;
	if (errno == ERANGE || (value > INT64_MAX && !token->needs_minus))
		return lexer_fail(self, AT_ESYNTAX, token->start,
			"%.*s does not fit 64 bits", (int)(end - token->start),
			token->start);
	token->kind = TOKEN_INTEGER;
	token->integer = token->needs_minus ? INT64_MIN : (int64_t)value;
	return AT_OK;
}

static const char *skip_digits(const char *c)
{
	while (is_digit(*c))
		c++;
	return c;
}

/* The end of the number at c; *real if it has a point or an exponent. "2em" ends after
   the 2, and the caller rejects the rest. */
static const char *scan_decimal(const char *c, bool *real)
{
	c = skip_digits(c);
	if (*c == '.') {
		*real = true;
		c = skip_digits(c + 1);
	}
	if (*c == 'e' || *c == 'E') {
		const char *exponent = c + 1 + (c[1] == '+' || c[1] == '-');

		if (is_digit(*exponent)) {
			*real = true;
			c = skip_digits(exponent);
		}
	}
	return c;
}

static enum at_status read_number(struct lexer *self)
{
	const char *start = self->token.start, *end;
	bool real = false;
	bool hexadecimal = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');

	if (hexadecimal)
		end = start + 2 + strspn(start + 2, "0123456789abcdefABCDEF");
	else
		end = scan_decimal(start, &real);
	self->next = end;
	self->token.length = (size_t)(end - start);
	/* Rejects "12ab" and "1.2.3": two adjacent tokens are never valid here. */
	if ((hexadecimal && end == start + 2) || continues_name(*end) || *end == '.' ||
		(*end == '\'' && is_digit(end[1]))) {
		while (continues_name(*end) || *end == '.' ||
			(*end == '\'' && is_digit(end[1])))
			end++;
		return lexer_fail(self, AT_ESYNTAX, start, "\"%.*s\" is not a number",
			(int)(end - start < QUOTED_MAX ? end - start : QUOTED_MAX),
			start);
	}
	if (real) {
		/* strtod() returns infinity for 1e999; numbers below the range of
		   double become 0 */
		self->token.real = strtod(start, NULL);
		if (!isfinite(self->token.real))
			return lexer_fail(self, AT_ESYNTAX, start,
				"this real is larger than the largest double");
		self->token.kind = TOKEN_REAL;
		return AT_OK;
	}
	/* In C 010 is eight, to a person ten. */
	if (!hexadecimal && start[0] == '0' && self->token.length > 1)
		return lexer_fail(self, AT_ESYNTAX, start,
			"\"%.*s\" begins with 0: write it without, or as 0x...",
			(int)(self->token.length < QUOTED_MAX ? self->token.length
							      : QUOTED_MAX),
			start);
	return finish_integer(self, end, hexadecimal ? 16 : 10);
}

static enum at_status read_word(struct lexer *self)
{
	const char *start = self->token.start;
	const char *end = strchr(start + 1, *start);

	/* There are no escapes: words consist of letters, digits and "_". */
	if (!end)
		return lexer_fail(
			self, AT_ESYNTAX, start, "this word has no closing %c", *start);
	self->token.kind = TOKEN_WORD;
	self->token.start = start + 1;
	self->token.length = (size_t)(end - start) - 1;
	self->next = end + 1;
	return AT_OK;
}

static enum at_status read_operator(struct lexer *self)
{
	static const char *const doubled[] = { "||", "&&", "==", "!=", "<=", ">=", "<<",
		">>" };
	const char *start = self->token.start;
	uint32_t character;
	size_t length;

	self->token.kind = TOKEN_OPERATOR;
	self->token.length = 1;
	for (size_t i = 0; i < sizeof(doubled) / sizeof(*doubled); i++)
		if (!strncmp(start, doubled[i], 2))
			self->token.length = 2;
	self->next = start + self->token.length;
	if (strchr("|^&<>+-*/%~!?:(),", *start) || self->token.length == 2)
		return AT_OK;
	/* = for == is the likeliest mistake, so it has its own message. */
	if (*start == '=')
		return lexer_fail(self, AT_ESYNTAX, start,
			"= assigns nothing here: to compare, write ==");
	/* Bytes of another encoding are reported by number. */
	character = at_character(start, strlen(start), &length);
	if (character > ' ' && at_character_is_shown(character))
		return lexer_fail(self, AT_ESYNTAX, start,
			"\"%.*s\" has no meaning in an expression", (int)length, start);
	return lexer_fail(self, AT_ESYNTAX, start,
		"byte 0x%02x has no meaning in an expression", (unsigned char)*start);
}

static enum at_status lexer_next(struct lexer *self)
{
	const char *c = self->next;

	/* An operand's text in messages ends here, without trailing blanks. */
	self->last_end = c;
	c += strspn(c, " \t\r\n");
	self->token = (struct token){ .start = c };
	self->next = c;
	if (!*c)
		return AT_OK;
	if (is_digit(*c) || (*c == '.' && is_digit(c[1])))
		return read_number(self);
	if (*c == '"' || *c == '\'')
		return read_word(self);
	if (begins_name(*c)) {
		/* with its dots, so that device.l2_bytes is looked up as one name */
		while (continues_name(*c) || (*c == '.' && begins_name(c[1])))
			c++;
		self->token.kind = TOKEN_NAME;
		self->token.length = (size_t)(c - self->token.start);
		self->next = c;
		return AT_OK;
	}
	return read_operator(self);
}

/* ---- code: instructions, types of operators, constants ----------------------------
 */

struct compiler {
	struct lexer lexer;
	const struct at_names *names;
	struct at_expression *out;
	size_t code_capacity;
	size_t constant_capacity;
	size_t stack_count; /* stack depth after the code so far */
	int nesting;
	/* the text with definitions expanded, up to `copied`; empty: none so far */
	struct at_strbuf full_text;
	const char *copied;
	struct at_error *err;
};

struct binary {
	const char *text;
	int precedence; /* as in C; a higher precedence binds tighter */
	enum at_opcode code;
};

/* A piece of the expression with emitted code. */
struct compiled {
	size_t start; /* where its code begins */
	enum at_type type; /* NONE: known only at evaluation */
	const char *from; /* its text, from..to */
	const char *to;
	/* The comparison operator, if the piece is a comparison without enclosing
	   parentheses; else NULL. */
	const struct binary *compared_by;
};

/* Characters of an operand that a message quotes: enough to find it in the text. */
static int quoted_length(const struct compiled *operand)
{
	ptrdiff_t length = operand->to - operand->from;

	return (int)(length < 60 ? length : 60);
}

/* The stack depth after this instruction. */
static size_t count_after(enum at_opcode code, size_t stack_count)
{
	if (code == AT_CODE_CONSTANT || code == AT_CODE_SLOT)
		return stack_count + 1;
	/* After a jump the other path continues, with the values that the jump
	   leaves. */
	if (code <= AT_CODE_JUMP || at_opcode_is_binary(code))
		return stack_count - 1;
	return stack_count;
}

/* Appends an instruction. operand: see enum at_opcode; 0 for operators. */
static void emit(struct compiler *self, enum at_opcode code, int operand)
{
	struct at_expression *out = self->out;

	AT_GROW(out->code, self->code_capacity, out->code_count + 1);
	out->code[out->code_count++] = (struct at_instruction){ code, operand };
	self->stack_count = count_after(code, self->stack_count);
	/* The evaluator's stack has a fixed size, so that it need not allocate. */
	assert(self->stack_count <= AT_EXPRESSION_STACK);
	/* These convert integers to reals, which the integer evaluator cannot do. */
	if (code == AT_CODE_SQRT || code == AT_CODE_REAL || code == AT_CODE_PROMOTE ||
		code == AT_CODE_POW)
		out->integers_only = false;
}

static void emit_constant(struct compiler *self, struct at_value value)
{
	struct at_expression *out = self->out;

	AT_GROW(out->constants, self->constant_capacity, out->constant_count + 1);
	if (value.type == AT_TYPE_REAL || value.type == AT_TYPE_WORD)
		out->integers_only = false;
	out->constants[out->constant_count++] = value;
	emit(self, AT_CODE_CONSTANT, (int)out->constant_count - 1);
}

/* Makes the jump at code index `from` go to the next instruction. */
static void emit_landing(struct compiler *self, size_t from)
{
	self->out->code[from].operand = (int)self->out->code_count;
}

/* Whether the operand, whose code ends at `end`, is a constant. */
static bool is_constant(
	const struct compiler *self, const struct compiled *operand, size_t end)
{
	return operand->start + 1 == end &&
	       self->out->code[operand->start].code == AT_CODE_CONSTANT;
}

static struct at_value *constant_of(
	const struct compiler *self, const struct compiled *operand)
{
	return &self->out->constants[self->out->code[operand->start].operand];
}

/* Applies an operator to constants at compile time. If that fails, evaluation applies
   it, and may never reach it: N == 0 || 1 / 0 > N. */
static bool fold(struct compiler *self, enum at_opcode code, const struct compiled *a,
	const struct compiled *b)
{
	struct at_expression *out = self->out;
	struct at_value result;

	if (!is_constant(self, a, b ? b->start : out->code_count) ||
		(b && !is_constant(self, b, out->code_count)))
		return false;
	if (at_operator_apply(code, constant_of(self, a),
		    b ? constant_of(self, b) : NULL, &result))
		return false;
	if (result.type == AT_TYPE_REAL)
		out->integers_only = false;
	*constant_of(self, a) = result;
	if (b) {
		out->code_count--;
		self->stack_count--;
	}
	return true;
}

static enum at_status fail_operand(const struct compiler *self, const char *place,
	enum at_opcode code, const struct compiled *operand)
{
	bool integers = at_opcode_operands(code) == AT_OPERAND_INTEGER;

	return lexer_fail(&self->lexer, AT_EINVAL, place,
		"%s takes %s, but \"%.*s\" is a %s%s", at_opcode_text(code),
		integers ? "integers" : "numbers", quoted_length(operand),
		operand->from, at_type_name(operand->type),
		operand->type == AT_TYPE_WORD
			? ": words can only be compared with == and !="
			: ": int() makes an integer of it");
}

/* AT_EINVAL if the operand's type is known and unsuitable for the operator. */
static enum at_status check_operand(const struct compiler *self, const char *place,
	enum at_opcode code, const struct compiled *operand)
{
	enum at_operand_class takes = at_opcode_operands(code);

	/* An operand of unknown type is accepted and checked at evaluation. */
	if ((takes != AT_OPERAND_ANY && operand->type == AT_TYPE_WORD) ||
		(takes == AT_OPERAND_INTEGER && operand->type == AT_TYPE_REAL))
		return fail_operand(self, place, code, operand);
	return AT_OK;
}

/* Emits the operator at `place` in the text, for a and b, which must be the pieces
   emitted last; b is NULL for unary operators. *out gets the result and may be a. */
static enum at_status emit_operator(struct compiler *self, const char *place,
	enum at_opcode code, const struct compiled *a, const struct compiled *b,
	struct compiled *out)
{
	enum at_status status = check_operand(self, place, code, a);
	struct compiled result = { .start = a->start,
		.type = at_opcode_type(code, a->type, b ? b->type : AT_TYPE_NONE),
		.from = a->from,
		.to = b ? b->to : a->to };

	if (!status && b)
		status = check_operand(self, place, code, b);
	if (status)
		return status;
	/* A word never equals a number, so the author meant something else. */
	if (b && a->type && b->type &&
		(a->type == AT_TYPE_WORD) != (b->type == AT_TYPE_WORD))
		return lexer_fail(&self->lexer, AT_EINVAL, place,
			"%s compares \"%.*s\", of type %s, with \"%.*s\", of type %s",
			at_opcode_text(code), quoted_length(a), a->from,
			at_type_name(a->type), quoted_length(b), b->from,
			at_type_name(b->type));
	if (fold(self, code, a, b))
		result.type = constant_of(self, a)->type;
	else
		emit(self, code, 0);
	*out = result;
	return AT_OK;
}

/* ---- operands -------------------------------------------------------------------- */

static enum at_status parse_conditional(struct compiler *self, struct compiled *out);

/* Bounds the recursion: a file must not overflow the stack. */
static enum at_status enter(struct compiler *self)
{
	if (self->nesting == AT_EXPRESSION_NESTING_MAX)
		return lexer_fail(&self->lexer, AT_ESYNTAX, self->lexer.token.start,
			"nested deeper than %d", AT_EXPRESSION_NESTING_MAX);
	self->nesting++;
	if (self->nesting > self->out->nesting)
		self->out->nesting = self->nesting;
	return AT_OK;
}

static enum at_status parse_nested(struct compiler *self, struct compiled *out)
{
	enum at_status status = enter(self);

	if (!status)
		status = parse_conditional(self, out);
	self->nesting--;
	return status;
}

static enum at_status expect(
	struct compiler *self, const char *operator_text, const char *expected)
{
	if (!token_is(&self->lexer.token, operator_text))
		return fail_expected(&self->lexer, expected);
	return lexer_next(&self->lexer);
}

static const struct function {
	const char *name;
	enum at_opcode code;
	int arguments; /* 0: two or more */
} functions[] = {
	{ "min", AT_CODE_MIN, 0 },
	{ "max", AT_CODE_MAX, 0 },
	{ "abs", AT_CODE_ABS, 1 },
	{ "ceil_div", AT_CODE_CEIL_DIV, 2 },
	{ "round_up", AT_CODE_ROUND_UP, 2 },
	{ "round_down", AT_CODE_ROUND_DOWN, 2 },
	{ "is_pow2", AT_CODE_IS_POW2, 1 },
	{ "log2", AT_CODE_LOG2, 1 },
	{ "gcd", AT_CODE_GCD, 2 },
	{ "lcm", AT_CODE_LCM, 2 },
	{ "sqrt", AT_CODE_SQRT, 1 },
	{ "pow", AT_CODE_POW, 2 },
	{ "floor", AT_CODE_FLOOR, 1 },
	{ "ceil", AT_CODE_CEIL, 1 },
	{ "int", AT_CODE_INT, 1 },
	{ "real", AT_CODE_REAL, 1 },
};

#define FUNCTION_COUNT (sizeof(functions) / sizeof(*functions))

/* ---- names ----------------------------------------------------------------------- */

/* A linear search: files have tens of names, and each is looked up once. */
int at_names_find(const struct at_names *self, const char *name, size_t length,
	enum at_type *type)
{
	for (size_t i = 0; i < self->count; i++) {
		const char *known = self->items[i].name;

		if (!strncmp(known, name, length) && !known[length]) {
			*type = self->items[i].type;
			return (int)i;
		}
	}
	return -1;
}

static struct at_definition *find_definition(
	const struct at_names *self, const char *name, size_t length)
{
	for (size_t i = 0; i < self->definition_count; i++)
		if (!strncmp(self->definitions[i].name, name, length) &&
			!self->definitions[i].name[length])
			return &self->definitions[i];
	return NULL;
}

const char *at_names_nearest(const struct at_names *self, const char *name)
{
	static const char device[] = "device.";
	const size_t count = self->count + self->definition_count;
	const char **names = at_calloc(count + 1, sizeof(*names));
	const char *nearest = NULL;

	for (size_t i = 0; i < count; i++)
		names[i] = i < self->count ? self->items[i].name
					   : self->definitions[i - self->count].name;
	for (size_t i = 0; i < self->count; i++)
		if (!strcasecmp(names[i], name) ||
			(!nearest && !strncmp(names[i], device, strlen(device)) &&
				!strcasecmp(names[i] + strlen(device), name)))
			nearest = names[i];
	if (!nearest)
		nearest = at_text_nearest(name, names, count);
	free(names);
	return nearest;
}

/* Reports an unknown name; hint: a suggestion or a list. Releases hint. */
static enum at_status fail_unknown(struct compiler *self, const struct token *name,
	const char *kind, struct at_strbuf *hint)
{
	lexer_fail(&self->lexer, AT_EINVAL, name->start, "there is no %s \"%.*s\"%s",
		kind, name->length > 100 ? 100 : (int)name->length, name->start,
		at_strbuf_text(hint));
	at_strbuf_release(hint);
	return AT_EINVAL;
}

static enum at_status fail_function(struct compiler *self, const struct token *name)
{
	const char *names[FUNCTION_COUNT];
	char *copy = at_strndup(name->start, name->length);
	struct at_strbuf hint = { 0 };

	for (size_t i = 0; i < FUNCTION_COUNT; i++)
		names[i] = functions[i].name;
	at_text_add_known(&hint, copy, names, FUNCTION_COUNT);
	free(copy);
	return fail_unknown(self, name, "function", &hint);
}

/* Without a similar name, lists the device properties or the file's names, as many as
   fit. */
static enum at_status fail_name(struct compiler *self, const struct token *name)
{
	const struct at_names *names = self->names;
	char *copy = at_strndup(name->start, name->length);
	bool is_device = !strcmp(copy, "device") || !strncmp(copy, "device.", 7);
	struct at_strbuf hint = { 0 }, more = { 0 };
	bool is_explained =
		names->explain && names->explain(names->context, copy, &more);
	const char *item = is_explained ? NULL : at_names_nearest(names, copy);

	if (item) {
		at_strbuf_addf(&hint, "; did you mean \"%s\"?", item);
	} else if (is_device) {
		for (int i = 0; i < AT_PROPERTY_COUNT; i++)
			at_strbuf_addf(&hint, "%s%s", i ? ", " : "; a device has ",
				at_property_name((enum at_property)i));
	} else {
		/* the device properties are many and come last */
		for (size_t i = 0; i < names->count && hint.length < 160 &&
				   !strchr(names->items[i].name, '.');
			i++)
			at_strbuf_addf(&hint, "%s%s", i ? ", " : "; known are ",
				names->items[i].name);
		at_strbuf_add(&hint, at_strbuf_text(&more));
	}
	at_strbuf_release(&more);
	free(copy);
	return fail_unknown(self, name, "name", &hint);
}

/* Compiles the arguments; f(a, b, c) of a binary operator becomes f(f(a, b), c). The
   caller checks their number after reading all, so that the message can state it. */
static enum at_status parse_arguments(struct compiler *self, const struct token *name,
	enum at_opcode code, struct compiled *out, int *count)
{
	struct compiled argument;
	enum at_status status;

	*count = 0;
	do {
		/* past "(" or "," */
		status = lexer_next(&self->lexer);
		if (!status)
			status = parse_nested(self, *count ? &argument : out);
		if (!status && ++*count > 1 && at_opcode_is_binary(code))
			status = emit_operator(
				self, name->start, code, out, &argument, out);
	} while (!status && token_is(&self->lexer.token, ","));
	if (!status)
		status = expect(self, ")", "\",\" or \")\"");
	return status;
}

/* The token is the parenthesis after the function's name. */
static enum at_status parse_call(
	struct compiler *self, const struct token *name, struct compiled *out)
{
	const struct function *function = NULL;
	enum at_status status;
	int count;

	for (size_t i = 0; i < FUNCTION_COUNT; i++)
		if (strlen(functions[i].name) == name->length &&
			!memcmp(functions[i].name, name->start, name->length))
			function = &functions[i];
	if (!function)
		return fail_function(self, name);
	status = parse_arguments(self, name, function->code, out, &count);
	if (status)
		return status;
	if (function->arguments ? count != function->arguments : count < 2)
		return lexer_fail(&self->lexer, AT_EINVAL, name->start,
			"%s() takes %s, found %d", function->name,
			function->arguments == 0   ? "two arguments or more"
			: function->arguments == 1 ? "one argument"
						   : "two arguments",
			count);
	if (function->arguments == 1)
		status = emit_operator(
			self, name->start, function->code, out, NULL, out);
	out->from = name->start;
	out->to = self->lexer.last_end;
	return status;
}

/* Whether a text is a single operand in every context: a name, a number, a call, or in
   parentheses. */
static bool is_operand(const char *text)
{
	const char *at = text;
	int depth = 0;

	while (continues_name(*at) || *at == '.')
		at++;
	do {
		depth += (*at == '(') - (*at == ')');
	} while (*at && *at++ && depth);
	return !*at && !depth;
}

static enum at_status emit_definition(struct compiler *self, const struct token *name,
	const struct at_expression *definition)
{
	const size_t base = self->out->code_count;
	const char *text = at_expression_full_text(definition);
	const bool is_closed = is_operand(text);
	enum at_type type;
	/* as if in parentheses */
	const int nesting = self->nesting + 1 + definition->nesting;

	if (nesting > AT_EXPRESSION_NESTING_MAX ||
		base + definition->code_count > AT_EXPRESSION_CODE_MAX)
		return lexer_fail(&self->lexer, AT_ESYNTAX, name->start,
			"the expressions of \"%.*s\" are too long or nested too deeply",
			name->length > 100 ? 100 : (int)name->length, name->start);
	for (size_t i = 0; i < definition->code_count; i++) {
		const struct at_instruction *from = &definition->code[i];
		int operand = from->operand;

		if (from->code == AT_CODE_CONSTANT) {
			emit_constant(self, definition->constants[operand]);
			continue;
		}
		if (from->code == AT_CODE_SLOT)
			operand = at_names_find(self->names,
				self->names->defined_over[operand].name,
				strlen(self->names->defined_over[operand].name), &type);
		else if (from->code <= AT_CODE_JUMP)
			operand += (int)base;
		if (operand < 0)
			return lexer_fail(&self->lexer, AT_EINVAL, name->start,
				"\"%.*s\" uses a name that there is not here",
				name->length > 100 ? 100 : (int)name->length,
				name->start);
		emit(self, from->code, operand);
	}
	if (nesting > self->out->nesting)
		self->out->nesting = nesting;
	at_strbuf_add_bytes(
		&self->full_text, self->copied, (size_t)(name->start - self->copied));
	at_strbuf_addf(&self->full_text, "%s%s%s", is_closed ? "" : "(", text,
		is_closed ? "" : ")");
	self->copied = name->start + name->length;
	return AT_OK;
}

static enum at_status parse_name(struct compiler *self, struct compiled *out)
{
	struct token name = self->lexer.token;
	bool is_true = name.length == 4 && !memcmp(name.start, "true", 4);
	bool is_false = name.length == 5 && !memcmp(name.start, "false", 5);
	enum at_status status = lexer_next(&self->lexer);
	struct at_definition *definition;
	int slot;

	if (status)
		return status;
	out->to = self->lexer.last_end;
	if (is_true || is_false) {
		out->type = AT_TYPE_BOOLEAN;
		emit_constant(self,
			(struct at_value){ AT_TYPE_BOOLEAN, { .integer = is_true } });
		return AT_OK;
	}
	if (token_is(&self->lexer.token, "("))
		return parse_call(self, &name, out);
	definition = find_definition(self->names, name.start, name.length);
	if (definition) {
		definition->is_used = true;
		out->type = definition->expression->type;
		return emit_definition(self, &name, definition->expression);
	}
	slot = at_names_find(self->names, name.start, name.length, &out->type);
	if (slot < 0)
		return fail_name(self, &name);
	emit(self, AT_CODE_SLOT, slot);
	return AT_OK;
}

static enum at_status parse_literal(struct compiler *self, struct compiled *out)
{
	const struct token *token = &self->lexer.token;
	struct at_value value = { .type = AT_TYPE_INTEGER };
	enum at_status status = AT_OK;

	if (token->kind == TOKEN_REAL) {
		value.type = AT_TYPE_REAL;
		value.real = token->real;
	} else if (token->kind == TOKEN_WORD) {
		/* Terminated in a copy of the text that lives as long as the
		   expression. */
		char *word = self->out->words + (token->start - self->lexer.text);

		word[token->length] = '\0'; /* over the closing quote */
		value.type = AT_TYPE_WORD;
		value.word = word;
	} else if (token->needs_minus) {
		return lexer_fail(&self->lexer, AT_ESYNTAX, token->start,
			"%.*s does not fit 64 bits", (int)token->length, token->start);
	} else {
		value.integer = token->integer;
	}
	out->type = value.type;
	emit_constant(self, value);
	status = lexer_next(&self->lexer);
	out->to = self->lexer.last_end;
	return status;
}

static enum at_status parse_primary(struct compiler *self, struct compiled *out)
{
	const struct token *token = &self->lexer.token;
	const char *from = token->start;
	enum at_status status = AT_OK;

	*out = (struct compiled){ .start = self->out->code_count };
	switch (token->kind) {
	case TOKEN_INTEGER:
	case TOKEN_REAL:
	case TOKEN_WORD:
		/* The token of a word excludes its quotes; its text begins at the
		   quote. */
		from -= token->kind == TOKEN_WORD;
		status = parse_literal(self, out);
		break;
	case TOKEN_NAME:
		status = parse_name(self, out);
		break;
	case TOKEN_END:
	case TOKEN_OPERATOR:
		if (!token_is(token, "(")) {
			status = fail_expected(&self->lexer, "a value");
			break;
		}
		status = lexer_next(&self->lexer);
		if (!status)
			status = parse_nested(self, out);
		if (!status)
			status = expect(self, ")", "an operator or \")\"");
		out->to = self->lexer.last_end;
		break;
	}
	out->from = from;
	/* Its comparisons are in parentheses or in a call. */
	out->compared_by = NULL;
	return status;
}

static enum at_opcode unary_opcode(const struct token *token)
{
	if (token_is(token, "-"))
		return AT_CODE_NEGATE;
	if (token_is(token, "+"))
		return AT_CODE_PLUS;
	if (token_is(token, "!"))
		return AT_CODE_NOT;
	if (token_is(token, "~"))
		return AT_CODE_COMPLEMENT;
	return AT_CODE_CONSTANT;
}

static enum at_status parse_unary(struct compiler *self, struct compiled *out)
{
	struct token *token = &self->lexer.token;
	enum at_opcode code = unary_opcode(token);
	const char *place = token->start;
	enum at_status status;

	if (code == AT_CODE_CONSTANT)
		return parse_primary(self, out);
	/* Counted as nesting, since "----1" recurses too. */
	status = enter(self);
	if (!status)
		status = lexer_next(&self->lexer);
	if (!status && code == AT_CODE_NEGATE && token->needs_minus) {
		/* The token already holds INT64_MIN. */
		token->needs_minus = false;
		status = parse_primary(self, out);
	} else if (!status) {
		status = parse_unary(self, out);
		if (!status)
			status = emit_operator(self, place, code, out, NULL, out);
	}
	self->nesting--;
	out->from = place;
	return status;
}

/* ---- binary operators ------------------------------------------------------------ */

/* The precedences of C. */
static const struct binary binaries[] = {
	{ "||", 1, AT_CODE_OR },
	{ "&&", 2, AT_CODE_AND },
	{ "|", 3, AT_CODE_BIT_OR },
	{ "^", 4, AT_CODE_BIT_XOR },
	{ "&", 5, AT_CODE_BIT_AND },
	{ "==", 6, AT_CODE_EQUAL },
	{ "!=", 6, AT_CODE_NOT_EQUAL },
	{ "<", 7, AT_CODE_LESS },
	{ "<=", 7, AT_CODE_LESS_EQUAL },
	{ ">", 7, AT_CODE_GREATER },
	{ ">=", 7, AT_CODE_GREATER_EQUAL },
	{ "<<", 8, AT_CODE_SHIFT_LEFT },
	{ ">>", 8, AT_CODE_SHIFT_RIGHT },
	{ "+", 9, AT_CODE_ADD },
	{ "-", 9, AT_CODE_SUBTRACT },
	{ "*", 10, AT_CODE_MULTIPLY },
	{ "/", 10, AT_CODE_DIVIDE },
	{ "%", 10, AT_CODE_REMAINDER },
};

static const struct binary *find_binary(const struct token *token)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(*binaries); i++)
		if (token_is(token, binaries[i].text))
			return &binaries[i];
	return NULL;
}

static bool compares(const struct binary *binary)
{
	return binary->precedence == 6 || binary->precedence == 7;
}

/* Rejects expressions that C accepts with a surprising meaning: "1 <= N <= 4" compares
   0 or 1 with 4, and "N & 3 == 0" compares before it applies &. Parentheses allow
   both. */
static enum at_status check_comparisons(const struct compiler *self, const char *place,
	const struct binary *binary, const struct compiled *a, const struct compiled *b)
{
	const struct binary *first = a->compared_by ? a->compared_by : b->compared_by;

	if (compares(binary) && a->compared_by &&
		a->compared_by->precedence == binary->precedence)
		return lexer_fail(&self->lexer, AT_EINVAL, place,
			"this compares whether \"%.*s\" with what follows: write a %s b && b %s c",
			(int)(a->to - a->from), a->from, a->compared_by->text,
			binary->text);
	if (binary->precedence < 3 || binary->precedence > 5 || !first ||
		(a->type == AT_TYPE_BOOLEAN && b->type == AT_TYPE_BOOLEAN))
		return AT_OK;
	return lexer_fail(&self->lexer, AT_EINVAL, place,
		"%s comes before %s: write (a %s b) %s c", first->text, binary->text,
		binary->text, first->text);
}

static enum at_status parse_binary(
	struct compiler *self, int precedence, struct compiled *out);

/* Compiles the right side of && or ||; *out has the left side. See
   expression_code.h. */
static enum at_status parse_logical(struct compiler *self, const struct binary *binary,
	const char *place, struct compiled *out)
{
	size_t jump = self->out->code_count;
	struct compiled right;
	enum at_status status = check_operand(self, place, AT_CODE_TRUTH, out);

	if (!status)
		emit(self, binary->code, 0);
	if (!status)
		status = parse_binary(self, binary->precedence + 1, &right);
	if (!status)
		status = check_operand(self, place, AT_CODE_TRUTH, &right);
	/* The result must be 0 or 1 even if the right side is 5. */
	if (!status && right.type != AT_TYPE_BOOLEAN)
		status =
			emit_operator(self, place, AT_CODE_TRUTH, &right, NULL, &right);
	if (status)
		return status;
	emit_landing(self, jump);
	out->type = AT_TYPE_BOOLEAN;
	out->to = right.to;
	return AT_OK;
}

static enum at_status parse_binary(
	struct compiler *self, int precedence, struct compiled *out)
{
	enum at_status status = parse_unary(self, out);
	const struct binary *binary;

	while (!status && (binary = find_binary(&self->lexer.token)) &&
		binary->precedence >= precedence) {
		const char *place = self->lexer.token.start;
		struct compiled right;

		status = lexer_next(&self->lexer);
		if (status)
			break;
		if (binary->code == AT_CODE_AND || binary->code == AT_CODE_OR) {
			status = parse_logical(self, binary, place, out);
			out->compared_by = NULL;
			continue;
		}
		/* One higher: operators of the same precedence associate to the
		   left. */
		status = parse_binary(self, binary->precedence + 1, &right);
		if (!status)
			status = check_comparisons(self, place, binary, out, &right);
		if (!status)
			status = emit_operator(
				self, place, binary->code, out, &right, out);
		out->compared_by = compares(binary) ? binary : NULL;
	}
	return status;
}

static bool is_real_and_integer(enum at_type a, enum at_type b)
{
	return a == AT_TYPE_REAL && (b == AT_TYPE_INTEGER || b == AT_TYPE_BOOLEAN);
}

/* Compiles "? first : second"; *out has the condition. */
static enum at_status parse_branches(struct compiler *self, struct compiled *out)
{
	struct compiled first, second;
	size_t branch = self->out->code_count, jump = 0;
	enum at_status status =
		check_operand(self, self->lexer.token.start, AT_CODE_TRUTH, out);

	if (!status)
		emit(self, AT_CODE_BRANCH, 0);
	if (!status)
		status = lexer_next(&self->lexer);
	if (!status)
		status = parse_nested(self, &first);
	if (!status)
		status = expect(self, ":", "an operator or \":\"");
	if (!status) {
		jump = self->out->code_count;
		emit(self, AT_CODE_JUMP, 0);
	}
	if (status)
		return status;
	emit_landing(self, branch);
	status = parse_nested(self, &second);
	if (status)
		return status;
	emit_landing(self, jump);
	/* an integer and a real become a real, as in C */
	out->type = first.type == second.type ? first.type
		    : is_real_and_integer(first.type, second.type) ||
				    is_real_and_integer(second.type, first.type)
			    ? AT_TYPE_REAL
			    : AT_TYPE_NONE;
	out->to = second.to;
	if (out->type == AT_TYPE_REAL && first.type != second.type)
		emit(self, AT_CODE_PROMOTE, 0);
	return AT_OK;
}

static enum at_status parse_conditional(struct compiler *self, struct compiled *out)
{
	enum at_status status = parse_binary(self, 1, out);

	if (!status && token_is(&self->lexer.token, "?"))
		status = parse_branches(self, out);
	return status;
}

/* ---- the whole --------------------------------------------------------------------
 */

/* Sorts slots in ascending order, each once, as at_enumerate_init() requires. */
static int compare_slots(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

static void collect_slots(struct at_expression *self)
{
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < self->code_count; i++)
		count += self->code[i].code == AT_CODE_SLOT;
	/* One more than needed, so that the pointer is never NULL. */
	self->slots = at_calloc(count + 1, sizeof(*self->slots));
	count = 0;
	for (size_t i = 0; i < self->code_count; i++)
		if (self->code[i].code == AT_CODE_SLOT)
			self->slots[count++] = self->code[i].operand;
	qsort(self->slots, count, sizeof(*self->slots), compare_slots);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || self->slots[i] != self->slots[i - 1])
			self->slots[kept++] = self->slots[i];
	self->slot_count = kept;
}

static enum at_status parse(
	struct compiler *self, const char *text, const char *file, int line)
{
	struct compiled whole;
	enum at_status status;

	self->lexer = (struct lexer){
		.text = text, .file = file, .line = line, .err = self->err, .next = text
	};
	status = lexer_next(&self->lexer);
	if (status)
		return status;
	if (self->lexer.token.kind == TOKEN_END)
		return at_fail(self->err, AT_ESYNTAX, file, line,
			"this expression is empty; write 0 or true, or leave it out");
	status = parse_conditional(self, &whole);
	if (!status && self->lexer.token.kind != TOKEN_END)
		status = fail_expected(&self->lexer, "an operator or the end");
	self->out->type = status ? AT_TYPE_NONE : whole.type;
	if (!status && self->copied != text) {
		at_strbuf_add(&self->full_text, self->copied);
		self->out->full_text = at_strbuf_detach(&self->full_text);
	}
	at_strbuf_release(&self->full_text);
	return status;
}

enum at_status at_expression_compile(const char *text, const char *file, int line,
	const struct at_names *names, struct at_expression **out, struct at_error *err)
{
	struct at_expression *self = at_calloc(1, sizeof(*self));
	struct compiler compiler = {
		.names = names, .out = self, .copied = text, .err = err
	};
	enum at_status status = AT_OK;

	self->integers_only = true;
	self->line = line;
	self->text = at_strdup(text);
	self->words = at_strdup(text);
	status = parse(&compiler, text, file, line);
	if (!status)
		collect_slots(self);
	if (!status && self->integers_only)
		at_expression_fuse(self);
	if (status)
		goto free_self;
	*out = self;
	return AT_OK;
free_self:
	at_expression_free(self);
	return status;
}
