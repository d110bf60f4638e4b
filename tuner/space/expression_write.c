/*
 * Writes a compiled expression as C: postfix to infix. It runs the code like the
 * evaluator, with texts on the stack instead of values, and follows both branches of
 * every jump. Known values are computed here, so that only unknown ones remain in the
 * C. Parentheses around everything make precedence irrelevant.
 */
#include "base/memory.h"
#include "base/text.h"
#include "space/expression_code.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An item of the stack: a value, or the C that computes it. */
struct piece {
	bool is_known;
	struct at_value value; /* if known */
	enum at_type type; /* of the C: INTEGER, BOOLEAN (a condition) or REAL */
	char *text; /* NULL if the value is known */
	bool is_partial; /* see struct at_expression_c */
};

/* An incomplete && || or ?:. */
struct pending {
	enum at_opcode code;
	int end; /* code index after the last operand; of ?: known at its JUMP */
};

struct writer {
	const struct at_expression_naming *naming;
	struct piece *pieces;
	size_t count;
	struct pending *pending;
	size_t pending_count;
};

/* Compiled code never takes more operands than the stack has. */
static struct piece *top(const struct writer *self, size_t from_top)
{
	assert(self->count >= from_top);
	return &self->pieces[self->count - from_top];
}

/* Replaces the topmost `count` pieces by a text, which it takes over. */
static void replace(struct writer *self, size_t count, enum at_type type,
	bool is_partial, struct at_strbuf *text)
{
	for (size_t i = 0; i < count; i++)
		free(self->pieces[--self->count].text);
	self->pieces[self->count] = (struct piece){
		.type = type,
		.text = at_strbuf_detach(text),
		.is_partial = is_partial,
	};
	self->count++;
}

static void replace_known(struct writer *self, size_t count, struct at_value value)
{
	for (size_t i = 0; i < count; i++)
		free(self->pieces[--self->count].text);
	self->pieces[self->count++] = (struct piece){
		.is_known = true,
		.value = value,
		.type = value.type,
	};
}

/* Replaces pieces by C that reports "no value". is_partial: evaluation may have a value
   although the C does not. */
static void replace_by_none(struct writer *self, size_t count, bool is_partial)
{
	struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "%snone(&bad)", self->naming->prefix);
	replace(self, count, AT_TYPE_INTEGER, is_partial, &text);
}

static const char *text_of(const struct piece *piece)
{
	return piece->text ? piece->text : "";
}

static void add_whole(struct at_strbuf *out, const struct piece *piece)
{
	if (piece->is_known) {
		/* 9223372036854775808 is too large for a long long, even with a minus
		   before it */
		if (piece->value.integer == INT64_MIN)
			at_strbuf_add(out, "(-9223372036854775807LL - 1)");
		else if (piece->value.integer < 0)
			at_strbuf_addf(out, "(%" PRId64 "LL)", piece->value.integer);
		else
			at_strbuf_addf(out, "%" PRId64 "LL", piece->value.integer);
	} else if (piece->type == AT_TYPE_BOOLEAN)
		at_strbuf_addf(out, "(%s ? 1LL : 0LL)", text_of(piece));
	else
		at_strbuf_add(out, text_of(piece));
}

static void add_double(
	const struct writer *self, struct at_strbuf *out, const struct piece *piece)
{
	char text[64];

	if (piece->is_known && piece->type == AT_TYPE_REAL) {
		at_text_shortest_real(piece->value.real, text, sizeof(text));
		at_strbuf_addf(out, piece->value.real < 0 ? "(%s%s)" : "%s%s", text,
			strpbrk(text, ".eE") ? "" : ".0");
	} else if (piece->type == AT_TYPE_REAL) {
		at_strbuf_add(out, text_of(piece));
	} else {
		at_strbuf_addf(out, "%sreal(", self->naming->prefix);
		add_whole(out, piece);
		at_strbuf_add(out, ", &bad)");
	}
}

static bool is_true(const struct piece *piece)
{
	return piece->type == AT_TYPE_REAL ? piece->value.real != 0
					   : piece->value.integer != 0;
}

static void add_truth(
	const struct writer *self, struct at_strbuf *out, const struct piece *piece)
{
	if (piece->is_known)
		at_strbuf_add_char(out, is_true(piece) ? '1' : '0');
	else if (piece->type == AT_TYPE_BOOLEAN)
		at_strbuf_add(out, text_of(piece));
	else if (piece->type == AT_TYPE_REAL)
		at_strbuf_addf(out, "(%scompare(%s, 0.0) != 0)", self->naming->prefix,
			text_of(piece));
	else
		at_strbuf_addf(out, "(%s != 0)", text_of(piece));
}

