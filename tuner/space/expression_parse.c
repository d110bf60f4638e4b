/*
 * The half of the compiler that reads the text: recursive descent, with operators
 * between two operands by precedence climbing (Richards and Whitby-Strevens 1979,
 * "BCPL: the language and its compiler"). Code is written as soon as an operand or
 * an operator is complete; there is no tree.
 */
#include "space/expression_emit.h"

#include "base/memory.h"
#include "base/text.h"
#include "space/properties.h"

#include <stdlib.h>
#include <string.h>

static enum at_status parse_conditional(
	struct at_compiler *self, struct at_compiled *out);

/* Operands. */

/* The recursion is bounded: a file must not be able to overflow the stack. */
static enum at_status enter(struct at_compiler *self)
{
	if (self->nesting == AT_EXPRESSION_NESTING_MAX)
		return at_lexer_fail(&self->lexer, AT_ESYNTAX, self->lexer.token.start,
			"nested deeper than %d", AT_EXPRESSION_NESTING_MAX);
	self->nesting++;
	return AT_OK;
}

static enum at_status parse_nested(struct at_compiler *self, struct at_compiled *out)
{
	enum at_status status = enter(self);

	if (!status)
		status = parse_conditional(self, out);
	self->nesting--;
	return status;
}

static enum at_status expect(
	struct at_compiler *self, const char *operator_text, const char *expected)
{
	if (!at_token_is(&self->lexer.token, operator_text))
		return at_lexer_fail_expected(&self->lexer, expected);
	return at_lexer_next(&self->lexer);
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

/* Reports a name that there is not, with the nearest one or else the known ones. */
static enum at_status fail_unknown(struct at_compiler *self,
	const struct at_token *name, const char *kind, const char *nearest,
	const char *known)
{
	return at_lexer_fail(&self->lexer, AT_EINVAL, name->start,
		"there is no %s \"%.*s\"%s%s%s", kind,
		name->length > 100 ? 100 : (int)name->length, name->start,
		nearest ? "; did you mean \"" : "", nearest ? nearest : known,
		nearest ? "\"?" : "");
}

static enum at_status fail_function(
	struct at_compiler *self, const struct at_token *name)
{
	const char *names[FUNCTION_COUNT];
	char *copy = at_strndup(name->start, name->length);
	struct at_strbuf known = { 0 };
	enum at_status status;

	for (size_t i = 0; i < FUNCTION_COUNT; i++) {
		names[i] = functions[i].name;
		at_strbuf_addf(&known, "%s%s", i ? ", " : "; known are ", names[i]);
	}
	status = fail_unknown(self, name, "function",
		at_text_nearest(copy, names, FUNCTION_COUNT), at_strbuf_text(&known));
	at_strbuf_release(&known);
	free(copy);
	return status;
}

/* Without a similar name, lists the device properties, or those that the file gives, as
   many as fit. */
static enum at_status fail_name(struct at_compiler *self, const struct at_token *name)
{
	const struct at_names *names = self->names;
	char *copy = at_strndup(name->start, name->length);
	bool is_device = !strcmp(copy, "device") || !strncmp(copy, "device.", 7);
	struct at_strbuf known = { 0 };
	enum at_status status;
	const char *item;