/* ---- operators ------------------------------------------------------------ */

static const char *function_name(enum at_opcode code)
{
	switch ((int)code) {
#define CASE(symbol, function, operands, text) \
	case AT_CODE_##symbol: \
		return #function;
		AT_BINARY_OPERATORS(CASE)
#undef CASE
	case AT_CODE_POW:
		return "pow";
	}
	return "none";
}

/* Appends an operand of an operator on reals or on integers. */
static void add_operand(const struct writer *self, struct at_strbuf *out,
	const struct piece *piece, bool is_real)
{
	if (is_real)
		add_double(self, out, piece);
	else
		add_whole(out, piece);
}

/* "(a < b)", "(x_compare(a, b) < 0)", "x_min(a, b)" or "x_real_add(a, b, &bad)" */
static void write_binary_open(struct writer *self, enum at_opcode code, bool is_real)
{
	const struct piece *a = top(self, 2), *b = top(self, 1);
	const bool compares = at_opcode_compares(code);
	const bool is_infix =
		!is_real &&
		(compares || (code >= AT_CODE_BIT_AND && code <= AT_CODE_BIT_OR));
	bool is_partial = a->is_partial || b->is_partial;
	struct at_strbuf text = { 0 };

	/* the rounding of pow() differs between math libraries */
	if (is_real && (code == AT_CODE_POW ||
			       at_opcode_operands(code) == AT_OPERAND_INTEGER)) {
		replace_by_none(self, 2, true);
		return;
	}
	/* with a negative exponent evaluation yields a real */
	is_partial |= code == AT_CODE_POW && !(b->is_known && b->value.integer >= 0);
	if (is_infix)
		at_strbuf_add_char(&text, '(');
	else if (compares)
		at_strbuf_addf(&text, "(%scompare(", self->naming->prefix);
	else
		at_strbuf_addf(&text, "%s%s%s(", self->naming->prefix,
			is_real ? "real_" : "", function_name(code));
	add_operand(self, &text, a, is_real);
	if (is_infix)
		at_strbuf_addf(&text, " %s ", at_opcode_text(code));
	else
		at_strbuf_add(&text, ", ");
	add_operand(self, &text, b, is_real);
	/* min() and max() of any two numbers have a result, so they take no &bad */
	if (compares && is_real)
		at_strbuf_addf(&text, ") %s 0)", at_opcode_text(code));
	else
		at_strbuf_add(
			&text, is_infix || code == AT_CODE_MIN || code == AT_CODE_MAX
				       ? ")"
				       : ", &bad)");
	replace(self, 2,
		compares  ? AT_TYPE_BOOLEAN
		: is_real ? AT_TYPE_REAL
			  : AT_TYPE_INTEGER,
		is_partial, &text);
}

static void write_binary(struct writer *self, enum at_opcode code)
{
	const struct piece *a = top(self, 2), *b = top(self, 1);
	struct at_value value;

	if (a->is_known && b->is_known) {
		if (at_operator_apply(code, &a->value, &b->value, &value))
			replace_by_none(self, 2, false);
		else
			replace_known(self, 2, value);
	} else if (a->type == AT_TYPE_WORD || b->type == AT_TYPE_WORD) {
		replace_by_none(self, 2, true);
	} else {
		write_binary_open(
			self, code, a->type == AT_TYPE_REAL || b->type == AT_TYPE_REAL);
	}
}

/* The text around a unary operator's operand; # is the prefix of functions. */
struct form {
	enum at_opcode code;
	enum at_type type; /* of the result */
	const char *before;
	const char *after;
};