	for (int i = 0; is_device && i < AT_PROPERTY_COUNT; i++)
		at_strbuf_addf(&known, "%s%s", i ? ", " : "; a device has ",
			at_property_name((enum at_property)i));
	for (size_t i = 0; !is_device && names->at &&
			   (item = names->at(names->context, i)) && known.length < 160;
		i++)
		at_strbuf_addf(&known, "%s%s", i ? ", " : "; known are ", item);
	if (!is_device && names->explain)
		names->explain(names->context, copy, &known);
	status = fail_unknown(self, name, "name",
		names->nearest ? names->nearest(names->context, copy) : NULL,
		at_strbuf_text(&known));
	at_strbuf_release(&known);
	free(copy);
	return status;
}

/*
 * Compiles the arguments; f(a, b, c) of a binary operator becomes f(f(a, b), c). The
 * caller checks their number once all were read, so that the message can say how many
 * there are.
 */
static enum at_status parse_arguments(struct at_compiler *self,
	const struct at_token *name, enum at_opcode code, struct at_compiled *out,
	int *count)
{
	struct at_compiled argument;
	enum at_status status;

	*count = 0;
	do {
		/* past "(" or "," */
		status = at_lexer_next(&self->lexer);
		if (!status)
			status = parse_nested(self, *count ? &argument : out);
		if (!status && ++*count > 1 && at_opcode_is_binary(code))
			status = at_emit_operator(
				self, name->start, code, out, &argument, out);
	} while (!status && at_token_is(&self->lexer.token, ","));
	if (!status)
		status = expect(self, ")", "\",\" or \")\"");
	return status;
}

/* The token is the parenthesis after the function's name. */
static enum at_status parse_call(
	struct at_compiler *self, const struct at_token *name, struct at_compiled *out)
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
		return at_lexer_fail(&self->lexer, AT_EINVAL, name->start,
			"%s() takes %s, found %d", function->name,
			function->arguments == 0   ? "two arguments or more"
			: function->arguments == 1 ? "one argument"
						   : "two arguments",
			count);
	if (function->arguments == 1)
		status = at_emit_operator(
			self, name->start, function->code, out, NULL, out);
	out->from = name->start;
	out->to = self->lexer.last_end;
	return status;
}

static enum at_status parse_name(struct at_compiler *self, struct at_compiled *out)
{
	struct at_token name = self->lexer.token;
	bool is_true = name.length == 4 && !memcmp(name.start, "true", 4);
	bool is_false = name.length == 5 && !memcmp(name.start, "false", 5);
	enum at_status status = at_lexer_next(&self->lexer);
	int slot;

	if (status)
		return status;
	out->to = self->lexer.last_end;
	if (is_true || is_false) {
		out->type = AT_TYPE_BOOLEAN;
		at_emit_constant(self,
			(struct at_value){ AT_TYPE_BOOLEAN, { .integer = is_true } });
		return AT_OK;
	}
	if (at_token_is(&self->lexer.token, "("))
		return parse_call(self, &name, out);
	slot = self->names->find(
		self->names->context, name.start, name.length, &out->type);
	if (slot < 0)
		return fail_name(self, &name);
	at_emit(self, AT_CODE_SLOT, slot);
	return AT_OK;
}

static enum at_status parse_literal(struct at_compiler *self, struct at_compiled *out)
{
	const struct at_token *token = &self->lexer.token;
	struct at_value value = { .type = AT_TYPE_INTEGER };
	enum at_status status = AT_OK;

	if (token->kind == AT_TOKEN_REAL) {
		value.type = AT_TYPE_REAL;
		value.real = token->real;
	} else if (token->kind == AT_TOKEN_WORD) {
		/* Terminated in a copy of the text that lives as long as the
		   expression. */
		char *word = self->out->words + (token->start - self->lexer.text);

		word[token->length] = '\0'; /* over the closing quote */
		value.type = AT_TYPE_WORD;
		value.word = word;
	} else if (token->needs_minus) {
		return at_lexer_fail(&self->lexer, AT_ESYNTAX, token->start,
			"%.*s does not fit 64 bits", (int)token->length, token->start);
	} else {
		value.integer = token->integer;
	}
	out->type = value.type;
	at_emit_constant(self, value);
	status = at_lexer_next(&self->lexer);
	out->to = self->lexer.last_end;
	return status;
}

static enum at_status parse_parentheses(
	struct at_compiler *self, struct at_compiled *out)
{
	enum at_status status = at_lexer_next(&self->lexer);

	if (!status)
		status = parse_nested(self, out);
	if (!status)
		status = expect(self, ")", "an operator or \")\"");
	out->to = self->lexer.last_end;
	return status;
}

static enum at_status parse_primary(struct at_compiler *self, struct at_compiled *out)
{
	const struct at_token *token = &self->lexer.token;
	const char *from = token->start;
	enum at_status status = AT_OK;