static const struct form integer_forms[] = {
	{ AT_CODE_PLUS, AT_TYPE_INTEGER, "", "" },
	{ AT_CODE_FLOOR, AT_TYPE_INTEGER, "", "" },
	{ AT_CODE_CEIL, AT_TYPE_INTEGER, "", "" },
	{ AT_CODE_INT, AT_TYPE_INTEGER, "", "" },
	{ AT_CODE_COMPLEMENT, AT_TYPE_INTEGER, "(~", ")" },
	{ AT_CODE_IS_POW2, AT_TYPE_BOOLEAN, "(#is_pow2(", ") != 0)" },
	{ AT_CODE_NEGATE, AT_TYPE_INTEGER, "#negate(", ", &bad)" },
	{ AT_CODE_ABS, AT_TYPE_INTEGER, "#abs(", ", &bad)" },
	{ AT_CODE_LOG2, AT_TYPE_INTEGER, "#log2(", ", &bad)" },
	{ AT_CODE_CONSTANT, AT_TYPE_NONE, NULL, NULL },
};
/* ~ takes no reals, and the rounding of log2() differs between libraries */
static const struct form real_forms[] = {
	{ AT_CODE_PLUS, AT_TYPE_REAL, "", "" },
	{ AT_CODE_REAL, AT_TYPE_REAL, "", "" },
	{ AT_CODE_PROMOTE, AT_TYPE_REAL, "", "" },
	{ AT_CODE_NEGATE, AT_TYPE_REAL, "(-", ")" },
	{ AT_CODE_ABS, AT_TYPE_REAL, "#real_abs(", ")" },
	{ AT_CODE_FLOOR, AT_TYPE_REAL, "#real_floor(", ")" },
	{ AT_CODE_CEIL, AT_TYPE_REAL, "#real_ceil(", ")" },
	{ AT_CODE_INT, AT_TYPE_INTEGER, "#real_int(", ", &bad)" },
	{ AT_CODE_SQRT, AT_TYPE_REAL, "#real_sqrt(", ", &bad)" },
	{ AT_CODE_CONSTANT, AT_TYPE_NONE, NULL, NULL },
};

static void write_unary_open(struct writer *self, enum at_opcode code, bool is_real)
{
	const struct form *form = is_real ? real_forms : integer_forms;
	const struct piece *a = top(self, 1);
	struct at_strbuf text = { 0 };

	while (form->before && form->code != code)
		form++;
	if (!form->before) {
		replace_by_none(self, 1, true);
		return;
	}
	for (const char *c = form->before; *c; c++)
		if (*c == '#')
			at_strbuf_add(&text, self->naming->prefix);
		else
			at_strbuf_add_char(&text, *c);
	add_operand(self, &text, a, is_real);
	at_strbuf_add(&text, form->after);
	replace(self, 1, form->type, a->is_partial, &text);
}

static void write_unary(struct writer *self, enum at_opcode code)
{
	const struct piece *a = top(self, 1);
	struct at_strbuf text = { 0 };
	struct at_value value;

	if (a->is_known) {
		if (at_operator_apply(code, &a->value, NULL, &value))
			replace_by_none(self, 1, false);
		else
			replace_known(self, 1, value);
	} else if (code == AT_CODE_NOT || code == AT_CODE_TRUTH) {
		at_strbuf_add(&text, code == AT_CODE_NOT ? "(!" : "");
		add_truth(self, &text, a);
		at_strbuf_add(&text, code == AT_CODE_NOT ? ")" : "");
		replace(self, 1, AT_TYPE_BOOLEAN, a->is_partial, &text);
	} else {
		write_unary_open(self, code,
			a->type == AT_TYPE_REAL || code == AT_CODE_SQRT ||
				code == AT_CODE_REAL || code == AT_CODE_PROMOTE);
	}
}

/* ---- && || ?: -------------------------------------------------------------- */

static void drop_below(struct writer *self, size_t kept)
{
	struct piece *dropped = top(self, kept + 1);

	free(dropped->text);
	memmove(dropped, dropped + 1, kept * sizeof(*dropped));
	self->count--;
}

static void finish_condition(struct writer *self, enum at_opcode code)
{
	const struct piece *a = top(self, 2), *b = top(self, 1);
	bool is_partial = a->is_partial || b->is_partial;
	struct at_strbuf text = { 0 };

	if (a->is_known && is_true(a) == (code == AT_CODE_OR)) {
		replace_known(self, 2,
			(struct at_value){
				.type = AT_TYPE_BOOLEAN,
				.integer = code == AT_CODE_OR,
			});
		return;
	}
	if (a->is_known) {
		drop_below(self, 1);
		return;
	}
	at_strbuf_add_char(&text, '(');
	add_truth(self, &text, a);
	at_strbuf_add(&text, code == AT_CODE_AND ? " && " : " || ");
	add_truth(self, &text, b);
	at_strbuf_add_char(&text, ')');
	replace(self, 2, AT_TYPE_BOOLEAN, is_partial, &text);
}

static void finish_choice(struct writer *self)
{
	const struct piece *condition = top(self, 3), *a = top(self, 2),
			   *b = top(self, 1);
	bool is_partial = condition->is_partial || a->is_partial || b->is_partial;
	bool is_real = a->type == AT_TYPE_REAL || b->type == AT_TYPE_REAL;
	struct at_strbuf text = { 0 };

	if (condition->is_known) {
		/* the other branch does not matter */
		if (is_true(condition))
			free(self->pieces[--self->count].text);
		else
			drop_below(self, 1);
		drop_below(self, 1);
		return;
	}
	if (a->type == AT_TYPE_WORD || b->type == AT_TYPE_WORD) {
		replace_by_none(self, 3, true);
		return;
	}
	at_strbuf_add_char(&text, '(');
	add_truth(self, &text, condition);
	at_strbuf_add(&text, " ? ");
	add_operand(self, &text, a, is_real);
	at_strbuf_add(&text, " : ");
	add_operand(self, &text, b, is_real);
	at_strbuf_add_char(&text, ')');
	replace(self, 3, is_real ? AT_TYPE_REAL : AT_TYPE_INTEGER, is_partial, &text);
}

/* Completes the operators whose last operand ends before code index `here`: && || and
   ?: have no instruction and end where their jumps land. */
static void finish_pending(struct writer *self, size_t here)
{
	while (self->pending_count > 0 &&
		self->pending[self->pending_count - 1].end == (int)here) {
		enum at_opcode code = self->pending[--self->pending_count].code;

		if (code == AT_CODE_JUMP)
			finish_choice(self);
		else
			finish_condition(self, code);
	}
}

static void write_jump(struct writer *self, const struct at_instruction *instruction)
{
	struct pending *last;

	if (instruction->code != AT_CODE_JUMP) {
		last = &self->pending[self->pending_count++];
		/* ?: ends at the target of its JUMP, which write_jump() sees later */
		last->end =
			instruction->code == AT_CODE_BRANCH ? -1 : instruction->operand;
		last->code = instruction->code;
		return;
	}
	last = &self->pending[self->pending_count - 1];
	last->code = AT_CODE_JUMP;
	last->end = instruction->operand;
}

/* ---- all of it ------------------------------------------------------------- */

static void write_slot(struct writer *self, int slot)
{
	const struct at_expression_naming *naming = self->naming;
	struct at_strbuf text = { 0 };
	enum at_type type;

	if (naming->slots && naming->slots[slot].type != AT_TYPE_NONE) {
		replace_known(self, 0, naming->slots[slot]);
		return;
	}
	type = naming->name(naming->context, slot, &text);
	if (type == AT_TYPE_NONE) {
		at_strbuf_release(&text);
		replace_by_none(self, 0, true);
		return;
	}
	replace(self, 0, type, false, &text);
}

static void write_result(const struct writer *self, enum at_type wanted,
	struct at_expression_c *out, struct at_strbuf *text)
{
	const struct piece *result = top(self, 1);

	out->is_known = result->is_known;
	out->value = result->value;
	out->is_partial = result->is_partial;
	if (result->type == AT_TYPE_WORD) {
		out->is_known = false;
		out->is_partial = true;
		at_strbuf_addf(text, "%snone(&bad)", self->naming->prefix);
	} else if (wanted == AT_TYPE_BOOLEAN) {
		add_truth(self, text, result);
	} else if (wanted == AT_TYPE_REAL) {
		add_double(self, text, result);
	} else if (result->type == AT_TYPE_REAL) {
		at_strbuf_addf(text, "%swhole(", self->naming->prefix);
		add_double(self, text, result);
		at_strbuf_add(text, ", &bad)");
	} else {
		add_whole(text, result);
	}
}

void at_expression_write_c(const struct at_expression *self,
	const struct at_expression_naming *naming, enum at_type wanted,
	struct at_expression_c *out, struct at_strbuf *text)
{
	struct writer writer = {
		.naming = naming,
		/* One more than instructions: replace_by_none() may push before it
		   drops. */
		.pieces = at_calloc(self->code_count + 1, sizeof(*writer.pieces)),
		.pending = at_calloc(self->code_count + 1, sizeof(*writer.pending)),
	};

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < self->code_count; i++) {
		const struct at_instruction *instruction = &self->code[i];
		enum at_opcode code = instruction->code;

		finish_pending(&writer, i);
		if (code == AT_CODE_SLOT)
			write_slot(&writer, instruction->operand);
		else if (code == AT_CODE_CONSTANT)
			replace_known(
				&writer, 0, self->constants[instruction->operand]);
		else if (code <= AT_CODE_JUMP)
			write_jump(&writer, instruction);
		else if (at_opcode_is_binary(code))
			write_binary(&writer, code);
		else
			write_unary(&writer, code);
	}
	finish_pending(&writer, self->code_count);
	write_result(&writer, wanted, out, text);
	for (size_t i = 0; i < writer.count; i++)
		free(writer.pieces[i].text);
	free(writer.pieces);
	free(writer.pending);
}