	*out = (struct at_compiled){ .start = self->out->code_count };
	switch (token->kind) {
	case AT_TOKEN_INTEGER:
	case AT_TOKEN_REAL:
	case AT_TOKEN_WORD:
		/* The token of a word lies within its quotes; its text begins at the
		   quote. */
		from -= token->kind == AT_TOKEN_WORD;
		status = parse_literal(self, out);
		break;
	case AT_TOKEN_NAME:
		status = parse_name(self, out);
		break;
	case AT_TOKEN_END:
	case AT_TOKEN_OPERATOR:
		if (at_token_is(token, "("))
			status = parse_parentheses(self, out);
		else
			status = at_lexer_fail_expected(&self->lexer, "a value");
		break;
	}
	out->from = from;
	/* Its comparisons are in parentheses or operands of a function. */
	out->compared_by = NULL;
	return status;
}

static enum at_opcode unary_opcode(const struct at_token *token)
{
	if (at_token_is(token, "-"))
		return AT_CODE_NEGATE;
	if (at_token_is(token, "+"))
		return AT_CODE_PLUS;
	if (at_token_is(token, "!"))
		return AT_CODE_NOT;
	if (at_token_is(token, "~"))
		return AT_CODE_COMPLEMENT;
	return AT_CODE_CONSTANT;
}

static enum at_status parse_unary(struct at_compiler *self, struct at_compiled *out)
{
	struct at_token *token = &self->lexer.token;
	enum at_opcode code = unary_opcode(token);
	const char *place = token->start;
	enum at_status status;

	if (code == AT_CODE_CONSTANT)
		return parse_primary(self, out);
	/* Counted as nesting, since "----1" recurses too. */
	status = enter(self);
	if (!status)
		status = at_lexer_next(&self->lexer);
	if (!status && code == AT_CODE_NEGATE && token->needs_minus) {
		/* The token holds INT64_MIN already, so nothing is left to negate. */
		token->needs_minus = false;
		status = parse_primary(self, out);
	} else if (!status) {
		status = parse_unary(self, out);
		if (!status)
			status = at_emit_operator(self, place, code, out, NULL, out);
	}
	self->nesting--;
	out->from = place;
	return status;
}

/*
 * Operators between two operands.
 */

/* The precedences of C. */
static const struct at_binary binaries[] = {
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

static const struct at_binary *find_binary(const struct at_token *token)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(*binaries); i++)
		if (at_token_is(token, binaries[i].text))
			return &binaries[i];
	return NULL;
}

static bool compares(const struct at_binary *binary)
{
	return binary->precedence == 6 || binary->precedence == 7;
}

/* Refuses what C accepts with another meaning: "1 <= N <= 4" compares 0 or 1 with 4,
   and "N & 3 == 0" compares before it applies &. With parentheses both are allowed. */
static enum at_status check_comparisons(const struct at_compiler *self,
	const char *place, const struct at_binary *binary, const struct at_compiled *a,
	const struct at_compiled *b)
{
	const struct at_binary *first =
		a->compared_by ? a->compared_by : b->compared_by;

	if (compares(binary) && a->compared_by &&
		a->compared_by->precedence == binary->precedence)
		return at_lexer_fail(&self->lexer, AT_EINVAL, place,
			"this compares whether \"%.*s\" with what follows: write a %s b && b %s c",
			(int)(a->to - a->from), a->from, a->compared_by->text,
			binary->text);
	if (binary->precedence < 3 || binary->precedence > 5 || !first ||
		(a->type == AT_TYPE_BOOLEAN && b->type == AT_TYPE_BOOLEAN))
		return AT_OK;
	return at_lexer_fail(&self->lexer, AT_EINVAL, place,
		"%s comes before %s: write (a %s b) %s c", first->text, binary->text,
		binary->text, first->text);
}

static enum at_status parse_binary(
	struct at_compiler *self, int precedence, struct at_compiled *out);

/* Compiles the right side of && or ||; *out has the left one. See expression_code.h. */
static enum at_status parse_logical(struct at_compiler *self,
	const struct at_binary *binary, const char *place, struct at_compiled *out)
{
	size_t jump = self->out->code_count;
	struct at_compiled right;
	enum at_status status = at_check_operand(self, place, AT_CODE_TRUTH, out);

	if (!status)
		at_emit(self, binary->code, 0);
	if (!status)
		status = parse_binary(self, binary->precedence + 1, &right);
	if (!status)
		status = at_check_operand(self, place, AT_CODE_TRUTH, &right);
	/* The result must be 0 or 1 even where the right side is 5. */
	if (!status && right.type != AT_TYPE_BOOLEAN)
		status = at_emit_operator(
			self, place, AT_CODE_TRUTH, &right, NULL, &right);
	if (status)
		return status;
	at_emit_landing(self, jump);
	out->type = AT_TYPE_BOOLEAN;
	out->to = right.to;
	return AT_OK;
}

static enum at_status parse_binary(
	struct at_compiler *self, int precedence, struct at_compiled *out)
{
	enum at_status status = parse_unary(self, out);
	const struct at_binary *binary;

	while (!status && (binary = find_binary(&self->lexer.token)) &&
		binary->precedence >= precedence) {
		const char *place = self->lexer.token.start;
		struct at_compiled right;

		status = at_lexer_next(&self->lexer);
		if (status)
			break;
		if (binary->code == AT_CODE_AND || binary->code == AT_CODE_OR) {
			status = parse_logical(self, binary, place, out);
			out->compared_by = NULL;
			continue;
		}
		/* One higher: operators of the same precedence are applied from left to
		   right. */
		status = parse_binary(self, binary->precedence + 1, &right);
		if (!status)
			status = check_comparisons(self, place, binary, out, &right);
		if (!status)
			status = at_emit_operator(
				self, place, binary->code, out, &right, out);
		out->compared_by = compares(binary) ? binary : NULL;
	}
	return status;
}

static bool is_real_and_integer(enum at_type a, enum at_type b)
{
	return a == AT_TYPE_REAL && (b == AT_TYPE_INTEGER || b == AT_TYPE_BOOLEAN);
}

/* The type of ?: from those of its branches. An integer beside a real becomes a real,
   as in C. */
static enum at_type joint_type(enum at_type a, enum at_type b)
{
	if (a == b)
		return a;
	if (is_real_and_integer(a, b) || is_real_and_integer(b, a))
		return AT_TYPE_REAL;
	return AT_TYPE_NONE;
}

/* Compiles "? first : second"; *out has the condition. */
static enum at_status parse_branches(struct at_compiler *self, struct at_compiled *out)
{
	struct at_compiled first, second;
	size_t branch = self->out->code_count, jump = 0;
	enum at_status status =
		at_check_operand(self, self->lexer.token.start, AT_CODE_TRUTH, out);

	if (!status)
		at_emit(self, AT_CODE_BRANCH, 0);
	if (!status)
		status = at_lexer_next(&self->lexer);
	if (!status)
		status = parse_nested(self, &first);
	if (!status)
		status = expect(self, ":", "an operator or \":\"");
	if (!status) {
		jump = self->out->code_count;
		at_emit(self, AT_CODE_JUMP, 0);
	}
	if (status)
		return status;
	at_emit_landing(self, branch);
	status = parse_nested(self, &second);
	if (status)
		return status;
	at_emit_landing(self, jump);
	out->type = joint_type(first.type, second.type);
	out->to = second.to;
	if (out->type == AT_TYPE_REAL && first.type != second.type)
		at_emit(self, AT_CODE_PROMOTE, 0);
	return AT_OK;
}

static enum at_status parse_conditional(
	struct at_compiler *self, struct at_compiled *out)
{
	enum at_status status = parse_binary(self, 1, out);

	if (!status && at_token_is(&self->lexer.token, "?"))
		status = parse_branches(self, out);
	return status;
}

/*
 * The whole.
 */

/* Sorts slots in ascending order, each once; at_enumerate_init() relies on that
   order. */
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
	struct at_compiler *self, const char *text, const char *file, int line)
{
	struct at_compiled whole;
	enum at_status status =
		at_lexer_init(&self->lexer, text, file, line, self->err);

	if (status)
		return status;
	if (self->lexer.token.kind == AT_TOKEN_END)
		return at_fail(self->err, AT_ESYNTAX, file, line,
			"this expression is empty; write 0 or true, or leave it out");
	status = parse_conditional(self, &whole);
	if (!status && self->lexer.token.kind != AT_TOKEN_END)
		status = at_lexer_fail_expected(&self->lexer, "an operator or the end");
	return status;
}

enum at_status at_expression_compile(const char *text, const char *file, int line,
	const struct at_names *names, struct at_expression **out, struct at_error *err)
{
	struct at_expression *self = at_calloc(1, sizeof(*self));
	struct at_compiler compiler = { .names = names, .out = self, .err = err };
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
